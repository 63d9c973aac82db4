"""The averages that a measure has, with their established names and their values on a small problem."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any

from prose import html_table

import indicatrix as ix

LABELS = "ev = ix.evaluate([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2])"
SCORES = """ev = ix.evaluate(
    [0, 0, 0, 1, 1, 2],
    [[0.6, 0.3, 0.1], [0.5, 0.2, 0.3], [0.2, 0.7, 0.1], [0.3, 0.6, 0.1], [0.2, 0.3, 0.5], [0.1, 0.4, 0.5]],
    decide="argmax",
)"""
OBJECTS = """result = ix.detection(
    [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30], [40, 40, 60, 60]], "labels": [0, 0, 1]}],
    [{"boxes": [[0, 0, 10, 9], [21, 20, 30, 30], [40, 40, 52, 60]], "labels": [0, 0, 1], "scores": [0.9, 0.8, 0.7]}],
)"""
MAPS = """true = [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 2, 1]], [[0, 0, 0, 0], [1, 1, 0, 0]]
found = [[0, 0, 0, 1], [0, 0, 1, 1], [2, 2, 1, 1]], [[0, 0, 0, 0], [0, 1, 1, 1]]
"""
PROBLEMS = {  # what a measure of a kind is shown with
    "counts": LABELS,
    "ranking": SCORES,
    "scores": SCORES,
    "objects": OBJECTS,
    "segments": f"{MAPS}result = ix.panoptic([(labels, labels) for labels in true], [(labels, labels) for labels in found])",
    "distances": f"{MAPS}result = ix.vision.surface_distances(true, found)",
}
TO_TRY = {  # parameters that have no value of their own
    "partial_auc": {"max_fpr": 0.3},
    "threshold_average": {"measure": "f1"},
    "top_k_accuracy": {"k": 2},
    "precision_at_k": {"k": 2},
    "recall_at_k": {"k": 2},
    "surface_dice": {"tolerance": 1},
}
AXIS = ("the name of a <code>by=</code> axis", "", "the plain mean over its units: folds, sites, groups")
MORE = {"image": "apply the measure per image, then take the mean", "pairs": "the mean over all pairs of a class and an image"}
WHICH = "[Which one?](../choose/which-average.md)"


def averages(measure: ix.Measure) -> Iterator[str]:
    """Yield the averages of a measure; one of the whole confusion matrix has none."""
    yield "## Averages"
    if measure.reads.name == "matrix":
        yield f'It has one value for all classes together, `ev.score("{measure.name}")`.'
        return
    source, name_of_source = _source(measure.reads.name)
    needed = TO_TRY.get(measure.name)
    measure = measure.at(**needed) if needed else measure
    called = str(measure) if needed else measure.name
    rows = []
    for name, meaning in _meanings(measure):
        value = _value(source, measure, name)
        if value is not None or (name == "target" and measure.reads.formula and not measure.averages):
            call = f"<code>{escape(f'{name_of_source}.score({_quoted(called)}, {_quoted(name)})', quote=False)}</code>"
            rows.append((call, measure.known_as.get(name, ""), meaning, "" if value is None else value))
    yield html_table(("call", "known as", "what it is", "value"), [*rows, (*AXIS, "")])
    yield f"Averages differ: the values are those of\n\n```python\n{PROBLEMS[measure.reads.name]}\n```"
    yield WHICH


def _quoted(name: Any) -> str:
    return f'"{name}"'


def _meanings(measure: ix.Measure) -> Iterator[tuple[str, str]]:
    """Yield the names of averages with what they are."""
    for name, row in ix.algebra.AVERAGES.items():
        said = row.meaning.replace("all counts", "everything").replace("formula", "measure")
        yield name, row.meaning if measure.reads.formula else said
    yield from MORE.items()


@cache
def _source(kind: str) -> tuple[Any, str]:
    """Return what a measure of a kind is shown with, and its name in the code that makes it."""
    made: dict[str, Any] = {"ix": ix}
    exec(PROBLEMS[kind], made)
    return (made["ev"], "ev") if "ev" in made else (made["result"], "result")


def _value(source: Any, measure: ix.Measure, average: str) -> str | None:
    """Return a score as text; None where the measure has no such average, or the problem no such axis."""
    try:
        value = float(source.score(measure, average))
    except ValueError:
        return None
    return "undefined" if math.isnan(value) else f"{value:.3f}".replace("-", "−").replace("inf", "∞")
