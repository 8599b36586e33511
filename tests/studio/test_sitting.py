"""A whole sitting in a browser: every number on the page is the library's on the same edits."""

import pytest

import partage as pt
from partage._display.tables import strength
from studio_client import make_rows, open_rows


def facts(page):
    """Numbers of the table beside the chart, by name: what is shown now."""
    return page.eval_on_selector_all(
        "#facts tr[data-fact]",
        "rows => Object.fromEntries(rows.map(row => [row.dataset.fact, row.cells[1].innerText]))",
    )


def rows_of_parts(page):
    """Cells of the table of parts."""
    return page.eval_on_selector_all(
        "#parts tbody tr",
        "rows => rows.map(row => [...row.cells].map("
        "cell => (cell.querySelector('.data') || cell).innerText.trim()))",
    )


def minus(text):
    """Write the sign of a page as Python has it."""
    return text.replace("\u2212", "-")


def drop_value(page):
    """Drag the first value to a part; a list that is drawn anew under the mouse lets go of it."""
    page.wait_for_load_state("networkidle")
    n_edits = page.locator("#history li").count()
    for _ in range(4):
        page.drag_and_drop(".values li:first-child", "#parts tr[data-part='1']")
        page.wait_for_timeout(1500)
        if page.locator("#history li").count() > n_edits:
            return


def check(page, partition, start, n_edits):
    """Compare the numbers of the page with those of the library."""
    page.wait_for_function(
        "n => document.querySelectorAll('#history li').length === n", arg=n_edits
    )
    shown, told = facts(page), strength(partition)
    table = partition.table().to_pandas()
    assert minus(shown["bits"]) == f"{table['bits'].iloc[-1] + 0.0:.1f}"
    assert shown["level"] == f"{partition.level:.4f}"
    assert shown["iv"] == f"{told['iv']:.4f}"
    assert shown["gini"] == f"{told['gini']:.4f}"
    assert shown["parts"] == str(partition.n_parts)
    by_name = table.set_index("part")
    shown_parts = rows_of_parts(page)
    assert len(shown_parts) >= partition.n_parts
    for row in shown_parts:
        name = row[1]
        wanted = by_name.loc[name]
        assert row[2].replace(",", "") == str(int(wanted["count"])), name
        assert row[4] == f"{100 * wanted['event_rate']:.1f}%", name
        assert minus(row[5]) == f"{wanted['woe']:+.3f}".replace("+0.000", "0.000"), name
        assert row[6] == f"{wanted['iv']:.4f}", name
    actions = page.eval_on_selector_all("#history code", "all => all.map(one => one.textContent)")
    assert actions[::-1] == [edit.action for edit in partition.history]
    prices = page.eval_on_selector_all("#history b", "all => all.map(one => one.textContent)")
    assert [minus(one) for one in prices[::-1]] == [
        f"{edit.price:+.2f} bits" for edit in partition.history
    ]
    assert strength(start)["iv"] >= 0


def drag(page, index, by):
    """Drag a border so many pixels."""
    page.locator(f".handle[data-index='{index}']").scroll_into_view_if_needed()
    box = page.locator(f".handle[data-index='{index}'] .grip").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by / 2, y, steps=3)
    page.mouse.move(x + by, y, steps=3)
    page.wait_for_timeout(50)
    page.mouse.up()


@pytest.fixture
def window(browser):
    """Open addresses in one window; fail on anything the console says."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append("dialog") or dialog.dismiss())
    hosts = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    yield page, said
    context.close()
    assert {host.split(":")[0] for host in hosts} <= {"127.0.0.1", ""}


def enter(page, studio, column):
    """Open the first address and a column."""
    page.goto(studio.url)
    page.wait_for_selector("html[data-ready]")
    assert "token" not in page.url
    page.click(f"tr[data-name='{column}']")
    page.wait_for_function(
        "name => document.querySelector('#pane h2')?.innerText === name", arg=column
    )


def test_a_whole_sitting(window, tmp_path):
    page, said = window
    path = tmp_path / "model.json"
    with open_rows(path) as studio:
        enter(page, studio, "age")
        at = lambda name: studio.model.partitions_[name]  # noqa: E731
        p = start = at("age")
        # Drag a border, freely and to a round number.
        page.uncheck("#round")
        page.fill("#reason", "policy 7")
        drag(page, 0, 47)
        page.wait_for_selector("#history li")
        assert at("age").cuts[0] != start.cuts[0]
        p = p.set_cuts(at("age").cuts.tolist())
        check(page, p, start, 1)
        assert "policy 7" in page.inner_text("#history")
        page.check("#round")
        drag(page, 0, 25)
        page.wait_for_function("() => document.querySelectorAll('#history li').length === 2")
        assert at("age").cuts[0] % 5 == 0
        p = p.set_cuts(at("age").cuts.tolist())
        check(page, p, start, 2)
        # Split by a click on the chart, and by typing; merge by a key and by choosing.
        box = page.locator(".spot-chart svg.cuttable").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.93, box["y"] + 120)
        page.wait_for_function("() => document.querySelectorAll('#history li').length === 3")
        (new,) = set(at("age").cuts.tolist()) - set(p.cuts.tolist())
        p = p.split(int(p.assign([new])[0]), at=new)
        check(page, p, start, 3)
        page.fill("#cut", "25.5")
        page.press("#cut", "Enter")
        p = p.split(0, at=25.5)
        check(page, p, start, 4)
        page.focus(".handle[data-index='0']")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => document.querySelectorAll('#history li').length === 5")
        p = p.set_cuts(at("age").cuts)
        assert p.cuts[0] < 25.5
        check(page, p, start, 5)
        page.keyboard.press("Delete")
        p = p.merge(0, 1)
        check(page, p, start, 6)
        n_last = p.n_parts - 1
        page.check(f"#parts tr[data-part='{n_last}'] input")
        page.check(f"#parts tr[data-part='{n_last - 1}'] input")
        page.click("#merge")
        p = p.merge(n_last - 1, n_last)
        check(page, p, start, 7)
        # Lock a border, set limits, and look for the best parts.
        locked = float(p.cuts[0])
        page.focus(".handle[data-index='0']")
        page.keyboard.press("l")
        page.wait_for_selector(".handle.locked")
        page.fill("[data-limit=max_parts]", "3")
        page.press("[data-limit=max_parts]", "Enter")
        page.wait_for_timeout(200)
        page.click("#optimize")
        p = p.optimize(locked=[locked], max_parts=3)
        check(page, p, start, 8)
        assert locked in at("age").cuts.tolist()
        # Undo and redo.
        page.keyboard.press("Escape")
        page.click("#pane h2")
        page.keyboard.press("u")
        check(page, p.undo(), start, 7)
        page.keyboard.press("r")
        check(page, p, start, 8)
        ages = p
        # Values of a category, dragged and sent; missing values joined.
        page.click("tr[data-name=town]")
        page.fill("#value-search", "town 3")
        page.wait_for_selector(".values li")
        page.select_option("#value-group", "0")
        page.wait_for_function(
            "() => !document.querySelector(\".values li:not([data-group='0'])\")"
        )
        p = start = at("town")
        text = page.inner_text(".values li:first-child .name")
        drop_value(page)
        p = p.move([text], to=1)
        check(page, p, start, 1)
        page.wait_for_function(
            "moved => document.querySelector('.values li .name').innerText !== moved", arg=text
        )
        text = page.inner_text(".values li:first-child .name")
        page.check(".values li:first-child input")
        page.select_option("#value-to", "new")
        page.click("#value-move")
        p = p.split(0, at=[text])
        check(page, p, start, 2)
        towns = p
        page.click("tr[data-name=income]")
        page.wait_for_selector("[data-beside=missing]")
        p = start = at("income")
        page.select_option("[data-beside=missing]", "1")
        p = p.merge(1, "missing")
        check(page, p, start, 1)
        # Note, sign, card, save.
        page.fill("#note", "asked <b>Bob</b>")
        page.press("#note", "Tab")
        page.wait_for_timeout(100)
        page.click("[data-status=signed]")
        page.wait_for_selector("[data-status=signed][aria-pressed=true]")
        page.click("tr[data-name=age]")
        page.wait_for_function("() => document.querySelector('#pane h2').innerText === 'age'")
        page.click("[data-status=signed]")
        page.wait_for_function(
            "() => document.querySelector('#card-line').innerText.includes('2 signed')"
        )
        page.click("#to-card")
        page.wait_for_selector("#card-points")
        check_card(page, studio, {"age": ages, "income": p})
        page.click("#to-export")
        for name, ending in {"sql": "CASE", "python": "def transform", "document": "<html"}.items():
            with page.expect_download() as download:
                page.click(f"[data-export={name}]")
            text = download.value.path().read_text(encoding="utf-8")
            assert ending in text
        page.click("#save")
        page.wait_for_function("() => document.querySelector('#saved').textContent === 'saved'")
    # Reopened, all is there.
    with open_rows(path) as studio:
        enter(page, studio, "income")
        assert page.input_value("#note") == "asked <b>Bob</b>"
        check(page, p, start, 1)
        page.click("tr[data-name=town]")
        page.wait_for_selector(".values li")
        check(page, towns, towns, 2)
    assert said == []
    assert pt.load(path).partitions_["age"].cuts.tolist() == ages.cuts.tolist()


def check_card(page, studio, partitions):
    """Compare the card of the page with one that the library fits."""
    rows = studio._desk.rows
    names = [name for name in studio.model.partitions_ if name in partitions]
    card = pt.Scorecard(
        partitions={name: partitions[name] for name in names},
        min_parts=1,
        rounded=True,
        positive="late",
    ).fit(rows.frame.select(names), rows.frame["status"])
    points = page.eval_on_selector_all(
        "#card-points tbody tr",
        "rows => rows.map(r => [r.cells[1].innerText, r.cells[6].innerText])",
    )
    table = card.table().to_pandas()
    assert points == [[row["part"], f"{row['points']:,.0f}"] for _, row in table.iterrows()]
    auc = page.inner_text("#measures dd >> nth=0")
    assert auc == f"{card._fitted_measures['auc']:.4f}"


def test_two_windows_are_told_of_each_other(browser, tmp_path):
    with open_rows(tmp_path / "model.json") as studio:
        context = browser.new_context(viewport={"width": 1400, "height": 1000})
        first, second = context.new_page(), context.new_page()
        for page in (first, second):
            enter(page, studio, "age")
        first.focus(".handle[data-index='0']")
        first.keyboard.press("Delete")
        second.wait_for_selector("#history li")  # heard of it at once
        assert facts(first) == facts(second)
        context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_it_fits_its_window_and_names_are_text(browser, tmp_path, width, scheme):
    with open_rows(tmp_path / "model.json") as studio:
        context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
        page, said = context.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.on("dialog", lambda dialog: said.append("dialog") or dialog.dismiss())
        page.goto(studio.url)
        page.wait_for_selector("html[data-ready]")
        for row in page.query_selector_all("#ranking tbody tr"):
            if not row.is_visible():
                page.click(".back")
            row.click()
            page.wait_for_selector("#facts")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, row.get_attribute("data-name")
        assert page.evaluate("document.querySelectorAll('#pane img, #pane b.x').length") == 0
        assert said == []
        context.close()


def test_a_read_only_page_has_nothing_to_press(browser, tmp_path):
    with open_rows(tmp_path / "model.json", make_rows(400), read_only=True) as studio:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        enter(page, studio, "age")
        for name in ("#undo", "#optimize", "#note", "[data-status=signed]", "#save"):
            assert page.is_disabled(name), name
        page.close()
