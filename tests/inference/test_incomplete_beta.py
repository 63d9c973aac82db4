"""The incomplete beta function and its inverse: SciPy's digits over a wide grid, closed forms, and no SciPy needed."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from loops import for_each
from scipy import special

from indicatrix.algebra.numbers.quantiles import odds_at, share_below
from indicatrix.inference.stats.quantiles import beta, f_tail, normal, student, student_below

# Levels whose (1 + level) / 2 is exact, so that SciPy is asked the same question.
LEVELS = [0.5, 0.75, 0.8125, 0.9375, 0.984375, 1 - 2**-13, 1 - 2**-20]
FREEDOMS = [0.3, 0.5, 1, 1.5, 2, 3, 4.7, 10, 29.9, 100, 1e3, 12345.6, 1e6, 1e9]
PARAMETERS = [0.5, 1, 2.5, 40, 1000.5, 1e6]


@for_each("freedom", FREEDOMS)
def test_student_quantiles_are_those_of_scipy(freedom: float) -> None:
    pytest.importorskip("scipy", "1.16", reason="older ones have fewer right digits")
    for level in LEVELS:
        t = student(level, freedom)
        assert t == pytest.approx(special.stdtrit(freedom, (1 + level) / 2), rel=1e-13, abs=0), level
        assert student_below(-t, freedom) == pytest.approx((1 - level) / 2, rel=1e-13 * max(freedom / t, 1e2), abs=0)
        assert student_below(t, freedom) == pytest.approx((1 + level) / 2, rel=1e-14)


@for_each("a", PARAMETERS)
@for_each("b", PARAMETERS)
def test_beta_quantiles_are_those_of_scipy(a: float, b: float) -> None:
    for share in (1e-6, 0.0005, 0.025, 0.05, 0.3, 0.5, 0.7, 0.975, 0.9995):
        x = beta(share, a, b)
        assert x == pytest.approx(special.betaincinv(a, b, share), rel=1e-12, abs=0), share
        assert share_below(odds_at(share, a, b), a, b) == pytest.approx(share, rel=1e-12)


def test_closed_forms() -> None:
    for level in LEVELS:
        cauchy, two = 1 / math.tan(math.pi * (1 - level) / 2), level * math.sqrt(2 / (1 - level**2))
        assert student(level, 1) == pytest.approx(cauchy, rel=1e-14)
        assert student(level, 2) == pytest.approx(two, rel=1e-14)
        assert student(level, 1e300) == pytest.approx(normal(level), rel=1e-12)
        assert student(level, math.inf) == normal(level)
        assert beta(level, 1, 1) == pytest.approx(level, rel=1e-15)
        assert beta(level, 1, 1e6) == pytest.approx(-math.expm1(math.log1p(-level) / 1e6), rel=1e-13)


def test_ends_and_what_is_not_a_number() -> None:
    assert [student_below(t, 3) for t in (-math.inf, -1e-200, 0, math.inf)] == [0, 0.5, 0.5, 1]
    assert share_below(0, 2, 3) == 0
    assert share_below(math.inf, 2, 3) == 1
    assert math.isnan(student(0.95, 0))
    assert math.isnan(student_below(1.0, 0))
    assert math.isnan(student_below(math.nan, 3))
    assert math.isnan(student(0.95, math.nan))


@pytest.mark.parametrize(("top", "bottom"), [(1, 1), (2, 8), (3, 300), (40, 7), (4.5, 1e6)])
def test_the_tail_of_f_is_that_of_scipy(top: float, bottom: float) -> None:
    for f in (0, 0.01, 0.5, 1, 2, 4.46, 30, 1e4):
        assert f_tail(f, top, bottom) == pytest.approx(special.fdtrc(top, bottom, f), rel=1e-11, abs=1e-300)


@pytest.mark.slow
def test_intervals_tests_and_plans_need_no_scipy() -> None:
    code = """
import sys
sys.modules["scipy"] = None
import indicatrix as ix
y = [i % 3 for i in range(90)]
z, w = [(k + (i % 7 == 0)) % 3 for i, k in enumerate(y)], [(k + (i % 4 == 0)) % 3 for i, k in enumerate(y)]
ev, other = (ix.evaluate(y, pred, by={"fold": [i % 5 for i in range(90)]}) for pred in (z, w))
assert ev.interval("f1", "macro").method == "score"
assert ev.interval("recall", "micro", method="clopper_pearson").low > 0.7
assert "b" in str(ix.compare(y, {"a": z, "b": w}, measures=["f1"], averages=["macro"]))
assert 0 < ix.inference.compare_folds({"a": ev, "b": other}, "f1", "macro").pairs[0].p < 1
table = {k: {"a": 0.9 - k / 10, "b": 0.8 - k / 10, "c": 0.7 - k / 10} for k in range(4)}
assert ix.inference.compare_data_sets(table).friedman.p < 0.1
assert ix.power(ev, "f1", "macro", width=0.05).n > 90
try:
    str(ix.inference.relations(None, {"f1": [0.1, 0.2, 0.4, 0.5], "mcc": [0.3, 0.1, 0.2, 0.6]}))
    raise AssertionError("the tree of relations is SciPy's")
except ImportError as missing:
    assert "indicatrix[inference]" in str(missing)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
