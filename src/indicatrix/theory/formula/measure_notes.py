"""What a reader should know about a measure: its formula, what it promises, and when it misleads.

The notes of the catalogue are computed once, by ``docs/write_measure_notes.py``, and come with the library: a page shows all of
them at once, and to examine all measures takes seconds. They also have the sentences of ``ix.explain``: facts, when to use a
measure, and when it misleads. Of other measures there are the properties only.

The file has each text once, with {} for numbers, {m} for the measure and the name of a property for what its sentence says.
A measure has its formula, then a number of a text for each sentence, with what fills it: "+|0 0.67 0.59" is a yes, then text 0.

Its floor is the score of a classifier that is wrong on every example, under one-hot rows: prop:lower_boundary, tab:floors.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from operator import index
from typing import Any

import numpy as np

from ...algebra.average import ALIASES, BINARY, Average, averages_that, find_average
from ...algebra.count_formula import is_symbol
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import Value, as_written, exactly, is_defined
from ...words.call_mistakes import answers_mistakes
from ...words.wording import packaged_text, series
from .sentences import GLOSSES, sentence

FILE = "measure_notes.json"
SENTENCES = ("facts", "use", "misleads")
Notes = dict[str, Any]


def notes_on(measure: Measure) -> Notes:
    """Return the formula of a measure as text, and its properties: True, or a sentence that says why not.

    >>> import indicatrix as ix
    >>> notes_on(ix.f1)["formula"], notes_on(ix.f1)["properties"]["monotone"]
    ('2 * tp / (2 * tp + fp + fn)', True)
    >>> notes_on(ix.f1)["properties"]["skew_invariant"]
    'Not skew-invariant: doubling the positives moves f1 from 0.46 to 0.50.'
    """
    known = _notes_of(measure)
    return examine(measure) if known is None else known


def has_property(measure: Measure, name: str) -> bool | None:
    """Return whether a measure has a property; None if neither a proof nor trials decide.

    Of the catalogue everything is decided and written down, so that what examines formulas need not be loaded.

    >>> import indicatrix as ix
    >>> has_property(ix.f1, "monotone"), has_property(ix.measure("tp * fp"), "monotone")
    (True, False)
    """
    known = _notes_of(measure)
    if known is None:
        holds: bool | None = _examined(measure).evidence[name].holds
        return holds
    return known["properties"][name] is True


def coefficients_of(measure: Measure) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
    """Return (a, b) of M = <a, v>/<b, v>; None for a measure that is not such a ratio.

    >>> import indicatrix as ix
    >>> [int(x) for x in coefficients_of(ix.recall)[1]], coefficients_of(ix.mcc)
    ([1, 0, 1, 0], None)
    """
    if _notes_of(measure) is None:
        found = _examined(measure)
        return None if found.a is None or found.b is None else (found.a, found.b)
    return measure.decomposition if has_property(measure, "decomposable") else None


def _examined(measure: Measure) -> Any:
    """Return the properties of a measure without notes; what examines formulas is loaded now."""
    from .properties import properties

    return properties(measure, prove=False)


def examine(measure: Measure) -> Notes:
    """Return the notes on any measure, computed now; they are empty unless it is a formula of counts."""
    if not measure.reads.formula:
        return {"formula": "", "properties": {}}

    evidence = _examined(measure).evidence
    found = {name: evidence[name] for name in GLOSSES}
    return {
        "formula": measure.formula,
        "properties": {name: x.holds is True or sentence(name, x, measure) for name, x in found.items()},
    }


def glosses() -> dict[str, str]:
    """Return what each property says about a measure that has it, as a sentence.

    >>> glosses()["monotone"]
    'Monotone: correcting the prediction of an example never makes it worse.'
    """
    return {name: f"{short[:1].upper()}{short[1:]}: {gloss}." for name, (short, gloss) in GLOSSES.items()}


def _notes_of(measure: Measure) -> Notes | None:
    return _catalogue_note(measure.name) if MEASURES.get(measure.name) == measure else None


@cache
def _catalogue_notes() -> Notes:
    return dict(json.loads(packaged_text(__package__, FILE)))


@cache
def _catalogue_note(name: str) -> Notes | None:
    file = _catalogue_notes()
    if name not in file["notes"]:
        return None

    def filled(entries: str, **clauses: str) -> list[str | bool]:
        filling = [entry.split() for entry in entries.split("|") if entry]
        return [n == "+" or file["texts"][int(n)].format(*rest, m=MEASURES[name], **clauses) for n, *rest in filling]

    formula, answers, *others = file["notes"][name]
    properties = dict(zip(file["properties"], filled(answers), strict=True))
    clauses = {key: clause_of(answer) for key, answer in properties.items() if isinstance(answer, str)}
    sentences = {key: filled(entries, **clauses) for key, entries in zip(SENTENCES, others, strict=True)}
    return {"formula": formula, "properties": properties, **sentences}


def clause_of(sentence: str) -> str:
    """Return what a sentence on a property says, without the name of the property.

    >>> clause_of("Not bounded: its values have no limit.")
    'its values have no limit'
    """
    return sentence.partition(": ")[2].removesuffix(".")


def is_share(measure: Any) -> bool:
    """Return whether a measure is a share: some of the four counts, over these and others.

    >>> import indicatrix as ix
    >>> is_share(ix.recall), is_share(ix.accuracy), is_share(ix.f1), is_share(ix.multiclass_mcc)
    (True, True, False, False)
    """
    sums = None if measure.averages else measure.decomposition
    return sums is not None and all(pair in ((0, 0), (0, 1), (1, 1)) for pair in zip(*sums, strict=True))


@answers_mistakes
class Floor(Fraction):
    """The exact value of a measure at total misclassification, under one-hot rows.

    Attributes
    ----------
    measure : Measure
        What was measured.
    """

    measure: Measure

    def __new__(cls, value: Fraction, measure: Measure) -> Floor:
        """Return a fraction that carries its measure."""
        made = super().__new__(cls, value)
        made.measure = measure
        return made

    @property
    def orientation(self) -> str:
        """The word "floor", or "ceiling" where lower is better."""
        return "ceiling" if self.measure.better == "lower" else "floor"

    @property
    def lowest(self) -> bool:
        """Whether no admissible prediction is worse.

        This holds where corrections never make the measure worse.
        """
        return bool(has_property(self.measure, "monotone"))

    def __reduce__(self) -> Any:
        return Floor, (Fraction(self), self.measure)

    def __copy__(self) -> Floor:
        return self

    def __deepcopy__(self, memo: Any) -> Floor:
        return self


def has_floor(average: Average) -> bool:
    """Return whether the value at total misclassification depends on m only.

    This holds where the average pools, or is the plain mean over examples.

    >>> averages_that(has_floor)
    ('micro', 'exemplar')
    """
    return average.pools or average.is_mean_over("example")


@answers_mistakes
def floor(
    measure: str | Measure, m: Any, *, average: str = "micro", sizes: Iterable[int] | None = None, n: Any = None
) -> Floor | float | Any:
    """Return the value at total misclassification of ``m`` classes, one class per example.

    It is exact for a number of classes and an expression for a SymPy symbol. It is a float where the value is irrational, and
    nan or infinite where the formula is. ``average="macro"`` needs the class ``sizes``; measures that grow with the number of
    examples need ``n``.

    Parameters
    ----------
    measure : str or Measure
        A measure, its name, or a formula.
    m : int or symbol
        The number of classes.
    average : str, default 'micro'
        "micro", "macro" or another average over classes or examples.
    sizes : iterable of int, optional
        The number of examples of each class; "macro" needs them.
    n : int or symbol, optional
        The number of examples, for measures that grow with it.

    Returns
    -------
    Floor, float or expression
        The exact value where it is rational.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.theory.floor("mcc", 10), ix.theory.floor("error_rate", 10).orientation
    (Floor(-1, 9), 'ceiling')
    >>> ix.theory.floor("specificity", 3, average="macro", sizes=[2, 1, 1])
    Floor(4, 9)
    """
    found, average, m = find(measure), ALIASES.get(average, average), _classes(m)
    if found.averages and average not in found.averages:
        raise ValueError(f"{found} exists only as average={found.averages[0]!r}, and so does its floor. Use that average.")
    rule = find_average(average)
    if rule.is_mean_over("class"):
        return _floor_of(_class_mean(found, m, sizes), found)
    if average == BINARY or not has_floor(rule):
        alone, sized = averages_that(has_floor), averages_that(lambda average: average.is_mean_over("class"))
        possible = f"{', '.join(map(repr, alone))}, or {series([*map(repr, sized)], 'or')} with sizes="
        raise ValueError(f"The floor under average={average!r} does not depend on m only. Use {possible}.")
    if rule.pools and not has_property(found, "scale_free") and n is None:
        raise ValueError(f"{found} grows with the number of examples, and so does its {average} floor. Give n=.")
    count = n if rule.pools and n is not None else 1
    if not isinstance(m, int) or any(map(is_symbol, found.params.values())):
        return _expression(found, m, count)
    return _floor_of(exactly(found)(0, count, count, count * (m - 2)), found)


def _expression(measure: Measure, m: Any, n: Any) -> Any:
    """Return the value at total misclassification as an expression in m."""
    import sympy

    others = sympy.Symbol("others", positive=True)  # m - 2, declared positive, to let SymPy resolve roots and signs
    params = {k: x if is_symbol(x) else sympy.Rational(as_written(x)) for k, x in measure.params.items()}
    value = measure.function(*map(sympy.sympify, (0, n, n, n * others)), **params)
    if value.has(sympy.zoo, sympy.nan):  # SymPy does not give 1/0 a sign; numbers do, and the sign is the same for every m
        return sympy.sympify(exactly(measure)(0, 1, 1, 3))
    closed = sympy.factor(sympy.simplify(sympy.simplify(value).subs(others, m - 2)))
    return sympy.nsimplify(closed, rational=True) if closed.has(sympy.Float) else closed


def _classes(m: Any) -> Any:
    """Return a number of classes as an int, or as the symbol that stands for it."""
    if is_symbol(m):
        return m
    if isinstance(m, bool) or not hasattr(m, "__index__") or index(m) < 2:
        raise ValueError(f"m={m!r} must be a number of classes, 2 or more, or a SymPy symbol.")
    return index(m)


def _floor_of(value: Any, measure: Measure) -> Floor | float:
    return Floor(value, measure) if isinstance(value, Fraction) else float(value)


def _class_mean(measure: Measure, m: int, sizes: Iterable[int] | None) -> Value:
    """Return the worst plain mean over classes for these class sizes.

    Measures for which it is not known are refused.
    """
    if sizes is None:
        raise ValueError("The macro floor depends on the class sizes: give sizes=, one number of examples for each class.")
    given = list(sizes)
    if len(given) != m or any(not hasattr(k, "__index__") or k < 1 for k in given):
        raise ValueError(f"sizes= must hold {m} positive numbers of examples, one for each class, not {given}.")
    counts = sorted(map(index, given), reverse=True)
    value, form, better = exactly(measure), coefficients_of(measure), -1 if measure.better == "lower" else 1
    if form is not None and len(set(form[1])) == 1:  # the denominator is n in every class, so macro equals micro
        return value(0, 1, 1, m - 2)
    weights = _affine_in_rates(measure)
    if weights is not None:
        constant, of_recall, of_specificity = weights
        if of_recall * better >= 0 and of_specificity * better >= 0:
            # The largest class takes the errors of all others, and the second largest those of the largest.
            specificity = 1 - (1 + Fraction(counts[0], sum(counts) - counts[1])) / m
            return constant + of_specificity * specificity
    if has_property(measure, "lower_boundary") and has_property(measure, "tn_survives_at_tp0") is False:
        return value(0, 1, 1, m - 2)
    raise ValueError(
        f"The macro floor of {measure} is not known in closed form: classes compete for the errors. "
        "Use average='micro' or 'exemplar', or a measure that is affine in recall and specificity."
    )


def _affine_in_rates(measure: Measure) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return (c, x, y) with M = c + x recall + y specificity, or None."""
    if not has_property(measure, "skew_invariant"):
        return None
    value = exactly(measure)

    def at(recall: Fraction, specificity: Fraction) -> Any:
        return value(recall, 1 - specificity, 1 - recall, specificity)

    half, third = Fraction(1, 2), Fraction(1, 3)
    corner, right, up = at(third, third), at(half, third), at(third, half)
    if not all(type(x) is Fraction for x in (corner, right, up)):
        return None
    x, y = (right - corner) / (half - third), (up - corner) / (half - third)
    constant = corner - (x + y) * third
    points = [(Fraction(i, 7), Fraction(j, 7)) for i in range(8) for j in range(8)]
    return (constant, x, y) if all(at(*p) == constant + x * p[0] + y * p[1] for p in points) else None


@answers_mistakes
def rescale(score: float, m: int, *, measure: str | Measure | None = None, average: str | None = None) -> float:
    """Return a score of ``m`` one-hot classes, with its floor mapped to the worst nominal value.

    A Score has its measure and average; for a plain number pass both. All micro scores of one-hot rows become accuracy on
    their range, because they contain nothing else.

    Parameters
    ----------
    score : float or Score
        The score.
    m : int
        The number of classes.
    measure : str or Measure, optional
        A measure, its name, or a formula. A Score has its own.
    average : str, optional
        The average of the score. A Score has its own.

    Returns
    -------
    float
        The score on the whole range of the measure.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.theory.rescale(ix.specificity([0, 1, 2, 0], [0, 2, 1, 0], average="micro"), 3)
    0.5
    """
    m = _classes(m)
    if is_symbol(m):
        raise ValueError("m must be the number of classes of the score, not a symbol.")
    given = measure or getattr(score, "measure", None)
    how = average or getattr(score, "average", None)
    if given is None or how is None:
        raise ValueError("A plain number has no measure and no average: pass measure= and average=, or give a Score.")
    found = find(given)
    low, high = found.range
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"{found} has the range [{low:g}, {high:g}], which is not finite, so it cannot be rescaled.")
    rule = find_average(how)
    if how == BINARY or not has_floor(rule):
        possible = series(averages_that(has_floor))
        raise ValueError(f"The floor under average={how!r} does not depend on m only. Only {possible} scores can be rescaled.")
    _check_one_hot(score, m, rule)
    best = exactly(found)(1, 0, 0, m - 1)
    worst = floor(found, m, average=how)
    if not is_defined(best) or math.isnan(worst) or float(best) == float(worst):
        raise ValueError(f"{found} has no scale from total failure to perfection at m={m}: {float(worst):g} to {float(best):g}.")
    bottom, top = (high, low) if found.better == "lower" else (low, high)
    return bottom + (float(score) - float(worst)) / (float(best) - float(worst)) * (top - bottom)


def _check_one_hot(score: Any, m: int, average: Average) -> None:
    """Refuse a score whose counts do not come from one class per example: it has another floor."""
    counts = getattr(score, "counts", None)
    if counts is None:
        return
    tp, fp, fn, tn = (np.asarray(x, np.float64) for x in counts)
    one = np.isclose(fp, fn) & np.isclose(tp + fp + fn + tn, m * (tp + fn))  # weights may be rounded
    if not average.pools:
        one &= tp + fn == 1
    if not one.all():
        raise ValueError(
            f"These counts do not come from one true and one predicted class of {m} per example, so they have another floor."
        )
