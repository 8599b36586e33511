"""What the estimators that partition a table column by column share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.lazy import check_in_memory
from partage._display.notebook import ranking_html
from partage._display.outputs import output_names, shown_as
from partage._estimators.columns import partition_named, read_fitted_columns
from partage._estimators.fit import Opened, count_columns, open_table
from partage._estimators.fitted import FittedColumns, fit_model
from partage._estimators.plan import Plan, check_plan
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, TransformerMixin
from partage._estimators.transform import (
    as_categories,
    transform_columns,
    transform_out_of_fold,
)
from partage._partitions.contingency import Contingency
from partage._partitions.partition import Partition
from partage._spaces.space import MOST_BYTES
from partage._support.checks import OUTPUTS, check_choice, check_cross_fit, check_jobs, check_sign
from partage._support.parallel import Cancel, run_all
from partage.engines import is_lazy, read_source
from partage.engines.transform import transform_lazy
from partage.exceptions import NotPartitionableError

__all__ = ["BasePartitioner", "ColumnEstimator"]


@public
@dataclass(kw_only=True, eq=False, repr=False)
class ColumnEstimator(BaseEstimator):
    """An estimator that partitions every column of a table.

    Attributes
    ----------
    partitions_
    levels_
    classes_
    n_features_in_
    feature_names_in_
    """

    method: Any = "modl"
    method_params: Mapping[str, Any] | None = None
    partitions: Mapping[str, Partition] | None = None
    max_parts: Any = None
    min_part_size: Any = None
    missing: str = "separate"
    special_values: Any = None
    special: str = "separate"
    n_jobs: int | None = None

    _takes: ClassVar[str] = "kinds"

    def _plan(self) -> Plan:
        """Check the parameters of the constructor."""
        return check_plan(type(self).__name__, vars(self), self._takes)

    def _jobs(self) -> int:
        """Threads to use."""
        return check_jobs(type(self).__name__, self.n_jobs)

    def _open(self, who: str, plan: Plan, given: tuple[Any, ...], reset: bool = True) -> Opened:
        """Read the table and its target, and let scikit-learn take the names of the columns."""
        opened = open_table(who, plan, *given)
        validate_data(self, opened.frame, reset=reset, skip_check_array=True)
        return opened

    def __getitem__(self, column: str) -> Partition:
        """Give the partition of a column."""
        check_is_fitted(self)
        return partition_named(type(self).__name__, vars(self)["partitions_"], column)

    def _repr_html_inner(self) -> Any:
        return self._with_ranking(super()._repr_html_inner())

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] = self._with_ranking(bundle["text/html"])
        return bundle

    def _with_ranking(self, diagram: str) -> str:
        """Show the columns of a fitted estimator before its diagram."""
        if not hasattr(self, "partitions_"):
            return diagram
        ranking = ranking_html(self.partitions_.values())
        return f"<div>{ranking}<details><summary>Parameters</summary>{diagram}</details></div>"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags


@public
@dataclass(kw_only=True, eq=False, repr=False)
class BasePartitioner(FittedColumns, TransformerMixin, ColumnEstimator):
    """Fits one partition per column and transforms values to what their parts stand for."""

    target_type: str = "auto"
    n_parts: Any = None
    min_class_count: Any = None
    monotonic: Any = None
    by: Any = None
    by_tolerance: float = 0.0
    output: str = "code"
    positive: Any = None
    woe_sign: int = 1
    cross_fit: int | None = None

    def _plan(self) -> Plan:
        who = type(self).__name__
        check_choice(who, "output", self.output, OUTPUTS)
        check_sign(who, "woe_sign", self.woe_sign)
        check_cross_fit(who, self.cross_fit, self.output)
        return super()._plan()

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        exposure: Any = None,
    ) -> Self:
        """Partition every column.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            The table. Rows that are not in memory are counted by their engine, for ``target`` as a
            name and without ``by`` or ``partitions``.

        Returns
        -------
        self
            The fitted estimator.
        """
        fit_model(self, self._plan(), (X, y, target, sample_weight, exposure))
        return self

    def partial_fit(
        self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None
    ) -> Self:
        """Add a piece of the data, and partition all that was given so far.

        The class counts of each value are kept and added up, so that the pieces give exactly the
        partitions of the whole table; of a number, the pairs of a value and a number. ``fit`` keeps
        no counts: after it, the first piece starts anew.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            The piece, with the columns of the pieces before.

        Returns
        -------
        self
            The estimator, fitted to all pieces.
        """
        who = f"{type(self).__name__}.partial_fit"
        plan, n_jobs = self._plan(), self._jobs()
        kept: list[Contingency] | None = getattr(self, "_counts", None)
        opened = self._open(who, plan, (X, y, target, sample_weight), reset=kept is None)
        counts = count_columns(who, plan, opened, n_jobs)
        if kept is not None:
            counts = [old + new for old, new in zip(kept, counts, strict=True)]

        def fit_one(one: Contingency, cancel: Cancel) -> Partition:
            rows = one.target
            if len(rows.classes) > 1:
                rows = rows.marked(*self._mark(rows))
            found = plan.fit(who, one.column, rows, cancel, one.library)
            return found._with_units_of_at_most(MOST_BYTES // len(counts))

        self._counts = counts
        self._target_name = opened.target_name
        try:
            partitions = run_all(fit_one, counts, n_jobs)
        except NotPartitionableError as error:
            warnings.warn(f"{error} The counts are kept: add more pieces.", stacklevel=3)
            return self
        self._set_partitions(partitions, counts[0].target, counts[0].library)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "partitions_")  # pieces may be counted before

    def transform(self, X: Any) -> NDArray[Any]:
        """Replace each value by what its part stands for.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            A table with the columns that were fitted.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            Integer codes by default; see ``output``: "sparse" gives an array of SciPy, "label" in a
            frame (``set_output``) ordered categories. A lazy table
            gives a lazy frame of its engine, in which columns that were not fitted stay as they
            are, in front.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.transform"
        check_choice(type(self).__name__, "output", self.output, OUTPUTS)
        found: NDArray[Any]  # of tables in memory; a lazy table gives a lazy frame
        if is_lazy(X):
            partitions = [shown_as(who, p, self.output) for p in self.partitions_.values()]
            kept = self._kept()
            found = transform_lazy(who, read_source(who, X), partitions, kept, self.output)
            return found
        table = read_fitted_columns(self, who, X)
        columns = self._kept_columns()
        found = transform_columns(who, table, columns, self.output, self._jobs())
        shown: NDArray[Any] = self._in_frame(found, columns, X)
        return shown

    def _in_frame(self, found: Any, columns: list[tuple[int, Partition]], X: Any) -> Any:
        """Give labels as ordered categories where ``set_output`` asks for a frame."""
        from sklearn.utils._set_output import _get_output_config

        library = _get_output_config("transform", self)["dense"]
        if self.output != "label" or library == "default":
            return found
        index = getattr(X, "index", None) if hasattr(X, "iloc") else None
        names = list(self.get_feature_names_out())
        return as_categories(found, names, columns, library, index)

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        *,
        target: Any = None,
        sample_weight: Any = None,
        exposure: Any = None,
    ) -> NDArray[Any]:
        """Partition every column, and replace each value by what its part stands for.

        Without ``cross_fit`` this equals ``fit`` followed by ``transform``. With it, the parts and
        their rates are learned anew without each fold, and applied to its rows: no row sees its
        own class. The folds are those of scikit-learn's
        ``StratifiedKFold(cross_fit, shuffle=True, random_state=0)``, and so depend on the order of
        the rows.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            As of ``transform``.
        """
        who = f"{type(self).__name__}.fit_transform"
        if self.cross_fit is not None:
            check_in_memory(f"{who} with cross_fit={self.cross_fit!r}", X)
        plan = self._plan()
        opened = fit_model(self, plan, (X, y, target, sample_weight, exposure))
        if is_lazy(X):
            return self.transform(X)
        columns, n_jobs = self._kept_columns(), self._jobs()
        if self.cross_fit is None:
            found = transform_columns(who, opened.table, columns, self.output, n_jobs)
            shown: NDArray[Any] = self._in_frame(found, columns, X)
            return shown
        n_folds = int(self.cross_fit)
        return transform_out_of_fold(who, plan, opened, columns, self.output, n_folds, n_jobs)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns that ``transform`` gives.

        Returns
        -------
        ndarray of str
            The column's own name for codes, labels and evidence of two classes; with the part or
            the class behind it for the others.
        """
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        found = [output_names(p, names[i], self.output) for i, p in self._kept_columns()]
        return np.array([name for some in found for name in some], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
