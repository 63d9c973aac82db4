"""The report page with what the theory says about measures: one way to make it, whatever it is about."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..report.page.page_data import Subject, Theory, subject_of
from ..report.page.sections import SECTIONS, Section, page
from ..storage.formats import replace_file
from .formula.measure_notes import floor, glosses, notes_on


def page_subject(ev: Any, measures: Any, averages: Any, undefined: Any, **facts: Any) -> Subject:
    """Return what a page is about, with the theory that it asks."""
    return subject_of(ev, Theory(notes_on, glosses(), floor), measures, averages, undefined, **facts)


def write_page(
    subject: Subject, path: str | os.PathLike[str] | None = None, sections: Sequence[Section] = SECTIONS
) -> str | None:
    """Return the page of a subject, or write it to a file."""
    text = page(subject, sections)
    if path is None:
        return text
    with replace_file(path) as place:
        place.write_text(text, "utf-8")
    return None
