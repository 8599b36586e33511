"""The page in a real browser: it answers clicks and keys, logs no error, asks no network."""

import csv
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import partage as pt
from partage import cli
from partage._report.comparing import compare_rows
from partage._report.html import render_page
from partage._report.profile import fit_with_profiles
from partage._report.samples import count_sample
from partage._report.summary import Remark, summarize

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


NAMES = ["zeta", "alpha", "town", "<script>alert(1)</script>", "noise", "day", "50% / #x"]


def make_frame(n, seed, shift=0.0):
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


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return a page of seven columns with a holdout of which one has moved."""
    frame, held = make_frame(1500, 4), make_frame(600, 5, shift=1.5)
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
def browser():
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, report):
    """Open the report in a window; fail on anything the console says and on any request."""
    opened = []

    def open_at(width=1400, scheme="light", address=""):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        page, said = context.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append("dialog") or dialog.dismiss())
        page.on("request", lambda request: said.append(request.url.split("#")[0][:99]))
        page.goto(report.as_uri() + address)
        opened.append((context, said))
        return page

    yield open_at
    for context, said in opened:
        context.close()
        assert [one for one in said if one[:15] != "data:image/svg+"] == [report.as_uri()]


@pytest.fixture
def page(open_page):
    return open_page()


def names(page):
    """Return the columns of the list that are shown, in order."""
    return page.eval_on_selector_all(
        "#ranking tbody tr:not([hidden])", "rows => rows.map(row => row.dataset.name)"
    )


def open_card(page):
    return page.locator("#pane h2").inner_text()


def choose(page, name):
    page.click(f"tr[data-name='{name}'] a")


def test_the_list_sorts_by_a_click_on_its_heads(page):
    by_level = names(page)
    assert by_level[0] == "town"
    page.click("#ranking th[data-key=n] button")
    assert set(names(page)) == set(NAMES)
    assert names(page)[-4:] == ["day", "noise", "town", "zeta"]
    assert page.get_attribute("#ranking th[data-key=n]", "aria-sort") == "ascending"
    page.click("#ranking th[data-key=n] button")
    assert names(page)[:4] == ["zeta", "town", "noise", "day"]
    page.click("#ranking th[data-key=x] button")
    assert names(page)[0] == "zeta"
    page.click("#ranking th[data-key=l] button")
    assert names(page) == by_level


def test_the_search_finds_columns_and_values_or_says_that_there_are_none(page):
    page.fill("#search", "zet")
    assert names(page) == ["zeta"]
    page.fill("#search", "lyon3")
    assert names(page) == ["town"]
    assert page.inner_text("#found") == "1 of 7 columns"
    page.press("#search", "Enter")
    assert open_card(page) == "town"
    assert not page.is_visible("#nothing")
    page.fill("#search", "nowhere")
    assert names(page) == []
    assert page.inner_text("#nothing") == "No column matches."
    page.press("#search", "Escape")
    assert len(names(page)) == 7


def test_filters_show_what_they_name(page):
    for key, wanted in {
        "categorical": {"town", "<script>alert(1)</script>"},
        "useless": {"noise", "<script>alert(1)</script>"},
        "useful": {"zeta", "alpha", "town", "day", "50% / #x"},
        "drifting": {"zeta"},
        "missing": {"noise"},
    }.items():
        page.click(f"[data-show={key}]")
        assert set(names(page)) == wanted, key
        assert page.inner_text(f"[data-show={key}] small") == str(len(wanted))


def test_a_column_has_its_name_in_the_address_and_back_leads_back(page):
    assert open_card(page) == "What predicts class"
    choose(page, "zeta")
    assert page.url.endswith("#zeta")
    choose(page, "50% / #x")
    assert page.url.endswith("#50%25%20%2F%20%23x")
    assert open_card(page) == "50% / #x"
    page.go_back()
    assert open_card(page) == "zeta"
    page.go_back()
    assert open_card(page) == "What predicts class"
    page.go_forward()
    assert open_card(page) == "zeta"


def test_an_address_opens_its_column(open_page):
    assert open_card(open_page(address="#50%25%20%2F%20%23x")) == "50% / #x"
    assert open_card(open_page(address="#100%")) == "What predicts class"


def test_a_card_shows_the_event_its_intervals_and_the_holdout(page):
    choose(page, "zeta")
    rows = page.locator("#pane table.parts >> nth=0 >> tbody tr")
    n_parts = rows.count()
    assert page.locator(".after .mark").count() == n_parts
    assert page.locator(".after .whisker").count() == n_parts
    assert page.locator(".after .sample").count() == n_parts
    assert page.locator(".before .cut").count() == n_parts - 1
    rates = page.locator(".after text.value").all_text_contents()
    cells = rows.evaluate_all("rows => rows.map(row => row.cells[6].textContent)")
    assert rates == cells
    assert page.inner_text("#pane tfoot th") == "All rows"
    page.hover(".after .mark >> nth=1")
    assert "rows" in page.inner_text("#tip")


def test_the_bars_can_show_evidence_and_shares(page):
    choose(page, "zeta")
    assert page.get_attribute("[data-measure=rate]", "aria-pressed") == "true"
    page.click("[data-measure=woe]")
    texts = page.locator(".after text.value").all_text_contents()
    assert texts[0].startswith("\N{MINUS SIGN}")
    assert texts[-1].startswith("+")
    page.click("[data-measure=shares]")
    assert page.locator(".after .gap").count() >= page.locator(".after .mark").count()
    choose(page, "alpha")  # what was chosen stays
    assert page.get_attribute("[data-measure=shares]", "aria-pressed") == "true"


def test_the_averaged_share_and_the_stretches_of_cuts_lie_over_the_bars(page):
    choose(page, "zeta")
    n_cuts = page.locator(".before .cut").count()
    assert 0 < page.locator(".before .band").count() <= n_cuts
    assert page.locator(".before .curve").count() == 1
    assert page.locator(".before .curve").get_attribute("d").count("V") >= n_cuts
    choose(page, "noise")
    assert page.locator(".before .curve").count() == 0


def test_every_card_says_why(page):
    for name in names(page):
        page.evaluate("name => history.pushState(null, '', '#' + encodeURIComponent(name))", name)
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
        assert open_card(page) == name
        assert "bits" in page.inner_text("#pane .why")


def test_parts_can_be_ordered_by_their_rows(page):
    choose(page, "zeta")
    page.select_option("#pane .order", "rows")
    texts = page.locator(".after .mark text.soft").all_text_contents()
    sizes = [int(text.replace(",", "")) for text in texts]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) > 2


def test_tables_rules_and_pictures_can_be_taken_away(page):
    choose(page, "town")
    kept = {}
    for text in ("CSV", "SVG", "PNG", "SQL", "Python"):
        with page.expect_download() as found:
            page.get_by_role("button", name=text, exact=True).click()
        path = found.value.path()
        kept[text] = (found.value.suggested_filename, Path(path).read_bytes())
    assert [name for name, _ in kept.values()] == [
        "town.csv", "town.svg", "town.png", "town.sql", "town.py"
    ]  # fmt: skip
    rows = list(csv.reader(kept["CSV"][1].decode().splitlines()))
    assert rows[0][:4] == ["code", "part", "Rows", "Share"]
    assert sum(int(row[2]) for row in rows[1:]) == 1500
    assert kept["PNG"][1][:8] == b"\x89PNG\r\n\x1a\n"
    assert b"<svg" in kept["SVG"][1]
    assert b"Lyon3" in kept["SQL"][1]
    scope = {}
    exec(compile(kept["Python"][1], "town.py", "exec"), scope)
    assert scope["transform"]({"town": "Lille2"}) == {"town": 0}


def test_the_overview_links_to_what_it_names(page):
    town, zeta = page.locator(".remarks .warning").all_inner_texts()
    assert town.startswith("town says nearly everything about the class on its own")
    assert zeta.startswith("zeta is distributed otherwise in holdout (PSI")
    assert page.locator(".remarks .converted").inner_text() == "alpha was text, is a number now"
    page.click(".remarks .converted a")
    assert open_card(page) == "alpha"
    page.keyboard.press("o")
    assert page.locator(".small-card").count() == 5
    page.click(".gaps a")
    assert open_card(page) == "noise"


def test_words_explain_themselves(page):
    choose(page, "zeta")
    page.hover("#pane .figures .term >> nth=1")
    assert page.inner_text("#tip").startswith("Information value")
    page.hover("#ranking th[data-key=x] button")
    assert "PSI" in page.inner_text("#tip")


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
    page.keyboard.press("j")
    first = open_card(page)
    assert first == names(page)[0]
    page.keyboard.press("j")
    second = open_card(page)
    page.keyboard.press("ArrowDown")
    assert open_card(page) not in (first, second)
    page.keyboard.press("k")
    assert open_card(page) == second
    page.focus(".after svg")
    page.keyboard.press("ArrowDown")
    assert page.is_visible("#tip")
    said = page.inner_text("#live")
    assert "rows" in said
    assert "yes" in said


def test_data_cannot_run_as_a_script(page):
    page.click("tr:has-text('alert(1)') a")
    assert open_card(page) == "<script>alert(1)</script>"
    assert page.locator("#pane b:has-text('x')").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_shows_everything_within_its_width(open_page, scheme):
    page = open_page(390, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    choose(page, "town")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.is_visible(".after svg")
    assert page.is_visible(".scroll-hint >> nth=1")
    assert not page.is_visible("#ranking")
    page.click(".back")
    assert page.is_visible("#ranking")


@pytest.mark.parametrize("width", [1100, 1400])
def test_the_list_is_as_wide_as_what_it_holds(open_page, width):
    page = open_page(width)
    held, wide = page.eval_on_selector(".list .scroll", "s => [s.scrollWidth, s.clientWidth]")
    assert held <= wide


READ_CONTRASTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const groundOf = (node) => parse(getComputedStyle(node).backgroundColor);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const node = walker.currentNode.parentElement;
    if (!text || !node.checkVisibility() || node.closest("svg, script, noscript")) continue;
    let ground = node;
    while (ground !== document.body && (groundOf(ground)[3] ?? 1) === 0)
      ground = ground.parentElement;
    const colours = [parse(getComputedStyle(node).color), groundOf(ground)];
    const [low, high] = colours.map(light).sort((a, b) => a - b);
    found.push([text.slice(0, 30), (high + 0.05) / (low + 0.05)]);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_text_has_the_contrast_of_level_aa(open_page, width, scheme):
    for address in ("", "#zeta"):
        found = open_page(width, scheme, address).evaluate(READ_CONTRASTS)
        assert len(found) > 30
        assert [pair for pair in found if pair[1] < 4.5] == []


def test_print_shows_every_column_that_is_listed_several_on_a_page(page, tmp_path):
    page.click("[data-show=useful]")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".printed h2").all_inner_texts() == names(page)
    assert page.locator(".printed svg").count() == 5
    boxes = [page.locator(".printed").nth(i).bounding_box() for i in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    page.pdf(path=tmp_path / "report.pdf")
    assert Path(tmp_path / "report.pdf").stat().st_size > 10_000
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".printed").count() == 0


def test_a_comparison_opens_with_what_moved(browser, tmp_path):
    old, new = make_frame(1500, 4), make_frame(600, 5, shift=1.5)
    model = pt.TablePartitioner().fit(old, target="class")
    _, found = compare_rows(model, new.drop("class"), new["class"], None, "new.csv")
    found.save(tmp_path / "compare.html")
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "compare.html").as_uri())
    assert open_card(page) == "What moved"
    assert names(page)[0] == "zeta"
    assert "zeta in new data:" in page.locator(".remarks li >> nth=0").inner_text()
    page.click(".remarks a >> nth=0")
    assert open_card(page) == "zeta"
    assert page.locator(".after .sample").count() > 2
    page.close()
    assert said == []


def test_times_are_drawn_in_their_zone(browser, tmp_path):
    times = pl.datetime_range(
        pl.datetime(2024, 10, 27), pl.datetime(2024, 10, 27, 2), "1m", time_zone="UTC", eager=True
    )
    frame = pl.DataFrame({"at": times.dt.convert_time_zone("Asia/Tokyo"), "class": times.dt.hour()})
    frame.write_parquet(tmp_path / "d.parquet")
    words = ["report", str(tmp_path / "d.parquet"), "--target", "class", "--out"]
    assert cli.main([*words, str(tmp_path / "out")]) == 0
    page = browser.new_page()
    page.goto((tmp_path / "out" / "report.html").as_uri() + "#at")
    drawn = " ".join(page.locator(".before text").all_text_contents())
    page.close()
    assert "10-27 09:00" in drawn
    assert "10-27 11:00" in drawn


def test_a_number_has_boxes_means_and_a_ribbon(browser, tmp_path):
    rng = np.random.default_rng(0)
    age = rng.uniform(18, 80, 900)
    frame = pl.DataFrame(
        {
            "age": age,
            "town": rng.choice(["Lyon", "Nice"], 900),
            "price": np.exp(3 + (age > 50) + 0.5 * rng.normal(size=900)),
        }
    )
    model = pt.TablePartitioner()
    profiles = fit_with_profiles(model, frame, "price")
    held = count_sample("new", model.partitions_, frame.drop("price"), frame["price"].to_numpy())
    path = tmp_path / "number.html"
    summary = summarize(model, source="a.csv", profiles=profiles, samples=[held])
    path.write_text(render_page(summary), encoding="utf-8")
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    assert page.locator(".tiles").inner_text().count("of price") == 3
    choose(page, "age")
    n_parts = model.partitions_["age"].n_parts
    assert page.locator(".after .box").count() == n_parts
    assert page.locator(".after .sample").count() == n_parts
    assert page.locator(".before .ribbon").count() == 1
    assert page.locator(".before .curve").count() == 1
    page.click("[data-measure=bars]")
    assert page.locator(".after .whisker").count() == n_parts
    assert "Median" in page.locator("table.parts thead").first.inner_text()
    choose(page, "town")
    assert page.locator(".before svg").count() == 1
    page.close()
    assert said == []
