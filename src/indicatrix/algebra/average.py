"""Averages: which units are kept, and how their values are weighted (eq:undef_convention).

An average is one row of ``AVERAGES``, and everything that averages reads that row: no module knows averages by name.

Sources: they give the statistic that a measure reads, for each unit of some axes, or say why not.

A source has ``units(measure, per)`` and ``refusal(measure, per)``. Of four counts, ``aggregate(per)`` is ``units`` already: a
class that has nothing else is a source of counts. Nothing is sorted or kept before it is asked for.

A source of a kind of one's own that also has ``n``, how many examples were sampled, and ``counted(times)``, the same source with
each of them counted so often, has intervals and comparisons.

What makes counts of labels: evaluate, which stands above the algebra and is loaded at first use.

A measure called on labels needs it. The package hands down how it is loaded, the only such binding, so that the algebra knows
nothing above itself and importing the library stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from ..words.wording import short
from .arrays import FEW, as_weight
from .counts import AXES, Counts

Name = str | tuple[str, ...]  # of an average; ("site", "macro") is the mean over sites of the macro score of each


@dataclass(frozen=True, eq=False)
class Average:
    """Keep these axes, apply the formula to each unit, then average the values with these weights.

    ``weight`` is another measure, or a function that returns one for the measure that is averaged, such as its denominator. It
    is read along the same axes. So an average exists where the source has the units that both of them read. None: all units
    weigh the same.
    """

    per: tuple[str, ...]
    weight: Any = None
    meaning: str = ""
    general: bool = True  # every measure has these weights; False: some measures have none, as for denominators

    @property
    def pools(self) -> bool:
        """Whether all counts are summed before the formula is applied: there is only one value."""
        return not self.per

    def weight_of(self, measure: Any) -> Any:
        """Return the measure that weights the values of another one; None if all units weigh the same."""
        return self.weight if self.weight is None or hasattr(self.weight, "reads") else self.weight(measure)

    def amounts(self, measure: Any, units: Any) -> Any:
        """Return the weight of each unit in the number type of the units; None if all weigh the same.

        Floats for float arrays, fractions for fractions, expressions for symbols.
        """
        weight = self.weight_of(measure)
        return None if weight is None else weight.reads.apply(weight, units.counts if weight.reads.formula else units)

    def weights(self, measure: Any, units: Any) -> Any:
        """Return the float64 weight of each unit, repeated units included; None if all weigh the same.

        A unit of which nothing was observed has weight zero.

        >>> import numpy as np
        >>> v = Counts(*np.array([[3, 1], [0, 2], [1, 0], [4, 5]]), per=("class",), names=(("a", "b"),))
        >>> AVERAGES["weighted"].weights(None, v).tolist(), AVERAGES["macro"].weights(None, v)
        ([4.0, 1.0], None)
        """
        weights = None if self.weight is None else as_weight(self.amounts(measure, units))
        counts = units.counts
        if weights is not None and weights.shape != np.shape(counts.tp):  # one number for all units, or a row for each side
            weights = weights.sum(axis=0) if weights.ndim > np.ndim(counts.tp) else weights
            weights = np.broadcast_to(weights, np.shape(counts.tp))
        if counts.times is not None:
            times = as_weight(counts.times)
            weights = times if weights is None else weights * times
        return _leave_out_unobserved(weights, counts) if counts.per else weights

    def is_mean_over(self, axis: str) -> bool:
        """Return whether this is the plain mean over the units of one axis.

        >>> AVERAGES["macro"].is_mean_over("class"), AVERAGES["weighted"].is_mean_over("class")
        (True, False)
        """
        return self.weight is None and self.per == (axis,)


def _leave_out_unobserved(weights: Any, counts: Counts) -> Any:
    """Return weights that are zero for the units of which nothing was observed."""
    tn = counts.tn
    if isinstance(tn, np.ndarray) and (0 not in tn.tolist() if tn.ndim == 1 and tn.size <= FEW else tn.all()):
        return weights  # almost always, so that nothing more needs to be read
    seen = as_weight(counts.observed)
    if seen.all():
        return weights
    return seen if weights is None else np.where(seen, weights, 0.0)


AVERAGES: dict[str, Average] = {}  # filled by the catalogue, because weights are measures
ALIASES = {"samples": "exemplar"}
MICRO_AND_MACRO = ("micro", "macro")  # the two that the theory contrasts; what several averages are if left out
NEEDS_POSITIVE = "average='binary' needs a positive class: pass positive= with the name of one class."
BINARY = "binary"  # only the counts of the positive class, which are already pooled


def reads_positive(source: Any, per: Any) -> bool:
    """Return whether scores along these axes read the positive class: groups of examples that have one."""
    axes = (per,) if isinstance(per, str) else per
    if not isinstance(axes, tuple | list) or not axes or not set(axes).isdisjoint(AXES):
        return False
    return getattr(source, "positive", None) is not None


def units_of(source: Any, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> Any:
    """Return what a measure, or the weight of an average, reads of a source, for each unit of some axes.

    What has ``aggregate`` is a source of decided labels.

    >>> import indicatrix as ix
    >>> units_of(ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]), ix.f1, positive=True)
    Counts(tp=1, fp=0, fn=1, tn=2)
    """
    kind = measure.reads
    if kind.counted and hasattr(source, "aggregate"):
        return kind.of_labels(source, per, positive)
    if not hasattr(source, "units"):
        raise NotOfferedError(f"{measure} reads {kind.what}, which {type(source).__name__} does not have.")
    found = source.units(measure, per, positive=positive)
    if kind.in_counts and not kind.is_unit(found):  # a source of a kind of one's own, which asks no measure what it reads
        raise NotOfferedError(f"{measure} reads {kind.what}, which {type(source).__name__} does not have.")
    return found


def counts_of_units(source: Any, per: str | tuple[str, ...]) -> Counts:
    """Return the counts that scores along these axes read.

    Groups of examples have those of the positive class, where there is one. Otherwise all other axes are pooled.
    """
    positive = reads_positive(source, per)
    counts: Counts = source.binary((per,) if isinstance(per, str) else tuple(per)) if positive else source.aggregate(per)
    return counts


def average_name(average: Name | None) -> str:
    """Return the name of an average as the heads of tables show it, or "whole" where there is no average.

    >>> average_name("macro"), average_name(("site", "macro")), average_name(None)
    ('macro', 'site macro', 'whole')
    """
    return "whole" if average is None else " ".join(average) if isinstance(average, tuple) else average


def score_name(measure: Any, average: Name | None) -> str:
    """Return the name of a score, as every report, table, page and error calls it: average and measure.

    A measure with only one version needs no average. An average of accuracy is over decisions about classes, not over
    examples, and is called so.

    >>> import indicatrix as ix
    >>> score_name(ix.f1, "macro"), score_name(ix.measures.zero_one_loss, "exemplar"), score_name(ix.accuracy, "macro")
    ('macro f1', 'zero_one_loss', 'macro label accuracy')
    >>> score_name(ix.measures.zero_one_loss, ("site", "exemplar"))
    'site zero_one_loss'
    """
    only = getattr(measure, "averages", ())
    if isinstance(average, tuple) and average[-1] in only:  # inside each group, where it needs no name
        average = average[:-1]
    alone = average is None or average in only
    return str(measure) if alone else f"{average_name(average)} {measure_name(measure, [average])}"


def measure_name(measure: Any, averages: Iterable[Name | None]) -> str:
    """Return the name of a measure in a table with these averages.

    >>> import indicatrix as ix
    >>> measure_name(ix.accuracy, ["binary"]), measure_name(ix.accuracy, ["micro", "macro"]), measure_name(ix.f1, ["macro"])
    ('accuracy', 'label accuracy', 'f1')
    """
    own = getattr(measure, "averaged_name", "")
    named = own and any(a is not None and (a[-1] if isinstance(a, tuple) else a) != BINARY for a in averages)
    return own if named and measure.called in ("", measure.name) else str(measure)


def find_average(name: Name | None) -> Average:
    """Return the row of an average; the name of an axis stands for the plain mean over its units.

    Without a name everything is read as a whole.

    >>> find_average("samples").per, find_average("fold").per, find_average("binary").pools
    (('example',), ('fold',), True)
    """
    if not isinstance(name, str | None):
        raise TypeError(
            f"average={short(name)} has scores inside groups, which is not possible here. Give one name, such as 'macro'; "
            "ev.score, ev.table, ev.values and ev.exact can name the average inside each group."
        )
    if name == BINARY or name is None:
        return AVERAGES["micro"]
    return AVERAGES.get(ALIASES.get(name, name)) or Average((name,))


def groupings_of(source: Any) -> tuple[str, ...]:
    """Return the axes of a source that by= made."""
    return tuple(axis for axis in getattr(source, "axes", ()) if axis not in AXES)


def has_label_sets(source: Any) -> bool:
    """Return whether every example has a set of labels: several columns that are decided one by one.

    >>> import indicatrix as ix
    >>> [has_label_sets(ix.evaluate(y, y)) for y in ([{"a"}, {"a", "b"}], ["a", "b"])]
    [True, False]
    """
    return getattr(source, "kind", "") == "multilabel" and "target" not in source.axes


def reads_confusion(average: Average) -> bool:
    """Return whether a confusion matrix gives an average: it pools, or runs over classes or examples.

    >>> reads_confusion(find_average("weighted")), reads_confusion(find_average("fold"))
    (True, False)
    """
    return average.per in ((), ("class",), ("example",))


def averages_that(fits: Callable[[Average], bool]) -> tuple[str, ...]:
    """Return the names of the averages in the table whose row fulfills a condition.

    >>> averages_that(lambda average: average.pools or average.is_mean_over("example"))
    ('micro', 'exemplar')
    """
    return tuple(name for name, average in AVERAGES.items() if fits(average))


def averages_over(*axes: str) -> tuple[str, ...]:
    """Return the averages that every measure has and that keep no other axes than these.

    >>> [name in averages_over("class") for name in ("micro", "macro", "weighted", "denominator", "exemplar")]
    [True, True, True, False, False]
    """
    return averages_that(lambda average: average.general and set(average.per) <= set(axes))


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
