"""Every command that the documents show is run, and prints what they show."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import environment, here, printed

from indicatrix.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "work" / "command-line.md"
LOGS = ROOT / "tests" / "evals" / "logs"
PAGES = [ROOT / "README.md", PAGE]
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files of the pages: a.csv, which one page shows, b.csv, and logs of language models."""
    (rows,) = re.findall(r"```text\n(id,.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "a.csv").write_text(rows, "utf-8")
    (tmp_path / "b.csv").write_text(rows.replace("dog,cat", "dog,dog"), "utf-8")
    shutil.copytree(LOGS, tmp_path / "logs")
    return tmp_path


def run(command: str, folder: Path) -> str:
    """Return what a line in a shell printed, errors included; a command that a shell only hands over runs in this process."""
    options = {"stdout": -1, "stderr": subprocess.STDOUT, "cwd": folder, "timeout": 300, "encoding": "utf-8", "check": False}
    ours, _, others = command.partition(" | ")
    if re.match(r"indicatrix [^|<>;&$`*?]*$", re.sub(r"'[^']*'|\"[^\"]*\"", "", ours)):  # nothing outside of quotation marks
        done = here(*shlex.split(ours)[1:], cwd=folder)
        shown = subprocess.run(["bash", "-c", others], input=done.stdout, **options).stdout if others else done.stdout
        return shown + done.stderr
    program = f'indicatrix() {{ "{sys.executable}" -W error -m indicatrix "$@"; }}'
    return subprocess.run(["bash", "-c", f"{program}\n{command}"], env=environment(), **options).stdout


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for page in PAGES for b in blocks(page.name, page.read_text("utf-8"))], ids=str)
@pytest.mark.posix
def test_a_block_prints_what_it_shows(block: Block, folder: Path) -> None:
    for command, shown in block.steps:
        lines = [line.rstrip() for line in run(command, folder).splitlines()]
        assert agrees(shown, lines), "\n".join((f"$ {command}", *lines))


def test_every_command_has_a_block() -> None:
    text = PAGE.read_text("utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [name for name in headings if name.islower()] == list(COMMANDS)  # others, such as "Output", are about all commands
    shown = {
        command.split()[1] for block in blocks(PAGE.name, text) for command, _ in block.steps if "indicatrix" in command[:10]
    }
    assert shown >= set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_the_help_work(name: str, folder: Path) -> None:
    commands = [line.strip() for line in printed(name, "--help").partition("Examples:\n")[2].splitlines()]
    assert commands
    for command in commands:
        done = here(*shlex.split(command)[1:], cwd=folder)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert done.stdout


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
