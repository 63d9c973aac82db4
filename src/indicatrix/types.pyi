# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .inference.raters.panel import AgainstPanel as AgainstPanel
from .engines.files.bad_rows import BadRows as BadRows
from .scores.thresholds.best_thresholds import Best as Best
from .tasks.positive_unlabeled import Bounds as Bounds
from .scores.probabilities.brier_decomposition import BrierDecomposition as BrierDecomposition
from .scores.thresholds.tuned_rule import Calibration as Calibration
from .inference.calibration.calibration_line import CalibrationLine as CalibrationLine
from .catalogue.listing import Catalogue as Catalogue
from .tally.cells import Cells as Cells
from .theory.result.checklist import Checklist as Checklist
from .theory.result.checklist import ChecklistItem as ChecklistItem
from .unlabeled.class_shares import ClassShares as ClassShares
from .theory.result.coinciding_scores import CoincidingScores as CoincidingScores
from .compare.comparison import Comparison as Comparison
from .inference.order.conclusions import Conclusion as Conclusion
from .inference.order.conclusions import Conclusions as Conclusions
from .scores.thresholds.constraints import Constraint as Constraint
from .algebra.convention import Convention as Convention
from .settings.cost_matrices import CostMatrix as CostMatrix
from .scores.probabilities.cost_weights import CostWeight as CostWeight
from .algebra.counts import Counts as Counts
from .sklearn.cross_validation import CrossValidation as CrossValidation
from .scores.curves.curve import Curve as Curve
from .inference.data_sets.data_set_comparison import DataSetComparison as DataSetComparison
from .inference.data_sets.probabilities import DataSetProbabilities as DataSetProbabilities
from .vision.detection.detection_evaluation import DetectionEvaluation as DetectionEvaluation
from .compare.dialects import Dialect as Dialect
from .inference.paired.difference import Difference as Difference
from .theory.result.dominance import Dominance as Dominance
from .vision.detection.error_breakdown import ErrorBreakdown as ErrorBreakdown
from .scores.curves.ranked_units import Estimate as Estimate
from .evaluation import Evaluation as Evaluation
from .algebra.evidence import Evidence as Evidence
from .settings.example_costs import ExampleCosts as ExampleCosts
from .scores.probabilities.expected_loss import ExpectedLoss as ExpectedLoss
from .compare.explained_difference import ExplainedDifference as ExplainedDifference
from .theory.explain.explain import Explanation as Explanation
from .theory.result.findings import Finding as Finding
from .theory.formula.floors import Floor as Floor
from .inference.folds.fold_comparison import FoldComparison as FoldComparison
from .tasks.folds import Folds as Folds
from .algebra.formula import FormulaError as FormulaError
from .vision.detection.kept_predictions import FreeResponse as FreeResponse
from .theory.result.gap import Gap as Gap
from .inference.planning.gate import Gate as Gate
from .inference.groups.group_comparison import GroupComparison as GroupComparison
from .inference.groups.differences import GroupDifference as GroupDifference
from .inference.groups.differences import GroupDifferences as GroupDifferences
from .inference.groups.group_samples import GroupTest as GroupTest
from .theory.identify.identify import Identification as Identification
from .vision.detection.kept_predictions import ImageCase as ImageCase
from .encode.indicator import Indicator as Indicator
from .inference.intervals.interval import Interval as Interval
from .settings.cost_matrices import LabelCosts as LabelCosts
from .unlabeled.label_plan import LabelPlan as LabelPlan
from .inference.raters.latent_truth import LatentTruth as LatentTruth
from .algebra.measure import Measure as Measure
from .tasks.multi_instance import MultiInstance as MultiInstance
from .algebra.fuzzy.negations import Negation as Negation
from .tasks.pairwise.one_vs_all import OneVsAll as OneVsAll
from .tasks.pairwise.one_vs_one import OneVsOne as OneVsOne
from .tasks.selective.open_set_curve import OpenSetCurve as OpenSetCurve
from .theory.formula.optimal_threshold import OptimalThreshold as OptimalThreshold
from .settings.ordinal import Ordinal as Ordinal
from .compare.paired_counts import PairedCounts as PairedCounts
from .vision.panoptic.panoptic_evaluation import PanopticEvaluation as PanopticEvaluation
from .theory.result.dominance import Pareto as Pareto
from .tasks.positive_unlabeled import PositiveUnlabeled as PositiveUnlabeled
from .inference.planning.power import Power as Power
from .inference.calibration.prediction_sets import PredictionSets as PredictionSets
from .theory.result.priors import PriorSensitivity as PriorSensitivity
from .engines.files.file_run import Progress as Progress
from .theory.formula.properties import Properties as Properties
from .inference.order.agreement import RankAgreement as RankAgreement
from .scores.thresholds.operating_points import RatePoint as RatePoint
from .inference.raters.agreement import RaterAgreement as RaterAgreement
from .compare.readers import ReaderComparison as ReaderComparison
from .theory.result.redundancy import Redundancy as Redundancy
from .inference.population.relations import Relations as Relations
from .scores.probabilities.calibration import Reliability as Reliability
from .tally.states.replicates import Replicates as Replicates
from .inference.order.agreement import Reversal as Reversal
from .tasks.selective.risk_coverage import RiskCoverage as RiskCoverage
from .scores.thresholds.roc_dominance import RocDominance as RocDominance
from .evals.runs import Runs as Runs
from .catalogue.scales import Scale as Scale
from .algebra.score import Score as Score
from .sklearn.scorer import Scorer as Scorer
from .algebra.sensitivity import Sensitivity as Sensitivity
from .tasks.spans.sequences import Sequences as Sequences
from .theory.result.prior_free import SkewConditions as SkewConditions
from .inference.slices.weakest import Slice as Slice
from .inference.calibration.calibration_line import Spiegelhalter as Spiegelhalter
from .vision.surfaces.surface_evaluation import SurfaceEvaluation as SurfaceEvaluation
from .scores.thresholds.sweep import Sweep as Sweep
from .algebra.fuzzy.tnorms import TNorm as TNorm
from .settings.taxonomy import Taxonomy as Taxonomy
from .scores.thresholds.tuned_rule import Tuned as Tuned
from .algebra.score import UndefinedError as UndefinedError
from .inference.planning.gate import Verdict as Verdict
from .inference.slices.weakest import WeakestSlices as WeakestSlices

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
