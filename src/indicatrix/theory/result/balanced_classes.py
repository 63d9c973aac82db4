"""The same classifier with equally frequent classes, in fast float arithmetic.

It is used to estimate how much the priors matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.counts import Counts


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
    """Return the source with every row of its confusion matrix scaled to one (prop:ovr_skew).

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
