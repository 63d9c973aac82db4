"""The public names, each written once, with its namespace and module; and which stand at the top.

``__all__``, ``dir``, the stubs (``.pyi``) and the reference are derived from these tables; ``make docs`` writes the last two.
Measures of four counts and of the confusion matrix are not in them: they are public, as ``ix.measures.f1``, because they are
registered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

# Namespaces that list the names below; those of the last line are named like the packages that define most of their names.
NAMESPACES = (*("measures", "tasks", "types", "fairness"), *("algebra", "catalogue", "inference", "scores", "theory", "vision"))

ADAPTERS = ("sklearn", "torch", "integrations", "plots")  # packages with names of their own, for other libraries: ix.torch.Stream

HIDDEN = ("report",)  # packages under a name that people take for a function: they are imported, and ix.report is answered

# Namespace, module, names. Those of "" stand at the top alone; the others at the top as well if TOP or USUAL has them.
NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "": {
        "evaluate": ("evaluate", "from_confusion", "from_counts"),
        "storage.formats": ("load",),
        "engines.partitioned_frames": ("evaluate_dask", "evaluate_spark"),
        "engines.files.evaluation_of_files": ("evaluate_file",),
        "engines.frames": ("evaluate_frame",),
        "engines.stream": ("Stream",),
        "evals.read.read_evals": ("read_evals",),
        "sklearn.cross_validation": ("cross_validate",),
        "sklearn.scorer": ("scorer",),
        "unlabeled.expected": ("expected",),
        "unlabeled.label_plan": ("plan_labels",),
        "encode.decisions": ("above", "hit_in_top", "reject_below", "top_k"),
        "compare.dialects": ("dialect",),
    },
    "measures": {
        "scores.areas": (
            "area_under_cost_curve",
            "auc",
            "auc_of_hull",
            "auprc",
            "average_precision",
            "eer",
            "h_measure",
            "hand_till_auc",
            "log_auc",
            "ordinal_auc",
            "partial_auc",
            "r_precision",
            "threshold_average",
        ),
        "scores.probabilities.calibration": ("ece",),
        "scores.label_rankings.gains": ("dcg", "ndcg", "top_k_accuracy"),
        "scores.probabilities.hinge": ("hinge_loss",),
        "scores.probabilities.proper_scores": ("balanced_log_loss", "brier", "log_loss", "spherical_score"),
        "scores.label_rankings.ranking_scores": (
            "coverage_error",
            "label_ranking_ap",
            "mrr",
            "precision_at_k",
            "ranking_loss",
            "recall_at_k",
        ),
        "scores.probabilities.brier_decomposition": ("brier_skill", "log_loss_skill", "smooth_ece"),
        "vision.image_measures": ("ap", "ar", "assd", "hausdorff", "hausdorff95", "pq", "rq", "sq", "surface_dice"),
        "tasks.cost": ("cost",),
    },
    "algebra": {
        "algebra.numbers.functions": ("ratio",),
        "algebra.average": ("AVERAGES",),
        "algebra.fuzzy.consistency": ("is_marginally_consistent", "is_partition"),
        "algebra.measure": ("MEASURES",),
        "algebra.measure_definition": ("measure",),
        "algebra.fuzzy.tnorms": ("TNORMS", "tnorm"),
        "algebra.fuzzy.negations": ("NEGATIONS", "negation"),
        "encode.encoders": ("multilabel", "one_hot", "soft"),
        "tally.cells": ("aggregate", "cells"),
    },
    "catalogue": {"catalogue.listing": ("references",), "catalogue.scales": ("SCALES",)},
    "tasks": {
        "evaluate": ("per_example",),
        "catalogue.matrices.information": ("pair_counts",),
        "settings.example_costs": ("example_costs",),
        "settings.cost_matrices": ("label_costs",),
        "settings.ordinal": ("ordinal",),
        "settings.taxonomy": ("taxonomy",),
        "settings.paper_settings": ("SETTINGS",),
        "tasks.cost": ("cost_per_example",),
        "tasks.folds": ("folds",),
        "encode.pairs": ("configurations",),
        "tasks.label_ranking": ("preferences", "top_ranked"),
        "tasks.multi_instance": ("multi_instance", "pool_bags"),
        "tasks.pairwise.one_vs_all": ("one_vs_all",),
        "tasks.pairwise.one_vs_one": ("one_vs_one",),
        "tasks.selective.open_set_curve": ("open_set_curve",),
        "tasks.positive_unlabeled": ("positive_unlabeled",),
        "tasks.selective.risk_coverage": ("risk_coverage",),
        "tasks.spans.sequences": ("entities", "sequences"),
        "tasks.spans.spans": ("spans",),
        "tasks.spans.span_pairs": ("span_outcomes",),
        "tasks.selective.single_class": ("one_class",),
        "tasks.votes": ("votes",),
        "evals.measures": ("pass_at_k", "pass_hat_k"),
    },
    "scores": {
        "scores.areas": ("AREAS",),
        "scores.probabilities.brier_decomposition": ("brier_decomposition",),
        "scores.probabilities.cost_weights": ("COST_WEIGHTS",),
        "scores.probabilities.expected_loss": ("expected_loss",),
        "scores.probabilities.calibration": ("reliability",),
        "scores.label_rankings.kendall": ("kendall",),
        "scores.label_rankings.propensity_scores": ("label_propensities", "propensity_ndcg_at_k", "propensity_precision_at_k"),
        "scores.thresholds.roc_dominance": ("roc_dominance",),
        "scores.thresholds.sweep": ("binned", "sweep"),
        "scores.thresholds.tuning": ("tune",),
    },
    "inference": {
        "compare.compare": ("compare",),
        "compare.paired_counts": ("paired_counts",),
        "compare.readers": ("compare_readers",),
        "sample_size": ("power",),
        "inference.calibration.calibration_line": ("calibration_line", "spiegelhalter"),
        "inference.calibration.prediction_sets": ("prediction_sets",),
        "inference.data_sets.data_set_comparison": ("compare_data_sets",),
        "inference.data_sets.probabilities": ("hierarchical_comparison",),
        "inference.folds.compare_folds": ("compare_folds",),
        "inference.folds.interval": ("fold_interval",),
        "inference.intervals.of_score": ("interval",),
        "inference.raters.agreement": ("agreement",),
        "unlabeled.class_shares": ("class_shares",),
        "inference.population.scores": ("relations",),
    },
    "theory": {
        "theory.explain.explain": ("explain",),
        "compare.explained_difference": ("explain_difference",),
        "theory.formula.best_label_set": ("best_label_set", "best_label_set_of"),
        "theory.formula.equivalence": ("equivalent",),
        "theory.formula.measure_notes": ("floor", "rescale"),
        "theory.formula.optimal_threshold": ("optimal_threshold",),
        "theory.formula.properties": ("properties", "select"),
        "theory.identify.identify": ("identify",),
        "theory.result.dominance": ("pareto",),
        "theory.result.prior_free": ("uniform_error_deviation",),
        "theory.result.redundancy": ("redundant",),
    },
    "fairness": {
        "theory.result.fairness": (
            "demographic_parity_difference",
            "demographic_parity_ratio",
            "equal_opportunity_difference",
            "equal_opportunity_ratio",
            "equalized_odds_difference",
            "equalized_odds_ratio",
            "predictive_parity_difference",
            "predictive_parity_ratio",
        )
    },
    "vision": {
        "vision.detection.evaluate_detections": ("detection", "instances"),
        "vision.panoptic.panoptic": ("panoptic",),
        "vision.pixels.segmentation": (
            "segmentation",
            "segmentation_summary",
        ),
        "vision.surfaces.evaluate_surfaces": ("surface_distances",),
    },
    "types": {
        "evaluation": ("Evaluation",),
        "engines.files.bad_rows": ("BadRows",),
        "engines.files.file_run": ("Progress",),
        "sklearn.cross_validation": ("CrossValidation",),
        "sklearn.scorer": ("Scorer",),
        "compare.comparison": ("Comparison",),
        "compare.paired_counts": ("PairedCounts",),
        "unlabeled.class_shares": ("ClassShares",),
        "unlabeled.label_plan": ("LabelPlan",),
        "inference.raters.panel": ("AgainstPanel", "LatentTruth"),
        "compare.readers": ("ReaderComparison",),
        "theory.explain.explain": ("Explanation",),
        "compare.explained_difference": ("ExplainedDifference",),
        "algebra.convention": ("Convention",),
        "algebra.counts": ("Counts",),
        "algebra.evidence": ("Evidence",),
        "algebra.formula": ("FormulaError",),
        "algebra.measure": ("Measure",),
        "algebra.score": ("Score", "UndefinedError"),
        "algebra.sensitivity": ("Sensitivity",),
        "algebra.fuzzy.tnorms": ("TNorm",),
        "algebra.fuzzy.negations": ("Negation",),
        "encode.indicator": ("Indicator",),
        "tally.cells": ("Cells",),
        "tally.states.replicates": ("Replicates",),
        "compare.dialects": ("Dialect",),
        "catalogue.listing": ("Catalogue",),
        "catalogue.scales": ("Scale",),
        "scores.thresholds.best_thresholds": ("Best",),
        "scores.thresholds.constraints": ("Constraint",),
        "scores.thresholds.operating_points": ("RatePoint",),
        "scores.curves.ranked_units": ("Estimate",),
        "scores.probabilities.brier_decomposition": ("BrierDecomposition",),
        "scores.probabilities.cost_weights": ("CostWeight",),
        "scores.probabilities.expected_loss": ("ExpectedLoss",),
        "scores.probabilities.calibration": ("Reliability",),
        "scores.curves.curve": ("Curve",),
        "scores.thresholds.roc_dominance": ("RocDominance",),
        "scores.thresholds.sweep": ("Sweep",),
        "scores.thresholds.tuned_rule": ("Calibration", "Tuned"),
        "inference.calibration.calibration_line": ("CalibrationLine", "Spiegelhalter"),
        "inference.calibration.prediction_sets": ("PredictionSets",),
        "inference.paired.difference": ("Difference",),
        "inference.data_sets.data_set_comparison": ("DataSetComparison",),
        "inference.data_sets.probabilities": ("DataSetProbabilities",),
        "inference.folds.fold_comparison": ("FoldComparison",),
        "evals.runs": ("Runs",),
        "inference.slices.weakest": ("Slice", "WeakestSlices"),
        "inference.order.agreement": ("RankAgreement", "Reversal"),
        "inference.groups.group_comparison": ("GroupComparison",),
        "inference.order.conclusions": ("Conclusion", "Conclusions"),
        "inference.groups.differences": ("GroupDifference", "GroupDifferences"),
        "inference.groups.group_samples": ("GroupTest",),
        "inference.intervals.interval": ("Interval",),
        "inference.raters.agreement": ("RaterAgreement",),
        "inference.planning.gate": ("Gate", "Verdict"),
        "inference.planning.power": ("Power",),
        "inference.population.relations": ("Relations",),
        "settings.example_costs": ("ExampleCosts",),
        "settings.cost_matrices": ("CostMatrix", "LabelCosts"),
        "settings.ordinal": ("Ordinal",),
        "settings.taxonomy": ("Taxonomy",),
        "tasks.folds": ("Folds",),
        "tasks.multi_instance": ("MultiInstance",),
        "tasks.pairwise.one_vs_all": ("OneVsAll",),
        "tasks.pairwise.one_vs_one": ("OneVsOne",),
        "tasks.selective.open_set_curve": ("OpenSetCurve",),
        "tasks.positive_unlabeled": ("Bounds", "PositiveUnlabeled"),
        "tasks.selective.risk_coverage": ("RiskCoverage",),
        "tasks.spans.sequences": ("Sequences",),
        "theory.formula.measure_notes": ("Floor",),
        "theory.formula.optimal_threshold": ("OptimalThreshold",),
        "theory.formula.properties": ("Properties",),
        "theory.identify.identify": ("Identification",),
        "theory.result.checklist": ("Checklist", "ChecklistItem"),
        "theory.result.coinciding_scores": ("CoincidingScores",),
        "theory.result.dominance": ("Dominance", "Pareto"),
        "theory.result.findings": ("Finding",),
        "theory.result.gap": ("Gap",),
        "theory.result.prior_free": ("SkewConditions",),
        "theory.result.priors": ("PriorSensitivity",),
        "theory.result.redundancy": ("Redundancy",),
        "vision.detection.detection_evaluation": ("DetectionEvaluation",),
        "vision.detection.error_breakdown": ("ErrorBreakdown",),
        "vision.detection.kept_predictions": ("FreeResponse", "ImageCase"),
        "vision.panoptic.panoptic_evaluation": ("PanopticEvaluation",),
        "vision.surfaces.surface_evaluation": ("SurfaceEvaluation",),
    },
}
HOMES = {name: module for modules in NAMES.values() for module, names in modules.items() for name in names}
SPACES = {name: space for space, modules in NAMES.items() for names in modules.values() for name in names}

TOP = (  # what also stands at the top: ix.compare, ix.Score
    *("Comparison", "Counts", "Evaluation", "Gate", "Interval", "Measure", "Score"),
    *("aggregate", "cells", "measure", "multilabel", "one_hot", "ratio", "soft"),
    *(
        "agreement",
        "compare",
        "compare_readers",
        "detection",
        "panoptic",
        "pass_at_k",
        "pass_hat_k",
        "power",
        "prediction_sets",
        "segmentation",
        "spans",
        "sweep",
        "tune",
    ),
    *("explain", "identify", "properties"),
    *("ordinal", "taxonomy"),
)
USUAL = (  # the measures at the top; ix.measures has all
    *("accuracy", "error_rate", "balanced_accuracy", "subset_accuracy"),
    *("precision", "recall", "specificity", "negative_predictive_value", "false_positive_rate", "false_negative_rate"),
    *("f1", "f_beta", "jaccard", "mcc", "cohen_kappa", "informedness", "g_mean", "multiclass_mcc", "multiclass_kappa"),
    *("auc", "average_precision", "brier", "log_loss", "hinge_loss", "ece"),
    *("top_k_accuracy", "ndcg", "mrr", "cost", "net_benefit"),
)
PUBLIC = (*(name for names in NAMES[""].values() for name in names), *TOP, *USUAL, *NAMESPACES, *ADAPTERS)


def place(name: str) -> str:
    """Return how users write a public name; a name that the tables do not have is that of a measure.

    >>> place("f1"), place("kuhns_3"), place("Best"), place("pareto")
    ('ix.f1', 'ix.measures.kuhns_3', 'ix.types.Best', 'ix.theory.pareto')
    """
    return f"ix.{name}" if name in PUBLIC else f"ix.{SPACES.get(name, 'measures')}.{name}"


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
    """Return what a public name stands for; its module is loaded now if it was not.

    A name that the tables do not have is that of a registered measure.
    """
    home = HOMES.get(name, "measures")
    return getattr(import_module(f"{__package__}.{home}"), name)


def names_of(space: str) -> list[str]:
    """Return the public names of a namespace; of ``measures`` those that are loaded at first use.

    >>> names_of("theory")[:3]
    ['explain', 'explain_difference', 'best_label_set']
    """
    return [name for names in NAMES[space].values() for name in names]


def every_public() -> dict[str, Any]:
    """Return every public name that is not a module, measures included, with what it stands for.

    >>> found = every_public()
    >>> "kuhns_3" in found, "Best" in found, "theory" in found
    (True, True, False)
    """
    measures = import_module(f"{__package__}.measures")
    return {name: load_public(name) for name in HOMES} | {name: getattr(measures, name) for name in dir(measures)}


class Package(ModuleType):
    """A package whose public names are never hidden by a module of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing a/b.py sets the module b as an attribute of a, where it would hide a public function b.
        if not (isinstance(value, ModuleType) and (name in HOMES or name in HIDDEN)):
            super().__setattr__(name, value)


class Namespace(Package):
    """A module that lists public names and nothing else, and loads each at first use.

    A module becomes one by ``sys.modules[__name__].__class__ = Namespace``; the submodules of a package are imported as ever.
    """

    @property
    def __all__(self) -> list[str]:
        return names_of(self.__name__.rpartition(".")[2])

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)

    def __getattr__(self, name: str) -> Any:
        if name not in self.__all__:
            raise AttributeError(f"{self.__name__} has no attribute {name!r}.{_elsewhere(name)}")
        value = self.__dict__[name] = load_public(name)
        return value


def _elsewhere(name: str) -> str:
    """Return where a public name is that a namespace does not have; "" for other names."""
    measures = import_module(f"{__package__}.algebra.kind")
    return f" It is {place(name)}." if name in HOMES or name in measures.OF_COUNTS or name in measures.OF_OTHERS else ""
