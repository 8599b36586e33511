"""``transform`` of a source: expressions for its engine, and joins for long lists of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from partage._data.categories import check_types, type_of_dtype
from partage._data.zones import check_zone
from partage._display.outputs import output_names, output_values
from partage._export.expressions import code_expression, mapping
from partage._partitions.rule import Decisions
from partage.engines.source import Source

GridFeature = tuple[Any, Any, list[str]]  # a grid, what each code gives, the names of that
MOST_TESTED = 100  # text values that are compared one by one; more are joined


def transform_lazy(
    who: str, source: Source, partitions: Sequence[Any], kept: Sequence[bool], output: str
) -> Any:
    """Replace the columns that were fitted; the others stay as they are, in front."""
    if output == "sparse":
        raise ValueError(
            f"{who}: output='sparse' is an array in memory; got a lazy table. Use "
            "output='onehot', or collect the table first."
        )
    places = _places(who, source, [partition.name for partition in partitions])
    others = [i for i in range(len(source.names)) if i not in places]
    columns = [nw.col(f"c{i}") for i in others]
    names = [source.names[i] for i in others]
    frame = source.frame
    for place, partition, is_kept in zip(places, partitions, kept, strict=True):
        if is_kept:
            code = f"p{place}"
            frame = with_code(who, source, frame, place, partition.rule, code)
            columns += _outputs(nw.col(code), partition, output)
            names += output_names(partition, partition.name, output)
    return _named(who, source, frame, columns, names)


def transform_grids(
    who: str, source: Source, features: Sequence[GridFeature], fitted: Sequence[str]
) -> Any:
    """Give what the cells of grids stand for; columns that were not fitted stay, in front."""
    others = [i for i, name in enumerate(source.names) if name not in fitted]
    columns = [nw.col(f"c{i}") for i in others]
    names = [source.names[i] for i in others]
    frame = source.frame
    for i, (grid, block, made) in enumerate(features):
        places = _places(who, source, list(grid.names))
        code, is_known = nw.lit(0), nw.lit(True)
        for a, (place, rule) in enumerate(zip(places, grid.rule.rules, strict=True)):
            own = f"g{i}_{a}"
            frame = with_code(who, source, frame, place, rule, own)
            code = code * grid.rule.n_codes[a] + nw.col(own)
            is_known = is_known & (nw.col(own) >= 0)
        # A value that missing="error" does not take has no cell.
        frame = frame.with_columns(nw.when(is_known).then(code).alias(f"g{i}"))
        cell = nw.col(f"g{i}")
        if block is None:
            columns.append(cell)
        else:
            looked = [_lookup(cell, [_plain(v) for v in column], 0) for column in block.T]
            columns += [nw.when(~cell.is_null()).then(value) for value in looked]
        names += made
    return _named(who, source, frame, columns, names)


def _named(
    who: str,
    source: Source,
    frame: nw.LazyFrame[Any],
    columns: Sequence[nw.Expr],
    names: list[str],
) -> Any:
    """Select the columns of a result under names that must differ."""
    repeated = [name for i, name in enumerate(names) if name in names[:i]]
    if repeated:
        raise ValueError(
            f"{who}: the columns of the result must differ in name; {repeated[0]!r} would stand "
            "twice. Drop or rename the column that was not fitted."
        )
    named = [column.alias(f"k{i}") for i, column in enumerate(columns)]
    return source.engine.named(frame.select(*named), names)


def _places(who: str, source: Source, fitted: list[str]) -> list[int]:
    """Columns of the source that were fitted."""
    absent = [name for name in fitted if name not in source.names]
    if absent:
        raise ValueError(
            f"{who}: X must have the columns that were fitted; {absent[0]!r} is missing, X has "
            f"{', '.join(map(repr, source.names))}."
        )
    return [source.names.index(name) for name in fitted]


def with_code(
    who: str, source: Source, frame: nw.LazyFrame[Any], place: int, rule: Any, code: str
) -> nw.LazyFrame[Any]:
    """Add the code of a column under a rule to a frame."""
    rules = rule.decisions()
    _check_kind(who, source, place, rules)
    if rules.kind is not None and rules.kind.name == "datetime" and source.engine.has_zones:
        check_zone(who, rule.name, rules.kind.zone, source.zone(place))
    if rules.kind is None:
        check_types(who, rule.name, set(rules.types), type_of_dtype(source.dtype(place)))
    value = nw.col(f"c{place}")
    if rules.kind is not None and source.dtype(place) == nw.String:
        value = _time_from_text(value, source.engine.time_format)
    elif source.dtype(place) in (nw.Categorical, nw.Enum):
        value = value.cast(nw.String)
    elif source.dtype(place) == nw.Date and rules.kind is not None:
        value = value.cast(nw.Datetime("us"))  # as cuts of dates are
    elif source.dtype(place) == nw.Datetime and rules.kind is not None:
        zone = "UTC" if source.engine.compares_zones else source.zone(place)
        rules = _in_zone(rules, zone)
    elif source.dtype(place) == nw.Decimal and not source.engine.compares_decimals:
        value = value.cast(nw.Float64)
        rules = replace(rules, cuts=tuple(map(float, rules.cuts)))
    codes = mapping(rules) if rules.kind is None else {}
    if len(codes) <= MOST_TESTED or tuple(rules.types) != ("text",):
        found = code_expression(rules, value, is_float=source.dtype(place).is_float())
        return frame.with_columns(found.cast(nw.Int64).alias(code))
    known = source.engine.table(frame, {f"v{place}": list(codes), code: list(codes.values())})
    key = f"t{place}"
    joined = frame.with_columns(value.alias(key)).join(
        known, left_on=key, right_on=f"v{place}", how="left"
    )
    other = code_expression(replace(rules, values=()), value).cast(nw.Int64)
    is_known = ~nw.col(code).is_null()
    return joined.with_columns(nw.when(is_known).then(nw.col(code)).otherwise(other).alias(code))


def _time_from_text(text: nw.Expr, time_format: str) -> nw.Expr:
    """Read times as ISO 8601 writes them; the engine refuses other text when it runs."""
    text = text.str.strip_chars().str.replace_all("T", " ", literal=True)
    full = nw.concat_str([text, nw.lit("000000")]).str.slice(0, 26)
    for length, rest in ((19, ".000000"), (16, ":00.000000"), (10, " 00:00:00.000000")):
        longer = nw.concat_str([text, nw.lit(rest)])
        full = nw.when(text.str.len_chars() == length).then(longer).otherwise(full)
    return full.str.to_datetime(format=time_format)


def _check_kind(who: str, source: Source, place: int, rules: Decisions) -> None:
    """Refuse a column that cannot be compared with the cuts; one without a dtype holds gaps."""
    dtype = source.dtype(place)
    if rules.kind is None or dtype == nw.Unknown:
        return
    of_times = {"datetime": (nw.Datetime, nw.Date, nw.String), "duration": (nw.Duration,)}
    wanted = of_times.get(rules.kind.name)
    if not (dtype in wanted if wanted else dtype.is_numeric() or dtype == nw.Boolean):
        raise TypeError(
            f"{who}: column {rules.name!r} must hold {rules.kind.plural} as in fit; got {dtype}. "
            f"Cast it in {source.engine.name}."
        )


def _in_zone(rules: Decisions, zone: str) -> Decisions:
    """Tell instants in the zone of the column that they are compared with."""
    if rules.kind is None or not rules.kind.zone:
        return rules
    import pandas as pd

    cuts = tuple(cut.tz_convert(zone) for cut in rules.cuts)
    special = tuple((pd.Timestamp(value).tz_convert(zone), code) for value, code in rules.special)
    return replace(rules, cuts=cuts, special=special)


def _outputs(code: nw.Expr, partition: Any, output: str) -> list[nw.Expr]:
    """Columns that a code becomes."""
    block = output_values(partition, output)
    if block is None:
        return [code]
    return [_lookup(code, [_plain(value) for value in column], 0) for column in block.T]


def _plain(value: Any) -> Any:
    """Turn numbers of NumPy into Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _lookup(code: nw.Expr, values: list[Any], first: int) -> nw.Expr:
    """Value of a code, by halving the codes; equal values need no test."""
    if all(value == values[0] for value in values):
        return nw.lit(values[0])
    middle = len(values) // 2
    low = _lookup(code, values[:middle], first)
    high = _lookup(code, values[middle:], first + middle)
    return nw.when(code < first + middle).then(low).otherwise(high)
