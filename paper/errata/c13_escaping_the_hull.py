"""Some measures are not decomposable and never leave the range of the classes (rem:counterexample)."""

from __future__ import annotations

from itertools import product

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

WITNESSED = ("balanced_accuracy", "g_mean", "informedness", "mcc", "kappa")
INSIDE = ("markedness", "fowlkes_mallows", "lift")
OF_RATES = {
    "recall/precision": "(tp/(tp+fn))/(tp/(tp+fp))",
    "precision/(1 - precision)": "(tp/(tp+fp))/(fp/(tp+fp))",
    "π recall + (1-π) specificity": "(tp+fn)/n*(tp/(tp+fn)) + (tn+fp)/n*(tn/(tn+fp))",
}


@experiment("C13", "Escaping the range of the class values")
def escaping_the_hull(record: Record) -> None:
    """Pool the paper's example, pool small problems under precision squared, and simplify ratios."""
    import sympy

    ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    rows = []
    for name in (*WITNESSED, *INSIDE):
        values, pooled = ev.values(name).tolist(), float(ev.score(name, "micro"))
        outside = not min(values) <= pooled <= max(values)
        rows.append([words(name), *values, pooled, "outside" if outside else "inside"])
        record.holds(
            f"ex:counterexample shows pooled {words(name)} outside the range of the classes",
            ours=outside,
            differs="" if name in WITNESSED else "it lies inside in that example",
            errata="C13",
        )
    record.table("The example of the paper", ["measure", "class 1", "class 2", "class 3", "pooled", "lies"], rows)

    squared = ix.measure("(tp/(tp+fp))**2")
    record.finds("precision squared is not decomposable", not ix.properties(squared).decomposable)
    record.holds(
        "no weights give the pooled value of a measure that is not decomposable",
        ours=not _always_inside(squared),
        differs="pooled precision squared lies between the class values, as precision does: some weights always give it",
        errata="C13",
    )
    for title, formula in OF_RATES.items():
        record.holds(
            f"{title}, made of sums, products or ratios of rates, is not a ratio of linear forms",
            ours=not ix.properties(ix.measure(formula)).decomposable,
            differs="terms cancel after cross-multiplication: each formula has to be tested",
            errata="C13",
        )
    tp, fp, fn, tn = sympy.symbols("tp fp fn tn")
    denominator = sympy.denom(sympy.together(ix.balanced_accuracy(ix.Counts(tp, fp, fn, tn))))
    record.holds(
        "the quadratic denominator of balanced accuracy is irreducible",
        ours=sympy.Poly(denominator, tp, fp, fn, tn).is_irreducible,
        differs=f"it is {sympy.factor(denominator)}; the argument needs that nothing cancels",
        pinned="it is 2*(fn + tp)*(fp + tn); the argument needs that nothing cancels",
        errata="C13",
    )


def _always_inside(measure: ix.Measure) -> bool:
    """Return whether the pooled value of two classes lies between theirs, for counts up to 5."""
    pairs = [ix.Counts(tp, fp, 1, 1) for tp, fp in product(range(6), repeat=2) if tp + fp]
    return all(
        min(measure(v), measure(w)) <= measure(v + w) * (1 + 1e-12)
        and measure(v + w) <= max(measure(v), measure(w)) * (1 + 1e-12)
        for v, w in product(pairs, repeat=2)
    )
