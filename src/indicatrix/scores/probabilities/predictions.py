"""Predictions, whether they came true, and their squared and logarithmic losses (sec:calibration).

Of one event, or of all classes of each example. Where each example has one class, its loss belongs to its row of probabilities.
Several labels, and the one column of a positive class, have a loss for each entry.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.numbers.functions import ratio
from ...encode.device_arrays import namespace_of
from ...encode.weights import Groups
from ...words.wording import listing
from ..contributions import Entries, UnitAxes


@dataclass(frozen=True, eq=False)
class Column:
    """Predictions of one event, and whether it came true: only what was observed and has a weight."""

    p: Array
    positive: Array
    weight: Array  # ones, as integers, without sample weights

    @property
    def total(self) -> Any:
        """The weight of all."""
        return self.weight.sum()

    @property
    def here(self) -> Column:
        """The same in main memory, where it is."""
        return self

    def sums(self, edges: Array) -> tuple[Array, Array, Array, Array]:
        """Return weight, weight of positives, weighted sum of predictions and effective number of each bin."""
        size, place = len(edges) - 1, np.searchsorted(edges[1:-1], self.p)
        relative = self.weight / self.weight.max(initial=1)  # squares of huge weights would overflow
        amounts = (self.weight, self.weight * self.positive, self.weight * self.p, relative, relative**2)
        weight, hits, mass, one, two = (_sums(place, x, size) for x in amounts)
        return weight, hits, mass, np.where(weight > 0, ratio(one**2, two), 0.0)


def _sums(place: Array, amounts: Array, size: int) -> Array:
    """Return the sums of amounts in each bin; of integers exactly."""
    sums = np.bincount(place, amounts, size)
    return sums.astype(np.int64) if amounts.dtype.kind in "bi" else sums


@dataclass(frozen=True, eq=False)
class Forecast:
    """Labels and probabilities of n examples on m columns.

    A binary problem is the one column of its positive class.
    """

    kind: str  # "binary", "multiclass" or "multilabel"
    classes: tuple[Any, ...]
    labels: Array  # the code of each example's class (n,), -1 where it is missing; or bools (n, m)
    p: Array  # float64 (n, m)
    epsilon: float  # of the number type that was given
    weights: Array | None
    seen: Array | None  # observed entries (n, m), or examples (n, 1)
    by: dict[str, Groups]

    @property
    def here(self) -> Forecast:
        """The same in main memory, where it is."""
        return self

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return len(self.p)

    @property
    def axes(self) -> UnitAxes:
        """What values may be kept along."""
        return UnitAxes(self.n, self.classes, self.weights, self.by, self.seen)

    @property
    def codes(self) -> Array | None:
        """The code of each example's class where it has exactly one."""
        return self.labels if self.kind == "multiclass" else None

    @property
    def truth(self) -> Array:
        """The indicator matrix."""
        return self.labels if self.codes is None else self.codes[:, None] == np.arange(len(self.classes))

    @property
    def given(self) -> Array:
        """The probability of each example's class, where it has exactly one."""
        return self.p[np.arange(self.n), self.labels]

    @property
    def differences(self) -> Array:
        """The probabilities minus the indicator matrix, where each example has exactly one class."""
        found = self.p.copy()
        found[np.arange(self.n), self.labels] -= 1
        return found

    @property
    def actual(self) -> tuple[Array, Array]:
        """The weight of the actual positives, and of the actual negatives, of each class."""
        truth, seen = self.truth, self.exposure(2)
        return np.where(truth, seen, 0.0).sum(axis=0), np.where(truth, 0.0, seen).sum(axis=0)

    def exposure(self, ndim: int, *, weighted: bool = True) -> Array:
        """Return the weight of each example (1) or entry (2), zero where it was not observed."""
        seen = np.ones((self.n, 1)) if self.seen is None else self.seen.astype(np.float64)
        if ndim == 1 and seen.shape[1] > 1:
            raise ValueError(
                "mask hides entries, but here an example counts as a whole, with its row of probabilities. Give one True/False "
                "per example; ix.brier(normalize='nm') and ix.ece(average='macro') take each entry by itself."
            )
        if weighted and self.weights is not None:
            seen = seen * self.weights[:, None]
        return seen[:, 0] if ndim == 1 else np.broadcast_to(seen, self.p.shape)

    def actual_labels(self) -> tuple[Array, Array]:
        """Return which observed entries are positive, and which are negative."""
        shown = self.exposure(2, weighted=False) > 0
        return self.truth & shown, ~self.truth & shown

    def entries(self, parts: Array, wholes: Array) -> Entries:
        """Return what entries add, or what examples add, where each belongs to its one class."""
        if self.codes is None or parts.ndim == 2:
            return Entries(parts, wholes, self.actual_labels)
        return Entries(parts[:, None], wholes[:, None], self.actual_labels, owners=np.maximum(self.codes, 0))

    def column(self, unit: Any = None) -> Column:
        """Return the predictions of one class against all others.

        If the positive class is the only column, it needs no name.
        """
        if unit is not None and unit not in self.classes:
            raise ValueError(f"unit={unit!r} is not a column; the columns are {listing(self.classes)}.")
        return self._column(0 if unit is None else self.classes.index(unit))

    def columns(self) -> list[Column]:
        """Return the predictions of every class."""
        return [self._column(j) for j in range(len(self.classes))]

    def top(self) -> Column:
        """Return the probability of each predicted class, and whether that class is the true one.

        Ties go to the lowest index.
        """
        best = self.p.argmax(axis=1) if self.n else np.zeros(0, np.intp)
        return self._keep_observed(self.p[np.arange(self.n), best], best == self.labels, self.exposure(1))

    def top_of_classes(self) -> list[Column]:
        """Return the same for the examples of each predicted class, in the order of the classes."""
        if self.codes is None:
            raise ValueError("top_label=True needs one label and a row of probabilities per example; here an entry is an event.")
        best = self.p.argmax(axis=1) if self.n else np.zeros(0, np.intp)
        return [self._take(np.flatnonzero(best == j)).top() for j in range(len(self.classes))]

    def pool(self) -> Column:
        """Return everything as one event: the positive class, the predicted class, or every entry.

        Every entry is taken where examples have several labels.
        """
        if self.codes is not None:
            return self.top()
        return self._keep_observed(self.p.ravel(), self.labels.ravel(), self.exposure(2).ravel())

    def split(self, axis: str) -> dict[Any, Forecast]:
        """Return the examples of each group along an axis of by=."""
        names, codes = self.by[axis]
        at = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes, minlength=len(names)))[:-1])
        return {name: self._take(rows) for name, rows in zip(names, at, strict=False)}

    def _take(self, rows: Array) -> Forecast:
        weights, seen = (None if x is None else x[rows] for x in (self.weights, self.seen))
        return replace(self, labels=self.labels[rows], p=self.p[rows], weights=weights, seen=seen, by={})

    def _column(self, j: int) -> Column:
        positive = self.labels[:, j] if self.codes is None else self.codes == j
        return self._keep_observed(self.p[:, j], positive, self.exposure(2)[:, j])

    def _keep_observed(self, p: Array, positive: Array, exposure: Array) -> Column:
        here = exposure > 0
        weight = np.ones(int(here.sum()), np.int64) if self.weights is None else exposure[here]
        return Column(p[here], positive[here], weight)


def squared_losses(forecast: Forecast, *, entries: bool = False) -> Any:
    """Return the squared distance of each label from its probability.

    They are summed over the row of each example where it has one class, unless ``entries`` are wanted.

    >>> from .forecasts import read_forecast
    >>> squared_losses(read_forecast("brier", [0, 1], [[0.5, 0.25, 0.25], [0, 1, 0]], {})).tolist()
    [0.375, 0.0]
    """
    xp = namespace_of(forecast.p)
    if forecast.codes is None or entries:
        return (xp.astype(forecast.truth, forecast.p.dtype) - forecast.p) ** 2
    differences = forecast.differences
    return xp.einsum("ij,ij->i", differences, differences)


def share_of_column(forecast: Forecast) -> float:
    """Return how much a column counts where the losses of an example are summed over classes.

    Two columns say the same twice, so each counts half: the sum is then the loss of the one column of a positive class.

    >>> from .forecasts import read_forecast
    >>> share_of_column(read_forecast("brier", [0, 1], [[0.5, 0.5], [0, 1]], {}))
    0.5
    """
    return 0.5 if forecast.codes is not None and len(forecast.classes) == 2 else 1.0


def over_columns(forecast: Forecast, unit: Any, parts: Callable[[Column], tuple[float, ...]], size: int) -> tuple[float, ...]:
    """Return the parts of a score of one class, or of all.

    Those of all are sums over classes for one label per example, otherwise means.

    They are nan without examples.
    """
    whole = forecast.codes is not None and unit is None
    if whole:
        forecast.exposure(1)  # refuses a mask of entries
    columns = forecast.columns() if unit is None else [forecast.column(unit)]
    totals = np.array([column.total for column in columns], np.float64)
    if not totals.any():
        return (math.nan,) * size
    table = np.array([parts(column) if column.total else (0.0,) * size for column in columns])
    shares = np.full(len(columns), share_of_column(forecast)) if whole else totals / totals.sum()
    return tuple((shares @ table).tolist())


def log_losses(forecast: Forecast, clip: float | None = None, *, terms: str = "both") -> Any:
    """Return -log of the probability that each label was given, of each example or of each entry.

    Probabilities are kept ``clip`` away from 0 and 1, by default the machine epsilon of their type. Where a label is absent, its
    entry has the probability of its absence; with ``terms="present"`` it has no loss.

    >>> from .forecasts import read_forecast
    >>> log_losses(read_forecast("log_loss", [[1, 0]], [[1.0, 0.5]], {}), 0, terms="present").tolist()
    [[0.0, 0.0]]
    """
    least, xp = forecast.epsilon if clip is None else float(clip), namespace_of(forecast.p)
    with quiet():  # the logarithm of 0 is meant
        if forecast.codes is not None:
            likelihood = xp.log(xp.clip(forecast.given, least, 1 - least))
        else:
            p = xp.clip(forecast.p, least, 1 - least)
            likelihood = xp.where(forecast.truth, xp.log(p), xp.log1p(-p) if terms == "both" else xp.zeros_like(p))
    return 0.0 - likelihood  # a minus sign would make -0.0 of 0
