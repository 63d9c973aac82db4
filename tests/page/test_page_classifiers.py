"""Several classifiers in the page: scores, ranks and reversals are those of Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from readers import HOSTILE, serious_problems
from test_page_groups import READ_ALL, close, has, score

import indicatrix as ix
from indicatrix.algebra.measure_names import find
from indicatrix.compare.row import Row

Open = Callable[..., Any]


def predictions(n: int = 300, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y = rng.choice(4, n, p=[0.6, 0.2, 0.15, 0.05])

    def guess(often: float, rare: float) -> Any:
        return np.where(rng.random(n) < np.where(y == 0, often, rare), y, rng.integers(0, 4, n))

    return y, {"lr": guess(0.95, 0.4), "rf": guess(0.7, 0.7), "svm": guess(0.8, 0.55)}


def comparisons() -> dict[str, Any]:
    y, three = predictions()
    separate = {name: ix.evaluate(y, p, classes=range(6)) for name, p in three.items()}
    return {
        "paired": ix.compare(y, three, ["f1", "mcc"], ["micro", "macro"]),
        "separate": ix.compare(separate, ["f1", "precision"], ["micro", "macro"]),
        "binary": ix.compare(y > 0, {name: p > 0 for name, p in three.items()}, "f1"),
        "few": ix.compare(
            {"a": ix.evaluate(["x", "y", "z"], ["x", "y", "z"]), "b": ix.evaluate(["x", "y", "z"], ["x", "y", "y"])}
        ),
    }


@pytest.mark.parametrize("name", comparisons())
@pytest.mark.slow
def test_any_score_of_all_classifiers_is_pythons(open_page: Open, name: str) -> None:
    made = comparisons()[name]
    page = open_page(made)
    averages = page.evaluate("indicatrix.DATA.averages.map(each => each.name)")
    shown = set(page.evaluate("indicatrix.DATA.shown"))
    case = [*comparisons()].index(name)  # each case has a part of the catalogue: all formulas are compared elsewhere
    measures = (
        page.locator("#comparison").get_by_label("Measure").evaluate("list => [...list.options].map(each => each.value)")[case::7]
    )
    page.locator("#comparison th button", has_text="Classifier").click()  # in the order of their names
    assert [*made.names] == sorted(made.names)
    pairs = [(m, a) for m in measures for a in averages if has(made.evaluations[0], m, a)]  # the menu offers no other
    choices = [({"Measure": m, "Average": a}, ["value", "rank"]) for m, a in pairs]
    wrong = []
    for (chosen, _), (values, ranks) in zip(choices, page.evaluate(READ_ALL, ["comparison", choices]), strict=True):
        m, a = chosen.values()
        python = [score(ev, m, a) for ev in made.evaluations]
        if a == "denominator" and m not in shown:
            continue
        wrong += [(m, a, values, python)] if not all(map(close, values, python)) else []
        if all(map(math.isfinite, python)) and len({round(x, 9) for x in python}) == len(set(python)):
            row = Row("", tuple(ev.score(m, a) for ev in made.evaluations), find(m).better)
            same = [
                math.isnan(x) == math.isnan(float(r)) and (math.isnan(x) or x == float(r))
                for x, r in zip(row.ranks, ranks, strict=True)
            ]
            wrong += [] if all(same) else [(m, a, "ranks", ranks, row.ranks)]
    assert len(choices) > 60
    assert not wrong, f"{len(wrong)}: {wrong[:5]}"


@pytest.mark.slow
def test_reversals_are_named_as_in_python(open_page: Open) -> None:
    y, three = predictions()
    made = ix.compare(y, three, ["f1", "recall"], ["micro", "macro"])
    page = open_page(made)
    python = {frozenset(pair) for each in made.agreement().reversals for pair in each.pairs}
    assert python
    shown = page.eval_on_selector_all("#ranks .reversals li", "all => all.map(each => each.dataset.pair.split(' ').map(Number))")
    assert len(shown) == len(python)  # one entry for each pair of classifiers
    assert {frozenset(made.names[i] for i in pair) for pair in shown} == python
    clear = page.eval_on_selector_all("#ranks .reversals li", "all => all.map(each => Number(each.dataset.clear))")
    for pair, found in zip(shown, clear, strict=True):
        tests = [d for d in made.differences if {d.first, d.second} == {made.names[i] for i in pair} and d.clear]
        assert found == len({(d if d.first == made.names[pair[0]] else d.reverse()).value > 0 for d in tests})
    page.get_by_label("all measures and averages of this page").check()
    assert page.locator("#ranks tbody tr").count() > 20


@pytest.mark.slow
def test_intervals_and_tests_come_from_python_and_follow_the_convention(open_page: Open) -> None:
    y, three = predictions()
    made = ix.compare(y, three, ["f1"], ["macro"])
    page = open_page(made)
    text = page.locator("#comparison").inner_text()
    for interval in made.rows[0].intervals:
        assert f"{interval.low:.3f} to {interval.high:.3f}" in text
    for d in made.differences[: len(made.names) - 1]:  # those to the best
        one = d if d.value < 0 else d.reverse()
        assert f"{one.low:+.3f} to {one.high:+.3f}".replace("-", "−") in text
    undefined = ix.compare(
        {"a": ix.evaluate(["x", "y", "z"], ["x", "y", "z"]), "b": ix.evaluate(["x", "y", "z"], ["x", "y", "y"])},
        "precision",
        "macro",
    )
    page = open_page(undefined)
    assert "cannot be ranked" in page.locator("#comparison").inner_text()
    page.get_by_label("Undefined values").select_option(label="counted as 0")
    values = page.eval_on_selector_all('#comparison td[data-key="value"] data', "all => all.map(each => Number(each.value))")
    assert values == [1.0, 0.5]


@pytest.mark.slow
def test_areas_of_scores_have_a_page_too(open_page: Open) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    made = ix.compare(y, {"one": y + rng.normal(size=100), "two": rng.normal(size=100)}, "auc")
    page = open_page(made)
    values = page.eval_on_selector_all(
        '#comparison td[data-key^="auc"] data, #comparison td[data-key*="auc"] data', "all => all.map(each => Number(each.value))"
    )
    assert values[:2] == [float(v) for v in made.rows[0].values]


@pytest.mark.slow
def test_chance_is_not_called_a_reversal(open_page: Open) -> None:
    y, three = predictions(60)
    made = ix.compare(
        y,
        {"a": three["rf"], "b": np.where(np.arange(60) < 3, y, three["rf"]), "c": three["svm"]},
        ["precision", "recall", "mcc", "f1"],
        ["micro", "macro"],
    )
    text = open_page(made).locator("#ranks .reversals").inner_text()
    assert "beats" not in text
    assert "No difference is clear: chance may explain them (smallest adjusted p = 0.82)." in text


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_long_names_stay_apart_and_the_best_stands_first(open_page: Open, width: int) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    names = [f"gradient boosting of trees with a depth of {d} and {'very ' * 8}small steps" for d in range(9)]
    several = {n: np.where(rng.random(400) < 0.6 + 0.04 * d, y, (y + 1) % 3) for d, n in enumerate(names)}
    made = ix.compare(y, several, "f1", "macro")
    page = open_page(made, width=width)
    best = np.argsort(made.rows[0].ranks)
    for table in ("#comparison .grid", "#ranks .grid"):
        heads = page.locator(f"{table} thead th")
        assert len(set(heads.all_inner_texts())) == 9
        assert heads.evaluate_all("all => all.map(each => each.querySelector('bdi').title)") == [names[i] for i in best]
        boxes = heads.locator("bdi").evaluate_all(
            "all => all.map(each => (box => [box.left, box.right])(each.getBoundingClientRect()))"
        )
        assert all(right <= left for (_, right), (left, _) in pairwise(boxes))
    assert page.locator("#comparison [aria-live] bdi").get_attribute("title") == names[best[0]]
    assert (page.locator(".sideways:visible").count() > 0) == (width == 390)  # a table that is cut says that it can be moved


@pytest.mark.slow
def test_none_is_best_without_a_rival(open_page: Open) -> None:
    made = ix.compare([0, 1, 1, 0] * 10, {"a": [0, 1, 1, 0] * 10, "b": [0] * 40}, ["precision", "recall"])
    page = open_page(made)
    assert "Only a has a value of binary precision, so there is nothing to compare." in page.locator("#comparison").inner_text()
    assert page.locator('#comparison td[data-key="rank"]').all_inner_texts() == ["–", "–"]
    page.locator("#comparison").get_by_label("Measure").select_option("recall")
    assert "adjusted p" in page.locator("#comparison thead").first.inner_text()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
@pytest.mark.slow
def test_classifiers_for_every_reader(open_page: Open, width: int, scheme: str) -> None:
    rng = np.random.default_rng(3)
    y = rng.choice(["x", "y"], 60)
    made = ix.compare(y, {name: rng.choice(["x", "y"], 60) for name in HOSTILE if name}, ["f1"], ["macro"], by={"<i>s</i>": y})
    page = open_page(made, width=width, scheme=scheme, title=HOSTILE[1])
    assert page.evaluate("document.querySelectorAll('img, i, main b, main script').length") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not serious_problems(page)


def test_notes_are_not_counted_as_differences(open_page: Open) -> None:
    y = np.arange(60) % 3
    few = np.where(np.arange(60) < 3, (y + 1) % 3, y)
    made = ix.compare(y, {"all right": y, "three wrong": few}, ["f1", "mcc"], ["micro", "macro"])
    assert any(d.note for d in made.differences)
    assert len(made.differences) == 4
    said = open_page(made).locator("#comparison summary").inner_text()
    assert said == "4 differences between the classifiers, in sentences"


@pytest.mark.slow
def test_a_mark_needs_a_test_and_both_conventions_are_shown(open_page: Open) -> None:
    y = np.array(["a"] * 60 + ["b"] * 30 + ["c"] * 30)
    rng = np.random.default_rng(4)
    guesses = {name: np.where(rng.random(120) < share, y, "a") for name, share in (("one", 0.7), ("two", 0.72))}
    made = ix.compare(y, {**guesses, "constant": np.full(120, "a")}, ["accuracy", "precision"], ["exemplar", "macro"])
    page = open_page(made)
    text = page.locator("#comparison").inner_text()
    assert " is best" not in text
    assert page.locator("#comparison .star").count() == sum(any(row.best) for row in made.rows)
    assert page.locator("#legend").inner_text() == made.legend().replace("*:", "★:", 1)
    constant = made.evaluations[2].score("precision", "macro")
    shown = page.locator("#comparison .grid .as-zero").last
    assert float(shown.get_attribute("data-value")) == pytest.approx(constant.under(0))


@pytest.mark.slow
def test_the_page_of_one_calls_accuracy_by_its_name(open_page: Open) -> None:
    y = np.repeat(np.arange(5), 20)
    ev = ix.evaluate(y, np.where(np.arange(100) % 3 > 0, y, 0))
    page = open_page(ev)
    card = page.locator(".card").first
    assert "accuracy" in card.inner_text()
    assert float(card.locator("data").first.get_attribute("value")) == pytest.approx(float(ev.score("exact_match")))
    rows = page.locator("#measure_grid tbody th").all_inner_texts()
    assert {"accuracy", "label accuracy", "label balanced accuracy"} <= {*rows}
    cell = page.locator('#measure_grid td[data-key="subset_accuracy exemplar"]')
    assert int(cell.get_attribute("colspan")) == page.locator("#measure_grid thead th").count()  # under no average


@pytest.mark.slow
def test_accuracy_of_several_is_under_no_average(open_page: Open) -> None:
    y, three = predictions()
    page = open_page(ix.compare(y, three))
    section = page.locator("#comparison")
    menu = section.get_by_label("Average")
    assert section.get_by_label("Measure").locator("option:checked").inner_text() == "accuracy"
    assert menu.is_disabled()
    assert menu.locator("option").all_inner_texts() == ["none: whole examples"]
    right = {name: float(np.mean(y == p)) for name, p in three.items()}
    shown = section.locator("td[data-key=value] data").evaluate_all("all => all.map(each => Number(each.value))")
    assert sorted(shown) == pytest.approx(sorted(right.values()))
    section.get_by_label("Measure").select_option("f1")
    assert menu.is_enabled()
    assert menu.input_value() == "macro"  # of the score that was compared
    menu.select_option("micro")
    section.get_by_label("Measure").select_option("subset_accuracy")
    section.get_by_label("Measure").select_option("f1")
    assert menu.input_value() == "micro"


@pytest.mark.slow
def test_costs_have_the_cheapest_first_and_bars_on_one_scale(open_page: Open) -> None:
    y, three = predictions()
    page = open_page(ix.compare(y > 0, {name: p > 0 for name, p in three.items()}, "5*fn + fp"))
    shown = page.locator("#comparison td[data-key=value] data").evaluate_all("all => all.map(each => Number(each.value))")
    assert shown == sorted(shown)
    assert page.locator("#comparison th[aria-sort=ascending]").count() == 1
    ev = ix.evaluate(y, three["rf"])
    page = open_page(ev, measures=["5*fn + fp"], averages=["micro", "macro"])
    wide = page.locator("#measure_grid tr:has-text('5 * fn') .bar-chart .value").evaluate_all(
        "all => all.map(each => each.width.baseVal.value)"
    )
    micro, macro = (float(ev.score("5*fn + fp", average)) for average in ("micro", "macro"))
    assert wide[1] / wide[0] == pytest.approx(macro / micro, rel=0.02)
