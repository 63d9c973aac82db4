"""A result and its scores, prepared for the finders: measures and averages asked for in any form.

With one true and one predicted class per example, many scores are functions of accuracy. This holds for pooled scores and for
means over examples (errata B2). Averages are recognized by their rows in ``AVERAGES``, not by their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import ALIASES, BINARY, Average, averages_over, averages_that, find_average, score_name
from ...algebra.counts import Counts
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import average_in, find, measure_of_counts, resolve
from ...algebra.numbers.exact import Value, exactly, is_defined, order
from ...algebra.numbers.linear_fractional import as_fraction
from ...algebra.score import Score
from ...words.wording import series, short
from ..formula.closed_thresholds import Moebius, fit_moebius
from .exact_scores import ExactUnits, exact_mean, exact_weights


@dataclass(frozen=True, eq=False)
class ExaminedResult:
    """A result and the scores that a reader looks at."""

    source: Any
    pairs: tuple[Scored, ...]
    chosen: bool  # whether the user named the measures

    @staticmethod
    def of(source: Any, measures: Iterable[Any], averages: Iterable[str | None] | None, chosen: bool) -> ExaminedResult:
        """Return a result with these measures and averages, by default the averages that make sense here."""
        if averages is None:
            averages = natural_averages(source)
        return ExaminedResult(source, tuple(s for s in requested_scores(measures, averages) if s.exists), chosen)

    @cached_property
    def counted(self) -> RememberedCounts:
        """The source for scores and counts: it counts once what several finders read."""
        return RememberedCounts(self.source)

    @cached_property
    def scores(self) -> dict[Scored, Score]:
        """The scores, by measure and average."""
        return {s: s.measure.score(self.counted, s.average) for s in self.pairs}

    def under(self, fits: Callable[[Average], bool]) -> Iterator[tuple[Measure, Score]]:
        """Return the scores with a value, under the averages whose rows fulfill a condition."""
        averaged = ((m, s) for (m, _), s in self.scores.items() if s.average != BINARY and math.isfinite(s))
        return ((m, s) for m, s in averaged if fits(find_average(s.average)))

    def binary(self) -> Iterator[tuple[Measure, Score]]:
        """Return the scores of the positive class that have a value."""
        return ((m, s) for (m, _), s in self.scores.items() if s.average == BINARY and math.isfinite(s))

    @cached_property
    def m(self) -> int:
        """The number of classes."""
        return len(self.source.classes)

    @cached_property
    def one_hot(self) -> bool:
        """Whether every example has one true and one predicted class, and there are several classes."""
        return self.m > 1 and is_one_hot(self.counted)

    @cached_property
    def examples(self) -> ExampleFacts | None:
        """The examples, or None where they are unknown."""
        try:
            rows = self.counted.aggregate("example")
        except ValueError:  # counts per class only
            return None
        times = np.ones(rows.tp.shape) if rows.times is None else as_weight(rows.times)
        actual, predicted = as_weight(rows.tp) + as_weight(rows.fn), as_weight(rows.tp) + as_weight(rows.fp)
        seen = float(times[as_weight(rows.n) > 0].sum())
        return ExampleFacts(times, (predicted == 0) & (actual > 0), bool(((actual <= 1) & (predicted <= 1)).all()), seen)

    @cached_property
    def sizes(self) -> Array:
        """The positives of each class."""
        counts = self.counted.aggregate("class")
        return as_weight(counts.tp) + as_weight(counts.fn)


@dataclass(frozen=True, eq=False)
class ExampleFacts:
    """Distinct examples: how often each occurs, and facts about all of them."""

    times: Any
    silent: Any  # which of them have labels but no prediction
    single: bool  # whether each has at most one label
    seen: float  # how many were observed


def natural_averages(source: Any) -> tuple[str, ...]:
    """Return the averages that the report shows.

    They are the positive class of a binary problem, and all averages that are possible here.
    """
    binary = (BINARY,) if getattr(source, "positive", None) is not None else ()
    if len(source.classes) == 1:
        return binary
    try:
        source.aggregate("example")
    except ValueError:  # counts per class only
        return (*binary, *averages_over("class"))
    return (*binary, *averages_over("class", "example"))


@dataclass(frozen=True, eq=False)
class RememberedCounts:
    """A source of counts whose answers are kept; everything else is asked of the source itself.

    Counts of weighted examples are exact fractions, and making floats of those of many classes takes longer than a score.
    """

    source: Any
    _kept: dict[tuple[str, Any], Counts] = field(default_factory=dict, repr=False)

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts of the units of some axes."""
        return self._ask("aggregate", (per,) if isinstance(per, str) else tuple(per))

    def binary(self, per: tuple[str, ...] = ()) -> Counts:
        """Return the counts of the positive class, of each unit of some axes."""
        return self._ask("binary", tuple(per))

    def _ask(self, what: str, per: tuple[str, ...]) -> Counts:
        if (what, per) not in self._kept:
            self._kept[what, per] = getattr(self.source, what)(*([per] if per else []))
        return self._kept[what, per]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


Name = tuple[Any, ...]  # in results: (measure, average), or (measure, "class", class), where the measure is its text

WHOLE = None  # in place of an average, of a function of the whole confusion matrix
NO_SCORES = "There are no scores to compare: name measures, such as ['recall', 'precision'], and averages."
EACH_CLASS = "class"  # one score for each class, not an average of them


class Scored(NamedTuple):
    """A measure under an average; equal to the plain pair."""

    measure: Any
    average: Any  # its name; None for a measure that has one value, or if the source chooses

    def __str__(self) -> str:
        return score_name(self.measure, self.average)

    @property
    def exists(self) -> bool:
        """Whether the measure exists under this average."""
        only = getattr(self.measure, "averages", ())
        return not only or self.average in only


def requested_scores(measures: Any, averages: Iterable[str | None] | str, *, matrix: bool = False) -> Iterator[Scored]:
    """Yield the requested scores, measure by measure.

    Each measure appears under all averages, or under its own if it is a pair. Measures are one or several of names, formulas,
    ``Measure``, names of scores and pairs (measure, average). ``matrix`` allows functions of the whole confusion matrix, whose
    average is ``WHOLE``. The caller decides what to do with a score that does not exist.

    >>> print(*requested_scores(["f1", ("recall", "samples"), "weighted mcc"], ["micro", "macro"]), sep=", ")
    micro f1, macro f1, exemplar recall, weighted mcc
    """
    every: tuple[Any, ...] = (averages,) if isinstance(averages, str) else tuple(averages)
    for i, average in enumerate(every):
        if not isinstance(average, str | tuple | None):
            raise TypeError(f"averages[{i}] is {short(average)}; an average is a name, such as 'macro'.")
    items: Iterable[Any] = [measures] if isinstance(measures, str | Measure) else measures
    for item in items:
        named = average_in(item) if isinstance(item, str) else None
        pair = named[::-1] if named else item
        one, own = (pair[0], pair[1:]) if isinstance(pair, tuple) and len(pair) == 2 else (item, every)
        measure = resolve(one)  # even if there are no averages: a measure that does not exist is refused
        if matrix and not measure.reads.averaged:
            yield Scored(measure, WHOLE)
        else:
            measure = measure_of_counts(measure)
            yield from (Scored(measure, ALIASES.get(average, average)) for average in own)


def same_name_error(name: str) -> ValueError:
    """Return the error that two different measures have one name: their scores cannot be told apart."""
    return ValueError(f"Two different measures have the name {name!r}. Give one of them another name.")


def name_in_words(name: Name) -> str:
    """Return the name of a score: ``macro f1``, ``recall of class 'a'``, ``multiclass_mcc``.

    >>> name_in_words(("f1", "macro")), name_in_words(("recall", "class", "a"))
    ('macro f1', "recall of class 'a'")
    """
    if len(name) == 3:
        return f"{name[0]} of class {name[2]!r}"
    measure, average = name
    return str(Scored(MEASURES.get(measure, measure), average))


# Accuracies at which a closed form is found and verified: a grid with its ends, and fractions that are not on it.
ACCURACIES = tuple(sorted({*(Fraction(k, 12) for k in range(13)), *(Fraction(k, p) for k, p in ((1, 97), (3, 11), (9, 13)))}))

REMEMBERED = 1024  # functions of accuracy


def is_one_hot(source: Any) -> bool:
    """Return whether every example is known to have exactly one true and one predicted class.

    The answer is False if one example has an abstention, a missing or a second label or a masked entry, or if the source does
    not have examples. Weights of examples do not matter.

    >>> import indicatrix as ix
    >>> is_one_hot(ix.evaluate([0, 1, 2], [0, 1, 1])), is_one_hot(ix.evaluate([[1, 1, 0]], [[1, 0, 0]]))
    (True, False)
    """
    try:
        counts = source.aggregate("example")
    except ValueError:  # counts without examples
        return False
    m, times = len(source.aggregate("class").tp), np.ones(len(counts.tp)) if counts.times is None else as_weight(counts.times)
    rows = np.stack([as_weight(x)[times != 0] for x in counts])
    # With an index NumPy does not ask whether the array is masked: that would load numpy.ma, which takes longer than all of this.
    kinds = {tuple(v) for v in np.unique(rows, axis=1, return_index=True)[0].T.tolist()}
    return bool(kinds) and kinds <= {(1, 0, 0, m - 1), (0, 1, 1, m - 2)}


def one_hot_rows(rows: ExactUnits, m: int) -> bool:
    """Return whether there are rows, and all are (1, 0, 0, m - 1), right, or (0, 1, 1, m - 2), wrong."""
    known = {v for v, t in zip(rows.counts, rows.times, strict=True) if t}
    return bool(known) and known <= {(1, 0, 0, m - 1), (0, 1, 1, m - 2)}


def share_right(rows: ExactUnits) -> Value:
    """Return the accuracy of one-hot rows, the share of right examples.

    It is nan if the weights add up to zero.
    """
    right, total = sum(t for v, t in zip(rows.counts, rows.times, strict=True) if v[0]), sum(rows.times)
    return Fraction(right) / total if total else math.nan


def has_accuracy_form(average: Average) -> bool:
    """Return whether all one-hot scores under an average are functions of accuracy.

    This holds where the average pools, or averages over examples.
    """
    return average.pools or average.per == ("example",)


@dataclass(frozen=True)
class OfAccuracy:
    """A score of m one-hot classes as a function of accuracy: call it with an accuracy.

    The score is pooled, or a mean over examples. ``moebius`` is its closed form, if it is a quotient of two linear functions
    wherever it is defined.
    """

    measure: Measure
    average: str
    m: int
    n: Fraction  # the (weighted) number of examples; it matters only where ``scale_free`` is False
    moebius: Moebius | None
    trend: str  # over all accuracies: "increasing", "non-decreasing", "constant", …, "neither"; or "undefined" if it always is
    scale_free: bool = True

    def __call__(self, acc: Any) -> Value:
        """Return the exact score at an accuracy; nan where it is undefined."""
        if not 0 <= acc <= 1:
            raise ValueError(f"An accuracy lies between 0 and 1, but {acc!r} was given.")
        return at_accuracy(self.measure, self.average, self.m, self.n)(Fraction(acc))

    @property
    def text(self) -> str:
        """The closed form, or the trend of the function if it has no such form."""
        if self.trend == "undefined":
            return "undefined"
        trend = {"neither": "neither increasing nor decreasing"}.get(self.trend, self.trend)
        form = f"a function of accuracy, {trend}" if self.moebius is None else str(self.moebius)
        return form if self.scale_free else f"{form} at n = {self.n}"

    def __str__(self) -> str:
        return self.text


def of_accuracy(measure: str | Measure, average: str = "micro", *, m: int, n: Any = 1) -> OfAccuracy:
    """Return a score of one-hot rows as a function of accuracy.

    The average pools, or is a mean over examples. The pooled counts are n (acc, 1 - acc, 1 - acc, m - 2 + acc); an example is
    (1, 0, 0, m - 1) or (0, 1, 1, m - 2).

    >>> print(of_accuracy("mcc", m=10), of_accuracy("accuracy", "exemplar", m=3), of_accuracy("g_mean", m=3), sep=" | ")
    (10 acc - 1)/9 | (2 acc + 1)/3 | a function of accuracy, increasing
    """
    average = ALIASES.get(average, average)
    if average == BINARY or not has_accuracy_form(find_average(average)):
        raise ValueError(
            f"Only {series(averages_that(has_accuracy_form))} scores are functions of accuracy; average={average!r} reads single "
            "classes or groups."
        )
    if m < 1:
        raise ValueError(f"m={m!r} must be a number of classes, at least 1.")
    return _of_accuracy(find(measure), average, m, Fraction(n))


@lru_cache(REMEMBERED)
def _of_accuracy(found: Measure, average: str, m: int, n: Fraction) -> OfAccuracy:
    """Return what ``of_accuracy`` says; each report asks of the same few measures and classes."""
    value = at_accuracy(found, average, m, n)
    points = [(a, value(a)) for a in ACCURACIES]
    kept = [(a, x) for a, x in points if is_defined(x)]
    rational = [(a, fraction) for a, x in kept if (fraction := as_fraction(x)) is not None]
    form = fit_moebius(rational) if len(rational) == len(kept) else None
    return OfAccuracy(found, average, m, n, form, _trend([x for _, x in kept]), _scale_free(found, average, m, n))


def at_accuracy(measure: Measure, average: str, m: int, n: Fraction) -> Callable[[Fraction], Value]:
    """Return the exact score as a function of accuracy; with one class, every example is right."""
    value, rule = exactly(measure), find_average(average)
    rows = [(1, 0, 0, m - 1), (0, 1, 1, m - 2)][: min(m, 2)]  # right and wrong
    values = [value(*v) for v in rows]
    weights = [] if rule.pools else exact_weights(rule, measure, ExactUnits.once(rows))

    def score(a: Fraction) -> Value:
        if m == 1 and a != 1:
            return math.nan
        if rule.pools:
            x = value(n * a, n * (1 - a), n * (1 - a), n * (m - 2 + a))
        else:
            x = exact_mean(values, [w * share for w, share in zip(weights, (a, 1 - a), strict=False)])
        return x if is_defined(x) else math.nan

    return score


def _trend(values: Sequence[Value]) -> str:
    steps = {order(x, y) for x, y in pairwise(values)}
    names = {(-1,): "increasing", (1,): "decreasing", (-1, 0): "non-decreasing", (0, 1): "non-increasing"}
    if steps <= {0}:
        return "constant" if values else "undefined"
    return names.get(tuple(sorted(steps)), "neither")


def _scale_free(measure: Measure, average: str, m: int, n: Fraction) -> bool:
    if not find_average(average).pools:
        return True
    one, other = (at_accuracy(measure, average, m, k) for k in (n, 3 * n + 1))
    pairs = [(one(a), other(a)) for a in ACCURACIES[::5]]
    return all(order(x, y) == 0 for x, y in pairs if is_defined(x, y))
