"""The rows of a comparison: chosen scores of all examples and of groups, areas and losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..algebra.average import Name, score_name
from ..algebra.measure import Measure
from ..evaluation import Evaluation
from ..selection import Key, score
from .row import Row

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from .joint import Joint
    from .mean_losses import MeanLoss


def score_rows(evaluations: Sequence[Evaluation], keys: Sequence[Key], undefined: Any) -> list[Row]:
    """Return some scores of every evaluation."""
    return [Row(score_name(m, a), tuple(score(ev, m, a, undefined) for ev in evaluations), m.better, (m, a)) for m, a in keys]


def group_rows(evaluations: Sequence[Evaluation], axis: str, keys: Sequence[Key], undefined: Any) -> list[Row]:
    """Return some scores within each group of an axis."""
    split = [ev.split(axis) for ev in evaluations]
    rows = []
    for group in dict.fromkeys(name for groups in split for name in groups):
        for m, a in keys:
            if axis not in (a if isinstance(a, tuple) else (a,)):
                values = tuple(None if group not in groups else score(groups[group], m, a, undefined) for groups in split)
                rows.append(Row(f"{axis} {group}: {score_name(m, a)}", values, m.better))
    return rows


def loss_rows(joint: Joint, losses: Sequence[MeanLoss], undefined: Any) -> list[Row]:
    """Return the mean losses of the probabilities of each classifier."""
    _need_sweeps(joint, losses)
    values = {loss: tuple(loss.score(swept, undefined) for swept in joint.sweeps) for loss in losses}
    return [Row(str(loss), found, loss.better, (loss, None)) for loss, found in values.items()]


def _need_sweeps(joint: Joint, read: Sequence[Any]) -> None:
    if read and not joint.sweeps:
        raise ValueError(f"{read[0]} needs the scores of each example. Give scores=True to ix.joint.")


def area_rows(joint: Joint, areas: Sequence[Measure], averages: Sequence[Name], undefined: Any) -> list[Row]:
    """Return the areas of each classifier; without an average, that of the only ranking or the macro one."""
    _need_sweeps(joint, areas)
    rows = []
    for area in areas:
        for average in averages or ["macro" if joint.sweeps[0].positive is None else None]:  # type: ignore[list-item]
            values = tuple(area.score(swept, average, undefined) for swept in joint.sweeps)
            rows.append(Row(score_name(area, values[0].average), values, area.better, (area, average)))
    return rows
