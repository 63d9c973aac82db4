"""A kind of measure of one's own, whose source gives itself with its examples counted so often: intervals and comparisons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import lacking_axis
from indicatrix.algebra.kind import Kind
from indicatrix.algebra.measure import Measure

RNG = np.random.default_rng(4)
N = 60
TRUE = RNG.normal(size=N)
NEAR, FAR = TRUE + RNG.normal(size=N) * 0.4, TRUE + RNG.normal(size=N) * 0.9
GROUPS = np.arange(N) // 6


@dataclass(frozen=True)
class Moments:
    """Sums of numbers, of their squares and of their products: the statistic."""

    sums: Any
    per: tuple[str, ...] = ()
    names: tuple[Any, ...] = ()
    times: Any = None

    @property
    def counts(self) -> Any:
        """Four counts, of which only the number of examples is known."""
        return ix.Counts(tp=self.sums[0], fp=0.0, fn=0.0, tn=0.0)


@dataclass(frozen=True)
class Pairs:
    """True and predicted numbers: the source."""

    x: Any
    y: Any
    times: Any = None
    positive = None

    @property
    def n(self) -> int:
        """How many examples were sampled."""
        return len(self.x)

    def counted(self, times: Any) -> Pairs:
        """Return the same pairs, each counted so often."""
        return replace(self, times=times)

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no units of some axes."""
        return lacking_axis(per, ())

    def units(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> Moments:
        """Return the sums over all pairs."""
        w = np.ones(self.n) if self.times is None else self.times
        columns = np.stack([np.ones(self.n), self.x, self.y, self.x**2, self.y**2, self.x * self.y])
        return Moments(columns @ w)


class Unsampled(Pairs):
    """A source that does not say what was sampled."""

    counted = None  # type: ignore[assignment]


def correlation(n: Any, x: Any, y: Any, xx: Any, yy: Any, xy: Any) -> Any:
    """Return Pearson's correlation from sums."""
    return (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))


NUMBERS = Kind(
    "numbers",
    what="sums of numbers",
    takes="pairs of numbers",
    names=("x", "y"),
    source="pairs",
    is_source=lambda given: isinstance(given, Pairs),
    make=Pairs,
    like=lambda: Pairs,
    check_options=lambda caller, options: None,
    is_unit=lambda given: isinstance(given, Moments),
    unit="sums",
    value="one number",
    apply=lambda measure, units: measure.function(*units.sums),
    check_parameter=lambda measure, name, value: None,
    help=("algebra.kind", "find_kind"),
    averaged=False,
)
PEARSON = Measure("pearson_of_tests", correlation, "higher", (-1.0, 1.0), reads=NUMBERS)
ONE, OTHER = Pairs(TRUE, NEAR), Pairs(TRUE, FAR)


def test_its_intervals_have_the_value_and_the_variance_of_large_samples() -> None:
    value = float(np.corrcoef(TRUE, NEAR)[0, 1])
    assert float(PEARSON.score(ONE)) == pytest.approx(value, rel=1e-12)
    z, width = np.arctanh(value), 1.96 / np.sqrt(N - 3)
    fisher = np.tanh(z - width), np.tanh(z + width)
    for method in (None, "delta", "jackknife", "skewed", "percentile", "posterior"):
        found = ix.inference.interval(ONE, PEARSON, method=method, draws=400)
        assert found.value == pytest.approx(value, rel=1e-12)
        assert (found.low, found.high) == pytest.approx(fisher, abs=0.06), method
        assert found.method == (method or "bca")


def test_clusters_of_copies_have_the_interval_of_the_originals() -> None:
    copies, ids = Pairs(np.repeat(TRUE, 3), np.repeat(NEAR, 3)), np.repeat(np.arange(N), 3)
    alone = ix.inference.interval(ONE, PEARSON, method="percentile", draws=300)
    together = ix.inference.interval(copies, PEARSON, method="percentile", draws=300, clusters=ids)
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), rel=1e-9)


def test_two_are_compared_on_the_same_examples() -> None:
    made = ix.compare({"near": ONE, "far": OTHER}, PEARSON, level=0.9)
    (found,) = made.differences
    assert (found.first, found.second, found.clear) == ("near", "far", True)
    assert found.value == pytest.approx(float(PEARSON.score(ONE)) - float(PEARSON.score(OTHER)))
    assert made.rows[0].best == (True, False)
    assert found.low < made.differences[0].value < found.high
    same = ix.compare({"near": ONE, "again": ONE}, PEARSON, method="bootstrap").differences[0]
    assert (same.low, same.high, same.clear) == (0, 0, False)
    grouped = ix.compare({"near": ONE, "far": OTHER}, PEARSON, method="delta", clusters=GROUPS).differences[0]
    assert grouped.low < grouped.value < grouped.high


def test_what_was_sampled_must_be_known() -> None:
    with pytest.raises(ValueError, match="does not say what was sampled: give it n, and counted"):
        ix.inference.interval(Unsampled(TRUE, NEAR), PEARSON)
    with pytest.raises(ValueError, match="n is their number"):
        ix.compare({"near": ONE, "few": Pairs(TRUE[:5], NEAR[:5])}, PEARSON)
    with pytest.raises(ValueError, match="Leave method= out"):
        ix.inference.interval(ONE, PEARSON, method="replicates")
    with pytest.raises(TypeError, match="measures= is missing"):
        ix.compare({"near": ONE, "far": OTHER})


def test_what_does_not_fit_is_refused_with_what_the_measure_reads() -> None:
    ev, swept = ix.evaluate([0, 1, 1], [0, 1, 0], by={"site": [0, 0, 1]}), ix.sweep([0, 1, 1], [0.1, 0.2, 0.3])
    own = "pearson_of_tests reads sums of numbers, which {} does not have"
    for call, source in (
        (lambda: ev.score(PEARSON), "Evaluation"),
        (lambda: ev.units(PEARSON), "Evaluation"),
        (lambda: ev.interval(PEARSON), "Evaluation"),
        (lambda: ev.values(PEARSON), "Evaluation"),
        (lambda: ev.values(PEARSON, "site"), "Evaluation"),
        (lambda: ev.compare_groups(PEARSON, "site"), "Evaluation"),
        (lambda: swept.units(PEARSON), "Sweep"),
        (lambda: PEARSON.score(swept), "Sweep"),
    ):
        with pytest.raises(ValueError, match=own.format(source)):
            call()
    for average in (None, "macro", "exemplar"):
        with pytest.raises(ValueError, match="f1 reads four counts, which Pairs does not have"):
            ix.f1.score(ONE, average)
    assert ix.explain(PEARSON).use == ("Where sums of numbers is what matters.",)
