"""``pt.report`` and ``enc.report``: the page of the command, from Python."""

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import partage as pt
from partage import cli
from partage._report.example import make_loans


def read_data(page):
    """Return the numbers that a page draws."""
    (text,) = re.findall(r'id="numbers">(.*?)</script>', page.html, re.DOTALL)
    return json.loads(text)


@pytest.fixture(scope="module")
def loans():
    return make_loans(1500, seed=3).drop(columns=["town", "folder"])


def test_the_page_is_that_of_the_command_but_for_its_title(loans, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loans.to_csv("loans.csv", index=False)
    assert cli.main(["report", "loans.csv", "--target", "outcome", "--out", "out"]) == 0
    written = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    frame = pl.read_csv("loans.csv", try_parse_dates=True)
    assert pt.report(frame, target="outcome", title="loans.csv").html == written
    other = pt.report(frame.to_pandas(), target="outcome", title="other")
    lines = zip(other.html.splitlines(), written.splitlines(), strict=True)
    different = [pair for pair in lines if pair[0] != pair[1]]
    assert [one.replace("other", "loans.csv") for one, _ in different] == [
        other for _, other in different
    ]
    assert len(different) == 2  # the title, and the heading that repeats it


def test_a_page_is_shown_in_notebooks_and_saved(loans, tmp_path):
    page = pt.report(loans, target="outcome", title="loans & <b>", path=tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page.html
    assert page.save(tmp_path / "b.html") == tmp_path / "b.html"
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == page.html
    frame = page._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert frame.count("<") == 2
    assert repr(page).startswith("ReportPage('loans & <b>: outcome': ")


def _without_pairs(html):
    """Take a page without what rows alone can say, which columns repeat each other."""
    before, rest = html.split('id="numbers">')
    text, after = rest.split("</script>", 1)
    data = json.loads(text)
    del data["together"]
    for column in data["columns"]:
        column.pop("rel", None)
        column.pop("re", None)
    return before, data, after


def test_a_fitted_estimator_has_the_page_of_its_table(loans):
    encoder = pt.TablePartitioner(cut_style="simple").fit(loans, target="outcome")
    page = pt.report(loans, target="outcome", title="TablePartitioner")
    found, wanted = (_without_pairs(html) for html in (encoder.report().html, page.html))
    assert found == wanted
    again = pt.from_dict(encoder["age"].to_dict())
    assert again == encoder["age"]


def test_an_estimator_needs_no_table(loans, tmp_path):
    y = loans.pop("outcome")
    encoder = pt.Discretizer().fit(loans[["age", "income"]], y)
    encoder.report(tmp_path / "r.html", title="two columns")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<title>two columns: outcome · partage</title>" in text
    loans["outcome"] = y
    with pytest.raises(Exception, match="is not fitted yet"):
        pt.Discretizer().report()


def test_the_event_can_be_chosen(loans):
    shown = read_data(pt.report(loans, target="outcome", positive="paid"))
    assert shown["classes"][shown["event"]] == "paid"
    usual = read_data(pt.report(loans, target="outcome"))
    assert usual["classes"][usual["event"]] == "unpaid"
    by_name = [{c["n"]: c for c in data["columns"]}["age"]["p"] for data in (shown, usual)]
    for one, other in zip(*by_name, strict=True):
        assert one["w"][0] == pytest.approx(-other["w"][0], abs=1e-3)


def test_a_holdout_is_counted_in_the_parts_of_the_other_rows(loans):
    data = read_data(pt.report(loans, target="outcome", holdout=0.4))
    (sample,) = data["samples"]
    assert data["rows"] + sample["r"] == len(loans)
    assert 0.3 < sample["r"] / len(loans) < 0.5
    fitted = read_data(pt.report(loans.iloc[:1000], target="outcome", holdout=loans.iloc[1000:]))
    encoder = pt.TablePartitioner(cut_style="simple").fit(loans.iloc[:1000], target="outcome")
    assert fitted["samples"][0]["r"] == 500
    for column in fitted["columns"]:
        p = encoder[column["n"]]
        held = loans.iloc[1000:]
        table = p.table(held[p.name], held["outcome"])
        assert column["x"] == pytest.approx(table["psi"].iloc[-1], abs=1e-5)
        rows = table["count"].iloc[:-1]
        (on,) = column["s"]
        assert on["r"] == [
            n for n, part in zip(rows, p.table()["count"], strict=False) if n or part
        ]
        assert on["l"] == pytest.approx(p.level_on(held[p.name], held["outcome"]), abs=1e-5)


def test_periods_stand_beside_each_other_and_are_no_column(loans):
    quarter = loans["signed"].dt.to_period("Q").astype(str)
    data = read_data(pt.report(loans.assign(quarter=quarter), target="outcome", by="quarter"))
    assert [sample["n"] for sample in data["samples"]] == sorted(quarter.unique())
    assert "quarter" not in [column["n"] for column in data["columns"]]
    assert sum(sample["r"] for sample in data["samples"]) == len(loans)
    beside = read_data(pt.report(loans, target="outcome", by=quarter))
    assert beside == data


def test_a_column_that_says_everything_is_a_warning(loans):
    leak = loans.assign(fee=np.where(loans["outcome"] == "unpaid", 40, 0))
    (remark,) = read_data(pt.report(leak, target="outcome"))["remarks"]
    assert (remark["c"], remark["k"]) == ("fee", "warning")
    assert remark["t"].startswith("says nearly everything about the class on its own (level 0.9")


def test_columns_of_any_library_are_read():
    size = pd.Categorical(["lo", "hi", "mid"] * 60, ["lo", "mid", "hi"], ordered=True)
    frame = pd.DataFrame({"size": size, "mixed": [1, "a", None] * 60, "class": [0, 1, 0] * 60})
    data = read_data(pt.report(frame, target="class"))
    found = {column["n"]: column for column in data["columns"]}
    assert found["size"]["k"] == "ordered"
    assert found["mixed"]["m"] == 60
    y = frame.pop("class")
    assert read_data(pt.report(frame, y)) == data


def test_a_column_without_a_name_is_named_by_its_place():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a": rng.normal(size=300), "": rng.integers(0, 3, 300)})
    frame = frame.with_columns(pl.Series("class", rng.integers(0, 2, 300)))
    data = read_data(pt.report(frame, target="class", holdout=0.3))
    assert {column["n"] for column in data["columns"]} == {"a", "column_1"}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"X": [[1, 2]], "target": "y"},
            TypeError,
            "report: X must be a data frame; got list. Name its columns with pandas.DataFrame, "
            "say.",
        ),
        (
            {},
            ValueError,
            "report: one of y and target must be given, the classes or the name of their column; "
            "got neither.",
        ),
        (
            {"target": "y", "y": [0, 1] * 20},
            ValueError,
            "report: one of y and target must be given, the classes or the name of their column; "
            "got both.",
        ),
        ({"target": "z"}, ValueError, "report: target must name a column of X; got 'z'."),
        ({"y": [0]}, ValueError, "report: y must have a class for each of the 40 rows; got 1."),
        (
            {"y": pd.Series([0, 1] * 20, name="x")},
            ValueError,
            "report: y must not have the name of a column of X; got 'x'.",
        ),
        (
            {"target": "y", "holdout": 1.5},
            ValueError,
            "report: holdout must be a share between 0 and 1; got 1.5.",
        ),
        (
            {"target": "y", "by": "y"},
            ValueError,
            "report: by must name a column beside the target; got 'y'.",
        ),
        (
            {"target": "y", "by": "x"},
            ValueError,
            "report: by must have at most 24 different values, which a page shows beside each "
            "other; got 40. Use months instead of days, say.",
        ),
    ],
)
def test_bad_calls_are_named(change, error, message):
    frame = pd.DataFrame({"x": range(40), "y": [0, 1] * 20})
    with pytest.raises(error) as caught:
        pt.report(**{"X": frame} | change)
    assert str(caught.value) == message


def test_estimators_show_their_ranking_in_notebooks(loans):
    encoder = pt.TablePartitioner()
    assert "<table>" not in encoder._repr_html_().split("<style>")[0]
    encoder.fit(loans.rename(columns={"age": "<i>age"}), target="outcome")
    for text in (encoder._repr_html_(), encoder._repr_mimebundle_()["text/html"]):
        ranking = text.split("<details>")[0]
        names = re.findall(r"<b>(.*?)</b>", ranking)
        assert names == [name.replace("<i>", "&lt;i&gt;") for name in encoder.summary()["column"]]
        assert "linear-gradient(90deg,#9ecae1 100.0%" in ranking


def odd_columns():
    """Make columns that polars does not hold: their kind in a report, and their parts."""
    x = np.arange(60.0)
    return {
        "wide floats": (x.astype(np.longdouble), "numeric", 2),
        "numbers beyond 2^63": (2**64 - 1 - np.arange(60, dtype=np.uint64), "numeric", 2),
        "infinite only": (np.where(x > 30, np.inf, -np.inf), "numeric", 2),
        "ordered numbers": (pd.Categorical(x // 20, [2.0, 1.0, 0.0], ordered=True), "ordered", 3),
        "ordered intervals": (pd.cut(x, 3), "ordered", 3),
        "halves of pairs": (
            pd.Series(["\ud800"] * 31 + ["x"] * 29, dtype=object),
            "categorical",
            2,
        ),
    }


@pytest.mark.parametrize("name", odd_columns())
def test_columns_that_polars_does_not_hold_are_shown(name):
    values, kind, n_parts = odd_columns()[name]
    frame = pd.DataFrame({"x": values, "y": [0] * 31 + [1] * 29})
    (column,) = read_data(pt.report(frame, target="y", understand=False))["columns"]
    assert (column["n"], column["k"], column["np"], column["m"]) == ("x", kind, n_parts, 0)


def test_complex_numbers_and_repeated_names_are_refused():
    frame = pd.DataFrame({"x": np.arange(60) * 1j, "y": [0, 1] * 30})
    message = (
        "^report: Complex data not supported; column 'x' holds complex numbers. Pass their real "
        r"and imaginary parts as two columns\.$"
    )
    with pytest.raises(ValueError, match=message):
        pt.report(frame, target="y")
    twice = pd.DataFrame([[1, 0], [2, 1]] * 30, columns=["x", "x"])
    message = r"^report: column names must differ; 'x' stands more than once. Rename one of them\.$"
    with pytest.raises(ValueError, match=message):
        pt.report(twice, [0, 1] * 30)
