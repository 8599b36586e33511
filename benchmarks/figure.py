"""One figure that partage must reach, beside what was measured."""

from dataclasses import dataclass

REACHED = {
    "at most": lambda measured, limit: measured <= limit,
    "at least": lambda measured, limit: measured >= limit,
    "exactly": lambda measured, limit: measured == limit,
}


class Skipped(Exception):  # noqa: N818  # no error
    """The figure cannot be measured here; the message says why."""


@dataclass(frozen=True)
class Figure:
    """Measured value (the best of the turns) against its limit; None: for information only."""

    case: str
    measured: float
    unit: str
    bound: str = "at most"
    limit: float | None = None
    median: float | None = None

    @property
    def verdict(self):
        """Whether the limit is kept."""
        if self.limit is None:
            return "reported"
        return "reached" if REACHED[self.bound](self.measured, self.limit) else "missed"

    def as_dict(self):
        """Fields of a row of results."""
        return {
            "case": self.case,
            "required": "" if self.limit is None else f"{self.bound} {self.limit:g}",
            "measured": float(self.measured),
            "median": "" if self.median is None else float(self.median),
            "unit": self.unit,
            "verdict": self.verdict,
        }

    def __str__(self):
        row = self.as_dict()
        median = f" (median {row['median']:.4g})" if row["median"] != "" else ""
        required = f", required {row['required']}" if row["required"] else ""
        return f"{self.case}: {self.measured:.4g}{median} {self.unit}{required}: {self.verdict}"
