"""The interval of a cost: a function of the confusion matrix, as kappa is one.

So it varies with the same examples.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.makers import makers
from ..algebra.measure import Measure
from ..algebra.score import Score
from ..algebra.wilson import wilson_of_each
from ..catalogue.matrix_measures import TABLE, TableFacts
from .cost_pairs import TOTAL

PER_EXAMPLE = ("micro", "exemplar", TOTAL)
RARE = 5  # examples of a pair of classes below which its share is hardly known


def interval_of_cost(ev: Any, score: Score, prices: Array, side: str, asked: tuple[Any, Any]) -> Any:
    """Return the interval of a cost of an evaluation; refuse what its pairs of classes do not tell.

    ``prices`` are what each pair costs, with a last row and column of no class; asked for are a level and clusters.
    """
    average, undefined = score.average, score.undefined
    table = np.asarray(ev.tally.pooled.table, np.float64)
    if average not in (*PER_EXAMPLE, "macro"):
        way = f"Ask each part of ev.split({average!r})" if average in ev.tally.by else "Use 'micro', 'macro' or 'total'"
        raise ValueError(f"There is no interval for the {average!r} average of a cost. {way}.")
    if table[:, -1].any():
        raise ValueError(
            "There is no interval of a cost with predictions that name no class: it reads pairs of classes. Let abstaining be a "
            "class of its own, with a column of costs."
        )
    own, cells, axis = prices[:-1, :-1].astype(np.float64), table[:-1, :-1], 1 if side == "true" else 0
    sizes = cells.sum(axis=axis, keepdims=True)
    if average == "macro" and undefined != "exclude" and not sizes.all():
        raise ValueError(
            f"There is no interval of this cost: some classes have no examples, and what undefined={undefined!r} puts in their "
            "place does not vary. Leave undefined= out."
        )
    by_class = average == "macro"
    measure = _measure(own, by_class, axis, np.flatnonzero(sizes))
    level, clusters = asked
    found = makers().interval_of_call(ev, measure, None, "exclude", level, clusters)
    of, parts = (sizes, np.count_nonzero(sizes)) if by_class else (np.full_like(cells, cells.sum()), 1)
    rare = _about_rare(cells, of, (own - own.min()) / parts, found)
    note, warning = (" ".join(filter(None, (text, rare))) for text in (found.note, found.warning))
    size = float(table.sum()) if average == TOTAL else 1.0
    low, high = min(found.low * size, float(score)), max(found.high * size, float(score))  # products are rounded
    about: dict[str, Any] = {"measure": score.measure, "average": average, "note": note, "warning": warning}
    return replace(found, value=float(score), low=low, high=high, **about)


def _measure(prices: Array, by_class: bool, axis: int, seen: Array) -> Measure:
    """Return the cost per example, or its mean over classes, as a function of the matrix.

    The mean is over classes that were seen, the matrix is the confusion matrix.
    """

    def per_example(table: Any) -> Any:
        return (table * prices).sum() / table.sum()

    def mean_over_classes(table: Any) -> Any:
        paid, examples = (table * prices).sum(axis=axis)[seen], table.sum(axis=axis)[seen]
        return (paid / examples).sum() / len(seen)

    function = mean_over_classes if by_class else per_example
    return Measure("cost", function, "lower", (float(prices.min()), float(prices.max())), reads=TABLE, facts=TableFacts())


def _about_rare(cells: Array, of: Array, spent: Array, found: Any) -> str:
    """Return a warning if a rarely seen error may cost more than the interval says, or ""."""
    sizes = np.broadcast_to(of, cells.shape)
    rare = (cells < RARE) & (sizes > 0)
    if math.isnan(found.low) or not rare.any():
        return ""
    highest = wilson_of_each(cells[rare] / sizes[rare], sizes[rare], found.level)[1]
    if (highest * spent[rare]).max() < (found.high - found.low) / 2:
        return ""
    return f"Fewer than {RARE} examples show an error that may cost much: the interval may be too short."
