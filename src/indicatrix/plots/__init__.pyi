# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .detections import Outline as Outline
from .matrices import agreement as agreement
from .matrices import confusion as confusion
from .rows import critical_differences as critical_differences
from .score_curves import curves as curves
from .detections import errors as errors
from .terms import floors as floors
from .rows import forest as forest
from .terms import gap as gap
from .rows import groups as groups
from .detections import objects as objects
from .lines import prior_sensitivity as prior_sensitivity
from .matrices import ranks as ranks
from .score_curves import reliability as reliability
from .lines import risk_coverage as risk_coverage
from .lines import thresholds as thresholds
from .rows import units as units

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
