"""Labels and probabilities: what proper scores and calibration are computed from (sec:calibration)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.numbers.functions import ratio
from ...encode.containers import read
from ...encode.device_arrays import place_of
from ...encode.indicator import Coded, Indicator
from ...encode.pairs import Pair, Reading, encode
from ...encode.plain_forms import Form, Labels, Table
from ...encode.weights import Groups, check_by, check_mask, check_row_labels
from ...words.wording import listing
from ..contributions import UnitAxes
from ..observed_entries import seen_in
from ..score_options import check_missing, check_one_each, check_options, check_order, one_column, plain_weights, soft_entry
from .checked_probabilities import numbers, precision, probabilities

OPTIONS: dict[str, Any] = {  # of every function of probabilities, with their defaults
    **dict.fromkeys(("classes", "positive", "sample_weight", "mask", "by")),
    "missing": "error",
    "renormalize": False,
    "sums": "one",
}
HINTS = {
    "normalize": "it is a mean; multiply it by the weight of the examples to have a sum",
    "unit": "average='macro' has the values of all classes",
    "per": "average='macro' has the values of all classes, the name of an axis of by= those of groups",
    "classwise": "average='macro' is classwise",
    "average": "per='class', or an axis of by=, keeps one for each, and nothing averages them",
    "n_bins": "bins= is their number, and binning= is 'width' or 'mass'",
    "strategy": "bins= is their number, and binning= is 'width' or 'mass'",
    "eps": "clip= keeps probabilities away from 0 and 1",
}


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

        Ties go to the lowest index (eq:argmax).
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


def read_forecast(caller: str, y_true: Any, y_proba: Any, options: Mapping[str, Any], *, on_device: bool = False) -> Forecast:
    """Return labels and probabilities, checked.

    Classes and columns are read as evaluate reads them with scores. ``on_device`` says that arrays of a device may stay there.

    >>> forecast = read_forecast("brier", ["ham", "spam"], [0.25, 0.5], {"positive": "spam"})
    >>> forecast.kind, forecast.classes, forecast.truth.tolist(), forecast.p.tolist()
    ('binary', ('spam',), [[False], [True]], [[0.25], [0.5]])
    """
    given = _check_options(caller, options)
    if on_device and place_of(y_proba) is not None:
        from .device_forecasts import forecast_on_device  # few programs need it

        there = forecast_on_device(y_true, y_proba, given, OPTIONS)
        if there is not None:
            return there
    check_row_labels({"y_true": y_true, "y_proba": y_proba})
    form, true = read(y_proba, "y_proba"), y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    n = true.n if isinstance(true, Indicator) else len(true)
    single = isinstance(true, Labels) or (isinstance(true, Indicator) and isinstance(true.data, Coded))
    kind = "binary" if isinstance(form, Labels) else "multiclass" if single else "multilabel"
    check_order(true, "y_proba", given["classes"])
    _check_meaning(true, kind, given)
    form = _dense(form, n)
    pair = _encode(true, form, kind, given)
    classes, labels = _labels(pair, kind, given["positive"], n)
    seen = seen_in(pair, check_mask(given["mask"], n, len(classes), classes))
    values = numbers(form, seen)
    epsilon = precision(y_proba, values)
    one_sum = kind == "multiclass" and given["sums"] == "one"
    p = probabilities(values, seen, epsilon if one_sum else None, renormalize=given["renormalize"])
    weights, by = plain_weights(given["sample_weight"], n), check_by(given["by"], n)
    return Forecast(kind, classes, labels, p, epsilon, weights, seen, by)


def _check_options(caller: str, options: Mapping[str, Any]) -> dict[str, Any]:
    check_options(caller, options, tuple(OPTIONS), elsewhere=HINTS)
    given = OPTIONS | dict(options)
    check_missing(given["missing"])
    if given["sums"] not in ("one", "any"):
        raise ValueError(f"sums={given['sums']!r}: rows of probabilities sum to 'one', or may have 'any' sum.")
    return given


def _dense(form: Form, n: int) -> Labels | Table:
    """Return probabilities; refuse what is not a dense array with a row for each example."""
    if not isinstance(form, Labels | Table):
        raise TypeError(
            "y_proba is a sparse matrix or a list of sets; give probabilities as a dense array, one column per class."
        )
    if len(form) != n:
        raise ValueError(f"y_true has {n} examples and y_proba {len(form)}; they must describe the same examples.")
    return form


def _encode(true: Form | Indicator, form: Labels | Table, kind: str, given: Mapping[str, Any]) -> Pair:
    """Return the labels, encoded with any decisions: so no probability is read that was not observed."""
    options = {name: given[name] for name in ("classes", "missing", "positive")}
    stand_in: Form = Labels(np.zeros(len(form)))
    if isinstance(form, Table):
        stand_in = Table(np.broadcast_to(np.zeros(1, bool), form.values.shape), form.columns)
    with one_column("y_proba", kind == "multiclass" and isinstance(form, Table) and form.values.shape[1] == 1):
        rule = 0.5 if kind == "binary" else "argmax"
        return encode(true, stand_in, Reading.of(rule=rule, names=("y_true", "y_proba"), **options))


def _check_meaning(true: Form | Indicator, kind: str, given: Mapping[str, Any]) -> None:
    """Refuse labels that do not fit probabilities of this shape, and options that do not fit either."""
    if kind == "binary":
        check_one_each(true, "y_proba")
    if kind != "binary" and given["positive"] is not None:
        raise ValueError(
            f"positive={given['positive']!r} names the class that one probability per example is of, but y_proba has a column "
            "per class. Leave it out, or give the column of that class."
        )
    if kind != "multiclass" and given["renormalize"]:
        raise ValueError("renormalize=True is for one label per example: only there the probabilities of a row sum to 1.")
    soft = soft_entry(true)
    if soft is not None:
        raise ValueError(
            f"y_true[{soft[0]}, {soft[1]}] = {soft[2]}: probabilities are compared with labels, 0 or 1, which come first. "
            "Decide on the labels, or repeat the example with each label and sample_weight=."
        )


def _labels(pair: Pair, kind: str, positive: Any, n: int) -> tuple[tuple[Any, ...], Array]:
    """Return the columns and the labels of all n examples; a missing label is -1, or False."""
    classes, labels = pair.y.classes, pair.y.codes if kind != "multilabel" else pair.y.matrix
    assert labels is not None
    if kind != "multilabel" and labels.min(initial=0) < 0:
        raise ValueError(f"y_true[{int(labels.argmin())}] names no class; mask this example, or drop it.")
    if kind == "binary":
        positive = 1 if positive is None else positive
        classes, labels = (classes[classes.index(positive)],), (labels == classes.index(positive))[:, None]
    if pair.rows is not None:
        some, labels = labels, np.full((n, *labels.shape[1:]), -1 if kind == "multiclass" else 0, labels.dtype)
        labels[pair.rows] = some
    return classes, labels
