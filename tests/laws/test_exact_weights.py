"""Integer weights above 2**53, which floats round, are counted exactly; where only floats are possible, they are refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.tally.counting.literal_counting import Examples

HUGE = [2**53 + 1, 1, 3]
CONTAINERS = {
    "list": list,
    "int64": np.array,
    "uint64": lambda w: np.array(w, np.uint64),
    "object": lambda w: np.array(w, object),
    "pandas": pd.Series,
}
PROBLEMS = {
    "binary": ([0, 1, 1], [0, 1, 0]),
    "labels": (["a", "b", "a"], ["a", "b", "b"]),
    "sets": ([{1}, {2}, {1, 2}], [{1}, {1}, {2}]),
    "matrix": (np.array([[0, 1], [1, 1], [0, 0]]), np.array([[0, 1], [1, 0], [0, 0]])),
}


def expected(y: Any, z: Any) -> Fraction:
    """Label accuracy by its definition: every example is evaluated alone."""
    classes = ix.evaluate(y, z).classes
    alone = [ix.evaluate(y[i : i + 1], z[i : i + 1], classes=classes).aggregate(()) for i in range(3)]
    right, every = ([w * f(v) for w, v in zip(HUGE, alone, strict=True)] for f in (lambda v: v.tp + v.tn, lambda v: v.n))
    return Fraction(int(sum(right)), int(sum(every)))


@pytest.mark.parametrize("by", [None, {"site": [1, 1, 2]}], ids=["whole", "groups"])
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_counts_scores_files_and_merges_are_exact(container: str, problem: str, by: Any, tmp_path: Path) -> None:
    y, z = PROBLEMS[problem]
    ev = ix.evaluate(y, z, sample_weight=CONTAINERS[container](HUGE), by=by)
    assert ev.exact("accuracy", "micro") == expected(y, z)
    pooled = ev.aggregate(())
    assert Fraction(pooled.tp + pooled.tn, pooled.n) == expected(y, z)
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ev
    parts = [
        ix.evaluate(
            y[i : i + 1],
            z[i : i + 1],
            sample_weight=HUGE[i : i + 1],
            classes=ev.classes,
            by=by and {"site": by["site"][i : i + 1]},
        )
        for i in range(3)
    ]
    assert sum(parts[1:], parts[0]).exact("accuracy", "micro") == expected(y, z)


def test_groups_have_exact_scores() -> None:
    ev = ix.evaluate(["a", "b", "a"], ["a", "b", "b"], sample_weight=HUGE, by={"site": [1, 1, 1]})
    assert ev.exact("accuracy", "site") == Fraction(2**53 + 2, 2**53 + 5)


@pytest.mark.parametrize(
    "call",
    [
        lambda w: ix.sweep([0, 1], [0.1, 0.2], sample_weight=w),
        lambda w: ix.auc([0, 1], [0.1, 0.2], sample_weight=w),
        lambda w: ix.brier([0, 1], [0.1, 0.2], sample_weight=w),
        lambda w: ix.cells([0, 1], [0, 1], sample_weight=w),
    ],
)
def test_where_weights_are_floats_such_integers_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match=r"^sample_weight\[1\] = 9007199254740993: floats round integers above 2\*\*53"):
        call([1, 2**53 + 1])
    call([1, 2**53])  # a float holds it


@pytest.mark.usefixtures("kernels")
@for_each("sizes", ["alike", "whole", "signed", "huge", "tiny", "apart", "zero"])
@for_each("n", [0, 1, 3000])
def test_sums_of_weights_are_exact_whatever_their_sizes(sizes: str, n: int) -> None:
    from indicatrix.tally.kernels.kernels import exact_bincount

    rng = np.random.default_rng(n)
    ids, w = rng.integers(0, 7, n), rng.random(n)
    scale = {"huge": 2.0**900, "tiny": 2.0**-1060, "apart": 2.0 ** rng.integers(-300, 300, n), "zero": 0.0}
    w = rng.integers(0, 50, n) * 1.0 if sizes == "whole" else w - 0.5 if sizes == "signed" else w * scale.get(sizes, 1.0)
    expected = [sum(map(Fraction, w[ids == k].tolist()), Fraction(0)) for k in range(9)]
    assert exact_bincount(ids, w, 9).tolist() == expected


@pytest.mark.usefixtures("kernels")
@for_each("sizes", ["alike", "whole", "signed", "apart"])
@for_each("shape", [(1, 1), (7, 3), (300, 14), (40, 70)])
def test_weighted_matrices_have_the_counts_of_their_literal_cells(sizes: str, shape: tuple[int, int]) -> None:
    from indicatrix.tally.counting.literal_counting import count_literally

    rng = np.random.default_rng(shape)
    n = shape[0]
    w = {"whole": rng.integers(0, 3, n) * 1.0, "apart": rng.random(n) * 2.0 ** rng.integers(-90, 90, n)}.get(sizes, rng.random(n))
    w = w - 0.5 if sizes == "signed" else w
    y, z = rng.integers(0, 2, (2, *shape), np.uint8)
    fast = ix.evaluate(y, z, sample_weight=w, signed_weights=True).tally.pooled
    classes = tuple(range(shape[1]))
    assert fast == count_literally(Examples(ix.types.Indicator(y, classes), ix.types.Indicator(z, classes), times=w))
