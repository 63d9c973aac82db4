"""The reciprocal of the rank of the first relevant label, expected over all orders of equal scores."""

from __future__ import annotations

import numpy as np

from ...algebra.arrays import Array
from .label_orders import Groups

WIDTH = 64  # ranks that are handled at once where the first relevant label stands in a long tie


def reciprocal_ranks(groups: Groups, k: int | None) -> Array:
    """Return the expected reciprocal of the first relevant rank of each example.

    It is 0 if that rank is behind k, or if no label is relevant.

    >>> one = np.ones(1, np.int64)
    >>> reciprocal_ranks(Groups(1, 2, np.arange(2), one * 0, one * 0, one * 2, one), None).tolist()  # first or second
    [0.75]
    """
    values = np.zeros(groups.n)
    first = (groups.gain > 0) & (groups.through == groups.gain)
    row, above, size, hits = (x[first] for x in (groups.row, groups.above, groups.size, groups.gain))
    longest = int((size - hits).max(initial=-1)) + 1  # places in its group where it may stand
    missed = np.ones(len(row))  # the probability that no relevant label stands at an earlier place of the group
    for start in range(0, longest, WIDTH):
        place = np.arange(start, min(start + WIDTH, longest))
        met = hits[:, None] / np.maximum(size[:, None] - place, hits[:, None])  # given that none was met before
        still = missed[:, None] * np.cumprod(1 - met, axis=1)
        rank = above[:, None] + place + 1
        worth = np.where(rank <= (k or np.inf), 1 / rank, 0.0)
        values[row] += (np.concatenate((missed[:, None], still[:, :-1]), axis=1) * met * worth).sum(axis=1)
        missed = still[:, -1]
    return values
