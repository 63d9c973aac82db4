"""Dialects: the conventions of other libraries, as data that scores understand.

Which scores another library has under a name, and what they are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from ..algebra.average import BINARY, Name, score_name
from ..algebra.convention import Convention
from ..algebra.score import Score
from ..catalogue.listing import read_score
from ..encode.decisions import HitInTop, above
from ..words.call_mistakes import answers_mistakes
from ..words.wording import series

# An F measure that is made of precision and recall is undefined wherever one of them is, and 0 where both are 0.
HARMONIC_F1 = "2 * tp / (2 * tp + fp + fn) * ((tp + fp) / (tp + fp)) * ((tp + fn) / (tp + fn))"

# Where the MCC is 0/0, torchmetrics returns (right - wrong) / sqrt(n * right * wrong), up to rounding, and 1 or -1 if all are
# right or wrong. Counts are whole numbers, so max(0, 1 - x) is 1 where x is 0, and 0 elsewhere.
_SQUARE = "(tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)"
_EDGE = "(tp + tn) * (fp + fn) + (tp + fp + fn + tn) * (max(0, 1 - tp - tn) + max(0, 1 - fp - fn))"
MCC_EVERYWHERE = (
    f"(tp * tn - fp * fn + (tp + tn - fp - fn) * max(0, 1 - {_SQUARE})) / "
    f"sqrt({_SQUARE} + (tp + fp + fn + tn) * ({_EDGE}) * max(0, 1 - {_SQUARE}))"
)


@answers_mistakes
@dataclass(frozen=True)
class Dialect:
    """The conventions of a library: pass it as ``undefined=``, and its threshold as ``decide=``.

    Conventions do not express some values of torchmetrics 1.9. Its MCC of two classes has values where it is 0/0: it is a
    formula of its own in ``measures``. With ``ignore_index=`` of a class, its Jaccard index leaves this class out of the
    micro and macro averages. A label whose entries are all ignored counts as 0 there, and nowhere here. Its average precision
    of several classes counts absent classes as 0, instead of leaving them out, if only class 0 occurs.

    Attributes
    ----------
    name : str
        The library.
    undefined : str, number or Convention
        What an undefined value of a class does in its averages of one label per example.
    multilabel : str, number or Convention
        The same where an example may have several labels.
    strict : bool
        Whether a score equal to the threshold is negative.
    classes : str
        Which classes its averages run over, in words.
    words : str
        What happens to undefined values of one label per example, in words.
    measures : mapping
        What its name of a measure means here, where it differs: torchmetrics' "accuracy" is our recall.
    special : mapping
        The conventions of single scores that differ from those above, by name: "cohen_kappa", "weighted jaccard"; with the kind
        of the data, "multiclass macro jaccard"; or with the rule that decided, "hit_in_top macro recall".
    areas : mapping
        What an undefined area of a class does, for ``undefined=`` of ``ix.auc`` and ``ix.average_precision``, by kind and name.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 0, 1], [0, 2, 1], classes=range(4))
    >>> for name in ("scikit-learn", "torchmetrics", "yardstick"):
    ...     print(name, round(ev.score("recall", "macro", undefined=ix.dialect(name)), 3))
    scikit-learn 0.375
    torchmetrics 0.5
    yardstick 0.75
    """

    name: str
    undefined: Any
    multilabel: Any
    strict: bool
    classes: str
    words: str
    measures: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    special: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    areas: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def undefined_for(self, source: Any, measure: Any = None, average: Any = None) -> Any:
        """Return the convention for a source of counts, and for one score of it.

        Parameters
        ----------
        source : Evaluation or Cells
            Anything that has counts.
        measure : str or Measure, optional
            The measure, which may have a convention of its own.
        average : str, optional
            The average, which may have one, too.

        Returns
        -------
        str, number or Convention
            What ``undefined=`` takes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.dialect("torchmetrics").undefined_for(ix.evaluate([{1}], [{2}]))
        0
        >>> ix.dialect("torchmetrics").undefined_for(ix.evaluate([0], [0]), "cohen_kappa")
        'nan'
        """
        kind, rule = getattr(source, "kind", "multiclass"), getattr(getattr(source, "recipe", None), "decide", None)
        how = rule.name if isinstance(rule, HitInTop) and rule.k > 1 else kind
        for called in (str(measure), getattr(measure, "name", ""), *getattr(measure, "aliases", ())):
            for name in (f"{how} {average} {called}", f"{average} {called}", called):
                if name in self.special:
                    return self.special[name]
        return self.multilabel if kind == "multilabel" else self.undefined

    def decide(self, threshold: float) -> Any:
        """Return the rule for ``decide=`` that compares scores with a threshold as the library does.

        Parameters
        ----------
        threshold : float
            The threshold.

        Returns
        -------
        float or Above
            The threshold itself, or ``ix.above(threshold)``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.dialect("torchmetrics").decide(0.5), ix.dialect("scikit-learn").decide(0.5)
        (above(0.5), 0.5)
        """
        return above(threshold) if self.strict else threshold


FOUND = "the classes that occur or are predicted"
DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "scikit-learn",
            0,
            0,
            False,
            FOUND,
            "an undefined value counts as 0",
            special=MappingProxyType({"multiclass_kappa": "nan"}),
        ),
        Dialect(
            "torchmetrics",
            Convention(otherwise=0),
            0,
            True,
            "the classes 0 to num_classes - 1, without those that neither occur nor are predicted",
            "an absent class is left out, and any other undefined value counts as 0",
            MappingProxyType({"accuracy": "recall", "hamming_distance": "miss_rate", "mcc": MCC_EVERYWHERE}),
            # its Hamming distance of classes is 1 - recall, which makes it 1 where the recall is undefined; kappa of one label
            # is 0/0, and so is a mean of Jaccard indices without any weight; with top_k=, some averages are over the classes
            # that occur
            MappingProxyType(
                {
                    "miss_rate": Convention(otherwise=1),
                    "cohen_kappa": "nan",
                    "multiclass_kappa": "nan",
                    "weighted jaccard": "exclude",
                    "multiclass macro jaccard": "exclude",
                    **{f"hit_in_top macro {name}": Convention(0, absent="true") for name in ("precision", "recall", "npv")},
                }
            ),
            MappingProxyType(
                {
                    "multiclass auc": 0,
                    "multilabel auc": 0,
                    "multiclass average_precision": "exclude",  # 0 with thresholds=
                    "multilabel average_precision": 0,
                }
            ),
        ),
        Dialect("pycm", "nan", "nan", False, FOUND, 'one undefined value makes the average undefined, which it writes as "None"'),
        Dialect(
            "yardstick",
            "exclude",
            "exclude",
            False,
            "the levels of the factor",
            "undefined values are left out, and an F measure is undefined wherever precision or recall is",
            MappingProxyType({"f1": HARMONIC_F1}),
            MappingProxyType({"macro balanced_accuracy": "nan", "weighted balanced_accuracy": "nan"}),
        ),
    )
}


@answers_mistakes
def dialect(name: str) -> Dialect:
    """Return the conventions of a library for averages, absent classes, division by zero and thresholds.

    Parameters
    ----------
    name : str
        "scikit-learn", "torchmetrics", "pycm" or "yardstick".

    Returns
    -------
    Dialect
        A record that ``undefined=`` of a score takes; its ``decide(0.5)`` is for ``decide=`` of ``evaluate``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1], [0, 1, 2])
    >>> ev.score("recall", "macro", undefined=ix.dialect("scikit-learn"))
    0.5 (macro recall; 1 of 3 classes undefined, counted as 0)
    """
    known = {"sklearn": "scikit-learn", "scikit_learn": "scikit-learn", "PyCM": "pycm"}
    found = DIALECTS.get(known.get(name, name) if isinstance(name, str) else "")
    if found is None:
        raise ValueError(f"There is no dialect {name!r}; the dialects are {', '.join(DIALECTS)}.")
    return found


THREE = ("micro", "macro", "weighted")
# One key for each thing that has several names here and elsewhere.
ONE_NAME = {
    "error_rate": "hamming_loss",
    "hamming_distance": "hamming_loss",
    "subset_accuracy": "exact_match",
    "multiclass_accuracy": "accuracy",
    "multiclass_mcc": "mcc",
    "multiclass_kappa": "cohen_kappa",
}


class ScoreThere(NamedTuple):
    """A score of a library in our terms: the measure, the average, and its own convention, if any."""

    measure: Any
    average: Name | None = None
    undefined: Any = None
    note: str = ""


@dataclass(frozen=True)
class Offer:
    """The scores of a library for one kind of data, by our names.

    Attributes
    ----------
    whole : mapping
        Those that are one number without an average.
    averaged : mapping
        The averages of those that have some.
    positive : mapping
        What those of the positive class alone are here.
    renamed : mapping
        What a name stands for, where it is not our measure of this name.
    of_two : mapping
        Those in ``whole`` that are another formula if there are two classes.
    default : str
        The average that the library takes if none is named.
    notes : mapping
        Sentences on how to ask for scores: "default", "positive", or the name of an average.
    """

    whole: Mapping[str, ScoreThere]
    averaged: Mapping[str, tuple[str, ...]]
    positive: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    of_two: Mapping[str, ScoreThere] = field(default_factory=dict)
    default: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    def names(self, key: str) -> list[str]:
        """Return the names of the scores that the library has for a measure."""
        plain = [f"{key} without an average"] if key in self.whole else []
        plain += [f"{key} of a positive class"] if key in self.positive and not plain else []
        return [*plain, *(f"{average} {key}" for average in self.averaged.get(key, ()))]


def _each(names: str, averages: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(names.split(), averages)


def _same(names: str) -> dict[str, str]:
    return {name: name for name in names.split()}


RIGHT = ScoreThere("exact_match")
OF_MATRIX = {
    "accuracy": RIGHT,
    "exact_match": RIGHT,
    "mcc": ScoreThere("multiclass_mcc"),
    "cohen_kappa": ScoreThere("multiclass_kappa"),
}
LOSS = ScoreThere("zero_one_loss")
SKLEARN = "precision recall f1 f_beta jaccard"
TORCH = f"{SKLEARN} specificity negative_predictive_value"
PYCM = "precision recall f1 specificity negative_predictive_value false_positive_rate false_negative_rate"
PYCM_CLASS = "accuracy mcc jaccard balanced_accuracy informedness"  # cm.average("MCC") is a mean over classes
YARDSTICK = "precision recall f1 specificity balanced_accuracy informedness selection_rate"
TORCH_NOTE = (
    "No average is named: the functions of torchmetrics for one task, such as {kind}_accuracy, then take the macro average "
    '(Accuracy(task="{kind}") takes the micro average).'
)

SAMPLEWISE = (
    'In torchmetrics it is the mean over examples with average="micro", multidim_average="samplewise" of data with a third axis.'
)
TM, R = DIALECTS["torchmetrics"].measures, DIALECTS["yardstick"].measures
OF_LABELS = {
    "scikit-learn": Offer(
        {
            **OF_MATRIX,
            "zero_one_loss": LOSS,
            "hamming_loss": LOSS,
            "balanced_accuracy": ScoreThere("recall", "macro", "exclude"),  # over the classes that occur
        },
        _each(SKLEARN, THREE),
        _same(SKLEARN),
    ),
    "torchmetrics": Offer(
        {"mcc": OF_MATRIX["mcc"], "cohen_kappa": OF_MATRIX["cohen_kappa"]},
        _each(f"{TORCH} accuracy hamming_loss", THREE),
        {**_same(TORCH), "accuracy": "exact_match", "hamming_loss": "zero_one_loss"},
        {**TM, "hamming_loss": TM["hamming_distance"]},
        {"mcc": ScoreThere(TM["mcc"], "macro")},  # the same of both classes
        "macro",
        {"default": TORCH_NOTE.format(kind="multiclass")},
    ),
    "pycm": Offer(
        {**OF_MATRIX, "hamming_loss": LOSS},
        {**_each(PYCM, ("micro", "macro")), **_each(PYCM_CLASS, ("macro",))},
        _same(f"{PYCM} {PYCM_CLASS}"),
    ),
    "yardstick": Offer(
        OF_MATRIX,
        _each(YARDSTICK, THREE),
        {**_same(YARDSTICK), **R},
        R,
        default="macro",
        notes={
            "default": "No average is named: yardstick then takes the macro average.",
            "positive": "In yardstick the positive class is the first level, unless event_level names the second.",
        },
    ),
}
OF_LABEL_SETS = {
    "scikit-learn": Offer(
        {"accuracy": RIGHT, "exact_match": RIGHT, "zero_one_loss": LOSS, "hamming_loss": ScoreThere("hamming_loss", "micro")},
        _each(SKLEARN, (*THREE, "exemplar")),
    ),
    "torchmetrics": Offer(
        {"exact_match": RIGHT, "mcc": ScoreThere(TM["mcc"], "micro")},  # of all entries
        {**_each(f"{TORCH} accuracy hamming_loss", (*THREE, "exemplar")), "jaccard": THREE},
        default="macro",
        notes={"default": TORCH_NOTE.format(kind="multilabel"), "exemplar": SAMPLEWISE},
    ),
}


def find_score(side: Dialect, ev: Any, score: Any) -> ScoreThere:
    """Return what a library prints under the name of a score; a score that it does not have is refused.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 2], [0, 1, 1])
    >>> find_score(ix.dialect("scikit-learn"), ev, "accuracy")[:2]
    ('exact_match', None)
    >>> find_score(ix.dialect("scikit-learn"), ev, "macro accuracy")
    Traceback (most recent call last):
      ...
    ValueError: No score of scikit-learn that is known here is called 'macro accuracy'. It has accuracy without an average.
    """
    measure, average = read_score(score)
    if ev.kind not in ("multiclass", "multilabel"):
        raise ValueError(f"{side.name} has these scores of labels, and the data are {ev.kind}. Decide them first: decide=0.5.")
    offer = (OF_LABEL_SETS if ev.kind == "multilabel" else OF_LABELS).get(side.name)
    if side.name == "pycm" and len(ev.classes) < 2:
        raise ValueError("pycm adds a class ~other~ to data of a single class. Name the other classes with classes=.")
    if offer is None:
        raise ValueError(f"{side.name} has no averages of several labels per example: only scikit-learn and torchmetrics have.")
    called = str(measure) if "(" in str(measure) else measure.name
    key = measure.name if measure.name == "f_beta" else ONE_NAME.get(called, called)  # other parameters are not known there
    found = _find(offer, ev, key, called if key == "f_beta" else key, average)
    if found is None:
        raise ValueError(_refusal(offer, side, score if isinstance(score, str) else score_name(measure, average), key))
    return found


def score_there(side: Dialect, ev: Any, found: ScoreThere) -> Score:
    """Return the score of an evaluation as a library computes it.

    >>> import indicatrix as ix
    >>> ev, side = ix.evaluate([0, 1, 2], [0, 1, 1]), ix.dialect("scikit-learn")
    >>> score_there(side, ev, find_score(side, ev, "balanced_accuracy"))
    0.6666666666666666
    """
    score: Score = ev.score(found.measure, found.average, undefined=side if found.undefined is None else found.undefined)
    return score


def _find(offer: Offer, ev: Any, key: str, itself: str, average: Any) -> ScoreThere | None:
    """Return what a library has under a name, or None."""
    plain = average is None or (average == BINARY and ev.positive is not None)
    if plain and key in offer.whole:
        return offer.of_two.get(key, offer.whole[key]) if _size(ev.classes) <= 2 else offer.whole[key]
    if plain and key in offer.positive and ev.positive is not None:
        return ScoreThere(itself if key == "f_beta" else offer.positive[key], note=offer.notes.get("positive", ""))
    named = offer.default if average is None else average
    if named not in offer.averaged.get(key, ()):
        return None
    return ScoreThere(offer.renamed.get(key, itself), named, note=offer.notes.get("default" if average is None else named, ""))


def _size(classes: tuple[Any, ...]) -> int:
    """Return how many classes a library that numbers them from 0 is told of."""
    numbered = all(isinstance(name, int) for name in classes)
    return max(classes, default=0) + 1 if numbered else len(classes)


def _refusal(offer: Offer, side: Dialect, name: str, key: str) -> str:
    names = offer.names(key)
    what = f"It has {series(names)}." if names else f"Known are its {series([*dict.fromkeys((*offer.whole, *offer.averaged))])}."
    return f"No score of {side.name} that is known here is called {name!r}. {what}"
