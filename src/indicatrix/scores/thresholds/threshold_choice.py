"""The best threshold of a column, of all columns pooled, or of each class; of sweeps and of bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...algebra.average import BINARY, find_average
from ...algebra.counts import undecided_counts
from ...algebra.derived.derived_facts import directed
from ...algebra.measure import Measure
from ...algebra.measure_names import find_for_counts, split_score
from ...algebra.score import combine
from ..curves.ranked_units import ONE_COLUMN
from .best_thresholds import Best, BestPerClass, averages_of_best
from .constraints import best_within, read_constraints


def choose_best(
    source: Any, measure: str | Measure, unit: Any, average: str | None, subject_to: Any, better: str | None = None
) -> Best | BestPerClass:
    """Return the best value of a measure over the thresholds of a sweep, or of bins.

    With an average over classes each class has a threshold of its own, and meets the constraints by itself.

    >>> import indicatrix as ix
    >>> choose_best(ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "f1", None, None, None).value
    0.8
    """
    measure, average = split_score(measure, average)
    found = directed(find_for_counts(measure, "a sweep counts entries or one class"), better)
    constraints = read_constraints(subject_to)
    if source.kind == "binary" and average not in (None, BINARY):
        raise ValueError(f"average={average!r}: {ONE_COLUMN}")
    if average is None or "class" not in find_average(average).per:
        return best_within(found, source.ranking(unit, average), constraints)
    if unit is not None:
        raise ValueError(f"average={average!r} is over all classes; leave out the column {unit!r}.")
    name, rule = averages_of_best(found).find(average)
    bests = {column: best_within(found, source.of(column), constraints) for column in source.columns}
    actual = np.array([(float(source.of(c).tpos), float(source.of(c).tneg)) for c in source.columns]).reshape(-1, 2).T
    weights = rule.weights(found, undecided_counts(*actual, per=rule.per, names=(source.columns,)))
    value = combine(np.array([best.value for best in bests.values()]), weights, "exclude")
    return BestPerClass(found, name, value, bests)
