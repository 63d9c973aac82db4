"""Chosen thresholds as people read them: in words, and in the tables of a notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

POSITIVE = "A score of at least the threshold is predicted positive."


def met_in_words(reached: Mapping[str, float]) -> str:
    """Return constraints with what they limit at a threshold.

    >>> met_in_words({"recall >= 0.9": 0.95, "fpr <= 0.1": 0.0625})
    'recall >= 0.9 (it is 0.95) and fpr <= 0.1 (it is 0.0625)'
    """
    return " and ".join(f"{constraint} (it is {value:.6g})" for constraint, value in reached.items())


def plateau_in_words(low: float, high: float) -> str:
    """Return an interval of thresholds, open below.

    >>> plateau_in_words(0.1, 0.35)
    '(0.1, 0.35]'
    """
    return f"({low:.6g}, {high:.6g}]"


def tuned_html(tuned: Any, title: str) -> str:
    """Return a tuned rule: how it was chosen, a row for each threshold, what t* would lose."""
    first = "class" if len(tuned.choices) > 1 else "positive class" if tuned.average is None else "average"
    names = (first, *map(str, tuned.subject_to))
    closed = any(choice.closed_form is not None for choice in tuned.choices)
    rows = [
        (*_row(c.unit, c.threshold, c.value, c.reached, c.plateau), *([_threshold(c.closed_form)] if closed else ()))
        for c in tuned.choices
    ]
    told = [c for c in tuned.choices if c.closed_form is not None and not math.isnan(c.lost)]
    lost = [f"{c.unit}: t* loses {c.lost:.3g} here; {c.calibration}." for c in told]
    return _html(title, str(tuned.measure), names, rows, [POSITIVE, *lost], more=["t*"] if closed else [])


def best_html(best: Any) -> str:
    """Return the best value with its threshold, or why there is none."""
    if math.isnan(best.value):
        return _html(str(best))
    rows = [_row("", best.threshold, best.value, best.reached, (best.low, best.high))]
    title = f"{best.measure} = {best.value:.6g}, the best of all thresholds{_that_meet(best.subject_to)}."
    return _html(title, str(best.measure), ("", *best.reached), rows, [POSITIVE])


def best_per_class_html(best: Any) -> str:
    """Return the mean of the best values, and a row for the threshold of each class."""
    constraints = next((b.subject_to for b in best.bests.values()), ())
    rows = []
    for unit, b in best.bests.items():
        reached = b.reached or dict.fromkeys(map(str, constraints), math.nan)
        rows.append(_row(unit, b.threshold, b.value, reached, (b.low, b.high)))
    title = (
        f"{best.average} {best.measure} = {best.value:.6g}, each class at the best of its thresholds{_that_meet(constraints)}."
    )
    return _html(title, str(best.measure), ("class", *map(str, constraints)), rows, [POSITIVE, best.note])


def _that_meet(constraints: Sequence[Any]) -> str:
    return f" that meet {' and '.join(map(str, constraints))}" if constraints else ""


def _row(
    unit: Any, threshold: float, value: float, reached: Mapping[str, float], plateau: tuple[float, float]
) -> tuple[Any, ...]:
    from ...report.table_forms import Label

    as_good = "–" if math.isnan(plateau[0]) else plateau_in_words(*plateau)
    return (Label(unit) if unit != "" else "", _threshold(threshold), float(value), *map(float, reached.values()), as_good)


def _threshold(x: float | None) -> str:
    """Return a threshold with six digits, because three decimals would change it."""
    return "–" if x is None or math.isnan(x) else f"{x:.6g}"


def _html(
    title: str,
    measure: str = "",
    names: Sequence[str] = (),  # of the first column, then of the constraints
    rows: Sequence[Sequence[Any]] = (),
    said: Iterable[str] = (),
    *,
    more: Sequence[str] = (),
) -> str:
    from ...report.notebook import fragment, paragraphs, scrolling_box
    from ...report.table_forms import Table

    if not rows:
        return fragment([paragraphs([title])])
    table = Table((names[0], "threshold", measure, *names[1:], "as good as any in", *more), rows)
    return fragment([paragraphs([title]), scrolling_box(table), paragraphs(said)])
