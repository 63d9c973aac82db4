"""Weak slices in the page: every number is the one of the search, and names are text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import indicatrix as ix

Open = Callable[..., Any]


@pytest.mark.slow
def test_slices_of_the_page_are_pythons(open_page: Open) -> None:
    rng = np.random.default_rng(4)
    site = rng.choice(["<b>x</b>", "y", "z"], 900)
    y = rng.integers(0, 2, 900)
    ev = ix.evaluate(y, np.where(rng.random(900) < np.where(site == "<b>x</b>", 0.6, 0.95), y, 1 - y))
    found = ev.weakest("recall", among={"site": site})
    page = open_page(ev, slices=found)
    for key in ("value", "low", "high", "rest", "p_value"):
        shown = page.eval_on_selector_all(f'#slices td[data-key="{key}"] data', "all => all.map(each => each.value)")
        assert [float(x) for x in shown] == pytest.approx(found.to_dict()[key])
    text = page.locator("#slices").inner_text()
    assert "site = <b>x</b>" in text
    assert "1 slice of 3 tested" in text
    assert page.evaluate("document.querySelectorAll('main b').length") == 0
