"""Best: the thresholds at which a measure is best, exactly; and how people read them.

Also how far they may move without a change (sec:consistency). They are shown in words, and in the tables of a notebook.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.average import lacking_axis
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import SIGNS, needed_direction
from ...algebra.measure import Measure
from ...algebra.source_score import OfferedAverages
from ...ranking.ranked import Ranked
from ...words.call_mistakes import answers_mistakes
from .formula_operands import affine_values, exact_quotients

BLOCK = 1 << 16  # thresholds at a time
NEAR = 1e-9  # values closer than this to the best are compared again, in fractions
MANY = 256  # this many are compared by integers, where a measure is a quotient of linear forms
SAMPLE = 16  # of many thresholds, this many tell whether a formula that is more than arithmetic is rational
ROUNDED = 1e-13  # values that are not fractions are equal if they differ by at most this

MOVING = "its weights read what is predicted, so they change with the thresholds, and the best are found with weights that stay."

Plateau = tuple[float, float]  # thresholds t with low < t <= high


@answers_mistakes
@dataclass(frozen=True)
class Best:
    """The best value of a measure over all thresholds, and the thresholds that give it.

    Every threshold t with low < t <= high gives ``value``; ``plateaus`` are all such intervals, the highest first, and the
    one in ``low`` and ``high`` is the widest. A score >= threshold is predicted positive.

    Attributes
    ----------
    measure : Measure
        What was maximized, or minimized where lower is better.
    value : float
        The best value; nan, like the thresholds, where the measure is undefined at every threshold.
    threshold : float
        The highest of the plateau: a score that occurs, or +inf where nothing is predicted positive.
    low, high : float
        The ends of the widest plateau.
    plateaus : tuple of Plateau
        All intervals of best thresholds.
    counts : Counts or None
        The counts at the threshold; None if the value is nan, and for a mean over examples.
    subject_to : tuple of Constraint
        What the thresholds had to meet; empty if nothing.
    allowed : tuple of Plateau or None
        All intervals of thresholds that meet the constraints; None without constraints.
    note : str
        Why there is no such threshold; empty if there is one.
    """

    measure: Measure
    value: float  # nan, like the thresholds, where the measure is undefined at every threshold
    threshold: float  # the highest of the plateau: a score that occurs, or +inf where nothing is predicted positive
    low: float
    high: float
    plateaus: tuple[Plateau, ...]
    counts: Counts | None  # at the threshold; None if value is nan, and for a mean over examples
    subject_to: tuple[Any, ...] = ()  # constraints that the thresholds meet
    allowed: tuple[Plateau, ...] | None = None  # all intervals of thresholds that meet them; None without constraints
    note: str = ""  # why no threshold meets them

    @property
    def reached(self) -> dict[str, float]:
        """What each constraint limits at the threshold, such as {"recall >= 0.9": 0.95}."""
        return {} if self.counts is None else {str(c): float(c.measure.values(self.counts)) for c in self.subject_to}

    @property
    def rule(self) -> float:
        """The threshold as evaluate's ``decide=`` takes it; where the measure is undefined everywhere, +inf.

        Where no threshold meets the constraints, it is an error.
        """
        if self.note:
            raise ValueError(f"{self.note} So there is no rule; loosen the constraint.")
        return math.inf if math.isnan(self.threshold) else self.threshold

    def __str__(self) -> str:
        if self.note or math.isnan(self.value):
            return self.note or f"{self.measure} is undefined at every threshold."
        met = f"; {met_in_words(self.reached)}" if self.reached else ""
        where = f"at the threshold {self.threshold:.6g}, as good as any in {plateau_in_words(self.low, self.high)}"
        return f"{self.measure} = {self.value:.6g} {where}{met}"

    def _repr_html_(self) -> str:
        return best_html(self)


@dataclass(frozen=True)
class BestPerClass:
    """The best value of a measure for each class alone, and the mean of these values.

    There is a threshold for each class.
    """

    measure: Measure
    average: str
    value: float  # the mean of the values under the average, without those of classes that have none
    bests: Mapping[Any, Best]

    @property
    def thresholds(self) -> dict[Any, float]:
        """The threshold of each class."""
        return {unit: best.threshold for unit, best in self.bests.items()}

    @property
    def note(self) -> str:
        """Which classes have no threshold that meets the constraints, and why; empty if all have one."""
        return " ".join(f"{unit!r}: {best.note}" for unit, best in self.bests.items() if best.note)

    @property
    def rule(self) -> Array:
        """The thresholds in the order of the columns, as evaluate's ``decide=`` takes them.

        Where a class has no threshold that meets the constraints, it is an error.
        """
        if self.note:
            raise ValueError(f"{self.note} So there is no rule for all classes; loosen the constraint.")
        return np.array([best.rule for best in self.bests.values()])

    def __str__(self) -> str:
        head = f"{self.average} {self.measure} = {self.value:.6g}, each class at its own threshold"
        return "\n".join([head, *(f"  {unit}: {best}" for unit, best in self.bests.items())])

    def _repr_html_(self) -> str:
        return best_per_class_html(self)


def averages_of_best(measure: Measure) -> OfferedAverages:
    """Return the averages that are best where every unit is best.

    Their weights are the same at all thresholds.

    >>> import indicatrix as ix
    >>> averages_of_best(ix.f1).rows, averages_of_best(ix.recall).rows
    (('micro', 'macro', 'weighted', 'exemplar'), ('micro', 'macro', 'weighted', 'denominator', 'exemplar'))
    """
    return OfferedAverages(measure, BestValues(measure))


@dataclass(frozen=True, eq=False)
class BestValues:
    """The best values of a measure over thresholds, as a source; no weight may move with the threshold."""

    measure: Measure
    axes: tuple[str, ...] = ()

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units, or no such weights of them; "" if there are."""
        if positive:
            return "there is no positive class."
        if measure is self.measure:
            return lacking_axis(per, ("class", "example"))
        return MOVING if moves_with_thresholds(measure) else ""


# Three units, each with the same four predictions: positives and negatives, then those of them that are predicted positive.
_ACTUAL, _DECIDED = ((7, 12), (30, 11), (8, 9)), ((2, 5), (3, 1), (6, 2), (1, 7))
_FOUR = [(tp, fp, positives - tp, negatives - fp) for positives, negatives in _ACTUAL for tp, fp in _DECIDED]
_TRIALS = Counts(*np.array(_FOUR, np.float64).T, per=("class",), names=(tuple(range(len(_FOUR))),))


def moves_with_thresholds(weight: Measure) -> bool:
    """Return whether a weight reads decisions, by a trial in which only these change.

    >>> import indicatrix as ix
    >>> [moves_with_thresholds(m.own_denominator) for m in (ix.recall, ix.precision)]
    [False, True]
    """
    found = np.broadcast_to(weight.values(_TRIALS), _TRIALS.tp.shape).reshape(len(_ACTUAL), -1)
    return not np.isclose(found, found[:, :1], rtol=1e-9, atol=0, equal_nan=True).all()


def values_of(measure: Measure, ranking: Ranked) -> Array:
    """Return a measure at every threshold of a ranking, in floating point.

    It is computed by sums of two counts, or by arrays of four.

    >>> import indicatrix as ix
    >>> values_of(ix.f1, ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).of()).round(2).tolist()
    [0.0, 0.67, 1.0, 0.8]
    """
    values = affine_values(measure, ranking)
    return applied_values(measure, ranking) if values is None else values


def applied_values(measure: Measure, ranking: Ranked) -> Array:
    """Return a measure at every threshold of a ranking by its formula of arrays.

    This works for every formula.
    """
    four = ranking.floats
    values = np.empty(len(four[0]))
    for start in range(0, len(values), BLOCK):  # what a formula writes down on the way stays small
        values[start : start + BLOCK] = measure.values(Counts(*(x[start : start + BLOCK] for x in four), bound=ranking.n))
    return values


def best_of(measure: Measure, ranking: Ranked, met: Array | None = None) -> Best:
    """Return the best value of a measure over all thresholds of a ranking, or over some of them.

    Undefined and infinite values are left out. ``met`` says which thresholds may be chosen; None: all.

    >>> import indicatrix as ix
    >>> best = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).best("f1")
    >>> best.value, best.low, best.high
    (0.8, 0.1, 0.35)
    """
    sign = SIGNS[needed_direction(measure)]
    if met is None and isinstance(ranking, Ranked):  # not in bins
        ranking = ranking.near_best(measure, sign, 2 * NEAR)
    thresholds = ranking.thresholds  # first: the order of all scores, which the values then need not find again
    values = sign * values_of(measure, ranking)
    values[~np.isfinite(values)] = -np.inf
    if len(thresholds) > 1 and thresholds[1] == np.inf:  # no threshold lies above such a score
        values[0] = -np.inf
    if met is not None:
        values[~met] = -np.inf
    top = values.max()
    if top == -np.inf:
        return Best(measure, np.nan, np.nan, np.nan, np.nan, (), None)
    near = np.flatnonzero(values >= top - NEAR * max(1.0, abs(top)))
    chosen = _exactly_best(measure, ranking, near, sign)
    plateaus, (low, high) = plateaus_of(chosen, thresholds, lower_ends(ranking))
    counts = ranking.counts_at(ranking.count_reaching(high))
    return Best(measure, float(measure.values(counts)), high, low, high, plateaus, counts)


def lower_ends(ranking: Any) -> Array:
    """Return down to where the counts of each threshold hold: to the next score, or the next bin."""
    return np.append(ranking.highest, -np.inf)


def intervals_of(chosen: Array, thresholds: Array, lows: Array) -> tuple[Plateau, ...]:
    """Return the intervals low < t <= high of the chosen thresholds, the highest first.

    >>> thresholds = np.array([np.inf, 0.9, 0.8, 0.4, 0.1])
    >>> intervals_of(np.array([1, 3, 4]), thresholds, np.append(thresholds[1:], -np.inf))
    ((0.8, 0.9), (-inf, 0.4))
    """
    if not len(chosen):
        return ()
    apart = (np.diff(chosen) > 1) | (lows[chosen[:-1]] != thresholds[np.minimum(chosen[:-1] + 1, len(thresholds) - 1)])
    gaps = np.flatnonzero(apart)
    ends = lows[chosen[np.append(gaps, -1)]], thresholds[chosen[np.append(0, gaps + 1)]]
    return tuple(zip(*(x.tolist() for x in ends), strict=True))


def plateaus_of(chosen: Array, thresholds: Array, lows: Array | None = None) -> tuple[tuple[Plateau, ...], Plateau]:
    """Return the intervals low < t <= high of the chosen thresholds, and the widest interval.

    The highest interval comes first. ``lows`` is where the interval of each threshold ends; None: at the next threshold.

    >>> plateaus_of(np.array([1, 3, 4]), np.array([np.inf, 0.9, 0.8, 0.4, 0.1]))
    (((0.8, 0.9), (-inf, 0.4)), (-inf, 0.4))
    """
    plateaus = intervals_of(chosen, thresholds, np.append(thresholds[1:], -np.inf) if lows is None else lows)
    ends = np.array(plateaus).T
    inner = np.clip(ends, *(thresholds[[-1, 1]] if len(thresholds) > 1 else (0, 0)))  # within the range of the scores
    with quiet():  # inf - inf is nan: such an interval has no width
        widest = int(np.nan_to_num(inner[1] - inner[0]).argmax())
    return plateaus, plateaus[widest]


def _exactly_best(measure: Measure, ranking: Ranked, near: Array, sign: int) -> Array:
    """Return which thresholds are best when no digit is lost.

    Sums of weights are rounded: of these, values that are very near count as equal.
    """
    if len(near) == 1:
        return near
    if len(near) > MANY and not ranking.weighted and measure.decomposition is not None:
        return _best_quotients(measure.decomposition, ranking, near, sign)
    if len(near) > MANY and ranking.weighted:  # fractions of rounded sums would be slow, and no more exact
        return _nearly_best(sign * np.asarray(measure.values(ranking.counts_at(near))), near)
    if len(near) > MANY:
        exactly = exact_quotients(measure, ranking.counts_at(near))
        if exactly is not None:
            return _leaders(sign * exactly[0], exactly[1], near)
        some = near[np.linspace(0, len(near) - 1, SAMPLE).astype(np.intp)].tolist()
        if any(isinstance(measure(Counts(*map(Fraction, ranking.counts_at(k)))), float) for k in some):  # irrational
            return _nearly_best(sign * np.asarray(measure.values(ranking.counts_at(near))), near)
    exact: list[Any] = [measure(Counts(*map(Fraction, ranking.counts_at(k)))) for k in near.tolist()]
    if not ranking.weighted and all(isinstance(v, Fraction | int) for v in exact):
        top = max(sign * v for v in exact)
        return np.array([k for k, v in zip(near.tolist(), exact, strict=True) if sign * v == top])
    return _nearly_best(sign * np.array([float(v) for v in exact]), near)


def _nearly_best(values: Array, near: Array) -> Array:
    """Return which thresholds have the highest value, up to rounding."""
    values[~np.isfinite(values)] = -np.inf
    top = values.max()
    return np.asarray(near[values >= top - ROUNDED * max(1.0, abs(top))])


def _best_quotients(coefficients: tuple[Any, Any], ranking: Ranked, near: Array, sign: int) -> Array:
    """Return which thresholds are best for a quotient <a, v>/<b, v>.

    Products of integers compare many thresholds at once.
    """
    unit = math.lcm(*(Fraction(c).denominator for c in (*coefficients[0], *coefficients[1])))
    a, b = ([int(c * unit) for c in side] for side in coefficients)
    tp, fp = ranking.tp[near], ranking.fp[near]
    if (max(map(abs, (*a, *b))) * ranking.n) ** 2 >= 2**61:
        tp, fp = tp.astype(object), fp.astype(object)  # Python integers do not overflow
    four = (tp, fp, ranking.tpos - tp, ranking.tneg - fp)
    above, below = (sum(c * x for c, x in zip(side, four, strict=True)) for side in (a, b))
    return _leaders(sign * above * np.sign(below), abs(below), near)


def _leaders(above: Array, below: Array, near: Array) -> Array:
    """Return the thresholds of the largest quotients; denominators are not negative."""
    leader = 0
    while True:
        ahead = above * below[leader] - above[leader] * below
        leader = int(np.argmax(ahead))
        if ahead[leader] == 0:
            return np.asarray(near[np.asarray(ahead == 0, bool)])


POSITIVE = "A score of at least the threshold is predicted positive."


def met_in_words(reached: Mapping[str, float]) -> str:
    """Return constraints with what they limit at a threshold.

    >>> met_in_words({"recall >= 0.9": 0.95, "fpr <= 0.1": 0.0625})
    'recall >= 0.9 (it is 0.95) and fpr <= 0.1 (it is 0.0625)'
    """
    return " and ".join(f"{constraint} (it is {value:.6g})" for constraint, value in reached.items())


def plateau_in_words(low: float, high: float) -> str:
    """Return an interval of thresholds, open below.

    >>> plateau_in_words(0.1, 0.35)
    '(0.1, 0.35]'
    """
    return f"({low:.6g}, {high:.6g}]"


def tuned_html(tuned: Any, title: str) -> str:
    """Return a tuned rule: how it was chosen, a row for each threshold, what t* would lose."""
    first = "class" if len(tuned.choices) > 1 else "positive class" if tuned.average is None else "average"
    names = (first, *map(str, tuned.subject_to))
    closed = any(choice.closed_form is not None for choice in tuned.choices)
    rows = [
        (*_row(c.unit, c.threshold, c.value, c.reached, c.plateau), *([_threshold(c.closed_form)] if closed else ()))
        for c in tuned.choices
    ]
    told = [c for c in tuned.choices if c.closed_form is not None and not math.isnan(c.lost)]
    lost = [f"{c.unit}: t* loses {c.lost:.3g} here; {c.calibration}." for c in told]
    return _html(title, str(tuned.measure), names, rows, [POSITIVE, *lost], more=["t*"] if closed else [])


def best_html(best: Any) -> str:
    """Return the best value with its threshold, or why there is none."""
    if math.isnan(best.value):
        return _html(str(best))
    rows = [_row("", best.threshold, best.value, best.reached, (best.low, best.high))]
    title = f"{best.measure} = {best.value:.6g}, the best of all thresholds{_that_meet(best.subject_to)}."
    return _html(title, str(best.measure), ("", *best.reached), rows, [POSITIVE])


def best_per_class_html(best: Any) -> str:
    """Return the mean of the best values, and a row for the threshold of each class."""
    constraints = next((b.subject_to for b in best.bests.values()), ())
    rows = []
    for unit, b in best.bests.items():
        reached = b.reached or dict.fromkeys(map(str, constraints), math.nan)
        rows.append(_row(unit, b.threshold, b.value, reached, (b.low, b.high)))
    title = (
        f"{best.average} {best.measure} = {best.value:.6g}, each class at the best of its thresholds{_that_meet(constraints)}."
    )
    return _html(title, str(best.measure), ("class", *map(str, constraints)), rows, [POSITIVE, best.note])


def _that_meet(constraints: Sequence[Any]) -> str:
    return f" that meet {' and '.join(map(str, constraints))}" if constraints else ""


def _row(
    unit: Any, threshold: float, value: float, reached: Mapping[str, float], plateau: tuple[float, float]
) -> tuple[Any, ...]:
    from ...report.table_forms import Label

    as_good = "–" if math.isnan(plateau[0]) else plateau_in_words(*plateau)
    return (Label(unit) if unit != "" else "", _threshold(threshold), float(value), *map(float, reached.values()), as_good)


def _threshold(x: float | None) -> str:
    """Return a threshold with six digits, because three decimals would change it."""
    return "–" if x is None or math.isnan(x) else f"{x:.6g}"


def _html(
    title: str,
    measure: str = "",
    names: Sequence[str] = (),  # of the first column, then of the constraints
    rows: Sequence[Sequence[Any]] = (),
    said: Iterable[str] = (),
    *,
    more: Sequence[str] = (),
) -> str:
    from ...report.notebook import fragment, paragraphs, scrolling_box
    from ...report.table_forms import Table

    if not rows:
        return fragment([paragraphs([title])])
    table = Table((names[0], "threshold", measure, *names[1:], "as good as any in", *more), rows)
    return fragment([paragraphs([title]), scrolling_box(table), paragraphs(said)])
