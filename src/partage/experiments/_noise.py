"""Does a selection overfit? Attributes of the waves among permuted copies, which are noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

import partage as pt
from partage.experiments import Settings
from partage.experiments._grouping_trials import WaveSet, code_attributes, load_waves
from partage.experiments._page import Comparison, Listing, Section
from partage.experiments._units import run_units

__all__ = ["compare_noise", "run_noise", "try_noise"]

_GROUPINGS = {"MODL": "modl", "NoGrouping": "none"}
_MODELS = ("naive Bayes", "lift", "description length", "description length, level 0 too")
_MEASURES = ("selected", "noise", "train", "test", "train_loss", "test_loss")
_LEAST = 1e-9  # a level with which a column may enter
_NEAR = 0.01  # of accuracies
_SEED = 1  # of the folds, and of the copies


@dataclass(frozen=True)
class _Plan:
    """A data set, how often its attributes are copied, and how many folds there are."""

    waves: WaveSet
    copies: tuple[int, ...]
    n_folds: int


def _plan(settings: Settings) -> _Plan:
    """Choose by the time there is."""
    if settings.is_quick:
        return _Plan(WaveSet(1, 16), (0, 3), 2)
    return _Plan(WaveSet(3, 4), (0, 1, 2), 10 if settings.is_full else 3)


def run_noise(settings: Settings) -> Section:
    """Compare what both selections keep, and what it does to rows they have not seen."""
    plan = _plan(settings)
    cases = [(grouping, n) for grouping in _GROUPINGS for n in plan.copies]
    units = [
        (plan.waves.dimension, plan.waves.bins, _GROUPINGS[grouping], n, fold, plan.n_folds)
        for grouping, n in cases
        for fold in range(plan.n_folds)
    ]
    found = run_units(settings, "noise", try_noise, units, data=settings.data)
    shape = (len(_GROUPINGS), len(plan.copies), plan.n_folds, len(_MODELS), len(_MEASURES))
    means = np.array(found).reshape(shape).mean(axis=2)
    n_own = len(code_attributes(load_waves(settings.data)[0][:2], plan.waves))
    return Section(
        title="Selection among noise",
        setting=(
            f"Waveform, {plan.waves.name}: {n_own} attributes, and copies of each whose rows are "
            f"permuted; stratified {plan.n_folds}-fold. Not in the paper, which finds that plain "
            "selection overfits where attributes are that many. A selection overfits if it keeps "
            "noise, or does better on training rows alone."
        ),
        seeds=f"folds and permutations: {_SEED}",
        comparisons=compare_noise(means),
        listings=[_list(means, [n * n_own for n in plan.copies])],
    )


def try_noise(
    dimension: int, bins: int, method: str, copies: int, fold: int, n_folds: int, *,
    data: Path | None,
) -> list[list[float]]:  # fmt: skip
    """Measure naive Bayes and both selections on one fold: a row for each model."""
    X, y = load_waves(data)
    own = code_attributes(X, WaveSet(dimension, bins))
    rng = np.random.default_rng(_SEED)
    noise = [rng.permutation(column) for _ in range(copies) for column in own]
    names = [f"own{k}" for k in range(len(own))] + [f"noise{k}" for k in range(len(noise))]
    table = pd.DataFrame(np.array([*own, *noise]).T, columns=names)
    train, test = list(StratifiedKFold(n_folds, shuffle=True, random_state=_SEED).split(X, y))[fold]
    kinds = None if method == "none" else dict.fromkeys(names, "categorical")
    options: dict[str, Any] = {"method": method, "kinds": kinds}
    plain = pt.NaiveBayesClassifier(**options).fit(table.iloc[train], y[train])
    found = plain.partitions_
    passing = {name: replace(p, level=max(p.level, _LEAST)) for name, p in found.items()}
    choices = [("lift", found), ("mdl", found), ("mdl", passing)]
    models = [plain] + [
        pt.SelectiveNaiveBayesClassifier(selection=selection, partitions=partitions, **options).fit(
            table.iloc[train], y[train]
        )
        for selection, partitions in choices
    ]
    return [[*_count_kept(model), *_measure(model, table, y, train, test)] for model in models]


def _count_kept(model: Any) -> tuple[float, float]:
    """Count the attributes that a model uses, and those of them that are noise."""
    names = np.array(list(model.partitions_))
    n_parts = np.array([partition.n_parts for partition in model.partitions_.values()])
    used = names[(model.weights_ > 0) & (n_parts > 1)]
    return float(len(used)), float(np.char.startswith(used, "noise").sum())


def _measure(
    model: Any, table: pd.DataFrame, y: NDArray[np.uint16], *samples: NDArray[np.int64]
) -> list[float]:
    """Return the accuracies, then the log-losses, on samples of the rows."""
    accuracies, losses = [], []
    for rows in samples:
        shares = model.predict_proba(table.iloc[rows])
        accuracies.append(float((model.classes_[shares.argmax(axis=1)] == y[rows]).mean()))
        losses.append(float(log_loss(y[rows], shares)))
    return accuracies + losses


def compare_noise(means: NDArray[np.float64]) -> list[Comparison]:
    """Judge both selections, from means by grouping, amount of noise, model and measure."""
    noise, train, test, train_loss, test_loss = np.moveaxis(means[..., 1:], -1, 0)
    plain, lift, mdl, free = range(len(_MODELS))
    kept = noise[:, 1:, :]
    bare = list(_GROUPINGS).index("NoGrouping")
    falls = (test[bare, 1:, plain] - test[bare, 1:, lift]).max()
    drift = np.abs(test[:, 1:, mdl] - test[:, :1, mdl]).max()
    lead = (test[..., mdl] - test[..., [plain, lift]].max(axis=-1)).min()
    gaps = (train - test)[..., [lift, mdl]]
    loss_gaps = (test_loss - train_loss)[..., [lift, mdl]]
    aim = "not in the paper; the aim"
    return [
        Comparison(
            "the lift selection is less accurate than naive Bayes among noise (NoGrouping)",
            "it overfits with 1330 attributes",
            f"by {falls:.3f}; it keeps {kept[bare, :, lift].max():.0f} noise attributes",
            "" if falls > 0 else "it is not",
        ),
        Comparison(
            "description length keeps no noise",
            aim,
            f"at most {kept[..., mdl].max():.1f} on average",
            "" if kept[..., mdl].max() == 0 else "some pass for informative by chance",
        ),
        Comparison(
            f"noise changes its test accuracy by at most {_NEAR}",
            aim,
            f"by at most {drift:.4f}",
            "" if drift <= _NEAR else "by more",
        ),
        Comparison(
            "its test accuracy is above those of naive Bayes and of the lift selection",
            aim,
            f"by at least {lead:+.4f}",
            "" if lead > 0 else "not in every case",
        ),
        Comparison(
            "its loss on test rows exceeds that on training rows by less than with lift",
            aim,
            f"{loss_gaps[..., 1].max():.3f} at most, lift {loss_gaps[..., 0].max():.3f}",
            "" if (loss_gaps[..., 1] < loss_gaps[..., 0]).all() else "not in every case",
        ),
        Comparison(
            "its accuracy on training rows exceeds that on test rows by less than with lift",
            aim,
            f"{gaps[..., 1].max():.4f} at most, lift {gaps[..., 0].max():.4f}",
            "" if (gaps[..., 1] < gaps[..., 0]).all() else "not in every case",
        ),
        Comparison(
            "so too without the rule that a column of level 0 cannot enter (NoGrouping)",
            aim,
            f"it then keeps {kept[bare, :, free].max():.0f} noise attributes",
            ""
            if kept[..., free].max() == 0
            else "weights are priced, parts are not: the level is what keeps noise out",
        ),
    ]


def _list(means: NDArray[np.float64], n_noise: list[int]) -> Listing:
    """Lay the measures out, a row for each grouping, amount of noise and model."""
    header = ("grouping", "noise attributes", "model", "kept", "noise kept", "train accuracy",
              "test accuracy", "train log-loss", "test log-loss")  # fmt: skip
    rows = []
    for g, grouping in enumerate(_GROUPINGS):
        for c, amount in enumerate(n_noise):
            for m, model in enumerate(_MODELS):
                selected, noise, *others = means[g, c, m]
                shown = (f"{selected:.1f}", f"{noise:.1f}", *(f"{value:.4f}" for value in others))
                rows.append((grouping, str(amount), model, *shown))
    return Listing(header, rows)
