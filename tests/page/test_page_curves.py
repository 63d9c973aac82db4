"""Curves in the page: one threshold moves all marks and measures, to what Python computes at this threshold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from readers import HOSTILE, serious_problems

import indicatrix as ix
from indicatrix.algebra.ends import wilson_of_each
from indicatrix.algebra.measure_names import find

Open = Callable[..., Any]
# Moves the slider through all its places, and reads the counts and all measures at each.
DRAG = """() => {
    const slider = document.getElementById("threshold"), root = document.getElementById("curves"), found = [];
    root.querySelector("details").open = true;
    for (let place = 0; place <= slider.max; place += Math.max(1, Math.floor(slider.max / 9))) {
        slider.value = place;
        slider.dispatchEvent(new Event("input"));
        const pair = key => each => [each.dataset[key], each.querySelector("data").value];
        const read = (selector, key) => [...root.querySelectorAll(selector)].map(pair(key));
        const cells = Object.fromEntries(read("[data-cell]", "cell")), rows = read(".measure-at", "measure");
        found.push([slider.max - place, cells, rows]);
    }
    return found;
}"""


def problem(kind: str, n: int = 700) -> tuple[Any, Any, dict[str, Any]]:
    rng = np.random.default_rng(len(kind))
    y = (rng.random(n) < 0.3).astype(int)
    z = 1.5 * y - 1 + rng.normal(size=n)
    if kind == "weights":
        return y, z, {"sample_weight": rng.random(n)}
    if kind == "no positives":
        return 0 * y, z, {"classes": [0, 1]}
    if kind == "ties":
        return y, np.round(1 / (1 + np.exp(-z)), 1), {}
    if kind == "single precision":
        return y, z.astype(np.float32), {}
    return y, 1 / (1 + np.exp(-z)), {}


def sources(kind: str) -> dict[str, Any]:
    y, s, options = problem(kind)
    return {"sweep": ix.sweep(y, s, **options), "binned": ix.scores.binned(y, s, **options)}


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("probabilities", "sweep"),
        ("weights", "binned"),
        ("no positives", "sweep"),
        ("ties", "binned"),
        ("single precision", "sweep"),
    ],
)
@pytest.mark.slow
def test_every_measure_follows_the_threshold(open_page: Open, kind: str, source: str) -> None:
    scores = sources(kind)[source]
    page = open_page(scores)
    thresholds = page.evaluate("indicatrix.DATA.sections.curves.columns[0].thresholds.map(t => String(t))")
    places = page.evaluate(DRAG)
    slow = page.locator("#curves details .measure-at").count()
    assert slow > 100
    wrong = []
    for place, cells, rows in places:
        counts = scores.at(float(thresholds[place].replace("Infinity", "inf")))
        wrong += [(cell, cells[cell]) for cell in cells if float(cells[cell]) != pytest.approx(getattr(counts, cell), rel=1e-12)]
        for name, ours in rows:
            python = float(find(name)(counts))
            scale = 1e-11 if kind != "weights" else 1e-9
            same = (
                float(ours) == pytest.approx(python, rel=scale, abs=scale)
                if math.isfinite(python)
                else not math.isfinite(float(ours))
            )
            wrong += [] if same else [(thresholds[place], name, ours, python)]
    assert len(places) > 5
    assert not wrong, f"{len(wrong)}: {wrong[:10]}"


def drawn(page: Any, plot: str) -> tuple[Any, Any]:
    """Return x in [0, 1] and y in pixels of the line of a plot, from the left."""
    text = page.locator(f'svg[data-plot="{plot}"] path.curve').get_attribute("d")
    points = np.array([[float(x) for x in point.split()] for point in text.replace("M", "L").split("L")[1:]])
    return (points[:, 0] - 54) / 274, points[:, 1]


@pytest.mark.slow
def test_counts_hold_between_two_scores(open_page: Open) -> None:
    """The lines of a measure and of net benefit jump at scores, and precision is that of the next recall."""
    y, p = [0, 0, 1, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.7, 0.2]
    swept = ix.sweep(y, p)
    page = open_page(swept)
    height = {
        v: float(page.locator(f'svg[data-plot="decision"] .rule >> nth={k}').get_attribute("d").split()[1].split("H")[0])
        for k, v in enumerate((0.0, 0.5))
    }  # the grid lines of no benefit, and of the prevalence
    for t in (0.05, 0.15, 0.3, 0.38, 0.45, 0.6, 0.75, 0.95):
        x, pixels = (values[::-1] for values in drawn(page, "measure"))  # from high thresholds to low ones
        assert (258 - np.interp(t, x, pixels)) / 246 == pytest.approx(ix.f1(swept.at(t)), abs=1e-3), t
        x, pixels = (values[::-1] for values in drawn(page, "decision"))
        benefit = (np.interp(t, x, pixels) - height[0.0]) / (height[0.5] - height[0.0]) * 0.5
        assert benefit == pytest.approx(swept.decision_curve(at=[t]).y[0], abs=2e-3), t
    recall, pixels = drawn(page, "pr")
    precision = (258 - pixels) / 246
    area = np.sum(np.diff(recall) * (precision[1:] + precision[:-1])) / 2
    assert recall[0] == 0
    assert area == pytest.approx(swept.of(1).average_precision, abs=2e-3)


def mark(page: Any, plot: str) -> tuple[float, float]:
    circle = page.locator(f'svg[data-plot="{plot}"] .threshold-mark circle')
    return float(circle.get_attribute("cx")), float(circle.get_attribute("cy"))


@pytest.mark.slow
def test_keyboard_and_pointer_move_one_mark_on_all_curves(open_page: Open) -> None:
    y, s, _ = problem("probabilities")
    ev, swept = ix.evaluate(y, s, decide=0.5), ix.sweep(y, s)
    page = open_page(ev, scores=swept)
    plots = page.eval_on_selector_all("#curves svg[data-plot]", "all => all.map(each => each.dataset.plot)")
    assert plots == ["roc", "pr", "measure", "reliability", "cost", "decision"]
    shown = page.locator("#curves .measures-at").first.locator('[data-measure="f1"] data')
    assert float(shown.get_attribute("value")) == pytest.approx(float(ev.score("f1")), rel=1e-12)  # it starts at decide=
    assert page.locator("#threshold-number").input_value() == "0.5"
    before = mark(page, "roc"), mark(page, "pr"), mark(page, "decision")
    page.locator("#threshold").focus()
    page.keyboard.press("End")
    assert "above all scores" in page.locator("#threshold-says").inner_text()
    page.keyboard.press("ArrowLeft")
    after = mark(page, "roc"), mark(page, "pr"), mark(page, "decision")
    assert all(a != b for a, b in zip(before, after, strict=True))
    page.locator('svg[data-plot="roc"]').scroll_into_view_if_needed()  # a mouse reaches only what is shown
    box = page.locator('svg[data-plot="roc"]').bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.1 * box["height"])
    page.mouse.up()
    tpr = float(page.locator("#curves .measures-at").first.locator('[data-measure="recall"] data').get_attribute("value"))
    assert tpr > 0.9
    page.locator("#best-threshold").click()
    assert float(shown.get_attribute("value")) == pytest.approx(swept.best("f1").value, rel=1e-12)
    page.locator("#threshold-number").fill("0.5")
    page.locator("#threshold-number").press("Enter")
    assert float(shown.get_attribute("value")) == pytest.approx(float(ev.score("f1")), rel=1e-12)


@pytest.mark.slow
def test_areas_are_exact_and_reliability_is_pythons(open_page: Open) -> None:
    y, s, _ = problem("probabilities", 20_000)
    swept = ix.sweep(y, s)
    (column,) = open_page(swept).evaluate("indicatrix.DATA.sections.curves.columns")
    assert len(column["thresholds"]) <= 500
    assert column["areas"]["auc"] == [float(ix.auc(y, s))]
    assert column["areas"]["average_precision"] == [float(ix.average_precision(y, s))]
    assert column["areas"]["cost"] == [swept.cost_curve().area]
    assert column["areas"]["brier"] == pytest.approx([float(ix.brier(y, s))], rel=1e-9)
    curve = ix.scores.reliability(y, s)
    full = curve.weight > 0
    assert column["reliability"]["observed"] == pytest.approx(curve.observed[full].tolist(), rel=1e-12)
    assert column["reliability"]["predicted"] == pytest.approx(curve.predicted[full].tolist(), rel=1e-9)
    assert column["reliability"]["error"] == pytest.approx([curve.error()], rel=1e-9)


@pytest.mark.slow
def test_columns_of_classes_are_chosen_and_pooled(open_page: Open) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 200)
    s = rng.random((200, 3)) + np.eye(3)[y]
    swept = ix.sweep(y, s)
    page = open_page(ix.evaluate(y, s, decide="argmax"), scores=swept)
    areas = page.evaluate("indicatrix.DATA.sections.curves.columns.map(column => [column.name, column.areas.auc[0]])")
    assert areas == [[None, swept.micro.auc], *([str(c), swept.of(c).auc] for c in range(3))]
    page.get_by_label("Scores of").select_option("2")
    assert f"AUC {swept.of(1).auc:.3f}" in page.locator("#curves").inner_text()
    assert page.locator('svg[data-plot="decision"]').count() == 0  # these scores are not probabilities


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.slow
def test_curves_for_every_reader(open_page: Open, width: int, scheme: str) -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, len(HOSTILE), 200)
    p = rng.random((200, len(HOSTILE)))
    names = [HOSTILE[i] for i in codes]
    swept = ix.sweep(names, p / p.sum(axis=1, keepdims=True), classes=HOSTILE)
    page = open_page(swept, width=width, scheme=scheme, title=HOSTILE[0])
    assert page.evaluate("document.querySelectorAll('img, i, main b, main script').length") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not serious_problems(page)


def test_size_depends_on_thresholds_kept_and_not_on_examples() -> None:
    sizes = [len(ix.sweep(*problem("probabilities", n)[:2]).to_html() or "") for n in (5_000, 50_000)]
    assert sizes[1] < 1.05 * sizes[0]


def test_scores_of_other_examples_are_refused() -> None:
    ev = ix.evaluate(["a", "b", "c"], ["a", "b", "b"])
    with pytest.raises(ValueError, match=r"scores= has 2 examples, but this evaluation has 3"):
        ev.to_html(scores=ix.sweep([0, 1], [0.1, 0.2]))
    with pytest.raises(TypeError, match=r"scores= takes what ix.sweep or ix.scores.binned returns, not list"):
        ev.to_html(scores=[0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r"scores= has the class 'd'; the classes of this evaluation are 'a', 'b', 'c'"):
        ev.to_html(scores=ix.sweep(["a", "b", "d"], np.eye(3), classes=["a", "b", "d"]))
    with pytest.raises(ValueError, match=r"scores= are of 'a', but the positive class of this evaluation is 'b'"):
        ix.evaluate(["a", "b"], ["a", "b"], positive="b").to_html(scores=ix.sweep(["a", "b"], [0.1, 0.2], positive="a"))


def test_bands_are_those_of_python(open_page: Open) -> None:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 60)
    p = np.clip(0.3 * y + 0.7 * rng.random(60), 0, 1)
    swept = ix.sweep(y, p)
    page = open_page(swept)
    says = page.locator("#curves .band-says").all_inner_texts()
    assert says == [
        "Band: 95% of both rates at each threshold (Wilson).",
        "Band: 95% of precision at each threshold (Wilson).",
        "Bars: 95% of the observed share in each bin (Wilson).",
    ]
    code = (
        "([shares, sizes, level]) => shares.map((share, i) => indicatrix.wilson(share, sizes[i], indicatrix.quantileOf(level)))"
    )
    ours = np.array(page.evaluate(code, [[0.0, 0.25, 1.0], [7, 40, 3], 0.9]))
    assert np.allclose(ours.T, wilson_of_each([0.0, 0.25, 1.0], [7, 40, 3], 0.9), rtol=1e-12)
    # the drawn band is the one of the library: its highest and lowest ends at recall 1, in the units of the plot
    low = np.nanmin(swept.pr().band().y_low)
    drawn = page.locator("[data-plot=pr] .band").get_attribute("d")
    heights = [float(point.split()[1]) for point in re.findall(r"[ML]([-\d.]+ [-\d.]+)", drawn)]
    axis = page.evaluate(
        "[0, 1].map(y => [...document.querySelectorAll('[data-plot=pr] .rule')].map(e => e.getAttribute('d')).at(-y))"
    )
    bottom, top = sorted((float(re.findall(r"[-\d.]+", d)[1]) for d in axis), reverse=True)
    assert (bottom - max(heights)) / (bottom - top) == pytest.approx(low, abs=0.002)


@pytest.mark.slow
def test_pooled_and_weighted_counts_have_no_band(open_page: Open) -> None:
    rng = np.random.default_rng(9)
    several = open_page(ix.sweep(rng.integers(0, 3, 60), rng.random((60, 3))))
    assert several.locator("#curves .band").count() == 0  # all classes pooled
    several.locator("#curves").get_by_label("Scores of").select_option("1")
    assert several.locator("#curves .band").count() == 2
    weighted = open_page(ix.sweep([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.35], sample_weight=[1, 2, 1, 0.5]))
    assert weighted.locator("#curves .band, #curves .band-bar").count() == 0


@pytest.mark.slow
def test_thresholds_of_saturated_probabilities_lie_apart(open_page: Open) -> None:
    rng = np.random.default_rng(10)
    z = rng.normal(size=300)
    page = open_page(ix.sweep((z + rng.normal(size=300) > 0).astype(int), 1 / (1 + np.exp(-12 * z))))
    plot = page.locator("[data-plot=measure]")
    assert "logarithmic towards 0 and 1" in plot.get_attribute("aria-label")
    places = [float(x) for x in re.findall(r"[ML]([-\d.]+) ", plot.locator(".curve").get_attribute("d"))]
    tenths = np.histogram(places, bins=10, range=(54, 328))[0]
    assert tenths.max() < 0.5 * len(places)
    ticks = plot.locator("text").evaluate_all("all => all.map(each => each.textContent)")
    assert "0.5" in ticks
    page.locator("#threshold").press("ArrowRight")
    x = float(plot.locator(".dot.best").get_attribute("cx"))
    assert 54 <= x <= 328
