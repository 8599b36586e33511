"""What a partition holds: its rule, what was counted in its parts, and how it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from partage._partitions.found import Found
from partage._partitions.rule import Rule
from partage._support.frames import Frame
from partage._targets.tally import Tally
from partage._targets.target import Target

if TYPE_CHECKING:
    from partage._partitions.edit import Edit
    from partage._spaces.space import Space


@dataclass(frozen=True, eq=False, repr=False)
class Parts:
    """What every partition of one column holds.

    Attributes
    ----------
    name : str
        Name of the column.
    method : str
        Method that found the partition.
    classes : ndarray of shape (J,)
        The classes, in the order of the columns of ``counts``.
    counts : ndarray of shape (K, J)
        Weight of each class in each part; of a number, of each cell of its ranks.
    shares : ndarray of shape (K, J)
        Class shares of each part that rates and evidence come from: averaged over all partitions
        with ``method="averaged"``, else counted.
    target_type : str
        ``"class"``, ``"ordered"`` or ``"number"``.
    code : str
        How parts tell the ranks of a number: ``"scores"``, a level of normal scores each, or
        ``"classes"``, a law of the intervals between ``target_cuts``; empty for classes.
    target_cuts : ndarray
        Where the intervals of a number are divided that parts tell like classes.
    missing_counts : ndarray of shape (J,)
        Weight of each class among the missing values, which are not among the K parts.
    cost, null_cost : float
        Cost of the partition and of one part, lower is better: in nats for MODL, the method's own
        value for methods that judge whole partitions, MODL's for the others.
    level : float
        ``1 - cost / null_cost`` under MODL, at least 0: 0 is no information on the class. For a
        number, ``1 - exp(-2 (null_cost - cost) / N)``, on the scale of R².
    is_optimal : bool
        True where it is proven that no partition costs less, by the search or since ``gap``, which
        is then computed, is 0. Where the code of a target was chosen too, as for a number under
        ``"modl"``, the gap is that to the optimum of the same code, and proves nothing of others.
    rows : ndarray of shape (K,)
        Training rows of each part, regardless of weight.
    missing_rows : int
        Training rows with a missing value.
    n_values : int
        Distinct values of the training column, missing and special ones apart.
    special_values : tuple
        Codes that stand for no measurement, in the order they were named; S of them.
    special_counts : ndarray of shape (S, J)
        Weight of each class among the rows of each special value.
    special_rows : ndarray of shape (S,)
        Training rows of each special value.
    special_parts : tuple
        Part that each special value was merged with, or None.
    method_params : dict or None
        Parameters of the method, as given.
    history : tuple of Edit
        The edits that led here, each with its ``action`` and its ``price`` in bits.
    constraints : dict
        Limits that were given, by name; ``"monotonic"`` is the trend that was found, ``"by"`` the
        segments in which the best parts of all rows break it.
    violations : tuple of str
        Names of the limits that edits broke; empty where all hold.
    price : float or None
        Bits that the limits, and edits, cost against the optimum without them; the method's own
        unit where that is no code length, None where the method has no optimum.
    gap : float
        Bits by which the optimum under the limits may be lower, at most, certified: 0 where it is
        proven; in the method's own unit where that is no code length. The optimum is that of the
        criterion of ``cost``, also for methods that do not look for it. Computed when first asked
        for.
    event : int
        Position in ``classes`` of the event, whose rate and evidence tables show for two classes.
    woe_sign : int
        1 where a high weight of evidence means the event, -1 where it means the other class.
    exact_counts : bool
        False where an engine counted the values in small intervals away from the cuts; the counts
        of the parts are exact nevertheless.
    loss_bound : float or None
        Most nats by which a partition of the values themselves, of at most one part more, could
        cost less than the best of the intervals that were counted; 0 where the counts are exact,
        None for methods other than MODL.
    """

    rule: Rule
    tally: Tally  # parts with what was merged into them, then missing, then special values
    target: Target
    found: Found
    n_values: int = 0
    library: str = "pandas"
    units: Space | None = None  # counts of the values, for edits
    averaged: Tally | None = None  # the sets of the tally, of weights times averaged shares
    curve: Self | None = None  # the averaged shares in finer parts

    def __post_init__(self) -> None:
        self.tally.frozen()
        if self.averaged is not None:
            self.averaged.frozen()

    def _with_units_of_at_most(self, n_bytes: int) -> Self:
        """Keep no more of the column than fits so much memory."""
        if self.units is None or self.units.n_bytes <= n_bytes:
            return self
        units = self.units.at_most(n_bytes, self.rule.border_keys)
        if units is self.units:
            return self
        from partage._partitions.gaps import gap_or_whole

        known = gap_or_whole(self, n_bytes)
        return replace(self, units=units, found=replace(self.found, gap=known))

    def _with_found(self, **changes: Any) -> Self:
        """Change what is known of how the partition was found."""
        return replace(self, found=replace(self.found, **changes))

    def _marked(self, event: int, woe_sign: int) -> Self:
        """Name the event, and the sign of its evidence."""
        return replace(self, target=self.target.marked(event, woe_sign))

    def _renamed(self, name: str) -> Self:
        """Give the column another name, also in the partitions that the edits lead back to."""
        if self.name == name:
            return self
        history: tuple[Edit, ...] = ()
        for edit in self.history:
            before = edit.before._with_found(history=history)
            before = replace(before, rule=replace(before.rule, name=name))
            history = (*history, replace(edit, before=before))
        return replace(self._with_found(history=history), rule=replace(self.rule, name=name))

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.rule.name

    @property
    def missing(self) -> str:
        """What becomes of missing values: separate, merge or error."""
        return self.rule.missing

    @property
    def missing_part(self) -> int | None:
        """Part that missing values were merged with."""
        return self.rule.missing_part

    @property
    def special_values(self) -> tuple[Any, ...]:
        """Special values, in the order they were named."""
        return self.rule.special_values

    @property
    def special_parts(self) -> tuple[int | None, ...]:
        """Part that each special value was merged with, or None."""
        return self.rule.special_parts

    @property
    def method(self) -> str:
        """Method that found the partition."""
        return self.found.method

    @property
    def method_params(self) -> Mapping[str, Any] | None:
        """Parameters of the method, as given."""
        return self.found.method_params

    @property
    def cost(self) -> float:
        """Cost of the partition."""
        return self.found.cost

    @property
    def null_cost(self) -> float:
        """Cost of one part."""
        return self.found.null_cost

    @property
    def level(self) -> float:
        """Information on the class, from 0 on."""
        return self.found.level

    @property
    def is_optimal(self) -> bool:
        """Whether no partition costs less, proven by the search or by a certified gap of 0."""
        from partage._partitions.gaps import is_certified

        return self.found.is_optimal or is_certified(self)

    @property
    def history(self) -> tuple[Edit, ...]:
        """The edits that led here."""
        return self.found.history

    @property
    def constraints(self) -> Mapping[str, Any]:
        """Limits that were given."""
        return self.found.constraints

    @property
    def violations(self) -> tuple[str, ...]:
        """Names of the limits that the parts break."""
        from partage._partitions.violations import violations

        return violations(self)

    @property
    def price(self) -> float | None:
        """Bits that limits and edits cost."""
        return self.found.price

    @property
    def gap(self) -> float:
        """Bits by which the optimum may be lower, at most."""
        return self.found.settled(self)

    @property
    def exact_counts(self) -> bool:
        """Whether every value was counted."""
        return self.found.exact_counts

    @property
    def loss_bound(self) -> float | None:
        """Most nats that counting in small intervals may have lost."""
        return self.found.loss_bound

    @property
    def n_parts(self) -> int:
        """Number of parts, K."""
        return self.rule.n_parts

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, in the order of the columns of ``counts``."""
        return self.target.classes

    @property
    def target_type(self) -> str:
        """What the target is: ``"class"``, ``"ordered"`` or ``"number"``."""
        return "ordered" if self.target.joins else self.target.kind

    @property
    def code(self) -> str:
        """How parts tell the ranks of a number: ``"scores"`` or ``"classes"``."""
        return self.target.code

    @property
    def target_cuts(self) -> NDArray[np.float64]:
        """Where the intervals of a number are divided that parts tell like classes."""
        return self.target.cut_values()

    @property
    def stats(self) -> Frame:
        """Statistics of a target that is a number, a row for each part.

        A data frame of ``rows``, ``weight``, ``mean``, ``std``, ``min``, ``q25``, ``median``,
        ``q75``, ``max`` and the weight of ``zeros``. Quantiles are exact for up to 1,024 different
        values of the target; beyond, for intervals of as many shares of its ranks.
        """
        from partage._partitions.stats import stats_table

        return stats_table(self)

    @property
    def event(self) -> int:
        """Position in ``classes`` of the event."""
        return self.target.event

    @property
    def woe_sign(self) -> int:
        """1 where a high weight of evidence means the event, else -1."""
        return self.target.woe_sign

    @property
    def counts(self) -> NDArray[np.float64]:
        """Weight of each class in each part."""
        return self.tally.cell_counts[: self.n_parts]

    @property
    def read_counts(self) -> NDArray[np.float64]:
        """What a method reads of each part: the counts, and sums of a number behind them."""
        return self.tally.class_counts[: self.n_parts]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Class shares of each part, averaged where the method averages."""
        return self.code_rates()[: self.n_parts]

    @property
    def rows(self) -> NDArray[np.int64]:
        """Training rows of each part."""
        return self.tally.rows[: self.n_parts]

    @property
    def missing_counts(self) -> NDArray[np.float64]:
        """Weight of each class among the missing values."""
        return np.asarray(self.tally.cell_counts[self.n_parts])

    @property
    def missing_rows(self) -> int:
        """Training rows with a missing value."""
        return int(self.tally.rows[self.n_parts])

    @property
    def special_counts(self) -> NDArray[np.float64]:
        """Weight of each class among the rows of each special value."""
        return self.tally.cell_counts[self.n_parts + 1 :]

    @property
    def special_rows(self) -> NDArray[np.int64]:
        """Training rows of each special value."""
        return self.tally.rows[self.n_parts + 1 :]

    @property
    def missing_code(self) -> int:
        """Code of missing values: K, or the code of the part they were merged with."""
        return self.rule.missing_code

    @property
    def special_codes(self) -> tuple[int, ...]:
        """Code of each special value: from K + 2 on, or the code of the part it was merged with."""
        return self.rule.special_codes

    @property
    def has_unseen(self) -> bool:
        """Whether the code K + 1 of unseen values stands among the codes."""
        return self.rule.has_unseen

    @property
    def is_weighted(self) -> bool:
        """Whether weights other than one row each were given."""
        n_parts = self.n_parts
        return bool((self.tally.weight[:n_parts] != self.tally.rows[:n_parts]).any())

    def labels(self) -> list[str]:
        """Readable name of each part."""
        return self.rule.labels()

    def code_labels(self) -> list[str]:
        """Readable name of each code: parts, missing, unseen if it can be, special values."""
        return self.rule.code_labels()

    def code_counts(self) -> NDArray[np.float64]:
        """Class weights of each code; what was merged has those of its part."""
        return self.code_tally().class_counts

    def code_rows(self) -> NDArray[np.int64]:
        """Training rows of each code; what was merged has those of its part, unseen values none."""
        return self.code_tally().rows

    def code_rates(self) -> NDArray[np.float64]:
        """Class shares of each code; a code without training rows has the shares of all rows."""
        return self.target.rates(self.shown_tally(), self.total())

    def code_woe(self, label: int) -> NDArray[np.float64]:
        """Weight of evidence of each code for one class against the rest.

        Parameters
        ----------
        label : int
            Position of the class in ``classes``.

        Returns
        -------
        ndarray
            One number for each code; 0 for a code without training rows.
        """
        return self.woe_sign * self.target.woe(self.shown_tally(), self.total(), label)

    def code_tally(self) -> Tally:
        """Tally each code; one that was merged holds what its part does."""
        return self._by_code(self.tally)

    def shown_tally(self) -> Tally:
        """Tally each code as rates and evidence see it: by averaged shares, where there are any."""
        return self._by_code(self.tally if self.averaged is None else self.averaged)

    def _by_code(self, sets: Tally) -> Tally:
        """Take the sets of a tally by code."""
        n_parts, homes = self.n_parts, self.rule.homes()
        own = [*range(n_parts + 1), *([len(sets)] if self.has_unseen else [])]
        own += range(n_parts + 1, len(sets))
        places = [i if home is None else home for i, home in zip(own, homes, strict=True)]
        found = sets.concat(sets.empty(1)).take(places)
        if self.has_unseen:
            found.rows[n_parts + 1] = 0  # no row of training was unseen
        return found

    def own_tally(self) -> Tally:
        """Tally each code; what was merged counts in its part only."""
        return self._without_merged(self.code_tally())

    def own_averages(self) -> Tally | None:
        """Tally each code by averaged shares, as ``own_tally`` does; None where there are none."""
        return None if self.averaged is None else self._without_merged(self.shown_tally())

    def _without_merged(self, codes: Tally) -> Tally:
        """Leave codes that were merged without rows."""
        return codes.emptied(np.array([home is not None for home in self.rule.homes()]))

    def total(self) -> Tally:
        """Tally all rows, missing and special values included."""
        return self.own_tally().total() if self.tally.moments is not None else self._counted()

    def _counted(self) -> Tally:
        """Tally all rows of classes."""
        return Tally.of_counts(self.totals()[None])

    def totals(self) -> NDArray[np.float64]:
        """Weight of each class over all rows, missing and special values included."""
        everything = self.counts.sum(axis=0)
        aside = zip(self.rule.aside_parts, self.tally.class_counts[self.n_parts :], strict=True)
        for part, row in aside:
            if part is None:
                everything = everything + row
        return np.asarray(everything)
