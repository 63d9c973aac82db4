"""Every recomputed number of the groups ord, ordf and fam: ordinal encodings and t-norms."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product as pairs

import numpy as np
import pytest
import sympy
from facts import Checkers

from indicatrix.algebra.fuzzy.consistency import is_partition
from indicatrix.algebra.fuzzy.tnorms import (
    aczel_alsina,
    dombi,
    frank,
    godel,
    hamacher,
    lukasiewicz,
    product,
    schweizer_sklar,
    yager,
)
from indicatrix.encode.indicator import Indicator
from indicatrix.encode.pairs import Pair
from indicatrix.settings.ordinal import encode_ranks, ordinal, read_ordinal

check = Checkers("ord", "ordf", "fam")


@pytest.mark.slow
@pytest.mark.parametrize("fact", check.facts.values(), ids=check.facts)
def test_fact(fact):
    check.run(fact)


# ord: the cumulative encoding (eq:cumulative, errata A1) and the ordinal AUC (prop:ordinal_auc, errata A2).


def cumulative(codes, m):
    """Return the rows of the cumulative encoding of 0-based codes."""
    y = Indicator.from_codes(codes, range(m))
    return encode_ranks(Pair(y, y, open=False), read_ordinal("cumulative")).y.matrix.astype(int)


@check(r"ord\.cum")
def rows_of_the_cumulative_encoding(fact):
    m = fact["inputs"]["m"]
    rows, literal = fact["computed"]["k>j rows"], fact["computed"]["paper rows k=1..4"]
    assert cumulative(range(m), m).tolist() == rows
    assert literal == [[int(k >= j) for j in range(1, m)] for k in range(1, m + 1)]
    assert (len(set(map(tuple, rows))), len(set(map(tuple, literal)))) == (m, m - 1)
    assert {row[0] for row in literal} == {1}


@check(r"ord\.mae")
def errors_of_the_cumulative_encoding(fact):
    assert fact["computed"] is True
    for m in range(2, 6):
        k, khat = np.array(list(pairs(range(m), repeat=2))).T
        wrong = int((cumulative(k, m) != cumulative(khat, m)).sum())
        assert wrong == abs(k - khat).sum()
        mae = Fraction(int(abs(k - khat).sum()), len(k))
        assert Fraction(wrong, len(k) * (m - 1)) == mae / (m - 1)


def auc(labels, scores):
    """Return the share of pairs in the right order, ties one half; None if a class is empty."""
    ups, downs = ([s for s, y in zip(scores, labels, strict=True) if y == side] for side in (1, 0))
    won = [Fraction((a > b) - (a < b) + 1, 2) for a in ups for b in downs]
    return sum(won) / len(won) if won else None


@check(r"ord\.auc")
def auc_of_a_perfect_classifier(fact):
    k, m = fact["inputs"]["k"], 3
    p = np.eye(m, dtype=int)
    literal = [auc([x >= j for x in k], p[:, j - 1].tolist()) for j in range(1, m)]
    assert [None if v is None else str(v) for v in literal] == fact["computed"]["paper formula AUC^(1),AUC^(2)"]
    labels, tails = cumulative([x - 1 for x in k], m), p[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    right = [auc(labels[:, j].tolist(), tails[:, j].tolist()) for j in range(m - 1)]
    assert list(map(str, right)) == fact["computed"]["tail-sum scores, k>j"]


@check(r"ordf\.tab")
def membership_functions(fact):
    linear = fact["inputs"]["linear m=5"]
    assert ordinal("linear").memberships(5).tolist() == [float(Fraction(x)) for x in linear]
    every = [ordinal("one_hot"), ordinal("linear"), ordinal("exponential", gamma=0.7), ordinal("gaussian", sigma=1.3)]
    for encoding, m in pairs(every, range(1, 9)):
        f = encoding.memberships(m)
        assert f[0] == 1
        assert (np.diff(f) <= 0).all()
        assert (f >= 0).all()


# fam: the product is the only partition among the families (rem:partition_only).

GRID = np.arange(21) / 20
HALF = Fraction(1, 2)


def defect(t, a, b):
    return abs(t(a, b) + t(1 - a, b) + t(a, 1 - b) + t(1 - a, 1 - b) - 1)


def largest(t):
    return float(defect(t, GRID[:, None], GRID[None, :]).max())


def only_product(family, at, others):
    """One member is the product; T(1/2, 1/2) is on different sides of 1/4 before and after it."""
    assert family(at) == product
    assert is_partition(product)
    sides = {np.sign(x - at) * np.sign(float(family(x)(0.5, 0.5)) - 0.25) for x in others}
    assert len(sides) == 1
    assert sides != {0.0}
    assert not any(is_partition(family(x)) for x in others)


FAMILIES = {"frank": (frank, 1), "hamacher": (hamacher, 1), "ss": (schweizer_sklar, 0), "aa": (aczel_alsina, 1)}
u, g, x, lam = sympy.symbols("u gamma x lambda", positive=True)
quarter = sympy.Rational(1, 4)
# T(1/2, 1/2) = 1/4 as an equation in the parameter: u = s^(1/4) for Frank, x = 2^-p for Schweizer–Sklar.
NECESSARY = {
    "frank": (2 * u**2 - u * (u**2 + 1), u, 1),
    "hamacher": (quarter / (g + (1 - g) * sympy.Rational(3, 4)) - quarter, g, 1),
    "ss": (2 * x - 1 - x**2, x, 1),
    "aa": (-(2 ** (1 / lam)) + 2, lam, 1),  # the exponents of 2
}


@check(r"fam\.(?P<family>frank|hamacher|ss|aa)")
def families_with_the_product(fact, family):
    member, at = FAMILIES[family]
    others = [p for p in (0.1, 0.5, 0.9, 1.1, 2, 3, 10) if p != at]
    only_product(member, at, [*others, *([-0.5, -1, -3] if family == "ss" else [])])
    equation, parameter, root = NECESSARY[family]
    assert sympy.solveset(equation, parameter, sympy.Interval.open(0, sympy.oo)) == {root}
    for name, text in fact["computed"].items():
        value = float(name.removeprefix("maxdefect ").partition("=")[2])
        assert largest(member(value)) == pytest.approx(float(text), rel=1e-5, abs=1e-15)
    assert fact["paper"] == "only product"


@check(r"fam\.(?P<family>yager|dombi)")
def families_without_the_product(fact, family):
    member, base = {"yager": (yager, 1.5), "dombi": (dombi, 3)}[family]
    p = math.log(2) / math.log(base)
    [stated] = fact["inputs"].values()
    assert p == pytest.approx(float(stated.rpartition("=")[2]), rel=1e-9)
    assert member(p)(0.5, 0.5) == pytest.approx(0.25, rel=1e-15)
    assert all((member(q)(0.5, 0.5) < 0.25) is (q < p) for q in (0.3, 0.6, 0.7, 1, 1.6, 1.8, 4))  # no other candidate
    worst = defect(member(p), GRID, np.full(21, 0.5))
    assert worst.max() == pytest.approx(float(fact["computed"]["defect of that unique candidate on b=1/2"]), rel=1e-7)
    at = float(fact["computed"]["at a"])
    assert defect(member(p), at, 0.5) == pytest.approx(worst.max(), rel=1e-12)
    assert not is_partition(member(p))
    assert fact["paper"] == "none"


@check(r"fam\.halfconds")
def halves(fact):
    assert [str(t(HALF, HALF)) for t in (godel, lukasiewicz)] == fact["computed"]
    assert [float(t(HALF, HALF)) for t in (godel, lukasiewicz)] == fact["paper"]
