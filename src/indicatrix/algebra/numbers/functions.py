"""The functions that formulas call, for every type: Python numbers, arrays of any library, symbols.

A formula is plain arithmetic plus the functions below, and the number type chooses what it means: float arrays give
values, ``fractions.Fraction`` gives exact results, SymPy symbols give expressions, Python integers never overflow.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ...words.wording import type_of
from ..arrays import Array, as_float, is_array, namespace, quiet
from .gradient import Traced, traced_log_ratio, traced_part_log, without_trace

MOST_BITS = 1 << 20  # of the exponent of an mpmath number
REMEMBERED = 1 << 14  # values of functions that work element by element


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) or type(x).__module__ == "fractions"  # a tuple: a union would be built again in each call


def _is_symbolic(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] in ("sympy", "mpmath") or hasattr(type(x), "context")


def _library(*xs: Any) -> Any:
    """Return the library of the first symbolic argument: SymPy, or the ``context`` that a number has."""
    for x in filter(_is_symbolic, xs):
        return getattr(x, "context", None) or sys.modules[type(x).__module__.partition(".")[0]]
    raise TypeError(f"A formula cannot be evaluated on {', '.join(type(x).__name__ for x in xs)}; use numbers or arrays.")


def constant(x: Any, like: Any) -> Any:
    """Return an exact number, or ``"pi"``, in the number type of the counts.

    It stays exact if the counts are symbols or numbers of many digits.

    >>> import sympy
    >>> constant("pi", 3), constant("pi", sympy.Symbol("tp")), constant(2, 0.5)
    (3.141592653589793, pi, 2)
    """
    if _is_symbolic(like):
        library = _library(like)
        if x == "pi":
            return +library.pi
        whole = library.mpf if hasattr(library, "mpf") else library.Integer
        return whole(x.numerator) / x.denominator
    if x == "pi":
        return math.pi
    return type(like)(x) if type(like).__module__ == "fractions" else x


def _function(scalar: Callable[..., Any], array: str, symbol: str) -> Callable[..., Any]:
    """Build one function for numbers, arrays and symbols.

    ``array`` and ``symbol`` are its names in array libraries and in symbolic libraries.
    """
    arity = 1 if array in {"sqrt", "log", "log1p", "exp", "abs", "sin", "cos", "asin"} else 2
    each = np.frompyfunc(scalar, arity, 1)

    def function(*xs: Any) -> Any:
        if all(map(_is_number, xs)):
            return scalar(*xs)
        if len(xs) == 1 and type(xs[0]) is np.ndarray and xs[0].dtype != object:  # the most common case of arrays
            with quiet():
                return getattr(np, array)(xs[0])
        if any(isinstance(x, np.ndarray) and x.dtype == object for x in xs):
            return each(*xs)
        if any(map(is_array, xs)):
            xp = namespace(*xs)
            like = next(x for x in xs if is_array(x))
            with quiet():
                return getattr(xp, array)(*(x if is_array(x) else xp.asarray(float(x), dtype=like.dtype) for x in xs))
        if array == "pow" and hasattr(xs[0], "__pow__") and not any(map(_is_symbolic, xs)):
            return xs[0] ** xs[1]  # another number type, which has its own power
        library = _library(*xs)
        if array in OF_MANY_DIGITS and hasattr(library, "mpf"):
            return OF_MANY_DIGITS[array](*xs)
        return getattr(library, symbol, scalar)(*xs)

    function.__name__ = array
    return function


def _exp_of_many_digits(x: Any) -> Any:
    """Return exp of an mpmath number; it is infinite or 0 where its exponent would fill the memory."""
    library = x.context
    if abs(x) < MOST_BITS or not library.isfinite(x):
        return library.exp(x)
    return library.inf if x > 0 else library.zero


def _power_of_many_digits(base: Any, exponent: Any) -> Any:
    """Return a power of mpmath numbers; it is infinite or 0 where its exponent would fill the memory."""
    library = getattr(base, "context", None) or exponent.context
    base, exponent = library.mpf(base), library.mpf(exponent)
    if library.isinf(exponent) and not library.isnan(base):  # as for floats, where 1**inf is 1
        return library.one if abs(base) == 1 else library.inf if (abs(base) > 1) == (exponent > 0) else library.zero
    if not (library.isfinite(base) and library.isfinite(exponent)):
        return base**exponent
    if base == 0 or abs(base) == 1:  # an exponent with this many bits is a huge even number
        return base**exponent if library.mag(exponent) < MOST_BITS else base ** library.mpf(2 if exponent > 0 else -2)
    bits = exponent * library.log(abs(base), 2)
    if abs(bits) < MOST_BITS:
        return base**exponent
    return library.zero if bits < 0 else -library.inf if base < 0 and exponent % 2 == 1 else library.inf


def divide(num: Any, den: Any) -> Any:
    """Return num / den of two numbers; 0/0 is nan and x/0 is infinite."""
    if den == 0:
        return math.nan if num == 0 or num != num else math.inf if num > 0 else -math.inf
    try:
        return num / den
    except OverflowError:
        return as_float(num // den)


_divide_each = np.frompyfunc(divide, 2, 1)


def _divide_objects(num: Any, den: Any) -> Any:
    """Return the quotients of arrays of Python numbers; integers and floats are divided at once."""
    if all(set(map(type, np.ravel(x).tolist())) <= {int, float} for x in (num, den)):
        try:
            return np.true_divide(num, den)
        except (ZeroDivisionError, OverflowError):  # one of them is undefined, or needs more than a float in between
            pass
    return _divide_each(num, den)


def ratio(num: Any, den: Any) -> Any:
    """Return num / den; 0/0 is nan and x/0 is infinite.

    Every undefined value in the library comes from here.

    Parameters
    ----------
    num, den : number or array
        Numbers of any kind (int, float, Fraction, a symbol) or arrays of any array library.

    Returns
    -------
    number or array
        The quotient in the number type that was given. Use it in formulas of your own in place of ``/``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.ratio(1, 4), ix.ratio(0, 0), ix.ratio(1, 0)
    (0.25, nan, inf)
    """
    if type(den) is int and type(num) is int:  # the most common case first
        return num / den if 0 <= num <= den > 0 else divide(num, den)
    if type(den) is np.ndarray or type(num) is np.ndarray:
        if any(isinstance(x, np.ndarray) and x.dtype == object for x in (num, den)):
            try:
                return _divide_objects(num, den)
            except (TypeError, ValueError) as error:
                raise TypeError(f"ratio divides numbers: {error}.") from None
    elif _is_number(num) and _is_number(den):
        return divide(num, den)
    try:
        with quiet():  # arrays follow IEEE 754, which gives the same; a symbol stays a quotient
            return num / den
    except ZeroDivisionError:  # an mpmath number
        return divide(num, den)
    except (TypeError, ValueError, MemoryError) as error:
        raise TypeError(f"ratio divides numbers or arrays, and not {type_of(num)} by {type_of(den)}: {error!r}.") from None


def _sqrt(x: Any) -> Any:
    if x < 0 or x != x:
        return math.nan
    if type(x).__module__ == "fractions":
        root = type(x)(math.isqrt(x.numerator), math.isqrt(x.denominator))
        return root if root * root == x else math.sqrt(x)
    try:
        return math.sqrt(x)
    except OverflowError:
        return as_float(math.isqrt(x))


def _log(x: Any) -> float:
    if x == 0:
        return -math.inf
    return math.log(x) if x > 0 else math.nan


def _log1p(x: Any) -> Any:
    if not _is_number(x):
        return log(1 + x)  # a symbol loses no digits, and SymPy has no log1p
    if x == -1:
        return -math.inf
    return math.log1p(x) if x > -1 else math.nan


def _exp(x: Any) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _sin(x: Any) -> float:
    return math.sin(x) if math.isfinite(x) else math.nan


def _cos(x: Any) -> float:
    return math.cos(x) if math.isfinite(x) else math.nan


def _asin(x: Any) -> float:
    return math.asin(x) if -1 <= x <= 1 else math.nan


def _minimum(a: Any, b: Any) -> Any:
    return math.nan if a != a or b != b else min(a, b)


def _maximum(a: Any, b: Any) -> Any:
    return math.nan if a != a or b != b else max(a, b)


def _digits(x: Any) -> Any:
    return max(int(x.numerator).bit_length(), int(x.denominator).bit_length())


def _power(base: Any, exponent: Any) -> Any:
    if not (_is_number(base) and _is_number(exponent)):
        return base**exponent  # mpmath, which has no function of this name
    # Exact powers only where they stay small: a formula such as 9**9**9 must not use up the memory.
    if isinstance(base, float) or isinstance(exponent, float) or _digits(base) * abs(exponent) > 1 << 12:
        base, exponent = as_float(base), as_float(exponent)
    try:
        power = base**exponent
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf if base > 0 or exponent % 2 == 0 else -math.inf
    return math.nan if isinstance(power, complex) else power


OF_MANY_DIGITS: dict[str, Callable[..., Any]] = {"exp": _exp_of_many_digits, "pow": _power_of_many_digits}
sqrt = _function(_sqrt, "sqrt", "sqrt")
log = _function(_log, "log", "log")
log1p = _function(_log1p, "log1p", "log1p")
exp = _function(_exp, "exp", "exp")
sin = _function(_sin, "sin", "sin")
cos = _function(_cos, "cos", "cos")
asin = _function(_asin, "asin", "asin")
absolute = _function(abs, "abs", "Abs")
minimum = _function(_minimum, "minimum", "Min")
maximum = _function(_maximum, "maximum", "Max")
power = _function(_power, "pow", "Pow")


def special(
    scalar: Callable[..., float],
    symbolic: Callable[..., Any],
    arity: int = 1,
    *,
    arrays: Callable[..., Array] | None = None,
) -> Callable[..., Any]:
    """Build a function that array libraries do not have; ``symbolic`` takes a symbolic library first.

    It works element by element, so it gives the same value for every library; values are remembered, as trials repeat counts.
    Where that takes long, ``arrays`` is the same function of float64 arrays of one shape. A symbolic library that has a function
    of this name itself is asked for it.
    """
    name = scalar.__name__.removeprefix("_")
    each = np.frompyfunc(lru_cache(REMEMBERED)(scalar), arity, 1)

    @lru_cache(REMEMBERED, typed=True)
    def of_symbols(library: Any, _: int | None, *xs: Any) -> Any:
        return symbolic(library, *xs)

    def function(*xs: Any) -> Any:
        if all(map(_is_number, xs)):
            return scalar(*xs)
        x = next((x for x in xs if is_array(x)), None)
        if isinstance(x, np.ndarray):
            with quiet():
                if arrays is not None and all(isinstance(y, np.ndarray) and y.dtype == np.float64 for y in xs):
                    return arrays(*np.broadcast_arrays(*map(np.asarray, xs)))
                return np.asarray(each(*xs), dtype=x.dtype if x.dtype.kind in "fO" else np.float64)
        if x is not None:
            xp = namespace(x)
            elements = [scalar(*map(float, some)) for some in zip(*(xp.reshape(y, (-1,)) for y in xs), strict=True)]
            return xp.reshape(xp.asarray(elements, dtype=x.dtype, device=x.device), x.shape)
        library = _library(*xs)
        if own := getattr(library, name, None):  # recorded numbers, which cannot be compared and so not be remembered
            return own(*xs)
        return of_symbols(library, getattr(library, "prec", None), *xs)  # the digits of a value belong to it

    return function


@cache
def _normal() -> Any:
    from statistics import NormalDist  # imported when first needed: importing the library must stay fast

    return NormalDist()


def _probit(p: Any) -> float:
    p = float(p)
    if 0 < p < 1:
        return float(_normal().inv_cdf(p))
    return math.inf if p == 1 else -math.inf if p == 0 else math.nan


def _probit_of_each(p: Array) -> Array:
    from .quantiles import normal_quantiles  # as above

    return normal_quantiles(p)


def _symbolic_probit(library: Any, p: Any) -> Any:
    if getattr(library, "prec", None) is None or not 0 < float(p) < 1:
        return library.sqrt(2) * library.erfinv(2 * p - 1)
    from .quantiles import precise_quantile

    return precise_quantile(library, p, _probit(p)) if p < 0.5 else -precise_quantile(library, 1 - p, _probit(1 - p))


def _log_gamma(x: Any) -> float:
    x = as_float(x)
    return math.inf if x == 0 else math.lgamma(x) if x > 0 else math.nan


probit = special(_probit, _symbolic_probit, arrays=_probit_of_each)
log_gamma = special(_log_gamma, lambda library, x: library.loggamma(x))


def log_ratio(num: Any, den: Any, difference: Any) -> Any:
    """Return log(num/den), with all its digits also where num and den are close.

    ``difference`` is num - den, computed exactly by the caller.

    >>> log_ratio(10**18 + 1, 10**18, 1)
    1e-18
    """
    if isinstance(num, Traced) or isinstance(den, Traced):  # both branches below are one function, without a kink
        return traced_log_ratio(num, den, log_ratio(*map(without_trace, (num, den, difference))))
    near = absolute(difference) * 2 < den
    return select(near, log1p(ratio(difference, den)), log(ratio(num, den)))


def part_log(part: Any, whole: Any) -> Any:
    """Return x log(whole/x) of parts x of a whole, arrays of floats or integers; 0 where there is none.

    >>> part_log(np.array([0.0, 1.0]), 1.0).tolist()
    [0.0, 0.0]
    """
    if isinstance(part, Traced) or isinstance(whole, Traced):
        return traced_part_log(part, whole, part_log(*map(without_trace, (part, whole))))
    with quiet():
        found = part * np.log(whole / part)
    return found if part.all() else np.where(part == 0, 0.0, found)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return ``yes`` where the condition holds and ``no`` elsewhere, for numbers, arrays and symbols.

    >>> select(True, 1, 0), select(np.array([True, False]), 1.0, 0.0).tolist()
    (1, [1.0, 0.0])
    """
    if isinstance(condition, bool | np.bool_):
        return yes if condition else no
    if isinstance(condition, np.ndarray):
        return np.where(condition.astype(bool), yes, no)
    if is_array(condition):
        xp = namespace(condition)
        like = next((x for x in (yes, no) if is_array(x)), None)
        dtype = xp.float64 if like is None else like.dtype
        return xp.where(condition, *(x if is_array(x) else xp.asarray(float(x), dtype=dtype) for x in (yes, no)))
    library = _library(condition)
    return library.Piecewise((yes, condition), (no, True))


def equals(a: Any, b: Any) -> Any:
    """Return a == b as a condition for ``select``, for numbers, arrays and symbols."""
    if (_is_number(a) and _is_number(b)) or is_array(a) or is_array(b):
        return a == b
    library = _library(a, b)
    return library.Eq(a, b) if hasattr(library, "Eq") else bool(a == b)
