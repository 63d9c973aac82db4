"""Names of other libraries, and misspelt names of options: what they are called here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

INTERVAL = "a measure gives an interval with interval=0.95, and an evaluation with ev.interval(…)"
OPTIONS = {  # what these arguments of other libraries are called here
    "pos_label": "name the positive class with positive=",
    "labels": "fix the classes with classes=",
    "zero_division": "say what an undefined value does with undefined=",
    "normalize": "divide the counts yourself",
    "weights": "give one weight for each example with sample_weight=",
    "ci": INTERVAL,
    "confidence_level": INTERVAL,
}
OF_RATERS = ("percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa")
FUNCTIONS = {  # what does here what these functions of other libraries do
    "accuracy_score": "ix.accuracy(y_true, y_pred), the share of examples that are right",
    "balanced_accuracy_score": 'ix.recall(y_true, y_pred, average="macro")',
    "brier_score_loss": "ix.brier(y_true, probabilities)",
    "classification_report": "print(ix.evaluate(y_true, y_pred))",
    "cohen_kappa_score": "ix.multiclass_kappa(y_true, y_pred)",
    "confusion_matrix": "ix.evaluate(y_true, y_pred).confusion_matrix()",
    "cross_val_score": "ix.cross_validate(estimator, X, y), or cross_val_score of scikit-learn with scoring=ix.scorer('f1')",
    "fbeta_score": "ix.f_beta(y_true, y_pred, beta=2)",
    "make_scorer": 'ix.scorer("f1", average="macro")',
    "matthews_corrcoef": "ix.mcc for two classes, ix.multiclass_mcc for several",
    "precision_recall_fscore_support": 'ix.evaluate(y_true, y_pred).table(["precision", "recall", "f1"])',
    "precision_recall_curve": "ix.sweep(y_true, scores).pr()",
    "roc_auc_score": "ix.auc(y_true, scores)",
    "roc_curve": "ix.sweep(y_true, scores).roc()",
    "top_k_accuracy_score": 'ix.recall(y_true, scores, decide=ix.top_k(3), average="micro")',
    "cba": 'ev.score("braun_blanquet", "macro"), the class balance accuracy',
    "class_balance_accuracy": 'ev.score("braun_blanquet", "macro")',
    "aunu": 'ev.score("balanced_accuracy", "macro") of decisions, or ix.auc(y_true, scores, average="macro") of scores',
    "aunp": 'ev.score("balanced_accuracy", "weighted") of decisions, or ix.auc(y_true, scores, average="weighted") of scores',
    "au1u": 'ix.hand_till_auc(y_true, scores, average="macro")',
    "au1p": 'ix.hand_till_auc(y_true, scores, average="weighted")',
    "csi": 'ev.score("mcconnaughey", "macro"), the classification success index; jaccard is the critical success index',
    "theil_u": 'ev.score("theil_u_true") or ev.score("theil_u_predicted"): it has a direction',
    **{name: f"ix.agreement(ratings).score({name!r}), which reads the ratings of all raters" for name in OF_RATERS},
    "save": "ev.save(path) of the evaluation ev = ix.evaluate(y_true, y_pred)",
}
OF_ALL_CLASSES = {  # what other libraries mean by a measure of several classes, where it is not an average
    "accuracy": "ix.exact_match is the share of examples whose labels are all right",
    "balanced_accuracy": "ix.recall with average='macro' is what scikit-learn calls balanced accuracy",
    "cohen_kappa": "ix.multiclass_kappa is one value of the whole confusion matrix",
    "mcc": "ix.multiclass_mcc is one value of the whole confusion matrix",
}
F_BETA = re.compile(r"f_?([02-9]|[1-9][0-9]+|[0-9]+\.[0-9]+)(_score)?", re.IGNORECASE)

P = ParamSpec("P")
R = TypeVar("R")


def use_instead(name: str) -> str:
    """Return a sentence that says what does here what this name does elsewhere; "" if that is not known.

    >>> use_instead("roc_auc_score"), use_instead("f2"), use_instead("f1")
    ('Use ix.auc(y_true, scores).', 'Use f_beta(beta=2).', '')
    """
    beta, name = F_BETA.fullmatch(name), name if name in FUNCTIONS else name.lower()  # AUNU is written in capitals
    return f"Use f_beta(beta={beta[1]})." if beta else f"Use {FUNCTIONS[name]}." if name in FUNCTIONS else ""


def refuse_unknown(caller: object, options: Iterable[str], known: Iterable[str], elsewhere: Mapping[str, str] = OPTIONS) -> None:
    """Refuse the first option that is not known, with the name that it probably has here.

    >>> refuse_unknown("f1", ["avg"], ["average", "undefined"])
    Traceback (most recent call last):
    TypeError: There is no option avg=. Did you mean average? The options are average, undefined.
    """
    known = [*known]
    for name in options:
        if name in known:
            continue
        if name in elsewhere:
            raise TypeError(f"{caller} takes no {name}=; {elsewhere[name]}.")
        from .spelling import close_names, similar_names

        close = (close_names(name, known, cutoff=0.6) or similar_names(name, known))[:1]
        question = f"Did you mean {close[0]}? " if close else ""
        raise TypeError(f"There is no option {name}=. {question}The options are {', '.join(known)}.")


def explain_options(elsewhere: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator: a call with an unknown option is answered with the name that it has here.

    The signature stays, and Python itself binds the arguments; only its error is replaced.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> R:
            try:
                return function(*args, **options)
            except TypeError:
                if options:
                    _explain(function, options, elsewhere)
                raise

        return call

    return decorate


def _explain(function: Callable[..., object], options: Iterable[str], elsewhere: Mapping[str, str]) -> None:
    from inspect import signature

    parameters = signature(function).parameters
    given = [name for name in options if name not in parameters]
    try:
        refuse_unknown(function.__name__, given, [name for name, p in parameters.items() if p.default is not p.empty], elsewhere)
    except TypeError as better:
        raise better from None
