"""What ``grid``, ``cocluster`` and additive models refuse, in whole sentences."""

import re

import numpy as np
import pandas as pd
import pytest

import partage as pt

TABLE = pd.DataFrame(
    {"a": np.arange(40.0), "b": list("xyzw") * 10, "y": [0, 1] * 20, "w": [1] * 40}
)
GRID = [
    ({"X": TABLE, "names": ["a", "b"]}, "names are for columns; those of X have names already."),
    ({"X": TABLE, "x2": 3}, "x2 must be the name of a column of X; got 3."),
    ({"X": TABLE, "y": ["y"]}, "y must be the name of a column of X; got ['y']."),
    ({"X": TABLE, "x2": "a"}, "x1 and x2 must be two columns; got 'a' twice."),
    ({"X": TABLE, "x2": "bb"}, "x2 must name columns of X; got 'bb'; did you mean 'b'?"),
    ({"names": ["a"]}, "names must be a list of 2 names, or None; got ['a']."),
    ({"min_cell_size": 0}, "min_cell_size must be a number above 0, or None; got 0."),
    ({"min_cell_size": "3"}, "min_cell_size must be a number above 0, or None; got '3'."),
    ({"max_parts": [2, 0]}, "max_parts must be an integer of at least 1, one for each axis, or "),
    ({"user_cuts": {"c": [1]}}, "user_cuts must be a dict whose keys are among ['a', 'b'], or "),
]
COCLUSTER = [
    ({"columns": "a"}, "columns must be a list of columns, or None; got 'a'."),
    ({"columns": ["a"]}, "columns must be 2 to"),
    ({"columns": ["a", "a"]}, "columns must be 2 to"),
    ({"columns": ["a", "w"], "weight": "w"}, "columns must not name the column of weight; got 'w'"),
    ({"columns": ["a", "c"]}, "columns must name columns of X; got 'c'"),
]
PAIRS = [
    ({"pairs": ["a"]}, "pairs must be a list of pairs of columns; got ['a']."),
    ({"pairs": "all"}, "pairs must be 'auto', an integer of at least 0 or a list of pairs of "),
    ({"pairs": [("a", "c")]}, "pairs names 'c', which is no column of X; X has 'a', 'b'."),
    ({"pairs": [("a", "a")]}, "a pair must have two columns; got ('a', 'a')."),
    ({"pairs": [("a", "b"), ("b", "a")]}, "pairs must differ; ('b', 'a') is there twice."),
    ({"fixed": {"a": 1}}, "fixed must be a dict of terms by column, or None; got {'a': 1}."),
]


def assert_says(call, text):
    """Check the start of a refusal."""
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(text)}"):
        call()


@pytest.mark.parametrize(("given", "text"), GRID)
def test_grid_refuses(given, text):
    named = "X" in given
    start = {"x1": "a", "x2": "b", "y": "y"} if named else {}
    columns = {"x1": TABLE["a"], "x2": TABLE["b"], "y": TABLE["y"]}
    asked = (start or columns) | given
    assert_says(lambda: pt.grid(asked.pop("x1"), asked.pop("x2"), **asked), f"grid: {text}")


@pytest.mark.parametrize(("given", "text"), COCLUSTER)
def test_cocluster_refuses(given, text):
    assert_says(lambda: pt.cocluster(TABLE, **given), f"cocluster: {text}")


def test_cocluster_takes_all_columns_but_the_weight():
    whole = pt.cocluster(TABLE[["a", "b", "w"]], weight="w")
    assert list(whole.names) == ["a", "b"]


@pytest.mark.parametrize(("given", "text"), PAIRS)
def test_additive_models_refuse(given, text):
    model = pt.AdditiveClassifier(**given)
    assert_says(lambda: model.fit(TABLE[["a", "b"]], TABLE["y"]), f"AdditiveClassifier.fit: {text}")


def test_terms_that_are_fixed_are_those_of_their_columns():
    model = pt.AdditiveClassifier(pairs=0).fit(TABLE[["a"]], TABLE["a"] > 20)
    term = model["a"]
    assert_says(
        lambda: pt.AdditiveClassifier(fixed={"c": term}).fit(TABLE[["a"]], TABLE["y"]),
        "AdditiveClassifier.fit: fixed names 'c', which is no column of X; X has 'a'.",
    )
    assert_says(
        lambda: pt.AdditiveClassifier(fixed={"b": term}).fit(TABLE[["b"]], TABLE["y"]),
        "AdditiveClassifier.fit: fixed must give each column a term of its own; 'b' got that of ",
    )


def test_a_model_without_terms_says_so():
    model = pt.AdditiveClassifier(pairs=0).fit(TABLE[["w"]], TABLE["y"])
    assert not model.terms_
    with pytest.raises(KeyError, match="there is no term 'w x y'; the model has none"):
        model[("w", "y")]


def test_pairs_refuses_columns_that_are_no_list_or_stand_twice():
    for columns, text in (("a", ", or None"), (["a", "a"], ", each once")):
        with pytest.raises(
            (TypeError, ValueError), match=f"^pairs: columns must be a list of columns{text}"
        ):
            pt.pairs(TABLE, target="y", columns=columns)
