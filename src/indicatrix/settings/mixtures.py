"""Memberships as mixtures of classes: rows that sum to 1, which a cost matrix can price (errata A4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..algebra.arrays import Array
from ..algebra.fuzzy.negations import standard
from ..algebra.fuzzy.tnorms import TNorm
from ..algebra.makers import LABEL_ARGUMENTS
from ..encode.pairs import Pair
from ..encode.weights import check_mask
from .problem import Problem

ONE = 1e-5  # the memberships of an example may differ from the sum 1 by this much, as with float32 softmax
UNKNOWN = "If an entry was not observed, the cost of its example is unknown. Mask whole examples."


def check_mixtures(problem: Problem, *, may_abstain: bool) -> None:
    """Refuse memberships that are not mixtures of classes, where a cost matrix prices pairs of classes.

    With ``may_abstain`` a prediction may sum to less than 1: the rest is the share of answers that name no class.
    """
    pair = problem.pair
    assert problem.norm is not None
    check_product(problem.norm)
    mask = check_mask(problem.mask, problem.n, len(pair.y.classes))
    if pair.cells is not None or (mask is not None and mask.shape[1] > 1):
        raise ValueError(UNKNOWN)
    seen = np.ones(pair.y.n, bool)
    if mask is not None:
        seen = mask[:, 0] if pair.rows is None else mask[pair.rows, 0]
    for _ in mixtures(pair, seen, may_abstain=may_abstain):
        pass


def check_product(norm: TNorm) -> None:
    """Refuse a t-norm that does not multiply memberships as probabilities of independent events."""
    if norm.negation != standard:
        raise ValueError(
            f"negation={norm.negation!r}: shares of all classes sum to 1 only with the complement 1 - x; give costs per label."
        )
    if repr(norm) != "product":
        raise ValueError(f"tnorm={norm!r}: an expected cost multiplies memberships, as probabilities. Use tnorm='product'.")


def mixtures(pair: Pair, seen: Array, *, may_abstain: bool = False) -> Iterator[tuple[slice, Array, Array]]:
    """Yield blocks of rows of both indicators as floats; rows that do not sum to 1 are an error."""
    step = max(1, (1 << 17) // max(len(pair.y.classes), 1))  # this many entries stay in cache
    for start in range(0, pair.y.n, step):
        rows = slice(start, min(start + step, pair.y.n))
        block = [np.asarray(x.rows(rows), np.float64) for x in (pair.y, pair.yhat)]
        for x, argument in zip(block, LABEL_ARGUMENTS, strict=True):
            excess = x.sum(axis=1) - 1
            off = ((excess if may_abstain and x is block[1] else abs(excess)) > ONE) & seen[rows]
            if off.any():
                at = int(off.argmax())
                place = start + at if pair.rows is None else int(np.flatnonzero(pair.rows)[start + at])
                raise ValueError(
                    f"The memberships in {argument}[{place}] sum to {x[at].sum():.6g}. An expected cost needs memberships that "
                    "are probabilities of the classes: every row must sum to 1. Otherwise give costs per label: "
                    "cost=ix.tasks.label_costs(fp=…, fn=…)."
                )
        yield rows, block[0], block[1]
