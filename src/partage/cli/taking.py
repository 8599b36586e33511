"""A table as ``partage report`` takes it: files read, the target checked, columns understood."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from partage.cli.arguments import UsageError
from partage.cli.columns import check_columns, parameters_of, turned
from partage.cli.reading import reading_of
from partage.cli.target import Sample, Taken, take_target

if TYPE_CHECKING:
    import polars as pl

_MOST_PERIODS = 24


def add_samples(parser: argparse.ArgumentParser) -> None:
    """Add the options that set rows aside, or compare some with others."""
    group = parser.add_argument_group("samples")
    group.add_argument(
        "--by",
        metavar="NAME",
        help="column of periods or segments; with --monotonic the trend holds in each",
    )
    group.add_argument(
        "--holdout",
        type=_read_share,
        metavar="SHARE",
        help="share of the rows to set aside, and to compare with the others",
    )


def _read_share(text: str) -> float:
    """Read a share between 0 and 1."""
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"must be a share between 0 and 1; got {text!r}")
    return share


def take_files(who: str, options: argparse.Namespace) -> Taken:
    """Read the files, take the target, and look at the columns."""
    from partage._data.conversions import Conversion
    from partage._data.files import read_files
    from partage._report.readings import prepare

    # Columns declared categories keep their text.
    ordered = {name for name, _ in options.ordered}
    as_text = ordered | {name for name, kind in options.kind if kind != "numeric"}
    notes: list[str] = []
    frame = read_files(options.data, reading_of(options, tuple(as_text)), notes)
    check_columns(who, frame.columns, options)
    made = {name: Conversion(name, "text") for name in ordered}
    frame = frame.with_columns(one.apply(frame[name]) for name, one in made.items())
    taken = take_target(who, frame, options)
    is_fitted = _fitted_rows(taken.frame.height, options.holdout)
    found = prepare(
        taken.frame,
        options.target,
        kinds=dict(options.kind) | dict.fromkeys(ordered, "ordered"),
        special={name: values for name, values in options.special if name},
        texts=options.text,
        auto=options.auto,
        has_decimal_comma=options.decimal_comma,
        sample_weight=taken.weights,
        is_fitted=is_fitted,
        target_type=taken.parameters["target_type"],
    )
    columns = [name for name in found.frame.columns if name != options.target]
    if not columns:
        reasons = "; ".join(map(str, found.decisions))
        raise UsageError(f"{who}: every column was left out: {reasons}.")
    parameters = parameters_of(who, options, columns, found.special)
    event = taken.parameters["positive"]
    if event is not None and event == found.frame[options.target].min():
        # A trend of the library is that of the last class.
        parameters["monotonic"] = turned(parameters["monotonic"])
    kinds = {name: kind for name, kind in found.kinds.items() if name not in ordered}
    kept, samples = _divide(found.frame, taken.weights, is_fitted)
    if options.by is not None:
        samples += _periods(who, kept, options)
    return replace(
        taken,
        frame=kept.frame,
        weights=kept.weights,
        samples=samples,
        n_columns=len(columns),
        notes=[*notes, *taken.notes],
        decisions=found.decisions,
        conversions=taken.conversions | made | found.conversions,
        parameters=taken.parameters | parameters | {"kinds": _of(kinds, columns)},
    )


def _fitted_rows(n_rows: int, holdout: float | None) -> pl.Series | None:
    """Draw the rows that are fitted; the others are held out. The same rows for the same table."""
    if holdout is None:
        return None
    import numpy as np
    import polars as pl

    return pl.Series(np.random.default_rng(0).random(n_rows) >= holdout)


def _divide(
    frame: pl.DataFrame, weights: Any, is_fitted: pl.Series | None
) -> tuple[Sample, list[Sample]]:
    """Divide the rows into those that are fitted and those that are held out."""
    if is_fitted is None:
        return Sample("fitted", frame, weights), []
    both = [
        Sample(name, frame.filter(rows), None if weights is None else weights[rows.to_numpy()])
        for name, rows in (("fitted", is_fitted), ("holdout", ~is_fitted))
    ]
    return both[0], both[1:]


def _periods(who: str, kept: Sample, options: argparse.Namespace) -> list[Sample]:
    """Divide the fitted rows by the values of a column; dates by month or year."""
    import polars as pl

    if options.by not in kept.frame.columns:
        raise UsageError(
            f"{who}: --by must name a column that is not left out; got {options.by!r}."
        )
    column = kept.frame[options.by]
    if column.dtype in (pl.Date, pl.Datetime):
        months, years = (column.dt.strftime(style) for style in ("%Y-%m", "%Y"))
        column = months if months.n_unique() <= _MOST_PERIODS else years
    n_periods = column.n_unique()
    if n_periods > _MOST_PERIODS:
        raise UsageError(
            f"{who}: --by must name a column of at most {_MOST_PERIODS} periods; {options.by!r} "
            f"has {n_periods}. Make a coarser one."
        )
    found = []
    for value in column.unique().sort(nulls_last=True).to_list():
        rows = column.is_null() if value is None else (column == value).fill_null(False)
        weights = None if kept.weights is None else kept.weights[rows.to_numpy()]
        title = f"{options.by} {'missing' if value is None else value}"
        found.append(Sample(title, kept.frame.filter(rows), weights))
    return found


def _of(given: dict[str, Any], columns: list[str]) -> dict[str, Any] | None:
    """Keep what is said of columns that are left."""
    return {name: value for name, value in given.items() if name in columns} or None
