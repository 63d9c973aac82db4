"""The rankings that an average of a sweep is over: one of each class, or one of each group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..algebra.average import BINARY, Average
from ..algebra.possible_averages import PossibleAverages
from ..ranking.ranked import Ranked

UNDECIDED = "it weights by what is predicted, and scores are not decisions."
ONE_COLUMN = (
    "there is one column of scores, of the positive class, so there is nothing to average. Leave average= out, or give one "
    "column of scores per class."
)
MERGED = "it needs the scores of each example, and this sweep was merged from states without these. Sweep all examples at once."


def find_average_of_rankings(area: Any, swept: Any, average: Any) -> tuple[str, Average]:
    """Return the average that is meant; nothing is guessed, because the choice can reverse a ranking."""
    one = ONE_COLUMN if swept.kind == "binary" else ""
    axes = {"": one, "class": one, "example": one or (MERGED if swept.rows is None else "")}
    lacking = "it needs a positive class: pass positive= with the name of one column." if swept.positive is None else ""
    possible = PossibleAverages(area, axes, swept.axes, lacking, UNDECIDED)
    if average is None and swept.positive is None:
        *some, last = map(repr, possible.rows)
        raise ValueError(
            f"Name an average for {area}: average={', '.join(some)} or {last}. "
            "It may be left out for one score per example, in one dimension, or when positive= names a column."
        )
    return possible.find(BINARY if average is None else average)


def rankings_along(swept: Any, rule: Average) -> tuple[tuple[Any, ...], Iterator[Ranked]]:
    """Return the names and the rankings of the classes, or of the groups, that an average keeps.

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7], by={"site": ["a", "a", "b", "b"]})
    >>> names, rankings = rankings_along(swept, Average(("site",)))
    >>> names, [r.auc for r in rankings]
    (('a', 'b'), [1.0, 0.0])
    """
    if "class" in rule.per:
        return swept.units, (swept.of(unit) for unit in swept.units)
    groups = swept.split(rule.per[0])
    return tuple(groups), (part.micro if part.positive is None else part.of() for part in groups.values())
