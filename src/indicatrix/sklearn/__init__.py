"""scikit-learn's metrics by their names, signatures and conventions, on the counts of this library.

``from indicatrix.sklearn import f1_score`` takes the place of ``from sklearn.metrics import f1_score``. scikit-learn need not be
installed.
"""

from .door import InvalidParameterError, UndefinedMetricWarning
from .labels import (
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
    "balanced_accuracy_score",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "zero_one_loss",
]
