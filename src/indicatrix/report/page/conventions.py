"""The section on undefined values: the conventions to choose from."""

from __future__ import annotations

from typing import Any

from ...algebra.convention import Convention
from .page_data import convention_data
from .page_subject import Subject

USUAL: tuple[Any, ...] = ("exclude", 0, 1, "nan", Convention(0), Convention(0, "true"))


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the conventions, the one of the page first."""
    if not subject.ev.classes:
        return None
    return {"choices": [convention_data(convention) for convention in dict.fromkeys((subject.undefined, *USUAL))]}
