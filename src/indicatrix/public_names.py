"""The public names, each written once, with the module that defines it; and the rooms.

``__all__``, ``dir``, the stubs (``__init__.pyi``) and the reference are derived from this table; ``make docs`` writes the last
two. The measures of the catalogue are not in it: they are public because they are registered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

ROOMS = (
    "catalogue",
    "engines",
    "inference",
    "scores",
    "settings",
    "theory",
    "vision",
)  # packages that list their public names: dir(ix.scores)

ADAPTERS = ("sklearn", "torch", "integrations", "plots")  # packages with names of their own, for other libraries: ix.torch.Stream

HIDDEN = ("report",)  # packages under a name that people take for a function: they are imported, and ix.report is answered

NAMES = {
    "evaluate": ("evaluate", "from_confusion", "from_counts", "per_example"),
    "evaluation": ("Evaluation",),
    "storage.formats": ("load",),
    "engines.dask_frames": ("evaluate_dask",),
    "engines.files.bad_rows": ("BadRows",),
    "engines.files.evaluation_of_files": ("evaluate_file",),
    "engines.files.progress": ("Progress",),
    "engines.frames": ("evaluate_frame",),
    "engines.spark_frames": ("evaluate_spark",),
    "engines.stream": ("Stream",),
    "sklearn.cross_validation": ("CrossValidation", "cross_validate"),
    "sklearn.scorer": ("Scorer", "scorer"),
    "sklearn.tuning_step": ("tuned_classifier",),
    "comparison.comparison": ("Comparison",),
    "comparison.compare": ("compare",),
    "comparison.joint": ("Joint", "joint"),
    "planning": ("power",),
    "explanation.explain": ("explain",),
    "explanation.explanation": ("Explanation",),
    "explained_difference": ("ExplainedDifference", "explain_difference"),
    "algebra.functions": ("ratio",),
    "algebra.average": ("AVERAGES",),
    "algebra.consistency": ("is_marginally_consistent", "is_partition"),
    "algebra.convention": ("Convention",),
    "algebra.counts": ("Counts",),
    "algebra.evidence": ("Evidence",),
    "algebra.formula": ("FormulaError",),
    "algebra.measure": ("MEASURES", "Measure"),
    "algebra.measure_definition": ("measure",),
    "algebra.score": ("Score", "UndefinedError"),
    "algebra.sensitivity": ("Sensitivity",),
    "algebra.tnorms": ("TNORMS", "TNorm", "tnorm"),
    "algebra.negations": ("NEGATIONS", "Negation", "negation"),
    "encode.decisions": ("above", "hit_in_top", "reject_below", "top_k"),
    "encode.encoders": ("multilabel", "one_hot", "soft"),
    "encode.indicator": ("Indicator",),
    "tally.cells": ("Cells", "aggregate", "cells"),
    "tally.replicates": ("Replicates",),
    "dialects": ("Dialect", "dialect"),
    "catalogue.bibliography": ("references",),
    "catalogue.listing": ("Catalogue",),
    "catalogue.matrix_measure": ("MatrixMeasure",),
    "catalogue.scales": ("SCALES", "Scale"),
    "catalogue.matrices.shares": (
        "examples_per_class",
        "multiclass_accuracy",
        "multiclass_informedness",
        "multiclass_mcc",
        "no_information_p_value",
        "no_information_rate",
    ),
    "catalogue.matrices.agreement": (
        "bangdiwala_b",
        "bennett_s",
        "kappa_no_prevalence",
        "krippendorff_alpha",
        "multiclass_gwet_ac1",
        "multiclass_kappa",
        "multiclass_scott_pi",
    ),
    "catalogue.matrices.chance": ("aickin_alpha",),
    "catalogue.matrices.association": (
        "chi_squared_degrees",
        "chi_squared_p_value",
        "cramer_v",
        "multiclass_chi_squared",
        "multiclass_contingency_coefficient",
        "phi_squared",
        "tschuprow_t",
    ),
    "catalogue.matrices.guessing": (
        "goodman_kruskal_lambda_predicted",
        "goodman_kruskal_lambda_true",
        "goodman_kruskal_tau_predicted",
        "goodman_kruskal_tau_true",
        "multiclass_goodman_kruskal_lambda",
    ),
    "catalogue.matrices.ordered": (
        "goodman_kruskal_gamma",
        "multiclass_kendall_tau_b",
        "somers_d",
        "somers_d_predicted",
        "somers_d_true",
        "stuart_tau_c",
    ),
    "catalogue.matrices.information": (
        "conditional_entropy_predicted",
        "conditional_entropy_true",
        "cross_entropy_of_classes",
        "entropy_predicted",
        "entropy_true",
        "joint_entropy",
        "kl_divergence_of_classes",
        "mutual_information",
        "normalised_mutual_information",
        "theil_u_predicted",
        "theil_u_true",
        "variation_of_information",
    ),
    "catalogue.matrices.confusion_entropies": (
        "confusion_entropy",
        "modified_confusion_entropy",
    ),
    "catalogue.matrices.pairs": (
        "adjusted_rand_index",
        "fowlkes_mallows_of_pairs",
        "pair_counts",
        "rand_index",
    ),
    "scores.areas": (
        "AREAS",
        "Area",
        "area_under_cost_curve",
        "auc",
        "auc_of_hull",
        "auprc",
        "average_precision",
        "eer",
        "h_measure",
        "log_auc",
        "partial_auc",
        "r_precision",
        "threshold_average",
    ),
    "scores.best_thresholds": ("Best",),
    "scores.constraints": ("Constraint",),
    "scores.rate_point": ("RatePoint",),
    "scores.binned": ("Binned", "Estimate", "binned"),
    "scores.brier_decomposition": ("BrierDecomposition", "brier_decomposition"),
    "scores.cost_weights": ("COST_WEIGHTS", "CostWeight"),
    "scores.expected_loss": ("ExpectedLoss", "expected_loss"),
    "scores.calibration": ("Reliability", "ece", "reliability"),
    "scores.calibration_check": ("Calibration",),
    "scores.curves": ("Curve",),
    "scores.gains": ("dcg", "ndcg"),
    "scores.hinge": ("hinge_loss",),
    "scores.kendall": ("kendall",),
    "scores.pairwise": ("hand_till_auc", "ordinal_auc"),
    "scores.balanced_log_loss": ("balanced_log_loss",),
    "scores.proper_scores": ("brier", "log_loss", "spherical_score"),
    "scores.propensity_scores": ("label_propensities", "propensity_ndcg_at_k", "propensity_precision_at_k"),
    "scores.rankings": ("coverage_error", "label_ranking_ap", "mrr", "precision_at_k", "ranking_loss", "recall_at_k"),
    "scores.roc_dominance": ("RocDominance", "roc_dominance"),
    "scores.smooth_calibration": ("smooth_ece",),
    "scores.skill": ("brier_skill", "log_loss_skill"),
    "scores.sweep": ("Sweep", "sweep"),
    "scores.top_k_accuracy": ("top_k_accuracy",),
    "scores.tuned_rule": ("Tuned",),
    "scores.tuning": ("tune",),
    "inference.calibration.calibration_line": ("CalibrationLine", "calibration_line"),
    "inference.calibration.spiegelhalter": ("Spiegelhalter", "spiegelhalter"),
    "inference.paired.difference": ("Difference",),
    "inference.data_sets.comparison": ("DataSetComparison", "compare_data_sets"),
    "inference.data_sets.probabilities": ("DataSetProbabilities", "hierarchical_comparison"),
    "inference.folds.comparison": ("compare_folds",),
    "inference.folds.fold_comparison": ("FoldComparison",),
    "inference.folds.interval": ("fold_interval",),
    "inference.order.agreement": ("Agreement", "Reversal"),
    "inference.groups.between": ("Between",),
    "inference.order.conclusions": ("Conclusion", "Conclusions"),
    "inference.groups.differences": ("GroupDifference", "GroupDifferences"),
    "inference.groups.homogeneity": ("GroupTest",),
    "inference.intervals.interval": ("Interval",),
    "inference.intervals.of_score": ("interval",),
    "inference.raters.agreement": ("RaterAgreement", "agreement"),
    "inference.raters.panel": ("AgainstPanel",),
    "inference.population.scores": ("relations",),
    "inference.sample_size.power": ("Power",),
    "inference.population.relations": ("Relations",),
    "settings.arguments.example_costs": ("ExampleCosts", "example_costs"),
    "settings.arguments.cost_matrices": ("CostMatrix", "LabelCosts", "label_costs"),
    "settings.arguments.ordinal": ("Ordinal", "ordinal"),
    "settings.arguments.taxonomy": ("Taxonomy", "taxonomy"),
    "settings.table": ("SETTINGS",),
    "settings.tasks.cost": ("cost", "cost_per_example"),
    "settings.tasks.folds": ("Folds", "folds"),
    "settings.tasks.configurations": ("configurations",),
    "settings.tasks.preferences": ("preferences",),
    "settings.tasks.label_ranking": ("ranked",),
    "settings.tasks.multi_instance": ("MultiInstance", "multi_instance", "pool_bags"),
    "settings.tasks.one_vs_all": ("OneVsAll", "one_vs_all"),
    "settings.tasks.one_vs_one": ("OneVsOne", "one_vs_one"),
    "settings.tasks.open_set_curve": ("OpenSetCurve", "open_set_curve"),
    "settings.tasks.positive_unlabelled": ("Bounds", "PositiveUnlabelled", "positive_unlabelled"),
    "settings.tasks.risk_coverage": ("RiskCoverage", "risk_coverage"),
    "settings.tasks.sequences": ("Sequences", "entities", "sequences"),
    "settings.tasks.spans": ("spans",),
    "settings.tasks.matched_rows": ("span_outcomes",),
    "settings.tasks.single_class": ("one_class",),
    "settings.tasks.votes": ("votes",),
    "theory.formula.best_label_set": ("best_label_set", "best_label_set_of"),
    "theory.formula.equivalence": ("equivalent",),
    "theory.formula.floors": ("Floor", "floor", "rescale"),
    "theory.formula.optimal_threshold": ("OptimalThreshold", "optimal_threshold"),
    "theory.formula.properties": ("Properties", "properties", "select"),
    "theory.identification.identify": ("Identification", "identify"),
    "theory.result.collapse": ("Collapse",),
    "theory.result.dominance": ("Dominance",),
    "theory.result.fairness": (
        "demographic_parity_difference",
        "demographic_parity_ratio",
        "equal_opportunity_difference",
        "equal_opportunity_ratio",
        "equalised_odds_difference",
        "equalised_odds_ratio",
        "predictive_parity_difference",
        "predictive_parity_ratio",
    ),
    "theory.result.findings": ("Finding",),
    "theory.result.gap": ("Gap",),
    "theory.result.pareto": ("Pareto", "pareto"),
    "theory.result.prior_free": ("SkewConditions", "uniform_error_deviation"),
    "theory.result.priors": ("Drift",),
    "theory.result.redundancy": ("Redundancy", "redundant"),
    "vision.detection_evaluation": ("DetectionEvaluation",),
    "vision.error_breakdown": ("ErrorBreakdown",),
    "vision.evaluate_detections": ("detection",),
    "vision.instances": ("instances",),
    "vision.panoptic": ("panoptic",),
    "vision.panoptic_evaluation": ("PanopticEvaluation",),
    "vision.segmentation": ("segmentation",),
    "vision.segmentation_summary": ("segmentation_summary",),
    "vision.surface_distances": ("surface_distances",),
    "vision.surface_evaluation": ("SurfaceEvaluation",),
    "vision.worst_cases": ("ImageCase",),
}
HOMES = {name: module for module, names in NAMES.items() for name in names}


def load_at_first_use(package: str, homes: Mapping[str, str], hints: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: a name is loaded from its module, its home, at first use.

    ``hints`` say what to use in place of names that people try.
    """

    def load(name: str) -> Any:
        if name not in homes:
            answer = f". Use {hints[name]}" if hints and name in hints else f"; it has {', '.join(homes)}"
            raise AttributeError(f"{package} has no attribute {name!r}{answer}.")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


def load_public(name: str) -> Any:
    """Return what a public name stands for; its module is loaded now if it was not."""
    return getattr(import_module(f"{__package__}.{HOMES[name]}"), name)


def names_of(room: str) -> list[str]:
    """Return the public names that the modules of a room define.

    >>> names_of("theory")[:3]
    ['best_label_set', 'best_label_set_of', 'equivalent']
    """
    return [name for name, module in HOMES.items() if module.startswith(f"{room}.")]


class Package(ModuleType):
    """A package whose public names are never hidden by a module of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing scores/sweep.py sets the module as an attribute of scores, where it would hide the public function sweep.
        if not (isinstance(value, ModuleType) and (name in HOMES or name in HIDDEN)):
            super().__setattr__(name, value)


class Room(Package):
    """A package that lists its public names and nothing else, and loads each at first use.

    A package becomes one by ``sys.modules[__name__].__class__ = Room``; its submodules are imported as ever.
    """

    @property
    def __all__(self) -> list[str]:
        return names_of(self.__name__.rpartition(".")[2])

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)

    def __getattr__(self, name: str) -> Any:
        if name not in self.__all__:
            raise AttributeError(f"{self.__name__} has no attribute {name!r}")
        value = self.__dict__[name] = load_public(name)
        return value
