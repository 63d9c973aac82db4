"""Intervals of costs: of the same examples as the cost, in its unit, wider where examples belong together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

TABLE = [[30, 6, 4], [3, 25, 2], [1, 5, 24]]
COSTS = np.array([[0, 1, 4], [2, 0, 1], [8, 3, 0]])
EV = ix.from_confusion(TABLE)


@for_each(("average", "side"), [("micro", "true"), ("macro", "true"), ("macro", "predicted"), ("total", "true")])
def test_an_interval_is_in_the_unit_of_the_cost(average: str, side: str) -> None:
    how: dict[str, Any] = {"average": average, "side": side}
    found, score = EV.cost(COSTS, interval=0.9, **how), EV.cost(COSTS, **how)
    assert found.value == score
    assert found.low < score < found.high
    assert (found.level, found.average, found.measure) == (0.9, average, score.measure)
    more = EV.cost(COSTS * 10, interval=0.9, **how)
    assert [more.low, more.high] == pytest.approx([found.low * 10, found.high * 10])
    longer = EV.cost(COSTS, interval=0.99, **how)
    assert longer.low < found.low < found.high < longer.high


def test_the_cost_of_two_classes_is_sure_as_its_formula_is() -> None:
    ev = ix.evaluate([0] * 50 + [1] * 50, [0] * 40 + [1] * 10 + [0] * 15 + [1] * 35)
    one, other = ev.cost([[0, 1], [3, 0]], interval=True), ev.interval("(fp + 3 * fn) / n", "binary")
    assert [one.low, one.high] == pytest.approx([other.low, other.high], rel=1e-6)


def test_clusters_of_labels_and_of_an_evaluation_count_the_same() -> None:
    rng = np.random.default_rng(0)
    patient, y = rng.integers(0, 25, 200), rng.integers(0, 3, 200)
    pred = np.where(rng.random(25)[patient] < 0.6, y, rng.integers(0, 3, 200))
    ev = ix.evaluate(y, pred, by={"patient": patient})
    alone, together = ev.cost(COSTS, interval=True), ev.cost(COSTS, interval=True, clusters="patient")
    assert together.high - together.low > 1.2 * (alone.high - alone.low)
    assert ix.cost(y, pred, COSTS, interval=True, clusters=patient) == together
    assert ix.cost(y, pred, COSTS, interval=True) == alone


def test_an_error_that_costs_much_and_was_hardly_seen_is_named() -> None:
    hidden = ix.from_confusion([[180, 18], [0, 20]]).cost([[0, 1], [20, 0]], interval=True)
    assert hidden.warning.endswith("show an error that may cost much: the interval may be too short.")
    assert ix.from_confusion([[180, 18], [10, 20]]).cost([[0, 1], [20, 0]], interval=True).warning == ""
    of_many = ix.from_confusion([[1000, 0], [10, 30]])  # an error that none of a thousand shows is rare in their class
    assert of_many.cost([[0, 3], [1, 0]], average="macro", interval=True).warning == ""


def test_classes_that_were_not_seen_are_left_out_of_the_mean() -> None:
    some = ix.from_confusion([[30, 6, 4], [0, 0, 0], [1, 5, 24]])
    assert math.isfinite(some.cost(COSTS, average="macro", interval=True).high)
    with pytest.raises(ValueError, match=r"undefined=0 puts in their place does not vary\. Leave undefined= out"):
        some.cost(COSTS, average="macro", interval=True, undefined=0)


@for_each(
    ("call", "message"),
    [
        (lambda: EV.cost(COSTS, average="weighted", interval=True), r"'weighted' average of a cost\. Use 'micro', 'macro' or"),
        (
            lambda: ix.evaluate([0, 1], [1, 1], by={"site": [*"ab"]}).cost("zero_one", average="site", interval=True),
            r"Ask each part of ev\.split\('site'\)",
        ),
        (
            lambda: ix.cost(
                [0, 1, 1], [0, None, 1], [[0, 1], [2, 0]], missing="abstain", abstain_cost=1, interval=True, classes=[0, 1]
            ),
            "Let abstaining be a class of its own",
        ),
        (lambda: ix.cost([0, 1], [1, 1], ix.tasks.example_costs([1, 2]), interval=True), "have no common unit"),
        (
            lambda: ix.cost([[1, 0.0]], [[0.5, 0.5]], [[0, 1], [2, 0]], tnorm="product", interval=True),
            "memberships are not counts",
        ),
    ],
)
def test_a_cost_without_an_interval_says_why(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_clusters_without_an_interval_are_refused() -> None:
    for call in (lambda: EV.cost(COSTS, clusters="site"), lambda: ix.cost([0, 1], [1, 1], [[0, 1], [2, 0]], clusters=[1, 2])):
        with pytest.raises(TypeError, match="which only an interval reads"):
            call()
