"""Graphs, balls and the lengths of parts of a graph, straight from the definitions.

A graph is a list: the set of neighbours of each object. A ball is a frozenset of objects; two
centres may give the same ball, which counts once.
"""

import itertools
import math
from fractions import Fraction

import numpy as np

from reference.counting import log_bell
from reference.criteria import part_length


def exact_integers(points):
    """Coordinates as integers in a common unit, read from the digits that print each number."""
    fractions = [[Fraction(repr(float(value))) for value in point] for point in points]
    unit = math.lcm(*(value.denominator for point in fractions for value in point))
    return [[int(value * unit) for value in point] for point in fractions]


def squared_distances(points):
    """Exact squares of the Euclidean distances, in the unit of the coordinates."""
    rows = exact_integers(points)
    return [[sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for q in rows] for p in rows]


def _edges(points, is_killed):
    """Pairs of objects whom no third object keeps apart."""
    square = squared_distances(points)
    pairs = itertools.combinations(range(len(points)), 2)
    return {
        (i, j)
        for i, j in pairs
        if not any(is_killed(square[i][o], square[j][o], square[i][j]) for o in range(len(points)))
    }


def gabriel_edges(points):
    """Pairs with L(i, j)² <= L(i, o)² + L(j, o)² for every object o, in exact arithmetic."""
    return _edges(points, lambda to_i, to_j, apart: to_i + to_j < apart)


def gabriel_edges_of_integers(points):
    """Gabriel edges of many points of small integers, still exact: squares fit 64 bits."""
    points = np.asarray(points, dtype=np.int64)
    square = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    edges = set()
    for i, row in enumerate(square):
        around = (row[:, None] + square).min(axis=0)
        edges |= {(i, int(j)) for j in np.flatnonzero(around >= row) if i < j}
    return edges


def relative_neighbourhood_edges(points):
    """Pairs with L(i, j) <= max(L(i, o), L(j, o)) for every object o, in exact arithmetic."""
    return _edges(points, lambda to_i, to_j, apart: max(to_i, to_j) < apart)


def edges_of(matrix):
    """Edges (i, j), i < j, of a symmetric sparse matrix."""
    rows, columns = matrix.nonzero()
    return {(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if i < j}


def graph_of(n, edges):
    """Graph of n objects with these edges."""
    graph = [set() for _ in range(n)]
    for i, j in edges:
        graph[i].add(j)
        graph[j].add(i)
    return graph


def matrix_of(graph):
    """Graph as a boolean matrix."""
    matrix = np.zeros((len(graph), len(graph)), dtype=bool)
    for i, neighbours in enumerate(graph):
        matrix[i, list(neighbours)] = True
    return matrix


def induced(graph, members):
    """Keep the edges between members; the other objects stay, alone."""
    return [near & members if i in members else set() for i, near in enumerate(graph)]


def balls_around(graph, centre):
    """Balls of radius 0, 1, ... around a centre, until they stop growing."""
    ball = frozenset([centre])
    balls = [ball]
    while (grown := ball.union(*(graph[i] for i in ball))) != ball:
        ball = grown
        balls.append(ball)
    return balls


def all_balls(graph, centres=None):
    """List (centre, radius, ball), by centre, then radius."""
    centres = range(len(graph)) if centres is None else sorted(centres)
    return [(c, r, ball) for c in centres for r, ball in enumerate(balls_around(graph, c))]


def balls_inside(graph, members, family="global"):
    """Balls that may split the members, as (centre, radius, ball).

    ``"global"``: balls of the graph that lie inside; ``"local"``: balls of the subgraph of the
    members; ``"trace"``: what balls of the graph, of any centre, share with the members.
    """
    members = frozenset(members)
    if family == "local":
        return all_balls(induced(graph, members), members)
    if family == "trace":
        return [(c, r, ball & members) for c, r, ball in all_balls(graph) if ball & members]
    return [(c, r, ball) for c, r, ball in all_balls(graph, members) if ball <= members]


def ball_counts(graph, members, family="global"):
    """Count the distinct balls inside the members, by size from 0 to their number."""
    distinct = {ball for _, _, ball in balls_inside(graph, members, family)}
    return np.bincount([len(ball) for ball in distinct], minlength=len(members) + 1)


def class_counts(members, y):
    """Members of each class; the classes are those of all objects."""
    y = np.asarray(y)
    return [int(sum(y[i] == label for i in members)) for label in np.unique(y)]


def label_length(members, y):
    """l_d: nats that describe the classes of the members."""
    return part_length(class_counts(members, y))


def null_length(members, y, null_prior="paper"):
    """l(S, S): log N(S), or one bit, and the classes."""
    prior = math.log(2 if null_prior == "half" else len(members))
    return prior + label_length(members, y)


def split_length(graph, members, ball, y, family="global", null_prior="paper"):
    """l(S, B) and the number of balls of that size inside S."""
    members, ball = frozenset(members), frozenset(ball)
    n_balls = int(ball_counts(graph, members, family)[len(ball)])
    if ball == members:
        return null_length(members, y, null_prior), n_balls
    n = len(members)
    size = math.log(2 * (n - 1)) if null_prior == "half" else math.log(n)
    labels = label_length(ball, y) + label_length(members - ball, y)
    return size + math.log(n_balls) + labels, n_balls


def best_split(graph, members, y, family="global", null_prior="paper"):
    """Cheapest proper split of the members: its length and every (centre, radius, ball) at it."""
    members = frozenset(members)
    family_of_balls = balls_inside(graph, members, family)
    counts = ball_counts(graph, members, family)
    n = len(members)
    size = math.log(2 * max(n - 1, 1)) if null_prior == "half" else math.log(n)
    lengths = {}
    for _, _, ball in family_of_balls:
        if ball != members and ball not in lengths:
            labels = label_length(ball, y) + label_length(members - ball, y)
            lengths[ball] = size + math.log(counts[len(ball)]) + labels
    if not lengths:
        return math.inf, []
    lowest = min(lengths.values())
    ties = [
        (c, r, ball)
        for c, r, ball in family_of_balls
        if ball in lengths and lengths[ball] <= lowest + 1e-9 * abs(lowest)
    ]
    return lowest, ties


def recursive_bipartition(graph, y, family="global", null_prior="paper", choose=min):
    """Split while l(S, B) < l(S, S); return the parts. ``choose`` picks among equal balls."""
    parts, open_sets = [], [frozenset(range(len(graph)))]
    while open_sets:
        members = open_sets.pop()
        length, ties = best_split(graph, members, y, family, null_prior)
        null = null_length(members, y, null_prior)
        if length < null - 1e-9 * abs(null):
            ball = choose(ties, key=lambda tie: (tie[0], tie[1]))[2]
            open_sets += [members - ball, ball]
        else:
            parts.append(members)
    return parts


def decompose(graph, labels):
    """Algorithm 1: the largest ball inside a group and what is left, again and again.

    Of equal sizes the smallest centre, then the smallest radius, comes first.
    """
    labels = np.asarray(labels)
    groups = [frozenset(np.flatnonzero(labels == k).tolist()) for k in np.unique(labels)]
    group_of = {i: group for group in groups for i in group}
    clean = [(c, r, ball) for c, r, ball in all_balls(graph) if ball <= group_of[c]]
    left, taken = set(range(len(graph))), []
    while left:
        inside = [entry for entry in clean if entry[2] <= left]
        best = max(inside, key=lambda entry: (len(entry[2]), -entry[0], -entry[1]))
        taken.append(best[2])
        left -= best[2]
    return taken


def balls_length(graph, taken):
    """l_ballsset: nats that describe the balls of a decomposition, in their order."""
    every = {ball for _, _, ball in all_balls(graph)}
    length, covered, previous = math.log(len(graph)), set(), None
    for ball in taken:
        size = len(ball)
        if previous is not None and size < previous:
            length += math.log(previous - 1)
        previous = size
        if size == 1:
            break
        free = [other for other in every if len(other) == size and not other & covered]
        length += math.log(len(free))
        covered |= ball
    return length


def partition_lengths(graph, labels, y, grouping="any"):
    """Terms of l(π): the balls, their grouping, the classes."""
    labels = np.asarray(labels)
    taken = decompose(graph, labels)
    groups = [np.flatnonzero(labels == k).tolist() for k in np.unique(labels)]
    if grouping == "connected":
        balls_of = [{i for i, ball in enumerate(taken) if ball <= set(group)} for group in groups]
        grouped = adjacency_length(touching_balls(graph, taken), balls_of)
    else:
        grouped = math.log(len(taken)) + log_bell(len(taken), len(groups))
    return balls_length(graph, taken), grouped, sum(label_length(group, y) for group in groups)


def partition_length(graph, labels, y, grouping="any"):
    """l(π)."""
    return sum(partition_lengths(graph, labels, y, grouping))


def clean_balls(graph, y):
    """Label the initial groups: the balls of Algorithm 1 on the classes."""
    labels = np.empty(len(graph), dtype=int)
    for k, ball in enumerate(decompose(graph, np.unique(y, return_inverse=True)[1])):
        labels[list(ball)] = k
    return labels


def adjacent_pairs(graph, labels):
    """Pairs of groups that an edge joins."""
    pairs = {
        (min(labels[i], labels[j]), max(labels[i], labels[j]))
        for i, near in enumerate(graph)
        for j in near
    }
    return sorted((int(a), int(b)) for a, b in pairs if a != b)


def touching_balls(graph, taken):
    """Graph of the balls of a decomposition: those that an edge of the graph joins."""
    pairs = itertools.combinations(range(len(taken)), 2)
    edges = [(a, b) for a, b in pairs if any(graph[i] & taken[b] for i in taken[a])]
    return graph_of(len(taken), edges)


def is_connected(graph, members):
    """Whether the members hang together by their own edges."""
    return balls_around(induced(graph, set(members)), min(members))[-1] == frozenset(members)


def breadth_first(graph):
    """List the objects as walks from the smallest one left reach them; neighbours in order."""
    order = []
    for seed in range(len(graph)):
        if seed not in order:
            walk = [seed]
            for i in walk:
                walk += sorted(graph[i] - {*walk})
            order += walk
    return order


def adjacency_length(graph, groups):
    """Length of a grouping that is told object by object, short where groups hang together.

    An object with neighbours told before joins one of their groups or goes elsewhere, by Laplace's
    rule of succession; which of those groups, or which of the other ones (a new one among them),
    is a uniform choice.
    """
    group_of = {i: frozenset(group) for group in groups for i in group}
    probability, told, n_asked, n_elsewhere = 1.0, [], 0, 0
    for i in breadth_first(graph):
        opened = {group_of[j] for j in told}
        beside = {group_of[j] for j in graph[i] if j in told}
        stays = group_of[i] in beside
        if beside:
            elsewhere = (n_elsewhere + 1) / (n_asked + 2)
            probability *= 1 - elsewhere if stays else elsewhere
            n_asked += 1
            n_elsewhere += not stays
        probability /= len(beside) if stays else len(opened - beside) + 1
        told.append(i)
    return -math.log(probability)


def set_partitions(items):
    """All divisions of a list into groups."""
    if not items:
        yield []
        return
    for groups in set_partitions(items[1:]):
        yield [[items[0]], *groups]
        for k, group in enumerate(groups):
            yield [*groups[:k], [items[0], *group], *groups[k + 1 :]]


def agglomerations(graph, labels, y, grouping="any", limit=200):
    """Algorithm 2: lowest l(π) met, for every way to break ties (up to ``limit`` partitions).

    One group counts as met even where no edge joins the pieces of the graph. Returns the set of
    lengths of the best partition met, rounded to 9 digits.
    """
    found = set()
    seen = set()

    def descend(labels, best):
        key = tuple(_renumbered(labels))
        if (key, round(best, 9)) in seen or len(seen) > limit:
            return
        seen.add((key, round(best, 9)))
        pairs = adjacent_pairs(graph, labels)
        if not pairs:
            found.add(round(best, 9))
            return
        merged = [np.where(labels == b, a, labels) for a, b in pairs]
        lengths = [partition_length(graph, candidate, y, grouping) for candidate in merged]
        lowest = min(lengths)
        for candidate, length in zip(merged, lengths, strict=True):
            if length <= lowest + 1e-9 * abs(lowest):
                descend(candidate, min(best, length))

    labels = np.asarray(labels)
    one = np.zeros(len(graph), dtype=int)
    descend(labels, min(partition_length(graph, part, y, grouping) for part in (labels, one)))
    return found


def _renumbered(labels):
    """Group numbers in the order in which they are met."""
    names = {}
    return [names.setdefault(int(label), len(names)) for label in labels]


def cells_around(points, prototypes):
    """Parts of the rows: the nearest prototype of each, of equals the first."""
    square = ((points[:, None, :] - points[None, sorted(prototypes), :]) ** 2).sum(axis=2)
    return np.array(sorted(prototypes))[square.argmin(axis=1)]


def prototypes_length(points, prototypes, y):
    """Length of a choice of prototypes: log N + log C(N+K-1, K) + the classes of the cells."""
    n, k = len(points), len(prototypes)
    cell_of = cells_around(points, prototypes)
    labels = sum(label_length(np.flatnonzero(cell_of == p), y) for p in prototypes)
    return math.log(n) + math.log(math.comb(n + k - 1, k)) + labels


def prototype_deletions(points, y):
    """Lowest length met while prototypes go one by one, for every way to break ties."""
    found, seen = set(), set()

    def descend(prototypes, best):
        best = min(best, round(prototypes_length(points, prototypes, y), 9))
        if (prototypes, best) in seen:
            return
        seen.add((prototypes, best))
        if len(prototypes) == 1:
            found.add(best)
            return
        smaller = [prototypes - {p} for p in prototypes]
        lengths = [prototypes_length(points, chosen, y) for chosen in smaller]
        for chosen, length in zip(smaller, lengths, strict=True):
            if length <= min(lengths) * (1 + 1e-9):
                descend(chosen, best)

    descend(frozenset(range(len(points))), math.inf)
    return found
