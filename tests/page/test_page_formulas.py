"""The translator: every formula and every weight becomes JavaScript, and what is more than arithmetic is refused."""

from __future__ import annotations

import json
import math
import random
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES
from indicatrix.algebra.numbers.recorded_counts import NotRecordableError, record
from indicatrix.report.page.javascript import measure_as_javascript, weights_as_javascript
from indicatrix.theory.formula import measure_notes

ROOT = Path(__file__).parents[2]
Open = Callable[..., Any]
NAMES = ("tp", "fp", "fn", "tn", "tpos", "tneg", "ppos", "pneg", "n")
COUNTS = [[0, 0, 0, 0], [1, 0, 2, 0], [3, 1, 4, 1], [50, 7, 0, 900], [10**6, 10**6 + 1, 10**6 + 2, 10**6], [2.5, 0.25, 1.75, 3]]


def random_formula(rng: random.Random, depth: int = 3) -> str:
    """Return a formula as a reader could write it: any count, number, sign and function that the parser knows."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*NAMES, "2", "0.25", "5", ".5", "pi", "1e-3"])
    inner = [random_formula(rng, depth - 1) for _ in range(3)]
    return rng.choice(
        [
            "{0} + {1}",
            "({0} - {1})",
            "({0}) * ({1})",
            "({0})/({1})",
            "-({0})",
            "({0})**2",
            "-({0})**3",
            "sqrt(({0})*({0}))",
            "abs({0})",
            "min({0}, {1}, {2})",
            "max({0}, {1})",
            "log(1 + abs({0}))",
            "({0} + {1}) / ({0} + {1} + {2})",
            "exp(-abs({0})/(1 + n))",
        ]
    ).format(*inner)


def values_of_page(page: Any, texts: list[str]) -> list[list[float | None]]:
    code = """([texts, counts]) => JSON.parse(JSON.stringify(texts.map(text => {
        const {measure, says} = indicatrix.addedMeasure(text);
        if (!measure) throw new Error(says);
        return counts.map(four => indicatrix.apply(indicatrix.FORMULAS[measure], four));
    })))"""
    return list(page.evaluate(code, [texts, COUNTS]))


def test_a_formula_of_a_reader_has_pythons_values(open_page: Open) -> None:
    """No code is run for it: the policy of the page would refuse that. A tree of the text is computed instead."""
    rng = random.Random(4)
    texts = list(dict.fromkeys(random_formula(rng) for _ in range(400)))
    page = open_page(ix.evaluate([0, 1], [0, 1]))
    for text, ours in zip(texts, values_of_page(page, texts), strict=True):
        own = ix.measure(text)
        for four, value in zip(COUNTS, ours, strict=True):
            python = float(own(ix.Counts(*four)))
            assert (value is None) == (not math.isfinite(python)), (text, four, value, python)
            # a difference of large equal numbers may leave rounding alone
            assert value is None or value == pytest.approx(python, rel=1e-9, abs=1e-9), (text, four)


@pytest.mark.slow
def test_every_formula_that_the_page_shows_can_be_typed_with_other_parameters(open_page: Open) -> None:
    page = open_page(ix.evaluate([0, 1], [0, 1]))
    families = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if m.params]
    assert len(families) >= 8
    others = [m.at(**{name: 0.25 if name in m.domain else 2 for name in m.params}) for m in families]
    for measure, ours in zip(others, values_of_page(page, [str(m) for m in others]), strict=True):
        for four, value in zip(COUNTS, ours, strict=True):
            python = float(measure(ix.Counts(*four)))
            assert (value is None) == (not math.isfinite(python)), (measure, four)
            assert value is None or value == pytest.approx(python, rel=1e-12), (measure, four)


ANSWERS: tuple[tuple[str, str, list[str]], ...] = (
    ("acuracy", "There is no measure “acuracy”.", ["accuracy"]),
    ("balanced acc", "There is no measure", ["balanced_accuracy"]),
    ("zzzzzz", "or a formula such as tp/(tp+fp).", []),
    ("macro reccall", "Averages are the columns: write the measure alone.", ["recall"]),
    ("tp/(tp+fp", "is not a formula: “)” is missing at its end.", []),
    ("tp/(tp+fx)", "fx is not a count.", []),
    ("sqrt(tp, fp)", "sqrt takes one value, not 2.", []),
    ("__import__('os')", "what does “'os')” mean?", []),
    ("eval(tp)", "eval is not a function of formulas", []),
    ("constructor", "There is no measure “constructor”.", []),
    ("f_beta(gamma=2)", "f_beta has no parameter gamma; it has beta", []),
    ("weighted_accuracy(w=2)", "weighted_accuracy is defined for w from 0 to 1, not for 2", []),
    ("f_beta(beta=x)", "beta needs a number, such as beta=2", []),
    ("(" * 70 + "tp" + ")" * 70, "nests more than 60 operations", []),
)


@pytest.mark.slow
def test_what_is_no_measure_is_answered(open_page: Open) -> None:
    page = open_page(ix.evaluate([0, 1, 1], [0, 1, 0]))
    keys = "[...document.querySelectorAll('#measure_grid td[data-key]')].map(each => each.dataset.key.split(' ')[0])"
    for text, says, near in ANSWERS:
        rows = page.locator("#measure_grid tbody tr").count()
        page.locator("#add-measure").fill(text)
        page.locator("#add-measure").blur()
        said = page.locator("#add-answer")
        assert says in said.inner_text()
        assert page.locator("#measure_grid tbody tr").count() == rows
        buttons = [name.replace(" ", "_") for name in said.locator("button").all_inner_texts()]
        assert buttons[: len(near)] == near
        if near:
            said.locator("button").first.click()
            assert near[0] in page.evaluate(keys)


@pytest.mark.slow
def test_a_formula_of_a_reader_is_a_row_with_its_averages(open_page: Open) -> None:
    ev = ix.evaluate(["a", "b", "b", "c", "a"], ["a", "b", "c", "c", "b"])
    page = open_page(ev)
    page.locator("#add-measure").fill("5*fn + fp")
    page.locator("#add-measure").blur()
    assert page.locator("#add-answer").inner_text() == "5*fn + fp was added to the table."
    cost = ix.measure("5*fn + fp")
    for average in ("micro", "macro", "weighted", "exemplar"):
        cell = page.locator(f"#measure_grid td[data-key='5*fn + fp {average}'] data")
        assert float(cell.get_attribute("value")) == pytest.approx(float(ev.score(cost, average)), rel=1e-12)
    page.locator("#measure_grid button.measure", has_text="5*fn + fp").click()
    assert "which direction is better is not known" in page.locator("#about").inner_text()


def test_every_measure_of_the_catalogue_is_translated() -> None:
    assert [m.name for m in ix.algebra.MEASURES.values() if measure_as_javascript(m) is None] == []


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
    measures = {m.name: m for m in ix.algebra.MEASURES.values() if m.source}
    assert set(json.loads(write["NOTES"].read_text("utf-8"))["notes"]) == {*measures}
    for measure in measures.values():
        assert measure_notes.notes_on(measure) == write["notes_on"](measure), measure


def test_notes_on_a_measure_of_ones_own_are_computed() -> None:
    own = measure_notes.notes_on(ix.f_beta.at(beta=3))
    assert own["properties"]["skew_invariant"].startswith("Not skew-invariant: ")
    assert measure_notes.notes_on(ix.measure("tp/(tp+fn)"))["properties"]["skew_invariant"] is True
