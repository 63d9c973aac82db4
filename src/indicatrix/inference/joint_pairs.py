"""Two classifiers on the same examples: how often each triple (true, first, second) occurs.

The variance of a difference needs the pairing: examples that both get right, or both get wrong, add almost nothing to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.average import Name, find_average
from ..algebra.counts import Counts
from ..algebra.measure import Measure, evaluate_labels
from ..algebra.score import Score, Undefined
from ..catalogue.matrix import MatrixMeasure
from ..encode.classes import classes_of_labels
from ..encode.containers import read
from ..encode.encoders import code, missing_label
from ..encode.factorise import factorise
from ..encode.indicator import Indicator
from ..encode.plain_forms import Labels
from ..encode.row_labels import check_row_labels
from ..encode.vocabulary import check_classes, missing_rows
from ..tally.group_counts import CrossTable
from .estimators import OfMatrix
from .intervals import is_smooth, pairs_of
from .score_function import score_function, units_of_classes

STEP = 1e-4  # relative step for slopes of a function of the whole confusion matrix
LEAST = 1.0  # cells are not taken for smaller than this when a step is chosen


@dataclass(frozen=True, eq=False)
class JointPairs:
    """How often each distinct triple (true, first, second) of classes was seen."""

    triples: Array  # 3 x k codes
    times: Array  # k whole numbers
    classes: tuple[Any, ...]
    names: tuple[str, str] = ("first", "second")

    @property
    def n(self) -> int:
        """The number of examples."""
        return int(self.times.sum())

    @property
    def disagreements(self) -> int:
        """The number of examples on which the two predict different classes."""
        return int(self.times[self.triples[1] != self.triples[2]].sum())

    def table(self, side: int) -> Array:
        """Return the confusion matrix of the first (0) or second (1) classifier, with room for "no class"."""
        m = len(self.classes) + 1
        flat = np.bincount(self.triples[0] * m + self.triples[1 + side], self.times, m * m)
        return flat.reshape(m, m).astype(np.int64)

    def evaluation(self, side: int, positive: Any = None) -> Any:
        """Return the evaluation of the first (0) or the second (1) classifier."""
        nothing = Indicator.from_codes(np.zeros(0, np.intp), self.classes)
        empty = evaluate_labels(nothing, nothing, positive=positive)
        return replace(empty, tally=replace(empty.tally, parts={(): CrossTable(self.table(side))}, n=self.n, _pooled=[]))

    def variance(self, first: Array, second: Array) -> float:
        """Return the variance of a difference of two scores, from what each pair of classes adds to each."""
        true, one, other = self.triples
        apart = first[true, one] - second[true, other]
        return max(float(self.times @ apart**2) - float(self.times @ apart) ** 2 / self.n, 0.0)


@dataclass(frozen=True, eq=False)
class Difference:
    """A score of two classifiers on the same examples, and the variance of its difference."""

    scores: tuple[Score, Score]
    variance: float
    smooth: bool  # slopes give the variance everywhere

    @property
    def value(self) -> float:
        """The first score minus the second."""
        return float(self.scores[0]) - float(self.scores[1])


def joint_of_labels(y_true: Any, predictions: Mapping[Any, Any], classes: Iterable[Any] | None = None) -> JointPairs:
    """Return the joint counts of labels and of the predictions of two classifiers, in any containers.

    >>> joint = joint_of_labels(["a", "b", "b"], {"lr": ["a", "a", "b"], "rf": ["a", "b", "b"]})
    >>> joint.triples.T.tolist(), joint.times.tolist(), joint.disagreements
    ([[0, 0, 0], [1, 0, 1], [1, 1, 1]], [1, 1, 1], 1)
    """
    names = tuple(map(str, predictions))
    if len(names) != 2:
        raise ValueError(f"Two classifiers are compared, but {len(names)} were given: {', '.join(names)}. Give two by name.")
    given = dict(zip(("y_true", *map(repr, names)), (y_true, *predictions.values()), strict=True))
    check_row_labels(given)
    columns = [(_labels(x, name), name) for name, x in given.items()]
    lengths = {name: len(form) for form, name in columns}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise ValueError(f"The same examples are needed everywhere, but the lengths differ: {told}.")
    found = classes_of_labels(columns, None if classes is None else check_classes(classes)).names
    codes = np.stack([np.asarray(code(form, found, name).codes, np.intp) for form, name in columns])
    return _distinct(codes, np.ones(codes.shape[1], np.int64), found, names)


def _labels(x: Any, name: str) -> Labels:
    form = read(x, name)
    if not isinstance(form, Labels):
        raise ValueError(f"{name} has several labels or scores per example. Give one label per example: decide scores first.")
    form = factorise(form, name)
    absent = missing_rows(form)
    if absent is not None and absent.any():
        raise missing_label(form, absent, name)
    return form


def joint_of_table(table: Any, classes: Iterable[Any] | None = None, names: tuple[str, str] = ("first", "second")) -> JointPairs:
    """Return the joint counts of a table; cell [t, a, b] has examples of class t predicted as a and b."""
    counts = np.asarray(table)
    if counts.ndim != 3 or len(set(counts.shape)) != 1:
        raise ValueError(
            f"A joint table has one axis for the true class and one for each classifier, all of the same length; this has shape "
            f"{counts.shape}. Give y_true and {{'a': labels, 'b': labels}}, or such a table of counts."
        )
    whole = (
        counts.dtype.kind in "iuf" and np.isfinite(counts).all() and (counts >= 0).all() and (counts == np.floor(counts)).all()
    )
    if not whole:
        raise ValueError("A joint table holds counts of examples: whole numbers that are not negative. Multiply shares by n.")
    found = check_classes(range(len(counts)) if classes is None else classes)
    if len(found) != len(counts):
        raise ValueError(f"classes= names {len(found)} classes, but the joint table has {len(counts)}.")
    seen = np.nonzero(counts)
    return JointPairs(np.stack(seen), counts[seen].astype(np.int64), found, names)


def _distinct(codes: Array, times: Array, classes: tuple[Any, ...], names: Any) -> JointPairs:
    m = max(len(classes), 1)
    keys, at = np.unique((codes[0] * m + codes[1]) * m + codes[2], return_inverse=True)
    counted = np.bincount(at.ravel(), times, len(keys)).astype(np.int64)
    return JointPairs(np.stack([keys // (m * m), keys // m % m, keys % m]), counted, classes, names)


def difference(
    joint: JointPairs,
    measure: Measure | MatrixMeasure,
    average: Name | None,
    undefined: Undefined = "exclude",
    positive: Any = None,
) -> Difference:
    """Return a score of both classifiers and the variance of the difference, by the delta method.

    >>> import indicatrix as ix
    >>> joint = joint_of_labels([0, 1, 1, 1], {"a": [0, 1, 1, 0], "b": [0, 0, 1, 0]})
    >>> found = difference(joint, ix.recall, "micro")
    >>> found.value, round(found.variance, 6)
    (0.25, 0.046875)
    """
    scores, added = [], []
    for side in (0, 1):
        ev = joint.evaluation(side, positive)
        score = ev.score(measure, average, undefined=undefined)
        scores.append(score)
        added.append(influence(ev, measure, score) if np.isfinite(score) else np.zeros((len(joint.classes) + 1,) * 2))
    smooth = isinstance(measure, MatrixMeasure) or is_smooth(measure)
    return Difference((scores[0], scores[1]), joint.variance(*added), smooth)


def influence(ev: Any, measure: Measure | MatrixMeasure, score: Score) -> Array:
    """Return how much one more example of each pair (true, predicted) moves a score, to first order."""
    sample = pairs_of(ev)
    if isinstance(measure, MatrixMeasure):
        return _influence_on_matrix(OfMatrix(measure, sample))
    rule = find_average(score.average)
    if rule.per == ("example",):
        return _influence_on_mean(ev, measure, score)
    stand_in = None if isinstance(score.undefined, str) else float(score.undefined)
    function = score_function(measure, rule, units_of_classes(ev, score.average), stand_in, sample.counts)
    return sample.influence(function.spread(function.slopes(sample.counts)))


def _influence_on_mean(ev: Any, measure: Measure, score: Score) -> Array:
    """Return the influence of a mean over examples: how far the value of each pair is from the mean."""
    m = len(ev.classes)
    right, wrong, unanswered, unasked, neither = range(5)
    rows = np.array([[1, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 1, 1, 0, 0], [m - 1, m - 2, m - 1, m - 1, m]], float)
    with quiet():
        values = np.asarray(measure.values(Counts(*rows, bound=0)), np.float64)
    kinds = np.full((m + 1, m + 1), wrong)
    np.fill_diagonal(kinds, right)
    kinds[:, m], kinds[m, :], kinds[m, m] = unanswered, unasked, neither
    table = values[kinds]
    lost = ~np.isfinite(table)
    if not isinstance(score.undefined, str):
        table, lost = np.where(lost, float(score.undefined), table), np.zeros_like(lost)
    counted = float(ev.tally.pooled.table[~lost].sum())
    return np.where(lost, 0.0, table - float(score)) / counted


def _influence_on_matrix(estimator: OfMatrix) -> Array:
    """Return the influence on a function of the whole matrix, by small steps of each cell that was seen."""
    table = estimator.sample.table
    out = np.zeros_like(table)
    for cell in zip(*np.nonzero(table), strict=True):
        step = np.zeros_like(table)
        step[cell] = STEP * max(table[cell], LEAST)
        high, low = (float(estimator.measure.function((table + s)[:-1, :-1])) for s in (step, -step))
        out[cell] = (high - low) / (2 * step[cell])
    return out
