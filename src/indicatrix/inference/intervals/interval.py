"""Intervals: a score and the numbers between which its true value is expected to lie; the methods.

A method takes an estimator and returns the ends.

Confidence sequences are intervals that hold at every look at once, however often one looks, and whatever one does after a look.

A rate, k of n independent examples, has the sequence of a bettor whose game is fair at the true rate: the mixture of Robbins
(1970), with the bets of Krichevsky and Trofimov (1981). It holds for every n. Other scores have the asymptotic sequence of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024, Annals of Statistics 52:2613): their usual interval, at a level that allows
for all looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Name, score_name
from ...algebra.ends import float_of_value, format_with_ends, refuse_order, round_with_ends
from ...algebra.score import Undefined
from ...words.call_mistakes import answers_mistakes
from ...words.wording import no_attribute
from ..estimators.estimators import Estimator, OfGroups, jackknife_variance
from ..estimators.lowest_at_margins import span_at_margins
from ..estimators.of_corrected import OfCorrected
from ..estimators.of_weights import OfMean
from ..estimators.rates import proportion
from ..sampling.draw_weights import DRAWS, generator
from ..stats.proportions import Ends
from ..stats.quantiles import normal, student

OTHER_ATTRIBUTES = {  # what people look for, and where it is
    "to_json": "interval.to_dict() has its numbers and texts, for json.dumps.",
    **dict.fromkeys(("lower", "upper", "ends", "bounds"), "Its ends are .low and .high: low, high = interval."),
    **dict.fromkeys(("score", "mean", "estimate", "point"), "The score is .value, or float(interval)."),
}


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Interval:
    """A score with the interval that covers its true value in a share ``level`` of samples like this one.

    Attributes
    ----------
    value : float
        The score of the sample.
    low, high : float
        The ends of the interval; nan where the score is undefined.
    level : float
        The share of samples whose interval covers the true value, such as 0.95.
    method : str
        How it was found, such as "score", "wilson" or "bca".
    note : str
        What a reader should know: classes with too few examples, values that a convention fixes.
    measure : Measure
        What was measured.
    average : str, tuple or None
        How the values of the units became one number.
    undefined : str or number
        What an undefined value does.
    warning : str
        The part of the note that says what makes the interval unreliable or wide.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.from_confusion([[40, 10], [5, 45]]).interval("recall", "micro")
    0.85 [0.77, 0.91] (95%, mid_p)
    >>> f"{ix.from_confusion([[40, 10], [5, 45]]).interval('recall', 'micro'):.1%}"
    '85.0% [77.0%, 91.0%]'
    """

    value: float
    low: float
    high: float
    level: float
    method: str
    note: str = ""
    measure: Any = None
    average: Name | None = None
    undefined: Undefined = "exclude"
    warning: str = ""  # the part of the note that is about this interval, not about the score

    @property
    def width(self) -> float:
        """The distance of the ends."""
        return self.high - self.low

    def __contains__(self, number: float) -> bool:
        return bool(self.low <= number <= self.high)

    def __iter__(self) -> Iterator[float]:
        """Yield the two ends, so that ``low, high = ev.interval(…)`` works."""
        return iter((self.low, self.high))

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends
    __lt__ = __le__ = __gt__ = __ge__ = refuse_order

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "An interval", name, OTHER_ATTRIBUTES)

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"

    def __repr__(self) -> str:
        return f"{self} ({100 * self.level:.4g}%, {self.method})"

    def _name(self) -> str:
        return score_name(self.measure, self.average)

    def _repr_html_(self) -> str:
        from ...report.notebook import uncertain_html

        return uncertain_html(self, self._name() if self.measure is not None else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as plain numbers and texts, as ``json.dumps`` takes them.

        Returns
        -------
        dict
            score, value, low, high, level, method and note.

        Examples
        --------
        >>> import json
        >>> import indicatrix as ix
        >>> json.dumps(ix.from_confusion([[40, 10], [0, 50]]).interval("recall", "micro", method="wilson").to_dict())[:44]
        '{"score": "micro recall", "value": 0.9, "low'
        """
        numbers = {name: float(getattr(self, name)) for name in ("value", "low", "high", "level")}
        return {"score": self._name() if self.measure is not None else "", **numbers, "method": self.method, "note": self.note}

    def describe(self) -> str:
        """Return the interval in a sentence, with the note.

        Returns
        -------
        str
            A sentence to quote.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.from_confusion([[40, 10], [5, 45]]).interval("f1", "macro").describe()
        'macro f1: 0.85 [0.767, 0.908], 95% score interval.'
        """
        return f"{self._name()}: {self}, {100 * self.level:.4g}% {self.method} interval.{self.note and f' {self.note}'}"


ALMOST = 1e-12  # replicates that differ by less from the score count as equal to it
FLAT = 1e-6  # a skewness that moves no end


@dataclass(frozen=True)
class Request:
    """What a method has to know: the level, how many replicates, and how they are drawn."""

    level: float
    seed: int = 0
    draws: int = 2000
    stratified: bool = False

    @property
    def rng(self) -> np.random.Generator:
        """A generator that starts anew: the same seed gives the same interval."""
        return generator(self.seed)

    @property
    def tails(self) -> tuple[float, float]:
        """The shares below the lower and below the upper end."""
        return (1 - self.level) / 2, (1 + self.level) / 2


Method = Callable[[Estimator, Request], Ends]


def by_score(estimator: Estimator, request: Request) -> Ends:
    """Wilson's interval at the effective sample size of the variance of the score: the default."""
    return estimator.center().ends(span_at_margins(estimator), request.level)


def by_delta(estimator: Estimator, request: Request) -> Ends:
    """The score plus and minus standard deviations from its slopes."""
    return _around(estimator, estimator.variance(), request)


def by_jackknife(estimator: Estimator, request: Request) -> Ends:
    """The score plus and minus standard deviations from leaving out one at a time."""
    return _around(estimator, jackknife_variance(*estimator.without_each()), request)


def by_skewed(estimator: Estimator, request: Request) -> Ends:
    """The same, with ends that are moved as far as the skewness of the score tells.

    A cubic of the distance in standard deviations has almost no skewness left, and is solved for the distance (Hall 1992, Journal
    of the Royal Statistical Society B 54:221-228). Where most values are small and a few are large, as losses are, the truth is
    often far above the mean of a sample, and rarely far below.
    """
    left, times = estimator.without_each()
    known = np.isfinite(left)
    left, times = left[known], times[known]
    if not len(left):
        return math.nan, math.nan
    apart = times @ left / times.sum() - left
    squares = float(times @ apart**2)
    skewness = float(times @ apart**3) / squares**1.5 if squares > 0 else 0.0
    quantile = student(request.level, max(min(estimator.freedom, float(times.sum()) - 1), 1.0))
    sd = math.sqrt(jackknife_variance(left, times))
    far = [sd * _without_skewness(way, skewness) for way in (quantile, -quantile)]
    return _inside(estimator, estimator.value - far[0], estimator.value - far[1])


def _without_skewness(quantile: float, skewness: float) -> float:
    """Return the quantile of a distance with this skewness, from a quantile without any.

    >>> round(_without_skewness(2.0, 1e-12), 9), _without_skewness(-2.0, 0.5) < -2 < 0 < _without_skewness(2.0, 0.5) < 2
    (2.0, True)
    """
    if abs(skewness) < FLAT:
        return quantile
    return float(np.cbrt(1 + skewness * (quantile - skewness / 6)) - 1) * 3 / skewness


def _around(estimator: Estimator, spread: float, request: Request) -> Ends:
    quantile = student(request.level, estimator.freedom) if math.isfinite(estimator.freedom) else normal(request.level)
    half = quantile * math.sqrt(spread)
    return _inside(estimator, estimator.value - half, estimator.value + half)


def _inside(estimator: Estimator, low: float, high: float) -> Ends:
    return max(low, estimator.span[0]), min(high, estimator.span[1])


def by_posterior(estimator: Estimator, request: Request) -> Ends:
    """Quantiles of draws from the posterior: a credible interval.

    The prior is one example, half of it right and half of it wrong.
    """
    return _quantiles(estimator, estimator.posterior(request.rng, request.draws), request.tails)


def _percentile(kind: str) -> Method:
    def method(estimator: Estimator, request: Request) -> Ends:
        scores, _ = estimator.replicates(DRAWS[kind](request.rng), request.draws, request.stratified)
        return _quantiles(estimator, scores, request.tails)

    return method


def _quantiles(estimator: Estimator, scores: Array, tails: tuple[float, float]) -> Ends:
    known = scores[np.isfinite(scores)]
    if not len(known):
        return math.nan, math.nan
    low, high = np.quantile(known, tails)
    return _inside(estimator, float(low), float(high))  # parts of examples may lead out of the range of counts


def by_bca(estimator: Estimator, request: Request) -> Ends:
    """Percentiles of the bootstrap, corrected for bias and for a spread that changes (Efron's BCa)."""
    scores, _ = estimator.replicates(DRAWS["multinomial"](request.rng), request.draws, request.stratified)
    scores = np.sort(scores[np.isfinite(scores)])
    left, times = estimator.without_each()
    known = np.isfinite(left)
    if not len(scores) or not known.any():
        return math.nan, math.nan
    left, times, k = left[known], times[known], len(scores)
    apart = np.average(left, weights=times) - left
    spread = float(times @ apart**2)
    acceleration = float(times @ apart**3) / (6 * spread**1.5) if spread > 0 else 0.0
    below = ((scores < estimator.value - ALMOST).sum() + (scores <= estimator.value + ALMOST).sum()) / (2 * k)
    from statistics import NormalDist

    standard = NormalDist()
    shift = standard.inv_cdf(min(max(below, 0.5 / k), 1 - 0.5 / k))
    ends = []
    for tail in request.tails:
        z = shift + standard.inv_cdf(tail)
        share = standard.cdf(shift + z / (1 - acceleration * z))
        ends.append(float(scores[min(max(int(share * k), 0), k - 1)]))
    return ends[0], ends[1]


def by_studentized(estimator: Estimator, request: Request) -> Ends:
    """The bootstrap of the distance from the truth in standard deviations of each replicate."""
    scores, spreads = estimator.replicates(DRAWS["multinomial"](request.rng), request.draws, request.stratified)
    if not estimator.smooth or np.isnan(spreads).all():
        raise ValueError("A studentized bootstrap needs the variance of each replicate, which this score has not. Use 'bca'.")
    spread = estimator.variance()
    known = np.isfinite(scores) & (spreads > 0)
    if not known.any() or not spread > 0:
        return estimator.value, estimator.value
    t_low, t_high = np.quantile((scores[known] - estimator.value) / np.sqrt(spreads[known]), request.tails)
    return _inside(
        estimator, estimator.value - float(t_high) * math.sqrt(spread), estimator.value - float(t_low) * math.sqrt(spread)
    )


METHODS: dict[str, Method] = {
    "score": by_score,
    "delta": by_delta,
    "jackknife": by_jackknife,
    "skewed": by_skewed,
    "posterior": by_posterior,
    "percentile": _percentile("multinomial"),
    "poisson": _percentile("poisson"),
    "gamma": _percentile("gamma"),
    "bca": by_bca,
    "studentized": by_studentized,
}


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
