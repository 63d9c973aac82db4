"""What cannot be read is refused with its place and what to do, and never with a bare error of Python."""

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

ROW = {"id": 1, "image_id": 7, "category_id": 1, "bbox": [0, 0, 2, 2], "area": 4, "iscrowd": 0}
IMAGE = {"id": 7, "height": 4, "width": 4}
RLE = {"size": [4, 4], "counts": [8, 8]}
FOUND = {"image_id": 7, "category_id": 1, "bbox": [0, 0, 2, 2], "segmentation": RLE, "keypoints": [1] * 51, "score": 0.5}


def coco(image=IMAGE, name="a", **row):
    return {"images": [image], "categories": [{"id": 1, "name": name}], "annotations": [{**ROW, "segmentation": RLE, **row}]}


@for_each(
    ("truth", "found", "kind", "message"),
    [
        (coco(), FOUND, "keypoints", r"truth\['annotations'\]\[0\] has no 'keypoints'"),
        (coco(), {**FOUND, "segmentation": {"size": [4, 4], "counts": None}}, "masks", r"predictions\[0\].*counts .* None"),
        (coco(), {**FOUND, "segmentation": {"size": [2, 4], "counts": [8]}}, "masks", r"2 x 4 pixels, but its image has 4 x 4"),
        (coco({**IMAGE, "height": None}), FOUND, "boxes", r"truth\['images'\]\[0\] has the height None"),
        (coco({**IMAGE, "height": -10}), FOUND, "boxes", r"the height -10"),
        (coco(name=["a"]), FOUND, "boxes", r"category 1 has the name \['a'\]"),
        (coco(image_id=[7]), FOUND, "boxes", r"truth\['annotations'\]\[0\] has the image_id \[7\]"),
        (coco(), {**FOUND, "image_id": [7]}, "masks", r"predictions\[0\] has the image_id \[7\]"),
        (coco(), None, "boxes", r"predictions\[0\] is None"),
        (coco(keypoints=None), FOUND, "keypoints", r"truth\['annotations'\]\[0\] \(image 7\): keypoints is None"),
        (coco(keypoints=[1] * 51, num_keypoints="x"), FOUND, "keypoints", r"\(image 7\): num_keypoints is 'x'"),
        (
            {**coco(), "annotations": [ROW, {name: ROW[name] for name in ROW if name != "area"}]},
            FOUND,
            "boxes",
            r"truth\['annotations'\]\[1\] has no 'area'.*Others have it",
        ),
    ],
)
def test_coco_json_that_cannot_be_read(truth, found, kind, message):
    with pytest.raises(ValueError, match=message):
        ix.detection(truth, [found], kind=kind)


def test_a_folder_is_not_a_json_file(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        ix.detection(tmp_path, [])


def test_masks_of_lists_have_the_size_of_their_image():
    mask = {"masks": [np.ones((3, 3), bool)], "labels": [1], "size": (4, 4)}
    with pytest.raises(ValueError, match=r"3 x 3 pixels, but its image has 4 x 4"):
        ix.detection([mask], [{**mask, "scores": [1.0]}], kind="masks")


@pytest.mark.parametrize("evaluate", [ix.vision.instances, ix.panoptic])
def test_one_map_is_not_a_list_of_maps(evaluate):
    one = np.array([[1001, 1002]])
    with pytest.raises(ValueError, match=r"For one image give a list of it, \[truth\]"):
        evaluate(one, one, divisor=1000)
    with pytest.raises(TypeError, match=r"things=1 must be a list of classes"):
        evaluate([one], [one], divisor=1000, things=1)


def test_a_spacing_is_a_number():
    with pytest.raises(ValueError, match=r"spacing='x' does not fit image 0"):
        ix.vision.surface_distances([[[0, 1]]], [[[0, 1]]], spacing="x")


def test_tensors_of_half_precision_are_read():
    torch = pytest.importorskip("torch")
    box = {"boxes": torch.tensor([[0, 0, 8, 8]], dtype=torch.bfloat16), "labels": torch.tensor([1])}
    assert ix.detection([box], [{**box, "scores": torch.tensor([0.5], dtype=torch.bfloat16)}]).ap() == 1
    scores = torch.tensor([[[0.75, 0.25], [0.25, 0.75]]], dtype=torch.bfloat16)
    assert ix.segmentation([[[0, 1]]], scores[None], class_axis=-1, decide="argmax").score("jaccard", "macro") == 1
    with pytest.raises(TypeError, match="whole numbers"):
        ix.vision.instances([scores[0]], [scores[0]])
