"""Every measure of the catalogue is right to a few units in the last place, or undefined exactly where its definition is.

The definitions of the literature are in ``fuzz/definitions.py``; here they are evaluated with logarithms to 80 digits.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from loops import for_each
from mpmath import mp

import indicatrix as ix
from fuzz.definitions import DEFINITIONS, IRRATIONAL, RATIONAL, SCALES, SETTINGS, Exact, Table
from indicatrix.algebra.counts import Counts
from indicatrix.algebra.measure import MEASURES

NAMES = [name for name in dir(ix.measures) if name in MEASURES]
ULPS = 5  # the worst on these vectors is 4; one more for another mathematical library
VECTORS = 2_000

MEASURES_AND_SETTINGS = [MEASURES[name].at(**s) for name in NAMES for s in SETTINGS.get(name, ({},))]


def adversarial(size: int, top: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """Count vectors up to ``top``: every pattern of zeros, all small ones, all magnitudes mixed, and those that cancel."""
    rng = random.Random(seed)
    magnitude = math.log(top)

    def some() -> int:
        return rng.choice((1, 2, 3, top, top - 1, rng.randint(1, top), round(math.exp(rng.uniform(0, magnitude))) or 1))

    vectors = list(product(range(4), repeat=4))
    for pattern in product((0, 1), repeat=4):
        vectors += [tuple(bit * some() for bit in pattern) for _ in range(size // 80)]
    before, last = 1, 1
    while before + last <= top:  # tp tn - fp fn = +1 or -1
        vectors += [(before, last, last, before + last), (last, before, before + last, last)]
        before, last = last, before + last
    while len(vectors) < size:
        kind, k = rng.randrange(5), rng.randint(1, top - 3)
        near = [k + rng.randint(0, 3) for _ in range(4)]
        if kind == 0:  # all cells nearly equal
            v = near
        elif kind == 1:  # determinant +1 or -1 with unlike cells
            tp, fp = rng.randint(1, top), rng.randint(1, top)
            if math.gcd(tp, fp) != 1:
                continue
            tn = pow(tp, -1, fp) if fp > 1 else 1
            v = [tp, fp, (tp * tn - 1) // fp, tn]
        elif kind == 2:  # 4 tp**2 close to the smaller marginal, tp tn close to (fp + fn - tp)**2
            tp = rng.randint(1, max(1, math.isqrt(top) // 2 - 1))
            v = [tp, max(0, 4 * tp * tp - tp + rng.randint(-1, 1)), some(), some()]
        elif kind == 3:  # rates close to each other, or to one
            v = [k, rng.randint(0, 2), rng.randint(0, 2), near[0]]
            rng.shuffle(v)
        else:
            v = [some() for _ in range(4)]
        vectors.append(tuple(v))
    return tuple(vectors)


LARGE = adversarial(VECTORS, 2**62, seed=1)
SMALL = adversarial(VECTORS // 4, 2**15 - 1, seed=2)  # four cells below 2**15: their total is below 2**17


@cache
def as_counts(vectors) -> Counts:
    return Counts(*np.array(vectors, dtype=np.int64).T)


@cache
def tables(vectors) -> list[Table]:
    return [Table(*v) for v in vectors]


def exact(value):
    """A parameter as a number that the definitions calculate with."""
    return value if isinstance(value, int) else Exact(*value.as_integer_ratio())


def expected(definition, vectors, params) -> np.ndarray:
    """The correctly rounded value of a definition on each vector."""
    params = {name: exact(value) for name, value in params.items()}
    values = np.array([float(definition(table, **params)) for table in tables(vectors)])
    # No irrational value of these counts is nearer to zero than 1e-45 unless it is zero; 80 digits leave a residue there.
    if definition not in RATIONAL.values():
        values[np.abs(values) < 1e-60] = 0.0
    return values


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(80):
        yield


@pytest.mark.slow
@for_each("vectors", [LARGE, SMALL])
@for_each("m", MEASURES_AND_SETTINGS)
def test_value_is_exact_to_a_few_ulp_or_undefined_where_its_definition_is(m, vectors):
    want = expected(DEFINITIONS[m.name], vectors, m.params)
    got = m.values(as_counts(vectors))
    defined = np.isfinite(want)
    np.testing.assert_array_equal(got[~defined], want[~defined])
    got, want = got[defined], want[defined]
    scale = np.abs(want)
    if m.name in SCALES:
        scale = np.maximum(scale, expected(SCALES[m.name], vectors, m.params)[defined])
    off = np.abs(got - want) / np.spacing(scale)
    worst = int(np.argmax(off))
    assert off[worst] <= ULPS, (m, np.array(vectors)[defined][worst], got[worst], want[worst])


def test_every_measure_has_an_independent_definition():
    assert set(NAMES) == {*RATIONAL, *IRRATIONAL}, "Add its definition to RATIONAL or IRRATIONAL in fuzz/definitions.py."
    assert not {*RATIONAL} & {*IRRATIONAL}
    assert {name for name in NAMES if MEASURES[name].params} == {*SETTINGS}


@for_each("m", MEASURES_AND_SETTINGS)
def test_one_count_vector_has_the_value_that_it_has_among_many(m):
    several = LARGE[::50]
    alone = [m.values(Counts(*v)) for v in several]
    np.testing.assert_array_equal(alone, m.values(as_counts(several)))


@for_each("m", [m for m in MEASURES_AND_SETTINGS if m.name in RATIONAL])
def test_fractions_give_the_exact_value(m):
    params = {name: exact(Fraction(str(value))) for name, value in m.params.items()}  # 0.1 is a tenth among exact counts
    for v in SMALL[::5]:
        value = m(Counts(*map(Fraction, v)))
        want = RATIONAL[m.name](Table(*v), **params)
        want = Fraction(want.top, want.bottom) if isinstance(want, Exact) else want
        assert isinstance(value, Fraction) or not math.isfinite(want)
        assert value == want or (value != value and want != want)
