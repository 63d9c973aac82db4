"""Equal error rate, log AUC, hull and H-measure: definitions in fractions, published values, torchmetrics."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.scores.areas import exact_area
from indicatrix.scores.curves.precision_areas import beta_share

TIED = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=9).filter(lambda p: len({y for y, _ in p}) == 2)


def rates(pairs):
    """Return false positive and true positive rate at +inf and every distinct score."""
    p = sum(y for y, _ in pairs)
    for t in (math.inf, *sorted({s for _, s in pairs}, reverse=True)):
        yes = [y for y, s in pairs if s >= t]
        yield Fraction(len(yes) - sum(yes), len(pairs) - p), Fraction(sum(yes), p)


def swept(pairs):
    return ix.sweep([y for y, _ in pairs], [s / 4 for _, s in pairs]).of()


@given(TIED)
def test_equal_error_rates_are_their_definitions_exactly(pairs):
    points, ranking = [*rates(pairs)], swept(pairs)
    nearest = min(abs(x - (1 - y)) for x, y in points)
    assert exact_area(ix.measures.eer.at(method="nearest"), ranking) == next(
        (x + 1 - y) / 2 for x, y in points if abs(x - (1 - y)) == nearest
    )
    line = exact_area(ix.measures.eer, ranking)  # some line of the curve has the point (e, 1 - e)
    assert any(
        (x1 - x0) * (1 - line - y0) == (y1 - y0) * (line - x0) and x0 <= line <= x1 and y0 <= 1 - line <= y1
        for (x0, y0), (x1, y1) in pairwise(points)
    )
    shares = {Fraction(k, 60) for k in range(61)}  # the highest least error over shares of positives, where two lines cross
    shares |= {(x1 - x0) / (x1 - x0 + y1 - y0) for x0, y0 in points for x1, y1 in points if x1 - x0 + y1 - y0 > 0}
    worst = max(min(share * (1 - y) + (1 - share) * x for x, y in points) for share in shares if 0 <= share <= 1)
    assert exact_area(ix.measures.eer.at(method="hull"), ranking) == worst <= line


@given(TIED)
def test_h_measure_is_the_integral_of_the_least_loss(pairs):
    p = Fraction(sum(y for y, _ in pairs), len(pairs))
    lines = [((1 - p) * x, p * (1 - y)) for x, y in rates(pairs)]  # the loss is a c + b (1 - c)

    def expected(lines):  # the integral of the lowest line times 6 c (1 - c), piece by piece between all crossings
        cuts = sorted({Fraction(0), Fraction(1), *(b for a in lines for c in lines for b in crossing(a, c))})
        total = Fraction(0)
        for low, high in pairwise(cuts):
            a, b = min(lines, key=lambda l: l[0] * (low + high) / 2 + l[1] * (1 - (low + high) / 2))
            # a c + b (1 - c), times 6 c (1 - c)
            total += sum(
                k * (high**power - low**power) / power for power, k in ((2, 6 * b), (3, 6 * (a - 2 * b)), (4, 6 * (b - a)))
            )
        return total

    def crossing(one, two):
        slope = (one[0] - one[1]) - (two[0] - two[1])
        at = (two[1] - one[1]) / slope if slope else Fraction(-1)
        return [at] if 0 < at < 1 else []

    trivial = expected([(Fraction(0), p), (1 - p, Fraction(0))])
    exact = 1 - expected(lines) / trivial
    assert exact_area(ix.measures.h_measure.at(prior=(2, 2)), swept(pairs)) == exact
    assert ix.measures.h_measure(swept(pairs), prior=(2, 2)) == pytest.approx(float(exact), abs=1e-13)


def test_h_measure_has_the_published_values():
    # The example of the Python package hmeasure 0.1.6, a translation of that of the authors, with its printed values.
    y = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0]
    p = [0.84901876, 0.10282827, 0.43752488, 0.46004468, 0.90878931, 0.79177719, 0.5297229, 0.13803906, 0.73166264, 0.22959056]
    for prior, value in (
        ("severity", 0.18889596344769588),
        ((2, 1 + 1 / 0.7), 0.13502616807120948),
        ("prevalence", 0.18310946512079307),
        ((2, 11), 0.001212529211507385),
        ((2, 3), 0.10750123502531805),
    ):
        assert ix.measures.h_measure(y, p, prior=prior) == pytest.approx(value, rel=1e-11)


def test_shares_of_beta_distributions():
    special = pytest.importorskip("scipy.special")
    x = np.array([0.0, 1e-9, 0.03, 0.4987, 0.7, 0.9999, 1.0])
    for a, b in ((0.5, 0.5), (1.02, 1.98), (2, 2), (3, 40), (700, 3), (1000, 1000)):
        np.testing.assert_allclose(beta_share(x, a, b), special.betainc(a, b, x), rtol=1e-9, atol=1e-13)


@pytest.mark.slow
@examples(10)
@given(TIED, st.sampled_from([(0.001, 0.1), (0.25, 1.0)]))
def test_log_auc_is_the_mean_of_the_curve_over_the_logarithm(pairs, between):
    points = [(float(x), float(y)) for x, y in rates(pairs)]

    def height(x):
        for (x0, y0), (x1, y1) in pairwise(points):
            if x0 <= x < x1:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        return points[-1][1]

    logs = [math.log(x) for x in sorted({*between, *(x for x, _ in points if between[0] < x < between[1])})]
    grid = [np.linspace(a, b, 2001) for a, b in pairwise(logs)]
    area = sum(np.mean([height(math.exp(u)) for u in (g[1:] + g[:-1]) / 2]) * (g[-1] - g[0]) for g in grid)
    assert ix.measures.log_auc(swept(pairs), fpr_range=between) == pytest.approx(area / (logs[-1] - logs[0]), abs=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ix.measures.eer([0, 1], [0.1, 0.9], method="middle"),
        lambda: ix.measures.eer([0, 1], [0.1, 0.9], thresholds=5),
        lambda: ix.measures.log_auc([0, 1], [0.1, 0.9], fpr_range=(0, 0.1)),
        lambda: ix.measures.log_auc([0, 1], [0.1, 0.9], interpolation="spline"),
        lambda: ix.measures.h_measure([0, 1], [0.1, 0.9], prior=(0, 1)),
        lambda: ix.measures.h_measure([0, 1], [0.1, 0.9], prior="uniform"),
    ],
)
def test_parameters_that_do_not_exist_are_refused(call):
    with pytest.raises(ValueError, match="="):
        call()


def test_areas_with_the_same_parameters_are_equal() -> None:
    ap = ix.average_precision
    assert ap.at(thresholds=[0.1, 0.2]) == ap.at(thresholds=[0.1, 0.2]) != ap.at(thresholds=[0.1, 0.3])
    assert ap.at(missed={"a": 1}) == ap.at(missed={"a": 1}) != ap
    assert len({*ix.scores.AREAS.values(), *(area.at() for area in ix.scores.AREAS.values())}) == len(ix.scores.AREAS)
