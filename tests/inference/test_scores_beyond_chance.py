"""Intervals of scores that are corrected for chance: their range begins where the margins of the sample allow."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.estimators.lowest_at_margins import least_agreement, span_at_margins
from indicatrix.inference.estimators.of_evaluation import estimator_of


def tables_of(cells: int, n: int) -> list[tuple[int, ...]]:
    """Return all ways to spread n examples over cells."""
    return [(*some, n - sum(some)) for some in product(range(n + 1), repeat=cells - 1) if sum(some) <= n]


@pytest.mark.parametrize(("m", "n"), [(2, 6), (3, 4)])
def test_no_table_with_the_same_margins_agrees_less(m: int, n: int) -> None:
    least: dict[tuple[int, ...], int] = {}
    for cells in tables_of(m * m, n):
        table = np.array(cells).reshape(m, m)
        margins = (*table.sum(axis=0).tolist(), *table.sum(axis=1).tolist())
        least[margins] = min(least.get(margins, n), int(np.trace(table)))
    for margins, trace in least.items():
        columns, rows = np.array(margins[:m], float), np.array(margins[m:], float)
        found = least_agreement(np.outer(rows, columns) / n)
        assert np.trace(found) == pytest.approx(trace, abs=1e-9)
        assert found.sum() == pytest.approx(n)
        assert found.sum(axis=0) == pytest.approx(columns)


def exact_coverage(measure: str, n: int, prevalence: float, errors: float) -> float:
    """Return how often the default interval covers, over all tables of two classes, weighted by their probability."""
    chances = np.array(
        [(1 - prevalence) * (1 - errors), (1 - prevalence) * errors, prevalence * errors, prevalence * (1 - errors)]
    )
    truth = float(ix.from_confusion((chances * 10**6).round().astype(int).reshape(2, 2), positive=1).score(measure, "binary"))
    covered = known = 0.0
    for tn, fp, fn, tp in tables_of(4, n):
        ways = comb(n, tn) * comb(n - tn, fp) * comb(n - tn - fp, fn)
        chance = ways * float(np.prod(chances ** np.array([tn, fp, fn, tp])))
        if chance < 1e-6:  # all of them together are less than a thousandth
            continue
        found = ix.inference.interval(ix.from_confusion([[tn, fp], [fn, tp]], positive=1), measure, "binary")
        if np.isfinite(found.low):
            known, covered = known + chance, covered + chance * (found.low <= truth <= found.high)
    return covered / known


@pytest.mark.one_fast_case
@pytest.mark.parametrize("measure", ["kappa", "mcc"])
def test_kappa_and_mcc_of_a_rare_class_are_covered(measure: str) -> None:
    assert 0.93 < exact_coverage(measure, 16, 0.15, 0.2) < 0.985


@pytest.mark.parametrize("table", [[[90, 3], [2, 5]], [[12, 1], [3, 1]], [[40, 10], [5, 45]]])
@pytest.mark.parametrize(
    ("formula", "of"), [("0.5*kappa + 0.5", "kappa"), ("3*mcc", "mcc"), ("2*f1 - 1", "f1"), ("4*jaccard - 3", "jaccard")]
)
def test_what_a_score_begins_with_follows_from_its_formula(table: Any, formula: str, of: str) -> None:
    ev = ix.from_confusion(table, positive=1)
    numbers = {"0.5*kappa + 0.5": (0.5, 0.5), "3*mcc": (3, 0), "2*f1 - 1": (2, -1), "4*jaccard - 3": (4, -3)}
    times, more = numbers[formula]
    one, other = (ix.inference.interval(ev, name, "binary", method="score") for name in (of, formula))
    assert (other.low, other.high) == pytest.approx((times * one.low + more, times * one.high + more), abs=1e-6)


@pytest.mark.parametrize("name", ["f1", "accuracy", "jaccard"])
def test_equal_classes_do_not_make_a_score_one_of_chance(name: str) -> None:
    ev = ix.from_confusion([[25, 5], [5, 25]])
    score = ev.score(name, "macro")
    estimator = estimator_of(ev, score.measure, score, None)
    assert span_at_margins(estimator) == estimator.span == (0, 1)


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha"])
def test_raters_who_agree_on_no_rare_class_may_still_agree_well(name: str) -> None:
    items = [["a", "a", "a"]] * 18 + [["a", "a", "b"], ["a", "b", "a"]]
    found = ix.agreement(items).interval(name)
    assert found.value < 0
    assert found.low > -0.1  # no ratings with these classes agree less
    assert found.high > 0.7  # two items of 20 tell little about the rare class


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize(("score", "mirror"), [("balanced_accuracy", "balanced_error_rate"), ("cohen_kappa", "1 - cohen_kappa")])
def test_a_mirrored_score_has_the_mirrored_interval(score: str, mirror: str, average: str) -> None:
    ev = ix.from_confusion([[90, 3, 2], [4, 20, 1], [2, 1, 6]])
    one, other = (ev.interval(name, average, method="score") for name in (score, mirror))
    assert (1 - other.high, 1 - other.low) == pytest.approx((one.low, one.high), abs=1e-9)
    assert one.low < one.value < one.high
