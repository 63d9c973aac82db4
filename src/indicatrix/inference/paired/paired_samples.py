"""Two classifiers on the same examples: how often each pair of their cells occurs.

A cell is what one classifier made of an example: a pair of classes (true, predicted), or a row of counts. The score of each
classifier is a function of how often each cell occurs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...algebra.arrays import Array
from ..sampling.samples import HALF, chunk_sizes, scatter

SAME = 1e-9  # numbers that differ by a smaller share are equal
MOST = 4096  # outcomes of swapping that are listed one by one; if there are more, some are drawn


@dataclass(frozen=True, eq=False)
class Both:
    """Pairs of cells, left and right, and how often each pair occurs."""

    left: Array
    right: Array
    times: Array


@dataclass(frozen=True, eq=False)
class PairedSample:
    """Distinct pairs of cells of two classifiers, with one pseudo-example about which they disagree."""

    pairs: Both
    size: int  # how many cells there are
    extra: Both  # half of an example right on the left only, half of it right on the right only
    weights: Array | None = None  # sums of the weights of the examples of each pair; None: one each
    squares: Array | None = None  # sums of squares of weights

    @property
    def n(self) -> float:
        """The number of examples."""
        return float(self.pairs.times.sum())

    @property
    def unit(self) -> float:
        """The weight of the pseudo-example: that of an average example."""
        return 1.0 if self.weights is None else float(self.weights.sum()) / max(self.n, 1.0)

    def without_extra(self) -> PairedSample:
        """Return the sample without the pseudo-example."""
        return replace(self, extra=Both(self.extra.left[:0], self.extra.right[:0], self.extra.times[:0]))

    def cells(self, *, pseudo: bool = False) -> tuple[Array, Array]:
        """Return how often each cell occurs on the left and on the right."""
        own = self.pairs.times.astype(np.float64) if self.weights is None else self.weights
        more = self.unit * self.extra.times if pseudo else np.zeros(len(self.extra.times))
        left, right = np.append(self.pairs.left, self.extra.left), np.append(self.pairs.right, self.extra.right)
        weights = np.append(own, more)
        return np.bincount(left, weights, self.size), np.bincount(right, weights, self.size)

    def variance(self, left: Array, right: Array) -> float:
        """Return the variance of a difference to whose sides each cell adds this much."""
        weights = self.pairs.times if self.weights is None else self.weights
        squares = self.pairs.times if self.squares is None else self.squares
        added, extra = left[self.pairs.left] - right[self.pairs.right], left[self.extra.left] - right[self.extra.right]
        added, extra = np.append(added, extra), self.extra.times
        weights, squares = np.append(weights, self.unit * extra), np.append(squares, self.unit**2 * extra)
        total = float(weights.sum())
        added -= float(weights @ added) / total if total else 0.0
        return float(squares @ added**2)

    def count_apart(self, left: Array, right: Array) -> int:
        """Return for how many examples the two cells have different numbers, on the left or on the right."""
        apart = np.zeros(len(self.pairs.times), bool)
        for side in (left, right):
            a, b = side[self.pairs.left], side[self.pairs.right]
            apart |= np.abs(a - b) > SAME * float(np.abs(np.append(a, b)).max(initial=0))
        return int(self.pairs.times[apart].sum())

    @property
    def disagreements(self) -> int:
        """The number of examples with different cells."""
        return int(self.pairs.times[self.pairs.left != self.pairs.right].sum())

    def resample(self, rng: np.random.Generator, draws: int) -> Iterator[tuple[Array, Array]]:
        """Yield the cells of both sides in samples drawn with replacement, several samples at a time."""
        n, times = round(self.n), self.pairs.times
        for some in chunk_sizes(draws, self.size + len(times)):
            drawn = rng.multinomial(n, times / times.sum(), some).astype(np.float64)
            yield scatter(drawn, self.pairs.left, self.size), scatter(drawn, self.pairs.right, self.size)

    def posterior(self, rng: np.random.Generator, draws: int) -> Iterator[tuple[Array, Array]]:
        """Yield the cells of both sides in draws from the posterior; the pseudo-example is the prior."""
        left, right = np.append(self.pairs.left, self.extra.left), np.append(self.pairs.right, self.extra.right)
        shape = np.append(self.pairs.times, self.extra.times)
        for some in chunk_sizes(draws, self.size + len(shape)):
            drawn = rng.standard_gamma(shape, (some, len(shape)))
            yield scatter(drawn, left, self.size), scatter(drawn, right, self.size)

    def swap(self, rng: np.random.Generator, draws: int) -> Iterator[tuple[Array, Array, Array]]:
        """Yield the cells of both sides after swapping predictions at random, and how likely each outcome is.

        Of the examples with the same two cells, it does not matter which are swapped. So their number is enough. If there are few
        outcomes, each occurs once; otherwise some are drawn, and the probabilities are 1 / draws.
        """
        low, high, often = self._apart()
        same = self.pairs.left == self.pairs.right
        fixed = np.bincount(self.pairs.left[same], self.pairs.times[same], self.size)
        listed = _outcomes(often) if self.is_listed() else None
        start = 0
        for some in chunk_sizes(draws if listed is None else len(listed[1]), 2 * self.size + len(often)):
            if listed is None:
                kept, share = rng.binomial(often, HALF, (some, len(often))), np.full(some, 1 / draws)
            else:
                kept, share = (x[start : start + some] for x in listed)
            start += some
            a, b = kept.astype(np.float64), (often - kept).astype(np.float64)
            yield (
                fixed + scatter(a, low, self.size) + scatter(b, high, self.size),
                fixed + scatter(b, low, self.size) + scatter(a, high, self.size),
                share,
            )

    def is_listed(self) -> bool:
        """Return whether the outcomes of swapping are so few that each is listed: the test is then exact."""
        return bool(math.prod((self._apart()[2] + 1).tolist()) <= MOST)

    def _apart(self) -> tuple[Array, Array, Array]:
        """Return the pairs of different cells, in whatever order, and how often each occurs."""
        low, high = np.minimum(self.pairs.left, self.pairs.right), np.maximum(self.pairs.left, self.pairs.right)
        apart = low < high
        keys, where = np.unique(low[apart] * self.size + high[apart], return_inverse=True)
        often = np.bincount(where, self.pairs.times[apart], len(keys)).astype(np.int64)
        return *np.divmod(keys, max(self.size, 1)), often


def _outcomes(often: Array) -> tuple[Array, Array]:
    """Return how many of each kind keep their place in every outcome of swapping, and how likely it is."""
    kept, share = np.zeros((1, 0), np.int64), np.ones(1)
    for n in often.tolist():
        chances = np.array([math.comb(n, k) for k in range(n + 1)], np.float64) / 2.0**n
        kept = np.concatenate([np.repeat(kept, n + 1, axis=0), np.tile(np.arange(n + 1), len(kept))[:, None]], axis=1)
        share = (share[:, None] * chances).ravel()
    return kept, share
