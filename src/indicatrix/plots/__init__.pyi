# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .detections import Outline, errors, objects
from .matrices import agreement, confusion, ranks
from .rows import critical_differences, forest, groups, units
from .score_curves import curves, reliability
from .lines import floors, gap, prior_sensitivity, risk_coverage, thresholds

__all__ = [
    "Outline",
    "agreement",
    "confusion",
    "critical_differences",
    "curves",
    "errors",
    "floors",
    "forest",
    "gap",
    "groups",
    "objects",
    "prior_sensitivity",
    "ranks",
    "reliability",
    "risk_coverage",
    "thresholds",
    "units",
]
