"""``SelectiveNaiveBayesClassifier``: naive Bayes on the columns that help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from partage import _core
from partage._data.table import Table
from partage._estimators.bayes.base import BaseNaiveBayes
from partage._estimators.bayes.features import Coder, Feature, log_table, saved_nats
from partage._estimators.plan import Plan
from partage._estimators.public import public
from partage._partitions.pairs import count_worth_naming
from partage._support.checks import check_choice, check_count, check_jobs
from partage._support.parallel import run_all
from partage._support.portable import exps
from partage._targets.target import TargetRows

__all__ = [
    "SelectiveNaiveBayesClassifier",
    "find_largest_area",
    "make_posteriors",
    "select_by_lift",
]

_SELECTIONS = ("lift", "mdl")
_N_HALVINGS = 3  # weights are eighths
_GROWTH = 1e-12  # of the lift area, below which it does not grow
_N_FIRST = 4  # areas that are found before bounds are compared with them


@public
@dataclass(kw_only=True, eq=False, repr=False)
class SelectiveNaiveBayesClassifier(BaseNaiveBayes):
    """Classify by naive Bayes on the columns that help together.

    Columns are partitioned and probabilities estimated as by ``NaiveBayesClassifier``; then columns
    are selected on the training rows.

    ``selection="lift"`` adds, one by one, the column that most enlarges the area under the lift
    curve, averaged over the classes by frequency, and stops when none does. With hundreds of
    columns this overfits. ``selection="mdl"`` gives each column a weight between 0 and 1, in
    eighths, that multiplies its evidence. It minimises the description length of the classes,
    - sum of log P(class | row), plus that of the selection, log(p + 1) + log C(p + s - 1, s) for
    weights that sum to s among p columns. Whole weights are a selection of columns, broken ones
    share their weight with redundant columns. Columns of level 0, whose parts cost more
    than they save, cannot enter; nor can those whose parts save less than it takes to name them, if
    naming s of p columns takes log C(p, s).

    Parameters
    ----------
    selection : {"mdl", "lift"}, default="mdl"
        How columns are selected. ``"lift"`` is the paper's; the probabilities of ``"mdl"`` are
        better calibrated, and it withstands many columns of noise.
    max_features : int, default=None
        Upper limit for the number of selected columns; for ``"lift"`` only.
    max_memory : float, default=1e9
        Bytes that the search for products, and the codes of the columns in the selection, may use;
        more is refused before these start.

    Attributes
    ----------
    selected_features_ : list
        Names of the selected columns, and tuples of names for products: in the order in which they
        were selected, or from the heaviest on.
    weights_ : ndarray
        Weight of each column, then of each product; 0 where it was not selected.

    References
    ----------
    M. Boullé, A grouping method for categorical attributes having very large number of values,
    Machine Learning and Data Mining in Pattern Recognition, 2005, section 3.5.
    M. Boullé, Compression-based averaging of selective naive Bayes classifiers, Journal of Machine
    Learning Research 8, 2007.

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_waveform(2000, seed=0)
    >>> clf = pt.SelectiveNaiveBayesClassifier().fit(X, y)
    >>> len(clf.selected_features_) < 21
    True
    """

    selection: str = "mdl"
    max_features: int | None = None

    def _needs_rows(self) -> bool:
        return True  # selection compares how whole models rank or describe the rows

    def _plan(self) -> Plan:
        who = type(self).__name__
        check_choice(who, "selection", self.selection, _SELECTIONS)
        check_count(who, "max_features", self.max_features)
        if self.max_features is not None and self.selection != "lift":
            raise ValueError(
                f"{who}: max_features is for selection='lift'; got {self.max_features!r} with "
                f"selection={self.selection!r}, which weighs all columns at once. Leave it out, or "
                "use selection='lift'."
            )
        return super()._plan()

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Partition every column, count the classes of the parts and select columns.

        Returns
        -------
        self
            The fitted estimator.
        """
        table, rows, features, counts = self._fit_features(X, y, target, sample_weight)
        informative = [k for k, held in enumerate(counts) if _tells(features[k], held)]
        chosen = np.zeros(len(features))
        order: list[int] = []
        if informative and rows.n_classes > 1:
            found, order = self._select(table, rows, features, counts, informative)
            chosen[informative] = found
        self._store(table.library, rows.classes, rows.counts(), features, counts, chosen)
        self.selected_features_ = [features[informative[k]].name for k in order]
        return self

    def _fitted_to_plain(self) -> dict[str, Any]:
        place = {feature.name: k for k, feature in enumerate(self._features)}
        selected = [place[name] for name in self.selected_features_]
        return super()._fitted_to_plain() | {"selected": selected}

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        super()._restore_fitted(data)
        if sorted(data["selected"]) != np.flatnonzero(self.weights_).tolist():
            raise ValueError("selected columns are not those that have a weight")
        self.selected_features_ = [self._features[k].name for k in data["selected"]]

    def _select(
        self,
        table: Table,
        rows: TargetRows,
        features: list[Feature],
        counts: list[NDArray[np.float64]],
        informative: list[int],
    ) -> tuple[NDArray[np.float64], list[int]]:
        """Weights of the informative features, and which were selected, in order."""
        who = f"{type(self).__name__}.fit"
        n_jobs = check_jobs(type(self).__name__, self.n_jobs)
        _check_memory(who, len(informative), rows.n_rows, self.max_memory)
        coder = Coder(who, table)
        codes = np.empty((len(informative), rows.n_rows), dtype=np.uint32)

        def code(place: int, _: _core.Cancel) -> None:
            found = features[informative[place]].codes(coder)
            codes[place] = found if rows.kept is None else found[rows.kept]

        run_all(code, range(len(informative)), n_jobs)
        tables = [exps(log_table(features[k], counts[k])[0]) for k in informative]
        posteriors = make_posteriors(codes, tables, rows)
        if self.selection == "lift":
            return select_by_lift(posteriors, len(informative), self.max_features, n_jobs)
        order = self._candidates([features[k] for k in informative])
        weights = np.asarray(posteriors.weigh(order, len(features), _N_HALVINGS, None))
        heaviest = order[np.argsort(-weights[order], kind="stable")]
        return weights, [int(k) for k in heaviest if weights[k] > 0]

    def _candidates(self, features: list[Feature]) -> NDArray[np.uint32]:
        """Features that save more than it takes to name them, highest level first.

        Columns that save little enter among many that save much, and not among noise. Products have
        been weighed against their names when they were found.
        """
        levels = np.array([feature.level for feature in features])
        is_column = np.array([len(feature.members) == 1 for feature in features])
        saved = np.array([saved_nats(feature) for feature in features])
        best_first = np.argsort(-saved, kind="stable")
        columns = best_first[(is_column & (levels > 0))[best_first]]
        n_named, _ = count_worth_naming(saved[columns], self.n_features_in_)
        is_named = ~is_column & (levels > 0)
        is_named[columns[:n_named]] = True
        order = np.argsort(-levels, kind="stable")
        return order[is_named[order]].astype(np.uint32)


def _tells(feature: Feature, counts: NDArray[np.float64]) -> bool:
    """Whether a feature has more than one part."""
    return len(log_table(feature, counts)[1]) > 1


def _check_memory(who: str, n_columns: int, n_rows: int, max_memory: float) -> None:
    """Refuse codes that do not fit."""
    needed = 8 * n_columns * n_rows
    if needed > max_memory:
        raise MemoryError(
            f"{who}: codes of {n_rows} rows of {n_columns} columns must fit into max_memory; they "
            f"need {needed / 2**20:.0f} MB, max_memory is {max_memory / 2**20:.0f} MB. Raise it, "
            "or pass fewer columns or rows."
        )


def make_posteriors(
    codes: NDArray[np.uint32], tables: list[NDArray[np.float64]], rows: TargetRows
) -> _core.Posteriors:
    """Lay the rows out class by class, so that their order in the table changes nothing."""
    mixed = rows.codes.astype(np.uint64)
    for column in codes:
        mixed = (mixed ^ column) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    weights = rows.weights
    order = np.lexsort((mixed, rows.codes) if weights is None else (weights, mixed, rows.codes))
    offsets = np.cumsum([0, *map(len, tables)], dtype=np.int64)
    counts = rows.counts()
    return _core.Posteriors(
        np.ascontiguousarray(codes[:, order]),
        offsets,
        np.ascontiguousarray(np.vstack(tables)),
        rows.codes[order],
        None if weights is None else weights[order],
        counts / counts.sum(),
    )


def select_by_lift(
    posteriors: _core.Posteriors, n_columns: int, max_features: int | None, n_jobs: int
) -> tuple[NDArray[np.float64], list[int]]:
    """Add the column that most enlarges the lift area, the first on a tie, while one does."""
    left = np.arange(n_columns, dtype=np.uint32)
    selected: list[int] = []
    area = posteriors.lift_area()
    while len(left) and len(selected) < (max_features or n_columns):
        best, best_area = find_largest_area(posteriors, left, area + _GROWTH, n_jobs)
        if best is None:
            break
        area = best_area
        selected.append(best)
        posteriors.take(best)
        left = left[left != best]
    weights = np.zeros(n_columns)
    weights[selected] = 1.0
    return weights, selected


def find_largest_area(
    posteriors: _core.Posteriors, columns: NDArray[np.uint32], above: float, n_jobs: int
) -> tuple[int | None, float]:
    """Return the column of the largest lift area, the first on a tie, if it is above a number.

    Areas are found only where the bounds leave open whether another one is larger.
    """

    def find(work: Any, places: NDArray[Any]) -> NDArray[np.float64]:
        blocks = np.array_split(columns[places], min(n_jobs, len(places)))
        return np.concatenate(run_all(work, blocks, n_jobs))

    bounds = find(posteriors.lift_bounds, np.arange(len(columns)))
    order = np.argsort(-bounds, kind="stable")
    areas = np.full(len(columns), -np.inf)
    largest = above
    for places in (order[:_N_FIRST], order[_N_FIRST:]):
        left = places[bounds[places] >= largest]
        if len(left):
            areas[left] = find(posteriors.lift_areas, left)
            largest = max(largest, float(areas.max()))
    best = int(areas.argmax())
    return (int(columns[best]), largest) if areas[best] > above else (None, above)
