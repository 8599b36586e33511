"""When mixing classes with the spread of the values helps: wrong labels in clusters of values."""

import numpy as np

import partage as pt
from figure import Figure

CENTERS, CLASSES = np.array([0.0, 3.0, 6.0, 9.0]), np.array([0, 1, 0, 1])
N_RUNS = 40


def _draw(rng, n, share, clusters=True):
    """Values, labels of which a share is wrong, and the true classes."""
    if clusters:
        cluster = rng.integers(0, len(CENTERS), n)
        x = CENTERS[cluster] + 0.5 * rng.normal(size=n)
    else:
        x = rng.uniform(0, 4, n)
        cluster = x.astype(int)
    y = CLASSES[cluster]
    return x, np.where(rng.uniform(size=n) < share, 1 - y, y), y


def _errors(method, n, share, clusters):
    """Share of unseen rows that get another class than their true one."""
    found = []
    for run in range(N_RUNS):
        rng = np.random.default_rng([202611, run, n])
        x, y, _ = _draw(rng, n, share, clusters)
        unseen, _, truth = _draw(rng, 2000, share, clusters)
        p = pt.discretize(x, y, method=method)
        found.append(np.mean(p.classes[p.counts.argmax(axis=1)][p.assign(unseen)] != truth))
    return np.mean(found)


def contrast_labels():
    """Wrong classes of unseen rows, beside MODL, with clusters of values and without."""
    rows = []
    for clusters in (True, False):
        where = "clusters" if clusters else "even values"
        for n in (40, 100, 300):
            for share in (0.0, 0.1, 0.3):
                case = f"{where}, {n} rows, {share:.0%} wrong labels"
                ours, modl = (_errors(m, n, share, clusters) for m in ("contrast", "modl"))
                limit = modl if clusters else None
                rows.append(Figure(f"{case}, contrast", ours, "wrong", limit=limit))
                rows.append(Figure(f"{case}, modl", modl, "wrong"))
    for method in ("contrast", "modl"):
        cut = 0
        for run in range(N_RUNS):
            rng = np.random.default_rng([202612, run])
            x, _, _ = _draw(rng, 100, 0.0)
            cut += pt.discretize(x, rng.integers(0, 2, 100), method=method).n_parts > 1
        rows.append(Figure(f"random classes, {method}", cut / N_RUNS, "share cut"))
    return rows


FIGURES = (contrast_labels,)
