"""The hierarchical model of classifiers cross-validated on several data sets (Corani et al. 2017).

The differences of the folds of a data set are normal around its own mean, and as correlated as folds that share training data;
the means of the data sets have a t distribution. What is asked for is the difference on the next data set. The posterior is drawn
by Gibbs and Metropolis steps, many chains at a time: the center and the spread of the means are drawn with the means integrated
out, and the degrees of freedom with the scales of the t distribution integrated out, so that chains do not stick.

Priors, as there: uniform on the standard deviations, up to a thousand times those seen, and on the center, up to the largest
difference; nu - 1 has a gamma distribution whose shape and rate are uniform on [1, 2] and [0.01, 0.1].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...algebra.arrays import Array
from ..stats.quantiles import student_below

CHAINS, WARM, EVERY = 100, 400, 4  # chains, their first steps that do not count, and after how many one is kept
SHAPE, RATE = (1.0, 2.0), (0.01, 0.1)  # of the gamma prior of the degrees of freedom less one
WIDEST = 1000.0  # standard deviations up to this multiple of those seen are possible
STEP = 0.7  # of Metropolis steps on the log scale


@dataclass(frozen=True, eq=False)
class FoldSums:
    """What the folds of all data sets say: means, sums of squares around them, sizes, and correlations."""

    means: Array
    squares: Array
    counts: Array
    correlation: Array

    @staticmethod
    def of(differences: Sequence[Array], shares: Sequence[float], rope: float) -> FoldSums:
        """Return the sums of the differences of each data set, whose folds test on a share of the data.

        Folds that all have the same difference say nothing about their spread: it is taken for that of numbers spread evenly
        over the region of practical equivalence, or for a hundredth of that of the other data sets.
        """
        means = np.array([float(np.mean(d)) for d in differences])
        counts = np.array([len(d) for d in differences], np.float64)
        squares = np.array([float(((np.asarray(d) - np.mean(d)) ** 2).sum()) for d in differences])
        flat = squares <= 1e-24 * counts * np.maximum(1.0, means**2)
        usual = float((squares[~flat] / counts[~flat]).mean()) if not flat.all() else 1e-6
        least = rope**2 / 3 if rope else 1e-4 * usual
        return FoldSums(means, np.where(flat, counts * least, squares), counts, np.asarray(shares, np.float64))

    @property
    def usual_spread(self) -> float:
        """The mean standard deviation inside a data set: the unit in which the model is computed."""
        return float(np.sqrt(self.squares / self.counts).mean())

    def scale(self, unit: float) -> FoldSums:
        """Return the sums in another unit."""
        return FoldSums(self.means / unit, self.squares / unit**2, self.counts, self.correlation)


def draw_next_data_set(sums: FoldSums, rng: np.random.Generator, draws: int) -> tuple[Array, Array, Array]:
    """Return draws of center, spread and degrees of freedom of the t distribution of the next data set."""
    unit = sums.usual_spread
    own, chain = sums.scale(unit), _Chains.start(sums.scale(unit), rng)
    kept: list[tuple[Array, Array, Array]] = []
    for step in range(WARM + EVERY * -(-draws // CHAINS)):
        chain.move(own, rng)
        if step >= WARM and (step - WARM) % EVERY == EVERY - 1:
            kept.append((chain.center * unit, chain.spread * unit, chain.nu.copy()))
    center, spread, nu = (np.concatenate(parts)[:draws] for parts in zip(*kept, strict=True))
    return center, spread, nu


@dataclass(eq=False)
class _Chains:
    """The state of all chains: one row for each."""

    center: Array
    spread: Array
    nu: Array
    shape: Array
    rate: Array
    scales: Array  # of the normal mixture that is the t distribution, (chains, data sets)
    variances: Array  # inside the data sets, (chains, data sets)
    farthest: float
    widest: float

    @staticmethod
    def start(sums: FoldSums, rng: np.random.Generator) -> _Chains:
        """Return chains that start around what the sums say."""
        q = len(sums.means)
        among = max(float(sums.means.std()), 0.1)
        return _Chains(
            center=np.full(CHAINS, float(sums.means.mean())),
            spread=among * rng.uniform(0.3, 2.0, CHAINS),
            nu=1 + rng.uniform(1, 30, CHAINS),
            shape=rng.uniform(*SHAPE, CHAINS),
            rate=rng.uniform(*RATE, CHAINS),
            scales=np.ones((CHAINS, q)),
            variances=np.tile(sums.squares / sums.counts, (CHAINS, 1)),
            farthest=float(np.abs(sums.means).max() + 3 * np.sqrt(sums.squares / sums.counts).max()),
            widest=WIDEST * among,
        )

    def move(self, sums: FoldSums, rng: np.random.Generator) -> None:
        """Draw everything once, given the rest."""
        error = self.variances * (1 + (sums.counts - 1) * sums.correlation) / sums.counts  # of the mean of the folds
        for _ in range(2):
            self._move_spread(sums, error, rng)
        self._draw_center(sums, error, rng)
        precision = 1 / error + self.scales / self.spread[:, None] ** 2
        middle = (sums.means / error + self.center[:, None] * self.scales / self.spread[:, None] ** 2) / precision
        means = middle + rng.standard_normal(middle.shape) / np.sqrt(precision)
        far = ((means - self.center[:, None]) / self.spread[:, None]) ** 2
        self._move_freedom(far, rng)
        half = (self.nu[:, None] + 1) / 2
        self.scales = rng.standard_gamma(half, far.shape) / ((self.nu[:, None] + far) / 2)
        around = sums.squares / (1 - sums.correlation)
        around = around + sums.counts * (sums.means - means) ** 2 / (1 + (sums.counts - 1) * sums.correlation)
        self.variances = around / 2 / rng.standard_gamma((sums.counts - 1) / 2, around.shape)

    def _move_spread(self, sums: FoldSums, error: Array, rng: np.random.Generator) -> None:
        def log_density(spread: Array) -> Array:
            total = error + spread[:, None] ** 2 / self.scales
            far = (sums.means - self.center[:, None]) ** 2 / total
            inside = np.where(spread < self.widest, 0.0, -np.inf)
            return np.asarray(-0.5 * (np.log(total) + far).sum(axis=1) + np.log(spread) + inside)

        tried = self.spread * np.exp(STEP * rng.standard_normal(len(self.spread)))
        self.spread = _accept(self.spread, tried, log_density, rng)

    def _draw_center(self, sums: FoldSums, error: Array, rng: np.random.Generator) -> None:
        weights = 1 / (error + self.spread[:, None] ** 2 / self.scales)
        total = weights.sum(axis=1)
        tried = (weights @ sums.means) / total + rng.standard_normal(len(total)) / np.sqrt(total)
        self.center = np.where(np.abs(tried) <= self.farthest, tried, self.center)

    def _move_freedom(self, far: Array, rng: np.random.Generator) -> None:
        """Draw the degrees of freedom and the shape and rate of their prior."""

        def log_density(beyond: Array) -> Array:
            nu = 1 + beyond
            one = _log_gamma((nu + 1) / 2) - _log_gamma(nu / 2) - 0.5 * np.log(nu)
            t = far.shape[1] * one - ((nu[:, None] + 1) / 2 * np.log1p(far / nu[:, None])).sum(axis=1)
            return np.asarray(t + self.shape * np.log(beyond) - self.rate * beyond)  # with the slope of the log scale

        beyond = self.nu - 1
        for size in (STEP, 3 * STEP):
            tried = beyond * np.exp(size * rng.standard_normal(len(beyond)))
            beyond = _accept(beyond, tried, log_density, rng)
        self.nu = 1 + beyond
        logs = np.log(beyond)

        def of_shape(shape: Array) -> Array:
            return np.asarray(shape * np.log(self.rate) - _log_gamma(shape) + shape * logs)

        def of_rate(rate: Array) -> Array:
            return np.asarray(self.shape * np.log(rate) - rate * beyond)

        self.shape = _accept(self.shape, rng.uniform(*SHAPE, len(beyond)), of_shape, rng)
        self.rate = _accept(self.rate, rng.uniform(*RATE, len(beyond)), of_rate, rng)


def _accept(now: Array, tried: Array, log_density: Callable[[Array], Array], rng: np.random.Generator) -> Array:
    """Return what was tried where Metropolis' rule takes it, and the present state elsewhere."""
    better = log_density(tried) - log_density(now)
    return np.where(np.log(rng.random(len(now))) < better, tried, now)


def _log_gamma(x: Array) -> Array:
    return np.array([math.lgamma(v) for v in np.asarray(x).tolist()])


def shares_of_next(center: Array, spread: Array, nu: Array, rope: float) -> Array:
    """Return how likely the next data set is below, inside and above the region: (draws, 3)."""
    rows = zip(center.tolist(), spread.tolist(), nu.tolist(), strict=True)
    ends = [(student_below((-rope - c) / s, v), student_below((c - rope) / s, v)) for c, s, v in rows]
    down, up = np.array(ends).reshape(-1, 2).T
    return np.stack([down, np.maximum(1 - down - up, 0.0), up], axis=1)
