"""The free-response ROC curve: MONAI's numbers, literal counts, and intervals over images."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from fuzz.detections import random_data_set


def boxes(*scores: float, right: bool) -> Any:
    place = 0 if right else 500
    return {"boxes": [[place + 20 * k, 0, place + 20 * k + 10, 10] for k in range(len(scores))], "scores": [*scores]}


def test_the_scores_of_monai() -> None:
    """Project-MONAI/MONAI, tests/test_compute_froc.py: 0.95833333 at (0.25, 0.5, 1, 2, 4, 8), and 0.75 at 0.25.

    Four objects in two images are found with the scores 1, 1, 0.8, 0.8; two predictions are false, with 0.8 and 0.6.
    """
    truth = [{"boxes": [[0, 0, 10, 10], [20, 0, 30, 10]], "labels": [1, 1]}] * 2
    parts = [(boxes(1, 0.8, right=True), boxes(0.8, right=False)), (boxes(1, 0.8, right=True), boxes(0.6, right=False))]
    found = [{**{key: [*a[key], *b[key]] for key in ("boxes", "scores")}, "labels": [1] * 3} for a, b in parts]
    result = ix.detection(truth, found)
    assert result.froc().value == pytest.approx(0.95833333)
    assert result.froc(at=0.25).value == pytest.approx(0.75)
    assert result.froc().curve.x.tolist() == [0.0, 0.0, 0.5, 1.0]
    assert result.froc().curve.y.tolist() == [0.0, 0.5, 1.0, 1.0]


def test_the_curve_is_that_of_decisions() -> None:
    result = ix.detection(*random_data_set(8, "boxes"))
    for name in (None, result.classes[0]):
        froc = result.froc(name)
        for k in range(0, len(froc.thresholds), 7):
            score = float(froc.thresholds[k])
            counts = result.at(score=score, max_detections=100).aggregate("class")
            own = slice(None) if name is None else [result.classes.index(name)]
            if name is not None:  # at() ranks by class as froc(name) does
                assert froc.found[k] == counts.tp[own].sum()
                assert froc.false[k] == counts.fp[own].sum()
        assert froc.curve.y[-1] == pytest.approx(froc.found[-1] / froc.objects)
        low, high = froc.interval()
        assert low <= froc.value <= high
        band, wide = froc.curve.band(), froc.curve.band(simultaneous=True)
        assert (band.y_low >= wide.y_low - 1e-12).all()
        assert (band.y_high <= wide.y_high + 1e-12).all()


@pytest.mark.slow
def test_intervals_hold() -> None:
    rng, inside = np.random.default_rng(5), 0
    for _ in range(40):
        hits = rng.random((60, 2)) < 0.6
        truth = [{"boxes": [[0, 0, 10, 10], [20, 0, 30, 10]], "labels": [1, 1]}] * 60
        found = [
            {
                "boxes": [[20 * k if h else 300 + 20 * k, 0, 20 * k + 10 if h else 310 + 20 * k, 10] for k, h in enumerate(row)],
                "labels": [1, 1],
                "scores": [0.5, 0.5],
            }
            for row in hits
        ]
        inside += 0.6 in ix.detection(truth, found).froc(at=8).interval(0.9)
    assert inside >= 30


def test_what_is_refused_or_empty() -> None:
    one = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
    result = ix.detection([one], [{**one, "scores": [0.5]}])
    with pytest.raises(ValueError, match="one image"):
        result.froc().interval()
    for wrong in (-1, "x", [], True):
        with pytest.raises(ValueError, match="at="):
            result.froc(at=wrong)
    with pytest.raises(ValueError, match="not among the classes"):
        result.froc("dog")
    nothing = {"boxes": np.zeros((0, 4)), "labels": np.zeros(0, int)}
    empty = ix.detection([one, nothing], [{**nothing, "scores": []}] * 2).froc()
    assert empty.value == 0
    assert np.isnan(ix.detection([nothing] * 2, [{**one, "scores": [0.5]}] * 2).froc().value)
    pytest.importorskip("matplotlib")
    assert "sensitivity at each" in ix.detection([one] * 3, [{**one, "scores": [0.5]}] * 3).froc().plot().get_xlabel()
