"""An additive model of two classes as a scorecard: the same parts, the same log-odds."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from partage._estimators.scorecard.scorecard import Scorecard


def make_card(model: Any, parameters: dict[str, Any]) -> Any:
    """Fit a card on the parts of a model, and set its points to what the terms add."""
    who = f"{type(model).__name__}.scorecard"
    check_is_fitted(model)
    if len(model.classes_) != 2:
        raise ValueError(
            f"{who}: a scorecard is for two classes; the model has {len(model.classes_)}."
        )
    pairs = [term.label for term in model.terms_.values() if term.is_pair]
    if pairs:
        raise ValueError(
            f"{who}: a scorecard has no pairs; the model has {pairs[0]!r}. Fit with pairs=0."
        )
    if not model.terms_:
        raise ValueError(f"{who}: a scorecard needs a column; the model has no terms.")
    X, y, target, sample_weight, _ = model._rows_given(who, (None,) * 5)
    asked = {"selection": None, "signs": None, "min_parts": 1, **parameters}
    card: Any = Scorecard(
        partitions=model.partitions_, positive=model.classes_[1], n_jobs=model.n_jobs, **asked
    )
    card.fit(X, y, target=target, sample_weight=sample_weight)
    scale = card._scale()
    share = (scale.cutoff - scale.factor * float(model.intercept_[0])) / len(model.terms_)
    card.override = {
        name: {
            int(k): share - scale.factor * float(term.contributions[k, 0])
            for k in range(term.axes[0].n_parts)
        }
        for name, term in model.terms_.items()
    }
    points = {
        name: share - scale.factor * np.asarray(term.contributions[:, 0])
        for name, term in model.terms_.items()
    }
    weights = card._weights
    event = int(np.flatnonzero(card.classes_ == card.event_)[0])
    card._store(card._library, card.classes_, event, card.partitions_, weights, points)
    return card


__all__ = ["make_card"]
