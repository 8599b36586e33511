"""What additive classifiers and regressors share: terms that are found, summed, shown and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from partage import _core
from partage._data.lazy import check_in_memory
from partage._data.table import Table
from partage._estimators.additive.cells import CodedColumn, cell_plan, check_trends, code_columns
from partage._estimators.additive.checks import check_fixed, check_pairs
from partage._estimators.additive.core import LearnedRows
from partage._estimators.additive.learn import Learned, learn
from partage._estimators.additive.shown import ShownAdditive
from partage._estimators.additive.state import model_to_plain, read_model_state
from partage._estimators.additive.terms import Name, Term, flat_partition
from partage._estimators.columns import read_fitted_columns
from partage._estimators.fit import Opened, open_table
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator
from partage._partitions.other_rows import target_like
from partage._partitions.partition import Partition
from partage._saving.savable import Savable
from partage._support.checks import check_jobs
from partage._support.parallel import run_all
from partage._targets.read import take_target
from partage._targets.target import TargetRows, check_lengths

__all__ = ["BaseAdditive"]


@public
@dataclass(kw_only=True, eq=False, repr=False)
class BaseAdditive(ShownAdditive, Savable, BaseEstimator):
    """What additive models share.

    Parameters
    ----------
    pairs : "auto", int or list of pairs of str, default="auto"
        Pairs of columns that get a term together: those that pay for being named, or the
        strongest where held-out rows do better with many, at most three for each column or this
        number; 0 for none. A list names them.
    monotonic : dict, default=None
        Columns whose curve must rise or fall, by name: ``"ascending"`` or ``"descending"``. For
        numbers and ordered categories.
    fixed : dict of str to Term, default=None
        Terms that are kept as they are, such as those of another model, by column.

    Attributes
    ----------
    terms_ : dict
        The terms by name, of a pair by both names: columns first, each from the most important on.
    intercept_ : ndarray of shape (n_outputs,)
        What all rows share: the scores of a row whose terms all add 0.
    changes_ : Changes
        What an edit cost, of a model that ``edit`` or ``simplify`` gave.
    choice_ : Choice
        What held-out rows chose: ``prior``, ``factor``, ``entry``, ``pairs`` and their
        ``losses``.
    classes_
    partitions_
    n_features_in_
    feature_names_in_
    """

    pairs: Any = "auto"
    monotonic: Mapping[str, str] | None = None
    fixed: Mapping[str, Term] | None = None
    special_values: Any = ()
    kinds: Mapping[str, str] | None = None
    ordered: Mapping[str, Any] | None = None
    partitions: Mapping[str, Partition] | None = None
    n_jobs: int | None = None

    _target_type: ClassVar[str] = "class"

    def _read_rows(
        self, who: str, rows: TargetRows, exposure: NDArray[np.float64] | None
    ) -> tuple[LearnedRows, float, float]:
        """Give what is learned of each row, and the scale and the middle of its scores."""
        raise NotImplementedError

    def _fit(self, X: Any, y: Any, target: Any, sample_weight: Any, exposure: Any = None) -> Self:
        """Find the terms."""
        who = f"{type(self).__name__}.fit"
        self._check_params()
        check_in_memory(who, X)
        n_jobs = check_jobs(type(self).__name__, self.n_jobs)
        plan = cell_plan(type(self).__name__, vars(self), self._target_type, 2**40)
        opened = open_table(who, plan, X, y, target, sample_weight)
        validate_data(self, opened.frame, skip_check_array=True)
        names = list(opened.table.names)
        trends = check_trends(who, self.monotonic, names)
        fixed = check_fixed(who, self.fixed, names)
        wanted, most = check_pairs(who, self.pairs, names)
        rows, scale, middle = self._read_rows(who, opened.rows, exposure)
        n_rows = int(rows.weights.sum())
        plan = cell_plan(type(self).__name__, vars(self), self._target_type, n_rows)
        columns = code_columns(who, plan, opened, trends, n_jobs)
        rows = self._with_fixed(who, opened, rows, fixed, scale)
        free = [i for i, name in enumerate(names) if name not in fixed]
        place = {i: k for k, i in enumerate(free)}
        among = None if wanted is None else [(place[a], place[b]) for a, b in wanted]
        learned = learn(rows, [columns[i] for i in free], among, most, scale, n_jobs)
        self._settle(opened, columns, learned, fixed, (scale, middle))
        self._given = X, y, target, sample_weight, exposure
        return self

    def _with_fixed(
        self,
        who: str,
        opened: Opened,
        rows: LearnedRows,
        fixed: Mapping[str, Term],
        scale: float,
    ) -> LearnedRows:
        """Let fixed terms speak before the others do."""
        if not fixed:
            return rows
        offsets = np.zeros((rows.n_rows, rows.n_outputs))
        if rows.offsets is not None:
            offsets += rows.offsets.reshape(offsets.shape)
        names = list(opened.table.names)
        for term in fixed.values():
            if term.n_outputs != rows.n_outputs:
                raise ValueError(
                    f"{who}: fixed terms must have {rows.n_outputs} number"
                    f"{'' if rows.n_outputs == 1 else 's'} for each part; {term.label!r} has "
                    f"{term.n_outputs}."
                )
            codes = term.axes[0]._assign_from(who, opened.table, names.index(term.columns[0]))
            offsets += term.table[opened.rows.kept_of(codes)] / scale
        return LearnedRows(
            rows.law, rows.y, rows.weights, rows.n_outputs, np.ascontiguousarray(offsets).ravel()
        )

    def _settle(
        self,
        opened: Opened,
        columns: Sequence[CodedColumn],
        learned: Learned,
        fixed: Mapping[str, Term],
        scaling: tuple[float, float],
    ) -> None:
        """Assign what was fitted."""
        scale, middle = scaling
        terms = [*fixed.values(), *learned.terms]
        singles = sorted((t for t in terms if not t.is_pair), key=lambda t: -t.importance)
        pairs = sorted((t for t in terms if t.is_pair), key=lambda t: -t.importance)
        named: dict[Name, Term] = {term.name: term for term in (*singles, *pairs)}
        partitions = {
            column.name: named[column.name].axes[0]
            if column.name in named
            else flat_partition(column.partition)
            for column in columns
        }
        self._target_name = opened.target_name
        self.choice_ = learned.choice
        self.classes_ = opened.rows.classes
        self._store(opened.table.library, partitions, named, learned.intercept * scale + middle)

    def _store(
        self,
        library: str,
        partitions: dict[str, Partition],
        terms: dict[Name, Term],
        intercept: NDArray[np.float64],
    ) -> None:
        """Assign terms and what belongs to them."""
        self.partitions_ = partitions
        self.terms_ = terms
        self.intercept_ = intercept
        self._library = library

    def _check_params(self) -> None:
        """Check the constructor's own parameters."""

    def _fitted_to_plain(self) -> dict[str, Any]:
        return model_to_plain(self)

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        self._check_params()
        read_model_state(self, data)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the rows of the fit."""
        state: Any = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_given"}

    def _scores(self, who: str, X: Any) -> NDArray[np.float64]:
        """Sum the terms of each row, in their order."""
        check_is_fitted(self)
        table = read_fitted_columns(self, who, X)
        return self._scores_of(who, table)

    def _scores_of(self, who: str, table: Table) -> NDArray[np.float64]:
        """Sum the terms of the rows of a table that was read."""
        scores = np.tile(self.intercept_, (table.n_rows, 1))
        n_jobs = check_jobs(type(self).__name__, self.n_jobs)
        places = {name: i for i, name in enumerate(self.partitions_)}
        wanted: dict[int, tuple[Partition, int]] = {}
        for term in self.terms_.values():
            for axis, column in zip(term.axes, term.columns, strict=True):
                wanted[id(axis)] = axis, places[column]
        found = run_all(
            lambda one, _: one[0]._assign_from(who, table, one[1]), list(wanted.values()), n_jobs
        )
        codes = dict(zip(wanted, found, strict=True))
        for term in self.terms_.values():
            rows = term.codes([codes[id(axis)] for axis in term.axes])
            _core.add_by_code(scores, np.ascontiguousarray(rows), term.table)
        return scores

    def _losses(
        self, scores: NDArray[np.float64], rows: TargetRows, exposure: Any
    ) -> NDArray[np.float64]:
        """Loss of each row."""
        raise NotImplementedError

    def _mean_loss(self, who: str, given: tuple[Any, ...]) -> float:
        """Mean loss of some rows."""
        X, y, target, sample_weight, exposure = given
        X, y = take_target(who, X, y, target)
        first = next(iter(self.partitions_.values()))
        rows = target_like(who, first, y, sample_weight)
        scores = self._scores(who, X)
        check_lengths(who, "X", len(scores), rows)
        losses = self._losses(rows.kept_of(scores), rows, exposure)
        return float(np.average(losses, weights=rows.weights))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
