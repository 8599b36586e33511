"""``Grid``: the cells of several columns that are divided together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from partage._data.lazy import is_lazy
from partage._partitions.grid_counts import GridCounts
from partage._partitions.partition import Partition
from partage._search.grids import GridRows
from partage._support.checks import listed
from partage._support.portable import exact_sum

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from partage._partitions.explain import Explanation


@dataclass(frozen=True, eq=False, repr=False)
class Grid(GridCounts):
    """Cells of two columns or more, as found by ``partage.grid`` and ``partage.cocluster``.

    The parts of each column, its axis, are intervals or groups, and a cell holds the rows of one
    part on each axis. Codes of rows go through the cells row by row: with two axes, code
    ``k1 * n2 + k2``, where n2 counts the codes of the second axis (its parts, missing, unseen and
    special values).

    Attributes
    ----------
    axes : tuple of Intervals or Groups
        The parts of each column, with their own counts, ``cuts`` or ``groups``, and ``assign``.
    has_target : bool
        Whether the cells are judged by classes; else by how the columns depend on each other.
    column_gains : tuple of float
        Nats that the best partition of each column alone saves; 0 without a target.
    granularity : int
        Granularity of the quantiles that ``method="khiops11"`` chose; 0 for others.
    n_columns : int
        Columns among which ``method="khiops11"`` chose these.

    Examples
    --------
    >>> import partage as pt
    >>> a = [0, 0, 1, 1] * 30
    >>> b = [0, 1, 0, 1] * 30
    >>> g = pt.grid(a, b, ["no", "yes", "yes", "no"] * 30)
    >>> g.n_parts, g.n_cells
    ((2, 2), 4)
    >>> g.assign([0, 1], [1, 1])
    array([1, 5])
    """

    column_gains: tuple[float, ...] = ()
    granularity: int = 0
    n_columns: int = 2
    entries: GridRows | None = None  # what was counted, for edits

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(axis.name for axis in self.axes)

    @property
    def gain(self) -> float:
        """Nats that the grid saves against one cell; not below 0."""
        return max(self.null_cost - self.cost, 0.0)

    @property
    def synergy(self) -> float:
        """Nats that the columns save together beyond the sum of what each saves alone.

        Above 0 they tell more together than apart; below 0 they repeat each other, or the grid
        spends more on its cells than they are worth.
        """
        return self.gain - exact_sum(self.column_gains)

    @property
    def delta_level(self) -> float:
        """Level of the grid minus the levels of its columns, all over the cost of one cell."""
        return self.synergy / self.null_cost if self.null_cost > 0 else 0.0

    @property
    def violations(self) -> tuple[str, ...]:
        """Names of the limits that the parts break."""
        broken = []
        for name, given in self.constraints.items():
            if name == "max_parts":
                holds = all(n <= most for n, most in zip(self.n_parts, given, strict=True) if most)
            elif name == "min_cell_size":
                cells = self._weights()[tuple(slice(n) for n in self.n_parts)]
                holds = not ((cells > 0) & (cells < given)).any()
            else:
                holds = all(axis.rule.has_borders(given.get(axis.name, ())) for axis in self.axes)
            if not holds:
                broken.append(name)
        return tuple(broken)

    def labels(self) -> list[str]:
        """Readable name of each cell of the parts, row by row."""
        n_codes, names = self.rule.n_codes, self.rule.labels()
        inner = np.arange(len(names)).reshape(n_codes)[tuple(slice(n) for n in self.n_parts)]
        return [names[code] for code in inner.ravel().tolist()]

    def assign(self, *x: Any) -> Any:
        """Code of the cell of each row.

        Parameters
        ----------
        *x : array-like
            One column for each axis, in their order; or one table, in memory or lazy, that has them
            by name.

        Returns
        -------
        ndarray of int64 or lazy frame
            One code for each row; codes of missing, special and unseen values as on the axes. A
            lazy table gives a lazy frame of its engine, with the code behind its columns.
        """
        who = "Grid.assign"
        if len(x) == 1 and is_lazy(x[0]):
            from partage.engines.source import read_source
            from partage.engines.transform import transform_grids

            return transform_grids(who, read_source(who, x[0]), [(self, None, [self.name])], ())
        return self.rule.assign(who, self._read_columns(who, x[0] if len(x) == 1 else x))

    def _read_columns(self, who: str, given: Any) -> list[Any]:
        """Read one column for each axis, or a table that has them by name."""
        frame = nw.from_native(given, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            gone = [name for name in self.names if name not in frame.columns]
            if gone:
                raise ValueError(
                    f"{who}: the table must have a column for each axis, by name; {gone[0]!r} is "
                    "not there."
                )
            given = [frame.get_column(name).to_native() for name in self.names]
        if not isinstance(given, (list, tuple)) or len(given) != len(self.axes):
            n_given = len(given) if isinstance(given, (list, tuple)) else 1
            raise ValueError(
                f"{who}: one column must be given for each of {listed(list(self.names))}; got "
                f"{n_given}."
            )
        return self.rule.read(who, given)

    def _table(self, x: Any, y: Any, sample_weight: Any, certainty: bool) -> Any:
        from partage._display.grids import grid_table

        if certainty:
            self._check_columns("certainty")
        return grid_table(self, x, y, sample_weight)

    def plot(  # type: ignore[override]  # a grid has cells, no bars
        self, ax: Axes | None = None, *, widths: str = "parts"
    ) -> Axes:
        """Draw the cells of two axes as a heat map with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        widths : {"parts", "rows", "values"}, default="parts"
            Width of the parts: all alike, by their rows, or by their values on axes of numbers.

        Returns
        -------
        Axes
            The axes drawn on. Colours show the share of the event, with more than two classes that
            of the most frequent class of the cell; without a target how many times as many rows a
            cell holds as independent columns would give it.
        """
        from partage._display.grids import plot_cells

        return plot_cells(self, ax, widths)

    def explain(self) -> Explanation:
        """Say what the columns tell together, and what each merge would cost.

        Returns
        -------
        Explanation
            Text for people; ``facts`` holds the numbers.
        """
        from partage._partitions.grid_edits import explain_grid

        return explain_grid(self)

    def merge(self, *parts: int | str, reason: str = "", who: str = "") -> Grid:
        """Merge parts of one axis.

        Parameters
        ----------
        *parts : int or str
            The axis, by number or by the name of its column, then the numbers of the parts:
            neighbours on an ordered axis.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Grid
            A new grid; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import Note
        from partage._partitions.grid_edits import merge_parts

        return merge_parts(self, parts, Note.now("Grid.merge", reason, who))

    def set_axis(
        self, axis: int | str, partition: Partition, *, reason: str = "", who: str = ""
    ) -> Grid:
        """Divide one axis as another partition of the same column does.

        Parameters
        ----------
        axis : int or str
            The axis, by number or by the name of its column.
        partition : Intervals or Groups
            The parts.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Grid
            A new grid; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import Note
        from partage._partitions.grid_edits import set_axis

        return set_axis(self, axis, partition, Note.now("Grid.set_axis", reason, who))

    def hierarchy(self) -> Any:
        """Merge the parts down to one cell, the cheapest merge first.

        Returns
        -------
        DataFrame
            One row per merge: ``axis``, ``part1`` and ``part2`` that join, the number of ``parts``
            left on all axes, ``cost`` and ``information``, the share of what the grid saves that
            is left.
        """
        from partage._partitions.hierarchy import hierarchy_table

        return hierarchy_table(self)

    def simplify(self, information: float | None = None, *, max_parts: int | None = None) -> Grid:
        """Merge parts in the order of ``hierarchy``, for a grid that is easier to read.

        Parameters
        ----------
        information : float, default=None
            Share of what the grid saves that must be left, from 0 to 1.
        max_parts : int, default=None
            Most parts of any axis, instead.

        Returns
        -------
        Grid
            A new grid; its ``history`` holds the price in bits.
        """
        from partage._partitions.hierarchy import simplify_grid

        return simplify_grid(self, information, max_parts)

    def interest(self, axis: int | str) -> Any:
        """Rank the parts of an axis by how much they differ from the others.

        Parameters
        ----------
        axis : int or str
            The axis, by number or by the name of its column.

        Returns
        -------
        DataFrame
            One row per part: ``part``, ``count`` and ``interest``, the mean rise of the cost if it
            merged with another, as a share of the greatest.
        """
        from partage._partitions.hierarchy import interest_table

        return interest_table(self, axis)

    def typicality(self, axis: int | str) -> Any:
        """Rank the values of an axis of categories by how typical they are of their group.

        Parameters
        ----------
        axis : int or str
            The axis, by number or by the name of its column.

        Returns
        -------
        DataFrame
            One row per value: ``value``, its ``part``, its ``weight`` and ``typicality``, the mean
            rise of the cost if it moved to another group, as a share of the greatest of its group.
        """
        from partage._partitions.hierarchy import typicality_table

        return typicality_table(self, axis)

    def to_sql(self, dialect: str = "duckdb", column: Any = None) -> str:
        """Write the code of a row as one expression of SQL over the columns.

        Parameters
        ----------
        dialect : str, default="duckdb"
            Whose SQL to write: duckdb, postgres, sqlite, bigquery, snowflake or spark.
        column : sequence of str, default=None
            Names of the columns in SQL; by default those they were fitted with.

        Returns
        -------
        str
            An expression equal to ``assign``; NULL for missing values under ``missing="error"``.
        """
        from partage._export.sql import grid_to_sql

        return grid_to_sql(self, dialect, column)

    def to_python(self) -> str:
        """Write the rules as the source of a Python module without partage.

        Returns
        -------
        str
            A module whose ``transform(row: dict) -> dict`` gives the code under the name of the
            grid.
        """
        from partage._export.python_source import grid_source

        return grid_source("Grid.to_python", self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; ``partage.from_dict`` reads it back."""
        from partage._saving.grids import grid_to_dict

        return grid_to_dict(self)

    def _repr_html_(self) -> str:
        from partage._display.grids import grid_html

        return grid_html(self)

    def __hash__(self) -> int:
        return hash((self.name, self.method, self.n_parts, self.cost))

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.n_parts))
        about = f", synergy {self.synergy:+.1f} nats" if self.has_target else ""
        price = exact_sum(edit.price for edit in self.history)
        edited = f", edited for {price:+.2f} bits" if self.history else ""
        return f"Grid({self.name!r}: {shape} parts, level {self.level:.4f}{about}{edited})"

    def without_rows(self) -> Grid:
        """Forget the rows, which edits need: a smaller grid to keep."""
        return replace(self, entries=None)


__all__ = ["Grid"]
