"""Contiguous pure runs: the units between two border points."""

import numpy as np


def run_starts(units):
    """First unit of every run: neighbours stay together only when both hold the same one class."""
    units = np.asarray(units)
    starts = [0]
    for idx in range(1, len(units)):
        together = units[idx - 1] + units[idx]
        if np.count_nonzero(together) > 1:
            starts.append(idx)
    return starts


def merge_units(units, starts):
    """Class counts of the parts that begin at the given units."""
    units = np.asarray(units)
    ends = [*starts[1:], len(units)]
    return np.array([units[a:b].sum(axis=0) for a, b in zip(starts, ends, strict=True)])


def units_of(x, y):
    """Distinct values of a column without missing values, and their class counts."""
    values, value_codes = np.unique(np.asarray(x), return_inverse=True)
    classes, class_codes = np.unique(np.asarray(y), return_inverse=True)
    units = np.zeros((len(values), len(classes)))
    np.add.at(units, (value_codes, class_codes), 1)
    return values, units
