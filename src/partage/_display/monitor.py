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
from partage._partitions.other_rows import expected_level, expressed_in, level_on, stability
from partage._support.frames import make_frame
from partage._targets.read import read_target
from partage._targets.tally import Tally
from partage._targets.target import TargetRows, check_lengths

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
    X, name, periods = take_periods(who, X, by, partitions)
    table = read_table(who, X)
    _check_columns(who, table.names, partitions)
    if periods is None:
        shown, place = ["all"], np.zeros(table.n_rows, dtype=np.int64)
    elif len(periods) == table.n_rows:
        shown, place = in_order(periods)
    else:
        raise ValueError(
            f"{who}: by must have a period for each of the {table.n_rows} rows; got {len(periods)}."
        )
    kind = next(iter(partitions.values())).target.kind
    target = None if y is None else read_target(who, y, sample_weight, target_type=kind)
    rows: dict[str, list[Any]] = {}
    for column, partition in partitions.items():
        codes = partition._assign_from(who, table, table.names.index(column))
        labels = None if target is None else expressed_in(who, partition, target)
        if labels is not None:
            check_lengths(who, "X", len(codes), labels)
        for i, period in enumerate(shown):
            mask = place == i
            row = {"column": column, "period": period, "rows": int(mask.sum())}
            row |= _describe(partition, codes, labels, mask, sample_weight)
            for key, value in row.items():
                rows.setdefault(key, []).append(value)
    return Monitoring(make_frame(rows, library or table.library), name)


def _check_columns(who: str, names: list[str], partitions: dict[str, Any]) -> None:
    """Refuse a table without a fitted column."""
    absent = [name for name in partitions if name not in names]
    if absent:
        raise ValueError(f"{who}: X must have the fitted columns; {absent[0]!r} is not in it.")


def take_periods(
    who: str, X: Any, by: Any, partitions: dict[str, Any]
) -> tuple[Any, str, NDArray[Any] | None]:
    """Take the periods: a column of X, or values beside it; none where all rows are one."""
    if by is None:
        return X, "period", None
    if not isinstance(by, str):
        return X, str(getattr(by, "name", None) or "period"), as_vector(who, "by", by)
    frame = nw.from_native(X, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or by not in frame.columns:
        raise ValueError(f"{who}: by must be a column of X, or its values; got {by!r}.")
    values = np.asarray(as_vector(who, "by", frame[by].to_native()))
    rest = frame if by in partitions else frame.drop(by)
    return rest.to_native(), by, values


def in_order(periods: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct periods, sorted, and the place of each row's."""
    distinct, codes = encode(periods)
    is_time = periods.dtype.kind in "Mm"
    found = [str(period) for period in distinct] if is_time else distinct.tolist()
    order = sorted(range(len(found)), key=lambda i: (str(type(found[i])), found[i]))
    place = np.empty(len(found), dtype=np.int64)
    place[order] = np.arange(len(found))
    return [found[i] for i in order], place[codes]


def _describe(
    partition: Any,
    codes: NDArray[np.int64],
    labels: TargetRows | None,
    mask: NDArray[np.bool_],
    sample_weight: Any,
) -> dict[str, Any]:
    """Stability, shares beside the parts, and level of one column in one period."""
    n_codes, n_parts = len(partition.code_labels()), partition.n_parts
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)[mask]
    sizes = np.bincount(codes[mask], weights, minlength=n_codes).astype(np.float64)
    found = Tally(np.bincount(codes[mask], minlength=n_codes).astype(np.int64), sizes)
    total = float(sizes.sum())
    shares = sizes / max(total, np.finfo(float).tiny)
    row = {
        "psi": float(stability(partition.own_tally(), found).sum()),
        "missing": float(shares[n_parts]),
        "unseen": float(shares[n_parts + 1]) if partition.has_unseen else 0.0,
    }
    if labels is not None:
        here = labels.without(~mask)
        tally = here.tally(here.kept_of(codes), n_codes)
        row["level"] = level_on(partition, tally) if total else 0.0
        row["expected_level"] = expected_level(partition, total)
        row["level_fitted"] = partition.level
    return row
