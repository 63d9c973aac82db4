"""The rows of a comparison: selected scores of all examples, of each group, and areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..algebra.average import Name, score_name
from ..evaluation import Evaluation
from ..selection import Selection, score
from .row import Row

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from ..scores.areas import Area
    from .joint import Joint


def score_rows(evaluations: Sequence[Evaluation], selection: Selection, undefined: Any) -> list[Row]:
    """Return the selected scores of every evaluation, average after average."""
    keys = sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    return [Row(score_name(m, a), tuple(score(ev, m, a, undefined) for ev in evaluations), m.better, (m, a)) for m, a in keys]


def group_rows(evaluations: Sequence[Evaluation], axis: str, selection: Selection, undefined: Any) -> list[Row]:
    """Return the selected scores within each group of an axis."""
    split = [ev.split(axis) for ev in evaluations]
    rows = []
    for group in dict.fromkeys(name for groups in split for name in groups):
        for m, a in selection.keys:
            if axis not in (a if isinstance(a, tuple) else (a,)):
                values = tuple(None if group not in groups else score(groups[group], m, a, undefined) for groups in split)
                rows.append(Row(f"{axis} {group}: {score_name(m, a)}", values, m.better))
    return rows


def area_rows(joint: Joint, areas: Sequence[Area], averages: Sequence[Name], undefined: Any) -> list[Row]:
    """Return the areas of each classifier; without an average, that of the only ranking or the macro one."""
    if areas and not joint.sweeps:
        raise ValueError(f"{areas[0]} needs the scores of each example. Give scores=True to ix.joint.")
    rows = []
    for area in areas:
        for average in averages or ["macro" if joint.sweeps[0].positive is None else None]:  # type: ignore[list-item]
            values = tuple(area.score(swept, average, undefined) for swept in joint.sweeps)
            rows.append(Row(score_name(area, values[0].average), values, area.better, (area, average)))
    return rows
