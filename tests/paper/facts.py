"""The recomputed facts of the paper, our measures by their names there, and a checker for each id.

A fact of paper/facts.json has the paper's claim (``paper``), the recomputed one (``computed``) and whether they agree; the
library must show the recomputed one.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import sympy
from sympy.parsing.sympy_parser import convert_xor, implicit_multiplication, parse_expr, standard_transformations

import indicatrix as ix

PAPER = Path(__file__).parents[2] / "paper"
FACTS = {fact["id"]: fact for fact in json.loads((PAPER / "facts.json").read_text("utf-8"))}
EXAMPLE = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]], classes=(1, 2, 3))  # ex:counterexample

# The facts' names of measures, in lower case.
MEASURES = {
    "accuracy": ix.accuracy,
    "label accuracy": ix.accuracy,
    "error rate": ix.error_rate,
    "error rate (ceiling)": ix.error_rate,
    "balanced error rate": ix.measures.balanced_error_rate,
    "subset accuracy": ix.subset_accuracy,
    "precision": ix.precision,
    "recall": ix.recall,
    "fnr": ix.measures.fnr,
    "fdr": ix.measures.fdr,
    "f1": ix.f1,
    "f2": ix.f_beta.at(beta=2),
    "f2 (beta^2=4)": ix.f_beta.at(beta=2),
    "jaccard": ix.jaccard,
    "fowlkes-mallows": ix.measures.fowlkes_mallows,
    "lift": ix.measures.lift,
    "specificity": ix.specificity,
    "npv": ix.measures.npv,
    "fpr": ix.measures.fpr,
    "for": ix.measures.false_omission_rate,
    "balanced accuracy": ix.balanced_accuracy,
    "balanced acc.": ix.balanced_accuracy,
    "g-mean": ix.g_mean,
    "informedness": ix.informedness,
    "markedness": ix.measures.markedness,
    "f1neg": ix.measures.f_beta_negative,
    "f2neg (beta^2=4)": ix.measures.f_beta_negative.at(beta=2),
    "discriminant power": ix.measures.discriminant_power,
    "optimised precision": ix.measures.optimized_precision,
    "mcc": ix.mcc,
    "phi": ix.measures.phi,
    "cohen's kappa": ix.cohen_kappa,
    "cohen kappa": ix.cohen_kappa,
    "gwet's ac1": ix.measures.gwet_ac1,
    "gwet ac1": ix.measures.gwet_ac1,
    "tetrachoric (cos approx)": ix.measures.tetrachoric,
    "lr+": ix.measures.lr_plus,
    "lr-": ix.measures.lr_minus,
    "dor": ix.measures.dor,
    "odds ratio": ix.measures.odds_ratio,
    "net benefit (p_t=1/5)": ix.net_benefit.at(p_t=Fraction(1, 5)),
    "coverage": ix.measures.coverage,
    "relative accuracy (ra)": ix.measures.relative_accuracy,
    "wra (klosgen)": ix.measures.klosgen.at(omega=1),
    "novelty": ix.measures.novelty,
    "conviction": ix.measures.conviction,
    "chi-squared": ix.measures.chi_squared,
    "piatetsky-shapiro": ix.measures.piatetsky_shapiro,
    "sebag-schoenauer": ix.measures.sebag_schoenauer,
}


def named(name):
    """Return the measure that a fact or a row of the property table speaks of."""
    return MEASURES[name.lower()]


# Numbers: exact where the measure is rational, and a text of the facts read as an expression in m, n, N = nm and p_t = 1/5.

M, N = sympy.symbols("m n", positive=True)
NAMES = {"m": M, "n": N, "N": N * M, "p_t": sympy.Rational(1, 5), "inf": sympy.oo}
GRAMMAR = (*standard_transformations, implicit_multiplication, convert_xor)


@cache
def readings(text):
    """Return every form of a number in a text such as "-n/m = -N/m^2 (not scale free)"."""
    bare = re.sub(r" \([a-z][a-z ]+\)$", "", str(text)).partition(",")[0]
    return tuple(parse_expr(part, local_dict=NAMES, transformations=GRAMMAR) for part in bare.split(" = "))


def same(value, expression):
    """Return whether a value of ours is that of an expression: exactly, unless it is irrational."""
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator) == expression
    return float(value) == float(expression) or math.isclose(value, float(expression), rel_tol=1e-14)


def exact(measure, counts):
    """Return a measure of count(s) in exact arithmetic."""
    return measure(ix.Counts(*map(Fraction, counts)))


# The facts about undefined values and the ends of the scale take the odds ratio as a nested fraction, undefined wherever a
# division by zero occurs on the way. The library's odds_ratio is DOR (errata C16) and a formula text divides like IEEE 754,
# x/inf = 0, so that the nested fraction is DOR as well; plain Python division is what refuses.
NESTED_ODDS = ix.Measure("nested_odds_ratio", lambda tp, fp, fn, tn: (tp / fn) / (fp / tn), range=(0, math.inf))


def as_coded(name):
    """Return the measure of this name as the facts about undefined values code it."""
    return NESTED_ODDS if name == "Odds Ratio" else named(name)


def finite(measure, counts):
    """Return the exact value of one count vector, None where it is undefined or infinite."""
    try:
        value = measure.function(*map(Fraction, counts), **measure.params)
    except ZeroDivisionError:
        return None
    return value if math.isfinite(value) else None


def vectors(counts):
    """Return the counts of all units as tuples of numbers."""
    return list(zip(*(x.tolist() for x in counts), strict=True))


def mean(values):
    return sum(values) / len(values)


def printed(fact, value, digits=3):
    """The paper's rounded number is right exactly if the fact says so."""
    assert (round(float(value), digits) == fact["paper"]) is fact["agrees"]


@cache
def closed_floor(measure):
    """Return the value at total misclassification as an expression in m, and in n if it grows with it."""
    return ix.theory.floor(measure, M, average=floor_average(measure), n=None if ix.properties(measure).scale_free else N)


def floor_average(measure):
    """Return the average of a floor: micro, unless the measure exists only per example."""
    return measure.averages[0] if measure.averages else "micro"


def has_floor(measure, text, sizes=range(3, 31), n=7):
    """Return whether the micro value of total misclassification is that of a text, for many m."""
    size = {} if ix.properties(measure).scale_free else {"n": n}
    return all(
        (closed_floor(measure) == form or sympy.simplify(closed_floor(measure) - form) == 0)
        and all(same(ix.theory.floor(measure, m, average=floor_average(measure), **size), form.subs({M: m, N: n})) for m in sizes)
        for form in readings(text)
    )


class Checkers:
    """The checkers of the facts of some groups; the form of its id chooses the checker of a fact."""

    def __init__(self, *groups):
        self.facts = {name: fact for name, fact in FACTS.items() if name.split(".")[0] in groups}
        self._known = []

    def __call__(self, *forms):
        """Register the checker of facts with an id of these forms; a part ``measure`` names a measure."""

        def register(checker):
            self._known.extend((re.compile(form), checker) for form in forms)
            return checker

        return register

    def run(self, fact):
        """Check one fact; a fact without a checker fails."""
        found = [(match, checker) for form, checker in self._known if (match := form.fullmatch(fact["id"]))]
        assert len(found) == 1, f"{len(found)} checkers fit {fact['id']}; each fact needs exactly one."
        [(match, checker)] = found
        parts = match.groupdict()
        if "measure" in parts:
            parts["measure"] = named(parts["measure"])
        checker(fact, **parts)
