"""The table of settings: every row of the paper's has a test of its name, a level, limits, and an example that runs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from loops import for_each

from indicatrix.settings.paper_settings import SETTINGS

# The paper's table, by its caption tab:settings.
LEVELS = {
    "Soft classifier outputs": "derived",
    "Soft/uncertain ground truth": "derived",
    "Cost-sensitive evaluation": "derived",
    "Ordinal classification": "derived",
    "Partial and missing labels": "derived",
    "Segmentation metrics": "derived",
    "Abstaining classifiers": "accommodated",
    "Open-set recognition": "accommodated",
    "Single-class classification": "accommodated",
    "One-vs-all decomposition": "accommodated",
    "Hierarchical classification": "accommodated",
    "Multi-output classification": "accommodated",
    "One-vs-one decomposition": "partial",
    "Positive-unlabeled learning": "partial",
    "Multi-instance learning": "partial",
    "Label ranking": "boundary",
    "Proper scoring rules": "boundary",
    "Structured output prediction": "boundary",
    "Resampling folds": "derived",
}


def test_the_rows_and_levels_are_the_papers():
    ours = {s.row: s.level for s in SETTINGS.values() if not s.row.startswith("(")}  # ours stand in parentheses
    assert ours == LEVELS
    assert list(ours) == list(LEVELS)


@for_each("row", LEVELS)
def test_every_row_has_a_test_of_its_name(row):
    name = "test_" + re.sub(r"[^a-z]+", "_", row.lower())
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert f"def {name}(" in tests


def test_proper_scoring_rules():
    """The boundary: two probability matrices with the same decisions, and so the same counts, have different Brier scores."""
    y = np.eye(2)
    sure, unsure = np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[0.6, 0.4], [0.4, 0.6]])
    assert (sure.argmax(axis=1) == unsure.argmax(axis=1)).all()
    assert ((y - sure) ** 2).mean() != ((y - unsure) ** 2).mean()
    assert SETTINGS["proper_scores"].level == "boundary"
