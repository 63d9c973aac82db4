"""Random data sets of objects in images, compared with COCO's own program number by number.

``python -m fuzz.detections 500`` compares 500 of them, a third each of boxes, masks and keypoints.
"""

from __future__ import annotations

import contextlib
import io
import math
import sys
from typing import Any

import numpy as np

import indicatrix as ix

KINDS = {"boxes": "bbox", "masks": "segm", "keypoints": "keypoints"}
Json = dict[str, Any]


def random_data_set(seed: int, kind: str) -> tuple[Json, list[Json]]:
    """Return annotations and results in COCO's form.

    Among them are crowds, ties of scores, images without objects or predictions, classes that never occur, no predictions at
    all, and more than 100 predictions of one class in one image.
    """
    rng = np.random.default_rng(seed)
    ids = rng.choice(50, rng.integers(1, 7), replace=False) + 1
    images = [{"id": int(i), "height": int(rng.integers(60, 240)), "width": int(rng.integers(60, 240))} for i in ids]
    categories = [{"id": int(c), "name": f"class {c}"} for c in rng.choice(9, rng.integers(1, 4), replace=False)]
    annotations: list[Json] = []
    results: list[Json] = []
    coarse = rng.random() < 0.5  # many equal scores
    silent, crowded = rng.random() < 0.05, rng.random() < 0.1
    for image in images:
        objects = [_object(rng, image, categories, kind) for _ in range(rng.integers(0, 7))]
        annotations += [{**row, "id": len(annotations) + k + 1} for k, row in enumerate(objects)]
        if silent or rng.random() < 0.1:
            continue
        many = 130 if crowded else int(rng.integers(0, 12))
        for _ in range(many):
            near = objects[rng.integers(len(objects))] if objects and rng.random() < 0.7 else None
            found = _moved(rng, image, near, kind) if near else _object(rng, image, categories, kind)
            score = float(rng.integers(0, 5)) / 4 if coarse else float(rng.random())
            label = categories[0]["id"] if crowded else found["category_id"]
            if rng.random() < 0.15:
                label = categories[rng.integers(len(categories))]["id"]
            results.append({"image_id": image["id"], "category_id": label, "score": score, **_result_shape(found, image, kind)})
    order = rng.permutation(len(results))
    return {"images": images, "annotations": annotations, "categories": categories}, [results[i] for i in order]


def federated_data_set(seed: int) -> tuple[Json, list[Json]]:
    """Return boxes in LVIS's form, which says what was looked for in each image."""
    rng = np.random.default_rng(seed)
    truth, results = random_data_set(seed, "boxes")
    ids = [row["id"] for row in truth["categories"]]
    for row in truth["images"]:
        row["neg_category_ids"] = [c for c in ids if rng.random() < 0.5]
        row["not_exhaustive_category_ids"] = [c for c in ids if rng.random() < 0.3]
    for row in truth["categories"]:
        row["frequency"] = str(rng.choice([*"rcf"]))
    for row in truth["annotations"]:
        row["ignore"] = int(rng.random() < 0.2)
        row["segmentation"] = []
    return truth, results


def _object(rng: np.random.Generator, image: Json, categories: list[Json], kind: str) -> Json:
    """Return an annotation somewhere in an image."""
    wide, high = image["width"], image["height"]
    w, h = (float(rng.uniform(2, side * rng.choice([0.15, 0.5, 0.9]))) for side in (wide, high))
    box = [float(rng.uniform(0, wide - w)), float(rng.uniform(0, high - h)), w, h]
    if rng.random() < 0.3:
        box = [float(round(x)) for x in box]
    crowd = int(rng.random() < 0.15)
    row = {"image_id": image["id"], "category_id": categories[rng.integers(len(categories))]["id"], "bbox": box, "iscrowd": crowd}
    return {**row, **_shape(rng, box, image, kind, crowd)}


def _shape(rng: np.random.Generator, box: list[float], image: Json, kind: str, crowd: int) -> Json:
    """Return what an object in a box looks like, and its area."""
    area = box[2] * box[3] * float(rng.choice([1.0, rng.uniform(0.5, 1)]))
    if kind == "boxes":
        return {"area": area}
    if kind == "keypoints":
        seen = rng.integers(0, 3, 17) * (rng.random() > 0.15)
        xy = np.array(box[:2]) + rng.random((17, 2)) * box[2:]
        points = np.column_stack([xy, seen]).round(2)
        return {"area": area, "keypoints": points.ravel().tolist(), "num_keypoints": int((seen > 0).sum())}
    if crowd:
        return {"area": area, "segmentation": {"size": [image["height"], image["width"]], "counts": _lengths(rng, box, image)}}
    return {"area": area, "segmentation": [_polygon(rng, box) for _ in range(rng.integers(1, 3))]}


def _polygon(rng: np.random.Generator, box: list[float]) -> list[float]:
    """Return a polygon of random corners in and around a box; it may cross itself and leave the image."""
    corners = np.array(box[:2]) + rng.uniform(-0.1, 1.1, (rng.integers(3, 9), 2)) * box[2:]
    return [float(x) for x in (corners.round() if rng.random() < 0.3 else corners.round(2)).ravel()]


def _lengths(rng: np.random.Generator, box: list[float], image: Json) -> list[int]:
    """Return the run lengths of a box with holes."""
    picture = np.zeros((image["height"], image["width"]), bool)
    x, y, w, h = map(int, box)
    picture[y : y + h + 1, x : x + w + 1] = rng.random(picture[y : y + h + 1, x : x + w + 1].shape) < 0.8
    flat = np.concatenate([[False], picture.ravel(order="F")])
    change = np.flatnonzero(flat[1:] != flat[:-1])
    return [int(n) for n in np.diff(np.concatenate([[0], change, [flat.size - 1]]))]


def _moved(rng: np.random.Generator, image: Json, near: Json, kind: str) -> Json:
    """Return an annotation like a given one, moved a little, or not at all."""
    far = float(rng.choice([0.0, 0.03, 0.1, 0.3]))
    if kind == "keypoints":
        points = np.array(near["keypoints"]).reshape(-1, 3)
        points[:, :2] += rng.normal(0, 1 + far * 20, points[:, :2].shape) * (far > 0)
        return {**near, "keypoints": points.ravel().tolist()}
    x, y, w, h = near["bbox"]
    dx, dy, dw, dh = rng.normal(0, 1, 4) * far if far else np.zeros(4)
    moved = {**near, "bbox": [x + dx * w, y + dy * h, w * math.exp(dw), h * math.exp(dh)]}
    if kind == "masks" and isinstance(near["segmentation"], list):
        shift = np.tile([dx * w, dy * h], 99)
        moved["segmentation"] = [(np.array(part) + shift[: len(part)]).tolist() for part in near["segmentation"]]
    return moved


def _result_shape(found: Json, image: Json, kind: str) -> Json:
    """Return the shape of a prediction; masks are compressed texts, as the format asks."""
    if kind == "boxes":
        return {"bbox": found["bbox"]}
    if kind == "keypoints":
        return {"keypoints": found["keypoints"]}
    from pycocotools import mask

    given, size = found["segmentation"], (image["height"], image["width"])
    rle = mask.merge(mask.frPyObjects(given, *size)) if isinstance(given, list) else mask.frPyObjects(given, *size)
    return {"segmentation": {"size": [*size], "counts": rle["counts"].decode()}}


def coco_numbers(truth: Json, results: list[Json], kind: str) -> list[float]:
    """Return the numbers of COCO's own program, nan where it has -1."""
    import copy

    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        objects, found = COCO(), COCO()
        objects.dataset = copy.deepcopy(truth)
        objects.createIndex()
        if results:
            found = objects.loadRes(copy.deepcopy(results))
        else:
            found.dataset = {**copy.deepcopy(truth), "annotations": []}
            found.createIndex()
        run = COCOeval(objects, found, KINDS[kind])
        run.evaluate()
        run.accumulate()
        run.summarize()
    return [math.nan if number == -1 else float(number) for number in run.stats]


def differences(seed: int, kind: str) -> list[str]:
    """Return the numbers in which the two differ by more than 1e-9, in words."""
    truth, results = random_data_set(seed, kind)
    ours = ix.detection(truth, results, kind=kind).summary()
    theirs = coco_numbers(truth, results, kind)
    pairs = zip(ours.items(), theirs, strict=True)
    return [
        f"seed {seed}, {kind}: {name} is {float(a)!r}, COCO's program has {b!r}"
        for (name, a), b in pairs
        if not (math.isnan(a) and math.isnan(b)) and not abs(a - b) <= 1e-9
    ]


def main(many: int) -> int:
    """Compare data sets, print what differs, and return the exit status."""
    kinds = list(KINDS)
    found = [line for seed in range(many) for line in differences(seed, kinds[seed % 3])]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{many} data sets, {len(found)} numbers differ from COCO's program by more than 1e-9.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
