"""Formulas whose exact work would not end: they are refused, or answered by trials. No test measures time."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.algebra.numbers.exact import exactly

EVALUATION = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
TEN_RATIOS = " + ".join(f"tp/(tp+{k}*fp+fn)" for k in range(1, 11))


def test_a_sum_of_many_ratios_is_answered_by_trials() -> None:
    monotone = ix.properties(ix.measure(TEN_RATIOS)).evidence["monotone"]  # its proof has polynomials of 10,000 terms
    assert monotone.holds
    assert not monotone.proof
    assert monotone.trials > 1000
    few = ix.properties(ix.measure("tp/(tp+fp+fn) + tp/(tp+2*fp+fn)")).evidence["monotone"]
    assert few.proof


@pytest.mark.parametrize("text", ["tp**10**6", "((tp + tn)/(tp + 2*fp + fn + tn))**300", "(tp + fp + fn + 1)**200*tn"])
def test_a_huge_power_has_no_polynomials(text: str) -> None:
    known = ix.properties(ix.measure(text))
    assert not any(evidence.proof for evidence in known.evidence.values())
    assert str(known)


def test_every_measure_of_the_catalogue_that_is_rational_keeps_its_proofs() -> None:
    for name in ("eyraud", "baulieu_2", "sokal_sneath_4", "kuhns_3"):  # those with the largest polynomials
        assert ix.properties(name).evidence["scale_free"].proof or not ix.properties(name).scale_free, name
        assert ix.properties(name).evidence["symmetric_roles"].proof or not ix.properties(name).symmetric_roles, name


ONES = ix.from_confusion([[1, 1, 0], [0, 2, 0], [1, 0, 0]])  # the classes have tp = 1, 2 and 0


@pytest.mark.parametrize("text", ["tp**9**9**9", "(tp/n)**9**9**9", "tp**(10**10**10)", "(0 - tp)**9**9**9"])
def test_a_tower_of_powers_ends(text: str) -> None:
    value, exact = ONES.score(text, "macro"), ONES.exact(text, "macro")
    assert (math.isnan(value) and math.isnan(exact)) or value == pytest.approx(float(exact))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/exp(exp(exp(tp)))", 0),
        ("min(exp(exp(exp(tp))), 1)", 1),
        ("1/tp**(tp**tp**tp)", 0),
        ("0**0.5 + tp - tp", 0),
        ("(tp/tp)**10**200", 1),
        ("exp(-exp(exp(n)))", 0),
    ],
)
def test_exponents_that_do_not_fit_into_memory_are_limits(text: str, value: int) -> None:
    assert EVALUATION.exact(text, "macro") == value


def test_large_powers_are_exact_or_infinite() -> None:
    assert exactly(ix.measure("tp**100"))(7, 0, 0, 0) == Fraction(7**100)
    assert exactly(ix.measure("tp**10**6"))(7, 0, 0, 0) == math.inf


@pytest.mark.parametrize("average", averages_over("class"))
@pytest.mark.parametrize("text", ["(tp + fp + fn)**1000", "(tp + 1)**1000", "0 - (tp + 1)**1000"])
def test_a_power_beyond_floats_is_infinite_for_integers_as_for_floats(text: str, average: str) -> None:
    ev = ix.evaluate([0, 1, 2, 2, 1, 0] * 2, [0, 1, 2, 1, 1, 0] * 2)
    rounded = ix.evaluate([0, 1, 2, 2, 1, 0] * 2, [0, 1, 2, 1, 1, 0] * 2, sample_weight=[1.0] * 12)
    score, other = ev.score(text, average), rounded.score(text, average)
    assert math.isnan(score) == math.isnan(other)
    assert np.isinf(score.values).tolist() == np.isinf(other.values).tolist()
