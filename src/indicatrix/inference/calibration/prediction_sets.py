"""Prediction sets: how often they hold the true label, for whom, and how large they are.

A set is a row of predicted labels and the truth a row with one label, so that coverage is the recall of the example: weights,
groups, intervals, merging and saving are those of every evaluation. The size of the set is one more group of examples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.average import LABEL_ARGUMENTS, evaluate_labels, makers
from ...algebra.ends import check_level
from ...algebra.values import Values, to_pandas, to_polars
from ...encode.weights import read_groupings
from ...report.grid import grid, name_text
from ...settings.problem import prepare
from ...storage.formats import add_to_zero, save
from ...tally.counting.counting import observed_examples
from ...tally.counting.literal_counting import count_each
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of
from ..intervals.interval import Interval
from ..intervals.of_score import interval, interval_or_reason
from ..stats.several_tests import p_text

SIZE = "size"
COVERAGE, EACH = "recall", "exemplar"  # of an example with one label, recall is 1 if its set holds it, and otherwise 0
EXACT = "clopper_pearson"


@answers_mistakes
@dataclass(frozen=True, repr=False)
class PredictionSets:
    """Prediction sets compared with the truth; results of other examples add.

    Attributes
    ----------
    evaluation : Evaluation
        The sets as predictions of several labels, by size and the groups of by=.
    level : float
        How often the sets are to hold the true label.
    calibrated_on : int or None
        How many examples the sets were calibrated on; None: it was not said.
    """

    evaluation: Any
    level: float
    calibrated_on: int | None = None

    @property
    def n(self) -> int:
        """The number of examples whose true label is known."""
        return int(self.evaluation.n) - int(self.evaluation.tally.hidden[0])

    @property
    def coverage(self) -> Interval:
        """How often the sets hold the true label, with Clopper and Pearson's 95% interval."""
        return self.interval()

    @property
    def mean_size(self) -> Interval:
        """The mean size of the sets, with its interval; of too few sets without."""
        found = interval_or_reason(self.evaluation, "tp + fp", EACH, 0.95, "exclude")
        if isinstance(found, Interval):
            return found
        value = self.evaluation.score("tp + fp", EACH)
        return Interval(float(value), math.nan, math.nan, 0.95, "none", found, value.measure, EACH)

    @property
    def sizes(self) -> dict[int, float]:
        """How many examples have a set of each size, or their weight."""
        return {size: number for size, number in sorted(_numbers(self.evaluation, SIZE).items()) if number}

    def interval(self, *, level: float = 0.95, clusters: str | None = None) -> Interval:
        """Return the coverage with an interval.

        Parameters
        ----------
        level : float, default 0.95
            In which share of samples the interval is to cover the true coverage.
        clusters : str, optional
            A grouping of by= whose groups were sampled as a whole, such as patients.

        Returns
        -------
        Interval
            Clopper and Pearson's, or with clusters the one of clusters.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.prediction_sets([0, 1, 2, 1], [{0}, {1, 2}, {2}, set()]).interval(level=0.9)
        0.75 [0.249, 0.987] (90%, clopper_pearson)
        """
        method = EXACT if clusters is None and self.n else None
        return interval(self.evaluation, COVERAGE, EACH, level=level, clusters=clusters, method=method)

    def values(self, per: str | tuple[str, ...] = "class", *, interval: float | bool | str | None = True) -> Values:
        """Return the coverage of each class, of each size of the set, or of each group.

        Parameters
        ----------
        per : str or tuple of str, default 'class'
            "class" (of the truth), "size" (of the set), an axis of by=, or several axes of examples.
        interval : float, bool or str, default True
            The level of the intervals; "simultaneous" for all at once, None for no intervals.

        Returns
        -------
        Values
            An array with ``.names`` and ``.intervals``; ``.worst()`` has the lowest.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.prediction_sets([0, 1, 2, 1], [{0}, {1, 2}, {2}, set()]).values("size", interval=None)
        Values(0: 0, 1: 1, 2: 1)
        """
        axes = (per,) if isinstance(per, str) else tuple(per)
        average = EACH if axes and {*axes} <= {*self.evaluation.tally.by} else None  # the recall of a class is its coverage
        found: Values = self.evaluation.values(COVERAGE, per=per, average=average, interval=interval)
        return found

    @property
    def p_value(self) -> float:
        """How often sets of this level cover as far from it as these do, on either side.

        The coverage of sets that were calibrated on k examples is itself a draw from a beta distribution, so that the number of
        covered examples is beta-binomial; without ``calibrated_on`` the level is taken for the exact coverage, and the test is
        binomial.
        """
        if _is_weighted(self.evaluation):
            raise ValueError("The test of the level counts examples, and these have weights. Use .interval().")
        counts = self.evaluation.aggregate()
        if not counts.tpos:
            return math.nan
        return beta_binomial_p(int(counts.tp), int(counts.tpos), *_coverage_given(self.level, self.calibrated_on))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the coverage of all, and of each unit of each axis, with its interval.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> found = ix.prediction_sets([0, 1, 2, 1], [{0}, {1, 2}, {2}, set()]).to_dict()
        >>> found["axis"], found["unit"], found["n"]
        (['all', 'size', 'size', 'size', 'class', 'class', 'class'], ['', 0, 1, 2, 0, 1, 2], [4, 1, 2, 1, 1, 2, 1])
        """
        rows = [("all", "", sum(self.sizes.values()), self.coverage)]
        for axis in self.axes:
            found, numbers = self.values(axis), _numbers(self.evaluation, axis)
            rows += [(axis, name, numbers[name], each) for name, each in zip(found.names, found.intervals or (), strict=True)]
        told = [(*row, found.value, found.low, found.high) for *row, found in rows]
        return {name: [row[i] for row in told] for i, name in enumerate(("axis", "unit", "n", "coverage", "low", "high"))}

    to_pandas, to_polars = to_pandas, to_polars

    @property
    def axes(self) -> tuple[str, ...]:
        """What ``values`` can keep: size, class and the groups of by=."""
        return (SIZE, "class", *(axis for axis in self.evaluation.tally.by if axis != SIZE))

    def __str__(self) -> str:
        sizes, examples = self.sizes, number_of(self.n, "example")
        whole = sum(sizes.values())
        if not whole:
            return f"Prediction sets of {examples}{', none of which has a weight' if self.n else ''}."
        test = "" if _is_weighted(self.evaluation) else f", {p_text(self.p_value)}"
        known = "" if self.calibrated_on is None else f" with {self.calibrated_on:,} examples for calibration"
        lines = [
            f"Prediction sets of {examples}, {number_of(len(self.evaluation.classes), 'class')}",
            f"  coverage   {self.coverage}; they are to cover {self.level:g}{known}{test}",
            f"  mean size  {self.mean_size}; {sizes.get(1, 0) / whole:.1%} hold one label, {sizes.get(0, 0) / whole:.1%} none",
        ]
        rows = []
        for axis, unit, n, value, low, high in zip(*self.to_dict().values(), strict=True):
            rows.append((axis, name_text(unit), n, value, f"[{low:.3g}, {high:.3g}]" if n else "–"))
        table = grid(("", "", "n", "coverage", "95%"), rows[1:], left=2)
        return "\n".join([*lines, "", *(f"  {line}" for line in table)])

    def __repr__(self) -> str:
        shown = f", coverage {self.coverage}" if self.n else ""
        return f"<PredictionSets: {number_of(self.n, 'example')}{shown}, level {self.level:g}>"

    def __add__(self, other: PredictionSets) -> PredictionSets:
        if not isinstance(other, PredictionSets):
            return NotImplemented
        mine, theirs = ((x.level, x.calibrated_on) for x in (self, other))
        if mine != theirs:
            raise ValueError(
                f"These sets are not of one kind: (level, calibrated_on) is {mine} and {theirs}. Only sets that were made in the "
                "same way add."
            )
        return PredictionSets(self.evaluation + other.evaluation, *mine)

    __radd__, save = add_to_zero, save


@answers_mistakes
def prediction_sets(
    y_true: Any,
    sets: Any,
    *,
    level: float = 0.9,
    calibrated_on: int | None = None,
    classes: Any = None,
    by: Any = None,
    sample_weight: Any = None,
    missing: Any = "error",
) -> PredictionSets:
    """Return how often prediction sets hold the truth, by class, size and group, and how large they are.

    A set without labels abstains and covers nothing. Conformal sets, and all others that are to cover with a probability, are
    tested for it; the intervals are Clopper and Pearson's.

    Parameters
    ----------
    y_true : array-like
        One label for each example.
    sets : array-like
        The labels of each set: a list of sets, or a 0/1 matrix with one column for each class.
    level : float, default 0.9
        How often the sets are to hold the true label.
    calibrated_on : int, optional
        How many examples the sets were calibrated on (split conformal): the coverage of such sets varies around the level, which
        the test then counts. Default: the test takes the level for exact, and rejects sets that are right too often.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    by : mapping or data frame, optional
        Groupings, each an axis: ``{"site": ids}``, or the columns of a data frame.
    sample_weight : array-like, optional
        One weight for each example.
    missing : str or pair of str, default 'error'
        What a missing label does: "error", "mask" (not observed) or "abstain".

    Returns
    -------
    PredictionSets
        ``.coverage``, ``.values("class")``, ``.mean_size``, ``.sizes``, ``.p_value``; it prints, adds and saves.

    Examples
    --------
    >>> import indicatrix as ix
    >>> found = ix.prediction_sets([0, 1, 2, 1], [{0}, {1, 2}, {2}, set()], level=0.9)
    >>> found.coverage, found.sizes
    (0.75 [0.194, 0.994] (95%, clopper_pearson), {0: 1, 1: 2, 2: 1})
    """
    check_level(level)
    _coverage_given(level, calibrated_on)
    if getattr(sets, "ndim", 2) == 3:
        raise ValueError(f"sets has the shape {tuple(sets.shape)}: sets of several levels. Give those of one: sets[:, :, 0].")
    groups = dict(read_groupings(by) or {})
    if SIZE in groups:
        raise ValueError(f"by= has a grouping {SIZE!r}, which is what the size of the set is called here. Give it another name.")
    options = {"classes": classes, "sample_weight": sample_weight, "missing": missing}
    names = (LABEL_ARGUMENTS[0], "sets")
    sizes = _sizes_of(y_true, sets, makers().options_of(options, names))
    return PredictionSets(evaluate_labels(y_true, sets, names, **options, by={**groups, SIZE: sizes}), level, calibrated_on)


def _sizes_of(y_true: Any, sets: Any, options: Any) -> Any:
    """Return the number of labels in each set; refuse examples with several true labels."""
    problem = prepare(y_true, sets, options)
    x, kept = observed_examples(problem.pair, tnorm=problem.norm, mask=problem.mask)
    counts = count_each(x, kept, problem.n)
    labels = counts.tp + counts.fn
    wrong = np.flatnonzero((labels != 1) & (counts.n > 0))
    if len(wrong):
        at = int(wrong[0])
        raise ValueError(
            f"y_true[{at}] has {labels[at]:g} labels, and a prediction set is for one true label. Of several labels, use "
            "ix.evaluate(y_true, sets)."
        )
    return (counts.tp + counts.fp).astype(np.int64)


def _coverage_given(level: float, calibrated_on: int | None) -> tuple[float, float]:
    """Return the beta distribution of the coverage of sets.

    Of an exact level, its share and an infinite second number.
    """
    if calibrated_on is None:
        return level, math.inf
    if isinstance(calibrated_on, bool) or not isinstance(calibrated_on, int | np.integer) or calibrated_on < 1:
        raise ValueError(f"calibrated_on={calibrated_on!r} is how many examples the sets were calibrated on, such as 500.")
    exact = Fraction(str(float(level)))
    rank = math.ceil((int(calibrated_on) + 1) * exact)
    if rank > calibrated_on:
        least = math.ceil(exact / (1 - exact))
        raise ValueError(
            f"{calibrated_on} examples cannot calibrate sets for level={level:g}, which takes at least {least}: all labels would "
            "be in each set."
        )
    return float(rank), float(calibrated_on + 1 - rank)


def _is_weighted(ev: Any) -> bool:
    return ev.tally.squares is not None


def _numbers(ev: Any, axis: str) -> dict[Any, float]:
    """Return how many examples each unit of an axis has, or their weight: each has one true label."""
    counts = ev.aggregate(axis)
    return dict(zip(counts.names[0], np.asarray(counts.tpos).tolist(), strict=True))


def beta_binomial_p(k: int, n: int, a: float, b: float) -> float:
    """Return twice the smaller tail at k of n successes whose share is Beta(a, b).

    For infinite b it is a itself.

    >>> round(beta_binomial_p(8, 10, 0.9, math.inf), 3), beta_binomial_p(9, 10, 9, 1) == 1
    (0.528, True)
    """
    i = np.arange(n, dtype=np.float64)
    with np.errstate(divide="ignore"):
        # The ratio of each probability to the one before it.
        steps = np.log((n - i) / (i + 1)) + (math.log(a / (1 - a)) if math.isinf(b) else np.log(a + i) - np.log(b + n - 1 - i))
    heights = np.concatenate([[0.0], np.cumsum(steps)])
    shares = np.exp(heights - heights.max())
    whole = shares.sum()
    return float(min(1.0, 2 * min(shares[: k + 1].sum(), shares[k:].sum()) / whole))
