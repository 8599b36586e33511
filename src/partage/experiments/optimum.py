"""When is the optimum worth it? Greedy against exact searches; discretizers and learners."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import partage as pt
from partage.experiments import Settings
from partage.experiments._data import find_sets, load_set
from partage.experiments._page import Listing, Plot, Section
from partage.experiments._units import run_units

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Shares = Callable[[NDArray[np.float64]], NDArray[np.float64]]

# Share of class 1 along a column uniform in [0, 1].
_SHAPES: dict[str, Shares] = {
    "two pieces": lambda x: np.where(x < 0.37, 0.1, 0.9),
    "five pieces": lambda x: np.array([0.1, 0.8, 0.2, 0.9, 0.15])[(5 * x).astype(int)],
    "slope": lambda x: x,
    "waves": lambda x: 0.5 + 0.45 * np.sin(12 * np.pi * x),
    "pockets": lambda x: np.where(np.abs(x * 10 % 1 - 0.5) < 0.04, 1.0, 0.1),
}
_CRITERIA = ("modl", "fusinter")
_GREEDY = ("bottom-up", "top-down")
_N_TEST = 20_000

# Discretizers of the second table: method and search, or how many bins.
_DISCRETIZERS: dict[str, dict[str, Any]] = {
    "MODL, optimum": {"method": "modl", "search": "auto"},
    "MODL, bottom-up": {"method": "modl", "search": "bottom-up"},
    "FUSINTER, optimum": {"method": "fusinter", "search": "exact"},
    "FUSINTER, bottom-up": {"method": "fusinter", "search": "bottom-up"},
    "MDLPC": {"method": "mdlpc"},
    "ChiMerge": {"method": "chimerge"},
    "10 of equal frequency": {"method": "equal-frequency", "max_parts": 10},
    "10 of equal width": {"method": "equal-width", "max_parts": 10},
}
_LEARNERS = ("tree", "naive Bayes", "logistic regression")
_SETS = ("iris", "wine", "heart-statlog", "bupa", "ionosphere", "breast-w", "pima", "vehicle",
         "glass", "ecoli", "segmentation", "vowel", "yeast", "waveform")  # fmt: skip


def run(table: str, settings: Settings) -> Section:
    """Run one table."""
    return {"gap": _gap, "learners": _learners}[table](settings)


def _gap(settings: Settings) -> Section:
    """Measure what greedy searches lose, by shape, noise and rows."""
    sizes = (100, 1000) if settings.is_quick else (100, 300, 1000, 3000, 10_000)
    noises = (0.0, 0.4) if settings.is_quick else (0.0, 0.2, 0.4)
    shapes = list(_SHAPES)[1:3] if settings.is_quick else list(_SHAPES)
    n_seeds = 3 if settings.is_quick else 20
    units = [(s, noise, n, n_seeds) for s in shapes for noise in noises for n in sizes]
    rows = run_units(settings, "gap", compare_searches, units)
    table = {
        (criterion, search, *unit[:3]): row[criterion][search]
        for unit, row in zip(units, rows, strict=True)
        for criterion in _CRITERIA
        for search in _GREEDY
    }
    return Section(
        title="Greedy against the optimum on one column",
        setting=(
            f"A column uniform in [0, 1], two classes, {n_seeds} samples of each kind. The share "
            "of class 1 is a function of the column: two pieces, five pieces, a slope, six waves, "
            "ten narrow pockets; noise is the part of the rows whose class is drawn anew. Loss: "
            f"log-loss of Laplace's shares of the parts on {_N_TEST} fresh rows."
        ),
        seeds="sample s: seed s; its test rows: seed 1000 + s",
        listings=[
            _list_by(table, "by shape", 2, shapes),
            _list_by(table, "by noise", 3, noises),
            _list_by(table, "by rows", 4, sizes),
        ],
        plots=[
            Plot(
                "loss",
                "Held-out loss of the greedy search less that of the optimum, by rows (MODL left, "
                "FUSINTER right); above 0 the optimum is better.",
                partial(_draw_loss, table=table, shapes=shapes, sizes=sizes),
            )
        ],
        findings=_find_worth(table),
    )


def compare_searches(shape: str, noise: float, n_rows: int, n_seeds: int) -> dict[str, Any]:
    """Compare greedy searches with the exact one on samples of one kind; means."""
    found: dict[str, Any] = {c: {s: [] for s in _GREEDY} for c in _CRITERIA}
    for seed in range(n_seeds):
        x, y = _draw_rows(shape, noise, n_rows, seed)
        x_test, y_test = _draw_rows(shape, noise, _N_TEST, 1000 + seed)
        for criterion in _CRITERIA:
            best = pt.discretize(x, y, method=criterion, search="exact")
            for search in _GREEDY:
                p = pt.discretize(x, y, method=criterion, search=search)
                found[criterion][search].append(
                    (
                        (p.cost - best.cost) / abs(best.cost),
                        p.cost <= best.cost * (1 + 1e-9),
                        _loss(p, x_test, y_test) - _loss(best, x_test, y_test),
                        p.n_parts - best.n_parts,
                    )
                )
    names = ("gap", "optimal", "loss", "parts")
    return {
        c: {s: dict(zip(names, np.mean(found[c][s], axis=0), strict=True)) for s in _GREEDY}
        for c in _CRITERIA
    }


def _draw_rows(
    shape: str, noise: float, n_rows: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw a column and its classes."""
    rng = np.random.default_rng(seed)
    x = rng.random(n_rows)
    share = (1 - noise) * _SHAPES[shape](x) + noise / 2
    y = (rng.random(n_rows) < share).astype(np.int64)
    y[:2] = 0, 1  # both classes are there
    return x, y


def _loss(p: pt.Intervals, x: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    """Return the log-loss of a partition on fresh rows."""
    counts = p.counts + 1.0
    shares = counts / counts.sum(axis=1, keepdims=True)
    return float(-np.log(shares[p.assign(x), y]).mean())


def _list_by(table: dict[Any, dict[str, float]], title: str, place: int, keys: Any) -> Listing:
    """Average over all kinds that share one setting."""
    header = [title]
    header += [f"{c.upper()} {s}: {what}" for c in _CRITERIA for s in _GREEDY
               for what in ("gap", "optimal", "loss")]  # fmt: skip
    rows = []
    for key in keys:
        cells = [str(key)]
        for criterion in _CRITERIA:
            for search in _GREEDY:
                held = [
                    row
                    for k, row in table.items()
                    if k[:2] == (criterion, search) and k[place] == key
                ]
                gap, optimal, loss = (
                    np.mean([r[n] for r in held]) for n in ("gap", "optimal", "loss")
                )
                cells += [f"{100 * gap:.2f}%", f"{100 * optimal:.0f}%", f"{loss:+.4f}"]
        rows.append(cells)
    return Listing(header, rows)


def _find_worth(table: dict[Any, dict[str, float]]) -> list[str]:
    """Say where the optimum is worth it."""
    findings = []
    for criterion in _CRITERIA:
        held = {k: row for k, row in table.items() if k[0] == criterion and k[1] == "bottom-up"}
        better = [k for k, row in held.items() if row["loss"] > 1e-3]
        worse = [k for k, row in held.items() if row["loss"] < -1e-3]
        named = "; ".join(sorted({f"{k[2]}, {k[4]} rows, noise {k[3]:g}" for k in better})[:12])
        findings.append(
            f"{criterion.upper()}, bottom-up against the optimum: of {len(held)} kinds, the "
            f"optimum has a held-out loss lower by more than 0.001 in {len(better)}, higher by as "
            f"much in {len(worse)}. Lower in: {named or 'none'}."
        )
    return findings


def _draw_loss(figure: Figure, table: dict[Any, dict[str, float]], shapes: Any, sizes: Any) -> None:
    """Draw the loss over the number of rows, a line per shape."""
    for axes, criterion in zip(figure.subplots(1, 2, sharey=False), _CRITERIA, strict=True):
        for shape in shapes:
            means = [
                np.mean([row["loss"] for k, row in table.items()
                         if k[:3] == (criterion, "bottom-up", shape) and k[4] == n])
                for n in sizes
            ]  # fmt: skip
            axes.plot(sizes, means, marker="o", markersize=3, label=shape)
        axes.axhline(0.0, color="grey", linewidth=0.7)
        axes.set_xscale("log")
        axes.set_xlabel("rows")
        axes.set_title(criterion.upper(), fontsize=9)
        axes.legend(fontsize=7)


def _learners(settings: Settings) -> Section:
    """Discretizers before three learners on numeric data sets."""
    wanted = _SETS[:1] if settings.is_quick else _SETS
    n_folds = 2 if settings.is_quick else 10 if settings.is_full else 3
    names = find_sets(settings, wanted)
    discretizers = list(_DISCRETIZERS)[:3] if settings.is_quick else list(_DISCRETIZERS)
    units = [(name, d, f, n_folds) for name in names for d in discretizers for f in range(n_folds)]
    rows = run_units(settings, "learners", try_learners, units, data=settings.data)
    values = np.array([[row[learner] for learner in _LEARNERS] for row in rows])
    shape = (len(names), len(discretizers), n_folds, len(_LEARNERS), 2)
    means = values.reshape(shape).mean(axis=2)  # set, discretizer, learner, (accuracy, loss)
    header = ["discretizer", "parts"]
    header += [
        f"{learner}: {what}" for learner in _LEARNERS for what in ("accuracy", "loss", "rank")
    ]
    parts = np.array([row["parts"] for row in rows]).reshape(shape[:3]).mean(axis=(0, 2))
    ranks = means[..., 1].argsort(axis=1).argsort(axis=1).mean(axis=0) + 1
    listing = []
    for d, name in enumerate(discretizers):
        cells = [name, f"{parts[d]:.1f}"]
        for k in range(len(_LEARNERS)):
            accuracy, loss = means[:, d, k].mean(axis=0)
            cells += [f"{accuracy:.4f}", f"{loss:.4f}", f"{ranks[d, k]:.2f}"]
        listing.append(cells)
    return Section(
        title="Discretizers and learners",
        setting=(
            f"Stratified {n_folds}-fold on {len(names)} numeric data sets ({', '.join(names)}). "
            "Each column is cut on the training rows; a tree of at least 5 rows a leaf and naive "
            "Bayes take the codes, logistic regression one bit for each part. Parts: mean per "
            "column. Rank: mean rank by log-loss over the data sets, 1 is best."
        ),
        seeds="folds and tree: random_state 0",
        listings=[Listing(header, listing)],
        findings=_find_learners(means, discretizers),
    )


def try_learners(
    name: str, discretizer: str, fold: int, n_folds: int, *, data: Path | None
) -> dict[str, Any]:
    """Discretize a fold and train three learners: accuracy and log-loss of each."""
    held = load_set(name, data)
    X = held.numeric()
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    train, test = list(folds.split(X, held.y))[fold]
    cutter = pt.Discretizer(**_DISCRETIZERS[discretizer])
    codes = cutter.fit(X[train], held.y[train]).transform(X[train])
    codes_test = cutter.transform(X[test])
    n_codes = [p.n_parts + 1 for p in cutter.partitions_.values()]
    bits = OneHotEncoder(categories=[np.arange(n) for n in n_codes], sparse_output=False)
    models = {
        "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
        "naive Bayes": CategoricalNB(min_categories=n_codes),
        "logistic regression": make_pipeline(bits, LogisticRegression(max_iter=500)),
    }
    found: dict[str, Any] = {"parts": float(np.mean(n_codes) - 1)}
    for learner, model in models.items():
        proba = model.fit(codes, held.y[train]).predict_proba(codes_test)
        loss = log_loss(held.y[test], proba, labels=model.classes_)
        right = model.classes_[proba.argmax(axis=1)] == held.y[test]
        found[learner] = (float(right.mean()), float(loss))
    return found


def _find_learners(means: NDArray[np.float64], discretizers: list[str]) -> list[str]:
    """Say what the optimum changes for each learner."""
    findings = []
    for method in ("MODL", "FUSINTER"):
        pair = [f"{method}, optimum", f"{method}, bottom-up"]
        if not all(name in discretizers for name in pair):
            continue
        best, greedy = (means[:, discretizers.index(name)] for name in pair)
        parts = [
            f"{learner} {(best - greedy)[:, k, 0].mean():+.4f} in accuracy and "
            f"{(best - greedy)[:, k, 1].mean():+.4f} in loss"
            for k, learner in enumerate(_LEARNERS)
        ]
        findings.append(f"{method}, optimum less bottom-up, mean of the sets: {'; '.join(parts)}.")
    return findings
