"""Fixtures of all tests, those in docstrings and Markdown included."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import Phase, settings

import indicatrix as ix

# A pull request is judged by the same examples each time; every other run draws new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("local", deadline=None)
# A mutant is judged by the same examples each time, and the first that fails is enough.
settings.register_profile("mutants", derandomize=True, deadline=None, phases=[Phase.explicit, Phase.generate])
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Give the registries back as they were: a test may add measures or averages, and the laws run over all that are there."""
    tables: tuple[dict[str, Any], ...] = (ix.MEASURES, ix.AVERAGES)
    before = [dict(table) for table in tables]
    yield
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)
