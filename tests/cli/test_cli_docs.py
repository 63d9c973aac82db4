"""Every command that the documents show is run, and prints what they show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import environment

from indicatrix.cli.tour import EXAMPLES, example

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("command-line*.md"))]
AND_SO_ON = "…"


class Block(NamedTuple):
    """A block of a page: commands, each with the lines that it prints."""

    page: str
    line: int
    steps: list[tuple[str, list[str]]]

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: str, text: str) -> list[Block]:
    """Return the console blocks of a page that start with ``$ indicatrix``.

    A line that starts with ``$`` is a command; it goes on in the next line after a backslash. What follows is its output.
    """
    found = []
    for block in re.finditer(r"^```console\n(\$ indicatrix.*?)^```", text, re.MULTILINE | re.DOTALL):
        steps: list[tuple[str, list[str]]] = []
        for line in block[1].splitlines():
            if steps and steps[-1][0].endswith("\\") and not steps[-1][1]:
                steps[-1] = (f"{steps[-1][0][:-1]} {line.strip()}", [])
            elif line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line.rstrip())
        found.append(Block(page, text.count("\n", 0, block.start()) + 1, steps))
    return found


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Return whether a command printed what a page shows; a last line "…" stands for any further lines."""
    if shown and shown[-1] == AND_SO_ON:
        return len(printed) >= len(shown) and printed[: len(shown) - 1] == shown[:-1]
    return shown == printed


@pytest.mark.parametrize("block", [b for page in PAGES for b in blocks(page.name, page.read_text("utf-8"))], ids=str)
def test_a_block_prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    for name in EXAMPLES:
        (tmp_path / name).write_bytes(example(name).read_bytes())
    program = f'indicatrix() {{ "{sys.executable}" -W error -m indicatrix "$@"; }}'
    for command, shown in block.steps:
        run = ["bash", "-c", f"{program}\n{command}"]
        done = subprocess.run(run, stdout=-1, stderr=subprocess.STDOUT, cwd=tmp_path, env=environment(), timeout=300)
        printed = [line.rstrip() for line in done.stdout.decode().splitlines()]
        assert agrees(shown, printed), "\n".join((f"$ {command}", *printed))


def test_the_reader_of_pages_reads_commands_outputs_and_what_is_left_out() -> None:
    text = (
        "x\n```console\n$ indicatrix a \\\n    b\none\n\n$ cat c\n…\n```\n```console\n$ ls\n```\n```python\n$ indicatrix d\n```\n"
    )
    (block,) = blocks("page.md", text)
    assert str(block) == "page.md:2"
    assert block.steps == [("indicatrix a  b", ["one", ""]), ("cat c", ["…"])]
    assert agrees(["one", "…"], ["one", "two", "three"])
    assert not agrees(["one", "…"], ["one"])
    assert not agrees(["one"], ["one", "two"])
