"""The cost of predictions: a cost matrix as a bilinear form on the indicators (sec:cost)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import ALIASES, evaluate_labels
from ..algebra.counts import Counts
from ..algebra.kind import LONE_CLUSTERS, take_clusters
from ..algebra.measure import Measure
from ..algebra.score import Score, Undefined, check_undefined, score_of_units
from ..algebra.sums import sums
from ..algebra.values import Values
from ..encode.indicator import Indicator
from ..settings.cost_matrices import named_classes, read_matrix
from ..settings.example_costs import ExampleCosts, per_class
from ..settings.options import Options, refuse_sums
from ..settings.paper_settings import refuse
from ..settings.problem import prepare
from ..tally.counting.counting import observed_examples
from ..tally.states.group_counts import class_counts
from ..tally.tally import MANY_GROUPED
from ..words.call_mistakes import answers_mistakes
from .cost_pairs import (
    COST,
    TOTAL,
    PricedPairs,
    check_for_errors,
    costs_of_errors,
    expected_pairs,
    interval_of_cost,
    pairs_of,
    pairs_with_costs,
)

Exact = tuple[Array, int]  # integers of any size, and the denominator of all of them


@dataclass(frozen=True)
class CostQuestion:
    """A question about costs.

    Which average, grouped by which class, under which convention, and at which cost of abstaining.
    """

    average: str
    side: str
    undefined: Undefined
    abstain_cost: Any

    def __post_init__(self) -> None:
        check_undefined(self.undefined)
        if not isinstance(self.average, str):
            raise TypeError(
                f"average={self.average!r} is not a name. Use one such as 'micro', 'macro' or 'total', or an axis of by=."
            )
        object.__setattr__(self, "average", ALIASES.get(self.average, self.average))
        if self.side not in ("true", "predicted"):
            raise ValueError(
                f"side={self.side!r} is unknown. Macro cost groups examples by class: use side='true' or side='predicted'."
            )


@answers_mistakes
def cost(
    y_true: Any,
    y_pred: Any,
    costs: Any,
    *,
    average: str = "micro",
    side: str = "true",
    undefined: Undefined = "exclude",
    abstain_cost: Any = None,
    interval: float | bool | None = None,
    **options: Any,
) -> Any:
    """Return the cost of predictions under a cost matrix whose rows are the true classes.

    ``average`` says what the cost is divided by. "micro" and "exemplar" are the cost per example, and "total" is the sum.
    "macro" is the mean over classes of the cost per example of the class: the true class or, with side="predicted", the
    predicted one. Other averages over classes weight these costs. The name of an axis in by={"fold": ids} is the mean over its
    groups.

    Each side has one class per example. Predictions without a class need abstain_cost=, one number or one per true class.
    Memberships are possible with tnorm="product" if every row sums to 1: the result is the cost expected if truth and
    prediction are drawn independently, which is more than 0 even where both are equal.

    Parameters
    ----------
    y_true, y_pred : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    costs : array-like, DataFrame, Taxonomy, str or ExampleCosts
        The cost matrix, rows true: an array, a data frame that names its rows and columns, or a taxonomy (its distances). Also
        "zero_one", "absolute" (MAE) or "squared" (MSE), the last two for ordered classes: classes=, an ordered categorical, or
        whole numbers without a gap. Or costs of single examples, ``ix.tasks.example_costs(…)``.
    average : str, default 'micro'
        "micro" is the cost per example, "total" the sum, "macro" the mean over classes, the name of a by= axis the mean
        over its groups.
    side : str, default 'true'
        Whether "macro" takes classes by the "true" or the "predicted" label.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    abstain_cost : number or array-like, optional
        What a prediction without a class costs: one number, or one per true class.
    interval : float or bool, optional
        A level such as 0.95, or True for it: then the result is an interval, and ``clusters`` may say what was sampled.
    **options
        Everything that ``evaluate`` takes: classes, positive, sample_weight, mask, by, … See help(ix.evaluate).

    Returns
    -------
    Score or Interval
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.cost(["ill", "well", "well"], ["well", "ill", "well"], [[0, 5], [1, 0]])
    2.0
    >>> ix.cost([1, 2, 3, 3], [1, 3, 3, 1], "absolute", classes=[1, 2, 3], average="macro")
    0.6666666666666666
    """
    question = CostQuestion(average, side, undefined, abstain_cost)
    options = _read_options(y_true, y_pred, costs, options)
    clusters = take_clusters(options, interval, counted=False) if "clusters" in options else None
    if interval and (isinstance(costs, ExampleCosts) or options.get("tnorm") is not None):
        what = "costs of single examples have no common unit" if isinstance(costs, ExampleCosts) else "memberships are not counts"
        raise ValueError(f"There is no interval of this cost: {what}. Leave interval= out.")
    if isinstance(costs, ExampleCosts):
        pairs, errors = pairs_with_costs(y_true, y_pred, costs, question.average, options)
        declined = _prices(pairs, np.zeros((len(pairs.classes),) * 2, np.int64), question)
        spent = [paid + declined * often for paid, often in zip(errors, pairs.tables.values(), strict=True)]
        return _score(pairs, [_over_one_denominator(x) for x in spent], COST, question)
    if options.get("tnorm") is not None:
        pairs = expected_pairs(y_true, y_pred, question.average, options)
    else:
        shape = getattr(costs, "shape", None)
        if (shape[0] if shape else len(costs) if isinstance(costs, list | tuple) else 0) > MANY_GROUPED:
            options.setdefault("confusion", True)  # the table is as large as costs, so it fits in memory
        return _cost_of(evaluate_labels(y_true, y_pred, **options), costs, question, interval, clusters)
    return _score_matrix(pairs, costs, question, ordered=options.get("classes") is not None)[0]


@answers_mistakes
def cost_per_example(
    y_true: Any,
    y_pred: Any,
    costs: Any,
    *,
    abstain_cost: Any = None,
    **options: Any,
) -> Values:
    """Return the cost of each example under a cost matrix costs, in the order of the data.

    Parameters
    ----------
    y_true, y_pred : array-like
        One class per example on each side.
    costs : array-like, DataFrame, Taxonomy, str or ExampleCosts
        The cost matrix, rows true: an array, a data frame that names its rows and columns, or a taxonomy (its distances). Also
        "zero_one", "absolute" (MAE) or "squared" (MSE), the last two for ordered classes: classes=, an ordered categorical, or
        whole numbers without a gap. Or costs of single examples, ``ix.tasks.example_costs(…)``.
    abstain_cost : number or array-like, optional
        What a prediction without a class costs: one number, or one per true class.
    **options
        What ``evaluate`` takes, except what sums examples: sample_weight=, by=, confusion= and replicates=.

    Returns
    -------
    Values
        One cost per example, with ``.names`` 0 to n - 1; nan where nothing was observed. Its mean is ``cost``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.tasks.cost_per_example(["ill", "well", "well"], ["well", "ill", "well"], [[0, 5], [1, 0]]).tolist()
    [5.0, 1.0, 0.0]
    """
    refuse_sums("cost_per_example", options)
    if isinstance(costs, ExampleCosts):
        check_for_errors(costs, options)
    if options.get("tnorm") is not None:
        raise ValueError("cost_per_example needs one class on each side, not memberships. Leave tnorm= out, or use ix.cost.")
    options = _read_options(y_true, y_pred, costs, options)
    ev = evaluate_labels(y_true, y_pred, **options, confusion=True)
    pairs = pairs_of(ev, "micro")
    costs, own = ("zero_one", costs) if isinstance(costs, ExampleCosts) else (costs, None)
    prices = _prices(
        pairs, read_matrix(costs, pairs.classes, ordered=ev.ordered), CostQuestion("micro", "true", "exclude", abstain_cost)
    )
    problem = prepare(y_true, y_pred, Options(**options))
    x, kept = observed_examples(problem.pair, tnorm=None, mask=problem.mask)
    true, pred = (side.data.block(slice(None)) for side in (x.y, x.yhat))  # -1 is the last: no class
    spent, here = prices.astype(np.float64)[true, pred], slice(None) if kept is None else kept
    if own is not None:
        codes = np.full(problem.n, -1)
        codes[here] = true
        spent = np.where(pred < 0, spent, spent * costs_of_errors(own, ev, codes)[here])
    values = np.full(problem.n, math.nan)
    values[here] = spent
    return Values.of(values, (tuple(range(problem.n)),))


def _read_options(y_true: Any, y_pred: Any, costs: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of ``evaluate`` for labels with costs; refuse those that mean something else."""
    if "cost" in options:
        raise TypeError(
            "cost= is not an option of ix.cost, which has costs=. To weight the cells of measures, use evaluate(…, cost=…)."
        )
    refuse("cost", options)
    free = not any(options.get(k) is not None for k in ("classes", "known", "hierarchy"))
    if free and not isinstance(y_true, Indicator) and not isinstance(y_pred, Indicator):
        return options | {"classes": named_classes(costs)}  # a class of a named matrix may be absent from the data
    return options


def cost_of(
    source: Any,
    costs: Any,
    *,
    average: str = "micro",
    side: str = "true",
    undefined: Undefined = "exclude",
    abstain_cost: Any = None,
    interval: float | bool | None = None,
    clusters: str | None = None,
) -> Any:
    """Return the cost of an evaluation that keeps its pairs of classes.

    It is the same as ``cost``, without going back to the data.

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[8, 2], [1, 9]], classes=["ill", "well"])
    >>> ev.cost([[0, 5], [1, 0]]), ev.cost([[0, 5], [1, 0]], average="total")
    (0.55, 11.0)
    """
    if clusters is not None and not interval:
        raise TypeError(LONE_CLUSTERS)
    return _cost_of(source, costs, CostQuestion(average, side, undefined, abstain_cost), interval, clusters)


def _cost_of(ev: Any, costs: Any, question: CostQuestion, interval: Any, clusters: Any) -> Any:
    """Return the cost of an evaluation, or its interval."""
    score, prices = _score_matrix(pairs_of(ev, question.average), costs, question, ordered=ev.ordered)
    return interval_of_cost(ev, score, prices, question.side, (interval, clusters)) if interval else score


def _score_matrix(pairs: PricedPairs, costs: Any, question: CostQuestion, *, ordered: bool) -> tuple[Score, Array]:
    """Return the cost of pairs, and what each pair costs."""
    table = _prices(pairs, read_matrix(costs, pairs.classes, ordered=ordered), question)
    prices = _over_one_denominator(table)
    exact = [_over_one_denominator(table) for table in pairs.tables.values()]
    spent = [(often * prices[0], unit * prices[1]) for often, unit in exact]
    return _score(pairs, spent, sums(f"{costs} cost", "lower") if isinstance(costs, str) else COST, question), table


def _score(pairs: PricedPairs, spent: list[Exact], measure: Measure, question: CostQuestion) -> Score:
    """Return the average of what the pairs of classes cost together, in one table or one per group."""
    per, names = pairs.rule.per, (pairs.classes if pairs.axis == "class" else tuple(pairs.tables),)
    exact = [_over_one_denominator(table) for table in pairs.tables.values()]  # one table, unless groups are averaged
    amounts = (_amounts(table, paid, pairs.axis, question) for table, paid in zip(exact, spent, strict=True))
    values = np.array([v for some in amounts for v in some], np.float64)
    cells = [_cells(*table, pairs.axis == "class") for table in exact]
    four = np.concatenate(cells, axis=1) if cells else np.zeros((4, 0), np.int64)
    counts = Counts(*(x if per else x.item() for x in four), per=per, names=names if per else (), signed=True)
    weights = pairs.rule.weights(measure, counts)
    shown = values if per else values.item()
    return score_of_units(measure, question.average, question.undefined, shown, counts, weights, why=", without examples")


def _prices(pairs: PricedPairs, matrix: Array, question: CostQuestion) -> Array:
    """Return what each pair costs, with a last column for abstentions and a last row of zeros.

    Pairs without a price are an error.
    """
    tables = list(pairs.tables.values())
    if any(table[-1].any() for table in tables):
        raise ValueError("Some examples have no true class, so costs= has no row for them. Drop or mask them.")
    m, abstain = len(pairs.classes), np.zeros(len(pairs.classes), np.int64)
    if question.abstain_cost is not None:
        abstain = per_class(question.abstain_cost, pairs.classes, "abstain_cost")
    if any(table[:, -1].any() for table in tables):
        if question.abstain_cost is None:
            raise ValueError(
                "Some predictions name no class, and costs does not say what that costs. "
                "Pass abstain_cost=, one number or one per true class; 0 makes abstaining free."
            )
        if pairs.axis == "class" and question.side == "predicted":
            raise ValueError("side='predicted': an abstention has no predicted class, so it is in no group. Use side='true'.")
    wide = np.concatenate([matrix, abstain[:, None]], axis=1)
    return np.concatenate([wide, np.zeros((1, m + 1), wide.dtype)])


def _amounts(table: Exact, spent: Exact, axis: str, question: CostQuestion) -> list[float]:
    """Return the cost of the examples of a table: in total, per example, or per class.

    Per class is the cost per example of each class. It is nan where there are no examples.
    """
    (often, unit), (paid, scale) = table, spent
    if axis != "class":
        return [_quotient(paid.sum() * unit, scale * (unit if question.average == TOTAL else often.sum()))]
    side = 1 if question.side == "true" else 0
    return [_quotient(a * unit, b * scale) for a, b in zip(paid.sum(side)[:-1], often.sum(side)[:-1], strict=True)]


def _cells(often: Array, unit: int, by_class: bool) -> Array:
    """Return tp, fp, fn and tn of a table, per class or in total.

    A score shows them as the counts it was computed from.
    """
    cells = class_counts(often)
    cells = cells if by_class else cells.sum(axis=1, keepdims=True)
    whole = unit == 1 and max(map(abs, cells.flat), default=0) < 2**63
    return cells.astype(np.int64) if whole else np.array([x / unit for x in cells.flat]).reshape(cells.shape)


def _over_one_denominator(x: Array) -> Exact:
    """Return numbers, without rounding, as integers of any size over one denominator."""
    if x.dtype.kind in "iu":
        return x.astype(object), 1
    if x.dtype.kind == "f":
        part, power = np.frexp(x)
        least = min(int(power.min(initial=0)) - 53, 0)
        return (part * 2.0**53).astype(np.int64).astype(object) << (power - 53 - least).astype(object), 2**-least
    ratios = [v.as_integer_ratio() for v in x.ravel().tolist()]
    whole = math.lcm(*{below for _, below in ratios})
    exact = np.empty(len(ratios), object)
    exact[:] = [above * (whole // below) for above, below in ratios]
    return exact.reshape(x.shape), whole


def _quotient(a: int, b: int) -> float:
    """Return a/b, correctly rounded; nan if b is zero."""
    if not b:
        return math.nan
    try:
        return a / b
    except OverflowError:
        return math.inf if (a > 0) is (b > 0) else -math.inf
