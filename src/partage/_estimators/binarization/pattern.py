"""Patterns as users read them, and why a row was given its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from partage._estimators.binarization.discriminants import Discriminant
from partage._estimators.binarization.theory import Theory


@dataclass(frozen=True)
class Pattern:
    """Conditions that hold together for rows of one class, and rarely or never for others.

    Attributes
    ----------
    label : object
        The class it speaks for.
    conditions : tuple of str
        The conditions, all of which a row must satisfy.
    n_positive, n_negative : float
        Training rows that it covers, of its class and of the others.
    support : float
        Share of its class that it covers.
    precision : float
        Share of its class among the rows it covers.
    weight : float
        Its vote: by how much it lets its class lead. With ``theory="all"`` the votes of a class
        sum to 1.
    """

    label: Any
    conditions: tuple[str, ...]
    n_positive: float
    n_negative: float
    support: float
    weight: float
    literals: tuple[int, ...] = field(repr=False)

    @property
    def precision(self) -> float:
        """Share of its class among the rows it covers."""
        return self.n_positive / (self.n_positive + self.n_negative)

    def __str__(self) -> str:
        return (
            f"{' and '.join(self.conditions) or 'always'} -> {self.label} "
            f"(support {self.support:.2f}, precision {self.precision:.2f})"
        )


@dataclass(frozen=True)
class Explanation:
    """Why a row was given its class.

    Attributes
    ----------
    label : object
        The class.
    probabilities : dict
        Share of each class.
    patterns : tuple of Pattern
        The patterns that cover the row, heaviest first.
    votes : dict
        Votes of each class: those of its patterns, and those it has anyway.
    """

    label: Any
    probabilities: dict[Any, float]
    patterns: tuple[Pattern, ...]
    votes: dict[Any, float]

    def __str__(self) -> str:
        shares = ", ".join(f"{label} {share:.2f}" for label, share in self.probabilities.items())
        lines = [f"{self.label} ({shares})"]
        if not self.patterns:
            return "\n".join([*lines, "  no pattern covers it: the shares of the classes decide"])
        lines += [f"  {pattern}: {pattern.weight:.2f} votes" for pattern in self.patterns]
        for label, votes in self.votes.items():
            own = sum(pattern.weight for pattern in self.patterns if pattern.label == label)
            anyway = f", {votes - own:.2f} of them anyway" if votes - own > 5e-3 else ""
            lines.append(f"  in all {votes:.2f} votes for {label}{anyway}")
        return "\n".join(lines)


def make_patterns(
    discriminants: Sequence[Discriminant],
    theory: Theory,
    labels: Sequence[Any],
    totals: Sequence[float],
) -> tuple[Pattern, ...]:
    """Describe the patterns of a theory; ``totals`` are the rows of each class."""
    return tuple(
        Pattern(
            label=labels[term.label],
            conditions=tuple(
                discriminants[k // 2].negated() if k % 2 else str(discriminants[k // 2])
                for k in term.literals
            ),
            n_positive=term.positives,
            n_negative=term.negatives,
            support=term.positives / totals[term.label],
            weight=float(vote),
            literals=term.literals,
        )
        for term, vote in zip(theory.terms, theory.votes, strict=True)
    )
