"""What a greedy search loses on the optimum: the experiment of Zighed et al. (1997), repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

import partage as pt

__all__ = ["File", "Outcome", "Plan", "Variant", "find_borders", "run_experiment"]


@dataclass(frozen=True)
class Plan:
    """How much is drawn: the experiment, and how often it is repeated with fresh samples."""

    n_samples: int = 11
    n_learn: int = 300
    n_test: int = 5000
    n_repeats: int = 20

    def sample_seeds(self, repeat: int) -> range:
        """Return the seeds of the learning samples; the test sample has the seed before them."""
        return range(100 * repeat + 1, 100 * repeat + 1 + self.n_samples)

    def describe(self) -> str:
        """Say what a run of the experiment is."""
        return (
            f"Breiman's waves: {self.n_samples} learning samples of {self.n_learn} rows, "
            f"21 attributes, so {21 * self.n_samples} files a run, and a test sample of "
            f"{self.n_test} rows. Each interval predicts its most frequent class."
        )

    def describe_seeds(self) -> str:
        """Say which seeds were used."""
        return (
            f"run r of 0 to {self.n_repeats - 1} has the test sample "
            f"`make_waveform({self.n_test}, 100 r)` and the learning samples "
            f"`make_waveform({self.n_learn}, 100 r + s)`, s = 1 to {self.n_samples}"
        )


@dataclass(frozen=True)
class Variant:
    """A criterion, and the units it may cut between: distinct values, or runs as in the paper."""

    entropy: str = "quadratic"
    alpha: float = 0.975
    lam: float = 1.0
    units: str = "values"

    @property
    def label(self) -> str:
        """Name the variant in a sentence."""
        return f"{self.criterion}, alpha = {self.alpha:g}, lambda = {self.lam:g}"

    @property
    def criterion(self) -> str:
        """Name the entropy, and the units unless they are distinct values."""
        return self.entropy if self.units == "values" else f"{self.entropy}, {self.units}"

    @property
    def method_params(self) -> dict[str, Any]:
        """Return the parameters under the names that the library gives them."""
        return {"alpha": self.alpha, "lambda": self.lam, "entropy": self.entropy}


class File(NamedTuple):
    """One attribute of one sample: costs, numbers of parts and test rows rightly classified."""

    greedy_cost: float
    best_cost: float
    greedy_parts: int
    best_parts: int
    greedy_right: int
    best_right: int


@dataclass(frozen=True)
class Outcome:
    """The files of one run of the experiment, and what the paper counts in them."""

    files: NDArray[np.float64] = field(repr=False)
    n_test: int

    @classmethod
    def pool(cls, outcomes: Sequence[Outcome]) -> Outcome:
        """Take the files of several runs together."""
        return cls(np.concatenate([outcome.files for outcome in outcomes]), outcomes[0].n_test)

    def column(self, name: str) -> NDArray[np.float64]:
        """Return one field of all files."""
        return self.files[:, File._fields.index(name)]

    @property
    def gains(self) -> NDArray[np.float64]:
        """Return the accuracy of the optimum less that of FUSINTER, for every file."""
        return (self.column("best_right") - self.column("greedy_right")) / self.n_test

    @property
    def is_optimal(self) -> NDArray[np.bool_]:
        """Say where FUSINTER reaches the lowest cost."""
        best = self.column("best_cost")
        return self.column("greedy_cost") <= best + 1e-9 * np.abs(best)

    @property
    def extra_parts(self) -> NDArray[np.float64]:
        """Return the number of parts of FUSINTER less that of the optimum."""
        return self.column("greedy_parts") - self.column("best_parts")

    @property
    def t(self) -> float:
        """Return Student's t for dependent samples; positive where the optimum is better."""
        spread = float(self.gains.std(ddof=1))
        return float(self.gains.mean()) / spread * len(self.gains) ** 0.5 if spread else 0.0


def run_experiment(plan: Plan, variant: Variant, jobs: int = 1) -> list[Outcome]:
    """Run the paper's experiment as many times as planned, each time on fresh samples."""
    tasks = [(r, seed) for r in range(plan.n_repeats) for seed in plan.sample_seeds(r)]
    files = Parallel(n_jobs=jobs)(
        delayed(_compare_sample)(seed, plan.sample_seeds(r)[0] - 1, plan, variant)
        for r, seed in tasks
    )
    by_repeat = np.array(files, dtype=float).reshape(plan.n_repeats, -1, len(File._fields))
    return [Outcome(repeat, plan.n_test) for repeat in by_repeat]


def _compare_sample(seed: int, test_seed: int, plan: Plan, variant: Variant) -> list[File]:
    """Discretize every attribute of a learning sample by both searches."""
    X, y = pt.datasets.make_waveform(plan.n_learn, seed)
    X_test, y_test = pt.datasets.make_waveform(plan.n_test, test_seed)
    pairs = zip(X.T, X_test.T, strict=True)
    return [_compare_attribute(x, y, x_test, y_test, variant) for x, x_test in pairs]


def _compare_attribute(
    x: NDArray[np.float64],
    y: NDArray[np.int64],
    x_test: NDArray[np.float64],
    y_test: NDArray[np.int64],
    variant: Variant,
) -> File:
    """Discretize an attribute by both searches and use each as a tree of one level."""
    if variant.units == "runs":
        borders = find_borders(x, y)
        x, x_test = (np.searchsorted(borders, values).astype(float) for values in (x, x_test))
    found = []
    for search in ("bottom-up", "exact"):
        p = pt.discretize(
            x, y, method="fusinter", search=search, method_params=variant.method_params
        )
        majority = np.asarray(p.counts).argmax(axis=1)
        found.append((p.cost, p.n_parts, int((majority[p.assign(x_test)] == y_test).sum())))
    (greedy, best) = found
    return File(greedy[0], best[0], greedy[1], best[1], greedy[2], best[2])


def find_borders(x: NDArray[np.float64], y: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the midpoints between runs: neighbouring values that are not of one same class."""
    values, codes = np.unique(x, return_inverse=True)
    lowest = np.full(len(values), y.max())
    highest = np.full(len(values), y.min())
    np.minimum.at(lowest, codes, y)
    np.maximum.at(highest, codes, y)
    is_border = (lowest[:-1] != highest[1:]) | (highest[:-1] != lowest[1:])
    borders: NDArray[np.float64] = (values[:-1][is_border] + values[1:][is_border]) / 2.0
    return borders
