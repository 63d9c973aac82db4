"""Scale: how much a cell of each kind counts, for cost-weighted cells (sec:cost, errata A3)."""

from __future__ import annotations

from dataclasses import dataclass

from .arrays import Array


@dataclass(frozen=True, eq=False)
class Scale:
    """How much each kind of cell (tp, fp, fn, tn) counts: per column, or per pair of classes.

    Per column, each kind has one number for each class. Per pair, each kind has one number for each true and predicted
    class: every cell of an example with that pair is multiplied by it. The last row and column stand for "no class".
    """

    tp: Array
    fp: Array
    fn: Array
    tn: Array
    of: str = "column"  # or "pair"

    def at(self, kind: str, true: Array | None, pred: Array | None) -> Array:
        """Return how much cells of one kind count: an array that broadcasts to examples with these codes."""
        factor: Array = getattr(self, kind)
        if self.of == "column":
            return factor.reshape(1, -1)
        assert true is not None
        assert pred is not None
        return factor[true, pred].reshape(-1, 1)
