"""EBM as a peer of the forest page: what it is given and what is read of its answer."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from partage.experiments.forest import ebm
from partage.experiments.forest.trials import count_parts

FRAME = pd.DataFrame({"age": [1.5, np.nan, 3.0], "town": ["Lyon", None, "Nice"]})


@pytest.fixture
def peer(monkeypatch):
    """Answer as a peer would: it predicts the classes in the order of their names as text."""
    seen = {}

    def run(command, **_):
        folder = Path(command[2])
        seen["train"] = pd.read_csv(folder / "train.csv", keep_default_na=False, dtype=str)
        names = sorted({str(label) for label in seen["train"]["target"]})
        answer = {
            "classes": names,
            "predictions": [[float(name) for name in names]] * len(FRAME),
            "fit": 2.0,
            "predict": 0.5,
            "numbers": 40,
        }
        (folder / "answer.json").write_text(json.dumps(answer))
        return subprocess.CompletedProcess(command, seen.get("code", 0), "", "trace\nno memory")

    monkeypatch.setenv("PARTAGE_EBM", "python-of-ebm")
    monkeypatch.setattr(ebm.subprocess, "run", run)
    return seen


def test_classes_come_back_in_their_own_order(peer):
    frame = pd.concat([FRAME] * 4, ignore_index=True)
    model = ebm.ExplainableBoosting().fit(frame, np.array([f"c{i:02}" for i in range(12)]))
    assert model.predict_proba(FRAME).tolist() == [list(range(12))] * 3
    assert model.seconds_ == (2.0, 0.5)
    assert count_parts(model) == 40
    assert list(peer["train"].columns) == ["n0", "c1", "target"]
    assert peer["train"]["c1"][:3].tolist() == ["Lyon", "", "Nice"]


def test_a_peer_that_fails_is_named_with_its_last_words(peer):
    peer["code"] = 1
    model = ebm.ExplainableBoosting().fit(FRAME, np.array(["a", "b", "a"]))
    with pytest.raises(ValueError, match=r"^EBM: no memory$"):
        model.predict_proba(FRAME)
