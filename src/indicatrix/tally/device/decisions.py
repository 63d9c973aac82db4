"""The classes with the highest scores on a device, as ``encode/decisions.py`` finds them in memory."""

from __future__ import annotations

from typing import Any

from ...encode.cuda_kernels import are_usable, halves, kernel_for, processors, type_in_c
from ...encode.decisions import HitInTop
from ...encode.device_arrays import contiguous, namespace_of

BLOCKS, THREADS = 8, 256


def best_class(scores: Any) -> Any:
    """Return the class with the highest score of each row, the lowest among equal ones.

    A row with a NaN has m + 2 instead, where there are m classes. A row is along dimension 1.
    """
    xp, m = namespace_of(scores), scores.shape[1]
    if scores.ndim == 2 and are_usable(scores) and type_in_c(scores) in ("float", "double"):
        return _best_by_kernel(scores)
    if hasattr(scores, "gather"):  # a tensor gives both in one reading
        highest, best = scores.max(dim=1)
    else:
        highest, best = xp.max(scores, axis=1), xp.argmax(scores, axis=1)
    return xp.where(xp.isnan(highest), xp.full_like(best, m + 2), best)  # of a row with a NaN, it is the highest


def picked_class(scores: Any, rule: Any, true: Any) -> Any:
    """Return the class of each row that "argmax" or ``hit_in_top(k)`` picks; m + 2 where a score is NaN."""
    best = best_class(scores)
    if not isinstance(rule, HitInTop):
        return best
    xp, m = namespace_of(scores), scores.shape[1]
    hit = xp.any(highest_classes(scores, rule.k) == xp.expand_dims(true, axis=1), axis=1)
    return xp.where(hit & (best < m), xp.astype(true, best.dtype), best)


def _best_by_kernel(scores: Any) -> Any:
    xp, (n, m), scores = namespace_of(scores), scores.shape, contiguous(scores)
    group = min(32, 1 << max(0, (m - 1) // 8).bit_length())
    kernel = kernel_for(scores, (__package__ or "", "argmax.cu"), "best_class", {"SCORE": type_in_c(scores), "GROUP": group})
    best = xp.empty(n, dtype=xp.int32, device=scores.device)
    kernel((max(1, min(BLOCKS * processors(scores), -(-n * group // THREADS))), THREADS), scores, best, *halves(n), m)
    return best


def highest_classes(scores: Any, k: int) -> Any:
    """Return the k classes with the highest scores, along dimension 1; the lower index first among ties."""
    xp = namespace_of(scores)
    return xp.argsort(scores, axis=1, descending=True, stable=True)[:, :k, ...]
