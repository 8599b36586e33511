"""The page on selection among noise: what both selections keep, and what is claimed of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partage.experiments import Settings
from partage.experiments.page import Comparison, Listing, Section
from partage.experiments.units import run_units
from partage.experiments.value_grouping.noise_trials import MEASURES, MODELS, SEED, try_noise
from partage.experiments.value_grouping.trials import WaveSet, code_attributes, load_waves

__all__ = ["compare_noise", "run_noise"]

_GROUPINGS = {"MODL": "modl", "NoGrouping": "none"}
_NEAR = 0.01  # of accuracies


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
    shape = (len(_GROUPINGS), len(plan.copies), plan.n_folds, len(MODELS), len(MEASURES))
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
        seeds=f"folds and permutations: {SEED}",
        comparisons=compare_noise(means),
        listings=[_list(means, [n * n_own for n in plan.copies])],
    )


def compare_noise(means: NDArray[np.float64]) -> list[Comparison]:
    """Judge both selections, from means by grouping, amount of noise, model and measure."""
    noise, train, test, train_loss, test_loss = np.moveaxis(means[..., 1:], -1, 0)
    plain, lift, mdl, free = range(len(MODELS))
    kept = noise[:, 1:, :]
    bare = list(_GROUPINGS).index("NoGrouping")
    falls = test[bare, 1:, plain] - test[bare, 1:, lift]
    worst = int(falls.argmax())
    drift = np.abs(test[:, 1:, mdl] - test[:, :1, mdl]).max()
    lead = (test[..., mdl] - test[..., [plain, lift]].max(axis=-1)).min()
    gaps = (train - test)[..., [lift, mdl]]
    loss_gaps = (test_loss - train_loss)[..., [lift, mdl]]
    aim = "not in the paper; the aim"
    priced = "weights are priced, parts are not: that rule is what keeps noise out"
    return [
        Comparison(
            "the lift selection is less accurate than naive Bayes among noise (NoGrouping)",
            "it overfits with 1330 attributes",
            f"by {falls.min():.3f} at least; at most by {falls[worst]:.3f}, where it keeps "
            f"{kept[bare, worst, lift]:.0f} noise attributes",
            "" if falls.min() > 0 else "not in every case",
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
            f"by at most {loss_gaps[..., 1].max():.3f}, with lift {loss_gaps[..., 0].max():.3f}",
            "" if (loss_gaps[..., 1] < loss_gaps[..., 0]).all() else "not in every case",
        ),
        Comparison(
            "its accuracy on training rows exceeds that on test rows by less than with lift",
            aim,
            f"by at most {gaps[..., 1].max():.4f}, with lift {gaps[..., 0].max():.4f}",
            "" if (gaps[..., 1] < gaps[..., 0]).all() else f"not in {_count_cases(gaps)}",
        ),
        Comparison(
            "it keeps no noise where columns that tell less than their parts and names cost may "
            "enter (NoGrouping)",
            aim,
            f"it then keeps up to {kept[bare, :, free].max():.0f} noise attributes",
            "" if kept[..., free].max() == 0 else priced,
        ),
    ]


def _count_cases(gaps: NDArray[np.float64]) -> str:
    """Count the cases in which description length has a gap at least that of lift."""
    is_wider = gaps[..., 1] >= gaps[..., 0]
    return f"{int(is_wider.sum())} of {is_wider.size} cases"


def _list(means: NDArray[np.float64], n_noise: list[int]) -> Listing:
    """Lay the measures out, a row for each grouping, amount of noise and model."""
    header = ("grouping", "noise attributes", "model", "kept", "noise kept", "train accuracy",
              "test accuracy", "train log-loss", "test log-loss")  # fmt: skip
    rows = []
    for g, grouping in enumerate(_GROUPINGS):
        for c, amount in enumerate(n_noise):
            for m, model in enumerate(MODELS):
                selected, noise, *others = means[g, c, m]
                shown = (f"{selected:.1f}", f"{noise:.1f}", *(f"{value:.4f}" for value in others))
                rows.append((grouping, str(amount), model, *shown))
    return Listing(header, rows)
