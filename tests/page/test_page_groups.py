"""Groups in the page: every value, and that of all others, is the one that Python computes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from readers import HOSTILE, serious_problems

import indicatrix as ix

Open = Callable[..., Any]
# Chooses every measure and average in turn, and reads the numbers of the table.
READ_ALL = """([section, choices]) => {
    const root = document.getElementById(section), found = [];
    const choose = (title, value) => {
        const label = [...root.querySelectorAll("label")].find(each => each.textContent === title);
        const list = document.getElementById(label.htmlFor);
        list.value = value;
        list.dispatchEvent(new Event("change"));
    };
    for (const [chosen, keys] of choices) {
        for (const [title, value] of Object.entries(chosen)) choose(title, value);
        found.push(keys.map(key => [...root.querySelectorAll(`td[data-key="${key}"] data`)].map(each => each.value)));
    }
    return found;
}"""


def close(ours: str, python: float) -> bool:
    if not math.isfinite(python):
        return ours in ("NaN", "Infinity", "-Infinity")
    return float(ours) == pytest.approx(python, rel=1e-11, abs=1e-11)


def evaluations() -> dict[str, Any]:
    rng = np.random.default_rng(5)
    n = 90
    by = {"site": rng.choice(["x", "y", "z"], n).tolist(), "year": rng.integers(1, 3, n).tolist()}
    y, p = rng.integers(0, 3, (2, n))
    return {
        "classes": ix.evaluate(y, p, classes=range(4), by=by),
        "binary": ix.evaluate(y > 0, p > 1, by=by),
        "weights": ix.evaluate(y, p, by=by, sample_weight=rng.random(n)),
        "labels": ix.evaluate(rng.integers(0, 2, (n, 3)), rng.integers(0, 2, (n, 3)), by=by),
        "empty cells": ix.evaluate(["a"] * 4 + ["b"], ["a"] * 3 + ["b"] * 2, by={"site": ["x", "x", "y", "y", "z"]}),
    }


def score(ev: Any, measure: str, average: str) -> float:
    try:
        return float(ev.score(measure, average))
    except ValueError:  # the measure does not have this average
        return math.nan


def has(ev: Any, measure: str, average: str) -> bool:
    try:
        ev.score(measure, average)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", evaluations())
@pytest.mark.slow
def test_groups_and_all_others_have_pythons_scores(open_page: Open, name: str) -> None:
    ev = evaluations()[name]
    page = open_page(ev)
    content = page.evaluate("indicatrix.DATA.sections.groups")
    case = [*evaluations()].index(name)  # each case has a part of the catalogue: all formulas are compared elsewhere
    measures = (
        page.locator("#groups").get_by_label("Measure").evaluate("list => [...list.options].map(each => each.value)")[case::7]
    )
    pairs = [(m, a) for m in measures for a in content["averages"] if has(ev, m, a)]  # the menu offers no other
    choices = [({"Measure": m, "inside each group": a}, ["value", "rest"]) for m, a in pairs]
    read = page.evaluate(READ_ALL, ["groups", choices])
    groups = ev.split("site")
    rest = {g: sum((other for h, other in groups.items() if h != g), ix.Evaluation()) for g in groups}
    rest = {g: replace(one, named_positive=ev.named_positive) for g, one in rest.items()}
    wrong = []
    for (chosen, _), (values, others) in zip(choices, read, strict=True):
        m, a = chosen.values()
        if a == "denominator" and m not in page_measures(content):
            continue
        for g, value, other in zip(groups, values, others, strict=True):
            for ours, python in ((value, score(groups[g], m, a)), (other, score(rest[g], m, a))):
                wrong += [] if close(ours, python) else [(m, a, g, ours, python)]
    assert len(read) > 60
    assert not wrong, f"{len(wrong)}: {wrong[:10]}"


def page_measures(content: dict[str, Any]) -> set[str]:
    return {key.rsplit(" ", 1)[0] for key in content["axes"][0]["sure"]}


@pytest.mark.slow
def test_the_largest_gap_has_the_interval_and_the_test_of_between(open_page: Open) -> None:
    rng = np.random.default_rng(0)
    site = rng.choice(["x", "y", "z"], 600)
    y = rng.integers(0, 2, 600)
    p = np.where(rng.random(600) < np.where(site == "y", 0.6, 0.9), y, 1 - y)
    ev = ix.evaluate(y, p, by={"site": site})
    found = ev.compare_groups("f1", "site")
    page = open_page(ev)
    assert {"f1", "recall", "precision"} <= page_measures(page.evaluate("indicatrix.DATA.sections.groups"))
    text = page.locator("#groups").inner_text()
    ends = found.difference_interval
    assert f"are {found.difference:.3f} apart (95% interval {ends.low:.3f} to {ends.high:.3f})" in text
    assert f"The groups differ: {found.test}." in text
    assert "y differs most from all others together" in text


@pytest.mark.slow
def test_a_convention_changes_the_groups_and_hides_intervals_of_another(open_page: Open) -> None:
    ev = evaluations()["empty cells"]
    page = open_page(ev)
    page.locator("#convention").select_option(index=1)
    values = page.eval_on_selector_all('#groups td[data-key="value"] data', "all => all.map(each => each.value)")
    python = [float(part.score("f1", "macro", undefined=0)) for part in ev.split("site").values()]
    assert all(map(close, values, python))
    assert "The intervals are for undefined values that are left out." in page.locator("#groups").inner_text()


@pytest.mark.slow
def test_groups_can_be_sorted_and_hostile_names_are_text(open_page: Open) -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, len(HOSTILE), 300)
    names = [HOSTILE[i] for i in codes]
    ev = ix.evaluate(rng.integers(0, 2, 300), rng.integers(0, 2, 300), by={"<b>site</b>": names, "</select>": names})
    page = open_page(ev, width=390)
    assert page.evaluate("document.querySelectorAll('#groups img, #groups i, #groups b, #groups script').length") == 0
    assert "<b>site</b>" in page.locator("#groups").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    head = page.locator("#groups th button", has_text="Examples")
    head.click()
    sizes = [int(text) for text in page.locator("#groups tbody td:nth-child(2)").all_inner_texts()]
    assert sizes == sorted(sizes, reverse=True)
    assert not serious_problems(page)


@pytest.mark.slow
def test_of_many_groups_the_largest_are_shown(open_page: Open) -> None:
    ids = np.repeat(np.arange(300), np.arange(1, 301) % 7 + 1)
    ev = ix.evaluate(ids % 2, ids % 3 > 0, by={"patient": ids})
    page = open_page(ev)
    assert page.locator("#groups tbody tr").count() == 200
    assert "These are the 200 largest of 300 groups." in page.locator("#groups").inner_text()
