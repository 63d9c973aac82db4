"""The translator: every formula and every weight becomes JavaScript, and what is more than arithmetic is refused."""

from __future__ import annotations

import json
import math
import runpy
from pathlib import Path
from typing import Any

import pytest

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES
from indicatrix.algebra.recorded_counts import NotRecordableError, record
from indicatrix.report.page.javascript import measure_as_javascript, weights_as_javascript
from indicatrix.theory.formula import measure_notes

ROOT = Path(__file__).parents[2]


def test_every_measure_of_the_catalogue_is_translated() -> None:
    assert [m.name for m in ix.MEASURES.values() if measure_as_javascript(m) is None] == []


def test_every_weight_is_translated_for_the_measures_that_have_it() -> None:
    for average in AVERAGES.values():
        texts = [weights_as_javascript(average, m) for m in (ix.f1, ix.mcc)]
        assert [text is not None for text in texts] == [
            average.weight is not None,
            average.weight is not None and average.general,
        ]


def test_parameters_and_texts_of_formulas_are_translated() -> None:
    own = ix.measure("max(tp, fn)**2 / (tp + w*fn) - 0.5*pi", params={"w": 2})
    floats = "(tp,fp,fn,tn)=>ratio(max(tp,fn)**2,tp+(2*fn))-(ratio(1,2)*Math.PI)"
    assert (
        measure_as_javascript(own)
        == f"[{floats},{floats.replace('**2', '**2n').replace('(2*', '(2n*').replace('(1,2)', '(1n,2n)')}]"
    )


@pytest.mark.parametrize(
    "formula",
    [
        lambda tp, fp, fn, tn: tp if tp > fn else 0,
        lambda tp, fp, fn, tn: 1 if tp == 0 else 0,
        lambda tp, fp, fn, tn: math.sqrt(tp),
        lambda tp, fp, fn, tn: float(tp),
        lambda tp, fp, fn, tn: sum(range(tp)),
        lambda tp, fp, fn, tn: "text",
        lambda tp, fp, fn, tn: None,
    ],
)
def test_more_than_arithmetic_is_refused(formula: Any) -> None:
    with pytest.raises(NotRecordableError):
        record(formula, {})
    assert measure_as_javascript(ix.Measure("", formula)) is None


@pytest.mark.slow
def test_the_notes_on_measures_are_current() -> None:
    write = runpy.run_path(str(ROOT / "docs" / "write_measure_notes.py"))
    assert write["NOTES"].read_text("utf-8") == write["notes"](), "run make docs"
    assert set(json.loads(write["NOTES"].read_text("utf-8"))) == {m.name for m in ix.MEASURES.values() if m.source}


def test_notes_on_a_measure_of_ones_own_are_computed() -> None:
    own = measure_notes.notes_on(ix.f_beta.at(beta=3))
    assert own["properties"]["skew_invariant"].startswith("Not skew-invariant: ")
    assert measure_notes.notes_on(ix.measure("tp/(tp+fn)"))["properties"]["skew_invariant"] is True
