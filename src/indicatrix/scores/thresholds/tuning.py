"""Thresholds from data: the best on these scores, and the closed form (sec:exp_threshold).

The closed form is for calibrated scores.

An exemplar average at every threshold that all labels share.

The value of an example changes only when the threshold passes one of its scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight, quiet
from ...algebra.average import BINARY, Average, evaluate_labels, find_average
from ...algebra.counts import Counts, undecided_counts
from ...algebra.derived.derived_facts import SIGNS, directed, needed_direction
from ...algebra.formula import parse
from ...algebra.measure import Measure
from ...algebra.measure_names import find, split_score
from ...algebra.numbers.functions import ratio
from ...encode.vocabulary import check_classes
from ...ranking.ranked import rank_scores
from ...theory.formula.closed_thresholds import BayesThreshold, bayes_threshold
from ...words.call_mistakes import answers_mistakes
from ..score_input import SweepInput, check_options, read_rows
from ..sweep_rows import SweepRows
from .best_thresholds import Best, Plateau, averages_of_best, plateaus_of
from .constraints import Constraint, best_within, read_constraints
from .tuned_rule import Calibration, Choice, Tuned, check_calibration

METHODS = ("auto", "sweep", "closed form")
OPTIONS = ("classes", "positive", "sample_weight", "mask", "missing")
HINTS = {
    "zero_division": "thresholds at which the measure is undefined are left out",
    "undefined": "thresholds at which the measure is undefined are left out",
    "decide": "it finds the rule that evaluate and measures take as decide=",
}


@answers_mistakes
def tune(
    y_true: Any,
    scores: Any,
    measure: str | Measure,
    average: str | None = None,
    *,
    method: str = "auto",
    one_vs_all: bool = False,
    subject_to: str | Iterable[str] | None = None,
    better: str | None = None,
    **options: Any,
) -> Tuned:
    """Return the threshold at which a measure is best on these scores.

    The result has ``.rule``, for ``decide=``: one threshold, or one per class. A score >= threshold is predicted positive.

    Parameters
    ----------
    y_true : array-like
        Labels: 0 and 1 for one column of scores, or as many columns or classes as there are scores for each example.
    scores : array-like
        One number for each label, higher for what is more likely positive. The threshold is chosen on these data, and
        ``.value`` is the score of the rule on the same data, so it is optimistic: evaluate the rule on other data.
    measure : str or Measure
        The measure to optimize: its highest value, or its lowest where lower is better.
    average : str, optional
        "micro" and "exemplar" share one threshold among all labels. Averages over classes, such as "macro" and "weighted",
        have one per class, each at its own best defined value, because leaving a class undefined is not a way to improve.
        Their weights must not depend on what is predicted. Not needed for one column of scores.
    method : str, default 'auto'
        "sweep" compares all thresholds that make a difference: each score that occurs, and +inf, where nothing is predicted
        positive. "closed form" takes t*, which is best in the population if scores are calibrated probabilities; it exists
        for accuracy, net benefit, costs, balanced accuracy and all that are linear in tp and fp, not for F1. It may depend on
        the prevalence, which is read from these data. "auto" takes t* where it exists and the
        scores pass as calibrated, and the sweep otherwise: on new data the threshold that fits these best may be the worse one.
        ``.method`` says which it was; t* and what it loses here are reported in any case.
    one_vs_all : bool, default False
        With one label per example and a column of scores per class the best decision is argmax, not a threshold.
        True says that the columns are separate classifiers.
    subject_to : str or iterable of str, optional
        What the thresholds have to meet, as in "precision >= 0.9 and fpr <= 0.1". It needs the sweep, because t* knows no
        constraint; each class meets it by itself. Where no threshold meets it, it is an error that says why.
    better : str, optional
        "higher" or "lower", for a measure that does not say itself which of its values are better.
    **options
        classes, positive, sample_weight, mask and missing, as ``sweep`` takes them. There is no by=.

    Returns
    -------
    Tuned
        ``.rule`` for ``decide=``, ``.value`` on these data, and what theory says of the threshold. Ties: without weights,
        values are compared as exact numbers where they are rational; otherwise those within 1e-13 of the best count as equal.
        Neighboring thresholds that are best form a plateau, low < t <= high. The sweep returns the
        highest threshold of the widest plateau, a score that occurs, and of equally wide plateaus the highest one; widths are
        measured within the range of the scores. ``.choices`` has all plateaus. Undefined and infinite values are left out; where
        the measure is undefined at every threshold, the rule is +inf.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> best = ix.tune(y, p, "f1")
    >>> best.rule, best.value, best.plateau, ix.f1(y, p, decide=best.rule)
    (0.3, 0.8571428571428571, (0.2, 0.3), 0.8571428571428571)
    """
    measure, average = split_score(measure, average)
    found = directed(find(measure), better)
    _check(found, method, options)
    if options.get("classes") is not None:
        options["classes"] = check_classes(options["classes"])  # read twice
    door = read_rows(y_true, scores, **options)
    average, rule = _find_average(found, door, average, one_vs_all)
    each = "class" in rule.per  # a threshold for each class, or one for all
    bayes, constraints = _closed_form(found), read_constraints(subject_to)
    _check_constraints(constraints, method, rule)
    drafts = _drafts(found, door, (average, rule), bayes, constraints)
    stars = [draft.closed_form for draft in drafts]
    if method == "closed form":
        _check_closed(found, drafts, bayes)

    def at(thresholds: list[Any]) -> tuple[Any, Array]:
        ev = evaluate_labels(y_true, door.scores, decide=thresholds if each else thresholds[0], **options)
        return ev, np.asarray(ev.values(found)) if each else np.array([float(ev.score(found, average))])

    swept, best = at([draft.threshold for draft in drafts])
    exact, star = at(stars) if None not in stars else (swept, np.full(len(drafts), math.nan))
    lost = (best - star) * SIGNS[found.better]
    calibrated = all(draft.calibration.passed for draft in drafts)
    closed = None not in stars and (method == "closed form" or (method == "auto" and calibrated))
    choices = tuple(_choice(*draft_and_values, closed) for draft_and_values in zip(drafts, best, star, lost, strict=True))
    ev = exact if closed else swept
    return Tuned(found, average, "closed form" if closed else "sweep", choices, ev.score(found, average), ev, constraints)


@dataclass(frozen=True, eq=False)
class _Draft:
    """What the data and the theory say of one threshold."""

    unit: Any
    threshold: float  # the best on the data
    plateaus: tuple[Plateau, ...]
    plateau: Plateau
    closed_form: float | None
    calibration: Calibration
    reached: Mapping[str, float]  # what each constraint limits, at the threshold


def _choice(draft: _Draft, best: float, star: float, lost: float, closed: bool) -> Choice:
    t = draft.closed_form
    threshold, value = (draft.threshold, best) if t is None or not closed else (t, star)
    given = (draft.plateaus, draft.plateau, t, None if t is None else float(lost), draft.calibration, draft.reached)
    return Choice(draft.unit, threshold, float(value), *given)


def _drafts(
    measure: Measure,
    door: SweepInput,
    chosen: tuple[str | None, Average],
    bayes: BayesThreshold,
    constraints: tuple[Constraint, ...] = (),
) -> list[_Draft]:
    """Return one draft for each threshold that is to be chosen."""
    rows, (average, rule) = door.rows, chosen
    right = any(find_average(name).per == rule.per for name in bayes.averages)
    each = "class" in rule.per
    cells = [rows.column(j) for j in range(len(door.units))] if each else [rows.cells()]
    names = door.units if each else (average or door.positive,)
    drafts = []
    for unit, (scores, positive, weights) in zip(names, cells, strict=True):
        if "example" in rule.per:
            best = best_shared(measure, _weight_examples(measure, rule, rows))
        else:
            best = best_within(measure, rank_scores(scores, positive, weights), constraints)
        star = _at_prevalence(bayes, positive, weights) if right and not constraints else None
        calibration = check_calibration(scores, positive, weights)
        drafts.append(_Draft(unit, best.rule, best.plateaus, (best.low, best.high), star, calibration, best.reached))
    return drafts


def _check_constraints(constraints: tuple[Constraint, ...], method: str, rule: Average) -> None:
    if constraints and method == "closed form":
        raise ValueError("The closed form knows no constraint. Leave out subject_to=, or use method='sweep'.")
    if constraints and "example" in rule.per:
        raise ValueError("subject_to= limits a measure of all entries or of one class, and a mean over examples has neither.")


def _weight_examples(measure: Measure, rule: Average, rows: SweepRows) -> SweepRows:
    """Return rows with the weights that an average gives to examples, times those they have."""
    truth = rows.truth()
    seen = np.broadcast_to(True if rows.mask is None else rows.mask, truth.shape)
    sums = ((truth & seen).sum(axis=1), (~truth & seen).sum(axis=1))
    weights = rule.weights(measure, undecided_counts(*sums, per=rule.per, names=(tuple(range(rows.n)),)))
    return replace(rows, weights=_product(weights, rows.weights))


def _check(measure: Measure, method: str, options: dict[str, Any]) -> None:
    if method not in METHODS:
        raise ValueError(f"method={method!r} is unknown. Use {', '.join(map(repr, METHODS[:-1]))} or {METHODS[-1]!r}.")
    if "by" in options:
        raise ValueError("by= makes groups, but a rule is for all examples. Tune on the rows of each group for one rule each.")
    check_options("tune", options, OPTIONS, elsewhere=HINTS)


def _find_average(measure: Measure, door: SweepInput, average: str | None, one_vs_all: bool) -> tuple[str | None, Average]:
    """Return the average that is meant.

    It is refused where thresholds do not make the best decisions or mean nothing.
    """
    if door.kind == "multiclass" and not one_vs_all:
        one = door.units[0] if door.positive is None else door.positive
        raise ValueError(
            "With one label per example and a column of scores per class, the best decision is decide='argmax', not a threshold. "
            "Pass one_vs_all=True if each column is a classifier of its own. For one class against the rest, tune its column: "
            f"ix.tune(np.asarray(y_true) == {one!r}, scores[:, {door.units.index(one)}], {str(measure)!r})."
        )
    possible = averages_of_best(measure)
    if average is None and len(door.units) > 1:
        each = {name: "class" in find_average(name).per for name in possible.rows}
        one, several = (" or ".join(repr(name) for name in each if each[name] is per_class) for per_class in (False, True))
        raise ValueError(f"Name an average: {one} for one threshold, {several} for one per class.")
    name, rule = (None, find_average(BINARY)) if average is None else possible.find(average)
    if average is not None and door.kind == "binary":
        raise ValueError(f"average={average!r} says nothing about one score per example. Leave it out.")
    if measure.averages and name not in measure.averages:
        raise ValueError(f"{measure} exists only as average={measure.averages[0]!r}.")
    return name, rule


def _check_closed(measure: Measure, drafts: list[_Draft], bayes: BayesThreshold) -> None:
    for draft in drafts:
        if draft.closed_form is None:
            why = bayes.evidence.note if bayes.value is None else f"t* = {bayes.value} is for {' and '.join(bayes.averages)} only"
            raise ValueError(f"{measure} has no closed form here: {why}.")
        if draft.calibration.mass and math.isnan(draft.calibration.p_value):
            raise ValueError(
                f"The closed form is a threshold on probabilities, but the scores of {draft.unit!r} are not all in [0, 1]. "
                "Turn them into calibrated probabilities, or use method='sweep'."
            )


@lru_cache(maxsize=128)
def _closed_form(measure: Measure) -> BayesThreshold:
    return bayes_threshold(measure)


def _at_prevalence(bayes: BayesThreshold, positive: Array, weights: Array | None) -> float | None:
    """Return the closed form on these data, whose prevalence it may depend on; None without examples."""
    if bayes.value is None or isinstance(bayes.value, Fraction):
        return None if bayes.value is None else float(bayes.value)
    w = np.ones(len(positive)) if weights is None else weights
    total = float(w.sum())
    if not total:
        return None
    prevalence = Fraction(float(w[positive].sum())) / Fraction(total)
    formula = parse(bayes.value, ("prevalence",))
    return float(formula(*[Fraction(0)] * 4, **({"prevalence": prevalence} if formula.parameters else {})))


def _product(weights: Any, amounts: Any) -> Any:
    """Return the weights of units that also stand for different amounts; None stands for equal weights."""
    if weights is None or amounts is None:
        return amounts if weights is None else weights
    return as_weight(weights) * as_weight(amounts)


BLOCK = 1 << 20  # entries whose values are computed at a time
ROUNDED = 1e-12  # values that differ by no more are equal: they are sums of many differences


def best_shared(measure: Measure, rows: SweepRows) -> Best:
    """Return the threshold for all labels at which the exemplar average is best."""
    thresholds, values = exemplar_values(measure, rows)
    sign = SIGNS[needed_direction(measure)]
    values *= sign
    if len(thresholds) > 1 and thresholds[1] == np.inf:
        values[0] = np.nan  # no threshold lies above such a score
    if np.isnan(values).all():
        return Best(measure, math.nan, math.nan, math.nan, math.nan, (), None)
    top = float(np.nanmax(values))
    chosen = np.flatnonzero(values >= top - ROUNDED * max(1.0, abs(top)))
    plateaus, (low, high) = plateaus_of(chosen, thresholds)
    return Best(measure, sign * top, high, low, high, plateaus, None)


def exemplar_values(measure: Measure, rows: SweepRows) -> tuple[Array, Array]:
    """Return all thresholds, from +inf down, and the exemplar average at each.

    Examples where the measure is undefined are left out of the mean at that threshold; nan where it is undefined for all.
    The values are sums of differences, kept in twice the digits of a float: so a heavy example that becomes undefined leaves
    the light ones as they are.

    >>> import indicatrix as ix
    >>> rows = SweepRows(np.array([[True, False], [True, True]]), np.array([[0.9, 0.4], [0.3, 0.2]]))
    >>> thresholds, values = exemplar_values(ix.recall, rows)
    >>> thresholds.tolist(), values.tolist()
    ([inf, 0.9, 0.4, 0.3, 0.2], [0.0, 0.5, 0.5, 0.75, 1.0])
    """
    n, m = rows.scores.shape
    falling = -np.asarray(rows.scores, np.float64)  # negated, so that the highest scores come first …
    if rows.mask is not None:
        falling = np.where(rows.mask, falling, np.nan)  # … and last what was not observed, which is not a threshold
    weight = np.ones(n) if rows.weights is None else rows.weights
    first, then, before = (np.empty((3, size)) for size in (n, n * m, n * m))  # value times weight, weight, and 1 if defined
    step = max(1, BLOCK // (m + 1))
    for start in range(0, n, step):
        part, entries = slice(start, start + step), slice(start * m, (start + step) * m)
        table = _row_values(measure, rows.truth(part), falling[part], None if rows.mask is None else rows.mask[part])
        defined = np.isfinite(table)
        w = weight[part, None] * defined
        three = np.stack([np.where(defined, table, 0.0) * w, w, defined & (w > 0)])
        first[:, part] = three[:, :, 0]
        then[:, entries], before[:, entries] = (x.reshape(3, -1) for x in (three[:, :, 1:], three[:, :, :-1]))
    # The moves of a row are in the order of its scores; so are its scores, sorted.
    falling = np.sort(falling, axis=1).ravel()
    order = np.argsort(falling, kind="stable")[: np.count_nonzero(falling == falling)]
    flat = -falling
    last = np.flatnonzero(np.append(flat[order][1:] != flat[order][:-1], np.ones(min(len(order), 1), bool)))
    at = np.append(n - 1, n + last)
    totals = np.stack([_running_sums(first[k], then[k], before[k], order)[at] for k in range(3)]) if n else np.zeros((3, 1))
    with quiet():
        values = np.where(np.rint(totals[2]) > 0, ratio(totals[0], totals[1]), np.nan)
    return np.concatenate([[np.inf], flat[order][last] + 0.0]), values


def _running_sums(first: Array, then: Array, before: Array, order: Array) -> Array:
    """Return the running sum of the first numbers, then of the moves in their order.

    Each move goes from one number to another. What the sums and the differences round away is summed, too: a heavy number that
    comes and goes leaves the light ones behind, and not the rounding errors of its own size.
    """
    then, before = then[order], before[order]
    moves = np.concatenate([first, then - before])
    slips = np.concatenate([np.zeros(len(first)), _slip(then, -before, moves[len(first) :])])
    sums = np.cumsum(moves)
    slips[1:] += _slip(sums[:-1], moves[1:], sums[1:])
    return np.asarray(sums + np.cumsum(slips))


def _slip(a: Array, b: Array, total: Array) -> Array:
    """Return what was rounded away in a + b, exactly (Knuth)."""
    there = total - a
    return np.asarray((a - (total - there)) + (b - there))


def _row_values(measure: Measure, truth: Array, falling: Array, seen: Array | None) -> Array:
    """Return the measure of each example after its 0, 1, …, m highest scores are accepted.

    The scores come negated.
    """
    order = np.argsort(falling, axis=1, kind="stable")
    yes, no = truth if seen is None else truth & seen, ~truth if seen is None else ~truth & seen
    tp, fp = (np.cumsum(np.take_along_axis(x, order, axis=1), axis=1, dtype=np.int64) for x in (yes, no))
    tp, fp = (np.concatenate([np.zeros((len(x), 1), np.int64), x], axis=1) for x in (tp, fp))
    four = (tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    return np.asarray(measure.values(Counts(*(x.ravel() for x in four)))).reshape(tp.shape)
