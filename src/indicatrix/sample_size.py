"""Sample size: how many examples an interval of some width needs, or a test of two classifiers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .algebra.kind import CLUSTERS
from .algebra.measure import Measure
from .algebra.measure_names import resolve, split_score
from .algebra.score import Score, Undefined
from .algebra.totals import is_total, per_example
from .compare.differences import independent_contrast
from .compare.paired_counts import PairedCounts, paired_counts
from .evaluate import from_confusion
from .inference.estimators.of_evaluation import check_named_clusters
from .inference.estimators.of_units import clusters_of_rows
from .inference.paired.joint_labels import JointLabels
from .inference.paired.of_joint_counts import contrast_of_groups
from .inference.planning.needed_examples import plan_accuracies, plan_difference, plan_rate, plan_width
from .inference.planning.power import Power, plan_questions, read_assumed_clusters, read_question_variances
from .words.call_mistakes import answers_mistakes

GOALS = {  # what is planned -> the options that go with it
    "the interval of an evaluation": ("width", "method", "clusters"),
    "two classifiers on the same examples": ("difference", "classes", "positive", "clusters"),
    "a joint": ("difference", "clusters"),
    "two models on the same questions": ("difference", "samples"),
    "assumed variances of questions": ("difference", "between", "within", "samples"),
    "an assumed rate": ("rate", "width", "n", "method", "clusters"),
    "two assumed accuracies": ("accuracy", "disagreement", "n", "clusters"),
}
GOALS_OF_RUNS = "two models on the same questions"


@answers_mistakes
def power(
    source: Any = None,
    predictions: Any = None,
    measure: Any = None,
    average: Any = None,
    *,
    width: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    difference: float | None = None,
    rate: float | None = None,
    accuracy: tuple[float, float] | None = None,
    disagreement: float | None = None,
    n: int | None = None,
    method: str | None = None,
    undefined: Undefined = "exclude",
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    clusters: Any = None,
    samples: int | None = None,
    between: float | None = None,
    within: Any = None,
    **options: Any,
) -> Power:
    """Return how many examples are needed for an interval of some width, or to separate two classifiers.

    The width of an interval is planned from an evaluation, ``ix.power(ev, "f1", "macro", width=0.05)``: the interval of
    ``ev.interval`` is computed for tables with the same shares and more or fewer examples. Two classifiers are separated from
    their predictions on the same examples, ``ix.power(y_true, {"lr": a, "rf": b}, "f1", "macro")``: the variance of the
    difference follows from the slopes of the score and from how often the two err together, and the test is the two-sided z test
    with this variance. Both can be planned without data, from assumed rates.

    The answer holds if the shares of the sample are the true ones. A difference that was seen in few examples is uncertain
    itself; ``difference=`` plans for the smallest difference that matters instead.

    Parameters
    ----------
    source : Evaluation, Sweep, PairedCounts, Runs, array-like or None
        An evaluation or a sweep, for a width; the true labels; runs of two language models, as ``ix.read_evals`` has them; what
        ``ix.inference.paired_counts`` made of two classifiers; or a joint table of counts [true, first, second]. Default: rates
        are assumed.
    predictions : mapping, optional
        The predictions of two classifiers by name, after the true labels: labels, label sets or label matrices, and scores for
        areas. After anything else it is left out, and the measure follows.
    measure : str or Measure, optional
        A measure, its name, or a formula; an area such as "auc".
    average : str, optional
        The average, as ``score`` takes it.
    width : float, optional
        How wide the interval may be.
    power : float, default 0.8
        How often the test is to find the difference.
    level : float, default 0.95
        The level of the interval; the test rejects at 1 - level.
    difference : float, optional
        The difference to find. Default: that of the sample.
    rate : float, optional
        An assumed rate, such as an accuracy, for a width.
    accuracy : pair of float, optional
        The assumed accuracies of two classifiers, to be separated by McNemar's exact test.
    disagreement : float, optional
        With ``accuracy``: the share of examples of which only one of the two is right. Default: their errors are taken as
        independent, which usually asks for more examples than are needed.
    n : int, optional
        With assumed rates: the number of examples there are.
    method : str, optional
        The method of the interval, as ``ev.interval`` takes it.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an
        error.
    classes : iterable, optional
        The classes and their order, for labels and joint tables.
    positive : label, optional
        The positive class, for labels and joint tables.
    clusters : str, array-like or pair of float, optional
        Groups of examples that are sampled as a whole, such as patients with several images each: the name of a ``by`` axis, or
        one group per example; with assumed rates, the mean size of a cluster and the intraclass correlation, (20, 0.1). Default:
        every example counts as independent.
    samples : int, optional
        With runs of language models, or variances: how many answers each question gets of each model. Default: as many as now.
    between, within : float, optional
        Assumed variances, for questions that two models answer: of the difference of their mean scores between questions, and of
        the scores of a model between answers to the same question, one for both or a pair.
    **options
        With labels: what ``evaluate`` takes, such as decide=, mask=, sample_weight=, missing=.

    Returns
    -------
    Power
        ``.n`` examples are needed, infinity if no number is enough; ``.present_power`` or ``.present_width`` is what the present
        examples give.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[40, 10], [5, 45]])
    >>> print(ix.power(ev, "f1", "macro", width=0.05))
    macro f1 of 0.85 needs 789 examples like these for a 95% score interval at most 0.05 wide.
    The interval of the present 100 examples is 0.141 wide.
    >>> y = [0] * 50 + [1] * 50
    >>> a, b = [0] * 40 + [1] * 10 + [0] * 5 + [1] * 45, [0] * 43 + [1] * 7 + [0] * 5 + [1] * 45
    >>> ix.power(y, {"lr": a, "rf": b}, "f1").n
    260
    >>> ix.power(accuracy=(0.90, 0.92), disagreement=0.06).n
    1244
    >>> print(ix.power(rate=0.9, width=0.05, clusters=(20, 0.1)))
    A rate of 0.9 needs 1,613 examples for a 95% mid_p interval at most 0.05 wide.
    In clusters of 20 with an intraclass correlation of 0.1, 2.9 examples tell as much as an independent one, about 81 clusters.
    >>> ix.power(difference=0.03, between=1 / 9, within=0).n
    969
    """
    _check_share("level", level)
    _check_share("power", power, above=1 - level)
    if isinstance(predictions, str | Measure):
        if average is not None:
            raise TypeError("After an evaluation or a joint come the measure and the average; a third name was given.")
        predictions, measure, average = None, predictions, measure
    measure, average = split_score(measure, average)
    own = {"width": width, "method": method, "difference": difference, "classes": classes, "positive": positive}
    own |= {"rate": rate, "accuracy": accuracy, "disagreement": disagreement, "n": n, "clusters": clusters}
    own |= {"samples": samples, "between": between, "within": within}
    goal = _goal(source, predictions, own if predictions is not None else own | dict.fromkeys(options, True))
    _check_numbers(width, difference, n, samples)
    if rate is not None and width is not None:
        return plan_rate(rate, width, level, n, method, read_assumed_clusters(clusters))
    if accuracy is not None:
        return plan_accuracies(accuracy, disagreement, power, level, n, read_assumed_clusters(clusters))
    if between is not None:
        if difference is None:
            raise TypeError("For assumed variances, difference= says what is to be found, such as 0.02.")
        return plan_questions(*read_question_variances(between, within), difference, power, level, samples or 1, "Assumed")
    if goal == GOALS_OF_RUNS:
        return source.plan(difference, power, level, samples)  # type: ignore[no-any-return]
    if measure is None:
        raise TypeError(
            f"Name the measure of {goal}: ix.power(ev, 'f1', 'macro', width=0.05), ix.power(y, {{'a': a, 'b': b}}, 'f1')."
        )
    measure, note = _mean_of_total(measure)
    if width is not None:
        return _with_note(plan_width(source, measure, average, width, level, method, undefined, clusters), note)
    chosen = resolve(measure)
    if clusters is not None and not isinstance(clusters, str) and predictions is not None:
        options["by"], clusters = {**(options.get("by") or {}), CLUSTERS: clusters}, CLUSTERS
    both = _count(source, predictions, not chosen.reads.counted, {"classes": classes, "positive": positive, **options})
    return _with_note(_separate(both, chosen, average, power, level, difference, undefined, clusters), note)


def _mean_of_total(measure: Any) -> tuple[Any, str]:
    """Return what is planned of a measure, of a total its mean, and a note."""
    found = resolve(measure)
    if not is_total(found):
        return measure, ""
    if not found.reads.formula:
        raise ValueError(f"{found} is a total that grows with the number of examples, so it cannot be planned. Plan a mean.")
    return resolve(per_example(found)), f"{found} is a total that grows with the number of examples: its mean is planned."


def _with_note(found: Power, note: str) -> Power:
    return replace(found, note=f"{note} {found.note}".strip())


def _check_share(name: str, value: Any, above: float = 0.0) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not above < value < 1:
        least_text = f"{above:.4g}" + (", which a test reaches without any difference," if above else "")
        raise ValueError(f"{name}={value!r} must be a share between {least_text} and 1, such as {0.8 if above else 0.95}.")


def _goal(source: Any, predictions: Any, options: Mapping[str, Any]) -> str:
    """Return what is planned; refuse what does not say it, and options that do not go with it."""
    if isinstance(source, Mapping) or (
        isinstance(predictions, Mapping) and any(hasattr(x, "tally") for x in predictions.values())
    ):
        raise TypeError(
            "Two evaluations do not tell which examples both classifiers get wrong. Give the labels: "
            "ix.power(y_true, {'lr': a, 'rf': b}, 'f1', 'macro')."
        )
    if predictions is not None and (source is None or not isinstance(predictions, Mapping)):
        raise TypeError("Give the true labels and the predictions of two classifiers by name: y_true, {'lr': a, 'rf': b}.")
    if predictions is not None and isinstance(source, PairedCounts):
        raise TypeError(
            "A joint holds the predictions. After it come the measure and the average: ix.power(joint, 'f1', 'macro')."
        )
    interval, pair, counted, _, variances, rate, accuracies = GOALS
    if source is None:
        assumed = {"rate": rate, "accuracy": accuracies, "between": variances}
        given = [name for name in assumed if options[name] is not None]
        if len(given) != 1:
            raise TypeError("Give an evaluation, labels, or assumed rates: rate=0.9 with width=0.05, or accuracy=(0.90, 0.92).")
        goal = assumed[given[0]]
    elif hasattr(type(source), "plan"):
        goal = GOALS_OF_RUNS
    elif hasattr(source, "tally") or hasattr(source, "units"):
        goal = interval
    elif isinstance(source, float | int):
        raise TypeError(
            f"{source!r} is neither an evaluation nor labels. An assumed value has a name: rate=0.9 with width=0.05, or "
            "accuracy=(0.90, 0.92)."
        )
    else:
        goal = counted if isinstance(source, PairedCounts) else pair
    wrong = [name for name, given in options.items() if given is not None and name not in GOALS[goal]]
    if wrong:
        takes = ", ".join(f"{name}=" for name in GOALS[goal])
        raise TypeError(f"{wrong[0]}= does not go with {goal}, which takes {takes}.")
    if "width" in GOALS[goal] and options["width"] is None:
        raise TypeError(
            f"For {goal}, width= says how wide the interval may be, such as 0.05. To separate two classifiers, give "
            "y_true and {'lr': a, 'rf': b}, or accuracy=(0.90, 0.92)."
        )
    return goal


def _check_numbers(width: Any, difference: Any, n: Any, samples: Any) -> None:
    if width is not None and (isinstance(width, bool) or not isinstance(width, int | float) or not 0 < width < math.inf):
        raise ValueError(f"width={width!r} must be a number above 0, such as 0.05.")
    if difference is not None and not (isinstance(difference, int | float) and math.isfinite(difference) and difference):
        raise ValueError(f"difference={difference!r} must be a number other than 0, such as 0.02.")
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int | np.integer) or samples < 1):
        raise ValueError(f"samples={samples!r} must be a whole number of answers to each question, at least 1.")
    if n is not None and (isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1):
        raise ValueError(f"n={n!r} must be a whole number of examples.")


def _count(source: Any, predictions: Mapping[Any, Any] | None, of_scores: bool, options: Mapping[str, Any]) -> PairedCounts:
    """Return the joint of two classifiers: the one given, or that of labels or of a joint table."""
    names = source.names if isinstance(source, PairedCounts) else ("first", "second") if predictions is None else (*predictions,)
    if len(names) != 2:
        raise ValueError(
            f"Two classifiers are compared, but {len(names)} were given: {', '.join(map(str, names))}. Give two by name."
        )
    if isinstance(source, PairedCounts):
        return source
    if predictions is None:
        return _joint_of_table(source, **options)
    given = {name: value for name, value in options.items() if value is not None}
    return paired_counts(source, predictions, labels=not of_scores, scores=of_scores, **given)


def _joint_of_table(table: Any, classes: Any, positive: Any) -> PairedCounts:
    """Return the joint of a table; cell [t, a, b] has examples of class t predicted as a and b."""
    counts = np.asarray(table)
    if counts.ndim != 3 or len(set(counts.shape)) != 1:
        raise ValueError(
            f"A joint table has one axis for the true class and one for each classifier, all of the same length; this has shape "
            f"{counts.shape}. Give y_true and {{'a': labels, 'b': labels}}, or such a table of counts."
        )
    whole = (
        counts.dtype.kind in "iuf" and np.isfinite(counts).all() and (counts >= 0).all() and (counts == np.floor(counts)).all()
    )
    if not whole:
        raise ValueError("A joint table holds counts of examples: whole numbers that are not negative. Multiply shares by n.")
    counts, seen = counts.astype(np.int64), np.nonzero(counts)
    evaluations = tuple(from_confusion(counts.sum(axis=other), classes, positive=positive) for other in (2, 1))
    return PairedCounts(("first", "second"), evaluations, JointLabels(np.stack(seen), counts[seen]))


def _separate(
    both: PairedCounts,
    measure: Any,
    average: Any,
    power: float,
    level: float,
    difference: float | None,
    undefined: Undefined,
    clusters: str | None,
) -> Power:
    """Return how many examples separate two classifiers on a measure or an area."""
    if not both.n:
        raise ValueError("There are no examples, so nothing is known about the two classifiers.")
    one, other = (_score(source, measure, average, undefined) for source in _sources(both, measure))
    for name, score in zip(both.names, (one, other), strict=True):
        if not math.isfinite(score):
            raise ValueError(
                f"{measure} of {name} is undefined here, so it cannot be compared. Give undefined= a number, such as 0."
            )
    groups = None if clusters is None else _number_of_clusters(both, measure, clusters)
    contrast: Any
    try:
        if clusters is None or not measure.reads.counted:
            contrast = independent_contrast(both, (0, 1), measure, (one, other), clusters)
        else:
            contrast = contrast_of_groups(clusters, (both.aligned[0], both.aligned[1]), measure, (one, other))
    except ValueError as reason:
        raise ValueError(f"{measure} of two classifiers cannot be planned here: {str(reason).removesuffix('.')}.") from None
    return plan_difference(contrast, (one, other), (both.names[0], both.names[1]), both.n, power, level, difference, groups)


def _number_of_clusters(both: PairedCounts, measure: Any, clusters: Any) -> int:
    """Return how many clusters two classifiers were counted on; refuse what is not a grouping."""
    check_named_clusters(clusters)
    if measure.reads.counted:
        return len(both.aligned[0].tally.sizes_of(clusters))
    found = clusters_of_rows(both.sweeps[0], clusters)
    return 0 if found is None else int(found.max()) + 1


def _sources(both: PairedCounts, measure: Any) -> Iterable[Any]:
    """Return what the scores of a measure are of: evaluations on the same classes, or sweeps for an area."""
    counted = measure.reads.counted
    sources: Iterable[Any] = (both.evaluations and both.aligned) if counted else both.sweeps
    if not sources:
        what = "decisions: leave labels= out" if counted else "the scores of each example: count with scores=True"
        raise ValueError(f"{measure} needs {what} in ix.inference.paired_counts.")
    return sources


def _score(source: Any, measure: Any, average: Any, undefined: Undefined) -> Score:
    found: Score = measure.score(source, average, undefined)
    return found
