"""Additive models against EBM, boosting, selective naive Bayes and logistic regression.

EBM's results are those that ``ebm.py`` keeps or asks for; figures against it are of the splits that
it has. PARTAGE_SPLITS sets the number of splits, 5 by default. ``python
benchmarks/additive_figures.py TABLE SPLIT ...`` asks EBM alone.
"""

import functools
import os
import sys
import time

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, r2_score, roc_auc_score
from sklearn.pipeline import make_pipeline

import additive_tables
import ebm
import partage as pt
import real_numbers
from figure import Figure, Skipped

N_SPLITS = int(os.environ.get("PARTAGE_SPLITS", "5"))


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


def ask_class(name, seed):
    """EBM's row of one split of a table of classes."""
    train, test = additive_tables.split(name, seed)

    def judge(p, classes):
        return dict(zip(("loss", "area"), judged(test[1], p, classes), strict=True))

    return ebm.ask(name, seed, (train, test), "class", judge)


def number_split(X, y, seed):
    """Training and test rows of one split of a set whose target is a number."""
    rows = np.random.default_rng([7, seed]).permutation(len(y))
    n = int(0.7 * len(y))
    return [(X.iloc[part].reset_index(drop=True), y[part]) for part in (rows[:n], rows[n:])]


def ask_number(name, X, y, seed):
    """EBM's row of one split of a set whose target is a number."""
    parts = number_split(X, y, seed)
    judge = lambda guesses, _: {"r2": r2_score(parts[1][1], guesses)}  # noqa: E731
    return ebm.ask(name, seed, parts, "number", judge)


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
            row = ask_class(name, seed)
            if row is not None:
                measured = (float(row[field]) for field in ("loss", "area", "fit"))
                found.append((name, seed, "EBM", *measured))
    return pd.DataFrame(found, columns=["table", "seed", "model", "loss", "area", "seconds"])


def additive_classes():
    """Held-out log-loss and area on every table, against EBM and boosting in the mean."""
    rows = trials()
    answered = rows[rows["model"] == "EBM"][["table", "seed"]]
    compared = rows.merge(answered, on=["table", "seed"]) if len(answered) else rows
    alone = rows[~rows["table"].isin(compared["table"])]  # tables that EBM was not asked of
    for measure in ("loss", "area"):
        shown = pd.concat([compared, alone])
        means = shown.groupby(["table", "model"], sort=False)[measure].mean()
        for (table, model), value in means.items():
            yield Figure(f"{table}: {model}", value, measure)
    by_table = compared.groupby(["model", "table"])[["loss", "area"]].mean()
    by_model = by_table.groupby("model").mean()
    yield Figure("tables compared", compared["table"].nunique(), "tables")
    yield Figure("splits of EBM", len(answered), "splits")
    own, boosting = by_model.loc["additive"], by_model.loc["boosting"]
    for model, row in by_model.iterrows():
        yield Figure(f"mean over tables: {model}", row["loss"], "loss")
        yield Figure(f"mean over tables: {model}", row["area"], "area")
    yield Figure("area below boosting, mean", boosting["area"] - own["area"], "area", limit=0.01)
    if "EBM" in by_model.index:
        peer = by_model.loc["EBM"]
        yield Figure("log-loss above EBM, mean", own["loss"] - peer["loss"], "loss", limit=0.0)
        yield Figure("area below EBM, mean", peer["area"] - own["area"], "area", limit=0.003)


def additive_time():
    """Seconds of CPU of a fit against EBM's, the worst table and the sum."""
    rows = trials()
    if not (rows["model"] == "EBM").any():
        raise Skipped("EBM has no results, and no environment to ask for them")
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
            train, test = number_split(X, y, seed)
            start = time.process_time()
            model = pt.AdditiveRegressor().fit(*train)
            seconds = time.process_time() - start
            own = r2_score(test[1], model.predict(test[0]))
            row = ask_number(name, X, y, seed)
            others = (np.nan, np.nan) if row is None else (float(row["r2"]), float(row["fit"]))
            found.append((name, own, others[0], seconds, others[1]))
    rows = pd.DataFrame(found, columns=["set", "own", "ebm", "seconds", "ebm_seconds"])
    if rows["ebm"].notna().any():
        rows = rows[rows["ebm"].notna()]  # the same splits for both
    means = rows.groupby("set", sort=False)[["own", "ebm"]].mean()
    for name, row in means.iterrows():
        yield Figure(f"{name}: additive", row["own"], "R²")
        if row["ebm"] == row["ebm"]:
            yield Figure(f"{name}: EBM", row["ebm"], "R²")
    if means["ebm"].notna().any():
        ahead = float((means["own"] - means["ebm"]).mean())
        yield Figure("R² above EBM's, mean of sets", ahead, "R²", "at least", 0.0)
        spent = rows["seconds"].sum() / rows["ebm_seconds"].sum()
        yield Figure("all sets: CPU of a fit against EBM's", spent, "times", limit=0.2)
        yield Figure("splits of EBM", len(rows), "splits")


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

if __name__ == "__main__":
    wanted, *splits = sys.argv[1:]
    for split in map(int, splits):
        if wanted in additive_tables.names():
            ask_class(wanted, split)
        for name, columns, y in real_numbers.sets():
            if name == wanted:
                ask_number(name, pd.DataFrame(columns), y, split)
