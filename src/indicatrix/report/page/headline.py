"""The first section: a few scores with intervals, and what the theory says about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...algebra.average import BINARY, measure_name
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ..summary import notes_about
from .numbers import numbers
from .page_subject import Subject

# The scores that most readers ask for, the first of them first; those that do not exist here are left out. Measures and averages
# that whoever made the page named take their place. None: what the name means without an average.
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
MOST_CARDS = 12
MOST_FINDINGS = 6


def content(subject: Subject) -> dict[str, Any] | str:
    """Return the scores, the remarks of the text report and the findings."""
    ev = subject.ev
    if not ev.n and not ev.classes:
        return "There are no examples yet."
    cards = [card for key in _scores(subject) if (card := _card(subject, *key)) is not None]
    every = [*{(card["measure"], card["average"]): card for card in reversed(cards)}.values()][::-1]  # exact match is accuracy
    more = f"{len(every) - MOST_CARDS:,} more scores are in the table of measures." if len(every) > MOST_CARDS else ""
    return {"cards": every[:MOST_CARDS], "remarks": [more, " ".join(notes_about(ev))], "findings": _findings(subject)}


def _scores(subject: Subject) -> Iterator[tuple[Measure, str | None]]:
    """Yield what each card shows: a measure and an average, or None for what its name means without one."""
    usual = OF_POSITIVE if subject.ev.positive is not None else OF_CLASSES
    if not subject.names_measures and not subject.names_averages:
        yield from ((find(name), average) for name, average in usual)
        return
    named = subject.measures if subject.names_measures else [find(name) for name, _ in usual]
    meant = [m.meant_for(subject.ev) for m in named]
    wholes = [whole for m, whole in zip(named, meant, strict=True) if whole != m]
    for measure in (m for m in named if m not in wholes):  # what accuracy means is shown under its name
        if subject.names_averages:
            yield from ((measure, average) for average in subject.averages)
        else:
            yield measure, None if measure.meant_for(subject.ev) != measure else usual_average(subject, measure)


def usual_average(subject: Subject, measure: Measure) -> str:
    """Return the average that a reader expects of a measure: of the positive class, or its own, or macro."""
    only = subject.versions(measure)
    wanted = (BINARY, *only, "macro", *subject.averages)
    return next((a for a in wanted if a in subject.averages and (not only or a in only)), wanted[0])


def _card(subject: Subject, measure: Measure, average: str | None) -> dict[str, Any] | None:
    """Return a score with its interval, or None if it does not exist for these data."""
    measure = measure.meant_for(subject.ev, average)
    average = average or next(iter(subject.versions(measure)), None)
    if average not in subject.averages or average is None:
        return None
    try:
        score = subject.score(measure, average)
    except ValueError:
        return None
    own = next(str(m) for m in subject.catalogue if m == measure)  # under another name it is the same measure
    names = {"measure": own, "called": measure_name(measure, [average]), "average": average, "value": numbers([score])[0]}
    plain = average == BINARY or average in subject.versions(measure)  # its name says everything
    return {**names, "plain": plain, **interval_data(subject, measure, average)}


def interval_data(subject: Subject, measure: Any, average: str) -> dict[str, Any]:
    """Return the ends of the interval of a score and how it was found, or why there is no interval."""
    try:
        averages = [average] if measure.reads.averaged else None
        table = subject.ev.table([measure], averages, undefined=subject.undefined, interval=subject.level)
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
    return [{"text": f.text, "advice": f.advice} for f in found[:MOST_FINDINGS]]
