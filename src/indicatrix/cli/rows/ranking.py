"""What scores show beyond decisions: areas and, for probabilities, losses (sec:calibration)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

LOSSES = ("log_loss", "brier")
RANKED = ("auc", "average_precision", *LOSSES)  # what scores show beyond decisions
TOLERANCE = 1.5e-8  # how far a sum of probabilities may be from 1: the root of the machine epsilon, as in log_loss


@dataclass(frozen=True)
class Ranking:
    """Areas and losses by name, and why some are left out."""

    scores: dict[str, Any]
    left_out: str = ""


def ranking(truth: Any, table: Any, options: dict[str, Any]) -> Ranking:
    """Return the areas (macro for several columns), and the losses if the scores are probabilities."""
    from ...scores.areas import auc, average_precision
    from ...scores.proper_scores import brier, log_loss

    given = {k: v for k, v in options.items() if v is not None and k != "by"}
    single = table.ndim == 1
    average = None if single else "macro"
    prefix = "" if single else "macro "
    scores = {f"{prefix}{area.name}": area(truth, table, average=average, **given) for area in (auc, average_precision)}
    reason = _why_not_probabilities(table, one_label=not single and not isinstance(truth, np.ndarray))
    if not reason:
        scores |= {"log_loss": log_loss(truth, table, **given), "brier": brier(truth, table, **given)}
    return Ranking(scores, reason)


def _why_not_probabilities(table: Any, *, one_label: bool) -> str:
    outside = (table < 0) | (table > 1)
    if outside.any():
        row = int(np.argwhere(outside)[0][0])
        return f"log_loss and brier need probabilities, but data row {row + 1} has a score outside [0, 1]"
    if one_label:
        off = abs(table.sum(axis=1) - 1) > TOLERANCE
        if off.any():
            row = int(off.argmax())
            return f"log_loss and brier need probabilities, but those of data row {row + 1} sum to {table[row].sum():.10g}, not 1"
    return ""
