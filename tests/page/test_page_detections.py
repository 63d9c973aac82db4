"""The page of detections: every number is Python's, labels are text, and pictures are in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from readers import HOSTILE, serious_problems

import indicatrix as ix
from fuzz.detections import random_data_set
from indicatrix.report.grid import near_bound

Open = Callable[..., Any]


def read(page: Any, section: str, key: str) -> list[float]:
    values = page.eval_on_selector_all(f'#{section} td[data-key="{key}"] data', "all => all.map(each => each.value)")
    return [float(value) for value in values]


def test_the_numbers_of_the_page_are_pythons(open_page: Open) -> None:
    result = ix.detection(*random_data_set(8, "boxes"))
    page = open_page(result, interval=0.9)
    for name, value in result.summary().items():
        assert read(page, "detection_numbers", name) == pytest.approx([float(value)], nan_ok=True)
    interval = result.interval("ap", "macro", level=0.9, draws=200)
    assert (
        f"goes from {near_bound(interval.low)} to {near_bound(interval.high)}" in page.locator("#detection_numbers").inner_text()
    )
    errors = result.errors().to_dict()
    assert read(page, "detection_errors", "cost") == pytest.approx(errors["cost"])
    assert read(page, "detection_errors", "count") == errors["count"]
    page.locator("#detection_classes th button", has_text="Class").click()
    for name, values in (("AP", result.ap(per="class")), ("AP75", result.ap(0.75, per="class")), ("AR", result.ar(per="class"))):
        assert read(page, "detection_classes", name) == pytest.approx(values.tolist(), nan_ok=True)
    page.locator("#detection_curves").get_by_label("Class", exact=True).select_option(index=1)
    shown = page.locator("#detection_curves").inner_text()
    areas = [result.pr(name, iou=0.75).area for name in result.classes]
    assert any(f"overlap 0.75: average precision {area:.3f}" in shown for area in areas)
    best = result.at(score=result.best("f1").threshold)
    assert f"{best.score('recall', 'micro'):.3f}" in page.locator("#measure_grid").inner_text()


@pytest.mark.filterwarnings("ignore:Glyph .* missing from:UserWarning")
@pytest.mark.slow
def test_labels_are_text_and_pictures_are_in_the_file(open_page: Open) -> None:
    names = [name for name in HOSTILE if name != "\ud800 half"]
    boxes = [[9 * k, 0, 9 * k + 8, 9] for k in range(len(names))]
    truth = [{"boxes": boxes, "labels": names}]
    found = [{"boxes": boxes, "labels": names[1:] + names[:1], "scores": np.linspace(0.3, 0.9, len(names))}]
    result = ix.detection(truth, found, images=["<i>image</i>"])
    page = open_page(result, width=390, pictures=[np.zeros((20, 100, 3), np.uint8)])
    assert page.title() == "Detection"
    assert page.evaluate("document.querySelectorAll('main b, main i, main script').length") == 0
    picture = page.locator("#detection_pictures img")
    assert picture.evaluate("image => image.naturalWidth") > 100
    assert "<i>image</i>: 0 found" in picture.get_attribute("alt")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not serious_problems(page)


@pytest.mark.parametrize("truth", [[], [{"boxes": [], "labels": []}], [{"boxes": [[0, 0, 1, 1]], "labels": ["a"]}]])
@pytest.mark.slow
def test_empty_results_have_a_page_that_says_so(open_page: Open, truth: list[Any]) -> None:
    none = {"boxes": [], "labels": [], "scores": []}
    page = open_page(ix.detection(truth, [none] * len(truth)))
    assert "Average precision and recall" in page.locator("main").inner_text()
    if not truth or not truth[0]["labels"]:
        assert "There are no objects" in page.locator("#detection_curves").inner_text()


@pytest.mark.slow
def test_what_python_computed_is_marked(open_page: Open) -> None:
    boxes = {"boxes": [[0, 0, 9, 9], [20, 0, 29, 9]], "labels": ["ant", "bee"]}
    page = open_page(ix.detection([boxes] * 3, [{**boxes, "scores": [0.9, 0.5]}] * 3))
    for section in ("#detection_numbers", "#detection_classes", "#detection_errors", "#detection_curves"):
        assert page.locator(f"{section} .from-python").count() > 0, section
    assert page.locator("#measure_grid .from-python").count() == 0
