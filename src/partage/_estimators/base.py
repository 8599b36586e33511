"""What the estimators that partition and transform a table column by column share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.lazy import check_in_memory
from partage._data.table import Table
from partage._display.outputs import bit_places, output_dtype, output_names, sparse_bits, values_at
from partage._estimators.columns import read_fitted_columns
from partage._estimators.fit_columns import PartitionsColumns
from partage._estimators.fitted import FittedColumns
from partage._partitions.contingency import Contingency, count
from partage._partitions.partition import Partition
from partage._saving.partitions import read_partitions
from partage._saving.savable import Savable
from partage._spaces.space import MOST_BYTES
from partage._support.checks import OUTPUTS, check_choice, check_jobs
from partage._support.parallel import Cancel, run_all
from partage._targets.classes import find_event
from partage._targets.folds import deal_folds
from partage._targets.read import take_target, target_name
from partage._targets.target import TargetRows
from partage.engines import is_lazy, read_source
from partage.engines.fitting import count_all, names_frame, open_lazy
from partage.engines.transform import transform_lazy


class BasePartitioner(FittedColumns, TransformerMixin, Savable, PartitionsColumns):
    """Fits one partition per column and transforms values to what their parts stand for."""

    positive: Any
    woe_sign: int
    cross_fit: int | None

    def fit(self, X, y=None, *, target=None, sample_weight=None):
        """Partition every column.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The table.
        y : array-like of shape (n_rows,), default=None
            The class of each row.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        self
            The fitted estimator.
        """
        table, rows, partitions = self._fit_partitions(X, y, target, sample_weight)
        self._set_partitions(partitions, rows, table.library)
        self._counts = None
        return self

    def partial_fit(self, X, y=None, *, target=None, sample_weight=None):
        """Add a piece of the data, and partition all that was given so far.

        The class counts of each value are kept and added up, so that the pieces give exactly the
        partitions of the whole table. ``fit`` keeps no counts: after it, the first piece starts
        anew.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The piece, with the columns of the pieces before.
        y : array-like of shape (n_rows,), default=None
            The class of each row.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        self
            The estimator, fitted to all pieces.
        """
        name = type(self).__name__
        who = f"{name}.partial_fit"
        settings = self._check(name)
        n_jobs = check_jobs(name, self.n_jobs)
        kept: list[Contingency] | None = getattr(self, "_counts", None)
        if is_lazy(X):
            columns, labels = open_lazy(self, who, X, y, target, sample_weight, settings)
            validate_data(self, names_frame(columns), reset=kept is None, skip_check_array=True)
            counts = count_all(self, who, columns, replace(labels, name="y"), settings)
        else:
            X, table, rows = self._open(who, X, y, target, sample_weight, settings)
            validate_data(self, X, reset=kept is None, skip_check_array=True)

            def count_one(index: int, _: Cancel) -> Contingency:
                column = self._read(who, table, index, settings)
                return count(column, rows, "y", table.library)

            counts = run_all(count_one, range(len(table.names)), n_jobs)
        if kept is not None:
            counts = [old + new for old, new in zip(kept, counts, strict=True)]

        def fit_one(one: Contingency, cancel: Cancel) -> Partition:
            found = self._find(who, one.column, one.target, settings, cancel, one.library)
            return found._with_units_of_at_most(MOST_BYTES // len(counts))

        partitions = run_all(fit_one, counts, n_jobs)
        self._set_partitions(partitions, counts[0].target, counts[0].library)
        self._target_name = target_name(y, target)
        self._counts = counts
        return self

    def _set_partitions(
        self, partitions: list[Partition], target: TargetRows, library: str
    ) -> None:
        """Assign the fitted attributes."""
        event = find_event(
            f"{type(self).__name__}.fit", self.positive, target.classes, target.event
        )
        self.partitions_ = {p.name: p._marked(event, int(self.woe_sign)) for p in partitions}
        self.levels_ = np.array([partition.level for partition in partitions])
        self.classes_ = target.classes
        self._library = library

    def transform(self, X):
        """Replace each value by what its part stands for.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            A table with the columns that were fitted.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            Integer codes by default; see ``output``: "sparse" gives an array of SciPy. A lazy table
            gives a lazy frame of its engine, in which columns that were not fitted stay as they
            are, in front.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.transform"
        check_choice(type(self).__name__, "output", self.output, OUTPUTS)
        if is_lazy(X):
            partitions = list(self.partitions_.values())
            return transform_lazy(who, read_source(who, X), partitions, self._kept(), self.output)
        table = read_fitted_columns(self, who, X)
        partitions = list(self.partitions_.values())
        if self.output == "sparse":
            return self._fill_bits(who, table)

        def transform_one(index: int, _: Cancel) -> NDArray[Any]:
            codes = partitions[index]._assign_from(who, table, index)
            return values_at(partitions[index], self.output, codes)

        return self._fill(table.n_rows, transform_one)

    def fit_transform(self, X, y=None, *, target=None, sample_weight=None):
        """Partition every column, and replace each value by what its part stands for.

        Without ``cross_fit`` this equals ``fit`` followed by ``transform``. With it, the parts and
        their rates are learned again without each fold and applied to its rows: no row sees its
        own class. The folds are those of scikit-learn's
        ``StratifiedKFold(cross_fit, shuffle=True, random_state=0)``, and so depend on the order of
        the rows.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The table.
        y : array-like of shape (n_rows,), default=None
            The class of each row.
        target : str, default=None
            Name of the column of X that holds the class, instead of y.
        sample_weight : array-like of shape (n_rows,), default=None
            Frequency of each row.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            As of ``transform``.
        """
        name = type(self).__name__
        who = f"{name}.fit_transform"
        if self.cross_fit is not None:
            check_in_memory(f"{who} with cross_fit={self.cross_fit!r}", X)
        self.fit(X, y, target=target, sample_weight=sample_weight)
        if not is_lazy(X):
            X, y = take_target(who, X, y, target)
        if self.cross_fit is None:
            return self.transform(X)
        settings = self._check(name)
        _, table, rows = self._open(who, X, y, None, sample_weight, settings)
        return self._transform_out_of_fold(who, table, rows, settings, int(self.cross_fit))

    def _transform_out_of_fold(
        self, who: str, table: Table, rows: TargetRows, settings: Any, n_folds: int
    ) -> NDArray[Any]:
        """Transform each row by the parts that are found without its fold."""
        folds = deal_folds(who, rows, n_folds)
        whole = list(self.partitions_.values())

        def transform_one(index: int, cancel: Cancel) -> NDArray[Any]:
            column = self._read(who, table, index, settings)
            # Rows of zero weight were never learned: all others may encode them.
            out = values_at(whole[index], self.output, whole[index]._assign_from(who, table, index))
            for fold in range(n_folds):
                is_out = folds == fold
                others = rows.without(is_out)
                found = self._find(who, column, others, settings, cancel, table.library)
                found = found._marked(whole[index].event, whole[index].woe_sign)
                codes = found._assign_from(who, table, index)
                out[is_out] = values_at(found, self.output, codes[is_out])
            return out

        return self._fill(table.n_rows, transform_one)

    def _fill(
        self, n_rows: int, transform_one: Callable[[int, Cancel], NDArray[Any]]
    ) -> NDArray[Any]:
        """Put the outputs of the kept columns beside each other."""
        kept = [i for i, is_kept in enumerate(self._kept()) if is_kept]
        partitions = list(self.partitions_.values())
        widths = [len(output_names(partitions[i], "", self.output)) for i in kept]
        ends = np.cumsum([0, *widths])
        out = np.empty((n_rows, ends[-1]), dtype=output_dtype(self.output), order="F")

        def fill_one(place: int, cancel: Cancel) -> None:
            out[:, ends[place] : ends[place + 1]] = transform_one(kept[place], cancel)

        run_all(fill_one, range(len(kept)), check_jobs(type(self).__name__, self.n_jobs))
        return out

    def _fill_bits(self, who: str, table: Table) -> Any:
        """Put the bits of the kept columns beside each other, sparse."""
        kept = [i for i, is_kept in enumerate(self._kept()) if is_kept]
        partitions = list(self.partitions_.values())
        places = [bit_places(partitions[i]) for i in kept]
        starts = np.cumsum([0, *(found.max() + 1 for found in places)])
        size = max(table.n_rows * len(kept), int(starts[-1]))
        dtype = np.int32 if size <= np.iinfo(np.int32).max else np.int64
        columns = np.empty((table.n_rows, len(kept)), dtype=dtype)

        def fill_one(k: int, _: Cancel) -> None:
            shifted = np.where(places[k] < 0, -1, places[k] + starts[k]).astype(dtype)
            columns[:, k] = shifted[partitions[kept[k]]._assign_from(who, table, kept[k])]

        run_all(fill_one, range(len(kept)), check_jobs(type(self).__name__, self.n_jobs))
        return sparse_bits(columns, int(starts[-1]))

    def get_feature_names_out(self, input_features=None) -> NDArray[Any]:
        """Names of the columns that ``transform`` gives.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the fitted columns; must be those of ``feature_names_in_`` where that exists.

        Returns
        -------
        ndarray of str
            The column's own name for codes, labels and evidence of two classes; with the part or
            the class behind it for the others.
        """
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        found: list[str] = []
        for name, partition, is_kept in zip(
            names, self.partitions_.values(), self._kept(), strict=True
        ):
            if is_kept:
                found.extend(output_names(partition, name, self.output))
        return np.array(found, dtype=object)

    def _fitted_to_plain(self) -> dict[str, Any]:
        columns = [partition.to_dict() for partition in self.partitions_.values()]
        return {"columns": columns}

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        self.partitions_ = read_partitions(data["columns"])
        self.levels_ = np.array([p.level for p in self.partitions_.values()])
        self.classes_ = next(iter(self.partitions_.values())).classes

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
