"""``report``: the page of a table, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from partage._data.conversions import convert
from partage._data.table import as_vector
from partage._estimators.table_model import TableModel
from partage._report.document import ReportPage
from partage._report.making import Request, check_periods, held_out, make_report
from partage._report.readings import prepare, remarks_of
from partage._support.checks import check_choice
from partage._support.extras import require

_WHO = "report"
_DEFAULTS = {"target_type": "auto", "cut_style": "simple", "n_jobs": -1}


def report(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    positive: Any = None,
    holdout: Any = None,
    by: Any = None,
    sample_weight: Any = None,
    title: str = "",
    path: Any = None,
    understand: bool | str = False,
    **parameters: Any,
) -> ReportPage:
    """Partition every column of a table, and show what each says about the target on a page.

    Parameters
    ----------
    X : data frame
        The table.
    y : array-like of shape (n_rows,), default=None
        The class of each row, or its number, unless it is a column of X.
    target : str, default=None
        Name of that column.
    positive : class, default=None
        The event, whose rate is shown; by default the last of two classes.
    holdout : float or data frame, default=None
        Share of the rows, drawn at random, that no part is made from, or other rows.
    by : str or array-like of shape (n_rows,), default=None
        Period of each row, to compare; a column of this name is not partitioned.
    sample_weight : array-like of shape (n_rows,), default=None
        How often each row counts.
    title : str, default=""
        What the table is called; by default its size.
    path : str or Path, default=None
        Where to write the page.
    understand : bool or "auto", default=False
        Whether text is converted and identifiers left out, as by the command and its ``--auto``.
    **parameters
        Those of ``TablePartitioner``; ``cut_style`` is ``"simple"`` unless it is given.

    Returns
    -------
    ReportPage
        Notebooks show it; ``save`` writes it. It is the page of the command ``partage report``.

    Examples
    --------
    >>> import polars as pl, partage as pt
    >>> df = pl.DataFrame({"age": range(18, 78), "paid": ["no"] * 25 + ["yes"] * 35})
    >>> pt.report(df, target="paid", title="loans").title
    'loans: paid'
    """
    asked = _request(X, y, target, holdout, by, sample_weight, title)
    request, given = _understood(asked, _DEFAULTS | parameters, understand)
    _, page = make_report(TableModel(**given, positive=positive), request)
    if path is not None:
        page.save(path)
    return page


def _understood(
    request: Request, given: dict[str, Any], understand: bool | str
) -> tuple[Request, dict[str, Any]]:
    """Look at the columns, if asked to; a holdout that is given is read in the same way."""
    import polars as pl

    if understand is False:
        return request, given
    if understand is not True:
        check_choice(_WHO, "understand", understand, ("auto",))
    special = given.get("special_values")
    share = request.holdout if isinstance(request.holdout, float) else None
    held = None if share is None else held_out(len(request.frame), share)
    found = prepare(
        request.frame,
        request.target,
        kinds=given.get("kinds"),
        special=tuple(special) if isinstance(special, Mapping) else (),
        kept=tuple(name for one in given.values() if isinstance(one, Mapping) for name in one),
        auto=understand == "auto",
        sample_weight=request.weights,
        is_fitted=None if held is None else pl.Series(~held),
        target_type=given["target_type"],
    )
    holdout = request.holdout
    if holdout is not None and share is None:
        holdout = convert(holdout, found.conversions)
    remarks = remarks_of(found.decisions)
    return (
        replace(request, frame=found.frame, holdout=holdout, remarks=remarks),
        found.parameters(given),
    )


def _request(
    X: Any, y: Any, target: str | None, holdout: Any, by: Any, sample_weight: Any, title: str
) -> Request:
    """Read what was given."""
    require("the report", "polars", "report")
    frame, name = _with_target(X, y, target)
    periods = None
    if by is not None:
        frame, periods = _take_periods(frame, by, name)
    if isinstance(holdout, (int, float)) and not isinstance(holdout, bool):
        if not 0 < holdout < 1:
            raise ValueError(f"{_WHO}: holdout must be a share between 0 and 1; got {holdout!r}.")
        holdout = float(holdout)
    elif holdout is not None:
        holdout = _read_frame("holdout", holdout)
    return Request(
        frame=frame,
        target=name,
        source=title or f"{len(frame):,} rows, {len(frame.columns) - 1} columns",
        weights=None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64),
        holdout=holdout,
        periods=periods,
    )


def _read_frame(name: str, X: Any) -> Any:
    """Read a data frame of any library as one of polars."""
    import polars as pl

    if isinstance(X, pl.DataFrame):
        return X
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise TypeError(
            f"{_WHO}: {name} must be a data frame; got {type(X).__name__}. Name its columns with "
            "pandas.DataFrame, say."
        )
    require("the report of a frame of another library", "pyarrow", "report")
    return pl.DataFrame([_read_column(column) for column in frame.iter_columns()])


def _read_column(column: nw.Series[Any]) -> Any:
    """Read a column; orders are kept, and values of different types become text."""
    import polars as pl

    try:
        found = column.to_polars()
    except (TypeError, ValueError):
        values = column.to_list()
        texts = [None if value is None or value != value else str(value) for value in values]
        found = pl.Series(column.name, texts, dtype=pl.String)
    if isinstance(column.dtype, nw.Enum):
        return found.cast(pl.Enum(column.dtype.categories))
    return found


def _with_target(X: Any, y: Any, target: str | None) -> tuple[Any, str]:
    """Put the target beside the columns, under a name."""
    import polars as pl

    frame = _read_frame("X", X)
    if (y is None) == (target is None):
        given = "neither" if y is None else "both"
        raise ValueError(
            f"{_WHO}: one of y and target must be given, the classes or the name of their column; "
            f"got {given}."
        )
    if target is not None:
        if target not in frame.columns:
            raise ValueError(f"{_WHO}: target must name a column of X; got {target!r}.")
        return frame, target
    labels = as_vector(_WHO, "y", y)
    if len(labels) != len(frame):
        raise ValueError(
            f"{_WHO}: y must have a class for each of the {len(frame)} rows; got {len(labels)}."
        )
    name = str(getattr(y, "name", None) or "class")
    if name in frame.columns:
        raise ValueError(f"{_WHO}: y must not have the name of a column of X; got {name!r}.")
    return frame.with_columns(pl.Series(name, labels)), name


def _take_periods(frame: Any, by: Any, target: str) -> tuple[Any, Any]:
    """Take the periods: a column, which is not partitioned, or values beside it."""
    if not isinstance(by, str):
        return frame, check_periods(_WHO, "by", as_vector(_WHO, "by", by))
    if by not in frame.columns or by == target:
        raise ValueError(f"{_WHO}: by must name a column of X beside the target; got {by!r}.")
    return frame.drop(by), check_periods(_WHO, "by", frame[by].to_list())
