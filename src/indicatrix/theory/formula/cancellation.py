"""A measure as a rational function of tp, fp, fn, tn; cancellation decides which ones are equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import add, mul, sub, truediv
from typing import Any

from ...algebra.count_formula import is_symbol
from ...algebra.counts import CELLS
from ...algebra.measure import Measure
from ...algebra.numbers.exact import as_written

MOST_WORK = 12_000  # of one calculation: about 0.05 s; all proofs about the catalogue need less
EXTRA = ("_l", "_u", "_d")  # parameters do not have such names


class TooLargeError(ArithmeticError):
    """A calculation that would take too long; proofs that need it are left out."""


@dataclass(eq=False)
class _Work:
    """How much one calculation may still do, counted in products of terms times their degree.

    Counting, unlike a clock, refuses the same formula on every machine.
    """

    left: int

    def spend(self, x: Any, y: Any) -> None:
        """Count what it takes to join two elements of the field."""
        terms = max(len(x.numer), len(x.denom)) * max(len(y.numer), len(y.denom))
        self.left -= terms * (_degree(x) + _degree(y) + 1)
        if self.left < 0:
            raise TooLargeError("The polynomials have too many terms for a proof.")


def _degree(x: Any) -> int:
    return max((sum(exponents) for side in (x.numer, x.denom) for exponents in side), default=0)


@dataclass(frozen=True, eq=False)
class RationalForm:
    """A measure over a field of rational functions: call it on elements of that field.

    The field is Q(tp, fp, fn, tn, l, u, d, symbolic parameters of the measure). Elements with equal values are equal, so
    ``==`` is a proof for all counts. ``l`` and ``u`` scale classes, ``d`` is a step.
    """

    formula: Callable[..., Any]
    params: Mapping[str, Any]
    field: Any
    cells: tuple[Any, ...]
    extra: Mapping[str, Any]

    def __call__(self, *cells: Any) -> Any:
        """Return the canceled measure of four elements; None where the formula leaves the field."""
        try:
            work = _Work(MOST_WORK)
            params = {k: replace(x, work=work) if isinstance(x, _Element) else x for k, x in self.params.items()}
            value = self.formula(*(_Element(self.field(x), self.field, work) for x in cells), **params)
            return _Element.lift(value, self.field)
        except (TypeError, ValueError, AttributeError, ArithmeticError):  # roots and comparisons leave the field, and so does x/0
            return None

    def difference(self, x: Any, y: Any) -> Any:
        """Return x - y; None if one of them is None, or if they have too many terms."""
        if x is None or y is None:
            return None
        try:
            _Work(MOST_WORK).spend(x, y)
        except TooLargeError:
            return None
        return x - y

    @property
    def zero(self) -> Any:
        """An empty cell."""
        return self.field.zero

    @cached_property
    def value(self) -> Any:
        """The measure of tp, fp, fn, tn: a canceled fraction of polynomials."""
        return self(*self.cells)


def rational_form(measure: Measure) -> RationalForm | None:
    """Return the measure over a field of rational functions.

    It is None if the measure is not a rational function, or if SymPy is not installed.

    >>> import indicatrix as ix
    >>> rational_form(ix.f1).value, rational_form(ix.mcc)
    (2*tp/(2*tp + fp + fn), None)
    """
    try:
        from sympy import QQ
        from sympy.polys.fields import field
    except ImportError:
        return None
    symbols = [str(x) for x in measure.params.values() if is_symbol(x)]
    if {*symbols} & {*CELLS, *EXTRA}:
        raise ValueError(f"A symbol of {measure} has the name of a count. Give it a name other than {', '.join(CELLS)}.")
    numbers, *generators = field((*CELLS, *EXTRA, *dict.fromkeys(symbols)), QQ)
    named = dict(zip((*CELLS, *EXTRA, *dict.fromkeys(symbols)), generators, strict=True))
    params = {k: _Element(named[str(x)], numbers, _Work(0)) if is_symbol(x) else as_written(x) for k, x in measure.params.items()}
    form = RationalForm(measure.function, params, numbers, tuple(generators[:4]), {x[1:]: named[x] for x in EXTRA})
    return None if form.value is None else form


def rational_function(measure: Measure) -> Any:
    """Return the measure as a canceled fraction of polynomials.

    It is None if the measure is not such a fraction, or if SymPy is not installed.
    """
    form = rational_form(measure)
    return None if form is None else form.value


@dataclass(frozen=True, eq=False, slots=True)
class _Element:
    """An element of the field that allows field operations only.

    A formula that compares elements or takes roots of them is refused.
    """

    value: Any
    field: Any
    work: _Work

    @staticmethod
    def lift(x: Any, field: Any) -> Any:
        """Return a field element or an exact number as SymPy's element."""
        if isinstance(x, _Element):
            return x.value
        if isinstance(x, int | Fraction):
            return field.field_new(field.domain(x.numerator, x.denominator))
        raise TypeError(f"{x!r} is not an element of the field.")

    def _with(self, value: Any) -> _Element:
        return _Element(value, self.field, self.work)

    def _join(self, operate: Callable[[Any, Any], Any], left: Any, right: Any) -> _Element:
        sides = self.lift(left, self.field), self.lift(right, self.field)
        self.work.spend(*sides)
        return self._with(operate(*sides))

    def __add__(self, other: Any) -> _Element:
        return self._join(add, self, other)

    def __mul__(self, other: Any) -> _Element:
        return self._join(mul, self, other)

    def __sub__(self, other: Any) -> _Element:
        return self._join(sub, self, other)

    def __rsub__(self, other: Any) -> _Element:
        return self._join(sub, other, self)

    def __truediv__(self, other: Any) -> _Element:
        return self._join(truediv, self, other)

    def __rtruediv__(self, other: Any) -> _Element:
        return self._join(truediv, other, self)

    def __pow__(self, exponent: Any) -> _Element:
        if not isinstance(exponent, int | Fraction) or exponent.denominator != 1:
            raise TypeError("Only whole powers stay in the field.")
        power = self._with(self.field.one)
        for _ in range(abs(int(exponent))):  # one by one, to stop before the terms become too many
            power = power * self
        return power if exponent >= 0 else 1 / power

    def __neg__(self) -> _Element:
        return self._with(-self.value)

    def __pos__(self) -> _Element:
        return self

    def __eq__(self, other: object) -> bool:
        raise TypeError("A formula that branches on the counts is not a rational function.")

    def __bool__(self) -> bool:
        raise TypeError("A formula that branches on the counts is not a rational function.")

    __radd__, __rmul__ = __add__, __mul__
    __hash__ = None  # type: ignore[assignment]
