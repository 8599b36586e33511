"""What each column says of one row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._features import Coder
from partage._inputs import read_table
from partage._tables import make_frame
from partage.engines._source import check_in_memory

__all__ = ["explain_row"]


def explain_row(model: Any, row: Any) -> Any:
    """List the evidence of every term of a naive Bayes model on one row, the strongest first."""
    who = f"{type(model).__name__}.explain"
    coder = Coder(who, read_table(who, _one_row(who, row, list(model.partitions_))))
    terms = []
    for feature, weight, (table, _) in zip(
        model._features, model.weights_, model._tables, strict=True
    ):
        if weight and table.any():
            code = int(feature.codes(coder)[0])
            evidence = weight * _evidence(table[code], model.class_log_prior_)
            name = feature.name if isinstance(feature.name, str) else " x ".join(feature.name)
            terms.append((name, str(feature.value(coder)), feature.labels()[code], evidence))
    terms.sort(key=lambda term: -float(np.abs(term[3]).max()))
    prior = model.class_log_prior_
    prior = prior[1:] - prior[:1] if len(prior) == 2 else prior
    rows = [("(prior)", "", "", prior), *terms]
    classes = model.classes_.tolist()
    titles = ["evidence"] if len(classes) == 2 else [f"evidence_{label}" for label in classes]
    evidence = np.array([term[3] for term in rows])
    columns: dict[str, Any] = {
        "column": [term[0] for term in rows],
        "value": [term[1] for term in rows],
        "part": [term[2] for term in rows],
    }
    columns.update({title: evidence[:, j] for j, title in enumerate(titles)})
    return make_frame(columns, model._library)


def _evidence(logs: NDArray[np.float64], log_prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn log P(part | class) into evidence: against the other class, or against all."""
    if len(logs) == 2:
        return logs[1:] - logs[:1]
    joint = log_prior + logs
    top = joint.max()
    return np.asarray(logs - top - np.log(np.exp(joint - top).sum()))


def _one_row(who: str, row: Any, names: list[str]) -> Any:
    """Make a table of one row."""
    import pandas as pd

    check_in_memory(who, row)
    if hasattr(row, "columns") or getattr(row, "ndim", 1) == 2:
        n_rows = len(row)
        if n_rows != 1:
            raise ValueError(f"{who}: row must be one row; got {n_rows}.")
        return row
    if isinstance(row, pd.Series) and row.index.inferred_type == "string":
        row = row.to_dict()
    if isinstance(row, Mapping):
        absent = [name for name in names if name not in row]
        if absent:
            raise ValueError(f"{who}: row must name every column; {absent[0]!r} is not there.")
        values = [row[name] for name in names]
    else:
        values = list(row)
        if len(values) != len(names):
            raise ValueError(
                f"{who}: row must hold {len(names)} values, one for each column; got {len(values)}."
            )
    return pd.DataFrame({name: [value] for name, value in zip(names, values, strict=True)})
