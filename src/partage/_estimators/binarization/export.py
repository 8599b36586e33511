"""Conditions and patterns without the library: one SELECT, or a module of plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from partage._data.categories import type_of
from partage._estimators.binarization.discriminants import Attribute, Discriminant, Numbers
from partage._estimators.binarization.theory import TIE
from partage._export.dialects import Dialect, find_dialect
from partage._export.python_source import literal, python_source
from partage._export.sql import coded_table
from partage._partitions.cuts import Cuts
from partage._partitions.rule import Decisions

_HIGHEST = 700.0  # of an exponent that every database takes


@dataclass(frozen=True)
class _CodedColumn:
    """A column as the codes between the conditions that were kept; the last one is missing."""

    decided: Decisions
    special_values: tuple[Any, ...] = ()
    special_rows: tuple[int, ...] = ()

    @property
    def rule(self) -> _CodedColumn:
        """Stand for the rule of a partition."""
        return self

    def decisions(self) -> Decisions:
        """Give the decisions that SQL and Python print."""
        return self.decided


class Coded:
    """The columns that conditions look at, and each condition as a test of a code."""

    def __init__(
        self,
        names: Sequence[str],
        attributes: Sequence[Attribute],
        discriminants: Sequence[Discriminant],
    ) -> None:
        self.columns: list[tuple[str, Any, None, list[str]]] = []
        self._tests: list[tuple[str, str]] = [("", "")] * len(discriminants)
        for index, (name, attribute) in enumerate(zip(names, attributes, strict=True)):
            own = [k for k, d in enumerate(discriminants) if d.column_idx == index]
            if own:
                self._add(name, attribute, [discriminants[k].at for k in own], own)

    def _add(
        self, name: str, attribute: Attribute, kept: list[int], numbers: Sequence[int]
    ) -> None:
        """Write the conditions of one column; they stand in the order of its candidates."""
        code = f"code_{len(self.columns)}"
        is_ordered = attribute.is_ordered
        missing = len(kept) + 1
        for rank, number in enumerate(numbers):
            if is_ordered:
                self._tests[number] = (
                    f"{code} > {rank} AND {code} < {missing}",
                    f"{code} <= {rank}",
                )
            else:
                self._tests[number] = (
                    f"{code} = {rank}",
                    f"{code} <> {rank} AND {code} < {missing}",
                )
        decided = _decisions(name, attribute, kept, missing)
        place = len(self.columns)
        self.columns.append((name, _CodedColumn(decided), None, [f"code {place}"]))

    def test(self, literal_number: int) -> str:
        """Write a condition (even numbers) or its opposite, over code_0, code_1, ..."""
        return self._tests[literal_number // 2][literal_number % 2]


def _decisions(name: str, attribute: Attribute, kept: list[int], missing: int) -> Decisions:
    """Say which value has which code: between the thresholds kept, or one of the values kept."""
    if isinstance(attribute, Numbers):
        rule = Cuts(name, kind=attribute.kind, cut_keys=attribute.cut_keys[kept])
        return replace(rule.decisions(), missing=missing)
    groups: dict[int, list[Any]] = {}
    for value, code in attribute.known():
        if attribute.is_ordered:
            place = int(np.searchsorted(kept, code))
        else:
            place = kept.index(code) if code in kept else len(kept)
        groups.setdefault(place, []).append(value)
    values = tuple((code, tuple(groups[code])) for code in sorted(groups))
    types = tuple(sorted({type_of(value) for _, group in values for value in group}))
    return Decisions(name, (), missing, None, (), values, missing, types)


def conditions_select(model: Any, dialect_name: Any, table: Any, keep: Any) -> str:
    """Write a SELECT of 0 or 1 for each condition."""
    who = f"{type(model).__name__}.to_sql"
    dialect = find_dialect(who, dialect_name)
    coded = Coded(model._names, model._attributes, model.discriminants_)
    names = model.get_feature_names_out().tolist()
    kept, inner = _inner(who, coded, dialect, table, keep, names)
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    outer += [
        f"CASE WHEN {coded.test(2 * k)} THEN 1 ELSE 0 END AS {dialect.identifier(who, name)}"
        for k, name in enumerate(names)
    ]
    return _select(outer, f"(\n{inner}{dialect.fence}\n) AS coded")


def conditions_source(model: Any) -> str:
    """Write a module whose ``transform`` gives 0 or 1 for each condition of one row."""
    who = f"{type(model).__name__}.to_python"
    coded = Coded(model._names, model._attributes, model.discriminants_)
    lines = [
        f"        {literal(who, name)}: int({_in_python(coded.test(2 * k))}),"
        for k, name in enumerate(model.get_feature_names_out().tolist())
    ]
    body = "\n".join(["    return {", *lines, "    }"])
    return f"{_head(who, coded)}\n\n{_TRANSFORM}\n{_unpacked(coded)}{body}\n"


def patterns_select(model: Any, dialect_name: Any, table: Any, keep: Any) -> str:
    """Write a SELECT of the shares of the classes and of the class."""
    who = f"{type(model).__name__}.to_sql"
    dialect = find_dialect(who, dialect_name)
    coded, tests = _patterns(model)
    names = _output_names(model)
    kept, inner = _inner(who, coded, dialect, table, keep, names)
    passed = "".join(f"kept_{i}, " for i in range(len(kept)))
    theory = model._theory
    votes = []
    for j, start in enumerate(theory.base.tolist()):
        # The sum goes from left to right, as in Python, so that every bit is the same.
        pieces = [dialect.as_real(dialect.number(start))]
        pieces += [
            dialect.as_real(f"CASE WHEN {test} THEN {dialect.number(vote)} ELSE 0 END")
            for term, vote, test in zip(theory.terms, theory.votes.tolist(), tests, strict=True)
            if term.label == j
        ]
        pieces.append(dialect.as_real(dialect.number(TIE * float(model._prior[j]))))
        votes.append(f"{' + '.join(pieces)} AS votes_{j}")
    listed = ",\n    ".join(votes)
    source = f"(\n{inner}{dialect.fence}\n  ) AS coded{dialect.fence}"
    voted = f"SELECT\n    {passed}{listed}\n  FROM {source}"
    outer = [f"kept_{i} AS {name}" for i, name in enumerate(kept)]
    shares = _shares_in_sql(dialect, theory, len(theory.base))
    labels = [str(dialect.literal(who, label)) for label in model.classes_.tolist()]
    expressions = [*shares, _decision_in_sql(labels)]
    outer += [
        f"{expression} AS {dialect.identifier(who, name)}"
        for name, expression in zip(names, expressions, strict=True)
    ]
    return _select(outer, f"(\n  {voted}\n) AS voted")


def patterns_source(model: Any) -> str:
    """Write a module whose ``transform`` gives the shares of the classes and the class."""
    who = f"{type(model).__name__}.to_python"
    coded, tests = _patterns(model)
    theory = model._theory
    lines = [f"    votes = [{', '.join(literal(who, x) for x in theory.base.tolist())}]"]
    for term, vote, test in zip(theory.terms, theory.votes.tolist(), tests, strict=True):
        lines.append(f"    if {_in_python(test)}:")
        lines.append(f"        votes[{term.label}] += {literal(who, vote)}")
    for j, share in enumerate(model._prior.tolist()):
        lines.append(f"    votes[{j}] += {literal(who, TIE * share)}")
    if theory.steepness:
        lines.append(f"    steep = {literal(who, theory.steepness)}")
        lines.append("    raised = [math.exp(steep * (one - max(votes))) for one in votes]")
    else:
        lines.append("    raised = votes")
    *shares, prediction = map(ascii, _output_names(model))
    labels = ", ".join(literal(who, label) for label in model.classes_.tolist())
    lines.append(f"    out = dict(zip([{', '.join(shares)}], [x / sum(raised) for x in raised]))")
    lines.append(f"    out[{prediction}] = [{labels}][votes.index(max(votes))]")
    lines.append("    return out")
    body = "\n".join(lines)
    return f"{_head(who, coded)}\n\n{_TRANSFORM}\n{_unpacked(coded)}{body}\n"


_TRANSFORM = '''def transform(row: dict) -> dict:
    """Outputs of one row, by name."""'''


def _output_names(model: Any) -> list[str]:
    return [*(f"probability_{label}" for label in model.classes_.tolist()), "prediction"]


def _patterns(model: Any) -> tuple[Coded, list[str]]:
    """Columns that the patterns look at, and the test of each pattern."""
    binarizer, terms = model.binarizer_, model._theory.terms
    used = sorted({number // 2 for term in terms for number in term.literals})
    place = {k: i for i, k in enumerate(used)}
    discriminants = [binarizer.discriminants_[k] for k in used]
    coded = Coded(binarizer._names, binarizer._attributes, discriminants)
    tests = [
        " AND ".join(coded.test(2 * place[n // 2] + n % 2) for n in term.literals) or "1 = 1"
        for term in terms
    ]
    return coded, tests


def _inner(
    who: str, coded: Coded, dialect: Dialect, table: Any, keep: Any, made: Sequence[str]
) -> tuple[list[str], str]:
    """Write the SELECT of the codes; one without columns still has rows."""
    kept, inner = coded_table(who, coded.columns, dialect, table, keep, made)
    if not coded.columns and not kept:
        inner = inner.replace("SELECT\n    \n", "SELECT\n    1 AS code_0\n", 1)
    return kept, inner


def _select(outer: Sequence[str], source: str) -> str:
    listed = ",\n  ".join(outer) if outer else "1 AS nothing"
    return f"SELECT\n  {listed}\nFROM {source}"


def _shares_in_sql(dialect: Dialect, theory: Any, n: int) -> list[str]:
    """Write the share of each class over votes_0, votes_1, ..."""
    if not theory.steepness:
        whole = " + ".join(f"votes_{j}" for j in range(n))
        return [f"votes_{j} / ({whole})" for j in range(n)]
    steep = dialect.as_real(dialect.number(theory.steepness))
    most = theory.steepness * float(theory.base.sum() + theory.votes.sum() + 1.0)

    def power(k: int, j: int) -> str:
        exponent = f"{steep} * (votes_{k} - votes_{j})"
        if most <= _HIGHEST:
            return f"EXP({exponent})"
        top, low = dialect.number(_HIGHEST), dialect.number(-_HIGHEST)
        return (
            f"EXP(CASE WHEN {exponent} > {top} THEN {top} WHEN {exponent} < {low} THEN {low} "
            f"ELSE {exponent} END)"
        )

    return [f"1.0 / ({' + '.join(power(k, j) for k in range(n))})" for j in range(n)]


def _decision_in_sql(labels: Sequence[str]) -> str:
    """Write the class with most votes; of equals the first."""
    branches = []
    for j in range(len(labels) - 1):
        tests = [f"votes_{j} >= votes_{k}" for k in range(j + 1, len(labels))]
        branches.append(f"WHEN {' AND '.join(tests)} THEN {labels[j]}")
    return f"CASE {' '.join(branches)} ELSE {labels[-1]} END"


def _head(who: str, coded: Coded) -> str:
    source = python_source(who, coded.columns).replace("def transform(row", "def _codes(row")
    return source.replace("import decimal\n", "import decimal\nimport math\n", 1)


def _unpacked(coded: Coded) -> str:
    """Give the codes of a row the names that the tests use."""
    if not coded.columns:
        return ""
    names = "".join(f"code_{i}, " for i in range(len(coded.columns)))
    return f"    {names}= _codes(row).values()\n"


def _in_python(test: str) -> str:
    """Turn a test of SQL into Python's; it holds codes and whole numbers only."""
    return test.replace(" AND ", " and ").replace(" <> ", " != ").replace(" = ", " == ")


__all__ = ["conditions_select", "conditions_source", "patterns_select", "patterns_source"]
