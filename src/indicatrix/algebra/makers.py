"""What makes counts of labels: evaluate, which stands above the algebra and is loaded at first use.

A measure called on labels needs it. The package hands down how it is loaded, the only such binding, so that the algebra knows
nothing above itself and importing the library stays fast.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

LABEL_ARGUMENTS = ("y_true", "y_pred")  # what callers and errors call the two arrays of labels
_LOADERS: list[Callable[[], Any]] = []


class Makers(Protocol):
    """What the algebra asks of the module above it."""

    OPTION_NAMES: tuple[str, ...]  # what evaluate takes after the labels, in order
    evaluate: Callable[..., Any]
    evaluate_with: Callable[..., Any]  # the same, with the options in one record
    counts_of_classes: Callable[[Any, Any], Any]  # the counts of the classes of two short vectors of labels, or None
    options_of: Callable[..., Any]  # this record, of options given by keyword
    evaluation_of: Callable[..., Any]  # the evaluation of counts that a task made
    interval_of_call: Callable[..., Any]  # the interval of a measure that was called with interval=
    html_of_values: Callable[..., str]  # what a notebook shows of values with names
    doubt_about_labels: Callable[[Any], str]  # that no predicted label is a true one; otherwise ""


def hand_down(load: Callable[[], Any]) -> None:
    """Receive the function that loads what makes counts of labels."""
    _LOADERS.append(load)


@cache
def makers() -> Makers:
    """Return what makes counts of labels; it is loaded now if it was not."""
    loaded: Makers = _LOADERS[-1]()
    return loaded


def evaluate_labels(y_true: Any, y_pred: Any, names: tuple[str, str] = LABEL_ARGUMENTS, /, **options: Any) -> Any:
    """Return the evaluation of labels, with what intervals need; errors use ``names`` for the arrays."""
    made = makers()
    return made.evaluate_with(y_true, y_pred, made.options_of(options, names))
