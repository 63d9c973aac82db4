"""Samples of simulations: the same ones, whatever is drawn with them and by how many processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.draws import TOGETHER, arguments, generator, samples


def drawn(cell: Any, number: int) -> tuple[float, float]:
    rng = generator(cell, number)
    return rng.random(), rng.normal()


def test_processes_cells_and_draws_change_no_sample() -> None:
    """In a process of its own: libraries that other tests load have threads, with which a process must not be forked."""
    subprocess.run([sys.executable, __file__], check=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])})


def compare_samples() -> None:
    cells, draws = ["a", ("b", 0.1)], 2 * TOGETHER + 3
    whole = dict(samples(drawn, cells, draws))
    assert all(found.shape == (draws, 2) and len(np.unique(found)) == 2 * draws for found in whole.values())
    for part in (samples(drawn, cells, draws, processes=2), samples(drawn, cells[1:], draws), samples(drawn, cells, 7)):
        for cell, found in part:
            assert np.array_equal(found, whole[cell][: len(found)])


def test_parts_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["x", "two", "--draws", "5"])
    given = arguments("x", None, ["one", "two"])
    assert (given.parts, given.draws, given.processes) == (["two"], 5, 1)
    for words in (["three"], ["--draws", "0"]):
        monkeypatch.setattr("sys.argv", ["x", *words])
        with pytest.raises(SystemExit):
            arguments("x", None, ["one", "two"])
    assert "the parts are 'one', 'two'" in capsys.readouterr().err


if __name__ == "__main__":
    compare_samples()
