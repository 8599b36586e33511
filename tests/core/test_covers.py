"""The covers of the core against their definitions, which list every pair of rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partage as pt
from helpers import examples, sweep
from reference import binarization as slow

few = settings(max_examples=examples(12))


@st.composite
def mixed_tables(draw, max_rows=14, max_columns=4):
    """Draw columns of numbers and of words, with gaps, and their classes."""
    n = draw(st.integers(2, max_rows))
    columns = []
    for i in range(draw(st.integers(1, max_columns))):
        kind = draw(st.sampled_from(["ordered", "unordered"]))
        pool = [0, 1, 2, 3, 4, 5] if kind == "ordered" else ["a", "b", "c", "d"]
        pool = pool[: draw(st.integers(1, len(pool)))]
        pool = [*pool, None] if draw(st.booleans()) else pool
        values = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
        columns.append((f"c{i}", kind, values))
    labels = draw(st.lists(st.sampled_from("pqr"), min_size=n, max_size=n))
    labels[0], labels[1] = "p", "q"
    return columns, np.array(labels)


def large_table(seed, n=160, n_columns=5, gaps=0.1):
    """Build a table whose pairs are too many to be compared one by one."""
    rng = np.random.default_rng(seed)
    columns = []
    for i in range(n_columns):
        is_ordered = rng.random() < 0.6
        values = rng.integers(0, rng.integers(2, 7), size=n)
        words = [int(v) if is_ordered else "abcdefg"[v] for v in values]
        missing = rng.random(n) < gaps * (i % 2)
        cells = [None if gone else v for v, gone in zip(words, missing, strict=True)]
        columns.append((f"c{i}", "ordered" if is_ordered else "unordered", cells))
    return columns, np.array(list("pqr"))[rng.integers(0, 3, size=n)]


def as_frame(columns):
    return pd.DataFrame(
        {
            name: np.array([np.nan if v is None else v for v in values], dtype=float)
            if kind == "ordered"
            else pd.Series(values, dtype=object)
            for name, kind, values in columns
        }
    )


def found_names(columns, y, **parameters):
    fitted = pt.DataBinarizer(**parameters).fit(as_frame(columns), y)
    return [str(d) for d in fitted.discriminants_]


def defined_names(columns, y, how, directions=None):
    names, bits, owner = slow.candidates(columns, y)
    _, apart = slow.separations(bits, y, owner, directions)
    return [names[k] for k in sorted(how(apart, owner))]


def test_definition_of_candidates_worked_by_hand():
    # Values 1 (a), 2 (a), 3 (a, b), 4 (b): no boundary between 1 and 2, one on each side of 3.
    columns = [("x", "ordered", [1, 2, 3, 3, 4]), ("w", "unordered", ["u", "v", "u", "v", None])]
    names, bits, owner = slow.candidates(columns, np.array(list("aaabb")))
    assert names == ["x > 2.5", "x > 3.5", "w = v"]
    assert owner.tolist() == [0, 0, 1]
    np.testing.assert_array_equal(bits[:, 0], [0, 0, 1, 1, 1])
    np.testing.assert_array_equal(bits[:, 2], [0, 1, 0, 1, np.nan])


def test_definition_of_ideal_worked_by_hand():
    # One attribute of three thresholds that separate a|b|a|b, one of a single threshold.
    columns = [("x", "ordered", [1, 2, 3, 4]), ("z", "ordered", [1, 2, 1, 2])]
    y = np.array(list("abab"))
    names, bits, owner = slow.candidates(columns, y)
    _, apart = slow.separations(bits, y)
    assert names == ["x > 1.5", "x > 2.5", "x > 3.5", "z > 1.5"]
    # Each threshold of x is worth one pair, z all four: x goes, z alone is consistent.
    assert slow.ideal(apart, owner, 1) == [3]
    assert slow.greedy(apart, 1) == [3]
    # Neighbours on x have two separators only, x's own and z: all four are needed at c = 2.
    assert slow.ideal(apart, owner, 2) == [0, 1, 2, 3]


@pytest.mark.parametrize("method", ["ideal", "ideal-by-attribute"])
@pytest.mark.parametrize("merit", ["local", "global"])
@pytest.mark.parametrize("c", [1, 2, 3, 4])
@few
@given(table=mixed_tables())
def test_elimination_keeps_what_its_definition_keeps(method, merit, c, table):
    by_attribute = method == "ideal-by-attribute"
    wanted = defined_names(
        *table, lambda apart, o: slow.ideal(apart, o, c, by_attribute=by_attribute, merit=merit)
    )
    assert found_names(*table, method=method, merit=merit, consistency=c) == wanted


@pytest.mark.parametrize("c", [1, 2, 3, 4])
@few
@given(table=mixed_tables())
def test_greedy_takes_what_its_definition_takes(c, table):
    wanted = defined_names(*table, lambda apart, _: slow.greedy(apart, c))
    assert found_names(*table, method="greedy", consistency=c) == wanted
    if c == 1:
        assert found_names(*table, method="simple-greedy") == wanted


@pytest.mark.parametrize("seed", sweep(range(3)))
@pytest.mark.parametrize("c", [1, 2, 3])
@pytest.mark.parametrize("gaps", [0.0, 0.1, 0.9])
def test_hashed_search_keeps_what_the_definitions_keep(seed, c, gaps):
    table = large_table(seed, gaps=gaps)
    assert found_names(*table, consistency=c) == defined_names(
        *table, lambda apart, o: slow.ideal(apart, o, c)
    )
    assert found_names(*table, consistency=c, method="ideal-by-attribute") == defined_names(
        *table, lambda apart, o: slow.ideal(apart, o, c, by_attribute=True)
    )
    assert found_names(*table, consistency=c, method="greedy") == defined_names(
        *table, lambda apart, _: slow.greedy(apart, c)
    )


@pytest.mark.parametrize("c", [1, 2, 3])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_columns_of_many_thresholds_keep_what_the_definitions_keep(seed, c):
    rng = np.random.default_rng(seed)
    columns = [(f"c{i}", "ordered", rng.integers(0, 30, size=60).tolist()) for i in range(4)]
    table = columns, np.array(list("pq"))[rng.integers(0, 2, size=60)]
    for method in ("ideal", "ideal-by-attribute"):
        by_attribute = method == "ideal-by-attribute"
        wanted = defined_names(
            *table, lambda a, o, by=by_attribute: slow.ideal(a, o, c, by_attribute=by)
        )
        assert found_names(*table, method=method, consistency=c) == wanted


@pytest.mark.parametrize("c", [1, 2, 3, 4])
@few
@given(table=mixed_tables())
def test_ideal_is_consistent_and_irredundant(c, table):
    names, bits, _ = slow.candidates(*table)
    _, apart = slow.separations(bits, table[1])
    kept = [names.index(name) for name in found_names(*table, consistency=c)]
    assert slow.is_consistent(apart, kept, c)
    assert slow.is_irredundant(apart, kept, c)


@pytest.mark.parametrize("c", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_ideal_is_consistent_and_irredundant_on_larger_tables(c, seed):
    table = large_table(seed)
    names, bits, _ = slow.candidates(*table)
    _, apart = slow.separations(bits, table[1])
    kept = [names.index(name) for name in found_names(*table, consistency=c)]
    assert slow.is_consistent(apart, kept, c)
    assert slow.is_irredundant(apart, kept, c)


@pytest.mark.parametrize("method", ["ideal", "greedy"])
@pytest.mark.parametrize("c", [1, 2])
@few
@given(table=mixed_tables(), sign=st.sampled_from([1, -1]))
def test_separations_against_a_known_direction_do_not_count(method, c, table, sign):
    columns, y = table
    columns = [("m", "ordered", [i % 5 for i in range(len(y))]), *columns]
    how = (
        (lambda apart, o: slow.ideal(apart, o, c))
        if method == "ideal"
        else (lambda apart, _: slow.greedy(apart, c))
    )
    wanted = defined_names(columns, y, how, directions={0: sign})
    assert found_names(columns, y, method=method, consistency=c, monotonic={"m": sign}) == wanted


@pytest.mark.parametrize("c", [1, 2])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_a_direction_is_known_to_the_hashed_search(c, seed):
    columns, y = large_table(seed, gaps=0.05)
    columns = [("m", "ordered", [i % 5 for i in range(len(y))]), *columns]
    wanted = defined_names(columns, y, lambda a, o: slow.ideal(a, o, c), directions={0: -1})
    assert found_names(columns, y, consistency=c, monotonic={"m": -1}) == wanted


@pytest.mark.parametrize("tolerance", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("c", [1, 2, 3])
@few
@given(table=mixed_tables())
def test_tolerance_leaves_that_share_of_pairs_short(c, tolerance, table):
    wanted = defined_names(*table, lambda a, o: slow.ideal(a, o, c, tolerance=tolerance))
    assert found_names(*table, consistency=c, tolerance=tolerance) == wanted


@pytest.mark.parametrize("c", [1, 2])
@pytest.mark.parametrize("seed", sweep(range(3)))
def test_tolerance_is_counted_without_listing_pairs(c, seed):
    table = large_table(seed, gaps=0.1)
    wanted = defined_names(*table, lambda a, o: slow.ideal(a, o, c, tolerance=0.05))
    assert found_names(*table, consistency=c, tolerance=0.05) == wanted


@pytest.mark.parametrize("c", [1, 2, 3])
@few
@given(table=mixed_tables(), tolerance=st.sampled_from([0.05, 0.2, 0.5]))
def test_greedy_stops_when_the_tolerance_is_met(c, table, tolerance):
    names, bits, _ = slow.candidates(*table)
    _, apart = slow.separations(bits, table[1])
    order = slow.greedy(apart, c)
    wanted = np.minimum(c, apart.sum(axis=1))
    k = next(
        k
        for k in range(len(order) + 1)
        if (apart[:, order[:k]].sum(axis=1) < wanted).sum() <= tolerance * len(apart)
    )
    found = found_names(*table, consistency=c, method="greedy", tolerance=tolerance)
    assert found == [names[i] for i in sorted(order[:k])]


@few
@given(table=mixed_tables(), patience=st.integers(1, 4))
def test_early_stopping_keeps_the_rest_untested(table, patience):
    wanted = defined_names(*table, lambda a, o: slow.ideal(a, o, 1, patience=patience))
    assert found_names(*table, early_stopping=patience) == wanted


@few
@given(table=mixed_tables(max_columns=3))
def test_tree_gives_rows_of_different_classes_different_codes(table):
    columns, y = table
    columns = [(n, k, values) for n, k, values in columns if None not in values]
    if not columns:
        return
    frame = as_frame(columns)
    bits = pt.DataBinarizer(method="tree").fit(frame, y).transform(frame)
    _, full, _ = slow.candidates(columns, y)
    for i in range(len(y)):
        for k in range(i):
            if y[i] != y[k] and (full[i] != full[k]).any():
                assert (bits[i] != bits[k]).any()


@few
@given(table=mixed_tables(), seed=st.integers(0, 5))
def test_order_of_rows_changes_nothing(table, seed):
    columns, y = table
    order = np.random.default_rng(seed).permutation(len(y))
    moved = [(n, k, [values[i] for i in order]) for n, k, values in columns]
    for method in ("ideal", "ideal-by-attribute", "greedy"):
        assert found_names(columns, y, method=method) == found_names(moved, y[order], method=method)


@few
@given(table=mixed_tables(), weights=st.data())
def test_whole_weights_are_repetitions(table, weights):
    columns, y = table
    counts = weights.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)))
    counts[0], counts[1] = 2, 1
    repeated = [(n, k, np.repeat(np.array(v, dtype=object), counts)) for n, k, v in columns]
    for method in ("ideal", "greedy"):
        fitted = pt.DataBinarizer(method=method)
        weighed = fitted.fit(as_frame(columns), y, sample_weight=counts).discriminants_
        plain = fitted.fit(as_frame(repeated), np.repeat(y, counts)).discriminants_
        assert weighed == plain
