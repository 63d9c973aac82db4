"""A level is a share: wherever one is taken, another number is refused with the reason, and no interval is dropped silently."""

from __future__ import annotations

import inspect
import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loops import for_each
from sklearn.naive_bayes import GaussianNB

import indicatrix as ix
from indicatrix.public_names import every_public

RNG = np.random.default_rng(0)
Y, Z = RNG.integers(0, 2, (2, 60))
P = np.clip(0.4 * Y + 0.6 * RNG.random(60), 0, 1)
EV = ix.evaluate(Y, Z, by={"site": ["x", "y"] * 30})
FOLDED = ix.evaluate(Y, Z, by={"fold": [0, 1, 2] * 20})
BOXES = {"boxes": [[0, 0, 9, 9]], "labels": ["ant"]}
FOUND = ix.detection([BOXES] * 3, [{**BOXES, "scores": [0.5]}] * 3)
SEGMENTS = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
PANOPTIC = ix.panoptic([SEGMENTS] * 3, [SEGMENTS] * 3)
OUTLINES = ix.vision.surface_distances([[[0, 1, 0, 0]]] * 3, [[[0, 1, 1, 1]]] * 3)
FITTED = ix.cross_validate(GaussianNB(), P[:, None], Y, cv=3)
RATERS = ix.agreement(RNG.integers(0, 3, (30, 3)))
COLUMNS: Any = {"test": "test", "reader": "reader", "case": "case", "true": "y", "pred": "z"}
READINGS = {"test": [*"ab"] * 30, "reader": np.repeat([*"uvw"], 20), "case": np.tile(np.repeat(range(10), 2), 3)}
MODELS = ix.read_evals({"question": [*range(30)] * 2, "score": [1] * 12 + [0] * 28 + [1] * 20, "model": np.repeat([*"ab"], 30)})
RUNS = MODELS.only(model="a")
SETS = ix.prediction_sets(Y, [{0, 1} if k % 9 else {1} for k in range(60)], by={"half": [*"ab"] * 30})
READINGS |= {"y": np.tile(np.repeat([0, 1], 10), 3), "z": Z}

# Every public function or method that takes a level, by its name; plots and comparisons hand theirs on.
DOORS: dict[str, Callable[[Any], Any]] = {
    "Evaluation.interval": lambda level: EV.interval("f1", "macro", level=level),
    "Evaluation.values": lambda level: EV.values("f1", interval=level),
    "Evaluation.table": lambda level: EV.table(["f1"], ["macro"], interval=level),
    "Evaluation.cost": lambda level: EV.cost([[0, 1], [5, 0]], interval=level),
    "cost": lambda level: ix.cost(Y, Z, [[0, 1], [5, 0]], interval=level),
    "Evaluation.report": lambda level: EV.report(interval=level),
    "Evaluation.compare_groups": lambda level: EV.compare_groups("recall", "site", level=level),
    "Evaluation.to_html": lambda level: EV.to_html(level=level),
    "EvaluationPlots.classes": lambda level: EV.plot.classes("f1", interval=level),
    "EvaluationPlots.groups": lambda level: EV.plot.groups("recall", "site", level=level),
    "Curve.band": lambda level: ix.sweep(Y, P).roc().band(level),
    "Curve.plot": lambda level: ix.sweep(Y, P).pr().plot(interval=level),
    "Reliability.ends": lambda level: ix.scores.reliability(Y, P).ends(level),
    "Reliability.plot": lambda level: ix.scores.reliability(Y, P).plot(interval=level),
    "plots.curves": lambda level: ix.plots.curves({"a": ix.scores.reliability(Y, P)}, interval=level),
    "Measure.__call__": lambda level: ix.f1(Y, Z, interval=level),
    "compare": lambda level: ix.compare(Y, {"a": Y, "b": Z}, "f1", "binary", level=level),
    "calibration_line": lambda level: ix.inference.calibration_line(Y, P, level=level),
    "compare_data_sets": lambda level: ix.inference.compare_data_sets(RNG.random((6, 3)), classifiers=[*"abc"], level=level),
    "compare_folds": lambda level: ix.inference.compare_folds({"a": FOLDED, "b": FOLDED}, "f1", "macro", level=level),
    "interval": lambda level: ix.inference.interval(EV, "f1", "macro", level=level),
    "fold_interval": lambda level: ix.inference.fold_interval(FOLDED.folds("f1", "macro"), level=level),
    "power": lambda level: ix.power(rate=0.9, width=0.05, level=level),
    "RaterAgreement.interval": lambda level: RATERS.interval("fleiss_kappa", level=level),
    "RaterAgreement.per_class": lambda level: RATERS.per_class(interval=level),
    "RaterAgreement.against": lambda level: RATERS.against(RNG.integers(0, 3, 30), level=level),
    "DetectionEvaluation.interval": lambda level: FOUND.interval("ap", "macro", level=level),
    "DetectionEvaluation.table": lambda level: FOUND.table("ap", interval=level),
    "DetectionEvaluation.compare": lambda level: FOUND.compare(FOUND, "ap", "macro", level=level),
    "PanopticEvaluation.interval": lambda level: PANOPTIC.interval("pq", "macro", level=level),
    "PanopticEvaluation.table": lambda level: PANOPTIC.table("pq", interval=level),
    "PanopticEvaluation.compare": lambda level: PANOPTIC.compare(PANOPTIC, "pq", "macro", level=level),
    "SurfaceEvaluation.interval": lambda level: OUTLINES.interval("assd", "macro", level=level),
    "SurfaceEvaluation.table": lambda level: OUTLINES.table("assd", interval=level),
    "SurfaceEvaluation.compare": lambda level: OUTLINES.compare(OUTLINES, "assd", "macro", level=level),
    "CrossValidation.interval": lambda level: FITTED.interval("exact_match", level=level),
    "DetectionEvaluation.to_html": lambda level: FOUND.to_html(interval=level),
    "FreeResponse.interval": lambda level: FOUND.froc().interval(level=level),
    "FreeResponse.plot": lambda level: FOUND.froc().plot(interval=level),
    "Evaluation.weakest": lambda level: EV.weakest("recall", {"half": [*"ab"] * 30}, smallest=5, level=level),
    "class_shares": lambda level: ix.inference.class_shares(P, decide=0.5, reference=(Y, P), strata=1, level=level),
    "Reliability.band": lambda level: ix.scores.reliability(Y, P, binning="isotonic").band(level),
    "Evaluation.checklist": lambda level: EV.checklist("STARD", level=level),
    "Runs.interval": lambda level: RUNS.interval(level=level),
    "Runs.table": lambda level: RUNS.table(level=level),
    "Runs.to_html": lambda level: RUNS.to_html(Path(tempfile.gettempdir()) / "runs.html", level=level),
    "Runs.plan": lambda level: MODELS.plan(0.1, 0.8, level, None),
    "prediction_sets": lambda level: ix.prediction_sets(Y, [{0, 1}] * 60, level=level),
    "PredictionSets.interval": lambda level: SETS.interval(level=level),
    "PredictionSets.values": lambda level: SETS.values("half", interval=level),
    "compare_readers": lambda level: ix.compare_readers(READINGS, "recall", **COLUMNS, level=level),
}


@for_each("level", [95, 1, -0.5, math.nan, "0.95"])
@for_each("door", DOORS)
def test_a_level_that_is_no_share_is_refused(door: str, level: Any) -> None:
    with pytest.raises(ValueError, match=r"must be a share between 0 and 1, such as 0\.95"):
        DOORS[door](level)


@for_each("door", DOORS)
def test_a_share_is_taken(door: str) -> None:
    DOORS[door](0.9)


def takers() -> Iterator[str]:
    """Yield the public functions, and methods of public classes, that take a level."""
    for name, thing in every_public().items():
        own = {f"{name}.{key}": value for key, value in vars(thing).items()} if inspect.isclass(thing) else {name: thing}
        for key, function in own.items():
            if inspect.isfunction(function) and not key.rpartition(".")[2].startswith("_"):
                names = inspect.signature(function).parameters
                yield from (key for taken in ("level", "interval") if taken in names)


def test_no_public_function_that_takes_a_level_is_left_out() -> None:
    assert {*takers()} <= {*DOORS}


@for_each("door", ["Evaluation.table", "cost", "EvaluationPlots.classes"])
def test_intervals_that_hold_all_at_once_are_of_units(door: str) -> None:
    """A table of them would hold each by itself only."""
    with pytest.raises(ValueError, match=r"interval='simultaneous' must be .*; 'simultaneous' are intervals of ev.values"):
        DOORS[door]("simultaneous")
    with pytest.raises(ValueError, match=r"interval='at once' must be a share between 0 and 1, such as 0.95, or True, or 'simul"):
        DOORS["Evaluation.values"]("at once")
