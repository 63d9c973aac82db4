"""Two rates and the prior determine every binary measure (ex:dof, rem:orthogonality)."""

from __future__ import annotations

from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

# 100 examples with prior 3/10, recall 8/10 and specificity 7/10: the point at which gradients are taken.
BINARY = [[24, 6], [21, 49]]
REPORTED = ("recall", "specificity", "accuracy", "f1", "balanced_accuracy")
FORMULAS = {  # as the example prints them
    "accuracy": "pi*rec + (1 - pi)*spec",
    "balanced_accuracy": "(rec + spec)/2",
    "f1": "2*pi*rec/(pi*(1 + rec) + (1 - pi)*(1 - spec))",
}


@experiment("ex:dof", "Degrees of freedom: which scores follow from others")
def degrees_of_freedom(record: Record) -> None:
    """Derive the example's formulas with symbols, and count independent scores."""
    import sympy

    pi, rec, spec = sympy.symbols("pi rec spec", positive=True)
    counts = ix.Counts(tp=pi * rec, fp=(1 - pi) * (1 - spec), fn=pi * (1 - rec), tn=(1 - pi) * spec)
    derived = {name: sympy.factor(ix.algebra.MEASURES[name](counts)) for name in FORMULAS}
    for name, printed in FORMULAS.items():
        same = sympy.simplify(derived[name] - sympy.sympify(printed, locals={"pi": pi, "rec": rec, "spec": spec})) == 0
        record.claim(f"{words(name)} from recall, specificity and prior", paper=printed, ours=str(derived[name]), agrees=same)

    ev = ix.from_confusion(BINARY, classes=["positive", "negative"], positive="positive")
    binary = ev.redundant(REPORTED)
    record.claim("degrees of freedom, m = 2", paper="2", ours=binary.degrees_of_freedom)
    record.claim("independent among five binary scores", paper="2", ours=binary.rank)
    follow = [words(name) for name, _ in binary.follows]
    record.claim("recall and specificity determine", paper=["accuracy", "F1", "balanced accuracy"], ours=follow)
    _gradients(record, derived, {pi: sympy.Rational(3, 10), rec: sympy.Rational(8, 10), spec: sympy.Rational(7, 10)})

    # The numbers in the cells do not matter: gradients are taken at generic matrices with these class sizes.
    matrix = [[8, 1, 1], [2, 6, 2], [1, 3, 6]]
    ternary = ix.theory.redundant(["recall", "precision", "specificity", "npv"], matrix, averages=["each class"])
    record.claim("degrees of freedom, m = 3", paper="6", ours=ternary.degrees_of_freedom)
    record.holds(
        "no more than m(m-1) of the twelve per-class scores are independent, m = 3", ternary.rank <= ternary.degrees_of_freedom
    )
    record.note(
        f"Of the {len(ternary.scores)} per-class values of recall, precision, specificity and NPV for three classes, "
        f"{ternary.rank} are independent: scores of the counts per class do not see all 6 degrees of freedom (errata C11)."
    )


def _gradients(record: Record, derived: dict[str, Any], point: dict[Any, Any]) -> None:
    """Compare the gradients of the three measures with respect to recall and specificity, at one point."""
    import sympy

    _, rec, spec = point
    rows = {name: [value.diff(rate).subs(point) for rate in (rec, spec)] for name, value in derived.items()}
    names = list(rows)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    collinear = [pair for pair in pairs if sympy.Matrix([rows[name] for name in pair]).rank() < 2]
    record.holds(
        "accuracy, balanced accuracy and F1 have collinear gradients",
        bool(collinear),
        differs="every two of the three gradients are independent; the three together have rank 2",
        errata="C12",
    )
    record.finds("the three gradients are linearly dependent as a set", sympy.Matrix(list(rows.values())).rank() < len(rows))
    record.table(
        "Gradients at prior 3/10, recall 8/10, specificity 7/10",
        ["measure", "formula", "slope in recall", "slope in specificity"],
        [[words(name), str(derived[name]), *map(str, gradient)] for name, gradient in rows.items()],
    )
