"""What a report knows of pairs of columns: plain numbers, and the sentences about them."""

from __future__ import annotations

from dataclasses import dataclass, field

from partage._support.portable import exact_sum

LEAST_SHARED = 0.05  # from which columns are said to share something


@dataclass(frozen=True)
class Pair:
    """Two columns: what their grid saves, in bits, and what they save alone.

    ``shared`` is the share of what the poorer of both holds that the other gives, ``is_named``
    whether the pair is worth its name among all that were looked at.
    """

    names: tuple[str, str]
    level: float
    bits: float
    apart: tuple[float, float]
    n_parts: tuple[int, int]
    shared: float = 0.0
    is_named: bool = False

    @property
    def synergy(self) -> float:
        """Bits that the pair saves beyond both columns; below 0 it saves less."""
        return self.bits - exact_sum(self.apart)

    def sentence(self) -> str:
        """Say what the pair is worth."""
        one, other = (write_bits(bits) for bits in self.apart)
        text = f"Together they save {write_bits(self.bits)} bits, alone {one} and {other}: "
        more = write_bits(abs(self.synergy))
        if more == "0":
            return text + "together as much as apart."
        if self.synergy > 0:
            note = "" if self.is_named else ", less than naming a pair among all takes"
            return text + f"{more} bits more than apart{note}."
        if self.shared >= LEAST_SHARED:
            return text + f"redundant by {more} bits."
        return text + f"{more} bits less than apart, which their cells cost."


@dataclass(frozen=True)
class PairCells:
    """The grid of a pair: labels of both axes, and the class counts of each cell."""

    pair: Pair
    labels: tuple[list[str], list[str]]
    counts: list[list[list[float]]]


@dataclass(frozen=True)
class Together:
    """All pairs of columns that were looked at.

    Attributes
    ----------
    n_rows, n_columns : int
        Rows and columns that were looked at.
    pairs : list of Pair
        Those with two parts on each axis, what they save beyond both columns most first.
    cells : list of PairCells
        Grids of the first ones.
    names : list of str
        Columns that hold something of another one, alike ones beside each other.
    shared : list of list of float
        Share that each of them has in common with each.
    groups : list of list of str
        Columns that repeat each other; the one to keep comes first.
    """

    n_rows: int
    n_columns: int
    pairs: list[Pair] = field(default_factory=list)
    cells: list[PairCells] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    shared: list[list[float]] = field(default_factory=list)
    groups: list[list[str]] = field(default_factory=list)
    redundant: dict[frozenset[str], float] = field(default_factory=dict)  # bits, of all pairs

    def redundant_bits(self, one: str, other: str) -> float:
        """Bits that two columns say twice about the target."""
        return self.redundant.get(frozenset((one, other)), 0.0)


def write_bits(bits: float) -> str:
    """Write bits, small numbers with a digit behind the point."""
    text = f"{bits:,.0f}" if bits >= 10 else f"{bits:.1f}"
    return text.removesuffix(".0")
