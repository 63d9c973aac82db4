"""A score of which replicates of the counts were kept: their scores tell its spread and bias."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..algebra.arrays import Array
from .estimators import OfCounts
from .proportions import Ends
from .sampled import Entries
from .score_interval import Centre, freedom

# A minimum of two that tie is biased. Replicates show on average √2 - 1 of that, because in the sample the two do not tie. So
# twice what they show counts as spread; the number was chosen by how often intervals of macro averages cover.
HIDDEN_BIAS = 2.0


@dataclass(frozen=True, eq=False)
class Drawn:
    """Counts, and those of bootstrap replicates that were drawn when the examples were counted."""

    counts: Array  # (4, m)
    drawn: Array  # (4, B, m), scaled to the number of examples
    extra: Entries  # the pseudo-example

    @property
    def weighted(self) -> bool:
        """Whether examples have weights; then there are no replicates."""
        return False


@dataclass(frozen=True, eq=False)
class OfReplicates(OfCounts):
    """A score that is a function of counts per class, of which replicates are known."""

    sample: Drawn  # type: ignore[assignment]

    def ends(self, level: float) -> Ends:
        """Return Wilson's interval at the effective sample size of the variance of the replicates.

        Every replicate gets one more example at random, half of it right and half of it wrong, so that a perfect score does not
        look certain. The bias of the replicates is taken off; at kinks they show only a part of it. A score without
        a finite range has their percentiles.
        """
        counts, drawn, extra = self.sample.counts, self.sample.drawn, self.sample.extra.counts
        more = np.random.default_rng(0).standard_gamma(extra[:, None], drawn.shape)
        smooth = counts + extra
        scores = self.score(drawn + more)
        scores = scores[np.isfinite(scores)]
        own = float(len(scores) - 1)
        if own < 1:
            return math.nan, math.nan
        if not np.isfinite(self.span).all():
            low, high = np.quantile(scores, ((1 - level) / 2, (1 + level) / 2))
            return float(low), float(high)
        if not self.score.rule.pools:
            own = min(own, freedom(self.score, counts, smooth, self.score.slopes(smooth)))
        smoothed = float(self.score(smooth))
        bias = float(scores.mean()) - smoothed
        spread = float(scores.var(ddof=1)) + (0.0 if self.smooth else (HIDDEN_BIAS * bias) ** 2)
        return Centre(self.value - bias, smoothed, spread, own).ends(self.span, level)
