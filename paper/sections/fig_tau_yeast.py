"""Kendall's tau between the rankings by ten measures on yeast (fig:tau_yeast)."""

from __future__ import annotations

from .. import multilabel
from ..multilabel import TEN, text
from ..record import Record, experiment

MACRO_F1 = ("macro", "f1")


@experiment("fig:tau_yeast", "Kendall's tau between ten measures on yeast")
def tau_yeast(record: Record) -> None:
    """Correlate the rankings of five classifiers under all pairs of measures."""
    comparison = multilabel.compare(record, "yeast")
    multilabel.note_the_ten(record)
    for other in (("micro", "precision"), ("macro", "precision")):
        record.claim(f"tau of macro F1 and {text(other)}", paper="-1.000", ours=comparison.tau(MACRO_F1, other))
    reversed_pairs = sum(tau == -1 for tau in comparison.taus().values())
    record.claim("of our ten, pairs that reverse the ranking", paper=2, ours=reversed_pairs)
    pooled = [other for other in TEN if other[0] != "macro"]
    highest = max(comparison.tau(MACRO_F1, other) for other in pooled)
    record.claim("of our ten, highest tau of macro F1 and a micro or exemplar measure", paper="-0.600", ours=highest)
    recalls = [comparison.tau(MACRO_F1, (average, "recall")) for average in ("micro", "exemplar")]
    record.finds("micro and exemplar recall cannot be among the ten: tau with macro F1 is above -0.600", min(recalls) > -0.6)
    third = float(comparison.tau(MACRO_F1, ("exemplar", "precision")))
    record.finds("exemplar precision cannot be among the ten: it would be a third pair that reverses the ranking", third == -1)
    within = comparison.tau(MACRO_F1, ("macro", "precision"))
    record.holds(
        "the inversion stems from the aggregation operator: no two macro measures are inverted",
        within >= 0,
        differs=f"macro F1 and macro precision share the operator, and their tau is {within:+.0f}",
        pinned="macro F1 and macro precision share the operator, and their tau is -1",
        errata="C20",
    )
    multilabel.tabulate_taus(record, comparison)
