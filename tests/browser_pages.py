"""What a page in a browser shows, for its tests."""

import pytest

# Width of the window and its colours.
LOOKS = [(width, scheme) for width in (1400, 390) for scheme in ("light", "dark")]
in_every_look = pytest.mark.parametrize(
    "look", LOOKS, ids=[f"{width}-{scheme}" for width, scheme in LOOKS], indirect=True
)


def names(page):
    """Return the columns of the list that are shown, in order."""
    return page.eval_on_selector_all(
        "#ranking tbody tr:not([hidden])", "rows => rows.map(row => row.dataset.name)"
    )


def open_card(page):
    """Return the title of what is open."""
    return page.locator("#pane h2").inner_text()


def choose(page, name):
    """Click on a column of the list, which a narrow window shows without a card."""
    if not page.is_visible("#ranking"):
        page.click(".back")
    page.click(f"tr[data-name='{name}'] a")


def start_again(page):
    """Show the overview and the whole list, by level, whatever was done before."""
    page.evaluate(
        """() => {
          history.pushState(null, "", "#/");
          dispatchEvent(new PopStateEvent("popstate"));
          const search = document.getElementById("search");
          search.value = "";
          search.dispatchEvent(new Event("input"));
          document.querySelector("[data-show=all]").click();
          const level = document.querySelector("#ranking th[data-key=l]");
          while (level.getAttribute("aria-sort") !== "descending") level.firstChild.click();
          document.activeElement.blur();
          scrollTo(0, 0);
        }"""
    )


def go_to(page, address):
    """Open an address of the page, as a link of another one does."""
    page.evaluate(
        "address => { history.pushState(null, '', address);"
        " dispatchEvent(new PopStateEvent('popstate')); }",
        address,
    )
