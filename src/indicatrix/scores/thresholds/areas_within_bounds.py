"""Areas of a sweep, and two numbers between which they lie: bins do not keep the order within."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.average import BINARY, reads_positive
from ...algebra.measure_names import resolve
from ...algebra.number_with_ends import float_of_value, format_with_ends, round_with_ends
from ...algebra.offered_averages import OfferedAverages
from ...algebra.score import Undefined, check_undefined, combine
from ...words.call_mistakes import answers_mistakes
from ..curves.ranked_units import rankings_of

AREAS = ("auc", "average_precision")


@answers_mistakes
@dataclass(frozen=True)
class Estimate:
    """An area of ranked scores, and two numbers between which the area of the scores themselves lies.

    Attributes
    ----------
    value : float
        The area of the bins.
    low, high : float
        The lowest and the highest area that the scores themselves may have.
    """

    value: float
    low: float
    high: float

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends


def area_within_bounds(swept: Any, name: str, average: str | None, undefined: Undefined) -> Estimate:
    """Return an area under an average, and the same average of the bounds of each unit."""
    if name not in AREAS:
        raise ValueError(f"{name!r} has no bounds here; {' and '.join(map(repr, AREAS))} have.")
    check_undefined(undefined)
    area = resolve(name)
    called, rule = OfferedAverages(area, swept).find(BINARY if average is None else average)
    if "example" in rule.per:
        raise ValueError(f"average={average!r} is a mean of areas that are known: ix.{name}(sweep, average={average!r}).")
    units = rankings_of(swept, rule.per, positive=called == BINARY or reads_positive(swept, rule.per))
    three = np.array([(getattr(one, name), *getattr(one, f"{name}_bounds")) for one in units.each]).reshape(-1, 3)
    weights = rule.weights(area, units)
    return Estimate(*(combine(column, weights, undefined) for column in three.T))
