"""Areas: functions from ranked scores to a number (prop:roc, Group 7).

Averages and conventions are derived from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.average import BINARY, Average, Name
from ..algebra.counts import Counts
from ..algebra.group_scores import mean_of_groups, read_nested, score_groups
from ..algebra.kind import Kind
from ..algebra.measure import Measure
from ..algebra.possible_averages import product_of_weights, undecided_counts
from ..algebra.registry import OF_OTHERS
from ..algebra.score import Score, Undefined, check_undefined, pooled_inside, score_of_units
from ..ranking.ranked import Ranked, rank_scores
from .averaged_rankings import find_average_of_rankings, rankings_along
from .curves import equal_error, log_area, precision_areas, roc_areas
from .curves.h_measure import check_prior
from .curves.h_measure import h_measure as area_of_h
from .curves.missed_positives import check_missed, missed_in_all, missed_of
from .curves.ranked_rows import Steps, row_steps, steps_of_groups
from .curves.threshold_grid import check_thresholds
from .score_options import OF_SWEEPS, SWEEP_HINTS, check_options
from .scored import scores_of
from .sweep_rows import SweepRows
from .thresholds.sweep import Sweep, sweep

BLOCK = 1 << 18  # cells that are ranked at a time: small enough for the cache
FEW_ROWS = 64  # a table of groups has at least this many rows; larger groups are ranked one by one


def area_of_ranking(area: Measure, ranking: Ranked | Steps) -> Any:
    """Return the area of one ranking, nan where it is undefined; a Fraction of counts that are fractions.

    >>> import indicatrix as ix
    >>> area_of_ranking(ix.auc, ix.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]).micro)
    0.75
    """
    value = area.function(ranking, **area.params)
    return value if isinstance(value, Fraction) else float(value)


def exact_area(area: Measure, ranking: Ranked | Steps) -> Any:
    """Return the area of one ranking in fractions, where it is rational (errata A15).

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> exact_area(ix.average_precision.at(interpolation="trapezoid"), swept.micro)
    Fraction(83, 180)
    """
    tp, fp = (np.array([Fraction(n) for n in x.tolist()], object) for x in (ranking.tp, ranking.fp))
    return area_of_ranking(area, Steps(tp, fp, ranking.thresholds))


def _score(area: Measure, source: Any, average: Name | None, undefined: Undefined) -> Score:
    """Return the average of the area over its units: pooled, over classes, over examples, or over groups."""
    check_undefined(undefined)
    _check(area)
    swept = scores_of(source, area)
    if isinstance(average, tuple):
        return _within_groups(area, swept, average, undefined)
    name, rule = find_average_of_rankings(area, swept, average)
    if "example" in rule.per:
        if area.params.get("missed"):
            raise ValueError(f"{area} over examples: missed= says how many positives a class or a group misses, not an example.")
        values, counts, times = _of_examples(area, swept)
    else:
        (values, counts), times = _of_rankings(area, swept, name, rule), None
    weights = product_of_weights(rule.weights(area, counts), times) if counts.per else None
    return score_of_units(area, name, undefined, values, counts, weights, inside=pooled_inside(swept, rule.per))


def _within_groups(area: Measure, swept: Sweep, average: tuple[Any, ...], undefined: Undefined) -> Score:
    """Return the mean over groups of the area of each group, under the average inside."""
    axis, inside = read_nested(average, swept.axes)
    if area.params.get("missed"):
        raise ValueError(f"{area} within groups: missed= names classes or groups, not both. Use average={axis!r} alone.")
    _, counts = _of_rankings(area, swept, axis, Average((axis,)))
    parts = score_groups(swept.split(axis), axis, lambda part, how: _score(area, part, inside, how), undefined)
    chosen = (axis, *((inside,) if isinstance(inside, str) else inside))
    return mean_of_groups(area, chosen, undefined, parts, counts)


def _check(area: Measure) -> None:
    """Refuse parameters that are wrong: a function may have been given others than its own defaults."""
    for name, value in area.params.items():
        _refusal(area, name)(value)


def _refusal(area: Measure, name: str) -> Callable[[Any], None]:
    """Return what refuses bad values of a parameter; a function of one's own refuses them itself."""
    found: Callable[[Any], None] = area.domain.get(name, lambda value: None)
    return found


def _check_options(area: Measure, options: dict[str, Any]) -> None:
    check_options(area.name, options, (*area.params, *area.reads.of_calls, *OF_SWEEPS), elsewhere=SWEEP_HINTS)


RANKING = Kind(
    name="ranking",
    what="the counts at all thresholds of a score",
    takes="y_true and scores, a sweep, or an evaluation of scores",
    names=("y_true", "scores"),
    source="a sweep",
    is_source=lambda x: isinstance(x, Sweep) or hasattr(x, "scored"),
    make=sweep,
    like=lambda: sweep,
    check_options=_check_options,
    is_unit=lambda x: isinstance(x, Ranked | Steps),
    unit="one ranking",
    value="one number",
    apply=area_of_ranking,
    score=_score,
    check_parameter=lambda area, name, value: _refusal(area, name)(value),
    help=("scores.area_help", "help_on_area"),
    examples=lambda: (rank_scores(np.array([0.9, 0.4, 0.6, 0.2, 0.5]), np.array([True, True, False, False, True])),),
)


def _of_rankings(area: Measure, swept: Sweep, name: str, rule: Average) -> tuple[Any, Counts]:
    """Return the areas of the rankings that an average keeps, and their counts.

    There is one ranking of all scores, one of each class, or one of each group: of the positive class, or else of its pooled
    scores.
    """
    if rule.pools:
        ranking = swept.of() if name == BINARY else swept.micro
        area, missed = _with_missed(area, missed_in_all(area.params.get("missed"), swept.units))
        return area_of_ranking(area, ranking), undecided_counts(ranking.tpos + missed, ranking.tneg)
    if "class" not in rule.per and swept.rows is not None and swept.rows.weights is None and not area.params.get("missed"):
        rows = swept.rows if swept.positive is None else swept.rows.only(swept.units.index(swept.positive))
        return _of_groups(area, rows, rule.per[0])
    units, rankings = rankings_along(swept, rule)
    each = [_with_missed(area, number) for number in missed_of(area.params.get("missed"), units, rule.per[0])]
    found = [(area_of_ranking(own, r), r.tpos + missed, r.tneg) for r, (own, missed) in zip(rankings, each, strict=True)]
    values, positives, negatives = (np.array([row[k] for row in found]) for k in range(3))
    return values.astype(np.float64), undecided_counts(positives, negatives, per=rule.per, names=(units,))


def _with_missed(area: Measure, missed: Any) -> tuple[Measure, Any]:
    """Return the area of one ranking that misses a number of positives, and this number."""
    return (area.at(missed=missed or 0), missed or 0) if "missed" in area.params else (area, 0)


def _of_groups(area: Measure, rows: SweepRows, axis: str) -> tuple[Any, Counts]:
    """Return the area of all scores of each group, and the counts.

    Small groups of about the same size are the rows of one table; a large group is ranked alone.
    """
    (names, _), (order, ends) = rows.groups[axis], rows.order_of(axis)
    sizes, m = np.diff(ends), rows.scores.shape[1]
    values, positives, negatives = np.full(len(names), np.nan), np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    widths = 1 << np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64)  # at least half of each row of the table is used
    for width in np.unique(widths).tolist():
        chosen = np.flatnonzero(widths == width)
        if width * m > BLOCK // FEW_ROWS:
            for k in chosen.tolist():
                ranking = rank_scores(*rows.take(order[ends[k] : ends[k + 1]]).cells())
                values[k], positives[k], negatives[k] = area_of_ranking(area, ranking), ranking.tpos, ranking.tneg
            continue
        for start in range(0, len(chosen), max(1, BLOCK // (width * m or 1))):
            at = chosen[start : start + max(1, BLOCK // (width * m or 1))]
            steps = steps_of_groups(rows, order, ends[at], sizes[at], width)
            values[at] = area.function(steps, **area.params)
            positives[at], negatives[at] = steps.tp[:, -1], steps.fp[:, -1]
    return values, undecided_counts(positives, negatives, per=(axis,), names=(names,))


def _of_examples(area: Measure, swept: Sweep) -> tuple[Any, Counts, Any]:
    """Return the area of the scores of each example, the counts, and the sample weights.

    Many examples are computed at a time; a score that was not observed is not ranked.
    """
    rows = swept.rows
    assert rows is not None  # a sweep without rows has no average over examples
    n, m = rows.scores.shape
    values, positives, negatives = np.full(n, np.nan), np.zeros(n, np.int64), np.zeros(n, np.int64)
    step = max(1, BLOCK // max(m, 1))
    for start in range(0, n, step):
        at = slice(start, start + step)
        steps = row_steps(rows.truth(at), rows.scores[at], None if rows.mask is None else rows.mask[at])
        values[at] = area.function(steps, **area.params)
        positives[at], negatives[at] = steps.tp[:, -1], steps.fp[:, -1]
    return values, undecided_counts(positives, negatives, per=("example",), names=(tuple(range(n)),)), rows.weights


def _area(
    name: str,
    function: Callable[..., Any],
    checks: Mapping[str, Callable[[Any], None]] | None = None,
    better: str = "higher",
    range: tuple[float, float] = (0, 1),
    source: str = "",
) -> Measure:
    """Return the measure of a function of steps; ``checks`` refuse bad values of its parameters."""
    params = getattr(function, "__kwdefaults__", None) or {}
    facts: dict[str, Any] = {"group": "ranking", "source": source, "params": params, "domain": checks or {}, "reads": RANKING}
    return Measure(name, function, better, range, **facts)


AREAS: dict[str, Measure] = {
    area.name: area
    for area in (
        _area("auc", roc_areas.auc, {"thresholds": check_thresholds}, source="hanley1982"),
        _area(
            "partial_auc",
            roc_areas.partial_auc,
            {"max_fpr": roc_areas.check_max_fpr, "standardized": roc_areas.check_standardized},
            source="mcclish1989",
        ),
        _area(
            "log_auc",
            log_area.log_auc,
            {
                "fpr_range": log_area.check_fpr_range,
                "interpolation": log_area.check_interpolation,
                "thresholds": check_thresholds,
            },
            source="mysinger2010",
        ),
        _area("auc_of_hull", roc_areas.auc_of_hull, range=(0.5, 1), source="provost2001"),
        _area(
            "eer",
            equal_error.eer,
            {"method": equal_error.check_method, "thresholds": check_thresholds},
            better="lower",
            source="vanleeuwen2007",
        ),
        _area("h_measure", area_of_h, {"prior": check_prior}, source="hand2009"),
        _area(
            "average_precision",
            precision_areas.average_precision,
            {"interpolation": precision_areas.check_interpolation, "thresholds": check_thresholds, "missed": check_missed},
            source="buckley2000",
        ),
        _area("auprc", precision_areas.auprc, source="davis2006"),
        _area("r_precision", precision_areas.r_precision, source="buckley2000"),
        _area("area_under_cost_curve", roc_areas.area_under_cost_curve, better="lower", range=(0, 0.25), source="drummond2006"),
        _area(
            "threshold_average",
            roc_areas.threshold_average,
            {"measure": roc_areas.check_measure, "between": roc_areas.check_between},
            better="neither",
            range=(-np.inf, np.inf),
            source="hernandez2012",
        ),
    )
}
OF_OTHERS.update(AREAS)
OF_OTHERS.reserve(AREAS)
auc, partial_auc, average_precision = AREAS["auc"], AREAS["partial_auc"], AREAS["average_precision"]
log_auc, auc_of_hull, eer, h_measure = AREAS["log_auc"], AREAS["auc_of_hull"], AREAS["eer"], AREAS["h_measure"]
auprc, r_precision = AREAS["auprc"], AREAS["r_precision"]
area_under_cost_curve, threshold_average = AREAS["area_under_cost_curve"], AREAS["threshold_average"]
