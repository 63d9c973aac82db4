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
    from .scores.agreement import kendall
    from .scores.areas import (
        AREAS,
        Area,
        area_under_cost_curve,
        auc,
        auprc,
        average_precision,
        partial_auc,
        r_precision,
        threshold_average,
    )
    from .scores.best import Best
    from .scores.binned import Binned, Estimate, binned
    from .scores.calibration import Reliability, ece, reliability
    from .scores.calibration_check import Calibration
    from .scores.curves import Curve
    from .scores.gains import dcg, ndcg
    from .scores.pairwise import hand_till_auc, ordinal_auc
    from .scores.proper import brier, log_loss
    from .scores.rankings import coverage_error, label_ranking_ap, mrr, precision_at_k, ranking_loss, recall_at_k
    from .scores.refinement import BrierDecomposition, brier_decomposition
    from .scores.sweep import Sweep, sweep
    from .scores.tune import tune
    from .scores.tuned import Tuned
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
    "scores.agreement": ("kendall",),
    "scores.areas": (
        "AREAS",
        "Area",
        "area_under_cost_curve",
        "auc",
        "auprc",
        "average_precision",
        "partial_auc",
        "r_precision",
        "threshold_average",
    ),
    "scores.best": ("Best",),
    "scores.binned": ("Binned", "Estimate", "binned"),
    "scores.calibration_check": ("Calibration",),
    "scores.calibration": ("Reliability", "ece", "reliability"),
    "scores.curves": ("Curve",),
    "scores.gains": ("dcg", "ndcg"),
    "scores.pairwise": ("hand_till_auc", "ordinal_auc"),
    "scores.proper": ("brier", "log_loss"),
    "scores.rankings": ("coverage_error", "label_ranking_ap", "mrr", "precision_at_k", "ranking_loss", "recall_at_k"),
    "scores.refinement": ("BrierDecomposition", "brier_decomposition"),
    "scores.sweep": ("Sweep", "sweep"),
    "scores.tune": ("tune",),
    "scores.tuned": ("Tuned",),
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
    "AREAS",
    "AVERAGES",
    "MEASURES",
    "SETTINGS",
    "TNORMS",
    "Area",
    "Best",
    "Binned",
    "Bounds",
    "BrierDecomposition",
    "Calibration",
    "Catalogue",
    "Cells",
    "Collapse",
    "CostMatrix",
    "Counts",
    "Curve",
    "Dominance",
    "Drift",
    "Estimate",
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
    "Reliability",
    "RiskCoverage",
    "Score",
    "Sensitivity",
    "Sequences",
    "SkewConditions",
    "Sweep",
    "TNorm",
    "Taxonomy",
    "Tuned",
    "UndefinedError",
    "aggregate",
    "area_under_cost_curve",
    "auc",
    "auprc",
    "average_precision",
    "best_label_set",
    "best_label_set_of",
    "binned",
    "brier",
    "brier_decomposition",
    "catalogue",
    "cells",
    "cost",
    "coverage_error",
    "dcg",
    "ece",
    "entities",
    "equivalent",
    "evaluate",
    "floor",
    "folds",
    "from_confusion",
    "from_counts",
    "hand_till_auc",
    "identify",
    "is_marginally_consistent",
    "is_partition",
    "kendall",
    "label_costs",
    "label_ranking_ap",
    "load",
    "log_loss",
    "measure",
    "mrr",
    "multi_instance",
    "multiclass_accuracy",
    "multiclass_kappa",
    "multiclass_mcc",
    "multilabel",
    "ndcg",
    "one_class",
    "one_hot",
    "one_vs_all",
    "one_vs_one",
    "open_set_curve",
    "optimal_threshold",
    "ordinal",
    "ordinal_auc",
    "pareto",
    "partial_auc",
    "pool_bags",
    "positive_unlabelled",
    "precision_at_k",
    "properties",
    "r_precision",
    "ranked",
    "ranking_loss",
    "ratio",
    "recall_at_k",
    "redundant",
    "references",
    "reject_below",
    "reliability",
    "rescale",
    "risk_coverage",
    "segmentation",
    "select",
    "sequences",
    "soft",
    "spans",
    "sweep",
    "taxonomy",
    "threshold_average",
    "tnorm",
    "top_k",
    "tune",
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
