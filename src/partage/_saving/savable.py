"""What estimators that can be written as model files share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Savable", "check_fitted"]


def check_fitted(model: Any) -> None:
    """Raise as scikit-learn does unless a model is fitted; one that has partitions is."""
    if hasattr(model, "partitions_"):
        return
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)


class Savable:
    """An estimator whose fitted state is plain data."""

    _library: str

    @property
    def _name(self) -> str:
        """What messages and model files call the estimator."""
        return type(self).__name__

    def _own_parameters(self) -> dict[str, Any]:
        """Give the parameters that a model file keeps."""
        return self.get_params(deep=False)  # type: ignore[attr-defined, no-any-return]  # scikit-learn's

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

        check_fitted(self)
        return model_to_dict(self)

    def save(self, path: str | Path) -> None:
        """Write the fitted estimator as JSON; ``partage.load`` reads it back.

        Parameters
        ----------
        path : str or Path
            The file; one that was there before stays until the new one is whole.
        """
        from partage._saving.models import save_model

        check_fitted(self)
        save_model(self, path)
