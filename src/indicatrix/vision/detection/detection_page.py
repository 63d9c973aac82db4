"""The report page of detections: its numbers, curves, classes, errors and worst images."""

from __future__ import annotations

import base64
import io
import os
from typing import Any

import numpy as np

from ...algebra.average import averages_over
from ...inference.intervals.of_score import level_of
from ...plots.canvas import pyplot
from ...report.page.sections import EXTRA, OF_DETECTIONS, Detections
from ...report.summary import usual_averages
from ...theory.page import page_subject, write_page
from ...words.wording import number_of
from ..match.matches import check_iou
from .detection_plots import CURVES, draw_case, pictures_of

WITH_CURVES = 40  # classes that have curves of their own, those with the most objects
POINTS = 120  # of a curve
MOST_CONFUSED = 12
PICTURES = 6
DRAWS = 200


def write_detection_page(
    result: Any,
    path: str | os.PathLike[str] | None,
    *,
    score: float | None,
    iou: float,
    level: float | bool,
    pictures: Any,
    title: str,
) -> str | None:
    """Return the page of detections, or write it to a file."""
    (iou,), chosen = check_iou(iou), result._score_or_best(score, iou)
    shown = _pictures(result, pictures, chosen, iou) if pictures is not None else ()
    share = level_of(level or True)  # of the counts, if AP is to have no interval
    found = Detections(
        result._summary_rows(),
        _interval(result, share) if level else None,
        _curves(result),
        _classes(result),
        result.errors(iou=iou).to_dict(),
        _confusions(result, chosen, iou),
        chosen,
        iou,
        shown,
    )
    ev = result.at(score=chosen, iou=iou)
    names = {"level": share, "title": title, "facts": facts_about(result, chosen, iou)}
    measures = ("precision", "recall", "f1", "jaccard")
    usual = usual_averages(ev) if ev.classes else ()
    averages = [name for name in averages_over("class") if name in usual]
    return write_page(page_subject(ev, measures, averages, "exclude", **names).with_extra(EXTRA, found), path, OF_DETECTIONS)


def facts_about(result: Any, score: float, iou: float) -> tuple[str, ...]:
    """Return what was evaluated, in sentences."""
    scene, made = result.scene, result.made
    sizes = {"image": len(scene.images), "object": scene.truth.n, "prediction": scene.predictions.n, "class": len(scene.classes)}
    how = f"Matched as {made.rule!r} does, at overlaps from {min(made.ious):g} to {max(made.ious):g}."
    return (
        f"{', '.join(number_of(n, noun) for noun, n in sizes.items())}.",
        how,
        f"Counts are of predictions with a score of {score:.3g} or more, at an overlap of {iou:g}.",
    )


def _interval(result: Any, level: float) -> tuple[float, float, str]:
    found = result.interval("ap", "macro", level=level, draws=DRAWS)
    return found.low, found.high, found.warning


def _curves(result: Any) -> list[tuple[Any, dict[float, tuple[Any, Any, float]]]]:
    objects = np.bincount(result.scene.truth.label, minlength=len(result.classes))
    largest = [result.classes[k] for k in np.argsort(-objects, kind="stable")[:WITH_CURVES] if objects[k]]
    names = [None, *largest] if len(largest) > 1 else largest
    return [(name, {iou: _thin(result.pr(name, iou=iou)) for iou in CURVES}) for name in names]


def _thin(curve: Any) -> tuple[Any, Any, float]:
    """Return some points of a curve, with four digits."""
    kept = np.unique(np.linspace(0, len(curve.x) - 1, POINTS).astype(int))
    return curve.x[kept].round(4), curve.y[kept].round(4), float(curve.area)


def _classes(result: Any) -> dict[str, list[Any]]:
    objects = np.bincount(result.scene.truth.label[~result.scene.truth.ignore], minlength=len(result.classes))
    values = {"AP": result.ap(per="class"), "AP50": result.ap(0.5, per="class"), "AP75": result.ap(0.75, per="class")}
    values["AR"] = result.ar(per="class")
    return {"class": [*result.classes], "objects": objects.tolist(), **{name: column.tolist() for name, column in values.items()}}


def _confusions(result: Any, score: float, iou: float) -> list[tuple[Any, Any, int]]:
    table = np.asarray(result.confusion(score, iou=iou)).astype(np.int64)
    names = (*result.classes, None)
    np.fill_diagonal(table, 0)
    order = np.argsort(-table, axis=None, kind="stable")[:MOST_CONFUSED]
    pairs = [(int(i), int(j)) for i, j in zip(*np.unravel_index(order, table.shape), strict=True)]
    return [(names[i], names[j], int(table[i, j])) for i, j in pairs if table[i, j]]


def _pictures(result: Any, pictures: Any, score: float, iou: float) -> list[tuple[str, str]]:
    """Return the worst images as PNG files in base64."""
    out = []
    cases = result.worst(PICTURES, score=score, iou=iou)
    for case, picture in zip(cases, pictures_of(result, pictures, cases), strict=True):
        ax: Any = draw_case(result, case, picture)
        with io.BytesIO() as file:
            ax.figure.savefig(file, format="png", dpi=80)
            out.append((ax.get_title(loc="left"), base64.b64encode(file.getvalue()).decode()))
        pyplot().close(ax.figure)
    return out
