"""What a notebook shows is HTML without scripts or colors of its own, and labels in it are plain text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from loops import for_each
from test_tables import HOSTILE

import indicatrix as ix
from indicatrix.report.table_forms import Uncertain

VOID = {"path", "polyline"}
TAGS = {"table", "thead", "tbody", "tr", "th", "td", "bdi", "strong", "p", "div", "span", "details", "summary", "ul", "li"}
TAGS |= {"svg", "text", *VOID}
ATTRIBUTES = {"style", "scope", "title", "open", "tabindex", "role", "aria-label", "width", "height", "viewbox", "d", "fill"}
ATTRIBUTES |= {"stroke", "stroke-opacity", "stroke-width", "points", "x", "y", "font-size", "text-anchor"}


class Page(HTMLParser):
    """Reads HTML strictly: known tags and attributes only, each tag closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= ATTRIBUTES
        assert not re.search(r"url\(|expression|#[0-9a-f]{3}", dict(attrs).get("style") or "")
        self.open.append(tag)
        if tag in VOID:
            self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(thing: Any) -> str:
    html = thing._repr_html_()
    html.encode()
    return " ".join(Page(html).texts)


def things(name: str) -> dict[str, Any]:
    """Return one of everything that a notebook shows, with a hostile label in it; class "z" is never right."""
    y, z = [name, name, "y", "z"] * 3, [name, "y", "y", "y"] * 3
    ev = ix.evaluate(y, z, by={"site": [name, "s"] * 6})
    both = ix.compare(y, {name or "?": z, "rf": y}, "f1", "macro")
    scores = np.tile(np.eye(3), (4, 1))
    sweep = ix.sweep(y, scores, classes=[name, "y", "z"])
    return {
        "Evaluation": ev,
        "Score": ev.score("precision", "macro"),
        "GroupedScore": ev.score("precision", ("site", "macro")),
        "ScoreTable": ev.table(interval=True),
        "Comparison": both,
        "Difference": both.differences[0],
        "Interval": ev.interval("f1", "macro"),
        "Sweep": sweep,
        "Curve": sweep.roc(name),
        "Values": ev.values("recall", interval=True),
        "Values of two axes": ev.values("recall", per=("site", "class"), interval=True),
        "Values of distinct rows": ev.values("recall", per="example"),
        "Tuned": ix.tune(y, scores, "f1", "macro", classes=[name, "y", "z"], one_vs_all=True, subject_to="recall >= 0.1"),
        "Best": sweep.best("f1", name, subject_to="recall >= 0.1"),
        "BestPerClass": sweep.best("f1", average="macro"),
        "Between": ev.compare_groups("recall", "site", average="macro"),
        "Explanation": ix.explain("f1"),
    }


@for_each("name", HOSTILE.values(), ids=HOSTILE)
def test_labels_are_text(name: str) -> None:
    for kind, thing in things(name).items():
        text = shown(thing)
        assert "\n" not in text, kind
        assert all(c.isprintable() for c in text), kind


def test_numbers_are_those_of_the_evaluation() -> None:
    made = things("ant")
    ev = made["Evaluation"]
    assert "1 of 3 classes undefined, excluded" in shown(made["Score"])
    assert f"{float(ev.score('precision', 'macro')):.3f}" in shown(ev)
    assert "Undefined values are excluded" in shown(ev)
    assert "Groups of site" in shown(ev)
    assert f"{made['Sweep'].of('ant').auc:.3f}" in shown(made["Sweep"])
    assert f"area {made['Curve'].area:.6g}" in shown(made["Curve"])
    assert "95% interval (score)" in shown(made["Interval"])


def test_values_are_shown_with_their_names_and_intervals() -> None:
    made = things("ant")
    for kind in ("Values", "Values of two axes"):
        values = made[kind]
        text = shown(values)
        for interval in values.intervals:
            assert str(Uncertain(interval.value, interval.low, interval.high)).split()[0] in text
        assert all(name in text for name in ("ant", "y", "z"))
        assert "95% intervals" in text
    assert "site ↓ class →" in shown(made["Values of two axes"])
    assert "times" in shown(made["Values of distinct rows"])
    assert (made["Values"] + 1)[1:]._repr_html_() is None  # a selection has no names: the notebook shows its text


def test_many_values_stay_compact() -> None:
    y = np.arange(2000)
    values = ix.evaluate(y % 100, y % 99, by={"site": y % 40}).values("recall", per=("site", "class"))
    assert len(values._repr_html_()) < 300_000
    assert "The first 30 of 40 rows and 30 of 100 columns." in shown(values)
    assert "The first 30 of 2,000 units." in shown(ix.tasks.per_example("f1", y % 2, y % 2))


def test_thresholds_are_shown_with_what_they_meet() -> None:
    made = things("ant")
    tuned = made["Tuned"]
    assert f"macro f1 = {float(tuned.value):.6g}" in shown(tuned)
    assert "recall >= 0.1" in shown(tuned)
    for choice in tuned.choices:
        assert f"{choice.threshold:.6g}" in shown(tuned)
    assert f"f1 = {made['Best'].value:.6g}" in shown(made["Best"])
    assert "No threshold meets recall > 1" in shown(ix.sweep([0, 1], [0.1, 0.9]).best("f1", subject_to="recall > 1"))
    assert "undefined at every threshold" in shown(ix.sweep([0, 0], [0.1, 0.9]).best("recall"))


def test_groups_are_shown_with_the_sentences_that_are_printed() -> None:
    found = things("ant")["Between"]
    text = shown(found)
    for line in str(found).splitlines()[4:]:
        assert line.strip() in text


def test_an_explanation_shows_every_sentence() -> None:
    text = shown(ix.explain("f1"))
    for title, sentences in ix.explain("f1").sections:
        assert all(part in text for part in (title, *sentences))
    assert "2 * tp / (2 * tp + fp + fn)" in text


def test_facts_about_measures() -> None:
    assert "f1" in shown(ix.catalogue())
    text = shown(ix.properties("f1", prove=False))
    assert "decomposable" in text
    assert text.count(" yes ") == sum(found.holds is True for found in ix.properties("f1", prove=False).evidence.values())


def test_nothing_yet() -> None:
    assert "no examples yet" in shown(ix.Evaluation())
    assert shown(ix.catalogue(search="nothing has this in its text")).split() == [
        "name",
        "also",
        "range",
        "better",
        "what",
        "it",
        "is",
    ]


def test_undefined_curves_and_scores() -> None:
    assert "every point is undefined" in shown(ix.sweep([1, 1], [0.5, 0.6]).roc())
    assert "undefined" in shown(ix.recall([0, 0], [0, 0]))


def test_many_classes_stay_compact() -> None:
    y = np.arange(1000)
    ev = ix.evaluate(y, y)
    assert len(ev._repr_html_()) < 100_000
    assert "1,000 classes, the 30 most frequent" in shown(ev)


def test_a_decision_curve_shows_its_alternatives_and_cuts_off_what_is_far_below_nothing() -> None:
    swept = ix.sweep([1, 0, 0, 0, 0, 0, 1, 0], [0.3, 0.99, 0.98, 0.97, 0.6, 0.2, 0.9, 0.1])
    curve = swept.decision_curve()
    assert curve.y.min() < -1
    shown = curve._repr_html_()
    assert "Dashed: treat all, treat none." in shown
    assert shown.count("<polyline") == 3
    low, high = (float(x) for x in re.search(r"net benefit: (\S+) ↑ ([\d.]+)<", shown).groups())
    assert low == pytest.approx(-0.35 * high, abs=1e-3)
    assert swept.lift()._repr_html_().count("<polyline") == 1
