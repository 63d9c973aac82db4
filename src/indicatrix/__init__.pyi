# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from typing import Any

from . import measures, tasks, types, fairness, algebra, inference, scores, theory, vision, sklearn, torch, integrations, plots
from .evaluate import evaluate, from_confusion, from_counts
from .storage.formats import load
from .engines.partitioned_frames import evaluate_dask, evaluate_spark
from .engines.files.evaluation_of_files import evaluate_file
from .engines.frames import evaluate_frame
from .engines.stream import Stream
from .evals.read.read_evals import read_evals
from .sklearn.cross_validation import cross_validate
from .sklearn.scorer import scorer
from .unlabeled.expected import expected
from .unlabeled.label_plan import plan_labels
from .encode.decisions import above, hit_in_top, reject_below, top_k
from .compare.dialects import dialect
from .compare.comparison import Comparison
from .algebra.counts import Counts
from .evaluation import Evaluation
from .inference.planning.gate import Gate
from .inference.intervals.interval import Interval
from .algebra.measure import Measure
from .algebra.score import Score
from .tally.cells import aggregate, cells
from .algebra.measure_definition import measure
from .encode.encoders import multilabel, one_hot, soft
from .algebra.numbers.functions import ratio
from .inference.raters.agreement import agreement
from .compare.compare import compare
from .compare.readers import compare_readers
from .vision.detection.evaluate_detections import detection
from .vision.panoptic.panoptic import panoptic
from .evals.measures import pass_at_k, pass_hat_k
from .sample_size import power
from .inference.calibration.prediction_sets import prediction_sets
from .vision.pixels.segmentation import segmentation
from .tasks.spans.spans import spans
from .scores.thresholds.sweep import sweep
from .scores.thresholds.tuning import tune
from .theory.explain.explain import explain
from .theory.identify.identify import identify
from .theory.formula.properties import properties
from .settings.ordinal import ordinal
from .settings.taxonomy import taxonomy
from .catalogue.counts.paper_groups import (
    accuracy,
    error_rate,
    balanced_accuracy,
    subset_accuracy,
    precision,
    recall,
    specificity,
    negative_predictive_value,
    false_positive_rate,
    false_negative_rate,
    f1,
    f_beta,
    jaccard,
    mcc,
    cohen_kappa,
    informedness,
    g_mean,
)
from .catalogue.matrices.agreement import multiclass_mcc, multiclass_kappa
from .scores.areas import auc, average_precision
from .scores.probabilities.proper_scores import brier, log_loss
from .scores.probabilities.hinge import hinge_loss
from .scores.probabilities.calibration import ece
from .scores.label_rankings.gains import top_k_accuracy, ndcg
from .scores.label_rankings.ranking_scores import mrr
from .tasks.cost import cost
from .catalogue.counts.utility import net_benefit
from .catalogue import listing as _listing, scales as _scales

__version__: str

class _Catalogue:
    def __call__(self, **facts: Any) -> _listing.Catalogue: ...
    SCALES = _scales.SCALES
    groups = staticmethod(_listing.groups)
    references = _listing.references

catalogue: _Catalogue

__all__ = [
    "evaluate",
    "from_confusion",
    "from_counts",
    "load",
    "evaluate_dask",
    "evaluate_spark",
    "evaluate_file",
    "evaluate_frame",
    "Stream",
    "read_evals",
    "cross_validate",
    "scorer",
    "expected",
    "plan_labels",
    "above",
    "hit_in_top",
    "reject_below",
    "top_k",
    "dialect",
    "Comparison",
    "Counts",
    "Evaluation",
    "Gate",
    "Interval",
    "Measure",
    "Score",
    "aggregate",
    "cells",
    "measure",
    "multilabel",
    "one_hot",
    "ratio",
    "soft",
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
    "explain",
    "identify",
    "properties",
    "ordinal",
    "taxonomy",
    "accuracy",
    "error_rate",
    "balanced_accuracy",
    "subset_accuracy",
    "precision",
    "recall",
    "specificity",
    "negative_predictive_value",
    "false_positive_rate",
    "false_negative_rate",
    "f1",
    "f_beta",
    "jaccard",
    "mcc",
    "cohen_kappa",
    "informedness",
    "g_mean",
    "multiclass_mcc",
    "multiclass_kappa",
    "auc",
    "average_precision",
    "brier",
    "log_loss",
    "hinge_loss",
    "ece",
    "top_k_accuracy",
    "ndcg",
    "mrr",
    "cost",
    "net_benefit",
    "measures",
    "tasks",
    "types",
    "fairness",
    "algebra",
    "catalogue",
    "inference",
    "scores",
    "theory",
    "vision",
    "sklearn",
    "torch",
    "integrations",
    "plots",
]
