"""Large counts in floats, where the degree of a formula allows it: the same bits as with Python integers."""

from __future__ import annotations

import numpy as np
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.arrays import EXACT_IN_FLOAT64, FEW
from indicatrix.algebra.numbers.recorded_counts import exact_below

UNITS = 3 * FEW


@for_each("name", sorted({m.name for m in ix.algebra.MEASURES.values()}))
def test_floats_give_the_bits_of_integers_up_to_the_limit(name: str) -> None:
    measure, rng = ix.algebra.MEASURES[name], np.random.default_rng(0)
    limit = exact_below(measure.function, measure.params_for(0.0))
    for total in (EXACT_IN_FLOAT64, int(limit**0.5) + EXACT_IN_FLOAT64, limit - 1):
        four = np.floor(rng.dirichlet((0.3, 0.3, 0.3, 0.3), UNITS).T * total).astype(np.int64)
        four[rng.random(four.shape) < 0.1] = 0
        few = [measure(ix.Counts(*four[:, i : i + FEW])) for i in range(0, UNITS, FEW)]  # one by one, as Python integers
        np.testing.assert_array_equal(measure(ix.Counts(*four)), np.concatenate(few))


def test_the_degree_decides_and_what_is_more_than_arithmetic_keeps_the_smallest_limit() -> None:
    def squares(tp: int, fp: int, fn: int, tn: int) -> float:
        return tp**2 / (tp**2 + fp)

    def cases(tp: int, fp: int, fn: int, tn: int) -> float:
        return 1.0 if tp > fp else 0.0

    assert exact_below(squares, {}) == 2**26
    assert exact_below(cases, {}) == EXACT_IN_FLOAT64
