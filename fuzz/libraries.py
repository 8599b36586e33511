"""The same table in other libraries, and in other types of the same values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

WHOLE = [pa.int8(), pa.int16(), pa.int32(), pa.int64()]
TEXT = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
TIMES = [pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")]
ARROW = {
    "float": [pa.float64()],
    "whole": WHOLE,
    "large": [pa.int64(), pa.uint64()],
    "bool": [pa.bool_()],
    "date": [pa.date32(), pa.date64()],
    "time": TIMES,
    "decimal": [pa.decimal128(10, 2), pa.decimal128(20, 4)],
    "text": TEXT,
}


def other_frames(
    frame: pd.DataFrame, columns: dict[str, list[Any]], kinds: dict[str, str]
) -> Iterator[tuple[str, Any]]:
    """Yield what a table is called, and the table; columns of mixed types stay with pandas."""
    yield "pandas, types that hold gaps", frame.convert_dtypes()
    if any(kinds[name] not in ARROW for name in columns):
        return
    n_rows = len(next(iter(columns.values())))
    arrow = pa.table(
        {
            name: pa.array(values, ARROW[kinds[name]][(n_rows + i) % len(ARROW[kinds[name]])])
            for i, (name, values) in enumerate(columns.items())
        }
    )
    types = ", ".join(str(field.type) for field in arrow.schema)
    yield f"pyarrow ({types})", arrow
    yield f"pandas of arrow ({types})", arrow.to_pandas(types_mapper=pd.ArrowDtype)
    yield f"polars ({types})", pl.from_arrow(arrow)
