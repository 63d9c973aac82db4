"""What a fitted estimator answers: labels, or scores with the meaning of their columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from numbers import Real
from typing import Any

import numpy as np

from ..words.wording import listing

METHODS = ("predict_proba", "decision_function")


def need_scikit_learn(what: str) -> None:
    """Refuse to go on without scikit-learn."""
    try:
        import_module("sklearn")
    except ImportError:
        raise ImportError(f"{what} needs scikit-learn, which is not installed: pip install scikit-learn.") from None


def predict_scores(
    estimator: Any,
    call: Callable[[str], Any],
    *,
    table: bool = False,
    one: bool = False,
    positive: Any = None,
    response: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Return the scores of examples, and the classes and the positive class that they are for.

    Parameters
    ----------
    estimator : object
        A fitted classifier.
    call : callable
        A function from the name of a method, such as "predict_proba", to what it returns for the examples.
    table : bool, default False
        Whether the labels are a table with a column for each label.
    one : bool, default False
        Whether two classes give one column of scores, that of the positive class.
    positive : label, optional
        The positive class. Default: the second of two classes.
    response : str, optional
        The method to call. Default: ``predict_proba``, or else ``decision_function``; for one column the other way round, since
        probabilities near 0 and 1 are rounded to ties.

    Returns
    -------
    tuple
        Scores, and a dictionary with ``classes`` and ``positive`` where they are known.
    """
    classes = None if table else find_classes(estimator)
    one = one and classes is not None and len(classes) == 2
    scores = call(_find_method(estimator, response or METHODS[:: -1 if one else 1]))
    if isinstance(scores, list):  # one array for each column of labels
        return _join_columns(estimator, scores), {}
    if classes is None:
        return scores, {}
    known = {"classes": classes, **({} if positive is None else {"positive": positive})}
    if np.ndim(scores) == 2 and not one:
        return scores, known
    if positive is not None and positive not in classes:
        raise ValueError(f"positive={positive!r} is not a class of {type(estimator).__name__}; it has {listing(classes)}.")
    chosen = classes[1] if positive is None else positive
    if np.ndim(scores) == 2:
        return scores[:, classes.index(chosen)], {"classes": classes, "positive": chosen}
    return (scores if chosen == classes[1] else -scores), {"classes": classes, "positive": chosen}


def method_caller(estimator: Any, X: Any) -> Callable[[str], Any]:
    """Return a function that calls a method of an estimator by name."""
    return lambda name: getattr(estimator, name)(X)


def target_options(y: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with ``targets=True`` if y has several columns that are not 0/1."""
    if len(getattr(y, "shape", ())) == 2 and options.get("targets") is None:
        from sklearn.utils.multiclass import type_of_target

        if type_of_target(y) == "multiclass-multioutput":
            return {**options, "targets": True}
    return {**options}


def is_threshold(decide: Any) -> bool:
    """Return whether a rule is one threshold, given as a number or found by ``ix.tune``."""
    return isinstance(getattr(decide, "rule", decide), Real)


def _find_method(estimator: Any, names: str | tuple[str, ...]) -> str:
    names = (names,) if isinstance(names, str) else names
    for name in names:
        if hasattr(estimator, name):
            return name
    raise TypeError(
        f"{type(estimator).__name__} has no {' and no '.join(names)}, and scores are needed. Use a classifier that has one, or a "
        "measure of labels."
    )


def find_classes(estimator: Any) -> tuple[Any, ...] | None:
    """Return the classes that an estimator knows; None if it has several targets, or does not say."""
    classes = getattr(estimator, "classes_", None)
    return None if classes is None or isinstance(classes, list) else tuple(np.asarray(classes).tolist())


def _join_columns(estimator: Any, scores: list[Any]) -> Any:
    """Return the probability of 1 of each column of labels."""
    columns = []
    for classes, some in zip(estimator.classes_, scores, strict=True):
        names = np.asarray(classes).tolist()
        if not {*names} <= {0, 1}:
            raise ValueError(
                "Scores of several targets with more than two classes each are not one table. Use a measure of labels, or score "
                "each target alone."
            )
        columns.append(some[:, names.index(1)] if 1 in names else np.zeros(len(some)))
    return np.column_stack(columns)
