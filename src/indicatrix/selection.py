"""Which scores are shown of one or several evaluations: measures by averages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .algebra.average import BINARY, Name
from .algebra.measure_names import is_of_whole, resolve
from .evaluation import Evaluation
from .report.summary import MEASURES as USUAL_MEASURES
from .report.summary import usual_averages

Key = tuple[Any, Name | None]  # a measure, and its average; None for one that has one value


@dataclass(frozen=True)
class Selection:
    """The measures and averages to show.

    A measure with only one version is shown in that version, whatever the averages are.
    """

    measures: tuple[Any, ...]
    averages: tuple[Name, ...]
    of_whole: tuple[Name, ...] = ()  # those of the averages under which accuracy is the share of right examples
    absent: frozenset[Key] = frozenset()  # what a measure of scores does not have here

    @property
    def columns(self) -> tuple[Name | None, ...]:
        """The averages, and the versions of measures that have only one."""
        used = [a for _, a in self.keys]
        return tuple(dict.fromkeys((*(a for a in self.averages if a in used), *used)))

    @property
    def keys(self) -> tuple[Key, ...]:
        """The measure and the average of each score, measure after measure."""
        return tuple((m, a) for m in self.measures for a in self._averages_of(m))

    def inside(self, axis: str) -> Selection:
        """Return what to show of each group of an axis: everything but the mean over these groups."""
        kept, whole = (tuple(a for a in some if a != axis) for some in (self.averages, self.of_whole))
        return Selection(self.measures, kept, whole, self.absent)

    def _averages_of(self, measure: Any) -> tuple[Name | None, ...]:
        if self.of_whole and is_of_whole(measure):
            return self.of_whole
        possible = tuple(a for a in self.averages if (measure, a) not in self.absent)
        return only_averages(measure) or tuple(a for a in possible if not (measure.whole and a in self.of_whole))

    def scores(self, ev: Evaluation, undefined: Any) -> dict[Key, Any]:
        """Return the scores of an evaluation."""
        return {(m, a): ev.score(m, a, undefined=undefined) for m, a in self.keys}

    def intervals(self, ev: Evaluation, undefined: Any, level: float | None) -> dict[Key, Any]:
        """Return the intervals of the scores, or why one does not exist; nothing without a level."""
        return intervals_of(ev, self.keys, undefined, level)


def intervals_of(ev: Evaluation, keys: Iterable[Key], undefined: Any, level: float | None) -> dict[Key, Any]:
    """Return the intervals of some scores, or why one does not exist; nothing without a level."""
    if level is None:
        return {}
    from .inference.intervals.of_score import interval_or_reason

    return {(m, a): interval_or_reason(ev, m, a, level, undefined) for m, a in keys}


def select_scores(evaluations: Sequence[Evaluation], measures: Sequence[Any], averages: Sequence[Name]) -> Selection:
    """Return what to show of some evaluations: the given measures and averages.

    The default is the measures of the report, and those of its averages that all evaluations have; a measure then means what
    it means without an average, which for accuracy is the share of right examples.
    """
    found, given = tuple(map(resolve, measures or USUAL_MEASURES)), averages
    if not averages:
        found = tuple(m.meant_for(evaluations[0]) for m in found)
        binary = [BINARY] if all(ev.positive is not None for ev in evaluations) else []
        first, *others = map(usual_averages, evaluations)
        averages = (*binary, *(a for a in first if all(a in other for other in others)))
    averages = tuple(dict.fromkeys(averages))
    of_whole = [a for a in averages if any(m.meant_for(evaluations[0], a) != m for m in found)]
    rows = [m.meant_for(evaluations[0], a) for m in found for a in (*of_whole, *(a for a in averages if a not in of_whole))]
    absent = () if given else (key for m in rows if not m.reads.counted for key in absent_scores(evaluations, m, averages))
    return Selection(tuple(dict.fromkeys(rows)), averages, tuple(of_whole), frozenset(absent))


def absent_scores(evaluations: Sequence[Evaluation], measure: Any, averages: Sequence[Name]) -> list[Key]:
    """Return which averages a measure that reads scores does not have.

    If it has none of them, an error says why.
    """
    found: list[Key] = []
    for average in averages:
        try:
            for ev in evaluations:
                ev.score(measure, average)
        except ValueError:
            found.append((measure, average))
    return found if len(found) < len(averages) else []


def only_averages(measure: Any) -> tuple[Name | None, ...]:
    """Return the only version of a measure, with no average if it has one value; nothing if it has all.

    What a name means for whole examples, as accuracy does, is under no average.

    >>> import indicatrix as ix
    >>> only_averages(ix.multiclass_kappa), only_averages(ix.measures.exact_match), only_averages(ix.f1)
    ((None,), ('exemplar',), ())
    """
    return (None,) if not measure.reads.averaged or is_of_whole(measure) else measure.averages[:1]
