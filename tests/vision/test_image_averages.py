"""Detection, panoptic quality and surfaces read the rows of ``AVERAGES``: a new row is right, or refused with the reason."""

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES, Average
from indicatrix.catalogue.averages import SUPPORT

ROWS = {
    "mean": Average(("class",), meaning="macro under another name"),
    "total": Average((), meaning="micro under another name"),
    "objects": Average(("class",), SUPPORT, "weighted under another name"),
    "predicted": Average(("class",), ix.measure("tp + fp"), "macro, weighted by predicted positives"),
    "whole": Average(("class",), ix.measure("tp + fp + fn + tn"), "macro, weighted by all entries"),
    "scans": Average(("scan",), meaning="the mean over scans"),
    "long": Average(("scan",), SUPPORT, "over scans, weighted by their objects"),
}
SAME = {"mean": "macro", "total": "micro", "objects": "weighted", "scans": "scan"}
SCANS = {"scan": [*"aabbb"]}
UNCOUNTED = "its weights read tn, which nobody counts here"


@pytest.fixture(autouse=True)
def rows():
    """Add the rows; the fixture of all tests takes them out again."""
    AVERAGES.update(ROWS)


@pytest.fixture(scope="module")
def detected():
    rng, truth, found = np.random.default_rng(4), [], []
    for _ in range(5):
        n = rng.integers(2, 6)
        corner = rng.uniform(0, 60, (n, 2))
        boxes, labels = np.concatenate([corner, corner + rng.uniform(8, 60, (n, 2))], axis=1), rng.integers(0, 3, n)
        truth.append({"boxes": boxes, "labels": labels})
        near, guess = boxes[rng.integers(n, size=6)] + rng.normal(0, 3, (6, 4)), rng.integers(0, 3, 6)
        found.append({"boxes": near, "labels": np.where(rng.random(6) < 0.4, guess, labels[0]), "scores": rng.random(6)})
    return ix.detection(truth, found, by=SCANS)


@pytest.fixture(scope="module")
def segmented():
    rng = np.random.default_rng(1)
    truth = [np.repeat(np.repeat(rng.integers(0, 3, (4, 4)), 3, 0), 3, 1) for _ in range(5)]
    found = [np.where(rng.random(t.shape) < 0.8, t, rng.integers(0, 3, t.shape)) for t in truth]
    shown = [[(labels, np.arange(144).reshape(12, 12) // 18) for labels in side] for side in (truth, found)]
    return ix.panoptic(*shown, by=SCANS), ix.vision.surface_distances(truth, found, by=SCANS)


def refused(call, reason):
    with pytest.raises(ValueError, match=rf"{reason}.* Choose from "):
        call()


def weighted_mean(values, weights):
    known = np.isfinite(values)
    return np.dot(np.asarray(values)[known], np.asarray(weights)[known]) / np.sum(np.asarray(weights)[known])


@pytest.mark.parametrize("new", SAME)
def test_a_row_under_another_name_has_the_numbers_of_the_first(detected, segmented, new):
    old, panoptic = SAME[new], segmented[0]
    for asked in (detected.ap, detected.ar, panoptic.pq, panoptic.sq):
        assert asked(average=new) == asked(average=old), asked
        assert asked(average=new).average == new
    assert str(detected.best("f1", new)) == str(detected.best("f1", old))
    one, other = (detected.interval("ar", average, draws=20) for average in (new, old))
    assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
    one, other = (panoptic.interval("pq", average, draws=50) for average in (new, old))
    assert (one.value, one.low, one.high) == (other.value, other.low, other.high)


def test_detection_weights_by_objects_and_not_by_decisions(detected):
    objects = np.bincount(detected.scene.truth.label, minlength=3)
    for asked in (detected.ap, detected.ar):
        assert asked(average="objects") == pytest.approx(weighted_mean(asked(per="class"), objects))
        refused(lambda asked=asked: asked(average="predicted"), "'predicted': it weights by what is predicted")
        refused(lambda asked=asked: asked(average="whole"), UNCOUNTED)
        refused(lambda asked=asked: asked(average="exemplar"), r"at\(score\).score has this average")
        refused(lambda asked=asked: asked(average="binary"), "there is no positive class")
    of_scan = np.bincount([SCANS["scan"][i] == "b" for i in detected.scene.truth.image])
    assert detected.ap(average="long") == pytest.approx(weighted_mean(detected.ap(per="scan"), of_scan))
    assert detected.ar(average="denominator") == pytest.approx(detected.ar(average="micro"))
    refused(lambda: detected.ap(average="denominator"), "no denominators to weight by")
    for average in ("weighted", "long"):
        assert detected.interval("ap", average, draws=20).value == pytest.approx(detected.ap(average=average))
    refused(lambda: detected.interval("ap", "predicted"), "'predicted': it weights by what is predicted")


@pytest.mark.parametrize("average", ["micro", "mean", "weighted", "predicted", "denominator", "long"])
def test_the_best_score_is_the_best_under_any_weights(detected, average):
    for measure in ("f1", "precision"):
        best = detected.best(measure, average)
        every = [detected.at(score=s).score(measure, average) for s in [2, *detected.scene.predictions.score]]
        assert best.value == pytest.approx(np.nanmax(every))
        assert detected.at(score=best.threshold).score(measure, average) == pytest.approx(best.value)
    refused(lambda: detected.best("f1", "whole"), UNCOUNTED)


def test_panoptic_qualities_are_weighted_by_segments(segmented):
    panoptic, _ = segmented
    tp, fp, fn = panoptic.sums[:3].sum(axis=1)
    for average, weights in (("weighted", tp + fn), ("predicted", tp + fp)):
        expected = weighted_mean(panoptic.pq(per="class"), weights)
        assert panoptic.pq(average=average) == pytest.approx(expected)
        assert expected != pytest.approx(float(panoptic.pq()))
        found = panoptic.interval("pq", average, draws=50)
        assert found.value == pytest.approx(expected)
        assert found.low < found.value < found.high
    assert panoptic.pq(average="long") == pytest.approx(
        weighted_mean(panoptic.pq(per="scan"), [(panoptic.sums[[0, 2], :2]).sum(), (panoptic.sums[[0, 2], 2:]).sum()])
    )
    refused(lambda: panoptic.pq(average="whole"), UNCOUNTED)
    refused(lambda: panoptic.pq(average="denominator"), "no denominators to weight by")
    for average in ("image", "scan"):
        assert panoptic.interval("pq", average, draws=50).value == pytest.approx(panoptic.pq(average=average))


def test_surfaces_have_plain_means_only(segmented):
    _, surfaces = segmented
    for new in ("mean", "scans"):
        assert surfaces.average_distance(average=new) == surfaces.average_distance(average=SAME[new])
    one, other = (surfaces.interval("assd", average, draws=50) for average in ("mean", "macro"))
    assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
    for average in ("weighted", "predicted", "long"):
        refused(lambda average=average: surfaces.hausdorff(average=average), "no counts to weight by")
    refused(lambda: surfaces.hausdorff(average="total"), "'total': surfaces of different classes are not pooled")
    assert surfaces.interval("assd", "scan", draws=50).value == pytest.approx(surfaces.average_distance(average="scan"))
