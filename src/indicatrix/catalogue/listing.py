"""The catalogue as data: which measures there are, what is known about them, and their sources."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..algebra.measure import MEASURES, Measure
from .matrix import MATRIX_MEASURES, MatrixMeasure

FACTS: dict[str, Callable[[Measure | MatrixMeasure, Any], bool]] = {
    "group": lambda m, group: m.group == group,
    "better": lambda m, better: m.better == better,
    "range": lambda m, bounds: m.range == tuple(bounds),
    "source": lambda m, source: m.source == source,
    "parametric": lambda m, parametric: bool(m.params) == parametric,
    "known_as": lambda m, average: average in m.known_as,
    "search": lambda m, text: text.casefold() in " ".join((m.name, *m.aliases, m.doc)).casefold(),
}


class Catalogue(tuple[Measure | MatrixMeasure, ...]):
    """Measures, in the order in which they were registered; printing them shows a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        rows = [("name", "also", "range", "better", "what it is")]
        rows += [(repr(m), ", ".join(m.aliases), f"[{m.range[0]:.3g}, {m.range[1]:.3g}]", m.better, m.doc) for m in self]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    __str__ = __repr__


def catalogue(**facts: Any) -> Catalogue:
    """Return the measures of which all the given facts are true; without facts, all measures.

    The functions of the whole confusion matrix are found by ``group="confusion matrix"`` and by ``search=``.

    >>> [m.name for m in catalogue(group="likelihood", better="lower")]
    ['negative_likelihood_ratio']
    >>> [m.name for m in catalogue(search="youden")]
    ['informedness']
    """
    for fact in facts:
        if fact not in FACTS:
            raise TypeError(f"catalogue() cannot search by {fact!r}. It takes {', '.join(FACTS)}.")
    every: list[Measure | MatrixMeasure] = [*dict.fromkeys(MEASURES.values())]
    if "group" in facts or "search" in facts:
        every += MATRIX_MEASURES.values()
    groups = dict.fromkeys(m.group for m in every)
    if "group" in facts and facts["group"] not in groups:
        raise ValueError(f"There is no group {facts['group']!r}. Groups are {', '.join(map(repr, groups))}.")
    return Catalogue(m for m in every if all(FACTS[fact](m, value) for fact, value in facts.items()))


@cache
def references() -> dict[str, dict[str, Any]]:
    """Return the bibliography: what each measure's ``source`` stands for.

    >>> references()["youden1950"]["title"]
    'Index for rating diagnostic tests'
    """
    import json  # loaded here: the library is imported far more often than its bibliography is read
    from importlib.resources import files

    loaded: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("references.json").read_text("utf-8"))
    return loaded


__all__ = ["Catalogue", "catalogue", "references"]
