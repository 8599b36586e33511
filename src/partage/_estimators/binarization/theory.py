"""Theory formation: which patterns are kept, and the vote of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.binarization.discriminants import Discriminant
from partage._saving.partitions import read_numbers
from partage._support.portable import exps, logs
from partage._targets.target import TargetRows

THEORIES = ("weights", "all")
_MOST_KINDS_OF_ROWS = 20_000  # that the linear program looks at
_LEAST_VOTE = 1e-7
_MOST_ROUNDS = 6  # of asking for more patterns


@dataclass(frozen=True)
class Term:
    """A pattern of a class as the core finds it."""

    label: int
    literals: tuple[int, ...]
    positives: float
    negatives: float
    gain: float = 0.0  # nats that it saves where it was found, its own length paid
    length: float = 0.0  # in nats, times the price


TIE = 1e-12  # what the shares of the classes count beside votes


@dataclass(frozen=True)
class Theory:
    """Patterns and their votes, the votes that each class has anyway, and how steep shares are."""

    terms: tuple[Term, ...]
    votes: NDArray[np.float64]
    base: NDArray[np.float64]
    steepness: float  # 0: shares are in proportion to the votes

    def shares(self, covers: NDArray[np.bool_], prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Turn the votes of the patterns that cover each row into shares of the classes."""
        votes = self.decisive_votes(covers, prior)
        if not self.steepness:
            return np.asarray(votes / votes.sum(axis=1, keepdims=True))
        return _softmax(self.steepness * votes)

    def decisive_votes(
        self, covers: NDArray[np.bool_], prior: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Votes of every class; without one, and between equal ones, the prior decides."""
        return self.sum_votes(covers) + TIE * prior

    def sum_votes(self, covers: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Votes of every class for each row, added in the order of the patterns."""
        votes = np.tile(self.base, (len(covers), 1))
        for k, term in enumerate(self.terms):
            votes[:, term.label] += np.where(covers[:, k], self.votes[k], 0.0)
        return votes


def all_patterns(terms: Sequence[Term], n_classes: int) -> Theory:
    """Keep every pattern; its vote is its share of the rows that those of its class cover."""
    sums = np.zeros(n_classes)
    for term in terms:
        sums[term.label] += term.positives
    votes = np.array([term.positives / sums[term.label] for term in terms])
    return Theory(tuple(terms), votes, np.zeros(n_classes), 0.0)


def read_theory(data: dict[str, Any], counts: NDArray[np.float64], n_literals: int) -> Theory:
    """Read a theory from plain data; older ones hold no votes."""
    terms, votes = [], []
    for label, literals, *numbers in data["patterns"]:
        n_numbers = 3 if "base_votes" in data else 2
        found = read_numbers(numbers, (n_numbers,), "numbers of a pattern").tolist()
        positives, negatives, vote = (*found, 0.0)[:3]
        if label not in range(len(counts)) or not set(literals) <= set(range(n_literals)):
            raise ValueError("a pattern has no such class or condition")
        if not 0 < positives <= counts[label]:
            raise ValueError("a pattern covers more rows than there are, or none")
        terms.append(Term(label, tuple(literals), positives, negatives))
        votes.append(vote)
    if "base_votes" not in data:
        return all_patterns(terms, len(counts))
    base = read_numbers(data["base_votes"], (len(counts),), "base_votes")
    (steepness,) = read_numbers([data["steepness"]], (1,), "steepness").tolist()
    return Theory(tuple(terms), np.array(votes), base, steepness)


def join_neighbours(
    terms: Sequence[Term], discriminants: Sequence[Discriminant], n_kept: int = 0
) -> list[Term]:
    """Keep one of patterns that differ only in neighbouring thresholds: the one that saves most.

    The first ``n_kept`` stay as they are.
    """

    def rank(term: Term) -> tuple[float, int, int, tuple[int, ...]]:
        return -term.gain, term.label, len(term.literals), term.literals

    found: list[Term] = []
    known: dict[tuple[object, ...], list[tuple[int, ...]]] = {}
    for k, term in enumerate([*terms[:n_kept], *sorted(terms[n_kept:], key=rank)]):
        shape, places = _shape(term, discriminants)
        alike = known.setdefault(shape, [])
        if k < n_kept or not any(_are_next(places, others) for others in alike):
            alike.append(places)
            found.append(term)
    return found


def _shape(
    term: Term, discriminants: Sequence[Discriminant]
) -> tuple[tuple[object, ...], tuple[int, ...]]:
    """Columns and signs of a pattern, its values too; and the places of its thresholds."""
    shape: list[object] = [term.label]
    places = []
    for literal in term.literals:
        found = discriminants[literal // 2]
        is_threshold = found.kind == "threshold"
        shape.append((found.column_idx, literal % 2, None if is_threshold else found.at))
        if is_threshold:
            places.append(literal // 2)  # discriminants are listed by column and value
    return tuple(shape), tuple(places)


def _are_next(places: tuple[int, ...], others: tuple[int, ...]) -> bool:
    """Whether thresholds are the same or next to each other."""
    return all(abs(a - b) <= 1 for a, b in zip(places, others, strict=True))


def form_theory(
    find: Callable[[NDArray[np.float64] | None], list[Term]],
    cover: Callable[[Sequence[Term]], NDArray[np.bool_]],
    rows: TargetRows,
    discriminants: Sequence[Discriminant],
    max_patterns: int | None,
) -> Theory:
    """Give patterns the votes that set the classes apart at the least price.

    A linear program: rows whose class leads by less than one vote cost what they lack, a vote costs
    the length of its pattern. Most votes are then 0, and those patterns are left out. ``find`` is
    asked again for patterns of the rows that still lack something, weighed by what a vote for them
    would be worth, until it finds none that is new.
    """
    weights = np.ones(len(rows.codes)) if rows.weights is None else rows.weights
    classes = rows.codes.astype(np.int64)
    terms = join_neighbours(find(None), discriminants)
    if not terms:
        return all_patterns(terms, rows.n_classes)
    covers = cover(terms)
    for _ in range(_MOST_ROUNDS):
        kinds = _kinds_of_rows(covers, classes, weights)
        worth = _solve(kinds, np.arange(len(terms)), terms, rows.n_classes).worth
        asked = worth[kinds.of_row] * weights / np.maximum(kinds.weights[kinds.of_row], 1e-300)
        joined = join_neighbours([*terms, *find(asked)], discriminants, n_kept=len(terms))
        if len(joined) == len(terms):
            break
        covers = np.hstack([covers, cover(joined[len(terms) :])])
        terms = joined
    theory = _weigh_patterns(terms, covers, classes, weights, rows.n_classes, max_patterns)
    return replace(theory, terms=tuple(_counted(theory.terms, cover, classes, weights)))


def _counted(
    terms: Sequence[Term],
    cover: Callable[[Sequence[Term]], NDArray[np.bool_]],
    classes: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> Iterator[Term]:
    """Count what patterns cover of all rows, whatever rows they were found on."""
    covers = cover(terms)
    for k, term in enumerate(terms):
        own = covers[:, k] & (classes == term.label)
        others = covers[:, k] & (classes != term.label)
        yield replace(
            term, positives=float(weights[own].sum()), negatives=float(weights[others].sum())
        )


def _weigh_patterns(
    terms: Sequence[Term],
    covers: NDArray[np.bool_],
    classes: NDArray[np.int64],
    weights: NDArray[np.float64],
    n_classes: int,
    max_patterns: int | None,
) -> Theory:
    """Keep the patterns that get votes, at most so many."""
    rows = _kinds_of_rows(covers, classes, weights)
    chosen = np.arange(len(terms))
    found = _solve(rows, chosen, terms, n_classes)
    used = found.votes > _LEAST_VOTE
    if max_patterns is not None and used.sum() > max_patterns:
        # Those whose votes move most; equal ones by their order.
        moved = found.votes * (rows.weights @ rows.covers)
        chosen = np.sort(np.argsort(-moved, kind="stable")[:max_patterns])
        found = _solve(rows, chosen, terms, n_classes)
        used = found.votes > _LEAST_VOTE
    kept = chosen[used]
    theory = Theory(tuple(terms[k] for k in kept), found.votes[used], found.base, 1.0)
    votes = theory.sum_votes(rows.covers[:, kept])
    return replace(theory, steepness=_find_steepness(votes, rows.classes, rows.weights))


@dataclass(frozen=True)
class _Rows:
    """Kinds of rows: the patterns that cover them, their class and their weight."""

    covers: NDArray[np.bool_]
    classes: NDArray[np.int64]
    weights: NDArray[np.float64]
    of_row: NDArray[np.int64]  # the kind of each row; a last one for those left out


@dataclass(frozen=True)
class _Votes:
    """Votes of patterns and of classes, and what a vote for each kind of row would be worth."""

    votes: NDArray[np.float64]
    base: NDArray[np.float64]
    worth: NDArray[np.float64]


def _kinds_of_rows(
    covers: NDArray[np.bool_], classes: NDArray[np.int64], weights: NDArray[np.float64]
) -> _Rows:
    """Join rows that no pattern and no class tells apart; the most frequent, where too many."""
    bits = np.packbits(covers, axis=1)
    keys = np.column_stack([bits, classes.astype(">u4").view(np.uint8).reshape(-1, 4)])
    _, first, kind = np.unique(
        np.ascontiguousarray(keys).view([("", np.uint8)] * keys.shape[1]).ravel(),
        return_index=True,
        return_inverse=True,
    )
    sums = np.bincount(kind.ravel(), weights=weights).astype(np.float64)
    most = np.sort(np.argsort(-sums, kind="stable")[:_MOST_KINDS_OF_ROWS])
    place = np.full(len(sums), len(most))
    place[most] = np.arange(len(most))
    return _Rows(covers[first[most]], classes[first[most]], sums[most], place[kind.ravel()])


def _solve(
    rows: _Rows,
    chosen: NDArray[np.int64],
    terms: Sequence[Term],
    n_classes: int,
) -> _Votes:
    """Find the votes of the chosen patterns, and of the classes alone."""
    from scipy import sparse
    from scipy.optimize import linprog

    n_rows, n_terms = len(rows.classes), len(chosen)
    labels = np.array([terms[k].label for k in chosen], dtype=np.int64)
    covers = rows.covers[:, chosen].astype(np.float64)
    blocks, lacks = [], []
    for other in range(n_classes):
        here = np.flatnonzero(rows.classes != other)
        own = labels[None, :] == rows.classes[here, None]
        signs = own.astype(np.float64) - (labels == other)[None, :]
        base = np.zeros((len(here), n_classes))
        base[np.arange(len(here)), rows.classes[here]] = 1.0
        base[:, other] = -1.0
        blocks.append(sparse.csr_array(-np.hstack([covers[here] * signs, base])))
        lacks.append(here)
    short = np.concatenate(lacks)
    lack = sparse.csr_array(
        (-np.ones(len(short)), (np.arange(len(short)), short)), shape=(len(short), n_rows)
    )
    found = linprog(
        np.concatenate([[terms[k].length for k in chosen], np.zeros(n_classes), rows.weights]),
        A_ub=sparse.hstack([sparse.vstack(blocks), lack]).tocsr(),
        b_ub=-np.ones(len(short)),
        bounds=(0, None),
        method="highs",
    )
    if found.x is None:
        raise RuntimeError(f"SciPy found no votes of patterns: {found.message}")
    votes = np.round(found.x[:n_terms], 9)
    base = np.round(found.x[n_terms : n_terms + n_classes], 9)
    worth = np.bincount(short, weights=-found.ineqlin.marginals, minlength=n_rows)
    return _Votes(votes, base - base.min(), np.append(np.maximum(worth, 0.0), 0.0))


def _softmax(votes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares whose logarithms differ as the votes do."""
    raised = exps(votes - votes.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _find_steepness(
    votes: NDArray[np.float64], classes: NDArray[np.int64], weights: NDArray[np.float64]
) -> float:
    """How steep shares must be for the rows to be most likely; bounded, so that none is 0."""

    def loss(steepness: float) -> float:
        own = _softmax(steepness * votes)[np.arange(len(classes)), classes]
        return -float((weights * logs(np.maximum(own, 1e-300))).sum())

    low, high = 1e-3, 10.0
    for _ in range(60):  # the loss is convex
        third = (high - low) / 3
        if loss(low + third) <= loss(high - third):
            high -= third
        else:
            low += third
    return round((low + high) / 2, 6)
