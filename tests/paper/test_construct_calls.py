"""The table of docs/why/paper.md: every label of the paper has a row, and the call of every row runs."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from loops import for_each

from paper.select import experiments

ROOT = Path(__file__).resolve().parents[2]
PAGE = (
    (ROOT / "docs" / "why" / "paper.md")
    .read_text(encoding="utf-8")
    .partition("## Every section, and its call")[2]
    .partition("\n## ")[0]
)
ROWS = [tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in PAGE.splitlines() if line.startswith("| ")]
CALLS = [(labels, call.strip("`")) for labels, _, call in ROWS if labels != "label"]
COMMAND = "python -m paper --only "


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """Return what the lines above the table define."""
    found: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(PAGE):
        exec(example.source, found)
    return found


def test_every_label_of_the_paper_has_a_row() -> None:
    rows = {label for labels, _ in CALLS for label in labels.split(", ")}
    labels = set(json.loads((ROOT / "paper" / "printed.json").read_text(encoding="utf-8"))["labels"])
    assert sorted(labels - rows) == []
    assert sorted(rows - labels) == []


@pytest.mark.slow
@for_each("call", [call for _, call in CALLS if not call.startswith(COMMAND)])
def test_the_call_of_a_row_runs(call: str, names: dict[str, Any]) -> None:
    found = eval(call, names)
    assert found is not None
    assert found is not False  # a statement is true
    assert repr(found)


@pytest.mark.slow
def test_the_experiments_of_the_table_exist() -> None:
    named = {call.removeprefix(COMMAND) for _, call in CALLS if call.startswith(COMMAND)}
    assert len(named) > 5
    assert named <= {one.label for one in experiments()}
