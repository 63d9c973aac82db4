"""Three gradients in a plane are dependent, but no two are collinear (rem:orthogonality)."""

from __future__ import annotations

from itertools import combinations, product

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words


@experiment("C12", "Collinear gradients and redundant scores")
def collinear_gradients(record: Record) -> None:
    """Differentiate three measures by recall and specificity, and take three steps of two cells."""
    import sympy

    rates = rec, spec = sympy.symbols("rec spec", positive=True)
    prior = sympy.Rational(3, 10)
    counts = ix.Counts(tp=prior * rec, fp=(1 - prior) * (1 - spec), fn=prior * (1 - rec), tn=(1 - prior) * spec)
    point = {rec: sympy.Rational(8, 10), spec: sympy.Rational(7, 10)}
    names = ("accuracy", "balanced_accuracy", "f1")
    slopes = {name: [sympy.diff(ix.algebra.MEASURES[name](counts), rate).subs(point) for rate in rates] for name in names}
    rows = [[words(name), *map(str, slope)] for name, slope in slopes.items()]
    record.table("Gradients at prior 3/10, recall 8/10, specificity 7/10", ["measure", "in recall", "in specificity"], rows)
    pairs = [sympy.Matrix([slopes[a], slopes[b]]).det() for a, b in combinations(names, 2)]
    record.holds(
        "accuracy, balanced accuracy and F1 have collinear gradients",
        ours=all(determinant == 0 for determinant in pairs),
        differs=f"the determinants of the pairs are {', '.join(map(str, pairs))}",
        pinned="the determinants of the pairs are -1/5, -126/625, 2/75",
        errata="C12",
    )
    record.finds("the three together have rank 2: they are dependent as a set", sympy.Matrix(list(slopes.values())).rank() == 2)

    steps = {
        "fn > 5": lambda tp, fp, fn, tn: int(fn > 5),
        "fn > 7": lambda tp, fp, fn, tn: int(fn > 7),
        "fp > 3": lambda tp, fp, fn, tn: int(fp > 3),
    }
    measures = [ix.Measure(name, formula) for name, formula in steps.items()]
    tables = [ix.Counts(tp=10 - fn, fp=fp, fn=fn, tn=10 - fp) for fn, fp in product(range(11), repeat=2)]
    values = [tuple(measure(v) for measure in measures) for v in tables]
    follows = [name for i, name in enumerate(steps) if _is_determined(values, i)]
    record.holds(
        "of three scores of two classes one is determined by the others",
        ours=bool(follows),
        differs="none of 1[fn > 5], 1[fn > 7] and 1[fp > 3] is: the bound is for smooth scores, near a point",
        errata="C12",
    )
    found = ix.theory.redundant(measures, [[5, 5], [5, 5]], positive=0)
    record.finds("ours says that such scores are constants or steps", str(found).count("a constant or a step") == len(steps))


def _is_determined(values: list[tuple[int, ...]], i: int) -> bool:
    """Return whether the others determine the i-th value."""
    return len({(*v[:i], *v[i + 1 :]) for v in values}) == len(set(values))
