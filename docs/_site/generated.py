"""The pages that are written at build time: measures, settings, and the reference."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

FOLDERS = ("measures", "settings", "reference")
log = logging.getLogger(__name__)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each generated page in the manual, without its ending, and its text."""
    import measure_pages
    import reference_pages
    import setting_pages

    for of in (measure_pages, setting_pages, reference_pages):
        yield from of.pages()


def write(source: Path) -> None:
    """Write all pages into the folder of the manual; files whose text is the same are left as they are.

    Files of former pages are removed.
    """
    written = set()
    for name, text in pages():
        path = source / f"{name}.md"
        written.add(path)
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    for folder in FOLDERS:
        for path in (source / folder).rglob("*.md"):
            if path not in written:
                path.unlink()


def _build(app: Sphinx) -> None:
    started = time.process_time()
    write(Path(app.srcdir))
    log.info("generated pages: %.1f s", time.process_time() - started)


def _reached(app: Sphinx, tree: object) -> None:
    """Note that the tables of an index lead to a page.

    In a table of contents, hundreds of pages would make each one slow.
    """
    name = app.env.current_document.docname
    if name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and not name.endswith("/index"):
        app.env.metadata[name]["orphan"] = True


def _around(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Give a generated page its way up and its neighbors.

    The theme would list all pages next to each of hundreds.
    """
    from neighbors import neighbors

    folder, _, rest = name.partition("/")
    if folder not in FOLDERS:
        return
    context["sidebars"] = []
    if (found := neighbors(name)) is not None:
        links = [(None if page == name else app.builder.get_relative_uri(name, page), title) for page, title in found.pages]
        context["sidebars"], context["neighbors"] = ["neighbors.html"], {"title": found.title, "links": links}
    if rest and not name.endswith("/index") and not context.get("parents"):
        context["parents"] = [
            {"link": app.builder.get_relative_uri(name, up), "title": title} for up, title in _way_up(folder, rest)
        ]


def _way_up(folder: str, rest: str) -> Iterator[tuple[str, str]]:
    yield f"{folder}/index", folder.capitalize()
    if "/" in rest:
        space = rest.partition("/")[0]
        yield f"{folder}/{space}/index", f"ix.{space}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for them."""
    app.connect("builder-inited", _build)
    app.connect("doctree-read", _reached)
    app.connect("html-page-context", _around, priority=400)  # before the theme makes its lists
    app.add_css_file("generated.css")
    app.add_js_file("filter.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
