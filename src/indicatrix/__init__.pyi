# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from typing import Any

from . import measures as measures
from . import tasks as tasks
from . import types as types
from . import fairness as fairness
from . import algebra as algebra
from . import inference as inference
from . import scores as scores
from . import theory as theory
from . import vision as vision
from . import sklearn as sklearn
from . import torch as torch
from . import integrations as integrations
from . import plots as plots
from .evaluate import evaluate as evaluate
from .evaluate import from_confusion as from_confusion
from .evaluate import from_counts as from_counts
from .storage.formats import load as load
from .engines.dask_frames import evaluate_dask as evaluate_dask
from .engines.files.evaluation_of_files import evaluate_file as evaluate_file
from .engines.frames import evaluate_frame as evaluate_frame
from .engines.spark_frames import evaluate_spark as evaluate_spark
from .engines.stream import Stream as Stream
from .evals.read.read_evals import read_evals as read_evals
from .sklearn.cross_validation import cross_validate as cross_validate
from .sklearn.scorer import scorer as scorer
from .unlabeled.expected import expected as expected
from .unlabeled.label_plan import plan_labels as plan_labels
from .encode.decisions import above as above
from .encode.decisions import hit_in_top as hit_in_top
from .encode.decisions import reject_below as reject_below
from .encode.decisions import top_k as top_k
from .compare.dialects import dialect as dialect
from .compare.comparison import Comparison as Comparison
from .algebra.counts import Counts as Counts
from .evaluation import Evaluation as Evaluation
from .inference.planning.gate import Gate as Gate
from .inference.intervals.interval import Interval as Interval
from .algebra.measure import Measure as Measure
from .algebra.score import Score as Score
from .tally.cells import aggregate as aggregate
from .tally.cells import cells as cells
from .algebra.measure_definition import measure as measure
from .encode.encoders import multilabel as multilabel
from .encode.encoders import one_hot as one_hot
from .algebra.numbers.functions import ratio as ratio
from .encode.encoders import soft as soft
from .inference.raters.agreement import agreement as agreement
from .compare.compare import compare as compare
from .compare.readers import compare_readers as compare_readers
from .vision.detection.evaluate_detections import detection as detection
from .vision.panoptic.panoptic import panoptic as panoptic
from .evals.measures import pass_at_k as pass_at_k
from .evals.measures import pass_hat_k as pass_hat_k
from .sample_size import power as power
from .inference.calibration.prediction_sets import prediction_sets as prediction_sets
from .vision.pixels.segmentation import segmentation as segmentation
from .tasks.spans.spans import spans as spans
from .scores.thresholds.sweep import sweep as sweep
from .scores.thresholds.tuning import tune as tune
from .theory.explain.explain import explain as explain
from .theory.identify.identify import identify as identify
from .theory.formula.properties import properties as properties
from .settings.ordinal import ordinal as ordinal
from .settings.taxonomy import taxonomy as taxonomy
from .catalogue.counts.paper_groups import accuracy as accuracy
from .catalogue.counts.paper_groups import error_rate as error_rate
from .catalogue.counts.paper_groups import balanced_accuracy as balanced_accuracy
from .catalogue.counts.paper_groups import subset_accuracy as subset_accuracy
from .catalogue.counts.paper_groups import precision as precision
from .catalogue.counts.paper_groups import recall as recall
from .catalogue.counts.paper_groups import specificity as specificity
from .catalogue.counts.paper_groups import negative_predictive_value as negative_predictive_value
from .catalogue.counts.paper_groups import false_positive_rate as false_positive_rate
from .catalogue.counts.paper_groups import false_negative_rate as false_negative_rate
from .catalogue.counts.paper_groups import f1 as f1
from .catalogue.counts.paper_groups import f_beta as f_beta
from .catalogue.counts.paper_groups import jaccard as jaccard
from .catalogue.counts.paper_groups import mcc as mcc
from .catalogue.counts.paper_groups import cohen_kappa as cohen_kappa
from .catalogue.counts.paper_groups import informedness as informedness
from .catalogue.counts.paper_groups import g_mean as g_mean
from .catalogue.matrices.agreement import multiclass_mcc as multiclass_mcc
from .catalogue.matrices.agreement import multiclass_kappa as multiclass_kappa
from .scores.areas import auc as auc
from .scores.areas import average_precision as average_precision
from .scores.probabilities.proper_scores import brier as brier
from .scores.probabilities.proper_scores import log_loss as log_loss
from .scores.probabilities.hinge import hinge_loss as hinge_loss
from .scores.probabilities.calibration import ece as ece
from .scores.label_rankings.top_k_accuracy import top_k_accuracy as top_k_accuracy
from .scores.label_rankings.gains import ndcg as ndcg
from .scores.label_rankings.ranking_scores import mrr as mrr
from .tasks.cost import cost as cost
from .catalogue.counts.utility import net_benefit as net_benefit
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
    "evaluate_file",
    "evaluate_frame",
    "evaluate_spark",
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
