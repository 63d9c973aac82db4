"""Evaluations side by side: one column each, the best of each row marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...encode.vocabulary import family_of, vocabulary
from ..rows.counting import Evaluated
from ..rows.ranking import LOSSES
from ..rows.renamed_classes import on_classes
from .selection import Selection, score, title


@dataclass(frozen=True)
class Row:
    """One score of every evaluation, and which of these values are best."""

    name: str
    values: tuple[Any, ...]  # floats; None where an evaluation does not have this score
    better: str = "higher"

    @property
    def best(self) -> tuple[bool, ...]:
        """Whether each value is the best; all False if all are equal or no direction is better."""
        known = [float(v) for v in self.values if v is not None and not math.isnan(v)]
        if self.better == "neither" or len(set(known)) < 2:
            return (False,) * len(self.values)
        top = max(known) if self.better == "higher" else min(known)
        return tuple(v is not None and float(v) == top for v in self.values)


def unify(evaluated: Sequence[Evaluated]) -> tuple[Evaluated, ...]:
    """Return the evaluations on the classes of all of them, so that macro averages are comparable."""
    sets = {e.ev.classes for e in evaluated}
    if len({frozenset(s) for s in sets}) < 2:
        return tuple(evaluated)
    every = {c for s in sets for c in s}
    families = {family_of(type(c)) for c in every}
    if len(families) > 1:
        named = ", ".join(f"{e.name}: {family_of(type(e.ev.classes[0]))}" for e in evaluated if e.ev.classes)
        raise ValueError(
            f"These files have labels of different types and cannot be compared ({named}). Use one type of label in all files."
        )
    widest = next((s for s in sorted(sets, key=len, reverse=True) if set(s) == every), None)
    classes = widest if widest is not None else vocabulary(every, "classes")
    return tuple(e if e.ev.kind == "counts" else replace(e, ev=on_classes(e.ev, classes)) for e in evaluated)


def comparison_rows(evaluated: Sequence[Evaluated], selection: Selection, undefined: Any) -> list[Row]:
    """Return the rows of a comparison: the selected scores of every evaluation."""
    keys = sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    return [Row(title(m, a), tuple(score(e.ev, m, a, undefined) for e in evaluated), m.better) for m, a in keys]


def rows_beyond_decisions(evaluated: Sequence[Evaluated]) -> list[Row]:
    """Return the rows of areas and losses, for files with scores."""
    found = [{} if e.ranking is None else e.ranking.scores for e in evaluated]
    names = dict.fromkeys(name for scores in found for name in scores)
    return [Row(name, tuple(scores.get(name) for scores in found), "lower" if name in LOSSES else "higher") for name in names]


def rows_by_group(evaluated: Sequence[Evaluated], axis: str, selection: Selection, undefined: Any) -> list[Row]:
    """Return the rows of a comparison within each group of an axis."""
    split = [e.ev.split(axis) for e in evaluated]
    rows = []
    for group in dict.fromkeys(name for groups in split for name in groups):
        for m, a in selection.keys:
            if a != axis:
                values = tuple(None if group not in groups else score(groups[group], m, a, undefined) for groups in split)
                rows.append(Row(f"{axis} {group}: {a} {m}", values, m.better))
    return rows


def cautions(evaluated: Sequence[Evaluated]) -> list[str]:
    """Return warnings about a comparison: files that are not about the same examples."""
    sizes = [e.ev.n for e in evaluated]
    if len(set(sizes)) > 1:
        return [f"The files have different numbers of examples: {', '.join(f'{n:,}' for n in sizes)}. Compare them with care."]
    actual = [dict(zip(e.ev.classes, e.ev.aggregate("class").tpos.tolist(), strict=True)) for e in evaluated]
    if any({c: n for c, n in one.items() if n} != {c: n for c, n in actual[0].items() if n} for one in actual):
        return ["The files have different numbers of true labels per class, so they are not about the same examples."]
    return []


def titles(paths: Sequence[str]) -> list[str]:
    """Return names for columns: the file names if they differ, otherwise the whole paths.

    >>> titles(["runs/a.csv", "runs/b.csv"]), titles(["x/a.csv", "y/a.csv"])
    (['a.csv', 'b.csv'], ['x/a.csv', 'y/a.csv'])
    """
    short = [Path(path).name or path for path in paths]
    return short if len(set(short)) == len(short) else list(paths)
