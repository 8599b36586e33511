"""``partage scorecard``: a scorecard from a file, with its document, model and SQL."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from partage.cli.arguments import UsageError
from partage.cli.columns import BY_COLUMN, add_columns
from partage.cli.reading import add_reading, source_name
from partage.cli.taking import take_files
from partage.cli.target import add_target

_FILES = ("card.html", "card.xlsx", "card.json", "card.sql")
# Options of a report that a card has not.
_NOT_ASKED: dict[str, Any] = {
    **{name: [] for name in ("pair", "graph", "method", *BY_COLUMN)},
    **dict.fromkeys(("by", "holdout", "cut_style")),
}
_USUAL = {"kinds": None, "special_values": None, "ordered": None, "missing": "separate"}


def add_scorecard(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage scorecard``."""
    parser = commands.add_parser(
        "scorecard",
        parents=[common],
        help="make a scorecard of a file, and the document that a validator reads",
        description="Fit a scorecard on a file of two classes; write its document as a page and "
        "as a workbook, the model, and SQL.",
    )
    parser.add_argument("data", nargs="+", help="files as for `partage report`")
    add_target(parser)
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="DIR", help="folder to write to"
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    parser.add_argument(
        "--test",
        type=float,
        default=0.3,
        metavar="SHARE",
        help="share of the rows that the card is judged on, drawn at random; 0 for none "
        "(%(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draw (%(default)s)")
    parser.add_argument("--exact", action="store_true", help="do not round the points")
    parser.add_argument("--title", help="title of the document")
    parser.add_argument("--dialect", default="duckdb", help="of the SQL (%(default)s)")
    parser.add_argument("--table", default="t", help="name of the table in the SQL (%(default)s)")
    parser.set_defaults(**_NOT_ASKED)
    add_columns(parser)
    add_reading(parser)
    parser.set_defaults(command="scorecard", run=run_scorecard)


def run_scorecard(options: argparse.Namespace) -> None:
    """Read, fit and write."""
    from partage._data.files import expand
    from partage._export.dialects import find_dialect
    from partage._support.extras import require
    from partage._support.safe_files import folder_safely

    who = "partage scorecard"
    require(who, "openpyxl", "excel")
    if options.target is None:
        raise UsageError(f"{who}: --target must name the column to be predicted; none was given.")
    expand(options.data)
    if not 0.0 <= options.test < 1.0:
        raise UsageError(f"{who}: --test must be a share from 0 to below 1; got {options.test:g}.")
    find_dialect("Scorecard", options.dialect)  # the command speaks in its place
    there = [name for name in _FILES if (options.out / name).exists()]
    if there and not options.force:
        shown = str(options.out / there[0])
        raise UsageError(f"{who}: {shown!r} exists; pass --force to replace it.")
    taken = take_files(who, options)
    if taken.parameters["target_type"] == "number":
        raise UsageError(
            f"{who}: --target must name a column of two classes; {options.target!r} holds a "
            "number. Cut it with --target-above, or see `partage report`."
        )
    card, test = _fit(who, taken, options)
    about = {"title": options.title or "Scorecard", "data": source_name(options.data)}
    rows = "all rows were fitted" if test is None else f"{len(test[1]):,} of the rows, at random"
    notes = [*taken.notes, *(f"{one.column}: {one.text}." for one in taken.remarks)]
    about["exclusions"] = " ".join(notes) or "none by the command"
    about["judged on"] = rows
    X, y, weight = (None, None, None) if test is None else test
    with folder_safely(options.out) as draft:
        for name in _FILES[:2]:
            card.document(draft / name, X, y, sample_weight=weight, about=about)
        card.save(draft / "card.json")
        sql = card.to_sql(options.dialect, table=options.table, reasons=4)
        (draft / "card.sql").write_text(sql + "\n", encoding="utf-8")
    for note in notes:
        print(note)
    _tell(card, test, options)


def _fit(who: str, taken: Any, options: argparse.Namespace) -> tuple[Any, Any]:
    """Fit a card; give it and the rows that it is judged on."""
    import numpy as np
    from sklearn.model_selection import train_test_split

    from partage import Scorecard

    frame = taken.frame
    y = frame[options.target].to_numpy()
    X = frame.drop(options.target)
    card: Any = Scorecard(rounded=not options.exact, positive=taken.parameters["positive"])
    asked = {name: taken.parameters[name] for name in _USUAL}
    if asked != _USUAL:
        maker, card.min_parts = card._make_partitioner()
        card.partitioner = maker.set_params(**asked)
    weights = None if taken.weights is None else np.asarray(taken.weights, dtype=np.float64)
    made = {name: one for name, one in taken.conversions.items() if name in X.columns}
    if options.test == 0.0:
        card.fit(X, y, sample_weight=weights)
        card._conversions = made
        return card, None
    try:
        train, test = train_test_split(
            np.arange(len(y)), test_size=options.test, random_state=options.seed, stratify=y
        )
    except ValueError:
        raise UsageError(
            f"{who}: {len(y)} rows are too few to judge the card on others; pass --test 0."
        ) from None
    own = (None, None) if weights is None else (weights[train], weights[test])
    card.fit(X[np.sort(train)], y[np.sort(train)], sample_weight=_in_order(own[0], train))
    card._conversions = made
    return card, (X[test], y[test], own[1])


def _in_order(weights: Any, rows: Any) -> Any:
    """Put weights into the order of the rows of the table."""
    import numpy as np

    return None if weights is None else weights[np.argsort(rows, kind="stable")]


def _tell(card: Any, test: Any, options: argparse.Namespace) -> None:
    """Say how good the card is, and what was written."""
    fitted = card._fitted_measures
    line = (
        f"{len(card.points_)} columns have points; AUC {fitted['auc']:.4f} on the rows of the fit"
    )
    if test is not None:
        X, y, weight = test
        judged = card.performance(X, y, sample_weight=weight, n_draws=0).measures
        line += f", {float(judged['auc'][0]):.4f} on {len(y):,} others"
    print(f"{line}.")
    for name, why in card._weights.reasons.items():
        print(f"  left out: {name}: {why}")
    print(f"Wrote {', '.join(_FILES)} to {options.out}.")
