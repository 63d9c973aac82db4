"""The section of weak slices: what was found, with intervals, as the search gave it."""

from __future__ import annotations

from typing import Any

from .numbers import label_text, numbers
from .page_subject import Subject

EXTRA = "slices"  # the name under which a subject has what was found


def content(subject: Subject) -> dict[str, Any] | str | None:
    """Return the slices as plain data; why there are none, or None where they were not asked for."""
    found = subject.extras.get(EXTRA)
    if found is None:
        return None
    if not len(found):
        return " ".join(found.sentences())
    columns = found.to_dict()
    names = [label_text(text) for text in columns.pop("slice")]
    return {
        "score": found.name,
        "whole": numbers([found.value])[0],
        "names": names,
        "says": found.sentences(),
        **{name: numbers(values) for name, values in columns.items()},
    }
