"""Fixtures of all tests, those in docstrings and Markdown included."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

import indicatrix as ix

# A pull request is judged by the same examples each time; every other run draws new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("local", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Give the registries back as they were: a test may add measures and averages, and the laws run over all of them."""
    before = dict(ix.MEASURES), dict(ix.AVERAGES)
    yield
    for table, rows in zip((ix.MEASURES, ix.AVERAGES), before, strict=True):
        table.clear()
        table.update(rows)  # type: ignore[arg-type]
