"""Which value of a row is marked: only one that a test shows to be better than every other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..inference.stats.wording import level_text
from .row import Row

if TYPE_CHECKING:
    from ..inference.paired.difference import Difference

NOT_TESTED = "No {}: the differences were not tested. level=0.95 tests them."


def mark_best(rows: Sequence[Row], names: Sequence[str], differences: Sequence[Difference]) -> tuple[Row, ...]:
    """Return the rows, in each of them the best value marked if its difference from every other is clear."""
    clear = {(d.score, *sorted((d.first, d.second))) for d in differences if d.clear}
    return tuple(replace(row, best=_clearly_best(row, names, clear)) for row in rows)


def _clearly_best(row: Row, names: Sequence[str], clear: set[tuple[str, ...]]) -> tuple[bool, ...]:
    ahead = row.ahead
    if sum(ahead) != 1:
        return (False,) * len(names)
    first = names[ahead.index(True)]
    sure = all((row.name, *sorted((first, other))) in clear for other in names if other != first)
    return ahead if sure else (False,) * len(names)


def legend(rows: Sequence[Row], names: Sequence[str], differences: Sequence[Difference], mark: str) -> str:
    """Return the line that says what a mark means, or why there is none; "" if nothing can be the best.

    >>> legend([Row("f1", (0.5, 0.75))], ["lr", "rf"], (), "star")
    'No star: the differences were not tested. level=0.95 tests them.'
    """
    if len(names) < 2 or not any(any(row.ahead) for row in rows):
        return ""
    others = "the other" if len(names) == 2 else "every other"
    if any(any(row.best) for row in rows):
        return f"{'*' if mark == 'star' else 'Bold'}: better than {others}, by a test at {level_text(differences[0].level)}."
    if not any(d.tested for d in differences):
        return f"No {mark}: no difference has a test here." if differences else NOT_TESTED.format(mark)
    pairs = {frozenset((d.first, d.second)) for d in differences}
    if len(pairs) < len(names) * (len(names) - 1) // 2 and (shared := frozenset.intersection(*pairs)):
        return f"No {mark}: only differences from {next(iter(shared))}, the baseline, were tested."
    return f"No {mark}: no test shows one to be better than {others}."
