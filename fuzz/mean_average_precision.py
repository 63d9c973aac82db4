"""Random boxes and masks, compared with MeanAveragePrecision of torchmetrics number by number.

``python -m fuzz.mean_average_precision 60`` compares 60 data sets of ``fuzz.detections``, boxes and masks in turn. It needs
torchvision of the version that goes with torch. The thresholds are given, because its own ones are single precision numbers.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

import indicatrix as ix

from .detections import Json, random_data_set

KINDS = {"boxes": "bbox", "masks": "segm"}
NAMES = {
    "AP": "map",
    "AP50": "map_50",
    "AP75": "map_75",
    "APs": "map_small",
    "APm": "map_medium",
    "APl": "map_large",
    "AR1": "mar_1",
    "AR10": "mar_10",
    "AR100": "mar_100",
    "ARs": "mar_small",
    "ARm": "mar_medium",
    "ARl": "mar_large",
}
CLOSE = 1e-6  # its numbers are single precision


def torchmetrics_numbers(truth: Json, results: list[Json], kind: str) -> dict[str, float]:
    """Return the numbers of torchmetrics by our names, nan where it has -1."""
    from torchmetrics.detection.mean_ap import MeanAveragePrecision

    metric = MeanAveragePrecision(
        box_format="xywh",
        iou_type=KINDS[kind],
        iou_thresholds=np.linspace(0.5, 0.95, 10).tolist(),
        rec_thresholds=np.linspace(0, 1, 101).tolist(),
    )
    for image in sorted(truth["images"], key=lambda row: int(row["id"])):
        found = _tensors([row for row in results if row["image_id"] == image["id"]], image, kind)
        objects = _tensors([row for row in truth["annotations"] if row["image_id"] == image["id"]], image, kind)
        metric.update([found], [objects])
    computed = metric.compute()
    return {name: math.nan if computed[other] == -1 else float(computed[other]) for name, other in NAMES.items()}


def _tensors(rows: list[Json], image: Json, kind: str) -> dict[str, Any]:
    """Return the objects of one image as torchmetrics takes them."""
    import torch

    out = {"labels": torch.tensor([row["category_id"] for row in rows], dtype=torch.int64)}
    if kind == "boxes":
        out["boxes"] = torch.tensor([row["bbox"] for row in rows], dtype=torch.float64).reshape(-1, 4)
    else:
        pictures = [_picture(row["segmentation"], image) for row in rows]
        size = image["height"], image["width"]
        out["masks"] = torch.tensor(np.array(pictures, bool).reshape(-1, *size))
    if rows and "score" in rows[0]:
        out["scores"] = torch.tensor([row["score"] for row in rows], dtype=torch.float64)
    elif not rows:
        out["scores"] = torch.zeros(0, dtype=torch.float64)
    if rows and "iscrowd" in rows[0]:
        out["iscrowd"] = torch.tensor([row["iscrowd"] for row in rows])
        out["area"] = torch.tensor([row["area"] for row in rows], dtype=torch.float64)
    return out


def _picture(given: Any, image: Json) -> Any:
    from pycocotools import mask

    size = image["height"], image["width"]
    if isinstance(given, list):
        return mask.decode(mask.merge(mask.frPyObjects(given, *size)))
    return mask.decode(given if isinstance(given["counts"], str) else mask.frPyObjects(given, *size))


def differences(seed: int, kind: str) -> list[str]:
    """Return the numbers in which the two differ, in words."""
    truth, results = random_data_set(seed, kind)
    if kind == "masks":  # it leaves out images without true masks, whatever is predicted there
        full = {row["image_id"] for row in truth["annotations"]}
        truth = {**truth, "images": [row for row in truth["images"] if row["id"] in full]}
        results = [row for row in results if row["image_id"] in full]
    if not results:
        return []  # it takes no empty data set
    ours = ix.detection(truth, results, kind=kind).summary()
    theirs = torchmetrics_numbers(truth, results, kind)
    return [
        f"seed {seed}, {kind}: {name} is {float(ours[name])!r}, torchmetrics has {other!r}"
        for name, other in theirs.items()
        if not (math.isnan(ours[name]) and math.isnan(other)) and not abs(ours[name] - other) <= CLOSE
    ]


def main(many: int) -> int:
    """Compare data sets, print what differs, and return the exit status."""
    kinds = list(KINDS)
    found = [line for seed in range(many) for line in differences(seed, kinds[seed % 2])]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{many} data sets, {len(found)} numbers differ from torchmetrics by more than {CLOSE:g}.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
