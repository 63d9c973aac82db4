"""Power: how many examples a goal needs, and what the present number of examples gives.

How many examples are enough: the power of a test, and the smallest number for a goal.

Clusters that are planned: their size, and how alike their examples are.

Planning for questions that are asked several times.

How much models differ between questions, and between answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import Any

from ...algebra.values import to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ..stats.quantiles import normal
from ..stats.several_tests import p_text


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Power:
    """How many examples a goal needs, and what the present examples give; it prints as sentences.

    Attributes
    ----------
    n : int or float
        The number of examples that is needed; infinity if no number is enough.
    power : float or None
        How often the test is to find the difference; None if the goal is the width of an interval.
    width : float or None
        How wide the interval may be; None if the goal is to separate two classifiers.
    level : float
        The level of the interval; the test rejects at 1 - level.
    present_n : int or None
        The number of examples there are; None if it is not known.
    present_power : float or None
        How often a test of this many examples finds the difference.
    present_width : float or None
        How wide the interval of this many examples is.
    values : tuple of float
        The score, or the scores of the two classifiers.
    difference : float or None
        The difference that the test is to find: the first score minus the second, or what difference= named.
    p_value : float or None
        The p-value of the test on the present examples.
    what : str
        The name of the score.
    names : tuple of str
        The names of the two classifiers, if there are two.
    method : str
        The interval or the test.
    note : str
        What a reader should know about it.

    Examples
    --------
    >>> import indicatrix as ix
    >>> print(ix.power(rate=0.9, width=0.05))
    A rate of 0.9 needs 556 examples for a 95% mid_p interval at most 0.05 wide.
    """

    n: float
    power: float | None
    width: float | None
    level: float
    present_n: int | None
    present_power: float | None
    present_width: float | None
    values: tuple[float, ...]
    difference: float | None
    p_value: float | None
    what: str
    names: tuple[str, ...]
    method: str
    note: str = ""

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with one row: every attribute, of two classifiers with the value of each.

        Returns
        -------
        dict
            A list with one entry for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.power(rate=0.9, width=0.05).to_dict()["n"]
        [556]
        """
        own = {f.name: [getattr(self, f.name)] for f in fields(self) if f.name not in ("values", "names")}
        of = self.names or ("value",)
        return own | {(f"value of {name}" if self.names else name): [x] for name, x in zip(of, self.values, strict=True)}

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        sentences = self._on_width() if self.width is not None else self._on_difference()
        return "\n".join([*sentences, *([self.note] if self.note else [])])

    def _on_width(self) -> list[str]:
        goal = f"a {100 * self.level:.4g}% {self.method} interval at most {self.width:g} wide"
        like = "" if self.present_n is None else " like these"
        told = [f"{self.what} of {self.values[0]:.3g} needs {_count(self.n)}{like} for {goal}."]
        if self.present_n is not None:
            told.append(f"The interval of the present {_count(self.present_n)} is {self.present_width:.3g} wide.")
        return told

    def _on_difference(self) -> list[str]:
        (one, other), (x, y) = self.names, self.values
        against = f"{self.what}: {one} {x:.3g}, {other} {y:.3g}."
        if math.isinf(self.n):
            return [against, "No number of examples separates them: the difference is zero."]
        like = "" if self.p_value is None else " like these"
        planned = f" of {abs(self.difference):.3g}" if self.difference is not None else ""
        told = [
            *([] if math.isnan(x) else [against]),
            f"{_count(self.n)}{like} are needed to separate them: {self.method} at the {100 * (1 - self.level):.3g}% level then "
            f"finds a difference{planned} in {100 * (self.power or 0):.3g}% of samples.",
        ]
        if self.present_n is not None:
            enough = "; these are enough" if self.present_n >= self.n else ""
            told.append(f"The present {_count(self.present_n)} give a power of {100 * (self.present_power or 0):.3g}%{enough}.")
        if self.p_value is not None:
            verdict = "separate" if self.p_value <= 1 - self.level else "do not separate"
            told.append(f"They {verdict} the two ({p_text(self.p_value)}).")
        return told

    def __repr__(self) -> str:
        goal = f"width {self.width:g}" if self.width is not None else f"power {self.power:g}"
        return f"<Power: {_count(self.n)} for {goal} of {self.what}>"


def _count(n: float) -> str:
    return f"{n:,.0f} {'example' if n == 1 else 'examples'}" if math.isfinite(n) else "infinitely many examples"


MOST = 2**62  # examples beyond which the search ends


def least(reaches: Callable[[int], bool], guess: float) -> int | float:
    """Return the smallest number of examples that reaches a goal; infinity if no number does.

    More examples must never lose the goal.

    >>> least(lambda n: n * n >= 1000, 5), least(lambda n: False, 5)
    (32, inf)
    """
    high = min(max(1, math.ceil(guess)), MOST) if math.isfinite(guess) else 1
    step = max(1, high // 64)
    if reaches(high):
        while high > 1 and reaches(low := max(1, high - step)):
            high, step = low, 2 * step
        if high == 1:
            return 1
    else:
        low = high
        while not reaches(high := low + step):
            low, step = high, 2 * step
            if high > MOST:
                return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def rejection(difference: float, spread: float, level: float, null_spread: float | None = None) -> float:
    """Return how often a two-sided z test of a difference rejects.

    ``spread`` is the standard deviation of the difference, and ``null_spread`` the one that the test divides by. Default: the
    same.

    >>> round(rejection(1.96 + 0.8416, 1, 0.95), 3), round(rejection(0, 1, 0.95), 3)
    (0.8, 0.05)
    """
    border = normal(level) * (spread if null_spread is None else null_spread)
    if spread <= 0:
        return float(abs(difference) > border)
    cdf = NormalDist().cdf
    return cdf((abs(difference) - border) / spread) + cdf((-abs(difference) - border) / spread)


def examples_for(power: float, level: float, difference: float, spread: float, null_spread: float | None = None) -> int | float:
    """Return how many examples a z test needs to reject so often.

    The standard deviations are those of one example.

    >>> examples_for(0.8, 0.95, 0.1, 0.5)
    197
    """
    if not difference:
        return math.inf
    null = spread if null_spread is None else null_spread
    guess = ((normal(level) * null + max(NormalDist().inv_cdf(power), 0) * spread) / difference) ** 2

    def reaches(n: int) -> bool:
        root = math.sqrt(n)
        return rejection(difference, spread / root, level, null / root) >= power

    return least(reaches, guess)


@dataclass(frozen=True)
class AssumedClusters:
    """Clusters of a mean size whose examples are correlated."""

    size: float
    correlation: float  # of two examples of a cluster, the intraclass correlation

    @property
    def effect(self) -> float:
        """How many examples of clusters tell as much as one independent example (Kish's design effect)."""
        return 1 + (self.size - 1) * self.correlation

    def examples(self, independent: float) -> float:
        """Return how many examples of clusters tell as much as so many independent ones."""
        return math.ceil(independent * self.effect) if math.isfinite(independent) else independent

    def note(self, examples: float) -> str:
        """Return what these clusters mean for so many examples."""
        many = f", about {math.ceil(examples / self.size):,} clusters" if math.isfinite(examples) else ""
        return (
            f"In clusters of {self.size:g} with an intraclass correlation of {self.correlation:g}, {self.effect:.3g} examples "
            f"tell as much as an independent one{many}."
        )


def read_assumed_clusters(clusters: Any) -> AssumedClusters | None:
    """Return assumed clusters: a pair of their mean size and their intraclass correlation.

    >>> read_assumed_clusters((20, 0.1))
    AssumedClusters(size=20.0, correlation=0.1)
    """
    if clusters is None:
        return None
    try:
        size, correlation = map(float, clusters)
    except (TypeError, ValueError):
        size = correlation = math.nan
    if not (1 <= size < math.inf and 0 <= correlation <= 1):
        raise ValueError(
            f"clusters={clusters!r}: with assumed rates it is the mean size of a cluster and the intraclass correlation, such as "
            "(20, 0.1); the correlation is from 0 to 1."
        )
    return AssumedClusters(size, correlation)


SHOWN = (1, 2, 4, 8, 16)  # how many answers to each question a plan lists


def read_question_variances(between: Any, within: Any) -> tuple[float, float]:
    """Return assumed variances: that between questions, and the sum of those within them.

    >>> read_question_variances(0.1, 0.2)
    (0.1, 0.4)
    """
    both = (within, within) if isinstance(within, int | float) else tuple(within or (0.0, 0.0))
    if len(both) != 2 or not all(isinstance(x, int | float) and 0 <= x < math.inf for x in (between, *both)):
        raise ValueError(
            f"between={between!r} and within={within!r} are variances, numbers from 0 on; within= is one, or a pair."
        )
    return float(between), float(both[0]) + float(both[1])


def plan_questions(
    between: float,
    within: float | None,
    difference: float,
    power: float,
    level: float,
    samples: int,
    what: str,
    *,
    models: tuple[str, str] = ("first", "second"),
    values: tuple[float, float] = (math.nan, math.nan),
    present: tuple[int, float] | None = None,
) -> Power:
    """Return how many questions separate two models.

    ``between`` is the variance of their difference between questions, ``within`` the sum of those of single answers, where it is
    known. ``present`` is the number of questions now, and the error of the difference.
    """

    def needed(k: float) -> float:
        return examples_for(power, level, difference, math.sqrt(between + (within or 0.0) / k))

    about = [f"Examples are questions, with {'one answer' if samples == 1 else f'{samples} answers'} of each model."]
    if within is not None and difference:
        listed = ", ".join(f"{needed(k):,.0f} with {k}" for k in SHOWN)
        about.append(f"By the number of answers: {listed}; never fewer than {needed(math.inf):,.0f}.")
    n, error = present or (None, math.nan)
    p = None
    if present is not None:
        apart = abs(values[0] - values[1])
        p = math.erfc(apart / error / math.sqrt(2)) if error else float(apart == 0)
    reached = None if n is None else rejection(difference, error, level) if difference else 1 - level
    facts: dict[str, Any] = {"p_value": p, "what": what, "names": models, "method": "a paired z test", "note": " ".join(about)}
    return Power(needed(samples), power, None, level, n, reached, None, values, difference, **facts)
