"""Predictions that name no class and truths that no class of the classifier fits: abstentions and unknown classes.

Abstaining classifiers and open-set recognition are accommodated (sec:abstention, sec:openset): an abstention is an all-zero
row; an unknown class is one more column, into which every label outside the known ones falls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Mask
from ...algebra.wording import listing, short
from ...encode.codes import unknown
from ...encode.containers import read
from ...encode.decisions import RejectBelow, as_scores, decide
from ...encode.factorise import factorised, plain_label
from ...encode.indicator import Indicator
from ...encode.matrices import one_family
from ...encode.plain_forms import Form, Labels, Sets, Table
from ...encode.vocabulary import check_classes, family, family_of, missing_rows
from ..called import called

ANSWERS = ("answers", "every row")  # the fact that a row of zeros says something, and is no abstention


@dataclass(frozen=True)
class Relabelled:
    """Both sides with their special labels resolved, ready to be encoded."""

    y_true: Any
    y_pred: Any
    abstained: Mask | None = None  # where a missing prediction is an abstention
    classes: Any = None
    made: Mapping[str, str] = field(default_factory=dict)


def abstaining(y_true: Any, y_pred: Any, label: Any, missing: str) -> Relabelled:
    """Return the labels with abstentions marked: predictions equal to ``label``, and missing ones if ``missing="abstain"``.

    >>> abstaining(["a"], ["reject"], "reject", "error").y_pred.values.tolist()
    [-1]
    """
    if isinstance(y_pred, Indicator):
        raise ValueError(
            "An indicator holds rows already, and an all-zero row is the abstention; leave abstain= and missing= out."
        )
    label = plain_label(label)
    made = {"abstain": repr(label) if label is not None else "missing predictions"}
    pred, true = read(y_pred, "y_pred"), y_true if isinstance(y_true, Indicator) else read(y_true, "y_true")
    if label is not None and isinstance(true, Labels | Sets):
        _not_true(true, label)
    if isinstance(pred, Sets):
        rows, declined = _empty_sets(pred, label, missing)
        return Relabelled(true, rows, declined, made=made)
    if not isinstance(pred, Labels):
        raise ValueError(
            "An abstention is one prediction per example: a reserved label, or None. In a matrix of decisions it is a row of "
            "zeros, and scores abstain with decide=ix.reject_below(t)."
        )
    labels = categorical(factorised(pred, "y_pred"))
    abstained = np.zeros(len(labels), bool)
    if missing == "abstain":
        absent = missing_rows(labels)
        abstained = abstained if absent is None else abstained | absent
    if label is not None:
        labels, here = _without(labels, label)
        abstained |= here
    return Relabelled(true, labels, abstained, made=made)


def categorical(labels: Labels) -> Labels:
    """Return labels as codes into categories, -1 where one is missing."""
    if labels.categories is not None:
        return labels
    absent = missing_rows(labels)
    names, codes = np.unique(labels.values, return_inverse=True)
    if absent is not None:  # NaN is the last of the sorted values
        names, codes = names[names == names], np.where(absent, -1, codes)
    return Labels(codes, tuple(names.tolist()), complete=True)


def _without(labels: Labels, label: Any) -> tuple[Labels, Mask]:
    """Return labels in which one category is missing instead, and where it was."""
    names = labels.categories or ()
    if label not in names:
        return labels, np.zeros(len(labels), bool)
    at = names.index(label)
    here = np.asarray(labels.values == at)
    recode = np.array([*(i - (i > at) if i != at else -1 for i in range(len(names))), -1])
    return replace(labels, values=recode[labels.values], categories=names[:at] + names[at + 1 :]), here


def _not_true(true: Labels | Sets, label: Any) -> None:
    if isinstance(true, Sets):
        at = np.array([i for i, row in enumerate(true.rows) if row is not None and label in row])
    else:
        labels = categorical(factorised(true, "y_true"))
        names = labels.categories or ()
        at = np.flatnonzero(labels.values == names.index(label)) if label in names else np.empty(0)
    if len(at):
        raise ValueError(
            f"y_true[{at[0]}] is {short(label)}, which abstain= reserves for predictions that decline to answer. "
            "Choose another label for them."
        )


def _empty_sets(pred: Sets, label: Any, missing: str) -> tuple[Sets, Mask]:
    """Return the sets with declined predictions empty, and which were."""
    rows, declined = [], np.zeros(len(pred), bool)
    for i, row in enumerate(pred.rows):
        if label is not None and row is not None and label in row:
            if len(row) > 1:
                raise ValueError(f"y_pred[{i}] holds {short(label)}, which abstains, together with other labels. Leave one out.")
            row = None
            declined[i] = True
        elif row is None and missing == "abstain":
            declined[i] = True
        rows.append(set() if declined[i] else row)
    return Sets(rows), declined


def open_set(
    y_true: Any, y_pred: Any, known: Iterable[Any], name: Any, *, rule: Any = None, abstain: Any = None, missing: str = "error"
) -> Relabelled:
    """Return the labels on the known classes and one more, last: true labels outside ``known``, and rejections, are unknown.

    >>> r = open_set(["cat", "elk"], ["cat", None], ["ant", "cat"], None, missing="abstain")
    >>> r.classes, r.y_true.values.tolist(), r.y_pred.values.tolist()
    (('ant', 'cat', 'unknown'), [1, 2], [1, 2])
    """
    with called(classes="known"):
        classes = check_classes(known)
    if not classes:
        raise ValueError("known= is empty; name the classes that the classifier can predict.")
    name = _unknown_name(classes, name)
    if isinstance(y_true, Indicator) or isinstance(y_pred, Indicator):
        raise ValueError("An indicator has its columns already; known= sorts labels into known ones and unknown ones.")
    true = read(y_true, "y_true")
    if not isinstance(true, Labels):
        raise ValueError("known= needs one true label per example: whether an example is unknown is a question of its one class.")
    if abstain is not None and plain_label(abstain) in classes:
        raise ValueError(
            f"abstain={short(abstain)} is a known class, so that predicting it is no abstention. Choose another label."
        )
    columns = (*classes, name)
    made = {"known": listing(classes), "unknown": repr(name)}
    true = categorical(factorised(true, "y_true"))
    one_family({"known": family_of(type(classes[0])), "y_true": family(true, "y_true")})
    place = {c: i for i, c in enumerate(classes)}
    coded_true = _recoded(true, [place.get(c, len(classes)) for c in true.categories or ()], columns)
    pred = read(y_pred, "y_pred")
    if rule is not None:
        return Relabelled(coded_true, _decided(pred, rule, classes, columns), None, columns, made)
    return Relabelled(coded_true, _predicted(pred, columns, abstain, missing), None, columns, made)


def _unknown_name(known: tuple[Any, ...], name: Any) -> Any:
    if name is None:
        kind = family_of(type(known[0]))
        name = {"text": "unknown", "number": -1}.get(kind)
        if name is None:
            raise ValueError(f"What is the unknown class called among labels of type {kind}? Pass unknown= with its name.")
    if name in known:
        raise ValueError(
            f"The unknown class cannot be called {short(name)}: that is a known class. Pass unknown= with another name."
        )
    check_classes((*known, name))  # of the same family
    return plain_label(name)


def _recoded(labels: Labels, codes: list[int], columns: tuple[Any, ...]) -> Labels:
    return Labels(np.array([*codes, -1])[labels.values], columns, declared=True)


def _predicted(pred: Form, columns: tuple[Any, ...], abstain: Any, missing: str) -> Labels:
    if not isinstance(pred, Labels):
        raise ValueError(
            "With known=, y_pred holds one label per example, or scores with decide='argmax' or decide=ix.reject_below(t)."
        )
    labels = categorical(factorised(pred, "y_pred"))
    place = {c: i for i, c in enumerate(columns)}
    if abstain is not None:
        place[plain_label(abstain)] = len(columns) - 1
    absent = [c for c in labels.categories or () if c not in place]
    if absent:
        error = unknown(labels, place, columns, "y_pred")
        raise ValueError(f"{error} A prediction is a known class, or {columns[-1]!r} for a rejection.")
    coded = _recoded(labels, [place[c] for c in labels.categories or ()], columns)
    if missing == "abstain":
        coded = replace(coded, values=np.where(coded.values < 0, len(columns) - 1, coded.values))
    return coded


def _decided(pred: Form, rule: Any, known: tuple[Any, ...], columns: tuple[Any, ...]) -> Labels:
    """Return the decisions on scores of the known classes, or of these and the unknown one; a rejection is unknown."""
    scores = as_scores(pred, "y_pred")
    if not (rule == "argmax" if isinstance(rule, str) else isinstance(rule, RejectBelow)):
        raise ValueError(f"With known=, decide= picks one class: 'argmax' or ix.reject_below(t), not {rule!r}.")
    if scores.shape[1] not in (len(known), len(columns)):
        raise ValueError(
            f"y_pred has {scores.shape[1]} columns; give scores of the known classes {listing(known)}, in their order."
        )
    names = pred.columns if isinstance(pred, Table) else None
    if names is not None and tuple(names) != columns[: len(names)]:
        raise ValueError(
            f"The columns of y_pred are called {listing(tuple(names))}; put them in the order of known=, {listing(known)}."
        )
    codes = decide(scores, rule, "y_pred")
    return Labels(np.where(codes < 0, len(known), codes), columns, declared=True)
