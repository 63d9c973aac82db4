"""Planning for questions that are asked several times.

How much models differ between questions, and between answers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .power import Power
from .search import examples_for, rejection

SHOWN = (1, 2, 4, 8, 16)  # how many answers to each question a plan lists


@dataclass(frozen=True)
class QuestionVariances:
    """How much the difference of two models varies between questions, and scores between answers."""

    between: float
    within: tuple[float, float] | None = None

    def of_question(self, samples: float) -> float:
        """Return the variance of the difference on one question that each model answers so often."""
        return self.between + (0.0 if self.within is None else sum(self.within) / samples)


def read_question_variances(between: Any, within: Any) -> QuestionVariances:
    """Return assumed variances.

    >>> read_question_variances(0.1, 0.2)
    QuestionVariances(between=0.1, within=(0.2, 0.2))
    """
    both = (within, within) if isinstance(within, int | float) else tuple(within or (0.0, 0.0))
    if len(both) != 2 or not all(isinstance(x, int | float) and 0 <= x < math.inf for x in (between, *both)):
        raise ValueError(
            f"between={between!r} and within={within!r} are variances, numbers from 0 on; within= is one, or a pair."
        )
    return QuestionVariances(float(between), (float(both[0]), float(both[1])))


def plan_questions(
    variances: QuestionVariances,
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

    ``present`` is their number now, and the error of the difference.
    """

    def needed(k: float) -> float:
        return examples_for(power, level, difference, math.sqrt(variances.of_question(k)))

    about = [f"Examples are questions, with {'one answer' if samples == 1 else f'{samples} answers'} of each model."]
    if variances.within is not None and difference:
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
