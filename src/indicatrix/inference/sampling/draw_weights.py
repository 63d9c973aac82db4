"""Random weights for what was sampled: how often each distinct row is in a replicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...words.wording import check_at_most, short

MOST_DRAWS = 1_000_000
Draw = Callable[[Array, Array | None, int], Array]  # of times, strata and the number of replicates: (replicates, rows)


def check_draws(draws: Any) -> None:
    """Refuse what does not say how many replicates to draw."""
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ValueError(f"draws={draws!r} must be a whole number of replicates, such as 2000.")
    check_at_most("draws", draws, MOST_DRAWS, "2,000 place the ends of an interval to a few hundredths of its width.")


def generator(seed: Any) -> np.random.Generator:
    """Return a generator that starts at a seed, at 0 without one: the same seed gives the same draws.

    >>> int(generator(3).integers(100)) == int(generator(3).integers(100))
    True
    """
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise ValueError(f"seed={short(seed)} must be a whole number from 0 on.")
    return np.random.default_rng(0 if seed is None else seed)


def multinomial(rng: np.random.Generator) -> Draw:
    """Return multinomial draws of as many rows as there are; of each stratum alone, if there are strata."""

    def draw(times: Array, strata: Array | None, draws: int) -> Array:
        out = np.empty((draws, len(times)))
        for stratum in [None] if strata is None else np.unique(strata):
            at = slice(None) if stratum is None else np.flatnonzero(strata == stratum)
            own = times[at]
            out[:, at] = rng.multinomial(round(own.sum()), own / own.sum(), draws) if len(own) else 0
        return out

    return draw


def poisson(rng: np.random.Generator) -> Draw:
    """Return independent draws for each row, scaled to the number of rows."""
    return _scale(lambda times, draws: rng.poisson(times, (draws, len(times))).astype(np.float64))


def gamma(rng: np.random.Generator) -> Draw:
    """Return the weights of the Bayesian bootstrap: no row is ever lost."""
    return _scale(lambda times, draws: rng.standard_gamma(times, (draws, len(times))))


def _scale(weights: Callable[[Array, int], Array]) -> Draw:
    def draw(times: Array, strata: Array | None, draws: int) -> Array:
        drawn = weights(times, draws)
        if strata is None:
            return _to_total(drawn, times)
        for stratum in np.unique(strata):
            at = np.flatnonzero(strata == stratum)
            drawn[:, at] = _to_total(drawn[:, at], times[at])
        return drawn

    return draw


def _to_total(drawn: Array, times: Array) -> Array:
    total = drawn.sum(axis=1, keepdims=True)
    return np.asarray(drawn * np.where(total > 0, times.sum() / np.where(total > 0, total, 1), 0.0))


DRAWS: dict[str, Callable[[np.random.Generator], Draw]] = {"multinomial": multinomial, "poisson": poisson, "gamma": gamma}
