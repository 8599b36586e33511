"""Take the picture of the studio for the documentation: ``python tools/make_studio_picture.py``.

Needs Chromium, and playwright from the extra ``browser``.
"""

import shutil
import tempfile
from pathlib import Path

import polars as pl
from playwright.sync_api import sync_playwright

from partage._estimators.table_model import TableModel
from partage._report.example import make_loans
from partage._report.making import Request
from partage.studio.opening import Opening, open_table

TARGET = Path(__file__).parents[1] / "docs" / "images" / "studio.png"
SIZE = {"width": 1400, "height": 900}


def main() -> None:
    """Open the loans of the demo, move a border, and keep what the window shows."""
    loans = pl.from_pandas(make_loans(5_000, seed=1)).drop("folder", "currency")
    request = Request(frame=loans, target="outcome", source="loans.csv", holdout=0.3)
    model = TableModel(cut_style="simple")
    with (
        tempfile.TemporaryDirectory() as folder,
        open_table(model, request, Opening(Path(folder) / "model.json", who="Ada")) as studio,
        sync_playwright() as engine,
    ):
        browser = engine.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(studio.url)
        page.wait_for_selector("html[data-ready]")
        page.click("[data-status=signed]")
        page.wait_for_selector("[data-status=signed][aria-pressed=true]")
        page.click("tr[data-name=income]")
        page.wait_for_selector(".handle")
        page.fill("#reason", "policy 7: round limits")
        page.fill("#cut", "2000")
        page.press("#cut", "Enter")
        page.wait_for_selector("#history li")
        box = page.locator(".handle[data-index='0'] .grip").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 24, y, steps=4)
        page.wait_for_timeout(600)
        page.screenshot(path=TARGET)
        page.mouse.up()
        browser.close()


if __name__ == "__main__":
    main()
