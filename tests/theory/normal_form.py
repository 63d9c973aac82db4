"""The normal form of a formula with square roots: an oracle that decides equality, built on SymPy's rational functions.

Square roots of distinct primes and of distinct irreducible polynomials are linearly independent over the rational functions,
so every formula is one sum of rational coefficients times products of such roots. Two formulas are equal where all cells
are positive exactly if these sums are: nothing is left to a heuristic simplification or to a tolerance.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from sympy import QQ, factorint
from sympy.polys.fields import field

FIELD, TP, FP, FN, TN, T = field("tp,fp,fn,tn,t", QQ)  # t is free: a scale, a step, or another value of a cell
CELLS = (TP, FP, FN, TN)
RING = FIELD.to_ring()


class Unsupported(Exception):
    """A root of something that is not a rational function, positive wherever all cells are."""


@dataclass(frozen=True)
class Form:
    """A sum of rational functions times roots; the key of a term is the set of radicands, each irreducible."""

    terms: dict[frozenset[Any], Any]

    def __add__(self, other: Form) -> Form:
        total = dict(self.terms)
        for roots, c in other.terms.items():
            total[roots] = total.get(roots, FIELD.zero) + c
        return Form({roots: c for roots, c in total.items() if c})

    def __neg__(self) -> Form:
        return Form({roots: -c for roots, c in self.terms.items()})

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __mul__(self, other: Form) -> Form:
        total = Form({})
        for mine, c in self.terms.items():
            for theirs, d in other.terms.items():
                product = c * d
                for radicand in mine & theirs:
                    product *= radicand
                total += Form({mine ^ theirs: product})
        return total

    def __truediv__(self, other: Form) -> Form:
        return self * other.inverse()

    def __pow__(self, exponent: int) -> Form:
        base, power = (self if exponent >= 0 else self.inverse()), constant(1)
        for _ in range(abs(exponent)):
            power *= base
        return power

    def inverse(self) -> Form:
        radicand = next((r for roots in self.terms for r in roots), None)
        if radicand is None:
            return Form({frozenset(): 1 / self.terms.get(frozenset(), FIELD.zero)})  # ZeroDivisionError: undefined everywhere
        without = Form({roots: c for roots, c in self.terms.items() if radicand not in roots})
        conjugate = without - Form({roots: c for roots, c in self.terms.items() if radicand in roots})
        return conjugate * (self * conjugate).inverse()

    def root(self) -> Form:
        if not self.terms:
            return self
        if set(self.terms) != {frozenset()}:
            raise Unsupported("a root under a root")
        c = self.terms[frozenset()]
        if not one_sign(c) > 0:
            raise Unsupported(f"the root of {c}, which may be negative")
        root = constant(1)
        for part, sign in ((c.numer, 1), (c.denom, -1)):
            for factor, exponent in factors(part):
                root *= Form({frozenset({factor}): FIELD.one}) ** (sign * exponent)
        return root


def constant(x: Any) -> Form:
    return function(QQ(Fraction(x).numerator, Fraction(x).denominator))


def function(x: Any) -> Form:
    return Form({frozenset(): FIELD(x)} if x else {})


def one_sign(c: Any) -> int:
    """Return the sign that a rational function shows by its coefficients wherever all cells are positive; 0 if it does not."""
    signs = [{(x > 0) - (x < 0) for x in polynomial.coeffs()} for polynomial in (c.numer, c.denom)]
    return 0 if any(len(s) != 1 for s in signs) else signs[0].pop() * signs[1].pop()


@cache
def factors(polynomial: Any) -> tuple[tuple[Any, int], ...]:
    """Return primes and irreducible polynomials, each positive on positive cells, with exponents; their product up to a sign."""
    content, parts = polynomial.factor_list()
    found = [(RING(p), sign * e) for x, sign in ((content.numerator, 1), (content.denominator, -1)) for p, e in primes(x)]
    for part, exponent in parts:
        at_ones = sum(part.coeffs())
        found.append((part if at_ones > 0 else -part, exponent))
    return tuple(found)


def primes(x: int) -> list[tuple[int, int]]:
    return list(factorint(abs(int(x))).items())


@cache
def normal_form(text: str, cells: tuple[Any, ...] = CELLS) -> Form:
    """Return the normal form of a formula text at these four rational functions.

    >>> normal_form("sqrt(tp) * sqrt(tp) / (tp + fp)") == normal_form("1 - fp / ppos")
    True
    """
    return read(text, tuple(map(function, cells)), constant, Form.root)


def read(text: str, cells: tuple[Any, ...], number: Callable[[Fraction], Any], root: Callable[[Any], Any]) -> Any:
    """Return the value of a formula text in any arithmetic: a reading of it that owes nothing to the library's parser."""
    tp, fp, fn, tn = cells
    names = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "tpos": tp + fn, "tneg": fp + tn, "ppos": tp + fp, "pneg": fn + tn}
    names["n"] = names["tpos"] + names["tneg"]

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return number(Fraction(ast.unparse(node)))
            case ast.Name(id=name):
                return names[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.Call(args=[argument]):
                return root(value(argument))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                exponent = Fraction(str(ast.literal_eval(right)))
                return (value(left) if exponent.denominator == 1 else root(value(left))) ** exponent.numerator
            case ast.BinOp(left=left, op=op, right=right):
                return ARITHMETIC[type(op)](value(left), value(right))
        raise Unsupported(ast.unparse(node))

    return value(ast.parse(text, mode="eval").body)


ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
