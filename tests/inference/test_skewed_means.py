"""The interval of a mean without a limit: ends that the skewness of the values moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.estimators.of_weights import OfMean
from indicatrix.inference.intervals.interval import METHODS, Request
from indicatrix.inference.stats.quantiles import student

ALL = (-np.inf, np.inf)


def ends(values: Any, method: str = "skewed", level: float = 0.95) -> Any:
    return np.array(METHODS[method](OfMean(np.asarray(values, float), np.ones(len(values)), ALL), Request(level)))


def test_values_that_are_not_skewed_have_the_interval_of_student() -> None:
    values = np.array([1.0, 2.0, 4.0, 6.0, 7.0])
    half = student(0.95, 4) * values.std(ddof=1) / 5**0.5
    assert ends(values) == pytest.approx([4 - half, 4 + half])


def test_mirrored_and_scaled_values_have_mirrored_and_scaled_ends() -> None:
    values = np.random.default_rng(1).exponential(size=20)
    assert ends(-3 * values) == pytest.approx(-3 * ends(values)[::-1])
    assert ends(values + 5) == pytest.approx(ends(values) + 5)
    low, high = ends(values) - values.mean()
    assert high > -1.2 * low > 0


@pytest.mark.parametrize("draw", [lambda rng, n: rng.exponential(size=n), lambda rng, n: rng.lognormal(sigma=1.2, size=n)])
def test_means_of_skewed_values_are_covered(draw: Callable[[np.random.Generator, int], Any]) -> None:
    rng, truth = np.random.default_rng(4), draw(np.random.default_rng(2), 10**6).mean()
    missed = dict.fromkeys(("skewed", "jackknife"), 0)
    for _ in range(600):
        values = draw(rng, 40)
        for method in missed:
            low, high = ends(values, method)
            missed[method] += not low <= truth <= high
    assert missed["skewed"] < 0.085 * 600
    assert missed["skewed"] < missed["jackknife"]


def test_losses_take_it_and_one_loss_has_no_interval() -> None:
    rng = np.random.default_rng(3)
    y, p = rng.integers(0, 2, 40), rng.random(40)
    loss = ix.log_loss(y, p, average="exemplar")
    assert ix.inference.interval(loss).method == "skewed"
    assert ix.inference.interval(loss, clusters=np.arange(40) // 4).method == "skewed"
    with pytest.raises(ValueError, match="There is no interval"):
        ix.inference.interval(ix.log_loss([1], [0.4], average="exemplar"))
