"""PyCM's statistics of the whole matrix: each is equal here, differs for a stated reason, or has a reason to be absent."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pycm = pytest.importorskip("pycm")

ROOT = Path(__file__).parents[2]
AUDIT = runpy.run_path(str(ROOT / "docs" / "write_pycm.py"))


def test_every_statistic_is_listed_once():
    from pycm.params import OVERALL_PARAMS

    listed = [*AUDIT["OVERALL"], *AUDIT["WORDS"], *AUDIT["OTHERWISE"]]
    assert sorted(listed) == sorted(OVERALL_PARAMS)


@pytest.mark.slow
def test_values_and_words_are_those_of_pycm_on_random_matrices():
    assert AUDIT["check"](25, seed=1) == []


def test_the_check_would_see_a_difference():
    table, rows = AUDIT["np"].array([[3, 1], [2, 4]]), {0: {0: 3, 1: 1}, 1: {0: 2, 1: 4}}
    wrong = {**pycm.ConfusionMatrix(matrix=rows).overall_stat, "Kappa": 0.99, "SOA2(Fleiss)": "Excellent"}
    assert [text.partition(":")[0] for text in AUDIT["differences"](table, wrong)] == ["Kappa", "SOA2(Fleiss)"]
    wrong = {**pycm.ConfusionMatrix(matrix=rows).class_stat, "TPR": {0: 0.75, 1: 0.5}, "MCCI": {0: "Weak", 1: "Strong"}}
    found = [text.partition(":")[0] for text in AUDIT["class_differences"](table, wrong)]
    assert found == ["TPR of class 1", "MCCI of class 1"]


def test_the_page_is_up_to_date():
    assert (ROOT / "docs" / "project" / "pycm.md").read_text(encoding="utf-8") == AUDIT["page"]()
