"""What a report knows: plain numbers and texts, for any look."""

from __future__ import annotations

from dataclasses import dataclass, field

from partage._report.pair_facts import Together


@dataclass(frozen=True)
class Remark:
    """Something the reader should know: of the table, or of one of its columns."""

    text: str
    kind: str = "note"  # "warning", "converted", "left out" or "note"
    column: str = ""


@dataclass(frozen=True)
class Part:
    """A row of a partition: a part, or missing, unseen or special values beside the parts."""

    code: int
    label: str
    rows: int
    share: float
    counts: list[float]
    rates: list[float]
    woe: float | None
    iv: float | None
    is_part: bool
    is_garbage: bool = False
    members: list[str] = field(default_factory=list)
    member_rows: list[float] = field(default_factory=list)  # weight of each member, where known
    intervals: list[tuple[float, float]] = field(default_factory=list)  # of the rates, 95 %
    evidence: list[float] = field(default_factory=list)  # of each class against the others
    bits: float | None = None
    amounts: dict[str, float] = field(default_factory=dict)  # of a number: mean, quantiles, ...


@dataclass(frozen=True)
class Before:
    """How a column was distributed: bins of numbers, or the most frequent values."""

    kind: str  # "bins", "numbers" or "values"
    labels: list[str]
    edges: list[float]
    counts: list[list[float]]
    parts: list[int]  # of each value
    n_others: int
    others: list[float]
    below: float
    above: float
    is_time: bool
    facts: dict[str, float]
    zone: str = ""  # in which times are shown
    scale: str = ""  # "log" or "log1p", where bins are equal on that scale
    quartiles: list[list[float]] = field(default_factory=list)  # of a number, in each bin


@dataclass(frozen=True)
class Borders:
    """Where the cuts of a numeric column lie, and its shares, or mean, over all partitions."""

    stretches: list[tuple[float, float]]  # that hold a cut with a probability of 0.9
    places: list[float]  # at which the averaged shares change
    shares: list[list[float]]  # between them, one row more


@dataclass(frozen=True)
class OnSample:
    """The parts of a column on rows of a sample: a holdout, a period, new data."""

    rows: list[int]  # of each part that is shown
    counts: list[list[float]]  # empty where the sample has no target
    psi: float
    level: float | None = None
    expected_level: float | None = None
    lost: float = 0.0  # standard errors of what the parts save less than expected


@dataclass(frozen=True)
class Related:
    """Another column that says the same, or more together with this one."""

    name: str
    text: str
    is_redundant: bool = False


@dataclass(frozen=True)
class ColumnSummary:
    """One column: what it is worth, its parts, and what it was."""

    name: str
    kind: str
    level: float
    n_parts: int
    n_values: int
    missing: int
    bits_saved: float | None
    bits: float | None
    is_optimal: bool
    gap: float
    proof: str
    why: str
    parts: list[Part]
    cuts: list[tuple[float, str]]  # places on the axis, and texts
    before: Before | None
    explanation: list[str] = field(default_factory=list)
    borders: Borders | None = None
    iv: float | None = None
    gini: float | None = None
    samples: list[OnSample] = field(default_factory=list)
    related: list[Related] = field(default_factory=list)
    sql: str = ""
    python: str = ""
    noun: str = "class"  # what the target is called

    @property
    def is_useless(self) -> bool:
        """Whether the column says nothing about the class."""
        return self.level <= 0

    @property
    def drift(self) -> float | None:
        """Highest stability index over the samples."""
        return max((sample.psi for sample in self.samples), default=None)


@dataclass(frozen=True)
class Sample:
    """Other rows than those that were fitted, by which the parts are compared."""

    name: str
    n_rows: int
    totals: list[float]  # of the classes; empty without a target


@dataclass(frozen=True)
class Summary:
    """A whole table, its columns from the most informative to the least."""

    source: str
    target: str
    n_rows: int
    classes: list[str]
    totals: list[float]
    columns: list[ColumnSummary]
    notes: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    event: int | None = None  # class whose rate is shown; None where there is none
    woe_sign: int = 1
    samples: list[Sample] = field(default_factory=list)
    amounts: dict[str, float] = field(default_factory=dict)  # of a number, over all rows

    gaps: list[list[str]] = field(default_factory=list)  # columns missing in the same rows
    together: Together | None = None

    @property
    def useless(self) -> list[ColumnSummary]:
        """Columns that say nothing about the class."""
        return [column for column in self.columns if column.is_useless]
