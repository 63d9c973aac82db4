"""The H-measure: the expected loss of the best thresholds under a distribution of costs.

It is a fixed one, a Beta distribution.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio
from .declared_areas import area
from .roc_areas import upper_hull

STEPS = 400  # of the continued fraction; it needs about the root of the larger parameter
TINY = 1e-300
CLOSE = 4e-16  # factors this near to 1 change nothing more
MOST_TERMS = 8  # a whole second parameter up to this makes a polynomial of this many terms, which fractions compute exactly


def partial_moments(x: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return E[c; c <= x] and E[1 - c; c <= x] of c with a Beta(a, b) distribution, at each x.

    Of fractions x and small whole parameters, the same for all x, both are fractions.

    >>> x = np.array([Fraction(1, 2), Fraction(1)], object)
    >>> below, rest = partial_moments(x, np.full(2, 2.0), np.full(2, 2.0))
    >>> [str(v) for v in (*below, *rest)]
    ['5/32', '1/2', '11/32', '1/2']
    """
    if x.dtype == object and all(v == int(v) <= MOST_TERMS for v in (a[0], b[0])):
        p, q = int(a[0]), int(b[0])
        return Fraction(p, p + q) * _polynomial(x, p + 1, q), Fraction(q, p + q) * _polynomial(x, p, q + 1)
    at, mean = np.asarray(x, np.float64), a / (a + b)
    return mean * beta_share(at, a + 1, b), (1 - mean) * beta_share(at, a, b + 1)


def _polynomial(x: Array, a: int, b: int) -> Array:
    """Return the share of Beta(a, b) up to x by the binomial sum, exactly."""
    n = a + b - 1
    return np.asarray(sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)))


def beta_share(x: Array, a: Any, b: Any) -> Array:
    """Return the share of a Beta(a, b) distribution up to x: the regularized incomplete beta function.

    It is a continued fraction, computed by Lentz's method, on the side where that converges fast.

    >>> beta_share(np.array([0.0, 0.25, 1.0]), 2.0, 2.0).round(6).tolist()
    [0.0, 0.15625, 1.0]
    """
    x, a, b = np.broadcast_arrays(x, np.float64(a), np.float64(b))
    far = x > (a + 1) / (a + b + 2)
    here = np.where(far, 1 - x, x)
    p, q = np.where(far, b, a), np.where(far, a, b)
    with np.errstate(divide="ignore"):  # log 0 is meant: the share up to 0 is 0
        front = np.exp(p * np.log(here) + q * np.log1p(-here) - _log_beta(a, b)) / p
    share = front * _continued_fraction(here, p, q)
    return np.asarray(np.clip(np.where(far, 1 - share, share), 0.0, 1.0))


def _log_beta(a: Array, b: Array) -> Array:
    pairs, at = np.unique(np.stack([a.ravel(), b.ravel()]), axis=1, return_inverse=True)  # few: rows share their parameters
    found = [math.lgamma(p) + math.lgamma(q) - math.lgamma(p + q) for p, q in pairs.T.tolist()]
    return np.array(found)[at.ravel()].reshape(a.shape)


def _continued_fraction(x: Array, a: Array, b: Array) -> Array:
    c, d = np.ones_like(x), 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d.copy()
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / _not_zero(1 + term * d), _not_zero(1 + term / c)
            value = value * c * d
        if (abs(c * d - 1) < CLOSE).all():
            break
    return np.asarray(value)


def _not_zero(x: Array) -> Array:
    return np.where(abs(x) < TINY, TINY, x)


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
