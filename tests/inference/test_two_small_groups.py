"""Two small groups: an exact test whose size holds, and a sentence whose numbers fit together."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.groups.group_samples import fisher_mid_p


@pytest.mark.parametrize("sizes", [(1, 8), (3, 5), (6, 6)])
def test_the_size_of_the_exact_test(sizes: tuple[int, int]) -> None:
    """All tables of two groups that do not differ, each with its chance."""
    for share in (0.05, 0.1, 0.3, 0.5):
        rejected = 0.0
        for a in range(sizes[0] + 1):
            for b in range(sizes[1] + 1):
                if fisher_mid_p(np.array([a, b]), np.array(sizes)) < 0.05:
                    chances = [comb(n, k) * share**k * (1 - share) ** (n - k) for n, k in zip(sizes, (a, b), strict=True)]
                    rejected += chances[0] * chances[1]
        assert rejected < 0.06


def test_the_printed_test_fits_its_p_value() -> None:
    y, site = [1] * 9, ["x"] + ["y"] * 8
    found = ix.evaluate(y, [1] + [0] * 8, by={"site": site}, positive=1, classes=[0, 1]).compare_groups("recall", "site")
    assert found.test.method == "Fisher mid-p"
    assert found.test.p_value == pytest.approx(1 / 18)
    assert "chi-square" not in str(found)
    many = ix.evaluate([1] * 400, [1] * 150 + [0] * 50 + [1] * 100 + [0] * 100, by={"site": ["x"] * 200 + ["y"] * 200})
    assert str(many.compare_groups("recall", "site").test).startswith("chi-square")
    assert many.compare_groups("recall", "site").difference_interval.method == "square_and_add"
