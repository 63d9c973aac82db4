"""Blocks of code end with their last line.

Doctest needs an empty line before the fence, which no reader should see.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def trim(app: Sphinx, page: nodes.document) -> None:
    """Cut empty lines at the end of each block."""
    for block in page.findall(nodes.literal_block):
        text = block.astext().rstrip("\n")
        if block.rawsource == block.astext() != text:
            block.rawsource, block.children = text, [nodes.Text(text)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Trim each page after it was read."""
    app.connect("doctree-read", trim)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
