"""The section on undefined values: the conventions to choose from."""

from __future__ import annotations

from typing import Any

from ...algebra.convention import Convention
from ...algebra.wording import treatment
from .embedded import convention_data
from .subject import Subject

USUAL: tuple[Any, ...] = ("exclude", 0, 1, "nan", Convention(0), Convention(0, "true"))
ABSENT = {"both": "neither occur nor are predicted", "true": "do not occur"}


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the conventions, the one of the page first."""
    if not subject.ev.classes:
        return None
    every = dict.fromkeys((subject.undefined, *USUAL))
    return {"choices": [{"says": _in_words(c), **convention_data(c)} for c in every]}


def _in_words(convention: Any) -> str:
    if isinstance(convention, Convention):
        return f"classes that {ABSENT[convention.absent]} are left out, other values are {treatment(convention.otherwise)}"
    return {"exclude": "left out of the mean", "nan": "kept: the mean is undefined, too"}.get(
        str(convention), treatment(convention)
    )
