"""What pixels and objects mean does not depend on the form they are given in; what has no meaning is refused."""

import numpy as np
import pytest

import indicatrix as ix

CLASSES = np.array([[1, 1, 1, 1], [2, 2, 2, 2]])
TRUE, FOUND = np.array([[1, 1, 2, 2], [0, 0, 0, 0]]), np.array([[1, 1, 1, 2], [0, 0, 0, 0]])
DOORS = {
    "segmentation": lambda given: ix.segmentation([given], [CLASSES]),
    "batch": lambda given: ix.segmentation(given[None], CLASSES[None]),
    "surfaces": lambda given: ix.vision.surface_distances([given], [CLASSES]),
    "panoptic": lambda given: ix.panoptic([(given, TRUE)], [(CLASSES, TRUE)]),
    "instances": lambda given: ix.vision.instances([given], [CLASSES]),
    "mask": lambda given: ix.segmentation([CLASSES], [CLASSES], mask=[given != 1]),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_what_a_masked_array_hides_is_not_read(door):
    door(np.ma.masked_equal(CLASSES, 7))
    with pytest.raises(ValueError, match=r"\[(0, )?1, 0\] is missing: this masked array hides 4 of 8 values"):
        door(np.ma.masked_equal(CLASSES, 2))


def test_boxes_under_a_mask_are_not_read():
    boxes = {"boxes": np.ma.masked_less([[0.0, 0, -5, 4]], 0), "labels": [1]}
    with pytest.raises(ValueError, match=r"truth\[0\]\['boxes'\]\[0, 2\] is missing"):
        ix.detection([boxes], [{"boxes": [[0, 0, 4, 4]], "labels": [1], "scores": [1]}])


def test_a_label_cannot_be_ignored_where_the_truth_has_channels():
    channels = np.eye(3, dtype=int)[CLASSES]
    for truth, options in ((channels, {"ignore": 2}), (channels, {"ignore": 255, "decide": "argmax"})):
        with pytest.raises(ValueError, match=r"ignore=\d+ is a label, and y_true\[0\] has one channel per class"):
            ix.segmentation([truth], [channels], class_axis=-1, **options)
    with pytest.raises(ValueError, match="ignore=2 is a label, and class_axis= is for one channel per class"):
        ix.vision.surface_distances([channels], [channels], class_axis=-1, ignore=2)
    assert ix.segmentation([CLASSES], [channels], class_axis=-1, ignore=2).values("recall").tolist()[1] == 1


@pytest.mark.parametrize("times", [2**40, 2**61, 3**38])
def test_numbers_of_instances_may_be_as_large_as_hashes(times):
    usual = ix.panoptic([(7 * CLASSES, TRUE)], [(7 * CLASSES, FOUND)], things=[7])
    assert ix.panoptic([(7 * CLASSES, times * TRUE)], [(7 * CLASSES, times * FOUND)], things=[7]) == usual
    assert ix.vision.instances([times * TRUE], [times * FOUND]) == ix.vision.instances([TRUE], [FOUND])
    with pytest.raises(
        ValueError, match=r"truth\[0\]\[0, 2\] is 18446744073709551615; the largest number is 9223372036854775807"
    ):
        ix.vision.instances([np.where(TRUE == 2, np.uint64(2**64 - 1), np.uint64(1))], [FOUND])


def test_a_class_that_belongs_to_nothing_may_be_listed():
    numbers, rows = np.where(CLASSES == 2, 3, TRUE), [(1, 1), (2, 1), (3, 2)]
    listed = {"map": numbers, "segments": [{"id": number, "category_id": label} for number, label in rows]}
    pair = (CLASSES, TRUE)
    for found in ((CLASSES, FOUND), pair):
        assert ix.panoptic([listed], [found], ignore=2) == ix.panoptic([pair], [found], ignore=2)
    assert ix.panoptic([listed], [listed], ignore=2).classes == (1,)


@pytest.mark.parametrize("evaluate", [ix.panoptic, ix.vision.instances])
def test_classes_and_things_are_possible_ones(evaluate):
    pair = (CLASSES, TRUE)
    for options, message in (
        ({"classes": [1, 2, 2]}, "names 2 twice"),
        ({"classes": [1, 2], "ignore": 2}, "ignore=2 is among classes="),
        ({"classes": [1]}, r"truth\[0\], segment \(2, 0\), has the class 2, which is not among \(1\)"),
        ({"classes": [1, 2], "things": [3]}, "things= has 3, which is not among the classes"),
        ({"things": ["1"]}, "things= holds labels of type text, and the classes are of type number"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            evaluate([pair], [pair], **options)
    assert evaluate([pair], [pair], classes=[2, 1]).classes == (2, 1)
    assert ix.vision.instances([pair], [pair], classes=[1], things=[1]).classes == (1,)
    divided = 1000 * CLASSES + TRUE
    assert evaluate([divided], [divided], divisor=np.int64(1000)) == evaluate([divided], [divided], divisor=1000)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": [1], "category_id": 1}, r"truth\[0\]\['segments'\]\[0\] has the id \[1\]"),
        ({"id": 1, "category_id": None}, r"has the category_id None; give a number or a text"),
        ({"id": 1, "category_id": "x"}, "The classes are of type number and text"),
    ],
)
def test_a_listed_segment_needs_names(row, message):
    one = np.ones((2, 2), int)
    with pytest.raises((ValueError, TypeError), match=message):
        ix.panoptic([{"map": one, "segments": [row]}], [(one, one)])


def test_surfaces_of_classes_that_no_pixel_can_have_are_refused():
    for classes, message in ((["1"], "of type text, and image 0 labels of type number"), ([1, 1], "names 1 twice")):
        with pytest.raises((ValueError, TypeError), match=message):
            ix.vision.surface_distances([CLASSES], [CLASSES], classes=classes)


def test_labels_of_python_objects_are_read_by_their_type():
    text = np.array([["a", "b"], ["a", "a"]])
    usual = ix.segmentation([text], [text[::-1]])
    assert ix.segmentation([text.astype(object)], [text[::-1].tolist()]) == usual
    assert ix.segmentation([CLASSES.astype(object)], [CLASSES]).classes == (1, 2)
    for mixed in ([[1, "1"]], np.array([[1, "1"]], object)):
        with pytest.raises(TypeError, match=r"y_pred\[0\] mixes labels of type number and text"):
            ix.segmentation([[["1", "1"]]], [mixed])


PICTURE = [[0, 0, 1, 1, 0, 0, 0, 0]] * 8
SIZES = [10, ("a", "b"), (8, 8, 3), (-8, 8), (8.5, 8)]


def test_lists_of_polygons_are_not_taken_for_pictures():
    shape = {"masks": [PICTURE], "labels": [1], "size": (8, 8)}
    with pytest.raises(ValueError, match=r"truth\[0\], object 0 .* look like the rows of a picture"):
        ix.detection([shape], [{**shape, "scores": [1]}], kind="masks")
    pixel = {**shape, "masks": [[[0, 0, 1, 0, 1, 1, 0, 1]]]}
    assert ix.detection([pixel], [{**pixel, "scores": [1]}], kind="masks").scene.truth.area.tolist() == [1]


@pytest.mark.parametrize("size", SIZES)
def test_the_size_of_an_image_is_two_whole_numbers(size):
    shape = {"masks": [[[0, 0, 4, 0, 4, 4, 0, 4]]], "labels": [1], "size": (8, 8)}
    with pytest.raises(ValueError, match=r"truth\[0\]: 'size' is .*; give the height and the width"):
        ix.detection([{**shape, "size": size}], [{**shape, "scores": [1]}], kind="masks")


def test_both_sides_know_the_same_size():
    shape = {"masks": [[[0, 0, 4, 0, 4, 4, 0, 4]]], "labels": [1], "scores": [1], "size": (8, 8)}
    with pytest.raises(ValueError, match="The image 'x' has the size 8 x 8 in truth and 9 x 9 in predictions"):
        ix.detection([shape], [{**shape, "size": (9, 9)}], kind="masks", images=["x"])
    columns = {**shape, "image": ["x"]}
    with pytest.raises(TypeError, match="truth: 'size' is a tuple; give a dict from the image"):
        ix.detection(columns, columns, kind="masks")
    assert ix.detection({**columns, "size": {"x": (8, 8)}}, {**columns, "size": {}}, kind="masks").ap() == 1


BOX = {"boxes": [[0, 0, 2, 2]], "labels": [1], "scores": [1]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": {"sequence": [["a"]]}}, r"by\['sequence'\]"),
        ({"by": {"sequence": [None]}}, r"by\['sequence'\]\[0\] is missing"),
        ({"by": {"macro": ["a"]}}, "by= cannot be called 'macro'"),
        ({"images": [["a"]]}, "images is a list of rows"),
        ({"sigmas": [0.1]}, "sigmas= is the spread of keypoints; kind='boxes' has none"),
    ],
)
def test_options_of_detection_that_mean_nothing(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ix.detection([BOX], [BOX], **options)


def test_tensors_keep_what_they_mean_in_every_precision_and_with_gradients():
    torch = pytest.importorskip("torch")
    grown = {name: torch.tensor(BOX[name], dtype=torch.float32, requires_grad=True) for name in ("boxes", "scores")}
    assert ix.detection([BOX], [{**BOX, **grown}]).ap() == 1
    masks = [torch.tensor(CLASSES == 1).to(torch.bfloat16)]
    shape = {"masks": masks, "labels": [1], "scores": [1]}
    assert ix.detection([shape], [shape], kind="masks").ap() == 1
    scores = torch.rand(1, 3, 2, 4, requires_grad=True)
    weights = torch.ones(1, 2, 4, dtype=torch.bfloat16)
    assert ix.segmentation([CLASSES], scores, class_axis=0, decide="argmax", sample_weight=weights).n == 8
    for evaluate in (ix.segmentation, ix.panoptic, ix.vision.instances):
        with pytest.raises(TypeError, match=r"holds bfloat16 values.*whole numbers"):
            evaluate(torch.ones(1, 2, 2).bfloat16(), torch.ones(1, 2, 2).bfloat16())


def test_files_of_the_same_names_come_in_the_same_order(tmp_path):
    places = [tmp_path / side / f"{name}.npy" for side in ("true", "found") for name in "ab"]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        np.save(place, CLASSES)
    assert ix.segmentation(places[:2], places[2:]).score("jaccard", "macro") == 1
    with pytest.raises(ValueError, match=r"y_true\[0\] is the file 'a' and y_pred\[0\] is 'b'. Give both in the same order"):
        ix.segmentation(places[:2], places[:1:-1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"segments_info": None}, r"predictions\['annotations'\]\[0\] has the segments_info None; give a list of segments"),
        ({"file_name": None}, "has the file_name None; give the name of its picture"),
        ({"image_id": [5]}, r"has the image_id \[5\]; give a number or a text"),
    ],
)
def test_panoptic_json_that_cannot_be_read(change, message):
    row = {"image_id": 5, "file_name": "a.npy", "segments_info": []}
    with pytest.raises(ValueError, match=message):
        ix.panoptic(({"annotations": [row]}, "x"), ({"annotations": [{**row, **change}]}, "x"))


def test_a_category_that_belongs_to_nothing_is_not_a_class(tmp_path):
    np.save(tmp_path / "a.npy", np.where(CLASSES == 2, 3, TRUE))
    rows = [{"id": 1, "category_id": 1}, {"id": 2, "category_id": 1}, {"id": 3, "category_id": 2}]
    file = {"annotations": [{"image_id": 5, "file_name": "a.npy", "segments_info": rows}]}
    file["categories"] = [{"id": 1}, {"id": 2, "isthing": 0}]
    made = ix.panoptic((file, tmp_path), (file, tmp_path), ignore=2)
    assert made.classes == (1,)
    assert [*made.summary()] == ["all", "things"]
    assert ix.vision.instances((file, tmp_path), (file, tmp_path), ignore=2).classes == (1,)


@pytest.mark.parametrize("argument", ["mask", "sample_weight"])
def test_masks_and_weights_are_lists_where_images_are_a_stream(argument):
    def streams():
        return iter([CLASSES, CLASSES]), iter([CLASSES, CLASSES])

    assert ix.segmentation(*streams(), **{argument: [1, CLASSES == 1]}).confusion.sum() == 12
    for wrong in (iter([1, 1]), {0: 1, 1: 1}):
        with pytest.raises(TypeError, match=rf"{argument}= is a .*; give a list or an array"):
            ix.segmentation(*streams(), **{argument: wrong})
