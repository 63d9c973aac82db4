"""The pairs of classes that a cost matrix prices, counted or expected.

Also the interval of a cost (sec:cost, errata A4).

They are counted in an evaluation, and expected for memberships. Errors on examples with costs of their own cost what they are
weighted with. A cost is a function of the confusion matrix, as kappa is one, so it varies with the same examples.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import Average, evaluate_labels, makers
from ..algebra.ends import wilson_of_each
from ..algebra.fuzzy.tnorms import tnorm as find_tnorm
from ..algebra.measure import Measure
from ..algebra.score import Score
from ..algebra.source_score import Offer, OfferedAverages
from ..algebra.sums import sums
from ..catalogue.matrix_measures import TABLE, TableFacts
from ..encode.pairs import Reading, encode
from ..encode.weights import check_by, check_mask, check_weights
from ..settings.example_costs import UNKNOWN, ExampleCosts, check_product, mixtures
from ..tally.states.group_counts import CrossTable, sort_names
from ..tally.tally import MANY_GROUPED

COST, TOTAL, POOLED = sums("cost", "lower"), "total", Average(())  # the total is the sum over all examples
ALIKE = {"example": "it weights examples by their counts, but for a cost all examples count the same."}
SOFT = ("classes", "tnorm", "decide", "sample_weight", "mask", "missing", "by", "signed_weights", "positive")
PER_EXAMPLE = ("micro", "exemplar", TOTAL)
RARE = 5  # examples of a pair of classes below which its share is hardly known


@dataclass(frozen=True, eq=False)
class PricedPairs:
    """How often each pair of true and predicted class occurred, for each group.

    The last row and column mean no class.
    """

    classes: tuple[Any, ...]
    tables: Mapping[Any, Array]  # group name -> (m + 1) x (m + 1) table; one group () if no groups are averaged
    rule: Average  # how the costs of classes or groups are averaged

    @property
    def axis(self) -> str:
        """The axis over which costs are averaged: classes or groups of examples; "" if there is one cost."""
        return self.rule.per[0] if self.rule.per else ""


def find_rule(average: str, by: tuple[str, ...]) -> Average:
    """Return how costs are averaged.

    All examples count the same, so a mean over examples is the cost of all examples together.
    """
    offer = Offer(COST, ("class", "example", *by), unweighted=ALIKE)
    name, rule = OfferedAverages(COST, offer, "for a cost").find(average, also=(TOTAL,))
    return POOLED if name == TOTAL or "example" in rule.per else rule


def pairs_of(source: Any, average: str) -> PricedPairs:
    """Return the pairs of an evaluation, pooled or for each group that is averaged."""
    tally = source.tally
    rule = find_rule(average, tally.by)
    axis = next(iter(rule.per), None)
    if not isinstance(tally.pooled, CrossTable):
        raise ValueError(_why_no_pairs(source))
    if axis not in tally.by:
        return PricedPairs(tally.classes, {(): tally.pooled.table}, rule)
    at, parts = tally.by.index(axis), dict[Any, CrossTable]()
    for key, part in tally.parts.items():
        parts[key[at]] = parts[key[at]] + part if key[at] in parts else part
    return PricedPairs(tally.classes, {name: parts[name].table for name in sort_names(set(parts))}, rule)


def _why_no_pairs(source: Any) -> str:
    for name in filter(source.recipe.uses, ("cost", "ordinal", "hierarchy", "targets")):
        return f"An evaluation with {name}= does not keep pairs of classes, which a cost matrix needs. Leave {name}= out."
    if source.kind == "multilabel":
        return (
            "A cost matrix needs one true and one predicted class per example; with several labels, even a perfect "
            "prediction would cost costs[j, k] + costs[k, j]. Give costs per label instead: "
            "evaluate(…, cost=ix.tasks.label_costs(fp=…, fn=…)). A one-hot 0/1 matrix can be given with tnorm='product'."
        )
    if source.kind == "soft":
        return (
            "An evaluation of memberships does not keep pairs of classes. Call ix.cost(y_true, y_pred, costs, tnorm='product')."
        )
    if source.kind == "counts":
        return "Only counts per class are known, not the pairs of true and predicted classes. Evaluate the labels to get a cost."
    if len(source.classes) > MANY_GROUPED:
        return f"With {len(source.classes)} classes, pairs are kept only on request: evaluate with confusion=True."
    return "The pairs of classes are unknown here, for example because of a mask of entries. Mask whole examples instead."


def expected_pairs(y_true: Any, y_pred: Any, average: str, options: Mapping[str, Any]) -> PricedPairs:
    """Return how often each pair of classes is expected to occur.

    Truth and prediction are drawn independently from their memberships.
    """
    odd = [k for k in options if k not in SOFT or (k == "missing" and options[k] not in ("error", "mask"))]
    if odd:
        option = f"{odd[0]}={options[odd[0]]!r}" if odd[0] == "missing" else f"{odd[0]}="
        raise ValueError(f"{option} does not combine with memberships in ix.cost; these do: {', '.join(SOFT)}.")
    check_product(find_tnorm(options["tnorm"]))
    read_by = {k: options[k] for k in ("classes", "missing", "positive") if k in options}
    pair = encode(y_true, y_pred, Reading.of(rule=options.get("decide"), soft=True, **read_by))
    n, classes = pair.n, pair.y.classes
    by = check_by(options.get("by"), n)
    rule = find_rule(average, tuple(by))
    axis = next((axis for axis in rule.per if axis in by), None)
    mask = check_mask(options.get("mask"), n, len(classes))
    if pair.cells is not None or (mask is not None and mask.shape[1] > 1):
        raise ValueError(UNKNOWN)
    weights = check_weights(options.get("sample_weight"), n, signed=bool(options.get("signed_weights")))
    kept = np.ones(n, bool) if pair.rows is None else pair.rows
    seen = (kept if mask is None else kept & mask[:, 0])[kept]
    names, group = ([()], np.zeros(n, int)) if axis is None else by[axis]
    group, amount = group[kept], seen.astype(np.float64) if weights is None else weights[kept] * seen
    tables = {name: np.zeros((len(classes) + 1,) * 2) for name in names}
    for rows, y, yhat in mixtures(pair, seen):
        codes, amounts = group[rows], amount[rows]
        for g in np.unique(codes).tolist():
            mine = codes == g
            tables[names[g]][:-1, :-1] += y[mine].T @ (yhat[mine] * amounts[mine][:, None])
    return PricedPairs(classes, tables, rule)


def pairs_with_costs(
    y_true: Any, y_pred: Any, costs: ExampleCosts, average: str, options: Mapping[str, Any]
) -> tuple[PricedPairs, list[Array]]:
    """Return how often each pair of classes occurred in each group, and what its errors cost together.

    A cost is a multiplicity of an error, so the costs of all errors are the counts of an evaluation with the costs as weights.
    """
    check_for_errors(costs, options)
    ev = evaluate_labels(y_true, y_pred, **options)
    pairs, missed = pairs_of(ev, average), _row_of_misses(costs, ev)
    spent = _sum_costs(y_true, y_pred, costs.of("fp"), average, options)
    if missed is not None:
        misses = _sum_costs(y_true, y_pred, costs.of("fn"), average, options)
        for name, table in spent.items():
            table[missed] = misses[name][missed]
    wrong = ~np.eye(len(pairs.classes) + 1, dtype=bool)
    wrong[:, -1] = False  # abstain_cost= prices predictions that name no class
    return pairs, [np.where(wrong, spent[name], 0) for name in pairs.tables]


def check_for_errors(costs: ExampleCosts, options: Mapping[str, Any]) -> None:
    """Refuse what gives right predictions a worth, and memberships, which are not errors."""
    if any(np.any(costs.of(kind) != 1) for kind in ("tp", "tn")):
        raise ValueError("tp and tn say what right predictions count in cells, evaluate(…, cost=…); ix.cost adds up errors.")
    if options.get("tnorm") is not None:
        raise ValueError("Costs of single examples are costs of errors, and memberships are not errors. Leave tnorm= out.")


def costs_of_errors(costs: ExampleCosts, ev: Any, true: Array) -> Array:
    """Return what an error on each example costs, whose true classes have these codes."""
    missed = _row_of_misses(costs, ev)
    fp, fn = (costs.of(kind).astype(np.float64) for kind in ("fp", "fn"))
    return fp if missed is None else np.where(true == missed, fn, fp)


def _row_of_misses(costs: ExampleCosts, ev: Any) -> int | None:
    """Return the true class whose errors are false negatives; None if both kinds of errors cost the same."""
    if np.array_equal(costs.of("fp"), costs.of("fn")):
        return None
    if len(ev.classes) > 2 or ev.positive is None:
        raise ValueError(
            "fp and fn differ, and without a positive class an error is a false positive of one class and a false negative of "
            "another, so it has two costs. Give one cost per example, example_costs([…]), or positive= and two classes."
        )
    return int(ev.classes.index(ev.positive)) if ev.positive in ev.classes else len(ev.classes)


def _sum_costs(y_true: Any, y_pred: Any, cost: Array, average: str, options: Mapping[str, Any]) -> dict[Any, Array]:
    weights = check_weights(options.get("sample_weight"), len(cost), signed=bool(options.get("signed_weights")), exact=True)
    worth = cost if weights is None else cost * weights
    ev = evaluate_labels(y_true, y_pred, **{**options, "sample_weight": worth})
    return {name: table.copy() for name, table in pairs_of(ev, average).tables.items()}


def interval_of_cost(ev: Any, score: Score, prices: Array, side: str, asked: tuple[Any, Any]) -> Any:
    """Return the interval of a cost of an evaluation; refuse what its pairs of classes do not tell.

    ``prices`` are what each pair costs, with a last row and column of no class; asked for are a level and clusters.
    """
    average, undefined = score.average, score.undefined
    table = np.asarray(ev.tally.pooled.table, np.float64)
    if average not in (*PER_EXAMPLE, "macro"):
        way = f"Ask each part of ev.split({average!r})" if average in ev.tally.by else "Use 'micro', 'macro' or 'total'"
        raise ValueError(f"There is no interval for the {average!r} average of a cost. {way}.")
    if table[:, -1].any():
        raise ValueError(
            "There is no interval of a cost with predictions that name no class: it reads pairs of classes. Let abstaining be a "
            "class of its own, with a column of costs."
        )
    own, cells, axis = prices[:-1, :-1].astype(np.float64), table[:-1, :-1], 1 if side == "true" else 0
    sizes = cells.sum(axis=axis, keepdims=True)
    if average == "macro" and undefined != "exclude" and not sizes.all():
        raise ValueError(
            f"There is no interval of this cost: some classes have no examples, and what undefined={undefined!r} puts in their "
            "place does not vary. Leave undefined= out."
        )
    by_class = average == "macro"
    measure = _measure(own, by_class, axis, np.flatnonzero(sizes))
    level, clusters = asked
    found = makers().interval_of_call(ev, measure, None, "exclude", level, clusters)
    of, parts = (sizes, np.count_nonzero(sizes)) if by_class else (np.full_like(cells, cells.sum()), 1)
    rare = _about_rare(cells, of, (own - own.min()) / parts, found)
    note, warning = (" ".join(filter(None, (text, rare))) for text in (found.note, found.warning))
    size = float(table.sum()) if average == TOTAL else 1.0
    low, high = min(found.low * size, float(score)), max(found.high * size, float(score))  # products are rounded
    about: dict[str, Any] = {"measure": score.measure, "average": average, "note": note, "warning": warning}
    return replace(found, value=float(score), low=low, high=high, **about)


def _measure(prices: Array, by_class: bool, axis: int, seen: Array) -> Measure:
    """Return the cost per example, or its mean over classes, as a function of the matrix.

    The mean is over classes that were seen, the matrix is the confusion matrix.
    """

    def per_example(table: Any) -> Any:
        return (table * prices).sum() / table.sum()

    def mean_over_classes(table: Any) -> Any:
        paid, examples = (table * prices).sum(axis=axis)[seen], table.sum(axis=axis)[seen]
        return (paid / examples).sum() / len(seen)

    function = mean_over_classes if by_class else per_example
    return Measure("cost", function, "lower", (float(prices.min()), float(prices.max())), reads=TABLE, facts=TableFacts())


def _about_rare(cells: Array, of: Array, spent: Array, found: Any) -> str:
    """Return a warning if a rarely seen error may cost more than the interval says, or ""."""
    sizes = np.broadcast_to(of, cells.shape)
    rare = (cells < RARE) & (sizes > 0)
    if math.isnan(found.low) or not rare.any():
        return ""
    highest = wilson_of_each(cells[rare] / sizes[rare], sizes[rare], found.level)[1]
    if (highest * spent[rare]).max() < (found.high - found.low) / 2:
        return ""
    return f"Fewer than {RARE} examples show an error that may cost much: the interval may be too short."
