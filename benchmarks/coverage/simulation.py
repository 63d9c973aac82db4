"""Samples of a population, the intervals of its scores, and how they do."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import asdict, dataclass
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np

from .populations import OfKinds, Samples, source_of
from .possible import GIVEN, possible_coverage, possible_given_margins
from .scores import Asked, Set

NORMAL = NormalDist().inv_cdf(0.975)
SIMULATIONS, COMPARED = 500, 100  # samples of the default, and of what it is compared with
DRAWS = 400  # of a bootstrap
WITHIN = (0.93, 0.975)  # where the coverage of 95% intervals should lie
LEAST = 0.90  # below it, a note must say so
NEIGHBORS = 25  # populations near one
ALMOST = 1e-9


@dataclass(frozen=True)
class Cell:
    """How the intervals of one score do in samples of one size."""

    kind: str
    population: str
    n: int
    score: str
    samples: int  # those that have the score
    coverage: float
    low_misses: float  # the share of samples whose interval lies above the true score
    high_misses: float  # the share of samples whose interval lies below it
    width: float  # the median width, as a multiple of that of a normal interval with the true standard deviation
    noted: float  # the share of intervals with a note
    without_note: float  # the coverage of the intervals without a note
    possible: float  # the coverage of a mid-P interval that knows how the score varies: .95, but for few different values
    nearby: float  # the mean coverage over populations that samples of this size hardly tell from this one
    percentile: float  # the coverage of the bootstrap
    delta: float  # the coverage of the delta method
    seed: int = 0  # what samples were drawn from

    def as_row(self) -> dict[str, Any]:
        """Return the columns of a file."""
        return {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(self).items()}

    @property
    def as_aimed(self) -> bool:
        """Whether the coverage is where it should be."""
        return WITHIN[0] <= self.coverage <= WITHIN[1]

    @property
    def as_aimed_nearby(self) -> bool:
        """Whether the mean coverage over neighboring populations is where it should be."""
        return WITHIN[0] <= self.nearby <= WITHIN[1]

    @property
    def can_be_as_aimed(self) -> bool:
        """Whether the score has so many values that an interval can miss as often as it should."""
        return WITHIN[0] <= self.possible < WITHIN[1]

    @property
    def misleads(self) -> bool:
        """Whether intervals cover too rarely, and do not say so."""
        return self.coverage < LEAST and self.noted < 0.95 and not self.without_note >= LEAST


def simulate(
    some: Set, simulations: int = SIMULATIONS, compared: int = COMPARED, seed: int = 0, scores: Collection[str] | None = None
) -> list[Cell]:
    """Return how the intervals of the scores of one set do; the same seed gives the same cells."""
    source = source_of(some.population)
    rng = np.random.default_rng([seed, some.n, *str(some.population).encode()])
    samples = source.draw(rng, some.n, simulations)
    asked = {name: score for name, score in some.scores.items() if scores is None or name in scores}
    return [_cell(some, name, score, samples, compared, seed) for name, score in asked.items()]


def simulate_todo(asked: tuple[Set, list[str]], **options: Any) -> list[Cell]:
    """Return how the intervals of some scores of a set do: what ``todo`` names."""
    some, scores = asked
    return simulate(some, scores=scores, **options)


def _cell(some: Set, name: str, asked: Asked, samples: Samples, compared: int, seed: int) -> Cell:
    source = source_of(some.population)
    truth = asked.value(source.whole)
    found = [_interval(asked, sample) for sample in samples.distinct]
    has = np.array([one is not None for one in found])
    values, lows, highs, noted = np.array([(i.value, i.low, i.high, bool(i.warning)) for i in found if i]).reshape(-1, 4).T
    times, noted = samples.times[has], noted.astype(bool)
    above, below = lows > truth + ALMOST, highs < truth - ALMOST
    covers = ~(above | below)
    every = np.repeat(np.arange(len(times)), times)
    ideal = 2 * NORMAL * values[every].std() if len(every) else 0.0
    possible = possible_coverage(values, times / times.sum()) if len(every) else math.nan
    again, some_drawn = samples.first(compared), [samples.distinct[k] for k in samples.drawn[:GIVEN]]
    return Cell(
        some.population.kind,
        str(some.population),
        some.n,
        name,
        samples=len(every),
        coverage=_mean(covers, times),
        low_misses=_mean(above, times),
        high_misses=_mean(below, times),
        width=float(np.median((highs - lows)[every]) / ideal) if ideal > 0 else math.nan,
        noted=_mean(noted, times),
        without_note=_mean(covers[~noted], times[~noted]),
        possible=possible_given_margins(some.population, name, some_drawn, truth, possible),
        nearby=_mean_nearby(asked, some, samples, has, lows, highs),
        percentile=coverage_by(asked, again, truth, "percentile", draws=DRAWS),
        delta=coverage_by(asked, again, truth, "delta"),
        seed=seed,
    )


@cache
def _near(some: Set) -> list[OfKinds]:
    """Return populations near one; none where its examples are all different."""
    source, rng = source_of(some.population), np.random.default_rng(some.n)
    return [source.near(rng, some.n) for _ in range(NEIGHBORS)] if isinstance(source, OfKinds) else []


def _mean_nearby(asked: Asked, some: Set, samples: Samples, has: Any, lows: Any, highs: Any) -> float:
    """Return the mean coverage over populations near the one that samples came from.

    Another population gives the same samples with other probabilities: each sample counts by the quotient of the two.
    """
    found, source = [], source_of(some.population)
    for other in _near(some):
        assert isinstance(source, OfKinds)
        truth = asked.value(other.whole)
        weights = (samples.times * source.likelier(other, samples.counts))[has]
        found.append(_mean((lows <= truth + ALMOST) & (truth - ALMOST <= highs), weights))
    return float(np.mean(found)) if found else math.nan


def _interval(asked: Asked, sample: Any, **options: Any) -> Any:
    """Return the interval of a score, or None if there is none: a sample without positives has no recall."""
    try:
        found = asked.interval(sample, **options)
    except (ValueError, TypeError):
        return None
    return found if math.isfinite(found.low) else None


def coverage_by(asked: Asked, samples: Samples, truth: float, method: str | None, **options: Any) -> float:
    """Return how often the intervals of a method cover; nan if it does not fit the score."""
    found = [_interval(asked, sample, method=method, **options) for sample in samples.distinct]
    has = np.array([one is not None for one in found], bool)
    covers = np.array([one.low - ALMOST <= truth <= one.high + ALMOST for one in found if one is not None], bool)
    return _mean(covers, samples.times[has])


def _mean(flags: Any, times: Any) -> float:
    return float(np.average(flags, weights=times)) if len(flags) and times.sum() > 0 else math.nan
