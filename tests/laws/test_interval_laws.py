"""Laws of intervals over all measures, registered or not: what they contain, and what does not change them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from fuzz.own_formulas import RATES
from indicatrix.catalogue.matrices import MATRIX_MEASURES

OWN = [ix.measure(text, range=(0, 1)) for text in RATES] + [
    ix.measure("min(tp / (tp + fp), tp / (tp + fn))", range=(0, 1)),
    ix.measure("sqrt(tp / (tp + fn)) * (1 - fp / (fp + tn)) ** 2", range=(0, 1)),
    ix.measure("(tp - fp) / (tp + fp + fn + tn)", range=(-1, 1)),
]
MEASURES = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages] + OWN
AVERAGES = ("binary", "micro", "macro", "weighted")
EVERY = [(m, average, undefined) for undefined in ("exclude", 0, 1) for m in MEASURES for average in AVERAGES]
PARTS = 15  # not a multiple of the number of averages: each part has all of them
MATRIX = [
    m for m in MATRIX_MEASURES.values() if not m.facts.ordered and "lambda" not in str(m)
]  # at ties, the slopes of lambda differ


def some_evaluation(rng: np.random.Generator) -> Any:
    """Return an evaluation of few examples, often perfect, constant or without some classes."""
    m, n = int(rng.integers(2, 5)), int(rng.integers(1, 40))
    y = rng.integers(0, rng.integers(1, m + 1), n)
    z = np.where(rng.random(n) < rng.choice([0, 0.5, 0.9, 1]), y, rng.integers(0, rng.integers(1, m + 1), n))
    weights = rng.choice([0.25, 1.0, 3.0], n) if rng.random() < 0.3 else None
    return ix.evaluate(y, z, classes=range(m), positive=int(rng.integers(m)), sample_weight=weights)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("part", range(PARTS))
def test_an_interval_contains_its_value_and_lies_in_the_range(part: int) -> None:
    """Every measure, average and convention, each of another evaluation."""
    rng, seen, own = np.random.default_rng(part), 0, EVERY[part::PARTS]
    for measure, average, undefined in own:
        ev = some_evaluation(rng)
        try:
            found = ev.interval(measure, average, draws=50, undefined=undefined)
        except ValueError as reason:
            assert "There is no" in str(reason)  # noqa: PT017
            continue
        if math.isnan(found.low):
            assert not math.isfinite(found.value)
            continue
        low, high = map(float, measure.range)
        assert found.low <= found.value <= found.high, (measure, average, found)
        inside = low - 1e-9 <= found.value <= high + 1e-9  # a convention may put a number elsewhere
        assert not inside or (found.low >= low - 1e-9 and found.high <= high + 1e-9), (measure, average, found)
        assert found.low < found.high or found.warning or "which does not vary" in found.note or not inside, (
            measure,
            average,
            found,
        )
        seen += 1
    assert seen > 0.6 * len(own)


@pytest.mark.parametrize("design", [{}, {"sampled": "by class"}, {"weights": True}], ids=["plain", "by class", "weighted"])
@pytest.mark.slow
def test_the_order_of_classes_changes_no_interval(design: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    for trial in range(2):
        n, m = 60, 4
        y = rng.integers(0, m, n)
        z = np.where(rng.random(n) < 0.7, y, rng.integers(0, m, n)) if trial else y
        options = {"sample_weight": rng.choice([0.5, 1.0, 2.0], n)} if "weights" in design else {}
        orders = [[0, 1, 2, 3], [2, 3, 1, 0] if trial else [3, 0, 2, 1]]
        all_orders = [ix.evaluate(y, z, classes=order, positive=2, **options) for order in orders]
        asked = {"sampled": design["sampled"]} if "sampled" in design else {}
        for measure in [*MEASURES[::4], *OWN, *MATRIX[::3]]:
            for average in (None,) if measure in MATRIX else AVERAGES:
                try:
                    one, other = (ev.interval(measure, average, draws=40, **asked) for ev in all_orders)
                except (ValueError, TypeError):
                    continue
                assert tuple(other) == pytest.approx(tuple(one), rel=1e-5, abs=1e-6, nan_ok=True), (measure, average, one)


def test_draws_of_clusters_do_not_change_with_the_order_of_classes() -> None:
    rng = np.random.default_rng(5)
    y, site = rng.integers(0, 3, 90), np.arange(90) % 12
    z = np.where(rng.random(90) < 0.7, y, rng.integers(0, 3, 90))
    kink = ix.measure("min(tp / (tp + fp), tp / (tp + fn))", range=(0, 1))
    ends = []
    for order in ([0, 1, 2], [2, 0, 1]):
        ev = ix.evaluate(y, z, classes=order, by={"site": site})
        ends.append([tuple(ev.interval(kink, average, clusters="site", draws=100)) for average in ("macro", "micro")])
        ends[-1].append(tuple(ev.interval("multiclass_kappa", clusters="site", method="posterior", draws=100)))
    assert np.allclose(*ends, rtol=0, atol=1e-9)
