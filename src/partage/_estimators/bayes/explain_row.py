"""What each column says of one row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._data.one_row import read_one_row
from partage._estimators.bayes.features import Coder
from partage._support.frames import Frame, make_frame
from partage._support.portable import exps, log

__all__ = ["explain_row"]


def explain_row(model: Any, row: Any) -> Frame:
    """List the evidence of every term of a naive Bayes model on one row, the strongest first."""
    who = f"{type(model).__name__}.explain"
    has_names = hasattr(model, "feature_names_in_")
    coder = Coder(who, read_one_row(who, row, list(model.partitions_), has_names=has_names))
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
    return np.asarray(logs - top - log(float(exps(joint - top).sum())))
