"""Predictions, whether they came true, and their squared and logarithmic losses (sec:calibration).

Of one event, or of all classes of each example. Where each example has one class, its loss belongs to its row of probabilities.
Several labels, and the one column of a positive class, have a loss for each entry.

Isotonic regression of labels on predictions: bins that the data choose, and bands (CORP).

The share of positives among predictions that only grows with them and fits best is constant in blocks. The blocks end where the
convex hull of the ROC curve turns, and their shares are its slopes (Fawcett, Niculescu-Mizil 2007), so that the hull gives the
reliability diagram of Dimitriadis, Gneiting and Jordan (2021): nothing is tuned. Bands are of curves that are drawn for given
predictions: of labels drawn from the predictions themselves, around the diagonal ("consistency"); or around the curve, of how
often each example counts (the Bayesian bootstrap), with one more example of each outcome in each block ("confidence"). Labels
drawn from the fitted shares would not do: in the outermost blocks these are often 0 or 1, from which all labels come out alike.
Nor do drawn curves say where all true shares are at once, as too little is seen of the lowest and the highest: that band is
exact, and drawn from nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.ends import check_level
from ...algebra.numbers.functions import ratio
from ...algebra.numbers.quantiles import odds_at
from ...encode.device_arrays import namespace_of
from ...encode.weights import Groups
from ...words.wording import listing
from ..contributions import Entries, UnitAxes
from ..curves.curve_band import Band, envelope
from ..curves.roc_areas import upper_hull


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


MOST_PLACES = 1000  # distinct predictions of which the curve is drawn again; more are pooled in order
MORE = 1.0  # example of each outcome in each block
TINY = 1e-300
KINDS = ("consistency", "confidence")


def blocks_of(positives: Array, total: Array) -> Array:
    """Return the last place of each block of an isotonic fit to shares in ascending order of predictions.

    >>> blocks_of(np.array([0, 1, 0, 1]), np.array([1, 1, 1, 1])).tolist()
    [0, 2, 3]
    """
    tp, fp = (np.append(0, np.cumsum(x[::-1])) for x in (positives, total - positives))
    corners = upper_hull(fp, tp)
    ends = len(total) - 1 - corners[:-1]  # from the highest block down
    return np.asarray(ends[::-1])


def fitted_shares(positives: Array, total: Array) -> Array:
    """Return the fitted share at each prediction, in ascending order.

    >>> fitted_shares(np.array([0, 1, 0, 1]), np.array([1, 1, 1, 1])).tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    ends = blocks_of(positives, total)
    sizes = np.diff(ends, prepend=-1)
    starts = ends - sizes + 1
    return np.repeat(np.add.reduceat(positives, starts) / np.add.reduceat(total, starts), sizes)


def isotonic_edges(p: Array, positive: Array, weight: Array) -> Array:
    """Return the edges of the bins that an isotonic fit makes; each contains its upper edge."""
    known = weight > 0
    if not known.any():
        return np.array([0.0, 1.0])
    center, place = np.unique(p[known], return_inverse=True)
    total = np.bincount(place, weight[known], len(center))
    positives = np.bincount(place, weight[known] * positive[known], len(center))
    return np.concatenate(([0.0], center[blocks_of(positives, total)[:-1]], [1.0]))


def isotonic_band(
    center: Array, times: Array, positives: Array, *, level: float, kind: str, simultaneous: bool, draws: int, seed: int
) -> Band:
    """Return the band of a curve of counted examples, at distinct predictions in ascending order."""
    check_level(level)
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is unknown. Use 'consistency', around the diagonal, or 'confidence', around the curve.")
    distinct = len(center)
    center, times, positives = _pooled(center, times, positives)
    where = "all predictions at once" if simultaneous else "each prediction"
    if simultaneous and kind == "confidence":
        low, high = honest_ends(positives, times, level)
        if len(center) < distinct:  # neighbors that were pooled say nothing about those among them
            low, high = np.append(0.0, low[:-1]), np.append(high[1:], 1.0)
        own = fitted_shares(positives, times)
        says = f"{100 * level:.4g}% of the observed share at {where} (Clopper-Pearson)"
        return Band(center, center, np.minimum(low, own), np.maximum(high, own), level, says)
    rng = np.random.default_rng(seed)
    if kind == "consistency":
        labels = rng.binomial(times.astype(np.int64), np.clip(center, 0, 1), (draws, len(center))).astype(float)
        drawn = np.stack([fitted_shares(own, times) for own in labels])
    else:
        places = np.diff(blocks_of(positives, times), prepend=-1)  # of each block of the fit
        more = MORE * times / np.repeat(np.add.reduceat(times, np.cumsum(places) - places), places)
        hits, others = (rng.standard_gamma(own + more, (draws, len(center))) for own in (positives, times - positives))
        drawn = np.stack([fitted_shares(own, np.maximum(own + rest, TINY)) for own, rest in zip(hits, others, strict=True)])
    low, high = envelope(drawn, level, simultaneous=simultaneous)
    low, high = np.maximum.accumulate(low), np.minimum.accumulate(high[::-1])[::-1]  # all that lies between only grows
    what = "calibrated predictions" if kind == "consistency" else "the observed share"
    return Band(center, center, low, high, level, f"{100 * level:.4g}% of {what} at {where} (drawn again)")


def _pooled(center: Array, times: Array, positives: Array) -> tuple[Any, Any, Any]:
    """Return at most so many predictions, neighbors pooled."""
    if len(center) <= MOST_PLACES:
        return center, times.astype(float), positives.astype(float)
    place = np.minimum((np.cumsum(times) - times) * MOST_PLACES // times.sum(), MOST_PLACES - 1).astype(int)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    n, hits, mass = (np.add.reduceat(x.astype(float), starts) for x in (times, positives, center * times))
    return mass / n, n, hits


def honest_ends(positives: Array, total: Array, level: float) -> tuple[Array, Array]:
    """Return the lower and upper ends at distinct predictions in ascending order.

    The band holds the true shares of all predictions at once if these only grow with the prediction. Neighboring predictions,
    taken together, have a share that is at least the true one of the lowest and at most that of the highest of them. So its
    exact lower end (Clopper and Pearson) lies below the true share of the highest, and of all above it; its upper end above
    that of the lowest, and of all below it. The band is the highest of the lower and the lowest of the upper ends over all sets
    of neighbors, each at a level at which all hold together (Bonferroni; Dimitriadis, Dümbgen, Henzi, Puke and Ziegel 2023). It
    is true of any number of examples, and as it allows for the worst, it holds more often than its level says.

    >>> low, high = honest_ends(np.array([1.0, 9.0]), np.array([10.0, 10.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.001, 0.485], [0.515, 0.999])
    """
    m = len(total)
    tail = (1 - level) / max(m * (m + 1), 1)
    return _lower(positives, total, tail), 1 - _lower((total - positives)[::-1], total[::-1], tail)[::-1]


def _lower(positives: Array, total: Array, tail: float) -> Array:
    """Return the highest lower end of all sets of neighbors up to each place."""
    hits, size = (np.append(0.0, np.cumsum(x)) for x in (positives, total))
    found, best = np.zeros(len(total)), 0.0
    for place in range(len(total)):
        if positives[place]:  # without any, the neighbors before it say more
            k, n = (x[place + 1] - x[: place + 1] for x in (hits, size))
            start = int(np.argmax(_unlikely(k, n, best))) if best else 0
            while (end := _end(float(k[start]), float(n[start]), tail)) > best:
                best = end
                start = int(np.argmax(_unlikely(k, n, best)))
        found[place] = best
    return found


def _end(k: float, n: float, tail: float) -> float:
    """Return the share at which k or more of n are seen this often."""
    odds = odds_at(tail, k, n - k + 1)
    return odds / (1 + odds)


def _unlikely(k: Array, n: Array, share: float) -> Array:
    """Return about how unlikely k or more of n are at a share, as a logarithm (Bahadur and Rao 1960).

    It says which end is the highest; the end itself is exact.
    """
    rest = n - k
    with quiet():
        far = np.where(k > 0, k * np.log(k / n / share), 0.0) + np.where(rest > 0, rest * np.log(rest / n / (1 - share)), 0.0)
        more = np.log1p(2 * math.pi * k * rest / n) / 2 + np.log1p(-share / (1 - share) * rest / k)
    return np.where(k > n * share, far + more, -np.inf)
