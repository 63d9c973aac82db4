"""The interval of a score over folds: from the mean and the spread of folds, or from all examples.

The standard error of the mean is corrected for training sets that overlap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array, as_weight
from ...algebra.average import BINARY, find_average, score_name
from ...algebra.ends import check_level
from ...algebra.totals import is_total
from ...tally.tally import REPEAT
from ...tasks.folds import Folds, plural
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, number_of, treatment, type_of, unknown
from ..estimators.of_weights import OfMean
from ..intervals.interval import Interval, Request
from ..intervals.method_choice import default_method, find_ends
from ..sampling.score_function import span_of
from ..stats.proportions import Ends
from ..stats.quantiles import student, student_below

SAME = 1e-12  # numbers that differ by less count as equal
MOST_FOLDS = 20  # of one cross-validation, if nothing says that they are not repeated
SMALL_FOLD = 10  # examples, below which the score of a fold has few possible values
FOLD_METHODS = ("corrected_t", "cv_clt", "t")


@dataclass(frozen=True)
class FoldMean:
    """The mean of the numbers of folds, their spread, and the share of the data that one fold tests."""

    mean: float
    deviation: float  # between the folds; nan for fewer than two numbers
    count: int
    test_share: float  # 0: as if the folds were independent
    examples: bool = False  # whether the deviation is the standard error itself, from very many examples

    @staticmethod
    def of(values: Any, test_share: float) -> FoldMean:
        """Return the mean and the spread of some numbers."""
        given = np.asarray(values, np.float64)
        mean = float(given.mean()) if len(given) else math.nan
        deviation = float(given.std(ddof=1)) if len(given) > 1 else math.nan
        if deviation <= SAME * float(np.abs(given).max(initial=1.0)):
            deviation = 0.0  # what is left is rounding
        return FoldMean(mean, deviation, len(given), test_share)

    @property
    def freedom(self) -> float:
        """The degrees of freedom."""
        return math.inf if self.examples else self.count - 1

    @property
    def error(self) -> float:
        """The standard error: to the variance s²/J, s² n_test/n_train is added (Nadeau and Bengio 2003)."""
        if not self.count:
            return math.nan
        return self.deviation * math.sqrt(1 / self.count + self.test_share / (1 - self.test_share))

    @property
    def spreads(self) -> bool:
        """Whether the numbers differ at all, without which nothing can be said about chance."""
        return math.isfinite(self.error) and self.error > 0

    @property
    def statistic(self) -> float:
        """The mean in standard errors; nan if the numbers do not differ."""
        return self.mean / self.error if self.spreads else math.nan

    @property
    def p(self) -> float:
        """How often a mean as far from 0 is seen if the true mean is 0."""
        return 2 * student_below(-abs(self.statistic), self.freedom) if self.spreads else math.nan

    def ends(self, level: float) -> Ends:
        """Return the interval of the true mean; nan if the numbers do not differ."""
        if not self.spreads:
            return math.nan, math.nan
        half = student(level, self.freedom) * self.error
        return self.mean - half, self.mean + half

    def probability_above(self, limit: float) -> float:
        """Return the posterior probability, from a flat prior, that the true mean is above a number."""
        return student_below((self.mean - limit) / self.error, self.freedom) if self.spreads else math.nan

    def probability_below(self, limit: float) -> float:
        """Return the posterior probability that the true mean is below a number."""
        return student_below((limit - self.mean) / self.error, self.freedom) if self.spreads else math.nan


def share_of_one_fold(test_share: float | None, folds: int, repeats: int | None = None) -> float:
    """Return the share of the data that one fold tests on: as given, or one over the folds of one repeat.

    More folds than one cross-validation usually has are refused if nothing says whether they are repeated: ten times 10 folds
    taken for 100 folds make a test reject eight times too often.
    """
    if test_share is not None and repeats is not None:
        raise ValueError("Give repeats= or test_share=, not both: repeats=10 of 100 folds is test_share=0.1.")
    if repeats is not None:
        whole = isinstance(repeats, int | np.integer) and not isinstance(repeats, bool) and repeats >= 1
        if not whole or folds % repeats or (folds > 1 and folds // repeats < 2):
            raise ValueError(
                f"repeats={repeats!r} must be how often the data were split into folds, so that {folds} scores are as many folds "
                "in each repeat: 10 for ten times 10 folds, 1 for folds that are not repeated."
            )
        return float(repeats / folds) if folds > 1 else math.nan
    if test_share is None:
        if folds > MOST_FOLDS:
            raise ValueError(
                f"There are {folds} folds, and nothing says whether they are repeated, on which the variance depends. Give "
                "repeats=10 for ten times as many folds, repeats=1 for one cross-validation, or test_share=0.2 for random "
                "splits that test on 20% of the data; what ix.cross_validate returns knows it."
            )
        return 1 / folds if folds > 1 else math.nan
    if isinstance(test_share, bool) or not isinstance(test_share, int | float) or not 0 < test_share < 1:
        raise ValueError(
            f"test_share={test_share!r} must be the share of the data that is tested on at a time: 0.1 for 10 folds, also if "
            "they are repeated, or 0.2 for random splits into 80% and 20%."
        )
    return float(test_share)


def known_repeats(given: Any) -> int | None:
    """Return how often folds are repeated, as an axis "repeat" says; None without one."""
    parts = getattr(given, "parts", (given,))
    names = {unit for part in parts if REPEAT in getattr(part, "axes", ()) for unit in part.tally.sizes_of(REPEAT)}
    return len(names) or None


@answers_mistakes
def fold_interval(
    folds: Folds,
    *,
    level: float = 0.95,
    method: str | None = None,
    test_share: float | None = None,
    repeats: int | None = None,
) -> Interval:
    r"""Return an interval for a score over the folds of a cross-validation.

    The models of the folds are trained on data that overlap, so their scores are not independent, and the usual t interval is
    too narrow. Two intervals allow for this:

    - "corrected_t" (Nadeau and Bengio 2003) is around the mean of the folds' scores, of any measure and average.
    - "cv_clt" (Bayle et al. 2020) is around the pooled score, where that is a mean over examples. It takes every example as an
      observation, as ``ev.interval`` does, and is often narrower. It is for the mean true score of the models that were trained,
      and needs a learner that one example does not change much.

    Parameters
    ----------
    folds : Folds
        What ``ev.folds(measure, average)`` returns.
    level : float, default 0.95
        In which share of cross-validations the interval is to cover the true value.
    method : str, optional
        "corrected_t" (the default), "cv_clt", or "t", which takes the folds for independent.
    test_share : float, optional
        The share of the data that is tested on at a time, for random splits (0.2 for 80% and 20%). Default: one over the number
        of folds of one repeat.
    repeats : int, optional
        How often the data were split into folds: 10 for ten times 10 folds. Default: as a by= axis "repeat" says, otherwise 1;
        more than 20 folds are then refused.

    Returns
    -------
    Interval
        value, low, high, level, method and note. The ends are nan if all folds have the same score, or fewer than two have one.

    Notes
    -----
    With J scores of variance s², the variance of "corrected_t" is

    .. math:: \left( \frac{1}{J} + \frac{n_{test}}{n_{train}} \right) s^2

    References
    ----------
    - C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine Learning 52:239-281.
      https://doi.org/10.1023/A:1024068626366
    - P. Bayle, A. Bayle, L. Janson, L. Mackey (2020). Cross-validation confidence intervals for test error. Advances in Neural
      Information Processing Systems 33. https://arxiv.org/abs/2007.12671

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = [0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1]
    >>> z = [0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0]
    >>> ev = ix.evaluate(y, z, by={"fold": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]})
    >>> i = ix.inference.fold_interval(ev.folds("accuracy"))
    >>> i
    0.75 [0.345, 1] (95%, corrected_t)
    >>> i.note
    'Mean of 4 folds, each tested on 0.25 of the data.'
    >>> ix.inference.fold_interval(ev.folds("accuracy"), method="cv_clt")
    0.75 [0.459, 0.932] (95%, cv_clt)
    """
    if not isinstance(folds, Folds):
        raise TypeError(f"fold_interval takes what ev.folds(measure, average) returns, not {type_of(folds)}.")
    check_level(level)
    chosen = method or FOLD_METHODS[0]
    if chosen not in FOLD_METHODS:
        raise ValueError(unknown("method", method, [*FOLD_METHODS]))
    if repeats is None and test_share is None:
        repeats = known_repeats(folds)
    share = share_of_one_fold(test_share, len(folds.names), repeats)
    facts = {"measure": folds.pooled.measure, "average": folds.pooled.average, "undefined": folds.undefined}
    if chosen == "cv_clt":
        value, ends, note = _from_examples(folds, level, share)
    else:
        value, ends, note = _from_spread(folds, level, share, chosen)
        if is_total(folds.pooled.measure) and len(folds.counted) > 1:  # the score of all folds is their sum
            k = len(folds.counted)
            value, ends, note = k * value, (k * ends[0], k * ends[1]), f"A total, {k} times the {note[:1].lower()}{note[1:]}"
    return Interval(value, *ends, level, chosen, note, **facts)


def _from_spread(folds: Folds, level: float, share: float, method: str) -> tuple[float, tuple[float, float], str]:
    """Return the mean of the folds' scores, its interval and a note."""
    found = FoldMean.of(folds.counted, share if method == "corrected_t" else 0.0)
    low, high = span_of(folds.pooled.measure, found.mean)
    start, end = found.ends(level)
    axis = plural(folds.axis)
    notes = [f"Mean of {found.count} {axis}, each tested on {share:.3g} of the data." if found.count > 1 else ""]
    if folds.undefined_units:
        which = folds.axis if len(folds.undefined_units) == 1 else axis
        notes.append(f"Undefined in {which} {listing(folds.undefined_units)}, {treatment(folds.undefined)}.")
    if found.count < 2:
        notes.append(
            f"An interval from the spread between {axis} needs two scores, and here is {number_of(found.count, 'score')}."
        )
    elif found.deviation == 0:
        notes.append(f"All {axis} have the same score, so their spread says nothing; 'cv_clt' or ev.interval() count examples.")
    notes += [_around_what(folds, found), _about_small_folds(folds)]
    if method == "t":
        notes.append(f"It takes the {axis} for independent, although they share training data: it is too narrow.")
    # An end that is nan stands first, so that it stays nan.
    return found.mean, (max(start, low), min(end, high)), " ".join(filter(None, notes))


def _around_what(folds: Folds, found: FoldMean) -> str:
    """Return that the interval is not around the pooled score, where the two differ as printed."""
    pooled = float(folds.pooled)
    if is_total(folds.pooled.measure) or not math.isfinite(pooled) or f"{pooled:.3g}" == f"{found.mean:.3g}":
        return ""
    around = "; this is around the mean of their scores" if math.isfinite(found.mean) else ""
    return f"The score of all {plural(folds.axis)} together is {pooled:.3g}{around}."


def _about_small_folds(folds: Folds) -> str:
    """Return what to prefer if most folds have too few examples for a value inside the range."""
    values, ends = np.asarray(folds.values, np.float64), [float(end) for end in folds.pooled.measure.range]
    extreme = ~np.isfinite(values) | np.isin(values, ends)
    if not len(values) or np.median(folds.sizes) >= SMALL_FOLD or 2 * extreme.sum() <= len(values):
        return ""
    axis = plural(folds.axis)
    return (
        f"Most {axis} are so small that their scores are undefined or at an end of the range, and the mean of such scores says "
        f"little: prefer ev.interval(…), which is around the score of all {axis} together, or method='cv_clt' for a mean over "
        "examples."
    )


def _from_examples(folds: Folds, level: float, share: float) -> tuple[float, tuple[float, float], str]:
    """Return the pooled score, its interval from the examples of all folds, and a note."""
    k, axis = len(folds.names), plural(folds.axis)
    if k > 1 and not math.isclose(share, 1 / k, rel_tol=0.01):  # folds need not have exactly the same size
        raise ValueError(
            f"'cv_clt' is for one cross-validation, in which each example is tested once: test_share=1/{k} for {k} {axis}. "
            f"Here it is {share:.4g}, so they are repeated or random. Use 'corrected_t'."
        )
    value = float(folds.pooled)
    if not math.isfinite(value):
        return value, (math.nan, math.nan), folds.pooled.note
    values, times = values_of_examples(folds)
    mean = OfMean(values, times, span_of(folds.pooled.measure, value))
    ends = find_ends(mean, default_method(mean), Request(level))
    return value, ends, f"Mean of {times.sum():.6g} examples of {k} {axis}, for the mean true score of their models."


def values_of_examples(folds: Folds) -> tuple[Array, Array]:
    """Return the values of examples whose plain mean is the pooled score, and how often each occurs."""
    score = folds.pooled
    name = score_name(score.measure, score.average)
    if any(part.tally.pooled.rows()[1].dtype == object for part in folds.parts):
        raise ValueError(
            "'cv_clt' counts examples, and these have weights. Use 'corrected_t', or evaluate without sample_weight=."
        )
    rule = find_average(score.average)
    if rule.is_mean_over("example"):
        return _defined_values(score, name)
    sums = getattr(score.measure, "decomposition", None) if rule.pools else None
    if sums is None:
        raise ValueError(_refusal(name, "it is not a mean over examples"))
    rows, times = _rows(folds)
    top, bottom = (np.array([float(x) for x in side]) @ rows for side in sums)
    if not (len(bottom) and bottom[0] > 0 and np.allclose(bottom, bottom[0], rtol=1e-12, atol=0)):
        raise ValueError(_refusal(name, "its denominator is not the same for all examples"))
    return top / bottom[0], times


def _rows(folds: Folds) -> tuple[Array, Array]:
    """Return the counts (4, r) of single examples, and how often each kind of example occurs."""
    if folds.pooled.average == BINARY:
        if any(part.kind not in ("multiclass", "multilabel") or part.recipe.uses("cost") for part in folds.parts):
            raise ValueError(
                "'cv_clt' needs examples that lie in one cell each; memberships and costs spread them. Use 'corrected_t', or "
                "average='micro'."
            )
        return np.eye(4), np.array([float(x) for x in folds.pooled.counts])
    parts = [part.aggregate("example") for part in folds.parts]
    rows = np.concatenate([np.stack([as_weight(x) for x in counts]) for counts in parts], axis=1)
    times = np.concatenate([as_weight(counts.times) for counts in parts])
    seen = rows.sum(axis=0) > 0
    return rows[:, seen], times[seen]


def _defined_values(score: Any, name: str) -> tuple[Array, Array]:
    """Return the values of examples under the convention of the score."""
    values = np.asarray(score.values, np.float64).ravel()
    times = np.ones(len(values)) if score.weights is None else as_weight(score.weights).ravel()
    lost = ~np.isfinite(values)
    if isinstance(score.undefined, str) and (lost & (times > 0)).any():
        raise ValueError(_refusal(name, "some examples are undefined and left out; undefined=0 would count them"))
    values = np.where(lost, 0.0 if isinstance(score.undefined, str) else float(score.undefined), values)
    return values[times > 0], times[times > 0]


def _refusal(name: str, why: str) -> str:
    return (
        f"'cv_clt' is for a pooled score that is a plain mean over examples. This is {name}: {why}. Use 'corrected_t', or a "
        "score such as exact_match, the exemplar average, or the accuracy."
    )
