"""A page in a real browser: what the tests of its looks and of its answers share."""

import numpy as np
import polars as pl
import pytest

import partage as pt
from browser_pages import LOOKS, start_again
from partage._report.html import render_page
from partage._report.profile import fit_with_profiles
from partage._report.samples import count_sample
from partage._report.summary import Remark, summarize


def make_rows(n, seed, shift=0.0):
    """Make rows of seven columns, two of them with hostile names."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    gaps = rng.random(n) < 0.2
    return pl.DataFrame(
        {
            "zeta": rng.normal(size=n) + 2 * y + shift,
            "alpha": rng.normal(size=n) + 0.7 * y,
            "town": [f"{'Lyon' if label else 'Lille'}{i % 9}" for i, label in enumerate(y)],
            "<script>alert(1)</script>": np.where(rng.random(n) < 0.3, "<b>x</b>", "y"),
            "noise": [None if gap else x for gap, x in zip(gaps, rng.normal(size=n), strict=True)],
            "day": pl.Series(18_000 + rng.integers(0, 50, n) + 30 * y).cast(pl.Date),
            "50% / #x": rng.poisson(3 + y),
            "class": np.where(y == 1, "yes", "no"),
        }
    )


@pytest.fixture(scope="session")
def report_page(tmp_path_factory):
    """Return a page of seven columns with a holdout of which one has moved."""
    frame, held = make_rows(1500, 4), make_rows(600, 5, shift=1.5)
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "class")
    sample = count_sample("holdout", model.partitions_, held.drop("class"), held["class"])
    remarks = [Remark("was text, is a number now", "converted", "alpha")]
    summary = summarize(
        model, source="d.parquet", profiles=profiles, samples=[sample], remarks=remarks
    )
    path = tmp_path_factory.mktemp("browser") / "report.html"
    path.write_text(render_page(summary), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def look(request):
    """Width of the window and its colours; tests ask for others by ``in_every_look``."""
    return getattr(request, "param", LOOKS[0])


@pytest.fixture(scope="module")
def opened(browser, report_page, look):
    """Open the report once for all tests of a look; keep what the console says, and requests."""
    context = browser.new_context(
        viewport={"width": look[0], "height": 900}, color_scheme=look[1], accept_downloads=True
    )
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append("dialog") or dialog.dismiss())
    page.on("request", lambda request: said.append(request.url.split("#")[0][:99]))
    page.goto(report_page.as_uri())
    yield page, said
    context.close()


@pytest.fixture
def page(opened, report_page):
    """Give the page as it was when it was opened; fail on what the console says, and requests."""
    page, said = opened
    start_again(page)
    yield page
    assert {one for one in said if one[:15] != "data:image/svg+"} <= {report_page.as_uri()}


@pytest.fixture(scope="session")
def rows_of_pages():
    """Give the rows that the page is made from, and those that are held out."""
    return make_rows(1500, 4), make_rows(600, 5, shift=1.5)
