"""``Intervals``: the parts of a numeric column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.column import Kind, NumberColumn
from partage._data.cut_places import place_cuts
from partage._data.keys import cut_keys
from partage._partitions.costs import Price, line_price, structure_of_line
from partage._partitions.cuts import Cuts
from partage._partitions.partition import Partition, settings_of
from partage._search.methods import Method, methods
from partage._support.checks import listed

if TYPE_CHECKING:
    from partage._partitions.recount import Recounted
    from partage._search.aside import Aside
    from partage._search.limits import Limits
    from partage._search.settings import Settings
    from partage._spaces.space import Space
    from partage._targets.target import TargetRows


@dataclass(frozen=True, eq=False, repr=False)
class Intervals(Partition):
    """Intervals of one numeric column, as found by ``partage.discretize``.

    A value x lies in part k if ``cuts[k-1] < x <= cuts[k]``.

    Examples
    --------
    >>> import partage as pt
    >>> p = pt.discretize([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], list("aaaaaabbbbbb"))
    >>> p.cuts
    array([6.5])
    >>> p.assign([6, 7, float("nan")])
    array([0, 1, 2])
    >>> p
    Intervals('x': 2 parts, level 0.2472; (-inf, 6.5], (6.5, inf))
    """

    rule: Cuts

    @property
    def kind(self) -> Kind:
        """What the keys of the column stand for."""
        return self.rule.kind

    @property
    def cut_keys(self) -> NDArray[Any]:
        """Increasing keys of the cuts, K - 1 of them."""
        return self.rule.cut_keys

    @property
    def cuts(self) -> NDArray[Any]:
        """Increasing thresholds, K - 1 of them, of the type of the column."""
        return self.rule.cuts

    @property
    def _method(self) -> Method:
        return methods(self.target)[self.method]

    def _price(self, fitted: Partition) -> Price:
        return line_price(fitted._method, fitted.method_params)

    def _costs_elsewhere(self, present: NDArray[np.float64], beside: Aside) -> tuple[float, float]:
        return self._price(self).modl(present, beside)

    def _structure(self) -> float:
        return structure_of_line(self.counts)

    def _divisions(self) -> Iterator[tuple[str, float]]:
        from partage._partitions.interval_steps import interval_splits

        return interval_splits(self)

    def _moves(self) -> Iterator[tuple[str, float]]:
        from partage._partitions.interval_steps import cut_moves

        return cut_moves(self)

    def _settings(self) -> Settings:
        return replace(settings_of(self), cut_style=self.rule.cut_style)

    def _column_of(self, units: Space) -> NumberColumn:
        return NumberColumn(self.name, self.kind, units.keys)

    def _as_locked(self, locked: Sequence[Any]) -> tuple[dict[str, Any], NDArray[np.int64]]:
        from partage._partitions.interval_edits import check_locked

        assert self.units is not None
        cuts = check_locked(self, locked)
        return {"user_cuts": cuts or None}, np.full(self.units.n_units, -1)

    def _recounted(self, column: Any, target: TargetRows, *, keeps_values: bool) -> Recounted:
        from partage._partitions.recount import recount_intervals

        return recount_intervals(self, column, target, keeps_values=keeps_values)

    def _why_uncertain(self) -> str | None:
        if self._method.is_probable:
            return None
        known = methods(self.target)
        named = [name for name in known if known[name].is_probable] or ["modl"]
        return (
            f"a method whose cost is the length of a code, {listed(named)}; got "
            f"method={self.method!r}"
        )

    def _line_method(self, who: str) -> tuple[str, list[float]]:
        return self.method, self._method.numbers(who, self.method_params)

    def _border_places(self, units: Space) -> NDArray[np.int64]:
        return np.searchsorted(units.highs, self.cut_keys, side="right").astype(np.int64)

    def _border_values(self) -> list[Any]:
        return self.rule.shown_values(self.cut_keys)

    def _named_places(
        self, who: str, units: Space, limits: Limits
    ) -> dict[str, NDArray[np.int64] | None]:
        found: dict[str, NDArray[np.int64] | None] = {}
        for name in ("user_cuts", "candidate_cuts"):
            given = getattr(limits, name)
            keys = None if given is None else cut_keys(who, name, self.name, given, self.kind)
            found[name] = None if keys is None else np.searchsorted(units.highs, keys, "right")
        return found

    def _rule_of_blocks(self, units: Space, starts: NDArray[np.int64]) -> Cuts:
        inner = starts[1:-1]
        ends = units.highs[inner - 1], units.lows[inner]
        keys = place_cuts(self.kind, *ends, self.rule.cut_style)
        # A cut that was given, or moved, stays where it is.
        places = self._border_places(units)
        held = np.isin(places, inner)
        keys[np.searchsorted(inner, places[held])] = self.cut_keys[held]
        apart = self.rule.with_aside([None] * len(self.rule.aside_parts))
        return replace(apart, cut_keys=keys)

    def _cut_near(self, position: float, reach: float) -> Any:
        from partage._partitions.interval_steps import cut_near

        return cut_near(self, position, reach)

    def _cut_stepped(self, index: int, by: int) -> Any:
        from partage._partitions.interval_steps import cut_stepped

        return cut_stepped(self, index, by)

    def split(self, part: int, at: Any, *, reason: str = "", who: str = "") -> Intervals:
        """Cut a part in two.

        Parameters
        ----------
        part : int
            Number of the part.
        at : number or time
            Where to cut: inside the part.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Intervals
            A new partition; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import Note
        from partage._partitions.interval_edits import split_interval

        return split_interval(self, part, at, Note.now("Intervals.split", reason, who))

    def set_cuts(self, cuts: Any, *, reason: str = "", who: str = "") -> Intervals:
        """Cut at these places instead.

        Parameters
        ----------
        cuts : sequence
            Increasing cuts of the column's own type; none makes one part.
        reason, who : str, default=""
            Why, and who edits; kept in ``history`` with the time.

        Returns
        -------
        Intervals
            A new partition; its ``history`` holds the price in bits.
        """
        from partage._partitions.edit import Note
        from partage._partitions.interval_edits import set_cuts

        return set_cuts(self, cuts, Note.now("Intervals.set_cuts", reason, who))
