"""Two samples, or two models, side by side: the page of ``partage compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from partage._partitions.partition import Partition
from partage._report.document import ReportPage
from partage._report.facts import Remark, Summary
from partage._report.html import render_page
from partage._report.making import count_periods
from partage._report.profile import profiles_of
from partage._report.samples import CountedSample
from partage._report.summary import summarize
from partage._targets.tally import Tally
from partage.exceptions import PartageError

if TYPE_CHECKING:
    from partage._estimators.fitted import FittedColumns


def compare_rows(
    model: FittedColumns, frame: Any, y: Any, periods: Any, source: str
) -> tuple[Summary, ReportPage]:
    """Compare new rows, all of them or by period, with those a model was fitted to."""
    samples = count_periods(model.partitions_, frame, y, periods, "new data")
    return _compared(model, samples, [], source)


def compare_models(
    first: FittedColumns, second: FittedColumns, source: str
) -> tuple[Summary, ReportPage]:
    """Compare the rows of a second model with those of the first, in the parts of the first."""
    _check_classes(first, second)
    remarks, tallies = [], {}
    for name, partition in first.partitions_.items():
        other = second.partitions_.get(name)
        if other is None:
            remarks.append(Remark("is in the first model only.", "note", name))
            continue
        found = _tally_of(partition, other)
        if found is None:
            text = "is not compared: its values are not kept in the second model."
            remarks.append(Remark(text, "note", name))
            continue
        tallies[name] = found
        remarks += _borders_moved(partition, other)
    remarks += [
        Remark("is in the second model only.", "note", name)
        for name in second.partitions_
        if name not in first.partitions_
    ]
    if not tallies:
        raise PartageError("the two models must share columns; none is in both.")
    n_rows = int(next(iter(tallies.values())).rows.sum())
    sample = CountedSample("second model", n_rows, True, tallies)
    return _compared(first, [sample], remarks, source)


def _compared(
    model: FittedColumns, samples: list[CountedSample], remarks: list[Remark], source: str
) -> tuple[Summary, ReportPage]:
    """Write the page."""
    shared = {name: model.partitions_[name] for name in samples[0].tallies}
    summary = summarize(
        model,
        source=source,
        profiles=profiles_of(shared),
        samples=samples,
        remarks=remarks,
        names=list(shared),
    )
    page = render_page(summary, mode="compare")
    return summary, ReportPage(page, f"{source}: what moved")


def _check_classes(first: FittedColumns, second: FittedColumns) -> None:
    """Refuse models of different targets."""
    one, other = (list(map(str, model.classes_.tolist())) for model in (first, second))
    if one != other:
        raise PartageError(
            f"both models must have the same classes; the first has {one}, the second {other}."
        )


def _tally_of(partition: Partition, other: Partition) -> Tally | None:
    """Count the rows of another partition in these parts; None where its values are not known."""
    if other.rule.is_measured != partition.rule.is_measured:
        return None
    n_codes, units, counted = len(partition.code_labels()), other.units, other.own_tally()
    if partition.rule.is_measured and partition.n_parts == 1 and not other.special_values:
        # Every value lies in the one part; missing ones are the last code of the other.
        places = np.append(np.zeros(other.n_parts, dtype=np.int64), partition.missing_code)
        return counted.joined(places, n_codes)
    if units is None:
        return None
    ends = (
        [units.values]
        if units.values
        else [other.rule.shown_values(keys) for keys in (units.lows, units.highs)]
    )
    found = [np.asarray(partition.assign(list(values))) for values in ends if len(values)]
    if found and (found[0] != found[-1]).any():
        return None  # ranges of values that lie in two parts
    codes = found[:1]
    tallies = [units.tally()] if found else []
    codes.append(np.array([partition.missing_code]))
    tallies.append(counted.take([other.missing_code]))
    if other.special_values:
        codes.append(np.asarray(partition.assign(list(other.special_values))))
        tallies.append(counted.take(list(other.special_codes)))
    rows = tallies[0].concat(*tallies[1:])
    return rows.joined(np.concatenate(codes), n_codes)


def _borders_moved(partition: Partition, other: Partition) -> list[Remark]:
    """Say where the parts themselves differ."""
    one, two = partition.rule.border_texts(), other.rule.border_texts()
    if one == two and partition.n_parts == other.n_parts:
        return []
    if not (partition.rule.is_measured and (one or two)):
        text = f"has {partition.n_parts} groups in the first model, {other.n_parts} in the second."
        is_other = partition.rule.members() != other.rule.members()
        return [Remark(text, "moved", partition.name)] if is_other else []
    first, second = (", ".join(texts) or "none" for texts in (one, two))
    text = f"has the cuts {first} in the first model, {second} in the second."
    return [Remark(text, "moved", partition.name)]


def moved_rows(summary: Summary) -> list[dict[str, Any]]:
    """List what ``monitor`` gives of each column and sample, the least stable first."""
    rows = []
    for column in summary.columns:
        for sample, on in zip(summary.samples, column.samples, strict=True):
            total = sum(on.rows) or 1
            labels = [part.label for part in column.parts]
            beside = {
                name: on.rows[labels.index(name)] / total if name in labels else 0.0
                for name in ("missing", "unseen")
            }
            row = {"column": column.name, "period": sample.name, "rows": sample.n_rows}
            row |= {"psi": on.psi, **beside}
            row |= {"level": on.level, "expected_level": on.expected_level}
            rows.append(row | {"level_fitted": column.level})
    return sorted(rows, key=lambda row: -float(str(row["psi"])))
