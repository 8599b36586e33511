"""``Contingency``: what each value of a column holds of the target, all that a method needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from partage._data.categories import CategoryColumn, as_kind
from partage._data.column import NumberColumn
from partage._data.lazy import is_lazy
from partage._data.table import Table, read_measured, read_table
from partage._partitions.find import fit_column
from partage._partitions.groups import Groups
from partage._partitions.intervals import Intervals
from partage._search.settings import check_group_settings, check_settings
from partage._spaces.count import count_entries, gaps_alike, join_entries
from partage._spaces.make import space_of
from partage._spaces.space import Space
from partage._support.checks import COUNTED_TYPES, KINDS, MEASURED, check_choice
from partage._targets.join import join_rows
from partage._targets.read import read_target
from partage._targets.target import TargetRows


@dataclass(frozen=True, eq=False, repr=False)
class Contingency:
    """Class counts of each value of a column: rows and weight; or its numbers, counted.

    Contingencies of pieces of a table add up to that of the table, so that data may be counted in
    pieces, over days or on many machines, and partitioned at the end as if they were one table.

    Attributes
    ----------
    column : NumberColumn or CategoryColumn
        The values, one entry for each value and class, or number, that occur together.
    target : TargetRows
        Class or number, weight and number of rows of each entry.
    target_name : str
        Name of the target.
    library : str
        Library that tables of results are made in.

    Examples
    --------
    >>> import pandas as pd
    >>> import partage as pt
    >>> monday = pd.DataFrame({"age": [20, 30, 30, 70], "class": ["a", "a", "a", "b"]})
    >>> tuesday = pd.DataFrame({"age": [30, 70, 70, None], "class": ["a", "b", "b", "b"]})
    >>> counts = pt.Contingency.of(monday, "age", "class")
    >>> counts += pt.Contingency.of(tuesday, "age", "class")
    >>> counts
    Contingency('age' by 'class': 3 values, 2 classes, 8 rows)
    >>> counts.values, counts.counts.tolist(), counts.missing_counts.tolist()
    (array([20., 30., 70.]), [[1.0, 0.0], [3.0, 0.0], [0.0, 3.0]], [0.0, 1.0])
    >>> counts.discretize(n_parts=2).cuts
    array([50.])
    """

    column: NumberColumn | CategoryColumn
    target: TargetRows
    target_name: str = "y"
    library: str = "pandas"

    @classmethod
    def of(
        cls,
        data: Any,
        column: str,
        target: str,
        *,
        sample_weight: str | None = None,
        kind: str | None = None,
        target_type: str = "auto",
    ) -> Contingency:
        """Count the classes, or the numbers, of each value of a column.

        Parameters
        ----------
        data : data frame, lazy frame, path or source
            A table of any library, in memory or lazy; or files for DuckDB; see
            ``partage.engines.scan``.
        column : str
            Name of the column.
        target : str
            Name of the column that holds the class, or the number.
        sample_weight : str, default=None
            Name of the column that holds the frequency of each row.
        kind : {"numeric", "categorical", "ordered", "datetime"}, default=None
            How the column is read; by default by its dtype.
        target_type : {"auto", "class", "number"}, default="auto"
            What the target is: classes, or a number; by default floats that are not all whole are
            a number. Pieces that are to be added must have the same.

        Returns
        -------
        Contingency
            The counts.
        """
        who = "Contingency.of"
        if kind is not None:
            check_choice(who, "kind", kind, KINDS)
        check_choice(who, "target_type", target_type, COUNTED_TYPES)
        if is_lazy(data):
            return _count_lazy(who, data, column, target, sample_weight, kind, target_type)
        table = read_table(who, data)
        wanted = [column, target, *([] if sample_weight is None else [sample_weight])]
        for name in wanted:
            _check_name(who, table, name)
        labels, weights = (
            None if name is None else table.series(table.names.index(name)).to_native()
            for name in (target, sample_weight)
        )
        rows = read_target(who, labels, weights, target_type=target_type)
        index = table.names.index(column)
        kind = kind or table.kind(index)
        if kind in MEASURED:
            return count(read_measured(who, table, index, kind), rows, target, table.library)
        values = table.categories(who, index)
        return count(as_kind(who, values, kind), rows, target, table.library)

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.column.name

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, in order."""
        return self.target.classes

    @property
    def n_rows(self) -> int:
        """Number of rows that were counted."""
        return int(self._rows.sum())

    @property
    def total_weight(self) -> float:
        """Sum of the weights; the number of rows where none were given."""
        return float(self._weights.sum())

    @cached_property
    def space(self) -> Space:
        """The distinct values, and what each holds; missing ones are set aside."""
        return space_of(self.column, self.target)

    @property
    def n_values(self) -> int:
        """Number of distinct values, missing ones apart."""
        return self.space.n_units

    @property
    def values(self) -> NDArray[Any]:
        """Distinct values, in order, missing ones apart."""
        if isinstance(self.column, NumberColumn):
            return self.column.kind.show(self.space.keys)
        out = np.empty(len(self.column.values), dtype=object)
        out[:] = self.column.values
        return out

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of each class at each value, of shape (n_values, n_classes).

        Of a number, the weight of each of the cells that its ranks are counted in.
        """
        return self.space.counts()

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean of the target at each value, of a target that is a number."""
        self.target.target.check_output("mean", "Contingency.means")
        return self.target.target.key(self.space.sums_of(np.arange(self.n_values + 1)))

    @property
    def missing_counts(self) -> NDArray[np.float64]:
        """Weight of each class among the missing values."""
        assert self.space.aside is not None
        return np.asarray(self.space.aside.class_counts[0])

    @property
    def _rows(self) -> NDArray[np.int64]:
        assert self.target.rows is not None
        return self.target.rows

    @property
    def _weights(self) -> NDArray[np.float64]:
        assert self.target.weights is not None
        return self.target.weights

    def __add__(self, other: Any) -> Contingency:
        if other == 0:  # sum() starts there
            return self
        if not isinstance(other, Contingency):
            return NotImplemented
        return add_counts([self, other])

    __radd__ = __add__

    def discretize(self, **options: Any) -> Intervals:
        """Cut the values into intervals; the options are those of ``partage.discretize``.

        Parameters
        ----------
        **options
            ``method``, ``search``, ``n_parts``, ``max_parts``, ``min_part_size``, ``missing``, ...

        Returns
        -------
        Intervals
            The partition that ``partage.discretize`` finds on the rows.
        """
        who = "Contingency.discretize"
        if not isinstance(self.column, NumberColumn):
            raise TypeError(
                f"{who}: the values must be numbers; column {self.name!r} was counted as "
                "categories. Use group, or count it with kind='numeric'."
            )
        settings = check_settings(who, **options)
        found = fit_column(who, self.column, self.target, settings, library=self.library)
        return cast("Intervals", found)

    def group(self, **options: Any) -> Groups:
        """Group the values; the options are those of ``partage.group``.

        Parameters
        ----------
        **options
            ``method``, ``n_parts``, ``max_parts``, ``min_part_size``, ``missing``, ...

        Returns
        -------
        Groups
            The partition that ``partage.group`` finds on the rows.
        """
        who = "Contingency.group"
        if not isinstance(self.column, CategoryColumn):
            raise TypeError(
                f"{who}: the values must be categories; column {self.name!r} was counted as "
                "numbers. Use discretize, or count it with kind='categorical'."
            )
        settings = check_group_settings(who, **options)
        found = fit_column(who, self.column, self.target, settings, library=self.library)
        return cast("Groups", found)

    def save(self, path: Any) -> None:
        """Write the counts to a file; ``Contingency.load`` reads them back.

        Parameters
        ----------
        path : str or Path
            The file; NumPy's ``npz`` format, without Python objects.
        """
        from partage._saving.contingency import write_counts

        write_counts(self, path)

    @classmethod
    def load(cls, path: Any) -> Contingency:
        """Read counts that ``save`` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        Contingency
            The counts.
        """
        from partage._saving.contingency import read_counts

        return cls(*read_counts("Contingency.load", path))

    def __repr__(self) -> str:
        what = f"{len(self.classes)} classes" if len(self.classes) else "a number"
        return (
            f"Contingency({self.name!r} by {self.target_name!r}: {self.n_values} values, "
            f"{what}, {self.n_rows} rows)"
        )


def _count_lazy(
    who: str,
    data: Any,
    column: str,
    target: str,
    sample_weight: str | None,
    kind: str | None,
    target_type: str,
) -> Contingency:
    """Count a column of a source, by a query of its engine."""
    from partage.engines.counting import count_column
    from partage.engines.lazy_target import column_named, read_lazy_target
    from partage.engines.source import LazyColumns, read_source

    source = read_source(who, data)
    index = int(column_named(who, source, "column", column)[1:])
    read = read_lazy_target(who, source, target, sample_weight, target_type)
    if kind == "datetime":
        LazyColumns(source, [index]).check_times(who, 0)
        kind = "numeric"
    return count_column(who, source, index, read, kind or source.kind(index))


def _check_name(who: str, table: Table, name: str) -> None:
    """Refuse a name that is not a column."""
    if name not in table.names:
        raise ValueError(
            f"{who}: data must have the column {name!r}; it has "
            f"{', '.join(map(repr, table.names))}."
        )


def count(
    column: NumberColumn | CategoryColumn, target: TargetRows, target_name: str, library: str
) -> Contingency:
    """Count a column that was read."""
    return Contingency(*count_entries(column, target), target_name, library)


def add_counts(pieces: Sequence[Contingency]) -> Contingency:
    """Contingency of all pieces together."""
    who = "Contingency"
    first = pieces[0]
    columns = gaps_alike([piece.column for piece in pieces])
    for other, column in zip(pieces[1:], columns[1:], strict=True):
        for what, one, two in (
            ("column", first.name, other.name),
            ("target", first.target_name, other.target_name),
        ):
            if one != two:
                raise ValueError(
                    f"{who}: counts must be of one {what} to be added; got {one!r} and {two!r}."
                )
        if type(columns[0]) is not type(column):
            raise TypeError(
                f"{who}: counts of column {first.name!r} must be of one kind to be added; got "
                "numbers and categories. Count both with the same kind."
            )
    target = join_rows(who, [piece.target for piece in pieces])
    return count(join_entries(who, columns), target, first.target_name, first.library)
