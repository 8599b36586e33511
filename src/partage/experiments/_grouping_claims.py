"""What the paper on value grouping says of its figures, beside what ours show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage.experiments._grouping_trials import METHODS, WaveSet
from partage.experiments._page import Comparison

__all__ = ["Results", "compare_bayes", "compare_groups", "compare_selection"]

_MANY = 100  # mean values per attribute above which the paper calls them very many
_NEAR = 0.01  # accuracies that the paper's figures do not tell apart

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Results:
    """Means over folds of each measure, by data set and method."""

    sets: Sequence[WaveSet]
    tables: Mapping[str, Table]

    def __getitem__(self, key: str) -> Table:
        return self.tables[key]

    def of(self, key: str, method: str) -> Table:
        """Return a measure of one method, by the paper's name, over the data sets."""
        return self.tables[key][:, list(METHODS).index(method)]

    def over_none(self, key: str) -> Table:
        """Divide a measure by that of NoGrouping."""
        return np.asarray(self.tables[key] / self.tables[key][:, -1:])

    def with_column(self, key: str, table: Table) -> Results:
        """Add a measure."""
        return replace(self, tables={**self.tables, key: table})

    def with_ratio(self, key: str, above: str, below: str) -> Results:
        """Add the ratio of two measures."""
        return self.with_column(key, np.asarray(self.tables[above] / self.tables[below]))

    @property
    def has_many(self) -> NDArray[np.bool_]:
        """Which data sets have very many values per attribute."""
        return np.asarray(self.tables["values"][:, 0] > _MANY)


def _count(held: NDArray[np.bool_]) -> str:
    """Write in how many data sets something holds."""
    return f"in {int(held.sum())} of {len(held)} sets"


def _claim(what: str, paper: str, where: Any, reason: str, more: str = "") -> Comparison:
    """Set a statement on every data set beside the number of sets where it holds."""
    held = np.asarray(where, dtype=bool)
    ours = _count(held) + (f"; {more}" if more else "")
    return Comparison(what, paper, ours, "" if len(held) and held.all() else reason)


def _range(values: Table, form: str = ".2f") -> str:
    """Write the lowest and the highest."""
    return f"{values.min():{form}} to {values.max():{form}}" if len(values) else "no set"


def compare_groups(results: Results) -> list[Comparison]:
    """Compare the statements on Figures 1 and 2."""
    comparisons = _compare_on_all_sets(results)
    if results.has_many.any():
        comparisons += _compare_on_many_values(results)
    return comparisons + _compare_lowest(results)


def _compare_on_all_sets(results: Results) -> list[Comparison]:
    """Compare the statements on every number of values, and on at most 100."""
    groups = results["groups"]
    turned, printed = results.over_none("kl_reversed"), results.over_none("kl_printed")
    many = results.has_many
    modl, standard, chaid, tschuprow, *_ = range(6)
    return [
        _claim(
            "NoGrouping has the most groups",
            "always",
            (groups[:, -1:] >= groups[:, :-1]).all(axis=1),
            "see the table",
        ),
        _claim(
            "NoGrouping has the lowest divergence, reversed",
            "always",
            (turned[:, :-1] >= 1 - 1e-9).all(axis=1),
            "with many values, groups estimate the classes of a value better than its own few rows",
        ),
        _claim(
            "NoGrouping has the lowest divergence, as printed",
            "always",
            (printed[:, :-1] >= 1 - 1e-9).all(axis=1),
            "equation 5 as printed contradicts section 3.3 where values are many",
        ),
        _claim(
            "groups of Tschuprow",
            "2 to 3, always",
            (groups[:, tschuprow] > 1.995) & (groups[:, tschuprow] < 3.005),
            "attributes without information, and sets of two values, end elsewhere",
            _range(groups[:, tschuprow]),
        ),
        _claim(
            "Tschuprow has the highest divergence, reversed, where values are at most 100",
            "very poor",
            turned[~many].argmax(axis=1) == tschuprow,
            "another method is worse in some sets",
        ),
        _claim(
            "CHAID and MODL almost reach NoGrouping (reversed, within 10%) at most 100 values",
            "yes",
            (turned[~many][:, [modl, standard, chaid]] < 1.1).all(axis=1),
            "MODL merges values whose classes it cannot tell apart at this sample size",
            _range(turned[~many][:, [modl, standard, chaid]]),
        ),
    ]


def _compare_on_many_values(results: Results) -> list[Comparison]:
    """Compare the statements on sets of many values."""
    groups, turned, many = results["groups"], results.over_none("kl_reversed"), results.has_many
    modl, standard, chaid, *_ = range(6)
    return [
        _claim(
            f"divergence of CHAID, reversed, is above those of MODL beyond {_MANY} values",
            "worsens sharply",
            turned[many, chaid] > turned[many][:, [modl, standard]].max(axis=1),
            "not in every set",
            f"CHAID {_range(turned[many, chaid])}, MODL {_range(turned[many, modl])}",
        ),
        _claim(
            f"groups of CHAID above {_MANY} values: the most of all groupings",
            "too many",
            groups[many][:, :-1].argmax(axis=1) == chaid,
            "not in every set",
            f"up to {groups[:, chaid].max():.1f} where MODL has {groups[:, modl].max():.1f}",
        ),
        _claim(
            f"MODL has at least the groups of MODLS above {_MANY} values",
            "some extra groups",
            groups[many, modl] >= groups[many, standard] - 1e-9,
            "not in every set",
        ),
        _claim(
            f"and a divergence (reversed) at most that of MODLS above {_MANY} values",
            "better approximates",
            turned[many, modl] <= turned[many, standard] + 1e-9,
            "not in every set",
        ),
    ]


def _compare_lowest(results: Results) -> list[Comparison]:
    """Compare the statements on which method is best, and where groups are most."""
    groups, turned = results["groups"], results.over_none("kl_reversed")
    names = list(METHODS)
    modl, standard, _, _, khiops, _ = range(6)
    order = np.argsort(results["values"][:, 0])
    peak = int(order[np.argmax(groups[order, modl])])
    best = turned[:, :-1].argmin(axis=1)
    wins = ", ".join(f"{names[m]} {int((best == m).sum())}" for m in range(5))
    return [
        _claim(
            "a MODL method has the lowest divergence (reversed) of the groupings",
            "always",
            np.isin(best, (modl, standard)),
            f"lowest in so many sets: {wins}",
        ),
        _claim(
            "Khiops has the lowest divergence of the groupings in few sets",
            "fails on most",
            best != khiops,
            "it is lowest somewhere",
        ),
        Comparison(
            "values per attribute where MODL has the most groups",
            "a few tens, then it falls slowly",
            f"{results['values'][peak, 0]:.0f} ({results.sets[peak].name}: "
            f"{groups[peak, modl]:.1f} groups)",
            "" if 10 <= results["values"][peak, 0] <= _MANY else "the peak lies elsewhere",
        ),
    ]


def compare_bayes(results: Results) -> list[Comparison]:
    """Compare the statements on Figures 3 and 4."""
    test, robust = results["test"], results["robustness"]
    many = results.has_many
    modl, standard, chaid, tschuprow, khiops, none = range(6)
    comparisons = [
        _claim(
            f"no grouping is above NoGrouping by more than {_NEAR}",
            "most do not perform better",
            (test[:, :none] <= test[:, none:] + _NEAR).all(axis=1),
            "groups help in some sets",
        ),
        _claim(
            "Tschuprow is below NoGrouping",
            "always",
            test[:, tschuprow] <= test[:, none] + 1e-9,
            "not in every set",
        ),
        _claim(
            f"MODL is within {_NEAR} of NoGrouping and CHAID, or above",
            "almost the same",
            test[:, modl] >= test[:, [chaid, none]].max(axis=1) - _NEAR,
            "not in every set",
            f"lowest difference {(test[:, modl] - test[:, [chaid, none]].max(axis=1)).min():.3f}",
        ),
        _claim(
            "MODL is more robust than CHAID and NoGrouping",
            "strongly dominates",
            (robust[:, modl] > robust[:, chaid] - 1e-9)
            & (robust[:, modl] > robust[:, none] - 1e-9),
            "not in every set",
            f"MODL {_range(robust[:, modl], '.3f')}, NoGrouping {_range(robust[:, none], '.3f')}",
        ),
        _claim(
            "MODL and MODLS differ little (accuracy, 0.01)",
            "a minor advantage of MODL",
            np.abs(test[:, modl] - test[:, standard]) < _NEAR,
            "MODL is well above MODLS where values are very many",
            f"MODL - MODLS {_range(test[:, modl] - test[:, standard], '+.3f')}",
        ),
    ]
    if many.any():
        last = int(results["values"][:, 0].argmax())
        comparisons.append(
            Comparison(
                "Khiops falls down to the majority class with very many values",
                "33%",
                f"{100 * test[last, khiops]:.1f}% on {results.sets[last].name}, lowest "
                f"{100 * test[:, khiops].min():.1f}%",
                "" if test[:, khiops].min() < 0.4 else "some attributes keep two groups",
            )
        )
    return [*comparisons, _compare_dimensions(results, "test", "naive Bayes", grows=True)]


def _compare_dimensions(results: Results, key: str, what: str, *, grows: bool) -> Comparison:
    """Compare the best accuracy with MODL on single attributes, pairs and triples."""
    best = {
        d: max(
            (results.of(key, "MODL")[i] for i, s in enumerate(results.sets) if s.dimension == d),
            default=float("nan"),
        )
        for d in (1, 2, 3)
    }
    shown = ", ".join(f"{d}D {value:.3f}" for d, value in best.items() if value == value)
    held = best[2] > best[1] if best[3] != best[3] else best[3] > best[1] and best[2] > best[1]
    return Comparison(
        f"{what} with MODL: pairs and triples above single attributes (best set of each)",
        "yes" if grows else "no",
        shown,
        "" if held == grows else "the order is the other one here",
    )


def compare_selection(results: Results) -> list[Comparison]:
    """Compare the statements on Figures 5 and 6."""
    test, bayes = results["test"], results["bayes"]
    many = results.has_many
    modl, standard, chaid, tschuprow, khiops, none = range(6)
    rivals = [modl, standard, chaid, none]
    comparisons = [
        _claim(
            "Tschuprow and Khiops are below the best of the others",
            "constantly dominated",
            test[:, [tschuprow, khiops]].max(axis=1) <= test[:, rivals].max(axis=1),
            "not in every set",
        ),
        _claim(
            f"MODL, CHAID and NoGrouping are within {2 * _NEAR} at most {_MANY} values",
            "comparable",
            np.ptp(test[~many][:, [modl, standard, chaid, none]], axis=1) < 2 * _NEAR,
            "not in every set",
        ),
        _claim(
            "MODL has the best accuracy",
            "always",
            test[:, modl] >= test.max(axis=1) - 1e-9,
            "others are level or a little above in some sets",
            f"at most {(test.max(axis=1) - test[:, modl]).max():.3f} below the best",
        ),
        _claim(
            "with MODL, selection improves naive Bayes",
            "all but one (2D, 64 bins)",
            test[:, modl] > bayes[:, modl],
            "not in: "
            + "; ".join(
                s.name for i, s in enumerate(results.sets) if test[i, modl] <= bayes[i, modl]
            ),
        ),
    ]
    extreme = [i for i, s in enumerate(results.sets) if (s.dimension, s.bins) == (2, 64)]
    if extreme:
        row = 100 * test[extreme[0]]
        shown = ", ".join(f"{name} {row[m]:.1f}%" for m, name in enumerate(METHODS) if m in rivals)
        gaps = row[modl] - row[[standard, none, chaid]]
        near = abs(row[modl] - 77) < 2 and (np.abs(gaps - [6, 6, 8]) < 2).all()
        comparisons.append(
            Comparison(
                "2D, 64 bins",
                "MODL 77%, about 6% above MODLS and NoGrouping, 8% above CHAID",
                shown,
                "" if near else "read off; the order or the gaps are not the paper's",
            )
        )
    dimensions = _compare_dimensions(results, "test", "selective naive Bayes", grows=False)
    return [*comparisons, dimensions]
