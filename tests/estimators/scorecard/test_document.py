"""The document: what it holds, that it opens offline, and the command that writes it."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import openpyxl
import pandas as pd
import pytest

import partage as pt
from helpers import FULL, assert_refuses
from partage.cli import main

NAME = "=cmd|'<b>&\"/\\:"


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(3)
    n = 700
    X = pd.DataFrame({"age": rng.integers(18, 80, n).astype(float)})
    X[NAME] = rng.choice(["<script>alert(1)</script>", "=1+1", "Lille"], n)
    X["one"] = 1.0
    odds = (X["age"] < 35) * 1.5 + (X[NAME] == "=1+1") - 1
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "late", "fine")


@pytest.fixture(scope="module")
def card(loans):
    X, y = loans
    made = pt.Scorecard(rounded=True, selection=None).fit(X[:500], y[:500])
    return made.edit("age", lambda p: p.merge(0, 1, reason="policy <7>", who="Ada"))


class Page(HTMLParser):
    """Tags, links and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note a tag."""
        self.tags.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href")]

    def handle_data(self, data):
        """Note a text."""
        self.words.append(data)


def test_page_is_whole_and_needs_no_network(tmp_path, loans, card):
    X, y = loans
    about = {"title": "Late <payers>", "exclusions": "staff & friends"}
    card.document(tmp_path / "card.html", X[500:], y[500:], about=about)
    text = (tmp_path / "card.html").read_text(encoding="utf-8")
    page = Page(text)
    words = "".join(page.words)
    assert len(text) < 2_000_000
    assert "script" not in page.tags
    assert all(link.startswith(("#", "data:,")) for link in page.links)
    for said in (
        "Late <payers>",
        "staff & friends",
        "not stated",
        *(f"Column {name}" for name in X),
        "policy <7>",
        "Ada",
        "level 0: one value only",
        "Correlation of the evidence",
        "Gains: other rows",
        "Cut-offs: rows of the fit",
        "Stability of the points",
        "standard_error",
        card.to_sql(),
    ):
        assert said in words
    for points in card.points_.values():
        assert all(f">{int(p)}<" in text for p in points)


def test_page_has_no_console_error(tmp_path, loans, card):
    playwright = pytest.importorskip("playwright.sync_api")
    card.document(tmp_path / "card.html", *loans)
    with playwright.sync_playwright() as started:
        try:
            browser = started.chromium.launch()
        except playwright.Error as error:
            found = shutil.which("chromium")
            if found is None:
                pytest.skip(f"Chromium is not installed: {str(error).splitlines()[0]}")
            browser = started.chromium.launch(executable_path=found)
        page = browser.new_page()
        messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: messages.append(request.url))
        page.goto((tmp_path / "card.html").as_uri())
        n_tables = page.locator("table").count()
        browser.close()
    assert [m for m in messages if not m.startswith(("file:", "data:,"))] == []
    assert n_tables >= 10


def test_workbook_has_a_sheet_for_each_column(tmp_path, loans, card):
    card.document(tmp_path / "card.xlsx", *loans)
    book = openpyxl.load_workbook(tmp_path / "card.xlsx")
    names = book.sheetnames
    assert names[:2] == ["Overview", "Selection and coefficients"]
    assert {"age", "one", "Performance", "Stability", "SQL"} <= set(names)
    assert "=cmd|'<b>&\"___" in names
    cells = [c for sheet in book for row in sheet.iter_rows() for c in row if c.value is not None]
    assert all(cell.data_type != "f" for cell in cells)  # nothing is run as a formula
    values = {str(cell.value) for cell in cells}
    assert {"policy <7>", "{=1+1}", "{<script>alert(1)</script>}"} <= values


@pytest.mark.skipif(not FULL, reason="starts LibreOffice; only in the full test run")
def test_workbook_opens_in_libreoffice(tmp_path, loans, card):
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice is not installed")
    card.document(tmp_path / "card.xlsx", *loans)
    home = f"-env:UserInstallation={(tmp_path / 'home').as_uri()}"
    command = [program, home, "--headless", "--convert-to", "csv", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "card.xlsx")], check=True, capture_output=True)
    text = (tmp_path / "card.csv").read_text(encoding="utf-8", errors="replace")
    assert "Scorecard: Overview" in text
    assert "Rows of the fit" in text


def test_bad_documents(tmp_path, card):
    assert_refuses(
        lambda: card.document(tmp_path / "card.pdf"),
        ValueError,
        f"Scorecard.document: path must end in .html or .xlsx; got {str(tmp_path / 'card.pdf')!r}.",
    )
    assert_refuses(
        lambda: card.document(tmp_path / "card.html", about={"title": 3}),
        TypeError,
        "Scorecard.document: about must be a dict of texts; got {'title': 3}.",
    )
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_four_files(tmp_path, loans, capsys):
    X, y = loans
    file = tmp_path / "loans.csv"
    X.rename(columns={NAME: "city"}).assign(late=y).to_csv(file, index=False)
    out = tmp_path / "out"
    asked = ["scorecard", str(file), "--target", "late", "--out", str(out)]
    assert main([*asked, "--positive", "late"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"2 columns have points; AUC 0\.\d{4} on the rows of the fit, 0\.\d{4}", said)
    assert "left out: one: level 0: one value only" in said
    assert sorted(p.name for p in out.iterdir()) == [
        "card.html",
        "card.json",
        "card.sql",
        "card.xlsx",
    ]
    card = pt.load(out / "card.json")
    assert card.event_ == "late"
    assert (out / "card.sql").read_text(encoding="utf-8") == card.to_sql(reasons=4) + "\n"
    assert main(asked) == 2
    assert "exists; pass --force to replace it." in capsys.readouterr().err
    assert main([*asked, "--force", "--test", "0", "--exact"]) == 0
    assert "others" not in capsys.readouterr().out
    for more, message in (
        (["--force", "--positive", "x"], "--positive must "),
        (["--force", "--test", "1"], "--test must be a share from 0 to below 1; got 1."),
        (["--force", "--dialect", "x"], "dialect must be "),
    ):
        assert main([*asked, *more]) == 2
        assert capsys.readouterr().err.startswith(f"partage scorecard: {message}")


def test_the_command_takes_what_is_said_of_columns(tmp_path, capsys):
    """Money as text, a special code, an order, a number as categories, a column to skip."""
    rng = np.random.default_rng(8)
    n = 600
    frame = pd.DataFrame({"income": [f"EUR {v:,.0f}" for v in rng.lognormal(10, 0.5, n)]})
    frame["days"] = np.where(rng.random(n) < 0.3, -1, rng.integers(0, 400, n))
    frame["grade"] = rng.choice(["low", "mid", "high"], n)
    frame["region"] = rng.integers(1, 5, n)
    frame["note"] = rng.choice(["a", "b"], n)
    odds = (frame["days"] == -1) + (frame["grade"] == "low") + (frame["region"] == 3) - 1.2
    frame["late"] = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    file, out = tmp_path / "loans.csv", tmp_path / "out"
    frame.to_csv(file, index=False)
    asked = ["scorecard", str(file), "--target", "late", "--out", str(out), "--test", "0"]
    said = ["--special", "days=-1", "--ordered", "grade=low,mid,high", "--drop", "note"]
    assert main([*asked, *said, "--kind", "region=categorical", "--missing", "merge"]) == 0
    assert "income" in capsys.readouterr().out
    card = pt.load(out / "card.json")
    assert set(card.partitions_) == {"income", "days", "grade", "region"}
    assert card["days"].assign([-1])[0] >= card["days"].n_parts  # a code of its own
    assert card["grade"].rule.is_line
    assert not card["region"].rule.is_line
    row = {"income": "EUR 20,000", "days": -1, "grade": "low", "region": "3"}
    one = pd.DataFrame([row])
    assert card.points(one)[0] == card.explain(row, reasons=None)["points"].sum()
    poorer = one.assign(income="EUR 1")
    assert card["income"].rule.is_line  # money was read as numbers, in new rows too
    assert np.isfinite(card.points(poorer)).all()
    assert main([*asked, "--force", "--special", "age=-1"]) == 2
    assert capsys.readouterr().err.startswith(
        "partage scorecard: --special must name a column; got 'age', the file has 'income', "
    )
