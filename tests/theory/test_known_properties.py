"""What is looked up about measures of the catalogue is what examining them says, and others are examined."""

from __future__ import annotations

import subprocess
import sys

import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.theory.formula.measure_notes import coefficients_of, has_property, notes_on
from indicatrix.theory.formula.properties import DECISIONS, properties

CATALOGUE = list(dict.fromkeys(m for m in ix.algebra.MEASURES.values() if m.source))
OWN = [ix.f_beta.at(beta=3), ix.measure("tp * fp"), ix.measure("tp / (tp + fn)"), ix.measure("max(tp, fn) / (tp + fp)")]


@for_each("measure", [*CATALOGUE[::12], *OWN])
def test_answers_are_those_of_the_evidence(measure: ix.Measure) -> None:
    examined = properties(measure, prove=False)
    assert {name: has_property(measure, name) for name in DECISIONS} == {
        name: examined.evidence[name].holds for name in DECISIONS
    }
    assert (coefficients_of(measure) or (None, None)) == (examined.a, examined.b)


def test_a_measure_that_takes_the_name_of_another_is_examined() -> None:
    other = ix.Measure("recall", ix.precision.function)
    assert has_property(ix.recall, "skew_invariant") is True
    assert has_property(other, "skew_invariant") is False


@pytest.mark.slow
def test_the_first_page_loads_nothing_heavy_that_it_does_not_use() -> None:
    code = """
import sys
import indicatrix as ix
ix.evaluate([0, 1, 2, 0, 1, 2, 2], [0, 1, 2, 0, 2, 2, 1]).to_html()
unused = ["scipy", "sympy", "numpy.ma", "importlib.resources", "indicatrix.scores.areas", "indicatrix.theory.formula.properties"]
print([name for name in unused if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_of_the_catalogue_everything_is_decided() -> None:
    said = [answer for measure in CATALOGUE for answer in notes_on(measure)["properties"].values()]
    assert [answer for answer in said if answer is not True and answer.startswith("Undecided")] == []
