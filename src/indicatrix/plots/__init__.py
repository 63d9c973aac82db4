"""Plots: they draw given results with matplotlib and compute no score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..public_names import load_at_first_use

if TYPE_CHECKING:
    from .detections import Outline as Outline
    from .detections import errors as errors
    from .detections import objects as objects
    from .differences import critical_differences as critical_differences
    from .differences import forest as forest
    from .lines import drift as drift
    from .lines import risk_coverage as risk_coverage
    from .lines import thresholds as thresholds
    from .matrices import agreement as agreement
    from .matrices import confusion as confusion
    from .matrices import ranks as ranks
    from .reliability_diagram import reliability as reliability
    from .rows import groups as groups
    from .rows import units as units
    from .score_curves import curves as curves
    from .terms import floors as floors
    from .terms import gap as gap

HOMES = {
    "Outline": "detections",
    "agreement": "matrices",
    "confusion": "matrices",
    "critical_differences": "differences",
    "curves": "score_curves",
    "drift": "lines",
    "errors": "detections",
    "floors": "terms",
    "forest": "differences",
    "gap": "terms",
    "groups": "rows",
    "objects": "detections",
    "ranks": "matrices",
    "reliability": "reliability_diagram",
    "risk_coverage": "lines",
    "thresholds": "lines",
    "units": "rows",
}
__all__ = [
    "Outline",
    "agreement",
    "confusion",
    "critical_differences",
    "curves",
    "drift",
    "errors",
    "floors",
    "forest",
    "gap",
    "groups",
    "objects",
    "ranks",
    "reliability",
    "risk_coverage",
    "thresholds",
    "units",
]


__getattr__ = load_at_first_use(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
