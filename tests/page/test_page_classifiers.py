"""Several classifiers in the page: scores, ranks and reversals are those of Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from readers import HOSTILE, serious_problems
from test_page_groups import READ_ALL, close, score

import indicatrix as ix
from indicatrix.algebra.measure_names import find
from indicatrix.comparison.row import Row

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
    choices = [({"Measure": m, "Average": a}, ["value", "rank"]) for m in measures for a in averages]
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
    python = [f"{each}.".replace("_", " ") for each in made.agreement().reversals]
    assert python
    assert page.locator("#ranks .reversals li").all_inner_texts() == python[:8]
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
