"""Fixtures of all tests, those in docstrings and Markdown included."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import indicatrix as ix


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Give the registry back as it was: a test may register measures, and the laws run over all that are registered."""
    before = dict(ix.MEASURES)
    yield
    ix.MEASURES.clear()
    ix.MEASURES.update(before)
