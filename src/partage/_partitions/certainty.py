"""``Certainty``: how probable the parts of a partition are, among all partitions of its line."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partage._data.cut_text import cut_text
from partage._partitions.rule import Rule
from partage._support.frames import Frame, make_frame
from partage._targets.target import Target

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEVELS = (0.5, 0.9)
_MOST_NAMED = 12  # cuts that the text names
STRETCHES = ("low50", "high50", "low90", "high90")


@dataclass(frozen=True, eq=False, repr=False)
class Certainty:
    """What the rows say of all partitions of a line together, as found by ``p.certainty()``.

    A cost in nats is minus the logarithm of a probability, so that the probability of each
    partition given the rows is exp(-cost) divided by the sum of exp(-cost) over all partitions.

    Attributes
    ----------
    name : str
        Name of the column.
    method : str
        Method whose costs the probabilities come from, its own price of the number of parts
        included.
    n_parts : dict
        Probability of each number of parts; numbers that are left out have less than 1e-9
        together.
    log_evidence : float
        Logarithm of the sum of exp(-cost) over all partitions.
    is_exact : bool
        Whether every two neighbouring values may be cut between. Where the values are too many,
        borders away from the probable cuts stand for several places each.
    n_values : int
        Distinct values of the column.
    classes : ndarray of shape (J,)
        The classes, in the order of the columns of ``rates``; none where the target is a number.

    Examples
    --------
    >>> import partage as pt
    >>> p = pt.discretize(range(1, 41), [0] * 20 + [1] * 20)
    >>> c = p.certainty()
    >>> c.informative > 0.999
    True
    >>> c.cuts[["cut", "low50", "high50"]].to_numpy().tolist()
    [[20.5, 20.0, 21.0]]
    >>> c.rates([3, 30]).round(2)
    array([[0.94, 0.06],
           [0.06, 0.94]])
    """

    name: str
    method: str
    n_parts: dict[int, float]
    log_evidence: float
    is_exact: bool
    n_values: int
    target: Target
    library: str
    rule: Rule  # the part of each block of values
    shares: NDArray[np.float64]  # of the classes, or the mean, of each code of the rule
    deviations: NDArray[np.float64]
    weights: NDArray[np.float64]  # of each block
    border_keys: NDArray[Any]  # keys below and above each border, (n, 2)
    border_probabilities: NDArray[np.float64]
    cut_borders: NDArray[np.int64]  # border of each cut, -1 outside the values
    stretches: NDArray[np.int64]  # first and last border at each level, (n_cuts, 4), or -1
    cut_values: tuple[Any, ...]

    @property
    def classes(self) -> NDArray[Any]:
        """The classes, in the order of the columns of ``rates``."""
        return self.target.classes

    @property
    def event(self) -> int:
        """Position of the event of two classes."""
        return self.target.event

    @property
    def informative(self) -> float:
        """Probability that the column says anything of the target: that there are two parts."""
        return min(max(1.0 - self.n_parts.get(1, 0.0), 0.0), 1.0)

    @property
    def cut_probabilities(self) -> NDArray[np.float64]:
        """Probability of a cut at the border of each cut; 0 outside the values."""
        return np.append(self.border_probabilities, 0.0)[self.cut_borders]

    @property
    def cuts(self) -> Frame:
        """One row per cut of the partition.

        ``cut``, ``probability`` of a cut exactly there, and ``low50``, ``high50``, ``low90`` and
        ``high90``: the values, nearest to each other in rows, between which a cut lies with a
        probability of 0.5 and 0.9; missing where all values together are not so probable to be
        cut.
        """
        columns: dict[str, Any] = {
            "cut": list(self.cut_values),
            "probability": self.cut_probabilities,
        }
        columns |= {name: self.stretch_ends(name) for name in STRETCHES}
        return make_frame(columns, self.library)

    @property
    def boundaries(self) -> Frame:
        """One row per border between neighbouring values.

        ``below``, ``above`` and the ``probability`` of a cut between the two. Where ``is_exact``
        is False, further values may lie between them.
        """
        below, above = (self.rule.shown_values(keys) for keys in self.border_keys.T)
        columns = {"below": below, "above": above, "probability": self.border_probabilities}
        return make_frame(columns, self.library)

    def stretch_ends(self, name: str) -> list[Any]:
        """Values at one end of the stretches around the cuts, None where there is none."""
        column = STRETCHES.index(name)
        borders = self.stretches[:, column]
        known = borders[borders >= 0]
        values = iter(self.rule.shown_values(self.border_keys[known, column % 2]))
        return [next(values) if border >= 0 else None for border in borders.tolist()]

    def rates(self, x_new: Any) -> NDArray[np.float64]:
        """Class shares averaged over all partitions.

        Parameters
        ----------
        x_new : array-like
            Values of the column.

        Returns
        -------
        ndarray of shape (n, J)
            Shares of the classes at each value; missing and special values have those of their
            own rows, one row of each class added.
        """
        self.target.check_output("rate", "Certainty.rates")
        return self.shares[self._codes("rates", x_new)]

    def means(self, x_new: Any) -> NDArray[np.float64]:
        """Means of a target that is a number, averaged over all partitions.

        Parameters
        ----------
        x_new : array-like
            Values of the column.

        Returns
        -------
        ndarray of shape (n,)
            Mean of the target at each value; a part of n rows has (Σy + m) / (n + 1), m being the
            mean of all rows, and so have missing and special values.
        """
        self.target.check_output("mean", "Certainty.means")
        return np.asarray(self.shares[self._codes("means", x_new), 0])

    def bands(self, x_new: Any) -> NDArray[np.float64]:
        """Give the standard deviations of the class shares, or of the mean.

        Parameters
        ----------
        x_new : array-like
            Values of the column.

        Returns
        -------
        ndarray of shape (n, J)
            What ``rates``, or ``means``, are uncertain by: the partition, and what is known of its
            parts; of a number, one column.
        """
        return self.deviations[self._codes("bands", x_new)]

    def _codes(self, action: str, x_new: Any) -> NDArray[np.int64]:
        """Block of each value."""
        who = f"Certainty.{action}"
        return self.rule.assign(who, self.rule.read(who, x_new))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the averaged shares with a band of two deviations, and where the borders are.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        Axes
            The axes drawn on.
        """
        from partage._display.certainty import plot_certainty

        return plot_certainty(self, ax)

    def lines(self) -> list[str]:
        """Say it in words, one line for the number of parts and one for each cut."""
        likely = sorted(self.n_parts, key=lambda k: -self.n_parts[k])[:3]
        sizes = ", ".join(f"{k} with {_percent(self.n_parts[k])}" for k in sorted(likely))
        found = [f"Over all partitions, the number of parts is {sizes} probability."]
        lows, highs = (self.stretch_ends(name) for name in STRETCHES[2:])
        rows = zip(self.cut_values, self.cut_probabilities.tolist(), lows, highs, strict=True)
        for cut, probability, low, high in itertools.islice(rows, _MOST_NAMED):
            where = (
                "no stretch holds a cut with 90 %"
                if low is None
                else f"a cut lies between {cut_text(low)} and {cut_text(high)} with 90 %"
            )
            found.append(
                f"  cut {cut_text(cut)}: exactly there with {_percent(probability)}; {where}."
            )
        left = len(self.cut_values) - _MOST_NAMED
        return [*found, f"  and {left} cuts more."] if left > 0 else found

    def __repr__(self) -> str:
        best = max(self.n_parts, key=lambda k: self.n_parts[k])
        joined = "" if self.is_exact else f", {len(self.border_probabilities)} borders looked at"
        return (
            f"Certainty({self.name!r}: informative with {_percent(self.informative)}, "
            f"{best} part{'' if best == 1 else 's'} with {_percent(self.n_parts[best])}; "
            f"{self.n_values} values{joined})"
        )


def _percent(probability: float) -> str:
    """Round a probability; neither 0 % nor 100 % unless it is."""
    if 0.0 < probability < 0.001:
        return "< 0.1 %"
    if 0.999 < probability < 1.0:
        return "> 99.9 %"
    return f"{100.0 * probability:.3g} %"


__all__ = ["LEVELS", "Certainty"]
