"""Absent classes apart from other undefined values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from .counts import Counts


@answers_mistakes
@dataclass(frozen=True)
class Convention:
    """A convention for classes: absent ones are left out, other undefined values replaced.

    A class is absent if it neither occurs nor is predicted, or, with ``absent="true"``, if it does not occur. It is left out
    of means over classes even if its value is defined, as the specificity of an absent class is. Pass it as ``undefined=`` of a
    score, of its interval or of a comparison.

    Attributes
    ----------
    otherwise : str or number
        What the undefined value of a class that is there does: 'exclude', 'nan' or a number.
    absent : str
        Which classes are absent: 'both' (they neither occur nor are predicted) or 'true' (they do not occur).

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 0, 1], [0, 2, 1], classes=range(4))
    >>> ev.values("recall").tolist()
    [0.5, 1.0, nan, nan]
    >>> ev.score("recall", "macro", undefined=ix.types.Convention(otherwise=0))
    0.5 (macro recall; 2 of 4 classes undefined, absent classes excluded, others counted as 0)
    """

    otherwise: str | float = 0
    absent: str = "both"

    def __post_init__(self) -> None:
        number = (
            isinstance(self.otherwise, int | float) and not isinstance(self.otherwise, bool) and math.isfinite(self.otherwise)
        )
        if not number and self.otherwise not in ("exclude", "nan"):
            raise ValueError(f"otherwise={self.otherwise!r} is unknown. Use 'exclude', 'nan' or a finite number such as 0.")
        if self.absent not in ("both", "true"):
            raise ValueError(f"absent={self.absent!r} is unknown. Use 'both' or 'true'.")

    def __float__(self) -> float:
        raise only_of_counts(self)


def resolve_convention(undefined: Any, source: Any, measure: Any = None, average: Any = None) -> Any:
    """Return the convention that a dialect has for a source and a score; any other convention as it is."""
    return undefined.undefined_for(source, measure, average) if hasattr(undefined, "undefined_for") else undefined


def plain_part(undefined: Any) -> Any:
    """Return what happens to undefined values of units that are there."""
    return undefined.otherwise if isinstance(undefined, Convention) else undefined


def stand_in(undefined: Any) -> float | None:
    """Return the number that replaces undefined values of units that are there; None: they are left out."""
    plain = plain_part(undefined)
    return None if isinstance(plain, str) else float(plain)


def only_of_counts(undefined: Any) -> TypeError:
    """Return the error of a convention about classes where there are no counts of classes."""
    return TypeError(
        f"undefined={undefined!r} leaves absent classes out, which only scores of counts and their intervals can do: ev.score, "
        "ev.table, ev.interval, ix.compare and measures of labels. Use 'exclude', 'nan', 'raise' or a number here."
    )


def absent_units(undefined: Any, counts: Counts) -> Any:
    """Return which units a convention leaves out as absent classes; None if it leaves out none."""
    if not isinstance(undefined, Convention) or "class" not in counts.per:
        return None
    absent = np.asarray(counts.tp + counts.fn + (counts.fp if undefined.absent == "both" else 0)) == 0
    return absent if absent.any() else None


def weights_under(undefined: Any, weights: Any, counts: Counts) -> Any:
    """Return the weights of units under a convention: 0 for absent classes, if it leaves them out."""
    absent = absent_units(undefined, counts)
    if absent is None:
        return weights
    return np.where(absent, 0.0, 1.0 if weights is None else weights)
