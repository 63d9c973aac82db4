"""What one more example with a large weight could do to a score, which the sample may hardly show.

Weights that belong to classes make some errors count ten times. If none of these was seen, or one or two, the many light ones
decide the variance, and the interval is too short on the side to which a heavy error would lead. Fay & Feuer (1997, Statistics
in Medicine 16:791-801) add one event of the largest weight to a weighted sum of counts for its upper limit, which is cautious.
Here a part of such an example is added for each end: of the kind that leads the score furthest there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...algebra.arrays import Array
from ..sampling.samples import Pairs
from ..stats.proportions import Ends
from .score_interval import NOTHING, Center

PART = 0.4  # of the example that is added; like UNSEEN, chosen by simulation
UNSEEN = 2  # errors of a true class that may be there, in addition to those that were seen


@dataclass(frozen=True)
class OneMore:
    """A part of one more example, and by how much a whole one would move the score."""

    part: float = 0.0
    move: float = 0.0


@dataclass(frozen=True)
class CenterWithHeaviest(Center):
    """A center whose ends allow for one more heavy example."""

    own: Center = NOTHING
    lowers: OneMore = OneMore()
    raises: OneMore = OneMore()

    def ends(self, span: Ends, level: float) -> Ends:
        """Return the lower and the upper end, each with a part of the example that leads furthest there."""
        return self._with(self.lowers, span).ends(span, level)[0], self._with(self.raises, span).ends(span, level)[1]

    def _with(self, more: OneMore, span: Ends) -> Center:
        moved = self.own.smoothed + more.part * more.move
        smoothed = moved if span[0] < moved < span[1] else self.own.smoothed  # at an end of the range nothing would vary
        return replace(self.own, smoothed=smoothed, spread=self.own.spread + more.part * more.move**2)


def with_heaviest(center: Center, sample: Pairs, smooth: Array, slopes: Array, value: Callable[[Array], float]) -> Center:
    """Return the center of a score of weighted examples with what one more of them could do.

    ``slopes`` are those in each cell of the table with the pseudo-example, ``smooth``; ``value`` returns the score of a table.
    Where the number of examples of each class was chosen, the one more takes the place of others of its class. Of examples that
    all weigh the same, as those do that are left where other weights are 0, none is heavy.
    """
    if sample.squares is None or np.allclose(
        sample.squares, sample.table * sample.squares.sum() / sample.table.sum(), rtol=1e-12
    ):
        return center
    total = smooth.sum(axis=1 if sample.by_class else None, keepdims=True)
    mean = (smooth * slopes).sum(axis=1 if sample.by_class else None, keepdims=True) / np.where(total > 0, total, 1.0)
    weights, expected = sample.typical_weights, _expected(sample, smooth)
    along = np.where(smooth > 0, (slopes - mean) * weights, 0.0)
    found = []
    for sign in (-1, 1):
        order = np.argsort(-sign * along, axis=1)
        as_far = np.zeros_like(along)  # examples of the true class that lead as far, or further
        np.put_along_axis(as_far, order, np.take_along_axis(expected, order, axis=1).cumsum(axis=1), axis=1)
        parts = PART * np.minimum(as_far, 1.0)
        place = np.unravel_index(np.argmax(parts * np.maximum(sign * along, 0.0) ** 2), along.shape)
        more = smooth.copy()
        more[place] += weights[place]
        if sample.by_class:
            more[place[0]] *= float(total[place[0], 0]) / more[place[0]].sum()
        linear, reached = sign * float(along[place]), sign * (value(more) - value(smooth))
        found.append(OneMore(float(parts[place]), sign * max(min(linear, reached), 0.0)))  # it may change less than slopes tell
    return CenterWithHeaviest(center.value, center.smoothed, center.spread, center.freedom, center, *found)


def _expected(sample: Pairs, smooth: Array) -> Array:
    """Return how many examples of each pair of classes there may be.

    Errors go to classes that are often predicted.
    """
    known = np.arange(len(smooth) - 1)
    wrong, weights, others = sample.table.copy(), sample.typical_weights, np.tile(smooth.sum(axis=0), (len(smooth), 1))
    wrong[known, known] = others[known, known] = 0.0
    errors = (wrong / weights).sum(axis=1, keepdims=True) + UNSEEN
    total = others.sum(axis=1, keepdims=True)
    expected = errors * others / np.where(total > 0, total, 1.0)
    expected[known, known] = 1.0  # right ones are not rare
    return np.where(smooth > 0, expected, 0.0)
