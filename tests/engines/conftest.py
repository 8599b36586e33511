"""Every engine as a parameter; the slow ones keep to one process of the tests."""

import gzip

import polars as pl
import pytest

from engine_frames import as_lazy, engine_parameters, why_no_spark


@pytest.fixture(params=engine_parameters())
def engine(request):
    """Name of an engine that runs here."""
    if request.param == "spark" and why_no_spark():
        pytest.skip(why_no_spark())
    return request.param


@pytest.fixture
def lazy(engine):
    """Turn a Polars frame into the lazy frame of the engine."""
    return lambda table: as_lazy(engine, table)


@pytest.fixture(scope="module")
def large_sets(catalogue):
    """Read the data sets of PARTAGE_DATA with 5000 to 50,000 rows, numbers as numbers."""
    out = {}
    for name, (path, numeric) in catalogue.items():
        with gzip.open(path, "rb") as file:
            table = pl.read_csv(file.read(), infer_schema=False)
        if 5000 < len(table) <= 50_000:  # larger ones: benchmarks/engines.py
            out[name] = table.with_columns(pl.col(numeric).cast(pl.Float64))
    assert out
    return out
