"""Additive models against EBM, boosting, selective naive Bayes and logistic regression.

``PARTAGE_EBM`` names a Python with interpret; without it EBM's figures are left out. Its answers
are kept in the folder that PARTAGE_PEER_ANSWERS names, where it does. PARTAGE_SPLITS sets the
number of splits, 5 by default.

``python benchmarks/additive_figures.py --answers`` asks EBM alone, to fill that folder.
"""

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, r2_score, roc_auc_score
from sklearn.pipeline import make_pipeline

import additive_tables
import partage as pt
import real_numbers
from figure import Figure, Skipped

N_SPLITS = int(os.environ.get("PARTAGE_SPLITS", "5"))
_PEER = Path(__file__).parent / "additive_peers.py"


def ask_ebm(train, test, kind):
    """Give the answer of EBM, from the folder of answers if it is there."""
    python = os.environ.get("PARTAGE_EBM")
    kept = os.environ.get("PARTAGE_PEER_ANSWERS")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part, (X, y) in (("train", train), ("test", test)):
            numeric = [pd.api.types.is_numeric_dtype(X[column]) for column in X.columns]
            renamed = X.set_axis(
                [f"{'n' if is_number else 'c'}{i}" for i, is_number in enumerate(numeric)], axis=1
            )
            renamed.assign(target=y).to_csv(folder / f"{part}.csv", index=False)
        (folder / "kind").write_text(kind)
        digest = hashlib.sha256(
            b"".join((folder / f).read_bytes() for f in ("train.csv", "test.csv", "kind"))
        ).hexdigest()[:32]
        answer = None if kept is None else Path(kept) / f"ebm-{digest}.json"
        if answer is not None and answer.exists():
            return json.loads(answer.read_text())
        if python is None:
            return None
        subprocess.run([python, str(_PEER), str(folder)], check=True, stdout=subprocess.DEVNULL)
        found = (folder / "answer.json").read_text()
        if answer is not None:
            answer.parent.mkdir(exist_ok=True, parents=True)
            answer.write_text(found)
        return json.loads(found)


def judged(y, probabilities, classes):
    """Log-loss, and the area under the curve, of each class against the others in the mean."""
    p = np.clip(probabilities, 1e-15, 1.0)
    p = p / p.sum(axis=1, keepdims=True)
    loss = log_loss(y, p, labels=list(classes))
    if len(classes) == 2:
        return loss, roc_auc_score(y == classes[1], p[:, 1])
    areas = [roc_auc_score(y == c, p[:, k]) for k, c in enumerate(classes) if c in set(y)]
    return loss, float(np.mean(areas))


def _boosting(train, test):
    """Histogram gradient boosting with early stopping; categories beyond 250 are gaps."""
    both = pd.concat([train[0], test[0]])
    text = [c for c in both.columns if not pd.api.types.is_numeric_dtype(both[c])]
    for column in text:
        known = train[0][column].value_counts().index[:250]
        both[column] = both[column].where(both[column].isin(known)).astype("category")
    model = HistGradientBoostingClassifier(early_stopping=True, categorical_features=text)
    model.fit(both[: len(train[1])], train[1])
    return model.predict_proba(both[len(train[1]) :]), model.classes_


def _fitted(make):
    def run(train, test):
        model = make().fit(*train)
        return model.predict_proba(test[0]), model.classes_

    return run


def _on_evidence():
    return make_pipeline(pt.TablePartitioner(output="woe"), LogisticRegression(max_iter=1000))


MODELS = {
    "additive": _fitted(pt.AdditiveClassifier),
    "boosting": _boosting,
    "selective naive Bayes": _fitted(pt.SelectiveNaiveBayesClassifier),
    "logistic on evidence": _fitted(_on_evidence),
}


@functools.cache
def trials():
    """Rows of table, split, model, log-loss, area and seconds of CPU."""
    found = []
    for name in additive_tables.names():
        for seed in range(N_SPLITS):
            train, test = additive_tables.split(name, seed)
            for model, run in MODELS.items():
                start = time.process_time()
                p, classes = run(train, test)
                seconds = time.process_time() - start
                found.append((name, seed, model, *judged(test[1], p, classes), seconds))
            answer = ask_ebm(train, test, "class")
            if answer is not None:
                classes = np.array(answer["classes"])
                p = np.array(answer["predictions"])
                found.append((name, seed, "EBM", *judged(test[1], p, classes), answer["fit"]))
    return pd.DataFrame(found, columns=["table", "seed", "model", "loss", "area", "seconds"])


def additive_classes():
    """Held-out log-loss and area on every table, against EBM and boosting in the mean."""
    rows = trials()
    if (rows["model"] == "EBM").any():  # the same splits for all
        answered = rows[rows["model"] == "EBM"][["table", "seed"]]
        rows = rows.merge(answered, on=["table", "seed"])
    for measure in ("loss", "area"):
        means = rows.groupby(["table", "model"], sort=False)[measure].mean()
        for (table, model), value in means.items():
            yield Figure(f"{table}: {model}", value, measure)
    by_model = rows.groupby(["model", "table"])[["loss", "area"]].mean().groupby("model").mean()
    own, boosting = by_model.loc["additive"], by_model.loc["boosting"]
    for model, row in by_model.iterrows():
        yield Figure(f"mean over tables: {model}", row["loss"], "loss")
        yield Figure(f"mean over tables: {model}", row["area"], "area")
    yield Figure("area below boosting, mean", boosting["area"] - own["area"], "area", limit=0.01)
    if "EBM" in by_model.index:
        ebm = by_model.loc["EBM"]
        yield Figure("log-loss above EBM, mean", own["loss"] - ebm["loss"], "loss", limit=0.0)
        yield Figure("area below EBM, mean", ebm["area"] - own["area"], "area", limit=0.003)


def additive_time():
    """Seconds of CPU of a fit against EBM's, the worst table and the sum."""
    rows = trials()
    if not (rows["model"] == "EBM").any():
        raise Skipped("PARTAGE_EBM names no Python with interpret")
    answered = rows[rows["model"] == "EBM"][["table", "seed"]]
    rows = rows.merge(answered, on=["table", "seed"])
    sums = rows.pivot_table("seconds", "table", "model", aggfunc="sum")
    ratios = sums["additive"] / sums["EBM"]
    for table, ratio in ratios.items():
        yield Figure(f"{table}: CPU of a fit against EBM's", ratio, "times", limit=0.2)
    total = sums["additive"].sum() / sums["EBM"].sum()
    yield Figure("all tables: CPU of a fit against EBM's", total, "times", limit=0.2)


def additive_numbers():
    """R² on held-out rows of numeric targets, against EBM in the mean."""
    found = []
    for name, columns, y in real_numbers.sets():
        X = pd.DataFrame(columns)
        for seed in range(N_SPLITS):
            rows = np.random.default_rng([7, seed]).permutation(len(y))
            n = int(0.7 * len(y))
            train, test = rows[:n], rows[n:]
            parts = [(X.iloc[part].reset_index(drop=True), y[part]) for part in (train, test)]
            own = pt.AdditiveRegressor().fit(*parts[0]).predict(parts[1][0])
            answer = ask_ebm(*parts, "number")
            ebm = np.nan if answer is None else r2_score(y[test], answer["predictions"])
            found.append((name, r2_score(y[test], own), ebm))
    rows = pd.DataFrame(found, columns=["set", "own", "ebm"])
    means = rows.groupby("set", sort=False)[["own", "ebm"]].mean()
    for name, row in means.iterrows():
        yield Figure(f"{name}: additive", row["own"], "R²")
        if row["ebm"] == row["ebm"]:
            yield Figure(f"{name}: EBM", row["ebm"], "R²")
    both = means.dropna()
    if len(both):
        ahead = float((both["own"] - both["ebm"]).mean())
        yield Figure("R² above EBM's, mean of sets", ahead, "R²", "at least", 0.0)


def additive_noise():
    """Share of tables of noise, 100 columns of 500 rows, that get no term."""
    none = 0
    for seed in range(20):
        rng = np.random.default_rng([3, seed])
        X, y = rng.normal(size=(500, 100)), rng.integers(0, 2, 500)
        none += not pt.AdditiveClassifier().fit(X, y).terms_
    yield Figure("tables of noise without a term", none / 20, "share", "at least", 0.95)


def additive_large():
    """Seconds of a fit, and of predictions, of a million rows of thirty columns."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(1_000_000, 30))
    score = X[:, 0] + np.sin(2 * X[:, 1]) + X[:, 2] * X[:, 3] + 0.3 * X[:, 4]
    y = rng.uniform(size=len(X)) < 1 / (1 + np.exp(-score))
    start, cpu = time.perf_counter(), time.process_time()
    model = pt.AdditiveClassifier(n_jobs=2).fit(X, y)
    spent = time.process_time() - cpu
    yield Figure("fit of 1M x 30", time.perf_counter() - start, "s", limit=60.0)
    yield Figure("fit of 1M x 30, CPU", spent, "s")
    start, cpu = time.perf_counter(), time.process_time()
    model.predict_proba(X)
    spent = time.process_time() - cpu
    yield Figure("predictions of 1M x 30", time.perf_counter() - start, "s", limit=2.0)
    yield Figure("predictions of 1M x 30, CPU", spent, "s")


FIGURES = (
    additive_classes,
    additive_time,
    additive_numbers,
    additive_noise,
    additive_large,
)

if __name__ == "__main__" and "--answers" in sys.argv:
    for split in range(N_SPLITS):
        for table in additive_tables.names():
            ask_ebm(*additive_tables.split(table, split), "class")
            print(table, split, flush=True)
