"""The page as one file, frame, style, data and scripts put together, and its sections in their order.

A section is a function of the subject, ``content``, and a call ``section(name, draw)`` in one of the scripts in ``assets``.
``content`` returns plain data for ``draw``, a text that says why there is nothing to show, or None where the section would say
nothing; ``assets/frame.js`` says what ``draw`` gets. A page has the scripts that draw any of its sections.

The first section, and those of what was added to an evaluation.

The first shows a few scores with intervals, and what the theory says about them. Weak slices, the correction of the truth and a
reporting checklist were added: a subject has each under the name of its section, and where it was not asked for, there is nothing
to show.

The sections of a page about detections: numbers, curves, classes, errors, pictures.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

from ...algebra.average import BINARY, measure_name
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...words.wording import packaged_text
from ..summary import facts_about, notes_about
from .of_counts import (
    class_table_content,
    comparison_content,
    conventions_content,
    gap_content,
    groups_content,
    matrix_content,
    measure_grid_content,
    priors_content,
    ranks_content,
    scores_content,
)
from .page_data import Subject, label_text, numbers, page_code, page_data

EXTRA = "detections"  # the name under which a subject has its detections


@dataclass(frozen=True)
class Detections:
    """What a page shows about detections, as names, numbers and texts."""

    numbers: Sequence[tuple[str, str, float]]  # the name of a number of the summary, what it is, its value
    interval: tuple[float, float, str] | None  # of the first number, and what a reader should know about it
    curves: Sequence[tuple[Any, Mapping[float, tuple[Any, Any, float]]]]  # a class, None for all: overlap to x, y, area
    classes: Mapping[str, Sequence[Any]]  # columns: the names, the objects, the values
    errors: Mapping[str, Sequence[Any]]  # columns: the kind, how many, the cost
    confusions: Sequence[tuple[Any, Any, int]]  # true, predicted, how often; None is the background
    score: float  # from which predictions are kept for counts
    iou: float
    pictures: Sequence[tuple[str, str]] = ()  # a text, and a PNG file in base64


def _detections_of(subject: Subject) -> Detections:
    found: Detections = subject.extras[EXTRA]
    return found


def numbers_content(subject: Subject) -> dict[str, Any]:
    """Return the numbers of the summary, and the interval of the first."""
    found = _detections_of(subject)
    rows = [{"name": name, "says": says, "value": numbers([value])[0]} for name, says, value in found.numbers]
    low, high, warning = found.interval or (float("nan"), float("nan"), "")
    return {"rows": rows, "interval": numbers([low, high]), "warning": warning}


def curves_content(subject: Subject) -> dict[str, Any] | str:
    """Return precision and recall at several overlaps, of all classes together and of each."""
    found = _detections_of(subject).curves
    if not found:
        return "There are no objects, so there are no curves."
    return {"curves": [{"name": None if name is None else label_text(name), "lines": _lines(lines)} for name, lines in found]}


def _lines(lines: Mapping[float, tuple[Any, Any, float]]) -> list[dict[str, Any]]:
    return [{"iou": iou, "x": numbers(x), "y": numbers(y), "area": numbers([area])[0]} for iou, (x, y, area) in lines.items()]


def classes_content(subject: Subject) -> dict[str, Any] | str:
    """Return the columns of the table of classes."""
    found = _detections_of(subject).classes
    if not found["class"]:
        return "There are no classes."
    values = {name: numbers(column) for name, column in found.items() if name != "class"}
    return {"names": [label_text(name) for name in found["class"]], "columns": values}


def errors_content(subject: Subject) -> dict[str, Any]:
    """Return the kinds of errors with their costs, and the classes that are confused most often."""
    found = _detections_of(subject)
    kinds, counts, costs = (found.errors[name] for name in ("error", "count", "cost"))
    confused = [[*(None if name is None else label_text(name) for name in pair), n] for *pair, n in found.confusions]
    facts = {"iou": found.iou, "score": numbers([found.score])[0]}
    return {"kinds": list(kinds), "counts": list(counts), "costs": numbers(costs), "confusions": confused, **facts}


def pictures_content(subject: Subject) -> dict[str, Any] | None:
    """Return the worst images as pictures; None if none were given."""
    found = _detections_of(subject).pictures
    return {"pictures": [{"says": label_text(says), "png": png} for says, png in found]} if found else None


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


def headline_content(subject: Subject) -> dict[str, Any] | str:
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


Content = dict[str, Any] | str | None
SCRIPT = '(() => {{\n"use strict";\n{}\nstart();\n}})();'  # nothing of the page is global but what start() gives away
SHARED = ("numbers.js", "frame.js", "drawing.js", "formula.js")
OF_SECTIONS = ("headline.js", "matrix.js", "classes.js", "gap.js", "curves.js", "groups.js", "comparison.js", "detections.js")


@dataclass(frozen=True)
class Section:
    """One part of the page: its name, link, title and lead, and what makes its data."""

    name: str  # by which a script draws it
    link: str  # in the list of sections
    title: str
    lead: str
    content: Callable[[Subject], Content]


SECTIONS = (
    Section("headline", "Scores", "Scores", "", headline_content),
    Section(
        "corrections", "Correction", "What the correction moved", "The same scores by each kind of truth.", corrections_content
    ),
    Section("matrix", "Confusions", "Confusion matrix", "Rows are true classes, columns predicted ones.", matrix_content),
    Section("class_table", "Classes", "Classes", "Every class against all others.", class_table_content),
    Section("measure_grid", "Measures", "Measures and averages", "Choose a measure to read what it says.", measure_grid_content),
    Section(
        "gap", "Gap", "Why micro and macro differ", "How each class moves the plain mean away from the pooled value.", gap_content
    ),
    Section("curves", "Curves", "Curves", "Move the threshold: all curves and all measures follow.", scores_content),
    Section("groups", "Groups", "Groups", "The same score inside each group, and against all others together.", groups_content),
    Section("slices", "Slices", "Weakest slices", "Conjunctions of features that are worse than all others.", slices_content),
    Section(
        "priors",
        "Frequencies",
        "Other class frequencies",
        "The same classifier where a class is rarer or more frequent.",
        priors_content,
    ),
    Section("conventions", "Undefined", "Undefined values", "What happens where a formula divides 0 by 0.", conventions_content),
    Section("checklist", "Checklist", "Reporting checklist", "What the evaluation fills, and what is left.", checklist_content),
)

# The page of a comparison.
OF_CLASSIFIERS = (
    Section("comparison", "Classifiers", "Classifiers", "Any score of all classifiers, from their counts.", comparison_content),
    Section("ranks", "Ranks", "Where scores disagree", "In which order each score puts the classifiers.", ranks_content),
)

# The page of detections; the last two are about the counts at the score that was chosen.
OF_DETECTIONS = (
    Section("detection_numbers", "Numbers", "Average precision and recall", "", numbers_content),
    Section(
        "detection_curves",
        "Curves",
        "Precision and recall",
        "After each prediction, in the order of the scores, at several overlaps.",
        curves_content,
    ),
    Section("detection_classes", "Classes", "Classes", "The average precision of each class.", classes_content),
    Section("detection_errors", "Errors", "What went wrong", "Why predictions are false and objects missed.", errors_content),
    Section(
        "detection_pictures",
        "Pictures",
        "The worst images",
        "Those with the most false predictions and missed objects.",
        pictures_content,
    ),
    Section(
        "class_table",
        "Counts",
        "Counts of each class",
        "Of the predictions from the chosen score on: found, false and missed.",
        class_table_content,
    ),
    Section(
        "measure_grid",
        "Measures",
        "Measures and averages",
        "Of the same counts. There are no true negatives in detection, so some measures are undefined.",
        measure_grid_content,
    ),
)


def page(subject: Subject, sections: Sequence[Section] = SECTIONS) -> str:
    """Return the page of a subject as HTML: one file without references to others."""
    found = [(section, section.content(subject)) for section in sections]
    shown = [(section, made) for section, made in found if made is not None]
    data = page_data(subject) | {"sections": {section.name: made for section, made in shown if not isinstance(made, str)}}
    calls = [f'section("{section.name}"' for section, made in shown if not isinstance(made, str)]
    of_sections = [script for script in map(_asset, OF_SECTIONS) if any(call in script for call in calls)]
    scripts = [page_code(subject), *map(_asset, SHARED), *of_sections]
    facts = facts_about(subject.ev) if subject.facts is None else subject.facts
    style, script = _asset("page.css"), SCRIPT.format("\n".join(scripts))
    parts = {
        "policy": policy(style, script),
        "title": escape(subject.title),
        "facts": "".join(f"<p>{escape(fact)}</p>" for fact in (*facts, *_positive_class(subject))),
        "links": "".join(f'<a href="#{section.name}">{escape(section.link)}</a>' for section, _ in shown),
        "sections": "".join(_section(section, made) for section, made in shown),
        "style": style,
        "data": as_script_data(data),
        "script": script,
    }
    return _fill(_asset("frame.html"), parts)


def _positive_class(subject: Subject) -> list[str]:
    return [] if subject.ev.positive is None else [f"The positive class is {label_text(subject.ev.positive)}."]


def policy(style: str, script: str) -> str:
    """Return what a browser may run and load: this style, this script and pictures in the file.

    Whatever else came into the page, by a name that was not escaped, is not run: its hash is another.

    >>> policy("", "")[:60]
    "default-src 'none'; base-uri 'none'; img-src data:; style-sr"
    """
    own = {name: b64encode(sha256(text.encode()).digest()).decode() for name, text in (("style", style), ("script", script))}
    return "; ".join(["default-src 'none'; base-uri 'none'; img-src data:", *(f"{k}-src 'sha256-{v}'" for k, v in own.items())])


def _section(section: Section, made: Any) -> str:
    """Return the empty section for its script, or with the reason why it is empty."""
    lead = f'<p class="lead">{escape(section.lead)}</p>' if section.lead else ""
    reason = f'<p class="reason">{escape(made)}</p>' if isinstance(made, str) else ""
    head = f'<h2 id="{section.name}-title">{escape(section.title)}</h2>{lead}{reason}'
    return f'<section id="{section.name}" aria-labelledby="{section.name}-title">{head}</section>\n'


def as_script_data(data: Any) -> str:
    r"""Return data as JSON that cannot end its script element, whatever texts it holds.

    >>> print(as_script_data({"label": "</script>"}))
    {"label":"\u003c/script\u003e"}
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _fill(frame: str, parts: dict[str, str]) -> str:
    """Return the frame with every part in its place; a part is not searched for places again."""
    pieces = frame.split("{{")
    rest = (piece.split("}}", 1) for piece in pieces[1:])
    return pieces[0] + "".join(parts[name.strip()] + text for name, text in rest)


@cache
def _asset(name: str) -> str:
    return packaged_text(__package__, f"assets/{name}")
