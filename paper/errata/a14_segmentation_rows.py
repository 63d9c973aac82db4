"""Rows of a segmentation are pixels, so the row-wise operator averages over pixels (sec:cv_metrics)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment


@experiment("A14", "Images and pixels")
def segmentation_rows(record: Record) -> None:
    """Evaluate two images of six and two pixels by rows, by images and by pooled counts."""
    truth = [[[0, 0, 1], [2, 2, 1]], [[0, 2]]]
    guess = [[[0, 1, 1], [2, 0, 1]], [[0, 1]]]
    ev = ix.segmentation(truth, guess)
    record.claim(
        "F1 averaged over images by the row-wise operator",
        paper=ev.exact("f1", "image"),
        ours=ev.exact("f1", "exemplar"),
        pinned="5/8",
        differs="its rows are pixels: images need the pixels grouped, as folds are",
        errata="A14",
    )
    record.claim(
        "pixel accuracy as micro accuracy (Group 12)",
        paper=ev.exact("exact_match", "exemplar"),
        ours=ev.exact("accuracy", "micro"),
        pinned="3/4",
        differs="micro accuracy is label accuracy and counts true negatives; pixel accuracy is Σ1(TP)/n",
        errata="A14",
    )
    right = Fraction(ev.aggregate().tp, ev.n)
    record.claim("pixel accuracy as Σ1(TP)/n (sec:cv_metrics)", paper=ev.exact("exact_match", "exemplar"), ours=right)
    values = [ev.exact("jaccard", "macro"), ev.exact("f1", "macro"), ev.exact("recall", "macro"), ev.exact("jaccard", "weighted")]
    names = ["mean IoU", "mean Dice", "mean pixel accuracy", "frequency-weighted IoU"]
    record.table("Segmentation measures under their averages", ["measure", "value"], list(zip(names, values, strict=True)))
    by_hand = [Fraction(4, 9), Fraction(11, 18), Fraction(2, 3), Fraction(7, 16)]
    record.holds("the four segmentation measures are those averages: 4/9, 11/18, 2/3, 7/16 by hand", values == by_hand)
