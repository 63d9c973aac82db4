"""Panoptic evaluations as JSON: the counts of each image and class, and the overlaps of matches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..tally.json_values import array_out, counts_in, fields, flag_in, list_in
from .saved_axes import Axes, axes_in, axes_out, truths_in

FORMAT, VERSION = "indicatrix panoptic", 2
READABLE = (1, VERSION)


def panoptic_out(axes: Axes, things: tuple[bool, ...], sums: Array, truths: tuple[str, ...]) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    counts, overlaps = array_out(sums[:3].astype(np.int64)), array_out(sums[3].astype(np.float64))
    return {**axes_out(*axes), "things": list(things), "counts": counts, "overlaps": overlaps, "truths": list(truths)}


def panoptic_in(version: int, data: dict[str, Any]) -> tuple[Axes, tuple[bool, ...], Array, tuple[str, ...]]:
    """Return what plain data of a version of the format describe; anything else is a ValueError."""
    axes = axes_in(data)
    given, counts, overlaps = fields(data, ("things", "counts", "overlaps"), "the file")
    shape = len(axes[1]), len(axes[0])
    things = tuple(flag_in(one, "whether a class is a thing") for one in list_in(given, "the things"))
    if len(things) != len(axes[0]):
        raise ValueError(f"it says of {len(things)} classes whether they are things, and there are {len(axes[0])}")
    whole = counts_in(counts, "the counts", (3, *shape), signed=False)
    shared = counts_in(overlaps, "the overlaps", shape, signed=False)
    if whole.dtype.kind != "i" or (shared > whole[0]).any():
        raise ValueError("a sum of overlaps is above the number of matches")
    return axes, things, np.concatenate([whole, shared[None]]).astype(np.float64), truths_in(version, data, len(axes[1]))
