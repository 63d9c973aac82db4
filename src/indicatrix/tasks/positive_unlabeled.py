"""Positive-unlabeled data: what confirmed positives show, and what a propensity or prior adds.

See sec:pu_learning.

>>> import indicatrix as ix
>>> pu = ix.tasks.positive_unlabeled([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0])  # 0: unlabeled
>>> pu.score("recall"), pu.at(propensity=0.5).score("precision")
(0.5, 0.6666666666666666)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ..algebra.arrays import as_weight
from ..algebra.average import ALIASES, AVERAGES, Average, evaluate_labels, find_average
from ..algebra.counts import Counts
from ..algebra.measure import Measure
from ..algebra.measure_names import find
from ..algebra.numbers.exact import exactly, is_defined, order
from ..algebra.numbers.linear_fractional import count_vectors
from ..algebra.score import Score, Undefined
from ..encode.containers import read
from ..encode.factorize import factorize
from ..encode.indicator import Indicator
from ..encode.pairs import check_missing
from ..encode.plain_forms import Labels, Table
from ..encode.vocabulary import family, missing_rows
from ..settings.paper_settings import refuse
from ..storage.formats import add_parts, add_to_zero, save
from ..tally.states.group_counts import CrossTable, Summed
from ..tally.tally import Tally
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, number_of
from .propensity import (
    as_exact_float,
    correct_counts,
    cut,
    extreme,
    find_propensities,
    inside_of,
    interval_text,
    one_of,
    per_class,
    reach,
    read_interval,
    shares_to_record,
    tidy,
)

MOST_CLASSES = 30  # printed

WAYS = "pass .at(propensity=c) or .at(prior=p) to correct the counts, or .bounds(…, propensity=(low, high)) for an interval"


@answers_mistakes
def positive_unlabeled(labeled: Any, y_pred: Any, **options: Any) -> PositiveUnlabeled:
    """Return the evaluation where only some positives are known.

    All other examples are unlabeled. They contain positives, which are counted as false positives or true negatives; so only
    recall and similar measures are known, unless a propensity c = P(labeled | positive) or the share of positives is given. All
    results assume that the confirmed positives are a random sample of all positives (SCAR). Results of batches add.

    Parameters
    ----------
    labeled : array-like
        1 or True for a confirmed positive, 0 or False for an unlabeled example; or any labels, with positive=. In a 0/1 matrix
        every column is a separate problem.
    y_pred : array-like
        Predicted labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    PositiveUnlabeled
        ``.score`` for what is known; ``.at`` and ``.bounds`` for the rest.

    Examples
    --------
    >>> import indicatrix as ix
    >>> pu = ix.tasks.positive_unlabeled([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0])
    >>> pu.score("recall"), pu.at(propensity=0.5).score("precision")
    (0.5, 0.6666666666666666)
    """
    refuse("positive_unlabeled", options)
    labeled = labeled if isinstance(labeled, Indicator) else _check_no_gaps(labeled, options)
    ev = evaluate_labels(labeled, y_pred, ("labeled", "y_pred"), **options)
    if ev.kind == "soft":
        _check_crisp(labeled)
    elif ev.kind == "multiclass":
        if ev.positive is None:
            raise ValueError(
                f"Which label confirms a positive? The labels are {listing(ev.classes)}. Pass positive= with it, or give "
                "labeled as 0/1 or True/False."
            )
        ev = replace(ev, tally=_one_column(ev.tally, ev.positive), kind="multilabel")
    return PositiveUnlabeled(ev)


@answers_mistakes
@dataclass(frozen=True, repr=False)
class PositiveUnlabeled:
    """Predictions against confirmed positives and unlabeled examples.

    ``observed`` counts unlabeled examples as negatives. The columns of ``observed`` are only the positive classes: one for
    plain labels. With several columns, averages that pool or weigh them take one propensity for all columns.

    Attributes
    ----------
    observed : Evaluation
        With unlabeled examples counted as negatives.
    """

    observed: Any  # an Evaluation

    def score(self, measure: str | Measure, average: str | None = None, *, undefined: Undefined = "exclude") -> Score:
        """Return a measure of the confirmed positives.

        In expectation it is that of all positives. Only measures that do not read fp and tn, and do not change when tp and fn
        shrink by the same factor, are known: recall, fnr.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis. Optional where there is a positive class.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that also holds the values it was averaged from, and how undefined ones were handled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.positive_unlabeled([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0]).score("recall")
        0.5
        """
        found = find(measure)
        if not reads_confirmed_only(found):
            raise ValueError(f"{found} depends on false positives or true negatives, which contain unlabeled positives; {WAYS}.")
        _check_axes(average)
        if isinstance(average, str) and not weights_keep_proportions(found, find_average(average)):
            raise ValueError(f"average={average!r} weights by counts that contain unlabeled positives; {WAYS}.")
        return found.score(self.observed, average, undefined)

    def at(self, *, propensity: Any = None, prior: Any = None) -> Any:
        """Return the evaluation with the counts expected at a propensity or a prior.

        tp = tp/c, fn = fn/c, fp = fp - (1-c)/c tp, tn = tn - (1-c)/c fn, exactly, and in the same way in every group; c is the
        share of labeled examples divided by the prior. Both may be one number, or one for each class (a mapping, or in class
        order). After the correction, nothing is known about single examples.

        Parameters
        ----------
        propensity : number, mapping or array-like, optional
            The share of the positives that are labeled.
        prior : number, mapping or array-like, optional
            The share of the examples that are positive. Give one of the two.

        Returns
        -------
        Evaluation
            With corrected counts, which may be fractions.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.positive_unlabeled([1, 0, 0, 0], [1, 1, 0, 0]).at(prior=0.5).aggregate()
        Counts(tp=2, fp=0, fn=0, tn=2)
        """
        name, value = one_of(propensity, prior)
        tally = self.observed.tally
        c = find_propensities(tally, name, value)
        times = np.array([1 / x for x in c], object)
        parts = {key: Summed(tidy(correct_counts(p.cells().astype(object), times)), None, None) for key, p in tally.parts.items()}
        facts = {name: per_class(value, name, tally.classes), "propensity": c}
        made = self.observed.recipe.with_task(**{what: shares_to_record(shares) for what, shares in facts.items()})
        return replace(self.observed, tally=tally.with_parts(parts), kind="counts", recipe=made)

    __add__, __radd__, save = add_parts, add_to_zero, save

    def __str__(self) -> str:
        counts, recall = self.observed.tally.aggregate("class"), self.observed.values("recall")
        of = zip(self.observed.classes, counts.tpos.tolist(), counts.n.tolist(), recall.tolist(), strict=True)
        lines = [f"{c!r}: {k:,.6g} of {n:,.6g} labeled, recall of these {_value_text(r)}" for c, k, n, r in of]
        more = [f"… {len(lines):,} classes"] if len(lines) > MOST_CLASSES else []
        return "\n".join([*lines[:MOST_CLASSES], *more, f"The others are unlabeled and may be positive: {WAYS}."])

    def __repr__(self) -> str:
        columns = number_of(len(self.observed.classes), "positive class")
        return f"<PositiveUnlabeled: {self.observed.n} examples, {columns}>"

    def bounds(
        self,
        measure: str | Measure,
        average: str | None = None,
        *,
        propensity: tuple[Any, Any] | None = None,
        prior: tuple[Any, Any] | None = None,
        undefined: Undefined = "exclude",
    ) -> Bounds:
        """Return the lowest and the highest value over an interval of propensities or priors.

        A propensity is the same for all classes. The ends are exact. The four counts are linear in 1/c. So a ratio of two
        linear forms in them (precision, accuracy, F, Jaccard, …) of one unit is monotone, and its bounds are its values at the
        ends. For other measures, and for means over units, extrema are searched inside the interval. Values that would make a
        count negative are cut off the interval, and the result says so.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis. Optional where there is a positive class.
        propensity : pair of numbers, optional
            The lowest and the highest share of the positives that are labeled.
        prior : pair of numbers, optional
            The lowest and the highest share of the examples that are positive. Give one of the two.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Bounds
            ``.low`` and ``.high``, and where they are reached.

        Examples
        --------
        >>> import indicatrix as ix
        >>> pu = ix.tasks.positive_unlabeled([1, 1, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 0])
        >>> print(pu.bounds("precision", propensity=(0.2, 0.8)))
        precision between 0.416667 and 1 for a propensity in [0.333333, 0.8], cut from [0.2, 0.8], where counts are negative
        """
        name, value = one_of(propensity, prior)
        found = find(measure)
        _check_axes(average or next(iter(found.averages), None))
        given = read_interval(value, name)
        low, high = cut(self.observed.tally, name, given)
        ends = [
            (as_exact_float(x), self.at(**{name: x}).score(found, average, undefined=undefined))
            for x in dict.fromkeys((low, high))
        ]
        most, fewer = ends[0 if name == "propensity" else -1], 1 - float(low / high)
        place = (lambda r: float(most[0]) / (1 - r)) if name == "propensity" else (lambda r: float(most[0]) * (1 - r))
        inside = inside_of(most[1], fewer, place) if low < high else []
        reached = [(x, *reach(s.values, s.weights, s.undefined)) for x, s in ends] + inside
        bottom = extreme([(x, v) for x, v, _ in reached], len(ends), 1)
        top = extreme([(x, v) for x, _, v in reached], len(ends), -1)
        how = ends[0][1].average
        what = str(found) if find_average(how).pools else f"{how} {found}"
        used, asked = (float(low), float(high)), (float(given[0]), float(given[1]))
        return Bounds(bottom[1], top[1], bottom[0], top[0], what=what, parameter=name, interval=used, given=asked)


@answers_mistakes
@dataclass(frozen=True)
class Bounds:
    """The lowest and highest value of a score over an interval of a parameter, and their places.

    They are nan if the score is never defined.

    Attributes
    ----------
    low, high : float
        The lowest and the highest value.
    at_low, at_high : number or table
        Where they are reached; a fraction if it is an end that is not exact as a float, a table of error rates of labels.
    what : str
        The score.
    parameter : str
        "propensity", "prior" or "rate of wrong labels".
    interval : tuple of float
        The possible part of the interval, where values were computed.
    given : tuple of float
        The given interval, which may be partly impossible.
    """

    low: float
    high: float
    at_low: Any  # a fraction if it is an end that is not exact as a float
    at_high: Any
    what: str = ""
    parameter: str = ""
    interval: tuple[float, float] = (math.nan, math.nan)  # the possible part, where values were computed
    given: tuple[float, float] = (math.nan, math.nan)  # the given interval, which may be partly impossible

    def __str__(self) -> str:
        text = f"{self.what} between {self.low:.6g} and {self.high:.6g} for a {self.parameter} in {interval_text(self.interval)}"
        return text if self.interval == self.given else f"{text}, cut from {interval_text(self.given)}, where counts are negative"


@lru_cache(maxsize=512)
def reads_confirmed_only(measure: Measure) -> bool:
    """Return whether a measure reads only confirmed positives: exactly, by trial.

    Its value then stays the same when tp and fn are multiplied by one factor and fp and tn are replaced.

    >>> import indicatrix as ix
    >>> reads_confirmed_only(ix.recall), reads_confirmed_only(ix.precision), reads_confirmed_only(ix.measure("tp + fn"))
    (True, False, False)
    """
    value = exactly(measure)
    for i, (v, other) in enumerate(zip(count_vectors(48, seed=5), count_vectors(48, seed=6), strict=True)):
        there, here = value(*v), value(v[0] * Fraction(i + 1, 7), other[1], v[2] * Fraction(i + 1, 7), other[3])
        if is_defined(there) != is_defined(here) or (is_defined(there) and order(there, here)):
            return False
    return True


def _check_no_gaps(labeled: Any, options: Mapping[str, Any]) -> Any:
    """Return the labels; a missing one is an error, because unlabeled examples are not left out."""
    form = read(labeled, "labeled")
    if isinstance(form, Labels):
        form = factorize(form, "labeled")
        absent = missing_rows(form)
        labeled = labeled if form.categories is None else form
    else:
        absent = np.isnan(form.values) if isinstance(form, Table) and form.values.dtype.kind == "f" else None
    if absent is not None and absent.any() and check_missing(options.get("missing", "error"))[0] != "mask":
        words = isinstance(form, Labels) and family(form, "labeled") not in ("number", None)
        raise ValueError(
            f"labeled[{', '.join(map(str, np.argwhere(absent)[0].tolist()))}] is missing. Give "
            f"{'another label than positive=' if words else '0 or False'} where an example is unlabeled; missing='mask' would "
            "leave it out, and the unlabeled examples are needed."
        )
    return labeled


def _value_text(x: float) -> str:
    return "is undefined" if math.isnan(x) else f"{x:.3f}"


def _check_crisp(labeled: Any) -> None:
    form = read(labeled, "labeled")
    values = form.values if isinstance(form, Table) else np.zeros((0, 0))
    odd = np.argwhere((values != 0) & (values != 1))
    if len(odd):
        at = tuple(map(int, odd[0]))
        raise ValueError(f"labeled[{at[0]}, {at[1]}] is {values[at]!s}: an example is labeled (1) or not (0). Give 0 or 1.")


def _one_column(tally: Tally, positive: Any) -> Tally:
    """Return the counts of the positive class alone.

    Other labels only say that an example is not known to be positive.
    """
    at = tally.classes.index(positive) if positive in tally.classes else None
    parts = {}
    for key, part in tally.parts.items():
        rows, times = part.rows()
        seen = sum(times[rows.sum(axis=0) > 0].tolist())
        tp, fp, fn, tn = (0, 0, 0, seen) if at is None else part.cells()[:, at].tolist()
        table = tidy(np.array([[tp, fn], [fp, tn]], object))
        parts[key] = CrossTable(table, sum(times.tolist()) - (tp + fp + fn + tn))
    name = positive if at is None else tally.classes[at]
    return tally.with_parts(parts, classes=(name,), open=False).without_pairs()


def _check_axes(average: str | None) -> None:
    if isinstance(average, str) and "example" in find_average(average).per:
        known = ", ".join(repr(name) for name, rule in AVERAGES.items() if rule.per in ((), ("class",)))
        raise ValueError(
            f"average={ALIASES.get(average, average)!r} is unknown for positive-unlabeled data: sums over examples shrink by "
            f"the propensity, but the counts of one example do not. Use {known} or a by axis."
        )


def weights_keep_proportions(measure: Measure, rule: Average) -> bool:
    """Return whether observed and true weights differ only by one factor: by trial.

    Observed weights are those of unlabeled data; true weights are those of the true labels.

    >>> import indicatrix as ix
    >>> negatives = Average(("class",), ix.measure("fp + tn"))
    >>> weights_keep_proportions(ix.recall, find_average("weighted")), weights_keep_proportions(ix.recall, negatives)
    (True, False)
    """
    if rule.weight is None:
        return True
    for c in (Fraction(1, 2), Fraction(4, 5)):
        shown = np.array([[2, 40, 3, 50], [5, 60, 1, 30], [4, 70, 9, 20]], object).T
        true = correct_counts(shown, np.array([1 / c] * 3, object))
        both = [as_weight(rule.amounts(measure, Counts(*cells.astype(np.float64)))) for cells in (shown, true)]
        if not np.allclose(both[0] * both[1].sum(), both[1] * both[0].sum(), rtol=1e-9, atol=0):
            return False
    return True
