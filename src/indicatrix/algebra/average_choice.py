"""The average that is meant: named, or left out where there is only one that can be."""

from __future__ import annotations

from typing import Any

from ..words.wording import short
from .average import ALIASES, AVERAGES, BINARY, NEEDS_POSITIVE, groupings_of, has_label_sets, units_of
from .makers import makers
from .offered_averages import OfferedAverages


def choose_average(measure: Any, source: Any, average: str | None) -> str | None:
    """Return the average that is meant; nothing is guessed, because the choice can reverse a ranking.

    It is None for a measure whose kind of statistic has one value only.
    """
    only, kind = measure.averages, measure.reads
    if not kind.averaged:
        if average is not None and average not in groupings_of(source):
            raise ValueError(f"{measure} reads {kind.what} and has no averages; leave average out, or name a grouping of by=.")
        return average
    if average is None:
        if only:
            return str(only[0])
        if getattr(source, "positive", None) is not None:
            return BINARY
        of_sets = getattr(measure, "of_label_sets", "")
        if of_sets and has_label_sets(source):
            return str(of_sets)
        if not kind.left_out:
            return OfferedAverages(measure, source).find(average)[0]  # which says that it must be named
        if kind.in_counts and not hasattr(source, "aggregate"):
            units_of(source, measure)  # which says why no average is of any use
        choice, more = _choices(measure, source)
        raise ValueError(f"Name an average for {measure}: average={choice} It is optional {kind.left_out}.{more}")
    if not kind.in_counts:
        return OfferedAverages(measure, source).find(average)[0]
    if not isinstance(average, str):
        raise TypeError(
            f"average={short(average)} must be one name, such as 'macro', or a grouping and the average inside each of its "
            "groups, ('site', 'macro'); ev.table(measures, averages) takes several."
        )
    average = ALIASES.get(average, average)
    if only and average not in only:
        raise ValueError(f"{measure} exists only as average={only[0]!r}: pooled over entries or classes it means something else.")
    if average == BINARY and getattr(source, "positive", None) is None:
        raise ValueError(NEEDS_POSITIVE)
    axes = getattr(source, "axes", None)
    if average not in AVERAGES and average != BINARY and (axes is None or average not in axes):
        from ..words.spelling import did_you_mean

        known = [*AVERAGES, BINARY, *(a for a in axes or () if a not in ("class", "example", "target"))]
        question = did_you_mean(average, (*known, *ALIASES))
        raise ValueError(
            f"average={average!r} is unknown here. {question}{' ' if question else ''}Choose from {', '.join(known)}, "
            f"or give by={{{average!r}: ids}} to evaluate."
        )
    return average


def _choices(measure: Any, source: Any) -> tuple[str, str]:
    """Return the averages to choose from, and what else may have been wanted."""
    if measure.reads.in_counts:
        return "'micro', 'macro', 'weighted', 'exemplar', …", f" {_alternative(measure)}{_doubt(source)}"
    *some, last = map(repr, OfferedAverages(measure, source).rows)
    return f"{', '.join(some)} or {last}.", ""


def _doubt(source: Any) -> str:
    """Return what is probably wrong with the labels, which an average would not repair."""
    doubt = makers().doubt_about_labels(source)
    return f" {doubt[0].upper()}{doubt[1:]}." if doubt else ""


def _alternative(measure: Any) -> str:
    """Return what else may have been wanted: values of single classes, or one value of all classes."""
    from ..words.names_elsewhere import OF_ALL_CLASSES

    values = f"ix.evaluate(y_true, y_pred).values({str(measure)!r}) has one value for each class"
    return f"{', and '.join(filter(None, (values, OF_ALL_CLASSES.get(measure.name))))}."
