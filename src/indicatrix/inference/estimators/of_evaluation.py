"""The estimator of a score of an evaluation: what was sampled, or why the counts do not tell it.

Sums of weights as numbers of effective examples: what the squares of the weights tell.

Weights say how much an example counts. Weights that are all equal change nothing; others make the sample as precise as a smaller
one without weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import BINARY, find_average
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.score import Score
from ...catalogue.matrix_measures import for_source
from ...tally.corrected.corrected import known_tally
from ...tally.states.group_counts import CrossTable, Part, Summed
from ...tally.states.moments import ABSENT
from ...tally.states.packed_groups import PackedTables
from ...tally.tally import Tally
from ..sampling.samples import (
    HALF,
    POSITIVE,
    Clusters,
    IndependentEntries,
    LabelRows,
    Pairs,
    Sample,
    TablesOfClusters,
    typical_weight,
)
from ..sampling.score_function import is_smooth, measure_of_two_classes, score_function, span_of, units_of_classes
from .clustered import check_tested_once
from .estimators import Estimator, OfCounts, OfGroups, OfMatrix
from .of_corrected import estimator_of_corrected
from .of_weights import OfMean, counted_units, replace_lost, scores_of_groups


def estimator_of(ev: Any, measure: Measure, score: Score, clusters: str | None) -> Estimator:
    """Return a score with what was sampled; refuse what cannot be known from the counts."""
    _check_clusters(ev, clusters)
    check_tested_once(ev, clusters)
    if isinstance(ev.tally.shares, str) and ev.tally.shares:
        raise ValueError(
            "There is no interval for this score: counts at estimated shares of classes were changed, and the estimate is of the "
            "whole. Add evaluations, or take classes or examples, first, and then with_priors(…)."
        )
    if ev.tally.corrected:
        looked_up = known_tally(ev.tally)
        if looked_up is None:
            return estimator_of_corrected(ev, measure, score, clusters)
        ev = replace(ev, tally=looked_up)
    estimator = _estimator_of(ev, measure, score, clusters)
    known = ev.tally.squares is not None and math.isfinite(score)
    if known and not math.isclose(estimator.value, float(score), rel_tol=1e-9, abs_tol=1e-12):
        cause, way = "weights do", "Evaluate without sample_weight="
        if ev.tally.by_class:
            cause, way = "shares of classes that were chosen do", "Leave out prevalence=, sampled= and with_priors()"
        raise ValueError(
            f"There is no interval for this score: {measure} changes with the number of examples, which {cause} not tell. "
            f"{way} for an interval of it."
        )
    return estimator


def check_named_clusters(clusters: Any) -> None:
    """Refuse clusters that are not named: an evaluation does not hold single examples."""
    if clusters is not None and not isinstance(clusters, str):
        raise TypeError(
            "clusters= of an evaluation is the name of a grouping, because single examples are not kept: "
            "ix.evaluate(…, by={'patient': ids}), then clusters='patient'."
        )


def _estimator_of(ev: Any, measure: Measure, score: Score, clusters: str | None) -> Estimator:
    name, span = score.average, span_of(measure, float(score))
    if isinstance(name, tuple) or name in ev.tally.by:
        return _of_groups(ev, measure, score, span, clusters)
    if not measure.reads.in_counts:
        if measure.facts.without_interval:
            raise ValueError(f"There is no interval for this score: {measure.facts.without_interval}.")
        _check_rare_classes(ev, measure)
        ready, tables = for_source(measure, ev), pairs_of(ev) if clusters is None else tables_of(ev, clusters)
        if len(ev.classes) == 2 and (same := measure_of_two_classes(ready)) is not None:
            return _of_second_class(ev, same, score, clusters)
        return OfMatrix(ready, tables)
    rule = find_average(name)
    if rule.per == ("example",):
        return _of_examples(ev, measure, score, span, clusters) if not ev.tally.by_class else _of_right_examples(ev, score, span)
    if not set(rule.per) <= {"class", ev.tally.grouping}:
        raise ValueError(f"average={name!r} keeps {', '.join(rule.per)}; an interval is for one axis.")
    sample: Sample
    if name == BINARY and clusters is None and not _classes_vary_apart(ev):
        sample, unit_of = one_class(ev)
    else:
        sample, unit_of = sample_of(ev) if clusters is None else clusters_of(ev, clusters), units_of_classes(ev, name)
        if name == BINARY and isinstance(sample, Pairs):
            sample = replace(sample, positive=ev.classes.index(ev.positive))
    function = score_function(measure, rule, unit_of, score.undefined, sample.counts, score.values)
    return OfCounts(function, sample, span, is_smooth(measure))


def _check_rare_classes(ev: Any, measure: Measure) -> None:
    """Refuse a function of the matrix that one or two examples of a class decide.

    Counted are examples, not weights, where they are known.
    """
    if not measure.facts.least_of_class or ev.tally.squares is not None:
        return
    table = np.asarray(ev.confusion, np.float64)
    for side, sizes in (("examples", table.sum(axis=1)), ("predictions", table.sum(axis=0))):
        rare = np.flatnonzero(sizes < measure.facts.least_of_class)
        if len(rare):
            name, many = ev.classes[rare[0]], f" and {len(rare) - 1} more classes have few, too" if len(rare) > 1 else ""
            raise ValueError(
                f"There is no interval for this score: class {name!r} has {sizes[rare[0]]:.4g} {side}{many}. {measure.name} may "
                "change from low to high with one more of them, and the intervals that were tried miss too often below "
                f"{measure.facts.least_of_class} of each. Merge rare classes, or use mutual_information."
            )


def _of_second_class(ev: Any, measure: Measure, score: Score, clusters: str | None) -> OfCounts:
    """Return a measure of the second of two classes, as it is for a positive class."""
    sample = pairs_of(ev) if clusters is None else clusters_of(ev, clusters)
    function = score_function(measure, find_average(BINARY), POSITIVE, score.undefined, sample.counts)
    return OfCounts(function, sample, span_of(measure, float(score)), is_smooth(measure))


def _classes_vary_apart(ev: Any) -> bool:
    """Return whether the other classes together are several samples: then they are not one rest."""
    several = len(ev.classes) > 2 or bool(ev.tally.shares)
    return ev.tally.by_class and several and isinstance(ev.tally.pooled, CrossTable) and ev.positive in ev.classes


def _of_right_examples(ev: Any, score: Score, span: tuple[float, float]) -> Estimator:
    """Return the share of right examples as a function of rates; refuse other means over examples."""
    if isinstance(ev.tally.pooled, CrossTable):
        sample, rule, recall = sample_of(ev), find_average("micro"), find("recall")
        function = score_function(recall, rule, units_of_classes(ev, "micro"), score.undefined, sample.counts)
        estimator = OfCounts(function, sample, span)
        if math.isclose(estimator.value, float(score), rel_tol=1e-12):
            return estimator
    raise ValueError(
        "There is no interval for a mean over examples if the shares of the classes were chosen: how much the examples of each "
        "class vary is not kept. Name another average, such as 'micro'."
    )


def _check_clusters(ev: Any, axis: str | None) -> None:
    if axis is None:
        return
    if ev.tally.by_class:
        raise ValueError(
            "clusters= were sampled as a whole, so the number of examples of each class was not chosen: leave out clusters=, or "
            "prevalence=, sampled= and with_priors()."
        )
    sizes = ev.tally.sizes_of(axis)  # also refuses what is not a grouping
    if len(sizes) < 2:
        raise ValueError(f"clusters={axis!r} has one group, and nothing can be said about others from one.")


def one_class(ev: Any) -> tuple[Pairs | LabelRows, Array]:
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

    return replace(Pairs.of_one_class(*effective(ev.tally, column)), by_class=ev.tally.by_class), POSITIVE


def pairs_of(ev: Any, known_counts: Array | None = None) -> Pairs:
    """Return how often each pair of classes was seen; refuse where it was not kept.

    ``known_counts`` are the counts per class, where these were added up before.
    """
    if not isinstance(ev.tally.pooled, CrossTable):
        raise ValueError(_without_pairs(ev))
    chosen = {"by_class": ev.tally.by_class, "shares": ev.tally.shares or None}
    return Pairs(*effective(ev.tally, _table_of), **chosen, known_counts=known_counts)


def tables_of(ev: Any, axis: str, units: Sequence[Any] | None = None) -> TablesOfClusters:
    """Return how often each pair of classes was seen in each group of an axis.

    Of ``units``, those without examples add nothing.
    """
    tally: Tally = ev.tally
    if not isinstance(tally.pooled, CrossTable):
        raise ValueError(_without_pairs(ev))
    names, i = tuple(tally.sizes_of(axis)) if units is None else tuple(units), tally.by.index(axis)
    place, size = {name: k for k, name in enumerate(names)}, len(tally.classes) + 1
    group = np.array([place[key[i]] for key in tally.parts], np.intp)
    if isinstance(tally.parts, PackedTables):
        owner, slot, times = group[tally.parts.owner], tally.parts.slot, tally.parts.times
    else:
        tables = np.stack([_table_of(part) for part in tally.parts.values()]).reshape(len(group), -1)
        at, slot = np.nonzero(tables)
        owner, times = group[at], tables[at, slot]
    return TablesOfClusters(len(names), size, owner, slot, as_weight(times) / typical_of(tally))


def sample_of(ev: Any) -> Pairs | LabelRows:
    """Return the pairs of classes, or the rows of label matrices; refuse where they were not kept."""
    if isinstance(ev.tally.pooled, CrossTable):
        cells = ev.tally.pooled.cells()
        return pairs_of(ev, cells.astype(np.float64) if ev.tally.squares is None and cells.dtype != object else None)
    if ev.tally.by_class:
        raise ValueError(
            "There is no interval for an average over labels whose frequencies were chosen: how the labels of one example vary "
            "together is known as they are only. Take each label alone, ev.values(measure, interval=True), or leave out "
            "prevalence=, sampled= and with_priors()."
        )
    m = len(ev.classes)
    return _rows_of(ev, np.arange(m), IndependentEntries.pseudo(m).counts)


def _table_of(part: Part) -> Array:
    assert isinstance(part, CrossTable)
    return part.table


def _rows_of(ev: Any, columns: Array, extra: Array) -> LabelRows:
    """Return some columns of label matrices with their second moments and a pseudo-example."""
    tally = ev.tally
    if isinstance(tally.moments, str) or not tally.moments.whole.weight:
        raise ValueError(_without_pairs(ev))
    moments, counts = tally.moments.whole, tally.pooled.cells()[:, columns]
    moments = moments if len(columns) == moments.m else moments.only(columns)
    check_sums(counts)
    cells = counts.astype(np.float64)
    size = cells.sum() / (float(moments.weight) * len(columns)) if ev.recipe.uses("cost") else 1.0
    squares = None
    if tally.squares is not None and common_weight(tally) is None:
        squares = tally.squares.pooled.cells()[:, columns].astype(np.float64)
    return LabelRows.of(cells, moments, extra * size, squares)


def _without_pairs(ev: Any) -> str:
    absent = ABSENT["" if not isinstance(ev.tally.moments, str) else ev.tally.moments]
    if ev.kind == "counts":
        reason, fix = "only counts per class are known, not how they fall together in examples", "Evaluate the labels"
    elif ev.kind == "multiclass" and ev.tally.moments == "":
        reason = "the pairs of true and predicted classes were not kept"
        fix = "Evaluate with confusion=True" if len(ev.classes) > 1 else "Evaluate without a mask of entries"
    else:
        reason = f"the labels of one example are not independent, and how they fall together is not known: {absent}"
        fix = "Name clusters=" if ev.tally.moments == "priced" else "Name clusters=, or evaluate with replicates=200"
    return f"There is no interval for this score: {reason}. {fix}; average='exemplar' always has one."


def clusters_of(ev: Any, axis: str, units: Sequence[Any] | None = None) -> Clusters:
    """Return what each group of an axis adds to the counts per class.

    Of ``units``, those without examples add nothing.
    """
    counts = ev.tally.aggregate((axis, "class"))
    cells = np.stack([as_weight(x) for x in counts], axis=1)  # groups x 4 x classes
    cells = cells / typical_of(ev.tally)
    if units is not None and tuple(units) != counts.names[0]:
        place = {unit: k for k, unit in enumerate(units)}
        own, cells = cells, np.zeros((len(units), *cells.shape[1:]))
        cells[[place[unit] for unit in counts.names[0]]] = own
    apart: Pairs | IndependentEntries
    if isinstance(ev.tally.pooled, CrossTable):
        apart = Pairs(as_weight(_table_of(ev.tally.pooled)) / typical_of(ev.tally))
    else:
        apart = IndependentEntries(cells.sum(axis=0))
    return Clusters(cells, pseudo_of(ev.tally), apart)


def pseudo_of(tally: Tally) -> Pairs | IndependentEntries:
    """Return the pseudo-example of a tally."""
    m = len(tally.classes)
    return Pairs(np.zeros((m + 1, m + 1))).pseudo() if isinstance(tally.pooled, CrossTable) else IndependentEntries.pseudo(m)


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
    _, number, values, times = values_in_clusters(ev, measure, score, clusters)
    return OfMean(values, times / typical, span, clusters=np.unique(number, return_inverse=True)[1])


def values_in_clusters(ev: Any, measure: Measure, score: Score, axis: str) -> tuple[tuple[Any, ...], Array, Array, Array]:
    """Return the groups of an axis, and group, value and weight of the examples that count."""
    names, number, cells, often = ev.tally.example_rows(axis)
    rows = Counts(*cells, per=("example",), names=(tuple(range(len(number))),), times=often)
    values, times = as_weight(measure.values(rows)), as_weight(often) * as_weight(rows.observed)
    values, times = replace_lost(values, times, ~np.isfinite(values), score.undefined)
    here = times > 0
    return names, number[here], values[here], times[here]


def _of_rows(ev: Any, score: Score, span: tuple[float, float], squares: Array | None) -> OfMean:
    """Return the mean over the distinct rows of examples; with weights, over effective examples."""
    values, times, here = counted_units(score)
    if squares is None:
        return OfMean(values, times, span)
    same = common_weight(ev.tally)
    if same is not None:
        return OfMean(values, np.rint(times / float(same)), span)
    typical = typical_weight(times.sum(), squares[here].sum())
    return OfMean(values, times / typical, span, squares=squares[here].astype(np.float64) / typical**2)


def _of_groups(ev: Any, measure: Measure, score: Score, span: tuple[float, float], clusters: str | None) -> Estimator:
    """Return a mean over groups: these groups and no others, or, as clusters, a sample of groups."""
    if clusters is not None:
        axis = score.average if isinstance(score.average, str) else score.average[0]
        if clusters != axis:
            raise ValueError(f"The mean over {axis} has examples of each {axis}; clusters={axis!r} takes these for a sample.")
        values, weights, _ = counted_units(score)
        return OfMean(values, np.ones(len(values)), span, weights if score.weights is not None else None, few=True)
    parts, shares = scores_of_groups(ev, measure, score)
    return OfGroups(tuple(estimator_of(part, measure, own, None) for part, own in parts), shares, span)


ROUNDED = 1 + Fraction(1, 2**51)  # squares of weights are rounded
WEIGHTED = "These counts are sums of weights, or were changed by mix(), so they do not tell how many examples are behind them"


def counts_examples(ev: Any) -> bool:
    """Return whether every entry is of one kind, so that cells are numbers or weights of entries."""
    return not (ev.kind == "soft" or ev.recipe.uses("cost"))


def squares_of(tally: Tally) -> Part:
    """Return the counts with squared weights; refuse where they were not kept."""
    if tally.squares is None:
        raise ValueError(
            f"{WEIGHTED}. The squares of the weights do, but they were not kept. Evaluate all examples with moments=True, or "
            "name clusters= that were sampled."
        )
    return tally.squares.pooled


def common_weight(tally: Tally) -> Fraction | None:
    """Return the weight that every example has; None if the weights differ, or it is not known."""
    whole = tally.pooled
    if tally.squares is None or (isinstance(whole, Summed) and whole.times is None):
        return None
    weight, squares = (sum(part.rows()[1].tolist(), Fraction(0)) for part in (whole, tally.squares.pooled))
    if weight <= 0 or squares * tally.n > weight**2 * ROUNDED:
        return None
    return weight / tally.n


def effective(tally: Tally, take: Callable[[Part], Array]) -> tuple[Array, Array | None]:
    """Return counts as numbers of effective examples, and the sums of the squares of their weights.

    ``take`` takes the counts from a part. The squares are None if there are no weights, or all are equal.
    """
    counts = take(tally.pooled)
    if counts.dtype != object and tally.squares is None:  # chosen shares may make whole numbers, which are still no examples
        return counts.astype(np.float64), None
    squares = take(squares_of(tally))
    check_sums(counts)
    same = common_weight(tally)
    if same is not None:
        return np.rint((counts / same).astype(np.float64)), None
    typical = typical_weight(counts.sum(), squares.sum())
    return counts.astype(np.float64) / typical, squares.astype(np.float64) / typical**2


def typical_of(tally: Tally) -> float:
    """Return the typical weight of the examples; 1 where squares of weights were not kept."""
    if tally.squares is None:
        return 1.0
    weights, squares = tally.pooled.rows()[1], tally.squares.pooled.rows()[1]
    check_sums(weights)
    return typical_weight(weights.sum(), squares.sum())


def check_sums(weights: Array) -> None:
    """Refuse sums of weights that cannot be numbers of examples."""
    if (weights < 0).any() or not weights.any():
        raise ValueError("There is no interval for this score: some sums of weights are negative, or all of them are 0.")


def only_some_weighted(evaluations: Iterable[Any]) -> bool:
    """Return whether some have weights and others none; of changed corrected counts it is not known."""
    tallies = [ev.tally for ev in evaluations if not (ev.tally.corrected and isinstance(ev.tally.corrected, str))]
    return len({t.corrected.rows.weighted if t.corrected else t.squares is not None for t in tallies}) > 1
