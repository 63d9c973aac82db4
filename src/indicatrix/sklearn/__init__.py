"""scikit-learn's metrics by their names, signatures and conventions, on the counts of this library.

``from indicatrix.sklearn import f1_score`` takes the place of ``from sklearn.metrics import f1_score``. scikit-learn need not be
installed, except for scorers, which are for its searches.
"""

from __future__ import annotations

import sys
from typing import Any

from ..words.wording import did_you_mean
from .areas import average_precision_score, roc_auc_score
from .averages import classification_report
from .call_checks import InvalidParameterError, UndefinedMetricWarning
from .curves import auc, confusion_matrix_at_thresholds, det_curve, metric_at_thresholds, precision_recall_curve, roc_curve
from .losses import brier_score_loss, d2_brier_score, d2_log_loss_score, hinge_loss, log_loss
from .named_scorers import get_scorer, get_scorer_names, make_scorer
from .precision_recall import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    fbeta_score,
    hamming_loss,
    jaccard_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
    zero_one_loss,
)
from .rankings import (
    coverage_error,
    dcg_score,
    label_ranking_average_precision_score,
    label_ranking_loss,
    ndcg_score,
    top_k_accuracy_score,
)
from .tables import class_likelihood_ratios, cohen_kappa_score, confusion_matrix, matthews_corrcoef, multilabel_confusion_matrix

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
    "tuned_classifier",  # noqa: F822 - made when it is asked for
    "zero_one_loss",
]

# What scikit-learn's metrics have and this package has not, and what to use instead.
IMPORTER = "importlib._bootstrap"  # the module that looks names up for "from … import …"
INSTEAD = {
    "ConfusionMatrixDisplay": "ix.evaluate(y_true, y_pred).plot.confusion() draws the matrix",
    "RocCurveDisplay": "ix.sweep(y_true, scores).roc().plot() draws the curve, ix.plots.curves({'a': roc_a, 'b': roc_b}) several",
    "PrecisionRecallDisplay": "ix.sweep(y_true, scores).pr().plot() draws the curve",
    "DetCurveDisplay": "ix.sweep(y_true, scores).det().plot() draws the curve",
    "CalibrationDisplay": "ix.scores.reliability(y_true, probabilities).plot() draws the diagram",
    "calibration_curve": "ix.scores.reliability(y_true, probabilities) has the bins",
    "check_scoring": "ix.scorer({'f1': 'f1', 'auc': 'auc'}, average='macro') makes a scorer of several measures",
    "adjusted_rand_score": "ix.measures.adjusted_rand_index(y_true, y_pred) is the same number",
    "rand_score": "ix.measures.rand_index(y_true, y_pred) is the same number",
    "mutual_info_score": "ix.measures.mutual_information(y_true, y_pred) is the same in bits",
    "cross_val_score": "ix.cross_validate(estimator, X, y) evaluates all folds",
    "cross_validate": "ix.cross_validate(estimator, X, y) evaluates all folds",
}
ELSEWHERE = {
    "CalibrationDisplay": "sklearn.calibration",
    "calibration_curve": "sklearn.calibration",
    "cross_val_score": "sklearn.model_selection",
    "cross_validate": "sklearn.model_selection",
}


def __getattr__(name: str) -> Any:
    """Refuse a name that this package does not have, in one line that says what to use.

    ``from indicatrix.sklearn import name`` hides the text of an AttributeError, so it gets an ImportError; everyone else, such as
    ``hasattr``, gets what attributes raise.
    """
    if name == "tuned_classifier":
        from .tuning_step import tuned_classifier

        return tuned_classifier
    caller = sys._getframe(1).f_globals.get("__name__", "")  # the module that asks
    known = name in INSTEAD or (not name.startswith("_") and _is_there(name))
    if name in INSTEAD:
        home = ELSEWHERE.get(name, "sklearn.metrics")
        said = f"indicatrix.sklearn has no {name}: {INSTEAD[name]}; scikit-learn's own is in {home}."
    elif known:
        said = (
            f"indicatrix.sklearn has the metrics of classification, and {name} is not one of them: from sklearn.metrics import "
            f"{name}."
        )
    else:
        said = f"module 'indicatrix.sklearn' has no attribute {name!r}. {did_you_mean(name, __all__)}".rstrip()
    raise (ImportError if known and caller == IMPORTER else AttributeError)(said)


def _is_there(name: str) -> bool:
    """Return whether scikit-learn's metrics have a name; False without scikit-learn."""
    try:
        from sklearn import metrics
    except ImportError:
        return False
    return name in metrics.__all__


def __dir__() -> list[str]:
    return __all__
