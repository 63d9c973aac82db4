"""The intervals of single units: of each class against the rest, and of the score inside each group."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import AVERAGES, BINARY, Name
from ...algebra.ends import check_level
from ...algebra.kind import LONE_CLUSTERS
from ...algebra.measure import Measure
from ...algebra.score import stand_in_for_undefined
from ...algebra.source_score import combinations_of_groups, values_within_groups
from ...algebra.values import Values
from ...words.wording import listing
from ..estimators.of_evaluation import check_named_clusters
from .interval import Interval
from .of_score import SIMULTANEOUS, interval, level_of


def matrix_values(ev: Any, measure: Measure, per: tuple[str, ...]) -> tuple[Array, tuple[Any, ...]]:
    """Return a function of the confusion matrix for each combination of groups, and their names.

    Where no example has a combination, or no matrix was kept, the value is nan or an error.
    """
    if not per or not set(per) <= set(ev.tally.by):
        measure.score(ev, undefined="nan")  # which says why, where there is no matrix at all
        have = (
            f"Groups have one each: per= may name {listing(tuple(ev.tally.by))}"
            if ev.tally.by
            else "by= makes groups that have one"
        )
        raise TypeError(f"{measure} reads {measure.reads.what} and has one value: ev.score({str(measure)!r}). {have}.")
    return values_within_groups(measure, ev, per, None)


def values_of_scores(
    ev: Any, measure: Measure, per: tuple[str, ...], average: Name | None, asked: tuple[Any, str | None], undefined: Any
) -> Values:
    """Return an area, a loss or a ranking for each unit of an axis, or for each combination of groups."""
    grouped = bool(per) and set(per) <= set(ev.tally.by)
    if not grouped and (len(per) != 1 or average is not None):
        raise ValueError(
            f"{measure} has values along one axis, per='class' or 'example', or along by= axes, with average= inside groups."
        )
    intervals = unit_intervals(ev, measure, per, average, asked) if asked[0] else None
    if grouped:
        values, names = values_within_groups(measure, ev, per, average)
    else:
        (axis,) = per
        row = next((name for name, rule in AVERAGES.items() if rule.is_mean_over(axis)), axis)
        score = measure.score(ev, row, "nan")
        values, names = np.asarray(score.values, np.float64), score.counts.names
    return Values.of(stand_in_for_undefined(values, undefined), names, per=per, intervals=intervals)


def unit_intervals(
    ev: Any, measure: Measure, per: tuple[str, ...], average: Name | None, asked: tuple[Any, str | None]
) -> tuple[Interval, ...]:
    """Return an interval for each unit of some axes, in the order of ``ev.values``.

    Asked for are a level and clusters.

    Groups have the score of the positive class; without one, their classes are pooled, unless an average is named. Simultaneous
    intervals hold all at once: the share of samples in which any of them misses is shared out equally (Bonferroni). This holds
    however the values depend on each other; for ten independent ones the level is 0.951 instead of 0.95.
    """
    for axis in per:
        if axis != "class" and axis not in ev.tally.by:
            raise ValueError(_no_interval(axis))
    if "class" in per and measure.reads.per_example:
        raise ValueError(
            f"There are no intervals of {measure} for single classes. ev.interval({str(measure)!r}) has that of all, and "
            f"ev.values({str(measure)!r}) has the values of classes alone."
        )
    wanted, clusters = asked
    level = level_of(wanted, of_units=True)
    check_level(level)
    if wanted != SIMULTANEOUS:
        return tuple(_within(ev, measure, per, average, (level, clusters)))
    k = sum(not math.isnan(i.low) for i in _within(ev, measure, per, average, (level, clusters)))
    each = tuple(_within(ev, measure, per, average, (1 - (1 - level) / max(k, 1), clusters)))
    note = f"It holds at once with those of {k - 1} other units." if k > 1 else ""
    return tuple(replace(i, level=level, method=f"{i.method}, simultaneous", note=f"{i.note} {note}".strip()) for i in each)


def _within(
    ev: Any, measure: Measure, per: tuple[str, ...], average: Name | None, asked: tuple[float, str | None]
) -> Iterator[Interval]:
    (level, clusters), inside = asked, average
    names = [tuple(ev.tally.sizes_of(axis)) if axis != "class" else ev.classes for axis in per]
    parts = combinations_of_groups(ev, [axis for axis in per if axis != "class"])
    for unit in product(*names):
        group = parts.get(tuple(name for axis, name in zip(per, unit, strict=True) if axis != "class"))
        if group is None:  # no example has this combination of groups
            yield Interval(math.nan, math.nan, math.nan, level, "none", "There are no examples.", measure)
            continue
        if "class" in per:
            group, inside = group.with_positive(unit[per.index("class")]), BINARY
        elif measure.reads.counted and measure.reads.averaged:
            inside = average or (BINARY if ev.positive is not None else "micro")
        if clusters is not None and len(group.tally.sizes_of(clusters)) < 2:
            value, note = float(measure.score(group, inside, "nan")), f"All its examples are of one {clusters}."
            yield Interval(value, math.nan, math.nan, level, "none", note, measure, inside)
        else:
            yield interval(group, measure, inside, level=level, clusters=clusters)


def check_clusters_of_values(clusters: Any, per: tuple[str, ...], asked: Any, pooled: bool) -> None:
    """Refuse clusters that intervals of these values cannot count."""
    if not asked:
        raise TypeError(LONE_CLUSTERS)
    check_named_clusters(clusters)
    if clusters in per:
        raise ValueError(f"clusters={clusters!r} are the groups that have values, each of which is one cluster. Leave it out.")
    if pooled:
        raise ValueError("pooled=True takes the examples of each group for independent ones. Leave pooled= or clusters= out.")


def _no_interval(axis: str) -> str:
    if axis == "example":
        return "One example has no interval: nothing was sampled inside it. Leave interval= out, or take per='class'."
    return f"There is no interval for each {axis}, whose columns are not independent. Take per='class' or a by= axis."
