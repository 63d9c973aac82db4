"""What measures are called in the literature and in other libraries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...words.wording import series

# The functions of other libraries that compute a measure. docs/project/coming-from.md has the calls; tests compare the numbers.
LIBRARIES: dict[str, dict[str, tuple[str, ...]]] = {
    "scikit-learn": {
        "subset_accuracy": ("accuracy_score",),
        "zero_one_loss": ("zero_one_loss",),
        "error_rate": ("hamming_loss",),
        "f1": ("f1_score",),
        "precision": ("precision_score",),
        "recall": ("recall_score", "balanced_accuracy_score"),
        "f_beta": ("fbeta_score",),
        "jaccard": ("jaccard_score",),
        "multiclass_informedness": ("balanced_accuracy_score",),
        "multiclass_mcc": ("matthews_corrcoef",),
        "multiclass_kappa": ("cohen_kappa_score",),
        "positive_likelihood_ratio": ("class_likelihood_ratios",),
        "negative_likelihood_ratio": ("class_likelihood_ratios",),
        "auc": ("roc_auc_score",),
        "partial_auc": ("roc_auc_score",),
        "average_precision": ("average_precision_score",),
    },
    "torchmetrics": {
        "recall": ("multiclass_accuracy", "multiclass_recall"),
        "f1": ("multiclass_f1_score",),
        "precision": ("multiclass_precision",),
        "specificity": ("multiclass_specificity",),
        "jaccard": ("multiclass_jaccard_index",),
        "multiclass_mcc": ("multiclass_matthews_corrcoef",),
        "multiclass_kappa": ("multiclass_cohen_kappa",),
        "auc": ("multiclass_auroc",),
    },
}
CAUTIONS = {  # names that mean something else there
    "accuracy": "Without an average, and with one class for each example, it is the share of examples that are "
    "right, as elsewhere. Its averages over classes are label accuracy, which is another number.",
    "balanced_accuracy": "Elsewhere balanced accuracy of several classes is the mean recall; here that is the macro average of "
    "recall.",
    "mcc": "Elsewhere the MCC of several classes is one value of the whole confusion matrix; here that is multiclass_mcc.",
    "cohen_kappa": "Elsewhere kappa of several classes is one value of the whole confusion matrix; here that is "
    "multiclass_kappa.",
}


def names_elsewhere(measure: Any) -> Iterator[str]:
    """Yield sentences on the other names of a measure, of its averages, and of functions that compute it.

    >>> import indicatrix as ix
    >>> [*names_elsewhere(ix.f_beta)][1], [*names_elsewhere(ix.measures.npv)]
    ('In scikit-learn: fbeta_score.', ['Also called npv.'])
    """
    if aliases := getattr(measure, "aliases", ()):
        yield f"Also called {series(aliases)}."
    if known_as := getattr(measure, "known_as", {}):
        named = [f"{average} is {name}" for average, name in known_as.items()]
        yield f"Its averages have names: {series(named)}."
    for library, functions in LIBRARIES.items():
        if measure.name in functions:
            yield f"In {library}: {series(functions[measure.name])}."
    if measure.name in CAUTIONS:
        yield CAUTIONS[measure.name]


def measures_called(name: str) -> tuple[str, list[str]] | None:
    """Return the library that has a function of this name, and what it is called here; or None.

    >>> measures_called("f1_score"), measures_called("f1")
    (('scikit-learn', ['f1']), None)
    """
    for library, functions in LIBRARIES.items():
        if found := [here for here, there in functions.items() if name in there]:
            return library, found
    return None
