"""Every row of docs/project/coming-from.md: both sides on random data, and each convention it names is needed."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from loops import for_each
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

import indicatrix as ix
import indicatrix.sklearn as drop_ins

pytestmark = pytest.mark.filterwarnings("ignore")  # the other libraries warn about undefined values

OPTIONS = re.compile(r"^\| option of .*?\n\n", re.MULTILINE | re.DOTALL)  # test_torchmetrics_cross.py compares these
PAGE = OPTIONS.sub("", (Path(__file__).parents[2] / "docs" / "project" / "coming-from.md").read_text("utf-8"))
SECTIONS = {text.split("\n")[0]: text for text in PAGE.split("\n## ")[1:]}
ROW = re.compile(r"^\| `(.+?)` \| `(.+?)` \| (.*?) ?\|$", re.MULTILINE)
ROWS = [(name, *(cell.replace(r"\|", "|") for cell in row)) for name, text in SECTIONS.items() for row in ROW.findall(text)]
COMPUTED = [row[:3] for row in ROWS if row[0] != "yardstick"]
DOCUMENTED = [row[1:] for row in ROWS if row[0] == "yardstick"]
CONVENTION = re.compile(r', undefined=(?:\d|ix\.dialect\("[\w-]+"\))')
SEEDS = range(6)
# What a metric of evaluate calls, after its source: it passes its arguments on.
WRAPPED = {
    "accuracy": metrics.accuracy_score,
    "confusion_matrix": metrics.confusion_matrix,
    "f1": metrics.f1_score,
    "matthews_correlation": metrics.matthews_corrcoef,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "roc_auc": metrics.roc_auc_score,
}


def draw(seed: int) -> dict[str, np.ndarray]:
    """Return data by the names that the page explains, with ties, absent classes, and rows without a label."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 80))
    y, z = rng.choice([0, 1, 2, 3], n), rng.choice([0, 1, 2, 4], n)  # 3 is never predicted, 4 never true, 5 absent
    y[:4] = z[:4] = [0, 1, 2, 0]
    every = np.array(np.meshgrid(np.arange(4), np.arange(4))).reshape(2, -1)
    r, s = np.c_[every, rng.integers(0, 4, (2, n - 16))]
    b = rng.integers(0, 2, n)
    c, g = np.where(rng.random(n) < 0.7, b, 1 - b), rng.integers(0, 2, n)
    b[:8], c[:8], g[:8] = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1)
    bits, marks = rng.integers(0, 2, (2, n, 4))
    bits[:, 3] = marks[:, 3] = 0
    bits[0] = marks[0] = 0
    scores, gains = rng.random((n, 4)), rng.integers(0, 3, (n, 4))
    gains[1] = 0
    p = np.round(rng.random(n), 1)
    p[:6] = 0.5
    return {
        "y": y,
        "z": z,
        "r": r,
        "s": s,
        "b": b,
        "c": c,
        "g": g,
        "p": p,
        "w": rng.uniform(0.5, 2, n),
        "Y": bits,
        "Z": marks,
        "S": scores,
        "G": gains,
        "P": (1 + rng.multinomial(6, np.full(4, 0.25), n)) / 10,
    }


def load(name: str, _config: str = "") -> Any:
    """Return what stands for a metric of evaluate, which would be downloaded."""

    def compute(references: Any, predictions: Any = None, prediction_scores: Any = None, **options: Any) -> dict[str, Any]:
        given = predictions if prediction_scores is None else prediction_scores
        return {name: WRAPPED[name](references, given, **options)}

    return SimpleNamespace(compute=compute)


def sides(section: str, *expressions: str, seed: int) -> list[np.ndarray]:
    """Return the values of expressions of a section on the same data."""
    module = re.search(r"unctions of\s+`([\w.]+)`", SECTIONS[section])
    names = vars(pytest.importorskip(module[1])) if module else {"load": load}
    data: dict[str, Any] = draw(seed)
    if section == "torchmetrics":
        import torch

        data = {name: torch.tensor(value) for name, value in data.items()}
    return [numbers(eval(text, {**names, **data, "ix": ix, "np": np})) for text in expressions]


def numbers(value: Any) -> np.ndarray:
    """Return a result of any library as an array of floats; PyCM writes nan as "None"."""
    if isinstance(value, dict):
        value = list(value.values())
    value = np.asarray(value, dtype=object)
    return np.where(value == "None", np.nan, value).astype(float)


def same(ours: np.ndarray, theirs: np.ndarray, exact: bool) -> bool:
    tolerance = 1e-10 if exact else 2e-6  # torchmetrics computes in float32, PyCM in float64
    return ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)


def test_every_line_of_a_table_is_read() -> None:
    lines = [line for line in PAGE.split("\n") if line.startswith("|") and not line.startswith("|---")]
    assert len(lines) == len(ROWS) + len({row[0] for row in ROWS})
    assert list(dict.fromkeys(row[0] for row in ROWS)) == list(SECTIONS)[1:]


def test_every_drop_in_has_an_equivalent() -> None:
    functions = [name for name in drop_ins.__all__ if hasattr(metrics, name) and name.islower()]
    assert len(functions) > 30
    assert not [name for name in functions if f"`{name}(" not in SECTIONS["scikit-learn"]]


@for_each(("section", "theirs", "ours"), COMPUTED)
def test_both_sides_of_a_row_are_equal(section: str, theirs: str, ours: str) -> None:
    for seed in SEEDS:
        expected, found = sides(section, theirs, ours, seed=seed)
        assert same(found, expected, section != "torchmetrics"), (found, expected)


@for_each(("section", "ours"), [(row[0], row[2]) for row in COMPUTED if "undefined=" in row[2]])
def test_a_convention_in_a_row_is_needed(section: str, ours: str) -> None:
    plain = CONVENTION.sub("", ours)
    assert "undefined" not in plain
    assert any(not same(*sides(section, ours, plain, seed=seed), exact=True) for seed in SEEDS)


@for_each(("theirs", "ours", "value"), DOCUMENTED)
def test_the_documented_numbers_of_yardstick(theirs: str, ours: str, value: str) -> None:
    names: dict[str, Any] = {"ix": ix}
    for example in doctest.DocTestParser().get_examples(SECTIONS["yardstick"]):
        exec(example.source, names)
    assert f"{eval(ours, names):.3f}" == value


def test_scorers() -> None:
    x, y = np.random.default_rng(5).normal(size=(200, 3)), np.random.default_rng(6).integers(0, 3, 200)
    scorers = [metrics.make_scorer(f, average="macro") for f in (ix.f1, metrics.f1_score)]
    found, expected = (cross_val_score(LogisticRegression(), x, y, scoring=scorer) for scorer in scorers)
    assert found == pytest.approx(expected, abs=1e-12)
