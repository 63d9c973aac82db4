"""The front door: evaluate() and the other ways to make an Evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .algebra.measure import bind
from .catalogue.matrix import MATRIX_MEASURES
from .evaluation import Evaluation
from .tally.integers import count_integers
from .tally.tally import Tally

PLAIN = {np.dtype(c) for c in "?bBhHiIlLqQ"}  # bools and integers in the machine's byte order

# What plain labels do not need is imported where it is used, so that importing the library stays fast.


def evaluate(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    decide: Any = None,
    tnorm: Any = None,
    mask: Any = None,
    sample_weight: Any = None,
    by: Mapping[str, Any] | None = None,
    missing: str = "error",
    signed_weights: bool = False,
    confusion: bool | None = None,
) -> Evaluation:
    """Return the evaluation of predictions: one pass over the data, then any measure, average and convention.

    Labels may be lists, NumPy, pandas, Polars, Arrow or torch vectors (one label per example), 0/1 matrices, SciPy sparse
    matrices or lists of sets (several labels per example), or two-dimensional scores with ``decide=`` and memberships with
    ``tnorm=``. ``by={"fold": ids}`` makes an axis of any grouping.
    """
    if (
        type(y_true) is np.ndarray
        and type(y_pred) is np.ndarray
        and (classes is None and decide is None and tnorm is None and confusion is None)
        and (mask is None and sample_weight is None and by is None)
        and y_true.ndim == 1
        and y_true.shape == y_pred.shape
        and y_true.dtype in PLAIN
        and y_pred.dtype in PLAIN
        and missing in ("error", "mask")
    ):
        tally = count_integers(y_true, y_pred)
        if tally is not None:
            return Evaluation(tally, "multiclass", None if positive is None else _check_positive(positive, tally))
    from .algebra.indicator import Coded
    from .algebra.pairs import encode
    from .algebra.tnorms import tnorm as find_tnorm
    from .algebra.weights import check_by, check_mask, check_weights
    from .tally.counting import count

    norm = None if tnorm is None else find_tnorm(tnorm)
    pair = encode(y_true, y_pred, classes=classes, rule=decide, soft=norm is not None, missing=missing, positive=positive)
    n = pair.y.n if pair.rows is None else len(pair.rows)
    tally = count(
        pair,
        n,
        tnorm=norm,
        mask=check_mask(mask, n, len(pair.y.classes)),
        weights=check_weights(sample_weight, n, signed=signed_weights),
        by=check_by(by, n),
        confusion=confusion,
    )
    coded = isinstance(pair.y.data, Coded) and isinstance(pair.yhat.data, Coded)
    # With a t-norm a batch is soft even if all its memberships are 0 or 1: the next batch's need not be.
    kind = "multiclass" if coded else "multilabel" if norm is None else "soft"
    made = {"decide": _spelled(decide), "tnorm": None if norm is None or kind != "soft" else repr(norm)}
    return Evaluation(tally, kind, _check_positive(positive, tally), tuple((k, v) for k, v in made.items() if v is not None))


def _spelled(rule: Any) -> str | None:
    if rule is None or isinstance(rule, str):
        return rule
    return repr(rule) if not np.ndim(rule) else str(np.asarray(rule).tolist())


def _check_positive(positive: Any, tally: Tally) -> Any:
    if positive is None:
        return None
    positive = positive.item() if isinstance(positive, np.generic) else positive
    binary = tally.open and all(isinstance(c, int) and 0 <= c <= 1 for c in (*tally.classes, positive))  # 1 may not occur
    if positive not in tally.classes and not binary:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {tally.classes!r}.")
    return positive


def from_confusion(W: Any, classes: Iterable[Any] | None = None, *, positive: Any = None) -> Evaluation:  # noqa: N803
    """Return the evaluation of a confusion matrix, rows true, columns predicted.

    >>> import indicatrix as ix
    >>> ix.from_confusion([[5, 1], [2, 4]], classes=["ant", "cat"]).score("recall", "macro")
    0.75
    """
    from .tally.given import tally_of_confusion

    tally = tally_of_confusion(W, classes)
    return Evaluation(tally, "multiclass", _check_positive(positive, tally))


def from_counts(tp: Any, fp: Any, fn: Any, tn: Any, classes: Iterable[Any] | None = None) -> Evaluation:
    """Return the evaluation of counts: four numbers for one positive class, or four arrays with one entry per class.

    >>> import indicatrix as ix
    >>> ix.from_counts(tp=8, fp=2, fn=2, tn=88).score("f1")
    0.8
    """
    from .tally.given import tally_of_counts

    return Evaluation(tally_of_counts(tp, fp, fn, tn, classes), "counts")


bind(evaluate, MATRIX_MEASURES)
