"""Labels and probabilities, read.

What proper scores and calibration are computed from (sec:calibration).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.containers import read
from ...encode.device_arrays import place_of
from ...encode.indicator import Coded, Indicator
from ...encode.pairs import Pair, Reading, encode
from ...encode.plain_forms import Form, Labels, Table
from ...encode.weights import check_by, check_mask, check_row_labels
from ...ranking.threshold_steps import check_scores
from ...settings.options import Options
from ..score_input import (
    check_missing,
    check_one_each,
    check_options,
    check_order,
    observed_numbers,
    one_column,
    plain_weights,
    seen_in,
    soft_entry,
)
from .predictions import Forecast


def numbers(form: Labels | Table, seen: Array | None) -> Array:
    """Return numbers (n,) or (n, m) in the type that they were given in.

    What was not observed is not read, and is 0.
    """
    if isinstance(form, Labels):
        return check_scores(form, len(form), "y_proba", None if seen is None else seen[:, 0])
    return observed_numbers(form, "y_proba", seen)


def precision(y_proba: Any, values: Array) -> float:
    """Return the relative precision of the number type that probabilities were given in.

    NumPy has no bfloat16: such numbers are read as float32, which they fit in, but they are not that precise.

    >>> precision([0.5], np.array([0.5])) == 2**-52
    True
    """
    if str(getattr(y_proba, "dtype", "")).endswith("bfloat16"):
        return 2.0**-7
    return float(np.finfo(values.dtype if values.dtype.kind == "f" else np.float64).eps)


def probabilities(values: Array, seen: Array | None, epsilon: float | None, *, renormalize: bool = False) -> Array:
    """Return probabilities (n, m) as float64, checked where they were observed, and 0 elsewhere.

    With ``epsilon``, rows must sum to 1.
    """
    p = values.astype(np.float64) if values.ndim == 2 else values.astype(np.float64)[:, None]
    whole = np.ones(len(p), bool) if seen is None else np.asarray(seen.all(axis=1))  # rows of which everything was observed
    if seen is not None:
        p = np.where(seen, p, 0.0)
    if renormalize:
        if seen is not None and seen.shape[1] > 1:
            raise ValueError(
                "renormalize=True divides by the sum of a row, and mask hides entries of it. Divide y_proba yourself."
            )
        p = _renormalize(p, whole)
    _check_range(p, values.ndim)
    if epsilon is not None:
        _check_sums(p, whole, math.sqrt(epsilon))
    return p


def _check_range(p: Array, ndim: int) -> None:
    outside = np.argwhere((p < 0) | (p > 1))
    if len(outside):
        at = tuple(map(int, outside[0]))
        raise ValueError(
            f"y_proba[{', '.join(map(str, at[:ndim]))}] = {p[at]}: a probability lies in [0, 1]. Logits need a sigmoid or a "
            "softmax first; np.clip(y_proba, 0, 1) removes rounding errors."
        )


def _renormalize(p: Array, whole: Array) -> Array:
    negative = np.argwhere(~((p >= 0) & (p < np.inf)))
    if len(negative):
        row, column = map(int, negative[0])
        raise ValueError(f"y_proba[{row}, {column}] = {p[row, column]}: renormalize=True takes finite numbers from 0 on.")
    total = np.where(whole, p.sum(axis=1), 1.0)
    if (total == 0).any():
        raise ValueError(f"y_proba[{int(total.argmin())}] sums to 0 and cannot be renormalized. Give some class a probability.")
    return np.asarray(np.minimum(p / total[:, None], 1.0))  # a sum may round to less than its largest part


def _check_sums(p: Array, whole: Array, tolerance: float) -> None:
    """Refuse rows that do not sum to 1.

    The tolerance, the root of the number type's epsilon, is that of scikit-learn.
    """
    total = p.sum(axis=1)
    off = (abs(total - 1) > tolerance) & whole
    if not off.any():
        return
    row = int(off.argmax())
    if p.shape[1] == 1:
        raise ValueError(
            f"y_proba has one column, so each example has that class for certain, but y_proba[{row}] = {total[row]:.6g}. One "
            "probability per example, of the positive class, has one dimension: y_proba.ravel()."
        )
    raise ValueError(
        f"y_proba[{row}] sums to {_not_one(total[row])}, but each example has one of the classes, so its probabilities sum to 1 "
        f"(within {tolerance:.1g}). Pass renormalize=True to divide rows by their sums, or sums='any' to take them so; for "
        "several labels per example give y_true as a 0/1 matrix or sets."
    )


def _not_one(total: float) -> str:
    """Return a sum with six digits, or with more if it would look like 1."""
    text = f"{total:.6g}"
    return text if text != "1" else f"{total:.10g}"


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
    others = Options(**{name: given[name] for name in ("sample_weight", "mask", "by")})
    check_row_labels({"y_true": y_true, "y_proba": y_proba, **others.columns})
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
