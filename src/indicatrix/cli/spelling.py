"""Suggestions for a misspelt name."""

from __future__ import annotations

from collections.abc import Iterable


def close_names(name: str, names: Iterable[str], *, cutoff: float = 0.7) -> list[str]:
    """Return up to three names close to the given one, the closest first; case and hyphens do not matter.

    >>> close_names("balanced-Acuracy", ["accuracy", "balanced_accuracy"]), close_names("xyzzy", ["accuracy"])
    (['balanced_accuracy'], [])
    """
    from difflib import get_close_matches

    plain = {_plain(known): known for known in names}
    return [plain[match] for match in get_close_matches(_plain(name), plain, n=3, cutoff=cutoff)]


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
