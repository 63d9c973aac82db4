"""Masks as runs of pixels, column by column: read, measured and intersected without drawing them.

COCO stores a mask as the lengths of runs of 0 and 1 in turn, in columns from left to right (RLE), or as a text of these lengths.
Here all masks of a data set are one array of the places where runs begin and end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ...algebra.arrays import Array

SHIFT = 48  # a text of lengths begins at the character "0"
SLACK = 1 - 1e-9  # so that rounding does not lose a pair
TEXT = 1 << 18  # characters that are read at a time
BLOCK = 1 << 20  # ends of runs that are looked up at a time


@dataclass(frozen=True, eq=False)
class Masks:
    """Masks of any number of images: the runs of ones, as first pixel and the pixel after the last.

    >>> masks = masks_of_lengths(Lengths.of([np.array([1, 2, 1])]), np.array([[2, 2]]))
    >>> masks.area.tolist(), masks.boxes.tolist()
    ([2], [[0, 0, 2, 2]])
    """

    start: Array  # of each run, in order of masks and of pixels
    end: Array
    first: Array  # (n + 1,): where the runs of each mask begin
    size: Array  # (n, 2): height and width

    @property
    def n(self) -> int:
        """The number of masks."""
        return len(self.size)

    @cached_property
    def _owner(self) -> Array:
        return np.repeat(np.arange(self.n), np.diff(self.first))

    @cached_property
    def area(self) -> Array:
        """The number of pixels of each mask."""
        return np.bincount(self._owner, self.end - self.start, self.n).astype(np.int64)

    @cached_property
    def boxes(self) -> Array:
        """The box around each mask: left, top, width, height."""
        high = self.size[self._owner, 0]
        (left, top), (right, bottom) = np.divmod(self.start, high), np.divmod(self.end - 1, high)
        whole = left < right  # a run that goes on in the next column touches the top and the bottom
        top, bottom = np.where(whole, 0, top), np.where(whole, high - 1, bottom)
        empty = np.diff(self.first) == 0
        out = np.zeros((self.n, 4), np.int64)
        at = self.first[:-1][~empty]
        if len(at):
            low_x, low_y = np.minimum.reduceat(left, at), np.minimum.reduceat(top, at)
            high_x, high_y = np.maximum.reduceat(right, at), np.maximum.reduceat(bottom, at)
            out[~empty] = np.stack([low_x, low_y, high_x - low_x + 1, high_y - low_y + 1], axis=1)
        return out

    @cached_property
    def _pixels(self) -> int:
        """More than the number of pixels of any mask."""
        return int((self.size[:, 0] * self.size[:, 1]).max(initial=0)) + 1

    @cached_property
    def _lookup(self) -> tuple[Array, Array]:
        """Where each run begins, as a key that grows over all masks, and the pixels of its mask before it."""
        before = np.cumsum(self.end - self.start) - (self.end - self.start)
        first = np.append(before, 0)[self.first[:-1]] if self.n else before
        return self._owner * self._pixels + self.start, before - first[self._owner]

    def _pixels_below(self, mask: Array, pixel: Array) -> Array:
        """Return how many pixels of a mask come before a pixel."""
        keys, before = self._lookup
        run = np.searchsorted(keys, mask * self._pixels + pixel, "right") - 1
        here = (run >= self.first[mask]) & (run >= 0)
        at = np.where(here, run, 0)
        return np.where(here, before[at] + np.minimum(pixel, self.end[at]) - self.start[at], 0) if len(keys) else 0 * pixel

    def overlaps(self, mine: Array, truth: Masks, theirs: Array, crowd: Array, least: float = 0.0) -> Array:
        """Return the IoU of pairs; of a crowd, the intersection is divided by the area of my mask alone.

        The boxes around two masks tell how much they can overlap at most; a pair that cannot reach ``least`` has 0.
        """
        inside = np.zeros(len(mine), np.int64)
        own, other = self.area[mine], truth.area[theirs]
        most = np.minimum(_common_box(self.boxes[mine], truth.boxes[theirs]), np.minimum(own, other))
        near = np.flatnonzero((most > 0) & (most >= least * SLACK * np.where(crowd, own, own + other - most)))
        runs = np.diff(self.first)[mine[near]]
        ends = np.cumsum(runs)
        cuts = np.searchsorted(ends, np.arange(BLOCK, int(runs.sum()), BLOCK)) + 1
        for some in np.split(np.arange(len(near)), np.minimum(cuts, len(near))):
            pair = near[some]
            inside[pair] = self._common_pixels(mine[pair], truth, theirs[pair])
        union = np.where(crowd, own, own + other - inside)
        return np.asarray(np.divide(inside, union, out=np.zeros(len(mine)), where=inside > 0))

    def _common_pixels(self, mine: Array, truth: Masks, theirs: Array) -> Array:
        """Return the pixels that the masks of each pair have in common."""
        runs = np.diff(self.first)[mine]
        pair = np.repeat(np.arange(len(mine)), runs)
        run = np.arange(len(pair)) - np.repeat(np.cumsum(runs) - runs, runs) + self.first[mine][pair]
        mask = theirs[pair]
        common = truth._pixels_below(mask, self.end[run]) - truth._pixels_below(mask, self.start[run])
        return np.bincount(pair, common, len(mine)).astype(np.int64)

    def take(self, at: Array) -> Masks:
        """Return the masks at these positions."""
        runs = np.diff(self.first)[at]
        first = np.append(0, np.cumsum(runs))
        run = np.arange(first[-1]) - np.repeat(first[:-1], runs) + np.repeat(self.first[at], runs)
        return Masks(self.start[run], self.end[run], first, self.size[at])

    def picture(self, i: int) -> Array:
        """Return a mask as an array of pixels."""
        high, wide = self.size[i].tolist()
        edges = np.zeros(high * wide + 1, np.int64)
        own = slice(self.first[i], self.first[i + 1])
        edges[self.start[own]] += 1
        np.add.at(edges, self.end[own], -1)
        return np.cumsum(edges[:-1]).astype(bool).reshape(wide, high).T

    def join(self, other: Masks) -> Masks:
        """Return these masks, then the others."""
        start, end, size = (np.concatenate([getattr(side, name) for side in (self, other)]) for name in ("start", "end", "size"))
        return Masks(start, end, np.append(self.first, self.first[-1] + other.first[1:]), size)


def _common_box(one: Array, other: Array) -> Array:
    """Return the pixels that the boxes of each pair have in common."""
    low = np.maximum(one[:, :2], other[:, :2])
    high = np.minimum(one[:, :2] + one[:, 2:], other[:, :2] + other[:, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=1))


@dataclass(frozen=True, eq=False)
class Lengths:
    """The lengths of the runs of 0 and 1 in turn, of all masks in one array, and how many each mask has."""

    flat: Array
    many: Array

    @staticmethod
    def of(lists: Sequence[Array]) -> Lengths:
        """Return the lengths of several masks."""
        many = np.array([len(one) for one in lists], np.int64)
        return Lengths(np.concatenate([np.zeros(0, np.int64), *lists]), many)


def masks_of_lengths(lengths: Lengths, size: Array) -> Masks:
    """Return masks from the lengths of their runs of 0 and 1 in turn, the first of 0.

    Lengths that do not add up to the number of pixels are an error.
    """
    flat, many = lengths.flat, lengths.many
    first = np.append(0, np.cumsum(many))
    total = np.append(0, np.cumsum(flat))
    wrong = np.flatnonzero(total[first[1:]] - total[first[:-1]] != size[:, 0] * size[:, 1])
    negative = np.flatnonzero(flat < 0)
    if len(wrong) or len(negative):
        at = int(wrong[0]) if len(wrong) else int(np.searchsorted(first, negative[0], "right")) - 1
        (high, wide), runs = size[at].tolist(), flat[first[at] : first[at + 1]]
        what = "one of its runs is negative" if (runs < 0).any() else f"its runs have {int(runs.sum())} pixels"
        raise MaskError(at, f"{what}, but {high} x {wide} are {high * wide}")
    odd = (np.arange(len(flat)) - np.repeat(first[:-1], many)) & 1
    ones = np.flatnonzero((odd == 1) & (flat > 0))
    begin = np.searchsorted(ones, first)
    end = total[1:][ones] - np.repeat(total[first[:-1]], np.diff(begin))
    return Masks(end - flat[ones], end, begin, size)


class MaskError(ValueError):
    """A mask that cannot be read, with its position."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(reason)
        self.position = position


def lengths_of_texts(texts: Sequence[str | bytes]) -> Lengths:
    """Return the lengths of runs from COCO's compressed texts, many texts at once.

    A character holds five bits and whether the number goes on; from the fourth number on, each is the difference to the one
    before the last.

    >>> lengths = lengths_of_texts(["121", "04"])
    >>> lengths.flat.tolist(), lengths.many.tolist()
    ([1, 2, 1, 0, 4], [3, 2])
    """
    raw = [text.encode("ascii", "replace") if isinstance(text, str) else bytes(text) for text in texts]
    blocks = np.cumsum([len(text) for text in raw]) // TEXT
    cuts = [0, *(np.flatnonzero(np.diff(blocks)) + 1).tolist(), len(raw)] if raw else [0]
    found = [_numbers(raw[first:last], first) for first, last in pairwise(cuts)]
    flat, many = ([np.zeros(0, np.int64), *(part[side] for part in found)] for side in (0, 1))
    return Lengths(np.concatenate(flat), np.concatenate(many))


def _numbers(raw: list[bytes], first: int) -> tuple[Array, Array]:
    """Return the numbers of some texts, and how many each has; ``first`` is where the first stands."""
    sizes = np.array([len(text) for text in raw], np.int64)
    bits = np.frombuffer(b"".join(raw), np.uint8) - np.uint8(SHIFT)  # what is below becomes large
    last = (bits & 32) == 0
    ends = np.cumsum(sizes)
    open_ends = np.flatnonzero((sizes > 0) & ~np.append(True, last)[ends])
    if len(open_ends) or bits.max(initial=0) > 63:
        at = np.searchsorted(ends, (bits > 63).argmax(), "right") if bits.max(initial=0) > 63 else open_ends[0]
        raise MaskError(first + int(at), "its text is not a compressed RLE")
    stop = np.flatnonzero(last)
    begin = np.append(0, stop + 1)[:-1]
    values = (bits[begin] & 31).astype(np.int64)
    for k in range(1, int((stop - begin).max(initial=0)) + 1):  # few numbers have more than two characters
        longer = np.flatnonzero(stop - begin >= k)
        values[longer] += (bits[begin[longer] + k] & 31).astype(np.int64) << (5 * k)
    negative = np.flatnonzero(bits[stop] & 16)
    values[negative] -= 1 << (5 * (stop - begin + 1)[negative])
    many = np.diff(np.searchsorted(stop, np.append(0, ends)))
    return _summed_in_turn(values, many), many


def _summed_in_turn(values: Array, many: Array) -> Array:
    """Return numbers from differences to the one before the last, within each mask.

    The numbers of a mask are written in rows of two, and the columns are added up; the first number stands alone.
    """
    rows = (many + 1) // 2
    start = np.cumsum(rows) - rows
    place = np.arange(len(values)) + np.repeat(2 * start - (np.cumsum(many) - many), many)
    table = np.zeros((int(rows.sum()), 2), np.int64)
    table.ravel()[place] = values
    sums = np.cumsum(table, axis=0)
    some, here = rows > 0, start[rows > 0]
    before = np.column_stack([sums[here, 0], sums[here, 1] - table[here, 1]])
    first = table[here, 0]
    sums -= np.repeat(before, rows[some], axis=0)
    sums[here, 0] = first
    return np.asarray(sums.ravel()[place])


def masks_of_arrays(arrays: Sequence[Array]) -> Masks:
    """Return masks from two-dimensional arrays of False and True.

    >>> masks_of_arrays([np.array([[False, True], [True, True]])]).area.tolist()
    [3]
    """
    lengths = []
    for array in arrays:
        flat = np.concatenate([[False], np.asarray(array, bool).ravel(order="F")])
        change = np.flatnonzero(flat[1:] != flat[:-1])
        lengths.append(np.diff(np.concatenate([[0], change, [flat.size - 1]])))
    return masks_of_lengths(Lengths.of(lengths), np.array([np.shape(a) for a in arrays], np.int64).reshape(-1, 2))
