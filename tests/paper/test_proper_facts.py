"""The recomputed fact of the group logloss: the paper's log loss and the usual one (errata A10)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from facts import Checkers

from indicatrix.scores.probabilities.proper_scores import brier, log_loss

checks = Checkers("logloss")


@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


def as_printed(Y, P):
    """Return -(1/nm) Σ1(Y ∘ log P)."""
    return -np.log(np.asarray(P, float)[np.asarray(Y) == 1]).sum() / np.size(Y)


@checks(r"logloss")
def the_printed_log_loss(fact):
    n, m, (first, second) = fact["inputs"]["n"], fact["inputs"]["m"], fact["inputs"]["true-class probs"]
    P = [[first, 1 - first, 0], [(1 - second) / 2, second, (1 - second) / 2]]
    Y = [[1, 0, 0], [0, 1, 0]]
    assert np.shape(P) == (n, m)
    usual = log_loss([0, 1], P)
    assert usual == pytest.approx((math.log(2) + math.log(4)) / 2, rel=1e-15)
    assert as_printed(Y, P) == pytest.approx((math.log(2) + math.log(4)) / 6, rel=1e-15)
    assert fact["computed"] == f"(ln2+ln4)/6 = {as_printed(Y, P):.6f} vs standard (ln2+ln4)/2 = {usual:.6f}"
    assert not fact["agrees"]
    # Several labels: the printed formula omits (1 - Y) log(1 - P), so that P = 1 everywhere costs nothing.
    assert as_printed(Y, np.ones((n, m))) == 0
    assert log_loss(Y, np.ones((n, m)), clip=0) == math.inf
    assert log_loss(Y, np.ones((n, m))) > 20
    # The printed Brier score is 1/m of the original.
    printed = ((np.array(Y) - P) ** 2).sum() / (n * m)
    assert brier([0, 1], P, normalize="nm") == pytest.approx(printed, rel=1e-15)
    assert brier([0, 1], P) == pytest.approx(m * printed, rel=1e-15)
