"""A measure as a rational function of tp, fp, fn, tn; cancellation decides which ones are equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...algebra.exact import as_written
from ...algebra.measure import Measure, is_symbol

COUNTS = ("tp", "fp", "fn", "tn")
EXTRA = ("_l", "_u", "_d")  # parameters do not have such names


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
        """Return the cancelled measure of four elements; None where the formula leaves the field."""
        try:
            value = self.formula(*(_Element(self.field(x), self.field) for x in cells), **self.params)
            return _Element.lift(value, self.field)
        except (TypeError, ValueError, AttributeError, ArithmeticError):  # roots and comparisons leave the field, and so does x/0
            return None

    @property
    def zero(self) -> Any:
        """An empty cell."""
        return self.field.zero

    @cached_property
    def value(self) -> Any:
        """The measure of tp, fp, fn, tn: a cancelled fraction of polynomials."""
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
    if {*symbols} & {*COUNTS, *EXTRA}:
        raise ValueError(f"A symbol of {measure} has the name of a count. Give it a name other than {', '.join(COUNTS)}.")
    numbers, *generators = field((*COUNTS, *EXTRA, *dict.fromkeys(symbols)), QQ)
    named = dict(zip((*COUNTS, *EXTRA, *dict.fromkeys(symbols)), generators, strict=True))
    params = {k: _Element(named[str(x)], numbers) if is_symbol(x) else as_written(x) for k, x in measure.params.items()}
    form = RationalForm(measure.formula, params, numbers, tuple(generators[:4]), {x[1:]: named[x] for x in EXTRA})
    return None if form.value is None else form


def rational_function(measure: Measure) -> Any:
    """Return the measure as a cancelled fraction of polynomials.

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

    @staticmethod
    def lift(x: Any, field: Any) -> Any:
        """Return a field element or an exact number as SymPy's element."""
        if isinstance(x, _Element):
            return x.value
        if isinstance(x, int | Fraction):
            return field.field_new(field.domain(x.numerator, x.denominator))
        raise TypeError(f"{x!r} is not an element of the field.")

    def _with(self, value: Any) -> _Element:
        return _Element(value, self.field)

    def __add__(self, other: Any) -> _Element:
        return self._with(self.value + self.lift(other, self.field))

    def __mul__(self, other: Any) -> _Element:
        return self._with(self.value * self.lift(other, self.field))

    def __sub__(self, other: Any) -> _Element:
        return self._with(self.value - self.lift(other, self.field))

    def __rsub__(self, other: Any) -> _Element:
        return self._with(self.lift(other, self.field) - self.value)

    def __truediv__(self, other: Any) -> _Element:
        return self._with(self.value / self.lift(other, self.field))

    def __rtruediv__(self, other: Any) -> _Element:
        return self._with(self.lift(other, self.field) / self.value)

    def __pow__(self, exponent: Any) -> _Element:
        if not isinstance(exponent, int | Fraction) or exponent.denominator != 1:
            raise TypeError("Only whole powers stay in the field.")
        return self._with(self.value ** int(exponent))

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
