"""``partage compare``: whether new data still look like those a model was made from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partage.cli.apply import read_model_and_data
from partage.cli.arguments import UsageError, check_named
from partage.cli.reading import add_reading, source_name

if TYPE_CHECKING:
    from rich.console import Console

PAGE = "compare.html"
_DIFFERENT = 1
_MOST_ROWS = 30  # that a terminal shows


def add_compare(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the parser of ``partage compare``."""
    parser = commands.add_parser(
        "compare",
        parents=[common],
        help="measure how far new data have drifted from those of a model",
        description="Compare new data, or those of a second model, with the data a model was made "
        "from: the population stability index of each column, missing and unseen values and, where "
        f"the target is there, event rates and the level. Writes {PAGE}, a page that needs nothing "
        "else.",
    )
    parser.add_argument("model", help="model.json, as `partage report` wrote it")
    parser.add_argument("data", nargs="+", help="files as for `partage report`, or a second model")
    parser.add_argument("--by", metavar="NAME", help="column of periods to compare one by one")
    parser.add_argument(
        "--fail-above",
        type=float,
        metavar="PSI",
        help="exit with 1 if the stability index of a column is above",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help=f"the page ({PAGE}; none with --json)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_reading(parser)
    parser.set_defaults(command="compare", run=run_compare)


def run_compare(options: argparse.Namespace) -> int:
    """Read the model and the data, or a second model; compare, print and write the page."""
    from rich.console import Console

    who = "partage compare"
    out = options.out or (None if options.json else Path(PAGE))
    if out is not None:
        _check_out(who, out)
    n_rows, rows, page = _compare(who, options)
    if out is not None:
        page.save(out)
    if options.json:
        from partage._report.json import to_json

        print(to_json({"partage_comparison": 1, "rows": n_rows, "columns": rows}))
    else:
        _print_rows(Console(), rows, options.by)
        Console().print(f"Wrote {out}", highlight=False, soft_wrap=True, markup=False)
    limit = options.fail_above
    return _DIFFERENT if limit is not None and any(row["psi"] > limit for row in rows) else 0


def _compare(who: str, options: argparse.Namespace) -> tuple[int, list[dict[str, Any]], Any]:
    """Compare; give the number of rows, what is printed, and the page."""
    from partage._report.comparing import compare_models, compare_rows, moved_rows
    from partage._report.making import check_periods

    if _is_model(options.data):
        from partage._estimators.table_model import TableModel

        models = [TableModel.load(path) for path in (options.model, options.data[0])]
        names = " and ".join(Path(path).name for path in (options.model, options.data[0]))
        summary, page = compare_models(models[0], models[1], names)
        return summary.samples[0].n_rows, moved_rows(summary), page
    model, frame = read_model_and_data(who, options)
    if options.by is not None:
        check_named(who, "--by", options.by, frame.columns)
    rows = compare_frame(who, model, frame, options.by)
    periods = None
    if options.by is not None:
        periods = check_periods(who, "--by", frame[options.by].cast(str).to_list())
    y = _target_of(model, frame)
    columns = frame.select(list(model.partitions_))
    _, page = compare_rows(model, columns, y, periods, source_name(options.data))
    return frame.height, rows, page


def _is_model(paths: list[str]) -> bool:
    """Whether a second model was given instead of data."""
    from partage._saving.models import is_model

    return len(paths) == 1 and is_model(paths[0])


def _check_out(who: str, out: Path) -> None:
    """Refuse to replace a file that is not a comparison."""
    if out.is_dir():
        raise UsageError(f"{who}: --out must be a file; {str(out)!r} is a folder.")
    if out.exists() and b'"mode":"compare"' not in out.read_bytes():
        raise UsageError(
            f"{who}: {str(out)!r} exists and is not a page of `partage compare`; pass another "
            "--out, or move it away."
        )


def _target_of(model: Any, frame: Any) -> Any:
    """Take the target of new data in the type of the classes, where it is there."""
    target = model._target_name
    has_target = target in frame.columns and target not in model.partitions_
    return _as_classes(frame[target], model.classes_) if has_target else None


def compare_frame(who: str, model: Any, frame: Any, by: str | None) -> list[dict[str, Any]]:
    """Compare every column, in every period, the least stable first."""
    import narwhals as nw

    target = model._target_name
    has_target = target in frame.columns and target not in model.partitions_
    if has_target and frame[target].null_count():
        raise UsageError(
            f"{who}: the target {target!r} must be there in every row; "
            f"{frame[target].null_count()} are missing. Drop these rows, or the column."
        )
    periods = None if by is None else frame[by].cast(str).to_list()
    y = _as_classes(frame[target], model.classes_) if has_target else None
    found = model.monitor(frame.select(list(model.partitions_)), y, by=periods)
    rows = nw.from_native(found.frame).rows(named=True)
    return sorted(rows, key=lambda row: -row["psi"])


def _as_classes(column: Any, classes: Any) -> Any:
    """Read the target in the type of the model's classes: text stays text."""
    return column.cast(str) if classes.dtype.kind == "U" else column


def _print_rows(console: Console, rows: list[dict[str, Any]], by: str | None) -> None:
    """Print the columns with what has changed."""
    from rich.table import Table
    from rich.text import Text

    from partage._display.monitor import ALERT, WARNING
    from partage._report.text import bar, printable

    words = ((ALERT, "shifted", "red"), (WARNING, "moving", "yellow"), (-1.0, "stable", "green"))
    has_level = "level" in rows[0]
    heads = ["column", *([by] if by is not None else []), "PSI", "", "", "missing", "unseen"]
    heads += ["level", "expected"] if has_level else []
    table = Table(box=None, header_style="bold dim", pad_edge=False, padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(printable(head), justify="left" if head in ("column", "", by) else "right")
    for row in rows[:_MOST_ROWS]:
        _, word, style = next(entry for entry in words if row["psi"] > entry[0])
        cells: list[Text | str] = [Text(printable(row["column"]), style="bold")]
        cells += [Text(printable(str(row["period"])))] if by is not None else []
        cells += [
            f"{row['psi']:.3f}",
            Text(bar(row["psi"] / (2 * ALERT)), style=style),
            Text(word, style=style),
            f"{row['missing']:.1%}",
            f"{row['unseen']:.1%}",
        ]
        if has_level:
            cells += [f"{row['level']:.3f}", f"{row['expected_level']:.3f}"]
        table.add_row(*cells)
    console.print(table)
    if len(rows) > _MOST_ROWS:
        console.print(f"... and {len(rows) - _MOST_ROWS} more rows; --json prints all.")
    notes = [
        f"PSI, the population stability index: above {WARNING} worth a look, above {ALERT} a shift."
    ]
    if has_level:
        notes.append("expected: level that the fitted shares would have at as many rows.")
    for note in notes:
        console.print(note, style="dim", highlight=False)
