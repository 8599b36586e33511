"""The columns that an estimator was fitted on, as scikit-learn knows them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from partage._inputs import Table, read_table

__all__ = ["read_fitted_columns", "set_columns"]


def read_fitted_columns(model: Any, who: str, X: Any) -> Table:
    """Read a table, which must have the columns that a model was fitted on."""
    table = read_table(who, X)
    validate_data(model, X, reset=False, skip_check_array=True)
    return table


def set_columns(model: Any, names: list[str], *, has_names: bool) -> None:
    """Tell a model which columns it was fitted on."""
    model.n_features_in_ = len(names)
    if has_names:
        model.feature_names_in_ = np.array(names, dtype=object)
