"""Laws of areas of the convex hull near chance: where the AUC may be 0.5, the hull may be the diagonal."""

from __future__ import annotations

import numpy as np
import pytest

import indicatrix as ix


@pytest.mark.one_fast_case
@pytest.mark.parametrize(("area", "chance"), [("auc_of_hull", 0.5), ("h_measure", 0.0)])
def test_the_hull_reaches_chance_where_the_auc_does(area: str, chance: float) -> None:
    rng, labels = np.random.default_rng(4), np.repeat([0, 1], 60)
    missed = reached = 0
    for shift in [0.0] * 15 + [1.0] * 5:
        swept = ix.sweep(labels, rng.normal(size=120) + shift * labels)
        found, by_chance = ix.inference.interval(swept, area), ix.inference.interval(swept, "auc").low <= 0.5
        assert found.low == chance if by_chance else found.low > chance or "AUC" not in found.note
        reached += by_chance
        missed += not shift and found.low > chance + 1e-9
    assert 5 < reached < 20
    assert missed < 3
