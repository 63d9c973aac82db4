"""The first section: a few scores with intervals, and what the theory says about them."""

from __future__ import annotations

from typing import Any

from ...algebra.average import BINARY
from ...algebra.measure_names import find
from ..summary import notes_about
from .numbers import numbers
from .page_subject import Subject

# The scores that most readers ask for, the first of them first; those that do not exist here are left out.
OF_POSITIVE = (
    ("accuracy", None),
    ("f1", BINARY),
    ("precision", BINARY),
    ("recall", BINARY),
    ("specificity", BINARY),
    ("mcc", BINARY),
)
OF_CLASSES = (
    ("accuracy", None),
    ("exact_match", "exemplar"),
    ("f1", "macro"),
    ("precision", "macro"),
    ("recall", "macro"),
    ("mcc", "macro"),
)
MOST_FINDINGS = 6


def content(subject: Subject) -> dict[str, Any] | str:
    """Return the scores, the remarks of the text report and the findings."""
    ev = subject.ev
    if not ev.n and not ev.classes:
        return "There are no examples yet."
    keys = OF_POSITIVE if ev.positive is not None else OF_CLASSES
    cards = [card for key in keys if (card := _card(subject, *key)) is not None]
    cards = [*{(card["measure"], card["average"]): card for card in reversed(cards)}.values()][::-1]  # exact match is accuracy
    return {"cards": cards, "remarks": [" ".join(notes_about(ev))], "findings": _findings(subject)}


def _card(subject: Subject, name: str, average: str | None) -> dict[str, Any] | None:
    """Return a score with its interval, or None if it does not exist for these data."""
    measure = find(name).meant_for(subject.ev, average)
    average = average or next(iter(measure.averages), None)
    if average not in subject.averages or average is None:
        return None
    try:
        score = measure.score(subject.ev, average, subject.undefined)
    except ValueError:
        return None
    names = {"measure": measure.name, "called": name, "average": average, "value": numbers([score])[0]}
    plain = average == BINARY or bool(measure.averages)  # its name says everything
    return {**names, "plain": plain, **interval_data(subject, measure, average)}


def interval_data(subject: Subject, measure: Any, average: str) -> dict[str, Any]:
    """Return the ends of the interval of a score and how it was found, or why there is no interval."""
    try:
        table = subject.ev.table([measure], [average], undefined=subject.undefined, interval=subject.level)
    except (ValueError, ImportError) as wrong:
        return {"why": str(wrong)}
    (found,) = table.intervals.values()
    if isinstance(found, str):
        return {"why": found}
    low, high = numbers([found.low, found.high])
    return {"low": low, "high": high, "method": found.method, "warning": found.warning}


def _findings(subject: Subject) -> list[dict[str, str]]:
    """Return what the theory says; it is about averages that leave undefined values out."""
    found = [f for f in subject.ev.findings() if f.kind != "undefined"]
    return [{"text": f.text, "advice": f.advice, "theorem": f.theorem} for f in found[:MOST_FINDINGS]]
