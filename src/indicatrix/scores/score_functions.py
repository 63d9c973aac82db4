"""Losses, errors of calibration and rankings as measures: functions of the scores of each example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

from ..algebra.measure import Measure
from ..algebra.registry import OF_OTHERS
from ..algebra.score import Score, Undefined
from ..catalogue.matrix_measures import ORDER
from ..encode.plain_forms import Labels, Table
from .areas import RANKING
from .label_rankings import ranking_scores
from .label_rankings.gains import dcg, ndcg
from .label_rankings.ranking_scores import mrr, precision_at_k, recall_at_k
from .label_rankings.top_k_accuracy import top_k_accuracy
from .pairwise import hand_till_auc, ordinal_auc
from .probabilities.balanced_log_loss import balanced_log_loss
from .probabilities.calibration import ece
from .probabilities.forecasts import OPTIONS
from .probabilities.hinge import hinge_loss
from .probabilities.proper_scores import brier, log_loss, spherical_score
from .probabilities.skill import brier_skill, log_loss_skill
from .probabilities.smooth_calibration import smooth_ece
from .score_options import check_options
from .scored import scores_of
from .thresholds.sweep import Sweep

OF_CALLS = ("y_true", "average", "undefined", "options")
INFINITE = float("inf")
BY_ITSELF = "it averages by itself, and what each example adds to a unit is not known"
OF_LABELS = "it is {0} of decided labels, which has one: evaluate with decide=ix.top_k(k) and name '{0}'"
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


def _with_order(measure: Measure, source: Any, average: Any) -> Sweep:
    """Return the labels and scores of a source; its classes have an order if the function needs one."""
    if measure.facts.ordered and not getattr(source, "ordered", True):
        raise ValueError(f"{measure} needs classes in an order, and nothing says which it is. {ORDER}")
    return scores_of(source, measure)


def _score(measure: Measure, source: Sweep, average: Any, undefined: Undefined) -> Score:
    """Return the function of the examples of a sweep under an average; without one, under its own."""
    lacking = [name for name in measure.facts.required if measure.params[name] is None]
    if lacking:
        raise ValueError(f"{measure.name} needs {lacking[0]}=: name it as in '{measure.name}({lacking[0]}=3)'.")
    y_true, scores, options = arguments_of(source, average)
    named = {} if average is None else {"average": average}
    found: Score = measure.function(y_true, scores, undefined=undefined, **named, **options, **measure.params)
    found.measure = replace(measure, range=found.measure.range)  # which may depend on the number of classes
    return found


@dataclass(frozen=True)
class ScoreFacts:
    """What only a function of scores has."""

    required: tuple[str, ...] = ()  # parameters without a usual value, such as k
    ordered: bool = False  # it needs classes that stand in an order
    without_parts: str = BY_ITSELF  # why no units are sums of what examples add; "" if they are, and so have intervals


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
    apply=lambda measure, statistic: measure.function(*statistic, **measure.params),
    source_of=_with_order,
    own_score=_score,
    check_parameter=lambda measure, name, value: None,  # the function refuses what it cannot use
    help=("scores.area_help", "help_on_function"),
    facts=ScoreFacts,
    examples=tuple,
    per_example=True,
)


def _measure(
    function: Callable[..., Any],
    better: str,
    range: tuple[float, float] = (0, INFINITE),
    source: str = "",
    *,
    ordered: bool = False,
    without_parts: str = "",
) -> Measure:
    """Return a function of labels and scores as a measure."""
    taken = [*signature(function).parameters.values()][2:]
    own = [p for p in taken if p.name not in OF_CALLS]
    params = {p.name: None if p.default is p.empty else p.default for p in own}
    more: dict[str, Any] = {"group": "scores", "source": source, "params": params, "reads": SCORES}
    facts = ScoreFacts(tuple(p.name for p in own if p.default is p.empty), ordered, without_parts)
    return Measure(function.__name__, function, better, range, **more, facts=facts)


_OF_RANKINGS = [(name, score.kind.of) for name, score in ranking_scores.RANKINGS.items()]
FUNCTIONS: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        _measure(brier, "lower", (0, 2), "brier1950"),
        _measure(log_loss, "lower", source="good1952"),
        _measure(balanced_log_loss, "lower", source="good1952"),
        _measure(spherical_score, "higher", (0, 1), "gneiting2007"),
        _measure(brier_skill, "higher", (-INFINITE, 1), "wilks2011"),
        _measure(log_loss_skill, "higher", (-INFINITE, 1), "wilks2011"),
        _measure(ece, "lower", (0, 1), "guo2017"),
        _measure(smooth_ece, "lower", (0, 1), "blasiok2024"),
        _measure(hinge_loss, "lower", source="crammer2001"),
        _measure(top_k_accuracy, "higher", (0, 1), "russakovsky2015"),
        _measure(precision_at_k, "higher", (0, 1), without_parts=OF_LABELS.format("precision")),
        _measure(recall_at_k, "higher", (0, 1), without_parts=OF_LABELS.format("recall")),
        _measure(ndcg, "higher", (0, 1), "jarvelin2002"),
        _measure(dcg, "higher", (-INFINITE, INFINITE), "jarvelin2002"),
        _measure(mrr, "higher", (0, 1), "voorhees1999"),
        *(_measure(vars(ranking_scores)[name], of.better, of.range, of.source) for name, of in _OF_RANKINGS),
        _measure(hand_till_auc, "higher", (0, 1), "hanley1982", without_parts=OF_PAIRS),
        _measure(ordinal_auc, "higher", (0, 1), ordered=True, without_parts=OF_BOUNDARIES),
    )
}
OF_OTHERS.update(FUNCTIONS)
OF_OTHERS.reserve(FUNCTIONS)
