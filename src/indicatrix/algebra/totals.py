"""How a score grows with the number of examples: a rate stays, a total such as a cost grows with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .derived.derived_facts import is_symbolic
from .numbers.exact import exact_value, is_defined
from .numbers.linear_fractional import count_vectors

TIMES = 3  # every count is multiplied by it
TRIED = 24  # count vectors, some with empty cells
NEAR = 1e-9


def is_total(measure: Any) -> bool:
    """Return whether a score is a total: three times the counts give three times the value.

    It is derived from the formula, which is then homogeneous of degree 1; a rate is of degree 0.

    >>> import indicatrix as ix
    >>> [is_total(ix.measure(text)) for text in ("5*fn + fp", "sqrt(tp*tn)", "tp/(tp+fp)", "tp*fp", "(tp+1)/(n+2)")]
    [True, True, False, False, False]
    """
    kind = getattr(measure, "reads", None)  # a loss or a ranking has none
    if kind is not None and kind.formula:
        return not is_symbolic(measure) and _is_total(measure.function, tuple(sorted(measure.params.items())))
    return kind is not None and not kind.averaged and _is_total_of_tables(measure)


def per_example(measure: Any) -> str:
    """Return the formula of a total for each example.

    >>> import indicatrix as ix
    >>> per_example(ix.measure("5*fn + fp"))
    '(5 * fn + fp) / n'
    """
    return f"({measure}) / n"


@lru_cache(maxsize=512)
def _is_total(formula: Callable[..., Any], params: tuple[tuple[str, Any], ...]) -> bool:
    value = exact_value(formula, dict(params))
    once = [value(*v) for v in count_vectors(TRIED, seed=0)]
    more = [value(*(TIMES * x for x in v)) for v in count_vectors(TRIED, seed=0)]
    pairs = [(float(a), float(b)) for a, b in zip(once, more, strict=True) if is_defined(a, b)]
    return _grow_alike(pairs)


def _is_total_of_tables(function: Callable[..., Any]) -> bool:
    tables = np.random.default_rng(0).integers(1, 20, (4, 3, 3))  # drawn here: importing NumPy's generators takes time
    try:
        return _grow_alike([(float(function(table)), float(function(TIMES * table))) for table in tables])
    except (TypeError, ValueError, ArithmeticError):  # of tables of another kind
        return False


def _grow_alike(pairs: list[tuple[float, float]]) -> bool:
    return any(a for a, _ in pairs) and all(math.isclose(TIMES * a, b, rel_tol=NEAR) for a, b in pairs)
