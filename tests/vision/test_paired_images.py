"""Two models on the same images: differences are paired by image, or refused with the way to go."""

import math

import numpy as np
import pytest

import indicatrix as ix

RNG = np.random.default_rng(5)
MEASURES = {"objects": "ap", "segments": "pq", "distances": "hausdorff"}  # one of each kind
TRUTH = RNG.integers(0, 3, (40, 6, 6))
EASE = RNG.beta(2, 1, 40)  # some images are hard for both models


def segmenter(seed, worse=0.0):
    rng = np.random.default_rng(seed)
    right = rng.random(TRUTH.shape) < EASE[:, None, None] - worse
    return np.where(right, TRUTH, rng.integers(0, 3, TRUTH.shape))


@pytest.mark.slow
def test_segmentations_are_paired_by_image():
    new, old = (
        ix.segmentation(TRUTH, x, by={"sequence": [k // 2 for k in range(40)]}) for x in (segmenter(1), segmenter(2, 0.1))
    )
    (found,) = ix.compare({"new": new, "old": old}, "jaccard", "macro", clusters="image").differences
    assert found.method == "delta"
    left_out = []
    for image in range(40):
        keep = np.arange(40) != image
        sides = (ix.segmentation(TRUTH[keep], x[keep]).score("jaccard", "macro") for x in (segmenter(1), segmenter(2, 0.1)))
        left_out.append(float(np.subtract(*sides)))
    spread = math.sqrt(39 * np.var(left_out))
    assert (found.high - found.low) / 2 == pytest.approx(2.0227 * spread, rel=0.05)  # Student's t of 39
    (whole,) = ix.compare({"new": new, "old": old}, "jaccard", "macro", clusters="sequence").differences
    assert (whole.method, whole.value) == ("delta", found.value)
    (unpaired,) = ix.compare({"new": new, "old": old}, "jaccard", "macro", level=0.95).differences
    assert unpaired.method == "unpaired"


def test_predictions_of_images_without_names_are_not_another_meaning():
    new, old, near = (
        ix.segmentation(TRUTH[:4], segmenter(seed)[:4], boundary=width) for seed, width in ((1, None), (2, None), (2, 1))
    )
    assert ix.compare({"new": new, "old": old}, "jaccard", "macro").doubts == ()
    assert any("count different things" in doubt for doubt in ix.compare({"new": new, "near": near}, "jaccard", "macro").doubts)


@pytest.mark.slow
def test_counts_of_detectors_at_a_score_are_paired_by_image():
    """An image without objects may have predictions of one detector only; it is there for both."""
    rng = np.random.default_rng(3)
    there = [rng.random(3) < 0.4 for _ in range(30)]  # some images have no object
    truth = [{"boxes": [[20 * k, 0, 20 * k + 9, 9] for k in np.flatnonzero(some)], "labels": [1] * some.sum()} for some in there]

    def detector(seed):
        own = np.random.default_rng(seed)
        found = [one & (own.random(3) < 0.7) | ~one & (own.random(3) < 0.2) for one in there]
        boxes = [[[20 * k, 0, 20 * k + 9, 9] for k in np.flatnonzero(some)] for some in found]
        return [{"boxes": box, "labels": [1] * len(box), "scores": [0.9] * len(box)} for box in boxes]

    made = [ix.detection(truth, detector(seed), classes=[1]) for seed in (1, 2)]
    assert len({len(one.at(0.5).aggregate("image").tp) for one in made}) == 2
    (found,) = ix.compare({"a": made[0].at(0.5), "b": made[1].at(0.5)}, "f1", "micro", clusters="image").differences
    left_out = []
    for image in range(30):
        keep = [k for k in range(30) if k != image]
        sides = [ix.detection([truth[k] for k in keep], [detector(seed)[k] for k in keep], classes=[1]) for seed in (1, 2)]
        one, two = (side.at(0.5).score("f1", "micro") for side in sides)
        left_out.append(one - two if found.first == "a" else two - one)
    assert found.method == "delta"
    assert (found.high - found.low) / 2 == pytest.approx(2.05 * math.sqrt(29 * np.var(left_out)), rel=0.1)


BOXES = [{"boxes": [[0, 0, 9, 9]], "labels": [1]}] * 3


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    "made",
    [
        lambda: ix.detection(BOXES, [{**one, "scores": [0.5]} for one in BOXES]),
        lambda: ix.panoptic([(x, x) for x in TRUTH], [(x, x) for x in TRUTH]),
        lambda: ix.vision.surface_distances(TRUTH[:2], TRUTH[:2]),
    ],
)
def test_results_of_images_are_compared_like_labels(made, tmp_path):
    one = made()
    measure = MEASURES[one.reads]
    both = ix.compare({"new": one, "old": one}, measure, "macro")
    assert [(row.name, len(row.intervals)) for row in both.rows] == [(f"macro {measure}", 2)]
    assert (both.differences[0].value, both.differences[0].clear) == (0, False)
    assert len(ix.compare([one, one, one]).differences) == 3 * len(one.usual)
    both.save(tmp_path / "both.json")
    assert ix.load(tmp_path / "both.json") == both
    for given in ({"new": one, "old": ix.evaluate([1], [1])}, {"old": ix.evaluate([1], [1]), "new": one}):
        with pytest.raises(TypeError, match=r"compare\(\) takes another"):
            ix.compare(given, measure, "macro")
    with pytest.raises(ValueError, match="by= compares groups of examples"):
        ix.compare([one, one], measure, "macro", by="site")
    for wrong, message in (
        ({"draws": 0}, "draws=0 must be a whole number"),
        ({"margin": -1}, "margin=-1 must be a difference above 0"),
        ({"names": ("a", "a")}, "must be two different names"),
        ({"names": "ab"}, "names='ab' must be two different names"),
    ):
        with pytest.raises(ValueError, match=message):
            one.compare(one, MEASURES[one.reads], "macro", **wrong)
    with pytest.raises(ValueError, match="draws=0 must be a whole number"):
        one.interval(MEASURES[one.reads], "macro", draws=0)
    same = one.compare(one, MEASURES[one.reads], "macro", draws=30)
    assert same.value == 0
    assert same.p == 1


def test_another_truth_is_not_compared():
    box, far, turned = [[0, 0, 10, 10]], [[500, 0, 510, 10]], [[5, 5, 10, 10, 0]]
    found = [{"boxes": box, "labels": [1], "scores": [0.9]}] * 3
    here, there = (ix.detection([{"boxes": own, "labels": [1]}] * 3, found) for own in (box, far))
    oriented = [{"oriented": turned, "labels": [1]}] * 3
    other = ix.detection(oriented, [{**one, "scores": [0.9]} for one in oriented], kind="oriented")
    for two in (there, other):
        with pytest.raises(ValueError, match="same objects"):
            here.compare(two, "ap", "macro")
    one, two = [np.array([[1, 1, 2, 2]])] * 3, [np.array([[1, 2, 2, 2]])] * 3
    with pytest.raises(ValueError, match="different truths"):
        ix.vision.surface_distances(one, one).compare(ix.vision.surface_distances(two, one), "hausdorff", "macro")
    few, many = ([(classes, classes * 0 + own)] * 3 for classes, own in ((one[0], 0), (one[0], np.arange(4))))
    with pytest.raises(ValueError, match="different truths"):
        ix.panoptic(few, few).compare(ix.panoptic(many, few), "pq", "macro")


def test_another_truth_with_as_many_segments_and_pixels_is_not_compared():
    classes, one, two = np.ones((2, 4), int), np.array([[1, 1, 2, 2]] * 2), np.array([[1, 2, 2, 1]] * 2)
    sides = [ix.panoptic([(classes, own)] * 3, [(classes, one)] * 3, images=list("abc")) for own in (one, two)]
    with pytest.raises(ValueError, match="different truths: that of the image 'a' is not the same"):
        sides[0].compare(sides[1], "pq", "macro")
    here, there = np.zeros((2, 1, 9, 9), int)
    here[0, 2:5, 2:5], there[0, 3:6, 3:6] = 1, 1
    sides = [ix.vision.surface_distances(own, here) for own in (here, there)]
    for other in (sides[1], ix.vision.surface_distances(here, here, spacing=2)):
        with pytest.raises(ValueError, match="different truths: that of the image 0 is not the same"):
            sides[0].compare(other, "hausdorff", "macro")


def test_the_same_truth_in_another_form_is_compared():
    classes, own = np.array([[1, 1, 1], [2, 2, 2]]), np.array([[4, 9, 9], [0, 0, 0]])
    numbers = np.array([[8, 3, 3], [1, 1, 1]])
    listed = {"map": numbers, "segments": [{"id": k, "category_id": label} for k, label in ((1, 2), (3, 1), (8, 1))]}
    forms = [[(classes, own)], [listed], [1000 * classes + own]]
    found = [(classes, own[:, ::-1])]
    sides = [ix.panoptic(form, found if k < 2 else [1000 * classes + own], divisor=1000) for k, form in enumerate(forms)]
    assert len({side.truths for side in sides}) == 1
    assert sides[0].compare(sides[1], "pq", "macro", draws=10).value == 0
    channels = np.eye(3, dtype=int)[classes]
    same = [ix.vision.surface_distances([classes], [classes]), ix.vision.surface_distances([channels], [channels], class_axis=-1)]
    assert same[0].truths == same[1].truths
