"""CONTRIBUTING.md: every path that it names is there, and every table is in one of the files of its row; rooms have a layer."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from loops import for_each

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PARTS = ("src", "tests", "docs", "paper", "fuzz", "mutants", "examples", "benchmarks")
FILES = [*ROOT.glob("*"), *(path for part in PARTS for path in (ROOT / part).rglob("*") if "__pycache__" not in path.parts)]
PATH = re.compile(r"(?:[\w.]+/)+[\w.-]*|[\w-]+\.(?:py|md|json|toml)")
STARTS = {"__init__", "__main__", "quiet_start"}  # what Python calls first stands above all layers
ROWS = [line for line in TEXT.splitlines() if re.match(r"\| (?!to add)[a-z]", line)]


def found(name: str) -> list[Path]:
    """Return the files and folders whose path ends with a name."""
    return [path for path in FILES if str(path).endswith(f"/{name.rstrip('/')}")]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_every_path_is_there() -> None:
    layout = TEXT.split("```")[1]
    named = {path for span in (*code(TEXT.replace("```", "")), *layout.splitlines()) for path in PATH.findall(span)}
    assert len(named) > 100
    assert [path for path in sorted(named) if not found(path)] == []


@for_each("row", ROWS)
def test_the_tables_of_a_row_are_in_its_files(row: str) -> None:
    there = [place for span in code(row) for path in PATH.findall(span) for place in found(path)]
    files = {file for place in there for file in ([place] if place.is_file() else place.rglob("*.py"))}
    lines = "\n".join(file.read_text("utf-8") for file in files if file.suffix == ".py")
    for span in code(row):
        if re.fullmatch(r"[A-Z][A-Z_]+|@?[a-z]+_[a-z_]+", span):
            assert re.search(rf"\b{span.lstrip('@')}\b", lines), f"{span} is in none of {sorted(map(str, files))}"
    assert re.search(r"\| \d+ lines?, \d+ files?( \+ docs)? \|$", row)


def test_every_room_has_its_layer() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    listed = {name for contract in contracts for layer in contract.get("layers", ()) for name in layer.split(" | ")}
    source = ROOT / "src"
    rooms = [path.parent for room in ("", "/inference", "/theory") for path in source.glob(f"indicatrix{room}/*/__init__.py")]
    files = [path.with_suffix("") for path in source.glob("indicatrix/*.py") if path.stem not in STARTS]
    names = {".".join(path.relative_to(source).parts) for path in (*rooms, *files)}
    assert sorted(names - listed) == []
