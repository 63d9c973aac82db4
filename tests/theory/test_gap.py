"""Laws of the gap between micro and macro (cor:gap, rem:gap_general, errata A18, B3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.numbers.exact import exactly
from indicatrix.theory.formula.expansion import function_of, natural_parts
from indicatrix.theory.result.gap import Gap, gap

EXAMPLE = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])  # ex:counterexample
POOLED = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
DECOMPOSABLE = [m for m in POOLED if m.decomposition is not None]
OTHERS = [m for m in POOLED if m.decomposition is None]


@dataclass(frozen=True)
class Exact:
    """A source of exact counts per class."""

    units: tuple[tuple[Fraction, ...], ...]

    def aggregate(self, per: str | tuple[str, ...] = ()) -> ix.Counts:
        if per == ():
            return ix.Counts(*map(sum, zip(*self.units, strict=True)))
        columns = [np.array(x, object) for x in zip(*self.units, strict=True)]
        return ix.Counts(*columns, per=("class",), names=(tuple(range(len(self.units))),))


VECTORS = st.tuples(*[st.integers(0, 30).map(Fraction)] * 4)
FAMILIES = st.lists(VECTORS, min_size=1, max_size=5).map(lambda units: Exact(tuple(units)))


def terms(g: Gap) -> tuple[float, ...]:
    return g.skew, g.curvature, g.second_order, g.residual


def test_the_paper_example():
    ba, gm = gap(EXAMPLE, "balanced_accuracy"), gap(EXAMPLE, "g_mean")
    assert ba.skew == ba.gap == 33647 / 1393392  # gap.BA.exact, gap.BA.skew_only
    assert (ba.curvature, ba.second_order, ba.residual) == (0, 0, 0)
    assert [round(x, 8) for x in (gm.skew, gm.curvature, gm.gap)] == [0.02501667, 0.00777682, 0.03273015]
    assert (round(gm.second_order, 8), round(gm.residual, 9)) == (-6.558e-05, 2.245e-06)
    assert gm.weights[ix.recall] == tuple(map(float, (Fraction(26, 55), Fraction(13, 55), Fraction(16, 55))))
    assert gm.weights[ix.specificity] == tuple(map(float, (Fraction(29, 110), Fraction(21, 55), Fraction(39, 110))))


@examples(60)
@given(FAMILIES, st.sampled_from(DECOMPOSABLE))
def test_a_decomposable_measure_has_only_a_skew_term(source, measure):
    g, value, b = gap(source, measure), exactly(measure), measure.decomposition[1]
    pairs = [(sum(x * y for x, y in zip(b, v, strict=True)), value(*v)) for v in source.units]
    pairs = [(w, x) for w, x in pairs if isinstance(x, Fraction)]
    if not pairs or math.isnan(g.gap):
        assert g.note
        return
    m = len(pairs)
    wbar, xbar = (sum(p[i] for p in pairs) / m for i in (0, 1))
    covariance = sum((w - wbar) * (x - xbar) for w, x in pairs) / m
    assert g.skew == float(covariance / wbar)
    assert g.curvature == g.second_order == 0
    assert abs(g.residual - g.lost_effect) <= 1e-12 * max(1, abs(g.lost_effect))
    if not g.lost_effect:
        assert g.gap == g.skew
        assert g.residual == 0


@given(FAMILIES, st.sampled_from(POOLED))
def test_the_terms_add_up(source, measure):
    g = gap(source, measure)
    if g.skew is None or math.isnan(g.gap):
        assert g.note
        assert (g.skew is None) == (not math.isnan(g.gap))
    else:
        assert sum(terms(g)) == pytest.approx(g.gap, rel=1e-9, abs=1e-9 * max(map(abs, terms(g))))
        assert g.units + g.undefined_units == () or set(g.units) | set(g.undefined_units) == set(range(len(source.units)))
        assert g.gap == pytest.approx(g.micro - g.macro, rel=1e-6, abs=1e-9 * max(1, abs(g.micro), abs(g.macro)))


def near(v: tuple[int, ...], eps: Fraction) -> Exact:
    """Return three units of different size, all within eps of the same proportions."""
    moves = ((1, -2, 3, 1), (-2, 1, 1, -3), (3, 2, -1, 1))
    return Exact(
        tuple(
            tuple(k * x * (1 + eps * d) for x, d in zip(v, move, strict=True)) for k, move in zip((1, 2, 5), moves, strict=True)
        )
    )


@for_each("measure", OTHERS)
def test_what_is_left_is_of_third_order(measure):
    if not natural_parts(measure):
        assert gap(EXAMPLE, measure).skew is None
        return
    # Halving the deviations divides it by eight: all first and second derivatives are right (gap.order).
    large, small = (gap(near((37, 11, 23, 61), Fraction(1, k)), measure) for k in (1000, 2000))
    assert large.skew is not None
    if abs(large.residual) > 1e-12 * abs(large.gap):
        assert large.residual / small.residual == pytest.approx(8, rel=0.1)


def test_the_orders_of_the_paper_example():
    def scaled(eps: Fraction) -> Gap:  # weights fixed, deviations from the mean rates scaled
        units = [tuple(map(Fraction, v)) for v in ((110, 45, 20, 100), (40, 15, 25, 195), (50, 15, 30, 180))]
        rec, spec = [v[0] / (v[0] + v[2]) for v in units], [v[3] / (v[1] + v[3]) for v in units]
        out = []
        for v, r, s in zip(units, rec, spec, strict=True):
            r, s = (sum(x) / 3 + eps * (y - sum(x) / 3) for x, y in ((rec, r), (spec, s)))
            out.append((r * (v[0] + v[2]), (1 - s) * (v[1] + v[3]), (1 - r) * (v[0] + v[2]), s * (v[1] + v[3])))
        return gap(Exact(tuple(out)), "g_mean")

    for k, two, three in (
        (4, -6.8910015e-5, -5.3250781e-5),
        (8, -6.5803646e-5, -5.6782092e-5),
        (12, -6.5595758e-5, -5.7003299e-5),
    ):
        g = scaled(Fraction(1, 2**k))
        assert (g.second_order + g.residual) * 4**k == pytest.approx(two, rel=1e-6)
        assert g.residual * 8**k == pytest.approx(three, rel=1e-6)


@given(FAMILIES)
def test_exact_up_to_degree_two(source):
    product = ix.measure("tp/(tp+fn) * tn/(tn+fp)")
    for measure in (product, ix.balanced_accuracy, ix.informedness, ix.measures.markedness):
        g = gap(source, measure)
        if g.skew is not None and not math.isnan(g.gap):
            assert abs(g.residual - g.lost_effect) < 1e-15


@given(st.lists(st.tuples(*[st.integers(1, 50)] * 4), min_size=2, max_size=5))
def test_against_the_derivatives_of_a_geometric_mean(units):
    v = np.array(units, float).T
    g = gap(Exact(tuple(tuple(map(Fraction, u)) for u in units)), "g_mean")
    weights = np.stack([v[0] + v[2], v[1] + v[3]])
    u = np.stack([v[0], v[3]]) / weights
    (r, s), mean = u.mean(axis=1), u.mean(axis=1)
    d = (u * weights).sum(axis=1) / weights.sum(axis=1) - mean
    root = math.sqrt(r * s)
    gradient = np.array([s, r]) / (2 * root)
    hessian = np.array([[-s * s, r * s], [r * s, -r * r]]) / (4 * root**3)
    expected = gradient @ d, -np.trace(hessian @ np.cov(u, bias=True)) / 2, d @ hessian @ d / 2
    assert (g.skew, g.curvature, g.second_order) == pytest.approx(expected, abs=1e-9)


@st.composite
def evaluations(draw):
    n, m = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    options = {"by": {"fold": draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))}} if draw(st.booleans()) else {}
    if draw(st.booleans()):
        options["sample_weight"] = draw(st.lists(st.floats(0.125, 4), min_size=n, max_size=n))
    kind = draw(st.sampled_from(["labels", "sets", "soft"]))
    if kind == "labels":
        y, z = (draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n)) for _ in range(2))
        return ix.evaluate(y, z, classes=range(m), **options)
    if draw(st.booleans()):
        options["mask"] = np.array(draw(st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=n, max_size=n)))
    entry = st.integers(0, 1) if kind == "sets" else st.sampled_from([0.0, 0.25, 0.5, 1.0])
    y, z = (np.array(draw(st.lists(st.lists(entry, min_size=m, max_size=m), min_size=n, max_size=n))) for _ in range(2))
    return ix.evaluate(y, z, **options, **({"tnorm": "product"} if kind == "soft" else {}))


@given(
    evaluations(),
    st.sampled_from(
        [ix.recall, ix.f1, ix.accuracy, ix.mcc, ix.g_mean, ix.cohen_kappa, ix.measures.sebag_schoenauer, ix.measures.chi_squared]
    ),
)
def test_every_axis_of_every_kind_has_the_scores_of_the_evaluation(ev, measure):
    axes = {"class": "macro", "example": "exemplar"} | ({"fold": "fold"} if "fold" in ev.axes else {})
    for per, average in axes.items():
        g = gap(ev, measure, per)
        pooled = "binary" if per == "fold" and ev.positive is not None else "micro"  # groups read the positive class
        assert g.micro == pytest.approx(float(ev.score(measure, pooled)), abs=0, rel=0, nan_ok=True)
        assert g.macro == pytest.approx(float(ev.score(measure, average)), abs=0, rel=0, nan_ok=True)
        if not math.isnan(g.gap):
            assert g.gap == pytest.approx(g.micro - g.macro, abs=1e-9 * max(1, abs(g.micro)))
        if g.skew is not None and not math.isnan(g.gap):
            assert sum(terms(g)) == pytest.approx(g.gap, abs=1e-9 * max(1, *map(abs, terms(g))))
    if "fold" in ev.axes:
        g = gap(ev, measure, ("fold", "class"))
        assert all(len(name) == 2 for name in g.units + g.undefined_units)


def test_accuracy_has_no_gap_unless_entries_are_masked():  # cor2.acc_always_equal
    y, z = np.array([[1, 0, 1], [0, 1, 1]]), np.array([[1, 1, 0], [0, 1, 1]])
    for per in ("class", "example"):
        assert gap(ix.evaluate(y, z), "accuracy", per).gap == 0
        assert gap(EXAMPLE, "accuracy", per).gap == 0
    assert gap(ix.evaluate(y, z, mask=np.array([[1, 0, 1], [1, 1, 1]], bool)), "accuracy").gap != 0


def test_the_gap_is_m_times_the_covariance_with_the_shares():  # gap.normcov
    g, recalls = gap(EXAMPLE, "recall"), EXAMPLE.values("recall")
    assert g.gap == pytest.approx(3 * np.cov(g.weights[ix.recall], recalls, bias=True)[0, 1], rel=1e-12)


def test_the_parts_are_found():
    assert natural_parts(ix.f1) == (ix.f1,)
    assert natural_parts(ix.g_mean) == natural_parts(ix.measures.tetrachoric) == (ix.recall, ix.specificity)
    assert natural_parts(ix.measures.markedness) == (ix.precision, ix.negative_predictive_value)
    assert natural_parts(ix.measures.fowlkes_mallows) == (ix.precision, ix.recall)
    assert natural_parts(ix.cohen_kappa) == (ix.recall, ix.specificity, ix.measures.prevalence)
    assert natural_parts(ix.measures.piatetsky_shapiro) == ()
    assert function_of(ix.jaccard, [ix.f1])
    assert not function_of(ix.accuracy, [ix.f1])
    v, other, x, y = function_of(ix.accuracy, [ix.recall]).witness
    assert x != y
    assert exactly(ix.recall)(*v) == exactly(ix.recall)(*other)


def test_named_parts():
    harmonic = gap(EXAMPLE, "f1", parts=["precision", "recall"])
    assert harmonic.curvature != 0
    assert sum(terms(harmonic)) == pytest.approx(harmonic.gap, rel=1e-12)
    assert gap(EXAMPLE, "f1", parts="f1").gap == gap(EXAMPLE, "f1").gap
    # All units have n entries, so nothing is skewed: in shares of n, a gap is all curvature.
    shares = gap(EXAMPLE, "mcc", parts=("russell_rao", "prevalence", "coverage"))
    assert (shares.skew, shares.second_order) == (0, 0)
    for parts, message in (
        (["g_mean"], "cannot be a part"),
        (["recall"], "is not a function of recall"),
        ([], "one, two or three"),
        (["recall", "recall"], "different"),
    ):
        with pytest.raises(ValueError, match=message):
            gap(EXAMPLE, "mcc", parts=parts)


def test_what_has_no_gap_and_what_has_no_terms():
    g = gap(EXAMPLE, "chi_squared")
    assert terms(g) == (None,) * 4
    assert g.gap == pytest.approx(g.micro - g.macro)
    assert "not a function of rates" in str(g)
    nothing = gap(ix.from_counts([0, 0], [1, 2], [0, 0], [3, 4]), "recall")
    assert all(map(math.isnan, (nothing.micro, nothing.macro, nothing.gap, *terms(nothing))))
    assert "no unit has a value" in nothing.note
    for empty in (nothing, gap(ix.evaluate([], []), "recall")):
        assert str(empty) == "recall, micro minus mean over classes: nan - nan = nan\n  Undefined: no unit has a value."
    kink = gap(
        Exact(((Fraction(2), Fraction(1), Fraction(3), Fraction(9)), (Fraction(2), Fraction(3), Fraction(1), Fraction(9)))),
        "overlap",
    )
    assert kink.skew is None
    assert "not twice differentiable" in kink.note
    absent = gap(ix.from_confusion([[5, 1, 1], [2, 6, 0], [0, 0, 0]]), "cohen_kappa")
    assert absent.skew is None
    assert "not all defined" in absent.note
    with pytest.raises(ValueError, match="keeps no axis"):
        gap(EXAMPLE, "f1", ())
    with pytest.raises(ValueError, match="exists only as"):
        gap(EXAMPLE, "subset_accuracy")


def test_units_without_a_value_are_named_and_weighed():
    g = gap(ix.from_counts([3, 5, 2], [1, 0, 4], [0, 0, 0], [6, 5, 4], classes=["a", "b", "c"]), "sebag_schoenauer")
    assert (g.units, g.undefined_units) == (("a", "c"), ("b",))
    assert g.lost_effect == g.residual == 1  # 10/5 with it, 5/5 without
    assert "without a value" in str(g)


def test_equal_units_have_no_terms_even_at_the_border():
    perfect = ix.from_confusion([[5, 0, 0], [0, 7, 0], [0, 0, 2]])
    for measure in ("g_mean", "mcc", "informedness"):
        assert gap(perfect, measure).gap == gap(perfect, measure).residual == 0


@pytest.mark.slow
def test_many_units():
    rng = np.random.default_rng(0)
    ev = ix.from_counts(*rng.integers(1, 10**6, (4, 1200)))
    g = gap(ev, "precision")
    assert g.skew == g.gap
    assert g.residual == 0
    assert g.gap == pytest.approx(g.micro - g.macro, rel=1e-9)
    assert abs(gap(ev, "markedness").residual) < 1e-15


def test_it_prints_its_terms():
    assert str(gap(EXAMPLE, "g_mean")).splitlines() == [
        "g_mean, micro minus mean over classes: 0.792527 - 0.759797 = +0.0327302",
        "  skew         +0.0250167  units that weigh more raise the pooled value",
        "  curvature    +0.00777682  the mean of a curved function is not the function of the mean",
        "  second order -6.55818e-05  curvature along the skew",
        "  residual     +2.24479e-06  the rest, of third order and higher",
    ]
