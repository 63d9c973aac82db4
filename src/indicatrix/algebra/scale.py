"""Scale: what a cell of each kind counts, where it does not count once: cost-weighted cells (sec:cost, errata A3)."""

from __future__ import annotations

from dataclasses import dataclass

from .arrays import Array


@dataclass(frozen=True, eq=False)
class Scale:
    """What a true positive, false positive, false negative and true negative count: per column, or per pair of classes.

    Of columns, each kind has one number per class. Of pairs, each has one number per true and predicted class, the last
    row and column standing for "no class": every cell of an example with that pair is multiplied by it.
    """

    tp: Array
    fp: Array
    fn: Array
    tn: Array
    of: str = "column"  # or "pair"

    def at(self, kind: str, true: Array | None, pred: Array | None) -> Array:
        """Return what cells of one kind count, as an array that broadcasts to the cells of examples with these codes."""
        factor: Array = getattr(self, kind)
        if self.of == "column":
            return factor.reshape(1, -1)
        assert true is not None
        assert pred is not None
        return factor[true, pred].reshape(-1, 1)
