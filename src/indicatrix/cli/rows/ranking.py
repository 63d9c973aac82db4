"""What scores say beyond decisions: areas under curves and, of probabilities, the losses (sec:calibration)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

LOSSES = ("log_loss", "brier")
RANKED = ("auc", "average_precision", *LOSSES)  # what scores say beyond decisions
TOLERANCE = 1.5e-8  # how far from 1 a row of probabilities may sum: the root of the machine epsilon, as log_loss has it


@dataclass(frozen=True)
class Ranking:
    """Scores by name, and why some are left out."""

    scores: dict[str, Any]
    left_out: str = ""


def ranking(truth: Any, table: Any, options: dict[str, Any]) -> Ranking:
    """Return the areas, macro-averaged where there are several columns, and the losses where scores are probabilities."""
    from ...scores.areas import auc, average_precision
    from ...scores.proper import brier, log_loss

    given = {k: v for k, v in options.items() if v is not None and k != "by"}
    single = table.ndim == 1
    average = None if single else "macro"
    prefix = "" if single else "macro "
    scores = {f"{prefix}{area.name}": area(truth, table, average=average, **given) for area in (auc, average_precision)}
    reason = _no_probabilities(table, one_label=not single and not isinstance(truth, np.ndarray))
    if not reason:
        scores |= {"log_loss": log_loss(truth, table, **given), "brier": brier(truth, table, **given)}
    return Ranking(scores, reason)


def _no_probabilities(table: Any, *, one_label: bool) -> str:
    outside = (table < 0) | (table > 1)
    if outside.any():
        row = int(np.argwhere(outside)[0][0])
        return f"log_loss and brier are of probabilities, but data row {row + 1} has a score outside [0, 1]"
    if one_label:
        off = abs(table.sum(axis=1) - 1) > TOLERANCE
        if off.any():
            row = int(off.argmax())
            return (
                f"log_loss and brier are of probabilities, but those of data row {row + 1} sum to {table[row].sum():.10g}, not 1"
            )
    return ""
