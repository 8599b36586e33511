"""Predictions of EBM: ``python additive_peers.py FOLDER`` in an environment that has interpret.

The folder holds ``train.csv`` and ``test.csv``, whose last column is the target; names of numbers
start with ``n``, those of categories with ``c``, and ``kind`` says "class" or "number". The answer
is written there as ``answer.json``.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd


def read(path):
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    y = frame.pop(frame.columns[-1])
    for name in frame.columns:
        if name.startswith("n"):
            frame[name] = pd.to_numeric(frame[name], errors="coerce").astype(float)
        else:
            frame[name] = frame[name].astype(object).where(frame[name] != "", None)
    return frame, y


def main(folder):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    warnings.simplefilter("ignore")
    kind = (folder / "kind").read_text().strip()
    (X, y), (new, _) = read(folder / "train.csv"), read(folder / "test.csv")
    start = time.process_time()
    if kind == "class":
        model = ExplainableBoostingClassifier(n_jobs=1).fit(X, y)
    else:
        model = ExplainableBoostingRegressor(n_jobs=1).fit(X, y.astype(float))
    fit = time.process_time() - start
    start = time.process_time()
    found = model.predict_proba(new) if kind == "class" else model.predict(new)
    numbers = sum(int(np.size(scores)) for scores in model.term_scores_)
    answer = {
        "classes": [str(label) for label in getattr(model, "classes_", [])],
        "predictions": np.asarray(found).tolist(),
        "fit": fit,
        "predict": time.process_time() - start,
        "terms": len(model.term_scores_),
        "numbers": numbers,
    }
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
