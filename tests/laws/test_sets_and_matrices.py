"""Sets and the same data as a 0/1 matrix with ``classes=`` give equal evaluations, in any order of the columns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each
from scipy import sparse

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.tally.saved.saved_tally import to_json

NAMES = ["ant", "bee", "cat", "dog"]
ROWS = st.lists(st.tuples(*[st.sets(st.sampled_from(NAMES))] * 2), max_size=12)


def matrix(sets, classes):
    return np.array([[c in row for c in classes] for row in sets], int).reshape(len(sets), len(classes))


@given(ROWS, st.permutations(NAMES), st.booleans(), st.booleans())
def test_sets_and_the_matrix_are_equal(rows, order, grouped, weighted):
    y, z = [list(side) for side in zip(*rows, strict=True)] if rows else ([], [])
    options = {"by": {"site": [len(row) for row in y]}} if grouped else {}
    options |= {"sample_weight": [k % 3 + 0.5 for k in range(len(y))]} if weighted else {}
    classes = [c for c in order if any(c in row for row in (*y, *z))]
    sets = ix.evaluate(y, z, **options)
    if not classes:
        return  # a matrix of no columns and rows has nothing to compare
    tables = [matrix(side, classes) for side in (y, z)]
    for pair in (tables, [sparse.csr_array(t) for t in tables], [t.astype(bool) for t in tables]):
        made = ix.evaluate(*pair, classes=classes, **options)
        assert made == sets
        assert sets == made
        for measure in ("f1", "mcc"):
            for average in averages_over("class", "example"):
                one, other = sets.score(measure, average), made.score(measure, average)
                np.testing.assert_allclose(float(one), float(other), rtol=1e-12, atol=1e-15)


@given(ROWS.filter(lambda rows: len({c for pair in rows for side in pair for c in side}) > 1), st.integers(0, 3))
def test_one_other_entry_makes_them_differ(rows, column):
    y, z = (list(side) for side in zip(*rows, strict=True))
    other = [set(z[0]) ^ {NAMES[column]}, *z[1:]]
    assert ix.evaluate(y, z, classes=NAMES) != ix.evaluate(y, other, classes=NAMES[::-1])


def test_other_names_are_other_evaluations():
    y, z = [[1, 0], [1, 1]], [[1, 0], [0, 1]]
    assert ix.evaluate(y, z, classes=["a", "b"]) != ix.evaluate(y, z, classes=["b", "a"])
    assert ix.evaluate(y, z, classes=["a", "b"]) != ix.evaluate(y, z, classes=["a", "c"])
    assert ix.evaluate(y, z, classes=["a", "b"]) != ix.evaluate(y, z)


def test_an_order_with_a_meaning_is_compared():
    small = ix.evaluate(["S", "M", "L"], ["S", "M", "M"], classes=["S", "M", "L"])
    assert small != ix.evaluate(["S", "M", "L"], ["S", "M", "M"], classes=["L", "M", "S"])


@for_each("n", [1, 2, 63, 64, 65, 5000])
@for_each("m", [1, 2, 7, 8, 20, 65, 130])
def test_columns_that_lie_in_one_piece_give_the_same_state(n, m):
    rng = np.random.default_rng(n * m)
    y = rng.random((n, m)) < rng.choice([0, 0.1, 0.5, 0.99, 1], m)
    z = y ^ (rng.random((n, m)) < 0.2)
    state = to_json(ix.evaluate(y, z).tally)  # with second moments
    for kind in (bool, np.uint8, np.int8):
        assert to_json(ix.evaluate(*(np.asfortranarray(side, kind) for side in (y, z))).tally) == state
