"""Offered averages: which rows of ``AVERAGES`` exist for a measure of a source, and why others do not.

A row exists where the source has the units that the measure reads, and those that the weight of the row reads, along the axes
that it keeps. Otherwise the refusal of the source is the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .average import ALIASES, AVERAGES, BINARY, Average, find_average
from .counts import AXES
from .wording import short


def _itself(weight: Any) -> Any:
    return weight


@dataclass(frozen=True, eq=False)
class OfferedAverages:
    """The averages of a measure that a source has units for."""

    measure: Any
    source: Any
    place: str = "here"
    settled: Callable[[Any], Any] = _itself  # another measure for a weight whose kind says more than it needs

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of ``AVERAGES`` that exist here."""
        return tuple(name for name, rule in AVERAGES.items() if not self.lack(rule))

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
        if name in also or name in self.groups:
            return name, find_average(name)
        known = name == BINARY or name in AVERAGES or name in AXES
        lack = self._no_binary if name == BINARY else self.lack(find_average(name)) if known else ""
        if known and not lack:
            return name, find_average(name)
        choice = ", ".join((*self.names, *also))
        if lack and (name in AVERAGES or name == BINARY):
            raise ValueError(f"average={name!r}: {lack} Choose from {choice}.")
        from .spelling import did_you_mean

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
        return str(self.source.refusal(self.settled(weight), rule.per))

    @property
    def _no_binary(self) -> str:
        return str(self.source.refusal(self.measure, (), positive=True))
