"""Offered averages: which rows of ``AVERAGES`` a measure of a source has.

It also says why not the others, and which one is meant.

A row exists where the source has the units that the measure reads, and those that the weight of the row reads, along the axes
that it keeps. Otherwise the refusal of the source is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..words.names_elsewhere import OF_ALL_CLASSES
from ..words.wording import short
from .average import ALIASES, AVERAGES, BINARY, NEEDS_POSITIVE, Average, find_average, groupings_of, has_label_sets, units_of
from .counts import AXES
from .makers import makers
from .source import lacking_axis


@dataclass(frozen=True, eq=False)
class OfferedAverages:
    """The averages of a measure that a source has units for."""

    measure: Any
    source: Any
    place: str = "here"

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
    from ..words.spelling import unknown

    more = f", or give by={{{name!r}: ids}} to have it" if more is None else more
    return unknown("average", name, known, where=where, also=(*ALIASES, *AXES), more=more)


def _nothing(weight: Any) -> str:
    """Return no refusal: every weight is known."""
    return ""


def refuse_all_but_labels(reason: str) -> Callable[[Any], str]:
    """Return what refuses weights that read decisions, with a reason."""
    return lambda weight: reason if weight.reads.formula else ""


@dataclass(frozen=True, eq=False)
class Offer:
    """Which units there are for a measure, and what their weights may read."""

    measure: Any
    axes: Sequence[str]
    absent: Mapping[str, str] = field(default_factory=dict)  # axis ("" if all is pooled) -> why it has no units here
    refuse_weight: Callable[[Any], str] = _nothing  # why there are no such weights; "" if there are
    unweighted: Mapping[str, str] = field(default_factory=dict)  # axis -> why its units have no weights at all
    binary: str = "there is no positive class."  # or "" where there is one

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
