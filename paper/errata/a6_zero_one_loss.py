"""0/1 loss is not Hamming loss: they differ by the factor 2/m (sec:catalogue, Group 8)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment


@experiment("A6", "0/1 loss and Hamming loss")
def zero_one_loss(record: Record) -> None:
    """Compute both losses, and their averages, on five examples of three classes."""
    truth, guess, m = [0, 0, 1, 2, 2], [0, 1, 1, 2, 0], 3
    ev = ix.evaluate(truth, guess)
    hamming, loss = ev.exact("hamming_loss", "micro"), 1 - ev.exact("exact_match")
    record.finds("the 0/1 loss is the unit cost per example", ev.cost("zero_one") == float(loss))
    record.claim(
        "0/1 loss, micro",
        paper=hamming,
        ours=loss,
        pinned="2/5",
        differs="a wrong example is two wrong entries of m: Hamming loss is 2/m times the 0/1 loss",
        errata="A6",
    )
    record.finds("Hamming loss = (2/m) 0/1 loss", hamming == Fraction(2, m) * loss)
    for average, pinned in (("macro", "1/3"), ("exemplar", "2/5")):
        record.claim(
            f"0/1 loss, {average}",
            paper=ev.exact("error_rate", average),
            ours=Fraction(ev.cost("zero_one", average=average)).limit_denominator(1000),
            pinned=pinned,
            differs="the error rates of Group 1 divide by entries, the cost by examples",
            errata="A6",
        )
