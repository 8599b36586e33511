"""Intervals of shares: how far the counts of a part leave them open."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054  # quantile of the normal law, for 95 %


def share_intervals(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower and upper end of Wilson's 95 % interval of the share of each class in each row.

    Parameters
    ----------
    counts : ndarray of shape (n_rows, n_classes)
        Weights of the classes, taken as frequencies.

    Returns
    -------
    ndarray of shape (n_rows, n_classes, 2)
        0 and 1 for a row without weight.
    """
    n = counts.sum(axis=1, keepdims=True)
    held = np.where(n > 0, n, 1.0)
    share = counts / held
    middle = share + Z**2 / (2 * held)
    half = Z * np.sqrt(share * (1 - share) / held + Z**2 / (4 * held**2))
    scale = 1 + Z**2 / held
    ends = np.stack([(middle - half) / scale, (middle + half) / scale], axis=-1)
    return np.where(n[:, :, None] > 0, np.clip(ends, 0.0, 1.0), np.array([0.0, 1.0]))
