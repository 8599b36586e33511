"""Edits keep the limits that were given, and name those that they break."""

import numpy as np
import pandas as pd
import pytest

import partage as pt

RNG = np.random.default_rng(3)
X = np.sort(RNG.random(1000)).round(3)
Y = np.where(RNG.random(1000) < 0.15 + 0.7 * X, "yes", "no")


def test_edit_keeps_the_limits_and_says_which_it_breaks():
    p = pt.discretize(X, Y, monotonic="ascending", min_part_size=0.1, max_parts=4)
    assert p.violations == ()
    q = p.split(0, at=float(X[15]) + 0.0005)
    assert q.constraints == p.constraints
    assert "min_part_size" in q.violations
    broken = ", ".join(q.violations)
    assert f"Edits broke {broken}." in str(q.explain())
    assert q.undo().violations == ()


def test_trend_that_an_edit_breaks_is_named():
    x = np.repeat(np.arange(6.0), 100)
    y = np.concatenate([np.arange(100) < n for n in (10, 30, 20, 60, 50, 90)])
    p = pt.discretize(x, y, monotonic="ascending")
    assert p.violations == ()
    q = p.set_cuts([0.5, 1.5, 2.5, 3.5, 4.5])
    assert q.violations == ("monotonic",)
    assert pt.from_dict(q.to_dict()).violations == ("monotonic",)


@pytest.mark.parametrize(
    ("limits", "broken"),
    [
        ({"n_parts": 3}, ("n_parts",)),
        ({"max_parts": 3}, ("max_parts",)),
        ({"user_cuts": [0.3]}, ("user_cuts",)),
        ({"min_class_count": 40}, ("min_class_count",)),
        ({"candidate_cuts": [0.3, 0.5]}, ()),
    ],
)
def test_every_limit_is_checked(limits, broken):
    p = pt.discretize(X, Y, **limits)
    assert p.violations == ()
    assert p.set_cuts([0.01, 0.2, 0.6, 0.7]).violations == broken


def test_groups_name_the_limits_that_they_break():
    city = np.array(list("abcdef"))[np.arange(600) % 6]
    y = np.where(np.isin(city, list("abc")), "yes", "no")
    p = pt.group(city, y, max_parts=2, min_part_size=0.3)
    assert p.violations == ()
    q = p.split(0, at=[p.groups[0][0]])
    assert q.violations == ("max_parts", "min_part_size")


@pytest.mark.parametrize("cuts", [[-5, 500], [99], [99.5], [-1], [200, 300, 400]])
@pytest.mark.parametrize("y", [list("ab") * 50, ["a"] * 50 + ["b"] * 50])
def test_cuts_at_or_beyond_the_data_are_explained(cuts, y, tmp_path, capsys):
    p = pt.discretize(np.arange(100.0), y, user_cuts=cuts)
    assert str(p.explain()).startswith("x: ")
    for cut in cuts:
        assert cut in p.cuts
    enc = pt.Discretizer(user_cuts={"x": cuts}).fit(pd.DataFrame({"x": np.arange(100.0)}), y)
    enc.save(tmp_path / "model.json")
    from partage.cli import main

    assert main(["show", str(tmp_path / "model.json"), "x"]) in (0, None)
    assert "(" in capsys.readouterr().out
