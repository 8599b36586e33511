"""The classes of scikit-learn that estimators derive from, with types.

scikit-learn has no type hints: for a type checker, whatever derives from its classes would have any
attribute, of any type. Checkers see the classes below instead; at run time they are scikit-learn's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    class BaseEstimator:
        """An estimator with parameters."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """Parameters by name."""

        def set_params(self, **params: Any) -> Self:
            """Change parameters."""

        def _repr_html_inner(self) -> str: ...

        def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]: ...

        def __sklearn_tags__(self) -> Any: ...

    class TransformerMixin:
        """An estimator with ``transform``."""

        def fit_transform(
            self, X: Any, y: Any = None, *, target: Any = None, sample_weight: Any = None
        ) -> NDArray[Any]:
            """Fit, then transform the same rows."""

        def set_output(self, *, transform: str | None = None) -> Self:
            """Choose the kind of table that ``transform`` returns."""

        def __sklearn_tags__(self) -> Any: ...

    class ClassifierMixin:
        """An estimator with ``predict``."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Share of the rows that are predicted right."""

        def __sklearn_tags__(self) -> Any: ...

    class RegressorMixin:
        """An estimator that predicts numbers."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Share of the squares of the rows that is explained, R²."""

        def __sklearn_tags__(self) -> Any: ...

else:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin

__all__ = ["BaseEstimator", "ClassifierMixin", "RegressorMixin", "TransformerMixin"]
