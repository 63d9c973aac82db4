"""The score of a source: aggregate, apply the formula, average."""

from __future__ import annotations

from typing import Any

from .average import BINARY, Name, choose_average, counts_of_units, find_average
from .group_scores import score_within_groups, with_only_average
from .makers import makers
from .score import Score, Undefined, pooled_inside, read_undefined, score_of_units


def score(measure: Any, source: Any, average: Name | None = None, undefined: Undefined = "exclude") -> Score:
    """Return any measure under any average: aggregate, apply the formula, average (eq:micro_ext)."""
    if not isinstance(undefined, str) or undefined != "exclude":
        undefined = read_undefined(undefined, source, measure, average)
    average = with_only_average(measure, source, average)
    if isinstance(average, tuple):
        return score_within_groups(measure, source, average, undefined)
    name = choose_average(measure, source, average)
    rule = find_average(name)
    counts = source.binary() if name == BINARY else counts_of_units(source, rule.per)
    inside = "" if "class" in rule.per else pooled_inside(source, rule.per)
    values, weights = measure.values(counts), rule.weights(measure, counts)
    found: Score = score_of_units(measure, name, undefined, values, counts, weights, inside=inside)
    if not found:  # 0 is not said without a word where the labels of both sides have nothing in common
        found.doubt = makers().doubt_about_labels(source)
    return found
