"""What every partition can be asked: tables, pictures, other data, edits, rules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from partage._partitions.editable import EditableParts
from partage._support.checks import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from partage._data.categories import CategoryColumn
    from partage._data.column import NumberColumn
    from partage._data.table import Table
    from partage._partitions.certainty import Certainty
    from partage._partitions.costs import Price
    from partage._partitions.recount import Recounted
    from partage._partitions.rule import Rule
    from partage._search.aside import Aside
    from partage._search.limits import Limits
    from partage._search.methods import Method
    from partage._search.settings import Settings
    from partage._spaces.space import Space
    from partage._support.frames import Frame
    from partage._targets.target import TargetRows


@dataclass(frozen=True, eq=False, repr=False)
class Partition(EditableParts):
    """A partition of one column, and what may be asked of it."""

    @property
    def _method(self) -> Method:
        """The method that found the partition."""
        raise NotImplementedError

    def _price(self, fitted: Partition) -> Price:
        """Price of the parts; see ``costs.group_price`` for what is fitted."""
        raise NotImplementedError

    def _costs_elsewhere(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        """Cost and cost of one part of other rows under MODL, in nats."""
        raise NotImplementedError

    def _structure(self) -> float:
        """Price of the parts under MODL, in nats, without what they hold."""
        raise NotImplementedError

    def _divisions(self) -> Iterator[tuple[str, float]]:
        """Best ways to divide one part, each an edit and its price in bits."""
        raise NotImplementedError

    def _moves(self) -> Iterator[tuple[str, float]]:
        """Best ways to move one border, each an edit and its price in bits."""
        raise NotImplementedError

    def _settings(self) -> Settings:
        """Give the settings that the parts were found with, without limits."""
        raise NotImplementedError

    def _column_of(self, units: Space) -> NumberColumn | CategoryColumn:
        """Make a column of units, of a row each."""
        raise NotImplementedError

    def _as_locked(self, locked: Sequence[Any]) -> tuple[dict[str, Any], NDArray[np.int64]]:
        """Say what a search must keep: limits, or the groups that it leaves out."""
        raise NotImplementedError

    def _cut_near(self, position: float, reach: float) -> Any:
        """Give the cut nearest to a place on the axis, or the roundest one within reach of it."""
        raise NotImplementedError

    def _cut_stepped(self, index: int, by: int) -> Any:
        """Give the place of a cut that moves over so many values."""
        raise NotImplementedError

    def _recounted(self, column: Any, target: TargetRows, *, keeps_values: bool) -> Recounted:
        """Count what changes of the parts on other rows; see ``recount.count_column``."""
        raise NotImplementedError

    def _why_uncertain(self) -> str | None:
        """Say what the sums over all partitions would need; None where they can be made."""
        raise NotImplementedError

    def _line_method(self, who: str) -> tuple[str, list[float]]:
        """Criterion whose cost is a code length of partitions of a line, and its parameters."""
        raise NotImplementedError

    def _border_places(self, units: Space) -> NDArray[np.int64]:
        """First unit above each border between parts."""
        raise NotImplementedError

    def _border_values(self) -> list[Any]:
        """Borders between parts as a table shows them."""
        raise NotImplementedError

    def _named_places(
        self,
        who: str,
        units: Space,
        limits: Limits,
    ) -> dict[str, NDArray[np.int64] | None]:
        """First unit above each of the ``user_cuts`` and ``candidate_cuts``."""
        raise NotImplementedError

    def _rule_of_blocks(self, units: Space, starts: NDArray[np.int64]) -> Rule:
        """Rule that has a code for each block of units."""
        raise NotImplementedError

    def _assign_from(self, who: str, table: Table, index: int) -> NDArray[np.int64]:
        """Codes of a column of a table."""
        return self.rule.assign(who, self.rule.read_from(who, table, index))

    def assign(self, x: Any) -> NDArray[np.int64]:
        """Part code of each value: 0 to K-1, then those of values that lie in no part.

        Parameters
        ----------
        x : array-like
            One column: an array, a list, or a series of any library.

        Returns
        -------
        ndarray of int64
            One code for each value; ``missing_code``, ``special_codes`` and, of groups,
            ``unseen_code`` for the others.
        """
        who = f"{type(self).__name__}.assign"
        return self.rule.assign(who, self.rule.read(who, x))

    def table(
        self,
        x: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
        style: str | None = None,
        certainty: bool = False,
    ) -> Frame:
        """One row per part, then missing, unseen and special values and the total.

        Parameters
        ----------
        x : array-like, default=None
            Other data to count in the same parts; by default the training data.
        y : array-like, default=None
            Their target; without it the table shows counts, shares and ``psi`` only.
        sample_weight : array-like, default=None
            Frequency of each row of the other data.
        style : {"html"}, default=None
            Give a table that notebooks show with bars, instead of a data frame.
        certainty : bool, default=False
            Add what ``certainty()`` says of the upper border of each part: ``low`` and ``high``,
            between which a cut lies with a probability of 0.9, and the ``probability`` of a cut
            exactly there.

        Returns
        -------
        DataFrame or StyledTable
            Of the library the data came in; pandas for arrays. Columns: ``part``, ``count``
            (rows), ``weight`` if weights were given, ``share``, for each class its ``count_...``
            and ``rate_...``; for two classes ``event_rate`` (of the second class), ``woe`` and
            ``iv``, for more ``woe_...`` of each against the rest; ``bits``, what the row saves of
            the description of the classes. Other data have ``share_fitted`` and ``psi`` too.
            Missing and special values that were merged stand in the row of their part. Cells have
            counts, rates and ``reading``, what makes the part; other data cannot be counted in
            them, and they have no certainty. ``docs/glossary.md`` defines these words.
        """
        from partage._display.notebook import styled

        frame: Frame = self._table(x, y, sample_weight, certainty)
        return frame if style is None else styled(f"{type(self).__name__}.table", frame, style)

    def _table(self, x: Any, y: Any, sample_weight: Any, certainty: bool) -> Any:
        """Make the frame of ``table``."""
        from partage._display.tables import partition_table

        return partition_table(self, x, y, sample_weight, certainty)

    def recount(self, x: Any, y: Any, *, sample_weight: Any = None) -> Self:
        """Count the same parts on other data.

        Parameters
        ----------
        x, y : array-like
            The data.
        sample_weight : array-like, default=None
            Frequency of each row.

        Returns
        -------
        Intervals or Groups
            The same parts with counts, cost and level of these data, ready to be edited.
        """
        from partage._partitions.recount import recount

        self._check_columns("recount")
        counted: Self = recount(self, x, y, sample_weight)
        return counted

    def psi(self, x: Any) -> float:
        """Compare the shares of the parts in other data with training: stability index.

        Parameters
        ----------
        x : array-like
            The data.

        Returns
        -------
        float
            0 for the same shares of the parts; above 0.25 is usually called a shift.
        """
        from partage._partitions.other_rows import psi

        self._check_columns("psi")
        return psi(self, x)

    def level_on(self, x: Any, y: Any, *, sample_weight: Any = None) -> float:
        """Level of the same parts on other data.

        A level depends on the number of rows: the parts are paid for once, by few rows or by many,
        so that the level of fewer rows is lower even where nothing has changed. Set it beside
        ``expected_level`` of as many rows, not beside ``level``.

        Parameters
        ----------
        x, y : array-like
            The data.
        sample_weight : array-like, default=None
            Frequency of each row.

        Returns
        -------
        float
            0 where these rows do not pay for the parts.
        """
        from partage._partitions.other_rows import count_codes, level_on

        self._check_columns("level_on")
        who = f"{type(self).__name__}.level_on"
        return level_on(self, count_codes(who, self, x, y, sample_weight))

    def expected_level(self, n_rows: float) -> float:
        """Level that the fitted shares would have at another number of rows.

        What ``level_on`` gives for rows like those that were fitted: their class counts are scaled
        to the number of rows, and the cost is recomputed.

        Parameters
        ----------
        n_rows : float
            Number of rows, or their total weight; at least 0.

        Returns
        -------
        float
            What ``level_on`` gives of the fitted rows, at as many; lower at fewer.
        """
        from partage._partitions.other_rows import expected_level

        self._check_columns("expected_level")
        who = f"{type(self).__name__}.expected_level"
        is_number = isinstance(n_rows, (int, float, np.number)) and not isinstance(n_rows, bool)
        if not is_number or not 0 <= n_rows < math.inf:
            refuse(who, "n_rows", "a number of at least 0", n_rows)
        return expected_level(self, float(n_rows))

    def explain(self) -> Any:
        """Say why these parts: what each cut saves, why not one more, what comes next.

        Returns
        -------
        Explanation
            Text for people; ``facts`` holds the numbers.
        """
        from partage._partitions.explain import explain

        self._check_columns("explain")
        return explain(self)

    def certainty(self) -> Certainty:
        """Say how probable these parts are, by sums over all partitions of the column.

        A cost in nats is minus the logarithm of a probability. So all partitions together say how
        many parts there are, where borders lie and what the shares at each value are. The limits
        that the parts were found under hold for all; the trends of ``by`` are those of all rows.
        Parts of ``method="averaged"`` are judged by the partitions of cells at quantiles that their
        shares are means of, whatever the limits.

        Returns
        -------
        Certainty
            ``n_parts``, ``cuts``, ``boundaries``, ``informative``, ``rates(x)`` (of a number
            ``means(x)``) and ``plot()``.
            It is kept with the partition, and saved with it once it was asked for. Up to 2,000
            distinct values (400 with a trend) every border is looked at; beyond, borders away from
            the probable cuts stand for several each, and ``is_exact`` is False.
        """
        self._check_columns("certainty")
        return self._certainty

    @property
    def _known_certainty(self) -> Certainty | None:
        """What ``certainty`` gave; None where nobody asked."""
        return vars(self).get("_certainty")

    def _keep_certainty(self, certainty: Certainty) -> None:
        """Keep what was read from a file."""
        vars(self)["_certainty"] = certainty

    @cached_property
    def _certainty(self) -> Certainty:
        """What ``certainty`` gives, once it was asked for."""
        from partage._partitions.certain import find_certainty

        return find_certainty(self)

    def plot(self, ax: Axes | None = None, *, measure: str = "shares") -> Axes:
        """Draw the parts and their sizes with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        measure : {"shares", "rate", "woe"}, default="shares"
            The shares of all classes, the rate of the event with its 95 % interval, or its weight
            of evidence; a number has boxes, whatever the measure.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.plots import plot_partition

        return plot_partition(self, ax, measure)

    def to_sql(self, dialect: str = "duckdb", column: str | None = None) -> str:
        """Write the code of a value as one expression of SQL.

        Parameters
        ----------
        dialect : str, default="duckdb"
            Whose SQL to write: duckdb, postgres, sqlite, bigquery, snowflake or spark.
        column : str, default=None
            Name of the column in SQL; by default the name it was fitted with.

        Returns
        -------
        str
            A CASE expression equal to ``assign``; NULL for missing values under
            ``missing="error"``.
        """
        from partage._export.sql import partition_to_sql

        self._check_columns("to_sql")
        return partition_to_sql(self, dialect, column)

    def to_python(self) -> str:
        """Write the rules as the source of a Python module without partage.

        Returns
        -------
        str
            A module that imports the standard library only; its ``transform(row: dict) -> dict``
            gives the code under the name of the column.
        """
        from partage._export.python_source import python_source

        self._check_columns("to_python")
        who = f"{type(self).__name__}.to_python"
        return python_source(who, [(self.name, self, None, [self.name])])

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; ``partage.from_dict`` reads it back."""
        from partage._saving.partitions import partition_to_dict

        return partition_to_dict(self)

    def without_rows(self) -> Self:
        """Forget the rows of the fit, where they were kept for edits."""
        return self

    def __eq__(self, other: object) -> bool:
        """Whether both are the same parts of the same counts, found in the same way."""
        if not isinstance(other, Partition) or type(self) is not type(other):
            return NotImplemented
        from partage._partitions.equality import is_same_partition

        return self is other or is_same_partition(self, other)

    def __hash__(self) -> int:
        return hash((self.name, self.method, self.n_parts, self.cost))

    def _repr_html_(self) -> str:
        from partage._display.notebook import partition_html

        return partition_html(self)

    def __repr__(self) -> str:
        from partage._display.notebook import partition_text

        return partition_text(self)


def settings_of(partition: Any) -> Settings:
    """Give the settings that a partition was found with, without its limits."""
    from partage._search.limits import LimitsByColumn
    from partage._search.settings import Settings

    method, params = partition._method, partition.method_params
    return Settings(
        method,
        "auto",
        LimitsByColumn({}),
        partition.missing,
        params,
        tuple(method.numbers("optimize", params)),
        partition.special_values,
        with_curve=partition.curve is not None,
    )
