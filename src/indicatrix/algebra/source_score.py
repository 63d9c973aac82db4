"""The score of a measure of any kind: read the units of a source, apply the function, average."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .average import AVERAGES, BINARY, Name, reads_positive, units_of
from .group_scores import score_within_groups, with_only_average
from .makers import makers
from .offered_averages import choose_average
from .score import Score, Undefined, check_undefined, pooled_inside, read_undefined, score_of_units


def score(measure: Any, source: Any, average: Name | None = None, undefined: Undefined = "exclude") -> Score:
    """Return any measure under any average: read the units, apply the function, average."""
    asked, kind = measure, measure.reads
    if kind.meaning is not None:
        measure, source, average = kind.meaning(measure, source, average, undefined)
        kind = measure.reads
    measure = measure.meant_for(source, average)
    if not isinstance(undefined, str) or undefined != "exclude":
        if kind.counted:
            undefined = read_undefined(undefined, source, measure, average)
        else:
            check_undefined(undefined)
    if measure.averages:
        average = with_only_average(measure, source, average)
    if isinstance(average, tuple):
        return score_within_groups(measure, source, average, undefined)
    clear = kind.in_counts and not measure.averages and isinstance(average, str) and average in AVERAGES
    name = average if clear else choose_average(measure, source, average)
    rule = AVERAGES[name] if clear else kind.rule_of(name)  # type: ignore[index]  # clear: a name, not None
    positive = name == BINARY or reads_positive(source, rule.per)
    units = units_of(source, measure, rule.per, positive=positive)
    values, weights = measure.values(units), rule.weights(measure, units)
    inside = pooled_inside(source, rule.per) if kind.pools_classes and "class" not in rule.per else ""
    why = getattr(source, "lacking", "") if undefined == "raise" else ""
    found = score_of_units(measure, name, undefined, values, units.counts, weights, why=why, inside=inside)
    if asked.reads is not kind:  # what it means elsewhere has its value there, and its own name and kind here
        found.measure = replace(asked, range=measure.range)
    if not found and kind.counted:  # 0 is not said without a word where the labels of both sides have nothing in common
        found.doubt = makers().doubt_about_labels(source)
    return found


def score_of_classes(measure: Any, labels: tuple[Any, ...], average: Name | None) -> Score | None:
    """Return the mean over the classes of two short vectors of labels, without an evaluation of them.

    None for other labels and averages, and of a score of 0: what that may mean is asked of an evaluation.
    """
    rule = AVERAGES.get(average) if type(average) is str else None
    if rule is None or rule.per != ("class",) or measure.averages:
        return None
    counts = measure.reads.of_classes(*labels)
    if counts is None:
        return None
    weights = rule.weights(measure, counts)
    return score_of_units(measure, average, "exclude", measure.reads.apply(measure, counts), counts, weights) or None


AS_SOURCE = object()  # in place of an average: what is averaged


def meant(measure: Any, source: Any, average: Any, undefined: Undefined) -> Score:
    """Return a score.

    In place of an average ``AS_SOURCE`` asks for what a function of labels and scores averages.

    That is a measure, and the source of what it reads.
    """
    if average is AS_SOURCE:
        return measure, source  # type: ignore[return-value]
    return score(measure, source, average, undefined)
