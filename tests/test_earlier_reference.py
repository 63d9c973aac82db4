"""Nothing that the reference described before there was one algebra is lost: it has its name, another one, or a reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import indicatrix as ix
from indicatrix.public_names import every_public

EARLIER = tomllib.loads(Path(__file__).with_name("earlier_reference.toml").read_text("utf-8"))
NAMES, RENAMED, GONE = EARLIER["names"].split(), EARLIER["renamed"], EARLIER["gone"]
PUBLIC = every_public()


def found(name: str) -> Any:
    """Return what a name stands for today, wherever in the library it is; None where nothing has it."""
    first, *rest = name.split(".")
    thing: Any = PUBLIC.get(first) or getattr(ix, first, None) or getattr(ix.measures, first, None)
    for part in rest:
        thing = getattr(thing, part, None)
    return thing


def today(name: str) -> str:
    """Return the name of today: that of a class is part of those of what it has."""
    owner, _, part = name.partition(".")
    return RENAMED.get(name) or ".".join(filter(None, (RENAMED.get(owner, owner), part)))


def test_everything_described_before_is_there() -> None:
    assert len(NAMES) > 700
    assert [name for name in NAMES if name not in GONE and found(today(name)) is None] == []


def test_only_what_needs_it_is_told_apart() -> None:
    assert {*RENAMED, *GONE} <= {*NAMES}
    assert [name for name in (*RENAMED, *GONE) if name in PUBLIC or ("." in name and found(name) is not None)] == []
    assert all(len(reason) > 40 for reason in GONE.values())
