"""The H-measure: the expected loss of the best thresholds under a fixed distribution of costs.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio
from .beta_weights import partial_moments
from .declared_areas import area
from .roc_areas import upper_hull

PRIORS = ("prevalence", "severity")


@area("hand2009")
def h_measure(steps: Any, *, prior: Any = "prevalence") -> Any:
    """Return the H-measure, the share of a trivial classifier's expected loss that the scores avoid.

    A false positive costs c and a false negative 1 - c. At each c the best threshold is taken, and c has a Beta distribution
    that is the same for all classifiers, unlike the one that AUC implies. 1 is perfect, and 0 is as good as always predicting
    one class.

    ``prior`` is the distribution of c: "prevalence" is Beta(1 + p, 2 - p), where p is the share of positives (Hand &
    Anagnostopoulos 2014); (2, 2) is that of Hand (2009), and any two numbers are the parameters; "severity" is Beta(2, 1/p),
    the default of the R package hmeasure. Undefined without positives or without negatives. Scores that rank worse than chance
    have about 0; they are not reversed, as that package does.

    >>> import indicatrix as ix
    >>> y, scores = [0, 0, 0, 1, 1], [0.1, 0.4, 0.2, 0.35, 0.8]
    >>> round(ix.measures.h_measure(y, scores, prior=(2, 2)), 6), round(ix.measures.h_measure(y, scores), 6)
    (0.579973, 0.587254)
    """
    tp, fp = steps.tp, steps.fp
    if tp.ndim == 1:
        return _avoided_shares([(tp, fp)], prior)[0]
    return np.array(_avoided_shares([*zip(tp, fp, strict=True)], prior), np.float64)


def _avoided_shares(rows: list[tuple[Array, Array]], prior: Any) -> list[Any]:
    """Return the share of the trivial loss that each ranking avoids.

    The moments of all costs are computed at once.
    """
    defined = [k for k, (tp, fp) in enumerate(rows) if tp[-1] and fp[-1]]
    found: list[Any] = [math.nan] * len(rows)
    if not defined:
        return found
    hulls = [_best_thresholds(*rows[k]) for k in defined]
    a, b = _parameters(prior, np.array([float(hull.share) for hull in hulls]))
    sizes = [len(hull.limits) for hull in hulls]
    costs, rests = partial_moments(np.concatenate([h.limits for h in hulls]), np.repeat(a, sizes), np.repeat(b, sizes))
    for k, hull, end in zip(defined, hulls, np.cumsum(sizes).tolist(), strict=True):
        found[k] = hull.avoided_share(costs[end - len(hull.limits) : end], rests[end - len(hull.limits) : end])
    return found


@dataclass(frozen=True, eq=False)
class _BestThresholds:
    """The thresholds that are best at some cost: their errors, and the costs between them."""

    accepted: Array  # negatives
    missed: Array  # positives
    share: Any  # of positives
    limits: Array  # the costs between which each is best, falling from 1 to 0; then the share of positives

    def avoided_share(self, costs: Array, rests: Array) -> Any:
        """Return the share of the trivial loss that is avoided, from the moments up to each limit."""
        losses = self.accepted * -np.diff(costs[:-1]) + self.missed * -np.diff(rests[:-1])
        trivial = self.accepted[-1] * costs[-1] + self.missed[0] * (rests[0] - rests[-1])
        return 1 - ratio(losses.sum(), trivial)


def _best_thresholds(tp: Array, fp: Array) -> _BestThresholds:
    at = upper_hull(fp, tp)  # no other threshold is best at any cost
    share = ratio(tp[-1], tp[-1] + fp[-1])  # of this cost the two trivial decisions lose the same
    gained, accepted = np.diff(tp[at]), np.diff(fp[at])
    switch = ratio(gained, gained + accepted)  # at this cost two neighbors lose the same; it falls along the hull
    return _BestThresholds(fp[at], tp[-1] - tp[at], share, np.concatenate(([0 * share + 1], switch, [0 * share, share])))


def _parameters(prior: Any, share: Array) -> tuple[Any, Any]:
    """Return the two parameters of the distribution of costs, of each share of positives."""
    if isinstance(prior, str):
        return (1 + share, 2 - share) if prior == "prevalence" else (np.full(len(share), 2.0), 1 / share)
    return np.full(len(share), float(prior[0])), np.full(len(share), float(prior[1]))


def check_prior(prior: Any) -> None:
    """Refuse what is not a distribution of costs."""
    if isinstance(prior, str) and prior in PRIORS:
        return
    two: tuple[Any, ...] = tuple(prior) if isinstance(prior, tuple | list) and len(prior) == 2 else ()
    numbers = [isinstance(x, int | float | np.integer | np.floating) and not isinstance(x, bool) for x in two]
    if numbers != [True, True] or not all(0 < x <= 1000 for x in two):
        raise ValueError(
            f"prior={prior!r} is not a distribution of costs. Use 'prevalence', 'severity', or the two parameters of a Beta "
            "distribution, above 0 and at most 1000, as in prior=(2, 2)."
        )
