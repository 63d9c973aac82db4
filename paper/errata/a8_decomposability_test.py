"""The test for ratios of sums accepts measures that are not such ratios (sec:extensions).

It does so if the denominator may vanish or if the sample is poor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import indicatrix as ix

from ..record import Record, experiment


def fits(measure: Any, a: Sequence[int], b: Sequence[int], vectors: Iterable[Sequence[int]]) -> bool:
    """Return whether M <b, v> = <a, v> on all these count vectors, the paper's criterion."""

    def times(x: Sequence[int], v: Sequence[int]) -> int:
        return sum(p * q for p, q in zip(x, v, strict=True))

    return all(measure(ix.Counts(*map(Fraction, v))) * times(b, v) == times(a, v) for v in vectors)


@experiment("A8", "The test for decomposability")
def decomposability_test(record: Record) -> None:
    """Apply the test to three measures that are not ratios of sums, with poor samples."""
    mixed = list(product(range(1, 5), repeat=4))
    with_zeros = [v for v in product(range(4), repeat=4) if any(v)]
    same_n = [v for v in product(range(1, 8), repeat=4) if sum(v) == 10]
    one_hot = [(c, n - c, n - c, n * 3 + c) for n in range(2, 9) for c in range(1, n)]  # micro counts of five classes
    tp, constant = ix.measure("tp"), ix.measure("(tp+fp+fn+tn)/(tp+fp+fn+tn)")
    cases: list[tuple[Any, ...]] = [
        ("subset accuracy", ix.subset_accuracy, (0, 0, 0, 0), (0, 1, 1, 0), "all counts", with_zeros),
        ("tp", tp, (10, 0, 0, 0), (1, 1, 1, 1), "counts with n = 10", same_n),
        ("MCC", ix.mcc, (4, 0, -1, 0), (4, 0, 4, 0), "micro counts of five one-hot classes", one_hot),
    ]
    reasons = [
        "<b, v> vanishes where it is 1, so that nothing is said there: <b, v> != 0 must be asked for",
        "n tp/n is tp: the sample must vary n",
        "there MCC is (m acc - 1)/(m - 1): the sample must vary all four counts",
    ]
    header = ["measure", "a", "b", "M <b, v> = <a, v> for"]
    record.table("Coefficients that the equation accepts", header, [[c[0], *c[2:5]] for c in cases])
    for (name, measure, a, b, where, sample), reason in zip(cases, reasons, strict=True):
        record.holds(
            f"{name} is decomposable, as M <b, v> = <a, v> for {where}",
            ours=ix.properties(measure).decomposable,
            paper=fits(measure, a, b, sample),
            differs=reason,
            errata="A8",
        )
    record.finds(
        "the false coefficients of tp and MCC fail on mixed counts",
        not any(fits(measure, a, b, mixed) for _, measure, a, b, *_ in cases[1:]),
    )
    record.finds(
        "a constant has more than one solution, so that one singular vector does not give its coefficients",
        fits(constant, (1, 0, 0, 0), (1, 0, 0, 0), mixed) and fits(constant, (0, 1, 0, 0), (0, 1, 0, 0), mixed),
    )
