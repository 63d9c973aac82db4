"""Which scores a comparison shows: those that are named, or the few that most readers ask for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..algebra.average import BINARY, Name
from ..algebra.measure import Measure
from ..algebra.measure_names import find, resolve
from ..inference.estimators.of_source import draws_itself, is_of_images
from ..selection import Key, only_averages, select_scores


def chosen_scores(columns: Any, measures: Sequence[tuple[Measure, Sequence[Name]]], averages: Sequence[Name]) -> list[Key]:
    """Return the measure and the average of each row, one average after the other.

    Each measure comes with its own averages.

    A measure without an average has the one that it has by itself: of labels that of the positive class, or else macro.
    """
    if not measures:
        return [*_usual_scores(columns, averages), *(key for m in columns.also for key in _keys(columns.of(m), m, averages))]
    keys = [key for m, own in measures for key in _keys(columns.of(m), m, own)]
    if len(averages) < 2:
        return [*dict.fromkeys(keys)]
    place: dict[Any, int] = {average: i for i, average in enumerate(averages)}  # versions of their own follow
    return sorted(dict.fromkeys(keys), key=lambda key: place.get(key[1], len(place)))


def _keys(sources: Sequence[Any], measure: Measure, averages: Sequence[Name]) -> Sequence[Key]:
    """Return the versions of a measure that are shown."""
    if is_of_images(sources[0]):
        return [(measure, a) for a in averages or ("macro",)]
    if draws_itself(sources[0]):
        return [(measure, a) for a in averages or (None,)]
    if not measure.reads.counted:
        named = averages or (_own_average(measure, sources),)
        return [(measure, a) for a in dict.fromkeys(_existing(measure, sources[0], a) for a in named)]
    if averages:
        return select_scores(sources, [measure], averages).keys
    if only := only_averages(measure):
        return [(measure, only[0])]
    meant, positive = measure.meant_for(sources[0]), all(ev.positive is not None for ev in sources)
    return [(meant, next(iter(meant.averages), BINARY if positive else "macro"))]


def _own_average(measure: Measure, sources: Sequence[Any]) -> Name | None:
    """Return the average of a measure of scores if none is named: a loss over examples, an area macro."""
    return None if measure.reads.per_example or sources[0].positive is not None else "macro"


def _existing(measure: Measure, source: Any, average: Name | None) -> Name | None:
    """Return an average; None, which is its own, where a loss does not have it."""
    if measure.reads.per_example and average is not None:
        try:
            measure.score(source, average, "nan")
        except ValueError:
            return None
    return average


def _usual_scores(columns: Any, averages: Sequence[Name]) -> list[Key]:
    """Return the scores that are compared if none is named: accuracy, F1 and MCC, as far as they exist."""
    sources = columns.sources
    if draws_itself(sources[0]):
        raise TypeError("measures= is missing: name what is compared, because sources of one's own have no usual measures.")
    if is_of_images(sources[0]):
        return [(resolve(m), a) for a in averages or ("macro",) for m in sources[0].usual]
    if averages:
        selection = select_scores(sources, (), averages)
        return sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    accuracy = find("accuracy").meant_for(sources[0])
    whole = accuracy if accuracy.averages else find("exact_match")
    positive = all(ev.positive is not None for ev in sources)
    of_positive = [(find("f1"), BINARY)] if positive else []
    of_classes = [(find("mcc"), BINARY)] if positive else [(resolve("multiclass_mcc"), None), (find("mcc"), "macro")]
    mcc = [key for key in of_classes if _exists(sources, key)][:1]
    wanted: list[Key] = [(whole, "exemplar"), *of_positive, (find("f1"), "macro")]
    return [*(key for key in wanted if _exists(sources, key)), *mcc]


def _exists(evaluations: Sequence[Any], key: Key) -> bool:
    """Return whether all evaluations have a score, and it does not read what the data do not show."""
    try:
        found = [ev.score(*key) for ev in evaluations]
    except ValueError:
        return False
    return not any(math.isnan(x) and x.reads_hidden() for x in found)
