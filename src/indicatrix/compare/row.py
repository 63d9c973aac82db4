"""A row of a comparison: one score of every evaluation, who is ahead, and who is best by a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..inference.stats.wording import level_text

if TYPE_CHECKING:
    from ..inference.paired.difference import Difference


import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.convention import absent_units, plain_part
from ..algebra.derived.derived_facts import SIGNS
from ..algebra.score import Score, Undefined
from ..report.cells import BestCell
from ..report.score_table import score_cell

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from ..inference.intervals.interval import Interval

NOT_TESTED = "No {}: the differences were not tested. level=0.95 tests them."


@dataclass(frozen=True)
class Row:
    """One score of every evaluation, and whether a test shows one of these values to be the best."""

    name: str
    values: tuple[Any, ...]  # floats; None where an evaluation does not have this score
    better: str = "higher"  # or "lower", "neither" or "unknown"
    key: tuple[Any, Any] | None = None  # the measure and the average, where they are known
    intervals: tuple[Interval | None, ...] = ()  # of the values, where they were asked for
    best: tuple[bool, ...] = ()  # whether a test shows each value to be better than every other

    def __post_init__(self) -> None:
        object.__setattr__(self, "best", self.best or (False,) * len(self.values))

    @property
    def ahead(self) -> tuple[bool, ...]:
        """Whether each value is ahead of the others, which chance may explain; all False without an order.

        They cannot be ranked if all are equal, if no direction is better, or if they are means over different units.
        """
        return (False,) * len(self.values) if self.mixes_units() else self._leaders(self.values)

    def _leaders(self, values: Sequence[Any]) -> tuple[bool, ...]:
        known = [float(v) for v in values if has_value(v)]
        if self.better not in SIGNS or len(set(known)) < 2:
            return (False,) * len(values)
        top = max(known) if self.better == "higher" else min(known)
        return tuple(v is not None and float(v) == top for v in values)

    def mixes_units(self) -> bool:
        """Return whether the values are means over different units: others were undefined in each.

        Returns
        -------
        bool
            True only if undefined units are left out of the mean, which is undefined="exclude".

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].mixes_units()
        True
        """
        return len({units_left_out(v) for v in self.values if has_value(v)}) > 1

    def ahead_under(self, undefined: Undefined) -> tuple[bool, ...]:
        """Return which values would be ahead of the others under another convention for undefined values.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude', a number or 'nan'.

        Returns
        -------
        tuple of bool
            One flag for each value; all False if all are equal or no direction is better.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].ahead_under(0)
        (True, False)
        """
        return self._leaders(self.values_under(undefined))

    def values_under(self, undefined: Undefined) -> tuple[Any, ...]:
        """Return the values under another convention for undefined values.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude', a number or 'nan'.

        Returns
        -------
        tuple
            A number for each evaluation; None where it does not have this score.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].values_under(0)
        (1.0, 0.5)
        """
        return tuple(v.under(undefined) if isinstance(v, Score) else v for v in self.values)

    @property
    def ranks(self) -> tuple[float, ...]:
        """The place of each value, 1 for the best.

        Equal values share the mean of their places; a missing one has nan, and so has one without a rival.
        """
        sign = -1 if self.better == "lower" else 1
        known = [sign * float(v) for v in self.values if has_value(v)]
        places = {x: sum(y > x for y in known) + (known.count(x) + 1) / 2 for x in known}
        ranked = self.better in SIGNS and len(known) > 1 and not self.mixes_units()
        return tuple(places[sign * float(v)] if ranked and has_value(v) else math.nan for v in self.values)

    @property
    def cells(self) -> tuple[Any, ...]:
        """The name and the values with their intervals, the best one marked if a test shows it."""
        intervals = self.intervals or (None,) * len(self.values)
        cells = ["" if v is None else score_cell(v, i) for v, i in zip(self.values, intervals, strict=True)]
        return (self.name, *(BestCell(cell) if best else cell for cell, best in zip(cells, self.best, strict=True)))


def has_value(value: Any) -> bool:
    """Return whether a score is there and defined."""
    return value is not None and not math.isnan(value)


def units_left_out(score: Any) -> Any:
    """Return what the mean of a score leaves out: names of units, or how many examples."""
    if not isinstance(score, Score) or score.undefined in ("nan", "raise") or isinstance(score.undefined, int | float):
        return frozenset()
    if score.parts:
        inside = zip(score.counts.names[0], map(units_left_out, score.parts), strict=True)
        return frozenset((name, left_out) for name, left_out in inside if left_out)
    lost = frozenset(score.undefined_units if plain_part(score.undefined) == "exclude" else ())
    if "example" in score.counts.per:
        return lost and score.undefined_count
    absent = absent_units(score.undefined, score.counts)
    return lost if absent is None else lost.union(np.array(score.counts.names[-1], object)[absent].tolist())


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
