"""Ordinal membership functions of the rank distance (tab:ordinal_f)."""

from __future__ import annotations

import math

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

RANKS = 5  # m
GAMMA, SIGMA = 0.7, 1.5
# Function, f(d) as printed, the encoding of the library, f(d) written out.
ROWS = (
    ("One-hot", "I(d = 0)", ix.ordinal("one_hot"), lambda d: float(d == 0)),
    ("Linear decay", "max(0, 1 - d/(m-1))", ix.ordinal("linear"), lambda d: max(0, 1 - d / (RANKS - 1))),
    ("Exponential", "exp(-gamma d)", ix.ordinal("exponential", gamma=GAMMA), lambda d: math.exp(-GAMMA * d)),
    ("Gaussian", "exp(-d²/(2 sigma²))", ix.ordinal("gaussian", sigma=SIGMA), lambda d: math.exp(-(d**2) / (2 * SIGMA**2))),
)


@experiment("tab:ordinal_f", "Ordinal membership functions and their properties")
def ordinal_functions(record: Record) -> None:
    """Compare memberships with the printed functions, check properties, and score errors."""
    distances = range(RANKS)
    memberships = {title: encoding.memberships(RANKS) for title, _, encoding, _ in ROWS}
    scores = {title: [_soft_recall(encoding, d) for d in distances] for title, _, encoding, _ in ROWS}
    for title, printed, _, function in ROWS:
        f = memberships[title]
        record.holds(f"{title}: f(d) = {printed}", np.allclose(f, [function(d) for d in distances], rtol=1e-15))
        record.holds(f"{title}: f(0) = 1, and f never rises", f[0] == 1 and (np.diff(f) <= 0).all())
    _properties(record, memberships, scores)
    record.note(
        f"m = {RANKS} ranks, gamma = {GAMMA}, sigma = {SIGMA}; recall of soft truth and one-hot predictions, product t-norm."
    )
    header = ("Function", "f(d)", *(f"f({d})" for d in distances), *(f"recall, {d} off" for d in distances))
    record.table(
        "Memberships by rank distance, and the recall of a prediction that is d ranks off",
        header,
        [(title, printed, *memberships[title].tolist(), *scores[title]) for title, printed, *_ in ROWS],
    )


def _soft_recall(encoding: ix.types.Ordinal, off: int) -> float:
    """Return the recall of the lowest class predicted ``off`` ranks too high.

    The truth is soft, the prediction one-hot.
    """
    soft = ix.ordinal(encoding.encoding, sides="true", **dict(encoding.params))
    ev = ix.evaluate([0], [off], classes=range(RANKS), ordinal=soft, tnorm="product")
    return float(ev.score("recall", "micro"))


def _properties(record: Record, memberships: dict[str, np.ndarray], scores: dict[str, list[float]]) -> None:
    """Check the last column of the table, as computed statements."""
    truth, guess = [0, 1, 2, 3, 4, 4, 2], [0, 2, 2, 3, 0, 4, 1]
    plain = ix.evaluate(truth, guess, classes=range(RANKS))
    one_hot = ix.evaluate(truth, guess, classes=range(RANKS), ordinal="one_hot")
    record.holds("One-hot is standard multiclass: the same counts", plain.aggregate("class") == one_hot.aggregate("class"))
    record.holds(
        "One-hot knows no distance: errors of 1 and of 4 ranks score alike", scores["One-hot"][1] == scores["One-hot"][4]
    )
    record.holds(
        "Linear decay: the same drop with every step", np.allclose(np.diff(memberships["Linear decay"]), -1 / (RANKS - 1))
    )
    steps = memberships["Exponential"][1:] / memberships["Exponential"][:-1]
    record.holds("Exponential: every step keeps the share exp(-gamma)", np.allclose(steps, math.exp(-GAMMA)))
    narrow = ix.ordinal("exponential", gamma=2 * GAMMA).memberships(RANKS)
    record.holds("Exponential: a larger gamma narrows the bandwidth", narrow.sum() < memberships["Exponential"].sum())
    bends = np.diff(np.log(memberships["Gaussian"]), 2)
    record.holds(
        "Gaussian: the logarithm falls quadratically, by 1/sigma² more with every step", np.allclose(bends, -1 / SIGMA**2)
    )
    shares = memberships["Gaussian"][1:] / memberships["Gaussian"][:-1]
    record.holds("Gaussian penalises large rank hops: each further step costs a larger share", (np.diff(shares) < 0).all())
    record.finds(
        "with any decay, a prediction further off never scores better",
        all((np.diff(values) <= 0).all() for values in scores.values()),
    )
