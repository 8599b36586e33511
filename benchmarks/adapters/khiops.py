"""Khiops: MODL, data preparation only; fitting includes the file that Khiops reads.

It gives intervals and groups in a report, so NumPy and pandas assign the values.
"""

import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from khiops import core as kh

NAME = "Khiops"
VERSION = version("khiops")
GROUPS_CATEGORIES = True


def _cuts(statistics):
    """Cuts of one variable of the report, none if it has no partition."""
    if statistics.data_grid is None:
        return np.empty(0)
    intervals = statistics.data_grid.dimensions[0].partition
    return np.array([part.upper_bound for part in intervals if not part.is_missing][:-1])


def _groups(statistics):
    """Group of each value of one variable of the report, and that of all others."""
    if statistics.data_grid is None:
        return {}, 0
    parts = statistics.data_grid.dimensions[0].partition
    others = next((i for i, part in enumerate(parts) if part.is_default_part), 0)
    return {value: i for i, part in enumerate(parts) for value in part.values}, others


def fit(X, y):
    kind, read = ("Categorical", _groups) if X.dtype == object else ("Numerical", _cuts)
    names = [f"x{i}" for i in range(X.shape[1])]
    with tempfile.TemporaryDirectory() as folder:
        table, dictionary, report = (
            str(Path(folder, f"t.{end}")) for end in ("csv", "kdic", "khj")
        )
        pd.DataFrame(X, columns=names).assign(y=y).to_csv(table, index=False)
        fields = "".join(f"\t{kind}\t{name};\n" for name in names) + "\tCategorical\ty;\n"
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
    return [read(preparation.get_variable_statistics(name)) for name in names]


def parts(fitted):
    return [_n_parts(one) for one in fitted]


def _n_parts(found):
    """Count intervals or groups."""
    return 1 + max(found[0].values(), default=0) if isinstance(found, tuple) else len(found) + 1


def codes(fitted, X):
    if X.dtype != object:
        return np.stack([np.searchsorted(cuts, x) for cuts, x in zip(fitted, X.T, strict=True)]).T
    columns = [
        pd.Series(x).map(group_of).fillna(others).to_numpy(dtype=np.int64)
        for (group_of, others), x in zip(fitted, X.T, strict=True)
    ]
    return np.stack(columns).T
