"""The interval of any score: what was sampled, which method fits, what a reader should know."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...algebra.average import Name
from ...algebra.count_formula import COUNTS
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.measure_names import resolve, split_score
from ...algebra.score import Score, Undefined
from ...tally.states.replicates import ABSENT as WITHOUT_REPLICATES
from ...words.call_mistakes import answers_mistakes
from ...words.wording import did_you_mean, unknown
from ..estimators.clustered import check_tested_once
from ..estimators.estimators import Estimator, OfCounts, has_rows
from ..estimators.of_evaluation import check_named_clusters
from ..estimators.of_source import draws_itself, estimate, holds_labels, is_of_images, replicates_of, score_of, without_replicates
from ..estimators.of_weights import mean_over_examples
from ..sampling.draw_weights import check_draws
from ..sampling.score_function import rate_of_total
from ..stats.proportions import PROPORTIONS
from .few_examples import about_correction, warn_about
from .interval import METHODS, SEQUENTIAL, Interval, Request
from .method_choice import (
    check_design,
    check_without_rows,
    default_method,
    design_note,
    find_ends,
    is_range,
    log_interval,
    over_range,
    with_design,
)

DRAWS = 2000
USUAL_LEVEL = 0.95
SIMULTANEOUS = "simultaneous"
HIDDEN = "it reads counts that the data do not show, and what a convention puts in its place does not vary"
INFINITE = "A count is 0, so that the value is infinite; the interval says how small it may be."
NO_SPREAD = "The method {!r} finds no spread in this sample, which does not mean that the score is certain: {}."


@answers_mistakes
def interval(
    source: Any,
    measure: str | Measure | None = None,
    average: Name | None = None,
    *,
    level: float = 0.95,
    method: str | None = None,
    seed: int | None = None,
    undefined: Undefined = "exclude",
    clusters: Any = None,
    stratified: bool = False,
    draws: int = DRAWS,
    prevalence: Any = None,
    sampled: str | None = None,
) -> Interval:
    """Return a score of an evaluation, or an area of a sweep, with an interval for its true value.

    Losses and rankings are means over examples, and their scores under average="exemplar" have the values of these: such a score
    is enough, ``ix.inference.interval(ix.brier(y, P, average="exemplar"))``.

    Parameters
    ----------
    source : Evaluation, Sweep, result of images or Score
        What the score is of: ``ix.evaluate(…)``, or ``ix.sweep(…)`` for areas such as AUC, or ``ix.detection(…)``; or a loss or a
        ranking itself.
    measure : str or Measure, optional
        A measure, its name, or a formula; of a sweep, an area or its name. Not given for a loss or a ranking.
    average : str or tuple, optional
        The average, as ``score`` takes it.
    level : float, default 0.95
        In which share of samples the interval is to cover the true value.
    method : str, optional
        Default: the one with the best coverage; ``help(ix.Evaluation.interval)`` names all.
    seed : int, optional
        Seed of the random draws; the same seed gives the same interval. Default: 0.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an
        error.
    clusters : str or array-like, optional
        Groups of examples that were sampled as a whole, such as the patients of images: the name of a ``by`` axis; of a sweep, a
        loss or a ranking also one group per example. Default: every example counts as independent.
    stratified : bool, default False
        Whether a bootstrap draws the examples of each true class apart.
    draws : int, default 2000
        How many replicates a bootstrap or a posterior has.
    prevalence : float, pair or mapping, optional
        How frequent the positive class is where the classifier is used, or from where to where it may be, or the share of each
        class. Then the score is that of the same rates at this prevalence.
    sampled : str, optional
        "by class" if the number of examples of each true class was chosen and did not come by chance.

    Returns
    -------
    Interval
        value, low, high, level, method and note.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.inference.interval(ix.sweep([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]), "auc")
    0.889 [0.304, 0.993] (95%, score)
    >>> ix.inference.interval(ix.from_confusion([[40, 10], [5, 45]]), "recall", "micro", method="clopper_pearson")
    0.85 [0.765, 0.914] (95%, clopper_pearson)
    >>> ix.inference.interval(ix.ndcg([[1, 0, 0], [0, 1, 1], [0, 0, 1]], [[3, 2, 1], [3, 2, 1], [1, 3, 2]]))
    0.775 [0.443, 0.937] (95%, score)
    """
    request = _check(level, method, seed, stratified, draws)
    check_design(source, prevalence, sampled)
    if prevalence is not None or sampled is not None:
        options: dict[str, Any] = {"level": level, "method": method, "seed": seed, "undefined": undefined, "draws": draws}
        options |= {"clusters": clusters, "stratified": stratified}

        def at(share: Any) -> Interval:
            found = interval(with_design(source, share, sampled), measure, average, **options)
            return replace(found, note=f"{design_note(share)} {found.note}".strip())

        return over_range(tuple(prevalence), at) if is_range(prevalence) else at(prevalence)
    measure, average = split_score(measure, average)
    asked = AskedFor(average, undefined, method, clusters, request)
    if isinstance(source, Score) and getattr(source.measure, "reads", COUNTS).infinite:
        _check_alone(measure, average, undefined)
        return _of_mean(source, asked)
    if not (holds_labels(source) or draws_itself(source) or is_of_images(source)):
        from .of_area import check_swept  # only scores need it, and the modules that it loads

        return interval_of(source, check_swept(source, measure), asked)
    if measure is None:
        raise TypeError("measure= is missing: name what the interval is of, such as 'f1'.")
    return interval_of(source, resolve(measure), asked)


class AskedFor(NamedTuple):
    """How an interval is asked for."""

    average: Any
    undefined: Undefined
    method: str | None
    clusters: Any
    request: Request


def interval_of(
    source: Any, measure: Measure, asked: AskedFor, score: Score | None = None, known: dict[int, Estimator] | None = None
) -> Interval:
    """Return the interval of a measure of a source of any kind.

    ``score`` is its score, if that is known already, and ``known`` has the estimators that were made of scores.
    """
    if is_of_images(source):
        given: dict[str, Any] = {"level": asked.request.level, "seed": asked.request.seed, "clusters": asked.clusters}
        given |= {"method": asked.method, "undefined": asked.undefined}
        draws = None if asked.request.draws == DRAWS else asked.request.draws  # each method has a number of its own
        return source.interval(measure, asked.average, **given, draws=draws)  # type: ignore[no-any-return]
    if measure.reads.counted:
        check_named_clusters(asked.clusters)
        check_tested_once(source, asked.clusters)
    score = score_of(source, measure, asked.average, asked.undefined) if score is None else score
    if measure.reads.counted:
        if (found := _of_total(source, score, asked) or _of_infinite(source, score, asked)) is not None:
            return found
        if math.isfinite(score) and score.reads_hidden():
            raise ValueError(f"There is no interval for this score: {HIDDEN}.")
    if not math.isfinite(score):
        return _of_estimator(source, score, None, "", asked)
    if not measure.reads.counted:
        _refuse_replicates(asked.method)
    estimator = None if known is None else known.get(id(score))
    if estimator is None or measure.reads.counted:
        estimator, method = _best_estimator(source, score, asked)
    else:
        method = asked.method or default_method(estimator)
    if known is not None and not measure.reads.counted:
        known[id(score)] = estimator
    return _of_estimator(source, score, estimator, method, asked)


def _of_estimator(source: Any, score: Score, estimator: Estimator | None, method: str, asked: AskedFor) -> Interval:
    """Return the interval of a score with what was sampled; None: it has no value."""
    measure, level = score.measure, asked.request.level
    facts: dict[str, Any] = {"measure": measure, "average": score.average, "undefined": score.undefined}
    if estimator is None:
        return Interval(float(score), math.nan, math.nan, level, asked.method or "none", score.note, **facts)
    if isinstance(estimator, OfCounts) and not estimator.score.kept.any():
        raise ValueError(
            f"There is no interval for this score: it is undefined here, and undefined={score.undefined!r} puts a number in its "
            "place, which does not vary."
        )
    low, high = find_ends(estimator, method, asked.request)
    if math.isnan(low):
        raise ValueError("There is no interval for this score: too few examples have a value to tell how much it varies.")
    least, most = measure.range
    low, high = max(low, float(least)), min(high, float(most))
    low, high = min(low, float(score)), max(high, float(score))  # a score at its limit lies just beyond draws around it
    of_labels = source is not score and measure.reads.counted  # a loss or a ranking whose values are its source is not
    if of_labels:
        warning = warn_about(source, estimator)
    else:
        from .of_area import reach_chance, warn_about_scores

        warning = warn_about_scores(estimator)
    advice = "leave method= out" if asked.method else "it takes more examples to tell"
    warning = f"{warning} {NO_SPREAD.format(method, advice) if low == high else ''}".strip()
    about = f"{score.note.removesuffix('.')}." if score.has_undefined() else ""
    about = f"{about} {about_correction(estimator)}".strip()
    found = Interval(float(score), low, high, level, method, f"{about} {warning}".strip(), **facts, warning=warning)
    return found if of_labels else reach_chance(found, estimator)


def _refuse_replicates(method: str | None) -> None:
    if method == "replicates":
        raise ValueError("method='replicates' is for counts; a score of single examples does not need them. Leave method= out.")


def _of_mean(score: Score, asked: AskedFor) -> Interval:
    """Return the interval of a loss or a ranking, a mean over examples."""
    if not math.isfinite(score):
        return _of_estimator(score, score, None, "", asked)
    _refuse_replicates(asked.method)
    estimator = mean_over_examples(score, asked.clusters)
    return _of_estimator(score, score, estimator, asked.method or default_method(estimator), asked)


def _of_total(ev: Any, score: Score, asked: AskedFor) -> Interval | None:
    """Return the interval of a total: that of one example times their number; None of other scores."""
    rate = rate_of_total(score.measure) if asked.method in (None, SEQUENTIAL) and math.isfinite(score) else None
    if rate is None:
        return None
    sizes = np.unique(np.asarray(score.counts.n, np.float64))
    if len(sizes) != 1:
        return None
    n = float(sizes[0])
    found = interval_of(ev, rate, asked._replace(average=score.average, undefined=score.undefined))
    if math.isnan(found.low):
        return None  # of an undefined rate, where the total has a value
    low, high = min(n * found.low, float(score)), max(n * found.high, float(score))  # products are rounded
    return replace(found, value=float(score), low=low, high=high, measure=score.measure)


def _of_infinite(ev: Any, score: Score, asked: AskedFor) -> Interval | None:
    """Return the interval of infinite odds or likelihood ratios, with its lower end; None of others."""
    if (
        np.size(score.values) != 1
        or np.max(score.values) != math.inf
        or asked.method not in (None, "log")
        or math.isfinite(score)
    ):
        return None
    try:
        low = log_interval(estimate(ev, score.measure, score, asked.clusters), asked.request.level)[0]
    except ValueError:
        return None
    if not math.isfinite(low):
        return None
    facts: dict[str, Any] = {"measure": score.measure, "average": score.average, "undefined": score.undefined}
    return Interval(math.inf, low, math.inf, asked.request.level, "log", INFINITE, **facts, warning=INFINITE)


def _check_alone(measure: Any, average: Any, undefined: Undefined) -> None:
    """Refuse what a score has already."""
    if measure is not None or average is not None or undefined != "exclude":
        raise TypeError(
            "This score has its measure, average and convention already: give it alone, ix.inference.interval(score)."
        )


def _best_estimator(source: Any, score: Score, asked: AskedFor) -> tuple[Estimator, str]:
    """Return a score with what was sampled, and the method of its interval.

    Where nothing else gives it, and no method is named, the score comes with replicates.
    """
    measure, method, clusters = score.measure, asked.method, asked.clusters
    if method == "replicates":
        return replicates_of(source, measure, score, clusters, asked.request.stratified), method
    try:
        estimator = estimate(source, measure, score, clusters)
        chosen = method or default_method(estimator)
        if measure.reads.counted and not has_rows(estimator):
            check_without_rows(estimator, chosen, _way_to_replicates(source, score))
    except ValueError:
        if not measure.reads.counted or method is not None or clusters is not None or without_replicates(source, measure, score):
            raise
        return replicates_of(source, measure, score), "replicates"
    return estimator, chosen


def _way_to_replicates(ev: Any, score: Score) -> str:
    """Return how replicates can be had of the examples that a score reads."""
    axis = score.average[0] if isinstance(score.average, tuple) else score.average
    kept, grouped = not isinstance(ev.tally.replicates, str), axis in ev.tally.by
    if kept and not grouped:
        return "use method='replicates'"
    reason = WITHOUT_REPLICATES["groups"] if kept else ev.tally.replicates and WITHOUT_REPLICATES[ev.tally.replicates]
    return f"evaluate {f'each {axis} alone' if grouped else 'the examples'} with replicates=200{reason and f' ({reason})'}"


def level_of(interval: float | bool | str, *, of_units: bool = False) -> float:
    """Return the level that ``interval=`` asks for.

    True asks for the usual one, and so does "simultaneous" of units.

    >>> level_of(True), level_of(0.9), level_of("simultaneous", of_units=True)
    (0.95, 0.9, 0.95)
    """
    if isinstance(interval, str) and not (of_units and interval == SIMULTANEOUS):
        all_at_once = f", or {SIMULTANEOUS!r}" if of_units else f"; {SIMULTANEOUS!r} are intervals of ev.values"
        hint = f" {meant}" if of_units and (meant := did_you_mean(interval, [SIMULTANEOUS])) else ""
        raise ValueError(f"interval={interval!r} must be a share between 0 and 1, such as 0.95, or True{all_at_once}.{hint}")
    return USUAL_LEVEL if interval is True or isinstance(interval, str) else interval


def interval_or_reason(ev: Any, measure: Any, average: Name | None, level: float, undefined: Undefined) -> Interval | str:
    """Return the interval of a score, or why it has no interval."""
    check_level(level)
    try:
        return interval(ev, measure, average, level=level, undefined=undefined)
    except ValueError as reason:
        return str(reason)


def _check(level: float, method: str | None, seed: int | None, stratified: bool, draws: int) -> Request:
    check_level(level)
    if method is not None:
        known = ["score", "rates", *PROPORTIONS, "log", *(name for name in METHODS if name != "score"), SEQUENTIAL, "replicates"]
        if method not in known:
            raise ValueError(unknown("method", method, known))
    check_draws(draws)
    return Request(level, 0 if seed is None else seed, draws, stratified)
