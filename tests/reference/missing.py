"""Costs of MODL intervals of a column with missing rows (design, section 3)."""

import math

import numpy as np

from reference.criteria import modl, part_length


def separate_cost(parts, missing):
    """Missing rows kept apart: log 2, the present rows, then the missing ones."""
    return math.log(2) + modl(parts) + part_length(missing)


def merge_cost(parts, missing, k):
    """Missing rows counted in part k: log 2 and log K, then all rows."""
    joined = np.array(parts, dtype=float)
    joined[k] += missing
    return math.log(2) + math.log(len(joined)) + modl(joined)


def null_cost(parts, missing):
    """One part for all rows, missing or not."""
    whole = np.sum(parts, axis=0) + missing
    return math.log(whole.sum()) + part_length(whole)
