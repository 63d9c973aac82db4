"""Labels as scikit-learn reads them: what kind of task they describe, and what it refuses.

Two label arrays counted once: the evaluation from which every drop-in reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Number
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.encoders import MissingLabelError
from ..encode.factorize import as_integers
from ..evaluate import evaluate_with, options_of
from ..evaluation import Evaluation
from ..settings.options import Options
from ..tally.states.group_counts import CrossTable
from ..tally.tally import Tally
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


MULTILABEL = "multilabel-indicator"


@dataclass(frozen=True)
class CountedLabels:
    """The counts of two label arrays, with what scikit-learn's conventions ask about them."""

    ev: Evaluation
    kind: str  # "binary", "multiclass" or "multilabel-indicator"
    y_true: Any
    y_pred: Any
    weights: Array | None
    dtypes: tuple[Any, ...]  # of the true and the predicted labels

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.ev.n

    @property
    def total(self) -> Any:
        """The number of examples, or the sum of their weights."""
        return self.n if self.weights is None else self.weights.sum()

    @cached_property
    def present(self) -> Array:
        """The labels that occur, sorted; the numbers of the columns of a matrix."""
        dtype = np.result_type(*self.dtypes) if "O" not in {one.kind for one in self.dtypes} else np.dtype(object)
        if dtype != self.dtypes[0] and {*self.ev.classes} <= {*np.unique(self.y_true).tolist()}:
            dtype = self.dtypes[0]  # true labels 0 and 1 keep these names, also if predictions are 0.0 and 1.0
        return np.array(self.ev.classes, None if dtype.kind in "UO" else dtype)

    @property
    def with_pairs(self) -> Evaluation:
        """The evaluation with its confusion matrix, however many classes there are."""
        if isinstance(self.ev.tally.pooled, CrossTable):
            return self.ev
        return _count(self.y_true, self.y_pred, sample_weight=self.weights, signed_weights=True, confusion=True)

    def only(self, labels: list[Any], *, each_example: bool = False) -> CountedLabels:
        """Return the counts of some labels, absent ones included; those of each example are counted again."""
        if self.kind != MULTILABEL or not each_example:
            once = [*dict.fromkeys(labels)]
            ev = self.ev.only(once, absent="add")
            return replace(
                self, ev=ev if len(once) == len(labels) else _repeat_classes(ev, [once.index(label) for label in labels])
            )
        y_true, y_pred = (y[:, labels] for y in (self.y_true, self.y_pred))
        return replace(self, ev=_count_matrices(y_true, y_pred, self.weights), y_true=y_true, y_pred=y_pred)


def _repeat_classes(ev: Evaluation, index: list[int]) -> Evaluation:
    """Return the counts of classes of which some were named twice: they count as often."""
    part = ev.tally.pooled.summed().only(np.array(index))
    return Evaluation(Tally(tuple(range(len(index))), {(): part}, ev.n, open=False), "counts")


def count_labels(
    y_true: Any, y_pred: Any, sample_weight: Any = None, *, caller: str = "", by_value: bool = False
) -> CountedLabels:
    """Return the counts of two label arrays; what scikit-learn refuses is refused with its words.

    Everything but 0 is a label of a matrix. ``by_value`` counts a label as wrong where the numbers differ, such as -1 and 1.
    """
    quick = _count_quickly(y_true, y_pred, sample_weight)
    if quick is not None:
        return quick
    true, pred = as_array(y_true, "y_true", caller), as_array(y_pred, "y_pred", caller)
    check_lengths(true, pred, sample_weight)
    kind = _task(true, pred)
    if not true.shape[0]:
        raise ValueError("Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required.")
    weights = check_weights(sample_weight, true.shape[0])
    if kind == MULTILABEL:
        y = _as_matrix(true)
        z = _as_matrix(pred) if not by_value or (_is_zero_one(true) and _is_zero_one(pred)) else y != _as_matrix(true != pred)
        return CountedLabels(_count_matrices(y, z, weights), kind, y, z, weights, (np.dtype(np.intp),))
    y, z = column(true), column(pred)
    _refuse_mixed(y, z)
    dtypes = y.dtype, z.dtype
    y, z = (side.astype(np.int64) if side.dtype.kind == "f" else side for side in (y, z))
    try:
        ev = _count(y, z, sample_weight=weights, signed_weights=weights is not None)
    except MissingLabelError as error:  # scikit-learn cannot sort them
        raise TypeError(f"Input {error.argument} contains missing labels. Drop these rows.") from None
    return CountedLabels(ev, _kind_of_labels(ev), y, z, weights, dtypes)


def _count(y_true: Any, y_pred: Any, **options: Any) -> Evaluation:
    """Return the evaluation of labels, without what only intervals need."""
    return evaluate_with(y_true, y_pred, options_of({"moments": False, **options}))


def _count_matrices(y_true: Any, y_pred: Any, weights: Array | None) -> Evaluation:
    """Return the evaluation of 0/1 matrices, without what no drop-in asks for."""
    options = Options(sample_weight=weights, signed_weights=True, moments=False, declined=False)
    return evaluate_with(y_true, y_pred, options)


def _count_quickly(y_true: Any, y_pred: Any, sample_weight: Any) -> CountedLabels | None:
    """Return the counts of two vectors of whole numbers or texts; None for others, which need checks."""
    y, z = _plain(y_true), _plain(y_pred)
    if y is None or z is None or len(y) != len(z) or not len(y) or (y.dtype.kind == "U") != (z.dtype.kind == "U"):
        return None
    dtypes = y_true.dtype, y_pred.dtype
    if sample_weight is None:
        ev = _count(y, z)
        return CountedLabels(ev, _kind_of_labels(ev), y, z, None, dtypes)
    check_lengths(y, z, sample_weight)
    weights = check_weights(sample_weight, len(y))
    ev = _count(y, z, sample_weight=weights, signed_weights=True)
    return CountedLabels(ev, _kind_of_labels(ev), y, z, weights, dtypes)


def _plain(labels: Any) -> Array | None:
    texts = type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype.kind == "U"
    return labels if texts else as_integers(labels)


def _kind_of_labels(ev: Evaluation) -> str:
    return "binary" if len(ev.classes) <= 2 else "multiclass"


def _task(y_true: Any, y_pred: Any) -> str:
    """Return the kind of task that both sides describe; sides that do not go together are refused."""
    kinds = [kind_of(y, name) for y, name in ((y_true, "y_true"), (y_pred, "y_pred"))]
    together = {*kinds} if {*kinds} != {"binary", "multiclass"} else {"multiclass"}
    if len(together) > 1:
        raise ValueError(f"Classification metrics can't handle a mix of {kinds[0]} and {kinds[1]} targets")
    (kind,) = together
    if kind not in KINDS:
        raise ValueError(f"{kind} is not supported")
    if kind == MULTILABEL and y_true.shape[1] != y_pred.shape[1]:
        raise ValueError("Multi-label binary indicator input with different numbers of labels")
    return kind


def _as_matrix(y: Any) -> Any:
    """Return a matrix of whole numbers as one of bools: everything but 0 is a label."""
    if not is_sparse(y):
        return y if y.dtype.kind == "b" else y != 0
    rows = y.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    rows.data = np.ones(len(rows.data), bool)
    return rows


def _is_zero_one(y: Any) -> bool:
    """Return whether a matrix of whole numbers has no other numbers than 0 and 1."""
    values = y.data if is_sparse(y) else y
    return values.dtype.kind == "b" or not values.size or bool(values.min() >= 0 and values.max() <= 1)


def _refuse_mixed(y_true: Array, y_pred: Array) -> None:
    """Refuse text on one side and numbers on the other."""
    texts = [y.dtype.kind in "UT" or (y.dtype == object and isinstance(y[0], str)) for y in (y_true, y_pred)]
    if texts[0] != texts[1]:
        found = " and ".join(str(np.unique(y)) for y in (y_true, y_pred))
        raise ValueError(f"Mix of label input types (string and number); Got {found}.")
