"""Take the picture of the report for the README: ``python tools/make_screenshot.py``.

Needs Chromium, and playwright from the extra ``browser``.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from partage import cli

TARGET = Path(__file__).parents[1] / "docs" / "images" / "report.png"
SIZE = {"width": 1280, "height": 800}


def main() -> None:
    """Run the demo, open a column of its report and keep what the window shows."""
    with tempfile.TemporaryDirectory() as folder:
        cli.main(["demo", "--out", folder])
        with sync_playwright() as engine:
            browser = engine.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto(Path(folder, "report.html").as_uri())
            page.click("tr[data-name=income] a")
            page.mouse.move(0, 0)
            page.wait_for_timeout(300)
            page.screenshot(path=TARGET)
            browser.close()


if __name__ == "__main__":
    main()
