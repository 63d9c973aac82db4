"""Planning for questions that are asked several times.

How much models differ between questions, and between answers.
"""

from __future__ import annotations

import math
from typing import Any

from .power import Power
from .search import examples_for, rejection

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
