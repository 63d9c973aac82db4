"""Measures under scikit-learn's averages, and its report of classes and averages.

Which labels count, and what is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..algebra.measure import Measure
from ..catalogue.counts.paper_groups import f1, f_beta, jaccard, precision, recall
from .call_checks import accepts, number, warn, warn_undefined
from .targets import MULTILABEL, CountedLabels, as_array, column, count_labels

NAMES = {"micro": "micro", "macro": "macro", "weighted": "weighted", "samples": "exemplar", "binary": "macro"}
ALIKE = 1e100  # with a greater beta F-beta is recall in every digit, and its square is soon infinite
COLUMNS = ("precision", "recall", "f1-score", "support")
WARN_FOR = ("precision", "recall", "f-score")
Row = tuple[str, Sequence[Any]]  # its name, then shares and at the end the number of examples; "" for an empty cell


class Part(NamedTuple):
    """A measure with the words of its warning."""

    measure: Measure
    name: str  # in the warning, and in warn_for=
    modifier: str  # what an undefined value lacks


PRECISION = Part(precision, "precision", "predicted")
RECALL = Part(recall, "recall", "true")
JACCARD = Part(jaccard, "jaccard", "true or predicted")


def select_labels(counted: CountedLabels, average: str | None, labels: Any, pos_label: Any = 1) -> CountedLabels:
    """Return the counts of the labels that an average is about: those given, the positive one, or all."""
    if average == "binary":
        labels = [_check_positive(counted, pos_label)]
    elif pos_label not in (None, 1):
        warn(
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got {average!r}). "
            "You may use labels=[pos_label] to specify a single positive class."
        )
    each = average == "samples"
    if each and counted.kind != MULTILABEL:
        raise ValueError("Samplewise metrics are not available outside of multilabel classification.")
    return counted if labels is None else counted.only(check_labels(counted, labels), each_example=each)


def check_labels(counted: CountedLabels, labels: Any) -> list[Any]:
    """Return labels as a list; of matrices they are the numbers of columns."""
    given = column(as_array(labels, "labels"))
    found: list[Any] = (given.astype(np.intp) if counted.kind == MULTILABEL and given.dtype.kind in "bf" else given).tolist()
    if not found:
        raise ValueError("'labels' should contain at least one label.")
    if counted.kind == MULTILABEL:
        last = len(counted.ev.classes) - 1
        if max(found) > last or min(found) < 0:
            wrong = f"{max(found)} > {last}" if max(found) > last else f"{min(found)} < 0"
            raise ValueError(f"All labels must be in [0, n labels) for multilabel targets. Got {wrong}")
    return found


def _check_positive(counted: CountedLabels, pos_label: Any) -> Any:
    if counted.kind != "binary":
        choices = [None, "micro", "macro", "weighted", *(["samples"] if counted.kind == MULTILABEL else [])]
        raise ValueError(
            f"Target is {counted.kind} but average='binary'. Please choose another average setting, one of {choices!r}."
        )
    if pos_label not in counted.ev.classes and len(counted.ev.classes) > 1:
        raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {counted.present}")
    return pos_label


def average_parts(counted: CountedLabels, part: Part, average: str | None, zero_division: Any, *, quiet: bool = False) -> Any:
    """Return one value for each label, or their average; ``quiet``: without a warning."""
    number = 0.0 if isinstance(zero_division, str) else float(zero_division)
    if average is None:
        values = counted.ev.values(part.measure)
        result: Any = np.where(np.isfinite(values), np.asarray(values), number)
    else:
        undefined = "exclude" if math.isnan(number) else number
        score = counted.ev.score(part.measure, NAMES[average], undefined=undefined)
        if average == "weighted" and (score.lacks_weight() or math.isnan(score)):  # then scikit-learn ignores the weights
            score = counted.ev.score(part.measure, "macro", undefined=undefined)
        values, result = score.values, float(score)
    if zero_division == "warn" and not quiet and not np.isfinite(values).all():
        _warn_about(counted, part, average)
    return result


def _warn_about(counted: CountedLabels, part: Part, average: str | None) -> None:
    """Say that a value is undefined, in which units, and what they lack."""
    unit, lacking = ("sample", "label") if average == "samples" else ("label", "sample")
    units = counted.n if average == "samples" else 1 if average == "micro" else len(counted.ev.classes)
    where = "due to" if units == 1 else f"in {unit}s with"
    warn_undefined(
        f"{part.name.capitalize()} is ill-defined and being set to 0.0 {where} no {part.modifier} {lacking}s. "
        "Use `zero_division` parameter to control this behavior."
    )


def three_scores(
    counted: CountedLabels, beta: float, average: str | None, warn_for: Iterable[str], zero_division: Any
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, F-beta and support of counted labels."""
    parts = PRECISION, RECALL, f_score(beta)
    p, r, f = (average_parts(counted, part, average, zero_division, quiet=part.name not in warn_for) for part in parts)
    return p, r, f, counted.ev.aggregate("class").tpos if average is None else None


def f_score(beta: float) -> Part:
    """Return F-beta with the words of its warning.

    With beta 0 or infinity it is precision or recall, and then scikit-learn gives no warning about F-beta.
    """
    beta = float(beta)  # which a NumPy float of few bits cannot compare with a huge number
    if beta > ALIKE:
        return Part(recall, "", "")
    if beta == 0:
        return Part(precision, "", "")
    return Part(f1 if beta == 1 else f_beta.at(beta=beta), "f-score", "true nor predicted")


def one_score(caller: str, part: Part, y_true: Any, y_pred: Any, given: tuple[Any, ...]) -> Any:
    """Return one measure of two label arrays.

    ``given`` are labels, pos_label, average, weights and zero_division.
    """
    labels, pos_label, average, sample_weight, zero_division = given
    counted = select_labels(count_labels(y_true, y_pred, sample_weight, caller=caller), average, labels, pos_label)
    return average_parts(counted, part, average, zero_division, quiet=not part.name)


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
