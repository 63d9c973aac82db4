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


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that opens the page of an evaluation.

    Errors and requests fail the test at its end.
    """
    contexts, wrong = [], []

    def open_(ev: Any, *, width: int = 1280, scheme: str = "light", **options: Any) -> Any:
        path = tmp_path / f"page{len(contexts)}.html"
        ev.to_html(path, **options)
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on(
            "request", lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(f"request: {asked.url}")
        )
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not wrong, wrong
