"""docs/start/install.md says of every extra what pyproject.toml says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "start" / "install.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", PAGE, re.MULTILINE))


def brought(requirements: list[str]) -> set[str]:
    """Return what requirements install: libraries by name, and other extras in backquotes.

    >>> sorted(brought(["indicatrix[cli,files]", "dask[dataframe]>=2025.1", "torch==2.13.0"]))
    ['`cli`', '`files`', 'dask', 'torch']
    """
    found = set()
    for requirement in requirements:
        own = re.fullmatch(r"indicatrix\[(.+)\]", requirement)
        found |= {f"`{extra}`" for extra in own[1].split(",")} if own else {re.match(r"[\w-]+", requirement)[0]}
    return found


def test_the_table_has_every_extra_for_users_and_what_it_brings() -> None:
    assert {extra: set(brings.split(", ")) for extra, brings in ROWS.items()} == {extra: brought(EXTRAS[extra]) for extra in ROWS}
    developers = re.search(r"^For work on the library itself.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)[0]
    named = set(re.findall(r"`(\w+)`", developers))
    assert named & set(ROWS) == set()
    assert named | set(ROWS) == set(EXTRAS)


def test_what_the_page_says_of_every_installation() -> None:
    plain = ", ".join(sorted(brought(PROJECT["dependencies"])))
    assert plain == "array-api-compat, mpmath, numpy"
    assert "brings NumPy, array-api-compat and mpmath" in " ".join(PAGE.split())
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert f"Python {oldest}\nor newer" in PAGE
    assert f"Each wheel serves Python {oldest} and every later version" in PAGE


def test_the_wheels_that_the_page_names_are_built() -> None:
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    built = {system.strip() for system in re.search(r"wheels:.*?os: \[(.+?)\]", release, re.DOTALL)[1].split(",")}
    assert built == {"ubuntu-latest", "ubuntu-24.04-arm", "macos-latest", "windows-latest"}
    assert 'CIBW_ARCHS_MACOS: "x86_64 arm64"' in release
    assert re.findall(r"^\| (\w+), (.+?) \| compiled kernels \|$", PAGE, re.MULTILINE) == [
        ("Linux", "x86-64 and ARM"),
        ("macOS", "Intel and Apple silicon"),
        ("Windows", "x86-64"),
    ]
