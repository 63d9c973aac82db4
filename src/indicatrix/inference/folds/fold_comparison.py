"""What a comparison over folds found: the differences of pairs of classifiers, in sentences to quote.

Differences within a region are practically equivalent; where none is given, it must fit the scale of the score.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.measure import Measure
from ...algebra.totals import is_total, per_example
from ...algebra.values import Values, to_pandas, to_polars
from ...tasks.folds import plural
from ...words.call_mistakes import answers_mistakes
from ..stats.several_tests import p_text, probability_text, rope_text

BAYES = {"corrected_t": "Bayesian correlated t-test", "cv_clt": "From a flat prior"}
NAMES = {"corrected_t": "corrected resampled", "cv_clt": "paired by example,"}
ROPE = 0.01  # of scores that lie between 0 and 1, or between -1 and 1
WIDEST = 2.0  # range of such scores


@dataclass(frozen=True)
class FoldDifference:
    """Two classifiers over the same folds; differences are of the first minus the second."""

    first: str
    second: str
    differences: tuple[float, ...]  # of the folds that count
    difference: float  # their mean; of "cv_clt" the difference of the pooled scores
    low: float  # the ends of the interval, which is simultaneous over all pairs
    high: float
    statistic: float
    freedom: float
    p: float
    adjusted: float  # p adjusted for all pairs
    method: str
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
        ``difference`` with its interval ``low`` and ``high``; ``statistic``, ``freedom`` and ``p`` of the test ``method``, and p
        ``adjusted`` for all pairs, for which the intervals hold together; and the probabilities ``first_better``, ``equivalent``
        and ``second_better``. What cannot be computed is nan.
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
        >>> c = ix.inference.compare_folds({"lr": [0.7, 0.8, 0.6, 0.7], "rf": [0.8, 0.8, 0.7, 0.9]})
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
        tested = [one for one in self.pairs if not math.isnan(one.p)]
        over = f", simultaneous over {len(tested)} pairs" if len(tested) > 1 else ""
        ahead = pair.first if (pair.difference > 0) == (self.better == "higher") else pair.second
        verdict = f"{ahead} is better" if pair.adjusted < 1 - self.level else "no difference is shown"
        statistic = f"t({pair.freedom:g})" if math.isfinite(pair.freedom) else "z"
        frequent = (
            f"{both}: {'mean' if pair.method == 'corrected_t' else 'pooled'} difference {pair.difference:+.3g}, "
            f"{100 * self.level:.4g}% interval [{pair.low:.3g}, {pair.high:.3g}]; "
            f"{NAMES[pair.method]} {statistic} = {pair.statistic:.2f}, {p_text(pair.adjusted)}{over}: {verdict}."
        )
        up, same, down = map(probability_text, (pair.first_better, pair.equivalent, pair.second_better))
        likely = rope_text((pair.first, pair.second), (up, same, down), self.rope)
        bayes = f"  {BAYES[pair.method]}: {likely}."
        return [frequent, bayes]

    def _folds(self) -> str:
        number, axis = self.values.shape[1], self.values.per[1]
        return f"one {axis}" if number == 1 else f"{number} {plural(axis)}"

    def __repr__(self) -> str:
        return f"<FoldComparison: {self.score} of {', '.join(self.names)} over {self._folds()}>"


def usual_rope(score: str, measure: Any, values: Array) -> tuple[float, str]:
    """Return the usual region of practical equivalence, and why there is none.

    A hundredth is small for a share; for a cost, or another score without bounds, it says nothing.

    >>> import indicatrix as ix, numpy as np
    >>> usual_rope("f1", ix.f1, np.zeros(3)), usual_rope("cost", ix.measure("5*fn + fp"), np.zeros(3))[0]
    ((0.01, ''), 0.0)
    """
    if measure is None:
        known = values[np.isfinite(values)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        fits = low >= -1 and high <= 1
    else:
        low, high = map(float, measure.range)
        fits = high - low <= WIDEST
    if fits:
        return ROPE, ""
    what = "has no bounds" if not math.isfinite(high - low) else f"lies between {low:g} and {high:g}"
    return 0.0, f"No region of practical equivalence: {score} {what}, so say with rope= which difference does not matter."


def note_on_totals(measure: Any, sizes: Any) -> str:
    """Return what the values of folds are, where they are totals; "" where they are not.

    >>> import indicatrix as ix
    >>> note_on_totals(ix.measure("5*fn + fp"), [60, 60]), note_on_totals(ix.f1, [60, 60])
    ("5 * fn + fp is a total: the values are of folds of 60 examples; '(5 * fn + fp) / n' is that of one example.", '')
    """
    if measure is None or not is_total(measure):
        return ""
    few, many = min(sizes), max(sizes)
    examples = f"{few:,}" if few == many else f"{few:,} to {many:,}"
    instead = (
        f"; {per_example(measure)!r} is that of one example" if isinstance(measure, Measure) and measure.reads.formula else ""
    )
    return f"{measure} is a total: the values are of folds of {examples} examples{instead}."
