"""Formulas and names as text: what is printed is read back, constants and parameters are as exact as they are written."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.formula import CONSTANTS, FUNCTIONS, FormulaError, parse
from indicatrix.algebra.measure_names import find
from indicatrix.algebra.numbers.exact import exactly, number
from indicatrix.algebra.numbers.functions import constant, cos

numbers = st.fractions(-1000, 1000) | st.integers(-(10**20), 10**20) | st.floats(-1e300, 1e300)
FAMILIES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if m.params]
COUNTS = (3, 2, 5, 11)


@st.composite
def members(draw):
    """Draw a member of a family of the catalogue, or a formula with a parameter, at any number of the domain."""
    family = draw(st.sampled_from([*FAMILIES, None]))
    if family is None:
        return ix.measure("tp/(tp + w*fp)", params={"w": draw(numbers)})
    given_ = {}
    for name in family.params:
        low, high = family.domain.get(name, (-math.inf, math.inf))
        given_[name] = draw(numbers.filter(lambda x, low=low, high=high: low <= x <= high) if (low, high) != (0, 1) else shares)
    return family.at(**given_)


shares = st.fractions(0, 1) | st.floats(0, 1)


@given(members())
@examples(75)
@example(ix.f_beta.at(beta=Fraction(1, 3)))
@example(ix.f_beta.at(beta=1e22))
@example(ix.measure("tp/(tp + w*fp)", params={"w": Fraction(-1, 3)}))
def test_what_a_measure_prints_is_read_back(m):
    again = find(str(m))
    assert again == m
    assert {k: (type(v), v) for k, v in again.params.items()} == {
        k: (int, int(v)) if isinstance(v, Fraction) and v.denominator == 1 else (type(v), v) for k, v in m.params.items()
    }
    assert pickle.loads(pickle.dumps(again)) == m
    assert find(json.loads(json.dumps(str(m)))) == m


@for_each(
    ("written", "value"),
    [
        ("1/3", Fraction(1, 3)),
        ("-1/-3", Fraction(1, 3)),
        ("4/2", 2),
        ("2**-2", Fraction(1, 4)),
        ("sqrt(4/9)", Fraction(2, 3)),
        ("max(1, 2)/3", Fraction(2, 3)),
        ("2", 2),
        ("2.0", 2.0),
        ("0.1", 0.1),
        ("1e-7", 1e-7),
        ("0.1 + 0.2", 0.3),
        ("1/3 + 0.0", 1 / 3),
        ("sqrt(2)", math.sqrt(2)),
        ("pi", math.pi),
    ],
)
def test_parameters_are_integers_quotients_or_floats_as_they_are_written(written, value):
    found = find(f"f_beta(beta={written})").params["beta"]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize("value", ["tp", "n/2", "x", "1/0", "10**400", "log(0)"])
def test_a_parameter_that_is_no_number_is_refused(value):
    with pytest.raises(
        (ValueError, TypeError), match=r"must be a number, e.g. beta=2|not a finite number|beyond the range of floats"
    ):
        find(f"f_beta(beta={value})")
    with pytest.raises(ValueError, match=r"beta is beyond the range of floats, ±1.8e308"):
        ix.f_beta.at(beta=10**400)


def test_a_quotient_is_exact_beside_exact_counts_and_a_float_beside_others():
    third, near = find("f_beta(beta=1/3)"), ix.f_beta.at(beta=1 / 3)
    assert third(ix.Counts(*map(Fraction, COUNTS))) == Fraction(30, 53)
    many = [np.arange(1.0, 40) * k for k in COUNTS]
    for counts in (COUNTS, map(float, COUNTS), (np.array([k, k + 1]) for k in COUNTS), many, [x.astype(object) for x in many]):
        counts = ix.Counts(*counts)
        value = third(counts)
        assert isinstance(value, float) or value.dtype == np.float64
        np.testing.assert_array_equal(value, near(counts))
    rates = ix.properties("index_of_balanced_accuracy(alpha=1/3)").of_rates
    assert rates(np.array([0.5, 1.0]), np.array([0.25, 1.0])).dtype == np.float64
    ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
    assert ev.score("f_beta(beta=1/3)") == near(ev.aggregate("class").at(**{"class": 1}))


def test_quotients_work_on_tensors():
    torch = pytest.importorskip("torch")
    value = find("f_beta(beta=1/3)")(ix.Counts(*(torch.tensor([float(k), 4.0]) for k in COUNTS)))
    np.testing.assert_allclose(value.numpy()[0], 30 / 53, rtol=1e-6)


# Constants


def test_pi_has_the_digits_of_the_counts():
    sympy = pytest.importorskip("sympy")
    tp = sympy.Symbol("tp", positive=True)
    f = parse("pi*tp/2")
    assert f(tp, 0, 0, 0) == sympy.pi * tp / 2
    assert f(2, 0, 0, 0) == f(2.0, 0, 0, 0) == f(np.array([2.0]), 0, 0, 0)[0] == f(Fraction(2), 0, 0, 0) == math.pi
    many = f(number(2), 0, 0, 0)
    assert abs(many - number(2).context.pi) < number(10) ** -48
    assert constant(Fraction(1, 3), tp) == sympy.Rational(1, 3)
    assert constant(2, Fraction(1)) == 2
    assert isinstance(constant(2, Fraction(1)), Fraction)


@given(st.sampled_from(sorted(FUNCTIONS)), st.floats(0.01, 1))
def test_every_function_means_the_same_on_every_number_type(name, x):
    sympy = pytest.importorskip("sympy")
    f = parse(f"{name}(tp)" if FUNCTIONS[name][1] == 1 else f"{name}(tp, 1/2)")
    want = float(f(number(x), 0, 0, 0))
    for value in (f(x, 0, 0, 0), f(np.array([x]), 0, 0, 0)[0], f(sympy.Float(x, 30), 0, 0, 0), f(Fraction(x), 0, 0, 0)):
        assert math.isclose(float(value), want, rel_tol=1e-12)


def test_the_cosine_of_no_number_is_none():
    assert math.isnan(cos(math.inf))
    assert math.isnan(cos(math.nan))


def test_a_parameter_is_not_called_pi():
    with pytest.raises(FormulaError, match=r"pi in a formula is the constant 3\.14159…; give the parameter another name"):
        ix.measure("tp/(tp + pi*fp)", params={"pi": 2})
    with pytest.raises(FormulaError, match=rf"parameters, {' '.join(CONSTANTS)}, and {' '.join(FUNCTIONS)}\.$"):
        parse("pi(tp)")


@given(st.integers(0, 10**40), st.integers(1, 60))
def test_constants_keep_all_their_digits(digits, places):
    text = f"{digits // 10**places}.{digits % 10**places:0{places}d}"
    m = ix.measure(f"{text}*tp")
    assert exactly(m)(1, 0, 0, 0) == Fraction(text)
    for again in (ix.measure(str(m)), find(str(m)), pickle.loads(pickle.dumps(m))):
        assert again == m
        assert exactly(again)(1, 0, 0, 0) == Fraction(text)


@for_each("text", ["1e400", "1E309", "1e-400", "0.00_1e-330", "1e999999999", "1e-999999999", "9" * 400])
@for_each("formula", ["{}*tp", "tp/(tp + {})", " fp - ({})"])
def test_a_constant_beyond_floats_is_refused(formula, text):
    said = text.replace("_", "").lower()
    with pytest.raises(FormulaError, match=rf"The constant {said[:17]}.* is beyond the range of floats, 5e-324 to 1.8e308\."):
        ix.measure(formula.format(text))


@pytest.mark.parametrize("text", ["10**400", "1e200*1e200", "1e-200/1e200", "2**-2000", "-(10**200*10**200)"])
def test_a_product_of_constants_beyond_floats_is_refused(text):
    with pytest.raises(FormulaError, match="beyond the range of floats"):
        ix.measure(f"tp*({text})")


@pytest.mark.parametrize("text", ["0*tp", "0.0*tp", "0e5*tp", "1e308*tp", "5e-324*tp", "1.7976931348623157e308*tp"])
def test_constants_of_floats_are_all_allowed(text):
    assert math.isfinite(ix.measure(text)(ix.Counts(1, 0, 0, 0)))


@pytest.mark.one_fast_case
@pytest.mark.parametrize("text", ["tp*1e200*1e200", "tp/1e200/1e200", "tp**400", "2**-10**10*tp", "9**9**9*tp", "exp(tp)"])
def test_properties_of_values_beyond_floats_are_found(text):
    known = ix.properties(text)
    assert str(known).startswith(str(ix.measure(text)))
    assert known.symmetric_roles is not False  # it reads tp alone
