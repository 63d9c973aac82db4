"""Labels beside probabilities: what proper scores and calibration are computed from (sec:calibration)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.average import listing
from ..algebra.containers import read
from ..algebra.forms import Form, Labels, Table
from ..algebra.indicator import Coded, Indicator
from ..algebra.pairs import Pair, encode
from ..algebra.weights import Groups, check_by, check_mask, check_weights
from ..settings.called import called
from ..tally.kernels import Array
from ..tally.steps import check_scores

OPTIONS: dict[str, Any] = {  # of every function of probabilities, with their defaults
    **dict.fromkeys(("classes", "positive", "sample_weight", "mask", "by")),
    "missing": "error",
    "renormalize": False,
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


@dataclass(frozen=True, eq=False)
class Forecast:
    """Labels and probabilities of n examples on m columns; a binary problem is the one column of its positive class."""

    kind: str  # "binary", "multiclass" or "multilabel"
    classes: tuple[Any, ...]
    labels: Array  # the code of each example's class (n,), -1 where it is missing; or bools (n, m)
    p: Array  # float64 (n, m)
    epsilon: float  # of the number type that was given
    weights: Array | None
    seen: Array | None  # observed entries (n, m), or examples (n, 1)
    by: dict[str, Groups]

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return len(self.p)

    @property
    def codes(self) -> Array | None:
        """The code of each example's class where it has exactly one."""
        return self.labels if self.kind == "multiclass" else None

    @property
    def truth(self) -> Array:
        """The indicator matrix."""
        return self.labels if self.codes is None else self.codes[:, None] == np.arange(len(self.classes))

    @property
    def positives(self) -> Array:
        """The weight of the actual positives of each class."""
        return np.asarray(np.where(self.truth, self.exposure(2), 0.0).sum(axis=0))

    def exposure(self, ndim: int, *, weighted: bool = True) -> Array:
        """Return the weight of each example (1) or entry (2), zero where it was not observed."""
        seen = np.ones((self.n, 1)) if self.seen is None else self.seen.astype(np.float64)
        if ndim == 1 and seen.shape[1] > 1:
            raise ValueError(
                "mask hides entries, but here an example counts as a whole, with its row of probabilities. Give one True/False "
                "per example; ix.brier(normalize='nm') and ix.ece(classwise=True) take each entry by itself."
            )
        if weighted and self.weights is not None:
            seen = seen * self.weights[:, None]
        return seen[:, 0] if ndim == 1 else np.broadcast_to(seen, self.p.shape)

    def column(self, unit: Any = None) -> Column:
        """Return the predictions of one class against all others; of the positive class where there is only that."""
        if unit is not None and unit not in self.classes:
            raise ValueError(f"unit={unit!r} is not a column; the columns are {listing(self.classes)}.")
        return self._column(0 if unit is None else self.classes.index(unit))

    def columns(self) -> list[Column]:
        """Return the predictions of every class."""
        return [self._column(j) for j in range(len(self.classes))]

    def top(self) -> Column:
        """Return the probability of each predicted class, and whether it is the true one (eq:argmax; ties: lowest index)."""
        best = self.p.argmax(axis=1) if self.n else np.zeros(0, np.intp)
        return self._kept(self.p[np.arange(self.n), best], best == self.labels, self.exposure(1))

    def _column(self, j: int) -> Column:
        positive = self.labels[:, j] if self.codes is None else self.codes == j
        return self._kept(self.p[:, j], positive, self.exposure(2)[:, j])

    def _kept(self, p: Array, positive: Array, exposure: Array) -> Column:
        here = exposure > 0
        weight = np.ones(int(here.sum()), np.int64) if self.weights is None else exposure[here]
        return Column(p[here], positive[here], weight)


def read_forecast(y_true: Any, P: Any, options: Mapping[str, Any]) -> Forecast:  # noqa: N803
    """Return labels and probabilities, checked: classes and columns are read as evaluate reads them beside scores.

    >>> forecast = read_forecast(["ham", "spam"], [0.25, 0.5], {"positive": "spam"})
    >>> forecast.kind, forecast.classes, forecast.truth.tolist(), forecast.p.tolist()
    ('binary', ('spam',), [[False], [True]], [[0.25], [0.5]])
    """
    given = _check_options(options)
    form, true = read(P, "P"), y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    n = true.n if isinstance(true, Indicator) else len(true)
    values = _numbers(form, n)
    single = isinstance(true, Labels) or (isinstance(true, Indicator) and isinstance(true.data, Coded))
    kind = "binary" if values.ndim == 1 else "multiclass" if single else "multilabel"
    _check_meaning(true, kind, given)
    epsilon = float(np.finfo(values.dtype if values.dtype.kind == "f" else np.float64).eps)
    p = values.astype(np.float64)
    if given["renormalize"]:
        p = _renormalized(p)
    _check_range(p)
    if kind == "multiclass":
        _check_sums(p, math.sqrt(epsilon))
    table = Labels(p) if kind == "binary" else Table(p, form.columns if isinstance(form, Table) else None)
    rule = 0.5 if kind == "binary" else "argmax"  # the decisions do not matter here
    with called(y_pred="P"):
        pair = encode(true, table, classes=given["classes"], rule=rule, missing=given["missing"], positive=given["positive"])
    classes, labels = _labels(pair, kind, given["positive"], n)
    seen = _seen(pair, check_mask(given["mask"], n, len(classes)))
    weights = check_weights(given["sample_weight"], n)
    return Forecast(kind, classes, labels, p.reshape(n, len(classes)), epsilon, weights, seen, check_by(given["by"], n))


def _check_options(options: Mapping[str, Any]) -> dict[str, Any]:
    odd = next((name for name in options if name not in OPTIONS), None)
    if odd is not None:
        raise TypeError(f"There is no option {odd}= here. The options are {', '.join(OPTIONS)}.")
    given = OPTIONS | dict(options)
    if given["missing"] not in ("error", "mask"):
        raise ValueError(f"missing={given['missing']!r} is unknown. Use 'error', or 'mask' to leave missing labels out.")
    return given


def _numbers(form: Form, n: int) -> Array:
    """Return one probability per example, or one per example and class, in the type that they were given in."""
    if isinstance(form, Labels):
        return check_scores(form, n, "P")
    if not isinstance(form, Table):
        raise TypeError("P is a sparse matrix or a list of sets; give probabilities as a dense array, one column per class.")
    if len(form) != n:
        raise ValueError(f"y_true has {n} examples and P {len(form)}; they must describe the same examples.")
    absent = np.argwhere(form.values != form.values)
    if len(absent):
        row, column = map(int, absent[0])
        raise ValueError(f"P[{row}, {column}] is NaN: every example and class needs a probability. Fill it, or drop the row.")
    return form.values


def _check_meaning(true: Form | Indicator, kind: str, given: Mapping[str, Any]) -> None:
    """Refuse labels that do not fit probabilities of this shape, and options that do not fit either."""
    if kind == "binary" and not isinstance(true, Labels):
        raise ValueError(
            "P has one probability per example, but y_true has a column per class. Give P one column per class, too."
        )
    if kind != "binary" and given["positive"] is not None:
        raise ValueError(
            f"positive={given['positive']!r} names the class that one probability per example speaks for, but P has a column per "
            "class. Leave it out, or give the column of that class."
        )
    if kind != "multiclass" and given["renormalize"]:
        raise ValueError("renormalize=True is for one label per example: only there the probabilities of a row sum to 1.")
    values = true.values if isinstance(true, Table) else true.data if isinstance(true, Indicator) and true.soft else None
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        soft = np.argwhere((values != 0) & (values != 1) & (values == values))
        if len(soft):
            row, column = map(int, soft[0])
            raise ValueError(
                f"y_true[{row}, {column}] = {values[row, column]}: probabilities are compared with labels, 0 or 1. "
                "Decide on the labels first, or repeat the example with each label and sample_weight=."
            )


def _check_range(p: Array) -> None:
    outside = np.argwhere((p < 0) | (p > 1))
    if len(outside):
        at = tuple(map(int, outside[0]))
        raise ValueError(
            f"P[{', '.join(map(str, at))}] = {p[at]}: a probability lies in [0, 1]. Logits need a sigmoid or softmax first; "
            "np.clip(P, 0, 1) mends rounding errors."
        )


def _renormalized(p: Array) -> Array:
    negative = np.argwhere(~((p >= 0) & (p < np.inf)))
    if len(negative):
        row, column = map(int, negative[0])
        raise ValueError(f"P[{row}, {column}] = {p[row, column]}: renormalize=True takes finite numbers that are not negative.")
    total = p.sum(axis=1, keepdims=True)
    if (total == 0).any():
        raise ValueError(f"P[{int(total.argmin())}] sums to 0 and cannot be renormalized. Give some class a probability.")
    return np.asarray(np.minimum(p / total, 1.0))  # a sum may round to less than its largest part


def _check_sums(p: Array, tolerance: float) -> None:
    """Refuse rows that are no distributions; the tolerance, the root of the number type's epsilon, is scikit-learn's."""
    total = p.sum(axis=1)
    off = abs(total - 1) > tolerance
    if off.any():
        row = int(off.argmax())
        raise ValueError(
            f"P[{row}] sums to {total[row]:.6g}, but each example has one of the classes, so its probabilities sum to 1 (within "
            f"{tolerance:.1g}). Pass renormalize=True to divide rows by their sums; for several labels per example give y_true "
            "as a 0/1 matrix or sets."
        )


def _labels(pair: Pair, kind: str, positive: Any, n: int) -> tuple[tuple[Any, ...], Array]:
    """Return the columns and the labels of all n examples; a label that is missing is -1, or no label."""
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


def _seen(pair: Pair, mask: Array | None) -> Array | None:
    """Return which entries (n, m) or examples (n, 1) have a label and are not masked; None: all."""
    seen = mask
    for more in (None if pair.rows is None else pair.rows[:, None], pair.cells):
        seen = more if seen is None else seen if more is None else seen & more
    return seen
