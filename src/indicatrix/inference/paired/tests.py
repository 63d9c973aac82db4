"""Tests of a difference between two classifiers, by name.

Each takes a contrast and returns an interval and p-values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ..distributions.quantiles import student, student_below
from ..intervals.methods import ALMOST
from .contrasts import Contrast

FEW = 10  # disagreements below which only exact tests are shown
NAN = math.nan
FARTHEST, STEPS = 64.0, 60  # standard deviations within which a p-value is searched, and halvings of them


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
        return np.random.default_rng(self.seed)


@dataclass(frozen=True)
class Answer:
    """The ends of an interval of the difference, and the p-values.

    ``p`` is of no difference; ``not_lower`` of a difference below minus the margin; ``not_higher`` of one above the margin.
    """

    low: float
    high: float
    p: float
    not_lower: float = NAN
    not_higher: float = NAN

    @property
    def equivalent(self) -> float:
        """The p-value of a difference beyond the margin: the larger of two one-sided ones."""
        return max(self.not_lower, self.not_higher)


def by_delta(contrast: Contrast, asked: Question) -> Answer:
    """The difference in standard deviations, which come from what each example adds to both scores."""
    if math.isnan(contrast.spread):
        raise ValueError(
            "method='delta' needs slopes, which functions of the whole matrix and min or max have not. Use 'posterior'."
        )
    return normal_answer(asked, contrast.spread, contrast.freedom)


def by_delong(contrast: Contrast, asked: Question) -> Answer:
    """DeLong's test: as by_delta, without a pseudo-example and with a normal distribution."""
    if not hasattr(contrast, "reach"):
        raise ValueError("method='delong' is for areas of scores such as AUC. Use 'delta'.")
    variance = contrast.variance()  # type: ignore[attr-defined]
    return normal_answer(asked, variance or contrast.spread, contrast.left.freedom)  # type: ignore[attr-defined]


def by_score(contrast: Contrast, asked: Question) -> Answer:
    """The difference between the ends of the score intervals of both, as their correlation allows."""
    reach = getattr(contrast, "reach", None)
    if reach is None:
        raise ValueError("method='score' is for areas of scores such as AUC. Use 'delta'.")
    return _answer_with_tails(asked, reach, contrast.freedom)


def _answer_with_tails(asked: Question, reach: Callable[[float], tuple[float, float]], freedom: float) -> Answer:
    """Return the interval and the p-values of a difference whose interval reaches farther to one side.

    The p-value of a difference is that of the interval that just reaches it, so that both always agree.
    """

    def chance(bound: float) -> float:
        side, apart = (0 if bound < asked.value else 1), abs(asked.value - bound)
        low, high = 0.0, FARTHEST
        for _ in range(STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if reach(middle)[side] < apart else (low, middle)
        return student_below(-low, freedom)

    below, above = reach(student(asked.level, freedom))
    answer = Answer(asked.value - below, asked.value + above, min(1.0, 2 * chance(0.0)))
    if asked.margin is None:
        return answer
    outside = [chance(-asked.margin), chance(asked.margin)]
    inside = (asked.value > -asked.margin, asked.value < asked.margin)
    not_lower, not_higher = (p if good else 1 - p for p, good in zip(outside, inside, strict=True))
    return replace(answer, not_lower=not_lower, not_higher=not_higher)


def normal_answer(asked: Question, spread: float, freedom: float = math.inf) -> Answer:
    """Return the interval and the p-values of a difference that is about normal, or t-distributed."""
    half = student(asked.level, freedom) * math.sqrt(spread)
    p = 2 * _beyond(asked.value, 0.0, spread, freedom)
    return Answer(asked.value - half, asked.value + half, p, *_margins(asked, spread, freedom))


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
    first, second, n = found
    answer = replace(_usual(contrast, asked), p=mcnemar(first, second, mid=mid))
    if asked.margin is None or first + second >= FEW:
        return answer
    return replace(answer, not_lower=binomial(second, n, asked.margin), not_higher=binomial(first, n, asked.margin))


def mcnemar(first: int, second: int, *, mid: bool = False) -> float:
    """Return the p-value of McNemar's test, from how often only the one or the other is right.

    >>> round(mcnemar(1, 5), 12), round(mcnemar(1, 5, mid=True), 12), mcnemar(0, 0)
    (0.21875, 0.125, 1.0)
    """
    least, total = min(first, second), first + second
    if first == second:
        return 1.0
    tail = binomial(least, total, 0.5)
    if mid:
        tail -= (tail - binomial(least - 1, total, 0.5)) / 2
    return min(1.0, 2 * tail)


def binomial(k: int, n: int, share: float) -> float:
    """Return the chance of at most k of n events that have this chance each.

    >>> round(binomial(1, 3, 0.5), 12), binomial(-1, 3, 0.5)
    (0.5, 0.0)
    """
    if k < 0:
        return 0.0
    if share >= 1 or k >= n:
        return float(k >= n)
    here = np.arange(1, k + 1)
    steps = np.log((n - here + 1) / here) + math.log(share / (1 - share))
    logs = np.append(0.0, np.cumsum(steps)) + n * math.log1p(-share)
    top = float(logs.max())
    return min(1.0, math.exp(top) * float(np.exp(logs - top).sum()))


def by_permutation(contrast: Contrast, asked: Question) -> Answer:
    """How often a difference so large comes from swapping the predictions of the two at random."""
    differences, share = contrast.swap(asked.rng, asked.draws)
    extreme = np.abs(differences) >= abs(asked.value) - ALMOST
    p = float(share[extreme].sum())
    if not contrast.is_listed():
        p = (p * asked.draws + 1) / (asked.draws + 1)
    return replace(_usual(contrast, asked), p=min(1.0, p))


def by_bootstrap(contrast: Contrast, asked: Question) -> Answer:
    """Percentiles of the difference in samples of examples drawn with replacement."""
    return answer_of_draws(contrast.bootstrap(asked.rng, asked.draws), asked)


def by_posterior(contrast: Contrast, asked: Question) -> Answer:
    """A credible interval of the difference, and twice the smaller chance of a sign."""
    return answer_of_draws(contrast.posterior(asked.rng, asked.draws), asked)


def answer_of_draws(drawn: Array, asked: Question) -> Answer:
    """Return the interval and the p-values of draws of the difference."""
    known = drawn[np.isfinite(drawn)]
    if not len(known):
        return Answer(NAN, NAN, NAN)
    low, high = np.quantile(known, ((1 - asked.level) / 2, (1 + asked.level) / 2))

    def chance(beyond: Array) -> float:
        return (float(beyond.sum()) + 1) / (len(known) + 1)

    p = min(1.0, 2 * min(chance(known <= ALMOST), chance(known >= -ALMOST)))
    if asked.margin is None:
        return Answer(float(low), float(high), p)
    return Answer(float(low), float(high), p, chance(known <= -asked.margin), chance(known >= asked.margin))


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
    answer = TESTS[chosen](contrast, asked)
    return (
        replace(answer, p=NAN, not_lower=NAN, not_higher=NAN),
        chosen,
        f"{_about_few(contrast)} This test is not exact; use {_exact(contrast)}.",
    )


def _exact(contrast: Contrast) -> str:
    if contrast.discordant() is not None:
        return "method='mcnemar'"
    return "method='permutation'" if contrast.is_listed() else "average='exemplar'"


def _about_few(contrast: Contrast) -> str:
    k = contrast.apart
    return f"The two differ in {k} {'example' if k == 1 else 'examples'}: with fewer than {FEW}, only exact tests are shown."


def default_test(contrast: Contrast) -> str:
    """Return the test that a contrast has if none is named."""
    from .contrasts import OfAreas

    few = contrast.apart is not None and contrast.apart < FEW
    if contrast.discordant() is not None:
        return "mcnemar" if few else "mcnemar_mid_p"
    if few and contrast.is_listed():
        return "permutation"
    if isinstance(contrast, OfAreas):
        return "bootstrap" if math.isnan(contrast.spread) else "score"
    return "posterior" if math.isnan(contrast.spread) or not contrast.bounded else "delta"
