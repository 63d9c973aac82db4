"""Abstentions: declined predictions are all-zero rows, counted or left out (sec:abstention).

>>> import indicatrix as ix
>>> ev = ix.evaluate(["a", "b", "b"], ["a", None, "b"], missing="abstain")
>>> ev.coverage, ev.score("recall", "micro"), ev.answered().score("recall", "micro")
(0.6666666666666666, 0.6666666666666666, 1.0)
>>> ix.tasks.risk_coverage(["a", "b", "b"], ["a", "a", "b"], confidence=[0.9, 0.2, 0.7]).area
0.1111111111111111
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Mask
from ..encode.containers import read
from ..encode.factorize import factorize, objection, plain_label
from ..encode.indicator import Indicator
from ..encode.pairs import check_missing
from ..encode.plain_forms import Labels, Sets, is_missing
from ..encode.vocabulary import as_categories, family_of, missing_rows
from ..words.wording import short
from .options import Options
from .problem import LabelPair


def change_labels(labels: LabelPair, options: Options) -> LabelPair:
    """Return the labels with abstentions marked.

    Abstentions are predictions equal to ``abstain=``, and missing ones if ``missing=`` says so.

    >>> change_labels(LabelPair(["a"], ["reject"]), Options(abstain="reject")).y_pred.values.tolist()
    [-1]
    """
    if options.known is not None:
        return labels  # a declined prediction belongs to the unknown class, which exists already
    names, label = options.names, check_label(options.abstain)
    missing_abstains = check_missing_abstains(options)
    if isinstance(labels.y_pred, Indicator):
        raise ValueError(
            "An indicator already holds rows, and an all-zero row is an abstention; leave abstain= and missing= out."
        )
    made = labels.recipe._replace(abstain=label, missing="abstain" if label is None else None)
    true = labels.y_true if isinstance(labels.y_true, Indicator) else read(labels.y_true, names[0])
    pred = read(labels.y_pred, names[1])
    if label is not None and isinstance(true, Labels | Sets):
        _refuse_true(true, label, names[0])
    if isinstance(pred, Sets):
        check_type(label, {one for row in pred.rows if row is not None for one in row})
        rows, declined = _empty_sets(pred, label, missing_abstains, names[1])
        return replace(labels, y_true=true, y_pred=rows, abstained=declined, recipe=made)
    if not isinstance(pred, Labels):
        raise ValueError(
            "An abstention is one prediction per example: a reserved label, or None. In a matrix of decisions it is a row of "
            "zeros, and scores abstain with decide=ix.reject_below(t)."
        )
    coded = as_categories(factorize(pred, names[1]))
    abstained = np.zeros(len(coded), bool)
    absent = missing_rows(coded) if missing_abstains else None
    if absent is not None:
        abstained |= absent
    if label is not None:
        check_type(label, coded.categories or ())
        coded, here = _without(coded, label)
        abstained |= here
    return replace(labels, y_true=true, y_pred=coded, abstained=abstained, recipe=made)


def check_label(abstain: Any) -> Any:
    """Return the label of declined predictions; None if there is none.

    >>> check_label(np.int64(-1))
    -1
    """
    label = plain_label(abstain)
    if label is not None and (is_missing(label) or objection(label)):
        raise ValueError(
            f"abstain={short(abstain)} is not a label. Give the label of declined predictions, or missing='abstain' if they are "
            "None or NaN."
        )
    return label


def check_type(label: Any, predicted: Collection[Any]) -> None:
    """Refuse a label of declined predictions that no prediction has, because it is of another type.

    >>> check_type("?", ["a", "b"])
    """
    kinds = {family_of(type(other)) for other in predicted}
    if label is not None and kinds and (own := family_of(type(label))) not in kinds:
        raise TypeError(
            f"abstain={short(label)} is of type {own}, and the predictions are labels of type {' and '.join(sorted(kinds))}, so "
            "that none of them abstains. Give it in the type of the labels."
        )


def check_missing_abstains(options: Options) -> bool:
    """Return whether a missing prediction is an abstention."""
    return check_missing(options.missing)[1] == "abstain"


def _without(labels: Labels, label: Any) -> tuple[Labels, Mask]:
    """Return labels in which one category is replaced by missing labels, and where it was."""
    names = labels.categories or ()
    if label not in names:
        return labels, np.zeros(len(labels), bool)
    at = names.index(label)
    here = np.asarray(labels.values == at)
    recode = np.array([*(i - (i > at) if i != at else -1 for i in range(len(names))), -1])
    return replace(labels, values=recode[labels.values], categories=names[:at] + names[at + 1 :]), here


def _refuse_true(true: Labels | Sets, label: Any, argument: str) -> None:
    """Refuse the label of abstentions among the true labels."""
    if isinstance(true, Sets):
        at = np.array([i for i, row in enumerate(true.rows) if row is not None and label in row])
    else:
        labels = as_categories(factorize(true, argument))
        names = labels.categories or ()
        at = np.flatnonzero(labels.values == names.index(label)) if label in names else np.empty(0)
    if len(at):
        raise ValueError(
            f"{argument}[{at[0]}] is {short(label)}, which abstain= reserves for predictions that decline to answer. "
            "Choose another label for them."
        )


def _empty_sets(pred: Sets, label: Any, missing_abstains: bool, argument: str) -> tuple[Sets, Mask]:
    """Return the sets with declined predictions made empty, and which predictions were declined."""
    rows, declined = [], np.zeros(len(pred), bool)
    for i, row in enumerate(pred.rows):
        if label is not None and row is not None and label in row:
            if len(row) > 1:
                raise ValueError(
                    f"{argument}[{i}] holds {short(label)}, which abstains, together with other labels. Leave one out."
                )
            row = None
            declined[i] = True
        elif row is None and missing_abstains:
            declined[i] = True
        rows.append(set() if declined[i] else row)
    return Sets(rows), declined
