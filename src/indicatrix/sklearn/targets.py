"""Labels as scikit-learn reads them: what kind of task they describe, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from .call_checks import class_of_error, is_array

KINDS = ("binary", "multiclass", "multilabel-indicator")  # what scores of labels are about


def is_sparse(y: Any) -> bool:
    """Return whether labels are a SciPy sparse matrix; SciPy need not be imported for it."""
    return hasattr(y, "tocsr") and hasattr(y, "nnz")


def length_of(y: Any) -> int:
    """Return the number of examples of an array."""
    shape = getattr(y, "shape", None)
    if shape is not None and len(shape) == 0:
        raise TypeError(f"Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got scalar `{y!r}` instead.")
    return int(shape[0]) if shape is not None else len(y)


def check_lengths(*arrays: Any) -> None:
    """Refuse arrays with different numbers of examples; None stands for an array that was not given."""
    lengths = [length_of(y) for y in arrays if y is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def as_array(y: Any, name: str, caller: str = "") -> Any:
    """Return a caller's container as a NumPy array, or a sparse matrix in rows."""
    if type(y) is np.ndarray:
        return y
    if is_sparse(y):
        return y.tocsr()
    if not is_array(y):
        raise class_of_error()(f"The {name!r} parameter of {caller} must be an array-like. Got {y!r} instead.")
    if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
        raise TypeError(f"Input {name} contains masked values.")  # scikit-learn cannot hash them
    numpy_type = type_of_nullable(y)
    if numpy_type is not None and hasattr(y, "to_numpy"):
        if y.isna().any():
            raise ValueError(f"Input {name} contains NaN.")
        return y.to_numpy(dtype=numpy_type)
    try:
        return np.asarray(y)
    except ValueError:  # rows of different lengths
        return np.asarray(y, dtype=object)


def type_of_nullable(y: Any) -> Any:
    """Return NumPy's type of a column of pandas that may have missing values; None for other arrays."""
    return getattr(getattr(y, "dtype", None), "numpy_dtype", None)


def check_finite(values: Any, name: str) -> None:
    """Refuse floats that are nan or infinite."""
    if values.dtype.kind in "fc" and not np.isfinite(values).all():
        what = "NaN" if np.isnan(values).any() else f"infinity or a value too large for {values.dtype!r}"
        raise ValueError(f"Input {name} contains {what}.")


def column(y: Any) -> Array:
    """Return one label per example in one dimension."""
    if is_sparse(y):
        raise class_of_error()("Sparse input is only supported when targets are of multilabel type")
    if y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
        return np.ascontiguousarray(y.reshape(-1))
    raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")


def kind_of(y: Any, name: str) -> str:
    """Return what scikit-learn calls labels: "binary", "multiclass", "continuous" and others.

    >>> kind_of(np.array(["a", "b"]), "y"), kind_of(np.array([0.5, 1]), "y"), kind_of(np.array([[0, 1], [1, 1]]), "y")
    ('binary', 'continuous', 'multilabel-indicator')
    """
    if y.ndim == 2 and y.shape[1] > 1 and _is_indicator(y):
        return "multilabel-indicator"
    values = y.data if is_sparse(y) else y
    if not is_sparse(y):
        _refuse_odd_labels(y)
    if y.ndim not in (1, 2) or (y.ndim == 2 and not min(y.shape)):
        return "unknown"
    if values.dtype == object and y.size and not isinstance(values.flat[0], str):
        return "unknown"
    suffix = "-multioutput" if y.ndim == 2 and y.shape[1] > 1 else ""
    if values.dtype.kind == "f" and not _is_whole(values):
        check_finite(values, name)
        return f"continuous{suffix}"
    return f"multiclass{suffix}" if suffix or has_more_than_two(values) else "binary"


def _refuse_odd_labels(y: Array) -> None:
    first = y.flat[0] if y.size else None
    if isinstance(first, bytes):
        raise TypeError(
            "Support for labels represented as bytes is not supported. Convert the labels to a string or integer format."
        )
    if y.ndim == 1 and isinstance(first, Sequence) and not isinstance(first, str):
        raise ValueError(
            "You appear to be using a legacy multi-label data representation: a sequence of sequences. Use a 0/1 array or a "
            "sparse matrix instead."
        )


def _is_indicator(y: Any) -> bool:
    """Return whether a matrix holds at most two different whole numbers."""
    values = y.data if is_sparse(y) else y
    if values.dtype.kind == "b":
        return True
    if values.dtype.kind not in "iuf":
        return False
    if not values.size:
        return is_sparse(y)
    found = _few_distinct(values)
    most = {*found, 0} if is_sparse(y) else found
    return len(most) <= 2 and all(float(v).is_integer() for v in found)


def _few_distinct(values: Array) -> set[Any]:
    """Return the distinct values if there are two at most; otherwise more than two of them."""
    low, high = values.min(), values.max()
    found = {low.item(), high.item()}
    return found if ((values == low) | (values == high)).all() else {*found, None}


def _is_whole(values: Array) -> bool:
    with np.errstate(invalid="ignore"):
        return bool((values.astype(np.int64).astype(values.dtype) == values).all())


def has_more_than_two(values: Array) -> bool:
    """Return whether more than two different values occur."""
    if values.dtype.kind in "biuf":
        return bool(values.size) and len(_few_distinct(values)) > 2
    first = values.flat[0] if values.size else None
    others = values[values != first]
    return bool(others.size) and bool((others != others.flat[0]).any())


def check_weights(weights: Any, n: int) -> Array | None:
    """Return sample weights as scikit-learn takes them: finite, one for each example, not all 0."""
    if weights is None:
        return None
    if isinstance(weights, Number):
        weights = np.full(n, weights)
    w: Any = as_array(weights, "sample_weight")
    if is_sparse(w) or w.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {w.ndim}D array. Expected either a scalar value or a 1D array of "
            f"length {n}."
        )
    if w.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{w!r}\n")
    w = w.astype(np.float64) if w.dtype == object else w
    check_finite(w, "sample_weight")
    if w.shape != (n,):
        raise ValueError(f"sample_weight.shape == {w.shape}, expected {(n,)}!")
    if not w.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.asarray(w)
