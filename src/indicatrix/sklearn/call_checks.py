"""What every drop-in does at its door: checks of parameters, warnings, exceptions.

What a fitted estimator answers: labels, or scores with the meaning of their columns.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from ..words.wording import listing

P = ParamSpec("P")
R = TypeVar("R")


class InvalidParameterError(ValueError, TypeError):
    """The error for a value that a parameter cannot have: a ValueError and a TypeError."""


class UndefinedMetricWarning(UserWarning):
    """The warning for undefined scores; scikit-learn's class is used once it is imported."""


def class_of_warning() -> type[Warning]:
    """Return scikit-learn's warning for undefined scores if the program has imported it, otherwise ours.

    A program that has not imported it cannot filter by it, so it is not imported here.
    """
    theirs = sys.modules.get("sklearn.exceptions")
    return UndefinedMetricWarning if theirs is None else theirs.UndefinedMetricWarning


def class_of_error() -> type[ValueError]:
    """Return scikit-learn's error for values of parameters if it is imported, otherwise ours."""
    theirs = sys.modules.get("sklearn.utils._param_validation")
    return InvalidParameterError if theirs is None else theirs.InvalidParameterError


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning that points at the line which called the drop-in, outside this library."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__ or ""):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)


def warn_undefined(message: str) -> None:
    """Give the warning for undefined scores."""
    warn(message, class_of_warning())


class Rule(NamedTuple):
    """The values that a parameter can have: in words, and as a test."""

    words: str
    fits: Callable[[Any], bool]

    def __or__(self, other: Any) -> Rule:
        """Return the rule that either of two rules allows; None stands for itself."""
        more = NOTHING if other is None else other
        return Rule(f"{self.words} or {more.words}", lambda value: self.fits(value) or more.fits(value))


def one_of(*texts: str) -> Rule:
    """Return the rule for some texts."""
    words = f"a str among {{{', '.join(map(repr, sorted(texts)))}}}"
    return Rule(words, lambda value: isinstance(value, str) and value in texts)


def number(low: float = -math.inf, high: float = math.inf, *, whole: bool = False) -> Rule:
    """Return the rule for numbers of an interval, its ends included."""
    kind: Any = Integral if whole else Real
    words = f"{'an int' if whole else 'a float'} in the range [{low}, {high}]"
    return Rule(words, lambda value: isinstance(value, kind) and low <= value <= high)


def numbers_among(*values: float) -> Rule:
    """Return the rule for some numbers; nan is one of them only if it is named."""
    words = f"a float among {{{', '.join(map(str, values))}}}"
    nan = any(map(math.isnan, values))
    return Rule(words, lambda value: isinstance(value, Real) and (value in values or (nan and math.isnan(value))))


def is_array(value: Any) -> bool:
    """Return whether a value looks like an array: it has a length or a shape and is not a text."""
    if isinstance(value, str | bytes) or (hasattr(value, "fit") and callable(value.fit)):
        return False
    shaped = hasattr(value, "__len__") or hasattr(value, "shape") or hasattr(value, "__array__")
    return shaped and not (hasattr(value, "ndim") and value.ndim == 0) and not isinstance(value, dict | set | frozenset)


NOTHING = Rule("None", lambda value: value is None)
BOOLEAN = Rule("an instance of 'bool'", lambda value: isinstance(value, bool | np.bool_))
ARRAY = Rule("an array-like", is_array)
RULES = {  # of parameters that mean the same in most functions
    "sample_weight": ARRAY | None,
    "labels": ARRAY | None,
    "target_names": ARRAY | None,
    "average": one_of("micro", "macro", "weighted", "samples", "binary") | None,
    "pos_label": Rule(
        "an instance of 'float', 'str', 'bool' or None", lambda v: v is None or isinstance(v, int | float | str | np.generic)
    ),
    "beta": number(0, math.inf),
    "k": number(1, whole=True) | None,
    "zero_division": numbers_among(0.0, 1.0, math.nan) | one_of("warn"),
}


def accepts(**own: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that refuses what parameters of a function cannot be, as scikit-learn does.

    A parameter has the function's own rule, or else the one of its name; one that is annotated as ``bool`` needs none. Only
    arguments given by keyword are looked at: defaults need no check, and positional ones are labels, checked where they are read.
    """

    def check(function: Callable[P, R]) -> Callable[P, R]:
        kinds = function.__annotations__
        rules = (
            {name: BOOLEAN for name, kind in kinds.items() if kind == "bool"}
            | {k: v for k, v in RULES.items() if k in kinds}
            | own
        )

        @wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            for name, value in given.items():
                rule = rules.get(name)
                if rule is not None and not rule.fits(value):
                    raise class_of_error()(
                        f"The {name!r} parameter of {function.__name__} must be {rule.words}. Got {value!r} instead."
                    )
            return function(*args, **given)

        return call

    return check


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
