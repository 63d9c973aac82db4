"""Which scores a comparison shows: those that are named, or the few that most readers ask for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..algebra.average import BINARY, Name
from ..algebra.measure_names import find, resolve
from ..evaluation import Evaluation
from ..selection import Key, only_averages, select_scores


def chosen_scores(evaluations: Sequence[Evaluation], measures: Sequence[Any], averages: Sequence[Name]) -> list[Key]:
    """Return the measure and the average of each row.

    A measure without an average has the one that it has by itself: that of the positive class, or else macro.
    """
    if averages:
        selection = select_scores(evaluations, measures, averages)
        return sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    if not measures:
        return usual_scores(evaluations)
    return [*dict.fromkeys(_with_own_average(evaluations, resolve(m)) for m in measures)]


def _with_own_average(evaluations: Sequence[Evaluation], measure: Any) -> Key:
    positive = all(ev.positive is not None for ev in evaluations)
    if only := only_averages(measure):
        return measure, only[0]
    meant = measure.meant_for(evaluations[0])
    return meant, next(iter(meant.averages), BINARY if positive else "macro")


def usual_scores(evaluations: Sequence[Evaluation]) -> list[Key]:
    """Return the scores that are compared if none is named: accuracy, F1 and MCC, as far as they exist."""
    accuracy = find("accuracy").meant_for(evaluations[0])
    whole = accuracy if accuracy.averages else find("exact_match")
    positive = all(ev.positive is not None for ev in evaluations)
    of_positive = [(find("f1"), BINARY)] if positive else []
    of_classes = [(find("mcc"), BINARY)] if positive else [(resolve("multiclass_mcc"), None), (find("mcc"), "macro")]
    mcc = [key for key in of_classes if _exists(evaluations, key)][:1]
    wanted: list[Key] = [(whole, "exemplar"), *of_positive, (find("f1"), "macro")]
    return [*(key for key in wanted if _exists(evaluations, key)), *mcc]


def _exists(evaluations: Sequence[Evaluation], key: Key) -> bool:
    """Return whether all evaluations have a score, and it does not read what the data do not show."""
    try:
        found = [ev.score(*key) for ev in evaluations]
    except ValueError:
        return False
    return not any(math.isnan(x) and x.reads_hidden() for x in found)
