"""Which scores are shown: measures by averages, and measures that have only one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...algebra.average import ALIASES, AVERAGES, BINARY
from ...algebra.spelling import close_names
from ...evaluation import Evaluation
from ...selection import Selection, only_average, select_scores


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
    if measures and averages:
        _check_only(measures, chosen)
    return select_scores(evaluations, measures, chosen)


def _check_only(measures: tuple[Any, ...], averages: tuple[str, ...]) -> None:
    """Refuse averages that would be ignored because each measure has only one version."""
    if all(only_average(m) is not None and only_average(m) not in averages for m in measures):
        m = measures[0]
        raise ValueError(f"{m} exists only in one version, {only_average(m)}. Leave --average out.")
