"""From a table, or a model and its table, to a desk: counted once, then only counts stay."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from partage._data.conversions import convert_table
from partage._data.table import read_table
from partage._estimators.fitted import fit_observed
from partage._estimators.table_model import TableModel
from partage._partitions.given import read_given, with_units, with_values_of
from partage._partitions.partition import Partition
from partage._partitions.recount import recount_column
from partage._report.making import Request, held_out
from partage._spaces.space import MOST_BYTES
from partage._support.safe_files import as_path
from partage._targets.read import read_target
from partage.engines.source import Source
from partage.exceptions import PartageError
from partage.studio.desk import Desk
from partage.studio.keeping import digest_of
from partage.studio.rows import keep_rows
from partage.studio.samples import KeptSample, keep_sample
from partage.studio.studio import Studio

__all__ = ["Opening", "open_estimator", "open_table", "user_name"]

_WHO = "studio"


@dataclass(frozen=True)
class Opening:
    """How a studio is opened.

    Attributes
    ----------
    path : Path
        The model file: continued where it is there.
    port : int
        Port of the server; 0 takes a free one.
    is_read_only : bool
        Whether nothing may be changed.
    who : str
        Who edits.
    """

    path: Path
    port: int = 0
    is_read_only: bool = False
    who: str = ""
    start: Path | None = None  # a model file to start from, where there is none at the path


def user_name() -> str:
    """Name of the user, nothing where the system does not say."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def open_table(
    model: TableModel, request: Request, opening: Opening, conversions: Any = None
) -> Studio:
    """Fit every column of a table, or take up the model that is at the path."""
    frame, target = request.frame, request.target
    held = None
    if isinstance(request.holdout, float):
        held = held_out(len(frame), request.holdout)
    fitted, weights = _without(frame, held), _without(request.weights, held)
    digest = digest_of(opening.path)
    known = opening.path if digest is not None else opening.start
    notes = list(request.notes)
    is_lazy = isinstance(frame, Source)
    if known is None or is_lazy:
        fit_observed(
            model,
            fitted,
            target=target,
            sample_weight=weights,
            watch=lambda *_: None,
            advance=request.advance,
        )
        kind = next(iter(model.partitions_.values())).target.kind
        model._parameters["target_type"] = kind
        model._conversions = {
            name: made
            for name, made in (conversions or {}).items()
            if name in model.partitions_ or name == target
        }
    if known is not None:
        counted, model = model, TableModel.load(known)
        _check_columns(known, model, list(frame.names if is_lazy else frame.columns), target)
        if is_lazy:
            _take_counts(known, model, counted)
        else:
            notes += _recount(model, fitted, fitted[target], weights, request.advance)
    return _open(model, opening, digest, request, (fitted, held, weights), notes)


def _take_counts(path: Path, model: Any, counted: Any) -> None:
    """Give the partitions of a model the counts that an engine made of the same rows."""
    found = {}
    for name, partition in model.partitions_.items():
        other = counted.partitions_[name]
        if not partition.total().same_as(other.total()) or partition.n_values != other.n_values:
            raise PartageError(
                f"{path} is of other rows: column {name!r} differs. Pass another --model, or the "
                "data that it was made of."
            )
        found[name] = with_units(partition, other.units)
    model.partitions_ = found


def _without(values: Any, held: Any) -> Any:
    """Leave out the rows that are set aside."""
    if values is None or held is None:
        return values
    return np.asarray(values)[~held] if isinstance(values, np.ndarray) else values.filter(~held)


def _check_columns(path: Path, model: Any, columns: list[str], target: str) -> None:
    """Refuse a model of another table."""
    gone = [name for name in model.partitions_ if name not in columns]
    if gone or (model._target_name is not None and model._target_name != target):
        what = f"the column {gone[0]!r}" if gone else f"the target {model._target_name!r}"
        raise PartageError(
            f"{path} is of another table: it has {what}. Pass another --model, or the data that "
            "it was made of."
        )


def _recount(
    model: Any, X: Any, y: Any, weights: Any, advance: Callable[[str], None] = lambda _: None
) -> list[str]:
    """Give the partitions of a model their counts of values again; say which rows differ."""
    table = read_table(_WHO, X)
    rows = None
    changed = []
    found: dict[str, Partition] = {}
    room = MOST_BYTES // len(model.partitions_)
    for name, partition in model.partitions_.items():
        column = read_given(_WHO, table, table.names.index(name), partition)
        if rows is None:
            read = read_target(_WHO, y, weights, target_type=partition.target.kind)
            rows = partition.target.codes_like(_WHO, read, f"column {name!r}")
        again = with_values_of(_WHO, partition, column, rows, room)
        if again is None:
            changed.append(name)
            again = recount_column(_WHO, partition, column, rows)._with_units_of_at_most(room)
        found[name] = again
        advance(name)
    model.partitions_ = found
    if not changed:
        return []
    n = len(changed)
    named = ", ".join(map(repr, changed[:5])) + (f" and {n - 5} more" if n > 5 else "")
    return [
        f"The rows are not those of the model: the parts of {named} were counted anew, and their "
        "history starts here."
    ]


def _open(
    model: Any,
    opening: Opening,
    digest: str | None,
    request: Request,
    taken: tuple[Any, Any, Any],
    notes: list[str],
) -> Studio:
    """Lay out a model that is counted, and serve it."""
    fitted, held, weights = taken
    target = request.target
    desk = Desk(
        model,
        source=request.source,
        samples=_samples(model, request, held),
        rows=None
        if isinstance(fitted, Source)
        else keep_rows(model, fitted, target, weights, _others(request, held)),
        who=opening.who,
        is_read_only=opening.is_read_only,
    )
    desk.notes += notes
    return serve(desk, opening, digest)


def serve(desk: Desk, opening: Opening, digest: str | None) -> Studio:
    """Serve a desk, with what its model file says of the sitting."""
    sitting = dict(desk.model._sitting) or None
    for name, plain in ((sitting or {}).get("columns") or {}).items():
        if name in desk.sheets and isinstance(plain, dict):
            desk.sheets[name] = desk.sheets[name].restored(plain)
    return Studio(
        desk,
        opening.path,
        sitting=sitting if digest is not None else None,
        digest=digest,
        port=opening.port,
    )


def _others(request: Request, held: Any) -> tuple[Any, Any] | None:
    """Rows of the holdout, and their weights."""
    if held is None:
        return None if request.holdout is None else (request.holdout, None)
    weights = request.weights
    return request.frame.filter(held), None if weights is None else np.asarray(weights)[held]


def _samples(model: Any, request: Request, held: Any) -> list[KeptSample]:
    """Count the holdout, then the periods, value by value."""
    partitions, frame, target = model.partitions_, request.frame, request.target
    names = list(partitions)
    weights = request.weights
    found = []
    others = _others(request, held)
    if others is not None:
        rows, inside = others
        found.append(keep_sample("holdout", partitions, rows.select(names), rows[target], inside))
    if request.periods is not None:
        periods = np.asarray(request.periods)
        for period in np.unique(periods):
            here = periods == period
            rows = frame.filter(here)
            inside = None if weights is None else np.asarray(weights)[here]
            found.append(
                keep_sample(str(period), partitions, rows.select(names), rows[target], inside)
            )
    return found


def open_estimator(
    model: Any, rows: tuple[Any, ...], path: Any, port: int, browser: bool, read_only: bool
) -> Studio:
    """Open the studio of a fitted estimator."""
    from partage._report.report import read_request

    X, y, target, sample_weight, holdout = rows
    who = f"{model._name}.studio"
    file = as_path(who, path)
    opening = Opening(file, port, read_only, user_name())
    request = None
    if X is not None:
        X = convert_table(X, model._conversions)
        request = read_request(X, y, target, holdout, sample_weight, model._name)
    digest = digest_of(file)
    laid = model if digest is None else TableModel.load(file)
    if digest is not None and list(laid.partitions_) != list(model.partitions_):
        raise PartageError(
            f"{who}: {file} is of other columns; pass another path, or move it away."
        )
    notes: list[str] = []
    laid = laid._with_partitions(dict(laid.partitions_), laid._sitting)
    laid._target_name = model._target_name
    if request is None:
        desk = Desk(laid, source=model._name, who=opening.who, is_read_only=read_only)
        studio = serve(desk, opening, digest)
    else:
        held = None
        fitted, weights = request.frame, request.weights
        notes = _recount(laid, fitted, fitted[request.target], weights)
        studio = _open(laid, opening, digest, request, (fitted, held, weights), notes)
    if browser:
        studio.open()
    return studio
