"""Write the table of the largest chi-square lost by merging groups where nothing is to be found.

Under independence the scaled class shares of I values of equal frequency are I points of a normal
law in J - 1 dimensions, and the chi-square lost by a merge is Ward's distance. The table holds
quantiles of the largest loss on the way down to one group, by I and J.

Run: python tools/make_noise_table.py (about five minutes on two cores).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.stats import binom

CONFIDENCES = [0.5, 0.8, 0.9, 0.95, 0.99]
VALUES = [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000]
CLASSES = [2, 3, 4, 5, 7, 10, 15, 20]
TABLE = Path(__file__).parents[1] / "cpp" / "src" / "groupings" / "khiops_table.inc"


def largest_losses(n_values: int, n_classes: int, n_draws: int) -> NDArray[np.float64]:
    """Draw the loss of the last merge, which is the largest."""
    rng = np.random.default_rng([n_values, n_classes])
    losses = np.empty(n_draws)
    for i in range(n_draws):
        points = rng.standard_normal((n_values, n_classes - 1))
        # A height of Ward's tree is the root of twice the loss.
        losses[i] = linkage(points, method="ward")[-1, 2] ** 2 / 2
    return losses


def safe_quantiles(losses: NDArray[np.float64]) -> list[float]:
    """Take order statistics that are no less than the true quantiles 19 times of 20."""
    n_draws = len(losses)
    ranks = binom.ppf(0.95, n_draws, CONFIDENCES).astype(int)
    return [float(loss) for loss in np.sort(losses)[np.minimum(ranks, n_draws - 1)]]


def as_list(numbers: Sequence[float]) -> str:
    """Write numbers as an initializer."""
    return "{" + ", ".join(f"{number:.5g}" for number in numbers) + "}"


def block_of(n_classes: int) -> list[str]:
    """Simulate the cells of one number of classes."""
    lines = ["    {"]
    for n_values in VALUES:
        n_draws = int(np.clip(400_000 / n_values, 100, 10_000))
        quantiles = safe_quantiles(largest_losses(n_values, n_classes, n_draws))
        lines.append(f"        {as_list(quantiles)},")
    return [*lines, "    },"]


def main() -> None:
    """Simulate every cell of the table and write it."""
    knots = {"confidences": CONFIDENCES, "values": VALUES, "classes": CLASSES}
    lines = ["// Written by tools/make_noise_table.py."]
    for name, numbers in knots.items():
        lines.append(
            f"constexpr std::array<double, {len(numbers)}> table_{name}{as_list(numbers)};"
        )
    lines += [
        "// A block for each number of classes; in it a line for each number of values.",
        f"constexpr double table_quantiles[{len(CLASSES)}][{len(VALUES)}][{len(CONFIDENCES)}] = {{",
    ]
    with ProcessPoolExecutor() as pool:
        for block in pool.map(block_of, CLASSES):
            lines += block
    TABLE.write_text("\n".join([*lines, "};", ""]))


if __name__ == "__main__":
    main()
