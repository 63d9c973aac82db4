"""compare(): several classifiers side by side, from labels, a joint, or separate evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.average import ALIASES
from ..algebra.kind import CLUSTERS
from ..algebra.measure import Measure
from ..algebra.measure_names import resolve, split_score, split_scores
from ..algebra.score import Undefined
from ..encode.containers import read
from ..encode.device_arrays import place_of, to_host
from ..encode.weights import read_groupings
from ..evaluate import OPTION_NAMES
from ..evaluation import Evaluation
from ..inference.estimators.of_evaluation import check_named_clusters
from ..inference.estimators.of_source import draws_itself, is_of_images
from ..theory.result.odd_labels import describe_alike_labels, describe_foreign_labels, describe_missing_texts
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from .columns import Columns, chosen_scores, name_evaluations, refuse_cross_validation
from .comparison import Comparison
from .paired_counts import PairedCounts, paired_counts, sweeps_of
from .row import doubts, doubts_about_hidden, doubts_about_units, mark_best

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from .differences import DifferenceTests


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
    interval, and every difference an interval and a paired test, which uses on which examples the classifiers disagree.
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
        Measures, their names, or formulas, in the order of the rows. Areas such as "auc", and "brier" and "log_loss", take
        predictions that are scores. Default: accuracy, F1 (macro, and of the positive class where there is one) and MCC; with
        decide=, which says that predictions are scores, also AUC and, of probabilities, the Brier score. A text may name the
        average, too: ["accuracy", "macro f1"].
    averages : str or iterable, optional
        Averages. Default: as for ``ix.f1``, that of the positive class where there is one, otherwise macro. Accuracy without
        an average is the share of examples that are right.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude', a number, 'nan' or 'raise'.
    by : str, iterable of str or mapping, optional
        The same scores are also compared within each group: names of ``by`` axes of the evaluations, or with labels the groupings
        themselves, ``{"site": ids}``. Differences are tested for all examples together.
    baseline : str, optional
        The classifier with which the others are compared. Default: all pairs are tested.
    level : float, optional
        The level of intervals, and 1 less the level of tests. Default: 0.95.
    method : str, optional
        The test. Default: "mcnemar_mid_p" for shares of right answers such as accuracy and recall, "score" for AUC and other
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
        Whether all scores are one family. Default: each score is a question of its own.
    seed : int, optional
        Seed of the random draws; the same seed gives the same result. Default: 0.
    clusters : str or array-like, optional
        Groups of examples that were sampled as a whole, such as patients with several images each: the name of a ``by`` axis, or
        with labels one group per example. Default: every example counts as independent.
    at : float, optional
        A threshold probability, with predictions that are scores: a score of at least ``at`` is positive, and measures of costs
        such as net_benefit have this threshold as their ``p_t``. ``ix.compare(y, {"a": p, "b": q}, "net_benefit", at=0.1)``.
    **options
        With labels: what ``evaluate`` takes, such as classes=, positive=, decide=, mask=, sample_weight=, missing=.

    Returns
    -------
    Comparison
        One row for each score, one column for each classifier. ``doubts`` says what makes them hard to compare.

    Notes
    -----
    Tests of predictions for the same examples are paired: they use how often one classifier is right where the other is wrong,
    which the two scores alone do not show. "delta" is a normal approximation from how much each example moves the difference of
    the scores.

    References
    ----------
    - Q. McNemar (1947). Note on the sampling error of the difference between correlated proportions or percentages.
      Psychometrika 12:153-157. https://doi.org/10.1007/BF02295996
    - M. W. Fagerland, S. Lydersen, P. Laake (2013). The McNemar test for binary matched-pairs data: mid-p and asymptotic are
      better than exact conditional. BMC Medical Research Methodology 13:91. https://doi.org/10.1186/1471-2288-13-91
    - E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988). Comparing the areas under two or more correlated receiver
      operating characteristic curves: a nonparametric approach. Biometrics 44:837-845. https://doi.org/10.2307/2531595
    - R. G. Newcombe (1998). Interval estimation for the difference between independent proportions: comparison of eleven
      methods. Statistics in Medicine 17:873-890.
      https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C873::AID-SIM779%3E3.0.CO;2-I
    - G. Y. Zou, A. Donner (2008). Construction of confidence limits about effect measures: a general approach. Statistics in
      Medicine 27:1693-1702. https://doi.org/10.1002/sim.3095
    - T. Hothorn, F. Bretz, P. Westfall (2008). Simultaneous inference in general parametric models. Biometrical Journal
      50:346-363. https://doi.org/10.1002/bimj.200810425
    - Y. Benjamini, Y. Hochberg (1995). Controlling the false discovery rate: a practical and powerful approach to multiple
      testing. Journal of the Royal Statistical Society B 57:289-300. https://doi.org/10.1111/j.2517-6161.1995.tb02031.x

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
    *: better than the other, by a test at the 5% level.
    <BLANKLINE>
    rf has a higher macro f1 than lr by 0.389 [0.341, 0.437] (paired delta, p < 0.0001).
    """
    if isinstance(measures, Evaluation) or isinstance(predictions, Evaluation):
        raise TypeError(
            "compare() takes all evaluations as one argument: put them in a list, ix.compare([ev1, ev2]), or in a dictionary "
            "with names, ix.compare({'lr': ev1, 'tree': ev2})."
        )
    if hasattr(type(y_true), "plan"):  # runs of language models
        given: dict[str, Any] = {"undefined": undefined, "baseline": baseline, "level": level, "method": method, "margin": margin}
        given |= {"correction": correction, "seed": seed, "clusters": clusters}
        refuse_unknown("compare", options, OPTION_NAMES, HINTS)
        known = {"averages": averages, "by": by or None, "at": at, "across_scores": across_scores or None, **options}
        other = [name for name, value in known.items() if value is not None]
        if other:
            raise TypeError(
                f"{other[0]}= is not about runs of language models, whose scores are means over questions. Leave it out."
            )
        return y_true.compare(predictions if measures is None else measures, **given)  # type: ignore[no-any-return]
    several = y_true.values() if isinstance(y_true, Mapping) else y_true if isinstance(y_true, list | tuple) else ()
    if any(hasattr(type(one), "plan") for one in several):
        raise TypeError(
            "Runs of language models are compared question by question, as one: ix.compare(runs + others). Models have names of "
            "their own, and ix.read_evals(…, repeats='apart') keeps two logs of the same model apart."
        )
    if at is not None:
        measures, options = _at_threshold(at, measures, predictions, options)
    by = by if isinstance(by, str | list | tuple) else read_groupings(by)
    refuse_unknown("compare", [name for name in options if name in HINTS], OPTION_NAMES, HINTS)
    left_out: tuple[str, ...] = ()
    if isinstance(predictions, Mapping):
        chosen, averages = _chosen(measures, averages)
        counted_by, clusters = _with_clusters(by, clusters)
        grouped = {**options, "by": counted_by} if counted_by else options
        columns, left_out = _counted_together(y_true, predictions, [m for m, _ in chosen], grouped)
        by = tuple(by)
    else:
        if options:
            refuse_unknown("compare", options, OPTION_NAMES, HINTS)
            raise TypeError(f"{next(iter(options))}= is about labels, and these are counted already. Leave it out.")
        if predictions is not None:  # what is counted already comes first, then measures and averages
            measures, averages = predictions, averages if measures is None else measures
        columns = _counted_already(y_true)
        if not draws_itself(columns.sources[0]):
            check_named_clusters(clusters)
        chosen, averages = _chosen(measures, averages)
        if by and any(map(is_of_images, columns.sources)):
            raise ValueError("by= compares groups of examples; clusters= names an axis of images that were sampled together.")
    tested = columns.paired or (baseline, level, method, margin, clusters) != (None,) * 5
    from .differences import DifferenceTests

    level = 0.95 if level is None else level
    asked = DifferenceTests(baseline, level, method, margin, correction, seed, clusters, across_scores) if tested else None
    return _compare(columns, chosen, averages, undefined, _several(by, str), asked, left_out)


def _at_threshold(at: Any, measures: Any, predictions: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return measures and options of decisions at a threshold probability."""
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 < at < 1:
        raise ValueError(f"at={at!r} must be a threshold probability between 0 and 1, such as 0.1.")
    if not isinstance(predictions, Mapping):
        raise ValueError("at= decides scores: ix.compare(y_true, {'a': scores, 'b': other}, 'net_benefit', at=0.1).")
    if options.get("decide") is not None:
        raise ValueError("at= is the threshold of decisions, and decide= says how to decide, too. Leave one of them out.")
    given = [] if measures is None else [measures] if isinstance(measures, str | Measure) else [*measures]
    found = []
    for name, average in map(split_score, given):
        measure = resolve(name)
        if "p_t" in measure.params:
            _check_probabilities(predictions)
            measure = measure.at(p_t=float(at))
        found.append(measure if average is None else f"{average} {measure}")
    return (found or None), {**options, "decide": float(at)}


def _check_probabilities(predictions: Mapping[Any, Any]) -> None:
    """Refuse scores that are not probabilities."""
    for name, scores in predictions.items():
        numbers = np.asarray(
            to_host(scores) if place_of(scores) else getattr(read(scores, f"predictions[{name!r}]"), "values", 0)
        )
        odd = numbers[(numbers < 0) | (numbers > 1)] if numbers.dtype.kind in "iuf" else numbers[:0]
        if len(odd):
            raise ValueError(
                f"at= is a threshold of probabilities, numbers from 0 to 1; {name!r} has a score {odd[0]}. Calibrate the scores "
                "first."
            )


def _compare(
    columns: Columns,
    measures: Sequence[tuple[Measure, Sequence[Any]]],
    averages: Sequence[Any],
    undefined: Any,
    by: Sequence[str],
    asked: DifferenceTests | None,
    left_out: tuple[str, ...],
) -> Comparison:
    """Return some scores of every column, with intervals and tested differences if tests are asked for."""
    names, evaluations = columns.names, columns.evaluations
    if asked is not None:
        asked.check(names)
        columns.check_clusters(asked.clusters)
    keys = chosen_scores(columns, measures, averages)
    rows = tuple(columns.row(key, undefined) for key in keys)
    groups = {axis: columns.groups(axis, keys, undefined) for axis in by}
    about = (describe_foreign_labels, describe_alike_labels, describe_missing_texts)
    odd = filter(None, (describe(ev, name) for describe in about for name, ev in zip(names, evaluations, strict=False)))
    found = (*doubts(evaluations), *doubts_about_hidden(dict(zip(names, evaluations, strict=False))), *odd) if evaluations else ()
    found = (*found, *doubts_about_units(names, rows, groups))
    made = Comparison(names, rows, found, undefined, groups, left_out=left_out, joint=columns.joint, evaluations=evaluations)
    if asked is None:
        return made
    from .differences import ABOUT_UNPAIRED, UNPAIRED, differences_of, with_intervals

    known: dict[int, Any] = {}  # what was sampled of each score, which its interval and its differences read
    rows = tuple(with_intervals(columns, row, undefined, asked, known) for row in rows)
    differences = differences_of(columns, rows, undefined, asked, known)
    unpaired = not columns.paired and not (differences and all(d.method not in (UNPAIRED, "") for d in differences))
    found = (*found, ABOUT_UNPAIRED) if unpaired else found
    return replace(made, rows=mark_best(rows, names, differences), differences=differences, doubts=found)


def _counted_together(
    y_true: Any, predictions: Mapping[Any, Any], measures: Sequence[Measure], options: Mapping[str, Any]
) -> tuple[Columns, tuple[str, ...]]:
    """Return classifiers on the same examples, and why some of the usual scores are not shown."""
    for name, one in predictions.items():
        refuse_cross_validation(f"predictions[{name!r}]", one)
    y_true, predictions = _listed(y_true), {name: _listed(one) for name, one in predictions.items()}
    scores, decided = any(not m.reads.counted for m in measures), options.get("decide") is not None
    labels = decided or not measures or any(m.reads.counted for m in measures)
    joint = paired_counts(y_true, predictions, labels=labels, scores=scores, **options)
    if measures or not decided:
        return Columns.of_joint(joint), ()
    return _with_usual_of_scores(joint, y_true, predictions, options)


def _counted_already(given: Any) -> Columns:
    """Return the columns of a joint, or of evaluations and results of images by name."""
    if isinstance(given, PairedCounts):
        return Columns.of_joint(given)
    return Columns.of_evaluations(name_evaluations(given))


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


def _chosen(measures: Any, averages: Any) -> tuple[list[tuple[Measure, tuple[Any, ...]]], tuple[Any, ...]]:
    """Return the measures that are named, each with its averages, and the averages of all."""
    named, averages = split_scores(measures, averages)
    return [(resolve(m), _names(own)) for m, own in named], _names(averages)


def _names(averages: Any) -> tuple[Any, ...]:
    return tuple(ALIASES.get(a, a) if isinstance(a, str) else a for a in _several(averages, str))


def _with_usual_of_scores(
    joint: PairedCounts, y_true: Any, predictions: Mapping[Any, Any], options: Mapping[str, Any]
) -> tuple[Columns, tuple[str, ...]]:
    """Return columns whose usual scores have AUC and Brier score, with the scores that these read.

    Scores that cannot be ranked have neither, and scores that are not probabilities no Brier score; it says so.
    """
    try:
        columns = Columns.of_joint(replace(joint, sweeps=sweeps_of(y_true, predictions, options)))
    except (ValueError, TypeError) as reason:
        return Columns.of_joint(joint), (f"AUC and Brier score are not shown: {reason}",)
    auc, brier = resolve("auc"), resolve("brier")
    try:
        columns.row((brier, None), "exclude")
    except ValueError as reason:
        return replace(columns, also=(auc,)), (f"The Brier score is not shown: {reason}",)
    return replace(columns, also=(auc, brier)), ()
