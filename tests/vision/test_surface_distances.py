"""Distances between outlines: published values of MONAI and of DeepMind's surface-distance, and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from loops import examples, for_each

import indicatrix as ix
from indicatrix.vision.surfaces.evaluate_surfaces import surface_distances


def ball(radius, center, spacing=(1.0, 1.0, 1.0), shape=(99, 99, 99)):
    axes = np.ogrid[tuple(slice(side) for side in shape)]
    return (sum((x * s - c) ** 2 for x, s, c in zip(axes, spacing, center, strict=True)) <= radius**2).astype(np.uint8)


def of(pred, true, **options):
    return surface_distances([true], [pred], classes=[1], **options)


SPACING = (0.85, 1.2, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pred", "true", "spacing", "largest", "percentile"),
    [
        (ball(20, (20, 20, 20)), ball(20, (19, 19, 19)), None, 1.7320508075688772, None),
        (ball(20, (20, 33, 22)), ball(40, (20, 33, 22)), None, 20.223748416156685, 20.09975124224178),
        (ball(20, (20, 20, 20), SPACING), ball(20, (19, 19, 19), SPACING), SPACING, 2.2671568, None),
        (ball(15, (20, 33, 22), SPACING), ball(30, (20, 33, 22), SPACING), SPACING, 15.62594, None),
    ],
)
def test_published_hausdorff_distances(pred, true, spacing, largest, percentile):
    """MONAI's tests of its Hausdorff distance, not directed, and of its 95th percentile."""
    result = of(pred, true, spacing=spacing)
    assert result.hausdorff() == pytest.approx(largest, rel=1e-6)
    if percentile is not None:
        assert result.hausdorff(95) == pytest.approx(percentile, rel=1e-6)


@pytest.mark.slow
def test_published_average_distances():
    """MONAI's tests of its surface distance until 2022: the mean of both means, and from the prediction to the truth."""
    near = of(ball(33, (19, 33, 22)), ball(33, (20, 33, 22)))
    assert near.average_distance("each") == pytest.approx(0.35021200688332677, rel=1e-7)
    assert near.average_distance("to_truth") == pytest.approx(0.3483278807706289, rel=1e-7)
    far = of(ball(20, (20, 33, 22)), ball(40, (20, 33, 22)))
    assert far.average_distance("each") == pytest.approx(13.975673696300824, rel=1e-7)
    assert far.average_distance("to_truth") == pytest.approx(12.040033513150455, rel=1e-7)


@pytest.mark.slow
def test_published_surface_dice():
    """MONAI's tests of its surface Dice, with both classes and an image without one of them."""
    pred, true = np.zeros((2, 2, 480, 640), np.uint8)
    pred[0, :, 50:], true[0, :, 60:] = 1, 1
    both = {"classes": [0, 1]}
    values = surface_distances(true, pred, **both).surface_dice(0, per=("image", "class"))
    shifted = 478 + 480 + 9 * 2
    expected = [[1 - shifted / (480 * 4 + 48 * 2 + 58 * 2), 1 - shifted / (480 * 4 + 588 * 2 + 578 * 2)], [1, np.nan]]
    np.testing.assert_allclose(values, expected)
    spaced = surface_distances(true[:1], pred[:1], spacing=(0.85, 1.2), **both)
    assert spaced.surface_dice(11.9) < spaced.surface_dice(12) == spaced.surface_dice(13) == 1
    small, other = np.zeros((2, 10, 10), int)
    small[1:4, 1], other[5:8, 6] = 1, 1
    result = surface_distances([other], [small], **both)
    pixels = 36 * 2 + 8 + 4
    for tolerances, share in (((0, 0), (12 / pixels, 1)), ((2.8, 5.5), (3 / pixels, 4 / 6)), ((3, 6), (1 / pixels, 2 / 6))):
        found = [result.surface_dice(t, per="class")[k] for k, t in enumerate(tolerances)]
        assert found == pytest.approx([1 - x for x in share])


@pytest.mark.parametrize("shape", [(128, 128), (6, 8, 60)])
def test_published_elements_of_single_pixels(shape):
    """DeepMind's tests: two pixels, two steps apart; half of each surface is one step away."""
    true, pred = np.zeros((2, *shape), np.uint8)
    at = tuple(side // 2 for side in shape[:-1])
    true[(*at, 50)], pred[(*at, 52)] = 1, 1
    result = of(pred, true, spacing=(3, 2, 1)[-len(shape) :], elements="areas")
    assert [result.average_distance(way) for way in ("to_prediction", "to_truth")] == [1.5, 1.5]
    assert (result.hausdorff(), result.hausdorff(95), result.surface_dice(1)) == (2, 2, 0.5)
    assert [len(side) for side in (result.pairs[0][0].to_truth,)] == [2 ** len(shape)]


@pytest.mark.slow
def test_published_elements_of_two_cubes():
    """DeepMind's test of two cubes of which one is longer by a voxel."""
    true, pred = np.zeros((2, 100, 100, 100), np.uint8)
    true[:50], pred[:51] = 1, 1
    result = of(pred, true, spacing=(2, 1, 1), elements="areas")
    assert [round(float(result.average_distance(way)), 3) for way in ("to_prediction", "to_truth")] == [0.322, 0.339]
    assert (result.hausdorff(), result.hausdorff(95), round(float(result.surface_dice(1)), 3)) == (2, 2, 0.836)


def test_a_square_of_elements():
    """DeepMind's test of two squares: the lengths of the lines, by hand."""
    true, pred = np.zeros((2, 6, 6), np.uint8)
    true[1:3, 1:3], pred[1:4, 1:3] = 1, 1
    pair = of(pred, true, spacing=(2, 1), elements="areas").pairs[0][0]
    corner = math.hypot(2, 1) / 2
    assert sorted(pair.sizes[0]) == pytest.approx(sorted([corner] * 4 + [1, 2] * 2))
    assert sorted(pair.sizes[1]) == pytest.approx(sorted([corner] * 4 + [1] * 2 + [2] * 4))
    assert sorted(pair.to_prediction) == [0] * 7 + [1]
    assert sorted(pair.to_truth) == [0] * 7 + [2] * 3


@examples(12)
@given(
    st.sampled_from([(4, 5), (3, 3, 3)]).flatmap(lambda s: st.tuples(*[arrays(bool, s)] * 2)),
    st.sampled_from(["pixels", "areas"]),
)
def test_distances_against_loops(both, elements):
    """Every distance by a loop over pairs of surface pixels; symmetry; and the ends of the surface Dice."""
    true, pred = both
    step = (2.0, 1.0, 0.5)[: true.ndim]
    result = of(pred.astype(int), true.astype(int), spacing=step, elements=elements)
    swapped = of(true.astype(int), pred.astype(int), spacing=step, elements=elements)
    assert str(float(result.hausdorff())) == str(float(swapped.hausdorff()))
    if not true.any() or not pred.any():
        assert result.surface_dice(1, per="class").tolist() == [0] if true.any() or pred.any() else [np.nan]
        return
    if elements == "pixels":
        places = [np.argwhere(edge(x)) * step for x in (true, pred)]
        apart = np.linalg.norm(places[0][:, None] - places[1], axis=2)
        directed = apart.min(axis=1), apart.min(axis=0)
        assert result.hausdorff() == pytest.approx(max(d.max() for d in directed))
        assert result.hausdorff(80, pooled=True) == pytest.approx(np.percentile(np.concatenate(directed), 80))
        assert result.average_distance() == pytest.approx(np.concatenate(directed).mean())
        assert result.surface_dice(1) == pytest.approx((np.concatenate(directed) <= 1).mean())
    assert result.surface_dice(1e9) == 1
    assert result.hausdorff(50) <= result.hausdorff(95) <= result.hausdorff()


def edge(mask):
    """Return the pixels of a mask with a neighbor outside, one by one."""
    out = np.zeros(mask.shape, bool)
    for at in np.argwhere(mask):
        for axis in range(mask.ndim):
            for move in (-1, 1):
                near = at.copy()
                near[axis] += move
                inside = (near >= 0).all() and (near < mask.shape).all()
                out[tuple(at)] |= not (inside and mask[tuple(near)])
    return out


TRUE = [[[0, 1, 1, 0, 2]], [[0, 1, 0, 0, 0]], [[0, 0, 0, 0, 0]]]
PRED = [[[0, 1, 0, 0, 2]], [[0, 1, 1, 1, 0]], [[0, 0, 0, 2, 0]]]


def test_averages_have_names():
    result = surface_distances(TRUE, PRED, by={"patient": ["x", "x", "y"]})
    assert result.hausdorff(per=("image", "class")).tolist() == [[1, 0], [2, pytest.approx(np.nan, nan_ok=True)], [
        pytest.approx(np.nan, nan_ok=True), np.inf]]  # fmt: skip
    assert result.hausdorff(per="class").tolist() == [1.5, 0]
    assert (result.hausdorff(), result.hausdorff(average="image"), result.hausdorff(average="pairs")) == (0.75, 1.25, 1)
    assert result.hausdorff(average="image").undefined_units == (2,)
    assert result.hausdorff(undefined=7) == (1.5 + 3.5) / 2
    assert result.hausdorff(average="patient").values.tolist() == [1, np.inf]
    with pytest.raises(ix.types.UndefinedError, match="undefined for 2"):
        result.hausdorff(average="image", undefined="raise")


def test_a_class_that_one_side_has():
    diagonal = surface_distances(TRUE, PRED, one_sided="diagonal").hausdorff(per=("image", "class"))
    assert diagonal[2, 1] == math.sqrt(26)
    assert surface_distances(TRUE, PRED, one_sided=9).average_distance(per=("image", "class"))[2, 1] == 9
    assert surface_distances(TRUE, PRED, one_sided=9).surface_dice(1, per=("image", "class"))[2, 1] == 0


def test_batches_add_and_images_are_drawn():
    whole = surface_distances(TRUE * 4, PRED * 4, images=range(12), by={"patient": [0, 1] * 6}, one_sided=3)
    halves = [surface_distances((TRUE * 4)[s], (PRED * 4)[s], images=range(12)[s], by={"patient": [0, 1] * 3}, one_sided=3)
              for s in (slice(6), slice(6, None))]  # fmt: skip
    total = halves[0] + halves[1]
    np.testing.assert_array_equal(total.hausdorff(per=("image", "class")), whole.hausdorff(per=("image", "class")))
    for average in ("macro", "image", "pairs"):
        found = whole.interval("assd", average, draws=200)
        assert found.value == pytest.approx(whole.average_distance(average=average))
        assert found.low <= found.value <= found.high
    assert math.isnan(surface_distances(TRUE[:1], PRED[:1]).interval("hausdorff", "macro").low)
    apart = whole.compare(
        surface_distances(TRUE * 4, TRUE * 4, images=range(12), by=whole.by, one_sided=3, classes=[1, 2]),
        "hausdorff",
        "macro",
        draws=200,
    )
    assert apart.value == whole.hausdorff()
    assert apart.better == "lower"
    near, far = (surface_distances([[[0, 1, 0, 0]]] * 9, [x] * 9) for x in ([[0, 1, 1, 0]], [[0, 1, 1, 1]]))
    both = tuple(a.compare(b, "hausdorff", "macro", margin=0.5, draws=99) for a, b in ((near, far), (far, near)))
    assert [one.value for one in both] == [-1, 1]
    assert [one.not_worse for one in both] == [0.01, 1]  # the nearer one is not worse


def test_draws_may_lack_every_class():
    blank = [[0, 0, 0, 0, 0]]
    found = surface_distances([*TRUE[:1], *[blank] * 5], [*PRED[:1], *[blank] * 5])
    found = found.interval("hausdorff", "macro", draws=100, method="percentile")
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)
    assert math.isnan(surface_distances([], []).interval("hausdorff", "macro").low)
    with pytest.raises(TypeError, match="Image 0 has text on one side and numbers on the other"):
        surface_distances([[["a", "b"]]], [[[1, 2]]])


def test_forms_of_masks():
    label = surface_distances(TRUE, PRED)
    hot = [[(np.array(x) == c).astype(float) for c in (1, 2)] for x in TRUE], [[np.array(x) == c for c in (1, 2)] for x in PRED]
    channels = surface_distances(*hot, class_axis=0, classes=[1, 2])
    np.testing.assert_array_equal(label.hausdorff(per=("image", "class")), channels.hausdorff(per=("image", "class")))
    void = surface_distances([[[255, 1, 0, 0]]], [[[1, 1, 0, 0]]], ignore=255)
    assert (void.classes, void.hausdorff()) == ((1,), 0)
    assert surface_distances([[[0, 1, 0]], [[0, 1, 0]]], [[[1, 1, 0]]] * 2, spacing=[(1, 2), (1, 3)]).hausdorff(
        per="image"
    ).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("ignore", "message"),
    [
        (math.nan, "ignore=nan is not a label"),
        ([1, 255], "must be one label. To hide pixels of several labels, give them the same label on both sides"),
    ],
)
def test_the_label_to_ignore_is_one_label(ignore, message):
    with pytest.raises(ValueError, match=message):
        surface_distances([[[255, 1, 0, 0]]], [[[1, 1, 0, 0]]], ignore=ignore)


@for_each(
    ("call", "message"),
    [
        (lambda: surface_distances(TRUE, PRED[:2]), "y_true has 3 images and y_pred 2"),
        (lambda: surface_distances(TRUE[:1], [[[0, 1]]]), r"Image 0 has shape \(1, 5\) in y_true and \(1, 2\)"),
        (lambda: surface_distances(TRUE, PRED, spacing=(1, 2, 3)), r"spacing=\(1, 2, 3\) does not fit image 0"),
        (lambda: surface_distances(TRUE, PRED, spacing=0), "spacing=0 does not fit image 0"),
        (lambda: surface_distances(TRUE, PRED, one_sided="most"), "one_sided='most' is unknown"),
        (lambda: surface_distances(TRUE, PRED, elements="corners"), "elements='corners' is unknown"),
        (lambda: surface_distances([[[[0.5]]]], [[[[1.0]]]], class_axis=0), r"y_true\[0\] has 0.5 at \(0, 0\) of channel 0"),
        (lambda: surface_distances([[[1]]], [[[1]]], elements="areas").surface_dice(-1), "tolerance=-1.* from 0 to inf"),
        (lambda: surface_distances(TRUE, PRED).hausdorff(101), "percentile=101 must be a number from 0 to 100"),
        (lambda: surface_distances(TRUE, PRED).average_distance("left"), "directions='left' is unknown"),
        (lambda: surface_distances(TRUE, PRED).hausdorff(average="micro"), "average='micro': surfaces of different classes"),
        (lambda: surface_distances(TRUE, PRED).hausdorff(per="site"), "There is no axis 'site' here"),
        (lambda: surface_distances(TRUE, PRED).interval("iou_", "macro"), "There is no measure 'iou_'"),
        (lambda: surface_distances(TRUE, PRED).interval("surface_dice", "macro"), "needs its tolerance"),
        (lambda: surface_distances(TRUE, PRED) + surface_distances(TRUE, PRED), "Both evaluations have the images 0, 1, 2"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_distances_that_are_left_out_are_named_with_intervals_and_differences():
    truth, near, none = np.zeros((3, 8, 9, 9), int)
    truth[:, 2:5, 2:5], near[:, 2:5, 2:6] = 1, 1
    near[0] = 0  # one miss, which makes a model look no worse
    poor, better = ix.vision.surface_distances(truth, near), ix.vision.surface_distances(truth, truth)
    said = "Left out as infinite: 1 of 8 distances, where only one side has the class. one_sided='diagonal' counts them."
    assert poor.interval("hausdorff", "macro", draws=20).note.startswith(said)
    assert "infinite" not in poor.interval("surface_dice(tolerance=1)", "macro", draws=20).note
    apart = poor.compare(better, "hausdorff", "macro", draws=20, names=("new", "old"))
    assert "1 of 8 distances of new and 0 of 8 distances of old" in apart.note
    assert not better.compare(better, "hausdorff", "macro", draws=20).note
    counted = ix.vision.surface_distances(truth, near, one_sided="diagonal")
    assert not counted.interval("hausdorff", "macro", draws=20).note
    assert counted.hausdorff() > poor.hausdorff() == 1
    same = better.interval("hausdorff", "macro", draws=20)
    assert (same.low, same.high) == (0, 0)
    assert same.note == same.warning != ""
    assert np.isnan(ix.vision.surface_distances(none, none).interval("hausdorff", "macro", draws=20).low)
