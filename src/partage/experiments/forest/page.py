"""Why not just a forest? Readable models on parts beside forests and boosted trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from partage.experiments import Settings
from partage.experiments.data import find_sets
from partage.experiments.forest.ebm import has_ebm
from partage.experiments.forest.trials import MODELS, MOST_ROWS, try_model
from partage.experiments.page import Listing, Section
from partage.experiments.units import run_units

_QUICK = ("iris",)
_DEFAULT = ("iris", "wine", "heart-statlog", "bupa", "ionosphere", "crx", "breast-w", "pima",
            "vehicle", "glass", "ecoli", "dermatology", "heart-disease", "car", "vowel", "yeast",
            "soybean", "segmentation", "titanic", "german")  # fmt: skip
_FULL = (*_DEFAULT, "australian", "anneal", "allhypo", "abalone", "mushroom", "nursery",
         "page-blocks", "waveform", "krkopt", "letter", "adult", "fars")  # fmt: skip
_TUNED = ("german", "crx", "vehicle", "segmentation", "heart-disease")
_MEASURES = ("loss", "auc", "accuracy", "parts", "fit", "predict")

Means = NDArray[np.float64]  # by data set, model and measure; NaN where a model did not run


def run(_: str, settings: Settings) -> Section:
    """Run every model on every data set."""
    wanted = _QUICK if settings.is_quick else _FULL if settings.is_full else _DEFAULT
    n_folds = 2 if settings.is_quick else 10 if settings.is_full else 3
    names = find_sets(settings, wanted)
    models = [m for m in MODELS if not settings.is_quick or m in ("NB on parts", "forest")]
    if not has_ebm():
        models = [m for m in models if m != "EBM"]
    # All of one fold first: what is left can then be told.
    units = [
        (name, model, f, n_folds) for f in range(n_folds) for name in names for model in models
    ]
    rows = run_units(settings, "forest", try_model, units, data=settings.data)
    refused = {
        f"{unit[1]} on {unit[0]}: {row['error']}"
        for unit, row in zip(units, rows, strict=True)
        if "error" in row
    }
    values = np.array([[row.get(key, np.nan) for key in _MEASURES] for row in rows], dtype=float)
    means = values.reshape(n_folds, len(names), len(models), -1).mean(axis=0)
    return Section(
        title="Readable models on parts beside forests",
        setting=(
            f"Stratified {n_folds}-fold on {len(names)} data sets: {', '.join(names)}. NB: naive "
            "Bayes; LR: logistic regression; raw: numbers as they are (gaps filled by the median) "
            "and one bit for each category; bins: ten bins of equal frequency; parts: partitions "
            "by MODL; pairs: with products of two columns; selective: columns weighted by "
            "description length, or selected by lift; additive: curves and pairs; EBM: those of "
            "interpret, where PARTAGE_EBM names a Python that has it. Parts to read: parts of the "
            "columns used, numbers of all curves and pairs, bits with a coefficient, patterns, or "
            "leaves of all trees. Ranks: mean over the data "
            "sets of the table, 1 is best, ties share theirs. "
            f"{_tell_sets(means, models, names)} {_tell_tuning(names)}"
        ),
        seeds="folds, forest and boosting: random_state 0",
        listings=[*_summarise(means, models, names), _list_losses(means, models, names)],
        findings=_find(means, models, names) + [f"Left out, {text}" for text in sorted(refused)],
    )


def _summarise(means: Means, models: list[str], names: list[str]) -> list[Listing]:
    """Average every measure: over the sets where all but LAD ran, then over those with LAD."""
    steady = [m for m, name in enumerate(models) if name not in MOST_ROWS]
    listings = [_average(means, models, steady, names)]
    if len(steady) < len(models):
        listings.append(_average(means, models, list(range(len(models))), names))
    return listings


def _average(means: Means, models: list[str], chosen: list[int], names: list[str]) -> Listing:
    """Average the measures of the chosen models over the data sets where all of them ran."""
    held = means[_ran(means, chosen)][:, chosen]
    ranks = rankdata(held[:, :, 0], axis=1).mean(axis=0) if len(held) else np.zeros(len(chosen))
    header = (f"mean of {_count_sets(len(held), len(names))}", "rank by loss", "log-loss", "AUC",
              "accuracy", "parts to read, median", "fit, CPU s", "predict, CPU s")  # fmt: skip
    rows = []
    for k in np.argsort(ranks, kind="stable") if len(held) else ():
        loss, auc, accuracy, _, fit, predict = held[:, k].mean(axis=0)
        parts = np.median(held[:, k, 3])
        measures = (f"{v:.4f}" for v in (loss, auc, accuracy))
        times = (f"{v:.3f}" for v in (fit, predict))
        rows.append((models[chosen[k]], f"{ranks[k]:.2f}", *measures, f"{parts:.0f}", *times))
    return Listing(header, rows)


def _ran(means: Means, chosen: list[int]) -> NDArray[np.bool_]:
    """Say on which data sets all the chosen models ran."""
    return np.asarray(~np.isnan(means[:, chosen, 0]).any(axis=1))


def _count_sets(n_held: int, n_sets: int) -> str:
    """Write a number of data sets."""
    return f"all {n_sets} data sets" if n_held == n_sets else f"{n_held} of {n_sets} data sets"


def _tell_sets(means: Means, models: list[str], names: list[str]) -> str:
    """Say over which data sets the tables average."""
    steady = [m for m, name in enumerate(models) if name not in MOST_ROWS]
    absent = _join(names, ~_ran(means, steady))
    if len(steady) == len(models):
        return f"Means are over the data sets on which every model ran; not: {absent}."
    together = _ran(means, list(range(len(models))))
    return (
        f"LAD is left out beyond {MOST_ROWS['LAD']} rows, so there are two tables of means: the "
        "first without LAD, over the data sets on which all other models ran (not: "
        f"{absent}); the second with it, over the {int(together.sum())} on which it ran too: "
        f"{_join(names, together)}."
    )


def _join(names: list[str], held: NDArray[np.bool_]) -> str:
    """Write the names of some data sets."""
    return ", ".join(name for name, is_in in zip(names, held, strict=True) if is_in) or "none"


def _tell_tuning(names: list[str]) -> str:
    """Say which data sets had a part in a rule of ours."""
    shared = [name for name in _TUNED if name in names]
    favour = f"of which it is favoured on those here: {', '.join(shared)}"
    return (
        "Defaults everywhere, nothing tuned here; but the rule by which description length weighs "
        f"columns was chosen on the held-out log-loss of eleven data sets, "
        f"{favour if shared else 'none of which is here'}; and of two rules by which products pay "
        "for their names, the one of the lower log-loss of selective NB on the data sets of a "
        "threefold run without --full was taken."
    )


def _list_losses(means: Means, models: list[str], names: list[str]) -> Listing:
    """Lay the log-loss out by data set and model."""
    rows = [
        (name, *("" if np.isnan(v) else f"{v:.3f}" for v in means[i, :, 0]))
        for i, name in enumerate(names)
    ]
    return Listing(("log-loss", *models), rows)


def _find(means: Means, models: list[str], names: list[str]) -> list[str]:
    """Say where ours lose, and what the loss buys."""
    readable = [m for m, name in enumerate(models) if "part" in name or "selective" in name]
    trees = {name: models.index(name) for name in ("forest", "boosting") if name in models}
    ran = _ran(means, [*readable, *trees.values()])
    best, rival = (means[ran][:, group, 0].min(axis=1) for group in (readable, [*trees.values()]))
    pairs = zip((name for name, is_in in zip(names, ran, strict=True) if is_in), best, rival,
                strict=True)  # fmt: skip
    lost = [f"{name} ({a:.3g} against {b:.3g})" for name, a, b in pairs if a > b]
    findings = [
        f"The best readable model on parts has a lower log-loss than the better of "
        f"{' and '.join(trees)} on {int((best < rival).sum())} of the {int(ran.sum())} data sets "
        "on which all of these ran, chosen after the fact on both sides. "
        f"It loses on: {'; '.join(lost) or 'none'}."
    ]
    for name in ("selective NB", "selective NB, pairs", "LR on parts", "LR on parts and pairs"):
        if name in models:
            duels = [_duel(means, models.index(name), t, tree) for tree, t in trees.items()]
            findings.append(f"{name} alone: {'; '.join(duels)}.")
    return findings


def _duel(means: Means, ours: int, other: int, name: str) -> str:
    """Count the data sets where one model is ahead of another, of those on which both ran."""
    ran = means[_ran(means, [ours, other])]
    n_lower = int((ran[:, ours, 0] < ran[:, other, 0]).sum())
    n_right = int((ran[:, ours, 2] >= ran[:, other, 2]).sum())
    return (
        f"against {name}, on the {len(ran)} data sets on which both ran, a lower log-loss on "
        f"{n_lower} and at least its accuracy on {n_right}"
    )
