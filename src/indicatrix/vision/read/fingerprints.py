"""Fingerprints of pixels: whether two sets of images hold the same labels, regions or segments."""

from __future__ import annotations

from functools import cache
from hashlib import sha1
from typing import Any

import numpy as np

from ...algebra.arrays import Array

WORDS = 1 << 15  # of eight bytes, added into one number


class Fingerprint:
    """What tells some label maps from others; the integer type of the labels does not matter."""

    def __init__(self) -> None:
        self._digest = sha1(usedforsecurity=False)

    def add(self, x: Array) -> None:
        """Read one map."""
        if x.size and x.dtype.kind in "iu" and x.dtype != np.uint8:  # equal labels have the same bytes in every integer type
            ends = (np.min_scalar_type(int(end)) for end in (x.min(), x.max()))
            x = x.astype(np.result_type(*ends), copy=False)
        self._digest.update(f"{x.shape}{x.dtype.kind if x.dtype.kind in 'USf' else ''}".encode())
        if x.dtype.kind in "US":
            self._digest.update("\0".join(map(str, x.ravel().tolist())).encode())
            return
        raw = np.ascontiguousarray(x).reshape(-1).view(np.uint8)
        words = raw[: len(raw) // 8 * 8].view(np.uint64)
        for start in range(0, len(words), WORDS):
            some = words[start : start + WORDS]
            # A sum with random weights is another number for other words, but for one case in 2**64.
            self._digest.update(int(np.dot(some, _weights()[: len(some)])).to_bytes(8, "little"))
        self._digest.update(raw[len(words) * 8 :].tobytes())

    def note(self, fact: Any) -> None:
        """Read something that is not a map: a label, or a spacing."""
        self._digest.update(f"{fact!r}\0".encode())

    def text(self) -> str:
        """Return the fingerprint of all maps so far."""
        return self._digest.hexdigest()[:16]


@cache
def _weights() -> Array:
    return np.random.default_rng(0).integers(0, 2**64 - 1, WORDS, np.uint64) | np.uint64(1)
