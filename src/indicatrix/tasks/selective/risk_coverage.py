"""Abstention by confidence: scores when the least confident examples are left out (sec:abstention)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find_for_counts
from ...algebra.numbers.functions import ratio
from ...algebra.score import combine
from ...algebra.values import Values
from ...encode.factorize import plain_label
from ...encode.indicator import Coded, Indicator, Lookup
from ...encode.pairs import Pair
from ...ranking.threshold_steps import ROUNDING, check_point, check_scores, place_of, steps, weights_of
from ...settings.options import Options
from ...settings.paper_settings import check, requested_settings
from ...settings.problem import Problem, prepare
from ...tally.cells import Cells
from ...words.call_mistakes import answers_mistakes
from ...words.names_elsewhere import refuse_unknown
from ...words.wording import listing, short

TAKEN = (  # options of evaluate
    *("classes", "positive", "decide", "tnorm", "negation", "missing", "abstain", "known", "unknown"),
    *("hierarchy", "ordinal", "cost"),
    *("mask", "sample_weight"),
)
ENTRIES = 1 << 17  # entries of a block of dense cells


@dataclass(frozen=True)
class RiskPoint:
    """One point of a risk-coverage curve: the examples with confidence >= threshold are answered."""

    threshold: float
    coverage: float
    exact: bool  # the requested coverage (or threshold) is reached exactly; otherwise this is the next point that answers less
    risk: float
    counts: Counts


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class RiskCoverage:
    """The scores of the answered examples at every threshold of a confidence.

    The points go from no example answered to all. Counts are pooled over all classes; with a positive class, they are the counts
    of that class.

    Attributes
    ----------
    thresholds : array
        From +inf, which answers nothing, down.
    answered : array
        The number (or weight) of examples that are answered at each threshold.
    total : float
        The number (or weight) of all observed examples; those without any prediction are never answered.
    measure : Measure
        The risk.
    positive : label or None
        The class that is counted; None if all classes are pooled.
    """

    thresholds: Array  # descending; the first is +inf and answers nothing
    answered: Array  # the number (or weight) of examples that are answered at each threshold
    total: float  # the number (or weight) of all observed examples; those without any prediction are never answered
    measure: Measure
    positive: Any  # the class that is counted; None: all classes, pooled
    _cells: Array = field(repr=False)  # tp, fp, fn, tn of the answered examples, pooled, as a 4 x t array
    _examples: Array | None = field(
        default=None, repr=False
    )  # tp, fp, fn, tn, weight of each; None: examples have several labels

    @property
    def coverage(self) -> Array:
        """The share of examples that are answered at each threshold."""
        return np.asarray(ratio(self.answered, np.float64(self.total)), np.float64)

    @property
    def counts(self) -> Counts:
        """The counts of the answered examples, pooled, with an axis of thresholds."""
        return Counts(*self._cells, per=("threshold",), names=(tuple(self.thresholds.tolist()),))

    def values(self, measure: str | Measure) -> Values:
        """Return a measure of the answered examples at each threshold; nan where nothing is answered.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.

        Returns
        -------
        Values
            One value for each threshold.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.risk_coverage([0, 1, 1, 0], [0, 1, 0, 0], [0.9, 0.8, 0.7, 0.7]).values("precision").tolist()
        [nan, 1.0, 1.0, 0.75]
        """
        counts = self.counts
        return Values.of(np.where(self.answered == 0, np.nan, _find_measure(measure).values(counts)), counts.names)

    @property
    def risk(self) -> Values:
        """The measure of the curve. The default is fdr, the error rate among the answered examples."""
        return self.values(self.measure)

    @property
    def accuracy(self) -> Values:
        """The share of right answers where each example has one label.

        It is the precision over all classes, or the accuracy of a positive class.
        """
        return self.values("precision" if self.positive is None else "accuracy")

    @property
    def area(self) -> float:
        """The mean risk over the coverage that is reached (AURC): one step per distinct confidence.

        Without ties it is the mean of the risks at 1, 2, …, n answers. Steps without a value are left out.
        """
        return combine(self.risk[1:], np.diff(self.answered).astype(np.float64), "exclude")

    @property
    def perfect(self) -> RiskCoverage:
        """The curve of the best confidence: all right answers come before all wrong ones.

        Wrong answers with the lowest weight come first.
        """
        if self._examples is None:
            raise ValueError(
                "The perfect order is known only if each example has one label; these have several labels, or a mask of entries."
            )
        right, weight = (self._examples[1] == 0) & (self._examples[2] == 0), self._examples[4]
        order = np.lexsort((weight, ~right))
        rank = np.empty(len(order))
        rank[order] = -np.arange(len(order))
        thresholds, sums = steps(rank, self._examples)
        return replace(self, thresholds=thresholds, answered=sums[4], _cells=sums[:4])

    @property
    def excess_area(self) -> float:
        """The area minus that of the perfect order (excess AURC): what a better confidence could save."""
        return self.area - self.perfect.area

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with the risk among the answered examples against the share that is answered.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.tasks.risk_coverage([0, 1, 1, 0], [0, 1, 0, 0], [0.9, 0.8, 0.7, 0.7]).plot()
        >>> ax.get_ylabel()
        'fdr'
        """
        from ...plots import risk_coverage

        return risk_coverage(self.coverage, self.risk, name=str(self.measure), area=self.area, ax=ax)

    def at(self, *, coverage: float | None = None, threshold: float | None = None) -> RiskPoint:
        """Return the point of a threshold, or the one with the largest coverage not above this one.

        The coverage is compared up to rounding (4 ulp).

        Parameters
        ----------
        coverage : float, optional
            The share of examples to answer, which must not be passed.
        threshold : float, optional
            A threshold of the confidence. Give one of the two.

        Returns
        -------
        RiskPoint
            ``.threshold``, ``.coverage``, ``.risk`` and ``.counts``; ``.exact`` says whether it is what was asked for.

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.tasks.risk_coverage([0, 1, 1, 0], [0, 1, 0, 0], [0.9, 0.8, 0.7, 0.7])
        >>> point = curve.at(coverage=0.8)
        >>> point.coverage, point.exact, point.threshold
        (0.5, False, 0.8)
        """
        check_point("coverage", "examples", coverage, threshold)
        covered = self.coverage
        k = place_of(self.thresholds, covered, coverage, threshold)
        exact = bool(
            abs(covered[k] - coverage) <= ROUNDING * coverage if coverage is not None else self.thresholds[k] == threshold
        )
        counts = Counts(*(x.item() if isinstance(x, np.generic) else x for x in self._cells[:, k]))
        return RiskPoint(float(self.thresholds[k]), float(covered[k]), exact, float(self.risk[k]), counts)

    def __repr__(self) -> str:
        of = "" if self.positive is None else f" of {short(self.positive)}"
        return f"<RiskCoverage: {self.measure}{of}, {len(self.thresholds) - 1} thresholds, area {self.area:.6g}>"


@answers_mistakes
def risk_coverage(y_true: Any, y_pred: Any, confidence: Any, *, measure: str | Measure = "fdr", **options: Any) -> RiskCoverage:
    """Return the risk of the answered examples at every coverage.

    The most confident examples are answered first; an example that is not answered does not count. Counts are pooled over the
    answered examples, so there are no macro or exemplar curves. With ``positive=`` every measure is the binary one of that
    class (fdr is then not the error rate). Examples of equal confidence are answered together, and an example without any
    prediction is never answered.

    Parameters
    ----------
    y_true, y_pred : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    confidence : array-like
        One number per example, high where its prediction is trusted.
    measure : str or Measure, default 'fdr'
        A measure, its name, or a formula.
    **options
        What ``evaluate`` takes, without by=.

    Returns
    -------
    RiskCoverage
        ``.coverage``, ``.risk`` and ``.area``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> curve = ix.tasks.risk_coverage(["a", "b", "b", "a"], ["a", "b", "a", "a"], [0.9, 0.8, 0.7, 0.6])
    >>> curve.coverage.tolist(), curve.risk.round(3).tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [nan, 0.0, 0.0, 0.333, 0.25])
    >>> round(curve.area, 4), round(curve.excess_area, 4)
    (0.1458, 0.0833)
    """
    found = _find_measure(measure)
    problem = _read_problem(y_true, y_pred, options)
    n = problem.n
    mask, weights = problem.mask, weights_of(options.get("sample_weight"), n)
    scores = check_scores(confidence, n, "confidence")
    pair, kept = _take_observed(problem.pair, mask, n)
    scale = None if problem.scale is None else problem.scale.take(kept)
    four, predicted, single = _examples(replace(problem, pair=pair, scale=scale), _column(pair, options.get("positive")))
    weight = np.ones(len(kept), np.int64) if weights is None else weights[kept]
    amounts = np.concatenate([four * weight, weight[None]])[:, predicted]
    thresholds, sums = steps(scores[kept][predicted], amounts)
    total = len(kept) if weights is None else steps(np.zeros(len(kept)), [weight])[1][0, -1].item()
    positive = plain_label(options.get("positive"))
    return RiskCoverage(thresholds, sums[4], total, found, positive, sums[:4], amounts if single else None)


def _find_measure(measure: str | Measure) -> Measure:
    return find_for_counts(measure, "a risk-coverage curve pools the counts")


def _read_problem(y_true: Any, y_pred: Any, options: Mapping[str, Any]) -> Problem:
    if options.get("by") is not None:
        raise ValueError("One curve has no groupings, so by= cannot be used. Make one curve from the rows of each group.")
    refuse_unknown("risk_coverage", [name for name in options if name != "by"], TAKEN)
    check(["abstention", *requested_settings(options)])
    encoding = {name: given for name, given in options.items() if name not in ("sample_weight", "by")}
    return prepare(y_true, y_pred, Options(**encoding))


def _take_observed(pair: Pair, mask: Array | None, n: int) -> tuple[Pair, Array]:
    """Return the examples of which something was observed, and their indices among all n."""
    kept = np.arange(n) if pair.rows is None else np.flatnonzero(pair.rows)
    cells, seen = pair.cells, np.ones(len(kept), bool)
    if mask is not None and mask.shape[1] == 1:
        seen = mask[kept, 0]
    elif mask is not None:
        cells = mask[kept] if cells is None else mask[kept] & cells
    if cells is not None:
        seen = seen & cells.any(axis=1)
    if seen.all():
        return replace(pair, rows=None, cells=cells), kept
    mine = np.flatnonzero(seen)
    y, yhat = pair.y.take(mine), pair.yhat.take(mine)
    return replace(pair, y=y, yhat=yhat, rows=None, cells=None if cells is None else cells[mine]), kept[mine]


def _column(pair: Pair, positive: Any) -> int | None:
    """Return the column of the positive class; None if no class was named and all are pooled."""
    if positive is None:
        return None
    named, names = plain_label(positive), pair.y.classes
    if named in names:
        return names.index(named)
    labels = pair.cells is None and isinstance(pair.y.data, Coded) and isinstance(pair.yhat.data, Coded)
    if pair.open and labels and all(isinstance(c, int) and 0 <= c <= 1 for c in (*names, named)):
        return len(names)  # one of the labels 0 and 1 may be absent
    raise ValueError(f"positive={short(named)} is not a class; the classes are {listing(names)}.")


def _examples(problem: Problem, column: int | None) -> tuple[Array, Array, bool]:
    """Return tp, fp, fn, tn of each example, and which examples have a prediction.

    The third result is whether each example has at most one label. The counts are those of one column, or of all classes
    together.
    """
    pair, m = problem.pair, len(problem.pair.y.classes)
    y, yhat = pair.y, pair.yhat
    if problem.scale is None and pair.cells is None and isinstance(y.data, Coded) and isinstance(yhat.data, Coded):
        true, pred = y.data.block(slice(None)), yhat.data.block(slice(None))
        predicted = pred >= 0
        if column is not None:
            actual, found = true == column, pred == column
            return (
                np.stack([actual & found, ~actual & found, actual & ~found, ~(actual | found)]).astype(np.int64),
                predicted,
                True,
            )
        right = (true == pred) & predicted
        tp, fp, fn = (x.astype(np.int64) for x in (right, predicted & ~right, (true >= 0) & ~right))
        return np.stack([tp, fp, fn, m - tp - fp - fn]), predicted, True
    norm = problem.norm if y.soft or yhat.soft else None
    floats = norm is not None or problem.scale is not None
    blocks, predicted = [np.zeros((4, 0), np.float64 if floats else np.int64)], np.zeros(y.n, bool)
    step = max(1, ENTRIES // max(m, 1))
    for start in range(0, y.n, step):
        here = np.arange(start, min(start + step, y.n))
        a, b = y.take(here), yhat.take(here)
        cells = Cells(
            a,
            b,
            norm,
            None if pair.cells is None else pair.cells[here],
            scale=None if problem.scale is None else problem.scale.take(here),
        )
        rows = cells.aggregate("example" if column is None else ("example", "class"))
        blocks.append(np.stack([np.asarray(x) if column is None else np.asarray(x)[:, column] for x in rows]))
        predicted[here] = _has_prediction(b)
    return np.concatenate(blocks, axis=1), predicted, False


def _has_prediction(yhat: Indicator) -> Array:
    """Return which rows predict something.

    An all-zero row does not, unless it is the code of a class.
    """
    codes = yhat.data.codes if isinstance(yhat.data, Lookup) else yhat.data
    rows = codes.block(slice(None)) >= 0 if isinstance(codes, Coded) else np.asarray(yhat.matrix).any(axis=1)
    return np.asarray(rows)
