"""Laws over every measure of every kind and every source that offers it: labels, scores, objects, segments, distances.

A source is made of rows: examples, or images. A score is the mean of the scores of its units, each as a problem of its own; parts
add to the whole or say why not; files keep it or say why not; names and the order of rows do not matter; a weight of 2 is a row
that stands twice; an interval has the value inside. What is not offered is refused with the reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.kind import KINDS, every_measure

RNG = np.random.default_rng(8)
N, M, IMAGES = 36, 3, 6
Y = RNG.permutation(np.arange(N) % M)
P = RNG.dirichlet(np.ones(M), N)
P[np.arange(N), Y] += 0.5
P /= P.sum(axis=1, keepdims=True)
Z = P.argmax(axis=1)
SETS = (RNG.random((N, M)) < 0.2 + 0.5 * P).astype(int)
SITES, PLACES = np.arange(N) % 4, np.arange(IMAGES) % 3
BLOCKS = np.kron(RNG.integers(0, M, (IMAGES, 3, 3)), np.ones((1, 4, 4), int))
FOUND = np.where(RNG.random(BLOCKS.shape) < 0.9, BLOCKS, (BLOCKS + 1) % M)
BOXES = [np.concatenate((at, at + RNG.integers(4, 9, (4, 2))), axis=1) for at in RNG.integers(0, 20, (IMAGES, 4, 2))]
KIND_OF_BOX = RNG.integers(0, M, (IMAGES, 4))
SURE = RNG.permutation(np.linspace(0.1, 0.9, IMAGES * 4)).reshape(IMAGES, 4)
NEEDED: dict[str, dict[str, Any]] = {
    "partial_auc": {"max_fpr": 0.3},
    "threshold_average": {"measure": "f1"},
    "surface_dice": {"tolerance": 1},
    "top_k_accuracy": {"k": 2},
    "precision_at_k": {"k": 2},
    "recall_at_k": {"k": 2},
}
COUNTS, DECIDED, SCORED = ("counts", "labels"), ("counts", "labels", "matrix"), ("ranking", "scores")


class Source(NamedTuple):
    """What gives statistics of some kinds."""

    offers: tuple[str, ...]
    make: Callable[..., Any]  # of rows, the names of the classes, and options
    rows: int
    groups: tuple[str, Any]  # the grouping, and what each row belongs to
    adds: bool = True  # and can be saved


def _of_labels(rows: Any, names: Any, **options: Any) -> Any:
    return ix.evaluate(names[Y[rows]], names[Z[rows]], classes=names.tolist(), by={"site": SITES[rows]}, **options)


def _of_scores(rows: Any, names: Any, **options: Any) -> Any:
    return ix.evaluate(names[Y[rows]], P[rows], classes=names.tolist(), by={"site": SITES[rows]}, decide="argmax", **options)


def _of_two(rows: Any, names: Any, **options: Any) -> Any:
    y, two = (Y[rows] == 1).astype(int), names[:2]
    return ix.evaluate(
        two[y], P[rows, 1], classes=two.tolist(), positive=two[1].item(), by={"site": SITES[rows]}, decide=0.5, **options
    )


def _of_sets(rows: Any, names: Any, **options: Any) -> Any:
    return ix.evaluate(SETS[rows], P[rows], classes=names.tolist(), by={"site": SITES[rows]}, decide=0.4, **options)


def _of_all_scores(rows: Any, names: Any, **options: Any) -> Any:
    return ix.sweep(names[Y[rows]], P[rows], classes=names.tolist(), by={"site": SITES[rows]}, **options)


def _of_boxes(rows: Any, names: Any, **options: Any) -> Any:
    truth = [{"boxes": BOXES[k], "labels": names[KIND_OF_BOX[k]].tolist()} for k in rows]
    found = [{"boxes": BOXES[k] + k % 2, "labels": names[KIND_OF_BOX[k]].tolist(), "scores": SURE[k]} for k in rows]
    return ix.detection(truth, found, classes=np.unique(names).tolist(), **_axes(rows), **options)


def _of_segments(rows: Any, names: Any, **options: Any) -> Any:
    truth, found = ([(names[side[k]], side[k]) for k in rows] for side in (BLOCKS, FOUND))
    return ix.panoptic(truth, found, classes=np.unique(names).tolist(), **_axes(rows), **options)


def _of_maps(rows: Any, names: Any, **options: Any) -> Any:
    truth, found = ([names[side[k]] for k in rows] for side in (BLOCKS, FOUND))
    return ix.vision.surface_distances(truth, found, classes=np.unique(names).tolist(), **_axes(rows), **options)


def _axes(rows: Any) -> dict[str, Any]:
    return {"images": [int(k) for k in rows], "by": {"place": PLACES[rows]}}


SOURCES = {
    "labels": Source(DECIDED, _of_labels, N, ("site", SITES)),
    "scores": Source((*DECIDED, *SCORED), _of_scores, N, ("site", SITES)),
    "two classes": Source((*DECIDED, *SCORED), _of_two, N, ("site", SITES)),
    "label sets": Source((*COUNTS, *SCORED), _of_sets, N, ("site", SITES)),
    "sweep": Source(SCORED, _of_all_scores, N, ("site", SITES)),
    "objects": Source(("objects",), _of_boxes, IMAGES, ("place", PLACES)),
    "segments": Source(("segments", *COUNTS), _of_segments, IMAGES, ("place", PLACES)),
    "distances": Source(("distances",), _of_maps, IMAGES, ("place", PLACES)),
}
NUMBERED, NAMED = np.arange(M), np.array(["ant", "bee", "cat"])
OTHER_NUMBERS = np.array([10, 20, 30])  # of maps of classes, which hold whole numbers
MEASURES = [
    m.at(**NEEDED.get(m.name, {}))
    for m in every_measure()
    if getattr(ix.measures, m.name, None) is not None and m.reads.name in KINDS  # not those that other tests define
]
REFUSED = (ValueError, TypeError)


@cache
def whole(name: str) -> Any:
    """Return a source of all rows."""
    source = SOURCES[name]
    return source.make(np.arange(source.rows), NUMBERED)


@cache
def variant(name: str, how: str) -> Any:
    """Return a source of the same rows in another form, or the reason why there is none."""
    source, own = SOURCES[name], np.arange(SOURCES[name].rows)
    order = np.random.default_rng(1).permutation(source.rows)
    try:
        if how == "renamed":
            return source.make(order, OTHER_NUMBERS if name in ("segments", "distances") else NAMED)
        if how == "twice":
            return source.make(np.concatenate((own, own)), NUMBERED)
        if how == "weight 2":
            return source.make(own, NUMBERED, sample_weight=np.full(source.rows, 2.0))
        return sum((source.make(part, NUMBERED) for part in (order[::2], order[1::2])), start=0)
    except REFUSED as reason:
        return reason


@cache
def parts_of(name: str, axis: str) -> tuple[Any, ...]:
    """Return each group of rows, or each image, as a source of its own."""
    source, ids = SOURCES[name], np.arange(SOURCES[name].rows) if axis == "image" else SOURCES[name].groups[1]
    return tuple(source.make(np.flatnonzero(ids == one), NUMBERED) for one in np.unique(ids))


def averages_of(name: str) -> tuple[Any, ...]:
    """Return all averages that a score of a source may be asked for."""
    return (None, *ix.algebra.AVERAGES, "binary", "image", "pairs", SOURCES[name].groups[0])


@cache
def scores_of(name: str, measure: ix.Measure) -> dict[Any, Any]:
    """Return the score under each average, or the reason why there is none."""
    averages = averages_of(name) if measure.reads.name in SOURCES[name].offers else (None, "macro")
    return {average: score_or_reason(whole(name), measure, average) for average in averages}


def score_of(source: Any, measure: ix.Measure, average: Any) -> Any:
    """Return a score of any source."""
    return source.score(measure, average) if hasattr(source, "score") else measure.score(source, average)


def score_or_reason(source: Any, measure: ix.Measure, average: Any) -> Any:
    """Return a score of any source, or the reason why there is none."""
    return answer(lambda: score_of(source, measure, average))


def answer(call: Callable[[], Any]) -> Any:
    """Return what a call gives, or the reason why it is refused."""
    try:
        return call()
    except REFUSED as refused:
        reason = str(refused)
    assert len(reason) > 40, reason
    return reason


def offered(name: str, measure: ix.Measure) -> Iterator[tuple[Any, Any]]:
    """Yield the averages that exist with their scores."""
    return ((average, score) for average, score in scores_of(name, measure).items() if not isinstance(score, str))


def same(one: Any, other: Any) -> bool:
    """Return whether two scores are equal up to the order in which they were added."""
    return float(one) == pytest.approx(float(other), rel=1e-9, abs=1e-12, nan_ok=True)


def every_pair(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test for each measure of each source that offers its kind."""
    pairs = [(name, measure) for name, source in SOURCES.items() for measure in MEASURES if measure.reads.name in source.offers]
    return for_each("name, measure", pairs)(test)  # type: ignore[no-any-return]


def test_every_kind_has_a_source() -> None:
    offers = {kind for source in SOURCES.values() for kind in source.offers}
    assert {measure.reads.name for measure in MEASURES} <= offers
    assert {*KINDS} - offers == {"sums", "answers"}  # which measures of scores mean, and which have their names among runs only


@for_each("measure", MEASURES)
@for_each("name", SOURCES)
def test_what_is_not_offered_is_refused_with_the_reason(name: str, measure: ix.Measure) -> None:
    found = scores_of(name, measure)
    reasons = [text for text in found.values() if isinstance(text, str)]
    if measure.reads.name in SOURCES[name].offers:
        assert len(reasons) < len(found) or measure.averages or not measure.reads.counted, reasons
    else:
        assert len(reasons) == len(found), found
        assert all(measure.name in text or measure.reads.what in text or "no confusion matrix" in text for text in reasons)


@every_pair
def test_a_score_is_the_mean_of_the_scores_of_its_groups_and_images_alone(name: str, measure: ix.Measure) -> None:
    source, found = SOURCES[name], dict(offered(name, measure))
    for average in (source.groups[0], "image"):
        if average not in found or measure.name.endswith("_skill"):  # its reference is of all examples
            continue
        alone = parts_of(name, average)
        assert any(same(found[average], mean_of(alone, measure, inside)) for inside in insides(name, measure)), average


def insides(name: str, measure: ix.Measure) -> tuple[str | None, ...]:
    """Return which averages may be meant inside a group: of losses and rankings the usual or the pooled one."""
    if measure.averages or not measure.reads.averaged or (measure.whole and name in ("labels", "scores", "two classes")):
        return (None,)
    if measure.reads.name == "scores":
        return (None, "micro")
    return {"two classes": ("binary",), "distances": ("pairs",)}.get(name, ("micro",))


def mean_of(parts: tuple[Any, ...], measure: ix.Measure, inside: str | None) -> float:
    """Return the mean of the scores of parts, without those that are undefined."""
    return mean_of_known(np.array([float(score_of(part, measure, inside)) for part in parts]))


def mean_of_known(values: Any) -> float:
    """Return the mean of the values that are finite."""
    known = np.isfinite(values)
    return float(values[known].mean()) if known.any() else math.nan


@every_pair
def test_a_score_is_the_mean_of_the_scores_of_its_classes_alone(name: str, measure: ix.Measure) -> None:
    found = scores_of(name, measure)
    if isinstance(found["macro"], str) or measure.reads.name == "scores":
        return
    values = np.array([float(_of_one_class(name, measure, k)) for k in range(M if name != "two classes" else 2)])
    assert np.asarray(found["macro"].values, float) == pytest.approx(values, rel=1e-9, abs=1e-12, nan_ok=True)
    known = np.isfinite(values)
    if not isinstance(found["weighted"], str) and known.any():
        truth = {"two classes": np.eye(2, dtype=int)[(Y == 1).astype(int)], "label sets": SETS}.get(name, np.eye(M, dtype=int)[Y])
        if name not in ("objects", "segments"):
            assert same(found["weighted"], np.average(values[known], weights=truth.sum(axis=0)[known]))
    assert same(found["macro"], mean_of_known(values))


def _of_one_class(name: str, measure: ix.Measure, k: int) -> Any:
    """Return the score of one class against all others."""
    if name in ("objects", "segments", "distances"):  # the others are one
        values = _with_others_merged(name, k).values(measure, "class")
        return values.tolist()[values.names.index(k)]
    if name == "two classes":
        y, decided, scores = ((Y == 1) == k), ((P[:, 1] >= 0.5) == k), P[:, 1] if k else -P[:, 1]
    elif name == "label sets":
        y, decided, scores = SETS[:, k] == 1, P[:, k] >= 0.4, P[:, k]
    else:
        y, decided, scores = k == Y, k == Z, P[:, k]
    if measure.reads.counted:
        return ix.evaluate(y, decided, classes=[False, True]).score(measure, "binary")
    return measure.score(ix.sweep(y, scores), "binary")


@cache
def _with_others_merged(name: str, k: int) -> Any:
    """Return a result of images where all classes but one are one class."""
    return SOURCES[name].make(np.arange(IMAGES), np.where(k == NUMBERED, k, (k + 1) % M))


@every_pair
def test_names_and_the_order_of_rows_do_not_matter(name: str, measure: ix.Measure) -> None:
    for average, score in offered(name, measure):
        assert same(score_of(variant(name, "renamed"), measure, average), score), average


@every_pair
def test_a_weight_of_two_is_a_row_that_stands_twice(name: str, measure: ix.Measure) -> None:
    weighted, twice = variant(name, "weight 2"), variant(name, "twice")
    if isinstance(weighted, Exception):
        assert "sample_weight" in str(weighted)
        return
    for average, _ in offered(name, measure):
        score = score_or_reason(weighted, measure, average)
        assert isinstance(score, str) or same(score, score_of(twice, measure, average)), average


@every_pair
def test_parts_add_to_the_whole_or_say_why_not(name: str, measure: ix.Measure) -> None:
    total = variant(name, "parts")
    assert isinstance(total, TypeError) != SOURCES[name].adds
    if not SOURCES[name].adds:
        return
    for average, score in offered(name, measure):
        added = score_or_reason(total, measure, average)
        if isinstance(added, str):
            assert "evaluations that are added keep counts only" in added
            assert not measure.reads.counted
        else:
            assert same(added, score), average


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """Return what gives a source that was saved and loaded."""
    folder: Path = tmp_path_factory.mktemp("sources")

    @cache
    def load(name: str) -> Any:
        whole(name).save(folder / f"{name}.json")
        return ix.load(folder / f"{name}.json")

    return load


@every_pair
def test_files_keep_every_score_or_say_why_not(name: str, measure: ix.Measure, loaded: Callable[[str], Any]) -> None:
    assert hasattr(whole(name), "save") == SOURCES[name].adds
    if not SOURCES[name].adds:
        return
    again = loaded(name)
    assert again == whole(name)
    for average, score in offered(name, measure):
        read = score_or_reason(again, measure, average)
        if isinstance(read, str):
            assert re.search("were not kept|keeps no examples|merged", read)
            assert not measure.reads.counted
        else:
            assert same(read, score), average


@every_pair
def test_an_interval_has_the_value_inside_or_says_why_there_is_none(name: str, measure: ix.Measure) -> None:
    scores = list(offered(name, measure))[:2]
    for (average, score), clusters in zip(scores, (None, SOURCES[name].groups[0]), strict=False):
        asked = {"clusters": clusters, "draws": 50}
        found = answer(lambda average=average, asked=asked: ix.inference.interval(whole(name), measure, average, **asked))
        if not isinstance(found, str):
            assert same(found.value, score)
            assert math.isnan(found.low) or found.low <= found.value <= found.high, average


@every_pair
def test_twice_as_many_rows_make_intervals_of_scores_and_images_narrower(name: str, measure: ix.Measure) -> None:
    if measure.reads.counted:
        return  # some formulas of counts grow with the number of examples
    for average in (None, "exemplar"):
        both = [
            answer(lambda source=source, average=average: ix.inference.interval(source, measure, average, draws=50))
            for source in (whole(name), variant(name, "twice"))
        ]
        if not any(isinstance(found, str) for found in both):
            once, twice = (found.high - found.low for found in both)
            assert once == 0 or twice < 0.95 * once, average
