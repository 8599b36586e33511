"""What ``transform`` gives for a code: itself, bits, a label, class shares, or evidence."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.averages import as_averaged
from partage._partitions.partition import Partition
from partage._support.checks import RATES

_BITS = ("onehot", "sparse")


def shown_as(who: str, partition: Partition, output: str) -> Partition:
    """Give the parts that an output shows: of averaged shares the finest that carry them."""
    found: Partition = as_averaged(who, partition) if output == "averaged" else partition
    return found


def output_names(partition: Partition, name: str, output: str) -> list[str]:
    """Names of the columns a partition becomes."""
    if output in _BITS:
        labels = partition.code_labels()
        return _told_apart({code: f"{name}_{labels[code]}" for code in _codes_with_bits(partition)})
    if output in RATES:
        return partition.target.output_names(output, name)
    return [name]


def _told_apart(names: dict[int, str]) -> list[str]:
    """Add its code to a name that another code has too, as of the number 0 and the text "0"."""
    often = Counter(names.values())
    return [name if often[name] == 1 else f"{name}_{code}" for code, name in names.items()]


def _codes_with_bits(partition: Partition) -> list[int]:
    """Codes that have a column of bits: all but that of unseen values."""
    n_parts = partition.n_parts
    return [*range(n_parts + 1), *range(n_parts + 2, n_parts + 2 + len(partition.special_values))]


def output_values(partition: Partition, output: str) -> NDArray[Any] | None:
    """Row of output for each code; None where the code is the output."""
    if output == "code":
        return None
    if output in _BITS:
        return np.eye(len(partition.code_labels()))[:, _codes_with_bits(partition)]
    if output == "label":
        return np.array(partition.code_labels(), dtype=object)[:, None]
    # Medians are not averaged.
    shown = partition.code_tally() if output == "median" else partition.shown_tally()
    return partition.target.outputs(output, shown, partition.total())


def values_at(partition: Partition, output: str, codes: NDArray[np.int64]) -> NDArray[Any]:
    """Rows of output for rows of codes."""
    block = output_values(partition, output)
    return codes[:, None] if block is None else block[codes]


def bit_places(partition: Partition) -> NDArray[np.int64]:
    """Column of the bit of each code; -1 where a code has none."""
    places = np.full(len(partition.code_labels()), -1)
    with_bits = _codes_with_bits(partition)
    places[with_bits] = np.arange(len(with_bits))
    return places


def sparse_bits(columns: NDArray[Any], n_columns: int) -> Any:
    """Return a sparse array of ones at the columns given for each row, -1 being none."""
    from scipy import sparse

    has_bit = columns >= 0
    ends = np.zeros(len(columns) + 1, dtype=columns.dtype)
    np.cumsum(has_bit.sum(axis=1), out=ends[1:])
    found = columns.ravel() if ends[-1] == columns.size else columns[has_bit]
    return sparse.csr_array((np.ones(len(found)), found, ends), shape=(len(columns), n_columns))


def output_dtype(output: str) -> type[Any]:
    """Type of the output."""
    return {"code": np.int64, "label": object}.get(output, np.float64)
