"""Fixtures of all tests, those in docstrings and Markdown included."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, is_hypothesis_test, settings

import indicatrix as ix

# A pull request is judged by the same examples each time; every other run draws new ones.
USUAL = "ci" if os.environ.get("CI") else "local"
FEW = 5  # cases of a test, and examples of a law, that `make test-fast` runs
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("local", deadline=None)
settings.register_profile("fast", settings.get_profile(USUAL), max_examples=FEW)
# A mutant is judged by the same examples each time, never by the time they take, and the first that fails is enough.
settings.register_profile(
    "mutants", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
settings.load_profile(USUAL)


@pytest.hookimpl(tryfirst=True)  # before cases are left out for their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave few cases of each test, and few examples of each law, for the fast tests."""
    cases = Counter(map(test_of, items))
    met = Counter[str]()
    for item in items:
        test, law = test_of(item), getattr(item, "obj", None)
        if met[test] % -(-cases[test] // FEW):
            item.add_marker(pytest.mark.slow)
        met[test] += 1
        if config.getoption("--hypothesis-profile") == "fast" and is_hypothesis_test(law):
            draw_few(law)


def test_of(item: pytest.Item) -> str:
    """Return the name of a test without its case."""
    return item.nodeid.partition("[")[0]


def draw_few(law: Any) -> None:
    """Let a law draw few examples, however many its own settings ask for; Hypothesis has no public way to say so."""
    own = law._hypothesis_internal_use_settings
    law._hypothesis_internal_use_settings = settings(own, max_examples=min(FEW, own.max_examples))


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Give the registries back as they were: a test may add measures or averages, and the laws run over all that are there."""
    tables: tuple[dict[str, Any], ...] = (ix.MEASURES, ix.AVERAGES)
    before = [dict(table) for table in tables]
    yield
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)
