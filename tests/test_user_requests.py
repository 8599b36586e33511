"""What users of other libraries ask for most, theme by theme."""

import itertools
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import partage as pt


@pytest.fixture(scope="module")
def loans():
    """Build two columns with gaps and a special value, and two classes."""
    rng = np.random.default_rng(8)
    n = 2_000
    frame = pd.DataFrame({"age": rng.integers(18, 80, n).astype(float)})
    frame["city"] = rng.choice(np.array(["Lyon", "Nice", "Paris", "Lille"], dtype=object), n)
    risk = np.where(frame["age"] < 30, 0.6, 0.2) + np.where(frame["city"] == "Nice", 0.2, 0.0)
    frame.loc[::10, "age"] = np.nan
    frame.loc[::15, "age"] = -999.0
    risk[::10], risk[::15] = 0.9, 0.05
    return frame, np.where(rng.random(n) < risk, "yes", "no")


def test_missing_and_special_values(loans):
    """The table's weight of evidence of missing and special values is what transform gives."""
    frame, y = loans
    enc = pt.Discretizer(output="woe", special_values=[-999]).fit(frame[["age"]], y)
    table = enc.partitions_["age"].table().set_index("part")["woe"]
    out = enc.transform(pd.DataFrame({"age": [np.nan, -999.0]})).ravel()
    assert out.tolist() == [table["missing"], table["special -999"]]
    assert out[0] > 1 > -1 > out[1]
    p = enc.partitions_["age"]
    merged = p.merge(0, "missing")  # by hand; missing="merge" lets the criterion choose
    assert merged.assign([np.nan]).tolist() == [0]
    assert "missing" not in merged.table()["part"].tolist()
    kept = pt.discretize(frame["age"], y, missing="separate")  # never merged unasked
    assert kept.assign([np.nan]).tolist() == [kept.n_parts]


def test_own_cut_points_and_silent_collapse(loans):
    """Cuts that a user sets are kept, all of them, with their price; bins at hand give a table."""
    frame, y = loans
    cuts = [20, 21, 40, 79.5]
    p = pt.discretize(frame["age"], y, special_values=[-999]).set_cuts(cuts)
    assert p.cuts.tolist() == cuts
    assert len(p.table()) == 5 + 2 + 1
    assert p.history[-1].price > 0
    moved = p.set_cuts([20, 21, 42, 79.5])
    assert moved.n_parts == 5
    assert pt.discretize(np.zeros(50), [0, 1] * 25).explain().text.count("nothing to divide") == 1


OPTIONAL = {"matplotlib", "duckdb", "polars", "pyarrow", "psycopg", "sqlglot", "IPython"}
BARE = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {OPTIONAL!r}:
            raise ImportError(name)

sys.meta_path.insert(0, Absent())
import numpy as np, partage as pt
x = np.arange(60.0)[:, None]; y = [0] * 30 + [1] * 30
card = pt.Scorecard().fit(x, y)
p = pt.discretize(x[:, 0], y)
texts = [card.to_sql("sqlite"), card.to_python(), p._repr_html_(), str(p.explain())]
print(*(len(text) > 0 for text in texts))
"""


def test_installation_and_dependencies():
    """Exporting and scoring need none of the optional libraries."""
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 4, done.stderr


def test_scikit_learn_citizenship(loans):
    """Scorecards cross-validate in pipelines; names of SQL are those of the transformer."""
    frame, y = loans
    card = pt.Scorecard(points_to_double=40)
    scores = cross_val_score(card, frame, y == "yes", scoring="roc_auc", cv=3)
    assert np.isfinite(scores).all()
    assert scores.min() > 0.7
    assert clone(card).get_params()["points_to_double"] == 40
    pipe = make_pipeline(pt.TablePartitioner(output="woe"), pt.Scorecard()).fit(frame, y)
    assert pipe.score(frame, y) > 0.7
    enc = pt.TablePartitioner(output="onehot").fit(frame, y)
    sql = enc.to_sql("duckdb")
    assert all(f'AS "{name}"' in sql for name in enc.get_feature_names_out())


def test_reports_plots_and_validation(loans):
    """A table and a stability index on the test sample, a plain answer, pictures on given axes."""
    frame, y = loans
    p = pt.discretize(frame["age"][:1_000], y[:1_000])
    table = p.table(frame["age"][1_000:], y[1_000:])
    assert table["count"].iloc[-1] == 1_000
    assert 0 < table["psi"].iloc[-1] < 0.1
    assert "bits saved" in str(p.explain())
    noise = pt.discretize(np.random.default_rng(0).random(500), y[:500])
    assert "every cut costs more bits than it saves" in str(noise.explain())
    assert all(label.startswith("(") for label in p.labels())
    _, axes = plt.subplots(1, 2)
    assert [p.plot(ax=axes[0]), noise.plot(ax=axes[1])] == list(axes)
    plt.close("all")


def test_unseen_categories(loans):
    """A value that training did not hold is neutral, everywhere."""
    frame, y = loans
    card = pt.Scorecard().fit(frame, y)
    new = pd.DataFrame({"age": [40.0], "city": ["Rome"]})
    points = card.table().set_index(["column", "part"])["points"]
    wanted = points["city", "unseen"] + card.points_["age"][card.partitions_["age"].assign([40.0])]
    assert card.points(new).tolist() == pytest.approx(wanted.tolist())
    module = {}
    exec(card.to_python(), module)
    assert module["transform"](new.to_dict("records")[0])["points"] == card.points(new)[0]
    table = card.table().set_index(["column", "part"])
    assert table.loc[("city", "unseen"), "woe"] == 0


def test_weights_and_target_types(loans):
    """Weights weigh, rows are counted as rows; several classes work with categories."""
    frame, y = loans
    weight = np.where(y == "yes", 3, 1)
    table = pt.discretize(frame["age"], y, sample_weight=weight).table()
    assert table["count"].iloc[-1] == len(frame)
    assert table["weight"].iloc[-1] == weight.sum()
    several = np.where(frame["city"] == "Lyon", "L", y)
    p = pt.group(frame["city"], several)
    assert {"woe_L", "woe_no", "woe_yes"} <= set(p.table())
    assert p.table(frame["city"][:3], several[:3])["count"].iloc[-1] == 3  # classes may be absent


def test_high_cardinality():
    """Thousands of values: every one is listed, exported and editable."""
    rng = np.random.default_rng(2)
    x = rng.integers(0, 5_000, 40_000).astype(str)
    y = rng.random(40_000) < np.where(np.char.endswith(x, "7"), 0.8, 0.2)
    p = pt.group(x, y)
    listed = list(itertools.chain.from_iterable(p.groups))
    assert sorted(listed) == sorted(set(x))
    module = {}
    exec(p.to_python(), module)
    codes = [module["transform"]({"x": value})["x"] for value in listed]
    assert codes == p.assign(listed).tolist()
    assert p.move(p.groups[0][0], to=1).n_parts == p.n_parts


def test_wrong_or_irreproducible_results(loans):
    """The same rows in any order give the same rules, edits and prices, letter by letter."""
    frame, y = loans
    order = np.random.default_rng(4).permutation(len(frame))
    texts = []
    for rows in (np.arange(len(frame)), order):
        enc = pt.TablePartitioner(output="woe").fit(frame.iloc[rows], y[rows])
        p = enc.partitions_["age"].split(1, at=19.5)
        card = pt.Scorecard().fit(frame.iloc[rows], y[rows])
        texts.append([enc.to_sql(), enc.to_python(), repr(p.history), str(p.explain())])
        texts[-1].append(card.to_sql())
    assert texts[0] == texts[1]


def test_deployment_without_the_library(loans):
    """The exported module runs where nothing but Python is installed."""
    frame, y = loans
    enc = pt.TablePartitioner(output="woe").fit(frame, y)
    rows = frame[:50].astype(object).where(frame[:50].notna(), None).to_dict("records")
    code = f"{enc.to_python()}\nprint([transform(row) for row in {rows!r}])\n"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = eval(done.stdout, {"nan": float("nan")})
    assert [list(row.values()) for row in found] == enc.transform(frame[:50]).tolist()
