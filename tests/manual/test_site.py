"""The built site: no warning, no broken link, readable for all, small, on no network; and readers find what they look for.

``INDICATRIX_SITE`` names a site that is built already; otherwise it is built in a temporary folder, as from a fresh clone.
"""

from __future__ import annotations

import gzip
import html
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

pytestmark = pytest.mark.slow
HOME = Path(__file__).parents[2]
KINDS = ("index", "choose/which-measure", "measures/f1", "guides/binary", "gallery/index")  # one page of each kind
QUESTIONS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text("utf-8"))["questions"]
HEAVIEST = 300_000  # bytes of a page as it is served, with all that it loads but pictures
WRITTEN = ("_build", "gallery", "measures", "settings", "reference", "jupyter_execute")  # folders of docs/ that a build makes
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
LINK = re.compile(r'<(?:a|link|script|img|source|iframe)\b[^>]*?\b(?:href|src)="([^"]*)"')
ANCHOR = re.compile(r'\b(?:id|name)="([^"]*)"')
LOADED = re.compile(r'<(?:link\b[^>]*rel="stylesheet"[^>]*?href|script\b[^>]*?src)="([^"?]*)')
IMPACTS = ("serious", "critical")


@dataclass(frozen=True)
class Site:
    """The pages, and what building them said."""

    folder: Path
    said: str

    @cached_property
    def pages(self) -> dict[str, str]:
        """Each page by its address, without what Sphinx only copies."""
        found = sorted(self.folder.rglob("*.html"))
        return {str(path.relative_to(self.folder)): path.read_text("utf-8") for path in found if "_static" not in path.parts}

    @cached_property
    def links(self) -> dict[str, set[str]]:
        """Addresses, with anchors, that each page links to or loads, inside of the site."""
        return {page: {*inside(page, LINK.findall(text))} for page, text in self.pages.items()}


def inside(page: str, links: list[str]) -> Iterator[str]:
    """Yield the addresses of links of a page to the site itself, from its top."""
    for link in links:
        if link and not ELSEWHERE.match(link):
            path, _, anchor = html.unescape(link).partition("#")
            path = path.partition("?")[0]
            place = os.path.normpath(os.path.join(os.path.dirname(page), unquote(path))) if path else page
            yield place + (f"#{unquote(anchor)}" if anchor else "")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the site, built where nothing was built before."""
    if given := os.environ.get("INDICATRIX_SITE"):
        return Site(Path(given), "")
    for library in ("sphinx", "myst_nb", "pydata_sphinx_theme", "sphinx_gallery"):
        pytest.importorskip(library, reason=f"needs {library}, of the extra docs")
    copy = tmp_path_factory.mktemp("clone")
    for path in HOME.iterdir():
        if path.is_file():
            shutil.copy(path, copy)  # a page that includes one looks for its links from where the file is
        elif path.name != "docs" and not path.name.startswith("."):
            (copy / path.name).symlink_to(path)
    shutil.copytree(HOME / "docs", copy / "docs", ignore=lambda at, _: WRITTEN if Path(at) == HOME / "docs" else ())
    # One process: others test meanwhile, and to hand pages from one to the other would cost a fifth more.
    command = [sys.executable, "-m", "sphinx", "--quiet", "--nitpicky", "--fail-on-warning", "--keep-going", "docs", "html"]
    environment = {**os.environ, "PYTHONPATH": str(HOME / "src"), "PYTHONWARNINGS": ""}
    built = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    assert (copy / "html" / "index.html").exists(), built.stdout + built.stderr
    return Site(copy / "html", built.stdout + built.stderr if built.returncode else "")


@pytest.fixture(scope="module")
def open_site(browser: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page of the site as a file; errors and requests elsewhere fail the last test."""
    contexts, wrong = [], []

    def open_(page: str) -> Any:
        how = {"color_scheme": "light", "reduced_motion": "reduce"}  # a button that fades has any color for a while
        context = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True, **how)
        contexts.append(context)
        shown = context.new_page()
        shown.on("pageerror", lambda error: wrong.append(f"{page}: {error}"))
        shown.on("console", lambda message: wrong.append(f"{page}: {message.text}") if message.type == "error" else None)
        shown.on("request", lambda asked: None if local(asked.url) else wrong.append(f"{page} asks for {asked.url}"))
        shown.goto((site.folder / page).as_uri())
        return shown

    yield open_
    for context in contexts:
        context.close()
    assert not wrong, wrong


@pytest.fixture(scope="module", params=KINDS)
def shown(request: pytest.FixtureRequest, open_site: Callable[..., Any]) -> Any:
    """Return a page of each kind, opened once: each test leaves it light, and as wide as a screen."""
    return open_site(f"{request.param}.html")


def local(url: str) -> bool:
    return url.startswith(("file:", "data:", "blob:"))


def test_building_warns_of_nothing(site: Site) -> None:
    assert site.said == ""
    assert {f"{kind}.html" for kind in KINDS} <= set(site.pages)


def test_every_link_leads_somewhere(site: Site) -> None:
    anchors: dict[str, set[str]] = {}

    def there(link: str) -> bool:
        path, _, anchor = link.partition("#")
        if path not in site.pages:
            return (site.folder / path).exists()
        if path not in anchors:
            anchors[path] = {html.unescape(found) for found in ANCHOR.findall(site.pages[path])}
        return not anchor or anchor == "top" or anchor in anchors[path]

    broken = {page: sorted(link for link in links if not there(link)) for page, links in site.links.items()}
    assert {page: links for page, links in broken.items() if links} == {}
    assert sum(map(len, site.links.values())) > 1000


def test_pages_are_small_as_they_are_served(site: Site) -> None:
    @cache
    def served(path: Path) -> int:
        return len(gzip.compress(path.read_bytes(), 6))

    def weight(page: str, text: str) -> int:
        own = len(gzip.compress(text.encode(), 6))
        return own + sum(served(site.folder / path) for path in {*inside(page, LOADED.findall(text))})

    heavy = {page: weight(page, text) for page, text in site.pages.items()}
    assert {page: size for page, size in heavy.items() if size >= HEAVIEST} == {}


def test_nothing_comes_from_another_host(site: Site) -> None:
    asked = re.compile(r'<(?:link|script|img|iframe|source)\b[^>]*?(?:href|src)="(?:https?:)?//[^"]*"')
    found = {page: asked.findall(text) for page, text in site.pages.items()}
    assert {page: links for page, links in found.items() if links} == {}
    styles = [
        path
        for path in (site.folder / "_static").rglob("*.css")
        if re.search(r"url\(\s*['\"]?(?:https?:)?//", path.read_text("utf-8"))
    ]
    assert styles == []


def test_pages_are_accessible(shown: Any) -> None:
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="needs pip install axe-core-python")

    def serious(**options: Any) -> list[tuple[str, str]]:
        found = axe.Axe().run(shown, options={"resultTypes": ["violations"], **options})
        assert found["passes"]  # it did look
        bad = [violation for violation in found["violations"] if violation["impact"] in IMPACTS]
        return [(violation["id"], node["html"]) for violation in bad for node in violation["nodes"]]

    assert shown.evaluate("document.documentElement.dataset.theme") == "light"
    assert serious() == []
    shown.emulate_media(color_scheme="dark")
    shown.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    assert serious(runOnly=["color-contrast"]) == []  # the others are of the same elements
    back_to_light(shown)


def test_pages_fit_a_phone_and_paper(shown: Any) -> None:
    shown.set_viewport_size({"width": 400, "height": 900})
    assert shown.evaluate("document.documentElement.scrollWidth") <= 400
    shown.set_viewport_size({"width": 1400, "height": 900})
    assert shown.evaluate("document.documentElement.scrollWidth") <= 1400
    assert shown.locator(".bd-header").is_visible()
    shown.emulate_media(media="print", color_scheme="dark")
    assert not shown.locator(".bd-header").is_visible()
    assert shown.locator(".bd-sidebar-secondary:visible, .bd-sidebar-primary:visible").count() == 0
    shown.wait_for_function("document.documentElement.dataset.theme == 'dark'")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    back_to_light(shown)


def back_to_light(page: Any) -> None:
    page.emulate_media(media="screen", color_scheme="light")
    page.wait_for_function("document.documentElement.dataset.theme == 'light'")


def test_code_is_copied_without_prompts(open_site: Callable[..., Any]) -> None:
    page = open_site("start/ten-minutes.html")
    page.evaluate("document.addEventListener('copy', () => { window.copied = document.activeElement.value })")
    blocks = page.locator("div.highlight", has_text=">>> import indicatrix as ix")
    blocks.first.locator("button.copybtn").evaluate("button => button.click()")
    copied = page.wait_for_function("window.copied").json_value()
    assert "\nimport indicatrix as ix\n" in copied
    assert ">>>" not in copied


def test_formulas_are_shown_without_a_program(site: Site) -> None:
    assert "<math" in site.pages["measures/f1.html"]
    assert [page for page, text in site.pages.items() if re.search(r'src="[^"]*(mathjax|katex)', text, re.IGNORECASE)] == []


@cache
def distances(site: Site) -> dict[str, int]:
    """Return how many links each page is away from the front page."""
    away, now = {"index.html": 0}, ["index.html"]
    while now:
        after = []
        for page in now:
            for link in site.links.get(page, ()):
                place = link.partition("#")[0]
                if place in site.pages and place not in away and place not in ("search.html", "genindex.html"):
                    away[place] = away[page] + 1
                    after.append(place)
        now = after
    return away


def test_thirty_questions_are_two_links_away(site: Site) -> None:
    assert len(QUESTIONS) >= 30
    far = {one["asks"]: distances(site)[one["page"] + ".html"] for one in QUESTIONS}
    assert {asks: links for asks, links in far.items() if links > 2} == {}


def test_the_search_shows_what_it_finds(open_site: Callable[..., Any], site: Site) -> None:
    page = open_site("search.html")
    page.goto((site.folder / "search.html").as_uri() + "?q=" + quote(QUESTIONS[0]["query"]))
    page.wait_for_function("document.querySelector('.search-summary')?.innerText")
    assert QUESTIONS[0]["page"] + ".html" in page.evaluate(FIRST_HITS)


def test_the_search_answers_thirty_questions(open_site: Callable[..., Any]) -> None:
    page = open_site("search.html")
    page.wait_for_function("Search.hasIndex()")
    page.evaluate(SEARCH_AT_ONCE)
    missed = {}
    for one in QUESTIONS:
        hits = page.evaluate(f"asked => {{ Search.performSearch(asked); return {FIRST_HITS} }}", one["query"])
        if one["page"] + ".html" not in hits:
            missed[one["query"]] = (one["page"], hits)
    assert missed == {}


LAST_LIST = "[...document.querySelectorAll('#search-results ul.search')].at(-1)"
FIRST_HITS = f"[...{LAST_LIST}.querySelectorAll(':scope > li > a')].slice(0, 3).map(a => a.getAttribute('href').split('#')[0])"
# The search shows one hit after the other, some milliseconds apart; here it shows three, and at once.
SEARCH_AT_ONCE = f"window.setTimeout = (next, ms) => {{ if (ms < 100 && {LAST_LIST}.children.length < 3) next() }}"
