"""The core refuses arguments that would make it read outside its arrays."""

import numpy as np
import pytest

from partage import _core


def codes(*values):
    return np.array(values, dtype=np.uint16)


def starts(*values):
    return np.array(values, dtype=np.uint32)


def offsets(*values):
    return np.array(values, dtype=np.int64)


def flags(*values):
    return np.array(values, dtype=np.uint8)


BOTH = pytest.mark.parametrize("values", [np.array([1.0, 2.0]), np.array([1, 2])])


@BOTH
@pytest.mark.parametrize(("labels", "n_classes"), [(codes(0, 2), 2), (codes(0, 1), 2**40)])
def test_codes_beyond_the_classes_are_refused(values, labels, n_classes):
    with pytest.raises(ValueError, match="a code stands for no class"):
        _core.split_by_class(values, labels, None, n_classes)


@BOTH
@pytest.mark.parametrize(("labels", "missing"), [(codes(0), None), (codes(0, 1), flags(0))])
def test_lengths_that_differ_are_refused(values, labels, missing):
    with pytest.raises(ValueError, match="there must be one class for each value"):
        _core.split_by_class(values, labels, missing, 2)


@BOTH
@pytest.mark.parametrize(
    "given",
    [offsets(), offsets(0), offsets(0, 3), offsets(1, 2), offsets(0, 2, 1, 2), offsets(-1, 2)],
)
def test_offsets_that_do_not_fit_are_refused(values, given):
    with pytest.raises(ValueError, match="offsets must increase up to the number of values"):
        _core.merge_classes(values, given)


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_no_values_of_no_classes_are_refused(dtype):
    with pytest.raises(ValueError, match="offsets must increase up to the number of values"):
        _core.merge_classes(np.empty(0, dtype=dtype), offsets(0))


@pytest.mark.parametrize(
    ("weights", "given", "n_classes"),
    [
        (None, starts(0, 2, 1, 2), 2),
        (None, starts(0, 1), 2),
        (None, starts(), 2),
        (None, starts(0, 1, 2), 1),
        (np.ones(1), starts(0, 1, 2), 2),
        (np.array([1.0, 0.0]), starts(0, 1, 2), 2),
        (np.array([1.0, -1.0]), starts(0, 1, 2), 2),
        (np.array([1.0, np.nan]), starts(0, 1, 2), 2),
        (np.array([1.0, np.inf]), starts(0, 1, 2), 2),
    ],
)
def test_entries_that_do_not_fit_are_refused(weights, given, n_classes):
    with pytest.raises(ValueError, match="codes, weights and starts do not fit"):
        _core.line_from_entries(codes(0, 1), weights, given, n_classes)


def test_units_without_entries_are_counted_but_not_searched():
    line = _core.line_from_entries(codes(0, 1), None, starts(0, 0, 2), 2)
    assert line.counts(starts(0, 1, 2)).tolist() == [[0, 0], [1, 1]]
    with pytest.raises(ValueError, match="every unit of the line must hold an entry"):
        line.runs()
    with pytest.raises(ValueError, match="every unit of the line must hold an entry"):
        _core.search(line, "modl", [], "exact", 0, 0, 0.0, None)
    with pytest.raises(ValueError, match="every unit of the line must hold an entry"):
        _core.group(line, "modl", [], 0, 0, 0.0, None)


@pytest.mark.parametrize("given", [(-1.0, 1.0), (1.0, np.inf), (np.nan, 1.0), (1e300, -1e300)])
def test_prior_of_impossible_numbers_is_refused(given):
    with pytest.raises(ValueError, match="both numbers must be finite and at least 0"):
        _core.selection_prior(*given)


def test_more_values_than_memory_holds_are_refused():
    rows = np.zeros((2, 2), dtype=np.uint32)
    most = np.full(2, 2**32 - 1, dtype=np.uint32)
    directions = np.zeros(2, dtype=np.int8)
    with pytest.raises(ValueError, match="more than 268435456 different values in all"):
        _core.make_examples(rows, codes(0, 1), None, most, flags(1, 0), directions)


@pytest.mark.parametrize("n_values", [2**31, 2**63 - 1])
def test_codes_of_more_values_than_they_can_tell_apart_are_refused(n_values):
    given = np.array([0, 1, 2**31 - 1])
    with pytest.raises(ValueError, match="more values than codes of 32 bits can tell apart"):
        _core.read_codes(given, n_values)


@pytest.mark.parametrize(("n_values", "n_classes"), [(2**63 - 1, 8), (2**64 - 1, 2), (2**31, 1)])
def test_tables_of_more_cells_than_can_be_counted_are_refused(n_values, n_classes):
    said = "a table of values and classes has more than 1073741824 cells"
    labels = codes(0, 0)
    with pytest.raises(ValueError, match=said):
        _core.count_classes(np.zeros(2, np.int32), labels, n_values, n_classes)
    if n_values < 2**63:
        rows = np.zeros((1, 2), np.uint32)
        sizes = np.array([n_values])
        with pytest.raises(ValueError, match=said):
            _core.group_columns(rows, sizes, labels, None, n_classes, "modl", [], None)


@pytest.mark.parametrize("criterion", ["scores", "rates", "tweedie", "contrast"])
def test_structure_without_the_sums_that_a_criterion_reads_is_refused(criterion):
    defaults = next(one for one in _core.criteria() if one["name"] == criterion)["parameters"]
    parameters = [float(one["default"]) for one in defaults]
    with pytest.raises(ValueError, match="a row holds a weight and the sums"):
        _core.structure_cost(4, [], criterion, parameters, 8)


def test_more_threads_than_anybody_has_give_the_same_graph():
    distances = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    found = [_core.graph_from_distances(distances, "rng", 0.0, n, None) for n in (1, 2**63)]
    for one, many in zip(*found, strict=True):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("weight", [np.inf, np.nan, -1.0])
def test_literals_of_endless_weight_are_refused(weight):
    # The search for patterns of such rows did not end.
    bits = np.zeros(2, dtype=np.uint8)
    with pytest.raises(ValueError, match="weights must be finite and at least 0"):
        _core.Literals(bits, bits, 2, np.array([1.0, weight]))


def card(**changed):
    """Arguments of a card of two columns and three rows."""
    given = {
        "fractions": np.array([0.6, 0.2, 0.5]),
        "ends": offsets(2, 3),
        "units": np.array([[0, 1, 0], [0, 0, 0]], dtype=np.int32),
        "shares": np.array([0.5, 0.25, 0.25]),
        "most_bias": 0.05,
        "n_proposals": 1_000,
    }
    return given | changed


def test_a_card_is_rounded():
    assert len(_core.round_points(**card())) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"fractions": np.array([0.6, 0.2])},
        {"ends": offsets(2)},
        {"ends": offsets(0, 3)},
        {"ends": offsets(3, 2)},
        {"ends": offsets(2, 2**62)},
        {"units": np.array([[0, 2, 0], [0, 0, 0]], dtype=np.int32)},
        {"units": np.array([[0, -1, 0], [0, 0, 0]], dtype=np.int32)},
        {"units": np.zeros((2, 0), dtype=np.int32), "shares": np.empty(0)},
        {"units": np.zeros((0, 3), dtype=np.int32), "ends": offsets()},
    ],
)
def test_cards_that_do_not_fit_are_refused(changed):
    with pytest.raises(ValueError, match="fractions, units and shares do not fit"):
        _core.round_points(**card(**changed))


@pytest.mark.parametrize("value", [np.nan, -0.1, 1.0, np.inf])
def test_fractions_and_shares_beyond_their_range_are_refused(value):
    with pytest.raises(ValueError, match=r"fractions must lie in \[0, 1\)"):
        _core.round_points(**card(fractions=np.array([0.6, value, 0.5])))
    with pytest.raises(ValueError, match="shares must"):
        _core.round_points(**card(shares=np.array([0.5, value, 0.25])))
