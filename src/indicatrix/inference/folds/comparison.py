"""Which classifier is better over the same folds: corrected and Bayesian correlated t-tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ...algebra.average import Name, score_name
from ...algebra.call_mistakes import answers_mistakes
from ...algebra.derived_facts import needed_direction
from ...algebra.frames import to_pandas, to_polars
from ...algebra.measure import Measure
from ...algebra.measure_names import split_score
from ...algebra.score import Undefined, UndefinedError, check_undefined
from ...algebra.shares import check_level
from ...algebra.values import Values
from ...algebra.wording import listing, series, short, treatment, type_of
from ...settings.tasks.folds import Folds, plural
from ..p_values.several_tests import holm
from ..p_values.wording import p_text, probability_text
from .equivalence import note_on_totals, usual_rope
from .mean import SAME, FoldMean, share_of_one_fold


@dataclass(frozen=True)
class FoldDifference:
    """Two classifiers over the same folds; differences are of the first minus the second."""

    first: str
    second: str
    differences: tuple[float, ...]  # of the folds that count
    difference: float  # their mean
    low: float
    high: float
    statistic: float
    freedom: int
    p: float
    holm: float  # p adjusted for all pairs
    first_better: float  # probability that the first is better by more than the rope
    equivalent: float  # that they differ by at most the rope
    second_better: float


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class FoldComparison:
    """Classifiers compared over the same folds; printing it gives sentences to quote.

    Attributes
    ----------
    score : str
        What was measured, such as "macro f1".
    better : str
        Which direction is better, "higher" or "lower".
    values : Values
        The score of each classifier (rows) in each fold (columns), with names.
    pairs : tuple of FoldDifference
        For each two classifiers ``first`` and ``second``: the ``differences`` (first minus second) of the folds that count, their
        mean ``difference`` with its interval ``low`` and ``high``; ``statistic``, ``freedom`` and ``p`` of the corrected
        resampled t, and p after ``holm`` over all pairs; and the probabilities ``first_better``, ``equivalent`` and
        ``second_better``. What cannot be computed is nan.
    test_share : float
        The share of the data that is tested on at a time.
    rope : float
        Differences up to this one are practically equivalent.
    level : float
        The level of the intervals.
    notes : tuple of str
        Sentences on what was undefined or could not be tested; often empty.
    """

    score: str
    better: str
    values: Values
    pairs: tuple[FoldDifference, ...]
    test_share: float
    rope: float
    level: float
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classifiers."""
        return tuple(self.values.names[0])

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with a row for each pair: names, difference, interval, test and probabilities.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> c = ix.compare_folds({"lr": [0.7, 0.8, 0.6, 0.7], "rf": [0.8, 0.8, 0.7, 0.9]})
        >>> {name: column for name, column in c.to_dict().items() if name in ("first", "second", "freedom")}
        {'first': ['lr'], 'second': ['rf'], 'freedom': [3]}
        """
        fields = [name for name in FoldDifference.__dataclass_fields__ if name != "differences"]
        return {name: [getattr(pair, name) for pair in self.pairs] for name in fields}

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        share = "" if math.isnan(self.test_share) else f", each tested on {self.test_share:.3g} of the data"
        lines = [f"{self.score} over {self._folds()}{share}; {self.better} is better"]
        wide = max(map(len, self.names))
        for name, row in zip(self.names, np.asarray(self.values), strict=True):
            known = row[np.isfinite(row)]
            deviation = f", sd {known.std(ddof=1):.3g}" if len(known) > 1 else ""
            lines.append(f"  {name:<{wide}}  {f'mean {known.mean():.3f}' if len(known) else 'no value'}{deviation}")
        return "\n".join([*lines, *(line for pair in self.pairs for line in self._sentences(pair)), *self.notes])

    def _sentences(self, pair: FoldDifference) -> list[str]:
        both = f"{pair.first} and {pair.second}"
        if math.isnan(pair.p):
            return [] if math.isnan(pair.difference) else [f"{both}: mean difference {pair.difference:+.3g}, not tested."]
        several = len(self.pairs) > 1
        p = p_text(pair.p) + (f" ({p_text(pair.holm, 'Holm')})" if several else "")
        shown = (pair.holm if several else pair.p) < 1 - self.level
        ahead = pair.first if (pair.difference > 0) == (self.better == "higher") else pair.second
        verdict = f"{ahead} is better" if shown else "no difference is shown"
        frequent = (
            f"{both}: mean difference {pair.difference:+.3g}, "
            f"{100 * self.level:.4g}% interval [{pair.low:.3g}, {pair.high:.3g}]; "
            f"corrected resampled t({pair.freedom}) = {pair.statistic:.2f}, {p}: {verdict}."
        )
        more = f" by more than {self.rope:g}" if self.rope else ""
        same = f"equivalent within {self.rope:g} with {probability_text(pair.equivalent)}, " if self.rope else ""
        bayes = (
            f"  Bayesian correlated t-test: {pair.first} is better{more} with probability {probability_text(pair.first_better)}, "
            f"{same}{pair.second} is better{more} with {probability_text(pair.second_better)}."
        )
        return [frequent, bayes]

    def _folds(self) -> str:
        number, axis = self.values.shape[1], self.values.per[1]
        return f"one {axis}" if number == 1 else f"{number} {plural(axis)}"

    def __repr__(self) -> str:
        return f"<FoldComparison: {self.score} of {', '.join(self.names)} over {self._folds()}>"


@answers_mistakes
def compare_folds(
    classifiers: Mapping[Any, Any],
    measure: str | Measure | None = None,
    average: str | None = None,
    *,
    axis: str = "fold",
    undefined: Undefined = "exclude",
    better: str | None = None,
    test_share: float | None = None,
    rope: float | None = None,
    level: float = 0.95,
) -> FoldComparison:
    """Return which of several classifiers is better over the same folds of a cross-validation.

    For each two classifiers the differences of the folds give the corrected resampled t-test (Nadeau and Bengio 2003), whose
    variance allows for training sets that overlap, and the Bayesian correlated t-test (Corani and Benavoli 2015), which gives the
    probabilities that one is better by more than the region of practical equivalence, that the other is, or that neither is. If
    all differences are the same, nothing is tested.

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
        "higher" or "lower". Left out: as the measure says; "higher" for plain scores.
    test_share : float, optional
        The share of the data that is tested on at a time. Left out: as a cross-validation knows it, otherwise one over the number
        of folds. Give it for folds that are repeated (0.1 for ten times 10 folds) and for random splits (0.2 for 80% and 20%).
    rope : float, optional
        The region of practical equivalence: differences up to this one do not matter. Left out: 0.01 for scores that lie between
        0 and 1, or between -1 and 1; none for others, such as costs.
    level : float, default 0.95
        The level of the intervals.

    Returns
    -------
    FoldComparison
        ``.pairs`` with differences, intervals, tests and probabilities; printing it gives sentences.

    Examples
    --------
    >>> import indicatrix as ix
    >>> lr = [0.71, 0.74, 0.69, 0.73, 0.72]
    >>> rf = [0.78, 0.79, 0.76, 0.75, 0.79]
    >>> print(ix.compare_folds({"lr": lr, "rf": rf}))
    score over 5 folds, each tested on 0.2 of the data; higher is better
      lr  mean 0.718, sd 0.0192
      rf  mean 0.774, sd 0.0182
    lr and rf: mean difference -0.056, 95% interval [-0.0968, -0.0152]; corrected resampled t(4) = -3.81, p = 0.019: rf is better.
      Bayesian correlated t-test: lr is better by more than 0.01 with probability 0.005, equivalent within 0.01 with 0.012, \
rf is better by more than 0.01 with 0.982.
    """
    check_level(level)
    check_undefined(undefined)
    if rope is not None and (isinstance(rope, bool) or not isinstance(rope, int | float) or not 0 <= rope < math.inf):
        raise ValueError(f"rope={rope!r} must be a difference that does not matter, such as 0.01; 0 for none.")
    if not isinstance(classifiers, Mapping) or len(classifiers) < 2:
        raise ValueError('Give at least two classifiers by name, such as {"lr": ev1, "rf": ev2}.')
    measure, average = split_score(measure, average)
    given = {str(name): x for name, x in classifiers.items()}
    if test_share is None:
        test_share = _common_share(given)
    given = {name: getattr(x, "evaluation", x) for name, x in given.items()}  # of what ix.cross_validate returns
    if _have_folds(given):
        table = _table_of_folds(given, measure, average, axis, undefined)
    else:
        table = _table_of_scores(given, measure, undefined)
    direction = choose_direction(better, table.measure)
    share = share_of_one_fold(test_share, table.values.shape[1])
    rope, doubt = (rope, "") if rope is not None else usual_rope(table.name, table.measure, table.values)
    pairs, notes = list[FoldDifference](), list[str]()
    for i, j in combinations(range(len(given)), 2):
        counted, found_notes = _differences(table, i, j)
        found = FoldMean.of(counted, share)
        pairs.append(_pair(table.classifiers[i], table.classifiers[j], counted, found, direction, rope, level))
        notes += [*found_notes, *_doubts(table, i, j, found)]
    adjusted = holm([pair.p for pair in pairs])
    pairs = [replace(pair, holm=float(p)) for pair, p in zip(pairs, adjusted, strict=True)]
    notes += [text for text in (note_on_totals(table.measure, table.sizes), doubt) if text]
    values = Values.of(table.values, (tuple(given), table.folds), per=("classifier", table.axis))
    return FoldComparison(table.name, direction, values, tuple(pairs), share, float(rope), level, tuple(notes))


def _common_share(given: Mapping[str, Any]) -> float | None:
    """Return the share of the data that cross-validations test on at a time; None if it is not known."""
    shares: dict[str, float] = {name: x.test_share for name, x in given.items() if hasattr(x, "test_share")}
    if len(shares) < len(given):
        return None
    if max(shares.values()) - min(shares.values()) > SAME:
        raise ValueError(f"The cross-validations did not test on the same share of the data: {shares}. Use the same folds.")
    return next(iter(shares.values()))


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
            every[name] = x.folds(measure, average, axis=axis, undefined=undefined)
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


def _pair(first: str, second: str, differences: Array, found: FoldMean, better: str, rope: float, level: float) -> FoldDifference:
    """Return the comparison of two classifiers, p not yet adjusted."""
    above, below = found.probability_above(rope), found.probability_below(-rope)
    low, high = found.ends(level)
    return FoldDifference(
        first,
        second,
        tuple(differences.tolist()),
        found.mean,
        low,
        high,
        found.statistic,
        found.freedom,
        found.p,
        holm=math.nan,
        first_better=above if better == "higher" else below,
        equivalent=max(0.0, 1 - above - below) if found.spreads else math.nan,
        second_better=below if better == "higher" else above,
    )
