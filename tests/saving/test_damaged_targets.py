"""Files whose target does not hold together are refused, in every way that it may not."""

import copy
import json

import numpy as np
import pandas as pd
import pytest

import partage as pt

X = np.arange(60.0)
LEVELS = ["lo", "mid", "hi"]
PLAIN = {
    "ordered": pt.discretize(
        X, pd.Categorical(LEVELS * 20, LEVELS, ordered=True), target_type="ordered"
    ),
    "number": pt.discretize(X, X % 7 + 0.5, n_parts=3),
    "poisson": pt.discretize(X, X % 7, n_parts=3, method="poisson", target_type="number"),
}
DAMAGED = [
    ("ordered", ["ordered", "ranks"], [0, 1], "every class has a rank of its own"),
    ("ordered", ["ordered", "ranks"], [0, 1, 1], "every class has a rank of its own"),
    ("ordered", ["ordered", "joined"], [2, 1], "joined classes must start at ranks, in order"),
    ("ordered", ["ordered", "joined"], [3], "joined classes must start at ranks, in order"),
    ("ordered", ["units", "lows"], [0.0], "units do not fit their counts"),
    ("ordered", ["units", "counts", 0], [-1.0, 0.0, 2.0], "counts of units must be finite and"),
    ("number", ["number", "cells", "highs"], [0.5], "a number has from 1 to"),
    ("number", ["number", "cells", "weights", 0], float("inf"), "cells must be finite"),
    ("number", ["number", "cells", "highs", 0], 9.0, "cells must increase, and hold rows"),
    ("number", ["number", "cells", "weights", 0], 0.0, "cells must increase, and hold rows"),
    ("number", ["number", "target_cuts"], [7], "cuts of the target must increase inside its"),
    ("number", ["number", "target_cuts"], [3, 2], "cuts of the target must increase inside its"),
    ("number", ["number", "center"], float("nan"), "around a finite centre"),
    ("poisson", ["number", "family", "scale"], 0.0, "a law that is known, of finite numbers"),
    ("poisson", ["number", "family", "name"], "frob", "a law that is known, of finite numbers"),
    ("poisson", ["number", "family", "heights"], [1.0], "a law that is known, of finite numbers"),
]


@pytest.mark.parametrize(("name", "place", "value", "message"), DAMAGED)
def test_a_damaged_target_is_refused(name, place, value, message):
    data = json.loads(json.dumps(PLAIN[name].to_dict()))
    assert pt.from_dict(copy.deepcopy(data)).n_parts == PLAIN[name].n_parts
    holder = data
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    with pytest.raises(pt.PartageError, match=f"^from_dict: the data are damaged: .*{message}"):
        pt.from_dict(data)
