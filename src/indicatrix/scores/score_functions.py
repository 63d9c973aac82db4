"""Losses, errors of calibration and rankings as measures: functions of the scores of each example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

from ..algebra.kind import OF_OTHERS, Kind
from ..algebra.measure import Measure
from ..algebra.score import Undefined
from ..algebra.source_score import AS_SOURCE
from ..algebra.sums import SUMS
from ..catalogue.matrix_measures import ORDER
from ..encode.plain_forms import Labels, Table
from .areas import HAND_TILL, RANKING, hand_till_auc, ordinal_auc
from .label_rankings import ranking_scores
from .label_rankings.gains import DCG, NDCG, TOP, dcg, ndcg, top_k_accuracy
from .label_rankings.ranking_scores import AT_K, MRR, mrr, precision_at_k, recall_at_k
from .probabilities import proper_scores
from .probabilities.brier_decomposition import BRIER_SKILL, LOG_LOSS_SKILL, SMOOTH, brier_skill, log_loss_skill, smooth_ece
from .probabilities.calibration import ECE, ece
from .probabilities.forecasts import OPTIONS
from .probabilities.hinge import HINGE, hinge_loss
from .probabilities.proper_scores import BALANCED, BRIER, LOG_LOSS, balanced_log_loss, brier, log_loss
from .score_input import check_options
from .scored import scores_of
from .thresholds.sweep import Sweep

OF_CALLS = ("y_true", "average", "undefined", "options")
OF_PAIRS = "an example belongs to several pairs of classes"
OF_BOUNDARIES = "an example is ranked at several boundaries between classes"


def arguments_of(swept: Sweep, average: Any) -> tuple[Any, Any, dict[str, Any]]:
    """Return the labels, scores and options with which a function reads the examples of a sweep."""
    rows = swept.rows
    if rows is None:
        raise ValueError("The scores of single examples were not kept, only their ranking. Sweep all examples at once.")
    options: dict[str, Any] = {"sample_weight": rows.weights, "mask": rows.mask}
    if isinstance(average, str) and average in rows.groups:
        names, codes = rows.groups[average]
        options["by"] = {average: Labels(codes, names, declared=True)}
    if rows.mask is not None and rows.mask.shape[1] == 1:
        options["mask"] = rows.mask[:, 0]
    given = {name: value for name, value in options.items() if value is not None}
    if swept.kind == "binary":
        return rows.labels[:, 0].astype(int), rows.scores[:, 0], given
    if rows.labels.ndim == 1:
        return Labels(rows.labels, swept.columns, declared=True), Table(rows.scores), {"classes": swept.columns, **given}
    return Table(rows.labels.astype(int), swept.columns), Table(rows.scores, swept.columns), given


def opened(measure: Measure, swept: Sweep, average: Any, undefined: Undefined) -> tuple[Measure, Any]:
    """Return what a function of labels and scores averages: a measure, and the source of what it reads."""
    lacking = [name for name in measure.facts.required if measure.params[name] is None]
    if lacking:
        raise ValueError(f"{measure.name} needs {lacking[0]}=: name it as in '{measure.name}({lacking[0]}=3)'.")
    y_true, scores, options = arguments_of(swept, average)
    given = {**options, **measure.params}
    found: tuple[Measure, Any] = measure.function(y_true, scores, average=AS_SOURCE, undefined=undefined, **given)
    return found


def _meaning(measure: Measure, source: Any, average: Any, undefined: Undefined) -> tuple[Measure, Any, Any]:
    """Return what is meant by a function of the scores of a source: itself, in its range here."""
    inner, made, average = _meaning_elsewhere(measure, source, average, undefined)
    return replace(measure, range=inner.range), made, average


def _meaning_elsewhere(measure: Measure, source: Any, average: Any, undefined: Undefined) -> tuple[Measure, Any, Any]:
    """Return the measure of another source that is meant, under the name that was asked for.

    Groups are read one by one.
    """
    if measure.facts.ordered and not getattr(source, "ordered", True):
        raise ValueError(f"{measure} needs classes in an order, and nothing says which it is. {ORDER}")
    swept = scores_of(source, measure)
    if isinstance(average, tuple):
        return measure, swept, average
    inner, made = opened(measure, swept, average, undefined)
    return inner.under(str(measure)), made, measure.facts.average if average is None else average


@dataclass(frozen=True)
class ScoreFacts:
    """What only a function of scores has."""

    required: tuple[str, ...] = ()  # parameters without a usual value, such as k
    average: str = ""  # the one that is meant if none is named
    ordered: bool = False  # it needs classes that stand in an order
    without_parts: str = ""  # why no units are sums of what examples add; "" if they are, and so have intervals


def _check_options(measure: Measure, options: dict[str, Any]) -> None:
    check_options(measure.name, options, (*measure.params, *measure.reads.of_calls, *OPTIONS))


SCORES = replace(
    RANKING,
    name="scores",
    what="the scores of each example",
    check_options=_check_options,
    is_unit=lambda x: False,
    unit="examples",
    value="one number",
    apply=SUMS.apply,
    meaning=_meaning,
    splits=True,
    infinite=True,
    pools_classes=False,
    left_out="",
    check_parameter=lambda measure, name, value: None,  # the function refuses what it cannot use
    help=("catalogue.listing", "help_on_function"),
    facts=ScoreFacts,
    examples=tuple,
    per_example=True,
)


ELSEWHERE = replace(SCORES, meaning=_meaning_elsewhere)  # functions that score another source, such as decided labels


def _measure(function: Callable[..., Any], of: Measure | None = None, kind: Kind = SCORES, **facts: Any) -> Measure:
    """Return a function of labels and scores as a measure; ``of`` is what it calls its own score."""
    taken = [*signature(function).parameters.values()][2:]
    own = [p for p in taken if p.name not in OF_CALLS]
    params = {p.name: None if p.default is p.empty else p.default for p in own}
    better, range, source = ("higher", (0, 1), "") if of is None else (of.better, of.range, of.source)
    usual = next(p.default for p in taken if p.name == "average")
    known = ScoreFacts(tuple(p.name for p in own if p.default is p.empty), usual, **facts)
    given: dict[str, Any] = {"group": "scores", "source": source, "params": params, "reads": kind, "facts": known}
    return Measure(function.__name__, function, better, range, **given)


FUNCTIONS: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        _measure(brier, BRIER.of),
        _measure(log_loss, LOG_LOSS.of),
        _measure(balanced_log_loss, BALANCED.of),
        *(_measure(vars(proper_scores)[name], of) for name, of in proper_scores.LOSSES.items()),
        _measure(brier_skill, BRIER_SKILL),
        _measure(log_loss_skill, LOG_LOSS_SKILL),
        _measure(ece, ECE.of),
        _measure(smooth_ece, SMOOTH.of),
        _measure(hinge_loss, HINGE),
        _measure(top_k_accuracy, TOP),
        _measure(precision_at_k, AT_K["precision"].of),
        _measure(recall_at_k, AT_K["recall"].of),
        _measure(ndcg, NDCG),
        _measure(dcg, DCG),
        _measure(mrr, MRR),
        *(_measure(vars(ranking_scores)[name], score.kind.of) for name, score in ranking_scores.RANKINGS.items()),
        _measure(hand_till_auc, HAND_TILL, without_parts=OF_PAIRS),
        _measure(ordinal_auc, kind=ELSEWHERE, ordered=True, without_parts=OF_BOUNDARIES),
    )
}
OF_OTHERS.update(FUNCTIONS)
OF_OTHERS.reserve(FUNCTIONS)
