"""What a source cannot be fitted with is refused with a message that tells the remedy."""

import datetime

import duckdb
import numpy as np
import polars as pl
import pytest

import partage as pt
from helpers import assert_refuses

TABLE = pl.LazyFrame({"x": [1.0, 2.0, 3.0, 4.0], "w": [1, 2, 0, 1], "class": ["a", "a", "b", "b"]})
WHO = "TablePartitioner.fit"


def fit(lazy, y=None, **options):
    return pt.TablePartitioner().fit(lazy, y, **options)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: fit(TABLE),
            ValueError,
            f"{WHO}: target must name the column that holds y, and y must be None, for a "
            "table whose rows are not in memory; got neither.",
        ),
        (
            lambda: fit(TABLE, ["a"] * 4, target="class"),
            ValueError,
            f"{WHO}: target must name the column that holds y, and y must be None, for a "
            "table whose rows are not in memory; got y.",
        ),
        (
            lambda: fit(TABLE, target="klass"),
            ValueError,
            f"{WHO}: target must be a column of X; got 'klass', X has 'x', 'w', 'class'.",
        ),
        (
            lambda: fit(TABLE, target="class", sample_weight=[1, 2, 3, 4]),
            TypeError,
            f"{WHO}: sample_weight must name a column of the table, whose rows are not in memory; "
            "got list.",
        ),
        (
            lambda: fit(TABLE.with_columns(w=pl.lit(-1.5)), target="class", sample_weight="w"),
            ValueError,
            f"{WHO}: sample_weight must not be negative; got -1.5.",
        ),
        (
            lambda: fit(
                TABLE.with_columns(w=pl.lit(None, pl.Float64)), target="class", sample_weight="w"
            ),
            ValueError,
            f"{WHO}: sample_weight must be finite; column 'w' holds NaN, infinity or gaps.",
        ),
        (
            lambda: fit(TABLE.with_columns(w=pl.lit("x")), target="class", sample_weight="w"),
            TypeError,
            f"{WHO}: sample_weight must hold numbers; column 'w' does not.",
        ),
        (
            lambda: fit(TABLE.filter(pl.col("x") > 9), target="class"),
            ValueError,
            f"{WHO}: the table must have rows of positive weight; got none.",
        ),
        (
            lambda: fit(TABLE.select("class"), target="class"),
            ValueError,
            f"{WHO}: the table must have columns beside the target; got none.",
        ),
        (
            lambda: fit(TABLE.with_columns(pl.lit(None, pl.String).alias("class")), target="class"),
            ValueError,
            f"{WHO}: y must hold class labels; all are missing.",
        ),
        (
            lambda: fit(TABLE.with_columns(x=pl.concat_list("x")), target="class"),
            TypeError,
            f"{WHO}: column 'x' is of the kind List(Float64), which cannot be partitioned by "
            "polars; convert it to numbers, times or text, or drop it.",
        ),
        (
            lambda: pt.Contingency.of(TABLE, "age", "class"),
            ValueError,
            "Contingency.of: column must be a column of X; got 'age', X has 'x', 'w', 'class'.",
        ),
    ],
)
def test_source_is_refused(call, error, message):
    assert_refuses(call, error, message)


@pytest.mark.parametrize("library", ["polars", "duckdb"])
def test_target_of_too_many_classes_is_refused(library):
    table = pl.DataFrame({"x": np.arange(10_500), "class": np.arange(10_500)})
    lazy = table.lazy() if library == "polars" else duckdb.connect().from_arrow(table.to_arrow())
    with pytest.raises(ValueError, match=rf"^{WHO}: y must hold at most 10000 classes; got 10001"):
        fit(lazy, target="class")


def test_intervals_of_duckdb_are_refused_and_times_of_day_taken():
    relation = duckdb.connect().sql(
        "SELECT INTERVAL 1 DAY AS span, TIME '10:00' AS clock, range % 2 AS class FROM range(6)"
    )
    with pytest.raises(TypeError, match=r"column 'span' is of the kind Duration"):
        fit(relation, target="class")
    enc = fit(relation.project("clock, class"), target="class")
    assert enc.partitions_["clock"].groups == ((datetime.time(10),),)


def test_parameters_by_column_name_columns_of_the_source():
    enc = pt.TablePartitioner(kinds={"age": "numeric"})
    with pytest.raises(ValueError, match=r"kinds must name columns of X; got 'age', X has 'x', 'w"):
        enc.fit(TABLE, target="class")
