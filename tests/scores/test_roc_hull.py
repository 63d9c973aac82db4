"""Mean curves have the mean of the areas; hulls and dominance agree with the cost of the best threshold at every cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix

TIED = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=9).filter(lambda p: len({y for y, _ in p}) == 2)


def problem(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 50))
    weights = {"sample_weight": rng.random(n)} if seed % 2 else {}
    y, table = rng.integers(0, 3, n), np.round(rng.random((n, 3)), 1)
    return ix.sweep(y, table, classes=range(4 if seed % 3 else 3)[:3], by={"fold": rng.integers(0, 3, n)}, **weights)


@pytest.mark.parametrize("average", ["macro", "weighted", "fold"])
def test_the_area_of_a_mean_curve_is_the_mean_of_the_areas(average):
    for seed in range(12):
        swept = problem(seed)
        roc, pr = swept.roc(average=average), swept.pr(average=average)
        assert np.sum(np.diff(roc.x) * (roc.y[1:] + roc.y[:-1])) / 2 == pytest.approx(roc.area, abs=1e-12)
        assert np.sum(np.diff(pr.x) * pr.y[1:]) == pytest.approx(pr.area, abs=1e-12)
        assert roc.area == pytest.approx(ix.auc(swept, average=average), rel=1e-15)
        assert pr.area == pytest.approx(ix.average_precision(swept, average=average), rel=1e-15)
        assert (np.diff(roc.x) >= 0).all()
        assert (np.diff(roc.y) >= -1e-15).all()


@pytest.mark.slow
def test_a_mean_curve_is_the_mean_height_at_each_rate():
    swept = problem(4)
    units = [swept.roc(c) for c in range(3)]
    mean = swept.roc(average="macro")
    inside = np.setdiff1d(np.linspace(0.013, 0.99, 37), np.concatenate([u.x for u in units]))  # where no curve rises straight up
    heights = [np.interp(inside, u.x, u.y) for u in units]
    np.testing.assert_allclose(np.interp(inside, mean.x, mean.y), np.mean(heights, axis=0), atol=1e-12)
    assert np.isnan(mean.thresholds).all()
    assert len(mean.also["standard deviation"]) == len(mean)
    assert mean.plot() is not None


@pytest.mark.slow
def test_torchmetrics_has_the_same_mean_curve_where_no_curve_rises_straight_up():
    torch = pytest.importorskip("torch")
    theirs = pytest.importorskip("torchmetrics.functional.classification")
    y, table = (
        torch.tensor([0, 1, 0, 1, 0, 1]),
        torch.tensor([[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.4, 0.6], [0.2, 0.8], [0.2, 0.8]]),
    )
    fpr, tpr, _ = theirs.multiclass_roc(table, y, 2, average="macro")
    mean = ix.sweep(y, table).roc(average="macro")
    np.testing.assert_allclose(np.interp(fpr, mean.x, mean.y), tpr, atol=1e-6)


def test_means_that_do_not_exist_are_refused():
    swept = problem(1)
    for call, said in (
        (lambda: swept.roc(average="exemplar"), "curve for each example"),
        (lambda: swept.roc(1, average="macro"), "leave out the column"),
        (lambda: swept.pr(average="macro", simplify=True), "has none"),
        (lambda: swept.det(average="macro"), "single threshold axis"),
        (lambda: swept.roc(average="makro"), "macro"),
    ):
        with pytest.raises(ValueError, match=said):
            call()
    nothing = ix.sweep([[1, 0], [1, 0]], [[0.1, 0.2], [0.3, 0.4]]).roc(average="macro")
    assert len(nothing) == 0
    assert np.isnan(nothing.area)


def least_costs(points, costs):
    """Return the least of fnr c + fpr (1 - c) at each probability cost."""
    return [min((1 - y) * c + x * (1 - c) for x, y in points) for c in costs]


def rates(pairs):
    p = sum(y for y, _ in pairs)
    found = {(Fraction(0), Fraction(0))}
    for t in {s for _, s in pairs}:
        yes = [y for y, s in pairs if s >= t]
        found.add((Fraction(len(yes) - sum(yes), len(pairs) - p), Fraction(sum(yes), p)))
    return found


@given(TIED, TIED)
def test_dominance_is_to_be_at_least_as_good_at_every_cost(one, two):
    sides = {"one": one, "two": two}
    points = {name: rates(pairs) for name, pairs in sides.items()}
    every = [*points["one"], *points["two"]]
    costs = {Fraction(0), Fraction(1)}  # between these no least cost has a corner
    costs |= {(x1 - x0) / (x1 - x0 + y1 - y0) for x0, y0 in every for x1, y1 in every if x1 - x0 + y1 - y0 > 0}
    costs = [c for c in costs if 0 <= c <= 1]
    least = {name: least_costs(p, costs) for name, p in points.items()}
    found = ix.scores.roc_dominance(
        {name: ix.sweep([y for y, _ in pairs], [s / 4 for _, s in pairs]) for name, pairs in sides.items()}
    )
    for a, b in permutations(sides):
        nowhere_worse = all(x <= y for x, y in zip(least[a], least[b], strict=True))
        assert ((a, b) in found.dominates) == (nowhere_worse and least[a] != least[b])
    assert bool(found.crossings) == (not found.dominates and least["one"] != least["two"])
    assert found.same == ((("one", "two"),) if least["one"] == least["two"] else ())
    if found.same:
        assert found.best_somewhere in ((), ("one", "two"))
    hull = found.hull
    both = least_costs(every, costs)
    for c, cost in zip(costs, both, strict=True):
        assert min((1 - hull.y) * float(c) + hull.x * (1 - float(c))) == pytest.approx(float(cost), abs=1e-12)
    for x, y, name in zip(hull.x.tolist(), hull.y.tolist(), hull.also["classifier"].tolist(), strict=True):
        assert (name is None) == ((x, y) in ((0, 0), (1, 1)))
        assert name is None or (x, y) in {(float(a), float(b)) for a, b in points[name]}
    for x, y, low, high in zip(hull.x, hull.y, hull.also["cost from"], hull.also["cost to"], strict=True):
        middle = (low + high) / 2
        assert (1 - y) * middle + x * (1 - middle) == pytest.approx(float(least_costs(every, [Fraction(middle)])[0]), abs=1e-12)


def test_equal_curves_are_both_best():
    swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert str(ix.scores.roc_dominance({"a": swept, "b": swept})) == "a and b have the same hull. Best somewhere: a, b."


@pytest.mark.slow
def test_the_hull_of_one_classifier_and_who_is_best_where():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    p, q = rng.random(300) + 0.4 * y, rng.random(300) ** 3 + 0.3 * y
    alone = ix.sweep(y, p).roc_hull()
    assert alone.area == pytest.approx(ix.measures.auc_of_hull(y, p), abs=1e-14)
    assert alone.area >= ix.auc(y, p)
    found = ix.scores.roc_dominance({"p": ix.sweep(y, p), "q": ix.sweep(y, q), "chance": ix.sweep(y, np.zeros(300))})
    assert ("p", "chance") in found.dominates
    assert "chance" not in found.best_somewhere
    assert found.hull.area >= max(ix.measures.auc_of_hull(y, p), ix.measures.auc_of_hull(y, q))
    assert ("p", "q") in found.crossings or {("p", "q"), ("q", "p")} & {*found.dominates}
    assert "Best somewhere" in str(found)
    assert found.hull.plot() is not None
    assert len(ix.sweep([1, 1], [0.2, 0.3]).roc_hull()) == 0
    with pytest.raises(ValueError, match="no ROC curve"):
        ix.scores.roc_dominance({"a": ix.sweep([1, 1], [0.2, 0.3])})
    with pytest.raises(TypeError, match="mapping"):
        ix.scores.roc_dominance([ix.sweep(y, p)])
