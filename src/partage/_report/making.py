"""From a table to the page of a report: the one way of ``pt.report`` and of the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._report.document import ReportPage
from partage._report.facts import Remark, Summary
from partage._report.gaps import find_gaps
from partage._report.html import render_page
from partage._report.profile import fit_with_profiles, profiles_of
from partage._report.samples import CountedSample, count_sample
from partage._report.summary import summarize
from partage._report.together import draw_pair, with_pairs
from partage._report.views import view_graph
from partage.engines.source import Source

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns

# Numbers that nobody else draws with: a table drawn with a usual seed must not be split by itself.
_SEED = tuple(b"partage holdout")
MOST_PERIODS = 24  # that a page shows beside each other


@dataclass(frozen=True)
class Request:
    """What a report is made of and shows, beside its table.

    Attributes
    ----------
    frame : polars.DataFrame or Source
        The columns with the target; a source of an engine has no samples and no views.
    target : str
        Column of the target.
    source : str
        What the table is called.
    weights : ndarray or None
        Frequency of each row.
    holdout : float, data frame or None
        Share of the rows to set aside, or other rows to compare with.
    periods : sequence or None
        Period of each row.
    """

    frame: Any
    target: str
    source: str
    weights: Any = None
    holdout: Any = None
    periods: Any = None
    notes: Sequence[str] = ()
    remarks: Sequence[Remark] = ()
    pairs: Sequence[tuple[str, str]] = ()
    graphs: Sequence[tuple[str, str]] = ()
    advance: Callable[[str], None] = lambda _: None


def make_report(model: FittedColumns, request: Request) -> tuple[Summary, ReportPage]:
    """Fit a model, count the samples, and write the page."""
    request = replace(request, frame=_named(request.frame), holdout=_named(request.holdout))
    frame, target, weights = request.frame, request.target, request.weights
    held = _held_out(request)
    fitted = frame
    if held is not None and isinstance(request.holdout, float):
        fitted = frame.filter(~held)
        weights = None if weights is None else np.asarray(weights)[~held]
    profiles = fit_with_profiles(
        model, fitted, target, sample_weight=weights, advance=request.advance
    )
    summary = summarize(
        model,
        source=request.source,
        profiles=profiles,
        notes=list(request.notes),
        remarks=request.remarks,
        samples=_samples(model, request, held),
    )
    if not isinstance(fitted, Source):  # whose rows are not in memory
        summary = with_pairs(summary, model, fitted, target, weights)
        summary = replace(summary, gaps=find_gaps(summary, fitted))
    pairs = [draw_pair(model, fitted, target, names, weights) for names in request.pairs]
    graphs = [view_graph(model, fitted, target, names) for names in request.graphs]
    return summary, page_of(summary, pairs=pairs, graphs=graphs)


def _named(frame: Any) -> Any:
    """Name a column that has an empty name by its place, as the estimators do."""
    if not isinstance(getattr(frame, "columns", None), list) or "" not in frame.columns:
        return frame
    return frame.rename({"": f"column_{frame.columns.index('')}"})


def page_of(summary: Summary, **views: Any) -> ReportPage:
    """Write the page of a summary."""
    return ReportPage(render_page(summary, **views), f"{summary.source}: {summary.target}")


def report_fitted(model: FittedColumns, path: Any, source: str) -> ReportPage:
    """Write the page of a model that is fitted, from the counts that it kept."""
    profiles = profiles_of(model.partitions_)
    page = page_of(summarize(model, source=source, profiles=profiles))
    if path is not None:
        page.save(path)
    return page


def _held_out(request: Request) -> Any:
    """Choose the rows of a holdout, in any order of the columns the same."""
    if not isinstance(request.holdout, float):
        return None
    return held_out(len(request.frame), request.holdout)


def held_out(n_rows: int, share: float) -> NDArray[np.bool_]:
    """Draw the rows of a holdout: the same ones whenever a table has as many."""
    return np.asarray(np.random.default_rng(_SEED).random(n_rows) < share)


def _samples(model: FittedColumns, request: Request, held: Any) -> list[CountedSample]:
    """Count the holdout, then the periods."""
    frame, partitions = request.frame, model.partitions_
    weights = None if request.weights is None else np.asarray(request.weights)
    found = []
    if held is not None:
        X, y = _split(partitions, frame.filter(held), request.target)
        inside = None if weights is None else weights[held]
        found.append(count_sample("holdout", partitions, X, y, inside))
    elif request.holdout is not None:
        X, y = _split(partitions, request.holdout, request.target)
        found.append(count_sample("holdout", partitions, X, y))
    if request.periods is not None:
        X, y = _split(partitions, frame, request.target)
        found += count_periods(partitions, X, y, request.periods, "", weights)
    return found


def _split(partitions: dict[str, Any], frame: Any, target: str) -> tuple[Any, Any]:
    """Take the columns, and the target where it is there."""
    return frame.select(list(partitions)), frame[target] if target in frame.columns else None


def count_periods(
    partitions: dict[str, Any],
    frame: Any,
    y: Any,
    periods: Any,
    name: str,
    weights: Any = None,
) -> list[CountedSample]:
    """Count all rows under a name, or those of each period."""
    if periods is None:
        return [count_sample(name, partitions, frame, y, weights)]
    found = []
    for period in np.unique(periods):
        rows = periods == period
        labels = None if y is None else y.filter(rows)
        inside = None if weights is None else weights[rows]
        found.append(count_sample(str(period), partitions, frame.filter(rows), labels, inside))
    return found


def check_periods(who: str, name: str, periods: Any) -> Any:
    """Take the periods of the rows as texts; refuse too many."""
    found = np.asarray([str(period) for period in periods])
    n = len(np.unique(found))
    if n > MOST_PERIODS:
        raise ValueError(
            f"{who}: {name} must have at most {MOST_PERIODS} different values, which a page shows "
            f"beside each other; got {n}. Use months instead of days, say."
        )
    return found
