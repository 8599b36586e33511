"""The fitted state of an additive model as plain data."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from partage._estimators.additive.choose import Choice
from partage._estimators.additive.core import Prior
from partage._estimators.additive.terms import Name, Term
from partage._partitions.partition import Partition
from partage._saving.partitions import read_numbers, read_partition, read_partitions
from partage._saving.plain import classes_to_plain, read_classes


def model_to_plain(model: Any) -> dict[str, Any]:
    """Describe what was fitted."""
    return {
        **classes_to_plain(model.classes_),
        "intercept": model.intercept_.tolist(),
        "choice": asdict(model.choice_),
        "columns": [partition.to_dict() for partition in model.partitions_.values()],
        "terms": [_term_to_plain(term) for term in model.terms_.values()],
    }


def _term_to_plain(term: Term) -> dict[str, Any]:
    axes = {"axes": [axis.to_dict() for axis in term.axes]} if term.is_pair else {}
    return {
        "of": list(term.columns),
        "contributions": term.contributions.tolist(),
        "deviations": term.deviations.tolist(),
        "weights": term.weights.tolist(),
        "evidence": term.evidence,
        **axes,
    }


def read_model_state(model: Any, data: dict[str, Any]) -> None:
    """Assign what a file holds; an error says what is wrong with it."""
    classes = read_classes(data)
    n_outputs = model._n_outputs(classes)
    partitions = read_partitions(data["columns"])
    terms: dict[Name, Term] = {}
    for plain in data["terms"]:
        names = tuple(str(name) for name in plain["of"])
        if len(names) not in (1, 2) or any(name not in partitions for name in names):
            raise ValueError("terms must be of one or two columns")
        axes: tuple[Partition, ...] = (partitions[names[0]],)
        if len(names) == 2:
            axes = tuple(read_partition(axis) for axis in plain["axes"])
            if tuple(axis.name for axis in axes) != names:
                raise ValueError("axes must be those of the columns of a pair")
        shape = tuple(len(axis.code_labels()) for axis in axes)
        term = Term(
            names,
            axes,
            read_numbers(plain["contributions"], (*shape, n_outputs), "contributions", -math.inf),
            read_numbers(plain["deviations"], (*shape, n_outputs), "deviations"),
            read_numbers(plain["weights"], shape, "weights"),
            float(read_numbers([plain["evidence"]], (1,), "evidence", -math.inf)[0]),
        )
        terms[term.name] = term
    choice = data["choice"]
    model.choice_ = Choice(
        Prior(float(choice["prior"]["value"]), float(choice["prior"]["width"])),
        float(choice["factor"]),
        str(choice["entry"]),
        str(choice["pairs"]),
        {str(name): float(loss) for name, loss in choice["losses"].items()},
    )
    model.classes_ = classes
    intercept = read_numbers(data["intercept"], (n_outputs,), "intercept", -math.inf)
    model._store(str(data["library"]), partitions, terms, np.asarray(intercept))


__all__ = ["model_to_plain", "read_model_state"]
