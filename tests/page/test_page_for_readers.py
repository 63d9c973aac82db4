"""The page for every reader: light and dark, on a phone, by keyboard and screen reader, whatever the labels are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from readers import HOSTILE, serious_problems

import indicatrix as ix

Open = Callable[..., Any]


def hostile_evaluation() -> Any:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, len(HOSTILE), (2, 300))
    return ix.evaluate(*([HOSTILE[i] for i in side] for side in codes), by={"<i>site</i>": codes[0].tolist()})


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_accessible_in_light_and_dark_on_a_desktop_and_a_phone(open_page: Open, scheme: str, width: int) -> None:
    rng = np.random.default_rng(1)
    ev = ix.evaluate(rng.integers(0, 5, 200), rng.integers(0, 5, 200), classes=range(6))
    page = open_page(ev, scheme=scheme, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor").startswith("rgb(20,")
    assert dark == (scheme == "dark")
    page.locator("#prior-share").fill("50")
    page.locator("#convention").select_option(index=1)
    assert not serious_problems(page)
    for _ in range(1 if scheme == "light" else 2):  # from the system's colors to dark, then to light
        page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor").startswith("rgb(20,") != dark
    assert not serious_problems(page)
    page.locator("#measure_grid button.measure").first.click()
    assert not serious_problems(page)


@pytest.mark.slow
def test_hostile_labels_are_text(open_page: Open) -> None:
    page = open_page(hostile_evaluation(), title="<script>alert('title')</script>")
    assert page.title() == "<script>alert('title')</script>"
    assert page.evaluate("document.querySelectorAll('img, i, main b, main script').length") == 0
    shown = page.eval_on_selector_all("#class_table tbody th", "all => all.map(each => each.textContent)")
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    assert "two\\nlines\\tand \\x00 \\x1b[31m control" in shown
    assert "''" in shown
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_one_file_that_asks_for_nothing() -> None:
    text = hostile_evaluation().to_html()
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#|data:,)""", text.partition('<script type="application/json"')[0])
    assert "@import" not in text
    assert text.count("</script>") == 2


def test_what_came_into_the_page_is_not_run(browser: Any, tmp_path: Path) -> None:
    """The policy names the hashes of the page's own script and style: a script, a handler or a style of others is dead."""
    foreign = """<script>document.title = 'script'</script><img src="data:," onerror="document.title = 'handler'">
      <style>main { display: none }</style><p id="foreign" style="display: none">styled</p></body>"""
    text = hostile_evaluation().to_html()
    assert "unsafe" not in text.partition("</head>")[0]
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", foreign), "utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(path.as_uri())
    assert page.evaluate("typeof indicatrix.score") == "function"
    assert page.title() == "Evaluation"
    assert page.locator("#headline").is_visible()
    assert page.locator("#foreign").is_visible()
    assert len(refused) == 4
    page.close()


@pytest.mark.slow
def test_the_name_of_a_measure_cannot_end_the_script(open_page: Open) -> None:
    name = "</script><img src=x onerror=alert(1)>"

    def recall(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return ix.ratio(tp, tp + fn)

    page = open_page(ix.evaluate([0, 1, 1], [0, 1, 0]), measures=[ix.Measure(name, recall)])
    assert page.locator("#measure_grid button.measure").all_inner_texts() == [name]
    assert page.locator("main img").count() == 0


KINDS: dict[str, Callable[[], Any]] = {
    "empty": ix.Evaluation,
    "no examples": lambda: ix.evaluate([], [], classes=["a", "b"]),
    "one class": lambda: ix.evaluate(["a", "a"], ["a", "a"]),
    "one example": lambda: ix.evaluate(["a"], ["b"]),
    "binary": lambda: ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]),
    "several labels": lambda: ix.evaluate([{"a"}, {"a", "b"}, set()], [{"a"}, {"b"}, set()]),
    "one label": lambda: ix.evaluate([[1], [0], [1]], [[1], [1], [1]]),
    "mask": lambda: ix.evaluate([[1, 0], [0, 1]], [[1, 1], [0, 1]], mask=[[1, 1], [0, 1]]),
    "masked labels": lambda: ix.evaluate(["a", None, "b"], ["a", "a", "b"], missing="mask"),
    "weights": lambda: ix.evaluate(["a", "b", "b"], ["a", "a", "b"], sample_weight=[1, 0.5, 2]),
    "soft": lambda: ix.evaluate(np.eye(3), np.eye(3)[::-1] * 0.5 + 0.2, tnorm="product"),
    "many soft rows": lambda: ix.evaluate(*np.random.default_rng(0).random((2, 2500, 2)), tnorm="product"),
    "cost": lambda: ix.evaluate(["a", "b", "b"], ["a", "a", "b"], cost=[[0, 1], [5, 0]]),
    "ordinal": lambda: ix.evaluate([1, 2, 3, 3], [1, 3, 3, 2], ordinal="cumulative", classes=[1, 2, 3]),
    "hierarchy": lambda: ix.evaluate(["cat", "dog"], ["dog", "dog"], hierarchy={"cat": "pet", "dog": "pet", "elk": "wild"}),
    "targets": lambda: ix.evaluate([["a", "x"], ["b", "y"]], [["a", "y"], ["b", "y"]], targets=["letter", "end"]),
    "folds": lambda: ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"fold": [1, 1, 2, 2]}),
    "abstentions": lambda: ix.evaluate(["a", "b", "b"], ["a", None, "b"], missing="abstain"),
    "counts": lambda: ix.from_counts([3, 1], [1, 0], [0, 2], [5, 6], classes=["a", "b"]),
    "open set": lambda: ix.evaluate(["cat", "elk"], ["cat", "unknown"], known=["ant", "cat"]),
    "some classes": lambda: ix.evaluate(["a", "b", "c"], ["a", "c", "c"]).only(["a", "b"]),
    "huge": lambda: ix.from_confusion([[2**60, 1], [3, 2**60]]),
}


@pytest.mark.slow
def test_every_kind_of_evaluation_has_a_page(open_page: Open) -> None:
    for name, make in KINDS.items():
        page = open_page(make(), title=name)
        assert page.locator("h2").count() >= 1, name
        assert page.evaluate("typeof indicatrix.score") == "function", name
        page.close()


@pytest.mark.slow
def test_a_thousand_classes_stay_usable(open_page: Open) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 1000, 20_000)
    ev = ix.evaluate(y, np.where(rng.random(20_000) < 0.7, y, (y + 7) % 1000), classes=range(1000))
    page = open_page(ev)
    assert page.locator("#matrix td[data-i]").count() == 400
    page.locator("#matrix canvas").click(position={"x": 240, "y": 240})
    middle = page.locator("#matrix td[data-i]").first
    assert 480 <= int(middle.get_attribute("data-i")) <= 500
    page.locator("#matrix select").select_option("similarity")
    assert page.locator("#class_table tbody tr").count() == 25
    page.locator("#class-filter").fill("123")
    assert page.locator("#class_table tbody tr").count() == 1


TEXTS_OUTSIDE = """drawing => {
  const whole = drawing.getBoundingClientRect();
  return [...drawing.querySelectorAll("text")].filter(each => {
    const box = each.getBoundingClientRect();
    return box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1;
  }).map(each => each.textContent);
}"""


@pytest.mark.slow
def test_charts_fit_a_phone_and_their_texts_lie_inside(open_page: Open) -> None:
    rng = np.random.default_rng(0)
    y = np.minimum(rng.geometric(0.1, 4000), 50)
    page = open_page(ix.evaluate(y, np.where(rng.random(4000) < 0.8, y, (y + 7) % 50 + 1)), width=390)
    for chart in ("#gap svg", "#priors svg"):
        for measure in ("f1", "specificity", "precision"):
            page.locator(chart.split()[0]).get_by_label("Measure" if chart == "#gap svg" else "Lines").select_option(measure)
            assert page.locator(chart).evaluate(TEXTS_OUTSIDE) == []
            assert page.locator(chart).bounding_box()["width"] <= 358


LONG = ("no disease found in any of the samples", "disease present (confirmed by biopsy)")
CUT = """() => [...document.querySelectorAll("main .label")].filter(each => [each, ...each.children].some(part =>
  part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)).map(each => each.textContent)"""


def diagnoses(n: int = 300) -> tuple[Any, Any]:
    """Return an evaluation of two classes with long names, and its scores."""
    rng = np.random.default_rng(2)
    y = (rng.random(n) < 0.3).astype(int)
    p = np.clip(0.3 * y + 0.7 * rng.random(n), 0, 1)
    names = np.array(LONG)
    sites = rng.choice(["a hospital with a very long name indeed", "south"], n)
    ev = ix.evaluate(names[y], names[(p > 0.5).astype(int)], positive=LONG[1], by={"hospital": sites})
    return ev, ix.sweep(names[y], p, positive=LONG[1])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_name_is_cut_on_a_phone(open_page: Open, scheme: str) -> None:
    ev, scores = diagnoses()
    page = open_page(ev, width=400, scheme=scheme, scores=scores)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.evaluate(CUT) == []
    shown = page.eval_on_selector_all("#gap svg text[data-name]", "all => all.map(each => [each.dataset.name, each.textContent])")
    assert all(text == name or len(text) > 25 for name, text in shown), shown
    assert page.locator("#gap svg").evaluate(TEXTS_OUTSIDE) == []


@pytest.mark.slow
def test_a_wide_page_is_used(open_page: Open) -> None:
    ev, scores = diagnoses()
    page = open_page(ev, width=1400, scores=scores)
    inside = page.locator("main").bounding_box()["width"] - 48  # its padding
    assert inside > 1300
    for table in ("#measure_grid .grid", "#class_table .classes", "#groups table"):
        assert page.locator(table).bounding_box()["width"] == pytest.approx(inside, abs=2)
    assert page.locator("#curves .plots").bounding_box()["width"] == pytest.approx(inside, abs=2)
    bars = page.locator("#measure_grid td svg").first.bounding_box()["width"]
    assert bars > 150
    phone = open_page(ev, width=400, scores=scores)
    assert phone.locator("#measure_grid td svg").first.bounding_box()["width"] < bars


@pytest.mark.slow
def test_the_positive_class_is_named_where_its_scores_are(open_page: Open) -> None:
    ev, scores = diagnoses()
    page = open_page(ev, scores=scores)
    assert f"The positive class is {LONG[1]}." in page.locator(".facts").inner_text()
    assert page.locator("#headline .card .name").all_inner_texts() == [
        "accuracy",
        *(f"{name} of {LONG[1]}" for name in ("f1", "precision", "recall", "specificity", "mcc")),
    ]
    assert f"binary: {LONG[1]}" in page.locator("#measure_grid thead").inner_text()
    assert f"or more counts as {LONG[1]}: " in page.locator("#threshold-says").inner_text()
    assert f"predicted {LONG[1]}" in page.locator("#curves .four").inner_text()
    assert f"{LONG[1]} positive" in page.locator("#class_table tbody").text_content()
    alone = open_page(scores)
    assert f"The positive class is {LONG[1]}." in alone.locator(".facts").inner_text()
    assert f"ROC of {LONG[1]}: " in alone.locator("[data-plot=roc]").get_attribute("aria-label")
    assert "positive class" not in ix.evaluate(list("abc"), list("abc")).to_html().partition("<main")[0]


@pytest.mark.slow
def test_what_python_computed_is_marked(open_page: Open) -> None:
    ev, scores = diagnoses()
    page = open_page(ev, scores=scores)
    marked = " | ".join(page.locator("main .from-python").all_inner_texts())
    for text in ("95% interval", "Worth knowing", "AUC 0.", "Average precision 0.", "Calibration error 0.", "chi-square"):
        assert text in marked, text
    assert page.locator("main .from-python .number, #measure_grid .from-python").count() == 0  # values are computed here
    assert "computed by Python" in page.locator(".facts").inner_text()

    def rounded(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return round(tp / (tp + fn), 1)

    own = open_page(ev, measures=[ix.Measure("rounded", rounded), "f1"])
    assert own.locator("#measure_grid tr:has-text('rounded') .from-python").count() == len(ev.axes) + 3
    assert own.locator("#headline .from-python .number").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "cards"),
    [
        ({"measures": ["mcc", "jaccard"]}, ["mcc binary", "jaccard binary"]),
        ({"measures": ["sensitivity", "5*fn + fp"]}, ["sensitivity binary", "5 * fn + fp binary"]),
        ({"measures": ["f_beta(beta=2)"], "averages": ["micro", "macro"]}, ["f_beta(beta=2) micro", "f_beta(beta=2) macro"]),
        (
            {"averages": ["micro"]},
            ["accuracy micro", "f1 micro", "precision micro", "recall micro", "specificity micro", "mcc micro"],
        ),
    ],
)
def test_what_is_asked_for_stands_first(open_page: Open, options: dict[str, Any], cards: list[str]) -> None:
    ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
    page = open_page(ev, **options)
    shown = page.locator("#headline .card")
    assert shown.evaluate_all("all => all.map(each => each.dataset.key)") == cards
    for card in shown.all():
        measure, average = card.get_attribute("data-key").rsplit(" ", 1)
        value = float(card.locator(".big data").get_attribute("value"))
        assert value == pytest.approx(float(ev.score(measure, average)), rel=1e-12)


@pytest.mark.slow
def test_accuracy_that_is_asked_for_is_the_share_of_right_examples(open_page: Open) -> None:
    ev = ix.evaluate(list("aabbc"), list("abbbc"))
    page = open_page(ev, measures=["accuracy", "mcc"])
    assert [text.split("\n")[0] for text in page.locator("#headline .card").all_inner_texts()] == ["accuracy", "macro mcc"]
    assert float(page.locator("#headline .big data").first.get_attribute("value")) == 0.8


@pytest.mark.slow
def test_conventions_are_told_apart_and_stated(open_page: Open) -> None:
    page = open_page(ix.evaluate(["a", "b", "b"] * 9, ["a", "b", "a"] * 9, classes=["a", "b", "c"]))
    options = page.locator("#convention option").all_inner_texts()
    assert any("no true examples" in text for text in options)
    assert any("neither true nor predicted" in text for text in options)
    assert "some values in it are undefined: left out" in page.locator("#measure_grid").inner_text()
    assert "prop:" not in page.locator("main").inner_text()
    page = open_page(ix.evaluate(["a", "b", "b"] * 9, ["a", "b", "a"] * 9))
    assert "left out. These scores have none." in page.locator("#convention-used").inner_text()


@pytest.mark.slow
def test_size_depends_on_classes_not_on_examples() -> None:
    rng = np.random.default_rng(0)
    few, many = (ix.evaluate(*rng.integers(0, 50, (2, n)), classes=range(50)).to_html() for n in (2_000, 400_000))
    assert len(many) < 1_000_000
    assert len(many) < 1.05 * len(few) + 20_000


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"undefined": "raise"}, "a page shows it"),
        ({"undefined": "drop"}, "is not a convention"),
        ({"measures": []}, "measures= is empty"),
        ({"measures": ["f2000"]}, "f2000"),
        ({"averages": ["marco"]}, "Did you mean"),
        ({"path": "/no/such/folder/page.html"}, "no folder"),
    ],
)
def test_what_a_page_cannot_show_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises((ValueError, OSError), match=says):
        ix.evaluate([0, 1], [0, 1]).to_html(**options)


@pytest.mark.slow
def test_a_measure_that_is_not_arithmetic_keeps_pythons_value(open_page: Open) -> None:
    def rounded(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return round(tp / (tp + fn), 1)

    own = ix.Measure("rounded", rounded)
    ev = ix.evaluate([0, 1, 1], [0, 1, 0])
    page = open_page(ev, measures=[own, "f1"])
    assert page.evaluate("indicatrix.score('rounded', 'macro')") == {
        "value": ev.score(own, "macro"),
        "values": [],
        "weights": None,
        "lost": [],
        "fixed": True,
    }


@pytest.mark.slow
def test_measures_of_every_kind_are_shown_side_by_side(open_page: Open) -> None:
    rng = np.random.default_rng(2)
    y, p, site = rng.integers(0, 3, 60), rng.dirichlet(np.ones(3), 60), rng.integers(0, 2, 60)
    ev = ix.evaluate(y, p, decide="argmax", by={"site": site})
    page = open_page(ev, measures=["auc", "f1", "multiclass_kappa", "brier"], scores=ev.sweep())
    for measure, average in (("auc", "macro"), ("auc", "weighted"), ("f1", "macro"), ("brier", "macro"), ("brier", "exemplar")):
        shown = page.evaluate(f"indicatrix.score('{measure}', '{average}').value")
        assert shown == pytest.approx(float(ev.score(measure, average)), rel=1e-12)
    assert page.evaluate("indicatrix.score('multiclass_kappa', 'micro').value") == float(ev.score("multiclass_kappa"))
    assert page.locator("#headline .card .name").all_inner_texts() == ["macro auc", "macro f1", "multiclass kappa", "macro brier"]
    rows = page.locator("#measure_grid tbody th").all_inner_texts()
    assert rows == ["auc", "f1", "multiclass kappa", "brier"]
    with pytest.raises(ValueError, match="auc reads scores, and this evaluation has none"):
        ix.evaluate(y, y).to_html(measures=["f1", "auc"])
