"""Dialects: the conventions of other libraries, as data that scores understand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ..algebra.convention import Convention
from ..encode.decisions import HitInTop, above
from ..words.call_mistakes import answers_mistakes

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
