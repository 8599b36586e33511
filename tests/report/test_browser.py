"""The page in a real browser: it answers clicks and keys, logs no error, asks no network.

What users do most is tried at both widths and in both colours, on one opened page each.
"""

import csv
from pathlib import Path

from browser_pages import choose, go_to, in_every_look, names, open_card

NAMES = ["zeta", "alpha", "town", "<script>alert(1)</script>", "noise", "day", "50% / #x"]


@in_every_look
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


@in_every_look
def test_the_search_finds_columns_and_values_or_says_that_there_are_none(page):
    page.fill("#search", "zet")
    assert names(page) == ["zeta"]
    page.fill("#search", "lyon3")
    assert names(page) == ["town"]
    assert page.inner_text("#found") == "1 of 7 columns"
    page.press("#search", "Enter")
    assert open_card(page) == "town"
    assert not page.is_visible("#nothing")
    go_to(page, "#/")
    page.fill("#search", "nowhere")
    assert names(page) == []
    assert page.inner_text("#nothing") == "No column matches."
    page.press("#search", "Escape")
    assert len(names(page)) == 7


@in_every_look
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


@in_every_look
def test_a_column_has_its_name_in_the_address_and_back_leads_back(page, look):
    assert open_card(page) == "What predicts class"
    choose(page, "zeta")
    assert page.url.endswith("#zeta")
    choose(page, "50% / #x")
    assert page.url.endswith("#50%25%20%2F%20%23x")
    assert open_card(page) == "50% / #x"
    if look[0] < 1000:  # whose list was gone back to
        page.go_back()
        assert open_card(page) == "What predicts class"
        assert page.is_visible("#ranking")
    page.go_back()
    assert open_card(page) == "zeta"
    page.go_back()
    assert open_card(page) == "What predicts class"
    page.go_forward()
    assert open_card(page) == "zeta"


@in_every_look
def test_an_address_opens_its_column(page, report_page):
    for address, card in {
        "#50%25%20%2F%20%23x": "50% / #x",
        "#100%": "What predicts class",
        "#/": "What predicts class",
    }.items():
        go_to(page, address)
        assert open_card(page) == card
    page.goto(report_page.as_uri() + "#zeta")
    page.reload()
    assert open_card(page) == "zeta"


@in_every_look
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


@in_every_look
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


@in_every_look
def test_every_card_says_why(page):
    for name in names(page):
        go_to(page, page.evaluate("name => '#' + encodeURIComponent(name)", name))
        assert open_card(page) == name
        assert "bits" in page.inner_text("#pane .why")


@in_every_look
def test_parts_can_be_ordered_by_their_rows(page):
    choose(page, "zeta")
    page.select_option("#pane .order", "rows")
    texts = page.locator(".after .mark text.soft").all_text_contents()
    sizes = [float(text.replace(",", "").rstrip("%")) for text in texts]  # shares, if narrow
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) > 2


@in_every_look
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


@in_every_look
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


@in_every_look
def test_words_explain_themselves(page):
    choose(page, "zeta")
    page.hover("#pane .figures .term >> nth=1")
    assert page.inner_text("#tip").startswith("Information value")
    if not page.is_visible("#ranking"):
        page.click(".back")
    page.hover("#ranking th[data-key=x] button")
    assert "PSI" in page.inner_text("#tip")


@in_every_look
def test_the_other_colours_are_a_click_away_and_kept(page, look):
    def ground():
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    first, is_dark = ground(), look[1] == "dark"
    page.click("#theme")
    assert ground() != first
    assert page.get_attribute("#theme", "aria-pressed") == str(not is_dark).lower()
    page.keyboard.press("d")
    assert ground() == first
    assert page.get_attribute("#theme", "aria-pressed") == str(is_dark).lower()


@in_every_look
def test_the_keyboard_is_enough(page):
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    first = open_card(page)
    assert first == names(page)[0]
    page.keyboard.press("j")
    second = open_card(page)
    if page.is_visible("#ranking"):  # else arrows scroll the card
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
    page.keyboard.press("/")
    page.keyboard.type("zet")
    assert names(page) == ["zeta"]
    assert page.is_visible("#ranking")


@in_every_look
def test_data_cannot_run_as_a_script(page):
    page.click("tr:has-text('alert(1)') a")
    assert open_card(page) == "<script>alert(1)</script>"
    assert page.locator("#pane b:has-text('x')").count() == 0
