"""The sections of the page, in their order.

A section is a function of the subject, ``content``, and a script of the section's name in ``assets``. ``content`` returns plain
data for the script, a text that says why there is nothing to show, or None where the section would say nothing. The script
calls ``section(name, draw)``; ``assets/frame.js`` says what ``draw`` gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import curves, groups, headline
from .added import checklist_content, corrections_content, slices_content
from .comparison import comparison_content, ranks_content
from .detections import classes_content, curves_content, errors_content, numbers_content, pictures_content
from .of_counts import class_table_content, conventions_content, gap_content, matrix_content, measure_grid_content, priors_content
from .page_subject import Subject

Content = dict[str, Any] | str | None


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
    Section("curves", "Curves", "Curves", "Move the threshold: all curves and all measures follow.", curves.content),
    Section("groups", "Groups", "Groups", "The same score inside each group, and against all others together.", groups.content),
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
