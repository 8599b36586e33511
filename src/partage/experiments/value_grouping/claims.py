"""What the paper on value grouping says of its figures, beside what ours show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage.experiments.page import Comparison
from partage.experiments.value_grouping.trials import METHODS, WaveSet

__all__ = ["Results", "compare_bayes", "compare_groups", "compare_selection"]

_MANY = 100  # mean values per attribute above which the paper calls them very many
_NEAR = 0.01  # accuracies that the paper's figures do not tell apart
_LEVEL = 0.001  # accuracies that count as equal, five rows of 5000

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
    if not len(values):
        return "no set"
    low, high = f"{values.min():{form}}", f"{values.max():{form}}"
    return low if low == high else f"{low} to {high}"


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
            _where_lower(results, turned),
        ),
        _claim(
            "NoGrouping has the lowest divergence, as printed",
            "always",
            (printed[:, :-1] >= 1 - 1e-9).all(axis=1),
            _where_lower(results, printed),
        ),
        _claim(
            "groups of Tschuprow",
            "2 to 3, always",
            (groups[:, tschuprow] > 1.995) & (groups[:, tschuprow] < 3.005),
            "not in every set",
            _range(groups[:, tschuprow]),
        ),
        _claim(
            f"no divergence, reversed, is above Tschuprow's where values are at most {_MANY}",
            "very poor",
            turned[~many, tschuprow] >= turned[~many].max(axis=1) - 1e-9,
            "another method is worse in some sets",
        ),
        _claim(
            f"CHAID and MODL almost reach NoGrouping (reversed, within 10%) at most {_MANY} values",
            "yes",
            (turned[~many][:, [modl, standard, chaid]] < 1.1).all(axis=1),
            "not in every set",
            _range(turned[~many][:, [modl, standard, chaid]]),
        ),
    ]


def _where_lower(results: Results, ratios: Table) -> str:
    """Say in which sets a grouping has a lower divergence than NoGrouping, and by how much."""
    lowest = ratios[:, :-1].min(axis=1)
    where = lowest < 1 - 1e-9
    if not where.any():
        return ""
    values = results["values"][where, 0]
    return (
        f"a grouping is lower in {len(values)}, of {_range(values, '.0f')} values per attribute, "
        f"down to {lowest.min():.3f} of NoGrouping"
    )


def _compare_on_many_values(results: Results) -> list[Comparison]:
    """Compare the statements on sets of many values."""
    groups, turned, many = results["groups"], results.over_none("kl_reversed"), results.has_many
    modl, standard, chaid, *_ = range(6)
    peak = int(np.where(many, groups[:, chaid], -1.0).argmax())
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
            f"up to {groups[peak, chaid]:.1f} ({results.sets[peak].name}), where MODL has "
            f"{groups[peak, modl]:.1f}",
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
    modl, standard, _, _, khiops, _ = range(6)
    order = np.argsort(results["values"][:, 0])
    peak = int(order[np.argmax(groups[order, modl])])
    is_lowest = turned[:, :-1] <= turned[:, :-1].min(axis=1, keepdims=True) + 1e-9
    counts = zip(METHODS, is_lowest.sum(axis=0), strict=False)
    wins = ", ".join(f"{name} {count}" for name, count in counts)
    fails = ~is_lowest[:, khiops]
    return [
        _claim(
            "a MODL method has the lowest divergence (reversed) of the groupings, or shares it",
            "always",
            is_lowest[:, [modl, standard]].any(axis=1),
            f"sets in which each is lowest or shares it: {wins}",
        ),
        Comparison(
            "another grouping has a lower divergence (reversed) than Khiops",
            "it fails on most",
            _count(fails),
            "" if fails.mean() > 0.5 else "in half of the sets or fewer",
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
    lead = test[:, modl] - test[:, standard]
    comparisons = [
        _claim(
            f"no grouping is above NoGrouping by more than {_NEAR}",
            "most do not perform better",
            (test[:, :none] <= test[:, none:] + _NEAR).all(axis=1),
            "groups help in some sets",
        ),
        _claim(
            f"Tschuprow is below NoGrouping by more than {_LEVEL}",
            "always",
            test[:, tschuprow] < test[:, none] - _LEVEL,
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
            f"MODL is more robust than CHAID and NoGrouping by more than {_LEVEL}",
            "strongly dominates",
            robust[:, modl] > robust[:, [chaid, none]].max(axis=1) + _LEVEL,
            "not in every set",
            f"MODL {_range(robust[:, modl], '.3f')}, NoGrouping {_range(robust[:, none], '.3f')}",
        ),
        _claim(
            f"MODL and MODLS differ by less than {_NEAR} in accuracy",
            "a minor advantage of MODL",
            np.abs(lead) < _NEAR,
            f"MODL - MODLS beyond that in: {_name_sets(results, np.abs(lead) >= _NEAR, lead)}",
            f"MODL - MODLS {_range(lead, '+.3f')}, mean {lead.mean():+.4f}",
        ),
    ]
    if many.any():
        last = int(results["values"][:, 0].argmax())
        comparisons.append(
            Comparison(
                "Khiops falls down to the majority class (below 40%) with very many values",
                "33%",
                f"{100 * test[last, khiops]:.1f}% on {results.sets[last].name}, lowest "
                f"{100 * test[:, khiops].min():.1f}%",
                "" if test[:, khiops].min() < 0.4 else "it stays above",
            )
        )
    return [*comparisons, _compare_dimensions(results, "test", "naive Bayes", grows=True)]


def _name_sets(results: Results, where: NDArray[np.bool_], gaps: Table) -> str:
    """Name data sets, each with its values per attribute and its difference."""
    return "; ".join(
        f"{s.name} ({results['values'][i, 0]:.0f} values, {gaps[i]:+.4f})"
        for i, s in enumerate(results.sets)
        if where[i]
    )


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
    gains = test[:, modl] - bayes[:, modl]
    stays = [s.name for s, gain in zip(results.sets, gains, strict=True) if gain <= _LEVEL]
    comparisons = [
        _claim(
            f"Tschuprow and Khiops are below the best of the others by more than {_LEVEL}",
            "constantly dominated",
            test[:, [tschuprow, khiops]].max(axis=1) < test[:, rivals].max(axis=1) - _LEVEL,
            "not in every set",
        ),
        _claim(
            f"MODL, CHAID and NoGrouping are within {2 * _NEAR} at most {_MANY} values",
            "comparable",
            np.ptp(test[~many][:, [modl, standard, chaid, none]], axis=1) < 2 * _NEAR,
            "not in every set",
        ),
        _claim(
            f"no method is above MODL by more than {_LEVEL}",
            "MODL is best, always",
            test[:, modl] >= test.max(axis=1) - _LEVEL,
            "not in every set",
            f"at most {(test.max(axis=1) - test[:, modl]).max():.3f} below the best",
        ),
        Comparison(
            f"with MODL, selection improves naive Bayes by more than {_LEVEL}",
            "all but one (2D, 64 bins)",
            _count(gains > _LEVEL),
            f"not in: {'; '.join(stays)}" if set(stays) - {"2D, 64 bins"} else "",
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
                "2D, 64 bins (level and gaps within 2 points)",
                "MODL 77%, about 6% above MODLS and NoGrouping, 8% above CHAID",
                shown,
                "" if near else "the level or the gaps are not the paper's",
            )
        )
    dimensions = _compare_dimensions(results, "test", "selective naive Bayes", grows=False)
    return [*comparisons, dimensions]
