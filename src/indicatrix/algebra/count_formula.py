"""Measures of four counts: how a formula is applied to them, and what a call of such a measure takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..words.names_elsewhere import refuse_unknown
from .arrays import EXACT_IN_FLOAT64, FEW, as_float, for_formula, quiet
from .average import LABEL_ARGUMENTS, makers
from .counts import Counts
from .kind import Kind


def apply_formula(measure: Any, counts: Counts) -> Any:
    """Return the value of each unit in whatever number type the counts have; nan where it is undefined."""
    try:
        return _apply(measure, counts)
    except (ValueError, TypeError):  # a function written for numbers, with its own if or math.sqrt
        if not isinstance(counts.tp, np.ndarray) or not counts.tp.ndim:
            raise
        return _one_by_one(measure, counts)
    except ZeroDivisionError:  # a formula that writes / instead of ratio: float arrays give nan and infinity, like ratio
        many = Counts(*(np.atleast_1d(np.asarray(x, np.float64)) for x in counts), signed=True)
        try:
            values = _apply(measure, many)
        except (ValueError, TypeError):
            values = _one_by_one(measure, many)
        return values if np.ndim(counts.tp) else float(values[0])


def _apply_linear(measure: Any, counts: Counts) -> Any:
    """Return the value of a linear form at each unit.

    Floats hold sums of counts that are so small, so whole arrays are fastest however short they are.
    """
    small = counts.bound is not None and counts.bound < EXACT_IN_FLOAT64 and isinstance(counts.tp, np.ndarray)
    return measure.function(*counts) if small else apply_formula(measure, counts)


def _one_by_one(measure: Any, counts: Counts) -> Any:
    """Apply the formula to each unit alone, as Python floats; nan where it divides by zero."""
    four = [np.asarray(x, np.float64) for x in counts]
    values, given = np.empty(four[0].size), measure.params_for(0.0)
    for i, v in enumerate(zip(*(x.ravel().tolist() for x in four), strict=True)):
        try:
            values[i] = measure.function(*v, **given)
        except ZeroDivisionError:
            values[i] = math.nan
    return values.reshape(four[0].shape)


def _apply(measure: Any, counts: Counts) -> Any:
    tp, formula, params = counts.tp, measure.function, measure.params
    if type(tp) is np.ndarray and 0 < tp.size <= FEW and tp.ndim == 1 and tp.dtype.kind == "i":
        # A few units are evaluated faster, and exactly, one by one as Python integers.
        units = (tp.tolist(), counts.fp.tolist(), counts.fn.tolist(), counts.tn.tolist())
        values = [*map(partial(formula, **measure.params_for(tp)) if params else formula, *units)]
        try:
            return np.array(values, np.float64)
        except OverflowError:  # an integer such as 6**1000 is infinite as a float
            return np.array([*map(as_float, values)], np.float64)
    four = for_formula((tp, counts.fp, counts.fn, counts.tn), counts.bound, lambda: _exact_below(measure))
    with quiet():
        value = formula(*four, **measure.params_for(four[0])) if params else formula(*four)
    if isinstance(value, np.ndarray):
        return value.astype(np.float64, copy=False)
    if isinstance(value, np.generic) or (isinstance(value, int) and isinstance(four[0], int | float | np.ndarray)):
        value = as_float(value)
    if isinstance(value, float) and isinstance(four[0], np.ndarray):
        return np.full(four[0].shape, value)  # a formula that reads no count
    return value


def _exact_below(measure: Any) -> int:
    """Return the total of counts below which floats compute the formula as exactly as integers do."""
    return _limit(measure.function, tuple(sorted(measure.params_for(0.0).items())))


@lru_cache(maxsize=512)
def _limit(formula: Callable[..., Any], params: tuple[tuple[str, Any], ...]) -> int:
    from .numbers.recorded_counts import exact_below

    return exact_below(formula, dict(params))


def is_symbol(value: Any) -> bool:
    """Return whether a parameter is a SymPy symbol: theory then decides for every number at once."""
    return type(value).__module__.partition(".")[0] == "sympy" and bool(value.is_Symbol)


def check_number(name: str, value: Any) -> None:
    """Refuse a parameter that is not a finite number or a symbol."""
    if is_symbol(value):
        return
    number = isinstance(value, int | float | np.number) or type(value).__module__ == "fractions"
    try:
        finite = number and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        raise ValueError(f"{name} is beyond the range of floats, ±1.8e308. Choose a smaller number.") from None
    if not finite:
        raise TypeError(f"{name}={value!r} is not a finite number.")


def _check_parameter(measure: Any, name: str, value: Any) -> None:
    check_number(name, value)
    low, high = measure.domain.get(name, (-math.inf, math.inf))
    if not is_symbol(value) and not low <= value <= high:
        raise ValueError(f"{name}={value!r} is outside [{low:g}, {high:g}], where {measure.name} is defined.")


def _of_labels(source: Any, per: tuple[str, ...], positive: bool) -> Counts:
    """Return the counts of the units of some axes: of all classes, or of the positive class alone."""
    counts: Counts = source.aggregate(per) if not positive else source.binary(per) if per else source.binary()
    return counts


def _make(y_true: Any, y_pred: Any, **options: Any) -> Any:
    made = makers()
    return made.evaluate_with(y_true, y_pred, *([made.options_of({"moments": False, **options})] if options else []))


def _is_source(x: Any) -> bool:
    return hasattr(x, "aggregate") and type(x).__module__.partition(".")[0] != "pandas"


def _check_options(caller: Any, options: dict[str, Any]) -> None:
    known = makers().OPTION_NAMES
    if not all(name in known for name in options):
        refuse_unknown(caller, options, (*known, *caller.settable, *caller.reads.of_calls))


COUNTS = Kind(
    name="counts",
    what="four counts",
    takes="counts, an evaluation, or y_true and y_pred",
    names=LABEL_ARGUMENTS,
    source="a source of counts",
    is_source=_is_source,
    make=_make,
    like=lambda: makers().evaluate,
    check_options=_check_options,
    is_unit=lambda x: isinstance(x, Counts),
    unit="counts",
    value="one value per unit",
    apply=apply_formula,
    check_parameter=_check_parameter,
    help=("catalogue.listing", "help_on_formula"),
    formula=True,
    counted=True,
    in_counts=True,
    of_labels=_of_labels,
    of_classes=lambda y_true, y_pred: makers().counts_of_classes(y_true, y_pred),
    left_out="for labels 0/1 or False/True, or when positive= names the positive class",
    for_intervals={"moments": None},
    names_all=True,
)
LINEAR = replace(COUNTS, apply=_apply_linear)  # measures whose function is linear_form: a sum of counts, without a division
