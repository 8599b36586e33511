"""What Discretizer, Grouper and TablePartitioner have in common, each on a table of its own."""

import json
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import partage as pt
from helpers import frame_rows, sweep
from partage._support.checks import CLASS_OUTPUTS


@dataclass(frozen=True)
class Case:
    """An estimator, a table and its classes, a telling column, and methods to try."""

    make: Any
    X: pd.DataFrame
    y: Any
    told: str
    methods: tuple[Any, ...]
    params: dict[str, Any]  # other than the defaults

    @property
    def step(self):
        """Name of the estimator in a pipeline."""
        return self.make.__name__.lower()


@pytest.fixture(params=["Discretizer", "Grouper", "TablePartitioner"])
def case(request, steps, trips, shop):
    """Give one estimator and what it is fitted to."""
    return {
        "Discretizer": Case(
            pt.Discretizer,
            *steps,
            told="signal",
            methods=("modl", "mdlpc", "fusinter", "chimerge"),
            params={"method": "fusinter", "max_parts": 3, "method_params": {"alpha": 0.9}},
        ),
        "Grouper": Case(
            pt.Grouper,
            *trips,
            told="city",
            methods=("modl", "modl-standard", "chaid", "khiops"),
            params={"method": "modl-standard", "max_parts": 3},
        ),
        "TablePartitioner": Case(
            pt.TablePartitioner,
            *shop,
            told="age",
            methods=("modl", {"numeric": "mdlpc", "categorical": "chaid"}),
            params={"kinds": {"age": "numeric"}, "drop_uninformative": True},
        ),
    }[request.param]


def test_fitted_attributes_are_those_of_scikit_learn(case):
    enc = case.make().fit(case.X, case.y)
    assert enc.n_features_in_ == case.X.shape[1]
    assert enc.feature_names_in_.tolist() == list(case.X.columns) == list(enc.partitions_)
    assert enc.classes_.tolist() == sorted(set(case.y))
    assert enc.levels_.tolist() == [p.level for p in enc.partitions_.values()]


def test_codes_are_those_of_assign(case):
    enc = case.make().fit(case.X, case.y)
    codes = np.asarray(enc.transform(case.X))
    assert codes.dtype.kind == "i"
    for j, name in enumerate(case.X):
        assert codes[:, j].tolist() == enc.partitions_[name].assign(case.X[name]).tolist()


@pytest.mark.parametrize("output", CLASS_OUTPUTS)
@pytest.mark.parametrize("with_gaps", [False, True])
def test_fit_transform_equals_fit_then_transform(case, output, with_gaps):
    X = case.X
    if with_gaps:
        X = X.assign(**{case.told: X[case.told].mask(np.arange(len(X)) % 9 == 4)})
    enc = case.make(output=output)
    whole = frame_rows(enc.fit_transform(X, case.y))
    assert whole == frame_rows(clone(enc).fit(X, case.y).transform(X))


@pytest.mark.parametrize("output", CLASS_OUTPUTS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_names_out_are_as_many_as_columns_out(case, output, n_classes):
    y = case.y if n_classes == 2 else np.where(np.arange(len(case.y)) % 5 == 0, "maybe", case.y)
    enc = case.make(output=output).fit(case.X, y)
    names = enc.get_feature_names_out()
    assert len(set(names)) == len(names) == np.asarray(enc.transform(case.X)).shape[1]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_sparse_output_holds_the_bits_of_onehot(case, n_jobs):
    enc = case.make(output="sparse", n_jobs=n_jobs).fit(case.X, case.y)
    X = case.X.assign(**{case.told: case.X[case.told].mask(np.arange(len(case.X)) % 9 == 4)})
    bits = enc.transform(X)
    assert sparse.issparse(bits)
    assert bits.format == "csr"
    names = enc.get_feature_names_out().tolist()
    dense = enc.set_params(output="onehot")
    assert bits.toarray().tolist() == np.asarray(dense.transform(X)).tolist()
    assert names == dense.get_feature_names_out().tolist()


def test_sparse_output_of_an_unseen_value_is_empty():
    frame = pd.DataFrame({"a": ["x", "y"] * 50, "b": np.arange(100.0)})
    y = np.tile([0, 1], 50)
    enc = pt.TablePartitioner(output="sparse", method={"categorical": "modl-standard"})
    bits = enc.fit(frame, y).transform(pd.DataFrame({"a": ["new", "x"], "b": [1.0, 2.0]}))
    assert bits.toarray().sum(axis=1).tolist() == [1, 2]
    assert bits.nnz == 3


def test_sparse_output_takes_no_lazy_table():
    frame = pl.DataFrame({"b": np.arange(100.0), "y": np.tile([0, 1], 50)})
    enc = pt.TablePartitioner(output="sparse").fit(frame, target="y")
    with pytest.raises(ValueError, match="collect the table first"):
        enc.transform(frame.lazy())


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_number_of_jobs_changes_no_bit(case, n_jobs):
    for method in case.methods:
        one, many = (
            case.make(method=method, n_jobs=jobs).fit(case.X, case.y) for jobs in (1, n_jobs)
        )
        for name in case.X:
            assert one.partitions_[name].to_dict() == many.partitions_[name].to_dict()


def test_level_does_not_depend_on_the_other_columns(case):
    together = case.make().fit(case.X, case.y)
    for name in case.X:
        alone = case.make().fit(case.X[[name]], case.y)
        assert alone.partitions_[name].level == together.partitions_[name].level


def test_summary_lists_the_most_informative_column_first(case):
    enc = case.make().fit(case.X, case.y)
    summary = enc.summary()
    levels = {name: p.level for name, p in enc.partitions_.items()}
    assert summary["level"].tolist() == sorted(levels.values(), reverse=True)
    assert [levels[name] for name in summary["column"]] == summary["level"].tolist()


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas],
    ids=["pandas", "polars", "pyarrow"],
)
def test_frames_of_any_library_give_the_same_codes(case, frame):
    X = case.X.select_dtypes(exclude="category")  # whose order not every library keeps
    enc, plain = case.make().fit(frame(X), case.y), case.make().fit(X, case.y)
    assert list(enc.partitions_) == list(X.columns)
    assert frame_rows(enc.transform(frame(X))) == frame_rows(plain.transform(X))
    for one, other in zip(enc.partitions_.values(), plain.partitions_.values(), strict=True):
        assert (type(one), one.cost, one.level) == (type(other), other.cost, other.level)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.from_pandas], ids=["pandas", "polars"])
def test_target_may_be_a_column_of_the_table(case, frame):
    X = case.X.select_dtypes(exclude="category")
    enc = case.make().fit(frame(X.assign(answer=case.y)), target="answer")
    assert list(enc.partitions_) == list(X.columns)
    assert frame_rows(enc.transform(frame(X))) == frame_rows(case.make().fit_transform(X, case.y))


def test_weights_equal_repetitions(case):
    weight = np.random.default_rng(0).integers(0, 4, len(case.y))
    weighted = case.make().fit(case.X, case.y, sample_weight=weight)
    repeated = case.make().fit(case.X.loc[case.X.index.repeat(weight)], np.repeat(case.y, weight))
    for name in case.X:
        one, other = weighted.partitions_[name], repeated.partitions_[name]
        assert (one.cost, one.labels()) == (other.cost, other.labels())
        assert one.counts.tolist() == other.counts.tolist()


def test_fitted_estimator_survives_pickling(case):
    enc = case.make(output="woe").fit(case.X, case.y)
    back = pickle.loads(pickle.dumps(enc))
    assert frame_rows(back.transform(case.X)) == frame_rows(enc.transform(case.X))


def test_partitions_survive_json(case):
    enc = case.make().fit(case.X, case.y)
    text = json.dumps({name: p.to_dict() for name, p in enc.partitions_.items()})
    back = {name: pt.from_dict(plain) for name, plain in json.loads(text).items()}
    for name, p in enc.partitions_.items():
        assert back[name].to_dict() == p.to_dict()


def test_clone_keeps_the_parameters_and_forgets_the_fit(case):
    enc = case.make(**case.params).fit(case.X, case.y)
    copy = clone(enc)
    assert copy.get_params() == enc.get_params()
    assert not hasattr(copy, "partitions_")


@pytest.mark.parametrize("output", sweep(["onehot", "woe", "rate"]))
def test_works_in_a_pipeline_and_a_grid_search(case, output):
    pipe = make_pipeline(case.make(output=output), LogisticRegression())
    tried = {f"{case.step}__method": case.methods[:2]}
    grid = GridSearchCV(pipe, tried, cv=3).fit(case.X, case.y)
    prior = pd.Series(case.y).value_counts(normalize=True).max()
    assert grid.best_score_ > prior + 0.1


def test_works_in_a_column_transformer(case):
    out = make_column_transformer((case.make(), [case.told]), remainder="drop")
    out = out.set_output(transform="pandas").fit_transform(case.X, case.y)
    assert list(out.columns) == [f"{case.step}__{case.told}"]


@pytest.mark.parametrize(
    ("container", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)]
)
@pytest.mark.parametrize("output", CLASS_OUTPUTS)
def test_set_output_chooses_the_frame(case, container, kind, output):
    X = case.X.set_index(pd.Index(range(100, 100 + len(case.X))))
    enc = case.make(output=output).set_output(transform=container).fit(X, case.y)
    out = enc.transform(X)
    assert isinstance(out, kind)
    assert list(out.columns) == enc.get_feature_names_out().tolist()
    if container == "pandas":
        assert out.index.equals(X.index)


def test_columns_without_information_are_kept(case):
    is_text = case.make is pt.Grouper
    X = case.X.assign(constant="same" if is_text else 1.0, empty=None if is_text else np.nan)
    enc = case.make().fit(X, case.y)
    assert [enc.partitions_[name].n_parts for name in ("constant", "empty")] == [1, 1]
    codes = np.asarray(enc.transform(X))
    assert codes.shape == X.shape
    assert set(codes[:, -2]) == {0}
    assert set(codes[:, -1]) == {1}


def test_limits_hold_for_every_column(case):
    enc = case.make(max_parts=2, min_part_size=0.2).fit(case.X, case.y)
    assert all(p.n_parts <= 2 for p in enc.partitions_.values())
    least = 0.2 * len(case.X)
    assert all(p.counts.sum(axis=1).min() >= least for p in enc.partitions_.values())


def test_partitions_are_equal_where_they_save_as_the_same(case):
    one, two = (case.make().fit(case.X, case.y).partitions_[case.told] for _ in range(2))
    back = pt.from_dict(json.loads(json.dumps(one.to_dict())))
    assert one is not two
    assert one == two == back
    assert len({one, two, back}) == 1
    other = case.make().fit(case.X[::2], case.y[::2]).partitions_[case.told]
    assert one != other
    assert one != one.counts.tolist()
    edited = one.merge(0, 1)
    assert edited != one
