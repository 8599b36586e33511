"""Figures of ``certainty()``: how often its stretches hold a true cut, and how long it takes.

A column has five pieces: its cuts are drawn uniformly, and so is the share of the event of each
piece. A stretch of a cut that was found holds the true cut where one of the four lies in it.
"""

import time

import numpy as np

import partage as pt
from figure import Figure

N_COLUMNS = 1_000
N_ROWS = 2_000
N_PIECES = 5
SEED = 22


def five_pieces_column(rng, n_rows):
    """Values, classes and the true cuts of one column."""
    cuts = np.sort(rng.random(N_PIECES - 1))
    shares = rng.random(N_PIECES)
    x = rng.random(n_rows)
    return x, rng.random(n_rows) < shares[np.searchsorted(cuts, x)], cuts


def stretches_hold_cuts():
    """Share of the stretches of found cuts that hold a true one, over 1,000 columns."""
    rng = np.random.default_rng(SEED)
    held = {"50": [], "90": []}
    claimed = []
    for _ in range(N_COLUMNS):
        x, y, cuts = five_pieces_column(rng, N_ROWS)
        if y.all() or not y.any():
            continue
        found = pt.discretize(x, y).certainty()
        claimed.extend(found.cut_probabilities.tolist())
        for level, known in held.items():
            ends = zip(
                found.stretch_ends(f"low{level}"), found.stretch_ends(f"high{level}"), strict=True
            )
            known += [
                ((cuts >= low) & (cuts <= high)).any() for low, high in ends if low is not None
            ]
    case = f"{N_COLUMNS} columns of {N_ROWS} rows, {len(claimed)} cuts"
    return [
        Figure(f"{case}: 90 % stretches", np.mean(held["90"]), "hold a cut", "at least", 0.85),
        Figure(f"{case}: 90 % stretches", np.mean(held["90"]), "hold a cut", "at most", 0.95),
        Figure(f"{case}: 50 % stretches", np.mean(held["50"]), "hold a cut"),
        Figure(f"{case}: mean probability of the place", np.mean(claimed), "probability"),
    ]


def _seconds(x, y):
    """Least CPU seconds of ``certainty()`` in three turns; the partition is found before."""
    found = []
    for _ in range(3):
        p = pt.discretize(x, y)
        start = time.process_time()
        p.certainty()
        found.append(time.process_time() - start)
    return min(found)


def certainty_time():
    """CPU seconds of ``certainty()`` of five pieces and of noise, beside np.sort of the rows."""
    rows = []
    for n_rows, limit in ((1_500, 0.3), (1_000_000, 2.0)):
        rng = np.random.default_rng(SEED)
        x, y, _ = five_pieces_column(rng, n_rows)
        noise = rng.random(n_rows) < 0.3
        start = time.process_time()
        np.sort(x)
        rows.append(Figure(f"{n_rows} values, np.sort", time.process_time() - start, "s"))
        for name, classes in (("five pieces", y), ("noise", noise)):
            case = f"{n_rows} values, {name}"
            rows.append(Figure(case, _seconds(x, classes), "s", "at most", limit))
    return rows


FIGURES = (stretches_hold_cuts, certainty_time)
