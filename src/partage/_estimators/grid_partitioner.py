"""``GridPartitioner``: the cells of pairs of columns as features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from partage._data.table import Table
from partage._estimators.columns import read_fitted_columns
from partage._estimators.grids import check_grid, column_place
from partage._estimators.joint import JointTable, open_joint
from partage._estimators.pairs import pair_places
from partage._estimators.public import public
from partage._estimators.scikit import BaseEstimator, TransformerMixin
from partage._partitions.find_grid import GridSettings, find_grid
from partage._partitions.grid import Grid
from partage._partitions.pairs import rank_pairs, worth_naming
from partage._saving.grids import read_grid
from partage._saving.partitions import read_partition
from partage._saving.plain import classes_to_plain, read_classes
from partage._saving.savable import Savable
from partage._search.grids import GRID_METHODS
from partage._support.checks import check_choice, check_jobs, check_whole, refuse
from partage._support.frames import make_frame
from partage._support.parallel import Cancel, run_all
from partage._targets.read import target_name
from partage.engines import is_lazy, read_source
from partage.engines.transform import transform_grids

__all__ = ["GridPartitioner"]

OUTPUTS = ("code", "onehot", "rate", "woe", "label")


@public
@dataclass(kw_only=True, eq=False, repr=False)
class GridPartitioner(TransformerMixin, Savable, BaseEstimator):
    """Turn pairs of columns that say more together than apart into features.

    A scikit-learn transformer. Each pair becomes one grid, as by ``partage.grid``, and its cell
    stands for both columns. Where no pair is worth naming, ``transform`` gives no columns: pass its
    output beside that of ``TablePartitioner``, in a ``FeatureUnion``.

    Parameters
    ----------
    pairs : "auto" or list of pairs of str, default="auto"
        Pairs of columns; by default those whose grids save more, beyond both columns alone, than
        naming the pairs among all takes.
    max_pairs : int, default=10
        Most pairs that ``"auto"`` takes.
    method : str, default="modl"
        How grids are judged; see ``grid``.
    output : {"code", "onehot", "rate", "woe", "label"}, default="code"
        What ``transform`` gives: codes of the cells; one column of bits per cell with rows;
        class shares; weight of evidence; readable cells.
    missing : {"separate", "merge", "error"}, default="separate"
        Missing values are a part of their axis, join the part where they cost least, or raise.

    Attributes
    ----------
    grids_ : dict of tuple of str to Grid
        The grid of each pair of columns.
    classes_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import partage as pt
    >>> X, y = pt.datasets.make_xor(300, seed=0)
    >>> enc = pt.GridPartitioner().fit(X, y)
    >>> enc.get_feature_names_out().tolist()
    ['x0 x x1']
    """

    pairs: Any = "auto"
    max_pairs: int = 10
    method: str = "modl"
    output: str = "code"
    missing: str = "separate"
    special_values: Any = None
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None) -> Self:
        """Find the grids.

        Returns
        -------
        self
            The fitted estimator.
        """
        who = f"{type(self).__name__}.fit"
        self._check()
        named = target_name(y, target)
        name = type(self).__name__
        plan = check_grid(name, self.missing, self.special_values, merges=True)
        if y is None and target is None:
            raise ValueError(
                f"{who}: y must be given; got None. It requires y to be passed, but the target y "
                "is None."
            )
        table = open_joint(who, plan, X, y, target, sample_weight)
        validate_data(self, table.shown, reset=True, skip_check_array=True)
        grids = self._find(who, table)
        self.grids_ = {grid.names: grid for grid in grids}
        self.classes_ = table.classes
        self._names = list(table.names)
        self._library = table.library
        self._target_name = named
        return self

    def _check(self) -> None:
        """Check the parameters."""
        who = type(self).__name__
        check_choice(who, "method", self.method, GRID_METHODS)
        check_choice(who, "output", self.output, OUTPUTS)
        check_whole(who, "max_pairs", self.max_pairs)
        if not isinstance(self.pairs, (list, tuple)) and self.pairs != "auto":
            refuse(who, "pairs", "'auto' or a list of pairs of columns", self.pairs)

    def _find(self, who: str, table: JointTable) -> list[Grid]:
        """Choose the pairs, and find their grids."""
        n_jobs = check_jobs(type(self).__name__, self.n_jobs)
        is_auto = isinstance(self.pairs, str)
        if is_auto and len(table.names) < 2:
            return []
        wanted = pair_places(who, table.names, None, "all" if is_auto else self.pairs)
        used, places = np.unique(wanted, return_inverse=True)
        joint = table.fit(used.tolist(), n_jobs)
        places = places.reshape(wanted.shape)
        has_values = np.array([p.n_values > 0 for p in joint.own])
        places = places[has_values[places].all(axis=1)]
        if is_auto and len(places):
            found = rank_pairs(joint, places, self.method, n_jobs=n_jobs)
            places = found.pairs[worth_naming(found, len(places))[: self.max_pairs]]
        settings = GridSettings(self.method, n_columns=len(joint.own))

        def solve(pair: NDArray[np.int64], _: Cancel) -> Grid:
            return find_grid(who, joint, pair.tolist(), settings).without_rows()

        # A local engine uses every core for one query.
        return run_all(solve, list(places), n_jobs if joint.is_in_memory else 1)

    def transform(self, X: Any) -> Any:
        """Give the cells of each row, or what they stand for.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns), lazy frame, path or source
            A table with the columns that were fitted.

        Returns
        -------
        array of shape (n_rows, n_output_columns) or lazy frame
            See ``output``. A lazy table gives a lazy frame of its engine, in which columns that
            were not fitted stay as they are, in front; a missing value gives NULL under
            ``missing="error"``.
        """
        check_is_fitted(self)
        who = f"{type(self).__name__}.transform"
        if is_lazy(X):
            return transform_grids(who, read_source(who, X), self._features(), self._names)
        table = read_fitted_columns(self, who, X)
        blocks = [self._block(grid, self._codes(who, table, grid)) for grid in self.grids_.values()]
        if not blocks:
            return np.empty((table.n_rows, 0))
        return np.hstack(blocks)

    def _codes(self, who: str, table: Table, grid: Grid) -> NDArray[np.int64]:
        """Codes of the rows of a table in a grid."""
        places = [column_place(who, "X", table.names, name) for name in grid.names]
        pairs = zip(grid.rule.rules, places, strict=True)
        columns = [rule.read_from(who, table, place) for rule, place in pairs]
        return grid.rule.assign(who, columns)

    def _block(self, grid: Grid, codes: NDArray[np.int64]) -> NDArray[Any]:
        """Give the output of one grid."""
        if self.output == "code":
            return codes[:, None]
        if self.output == "onehot":
            held = np.flatnonzero(grid.tally.rows)
            return np.asarray((codes[:, None] == held).astype(np.float64))
        return np.asarray(self._outputs(grid)[codes])

    def _outputs(self, grid: Grid) -> NDArray[Any]:
        """Give what each code of a grid stands for."""
        if self.output == "label":
            return np.array(grid.rule.labels(), dtype=object)[:, None]
        if self.output == "onehot":
            return self._block(grid, np.arange(grid.rule.n_parts))
        if self.output == "rate":
            rates = grid.code_rates()
            return rates[:, [grid.event]] if len(self.classes_) == 2 else rates
        labels = [grid.event] if len(self.classes_) == 2 else range(len(self.classes_))
        return np.column_stack([grid.code_woe(label) for label in labels])

    def _features(self) -> list[tuple[Grid, NDArray[Any] | None, list[str]]]:
        """Grids, what their codes give, and the names of that."""
        return [
            (grid, None if self.output == "code" else self._outputs(grid), self._names_of(grid))
            for grid in self.grids_.values()
        ]

    def to_sql(self, dialect: str = "duckdb", table: Any = "t", keep: Any = ()) -> str:
        """Write ``transform`` as one SELECT.

        Returns
        -------
        str
            A SELECT whose columns are those of ``get_feature_names_out``, with the values of
            ``transform``; a missing value gives NULL under ``missing="error"``.
        """
        from partage._export.grids import select_grids

        check_is_fitted(self)
        who = f"{type(self).__name__}.to_sql"
        self._check_some(who)
        return select_grids(who, self._features(), dialect, table, keep)

    def to_python(self) -> str:
        """Write ``transform`` as the source of a Python module without partage.

        Returns
        -------
        str
            A module whose ``transform(row: dict) -> dict`` gives the features by name.
        """
        from partage._export.grids import grids_source

        check_is_fitted(self)
        who = f"{type(self).__name__}.to_python"
        self._check_some(who)
        return grids_source(who, self._features())

    def _check_some(self, who: str) -> None:
        """Refuse to write nothing."""
        if not self.grids_:
            raise ValueError(f"{who}: no pair was worth naming, so that there is nothing to write.")

    def _fitted_to_plain(self) -> dict[str, Any]:
        return {
            **classes_to_plain(self.classes_),
            "columns": [{"name": name} for name in self._names],
            "grids": [grid.to_dict() for grid in self.grids_.values()],
        }

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        names = [column["name"] for column in data["columns"]]
        classes = read_classes(data)
        grids = [read_grid(plain, read_partition) for plain in data["grids"]]
        for grid in grids:
            if not set(grid.names) <= set(names):
                raise ValueError("grids must be of pairs of the columns")
            if not np.array_equal(grid.classes, classes):
                raise ValueError("grids must have the classes of the model")
        self.grids_ = {grid.names: grid for grid in grids}
        self.classes_ = classes
        self._names = names

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Names of the columns that ``transform`` gives.

        Returns
        -------
        ndarray of str
            The names of both columns, with the cell or the class behind them for bits and shares.
        """
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        names = [name for grid in self.grids_.values() for name in self._names_of(grid)]
        return np.array(names, dtype=object)

    def _names_of(self, grid: Grid) -> list[str]:
        """Names of the columns that one grid gives."""
        if self.output == "onehot":
            labels = grid.rule.labels()
            return [f"{grid.name}_{labels[k]}" for k in np.flatnonzero(grid.tally.rows)]
        if self.output in ("rate", "woe") and len(self.classes_) > 2:
            return [f"{grid.name}_{label}" for label in self.classes_.tolist()]
        return [grid.name]

    def summary(self) -> Any:
        """One row per pair, in the order of the features, as a data frame.

        Returns
        -------
        DataFrame
            ``column1``, ``column2``, ``level``, ``synergy``, ``parts1``, ``parts2``, ``cells``.
        """
        check_is_fitted(self)
        grids = list(self.grids_.values())
        return make_frame(
            {
                "column1": [grid.names[0] for grid in grids],
                "column2": [grid.names[1] for grid in grids],
                "level": [grid.level for grid in grids],
                "synergy": [grid.synergy for grid in grids],
                "parts1": [grid.n_parts[0] for grid in grids],
                "parts2": [grid.n_parts[1] for grid in grids],
                "cells": [grid.n_cells for grid in grids],
            },
            self._library,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
