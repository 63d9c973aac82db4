"""One browser for all tests, and pages opened in it.

Without Chromium they say so and are skipped.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
# Nothing that the browser itself would ask a network for.
QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return Chromium; without it the tests are skipped, which CI does not allow."""
    if CHROMIUM is None:
        pytest.skip("needs chromium, which is not installed: .ci/install_programs, or apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs pip install playwright")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


class Pages:
    """Pages without a network, each opened for one file after the other: a new one costs four times what another file costs."""

    def __init__(self, browser: Any) -> None:
        self.context = browser.new_context(offline=True)
        self.free: list[Any] = []
        self.used: list[Any] = []
        self.wrong: list[str] = []  # errors and requests since the last test

    def take(self, width: int, scheme: str) -> Any:
        """Return an empty page of this width, which prefers these colors."""
        page = self.free.pop() if self.free else self.listened(self.context.new_page())
        self.used.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        return page

    def listened(self, page: Any) -> Any:
        """Note what goes wrong in a page."""
        page.on("console", lambda message: self.wrong.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on(
            "request",
            lambda asked: (
                None if asked.url.startswith(("file:", "data:", "about:")) else self.wrong.append(f"request: {asked.url}")
            ),
        )
        return page

    def give_back(self) -> list[str]:
        """Empty all pages for the next test; return what went wrong."""
        for page in self.used:
            if not page.is_closed():
                page.goto("about:blank")
                self.free.append(page)
        wrong, self.used, self.wrong = self.wrong, [], []
        return wrong


@pytest.fixture(scope="session")
def pages(browser: Any) -> Iterator[Pages]:
    """Return the pages that tests open files in."""
    pages = Pages(browser)
    yield pages
    pages.context.close()


@pytest.fixture
def open_page(pages: Pages, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that opens the page of an evaluation.

    Errors and requests fail the test at its end.
    """

    def open_(ev: Any, *, width: int = 1280, scheme: str = "light", **options: Any) -> Any:
        path = tmp_path / f"page{len(pages.used)}.html"
        ev.to_html(path, **options)
        page = pages.take(width, scheme)
        page.goto(path.as_uri())
        return page

    yield open_
    wrong = pages.give_back()
    assert not wrong, wrong
