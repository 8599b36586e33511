"""Slow twins of the averages of additive models: every partition, walk and division in turn."""

import itertools
import math

import numpy as np


def gaussian_evidence(pulls, weights, covariance):
    """Mean and log-evidence of levels of a normal law, given pull f - weight f² / 2 of each."""
    precision = np.linalg.inv(covariance)
    both = precision + np.diag(weights)
    mean = np.linalg.solve(both, pulls)
    evidence = 0.5 * (pulls @ mean - np.linalg.slogdet(both)[1] + np.linalg.slogdet(precision)[1])
    return mean, evidence


def walk_covariance(n, level, steps):
    """Covariance of a walk that starts anywhere."""
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    return level**2 + np.minimum.outer(travelled, travelled)[:n, :n]


def mixed(found):
    """Mean of levels by their evidence, and the mean evidence."""
    logs = np.array([log for _, log in found])
    total = logs.max() + math.log(np.exp(logs - logs.max()).sum())
    means = sum(np.exp(log - total) * mean for mean, log in found)
    return means, total


def averaged_curve(pulls, weights, steps, walks, level=1.0, jump=1 / 128):
    """Mean over all partitions of a line, in whose parts levels walk, and over the walks."""
    n = len(pulls)
    found = []
    for walk in walks:
        for cut in itertools.product([False, True], repeat=n - 1):
            starts = [0, *(i + 1 for i in range(n - 1) if cut[i]), n]
            log = sum(math.log(jump if is_cut else 1 - jump) for is_cut in cut)
            means = []
            for first, last in itertools.pairwise(starts):
                inner = walk**2 * np.asarray(steps[first : last - 1])
                covariance = walk_covariance(last - first, level, inner)
                mean, evidence = gaussian_evidence(
                    pulls[first:last], weights[first:last], covariance
                )
                means.append(mean)
                log += evidence
            found.append((np.concatenate(means), log - math.log(len(walks))))
    return mixed(found)


def divisions(top, bottom, left, right, split):
    """Every way to divide a rectangle by straight cuts: its rectangles and their log-prior."""
    cuts = [(True, i) for i in range(top + 1, bottom)]
    cuts += [(False, k) for k in range(left + 1, right)]
    if not cuts:
        yield [(top, bottom, left, right)], 0.0
        return
    yield [(top, bottom, left, right)], math.log(1 - split)
    for is_row, at in cuts:
        one = (top, at, left, right) if is_row else (top, bottom, left, at)
        two = (at, bottom, left, right) if is_row else (top, bottom, at, right)
        for first, log_first in divisions(*one, split):
            for second, log_second in divisions(*two, split):
                yield first + second, math.log(split / len(cuts)) + log_first + log_second


def averaged_rectangles(pulls, weights, heights, split=0.5):
    """Mean over all divisions of a lattice, whose rectangles have levels of their own."""
    n_rows, n_columns = pulls.shape
    found = []
    for height in heights:
        for boxes, log in divisions(0, n_rows, 0, n_columns, split):
            levels = np.zeros_like(pulls)
            for top, bottom, left, right in boxes:
                pull = pulls[top:bottom, left:right].sum()
                q = 1 + height**2 * weights[top:bottom, left:right].sum()
                levels[top:bottom, left:right] = height**2 * pull / q
                log += 0.5 * (height**2 * pull**2 / q - math.log(q))
            found.append((levels, log - math.log(len(heights))))
    return mixed(found)


def averaged_field(pulls, weights, walks, level=2.0):
    """Mean of fields on a lattice whose neighbours are alike."""
    n_rows, n_columns = pulls.shape
    n = n_rows * n_columns
    found = []
    for walk in walks:
        precision = np.eye(n) / level**2
        for i, k in itertools.product(range(n_rows), range(n_columns)):
            here = i * n_columns + k
            for other, size, is_there in (
                (here + 1, n_columns, k + 1 < n_columns),
                (here + n_columns, n_rows, i + 1 < n_rows),
            ):
                if is_there:
                    tie = np.zeros(n)
                    tie[[here, other]] = 1, -1
                    precision += size / walk**2 * np.outer(tie, tie)
        mean, evidence = gaussian_evidence(pulls.ravel(), weights.ravel(), np.linalg.inv(precision))
        found.append((mean.reshape(pulls.shape), evidence - math.log(len(walks))))
    return mixed(found)
