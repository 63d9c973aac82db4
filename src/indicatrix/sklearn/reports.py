"""The drop-in for scikit-learn's report: scores of each class and of averages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .averages import select_labels, three_scores
from .call_checks import accepts, number, warn
from .counted_labels import MULTILABEL, CountedLabels, count_labels

COLUMNS = ("precision", "recall", "f1-score", "support")
WARN_FOR = ("precision", "recall", "f-score")


@accepts(digits=number(0, math.inf, whole=True))
def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> Any:
    """Return precision, recall, F1 and support of each class and their averages, as text or a dict.

    Parameters
    ----------
    y_true, y_pred : array-like or sparse matrix
        One label per example, or 0/1 matrices with several labels per example.
    labels : array-like, optional
        The classes that count, absent ones included, and their order. Of matrices: the numbers of columns.
    target_names : array-like of str, optional
        The names to show, in the order of the labels.
    sample_weight : array-like, optional
        One weight for each example.
    digits : int, default 2
        How many decimals the text shows.
    output_dict : bool, default False
        True returns a dict of numbers instead of text.
    zero_division : str or number, default 'warn'
        What an undefined value becomes: 0, 1 or nan, which is left out of averages. "warn" is 0 with a warning.

    Returns
    -------
    str or dict
        The report. ``print(ix.evaluate(y_true, y_pred))`` has another one, which says more.

    Examples
    --------
    >>> from indicatrix.sklearn import classification_report
    >>> print(classification_report(["ant", "bee", "bee", "ant"], ["ant", "bee", "ant", "ant"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
             ant       0.67      1.00      0.80         2
             bee       1.00      0.50      0.67         2
    <BLANKLINE>
        accuracy                           0.75         4
       macro avg       0.83      0.75      0.73         4
    weighted avg       0.83      0.75      0.73         4
    <BLANKLINE>
    """
    counted = count_labels(y_true, y_pred, sample_weight, caller="classification_report")
    shown = counted.present if labels is None else np.asarray(labels)
    names = _names(shown, target_names, labels is not None)
    *scores, support = _scores(select_labels(counted, None, shown if labels is not None else None), None, zero_division)
    classes = [*zip(names, zip(*scores, support, strict=True), strict=False)]
    averages = _averages(counted, None if labels is None else shown, zero_division, np.sum(support))
    if output_dict:
        return _as_dict(classes, averages)
    return text_of_class_rows(COLUMNS, classes, [(name, _cells(name, row)) for name, row in averages], digits)


def _scores(counted: CountedLabels, average: str | None, zero_division: Any) -> tuple[Any, ...]:
    return three_scores(counted, 1.0, average, WARN_FOR, zero_division)


def _names(shown: Any, target_names: Any, given: bool) -> list[str]:
    """Return the names of the rows; as many as there are labels, unless the labels were given."""
    if target_names is None:
        return [str(label) for label in shown]
    if len(shown) != len(target_names):
        if not given:
            raise ValueError(
                f"Number of classes, {len(shown)}, does not match size of target_names, {len(target_names)}. Try specifying the "
                "labels parameter"
            )
        warn(f"labels size, {len(shown)}, does not match size of target_names, {len(target_names)}")
    return [*target_names]


def _averages(counted: CountedLabels, labels: Any, zero_division: Any, support: Any) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the rows of the averages; the micro average of all labels is the accuracy."""
    whole = counted.kind != MULTILABEL and (labels is None or {*counted.ev.classes} <= {*labels.tolist()})
    rows = []
    for average in ("micro", "macro", "weighted", *(["samples"] if counted.kind == MULTILABEL else [])):
        *scores, _ = _scores(select_labels(counted, average, labels), average, zero_division)
        rows.append(("accuracy" if whole and average == "micro" else f"{average} avg", (*scores, support)))
    return rows


def _cells(name: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    return ("", "", *row[2:]) if name == "accuracy" else row


def _as_dict(classes: list[Any], averages: list[Any]) -> dict[str, Any]:
    rows = {name: dict(zip(COLUMNS, map(float, row), strict=True)) for name, row in (*classes, *averages)}
    return {name: row["precision"] if name == "accuracy" else row for name, row in rows.items()}


Row = tuple[str, Sequence[Any]]  # its name, then shares and at the end the number of examples; "" for an empty cell


def text_of_class_rows(columns: Sequence[str], classes: Sequence[Row], averages: Sequence[Row], digits: int) -> str:
    """Return the table as text; an empty line stands after the head and before the averages.

    >>> print(text_of_class_rows(["recall", "support"], [("ant", (0.5, 2))], [("macro avg", (0.5, 2))], 2))
                  recall   support
    <BLANKLINE>
          ant       0.50         2
    <BLANKLINE>
    macro avg       0.50         2
    <BLANKLINE>
    """
    width = max([digits, *(len(name) for name, _ in (*classes, *averages))])
    head = f"{'':>{width}} " + "".join(f" {column:>9}" for column in columns)
    blocks = ("".join(_line(row, width, digits) for row in rows) for rows in (classes, averages))
    return "\n\n".join((head, "\n".join(blocks)))


def _line(row: Row, width: int, digits: int) -> str:
    name, (*shares, last) = row
    cells = ["" if share == "" else f"{share:.{digits}f}" for share in shares]
    return f"{name:>{width}} " + "".join(f" {cell:>9}" for cell in (*cells, last)) + "\n"
