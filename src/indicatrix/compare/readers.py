"""Readers and cases: tests compared by several readers of the same cases (Obuchowski and Rockette).

A reading is an example, and every reader has a score under every test, of any measure. The scores vary because readers differ and
because other cases would have been read; how they vary together comes from leaving out one case at a time, or for AUC from its
unbiased variance. The analysis of variance and its degrees of freedom are those of Hillis (2007).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import Name, score_name
from ..algebra.ends import check_level
from ..algebra.measure_names import resolve, split_score
from ..algebra.values import to_pandas, to_polars
from ..encode.weights import check_by, check_row_labels, read_groupings
from ..evaluate import evaluate
from ..inference.estimators.of_evaluation import estimator_of
from ..inference.estimators.of_units import OfUnits, estimator_of_scores
from ..inference.intervals.interval import Interval
from ..inference.sampling.samples import chunk_sizes
from ..inference.stats.quantiles import chi_square_tail, f_tail, student
from ..inference.stats.several_tests import p_text
from ..scores.scored import scores_of
from ..words.call_mistakes import answers_mistakes
from ..words.wording import did_you_mean, listing, number_of, series

METHODS = ("jackknife", "unbiased")
TINY = 1e-12  # what is rounding
OF_BOTH = "both"
RANDOM = (OF_BOTH, "readers", "cases")
CASE = "case"
ROWS = ("sample_weight", "mask")  # options of evaluate that have an entry for each row
SAME = "No reader and no case moves it, which does not mean that it is certain."


@answers_mistakes
@dataclass(frozen=True, repr=False)
class ReaderComparison:
    """Tests compared by the mean score of their readers, for other readers and other cases.

    Attributes
    ----------
    name : str
        The score.
    tests, readers : tuple
        Their names.
    values : array
        The score of each test (row) and reader (column).
    means : tuple of Interval
        The mean over readers of each test.
    differences : dict
        The difference of every two tests, first minus second, by their names.
    p_values : dict
        The p-value of each difference.
    statistic : float
        F, or chi-square where readers are fixed, of the test of all means being equal.
    freedom : tuple of float
        Its degrees of freedom; the second is inf for chi-square.
    p_value : float
        How often tests that do not differ are at least as far apart.
    variance, covariances : float, tuple of float
        Of the errors of single scores, and of two that share the reader (cov1), the test (cov2) or neither (cov3).
    random : str
        What stands for others like it: "both" readers and cases, "cases" (the readers are all there are) or "readers".
    level : float
        The level of the intervals.
    cases : int
        How many cases were read; those that are masked everywhere do not count.
    """

    name: str
    tests: tuple[Any, ...]
    readers: tuple[Any, ...]
    values: Array
    means: tuple[Interval, ...]
    differences: dict[tuple[Any, Any], Interval]
    p_values: dict[tuple[Any, Any], float]
    statistic: float
    freedom: tuple[float, float]
    p_value: float
    variance: float
    covariances: tuple[float, float, float]
    random: str
    level: float
    cases: int

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the tests, the readers, and the score of each reader under each test.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> frame = {"truth": [1, 1, 0] * 4, "says": [1, 1, 0, 1, 0, 0] + [1, 0, 0] * 2}
        >>> frame |= {"way": ["new"] * 6 + ["old"] * 6, "who": (["ann"] * 3 + ["bob"] * 3) * 2, "image": [1, 2, 3] * 4}
        >>> found = ix.compare_readers(frame, "recall", test="way", reader="who", case="image", true="truth", pred="says")
        >>> found.to_dict()["value"]
        [1.0, 0.5, 0.5, 0.5]
        """
        tests, readers = zip(*product(self.tests, self.readers), strict=True)
        return {"test": [*tests], "reader": [*readers], "value": self.values.ravel().tolist()}

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        who = {OF_BOTH: "other readers and other cases", "cases": "these readers and other cases", "readers": "other readers"}
        lines = [f"{self.name} of {len(self.readers)} readers, {self.cases:,} cases, for {who[self.random]}"]
        lines += [f"  {test}: {mean}" for test, mean in zip(self.tests, self.means, strict=True)]
        for (a, b), apart in self.differences.items():
            lines.append(f"  {a} - {b}: {apart}, {p_text(self.p_values[a, b])}")
        lines += [f"  {note}" for note in dict.fromkeys(i.note for i in (*self.means, *self.differences.values())) if note]
        one, two = self.freedom
        exact = f"chi-square {self.statistic:.4g} with {number_of(int(one), 'degree')}"
        if math.isfinite(two):
            exact = f"F {self.statistic:.4g} with {one:.4g} and {two:.4g} degrees"
        return "\n".join([*lines, f"  all equal: {exact} of freedom, {p_text(self.p_value)}"])

    def __repr__(self) -> str:
        return f"<ReaderComparison: {self.name}, {len(self.tests)} tests, {len(self.readers)} readers, {p_text(self.p_value)}>"


@answers_mistakes
def compare_readers(
    frame: Any,
    measure: Any,
    average: Name | None = None,
    *,
    test: str,
    reader: str,
    case: str,
    true: str,
    pred: str,
    level: float = 0.95,
    random: str = OF_BOTH,
    method: str = "jackknife",
    **options: Any,
) -> ReaderComparison:
    """Return the comparison of tests that several readers used on the same cases.

    Every reader reads every case under every test, once. The score of each reader under each test is any measure of what the
    reader said, or of ratings an area such as AUC; ``decide=`` turns ratings into decisions. The mean scores of the tests are
    compared for other readers and other cases like these (Obuchowski and Rockette 1995, with the degrees of freedom of Hillis
    2007).

    Parameters
    ----------
    frame : data frame or mapping
        One row for each reading.
    measure : str or Measure
        A measure, its name, or a formula.
    average : str, optional
        The average inside each reader and test, as ``score`` takes it.
    test, reader, case : str
        The columns that say what was used, who read, and which case.
    true, pred : str
        The columns of the truth and of what the reader said, or rated.
    level : float, default 0.95
        In which share of samples the intervals are to cover the true values.
    random : str, default 'both'
        What stands for others like it: "both"; "cases", if the readers are all there are; "readers", if the cases are.
    method : str, default 'jackknife'
        How scores vary together: "jackknife" leaves out one case at a time; "unbiased" is the U-statistic variance of AUC.
    **options
        What ``evaluate`` takes, such as positive=, classes= and decide=; sample_weight= and mask= have an entry for each row.

    Returns
    -------
    ReaderComparison
        ``.means``, ``.differences`` with intervals, ``.p_value``; it prints.

    References
    ----------
    - N. A. Obuchowski, H. E. Rockette (1995). Hypothesis testing of diagnostic accuracy for multiple readers and multiple
      tests: an ANOVA approach with dependent observations. Communications in Statistics - Simulation and Computation
      24:285-308. https://doi.org/10.1080/03610919508813243
    - S. L. Hillis (2007). A comparison of denominator degrees of freedom methods for multiple observer ROC analysis. Statistics
      in Medicine 26:596-619. https://doi.org/10.1002/sim.2532

    Examples
    --------
    >>> import indicatrix as ix
    >>> frame = {"truth": [1, 1, 1, 0] * 4, "says": [1, 1, 1, 0] + [1, 0, 1, 0] * 2 + [0, 1, 0, 0]}
    >>> frame |= {"way": ["new"] * 8 + ["old"] * 8, "who": (["ann"] * 4 + ["bob"] * 4) * 2, "image": [1, 2, 3, 4] * 4}
    >>> found = ix.compare_readers(frame, "recall", test="way", reader="who", case="image", true="truth", pred="says")
    >>> found.values.round(2).tolist(), round(found.differences["new", "old"].value, 2)
    ([[1.0, 0.67], [0.67, 0.33]], 0.33)
    """
    check_level(level)
    if random not in RANDOM:
        raise ValueError(f"random={random!r} is unknown. Use 'both', 'cases' where the readers are all there are, or 'readers'.")
    if method not in METHODS:
        raise ValueError(f"method={method!r} is unknown. Use 'jackknife', or 'unbiased' for AUC.")
    measure, average = split_score(measure, average)
    columns = _columns(frame, {"test": test, "reader": reader, "case": case, "true": true, "pred": pred})
    n = len(columns["true"])
    tests, readers, cases = (
        check_by({column: columns[name]}, n, {column: f"column {column!r}"})[column]
        for name, column in (("test", test), ("reader", reader), (CASE, case))
    )
    order = _order(tests, readers, cases)
    truth, said = (np.asarray(columns[name], dtype=_kind(columns[name])) for name in ("true", "pred"))
    _check_truth(truth[order], cases[0])
    found, of_rows = resolve(measure), _of_rows(options, n)
    check_row_labels({**columns, **{name: options[name] for name in of_rows}})
    *shape, count = order.shape
    readings = []
    for row in order.reshape(-1, count):
        own = options | {name: some[row] for name, some in of_rows.items()}
        readings.append(_Reading(found, average, truth[row], said[row], own))
    table = np.array([one.value for one in readings]).reshape(shape)
    if not np.isfinite(table).all():
        t, r = np.argwhere(~np.isfinite(table))[0]
        raise ValueError(
            f"{found} is undefined for reader {readers[0][r]!r} under {tests[0][t]!r}, so that means cannot be compared."
        )
    covariance = _unbiased(readings, found) if method == "unbiased" else _jackknife(readings)
    design = _Design(table, covariance.reshape(*shape, *shape), random, level, readings[0].score)
    return design.comparison(tests[0], readers[0], int(np.any([one.read for one in readings], axis=0).sum()))


def _columns(frame: Any, named: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns of a frame by their roles."""
    given = frame if isinstance(frame, Mapping) else read_groupings(frame, "frame")
    for role, column in named.items():
        if column not in given:
            hint = did_you_mean(column, [str(name) for name in given])
            raise ValueError(f"{role}={column!r} is not a column. {hint} The columns are {listing([*given])}.".replace("  ", " "))
    return {role: given[column] for role, column in named.items()}


def _of_rows(options: Mapping[str, Any], n: int) -> dict[str, Array]:
    """Return the options that have an entry for each row of the frame."""
    if "by" in options:
        raise ValueError("by= is not for readers, whose cases are the groups. Compare the parts of the frame, each by itself.")
    found = {name: np.asarray(options[name]) for name in ROWS if options.get(name) is not None}
    for name, some in found.items():
        if some.ndim == 0 or len(some) != n:
            raise ValueError(f"{name}= needs an entry for each of the {n:,} rows of the frame, in their order.")
    return found


def _kind(column: Any) -> Any:
    """Return the type of an array of a column: objects for texts, so that labels stay what they are."""
    own = np.asarray(column)
    return own.dtype if own.dtype.kind in "biuf" else object


def _order(tests: Any, readers: Any, cases: Any) -> Array:
    """Return the row of each test, reader and case; a design that is not complete is refused."""
    sizes = [len(names) for names, _ in (tests, readers, cases)]
    if min(sizes) < 2:
        given = series([number_of(n, noun) for n, noun in zip(sizes, ("test", "reader", "case"), strict=True)])
        raise ValueError(f"There are {given}; at least 2 of each are compared.")
    places = np.ravel_multi_index([codes for _, codes in (tests, readers, cases)], sizes)
    often = np.bincount(places, minlength=math.prod(sizes)).reshape(sizes)
    if (often != 1).any():
        at = tuple(np.argwhere(often != 1)[0])
        t, r, c = (side[0][k] for side, k in zip((tests, readers, cases), at, strict=True))
        read = f"read case {c!r} under {t!r} more than once" if often[at] else f"did not read case {c!r} under {t!r}"
        raise ValueError(
            f"Reader {r!r} {read}. Every reader must read every case under every test, once: leave out what is not complete."
        )
    return np.argsort(places).reshape(sizes)


def _check_truth(truth: Array, cases: Any) -> None:
    """Refuse a case whose truth is not the same in all of its readings.

    ``truth`` is of tests, readers and cases.
    """
    known = truth == truth  # what is missing is refused where labels are read
    differs = ((truth != truth[0, 0]) & known & known[0, 0]).any(axis=(0, 1))
    if differs.any():
        raise ValueError(
            f"The truth of case {cases[int(differs.argmax())]!r} is not the same in all of its readings, and a case has one. "
            "Give cases that differ names that differ."
        )


class _Reading:
    """What one reader said of all cases under one test."""

    def __init__(self, measure: Any, average: Any, y_true: Array, y_pred: Array, options: dict[str, Any]) -> None:
        rank = not measure.reads.counted and options.get("decide") is None
        decide = {"decide": float(np.median(y_pred))} if rank and y_pred.ndim == 1 else {}
        self.ev = evaluate(y_true, y_pred, **{"by": {CASE: np.arange(len(y_true))}, **decide, **options})
        self.measure = measure
        self.score = self.ev.score(measure, average)
        self.value = float(self.score)

    @property
    def read(self) -> Array:
        """Whether each case counts here: some are masked."""
        return np.asarray(self.ev.aggregate(CASE).n > 0)

    @property
    def estimator(self) -> Any:
        """The score as an estimator whose clusters are the cases."""
        if self.score.measure.reads.counted:
            return estimator_of(self.ev, self.score.measure, self.score, CASE)
        return estimator_of_scores(self.score.measure, scores_of(self.ev, self.measure), self.score, None)

    def without_each(self) -> Array:
        """Return the score without each case; one that has no value here does not move it."""
        found = self._without_each_defined()
        if len(found) == self.ev.n:
            return found
        own = self.ev.values(self.score.measure, per=CASE, average=self.score.average, undefined="nan")
        left = np.full(self.ev.n, self.value)
        left[np.isfinite(np.asarray(own))] = found
        return left

    def _without_each_defined(self) -> Array:
        made = self.estimator
        if not isinstance(made, OfUnits):
            return np.asarray(made.without_each()[0])
        n = made.sampled.n
        starts = np.cumsum([0, *chunk_sizes(n, 4 * n)])
        return np.concatenate([made.scores(1.0 - np.eye(b - a, n, a)) for a, b in pairwise(starts.tolist())])


def _jackknife(readings: list[_Reading]) -> Array:
    """Return the covariances of scores from those without each case.

    Cases that move no score are not in the sample.
    """
    left = np.stack([one.without_each() for one in readings])
    own = np.array([one.value for one in readings])[:, None]
    moving = np.isfinite(left).all(axis=0) & (np.abs(left - own) > TINY).any(axis=0)
    n = int(moving.sum())
    if n < 2:
        return np.zeros((len(left), len(left)))
    apart = left[:, moving] - left[:, moving].mean(axis=1, keepdims=True)
    return np.asarray((n - 1) / n * apart @ apart.T)


def _unbiased(readings: list[_Reading], measure: Any) -> Array:
    """Return the unbiased covariances of areas under ROC curves (Gallas, Pennello and Myers 2007).

    They are the products of two areas less the unbiased products: the mean over pairs of cases that have no case in common.
    """
    units = [one.estimator.units for one in readings] if measure.name == "auc" else []
    if not units or any(len(own) != 1 for own in units) or measure.params.get("max_fpr"):
        raise ValueError(
            f"method='unbiased' is the variance of AUC of one positive class, and this is {measure}. Use 'jackknife'."
        )
    kernels, pairs = [], []
    for one in readings:
        swept = scores_of(one.ev, measure)
        assert swept.rows is not None  # they were made of labels and ratings
        rows = swept.rows.only(swept.columns.index(swept.positive))
        truth, scores = rows.truth()[:, 0], rows.scores[:, 0]
        seen = np.ones(len(truth), bool) if rows.mask is None else rows.mask[:, 0]
        high, low = scores[truth][:, None], scores[~truth][None]
        pairs.append(seen[truth][:, None] & seen[~truth][None])
        kernels.append(((high > low) + 0.5 * (high == low)) * pairs[-1])
    m, n = (int(min(own.any(axis=1 - k).sum() for own in pairs)) for k in (0, 1))
    if min(m, n) < 2:
        raise ValueError(f"method='unbiased' needs two positive and two negative cases; there are {m} and {n}.")
    (both, apart), (all_both, all_apart) = map(_products, (kernels, pairs))
    return np.asarray(both / all_both - apart / all_apart)


def _products(tables: list[Array]) -> tuple[Array, Array]:
    """Return sums of products of tables: of any two pairs of cases, and of two that share no case."""
    made = np.stack(tables).astype(float)
    own = (made.reshape(len(made), -1), made.sum(2), made.sum(1), made.sum((1, 2))[:, None])
    same, by_case, by_other, total = (x @ x.T for x in own)
    return total, total - by_case - by_other + same


@dataclass(frozen=True, eq=False)
class _Design:
    """The table of scores, tests by readers, with their covariances."""

    table: Array
    covariance: Array  # tests x readers x tests x readers
    random: str
    level: float
    score: Any  # one of them, which says what it is

    def _shared(self, tests: slice = slice(None)) -> tuple[float, float, float, float]:
        """Return the mean variance, and covariances of scores that share the reader, the test, or neither."""
        own = self.covariance[tests][:, :, tests]
        t, r = own.shape[:2]
        same_test, same_reader = np.eye(t, dtype=bool)[:, None, :, None], np.eye(r, dtype=bool)[None, :, None, :]
        kinds = (same_test & same_reader, ~same_test & same_reader, same_test & ~same_reader, ~same_test & ~same_reader)
        return tuple(float(own[kind].mean()) if kind.any() else 0.0 for kind in (np.broadcast_to(k, own.shape) for k in kinds))  # type: ignore[return-value]

    def comparison(self, tests: Any, readers: Any, cases: int) -> ReaderComparison:
        """Return means, differences and the test of all means being equal."""
        t, r = self.table.shape
        means = self.table.mean(axis=1)
        both = _squares(self.table - means[:, None] - self.table.mean(axis=0) + self.table.mean()) / ((t - 1) * (r - 1))
        variance, *shared = self._shared()
        bottom, freedom = self._error(both, (t - 1) * (r - 1), variance - shared[0], shared[1] - shared[2])
        statistic, p = _equal(means, bottom / r, freedom)
        differences, p_values = {}, {}
        for a, b in combinations(range(t), 2):
            differences[tests[a], tests[b]] = self._interval(float(means[a] - means[b]), 2 / r * bottom, freedom)
            p_values[tests[a], tests[b]] = _equal(means[[a, b]], bottom / r, freedom)[1]
        of_means = tuple(map(self._mean, range(t)))
        name = score_name(self.score.measure, self.score.average)
        found = (statistic, (float(t - 1), freedom), p, variance, tuple(shared), self.random, self.level, cases)
        return ReaderComparison(name, tests, readers, self.table, of_means, differences, p_values, *found)  # type: ignore[arg-type]

    def _error(self, square: float, freedom: int, one: float, together: float) -> tuple[float, float]:
        """Return r times the variance of a mean over readers, and its degrees of freedom.

        ``square`` is the mean square between readers, ``one`` the variance that cases give one reader, ``together`` the
        covariance that they give two.
        """
        r = self.table.shape[1]
        if self.random == "cases":
            return self._variance(one + (r - 1) * together), math.inf
        if self.random == "readers":
            return square, float(freedom)
        bottom = square + r * max(together, 0.0)
        return bottom, bottom**2 * freedom / square**2 if square > 0 else math.inf

    def _variance(self, found: float) -> float:
        """Return a variance that was found as a sum of others; a tiny one is rounding.

        A negative one is refused.
        """
        least = TINY * float(np.abs(self.covariance).max())
        if found < -least:
            raise ValueError("The unbiased variance is negative: the cases are too few for it. Use method='jackknife'.")
        return found if found > least else 0.0

    def _mean(self, k: int) -> Interval:
        """Return the mean of one test over its readers with an interval, from its own scores."""
        own, r = self.table[k], self.table.shape[1]
        spread = _squares(own - own.mean()) / (r - 1)
        variance, _, cov2, _ = self._shared(slice(k, k + 1))
        error, freedom = self._error(spread, r - 1, variance, max(cov2, 0.0))
        return self._interval(float(own.mean()), error / r, freedom, self.score.measure.range)

    def _interval(self, value: float, error: float, freedom: float, span: Any = (-math.inf, math.inf)) -> Interval:
        """Return a mean or a difference of means with the ends that its variance gives."""
        wide = student(self.level, freedom) * math.sqrt(error)
        ends, note = (max(value - wide, float(span[0])), min(value + wide, float(span[1]))), "" if error > 0 else SAME
        return Interval(value, *ends, self.level, "obuchowski_rockette", note, self.score.measure, self.score.average)


def _equal(means: Array, error: float, freedom: float) -> tuple[float, float]:
    """Return the test of equal means of this variance: F, or chi-square if its freedom is infinite."""
    squares, k = _squares(means - means.mean()), len(means) - 1
    if not error > 0:
        return (math.inf, 0.0) if squares > 0 else (0.0, 1.0)
    if math.isinf(freedom):
        return squares / error, chi_square_tail(squares / error, k)
    return squares / error / k, f_tail(squares / error / k, k, freedom)


def _squares(apart: Array) -> float:
    """Return the sum of squares of distances, of which the tiniest are rounding."""
    return float((apart[np.abs(apart) > TINY] ** 2).sum())
