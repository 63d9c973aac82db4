"""What a reader of corrected scores should know.

How much the judge helped, and what makes the correction doubtful.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...tally.corrected.by_gold import BY_JUDGE, PREDICTION, ByGold, is_crisp, judgments
from ...tally.corrected.corrected import Corrected
from ...tally.corrected.judged_rows import CHANCE, PREDICTIONS, JudgedRows, codes_of
from ...theory.result.findings import Finding
from ...words.wording import listing
from ..stats.quantiles import chi_square_tail
from ..stats.several_tests import p_text
from .of_corrected import OfCorrected

FEW = 5  # gold rows of a class below which its recall is hardly known
CHOSEN = 0.01  # the p-value from which on the gold rows do not look chosen at random
SURE = 1.02  # how many times more gold labels a judge must be worth to be said to help
MOST_CLASSES = 5
NEGATIVE = (
    "Corrected counts of {} are negative: there are too few gold labels, or errors that the correction does not describe. Scores "
    "that read them may lie outside of their range."
)
NOT_AT_RANDOM = (
    "Rows with a gold label are more frequent for some judgments or groups than for others ({}), so they were not chosen at "
    "random within what was predicted. Say how they were chosen: design={{'strata': 'judge'}}, strata of your own, or "
    "probabilities. Rows that were chosen because of their true label cannot be corrected."
)
# Rows of a group that tell whether it has more gold rows than others, and gold rows from which on intervals cover as often
# as they say (benchmarks/corrected.py).
ENOUGH = 100
TOO_FEW = "Of fewer than 100 gold labels, an interval of 95% may cover in 90 of 100 samples only."
IDLE = "The judge adds nothing here: the gold labels alone are as sure."


def judge_worth(estimator: OfCorrected) -> tuple[int, float] | None:
    """Return how many rows have gold labels, and how many would be needed without the judge.

    The score would be as sure.

    None where there is no judge, or every row has a gold label.
    """
    rows, method = estimator.corrected.rows, estimator.corrected.method
    # Without the judge nothing is known about the choice of gold rows within what it says.
    if not isinstance(method, ByGold) or not method.judged or not rows.helped or rows.known.all() or method.strata == BY_JUDGE:
        return None
    own, alone = estimator.variance(), estimator.under(method.without_judge()).variance()
    return (rows.gold, rows.gold * alone / own) if own > 0 and math.isfinite(alone / own) else None


def about_correction(estimator: Any) -> str:
    """Return a sentence about gold labels and what the judge is worth.

    "" for scores that were not corrected by gold.
    """
    if not isinstance(estimator, OfCorrected) or not isinstance(estimator.corrected.method, ByGold):
        return ""
    rows, worth = estimator.corrected.rows, judge_worth(estimator)
    helped = worth is not None and worth[1] > SURE * worth[0]
    more = f"; with the judge they are worth {worth[1]:,.0f} for this score." if worth and helped else "."
    text = f"{rows.gold:,} of {rows.n:,} rows have gold labels{more}" + ("" if worth is None or helped else f" {IDLE}")
    return f"{text} {TOO_FEW}" if rows.gold < ENOUGH and not rows.known.all() else text


def doubts(corrected: Corrected, classes: tuple[Any, ...]) -> list[str]:
    """Return sentences about what makes a correction doubtful."""
    found, rows, hit = [*corrected.fit.notes], corrected.rows, corrected.hits > 0
    if isinstance(corrected.method, ByGold) and not rows.known.all():
        rests = "what these rows are rests on the judge, or on all rows together."
        few = f"Fewer than {FEW} gold labels are {{}}: recall and F of such a class are hardly known."
        unseen: Array = np.asarray(hit.any(axis=0) & ~(hit & rows.known).any(axis=0))
        rare = (rows.times[:, None] * rows.own).sum(axis=0) < FEW
        some = (unseen, f"No row that is predicted as {{}} has a gold label: {rests}"), (rare, few)
        found += [text.format(_named(classes, which)) for which, text in some if which.any()]
        chance = _chance_of_choice(rows, corrected.method)
        if chance < CHOSEN:
            found.append(NOT_AT_RANDOM.format(p_text(chance)))
    negative: Array = np.asarray((corrected.cells() < 0).any(axis=0))
    if negative.any():
        found.append(NEGATIVE.format(_named(classes, negative)))
    return found


def findings_of_correction(ev: Any) -> list[Finding]:
    """Return what a reader of a corrected evaluation should know, as findings."""
    texts = [] if isinstance(ev.tally.corrected, str) else doubts(ev.tally.corrected, ev.classes)
    return [Finding("correction", text, {}, "", "", 1.0) for text in texts]


def _named(classes: tuple[Any, ...], which: Array) -> str:
    return listing([c for c, own in zip(classes, which.tolist(), strict=True) if own], most=MOST_CLASSES)


def _chance_of_choice(rows: JudgedRows, method: ByGold) -> float:
    """Return how often gold rows that are chosen at random within predictions differ so much.

    It is between judgments, or large groups.
    """
    if method.strata != PREDICTION or CHANCE in rows.columns:
        return 1.0
    judges = np.zeros((len(rows), 0, rows.known.shape[1])) if rows.judges is None else rows.judges
    found, groups = list[float](), [rows.group_of(axis) for axis, names in rows.groups.items() if len(names) * ENOUGH <= rows.n]
    for j in range(rows.known.shape[1]):
        own, place = judges[:, :, j], codes_of(rows.columns[PREDICTIONS][:, j])
        said = judgments(own, (2 if rows.several else rows.m) * is_crisp(own), rows.times)
        found += [_homogeneity(place, one, rows.times, rows.known[:, j]) for one in [*said, *groups]]
    return min(1.0, min(found) * len(found)) if found else 1.0


def _homogeneity(stratum: Array, judged: Array, times: Array, known: Array) -> float:
    """Return the p-value of the shares of gold rows by judgment: Pearson's chi-square over strata."""
    cell = codes_of(stratum, judged)
    size, gold = np.bincount(cell, times), np.bincount(cell, times * known)
    of = np.zeros(len(size), np.intp)
    of[cell] = stratum
    share = (np.bincount(of, gold) / np.maximum(np.bincount(of, size), 1))[of]
    here = (share > 0) & (share < 1)
    statistic = float(((gold - size * share) ** 2 / np.where(here, size * share * (1 - share), 1.0))[here].sum())
    freedom = float(here.sum() - len(np.unique(of[here])))
    return chi_square_tail(statistic, freedom) if freedom else 1.0
