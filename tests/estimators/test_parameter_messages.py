"""Parameters that cannot be used are refused: who, what must hold, what was got, what to do."""

import math

import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses
from partage._search.methods import ANY, names
from partage._support.checks import listed

X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "pay": [4.0, 3.0, 2.0, 1.0]})
CITIES = pd.DataFrame({"city": ["a", "b", "c", "d"], "sex": ["f", "m", "m", "f"]})
Y = [0, 0, 1, 1]
COLUMN = [1.0, 2.0, 3.0, 4.0]

COUNT = "must be an integer of at least 1 or None;"
SIZE = "min_part_size must be a count of at least 1, a fraction between 0 and 1, or None;"
GROUP_METHODS = listed(names(ANY))
OF_BOTH = [
    ({"max_parts": 0}, f"max_parts {COUNT} got 0."),
    ({"max_parts": -3}, f"max_parts {COUNT} got -3."),
    ({"max_parts": 2.5}, f"max_parts {COUNT} got 2.5."),
    ({"max_parts": True}, f"max_parts {COUNT} got True."),
    ({"n_parts": 0}, f"n_parts {COUNT} got 0."),
    ({"n_parts": True}, f"n_parts {COUNT} got True."),
    ({"n_parts": "two"}, f"n_parts {COUNT} got 'two'."),
    (
        {"n_parts": 3, "max_parts": 2},
        "n_parts must not exceed max_parts; got n_parts=3 and max_parts=2.",
    ),
    ({"min_part_size": 0}, f"{SIZE} got 0."),
    ({"min_part_size": -0.1}, f"{SIZE} got -0.1."),
    ({"min_part_size": math.nan}, f"{SIZE} got nan."),
    ({"missing": "drop"}, "missing must be 'separate', 'merge' or 'error'; got 'drop'."),
    ({"method_params": [1]}, "method_params must be a dict or None; got [1]."),
    (
        {"method": "modl", "method_params": {"alpha": 1}},
        "method_params of method='modl' may hold none; got 'alpha'.",
    ),
]
OF_INTERVALS = [
    (
        {"method": "modle"},
        "method must be 'modl', 'khiops11', 'mdlpc', 'fusinter', 'chimerge', 'chi2', 'tschuprow', "
        "'cramer', 'entropy', 'gain-ratio', 'gini', 'caim', 'cacc', 'ameva', 'equal-width', "
        "'equal-frequency', 'averaged', 'contrast', 'modl-scores', 'modl-classes', 'modl-grid', "
        "'mean', 'poisson', 'gamma' or 'tweedie'; got 'modle'.",
    ),
    (
        {"method": "mdlpc", "search": "exact"},
        "search for method='mdlpc' must be 'top-down' or 'auto'; got 'exact'.",
    ),
    (
        {"method": "chimerge", "search": "top-down"},
        "search for method='chimerge' must be 'bottom-up' or 'auto'; got 'top-down'.",
    ),
    (
        {"method": "tschuprow", "search": "top-down"},
        "search for method='tschuprow' must be 'exact', 'bottom-up' or 'auto'; got 'top-down'.",
    ),
    (
        {"search": "fast"},
        "search for method='modl' must be 'exact', 'bottom-up', 'top-down', 'coarse' or 'auto'; "
        "got 'fast'.",
    ),
    (
        {"method": "chi2"},
        "method='chi2' needs n_parts or max_parts, since more parts never lower its cost; "
        "got neither.",
    ),
    (
        {"method": "fusinter", "method_params": {"beta": 1}},
        "method_params of method='fusinter' may hold 'alpha', 'lambda' or 'entropy'; got 'beta'.",
    ),
    (
        {"method": "fusinter", "method_params": {"alpha": 2}},
        "method_params['alpha'] must be a number in [0, 1]; got 2.",
    ),
    (
        {"method": "fusinter", "method_params": {"entropy": "gini"}},
        "method_params['entropy'] must be 'quadratic' or 'shannon'; got 'gini'.",
    ),
    (
        {"method": "chimerge", "method_params": {"confidence": 1.0}},
        "method_params['confidence'] must be a number in (0, 1); got 1.0.",
    ),
]
OF_GROUPS = [
    ({"method": "modle"}, f"method must be {GROUP_METHODS}; got 'modle'."),
    ({"method": None}, f"method must be {GROUP_METHODS}; got None."),
    ({"method": "mdlpc"}, f"method must be {GROUP_METHODS}; got 'mdlpc'."),
    (
        {"method": "chaid", "method_params": {"beta": 1}},
        "method_params of method='chaid' may hold 'alpha'; got 'beta'.",
    ),
    (
        {"method": "chaid", "method_params": {"alpha": 1.5}},
        "method_params['alpha'] must be a number in (0, 1); got 1.5.",
    ),
]
REFUSED = [
    *((pt.discretize, pt.Discretizer, X, *row) for row in [*OF_BOTH, *OF_INTERVALS]),
    *((pt.group, pt.Grouper, CITIES, *row) for row in [*OF_BOTH, *OF_GROUPS]),
]


@pytest.mark.parametrize(("function", "estimator", "table", "params", "message"), REFUSED)
def test_function_and_estimator_refuse_a_bad_parameter(function, estimator, table, params, message):
    column = table.iloc[:, 0]
    name = function.__name__
    assert_refuses(lambda: function(column, Y, **params), ValueError, f"{name}: {message}")
    unfitted = estimator(**params)  # which checks nothing yet
    name = estimator.__name__
    assert_refuses(lambda: unfitted.fit(table, Y), ValueError, f"{name}: {message}")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"output": "codes"},
            "output must be 'code', 'onehot', 'label', 'rate', 'woe', 'averaged', 'mean', 'median' "
            "or 'sparse'; got 'codes'.",
        ),
        ({"n_jobs": 0}, "n_jobs must be an integer other than 0 or None; got 0."),
        ({"n_jobs": "all"}, "n_jobs must be an integer other than 0 or None; got 'all'."),
    ],
)
@pytest.mark.parametrize("estimator", [pt.Discretizer, pt.Grouper, pt.TablePartitioner])
def test_estimator_refuses_its_own_bad_parameter(estimator, params, message):
    unfitted = estimator(**params)
    name = estimator.__name__
    assert_refuses(lambda: unfitted.fit(X, Y), ValueError, f"{name}: {message}")


def test_more_parts_than_distinct_values_are_refused():
    assert_refuses(
        lambda: pt.discretize([1.0, 1.0, 2.0, 2.0], Y, n_parts=3),
        ValueError,
        "discretize, column 'x': n_parts must be at most the number of distinct values, 2; got 3. "
        "Use max_parts to allow fewer parts.",
    )


def test_parts_too_large_for_their_number_are_refused():
    assert_refuses(
        lambda: pt.discretize(COLUMN, Y, n_parts=2, min_part_size=3),
        ValueError,
        "discretize, column 'x': min_part_size leaves no way to make n_parts=2 parts of a weight "
        "of at least 3 out of 4; lower one of the two.",
    )
