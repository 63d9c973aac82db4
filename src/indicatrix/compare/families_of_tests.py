"""Families of tests: the verdicts on all pairs of classifiers together, with their intervals.

The family is the pairs of classifiers for one score. Every verdict has an interval that says the same: it has 0 inside unless the
difference is clear. Corrected for a family, the intervals of all its pairs hold together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from ..algebra.arrays import Array
from ..inference.paired.difference import Difference
from ..inference.paired.tests import Answer
from ..inference.stats.quantiles import two_sided
from ..inference.stats.several_tests import Independent, Largest, benjamini_hochberg, far_from_zero, largest_difference

CORRECTIONS = ("max_t", "bh")


@dataclass(frozen=True)
class PairTest:
    """A difference of one pair of classifiers, and the answer of its test; None if there is no test."""

    made: Difference
    pair: tuple[int, int]
    answer: Answer | None = None
    width: float = math.inf  # of the range of the measure, which no difference exceeds

    @property
    def p(self) -> float:
        """The p-value of the test alone."""
        return math.nan if self.answer is None else self.answer.p

    @property
    def hypothesis(self) -> tuple[Any, ...]:
        """What tells tests apart: scores that are the same, or multiples of each other, are one hypothesis."""
        spread = math.nan if self.answer is None else self.answer.spread
        far = abs(self.made.value) / math.sqrt(spread) if spread > 0 else math.inf
        return (*sorted(self.pair), f"{far:.9g}", f"{self.p:.9g}")

    @property
    def counts(self) -> bool:
        """Whether there is a verdict, so that the test counts in its family."""
        return self.answer is not None and not (math.isnan(self.answer.p) and math.isnan(self.answer.probability))


class Correction(Protocol):
    """How p-values are adjusted, and which level of a single interval goes with it."""

    @property
    def limit(self) -> float:
        """The p-value below which a difference is clear."""

    def adjust(self, p: Array) -> Array:
        """Return p-values of the tests, adjusted."""

    def adjust_margins(self, p: Array) -> Array:
        """Return two-sided p-values of other hypotheses about the same differences, adjusted."""


@dataclass(frozen=True)
class Alone:
    """Every test on its own."""

    limit: float

    def adjust(self, p: Array) -> Array:
        """Return the p-values."""
        return p

    adjust_margins = adjust


@dataclass(frozen=True, eq=False)
class Simultaneous:
    """The largest of all differences decides; ``scores`` families hold together (Royen 2014, Šidák)."""

    largest: Largest
    alpha: float
    scores: int = 1

    @property
    def limit(self) -> float:
        """The p-value of a difference that is just as far from 0 as the largest of all may be."""
        share = self.alpha if self.scores == 1 else -math.expm1(math.log1p(-self.alpha) / self.scores)
        return two_sided(self.largest.limit(share))

    def adjust(self, p: Array) -> Array:
        """Return how often the largest of all is as far from 0."""
        one = np.minimum(self.largest.above([far_from_zero(x) for x in p.tolist()]), 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(one if self.scores == 1 else -np.expm1(self.scores * np.log1p(-one)))

    adjust_margins = adjust


@dataclass(frozen=True, eq=False)
class Discoveries:
    """The share of false discoveries, which the intervals of clear ones keep (Benjamini, Yekutieli 2005)."""

    every: Array  # all p-values of the family
    alpha: float

    @property
    def limit(self) -> float:
        """The p-value below which tests are clear: the level times the share of clear ones."""
        clear = int((benjamini_hochberg(self.every) < self.alpha).sum())
        return self.alpha * max(clear, 1) / max(len(self.every), 1)

    def adjust(self, p: Array) -> Array:
        """Return p-values of the family, adjusted."""
        order = np.sort(self.every)
        return np.asarray(benjamini_hochberg(order)[np.searchsorted(order, p)])

    def adjust_margins(self, p: Array) -> Array:
        """Return p-values of other hypotheses so that they are below the level where the intervals say so."""
        return np.asarray(np.minimum(p * (self.alpha / self.limit), 1.0))


def settle(rows: Sequence[Sequence[PairTest]], asked: Any, variances: Any) -> tuple[Difference, ...]:
    """Return the differences of all rows with intervals and verdicts, corrected as is asked for.

    ``variances(row, pairs)`` returns those of further pairs of classifiers, where only some were tested.
    """
    alpha = 1 - asked.level
    families = [[one for row in rows for one in row]] if asked.across_scores else rows
    different = [_different_tests(family) for family in families]
    if asked.correction == "max_t":
        scores = _different_scores(rows) if asked.across_scores else 1
        largest = [_largest(row, partial(variances, place)) for place, row in enumerate(rows)]
        hows: list[Correction] = [
            Alone(alpha) if one == Independent(1) and scores == 1 else Simultaneous(one, alpha, scores) for one in largest
        ]
        sizes = [len(different[0])] * len(rows) if asked.across_scores else [*map(len, different)]
        families = rows
    elif asked.correction == "bh":
        hows, sizes = [Discoveries(p, alpha) for p in map(_known, different)], [*map(len, different)]
    else:
        hows, sizes = [Alone(alpha)] * len(families), [1] * len(families)
    how_many = zip(families, hows, sizes, strict=True)
    facts = {"correction": asked.correction, "across_scores": asked.across_scores}
    return tuple(replace(d, **facts, family=size) for tested, how, size in how_many for d in _decide(tested, how))


def _known(p: Sequence[float]) -> Array:
    given = np.array(p, np.float64)
    return given[~np.isnan(given)]


def _different_tests(tested: Sequence[PairTest]) -> list[float]:
    """Return the p-values of tests that differ: scores that coincide are one hypothesis."""
    return [*{one.hypothesis: one.p for one in tested if one.counts}.values()]


def _different_scores(rows: Sequence[Sequence[PairTest]]) -> int:
    """Return how many scores differ in any of their tests."""
    facts = {frozenset(one.hypothesis for one in row if one.counts) for row in rows}
    return max(len(facts - {frozenset()}), 1)


def _largest(tested: Sequence[PairTest], more: Any) -> Largest:
    """Return the largest difference of the tests of one score."""
    own = [one for one in tested if one.counts]
    pairs = [one.pair for one in own]
    if len(pairs) < 2:
        return Independent(1)
    used = sorted({i for pair in pairs for i in pair})
    known = {frozenset(one.pair): one.answer.spread for one in own if one.answer is not None}
    missing = [(i, j) for at, i in enumerate(used) for j in used[at + 1 :] if frozenset((i, j)) not in known]
    known |= {frozenset(pair): x for pair, x in more(missing).items()} if missing else {}
    place = {i: at for at, i in enumerate(used)}
    variances = np.full((len(used), len(used)), math.nan)
    np.fill_diagonal(variances, 0.0)
    for pair, x in known.items():
        i, j = (place[k] for k in pair)
        variances[i, j] = variances[j, i] = x
    return largest_difference(variances, [(place[i], place[j]) for i, j in pairs])


def _decide(tested: Sequence[PairTest], how: Correction) -> list[Difference]:
    """Return the differences with adjusted p-values, and with the intervals that go with them."""
    every = [one.answer for one in tested if one.answer is not None]
    if not every:
        return [one.made for one in tested]
    alpha, limit = 1 - tested[0].made.level, how.limit
    adjusted = iter(_adjusted(how.adjust, [a.p for a in every]))
    down, up = (iter(_one_sided(how, [getattr(a, name) for a in every])) for name in ("not_lower", "not_higher"))
    done = []
    for one in tested:
        if one.answer is None:
            done.append(one.made)
            continue
        value, answer, p = one.made.value, one.answer, next(adjusted)
        clear = p < alpha if one.counts and not math.isnan(p) else one.counts and _excludes_zero(answer.ends(1 - limit), value)
        low, high = answer.interval(value, 1 - limit, clear=clear)
        margins = next(down), next(up)
        found: dict[str, Any] = {"p": answer.p, "adjusted": p, "probability": answer.probability}
        made = replace(one.made, low=max(low, -one.width), high=min(high, one.width), **found)
        done.append(made if made.margin is None else _with_margins(made, margins))
    return done


def _excludes_zero(ends: tuple[float, float], value: float) -> bool:
    """Return whether an interval is on the side of the value, without 0."""
    return ends[0] > 0 < value or ends[1] < 0 > value


def _with_margins(made: Difference, margins: tuple[float, float]) -> Difference:
    """Return a difference with the one-sided p-values of being below and above the margin."""
    worse = {"higher": margins[0], "lower": margins[1]}.get(made.better, math.nan)
    return replace(made, not_worse=worse, equivalent=max(margins))


def _adjusted(adjust: Callable[[Array], Array], p: Sequence[float]) -> list[float]:
    """Return p-values adjusted; nan stays nan, and 1 stays 1."""
    out = np.array(p, np.float64)
    tested = out < 1
    if tested.any():
        out[tested] = adjust(out[tested])
    return [float(x) for x in out]


def _one_sided(how: Correction, p: Sequence[float]) -> list[float]:
    """Return one-sided p-values adjusted: half of what the same distance has on two sides."""
    two = _adjusted(how.adjust_margins, [2 * x for x in p])
    return [x if x >= 0.5 else y / 2 for x, y in zip(p, two, strict=True)]
