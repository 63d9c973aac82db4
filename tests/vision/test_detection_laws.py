"""Laws of detection: order does not matter, matches are one to one, average precision is the library's, counts fit."""

import math

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.measure_names import resolve
from indicatrix.vision.images.image_intervals import sample_of
from indicatrix.vision.images.image_units import Halves
from indicatrix.vision.match.matching import assign

RULES = ("coco", "voc", "optimal")


def random_lists(seed, images=6, classes=3):
    """Return true objects and predictions, a dict per image; all scores are different."""
    rng = np.random.default_rng(seed)
    scores = iter(rng.permutation(1000) / 1000)
    truth, found = [], []
    for _ in range(images):
        n = rng.integers(0, 6)
        corner, size = rng.uniform(0, 60, (n, 2)), rng.uniform(5, 60, (n, 2))
        boxes = np.concatenate([corner, corner + size], axis=1)
        labels = rng.integers(0, classes, n)
        truth.append({"boxes": boxes, "labels": labels, "crowd": rng.random(n) < 0.1, "ignore": rng.random(n) < 0.1})
        near = boxes[rng.integers(n, size=7)] + rng.normal(0, 3, (7, 4)) if n else np.tile([0.0, 0, 9, 9], (7, 1))
        near[:, 2:] = np.maximum(near[:, 2:], near[:, :2] + 1)
        guess = labels[rng.integers(n, size=7)] if n else rng.integers(0, classes, 7)
        found.append({"boxes": near, "labels": guess, "scores": np.array([next(scores) for _ in range(7)])})
    return truth, found


def shuffled(side, rng):
    order = rng.permutation(len(side["labels"]))
    return {name: values[order] for name, values in side.items()}


@for_each("rule", RULES)
@for_each("seed", range(4))
def test_the_order_of_images_and_of_objects_changes_nothing(seed, rule):
    truth, found = random_lists(seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(truth))
    other = ([shuffled(side[i], rng) for i in order] for side in (truth, found))
    one, two = ix.detection(truth, found, matching=rule), ix.detection(*other, images=order.tolist(), matching=rule)
    assert [*map(float, one.summary().values())] == pytest.approx([*map(float, two.summary().values())], nan_ok=True)
    assert np.array_equal(one.confusion(0.3), two.confusion(0.3))
    assert one.errors().counts == two.errors().counts


@for_each("rule", RULES)
@for_each("seed", range(4))
def test_matches_are_one_to_one_and_overlap_enough(seed, rule):
    result = ix.detection(*random_lists(seed, 8, 1), matching=rule)
    matches, truth = result.matches(), result.scene.truth
    partner = matches.partners.truth
    for t, iou in enumerate(matches.made.ious):
        for a in range(partner.shape[2]):
            mine = np.flatnonzero(partner[:, t, a] >= 0)
            theirs = partner[mine, t, a]
            alone = theirs[~truth.crowd[theirs] & ~(truth.ignore[theirs] & (rule == "voc"))]
            assert len(np.unique(alone)) == len(alone) or rule == "voc"
            counted = theirs[~matches.ignored[theirs, a]]
            assert len(np.unique(counted)) == len(counted)
            at = matches.partners.prediction[mine]
            overlap = result.scene.predictions.shapes.overlaps(at, truth.shapes, theirs, truth.crowd[theirs])
            assert (overlap >= iou).all()


@pytest.mark.parametrize("seed", range(6))
def test_an_optimal_matching_finds_no_fewer(seed):
    truth, found = random_lists(seed, 10, 1)
    most, usual = (ix.detection(truth, found, matching=rule).ar(per="image") for rule in ("optimal", "coco"))
    assert (np.nan_to_num(most) >= np.nan_to_num(usual) - 1e-12).all()


def test_an_optimal_matching_at_a_score_does_not_see_lower_scores():
    truth = [{"boxes": [[0, 0, 10, 10]], "labels": [0]}]
    found = [{"boxes": [[0, 0, 10, 7], [0, 0, 10, 10]], "labels": [0, 0], "scores": [0.9, 0.1]}]  # the better one is less sure
    result = ix.detection(truth, found, matching="optimal")
    assert [result.at(score=s).aggregate().tp for s in (0.5, 0.0)] == [1, 1]
    assert [result.at(score=s).aggregate().fp for s in (0.5, 0.0)] == [0, 1]


def test_an_assignment_is_the_best_of_all():
    from itertools import permutations

    rng = np.random.default_rng(0)
    for _ in range(30):
        value = rng.random((4, 4)) * (rng.random((4, 4)) < 0.6)
        row, column = np.nonzero(value)
        chosen = value[assign(row, column, value[row, column])]
        totals = [(np.count_nonzero(v), v.sum()) for v in (value[range(4), list(p)] for p in permutations(range(4)))]
        assert (len(chosen), pytest.approx(chosen.sum())) == max(totals)


def literal_voc(truth, found, iou):
    """Return the recall at one overlap by the words of PASCAL VOC, for one class without ignored objects."""
    hits = 0
    for true, pred in zip(truth, found, strict=True):
        seen = set()
        for k in np.argsort(-pred["scores"]):
            x0, y0, x1, y1 = pred["boxes"][k]
            best = (0.0, None)
            for j, (a0, b0, a1, b1) in enumerate(true["boxes"]):
                inside = max(0, min(x1, a1) - max(x0, a0)) * max(0, min(y1, b1) - max(y0, b0))
                union = (x1 - x0) * (y1 - y0) + (a1 - a0) * (b1 - b0) - inside
                best = max(best, (inside / union, j), key=lambda pair: pair[0])
            if best[0] >= iou and best[1] not in seen:
                seen.add(best[1])
                hits += 1
    return hits / sum(len(true["boxes"]) for true in truth)


@pytest.mark.parametrize("seed", range(6))
def test_voc_is_voc(seed):
    truth, found = random_lists(seed, 8, 1)
    plain = [{"boxes": side["boxes"], "labels": side["labels"]} for side in truth]
    for iou in (0.3, 0.5, 0.7):
        assert ix.detection(plain, found, matching="voc").ar(iou=iou) == pytest.approx(literal_voc(plain, found, iou))


@pytest.mark.parametrize("interpolation", ["step", "envelope", "trapezoid"])
@pytest.mark.parametrize("seed", range(3))
def test_average_precision_is_that_of_the_library_with_missed_objects(seed, interpolation):
    truth, found = random_lists(seed, 12, 1)
    result = ix.detection(truth, found)
    ev = result.at(score=-1)
    matches = result.matches()
    kept = matches.kept_predictions()
    partner = matches.partner_of(kept, 0, 0)
    counts = np.where(partner >= 0, ~matches.ignored[np.maximum(partner, 0), 0], True)
    right, scores = partner[counts] >= 0, result.scene.predictions.score[kept[counts]]
    ranked = ix.average_precision(right, scores, interpolation=interpolation)
    assert result.ap(iou=0.5, interpolation=interpolation) == pytest.approx(ranked * ev.score("recall", "micro"))


@for_each("interpolation", ["step", "envelope", "11-point", "101-point", "coco"])
@for_each("seed", range(3))
def test_average_precision_grows_with_every_object_that_is_found(seed, interpolation):
    truth, found = random_lists(seed, 8, 2)
    plain = [{"boxes": side["boxes"], "labels": side["labels"]} for side in truth]
    before = ix.detection(plain, found)
    missed = before.errors(iou=0.5).predictions["missed"]
    assert len(missed) or seed
    for at in missed:
        image, label = before.scene.truth.image[at], before.scene.truth.label[at]
        box = before.scene.truth.shapes.xywh[at]
        box = np.concatenate([box[:2], box[:2] + box[2:]])
        for score in (0.0005, 0.5005, 2):
            more = [dict(side) for side in found]
            old = found[image]
            new = {"boxes": [box], "labels": [before.classes[label]], "scores": [score]}
            more[image] = {name: np.concatenate([old[name], new[name]]) for name in old}
            after = ix.detection(plain, more, classes=before.classes)
            values = [x.ap(iou=0.5, per="class", interpolation=interpolation)[label] for x in (before, after)]
            assert values[1] >= values[0] - 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_counts_at_a_score_fit_the_areas(seed):
    result = ix.detection(*random_lists(seed))
    ev = result.at(score=-1)
    counted = ~result.matches().ignored[:, 0]
    assert (
        ev.aggregate("class").tp + ev.aggregate("class").fn == np.bincount(result.scene.truth.label[counted], minlength=3)
    ).all()
    assert ev.score("recall", "macro") == pytest.approx(result.ar(iou=0.5))
    assert ev.score("recall", "micro") == pytest.approx(result.ar(iou=0.5, average="micro"))
    assert np.isnan(ev.score("specificity", "micro"))
    across = result.at(score=0.4, across_classes=True)
    assert np.array_equal(across.confusion, result.confusion(0.4)[:-1, :-1])


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_score_is_the_best_of_all(seed, average):
    result = ix.detection(*random_lists(seed))
    best = result.best("f1", average)
    every = [result.at(score=s).score("f1", average) for s in result.scene.predictions.score]
    assert best.value == pytest.approx(max(every))
    assert result.at(score=best.threshold).score("f1", average) == pytest.approx(best.value)


@pytest.mark.parametrize("seed", range(3))
def test_the_curve_has_the_area_and_the_values_of_every_score(seed):
    result = ix.detection(*random_lists(seed))
    curve = result.pr(iou=0.7)
    assert curve.area == pytest.approx(result.ap(0.7, average="micro", interpolation="step"))
    each = [result.pr(c).area for c in result.classes]
    assert each == pytest.approx(result.ap(0.5, per="class", interpolation="step").tolist(), nan_ok=True)
    at = [result.at(score=s, iou=0.7) for s in curve.thresholds[1:]]
    assert curve.y[1:] == pytest.approx([ev.score("precision", "micro") for ev in at])
    assert curve.x[1:] == pytest.approx([ev.score("recall", "micro") for ev in at])


def test_units_are_pooled_averaged_and_combined():
    truth, found = random_lists(1, 6)
    result = ix.detection(truth, found, by={"sequence": [*"aabbcc"]})
    assert result.ap(average="micro") == pytest.approx(float(result.ap(per=())))
    assert result.ap() == pytest.approx(np.nanmean(result.ap(per="class")))
    assert result.ap(average="sequence") == pytest.approx(np.nanmean(result.ap(per="sequence")))
    both = result.ap(per=("sequence", "class"))
    assert both.shape == (3, 3)
    part = ix.detection(truth[:2], found[:2], classes=result.classes)
    assert np.allclose(both[0], part.ap(per="class"), equal_nan=True)
    one = ix.detection(truth[3:4], found[3:4], classes=result.classes)
    assert result.ap(per="image")[3] == pytest.approx(one.ap(average="micro"), nan_ok=True)
    weights = np.bincount(result.scene.truth.label[~result.matches().ignored[:, 0]], minlength=3)
    assert result.ap(average="weighted") == pytest.approx(np.average(result.ap(per="class"), weights=weights))


def test_other_overlaps_areas_and_limits_are_matched_when_they_are_asked_for():
    truth, found = random_lists(2)
    result = ix.detection(truth, found, ious=[0.5])
    assert result.ap(iou=[0.3, 0.6]) == pytest.approx(ix.detection(truth, found, ious=[0.3, 0.6]).ap())
    assert result.ap(area=(100, 900)) == pytest.approx(ix.detection(truth, found, ious=0.5, areas={"x": (100, 900)}).ap(area="x"))
    assert result.ar(max_detections=1) == pytest.approx(ix.detection(truth, found, ious=0.5, max_detections=1).ar())


@for_each("area", ["all", (200, 1500)])
@for_each("average", ["macro", "micro", "image", "sequence"])
@for_each("quantity", ["ap", "ar"])
def test_a_replicate_is_the_evaluation_of_the_images_that_were_drawn(quantity, average, area):
    """Crowds, what is ignored, and areas that leave out objects, predictions or both; the copies of a sequence are one."""
    truth, found = random_lists(5)
    result = ix.detection(truth, found, by={"sequence": list("abcabc")})
    sample = sample_of(result, resolve(quantity).at(area=area), average, None, "exclude")
    rows = np.array([[2, 0, 1, 3, 1, 0], [1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 0, 1], [0, 1, 0, 1, 0, 0]])
    got = sample.of(rows.astype(float))
    for times, value in zip(rows, got, strict=True):
        drawn = [i for i, n in enumerate(times) for _ in range(n)]
        sides = [[side[i] for i in drawn] for side in (truth, found)]
        repeated = ix.detection(*sides, classes=result.classes, by={"sequence": ["abcabc"[i] for i in drawn]})
        assert value == pytest.approx(getattr(repeated, quantity)(average=average, area=area), abs=1e-12)


def test_an_image_that_is_drawn_twice_counts_twice_in_a_mean_over_images():
    """So the bootstrap knows the spread of a mean; a mean over the images that occur would spread less."""
    one, none = {"boxes": [[0, 0, 9, 9]], "labels": [1]}, {"boxes": [], "labels": [], "scores": []}
    result = ix.detection([one] * 40, [{**one, "scores": [0.5]}] * 20 + [none] * 20)
    interval = result.interval("ap", "image", method="percentile", draws=1000)
    assert (interval.high - interval.low) / 2 == pytest.approx(1.96 * 0.5 / np.sqrt(40), rel=0.1)


def test_intervals_and_comparisons():
    truth, found = random_lists(7, 30)
    by = {"sequence": [i // 3 for i in range(30)]}
    result = ix.detection(truth, found, by=by)
    for method in ("halves", "bootstrap", "percentile", "jackknife"):
        interval = result.interval("ap", "macro", method=method, draws=60)
        assert interval.low < interval.high
        assert interval.value in interval or method == "percentile"
    sequences = result.interval("ar", "macro", clusters="sequence", draws=60)
    assert sequences.value == pytest.approx(result.ar())
    worse = [{**side, "boxes": side["boxes"] + 4.0} for side in found]
    other = ix.detection(truth, worse, by=by, classes=result.classes)
    apart = result.compare(other, "ap", "macro", draws=60, names=("new", "old"))
    assert apart.value == pytest.approx(result.ap() - other.ap())
    assert apart.low <= apart.value <= apart.high
    assert "paired halves" in str(apart)
    same = result.compare(result, "ar", "macro", draws=60)
    assert (same.value, same.low, same.high, same.p) == (0, 0, 0, 1)
    with pytest.raises(ValueError, match="not evaluated on the same objects"):
        result.compare(ix.detection(truth[:5], found[:5]), "ap", "macro")
    with pytest.raises(ValueError, match="matched in different ways"):
        result.compare(ix.detection(truth, found, by=by, ious=0.5), "ap", "macro")


@pytest.mark.slow
def test_halves_know_the_spread_of_a_mean_and_expect_a_lower_average_precision():
    one, none = {"boxes": [[0, 0, 9, 9]], "labels": [1]}, {"boxes": [], "labels": [], "scores": []}
    result = ix.detection([one] * 41, [{**one, "scores": [0.5]}] * 25 + [none] * 16)
    interval = result.interval("ar", "macro", draws=4000)
    p = 25 / 41
    low, high = (np.log(end / (1 - end)) for end in (interval.low, interval.high))
    assert (low + high) / 2 == pytest.approx(np.log(p / (1 - p)), abs=0.01)
    assert (high - low) / 2 == pytest.approx(2.021 / np.sqrt(40 * p * (1 - p)), rel=0.06)  # Student's quantile at 40 degrees
    result = ix.detection(*random_lists(3, 40))
    interval = result.interval("ap(iou=0.5)", "macro")
    assert (interval.low + interval.high) / 2 < interval.value < interval.high
    again = result.interval("ap(iou=0.5)", "macro")
    assert (again.low, again.high) == (interval.low, interval.high)
    perfect = ix.detection([one] * 5, [{**one, "scores": [0.5]}] * 5).interval("ap", "macro")
    assert (perfect.low, perfect.high) == (1, 1)
    assert "does not mean that it is certain" in perfect.warning


def test_halves_know_a_bias_that_falls_with_the_square_root_of_the_images():
    def too_high(weights):
        value = 0.5 + 0.4 / np.sqrt(weights.sum(axis=1))
        here = np.stack([np.ones(len(value)), weights[:, 0] > 0], axis=1)  # the second unit is in the first image only
        return np.stack([value, value], axis=1), here

    found = Halves.of(too_high, 16, np.random.default_rng(0), 20)
    assert found.bias == pytest.approx(0.4 / 4)
    assert found.errors == pytest.approx(np.zeros(20))


def test_each_kind_of_error_is_told_apart_and_has_its_price():
    a, b, far = [0, 0, 10, 10], [100, 100, 110, 110], [500, 500, 510, 510]
    truth = [{"boxes": [a, b, far], "labels": ["x", "y", "x"]}]
    cases = {
        "classification": ([100, 100, 110, 110], "x"),
        "localization": ([0, 0, 10, 3], "x"),
        "both": ([100, 100, 110, 103], "x"),
        "duplicate": (a, "x"),
        "background": ([900, 900, 910, 910], "x"),
    }
    for kind, (box, label) in cases.items():
        sure = [] if kind == "localization" else [a]
        boxes = [*sure, box]
        scores = [1.0] * len(sure) + [0.9]
        found = [{"boxes": boxes, "labels": ["x"] * len(sure) + [label], "scores": scores}]
        errors = ix.detection(truth, found).errors()
        assert {name: n for name, n in errors.counts.items() if n and name != "missed"} == {kind: 1}
        repaired = {"classification": 0.5, "localization": 51 / 101 / 2}.get(kind, 0.0)
        assert errors.costs[kind] == pytest.approx(repaired)
        assert errors.counts["missed"] == 2 - (kind == "classification")
    assert errors.to_dict()["error"][-1] == "missed"


def test_an_error_at_an_object_that_was_found_is_left_out():
    a, b, far = [0, 0, 10, 10], [100, 100, 110, 110], [500, 500, 510, 510]
    truth = [{"boxes": [a, b, far], "labels": ["x", "y", "x"]}]
    found = [{"boxes": [a, a, b], "labels": ["x", "y", "y"], "scores": [0.9, 0.8, 0.7]}]
    errors = ix.detection(truth, found).errors()
    assert errors.counts["classification"] == 1
    assert (errors.ap, errors.costs["classification"]) == (pytest.approx((51 / 101 + 0.5) / 2), pytest.approx(0.25))


@pytest.mark.parametrize("angle", [0, 30, 90, 211])
def test_oriented_boxes_turn_without_a_change(angle):
    rng = np.random.default_rng(angle)
    flat = np.concatenate([rng.uniform(0, 40, (30, 2)), rng.uniform(5, 30, (30, 2)), np.zeros((30, 1))], axis=1)
    turn = np.deg2rad(angle)
    turned = flat.copy()
    turned[:, :2] = flat[:, :2] @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    turned[:, 4] = angle
    from indicatrix.vision.shapes.shapes import Boxes, OrientedBoxes

    boxes = Boxes(np.concatenate([flat[:, :2] - flat[:, 2:4] / 2, flat[:, 2:4]], axis=1))
    at, crowd = np.arange(15), np.arange(15) % 2 == 0
    expected = boxes.overlaps(at, boxes, at + 15, crowd)
    assert (expected > 0).any()
    oriented = OrientedBoxes(turned)
    assert oriented.overlaps(at, oriented, at + 15, crowd) == pytest.approx(expected)
    assert oriented.overlaps(at, oriented, at, ~crowd | crowd) == pytest.approx(np.ones(15))


def test_empty_scenes():
    nothing = {"boxes": np.zeros((0, 4)), "labels": []}
    one = {"boxes": [[0, 0, 1, 1]], "labels": ["a"]}
    empty = ix.detection([nothing], [{**nothing, "scores": []}])
    assert np.isnan([*empty.summary().values()]).all()
    assert empty.at(score=0.5).n == 0
    assert ix.detection([one], [{**nothing, "scores": []}]).summary()["AP"] == 0
    assert np.isnan(ix.detection([nothing], [{**one, "scores": [1]}]).ap())
    assert ix.detection([nothing], [{**one, "scores": [1]}]).at(score=0).aggregate().fp == 1
    assert ix.detection([], []).images == ()
    assert str(ix.detection([one], [{**one, "scores": [1]}])).startswith("DetectionEvaluation: 1 image, 1 class, 1 object")


@pytest.mark.parametrize(("last", "recall"), [("right", 1.0), ("left", 0.5)])
def test_of_equal_overlaps_the_last_object_is_taken_as_in_coco(last, recall):
    left, right = [8, 0, 18, 10], [12, 0, 22, 10]
    truth = [{"boxes": [left, right] if last == "right" else [right, left], "labels": [0, 0]}]
    found = [{"boxes": [[10, 0, 20, 10], left], "labels": [0, 0], "scores": [0.9, 0.8]}]  # the second fits only the left one
    assert ix.detection(truth, found).ar(iou=0.5) == recall


def test_an_interval_without_a_width_says_why():
    box = {"boxes": [[0, 0, 9, 9]], "labels": [1]}
    found = ix.detection([box] * 6, [{**box, "scores": [0.5]}] * 6).interval("ap", "macro", draws=20)
    assert (found.low, found.high) == (1, 1)
    assert found.warning in found.describe()
    assert found.warning != ""


@pytest.mark.parametrize("kind", ["boxes", "oriented", "keypoints"])
def test_scores_do_not_depend_on_the_unit_of_length_and_sizes_without_an_area_are_refused(kind):
    """The area of a side of 1e-200 is 0 in floats and that of 1e200 infinite: such boxes were missed or left out."""
    shapes = {
        "boxes": [[0.0, 0, 4, 4], [2, 1, 6, 5]],
        "oriented": [[0.0, 0, 4, 4, 30], [2, 1, 6, 5, 0]],
        "keypoints": [[0.0, 0, 2, 4, 4, 2, 1, 3, 2], [2, 1, 2, 6, 5, 2, 3, 3, 1]],
    }[kind]
    length = {"boxes": [1] * 4, "oriented": [1] * 4 + [0], "keypoints": [1, 1, 0] * 3}[kind]  # which numbers are lengths
    areas = {"areas": {"all": (0, math.inf)}, "sigmas": [0.1, 0.1, 0.1] if kind == "keypoints" else None}

    def quality(unit):
        scaled = np.where(length, np.array(shapes) * unit, shapes).tolist()
        true, pred = {kind: scaled, "labels": ["a", "b"]}, {kind: scaled[::-1], "labels": ["b", "a"], "scores": [0.9, 0.8]}
        return ix.detection([true], [pred], kind=kind, **areas).ap()

    assert quality(1) == 1
    for unit in (1e-140, 1e-20, 1e20, 1e140)[2 if kind == "keypoints" else 0 :]:  # COCO adds a constant to areas of keypoints
        assert quality(unit) == 1
    for unit in (1e160, 1e300):
        with pytest.raises(ValueError, match=r"object 0 \(image 0\): the .* leave the range of floats\. Multiply all"):
            quality(unit)
    if kind != "keypoints":
        with pytest.raises(ValueError, match=r"object 0 \(image 0\): the .* leave the range of floats\. Multiply all"):
            quality(1e-200)
