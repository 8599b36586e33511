"""Codes of objects, in one go and in pieces."""

import numpy as np
import pandas as pd
import pytest

from partage._data import encoding


@pytest.mark.parametrize("n_values", [1, 5, 900])
def test_pieces_give_the_codes_of_all_rows_at_once(monkeypatch, n_values):
    rng = np.random.default_rng(n_values)
    names = np.array([f"v{i}" for i in range(n_values)] + [None], dtype=object)
    values = names[rng.integers(0, n_values + 1, size=1000)]
    wanted, distinct = pd.factorize(values)
    monkeypatch.setattr(encoding, "_ROWS_AT_ONCE", 64)
    codes, found = encoding.encode_objects(values)
    np.testing.assert_array_equal(codes, wanted)
    assert found.tolist() == distinct.tolist()
