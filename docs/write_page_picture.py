"""Draw docs/images/report-page.png: the report page of the demo, as Chromium shows it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from indicatrix.cli.tour import columns_of
from indicatrix.evaluate import evaluate

PICTURE = Path(__file__).parent / "images" / "report-page.png"
SIZE = {"width": 1180, "height": 1312}  # down to the last row of the matrix


def draw() -> None:
    """Write the page to a temporary file and take a picture of its top."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        evaluate(*columns_of("digits.csv")).to_html(path, title="Handwritten digits")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light", device_scale_factor=2)  # sharp on dense screens
        page.goto(path.as_uri())
        page.screenshot(path=PICTURE)
        browser.close()
    Image.open(PICTURE).convert("RGB").quantize(128).save(PICTURE, optimize=True)  # few colors: a small file


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    draw()
