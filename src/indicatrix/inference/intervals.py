"""The interval of any score: what was sampled, which method fits, what a reader should know."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from ..algebra.arrays import Array, as_weight
from ..algebra.average import BINARY, Name, find_average
from ..algebra.counts import Counts
from ..algebra.measure import Measure
from ..algebra.score import Score, Undefined, check_undefined
from ..algebra.spelling import did_you_mean
from ..algebra.wording import type_of
from ..catalogue.matrix import MatrixMeasure, resolve
from ..scores.areas import AREAS, Area
from ..scores.sweep import Sweep
from ..tally.group_counts import CrossTable, Part
from ..tally.moments import ABSENT
from .area_estimator import area_estimator
from .estimators import NOT_SMOOTH, Estimator, OfCounts, OfGroups, OfMatrix, OfMean
from .few_examples import warn_about
from .interval import Interval
from .log_scale import fits_log_scale, log_interval
from .methods import METHODS, Request
from .proportions import PROPORTIONS, Ends
from .quantiles import check_level
from .sampled import HALF, POSITIVE, Clusters, Entries, Pairs, Rows, Sample, typical_weight
from .score_function import ScoreFunction, score_function, units_of_classes
from .weighted_counts import WEIGHTED, check_sums, common_weight, counts_examples, effective, squares_of, typical_of

DRAWS = 2000
USUAL_LEVEL = 0.95
NO_SPREAD = "The method {!r} finds no spread in this sample, which does not mean that the score is certain: leave method= out."


def interval(
    source: Any,
    measure: str | Measure | MatrixMeasure | Area,
    average: Name | None = None,
    *,
    level: float = 0.95,
    method: str | None = None,
    seed: int | None = None,
    undefined: Undefined = "exclude",
    clusters: str | None = None,
    stratified: bool = False,
    draws: int = DRAWS,
) -> Interval:
    """Return a score of an evaluation, or an area of a sweep, with an interval for its true value.

    Parameters
    ----------
    source : Evaluation or Sweep
        What the score is of: ``ix.evaluate(…)``, or ``ix.sweep(…)`` for areas such as AUC.
    measure : str, Measure, MatrixMeasure or Area
        A measure, its name, or a formula; of a sweep, an area or its name.
    average : str or tuple, optional
        The average, as ``score`` takes it.
    level : float, default 0.95
        In which share of samples the interval is to cover the true value.
    method : str, optional
        Left out, the one that covers best; ``help(ix.Evaluation.interval)`` names all.
    seed : int, optional
        Where random draws start; the same seed gives the same interval. Left out: 0.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an
        error.
    clusters : str, optional
        A ``by`` axis of an evaluation whose groups were sampled as a whole.
    stratified : bool, default False
        Whether a bootstrap draws the examples of each true class apart.
    draws : int, default 2000
        How many replicates a bootstrap or a posterior has.

    Returns
    -------
    Interval
        value, low, high, level, method and note.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.interval(ix.sweep([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]), "auc")
    0.889 [0.403, 0.99] (95%, score)
    >>> ix.interval(ix.from_confusion([[40, 10], [5, 45]]), "recall", "micro", method="clopper_pearson")
    0.85 [0.765, 0.914] (95%, clopper_pearson)
    """
    if not isinstance(source, Sweep) and not hasattr(source, "tally"):
        raise TypeError(f"An interval is of an evaluation or a sweep, not of {type_of(source)}. Use ix.evaluate(…).")
    check_undefined(undefined)  # an interval replaces undefined values, and does not leave classes out
    request = _check(level, method, seed, stratified, draws)
    found: Any = _find_area(measure) if isinstance(source, Sweep) else resolve(measure)  # type: ignore[arg-type]
    score: Score = (
        found.score(source, average, undefined) if isinstance(found, Area) else source.score(found, average, undefined=undefined)
    )
    name = None if isinstance(found, MatrixMeasure) else score.average
    facts: dict[str, Any] = {"measure": found, "average": name, "undefined": undefined}
    if not math.isfinite(score):
        return Interval(float(score), math.nan, math.nan, level, method or "none", score.note, **facts)
    estimator = (
        _area_of(source, found, average, clusters) if isinstance(found, Area) else estimator_of(source, found, score, clusters)
    )
    chosen = method or default_method(estimator)
    low, high = find_ends(estimator, chosen, request)
    warning = f"{warn_about(source, estimator)} {NO_SPREAD.format(chosen) if low == high else ''}".strip()
    about = f"{score.note.removesuffix('.')}." if score.has_undefined() else ""
    return Interval(float(score), low, high, level, chosen, f"{about} {warning}".strip(), **facts, warning=warning)


def _find_area(measure: Any) -> Area:
    if isinstance(measure, Area):
        return measure
    if measure not in AREAS:
        hint = did_you_mean(str(measure), [*AREAS])
        raise ValueError(f"{measure!r} is not an area of scores. {hint + ' ' if hint else ''}Choose from {', '.join(AREAS)}.")
    return AREAS[measure]


def _area_of(swept: Sweep, area: Area, average: Name | None, clusters: str | None) -> Estimator:
    if clusters is not None:
        raise ValueError("clusters= is for evaluations; an area of a sweep takes every example for independent.")
    return area_estimator(area, swept, average)


def level_of(interval: float | bool) -> float:
    """Return the level that ``interval=`` asks for: True is the usual one.

    >>> level_of(True), level_of(0.9)
    (0.95, 0.9)
    """
    return USUAL_LEVEL if interval is True else interval


def interval_or_reason(ev: Any, measure: Any, average: Name | None, level: float, undefined: Undefined) -> Interval | str:
    """Return the interval of a score, or why it has no interval."""
    check_level(level)
    try:
        return interval(ev, measure, average, level=level, undefined=undefined)
    except ValueError as reason:
        return str(reason)


def _check(level: float, method: str | None, seed: int | None, stratified: bool, draws: int) -> Request:
    check_level(level)
    known = [*METHODS, *PROPORTIONS, "log"]
    if method is not None and method not in known:
        hint = did_you_mean(str(method), known)
        raise ValueError(f"method={method!r} is unknown. {hint + ' ' if hint else ''}Choose from {', '.join(known)}.")
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ValueError(f"draws={draws!r} must be a whole number of replicates, such as 2000.")
    return Request(level, 0 if seed is None else seed, draws, stratified)


def find_ends(estimator: Estimator, method: str, request: Request) -> Ends:
    """Return the ends of the interval of a score by a method; refuse a method that does not fit."""
    _check_without_rows(estimator, method)
    if method == "log":
        return log_interval(estimator, request.level)
    if method in PROPORTIONS:
        parts = proportion(estimator)
        if parts is None:
            raise ValueError(
                f"method={method!r} is for plain proportions: so many of so many independent examples. This score is not one. "
                "Leave method= out, or use 'score'."
            )
        return PROPORTIONS[method](*parts, request.level)
    if method == "score" and not (estimator.smooth and np.isfinite(estimator.span).all()):
        raise ValueError(NOT_SMOOTH)
    return METHODS[method](estimator, request)


def has_rows(estimator: Estimator) -> bool:
    """Return whether what was sampled can be drawn again: not where only second moments of it were kept."""
    if isinstance(estimator, OfGroups):
        return all(map(has_rows, estimator.parts))
    if isinstance(estimator, OfMean):
        return estimator.squares is None
    sample = estimator.sample if isinstance(estimator, OfCounts) else None
    return sample is None or not (isinstance(sample, Rows) or sample.weighted)


def _check_without_rows(estimator: Estimator, method: str) -> None:
    """Refuse methods that draw or leave out examples, where only sums over them were kept."""
    if isinstance(estimator, OfGroups):
        for part in estimator.parts:
            _check_without_rows(part, method)
        return
    if has_rows(estimator) or (estimator.smooth and method in ("score", "delta", "log", *PROPORTIONS)):
        return
    weighted = not isinstance(estimator, OfCounts) or estimator.sample.weighted
    what = "weighted examples" if weighted else "examples with several labels"
    needs = f"method={method!r} needs each example, but of {what} only sums were kept."
    ways = ["name clusters= that were sampled", *(() if weighted else ("use average='exemplar'",))]
    if not estimator.smooth:
        needs += " The score has kinks, so that sums do not tell its variance."
    else:
        ways.insert(0, "use method='score' or 'delta'" if np.isfinite(estimator.span).all() else "use method='delta'")
    raise ValueError(f"There is no such interval: {needs} Instead, {', or '.join(ways)}.")


def default_method(estimator: Estimator) -> str:
    """Return the method that covers best for a kind of score."""
    if proportion(estimator) is not None:
        return "wilson"
    if isinstance(estimator, OfMean):
        return "score" if np.isfinite(estimator.span).all() else "jackknife" if has_rows(estimator) else "delta"
    if not estimator.smooth:
        return "posterior"
    if np.isfinite(estimator.span).all():
        return "score"
    return "log" if isinstance(estimator, OfCounts) and fits_log_scale(estimator) else "posterior"


def estimator_of(ev: Any, measure: Measure | MatrixMeasure, score: Score, clusters: str | None) -> Estimator:
    """Return a score with what was sampled; refuse what cannot be known from the counts."""
    _check_clusters(ev, clusters)
    estimator = _estimator_of(ev, measure, score, clusters)
    if ev.tally.squares is not None and not math.isclose(estimator.value, float(score), rel_tol=1e-9, abs_tol=1e-12):
        raise ValueError(
            f"There is no interval for this score: {measure} changes with the number of examples, which weights do not tell. "
            "Evaluate without sample_weight= for an interval of it."
        )
    return estimator


def _estimator_of(ev: Any, measure: Measure | MatrixMeasure, score: Score, clusters: str | None) -> Estimator:
    if isinstance(measure, MatrixMeasure):
        if clusters is not None:
            raise ValueError(f"{measure} reads the whole confusion matrix; clusters= is for measures of counts.")
        return OfMatrix(measure, pairs_of(ev))
    span = span_of(measure, float(score))
    name = score.average
    if isinstance(name, tuple) or name in ev.tally.by:
        return _of_groups(ev, measure, score, span, clusters)
    rule = find_average(name)
    if rule.per == ("example",):
        return _of_examples(ev, measure, score, span, clusters)
    if not set(rule.per) <= {"class", ev.tally.grouping}:
        raise ValueError(f"average={name!r} keeps {', '.join(rule.per)}; an interval is for one axis.")
    stand_in = None if isinstance(score.undefined, str) else float(score.undefined)
    sample: Sample
    if name == BINARY and clusters is None:
        sample, unit_of = one_class(ev)
    else:
        sample, unit_of = sample_of(ev) if clusters is None else clusters_of(ev, clusters), units_of_classes(ev, name)
    return OfCounts(score_function(measure, rule, unit_of, stand_in, sample.counts), sample, span, is_smooth(measure))


def span_of(measure: Measure, value: float) -> tuple[float, float]:
    """Return the range that a measure declares; all numbers, if its value lies outside."""
    low, high = measure.range
    return (float(low), float(high)) if low <= value <= high and low < high else (-math.inf, math.inf)


def _check_clusters(ev: Any, axis: str | None) -> None:
    if axis is None:
        return
    sizes = ev.tally.sizes_of(axis)  # also refuses what is not a grouping
    if len(sizes) < 2:
        raise ValueError(f"clusters={axis!r} has one group, and nothing can be said about others from one.")


def one_class(ev: Any) -> tuple[Pairs | Rows, Array]:
    """Return the positive class against the rest, and the unit of an average of each column.

    Every example is one entry of its column, so counts tell what was sampled; of memberships and costs, second moments do.
    """
    at = ev.classes.index(ev.positive) if ev.positive in ev.classes else None
    if not counts_examples(ev):
        if at is None:
            raise ValueError(f"There is no interval for this score: no example has the class {ev.positive!r}.")
        return _rows_of(ev, np.array([at]), np.full((4, 1), HALF / 2)), np.array([0])

    def column(part: Part) -> Array:
        if at is not None:
            return part.cells()[:, at]
        rows, times = part.rows()  # the class neither occurs nor is predicted: every observed example is a true negative
        return np.array([0, 0, 0, times[rows.any(axis=0)].sum()], times.dtype)

    return Pairs.of_one_class(*effective(ev.tally, column)), POSITIVE


def pairs_of(ev: Any) -> Pairs:
    """Return how often each pair of classes was seen; refuse where weights hide this, or it was not kept."""
    if not isinstance(ev.tally.pooled, CrossTable):
        raise ValueError(_without_pairs(ev))
    sample = Pairs(*effective(ev.tally, _table_of))
    if sample.weighted:
        raise ValueError(
            f"{WEIGHTED}. Evaluate without sample_weight= for an interval of a function of the whole confusion matrix."
        )
    return sample


def sample_of(ev: Any) -> Pairs | Rows:
    """Return the pairs of classes, or the rows of label matrices; refuse where they were not kept."""
    if isinstance(ev.tally.pooled, CrossTable):
        return Pairs(*effective(ev.tally, _table_of))
    m = len(ev.classes)
    return _rows_of(ev, np.arange(m), Entries.pseudo(m).counts)


def _table_of(part: Part) -> Array:
    assert isinstance(part, CrossTable)
    return part.table


def _rows_of(ev: Any, columns: Array, extra: Array) -> Rows:
    """Return some columns of label matrices with their second moments and a pseudo-example."""
    tally = ev.tally
    if isinstance(tally.moments, str) or not tally.moments.whole.weight:
        raise ValueError(_without_pairs(ev))
    moments, counts = tally.moments.whole, tally.pooled.cells()[:, columns]
    moments = moments if len(columns) == moments.m else moments.only(columns)
    check_sums(counts)
    cells = counts.astype(np.float64)
    size = cells.sum() / (float(moments.weight) * len(columns)) if ev.made.uses("cost") else 1.0
    weighted = tally.squares is not None and common_weight(tally) is None
    return Rows.of(cells, moments, Entries(extra * size), weighted=weighted)


def _without_pairs(ev: Any) -> str:
    absent = ABSENT["" if not isinstance(ev.tally.moments, str) else ev.tally.moments]
    if ev.kind == "counts":
        reason, fix = "only counts per class are known, not how they fall together in examples", "Evaluate the labels"
    elif ev.kind == "multiclass" and ev.tally.moments == "":
        reason = "the pairs of true and predicted classes were not kept"
        fix = "Evaluate with confusion=True" if len(ev.classes) > 1 else "Evaluate without a mask of entries"
    else:
        reason = f"the labels of one example are not independent, and how they fall together is not known: {absent}"
        fix = "Name clusters="
    return f"There is no interval for this score: {reason}. {fix}; average='exemplar' always has one."


def clusters_of(ev: Any, axis: str) -> Clusters:
    """Return what each group of an axis adds to the counts per class."""
    counts = ev.tally.aggregate((axis, "class"))
    cells = np.stack([as_weight(x) for x in counts], axis=1)  # groups x 4 x classes
    cells = cells / typical_of(ev.tally)
    m = len(ev.classes)
    table = isinstance(ev.tally.pooled, CrossTable)
    return Clusters(cells, Pairs(np.zeros((m + 1, m + 1))).pseudo() if table else Entries.pseudo(m))


def _of_examples(ev: Any, measure: Measure, score: Score, span: tuple[float, float], clusters: str | None) -> OfMean:
    """Return a mean over examples: the distinct rows with how often each occurs, and their clusters."""
    (rows, often), squares = ev.tally.pooled.rows(), None
    if often.dtype == object:
        same, squares = squares_of(ev.tally).rows()
        check_sums(often)
        if not np.array_equal(rows, same):
            raise ValueError("There is no interval for this score: some weights are negative and add up to 0.")
    if clusters is None:
        return _of_rows(ev, score, span, squares)
    typical = 1.0 if squares is None else typical_of(ev.tally)
    parts = [part.aggregate("example") for part in ev.tally.split(clusters).values()]
    number = np.repeat(np.arange(len(parts)), [len(part.tp) for part in parts])
    rows = Counts(
        *(np.concatenate([np.asarray(getattr(part, cell)) for part in parts]) for cell in ("tp", "fp", "fn", "tn")),
        per=("example",),
        names=(tuple(range(len(number))),),
        times=np.concatenate([as_weight(part.times) for part in parts]),
    )
    values, times = as_weight(measure.values(rows)), as_weight(rows.times) * as_weight(rows.observed) / typical
    lost = ~np.isfinite(values)
    values, times = _replace_lost(values, times, lost, score.undefined)
    here = times > 0
    return OfMean(values[here], times[here], span, clusters=np.unique(number[here], return_inverse=True)[1])


def _of_rows(ev: Any, score: Score, span: tuple[float, float], squares: Array | None) -> OfMean:
    """Return the mean over the distinct rows of examples; with weights, over effective examples."""
    values, times, here = _fill(score)
    if squares is None:
        return OfMean(values, times, span)
    same = common_weight(ev.tally)
    if same is not None:
        return OfMean(values, np.rint(times / float(same)), span)
    typical = typical_weight(times.sum(), squares[here].sum())
    return OfMean(values, times / typical, span, squares=squares[here].astype(np.float64) / typical**2)


def _of_groups(ev: Any, measure: Measure, score: Score, span: tuple[float, float], clusters: str | None) -> Estimator:
    """Return a mean over groups: these groups and no others, or, as clusters, a sample of groups."""
    axis, inside = (score.average, None) if isinstance(score.average, str) else (score.average[0], score.average[1:])
    if clusters is not None:
        if clusters != axis:
            raise ValueError(f"The mean over {axis} has examples of each {axis}; clusters={axis!r} takes these for a sample.")
        values, weights = _filled(score)
        return OfMean(values, np.ones(len(values)), span, weights if score.weights is not None else None, few=True)
    if inside is None:
        inside = BINARY if ev.positive is not None else "micro"
    else:
        inside = inside[0] if len(inside) == 1 else inside
    parts, shares = [], []
    weights = np.ones(len(score.values)) if score.weights is None else np.asarray(score.weights, np.float64).ravel()
    for part, weight in zip(ev.split(axis).values(), weights, strict=True):
        own = part.score(measure, inside, undefined=score.undefined if not isinstance(score.undefined, str) else "exclude")
        if math.isfinite(own):
            parts.append(estimator_of(part, measure, own, None))
            shares.append(weight)
    return OfGroups(tuple(parts), np.array(shares) / sum(shares), span)


def _filled(score: Score) -> tuple[Array, Array]:
    """Return the values and weights of the units that count under the convention of a score."""
    return _fill(score)[:2]


def _fill(score: Score) -> tuple[Array, Array, Array]:
    """Return the values and weights of the units that count under a convention, and which these are."""
    values = np.asarray(score.values, np.float64).ravel()
    weights = np.ones(len(values)) if score.weights is None else np.asarray(score.weights, np.float64).ravel()
    values, weights = _replace_lost(values, weights, ~np.isfinite(values), score.undefined)
    here = weights != 0
    return values[here], weights[here], here


def _replace_lost(values: Array, weights: Array, lost: Array, undefined: Undefined) -> tuple[Array, Array]:
    if isinstance(undefined, str):
        return np.where(lost, 0.0, values), np.where(lost, 0.0, weights)
    return np.where(lost, float(undefined), values), weights


def proportion(estimator: Estimator) -> tuple[float, float] | None:
    """Return k and n of a score that is a share k/n of independent examples; None for other scores."""
    if isinstance(estimator, OfMean):
        plain = estimator.weights is None and estimator.clusters is None and not estimator.few and has_rows(estimator)
        plain = plain and estimator.span == (0, 1)
        if not plain or not np.isin(estimator.values, (0, 1)).all():
            return None
        return float(estimator.times @ estimator.values), float(estimator.times.sum())
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs) or not has_rows(estimator):
        return None
    score = estimator.score
    if score.units != 1 or not score.kept.all() or score.measure.decomposition is None:
        return None
    return _share(score, estimator.sample)


def _share(score: ScoreFunction, sample: Pairs) -> tuple[float, float] | None:
    """Return k and n if the score is a ratio of two sums to which every pair of classes adds 0 or 1."""
    found = contributions(score, sample)
    if found is None:
        return None
    possible = sample.table > 0
    possible[:-1, :-1] = True  # examples without a class on one side count only if there are some
    top, bottom = (np.where(possible, x, 0.0) for x in found)
    scale = bottom.max(initial=0.0)
    if scale <= 0 or not (np.isin(bottom / scale, (0, 1)).all() and np.isin(top / scale, (0, 1)).all() and (top <= bottom).all()):
        return None
    return float((sample.table * top).sum() / scale), float((sample.table * bottom).sum() / scale)


def contributions(score: ScoreFunction, sample: Pairs) -> tuple[Array, Array] | None:
    """Return what each pair of classes adds to the numerator and the denominator of a ratio of sums."""
    assert score.measure.decomposition is not None
    sums = []
    for coefficients in score.measure.decomposition:
        try:
            slopes = np.array([[float(x)] for x in coefficients])
        except TypeError:  # a symbolic parameter
            return None
        sums.append(sample.influence(score.spread(slopes)))
    return sums[0], sums[1]


@cache
def is_smooth(measure: Measure) -> bool:
    """Return whether a measure has slopes everywhere: no min, max, abs or comparison in its formula."""
    from ..theory.formula.examined_measure import GENERIC
    from ..theory.formula.kinks import comparisons, has_kinks

    signs = comparisons(measure, GENERIC)
    return signs is not None and not has_kinks(signs)
