"""The public function that compares orders of classifiers gives the taus and reversals of the paper's figures."""

from __future__ import annotations

import pytest
from needed_data import FOLDER, needs_data

import indicatrix as ix
from indicatrix.algebra.average import score_name
from paper import multilabel
from paper.data import Data
from paper.record import Record

MEASURES = tuple(dict.fromkeys(measure for _, measure in multilabel.TEN))


@needs_data
@pytest.mark.parametrize("name", ["yeast", "emotions"])
def test_agreement_is_that_of_the_figures(name: str) -> None:
    comparison = multilabel.compare(Record("test", Data(folder=FOLDER, fetch=False)), name)
    found = ix.compare(comparison.evaluations, MEASURES, ["micro", "macro", "exemplar"]).agreement()
    for (one, other), tau in comparison.taus().items():
        assert found.tau(" ".join(one), " ".join(other)) == pytest.approx(tau, abs=1e-12), (one, other)
    ten = {score_name(ix.algebra.MEASURES[measure], average) for average, measure in multilabel.TEN}
    turned = {frozenset((r.one, r.other)) for r in found.reversals if r.tau == -1 and {r.one, r.other} <= ten}
    with_macro_f1 = {frozenset(("macro f1", other)) for other in ("micro precision", "macro precision")}
    assert turned == (with_macro_f1 if name == "yeast" else set())


@needs_data
def test_the_text_names_a_reversal_on_yeast() -> None:
    comparison = multilabel.compare(Record("test", Data(folder=FOLDER, fetch=False)), "yeast")
    both = ix.compare(comparison.evaluations, ["precision", "f1"], ["micro", "macro"])
    text = str(both.agreement())
    assert "micro precision and macro f1 (tau -1.000, the reverse order): BR-" in text
    assert "macro precision: " in text  # the means leave out different labels, and the text says so
    (worst, *_) = both.agreement().reversals
    assert len(worst.pairs) == 10  # all pairs of five classifiers
    best = {c.about: c.best for c in both.sensitivity().by_average}["f1"]
    assert best["micro"] != best["macro"]
