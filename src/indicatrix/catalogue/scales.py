"""Verbal scales: words for values of coefficients. They are conventions, not findings.

The same value has different words on different scales, and none of them knows the number of classes, the prevalence or the
number of examples. They are here because reviewers ask for them.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from ..words.call_mistakes import answers_mistakes


@answers_mistakes
@dataclass(frozen=True)
class Scale:
    """A verbal scale: call it on a value, and it returns the word; a convention of its authors.

    Attributes
    ----------
    name : str
        Its name in ``ix.catalogue.SCALES``.
    of : tuple of str
        The measures that it was proposed for.
    words : tuple of str
        The words, from the lowest value to the highest.
    bounds : tuple of float
        The values at which the next word begins: one less than there are words.
    source : str
        Where it is from; "" where it is known only from software.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.catalogue.SCALES["landis_koch"](0.63), ix.catalogue.SCALES["fleiss"](0.63)
    ('substantial', 'intermediate to good')
    """

    name: str
    of: tuple[str, ...]
    words: tuple[str, ...]
    bounds: tuple[float, ...]
    source: str = ""

    def __call__(self, value: Any) -> str:
        """Return the word for a value; "undefined" for nan."""
        number = float(value)
        return "undefined" if number != number else self.words[bisect_right(self.bounds, number)]

    def __str__(self) -> str:
        parts = [self.words[0], *(f"{word} from {bound:g}" for bound, word in zip(self.bounds, self.words[1:], strict=True))]
        return f"{self.name}, a convention: {', '.join(parts)}"


def _scale(name: str, of: str, text: str, source: str = "") -> Scale:
    """Return the scale that a text such as "poor 0.4 fair 0.75 good" stands for."""
    parts = text.split()
    numbers = [part for part in parts if part[0].isdigit() or part[0] == "-"]
    words = " ".join("|" if part in numbers else part for part in parts).split(" | ")
    return Scale(name, tuple(of.split()), tuple(words), tuple(map(float, numbers)), source)


_KAPPAS = "multiclass_kappa cohen_kappa multiclass_scott_pi multiclass_gwet_ac1"
_MCC = "multiclass_mcc mcc"
_LAMBDA = "goodman_kruskal_lambda_true goodman_kruskal_lambda_predicted"

SCALES: dict[str, Scale] = {
    made.name: made
    for made in (
        _scale(
            "landis_koch",
            _KAPPAS,
            "poor 0 slight 0.2 fair 0.4 moderate 0.6 substantial 0.8 almost perfect",
            "J. R. Landis, G. G. Koch (1977), Biometrics 33:159-174",
        ),
        _scale("fleiss", _KAPPAS, "poor 0.4 intermediate to good 0.75 excellent", "J. L. Fleiss (1981), Wiley"),
        _scale(
            "altman",
            _KAPPAS,
            "poor 0.2 fair 0.4 moderate 0.6 good 0.8 very good",
            "D. G. Altman (1990), Practical Statistics for Medical Research",
        ),
        _scale(
            "cicchetti",
            _KAPPAS,
            "poor 0.4 fair 0.59 good 0.74 excellent",
            "D. V. Cicchetti (1994), Psychological Assessment 6:284-290",
        ),
        _scale("krippendorff", "krippendorff_alpha", "low 0.667 tentative 0.8 high", "A. F. Hayes, K. Krippendorff (2007)"),
        _scale("cramer", "cramer_v", "negligible 0.1 weak 0.2 moderate 0.4 relatively strong 0.6 strong 0.8 very strong"),
        _scale("matthews", _MCC, "negligible 0.3 weak 0.5 moderate 0.7 strong 0.9 very strong"),
        _scale("lambda", _LAMBDA, "very weak 0.2 weak 0.4 moderate 0.6 strong 0.8 very strong 1 perfect"),
        _scale("pearson_c", "multiclass_contingency_coefficient", "not appreciable 0.1 weak 0.2 medium 0.3 strong"),
        _scale("yule_q", "yule_q", "negligible 0.25 weak 0.5 moderate 0.75 strong"),
        _scale("positive_likelihood_ratio", "positive_likelihood_ratio", "negligible 1 poor 5 fair 10 good"),
        _scale("negative_likelihood_ratio", "negative_likelihood_ratio", "good 0.1 fair 0.2 poor 0.5 negligible"),
        _scale("discriminant_power", "discriminant_power", "poor 1 limited 2 fair 3 good"),
        _scale("auc", "auc balanced_accuracy", "poor 0.6 fair 0.7 good 0.8 very good 0.9 excellent"),
    )
}
