"""What scores predict: in NumPy, in SQL and in Python source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._export.python_source import literal
from partage._support.portable import exps


def probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probability of each class from log-odds of the second, or from a score for each."""
    if scores.shape[1] == 1:
        second = 1.0 / (1.0 + exps(-scores[:, 0]))
        return np.column_stack([1.0 - second, second])
    raised = exps(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class ClassLink:
    """Scores that stand for the probabilities of classes."""

    classes: Sequence[Any]

    @property
    def _is_two(self) -> bool:
        return len(self.classes) == 2

    @property
    def score_names(self) -> list[str]:
        """Names of the scores."""
        return ["score"] if self._is_two else [f"score_{label}" for label in self.classes]

    @property
    def result_names(self) -> list[str]:
        """Names of what is predicted."""
        return [*self._probability_names, "prediction"]

    @property
    def _probability_names(self) -> list[str]:
        if self._is_two:
            return ["probability"]
        return [f"probability_{label}" for label in self.classes]

    def sql(self, dialect: Any, who: str) -> list[tuple[str, str]]:
        """Name and expression of each output, over ``score_0``, ``score_1``, ..."""
        labels = [str(dialect.literal(who, label)) for label in self.classes]
        n = len(self.classes)
        if self._is_two:
            odds = "1.0 / (1.0 + EXP(-score_0))"
            chosen = f"CASE WHEN score_0 > 0.0 THEN {labels[1]} ELSE {labels[0]} END"
            return [("score", "score_0"), ("probability", odds), ("prediction", chosen)]
        found = [(name, f"score_{j}") for j, name in enumerate(self.score_names)]
        for j, name in enumerate(self._probability_names):
            others = " + ".join(f"EXP(score_{k} - score_{j})" for k in range(n) if k != j)
            found.append((name, f"1.0 / (1.0 + {others})"))
        branches = []
        for j in range(n - 1):
            tests = [f"score_{j} >= score_{k}" for k in range(j + 1, n)]
            branches.append(f"WHEN {' AND '.join(tests)} THEN {labels[j]}")
        found.append(("prediction", f"CASE {' '.join(branches)} ELSE {labels[-1]} END"))
        return found

    def python(self, who: str) -> str:
        """Write the function that gives the outputs from a list of scores."""
        labels = f"[{', '.join(literal(who, label) for label in self.classes)}]"
        if self._is_two:
            return _TWO.format(labels=labels)
        return _MANY.format(
            labels=labels, scores=repr(self.score_names), names=repr(self._probability_names)
        )


@dataclass(frozen=True)
class NumberLink:
    """Scores that stand for a number, or for its logarithm."""

    is_log: bool

    score_names = ("score",)
    result_names = ("prediction",)

    def sql(self, dialect: Any, who: str) -> list[tuple[str, str]]:  # noqa: ARG002  # as of classes
        """Name and expression of each output."""
        return [("score", "score_0"), ("prediction", "EXP(score_0)" if self.is_log else "score_0")]

    def python(self, who: str) -> str:  # noqa: ARG002  # as of classes
        """Write the function that gives the outputs from a list of scores."""
        return _NUMBER.format(prediction="math.exp(scores[0])" if self.is_log else "scores[0]")


_TWO = """\
def _predict(scores):
    score = scores[0]
    if score >= 0.0:
        probability = 1.0 / (1.0 + math.exp(-score))
    else:
        probability = math.exp(score) / (1.0 + math.exp(score))
    prediction = {labels}[int(score > 0.0)]
    return {{"score": score, "probability": probability, "prediction": prediction}}"""

_MANY = """\
def _predict(scores):
    highest = max(scores)
    raised = [math.exp(score - highest) for score in scores]
    out = dict(zip({scores}, scores))
    out.update(zip({names}, [one / sum(raised) for one in raised]))
    out["prediction"] = {labels}[scores.index(highest)]
    return out"""

_NUMBER = """\
def _predict(scores):
    return {{"score": scores[0], "prediction": {prediction}}}"""

__all__ = ["ClassLink", "NumberLink", "probabilities"]
