"""The section of a reporting checklist: its items, and what the evaluation says about them."""

from __future__ import annotations

from typing import Any

from .page_subject import Subject

EXTRA = "checklist"  # the name under which a subject has the checklist


def content(subject: Subject) -> dict[str, Any] | None:
    """Return the items of the checklist as plain data; None where none was asked for."""
    made = subject.extras.get(EXTRA)
    return None if made is None else {"title": made.title, **made.to_dict()}
