"""The page in a real browser: it answers clicks and keys, logs no error, asks no network."""

import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from partage import cli

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install playwright"
)
CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed: apt-get install chromium"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return a report of six columns, one of them hostile."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 1500)
    frame = pl.DataFrame(
        {
            "zeta": rng.normal(size=1500) + 2 * y,
            "alpha": rng.normal(size=1500) + 0.7 * y,
            "town": [f"{'Lyon' if label else 'Lille'}{i % 9}" for i, label in enumerate(y)],
            "<script>alert(1)</script>": np.where(rng.random(1500) < 0.3, "<b>x</b>", "y"),
            "noise": rng.normal(size=1500),
            "day": pl.Series(18_000 + rng.integers(0, 50, 1500) + 30 * y).cast(pl.Date),
            "class": np.where(y == 1, "yes", "no"),
        }
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("browser")
    frame.write_parquet(folder / "d.parquet")
    out = folder / "out"
    assert (
        cli.main(["report", str(folder / "d.parquet"), "--target", "class", "--out", str(out)]) == 0
    )
    return out / "report.html"


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser, report):
    """Open the report; fail on anything the console says and on any request."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme="light")
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(f"dialog {dialog.message}") or dialog.dismiss())
    page.on("request", lambda request: said.append(request.url))
    page.goto(report.as_uri())
    yield page
    context.close()
    assert said == [report.as_uri()]


def names(page):
    """Return the columns of the list that are shown, in order."""
    return page.eval_on_selector_all(
        "#ranking tbody tr:not([hidden])", "rows => rows.map(row => row.dataset.name)"
    )


def open_card(page):
    return page.locator(".card.open h2").inner_text()


def test_the_list_sorts_by_a_click_on_its_heads(page):
    by_level = names(page)
    assert by_level[0] == "town"
    page.click("#ranking th[data-key=name] button")
    assert names(page) == sorted(by_level, key=str.lower)
    assert page.get_attribute("#ranking th[data-key=name]", "aria-sort") == "ascending"
    page.click("#ranking th[data-key=name] button")
    assert names(page) == sorted(by_level, key=str.lower, reverse=True)
    page.click("#ranking th[data-key=level] button")
    assert names(page) == by_level


def test_the_search_finds_columns_and_values(page):
    page.fill("#search", "zet")
    assert names(page) == ["zeta"]
    page.fill("#search", "lyon3")
    assert names(page) == ["town"]
    assert page.inner_text("#found") == "1 of 6 columns"
    page.press("#search", "Enter")
    assert open_card(page) == "town"
    page.fill("#search", "nowhere")
    assert names(page) == []
    page.press("#search", "Escape")
    assert len(names(page)) == 6


def test_chips_show_kinds(page):
    page.click("[data-show=categorical]")
    assert set(names(page)) == {"town", "<script>alert(1)</script>"}
    page.click("[data-show=useful]")
    assert "noise" not in names(page)


def test_a_click_opens_a_column_and_draws_its_charts(page):
    page.click("tr[data-name=zeta] a")
    assert open_card(page) == "zeta"
    assert page.locator(".card.open").count() == 1
    n_parts = page.locator(".card.open table.parts >> nth=0 >> tbody tr").count()
    assert page.locator(".card.open .after .mark").count() == n_parts
    assert page.locator(".card.open .before .cut").count() == n_parts - 1
    page.hover(".card.open .after .mark >> nth=1")
    assert page.is_visible("#tip")
    assert "rows" in page.inner_text("#tip")
    assert page.url.endswith("#c" + page.get_attribute("tr[data-name=zeta]", "data-index"))


def test_the_averaged_share_and_the_stretches_of_cuts_lie_over_the_bars(page):
    page.click("tr[data-name=zeta] a")
    card = ".card.open .before"
    n_cuts = page.locator(f"{card} .cut").count()
    assert 0 < page.locator(f"{card} .band").count() <= n_cuts
    assert page.locator(f"{card} .curve").count() == 1
    assert page.locator(f"{card} .curve").get_attribute("d").count("V") >= n_cuts
    page.click("tr[data-name=noise] a")
    assert page.locator(f"{card} .curve").count() == 0


def test_parts_can_be_ordered_by_their_rows(page):
    page.click("tr[data-name=zeta] a")
    page.select_option(".card.open .order", "rows")
    texts = page.eval_on_selector_all(
        ".card.open .after .mark", "marks => marks.map(mark => mark.lastChild.textContent)"
    )
    sizes = [int(text.replace(",", "")) for text in texts]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) > 2


def test_dark_mode_changes_the_colours_and_is_kept(page):
    def ground():
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = ground()
    page.click("#theme")
    assert ground() != light
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    page.keyboard.press("d")
    assert ground() == light


def test_the_keyboard_is_enough(page):
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    first = open_card(page)
    page.keyboard.press("j")
    second = open_card(page)
    assert second != first
    page.keyboard.press("ArrowDown")
    assert open_card(page) not in (first, second)
    page.keyboard.press("k")
    assert open_card(page) == second
    page.focus(".card.open .after svg")
    page.keyboard.press("ArrowDown")
    assert page.is_visible("#tip")
    said = page.inner_text("#live")
    assert "rows" in said
    assert "yes" in said


def test_data_cannot_run_as_a_script(page):
    page.click("tr:has-text('alert(1)') a")
    assert open_card(page) == "<script>alert(1)</script>"
    assert page.locator(".card.open b:has-text('x')").count() == 0


def test_a_narrow_window_shows_everything_within_its_width(page):
    page.set_viewport_size({"width": 390, "height": 800})
    page.click("tr[data-name=town] a")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.is_visible(".card.open .after svg")


@pytest.mark.parametrize("width", [1100, 1280, 1600])
def test_the_list_is_as_wide_as_what_it_holds(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    held, wide = page.eval_on_selector(".list .scroll", "s => [s.scrollWidth, s.clientWidth]")
    assert held <= wide


def test_print_shows_every_column(page, tmp_path):
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".card .after svg").count() == 6
    page.pdf(path=tmp_path / "report.pdf")
    assert Path(tmp_path / "report.pdf").stat().st_size > 10_000
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".card.open").count() == 1


def test_times_are_drawn_in_their_zone(browser, tmp_path):
    times = pl.datetime_range(
        pl.datetime(2024, 10, 27), pl.datetime(2024, 10, 27, 2), "1m", time_zone="UTC", eager=True
    )
    frame = pl.DataFrame({"at": times.dt.convert_time_zone("Asia/Tokyo"), "class": times.dt.hour()})
    frame.write_parquet(tmp_path / "d.parquet")
    words = ["report", str(tmp_path / "d.parquet"), "--target", "class", "--out"]
    assert cli.main([*words, str(tmp_path / "out")]) == 0
    page = browser.new_page()
    page.goto((tmp_path / "out" / "report.html").as_uri())
    page.click("tr[data-name=at] a")
    drawn = " ".join(page.locator(".card.open .before text").all_text_contents())
    page.close()
    assert "10-27 09:00" in drawn
    assert "10-27 11:00" in drawn
