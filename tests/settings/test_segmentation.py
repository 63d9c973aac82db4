"""Segmentation: pixels counted in literal loops, images as an axis, void pixels nowhere."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix import segmentation

VOID = 255


@st.composite
def label_maps(draw, classes=3, void=True, most=4):
    """Return true and predicted label maps of some images of different shapes."""
    true, pred = [], []
    labels = [*range(classes), *([VOID] if void else [])]
    for _ in range(draw(st.integers(1, most))):
        shape = draw(st.sampled_from([(1, 1), (2, 3), (3, 2, 2), (5,)]))
        size = int(np.prod(shape))
        for side in (true, pred):
            values = draw(st.lists(st.sampled_from(labels), min_size=size, max_size=size))
            side.append(np.array(values, draw(st.sampled_from([np.uint8, np.int32, np.int64]))).reshape(shape))
    return true, pred


def literal(true, pred, classes):
    """Return for each image, and each class, [tp, fp, fn, tn], pixel by pixel; void pixels count nowhere."""
    out = []
    for t, p in zip(true, pred, strict=True):
        counts = {c: [0, 0, 0, 0] for c in classes}
        for a, b in zip(t.ravel().tolist(), p.ravel().tolist(), strict=True):
            if a != VOID:
                for c in classes:
                    counts[c][{(True, True): 0, (False, True): 1, (True, False): 2, (False, False): 3}[a == c, b == c]] += 1
        out.append(counts)
    return out


def added(vectors):
    return [sum(x) for x in zip(*vectors, strict=True)]


def iou(v):
    tp, fp, fn, _ = v
    return Fraction(tp, tp + fp + fn) if tp + fp + fn else None


def dice(v):
    tp, fp, fn, _ = v
    return Fraction(2 * tp, 2 * tp + fp + fn) if tp + fp + fn else None


def recall(v):
    return Fraction(v[0], v[0] + v[2]) if v[0] + v[2] else None


def mean(values, weights=None):
    """Return the mean of what is defined, None if nothing is."""
    pairs = [(v, w) for v, w in zip(values, weights or [1] * len(values), strict=True) if v is not None]
    total = sum(w for _, w in pairs)
    return sum(v * w for v, w in pairs) / Fraction(total) if total else None


def same(score, exact):
    return bool(np.isnan(score)) if exact is None else float(score) == pytest.approx(float(exact), rel=1e-13)


@given(label_maps())
def test_benchmark_metrics_are_averages(maps):
    """mIoU, mean Dice, mean pixel accuracy, FW-IoU and pixel accuracy, from loops over pixels in fractions."""
    ev = segmentation(*maps, ignore=VOID, classes=range(3))
    per_class = [added(image[c] for image in literal(*maps, range(3))) for c in range(3)]
    sizes = [v[0] + v[2] for v in per_class]
    assert same(ev.score("jaccard", "macro"), mean(list(map(iou, per_class))))
    assert same(ev.score("f1", "macro"), mean(list(map(dice, per_class))))
    assert same(ev.score("recall", "macro"), mean(list(map(recall, per_class))))
    assert same(ev.score("jaccard", "weighted"), mean(list(map(iou, per_class)), sizes))
    right = Fraction(sum(v[0] for v in per_class), sum(sizes)) if sum(sizes) else None
    assert same(ev.score("exact_match"), right)
    assert same(ev.score("recall", "micro"), right)
    assert ev.n == sum(t.size for t in maps[0])


@given(label_maps())
def test_images_are_an_axis(maps):
    ev = segmentation(*maps, ignore=VOID, classes=range(3))
    images = literal(*maps, range(3))
    counts = ev.aggregate(("image", "class"))
    assert [[[int(x[i, c]) for x in counts] for c in range(3)] for i in range(len(images))] == [[*im.values()] for im in images]
    pooled = [iou(added(image.values())) for image in images]
    assert same(ev.score("jaccard", "image"), mean(pooled))
    split = ev.split("image")
    for i, image in enumerate(images):
        assert same(split[i].score("jaccard", "macro"), mean([iou(v) for v in image.values()]))
        assert split[i].n == maps[0][i].size


@given(label_maps(void=False))
def test_as_evaluate_with_images_as_groups(maps):
    """The same state as one evaluation of all pixels that carry the name of their image, found classes included."""
    true, pred = (np.concatenate([x.ravel() for x in side]).astype(int) for side in maps)
    ids = np.repeat(np.arange(len(maps[0])), [x.size for x in maps[0]])
    assert segmentation(*maps, images=range(len(maps[0]))) == ix.evaluate(true, pred, by={"image": ids})
    ordered = {"ordinal": "linear", "tnorm": "product", "classes": range(3)}  # the encoding makes the memberships
    assert segmentation(*maps, **ordered).tally == ix.evaluate(true, pred, by={"image": ids}, **ordered).tally


@given(label_maps(), st.data())
def test_masks_and_weights_as_in_evaluate(maps, data):
    """A mask, void pixels and weights, against evaluate with a mask and abstentions."""
    draw = lambda of: [np.array(data.draw(st.lists(of, min_size=x.size, max_size=x.size))).reshape(x.shape) for x in maps[0]]  # noqa: E731
    mask, weights = draw(st.booleans()), draw(st.integers(0, 16).map(lambda k: k / 4))
    flat_true, flat_pred, seen, flat_weights = (np.concatenate([x.ravel() for x in xs]) for xs in (*maps, mask, weights))
    ids = np.repeat(np.arange(len(maps[0])), [x.size for x in maps[0]])
    void = flat_true == VOID
    literal_ev = ix.evaluate(
        np.where(void, 0, flat_true),
        flat_pred,
        classes=range(3),
        abstain=VOID,
        mask=seen & ~void,
        sample_weight=flat_weights,
        by={"image": ids},
    )
    ev = segmentation(*maps, ignore=VOID, classes=range(3), mask=mask, sample_weight=weights)
    assert ev.tally == literal_ev.tally


@given(label_maps(most=6), st.integers(1, 5))
def test_batches_of_images_add(maps, cut):
    names = [f"img{i}" for i in range(len(maps[0]))]

    def evaluate(rows):
        return segmentation(maps[0][rows], maps[1][rows], ignore=VOID, images=names[rows])

    whole = evaluate(slice(None))
    if cut < len(names):
        assert evaluate(slice(cut)) + evaluate(slice(cut, None)) == whole
    assert VOID not in whole.classes
    assert whole.aggregate("image").names[0] == tuple(names)


@given(label_maps(most=6), label_maps(most=6))
def test_numbered_images_of_two_batches_do_not_share_numbers(maps, others):
    """Without names the images of each call are 0, 1, …: evaluations of other pixels do not add, those of the same are equal."""
    first, second = segmentation(*maps, ignore=VOID, classes=range(3)), segmentation(*others, ignore=VOID, classes=range(3))
    same = all(len(a) == len(b) and all(map(np.array_equal, a, b)) for a, b in zip(maps, others, strict=True))
    assert (first.recipe.in_words()["images"] == second.recipe.in_words()["images"]) is same
    if not same:
        with pytest.raises(ValueError, match=r"numbered from 0, .*to add batches, name their images with images="):
            first + second
    again = segmentation(*([x.astype(np.int16) for x in side] for side in maps), ignore=VOID, classes=range(3))
    assert again == first
    assert segmentation([], []) + first == first


def test_batches_of_named_images_are_summed():
    rng = np.random.default_rng(3)
    true, pred = rng.integers(0, 3, (2, 4, 5, 5))
    whole = segmentation(true, pred, images=range(4))
    assert sum(segmentation(true[[i]], pred[[i]], images=[i]) for i in range(4)) == whole
    assert sum(segmentation(true[i : i + 2], pred[i : i + 2], images=range(i, i + 2)) for i in (0, 2)) == whole
    assert len(whole.values("jaccard", "image")) == 4
    text = [np.array([["road", "sky"]])], [np.array([["road", "roof"]])]
    assert segmentation(*text) == segmentation(*text) != segmentation(text[0], text[0])


def test_segmentation_metrics():
    """The row of tab:settings: mIoU = macro-Jaccard, Dice = F1, by hand."""
    true = [np.array([[0, 0], [1, 2]]), np.array([[2, 1, VOID], [0, 2, VOID]])]
    pred = [np.array([[0, 1], [1, 2]]), np.array([[0, 1, 0], [0, 1, 1]])]
    ev = segmentation(true, pred, ignore=VOID)
    counts = ev.aggregate("class")
    assert [x.tolist() for x in (counts.tp, counts.fp, counts.fn)] == [[2, 2, 1], [1, 2, 0], [1, 0, 2]]
    assert ev.score("jaccard", "macro") == pytest.approx(float((Fraction(2, 4) + Fraction(2, 4) + Fraction(1, 3)) / 3))
    assert ev.score("f1", "macro") == pytest.approx(float((Fraction(4, 6) + Fraction(4, 6) + Fraction(2, 4)) / 3))
    assert ev.score("exact_match") == Fraction(5, 8)  # pixel accuracy
    assert ev.score("accuracy", "micro") == Fraction(5 + 5 + 8, 24)  # label accuracy is another number (errata A14)
    assert ev.values("jaccard", "image").tolist() == [float(Fraction(3, 5)), float(Fraction(2, 6))]
    assert ev.score("jaccard", "image") == pytest.approx(float((Fraction(3, 5) + Fraction(1, 3)) / 2))
    macro = [part.score("jaccard", "macro") for part in ev.split("image").values()]
    assert macro == pytest.approx(
        [float((Fraction(1, 2) + Fraction(1, 2) + 1) / 3), float((Fraction(1, 2) + Fraction(1, 2) + 0) / 3)]
    )


def test_predicting_void_is_predicting_nothing():
    ev = segmentation([[[0, 0], [1, VOID]]], [[[0, VOID], [VOID, VOID]]], ignore=VOID)
    assert ev.classes == (0, 1)
    counts = ev.aggregate("class")
    assert [x.tolist() for x in counts] == [[1, 0], [0, 0], [1, 1], [1, 2]]
    assert ev.score("precision", "micro") == 1
    assert ev.score("recall", "micro") == float(Fraction(1, 3))
    # … and whether it happens in a batch does not matter when batches are added.
    named = segmentation([[[0, 0], [1, VOID]]], [[[0, VOID], [VOID, VOID]]], ignore=VOID, images=[0])
    both = named + segmentation([[[0]]], [[[0]]], ignore=VOID, images=[1])
    assert both.score("recall", "micro") == 0.5


def test_void_and_abstaining_predictions_alike():
    true, pred = np.array([[[0, 1, 1, VOID]]], np.uint8), np.array([[[0, VOID, 9, 9]]], np.uint8)
    ev = segmentation(true, pred, ignore=VOID, abstain=9)
    assert (ev.classes, ev.score("recall", "micro"), ev.coverage) == ((0, 1), pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert segmentation(true, np.where(pred == 9, -1, pred), ignore=VOID, abstain=-1).tally == ev.tally


def test_a_void_image_is_a_unit_without_pixels():
    ev = segmentation([[[VOID]], [[1]]], [[[1]], [[1]]], ignore=VOID, images=["empty", "full"])
    assert ev.values("jaccard", "image").tolist()[1] == 1
    assert np.isnan(ev.values("jaccard", "image")[0])
    for undefined in ("exclude", 0, "raise"):  # it was not observed, so it is not undefined
        score = ev.score("jaccard", "image", undefined=undefined)
        assert (score, score.undefined_units) == (1, ())
    assert ev.n == 2
    nothing = segmentation([[[VOID]]], [[[1]]], ignore=VOID)
    assert (nothing.n, nothing.classes) == (1, ())


def test_images_in_groups():
    true, pred = np.array([[[0, 1]], [[1, 1]], [[0, 0]]]), np.array([[[0, 0]], [[1, 1]], [[0, 1]]])
    ev = segmentation(true, pred, by={"site": ["a", "a", "b"]})
    assert ev.axes[2:] == ("image", "site")
    assert ev.aggregate("site").tp.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        (np.array([[[0, 1], [1, 1]]]), np.array([[[0, 1], [0, 1]]])),
        ([[[False, True], [True, True]]], [[[False, True], [False, True]]]),
        ([np.array([["road", "sky"], ["sky", "sky"]])], [np.array([["road", "sky"], ["road", "sky"]])]),
        ((np.array([[0, 1], [1, 1]], np.uint16),), (np.array([[0, 1], [0, 1]], np.int8),)),
        ((x for x in [np.array([[0, 1], [1, 1]])]), iter([[(0, 1), (0, 1)]])),
        ([[range(2), iter([1, 1])]], [[range(2), range(2)]]),
        (pd.Series([np.array([[0, 1], [1, 1]])]), [np.array([0, 1, 0, 1]).reshape(2, 2)]),
    ],
)
def test_kinds_of_label_maps(true, pred):
    assert segmentation(true, pred).confusion.tolist() == [[1, 0], [1, 2]]


def test_text_may_be_void():
    ev = segmentation([np.array([["road", "void"]])], [np.array([["road", "sky"]])], ignore="void")
    assert (ev.classes, ev.score("recall", "micro")) == (("road",), 1)


def test_void_as_a_numpy_number_or_out_of_range():
    maps = [np.array([[0, VOID]], np.uint8)], [np.array([[0, 1]], np.uint8)]
    assert segmentation(*maps, ignore=np.uint8(VOID)) == segmentation(*maps, ignore=VOID)
    assert segmentation(*maps, ignore=-1).tally == segmentation(*maps).tally


def test_it_is_saved_and_loaded(tmp_path):
    ev = segmentation([[[0, 1, VOID]]], [[[0, VOID, 1]]], ignore=VOID)
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ev


def test_costs_and_hierarchies_of_pixels():
    true, pred = [np.array([[0, 1], [2, VOID]])], [np.array([[0, 2], [2, 1]])]
    closed = segmentation(true, pred, ignore=VOID, hierarchy={0: 10, 1: 11, 2: 11})
    assert closed.score("f1", "micro") == float(Fraction(2 * 5, 2 * 5 + 2))
    priced = segmentation(true, pred, ignore=VOID, classes=range(3), cost=[[0, 1, 1], [1, 0, 3], [1, 1, 0]])
    assert priced.aggregate().fn == 3


def test_many_classes_keep_no_pairs_per_image_unless_asked():
    many = np.arange(70)[None, :, None]
    with pytest.raises(ValueError, match="no confusion matrix"):
        _ = segmentation(many, many).confusion
    assert segmentation(many, many, confusion=True).confusion.trace() == 70
    assert segmentation(many, many).score("jaccard", "macro") == 1


def test_no_images():
    for nothing in ([], np.zeros((0, 4, 4), int)):
        ev = segmentation(nothing, nothing)
        assert (ev.n, ev.classes, ev.axes[2:]) == (0, (), ("image",))
    assert segmentation([], [], classes=[0, 1]).classes == (0, 1)
    assert segmentation([np.zeros((0, 3), int)], [np.zeros((0, 3), int)]).n == 0


def test_labels_are_not_modified():
    true, pred = np.array([[[0, VOID]]]), np.array([[[1, VOID]]])
    copies = true.copy(), pred.copy()
    segmentation(true, pred, ignore=VOID)
    assert (true == copies[0]).all()
    assert (pred == copies[1]).all()


ONE, SEVEN = [np.array([[0, 1]])], np.array([[0, 7]])


@for_each(
    ("call", "message"),
    [
        (lambda: segmentation(ONE, ONE * 2), "y_true has 1 images and y_pred 2"),
        (lambda: segmentation(ONE, [np.array([[0], [1]])]), r"Image 0 has shape \(1, 2\) in y_true and \(2, 1\) in y_pred"),
        (lambda: segmentation(ONE[0], ONE[0]), r"y_true has 2 dimensions; .*For one image give a list of it, \[y_true\]"),
        (lambda: segmentation(ONE[0].tolist(), ONE[0].tolist()), r"y_true\[0\] is a list of labels, one row .*, \[y_true\]"),
        (lambda: segmentation([["sky", "road"]], [["sky", "sky"]]), r"y_true\[0\] is a list of labels, one row of a map"),
        (lambda: segmentation([[[0, 1], [1]]], [[[0, 1], [1]]]), r"y_true\[0\] has rows of different lengths"),
        (lambda: segmentation([3], [3]), r"y_true\[0\] is a single label"),
        (lambda: segmentation(ONE * 2, ONE * 2, images=["a", "a"]), "images= has 'a' twice"),
        (lambda: segmentation(ONE, ONE, images=["a", "b"]), "images= must have one entry for each of the 1 images"),
        (lambda: segmentation(ONE, ONE, by={"site": [1, 2]}), r"by\['site'\]= must have one entry for each of the 1 images"),
        (lambda: segmentation(ONE, ONE, by={"image": [1]}), "by= cannot have 'image'"),
        (lambda: segmentation(ONE, ONE, ignore=[0, 1]), r"ignore=\[0, 1\] must be one label"),
        (lambda: segmentation(ONE, ONE, ignore=float("nan")), "ignore=nan is not a label"),
        (lambda: segmentation(ONE, ONE, tnorm="product"), "tnorm= combines memberships, but label maps hold classes"),
        (lambda: segmentation(ONE, ONE, ignore=1, classes=[0, 1]), "ignore=1 is among classes="),
        (lambda: segmentation(ONE * 2, [*ONE, SEVEN], classes=[0, 1]), r"y_pred\[1\]\[0, 1\] is 7, .* not in classes=\(0, 1\)"),
        (lambda: segmentation(ONE, ONE, abstain=1), r"Image 0, its observed pixels as one row: y_true\[1\] is 1"),
        (lambda: segmentation(ONE, ONE, ordinal="cumulative"), "^In which order are the classes"),
        (lambda: segmentation(ONE, ONE, decide="argmax"), "but label maps hold classes. Name the axis of scores"),
        (lambda: segmentation(ONE, ONE, mask=[[[0, 2]]]), r"mask\[0\] has other values than True and False"),
        (lambda: segmentation(ONE, ONE, mask=[[True, False]]), r"mask\[0\] has shape \(2,\) for an image of shape \(1, 2\)"),
        (lambda: segmentation(ONE, ONE, mask=[1, 1]), "mask= must have one map, or one number, for each of the 1 images"),
        (lambda: segmentation(ONE, ONE, sample_weight=[[[1, -1]]]), r"sample_weight\[0\]\[0, 1\] is not a weight"),
        (lambda: segmentation(ONE, ONE, sample_weight=[np.nan]), r"sample_weight\[0\] is not a weight"),
        (lambda: segmentation(ONE, ONE, sample_weight=["a"]), r"sample_weight\[0\] is not a weight"),
    ],
)  # fmt: skip
def test_wrong_values(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: segmentation(7, 7), "y_true is an int; give a list of label maps"),
        (lambda: segmentation(ONE, ONE, mask=True), "mask= is a bool; give a list or an array with one map, or one number"),
        (lambda: segmentation(b"ab", "ab"), "y_true is a bytes"),
        (lambda: segmentation(ONE, ONE, ignore="void"), "ignore='void' is of type text and the labels are of type number"),
        (
            lambda: segmentation([np.array([["sky"]])], [np.array([["sky"]])], ignore=255),
            "ignore=255 is of type number and the lab",
        ),
        (lambda: segmentation([[[0.5, 1]]], ONE), r"y_true\[0\] holds float64 values: scores\? Name their axis with class_axis="),
        (lambda: segmentation([[[None, 1]]], ONE), r"y_true\[0\] holds object values: they are not class ids"),
        (lambda: segmentation(ONE, ONE, by=[1]), "by= is a list; give a name for each grouping"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises(TypeError, match=message):
        call()
