"""How likely each of two classifiers is better over data sets, or that they are equivalent.

Also tables of scores, data sets by classifiers, from mappings, data frames or arrays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Name, score_name
from ...algebra.measure import Measure
from ...algebra.score import Undefined
from ...algebra.values import to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, number_of, type_of
from ..folds.compare_folds import check_rope, compare_folds
from ..sampling.draw_weights import check_draws, generator
from ..stats.several_tests import probability_text, rope_text
from .hierarchical_model import FoldSums, draw_next_data_set, shares_of_next

UNSEEN = 1e-6  # stands for the probability of what no draw shows
METHODS = {"signed ranks": "Bayesian signed-rank test", "hierarchical": "Bayesian hierarchical model"}


@dataclass(frozen=True)
class PairProbabilities:
    """Two classifiers over data sets: probabilities, which add up to 1."""

    first: str
    second: str
    first_better: float  # that the first is better by more than the rope
    equivalent: float  # that they differ by at most the rope
    second_better: float


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class DataSetProbabilities:
    """How likely each classifier is better over data sets; printing it gives sentences to quote.

    These are posterior probabilities, not p-values: a large one is evidence for what it is of.

    Attributes
    ----------
    score : str
        What was measured, such as "macro f1".
    better : str
        Which direction is better, "higher" or "lower".
    pairs : tuple of PairProbabilities
        For each two classifiers ``first`` and ``second``: ``first_better``, ``equivalent`` and ``second_better``.
    data_sets : tuple of str
        The names of the data sets.
    rope : float
        Differences up to this one are practically equivalent.
    method : str
        "signed ranks" or "hierarchical".
    draws : int
        How many draws from the posterior the probabilities are shares of.
    """

    score: str
    better: str
    pairs: tuple[PairProbabilities, ...]
    data_sets: tuple[str, ...]
    rope: float
    method: str
    draws: int

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with a row for each two classifiers: names and probabilities.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> c = ix.inference.compare_data_sets([[0.7, 0.8], [0.6, 0.9], [0.5, 0.7]], classifiers=["lr", "rf"]).probabilities()
        >>> c.to_dict()["first"], c.to_dict()["second"]
        (['lr'], ['rf'])
        """
        return {name: [getattr(pair, name) for pair in self.pairs] for name in PairProbabilities.__dataclass_fields__}

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        what = "the next data set" if self.method == "hierarchical" else "most data sets"
        lines = [
            f"{METHODS[self.method]}, {self.score} on {what}, from {number_of(len(self.data_sets), 'data set')}; "
            f"{self.better} is better"
        ]
        return "\n".join([*lines, *map(self._sentence, self.pairs)])

    def _sentence(self, pair: PairProbabilities) -> str:
        shares = _share_text(pair.first_better), _share_text(pair.equivalent), _share_text(pair.second_better)
        return f"{pair.first} and {pair.second}: {rope_text((pair.first, pair.second), shares, self.rope)}."

    def __repr__(self) -> str:
        return f"<DataSetProbabilities: {self.score}, {self.method}, {number_of(len(self.pairs), 'pair')}, rope {self.rope:g}>"


def _share_text(share: float) -> str:
    """Return a share of draws as a probability; that none of them has it does not make it impossible."""
    return probability_text(min(max(share, UNSEEN), 1 - UNSEEN))


def winners(shares: Array, rope: float) -> tuple[float, float, float]:
    """Return in which share of draws each of the three regions is the largest; ties are shared.

    >>> winners(np.array([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.1, 0.1, 0.8]]), 0.01)
    (0.25, 0.25, 0.5)
    """
    counted = shares if rope else shares * [1.0, 0.0, 1.0]
    top = counted >= counted.max(axis=1, keepdims=True) - 1e-12
    found = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    return float(found[0]), float(found[1]), float(found[2])


def signed_rank_probabilities(
    scores: Array, names: tuple[str, ...], facts: tuple[str, str, tuple[str, ...]], rope: float, seed: int | None, draws: int
) -> DataSetProbabilities:
    """Return the probabilities of all pairs of classifiers (columns) over data sets, by signed ranks."""
    check_rope(rope)
    check_draws(draws)
    score, better, data_sets = facts
    sign = 1.0 if better == "higher" else -1.0
    pairs = []
    for i, j in combinations(range(len(names)), 2):
        drawn = draw_shares(sign * (scores[:, i] - scores[:, j]), rope, generator(seed), draws)
        down, same, up = winners(drawn, rope)
        pairs.append(PairProbabilities(names[i], names[j], up, same, down))
    return DataSetProbabilities(score, better, tuple(pairs), data_sets, float(rope), "signed ranks", draws)


@answers_mistakes
def hierarchical_comparison(
    data_sets: Mapping[Any, Any],
    measure: str | Measure | None = None,
    average: str | None = None,
    *,
    axis: str = "fold",
    undefined: Undefined = "exclude",
    better: str | None = None,
    repeats: int | None = None,
    test_share: float | None = None,
    rope: float | None = None,
    seed: int | None = None,
    draws: int = 4000,
) -> DataSetProbabilities:
    """Return the probability that each classifier is better on the next data set, from folds of several.

    The folds of each data set show how uncertain its difference is, and the data sets show how much differences vary. A
    hierarchical model (Corani et al. 2017) combines both, and pulls noisy data sets towards the others. Its posterior is sampled
    here without other libraries; the same seed gives the same result.

    Parameters
    ----------
    data_sets : mapping
        By name, what ``ix.inference.compare_folds`` takes: by classifier, what ``ix.cross_validate`` returns, evaluations with
        ``by={"fold": …}``, what ``ev.folds`` returns, or the scores of the folds.
    measure : str or Measure, optional
        The measure, for evaluations.
    average : str, optional
        The average, for evaluations, as ``ev.folds`` takes it.
    axis : str, default 'fold'
        The name of the by= axis, for evaluations.
    undefined : str or number, default 'exclude'
        What an undefined fold does: 'exclude' leaves it out for both of a pair, a number replaces it, 'nan' keeps it, 'raise' is
        an error.
    better : str, optional
        "higher" or "lower". Default: the direction of the measure; "higher" for plain scores.
    repeats : int, optional
        How often the data were split into folds: 10 for ten times 10 folds. Default: as a cross-validation or a by= axis
        "repeat" says, otherwise 1; more than 20 folds are then refused.
    test_share : float, optional
        The share of the data that is tested on at a time, for random splits (0.2 for 80% and 20%). Default: as a
        cross-validation knows it, otherwise one over the number of folds of one repeat.
    rope : float, optional
        The region of practical equivalence: differences up to this one do not matter; 0 for none. Default: as
        ``ix.inference.compare_folds`` takes it, 0.01 for a score between 0 and 1.
    seed : int, optional
        Seed of the random draws; the same seed gives the same result. Default: 0.
    draws : int, default 4000
        How many draws from the posterior there are.

    Returns
    -------
    DataSetProbabilities
        ``.pairs`` with the probabilities of each two classifiers; printing it gives sentences.

    References
    ----------
    - G. Corani, A. Benavoli, J. Demšar, F. Mangili, M. Zaffalon (2017). Statistical comparison of classifiers through Bayesian
      hierarchical modelling. Machine Learning 106:1817-1837. https://doi.org/10.1007/s10994-017-5641-9

    Examples
    --------
    >>> import indicatrix as ix
    >>> data_sets = {
    ...     "iris": {"lr": [0.90, 0.92, 0.91, 0.93], "rf": [0.93, 0.96, 0.94, 0.95]},
    ...     "wine": {"lr": [0.80, 0.84, 0.82, 0.81], "rf": [0.86, 0.87, 0.88, 0.85]},
    ...     "zoo": {"lr": [0.70, 0.74, 0.72, 0.71], "rf": [0.75, 0.77, 0.78, 0.74]},
    ... }
    >>> found = ix.inference.hierarchical_comparison(data_sets)
    >>> found
    <DataSetProbabilities: score, hierarchical, 1 pair, rope 0.01>
    >>> found.pairs[0].second_better > 0.9
    True
    """
    check_draws(draws)
    if not isinstance(data_sets, Mapping) or len(data_sets) < 2:
        raise ValueError('Give at least two data sets by name, such as {"iris": {"lr": cv1, "rf": cv2}, "wine": …}.')
    how: dict[str, Any] = {"axis": axis, "undefined": undefined, "better": better, "repeats": repeats, "test_share": test_share}
    how["rope"] = rope
    each = {str(name): compare_folds(given, measure, average, **how) for name, given in data_sets.items()}
    first = next(iter(each.values()))
    for name, one in each.items():
        if one.names != first.names:
            alone = [c for c in (*first.names, *one.names) if c not in first.names or c not in one.names] or one.names
            raise ValueError(f"Data set {name!r} does not have the same classifiers in the same order: {listing(alone)}.")
    rope = min(one.rope for one in each.values())
    pairs = []
    for k, pair in enumerate(first.pairs):
        shares = [one.test_share for one in each.values()]
        sums = FoldSums.of([np.array(one.pairs[k].differences) for one in each.values()], shares, rope)
        if (sums.counts < 2).any() or not np.isfinite(sums.means).all():
            raise ValueError(f"{pair.first} and {pair.second} need two folds with a value in each data set.")
        drawn = draw_next_data_set(sums, generator(seed), draws)
        down, same, up = winners(shares_of_next(*drawn, rope), rope)
        ahead, behind = (up, down) if first.better == "higher" else (down, up)
        pairs.append(PairProbabilities(pair.first, pair.second, ahead, same, behind))
    return DataSetProbabilities(first.score, first.better, tuple(pairs), tuple(each), rope, "hierarchical", draws)


PRIOR = 0.5  # the weight of a data set without a difference
BLOCK = 1 << 20  # numbers that are drawn at a time


def draw_shares(differences: Any, rope: float, rng: np.random.Generator, draws: int) -> Array:
    """Return draws of the shares below, inside and above the region of practical equivalence, (draws, 3).

    >>> found = draw_shares([0.1, 0.2, 0.3], 0.01, np.random.default_rng(0), 100)
    >>> found.shape, bool((abs(found.sum(axis=1) - 1) < 1e-12).all())
    ((100, 3), True)
    """
    z = np.append(0.0, np.asarray(differences, np.float64))
    means = (z[:, None] + z) / 2
    above, below = (_step(sign * means - rope) for sign in (1.0, -1.0))
    shape, parts = np.append(PRIOR, np.ones(len(z) - 1)), []
    step = max(1, BLOCK // len(z))
    for start in range(0, draws, step):
        weights = rng.dirichlet(shape, min(step, draws - start))
        down, up = (((weights @ table) * weights).sum(axis=1) for table in (below, above))
        parts.append(np.stack([down, 1 - down - up, up], axis=1))
    return np.concatenate(parts)


def _step(x: Array) -> Array:
    """Return 1 above 0, a half at 0, and 0 below; what is left of rounding counts as 0."""
    close = np.abs(x) <= 1e-12 * max(1.0, float(np.abs(x).max(initial=0.0)))
    return np.where(close, 0.5, (x > 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class DataSetScores:
    """Scores of classifiers (columns) on data sets (rows); no cell is missing."""

    data_sets: tuple[str, ...]
    classifiers: tuple[str, ...]
    scores: Array
    name: str = "score"
    measure: Any = None


def read_score_table(
    given: Any, classifiers: Sequence[Any] | None, measure: Any, average: Name | None, undefined: Undefined
) -> DataSetScores:
    """Return a table of scores; refuse cells that are missing."""
    if isinstance(given, Mapping):
        _refuse_names(classifiers)
        table = _from_mapping(given, measure, average, undefined)
    elif hasattr(given, "columns"):
        _refuse_names(classifiers)
        table = _from_frame(given)
    else:
        table = _from_array(given, classifiers)
    if measure is not None and table.measure is None:
        raise TypeError("measure= is for evaluations; this table has plain scores. Leave it out.")
    _refuse_twice(table.classifiers, "classifier")
    _refuse_twice(table.data_sets, "data set")
    if len(table.classifiers) < 2 or not table.data_sets:
        raise ValueError("Give the scores of at least two classifiers on at least one data set.")
    for row, column in np.argwhere(~np.isfinite(table.scores)):
        raise ValueError(
            f"Data set {table.data_sets[row]!r} has no score of {table.classifiers[column]!r}. Ranks need every classifier on "
            "every data set: add the score, or leave out the data set or the classifier."
        )
    return table


def _refuse_names(classifiers: Any) -> None:
    if classifiers is not None:
        raise TypeError("classifiers= is for arrays; a mapping or a data frame names its classifiers.")


def _refuse_twice(names: Sequence[Any], word: str) -> None:
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ValueError(f"There is more than one {word} with the name {twice[0]!r}. Give each its own name.")


def _from_mapping(given: Mapping[Any, Any], measure: Any, average: Name | None, undefined: Undefined) -> DataSetScores:
    for name, row in given.items():
        if not isinstance(row, Mapping):
            raise TypeError(
                f'Data set {name!r} has {type_of(row)}, not the scores of classifiers by name, as in {{"iris": {{"lr": 0.9, '
                '"rf": 0.95}}.'
            )
    names = dict.fromkeys(name for row in given.values() for name in row)
    if measure is None and any(hasattr(cell, "score") for row in given.values() for cell in row.values()):
        raise TypeError("Name the measure by which the evaluations are compared, such as compare_data_sets(…, 'f1', 'macro').")
    found: list[Any] = []

    def number(cell: Any) -> float:
        if not hasattr(cell, "score"):
            return float(cell)
        score = cell.score(measure, average, undefined=undefined)
        found.append(score)
        return float(score)

    scores = np.array([[number(row[name]) if name in row else math.nan for name in names] for row in given.values()])
    facts = (score_name(found[0].measure, found[0].average), found[0].measure) if found else ("score", None)
    return DataSetScores(tuple(map(str, given)), tuple(map(str, names)), scores.reshape(len(given), len(names)), *facts)


def _from_frame(frame: Any) -> DataSetScores:
    """Return the table of a pandas or Polars data frame; a first column of text names the data sets."""
    names = [*frame.columns]
    _refuse_twice(names, "classifier")
    columns = [frame[name].to_list() for name in names]
    rows = [*getattr(frame, "index", range(1, len(frame) + 1))]  # Polars has no index
    if columns and any(isinstance(x, str) for x in columns[0]):
        rows, names, columns = columns[0], names[1:], columns[1:]
    for name, column in zip(names, columns, strict=True):
        if any(isinstance(x, str) for x in column):
            raise TypeError(f"Column {name!r} has texts; only the first column may name the data sets, the others have scores.")
    scores = np.array(columns, np.float64).reshape(len(names), len(rows)).T
    return DataSetScores(tuple(map(str, rows)), tuple(map(str, names)), scores)


def _from_array(given: Any, classifiers: Sequence[Any] | None) -> DataSetScores:
    try:
        scores = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        scores = np.zeros(())
    if scores.ndim != 2:
        raise TypeError(
            "Give scores by data set and classifier, a data frame, or an array with a row for each data set, not "
            f"{type_of(given)}."
        )
    if classifiers is None or len(classifiers) != scores.shape[1]:
        raise ValueError(f"Name the {scores.shape[1]} columns of the array: classifiers=[…].")
    return DataSetScores(tuple(str(k + 1) for k in range(len(scores))), tuple(map(str, classifiers)), scores)
