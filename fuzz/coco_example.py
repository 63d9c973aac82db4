"""COCO's published example: made-up results for 100 images, and the numbers that were printed.

``python -m fuzz.coco_example ANNOTATIONS.json RESULTS.json val2014_fake_eval_res.txt`` compares our numbers with the printed
ones. The annotations are COCO's of 2014, for boxes and masks instances_val2014.json, for keypoints
person_keypoints_val2014.json; the other two files are in the folder "results" of COCO's program.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import indicatrix as ix

FIRST = 100  # images that were evaluated, in the order of their ids
TYPES = {"bbox": "boxes", "segm": "masks", "keypoints": "keypoints"}


def printed_numbers(text: str) -> dict[str, list[float]]:
    r"""Return the numbers that were printed for each type.

    >>> printed_numbers("type=bbox\n AP @[ IoU=0.50 ] = 0.697\n AR @[ IoU=0.50 ] = 0.4\n")
    {'bbox': [0.697, 0.4]}
    """
    parts = re.split(r"type=(\w+)", text)[1:]
    return {
        name: [float(x) for x in re.findall(r"= (-?\d\.\d+)\n", f"{rest}\n")]
        for name, rest in zip(*[iter(parts)] * 2, strict=True)
    }


def main(annotations: str, results: str, printed: str) -> int:
    """Print both, and return how many numbers differ after three digits."""
    (kind,) = (name for name in TYPES if re.search(f"fake{name}|fake{TYPES[name]}", Path(results).name))
    truth = json.loads(Path(annotations).read_text(encoding="utf-8"))
    ids = {*sorted(row["id"] for row in truth["images"])[:FIRST]}
    truth["images"] = [row for row in truth["images"] if row["id"] in ids]
    truth["annotations"] = [row for row in truth["annotations"] if row["image_id"] in ids]
    found = [row for row in json.loads(Path(results).read_text(encoding="utf-8")) if row["image_id"] in ids]
    ours = ix.detection(truth, found, kind=TYPES[kind]).summary()
    theirs = printed_numbers(Path(printed).read_text(encoding="utf-8"))[kind]
    rows = [(name, round(float(value), 3), other) for (name, value), other in zip(ours.items(), theirs, strict=True)]
    for name, one, other in rows:
        print(f"{name:<6}{one:.3f} {other:.3f}{'' if one == other else '  differs'}")
    return sum(one != other for _, one, other in rows)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
