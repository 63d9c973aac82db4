"""Single-class classification and novelty detection: accept or reject, in three encodings.

See sec:single_class, errata A12.

>>> import indicatrix as ix
>>> ev = ix.tasks.one_class(["in", "in", None, "in"], [1, -1, 1, 1])  # +1 accepts; only inliers are labeled
>>> ev.score("recall"), ev.score("precision")
(0.6666666666666666, nan (binary precision; undefined))
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...algebra.arrays import Mask
from ...algebra.average import evaluate_labels
from ...algebra.counts import CELLS
from ...encode.containers import read
from ...encode.decisions import vector_of_scores
from ...encode.factorize import factorize, plain_label
from ...encode.indicator import Indicator, column_of_codes
from ...encode.pairs import check_missing
from ...encode.plain_forms import Form, Labels, Table
from ...encode.vocabulary import check_classes, coder, distinct, family, family_of, keep_rows, missing_rows
from ...encode.weights import check_mask
from ...settings.cost_matrices import LabelCosts
from ...settings.example_costs import ExampleCosts
from ...settings.paper_settings import refuse
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short

FORMS = "Give y_pred as True/False or +1/-1 (accepted or not), as labels, or as scores with decide="


@answers_mistakes
def one_class(
    y_true: Any, y_pred: Any, *, target: Any = None, outlier: Any = None, labeled: str | None = None, **options: Any
) -> Any:
    """Return the evaluation of accepting or rejecting examples.

    They are accepted as members of one class, or of several classes. What the labels do not show is undefined, never guessed.
    There are three ways to give the labels:

    - ``y_true`` has one label per example and ``target=`` (or ``positive=``) names the inliers; ``y_pred`` is True or +1 for
      accepted and False or -1 for rejected, or holds labels, or scores with ``decide=``. The target is the only column.
    - ``y_pred`` has one column per one-class classifier: every class of ``classes=`` is a column, examples may be accepted by
      several classifiers or by no classifier, and ``outlier=`` is the label of examples that belong to no class.
    - only inliers are labeled, and the other labels are missing: those rows are left out, recall is known, and measures that
      need false positives or true negatives (precision, accuracy, …) are undefined. They are also undefined wherever
      no outlier was observed, as in a test set of inliers alone. ``labeled="all"`` says that outliers are labeled as well, so a
      batch without outliers adds to batches with some; ``labeled="inliers"`` says that outliers are never labeled.

    Parameters
    ----------
    y_true : array-like
        One label per example; missing where only inliers are labeled.
    y_pred : array-like
        True or +1 for accepted, False or -1 for rejected; or labels, scores with decide=, or one column per classifier.
    target : label, optional
        The label of the inliers.
    outlier : label, optional
        The label of examples that belong to no class.
    labeled : str, optional
        "all" or "inliers": which examples have a label. Default: the data decide.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    Evaluation
        Cells that the labels do not show are unobserved: measures that read them are undefined.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.tasks.one_class(["in", "in", "out"], [1, -1, 1], target="in")
    >>> ev.score("recall"), ev.score("precision")
    (0.5, 0.5)
    >>> ix.tasks.one_class(["in", None, "in", None], [True, False, False, True]).score("recall")
    0.5
    """
    refuse("single_class", options)
    target = _one_target(target, options)
    if labeled not in (None, "all", "inliers"):
        raise ValueError(
            f"labeled={labeled!r} is unknown. Use 'all' if outliers are labeled as well, or 'inliers' if only inliers are."
        )
    if options.get("cost") is not None and not isinstance(options["cost"], LabelCosts | ExampleCosts):
        raise ValueError(
            "A cost matrix prices one class against another, but here examples are accepted or rejected. Give costs per label: "
            "cost=ix.tasks.label_costs(fp=…, fn=…)."
        )
    columns = read(y_pred, "y_pred")
    if not isinstance(columns, Labels):
        return _evaluate(*_columns(y_true, y_pred, columns, target, outlier, options), labeled)
    if outlier is not None:
        raise ValueError("outlier= is for one column of decisions per class. With one decision per example, pass only target=.")
    true = read(y_true, "y_true")
    if not isinstance(true, Labels):
        raise TypeError("y_true needs one label per example, and y_pred one decision per example or one column per class.")
    true = factorize(true, "y_true")
    if len(true) != len(columns):
        raise ValueError(f"y_true has {len(true)} examples and y_pred {len(columns)}; they must describe the same examples.")
    return _evaluate(*_binary(true, columns, target, labeled, options), labeled)


def _evaluate(y: Any, yhat: Any, options: dict[str, Any], labeled: str | None) -> Any:
    """Return the evaluation, with the counts that it does not show.

    If only inliers were observed, false positives and true negatives are not shown.
    """
    ev, hidden = evaluate_labels(y, yhat, **options), set[str]()
    if len(ev.classes) == 1:
        plain = ev if options.get("cost") is None else evaluate_labels(y, yhat, **{**options, "cost": None})
        rows = plain.tally.aggregate("example")
        seen = bool((np.asarray(rows.fp + rows.tn) > 0).any())
        if seen and labeled == "inliers":
            raise ValueError("labeled='inliers', but outliers are labeled and observed. Mask them, or leave labeled= out.")
        hidden = {"fp", "tn"} if ev.n and not seen and labeled != "all" else hidden
    elif labeled == "inliers":
        raise ValueError(
            "labeled='inliers' is for one class, but there are several columns: outliers of one class are members of another."
        )
    hidden |= set(ev.unobserved)
    unobserved = tuple(cell for cell in CELLS if cell in hidden)
    return replace(ev, recipe=ev.recipe._replace(unobserved=unobserved, answers=True))  # to reject is an answer


def _one_target(target: Any, options: dict[str, Any]) -> Any:
    positive = options.pop("positive", None)
    if target is not None and positive is not None and target != positive:
        raise ValueError(f"target={target!r} and positive={positive!r} name different classes; both mean the inliers. Pass one.")
    return plain_label(positive if target is None else target)


def _binary(true: Labels, pred: Labels, target: Any, labeled: str | None, options: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Return what to evaluate for one accept/reject decision per example.

    The target is the only column.
    """
    hidden = missing_rows(true)
    kept = true if hidden is None else keep_rows(true, ~hidden)
    family(kept, "y_true")
    labels = distinct(kept)
    classes = None if options.get("classes") is None else check_classes(options["classes"])
    _check_labels(labels, classes)
    target = _find_target(target, labels, classes, kept, hidden is not None)
    inlier = _equal(true, target)
    options = {**options, "classes": (target,)}
    if hidden is not None:
        options["mask"] = _mask_unlabeled(hidden, labels - {target}, labeled, options)
    if options.get("decide") is not None or options.get("tnorm") is not None:
        return inlier[:, None], _scores(pred, options.get("decide")), options
    missing_pred = missing_rows(pred := factorize(pred, "y_pred"))
    if missing_pred is not None:
        row = int(missing_pred.argmax())
        raise ValueError(f"y_pred[{row}] is missing: a decision is needed for every example. {FORMS}, or drop the row.")
    accepted = _find_accepted(pred, target, labels | set(classes or ()))
    return inlier[:, None], accepted[:, None], options


def _mask_unlabeled(hidden: Mask, outliers: set[Any], labeled: str | None, options: dict[str, Any]) -> Mask:
    """Return the mask that leaves unlabeled rows out.

    If outliers are labeled as well, the caller must ask for it.
    """
    if (outliers or labeled == "all") and not _may_mask(options):
        why = f"outliers such as {short(min(outliers, key=repr))} are labeled" if outliers else "labeled='all'"
        raise ValueError(
            f"y_true[{int(hidden.argmax())}] is missing, though {why}: "
            f"{int(hidden.sum())} of {len(hidden)} labels are missing. Pass missing='mask' to leave these rows out and "
            "evaluate only the labeled ones, or label only inliers to know recall alone."
        )
    mask = check_mask(options.get("mask"), len(hidden), 1)
    return ~hidden if mask is None else ~hidden & mask[:, 0]


def _may_mask(options: dict[str, Any]) -> bool:
    return check_missing(options.get("missing", "error"))[0] == "mask"


def _check_labels(labels: set[Any], classes: tuple[Any, ...] | None) -> None:
    odd = sorted(labels - set(classes), key=repr) if classes is not None else []
    if odd and classes is not None:
        raise ValueError(
            f"y_true has {listing(odd)}, which classes=({listing(classes)}) does not name. Add it, or drop these rows."
        )


def _find_target(target: Any, labels: set[Any], classes: Any, column: Labels, unlabeled: bool) -> Any:
    """Return the label of the inliers; it may be omitted where only inliers are labeled."""
    if target is None:
        if unlabeled and len(labels) == 1:
            return next(iter(labels))
        found = listing(sorted(labels, key=repr)) if labels else "no label"
        raise ValueError(f"Which label are the inliers? y_true has {found}; pass target= with that label.")
    if classes is not None and target not in classes:
        raise ValueError(f"target={target!r} is not a class; the classes are {classes!r}.")
    kind = family(column, "y_true")
    if kind is not None and len(labels) and family_of(type(target)) != kind:
        raise TypeError(
            f"target={target!r} is {family_of(type(target))}, but the labels of y_true are {kind}; "
            "none can be equal. Give a label of y_true."
        )
    if classes is None and labels and target not in labels and not any(labels | {target} <= pair for pair in ({0, 1}, {-1, 1})):
        raise ValueError(
            f"target={target!r} is not among the labels of y_true, {listing(sorted(labels, key=repr))}. Pass classes= with all "
            "labels if no inlier is here."
        )
    return target


def _equal(labels: Labels, target: Any) -> Mask:
    """Return which labels equal the target."""
    if labels.categories is None:
        return np.asarray(labels.values == target)
    return np.isin(labels.values, [i for i, c in enumerate(labels.categories) if c == target])


def _scores(pred: Labels, rule: Any) -> Any:
    """Return scores of the target, or memberships in it, as a column."""
    values = np.asarray(pred.values)
    words = values.dtype == object and any(isinstance(v, str | bytes) for v in values)
    if pred.categories is not None or values.dtype.kind not in "biufO" or words:
        raise TypeError("decide= and tnorm= read numbers, but y_pred does not hold numbers. Drop them, or give scores.")
    if rule is not None and (isinstance(rule, str) or np.ndim(rule) or not isinstance(rule, int | float | np.number)):
        raise ValueError(f"decide={rule!r}: with one score per example, decide= takes one threshold, as in decide=0.5.")
    return vector_of_scores(pred, "y_pred")[:, None]


def _find_accepted(pred: Labels, target: Any, labels: set[Any]) -> Mask:
    """Return which examples were accepted, by flags or by the predicted label.

    If y_pred can be read in both ways, both must give the same result.
    """
    kind, found = family(pred, "y_pred"), distinct(pred)
    names = pred.categories if pred.categories is not None else pred.values.dtype.kind
    flags = names == "b" or all(isinstance(x, bool) for x in found) or found <= {1, -1}
    readings = []
    if kind in ("number", None) and flags:
        readings.append(_equal(pred, 1))
    if kind in (family_of(type(target)), None) and found <= labels | {target}:
        readings.append(_equal(pred, target))
    if not readings:
        odd = sorted(found - labels - {target}, key=repr) or sorted(found, key=repr)
        raise ValueError(
            f"y_pred has {listing(odd)}, which is neither a decision nor a label of y_true. {FORMS}; classes= names labels that "
            "do not occur."
        )
    if len(readings) == 2 and not np.array_equal(readings[0], readings[1]):
        row = int(np.argmax(readings[0] != readings[1]))
        raise ValueError(
            f"y_pred[{row}] may mean accepted or rejected, or may be a label, and with target={target!r} these differ. Write "
            "the labels of y_true and y_pred as text, or use the label 1 for the inliers."
        )
    return readings[0]


def _columns(
    y_true: Any, y_pred: Any, columns: Form, target: Any, outlier: Any, options: dict[str, Any]
) -> tuple[Any, Any, dict[str, Any]]:
    """Return what to evaluate for one accept/reject column per class.

    Several columns may accept an example, or all may reject it.
    """
    if target is not None:
        raise ValueError(
            f"target={target!r} names one class, but y_pred has a column per class. Name them in column order with classes=, or "
            "give one decision per example."
        )
    if isinstance(columns, Table) and options.get("decide") is None and options.get("tnorm") is None:
        values = columns.values
        if values.size and values.min() == -1 and bool(((values == 1) | (values == -1)).all()):
            y_pred = values == 1  # +1 and -1, as one-class estimators predict
            if columns.columns is not None and options.get("classes") is None:
                options = {**options, "classes": columns.columns}
    if outlier is not None:
        y_true, options = _with_outliers(y_true, columns, plain_label(outlier), options)
    return y_true, y_pred, options


def _with_outliers(y_true: Any, columns: Form, outlier: Any, options: dict[str, Any]) -> tuple[Indicator, dict[str, Any]]:
    """Return the indicator in which outliers belong to no class: their rows are all zero."""
    names = options.get("classes", columns.columns if isinstance(columns, Table) else None)
    if names is None:
        raise ValueError("outlier= needs classes=, the labels of the columns of y_pred in their order.")
    classes = check_classes(names)
    if outlier in classes:
        raise ValueError(
            f"outlier={outlier!r} is one of the classes {classes!r}; give the label of examples that belong to no class."
        )
    true = read(y_true, "y_true")
    if not isinstance(true, Labels):
        raise TypeError("outlier= is a label, so y_true needs one label per example.")
    true = factorize(true, "y_true")
    absent = missing_rows(true)
    rest, kept = {k: v for k, v in options.items() if k != "classes"}, slice(None) if absent is None else ~absent
    if absent is not None:
        if not _may_mask(options):
            raise ValueError(
                f"y_true[{int(absent.argmax())}] is missing: {int(absent.sum())} of {len(true)} labels are. Drop these rows, "
                f"label them outlier={outlier!r}, or pass missing='mask' to leave them out."
            )
        seen = check_mask(options.get("mask"), len(true), len(classes), classes)
        rest["mask"] = ~absent if seen is None else seen & ~absent[:, None]
    codes = np.full(len(true), len(classes))
    codes[kept] = coder(true if absent is None else keep_rows(true, ~absent), (*classes, outlier), "y_true")(slice(None))
    return Indicator(column_of_codes(np.where(codes == len(classes), -1, codes)), classes), rest
