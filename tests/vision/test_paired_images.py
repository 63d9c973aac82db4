"""Two models on the same images: differences are paired by image, or refused with the way to go."""

import math

import numpy as np
import pytest

import indicatrix as ix

RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 3, (40, 6, 6))
EASE = RNG.beta(2, 1, 40)  # some images are hard for both models


def segmenter(seed, worse=0.0):
    rng = np.random.default_rng(seed)
    right = rng.random(TRUTH.shape) < EASE[:, None, None] - worse
    return np.where(right, TRUTH, rng.integers(0, 3, TRUTH.shape))


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


BOXES = [{"boxes": [[0, 0, 9, 9]], "labels": [1]}] * 3


@pytest.mark.parametrize(
    ("made", "by"),
    [
        (lambda: ix.detection(BOXES, [{**one, "scores": [0.5]} for one in BOXES]), "ix.detection or ix.instances"),
        (lambda: ix.panoptic([(x, x) for x in TRUTH], [(x, x) for x in TRUTH]), "ix.panoptic"),
        (lambda: ix.surface_distances(TRUTH[:2], TRUTH[:2]), "ix.surface_distances"),
    ],
)
def test_results_of_images_name_their_own_comparison(made, by):
    one = made()
    for given in ({"new": one, "old": one}, [one, one]):
        with pytest.raises(TypeError, match=rf"is a result of {by}, which is compared .*one.compare\(other"):
            ix.compare(given)
    same = one.compare(one, draws=30)
    assert same.value == 0
    assert same.p == 1
