"""Parts of a set of objects: what a partition of a graph or a space holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._partitions.found import Found
from partage._partitions.partition import Partition
from partage._partitions.rule import Decisions, Rule
from partage._targets.tally import Tally
from partage._targets.target import Target

if TYPE_CHECKING:
    from partage._data.table import Table


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


@dataclass(frozen=True, eq=False)
class ObjectParts(Rule):
    """The rule of cells: the part of each training object, by its row.

    Attributes
    ----------
    codes : ndarray of shape (n_objects,)
        Part of each training object; -1 for those of zero weight.
    n_cells : int
        Number of parts.
    readings : tuple of str
        What makes each part, in words; empty where nothing is known.
    """

    codes: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    n_cells: int = 1
    readings: tuple[str, ...] = ()

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return self.n_cells

    @property
    def is_of_columns(self) -> bool:
        """Whether values of columns decide: they do not, for objects."""
        return False

    @property
    def column_kind(self) -> str:
        """Kind of what is divided."""
        return "objects"

    @property
    def is_measured(self) -> bool:
        """Whether there is one column of numbers or times: never."""
        return False

    @property
    def is_line(self) -> bool:
        """Whether only neighbours may be merged: objects form no line."""
        return False

    @property
    def described(self) -> str:
        """What the rule holds, in a message."""
        return f"{self.n_cells} sets of objects"

    def labels(self) -> list[str]:
        """Name each part by what makes it, else by its number."""
        return list(self.readings) or [f"part {k}" for k in range(self.n_cells)]

    def read(self, who: str, x: Any) -> NDArray[np.int64]:
        """Read rows of training objects."""
        rows = np.asarray(x)
        is_whole = rows.ndim == 1 and (rows.dtype.kind in "iu" or rows.size == 0)
        if not is_whole or (rows.size and not 0 <= rows.min() <= rows.max() < len(self.codes)):
            raise ValueError(
                f"{who}: x must hold rows of training objects, whole numbers from 0 to "
                f"{len(self.codes) - 1}; got {x!r}. For other objects, use predict of the "
                "estimator that found the parts."
            )
        return rows.astype(np.int64)

    def assign(self, who: str, column: NDArray[np.int64]) -> NDArray[np.int64]:
        """Part of each of these objects; -1 for one of zero weight."""
        del who
        return self.codes[column]

    def decisions(self) -> Decisions:
        """Give the rule as a decision list: there is none."""
        raise NotImplementedError

    def read_from(self, who: str, table: Table, index: int) -> Any:
        """Read a column of a table: objects are not told by a column."""
        raise NotImplementedError

    def check(self, who: str, column: Any) -> None:
        """Refuse a column."""
        raise NotImplementedError

    def check_known(self, who: str, column: Any) -> None:
        """Refuse values that no part takes."""
        raise NotImplementedError

    def joined(self, place: Sequence[int]) -> ObjectParts:
        """Join parts."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, repr=False)
class Cells(Partition):
    """Parts of a set of objects, as found by ``partage.GraphPartitioner``.

    No rule in the columns decides which part an object belongs to, so that cells cannot be edited,
    explained, recounted or written as SQL; other objects are assigned by the estimator.

    Attributes
    ----------
    codes : ndarray of shape (n_objects,)
        Part code of each training object; -1 for those of zero weight.
    counts : ndarray of shape (K, J)
        Objects of each class in each part, or their weight; the parts are ordered by the share of
        the last class.
    rows : ndarray of shape (K,)
        Training objects of each part, whatever they weigh.
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
    >>> cells.assign([0, 31])
    array([0, 1])
    >>> cells
    Cells(2 parts of 32 objects, level 0.4344)
    """

    rule: ObjectParts
    family: str = "all balls"

    @classmethod
    def of(
        cls,
        codes: NDArray[np.int64],
        counts: NDArray[np.float64],
        target: Target,
        costs: tuple[float, float],
        method: str,
        family: str,
        readings: tuple[str, ...] = (),
        library: str = "pandas",
    ) -> Cells:
        """Make cells of the part of each object, the weight of the classes, and what they cost."""
        cost, null_cost = costs
        level = max(0.0, 1.0 - cost / null_cost) if null_cost > 0 else 0.0
        rows = np.bincount(codes[codes >= 0], minlength=len(counts)).astype(np.int64)
        parts = Tally.of_counts(counts, rows)
        return cls(
            rule=ObjectParts("objects", codes=codes, n_cells=len(counts), readings=readings),
            tally=parts.concat(parts.empty(1)),
            target=target,
            found=Found(method, cost, null_cost, level, is_optimal=False, price=None),
            n_values=int(rows.sum()),
            library=library,
            family=family,
        )

    @property
    def codes(self) -> NDArray[np.int64]:
        """Part code of each training object."""
        return self.rule.codes

    @property
    def readings(self) -> tuple[str, ...]:
        """What makes each part, in words."""
        return self.rule.readings

    @property
    def rates(self) -> NDArray[np.float64]:
        """Class shares of the parts."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @property
    def majority(self) -> NDArray[np.int64]:
        """Position of the most frequent class of each part; the first one of equals."""
        return np.asarray(self.counts.argmax(axis=1))

    def _table(self, x: Any, y: Any, sample_weight: Any, certainty: bool) -> Any:
        from partage._display.tables import cells_table

        if x is not None or y is not None or sample_weight is not None:
            self._check_columns("table(x, y)")
        if certainty:
            self._check_columns("table(certainty=True)")
        return cells_table(self)

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
