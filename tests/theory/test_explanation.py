"""Explanations: sentences that follow from a formula, for every measure, function of the matrix and area."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.formula_text import formula_as_text
from indicatrix.algebra.numbers.exact import exactly, is_defined
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.catalogue.matrices.agreement import RATER_COEFFICIENTS
from indicatrix.theory.explain.advice import LIBRARIES, measures_called, undefined_where
from indicatrix.theory.explain.beyond_counts import ADVICE, OF_GROUP
from indicatrix.theory.formula.sentences import CELLS

MEASURES = [*dict.fromkeys(ix.algebra.MEASURES.values())]
OF_MATRIX = [*dict.fromkeys(MATRIX_MEASURES.values())]
EVERYTHING = [*MEASURES, *OF_MATRIX, *ix.scores.AREAS.values(), *RATER_COEFFICIENTS.values()]
PAGE = Path(__file__).parents[2] / "docs" / "project" / "coming-from.md"


@for_each("measure", EVERYTHING)
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
    if isinstance(measure, ix.Measure) and measure.reads.formula and not measure.averages:
        _check_skew_and_constant_predictions(measure, found)


@for_each("measure", MEASURES)
def test_a_measure_is_undefined_where_it_is_said_and_nowhere_nearer(measure: ix.Measure) -> None:
    value = exactly(measure)
    for empty in undefined_where(measure):
        counts = {cell: 0 if cell in empty else x for cell, x in zip(CELLS, (7, 4, 9, 26), strict=True)}
        assert not is_defined(value(*counts.values()))
        for cell in empty:
            assert is_defined(value(*(counts | {cell: 6}).values()))


def _check_skew_and_constant_predictions(measure: ix.Measure, found: ix.types.Explanation) -> None:
    drifts = any(s.startswith("It changes with the share of positives") for s in found.misleads)
    assert drifts == (ix.properties(measure, prove=False).skew_invariant is False)
    for sentence in found.misleads:
        if said := re.match(r"Predicting (\w+) for all of 100 examples, 10 of them positive, scores (-?\d+\.\d+)(,)?", sentence):
            counts = (10, 90, 0, 0) if said[1] == "positive" else (0, 0, 10, 90)
            value = measure(ix.Counts(*map(Fraction, counts)))
            assert f"{float(value):.3f}" == said[2]
            assert bool(said[3]) == (value == measure.range[measure.better == "higher"])


def test_only_what_is_not_a_formula_of_pooled_counts_is_explained_by_hand() -> None:
    in_groups = {m.name for m in OF_MATRIX if m.group in OF_GROUP}
    by_hand = {*(m.name for m in OF_MATRIX), *ix.scores.AREAS, *(m.name for m in MEASURES if m.averages), *RATER_COEFFICIENTS}
    assert {*ADVICE} | in_groups <= by_hand
    beyond = [m for m in ix.catalogue() if not m.reads.formula]
    assert {*OF_GROUP} == {m.group for m in beyond if m.name not in ADVICE}
    assert all(ix.explain(m).use and ix.explain(m).misleads for m in beyond)


@for_each("measure", [m for m in OF_MATRIX if m.group in OF_GROUP])
def test_what_is_said_of_a_group_is_true_of_each_in_it(measure: ix.Measure) -> None:
    table = np.array([[9, 4, 1, 2], [3, 7, 5, 1], [2, 6, 8, 3], [1, 2, 3, 6]])
    said = " ".join(ix.explain(measure).misleads)
    if "exchanging two classes" in said:
        assert float(measure(of(table))) == pytest.approx(float(measure(of(table[:, [1, 0, 2, 3]]))), rel=1e-12)
    if "always one class too high" in said:
        high = np.diag([9, 5, 3], 1)
        assert float(measure(of(high))) == float(measure(of(np.diag([9, 5, 3, 0]))))


def test_what_is_said_of_raters_is_true() -> None:
    habits = [[a, b] for a, b, times in ((0, 0, 81), (0, 1, 9), (1, 0, 9), (1, 1, 1)) for _ in range(times)]
    assert ix.agreement(habits).score("percent_agreement") == 0.82
    assert "have 0.820" in ix.explain("percent_agreement").misleads[0]
    codes = np.random.default_rng(0).integers(0, 3, (20, 4))
    assert ix.agreement(codes).score("fleiss_kappa") < ix.agreement(codes).score("conger_kappa")
    merged = ix.agreement(np.minimum(codes, 1))
    assert merged.score("percent_agreement") > ix.agreement(codes).score("percent_agreement")
    for name, found in RATER_COEFFICIENTS.items():
        said = ix.explain(name).facts
        assert f"ix.agreement(ratings).score('{name}')" in said[1]
        assert said[2:] == (f"Of two raters it is {found.of_two}.", said[3])
        assert found.source in said[3]


def of(table: np.ndarray) -> ix.Evaluation:
    return ix.from_confusion(table, classes=range(4))


@pytest.mark.parametrize("name", ["recall", "jaccard", "f_beta(beta=2)"])
@pytest.mark.slow
def test_a_formula_that_has_a_name_is_explained_by_it(name: str) -> None:
    named = ix.explain(name)
    formula = formula_as_text(ix.properties(name).measure.function).replace("beta", "2")
    found = ix.explain(formula)
    assert found.what == f"this is {name}. {named.what}"
    assert (found.use, found.misleads, found.formula) == (named.use, named.misleads, named.formula)


def test_a_new_formula_is_explained_with_its_derived_range_and_direction() -> None:
    found = ix.explain("tp/(tp+fp+2*fn)")
    assert (found.range, found.what, found.better) == ((0, 1), "", "higher")
    assert "It lies between 0 and 1; higher is better." in found.facts


def test_names_of_other_libraries_are_those_of_the_page_whose_rows_are_tested() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    calls = {
        (there, name) for row in rows for there in re.findall(r"(\w+)\(", row[0]) for name in re.findall(r"\.(\w+)\(", row[1])
    }
    names = {
        there: {ix.algebra.MEASURES[name].name if name in ix.algebra.MEASURES else name for t, name in calls if t == there}
        for there, _ in calls
    }
    for functions in LIBRARIES.values():
        for measure, there in functions.items():
            for name in there:
                assert measure in names[name], (measure, name)
    assert measures_called("roc_auc_score") == ("scikit-learn", ["auc", "partial_auc"])
    assert measures_called("xyzzy") is None
