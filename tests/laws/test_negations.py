"""Laws of the negations: their axioms, the cells they make with every t-norm, and what only 1 - x keeps."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import array_api_strict
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.fuzzy.negations import NEGATIONS, is_family, sugeno, yager
from indicatrix.algebra.fuzzy.tnorms import TNORMS

unit = st.floats(0, 1) | st.sampled_from([0.0, 5e-324, 1e-16, 0.5, 1 - 2**-53, 1.0])
PARAMETERS = {"sugeno": (-0.99, -0.5, 1, 50), "yager": (0.1, 0.5, 2, 30)}  # to try of the families
ONE_WAY: set[str] = set()  # those that do not undo themselves
MEMBERS = [n for name, entry in NEGATIONS.items() for n in (map(entry, PARAMETERS[name]) if is_family(entry) else (entry,))]
members = st.sampled_from(MEMBERS)
NORMS = [t(2) if is_family(t) else t for t in TNORMS.values()]
SOFT = np.array([[0.6, 0.0, 1.0], [0.25, 0.5, 0.125]]), np.array([[0.7, 1.0, 0.0], [0.5, 0.75, 0.5]])


@given(members, unit, unit)
def test_a_negation_exchanges_0_and_1_and_never_rises(n, a, b):
    low, high = sorted((a, b))
    assert (n(0.0), n(1.0)) == (1.0, 0.0)
    assert 0 <= n(high) <= n(low) <= 1
    assert float(n(np.array([a]))[0]) == n(a)
    assert n(array_api_strict.asarray([a])).dtype == array_api_strict.float64
    if 0.05 < n(a) < 0.95 and n.name not in ONE_WAY:
        assert abs(n(n(a)) - a) < 1e-9


def test_families_pass_through_the_standard_one():
    assert sugeno(0) is yager(1) is ix.algebra.negation("standard")
    assert sugeno(Fraction(1, 2))(Fraction(1, 3)) == Fraction(4, 7)
    for n in (*MEMBERS, ix.algebra.tnorm("frank(s=2)").with_negation(sugeno(3))):
        assert pickle.loads(pickle.dumps(n)) == copy.deepcopy(n) == n


@for_each("norm", NORMS)
@for_each("spec", [repr(entry(2) if is_family(entry) else entry) for entry in NEGATIONS.values()])
def test_cells_are_the_t_norm_of_memberships_and_complements(norm, spec):
    y, z = SOFT
    n = ix.algebra.negation(spec)
    expected = [norm(a, b).sum(axis=0) for a, b in ((y, z), (n(y), z), (y, n(z)), (n(y), n(z)))]
    ev = ix.evaluate(y, z, tnorm=norm, negation=spec)
    np.testing.assert_allclose(np.array(list(ev.aggregate("class"))), expected, atol=1e-15)
    literal = ix.cells(y, z, tnorm=norm, negation=spec)
    np.testing.assert_allclose(np.array(list(literal.aggregate("class"))), expected, atol=1e-15)
    crisp = [x >= 0.5 for x in SOFT]
    assert ix.evaluate(*crisp, tnorm=norm, negation=spec).aggregate("class").fp.tolist() == (
        ix.evaluate(*crisp).aggregate("class").fp.tolist()
    )


@pytest.mark.slow
def test_only_the_standard_complement_keeps_marginals_and_totals():
    assert ix.algebra.is_marginally_consistent("product", negation="standard")
    for spec in ("sugeno(s=1)", "yager(w=2)"):
        for norm in ("product", "lukasiewicz"):
            assert not ix.algebra.is_marginally_consistent(norm, negation=spec)
            assert not ix.algebra.is_partition(norm, negation=spec)
        assert ix.algebra.tnorm("product").with_negation(ix.algebra.negation(spec)).conorm(0.0, 0.25) == pytest.approx(0.25)


def test_the_complement_travels_with_the_evaluation(tmp_path):
    ev = ix.evaluate(*SOFT, tnorm="product", negation="sugeno(s=1)")
    ev.save(tmp_path / "ev.json")
    assert ix.load(tmp_path / "ev.json") == ev
    parts = [ix.evaluate(SOFT[0][i : i + 1], SOFT[1][i : i + 1], tnorm="product", negation="sugeno(s=1)") for i in (0, 1)]
    assert parts[0] + parts[1] == ev
    with pytest.raises(ValueError, match="negation"):
        parts[0] + ix.evaluate(SOFT[0][1:], SOFT[1][1:], tnorm="product")
    assert "negation" not in ix.evaluate(*SOFT, tnorm="product", negation="standard").recipe.in_words()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.evaluate([0, 1], [1, 1], negation="sugeno(s=1)"), "Pass tnorm= as well"),
        (lambda: ix.algebra.negation("zadeh"), "standard, sugeno"),
        (lambda: ix.algebra.negation("sugeno(s=-1)"), "greater than -1"),
        (lambda: ix.algebra.negation("yager(w=0)"), "greater than 0"),
        (lambda: ix.algebra.negation(lambda x: x), "is not a negation"),
        (lambda: ix.evaluate([[1.0, 0]], [[0.5, 0.5]], tnorm="product", negation="yager(w=2)", cost="zero_one"), "sum to 1 only"),
    ],
)
def test_what_is_no_negation_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
    for wrong in (lambda: ix.algebra.negation(3), lambda: sugeno("2")):
        with pytest.raises(TypeError):
            wrong()
