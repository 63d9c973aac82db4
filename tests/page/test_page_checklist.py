"""The reporting checklist in the page: all items with what Python says about them, names as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import indicatrix as ix

Open = Callable[..., Any]


@pytest.mark.slow
def test_the_checklist_of_the_page_is_pythons(open_page: Open) -> None:
    ev = ix.evaluate([0, 1, 1, 0] * 20, [0, 1, 0, 0] * 20, by={"site": ["<b>x</b>", "y"] * 40})
    made = ev.checklist("TRIPOD+AI")
    page = open_page(ev, checklist=made)
    filled = [item for item in made.items if item.state != "open"]
    rest = made.of("open")
    for key, items in (("topic", [*filled, *rest]), ("asks", [*filled, *rest]), ("state", filled), ("says", filled)):
        shown = page.eval_on_selector_all(f'#checklist td[data-key="{key}"]', "all => all.map(e => e.textContent)")
        assert shown == [" ".join(item.says) if key == "says" else getattr(item, key) for item in items]
    numbers = page.eval_on_selector_all("#checklist tbody th", "all => all.map(e => e.textContent)")
    assert numbers == [item.number for item in (*filled, *rest)]
    assert f"{len(rest)} items for the authors" in page.locator("#checklist summary").inner_text()
    assert "<b>x</b>" in page.locator("#checklist").inner_text()
    assert page.evaluate("document.querySelectorAll('main b').length") == 0
    assert open_page(ev).locator("#checklist").count() == 0
