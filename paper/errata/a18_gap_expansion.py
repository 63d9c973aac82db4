"""The gap of non-decomposable measures has a third term of second order (rem:gap_general)."""

from __future__ import annotations

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

SHRINK = [2.0**-4, 2.0**-6, 2.0**-8]


@experiment("A18", "The expansion of the gap between micro and macro")
def gap_expansion(record: Record) -> None:
    """Expand the gap of the G-mean in the paper's example, and let its classes become alike."""
    ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    gap, skew, curvature, missing, residual = terms(ev, ix.g_mean)
    record.claim("curvature term of the G-mean, with its sign and the population variance", paper="0.0078", ours=curvature)
    record.finds("the sample variance would give 0.0117 instead", round(curvature * 3 / 2, 4) == 0.0117)
    record.holds("the contribution of curvature is not negative, as the G-mean is concave", curvature >= 0)
    left = gap - skew - curvature
    record.holds(
        "what skew and curvature leave is of third order",
        ours=abs(left) < abs(missing) / 10,
        differs="nearly all of it is the missing second-order term, half of d'Hd",
        errata="A18",
    )
    record.finds("with the third term less than a twenty-fifth of it is left", abs(residual) < abs(left) / 25)

    by_square, by_cube = [], []
    for eps in SHRINK:
        small, skew, curvature, _, rest = terms(shrink(ev, eps), ix.g_mean)
        by_square.append((small - skew - curvature) / eps**2)
        by_cube.append(rest / eps**3)
    rows = list(zip(SHRINK, by_square, by_cube, strict=True))
    record.table("Deviations of the classes shrunk by ε, weights fixed", ["ε", "two terms leave / ε²", "three leave / ε³"], rows)
    constant = abs(by_square[-1] / missing - 1) < 0.01
    record.holds(
        "two terms leave O(ε³)", ours=not constant, differs="divided by ε² it tends to half of d'Hd, not to 0", errata="A18"
    )
    record.finds("three terms leave O(ε³): divided by ε³ it settles", abs(by_cube[-1] / by_cube[-2] - 1) < 0.05)
    *_, missing, residual = terms(ev, ix.measure("tp/(tp+fn) * tn/(tn+fp)"))
    product = ev.gap("recall").gap * ev.gap("specificity").gap
    record.finds("for recall times specificity two terms are off by the product of their gaps", abs(missing - product) < 1e-12)
    record.finds("for recall times specificity three terms are exact, two are not", abs(residual) < 1e-12 < abs(missing))


def terms(ev: ix.Evaluation, measure: ix.Measure) -> tuple[float, ...]:
    """Return the gap of a measure and the four terms that make it up."""
    gap = ev.gap(measure)
    return tuple(float(x) for x in (gap.gap, gap.skew, gap.curvature, gap.second_order, gap.residual) if x is not None)


def shrink(ev: ix.Evaluation, eps: float) -> ix.Evaluation:
    """Return counts with the same class sizes whose rates deviate from their means by a share ``eps``."""
    v = ev.aggregate("class")
    recall, specificity = (np.mean(r) + eps * (r - np.mean(r)) for r in (v.tp / v.tpos, v.tn / v.tneg))
    return ix.from_counts(v.tpos * recall, v.tneg * (1 - specificity), v.tpos * (1 - recall), v.tneg * specificity)
