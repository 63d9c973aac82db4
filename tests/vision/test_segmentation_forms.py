"""Segmentations in every form: channels, scores, soft masks, files, iterators, names; and boundaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from loops import examples, for_each

import indicatrix as ix
from indicatrix import segmentation
from indicatrix.vision.images.image_units import Fingerprint

rng = np.random.default_rng(7)
TRUE, PRED = rng.integers(0, 3, (2, 4, 5, 6))
SCORES = rng.random((4, 3, 5, 6)) + 3 * (np.arange(3)[:, None, None] == PRED[:, None])
IMAGES = ["a", "b", "c", "d"]
LABELS = segmentation(TRUE, PRED, images=IMAGES, classes=range(3))


def hot(maps, axis=1):
    return np.stack([maps == c for c in range(3)], axis=axis)


def test_scores_are_decided_pixel_by_pixel():
    for axis, scores in ((0, SCORES), (-1, np.moveaxis(SCORES, 1, -1)), (1, np.moveaxis(SCORES, 1, 2))):
        ev = segmentation(TRUE, scores, class_axis=axis, decide="argmax", images=IMAGES)
        assert ev.tally == LABELS.tally
    pairs = [
        segmentation([t], [s], class_axis=0, decide="argmax", images=[i]) for t, s, i in zip(TRUE, SCORES, IMAGES, strict=True)
    ]
    assert sum(pairs) == segmentation(TRUE, SCORES, class_axis=0, decide="argmax", images=IMAGES)
    binary = segmentation(TRUE > 0, (PRED > 0)[:, None] * 0.9, class_axis=0, decide=0.5)
    assert binary.score("jaccard") == segmentation(TRUE > 0, PRED > 0).score("jaccard")


def test_one_hot_masks_have_the_same_counts():
    for true, pred in (
        (hot(TRUE), hot(PRED)),
        (TRUE, hot(PRED)),
        (hot(TRUE), PRED),
        (hot(TRUE).astype(float), hot(PRED).astype(int)),
    ):
        ev = segmentation(true, pred, class_axis=0, images=IMAGES)
        assert all(
            (a == b).all() for a, b in zip(ev.aggregate(("image", "class")), LABELS.aggregate(("image", "class")), strict=True)
        )
        assert ev.score("jaccard", ("image", "macro")) == LABELS.score("jaccard", ("image", "macro"))
    both = segmentation([[[[1, 1]], [[0, 1]]]], [[[[1, 0]], [[0, 1]]]], class_axis=0)  # a pixel of two classes
    assert both.aggregate("class").fn.tolist() == [1, 0]


def test_soft_masks_are_evaluated_softly():
    soft = SCORES / SCORES.sum(axis=1, keepdims=True)
    ev = segmentation(hot(TRUE).astype(float), soft, class_axis=0, tnorm="product")
    tp = (hot(TRUE) * soft).sum(axis=(0, 2, 3))
    total = hot(TRUE).sum(axis=(0, 2, 3)) + soft.sum(axis=(0, 2, 3))
    assert ev.values("f1").tolist() == pytest.approx((2 * tp / total).tolist())
    assert segmentation(hot(TRUE).astype(float), hot(PRED).astype(float), class_axis=0, tnorm="product").score(
        "jaccard", "macro"
    ) == pytest.approx(LABELS.score("jaccard", "macro"))


def test_void_masks_and_weights_of_channels():
    rng = np.random.default_rng(8)
    void = np.where(rng.random(TRUE.shape) < 0.3, 255, TRUE)
    mask = rng.random(TRUE.shape) < 0.8
    weights = rng.integers(1, 4, TRUE.shape)
    options = {"ignore": 255, "mask": mask, "sample_weight": weights, "images": IMAGES, "classes": range(3)}
    scored = segmentation(void, SCORES, class_axis=0, decide="argmax", **options)
    assert scored.tally == segmentation(void, PRED, **options).tally
    assert scored.n == TRUE.size


def test_volumes_and_images_of_other_sizes():
    maps = [TRUE[0], TRUE[1][:2], TRUE], [PRED[0], PRED[1][:2], PRED]
    ev = segmentation(*maps, classes=range(3))
    assert ev.confusion.sum() == sum(x.size for x in maps[0])
    scores = [SCORES[0], SCORES[1][:, :2], np.moveaxis(SCORES, 1, 0)]
    assert segmentation(maps[0], scores, class_axis=0, decide="argmax").confusion.tolist() == ev.confusion.tolist()


@pytest.mark.parametrize(("kind", "other"), [(np.uint8, np.uint8), (np.int8, np.uint8), (np.int64, np.uint8), (bool, bool)])
def test_large_maps_are_counted_as_small_ones(kind, other):
    """Bytes of large images are counted in another way than those of small ones, and void pixels nowhere."""
    rng = np.random.default_rng(3)
    true, pred = (rng.integers(0, 20, (181, 190)).astype(dtype) for dtype in (kind, other))
    options = {"ignore": 19} if kind is not bool else {}
    whole = segmentation([true], [pred], **options)
    rows = segmentation(true[:, None], pred[:, None], **options)
    assert whole.confusion.tolist() == rows.confusion.tolist()
    assert whole.classes == rows.classes
    assert whole.aggregate("class").n[0] == (true != 19).sum()


def test_iterators_are_read_one_image_at_a_time():
    events = []

    def watched(maps, side):
        for i, x in enumerate(maps):
            events.append((side, i))
            yield x

    assert segmentation(watched(TRUE, "true"), watched(PRED, "pred"), images=IMAGES, classes=range(3)) == LABELS
    assert events == [(side, i) for i in range(4) for side in ("true", "pred")]
    with pytest.raises(ValueError, match="y_pred ends after 3 images, and y_true has more"):
        segmentation(iter(TRUE), iter(PRED[:3]))


def test_files(tmp_path):
    from PIL import Image

    for side, maps in (("true", TRUE), ("pred", PRED)):
        (tmp_path / side).mkdir()
        for name, x in zip(IMAGES, maps, strict=True):
            if name in "ab":
                np.save(tmp_path / side / f"{name}.npy", x)
            else:
                Image.fromarray(x.astype(np.uint8)).save(tmp_path / side / f"{name}.png")
    assert segmentation(tmp_path / "true", str(tmp_path / "pred"), classes=range(3)) == LABELS
    paths = [[tmp_path / side / f"{x}.npy" for x in "ab"] for side in ("true", "pred")]
    some = segmentation(*paths, classes=range(3))
    assert some + segmentation(TRUE[2:], PRED[2:], images=IMAGES[2:], classes=range(3)) == LABELS
    (tmp_path / "pred" / "b.npy").unlink()
    with pytest.raises(ValueError, match="y_pred has no file for the images 'b'"):
        segmentation(tmp_path / "true", tmp_path / "pred")
    with pytest.raises(FileNotFoundError, match=r"y_pred\[1\]: there is no file"):
        segmentation(*paths)
    Image.fromarray(np.zeros((2, 2, 3), np.uint8)).save(tmp_path / "colors.png")
    with pytest.raises(ValueError, match=r"y_true\[0\]: colors.png has 3 colors per pixel"):
        segmentation([tmp_path / "colors.png"], [TRUE[0]])
    (tmp_path / "broken.png").write_text("no picture", "utf-8")
    with pytest.raises(ValueError, match=r"y_true\[0\]: broken.png cannot be read as a picture"):
        segmentation([tmp_path / "broken.png"], [TRUE[0]])


def test_names_of_classes():
    named = segmentation(TRUE, PRED, images=IMAGES, names=["road", "sky", "car"])
    assert named.classes == ("road", "sky", "car")
    assert named.values("jaccard").tolist() == LABELS.values("jaccard").tolist()
    assert segmentation(TRUE > 0, PRED > 0, names={False: "out", True: "in"}).positive == "in"


def test_the_summary_names_data_set_and_images():
    found = ix.vision.segmentation_summary(LABELS)
    per_image = [one.score("jaccard", "macro") for one in LABELS.split("image").values()]
    assert found["mIoU"]["per image"] == pytest.approx(np.mean(per_image))
    assert found["mIoU"]["data set"] == LABELS.score("jaccard", "macro") != found["mIoU"]["per image"]
    assert found["pixel accuracy"]["data set"] == found["pixel accuracy"]["per image"] == pytest.approx((TRUE == PRED).mean())
    share = np.bincount(TRUE.ravel()) / TRUE.size
    assert found["frequency-weighted IoU"]["data set"] == pytest.approx(share @ LABELS.values("jaccard"))


@examples(5)
@given(st.permutations(range(4)), st.integers(1, 3))
def test_the_order_of_images_changes_nothing(order, cut):
    moved = segmentation(TRUE[order], PRED[order], images=[IMAGES[k] for k in order], classes=range(3))
    assert moved.confusion.tolist() == LABELS.confusion.tolist()
    for average in ("macro", ("image", "macro"), "image"):
        assert moved.score("jaccard", average) == pytest.approx(LABELS.score("jaccard", average), rel=1e-14)
    parts = [segmentation(TRUE[s], PRED[s], images=IMAGES[s], classes=range(3)) for s in (slice(cut), slice(cut, None))]
    assert parts[1] + parts[0] == LABELS


def test_intervals_take_images_for_the_sample():
    ev = segmentation(np.tile(TRUE, (3, 1, 1)), np.tile(PRED, (3, 1, 1)), by={"sequence": [0, 1, 2] * 4})
    pixels, images = ev.interval("jaccard", "macro"), ev.interval("jaccard", "macro", clusters="sequence")
    assert pixels.value == images.value == LABELS.score("jaccard", "macro")
    assert images.low < images.value < images.high
    assert images.low != pixels.low


def literal_boundary(mask, width):
    """Return the pixels of a mask that are at most so many steps, also diagonal ones, from its outside."""
    out = np.zeros_like(mask)
    padded = np.pad(mask, width)
    for at in np.argwhere(mask):
        window = padded[tuple(slice(a, a + 2 * width + 1) for a in at)]
        out[tuple(at)] = not window.all()
    return out


@examples(10)
@given(
    st.sampled_from([(5, 6), (4, 4, 4)]).flatmap(lambda s: st.tuples(*[arrays(np.int8, s, elements=st.integers(0, 2))] * 2)),
    st.integers(1, 2),
)
def test_boundary_iou_by_hand(maps, width):
    ev = segmentation([maps[0]], [maps[1]], boundary=width, classes=range(3))
    for c, value in enumerate(ev.values("jaccard")):
        one, two = (literal_boundary(x == c, width) for x in maps)
        union = (one | two).sum()
        assert value == pytest.approx((one & two).sum() / union) if union else np.isnan(value)
    assert ev.n == maps[0].size


def test_boundaries_of_large_regions():
    """Boundary IoU sees an error that IoU hardly does; a share of the diagonal is a width, and void has no edge of its own."""
    true, pred = np.zeros((2, 100, 100), np.uint8)
    true[10:90, 10:90], pred[12:88, 12:88] = 1, 1
    whole, edge = segmentation([true], [pred]), segmentation([true], [pred], boundary=0.02)
    assert whole.score("jaccard") == 76**2 / 80**2
    assert edge.score("jaccard") == (76**2 - 74**2) / (80**2 - 70**2)
    assert edge == segmentation([true], [pred], boundary=3) or edge.recipe != segmentation([true], [pred], boundary=3).recipe
    void = true.copy()
    void[:, 50:] = 255
    assert segmentation([void], [true], boundary=3, ignore=255).score("jaccard") == 1
    with pytest.raises(ValueError, match=r"other settings|differ"):
        edge + whole


ONE = [np.array([[0, 1]])]


@for_each(
    ("call", "message"),
    [
        (
            lambda: segmentation(TRUE, SCORES[:, :, :4], class_axis=0, decide="argmax"),
            r"Image 0 has shape \(5, 6\) in y_true and \(4, 6\)",
        ),
        (
            lambda: segmentation(hot(TRUE), SCORES[:, :2], class_axis=0, decide="argmax"),
            "Image 0 has 3 classes in y_true and 2 in y_pred",
        ),
        (
            lambda: segmentation(TRUE, np.where(SCORES > 3.9, np.nan, SCORES), class_axis=0, decide="argmax"),
            r"Image \d, its pixels as one row: y_pred",
        ),
        (lambda: segmentation(TRUE, SCORES[..., None, None], class_axis=0), "Image 0 has 2 dimensions in y_true and 5 in y_pred"),
        (
            lambda: segmentation(TRUE, SCORES, class_axis=7, decide="argmax"),
            r"y_pred\[0\] has 3 dimensions, so that class_axis=7",
        ),
        (lambda: segmentation(TRUE, SCORES, class_axis=0), "Image 0, its pixels as one row"),
        (lambda: segmentation("nowhere", "nowhere"), "y_true='nowhere' is not a folder"),
        (lambda: segmentation("nowhere", ONE), "y_true is one path"),
        (lambda: segmentation(ONE, ONE, boundary=0), "boundary=0 is not a width"),
        (lambda: segmentation(ONE, ONE, boundary=1.5), "boundary=1.5 is not a width"),
        (lambda: segmentation(ONE, ONE, boundary=1, cost=[[0, 1], [1, 0]]), "boundary= is for label maps .* not with cost"),
        (lambda: segmentation(ONE, ONE, names=["a"], classes=[0, 1]), "names= has no name for the classes 1"),
        (lambda: segmentation(ONE, ONE, names=["a", "a"]), "names= has a name twice"),
        (lambda: segmentation(ONE, ONE, names=["a", "b"], positive=1), "and positive= reads them"),
        (lambda: ix.vision.segmentation_summary(ix.evaluate([0, 1], [0, 1])), "needs the axis 'image'"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("kind", [int, np.uint8, np.int64, float, str, bool])
def test_a_fingerprint_tells_one_changed_pixel(kind):
    maps = np.zeros((3, 5, 7), int)
    maps[1, 2, 3], maps[2, 4, 6] = 1, 1

    def fingerprint(x):
        read = Fingerprint()
        read.add(x.astype(kind))
        return read.text()

    assert len({fingerprint(x) for x in maps}) == 3
    assert fingerprint(maps[1]) == fingerprint(maps[1].copy())
    assert fingerprint(maps[0]) != fingerprint(maps[0].T)


@pytest.mark.parametrize("ignore", [2, 2.0, np.uint8(2)])
def test_equal_numbers_ignore_the_same_pixels(ignore):
    maps = np.array([[0, 1, 2], [2, 1, 0]]), np.array([[0, 2, 2], [0, 1, 1]])
    usual = ix.segmentation([maps[0]], [maps[1]], ignore=2)
    for kind in (np.int64, np.uint8):
        assert ix.segmentation([maps[0].astype(kind)], [maps[1].astype(kind)], ignore=ignore) == usual
    seen = ix.segmentation([maps[0] > 1], [maps[1] > 1], ignore=True)
    assert (seen.classes, seen.confusion.tolist()) == ((False,), [[3]])
    assert ix.segmentation([maps[0]], [maps[1]], ignore=1.5).n == 6


@pytest.mark.parametrize("boundary", [None, 2, np.float32(0.25)])
@pytest.mark.parametrize("ignore", [1, "1", b"1", True, None])
def test_how_maps_were_counted_is_kept_by_value(ignore, boundary, tmp_path):
    own = [[0, 1, 2]] if ignore is None else [[type(ignore)(ignore)] * 2 + [type(ignore)()]]
    ev = ix.segmentation([np.array(own)], [np.array(own)], ignore=ignore, boundary=boundary)
    facts = dict(ev.recipe.task)
    assert (facts.get("ignore"), facts.get("boundary")) == (ignore, boundary)
    assert type(facts.get("ignore")) is type(ignore)
    assert "numbered from 0" in ev.recipe.in_words()["images"]
    assert ev.recipe.in_words().get("ignore", "None") == repr(ignore)
    ev.save(tmp_path / "x.json")
    back = ix.load(tmp_path / "x.json")
    assert back == ev
    assert [type(value) for _, value in back.recipe.task] == [type(value) for _, value in ev.recipe.task]
