"""Statistics of a target that is a number, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from partage._support.frames import Frame, make_frame

if TYPE_CHECKING:
    from partage._partitions.parts import Parts

__all__ = ["stats_table"]


def stats_table(partition: Parts) -> Frame:
    """One row per part, of a target that is a number."""
    if partition.target.kind != "number":
        raise ValueError(
            f"{type(partition).__name__}.stats: the target must be a number; column "
            f"{partition.name!r} has classes. Their counts are in `counts`, and in `table()`."
        )
    parts = partition.tally.take(slice(partition.n_parts))
    columns: dict[str, Any] = {
        "part": partition.labels(),
        "rows": parts.rows.copy(),
        "weight": parts.weight.copy(),
    }
    for name, values in partition.target.columns(parts).items():
        if name != "difference":
            columns[name] = values[:-1]
    return make_frame(columns, partition.library)
