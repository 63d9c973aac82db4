"""Which classifier is better over the same folds: corrected and Bayesian correlated t-tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ...algebra.average import Name, score_name
from ...algebra.derived.derived_facts import needed_direction
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.measure_names import split_score
from ...algebra.score import Undefined, UndefinedError, check_undefined
from ...algebra.values import Values
from ...tasks.folds import Folds, plural
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, series, short, treatment, type_of, unknown
from ..stats.quantiles import two_sided
from ..stats.several_tests import far_from_zero, largest_difference
from .fold_comparison import FoldComparison, FoldDifference, note_on_totals, usual_rope
from .interval import SAME, FoldMean, known_repeats, share_of_one_fold

FOLD_TESTS = ("corrected_t", "cv_clt")


@answers_mistakes
def compare_folds(
    classifiers: Mapping[Any, Any],
    measure: str | Measure | None = None,
    average: str | None = None,
    *,
    axis: str = "fold",
    undefined: Undefined = "exclude",
    better: str | None = None,
    method: str | None = None,
    repeats: int | None = None,
    test_share: float | None = None,
    rope: float | None = None,
    level: float = 0.95,
) -> FoldComparison:
    """Return which of several classifiers is better over the same folds of a cross-validation.

    For each two classifiers the differences of the folds give the corrected resampled t-test (Nadeau and Bengio 2003), whose
    variance allows for training sets that overlap, and the Bayesian correlated t-test (Corani and Benavoli 2015), which gives the
    probabilities that one is better by more than the region of practical equivalence, that the other is, or that neither is. If
    all differences are the same, nothing is tested. Intervals and p-values hold for all pairs together.

    The corrected t is about learners: whether the one gives better models on such data. It is conservative for one
    cross-validation, and keeps its level for repeated ones. "cv_clt" (Bayle, Bayle, Janson and Mackey 2020) is sharper: it is
    about the models that were trained, and pairs the predictions of each example. Of learners that a few examples change much,
    such as trees, models may differ where the learners do not.

    Parameters
    ----------
    classifiers : mapping
        By name, what ``ix.cross_validate`` returns, evaluations with ``by={"fold": …}``, what ``ev.folds`` returns, or sequences
        with the score of each fold. All are tested on the same folds, in the same order.
    measure : str or Measure, optional
        The measure, for evaluations.
    average : str, optional
        The average, for evaluations, as ``ev.folds`` takes it.
    axis : str, default 'fold'
        The name of the by= axis, for evaluations.
    undefined : str or number, default 'exclude'
        What an undefined fold does: 'exclude' leaves it out for both of a pair, a number replaces it, 'nan' keeps it, 'raise' is
        an error. What ``ev.folds`` returns has its own.
    better : str, optional
        "higher" or "lower". Default: the direction of the measure; "higher" for plain scores.
    method : str, optional
        "corrected_t" (the default) or "cv_clt", for what ``ix.cross_validate`` returns.
    repeats : int, optional
        How often the data were split into folds: 10 for ten times 10 folds. Default: as a cross-validation or a by= axis
        "repeat" says, otherwise 1; more than 20 folds are then refused.
    test_share : float, optional
        The share of the data that is tested on at a time, for random splits (0.2 for 80% and 20%). Default: as a
        cross-validation knows it, otherwise one over the number of folds of one repeat.
    rope : float, optional
        The region of practical equivalence: differences up to this one do not matter. Default: 0.01 for scores that lie between
        0 and 1, or between -1 and 1; none for others, such as costs.
    level : float, default 0.95
        The level of the intervals.

    Returns
    -------
    FoldComparison
        ``.pairs`` with differences, intervals, tests and probabilities; printing it gives sentences.

    References
    ----------
    - C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine Learning 52:239-281.
      https://doi.org/10.1023/A:1024068626366
    - G. Corani, A. Benavoli (2015). A Bayesian approach for comparing cross-validated algorithms on multiple data sets. Machine
      Learning 100:285-304. https://doi.org/10.1007/s10994-015-5486-z
    - P. Bayle, A. Bayle, L. Janson, L. Mackey (2020). Cross-validation confidence intervals for test error. Advances in Neural
      Information Processing Systems 33. https://arxiv.org/abs/2007.12671

    Examples
    --------
    >>> import indicatrix as ix
    >>> lr = [0.71, 0.74, 0.69, 0.73, 0.72]
    >>> rf = [0.78, 0.79, 0.76, 0.75, 0.79]
    >>> print(ix.inference.compare_folds({"lr": lr, "rf": rf}))
    score over 5 folds, each tested on 0.2 of the data; higher is better
      lr  mean 0.718, sd 0.0192
      rf  mean 0.774, sd 0.0182
    lr and rf: mean difference -0.056, 95% interval [-0.0968, -0.0152]; corrected resampled t(4) = -3.81, p = 0.019: rf is better.
      Bayesian correlated t-test: lr is better by more than 0.01 with probability 0.005, equivalent within 0.01 with 0.012, \
rf is better by more than 0.01 with 0.982.
    """
    check_level(level)
    check_undefined(undefined)
    if rope is not None:
        check_rope(rope)
    if not isinstance(classifiers, Mapping) or len(classifiers) < 2:
        raise ValueError('Give at least two classifiers by name, such as {"lr": ev1, "rf": ev2}.')
    if method not in (None, *FOLD_TESTS):
        raise ValueError(unknown("method", method, [*FOLD_TESTS]))
    measure, average = split_score(measure, average)
    given = {str(name): x for name, x in classifiers.items()}
    if test_share is None and repeats is None:
        test_share, repeats = _common_share(given), _common_repeats(given)
        repeats = None if test_share is not None else repeats
    validated = given
    if axis != "fold":  # of what ix.cross_validate returns
        given = {name: getattr(x, "evaluation", x) for name, x in given.items()}
    if _have_folds(given):
        table = _table_of_folds(given, measure, average, axis, undefined)
    else:
        table = _table_of_scores(given, measure, undefined)
    direction = choose_direction(better, table.measure)
    share = share_of_one_fold(test_share, table.values.shape[1], repeats)
    rope, doubt = (rope, "") if rope is not None else usual_rope(table.name, table.measure, table.values)
    found, notes = [], list[str]()
    for i, j in combinations(range(len(given)), 2):
        counted, about_undefined = _differences(table, i, j)
        mean = FoldMean.of(counted, share)
        if method == "cv_clt":
            apart = _of_examples([*validated.values()], (i, j), measure, average, undefined)
        else:
            apart = mean
            about_undefined = [*about_undefined, *_doubts(table, i, j, mean)]
        found.append((i, j, counted, apart))
        notes += about_undefined
    pairs = _pairs(table, found, method or FOLD_TESTS[0], direction, (rope, level))
    notes += [text for text in (note_on_totals(table.measure, table.sizes), doubt) if text]
    values = Values.of(table.values, (tuple(given), table.folds), per=("classifier", table.axis))
    return FoldComparison(table.name, direction, values, tuple(pairs), share, float(rope), level, tuple(notes))


def check_rope(rope: Any) -> None:
    """Refuse what is not a difference that does not matter."""
    if isinstance(rope, bool) or not isinstance(rope, int | float) or not 0 <= rope < math.inf:
        raise ValueError(f"rope={rope!r} must be a difference that does not matter, such as 0.01; 0 for none.")


def _common_share(given: Mapping[str, Any]) -> float | None:
    """Return the share of the data that cross-validations test on at a time; None if it is not known."""
    shares: dict[str, float] = {name: x.test_share for name, x in given.items() if hasattr(x, "test_share")}
    if not shares:
        return None
    if max(shares.values()) - min(shares.values()) > SAME:
        raise ValueError(f"The cross-validations did not test on the same share of the data: {shares}. Use the same folds.")
    return next(iter(shares.values()))


def _common_repeats(given: Mapping[str, Any]) -> int | None:
    """Return how often folds are repeated, where an axis "repeat" of evaluations says it."""
    found = {name: repeats for name, x in given.items() if (repeats := known_repeats(x)) is not None}
    if len(set(found.values())) > 1:
        raise ValueError(f"The folds are not repeated equally often: {found}. Use the same folds.")
    return next(iter(found.values()), None)


def _of_examples(given: Sequence[Any], two: tuple[int, int], measure: Any, average: Any, undefined: Undefined) -> FoldMean:
    """Return the difference of the pooled scores of two cross-validations, and its standard error."""
    one, other = (given[k] for k in two)
    if not hasattr(one, "difference_from") or not hasattr(other, "difference_from"):
        raise TypeError(
            "method='cv_clt' pairs the predictions of each example: give what ix.cross_validate returns for all classifiers."
        )
    value, variance = one.difference_from(other, measure, average, undefined=undefined)
    return FoldMean(value, math.sqrt(variance), 1, 0.0, examples=True)


@dataclass(frozen=True, eq=False)
class _Table:
    """The scores of classifiers in folds, and what is known about them."""

    classifiers: tuple[str, ...]
    folds: tuple[Any, ...]
    values: Array  # classifiers x folds
    observed: Mask  # folds of which nothing was observed do not count
    axis: str = "fold"
    name: str = "score"
    measure: Any = None
    undefined: Undefined = "exclude"
    sizes: tuple[int, ...] = ()  # examples of each fold, where they are known


def _have_folds(given: Mapping[str, Any]) -> bool:
    """Return whether evaluations or folds are given, and not plain scores; refuse a mixture."""
    kinds = {hasattr(x, "folds") or isinstance(x, Folds) for x in given.values()}
    if len(kinds) > 1:
        raise TypeError("Give evaluations (or what ev.folds returns) for all classifiers, or plain scores for all.")
    return kinds.pop()


def _table_of_folds(given: Mapping[str, Any], measure: Any, average: Name | None, axis: str, undefined: Undefined) -> _Table:
    every: dict[str, Folds] = {}
    for name, x in given.items():
        if isinstance(x, Folds):
            if measure is not None:
                raise TypeError(
                    f"{name!r} already has a measure: {x.pooled.measure}. Leave measure= out, or give the evaluation."
                )
            every[name] = x
        elif measure is None:
            raise TypeError(
                f"Name the measure by which {series([*given])} are compared, such as compare_folds(…, 'f1', 'macro')."
            )
        else:
            own = {} if axis == "fold" else {"axis": axis}  # a cross-validation has no other folds
            every[name] = x.folds(measure, average, undefined=undefined, **own)
    first_name, first = next(iter(every.items()))
    for name, folds in every.items():
        _check_same(first_name, first, name, folds)
    values = np.stack([np.asarray(folds.values) for folds in every.values()])  # an evaluation sorts its groups by name
    observed = np.stack([folds.observed for folds in every.values()])
    pooled = first.pooled
    text = score_name(pooled.measure, pooled.average)
    return _Table(tuple(every), first.names, values, observed, first.axis, text, pooled.measure, first.undefined, first.sizes)


def _check_same(one: str, a: Folds, two: str, b: Folds) -> None:
    """Refuse folds that cannot be compared: other measures, other folds, other numbers of examples."""
    for word in ("measure", "average", "undefined"):
        x, y = getattr(a.pooled, word), getattr(b.pooled, word)
        if x != y:
            raise ValueError(f"{one!r} has {word} {x}, but {two!r} has {y}. Compare the same score.")
    if a.names != b.names:
        alone = [name for name in (*a.names, *b.names) if name not in a.names or name not in b.names]
        raise ValueError(f"{one!r} and {two!r} do not have the same folds: only one of them has {listing(alone)}.")
    for name, n, other in zip(a.names, a.sizes, b.sizes, strict=True):
        if n != other:
            raise ValueError(
                f"{a.axis} {short(name)} has {n} examples for {one!r}, but {other} for {two!r}. Test both on the same folds."
            )


def _table_of_scores(given: Mapping[str, Any], measure: Any, undefined: Undefined) -> _Table:
    if measure is not None:
        raise TypeError("measure= is for evaluations; these are plain scores. Leave it out, and give better='lower' if it is so.")
    rows = {}
    for name, x in given.items():
        try:
            rows[name] = np.asarray(x, np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{name!r} must be an evaluation or the scores of its folds, not {type_of(x)}.") from None
        if rows[name].ndim != 1 or not len(rows[name]):
            raise ValueError(f"{name!r} must have one score for each fold, not an array of shape {rows[name].shape}.")
    sizes = {name: len(row) for name, row in rows.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"All classifiers need the same folds, but the numbers of scores differ: {sizes}.")
    values = np.stack([*rows.values()])
    numbers = tuple(range(1, values.shape[1] + 1))
    return _Table(tuple(rows), numbers, values, np.ones(values.shape, bool), undefined=undefined)


def choose_direction(better: str | None, measure: Any = None) -> str:
    """Return which direction is better: as said, or as the measure says; higher, if there is no measure."""
    return needed_direction(measure, better, known=getattr(measure, "better", "neither" if better else "higher"))


def _differences(table: _Table, i: int, j: int) -> tuple[Array, list[str]]:
    """Return the differences of two classifiers in the folds that count, and a note on undefined ones."""
    both, seen = table.values[[i, j]], table.observed[[i, j]].all(axis=0)
    lost = np.asarray(seen & ~np.isfinite(both).all(axis=0))
    notes = []
    if lost.any():
        names = f"{table.classifiers[i]} and {table.classifiers[j]}"
        where = listing([fold for fold, gone in zip(table.folds, lost.tolist(), strict=True) if gone])
        if table.undefined == "raise":
            raise UndefinedError(f"A score of {names} is undefined in {table.axis} {where}.")
        notes = [f"{names}: undefined in {table.axis} {where}, {treatment(table.undefined)}."]
        if table.undefined == "exclude":
            seen = seen & ~lost
        else:
            both = np.where(np.isfinite(both), both, math.nan if isinstance(table.undefined, str) else float(table.undefined))
    return both[0, seen] - both[1, seen], notes


def _doubts(table: _Table, i: int, j: int, found: FoldMean) -> list[str]:
    """Return why two classifiers could not be tested."""
    names = f"{table.classifiers[i]} and {table.classifiers[j]}"
    if found.count < 2:
        return [f"{names}: a test needs two {plural(table.axis)} with a value."]
    if found.deviation == 0:
        which = "equal scores" if abs(found.mean) <= SAME else "the same difference"
        return [f"{names}: {which} in every {table.axis}, so the spread says nothing about chance."]
    return []


def _pairs(
    table: _Table,
    found: Sequence[tuple[int, int, Array, FoldMean]],
    method: str,
    better: str,
    asked: tuple[float, float],
) -> list[FoldDifference]:
    """Return the comparisons of all pairs; intervals and p-values hold for all of them together."""
    rope, level = asked
    variances = np.zeros((len(table.classifiers),) * 2)
    for i, j, _, mean in found:
        variances[i, j] = variances[j, i] = mean.error**2 if mean.spreads else math.nan
    tested = [(i, j) for i, j, _, mean in found if mean.spreads]
    largest = largest_difference(variances, tested)
    own_level = level if len(tested) < 2 else 1 - two_sided(largest.limit(1 - level))
    made = []
    for i, j, differences, mean in found:
        adjusted = mean.p if len(tested) < 2 or not mean.spreads else float(largest.above(far_from_zero(mean.p))[0])
        above, below = mean.probability_above(rope), mean.probability_below(-rope)
        low, high = mean.ends(own_level)
        if adjusted >= 1 - level:  # rounding must not tell the interval and the p-value apart
            low, high = min(low, 0.0), max(high, 0.0)
        made.append(
            FoldDifference(
                table.classifiers[i],
                table.classifiers[j],
                tuple(differences.tolist()),
                mean.mean,
                low,
                high,
                mean.statistic,
                mean.freedom,
                mean.p,
                adjusted,
                method,
                first_better=above if better == "higher" else below,
                equivalent=max(0.0, 1 - above - below) if mean.spreads else math.nan,
                second_better=below if better == "higher" else above,
            )
        )
    return made
