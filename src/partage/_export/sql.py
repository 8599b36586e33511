"""Rules as SQL: one scalar expression for a column, one SELECT for a table."""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from partage._data.categories import key_of
from partage._data.cut_text import cut_text
from partage._export.dialects import Dialect, find_dialect
from partage._partitions.rule import Decisions


def code_expression(
    who: str, rules: Decisions, dialect: Dialect, column: str, indent: int = 0
) -> str:
    """Write the code of a column's value; ``column`` is quoted already."""
    compared = _compared(rules, dialect, column)
    branches: list[tuple[str | None, str]] = []
    for value, code in rules.special:
        text = dialect.literal(who, value)
        if text is not None:
            branches.append((f"{compared} = {text}", str(code)))
    branches += _foreign(who, rules, dialect, column)
    missing = "NULL" if rules.missing is None else str(rules.missing)
    branches.append((_is_missing(rules, dialect, column), missing))
    for k, cut in enumerate(rules.cuts):
        branches.append((f"{compared} <= {_cut(who, dialect, rules, cut)}", str(k)))
    _check_one_type(who, rules)
    for code, values in rules.values:
        written = [dialect.literal(who, value) for value in values]
        texts = [text for text in written if text is not None]
        if texts:
            test = f"= {texts[0]}" if len(texts) == 1 else f"IN ({', '.join(texts)})"
            branches.append((f"{compared} {test}", str(code)))
    return _case("CASE", [*branches, (None, str(rules.otherwise))], indent)


def _foreign(
    who: str, rules: Decisions, dialect: Dialect, column: str
) -> list[tuple[str | None, str]]:
    """Compare special values of another type with the texts that a column of text holds."""
    if not rules.foreign:
        return []
    texts = {value for _, group in rules.values for value in group}
    clash = next((v for v, _ in rules.foreign if str(v) in texts), None)
    if rules.types != ("text",) or clash is not None:
        special = rules.foreign[0][0] if clash is None else clash
        raise ValueError(
            f"{who}: a column of SQL holds values of one type; column {rules.name!r} was fitted "
            f"with {rules.types[0]} and the special value {special!r}. Convert both to text before "
            "fitting."
        )
    return [(dialect.is_text(column, str(value)), str(code)) for value, code in rules.foreign]


def _cut(who: str, dialect: Dialect, rules: Decisions, cut: Any) -> str:
    """Write a cut; its text stands beside what does not hold it."""
    if rules.kind is not None and rules.kind.zone and not dialect.has_instants:
        raise ValueError(
            f"{who}: {dialect.name} compares times as text, ignoring their zone; column "
            f"{rules.name!r} was fitted in {rules.kind.zone}. Convert it to UTC without a zone "
            "before fitting."
        )
    text = cut_text(cut)
    short = decimal.Decimal(text) if isinstance(cut, decimal.Decimal) else cut
    written = str(dialect.literal(who, short)).removesuffix(".0")
    is_held = text in written and f"{text}0" not in written
    return written if is_held else f"{written} /* {text} */"


def _compared(rules: Decisions, dialect: Dialect, column: str) -> str:
    """Bring a column to the type in which ``assign`` compares it."""
    if rules.kind is not None:
        return dialect.as_real(column) if rules.kind.is_float else column
    values = [value for _, group in rules.values for value in group]
    has_fraction = any(isinstance(value, float) and not value.is_integer() for value in values)
    return dialect.as_real(column) if rules.types == ("number",) and has_fraction else column


def _is_missing(rules: Decisions, dialect: Dialect, column: str) -> str:
    """Test for NULL, and for NaN where the column may hold floats."""
    test = f"{column} IS NULL"
    is_decimal = any(isinstance(v, decimal.Decimal) for _, group in rules.values for v in group)
    nan = dialect.is_nan(dialect.as_real(column)) if rules.may_be_nan and not is_decimal else None
    return test if nan is None else f"{test} OR {nan}"


def _check_one_type(who: str, rules: Decisions) -> None:
    """Refuse values of several types, which no SQL column holds together."""
    if len(rules.types) > 1:
        raise ValueError(
            f"{who}: a column of SQL holds values of one type; column {rules.name!r} was fitted "
            f"with {' and '.join(rules.types)}. Convert it to text before fitting."
        )


def _case(head: str, branches: Sequence[tuple[str | None, str]], indent: int) -> str:
    """Write a CASE expression, one line for each branch; what a literal holds stays as it is."""
    margin = "\n" + " " * indent
    lines = [
        f"  ELSE {result}" if test is None else f"  WHEN {test} THEN {result}"
        for test, result in branches
    ]
    return margin.join([head, *lines, "END"])


def _decisions(partition: Any) -> Decisions:
    """Give the decisions of a partition, without special values of another type it never held.

    A list of special values for a whole table names such ones.
    """
    rules: Decisions = partition.rule.decisions()
    rows = zip(partition.special_values, partition.special_rows, strict=True)
    held = {key_of(value) for value, n in rows if n > 0}
    foreign = tuple(pair for pair in rules.foreign if key_of(pair[0]) in held)
    return replace(rules, foreign=foreign)


def partition_to_sql(partition: Any, dialect: Any, column: Any) -> str:
    """Write the code of a partition as one scalar expression."""
    who = f"{type(partition).__name__}.to_sql"
    found = find_dialect(who, dialect)
    name = partition.name if column is None else column
    if not isinstance(name, str):
        raise TypeError(f"{who}: column must be a name or None; got {column!r}.")
    return code_expression(who, _decisions(partition), found, found.identifier(who, name))


def grid_to_sql(grid: Any, dialect: Any, columns: Any) -> str:
    """Write the code of a grid as one scalar expression over its columns."""
    who = "Grid.to_sql"
    found = find_dialect(who, dialect)
    names = grid.names if columns is None else columns
    is_list = isinstance(names, (tuple, list)) and len(names) == len(grid.axes)
    if not is_list or not all(isinstance(name, str) for name in names):
        raise TypeError(
            f"{who}: column must hold {len(grid.axes)} names or be None; got {columns!r}."
        )
    factors = [1]
    for n in reversed(grid.rule.n_codes[1:]):
        factors.insert(0, factors[0] * n)
    pieces = []
    for axis, name, factor in zip(grid.axes, names, factors, strict=True):
        case = code_expression(who, _decisions(axis), found, found.identifier(who, name), 2)
        pieces.append(f"({case})" if factor == 1 else f"{factor} * ({case})")
    return "\n  + ".join(pieces)


def select(
    who: str,
    columns: Sequence[tuple[str, Any, NDArray[Any] | None, list[str]]],
    dialect_name: Any,
    table: Any,
    keep: Any,
) -> str:
    """Write one SELECT whose columns are those of ``transform``.

    ``columns`` holds, for each fitted column, its name, its partition, the output of each code
    (None for the code itself) and the names of the outputs.
    """
    dialect = find_dialect(who, dialect_name)
    source = table_name(who, dialect, table)
    outputs = [name for _, _, _, names in columns for name in names]
    kept = [dialect.identifier(who, name) for name in kept_names(who, keep, outputs)]
    indexed = list(enumerate(columns))
    if all(block is None for _, _, block, _ in columns):
        wanted = [
            *kept,
            *(
                f"{_code(who, name, p, dialect, 2)} AS {dialect.identifier(who, names[0])}"
                for name, p, _, names in columns
            ),
        ]
        return f"SELECT\n  {listed_lines(wanted, 2)}\nFROM {source}"
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    for i, (_, _, block, names) in indexed:
        assert block is not None
        for j, name in enumerate(names):
            value = output_expression(who, dialect, f"code_{i}", block[:, j].tolist(), 2)
            outer.append(f"{value} AS {dialect.identifier(who, name)}")
    _, coded = coded_table(who, columns, dialect, table, keep)
    return f"SELECT\n  {listed_lines(outer, 2)}\nFROM (\n{coded}\n) AS coded"


def coded_table(
    who: str,
    columns: Sequence[tuple[str, Any, Any, list[str]]],
    dialect: Dialect,
    table: Any,
    keep: Any,
    made: Sequence[str] = (),
) -> tuple[list[str], str]:
    """Write a SELECT of kept columns as ``kept_0``, ... and of the codes as ``code_0``, ..."""
    outputs = [*made, *(name for _, _, _, names in columns for name in names)]
    kept = [dialect.identifier(who, name) for name in kept_names(who, keep, outputs)]
    inner = [
        *(f"{name} AS kept_{i}" for i, name in enumerate(kept)),
        *(
            f"{_code(who, name, p, dialect, 4)} AS code_{i}"
            for i, (name, p, _, _) in enumerate(columns)
        ),
    ]
    source = table_name(who, dialect, table)
    return kept, f"  SELECT\n    {listed_lines(inner, 4)}\n  FROM {source}"


def _code(who: str, name: str, partition: Any, dialect: Dialect, indent: int) -> str:
    """Write the code of a column of a table."""
    column = dialect.identifier(who, name)
    return code_expression(who, _decisions(partition), dialect, column, indent)


def output_expression(who: str, dialect: Dialect, code: str, values: list[Any], indent: int) -> str:
    """Write what each code stands for."""
    branches: list[tuple[str | None, str]] = [
        (str(k), str(dialect.literal(who, value))) for k, value in enumerate(values)
    ]
    case = _case(f"CASE {code}", branches, indent)
    return case if isinstance(values[0], str) else dialect.as_real(case)


def listed_lines(items: Sequence[str], indent: int) -> str:
    """Write items on lines of their own."""
    return (",\n" + " " * indent).join(items)


def table_name(who: str, dialect: Dialect, table: Any) -> str:
    """Quote a table: a name, or the names of schema and table."""
    parts = (table,) if isinstance(table, str) else table
    if not isinstance(parts, (tuple, list)) or not all(isinstance(part, str) for part in parts):
        raise TypeError(
            f"{who}: table must be a name, or a tuple such as ('schema', 'table'); got {table!r}."
        )
    return ".".join(dialect.identifier(who, part) for part in parts)


def kept_names(who: str, keep: Any, made: Sequence[str]) -> list[str]:
    """Names of the columns that are passed through."""
    names = [keep] if isinstance(keep, str) else list(keep)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{who}: keep must name columns of the table; got {name!r}.")
        if name in made:
            raise ValueError(f"{who}: keep must not name an output; got {name!r}.")
    return names
