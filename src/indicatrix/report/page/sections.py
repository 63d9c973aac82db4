"""The page as one file, frame, style, data and scripts put together, and its sections in their order.

A section is a function of the subject, ``content``, and a script of the section's name in ``assets``. ``content`` returns plain
data for the script, a text that says why there is nothing to show, or None where the section would say nothing. The script
calls ``section(name, draw)``; ``assets/frame.js`` says what ``draw`` gets.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

from ...words.packaged_text import packaged_text
from ..summary import facts_about
from . import headline
from .detections import classes_content, curves_content, errors_content, numbers_content, pictures_content
from .headline import checklist_content, corrections_content, slices_content
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
from .page_data import page_code, page_data
from .page_subject import Subject, label_text

Content = dict[str, Any] | str | None
SCRIPT = '(() => {{\n"use strict";\n{}\nstart();\n}})();'  # nothing of the page is global but what start() gives away
SHARED = ("functions.js", "algebra.js", "frame.js", "counts.js", "drawing.js", "formula.js", "added_measures.js", "charts.js")


@dataclass(frozen=True)
class Section:
    """One part of the page: its name, link, title and lead, and what makes its data."""

    name: str  # also that of its script
    link: str  # in the list of sections
    title: str
    lead: str
    content: Callable[[Subject], Content]


SECTIONS = (
    Section("headline", "Scores", "Scores", "", headline.content),
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
    scripts = [page_code(subject), *map(_asset, SHARED)]
    scripts += [_asset(f"{section.name}.js") for section, made in shown if not isinstance(made, str)]
    facts = facts_about(subject.ev) if subject.facts is None else subject.facts
    style, script = _asset("page.css") + _asset("charts.css"), SCRIPT.format("\n".join(scripts))
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
