"""What an evaluation can show: all cells or only some, examples or costs, every prediction or not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ..algebra.arrays import as_weight
from ..algebra.counts import Counts


def need_all_cells(ev: Any, what: str, but: tuple[str, ...] = ()) -> None:
    """Refuse what needs all four counts where the data do not show them."""
    hidden = [cell for cell in ev.unobserved if cell not in but]
    if hidden:
        raise ValueError(f"{what} needs all counts, but these data do not show {', '.join(hidden)}.")


def need_examples(ev: Any, what: str) -> None:
    """Refuse what counts examples where some cells are hidden or all of them count costs."""
    need_all_cells(ev, what)
    if ev.recipe.uses("cost"):
        raise ValueError(f"{what} counts examples, but cost= weights the cells here. Evaluate without cost= for it.")


def read_by(ev: Any, measure: Any) -> Any:
    """Return an evaluation without hidden cells, for a measure that does not read them.

    A measure that reads a hidden cell is refused, and so is a function of the whole matrix.
    """
    if not ev.unobserved:
        return ev
    if not measure.reads.formula or not math.isfinite(measure(Counts(5, 3, 2, 7).without(*ev.unobserved))):
        raise ValueError(f"{measure} needs {', '.join(ev.unobserved)}, which these data do not show.")
    return replace(ev, recipe=ev.recipe._replace(unobserved=()))


def coverage(ev: Any) -> float:
    """Return the share of the observed examples for which something was predicted.

    It is limited to decisions that were counted as they are: not memberships, costs, or what a mask hides.
    """
    made = ev.recipe
    need_examples(ev, "Coverage")
    if ev.kind == "soft" and not (made.uses("ordinal") or made.uses("decide") or made.abstains):
        raise ValueError("Memberships are not decisions, so there is no coverage; pass decide= to evaluate.")
    if made.answers:  # to reject, or to take the other class of a pair, is an answer
        return 1.0
    rows = ev.tally.aggregate("example")
    entries, predicted = as_weight(rows.n), as_weight(rows.ppos) > 0
    if ev.kind != "soft" and ((entries > 0) & (entries < len(ev.classes)) & ~predicted).any():
        raise ValueError("Coverage is not known: a mask of entries may hide what was predicted for some examples.")
    times = as_weight(rows.times) * (entries > 0)
    lowest = made.ordinal is not None and made.ordinal.is_cumulative  # there a row of zeros is the lowest class
    total = float(times.sum())
    return float((times * (predicted | lowest)).sum()) / total if total else math.nan
