"""Model files: what was saved comes back, and what was damaged is refused."""

import datetime as dt
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import partage as pt
from helpers import assert_refuses, rewrite_model, set_in

ROWS = 240
RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, ROWS)
TABLE = pd.DataFrame(
    {
        "number": np.where(Y == 1, 3.0, 1.0) + RNG.normal(size=ROWS),
        "gaps": np.where(RNG.random(ROWS) < 0.2, np.nan, RNG.normal(size=ROWS)),
        "text": np.where(Y == 1, "a", "b").astype(object) + RNG.integers(0, 3, ROWS).astype(str),
        "day": pd.Timestamp("2020-01-01")
        + pd.to_timedelta(Y * 40 + RNG.integers(0, 50, ROWS), "D"),
        "flag": RNG.integers(0, 2, ROWS) == Y,
        "size": pd.Categorical(
            RNG.choice(["S", "M", "L"], ROWS), categories=["S", "M", "L", "XL"], ordered=True
        ),
        "big": 2**60 + Y * 1000 + RNG.integers(0, 900, ROWS),
    }
)
MODELS = [
    pt.TablePartitioner(missing="merge"),
    pt.TablePartitioner(
        kinds={"number": "categorical"}, ordered={"text": ["b2", "b1", "b0", "a0", "a1", "a2"]}
    ),
    pt.TablePartitioner(max_parts=3, min_part_size=0.1, drop_uninformative=True),
]


@pytest.mark.parametrize("output", ["code", "label", "woe", "rate", "onehot"])
@pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))
def test_a_loaded_model_transforms_as_the_saved_one(model, output, tmp_path):
    fitted = clone(model).set_params(output=output).fit(TABLE, Y)
    fitted.save(tmp_path / "model.json")
    loaded = pt.load(tmp_path / "model.json")
    assert type(loaded) is type(fitted)
    assert loaded.get_params() == fitted.get_params()
    np.testing.assert_array_equal(loaded.transform(TABLE), fitted.transform(TABLE))
    np.testing.assert_array_equal(loaded.classes_, fitted.classes_)
    np.testing.assert_array_equal(loaded.levels_, fitted.levels_)
    assert list(loaded.get_feature_names_out()) == list(fitted.get_feature_names_out())
    pd.testing.assert_frame_equal(loaded.summary(), fitted.summary())


@pytest.mark.parametrize("classes", [["no", "yes"], [False, True], [0, 7], [0.0, 1.0]])
def test_classes_keep_their_type(classes, tmp_path):
    fitted = pt.Discretizer(method="mdlpc").fit(TABLE[["number"]], np.array(classes)[Y])
    fitted.save(tmp_path / "m.json")
    loaded = pt.load(tmp_path / "m.json")
    assert loaded.classes_.dtype == fitted.classes_.dtype
    assert loaded.classes_.tolist() == classes


def test_values_of_every_type_come_back(tmp_path):
    values = ["a", 1, 2.5, True, b"\xff", dt.date(2020, 1, 1), float("inf"), "</script>", "1"]
    column = np.array(values * 10, dtype=object)[:, None]
    fitted = pt.Grouper(method="none").fit(column, list(range(9)) * 10)
    fitted.save(tmp_path / "m.json")
    assert (
        pt.load(tmp_path / "m.json").transform(column).tolist() == fitted.transform(column).tolist()
    )


def test_arrays_have_no_names_after_loading_either(tmp_path):
    fitted = pt.Discretizer().fit(TABLE[["number"]].to_numpy(), Y)
    fitted.save(tmp_path / "m.json")
    loaded = pt.load(tmp_path / "m.json")
    assert not hasattr(loaded, "feature_names_in_")
    assert loaded.n_features_in_ == 1


@pytest.fixture
def saved(tmp_path):
    """Return a model file, and what it holds."""
    path = tmp_path / "model.json"
    pt.TablePartitioner().fit(TABLE[["number", "text"]], Y).save(path)
    return path, json.loads(path.read_text(encoding="utf-8"))


def test_spaces_and_order_of_the_file_do_not_matter(saved):
    path, data = saved
    rewrite_model(path, dict(reversed(data.items())))
    assert list(pt.load(path).partitions_) == ["number", "text"]


def test_a_file_changed_by_hand_is_refused(saved):
    path, data = saved
    data["columns"][0]["cuts"][0] += 0.5
    rewrite_model(path, data)
    assert_refuses(
        lambda: pt.load(path),
        pt.PartageError,
        f"load: {path} was changed after partage wrote it: its checksum does not fit. Write it "
        "again with `partage report` or `save`; parts are edited in Python.",
    )


def test_a_newer_layout_is_refused(saved):
    path, data = saved
    rewrite_model(path, data | {"partage_model": 2})
    assert_refuses(
        lambda: pt.load(path),
        pt.PartageError,
        f"load: {path} has the layout 2, newer than this version of partage reads (1); update "
        "partage.",
    )


@pytest.mark.parametrize("content", ["[1, 2]", '{"a": 1}', '{"partage_model": true}', "7"])
def test_another_json_file_is_refused(content, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(content, encoding="utf-8")
    message = f"load: {path} must be a model file of partage; it is another JSON file."
    assert_refuses(lambda: pt.load(path), pt.PartageError, message)


@pytest.mark.parametrize("content", [b"", b"a,b\n", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(content, tmp_path):
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(pt.PartageError, match="must be a model file of partage; it is not JSON"):
        pt.load(path)


def test_a_file_that_is_absent_is_refused(tmp_path):
    path = tmp_path / "absent.json"
    message = f"load: {path} cannot be read: No such file or directory."
    assert_refuses(lambda: pt.load(path), pt.PartageError, message)


@pytest.mark.parametrize(
    "change",
    [
        set_in("estimator", "os.system"),
        set_in("estimator", None),
        set_in("parameters", {"no_such": 1}),
        set_in("parameters", 7),
        set_in("columns", []),
        set_in("columns", {}),
        set_in("columns", [7]),
        set_in("columns", 1, "name", "number"),
        set_in("columns", 0, "cuts", [3.0, 1.0]),
        set_in("columns", 0, "cuts", ["x"]),
        set_in("columns", 0, "counts", [[1.0]]),
        set_in("columns", 0, "counts", [[-1.0, 2.0], [1.0, 1.0]]),
        set_in("columns", 0, "classes_dtype", "O"),
        set_in("columns", 0, "classes_dtype", "<U999999999999"),
        set_in("columns", 0, "classes_dtype", "V99999999999"),
        set_in("columns", 0, "missing_part", 99),
        set_in("columns", 0, "kind", "x"),
        set_in("columns", 1, "groups", [["a0"], ["a0"]]),
        set_in("columns", 1, "groups", [[{"eval": "1"}]]),
        set_in("columns", 1, "garbage", 9),
        set_in("columns", 1, "type", "graph"),
        set_in("columns", 1, "name", 7),
    ],
)
def test_a_forged_file_is_refused_even_with_its_checksum(change, saved):
    path, data = saved
    change(data)
    rewrite_model(path, data, with_checksum=True)
    with pytest.raises(pt.PartageError, match="is damaged"):
        pt.load(path)


def test_a_model_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    path.write_text("before", encoding="utf-8")
    fitted = pt.Discretizer().fit(TABLE[["number"]], Y)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    assert_refuses(
        lambda: fitted.save(path),
        pt.PartageError,
        f"{path}: cannot be written: No space left on device; free some space and run again. "
        "Nothing was left behind.",
    )
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]
    assert path.read_text(encoding="utf-8") == "before"


@pytest.mark.parametrize("count", [float("nan"), float("inf"), -1.0])
@pytest.mark.parametrize("column", ["number", "text"])
def test_forged_counts_of_values_are_refused(column, count):
    partition = pt.discretize if column == "number" else pt.group
    plain = partition(TABLE[column], Y).to_dict()
    plain["units"]["counts"][0][0] = count
    with pytest.raises(pt.PartageError, match="counts of units must be finite and at least 0"):
        pt.from_dict(plain)
