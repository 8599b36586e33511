"""EBM, a peer that runs in an environment of its own: the Python that PARTAGE_EBM names."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["ExplainableBoosting", "has_ebm"]

_PEER = Path(__file__).with_name("ebm_peer.py")


def has_ebm() -> bool:
    """Say whether there is a Python that has it."""
    return "PARTAGE_EBM" in os.environ


class ExplainableBoosting:
    """EBM with its defaults; it is fitted when predictions are asked for.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    seconds_ : tuple of float
        Seconds of CPU of the fit and of the predictions, without start and reading.
    n_numbers_ : int
        Number of the scores of all terms.
    """

    def fit(self, X: pd.DataFrame, y: NDArray[Any]) -> Self:
        """Keep the rows."""
        self.classes_, self._codes = np.unique(y, return_inverse=True)
        self._X = X
        return self

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Fit, and predict the probabilities of the classes."""
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            _write(folder / "train.csv", self._X, self._codes)
            _write(folder / "test.csv", X, np.zeros(len(X), dtype=int))
            command = [os.environ["PARTAGE_EBM"], str(_PEER), str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ValueError(f"EBM: {done.stderr.strip().splitlines()[-1]}")
            answer = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
        self.seconds_ = float(answer["fit"]), float(answer["predict"])
        self.n_numbers_ = int(answer["numbers"])
        found = np.empty((len(X), len(self.classes_)))
        found[:, [int(label) for label in answer["classes"]]] = answer["predictions"]
        return found


def _write(path: Path, X: pd.DataFrame, codes: NDArray[Any]) -> None:
    """Write rows; names of numbers start with n, those of categories with c."""
    marks = ["n" if pd.api.types.is_numeric_dtype(X[c]) else "c" for c in X.columns]
    renamed = X.set_axis([f"{mark}{i}" for i, mark in enumerate(marks)], axis=1)
    renamed.assign(target=codes).to_csv(path, index=False)
