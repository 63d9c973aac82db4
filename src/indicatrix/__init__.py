"""indicatrix: classification evaluation as one small algebra. A measure is a function from four counts to a number."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .algebra.arrays import ratio
from .algebra.average import AVERAGES, Score, UndefinedError
from .algebra.counts import Counts
from .algebra.measure import MEASURES, Measure, measure
from .catalogue import *  # noqa: F403
from .catalogue import __all__ as _catalogue
from .catalogue.listing import Catalogue, catalogue, references  # after the package of the same name: ix.catalogue is a function
from .catalogue.matrix import MatrixMeasure, multiclass_accuracy, multiclass_kappa, multiclass_mcc
from .evaluation import Evaluation
from .front_door import evaluate, from_confusion, from_counts

if TYPE_CHECKING:
    from .algebra.cells import Cells, aggregate, cells
    from .algebra.consistency import is_marginally_consistent, is_partition
    from .algebra.decide import reject_below, top_k
    from .algebra.evidence import Evidence
    from .algebra.formula import FormulaError
    from .algebra.indicator import Indicator
    from .algebra.labels import multilabel, one_hot, soft
    from .algebra.sensitivity import Sensitivity
    from .algebra.tnorms import TNORMS, TNorm, tnorm
    from .settings.combinations import SETTINGS
    from .theory.collapse import Collapse
    from .theory.dominance import Dominance
    from .theory.equivalence import equivalent
    from .theory.expected import best_label_set, best_label_set_of
    from .theory.findings import Finding
    from .theory.floors import Floor, floor, rescale
    from .theory.gap import Gap
    from .theory.identification.identify import Identification, identify
    from .theory.optimal import OptimalThreshold, optimal_threshold
    from .theory.pareto import Pareto, pareto
    from .theory.prior_free import SkewConditions, uniform_error_deviation
    from .theory.priors import Drift
    from .theory.properties import Properties, properties, select
    from .theory.redundancy import Redundancy, redundant

__version__ = "0.1.0"

# Loaded at first use: a score of plain labels needs none of these, and importing the library should cost nothing.
_ON_DEMAND = {
    "algebra.cells": ("Cells", "aggregate", "cells"),
    "algebra.consistency": ("is_marginally_consistent", "is_partition"),
    "algebra.decide": ("reject_below", "top_k"),
    "algebra.evidence": ("Evidence",),
    "algebra.formula": ("FormulaError",),
    "algebra.indicator": ("Indicator",),
    "algebra.labels": ("multilabel", "one_hot", "soft"),
    "algebra.sensitivity": ("Sensitivity",),
    "algebra.tnorms": ("TNORMS", "TNorm", "tnorm"),
    "settings.combinations": ("SETTINGS",),
    "theory.collapse": ("Collapse",),
    "theory.dominance": ("Dominance",),
    "theory.equivalence": ("equivalent",),
    "theory.expected": ("best_label_set", "best_label_set_of"),
    "theory.findings": ("Finding",),
    "theory.floors": ("Floor", "floor", "rescale"),
    "theory.gap": ("Gap",),
    "theory.identification.identify": ("Identification", "identify"),
    "theory.optimal": ("OptimalThreshold", "optimal_threshold"),
    "theory.pareto": ("Pareto", "pareto"),
    "theory.prior_free": ("SkewConditions", "uniform_error_deviation"),
    "theory.priors": ("Drift",),
    "theory.properties": ("Properties", "properties", "select"),
    "theory.redundancy": ("Redundancy", "redundant"),
}
_HOME = {name: module for module, names in _ON_DEMAND.items() for name in names}

load = Evaluation.load

__all__ = [
    "AVERAGES",
    "MEASURES",
    "SETTINGS",
    "TNORMS",
    "Catalogue",
    "Cells",
    "Collapse",
    "Counts",
    "Dominance",
    "Drift",
    "Evaluation",
    "Evidence",
    "Finding",
    "Floor",
    "FormulaError",
    "Gap",
    "Identification",
    "Indicator",
    "MatrixMeasure",
    "Measure",
    "OptimalThreshold",
    "Pareto",
    "Properties",
    "Redundancy",
    "Score",
    "Sensitivity",
    "SkewConditions",
    "TNorm",
    "UndefinedError",
    "aggregate",
    "best_label_set",
    "best_label_set_of",
    "catalogue",
    "cells",
    "equivalent",
    "evaluate",
    "floor",
    "from_confusion",
    "from_counts",
    "identify",
    "is_marginally_consistent",
    "is_partition",
    "load",
    "measure",
    "multiclass_accuracy",
    "multiclass_kappa",
    "multiclass_mcc",
    "multilabel",
    "one_hot",
    "optimal_threshold",
    "pareto",
    "properties",
    "ratio",
    "redundant",
    "references",
    "reject_below",
    "rescale",
    "select",
    "soft",
    "tnorm",
    "top_k",
    "uniform_error_deviation",
]
__all__ += _catalogue


def __getattr__(name: str) -> Any:
    """Return what is loaded on demand, a measure by an alias (``ix.tpr``), or one that a user has registered."""
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    if name in MEASURES:
        return MEASURES[name]
    raise AttributeError(f"indicatrix has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *MEASURES})
