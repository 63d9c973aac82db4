"""Smooth, top-label and debiased calibration errors, Spiegelhalter's test, the calibration line, and three more losses."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from indicatrix.scores.probabilities import brier_decomposition


def drawn(seed, n=60, m=3):
    rng = np.random.default_rng(seed)
    return rng, rng.integers(0, m, n), rng.dirichlet(np.ones(m), n)


def smoothed(y, p, w, sigma):
    """Return the definition: the absolute value of the smoothed differences, kernels reflected at 0 and 1, by a fine sum."""
    t = (np.arange(4000) + 0.5) / 4000
    near = sum(np.exp(-((t[:, None] - q) ** 2) / (2 * sigma**2)) for k in range(-4, 5) for q in (p + 2 * k, 2 * k - p))
    return abs(near @ (w * (p - y)) / w.sum() / (sigma * math.sqrt(2 * math.pi))).mean()


@pytest.mark.one_fast_case
@pytest.mark.parametrize("seed", range(3))
def test_smooth_ece_is_the_fixed_point_of_its_definition(seed):
    rng, _, _ = drawn(seed)
    p = np.round(rng.random(40), 1 + seed)
    y, w = (rng.random(40) < p**2).astype(int), rng.integers(1, 4, 40).astype(float)
    for sigma in (0.03, 0.2, 1):
        assert ix.measures.smooth_ece(y, p, bandwidth=sigma, sample_weight=w) == pytest.approx(smoothed(y, p, w, sigma), abs=2e-6)
    found = float(ix.measures.smooth_ece(y, p, sample_weight=w))
    assert smoothed(y, p, w, found) == pytest.approx(found, abs=2e-6)


def test_smooth_ece_averages_limits_and_many_predictions(monkeypatch):
    _, z, table = drawn(5)
    each = [ix.measures.smooth_ece(z == j, table[:, j]) for j in range(3)]
    assert ix.measures.smooth_ece(z, table, average="macro") == pytest.approx(np.mean(each))
    assert ix.measures.smooth_ece(z, table) == ix.measures.smooth_ece(table.argmax(axis=1) == z, table.max(axis=1))
    assert ix.measures.smooth_ece([0, 1], [0.0, 1.0]) == 0
    assert math.isnan(ix.measures.smooth_ece([0, 1], [0.3, 1.0], mask=[False, False]))
    plain = ix.measures.smooth_ece(z == 0, table[:, 0])
    monkeypatch.setattr(brier_decomposition, "MOST", 50)  # more distinct predictions than that are moved to a grid
    assert ix.measures.smooth_ece(z == 0, table[:, 0]) == pytest.approx(plain, abs=2e-3)
    for bad in (0, 2, "wide", True):
        with pytest.raises(ValueError, match="bandwidth"):
            ix.measures.smooth_ece(z, table, bandwidth=bad)


def test_the_bandwidth_is_not_below_its_least_value():
    p = np.repeat([0.25, 0.75], 4000)
    y = np.tile([0, 0, 0, 1], 1000).tolist() + np.tile([1, 1, 1, 0], 1000).tolist()
    y[0] = 1
    assert 0 < ix.measures.smooth_ece(y, p) < 0.001


@examples(15)
@given(st.integers(0, 10**6), st.sampled_from(["l1", "l2", "max"]))
def test_the_top_label_error_has_bins_of_each_predicted_class(seed, norm):
    rng, z, table = drawn(seed, 30)
    w = rng.random(30) + 0.1
    top, right = table.argmax(axis=1), table.argmax(axis=1) == z
    parts = [(w[top == j].sum(), top == j) for j in range(3) if (top == j).any()]
    errors = [
        ix.ece(right[at], table.max(axis=1)[at], bins=4, norm=norm, sample_weight=w[at], classes=[False, True]) for _, at in parts
    ]
    shares = np.array([weight for weight, _ in parts]) / w.sum()
    expected = {"l1": shares @ errors, "l2": math.sqrt(shares @ np.square(errors)), "max": max(errors)}[norm]
    found = ix.ece(z, table, top_label=True, bins=4, norm=norm, sample_weight=w, classes=range(3))
    assert found == pytest.approx(expected, abs=1e-12)
    assert norm == "max" or found >= ix.ece(z, table, bins=4, norm=norm, sample_weight=w, classes=range(3)) - 1e-12


def test_what_a_top_label_error_cannot_be():
    _, z, table = drawn(1)
    with pytest.raises(ValueError, match="Leave one of them out"):
        ix.ece(z, table, top_label=True, average="macro")
    with pytest.raises(ValueError, match="row of probabilities"):
        ix.ece([0, 1], [0.2, 0.6], top_label=True)
    with pytest.raises(ValueError, match="largest"):
        ix.ece(z, table, norm="max", debiased=True)
    groups = {"site": np.arange(60) % 2}
    found = ix.ece(z, table, top_label=True, by=groups, average="site")
    assert found.values.tolist() == pytest.approx([ix.ece(z[k::2], table[k::2], top_label=True) for k in (0, 1)])


@pytest.mark.slow
def test_the_debiased_error_is_what_drawn_shares_have_on_average():
    rng = np.random.default_rng(2)
    p = np.repeat([0.1, 0.35, 0.8], 20)
    y = rng.random(60) < p
    curve = ix.scores.reliability(y, p, bins=10)
    kept = curve.weight > 0
    gap, share, n = curve.predicted[kept], curve.observed[kept], curve.weight[kept]
    shares = rng.normal(share, np.sqrt(share * (1 - share) / n), (200000, 3))
    expected = 2 * ix.ece(y, p, bins=10) - np.mean(abs(shares - gap) @ n / n.sum())
    assert ix.ece(y, p, bins=10, debiased=True) == pytest.approx(max(expected, 0), abs=1e-3)
    assert ix.ece([0, 1] * 50, [0.5] * 100, debiased=True) == 0


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8), st.integers(1, 3)), min_size=1, max_size=8))
def test_spiegelhalters_z_in_fractions(rows):
    y, p, w = ([*map(Fraction, column)] for column in zip(*((y, Fraction(k, 8), w) for y, k, w in rows), strict=True))
    top = sum(w * (y - p) * (1 - 2 * p) for y, p, w in zip(y, p, w, strict=True))
    variance = sum((w * (1 - 2 * p)) ** 2 * p * (1 - p) for p, w in zip(p, w, strict=True))
    found = ix.inference.spiegelhalter([*map(int, y)], [*map(float, p)], sample_weight=[*map(float, w)])
    if variance:
        assert found.z == pytest.approx(float(top) / math.sqrt(variance), abs=1e-12)
        assert found.p_value == pytest.approx(math.erfc(abs(found.z) / math.sqrt(2)))
    else:
        assert math.isinf(found.z) if top else math.isnan(found.z)
    # the Brier score exceeds what is expected by exactly what the test standardizes
    assert found.brier - found.expected == pytest.approx(float(top / sum(w)), abs=1e-12)


@pytest.mark.slow
def test_spiegelhalter_keeps_its_level_and_has_parts():
    rng = np.random.default_rng(1)
    p = rng.beta(2, 3, (400, 200))
    y = rng.random(p.shape) < p
    rejected = np.mean([ix.inference.spiegelhalter(a, b).p_value < 0.05 for a, b in zip(y, p, strict=True)])
    assert 0.02 < rejected < 0.09
    _, z, table = drawn(3)
    assert ix.inference.spiegelhalter(z, table, per="class")[1] == ix.inference.spiegelhalter(z == 1, table[:, 1])
    assert ix.inference.spiegelhalter(z, table, unit=1) == ix.inference.spiegelhalter(z == 1, table[:, 1])
    assert "expected" in str(ix.inference.spiegelhalter(z, table))


@pytest.mark.slow
def test_the_calibration_line_solves_its_equations():
    from sklearn.linear_model import LogisticRegression

    for seed in range(4):
        rng = np.random.default_rng(seed)
        p = rng.uniform(0.02, 0.98, 90)
        y, x = (rng.random(90) < (p if seed else 1 - p) ** 1.5).astype(int), np.log(p / (1 - p))
        w = rng.integers(1, 4, 90) if seed % 2 else np.ones(90)
        found = ix.inference.calibration_line(y, p, **({"sample_weight": w} if seed % 2 else {}))
        mean = 1 / (1 + np.exp(-(found.intercept.value + found.slope.value * x)))
        large = 1 / (1 + np.exp(-(found.in_the_large.value + x)))
        for equation in (w @ (y - mean), w @ ((y - mean) * x), w @ (y - large)):
            assert equation == pytest.approx(0, abs=1e-9)
        theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(x[:, None], y, w)
        assert [found.slope.value, found.intercept.value] == pytest.approx([theirs.coef_[0, 0], theirs.intercept_[0]], abs=1e-4)
        information = (np.stack([np.ones(90), x]) * (w * mean * (1 - mean))) @ np.stack([np.ones(90), x], axis=1)
        if not seed % 2:
            reach = 1.959963984540054 * math.sqrt(np.linalg.inv(information)[1, 1])
            assert [*found.slope] == pytest.approx([found.slope.value - reach, found.slope.value + reach])


def test_weights_that_repeat_examples_have_the_same_line_and_others_are_robust():
    rng = np.random.default_rng(8)
    p = rng.uniform(0.05, 0.95, 60)
    y = rng.random(60) < p
    twice = ix.inference.calibration_line(np.repeat(y, 2), np.repeat(p, 2))
    heavy = ix.inference.calibration_line(y, p, sample_weight=np.full(60, 2.0))
    assert heavy.slope.value == pytest.approx(twice.slope.value)
    assert heavy.slope.width > twice.slope.width * 1.1  # 60 examples, not 120, whatever they weigh


@pytest.mark.parametrize(
    ("y", "p", "note"),
    [([1, 1], [0.3, 0.6], "same"), ([0, 1], [0.3, 0.6], "infinite"), ([0, 1, 1], [0.4, 0.4, 0.4], "told from")],
)
def test_where_there_is_no_calibration_line(y, p, note):
    found = ix.inference.calibration_line(y, p)
    assert math.isnan(found.slope.value)
    assert note in found.slope.note
    assert math.isnan(found.in_the_large.value) == (len(set(y)) == 1)


def test_certain_predictions_need_a_clip_and_parts_are_kept():
    with pytest.raises(ValueError, match="clip="):
        ix.inference.calibration_line([0, 1, 0], [0.0, 0.4, 0.6])
    assert math.isfinite(ix.inference.calibration_line([0, 1, 0, 1], [0.0, 0.4, 0.6, 0.3], clip=0.01).slope.value)
    _, z, table = drawn(4)
    assert ix.inference.calibration_line(z, table, per="class")[2] == ix.inference.calibration_line(z == 2, table[:, 2])
    with pytest.raises(ValueError, match="level"):
        ix.inference.calibration_line([0, 1], [0.2, 0.3], level=95)


def test_spherical_score_is_its_definition_and_proper():
    _, z, table = drawn(2)
    each = [row[c] / math.sqrt(row @ row) for row, c in zip(table, z, strict=True)]
    assert ix.measures.spherical_score(z, table) == pytest.approx(np.mean(each))
    assert ix.measures.spherical_score(z, table, average="macro").values.tolist() == pytest.approx(
        [np.mean([s for s, c in zip(each, z, strict=True) if c == j]) for j in range(3)]
    )
    p = table[:, 0]
    assert ix.measures.spherical_score(z == 0, p) == pytest.approx(
        ix.measures.spherical_score((z == 0).astype(int), np.c_[1 - p, p])
    )
    share = [0.2, 0.5, 0.3]  # with these frequencies no other forecast has a higher expected score
    scores = {q: sum(s * a / math.sqrt(sum(b * b for b in q)) for s, a in zip(share, q, strict=True)) for q in grid(10)}
    assert max(scores, key=scores.get) == tuple(share)
    with pytest.raises(ValueError, match="no direction"):
        ix.measures.spherical_score([0, 1], [[0, 0], [0.5, 0.5]], sums="any")


def grid(parts):
    return [(i / parts, j / parts, (parts - i - j) / parts) for i in range(parts + 1) for j in range(parts + 1 - i)]


def test_balanced_log_loss_counts_classes_alike():
    rng, z, table = drawn(6)
    w = rng.random(60)
    assert ix.measures.balanced_log_loss(z, table, sample_weight=w) == pytest.approx(
        ix.log_loss(z, table, average="macro", sample_weight=w)
    )
    b, p = (z == 0).astype(int), table[:, 0]
    two = ix.log_loss(b, np.c_[1 - p, p], average="macro", sample_weight=w)
    assert ix.measures.balanced_log_loss(b, p, sample_weight=w) == pytest.approx(two)
    matrix = (rng.random((60, 3)) < 0.3).astype(int)
    each = [ix.measures.balanced_log_loss(matrix[:, j], table[:, j]) for j in range(3)]
    assert ix.measures.balanced_log_loss(matrix, table).values.tolist() == pytest.approx(each)
    many = ix.measures.balanced_log_loss(np.r_[b, b[b == 0]], np.r_[p, p[b == 0]])  # more of one class changes nothing
    assert many == pytest.approx(ix.measures.balanced_log_loss(b, p))
    assert math.isnan(ix.measures.balanced_log_loss([1, 1], [0.2, 0.3]))
    for average in ("micro", "weighted", "exemplar"):
        with pytest.raises(ValueError, match=r"average=.* Choose from macro\.$"):
            ix.measures.balanced_log_loss(z, table, average=average)


@pytest.mark.slow
def test_squared_hinge_loss_of_torchmetrics():
    torch = pytest.importorskip("torch")
    theirs = pytest.importorskip("torchmetrics.functional.classification")
    _, z, table = drawn(7)
    b, p = torch.tensor((z == 0).astype(int)), torch.tensor(table[:, 0])
    for squared in (False, True):
        assert ix.hinge_loss(b, p, squared=squared) == pytest.approx(float(theirs.binary_hinge_loss(p, b, squared=squared)))
        many = theirs.multiclass_hinge_loss(torch.tensor(table), torch.tensor(z), 3, squared=squared)
        assert ix.hinge_loss(z, table, squared=squared) == pytest.approx(float(many))
        alone = theirs.multiclass_hinge_loss(
            torch.tensor(table), torch.tensor(z), 3, squared=squared, multiclass_mode="one-vs-all"
        )
        assert ix.hinge_loss(np.eye(3, dtype=int)[z], table, squared=squared, average="macro").values.tolist() == pytest.approx(
            alone.tolist()
        )
    with pytest.raises(TypeError, match="squared"):
        ix.hinge_loss(z, table, squared="yes")
