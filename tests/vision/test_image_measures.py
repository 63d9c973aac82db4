"""Measures of images: every one of the registry, for every result that has what it reads, by one path."""

import pickle

import numpy as np
import pytest
from loops import for_each
from test_detection_laws import random_lists

import indicatrix as ix
from indicatrix.algebra.kind import every_measure, find_kind
from indicatrix.algebra.measure_names import resolve
from indicatrix.vision.images.image_intervals import sample_of

N = 24
BY = {"site": [k // 3 for k in range(N)]}
RNG = np.random.default_rng(2)
TRUE = np.repeat(np.repeat(RNG.integers(0, 3, (N, 4, 4)), 3, 1), 3, 2)
FOUND = np.where(RNG.random(TRUE.shape) < 0.7, TRUE, RNG.integers(0, 3, TRUE.shape))


def detected(at, **options):
    truth, found = random_lists(8, N)
    by = {"by": {"site": [BY["site"][k] for k in at]}, "images": list(at), **options}
    return ix.detection([truth[k] for k in at], [found[k] for k in at], classes=[0, 1, 2], **by)


def segmented(at, **options):
    by = {"by": {"site": [BY["site"][k] for k in at]}, "images": list(at), **options}
    return ix.panoptic([(TRUE[k], TRUE[k]) for k in at], [(FOUND[k], FOUND[k]) for k in at], classes=[0, 1, 2], **by)


def outlined(at, **options):
    by = {"by": {"site": [BY["site"][k] for k in at]}, "images": list(at), **options}
    return ix.vision.surface_distances(TRUE[list(at)], FOUND[list(at)], classes=[1, 2], one_sided="diagonal", **by)


MAKERS = {"objects": detected, "segments": segmented, "distances": outlined}
WHOLE = {kind: make(range(N)) for kind, make in MAKERS.items()}
MEASURES = [m.at(tolerance=1) if m.name == "surface_dice" else m for m in every_measure() if m.reads.name in MAKERS]
SMOOTH = [*(m for m in MEASURES if m.name != "ap"), resolve("ap(interpolation='step')")]
AVERAGES = ("macro", "weighted", "micro", "image", "site", "pairs")


def possible(measure):
    """Return the averages that a measure has."""
    without = ("weighted", "micro") if measure.reads.name == "distances" else ("pairs",)
    for average in without:
        with pytest.raises(ValueError, match="Choose from"):
            WHOLE[measure.reads.name].score(measure, average)
    return [average for average in AVERAGES if average not in without]


@for_each("measure", MEASURES)
def test_a_score_is_the_mean_of_its_values_and_parts_add_to_it(measure, tmp_path):
    whole, make = WHOLE[measure.reads.name], MAKERS[measure.reads.name]
    parts = [make(range(k, k + 6)) for k in range(0, N, 6)]
    whole.save(tmp_path / "whole.json")
    assert len(possible(measure)) >= 4
    for average in possible(measure):
        score = whole.score(measure, average)
        assert float(sum(parts).score(measure, average)) == pytest.approx(float(score), rel=1e-12)
        assert float(ix.load(tmp_path / "whole.json").score(measure, average)) == float(score)
        assert score == whole.score(str(measure), average) == whole.score(f"{measure}", average, undefined="exclude")
        axis = {"macro": "class", "image": "image", "site": "site"}.get(average)
        if axis:
            assert float(score) == pytest.approx(np.nanmean(whole.values(measure, axis)), rel=1e-12)
        assert measure.score(whole, average) == score
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert "Parameters" in measure.__doc__


@for_each("measure", MEASURES)
def test_a_score_does_not_depend_on_the_order_of_images(measure):
    order = RNG.permutation(N).tolist()
    turned = MAKERS[measure.reads.name](order)
    for average in possible(measure):
        expected = WHOLE[measure.reads.name].score(measure, average)
        assert float(turned.score(measure, average)) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.one_fast_case
@for_each("measure", MEASURES)
def test_an_interval_has_the_value_inside_under_every_method_and_average(measure):
    whole = WHOLE[measure.reads.name]
    for average in possible(measure):
        for clusters in (None, "site"):
            for method in measure.facts.ways:
                if measure.name == "ap" and method == "delta":
                    continue
                found = whole.interval(measure, average, method=method, clusters=clusters, draws=40)
                assert found.value == pytest.approx(float(whole.score(measure, average)), rel=1e-12)
                assert found.low < found.high
                assert found.low <= found.value <= found.high or method in ("bca", "percentile")


@for_each("measure", SMOOTH)
def test_slopes_have_the_spread_of_the_bootstrap(measure):
    """So does a paired difference; slopes along all images together are 0, because only shares of images count."""
    whole = WHOLE[measure.reads.name]
    for average in possible(measure):
        for clusters in (None, "site"):
            if (average, clusters) == ("site", None):  # three images of a site are too few for slopes
                continue
            sample = sample_of(whole, measure, average, clusters, "exclude")
            moves = sample.added
            assert moves.sum() == pytest.approx(0, abs=1e-7)
            groups = sample.groups
            drawn = sample.of(np.random.default_rng(0).multinomial(groups, [1 / groups] * groups, 600).astype(float))
            assert np.sqrt((moves**2).sum()) == pytest.approx(np.nanstd(drawn), rel=0.15), (average, clusters)


@for_each("measure", SMOOTH)
def test_slopes_are_those_of_many_images_of_which_one_counts_a_little_more(measure):
    if measure.name == "ap":
        return  # there an image that counts twice is two images, one after the other
    for average in possible(measure):
        sample = sample_of(WHOLE[measure.reads.name], measure, average, None, "exclude")
        some = np.full((2, N), 1000.0)
        some[0, 3] += 1
        some[1, 3] -= 1
        up, down = sample.of(some)
        assert sample.added[3] == pytest.approx((up - down) / 2 * 1000, rel=1e-4, abs=1e-9), average


@for_each("kind", WHOLE)
def test_a_difference_of_a_measure_of_counts_is_refused_with_the_reason(kind):
    with pytest.raises(TypeError, match=r"f1 reads four counts, as a source of counts has them\. "):
        WHOLE[kind].compare(WHOLE[kind], "f1", "macro")


def test_step_average_precision_moves_as_the_sum_over_its_ranking_says():
    """The precision at each right prediction, weighted by the image that it is in, in plain loops."""
    whole = WHOLE["objects"]
    layers = whole.units(resolve("ap(iou=0.5)"), ()).layers
    (ranking,) = layers.rankings(whole.units(resolve("ap(iou=0.5)"), ()).units)
    scene = whole.scene

    def area(times):
        counted = tp = total = 0.0
        where = dict(zip(ranking.place.tolist(), range(len(ranking.place)), strict=True))
        for k, prediction in enumerate(ranking.order.tolist()):
            own, row = times[scene.predictions.image[prediction]], where.get(k)
            right, found = (False, False) if row is None else (ranking.right[row, 0], ranking.found[row, 0])
            counted += own * (right or (ranking.counts[k] and not found))
            tp += own * right
            total += own * right * (tp / counted if right else 0)
        return total / sum(times[i] for i in scene.truth.image[ranking.truth])

    sample = sample_of(whole, resolve("ap(iou=0.5, interpolation='step')"), "micro", None, "exclude")
    assert area(np.ones(N)) == pytest.approx(sample.value, rel=1e-12)
    step = np.eye(N) * 1e-5
    expected = [(area(1 + row) - area(1 - row)) / 2e-5 for row in step]
    assert sample.added == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_segments_have_measures_of_counts_too():
    whole = WHOLE["segments"]
    for measure in ("recall", "precision", "f1"):
        for average in ("micro", "macro", "weighted", "image", "site"):
            assert float(whole.score(measure, average)) == pytest.approx(float(whole.counts().score(measure, average)))
    assert float(whole.score("rq", "macro")) == pytest.approx(float(whole.score("f1", "macro")))
    assert np.isnan(whole.score("specificity", "micro"))
    assert whole.table(["pq", "f1"], ["micro", "macro"])["f1", "micro"] == whole.score("rq", "micro")


def test_things_and_stuff_are_classes_of_their_own():
    whole = segmented(range(N), things=[1])
    for only, classes in (("things", [1]), ("stuff", [0, 2])):
        values = whole.values(f"pq(only='{only}')")
        assert list(values.names) == classes
        assert whole.score(f"pq(only='{only}')", "macro") == pytest.approx(values.mean())
        assert whole.score(f"pq(only='{only}')", "macro") == whole.pq(only=only)


@for_each("kind", MAKERS)
def test_a_call_on_the_arrays_is_the_score_of_the_result(kind):
    made = {
        "objects": (ix.measures.ap, [x[:6] for x in random_lists(8, N)], {}, ix.detection),
        "segments": (ix.measures.pq, [[(x[k], x[k]) for k in range(6)] for x in (TRUE, FOUND)], {}, ix.panoptic),
        "distances": (ix.measures.assd, [TRUE[:6], FOUND[:6]], {"one_sided": 3}, ix.vision.surface_distances),
    }
    measure, sides, options, make = made[kind]
    assert measure(*sides, average="macro", **options) == make(*sides, **options).score(measure, "macro")
    assert measure(make(*sides, **options), average="macro") == make(*sides, **options).score(measure, "macro")
    assert find_kind(kind).name == kind
    with pytest.raises(TypeError, match="color"):
        measure(*sides, average="macro", color=1)


@for_each(
    ("call", "message"),
    [
        (
            lambda: ix.evaluate([0, 1], [0, 1]).score("pq", "macro"),
            "pq reads matched segments, as a result of ix.panoptic has them",
        ),
        (lambda: WHOLE["segments"].score("ap", "macro"), "ap reads matched objects, .*ix.catalogue"),
        (lambda: WHOLE["objects"].score("hausdorff", "macro"), "hausdorff reads distances between outlines"),
        (lambda: WHOLE["distances"].score("f1", "macro"), "f1 reads .*distances between outlines"),
        (lambda: WHOLE["objects"].score("ap"), "must be one name, such as 'macro'"),
        (lambda: WHOLE["objects"].score("ap(iou=2)", "macro"), "ious=2"),
        (lambda: WHOLE["objects"].score("ap(only='r')", "macro"), "a group of LVIS's frequencies"),
        (lambda: WHOLE["distances"].score("surface_dice", "macro"), "needs its tolerance"),
        (lambda: WHOLE["objects"].interval("ap(interpolation='11-point')", "macro"), "not known of images that are drawn"),
        (lambda: WHOLE["segments"].compare(WHOLE["segments"], "pq", "macro", method="halves"), "not possible here"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
