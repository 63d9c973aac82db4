"""Sources: they give the statistic that a measure reads, for each unit of some axes, or say why not.

A source has ``units(measure, per)`` and ``refusal(measure, per)``. Of four counts, ``aggregate(per)`` is ``units`` already: a
class that has nothing else is a source of counts. Nothing is sorted or kept before it is asked for.

A source of a kind of one's own that also has ``n``, how many examples were sampled, and ``counted(times)``, the same source with
each of them counted so often, has intervals and comparisons.
"""

from __future__ import annotations

from typing import Any, Protocol


class NotOfferedError(ValueError):
    """The error for a statistic that a source does not have; its message goes into a sentence."""


class Statistic(Protocol):
    """The sums of what examples added, for each unit of the axes that were kept. ``Counts`` is one."""

    per: tuple[str, ...]  # the axes that were kept
    names: tuple[tuple[Any, ...], ...]  # the units of each
    times: Any  # how often each unit occurred; None: once

    @property
    def counts(self) -> Any:
        """The four counts of the units, as far as they are known: what a score keeps and shows."""

    @property
    def tpos(self) -> Any:
        """The actual positives of each unit."""

    @property
    def tneg(self) -> Any:
        """The actual negatives of each unit."""


class Source(Protocol):
    """What has statistics: cells, a tally, an evaluation, scores of examples, matched objects."""

    def units(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> Statistic:
        """Return what a measure reads for each unit of some axes, of the positive class or of everything."""

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units here, without counting anything; "" if there are."""


def check_offered(source: Any, measure: Any, per: tuple[str, ...], *, positive: bool) -> None:
    """Raise the refusal of a source, if it refuses these units."""
    reason = source.refusal(measure, per, positive=positive)
    if reason:
        raise NotOfferedError(reason)


def lacking_axis(per: tuple[str, ...], axes: Any) -> str:
    """Return why units do not exist where one of ``axes`` is kept at a time; "" if they do."""
    if len(per) > 1:
        return f"it keeps {' and '.join(per)} together, and here one axis is kept at a time."
    return f"there is no axis {per[0]!r} here." if per and per[0] not in axes else ""
