"""Regions of label maps as shapes of objects: their areas, and the pixels that two of them share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..algebra.arrays import Array


@dataclass(frozen=True, eq=False)
class Regions:
    """Regions of label maps; which ones share pixels was counted when the maps were read."""

    area: Array
    boxes: Array  # around each region: x, y, width, height; of a volume along its last two axes
    number: Array  # of each region, on its side
    pair: Array  # of a predicted and a true region that share pixels: its number * all true ones + that of the true one
    pixels: Array  # of each pair
    sides: Array  # 0 for true regions, 1 for predicted ones; then how many numbers true and predicted regions have

    @property
    def n(self) -> int:
        """The number of regions."""
        return len(self.area)

    def overlaps(self, mine: Array, truth: Regions, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the intersection over union of pairs; of a crowd, over the prediction alone."""
        del least
        wanted = self.number[mine] * self.sides[1] + truth.number[theirs]
        at = np.minimum(np.searchsorted(self.pair, wanted), max(len(self.pair) - 1, 0))
        common = np.where(self.pair[at] == wanted, self.pixels[at], 0) if len(self.pair) else np.zeros(len(wanted))
        union = np.where(crowd, self.area[mine], self.area[mine] + truth.area[theirs] - common)
        return np.asarray(common / np.maximum(union, 1))

    def take(self, at: Array) -> Regions:
        """Return the regions at these positions."""
        return replace(self, area=self.area[at], boxes=self.boxes[at], number=self.number[at])

    def join(self, other: Regions) -> Regions:
        """Return these regions, then the others, which get the numbers after these."""
        side, true, predicted = self.sides.tolist()
        total = true + other.sides[1]
        (found, theirs), (others, rest) = (divmod(x.pair, max(x.sides[1], 1)) for x in (self, other))
        return Regions(
            np.concatenate([self.area, other.area]),
            np.concatenate([self.boxes, other.boxes]),
            np.concatenate([self.number, other.number + (predicted if side else true)]),
            np.concatenate([found * total + theirs, (others + predicted) * total + rest + true]),
            np.concatenate([self.pixels, other.pixels]),
            np.array([side, total, predicted + other.sides[2]]),
        )


def number_anew(truth: Regions, predictions: Regions) -> tuple[Regions, Regions]:
    """Return the regions of both sides numbered as they stand, with the pairs that are left."""
    place = [np.full(int(side.sides[1 + k]), -1) for k, side in enumerate((truth, predictions))]
    for to, side in zip(place, (truth, predictions), strict=True):
        to[side.number] = np.arange(side.n)
    found, theirs = divmod(predictions.pair, max(int(truth.sides[1]), 1))
    both = (place[1][found] >= 0) & (place[0][theirs] >= 0)
    pair = place[1][found[both]] * truth.n + place[0][theirs[both]]
    up = np.argsort(pair)
    shared = pair[up], predictions.pixels[both][up]
    ours, others = (
        Regions(side.area, side.boxes, np.arange(side.n), *shared, np.array([k, truth.n, predictions.n]))
        for k, side in enumerate((truth, predictions))
    )
    return ours, others
