"""Panoptic evaluations as JSON: the counts of each image and class, and the overlaps of matches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...storage.json_values import array_out, counts_in, fields, flag_in, list_in
from ..images.image_axes import axes_in, axes_out, truths_in
from .panoptic_evaluation import PanopticEvaluation


def to_data(result: PanopticEvaluation) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    counts, overlaps = array_out(result.sums[:3].astype(np.int64)), array_out(result.sums[3].astype(np.float64))
    facts = {"things": list(result.things), "counts": counts, "overlaps": overlaps, "truths": list(result.truths)}
    return {**axes_out(result), **facts}


def from_data(version: int, data: dict[str, Any]) -> PanopticEvaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    classes, images, by = axes_in(data)
    given, counts, overlaps = fields(data, ("things", "counts", "overlaps"), "the file")
    shape = len(images), len(classes)
    things = tuple(flag_in(one, "whether a class is a thing") for one in list_in(given, "the things"))
    if len(things) != len(classes):
        raise ValueError(f"it says of {len(things)} classes whether they are things, and there are {len(classes)}")
    whole = counts_in(counts, "the counts", (3, *shape), signed=False)
    shared = counts_in(overlaps, "the overlaps", shape, signed=False)
    if whole.dtype.kind != "i" or (shared > whole[0]).any():
        raise ValueError("a sum of overlaps is above the number of matches")
    sums = np.concatenate([whole, shared[None]]).astype(np.float64)
    return PanopticEvaluation(classes, things, images, by, sums, truths_in(version, data, len(images)))
