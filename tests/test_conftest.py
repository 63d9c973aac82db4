"""The fast tests run every law, on a few examples each."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import FEW, draw_few


def test_a_law_of_the_fast_tests_draws_few_examples() -> None:
    drawn = []

    @settings(max_examples=200, database=None)
    @given(st.integers())
    def law(x: int) -> None:
        drawn.append(x)

    draw_few(law)
    law()
    assert 0 < len(drawn) <= FEW
