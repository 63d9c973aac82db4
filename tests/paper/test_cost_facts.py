"""Every recomputed number of the group cost (sec:cost, thm:ordinal_cost)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from facts import Checkers

import indicatrix as ix
from indicatrix.settings.cost_matrices import CostMatrix, label_costs
from indicatrix.tally.cells import Cells
from indicatrix.tasks.cost import cost, cost_of

check = Checkers("cost")


@pytest.mark.parametrize("fact", check.facts.values(), ids=check.facts)
def test_cost_fact(fact):
    check.run(fact)


def problems(size=100):
    """Return random multiclass problems, with classes that do not occur."""
    rng = np.random.default_rng(11)
    for _ in range(size):
        m, n = int(rng.integers(2, 7)), int(rng.integers(1, 30))
        yield (*rng.integers(m, size=(2, n)), m)


@check(r"cost\.unit")
def unit_cost(fact):
    for y, yhat, m in problems():
        ev = ix.evaluate(y, yhat, classes=range(m))
        total = cost_of(ev, 1 - np.eye(m, dtype=int), average="total")
        assert (total == int((y != yhat).sum()) == (ev.aggregate().fp + ev.aggregate().fn) / 2) is fact["computed"]


@check(r"cost\.binary")
def binary_cost(fact):
    c_fn, c_fp = 7, 3
    for y, yhat, _ in problems():
        y, yhat = np.where(y > 0, "positive", "negative"), np.where(yhat > 0, "positive", "negative")
        v = ix.evaluate(y, yhat, classes=["positive", "negative"], positive="positive").binary()
        total = cost(y, yhat, [[0, c_fn], [c_fp, 0]], classes=["positive", "negative"], average="total")
        assert (total == c_fn * v.fn + c_fp * v.fp) is fact["computed"]


@check(r"cost\.mae_mse")
def ordinal_losses(fact):
    for y, yhat, m in problems():
        mae, mse = (float(Fraction(int((abs(y - yhat) ** power).sum()), len(y))) for power in (1, 2))
        assert (cost(y, yhat, "absolute", classes=range(m)) == mae) is fact["computed"]
        assert (cost(y, yhat, "squared", classes=range(m)) == mse) is fact["computed"]


@check(r"cost\.group8")
def zero_one_loss_is_not_hamming_loss(fact):
    ev = ix.evaluate(fact["inputs"]["y"], fact["inputs"]["yhat"], classes=range(fact["inputs"]["m"]))
    loss, hamming, ratio = (Fraction(x) for x in fact["computed"].values())
    assert cost_of(ev, "zero_one") == cost_of(ev, "zero_one", average="exemplar") == float(loss)
    assert ev.score("hamming_loss", "micro") == float(hamming)
    assert hamming / loss == ratio == Fraction(2, fact["inputs"]["m"])
    error_rates = ev.values("error_rate")  # of Group 1, per class: over all examples, not over those of the class
    assert cost_of(ev, "zero_one", average="macro").values.tolist() != error_rates.tolist()
    assert fact["agrees"] is False


@check(r"cost\.multilabel")
def bilinear_form_of_several_labels(fact):
    Y, C = np.array(fact["inputs"]["Y=Yhat"]), np.array(fact["inputs"]["C"])
    assert (Y.dot(C) * Y).sum() == fact["computed"] != fact["paper"]
    with pytest.raises(ValueError, match="even a perfect prediction would cost"):
        cost(Y, Y, C)
    assert ix.evaluate(Y, Y, cost=label_costs(fp=2, fn=3)).aggregate().fp == fact["paper"]


@check(r"cost\.FPC")
def false_positives_without_the_missing_factor(fact):
    Y, C = np.array(fact["inputs"]["Y"]), np.array(fact["inputs"]["C"])
    Yhat = np.array(fact["inputs"]["Yhat"])
    printed = (Y.dot(C - np.diag(C.diagonal())) * Yhat)[0]
    assert printed.tolist() == fact["computed"]["FP^C"]
    assert not ((1 - Y) * printed).any()  # errata A3: with the factor (1 - Y) a right prediction costs nothing
    with pytest.raises(ValueError, match="label_costs"):
        ix.evaluate(Y, Yhat, cost=CostMatrix(C))
    for y, yhat, m in problems(20):  # one-hot, where both forms agree
        sides = [ix.types.Indicator.from_codes(codes, range(m)) for codes in (y, yhat)]
        costs = np.random.default_rng(m).integers(1, 9, size=(m, m)) * (1 - np.eye(m, dtype=int))
        cells = Cells(*sides, scale=CostMatrix(costs).on(tuple(range(m))).scale())
        assert np.array_equal(cells.fp, costs[y] * sides[1].matrix)
