"""A saved comparison is loaded with the same scores, intervals, differences and counts, and no raw rows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.compare.saved_comparison import score_in, score_out
from indicatrix.storage.formats import load_as

N = 90
RNG = np.random.default_rng(3)
Y = RNG.integers(0, 3, N)
A, B = (np.where(RNG.random(N) < share, Y, RNG.integers(0, 3, N)) for share in (0.7, 0.4))
P, Q = (np.clip(np.eye(3)[Y] * 0.4 + RNG.dirichlet([1] * 3, N), 0.01, None) for _ in range(2))
P, Q = (x / x.sum(axis=1, keepdims=True) for x in (P, Q))
SITE = RNG.choice(["x", "y"], N)
TABLE = RNG.integers(0, 2, (N, 3))
TWO = {"a": A, "b": B}
MADE: dict[str, Callable[[], ix.Comparison]] = {
    "labels": lambda: ix.compare(Y, TWO, ["f1", "mcc"], ["micro", "macro"]),
    "defaults": lambda: ix.compare(Y, TWO),
    "three classifiers": lambda: ix.compare(Y, {**TWO, "c": Y}, "f1", "macro", baseline="c", margin=0.05),
    "groups": lambda: ix.compare(Y, TWO, ["recall", "exact_match"], by={"site": SITE}),
    "within groups": lambda: ix.compare(
        {n: ix.evaluate(Y, z, by={"site": SITE}) for n, z in TWO.items()}, "recall", [("site", "macro"), "exemplar"]
    ),
    "matrix": lambda: ix.compare(Y, TWO, ["multiclass_kappa", "f1"], "macro"),
    "own formula": lambda: ix.compare(Y, TWO, "(2*tp + tn) / (2*tp + tn + fp + 3*fn)", "macro"),
    "undefined": lambda: ix.compare(Y, {"a": np.zeros(N, int), "b": A}, "precision", "macro"),
    "a convention": lambda: ix.compare(
        Y, {"a": np.zeros(N, int), "b": A}, "precision", "macro", undefined=ix.types.Convention(otherwise=0)
    ),
    "areas": lambda: ix.compare(Y, {"a": P, "b": Q}, ["auc", "f1"], "macro", decide="argmax"),
    "areas and losses": lambda: ix.compare(Y, {"a": P, "b": Q}, decide="argmax"),
    "losses alone": lambda: ix.compare(Y, {"a": P, "b": Q}, ["brier", "log_loss"]),
    "areas alone": lambda: ix.compare(Y, {"a": P, "b": Q}, "auc", ["macro", "exemplar"]),
    "evaluations": lambda: ix.compare({n: ix.evaluate(Y, z) for n, z in TWO.items()}),
    "evaluations tested": lambda: ix.compare({n: ix.evaluate(Y, z) for n, z in TWO.items()}, "f1", "macro", level=0.9),
    "label matrices": lambda: ix.compare(TABLE, {"a": TABLE[::-1], "b": TABLE}, ["f1", "hamming_loss"], ["macro", "exemplar"]),
    "unknown classes": lambda: ix.compare(
        [ix.evaluate(["a", "b"], ["a", "a"]), ix.evaluate(["a", "c"], ["a", "c"])], "f1", "macro"
    ),
}


def saved(made: ix.Comparison, folder: Path) -> ix.Comparison:
    made.save(folder / "both.json")
    return ix.load(folder / "both.json")


def test_a_measure_of_the_matrix_loads_under_its_former_average() -> None:
    score = next(value for row in MADE["matrix"]().rows for value in row.values if value.measure.name == "multiclass_kappa")
    assert score.average is None
    former = {**score_out(score), "average": "matrix"}
    assert (score_in(former), score_in(former).average) == (score, None)


def same(one: Any, other: Any) -> bool:
    """Return whether two numbers, or two columns of a dictionary, are equal, nan to nan."""
    if isinstance(one, dict):
        return [*one] == [*other] and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize("kind", MADE)
def test_everything_that_is_shown_is_the_same(kind: str, tmp_path: Path) -> None:
    made = MADE[kind]()
    again = saved(made, tmp_path)
    assert again == made == MADE[kind]()
    assert again != MADE["labels" if kind != "labels" else "matrix"]()
    assert str(again) == str(made)
    assert again.markdown() == made.markdown()
    assert again.html() == made.html()
    assert same(again.to_dict(), made.to_dict())
    assert again.names == made.names
    assert same([vars(d) for d in again.differences], [vars(d) for d in made.differences])
    assert again.evaluations == made.evaluations
    for row, other in zip(made.rows, again.rows, strict=True):
        assert [type(v) for v in row.values] == [type(v) for v in other.values]
        assert (row.best, row.better, row.name) == (other.best, other.better, other.name)
        assert same(row.ranks, other.ranks)
        for undefined in ("exclude", 0, 1, "nan"):
            if not any(isinstance(v.undefined, ix.types.Convention) for v in row.values):
                assert same(row.values_under(undefined), other.values_under(undefined))
    assert str(again.agreement()) == str(made.agreement())
    assert str(again.sensitivity()) == str(made.sensitivity())


def test_what_needs_the_counts_works_as_before(tmp_path: Path) -> None:
    made = MADE["labels"]()
    again = saved(made, tmp_path)
    assert again.joint == made.joint
    assert again.probability("macro f1", "a", "b") == made.probability("macro f1", "a", "b")
    assert str(again.pareto()) == str(made.pareto())
    assert again.to_html() == made.to_html()


def test_a_second_file_is_equal_to_the_first(tmp_path: Path) -> None:
    MADE["groups"]().save(tmp_path / "one.json")
    ix.load(tmp_path / "one.json").save(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_no_raw_rows_are_in_the_file(tmp_path: Path) -> None:
    sizes = []
    for n in (1000, 8000):
        y = np.arange(n) % 2
        scores = {name: RNG.random(n) for name in "ab"}
        ix.compare(y, scores, ["auc", "f1"], decide=0.5).save(tmp_path / "both.json")
        sizes.append((tmp_path / "both.json").stat().st_size)
    assert sizes[1] < 1.2 * sizes[0]


def test_a_measure_of_ones_own_must_be_known(tmp_path: Path) -> None:
    mine = ix.measure("tp / (tp + 2*fp + fn)", name="of_this_test_alone")
    try:
        of_mine = ix.compare(Y, TWO, mine, "macro")
        of_mine.save(tmp_path / "both.json")
        assert str(ix.load(tmp_path / "both.json")) == str(of_mine)
    finally:
        ix.algebra.MEASURES.pop("of_this_test_alone")
    with pytest.raises(ValueError, match=r"'of_this_test_alone', which is not known here; define it first"):
        ix.load(tmp_path / "both.json")


@pytest.mark.parametrize("change", ["rows", "names", "joint", "differences"])
def test_a_damaged_file_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "both.json"
    MADE["labels"]().save(path)
    data = json.loads(path.read_text("utf-8"))
    data[change] = []
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValueError, match="damaged or was edited"):
        ix.load(path)


def test_other_files_are_refused_by_name(tmp_path: Path) -> None:
    ix.evaluate(Y, A).save(tmp_path / "one.json")
    with pytest.raises(ValueError, match="not a saved comparison: it is a file of 'indicatrix evaluation'"):
        load_as("Comparison", tmp_path / "one.json")
