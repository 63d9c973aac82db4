"""The unique match of panoptic segmentation: the same class, and an IoU above one half."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from .segments import Segments, shared_pixels

HALF = 0.5  # above it, no other segment can overlap as much


@dataclass(frozen=True, eq=False)
class MatchedImage:
    """What matching found in one image, segment by segment."""

    pairs: tuple[tuple[int, int], ...]  # the positions of the true and the predicted segment
    overlaps: tuple[float, ...]  # the IoU of each pair
    missed: tuple[int, ...]  # true segments
    false: tuple[int, ...]  # predicted segments


def match_segments(true: Segments, pred: Segments) -> MatchedImage:
    """Return the matches of one image by COCO's rules (Kirillov et al., 2019).

    Pixels that belong to nothing in the truth are taken off a prediction's side of the union. A crowd is never matched or
    missed. A prediction without a match is not false if more than half of it lies on such pixels or on crowds of its class.
    """
    table = shared_pixels(true, pred)
    common, void = table[:-1, :-1], table[-1, :-1]
    area_true, area_pred = table[:-1].sum(axis=1), table[:, :-1].sum(axis=0)
    same = np.array([[a == b for b in pred.labels] for a in true.labels], bool).reshape(common.shape)
    union = area_true[:, None] + area_pred - common - void
    overlap = common / np.maximum(union, 1)
    found = same & ~true.crowd[:, None] & (overlap > HALF)
    rows, columns = np.nonzero(found)
    excused = void + (common * (same & true.crowd[:, None])).sum(axis=0)
    false = ~found.any(axis=0) & ~(excused / np.maximum(area_pred, 1) > HALF)
    missed = ~found.any(axis=1) & ~true.crowd
    return MatchedImage(
        tuple(zip(rows.tolist(), columns.tolist(), strict=True)),
        tuple(overlap[rows, columns].tolist()),
        tuple(np.flatnonzero(missed).tolist()),
        tuple(np.flatnonzero(false).tolist()),
    )


def sums_per_class(true: Segments, pred: Segments) -> dict[Any, Array]:
    """Return matches, false and missed segments, and the sum of IoUs, of each class in an image."""
    matched = match_segments(true, pred)
    sums: dict[Any, Array] = {label: np.zeros(4) for label in (*true.labels, *pred.labels)}
    for (row, _), overlap in zip(matched.pairs, matched.overlaps, strict=True):
        sums[true.labels[row]][[0, 3]] += 1, overlap
    for kind, positions, labels in ((1, matched.false, pred.labels), (2, matched.missed, true.labels)):
        for position in positions:
            sums[labels[position]][kind] += 1
    return sums
