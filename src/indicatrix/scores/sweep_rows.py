"""SweepRows: labels and scores of each example, as a sweep keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.weights import Groups
from ..ranking.ranked import Ranked, rank_scores


@dataclass(frozen=True, eq=False)
class SweepRows:
    """What a sweep knows of each example: labels, scores, what was observed, weight and groups."""

    labels: Array  # n x m bools, or n codes of one class each (-1: none)
    scores: Array  # n x m floats, a column for each unit
    mask: Array | None = None  # n x 1 or n x m, True where observed; None: everywhere
    weights: Array | None = None  # one per example; None: one each
    groups: Mapping[str, Groups] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of examples."""
        return len(self.scores)

    def truth(self, at: slice | Array = slice(None)) -> Array:
        """Return the labels of some examples as bools, in the shape of their scores."""
        some = self.labels[at]
        return some if some.ndim == 2 else some[:, None] == np.arange(self.scores.shape[1])

    def sides(self) -> tuple[Array, Array]:
        """Return which observed entries are positive, and which are negative."""
        truth, seen = self.truth(), True if self.mask is None else self.mask
        return truth & seen, ~truth & seen

    def column(self, j: int) -> tuple[Array, Array, Array | None]:
        """Return scores, labels and weights of the observed examples in one column."""
        labels = self.labels[:, j] if self.labels.ndim == 2 else self.labels == j
        scores, weights = self.scores[:, j], self.weights
        if self.mask is None:
            return scores, labels, weights
        seen = self.mask[:, j if self.mask.shape[1] > 1 else 0]
        return scores[seen], labels[seen], None if weights is None else weights[seen]

    def only(self, j: int) -> SweepRows:
        """Return the labels and scores of one column."""
        labels = self.labels[:, [j]] if self.labels.ndim == 2 else self.labels[:, None] == j
        mask = self.mask if self.mask is None or self.mask.shape[1] == 1 else self.mask[:, [j]]
        return replace(self, labels=labels, scores=self.scores[:, [j]], mask=mask)

    def cells(self) -> tuple[Array, Array, Array | None]:
        """Return scores, labels and weights of all observed entries, in one dimension."""
        shape, truth = self.scores.shape, self.truth()
        weights = None if self.weights is None else np.broadcast_to(self.weights[:, None], shape)
        if self.mask is None:
            return self.scores.ravel(), truth.ravel(), None if weights is None else weights.ravel()
        seen = np.broadcast_to(self.mask, shape)
        return self.scores[seen], truth[seen], None if weights is None else weights[seen]

    @property
    def there(self) -> tuple[Any, Any]:
        """Labels and scores where they are, a row for each example: in main memory, or on a device."""
        return self.labels, self.scores

    def rank(self, j: int) -> Ranked:
        """Return the ranked scores of one column."""
        return rank_scores(*self.column(j))

    def steps(self, j: int) -> tuple[Any, Any, Any] | None:
        """Return the distinct scores of one column on their device, highest first.

        They come with the positives and negatives that reach each. None if they are in main memory.
        """
        return None

    def rank_all(self) -> Ranked:
        """Return the ranked scores of all observed entries."""
        return rank_scores(*self.cells())

    def take(self, index: Array | slice) -> SweepRows:
        """Return some of the examples."""
        mask, weights = (None if x is None else x[index] for x in (self.mask, self.weights))
        groups = {axis: (names, codes[index]) for axis, (names, codes) in self.groups.items()}
        return SweepRows(self.labels[index], self.scores[index], mask, weights, groups)

    def between(self, start: int, stop: int) -> SweepRows:
        """Return the examples from ``start`` to ``stop``; nothing is copied."""
        return self.take(slice(start, stop))

    def order_of(self, axis: str) -> tuple[Array, Array]:
        """Return the examples one group of an axis after the other, and where each group begins and ends."""
        names, codes = self.groups[axis]
        return np.argsort(codes, kind="stable"), np.append(0, np.cumsum(np.bincount(codes, minlength=len(names))))

    def split(self, axis: str) -> dict[Any, SweepRows]:
        """Return the examples of each group of an axis, without this axis.

        Other groupings keep the groups that occur there. A group without examples would make a part of the whole differ from a
        sum of parts in which it does not occur.
        """
        names, _ = self.groups[axis]
        order, ends = self.order_of(axis)
        rest = replace(self, groups={other: groups for other, groups in self.groups.items() if other != axis}).take(order)
        parts = (rest.between(start, stop) for start, stop in pairwise(ends.tolist()))
        if not rest.groups:
            return dict(zip(names, parts, strict=True))
        return {name: replace(part, groups=_present_groups(part.groups)) for name, part in zip(names, parts, strict=True)}

    def cross(self, axes: tuple[str, ...], name: str) -> SweepRows:
        """Return the rows with one axis in the place of several: its groups are the combinations that occur."""
        sides = [self.groups[axis] for axis in axes]
        found, codes = np.unique(np.stack([own for _, own in sides], axis=1), axis=0, return_inverse=True)
        names = tuple(tuple(of[k] for (of, _), k in zip(sides, row, strict=True)) for row in found.tolist())
        rest = {axis: groups for axis, groups in self.groups.items() if axis not in axes}
        return replace(self, groups={name: (names, codes.ravel()), **rest})


def _present_groups(groups: Mapping[str, Groups]) -> dict[str, Groups]:
    """Return groupings with the names that occur."""
    found = {axis: np.unique(codes, return_inverse=True) for axis, (_, codes) in groups.items()}
    return {axis: (tuple(groups[axis][0][k] for k in used), codes) for axis, (used, codes) in found.items()}


def join_rows(one: SweepRows, two: SweepRows) -> SweepRows:
    """Return the examples of two sweeps of the same classes, the second after the first.

    A grouping that one of them lacks is dropped.
    """
    given = [x.mask for x in (one, two)]
    mask = None
    if any(m is not None for m in given):
        width = max(m.shape[1] for m in given if m is not None)
        masks = (np.ones((x.n, 1), bool) if x.mask is None else x.mask for x in (one, two))
        mask = np.concatenate([np.broadcast_to(m, (len(m), width)) for m in masks])
    weighted = one.weights is not None or two.weights is not None
    weights = [np.ones(x.n) if x.weights is None else x.weights for x in (one, two)]
    groups = {axis: _join_groups(one.groups[axis], two.groups[axis]) for axis in one.groups if axis in two.groups}
    return SweepRows(
        np.concatenate((one.labels, two.labels)),
        np.concatenate(
            [x.scores for x in (one, two) if x.n] or [one.scores]
        ),  # an empty part does not decide the type of numbers
        mask,
        np.concatenate(weights) if weighted else None,
        groups,
    )


def _join_groups(one: Groups, two: Groups) -> Groups:
    names = tuple(dict.fromkeys((*one[0], *two[0])))
    place = np.array([names.index(name) for name in two[0]], np.intp)
    return names, np.concatenate((one[1], place[two[1]] if len(two[1]) else two[1])).astype(np.intp)
