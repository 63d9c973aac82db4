"""Every plot draws the numbers of the evaluation, with labels that are read, also where something is undefined."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from loops import for_each
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.text import Text

import indicatrix as ix
from indicatrix.plots.canvas import COLORS, line_style, spread
from indicatrix.report.table_forms import Uncertain

NAN = math.nan
HOSTILE = ["<script>", "$x^2$ costs $5", "a\nb\tc\x1b[31m", "שלום", "x" * 300, "=1+1 & 50% _y_ {z} \\frac", ""]
RNG = np.random.default_rng(3)


def problem(names: list[Any], n: int = 200) -> tuple[Any, Any]:
    y = RNG.permutation([names[k % len(names)] for k in range(n)]).tolist() if names != HOSTILE else [*names] * (n // len(names))
    z = [y[k] if k % 3 else y[-k] for k in range(len(y))]
    return y, z


@cache
def evaluation(state: str) -> ix.Evaluation:
    """Return an evaluation in a state: plain, with undefined classes, empty, of one class, of many, with hostile labels."""
    if state == "empty":
        return ix.Evaluation()
    if state == "undefined":
        by = {"site": ["x", "x", "y", "y", "y"]}
        return ix.evaluate(["a", "b", "b", "c", "c"], ["a", "a", "b", "b", "a"], classes=["a", "b", "c", "never"], by=by)
    names: list[Any] = {"plain": ["ant", "bee", "cat"], "one": ["ant"], "many": [*range(1000)], "hostile": HOSTILE}[state]
    y, z = problem(names, 2000 if state == "many" else 196)
    sites = [HOSTILE[k % 3] if state == "hostile" else f"s{k % 3}" for k in range(len(y))]
    return ix.evaluate(y, z, by={"site": sites}, confusion=True)


def sweep(state: str) -> ix.types.Sweep:
    t = {"plain": [0, 1] * 40, "no positives": [0] * 20, "no negatives": [1] * 20, "one row": [1], "ties": [0, 1] * 10}[state]
    s = [0.5] * len(t) if state == "ties" else [(0.37 * k + 0.3 * t[k]) % 1 for k in range(len(t))]
    return ix.sweep(t, s, positive=1)


def saturated() -> ix.types.Sweep:
    """Return scores of which most lie within 0.01 of 0 or 1, as networks give them."""
    z = RNG.normal(size=400)
    return ix.sweep(z + RNG.normal(size=400) > 0.5, 1 / (1 + np.exp(-12 * z)), positive=True)


def comparison(state: str) -> ix.Comparison:
    names = HOSTILE[1:4] if state == "hostile" else ["lr", "rf", "nb"]
    y, z = problem(["a", "b", "c"], 60)
    never = ["a"] * 60 if state == "undefined" else y[::-1]
    return ix.compare(y, dict(zip(names, (y, z, never), strict=True)), ["f1", "precision"], ["micro", "macro"])


STATES = ("plain", "undefined", "hostile", "one", "many", "empty")
SWEPT = ("plain", "no positives", "no negatives", "one row", "ties")
COMPARED = ("plain", "undefined", "hostile")
PLOTS: dict[str, Callable[[], Any]] = {}
for _state in STATES:
    for _kind in ("confusion", "classes", "gap", "floors", "prior_sensitivity", "groups"):
        if (_kind, _state) in {("gap", "many"), ("prior_sensitivity", "many"), ("floors", "one")} or (
            _state == "empty" and _kind in ("floors", "prior_sensitivity", "groups")
        ):
            continue  # slow, or refused with a reason
        _args = {"groups": ("recall", "site"), "prior_sensitivity": ("f1",), "gap": ("f1",), "classes": ("recall",)}.get(
            _kind, ()
        )
        PLOTS[f"{_kind}, {_state}"] = lambda k=_kind, s=_state, a=_args: getattr(evaluation(s).plot, k)(*a)
for _state in SWEPT:
    _few = ("roc", "decision_curve")  # the other states have the same texts
    for _kind in ("roc", "pr", "det", "cost_curve", "decision_curve", "lift", "brier_curve") if _state in SWEPT[:2] else _few:
        PLOTS[f"{_kind}, {_state}"] = lambda k=_kind, s=_state: getattr(sweep(s), k)().plot("lr")
    PLOTS[f"thresholds, {_state}"] = lambda s=_state: sweep(s).plot("f1", "mcc", "recall", "accuracy")
for _state in COMPARED:
    for _kind in ("forest", "ranks", "agreement"):
        PLOTS[f"{_kind}, {_state}"] = lambda k=_kind, s=_state: getattr(comparison(s).plot, k)()
PLOTS |= {
    "roc, several": lambda: ix.plots.curves({name: sweep("plain").roc() for name in HOSTILE}),
    "thresholds, several": lambda: sweep("plain").plot(
        *[m.name for m in dict.fromkeys(ix.algebra.MEASURES.values()) if m.range == (0, 1) and not m.averages][:12]
    ),
    "thresholds, saturated": lambda: saturated().plot("f1", "mcc", "recall"),
    "pr, several": lambda: ix.plots.curves({"a": sweep("plain").pr(), "b": sweep("ties").pr()}),
    "reliability, several": lambda: ix.plots.curves(
        {name: ix.scores.reliability([0, 1] * 20, [k / 40 for k in range(40)], bins=5) for name in HOSTILE[:3]}
    ),
    "reliability, plain": lambda: ix.scores.reliability([0, 1] * 20, [k / 40 for k in range(40)], bins=5).plot(),
    "reliability, empty": lambda: ix.plots.reliability([NAN] * 3, [NAN] * 3, [0] * 3),
    "risk, plain": lambda: ix.tasks.risk_coverage([0, 1, 1, 0] * 5, [0, 1, 0, 0] * 5, [k / 20 for k in range(20)]).plot(),
    "risk, undefined": lambda: ix.plots.risk_coverage([0.0, 1.0], [NAN, NAN]),
    "differences, empty": lambda: ix.plots.forest([]),
    "ranks of two": lambda: ix.inference.compare_data_sets([[0.5, 0.6], [0.6, 0.7]], classifiers=HOSTILE[:2]).plot(),
    "ranks of many": lambda: ix.inference.compare_data_sets(
        RNG.random((9, 18)), classifiers=[f"classifier {k}" for k in range(18)]
    ).plot(),
    "gap, undefined": lambda: ix.plots.gap(("macro", NAN), {"skew": NAN}, ("micro", 0.5)),
    "priors, undefined": lambda: ix.plots.prior_sensitivity([0.1, 0.9], {"micro": [NAN, NAN], "macro": [0.5, NAN]}, now=0.5),
    "floors, undefined": lambda: ix.plots.floors(["f1", "mcc"], [NAN, 0.5], [0.0, -0.1]),
}


def texts_of(ax: Any) -> list[Text]:
    """Return the texts that are seen, ticks and legends included."""
    found = [t for t in ax.figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    gone = {
        t
        for axis in (ax.xaxis, ax.yaxis)
        for tick in axis.get_major_ticks()
        for t in (tick.label1, tick.label2)
        if not _on(tick, axis)
    }
    return [t for t in found if t not in gone]


def _on(tick: Any, axis: Any) -> bool:
    low, high = sorted(axis.get_view_interval())
    return tick.get_visible() and low - 1e-9 <= tick.get_loc() <= high + 1e-9


@for_each("name", PLOTS)
@pytest.mark.filterwarnings("ignore:Glyph .* missing from:UserWarning")
def test_every_text_is_inside_the_figure_and_none_covers_another(name: str) -> None:
    plt.close("all")
    ax = PLOTS[name]()
    figure = ax.figure
    figure.set_dpi(60)
    figure.draw_without_rendering()  # places every text; the pixels are matplotlib's own work
    assert ax.get_title(loc="left")
    texts = texts_of(ax)
    boxes = [(t, t.get_window_extent()) for t in texts]
    for text, box in boxes:
        assert text.get_parse_math() is False or "$" not in text.get_text()
        assert all(c.isprintable() or c == "\n" for c in text.get_text())
        assert box.x0 > -2, text.get_text()
        assert box.y0 > -2, text.get_text()
        assert box.x1 < figure.bbox.width + 2, text.get_text()
        assert box.y1 < figure.bbox.height + 2, text.get_text()
    upright = [(t, box) for t, box in boxes if t.get_rotation() in (0, 90)]
    for k, (one, box) in enumerate(upright):
        for other, second in upright[k + 1 :]:
            wide = min(box.x1, second.x1) - max(box.x0, second.x0)
            high = min(box.y1, second.y1) - max(box.y0, second.y0)
            assert not (wide > 2 and high > 0.35 * min(box.height, second.height)), (one.get_text(), other.get_text())


def shown(ax: Any) -> list[str]:
    return [t.get_text() for t in ax.texts]


def test_the_confusion_matrix_has_its_counts_and_shares() -> None:
    ev = evaluation("plain")
    ax = ev.plot.confusion()
    assert shown(ax) == [str(x) for x in ev.confusion.ravel()]
    assert np.allclose(ax.images[0].get_array(), ev.confusion_matrix("true"))
    undefined = evaluation("undefined").plot.confusion("true")
    assert shown(undefined)[-4:] == ["–"] * 4
    assert any(patch.get_hatch() for patch in undefined.patches)


def test_bars_have_the_values_and_intervals_of_the_classes() -> None:
    ev = evaluation("plain")
    ax, values = ev.plot.classes("recall"), ev.values("recall", interval=True)
    assert [bar.get_width() for bar in ax.patches] == values.tolist()
    ends = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert ends == [list(pair) for pair in zip(values.low, values.high, strict=True)]
    lines = {line.get_xdata()[0] for line in ax.lines}
    assert {float(ev.score("recall", "macro")), float(ev.score("recall", "micro"))} <= lines
    assert "undefined" in shown(evaluation("undefined").plot.classes("f1"))


def test_many_classes_are_points_from_the_highest_to_the_lowest() -> None:
    ev = evaluation("many")
    ax = ev.plot.classes("recall", interval=False)
    assert ax.lines[0].get_xdata().tolist() == sorted(ev.values("recall").tolist(), reverse=True)


@pytest.mark.parametrize("kind", ["roc", "pr", "det", "cost_curve", "decision_curve", "lift"])
def test_curves_have_the_points_of_the_sweep(kind: str) -> None:
    curve = getattr(sweep("plain"), kind)()
    ax = curve.plot()
    seen = np.isfinite(curve.x) & np.isfinite(curve.y)
    drawn, points = ax.lines[0].get_xydata().tolist(), np.column_stack([curve.x, curve.y])[seen].tolist()
    if kind == "pr":  # the first step starts at recall 0
        assert drawn.pop(0) == [0.0, points[0][1]]
    assert [point for point in drawn if point in points] == points
    assert (drawn == points) == (kind != "decision_curve")
    assert ax.lines[0].get_drawstyle() == ("steps-pre" if kind == "pr" else "default")
    if curve.area is not None:
        assert any(f"{curve.area:.3f}" in text for text in shown(ax))
    lost = getattr(sweep("no positives"), kind)()
    assert any("ndefined" in text for text in shown(lost.plot())) != bool(np.isfinite(lost.x + lost.y).any())


CURVES = ("roc", "roc_hull", "pr", "det", "cost_curve", "decision_curve", "lift", "brier_curve")


@pytest.mark.parametrize("kind", CURVES)
def test_titles_name_the_positive_class(kind: str) -> None:
    y, p = ["well", "ill", "ill", "well", "well"], [0.1, 0.8, 0.4, 0.35, 0.2]
    swept = ix.sweep(y, p, positive="ill")
    assert getattr(swept, kind)().plot().get_title(loc="left").endswith(", positive class ill")
    table = [[1 - x, x] for x in p]
    both = ix.sweep(y, table, classes=["well", "ill"])
    assert getattr(both, kind)("well").plot().get_title(loc="left").endswith(", positive class well")
    assert "class" not in getattr(both, kind)(average="micro").plot().get_title(loc="left")
    curves = {name: getattr(both, kind)(name) for name in ("well", "ill")}
    assert "class" not in ix.plots.curves(curves).get_title(loc="left")
    assert getattr(swept, kind)().plot(title="Mine").get_title(loc="left") == "Mine"


def test_other_plots_of_scores_name_it_too() -> None:
    y, p = ["well", "ill", "ill", "well"], [0.1, 0.8, 0.4, 0.35]
    swept = ix.sweep(y, p, positive="ill")
    assert swept.plot("f1").get_title(loc="left") == "Measures at every threshold, positive class ill"
    found = ix.scores.reliability(y, p, positive="ill")
    assert found.plot().get_title(loc="left") == "Reliability, positive class ill"
    assert ix.plots.curves({"a": found, "b": found}).get_title(loc="left") == "Reliability, positive class ill"
    top = ix.scores.reliability([0, 1, 2], np.eye(3) * 0.4 + 0.2)
    assert top.plot().get_title(loc="left") == "Reliability"


def test_bands_are_drawn_where_they_are_sound_and_say_what_they_are() -> None:
    swept = sweep("plain")
    roc, pr = swept.roc(), swept.pr()
    ax, band = roc.plot(), roc.band()
    corners = ax.patches[0].get_xy()[:-1]
    upper, lower = np.column_stack([band.x_low, band.y_high]), np.column_stack([band.x_high, band.y_low])
    assert np.array_equal(corners, np.concatenate([upper, lower[::-1]]))
    assert ax.get_xlabel().endswith("\nband: 95% of both rates at each threshold (Wilson)")
    ax = pr.plot(interval=0.9)
    assert ax.get_xlabel().endswith("\nband: 90% of precision at each threshold (Wilson)")
    drawn = ax.collections[0].get_paths()[0].vertices
    assert drawn[:, 1].min() == pytest.approx(np.nanmin(pr.band(0.9).y_low))
    assert not roc.plot(interval=False).patches
    assert len(ix.plots.curves(dict.fromkeys("abc", roc)).patches) == 3
    assert not ix.plots.curves(dict.fromkeys("abcd", roc)).patches  # they would hide one another
    table = RNG.random((30, 3))
    several = ix.sweep(RNG.integers(0, 3, 30), table)
    weighted = ix.sweep([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.35], sample_weight=[1, 2, 1, 0.5])
    for curve in (several.roc(average="micro"), several.roc(average="macro"), weighted.roc(), swept.det()):
        assert "band" not in curve.plot().get_xlabel()
        with pytest.raises(ValueError, match="has no band"):
            curve.band()


def test_precision_has_the_line_of_chance() -> None:
    swept = ix.sweep([0, 0, 0, 1], [0.1, 0.4, 0.35, 0.8])
    ax = swept.pr().plot()
    assert any({*line.get_ydata()} == {0.25} for line in ax.lines)
    assert "chance 0.250" in shown(ax)
    two = ix.plots.curves({"a": swept.pr(), "b": sweep("plain").pr()})
    flat = {float(line.get_ydata()[0]) for line in two.lines if len({*line.get_ydata()}) == 1}
    assert {0.25, 0.5} <= flat
    assert not [text for text in shown(two) if "chance" in text]


def test_thresholds_of_saturated_probabilities_lie_apart() -> None:
    ax = saturated().plot("f1")
    ax.figure.canvas.draw()
    x = ax.lines[0].get_xdata()
    places = np.sort(ax.transData.transform(np.column_stack([x, np.zeros(len(x))]))[:, 0])
    assert np.mean(np.minimum(x, 1 - x) < 0.01) > 0.5
    tenths = (places - places[0]) / (places[-1] - places[0]) * 10
    assert np.bincount(np.minimum(tenths.astype(int), 9), minlength=10).max() < 0.4 * len(x)  # on a plain axis: two heaps
    assert "logarithmic towards 0 and 1" in ax.get_xlabel()
    ticks = [text.get_text() for text in ax.get_xticklabels()]
    assert "0.5" in ticks
    assert len({*ticks}) == len(ticks) >= 5
    for view in ((), (2e-5, 1 - 1e-12), (1e-9, 0.995), (0.01, 0.99)):
        ax.set_xlim(*view or ax.get_xlim())
        ax.figure.canvas.draw()
        boxes = [
            text.get_window_extent() for text in ax.get_xticklabels() if ax.bbox.x0 <= text.get_window_extent().x1 <= ax.bbox.x1
        ]
        assert len(boxes) >= 4
        assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    assert "logarithmic" not in sweep("plain").plot("f1").get_xlabel()
    assert "logarithmic" not in ix.sweep([0, 1, 1, 0], [-9.0, 4.0, 0.001, 0.002]).plot("f1").get_xlabel()
    assert not [text for text in shown(ax) if text.endswith(" at 1")]


def test_reliabilities_are_curves_too() -> None:
    one = ix.scores.reliability([0, 1] * 20, [k / 40 for k in range(40)], bins=5)
    other = ix.scores.reliability([0, 1] * 20, [k / 80 for k in range(40)], bins=5)
    ax = ix.plots.curves({"a": one})
    assert f"a, calibration error {one.error():.3f}" in shown(ax)
    ax = ix.plots.curves({"a": one, "b": other})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        f"{name}, calibration error {found.error():.3f}" for name, found in (("a", one), ("b", other))
    ]
    low, high = one.ends()
    bars = [segment[:, 1].tolist() for segment in ax.collections[0].get_segments()]
    assert bars == [list(pair) for pair in zip(low, high, strict=True)]
    assert "bars: 95% of the observed share in each bin (Wilson)" in ax.get_xlabel()
    with pytest.raises(ValueError, match="different kinds cannot share"):
        ix.plots.curves({"a": one, "b": sweep("plain").roc()})
    with pytest.raises(TypeError, match=r"draws what sweep.roc\(\), sweep.pr\(\) or ix.scores.reliability"):
        ix.plots.curves({"a": [0, 1]})


def test_many_classes_are_called_classes() -> None:
    assert evaluation("many").plot.classes("recall", interval=False).get_ylabel() == "1,000 classes, highest first"
    ev = ix.evaluate([0, 1] * 60, [0, 1] * 60, by={"site": [k // 2 for k in range(120)]})
    assert ix.plots.units(ev.values("recall", per="site")).get_ylabel() == "60 sites, highest first"


def test_a_decision_curve_has_the_benefit_of_every_threshold() -> None:
    assert_benefit = {0.0: 0.5, 0.2: 0.5 - 0.5 * 0.25, 0.5: 0.5, 0.69: 0.5, 0.8: 0.0}  # counts stay between two scores
    line = ix.sweep([0, 1], [0.3, 0.7]).decision_curve().plot().lines[0]
    for t, benefit in assert_benefit.items():
        assert np.interp(t, *line.get_data()) == pytest.approx(benefit, abs=1e-4)
    x, y = ix.sweep([0, 1], [0.3, 0.7]).decision_curve().plot().lines[1].get_data()  # treat all
    assert y == pytest.approx(0.5 - 0.5 * x / (1 - x))


def test_a_single_point_is_seen_and_what_lies_off_the_scale_is_said() -> None:
    tied = sweep("ties")
    assert tied.lift().plot().lines[0].get_marker() == "o"
    assert tied.pr().plot().lines[0].get_xydata().tolist() == [[0, 0.5], [1, 0.5]]
    assert tied.plot("prevalence").lines[0].get_marker() == "o"
    assert sweep("plain").lift().plot().lines[0].get_marker() in ("", "None")
    apart = ix.sweep([0, 1], [0.3, 0.7]).det().plot()
    assert "Nothing lies on this scale" in " ".join(shown(apart))
    assert not shown(sweep("plain").det().plot())


def test_one_class_and_one_example() -> None:
    one = ix.evaluate(["a"], ["a"])
    assert one.plot.confusion().get_title(loc="left") == "Confusion matrix, 1 example"
    assert one.plot.classes("mcc").get_xlim() == (0, 1.02)
    with pytest.raises(ValueError, match=r"Floors need two classes or more.*here there is one, 'a'"):
        one.plot.floors()
    column = ix.from_confusion([[3, 0], [1, 0]]).plot.confusion("pred").patches
    assert [(patch.get_x(), patch.get_width(), patch.get_hatch()) for patch in column] == [(0.5, 1, "////")]


def test_measures_at_thresholds_and_the_best_of_them() -> None:
    swept = sweep("plain")
    ax = swept.plot("f1")
    best = swept.best("f1")
    assert ax.lines[0].get_ydata().tolist() == swept.values("f1")[1:][::-1].tolist()
    assert (ax.lines[1].get_xdata()[0], ax.lines[1].get_ydata()[0]) == (best.threshold, best.value)
    assert "undefined: recall" in sweep("no positives").plot("recall").get_xlabel()


def test_reliability_and_risk() -> None:
    found = ix.scores.reliability([0, 1] * 20, [k / 40 for k in range(40)], bins=5)
    assert found.plot().collections[-1].get_offsets().tolist() == np.column_stack([found.predicted, found.observed]).tolist()
    risk = ix.tasks.risk_coverage([0, 1, 1, 0], [0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6])
    line = risk.plot().lines[0]
    assert (line.get_xdata().tolist(), line.get_ydata().tolist()) == (risk.coverage[1:].tolist(), risk.risk[1:].tolist())


def test_the_waterfall_goes_from_macro_to_micro() -> None:
    gap = evaluation("plain").gap("f1")
    bars = gap.plot().patches
    steps, ends = bars[:-2], [bar.get_height() for bar in bars[-2:]]
    assert ends == [gap.macro, gap.micro]
    assert sum(bar.get_height() for bar in steps) == pytest.approx(gap.gap)
    assert "undefined, not in macro: never" in evaluation("undefined").plot.gap("f1").get_xlabel()
    assert "Undefined: one of the averages has no value." in " ".join(shown(PLOTS["gap, undefined"]())).replace("\n", " ")


def test_drift_has_the_scores_at_other_priors() -> None:
    ev = ix.from_confusion([[90, 10], [2, 8]], classes=["well", "ill"])
    ax = ev.plot.prior_sensitivity("precision", "ill", averages=["macro"], points=3)
    x, y = ax.lines[0].get_data()
    assert x.tolist() == pytest.approx([0.02, 0.5, 0.98])
    assert y[1] == ev.with_priors([0.5, 0.5]).score("precision", "macro")
    assert ax.lines[1].get_xdata()[0] == 10 / 110
    assert len(ev.plot.prior_sensitivity("precision", "ill").lines[0].get_xdata()) == 25
    with pytest.raises(ValueError, match="'owl' is not a class; the classes are"):
        ev.plot.prior_sensitivity("f1", "owl")


def test_ranks_agreement_and_differences() -> None:
    made = comparison("plain")
    assert shown(made.plot.ranks()) == [f"{r:g}" for row in made.rows for r in row.ranks]
    assert shown(made.plot.agreement()) == [f"{tau:.2f}" for tau in made.agreement().taus.ravel()]
    ax = made.plot.forest()
    points = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert points == [d.value for d in made.differences]
    filled = [line.get_markerfacecolor() != "none" for line in ax.lines if line.get_marker() == "o"]
    assert filled == [d.clear for d in made.differences]


def test_floors_and_groups() -> None:
    ev = evaluation("plain")
    ax = ev.plot.floors(["specificity", "mcc"])
    floors = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "|"]
    assert floors == [float(ix.theory.floor(m, 3)) for m in ("specificity", "mcc")]
    macro = ev.plot.floors(["specificity"], "macro")
    sizes = ev.aggregate("class").tpos.tolist()
    assert [line.get_xdata()[0] for line in macro.lines if line.get_marker() == "|"] == [
        float(ix.theory.floor("specificity", 3, average="macro", sizes=sizes))
    ]
    found = ev.compare_groups("recall", "site", average="macro")
    ax = ev.plot.groups("recall", "site", average="macro")
    assert ax.lines[0].get_xdata().tolist() == found.values.tolist()
    assert str(Uncertain(found.difference, *found.difference_interval)) in ax.get_xlabel()


def test_mean_ranks_and_their_groups() -> None:
    found = ix.inference.compare_data_sets(RNG.random((9, 5)) + np.arange(5) / 5, classifiers=[*"abcde"])
    ax = found.plot()
    places = {line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"}
    assert places == set(found.ranks.tolist())
    assert sum(line.get_linewidth() == 4 for line in ax.lines) == len(found.groups)
    left, right = min(places), max(places)  # names stand next to their points, on the side of the nearer end
    distances = {
        round(abs(text.get_position()[0] - rank), 6)
        for text in ax.texts
        for rank in (left, right)
        if text.get_text().endswith(f" {rank:.2f}")
    }
    assert distances == {0.06}


def test_plots_are_drawn_on_given_axes() -> None:
    figure, ax = plt.subplots()
    assert sweep("plain").roc().plot(ax=ax) is ax
    assert evaluation("plain").plot.confusion(ax=ax) is ax
    assert plt.get_fignums() == [figure.number]


def test_lines_differ_in_gray() -> None:
    """Any two of the first thirty have another line style, or another lightness."""
    styles = [line_style(k) for k in range(30)]
    assert len({(s["color"], str(s["linestyle"])) for s in styles}) == 30
    light = {c: float(np.dot(to_rgb(c), [0.299, 0.587, 0.114])) for c in COLORS}
    for k, one in enumerate(styles[:6]):
        for other in styles[k + 1 : 6]:
            assert one["linestyle"] != other["linestyle"] or abs(light[one["color"]] - light[other["color"]]) > 0.15


def test_shades_darken_in_gray() -> None:
    shades = plt.get_cmap("Blues")(np.linspace(0, 1, 20))[:, :3] @ [0.299, 0.587, 0.114]
    assert (np.diff(shades) < 0).all()


def test_labels_are_moved_apart() -> None:
    for places in ([0.5, 0.5, 0.5], [0.1, 0.12, 0.8, 0.81, 0.82], [0.0, 1.0]):
        moved = spread(places, 0.05)
        assert min(np.diff(moved)) >= 0.05 - 1e-9
        assert sum(moved) == pytest.approx(sum(places))


def test_curves_of_different_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="different kinds cannot share"):
        ix.plots.curves({"a": sweep("plain").roc(), "b": sweep("plain").pr()})
    with pytest.raises(ValueError, match="at least one curve"):
        ix.plots.curves({})
    with pytest.raises(ValueError, match="one class per example"):
        ix.evaluate([{"a"}], [{"a", "b"}]).plot.floors()


def test_without_matplotlib_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'indicatrix\[plots\]'"):
        sweep("plain").roc().plot()


@pytest.mark.slow
def test_matplotlib_is_loaded_only_for_plots() -> None:
    code = "import sys, indicatrix as ix; ix.plots.curves; ix.evaluate([0, 1], [0, 1]).plot; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"
