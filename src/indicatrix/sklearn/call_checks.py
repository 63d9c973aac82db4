"""What every drop-in does at its door: checks of parameters, warnings, exceptions."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

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
