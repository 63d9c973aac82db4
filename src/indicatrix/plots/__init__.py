"""Plots: they draw given results with matplotlib and compute no score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calibrated import reliability as reliability
    from .differences import critical_differences as critical_differences
    from .differences import forest as forest
    from .lines import drift as drift
    from .lines import risk_coverage as risk_coverage
    from .lines import thresholds as thresholds
    from .matrices import agreement as agreement
    from .matrices import confusion as confusion
    from .matrices import ranks as ranks
    from .rows import groups as groups
    from .rows import units as units
    from .score_curves import curves as curves
    from .terms import floors as floors
    from .terms import gap as gap

HOMES = {
    "agreement": "matrices",
    "confusion": "matrices",
    "critical_differences": "differences",
    "curves": "score_curves",
    "drift": "lines",
    "floors": "terms",
    "forest": "differences",
    "gap": "terms",
    "groups": "rows",
    "ranks": "matrices",
    "reliability": "calibrated",
    "risk_coverage": "lines",
    "thresholds": "lines",
    "units": "rows",
}
__all__ = [
    "agreement",
    "confusion",
    "critical_differences",
    "curves",
    "drift",
    "floors",
    "forest",
    "gap",
    "groups",
    "ranks",
    "reliability",
    "risk_coverage",
    "thresholds",
    "units",
]


def __getattr__(name: str) -> Any:
    """Return a function; its module is loaded at first use."""
    if name not in HOMES:
        raise AttributeError(f"indicatrix.plots has no attribute {name!r}; it has {', '.join(__all__)}.")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f".{HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
