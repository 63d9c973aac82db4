"""Random formulas: what the library says follows from them is what SymPy decides, and every witness is one."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import decisions
import mpmath
import pytest
from decisions import DECIDED, DIGITS, as_mpf, value_at
from formulas import formulas
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from loops import examples, for_each
from normal_form import CELLS, Form, normal_form

import indicatrix as ix

# The property table of the errata: decomposable, skew-invariant, depends on tn at tp = 0, monotone under paired corrections.
YES, NO, OPEN = True, False, None  # open: undefined on the way there, or not proven by signs, as MCC's monotonicity
TABLE = {
    "(tp + tn)/n": (YES, NO, YES, YES),
    "tp/(tp + fp)": (YES, NO, NO, YES),
    "tp/tpos": (YES, YES, NO, YES),
    "2*tp/(2*tp + fp + fn)": (YES, NO, NO, YES),
    "5*tp/(5*tp + fp + 4*fn)": (YES, NO, NO, YES),
    "2/(1/(tp/tpos) + 1/(tp/ppos))": (YES, NO, OPEN, YES),
    "tp/(tp + fp + fn)": (YES, NO, NO, YES),
    "sqrt(tp/ppos*tp/tpos)": (NO, NO, NO, YES),
    "n*tp/(ppos*tpos)": (NO, NO, NO, YES),
    "tn/tneg": (YES, YES, YES, YES),
    "tn/pneg": (YES, NO, YES, YES),
    "(tp/tpos + tn/tneg)/2": (NO, YES, YES, YES),
    "sqrt(tp/tpos*tn/tneg)": (NO, YES, NO, YES),
    "tp/tpos + tn/tneg - 1": (NO, YES, YES, YES),
    "tp/ppos + tn/pneg - 1": (NO, NO, YES, YES),
    "2*tn/(2*tn + fp + fn)": (YES, NO, YES, YES),
    "(tp*tn - fp*fn)/sqrt(tpos*tneg*ppos*pneg)": (NO, NO, YES, OPEN),
    "2*(tp*tn - fp*fn)/(ppos*tneg + tpos*pneg)": (NO, NO, YES, YES),
    "(tp/tpos)/(fp/tneg)": (NO, YES, NO, YES),
    "tp*tn/(fp*fn)": (NO, YES, NO, YES),
    "tp/n - fp/n*0.2/(1 - 0.2)": (YES, NO, YES, YES),
    "ppos/n": (YES, NO, YES, NO),
    "tp/ppos - tpos/n": (NO, NO, YES, YES),
    "tp/n - tpos*ppos/n**2": (NO, NO, YES, YES),
    "n*(tp*tn - fp*fn)**2/(tpos*tneg*ppos*pneg)": (NO, NO, YES, NO),
    "tp - tpos*ppos/n": (NO, NO, YES, YES),
    "tp/fp": (YES, NO, NO, YES),
}


@for_each("text", TABLE)
def test_the_decisions_are_those_of_the_errata(text: str) -> None:
    found = (
        decisions.linear_fractional(text) is not None,
        decisions.skew_invariant(text),
        decisions.tn_survives_at_tp0(text),
        decisions.monotone(text),
    )
    assert found == TABLE[text]


@examples(100)
@given(formulas(), st.tuples(*[st.integers(1, 50)] * 4))
def test_a_normal_form_has_the_values_of_its_formula(text: str, v: tuple[int, ...]) -> None:
    direct = value_at(text, v)
    assume(direct is not None)
    with mpmath.workdps(DIGITS + 20):
        assert agree(direct, _value(normal_form(text), v)), text


def _value(form: Form, v: tuple[int, ...]) -> Any:
    def at(x: Any) -> Any:
        return as_mpf(Fraction(str(x.evaluate([(cell.numer, k) for cell, k in zip(CELLS, v, strict=True)]).coeff(1))))

    roots = ((at(c.numer) / at(c.denom), [mpmath.sqrt(at(r)) for r in radicands]) for radicands, c in form.terms.items())
    return mpmath.fsum(c * mpmath.fprod(r) for c, r in roots)


def agree(x: Any, y: Any) -> bool:
    return bool(abs(x - y) <= mpmath.mpf(10) ** -DIGITS * max(1, abs(x), abs(y)))


def test_different_roots_are_told_apart_and_equal_ones_are_not() -> None:
    for same, text in (
        ("sqrt(8*tp/(2*fp))", "2*sqrt(tp)/sqrt(fp)"),
        ("1/(sqrt(tp) + sqrt(fp))", "(sqrt(tp) - sqrt(fp))/(tp - fp)"),
    ):
        assert normal_form(same) == normal_form(text)
    for other in ("sqrt(tp + fp)", "sqrt(tp) - sqrt(fp)", "sqrt(2*tp)/2", "sqrt(3)*tp"):
        assert normal_form(other) != normal_form("sqrt(tp) + sqrt(fp)")


@pytest.mark.slow
def test_properties_of_random_formulas_are_those_that_sympy_decides() -> None:
    seen: Counter[str] = Counter()

    # Formulas are short as they come; shrinking one takes minutes.
    @settings(max_examples=50, deadline=None, phases=(Phase.reuse, Phase.generate))
    @given(formulas())
    def law(text: str) -> None:
        found = ix.properties(replace(ix.measure(text), better="higher"))  # as the decisions take it, whatever the formula says
        for name, decide in DECIDED.items():
            expected = decide(text)
            assert expected is None or getattr(found, name) is expected, (
                f"{text}: {name} is {found.evidence[name]}, not {expected}"
            )
            seen[f"{name} is {expected}"] += 1
        if not decisions.irrational(text):
            seen[f"decomposable is {compare_decomposition(text, found)}"] += 1
        for name, check in WITNESSES.items():
            for witness in witnesses(found.evidence[name]):
                check_values(text, witness)
                assert check(*witness), f"{text}: {name} has the witness {witness}"

    law()
    # The law holds for more than one kind of formulas, and does not pass because the decisions fail.
    for name in (*DECIDED, "decomposable"):
        assert min(seen[f"{name} is {answer}"] for answer in (True, False)) >= 5, seen
    assert seen["monotone is None"] <= 5, seen


def compare_decomposition(text: str, found: Any) -> bool:
    """Return whether the formula is decomposable, after comparing what the library says about it."""
    form = decisions.linear_fractional(text)
    assert found.decomposable is (form is not None), f"{text}: decomposable is {found.evidence['decomposable']}, not {form}"
    moebius = form is not None and decisions.skew_invariant(text) and not decisions.constant(text)
    assert found.moebius is moebius, f"{text}: moebius is {found.evidence['moebius']}, not {moebius}"
    if form is None:
        assert found.a is None, text
        assert found.b is None, text
        return False
    num, den = (sum(constant_times(k, x) for k, x in zip(side, CELLS, strict=True)) for side in (found.a, found.b))
    assert den != 0, text
    assert num * form.denom == den * form.numer, f"{text}: {found.a} over {found.b} is not {form}"
    return True


def constant_times(k: Fraction, cell: Any) -> Any:
    return cell * k.numerator / k.denominator


def witnesses(evidence: Any) -> tuple[Any, ...]:
    """Return the witnesses of an answer, each some count vectors and the values there."""
    if evidence.witness is None:
        return ()
    return evidence.witness if isinstance(evidence.witness[0][0][0], tuple) else (evidence.witness,)


def check_values(text: str, witness: tuple[Any, Any]) -> None:
    vectors, values = witness
    assert len(vectors) == len(values), witness
    for v, claimed in zip(vectors, values, strict=True):
        assert min(v) >= 0, witness
        value = value_at(text, v)
        if value is not None:  # None: undefined, or infinite on the way
            with mpmath.workdps(DIGITS + 20):
                assert agree(value, as_number(claimed)), f"{text} is {value} at {v}, not {claimed}"


def as_number(x: Any) -> Any:
    """Return a value of a witness for mpmath; one that is not defined differs from every other."""
    return as_mpf(x) if isinstance(x, int | Fraction) else mpmath.mpf(x)


def differ(values: tuple[Any, ...]) -> bool:
    with mpmath.workdps(DIGITS + 20):
        return not agree(*map(as_number, values))


def not_linear_fractional(vectors: tuple[Any, ...], values: tuple[Any, ...]) -> bool:
    """Return whether no ratio of linear forms takes these values: one vector and a multiple of it, or four on a line."""
    if len(vectors) == 2:
        return len({Fraction(y) / x for x, y in zip(*vectors, strict=True) if x}) == 1 and differ(values)
    steps = {tuple(y - x for x, y in zip(v, w, strict=True)) for v, w in itertools.pairwise(vectors)}
    assert len(steps) == 1, vectors  # then M is (p + q t)/(r + s t) at t = 0, 1, 2, 3 for some p, q, r, s
    with mpmath.workdps(DIGITS + 20):
        rows = mpmath.matrix([[1, t, -m, -m * t] for t, m in enumerate(map(as_number, values))])
        if abs(mpmath.det(rows)) > mpmath.mpf(10) ** -DIGITS:
            return True
        # Three equal values and another also solve these equations, with numerator and denominator both 0 at the other.
        return any(map(differ, itertools.pairwise(values)))


def skewed(vectors: tuple[Any, ...], values: tuple[Any, ...]) -> bool:
    (tp, fp, fn, tn), (tp2, fp2, fn2, tn2) = vectors
    return tp * fn2 == fn * tp2 and fp * tn2 == tn * fp2 and differ(values)


def corrected(vectors: tuple[Any, ...], values: tuple[Any, ...]) -> bool:
    before, after = vectors
    step = tuple(y - x for x, y in zip(before, after, strict=True))
    return step in ((1, 0, -1, 0), (0, -1, 0, 1)) and decisions.less(*map(as_number, reversed(values)))


def one_cell(vectors: tuple[Any, ...], values: tuple[Any, ...]) -> bool:
    return sum(x != y for x, y in zip(*vectors, strict=True)) == 1 and differ(values)


WITNESSES = {
    "decomposable": not_linear_fractional,
    "skew_invariant": skewed,
    "monotone": corrected,
    "complete": one_cell,
    "tn_survives_at_tp0": lambda vectors, values: all(v[0] == 0 for v in vectors) and one_cell(vectors, values),
    "symmetric_classes": lambda vectors, values: vectors[1] == vectors[0][::-1] and differ(values),
    "symmetric_roles": lambda vectors, values: vectors[1] == tuple(vectors[0][i] for i in (0, 2, 1, 3)) and differ(values),
}
