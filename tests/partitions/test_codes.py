"""Codes: parts from 0, then missing, unseen and special values, unless they were merged."""

import numpy as np
import pytest

import partage as pt

RNG = np.random.default_rng(3)
X = RNG.normal(size=500).round(1)
X[:40], X[40:90], X[90:150] = -999, -998, np.nan
Y = ((X > 0) | (RNG.random(500) < 0.2)).astype(int)
Y[:40] = 1


@pytest.fixture(params=["separate", "merge"])
def p(request):
    way = request.param
    return pt.discretize(X, Y, special_values=[-999, -998], special=way, missing=way)


def test_codes_kept_apart_follow_the_parts(p):
    k = p.n_parts
    if p.missing_part is None:
        assert (p.missing_code, p.special_codes) == (k, (k + 2, k + 3))
        assert p.rule.homes() == [None] * (k + 4)
        assert p.rule.shown_codes() == [*range(k + 1), k + 2, k + 3]  # no number is unseen
    else:
        assert (p.missing_code, p.special_codes) == (p.missing_part, p.special_parts)
        assert p.rule.homes() == [*[None] * k, p.missing_part, None, *p.special_parts]
        assert p.rule.shown_codes() == [*range(k)]


def test_every_row_has_the_code_of_its_value(p):
    codes = p.assign(X)
    assert set(codes[:40]) == {p.special_codes[0]}
    assert set(codes[40:90]) == {p.special_codes[1]}
    assert set(codes[90:150]) == {p.missing_code}
    assert codes[150:].tolist() == np.searchsorted(p.cuts.astype(float), X[150:]).tolist()


def test_groups_show_unseen_values_where_they_take_a_code_of_their_own():
    p = pt.group(list("abcd") * 50, [0, 1, 1, 0] * 50)
    assert p.rule.may_be_unseen
    homes = p.rule.homes()
    assert p.rule.shown_codes() == [code for code in range(len(homes)) if homes[code] is None]
    assert len(homes) == p.n_parts + 2


def test_groups_have_no_borders():
    p = pt.group(list("abcd") * 50, [0, 1, 1, 0] * 50)
    assert p.rule.has_borders(()) is True
    assert p.rule.has_borders([1.0]) is False
    assert p.rule.border_texts() == []
    assert p.rule.border_positions().size == 0
    assert p.rule.border_keys.size == 0


def test_intervals_list_no_values():
    p = pt.discretize(X, Y)
    assert p.rule.members() == tuple(() for _ in range(p.n_parts))


def test_rules_of_the_same_name_are_not_taken_for_each_other():
    rules = {pt.discretize(X, Y, user_cuts=[cut], n_parts=2).rule for cut in (0.15, 0.55)}
    assert len(rules) == 2
