"""Few clusters: exact tests of every score by swapping whole clusters, and notes on intervals."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

import indicatrix as ix

MEASURES = ["accuracy", "f1", "macro f1", "mcc", "multiclass_kappa", "tp*tn/(tp+fn+fp)", "exemplar jaccard"]


def examples(clusters: int, seed: int = 0) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(clusters), 20)
    y = rng.integers(0, 2, len(group))
    a, b = (np.where(rng.random(len(y)) < p, y, 1 - y) for p in (0.9, 0.7))
    return y, a, b, group


@pytest.mark.parametrize("measure", MEASURES)
def test_the_p_value_lists_every_way_to_swap_clusters(measure: str) -> None:
    y, a, b, group = examples(6)
    (found,) = ix.compare(y, {"a": a, "b": b}, measure, clusters=group).differences
    differences = []
    for ways in product((False, True), repeat=6):
        swapped = np.array(ways)[group]
        one, other = (ix.evaluate(y, np.where(swapped, *pair)) for pair in ((b, a), (a, b)))
        differences.append(float(one.score(measure)) - float(other.score(measure)))
    expected = np.mean(np.abs(differences) >= abs(differences[0]) - 1e-9)
    assert found.method == "permutation"
    assert found.p == pytest.approx(expected)
    assert re.match(
        r"The two differ in [56] clusters, fewer than 10, so p is that of an exact test, which gives p = ", found.note
    )


@pytest.mark.parametrize("clusters", [4, 9, 20])
def test_all_scores_have_the_same_kind_of_test(clusters: int) -> None:
    y, a, b, group = examples(clusters)
    found = [ix.compare(y, {"a": a, "b": b}, measure, clusters=group).differences[0].method for measure in MEASURES]
    assert {*found} == {"permutation" if clusters < 10 else "delta"}


def test_clusters_in_which_both_are_alike_do_not_count() -> None:
    y, a, b, group = examples(30)
    b = np.where(group < 3, b, a)
    for measure in MEASURES:
        (found,) = ix.compare(y, {"a": a, "b": b}, measure, clusters=group).differences
        assert found.method == "permutation"
        assert found.p >= 0.25


def test_scaled_weights_do_not_stop_the_test() -> None:
    y, a, b, group = examples(6)
    weights = np.random.default_rng(1).random(len(y))
    for measure in ("f1", "macro f1", "mcc"):
        (found,) = ix.compare(y, {"a": a, "b": b}, measure, clusters=group, sample_weight=weights).differences
        assert found.method == "permutation"
        assert 1 / 32 <= found.p < 1


def test_one_cluster_says_that_there_is_no_test() -> None:
    y, a, b, group = examples(1)
    text = str(ix.compare(y, {"a": a, "b": b}, "accuracy", clusters=group))
    assert "no difference has a test here" in text
    assert "tests them" not in text
    assert "level=0.95 tests them" in str(ix.compare({"a": ix.evaluate(y, a), "b": ix.evaluate(y, b)}, "accuracy"))


@pytest.mark.parametrize(("clusters", "words"), [(2, "no interval is reliable"), (9, "fewer than 10"), (10, "")])
def test_intervals_of_few_clusters_say_so(clusters: int, words: str) -> None:
    y, a, _, group = examples(clusters)
    ev = ix.evaluate(y, a, by={"patient": group})
    for measure in MEASURES:
        found = ev.interval(measure, clusters="patient")
        assert (f"There are {clusters} clusters" in found.note) == bool(words)
        assert words in found.warning
