"""Which classifier is better over several data sets, by ranks (Demšar 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Name
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.measure_names import split_score
from ...algebra.score import Undefined, check_undefined
from ...algebra.values import Values, to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of, series
from ..folds.compare_folds import choose_direction
from ..stats.quantiles import chi_square_tail, f_tail, range_above, range_quantile
from ..stats.several_tests import holm, level_text, mid_ranks, p_text, signed_ranks
from .probabilities import DataSetProbabilities, read_score_table, signed_rank_probabilities

DIGITS = 12  # scores that differ only beyond these digits of the largest are tied
AXIS = 60  # characters of the longest axis of a diagram


@dataclass(frozen=True)
class Friedman:
    """Friedman's test that all classifiers have the same mean rank, and Iman and Davenport's F."""

    statistic: float  # chi-squared, corrected for ties
    freedom: int
    p: float
    f: float
    f_freedom: tuple[int, int]
    f_p: float


@dataclass(frozen=True)
class RankDifference:
    """Two classifiers over the same data sets."""

    first: str
    second: str
    wins: int  # data sets on which the first is better
    ties: int
    losses: int
    rank_difference: float  # mean rank of the first minus that of the second: below 0, the first is better
    nemenyi: float  # p-value
    wilcoxon: float  # p-value
    effect: float  # rank-biserial correlation: 1 if the first is always better, -1 if the second is
    holm: float  # Wilcoxon's, adjusted for all pairs


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class DataSetComparison:
    """Classifiers compared over several data sets; printing it gives a diagram and sentences to quote.

    Attributes
    ----------
    score : str
        What was measured, such as "macro f1".
    better : str
        Which direction is better, "higher" or "lower".
    scores : Values
        The score of each classifier (columns) on each data set (rows), with names.
    ranks : Values
        The mean rank of each classifier, with names; 1 is the best, equal scores share their ranks.
    friedman : Friedman
        ``statistic``, ``freedom`` and ``p`` of Friedman's chi-squared, corrected for ties; ``f``, ``f_freedom`` and ``f_p`` of
        Iman and Davenport's F, which is less conservative. They are nan for two classifiers and for one data set.
    critical_difference : float
        Nemenyi: mean ranks that are further apart differ; nan where Friedman is.
    groups : tuple of tuple of str
        The classifiers that Nemenyi's test does not tell apart, best first: the bars of a critical-difference diagram.
    pairs : tuple of RankDifference
        For each two classifiers ``first`` and ``second``: ``wins``, ``ties`` and ``losses`` of the first, ``rank_difference``,
        the p-values ``nemenyi``, ``wilcoxon`` and ``holm``, which is Wilcoxon's adjusted for all pairs, and its ``effect``, the
        rank-biserial correlation: 1 if the first is always better, -1 if the second is.
    level : float
        One minus the chance of calling classifiers different that are not.
    notes : tuple of str
        Sentences on what was not tested, and on what few data sets cannot show; often empty.
    """

    score: str
    better: str
    scores: Values
    ranks: Values
    friedman: Friedman
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[RankDifference, ...]
    level: float
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the classifiers."""
        return self.ranks.names

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the classifiers by mean rank, the best first."""
        return tuple(self.names[k] for k in _order(self.ranks))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with a row for each two classifiers: names, wins, ties, losses, ranks and p-values.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame; ``ranks`` and ``scores`` have both, too.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> c = ix.inference.compare_data_sets([[0.7, 0.8], [0.6, 0.9], [0.5, 0.5]], classifiers=["lr", "rf"])
        >>> {name: column for name, column in c.to_dict().items() if name in ("first", "second", "wins", "ties", "losses")}
        {'first': ['lr'], 'second': ['rf'], 'wins': [0], 'ties': [1], 'losses': [2]}
        """
        return {name: [getattr(pair, name) for pair in self.pairs] for name in RankDifference.__dataclass_fields__}

    to_pandas, to_polars = to_pandas, to_polars

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with the critical-difference diagram: mean ranks, and lines for those not told apart.

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
        >>> rows = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.6, 0.5, 0.7], [0.2, 0.3, 0.5], [0.5, 0.6, 0.7], [0.3, 0.4, 0.6]]
        >>> ax = ix.inference.compare_data_sets(rows, classifiers=["nb", "lr", "rf"]).plot()
        >>> [text.get_text() for text in ax.texts]
        ['critical difference 1.353', 'rf 1.00', 'lr 2.17', 'nb 2.83']
        """
        from ...plots import critical_differences

        ranks = dict(zip(self.names, self.ranks.tolist(), strict=True))
        title = f"Mean ranks by {self.score} over {number_of(len(self.scores), 'data set')}, 1 is the best"
        return critical_differences(ranks, self.groups, difference=self.critical_difference, title=title, ax=ax)

    def probabilities(self, *, rope: float = 0.01, seed: int | None = None, draws: int = 50_000) -> DataSetProbabilities:
        """Return how likely each of two classifiers is better on most data sets: Bayesian signed-rank tests.

        Unlike a p-value, the probability also says whether two classifiers are practically equivalent (Benavoli, Corani, Demšar
        and Zaffalon 2017). The prior is one data set without a difference, of half the weight of the others.

        Parameters
        ----------
        rope : float, default 0.01
            The region of practical equivalence: differences up to this one do not matter.
        seed : int, optional
            Seed of the random draws; the same seed gives the same result. Default: 0.
        draws : int, default 50000
            How many draws from the posterior there are.

        Returns
        -------
        DataSetProbabilities
            ``.pairs`` with the probabilities of each two classifiers; printing it gives sentences.

        References
        ----------
        - A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017). Time for a change: a tutorial for comparing multiple
          classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77):1-36.

        Examples
        --------
        >>> import indicatrix as ix
        >>> rows = [[0.70, 0.80], [0.60, 0.65], [0.55, 0.54], [0.81, 0.86], [0.77, 0.79], [0.90, 0.93]]
        >>> print(ix.inference.compare_data_sets(rows, classifiers=["lr", "rf"]).probabilities(draws=20_000))
        Bayesian signed-rank test, score on most data sets, from 6 data sets; higher is better
        lr and rf: lr is better by more than 0.01 with probability < 0.001, equivalent within 0.01 with 0.012, rf is better by \
more than 0.01 with 0.988.
        """
        facts = self.score, self.better, tuple(map(str, self.scores.names[0]))
        return signed_rank_probabilities(np.asarray(self.scores), self.names, facts, rope, seed, draws)

    def diagram(self) -> str:
        """Return the critical-difference diagram as text: mean ranks, and lines for those not told apart.

        Returns
        -------
        str
            A line for each classifier, the best first, and one for each group; below them the length of the critical difference.

        Examples
        --------
        >>> import indicatrix as ix
        >>> rows = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.6, 0.5, 0.7], [0.2, 0.3, 0.5], [0.5, 0.6, 0.7], [0.3, 0.4, 0.6]]
        >>> print(ix.inference.compare_data_sets(rows, classifiers=["nb", "lr", "rf"]).diagram())
        rank  1              2              3
              |--------------|--------------|
        rf    o                                1.000
        lr                     o               2.167
        nb                                o    2.833
              ==================
                               ============
        CD    =====================            1.353
        """
        k = len(self.names)
        unit = max(4, min(15, AXIS // max(k - 1, 1)))
        wide, length = max(4, *map(len, self.names)), unit * (k - 1) + 1
        mean = dict(zip(self.names, self.ranks.tolist(), strict=True))

        def place(rank: float) -> int:
            return round((rank - 1) * unit)

        numbers = "".join(f"{rank:<{unit}}" for rank in range(1, k)) + str(k)
        lines = [f"{'rank':<{wide}}  {numbers}", f"{'':<{wide}}  {('|' + '-' * (unit - 1)) * (k - 1)}|"]
        lines += [
            f"{name:<{wide}}  {'o':>{place(mean[name]) + 1}}".ljust(wide + length + 4) + f"{mean[name]:.3f}"
            for name in self.order
        ]
        for group in self.groups:
            start, end = place(mean[group[0]]), place(mean[group[-1]])
            lines.append(" " * (wide + 2 + start) + "=" * (end - start + 1))
        if math.isfinite(self.critical_difference):
            over = self.critical_difference > k - 1
            bar = "=" * (length - 1) + ">" if over else "=" * (place(1 + self.critical_difference) + 1)
            lines.append(f"{'CD':<{wide}}  {bar}".ljust(wide + length + 4) + f"{self.critical_difference:.3f}")
        return "\n".join(lines)

    def __str__(self) -> str:
        sets = number_of(len(self.scores), "data set")
        lines = [f"{self.score} of {len(self.names)} classifiers over {sets}; {self.better} is better", self.diagram()]
        return "\n".join([*lines, *self._sentences(), *self.notes])

    def _sentences(self) -> list[str]:
        chance, sentences, f = 1 - self.level, [], self.friedman
        if math.isfinite(f.statistic):
            verdict = "the classifiers differ" if f.f_p < chance else "no difference is shown"
            sentences.append(
                f"Friedman: chi²({f.freedom}) = {f.statistic:.2f}, {p_text(f.p)}; Iman–Davenport: F({f.f_freedom[0]}, "
                f"{f.f_freedom[1]}) = {f.f:.2f}, {p_text(f.f_p)}: {verdict}."
            )
            apart = [_ahead(pair, pair.rank_difference < 0) for pair in self.pairs if pair.nemenyi < chance]
            told = series(apart) if apart else "no mean ranks are told apart"
            sentences.append(f"Nemenyi, critical difference {self.critical_difference:.3f} at {level_text(self.level)}: {told}.")
        tested = [pair for pair in self.pairs if math.isfinite(pair.wilcoxon)]
        if tested:
            shown = [f"{_ahead(pair, pair.effect > 0)} ({p_text(pair.holm)})" for pair in tested if pair.holm < chance]
            how = ", p after Holm" if len(self.pairs) > 1 else ""
            least = f"no difference is shown (smallest {p_text(min(pair.holm for pair in tested))})"
            sentences.append(f"Wilcoxon's signed ranks{how}: {series(shown) if shown else least}.")
        return sentences

    def __repr__(self) -> str:
        best = self.order[0]
        return (
            f"<DataSetComparison: {self.score} of {len(self.names)} classifiers over {number_of(len(self.scores), 'data set')}, "
            f"best mean rank {best}>"
        )


def _ahead(pair: RankDifference, first: bool) -> str:
    return f"{pair.first} before {pair.second}" if first else f"{pair.second} before {pair.first}"


@answers_mistakes
def compare_data_sets(
    scores: Any,
    measure: str | Measure | None = None,
    average: Name | None = None,
    *,
    classifiers: Sequence[Any] | None = None,
    undefined: Undefined = "exclude",
    better: str | None = None,
    level: float = 0.95,
) -> DataSetComparison:
    """Return which of several classifiers is better over several data sets, from their ranks.

    Scores on different data sets are not comparable, so averaging them is unfair; ranks can be averaged. Friedman's test says
    whether the classifiers differ at all, Nemenyi's which mean ranks do, and Wilcoxon's signed-rank test compares two
    classifiers by the sizes of their differences, exactly, also with ties; Holm's method adjusts it for all pairs. Nemenyi's
    result for two classifiers depends on which others are compared; Wilcoxon's does not (Benavoli, Corani and Mangili 2016).

    Parameters
    ----------
    scores : mapping, data frame or array
        ``{"iris": {"lr": 0.9, "rf": 0.95}, "wine": …}`` with a number or an evaluation for each classifier; a pandas or Polars
        data frame with a column for each classifier and a row for each data set, whose first column may name the data sets; or
        an array with ``classifiers=``.
    measure : str or Measure, optional
        The measure, for evaluations.
    average : str or tuple, optional
        The average, for evaluations.
    classifiers : sequence, optional
        The names of the columns of an array.
    undefined : str or number, default 'exclude'
        What an undefined value inside an evaluation does: 'exclude' leaves it out of the average, a number replaces it, 'nan'
        keeps it, 'raise' is an error.
    better : str, optional
        "higher" or "lower". Default: the direction of the measure; "higher" for plain scores.
    level : float, default 0.95
        One minus the chance of calling classifiers different that are not.

    Returns
    -------
    DataSetComparison
        Mean ranks, Friedman's test, the critical difference, groups, and all pairs; printing it draws the diagram.

    References
    ----------
    - J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning Research
      7:1-30. https://www.jmlr.org/papers/v7/demsar06a.html
    - A. Benavoli, G. Corani, F. Mangili (2016). Should we really use post-hoc tests based on mean-ranks? Journal of Machine
      Learning Research 17(5):1-10.

    Examples
    --------
    >>> import indicatrix as ix
    >>> scores = {
    ...     "adult": {"lr": 0.80, "rf": 0.85, "nb": 0.78}, "iris": {"lr": 0.94, "rf": 0.95, "nb": 0.93},
    ...     "liver": {"lr": 0.66, "rf": 0.67, "nb": 0.61}, "lymph": {"lr": 0.78, "rf": 0.84, "nb": 0.80},
    ...     "voting": {"lr": 0.96, "rf": 0.97, "nb": 0.91}, "wine": {"lr": 0.95, "rf": 0.98, "nb": 0.94},
    ... }
    >>> c = ix.inference.compare_data_sets(scores)
    >>> c.ranks, c.groups
    (Values('lr': 2.16667, 'rf': 1, 'nb': 2.83333), (('rf', 'lr'), ('lr', 'nb')))
    >>> print(c)
    score of 3 classifiers over 6 data sets; higher is better
    rank  1              2              3
          |--------------|--------------|
    rf    o                                1.000
    lr                     o               2.167
    nb                                o    2.833
          ==================
                           ============
    CD    =====================            1.353
    Friedman: chi²(2) = 10.33, p = 0.0057; Iman–Davenport: F(2, 10) = 31.00, p < 0.0001: the classifiers differ.
    Nemenyi, critical difference 1.353 at the 5% level: rf before nb.
    Wilcoxon's signed ranks, p after Holm: no difference is shown (smallest p = 0.094).
    With 6 data sets, the p-value of Wilcoxon's test for 3 pairs cannot fall below 0.0938.
    """
    check_level(level)
    check_undefined(undefined)
    measure, average = split_score(measure, average)
    table = read_score_table(scores, classifiers, measure, average, undefined)
    direction = choose_direction(better, table.measure)
    n, k = table.scores.shape
    upward = _round(table.scores if direction == "higher" else -table.scores)
    ranks = mid_ranks(-upward)
    means = Values.of(ranks.mean(axis=0), (table.classifiers,), per=("classifier",))
    friedman = friedman_test(ranks)
    few = math.isnan(friedman.statistic)
    unit = math.sqrt(k * (k + 1) / (6 * n))
    critical = math.nan if few else range_quantile(1 - level, k) / math.sqrt(2) * unit
    pairs = []
    for i, j in combinations(range(k), 2):
        apart = float(means[i] - means[j])
        differences = _round(upward[:, i] - upward[:, j], float(np.abs(upward).max()))
        test = signed_ranks(differences)
        pairs.append(
            RankDifference(
                table.classifiers[i],
                table.classifiers[j],
                int((differences > 0).sum()),
                int((differences == 0).sum()),
                int((differences < 0).sum()),
                apart,
                math.nan if few else range_above(math.sqrt(2) * abs(apart) / unit, k),
                test.p if n > 1 else math.nan,
                test.effect,
                holm=math.nan,
            )
        )
    adjusted = holm([pair.wilcoxon for pair in pairs])
    pairs = [replace(pair, holm=float(p)) for pair, p in zip(pairs, adjusted, strict=True)]
    return DataSetComparison(
        table.name,
        direction,
        Values.of(table.scores, (table.data_sets, table.classifiers), per=("data_set", "classifier")),
        means,
        friedman,
        critical,
        () if few else _groups(means, critical),
        tuple(pairs),
        level,
        _notes(ranks, pairs, level),
    )


def _round(numbers: Array, largest: float | None = None) -> Array:
    """Return numbers without the rounding errors that would break ties."""
    top = float(np.abs(numbers).max()) if largest is None else largest
    if top == 0:
        return numbers
    return np.asarray(np.round(numbers, DIGITS - math.ceil(math.log10(top))))


def friedman_test(ranks: Array) -> Friedman:
    """Return Friedman's test of ranks; nan for fewer than two data sets (rows) or three classifiers."""
    n, k = ranks.shape
    freedom = (k - 1, (k - 1) * (n - 1))
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if k < 3 or n < 2 or spread == 0:
        return Friedman(math.nan, k - 1, math.nan, math.nan, freedom, math.nan)
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    chi2 = (k - 1) * between / spread
    left = n * (k - 1) - chi2
    p = chi_square_tail(chi2, k - 1)
    if left <= 1e-12 * chi2:  # the ranks are the same on every data set: F is infinite, and the chance of it can be counted
        _, times = np.unique(ranks[0], return_counts=True)
        orders = math.factorial(k) / math.prod(math.factorial(int(t)) for t in times)
        return Friedman(chi2, k - 1, p, math.inf, freedom, float(orders ** (1 - n)))
    f = (n - 1) * chi2 / left
    return Friedman(chi2, k - 1, p, f, freedom, f_tail(f, *freedom))


def _order(ranks: Array) -> list[int]:
    return [int(k) for k in np.argsort(np.asarray(ranks), kind="stable")]


def _groups(ranks: Values, critical: float) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of classifiers that span at most the critical difference."""
    order = _order(ranks)
    groups: list[tuple[int, int]] = []
    for start in range(len(order)):
        end = max(k for k in range(start, len(order)) if ranks[order[k]] - ranks[order[start]] <= critical)
        if end > start and (not groups or end > groups[-1][1]):
            groups.append((start, end))
    return tuple(tuple(ranks.names[k] for k in order[start : end + 1]) for start, end in groups)


def _notes(ranks: Array, pairs: list[RankDifference], level: float) -> tuple[str, ...]:
    n, k = ranks.shape
    if n == 1:
        return ("One data set gives ranks, but nothing can be tested.",)
    notes = []
    if k == 2:
        notes.append("Friedman's and Nemenyi's tests need three classifiers; of two, Wilcoxon's test says which is better.")
    if (ranks == (k + 1) / 2).all():
        notes.append("All classifiers are tied on every data set, so nothing can be tested.")
    tied = [f"{pair.first} and {pair.second}" for pair in pairs if pair.ties == n]
    if tied and len(tied) < len(pairs):
        notes.append(f"Tied on every data set, so Wilcoxon's test is not made: {'; '.join(tied)}.")
    least = 2.0 ** (1 - n) * len(pairs)
    if least >= 1 - level and len(tied) < len(pairs):
        family = f" for {len(pairs)} pairs" if len(pairs) > 1 else ""
        notes.append(f"With {n} data sets, the p-value of Wilcoxon's test{family} cannot fall below {min(least, 1):.3g}.")
    return tuple(notes)
