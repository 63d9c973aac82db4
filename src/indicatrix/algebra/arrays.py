"""Arrays of any library: to which one an array belongs, and the numbers formulas get from counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

# While the total is smaller, integer polynomials of degree three stay below 2**53, and float64 evaluates them exactly.
EXACT_IN_FLOAT64 = 2**17
FLOATS_ARE_EXACT = 2**53  # float64 holds every integer up to here

FEW = 16  # up to this many numbers are faster one by one, as Python numbers, than as an array


def namespace(*arrays: Any) -> Any:
    """Return the array-API namespace of the arrays; NumPy if all are NumPy arrays or plain numbers."""
    foreign = [a for a in arrays if not isinstance(a, np.ndarray | np.generic | int | float)]
    if not foreign:
        return np
    import array_api_compat

    return array_api_compat.array_namespace(*foreign)


def is_array(x: Any) -> bool:
    """Return whether ``x`` is an array of any library.

    A torch tensor does not have ``__array_namespace__``, but it has ``__dlpack__``.
    """
    return isinstance(x, np.ndarray) or hasattr(x, "__array_namespace__") or hasattr(x, "__dlpack__")


def quiet() -> np.errstate:
    """Return a context that silences NumPy where an infinity or a nan is the correct answer."""
    return np.errstate(all="ignore")


def as_float(x: Any) -> float:
    """Return a number as a float; a number that is too large becomes infinite, not an error."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def exact_sum(x: np.ndarray[Any, Any]) -> Any:
    """Return the sum without overflow: int64 where it is safe, Python integers where it is not.

    >>> exact_sum(np.array([2**62, 2**62, 2**62])) == 3 * 2**62
    True
    """
    if x.dtype.kind in "iu" and x.size and float(abs(x).max()) * x.size >= 2**62:
        x = x.astype(object)
    return x.sum()


def for_formula(four: tuple[Any, ...], bound: float | None, exact_below: Callable[[], int]) -> tuple[Any, ...]:
    """Return four counts in the number type in which formulas are accurate.

    ``bound``, if known, is a limit that their totals do not exceed; ``exact_below`` tells up to which total floats are exact.
    NumPy integers would overflow (four int64 marginals multiplied give an MCC of 4.46). So small counts become float64, where
    their polynomials are exact, and large counts become Python integers, which have no limit.
    """
    first = four[0]
    if isinstance(first, np.ndarray) and first.ndim:
        if first.dtype == object:
            return four
        if first.dtype.kind == "f":
            return tuple([x.astype(np.float64, copy=False) for x in four])
        if bound is None:
            bound = sum(float(x.max(initial=0)) for x in four)
        dtype: Any = np.float64 if bound < EXACT_IN_FLOAT64 or bound < exact_below() else object
        return tuple([x.astype(dtype) for x in four])
    if isinstance(first, np.ndarray | np.generic):
        return tuple(x.item() if isinstance(x, np.ndarray | np.generic) else x for x in four)
    if is_array(first):
        xp = namespace(first)
        return tuple(xp.astype(x, xp.float64) for x in four)
    return four


def as_weight(x: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return counts as float64 weights, whatever number or array type they have."""
    if is_array(x) and not isinstance(x, np.ndarray):
        x = x.detach().cpu() if hasattr(x, "detach") else x
        x = x.tolist() if hasattr(x, "tolist") else np.from_dlpack(x)
    return np.asarray(x, dtype=np.float64)


def position(at: Iterable[Any]) -> str:
    """Return a position in an array as an error shows it; of a single number, nothing.

    >>> position((2, 0)), position(())
    ('[2, 0]', '')
    """
    text = ", ".join(str(int(i)) for i in at)
    return f"[{text}]" if text else ""


def refuse_where(bad: Any, argument: str, values: Any, why: str) -> None:
    """Refuse values that are bad somewhere, with the first position and the value there.

    >>> refuse_where(np.array([[True, True], [True, False]]), "ranks", np.array([[2, 1], [1, 0]]), "ranks start at 1.")
    Traceback (most recent call last):
    ValueError: ranks[0, 0] = 2: ranks start at 1.
    """
    if np.any(bad):
        at = tuple(np.argwhere(bad)[0])
        raise ValueError(f"{argument}{position(at)} = {values[at]!s}: {why}")
