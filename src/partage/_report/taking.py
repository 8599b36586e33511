"""A table as a report takes it: the target checked, the columns understood, samples set aside."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from partage._report.making import MOST_PERIODS, check_periods, held_out
from partage._report.readings import Prepared, prepare, remarks_of
from partage._report.target import TakenTarget, take_target
from partage._support.speaking import Speaker

if TYPE_CHECKING:
    import polars as pl

    from partage._data.conversions import Conversion
    from partage._report.facts import Remark

__all__ = ["Asked", "Taken", "take_table"]


@dataclass(frozen=True)
class Asked:
    """What is asked of a table.

    Attributes
    ----------
    target, target_type, positive, weights
        See ``take_target``.
    parameters : callable
        Gives the parameters of the estimator, of the names of the columns that are left.
    kinds : mapping of str to str
        Kinds of columns.
    ordered : collection of str
        Columns whose values have an order, which is among the parameters.
    special : mapping of str to sequence
        Special values that are given, by column.
    kept, texts : collection of str
        Columns that are not left out, and of free text.
    auto : bool
        Whether what is proposed is taken.
    understands : bool
        Whether columns are looked at at all.
    has_decimal_comma : bool
        Whether 1,234 is 1.234 where nothing else decides.
    holdout : float or None
        Share of the rows that readings are not scored on.
    by : str, sequence or None
        Column of the periods, or the periods of the rows.
    holds_trend : bool
        Whether a trend must hold in each period, whose column then stays.
    """

    target: str
    target_type: str = "auto"
    positive: Any = None
    weights: Any = None
    parameters: Callable[[list[str]], dict[str, Any]] = lambda _: {}
    kinds: Mapping[str, str] = field(default_factory=dict)
    ordered: Collection[str] = ()
    special: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    kept: Collection[str] = ()
    texts: Collection[str] = ()
    auto: bool = False
    understands: bool = True
    has_decimal_comma: bool = False
    holdout: float | None = None
    by: Any = None
    holds_trend: bool = False


@dataclass(frozen=True)
class Taken:
    """The columns with their target, the weights, and what the user should know."""

    frame: Any  # of polars, or a source of an engine
    weights: Any
    n_columns: int
    notes: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    conversions: dict[str, Conversion] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)  # of the estimator
    periods: Any = None  # of the rows

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(getattr(self.frame, "columns", None) or self.frame.names)


def take_table(speaker: Speaker, frame: pl.DataFrame, asked: Asked) -> Taken:
    """Check the target, look at the columns, and take the periods."""
    target = asked.target
    if asked.by is not None:
        _check_by(speaker, frame, asked)
    own = take_target(
        speaker,
        frame,
        target,
        target_type=asked.target_type,
        positive=asked.positive,
        weights=asked.weights,
    )
    found = _look(own, asked)
    table, periods = _take_periods(speaker, found.frame, asked, own.kept)
    columns = [name for name in table.columns if name != target]
    if not columns:
        reasons = "; ".join(map(str, found.decisions)) or "it names the periods"
        raise speaker.refuse(f"every column was left out: {reasons}.")
    given = asked.parameters(columns)
    parameters = found.parameters(
        {**given, "positive": own.positive, "target_type": own.target_type}
    )
    parameters["special_values"] = _special(speaker, table, parameters["special_values"], asked)
    named = {name for name in asked.ordered if name not in asked.kinds}
    kinds = {
        name: kind
        for name, kind in (parameters["kinds"] or {}).items()
        if name in columns and name not in named
    }
    return Taken(
        frame=table,
        weights=own.weights,
        n_columns=len(columns),
        notes=own.notes,
        remarks=remarks_of(found.decisions),
        conversions=found.conversions,
        parameters=parameters | {"kinds": kinds or None},
        periods=periods,
    )


def _look(own: TakenTarget, asked: Asked) -> Prepared:
    """Look at the columns, where that is asked for."""
    import polars as pl

    kinds = dict.fromkeys(asked.ordered, "ordered") | dict(asked.kinds)
    if not asked.understands:
        return Prepared(own.frame, [], {}, kinds, {})
    kinds = _kind_of_periods(own.frame, asked) | kinds
    held = None if asked.holdout is None else held_out(own.frame.height, asked.holdout)
    return prepare(
        own.frame,
        asked.target,
        kinds=kinds,
        special=asked.special,
        kept={*asked.kept, *([asked.by] if isinstance(asked.by, str) else [])},
        texts=asked.texts,
        auto=asked.auto,
        has_decimal_comma=asked.has_decimal_comma,
        sample_weight=own.weights,
        is_fitted=None if held is None else pl.Series(~held),
        target_type=own.target_type,
    )


def _kind_of_periods(frame: pl.DataFrame, asked: Asked) -> dict[str, str]:
    """Keep the names of few periods as they are written, dates or not."""
    import polars as pl

    if not isinstance(asked.by, str) or asked.holds_trend:
        return {}
    column = frame[asked.by]
    is_named = column.dtype == pl.String and column.n_unique() <= MOST_PERIODS
    return {asked.by: "categorical"} if is_named else {}


def _special(speaker: Speaker, table: pl.DataFrame, special: Any, asked: Asked) -> Any:
    """Read special values of dates; numbers that are asked of all columns are none of these."""
    if not isinstance(special, Mapping):
        if special is None or not any(dtype.is_temporal() for dtype in table.dtypes):
            return special
        special = {name: special for name in table.columns if name != asked.target}
    found = {}
    for name, values in special.items():
        is_time = table.schema[name].is_temporal() if name in table.columns else False
        if is_time and isinstance(values, Sequence):
            days = [_as_day(value) for value in values]
            if name in asked.special and None in days:
                raise speaker.refuse(
                    f"{speaker.option('special')} of the dates {name!r} must be days such as "
                    f"9999-12-31; got {values[days.index(None)]!r}."
                )
            values = [day for day in days if day is not None]
        if values:
            found[name] = values
    return found or None


def _as_day(value: Any) -> Any:
    """Read a day that is written as text; None for what is no time."""
    if isinstance(value, str):
        try:
            return dt.datetime.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, (dt.date, dt.timedelta)) else None


def _check_by(speaker: Speaker, frame: pl.DataFrame, asked: Asked) -> None:
    """Refuse periods that are no column, or not one for each row."""
    if isinstance(asked.by, str):
        if asked.by not in frame.columns or asked.by == asked.target:
            raise speaker.refuse(
                f"{speaker.option('by')} must name a column beside the target; got {asked.by!r}."
            )
    elif len(asked.by) != frame.height:
        raise speaker.refuse(
            f"{speaker.option('by')} must have a period for each of the {frame.height} rows; got "
            f"{len(asked.by)}."
        )


def _take_periods(
    speaker: Speaker, frame: pl.DataFrame, asked: Asked, kept: pl.Series
) -> tuple[pl.DataFrame, Any]:
    """Take the periods of the rows: the values of a column, dates by month or year."""
    import polars as pl

    name = speaker.option("by")
    if asked.by is None:
        return frame, None
    if not isinstance(asked.by, str):
        return frame, check_periods(speaker.who, name, asked.by)[kept.to_numpy()]
    if asked.by not in frame.columns:
        raise speaker.refuse(f"{name} must name a column that is not left out; got {asked.by!r}.")
    column = frame[asked.by]
    if column.dtype in (pl.Date, pl.Datetime):
        months, years = (column.dt.strftime(style) for style in ("%Y-%m", "%Y"))
        column = months if months.n_unique() <= MOST_PERIODS else years
    periods = column.cast(pl.String).fill_null("missing").to_list()
    left = frame if asked.holds_trend else frame.drop(asked.by)
    return left, check_periods(speaker.who, name, periods)
