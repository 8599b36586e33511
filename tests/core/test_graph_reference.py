"""The slow twins of graphs themselves, on cases worked by hand."""

import math

import numpy as np
import pytest

from reference.counting import bell
from reference.graphs import (
    adjacency_length,
    adjacent_pairs,
    agglomerations,
    all_balls,
    ball_counts,
    balls_inside,
    balls_length,
    best_split,
    breadth_first,
    cells_around,
    class_counts,
    clean_balls,
    decompose,
    edges_of,
    exact_integers,
    gabriel_edges,
    gabriel_edges_of_integers,
    graph_of,
    induced,
    matrix_of,
    null_length,
    partition_length,
    partition_lengths,
    prototype_deletions,
    prototypes_length,
    recursive_bipartition,
    relative_neighbourhood_edges,
    set_partitions,
    split_length,
    touching_balls,
)

PATH = graph_of(4, [(0, 1), (1, 2), (2, 3)])
STAR = graph_of(4, [(0, 1), (0, 2), (0, 3)])
HALVES = [0, 0, 1, 1]


def test_digits_are_read_as_they_print():
    assert exact_integers([[0.1], [0.3], [-2.0]]) == [[1], [3], [-20]]


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_equality_keeps_the_diagonals_of_a_square_and_of_a_right_angle(scale):
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * scale
    assert gabriel_edges(square) == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}
    assert gabriel_edges([[0, 0], [3, 0], [0, 4]]) == {(0, 1), (0, 2), (1, 2)}


def test_an_obtuse_angle_breaks_the_edge_opposite_to_it():
    assert gabriel_edges([[0, 0], [4, 0], [2, 1.9]]) == {(0, 2), (1, 2)}
    assert gabriel_edges([[0.1], [0.2], [0.3]]) == {(0, 1), (1, 2)}


def test_twins_are_adjacent_and_share_their_neighbours():
    assert gabriel_edges([[0.0], [1.0], [1.0], [2.0]]) == {(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)}


def test_both_ways_to_the_edges_of_integers_agree():
    points = np.random.default_rng(0).integers(0, 6, size=(40, 3))
    assert gabriel_edges_of_integers(points) == gabriel_edges(points)


def test_relative_neighbours_are_fewer():
    # The right angle lies inside the lens of the hypotenuse: both legs are shorter.
    assert relative_neighbourhood_edges([[0, 0], [3, 0], [0, 4]]) == {(0, 1), (0, 2)}
    # Equality keeps an equilateral figure whole: the sides of a square, not its diagonals.
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert relative_neighbourhood_edges(square) == {(0, 1), (1, 2), (2, 3), (0, 3)}


def test_a_matrix_and_its_edges_are_the_same_graph():
    assert edges_of(matrix_of(PATH)) == {(0, 1), (1, 2), (2, 3)}
    assert induced(PATH, {0, 1, 3}) == [{1}, {0}, set(), set()]


def test_balls_of_a_path():
    assert [(c, r) for c, r, _ in all_balls(PATH)] == [
        (0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2),
        (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3),
    ]  # fmt: skip
    # {0, 1}, {2, 3}; {0, 1, 2} around 0 and around 1, {1, 2, 3}; everything.
    assert ball_counts(PATH, range(4)).tolist() == [0, 4, 2, 2, 1]


def test_balls_inside_some_members_of_a_path():
    # {2, 3} around 3, {1, 2, 3} around 2; {1, 2} needs a ball of the members alone.
    assert ball_counts(PATH, [1, 2, 3]).tolist() == [0, 3, 1, 1]
    assert ball_counts(PATH, [1, 2, 3], "local").tolist() == [0, 3, 2, 1]
    assert ball_counts(PATH, [1, 2, 3], "trace").tolist() == [0, 3, 2, 1]
    # Object 0 is apart from 2 and 3 within the members, yet balls around 0 and 1 reach them.
    assert ball_counts(PATH, [0, 2, 3], "local").tolist() == [0, 3, 1, 0]
    assert ball_counts(PATH, [0, 2, 3], "trace").tolist() == [0, 3, 2, 1]
    # The leaves of a star all lie within one step of its centre, which is no member.
    assert ball_counts(STAR, [1, 2, 3], "trace").tolist() == [0, 3, 0, 1]


def test_balls_of_a_star_hold_the_centre_beyond_radius_zero():
    assert ball_counts(STAR, range(4)).tolist() == [0, 4, 3, 0, 1]
    assert ball_counts(STAR, [1, 2, 3]).tolist() == [0, 3, 0, 0]


def test_lengths_of_the_two_halves_of_a_path():
    assert class_counts([1, 2, 3], HALVES) == [1, 2]
    assert null_length(range(4), HALVES) == pytest.approx(math.log(4 * 5 * 6))
    length, n_balls = split_length(PATH, range(4), [0, 1], HALVES)
    assert n_balls == 2
    assert length == pytest.approx(math.log(4 * 2 * 3 * 3))
    assert split_length(PATH, range(4), range(4), HALVES) == (null_length(range(4), HALVES), 1)


def test_half_prior_of_the_two_halves_of_a_path():
    assert null_length(range(4), HALVES, "half") == pytest.approx(math.log(2 * 5 * 6))
    length, _ = split_length(PATH, range(4), [0, 1], HALVES, null_prior="half")
    assert length == pytest.approx(math.log(2 * 3 * 2 * 3 * 3))


def test_the_classes_of_all_objects_count_inside_some():
    # Three classes in all, one present: C(2 + 2, 2) = 6 frequencies of two objects.
    assert null_length([0, 1], [0, 0, 1, 2]) == pytest.approx(math.log(2 * 6))


def test_best_split_lists_every_ball_at_the_lowest_length():
    length, ties = best_split(PATH, range(4), HALVES)
    assert length == pytest.approx(math.log(72))
    assert ties == [(0, 1, frozenset([0, 1])), (3, 1, frozenset([2, 3]))]


def test_recursion_stops_in_pure_parts():
    # log(72) < log(120), then log 2 + log 3 < log 2 + log 2 + 2 log 2 inside each half.
    parts = recursive_bipartition(PATH, HALVES)
    assert sorted(map(sorted, parts)) == [[0, 1], [2, 3]]
    assert recursive_bipartition(PATH, [0, 1, 0, 1]) == [frozenset(range(4))]


def test_recursion_has_no_ball_left_in_a_ring_of_global_balls():
    # The leaves of a star: every ball but the single objects holds the centre.
    assert [len(b) for _, _, b in balls_inside(STAR, {1, 2, 3})] == [1, 1, 1]


def test_algorithm_1_takes_the_largest_ball_first():
    assert decompose(PATH, [0, 0, 0, 0]) == [frozenset(range(4))]
    assert decompose(PATH, HALVES) == [frozenset([0, 1]), frozenset([2, 3])]
    assert decompose(PATH, [0, 1, 1, 1]) == [frozenset([1, 2, 3]), frozenset([0])]
    assert decompose(STAR, [0, 1, 1, 1]) == [frozenset([i]) for i in range(4)]


def test_lengths_of_partitions_of_a_path():
    # One ball of size 4: log 4. One group of one ball: 0. Classes: C(5, 1) * 6.
    assert partition_lengths(PATH, [0] * 4, HALVES) == pytest.approx((math.log(4), 0, math.log(30)))
    # d = 2: 2 balls of that size, then 1 that does not meet the first; nothing more.
    balls, grouping, labels = partition_lengths(PATH, HALVES, HALVES)
    assert balls == pytest.approx(math.log(4 * 2 * 1))
    assert grouping == pytest.approx(math.log(2 * 2))
    assert labels == pytest.approx(math.log(3 * 3))
    # d = 3: 2 balls; then d = 1 among the sizes 1 and 2, and a single object for nothing.
    balls, grouping, labels = partition_lengths(PATH, [0, 1, 1, 1], HALVES)
    assert balls == pytest.approx(math.log(4 * 2 * 2))
    assert grouping == pytest.approx(math.log(2 * 2))
    assert labels == pytest.approx(math.log(2 * 4 * 3))
    # d = 1 at once.
    assert balls_length(PATH, decompose(PATH, range(4))) == pytest.approx(math.log(4))


def test_sizes_are_described_among_those_below_the_last():
    path = graph_of(6, [(i, i + 1) for i in range(5)])
    taken = decompose(path, [0, 0, 0, 1, 1, 2])
    assert [len(ball) for ball in taken] == [3, 1, 1, 1]
    # Balls of size 3: {0,1,2} to {3,4,5}, four. Then d = 1 among the sizes 1 and 2.
    assert balls_length(path, taken) == pytest.approx(math.log(6 * 4 * 2))


def test_clean_balls_are_the_initial_groups():
    assert clean_balls(PATH, HALVES).tolist() == [0, 0, 1, 1]
    assert len(set(clean_balls(PATH, [0, 1, 0, 1]))) == 4


def test_agglomeration_keeps_the_best_partition_met():
    assert adjacent_pairs(PATH, [0, 0, 1, 2]) == [(0, 1), (1, 2)]
    # The two halves cost log(288), one group log(120).
    assert partition_length(PATH, HALVES, HALVES) == pytest.approx(math.log(288))
    assert agglomerations(PATH, clean_balls(PATH, HALVES), HALVES) == {round(math.log(120), 9)}
    y = [0] * 20 + [1] * 20
    path = graph_of(40, [(i, i + 1) for i in range(39)])
    apart = partition_length(path, y, y)
    assert apart < partition_length(path, [0] * 40, y)
    assert agglomerations(path, clean_balls(path, y), y) == {round(apart, 9)}


def test_agglomeration_of_pieces_that_no_edge_joins_ends_with_the_pieces_or_one_group():
    apart = graph_of(16, [(i, i + 1) for i in range(15) if i != 7])
    y = [0] * 8 + [1] * 8
    pieces = round(partition_length(apart, y, y), 9)
    assert agglomerations(apart, range(16), y) == {pieces}
    noise = [0, 1] * 8
    assert agglomerations(apart, y, noise) == {round(partition_length(apart, [0] * 16, noise), 9)}


def test_balls_touch_where_an_edge_joins_them():
    taken = decompose(PATH, [0, 0, 1, 2])
    assert taken == [frozenset([0, 1]), frozenset([2]), frozenset([3])]
    assert touching_balls(PATH, taken) == [{1}, {0, 2}, {1}]


def test_balls_are_told_as_walks_reach_them():
    assert breadth_first(graph_of(6, [(0, 3), (3, 1), (3, 5), (2, 4)])) == [0, 3, 1, 5, 2, 4]


def test_groupings_of_a_path_are_priced_step_by_step():
    # 1 stays with 0: 1/2. 2 goes elsewhere: 1/3, and among no other group: new. 3 stays: 2/4.
    assert adjacency_length(PATH, [{0, 1}, {2, 3}]) == pytest.approx(math.log(2 * 3 * 2))
    assert adjacency_length(PATH, [{0, 1, 2, 3}]) == pytest.approx(math.log(4))
    # 1 elsewhere: 1/2; 2 elsewhere: 2/3, back to 0's group or new: 1/2; 3 stays: 1/4.
    assert adjacency_length(PATH, [{0, 2, 3}, {1}]) == pytest.approx(math.log(2 * 1.5 * 2 * 4))
    # Nothing to stay with: 1 joins 0 or not, 1/2; 2 joins one of the groups or none.
    assert adjacency_length(graph_of(3, []), [{0, 1}, {2}]) == pytest.approx(math.log(2 * 2))
    assert adjacency_length(graph_of(3, []), [{0}, {1}, {2}]) == pytest.approx(math.log(2 * 3))


@pytest.mark.parametrize(
    "graph",
    [PATH, STAR, graph_of(5, [(0, 2), (1, 2), (1, 3), (2, 3), (0, 4)]), graph_of(4, [(0, 3)])],
)
def test_code_of_groupings_is_complete(graph):
    groupings = list(set_partitions(list(range(len(graph)))))
    assert len(groupings) == bell(len(graph), len(graph))
    kraft = sum(math.exp(-adjacency_length(graph, groups)) for groups in groupings)
    assert kraft == pytest.approx(1)


def test_prototypes_of_a_line_worked_by_hand():
    points, y = np.array([[0.0], [1.0], [2.0], [10.0]]), [0, 0, 0, 1]
    assert cells_around(points, {0, 2}).tolist() == [0, 0, 2, 2]  # 1 lies between them
    # Two of four rows with repetition: C(5, 2) = 10. Cells of 3 and 1 rows, each pure: 4 and 2.
    assert prototypes_length(points, {1, 3}, y) == pytest.approx(math.log(4 * 10 * 4 * 2))
    # One: C(4, 1) = 4; classes C(5, 1) * 4.
    assert prototypes_length(points, {2}, y) == pytest.approx(math.log(4 * 4 * 20))
    assert prototype_deletions(points, y) == {round(math.log(320), 9)}
