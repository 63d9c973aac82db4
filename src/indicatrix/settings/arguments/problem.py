"""What the arguments of ``evaluate`` change: labels before encoding, and the problem they become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...algebra.arrays import Mask
from ...algebra.scale import Scale
from ...algebra.tnorms import TNorm
from ...encode.pairs import Pair
from .options import PLAIN, Made


@dataclass(frozen=True, eq=False)
class LabelPair:
    """Two label arrays on their way to indicators."""

    y_true: Any
    y_pred: Any
    classes: tuple[Any, ...] | None = None  # None: the labels decide
    rule: Any = None  # how scores become decisions; None: no scores are left
    abstained: Mask | None = None  # where a missing prediction is an abstention
    made: Made = PLAIN


@dataclass(frozen=True, eq=False)
class Problem:
    """What is counted: two indicators, the t-norm of memberships, what cells count, how it was made."""

    pair: Pair
    norm: TNorm | None = None
    scale: Scale | None = None
    kind: str = "multiclass"
    made: Made = PLAIN
    mask: Any = None  # as the caller gave it, until the last step makes it bools, n x 1 or n x m
    abstained: Mask | None = None  # examples whose prediction was declined, by a label or by being missing

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return self.pair.n
