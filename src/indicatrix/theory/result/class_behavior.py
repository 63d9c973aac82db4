"""What a classifier does in each class: counts and rates that do not depend on class priors.

See sec:skew_settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.counts import Counts
from ...algebra.numbers.linear_fractional import Vector
from ...tally.states.group_counts import CrossTable
from ...tally.tally import Tally
from .exact_scores import ROUNDED, is_rounded, units_of

NEVER = Fraction(0)  # how often most pairs of many classes occur


def behavior_of(source: Any) -> tuple[Tally, str]:
    """Return the tally of a source, and its kind, which says whether classes exclude one another."""
    if hasattr(source, "tally") and hasattr(source, "kind"):
        return source.tally, str(source.kind)
    if isinstance(source, Tally) and isinstance(source.pooled, CrossTable):
        return source, "multiclass"
    if isinstance(source, Tally):
        raise ValueError(
            "These counts do not say whether classes exclude one another. Pass the evaluation, which has this information."
        )
    raise TypeError(
        f"Priors can be changed in an evaluation or a tally, not in {type(source).__name__}. Use ix.evaluate(…) to make one."
    )


def pair_table(tally: Tally) -> list[list[Fraction]]:
    """Return the table of pairs (true, predicted) in fractions.

    The last column holds abstentions, and the last row is empty.
    """
    if not isinstance(tally.pooled, CrossTable):
        raise ValueError(
            "Other priors need the rates at which each class is predicted as each other, but pairs of classes were not counted: "
            "there is a mask of entries, or there are many classes. Evaluate with confusion=True, without such a mask."
        )
    table = [[Fraction(x) if x else NEVER for x in row] for row in tally.pooled.table.tolist()]
    if any(table[-1]):
        raise ValueError(
            "Some examples have no true class, so their number does not follow from the priors. Evaluate without them."
        )
    return table


def class_cells(tally: Tally) -> tuple[Vector, ...]:
    """Return the exact counts (tp, fp, fn, tn) of each class."""
    return units_of(tally, "class").counts


def error_rates(table: list[list[Fraction]]) -> list[dict[int, Fraction]]:
    """Return R_kj over the classes k other than j that occur, for each class j."""
    sizes = [sum_of_row(row) for row in table[:-1]]
    return [{k: rate(table[k][j], size) for k, size in enumerate(sizes) if k != j and size} for j in range(len(sizes))]


def rate(part: Fraction, whole: Fraction) -> Fraction:
    """Return a share, rounded to twelve places if the weights are rounded floats.

    Otherwise equal rates could differ in their last digits.
    """
    if not part:
        return NEVER
    share = part / whole
    return round(share, ROUNDED) if is_rounded(part) or is_rounded(whole) else share


def scaled_rows(table: list[list[Fraction]], shares: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return the rows of a table scaled to these shares of the same total."""
    sizes = [sum_of_row(row) for row in table]
    total = sum(sizes, Fraction(0))
    factors = [p * total / size if p else Fraction(0) for p, size in zip(shares, sizes, strict=False)]
    return [[x * f if x else x for x in row] for row, f in zip(table, [*factors, Fraction(0)], strict=True)]


def sum_of_row(row: Sequence[Fraction]) -> Fraction:
    """Return the sum of a row of a table of pairs.

    Most pairs never occur, and adding a fraction takes long.
    """
    return sum((x for x in row if x), NEVER)


def is_movable(v: Vector) -> bool:
    """Return whether a label has positives and negatives, so that its recall and specificity are known."""
    return v[0] + v[2] != 0 and v[1] + v[3] != 0


def at_prevalence(v: Vector, p: Fraction) -> Vector:
    """Return the counts of a label at another prevalence, its recall, specificity and total kept."""
    tp, fp, fn, tn = v
    up, down = p * sum(v) / (tp + fn), (1 - p) * sum(v) / (fp + tn)
    return tp * up, fp * down, fn * up, tn * down


@dataclass(frozen=True)
class Balanced:
    """A source of counts per class, where each class has one example in total."""

    counts: Counts
    positive: Any

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts, per class or in total."""
        return self.counts if per else self.counts.sum()

    def binary(self) -> Counts:
        """Return the counts of the positive class."""
        return self.counts.at(**{"class": self.positive})


def balanced_source(source: Any) -> Balanced | None:
    """Return the source with every row of its confusion matrix scaled to one.

    None if it has no confusion matrix.

    >>> import indicatrix as ix
    >>> balanced_source(ix.from_confusion([[8, 2], [1, 3]])).counts.tp.tolist()
    [0.8, 0.75]
    """
    try:
        table = np.asarray(source.confusion, np.float64)
    except ValueError:  # pairs of classes were not kept
        return None
    rates = table / table.sum(axis=1, keepdims=True)
    tp, ppos = rates.diagonal(), rates.sum(axis=0)
    counts = Counts(
        tp, ppos - tp, 1 - tp, len(rates) - 1 - ppos + tp, per=("class",), names=(tuple(source.classes),), signed=True
    )
    return Balanced(counts, getattr(source, "positive", None))
