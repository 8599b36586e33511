"""What ``transform`` gives for a code: itself, bits, a label, class shares, or evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions import Partition


def output_names(partition: Partition, name: str, output: str) -> list[str]:
    """Names of the columns a partition becomes."""
    if output == "onehot":
        labels = partition.code_labels()
        return [f"{name}_{labels[code]}" for code in _codes_with_bits(partition)]
    if output == "rate" or (output == "woe" and len(partition.classes) > 2):
        return [f"{name}_{label}" for label in partition.classes.tolist()]
    return [name]


def _codes_with_bits(partition: Partition) -> list[int]:
    """Codes that have a column of bits: all but that of unseen values."""
    n_parts = partition.n_parts
    return [*range(n_parts + 1), *range(n_parts + 2, n_parts + 2 + len(partition.special_values))]


def output_values(partition: Partition, output: str) -> NDArray[Any] | None:
    """Row of output for each code; None where the code is the output."""
    if output == "code":
        return None
    if output == "onehot":
        return np.eye(len(partition.code_labels()))[:, _codes_with_bits(partition)]
    if output == "label":
        return np.array(partition.code_labels(), dtype=object)[:, None]
    if output == "rate":
        return partition.code_rates()
    if len(partition.classes) < 2:
        return np.zeros((len(partition.code_labels()), 1))
    several = len(partition.classes) > 2
    labels = range(len(partition.classes)) if several else [partition.event]
    return np.column_stack([partition.code_woe(label) for label in labels])


def values_at(partition: Partition, output: str, codes: NDArray[np.int64]) -> NDArray[Any]:
    """Rows of output for rows of codes."""
    block = output_values(partition, output)
    return codes[:, None] if block is None else block[codes]


def output_dtype(output: str) -> type[Any]:
    """Type of the output."""
    return {"code": np.int64, "label": object}.get(output, np.float64)
