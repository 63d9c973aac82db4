"""What accompanies labels row by row or entry by entry: sample weights, observation masks, groupings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .containers import Labels, Table, read
from .vocabulary import coder, distinct, factorised, family, missing_rows, vocabulary

Groups = tuple[tuple[Any, ...], np.ndarray[Any, Any]]  # the names of the groups, and the group of each row


def check_weights(weights: Any, n: int, *, signed: bool = False) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """Return sample weights as float64, one per example; NaN, infinite and (unless asked for) negative ones are errors."""
    if weights is None:
        return None
    form = read(weights, "sample_weight")
    if not isinstance(form, Labels):
        raise ValueError("sample_weight has one number per example, in one dimension.")
    try:
        values = np.array(form.values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError("sample_weight must hold numbers.") from None
    if len(values) != n:
        raise ValueError(f"sample_weight has {len(values)} entries for {n} examples.")
    bad = ~np.isfinite(values) if signed else ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        at = int(bad.argmax())
        mend = " Pass signed_weights=True if negative weights are meant." if values[at] < 0 and np.isfinite(values[at]) else ""
        raise ValueError(f"sample_weight[{at}] = {values[at]}: a weight is a finite number, not negative.{mend}")
    return values


def check_mask(mask: Any, n: int, m: int) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Return a mask of observed entries as bools, n x 1 or n x m (eq:masked_agg)."""
    if mask is None:
        return None
    form = read(mask, "mask")
    if not isinstance(form, Labels | Table):
        raise TypeError("mask must be an array of True/False (or 1/0): one per example, or one per example and class.")
    values = np.asarray(form.values)
    if values.dtype.kind not in "biuf" or not ((values == 0) | (values == 1)).all():
        raise ValueError("mask holds True where an entry was observed and False where not; it holds something else.")
    if values.shape not in ((n,), (n, 1), (n, m)):
        raise ValueError(
            f"mask has shape {values.shape}; it must be ({n},), one per example, or ({n}, {m}), one per example and class."
        )
    return values.astype(bool).reshape(n, -1) if n else np.ones((0, 1), bool)


def check_by(by: Mapping[str, Any] | None, n: int) -> dict[str, Groups]:
    """Return groupings as names and codes; each is one value per example, and its name becomes an axis."""
    groups: dict[str, Groups] = {}
    for axis, ids in (by or {}).items():
        if axis in (
            "class",
            "example",
            "target",
            "micro",
            "macro",
            "weighted",
            "denominator",
            "exemplar",
            "samples",
            "binary",
        ):
            raise ValueError(f"by= cannot be called {axis!r}: that name has a meaning already. Choose another.")
        argument = f"by[{axis!r}]"
        form = read(ids, argument)
        if not isinstance(form, Labels):
            raise ValueError(f"{argument} needs one value per example, in one dimension.")
        if len(form) != n:
            raise ValueError(f"{argument} has {len(form)} entries for {n} examples.")
        form = factorised(form, argument)
        absent = missing_rows(form)
        if absent is not None:
            raise ValueError(f"{argument}[{int(absent.argmax())}] is missing; every example belongs to a group.")
        family(form, argument)
        names = form.categories if form.declared and form.categories is not None else vocabulary(distinct(form), argument)
        groups[axis] = (tuple(names), np.asarray(coder(form, names, argument)(slice(None))))
    return groups
