"""Panoptic quality and instances: the definition in loops, hand-made cases of void and crowds, COCO's files."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from loops import examples, for_each

import indicatrix as ix


def literal(images):
    """Return {class: [tp, fp, fn, sum of IoU]} by the definition, over sets of pixels."""
    out = {}
    for true, pred in images:
        void = set(range(true["map"].size)) - {p for p, i in enumerate(true["map"].ravel()) if i}
        sides = []
        for side in (true, pred):
            pixels = {row["id"]: {p for p, i in enumerate(side["map"].ravel()) if i == row["id"]} for row in side["segments"]}
            sides.append([(row["category_id"], row.get("iscrowd", 0), pixels[row["id"]]) for row in side["segments"]])
        matched = set()
        for k, (label, crowd, region) in enumerate(sides[0]):
            row = out.setdefault(label, [0, 0, 0, 0.0])
            if crowd:
                continue
            for j, (other, _, found) in enumerate(sides[1]):
                iou = len(region & found) / len((region | found) - (found & void))
                if other == label and iou > 0.5:
                    row[0] += 1
                    row[3] += iou
                    matched |= {("t", k), ("p", j)}
            row[2] += ("t", k) not in matched
        for j, (label, _, found) in enumerate(sides[1]):
            crowds = set().union(*(region for other, crowd, region in sides[0] if crowd and other == label))
            if ("p", j) not in matched and len(found & (void | crowds)) <= len(found) / 2:
                out.setdefault(label, [0, 0, 0, 0.0])[1] += 1
    return out


@st.composite
def segmented(draw):
    """Return true and predicted segments of one image, with void and crowds."""
    ids = draw(arrays(np.int64, (3, 5), elements=st.integers(0, 4)))
    moved = draw(arrays(np.int64, (3, 5), elements=st.integers(0, 4)))
    other = np.where(draw(arrays(bool, (3, 5))), ids, moved)
    sides = []
    for side, crowds in ((ids, True), (other, False)):
        rows = [
            {"id": int(i), "category_id": draw(st.integers(1, 2)), "iscrowd": int(crowds and draw(st.integers(0, 4)) == 0)}
            for i in np.unique(side)
            if i
        ]
        sides.append({"map": side, "segments": rows})
    return tuple(sides)


@examples(12)
@given(st.lists(segmented(), min_size=1, max_size=3))
def test_the_definition_in_loops(images):
    truth, found = zip(*images, strict=True)
    result = ix.panoptic(truth, found, classes=[1, 2, 3])
    expected = literal(images)
    for k, label in enumerate((1, 2, 3)):
        tp, fp, fn, iou = expected.get(label, [0, 0, 0, 0.0])
        assert result.sums[:, :, k].sum(axis=1).tolist() == pytest.approx([tp, fp, fn, iou])
    rows = [row for row in expected.values() if sum(row[:3])]
    if rows:  # the averages of panopticapi: classes without a segment are left out, and without a match sq is 0
        assert result.pq() == pytest.approx(np.mean([iou / (tp + (fp + fn) / 2) for tp, fp, fn, iou in rows]))
        assert result.sq() == pytest.approx(np.mean([iou / tp if tp else 0 for tp, _, _, iou in rows]))
        assert result.rq() == pytest.approx(np.mean([2 * tp / (2 * tp + fp + fn) for tp, fp, fn, _ in rows]))
        assert result.rq() == pytest.approx(result.counts().score("f1", "macro"))
        product = result.sq(per="class") * result.rq(per="class")
        np.testing.assert_allclose(np.nan_to_num(product), np.nan_to_num(result.pq(per="class")))
    assert (result.pq(per="class")[2]).astype(str) == "nan"


def listed(rows, *segments):
    ids = np.array(rows)
    return {"map": ids, "segments": [{"id": i, "category_id": c, "iscrowd": crowd} for i, c, crowd in segments]}


@pytest.mark.parametrize(
    ("true", "pred", "expected"),
    [
        # an IoU of exactly one half is not a match
        (
            listed([[1, 1, 1, 2]], (1, 7, 0), (2, 8, 0)),
            listed([[1, 1, 2, 2]], (1, 7, 0), (2, 8, 0)),
            {7: (1, 0, 0), 8: (0, 1, 1)},
        ),
        # another class is not a match, however much they overlap
        (listed([[1, 1, 1, 1]], (1, 7, 0)), listed([[1, 1, 1, 1]], (1, 8, 0)), {7: (0, 0, 1), 8: (0, 1, 0)}),
        # void pixels are taken off the union: 2 / (2 + 4 - 2 - 2) is a match
        (listed([[1, 1, 0, 0]], (1, 7, 0)), listed([[1, 1, 1, 1]], (1, 7, 0)), {7: (1, 0, 0)}),
        # a prediction on void for more than a half is not false; for a half it is
        (listed([[1, 0, 0, 0]], (1, 8, 0)), listed([[1, 1, 1, 0]], (1, 7, 0)), {7: (0, 0, 0), 8: (0, 0, 1)}),
        (listed([[1, 1, 0, 0]], (1, 8, 0)), listed([[1, 1, 1, 1]], (1, 7, 0)), {7: (0, 1, 0), 8: (0, 0, 1)}),
        # a crowd is neither found nor missed, and excuses predictions of its class only
        (listed([[1, 1, 1, 1]], (1, 7, 1)), listed([[1, 1, 2, 2]], (1, 7, 0), (2, 8, 0)), {7: (0, 0, 0), 8: (0, 1, 0)}),
    ],
)
def test_hand_made_cases_of_the_rules(true, pred, expected):
    result = ix.panoptic([true], [pred], classes=[7, 8])
    found = {c: tuple(result.sums[:3, 0, k].astype(int).tolist()) for k, c in enumerate((7, 8))}
    assert found == {7: (0, 0, 0), 8: (0, 0, 0), **expected}


CLASSES = np.array([[1, 1, 1, 3], [1, 1, 2, 3], [2, 2, 2, 9]])
INSTANCES = np.array([[1, 1, 2, 5], [1, 1, 0, 6], [0, 0, 1, 0]])


def test_forms_of_segments(tmp_path):
    found = np.where(CLASSES == 2, 1, CLASSES)
    pair = ix.panoptic([(CLASSES, INSTANCES)], [(found, INSTANCES)], things=[1], ignore=9)
    coded = ix.panoptic([CLASSES * 1000 + INSTANCES], [found * 1000 + INSTANCES], things=[1], ignore=9, divisor=1000)
    by_name = ix.panoptic([{"classes": CLASSES, "instances": INSTANCES}], [(found, INSTANCES)], things=[1], ignore=9)
    assert pair.classes == coded.classes == (1, 2, 3)
    assert (pair.sums == coded.sums).all()
    assert (pair.sums == by_name.sums).all()
    assert pair.things == (True, False, False)  # stuff has one segment, whatever its instances are
    assert pair.pq(only="stuff", per="class").tolist() == [0, 1]
    _write_coco(tmp_path)
    coco = ix.panoptic(tmp_path / "true.json", (tmp_path / "pred.json", tmp_path / "pred"))
    assert coco.images == (4, 2)
    assert coco.summary()["things"]["PQ"] == coco.pq(per="class")[1] == pytest.approx(5 / 6)
    assert "PQ" in str(coco)


def _write_coco(folder):
    from PIL import Image

    maps = {"true": [[[300, 300, 70000]], [[5, 5, 5]]], "pred": [[[300, 300, 70000]], [[5, 5, 0]]]}
    segments = [[(300, 1), (70000, 2)], [(5, 2)]]
    for side, pictures in maps.items():
        (folder / side).mkdir()
        rows = []
        for name, picture, own in zip((4, 2), pictures, segments, strict=True):
            ids = np.array(picture)
            colors = np.stack([ids % 256, ids // 256 % 256, ids // 65536], axis=-1).astype(np.uint8)
            Image.fromarray(colors).save(folder / side / f"{name}.png")
            info = [{"id": i, "category_id": c, "iscrowd": 0} for i, c in own]
            rows.append({"image_id": name, "file_name": f"{name}.png", "segments_info": info})
        categories = [{"id": 1, "isthing": 0}, {"id": 2, "isthing": 1}]
        (folder / f"{side}.json").write_text(json.dumps({"annotations": rows, "categories": categories}), "utf-8")


def test_axes_sums_and_draws():
    pairs = [(CLASSES, INSTANCES), (CLASSES.T.reshape(3, 4), INSTANCES)] * 4
    wrong = [(CLASSES, INSTANCES)] * 4 + [(np.where(CLASSES == 1, 2, CLASSES), INSTANCES)] * 4
    options = {"things": [1], "classes": [1, 2, 3, 9]}
    whole = ix.panoptic(pairs, wrong, **options, by={"sequence": list("aabbccdd")})
    assert whole.pq(per=("image", "class")).shape == (8, 4)
    assert whole.pq(per=("class", "sequence")).shape == (4, 4)
    np.testing.assert_array_equal(whole.pq(per=("class", "image")), whole.pq(per=("image", "class")).T)
    halves = [ix.panoptic(pairs[s], wrong[s], **options, images=range(8)[s], by={"sequence": list("aabbccdd")[s]})
              for s in (slice(4), slice(4, None))]  # fmt: skip
    assert (halves[0] + halves[1]).pq(per="class").tolist() == whole.pq(per="class").tolist()
    for clusters in (None, "sequence"):
        found = whole.interval("pq", "macro", clusters=clusters, draws=200)
        assert found.value == pytest.approx(whole.pq())
        assert found.low <= found.value <= found.high
    perfect = ix.panoptic(pairs, pairs, **options, by=whole.by)
    assert perfect.compare(whole, "pq", "macro", draws=200).value == pytest.approx(1 - whole.pq())
    assert perfect.pq() == perfect.pq(average="micro") == perfect.pq(average="sequence") == 1


@examples(8)
@given(*[arrays(np.int64, (4, 6), elements=st.integers(0, 3))] * 2)
def test_instances_as_masks_of_detection(truth, found):
    """The overlaps counted in maps are those of masks; above one half the match is unique."""
    result = ix.vision.instances([truth], [found], ious=[0.25, 0.5, 0.75])

    def masks(ids):
        own = [i for i in np.unique(ids) if i]
        return {"masks": [np.asfortranarray((ids == i).astype(np.uint8)) for i in own], "labels": ["object"] * len(own)}

    given = masks(found)
    other = ix.detection(
        [masks(truth)],
        [{**given, "scores": [1] * len(given["labels"])}],
        kind="masks",
        ious=[0.25, 0.5, 0.75],
        classes=["object"],
    )
    for iou in (0.5, 0.75):
        counts = [ev.at(0, iou=iou).aggregate() for ev in (result, other)]
        assert (counts[0].tp, counts[0].fp, counts[0].fn) == (counts[1].tp, counts[1].fp, counts[1].fn)
    above = Counter((a, b) for a, b in zip(truth.ravel().tolist(), found.ravel().tolist(), strict=True) if a and b)
    size = Counter(truth.ravel().tolist()), Counter(found.ravel().tolist())
    matched = sum(n / (size[0][a] + size[1][b] - n) > 0.5 for (a, b), n in above.items())
    assert result.at(0, iou=0.5000001).aggregate().tp == matched


def test_instances_of_classes():
    pred = np.where(CLASSES == 1, 2, CLASSES)
    result = ix.vision.instances([(CLASSES, INSTANCES)], [(pred, INSTANCES)], things=[1, 2], matching="optimal")
    assert result.classes == (1, 2)
    assert result.at(0).aggregate("class").fn.tolist() == [2, 1]
    assert result.interval("ar", "macro", draws=50).level == 0.95
    assert ix.vision.instances([np.zeros((2, 2), int)], [np.zeros((2, 2), int)], classes=["object"]).at(0).n == 0


PAIR = (CLASSES, INSTANCES)


def test_one_image_is_in_memory_at_a_time():
    read = []

    def images(side, n=4):
        for k in range(n):
            read.append((side, k))
            yield (CLASSES, INSTANCES)

    for make in (ix.panoptic, ix.vision.instances):
        read.clear()
        assert len(make(images("t"), images("p")).images) == 4
        assert read == [(side, k) for k in range(4) for side in "tp"]
        with pytest.raises(ValueError, match="predictions ends after 2 images, and truth has more"):
            make(images("t"), images("p", 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"categories": [{"isthing": 1}]}, r"truth\['categories'\]\[0\] is .* it needs an 'id'"),
        ({"categories": [{"id": 1}, {"id": 1}]}, r"truth\['categories'\]\[1\] has the id 1 for the second time"),
        ({"categories": 3}, r"truth\['categories'\] is 3; give a list"),
        ({"categories": [{"id": 1}]}, r"Image 4: truth\[0\], segment 70000, has the class 2, which is not among \(1\)"),
        ({"annotations": ["x"]}, r"truth\['annotations'\]\[0\] has no 'image_id'"),
        ({"annotations": 3}, "truth is not COCO's panoptic JSON"),
    ],
)
def test_files_that_are_not_cocos_name_the_image(change, message, tmp_path):
    _write_coco(tmp_path)
    path = tmp_path / "true.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **change}), "utf-8")
    with pytest.raises(ValueError, match=message):
        ix.panoptic(path, tmp_path / "pred.json")


@for_each(
    ("call", "message"),
    [
        (lambda: ix.panoptic([PAIR], [PAIR] * 2), "truth has 1 images and predictions 2"),
        (lambda: ix.panoptic([PAIR], [(CLASSES[:2], INSTANCES[:2])]), r"Image 0 has shape \(3, 4\) in truth and \(2, 4\)"),
        (lambda: ix.panoptic([PAIR], [(CLASSES, INSTANCES[:2])]), r"predictions\[0\] has classes of shape"),
        (lambda: ix.panoptic([CLASSES], [CLASSES]), r"truth\[0\] is one map, which does not say"),
        (
            lambda: ix.panoptic([PAIR], [PAIR], classes=[1, 2]),
            r"truth\[0\], segment \(3, 5\), has the class 3, which is not among",
        ),
        (lambda: ix.panoptic([(-CLASSES, INSTANCES)], [PAIR]), r"truth\[0\]\[0\]\[0, 0\] is -1"),
        (lambda: ix.panoptic([listed([[1, 2]], (1, 7, 0))], [PAIR]), r"truth\[0\]\['map'\] has the ids 2, which are not in"),
        (
            lambda: ix.panoptic([listed([[1]], (1, 7, 0), (2, 7, 0))], [PAIR]),
            r"truth\[0\]\['segments'\] has the ids 2, which no pixel",
        ),
        (
            lambda: ix.panoptic([{"map": [[1]], "segments": [{"id": 1}]}], [PAIR]),
            r"'segments'\]\[0\] is .* needs 'id' and 'category_id'",
        ),
        (lambda: ix.panoptic([{"maps": 1}], [PAIR]), r"truth\[0\] has 'maps'"),
        (lambda: ix.panoptic("nowhere.json", "nowhere.json"), "cannot be read as JSON"),
        (
            lambda: ix.vision.instances(
                [{"map": [[1]], "segments": [{"id": 1, "category_id": 1}]}],
                [{"map": [[1]], "segments": [{"id": 1, "category_id": 1, "score": np.nan}]}],
            ),
            r"predictions\[0\]\['segments'\]\[0\] has the score nan; give a finite number",
        ),
        (lambda: ix.panoptic("nowhere.json", [PAIR]), "One side is COCO's JSON"),
        (lambda: ix.panoptic([CLASSES], [CLASSES], divisor=0), "divisor=0 must be a whole number above 0"),
        (lambda: ix.panoptic([PAIR], [PAIR]).pq(only="both"), "only='both' is unknown"),
        (lambda: ix.panoptic([PAIR], [PAIR]).pq(average="exemplar"), "average='exemplar': segments are examples"),
        (lambda: ix.panoptic([PAIR], [PAIR]).pq(per="site"), "per=.*choose 'class'"),
        (lambda: ix.panoptic([PAIR], [PAIR]).interval("quality", "macro"), "There is no measure 'quality'"),
        (lambda: ix.panoptic([PAIR], [PAIR]).interval("iou", "macro"), "clusters='image' has one group"),  # iou of counts
        (lambda: ix.panoptic([PAIR], [PAIR]) + ix.panoptic([PAIR], [PAIR]), "Both evaluations have the images 0"),
        (lambda: ix.vision.instances([CLASSES], [CLASSES], matching="best"), "matching='best' is unknown"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (5, "truth is an int; give a list with one entry for each image"),
        (None, "truth is a NoneType; give a list"),
        ([([["road"]], [[0]])], r"truth\[0\]\[0\] holds text values; give whole numbers"),
        ([([[0.5]], [[0]])], r"truth\[0\]\[0\] holds float64 values; give whole numbers"),
    ],
)
def test_what_is_of_another_type(given, message):
    with pytest.raises(TypeError, match=message):
        ix.panoptic(given, [PAIR])


def test_a_number_below_the_divisor_is_a_class_without_instances():
    cityscapes = np.array([[7, 7, 26001, 26002, 26000]])
    result = ix.panoptic([cityscapes], [cityscapes], divisor=1000)
    assert result.classes == (7, 26)
    assert result.things == (False, True)
    assert result.sums[0].tolist() == [[1, 3]]
    found = ix.vision.instances([cityscapes], [cityscapes], divisor=1000)
    assert found.classes == (26,)
    assert found.scene.truth.n == 3


def test_pixels_to_ignore_in_a_plain_map_are_no_object_and_taken_off_the_predictions():
    result = ix.vision.instances([np.array([[1, 1, 255, 0]])], [np.array([[1, 1, 1, 2]])], ignore=255)
    assert result.scene.truth.n == 1
    assert result.scene.predictions.area.tolist() == [2, 1]  # what lies on the background stays
    assert ix.vision.instances([np.array([[1, 1, 255]])], [np.array([[1, 1, 2]])], ignore=255).ap() == 1


NAMED = {"map": [[1, 1], [2, 2]], "segments": [{"id": 1, "category_id": "a"}, {"id": 2, "category_id": "b"}]}
IGNORED = [
    (ix.panoptic, (CLASSES, INSTANCES), {}, "1"),
    (ix.panoptic, CLASSES * 1000, {"divisor": 1000}, b"1"),
    (ix.panoptic, NAMED, {}, 1),
    (ix.vision.instances, (CLASSES, INSTANCES), {}, "1"),
    (ix.vision.instances, INSTANCES, {}, "1"),
    (ix.vision.instances, NAMED, {}, 1),
]


@pytest.mark.parametrize(("task", "image", "options", "ignore"), IGNORED)
def test_what_is_to_be_ignored_is_a_label_of_the_type_of_the_classes(task, image, options, ignore):
    """Another type matched no pixel, without a word."""
    with pytest.raises(TypeError, match=r"no pixel of truth\[0\] can have it. Give it in the type of the maps"):
        task([image], [image], ignore=ignore, **options)
    for several in ([1, 2], np.array([1, 2]), {1}, [[1], [1, 2]]):
        with pytest.raises(ValueError, match=r"must be one label. To hide pixels of several labels, give them one class"):
            task([image], [image], ignore=several, **options)
    with pytest.raises(ValueError, match="ignore=nan is not a label"):
        task([image], [image], ignore=float("nan"), **options)
