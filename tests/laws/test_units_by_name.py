"""What is read of a source is asked for by the names of a measure and of an axis, as scores are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.measure_names import resolve

Y = np.array([0, 1, 2, 1, 0, 2, 1, 0])
P = np.random.default_rng(1).dirichlet(np.ones(3), len(Y))
BOXES: dict[str, Any] = {"boxes": [[0, 0, 10, 10], [2, 3, 9, 9]], "labels": [0, 1]}
SEGMENTS = (np.array([[1, 1], [2, 0]]), np.array([[1, 1], [1, 0]]))
SOURCES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "evaluation": (ix.evaluate(Y, P, decide="argmax"), ("f1", "auc", "tp / n")),
    "sweep": (ix.sweep(Y, P), ("auc", "partial_auc(max_fpr=0.2)")),
    "objects": (ix.detection([BOXES], [{**BOXES, "scores": [0.5, 0.3]}]), ("ap", "ar(iou=0.5)")),
    "segments": (ix.panoptic([SEGMENTS], [SEGMENTS]), ("pq", "recall")),
    "distances": (ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]]), ("hausdorff", "surface_dice(tolerance=1)")),
}


@for_each("name", SOURCES)
def test_units_have_the_values_of_their_axis(name: str) -> None:
    source, measures = SOURCES[name]
    for text in measures:
        measure = resolve(text)
        found = [np.asarray(measure.values(source.units(*asked))) for asked in ((text, "class"), (measure, ("class",)))]
        assert found[0].tolist() == found[1].tolist() == np.asarray(measure.score(source, "macro").values).tolist(), text


@for_each("name", SOURCES)
def test_units_that_do_not_exist_are_refused(name: str) -> None:
    source, measures = SOURCES[name]
    with pytest.raises(ValueError, match="no axis 'site'"):
        source.units(measures[0], "site")
    with pytest.raises(ValueError, match="There is no measure 'nothing'"):
        source.units("nothing")
    if hasattr(source, "refusal"):
        assert source.refusal(measures[0], "site") == "there is no axis 'site' here."
        assert source.refusal(measures[0], "class") == ""


def test_a_sweep_has_the_units_that_losses_mean() -> None:
    swept, ev = SOURCES["sweep"][0], SOURCES["evaluation"][0]
    for text in ("brier", "log_loss", "auc"):
        measure = resolve(text)
        found = [np.asarray(measure.values(source.units(text, "class"))).tolist() for source in (swept, ev)]
        assert found[0] == found[1] == np.asarray(measure.score(ev, "macro").values).tolist(), text
    with pytest.raises(ValueError, match="f1 reads four counts of decided labels, and here nothing is decided"):
        swept.units("f1")
