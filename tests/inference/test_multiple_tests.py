"""Holm and Benjamini–Hochberg agree with statsmodels, keep nan and keep shapes."""

from __future__ import annotations

import numpy as np
import pytest

from indicatrix.inference.stats.several_tests import benjamini_hochberg, holm

FAMILIES = {holm: "holm", benjamini_hochberg: "fdr_bh"}


@pytest.mark.parametrize("adjust", FAMILIES)
@pytest.mark.parametrize("size", [1, 2, 3, 10, 57])
@pytest.mark.one_fast_case
def test_adjusted_p_values_are_those_of_statsmodels(adjust, size) -> None:
    multipletests = pytest.importorskip("statsmodels.stats.multitest").multipletests
    rng = np.random.default_rng(size)
    for p in (rng.random(size), rng.random(size) ** 4, np.round(rng.random(size), 1), np.ones(size), np.zeros(size)):
        np.testing.assert_allclose(adjust(p), multipletests(p, method=FAMILIES[adjust])[1], rtol=1e-12)


@pytest.mark.parametrize("adjust", FAMILIES)
def test_a_test_that_was_not_made_stays_nan_and_does_not_count(adjust) -> None:
    known = adjust([0.01, 0.04, 0.03])
    np.testing.assert_array_equal(adjust([0.01, np.nan, 0.04, 0.03, np.nan]), [known[0], np.nan, known[1], known[2], np.nan])
    assert np.isnan(adjust([np.nan])).all()
    assert adjust([]).shape == (0,)


@pytest.mark.parametrize("adjust", FAMILIES)
def test_a_table_stays_a_table(adjust) -> None:
    p = np.array([[np.nan, 0.01, 0.2], [0.01, np.nan, 0.03]])
    assert adjust(p).shape == p.shape
    np.testing.assert_array_equal(adjust(p).ravel(), adjust(p.ravel()))


@pytest.mark.parametrize("adjust", FAMILIES)
@pytest.mark.parametrize("wrong", [-0.1, 1.1])
def test_a_number_that_is_not_a_p_value_is_refused(adjust, wrong) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([0.5, wrong])
