"""The evaluations given to a comparison, each with a name; other things are refused in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..evaluation import Evaluation
from ..inference.estimators.of_source import draws_itself, is_of_images


def name_evaluations(evaluations: Any) -> dict[str, Evaluation]:
    """Return the evaluations by name; those of a list are numbered from 1."""
    if isinstance(evaluations, Evaluation):
        evaluations = [evaluations]
    if isinstance(evaluations, str) or not isinstance(evaluations, Iterable):
        raise TypeError(_not_an_evaluation(f"this is {_in_plain_words(evaluations)}"))
    numbered = not isinstance(evaluations, Mapping)
    given = [*evaluations.items()] if isinstance(evaluations, Mapping) else [*enumerate(evaluations, 1)]
    for name, ev in given:
        if not (isinstance(ev, Evaluation) or is_of_images(ev) or draws_itself(ev)):
            where = f"item {name}" if numbered else f"{name!r}"
            refuse_cross_validation(where, ev)
            raise TypeError(_not_an_evaluation(f"{where} is {_in_plain_words(ev)}"))
    if not given:
        raise ValueError("compare() needs at least one evaluation.")
    named = {str(name): ev for name, ev in given}
    if len(named) < len(given):
        raise ValueError("compare() takes every name only once; names are compared as text, so 1 and '1' are the same.")
    return named


def refuse_cross_validation(where: str, given: Any) -> None:
    """Refuse what ix.cross_validate returns, which is compared over its folds."""
    if hasattr(given, "estimators") and hasattr(given, "evaluation"):
        raise TypeError(
            f"{where} is a cross-validation: ix.inference.compare_folds({{'a': cv1, 'b': cv2}}, 'macro f1') compares several on "
            "the same folds, and .evaluation has all its predictions."
        )


def _not_an_evaluation(what: str) -> str:
    return (
        f"compare() takes evaluations, but {what}. "
        "Evaluate first: ix.compare({'a': ix.evaluate(y_true, a), 'b': ix.evaluate(y_true, b)}). "
        "Or compare labels: ix.compare(y_true, {'a': a, 'b': b})."
    )


def _in_plain_words(x: Any) -> str:
    """Return what an object is, for readers who do not know the names of types.

    >>> _in_plain_words("ant"), _in_plain_words(True), _in_plain_words([1, 2]), _in_plain_words(len)
    ('text', 'True or False', 'a list', 'an object of type builtin_function_or_method')
    """
    if x is None:
        return "None"
    for types, words in PLAIN_WORDS:
        if isinstance(x, types):
            return words
    return f"an object of type {type(x).__name__}"


PLAIN_WORDS: tuple[tuple[Any, str], ...] = (
    (str, "text"),
    ((bool, np.bool_), "True or False"),
    ((int, float, np.number), "a number"),
    (list, "a list"),
    (tuple, "a tuple"),
    (Mapping, "a dictionary"),
    (np.ndarray, "a NumPy array"),
)
