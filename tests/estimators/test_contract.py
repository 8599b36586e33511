"""Scikit-learn's own checks of every public estimator, with its default parameters."""

from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import partage as pt

ESTIMATORS = [
    item
    for name in pt.__all__
    if isinstance(item := getattr(pt, name), type) and issubclass(item, BaseEstimator)
]

# A check that cannot hold, and why; empty: none is excused.
DEVIATIONS = {}


@parametrize_with_checks(
    [cls() for cls in ESTIMATORS],
    expected_failed_checks=lambda estimator: DEVIATIONS.get(type(estimator).__name__, {}),
)
def test_estimator_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_discretizer_is_among_the_checked_estimators():
    assert pt.Discretizer in ESTIMATORS
