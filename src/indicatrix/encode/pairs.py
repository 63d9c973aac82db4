"""Two label arrays on one set of classes: what is given, what it means, and what is refused because it could mean two things."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Mask
from ..algebra.wording import listing, short
from .containers import read
from .decisions import RejectBelow, TopK, as_scores, decide, vector_of_scores
from .encoders import code, label_classes, missing_label
from .factorise import factorised
from .indicator import Indicator, coded
from .matrices import as_matrix, check_columns, members, one_family, width_of
from .plain_forms import Form, Labels, Sets, Sparse, Table
from .vocabulary import check_classes, distinct, family, keep_rows, missing_rows, vocabulary


@dataclass(frozen=True, eq=False)
class Pair:
    """Two indicators on the same classes, and what of them was observed."""

    y: Indicator
    yhat: Indicator
    open: bool  # the classes were found in the data, so another batch may add some
    rows: Mask | None = None  # examples that were kept; None: all
    cells: Mask | None = None  # entries that were observed; None: all
    ordered: bool = False  # the order of the classes means something: they were given, or an ordered categorical has them

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return self.y.n if self.rows is None else len(self.rows)


def encode(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Iterable[Any] | None = None,
    rule: Any = None,
    soft: bool = False,
    missing: str | tuple[str, str] = "error",
    positive: Any = None,
    abstained: Mask | None = None,
) -> Pair:
    """Return both label arrays as indicators on the same classes; ``rule`` turns scores in ``y_pred`` into decisions.

    ``missing`` says what a missing label means, on both sides or on each. Where ``abstained``, a missing prediction is an
    abstention, an all-zero row.
    """
    missing = check_missing(missing)
    if isinstance(y_true, Indicator) and isinstance(y_pred, Indicator):
        return _pair_of_indicators(y_true, y_pred, classes, rule, soft)
    if isinstance(y_true, Indicator) or isinstance(y_pred, Indicator):
        return _pair_with_indicator(y_true, y_pred, classes, rule, soft, missing, abstained)
    true, pred = _coded(read(y_true, "y_true"), "y_true"), read(y_pred, "y_pred")
    if rule is None:
        pred = _coded(pred, "y_pred")
    if len(true) != len(pred):
        raise ValueError(f"y_true has {len(true)} examples and y_pred {len(pred)}; they must describe the same examples.")
    if isinstance(true, Table) and isinstance(pred, Table) and true.columns and pred.columns and true.columns != pred.columns:
        raise ValueError(
            f"The columns of y_true and y_pred differ: {listing(true.columns)} and {listing(pred.columns)}. "
            "Select the same columns in the same order."
        )
    if all(isinstance(form, Table | Sparse) for form in (true, pred)) and width_of(true) != width_of(pred):
        raise ValueError(f"y_true has {width_of(true)} columns and y_pred {width_of(pred)}; give both one column per class.")
    names = check_classes(classes) if classes is not None else None
    if isinstance(true, Labels) and isinstance(pred, Labels):
        if rule is not None:
            pred, names = _decide_binary(true, pred, names, rule, positive)
        return _pair_of_labels(true, pred, names, missing, abstained)
    if rule is not None:
        return _pair_with_scores(true, pred, names, rule, missing, soft)
    return _pair_of_matrices(true, pred, names, soft, missing, abstained)


def check_missing(missing: Any) -> tuple[str, str]:
    """Return what a missing true label and a missing prediction mean: "error", "mask" or, of predictions, "abstain"."""
    sides = missing if isinstance(missing, tuple) and len(missing) == 2 else (missing, missing)
    sides = ("error", "abstain") if sides == ("abstain", "abstain") else sides
    if sides[0] not in ("error", "mask") or sides[1] not in ("error", "mask", "abstain"):
        raise ValueError(
            f"missing={missing!r} is unknown. Use 'error' (the default), 'mask' to leave missing labels out, 'abstain' if a "
            "missing prediction is an abstention, or two of them, for y_true and y_pred: ('mask', 'abstain')."
        )
    return sides


def _of(missing: tuple[str, str], argument: str) -> str:
    """Return what a missing label of one side means; an abstention is no longer missing where this is asked."""
    meaning = missing[argument == "y_pred"]
    return meaning if meaning != "abstain" else "error"


def _coded(form: Form, argument: str) -> Form:
    return factorised(form, argument) if isinstance(form, Labels) else form


def _pair_of_indicators(y: Indicator, yhat: Indicator, classes: Any, rule: Any, soft: bool) -> Pair:
    if rule is not None or (classes is not None and check_classes(classes) != y.classes):
        raise TypeError("Indicators are encoded already; classes= and decide= do not apply to them.")
    if y.n != yhat.n or y.classes != yhat.classes or y.targets != yhat.targets:
        raise ValueError(
            f"The two indicators differ: {y.n} x {len(y.classes)} with classes {y.classes[:6]}, "
            f"{yhat.n} x {len(yhat.classes)} with classes {yhat.classes[:6]}. Encode both on the same classes."
        )
    for indicator, argument in ((y, "y_true"), (yhat, "y_pred")):
        _check_indicator(indicator, argument, soft)
    return Pair(y, yhat, open=False)


def _check_indicator(indicator: Indicator, argument: str, soft: bool) -> None:
    if isinstance(indicator.data, np.ndarray):  # made by hand, perhaps: it is checked like any matrix
        as_matrix(Table(indicator.data), check_classes(indicator.classes), argument, soft=True, missing="error")
    if indicator.soft and not soft:
        raise ValueError("These are memberships, not decisions; say how they combine: tnorm='product', 'godel' or 'lukasiewicz'.")


def _pair_with_indicator(
    y_true: Any, y_pred: Any, classes: Any, rule: Any, soft: bool, missing: tuple[str, str], abstained: Mask | None
) -> Pair:
    """Return an indicator paired with labels, a matrix or scores, which are encoded on the indicator's classes."""
    given, other, name = (y_true, y_pred, "y_pred") if isinstance(y_true, Indicator) else (y_pred, y_true, "y_true")
    if classes is not None and check_classes(classes) != given.classes:
        raise TypeError(f"The indicator has the classes {listing(given.classes)} already; leave classes= out.")
    if rule is not None and given is y_pred:
        raise TypeError("An indicator holds decisions or memberships already; decide= does not apply to it.")
    _check_indicator(given, "y_pred" if given is y_pred else "y_true", soft)
    form = read(other, name)
    if len(form) != given.n:
        raise ValueError(f"{name} has {len(form)} examples and the indicator {given.n}; they must describe the same examples.")
    if rule is not None:
        scores = as_scores(form, name)
        if scores.shape[1] != len(given.classes):
            raise ValueError(
                f"There are {len(given.classes)} classes for {scores.shape[1]} columns of scores; give one per class."
            )
        if isinstance(form, Table):
            check_columns(form, given.classes, name)
        decided = decide(scores, rule, name)
        made, rows, cells = Indicator(coded(decided) if decided.ndim == 1 else decided, given.classes), None, None
    else:
        made, rows, cells = _against_columns(_coded(form, name), given.classes, name, soft, missing, abstained)
    made = replace(made, targets=given.targets, grouping=given.grouping)
    given = given if rows is None else given.take(np.flatnonzero(rows))
    return Pair(given, made, False, rows, cells) if name == "y_pred" else Pair(made, given, False, rows, cells)


def _pair_of_labels(
    true: Labels, pred: Labels, classes: tuple[Any, ...] | None, missing: tuple[str, str], abstained: Mask | None = None
) -> Pair:
    rows: Mask | None = None
    for form, argument in ((true, "y_true"), (pred, "y_pred")):
        absent = _absent(form, argument, missing, abstained)
        if absent is not None:
            rows = ~absent if rows is None else rows & ~absent
    declared = [form for form in (true, pred) if form.declared]
    ordered = classes is not None or (bool(declared) and all(form.ordered for form in declared))
    if rows is not None:
        true, pred = keep_rows(true, rows), keep_rows(pred, rows)
    names, open_ = label_classes([(true, "y_true"), (pred, "y_pred")], classes)
    return Pair(code(true, names, "y_true"), code(pred, names, "y_pred"), open_, rows, ordered=ordered)


def _absent(form: Labels, argument: str, missing: tuple[str, str], abstained: Mask | None) -> Mask | None:
    """Return the rows without a label that are to be left out; an abstention is no such row."""
    absent = missing_rows(form)
    if absent is not None and abstained is not None and argument == "y_pred":
        absent = absent & ~abstained
    if absent is None or not absent.any():
        return None
    if _of(missing, argument) == "error":
        raise missing_label(form, absent, argument)
    return absent


def _decide_binary(
    true: Labels, pred: Labels, classes: tuple[Any, ...] | None, rule: Any, positive: Any
) -> tuple[Labels, tuple[Any, ...]]:
    """Turn scores of the positive class into labels: positive where the score reaches the threshold."""
    scores = vector_of_scores(pred, "y_pred")
    if isinstance(rule, str | TopK | RejectBelow) or np.ndim(rule):
        raise ValueError(f"decide={rule!r}: with one score per example, decide= takes one threshold, as in decide=0.5.")
    if classes is None:
        classes = true.categories if true.declared else vocabulary(distinct(true), "y_true", true)
        if set(classes or ()) <= {0, 1} and family(true, "y_true") in ("number", None):
            classes = (False, True) if all(isinstance(c, bool) for c in classes or ()) and classes else (0, 1)
    if classes is None or len(classes) != 2:
        raise ValueError(
            f"One score per example decides between two classes, but y_true has {listing(classes or ())}. "
            "Give one column of scores per class, or classes= with the two classes."
        )
    if positive is None:
        if not set(classes) <= {0, 1}:
            raise ValueError(f"Which class do the scores speak for? Pass positive={classes[1]!r} or positive={classes[0]!r}.")
        positive = classes[list(classes).index(1)]
    elif positive not in classes:
        raise ValueError(f"positive={short(positive)} is not a class; the classes are {listing(tuple(classes))}.")
    table = decide(scores.reshape(-1, 1), rule, "y_pred")[:, 0]
    at = list(classes).index(positive)
    return Labels(np.where(table, at, 1 - at), tuple(classes), declared=True), tuple(classes)


def _pair_with_scores(
    true: Form, pred: Form, classes: tuple[Any, ...] | None, rule: Any, missing: tuple[str, str], soft: bool
) -> Pair:
    scores = as_scores(pred, "y_pred")
    decided = decide(scores, rule, "y_pred")
    names = _column_classes(true, pred, classes, scores.shape[1])
    if isinstance(pred, Table):
        check_columns(pred, names, "y_pred")
    yhat = Indicator(coded(decided) if decided.ndim == 1 else decided, names)
    y, rows, cells = _against_columns(true, names, "y_true", soft, missing)
    if rows is not None:
        yhat = yhat.take(np.flatnonzero(rows))
    return Pair(y, yhat, False, rows, cells, ordered=classes is not None or (isinstance(true, Labels) and true.ordered))


def _column_classes(true: Form, pred: Form, classes: tuple[Any, ...] | None, width: int) -> tuple[Any, ...]:
    """Return the classes that the columns of a table stand for; only an unmistakable meaning is taken."""
    if classes is None:
        for form in (pred, true):
            if isinstance(form, Table) and form.columns is not None:
                classes = check_classes(form.columns)
                break
    if classes is None and isinstance(true, Labels):
        if true.declared and true.categories is not None and len(true.categories) == width:
            classes = true.categories
        elif family(true, "y_true") in ("number", None):
            found = vocabulary(distinct(true), "y_true", true)
            classes = tuple(range(width)) if not found or (found[0] >= 0 and found[-1] < width) else None
        if classes is None:
            raise ValueError(f"Which classes are the {width} columns of y_pred? Pass classes= with their labels in column order.")
    if classes is None and isinstance(true, Sets):
        raise ValueError(f"Which labels are the {width} columns? Pass classes= with their names in column order.")
    if classes is None:
        classes = tuple(range(width))
    if len(classes) != width:
        raise ValueError(
            f"There are {len(classes)} classes for {width} columns; classes= names one class per column, in column order."
        )
    return classes


def _against_columns(
    form: Form, classes: tuple[Any, ...], argument: str, soft: bool, missing: tuple[str, str], abstained: Mask | None = None
) -> tuple[Indicator, Mask | None, Mask | None]:
    """Encode labels or a matrix on fixed columns; also return the kept rows and the observed cells."""
    if isinstance(form, Labels):
        absent = _absent(form, argument, missing, abstained)
        kept = form if absent is None else keep_rows(form, ~absent)
        return code(kept, classes, argument), None if absent is None else ~absent, None
    indicator, cells = as_matrix(form, classes, argument, soft, _of(missing, argument))
    return indicator, None, cells


def _pair_of_matrices(
    true: Form, pred: Form, classes: tuple[Any, ...] | None, soft: bool, missing: tuple[str, str], abstained: Mask | None = None
) -> Pair:
    if classes is None:
        declared = (f.categories for f in (true, pred) if isinstance(f, Labels) and f.declared and f.categories is not None)
        classes = next(declared, None) if not any(isinstance(f, Table | Sparse) for f in (true, pred)) else None
    open_ = classes is None and all(isinstance(f, Sets | Labels) for f in (true, pred))
    if open_:
        (here, kind), (there, other) = members(true, "y_true"), members(pred, "y_pred")
        one_family({"y_true": kind, "y_pred": other})
        for labels, argument in ((here, "y_true"), (there, "y_pred")):
            vocabulary(labels, argument)  # an error names the argument it stands in
        classes = vocabulary(here | there, "y_true")
    elif classes is None:
        width = next(width_of(f) for f in (pred, true) if isinstance(f, Table | Sparse))
        classes = _column_classes(true, pred, None, width)
    assert classes is not None
    y, rows, seen = _against_columns(true, classes, "y_true", soft, missing)
    yhat, rows_hat, seen_hat = _against_columns(pred, classes, "y_pred", soft, missing, abstained)
    rows = rows_hat if rows is None else rows
    if rows is not None:
        index = np.flatnonzero(rows)
        y = y if y.n == len(index) else y.take(index)
        yhat = yhat if yhat.n == len(index) else yhat.take(index)
        seen, seen_hat = (s if s is None else s[index] for s in (seen, seen_hat))
    cells = seen_hat if seen is None else seen if seen_hat is None else seen & seen_hat
    return Pair(y, yhat, open_, rows, cells)
