"""How many examples an interval of some width needs, or a test of two classifiers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import score_name
from ...algebra.numbers.quantiles import share_below
from ...algebra.score import Score
from ...words.wording import did_you_mean
from ..estimators.clustered import read_clusters
from ..estimators.of_source import estimate, holds_labels, score_of
from ..intervals.few_examples import warn_about
from ..intervals.interval import Interval, Request
from ..intervals.method_choice import find_ends
from ..intervals.of_score import DRAWS, interval
from ..paired.contrasts import Contrast
from ..paired.tests import FEW
from ..sampling.score_function import is_smooth
from ..stats.proportions import PROPORTIONS
from ..stats.quantiles import normal, student
from .power import AssumedClusters, Power, examples_for, least, rejection

EQUAL = 1e-12  # scores that differ by less count as equal
EXACT = 2000  # expected disagreements up to which the power is summed
FAR = 7.0  # standard deviations beyond which numbers of disagreements do not count
AHEAD = 8  # numbers of examples in a row that must reach the power, because it goes up and down a little


def plan_rate(
    rate: float, width: float, level: float, n: int | None, method: str | None, clusters: AssumedClusters | None = None
) -> Power:
    """Return how many examples the interval of an assumed rate needs to be so narrow."""
    if not 0 <= rate <= 1:
        raise ValueError(f"rate={rate!r} must be a share from 0 to 1, such as 0.9.")
    if not width < 1:
        raise ValueError(f"width={width!r}: every interval of a rate is narrower than 1. Name a smaller width, such as 0.05.")
    chosen = method or "mid_p"
    if chosen not in PROPORTIONS:
        hint = did_you_mean(chosen, [*PROPORTIONS])
        raise ValueError(
            f"method={method!r} is not an interval of a rate. {hint + ' ' if hint else ''}Choose from {', '.join(PROPORTIONS)}."
        )

    def width_at(k: float) -> float:
        low, high = PROPORTIONS[chosen](rate * k, k, level)
        return high - low

    needed = least(lambda k: width_at(k) <= width, 4 * rate * (1 - rate) / width**2)
    note = ""
    if clusters is not None:
        needed = clusters.examples(needed)
        note = clusters.note(needed)
    present = None if n is None else width_at(n if clusters is None else n / clusters.effect)
    return Power(needed, None, width, level, n, None, present, (rate,), None, None, "A rate", (), chosen, note)


def plan_width(
    source: Any, measure: Any, average: Any, width: float, level: float, method: str | None, undefined: Any, clusters: Any = None
) -> Power:
    """Return how many examples like those of an evaluation or a sweep an interval needs to be so narrow."""
    now = interval(source, measure, average, level=level, method=method, undefined=undefined, clusters=clusters)
    what = score_name(now.measure, now.average)
    if not math.isfinite(now.width):
        raise ValueError(f"{what} is undefined here, so its interval cannot be planned. {now.note}")
    low, high = now.measure.range
    if width >= high - low:
        raise ValueError(f"width={width!r}: {what} lies between {low:g} and {high:g}, so every interval is narrower.")
    if clusters is not None:
        return _plan_clusters(now, what, width, source.n, _number_of_clusters(source, clusters))
    guess, request = source.n * (now.width / width) ** 2, Request(level, 0, DRAWS)
    score = score_of(source, now.measure, average, undefined)
    estimator = None if now.method == "replicates" else estimate(source, now.measure, score, None)
    if estimator is None or estimator.scaled(1.0) is None:
        note = "The number follows from the width now, which shrinks with the square root of the number of examples."
        return Power(
            math.ceil(guess), None, width, level, source.n, None, now.width, (now.value,), None, None, what, (), now.method, note
        )

    def at(n: float) -> Any:
        return estimator.scaled(n / source.n)

    def reaches(n: int) -> bool:
        ends = find_ends(at(n), now.method, request)
        return ends[1] - ends[0] <= width

    needed = least(reaches, guess)
    note = "" if math.isinf(needed) else warn_about(source, at(needed))
    return Power(needed, None, width, level, source.n, None, now.width, (now.value,), None, None, what, (), now.method, note)


def _number_of_clusters(source: Any, clusters: Any) -> int:
    """Return how many clusters an evaluation or a sweep has."""
    if holds_labels(source):
        return len(source.tally.sizes_of(clusters))
    found = read_clusters(clusters, source.n, None if source.rows is None else source.rows.groups)
    return 0 if found is None else int(found.max()) + 1


def _plan_clusters(now: Interval, what: str, width: float, n: int, clusters: int) -> Power:
    """Return how many examples an interval needs if clusters like the present ones are sampled.

    Its width shrinks with the square root of their number, and with the quantile of t for so many.
    """
    size, quantile = n / clusters, student(now.level, clusters - 1)

    def reaches(k: int) -> bool:
        if k < 2:
            return False
        return now.width * math.sqrt(clusters / k) * student(now.level, k - 1) / quantile <= width

    needed = least(reaches, clusters * (now.width / width) ** 2)
    examples = math.ceil(needed * size) if math.isfinite(needed) else needed
    note = f"These are about {needed:,.0f} clusters of {size:.3g} examples like the present {clusters:,}."
    return Power(examples, None, width, now.level, n, None, now.width, (now.value,), None, None, what, (), now.method, note)


def plan_accuracies(
    accuracy: Any,
    disagreement: float | None,
    power: float,
    level: float,
    n: int | None,
    clusters: AssumedClusters | None = None,
) -> Power:
    """Return how many examples McNemar's exact test needs: Connor's number, corrected by the power."""
    try:
        one, other = map(float, accuracy)
    except (TypeError, ValueError):
        one = other = math.nan
    if not (0 <= one <= 1 and 0 <= other <= 1):
        raise ValueError(f"accuracy={accuracy!r} must be two shares from 0 to 1, such as (0.90, 0.92).")
    apart, note = one - other, ""
    if disagreement is None:
        disagreement = one * (1 - other) + other * (1 - one)
        note = f"The errors are taken as independent: of {100 * disagreement:.3g}% of examples only one of the two is right."
    low, high = abs(apart), min(one + other, 2 - one - other)
    if not low - EQUAL <= disagreement <= high + EQUAL:
        raise ValueError(
            f"disagreement={disagreement!r} does not fit accuracy=({one:g}, {other:g}): the share of examples of which only one "
            f"is right lies between {low:.6g} and {high:.6g}."
        )
    null, spread = math.sqrt(disagreement), math.sqrt(max(disagreement - apart**2, 0.0))
    if abs(apart) < EQUAL:
        needed, apart = math.inf, 0.0
    else:
        plan = McNemarPlan(disagreement, apart, level)
        needed = plan.examples_for(power, examples_for(power, level, apart, spread, null))
        note = " ".join(filter(None, [note, _on_few(needed * disagreement)]))
    effect = 1.0
    if clusters is not None:
        needed, effect = clusters.examples(needed), clusters.effect
        note = " ".join(filter(None, [note, clusters.note(needed)]))
    present = None if n is None else McNemarPlan(disagreement, apart, level).power(int(n / effect))
    names, method = ("the first", "the second"), "McNemar's exact test"
    return Power(needed, power, None, level, n, present, None, (one, other), apart, None, "Accuracy", names, method, note)


def _on_few(disagreements: float) -> str:
    if disagreements >= FEW:
        return ""
    return (
        f"This many examples have about {disagreements:.2g} disagreements: with fewer than {FEW}, a normal approximation does "
        "not hold; plan for more, and use an exact test."
    )


def plan_difference(
    contrast: Contrast,
    scores: tuple[Score, Score],
    names: tuple[str, str],
    n: int,
    power: float,
    level: float,
    wanted: float | None,
    clusters: int | None = None,
) -> Power:
    """Return how many examples the paired z test needs, from a difference on n examples."""
    measure: Any = scores[0].measure
    what = score_name(measure, scores[0].average)
    variance = contrast.variance()
    if math.isnan(variance):
        raise ValueError(
            f"{what} cannot be planned: what each example adds to it is not known. Plan 'auc' or 'average_precision'."
        )
    apart = float(scores[0]) - float(scores[1])
    apart = apart if abs(apart) > EQUAL else 0.0
    error, goal = math.sqrt(variance), apart if wanted is None else wanted
    needed = examples_for(power, level, goal, error * math.sqrt(n))
    notes = [] if contrast.apart is None or math.isinf(needed) else [_on_few(contrast.apart * needed / n)]
    if clusters is not None and math.isfinite(needed):
        notes.append(f"These are about {math.ceil(needed * clusters / n):,} clusters like the present {clusters:,}.")
    if scores[0].undefined_units != scores[1].undefined_units:
        notes.append("The two means are over different classes, because other classes are undefined for each.")
    if not is_smooth(measure):
        notes.append("The formula has corners, so the variance by slopes holds only away from them.")
    return Power(
        needed,
        power,
        None,
        level,
        n,
        rejection(goal, error, level) if goal else 1 - level,
        None,
        (float(scores[0]), float(scores[1])),
        goal,
        math.erfc(abs(apart) / error / math.sqrt(2)) if error else float(apart == 0),
        what,
        names,
        "a paired z test",
        " ".join(filter(None, notes)),
    )


@dataclass(frozen=True)
class McNemarPlan:
    """What McNemar's test is planned for: the share of disagreements, and the difference."""

    disagreement: float
    difference: float
    level: float

    @property
    def share(self) -> float:
        """How often the better one is right if only one is."""
        return min((1 + abs(self.difference) / self.disagreement) / 2, 1.0) if self.disagreement else 0.5

    def power(self, n: int) -> float:
        """Return how often the exact test of n examples rejects.

        >>> round(McNemarPlan(0.06, 0.02, 0.95).power(1175), 3)
        0.776
        """
        mean = n * self.disagreement
        if mean > EXACT:
            return self._normal(n)
        spread = math.sqrt(mean * (1 - self.disagreement))
        most = min(n, math.ceil(mean + FAR * spread + FAR))
        numbers = range(max(0, math.floor(mean - FAR * spread - FAR)), most + 1)
        chances = _binomial_chances(n, self.disagreement, numbers)
        return float(chances @ [_rejection(m, self.share, self.level) for m in numbers])

    def _normal(self, n: int) -> float:
        """Return the power if disagreements are normal, with the correction for continuity."""
        spread = math.sqrt(n * max(self.disagreement - self.difference**2, 0.0))
        border = normal(self.level) * math.sqrt(n * self.disagreement) + 1
        if spread <= 0:
            return float(n * abs(self.difference) > border)
        return NormalDist().cdf((n * abs(self.difference) - border) / spread)

    def examples_for(self, power: float, guess: float) -> int | float:
        """Return how many examples the test needs to reject so often, and so for the next numbers, too."""
        needed = least(lambda n: self.power(n) >= power, guess)
        while math.isfinite(needed):
            behind = [k for k in range(AHEAD) if self.power(int(needed) + k) < power]
            if not behind:
                break
            needed += behind[-1] + 1
        return needed


def _binomial_chances(n: int, share: float, numbers: range) -> Array:
    """Return how likely each number of events is, of n that have this chance each."""
    if share >= 1:
        return np.array([float(m == n) for m in numbers])
    logs = [math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1) for m in numbers]
    steps = [m * math.log(share) + (n - m) * math.log1p(-share) for m in numbers]
    return np.exp(np.add(logs, steps))


@lru_cache(maxsize=1 << 16)
def _rejection(m: int, share: float, level: float) -> float:
    """Return how often the exact test of m disagreements rejects, if the better one wins this share.

    >>> round(_rejection(6, 0.5, 0.95), 12) == 2 / 2**6, _rejection(5, 0.9, 0.95)
    (True, 0.0)
    """
    most = _most_of_the_other(m, level)
    if most < 0:
        return 0.0
    return _at_most(most, m, 1 - share) + _at_most(most, m, share)


@lru_cache(maxsize=1 << 14)
def _most_of_the_other(m: int, level: float) -> int:
    """Return how often the other one may be right in m disagreements so that the test rejects; -1: never."""
    k = max(math.floor(m / 2 - normal(level) * math.sqrt(m) / 2), -1)
    while k >= 0 and 2 * _at_most(k, m, 0.5) >= 1 - level:
        k -= 1
    while 2 * (k + 1) < m and 2 * _at_most(k + 1, m, 0.5) < 1 - level:
        k += 1
    return k


def _at_most(k: int, m: int, share: float) -> float:
    """Return the chance of at most k of m events that have this chance each."""
    if k >= m or share <= 0:
        return 1.0
    return 0.0 if share >= 1 else share_below((1 - share) / share, m - k, k + 1)
