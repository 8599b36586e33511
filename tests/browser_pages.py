"""What a page in a browser shows, for its tests."""


def names(page):
    """Return the columns of the list that are shown, in order."""
    return page.eval_on_selector_all(
        "#ranking tbody tr:not([hidden])", "rows => rows.map(row => row.dataset.name)"
    )


def open_card(page):
    """Return the title of what is open."""
    return page.locator("#pane h2").inner_text()


def choose(page, name):
    """Click on a column of the list."""
    page.click(f"tr[data-name='{name}'] a")
