"""Confusion entropy: how evenly the errors of each class are spread over the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.functions import constant, log, ratio
from ..matrix_measure import matrix_measure
from .cells import log_parts, machine_integers, margins
from .information import GROUP


@matrix_measure(range=(0, math.inf), source="wei2010", group=GROUP, better="lower", symmetric=True, aliases=("cen",))
def confusion_entropy(confusion: Any) -> Any:
    """Uncertainty of the errors of each class, weighted by its share (CEN); with two classes up to 1.06."""
    return _spread_of_errors(confusion, 0, 2 * confusion.sum())


@matrix_measure(range=(0, 1), source="delgado2018", group=GROUP, better="lower", symmetric=True, aliases=("mcen",))
def modified_confusion_entropy(confusion: Any) -> Any:
    """Confusion entropy where right answers count once in the size of a class (MCEN)."""
    confusion = machine_integers(confusion)
    twice, right = 2 * confusion.sum(), confusion.trace()
    return _spread_of_errors(confusion, confusion.diagonal(), twice - right if len(confusion) > 2 else twice)


def _spread_of_errors(confusion: Any, less: Any, whole: Any) -> Any:
    """Return the sum over classes, by what their sizes are reduced and what the sum is divided by."""
    confusion = machine_integers(confusion)
    true, pred, n = margins(confusion)
    m = len(confusion)
    if m < 2:
        return math.nan
    errors = confusion * (1 - np.eye(m, dtype=int))
    sizes = true + pred - less
    spread = log_parts(errors, sizes[:, None]) + log_parts(errors, sizes)
    return ratio(spread, whole * log(constant(2 * (m - 1), n)))
