"""Columns as a report takes them: what they are, and which of two readings says more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from partage._data.conversions import TIME_PARTS, Conversion, convert
from partage._data.understanding import Decision, Understanding, quoted, understand
from partage._report.facts import Remark

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Prepared", "prepare", "remarks_of"]

_KINDS = {"left out": "left out", "proposed": "warning"}  # of remarks; others are conversions
_BETTER = 1.05  # times the level, from which another reading is worth a word


@dataclass(frozen=True)
class Prepared:
    """A table ready to be partitioned, and all that was decided of its columns."""

    frame: pl.DataFrame
    decisions: list[Decision]
    conversions: dict[str, Conversion]
    kinds: dict[str, str]
    special: dict[str, list[Any]]  # that were found

    def parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Complete the parameters of an estimator by what was found; what was given wins."""
        columns = self.frame.columns
        special = given.get("special_values")
        if self.special:
            general = {} if special is None or isinstance(special, Mapping) else special
            given_for = special if isinstance(special, Mapping) else dict.fromkeys(columns, general)
            special = self.special | {k: v for k, v in given_for.items() if v and k in columns}
        kinds = {name: kind for name, kind in self.kinds.items() if name in columns}
        return {**given, "kinds": kinds or None, "special_values": special or None}


def remarks_of(decisions: Sequence[Decision]) -> list[Remark]:
    """Say what was decided, and how to have it otherwise."""
    return [
        Remark(
            one.reason + (f" ({one.option})" if one.option else ""),
            _KINDS.get(one.action, "converted"),
            one.column,
        )
        for one in decisions
    ]


def prepare(
    frame: pl.DataFrame,
    target: str,
    *,
    kinds: Mapping[str, str] | None = None,
    special: Mapping[str, Sequence[Any]] | None = None,
    kept: Collection[str] = (),
    texts: Collection[str] = (),
    auto: bool = False,
    has_decimal_comma: bool = False,
    sample_weight: Any = None,
    is_fitted: pl.Series | None = None,
    target_type: str = "class",
) -> Prepared:
    """Look at the columns of a table, convert them, and choose among readings by their level.

    Parameters
    ----------
    frame, target : polars.DataFrame, str
        The columns, and the name of the target among them.
    kinds : mapping of str to str
        Kinds of columns, as the user gave them.
    special : mapping of str to sequence
        Special values that the user gave, by column.
    kept, texts : collection of str
        Columns that are not left out, and those of free text to be measured.
    auto : bool, default=False
        Whether what is proposed is taken.
    has_decimal_comma : bool, default=False
        Whether 1,234 is 1.234 where nothing else decides.
    sample_weight : array, default=None
        Frequencies of the rows.
    is_fitted : polars.Series of bool, default=None
        Rows that readings are scored on; all by default.
    target_type : str, default="class"
        What the target is.
    """
    given = dict(kinds or {})

    def look() -> Understanding:
        return understand(
            frame,
            skipped={target},
            kinds=given,
            special=special or {},
            kept=kept,
            texts=texts,
            auto=auto,
            has_decimal_comma=has_decimal_comma,
        )

    found = look()
    if len(found.left_out) == frame.width - 1:  # better an identifier than nothing
        given |= {name: "numeric" for name in found.left_out if frame[name].dtype.is_numeric()}
        found = look()
    scored = _Rows(is_fitted, sample_weight, target_type)
    converted = _choose(found.apply(frame), target, found, given, auto, scored)
    converted = _with_time_parts(converted, target, found, scored)
    made = {name: one for name, one in found.conversions.items() if name in converted.columns}
    return Prepared(converted, found.decisions, made, given, found.special)


def _choose(
    frame: pl.DataFrame,
    target: str,
    found: Understanding,
    kinds: dict[str, str],
    auto: bool,
    rows: _Rows,
) -> pl.DataFrame:
    """Score columns that may be read in two ways, and take or propose the better one.

    A reading that says nothing gives way to one that does; else the column stays as it is written,
    unless all proposals are taken.
    """
    names = list(found.alternatives)
    if not names:
        return frame
    made = {name: one for name, one in found.alternatives.items() if one is not None}
    measured = _without_special(frame.select(names), found.aside)
    others = convert(measured, made)
    other_kinds = {name: "categorical" for name in names if name not in made}
    levels = dict.fromkeys(found.otherwise, 0.0)
    kept = [name for name in names if name not in levels]
    levels |= _levels(measured.select(kept), frame[target], {}, rows)
    other_levels = _levels(others, frame[target], other_kinds, rows)
    taken, left_out = [], []
    for name in names:
        level, other = levels[name], other_levels[name]
        if other <= max(_BETTER * level, 0.0):
            if name in found.otherwise:
                found.decisions.append(found.otherwise[name])
                left_out.append(name)
            continue
        is_taken = auto or level <= 0
        found.decisions.append(_decision(frame[name], made.get(name), (level, other), is_taken))
        if is_taken:
            taken.append(name)
            if name in made:
                found.conversions[name] = made[name]
            else:
                kinds[name] = "categorical"
    return frame.with_columns(others[name] for name in taken if name in made).drop(left_out)


def _with_time_parts(
    frame: pl.DataFrame, target: str, found: Understanding, rows: _Rows
) -> pl.DataFrame:
    """Add the hours, weekdays and months that say more than the times they are of."""
    import polars as pl

    schema = frame.schema
    times = [n for n in frame.columns if schema[n] in (pl.Date, pl.Datetime) and n != target]
    parts = {
        f"{name} ({part})": (name, part)
        for name in times
        for part in TIME_PARTS[schema[name] == pl.Date :]  # a day has no hour
    }
    parts = {made: one for made, one in parts.items() if made not in schema}
    if not parts:
        return frame
    columns = frame.select(
        Conversion(name, part).apply(frame[name]).alias(made)
        for made, (name, part) in parts.items()
    )
    levels = _levels(frame.select(times), frame[target], {}, rows)
    other_levels = _levels(columns, frame[target], dict.fromkeys(parts, "numeric"), rows)
    taken = []
    for made, (name, part) in parts.items():
        level, other = levels[name], other_levels[made]
        if other <= max(_BETTER * level, 0.0):
            continue
        taken.append(made)
        known = found.conversions.get(name, Conversion(name, "time"))
        found.conversions[made] = Conversion(known.source, part, known.style)
        reason = f"the {part} of {name!r}: its level is {other:.3f}, as time {level:.3f}"
        found.decisions.append(
            Decision(made, "made", reason, f"--drop {quoted(name)} leaves both out")
        )
    return frame.with_columns(columns.select(taken))


def _without_special(frame: pl.DataFrame, aside: Mapping[str, Sequence[Any]]) -> pl.DataFrame:
    """Let special numbers be missing: they say the same in either reading."""
    import polars as pl

    return frame.with_columns(
        pl.when(~pl.col(name).cast(pl.Float64).is_in([float(value) for value in values]))
        .then(pl.col(name))
        .alias(name)
        for name, values in aside.items()
        if name in frame.columns and values
    )


@dataclass(frozen=True)
class _Rows:
    """The rows that readings are scored on."""

    is_fitted: pl.Series | None
    weights: Any
    target_type: str = "class"

    def of(self, columns: pl.DataFrame) -> pl.DataFrame:
        return columns if self.is_fitted is None else columns.filter(self.is_fitted)

    def own_weights(self) -> Any:
        if self.weights is None or self.is_fitted is None:
            return self.weights
        return self.weights[self.is_fitted.to_numpy()]


def _levels(
    columns: pl.DataFrame, y: pl.Series, kinds: dict[str, str], rows: _Rows
) -> dict[str, float]:
    """Level of each column under the usual method."""
    if not columns.width:
        return {}
    from partage._estimators.fitted import fit_model
    from partage._estimators.table_model import TableModel

    model = TableModel(target_type=rows.target_type, kinds=kinds or None, n_jobs=-1)
    taken = rows.of(columns.with_columns(y))
    given = (taken.drop(y.name), taken[y.name], None, rows.own_weights())
    fit_model(model, model._plan(), given)
    return {name: partition.level for name, partition in model.partitions_.items()}


def _decision(
    column: pl.Series, made: Conversion | None, levels: tuple[float, float], is_taken: bool
) -> Decision:
    """Say which reading says more, and how to have the other one."""
    present = column.drop_nulls()
    level, other = (f"{level:.3f}" for level in levels)
    action = "taken" if is_taken else "proposed"
    if made is None:
        reason = (
            f"{present.n_unique()} whole numbers: a code{'' if is_taken else '?'} As categories "
            f"its level is {other}, as numbers {level}"
        ).replace("code As", "code. As")
        kind = "numeric" if is_taken else "categorical"
        return Decision(column.name, action, reason, f"--kind {quoted(column.name)}={kind}")
    assert made.style is not None
    read = made.apply(present)
    share = 1 - read.null_count() / max(len(present), 1)
    odd = present.filter(read.is_null()).alias("text").value_counts(sort=True)["text"].head(3)
    such = f"others such as {', '.join(map(repr, odd.to_list()))}" if len(odd) else ""
    kind = {"number": "numeric", "time": "datetime"}[made.to]
    if not is_taken:
        reason = (
            f"{share:.0%} of the texts are {made.style.words()}, {such} are not. Without these its "
            f"level is {other}, as text {level}"
            if such
            else f"as {made.style.words()} its level is {other}, as text {level}"
        )
        return Decision(column.name, action, reason, f"--kind {quoted(column.name)}={kind}")
    reason = f"text read as {made.style.words()}" + (f"; {such} became missing" if such else "")
    keep = f"--kind {quoted(column.name)}=categorical keeps the text"
    return Decision(column.name, "converted", reason, keep)
