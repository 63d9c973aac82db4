# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .inference.raters.panel import AgainstPanel, LatentTruth
from .engines.files.bad_rows import BadRows
from .scores.thresholds.best_thresholds import Best
from .tasks.positive_unlabeled import Bounds, PositiveUnlabeled
from .scores.probabilities.brier_decomposition import BrierDecomposition
from .scores.thresholds.tuned_rule import Calibration, Tuned
from .inference.calibration.calibration_line import CalibrationLine, Spiegelhalter
from .catalogue.listing import Catalogue
from .tally.cells import Cells
from .theory.result.checklist import Checklist, ChecklistItem
from .unlabeled.class_shares import ClassShares
from .theory.result.coinciding_scores import CoincidingScores
from .compare.comparison import Comparison
from .inference.order.conclusions import Conclusion, Conclusions
from .scores.thresholds.constraints import Constraint
from .algebra.convention import Convention
from .settings.cost_matrices import CostMatrix, LabelCosts
from .scores.probabilities.cost_weights import CostWeight
from .algebra.counts import Counts
from .sklearn.cross_validation import CrossValidation
from .scores.curves.curve import Curve
from .inference.data_sets.data_set_comparison import DataSetComparison
from .inference.data_sets.probabilities import DataSetProbabilities
from .vision.detection.detection_evaluation import DetectionEvaluation
from .compare.dialects import Dialect
from .inference.paired.difference import Difference
from .theory.result.dominance import Dominance, Pareto
from .vision.detection.error_breakdown import ErrorBreakdown
from .scores.curves.ranked_units import Estimate
from .evaluation import Evaluation
from .algebra.evidence import Evidence
from .settings.example_costs import ExampleCosts
from .scores.probabilities.expected_loss import ExpectedLoss
from .compare.explained_difference import ExplainedDifference
from .theory.explain.explain import Explanation
from .theory.result.findings import Finding
from .theory.formula.measure_notes import Floor
from .inference.folds.fold_comparison import FoldComparison
from .tasks.folds import Folds
from .algebra.formula import FormulaError
from .vision.detection.kept_predictions import FreeResponse, ImageCase
from .theory.result.gap import Gap
from .inference.planning.gate import Gate, Verdict
from .inference.groups.group_comparison import GroupComparison
from .inference.groups.differences import GroupDifference, GroupDifferences
from .inference.groups.group_samples import GroupTest
from .theory.identify.identify import Identification
from .encode.indicator import Indicator
from .inference.intervals.interval import Interval
from .unlabeled.label_plan import LabelPlan
from .algebra.measure import Measure
from .tasks.multi_instance import MultiInstance
from .algebra.fuzzy.negations import Negation
from .tasks.pairwise.one_vs_all import OneVsAll
from .tasks.pairwise.one_vs_one import OneVsOne
from .tasks.selective.open_set_curve import OpenSetCurve
from .theory.formula.optimal_threshold import OptimalThreshold
from .settings.ordinal import Ordinal
from .compare.paired_counts import PairedCounts
from .vision.panoptic.panoptic_evaluation import PanopticEvaluation
from .inference.planning.power import Power
from .inference.calibration.prediction_sets import PredictionSets
from .theory.result.priors import PriorSensitivity
from .engines.files.file_run import Progress
from .theory.formula.properties import Properties
from .inference.order.agreement import RankAgreement, Reversal
from .scores.thresholds.operating_points import RatePoint
from .inference.raters.agreement import RaterAgreement
from .compare.readers import ReaderComparison
from .theory.result.redundancy import Redundancy
from .inference.population.relations import Relations
from .scores.probabilities.calibration import Reliability
from .tally.states.replicates import Replicates
from .tasks.selective.risk_coverage import RiskCoverage
from .scores.thresholds.roc_dominance import RocDominance
from .evals.runs import Runs
from .catalogue.scales import Scale
from .algebra.score import Score, UndefinedError
from .sklearn.scorer import Scorer
from .algebra.sensitivity import Sensitivity
from .tasks.spans.sequences import Sequences
from .theory.result.prior_free import SkewConditions
from .inference.slices.weakest import Slice, WeakestSlices
from .vision.surfaces.surface_evaluation import SurfaceEvaluation
from .scores.thresholds.sweep import Sweep
from .algebra.fuzzy.tnorms import TNorm
from .settings.taxonomy import Taxonomy

__all__ = [
    "AgainstPanel",
    "BadRows",
    "Best",
    "Bounds",
    "BrierDecomposition",
    "Calibration",
    "CalibrationLine",
    "Catalogue",
    "Cells",
    "Checklist",
    "ChecklistItem",
    "ClassShares",
    "CoincidingScores",
    "Comparison",
    "Conclusion",
    "Conclusions",
    "Constraint",
    "Convention",
    "CostMatrix",
    "CostWeight",
    "Counts",
    "CrossValidation",
    "Curve",
    "DataSetComparison",
    "DataSetProbabilities",
    "DetectionEvaluation",
    "Dialect",
    "Difference",
    "Dominance",
    "ErrorBreakdown",
    "Estimate",
    "Evaluation",
    "Evidence",
    "ExampleCosts",
    "ExpectedLoss",
    "ExplainedDifference",
    "Explanation",
    "Finding",
    "Floor",
    "FoldComparison",
    "Folds",
    "FormulaError",
    "FreeResponse",
    "Gap",
    "Gate",
    "GroupComparison",
    "GroupDifference",
    "GroupDifferences",
    "GroupTest",
    "Identification",
    "ImageCase",
    "Indicator",
    "Interval",
    "LabelCosts",
    "LabelPlan",
    "LatentTruth",
    "Measure",
    "MultiInstance",
    "Negation",
    "OneVsAll",
    "OneVsOne",
    "OpenSetCurve",
    "OptimalThreshold",
    "Ordinal",
    "PairedCounts",
    "PanopticEvaluation",
    "Pareto",
    "PositiveUnlabeled",
    "Power",
    "PredictionSets",
    "PriorSensitivity",
    "Progress",
    "Properties",
    "RankAgreement",
    "RatePoint",
    "RaterAgreement",
    "ReaderComparison",
    "Redundancy",
    "Relations",
    "Reliability",
    "Replicates",
    "Reversal",
    "RiskCoverage",
    "RocDominance",
    "Runs",
    "Scale",
    "Score",
    "Scorer",
    "Sensitivity",
    "Sequences",
    "SkewConditions",
    "Slice",
    "Spiegelhalter",
    "SurfaceEvaluation",
    "Sweep",
    "TNorm",
    "Taxonomy",
    "Tuned",
    "UndefinedError",
    "Verdict",
    "WeakestSlices",
]
