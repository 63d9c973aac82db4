"""Names of other libraries, and misspelled names of options: what they are called here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

# What people call an option, and what to use here: a sentence for each option of ours that a function may have, in the order of
# preference, and under "" the one for functions that have none of them.
_CLASSES = {
    "classes": "fix the classes with classes=",
    "": "the classes are fixed where labels are counted: ix.evaluate(y_true, y_pred, classes=…)",
}
_NUMBER_OF_CLASSES = {
    "classes": "the classes are found in the labels, and classes=range(3) fixes three of them",
    "": "the classes are found in the labels, and ix.evaluate(y_true, y_pred, classes=range(3)) fixes three of them",
}
_GROUPS = {
    "by": "name the groups with by={'group': …}",
    "axis": "count the groups with ix.evaluate(y_true, y_pred, by={'group': …}), and name them here with axis='group'",
    "": "count groups with ix.evaluate(y_true, y_pred, by={'group': …}); ev.values('recall', per='group') has the score of each",
}
_BY = {
    "axis": "name a grouping with axis=",
    "per": "name a grouping with per=",
    "": "groups are given where labels are counted: ix.evaluate(y_true, y_pred, by={'group': …})",
}
_WEIGHTS = {
    "sample_weight": "give one weight for each example with sample_weight=",
    "": "weights are given where labels are counted: ix.evaluate(y_true, y_pred, sample_weight=…)",
}
_AVERAGE = {
    "average": "it is called average= here",
    "averages": "it is called averages= here",
    "": "an average belongs to a score: ev.score('f1', 'macro')",
}
_MEASURE = {
    "measure": "it is called measure= here",
    "measures": "it is called measures= here",
    "scores": "name the scores by position: 'macro f1'",
    "": "a measure belongs to a score: ev.score('f1', 'macro')",
}
_UNDEFINED = {
    "undefined": "say what an undefined value does with undefined=",
    "": "say what an undefined value does with undefined= of a score: ev.score('f1', 'macro', undefined=0)",
}
_INTERVAL = {
    "interval": "a measure gives an interval with interval=0.95, and an evaluation with ev.interval(…)",
    "level": "level= is the level of intervals, such as 0.95",
    "": "a measure gives an interval with interval=0.95, and an evaluation with ev.interval(…)",
}
_DECIDE = {
    "decide": "decide= says how scores become decisions: decide=0.5, decide='argmax' or decide=ix.top_k(3)",
    "": "decide= of ix.evaluate says how scores become decisions: decide=0.5, decide='argmax' or decide=ix.top_k(3)",
}
_KIND = {
    "kind": "kind= is 'multiclass' or 'multilabel'",
    "": "the labels themselves say what they are: a vector has one class per example, a 0/1 table or a list of sets several",
}
_SEED = {"seed": "it is called seed= here", "": "nothing is drawn at random"}
_DRAWS = {
    "draws": "it is called draws= here",
    "": "ev.interval('f1', 'macro', method='bca', draws=2000) is a bootstrap",
}
_POSITIVE = {
    "positive": "name the positive class with positive=",
    "": "the positive class is named where labels are counted: ix.evaluate(y_true, y_pred, positive=…)",
}
OPTIONS: dict[str, Mapping[str, str]] = {
    "positive": {"": _POSITIVE[""]},
    "pos_label": _POSITIVE,
    "positive_class": _POSITIVE,
    **dict.fromkeys(("labels", "class_names", "target_names", "label_names"), _CLASSES),
    **dict.fromkeys(("num_classes", "n_classes", "num_labels"), _NUMBER_OF_CLASSES),
    **dict.fromkeys(("sensitive_features", "sensitive_feature", "groups", "group", "group_by", "groupby", "slices"), _GROUPS),
    "by": _BY,
    **dict.fromkeys(("weights", "weight"), _WEIGHTS),
    **dict.fromkeys(("average", "averages", "averaging"), _AVERAGE),
    **dict.fromkeys(("measure", "measures", "metric", "metrics", "scoring"), _MEASURE),
    **dict.fromkeys(("zero_division", "zero_division_value", "undefined"), _UNDEFINED),
    **dict.fromkeys(("interval", "ci", "confidence_level", "confidence", "alpha"), _INTERVAL),
    **dict.fromkeys(("threshold", "top_k"), _DECIDE),
    **dict.fromkeys(("task", "multi_class", "multilabel"), _KIND),
    **dict.fromkeys(("random_state", "rng", "random_seed"), _SEED),
    **dict.fromkeys(("n_boot", "n_bootstrap", "n_bootstraps", "n_resamples", "bootstrap"), _DRAWS),
    "normalize": {"normalise": "it is called normalize= here", "": "divide the counts yourself"},
}
OTHER_NUMBER = {"average": "averages", "averages": "average", "measure": "measures", "measures": "measure"}  # the same word
OF_RATERS = ("percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa")
_ADVICE = (
    "ix.explain('f1'), which says when to use a measure, or ix.theory.select(skew_invariant=True), which finds them by properties"
)
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
    "au1u": 'ix.measures.hand_till_auc(y_true, scores, average="macro")',
    "au1p": 'ix.measures.hand_till_auc(y_true, scores, average="weighted")',
    "csi": 'ev.score("mcconnaughey", "macro"), the classification success index; jaccard is the critical success index',
    "theil_u": 'ev.score("theil_u_true") or ev.score("theil_u_predicted"): it has a direction',
    **{name: f"ix.agreement(ratings).score({name!r}), which reads the ratings of all raters" for name in OF_RATERS},
    "report": "print(ix.evaluate(y_true, y_pred)); ev.report() is the text",
    **dict.fromkeys(("recommend", "suggest", "advise"), _ADVICE),
    "plot": "ev.plot.confusion() of an evaluation, or ix.plots",
    "roc": "ix.sweep(y_true, scores).roc()",
    "calibration_curve": "ix.scores.reliability(y_true, probabilities)",
    **dict.fromkeys(
        ("bootstrap", "confidence_interval", "ci"), "ix.inference.interval(ix.evaluate(y_true, y_pred), 'f1', 'macro')"
    ),
    **dict.fromkeys(
        ("mcnemar", "significance", "ttest"), "ix.compare(y_true, {'a': pred_a, 'b': pred_b}), which tests differences"
    ),
    **dict.fromkeys(("MetricFrame", "groups"), "ix.evaluate(y_true, y_pred, by={'group': groups}).compare_groups('f1', 'group')"),
    **dict.fromkeys(("evaluate_csv", "evaluate_files", "read_csv"), "ix.evaluate_file(path, true='y', pred='p')"),
    **dict.fromkeys(("evaluate_df", "evaluate_dataframe"), "ix.evaluate_frame(df, true='y', pred='p')"),
    "save": "ev.save(path) of the evaluation ev = ix.evaluate(y_true, y_pred)",
}
OF_ALL_CLASSES = {  # what other libraries mean by a measure of several classes, where it is not an average
    "accuracy": "ix.measures.exact_match is the share of examples whose labels are all right",
    "balanced_accuracy": "ix.recall with average='macro' is what scikit-learn calls balanced accuracy",
    "cohen_kappa": "ix.multiclass_kappa is one value of the whole confusion matrix",
    "mcc": "ix.multiclass_mcc is one value of the whole confusion matrix",
}
NO_HINTS: Mapping[str, str] = MappingProxyType({})
F_BETA = re.compile(r"f_?([02-9]|[1-9][0-9]+|[0-9]+\.[0-9]+)(_score)?", re.IGNORECASE)


def use_instead(name: str) -> str:
    """Return a sentence that says what does here what this name does elsewhere; "" if that is not known.

    >>> use_instead("roc_auc_score"), use_instead("f2"), use_instead("f1")
    ('Use ix.auc(y_true, scores).', 'Use f_beta(beta=2).', '')
    """
    beta, name = F_BETA.fullmatch(name), name if name in FUNCTIONS else name.lower()  # AUNU is written in capitals
    return f"Use f_beta(beta={beta[1]})." if beta else f"Use {FUNCTIONS[name]}." if name in FUNCTIONS else ""


class UnknownOptionError(TypeError):
    """An option that a function does not have, with the options that it has, and hints."""

    def __init__(self, message: str, option: str, known: Sequence[str], hints: Mapping[str, str]) -> None:
        super().__init__(message)
        self.option, self.known, self.hints = option, known, hints

    def __reduce__(self) -> Any:
        return UnknownOptionError, (*self.args, self.option, self.known, self.hints)


def refuse_unknown(
    caller: object,
    options: Iterable[str],
    known: Iterable[str],
    hints: Mapping[str, str] = NO_HINTS,
    *,
    required: Sequence[str] = (),
) -> None:
    """Refuse the first option that is not known, with the name that it probably has here.

    ``hints`` are answers of the caller itself; ``required`` are its other arguments.

    >>> refuse_unknown("f1", ["avrage"], ["average", "undefined"])
    Traceback (most recent call last):
    indicatrix.words.names_elsewhere.UnknownOptionError: f1 takes no avrage=. Did you mean average? It takes average, undefined.
    >>> refuse_unknown("f1", ["averaging"], ["average", "undefined"])
    Traceback (most recent call last):
    indicatrix.words.names_elsewhere.UnknownOptionError: f1 takes no averaging=; it is called average= here.
    """
    known = [*known]
    for name in options:
        if name not in known and name not in required:
            said = _answer(name, known, hints, required)
            raise UnknownOptionError(f"{caller} takes no {name}={said}", name, known, hints) from None


def _answer(name: str, known: Sequence[str], hints: Mapping[str, str], required: Sequence[str]) -> str:
    if name in hints:
        return f"; {hints[name]}."
    if name in OPTIONS:
        uses = OPTIONS[name]
        return f"; {next((use for option, use in uses.items() if option in known or option in required), uses[''])}."
    from .wording import close_names, similar_names

    here = [*required, *known]
    close = (close_names(name, here, cutoff=0.6) or similar_names(name, here))[:1]
    question = f" Did you mean {close[0]}?" if close else ""
    return f".{question} It takes {', '.join(known) or 'no options'}."
