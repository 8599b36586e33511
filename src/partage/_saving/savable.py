"""What estimators that can be written as model files share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

__all__ = ["Savable"]


class Savable:
    """An estimator whose fitted state is plain data."""

    _library: str

    def _fitted_to_plain(self) -> dict[str, Any]:
        """Describe what was fitted; ``columns`` is a list of dicts, each with a ``name``."""
        raise NotImplementedError

    def _restore_fitted(self, data: dict[str, Any]) -> None:
        """Assign what `_fitted_to_plain` described; an error says what is wrong with it."""
        raise NotImplementedError

    def _set_columns(self, names: list[str], *, has_names: bool) -> None:
        """Set which columns the estimator was fitted on, as scikit-learn knows them."""
        self.n_features_in_ = len(names)
        if has_names:
            self.feature_names_in_ = np.array(names, dtype=object)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with a version and a checksum."""
        from partage._saving.models import model_to_dict

        check_is_fitted(self)
        return model_to_dict(self)

    def save(self, path: str | Path) -> None:
        """Write the fitted estimator as JSON; ``partage.load`` reads it back.

        Parameters
        ----------
        path : str or Path
            The file; one that was there before stays until the new one is whole.
        """
        from partage._saving.models import save_model

        check_is_fitted(self)
        save_model(self, path)
