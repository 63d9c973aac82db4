"""What users may rely on: the version, what is deprecated, the public interface."""

from __future__ import annotations

import re
import tomllib
import warnings
from pathlib import Path

import pytest
from public_interface import FILE, described

import indicatrix as ix
from indicatrix.words.call_mistakes import DEPRECATIONS, Deprecation, deprecated

ROOT = Path(__file__).parents[1]


def overdue(found: list[Deprecation], version: str) -> list[str]:
    """Return what should be gone in a version."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return [note.name for note in found if note.gone_in <= (major, minor) or note.since[0] < major]


def test_the_version_is_said_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/indicatrix/__init__.py"
    assert "version:" not in (ROOT / "CITATION.cff").read_text("utf-8").replace("cff-version:", "")
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", ix.__version__)


def test_nothing_that_is_deprecated_is_overdue() -> None:
    assert overdue(DEPRECATIONS, ix.__version__) == []


def test_what_is_deprecated_warns_for_two_minor_versions() -> None:
    @deprecated("ix.old", since="1.3", use="ix.new")
    def old(x: int, *, y: int = 1) -> int:
        return x + y

    note = DEPRECATIONS.pop()
    with pytest.warns(DeprecationWarning, match=r"ix\.old .* since 1\.3 .* removed in 1\.5\. Use ix\.new") as said:
        assert old(1, y=2) == 3
    assert said[0].filename == __file__
    assert [overdue([note], v) for v in ("1.3.0", "1.4.9", "1.5.0rc1", "2.0.0")] == [[], [], ["ix.old"], ["ix.old"]]


def test_the_public_interface_is_as_written_down() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        now = described()
    before = FILE.read_text("utf-8").splitlines()
    gone, new = [line for line in before if line not in now], [line for line in now if line not in before]
    changes = [*(f"- {line}" for line in gone), *(f"+ {line}" for line in new)]
    assert not changes, "If these changes are meant, run `make interface`, and name them in CHANGELOG.md:\n" + "\n".join(changes)
