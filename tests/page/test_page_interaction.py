"""What a reader does in the page, in Chromium: each number that changes is the one that Python computes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import indicatrix as ix

Open = Callable[..., Any]
DIGITS = 1e-12


def animals(n: int = 400, **options: Any) -> Any:
    """Return an evaluation with a rare class and a class that never occurs."""
    rng = np.random.default_rng(3)
    names = np.array(["ant", "bee", "cat"])
    y = rng.choice(names, n, p=[0.7, 0.2, 0.1])
    p = np.where(rng.random(n) < 0.7, y, rng.choice(names, n))
    return ix.evaluate(y, p, classes=["ant", "bee", "cat", "dog"], **options)


def numbers(page: Any, selector: str) -> list[float]:
    """Return the numbers of elements with all their digits."""
    texts = page.eval_on_selector_all(f"{selector} data", "all => all.map(each => each.value)")
    return [float(text) if text != "NaN" else math.nan for text in texts]


def close(ours: float, python: float) -> bool:
    return (math.isnan(ours) and not math.isfinite(python)) or ours == pytest.approx(python, rel=DIGITS, abs=DIGITS)


@pytest.mark.parametrize(("choice", "normalize"), [("none", None), ("row", "true"), ("column", "pred"), ("all", "all")])
@pytest.mark.slow
def test_the_matrix_is_normalized_as_in_python(open_page: Open, choice: str, normalize: str | None) -> None:
    ev = animals()
    page = open_page(ev)
    page.locator(f"#matrix input[value={choice}]").check(force=True)
    ours = np.reshape(numbers(page, "#matrix td"), (4, 4))
    assert np.allclose(ours, ev.confusion_matrix(normalize), rtol=DIGITS, atol=0, equal_nan=True)


@pytest.mark.slow
def test_the_matrix_is_sorted_and_read_by_keyboard(open_page: Open) -> None:
    ev = animals()
    page = open_page(ev)
    for order in ("size", "error", "similarity"):
        page.locator("#matrix select").select_option(order)
        shown = page.eval_on_selector_all("#matrix tbody th", "all => all.map(each => each.textContent)")
        assert sorted(shown) == ["ant", "bee", "cat", "dog"]
        if order == "size":
            sizes = dict(zip(ev.classes, ev.aggregate("class").tpos.tolist(), strict=True))
            assert shown == sorted(ev.classes, key=lambda name: -sizes[name])
        if order == "error":
            recall = np.nan_to_num(np.asarray(ev.values("recall")), nan=2)
            assert shown == [ev.classes[i] for i in np.argsort(recall, kind="stable")]
    page.locator("#matrix select").select_option("given")
    page.locator("#matrix td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    count = int(ev.confusion[0, 1])
    assert f"True ant, predicted bee: {count} —" in page.locator("#matrix .says").text_content()
    assert page.locator("#matrix td[tabindex='0']").count() == 1


@pytest.mark.slow
def test_classes_are_sorted_and_filtered(open_page: Open) -> None:
    ev = ix.evaluate(*(np.random.default_rng(seed).integers(0, 12, 300) for seed in (0, 1)))
    page = open_page(ev)
    values = np.asarray(ev.values("f1"))
    page.locator("#class_table th button", has_text="f1").click()
    assert numbers(page, "#class_table td.main") == pytest.approx(sorted(values, reverse=True), rel=DIGITS)
    page.locator("#class_table th button", has_text="f1").click()
    assert numbers(page, "#class_table td.main") == pytest.approx(sorted(values), rel=DIGITS)
    assert page.locator("#class_table th[aria-sort=ascending]").text_content() == "f1"
    page.locator("#class_table select").select_option("recall")
    page.locator("#class-filter").fill("11")
    assert numbers(page, "#class_table td.main") == pytest.approx([float(ev.values("recall")[11])], rel=DIGITS)


@pytest.mark.slow
def test_the_convention_changes_every_section_and_marks_what_changed(open_page: Open) -> None:
    ev = animals()
    page = open_page(ev)
    before = numbers(page, "#headline .big")
    page.locator("#convention").select_option(label="count as 0")
    cards = page.eval_on_selector_all("#headline .card", "all => all.map(each => each.dataset.key.split(' '))")
    assert [tuple(card) for card in cards][1] == ("f1", "macro")
    for (measure, average), was, now in zip(cards, before, numbers(page, "#headline .big"), strict=True):
        assert close(was, ev.score(measure, average))
        assert close(now, ev.score(measure, average, undefined=0))
    for cell in page.query_selector_all("#measure_grid td[data-key]"):
        measure, average = cell.get_attribute("data-key").split(" ")
        score = ev.score(measure, average)
        assert close(float(cell.query_selector("data").get_attribute("value")), score.under(0))
        assert ("changed" in (cell.get_attribute("class") or "")) == (score.under(0) != score)
    assert "counted as 0" in page.locator("#conventions").text_content()


@pytest.mark.parametrize(
    ("ev", "label"),
    [
        (animals(), 2),
        (ix.evaluate(["a", "b", "b", "a", "c"], ["a", None, "b", "b", "c"], missing="abstain"), 1),
        (ix.evaluate([[1, 0], [1, 1], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 1], [1, 0]]), 0),
    ],
    ids=["classes", "abstentions", "labels"],
)
@pytest.mark.slow
def test_the_prior_slider_shows_the_scores_of_reprior(open_page: Open, ev: Any, label: int) -> None:
    page = open_page(ev)
    page.locator("#priors select").first.select_option(str(label))
    page.locator("#prior-share").fill("37.5")
    page.locator("#prior-share").press("Tab")
    shares = np.asarray(ev.aggregate("class").tpos, float)
    shares /= shares.sum() if ev.kind == "multiclass" else ev.n
    if ev.kind == "multiclass":
        shares *= (1 - 0.375) / (1 - shares[label])
    shares[label] = 0.375
    moved = ev.with_priors(shares / shares.sum() if ev.kind == "multiclass" else shares)
    cells = page.query_selector_all("#priors td[data-key]")
    assert len(cells) >= 24
    for cell in cells:
        measure, average = cell.get_attribute("data-key").split(" ")
        assert close(float(cell.query_selector("data").get_attribute("value")), moved.score(measure, average)), (measure, average)
        drifts = abs(moved.score(measure, average) - ev.score(measure, average)) > 1e-9
        assert ("drifts" in cell.get_attribute("class")) == drifts, (measure, average)


@pytest.mark.slow
def test_the_gap_adds_up_class_by_class(open_page: Open) -> None:
    ev = animals()
    page = open_page(ev)
    for measure in ("f1", "mcc", "precision"):
        page.locator("#gap select").select_option(measure)
        assert numbers(page, "#gap p") == pytest.approx([ev.score(measure, "micro"), ev.score(measure, "macro")], rel=DIGITS)
    assert page.locator("#gap svg").get_attribute("aria-label").startswith("From micro")


@pytest.mark.slow
def test_the_gap_follows_the_convention_and_names_undefined_classes(open_page: Open) -> None:
    ev = animals()  # "dog" neither occurs nor is predicted
    page = open_page(ev)
    said = page.locator("#gap p[aria-live]")
    drawn = page.locator("#gap svg")
    assert "divided by 3. Left out of macro: dog." in said.inner_text()
    assert "dog" not in drawn.get_attribute("aria-label")
    for number in (0, 1):
        page.locator("#convention").select_option(label=f"count as {number}")
        assert numbers(page, "#gap p") == pytest.approx(
            [ev.score("f1", "micro"), ev.score("f1", "macro", undefined=number)], rel=DIGITS
        )
        assert f"divided by 4. Undefined and counted as {number}: dog." in said.inner_text()
        assert f"undefined: {number}" in drawn.text_content()
        pull = (number - ev.score("f1", "micro")) / 4
        assert f"dog {'−' if pull < 0 else '+'}{abs(pull):.3f}" in drawn.get_attribute("aria-label")
    page.locator("#convention").select_option(label="kept")
    assert said.inner_text() == "f1 is undefined here (for dog: kept as undefined), so there is no gap."
    page.locator("#convention").select_option(label="classes neither true nor predicted left out, else count as 0")
    assert "Left out of macro: dog." in said.inner_text()


@pytest.mark.slow
def test_a_measure_explains_itself_and_any_measure_can_be_added(open_page: Open) -> None:
    page = open_page(animals())
    for name in ("youden j", "linear utility(alpha=1, beta=0, gamma=0, delta=1)"):  # an alias, and as the list shows a family
        page.locator("#add-measure").fill(name)
        page.locator("#add-measure").blur()
    assert page.locator("#measure_grid tbody tr").count() == 12
    cell = page.locator("#measure_grid td[data-key='informedness macro'] data")
    assert close(float(cell.get_attribute("value")), animals().score("informedness", "macro"))
    page.locator("#measure_grid button.measure", has_text="f1").click()
    text = page.locator("#about").text_content()
    assert "f1=2·tp2·tp+fp+fn" in text
    assert page.locator("#about mfrac").count() == 1
    assert "Not skew-invariant: doubling the positives moves f1 from 0.46 to 0.50." in text
    assert "When it misleads" in text
    page.keyboard.press("Escape")
    assert not page.locator("#about").is_visible()


def test_floors_are_those_of_the_theory(open_page: Open) -> None:
    ev = ix.from_confusion([[30, 5, 1], [4, 20, 2], [3, 1, 9]])
    page = open_page(ev, averages=["micro", "macro", "exemplar"])
    sizes = ev.aggregate("class").tpos.tolist()
    drawn = {}
    for cell in page.query_selector_all("#measure_grid td[data-floor]"):
        measure, average = cell.get_attribute("data-key").split(" ")
        drawn[measure, average] = float(cell.get_attribute("data-floor"))
    assert {("specificity", "micro"), ("specificity", "macro"), ("accuracy", "exemplar"), ("mcc", "micro")} <= set(drawn)
    for (measure, average), value in drawn.items():
        assert close(value, float(ix.theory.floor(measure, 3, average=average, sizes=sizes, n=ev.n)))
