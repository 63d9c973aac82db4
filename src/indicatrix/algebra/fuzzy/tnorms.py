"""T-norms: the soft AND of memberships, with their families and limits (tab:tnorms)."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, cast

import numpy as np

from ...words.call_mistakes import answers_mistakes
from ..arrays import is_array, namespace, quiet
from ..numbers.functions import equals, maximum, minimum, ratio, select
from .negations import Negation, check_parameter, choices_of, member_text, negation, read_member, standard

Binary = Callable[[Any, Any], Any]


@answers_mistakes
@dataclass(frozen=True)
class TNorm:
    """A t-norm T(a, b), element-wise on numbers, fractions and arrays of any library.

    Parameters
    ----------
    name : str
        The name.
    function : callable
        T(a, b) and the parameters by keyword.
    params : mapping, optional
        The parameters with their values.
    doc : str, default ''
        What it is, in a line.
    dual : callable, optional
        S(a, b), where it can be computed more exactly than as 1 - T(1-a, 1-b).
    negation : Negation, default 1 - x
        N(x), the complement of a membership.
    of_complements : mapping, optional
        T(1-a, b), T(a, 1-b) and T(1-a, 1-b) as "fp", "fn" and "tn", where 1-a and 1-b are better not rounded first.

    Examples
    --------
    >>> import indicatrix as ix
    >>> from fractions import Fraction
    >>> lukasiewicz = ix.algebra.TNORMS["lukasiewicz"]
    >>> lukasiewicz(Fraction(3, 5), Fraction(7, 10)), lukasiewicz.conorm(0.25, 0.5)
    (Fraction(3, 10), 0.75)
    >>> ix.types.TNorm("smaller", min)(0.6, 0.7)
    0.6
    """

    name: str
    function: Callable[..., Any]
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)
    doc: str = field(default="", compare=False)
    dual: Binary | None = field(default=None, compare=False)  # the t-conorm, if it has its own formula
    negation: Negation = standard
    of_complements: Mapping[str, Binary] = field(default_factory=dict, compare=False)

    def __call__(self, a: Any, b: Any) -> Any:
        """Return T(a, b), the fuzzy "and"; arrays broadcast and keep their floating type."""
        return _apply(lambda x, y: self.function(x, y, **self.params), a, b)

    def cell(self, a: Any, b: Any, kind: str) -> Any:
        """Return one cell of an example: T of memberships or complements.

        "tp" is T(a, b), "fp" T(N(a), b), "fn" T(a, N(b)) and "tn" T(N(a), N(b)).

        Parameters
        ----------
        a, b : number or array
            The true and the predicted membership, in [0, 1].
        kind : str
            "tp", "fp", "fn" or "tn".

        Returns
        -------
        number or array
            How much the example adds to the cell.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.algebra.tnorm("product").cell(0.5, 0.25, "fn")
        0.375
        >>> ix.algebra.tnorm("lukasiewicz").cell(1 / 3, 1 / 3, "fp")  # not 5e-17, which rounding 1 - 1/3 would give
        0.0
        """
        if self.negation is standard and kind in self.of_complements:
            return _apply(self.of_complements[kind], a, b)
        return self(self.negation(a) if kind in ("fp", "tn") else a, self.negation(b) if kind in ("fn", "tn") else b)

    def conorm(self, a: Any, b: Any) -> Any:
        """Return the fuzzy "or", S(a, b) = N(T(N(a), N(b))); N(x) is mostly 1 - x.

        Parameters
        ----------
        a, b : number or array
            Memberships in [0, 1].

        Returns
        -------
        number or array
            The membership in "a or b".

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.algebra.tnorm("product").conorm(0.5, 0.5), ix.algebra.tnorm("godel").conorm(0.6, 0.7)
        (0.75, 0.7)
        """
        if self.negation is not standard:
            return self.negation(self(self.negation(a), self.negation(b)))
        return _apply(self.dual or self._complement, a, b)

    def with_negation(self, negation: Negation) -> TNorm:
        """Return the same t-norm with another complement of memberships.

        Parameters
        ----------
        negation : Negation
            What ``ix.algebra.negation`` returns.

        Returns
        -------
        TNorm
            Its cells and its t-conorm use that complement.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.algebra.tnorm("product").with_negation(ix.algebra.negation("sugeno(s=1)")).negation
        sugeno(s=1)
        """
        return replace(self, negation=negation)

    def _complement(self, a: Any, b: Any) -> Any:
        lo, hi = minimum(a, b), maximum(a, b)
        # 1 - (1 - a) is not always a in floating point, so the neutral element is handled separately.
        return select(lo == 0, hi, maximum(hi, 1 - self.function(1 - a, 1 - b, **self.params)))

    def __repr__(self) -> str:
        return member_text(self.name, self.params)

    def __reduce__(self) -> Any:  # a lambda cannot be pickled, but its name can
        if self.name not in TNORMS:
            return super().__reduce__()
        plain = (tnorm, (repr(self),))
        return plain if self.negation is standard else (TNorm.with_negation, (plain[0](*plain[1]), self.negation))


def _apply(function: Binary, a: Any, b: Any) -> Any:
    """Return function(a, b) in one floating type; numbers, fractions and symbols stay as they are."""
    for x in (a, b):
        if isinstance(x, range) or (isinstance(x, np.ndarray) and x.dtype == object and any(v is None for v in x.flat)):
            raise TypeError("Memberships are numbers between 0 and 1, or arrays of them.")
    arrays = [x for x in (a, b) if is_array(x) or isinstance(x, np.generic)]
    if not arrays or any(x.dtype == object for x in arrays):
        return function(a, b)
    xp = namespace(*arrays)
    if any(xp.isdtype(x.dtype, "complex floating") for x in arrays):
        raise TypeError("Memberships are real numbers between 0 and 1, and these are complex.")
    floats = [x.dtype for x in arrays if xp.isdtype(x.dtype, "real floating")]
    dtype = xp.result_type(*floats) if floats else xp.float64  # crisp 0/1 labels may be integers or booleans

    def operand(x: Any) -> Any:
        if isinstance(x, np.ndarray | np.generic) or not is_array(x):
            return xp.asarray(x if hasattr(x, "dtype") else float(x), dtype=dtype, device=arrays[0].device)
        return x if x.dtype == dtype else xp.astype(x, dtype)

    a, b = operand(a), operand(b)
    if xp is not np:
        return function(a, b)
    try:
        shape = np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise ValueError(f"Memberships of the shapes {a.shape} and {b.shape} do not go together.") from None
    # NumPy turns zero-dimensional results into scalars, which are neither arrays nor Python numbers.
    return np.reshape(function(np.atleast_1d(a), np.atleast_1d(b)), shape)[()]


def _smooth(core: Callable[[Any, Any, Any], Any], a: Any, b: Any) -> Any:
    """Return core(xp, lo, hi) inside the unit square, and the exact value on its border.

    The value is never outside [0, min(a, b)]. The core sees only 0 < lo <= hi < 1, in float64 or wider, so it needs no
    special cases; sorting makes T commutative.
    """
    if any(is_array(x) and x.dtype == object for x in (a, b)):  # fractions: the value is not a fraction
        return _smooth(core, np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    if not is_array(a):
        return _smooth(core, np.array([float(a)]), np.array([float(b)])).item()
    xp = namespace(a, b)
    dtype = a.dtype
    lo, hi = minimum(a, b), maximum(a, b)
    if xp.finfo(dtype).bits < 64:  # rounding the result once keeps it monotone and below min(a, b)
        lo, hi = xp.astype(lo, xp.float64), xp.astype(hi, xp.float64)
    border = (lo == 0) | (hi == 1)
    half = xp.full_like(lo, 0.5)
    with quiet():
        inner = core(xp, xp.where(border, half, lo), xp.where(border, half, hi))
        inner = xp.minimum(xp.maximum(inner, xp.zeros_like(lo)), lo)
        return xp.astype(xp.where(border, lo, inner), dtype)


def _lukasiewicz(a: Any, b: Any) -> Any:
    # 1 - max is exact where it matters (max >= 1/2), unlike a + b, so T(a, 1) is exactly a.
    return maximum(minimum(a, b) - (1 - maximum(a, b)), a * 0)


product = TNorm(
    "product",
    lambda a, b: a * b,
    doc="ab",
    dual=lambda a, b: maximum(a, b) + minimum(a, b) * (1 - maximum(a, b)),
)
godel = TNorm("godel", minimum, doc="min(a, b)", dual=maximum)
lukasiewicz = TNorm(
    "lukasiewicz",
    _lukasiewicz,
    doc="max(0, a + b - 1)",
    dual=lambda a, b: minimum(a + b, 1),
    of_complements={  # each is 0 exactly where it should be, so that 0/0 stays undefined
        "fp": lambda a, b: maximum(b - a, a * 0),
        "fn": lambda a, b: maximum(a - b, a * 0),
        "tn": lambda a, b: maximum(1 - maximum(a, b) - minimum(a, b), a * 0),
    },
)
drastic = TNorm(
    "drastic",
    lambda a, b: select(maximum(a, b) == 1, minimum(a, b), a * b * 0),  # a zero of the right type; nan stays nan
    doc="min(a, b) if max(a, b) = 1, else 0",
    dual=lambda a, b: select(minimum(a, b) == 0, maximum(a, b), a * b * 0 + 1),
)


def _frank(a: Any, b: Any, s: Any) -> Any:
    k = math.log(s)

    def core(xp: Any, lo: Any, hi: Any) -> Any:
        z = xp.expm1(k * lo) / math.expm1(k) * xp.expm1(k * hi)  # s^T - 1
        if k > 0:
            return xp.log1p(z) / k
        # For s < 1, s^T - 1 comes near -1 and loses T; s^(T - lo) - 1 is a product without cancellation.
        near = z > -0.5
        w = xp.exp(k * (hi - lo)) * xp.expm1(k * (1 - hi)) * xp.expm1(k * lo) / -math.expm1(k)
        return xp.where(near, xp.log1p(xp.where(near, z, z * 0)) / k, lo + xp.log1p(w) / k)

    return _smooth(core, a, b)


def _hamacher(a: Any, b: Any, r: Any) -> Any:
    if not any(isinstance(x, float) or (is_array(x) and x.dtype != object) for x in (a, b)):
        r = Fraction(r)  # exact arguments need an exact parameter
        both = a * b
        return select(equals(both, 0), both, ratio(both, a + b - both + r * (1 - a) * (1 - b)))
    r = float(r)
    return _smooth(lambda xp, lo, hi: lo * (hi / (hi + lo * (1 - hi) + r * (1 - lo) * (1 - hi))), a, b)


def _schweizer_sklar(a: Any, b: Any, p: Any) -> Any:
    p = math.copysign(max(abs(p), 1e-200), p)  # closer to 0 no digit changes, but p log(a) would be subnormal

    def core(xp: Any, lo: Any, hi: Any) -> Any:
        x, y = p * xp.log(lo), p * xp.log(hi)
        if p < 0:
            gap = p * (xp.log(hi) - xp.log(lo))
            return lo * xp.exp(xp.log1p(-xp.exp(gap) * xp.expm1(-y)) / p)
        total = xp.exp(x) + xp.expm1(y)  # a^p + b^p - 1, with all its digits when it is small
        excess = xp.expm1(x) + xp.expm1(y)  # the same minus 1, with all its digits when p is small
        near, one = excess > -0.5, xp.ones_like(total)
        log = xp.where(near, xp.log1p(xp.where(near, excess, one)), xp.log(xp.where(total > 0, total, one)))
        return xp.where(total > 0, xp.exp(log / p), lo * 0)

    return _smooth(core, a, b)


def _excess(xp: Any, small: Any, p: Any) -> Any:
    """Return k, where u (1 + k) is the p-norm of (u, v) and ``small`` is v/u <= 1."""
    return xp.expm1(xp.log1p(small ** float(p)) / float(p))


def _aczel_alsina(a: Any, b: Any, p: Any) -> Any:
    return _smooth(lambda xp, lo, hi: lo * xp.exp(xp.log(lo) * _excess(xp, xp.log(hi) / xp.log(lo), p)), a, b)


def _yager(a: Any, b: Any, p: Any) -> Any:
    return _smooth(lambda xp, lo, hi: lo - (1 - lo) * _excess(xp, (1 - hi) / (1 - lo), p), a, b)


def _dombi(a: Any, b: Any, p: Any) -> Any:
    return _smooth(lambda xp, lo, hi: lo / (1 + (1 - lo) * _excess(xp, lo / hi * ((1 - hi) / (1 - lo)), p)), a, b)


def _member(function: Callable[..., Any], param: str, value: Any, *, limits: Mapping[float, TNorm], doc: str) -> TNorm:
    """Return the member of a family at a parameter value; at a limit, the t-norm of that limit."""
    family, low = function.__name__[1:], min(*limits, 0)
    value = check_parameter(family, param, value)
    if not float(value) >= low:
        raise ValueError(f"{family}({param}={value}): {param} must lie between {low} and inf, both included.")
    return limits.get(float(value)) or TNorm(family, function, {param: value}, doc)


def frank(s: Any) -> TNorm:
    """Return the Frank t-norm: Gödel at s=0, product at 1, Łukasiewicz at inf.

    >>> frank(s=1), frank(s=2)
    (product, frank(s=2))
    """
    limits = {0: godel, 1: product, math.inf: lukasiewicz}
    return _member(_frank, "s", s, limits=limits, doc="log_s(1 + (s^a - 1)(s^b - 1)/(s - 1))")


def hamacher(r: Any) -> TNorm:
    """Return the Hamacher t-norm: product at r=1, Einstein at 2, drastic at inf.

    >>> hamacher(r=2)(Fraction(1, 2), Fraction(1, 2))
    Fraction(1, 5)
    """
    return _member(_hamacher, "r", r, limits={1: product, math.inf: drastic}, doc="ab/(r + (1 - r)(a + b - ab))")


def schweizer_sklar(p: Any) -> TNorm:
    """Return the Schweizer–Sklar t-norm.

    It is Gödel at p=-inf, product at 0, Łukasiewicz at 1 and drastic at inf.
    """
    limits = {-math.inf: godel, -1: hamacher(0), 0: product, 1: lukasiewicz, math.inf: drastic}
    return _member(_schweizer_sklar, "p", p, limits=limits, doc="max(0, a^p + b^p - 1)^(1/p)")


def aczel_alsina(p: Any) -> TNorm:
    """Return the Aczél–Alsina t-norm: drastic at p=0, product at 1, Gödel at inf."""
    limits = {0: drastic, 1: product, math.inf: godel}
    return _member(_aczel_alsina, "p", p, limits=limits, doc="exp(-((-log a)^p + (-log b)^p)^(1/p))")


def yager(p: Any) -> TNorm:
    """Return the Yager t-norm: drastic at p=0, Łukasiewicz at 1, Gödel at inf."""
    limits = {0: drastic, 1: lukasiewicz, math.inf: godel}
    return _member(_yager, "p", p, limits=limits, doc="max(0, 1 - ((1 - a)^p + (1 - b)^p)^(1/p))")


def dombi(p: Any) -> TNorm:
    """Return the Dombi t-norm: drastic at p=0, Hamacher product at 1, Gödel at inf."""
    limits = {0: drastic, 1: hamacher(0), math.inf: godel}
    return _member(_dombi, "p", p, limits=limits, doc="1/(1 + ((1/a - 1)^p + (1/b - 1)^p)^(1/p))")


TNORMS: dict[str, TNorm | Callable[..., TNorm]] = {t.name: t for t in (product, godel, lukasiewicz, drastic)}
TNORMS |= {f.__name__: f for f in (frank, hamacher, schweizer_sklar, aczel_alsina, yager, dombi)}


@answers_mistakes
def tnorm(spec: TNorm | str | Binary) -> TNorm:
    """Return the t-norm of a name, a name with a parameter, or a function of two arguments.

    Parameters
    ----------
    spec : str, TNorm or callable
        A name of ``ix.algebra.TNORMS``, a name with a parameter such as "frank(s=2)", or a function of two memberships.

    Returns
    -------
    TNorm
        Call it on two memberships; ``tnorm=`` of ``evaluate`` takes it.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.algebra.tnorm("godel"), ix.algebra.tnorm("schweizer_sklar(p=-2)"), ix.algebra.tnorm(lambda a, b: a * b)(0.5, 0.5)
    (godel, schweizer_sklar(p=-2), 0.25)
    """
    if isinstance(spec, TNorm):
        return spec
    if isinstance(spec, str):
        return cast(TNorm, read_member(spec, TNORMS, "a t-norm"))
    try:
        inspect.signature(spec).bind(0, 0)
    except TypeError:
        raise TypeError(f"{spec!r} is not a t-norm. Use {choices_of(TNORMS)}, or a function of two arguments.") from None
    except ValueError:
        pass  # a compiled function, whose arguments cannot be inspected
    name = getattr(spec, "__name__", type(spec).__name__)
    try:
        float(spec(0.5, 1.0))
    except Exception as error:
        raise TypeError(f"{name} is not a t-norm, a function of two memberships: {error!r}.") from error
    name = f"{spec.__module__}.{name}" if name in TNORMS else name  # reports must tell it from the library's
    return TNorm(name, spec, doc=inspect.getdoc(spec) or "")


def with_complement(norm: TNorm | None, given: Any) -> TNorm | None:
    """Return a t-norm with the complement that ``negation=`` asks for, which needs a t-norm.

    >>> with_complement(product, "sugeno(s=1)").negation, with_complement(None, None)
    (sugeno(s=1), None)
    """
    if given is None:
        return norm
    found = negation(given)
    if norm is None:
        raise ValueError(
            f"negation={found!r} is the complement of memberships, and without tnorm= labels are 0 or 1. Pass tnorm= as well."
        )
    return norm.with_negation(found)
