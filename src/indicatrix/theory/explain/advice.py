"""When to use a measure and when it misleads: sentences that follow from its properties.

What measures are called in the literature and in other libraries.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from ...algebra.arrays import as_float
from ...algebra.counts import CELLS
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.measure import Measure
from ...algebra.numbers.exact import exactly, is_defined
from ...words.wording import series
from ..formula.invariance import depends_on
from ..formula.properties import Properties, properties
from ..formula.sentences import COUNTS, example_against

FULL = (3, 2, 5, 11)  # counts without an empty cell
POSITIVES, EXAMPLES = 10, 100  # of the problem on which constant predictions are tried
RARE = (9, 99, 1, 891)  # recall and specificity are 0.9, precision is 0.083
NEARLY_BEST = 0.8  # of the way from the worst to the best value: what such a prediction scores says little
EMPTY = {  # what it means that these cells are empty
    ("tp", "fp"): "nothing is predicted positive",
    ("tp", "fn"): "no example is positive",
    ("fp", "tn"): "no example is negative",
    ("fn", "tn"): "nothing is predicted negative",
    ("tp",): "no positive is found",
    ("fp",): "no negative is taken for a positive",
    ("fn",): "no positive is missed",
    ("tn",): "no negative is recognized",
    ("fp", "fn"): "every prediction is right",
    ("tp", "tn"): "every prediction is wrong",
}


@dataclass(frozen=True)
class Examined:
    """A measure with its properties, which sentences are made of."""

    measure: Measure

    @cached_property
    def known(self) -> Properties:
        """The properties, from exact trials."""
        return properties(self.measure, prove=False)

    @cached_property
    def ignored(self) -> tuple[str, ...]:
        """The counts that never matter."""
        subject = self.known.evidence.subject
        return tuple(cell for i, cell in enumerate(CELLS) if depends_on(subject, i).holds is False)

    def value(self, *counts: int) -> float:
        """Return the value at four counts."""
        return as_float(exactly(self.measure)(*counts))

    def against(self, name: str) -> str:
        """Return the example that shows that the measure does not have a property, or ""."""
        return example_against(name, self.known.evidence[name], self.measure)


def undefined_where(measure: Measure) -> tuple[tuple[str, ...], ...]:
    """Return the smallest sets of counts that make a measure undefined if they are all 0.

    >>> import indicatrix as ix
    >>> undefined_where(ix.precision), undefined_where(ix.measures.diagnostic_odds_ratio)
    ((('tp', 'fp'),), (('fp',), ('fn',)))
    """
    value, found = exactly(measure), list[tuple[int, ...]]()
    for size in range(1, 5):
        for empty in combinations(range(4), size):
            counts = [0 if i in empty else x for i, x in enumerate(FULL)]
            if not is_defined(value(*counts)) and not any({*smaller} <= {*empty} for smaller in found):
                found.append(empty)
    return tuple(tuple(CELLS[i] for i in empty) for empty in found)


def undefined_sentences(measure: Measure) -> Iterator[str]:
    """Yield where a measure is undefined or infinite, in words; nothing if only without examples.

    >>> import indicatrix as ix
    >>> print(*undefined_sentences(ix.measures.negative_likelihood_ratio))
    It is infinite if tn = 0 (no negative is recognized). It is undefined (0/0) if tp = fn = 0 (no example is positive).
    """
    kinds: dict[str, list[str]] = {}
    for empty in undefined_where(measure):
        if len(empty) < 4:
            counts = [0 if cell in empty else x for cell, x in zip(CELLS, FULL, strict=True)]
            kind = "infinite" if math.isinf(as_float(exactly(measure)(*counts))) else "undefined (0/0)"
            kinds.setdefault(kind, []).append(_in_words(empty))
    for kind, places in kinds.items():
        yield f"It is {kind} if {series(places, 'or')}."


def _in_words(empty: tuple[str, ...]) -> str:
    """Return that some counts are 0, and what this means.

    >>> _in_words(("tp", "fp")), _in_words(("tp", "fp", "fn"))
    ('tp = fp = 0 (nothing is predicted positive)', 'tp = fp = fn = 0')
    """
    return f"{' = '.join(empty)} = 0{f' ({EMPTY[empty]})' if empty in EMPTY else ''}"


def defined_apart(formula: Measure, named: Measure) -> str:
    """Return where only one of two equal measures is defined, in words; "" if empty cells do not tell.

    >>> import indicatrix as ix
    >>> defined_apart(ix.measure("2*precision*recall/(precision + recall)"), ix.f1)
    'where tp = 0 (no positive is found), f1 is defined and this formula is not'
    """
    said = []
    for lacking, having, words in (
        (formula, named, f"{named} is defined and this formula is not"),
        (named, formula, f"this formula is defined and {named} is not"),
    ):
        value = exactly(having)
        places = [
            _in_words(empty)
            for empty in undefined_where(lacking)
            if is_defined(value(*(0 if cell in empty else x for cell, x in zip(CELLS, FULL, strict=True))))
        ]
        said += [f"where {series(places, 'or')}, {words}"] if places else []
    return "; ".join(said)


ALL_OR_NOTHING = {0: "everything", 1: "nothing"}  # by the best threshold


def reasons_to_use(examined: Examined) -> Iterator[str]:
    """Yield when to use a measure."""
    known, ignored = examined.known, examined.ignored
    if known.skew_invariant:
        yield "To compare data with different shares of positives: how frequent the classes are does not matter."
    if known.constant_baseline:
        yield "Where guessing must not pay: all random guesses have the same expected value."
    if "tn" in ignored and "tp" not in ignored:
        yield "Where true negatives are many, or not even counted, as in search and detection: they do not matter."
    if known.symmetric_classes:
        yield "Where both classes matter alike: exchanging positive and negative does not change it."
    if known.symmetric_roles:
        yield "For the agreement of two raters: it does not matter which of them is taken for the truth."
    if known.decomposable:
        yield "Where results come in parts, such as sites: the value of all is a weighted mean of those of the parts."
    if known.threshold in ALL_OR_NOTHING:
        yield f"Only together with another measure: alone it is best if {ALL_OR_NOTHING[known.threshold]} is predicted positive."
    elif known.threshold is not None:
        at = str(known.threshold).replace("prevalence", "the prevalence")
        yield f"With calibrated probabilities: predicting positive from {at} on is the best in every population."


def warnings(examined: Examined) -> Iterator[str]:
    """Yield when a measure misleads."""
    known = examined.known
    yield from _constant_predictions(examined)
    if examined.ignored:
        ignored = series([f"{COUNTS[cell]} ({cell})" for cell in examined.ignored])
        yield f"It ignores {ignored}: results that differ only there have the same value."
    if known.skew_invariant and examined.measure.better in SIGNS:
        yield _few_positives(examined)
    for name, consequence in CONSEQUENCES.items():
        if getattr(known, name) is False and (name != "monotone" or examined.measure.better in SIGNS):
            example = examined.against(name)
            yield consequence(f": {example}" if example else "")
    if known.bounded is False:
        yield "Its values have no limit: one unit with an extreme value can decide an average."
    if known.upper_boundary is False and examined.measure.better in SIGNS:
        yield f"Perfect predictions do not always have the best value: {known.evidence['upper_boundary'].note}."


CONSEQUENCES: dict[str, Callable[[str], str]] = {
    "skew_invariant": lambda example: f"It changes with the share of positives, even if the classifier stays the same{example}.",
    "constant_baseline": lambda example: f"A value means little without the class sizes{example}.",
    "symmetric_classes": lambda example: f"It depends on which class is called positive{example}.",
    "monotone": lambda example: f"A better prediction can have a worse value{example}.",
    "scale_free": lambda example: f"It depends on how many examples there are{example}.",
}


def _constant_predictions(examined: Examined) -> Iterator[str]:
    """Yield what the same prediction for all examples scores, where it looks good."""
    negatives, measure = EXAMPLES - POSITIVES, examined.measure
    worst, best = measure.range if measure.better == "higher" else measure.range[::-1]
    if measure.better not in SIGNS or not math.isfinite(best - worst):
        return
    for what, counts in (("negative", (0, 0, POSITIVES, negatives)), ("positive", (POSITIVES, negatives, 0, 0))):
        value: Any = examined.value(*counts)
        if math.isfinite(value) and (value - worst) / (best - worst) >= NEARLY_BEST:
            top = ", the best value there is" if value == best else ""
            yield f"Predicting {what} for all of {EXAMPLES} examples, {POSITIVES} of them positive, scores {value:.3f}{top}."


def _few_positives(examined: Examined) -> str:
    """Return what a measure of rates does not show: that most positive predictions may be wrong."""
    tp, fp, fn, _ = RARE
    value = examined.value(*RARE)
    return (
        f"Where positives are few it does not show that most positive predictions are wrong: with {tp + fn} positives among "
        f"{sum(RARE):,} examples and 90 % of each class right it scores {value:.3f}, and only {tp / (tp + fp):.0%} of the "
        "positive predictions are right."
    )


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
