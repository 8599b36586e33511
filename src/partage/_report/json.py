"""Reports for machines: plain data that JSON can hold."""

from __future__ import annotations

import json
import math
from typing import Any

from partage._report.pair_facts import Together
from partage._report.summary import ColumnSummary, Part, Summary

LAYOUT = 1


def summary_to_json(summary: Summary) -> str:
    """Write a summary as JSON."""
    data = {
        "partage_report": LAYOUT,
        "source": summary.source,
        "target": summary.target,
        "rows": summary.n_rows,
        "classes": dict(zip(summary.classes, map(_whole, summary.totals), strict=True)),
        **({"amounts": summary.amounts} if summary.amounts else {}),
        "columns": [column_to_plain(column, summary.classes) for column in summary.columns],
        "notes": summary.notes,
        "remarks": [
            {"column": one.column, "kind": one.kind, "text": one.text} for one in summary.remarks
        ],
    }
    if summary.together is not None:
        data |= _together_to_plain(summary.together)
    return to_json(data)


def _together_to_plain(found: Together) -> dict[str, Any]:
    """Describe pairs of columns."""
    return {
        "pairs": [
            {
                "columns": list(one.names),
                "level": one.level,
                "bits_saved": one.bits,
                "bits_apart": list(one.apart),
                "synergy_bits": one.synergy,
                "shared": one.shared,
                "parts": list(one.n_parts),
            }
            for one in found.pairs
        ],
        "repeats": [{"keep": group[0], "columns": group} for group in found.groups],
    }


def column_to_plain(column: ColumnSummary, classes: list[str]) -> dict[str, Any]:
    """Describe a column."""
    return {
        "column": column.name,
        "kind": column.kind,
        "level": column.level,
        "parts": column.n_parts,
        "values": column.n_values,
        "missing": column.missing,
        "bits_saved": column.bits_saved,
        "optimal": column.is_optimal,
        "gap": column.gap,
        "why": column.why,
        "explanation": column.explanation,
        "table": [_part_to_plain(part, classes) for part in column.parts],
    }


def _part_to_plain(part: Part, classes: list[str]) -> dict[str, Any]:
    """Describe a part."""
    plain: dict[str, Any] = {
        "code": part.code,
        "part": part.label,
        "rows": part.rows,
        "share": part.share,
        "counts": dict(zip(classes, map(_whole, part.counts), strict=True)),
        "rates": dict(zip(classes, part.rates, strict=True)),
    }
    if part.amounts:
        plain["amounts"] = part.amounts
    if part.woe is not None:
        plain["woe"] = part.woe
        plain["iv"] = part.iv
    if part.members:
        plain["values"] = part.members
    return plain


def _whole(weight: float) -> float:
    """Write counts without a point; weights may need one."""
    return int(weight) if weight.is_integer() else weight


def to_json(data: Any) -> str:
    """Write standard JSON: what is not a number becomes null."""
    return json.dumps(_finite(data), ensure_ascii=False, indent=1, allow_nan=False)


def _finite(data: Any) -> Any:
    """Replace infinities and NaN, which JSON does not know."""
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
