"""Decision trees on numeric columns, to stand beside the partitions.

C4.5 is written from its book. A node is cut at the threshold of highest gain, less log2(d - 1) / n
for the choice among its d values (release 8); of the columns whose gain is at least the average,
the one of highest gain ratio is taken. A subtree becomes a leaf where the pessimistic errors, upper
limits at 25% confidence, say it is no worse. Subtrees are not raised. The entropy tree is grown by
scikit-learn and pruned alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

__all__ = ["C45", "EntropyTree", "pessimistic_errors"]

_CONFIDENCE = 0.25
_DEVIATION = 0.6925**2  # square of the normal deviate of that confidence, from C4.5's own table
_LEAST_SIDE = 2
_SLACK = 0.1  # errors that C4.5 forgives the smaller tree


@dataclass
class _Node:
    """A leaf, or a cut of one column with two nodes below it."""

    counts: NDArray[np.float64]
    column: int = -1
    threshold: float = 0.0
    low: _Node | None = None
    high: _Node | None = None


@dataclass(frozen=True)
class _Cut:
    """The best threshold of one column."""

    column: int
    threshold: float
    gain: float
    ratio: float


class C45:
    """A decision tree, grown and pruned."""

    def __init__(self, X: NDArray[np.float64], y: NDArray[Any]) -> None:
        self._classes, codes = np.unique(y, return_inverse=True)
        self._root = self._grow(X, codes)
        self._prune(self._root)
        self.n_leaves = _count_leaves(self._root)

    def score(self, X: NDArray[np.float64], y: NDArray[Any]) -> float:
        """Return the share of rows whose class is right."""
        found = np.empty(len(X), dtype=np.int64)
        self._assign(self._root, X, np.arange(len(X)), found)
        return float(np.mean(self._classes[found] == y))

    def _grow(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> _Node:
        """Cut while a column gains something."""
        counts = np.bincount(codes, minlength=len(self._classes)).astype(float)
        node = _Node(counts)
        if counts.max() == len(codes) or len(codes) < 2 * _LEAST_SIDE:
            return node
        cuts = [
            cut
            for j in range(X.shape[1])
            if (cut := _best_cut(j, X[:, j], codes, counts)) is not None
        ]
        useful = [cut for cut in cuts if cut.gain > 0.0]
        if not useful:
            return node
        average = float(np.mean([cut.gain for cut in cuts]))
        best = max((cut for cut in useful if cut.gain >= average - 1e-3), key=lambda cut: cut.ratio)
        is_low = X[:, best.column] <= best.threshold
        node.column, node.threshold = best.column, best.threshold
        node.low = self._grow(X[is_low], codes[is_low])
        node.high = self._grow(X[~is_low], codes[~is_low])
        return node

    def _prune(self, node: _Node) -> float:
        """Prune below a node; return the errors that it is expected to make."""
        size = float(node.counts.sum())
        own = pessimistic_errors(size - float(node.counts.max()), size)
        if node.low is None or node.high is None:
            return own
        below = self._prune(node.low) + self._prune(node.high)
        if own > below + _SLACK:
            return below
        node.low = node.high = None
        return own

    def _assign(
        self,
        node: _Node,
        X: NDArray[np.float64],
        rows: NDArray[np.int64],
        found: NDArray[np.int64],
    ) -> None:
        """Note the class of the leaf of every row."""
        if node.low is None or node.high is None:
            found[rows] = node.counts.argmax()
            return
        is_low = X[rows, node.column] <= node.threshold
        self._assign(node.low, X, rows[is_low], found)
        self._assign(node.high, X, rows[~is_low], found)


class EntropyTree(C45):
    """A tree of scikit-learn: cuts of highest gain that pay nothing for their choice."""

    def _grow(self, X: NDArray[np.float64], codes: NDArray[np.int64]) -> _Node:
        """Let scikit-learn cut until the classes are clean."""
        model = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=_LEAST_SIDE, random_state=0
        )
        return self._copy(model.fit(X, codes).tree_, 0, X, codes)

    def _copy(self, grown: Any, k: int, X: NDArray[np.float64], codes: NDArray[np.int64]) -> _Node:
        """Copy what is grown from its node k on, with the class counts of the rows there."""
        node = _Node(np.bincount(codes, minlength=len(self._classes)).astype(float))
        low, high = int(grown.children_left[k]), int(grown.children_right[k])
        if low < 0:
            return node
        node.column, node.threshold = int(grown.feature[k]), float(grown.threshold[k])
        is_low = X[:, node.column] <= node.threshold
        node.low = self._copy(grown, low, X[is_low], codes[is_low])
        node.high = self._copy(grown, high, X[~is_low], codes[~is_low])
        return node


def _best_cut(
    column: int, x: NDArray[np.float64], codes: NDArray[np.int64], counts: NDArray[np.float64]
) -> _Cut | None:
    """Return the threshold of highest gain, or None where no threshold is allowed."""
    n = len(x)
    least = min(max(0.1 * n / len(counts), _LEAST_SIDE), 25.0)
    order = np.argsort(x, kind="stable")
    values = x[order]
    sizes = np.arange(1, n)
    places = np.flatnonzero((values[1:] > values[:-1]) & (sizes >= least) & (n - sizes >= least))
    if not len(places):
        return None
    low = np.cumsum(np.eye(len(counts))[codes[order]], axis=0)[places]
    share = (places + 1) / n
    rest = share * _entropy(low) + (1.0 - share) * _entropy(counts - low)
    best = int(rest.argmin())
    n_values = 1 + np.count_nonzero(values[1:] > values[:-1])
    gain = float(_entropy(counts) - rest[best]) - float(np.log2(n_values - 1)) / n
    sides = np.array([share[best], 1.0 - share[best]])
    middle = float((values[places[best]] + values[places[best] + 1]) / 2.0)
    return _Cut(column, middle, gain, gain / float(_entropy(sides)))


def _entropy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Entropy in bits of the last axis."""
    shares = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray(-(shares * np.log2(np.where(shares > 0.0, shares, 1.0))).sum(axis=-1))


def _count_leaves(node: _Node) -> int:
    """Count the leaves below a node."""
    if node.low is None or node.high is None:
        return 1
    return _count_leaves(node.low) + _count_leaves(node.high)


def pessimistic_errors(errors: float, size: float) -> float:
    """Return the errors to expect of a leaf: the upper limit at 25% confidence, as C4.5 takes it.

    The limit is exact where there are no errors and an approximation by C4.5 where there are.
    """
    if errors == 0.0:
        return size * (1.0 - math.pow(_CONFIDENCE, 1.0 / size))
    middle = errors + 0.5
    if middle >= size:
        return errors + 0.67 * (size - errors)
    spread = math.sqrt(_DEVIATION * (middle * (1.0 - middle / size) + _DEVIATION / 4.0))
    return size * (middle + _DEVIATION / 2.0 + spread) / (size + _DEVIATION)
