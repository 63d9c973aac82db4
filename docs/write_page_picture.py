"""Draw docs/images/report-page.png: the page that ten-minutes.md writes, as Chromium shows it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix

PICTURE = Path(__file__).parent / "images" / "report-page.png"
SIZE = {"width": 1180, "height": 1288}  # down to the last row of the matrix


def digits() -> ix.Evaluation:
    """Return the evaluation of section 6 of ten-minutes.md."""
    data, labels = load_digits(return_X_y=True)
    train, test, y_train, y_test = train_test_split(data, labels, test_size=0.5, random_state=0, stratify=labels)
    return ix.evaluate(y_test, GaussianNB().fit(train, y_train).predict(test))


def draw() -> None:
    """Write the page to a temporary file and take a picture of its top."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        digits().to_html(path, title="Handwritten digits")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light", device_scale_factor=2)  # sharp on dense screens
        page.goto(path.as_uri())
        page.screenshot(path=PICTURE)
        browser.close()
    Image.open(PICTURE).convert("RGB").quantize(128).save(PICTURE, optimize=True)  # few colors: a small file


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    draw()
