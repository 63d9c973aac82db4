"""The section on the gap between micro and macro: the measures that have both."""

from __future__ import annotations

from typing import Any

from .page_subject import Subject


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the measures to choose from; None with fewer than two classes. The page computes the rest."""
    if len(subject.ev.classes) < 2 or not subject.of_classes:
        return None
    return {"measures": subject.of_classes, "main": subject.main}
