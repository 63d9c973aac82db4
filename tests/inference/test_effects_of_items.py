"""What each item adds to a coefficient of raters: its effect is a derivative, and costs the same for any number of items."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.raters.coefficients import coefficient


def panel(items=12, raters=4, classes=3, holes=0.2, weights=True):
    rng = np.random.default_rng(11)
    truth = rng.integers(0, classes, items)
    codes = np.where(rng.random((items, raters)) < 0.6, truth[:, None], rng.integers(0, classes, (items, raters))).astype(float)
    codes[rng.random(codes.shape) < holes] = np.nan
    return ix.agreement(codes, classes=range(classes), sample_weight=rng.random(items) if weights else None)


@pytest.mark.parametrize(
    ("name", "raters"),
    [
        ("fleiss_kappa(weights='linear')", 4),
        ("conger_kappa", 4),
        ("light_kappa", 4),
        ("krippendorff_alpha(level='ordinal')", 4),
        ("mutual_information", 2),
    ],
)
def test_an_effect_is_how_the_value_moves_with_the_weight_of_the_item(name, raters):
    ratings = panel(raters=raters).ratings.with_pairs()
    found, step = coefficient(name, ratings), 2.0**-20
    for item, effect in list(enumerate(found.effects(ratings)))[:5]:
        values = []
        for sign in (1, -1):
            weights = ratings.weights.copy()
            weights[item] *= 1 + sign * step
            values.append(float(found.value(replace(ratings, weights=weights))))
        assert effect == pytest.approx((values[0] - values[1]) / (2 * step), abs=1e-8)


def test_the_work_of_an_interval_does_not_grow_with_the_items():
    calls = []

    def counted(table, **params):
        calls.append(table)
        return ix.measures.multiclass_scott_pi.function(table, **params)

    measure, often = replace(ix.measures.multiclass_scott_pi, function=counted), []
    for items in (100, 300):
        calls.clear()
        panel(items, raters=6, holes=0, weights=False).interval(measure)
        often.append(len(calls))
    assert often[0] == often[1] < 20


def test_sums_of_many_different_weights_are_exact_and_need_few_steps():
    few = panel(items=200, raters=3)
    ratings = few.ratings.with_pairs()
    assert len([*ratings.by_weight()]) < 40
    codes, weights = ratings.codes, [Fraction(w) for w in ratings.weights.tolist()]
    both = [i for i, (a, b, _) in enumerate(codes) if a >= 0 and b >= 0]
    right = sum(weights[i] for i in both if codes[i, 0] == codes[i, 1])
    table = ratings.table(0, 1)
    assert (table.trace(), table.sum()) == (right, sum(weights[i] for i in both))
    agreed = few.per_item()[(few.ratings.codes >= 0).sum(axis=1) > 1]
    assert few.score("percent_agreement") == pytest.approx(np.average(agreed, weights=ratings.weights), rel=1e-14)
