"""The report shows the confusion matrix of a few classes: aligned, named, the same numbers as ev.confusion."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_notebook import shown

import indicatrix as ix
from indicatrix.report.grid import width
from indicatrix.report.text import MATRIX_WIDTH, MOST, TITLE, ConfusionTable


def lines_of(ev: ix.Evaluation) -> list[str]:
    """Return the lines of the matrix in the report."""
    lines = str(ev).splitlines()
    start = lines.index(TITLE) + 1
    return lines[start : start + len(ev.classes) + 1]


@pytest.mark.parametrize("m", [2, 3, 11, MOST])
@pytest.mark.parametrize("weighted", [False, True])
def test_up_to_twelve_classes_are_shown(m: int, weighted: bool) -> None:
    rng = np.random.default_rng(m)
    y, z = rng.integers(0, m, 500), rng.integers(0, m, 500)
    ev = ix.evaluate(y, z, **({"sample_weight": rng.integers(1, 9, 500) / 4} if weighted else {}))
    head, *rows = lines_of(ev)
    assert head.split() == [str(c) for c in ev.classes]
    for row, name, counts in zip(rows, ev.classes, ev.confusion, strict=True):
        first, *cells = row.split()
        assert first == str(name)
        assert [float(x.replace(",", "")) for x in cells] == [pytest.approx(float(x), abs=1e-3) for x in counts]
    assert len({len(row) for row in rows}) == 1
    assert TITLE.rstrip(":") in shown(ev)


def test_more_classes_are_not_shown() -> None:
    y = np.arange(MOST + 1)
    assert TITLE not in str(ix.evaluate(y, y))
    assert "Confusion matrix" not in shown(ix.evaluate(y, y))


@pytest.mark.parametrize("labels", [([{"a"}, {"b"}], [{"a"}, {"a", "b"}]), (["a", "a"], ["a", "a"])], ids=["sets", "one class"])
def test_what_has_no_matrix_shows_none(labels: Any) -> None:
    assert "Confusion matrix" not in str(ix.evaluate(*labels))


def test_examples_that_are_not_in_it_are_mentioned() -> None:
    ev = ix.evaluate(["a", "b", "b"], ["a", None, "b"], missing="abstain")
    assert "Examples without a class on one side are not in it." in str(ev)
    assert "Examples without a class on one side are not in it." in shown(ev)
    assert "not in it" not in str(ev.answered())


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60), min_size=2, max_size=MOST, unique=True
    )
)
def test_names_stay_apart_and_lines_stay_short(names: list[str]) -> None:
    m = len(names)
    table = ConfusionTable(names, [[i * m + j for j in range(m)] for i in range(m)])
    _, *lines = table.lines()
    assert max(map(width, lines)) <= MATRIX_WIDTH + 2 * m
    numbers = [[int(x) for x in re.findall(r"\d+$|(?<= )\d+(?= )", row)][-m:] for row in lines[1:]]
    assert numbers == [list(row) for row in table.rows]
    down, across = table._names()
    assert len({*down}) == len({*across}) == m


def test_long_names_of_many_classes_are_numbers_in_the_columns() -> None:
    names = [f"a very long name of the class {i}" for i in range(12)]
    _, head, first, *_ = ConfusionTable(names, np.eye(12, dtype=int).tolist()).lines()
    assert head.split() == [str(i) for i in range(1, 13)]
    assert first.startswith(" 1 a very long")


def test_long_names_of_classes_and_groups_stay_apart_everywhere() -> None:
    names = [f"the same long start of all names, number {i}, the same long end of all" for i in range(5)]
    y = [*names, *names[::-1]]
    ev = ix.evaluate(y, [*names, *names], by={"site": y})
    lines = str(ev).splitlines()
    for i in range(5):
        assert sum(f"…{i}…" in line.split("  ")[0] for line in lines) >= 3  # its class, its group, its row of the matrix
        assert shown(ev).count(f"…{i}…") >= 3
