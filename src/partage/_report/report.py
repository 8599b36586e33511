"""``report``: the page of a table, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np

from partage._data.conversions import convert
from partage._data.table import as_vector, check_names_differ
from partage._estimators.table_model import TableModel
from partage._report.document import ReportPage
from partage._report.making import Request, make_report
from partage._report.taking import Asked, take_table
from partage._support.checks import check_choice
from partage._support.extras import require
from partage._support.frames import as_unicode
from partage._support.speaking import Speaker

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
    understand: bool | str = True,
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
    understand : bool or "auto", default=True
        Whether text is converted and identifiers are left out, as by the command, which the page
        says; ``"auto"`` takes what is proposed too, as ``--auto`` does.
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
    require("the report", "polars", "report")
    asked = _asked(_DEFAULTS | parameters, (positive, sample_weight, by, holdout), understand)
    page = _make(_with_target(X, y, target), asked, holdout, title)
    if path is not None:
        page.save(path)
    return page


def _make(table: tuple[Any, str], asked: Asked, holdout: Any, title: str) -> ReportPage:
    """Take the table as the command does, and write the page."""
    frame, target = table
    taken = take_table(
        Speaker(_WHO), frame, replace(asked, target=target, weights=_weights(asked.weights, frame))
    )
    others: Any = asked.holdout
    if holdout is not None and others is None:
        others = convert(_read_frame("holdout", holdout), taken.conversions)
    request = Request(
        frame=taken.frame,
        target=target,
        source=title or f"{len(frame):,} rows, {len(frame.columns) - 1} columns",
        weights=taken.weights,
        holdout=others,
        periods=taken.periods,
        notes=taken.notes,
        remarks=taken.remarks,
    )
    model = TableModel(**_with_segments(taken.parameters, asked.by))
    return make_report(model, request)[1]


def read_request(
    X: Any, y: Any, target: str | None, holdout: Any, sample_weight: Any, source: str
) -> Request:
    """Read rows, and others to compare them with, as they are: for a model that is fitted."""
    require("the report", "polars", "report")
    frame, name = _with_target(X, y, target)
    share = _share(holdout)
    others = share if share is not None or holdout is None else _read_frame("holdout", holdout)
    return Request(frame, name, source, _weights(sample_weight, frame), others)


def _asked(
    given: dict[str, Any], of_rows: tuple[Any, Any, Any, Any], understand: bool | str
) -> Asked:
    """Put what is asked in the words that the command uses too."""
    if understand is not False and understand is not True:
        check_choice(_WHO, "understand", understand, ("auto",))
    positive, weights, by, holdout = of_rows
    special = given.get("special_values")
    return Asked(
        target="",  # which the table names
        target_type=given["target_type"],
        positive=positive,
        weights=weights,
        parameters=lambda _: given,
        kinds=given.get("kinds") or {},
        ordered=tuple(given.get("ordered") or ()),
        special=special if isinstance(special, Mapping) else {},
        kept=tuple(name for one in given.values() for name in _named(one)),
        auto=understand == "auto",
        understands=understand is not False,
        by=by if by is None or isinstance(by, str) else as_vector(_WHO, "by", by),
        holds_trend=bool(given.get("monotonic")),
        holdout=_share(holdout),
    )


def _named(given: Any) -> tuple[str, ...]:
    """Columns that a parameter names."""
    return tuple(given) if isinstance(given, Mapping) else ()


def _with_segments(parameters: dict[str, Any], by: Any) -> dict[str, Any]:
    """Let a trend hold in each period of a column."""
    is_held = isinstance(by, str) and parameters.get("monotonic")
    return {**parameters, "by": by} if is_held else parameters


def _weights(given: Any, frame: Any) -> Any:
    """Read a weight for each row."""
    if given is None:
        return None
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (len(frame),):
        raise ValueError(
            f"{_WHO}: sample_weight must have one number for each of the {len(frame)} rows; got "
            f"an array of shape {weights.shape}."
        )
    return weights


def _share(holdout: Any) -> float | None:
    """Read a share of the rows; None for other rows."""
    if isinstance(holdout, bool) or not isinstance(holdout, (int, float)):
        return None
    if not 0 < holdout < 1:
        raise ValueError(f"{_WHO}: holdout must be a share between 0 and 1; got {holdout!r}.")
    return float(holdout)


def _read_frame(name: str, X: Any) -> Any:
    """Read a data frame of any library as one of polars."""
    import polars as pl

    if isinstance(X, pl.DataFrame):
        return X
    check_names_differ(_WHO, X)
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

    if isinstance(column.dtype, nw.Enum):
        levels = list(map(_text, column.dtype.categories))
        return pl.Series(column.name, _texts(column.to_list()), dtype=pl.Enum(levels))
    try:
        return column.to_polars()
    except (TypeError, ValueError, NotImplementedError):
        values = column.to_list()
    if any(isinstance(value, (complex, np.complexfloating)) for value in values):
        raise ValueError(
            f"{_WHO}: Complex data not supported; column {column.name!r} holds complex numbers. "
            "Pass their real and imaginary parts as two columns."
        )
    if all(isinstance(value, np.floating) for value in values):  # wider than a column holds
        return pl.Series(column.name, np.array(values, dtype=np.float64), nan_to_null=True)
    return pl.Series(column.name, _texts(values), dtype=pl.String)


def _texts(values: list[Any]) -> list[str | None]:
    """Write values as text; gaps stay."""
    return [None if value is None or value != value else _text(value) for value in values]


def _text(value: Any) -> str:
    """Write a value as text that a column can hold."""
    return str(as_unicode(str(value)))


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
