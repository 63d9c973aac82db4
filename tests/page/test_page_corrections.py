"""What a correction moved, in the page: the scores of the labels that were seen, of gold labels alone, and the corrected ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import indicatrix as ix

Open = Callable[..., Any]


@pytest.mark.slow
@pytest.mark.parametrize("several", [False, True], ids=["one class", "several labels"])
def test_the_page_shows_what_the_correction_moved(open_page: Open, several: bool) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, (400, 3) if several else 400)
    predicted, judge = (np.where(rng.random(truth.shape) < right, truth, 1 - truth) for right in (0.85, 0.8))
    human = np.where((np.arange(400) < 120)[:, None] if several else np.arange(400) < 120, truth, np.nan)
    ev, plain = ix.evaluate(judge, predicted, gold=human), ix.evaluate(judge, predicted)
    average = "macro" if several else "binary"
    page = open_page(ev, measures=["f1", "recall"])

    def column(way: str) -> list[str]:
        return page.eval_on_selector_all(f'#corrections td[data-key="{way}"]', "all => all.map(e => e.textContent)")

    for k, measure in enumerate(("f1", "recall")):
        interval = ev.interval(measure, average)
        ends = f"{interval.low:.3f}\u00a0to\u00a0{interval.high:.3f}"
        assert column("corrected")[k] == f"{ev.score(measure, average):.3f}{ends}"
        assert column("labels as judged")[k].startswith(f"{plain.score(measure, average):.3f}")
        moved = ev.score(measure, average) - plain.score(measure, average)
        assert column("moved")[k] == f"{'+' if moved >= 0 else '−'}{abs(moved):.3f}"
        assert column("says")[k] == interval.note
    assert len(column("gold labels alone")) == 2
    assert open_page(plain).locator("#corrections").count() == 0
