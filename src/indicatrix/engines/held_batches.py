"""Batches of a stream that are checked at once and counted later, many together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.decisions import picks_one_class
from ..settings.arguments.options import Options
from .batch_decisions import is_zero_one, reaches

if TYPE_CHECKING:
    from typing import Self

ENTRIES = 1 << 19  # this many entries of label matrices are kept before they are counted together
TEXTS = 1 << 13  # this many rows of texts


@dataclass(frozen=True)
class HeldBatches:
    """Label matrices and texts that are as valid as those of a batch that was evaluated by itself."""

    width: int | None = None  # of label matrices, once a batch was evaluated; None: no matrix is taken
    likes_texts: bool = False  # once a batch of texts was evaluated
    matrices: list[tuple[Array, Array]] = field(default_factory=list)
    texts: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    @property
    def n(self) -> int:
        """The number of examples."""
        return sum(len(true) for true, _ in self.matrices) + len(self.texts[0])

    @property
    def full(self) -> bool:
        """Whether there are enough to be counted."""
        return len(self.texts[0]) >= TEXTS or sum(true.size for true, _ in self.matrices) >= ENTRIES

    def without_batches(self) -> Self:
        """Return this without any batch."""
        return replace(self, matrices=[], texts=([], []))

    def takes_matrices(self, true: Array, pred: Any, options: Options) -> bool:
        """Keep a batch of label matrices; return False for others, of which nothing is kept."""
        classes, decide = options.classes, options.decide
        if type(pred) is not np.ndarray or pred.shape != true.shape or not true.size or options.positive is not None:
            return False
        if (decide is None) != (pred.dtype.kind in "bui") or (classes is not None and len(classes) != true.shape[1]):
            return False
        if decide is not None:
            if picks_one_class(decide) or pred.dtype.kind != "f" or np.isnan(pred).any():
                return False
            pred = reaches(pred, decide)
        if not (is_zero_one(true) and is_zero_one(pred)) or self.width != true.shape[1]:
            return False
        self.matrices.append((true.astype(np.uint8), pred.astype(np.uint8)))
        return True

    def takes_texts(self, true: Any, pred: Any, options: Options) -> bool:
        """Keep a batch of texts; return False for others, of which nothing is kept."""
        if not (self.likes_texts and are_texts(true, pred, options)):
            return False
        for held, labels in zip(self.texts, (true, pred), strict=True):
            held += map(str, labels)
        return True


def are_texts(true: Any, pred: Any, options: Options) -> bool:
    """Return whether labels are lists of texts of one length, of the classes if these are given."""
    if not (type(true) is list and type(pred) is list and options.decide is None and len(true) == len(pred)):
        return False
    texts = bool(true) and {*map(type, true), *map(type, pred)} <= {str, np.str_}
    return texts and (options.classes is None or set(options.classes).issuperset((*true, *pred)))
