"""The page in a real browser: narrow and wide, light and dark, on paper; other pages like it."""

from pathlib import Path

import numpy as np
import polars as pl

import partage as pt
from browser_pages import choose, go_to, in_every_look, names, open_card
from partage import cli
from partage._report.comparing import compare_rows
from partage._report.html import render_page
from partage._report.profile import fit_with_profiles
from partage._report.samples import count_sample
from partage._report.summary import summarize


@in_every_look
def test_everything_is_within_the_width_of_the_window(page, look):
    width = look[0]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    choose(page, "town")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.is_visible(".after svg")
    if width > 1000:
        assert page.is_visible("#ranking")
        held, wide = page.eval_on_selector(".list .scroll", "s => [s.scrollWidth, s.clientWidth]")
        assert held <= wide
        return
    assert page.is_visible(".scroll-hint >> nth=1")
    page.click(".back")
    go_to(page, "#/")
    page.click(".to-list")
    assert page.evaluate("document.getElementById('columns').getBoundingClientRect().top") < 450
    choose(page, "town")
    assert not page.is_visible("#ranking")
    page.click(".back")
    assert page.is_visible("#ranking")


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


@in_every_look
def test_text_has_the_contrast_of_level_aa(page):
    for address in ("#/", "#zeta", "#town", "#noise"):
        go_to(page, address)
        found = page.evaluate(READ_CONTRASTS)
        assert len(found) > 30
        assert [pair for pair in found if pair[1] < 4.5] == []


@in_every_look
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
    page.emulate_media(media="screen")
    assert page.locator(".printed").count() == 0


def test_a_notebook_shows_the_page_and_its_links_stay_inside(browser, rows_of_pages, tmp_path):
    shown = pt.report(rows_of_pages[0], target="class", title="rows")
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><h2>Notebook</h2>{shown._repr_html_()}", encoding="utf-8")
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    inside = page.frames[1]
    inside.click("tr[data-name=zeta] a")
    assert inside.locator("#pane h2").inner_text() == "zeta"
    inside.click(".related a, #overview")
    assert inside.locator("#pane h2").inner_text() == "What predicts class"
    assert page.url == path.as_uri()
    page.close()
    assert said == []


def test_a_comparison_opens_with_what_moved(browser, rows_of_pages, tmp_path):
    old, new = rows_of_pages
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
