"""Which settings go together: one table for evaluate(), for the documentation and for a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from .paper_settings import SETTINGS

COUNTED = tuple(name for name in SETTINGS if name != "proper_scores")  # those that have counts, and so can be combined
ENCODERS = tuple(name for name in COUNTED if not SETTINGS[name].arguments)


# Every pair that is not here goes together.
REFUSED: dict[frozenset[str], str] = {
    **{frozenset((name, other)): why for name, x in SETTINGS.items() for other, why in x.refuses.items()},
    **{
        frozenset(two): "each is a separate encoding; make the labels of one of them first, then evaluate these"
        for two in combinations(ENCODERS, 2)
    },
}

# Pairs that go together under a condition.
CONDITIONS = {frozenset((name, other)): when for name, x in SETTINGS.items() for other, when in x.conditions.items()}


def requested_settings(options: Mapping[str, Any]) -> list[str]:
    """Return the settings that options of ``evaluate`` ask for, in the order of the table.

    >>> requested_settings({"mask": [True], "missing": "abstain", "cost": None})
    ['masks', 'abstention']
    """
    return [name for name, setting in SETTINGS.items() if setting.is_requested(options)]


def check(settings: Iterable[str]) -> None:
    """Refuse settings that do not go together, with the reason."""
    for one, other in combinations(settings, 2):
        reason = REFUSED.get(frozenset((one, other)))
        if reason is not None:
            raise ValueError(f"{SETTINGS[one].row} and {SETTINGS[other].row.lower()} do not go together: {reason}.")


def refuse(setting: str, options: Mapping[str, Any]) -> None:
    """Refuse options that do not go together with a setting that is a separate function."""
    for other in requested_settings(options):
        check((setting, other))
