"""Fit random frames, and compare every way in which the same answer can be had.

Permuted and repeated rows, pieces, threads, other libraries, JSON, pickle, SQL and Python source
must agree with the fit. A failure prints the smallest frame found that still shows it.

    python -m fuzz.frames --seconds 300
"""

from __future__ import annotations

import contextlib
import math
import pickle
import random
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

import partage as pt
from fuzz.columns import make_column, make_target
from fuzz.forked import Tally, main
from fuzz.libraries import other_frames

OUTPUTS = ["code", "onehot", "label", "rate", "woe"]
FITTED = Tally("frames fitted and compared")
# What is loaded on first use is loaded here, and not in every child.
LOADED = (pt.TablePartitioner, pt.from_dict)


@dataclass(frozen=True)
class Case:
    """A table, its target, and how it is fitted."""

    columns: dict[str, list[Any]]
    kinds: dict[str, str]
    y: list[Any]
    weights: list[float] | None
    settings: dict[str, Any]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    def take(self, rows: list[int]) -> Case:
        """Keep some rows, in this order."""
        return replace(
            self,
            columns={name: [values[i] for i in rows] for name, values in self.columns.items()},
            y=[self.y[i] for i in rows],
            weights=None if self.weights is None else [self.weights[i] for i in rows],
        )

    @property
    def has_unclear_column(self) -> bool:
        """Whether a column holds nothing that shows its kind: no value, or no text of a mixture."""
        return any(
            not any(
                isinstance(v, str) if self.kinds[name] == "mixed" else v is not None for v in values
            )
            for name, values in self.columns.items()
        )

    def without(self, name: str) -> Case:
        """Leave a column out."""
        return replace(self, columns={k: v for k, v in self.columns.items() if k != name})

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table of pandas."""
        made = {}
        for name, values in self.columns.items():
            if self.kinds[name] == "ordered":
                levels = sorted({v for v in values if v is not None})
                made[name] = pd.Series(pd.Categorical(values, levels, ordered=True))
            elif self.kinds[name] in ("text", "mixed"):
                made[name] = pd.Series(values, dtype=object)
            elif self.kinds[name] == "large":  # gaps would make floats of them
                made[name] = pd.Series(values, dtype="Int64")
            else:
                made[name] = pd.Series(values)
        return pd.DataFrame(made)

    def fit(self, **more: Any) -> pt.TablePartitioner:
        """Fit the table."""
        model = pt.TablePartitioner(**(self.settings | more))
        return model.fit(self.frame, self.y, sample_weight=self.weights)


def draw_case(seed: int) -> Case:
    """Draw a table with everything a column may hold."""
    dice = random.Random(seed)
    n = dice.choice([5, 8, 20, 60, 150])
    y = make_target(dice, n)
    drawn = [make_column(dice, n, y) for _ in range(dice.randint(1, 3))]
    weights: list[float] | None = None
    if dice.random() < 0.4:
        weights = [float(dice.randint(0, 4)) for _ in range(n)]
        if not any(weights):
            weights = None
        elif dice.random() < 0.5:
            weights = [w * 0.37 for w in weights]
    settings: dict[str, Any] = {"output": dice.choice(OUTPUTS)}
    if dice.random() < 0.3:
        settings["missing"] = "merge"
    if dice.random() < 0.3:
        settings["max_parts"] = dice.randint(1, 4)
    if dice.random() < 0.2:
        settings["special_values"] = [dice.choice([-1, 0, "a", 3.5])]
        settings["special"] = dice.choice(["separate", "merge"])
    if dice.random() < 0.2 and len(set(y)) == 2:
        settings["monotonic"] = dice.choice(["auto", "ascending"])
    columns = {f"c{i}": values for i, (_, values) in enumerate(drawn)}
    kinds = {f"c{i}": kind for i, (kind, _) in enumerate(drawn)}
    return Case(columns, kinds, y, weights, settings)


def rows_of(table: Any) -> list[list[Any]]:
    """Cells of a transformed table, as plain values."""
    return [[plain(v) for v in row] for row in np.asarray(table, dtype=object).tolist()]


def plain(value: Any) -> Any:
    """Compare floats to twelve digits, and all that is missing as None."""
    if value is None or value is pd.NA:
        return None
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (int, float, np.number)):
        number = float(value)
        return None if math.isnan(number) else float(f"{number:.11e}")
    return value


def same(a: pt.TablePartitioner, b: pt.TablePartitioner, what: str) -> Iterator[str]:
    """Complain where two models differ in parts, counts or cost."""
    for name, p in a.partitions_.items():
        q = b.partitions_[name]
        if p.n_parts != q.n_parts or not np.allclose(p.counts, q.counts, rtol=1e-9):
            yield f"{what}: {name} has {p.counts.tolist()} and {q.counts.tolist()}"
        elif not math.isclose(p.cost, q.cost, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{what}: {name} costs {p.cost!r} and {q.cost!r}"


def check_copies(case: Case, model: pt.TablePartitioner) -> Iterator[str]:
    """Permutation, repetition, threads and pieces."""
    dice = random.Random(case.n_rows)
    rows = list(range(case.n_rows))
    dice.shuffle(rows)
    yield from same(model, case.take(rows).fit(), "permuted rows")
    yield from same(model, case.fit(n_jobs=2), "two threads")
    weights = case.weights
    if weights is not None and all(w == int(w) for w in weights):
        often = [i for i in range(case.n_rows) for _ in range(int(weights[i]))]
        heavy = replace(case.take(often), weights=None)
        if not heavy.has_unclear_column:
            yield from same(model, heavy.fit(), "repeated rows")
    if any(case.kinds[name] in ("ordered", "mixed") for name in case.columns) or case.n_rows < 8:
        return  # pieces of these may be of two kinds, which is refused
    if case.settings.get("special_values"):
        return
    halves = [case.take(rows[: case.n_rows // 2]), case.take(rows[case.n_rows // 2 :])]
    if any(half.has_unclear_column for half in halves):
        return
    if any(half.weights is not None and not any(half.weights) for half in halves):
        return
    pieces = pt.TablePartitioner(**case.settings)
    for half in halves:
        pieces.partial_fit(half.frame, half.y, sample_weight=half.weights)
    yield from same(model, pieces, "pieces")


def check_outputs(case: Case, model: pt.TablePartitioner) -> Iterator[str]:
    """JSON, pickle, Python source and SQL give what ``transform`` gives."""
    frame = case.frame
    expected = rows_of(model.transform(frame))
    for name, partition in model.partitions_.items():
        again = pt.from_dict(partition.to_dict())
        if not np.array_equal(again.assign(frame[name]), partition.assign(frame[name])):
            yield f"JSON: other codes of {name}"
    if rows_of(pickle.loads(pickle.dumps(model)).transform(frame)) != expected:
        yield "pickle: other output"
    space: dict[str, Any] = {}
    exec(model.to_python(), space)
    for i in range(case.n_rows):
        row = {name: values[i] for name, values in case.columns.items()}
        found = [plain(v) for v in space["transform"](row).values()]
        if found != expected[i]:
            yield f"Python source: {row} gives {found}, transform {expected[i]}"
            break
    if all(kind in ("float", "whole", "text") for kind in case.kinds.values()):
        yield from check_sql(model, frame, expected)


def check_sql(
    model: pt.TablePartitioner, frame: pd.DataFrame, expected: list[list[Any]]
) -> Iterator[str]:
    """Run the SELECT in DuckDB and in SQLite."""
    table = frame.assign(row_id=range(len(frame)))
    for engine, run in (("duckdb", run_duckdb), ("sqlite", run_sqlite)):
        names, rows = run(table, model.to_sql(engine, table="t", keep=["row_id"]))
        at = names.index("row_id")
        found = [
            [plain(v) for k, v in enumerate(row) if k != at]
            for row in sorted(rows, key=lambda r: r[at])
        ]
        if found != expected:
            first = next(i for i, row in enumerate(expected) if found[i] != row)
            yield f"{engine}: row {first} gives {found[first]}, transform {expected[first]}"


def run_duckdb(table: pd.DataFrame, query: str) -> tuple[list[str], list[Any]]:
    """Names and rows of a query on a table that is called t."""
    with duckdb.connect() as connection:
        connection.register("t", pa.Table.from_pandas(table, preserve_index=False))
        done = connection.execute(query)
        return [one[0] for one in done.description], done.fetchall()


def run_sqlite(table: pd.DataFrame, query: str) -> tuple[list[str], list[Any]]:
    """Names and rows of a query on a table that is called t."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        table.to_sql("t", connection, index=False)
        done = connection.execute(query)
        return [one[0] for one in done.description], done.fetchall()


def check_libraries(case: Case, model: pt.TablePartitioner) -> Iterator[str]:
    """Other libraries, and other types of the same values, give the same parts and codes."""
    expected = {name: p.assign(case.frame[name]) for name, p in model.partitions_.items()}
    for what, frame in other_frames(case.frame, case.columns, case.kinds):
        other = pt.TablePartitioner(**case.settings).fit(frame, case.y, sample_weight=case.weights)
        yield from same(model, other, what)
        for name, partition in model.partitions_.items():
            if not np.array_equal(expected[name], partition.assign(frame[name])):
                yield f"{what}: other codes of {name}"


def problems(case: Case) -> list[str] | None:
    """Everything that disagrees; None if the fit was refused with a message of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = case.fit()
        except (ValueError, TypeError) as refused:
            return None if "partage" in str(refused) or ":" in str(refused) else [repr(refused)]
        checks = (check_copies, check_outputs, check_libraries)
        return [problem for check in checks for problem in check(case, model)]


def shrink(case: Case, fails: Callable[[Case], bool]) -> Case:
    """Leave out columns and rows as long as the failure stays."""
    for name in list(case.columns):
        smaller = case.without(name)
        if smaller.columns and fails(smaller):
            case = smaller
    step = case.n_rows // 2
    while step:
        start = 0
        while start < case.n_rows:
            rows = [i for i in range(case.n_rows) if not start <= i < start + step]
            if rows and fails(case.take(rows)):
                case = case.take(rows)
            else:
                start += step
        step //= 2
    return case


def _fails(case: Case) -> bool:
    try:
        return bool(problems(case))
    except Exception:
        return True


def attack(seed: int) -> str | None:
    """Fit one frame; what disagrees, with a case that shows it."""
    case = draw_case(seed)
    try:
        found = problems(case)
    except Exception as error:
        found = [f"{type(error).__name__}: {error}"]
    if found is not None:
        FITTED.add()
    if not found:
        return None
    small = shrink(case, _fails)
    try:
        shown = problems(small) or found
    except Exception as error:
        shown = [f"{type(error).__name__}: {error}"]
    return (
        f"seed {seed}: {shown[0]}\n  from fuzz.frames import Case, problems\n  problems({small!r})"
    )


if __name__ == "__main__":
    sys.exit(main("frames", attack, 50, FITTED))
