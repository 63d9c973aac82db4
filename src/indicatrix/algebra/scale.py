"""Scale: how much a cell of each kind counts, for cost-weighted cells (sec:cost, errata A3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .arrays import Array
from .counts import CELLS


@dataclass(frozen=True, eq=False)
class Scale:
    """How much each kind of cell (tp, fp, fn, tn) counts: per column, per example or per pair of classes.

    Per column, each kind has one number for each class; per example, one for each example. Per pair, each kind has one number
    for each true and predicted class: every cell of an example with that pair is multiplied by it. The last row and column
    stand for "no class". Right pairs have no false cells, and a true negative counts the same for every pair.
    """

    tp: Array
    fp: Array
    fn: Array
    tn: Array
    of: str = "column"  # or "example" or "pair"

    def at(self, kind: str, true: Array | None, pred: Array | None) -> Array:
        """Return how much cells of one kind count: an array that broadcasts to examples with these codes."""
        factor: Array = getattr(self, kind)
        if self.of == "column":
            return factor.reshape(1, -1)
        if self.of == "example":
            return factor.reshape(-1, 1)
        assert true is not None
        assert pred is not None
        return factor[true, pred].reshape(-1, 1)

    def take(self, rows: Array | slice) -> Scale:
        """Return what cells of some examples count."""
        return replace(self, **{kind: getattr(self, kind)[rows] for kind in CELLS}) if self.of == "example" else self

    def expected_cells(self, kind: str, true: Any, pred: Any) -> Array:
        """Return the cells that are expected where both classes are drawn from memberships.

        A row of memberships is a mixture of classes, and what it lacks to 1 is the share of "no class". The two classes are
        drawn independently, so the expected cell is a sum over pairs of the cells of a pair times the product of both shares.
        """
        factor: Array = getattr(self, kind).astype(np.float64)
        y: Array = np.asarray(true, np.float64)
        yhat: Array = np.asarray(pred, np.float64)
        match kind:
            case "tp":
                cells: Array = y * yhat * np.diagonal(factor)[:-1]
            case "fp":
                cells = (_with_no_class(y) @ factor)[:, :-1] * yhat
            case "fn":
                cells = y * (_with_no_class(yhat) @ factor.T)[:, :-1]
            case _:
                cells = (1 - y) * (1 - yhat) * factor[0, 0]
        return cells


def _with_no_class(x: Array) -> Array:
    return np.concatenate([x, 1 - x.sum(axis=1, keepdims=True)], axis=1)
