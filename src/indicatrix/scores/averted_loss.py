"""The H-measure: the expected loss of the best thresholds under a fixed distribution of costs.

A formula of steps, as those of areas are: see ``roc_areas``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..algebra.arrays import Array, ratio
from .beta_weights import partial_moments
from .roc_areas import upper_hull

PRIORS = ("prevalence", "severity")


def h_measure(steps: Any, *, prior: Any = "prevalence") -> Any:
    """Return the H-measure, the share of a trivial classifier's expected loss that the scores avoid.

    A false positive costs c, a false negative 1 - c, the best threshold is taken at each c, and c has a Beta distribution that
    does not depend on the classifier, unlike the one that AUC implies. 1 is perfect, and 0 is as good as always predicting
    one class. ``prior="prevalence"`` is Beta(1 + p, 2 - p), where p is the share of positives (Hand & Anagnostopoulos 2014);
    (2, 2) is that of Hand 2009; any two numbers are the parameters. "severity" is Beta(2, 1/p), the default of the R package
    hmeasure. Undefined without positives or without negatives. Scores that rank worse than chance have their hull on the
    diagonal, and about 0: they are not turned round, as that package does.

    >>> import indicatrix as ix
    >>> y, scores = [0, 0, 0, 1, 1], [0.1, 0.4, 0.2, 0.35, 0.8]
    >>> round(ix.h_measure(y, scores, prior=(2, 2)), 6), round(ix.h_measure(y, scores), 6)
    (0.579973, 0.587254)
    """
    tp, fp = steps.tp, steps.fp
    if tp.ndim > 1:
        return np.array([_avoided(*row, prior) for row in zip(tp, fp, strict=True)], np.float64)
    return _avoided(tp, fp, prior)


def _avoided(tp: Array, fp: Array, prior: Any) -> Any:
    positives, negatives = tp[-1], fp[-1]
    if positives == 0 or negatives == 0:
        return math.nan
    at = upper_hull(fp, tp)  # no other threshold is best at any cost
    share = ratio(positives, positives + negatives)
    a, b = _parameters(prior, float(share))
    gained, accepted = np.diff(tp[at]), np.diff(fp[at])
    switch = ratio(gained, gained + accepted)  # the cost at which two neighbours lose the same; it falls along the hull
    ends = np.concatenate(([0 * share + 1], switch, [0 * share]))
    limits = np.concatenate((ends, [share]))  # at the share of positives the two trivial decisions lose the same
    costs, rests = partial_moments(limits, a, b)
    losses = fp[at] * -np.diff(costs[:-1]) + (positives - tp[at]) * -np.diff(rests[:-1])
    trivial = negatives * costs[-1] + positives * (rests[0] - rests[-1])
    return 1 - ratio(losses.sum(), trivial)


def _parameters(prior: Any, share: float) -> tuple[Any, Any]:
    """Return the two parameters of the distribution of costs."""
    if prior == "prevalence":
        return 1 + share, 2 - share
    return (2.0, 1 / share) if prior == "severity" else tuple(prior)


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
