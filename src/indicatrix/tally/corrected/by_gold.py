"""Corrected by gold labels of some rows.

Prediction-powered cells, and post-stratification without a judge.

A row has the label that is expected of it, q, and a gold row stands for w rows in addition, with what it differs from that:
L = q + w (y - q). The rows for which a gold row stands are those of its stratum: by default of its predicted class, which keeps
the predictions as they are and makes the plain estimator that of Begg and Greenes (1983, Biometrics 39:207-215). With a judge, q
comes from judge and prediction (Angelopoulos and others 2023, Science 382:669-674), so that one table serves all measures.

Rows with the same prediction and the same judgment share the labels of their gold rows, and of two examples more. For two
classes these have the mean of what the judge alone and the prediction alone suggest; for more classes, what agreement and
disagreement of the two suggest in general. Any expectation is valid, a good one makes the interval narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from .fitted_labels import FittedLabels, Method, by_column
from .judged_rows import EXPECTED, GOLD, PREDICTIONS, STRATUM, JudgedRows, codes_of

TINY, LITTLE = 1e-300, 1e-6
LEAST = 2  # gold rows of a stratum; those with fewer are taken together
SHRINK = 2.0  # examples that every combination of prediction and judgment has in addition
AGREE, EITHER = 0.75, 0.4  # how often two that agree are right, and one of two that disagree, before any gold label is seen
BINS = 5  # of graded judgments
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

    def counts_alike(self, rows: JudgedRows) -> bool:
        """Return whether each row with a gold label stands for as many rows, but for what was predicted."""
        return self.strata != BY_JUDGE and super().counts_alike(rows)

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the corrected labels of rows."""
        self.check(rows)
        if rows.known.all():
            return FittedLabels.known(rows.own, rows.weight)
        return by_column(rows, lambda j: _fit(rows, self._question(rows, j), self, j))

    def whole_rows(self, rows: JudgedRows) -> tuple[Array, Array, Array]:
        """Return gold labels of rows, which are alike by how many labels are predicted, judged and both."""
        hit, known, said = rows.predictions, np.asarray(rows.known.all(axis=1)), [rows.judged]
        said += [] if rows.judges is None else list(rows.judges.swapaxes(0, 1))
        both = [codes_of(one.sum(axis=1), (hit * one).sum(axis=1)) for one in said]
        return rows.own, known, self.stratum(rows, known, [hit.sum(axis=1), *both])

    def stratum(self, rows: JudgedRows, known: Array, alike: list[Array]) -> Array:
        """Return within which rows those with a gold label were chosen.

        ``alike`` are codes of what is predicted, of what judges say together, and of what each of several says.
        """
        if self.strata == GIVEN:
            return _pooled(rows.columns[STRATUM][:, 0], rows.times, known)
        alike = alike[: None if self.strata == BY_JUDGE else 1]
        return _pooled(codes_of(*alike), rows.times, known, codes_of(*alike[:2]))

    def _question(self, rows: JudgedRows, j: int) -> Judged:
        """Return one column of labels.

        Its truth where it is known, and codes of what was predicted and judged.
        """
        prediction, known, m = rows.columns[PREDICTIONS][:, j], rows.known[:, j], 2 if rows.several else rows.m
        judges = rows.judges[:, :, j] if self.judged and rows.judges is not None else np.zeros((len(rows), 0))
        size = rows.weight * known * rows.drawn
        size = size * ((rows.times * size).sum() / max(rows.times @ size**2, TINY))  # in all, how many count alike
        crisp = is_crisp(prediction)
        code = judgments(np.where(prediction < 0, np.nan, prediction)[:, None], m if crisp else 0, rows.times)[0]
        m = m if crisp and is_crisp(judges) else 0
        said = judgments(judges, m, rows.times)
        if rows.several:
            return Judged(rows.own[:, [j]], known, code, said, m, size, rows.times, np.ones(1, bool))
        everyone = np.concatenate([rows.columns[GOLD].ravel(), prediction, *judges.T])
        return Judged(rows.own, known, code, said, m, size, rows.times, np.isin(np.arange(m), everyone))


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
        """How much larger an error is than its distance to the mean of its stratum, of which it is a part."""
        own, times = self.rows.weight * self.rows.drawn * self.known, self.rows.times
        part = own / np.maximum(np.bincount(self.stratum, times * own), TINY)[self.stratum]
        squares = np.bincount(self.stratum, times * part**2)[self.stratum]
        return np.asarray(1 / np.sqrt(np.maximum(1 - 2 * part + squares, LITTLE)))

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
    weights = GoldWeights(rows, how.stratum(rows, asked.known, [asked.prediction, *asked.said]), asked.known)
    expected, moved = _expected(rows, asked, how, weights, column)
    labels = expected + weights.often[:, None] * (asked.own - expected)

    def along(d: Array) -> Array:
        return weights.added((d * expected).sum(axis=1), (d * asked.own).sum(axis=1), moved)

    return FittedLabels(labels, along, typical=_typical(rows, asked, weights, expected))


def _pooled(strata: Array, times: Array, known: Array, wider: Array | None = None) -> Array:
    """Return strata of which each has two gold rows.

    Those with fewer are taken together, first within ``wider`` ones, and if these are not enough, with those that have fewest of
    all others.

    >>> known = np.array([True, True, True, True, True, True, False])
    >>> _pooled(np.array([0, 0, 0, 1, 1, 2, 2]), np.ones(7), known).tolist()
    [1, 1, 1, 0, 0, 0, 0]
    """
    stratum = codes_of(strata)
    gold = np.bincount(stratum, times * known)
    small = gold < LEAST
    if small.any() and wider is not None:
        return _pooled(np.where(small[stratum], -1 - wider, stratum), times, known)
    if small.any() and gold[small].sum() < LEAST:
        small |= gold == gold[~small].min(initial=np.inf)
    return codes_of(np.where(small[stratum], -1, stratum))


def _expected(rows: JudgedRows, asked: Judged, how: ByGold, weights: GoldWeights, column: int) -> tuple[Array, Any]:
    """Return what each row is expected to be, and the factor that undoes what its own gold label did.

    Where judge or given probabilities leave larger errors than the predictions alone, they are not used.
    """
    alone: tuple[Array, Any] = (asked.given_prediction(), 1.0)
    if EXPECTED in rows.columns and how.judged:
        given = rows.columns[EXPECTED]
        candidate: tuple[Array, Any] = (given[:, [column]] if rows.several else given, 1.0)
    elif asked.said:
        candidate = asked.given_both()
    else:
        return alone

    def left(found: tuple[Array, Any]) -> float:
        error = np.where(asked.known[:, None], asked.own - found[0], 0.0)
        apart = np.stack([one - weights.mean(one) for one in error.T], axis=1) * (found[1] * weights.few)[:, None]
        return float((rows.times * asked.size * (apart**2).sum(axis=1)).sum())

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


@dataclass(frozen=True, eq=False)
class Judged:
    """One truth of each row, what is known of it, and what was predicted and judged.

    The truth is one of several classes, of which there is a column each, or an amount between 0 and 1, in one column.
    """

    own: Array  # rows x classes: the truth where it is known, 0 elsewhere
    known: Array  # which rows have it
    prediction: Array  # codes
    said: list[Array]  # codes of what judges say together, and then of each of several; below the number of classes, classes
    classes: int  # that predictions and judgments name; others are further codes
    size: Array  # for how many gold rows each one of these stands
    times: Array
    named: Array  # which classes anybody has named: of others there is no row

    @property
    def many(self) -> int:
        """How many classes are named."""
        return int(self.named.sum())

    def shares(self, code: Array, prior: Array, k: float) -> tuple[Array, Array]:
        """Return the mean truth of gold rows with the same code and ``k`` prior ones, and their number."""
        if not self.named.all():
            prior = prior * self.named / np.maximum((prior * self.named).sum(axis=1, keepdims=True), 1e-300)
        mass = self.times * self.size
        top, size = np.stack([np.bincount(code, mass * column) for column in self.own.T], axis=1), np.bincount(code, mass)
        return (top[code] + k * prior) / (size[code] + k)[:, None], size[code]

    def guess(self, code: Array) -> Array:
        """Return the truth that a label suggests before any gold label is seen: half of it that label."""
        width = self.own.shape[1]
        if width == 1 != self.classes:  # an amount
            half = np.where(code < 2, 0.25 + 0.5 * code, 0.5) if self.classes == 2 else np.full(len(code), 0.5)
            return np.asarray(half[:, None])
        hit = code[:, None] == np.arange(width)
        return np.asarray(np.where(hit.any(axis=1, keepdims=True), 0.5 * hit + 0.5 / self.many, 1.0 / self.many))

    def given_prediction(self) -> Array:
        """Return the truth that is expected given the prediction alone."""
        return self.shares(self.prediction, self.guess(self.prediction), 1.0)[0]

    def given_both(self) -> tuple[Array, Array]:
        """Return the expected truth, and by how much the gold label of a row moved it.

        The factor that undoes this.
        """
        width, judged = self.own.shape[1], self.said[0]
        if self.many <= 2 or judged.max(initial=0) > width:
            alone = self.shares(judged, self.guess(judged), 1.0)[0]
            prior = (self.given_prediction() + alone) / 2
        else:
            prior = np.where((judged < width)[:, None], self._of_agreement(width, judged), self.given_prediction())
        found, seen = self.shares(codes_of(self.prediction, judged), prior, SHRINK)
        return found, (seen + SHRINK) / np.maximum(seen + SHRINK - self.size, 0.5)

    def _of_agreement(self, m: int, judged: Array) -> Array:
        """Return how often judge and prediction are right, whatever the classes."""
        agree, there = self.prediction == judged, judged < m
        truth = np.where(self.known, self.own.argmax(axis=1), -1)

        def share(rows: Array, right: Array, start: float) -> float:
            size = self.times * self.size * (rows & there)
            return float(((size * right).sum() + start) / (size.sum() + 1))

        both = share(agree, truth == judged, AGREE)
        judge, model = share(~agree, truth == judged, EITHER), share(~agree, truth == self.prediction, EITHER)
        one, two = (code[:, None] == np.arange(m) for code in (judged, self.prediction))
        same = both * one + (1 - both) / (self.many - 1) * ~one
        apart = judge * one + model * two + (1 - judge - model) / (self.many - 2) * ~(one | two)
        apart = apart / np.maximum(apart.sum(axis=1, keepdims=True), 1e-300)  # a prediction may be no class
        return np.asarray(np.where(agree[:, None], same, apart))


def judgments(judges: Array, m: int, times: Array) -> list[Array]:
    """Return codes of what judges say together, then of what each of several says (graded if m = 0)."""
    many = judges.shape[1]
    some = [judges][:many] + [judges[:, [k]] for k in range(many) if many > 1]
    return [judgment_of(one, m) if m else graded_judgment(one, times) for one in some]


def judgment_of(judges: Array, m: int) -> Array:
    """Return one code for what all judges of a row say; with one judge, its label.

    Of several judges it is which labels have the most votes and how many of them they have; a judge without a label casts none.
    Codes from ``m`` on are not classes.

    >>> import numpy as np
    >>> judgment_of(np.array([[0.0], [1.0], [np.nan]]), 2).tolist()
    [0, 1, 2]
    >>> judgment_of(np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]), 2).tolist()
    [3, 4]
    """
    known = ~np.isnan(judges)
    labels = np.where(known, judges, m).astype(np.intp)
    if judges.shape[1] == 1:
        return np.asarray(labels[:, 0])
    votes = np.stack([(labels == k).sum(axis=1) for k in range(m)], axis=1)
    most = votes.max(axis=1, keepdims=True)
    return np.asarray(m + 1 + codes_of(most[:, 0], *(1.0 * (votes == most)).T))


def graded_judgment(judges: Array, rows: Array) -> Array:
    """Return one code for the mean of graded judgments: into which fifth of all of them it falls.

    >>> import numpy as np
    >>> graded_judgment(np.array([[0.1], [0.9], [0.5], [0.3], [0.7]]), np.ones(5)).tolist()
    [0, 4, 2, 1, 3]
    """
    known = ~np.isnan(judges)
    some = known.any(axis=1)
    mean = np.where(some, np.where(known, judges, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1), np.nan)
    place = np.unique(mean, return_inverse=True)[1]  # equal judgments fall into one fifth
    share = np.cumsum(np.bincount(place, rows))[place] / max(float(rows[some].sum()), 1.0)
    return np.where(some, np.minimum(np.ceil(share * BINS) - 1, BINS - 1), BINS).astype(np.intp)
