"""Detection against COCO's own program and faster-coco-eval: seconds, and ratios in the same run.

``python -m benchmarks.detection`` evaluates 5,000 images with about 36,000 boxes of 80 classes, from what ``json.load`` returns
to the twelve numbers, and then the interval of AP. ``python -m benchmarks.detection masks`` does so with masks; a second
argument is the number of images.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import indicatrix as ix

KINDS = {"boxes": "bbox", "masks": "segm"}
CLASSES, PER_IMAGE, FOUND = 80, 7.2, 25


def data_set(images: int, kind: str, seed: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return annotations and results in COCO's form, where objects are found with some error."""
    rng = np.random.default_rng(seed)
    annotations: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for image in range(1, images + 1):
        local = rng.integers(1, CLASSES + 1, 4)
        n = rng.poisson(PER_IMAGE)
        size = np.exp(rng.normal(4, 1, (n, 2))).clip(4, 400)
        boxes = np.concatenate([rng.random((n, 2)) * (600 - size), size], axis=1)
        labels = rng.choice(local, n)
        for box, label in zip(boxes.tolist(), labels.tolist(), strict=True):
            row = {"id": len(annotations) + 1, "image_id": image, "category_id": label, "bbox": box, "area": box[2] * box[3]}
            annotations.append({**row, "iscrowd": int(rng.random() < 0.01), **_mask(box, kind)})
        for _ in range(FOUND):
            if n and rng.random() < 0.6:
                k = rng.integers(n)
                box, label = (boxes[k] * (1 + rng.normal(0, 0.08, 4))).clip(0.5, 599), labels[k]
            else:
                box, label = np.concatenate([rng.random(2) * 400, rng.random(2) * 150 + 4]), rng.choice(local)
            row = {"image_id": image, "category_id": int(label), "score": float(rng.random())}
            results.append({**row, **(_text(box.tolist()) if kind == "masks" else {"bbox": box.tolist()})})
    table = [{"id": i, "height": 600, "width": 600} for i in range(1, images + 1)]
    return {"images": table, "annotations": annotations, "categories": [{"id": c} for c in range(1, CLASSES + 1)]}, results


def _mask(box: list[float], kind: str) -> dict[str, Any]:
    if kind == "boxes":
        return {}
    return {"segmentation": [_corners(box)]}


def _corners(box: list[float]) -> list[float]:
    """Return an octagon in a box."""
    x, y, w, h = box
    share = [(0.3, 0), (0.7, 0), (1, 0.3), (1, 0.7), (0.7, 1), (0.3, 1), (0, 0.7), (0, 0.3)]
    return [number for a, b in share for number in (x + a * w, y + b * h)]


def _text(box: list[float]) -> dict[str, Any]:
    from pycocotools import mask

    rle = mask.frPyObjects([_corners(box)], 600, 600)[0]
    return {"segmentation": {"size": rle["size"], "counts": rle["counts"].decode()}}


def run_coco(truth: dict[str, Any], results: list[dict[str, Any]], kind: str) -> list[float]:
    """Return the numbers of COCO's own program."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    return _run(COCO, COCOeval, truth, results, kind)


def run_faster(truth: dict[str, Any], results: list[dict[str, Any]], kind: str) -> list[float]:
    """Return the numbers of faster-coco-eval."""
    from faster_coco_eval import COCO, COCOeval_faster

    return _run(COCO, COCOeval_faster, truth, results, kind)


def _run(index: Any, program: Any, truth: dict[str, Any], results: list[dict[str, Any]], kind: str) -> list[float]:
    objects = index()
    objects.dataset = truth
    objects.createIndex()
    run = program(objects, objects.loadRes(results), KINDS[kind])
    run.evaluate()
    run.accumulate()
    run.summarize()
    return [float(number) for number in run.stats[:12]]


def run_ours(truth: dict[str, Any], results: list[dict[str, Any]], kind: str) -> list[float]:
    """Return our numbers."""
    return [float(number) for number in ix.detection(truth, results, kind=kind).summary().values()]


def timed(call: Callable[..., list[float]], truth: Any, results: Any, kind: str, repeats: int) -> tuple[float, list[float]]:
    """Return the least CPU seconds of several runs, and the numbers.

    Every run has a copy, because the other programs write into what they are given.
    """
    best, numbers = float("inf"), []
    for _ in range(repeats):
        given = copy.deepcopy(truth), copy.deepcopy(results)
        with contextlib.redirect_stdout(io.StringIO()):
            start = time.process_time()
            numbers = call(*given, kind)
            best = min(best, time.process_time() - start)
    return best, numbers


def main(kind: str = "boxes", images: int = 5000) -> None:
    """Print the seconds of each program and the ratios."""
    truth, results = data_set(images, kind)
    print(f"{images} images, {len(truth['annotations'])} objects, {len(results)} predictions, {kind}")
    ours, numbers = timed(run_ours, truth, results, kind, 3)
    print(f"indicatrix        {ours:8.2f} s   AP {numbers[0]:.6f}")
    for name, call, repeats in (("faster-coco-eval", run_faster, 3), ("pycocotools", run_coco, 1)):
        try:
            seconds, theirs = timed(call, truth, results, kind, repeats)
        except ImportError:
            print(f"{name:<18}not installed")
            continue
        apart = np.nanmax(np.abs(np.array(theirs) - numbers))
        print(f"{name:<18}{seconds:8.2f} s   {seconds / ours:.1f} times ours; numbers differ by at most {apart:.1e}")
    result = ix.detection(truth, results, kind=kind)
    start = time.process_time()
    print(f"interval of AP    {result.interval('ap', 'macro')!r}, {time.process_time() - start:.2f} s with the matching")


if __name__ == "__main__":
    main(*(kind for kind in sys.argv[1:2]), *(int(n) for n in sys.argv[2:3]))
