"""Boxes along the axes of an image, and how much two of them overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algebra.arrays import Array


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes as left edge, top edge, width and height.

    >>> one, two = Boxes(np.array([[0.0, 0, 2, 2]])), Boxes(np.array([[1.0, 0, 2, 2]]))
    >>> first = np.zeros(1, int)
    >>> one.overlaps(first, two, first, np.array([False])).round(4).tolist()
    [0.3333]
    """

    xywh: Array  # (n, 4)

    @property
    def n(self) -> int:
        """The number of boxes."""
        return len(self.xywh)

    @property
    def area(self) -> Array:
        """The area of each box."""
        return np.asarray(self.xywh[:, 2] * self.xywh[:, 3])

    def overlaps(self, mine: Array, truth: Boxes, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the IoU of pairs: a box of mine and the true one at the same place of two lists.

        A true box that is a crowd may hold many objects, so the intersection is divided by the area of my box alone.
        """
        x, y, w, h = self.xywh[mine].T
        tx, ty, tw, th = truth.xywh[theirs].T
        wide = np.minimum(w + x, tw + tx) - np.maximum(x, tx)
        high = np.minimum(h + y, th + ty) - np.maximum(y, ty)
        inside = np.where((wide > 0) & (high > 0), wide * high, 0.0)
        own = w * h
        union = np.where(crowd, own, own + tw * th - inside)
        return np.asarray(np.divide(inside, union, out=np.zeros_like(inside), where=inside > 0))

    def take(self, at: Array) -> Boxes:
        """Return the boxes at these positions."""
        return Boxes(self.xywh[at])

    def join(self, other: Boxes) -> Boxes:
        """Return these boxes, then the others."""
        return Boxes(np.concatenate([self.xywh, other.xywh]))
