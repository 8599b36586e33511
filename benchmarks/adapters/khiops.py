"""Khiops: MODL, data preparation only; fitting includes the file that Khiops reads.

It gives intervals in a report, so NumPy assigns the values.
"""

import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from khiops import core as kh

NAME = "Khiops"
VERSION = version("khiops")


def _cuts(statistics):
    """Cuts of one variable of the report, none if it has no partition."""
    if statistics.data_grid is None:
        return np.empty(0)
    intervals = statistics.data_grid.dimensions[0].partition
    return np.array([part.upper_bound for part in intervals if not part.is_missing][:-1])


def fit(X, y):
    names = [f"x{i}" for i in range(X.shape[1])]
    with tempfile.TemporaryDirectory() as folder:
        table, dictionary, report = (
            str(Path(folder, f"t.{end}")) for end in ("csv", "kdic", "khj")
        )
        pd.DataFrame(X, columns=names).assign(y=y).to_csv(table, index=False)
        fields = "".join(f"\tNumerical\t{name};\n" for name in names) + "\tCategorical\ty;\n"
        Path(dictionary).write_text(f"Dictionary\tt\n{{\n{fields}}};\n")
        kh.train_predictor(
            dictionary,
            "t",
            table,
            "y",
            report,
            field_separator=",",
            sample_percentage=100,
            do_data_preparation_only=True,
            max_trees=0,
            max_pairs=0,
            max_constructed_variables=0,
            max_text_features=0,
        )
        preparation = kh.read_analysis_results_file(report).preparation_report
    return [_cuts(preparation.get_variable_statistics(name)) for name in names]


def parts(fitted):
    return [len(cuts) + 1 for cuts in fitted]


def codes(fitted, X):
    return np.stack([np.searchsorted(cuts, x) for cuts, x in zip(fitted, X.T, strict=True)]).T
