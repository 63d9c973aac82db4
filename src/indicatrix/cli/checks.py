"""Scores that must be reached: ``--fail-under "macro f1=0.8"``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..algebra.average import ALIASES, AVERAGES, BINARY, score_name
from ..engines.files.text_classes import decimal
from ..inference.planning.gate import FAILED, REACHED, Check, why_no_limit
from ..selection import only_averages
from ..words.spelling import did_you_mean
from .counting import Evaluated
from .measure_argument import read_measure


def read_check(text: str, axes: tuple[str, ...]) -> Check:
    """Return the check that a text asks for: an average before or after the measure, then = and a number.

    >>> check = read_check("f_beta(beta=2) macro=0.8", ())
    >>> str(check), check.limit
    ('macro f_beta(beta=2)', 0.8)
    """
    left, _, right = text.rpartition("=")
    limit = decimal(right)
    words = left.split()
    if not words or isinstance(limit, str):
        raise ValueError(f"--fail-under {text!r} is not a check. Write an average, a measure, = and a number: 'macro f1=0.8'.")
    known = {*AVERAGES, *ALIASES, BINARY, *axes}
    average = None
    if len(words) > 1 and words[0] in known:
        average = words.pop(0)
    elif len(words) > 1 and words[-1] in known:
        average = words.pop()
    name = " ".join(words)
    try:
        measure = read_measure(name, {})
    except (ValueError, TypeError) as wrong:
        for word in words if average is None and len(words) == 2 else ():
            if question := did_you_mean(word, known):
                raise ValueError(f"--fail-under {text!r}: {word!r} is not an average. {question}") from None
        raise ValueError(f"--fail-under {text!r}: {wrong}") from None
    if reason := why_no_limit(measure, limit):
        raise ValueError(f"--fail-under {text!r}: {reason}")
    return Check(measure, ALIASES.get(average, average) if average else next(iter(only_averages(measure)), None), limit)


def failures(checks: tuple[Check, ...], evaluated: Evaluated, undefined: Any) -> list[str]:
    """Return one line for each check that fails; an undefined score fails."""
    return [f"Check failed: {says}" for _, _, answer, says in outcomes(checks, evaluated, undefined) if answer == FAILED]


def outcomes(checks: tuple[Check, ...], evaluated: Evaluated, undefined: Any) -> Iterator[tuple[str, str, str, str]]:
    """Yield each check, what it is of, the answer, and a sentence about it."""
    for check in checks:
        value = _value(check, evaluated, undefined)
        name = score_name(
            check.measure.meant_for(evaluated.ev, check.average), check.average
        )  # accuracy of groups is of examples
        given, limit = _distinct_texts(value, check.limit)
        if check.reached(value):
            text, answer = f"{given}, {'not above' if check.lower else 'at least'} {limit}", REACHED
        else:
            text = "undefined" if math.isnan(value) else f"{given}, {'above' if check.lower else 'under'} {limit}"
            answer = FAILED
        yield check.text, evaluated.name, answer, f"{name} of {evaluated.name} is {text}."


def _distinct_texts(value: float, limit: float) -> tuple[str, str]:
    """Return two numbers with six digits, or with as many more as are needed to make them differ.

    >>> _distinct_texts(0.71234567, 0.8), _distinct_texts(2 / 3, 0.6666667)
    (('0.712346', '0.8'), ('0.66666667', '0.6666667'))
    """
    texts = [(f"{value:.{digits}g}", f"{limit:.{digits}g}") for digits in range(6, 18)]
    return next((pair for pair in texts if pair[0] != pair[1]), texts[-1])


def _value(check: Check, evaluated: Evaluated, undefined: Any) -> float:
    """Return the score of a check; where it needs an average, the error shows how one is written."""
    try:
        return float(evaluated.ev.score(check.measure, check.average, undefined=undefined))
    except ValueError as wrong:
        if check.average is None and _exists(evaluated.ev, check.measure, "macro", undefined):
            raise ValueError(
                f"--fail-under {check}={check.limit:g}: which average? Write 'macro {check}={check.limit:g}', for example, or "
                "name the positive class with --positive."
            ) from None
        raise ValueError(f"--fail-under: {evaluated.name} has no {check}; {wrong}") from None


def _exists(ev: Any, measure: Any, average: str, undefined: Any) -> bool:
    """Return whether an evaluation has a score."""
    try:
        ev.score(measure, average, undefined=undefined)
    except ValueError:
        return False
    return True
