"""Parts of a set of objects: what a partition of a graph or a space holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Split:
    """A subset that the recursive bipartition examined; also read like a dict.

    Attributes
    ----------
    n : int
        Objects of the subset S.
    counts : tuple of int
        Objects of each class.
    null_cost, split_cost : float
        l(S,S) and the least l(S,B), in nats; infinite where S holds no ball but itself.
    n_balls : int
        Balls of the size of the best one inside S, β.
    centre, radius, size : int
        The best ball: objects within ``radius`` steps of row ``centre``; -1 where there is none.
    accepted : bool
        Whether the ball was cut off.
    parent : int
        Place of the subset it was cut from, -1 for the first.
    side : {"all", "inside", "outside"}
        Whether S is the ball of its parent's split or what it left.
    part : int
        Code of the part, where S was not cut; else -1.
    """

    n: int
    counts: tuple[int, ...]
    null_cost: float
    split_cost: float
    n_balls: int
    centre: int
    radius: int
    size: int
    accepted: bool
    parent: int
    side: str
    part: int = -1

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


@dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """Parts of a set of objects, as found by ``partage.GraphPartitioner``.

    Attributes
    ----------
    labels : ndarray of shape (n_objects,)
        Part code of each training object; -1 for those of zero weight.
    counts : ndarray of shape (K, J)
        Objects of each class in each part, or their weight; the parts are ordered by the share of
        the last class.
    classes : ndarray of shape (J,)
        The classes, in the order of the columns of ``counts``.
    cost, null_cost : float
        Length of the partition and of one part, in nats.
    level : float
        ``1 - cost / null_cost``, at least 0: 0 is no information on the class.
    method : str
        Method that found the partition.
    family : str
        Balls that were looked at, where they were limited.
    readings : tuple of str
        What makes each part, in words.

    Examples
    --------
    >>> import partage as pt
    >>> X = [[x, y] for x in range(8) for y in range(4)]
    >>> cells = pt.GraphPartitioner().fit(X, [0] * 16 + [1] * 16).partition_
    >>> cells.counts
    array([[16.,  0.],
           [ 0., 16.]])
    >>> cells
    Cells(2 parts of 32 objects, level 0.5875)
    """

    labels: NDArray[np.int64]
    counts: NDArray[np.float64]
    classes: NDArray[Any]
    cost: float
    null_cost: float
    method: str
    family: str = "all balls"
    readings: tuple[str, ...] = field(default=())
    library: str = "pandas"

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def n_parts(self) -> int:
        """Number of parts, K."""
        return len(self.counts)

    @property
    def level(self) -> float:
        """Information on the class, from 0 on."""
        return max(0.0, 1.0 - self.cost / self.null_cost) if self.null_cost > 0 else 0.0

    @property
    def rates(self) -> NDArray[np.float64]:
        """Class shares of the parts."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @property
    def majority(self) -> NDArray[np.int64]:
        """Position of the most frequent class of each part; the first one of equals."""
        return np.asarray(self.counts.argmax(axis=1))

    def table(self) -> Any:
        """One row per part, as a data frame.

        Returns
        -------
        DataFrame
            Of the library the data came in; pandas for arrays. Columns: ``part``, ``count``,
            ``share``, then for each class its ``count_...`` and ``rate_...``, and ``reading``, what
            makes the part.
        """
        from partage._support.frames import make_frame

        sizes = self.counts.sum(axis=1)
        columns: dict[str, Any] = {
            "part": np.arange(self.n_parts),
            "count": sizes.astype(np.int64),
            "share": sizes / sizes.sum(),
        }
        for j, label in enumerate(self.classes.tolist()):
            columns[f"count_{label}"] = self.counts[:, j].astype(np.int64)
        for j, label in enumerate(self.classes.tolist()):
            columns[f"rate_{label}"] = self.rates[:, j]
        if self.readings:
            columns["reading"] = list(self.readings)
        return make_frame(columns, self.library)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; ``partage.from_dict`` reads it back."""
        from partage._saving.partitions import cells_to_dict

        return cells_to_dict(self)

    def __repr__(self) -> str:
        parts = "1 part" if self.n_parts == 1 else f"{self.n_parts} parts"
        return f"Cells({parts} of {self.counts.sum():.0f} objects, level {self.level:.4f})"


def order_of_parts(
    codes: NDArray[np.int64], classes: NDArray[Any], n_classes: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Order parts: the new number of each, and the counts in that order.

    Parts are ordered by the share of the last class, then by size, then by their first object.
    """
    n_parts = int(codes.max()) + 1
    flat = np.bincount(codes * n_classes + classes, minlength=n_parts * n_classes)
    counts = flat.reshape(n_parts, n_classes).astype(np.float64)
    sizes = counts.sum(axis=1)
    _, first = np.unique(codes, return_index=True)
    order = np.lexsort((first, sizes, counts[:, -1] / sizes))
    number = np.empty(n_parts, dtype=np.int64)
    number[order] = np.arange(n_parts)
    return number, counts[order]
