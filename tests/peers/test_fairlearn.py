"""Fairness between groups equals fairlearn's, on random data, with and without weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fairlearn import metrics as fair
from loops import for_each

import indicatrix as ix

pytestmark = pytest.mark.filterwarnings("ignore")  # fairlearn and scikit-learn warn about their own arguments


def data(seed: int, weighted: bool) -> tuple[Any, Any, Any, Any]:
    """Return labels, predictions, groups and weights in which every rate of every group is defined and above 0."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(40, 400))
    groups = rng.choice(["x", "y", "z"], n)
    y = rng.integers(0, 2, n)
    z = np.where(rng.random(n) < rng.uniform(0.5, 0.9), y, 1 - y)
    every = np.array([(t, p, g) for t in (0, 1) for p in (0, 1) for g in "xyz"], dtype=object)
    y, z, groups = (np.concatenate([a, b]) for a, b in zip((y, z, groups), every.T, strict=True))
    weights = rng.uniform(0.1, 3, len(y)) if weighted else None
    return y.astype(int), z.astype(int), groups.astype(str), weights


def between(measure: Any, y: Any, z: Any, groups: Any, weights: Any) -> Any:
    """Return fairlearn's frame of a measure in each group."""
    given = {} if weights is None else {"sample_params": {"sample_weight": weights}}
    return fair.MetricFrame(metrics=measure, y_true=y, y_pred=z, sensitive_features=groups, **given)


NAMED = ("demographic_parity", "equal_opportunity", "equalized_odds")


@pytest.mark.one_fast_case
@for_each("weighted", [False, True])
@for_each("kind", ["difference", "ratio"])
@for_each("name", NAMED)
def test_named_functions_are_those_of_fairlearn(name: str, kind: str, weighted: bool) -> None:
    theirs = getattr(fair, f"{name}_{kind}")
    for seed in range(6):
        y, z, groups, weights = data(seed, weighted)
        ev = ix.evaluate(y, z, sample_weight=weights, by={"group": groups})
        want = theirs(y, z, sensitive_features=groups, sample_weight=weights)
        assert getattr(ix.fairness, f"{name}_{kind}")(ev, "group") == pytest.approx(want, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_predictive_parity_is_the_gap_of_precision_in_a_metric_frame(weighted: bool) -> None:
    from sklearn.metrics import precision_score

    for seed in range(6):
        y, z, groups, weights = data(seed, weighted)
        ev = ix.evaluate(y, z, sample_weight=weights, by={"group": groups})
        frame = between(precision_score, y, z, groups, weights)
        assert ix.fairness.predictive_parity_difference(ev, "group") == pytest.approx(frame.difference(), rel=1e-12)
        assert ix.fairness.predictive_parity_ratio(ev, "group") == pytest.approx(frame.ratio(), rel=1e-12)
