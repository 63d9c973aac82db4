"""Confidence sequences: intervals that hold at every look at once.

They hold however often one looks, and whatever one does after a look.

A rate, k of n independent examples, has the sequence of a bettor whose game is fair at the true rate: the mixture of Robbins
(1970), with the bets of Krichevsky and Trofimov (1981). It holds for every n. Other scores have the asymptotic sequence of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024, Annals of Statistics 52:2613): their usual interval, at a level that allows
for all looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..estimators.estimators import Estimator, OfGroups
from ..estimators.of_corrected import OfCorrected
from ..estimators.of_weights import OfMean
from ..estimators.shares import proportion
from ..stats.proportions import Ends
from .methods import Request

SEQUENTIAL = "sequential"
TIGHTEST = 1000  # examples at which an asymptotic sequence is narrowest, next to intervals of one look
CERTAIN = 1 - 1e-13  # a level that floats hardly tell from 1
DRAWN = ("posterior", "percentile", "bca", "replicates")
STEPS = 60


def sequential_ends(estimator: Estimator, request: Request, usual: str, ends: Callable[[Request], Ends]) -> Ends:
    """Return the ends of the confidence sequence of a score.

    ``ends`` gives those of its usual method at a level.
    """
    if isinstance(estimator, OfCorrected):
        raise ValueError(
            "There is no confidence sequence for this score: labels that are corrected by others change with each look. Watch "
            "the rows that have gold labels; intervals of one look, without method=, are of all rows."
        )
    counted = proportion(estimator)
    if counted is not None and all(x == round(x) for x in counted):
        return betting_ends(*counted, request.level)
    if usual in DRAWN:
        raise ValueError(
            f"There is no confidence sequence for this score: its interval is {usual!r}, from draws, and a sequence needs a "
            "formula for how the score varies. Watch a smooth score in a finite range, such as f1, recall or mcc."
        )
    level = level_at(size_of(estimator), request.level)
    return estimator.span if level > CERTAIN else ends(replace(request, level=level))


def betting_ends(k: float, n: float, level: float) -> Ends:
    """Return the rates against which a fair bettor has not won 1 / (1 - level) times his capital.

    >>> [round(end, 3) for k in (0, 10) for end in betting_ends(k, 10, 0.95)], betting_ends(0, 0, 0.95)
    ([0.0, 0.377, 0.623, 1.0], (0.0, 1.0))
    >>> [round(end, 3) for end in betting_ends(80, 100, 0.95)]
    [0.648, 0.909]
    """
    lost = n - k
    won = math.lgamma(k + 0.5) + math.lgamma(lost + 0.5) - math.lgamma(n + 1) - math.log(math.pi) + math.log(1 - level)

    def end(bound: float, against: float) -> float:
        """Return the last rate next to a bound that the examples ``against`` it rule out."""
        outside, inside = bound, k / n if against else bound
        for _ in range(STEPS):
            middle = (outside + inside) / 2
            ruled_out = middle in (0, 1) or won - k * math.log(middle) - lost * math.log1p(-middle) >= 0
            outside, inside = (middle, inside) if ruled_out else (outside, middle)
        return outside

    return end(0.0, k), end(1.0, lost)


def level_at(n: float, level: float) -> float:
    """Return the level of an interval of n examples that makes all intervals together hold at a level.

    >>> [round(level_at(n, 0.95), 5) for n in (100, 1000, 100_000)], level_at(0, 0.95)
    ([0.99988, 0.9976, 0.99963], 1.0)
    """
    if not n > 0:
        return 1.0
    far = -2 * math.log(1 - level)
    ahead = n * (far + math.log(far + 1)) / TIGHTEST
    return math.erf(math.sqrt((ahead + 1) / ahead * (math.log(ahead + 1) + far) / 2))


def size_of(estimator: Any) -> float:
    """Return how many examples or clusters were sampled; with weights, how many effective ones."""
    if isinstance(estimator, OfGroups):
        return sum(map(size_of, estimator.parts))
    if isinstance(estimator, OfMean):
        return float(estimator.times.sum() if estimator.clusters is None else estimator.clusters.max() + 1)
    from ..estimators.of_units import OfUnits  # areas, which few intervals load

    return float(estimator.sampled.things if isinstance(estimator, OfUnits) else estimator.sample.n)
