"""Micro minus macro of random classifiers: what fig:cov draws and errata C26 counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import indicatrix as ix

M = 5  # classes
SYMMETRIC, DIAGONAL = np.full((M, M), 3.0), np.ones((M, M)) + 2 * np.eye(M)  # the two readings of rates with parameter 3


@dataclass(frozen=True)
class Gaps:
    """Micro minus macro of many classifiers, and Cov(w, M) for weights that sum to one."""

    gap: Any
    covariance: Any

    @property
    def divided(self) -> Any:
        """Return Cov(w, M)/mean(w), which does not depend on the scale of the weights."""
        return self.covariance * M


def classifiers(priors: float, rates: Any, *, trials: int, seed: int) -> Any:
    """Return confusion matrices that sum to one: Dirichlet priors times Dirichlet rows of rates."""
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.dirichlet(row, trials) for row in rates], axis=1)
    return rng.dirichlet(np.full(M, priors), trials)[:, :, None] * rows


def gaps(measure: str, tables: Any) -> Gaps:
    """Return the gaps of all classifiers at once: counts may be arrays of any shape."""
    found = ix.algebra.MEASURES[measure]
    tp, tpos, ppos = np.einsum("tjj->tj", tables), tables.sum(axis=2), tables.sum(axis=1)
    counts = ix.Counts(tp=tp, fp=ppos - tp, fn=tpos - tp, tn=1 - tpos - ppos + tp)
    pooled = ix.Counts(*(cell.sum(axis=1) for cell in counts))
    values, weights = found(counts), found.denominator(counts) / found.denominator(pooled)[:, None]
    macro = values.mean(axis=1)
    return Gaps(found(pooled) - macro, ((weights - 1 / M) * (values - macro[:, None])).mean(axis=1))
