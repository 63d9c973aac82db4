"""Blocks of code end with their last line, and long sentences in them are seen whole.

Doctest needs an empty line before the fence, which no reader should see.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

WIDE = 96  # characters that a page on a usual screen shows without scrolling
SENTENCE = re.compile(r"\S+(?: \S+)+")  # words with single spaces: no row of a table


def trim(app: Sphinx, page: nodes.document) -> None:
    """Cut empty lines at the end of each block, and let a block wrap whose wide lines are all sentences."""
    for block in page.findall(nodes.literal_block):
        text = block.astext().rstrip("\n")
        if block.rawsource == block.astext() != text:
            block.rawsource, block.children = text, [nodes.Text(text)]
        wide = [line.strip() for line in text.split("\n") if len(line) > WIDE]
        if wide and all(SENTENCE.fullmatch(line) for line in wide):
            block["classes"].append("wrapped")


def setup(app: Sphinx) -> dict[str, Any]:
    """Trim each page after it was read."""
    app.connect("doctree-read", trim)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
