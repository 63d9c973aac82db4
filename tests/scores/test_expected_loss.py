"""Every proper score is an average of cost-weighted losses: Schervish's representation, and its decomposition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.scores.probabilities.cost_weights import COST_WEIGHTS, CostWeight, cost_weight

DENSITIES = {  # w(c) of the weights whose losses are written down
    "uniform": lambda c: np.ones_like(c),
    "log": lambda c: 1 / (2 * c * (1 - c)),
    "spherical": lambda c: (c**2 + (1 - c) ** 2) ** -1.5 / 2,
    "boosting": lambda c: (c * (1 - c)) ** -1.5 / 4,
}
laws = examples(15)


@st.composite
def forecasts(draw):
    n = draw(st.integers(1, 12))
    y = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return y, [k / 10 for k in draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))]


def test_every_weight_has_a_density_here():
    assert {name for name, x in COST_WEIGHTS.items() if isinstance(x, CostWeight)} == set(DENSITIES)


@pytest.mark.parametrize("name", DENSITIES)
def test_a_proper_score_is_the_integral_of_its_density(name):
    p = np.array([0.05, 0.3, 0.5, 0.9])
    c = (np.arange(200_000) + 0.5) / 200_000
    w, weight = DENSITIES[name](c) / len(c), cost_weight(name)
    below = np.append(0, np.cumsum(2 * c * w))[np.round(p * len(c)).astype(int)]
    above = np.append(np.cumsum((2 * (1 - c) * w)[::-1])[::-1], 0)[np.round(p * len(c)).astype(int)]
    np.testing.assert_allclose(weight.negative(p), below, rtol=5e-3)
    np.testing.assert_allclose(weight.positive(p), above, rtol=5e-3)


@pytest.mark.slow
@laws
@given(forecasts())
def test_known_weights_are_known_scores(problem):
    y, p = problem
    assert math.isclose(ix.scores.expected_loss(y, p).loss, ix.brier(y, p), rel_tol=1e-12)
    assert math.isclose(ix.scores.expected_loss(y, p).loss, ix.sweep(y, p).brier_curve().area, rel_tol=1e-12)
    assert math.isclose(ix.scores.expected_loss(y, p, costs="log").loss, ix.log_loss(y, p), rel_tol=1e-12)
    assert math.isclose(
        ix.scores.expected_loss(y, p, costs="spherical").loss, 1 - ix.measures.spherical_score(y, p), rel_tol=1e-12
    )
    for c in (0.2, 0.5):  # twice the costs of the decisions of the threshold c
        four = ix.evaluate(y, p, decide=c).binary()
        assert math.isclose(
            ix.scores.expected_loss(y, p, costs=c).loss, 2 * (c * four.fp + (1 - c) * four.fn) / len(y), abs_tol=1e-12
        )
    dense = ix.scores.expected_loss(y, p, costs=lambda c: 12 * c * (1 - c) ** 2)
    assert math.isclose(ix.scores.expected_loss(y, p, costs=(2, 3)).loss, dense.loss, rel_tol=1e-10)


@laws
@given(forecasts(), st.sampled_from(["uniform", "log", "spherical", "boosting", 0.3, (2, 5)]))
def test_calibration_and_refinement_are_losses_too(problem, costs):
    y, p = problem
    found = ix.scores.expected_loss(y, p, costs=costs)
    shares = {q: np.mean([a for a, b in zip(y, p, strict=True) if b == q]) for q in p}
    calibrated = ix.scores.expected_loss(y, [shares[q] for q in p], costs=costs)
    assert math.isclose(found.refinement, calibrated.loss, abs_tol=1e-12)
    assert found.calibration >= -1e-12  # properness: no other probability loses less than the share
    assert found.refinement - 1e-12 <= found.optimal <= min(found.loss, found.uncertainty) + 1e-12
    assert found.resolution >= -1e-12
    if costs == "uniform":
        parts = ix.scores.brier_decomposition(y, p)
        assert math.isclose(found.calibration, parts.reliability, abs_tol=1e-12)
        assert math.isclose(found.resolution, parts.resolution, abs_tol=1e-12)


@pytest.mark.slow
@laws
@given(forecasts(), st.sampled_from([(2, 2), (1, 3), (2.5, 0.5)]))
def test_the_h_measure_is_the_share_of_the_uncertainty_that_the_best_thresholds_avoid(problem, prior):
    y, p = problem
    found, h = ix.scores.expected_loss(y, p, costs=prior), ix.measures.h_measure(y, p, prior=prior)
    assert math.isnan(h) or math.isclose(h, 1 - found.optimal / found.uncertainty, abs_tol=1e-9)


@pytest.mark.slow
@examples(12)
@given(forecasts(), st.sampled_from(["uniform", "log", "spherical", "boosting", 0.3, (2, 5), {0.2: 1, 0.7: 2}]))
def test_thresholds_chosen_by_rate_or_fixed(problem, costs):
    y, p = problem
    weight, ranks = cost_weight(costs), sorted(range(len(y)), key=lambda i: p[i])
    literal = 0.0  # of small steps of c: the share c of the examples with the lowest probabilities is predicted negative
    for i in ranks:
        tied = [j for j in range(len(y)) if p[ranks[j]] == p[i]]
        at = np.linspace(tied[0] / len(y), (tied[-1] + 1) / len(y), 801)
        literal += np.mean((weight.positive if y[i] else weight.negative)((at[1:] + at[:-1]) / 2)) / len(y)
    assert math.isclose(ix.scores.expected_loss(y, p, costs=costs, choice="rate").loss, literal, rel_tol=0.05)
    if costs == "uniform":
        share, area = np.mean(y), ix.auc(y, p)
        expected = 1 / 3 + (0 if math.isnan(area) else share * (1 - share) * (1 - 2 * area))
        assert math.isclose(ix.scores.expected_loss(y, p, choice="rate").loss, expected, rel_tol=1e-12)
        assert math.isclose(ix.scores.expected_loss(y, p, choice=0.35).loss, ix.error_rate(y, p, decide=0.35), abs_tol=1e-12)


@laws
@given(forecasts())
def test_the_optimal_loss_is_that_of_the_best_threshold_at_each_cost(problem):
    y, p = problem
    swept = ix.sweep(y, p).micro
    for c in (0.13, 0.5, 0.77):
        least = (2 * (c * swept.fp + (1 - c) * swept.fn) / len(y)).min()
        assert math.isclose(ix.scores.expected_loss(y, p, costs=c).optimal, least, abs_tol=1e-12)


def test_classes_groups_weights_and_nothing():
    P = np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])
    assert ix.scores.expected_loss([0, 1, 1], P).loss == pytest.approx(ix.brier([0, 1, 1], P))
    per = ix.scores.expected_loss([0, 1, 1], P, per="class")
    assert sum(x.loss for x in per.values()) == pytest.approx(ix.brier([0, 1, 1], P))
    several = ix.scores.expected_loss([[1, 0], [1, 1]], [[0.5, 0.25], [1, 0.75]], sample_weight=[3, 1])
    assert several.loss == pytest.approx(ix.brier([[1, 0], [1, 1]], [[0.5, 0.25], [1, 0.75]], sample_weight=[3, 1]))
    groups = ix.scores.expected_loss([0, 1, 1], [0.1, 0.9, 0.5], by={"site": ["x", "x", "y"]}, per="site")
    assert groups["y"].loss == 0.25
    assert math.isnan(ix.scores.expected_loss([0, 1], [0.1, 0.9], mask=[False, False]).loss)
    certain = ix.scores.expected_loss([1, 0], [0.0, 0.0], costs="log")
    assert (certain.loss, certain.calibration) == (math.inf, math.inf)
    assert certain.refinement == pytest.approx(math.log(2))


AVERAGES = ("micro", "macro", "weighted", "exemplar", "site")


@pytest.mark.parametrize("average", AVERAGES)
def test_averages_are_those_of_the_proper_score(average):
    rng = np.random.default_rng(3)
    Y, P, seen = rng.integers(0, 2, (9, 3)), rng.uniform(0.05, 0.95, (9, 3)), rng.random((9, 3)) < 0.7
    options = {"average": average, "by": {"site": list("xxyyzzzzz")}, "mask": seen, "sample_weight": rng.integers(0, 4, 9)}
    for costs, score in (("uniform", ix.brier), ("log", ix.log_loss)):
        ours, theirs = ix.scores.expected_loss(Y, P, costs=costs, **options), score(Y, P, **options)
        np.testing.assert_allclose(ours.loss, theirs, rtol=1e-12)
        np.testing.assert_allclose(ours.loss.values, theirs.values, rtol=1e-12)
    one, shares = rng.integers(0, 3, 9), P / P.sum(axis=1, keepdims=True)
    options |= {"mask": None}
    normalize = "nm" if average in ("macro", "weighted") else "n"  # each class against all others
    np.testing.assert_allclose(
        ix.scores.expected_loss(one, shares, **options).loss, ix.brier(one, shares, normalize=normalize, **options)
    )


def test_each_part_is_averaged():
    y, P = (
        [0, 1, 2, 1, 0],
        np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5], [0.5, 0.25, 0.25], [0.25, 0.5, 0.25]]),
    )
    whole = ix.scores.expected_loss(y, P, average="macro", choice="rate")
    per = ix.scores.expected_loss(y, P, per="class", choice="rate")
    for part in ("loss", "refinement", "uncertainty", "optimal"):
        assert getattr(whole, part).values.tolist() == [getattr(x, part) for x in per.values()]
        assert getattr(whole, part) == pytest.approx(np.mean([getattr(x, part) for x in per.values()]))
    assert whole.calibration == pytest.approx(np.mean([x.calibration for x in per.values()]))
    hidden = ix.scores.expected_loss([0, 1], [0.1, 0.9], by={"site": ["x", "y"]}, mask=[True, False], average="site", undefined=1)
    assert (hidden.loss, hidden.loss.undefined_units) == (pytest.approx(0.01), ())  # nothing was observed of y
    alone = ix.scores.expected_loss(y, P, average="exemplar")
    assert alone.loss == pytest.approx(ix.brier(y, P))
    assert all(map(math.isnan, (alone.refinement, alone.uncertainty, alone.optimal, alone.calibration)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"average": "macro", "per": "class"}, "per='class' keeps all of them apart"),
        ({"average": "macro", "unit": 1}, "unit=1 names one class"),
        ({"average": "exemplar", "choice": "rate"}, "a share predicted negative is one of all examples"),
        ({"average": "site"}, "give by={'site': ids} to have it"),
    ],
)
def test_averages_that_do_not_exist(options, message):
    with pytest.raises(ValueError, match=message):
        ix.scores.expected_loss([0, 1], [[0.2, 0.8], [0.7, 0.3]], **options)


@pytest.mark.parametrize("costs", ["cauchy", 1.5, (0, 1), {}, {0.5: -1}, {2: 1}, "point(c=3)", lambda c: -c])
def test_what_is_no_weight_is_refused(costs):
    with pytest.raises(ValueError, match=r"c=|a=|costs|weight"):
        ix.scores.expected_loss([0, 1], [0.2, 0.7], costs=costs)


def test_a_weight_is_named_or_given():
    with pytest.raises(ValueError, match="by 'score' or 'rate'"):
        ix.scores.expected_loss([0, 1], [0.2, 0.7], choice="best")
    with pytest.raises(TypeError, match="beta density"):
        ix.scores.expected_loss([0, 1], [0.2, 0.7], costs=None)
