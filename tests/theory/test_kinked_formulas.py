"""Formulas with min, max, abs and powers: an exact search over small counts finds nothing against a yes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from kinked_formulas import counterexamples, formulas
from loops import examples

import indicatrix as ix
from indicatrix.theory.formula.examined_measure import ENOUGH, Pieces, comparisons, has_kinks
from indicatrix.theory.formula.properties import DECISIONS

WRONGLY_SAID = {  # formulas of which trials at few counts said so, and this fuzzer's counterexample did not
    "min((fp+fn+tn)/(3*tp+fp+fn), fp/(tp+3*fp))": "decomposable",
    "max(1 - abs((fn + tneg + 2*fp) - tneg/(1.5*tp)) - 2/3, 0)": "symmetric_classes",
    "min((1/2*fp + 1/2*tpos), (3*n)/(3*n), tn/pneg)": "scale_free",
    "min(min((1/2*tp + 2/3*fn), (tpos - tn)/(1/2*tn + 2/3*fn)), tp/pneg)": "scale_free",
    "tp**100": "bounded",
}


@pytest.mark.one_fast_case
@pytest.mark.parametrize("text", WRONGLY_SAID)
def test_what_a_few_trials_miss_is_not_said(text: str) -> None:
    known = ix.properties(ix.measure(text))
    assert getattr(known, WRONGLY_SAID[text]) is False
    assert known.evidence[WRONGLY_SAID[text]].witness is not None
    check(text)


# Formulas are short as they come; shrinking one takes minutes.
@examples(5, phases=(Phase.reuse, Phase.generate))
@given(formulas())
def test_no_yes_about_a_random_formula_has_a_counterexample(text: str) -> None:
    check(text)


@pytest.mark.slow
@settings(phases=(Phase.reuse, Phase.generate))
@given(formulas())
def test_no_yes_about_many_random_formulas_has_a_counterexample(text: str) -> None:
    check(text)


def check(text: str) -> None:
    known = ix.properties(ix.measure(text))
    found = next(counterexamples(known.measure, known), None)
    assert found is None, f"{text}: {found[0]} is {known.evidence[found[0]]}, but see {found[1]}"
    for name in DECISIONS:
        assert known.evidence[name].holds is not None or known.evidence[name].note, (text, name)


@pytest.mark.parametrize(
    "text", ["min(tp/tpos, tn/tneg)", "abs(fp - fn)/n", "sqrt((fp - fn)**2)/n", "((fp - fn)*(fp - fn))**0.5/n"]
)
def test_kinks_are_seen(text: str) -> None:
    signs = comparisons(ix.measure(text), [(1, 2, 3, 4), (1, 3, 2, 0), (2, 1, 1, 3)])
    assert has_kinks(signs)


@pytest.mark.slow
@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    ("text", "no"),
    [
        (
            "min(max(tp - 999*fn, 0), max(1000*fn - tp, 0))*(fp + 2*tn)/(n*n)",
            ("decomposable", "skew_invariant", "symmetric_roles"),
        ),
        ("tp/tpos + max(0, 0.001 - abs(tp/tpos - 0.737))", ("symmetric_classes",)),
        ("tn/tneg + max(0, 0.0001 - abs(tp/tpos - tn/tneg))", ("decomposable", "monotone", "monotone_per_cell")),
        ("max(0, 0.0001 - abs(fp - 2*fn)/n) + tp/n", ("symmetric_roles", "decomposable")),
    ],
)
def test_a_thin_piece_is_found(text: str, no: tuple[str, ...]) -> None:
    known = ix.properties(ix.measure(text))
    assert not known.decomposable
    assert known.a is None
    for name in no:
        assert known.evidence[name].holds is False, (name, known.evidence[name])
    assert known.scale_free  # exactly so, also in the thin piece
    check(text)


def test_pieces_that_are_found_rarely_leave_the_answer_open() -> None:
    signs = np.array([[1, 1]] * 9 + [[-1, 1]] * 9 + [[-1, -1]] * (ENOUGH - 1))
    assert "1 of 3 pieces" in Pieces.of(signs).doubt()
    assert not Pieces.of(signs[:18]).doubt()
    assert "too few" not in Pieces.of(np.array(list(product((-1, 1), repeat=8)) * ENOUGH)).doubt()
    assert "256 pieces" in Pieces.of(np.array(list(product((-1, 1), repeat=8)) * ENOUGH)).doubt()


def test_many_pieces_are_not_decided_and_say_so() -> None:
    many = " + ".join(f"max(tp*{k} - {k + 1}*fn, {k}*fp - {9 - k}*tn)" for k in range(1, 9))
    evidence = ix.properties(ix.measure(f"({many} + abs(tp - fn) + abs(fp - tn))/n"), prove=False).evidence["scale_free"]
    assert evidence.holds is None
    assert "pieces" in evidence.note


def test_smooth_formulas_have_no_kinks() -> None:
    for text in ("tp/(tp+fn)", "sqrt(tp/n)", "(tp/n)**2", "tp*tp/(n*n)"):
        assert not has_kinks(comparisons(ix.measure(text), np.arange(1.0, 41.0).reshape(10, 4)))
