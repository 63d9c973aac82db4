"""Log-loss and Brier score are 1/m of their usual values (sec:calibration).

Half of the binary log-loss is missing, too.
"""

from __future__ import annotations

import math

import numpy as np

import indicatrix as ix

from ..record import Record, experiment


@experiment("A10", "Log-loss and Brier score")
def proper_scores(record: Record) -> None:
    """Compute both scores by the paper's formulas and by ours, for classes and for labels."""
    truth, p, m = [0, 2], np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]), 3
    y = np.eye(m)[truth]
    by_m = "the mean over entries, not over examples, is 1/m of the score"
    log_loss = -(y * np.log(p)).sum() / y.size
    record.claim(
        "log-loss, true classes given 1/2 and 1/4",
        paper=float(log_loss),
        ours=float(ix.log_loss(truth, p)),
        pinned="1.039721",
        differs=by_m,
        errata="A10",
    )
    record.finds("log-loss of ours is m times the paper's: (ln 2 + ln 4)/2", math.isclose(ix.log_loss(truth, p), m * log_loss))
    brier = ((y - p) ** 2).sum() / y.size
    ours = float(ix.brier(truth, p))
    record.claim("Brier score", paper=float(brier), ours=ours, differs=by_m, pinned="5/8", errata="A10")
    record.finds("normalize='nm' gives the paper's Brier score", math.isclose(ix.brier(truth, p, normalize="nm"), brier))

    labels, sure = np.array([[1, 0], [0, 1]]), np.ones((2, 2))
    record.claim(
        "log-loss of giving every label probability 1, half of them wrongly",
        paper=0.0 - float((labels * np.log(sure)).sum()) / labels.size,
        ours=float(ix.log_loss(labels, sure, clip=0)),
        pinned=math.inf,
        differs="without (1 - Y) log(1 - P) a wrong label costs nothing",
        errata="A10",
    )
    rain = [1, 0, 1, 0]
    blunt, sharp = ix.scores.brier_decomposition(rain, [0.5] * 4), ix.scores.brier_decomposition(rain, [1.0, 0.0, 1.0, 0.0])
    record.holds(
        "a proper score measures calibration only: two calibrated forecasters have the same Brier score",
        ours=ix.brier(rain, [0.5] * 4) == ix.brier(rain, [1.0, 0.0, 1.0, 0.0]),
        paper=blunt.reliability == sharp.reliability == 0,
        differs="it also measures refinement: 1/4 for saying 1/2 always, 0 for knowing",
        errata="A10",
    )
