"""The section of ranks: in which order scores put classifiers, and where they contradict each other."""

from __future__ import annotations

from typing import Any

from .comparison import EXTRA
from .page_subject import Subject


def content(subject: Subject) -> dict[str, Any] | None:
    """Return nothing more than the page has of several classifiers; None for a single one."""
    made = subject.extras.get(EXTRA)
    return {} if made is not None and len(made.names) > 1 else None
