"""Two label arrays on one set of classes: what they mean, and what is refused as ambiguous.

Label configurations are the types of examples, by their true labels (prop:exemplar_skew).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..algebra.arrays import Array, Mask
from ..algebra.average import LABEL_ARGUMENTS
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, short
from .containers import read
from .decisions import RowRule, as_scores, decide, needs_truth, vector_of_scores
from .encoders import classes_of_labels, classes_of_matrices, code, columns_of, missing_label
from .factorize import factorize
from .indicator import Coded, Indicator, column_of_codes
from .matrices import as_matrix, check_columns, decide_sparse, width_of
from .plain_forms import Form, Labels, Sets, Sparse, Table
from .vocabulary import check_classes, distinct, family, keep_rows, missing_rows, vocabulary


@dataclass(frozen=True, eq=False)
class Pair:
    """Two indicators on the same classes, and which of their entries were observed."""

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


class Reading(NamedTuple):
    """How two label arrays are read; every field is already checked."""

    classes: tuple[Any, ...] | None = None
    rule: Any = None  # turns scores on the predicted side into decisions
    soft: bool = False  # memberships are meant
    missing: tuple[str, str] = ("error", "error")  # what a missing label means, on each side
    positive: Any = None
    abstained: Mask | None = None  # where a missing prediction is an abstention, an all-zero row
    names: tuple[str, str] = LABEL_ARGUMENTS  # what errors call the two arguments

    @classmethod
    def of(cls, *, classes: Any = None, missing: Any = "error", **given: Any) -> Reading:
        """Return how labels are read, with classes and the meaning of missing labels as a caller gives them."""
        return cls(classes=None if classes is None else check_classes(classes), missing=check_missing(missing), **given)

    def meaning(self, side: int) -> str:
        """Return what a missing label of a side means; abstentions are already marked at this point."""
        return self.missing[side] if self.missing[side] != "abstain" else "error"


def encode(y_true: Any, y_pred: Any, how: Reading) -> Pair:
    """Return both label arrays as indicators on the same classes."""
    if isinstance(y_true, Indicator) and isinstance(y_pred, Indicator):
        return _pair_of_indicators(y_true, y_pred, how)
    if isinstance(y_true, Indicator) or isinstance(y_pred, Indicator):
        return _pair_with_indicator(y_true, y_pred, how)
    true, pred = read(y_true, how.names[0]), read(y_pred, how.names[1])
    if isinstance(pred, Sparse) and how.rule is not None:
        pred, how = decide_sparse(pred, how.rule, how.names[1]), how._replace(rule=None)
    if isinstance(true, Labels):
        true = factorize(true, how.names[0])
    if isinstance(pred, Labels) and how.rule is None:
        pred = factorize(pred, how.names[1])
    _check_shapes(true, pred, how.names)
    if how.classes is None and how.rule is None:
        _refuse_column_of_labels(true, pred, how.names)
    if isinstance(true, Labels) and isinstance(pred, Labels):
        if how.rule is not None:
            pred, classes = _decide_binary(true, pred, how)
            how = how._replace(classes=classes)
        return _pair_of_labels(true, pred, how)
    return _pair_of_matrices(true, pred, how) if how.rule is None else _pair_with_scores(true, pred, how)


def _check_shapes(true: Form, pred: Form, names: tuple[str, str]) -> None:
    if len(true) != len(pred):
        raise ValueError(f"{names[0]} has {len(true)} examples and {names[1]} {len(pred)}; they must describe the same examples.")
    if isinstance(true, Table) and isinstance(pred, Table) and true.columns and pred.columns and true.columns != pred.columns:
        raise ValueError(
            f"The columns of {names[0]} and {names[1]} differ: {listing(true.columns)} and {listing(pred.columns)}. "
            "Select the same columns in the same order."
        )
    wide = isinstance(true, Table | Sparse) and isinstance(pred, Table | Sparse)
    if wide and width_of(true) != width_of(pred):
        raise ValueError(
            f"{names[0]} has {width_of(true)} columns and {names[1]} {width_of(pred)}; give both one column per class."
        )


def _refuse_column_of_labels(true: Form, pred: Form, names: tuple[str, str]) -> None:
    """Refuse a column of labels next to a vector of labels.

    It would be read as the matrix of one class, so that its labels are turned round. A column of floats may hold scores.
    """
    for column, vector, name, other in ((true, pred, *names), (pred, true, *names[::-1])):
        if isinstance(column, Table) and isinstance(vector, Labels) and _is_column_of_labels(column):
            raise ValueError(
                f"{name} has two dimensions and one column, and {other} has one dimension. One label per example has one "
                f"dimension: {name}.ravel(), or the column itself, df['y'] instead of df[['y']]. For a matrix of one class give "
                "classes=."
            )


def _is_column_of_labels(table: Table) -> bool:
    return width_of(table) == 1 and np.asarray(table.values).dtype.kind in "biu"


def check_missing(missing: Any) -> tuple[str, str]:
    """Return what a missing true label and a missing prediction mean.

    The meaning is "error", "mask" or, for predictions only, "abstain".
    """
    if isinstance(missing, str) and missing == "error":
        return "error", "error"
    sides = missing if isinstance(missing, tuple) and len(missing) == 2 else (missing, missing)
    known = all(isinstance(side, str) for side in sides)
    sides = ("error", "abstain") if known and sides == ("abstain", "abstain") else sides
    if not known or sides[0] not in ("error", "mask") or sides[1] not in ("error", "mask", "abstain"):
        raise ValueError(
            f"missing={short(missing)} is unknown. Use 'error' (the default), 'mask' to leave missing labels out, 'abstain' if a "
            "missing prediction is an abstention, or two of them, for y_true and y_pred: ('mask', 'abstain')."
        )
    return sides


def _pair_of_indicators(y: Indicator, yhat: Indicator, how: Reading) -> Pair:
    if how.rule is not None or how.classes not in (None, y.classes):
        raise TypeError("Indicators are encoded already; classes= and decide= do not apply to them.")
    if y.n != yhat.n or y.classes != yhat.classes or y.targets != yhat.targets:
        raise ValueError(
            f"The two indicators differ: {y.n} x {len(y.classes)} with classes {y.classes[:6]}, "
            f"{yhat.n} x {len(yhat.classes)} with classes {yhat.classes[:6]}. Encode both on the same classes."
        )
    for indicator, argument in zip((y, yhat), how.names, strict=True):
        _check_indicator(indicator, argument, how.soft)
    return Pair(y, yhat, open=False)


def _check_indicator(indicator: Indicator, argument: str, soft: bool) -> None:
    if isinstance(indicator.data, np.ndarray):  # perhaps made by hand: it is checked like any matrix
        as_matrix(Table(indicator.data), check_classes(indicator.classes), argument, soft=True, missing="error")
    if indicator.soft and not soft:
        raise ValueError("These are memberships, not decisions; say how they combine: tnorm='product', 'godel' or 'lukasiewicz'.")


def _pair_with_indicator(y_true: Any, y_pred: Any, how: Reading) -> Pair:
    """Return an indicator paired with labels, a matrix or scores, encoded on the indicator's classes."""
    given, other, side = (y_true, y_pred, 1) if isinstance(y_true, Indicator) else (y_pred, y_true, 0)
    name = how.names[side]
    if how.classes not in (None, given.classes):
        raise TypeError(f"The indicator has the classes {listing(given.classes)} already; leave classes= out.")
    if how.rule is not None and side == 0:
        raise TypeError("An indicator holds decisions or memberships already; decide= does not apply to it.")
    _check_indicator(given, how.names[1 - side], how.soft)
    form = read(other, name)
    if isinstance(form, Sparse) and how.rule is not None:
        form, how = decide_sparse(form, how.rule, name), how._replace(rule=None)
    if len(form) != given.n:
        raise ValueError(f"{name} has {len(form)} examples and the indicator {given.n}; they must describe the same examples.")
    rows, cells = None, None
    if how.rule is not None:
        scores = as_scores(form, name)
        if scores.shape[1] != len(given.classes):
            raise ValueError(
                f"There are {len(given.classes)} classes for {scores.shape[1]} columns of scores; give one per class."
            )
        truth = given.codes if needs_truth(how.rule) else None
        made = _indicator_of_decisions(decide(scores, how.rule, name, truth), form, given.classes, name)
    else:
        made, rows, cells = _encode_side(factorize(form, name) if isinstance(form, Labels) else form, given.classes, side, how)
    made = replace(made, targets=given.targets, grouping=given.grouping)
    given = given if rows is None else given.take(np.flatnonzero(rows))
    return Pair(given, made, False, rows, cells) if side == 1 else Pair(made, given, False, rows, cells)


def _indicator_of_decisions(decided: Any, form: Form, classes: tuple[Any, ...], argument: str) -> Indicator:
    """Return decisions on a table of scores, whose columns must be these classes."""
    if isinstance(form, Table):
        check_columns(form, classes, argument)
    return Indicator(column_of_codes(decided) if decided.ndim == 1 else decided, classes)


def _pair_of_labels(true: Labels, pred: Labels, how: Reading) -> Pair:
    absent = [_absent(form, side, how) for side, form in enumerate((true, pred))]
    gone = [rows for rows in absent if rows is not None]
    rows = None
    if gone:
        rows = ~np.logical_or.reduce(gone)
        true, pred = keep_rows(true, rows), keep_rows(pred, rows)
    columns = [(true, how.names[0]), (pred, how.names[1])]
    classes = classes_of_labels(columns, how.classes)
    y, yhat = (code(form, classes.names, argument) for form, argument in columns)
    return Pair(y, yhat, classes.open, rows, ordered=classes.ordered)


def _absent(form: Labels, side: int, how: Reading) -> Mask | None:
    """Return the rows to leave out because they have no label; an abstention is not such a row."""
    absent = missing_rows(form)
    if absent is None:
        return None
    if how.abstained is not None and side == 1:
        absent = absent & ~how.abstained
    if not absent.any():
        return None
    if how.meaning(side) == "error":
        raise missing_label(form, absent, how.names[side], missing="error", predicted=side == 1)
    return absent


def _decide_binary(true: Labels, pred: Labels, how: Reading) -> tuple[Labels, tuple[Any, ...]]:
    """Turn scores of the positive class into labels: positive where the score reaches the threshold."""
    scores = vector_of_scores(pred, how.names[1])
    rule, positive = how.rule, how.positive
    if isinstance(rule, str) or (isinstance(rule, RowRule) and not rule.each_score) or np.ndim(rule):
        raise ValueError(f"decide={rule!r}: with one score per example, decide= takes one threshold, as in decide=0.5.")
    classes = how.classes or _two_classes(true, how.names[0])
    if len(classes) != 2:
        advice = "Name the two in classes=."
        if len(classes) > 2:
            one = f"np.asarray({how.names[0]}) == {(classes[0] if positive is None else positive)!r}"
            advice = f"For one class against the rest give {one} as labels; for all classes give one column of scores per class."
        raise ValueError(
            f"One score per example decides between two classes, but {how.names[0]} has {listing(classes)}. {advice}"
        )
    if positive is None:
        if not set(classes) <= {0, 1}:
            raise ValueError(f"Which class do the scores speak for? Pass positive={classes[1]!r} or positive={classes[0]!r}.")
        positive = classes[classes.index(1)]
    elif positive not in classes:
        raise ValueError(f"positive={short(positive)} is not a class; the classes are {listing(classes)}.")
    table = decide(scores.reshape(-1, 1), rule, how.names[1])[:, 0]
    at = classes.index(positive)
    return Labels(np.where(table, at, 1 - at), classes, declared=True), classes


def _two_classes(true: Labels, argument: str) -> tuple[Any, ...]:
    """Return the classes of a label vector between which scores decide.

    If only 0 or only 1 occurs, both are classes.
    """
    found = (true.categories or ()) if true.declared else vocabulary(distinct(true), argument, true)
    if set(found) <= {0, 1} and family(true, argument) in ("number", None):
        return (False, True) if found and all(isinstance(c, bool) for c in found) else (0, 1)
    return found


def _pair_with_scores(true: Form, pred: Form, how: Reading) -> Pair:
    (_, name), scores = how.names, as_scores(pred, how.names[1])
    decided = None if needs_truth(how.rule) else decide(scores, how.rule, name)
    classes = columns_of((true, how.names[0]), (pred, name), how.classes, scores.shape[1])
    y, rows, cells = _encode_side(true, classes, 0, how)
    if decided is None:
        decided = decide(scores, how.rule, name, _codes_of_all(y, rows))
    yhat = _indicator_of_decisions(decided, pred, classes, name)
    if rows is not None:
        yhat = yhat.take(np.flatnonzero(rows))
    ordered = how.classes is not None or (isinstance(true, Labels) and true.ordered)
    return Pair(y, yhat, False, rows, cells, ordered=ordered)


def _codes_of_all(y: Indicator, rows: Mask | None) -> Array | None:
    """Return the code of each example, -1 where it was left out; None for several classes each."""
    codes = y.codes
    if codes is None or rows is None:
        return codes
    every = np.full(len(rows), -1)
    every[rows] = codes
    return every


def _encode_side(form: Form, classes: tuple[Any, ...], side: int, how: Reading) -> tuple[Indicator, Mask | None, Mask | None]:
    """Encode labels or a matrix on fixed columns; also return the kept rows and the observed cells."""
    argument = how.names[side]
    if isinstance(form, Labels):
        absent = _absent(form, side, how)
        kept = form if absent is None else keep_rows(form, ~absent)
        return code(kept, classes, argument), None if absent is None else ~absent, None
    indicator, cells = as_matrix(form, classes, argument, how.soft, how.meaning(side))
    return indicator, None, cells


def _empty_unseen(sets: Sets, other: Sets, meaning: str) -> Sets:
    """Return sets that are empty where the other side is missing: what was not observed has no classes."""
    if meaning != "mask":
        return sets
    return Sets([row if seen is not None or row is None else set() for row, seen in zip(sets.rows, other.rows, strict=True)])


def _missing_sets(form: Form, other: Form, meaning: str) -> Form:
    """Return a column without any label as sets that are missing, if the other side holds sets."""
    if meaning != "mask" or not isinstance(form, Labels) or not isinstance(other, Sets):
        return form
    absent = missing_rows(form)
    return form if absent is None or not absent.all() else Sets([None] * len(form))


def _pair_of_matrices(true: Form, pred: Form, how: Reading) -> Pair:
    true, pred = _missing_sets(true, pred, how.meaning(0)), _missing_sets(pred, true, how.meaning(1))
    if isinstance(true, Sets) and isinstance(pred, Sets):
        true, pred = _empty_unseen(true, pred, how.meaning(1)), _empty_unseen(pred, true, how.meaning(0))
    classes = classes_of_matrices((true, how.names[0]), (pred, how.names[1]), how.classes)
    y, rows, seen = _encode_side(true, classes.names, 0, how)
    yhat, rows_hat, seen_hat = _encode_side(pred, classes.names, 1, how)
    rows = rows_hat if rows is None else rows
    if not classes.names and (seen is not None or seen_hat is not None):  # there are no cells to show it
        for side in (true, pred):
            if isinstance(side, Sets):
                there = np.array([row is not None for row in side.rows])
                rows = there if rows is None else rows & there
        seen = seen_hat = None
    if rows is not None:
        index = np.flatnonzero(rows)
        y = y if y.n == len(index) else y.take(index)
        yhat = yhat if yhat.n == len(index) else yhat.take(index)
        seen, seen_hat = (s if s is None else s[index] for s in (seen, seen_hat))
    cells = seen_hat if seen is None else seen if seen_hat is None else seen & seen_hat
    return Pair(y, yhat, classes.open, rows, cells)


@answers_mistakes
def configurations(y_true: Any, *, classes: Iterable[Any] | None = None) -> list[str]:
    """Return the set of true labels of each example as text, to group examples by.

    An exemplar average is a mixture of the averages of these groups, weighted by their shares; ``ev.with_group_shares`` changes
    the shares. There may be as many groups as examples.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: one label or several per example.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.

    Returns
    -------
    list of str
        For every example its labels in the order of the classes, such as "{'a', 'b'}": a grouping for by=.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = [{"a"}, {"b", "a"}, set(), {"a"}]
    >>> ix.tasks.configurations(y)
    ["{'a'}", "{'a', 'b'}", '{}', "{'a'}"]
    >>> ev = ix.evaluate(y, [{"a"}, {"a"}, set(), {"b"}], by={"configuration": ix.tasks.configurations(y)})
    >>> ev.values("f1", per="configuration").tolist()
    [0.6666666666666666, 0.5, nan]
    """
    y = encode(y_true, y_true, Reading.of(classes=classes, names=("y_true", "y_true"))).y
    if isinstance(y.data, Coded):
        return [_spelled([y.classes[code]] if code >= 0 else []) for code in y.data.block(slice(None)).tolist()]
    entries = y.as_sparse()
    labels = [y.classes[j] for j in entries.indices.tolist()]
    ends = entries.indptr.tolist()
    return [_spelled(labels[a:b]) for a, b in pairwise(ends)]


def _spelled(labels: list[Any]) -> str:
    """Return a set of labels as text, which can name a group; it tells 1 from "1"."""
    return f"{{{', '.join(map(repr, labels))}}}"
