"""scikit-learn's metrics by their names, signatures and conventions, on the counts of this library.

``from indicatrix.sklearn import f1_score`` takes the place of ``from sklearn.metrics import f1_score``. scikit-learn need not be
installed, except for scorers, which are for its searches.
"""

from __future__ import annotations

import sys
from typing import Any

from .accuracies import accuracy_score, balanced_accuracy_score, hamming_loss, zero_one_loss
from .areas import average_precision_score, roc_auc_score
from .call_checks import InvalidParameterError, UndefinedMetricWarning
from .curves import auc, confusion_matrix_at_thresholds, det_curve, metric_at_thresholds, precision_recall_curve, roc_curve
from .losses import brier_score_loss, d2_brier_score, d2_log_loss_score, hinge_loss, log_loss
from .named_scorers import get_scorer, get_scorer_names, make_scorer
from .not_here import refuse_name
from .precision_recall import f1_score, fbeta_score, jaccard_score, precision_recall_fscore_support, precision_score, recall_score
from .rankings import (
    coverage_error,
    dcg_score,
    label_ranking_average_precision_score,
    label_ranking_loss,
    ndcg_score,
    top_k_accuracy_score,
)
from .reports import classification_report
from .tables import (
    class_likelihood_ratios,
    cohen_kappa_score,
    confusion_matrix,
    matthews_corrcoef,
    multilabel_confusion_matrix,
)

__all__ = [
    "InvalidParameterError",
    "UndefinedMetricWarning",
    "accuracy_score",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "d2_brier_score",
    "d2_log_loss_score",
    "dcg_score",
    "det_curve",
    "f1_score",
    "fbeta_score",
    "get_scorer",
    "get_scorer_names",
    "hamming_loss",
    "hinge_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "make_scorer",
    "matthews_corrcoef",
    "metric_at_thresholds",
    "multilabel_confusion_matrix",
    "ndcg_score",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
    "zero_one_loss",
]


def __getattr__(name: str) -> Any:
    """Refuse a name that is not here, and say what to use."""
    refuse_name(name, __all__, sys._getframe(1).f_globals.get("__name__", ""))


def __dir__() -> list[str]:
    return __all__
