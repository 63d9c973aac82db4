"""Sources: they give the statistic that a measure reads, for each unit of some axes, or say why not.

A source has ``units(measure, per)`` and ``refusal(measure, per)``. Of four counts, ``aggregate(per)`` is ``units`` already: a
class that has nothing else is a source of counts. Nothing is sorted or kept before it is asked for.

A source of a kind of one's own that also has ``n``, how many examples were sampled, and ``counted(times)``, the same source with
each of them counted so often, has intervals and comparisons.

What makes counts of labels: evaluate, which stands above the algebra and is loaded at first use.

A measure called on labels needs it. The package hands down how it is loaded, the only such binding, so that the algebra knows
nothing above itself and importing the library stays fast.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol


class NotOfferedError(ValueError):
    """The error for a statistic that a source does not have; its message goes into a sentence."""


class Statistic(Protocol):
    """The sums of what examples added, for each unit of the axes that were kept. ``Counts`` is one."""

    per: tuple[str, ...]  # the axes that were kept
    names: tuple[tuple[Any, ...], ...]  # the units of each
    times: Any  # how often each unit occurred; None: once

    @property
    def counts(self) -> Any:
        """The four counts of the units, as far as they are known: what a score keeps and shows."""

    @property
    def tpos(self) -> Any:
        """The actual positives of each unit."""

    @property
    def tneg(self) -> Any:
        """The actual negatives of each unit."""


class Source(Protocol):
    """What has statistics: cells, a tally, an evaluation, scores of examples, matched objects."""

    def units(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> Statistic:
        """Return what a measure reads for each unit of some axes, of the positive class or of everything."""

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units here, without counting anything; "" if there are."""


def check_offered(source: Any, measure: Any, per: tuple[str, ...], *, positive: bool) -> None:
    """Raise the refusal of a source, if it refuses these units."""
    reason = source.refusal(measure, per, positive=positive)
    if reason:
        raise NotOfferedError(reason)


def lacking_axis(per: tuple[str, ...], axes: Any) -> str:
    """Return why units do not exist where one of ``axes`` is kept at a time; "" if they do."""
    if len(per) > 1:
        return f"it keeps {' and '.join(per)} together, and here one axis is kept at a time."
    return f"there is no axis {per[0]!r} here." if per and per[0] not in axes else ""


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
