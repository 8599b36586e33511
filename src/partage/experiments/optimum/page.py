"""When is the optimum worth it? Greedy against exact searches; discretizers and learners."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from partage.experiments import Settings
from partage.experiments.data import find_sets
from partage.experiments.optimum.trials import (
    CRITERIA,
    DISCRETIZERS,
    GREEDY,
    LEARNERS,
    N_TEST,
    SHAPES,
    compare_searches,
    try_learners,
)
from partage.experiments.page import Listing, Plot, Section
from partage.experiments.units import run_units

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SETS = ("iris", "wine", "heart-statlog", "bupa", "ionosphere", "breast-w", "pima", "vehicle",
         "glass", "ecoli", "segmentation", "vowel", "yeast", "waveform")  # fmt: skip
_CLEAR = 0.001  # a difference of loss that counts

Table = dict[Any, dict[str, float]]  # by criterion, search, shape, noise and rows


def run(table: str, settings: Settings) -> Section:
    """Run one table."""
    return {"gap": _gap, "learners": _learners}[table](settings)


def _gap(settings: Settings) -> Section:
    """Measure what greedy searches lose, by shape, noise and rows."""
    sizes = (100, 1000) if settings.is_quick else (100, 300, 1000, 3000, 10_000)
    noises = (0.0, 0.4) if settings.is_quick else (0.0, 0.2, 0.4)
    shapes = list(SHAPES)[1:3] if settings.is_quick else list(SHAPES)
    n_seeds = 3 if settings.is_quick else 20
    units = [(s, noise, n, n_seeds) for s in shapes for noise in noises for n in sizes]
    rows = run_units(settings, "gap", compare_searches, units)
    table = {
        (criterion, search, *unit[:3]): row[criterion][search]
        for unit, row in zip(units, rows, strict=True)
        for criterion in CRITERIA
        for search in GREEDY
    }
    return Section(
        title="Greedy against the optimum on one column",
        setting=(
            f"A column uniform in [0, 1], two classes, {n_seeds} samples of each kind. The share "
            "of class 1 is a function of the column: two pieces, five pieces, a slope, six waves, "
            "ten narrow pockets; noise is the part of the rows whose class is drawn anew. Gap: "
            "by how much the cost of a greedy search exceeds the lowest; optimal: share of the "
            "samples where it does not; loss: log-loss of Laplace's shares of the parts on "
            f"{N_TEST} fresh rows, greedy less optimum, so that above 0 the optimum is better."
        ),
        seeds="sample s: seed s; its test rows: seed 1000 + s",
        listings=[
            _list_by(table, "by shape", 2, shapes),
            _list_by(table, "by noise", 3, noises),
            _list_by(table, "by rows", 4, sizes),
        ],
        plots=[
            Plot(
                "loss",
                "Held-out loss of the greedy search less that of the optimum, by rows (MODL left, "
                "FUSINTER right); above 0 the optimum is better.",
                partial(_draw_loss, table=table, shapes=shapes, sizes=sizes),
            )
        ],
        findings=_find_worth(table),
    )


def _list_by(table: Table, title: str, place: int, keys: Any) -> Listing:
    """Average over all kinds that share one setting."""
    header = [title]
    header += [f"{c.upper()} {s}: {what}" for c in CRITERIA for s in GREEDY
               for what in ("gap", "optimal", "loss")]  # fmt: skip
    rows = []
    for key in keys:
        cells = [str(key)]
        for criterion in CRITERIA:
            for search in GREEDY:
                held = [
                    row
                    for k, row in table.items()
                    if k[:2] == (criterion, search) and k[place] == key
                ]
                gap, optimal, loss = (
                    np.mean([r[n] for r in held]) for n in ("gap", "optimal", "loss")
                )
                cells += [f"{100 * gap:.2f}%", f"{100 * optimal:.0f}%", f"{loss:+.4f}"]
        rows.append(cells)
    return Listing(header, rows)


def _find_worth(table: Table) -> list[str]:
    """Say when the optimum is worth it: overall, then for each criterion and search."""
    pairs = [(criterion, search) for criterion in CRITERIA for search in GREEDY]
    means = {
        f"{criterion.upper()} {search}": float(
            np.mean([row["loss"] for k, row in table.items() if k[:2] == (criterion, search)])
        )
        for criterion, search in pairs
    }
    return [
        "Is the optimum worth it? Its held-out loss, mean of all kinds, is "
        f"{_tell_sides(means, 'against')}.",
        *(_find_worth_against(table, criterion, search) for criterion, search in pairs),
    ]


def _find_worth_against(table: Table, criterion: str, search: str) -> str:
    """Say for which shapes, noise and rows the optimum lowers the held-out loss."""
    held = {k[2:]: row["loss"] for k, row in table.items() if k[:2] == (criterion, search)}
    n_better = sum(loss > _CLEAR for loss in held.values())
    n_worse = sum(loss < -_CLEAR for loss in held.values())
    told = []
    for place, what in enumerate(("Its mean loss by shape", "By noise", "By rows")):
        means = {
            key: float(np.mean([loss for k, loss in held.items() if k[place] == key]))
            for key in dict.fromkeys(k[place] for k in held)
        }
        told.append(f"{what}: {_tell_sides(means)}.")
    return (
        f"{criterion.upper()}, {search} against the optimum: of {len(held)} kinds, the optimum has "
        f"a held-out loss lower by more than {_CLEAR} in {n_better}, higher by as much in "
        f"{n_worse}. {' '.join(told)}"
    )


def _tell_sides(means: dict[Any, float], at: str = "for") -> str:
    """Name the settings under which the optimum is better, level or worse."""
    lower = [f"{key} ({mean:.4f})" for key, mean in means.items() if mean > _CLEAR]
    level = [f"{key}" for key, mean in means.items() if abs(mean) <= _CLEAR]
    higher = [f"{key} ({-mean:.4f})" for key, mean in means.items() if mean < -_CLEAR]
    sides = {f"lower {at}": lower, f"within {_CLEAR} {at}": level, f"higher {at}": higher}
    return "; ".join(f"{side} {', '.join(named)}" for side, named in sides.items() if named)


def _draw_loss(figure: Figure, table: Table, shapes: Any, sizes: Any) -> None:
    """Draw the loss over the number of rows, a line per shape."""
    for axes, criterion in zip(figure.subplots(1, 2, sharey=False), CRITERIA, strict=True):
        for shape in shapes:
            means = [
                np.mean([row["loss"] for k, row in table.items()
                         if k[:3] == (criterion, "bottom-up", shape) and k[4] == n])
                for n in sizes
            ]  # fmt: skip
            axes.plot(sizes, means, marker="o", markersize=3, label=shape)
        axes.axhline(0.0, color="grey", linewidth=0.7)
        axes.set_xscale("log")
        axes.set_xlabel("rows")
        axes.set_title(criterion.upper(), fontsize=9)
        axes.legend(fontsize=7)


def _learners(settings: Settings) -> Section:
    """Discretizers before three learners on numeric data sets."""
    wanted = _SETS[:1] if settings.is_quick else _SETS
    n_folds = 2 if settings.is_quick else 10 if settings.is_full else 3
    names = find_sets(settings, wanted)
    discretizers = list(DISCRETIZERS)[:3] if settings.is_quick else list(DISCRETIZERS)
    units = [(name, d, f, n_folds) for name in names for d in discretizers for f in range(n_folds)]
    rows = run_units(settings, "learners", try_learners, units, data=settings.data)
    values = np.array([[row[learner] for learner in LEARNERS] for row in rows])
    shape = (len(names), len(discretizers), n_folds, len(LEARNERS), 2)
    means = values.reshape(shape).mean(axis=2)  # set, discretizer, learner, (accuracy, loss)
    header = ["discretizer", "parts"]
    header += [
        f"{learner}: {what}" for learner in LEARNERS for what in ("accuracy", "loss", "rank")
    ]
    parts = np.array([row["parts"] for row in rows]).reshape(shape[:3]).mean(axis=(0, 2))
    ranks = rankdata(means[..., 1], axis=1).mean(axis=0)
    listing = []
    for d, name in enumerate(discretizers):
        cells = [name, f"{parts[d]:.1f}"]
        for k in range(len(LEARNERS)):
            accuracy, loss = means[:, d, k].mean(axis=0)
            cells += [f"{accuracy:.4f}", f"{loss:.4f}", f"{ranks[d, k]:.2f}"]
        listing.append(cells)
    return Section(
        title="Discretizers and learners",
        setting=(
            f"Stratified {n_folds}-fold on {len(names)} numeric data sets ({', '.join(names)}). "
            "Each column is cut on the training rows; a tree of at least 5 rows a leaf and naive "
            "Bayes take the codes, logistic regression one bit for each part. Parts: mean per "
            "column. Rank: mean rank by log-loss over the data sets, 1 is best, ties share theirs."
        ),
        seeds="folds and tree: random_state 0",
        listings=[Listing(header, listing)],
        findings=_find_learners(means, discretizers),
    )


def _find_learners(means: NDArray[np.float64], discretizers: list[str]) -> list[str]:
    """Say what the optimum changes for each learner."""
    findings = []
    for method in ("MODL", "FUSINTER"):
        pair = [f"{method}, optimum", f"{method}, bottom-up"]
        if not all(name in discretizers for name in pair):
            continue
        best, greedy = (means[:, discretizers.index(name)] for name in pair)
        parts = [
            f"{learner} {(best - greedy)[:, k, 0].mean():+.4f} in accuracy and "
            f"{(best - greedy)[:, k, 1].mean():+.4f} in loss"
            for k, learner in enumerate(LEARNERS)
        ]
        findings.append(f"{method}, optimum less bottom-up, mean of the sets: {'; '.join(parts)}.")
    return findings
