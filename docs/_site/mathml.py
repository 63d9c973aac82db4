"""Formulas as MathML: every browser shows it, and the page needs neither a program nor fonts for it."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def inline(page: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    page.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(page: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    page.body.append(page.starttag(node, "div", "", CLASS="math"))  # with the anchors of what points here
    page.body.append(f"{convert(node.astext(), display='block')}</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer of formulas."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
