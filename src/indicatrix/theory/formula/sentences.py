"""Sentences: the properties of a measure in words, each with what it means or an example against it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...algebra.arrays import as_float
from ...algebra.counts import CELLS
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure

# The name of a property in a sentence, and what it says about a measure that has it.
GLOSSES: dict[str, tuple[str, str]] = {
    "decomposable": ("decomposable", "the micro value is a weighted mean of the values of the classes"),
    "skew_invariant": ("skew-invariant", "how frequent the classes are does not matter"),
    "moebius": ("a function of one rate", "it follows from recall alone or from specificity alone"),
    "scale_free": ("scale-free", "twice the data with the same rates have the same value"),
    "monotone": ("monotone", "correcting the prediction of an example never makes it worse"),
    "monotone_per_cell": ("monotone in each cell", "more of tp or tn alone, or less of fp or fn alone, never makes it worse"),
    "upper_boundary": ("right at the top", "perfect predictions always have one value, the best one"),
    "lower_boundary": ("right at the bottom", "wholly wrong predictions always have one value, the worst one"),
    "complete": ("complete", "all four counts matter"),
    "tn_survives_at_tp0": ("sensitive to tn at tp = 0", "true negatives count even if no positive was found"),
    "bounded": ("bounded", "all values lie in one finite interval"),
    "symmetric_classes": ("symmetric in the classes", "exchanging positive and negative does not change it"),
    "symmetric_roles": ("symmetric in truth and prediction", "exchanging truth and prediction does not change it"),
    "constant_baseline": ("constant for guessing", "all random guesses have the same expected value"),
    "threshold": ("maximized by one threshold", "one threshold on P(Y=1|x) is the best in every population"),
}


# What it says about a measure that does not have it, where no example says it better.
DENIALS: dict[str, str] = {
    "decomposable": "it is not a ratio of two weighted sums of the counts, so the micro value is not such a mean",
    "moebius": "it does not follow from one rate alone",
    "complete": "one of the four counts never matters",
    "tn_survives_at_tp0": "true negatives do not count if no positive was found",
    "bounded": "its values have no limit",
    "threshold": "the best threshold depends on the population; ix.theory.optimal_threshold finds it",
    "upper_boundary": "perfect predictions do not always have one value, the best one",
    "lower_boundary": "wholly wrong predictions do not always have one value, the worst one",
}
COUNTS = {  # what the names in a formula stand for
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
    "tpos": "all positives, tp + fn",
    "tneg": "all negatives, fp + tn",
    "ppos": "all predicted positive, tp + fp",
    "pneg": "all predicted negative, fn + tn",
    "n": "all of them",
}
TIMES = {2: "doubling", 3: "tripling"}


def sentence(name: str, evidence: Evidence, measure: Measure, *, detail: str = "") -> str:
    """Return what is known about a property of a measure, in one sentence; ``detail`` ends a yes.

    >>> import indicatrix as ix
    >>> print(sentence("skew_invariant", ix.properties("f1").evidence["skew_invariant"], ix.f1))
    Not skew-invariant: doubling the positives moves f1 from 0.46 to 0.50.
    """
    adjective, gloss = GLOSSES[name]
    if evidence.holds is None:
        return f"Undecided whether {adjective} ({gloss}): {evidence.note}."
    known = (
        f" ({'proved' if evidence.proof else f'{evidence.trials} trials'})"
        if evidence.proof or (evidence.trials and evidence.witness is None)
        else ""
    )
    if evidence.holds:
        return f"{adjective[:1].upper()}{adjective[1:]}{known}: {gloss}{detail}."
    if against := example_against(name, evidence, measure):
        return f"Not {adjective}: {against}."
    if name == "threshold" and evidence.witness is None:  # not because of the population: its direction, or its sign
        return f"Not {adjective}: {evidence.note}."
    reason = f"{DENIALS[name]}; {evidence.note}" if name in WITH_NOTE and evidence.note else DENIALS.get(name, evidence.note)
    return f"Not {adjective}{known}: {reason}."


WITH_NOTE = ("moebius", "complete", "upper_boundary", "lower_boundary")  # the note of a no says which of several reasons it is


def example_against(name: str, evidence: Evidence, measure: Measure) -> str:
    """Return the example against a property: what is changed, and the two values; or "".

    >>> import indicatrix as ix
    >>> example_against("symmetric_roles", ix.properties("recall").evidence["symmetric_roles"], ix.recall)
    'exchanging truth and prediction moves recall from 0.38 to 0.60'
    """
    if evidence.holds is not False or name not in CHANGES or evidence.witness is None:
        return ""
    vectors, values = evidence.witness
    before, after = two_numbers(*map(as_float, values[:2]))
    at = ", ".join(f"{cell}={x}" for cell, x in zip(CELLS, vectors[0], strict=False))
    worse = "lower" if measure.better not in SIGNS else "worse"
    return CHANGES[name](vectors).format(moves=f"moves {measure} from {before} to {after}", at=at, x=before, y=after, worse=worse)


def two_numbers(x: float, y: float) -> tuple[str, str]:
    """Return two different numbers with two decimals, or with as many as they need to look different.

    >>> two_numbers(6 / 13, 0.5), two_numbers(0.5, 0.5001), two_numbers(1e9, 2e9)
    (('0.46', '0.50'), ('0.5', '0.5001'), ('1e+09', '2e+09'))
    """
    shown = [(f"{x:.2f}", f"{y:.2f}")] if max(abs(x), abs(y)) < 1000 else []
    shown += [(f"{x:.{digits}g}", f"{y:.{digits}g}") for digits in (3, 4, 6, 9, 17)]
    return next((pair for pair in shown if pair[0] != pair[1]), shown[-1])


def _skew_text(vectors: Any) -> str:
    """Return which classes became more frequent, and how much.

    >>> _skew_text([(3, 2, 5, 11), (6, 2, 10, 11)]), _skew_text([(0, 3, 4, 9), (0, 15, 28, 45)])
    ('doubling the positives', 'taking 7 times the positives and 5 times the negatives')
    """
    first, second = ([Fraction(v[0] + v[2]), Fraction(v[1] + v[3])] for v in vectors[:2])
    factors = {who: y / x for who, x, y in zip(("positives", "negatives"), first, second, strict=True) if x != y}
    if len(factors) == 1 and (factor := next(iter(factors.values()))) in TIMES:
        return f"{TIMES[int(factor)]} the {next(iter(factors))}"
    return "taking " + " and ".join(f"{factor} times the {who}" for who, factor in factors.items())


CHANGES: dict[str, Callable[[Any], str]] = {
    "skew_invariant": lambda vectors: f"{_skew_text(vectors)} {{moves}}",
    "scale_free": lambda vectors: "tripling all counts {moves}",
    "monotone": lambda vectors: "at {at}, correcting one example {moves}, which is {worse}",
    "monotone_per_cell": lambda vectors: "at {at}, improving one cell alone {moves}, which is {worse}",
    "symmetric_classes": lambda vectors: "exchanging positive and negative {moves}",
    "symmetric_roles": lambda vectors: "exchanging truth and prediction {moves}",
    "constant_baseline": lambda vectors: (
        "guessing scores {x} or {y}, depending on how many are positive and on how many are guessed to be"
    ),
}
