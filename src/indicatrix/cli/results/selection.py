"""Which scores are shown: measures by averages, and measures that have only one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...algebra.average import ALIASES, AVERAGES, BINARY
from ...algebra.spelling import close_names
from ...catalogue.matrix import MatrixMeasure, resolve
from ...evaluation import Evaluation
from ...report.summary import MEASURES as USUAL_MEASURES
from ...report.summary import usual_averages

Key = tuple[str, str]  # the name of the measure, and its average


@dataclass(frozen=True)
class Selection:
    """The measures and averages to show.

    A measure with only one version is shown in that version, whatever the averages are.
    """

    measures: tuple[Any, ...]
    averages: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The averages, and the versions of measures that have only one."""
        brought = [only for m in self.measures if (only := only_average(m)) is not None]
        plain = self.averages if any(only_average(m) is None for m in self.measures) else ()
        return tuple(dict.fromkeys((*plain, *brought)))

    @property
    def keys(self) -> tuple[tuple[Any, str], ...]:
        """The measure and the average of each score, measure after measure."""
        return tuple(
            (m, a) for m in self.measures for a in (self.averages if only_average(m) is None else (only_average(m),)) if a
        )

    def scores(self, ev: Evaluation, undefined: Any) -> dict[Key, Any]:
        """Return the scores of an evaluation."""
        return {(str(m), a): score(ev, m, a, undefined) for m, a in self.keys}


def only_average(measure: Any) -> str | None:
    """Return the only version of a measure, or None if it has all averages."""
    if isinstance(measure, MatrixMeasure):
        return "matrix"
    return measure.averages[0] if measure.averages else None


def score(ev: Evaluation, measure: Any, average: str | None, undefined: Any) -> Any:
    """Return one score of an evaluation."""
    return ev.score(measure, None if average == "matrix" else average, undefined=undefined)


def title(measure: Any, average: str) -> str:
    """Return the name of a score: its average and its measure."""
    return str(measure) if average == "matrix" else f"{average} {measure}"


def find_average(text: str, axes: Iterable[str]) -> str:
    """Return the average of this name or alias; ``axes`` are the groupings of the data.

    >>> find_average("samples", ())
    'exemplar'
    """
    known = [*AVERAGES, *ALIASES, BINARY, *(a for a in axes if a not in ("class", "example", *AVERAGES))]
    if text not in known:
        close = close_names(text, known)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise ValueError(
            f"--average {text!r} is unknown. {hint}Choose from {', '.join(known)}; --by COLUMN adds an average over its groups."
        )
    return ALIASES.get(text, text)


def select(evaluations: Sequence[Evaluation], measures: tuple[Any, ...], averages: tuple[str, ...]) -> Selection:
    """Return what to show of some evaluations: the given measures and averages.

    The default is the measures of the report, and those of its averages that all evaluations have.
    """
    axes = [axis for axis in evaluations[0].axes if all(axis in ev.axes for ev in evaluations)]
    chosen = tuple(dict.fromkeys(find_average(a, axes) for a in averages))
    for ev in evaluations:
        if BINARY in chosen and ev.positive is None:
            raise ValueError("--average binary needs a positive class. Name it with --positive.")
    if not chosen:
        binary = [BINARY] if all(ev.positive is not None for ev in evaluations) else []
        first, *others = map(usual_averages, evaluations)
        chosen = (*binary, *(a for a in first if all(a in other for other in others)))
    if not measures:
        measures = tuple(map(resolve, USUAL_MEASURES))
    elif averages:
        _check_only(measures, chosen)
    return Selection(tuple(dict.fromkeys(measures)), chosen)


def _check_only(measures: tuple[Any, ...], averages: tuple[str, ...]) -> None:
    """Refuse averages that would be ignored because each measure has only one version."""
    if all(only_average(m) is not None and only_average(m) not in averages for m in measures):
        m = measures[0]
        raise ValueError(f"{m} exists only in one version, {only_average(m)}. Leave --average out.")
