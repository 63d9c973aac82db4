"""Labels with scores or probabilities as scikit-learn reads them, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..algebra.arrays import Array
from ..encode.plain_forms import is_missing
from ..ranking.ranked import Ranked, rank_scores
from ..scores.label_rankings.label_orders import Orders, exact_floats
from ..scores.probabilities.predictions import Forecast
from ..scores.sweep_rows import SweepRows
from ..scores.thresholds.sweep import Sweep
from .call_checks import class_of_error, warn
from .targets import as_array, check_finite, check_lengths, check_weights, column, is_sparse, kind_of, type_of_nullable

P = ParamSpec("P")
R = TypeVar("R")
SHAPE = (
    "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got `y_score.shape={}`."
)
TABLE = 1 << 16  # integers of a range up to this are found in a table


def numbers(values: Any, name: str, *, two: bool = False) -> Array:
    """Return finite numbers in one or two dimensions."""
    x = as_array(values, name)
    if is_sparse(x):
        raise class_of_error()(f"Sparse data was passed for {name}, but dense data is required. Use '.toarray()' to convert it.")
    if x.dtype == object and any(map(is_missing, x.flat)):  # a frame of columns that may have missing values
        raise ValueError(f"Input {name} contains NaN.")
    if x.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{x}\n")
    if x.dtype.kind in "OUS" or type_of_nullable(values) is not None:  # which scikit-learn reads as float64, whatever they are
        x = _as_floats(x, name)
    if two and x.ndim == 1:
        raise ValueError(f"Expected 2D array, got 1D array instead:\narray={x}.")
    if x.ndim not in (1, 2):
        raise ValueError(f"Found array with dim {x.ndim}, while dim <= 2 is required.")
    if not len(x):
        raise ValueError(f"Found array with 0 sample(s) (shape={x.shape}) while a minimum of 1 is required.")
    check_finite(x, name)
    return np.asarray(x)


def _as_floats(x: Array, name: str) -> Array:
    """Return values of any type as floats."""
    try:
        return x.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"Input {name} holds values that are not numbers, so it cannot be converted to floats.") from None


def labels_of(y_true: Any) -> tuple[Any, str]:
    """Return labels as an array, which is not sparse, and what scikit-learn calls them."""
    y = as_array(y_true, "y_true")
    if is_sparse(y):
        raise class_of_error()("The 'y_true' parameter must be an array-like. Got a sparse matrix instead.")
    return y, kind_of(y, "y_true")


def weights_of(sample_weight: Any, n: int) -> Array | None:
    """Return weights, one for each example."""
    return None if sample_weight is None else check_weights(column(as_array(sample_weight, "sample_weight")), n)


def finite_weights(sample_weight: Any) -> Array | None:
    """Return weights that are finite numbers in one dimension.

    The scores that read them are nan in scikit-learn where a weight is not finite; here that is an error, as in all other scores.
    """
    if sample_weight is None:
        return None
    given = as_array(sample_weight, "sample_weight")
    if given.dtype.kind in "US":
        raise TypeError("sample_weight holds text. Give one number for each example.")
    weights = numbers(given, "sample_weight")
    if weights.ndim != 1:
        raise TypeError(f"Sample weights must be 1D array, got {weights.ndim}D array.")
    return weights


def weights_of_mean(sample_weight: Any) -> Array | None:
    """Return finite weights whose sum is not 0."""
    weights = finite_weights(sample_weight)
    if weights is not None and not weights.sum(dtype=np.float64):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")  # NumPy's words, which scikit-learn passes on
    return weights


def mean(values: Array, weights: Any) -> float:
    """Return the mean, or the weighted mean."""
    return float(values.mean() if weights is None else np.average(values, weights=weights))


def positive_label(pos_label: Any, y: Array) -> Any:
    """Return the label that counts as positive: if not named, 1 of the labels 0 and 1, or -1 and 1."""
    if pos_label is not None:
        return pos_label
    found = set(distinct(y).tolist())
    if y.dtype.kind in "OUS" or not (found <= {0, 1} or found <= {-1, 1}):
        names = ", ".join(map(repr, sorted(found)))
        raise ValueError(
            f"y_true takes value in {{{names}}} and pos_label is not specified: either make y_true take value in {{0, 1}} or "
            "{-1, 1} or pass pos_label explicitly."
        )
    return 1


def ranking_of(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> tuple[Ranked, Array]:
    """Return the ranked scores of one positive class, and the scores."""
    y, kind = labels_of(y_true)
    if kind != "binary" and (kind != "multiclass" or pos_label is None):
        raise ValueError(f"{kind} format is not supported")
    check_lengths(y, y_score, sample_weight)
    y = column(y)
    positive, scores = y == positive_label(pos_label, y), column(numbers(y_score, "y_score"))
    return rank_scores(scores, positive, weights_of(sample_weight, len(y))), scores


def sweep_of(labels: Array, scores: Array, weights: Any) -> Sweep:
    """Return labels and the scores of each class as a sweep; labels are codes, or columns."""
    if labels.ndim == 2 and labels.shape != scores.shape:
        raise ValueError(f"y_true has shape {labels.shape} and y_score {scores.shape}; give one score for each label.")
    units = tuple(range(scores.shape[1]))
    kind = "multiclass" if labels.ndim == 1 else "multilabel"
    return Sweep(kind, units, units, None, len(scores), SweepRows(labels, np.asfortranarray(scores), None, weights))


def code_labels(y: Array, classes: Array | None = None) -> tuple[Array, Array]:
    """Return the sorted distinct labels, or the given classes, and the code of each label."""
    whole = y.dtype.kind in "iu" and len(y) > 0 and int(y.max()) <= np.iinfo(np.int64).max
    if whole and (int(y.max()) - int(y.min())) < TABLE and (classes is None or classes.dtype.kind in "iu"):
        low = int(y.min())
        place = (y - y.dtype.type(low)).astype(np.intp) if low else y
        here = np.flatnonzero(np.bincount(place)) if classes is None else classes.astype(np.intp) - low
        if np.array_equal(here, np.arange(len(here))):
            return (here + low).astype(y.dtype), place
        table = np.zeros(TABLE, np.intp)
        inside = (here >= 0) & (here < TABLE)
        table[here[inside]] = np.flatnonzero(inside)
        return (here + low).astype(y.dtype) if classes is None else classes, table[place]
    if classes is None:
        return np.unique(y, return_inverse=True)
    return classes, np.searchsorted(classes, y)


def distinct(y: Array) -> Array:
    """Return the sorted distinct labels; whole numbers are not sorted for that."""
    return code_labels(y)[0] if y.dtype.kind in "iu" else np.unique(y)


def ordered_classes(labels: Any, end: str) -> Array:
    """Return classes that were given; they must be unique and sorted."""
    given = column(as_array(labels, "labels"))
    classes = np.unique(given)
    if len(classes) != len(given):
        raise ValueError(f"Parameter 'labels' must be unique{end}")
    if not np.array_equal(classes, given):
        raise ValueError(f"Parameter 'labels' must be ordered{end}")
    return classes


def check_known(y: Array, classes: Array, end: str) -> None:
    """Refuse labels outside the classes that were given."""
    if not np.isin(y, classes).all():
        raise ValueError(f"'y_true' contains labels not in parameter 'labels'{end}")


def orders_of(y_true: Any, y_score: Any, sample_weight: Any, *, binary: bool = False) -> Orders:
    """Return what is relevant and the scores that rank it, of a 0/1 matrix."""
    y = as_array(y_true, "y_true")
    y = y.toarray() if is_sparse(y) else numbers(y, "y_true")
    scores = numbers(y_score, "y_score")
    check_lengths(y, scores, sample_weight)
    kind = kind_of(y, "y_true")
    if kind != "multilabel-indicator" and not (binary and kind == "binary" and y.ndim == 2):
        raise ValueError(f"{kind} format is not supported")
    return _orders((y != 0).astype(np.int64), scores, sample_weight)


def gains_of(y_true: Any, y_score: Any, sample_weight: Any) -> Orders:
    """Return how relevant each label is and the scores that rank them."""
    y, scores = numbers(y_true, "y_true"), numbers(y_score, "y_score")
    check_lengths(y, scores, sample_weight)
    kind, known = kind_of(y, "y_true"), ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")
    if kind not in known:
        raise ValueError(f"Only {known} formats are supported. Got {kind} instead")
    return _orders(y.astype(np.float64), scores, sample_weight)


def _orders(truth: Array, scores: Array, sample_weight: Any) -> Orders:
    if truth.shape != scores.shape:
        raise ValueError("y_true and y_score have different shape")
    return Orders(truth, exact_floats(scores), None, tuple(range(truth.shape[1])), weights_of_mean(sample_weight), {})


def forecast_of(y_true: Any, y_proba: Any, sample_weight: Any, labels: Any) -> Forecast:
    """Return labels and a probability for each class; rows with another sum than 1 get a warning."""
    p = as_probabilities(y_proba)
    _check_range(p, "lower")
    y, label_kind = labels_of(y_true)
    check_lengths(p, y, sample_weight)
    weights, single = check_weights(sample_weight, len(p)), p.ndim == 1 or p.shape[1] == 1
    classes, truth = _truth(y, label_kind, labels)
    _check_classes(classes, labels, 2 if single else p.shape[1], p)
    epsilon = float(np.finfo(p.dtype).eps)
    table = np.asarray(p.reshape(len(p), -1), np.float64)
    if single and truth.ndim == 2:
        table = np.hstack([1 - table, table])
    elif single:
        return Forecast("binary", (1,), truth.astype(bool)[:, None], table, epsilon, weights, None, {})
    kind = "multiclass" if truth.ndim == 1 else "multilabel"
    return Forecast(kind, tuple(range(len(classes))), truth, table, epsilon, weights, None, {})


def _check_range(p: Array, below: str) -> None:
    """Refuse what is not a probability, in the words of scikit-learn, which are not always the same."""
    if p.max() > 1:
        raise ValueError(f"y_prob contains values greater than 1: {p.max()}")
    if p.min() < 0:
        raise ValueError(f"y_prob contains values {below} than 0: {p.min()}")


def as_probabilities(y_proba: Any) -> Array:
    """Return probabilities in a type of floats."""
    p = numbers(y_proba, "y_proba")
    return p if p.dtype.kind == "f" else p.astype(np.float64)


def _truth(y: Array, kind: str, labels: Any) -> tuple[Array, Array]:
    """Return the classes, and codes or, for a 0/1 matrix, bools."""
    if kind == "multilabel-indicator":
        if labels is not None:
            raise ValueError("The object was not fitted with multilabel input.")
        return np.arange(y.shape[1]), y != 0
    if kind not in ("binary", "multiclass"):
        what = "Multioutput" if "multioutput" in kind else kind.capitalize()
        raise ValueError(f"{what} target data is not supported with label binarization")
    y = column(y)
    if labels is None:
        return code_labels(y)
    given = np.asarray(labels)
    classes = np.unique(given)
    if len(classes) != len(given):
        raise ValueError(f"Parameter 'labels' must be unique, got {labels}.")
    if not (classes == given).all():
        warn(
            f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass the ordered "
            f"labels={classes.tolist()} and ensure that the columns of y_prob correspond to this ordering."
        )
    if not np.isin(y, classes).all():
        unknown = set(y.tolist()) - set(given.tolist())
        raise ValueError(f"y_true contains values {unknown} not belonging to the passed labels {labels}.")
    return code_labels(y, classes)


def _check_classes(classes: Array, labels: Any, width: int, p: Array) -> None:
    """Refuse another number of classes than of columns; warn about rows that do not sum to 1."""
    if len(classes) == 1:
        if labels is None:
            raise ValueError(
                f"y_true contains only one label ({classes[0]}). Please provide the list of all expected class labels explicitly "
                "through the labels argument."
            )
        raise ValueError(f"The labels array needs to contain at least two labels, got {classes}.")
    if p.ndim == 2 and p.shape[1] > 1:
        sums = p @ np.ones(p.shape[1], p.dtype)
        if (np.abs(sums - 1) > 1e-8 + math.sqrt(np.finfo(p.dtype).eps)).any():
            warn("The y_prob values do not sum to one. Make sure to pass probabilities.")
    if len(classes) == width:
        return
    if labels is None:
        raise ValueError(
            f"y_true and y_prob contain different number of classes: {len(classes)} vs {width}. Please provide the true labels "
            f"explicitly through the labels argument. Classes found in y_true: {classes}"
        )
    raise ValueError(f"The number of classes in labels is different from that in y_prob. Classes found in labels: {classes}")


def binary_forecast_of(y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any) -> Forecast:
    """Return labels and the probability of the positive class."""
    y, p = column(as_array(y_true, "y_true")), column(as_probabilities(y_proba))
    check_finite(y, "y_true")
    check_lengths(p, y, sample_weight)
    weights, kind = check_weights(sample_weight, len(p)), kind_of(y, "y_true")
    if kind != "binary":
        raise ValueError(
            f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of y_prob."
        )
    _check_range(p, "less")
    if pos_label is None and y.dtype.kind not in "OUS":
        found = distinct(y)
        pos_label = 1 if found.tolist() in ([0], [-1]) else found[-1]  # the greater label
    truth = (y == positive_label(pos_label, y))[:, None]
    return Forecast("binary", (1,), truth, np.asarray(p, np.float64)[:, None], float(np.finfo(p.dtype).eps), weights, None, {})


def probabilities_given(y_proba: Any, y_pred: Any) -> Any:
    """Return probabilities that may have been given under their old name, which is announced to go."""
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_proba
    if y_proba is not None:
        raise ValueError("Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead.")
    message = "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead."
    warn(message, FutureWarning)
    return y_pred


def keywords_soon(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts arguments of these names by position, with a warning."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        plain: Callable[..., R] = function

        @wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            more = dict(zip(names, args[2:], strict=False))
            if more:
                text = ", ".join(f"{name}={value}" for name, value in more.items())
                warn(f"Pass {text} as keyword args. From version 1.11 passing these by position will be an error.", FutureWarning)
            return plain(*args[:2], **more, **given)

        return call

    return decorate
