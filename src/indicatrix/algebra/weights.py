"""Weights of averages, which are measures: the actual positives, and the denominator of the measure that is averaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from .arrays import is_array
from .count_formula import COUNTS
from .measure import Measure
from .quantity import no_denominator

LABELS = replace(
    COUNTS,
    name="labels",
    what="the actual positives and negatives",
    takes="counts, an evaluation, or y_true and y_pred",
    apply=lambda measure, units: measure.function(units.tpos, units.tneg, **measure.params),
    check_parameter=lambda measure, name, value: None,
    help=("scores.area_help", "help_on_function"),
    formula=False,
    examples=tuple,
)


def _positives(positives: Any, negatives: Any) -> Any:
    """Return the actual positives."""
    return positives


SUPPORT = Measure("support", _positives, "neither", (0, float("inf")), reads=LABELS)


@lru_cache(maxsize=256)
def denominator_of(measure: Any) -> Measure:
    """Return the denominator <b, v> of a ratio of counts, a measure of the same counts (thm:micro_macro).

    >>> import indicatrix as ix
    >>> denominator_of(ix.recall).values(ix.Counts(tp=3, fp=1, fn=2, tn=4))
    5.0
    """
    reads = getattr(measure, "reads", None)
    if reads is None or not reads.formula:
        no_denominator(measure, None)
    if measure.decomposition is None:
        raise ValueError(
            f"{measure} is not a ratio of two linear forms in the counts, so it has no denominator weights. "
            "Use average='micro', 'macro' or 'weighted'."
        )
    form = _linear_form(measure.decomposition[1])
    return Measure(f"denominator of {measure}", form, "neither", (-float("inf"), float("inf")))


def _linear_form(exact: tuple[Any, ...]) -> Callable[..., Any]:
    """Return <b, v> as a function of four counts; a cell that is not read may be unknown (nan)."""
    rounded = tuple(map(float, exact))

    def denominator(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        b = rounded if is_array(tp) and tp.dtype != object else exact  # other numbers keep the coefficients exact
        terms = [k * x for k, x in zip(b, (tp, fp, fn, tn), strict=True) if k]
        return sum(terms) if terms else 0 * tp

    return denominator
