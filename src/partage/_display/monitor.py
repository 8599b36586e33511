"""How stable the parts of a table stay over time, or over any other split of new rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._data.encoding import encode
from partage._data.table import as_vector, read_table
from partage._display.notebook import table_html
from partage._partitions.other_rows import (
    expected_level,
    level_on,
    stability,
    target_like,
)
from partage._support.frames import make_frame
from partage._targets.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALERT = 0.25  # a stability index above is usually called a shift
WARNING = 0.1


@dataclass(frozen=True)
class Monitoring:
    """Stability of every column in every period.

    Attributes
    ----------
    frame : DataFrame
        One row per column and period: ``column``, ``period``, ``rows``, ``psi``, ``missing`` and
        ``unseen`` (shares), and with a target ``level``, ``expected_level`` and ``level_fitted``.
        Fewer rows have a lower level; ``expected_level`` is the one that the fitted shares have at
        as many rows as the period holds: where ``level`` is about as high, nothing was lost.
    by : str
        What the periods are.
    """

    frame: Any
    by: str

    def plot(self, ax: Axes | None = None, *, most: int = 8) -> Axes:
        """Draw the stability index of the least stable columns over the periods.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.
        most : int, default=8
            Number of columns drawn.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.plots import plot_drift

        return plot_drift(self.frame, self.by, ax, most)

    def __repr__(self) -> str:
        return repr(self.frame)

    def _repr_html_(self) -> str:
        return table_html(self.frame)


def monitor(
    who: str,
    partitions: dict[str, Any],
    X: Any,
    y: Any,
    by: Any,
    sample_weight: Any,
    library: str | None = None,
) -> Monitoring:
    """Count every column in every period; ``library`` makes the frame, else the table's."""
    X, name, periods = _take_periods(who, X, by, partitions)
    table = read_table(who, X)
    _check_columns(who, table.names, partitions)
    if len(periods) != table.n_rows:
        raise ValueError(
            f"{who}: by must have a period for each of the {table.n_rows} rows; got {len(periods)}."
        )
    shown, place = _in_order(periods)
    rows: dict[str, list[Any]] = {}
    for column, partition in partitions.items():
        codes = partition._assign_from(who, table, table.names.index(column))
        fitted = partition.own_tally()
        for i, period in enumerate(shown):
            mask = place == i
            row = {"column": column, "period": period, "rows": int(mask.sum())}
            row |= _describe(who, partition, fitted, codes[mask], y, mask, sample_weight)
            for key, value in row.items():
                rows.setdefault(key, []).append(value)
    return Monitoring(make_frame(rows, library or table.library), name)


def _check_columns(who: str, names: list[str], partitions: dict[str, Any]) -> None:
    """Refuse a table without a fitted column."""
    absent = [name for name in partitions if name not in names]
    if absent:
        raise ValueError(f"{who}: X must have the fitted columns; {absent[0]!r} is not in it.")


def _take_periods(
    who: str, X: Any, by: Any, partitions: dict[str, Any]
) -> tuple[Any, str, NDArray[Any]]:
    """Take the periods: a column of X, or values beside it."""
    if not isinstance(by, str):
        return X, str(getattr(by, "name", None) or "period"), as_vector(who, "by", by)
    frame = nw.from_native(X, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or by not in frame.columns:
        raise ValueError(f"{who}: by must be a column of X, or its values; got {by!r}.")
    values = np.asarray(as_vector(who, "by", frame[by].to_native()))
    rest = frame if by in partitions else frame.drop(by)
    return rest.to_native(), by, values


def _in_order(periods: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct periods, sorted, and the place of each row's."""
    distinct, codes = encode(periods)
    is_time = periods.dtype.kind in "Mm"
    found = [str(period) for period in distinct] if is_time else distinct.tolist()
    order = sorted(range(len(found)), key=lambda i: (str(type(found[i])), found[i]))
    place = np.empty(len(found), dtype=np.int64)
    place[order] = np.arange(len(found))
    return [found[i] for i in order], place[codes]


def _describe(
    who: str,
    partition: Any,
    fitted: Tally,
    codes: NDArray[np.int64],
    y: Any,
    mask: NDArray[np.bool_],
    sample_weight: Any,
) -> dict[str, Any]:
    """Stability, shares beside the parts, and level of one column in one period."""
    n_codes, n_parts = len(partition.code_labels()), partition.n_parts
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)[mask]
    sizes = np.bincount(codes, weights, minlength=n_codes).astype(np.float64)
    found = Tally(np.bincount(codes, minlength=n_codes).astype(np.int64), sizes)
    total = max(sizes.sum(), np.finfo(float).tiny)
    row = {
        "psi": float(stability(fitted, found).sum()),
        "missing": float(sizes[n_parts] / total),
        "unseen": float(sizes[n_parts + 1] / total) if partition.has_unseen else 0.0,
    }
    if y is not None:
        target = target_like(who, partition, as_vector(who, "y", y)[mask], weights)
        row["level"] = level_on(partition, target.tally(target.kept_of(codes), n_codes))
        row["expected_level"] = expected_level(partition, float(sizes.sum()))
        row["level_fitted"] = partition.level
    return row
