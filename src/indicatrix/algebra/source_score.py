"""The score of a measure of any kind: read the units of a source, apply the function, average.

Scores of groups are an average inside each group of an axis, then the mean over the groups.

Offered averages: which rows of ``AVERAGES`` a measure of a source has.

It also says why not the others, and which one is meant.

A row exists where the source has the units that the measure reads, and those that the weight of the row reads, along the axes
that it keeps. Otherwise the refusal of the source is the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from ..words.names_elsewhere import OF_ALL_CLASSES
from ..words.wording import listing, short
from .average import (
    ALIASES,
    AVERAGES,
    BINARY,
    NEEDS_POSITIVE,
    Average,
    Name,
    find_average,
    groupings_of,
    has_label_sets,
    lacking_axis,
    makers,
    reads_positive,
    units_of,
)
from .counts import AXES, Counts
from .score import Score, Undefined, UndefinedError, check_undefined, pooled_inside, read_undefined, score_of_units

NO_REASONS: Mapping[str, str] = MappingProxyType({})
AS_SOURCE = object()  # in place of an average: what is averaged


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


def meant(measure: Any, source: Any, average: Any, undefined: Undefined) -> Score:
    """Return a score.

    In place of an average ``AS_SOURCE`` asks for what a function of labels and scores averages.

    That is a measure, and the source of what it reads.
    """
    if average is AS_SOURCE:
        return measure, source  # type: ignore[return-value]
    return score(measure, source, average, undefined)


def read_nested(average: tuple[Any, ...], groupings: tuple[str, ...]) -> tuple[str, Name]:
    """Return the grouping, and the average inside each of its groups.

    >>> read_nested(("site", "samples"), ("site",)), read_nested(("site", "fold", "macro"), ("site", "fold"))
    (('site', 'exemplar'), ('site', ('fold', 'macro')))
    """
    if len(average) < 2 or not all(isinstance(name, str) for name in average):
        raise TypeError(f"average={average!r} must be a grouping and the average inside each of its groups: ('site', 'macro').")
    axis, *rest = average
    if axis not in groupings:
        have = f"the groupings are {listing(groupings)}" if groupings else "there are no groupings"
        raise ValueError(
            f"average={average!r}: {axis!r} is not a grouping that by= made, and only such groups have a score inside; {have}."
        )
    return axis, ALIASES.get(rest[0], rest[0]) if len(rest) == 1 else tuple(rest)


def ends_with_groups(source: Any, average: Name | None) -> bool:
    """Return whether an average names groups of examples, and no average inside each of them.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(list("ab"), list("ab"), by={"site": [1, 2]})
    >>> [ends_with_groups(ev, average) for average in ("site", ("site", "macro"), "macro", None)]
    [True, False, False, False]
    """
    last = average[-1] if isinstance(average, tuple) and average else average
    return last is not None and last in groupings_of(source)


def with_only_average(measure: Any, source: Any, average: Name | None) -> Name | None:
    """Return the average; a measure that exists only under one has it inside each group, too.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(list("ab"), list("ab"), by={"site": [1, 2]})
    >>> with_only_average(ix.measures.exact_match, ev, "site"), with_only_average(ix.recall, ev, "site")
    (('site', 'exemplar'), 'site')
    """
    if not measure.averages or average is None or not ends_with_groups(source, average):
        return average
    return (*((average,) if isinstance(average, str) else average), str(measure.averages[0]))


def counts_read(source: Any, inside: Name | None, per: tuple[str, ...] = (), measure: Any = None) -> Counts:
    """Return the counts that a score inside groups reads: those of the positive class, or of all classes.

    A group of which these were not observed counts nowhere, whatever was observed of other classes.
    """
    last = inside[-1] if isinstance(inside, tuple) else inside
    one = last == BINARY or last in groupings_of(source)
    positive = one and source.positive is not None
    if measure is not None and not measure.reads.counted:
        return units_of(source, measure, per, positive=positive).counts  # type: ignore[no-any-return]
    read: Counts = source.binary(per) if positive else source.aggregate(per)
    return read


def score_groups(
    groups: Mapping[Any, Any],
    axis: str,
    score: Callable[[Any, Undefined], Score],
    undefined: Undefined,
    inside: Name | None = None,
) -> dict[Any, Score]:
    """Return the score of each group under a convention; an error for an undefined value names the group."""
    found = {}
    for name, part in groups.items():
        seen = not hasattr(part, "aggregate") or counts_read(part, inside).observed
        try:
            found[name] = score(part, undefined if seen or undefined != "raise" else "nan")  # unseen is not undefined
        except UndefinedError as error:
            raise UndefinedError(f"In {axis} {name!r}: {error}") from None
    return found


def score_within_groups(measure: Any, source: Any, average: tuple[Any, ...], undefined: Undefined) -> Score:
    """Return the mean over the groups of an axis of the score of each group under the average inside."""
    if hasattr(source, "refusal") and not hasattr(source, "split"):
        OfferedAverages(measure, source).find(average)  # which says that it has one name here, and which there are
    axis, inside = read_nested(average, groupings_of(source))
    if isinstance(inside, str) and not measure.reads.splits:
        inside = choose_average(measure, source, inside) or inside
        if find_average(inside).pools:  # all groups at once
            units = units_of(source, measure, (axis,), positive=inside == BINARY)
            weights = Average((axis,)).weights(measure, units)
            return score_of_units(measure, (axis, inside), undefined, measure.values(units), units.counts, weights)
    groups = _split(source, axis, average)
    parts = score_groups(groups, axis, lambda part, how: measure.score(part, inside, how), undefined, inside)
    chosen = (axis, *((inside,) if isinstance(inside, str) else inside))
    counts, values = counts_read(source, inside, (axis,), measure), np.array([float(part) for part in parts.values()], np.float64)
    weights = Average(counts.per).weights(measure, counts)  # a group of which nothing was observed has none
    return score_of_units(measure, chosen, undefined, values, counts, weights, parts=tuple(parts.values()))


def values_within_groups(
    measure: Any, source: Any, per: tuple[str, ...], average: Name | None
) -> tuple[Any, tuple[tuple[Any, ...], ...]]:
    """Return the score of each group, or combination of groups of several axes, and their names.

    A combination without examples has no value.
    """
    if not per:
        raise ValueError(f"per=() keeps no axis, so that there is one value: ev.score({str(measure)!r}, {average!r}).")
    for axis in per:
        read_nested((axis, "micro"), groupings_of(source))
    names = tuple(tuple(source.tally.sizes_of(axis)) for axis in per)
    values = np.full([len(some) for some in names], math.nan)
    *outer, last = per
    inside = () if average is None else (average,) if isinstance(average, str) else average
    place = [{name: i for i, name in enumerate(some)} for some in names]
    for key, part in combinations_of_groups(source, outer, average).items():
        score = measure.score(part, (last, *inside) if inside else last)
        row = values[tuple(at[name] for at, name in zip(place, key, strict=False))]
        for name, value in zip(score.counts.names[0], score.values, strict=True):
            row[place[-1][name]] = value
    return values, names


def combinations_of_groups(source: Any, axes: Sequence[str], average: Any = None) -> dict[tuple[Any, ...], Any]:
    """Return the part of each combination of groups that occurs, by their names.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1], [0, 1, 0], by={"site": ["x", "x", "y"], "device": [1, 2, 2]})
    >>> {key: part.n for key, part in combinations_of_groups(ev, ["site", "device"]).items()}
    {('x', 1): 1, ('x', 2): 1, ('y', 2): 1}
    """
    parts: dict[tuple[Any, ...], Any] = {(): source}
    for axis in axes:
        parts = {(*key, name): part for key, whole in parts.items() for name, part in _split(whole, axis, average).items()}
    return parts


def _split(source: Any, axis: str, average: Any) -> Mapping[Any, Any]:
    if not hasattr(source, "split"):
        raise ValueError(
            f"average={average!r} needs groups that can be split, which {type(source).__name__} cannot do. Use ix.evaluate(…)."
        )
    groups: Mapping[Any, Any] = source.split(axis)
    return groups


class OfferedAverages:
    """The averages of a measure that a source has units for."""

    def __init__(self, measure: Any, source: Any, place: str = "here") -> None:
        self.measure, self.source, self.place = measure, source, place

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of ``AVERAGES`` that exist here."""
        return tuple(name for name, rule in AVERAGES.items() if not self.lack(rule))

    @property
    def _own(self) -> Mapping[str, Average]:
        """The averages that only measures of this kind have."""
        return self.measure.reads.own_averages  # type: ignore[no-any-return]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groupings: the name of one means the plain mean over its groups."""
        return tuple(axis for axis in self.source.axes if axis not in AXES and axis not in AVERAGES)

    @property
    def names(self) -> tuple[str, ...]:
        """All names that ``average=`` may have here."""
        return (*self.rows, *(() if self._no_binary else (BINARY,)), *self.groups)

    def find(self, average: Any, *, also: Sequence[str] = ()) -> tuple[str, Average]:
        """Return the name and the row of an average; one that does not exist here is refused with the reason.

        ``also`` are further names, which have a meaning for the caller.
        """
        if not isinstance(average, str):
            raise TypeError(f"average={short(average)} must be one name, such as 'macro'. Choose from {', '.join(self.names)}.")
        name = ALIASES.get(average, average)
        if name in also or name in self.groups or name in self._own:
            return name, self._own.get(name) or find_average(name)
        known = name == BINARY or name in AVERAGES or name in AXES
        lack = self._no_binary if name == BINARY else self.lack(find_average(name)) if known else ""
        if known and not lack:
            return name, find_average(name)
        choice = (*self.names, *self._own, *also)
        if lack and (name in AVERAGES or name == BINARY):
            raise ValueError(f"average={name!r}: {lack} Choose from {', '.join(choice)}.")
        raise ValueError(unknown_average(name, choice, f" {self.place}", "" if name in AXES else None))

    def lack(self, rule: Average) -> str:
        """Return why there is no such average here; "" if it exists."""
        reason: str = self.source.refusal(self.measure, rule.per)
        if reason or rule.weight is None or rule.pools:
            return reason
        try:
            weight = rule.weight_of(self.measure)
        except ValueError as error:  # this measure does not have such weights
            return str(error)
        return str(self.source.refusal(weight, rule.per))

    @property
    def _no_binary(self) -> str:
        return str(self.source.refusal(self.measure, (), positive=True))


def unknown_average(name: str, known: Sequence[str], where: str = "", more: str | None = None) -> str:
    """Return what is said of an average that does not exist; if nothing else is, that by= would make it.

    >>> unknown_average("macr", ("micro", "macro"), " here")
    "average='macr' is unknown here. Did you mean macro? Choose from micro, macro, or give by={'macr': ids} to have it."
    """
    from ..words.wording import unknown

    more = f", or give by={{{name!r}: ids}} to have it" if more is None else more
    return unknown("average", name, known, where=where, also=(*ALIASES, *AXES), more=more)


def _nothing(weight: Any) -> str:
    """Return no refusal: every weight is known."""
    return ""


def refuse_all_but_labels(reason: str) -> Callable[[Any], str]:
    """Return what refuses weights that read decisions, with a reason."""
    return lambda weight: reason if weight.reads.formula else ""


class Offer:
    """Which units there are for a measure, and what their weights may read."""

    def __init__(
        self,
        measure: Any,
        axes: Sequence[str],
        absent: Mapping[str, str] = NO_REASONS,  # axis ("" if all is pooled) -> why it has no units here
        refuse_weight: Callable[[Any], str] = _nothing,  # why there are no such weights; "" if there are
        unweighted: Mapping[str, str] = NO_REASONS,  # axis -> why its units have no weights at all
        binary: str = "there is no positive class.",  # or "" where there is one
    ) -> None:
        self.measure, self.axes, self.absent, self.refuse_weight = measure, axes, absent, refuse_weight
        self.unweighted, self.binary = unweighted, binary

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no units of the measure, or of a weight; "" if there are."""
        if positive:
            return self.binary
        axis = per[0] if per else ""
        lack = self.absent.get(axis, "") or lacking_axis(per, self.axes)
        return lack or ("" if measure is self.measure else self.unweighted.get(axis) or self.refuse_weight(measure))


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
        known = [*AVERAGES, BINARY, *(a for a in axes or () if a not in ("class", "example", "target"))]
        raise ValueError(unknown_average(average, known, " here"))
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
    values = f"ix.evaluate(y_true, y_pred).values({str(measure)!r}) has one value for each class"
    return f"{', and '.join(filter(None, (values, OF_ALL_CLASSES.get(measure.name))))}."
