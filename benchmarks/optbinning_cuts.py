"""Cuts of optbinning's default under limits: ``python optbinning_cuts.py FILE`` prints JSON.

Runs in optbinning's environment; the file holds columns ``x0``, ``y0``, ``x1``, ... as NumPy does.
"""

import json
import sys
import warnings

import numpy as np
from optbinning import OptimalBinning

MOST_PARTS, LEAST_SHARE = 5, 0.05


def main():
    warnings.simplefilter("ignore")
    data = np.load(sys.argv[1])
    found = []
    for i in range(int(data["n"])):
        binning = OptimalBinning(max_n_bins=MOST_PARTS, min_bin_size=LEAST_SHARE)
        binning.fit(data[f"x{i}"], data[f"y{i}"])
        found.append([float(cut) for cut in binning.splits])
    print(json.dumps(found))


if __name__ == "__main__":
    main()
