"""How large counts may be until float64 no longer computes a formula as exact integers do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..arrays import EXACT_IN_FLOAT64, FLOATS_ARE_EXACT, Array
from .recorded_counts import UNCHANGED, NotRecordableError, Recorded, record

ROUNDED_ALIKE = {
    *UNCHANGED,
    "constant",
    "ratio",
    "sqrt",
    "<",
    "<=",
    ">",
    ">=",
    "==",
}  # in Python and in NumPy; a logarithm is not


def exact_below(formula: Callable[..., Any], params: Mapping[str, Any]) -> int:
    """Return the total of counts below which float64 gives what Python integers give, to the last bit.

    Until the first division a formula computes polynomials of the counts. Floats are exact while these stay below 2**53, so
    their degree decides.

    >>> import indicatrix as ix
    >>> [exact_below(m.function, {}).bit_length() - 1 for m in (ix.f1, ix.cohen_kappa, ix.mcc)]
    [51, 25, 17]
    """
    try:
        polynomials = _polynomials(record(formula, params))
    except NotRecordableError:
        return EXACT_IN_FLOAT64
    limit = FLOATS_ARE_EXACT
    for polynomial in polynomials:
        while limit > EXACT_IN_FLOAT64 and sum(int(c) * limit**k for k, c in enumerate(polynomial)) > FLOATS_ARE_EXACT:
            limit //= 2
    return limit


def _polynomials(x: Recorded) -> list[Array]:
    """Return a limit of each integer that an expression computes, as coefficients of powers of the total."""
    if not x.whole and x.operation not in ROUNDED_ALIKE:
        raise NotRecordableError(f"{x.operation} may differ in the last bit.")
    own = [_size(x)] if x.whole else []
    return own + [found for part in x.operands if isinstance(part, Recorded) for found in _polynomials(part)]


def _size(x: Recorded) -> Array:
    """Return coefficients of a polynomial of the total that no value of a whole expression exceeds."""
    if x.operation == "cell":
        return np.array([0, 1], object)
    if x.operation == "constant":
        return np.array([abs(x.operands[0])], object)
    if x.operation == "pow":
        return _product([_size(x.operands[0])] * x.operands[1].operands[0])
    sizes = [_size(part) for part in x.operands if part.whole]
    if x.operation == "*":
        return _product(sizes)
    total = np.zeros(max(map(len, sizes)), object)
    for size in sizes:
        total[: len(size)] += size
    return total


def _product(sizes: list[Array]) -> Array:
    found = np.array([1], object)
    for size in sizes:
        found = np.convolve(found, size)
    return found
