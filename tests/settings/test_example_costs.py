"""Costs of single examples, and a cost matrix on memberships: both are cells that count another amount (sec:cost)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix

laws = examples(20)


@st.composite
def priced(draw):
    """Draw two label vectors and a cost for each example."""
    n, m = draw(st.integers(1, 9)), draw(st.integers(2, 4))
    y, z = (draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n)) for _ in range(2))
    return y, z, [k / 4 for k in draw(st.lists(st.integers(0, 36), min_size=n, max_size=n))], range(m)


@laws
@given(priced())
def test_an_error_counts_what_its_example_costs(problem):
    y, z, costs, classes = problem
    wrong = [c if a != b else 0 for a, b, c in zip(y, z, costs, strict=True)]
    ev = ix.evaluate(y, z, cost=ix.tasks.example_costs(costs), classes=classes)
    for cell, side in (("fn", y), ("fp", z)):
        expected = [float(sum(c for c, k in zip(wrong, side, strict=True) if k == j)) for j in classes]
        assert getattr(ev.aggregate("class"), cell).tolist() == expected
    assert ix.cost(y, z, ix.tasks.example_costs(costs), average="total", classes=classes) == float(sum(wrong))
    assert ix.cost(y, z, ix.tasks.example_costs(costs), classes=classes) == float(Fraction(sum(wrong)) / len(y))
    macro = ix.cost(y, z, ix.tasks.example_costs(costs), average="macro", classes=classes).values
    for j in set(y):
        own = [c for c, k in zip(wrong, y, strict=True) if k == j]
        assert macro[j] == float(Fraction(sum(own)) / len(own))


def test_batches_groups_masks_weights_and_files_keep_the_costs_of_examples(tmp_path):
    y, z, c = [0, 1, 2, 1, 0, 2], [0, 2, 2, 0, 1, 1], np.array([1.5, 2, 0.25, 4, 8, 16])
    whole = ix.evaluate(y, z, cost=ix.tasks.example_costs(c), classes=range(3), by={"site": list("xyxyxy")})
    one, two = (
        ix.evaluate(y[s], z[s], cost=ix.tasks.example_costs(c[s]), classes=range(3), by={"site": list("xyxyxy")[s]})
        for s in (slice(0, 2), slice(2, 6))
    )
    assert one + two == whole
    whole.save(tmp_path / "costs.json")
    assert ix.load(tmp_path / "costs.json") == whole
    assert whole.aggregate("site").fn.tolist() == [8.0, 22.0]
    seen = ix.evaluate(y, z, cost=ix.tasks.example_costs(c), mask=[1, 0, 1, 1, 0, 1])
    assert seen.aggregate() == ix.evaluate([0, 2, 1, 2], [0, 2, 0, 1], cost=ix.tasks.example_costs(c[[0, 2, 3, 5]])).aggregate()
    gaps = ix.evaluate([0, None, 2, 1, None, 2], z, missing="mask", cost=ix.tasks.example_costs(c))
    assert gaps.aggregate() == seen.aggregate()
    assert ix.evaluate(y, z, cost=ix.tasks.example_costs(c), sample_weight=[2] * 6).aggregate().fp == 2 * whole.aggregate().fp
    assert ix.cost(y, z, ix.tasks.example_costs(c), sample_weight=[2] * 6, average="total") == 60
    assert ix.cost(y, z, ix.tasks.example_costs(c), by={"site": list("xyxyxy")}, average="site").values.tolist() == [
        8 / 3,
        22 / 3,
    ]
    assert ix.tasks.per_example("fnr", y, z, cost=ix.tasks.example_costs(c)).tolist() == [0, 1, 0, 1, 1, 1]


def test_a_miss_and_a_false_alarm_may_cost_different_amounts():
    costs = ix.tasks.example_costs(fp=[1, 2, 3, 4], fn=[10, 20, 30, 40])
    assert ix.cost([1, 0, 1, 0], [0, 1, 1, 0], costs, average="total") == 12  # 10 for the first, 2 for the second
    assert ix.tasks.cost_per_example([1, 0, 1, 0], [0, 1, 1, 0], costs).tolist() == [10, 2, 0, 0]
    assert ix.cost([1, 0, 1, 0], [0, 1, 1, 0], costs, positive=0, average="total") == 21
    several = ix.evaluate([{"a"}, {"a", "b"}], [{"b"}, {"a"}], cost=ix.tasks.example_costs(fp=[1, 2], fn=[10, 20]))
    assert several.aggregate("class").fn.tolist() == [10, 20]
    targets = {"u": [0, 1], "v": [1, 1]}
    both = ix.evaluate(targets, {"u": [1, 1], "v": [0, 1]}, targets=True, cost=ix.tasks.example_costs([3, 5]))
    assert both.aggregate("target").fn.tolist() == [3, 3]
    curve = ix.tasks.risk_coverage(
        [0, 1, 1], [1, 1, 1], [0.9, 0.8, 0.7], cost=ix.tasks.example_costs([4, 1, 1]), mask=[True, True, False]
    )
    assert curve.risk.tolist()[-1] == 4 / 5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.tasks.example_costs(fp=1, fn=2), "ix.tasks.label_costs"),
        (lambda: ix.tasks.example_costs(fp=[1], fn=[1, 2]), "different numbers of examples"),
        (lambda: ix.tasks.example_costs([[1, 2]]), "one for each example"),
        (lambda: ix.tasks.example_costs([-1.0]), "0 or more"),
        (lambda: ix.evaluate([0, 1], [1, 1], cost=ix.tasks.example_costs([1, 2, 3])), "costs of 3 examples"),
        (lambda: ix.evaluate([0, 1], [1, 1], cost=ix.tasks.example_costs([1, 2]), replicates=9), "no common unit"),
        (lambda: ix.evaluate([0, 1], [1, 1], cost=ix.tasks.example_costs([1, 2])).interval("f1", "micro"), "no common unit"),
        (lambda: ix.cost([0, 1, 2], [1, 1, 2], ix.tasks.example_costs(fp=[1, 2, 3], fn=[3, 2, 1])), "fp and fn differ"),
        (lambda: ix.cost([0, 1], [1, 1], ix.tasks.example_costs(fp=1, fn=[1, 2], tp=3)), "adds up errors"),
        (lambda: ix.cost([0, 1], [1, None], ix.tasks.example_costs([1, 2]), missing="abstain"), "abstain_cost="),
        (lambda: ix.cost([[1.0, 0]], [[0.5, 0.5]], ix.tasks.example_costs([1]), tnorm="product"), "memberships are not errors"),
    ],
)
def test_costs_without_a_meaning_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("setting", "message"), [("segmentation", "Pixels"), ("structured", "Spans"), ("one_class", "")])
def test_tasks_take_them_or_say_why_not(setting, message):
    costs = ix.tasks.example_costs([2, 3])
    calls = {
        "segmentation": lambda: ix.segmentation([[[0, 1]], [[1, 1]]], [[[0, 1]], [[0, 1]]], cost=costs),
        "structured": lambda: ix.tasks.sequences([["B-a"], ["O"]], [["B-a"], ["O"]], cost=costs),
        "one_class": lambda: ix.tasks.one_class(["in", "in"], [1, -1], target="in", cost=costs),
    }
    if not message:
        assert calls[setting]().aggregate().fn == 3
        return
    with pytest.raises(ValueError, match=message):
        calls[setting]()


def test_either_one_vector_or_both_kinds_of_errors():
    for given_costs in ({}, {"fp": [1]}, {"errors": [1], "fp": [1]}):
        with pytest.raises(TypeError, match="either"):
            ix.tasks.example_costs(**given_costs)


# A cost matrix on memberships: every row is a mixture of classes.


@st.composite
def mixtures(draw):
    """Draw rows of shares on both sides that sum to 1, and a cost matrix."""
    m, n = draw(st.integers(2, 3)), draw(st.integers(1, 4))
    sides = []
    for _ in range(2):
        parts = np.array(draw(st.lists(st.lists(st.integers(1, 8), min_size=m, max_size=m), min_size=n, max_size=n)), float)
        sides.append(parts / parts.sum(axis=1, keepdims=True))
    costs = np.array(draw(st.lists(st.integers(0, 5), min_size=m * m, max_size=m * m))).reshape(m, m)
    np.fill_diagonal(costs, 0)
    return *sides, costs


@pytest.mark.slow
@examples(8)
@given(mixtures())
def test_the_cells_of_a_mixture_are_the_mean_of_the_cells_of_its_classes(problem):
    y, z, C = problem
    ev = ix.evaluate(y, z, cost=C, tnorm="product")
    m, expected = len(C), np.zeros((4, len(C)))
    for j, k in np.ndindex(m, m):
        one = ix.evaluate([j], [k], classes=range(m), cost=C).aggregate("class")
        expected += (y[:, j] * z[:, k]).sum() * np.array(list(one))
    np.testing.assert_allclose(np.array(list(ev.aggregate("class"))), expected, atol=1e-12)
    assert np.isclose(ev.aggregate().fn, ix.cost(y, z, C, tnorm="product", average="total"))
    unit = ix.evaluate(y, z, cost=1 - np.eye(m, dtype=int), tnorm="product").aggregate("class")
    np.testing.assert_allclose(np.array(list(unit)), np.array(list(ix.evaluate(y, z, tnorm="product").aggregate("class"))))


def test_what_a_prediction_lacks_to_1_abstains():
    costs = ix.types.CostMatrix([[0, 5], [1, 0]], abstain=2)
    ev = ix.evaluate([[1.0, 0.0]], [[0.5, 0.25]], cost=costs, tnorm="product")
    assert ev.aggregate().fn == 0.25 * 5 + 0.25 * 2
    assert ev.aggregate().fp == 0.25 * 5
    assert ix.evaluate([[1, 0]], [[0, 1]], cost=costs, tnorm="product").aggregate().fn == 5
    assert ev.interval("recall", "exemplar").value == ev.score("recall", "exemplar")
    for given_options, message in (
        ({"cost": [[0, 5], [1, 0]]}, "sum to 0.75"),
        ({"cost": costs, "tnorm": "godel"}, "Use tnorm='product'"),
        ({"cost": costs, "mask": [[True, False]]}, "Mask whole examples"),
    ):
        with pytest.raises(ValueError, match=message):
            ix.evaluate([[1.0, 0.0]], [[0.5, 0.25]], **{"tnorm": "product", **given_options})
