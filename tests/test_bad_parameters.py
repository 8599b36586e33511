"""Parameters that cannot be used are refused: who, what must hold, what was got, what to do."""

import math

import pandas as pd
import pytest

import partage as pt
from helpers import assert_refuses

X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "pay": [4.0, 3.0, 2.0, 1.0]})
Y = [0, 0, 1, 1]
COLUMN = [1.0, 2.0, 3.0, 4.0]


PARAMETERS = [
    ({"max_parts": 0}, "max_parts must be an integer of at least 1 or None; got 0."),
    ({"max_parts": -3}, "max_parts must be an integer of at least 1 or None; got -3."),
    ({"max_parts": 2.5}, "max_parts must be an integer of at least 1 or None; got 2.5."),
    ({"max_parts": True}, "max_parts must be an integer of at least 1 or None; got True."),
    ({"n_parts": 0}, "n_parts must be an integer of at least 1 or None; got 0."),
    ({"n_parts": "two"}, "n_parts must be an integer of at least 1 or None; got 'two'."),
    (
        {"n_parts": 3, "max_parts": 2},
        "n_parts must not exceed max_parts; got n_parts=3 and max_parts=2.",
    ),
    (
        {"min_part_size": 0},
        "min_part_size must be a count of at least 1, a fraction between 0 and 1, or None; got 0.",
    ),
    (
        {"min_part_size": -0.1},
        "min_part_size must be a count of at least 1, a fraction between 0 and 1, or None; "
        "got -0.1.",
    ),
    (
        {"min_part_size": math.nan},
        "min_part_size must be a count of at least 1, a fraction between 0 and 1, or None; "
        "got nan.",
    ),
    (
        {"method": "modle"},
        "method must be 'modl', 'mdlpc', 'fusinter', 'chimerge', 'chi2', 'tschuprow', 'cramer', "
        "'entropy', 'gain-ratio', 'gini', 'caim', 'cacc', 'ameva', 'equal-width' or "
        "'equal-frequency'; got 'modle'.",
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
    ({"missing": "drop"}, "missing must be 'separate', 'merge' or 'error'; got 'drop'."),
    ({"method_params": [1]}, "method_params must be a dict or None; got [1]."),
    (
        {"method": "fusinter", "method_params": {"beta": 1}},
        "method_params of method='fusinter' may hold 'alpha', 'lambda' or 'entropy'; got 'beta'.",
    ),
    (
        {"method": "modl", "method_params": {"alpha": 1}},
        "method_params of method='modl' may hold none; got 'alpha'.",
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


@pytest.mark.parametrize(("params", "message"), PARAMETERS)
def test_discretize_refuses_a_bad_parameter(params, message):
    assert_refuses(lambda: pt.discretize(COLUMN, Y, **params), ValueError, f"discretize: {message}")


@pytest.mark.parametrize(("params", "message"), PARAMETERS)
def test_discretizer_refuses_a_bad_parameter_when_it_fits(params, message):
    unfitted = pt.Discretizer(**params)
    assert_refuses(lambda: unfitted.fit(X, Y), ValueError, f"Discretizer: {message}")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"output": "codes"},
            "output must be 'code', 'onehot', 'label', 'rate' or 'woe'; got 'codes'.",
        ),
        ({"n_jobs": 0}, "n_jobs must be an integer other than 0 or None; got 0."),
        ({"n_jobs": "all"}, "n_jobs must be an integer other than 0 or None; got 'all'."),
    ],
)
def test_discretizer_refuses_its_own_bad_parameter(params, message):
    unfitted = pt.Discretizer(**params)
    assert_refuses(lambda: unfitted.fit(X, Y), ValueError, f"Discretizer: {message}")


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
