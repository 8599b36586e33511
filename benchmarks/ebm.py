"""EBM's results on a training and a test table, each asked for once and kept.

Asking needs the environment of ``python benchmarks/peers.py interpret``, or the one in the folder
that PARTAGE_PEERS names; without it only kept results are given. They are kept in
``results/ebm.csv`` by a digest of the rows, so that a split is asked again only if its rows change.
"""

import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from partage.experiments.forest import ebm_peer
from peers import FOLDER, python_of
from tables import RESULTS, machine, read, replace

KEPT = RESULTS / "ebm.csv"
_PEER = Path(ebm_peer.__file__)


def ask(name, split, parts, kind, judge):
    """Give the row of EBM on one split, None where nobody can be asked.

    Parameters
    ----------
    name, split
        What the row is called.
    parts : pair of (X, y)
        Training rows and test rows.
    kind : "class" or "number"
    judge : callable
        Gives measures, by name, of the test rows from predictions and classes.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        digest = _write(folder, parts, kind)
        known = {row["digest"]: row for row in read(KEPT)}
        if digest in known:
            return known[digest]
        python = python_of("interpret", Path(os.environ.get("PARTAGE_PEERS", FOLDER)))
        if not python.exists():
            return None
        subprocess.run(
            [str(python), str(_PEER), str(folder)], check=True, stdout=subprocess.DEVNULL
        )
        answer = json.loads((folder / "answer.json").read_text())
    measures = judge(np.array(answer.pop("predictions")), np.array(answer.pop("classes")))
    row = {"digest": digest, "table": name, "split": split} | measures | answer
    replace(KEPT, [row | machine() | {"load": os.getloadavg()[0]}], "digest")
    return ask(name, split, parts, kind, judge)


def _write(folder, parts, kind):
    """Write what EBM reads; the digest of it."""
    for part, (X, y) in zip(("train", "test"), parts, strict=True):
        marks = ["n" if pd.api.types.is_numeric_dtype(X[c]) else "c" for c in X.columns]
        renamed = X.set_axis([f"{mark}{i}" for i, mark in enumerate(marks)], axis=1)
        renamed.assign(target=y).to_csv(folder / f"{part}.csv", index=False)
    (folder / "kind").write_text(kind)
    files = (folder / file for file in ("train.csv", "test.csv", "kind"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
