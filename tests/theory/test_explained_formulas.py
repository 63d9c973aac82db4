"""A formula is called by the name of a measure only where both are defined at the same counts."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

import indicatrix as ix

FORMULAS = {
    "2*precision*recall/(precision + recall)": "f1",
    "2/(1/precision + 1/recall)": "f1",
    "2*tp/(2*tp + fp + fn)": "f1",
    "min(precision, recall)": "braun_blanquet",
    "tp/max(tp + fp, tp + fn)": "braun_blanquet",
    "(recall + specificity)/2": "balanced_accuracy",
    "recall + specificity - 1": "informedness",
    "1 - (fp + fn)/n": "accuracy",
    "f1/(2 - f1)": "jaccard",
    "tp*tn/(tn*(tp + fn))": "recall",
}
VECTORS = [v for v in product(range(4), repeat=4) if any(v)]


def _defined(text: str) -> list[bool]:
    """Return for each of the vectors whether a measure is defined."""
    measure = ix.measure(text)
    return [math.isfinite(measure(ix.Counts(*map(Fraction, v)))) for v in VECTORS]


@pytest.mark.one_fast_case
@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_has_the_name_of_a_measure_if_both_are_undefined_together(text: str) -> None:
    name = FORMULAS[text]
    own = _defined(text)
    apart = own != _defined(name)
    explained = ix.explain(text)
    begins = f"equal to {name} wherever both are defined; where " if apart else f"this is {name}. "
    assert explained.what.startswith(begins)
    undefined = [fact for fact in explained.facts if "undefined" in fact]
    assert bool(undefined) == (not all(own))


def test_where_a_formula_is_undefined_and_its_measure_is_not() -> None:
    found = ix.explain("2*precision*recall/(precision + recall)")
    assert "where tp = 0 (no positive is found), f1 is defined and this formula is not." in found.what
    assert "It is undefined (0/0) if tp = 0 (no positive is found)." in found.facts
    found = ix.explain("tp*tn/(tn*(tp + fn))")
    assert "where tn = 0 (no negative is recognized), recall is defined and this formula is not." in found.what
