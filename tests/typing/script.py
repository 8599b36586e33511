"""A script of a user that must have no error; what it assigns has the types that it names."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import partage as pt

X = pd.DataFrame({"age": [18.0, 25.0, 40.0, 60.0] * 20, "city": ["Lyon", "Nice"] * 40})
y = np.array([0, 1, 1, 0] * 20)

p: pt.Intervals = pt.discretize(X["age"], y, max_parts=3, monotonic="auto")
cuts: NDArray[Any] = p.cuts
level: float = p.level
merged: pt.Intervals = p.merge(0, 1)
n_rows: int = len(p.table())
text: str = p.to_sql("duckdb")
codes: NDArray[np.int64] = p.assign(X["age"])
print(p.explain(), p.certainty().informative)

g: pt.Groups = pt.group(X["city"], y)
garbage: object = g.garbage

enc: pt.TablePartitioner = pt.TablePartitioner(output="woe", max_parts=4, n_jobs=1).fit(X, y)
values: NDArray[Any] = enc.transform(X)
again: NDArray[Any] = enc.fit_transform(X, y)
names: NDArray[Any] = enc.get_feature_names_out()
shape: tuple[int, int] = enc.summary().shape
copy: pt.TablePartitioner = enc.set_params(output="rate")
enc.save("model.json")
loaded: NDArray[Any] = pt.load(Path("model.json")).transform(X)
version: str = pt.__version__

cut: pt.Discretizer = pt.Discretizer(method="mdlpc").fit(X[["age"]], y)
joined: pt.Grouper = pt.Grouper(n_parts=2).fit(X[["city"]], y)
shares: NDArray[np.float64] = pt.NaiveBayesClassifier().fit(X, y).predict_proba(X)
labels: NDArray[Any] = pt.SelectiveNaiveBayesClassifier(selection="mdl").fit(X, y).predict(X)
right: float = pt.LADClassifier().fit(X, y).score(X, y)
groups: NDArray[Any] = pt.GraphPartitioner().fit(X[["age"]], y).transform(X[["age"]])
