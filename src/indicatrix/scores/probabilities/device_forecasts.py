"""Labels and probabilities on a device, for losses and bins of equal width.

All else reads them in main memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import (
    common_place,
    detach,
    has_long_integers,
    holds_labels,
    is_kind,
    namespace_of,
    to_host,
)
from ...tally.device.counting import count_pairs
from .predictions import Column, Forecast

MOST_SUMMED = 64  # bins, each of which is summed by itself, so that the order of the sums is always the same


class ColumnOnDevice(Column):
    """Predictions of one event on a device, and whether it came true."""

    def sums(self, edges: Array) -> tuple[Array, Array, Array, Array]:
        """Return weight, positives, sum of predictions and effective number of each bin."""
        size = len(edges) - 1
        if size > MOST_SUMMED:
            return self.here.sums(edges)
        xp = namespace_of(self.p)
        inner = xp.asarray(edges[1:-1], dtype=self.p.dtype, device=self.p.device)
        place, width = xp.astype(xp.searchsorted(inner, self.p), xp.int64), max(2, size)
        both = count_pairs(xp.astype(self.positive, xp.int64), place, width).table[:2, :size]
        zero = xp.zeros_like(self.p)
        mass = to_host(xp.stack([xp.sum(xp.where(place == k, self.p, zero)) for k in range(size)]))
        weight = both.sum(axis=0)
        return weight, both[1], mass, weight.astype(np.float64)

    @cached_property
    def here(self) -> Column:
        """The same in main memory."""
        p = to_host(self.p)
        return Column(p, to_host(self.positive), np.ones(len(p), np.int64))


class ForecastOnDevice(Forecast):
    """Labels and probabilities of n examples on m columns, on a device; none is weighted or hidden."""

    @cached_property
    def here(self) -> Forecast:
        """The same in main memory."""
        labels, p = to_host(self.labels), to_host(self.p)
        return Forecast(self.kind, self.classes, labels, p, self.epsilon, None, None, {})

    @property
    def n(self) -> int:
        """The number of examples."""
        return int(self.p.shape[0])

    @property
    def truth(self) -> Any:
        """The indicator matrix, on the device."""
        xp, codes = namespace_of(self.p), self.codes
        if codes is None:
            return self.labels
        return xp.expand_dims(codes, axis=1) == xp.arange(len(self.classes), dtype=codes.dtype, device=codes.device)

    @property
    def given(self) -> Any:
        """The probability of each example's class."""
        xp = namespace_of(self.p)
        return xp.take_along_axis(self.p, xp.expand_dims(xp.astype(self.labels, xp.int64), axis=1), axis=1)[:, 0]

    @property
    def differences(self) -> Any:
        """The probabilities minus the indicator matrix."""
        return self.p - namespace_of(self.p).astype(self.truth, self.p.dtype)

    @property
    def actual(self) -> tuple[Array, Array]:
        """The actual positives, and the actual negatives, of each class."""
        return self.here.actual

    def exposure(self, ndim: int, *, weighted: bool = True) -> Any:
        """Return the weight of each example or entry, which is 1."""
        xp = namespace_of(self.p)
        return xp.ones_like(self.p if ndim == 2 else self.p[:, 0])

    def actual_labels(self) -> tuple[Array, Array]:
        """Return which entries are positive, and which are negative, in main memory."""
        return self.here.actual_labels()

    def columns(self) -> list[Column]:
        """Return the predictions of every class, in main memory."""
        return self.here.columns()

    def column(self, unit: Any = None) -> Column:
        """Return the predictions of one class against all others, in main memory."""
        return self.here.column(unit)

    def top_of_classes(self) -> list[Column]:
        """Return the predictions of each predicted class, in main memory."""
        return self.here.top_of_classes()

    def split(self, axis: str) -> dict[Any, Forecast]:
        """Return the examples of each group: there are no groups."""
        return self.here.split(axis)

    def pool(self) -> Column:
        """Return everything as one event: the positive class, the predicted class, or every entry."""
        xp = namespace_of(self.p)
        if self.codes is None:
            return ColumnOnDevice(xp.reshape(self.p, (-1,)), xp.reshape(self.labels, (-1,)), None)  # type: ignore[arg-type]
        best = xp.argmax(self.p, axis=1)
        hit = best == xp.astype(self.codes, best.dtype)
        return ColumnOnDevice(xp.max(self.p, axis=1), hit, None)  # type: ignore[arg-type]


def forecast_on_device(y_true: Any, y_proba: Any, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> Forecast | None:
    """Return labels and probabilities that stay on their device.

    None if they are to be read in main memory.

    That is where something is not right with them, and where an option says more than that rows may have any sum.
    """
    changed = (name for name, value in given.items() if value is not defaults[name] and name != "sums")
    if common_place(y_true, y_proba) is None or any(changed) or y_true.ndim not in (1, 2) or y_proba.ndim not in (1, 2):
        return None
    labels, p = detach(y_true), detach(y_proba)
    xp, several = namespace_of(p), y_true.ndim == y_proba.ndim
    if 0 in p.shape or labels.shape != p.shape[: labels.ndim] or (labels.ndim == 2 and not several):
        return None
    if not (is_kind(p, "real floating") and holds_labels(labels) and has_long_integers(xp)):
        return None
    epsilon, m = float(xp.finfo(p.dtype).eps), p.shape[1] if p.ndim == 2 else 1
    p = xp.astype(p, xp.float64)
    right = xp.all((p >= 0) & (p <= 1))
    if several:
        if not is_kind(labels, "bool"):
            right = right & xp.all((labels == 0) | (labels == 1))
        kind, classes = ("binary", (True if is_kind(labels, "bool") else 1,)) if p.ndim == 1 else ("multilabel", tuple(range(m)))
        labels, p = (xp.expand_dims(x, axis=1) if x.ndim == 1 else x for x in (labels == 1, p))
    elif m < 2 or is_kind(labels, "bool"):
        return None
    else:
        kind, classes = "multiclass", tuple(range(m))
        right = right & xp.all((labels >= 0) & (labels < m))
        if given["sums"] == "one":
            right = right & xp.all(xp.abs(xp.sum(p, axis=1) - 1) <= math.sqrt(epsilon))
    return ForecastOnDevice(kind, classes, labels, p, epsilon, None, None, {}) if bool(right) else None
