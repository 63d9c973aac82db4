"""Objects in every form, and what is refused: with the image, the index and what to do."""

import json

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

BOX = {"boxes": [[0, 0, 2, 2]], "labels": ["a"]}
FOUND = {**BOX, "scores": [0.5]}
COCO = {
    "images": [{"id": 7, "height": 9, "width": 9}],
    "categories": [{"id": 1, "name": "a"}],
    "annotations": [{"id": 1, "image_id": 7, "category_id": 1, "bbox": [0, 0, 2, 2], "area": 4, "iscrowd": 0}],
}
RESULT = {"image_id": 7, "category_id": 1, "bbox": [0, 0, 2, 2], "score": 0.5}


def changed(**change):
    return {**COCO, "annotations": [{**COCO["annotations"][0], **change}]}


def test_every_form_gives_the_same():
    torch = pytest.importorskip("torch")
    flat = {"image": ["x"], "boxes": np.array([[0, 0, 2, 2]]), "labels": ["a"]}
    forms = [
        ix.detection(COCO, [RESULT]),
        ix.detection([BOX], [FOUND]),
        ix.detection({"x": BOX, "y": BOX}, {"y": FOUND, "x": FOUND}),
        ix.detection([{**BOX, "boxes": [[0, 0, 2, 2]]}], [FOUND], box="xywh"),
        ix.detection(
            [{**BOX, "iscrowd": [0]}], [{name: torch.tensor(x) if name != "labels" else x for name, x in FOUND.items()}]
        ),
        ix.detection(flat, {**flat, "scores": np.array([0.5], np.float32)}),
        ix.detection(flat, {**flat, "scores": [1]}, images=["y", "x"]),
    ]
    assert {float(form.ap()) for form in forms} == {1.0}
    assert {form.classes for form in forms} == {("a",)}
    assert forms[-1].images == ("y", "x")
    assert ix.detection(changed(id=0), [RESULT]).ap() == 1


def test_keypoints_and_oriented_boxes_from_lists():
    points = np.array([[[1.0, 1, 2], [5, 5, 2]]])
    pose = {"keypoints": points, "labels": [0], "area": [16.0]}
    result = ix.detection([pose], [{"keypoints": points, "labels": [0], "scores": [1]}], kind="keypoints", sigmas=[0.1, 0.1])
    assert result.ap() == 1
    assert list(result.summary()) == ["AP", "AP50", "AP75", "APm", "APl", "AR", "AR50", "AR75", "ARm", "ARl"]
    turned = {"oriented": [[5, 5, 4, 2, 30]], "labels": [0]}
    assert ix.detection([turned], [{**turned, "scores": [1]}], kind="oriented").ap() == 1


def test_polygons_need_the_size_of_their_image():
    shape = {"masks": [[[1, 1, 5, 1, 5, 5, 1, 5]]], "labels": [0]}
    found = [{**shape, "scores": [1]}]
    assert ix.detection([{**shape, "size": (9, 9)}], found, kind="masks").ap() == 1
    with pytest.raises(ValueError, match=r"truth\[0\], object 0 \(image 0\): a polygon needs the height and the width"):
        ix.detection([shape], found, kind="masks")


def one_mask(mask, **more):
    return {"masks": [mask], "labels": [0], **more}


@for_each(
    ("truth", "found", "options", "message"),
    [
        (
            [{**BOX, "boxes": [[5, 0, 2, 2]]}],
            [FOUND],
            {},
            r"truth\[0\], object 0 \(image 0\): the box \(xyxy\) has a width of -3",
        ),
        ([BOX], [{**FOUND, "boxes": [[0, 0, np.nan, 2]]}], {}, r"predictions\[0\], object 0 .* must be finite"),
        ([BOX], [{**FOUND, "scores": [np.nan]}], {}, r"predictions\[0\], object 0 \(image 0\): score is nan"),
        ([BOX], [{**FOUND, "boxes": [[0, 0, 2]]}], {}, r"predictions\[0\], object 0 .*give 4 numbers"),
        ([BOX], [FOUND, FOUND], {}, "truth has 1 images and predictions has 2"),
        ([BOX], [BOX], {}, r"predictions\[0\] has no 'scores'"),
        ([BOX], [{**FOUND, "scores": [0.5, 0.4]}], {}, "'scores' has .*entries for 1 labels"),
        ([{**BOX, "crowd": [2]}], [FOUND], {}, "crowd is 2; give False or True"),
        ([{**BOX, "area": [-1]}], [FOUND], {}, "area is -1; an area is not negative"),
        ([{**BOX, "weight": [1]}], [FOUND], {}, "has 'weight', which is not a column"),
        ([BOX], [{**FOUND, "labels": ["b"]}], {"classes": ["a"]}, r"predictions\[0\], object 0 .* the class 'b' is not among"),
        ([BOX], [FOUND], {"kind": "box"}, "kind='box' is unknown. Choose from 'boxes', 'masks'"),
        ([BOX], [FOUND], {"box": "cxcywh"}, "box='cxcywh' is unknown"),
        ([BOX], [FOUND], {"matching": "greedy"}, "matching='greedy' is unknown"),
        ([BOX], [FOUND], {"ious": 1.5}, "ious=1.5: give thresholds"),
        ([BOX], [FOUND], {"areas": {"x": (5, 2)}}, "give the smallest and the largest area"),
        ([BOX], [FOUND], {"max_detections": 0}, "max_detections=0"),
        ([BOX], [FOUND], {"by": {"image": [1]}}, "by= cannot have 'image'"),
        ([BOX], [FOUND], {"by": {"sequence": [1, 2]}}, r"by\['sequence'\]= must have one entry for each of the 1 images"),
        ([BOX], [FOUND], {"images": ["x", "y"]}, "images= names 2 images, but the lists have 1"),
        ([BOX], [FOUND], {"federated": True}, "federated=True reads"),
        ({**BOX, "image": [1]}, [FOUND], {}, "truth is one dict of columns, but predictions is a list"),
        (BOX, FOUND, {}, "without 'image'"),
        ({"x": BOX}, [FOUND], {}, "truth is a dict by the name of the image, but predictions is a list"),
        ({"x": BOX}, {"y": FOUND}, {}, "predictions has no image 'x'. Give both the same images"),
        ({"x": BOX}, {"x": FOUND, "y": FOUND}, {}, "truth has no image 'y'"),
        ({"x": BOX}, {"x": FOUND}, {"images": ["x"]}, "here the dicts name them"),
        ({**BOX, "image": [1]}, {**FOUND, "image": [2]}, {}, r"predictions, row 0 \(image 2\): the image 2 is not among"),
        (
            changed(bbox=[0, 0, -1, 2]),
            [RESULT],
            {},
            r"truth\['annotations'\]\[0\] \(image 7\): the box \(xywh\) has a width of -1",
        ),
        (COCO, [{**RESULT, "image_id": 8}], {}, r"predictions\[0\] \(image 8\): the image 8 is not among"),
        (COCO, [{**RESULT, "category_id": 9}], {}, r"predictions\[0\] \(image 7\): the class 9 is not among"),
        (changed(image_id=3), [RESULT], {}, r"\(image 3\): the image 3 is not among"),
        ({"images": []}, [], {}, "truth is not COCO's JSON: it is a dict with 'images'"),
        (COCO, {"x": 1}, {}, "predictions must be a list of COCO's results"),
        (COCO, [{"image_id": 7}], {}, r"predictions\[0\] has no 'category_id'"),
        (COCO, [RESULT], {"kind": "masks"}, r"truth\['annotations'\]\[0\] has no 'segmentation'"),
        (COCO, [RESULT], {"classes": ["a"]}, "COCO's JSON names the images and the classes itself"),
        (COCO, [RESULT], {"federated": True}, "has no 'neg_category_ids'"),
        ({**COCO, "images": COCO["images"] * 2}, [], {}, "has the id 7 twice"),
        (
            [one_mask(np.ones((2, 2)))],
            [one_mask(np.ones((3, 2)), scores=[1])],
            {"kind": "masks"},
            "3 x 2 pixels, but another .* 2 x 2",
        ),
        ([one_mask({"size": [2, 2], "counts": [1, 2]})], [], {"kind": "masks"}, "images and predictions"),
        (
            [one_mask({"size": [2, 2], "counts": [1, 2]})],
            [one_mask(np.ones((2, 2)), scores=[1])],
            {"kind": "masks"},
            r"truth\[0\], object 0 .* its runs have 3 pixels, but 2 x 2 are 4",
        ),
        (
            [one_mask({"size": [2, 2], "counts": "\n"})],
            [one_mask(np.ones((2, 2)), scores=[1])],
            {"kind": "masks"},
            "its text is not a compressed RLE",
        ),
        ([one_mask(5)], [one_mask(np.ones((2, 2)), scores=[1])], {"kind": "masks"}, "a mask cannot be read from 5"),
        ([{**BOX, "labels": [None]}], [FOUND], {}, r"truth\[0\], object 0 \(image 0\): the class is None"),
        ([BOX, {**BOX, "labels": [[1]]}], [FOUND] * 2, {}, r"truth\[1\], object 0 \(image 1\): the class is \[1\]"),
        (COCO["annotations"], [], {}, "truth is a list of single objects with image_id. Give COCO's whole JSON"),
        ([{**BOX, "labels": 3}], [FOUND], {}, r"truth\[0\]: 'labels' is 3; give a list"),
        ([BOX], [FOUND], {"ious": "x"}, "ious='x': give thresholds"),
        ([BOX], [FOUND], {"areas": "x"}, "areas='x': give a dict of ranges"),
        ([BOX], [FOUND], {"by": [1]}, "by= is a list. Give a dict"),
        ({**COCO, "categories": [{"id": 1}, {"id": "b"}]}, [], {}, r"truth\['categories'\]\[1\] has the id 'b'. All ids"),
        ({**COCO, "images": [{"id": [7]}]}, [], {}, r"truth\['images'\]\[0\] has the id \[7\]"),
        (
            changed(segmentation={"size": [9], "counts": [81]}),
            [],
            {"kind": "masks"},
            r"annotations'\]\[0\] \(image 7\): the size of the mask is \[9\]",
        ),
        (
            changed(segmentation=[[0, 0, 3, 0, 3, "x"]]),
            [],
            {"kind": "masks"},
            r"\(image 7\): a corner of a polygon is not a finite",
        ),
        (changed(keypoints="x"), [], {"kind": "keypoints"}, r"\(image 7\): keypoints .* is 'x'; give 51 numbers"),
        (changed(keypoints=[1, 1, 2]), [], {"kind": "keypoints", "sigmas": "x"}, "sigmas='x' must be one positive number"),
        ([one_mask(np.full((2, 2), 3))], [one_mask(np.ones((2, 2)), scores=[1])], {"kind": "masks"}, "holds False and True"),
    ],
)
def test_what_is_refused(truth, found, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ix.detection(truth, found, **options)


def test_a_file_that_is_not_json(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"truth: there is no file 'nowhere\.json'"):
        ix.detection("nowhere.json", [])
    (tmp_path / "x.json").write_text("{", "utf-8")
    with pytest.raises(ValueError, match="is not JSON"):
        ix.detection(tmp_path / "x.json", [])
    (tmp_path / "y.json").write_text(json.dumps([1]), "utf-8")
    with pytest.raises(ValueError, match="truth is not COCO's JSON: it is a list"):
        ix.detection(tmp_path / "y.json", [])


@for_each(
    ("call", "message"),
    [
        (lambda d: d.ap(average="exemplar"), "average='exemplar': objects and predictions become examples"),
        (lambda d: d.ap(per="site"), "There is no axis 'site' here; there are class and image"),
        (lambda d: d.ap(area="tiny"), "There is no area range 'tiny'"),
        (lambda d: d.ap(interpolation="linear"), "interpolation='linear' is unknown"),
        (lambda d: d.at(score=np.nan), "score=nan must be a number"),
        (lambda d: d.at(score=0.5, iou=[0.5, 0.7]), "give one threshold"),
        (lambda d: d.pr("b"), "of='b' is not among the classes: 'a'"),
        (lambda d: d.errors(background=0.6), "background=0.6 must lie above 0 and below"),
        (lambda d: d.ap(area=5), "area=5: give the smallest and the largest area"),
        (lambda d: d.ap(max_detections=0), "max_detections=0: give whole numbers above 0"),
        (lambda d: d.interval("ap", "macro", draws=0), "draws=0 must be a whole number"),
        (lambda d: d.compare(d, "ap", "macro", draws=0), "draws=0 must be a whole number"),
        (lambda d: d.compare(3, "ap", "macro"), "takes another result of ix.detection, not an int"),
        (lambda d: d.interval("f1", "macro"), r"f1 reads .*result.at\(score=0.5\) has counts"),
        (lambda d: d.score("f1", "macro"), r"f1 reads .*result.at\(score=0.5\) has counts"),
        (lambda d: d.interval("ap", "macro", method="delta"), "takes the best of several precisions, so it has no slopes"),
        (lambda d: d.interval("ap", "macro", method="bca"), "method='bca' is not possible here"),
        (lambda d: d.interval("ap", "macro", clusters="site"), "clusters='site' is not an axis of images"),
        (lambda d: d.best("f1", "marco"), "average='marco' is unknown here. .*Did you mean macro"),
        (lambda d: ix.detection([BOX], [FOUND], matching="optimal").best(), "is found anew for every score"),
    ],
)
def test_questions_that_are_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(ix.detection([BOX], [FOUND]))
