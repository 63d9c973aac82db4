"""A small version of ``python -m benchmarks.coverage``: the default intervals cover the true score as often as they say."""

from __future__ import annotations

import math

import pytest

from benchmarks.coverage import Case, cases, coverages

SAMPLES = 200
EASY = [case for case in cases() if case.n == 200 and "balanced" in case.population and "3 " in case.population]
AREAS = [case for case in cases() if case.n == 200 and case.population.startswith("normal, 50%")]


@pytest.mark.slow
@pytest.mark.parametrize("case", [*EASY, *AREAS], ids=lambda c: f"{c.population}: {c.average} {c.measure}")
def test_the_default_interval_covers(case: Case) -> None:
    (found,) = coverages([case], SAMPLES, seed=3)
    error = 2.5 * math.sqrt(0.05 * 0.95 / SAMPLES)  # standard errors of a share of 0.95
    assert case.least - error < found.coverage <= min(1, case.most + error)


def test_every_kind_of_data_has_cases_of_all_sizes() -> None:
    every = list(cases())
    assert {case.kind for case in every} == {"one class", "several labels", "scores"}
    assert {case.n for case in every} == {50, 200, 1000}
    assert len({(c.population, c.measure, c.average, c.n) for c in every}) == len(every)
