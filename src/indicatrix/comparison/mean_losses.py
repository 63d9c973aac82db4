"""Losses of probabilities in a comparison: Brier score and log loss, means over examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..scores.contributions import BoundaryScore
from ..scores.proper_scores import brier, log_loss
from ..scores.sweep import Sweep


@dataclass(frozen=True)
class MeanLoss:
    """A loss of each example, of which the mean is the score."""

    name: str
    function: Callable[..., Any]
    better: str = "lower"
    reads: Any = None

    def score(self, swept: Sweep, undefined: Any) -> BoundaryScore:
        """Return the mean loss of the probabilities of a sweep; what is not a probability is refused."""
        rows = swept.rows
        if rows is None:
            raise ValueError(f"{self} needs the probabilities of each example, and only ranked scores were kept.")
        options: dict[str, Any] = {"sample_weight": rows.weights, "average": "exemplar", "undefined": undefined}
        if swept.kind == "binary":
            mask = None if rows.mask is None else rows.mask[:, 0]
            found = self.function(rows.labels[:, 0].astype(int), rows.scores[:, 0], mask=mask, **options)
        elif rows.labels.ndim == 1:
            mask = None if rows.mask is None else rows.mask if rows.mask.shape[1] > 1 else rows.mask[:, 0]
            found = self.function(rows.labels, rows.scores, classes=range(rows.scores.shape[1]), mask=mask, **options)
        else:
            found = self.function(rows.labels.astype(int), rows.scores, mask=rows.mask, **options)
        assert isinstance(found, BoundaryScore)
        return found

    def __str__(self) -> str:
        return self.name


LOSSES = {loss.name: loss for loss in (MeanLoss("brier", brier), MeanLoss("log_loss", log_loss))}


def find_loss(measure: Any) -> MeanLoss | None:
    """Return the loss that a name, or the function itself, stands for; None for anything else.

    >>> import indicatrix as ix
    >>> print(find_loss(ix.brier), find_loss("f1"))
    brier None
    """
    if isinstance(measure, MeanLoss):
        return measure
    named = LOSSES.get(measure.strip()) if isinstance(measure, str) else None
    return named or next((loss for loss in LOSSES.values() if loss.function is measure), None)
