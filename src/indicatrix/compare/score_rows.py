"""The rows of a comparison: chosen scores of all examples and of groups, areas and losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..algebra.average import Name, score_name
from ..algebra.measure import Measure
from ..evaluation import Evaluation
from ..selection import Key
from .row import Row

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from .paired_counts import PairedCounts


def score_rows(evaluations: Sequence[Evaluation], keys: Sequence[Key], undefined: Any) -> list[Row]:
    """Return some scores of every evaluation."""
    return [
        Row(score_name(m, a), tuple(ev.score(m, a, undefined=undefined) for ev in evaluations), m.better, (m, a)) for m, a in keys
    ]


def group_rows(evaluations: Sequence[Evaluation], axis: str, keys: Sequence[Key], undefined: Any) -> list[Row]:
    """Return some scores within each group of an axis."""
    split = [ev.split(axis) for ev in evaluations]
    rows = []
    for group in dict.fromkeys(name for groups in split for name in groups):
        for m, a in keys:
            if axis not in (a if isinstance(a, tuple) else (a,)):
                values = tuple(
                    None if group not in groups else groups[group].score(m, a, undefined=undefined) for groups in split
                )
                rows.append(Row(f"{axis} {group}: {score_name(m, a)}", values, m.better))
    return rows


def rows_of_scores(joint: PairedCounts, measures: Sequence[Measure], averages: Sequence[Name], undefined: Any) -> list[Row]:
    """Return the areas, losses and rankings of each classifier.

    Without an average, an area is that of the only ranking or the macro one, and a loss the mean over examples. A loss that does
    not have a named average keeps its own.
    """
    if measures and not joint.sweeps:
        raise ValueError(f"{measures[0]} needs the scores of each example. Give scores=True to ix.inference.paired_counts.")
    from ..inference.intervals.of_area import over_examples

    rows = []
    for measure in measures:
        usual = None if measure.reads.per_example or joint.sweeps[0].positive is not None else "macro"
        for average in dict.fromkeys(_existing(measure, joint.sweeps[0], average) for average in averages or (usual,)):
            values = tuple(over_examples(swept, measure, average, undefined) for swept in joint.sweeps)
            name = score_name(measure, average if measure.reads.per_example else values[0].average)
            rows.append(Row(name, values, measure.better, (measure, average)))
    return rows


def _existing(measure: Measure, swept: Any, average: Any) -> Any:
    """Return an average; None, which is its own, where a loss does not have it."""
    if not measure.reads.per_example or average is None:
        return average
    try:
        measure.score(swept, average, "nan")
    except ValueError:
        return None
    return average
