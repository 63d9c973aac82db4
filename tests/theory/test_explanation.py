"""Explanations: sentences that follow from a formula, for every measure, function of the matrix and area."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import indicatrix as ix
from indicatrix.algebra.exact import defined, exactly
from indicatrix.algebra.formula_text import formula_as_text
from indicatrix.catalogue.matrix import MATRIX_MEASURES
from indicatrix.explanation.advice import undefined_where
from indicatrix.explanation.beyond_counts import ADVICE
from indicatrix.explanation.elsewhere import LIBRARIES, measures_called
from indicatrix.theory.formula.sentences import CELLS

MEASURES = [*dict.fromkeys(ix.MEASURES.values())]
EVERYTHING = [*MEASURES, *MATRIX_MEASURES.values(), *ix.AREAS.values()]
PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"


@pytest.mark.parametrize("measure", EVERYTHING, ids=str)
def test_everything_is_explained_in_whole_sentences(measure: object) -> None:
    found = ix.explain(measure)
    sentences = [s for _, said in found.sections for s in said]
    assert found.use
    assert found.misleads
    assert len(set(sentences)) == len(sentences)
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z][^\n]*\.", sentence), sentence
        assert "nan" not in sentence.split(), sentence
    assert str(found).startswith(f"{found.name}: {found.what}")
    assert all(sentence.split()[0] in str(found) for sentence in sentences)
    assert ix.explain(str(measure)).to_dict() == found.to_dict()
    if isinstance(measure, ix.Measure) and not measure.averages:
        _check_skew_and_constant_predictions(measure, found)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_measure_is_undefined_where_it_is_said_and_nowhere_nearer(measure: ix.Measure) -> None:
    value = exactly(measure)
    for empty in undefined_where(measure):
        counts = {cell: 0 if cell in empty else x for cell, x in zip(CELLS, (7, 4, 9, 26), strict=True)}
        assert not defined(value(*counts.values()))
        for cell in empty:
            assert defined(value(*(counts | {cell: 6}).values()))


def _check_skew_and_constant_predictions(measure: ix.Measure, found: ix.Explanation) -> None:
    drifts = any(s.startswith("It changes with the share of positives") for s in found.misleads)
    assert drifts == (ix.properties(measure, prove=False).skew_invariant is False)
    for sentence in found.misleads:
        if said := re.match(r"Predicting (\w+) for all of 100 examples, 10 of them positive, scores (-?\d+\.\d+)(,)?", sentence):
            counts = (10, 90, 0, 0) if said[1] == "positive" else (0, 0, 10, 90)
            value = measure(ix.Counts(*map(Fraction, counts)))
            assert f"{float(value):.3f}" == said[2]
            assert bool(said[3]) == (value == measure.range[measure.better == "higher"])


def test_only_what_is_not_a_formula_of_pooled_counts_is_explained_by_hand() -> None:
    assert {*ADVICE} == {*MATRIX_MEASURES, *ix.AREAS, *(m.name for m in MEASURES if m.averages)}


@pytest.mark.parametrize("name", ["recall", "jaccard", "f_beta(beta=2)"])
def test_a_formula_that_has_a_name_is_explained_by_it(name: str) -> None:
    named = ix.explain(name)
    formula = formula_as_text(ix.properties(name).measure.formula).replace("beta", "2")
    found = ix.explain(formula)
    assert found.what == f"this is {name}. {named.what}"
    assert (found.use, found.misleads, found.formula) == (named.use, named.misleads, named.formula)


def test_a_new_formula_is_explained_with_the_range_seen_in_trials() -> None:
    found = ix.explain("tp/(tp+fp+2*fn)")
    assert (found.range, found.what) == ((0, 1), "")
    assert "Its direction was not given: here higher counts as better." in found.facts


def test_names_of_other_libraries_are_those_of_the_page_whose_rows_are_tested() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    calls = {
        (there, name) for row in rows for there in re.findall(r"(\w+)\(", row[0]) for name in re.findall(r"\.(\w+)\(", row[1])
    }
    names = {
        there: {ix.MEASURES[name].name if name in ix.MEASURES else name for t, name in calls if t == there} for there, _ in calls
    }
    for functions in LIBRARIES.values():
        for measure, there in functions.items():
            for name in there:
                assert measure in names[name], (measure, name)
    assert measures_called("roc_auc_score") == ("scikit-learn", ["auc", "partial_auc"])
    assert measures_called("xyzzy") is None
