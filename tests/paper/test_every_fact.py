"""No fact about the paper is left out: each group has its checkers."""

from __future__ import annotations

import re
from pathlib import Path

from facts import FACTS

BY_NAME = {"ap"}  # one fact, checked variant by variant in test_score_facts


def test_every_group_has_checkers():
    sources = [path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    lists = [found for text in sources for found in re.findall(r"^checks? = Checkers\(([^)]*)\)", text, re.MULTILINE)]
    checked = {group for found in lists for group in re.findall(r'"(\w+)"', found)}
    assert checked | BY_NAME == {name.partition(".")[0] for name in FACTS}
