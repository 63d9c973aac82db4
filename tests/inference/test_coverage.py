"""A small version of ``python -m benchmarks.coverage``, and what its published cells must say."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from benchmarks.coverage.populations import Population
from benchmarks.coverage.results import append, read, summary, table, todo
from benchmarks.coverage.simulation import WITHIN, Set, sets, simulate

SAMPLES = 100
NOISE = 3 * math.sqrt(0.05 * 0.95 / SAMPLES)  # standard errors of a share of 0.95
EASY = [
    Set(Population("one class", 3, 0.5, 0.2), 1000),
    Set(Population("several labels", 3, 0.5, 0.2), 1000),
    Set(Population("scores", 2, 0.5, 0.75), 1000),
    Set(Population("clusters", 2, 0.5, 0.2), 2000),
    Set(Population("weights", 2, 0.5, 0.2), 1000),
    Set(Population("raters", 3, 0.5, 0.2), 100),
]


@pytest.mark.slow
@pytest.mark.parametrize("some", EASY, ids=lambda some: some.population.kind)
def test_default_intervals_cover_where_there_are_many_examples(some: Set) -> None:
    for cell in simulate(some, SAMPLES, compared=0, seed=3):
        assert WITHIN[0] - NOISE < cell.coverage <= 1, cell


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    file, some = tmp_path / "cells.csv", Set(Population("one class", 2, 0.5, 0.2), 30)
    assert todo(sets(), read(file)) == [*sets()]
    cells = simulate(some, 3, compared=1)
    append(file, cells)
    assert [cell.as_row() for cell in read(file)] == [cell.as_row() for cell in cells]
    assert some not in todo(sets(), read(file))
    assert len(todo(sets(), read(file))) == len([*sets()]) - 1


def test_the_same_seed_gives_the_same_cells() -> None:
    some = Set(Population("one class", 2, 0.1, 0.2), 30)
    assert simulate(some, 5, 2, seed=1) == simulate(some, 5, 2, seed=1) != simulate(some, 5, 2, seed=2)


def test_tables_name_every_score(tmp_path: Path) -> None:
    cells = simulate(Set(Population("one class", 2, 0.5, 0.2), 100), 5, 2)
    assert all(f"one class: {cell.score} |" in table(cells) for cell in cells)
    assert f"{len(cells)} cells" in summary(cells)
