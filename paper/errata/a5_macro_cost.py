"""Macro cost: the column operator groups by predicted class, macro-MAE by true class (sec:cost)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("A5", "Macro-averaged cost")
def macro_cost(record: Record) -> None:
    """Average absolute errors of four examples by the paper's columns and by the true class."""
    truth, guess, ranks = [0, 0, 0, 2], [0, 0, 2, 2], [0, 1, 2]
    c = np.abs(np.subtract.outer(ranks, ranks))
    y, yhat = np.eye(3, dtype=int)[truth], np.eye(3, dtype=int)[guess]
    columns = ((y @ c) * yhat).sum(axis=0)
    predicted = yhat.sum(axis=0)
    by_column = [Fraction(int(cost), int(size)) for cost, size in zip(columns, predicted, strict=True) if size]
    ours = ix.cost(truth, guess, "absolute", classes=ranks, average="macro")
    record.claim(
        "macro-MAE, one example of class 0 taken for class 2",
        paper=sum(by_column) / len(by_column),
        ours=Fraction(ours).limit_denominator(1000),
        pinned="1/3",
        differs="the column operator charges class 2, which was predicted; macro-MAE charges class 0, which was true",
        errata="A5",
    )
    other = ix.cost(truth, guess, "absolute", classes=ranks, average="macro", side="predicted")
    record.finds("by='predicted' groups as the paper's operator does", other == sum(by_column) / len(by_column))
    record.finds("a class without examples is undefined and left out by name", ours.undefined_units == (1,))
    micro = ix.cost(truth, guess, "absolute", classes=ranks)
    record.holds("micro cost is the total divided by n, not by nm: MAE itself", micro == columns.sum() / len(truth))
