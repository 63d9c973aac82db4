"""indicatrix: classification evaluation as one small algebra. A measure is a function from four counts to a number."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .algebra.arrays import ratio
from .algebra.average import AVERAGES
from .algebra.counts import Counts
from .algebra.measure import MEASURES, Measure, measure
from .algebra.score import Score, UndefinedError
from .catalogue import *  # noqa: F403
from .catalogue import __all__ as _catalogue
from .catalogue.listing import Catalogue, catalogue, references  # after the package of the same name: ix.catalogue is a function
from .catalogue.matrix import MatrixMeasure, multiclass_accuracy, multiclass_kappa, multiclass_mcc
from .evaluate import evaluate, from_confusion, from_counts
from .evaluation import Evaluation

if TYPE_CHECKING:
    from .algebra.consistency import is_marginally_consistent, is_partition
    from .algebra.evidence import Evidence
    from .algebra.formula import FormulaError
    from .algebra.sensitivity import Sensitivity
    from .algebra.tnorms import TNORMS, TNorm, tnorm
    from .encode.decisions import reject_below, top_k
    from .encode.encoders import multilabel, one_hot, soft
    from .encode.indicator import Indicator
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
    from .scores.brier_decomposition import BrierDecomposition, brier_decomposition
    from .scores.calibration import Reliability, ece, reliability
    from .scores.calibration_check import Calibration
    from .scores.curves import Curve
    from .scores.gains import dcg, ndcg
    from .scores.kendall import kendall
    from .scores.pairwise import hand_till_auc, ordinal_auc
    from .scores.proper import brier, log_loss
    from .scores.rankings import coverage_error, label_ranking_ap, mrr, precision_at_k, ranking_loss, recall_at_k
    from .scores.sweep import Sweep, sweep
    from .scores.tuned_rule import Tuned
    from .scores.tuning import tune
    from .settings.arguments.cost_matrices import CostMatrix, LabelCosts, label_costs
    from .settings.arguments.ordinal import Ordinal, ordinal
    from .settings.arguments.taxonomy import Taxonomy, taxonomy
    from .settings.table import SETTINGS
    from .settings.tasks.cost import cost
    from .settings.tasks.folds import Folds, folds
    from .settings.tasks.label_ranking import ranked
    from .settings.tasks.multi_instance import MultiInstance, multi_instance, pool_bags
    from .settings.tasks.one_vs_all import OneVsAll, one_vs_all
    from .settings.tasks.one_vs_one import OneVsOne, one_vs_one
    from .settings.tasks.open_set_curve import OpenSetCurve, open_set_curve
    from .settings.tasks.positive_unlabelled import Bounds, PositiveUnlabelled, positive_unlabelled
    from .settings.tasks.risk_coverage import RiskCoverage, risk_coverage
    from .settings.tasks.segmentation import segmentation
    from .settings.tasks.sequences import Sequences, entities, sequences, spans
    from .settings.tasks.single_class import one_class
    from .settings.tasks.votes import votes
    from .tally.cells import Cells, aggregate, cells
    from .theory.formula.best_label_set import best_label_set, best_label_set_of
    from .theory.formula.equivalence import equivalent
    from .theory.formula.floors import Floor, floor, rescale
    from .theory.formula.optimal_threshold import OptimalThreshold, optimal_threshold
    from .theory.formula.properties import Properties, properties, select
    from .theory.identification.identify import Identification, identify
    from .theory.result.collapse import Collapse
    from .theory.result.dominance import Dominance
    from .theory.result.findings import Finding
    from .theory.result.gap import Gap
    from .theory.result.pareto import Pareto, pareto
    from .theory.result.prior_free import SkewConditions, uniform_error_deviation
    from .theory.result.priors import Drift
    from .theory.result.redundancy import Redundancy, redundant

__version__ = "0.1.0"

# Loaded at first use: a score of plain labels needs none of these, and importing the library should cost nothing.
_ON_DEMAND = {
    "tally.cells": ("Cells", "aggregate", "cells"),
    "algebra.consistency": ("is_marginally_consistent", "is_partition"),
    "encode.decisions": ("reject_below", "top_k"),
    "algebra.evidence": ("Evidence",),
    "algebra.formula": ("FormulaError",),
    "encode.indicator": ("Indicator",),
    "encode.encoders": ("multilabel", "one_hot", "soft"),
    "algebra.sensitivity": ("Sensitivity",),
    "algebra.tnorms": ("TNORMS", "TNorm", "tnorm"),
    "scores.kendall": ("kendall",),
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
    "scores.brier_decomposition": ("BrierDecomposition", "brier_decomposition"),
    "scores.sweep": ("Sweep", "sweep"),
    "scores.tuning": ("tune",),
    "scores.tuned_rule": ("Tuned",),
    "settings.tasks.risk_coverage": ("RiskCoverage", "risk_coverage"),
    "settings.table": ("SETTINGS",),
    "settings.tasks.cost": ("cost",),
    "settings.arguments.cost_matrices": ("CostMatrix", "LabelCosts", "label_costs"),
    "settings.tasks.folds": ("Folds", "folds"),
    "settings.tasks.label_ranking": ("ranked",),
    "settings.tasks.multi_instance": ("MultiInstance", "multi_instance", "pool_bags"),
    "settings.tasks.one_vs_all": ("OneVsAll", "one_vs_all"),
    "settings.tasks.one_vs_one": ("OneVsOne", "one_vs_one"),
    "settings.tasks.open_set_curve": ("OpenSetCurve", "open_set_curve"),
    "settings.arguments.ordinal": ("Ordinal", "ordinal"),
    "settings.tasks.positive_unlabelled": ("Bounds", "PositiveUnlabelled", "positive_unlabelled"),
    "settings.tasks.segmentation": ("segmentation",),
    "settings.tasks.single_class": ("one_class",),
    "settings.tasks.votes": ("votes",),
    "settings.tasks.sequences": ("Sequences", "entities", "sequences", "spans"),
    "settings.arguments.taxonomy": ("Taxonomy", "taxonomy"),
    "theory.result.collapse": ("Collapse",),
    "theory.result.dominance": ("Dominance",),
    "theory.formula.equivalence": ("equivalent",),
    "theory.formula.best_label_set": ("best_label_set", "best_label_set_of"),
    "theory.result.findings": ("Finding",),
    "theory.formula.floors": ("Floor", "floor", "rescale"),
    "theory.result.gap": ("Gap",),
    "theory.identification.identify": ("Identification", "identify"),
    "theory.formula.optimal_threshold": ("OptimalThreshold", "optimal_threshold"),
    "theory.result.pareto": ("Pareto", "pareto"),
    "theory.result.prior_free": ("SkewConditions", "uniform_error_deviation"),
    "theory.result.priors": ("Drift",),
    "theory.formula.properties": ("Properties", "properties", "select"),
    "theory.result.redundancy": ("Redundancy", "redundant"),
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
