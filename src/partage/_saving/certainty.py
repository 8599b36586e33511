"""Certainties as plain data beside the partition they belong to."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.certainty import STRETCHES, Certainty
from partage._partitions.cuts import Cuts
from partage._partitions.rule import Rule
from partage._partitions.value_groups import ValueGroups
from partage._saving.plain import keys_to_plain, read_keys

_TABLES = ("shares", "deviations")
_PROBABLE = 1.0 + 1e-6  # sums of probabilities are rounded


def certainty_to_plain(certainty: Certainty) -> dict[str, Any]:
    """Describe a certainty with text, numbers, lists and dicts only."""
    lows, highs = certainty.border_keys.T
    return {
        "n_parts": [[k, p] for k, p in certainty.n_parts.items()],
        "log_evidence": certainty.log_evidence,
        "is_exact": certainty.is_exact,
        "blocks": _WRITERS[type(certainty.rule)](certainty.rule),
        **{name: getattr(certainty, name).tolist() for name in _TABLES},
        "weights": certainty.weights.tolist(),
        "below": keys_to_plain(lows),
        "above": keys_to_plain(highs),
        "probabilities": certainty.border_probabilities.tolist(),
        "cut_borders": certainty.cut_borders.tolist(),
        "stretches": certainty.stretches.tolist(),
    }


def _cuts_to_plain(rule: Any) -> list[Any]:
    """Write the cuts between blocks."""
    return keys_to_plain(rule.cut_keys)


def _groups_to_plain(rule: Any) -> list[int]:
    """Write how many values each block has."""
    return [len(group) for group in rule.groups]


_WRITERS: dict[type[Rule], Callable[[Any], list[Any]]] = {
    Cuts: _cuts_to_plain,
    ValueGroups: _groups_to_plain,
}


def read_certainty(plain: dict[str, Any], partition: Any) -> Certainty:
    """Read what ``certainty_to_plain`` gave; raise ``ValueError`` where pieces do not fit."""
    rule = partition.rule
    dtype = rule.border_keys.dtype if rule.is_measured else np.int64
    keys = np.column_stack([read_keys(plain[name], dtype) for name in ("below", "above")])
    n_borders = len(keys)
    rule = _READERS[type(rule)](partition, plain["blocks"])
    _require(bool((keys[:, 0] < keys[:, 1]).all()), "borders must lie between two values")
    if not rule.is_measured:
        n_values = sum(map(len, rule.members()))
        _require(bool(((keys >= 0) & (keys < n_values)).all()), "borders must name values")
    n_codes = len(rule.homes())
    low, high = partition.target.law_range
    shape = n_codes, max(len(partition.classes), 1)
    tables = {
        "shares": _numbers(plain["shares"], shape, "shares", high * _PROBABLE, low),
        "deviations": _numbers(plain["deviations"], shape, "deviations", high * _PROBABLE),
    }
    cut_borders = _borders(plain["cut_borders"], (partition.n_parts - 1,), n_borders)
    stretches = _borders(plain["stretches"], (len(cut_borders), len(STRETCHES)), n_borders)
    sizes = {_whole(k): float(p) for k, p in plain["n_parts"]}
    _require(all(0.0 < p < _PROBABLE for p in sizes.values()), "n_parts must be probabilities")
    _require(rule.n_parts == n_borders + 1, "borders do not fit the blocks")
    _require(isinstance(plain["is_exact"], bool), "is_exact must be true or false")
    evidence = float(plain["log_evidence"])
    _require(math.isfinite(evidence), "log_evidence must be finite")
    return Certainty(
        name=partition.name,
        method=partition.method,
        n_parts=sizes,
        log_evidence=evidence,
        is_exact=plain["is_exact"],
        n_values=partition.n_values,
        target=partition.target,
        library=partition.library,
        rule=rule,
        **tables,
        weights=_numbers(plain["weights"], (rule.n_parts,), "weights", math.inf),
        border_keys=keys,
        border_probabilities=_numbers(plain["probabilities"], (n_borders,), "probabilities"),
        cut_borders=cut_borders,
        stretches=stretches,
        cut_values=tuple(partition._border_values()),
    )


def _read_cuts(partition: Any, plain: list[Any]) -> Rule:
    """Build the rule of blocks of numbers."""
    apart = partition.rule.with_aside([None] * len(partition.rule.aside_parts))
    keys = read_keys(plain, partition.kind.dtype)
    _require(bool((np.diff(keys) > 0).all()), "cuts between blocks do not increase")
    found: Rule = replace(apart, cut_keys=keys)
    return found


def _read_groups(partition: Any, plain: list[Any]) -> Rule:
    """Build the rule of blocks of values: those of the groups in their order."""
    ends = np.cumsum([0, *map(_whole, plain)])
    values = [value for group in partition.groups for value in group]
    _require(bool((np.diff(ends) > 0).all()) and ends[-1] == len(values), "blocks hold no values")
    found: Rule = partition._rule_of_values(tuple(values), ends)
    return found


_READERS: dict[type[Rule], Callable[[Any, list[Any]], Rule]] = {
    Cuts: _read_cuts,
    ValueGroups: _read_groups,
}


def _require(holds: bool, message: str) -> None:
    """Raise unless something holds."""
    if not holds:
        raise ValueError(f"certainty: {message}")


def _whole(value: Any) -> int:
    """Read a whole number of at least 1."""
    _require(type(value) is int and value > 0, "a number must be whole and at least 1")
    return int(value)


def _numbers(
    plain: Any,
    shape: tuple[int, ...],
    what: str,
    most: float = _PROBABLE,
    least: float = 0.0,
) -> NDArray[np.float64]:
    """Read finite numbers from the least, 0, to the most, in an array of that shape."""
    numbers = np.array(plain, dtype=np.float64).reshape(shape)
    fits = np.isfinite(numbers) & (numbers >= least) & (numbers <= most)
    _require(bool(fits.all()), f"{what} are no such numbers")
    return numbers


def _borders(plain: Any, shape: tuple[int, ...], n_borders: int) -> NDArray[np.int64]:
    """Read numbers of borders; -1 is none."""
    numbers = np.array(plain)
    _require(numbers.dtype.kind == "i" or not numbers.size, "borders must be whole numbers")
    found = numbers.astype(np.int64).reshape(shape)
    _require(bool(((found >= -1) & (found < n_borders)).all()), "there is no such border")
    return found


__all__ = ["certainty_to_plain", "read_certainty"]
