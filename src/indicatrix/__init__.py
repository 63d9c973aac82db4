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
    from .settings.abstention import RiskCoverage, risk_coverage
    from .settings.cost import cost
    from .settings.cost_matrices import CostMatrix, LabelCosts, label_costs
    from .settings.folds import Folds, folds
    from .settings.label_ranking import ranked
    from .settings.multi_instance import MultiInstance, multi_instance, pool_bags
    from .settings.one_vs_all import OneVsAll, one_vs_all
    from .settings.one_vs_one import OneVsOne, one_vs_one
    from .settings.open_set import OpenSetCurve, open_set_curve
    from .settings.ordinal import Ordinal, ordinal
    from .settings.positive_unlabelled import Bounds, PositiveUnlabelled, positive_unlabelled
    from .settings.segmentation import segmentation
    from .settings.single_class import one_class
    from .settings.soft_truth import votes
    from .settings.structured import Sequences, entities, sequences, spans
    from .settings.table import SETTINGS
    from .settings.taxonomy import Taxonomy, taxonomy
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
    "settings.abstention": ("RiskCoverage", "risk_coverage"),
    "settings.table": ("SETTINGS",),
    "settings.cost": ("cost",),
    "settings.cost_matrices": ("CostMatrix", "LabelCosts", "label_costs"),
    "settings.folds": ("Folds", "folds"),
    "settings.label_ranking": ("ranked",),
    "settings.multi_instance": ("MultiInstance", "multi_instance", "pool_bags"),
    "settings.one_vs_all": ("OneVsAll", "one_vs_all"),
    "settings.one_vs_one": ("OneVsOne", "one_vs_one"),
    "settings.open_set": ("OpenSetCurve", "open_set_curve"),
    "settings.ordinal": ("Ordinal", "ordinal"),
    "settings.positive_unlabelled": ("Bounds", "PositiveUnlabelled", "positive_unlabelled"),
    "settings.segmentation": ("segmentation",),
    "settings.single_class": ("one_class",),
    "settings.soft_truth": ("votes",),
    "settings.structured": ("Sequences", "entities", "sequences", "spans"),
    "settings.taxonomy": ("Taxonomy", "taxonomy"),
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
    "Bounds",
    "Catalogue",
    "Cells",
    "Collapse",
    "CostMatrix",
    "Counts",
    "Dominance",
    "Drift",
    "Evaluation",
    "Evidence",
    "Finding",
    "Floor",
    "Folds",
    "FormulaError",
    "Gap",
    "Identification",
    "Indicator",
    "LabelCosts",
    "MatrixMeasure",
    "Measure",
    "MultiInstance",
    "OneVsAll",
    "OneVsOne",
    "OpenSetCurve",
    "OptimalThreshold",
    "Ordinal",
    "Pareto",
    "PositiveUnlabelled",
    "Properties",
    "Redundancy",
    "RiskCoverage",
    "Score",
    "Sensitivity",
    "Sequences",
    "SkewConditions",
    "TNorm",
    "Taxonomy",
    "UndefinedError",
    "aggregate",
    "best_label_set",
    "best_label_set_of",
    "catalogue",
    "cells",
    "cost",
    "entities",
    "equivalent",
    "evaluate",
    "floor",
    "folds",
    "from_confusion",
    "from_counts",
    "identify",
    "is_marginally_consistent",
    "is_partition",
    "label_costs",
    "load",
    "measure",
    "multi_instance",
    "multiclass_accuracy",
    "multiclass_kappa",
    "multiclass_mcc",
    "multilabel",
    "one_class",
    "one_hot",
    "one_vs_all",
    "one_vs_one",
    "open_set_curve",
    "optimal_threshold",
    "ordinal",
    "pareto",
    "pool_bags",
    "positive_unlabelled",
    "properties",
    "ranked",
    "ratio",
    "redundant",
    "references",
    "reject_below",
    "rescale",
    "risk_coverage",
    "segmentation",
    "select",
    "sequences",
    "soft",
    "spans",
    "taxonomy",
    "tnorm",
    "top_k",
    "uniform_error_deviation",
    "votes",
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
