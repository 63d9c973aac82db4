"""The columns of evaluations side by side: their names, their common classes, their areas and losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...common_classes import on_all_classes
from ...comparison.row import Row
from ..rows.counting import Evaluated
from ..rows.ranking import LOSSES


def unify(evaluated: Sequence[Evaluated]) -> tuple[Evaluated, ...]:
    """Return the evaluations on the classes of all of them, so that macro averages are comparable."""
    unified = on_all_classes([e.ev for e in evaluated], [e.name for e in evaluated], compared_things(evaluated))
    return tuple(replace(e, ev=ev) for e, ev in zip(evaluated, unified, strict=True))


def rows_beyond_decisions(evaluated: Sequence[Evaluated]) -> list[Row]:
    """Return the rows of areas and losses, for files with scores."""
    found = [{} if e.ranking is None else e.ranking.scores for e in evaluated]
    names = dict.fromkeys(name for scores in found for name in scores)
    return [Row(name, tuple(scores.get(name) for scores in found), "lower" if name in LOSSES else "higher") for name in names]


def compared_things(evaluated: Sequence[Evaluated]) -> str:
    """Return what the columns of a comparison are: files, or columns of one file."""
    return "files" if evaluated[0].column is None else "columns"


def names_of(evaluated: Sequence[Evaluated], paths: Sequence[str]) -> list[str]:
    """Return the names of the columns of a comparison: those of the predictions, or of the files."""
    return titles(paths) if evaluated[0].column is None else [e.name for e in evaluated]


def titles(paths: Sequence[str]) -> list[str]:
    """Return the file names if they differ, otherwise the whole paths.

    >>> titles(["runs/a.csv", "runs/b.csv"]), titles(["x/a.csv", "y/a.csv"])
    (['a.csv', 'b.csv'], ['x/a.csv', 'y/a.csv'])
    """
    short = [Path(path).name or path for path in paths]
    return short if len(set(short)) == len(short) else list(paths)
