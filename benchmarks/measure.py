"""Measure one adapter on one problem; `run.py` starts this in a fresh process.

``python measure.py ADAPTER PROBLEM FILE`` writes the figures to FILE as JSON.
"""

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np

import adapters
from problems import PROBLEMS
from timing import MEGABYTE, Times, interleave, measure_memory, ratios

WARM_UP = 1000
LONG = 5.0


def log_loss(codes, y, codes_test, y_test):
    """Held-out log-loss of the class shares of the parts, half a row added to each class."""
    n_parts = 1 + max(codes.max(), codes_test.max())
    n_classes = 1 + max(y.max(), y_test.max())
    counts = np.bincount(codes * n_classes + y, minlength=n_parts * n_classes)
    counts = counts.reshape(n_parts, n_classes) + 0.5
    shares = counts / counts.sum(axis=1, keepdims=True)
    return -np.log(shares[codes_test, y_test]).mean()


def mean_log_loss(codes, y, codes_test, y_test):
    """Mean over the columns of the held-out log-loss."""
    columns = zip(codes.T, codes_test.T, strict=True)
    return float(np.mean([log_loss(one, y, test, y_test) for one, test in columns]))


def true_codes(cuts, X):
    """Pieces the values were drawn from."""
    return np.stack([np.searchsorted(cut, x) for cut, x in zip(cuts, X.T, strict=True)]).T


def _handle(X):
    """Sort every column of numbers, number the values of text: the unit of the fitting times."""
    for x in X.T:
        _factorize(x) if x.dtype == object else np.sort(x)


def _factorize(x):
    """Give numbers to the distinct values of a column of text."""
    import pandas as pd  # not every peer has it, and only text needs it

    pd.factorize(x)


def _evenly_spread_cuts(x, n_parts):
    """As many cuts as a library found, at least one, at quantiles: the unit of assigning times."""
    n = max(n_parts, 2)
    return np.quantile(x, np.arange(1, n) / n)


def _time_fits(adapter, X, y, first):
    """Time fitting and its unit in turn; a long fit is not repeated."""
    # The unit that comes straight after a fit pays for cold caches: the next one counts.
    units = [lambda: _handle(X)] * 2
    if first.wall[0] > LONG:
        return first, interleave(*units, most=1)[1]
    fit, _, unit = interleave(lambda: adapter.fit(X, y), *units)
    return fit, unit


def _fit_figures(adapter, X, y):
    """Fitted object, its time and its memory."""
    adapter.fit(X[:WARM_UP], y[:WARM_UP])
    first = Times()
    fitted, peak = measure_memory(lambda: first.measure(lambda: adapter.fit(X, y)))
    fit, unit = _time_fits(adapter, X, y, first)
    ratio, ratio_median = ratios(fit.cpu, unit.cpu)
    return fitted, {
        "repeats": len(fit.cpu),
        "fit_cpu_s": min(fit.cpu),
        "fit_cpu_median_s": median(fit.cpu),
        "fit_wall_s": min(fit.wall),
        "fit_wall_median_s": median(fit.wall),
        "unit_cpu_s": min(unit.cpu),
        "fit_per_unit": ratio,
        "fit_per_unit_median": ratio_median,
        "memory_mb": peak / MEGABYTE,
        "memory_per_column": peak / X[:, 0].nbytes,
    }


def _codes_figures(adapter, fitted, X):
    """Time to assign the training values."""
    if X.dtype == object:
        codes, unit = interleave(lambda: adapter.codes(fitted, X), lambda: _handle(X))
    else:
        cuts = [_evenly_spread_cuts(x, n) for x, n in zip(X.T, adapter.parts(fitted), strict=True)]
        codes, unit = interleave(lambda: adapter.codes(fitted, X), lambda: true_codes(cuts, X))
    ratio, ratio_median = ratios(codes.cpu, unit.cpu)
    return {
        "codes_cpu_s": min(codes.cpu),
        "codes_unit_cpu_s": min(unit.cpu),
        "codes_per_unit": ratio,
        "codes_per_unit_median": ratio_median,
    }


def measure(adapter_name, problem_name):
    """All figures of one adapter on one problem."""
    adapter = adapters.load(adapter_name)
    problem = PROBLEMS[problem_name]()
    X, y = problem.X, problem.y
    if X.dtype == object and not getattr(adapter, "GROUPS_CATEGORIES", False):
        raise NotImplementedError("no groups of categories")
    fitted, figures = _fit_figures(adapter, X, y)
    figures |= _codes_figures(adapter, fitted, X)
    figures |= {
        "library": adapter.NAME,
        "version": adapter.VERSION,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "rows": X.shape[0],
        "columns": X.shape[1],
        "classes": len(np.unique(y)),
        "parts": int(sum(adapter.parts(fitted))),
        "log_loss": mean_log_loss(
            adapter.codes(fitted, X), y, adapter.codes(fitted, problem.X_test), problem.y_test
        ),
    }
    if problem.groups is not None:
        truth, truth_test = problem.groups
        figures["parts_of_truth"] = 1 + int(truth.max())
        figures["log_loss_of_truth"] = float(log_loss(truth, y, truth_test, problem.y_test))
    if problem.cuts is not None:
        truth, truth_test = (true_codes(problem.cuts, part) for part in (X, problem.X_test))
        figures["parts_of_truth"] = sum(len(cuts) + 1 for cuts in problem.cuts)
        figures["log_loss_of_truth"] = mean_log_loss(truth, y, truth_test, problem.y_test)
    return figures


if __name__ == "__main__":
    adapter_name, problem_name, file = sys.argv[1:]
    Path(file).write_text(json.dumps(measure(adapter_name, problem_name)))
