"""Lazy frames of Polars."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import narwhals as nw

from partage.engines.engine import BATCH, Engine


class Polars(Engine):
    """A lazy frame of Polars."""

    name = "polars"
    compares_zones = False
    time_format = "%Y-%m-%d %H:%M:%S%.f"
    can_stream = True

    def names(self, frame: nw.LazyFrame[Any]) -> list[str]:
        """Names of the columns, of which Polars warns that they may take time to find."""
        return list(frame.collect_schema().names())

    def renamed(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Rename by the whole list, since Polars reads some names as patterns."""
        native = frame.to_native()
        names = {name: f"c{i}" for i, name in enumerate(self.names(frame))}
        renamed: nw.LazyFrame[Any] = nw.from_native(native.rename(names))
        return renamed

    def named(self, frame: nw.LazyFrame[Any], names: list[str]) -> Any:
        """Rename by the whole list."""
        return frame.to_native().rename(dict(zip(self.names(frame), names, strict=True)))

    def table(self, frame: nw.LazyFrame[Any], columns: dict[str, list[Any]]) -> nw.LazyFrame[Any]:  # noqa: ARG002  # as every engine
        """Make a lazy frame."""
        import polars as pl

        return nw.from_native(pl.LazyFrame(columns))

    def collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run a query by the streaming engine."""
        try:
            found = frame.to_native().collect(engine="streaming")
        except KeyboardInterrupt:
            with suppress(KeyboardInterrupt):
                time.sleep(0.01)  # Python raises again what Polars reported
            raise
        return nw.from_native(found, eager_only=True)

    def estimate_distinct(self, frame: nw.LazyFrame[Any], columns: list[str]) -> dict[str, int]:
        """Estimate by HyperLogLog, all columns in one query."""
        import polars as pl

        found = frame.to_native().select(pl.col(columns).approx_n_unique())
        return dict(found.collect(engine="streaming").row(0, named=True))

    def batches(self, frame: nw.LazyFrame[Any]) -> Iterator[Any]:
        """Stream the result."""
        for piece in frame.to_native().collect_batches(chunk_size=BATCH, maintain_order=False):
            yield piece.to_arrow()
