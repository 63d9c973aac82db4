"""What scikit-learn's metrics have and this package has not, and what to use instead."""

from __future__ import annotations

from typing import NoReturn

from ..algebra.spelling import did_you_mean

IMPORTER = "importlib._bootstrap"  # the module that looks names up for "from … import …"
INSTEAD = {
    "ConfusionMatrixDisplay": "ix.evaluate(y_true, y_pred).plot.confusion() draws the matrix",
    "RocCurveDisplay": "ix.sweep(y_true, scores).roc().plot() draws the curve, ix.plots.curves({'a': roc_a, 'b': roc_b}) several",
    "PrecisionRecallDisplay": "ix.sweep(y_true, scores).pr().plot() draws the curve",
    "DetCurveDisplay": "ix.sweep(y_true, scores).det().plot() draws the curve",
    "CalibrationDisplay": "ix.reliability(y_true, probabilities).plot() draws the diagram",
    "calibration_curve": "ix.reliability(y_true, probabilities) has the bins",
    "check_scoring": "ix.scorer({'f1': 'f1', 'auc': 'auc'}, average='macro') makes a scorer of several measures",
    "adjusted_rand_score": "ix.adjusted_rand_index(y_true, y_pred) is the same number",
    "rand_score": "ix.rand_index(y_true, y_pred) is the same number",
    "mutual_info_score": "ix.mutual_information(y_true, y_pred) is the same in bits",
    "cross_val_score": "ix.cross_validate(estimator, X, y) evaluates all folds",
    "cross_validate": "ix.cross_validate(estimator, X, y) evaluates all folds",
}
HOMES = {
    "CalibrationDisplay": "sklearn.calibration",
    "calibration_curve": "sklearn.calibration",
    "cross_val_score": "sklearn.model_selection",
    "cross_validate": "sklearn.model_selection",
}


def refuse_name(name: str, here: list[str], caller: str) -> NoReturn:
    """Refuse a name that this package does not have, in one line that says what to use.

    ``from indicatrix.sklearn import name`` hides the text of an AttributeError, so it gets an ImportError; everyone else, such as
    ``hasattr``, gets what attributes raise. ``caller`` is the module that asks.
    """
    known = name in INSTEAD or (not name.startswith("_") and _is_there(name))
    if name in INSTEAD:
        said = f"indicatrix.sklearn has no {name}: {INSTEAD[name]}; scikit-learn's own is in {_home(name)}."
    elif known:
        said = (
            f"indicatrix.sklearn has the metrics of classification, and {name} is not one of them: from sklearn.metrics import "
            f"{name}."
        )
    else:
        said = f"module 'indicatrix.sklearn' has no attribute {name!r}. {did_you_mean(name, here)}".rstrip()
    raise (ImportError if known and caller == IMPORTER else AttributeError)(said)


def _home(name: str) -> str:
    return HOMES.get(name, "sklearn.metrics")


def _is_there(name: str) -> bool:
    """Return whether scikit-learn's metrics have a name; False without scikit-learn."""
    try:
        from sklearn import metrics
    except ImportError:
        return False
    return name in metrics.__all__
