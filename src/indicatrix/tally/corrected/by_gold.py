"""Corrected by gold labels of some rows.

Prediction-powered cells, and post-stratification without a judge.

A row has the label that is expected of it, q, and a gold row stands for w rows in addition, with what it differs from that:
L = q + w (y - q). The rows for which a gold row stands are those of its stratum: by default of its predicted class, which keeps
the predictions as they are and makes the plain estimator that of Begg and Greenes (1983, Biometrics 39:207-215). With a judge, q
comes from judge and prediction (Angelopoulos and others 2023, Science 382:669-674), so that one table serves all measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .expected_labels import Judged, graded_judgment, judgment_of
from .fitted_labels import FittedLabels, Method, by_column
from .judged_rows import EXPECTED, GOLD, PREDICTIONS, STRATUM, JudgedRows, codes_of

TINY = 1e-300
LEAST = 2  # gold rows of a stratum; those with fewer are taken together
PREDICTION, BY_JUDGE, GIVEN = "prediction", "judge", "given"
NO_GOLD = (
    "Fewer than two rows have a gold label, so nothing says how far the others can be trusted. Label some rows, chosen at random "
    "within what was predicted, and give their labels as gold="
)


@dataclass(frozen=True)
class ByGold(Method):
    """Correction by gold labels; it says within which rows those with a gold label were chosen at random."""

    strata: str = PREDICTION  # "prediction"; "judge": within pairs of prediction and judgment; "given": the column of strata
    judged: bool = True  # whether judges are used; False: post-stratification

    def without_judge(self) -> ByGold:
        """Return the same design without a judge: from gold labels alone."""
        return ByGold(PREDICTION if self.strata == BY_JUDGE else self.strata, judged=False)

    @classmethod
    def from_data(cls, data: Any) -> ByGold:
        """Return the method that plain data describe."""
        if data["strata"] not in (PREDICTION, BY_JUDGE, GIVEN):
            raise KeyError("strata")
        return ByGold(data["strata"], bool(data["judged"]))

    def check(self, rows: JudgedRows) -> None:
        """Refuse rows without two gold labels, which nothing can be corrected by."""
        if rows.gold < LEAST:
            raise ValueError(f"{NO_GOLD} ({rows.gold:,} of {rows.n:,} have one).")

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the corrected labels of rows."""
        self.check(rows)
        if rows.known.all():
            return FittedLabels.known(rows.own, rows.weight)
        return by_column(rows, lambda j: _fit(rows, self._question(rows, j), self, j))

    def _question(self, rows: JudgedRows, j: int) -> Judged:
        """Return one column of labels.

        Its truth where it is known, and codes of what was predicted and judged.
        """
        prediction, known, m = rows.columns[PREDICTIONS][:, j], rows.known[:, j], rows.m
        judges = rows.judges[:, :, j] if self.judged and rows.judges is not None else None
        size = rows.mass * known * rows.drawn
        size = size * (rows.times[known].sum() / max(size.sum(), TINY))
        if not rows.several:
            said = [rows.columns[GOLD].ravel(), prediction, *([] if judges is None else judges.T)]
            code, named = np.where(prediction < 0, m, prediction).astype(np.intp), np.isin(np.arange(m), np.concatenate(said))
            judgment = None if judges is None else judgment_of(judges, m)
            return Judged(rows.own, known, code, judgment, m, size, named)
        graded = None if is_crisp(prediction) else graded_judgment(prediction[:, None], rows.times)
        code = prediction.astype(np.intp) if graded is None else graded
        crisp = graded is None and (judges is None or is_crisp(judges))
        judgment = None if judges is None else judgment_of(judges, 2) if crisp else graded_judgment(judges, rows.times)
        return Judged(rows.own[:, [j]], known, code, judgment, 2 if crisp else 0, size, np.ones(1, bool))


@dataclass(frozen=True, eq=False)
class GoldWeights:
    """For how many rows each gold row stands.

    They are those of its stratum, within which gold rows were chosen at random.
    """

    rows: JudgedRows
    stratum: Array
    known: Array  # which rows have a gold label

    @cached_property
    def often(self) -> Array:
        """For how many rows each one stands; 0 without a gold label."""
        base, mass = np.where(self.known, self.rows.drawn, 0.0), self.rows.mass
        total, of_gold = np.bincount(self.stratum, mass), np.bincount(self.stratum, mass * base)
        return np.asarray(base * (total / np.maximum(of_gold, TINY))[self.stratum])

    @cached_property
    def few(self) -> Array:
        """The factor of a variance from few gold rows, its root."""
        number = np.bincount(self.stratum, self.rows.times * self.known)
        return np.asarray(np.sqrt(number / np.maximum(number - 1, 0.5))[self.stratum])

    def mean(self, values: Array) -> Array:
        """Return the mean over the rows of each stratum that gold rows tell, for every row."""
        mass = self.rows.mass
        top = np.bincount(self.stratum, mass * self.often * values)
        return np.asarray((top / np.maximum(np.bincount(self.stratum, mass), TINY))[self.stratum])

    def added(self, base: Array, truth: Array, moved: Array | float = 1.0) -> Array:
        """Return what each row adds to a sum.

        It is ``base``, and of what gold rows differ from it, the part of all they stand for.

        ``moved`` undoes what a gold row itself did to its base.
        """
        error = np.where(self.known, truth - base, 0.0)
        mean = self.mean(error)
        own = base + error + (self.often - 1) * moved * self.few * (error - mean)
        return np.asarray(self.rows.weight * np.where(self.known, own, base + mean))


def is_crisp(values: Array) -> bool:
    """Return whether all labels that are there are whole numbers: classes, or memberships of 0 and 1."""
    return bool((np.isnan(values) | (values == np.rint(values))).all())


def _fit(rows: JudgedRows, asked: Judged, how: ByGold, column: int) -> FittedLabels:
    """Return the corrected labels of one column of labels."""
    weights = GoldWeights(rows, _pooled(_strata(rows, asked, how), rows.times, asked.known), asked.known)
    expected, moved = _expected(rows, asked, how, weights, column)
    labels = expected + weights.often[:, None] * (asked.own - expected)

    def along(d: Array) -> Array:
        return weights.added((d * expected).sum(axis=1), (d * asked.own).sum(axis=1), moved)

    return FittedLabels(labels, along, typical=_typical(rows, asked, weights, expected))


def _strata(rows: JudgedRows, asked: Judged, how: ByGold) -> Array:
    if how.strata == GIVEN:
        return rows.columns[STRATUM][:, 0].astype(np.intp)
    if how.strata == BY_JUDGE and asked.judgment is not None:
        return codes_of(asked.prediction, asked.judgment)
    return asked.prediction


def _pooled(strata: Array, times: Array, known: Array) -> Array:
    """Return strata of which each has two gold rows: those with fewer are taken together, or with all.

    >>> known = np.array([True, True, True, False])
    >>> _pooled(np.array([0, 0, 1, 1]), np.ones(4), known).tolist(), _pooled(np.array([0, 0, 0, 0]), np.ones(4), known).tolist()
    ([0, 0, 0, 0], [0, 0, 0, 0])
    """
    stratum = codes_of(strata)
    small = np.bincount(stratum, times * known) < LEAST
    if not small.any():
        return stratum
    together = small[stratum]
    enough = (times * known * together).sum() >= LEAST
    return codes_of(np.where(together, -1, stratum)) if enough else np.zeros_like(stratum)


def _expected(rows: JudgedRows, asked: Judged, how: ByGold, weights: GoldWeights, column: int) -> tuple[Array, Any]:
    """Return what each row is expected to be, and the factor that undoes what its own gold label did.

    Where judge or given probabilities leave larger errors than the predictions alone, they are not used.
    """
    alone: tuple[Array, Any] = (asked.given_prediction(), 1.0)
    if EXPECTED in rows.columns and how.judged:
        given = rows.columns[EXPECTED]
        candidate: tuple[Array, Any] = (given[:, [column]] if rows.several else given, 1.0)
    elif asked.judgment is not None:
        candidate = asked.given_both()
    else:
        return alone

    def left(found: tuple[Array, Any]) -> float:
        error = np.where(asked.known[:, None], asked.own - found[0], 0.0)
        apart = np.stack([one - weights.mean(one) for one in error.T], axis=1) * (found[1] * weights.few)[:, None]
        return float((asked.size * (apart**2).sum(axis=1)).sum())

    return candidate if left(candidate) < left(alone) else alone


def _typical(rows: JudgedRows, asked: Judged, weights: GoldWeights, expected: Array) -> Array:
    """Return for how many rows an unseen gold row of each pair (truth, prediction) stands.

    It may be any of the rows.
    """
    width = expected.shape[1]
    likely = np.maximum(expected if width > 1 else np.hstack([1 - expected, expected]), 1e-6)
    code, many = (asked.prediction, width + 1) if width > 1 else (np.minimum(asked.prediction, 1), 2)
    own = rows.weight * weights.often
    some, squares = (np.stack([np.bincount(code, rows.times * own**power * part, many) for part in likely.T]) for power in (1, 2))
    usual = float(rows.mass.sum()) / max(float(rows.times[asked.known].sum()), 1.0)
    return np.where(some > 0, squares / np.maximum(some, TINY), usual)
