"""Work on batches of rows, where they are: samples, counts in small intervals, rows of some.

The functions made here travel to workers, so they need NumPy and pyarrow only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Read = Callable[[Any], tuple[Any, Any, Any]]
MOST_SORTED = 8  # classes that are sorted one by one; for more, every row is searched


def make_reader(form: str, label_values: list[Any] | None, label_codes: list[int] | None) -> Read:
    """Make the reader of a batch: keys, class codes and weights; missing keys have the mask."""

    def read(batch: Any) -> tuple[Any, Any, Any]:
        import pyarrow as pa
        import pyarrow.compute as pc

        def array(name: str) -> Any:
            column = batch.column(name)
            return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column

        values = array("value")
        if form == "float":
            keys = np.asarray(values.cast(pa.float64()).to_numpy(zero_copy_only=False)) + 0.0
            gone = np.isnan(keys)
        else:
            gone = np.asarray(values.is_null().to_numpy(zero_copy_only=False), dtype=bool)
            if pa.types.is_timestamp(values.type):
                values = values.cast(pa.timestamp(form)).cast(pa.int64())
            keys = values.fill_null(0).to_numpy(zero_copy_only=False)
            if form == "unsigned":
                keys = (keys.astype(np.uint64) ^ np.uint64(1 << 63)).view(np.int64)
            keys = np.asarray(keys, dtype=np.int64)
        if "label" not in batch.schema.names:
            return keys[~gone], None, None
        labels = array("label")
        if label_values is None:
            codes = labels.to_numpy(zero_copy_only=False).astype(np.int64)
        else:
            if pa.types.is_dictionary(labels.type):
                labels = labels.dictionary_decode()
            known = pa.array(label_values).cast(labels.type)
            place = pc.index_in(labels, value_set=known).to_numpy(zero_copy_only=False)
            codes = np.asarray(label_codes)[place.astype(np.int64)]
        weights = None
        if "weight" in batch.schema.names:
            weights = array("weight").to_numpy(zero_copy_only=False)
        return (keys, gone), codes, weights

    return read


def make_sampler(read: Read, share: float) -> Callable[[Any], NDArray[Any]]:
    """Make a sampler: keys whose hash is low, the same for any order of the rows, and ends."""
    highest = min(2**64 - 1, int(share * 2**64))

    def sample(batch: Any) -> NDArray[Any]:

        keys = read(batch)[0]
        mixed = keys.view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
        ends = [keys.min(), keys.max()] if len(keys) else []
        return np.append(keys[mixed <= np.uint64(highest)], np.array(ends, dtype=keys.dtype))

    return sample


def make_counter(read: Read, edges: NDArray[Any], n_classes: int) -> Callable[[Any], Any]:
    """Make a counter: rows and weights by interval and class, missing values last.

    Interval i holds the keys above edge i - 1 and up to edge i; no key is above the last edge.
    """
    most_sorted = MOST_SORTED

    def count(batch: Any) -> Any:

        (keys, gone), codes, weights = read(batch)
        n = len(edges) + 1
        if weights is None and n_classes <= most_sorted:
            rows = np.zeros((n, n_classes), dtype=np.int64)
            for j in range(n_classes):
                of_class = codes == j
                own = np.sort(keys[of_class & ~gone])
                ends = np.searchsorted(own, edges, side="right")
                rows[:-1, j] = np.diff(ends, prepend=0)
                rows[-1, j] = (of_class & gone).sum()
            return rows, None
        place = np.searchsorted(edges, keys, side="left")
        place[gone] = n - 1
        cells = place * n_classes + codes
        rows = np.bincount(cells, minlength=n * n_classes).reshape(n, n_classes)
        if weights is None:
            return rows, None
        heavy = np.bincount(cells, weights, minlength=n * n_classes).reshape(n, n_classes)
        return rows, heavy

    return count


def make_picker(read: Read, bounds: NDArray[Any]) -> Callable[[Any], Any]:
    """Make a picker of the rows above each even bound and up to the odd one behind it."""

    def pick(batch: Any) -> Any:

        (keys, gone), codes, weights = read(batch)
        held = (np.searchsorted(bounds, keys, side="left") % 2 == 1) & ~gone
        return keys[held], codes[held], None if weights is None else weights[held]

    return pick


def make_combiners() -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Make what puts samples together, adds up counts, and puts rows together."""

    def join_samples(one: Any, two: Any) -> Any:
        import numpy as np

        return np.concatenate([one, two])

    def add_counts(one: Any, two: Any) -> Any:
        return one[0] + two[0], None if one[1] is None else one[1] + two[1]

    def join_rows(one: Any, two: Any) -> Any:
        import numpy as np

        pairs = zip(one, two, strict=True)
        return tuple(None if a is None else np.concatenate([a, b]) for a, b in pairs)

    return join_samples, add_counts, join_rows


def make_distinct(n_kept: int) -> tuple[Callable[[Any], Any], Callable[..., Any]]:
    """Make the sketch of distinct values of every column, their lowest hashes, and its union."""

    def lowest(batch: Any) -> Any:
        import numpy as np
        import pyarrow as pa

        out = {}
        for name in batch.schema.names:
            column = batch.column(name)
            values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
            values = values.drop_null()
            if pa.types.is_timestamp(values.type):
                values = values.cast(pa.int64())
            if pa.types.is_floating(values.type):
                values = values.cast(pa.float64())
            keys = (values.to_numpy(zero_copy_only=False) + 0).astype(
                np.float64 if pa.types.is_floating(values.type) else np.int64
            )
            mixed = keys.view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            out[name] = np.unique(mixed ^ (mixed >> np.uint64(31)))[:n_kept]
        return out

    def union(one: Any, two: Any) -> Any:
        import numpy as np

        return {name: np.union1d(one[name], two[name])[:n_kept] for name in one}

    return lowest, union


def n_distinct_of(lowest: NDArray[np.uint64], n_kept: int) -> int:
    """Estimate the number of distinct values by the lowest of their hashes."""
    if len(lowest) < n_kept:
        return len(lowest)
    return int((n_kept - 1) * 2.0**64 / float(lowest[-1]))
