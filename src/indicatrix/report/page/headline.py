"""The first section, and those of what was added to an evaluation.

The first shows a few scores with intervals, and what the theory says about them. Weak slices, the correction of the truth and a
reporting checklist were added: a subject has each under the name of its section, and where it was not asked for, there is nothing
to show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...algebra.average import BINARY, measure_name
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ..summary import notes_about
from .page_subject import Subject, label_text, numbers

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
CORRECTED = "corrected"
MISSING = float("nan")


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


def slices_content(subject: Subject) -> dict[str, Any] | str | None:
    """Return the slices as plain data, with intervals, as the search gave them; or why there are none."""
    found = subject.extras.get("slices")
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


def corrections_content(subject: Subject) -> dict[str, Any] | None:
    """Return each score, with intervals, by the labels as judged, by gold labels alone, and corrected."""
    without = subject.extras.get("corrections")  # the evaluations without the correction, by what they take as truth
    if not without:
        return None
    ways = {**without, CORRECTED: subject.ev}
    several = (measure for measure in subject.measures if measure.reads.counted and not subject.versions(measure))
    shown = [(measure, usual_average(subject, measure)) for measure in several]
    columns: dict[str, dict[str, list[Any]]] = {}
    for way, ev in ways.items():
        found = [_interval(subject, ev, *score) for score in shown]
        columns[way] = {
            end: numbers([MISSING if one is None else getattr(one, end) for one in found]) for end in ("value", "low", "high")
        }
        says = ["" if one is None else one.note for one in found]  # at last those of what was corrected
    names = [measure_name(measure, [average]) for measure, average in shown]
    return {"names": names, "ways": [*ways], "columns": columns, "says": says}


def _interval(subject: Subject, ev: Any, measure: Any, average: str) -> Any:
    """Return the interval of a score; None where it has none."""
    try:
        return ev.interval(measure, average, level=subject.level)
    except ValueError:
        return None


def checklist_content(subject: Subject) -> dict[str, Any] | None:
    """Return the items of the checklist, and what the evaluation says about them."""
    made = subject.extras.get("checklist")
    return None if made is None else {"title": made.title, **made.to_dict()}
