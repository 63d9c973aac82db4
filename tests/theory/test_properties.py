"""Properties of formulas: every answer is checked against its own evidence, with and without SymPy."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.evidence import Evidence
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.algebra.numbers.linear_fractional import as_fraction
from indicatrix.theory.formula.invariance import moebius
from indicatrix.theory.formula.properties import DECISIONS
from indicatrix.theory.formula.sentences import GLOSSES

MEASURES = [m for name, m in ix.algebra.MEASURES.items() if name == m.name]
VECTOR = st.tuples(*[st.integers(0, 60)] * 4)
SHOWN_BY_EXAMPLE = {"complete", "tn_survives_at_tp0"}  # a yes has the witness
BY_THRESHOLD = {"threshold"}
properties = cache(ix.properties)  # many tests ask the same measures


def exact(measure, v):
    return exactly(measure)(*v)


@for_each("measure", MEASURES)
def test_every_answer_has_its_evidence(measure):
    for name, evidence in properties(measure).evidence.items():
        assert isinstance(evidence.holds, bool), (name, evidence)
        if name in BY_THRESHOLD or evidence.proof:
            continue
        if evidence.holds is (name in SHOWN_BY_EXAMPLE):
            assert evidence.witness is not None, (name, evidence)
        else:
            assert evidence.trials > 0 or evidence.note == "it is undefined wherever tp = 0", (name, evidence)


@for_each("measure", MEASURES)
def test_witnesses_are_counterexamples(measure):
    evidence = properties(measure).evidence
    for name in (
        "decomposable",
        "skew_invariant",
        "scale_free",
        "symmetric_classes",
        "symmetric_roles",
        "monotone",
        "monotone_per_cell",
    ):
        if evidence[name].witness is None:
            continue
        vectors, values = evidence[name].witness
        if measure.averages and name in ("skew_invariant", "moebius"):
            continue  # a witness of the score, checked below
        assert all(same(exact(measure, v), x) for v, x in zip(vectors, values, strict=True))
        first, second = vectors[0], vectors[1]
        if name == "decomposable" and len(vectors) == 4:
            steps = {tuple(b - a for a, b in zip(v, w, strict=True)) for v, w in itertools.pairwise(vectors)}
            assert len(steps) == 1, "the four vectors are equidistant on a line"
            assert not fits_moebius([as_number(x) for x in values])
            continue
        assert differ(*values)
        if name in ("decomposable", "scale_free"):
            assert second == tuple(3 * x for x in first)
        if name == "skew_invariant":
            assert first[0] * second[2] == first[2] * second[0]
            assert first[1] * second[3] == first[3] * second[1]
        if name == "symmetric_classes":
            assert second == first[::-1]
        if name == "symmetric_roles":
            assert second == (first[0], first[2], first[1], first[3])
        if name.startswith("monotone"):
            sign = -1 if measure.better == "lower" else 1
            assert sign * order(values[1], values[0]) < 0
            change = [b - a for a, b in zip(first, second, strict=True)]
            assert change[0] >= 0 >= change[1]
            assert change[3] >= 0 >= change[2]


def as_number(x):
    """Return a value with fifty digits, whatever it is."""
    return x if isinstance(x, Fraction) else Fraction(str(x.context.nstr(x, 45)))


def fits_moebius(values):
    """Solve for t -> (p t + q)/(r t + 1) through the first three of four equidistant points, and look at the fourth."""
    if len(set(values)) == 1:
        return True
    # The unknowns p, q, r of p t + q - r t v = v; the matrix is singular exactly if no such function passes.
    rows = sympy.Matrix([[t, 1, -t * sympy.Rational(v)] for t, v in enumerate(values[:3])])
    if rows.det() == 0:
        return False
    p, q, r = rows.LUsolve(sympy.Matrix([sympy.Rational(v) for v in values[:3]]))
    return abs(p * 3 + q - (r * 3 + 1) * sympy.Rational(values[3])) < sympy.Rational(1, 10**25)


def same(x, y):
    return x == y or (math.isnan(x) and math.isnan(y)) or (is_defined(x, y) and order(x, y) == 0)


def differ(x, y):
    return not same(x, y)


@examples(150)
@given(st.sampled_from([m for m in MEASURES if m.decomposition]), VECTOR)
def test_coefficients_reproduce_the_measure(measure, v):
    known, value = properties(measure), as_fraction(exact(measure, v))
    numerator, denominator = (sum(c * x for c, x in zip(side, v, strict=True)) for side in (known.a, known.b))
    if value is not None:
        assert value * denominator == numerator
        assert denominator != 0


@pytest.mark.slow
@examples(100)
@given(st.sampled_from(MEASURES), VECTOR, st.integers(1, 9), st.integers(1, 9))
def test_a_yes_holds_at_fresh_counts(measure, v, l, u):
    known, value = properties(measure), exact(measure, v)
    tp, fp, fn, tn = v
    moves = {
        "scale_free": tuple(l * x for x in v),
        "symmetric_classes": v[::-1],
        "symmetric_roles": (tp, fn, fp, tn),
    }
    if tp + fn and fp + tn:
        moves["skew_invariant"] = (l * tp, u * fp, l * fn, u * tn)
    for name, w in moves.items():
        if getattr(known, name):
            assert same(value, exact(measure, w)) or not is_defined(value), (name, v, w)
    sign = -1 if measure.better == "lower" else 1
    for w in ((tp + 1, fp, fn - 1, tn), (tp, fp - 1, fn, tn + 1)):
        if known.monotone and min(w) >= 0 and is_defined(value, exact(measure, w)):
            assert sign * order(exact(measure, w), value) >= 0, (v, w)


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("(tp/(tp+fn)) / (tp/(tp+fp))", "ppos/tpos"),  # recall/precision, errata C13
        ("tp/(tp+fp) / (1 - tp/(tp+fp))", "tp/fp"),
        ("sqrt(tp)*sqrt(tp)/n", "tp/n"),
        ("(tp*tp + tp*fp)/((tp+fp)*(tp+fn))", "tp/tpos"),
        ("0.37*tp/(n + 0.01*fp)", "37*tp/(100*n + fp)"),
        ("123456789*tp/(987654321*fn + tp)", "123456789*tp/(987654321*fn + tp)"),
        ("2", "2*n/n"),
    ],
)
def test_disguised_ratios_are_decomposable(text, ratio):
    known, plain = ix.properties(ix.measure(text)), ix.properties(ix.measure(ratio))
    assert known.decomposable
    assert (known.a, known.b) == (plain.a, plain.b)
    assert all(isinstance(x, Fraction) for x in known.a + known.b)


def test_subset_accuracy_fools_the_linear_system_but_not_us():
    assert ix.properties("subset_accuracy").decomposable is False  # errata A8


EXEMPLAR_ONLY = [m for m in MEASURES if m.averages]


@pytest.mark.parametrize("measure", EXEMPLAR_ONLY, ids=str)
def test_a_score_that_exists_only_per_example_is_judged_as_users_call_it(measure):
    evidence = properties(measure).evidence["skew_invariant"]
    assert evidence.holds is False
    vectors, values = evidence.witness
    for v, value in zip(vectors, values, strict=True):
        y = [1] * v[0] + [0] * v[1] + [1] * v[2] + [0] * v[3]
        z = [1] * v[0] + [1] * v[1] + [0] * v[2] + [0] * v[3]
        assert measure(y, z) == pytest.approx(float(value), abs=1e-15)
    assert measure not in ix.theory.select(skew_invariant=True)
    assert measure in ix.theory.select(skew_invariant=False)


def test_right_and_wrong_rows_that_do_not_differ_leave_the_skew_open():
    def share_of_zeros(tp, fp, fn, tn):
        return (fn + tn) / (tp + fp + fn + tn)

    flat = ix.measure(share_of_zeros, name="share_of_zeros", averages=("exemplar",))
    assert ix.properties(flat).skew_invariant is None
    assert "not applicable" in ix.properties(flat).evidence["skew_invariant"].note


@pytest.mark.slow
def test_irrational_coefficients_are_said_to_be_there():
    known = ix.properties(ix.measure("sqrt(2)*tp/n"))
    assert known.decomposable
    assert known.a is None
    assert "not simple fractions" in known.evidence["decomposable"].note


def test_a_symbol_stands_for_every_parameter():
    beta = sympy.Symbol("beta")
    known = ix.properties(ix.f_beta.at(beta=beta))
    assert known.decomposable
    assert not known.skew_invariant
    for value in (Fraction(1, 2), 1, 2, 7):
        there = ix.properties(ix.f_beta.at(beta=value))
        for symbolic, number in zip(known.a + known.b, there.a + there.b, strict=True):
            assert sympy.sympify(symbolic).subs(beta, sympy.Rational(Fraction(value))) == sympy.Rational(number)
    assert known.monotone is None
    assert "symbolic" in known.evidence["monotone"].note
    assert ix.properties(ix.measures.tversky.at(alpha=sympy.Symbol("x"))).decomposable


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(4))
def test_invariant_measures_are_functions_of_two_rates(chunk):
    invariant = [m for m in MEASURES if ix.properties(m, prove=False).skew_invariant]
    assert len(invariant) > 4
    for measure in invariant[chunk::4]:
        f = properties(measure).of_rates
        for v in ((3, 2, 5, 11), (41, 7, 2, 19), (1, 6, 3, 1)):
            recall, specificity = Fraction(v[0], v[0] + v[2]), Fraction(v[3], v[1] + v[3])
            assert math.isclose(f(recall, specificity), float(exact(measure, v)), rel_tol=1e-12), measure
        assert "recall" in str(f) or "specificity" in str(f) or not properties(measure).complete, measure


@pytest.mark.slow
def test_select_is_the_filter():
    wanted = {"skew_invariant": True, "decomposable": False, "bounded": True}
    expected = tuple(m for m in MEASURES if all(getattr(properties(m), k) == x for k, x in wanted.items()))
    assert ix.theory.select(**wanted) == expected
    assert ix.balanced_accuracy in expected
    with pytest.raises(ValueError, match="not a property"):
        ix.theory.select(skew_invarient=True)


def test_every_property_is_an_attribute():
    known = ix.properties("f1")
    for name in DECISIONS:
        assert getattr(known, name) == known.evidence[name].holds or name == "threshold"
    with pytest.raises(KeyError, match="not a property"):
        known.evidence["nonsense"]
    assert "a = (1, 0, 0, 0), b = (1, 1/2, 1/2, 0)" in str(known)


def test_every_property_has_a_gloss_of_one_line():
    assert list(GLOSSES) == list(DECISIONS)
    for adjective, gloss in GLOSSES.values():
        assert "\n" not in adjective + gloss
        assert len(gloss) < 90


def test_properties_read_as_sentences():
    f1 = str(ix.properties("f1")).splitlines()
    assert "  Not skew-invariant: doubling the positives moves f1 from 0.46 to 0.50." in f1
    assert "  Not symmetric in the classes: exchanging positive and negative moves f1 from 0.46 to 0.76." in f1
    assert "(3, 2, 5, 11)" not in str(ix.properties("f1"))
    assert ix.properties("f1").evidence["skew_invariant"].witness[0] == ((3, 2, 5, 11), (6, 2, 10, 11))


@for_each("measure", MEASURES)
def test_every_line_is_a_sentence_about_its_property(measure):
    known = ix.properties(measure, prove=False)
    first, *lines = str(known).splitlines()
    assert first == str(measure)
    for line, (name, evidence) in zip(lines, known.evidence.items(), strict=True):
        adjective = GLOSSES[name][0]
        start = f"  {adjective[0].upper()}{adjective[1:]}" if evidence.holds else f"  Not {adjective}"
        assert line.startswith(start), line
        assert line.endswith("."), line
        assert ": " in line
        assert "{" not in line


def test_what_is_not_decided_is_said_with_the_reason():
    lines = str(ix.properties(ix.measure("0/0"))).splitlines()
    assert any(line.startswith("  Undecided whether monotone (") and "undefined" in line for line in lines)


@pytest.mark.parametrize("unproved", [0, 1])
def test_what_follows_from_two_answers_is_proved_only_if_both_are(unproved):
    two = [Evidence(True, proof="" if k == unproved else "a proof") for k in (0, 1)]
    found = moebius(properties(ix.recall).evidence.subject, *two)
    assert (found.holds, found.proof) == (True, "")


@pytest.mark.slow
def test_answers_do_not_depend_on_sympy():
    script = (
        "import sys; sys.modules['sympy'] = None\n"
        "import indicatrix as ix\n"
        "for name in sys.argv[1:]:\n"
        "    p = ix.properties(name)\n"
        "    print(name, [e.holds for e in p.evidence.values()], p.a, p.b, p.threshold, p.erm_consistent)\n"
    )
    some = MEASURES[::6]  # SymPy is only asked about symbols, which no measure of the catalogue has
    command = [sys.executable, "-c", script, *(m.name for m in some)]
    without = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    for m, line in zip(some, without, strict=True):
        p = properties(m)
        assert line == f"{m.name} {[e.holds for e in p.evidence.values()]} {p.a} {p.b} {p.threshold} {p.erm_consistent}"


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"monotone": "yes"}, "monotone='yes' selects nothing. Use True, False, or None"),
        ({"decomposable": 1}, "decomposable=1 selects nothing. Use True, False, or None"),
        ({"better": "up"}, "better='up' selects nothing. Use 'higher', 'lower', 'neither'"),
        ({"better": ["lower"]}, r"better=\['lower'\] selects nothing"),
        ({"group": "balances"}, "group='balances' selects nothing. Use .*'balance'"),
    ],
)
def test_a_value_that_no_measure_can_have_is_refused_with_those_that_are_possible(wanted: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ix.theory.select(**wanted)
    assert ix.recall in ix.theory.select(better="higher", group=ix.recall.group, decomposable=np.bool_(True))
