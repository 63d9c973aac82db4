"""Our numbers are those that others have printed: COCO's own example, a worked example of PASCAL VOC, torchmetrics' examples."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import indicatrix as ix
from fuzz.detections import coco_numbers

COCO_EXAMPLE = json.loads((Path(__file__).parent / "coco_val2014_100_boxes.json").read_text(encoding="utf-8"))


def coco_example():
    """Return the annotations and results of 100 images in COCO's form."""
    truth = {
        "images": [{"id": i} for i in COCO_EXAMPLE["images"]],
        "categories": [{"id": i} for i in COCO_EXAMPLE["categories"]],
        "annotations": [
            {"image_id": row[0], "category_id": row[1], "bbox": row[2:6], "area": row[6], "iscrowd": row[7]}
            for row in COCO_EXAMPLE["annotations"]
        ],
    }
    names = ("image_id", "category_id", "bbox", "score")
    return truth, [dict(zip(names, (*row[:2], row[2:6], row[6]), strict=True)) for row in COCO_EXAMPLE["results"]]


def test_the_example_of_coco_has_the_numbers_that_coco_printed():
    found = [float(x) for x in ix.detection(*coco_example()).summary().values()]
    assert [round(x, 3) for x in found] == COCO_EXAMPLE["numbers"]


def test_an_example_of_keypoints_has_the_published_numbers():
    """A crowd of persons, of whom some have no visible point; pycocotools has the same numbers."""
    example = json.loads((Path(__file__).parent / "coco_val2017_keypoints.json").read_text(encoding="utf-8"))
    one = {"image_id": 1, "category_id": 1}
    annotations = [{**row, **one, "id": k + 1} for k, row in enumerate(example["annotations"])]
    truth = {"images": [{"id": 1}], "categories": [{"id": 1}], "annotations": annotations}
    results = [{**row, **one} for row in example["results"]]
    found = [float(x) for x in ix.detection(truth, results, kind="keypoints").summary().values()]
    assert found == pytest.approx(example["numbers"], abs=1e-12)
    assert coco_numbers(truth, results, "keypoints") == example["numbers"]


# Seven images with 15 objects of one class and 24 predictions: https://github.com/rafaelpadilla/Object-Detection-Metrics,
# "An illustrated example". Boxes are left, top, width, height; of each prediction the score, and whether it is right.
WORKED = [
    ([(25, 16, 38, 56), (129, 123, 41, 62)], [(0.88, 5, 67, 31, 48), (0.70, 119, 111, 40, 67), (0.80, 124, 9, 49, 67)]),
    ([(123, 11, 43, 55), (38, 132, 59, 45)], [(0.71, 64, 111, 64, 58), (0.54, 26, 140, 60, 47), (0.74, 19, 18, 43, 35)]),
    (
        [(16, 14, 35, 48), (123, 30, 49, 44), (99, 139, 47, 47)],
        [
            (0.18, 109, 15, 77, 39),
            (0.67, 86, 63, 46, 45),
            (0.38, 160, 62, 36, 53),
            (0.91, 105, 131, 47, 47),
            (0.44, 18, 148, 40, 44),
        ],
    ),
    (
        [(53, 42, 40, 52), (154, 43, 31, 34)],
        [(0.35, 83, 28, 28, 26), (0.78, 28, 68, 42, 67), (0.45, 87, 89, 25, 39), (0.14, 10, 155, 60, 26)],
    ),
    (
        [(59, 31, 44, 51), (48, 128, 34, 52)],
        [(0.62, 50, 38, 28, 46), (0.44, 95, 11, 53, 28), (0.95, 29, 131, 72, 29), (0.23, 29, 163, 72, 29)],
    ),
    ([(36, 89, 52, 76), (62, 58, 44, 67)], [(0.45, 43, 48, 74, 38), (0.84, 17, 155, 29, 35), (0.43, 95, 110, 25, 42)]),
    ([(28, 31, 55, 63), (58, 67, 50, 58)], [(0.48, 16, 20, 101, 88), (0.95, 33, 116, 37, 49)]),
]
RIGHT = "BEGJPRX"  # the predictions are called A to Y without W


@pytest.mark.parametrize("rule", ["voc", "coco"])
def test_a_worked_example_of_voc_has_its_printed_values(rule):
    """VOC counts the last pixel of a box, so each side is one longer than the difference of its ends."""
    truth = [{"boxes": [(*xy, w + 1, h + 1) for *xy, w, h in boxes], "labels": [0] * len(boxes)} for boxes, _ in WORKED]
    found = [
        {
            "boxes": [(*xy, w + 1, h + 1) for _, *xy, w, h in rows],
            "labels": [0] * len(rows),
            "scores": [score for score, *_ in rows],
        }
        for _, rows in WORKED
    ]
    result = ix.detection(truth, found, box="xywh", matching=rule)
    assert round(100 * result.ap(0.3, interpolation="11-point"), 2) == 26.84
    assert result.ap(0.3, interpolation="envelope") == pytest.approx(0.24560955, abs=1e-4)  # theirs is a sum of rounded terms
    curve = result.pr(iou=0.3)
    assert (round(curve.x[-1], 4), round(curve.y[-1], 4)) == (0.4667, 0.2917)
    partner = result.matches(replace(result.made, ious=(0.3,))).partner_of(np.arange(24), 0, 0)
    assert "".join(np.array([*"ABCDEFGHIJKLMNOPQRSTUVXY"])[partner >= 0]) == RIGHT


TORCHMETRICS_MASKS = [
    [[0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
    [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]],
]


def test_the_examples_in_the_docstring_of_torchmetrics():
    """MeanAveragePrecision, whose -1 is our nan."""
    truth = [{"boxes": [[214.0, 41.0, 562.0, 285.0]], "labels": [0]}]
    found = [{"boxes": [[258.0, 41.0, 606.0, 285.0]], "labels": [0], "scores": [0.536]}]
    none = np.nan
    boxes = [float(x) for x in ix.detection(truth, found).summary().values()]
    assert boxes == pytest.approx([0.6, 1, 1, none, none, 0.6, 0.6, 0.6, 0.6, none, none, 0.6], nan_ok=True)
    one, two = ({"masks": [np.array(mask)], "labels": [0]} for mask in TORCHMETRICS_MASKS)
    masks = [float(x) for x in ix.detection([two], [{**one, "scores": [0.536]}], kind="masks").summary().values()]
    # The overlap is 0.6. The docstring has 0.2: its threshold 0.6 is rounded up to single precision. COCO's program has 0.3.
    assert masks == pytest.approx([0.3, 1, 0, 0.3, none, none, 0.3, 0.3, 0.3, 0.3, none, none], nan_ok=True)


def test_the_example_of_coco_in_faster_coco_eval():
    faster = pytest.importorskip("faster_coco_eval")
    truth, results = coco_example()
    objects = faster.COCO({**truth, "annotations": [{**row, "id": k + 1} for k, row in enumerate(truth["annotations"])]})
    run = faster.COCOeval_faster(objects, objects.loadRes(results), "bbox", print_function=lambda *_: None)
    run.run()
    assert [float(x) for x in ix.detection(truth, results).summary().values()] == pytest.approx(run.stats[:12], abs=1e-9)
