"""Tests of a difference between two classifiers, by name.

Each takes a contrast and returns an interval and p-values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.ends import wilson
from ...words.wording import number_of
from ..intervals.interval import ALMOST
from ..sampling.draw_weights import generator
from ..stats.proportions import Ends
from ..stats.quantiles import normal, student, student_below
from ..stats.several_tests import ends_of_verdict, p_text
from .contrasts import Contrast
from .resampled import Draws

FEW = 10  # disagreements below which only an exact test has a p-value
FARTHEST, HALVINGS = 40.0, 60  # standard deviations up to which a p-value is looked for, and how often the range is halved
NAN = math.nan


def check_margin(margin: Any) -> None:
    """Refuse what is not a difference that does not matter."""
    if margin is not None and not (isinstance(margin, int | float) and math.isfinite(margin) and margin > 0):
        raise ValueError(f"margin={margin!r} must be a difference above 0 that does not matter, such as 0.02.")


@dataclass(frozen=True)
class Question:
    """What a test has to know: the difference, the level, the margin, and how replicates are drawn."""

    value: float
    level: float = 0.95
    margin: float | None = None
    seed: int = 0
    draws: int = 2000

    @property
    def rng(self) -> np.random.Generator:
        """A generator that starts anew: the same seed gives the same test."""
        return generator(self.seed)


@dataclass(frozen=True)
class Answer:
    """The interval of a difference at any level, and the p-values.

    ``p`` is of no difference; ``not_lower`` of a difference below minus the margin; ``not_higher`` of one above the margin, both
    one-sided. Posterior draws have no p: ``probability`` is that of a difference above 0, and the other two are probabilities.
    """

    ends: Callable[[float], Ends]
    p: float
    spread: float  # the variance of the difference, from which follows how it goes together with others
    not_lower: float = NAN
    not_higher: float = NAN
    probability: float = NAN

    @property
    def equivalent(self) -> float:
        """The p-value of a difference beyond the margin: the larger of two one-sided ones."""
        return max(self.not_lower, self.not_higher)

    def with_p(self, p: float, value: float) -> Answer:
        """Return the answer with the p-value of another test; what is better is not worse, either."""
        p = 1.0 if value == 0 else p
        down, up = (
            min(own, p / 2) if ahead else own for own, ahead in ((self.not_lower, value > 0), (self.not_higher, value < 0))
        )
        return replace(self, p=p, not_lower=down, not_higher=up, probability=NAN)

    def without_p(self) -> Answer:
        """Return the answer without p-values, where the test is not exact enough."""
        return replace(self, p=NAN, not_lower=NAN, not_higher=NAN, probability=NAN)

    def interval(self, value: float, level: float, *, clear: bool) -> Ends:
        """Return the interval that goes with a verdict: it has 0 inside unless the difference is clear."""
        return ends_of_verdict(self.ends(level), value, clear=clear, p=self.p, level=level)


def by_delta(contrast: Contrast, asked: Question) -> Answer:
    """The difference in standard deviations, which come from what each example adds to both scores."""
    if math.isnan(contrast.spread):
        raise ValueError("method='delta' needs slopes, which formulas with min, max or abs have not everywhere. Use 'posterior'.")
    return normal_answer(asked, contrast.spread, contrast.freedom)


def by_delong(contrast: Contrast, asked: Question) -> Answer:
    """DeLong's test: as by_delta, without a pseudo-example and with a normal distribution."""
    if not hasattr(contrast, "reach"):
        raise ValueError("method='delong' is for areas of scores such as AUC. Use 'delta'.")
    variance = contrast.variance()
    return normal_answer(asked, variance or contrast.spread, contrast.left.freedom)  # type: ignore[attr-defined]


def by_score(contrast: Contrast, asked: Question) -> Answer:
    """The difference between the ends of the score intervals of both, as their correlation allows."""
    reach = getattr(contrast, "reach", None)
    if reach is None:
        raise ValueError("method='score' is for areas of scores such as AUC. Use 'delta'.")
    return _answer_with_tails(asked, reach, contrast)


def _answer_with_tails(asked: Question, reach: Callable[[float], tuple[float, float]], contrast: Contrast) -> Answer:
    """Return the interval and the p-values of a difference whose interval reaches farther to one side.

    The p-value of a difference is that of the interval that just reaches it, so that both always agree.
    """

    def around(deviations: float) -> Ends:
        below, above = reach(deviations)
        return asked.value - below, asked.value + above

    def ends(level: float) -> Ends:
        return around(student(level, contrast.freedom))

    def beyond(bound: float, sign: int) -> float:
        return student_below(-sign * deviations_from(around, asked.value, bound), contrast.freedom)

    p = 2 * min(beyond(0.0, 1), beyond(0.0, -1))
    if asked.margin is None:
        return Answer(ends, p, contrast.spread)
    return Answer(ends, p, contrast.spread, beyond(-asked.margin, 1), beyond(asked.margin, -1))


def normal_answer(asked: Question, spread: float, freedom: float = math.inf) -> Answer:
    """Return the interval and the p-values of a difference that is about normal, or t-distributed."""

    def ends(level: float) -> Ends:
        half = student(level, freedom) * math.sqrt(spread)
        return asked.value - half, asked.value + half

    p = 2 * _beyond(asked.value, 0.0, spread, freedom)
    return Answer(ends, p, spread, *_margins(asked, spread, freedom))


def _usual(contrast: Contrast, asked: Question) -> Answer:
    """Return the answer of the delta method, or of draws where there are no slopes."""
    return by_posterior(contrast, asked) if math.isnan(contrast.spread) else by_delta(contrast, asked)


def _beyond(value: float, bound: float, spread: float, freedom: float) -> float:
    """Return the chance of being so far from a bound; a half if nothing varies and nothing is apart."""
    apart = abs(value - bound)
    if not spread > 0:
        return 0.0 if apart > 0 else 0.5
    return student_below(-apart / math.sqrt(spread), freedom)


def _margins(asked: Question, spread: float, freedom: float) -> tuple[float, float]:
    if asked.margin is None:
        return NAN, NAN
    far = [_beyond(asked.value, bound, spread, freedom) for bound in (-asked.margin, asked.margin)]
    inside = (asked.value > -asked.margin, asked.value < asked.margin)
    return tuple(p if good else 1 - p for p, good in zip(far, inside, strict=True))  # type: ignore[return-value]


def by_mcnemar(contrast: Contrast, asked: Question) -> Answer:
    """McNemar's test, exact: whether the disagreements are a fair coin."""
    return _mcnemar(contrast, asked, mid=False)


def by_mid_p(contrast: Contrast, asked: Question) -> Answer:
    """McNemar's test that counts half of the outcomes as likely as the one seen (mid-p)."""
    return _mcnemar(contrast, asked, mid=True)


def _mcnemar(contrast: Contrast, asked: Question, *, mid: bool) -> Answer:
    found = contrast.discordant()
    if found is None:
        raise ValueError(
            "McNemar's test is for the share of examples that are right, such as accuracy or recall, without weights. "
            "Use 'delta' or 'permutation'."
        )
    first, second, _ = found
    answer = _usual(contrast, asked) if first + second >= FEW else _of_few(contrast, asked, found)
    return answer.with_p(mcnemar(first, second, mid=mid), asked.value)


def _of_few(contrast: Contrast, asked: Question, found: tuple[int, int, int]) -> Answer:
    """Return the answer from Newcombe's interval, which is honest with few disagreements."""

    def ends(level: float) -> Ends:
        return paired_shares(*found, normal(level))

    def beyond(bound: float, sign: int) -> float:
        return NormalDist().cdf(-sign * deviations_from(lambda z: paired_shares(*found, z), asked.value, bound))

    spread = contrast.spread
    if asked.margin is None:
        return Answer(ends, NAN, spread)
    return Answer(ends, NAN, spread, beyond(-asked.margin, 1), beyond(asked.margin, -1))


def paired_shares(first: int, second: int, n: int, z: float) -> Ends:
    """Return the ends of an interval for the difference of two shares of the same n examples.

    ``first`` and ``second`` are how often only the one or the other is right. Each has Wilson's interval; the distances from
    their ends are squared and added, with the correlation of two cells of a table (Newcombe 1998, Zou and Donner 2008).

    >>> [round(end, 4) for end in paired_shares(0, 0, 100, 1.96)]
    [-0.037, 0.037]
    """
    a, b = first / n, second / n
    (a_low, a_high), (b_low, b_high) = wilson(a, n, z), wilson(b, n, z)
    together = -math.sqrt(a * b / ((1 - a) * (1 - b))) if a * b else 0.0

    def apart(x: float, y: float) -> float:
        return math.sqrt(max(x * x - 2 * together * x * y + y * y, 0.0))

    return a - b - apart(a - a_low, b_high - b), a - b + apart(a_high - a, b - b_low)


def deviations_from(ends: Callable[[float], Ends], value: float, bound: float) -> float:
    """Return how many standard deviations an interval has that just reaches a bound below it.

    ``ends`` takes how many standard deviations the interval has on each side.

    >>> [round(deviations_from(lambda z: (3 - z, 3 + 2 * z), 3.0, bound), 6) for bound in (1.0, 4.0)]
    [2.0, -0.5]
    """
    above = value > bound
    near, far = 0.0, FARTHEST
    for _ in range(HALVINGS):
        z = (near + far) / 2
        low, high = ends(z)
        near, far = (near, z) if (low <= bound if above else high >= bound) else (z, far)
    return far if above else -far


def mcnemar(first: int, second: int, *, mid: bool = False) -> float:
    """Return the p-value of McNemar's test, from how often only the one or the other is right.

    >>> round(mcnemar(1, 5), 12), round(mcnemar(1, 5, mid=True), 12), mcnemar(0, 0)
    (0.21875, 0.125, 1.0)
    """
    least, total = min(first, second), first + second
    if first == second:
        return 1.0
    logs = _log_chances(least, total)
    tail = _sum_of(logs)
    if mid:
        tail -= (tail - _sum_of(logs[:-1])) / 2
    return min(1.0, 2 * tail)


def _log_chances(k: int, n: int) -> Array:
    """Return the logarithms of the chances that 0, 1, … k of n throws of a fair coin are heads."""
    here = np.arange(1, k + 1)
    return np.append(0.0, np.cumsum(np.log((n - here + 1) / here))) + n * math.log(0.5)


def _sum_of(logs: Array) -> float:
    """Return the sum of chances, given their logarithms."""
    if not len(logs):
        return 0.0
    top = float(logs.max())
    return min(1.0, math.exp(top) * float(np.exp(logs - top).sum()))


def by_permutation(contrast: Contrast, asked: Question) -> Answer:
    """How often a difference so large comes from swapping the predictions of the two at random."""
    differences, share = contrast.swap(asked.rng, asked.draws)
    extreme = np.abs(differences) >= abs(asked.value) - ALMOST
    p = float(share[extreme].sum())
    if not contrast.is_listed():
        p = (p * asked.draws + 1) / (asked.draws + 1)
    return _usual(contrast, asked).with_p(min(1.0, p), asked.value)


def by_bootstrap(contrast: Contrast, asked: Question) -> Answer:
    """Percentiles of the difference in samples of examples drawn with replacement."""
    return bootstrap_answer(contrast.bootstrap(asked.rng, asked.draws), asked)


def bootstrap_answer(drawn: Array, asked: Question) -> Answer:
    """Return the interval and the p-values of differences in samples drawn with replacement."""
    found = Draws.of(drawn)
    p = min(1.0, 2 * min(found.below(ALMOST), found.above(-ALMOST))) if found.count else NAN
    return _answer_of_draws(found, asked).with_p(p, asked.value)


def by_posterior(contrast: Contrast, asked: Question) -> Answer:
    """A credible interval of the difference, and the probability that it is above 0."""
    return _answer_of_draws(Draws.of(contrast.posterior(asked.rng, asked.draws)), asked)


def _answer_of_draws(found: Draws, asked: Question) -> Answer:
    """Return the interval and the probabilities of draws of the difference."""
    if not found.count:
        return Answer(lambda level: (NAN, NAN), NAN, NAN)
    down, up = (NAN, NAN) if asked.margin is None else (found.below(-asked.margin), found.above(asked.margin))
    return Answer(found.ends, NAN, found.variance, down, up, found.above(0.0, ties=0.5))


Test = Callable[[Contrast, Question], Answer]
TESTS: dict[str, Test] = {
    "delta": by_delta,
    "mcnemar": by_mcnemar,
    "mcnemar_mid_p": by_mid_p,
    "permutation": by_permutation,
    "bootstrap": by_bootstrap,
    "posterior": by_posterior,
    "score": by_score,
    "delong": by_delong,
}
EXACT = ("mcnemar", "permutation")
NAMES = {  # in sentences
    "delta": "paired delta",
    "mcnemar": "exact McNemar",
    "mcnemar_mid_p": "McNemar mid-p",
    "permutation": "permutation",
    "bootstrap": "paired bootstrap",
    "posterior": "posterior draws",
    "score": "paired score",
    "delong": "DeLong",
    "halves": "paired halves of the sample",
    "unpaired": "unpaired",
}


def run_test(contrast: Contrast, asked: Question, method: str | None) -> tuple[Answer, str, str]:
    """Return the answer, the method and a note; with few disagreements, only an exact test has a p-value."""
    chosen = method or default_test(contrast)
    few = contrast.apart is not None and contrast.apart < FEW
    if not few or chosen in EXACT:
        return TESTS[chosen](contrast, asked), chosen, _about_few(contrast) if few and method is None else ""
    return (
        TESTS[chosen](contrast, asked).without_p(),
        chosen,
        f"{_about_few(contrast, shown=False)} This test is not exact; use {_exact(contrast)}.",
    )


def _exact(contrast: Contrast) -> str:
    if contrast.discordant() is not None:
        return "method='mcnemar'"
    return "method='permutation'" if contrast.is_listed() else "average='exemplar'"


def _about_few(contrast: Contrast, shown: bool = True) -> str:
    clustered = not math.isinf(contrast.freedom) if contrast.clustered is None else contrast.clustered
    k, sampled = contrast.apart or 0, "cluster" if clustered else "example"
    least = f", which gives {p_text(2.0 ** (1 - k))} at the least" if sampled == "cluster" and k > 1 else ""
    told = "so p is that of an exact test" if shown else "so p is shown only for an exact test"
    return f"The two differ in {number_of(k, sampled)}, fewer than {FEW}, {told}{least}."


def default_test(contrast: Contrast) -> str:
    """Return the test that a contrast has if none is named."""
    few = contrast.apart is not None and contrast.apart < FEW
    if contrast.discordant() is not None:
        return "mcnemar" if few else "mcnemar_mid_p"
    if few and contrast.is_listed():
        return "permutation"
    if hasattr(contrast, "reach"):
        return "bootstrap" if math.isnan(contrast.spread) else "score"
    return "posterior" if math.isnan(contrast.spread) or not contrast.bounded else "delta"
