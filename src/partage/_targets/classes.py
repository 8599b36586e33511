"""``ClassTarget``: classes, of which rows are counted; shares, evidence, order, trends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from partage._support.portable import logs
from partage._targets.described import Described, describe_classes
from partage._targets.strength import gini_and_ks
from partage._targets.tally import Tally
from partage._targets.target import Target, TargetRows

MOST_CLASSES = 65_535


@dataclass(frozen=True, eq=False)
class ClassTarget:
    """Classes in order; their ranks, where the target has an order of its own.

    Attributes
    ----------
    classes : ndarray
        The labels, in the order of the counts.
    ranks : ndarray of int64 or None
        Rank of each class, of a target that is an ordered categorical series.
    event : int
        Position of the class whose rate and evidence are shown, of two; by default the last one.
    woe_sign : int
        1 where a high weight of evidence means the event, -1 where it means the other class.
    """

    classes: NDArray[Any]
    ranks: NDArray[np.int64] | None = None
    event: int = -1
    woe_sign: int = 1

    def __post_init__(self) -> None:
        if self.event < 0:
            object.__setattr__(self, "event", self.last if len(self.classes) == 2 else 1)

    @property
    def kind(self) -> str:
        """What users call it."""
        return "class"

    @property
    def noun(self) -> str:
        """What it is called in results."""
        return "class"

    @property
    def code(self) -> str:
        """Classes are counted as they are."""
        return ""

    @property
    def described(self) -> str:
        """What a description tells of its rows."""
        return "classes"

    @property
    def offers(self) -> frozenset[str]:
        """Statistics of a tally of it."""
        return frozenset({"counts"})

    @property
    def n_sums(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def is_constant(self) -> bool:
        """Whether there is one class only."""
        return len(self.classes) < 2

    @property
    def constant(self) -> str:
        """Words for a single class; nothing for more."""
        return "one class only" if self.is_constant else ""

    @property
    def last(self) -> int:
        """Position of the last class, in the order of the target where it has one."""
        return len(self.classes) - 1 if self.ranks is None else int(np.argmax(self.ranks))

    @property
    def trend_sign(self) -> float | None:
        """Of two classes, 1 where the second has the higher score, else -1."""
        if len(self.classes) != 2:
            return None
        return 1.0 if self.scores().tolist() == [0.0, 1.0] else -1.0

    def tally(self, rows: TargetRows, codes: NDArray[Any], n: int) -> Tally:
        """Sum the rows of each code from 0 to n - 1; rows of a negative code stay out."""
        if len(codes) and codes.min() < 0:
            held = codes >= 0
            rows, codes = rows.take(held), codes[held]
        n_classes = len(self.classes)
        cells = codes.astype(np.int64, copy=False) * n_classes + rows.codes
        counts = np.bincount(cells, rows.weights, minlength=n * n_classes).astype(np.float64)
        return Tally.of_counts(counts.reshape(n, n_classes), rows.count_rows(codes, n))

    def sums(
        self,
        rows: TargetRows,  # noqa: ARG002  # of a number
        codes: NDArray[Any],  # noqa: ARG002
        n: int,  # noqa: ARG002
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Refuse: classes have no moments."""
        raise ValueError("classes have no moments")

    n_read = 0
    joins = False

    def for_method(self, who: str, method: str, rows: TargetRows) -> TargetRows:  # noqa: ARG002
        """Leave the rows as they are; an exposure is for a number."""
        if rows.exposure is not None:
            raise ValueError(
                f"{who}: exposure is for counts, and y holds classes; pass target_type='number' "
                "and method='poisson'."
            )
        return rows

    def empty(self, n: int) -> Tally:
        """Make n sets without rows."""
        return Tally.of_counts(np.zeros((n, len(self.classes))))

    def expressions(self, column: nw.Expr) -> dict[str, nw.Expr]:
        """Columns, beside its value, by which a query of an engine groups the rows: the class."""
        return {"label": column}

    def check_trend(self, who: str) -> None:
        """Refuse a trend of more than two classes that have no order."""
        n_classes = len(self.classes)
        if self.ranks is None and n_classes > 2 and self.classes.dtype.kind not in "biuf":
            raise ValueError(
                f"{who}: monotonic needs two classes, or classes with an order; got {n_classes} "
                "classes of text. Use numbers, or an ordered categorical series."
            )

    def scores(self) -> NDArray[np.float64]:
        """Score of each class: its rank, and of two classes 1 for the event."""
        if len(self.classes) == 2:
            return np.asarray(np.eye(2)[self.event])
        ranks = np.arange(len(self.classes)) if self.ranks is None else self.ranks
        return ranks.astype(np.float64)

    def row_scores(self, rows: TargetRows) -> NDArray[np.float64]:
        """Score of the class of each row."""
        return self.scores()[rows.codes]

    def score_sums(self, tally: Tally) -> NDArray[np.float64]:
        """Weighted sum of the scores of each set."""
        return np.asarray((tally.class_counts * self.scores()).sum(axis=1))

    def mean_scores(self, tally: Tally) -> NDArray[np.float64]:
        """Mean score of each set."""
        return np.asarray(self.score_sums(tally) / tally.weight)

    def key(self, tally: Tally) -> NDArray[np.float64]:
        """Share of the last class in each set."""
        held = np.where(tally.weight > 0, tally.weight, 1.0)
        return np.asarray(tally.class_counts[:, self.last] / held)

    def order(self, tally: Tally) -> NDArray[np.int64]:
        """Order of unordered sets: by the share of the last class, ties by their weight."""
        return np.lexsort((tally.weight, self.key(tally)))

    def rates(self, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Class shares of each set; a set without weight has those of all rows."""
        sizes = tally.weight[:, None]
        shares = tally.class_counts / np.where(sizes > 0, sizes, 1.0)
        return np.where(sizes > 0, shares, self.prior(total))

    def prior(self, total: Tally) -> NDArray[np.float64]:
        """Class shares of all rows."""
        totals = total.class_counts[0]
        return np.asarray(totals / max(totals.sum(), np.finfo(float).tiny))

    def woe(self, tally: Tally, total: Tally, label: int) -> NDArray[np.float64]:
        """Weight of evidence of each set for one class against the rest; 0 without weight."""
        event = tally.class_counts[:, label]
        other = tally.weight - event
        n_event = total.class_counts[0, label]
        n_other = total.weight[0] - n_event
        if n_event == 0 or n_other == 0:
            return np.zeros(len(tally))
        added = 0.0 if tally.is_averaged else 0.5
        with np.errstate(divide="ignore", invalid="ignore"):  # of sets without weight
            woe = logs((event + added) / n_event) - logs((other + added) / n_other)
        return np.asarray(np.where(tally.weight > 0, woe, 0.0))

    def smoothed(self, tally: Tally, total: Tally) -> Tally:
        """Draw the shares of each set to those of all rows, as if it held J more of these.

        A set of n rows, n_j of them of class j, has the share (n_j + J p_j) / (n + J).
        """
        n_classes = len(self.classes)
        counts, sizes = tally.class_counts, tally.weight[:, None]
        shares = (counts + n_classes * self.prior(total)) / (sizes + n_classes)
        return replace(Tally.of_counts(sizes * shares, tally.rows), is_averaged=True)

    def laws(
        self,
        tally: Tally,
        total: Tally,  # noqa: ARG002  # of a number
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give the expected shares of each set, one more row of each class, and their deviations.

        They follow a Dirichlet law of parameters n_j + 1.
        """
        counts = tally.class_counts + 1.0
        sizes = counts.sum(axis=1, keepdims=True)
        shares = counts / sizes
        return shares, np.sqrt(shares * (1.0 - shares) / (sizes + 1.0))

    def describe(self, tally: Tally, total: Tally) -> Described:
        """Give what a report shows of sets."""
        return describe_classes(self, tally, total)

    def charted(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the counts that a chart of values stacks: those of the classes."""
        return counts

    def quartiles_of(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Classes have no quartiles."""
        return counts[:0]

    def law_names(self) -> dict[int, str]:
        """Name the shares that a picture shows: of two classes, that of the event."""
        shown = [self.event] if len(self.classes) == 2 else range(len(self.classes))
        return {j: f"share of {self.classes[j]}" for j in shown}

    @property
    def law_range(self) -> tuple[float, float]:
        """Shares lie between 0 and 1."""
        return 0.0, 1.0

    def iv(self, tally: Tally, total: Tally, label: int) -> NDArray[np.float64]:
        """Information value of each set for one class against the rest."""
        n_event = total.class_counts[0, label]
        n_other = total.weight[0] - n_event
        if n_event == 0 or n_other == 0:
            return np.zeros(len(tally))
        event = tally.class_counts[:, label]
        share = event / n_event - (tally.weight - event) / n_other
        return np.asarray(share * self.woe(tally, total, label) + 0.0)  # no -0.0

    def strength(self, tally: Tally) -> dict[str, float]:
        """Information value, Gini index and largest distance of two classes; else nothing."""
        if len(self.classes) != 2:
            return {}
        events = tally.class_counts[:, self.event]
        gini, distance = gini_and_ks(events, tally.weight - events)
        value = float(self.iv(tally, tally.total(), self.event).sum())
        return {"iv": value, "gini": gini, "ks": distance}

    def remarks(self, n_parts: int) -> list[str]:  # noqa: ARG002  # of a number
        """Classes need no explanation."""
        return []

    def cut_values(self) -> NDArray[np.float64]:
        """Classes have none."""
        return np.empty(0)

    def columns(self, tally: Tally, averaged: Tally | None = None) -> dict[str, NDArray[Any]]:
        """Columns of a table: a value for each set, then for all of them together.

        Where averaged shares of the sets are given, rates and evidence come from these.
        """
        counts, total, names = tally.class_counts, tally.total(), self.classes.tolist()
        shown = tally if averaged is None else averaged
        is_whole = bool((counts == np.floor(counts)).all())
        columns: dict[str, NDArray[Any]] = {}
        for j, name in enumerate(names):
            column = np.append(counts[:, j], counts[:, j].sum())
            columns[f"count_{name}"] = column.astype(np.int64) if is_whole else column
        rates = np.vstack([self.rates(shown, total), self.prior(total)])
        for j, name in enumerate(names):
            columns[f"rate_{name}"] = rates[:, j]
        if len(names) == 2:
            columns["event_rate"] = columns[f"rate_{names[self.event]}"]
            value = self.iv(shown, total, self.event)
            columns["woe"] = self._signed(shown, total, self.event)
            columns["iv"] = np.append(value, value.sum())
            if averaged is not None:
                counted = np.append(self.rates(tally, total)[:, self.event], rates[-1, self.event])
                columns["counted_event_rate"] = counted
        elif len(names) > 2:
            for j, name in enumerate(names):
                columns[f"woe_{name}"] = self._signed(shown, total, j)
        return columns

    def _signed(self, tally: Tally, total: Tally, label: int) -> NDArray[np.float64]:
        """Evidence of each set with its sign, and 0 for all of them."""
        return self.woe_sign * np.append(self.woe(tally, total, label), 0.0) + 0.0

    def check_output(self, output: str, who: str) -> None:
        """Refuse outputs of numbers."""
        if output in ("mean", "median"):
            raise ValueError(
                f"{who}: output={output!r} is for a y of numbers, and y holds classes; use "
                "output='rate', or target_type='number'."
            )

    def output_names(self, output: str, name: str) -> list[str]:
        """Names of the columns of rates, or of evidence and averages: one for two classes."""
        if output != "rate" and len(self.classes) <= 2:
            return [name]
        return [f"{name}_{label}" for label in self.classes.tolist()]

    def outputs(self, output: str, tally: Tally, total: Tally) -> NDArray[np.float64]:
        """Rates of each set; or its evidence or average, for the event of two classes only."""
        labels = [self.event] if len(self.classes) == 2 else range(len(self.classes))
        if output == "rate":
            return self.rates(tally, total)
        if output == "averaged":
            return self.rates(tally, total)[:, list(labels)]
        if self.is_constant:
            return np.zeros((len(tally), 1))
        woes = [self.woe_sign * self.woe(tally, total, label) for label in labels]
        return np.column_stack(woes)

    def as_kept(self) -> ClassTarget:
        """Give what a partition and its file keep: ranks are those of the rows that were read."""
        return self if self.ranks is None else replace(self, ranks=None)

    def retold(self, tally: Tally) -> Tally:
        """Leave sets as they are."""
        return tally

    def in_classes_of(self, other: Target) -> ClassTarget:
        """Take the classes of another target; the event stays unless they differ."""
        is_same = self.classes.tolist() == other.classes.tolist()
        return replace(
            self, classes=other.classes, event=self.event if is_same else other.event, ranks=None
        )

    def as_one_cell(self) -> ClassTarget:
        """Leave the classes as they are."""
        return self

    def marked(self, event: int, woe_sign: int) -> ClassTarget:
        """Name the event, and the sign of the evidence."""
        return replace(self, event=event, woe_sign=woe_sign)

    def codes_like(self, who: str, rows: TargetRows, fitted: str) -> TargetRows:
        """Express rows read on their own in these classes; ``fitted`` says what has them."""
        place = {label: j for j, label in enumerate(self.classes.tolist())}
        labels = rows.classes.tolist()
        new = [label for label in labels if label not in place]
        if new:
            raise ValueError(
                f"{who}: y must hold the classes that {fitted} was fitted with, "
                f"{', '.join(map(repr, place))}; got {new[0]!r} too."
            )
        codes = np.array([place[label] for label in labels], dtype=np.uint16)[rows.codes]
        return replace(rows, target=self, codes=codes)

    def codes_of(self, amounts: NDArray[np.float64]) -> NDArray[np.uint16]:  # noqa: ARG002
        """Refuse: classes have no cells."""
        raise ValueError("classes have no cells")

    def same_as(self, other: Target) -> bool:
        """Whether both mean the same."""
        theirs = cast("ClassTarget", other)
        return (
            other.offers == self.offers
            and self.classes.dtype.kind == theirs.classes.dtype.kind
            and np.array_equal(self.classes, theirs.classes)
            and (self.ranks is None) == (theirs.ranks is None)
            and (self.ranks is None or np.array_equal(self.ranks, cast("Any", theirs.ranks)))
            and (self.event, self.woe_sign) == (theirs.event, theirs.woe_sign)
        )

    def to_plain(self) -> dict[str, Any]:
        """Give the data of a file: the labels as an array, the rest plain."""
        ranks = None if self.ranks is None else self.ranks.tolist()
        return {
            "classes": self.classes,
            "ranks": ranks,
            "event": self.event,
            "woe_sign": self.woe_sign,
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> ClassTarget:
        """Read what `to_plain` gave."""
        ranks = plain.get("ranks")
        return cls(
            plain["classes"],
            None if ranks is None else np.asarray(ranks, dtype=np.int64),
            int(plain.get("event", -1)),
            int(plain.get("woe_sign", 1)),
        )


def class_target(
    classes: NDArray[Any],
    ranks: NDArray[np.int64] | None = None,
    event: int = -1,
    woe_sign: int = 1,
) -> Target:
    """Make a target of classes; by default the event of two is the last one."""
    return ClassTarget(classes, ranks, event, woe_sign)


def class_rows(
    codes: NDArray[Any],
    classes: NDArray[Any],
    weights: NDArray[np.float64] | None = None,
    kept: NDArray[np.bool_] | None = None,
    rows: NDArray[np.int64] | None = None,
    ranks: NDArray[np.int64] | None = None,
) -> TargetRows:
    """Make the target of rows whose classes are known by their codes."""
    target = ClassTarget(classes, ranks)
    return TargetRows(target, codes.astype(np.uint16, copy=False), weights, kept, rows)


def ranks_among(levels: Sequence[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Ranks of classes among the levels of an order."""
    rank = {level: i for i, level in enumerate(levels)}
    return np.array([rank[label] for label in classes.tolist()], dtype=np.int64)


def check_number_of_classes(who: str, n_classes: int, most: int) -> None:
    """Refuse targets of too many classes."""
    if n_classes > most:
        raise ValueError(
            f"{who}: y must hold at most {most} classes; got {n_classes}. "
            "Group the classes, or discretize a continuous target first."
        )


__all__ = [
    "MOST_CLASSES",
    "ClassTarget",
    "check_number_of_classes",
    "class_rows",
    "class_target",
    "ranks_among",
]
