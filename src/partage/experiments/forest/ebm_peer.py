"""Predictions of EBM: ``python ebm_peer.py FOLDER``, by a Python that has interpret, not partage.

The folder holds ``train.csv`` and ``test.csv``, whose last column is the target; names of numbers
start with ``n``, those of categories with ``c``. A file ``kind`` that says "number" stands for a
target that is one. The answer is written there as ``answer.json``.
"""

import importlib
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


def read_rows(path: Path) -> tuple[pd.DataFrame, Any]:
    """Read a table and its target."""
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    y = frame.pop(frame.columns[-1])
    for name in frame.columns:
        if name.startswith("n"):
            frame[name] = pd.to_numeric(frame[name], errors="coerce").astype(float)
        else:
            frame[name] = frame[name].astype(object).where(frame[name] != "", None)
    return frame, y


def main(folder: Path) -> None:
    """Fit with defaults on one core, predict, and write the answer."""
    glassbox: Any = importlib.import_module("interpret.glassbox")
    warnings.simplefilter("ignore")
    is_number = (folder / "kind").exists() and (folder / "kind").read_text().strip() == "number"
    (X, y), (new, _) = read_rows(folder / "train.csv"), read_rows(folder / "test.csv")
    start = time.process_time()
    if is_number:
        model = glassbox.ExplainableBoostingRegressor(n_jobs=1).fit(X, y.astype(float))
    else:
        model = glassbox.ExplainableBoostingClassifier(n_jobs=1).fit(X, y)
    fit = time.process_time() - start
    start = time.process_time()
    found = model.predict(new) if is_number else model.predict_proba(new)
    predict = time.process_time() - start
    answer = {
        "classes": [str(label) for label in getattr(model, "classes_", [])],
        "predictions": np.asarray(found).tolist(),
        "fit": fit,
        "predict": predict,
        "terms": len(model.term_scores_),
        "numbers": sum(int(np.size(scores)) for scores in model.term_scores_),
    }
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
