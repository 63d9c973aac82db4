"""Offered averages: which rows of ``AVERAGES`` a measure of a source has, and why not the others.

A row exists where the source has the units that the measure reads, and those that the weight of the row reads, along the axes
that it keeps. Otherwise the refusal of the source is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..words.wording import short
from .average import ALIASES, AVERAGES, BINARY, Average, find_average
from .counts import AXES
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
        choice = ", ".join((*self.names, *self._own, *also))
        if lack and (name in AVERAGES or name == BINARY):
            raise ValueError(f"average={name!r}: {lack} Choose from {choice}.")
        from ..words.spelling import did_you_mean

        question = did_you_mean(name, (*self.names, *also, *ALIASES))
        grouped = "" if name in AXES else f", or give by={{{name!r}: ids}} to have it"
        raise ValueError(
            f"average={name!r} is unknown {self.place}. Choose from {choice}{grouped}.{' ' if question else ''}{question}"
        )

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
