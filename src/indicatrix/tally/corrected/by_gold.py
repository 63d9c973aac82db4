"""Corrected by gold labels of some rows.

Prediction-powered cells, and post-stratification without a judge.

A row has the label that is expected of it, q, and a gold row stands for w rows in addition, with what it differs from that:
L = q + w (y - q). The rows for which a gold row stands are those of its stratum: by default of its predicted class, which keeps
the predictions as they are and makes the plain estimator that of Begg and Greenes (1983, Biometrics 39:207-215). With a judge, q
comes from judge and prediction (Angelopoulos and others 2023, Science 382:669-674), so that one table serves all measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .expected_labels import Judged, graded_judgment, judgment_of
from .fitted_labels import FittedLabels, side_by_side
from .judged_rows import CHANCE, EXPECTED, GOLD, STRATUM, JudgedRows, codes_of

LEAST = 2  # gold rows of a stratum; those with fewer are taken together
PREDICTION, BY_JUDGE, GIVEN = "prediction", "judge", "given"
TINY = 1e-300
NO_GOLD = (
    "Fewer than two rows have a gold label, so nothing says how far the others can be trusted. Label some rows, chosen at random "
    "within what was predicted, and give their labels as gold="
)


@dataclass(frozen=True)
class ByGold:
    """Correction by gold labels; it says within which rows those with a gold label were chosen at random."""

    strata: str = PREDICTION  # "prediction"; "judge": within pairs of prediction and judgment; "given": the column of strata
    judged: bool = True  # whether judges are used; False: post-stratification

    def without_judge(self) -> ByGold:
        """Return the same design without a judge: from gold labels alone."""
        return ByGold(PREDICTION if self.strata == BY_JUDGE else self.strata, judged=False)

    def to_data(self) -> dict[str, Any]:
        """Return the method as plain data."""
        return {"strata": self.strata, "judged": self.judged}

    @staticmethod
    def from_data(data: Any) -> ByGold:
        """Return the method that plain data describe."""
        if data["strata"] not in (PREDICTION, BY_JUDGE, GIVEN):
            raise KeyError("strata")
        return ByGold(data["strata"], bool(data["judged"]))

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the corrected labels of rows."""
        if rows.gold < LEAST:
            raise ValueError(f"{NO_GOLD} ({rows.gold:,} of {rows.n:,} have one).")
        if rows.known.all():
            return FittedLabels.of_gold(rows)
        if not rows.several:
            return _fit(rows, self._question(rows, rows.predictions, rows.columns[GOLD][:, 0], self._judges(rows)), self)
        hits, gold, judges = rows.predictions, rows.columns[GOLD], self._judges(rows)
        fits = []
        for j in range(rows.m):
            own = None if judges is None else judges[:, :, [j]]
            fits.append(_fit(rows, self._question(rows, hits[:, j], gold[:, j], own), self, column=j))
        return side_by_side(fits)

    def _judges(self, rows: JudgedRows) -> Array | None:
        return rows.judges if self.judged else None

    def _question(self, rows: JudgedRows, prediction: Array, gold: Array, judges: Array | None) -> Judged:
        """Return one column of labels.

        Its truth where it is known, and codes of what was predicted and judged.
        """
        known, m = ~np.isnan(gold), rows.m
        size = rows.times * rows.weight * known
        if CHANCE in rows.columns:
            size = size / rows.columns[CHANCE][:, 0]
        size = size * (rows.times[known].sum() / max(size.sum(), TINY))
        flat = None if judges is None else judges[:, :, 0]
        if not rows.several:
            own = np.where(known[:, None], gold[:, None] == np.arange(m), 0.0)
            code = np.where(prediction < 0, m, prediction)
            said = [gold, prediction] if flat is None else [gold, prediction, flat.ravel()]
            return Judged(own, known, code, judgment_of(flat, m), m, size, np.isin(np.arange(m), np.concatenate(said)))
        own, crisp = np.where(known, gold, 0.0)[:, None], _is_crisp(prediction) and (flat is None or _is_crisp(flat))
        graded = None if _is_crisp(prediction) else graded_judgment(prediction[:, None], rows.times)
        code = prediction.astype(np.intp) if graded is None else graded
        if crisp:
            return Judged(own, known, code, judgment_of(flat, 2), 2, size, np.ones(1, bool))
        return Judged(own, known, code, graded_judgment(flat, rows.times), 0, size, np.ones(1, bool))


def _is_crisp(values: Array) -> bool:
    return bool((np.isnan(values) | (values == 0) | (values == 1)).all())


@dataclass(frozen=True, eq=False)
class _Weighed:
    """For how many rows each gold row stands, stratum by stratum."""

    stratum: Array
    times: Array
    weight: Array
    known: Array
    often: Array  # w, 0 without a gold label
    few: Array  # the factor of a variance from few gold rows, its root

    @staticmethod
    def of(rows: JudgedRows, stratum: Array, known: Array) -> _Weighed:
        base = 1 / rows.columns[CHANCE][:, 0] if CHANCE in rows.columns else np.ones(len(rows))
        times, weight = rows.times.astype(np.float64), rows.weight
        mass = times * weight
        total, of_gold = np.bincount(stratum, mass), np.bincount(stratum, mass * np.where(known, base, 0.0))
        number = np.bincount(stratum, times * known)
        often = np.where(known, base * (total / np.maximum(of_gold, TINY))[stratum], 0.0)
        few = np.sqrt(number / np.maximum(number - 1, 0.5))[stratum]
        return _Weighed(stratum, times, weight, known, often, few)

    def mean(self, values: Array) -> Array:
        """Return the mean over the rows of each stratum that gold rows tell, for every row."""
        top = np.bincount(self.stratum, self.times * self.weight * self.often * values)
        return np.asarray((top / np.maximum(np.bincount(self.stratum, self.times * self.weight), TINY))[self.stratum])


def _fit(rows: JudgedRows, asked: Judged, how: ByGold, column: int | None = None) -> FittedLabels:
    """Return the corrected labels of one column of labels."""
    known, own = asked.known, asked.own
    stratum = _pooled(_strata(rows, asked, how), rows.times, known)
    weighed = _Weighed.of(rows, stratum, known)
    expected, moved = _expected(rows, asked, how, weighed, column)
    error = np.where(known[:, None], own - expected, 0.0)
    labels = expected + weighed.often[:, None] * error

    def along(d: Array) -> Array:
        wrong = (d * error).sum(axis=1)
        mean = weighed.mean(wrong)
        sure = (d * own).sum(axis=1) + (weighed.often - 1) * moved * weighed.few * (wrong - mean)
        return np.asarray(rows.weight * np.where(known, sure, (d * expected).sum(axis=1) + mean))

    return FittedLabels(labels, along, typical=_typical(rows, asked, weighed, expected))


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


def _expected(rows: JudgedRows, asked: Judged, how: ByGold, weighed: _Weighed, column: int | None) -> tuple[Array, Any]:
    """Return what each row is expected to be, and the factor that undoes what its own gold label did.

    Where judge or given probabilities leave larger errors than the predictions alone, they are not used.
    """
    alone: tuple[Array, Any] = (asked.given_prediction(), 1.0)
    if EXPECTED in rows.columns and how.judged:
        given = rows.columns[EXPECTED] if column is None else rows.columns[EXPECTED][:, [column]]
        candidate: tuple[Array, Any] = (given, 1.0)
    elif asked.judgment is not None:
        candidate = asked.given_both()
    else:
        return alone

    def left(found: tuple[Array, Any]) -> float:
        error = np.where(asked.known[:, None], asked.own - found[0], 0.0)
        apart = np.stack([one - weighed.mean(one) for one in error.T], axis=1) * (found[1] * weighed.few)[:, None]
        return float((asked.size * (apart**2).sum(axis=1)).sum())

    return candidate if left(candidate) < left(alone) else alone


def _typical(rows: JudgedRows, asked: Judged, weighed: _Weighed, expected: Array) -> Array:
    """Return for how many rows an unseen gold row of each pair (truth, prediction) stands.

    It may be any of the rows.
    """
    width = expected.shape[1]
    likely = np.maximum(expected if width > 1 else np.hstack([1 - expected, expected]), 1e-6)
    code, many = (asked.prediction, width + 1) if width > 1 else (np.minimum(asked.prediction, 1), 2)
    own = rows.weight * weighed.often
    some, squares = (np.stack([np.bincount(code, rows.times * own**power * part, many) for part in likely.T]) for power in (1, 2))
    usual = float((rows.times * rows.weight).sum()) / max(float(rows.times[asked.known].sum()), 1.0)
    return np.where(some > 0, squares / np.maximum(some, TINY), usual)
