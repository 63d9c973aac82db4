"""compare(): several classifiers side by side, from labels, a joint, or separate evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.average import ALIASES
from ..algebra.kind import CLUSTERS
from ..algebra.measure import Measure
from ..algebra.measure_names import resolve, split_scores
from ..algebra.score import Undefined
from ..encode.weights import read_groupings
from ..evaluate import OPTION_NAMES
from ..evaluation import Evaluation
from ..inference.estimators.named_clusters import check_named_clusters
from ..theory.result.odd_labels import describe_alike_labels, describe_foreign_labels, describe_missing_texts
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from .chosen_scores import chosen_scores
from .common_classes import on_all_classes
from .comparison import Comparison
from .doubts import doubts, doubts_about_hidden, doubts_about_units
from .given_evaluations import is_of_images, name_evaluations, refuse_cross_validation
from .marks import mark_best
from .row import Row
from .score_rows import group_rows, rows_of_scores, score_rows

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from .differences import DifferenceTests
    from .paired_counts import PairedCounts


OF_SCORES = "give scores in place of predictions, and name what reads them: ix.compare(y_true, {'a': scores}, ['auc'])"
HINTS = {
    "interval": "level=0.95 gives every score an interval, and tests the differences",
    "better": "which values are better belongs to the measure: ix.measure('abs(fp - fn)', better='lower')",
    "scores": OF_SCORES,
    "labels": OF_SCORES,
}


@answers_mistakes(hints=HINTS)
def compare(
    y_true: Any,
    predictions: Any = None,
    measures: Any = None,
    averages: Any = None,
    *,
    undefined: Undefined = "exclude",
    by: Any = (),
    baseline: str | None = None,
    level: float | None = None,
    method: str | None = None,
    margin: float | None = None,
    correction: str | None = "max_t",
    across_scores: bool = False,
    seed: int | None = None,
    clusters: Any = None,
    at: float | None = None,
    **options: Any,
) -> Comparison:
    """Return the scores of several classifiers side by side, their differences tested.

    ``ix.compare(y_true, {"lr": a, "rf": b}, measures, averages)`` compares predictions for the same examples: every score has an
    interval, and every difference an interval and a test that knows in which examples the classifiers disagree.
    ``ix.compare({"lr": ev1, "rf": ev2}, measures, averages)`` shows separate evaluations; their differences are tested if you
    give level=, baseline=, method=, margin= or clusters=, as unpaired ones, which are less sharp. With clusters= they are paired
    by group if all of them have the same groups with as much of each true class: two segmentations of the same images by image.

    A star marks a value only if a test shows that it is better than every other of its row. One sentence for each pair of
    classifiers says by which scores the one is better; ``differences`` has all numbers.

    Parameters
    ----------
    y_true : array-like, PairedCounts, or mapping or iterable of Evaluation
        The true labels, as ``evaluate`` takes them; or what ``ix.inference.paired_counts`` made; or evaluations by name,
        ``{"lr": ev1, "rf": ev2}``, or in a list, which gives them the names 1, 2, … If classes differ, all are counted on the
        classes of all.
    predictions : mapping
        The predictions of each classifier by name, ``{"lr": a, "rf": b}``. If evaluations or a joint come first, leave it out:
        measures and averages then follow.
    measures : str, Measure or iterable, optional
        Measures, their names, or formulas. Areas such as "auc", and "brier" and "log_loss", take predictions that are scores.
        Left out: accuracy, F1 (macro, and of the positive class where there is one) and MCC; with decide=, which says that
        predictions are scores, also AUC and, of probabilities, the Brier score.
    averages : str or iterable, optional
        Averages. Left out: as ``ix.f1`` has it, that of the positive class where there is one, otherwise macro. Accuracy without
        an average is the share of examples that are right.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude', a number, 'nan' or 'raise'.
    by : str, iterable of str or mapping, optional
        The same scores are also compared within each group: names of ``by`` axes of the evaluations, or with labels the groupings
        themselves, ``{"site": ids}``. Differences are tested for all examples together.
    baseline : str, optional
        The classifier with which the others are compared. Left out: all pairs are tested.
    level : float, optional
        The level of intervals, and 1 less the level of tests. Left out: 0.95.
    method : str, optional
        The test. Left out: "mcnemar_mid_p" for shares of right answers such as accuracy and recall, "score" for AUC and other
        areas, "posterior" for formulas with min or max and unbounded measures, "delta" for all
        others; "mcnemar" or "permutation" if fewer than 10 examples make a difference. On request also "bootstrap", and "delong"
        for areas.
    margin : float, optional
        A difference that does not matter: whether one is not worse by more than it, and whether two are equivalent within it.
        Both are read off the interval, so each side is tested at (1 - level) / 2.
    correction : str or None, default 'max_t'
        How verdicts and intervals are corrected for the pairs of classifiers of one score. "max_t" compares each difference with
        the largest of all, so that all intervals hold together; "bh" keeps the share of false discoveries (Benjamini and
        Hochberg); None corrects nothing. The interval is always the one of the verdict.
    across_scores : bool, default False
        Whether all scores are one family. Left out: each score is a question of its own.
    seed : int, optional
        Where random draws start; the same seed gives the same result. Left out: 0.
    clusters : str or array-like, optional
        Groups of examples that were sampled as a whole, such as patients with several images each: the name of a ``by`` axis, or
        with labels one group per example. Left out: every example counts as independent.
    at : float, optional
        A threshold probability, with predictions that are scores: a score of at least ``at`` is positive, and measures of costs
        such as net_benefit have this threshold as their ``p_t``. ``ix.compare(y, {"a": p, "b": q}, "net_benefit", at=0.1)``.
    **options
        With labels: what ``evaluate`` takes, such as classes=, positive=, decide=, mask=, sample_weight=, missing=.

    Returns
    -------
    Comparison
        One row for each score, one column for each classifier. ``doubts`` says what makes them hard to compare.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a", "b", "b", "c"]
    >>> lr, tree = ix.evaluate(y, ["a", "b", "c", "c"]), ix.evaluate(y, ["a", "b", "b", "a"])
    >>> print(ix.compare({"lr": lr, "tree": tree}, "f1", "macro"))
                 lr   tree
    macro f1  0.778  0.556
    <BLANKLINE>
    No star: the differences were not tested. level=0.95 tests them.
    >>> y = [0, 1, 2, 1] * 40
    >>> print(ix.compare(y, {"lr": [0, 1, 1, 0] * 40, "rf": [0, 1, 2, 2] * 40}, "f1", "macro"))
                             lr                 rf
    macro f1  0.39 [0.33, 0.45]  0.78 [0.72, 0.83]*
    <BLANKLINE>
    *: better than the other, by a test at the level 0.95.
    <BLANKLINE>
    rf has a higher macro f1 than lr by 0.389 [0.341, 0.437] (paired delta, p < 0.0001).
    """
    if isinstance(measures, Evaluation) or isinstance(predictions, Evaluation):
        raise TypeError(
            "compare() takes all evaluations as one argument: put them in a list, ix.compare([ev1, ev2]), or in a dictionary "
            "with names, ix.compare({'lr': ev1, 'tree': ev2})."
        )
    if at is not None:
        measures, options = _at_threshold(at, measures, predictions, options)
    tests = (baseline, level, method, margin, clusters)
    by = by if isinstance(by, str | list | tuple) else read_groupings(by)
    refuse_unknown("compare", [name for name in options if name in HINTS], OPTION_NAMES, HINTS)
    if isinstance(predictions, Mapping):
        for name, one in predictions.items():
            refuse_cross_validation(f"predictions[{name!r}]", one)
        measures, averages = split_scores(measures, averages)
        from .paired_counts import paired_counts

        y_true, predictions = _listed(y_true), {name: _listed(one) for name, one in predictions.items()}
        counted_by, clusters = _with_clusters(by, clusters)
        tests = (baseline, level, method, margin, clusters)
        named, grouped = _asked_for(measures), {"by": counted_by} if counted_by else {}
        labels, scores = options.get("decide") is not None or bool(named.of_labels) or not named.of_scores, bool(named.of_scores)
        counted = paired_counts(y_true, predictions, labels=labels, scores=scores, **grouped, **options)
        if measures is None and options.get("decide") is not None:
            named, counted = _with_usual_of_scores(named, counted, y_true, predictions, {**grouped, **options})
        return _compare_paired_counts(
            counted, named, averages, undefined, tuple(by), _tests_to_do(tests, correction, across_scores, seed)
        )
    if options:
        refuse_unknown("compare", options, OPTION_NAMES, HINTS)
        raise TypeError(f"{next(iter(options))}= is about labels, and these are counted already. Leave it out.")
    if predictions is not None:  # what is counted already comes first, then measures and averages
        measures, averages = predictions, averages if measures is None else measures
    measures, averages = split_scores(measures, averages)
    check_named_clusters(clusters)
    from .paired_counts import PairedCounts

    if isinstance(y_true, PairedCounts):
        return _compare_paired_counts(
            y_true, _asked_for(measures), averages, undefined, by, _tests_to_do(tests, correction, across_scores, seed)
        )
    each = name_evaluations(y_true)
    if any(map(is_of_images, each.values())):
        from .of_images import compare_images

        if by:
            raise ValueError("by= compares groups of examples; clusters= names an axis of images that were sampled together.")
        return compare_images(each, measures, averages, undefined, _tests_to_do(tests, correction, across_scores, seed))
    made = _compare_evaluations(each, measures, averages, undefined, by)
    if tests == (None,) * 5:
        return made
    from .differences import ABOUT_UNPAIRED, UNPAIRED, separate_differences

    asked, aligned = _tests_to_do(tests, correction, across_scores, seed), on_all_classes([*each.values()], [*each])
    asked.check(made.names)
    found = separate_differences(made.names, aligned, made.rows, asked)
    rows = mark_best([_with_intervals(row, aligned, undefined, asked) for row in made.rows], made.names, found)
    about = () if found and all(d.method not in (UNPAIRED, "") for d in found) else (ABOUT_UNPAIRED,)
    return replace(made, rows=rows, differences=found, doubts=(*made.doubts, *about))


def _at_threshold(at: Any, measures: Any, predictions: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return measures and options of decisions at a threshold probability."""
    if isinstance(at, bool) or not isinstance(at, int | float | np.number) or not 0 < at < 1:
        raise ValueError(f"at={at!r} must be a threshold probability between 0 and 1, such as 0.1.")
    if not isinstance(predictions, Mapping):
        raise ValueError("at= decides scores: ix.compare(y_true, {'a': scores, 'b': other}, 'net_benefit', at=0.1).")
    if options.get("decide") is not None:
        raise ValueError("at= is the threshold of decisions, and decide= says how to decide, too. Leave one of them out.")
    alone = measures is None or isinstance(measures, str | Measure)
    given = [] if measures is None else [measures] if alone else [*measures]
    found = [resolve(m) if isinstance(m, Measure) or " " not in m else m for m in given]
    found = [m.at(p_t=float(at)) if isinstance(m, Measure) and "p_t" in m.params else m for m in found]
    return (found or None), {**options, "decide": float(at)}


def _with_intervals(row: Row, sources: Sequence[Any], undefined: Any, asked: DifferenceTests) -> Row:
    """Return a row with the interval of each value, given the evaluations or sweeps."""
    from .differences import intervals_of

    return replace(row, intervals=intervals_of(sources, row.key, undefined, asked)) if row.key else row


def _tests_to_do(tests: tuple[Any, ...], correction: str | None, across: bool, seed: int | None) -> DifferenceTests:
    from .differences import DifferenceTests

    baseline, level, method, margin, clusters = tests
    return DifferenceTests(baseline, 0.95 if level is None else level, method, margin, correction, seed, clusters, across)


def _compare_evaluations(named: Mapping[str, Evaluation], measures: Any, averages: Any, undefined: Any, by: Any) -> Comparison:
    """Return the scores of evaluations, on the classes of all."""
    aligned = on_all_classes([*named.values()], [*named])
    keys = chosen_scores(aligned, _several(measures, str | Measure), _usual_names(averages))
    rows = tuple(score_rows(aligned, keys, undefined))
    groups = {axis: tuple(group_rows(aligned, axis, keys, undefined)) for axis in _several(by, str)}
    about = (describe_foreign_labels, describe_alike_labels, describe_missing_texts)
    odd = filter(None, (describe(ev, name) for describe in about for name, ev in named.items()))
    doubted = (*doubts(aligned), *doubts_about_hidden(named), *odd, *doubts_about_units(tuple(named), rows, groups))
    return Comparison(tuple(named), rows, doubted, undefined, groups, evaluations=tuple(aligned))


def _compare_paired_counts(
    joint: PairedCounts, scores: AskedFor, averages: Any, undefined: Any, by: Any, asked: DifferenceTests
) -> Comparison:
    """Return the scores of classifiers on the same examples, with intervals and tested differences."""
    from ..inference.estimators.of_units import clusters_of_rows
    from .differences import paired_differences

    asked.check(joint.names)
    if asked.clusters is not None and joint.evaluations:
        joint.evaluations[0].tally.sizes_of(asked.clusters)  # refuses what is not a grouping
    if joint.sweeps:
        clusters_of_rows(joint.sweeps[0], asked.clusters)
    made = Comparison(joint.names, (), (), undefined)
    if joint.evaluations and (scores.of_labels or scores.usual or not scores.of_scores):
        of_labels = dict(zip(joint.names, joint.evaluations, strict=True))
        made = _compare_evaluations(of_labels, scores.of_labels, averages, undefined, by)
    aligned = joint.aligned
    of_scores = rows_of_scores(joint, scores.of_scores, _usual_names(averages), undefined)
    each = [*((row, aligned) for row in made.rows), *((row, joint.sweeps) for row in of_scores)]
    rows = tuple(_with_intervals(row, sources, undefined, asked) for row, sources in each if row.key)
    found = paired_differences(joint, rows, asked)
    return replace(made, rows=mark_best(rows, joint.names, found), differences=found, joint=joint, left_out=scores.left_out)


def _with_clusters(by: Any, clusters: Any) -> tuple[Any, str | None]:
    """Return the groupings, with clusters that are given themselves, and the name of the clusters."""
    if clusters is None or isinstance(clusters, str):
        return by, clusters
    if isinstance(by, str) or CLUSTERS in by:
        raise ValueError(f"by= has a grouping {CLUSTERS!r} already, or names of groupings. Let clusters= name one of by=.")
    return {**dict(by), CLUSTERS: clusters}, CLUSTERS


def _listed(given: Any) -> Any:
    """Return what can be read more than once."""
    return [*given] if isinstance(given, Iterator) else given


def _several(given: Any, one: Any) -> tuple[Any, ...]:
    return (given,) if isinstance(given, one) else () if given is None else tuple(given)


def _usual_names(averages: Any) -> list[Any]:
    return [ALIASES.get(a, a) if isinstance(a, str) else a for a in _several(averages, str)]


@dataclass(frozen=True)
class AskedFor:
    """What a comparison was asked for: measures of scores, and measures of labels."""

    of_scores: tuple[Measure, ...] = ()
    of_labels: tuple[Measure, ...] = ()
    usual: bool = False  # whether nothing was named
    left_out: tuple[str, ...] = ()  # why some of the usual scores are not shown


def _asked_for(measures: Any) -> AskedFor:
    """Return what some measures ask for."""
    found = [*map(resolve, _several(measures, str | Measure | FunctionType))]
    of_labels, of_scores = (tuple(m for m in found if m.reads.counted == counted) for counted in (True, False))
    return AskedFor(of_scores, of_labels, usual=not found)


def _with_usual_of_scores(
    asked: AskedFor, counted: PairedCounts, y_true: Any, predictions: Mapping[Any, Any], options: Mapping[str, Any]
) -> tuple[AskedFor, PairedCounts]:
    """Return what is asked for with AUC and Brier score, and the counts with the scores that these read.

    Scores that cannot be ranked have neither, and scores that are not probabilities no Brier score; it says so.
    """
    from .paired_counts import sweeps_of

    try:
        sweeps = sweeps_of(y_true, predictions, options)
    except (ValueError, TypeError) as reason:
        return replace(asked, left_out=(f"AUC and Brier score are not shown: {reason}",)), counted
    auc, brier = resolve("auc"), resolve("brier")
    counted, asked = replace(counted, sweeps=sweeps), replace(asked, of_scores=(auc,))
    try:
        rows_of_scores(counted, [brier], (), "exclude")
    except ValueError as reason:
        return replace(asked, left_out=(f"The Brier score is not shown: {reason}",)), counted
    return replace(asked, of_scores=(auc, brier)), counted
