"""Plots: they draw given results with matplotlib and compute no score."""

from __future__ import annotations

from ..public_names import load_at_first_use

HOMES = {  # each name, and the module that defines it; `make docs` writes the stub from it
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
__all__ = sorted(HOMES)
__getattr__ = load_at_first_use(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
