"""Relations: which scores say the same over many classifiers, and which few explain the rest.

Association of columns: correlations of values and ranks, Kendall's tau, mutual information.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...algebra.values import to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ...words.wording import number_of, series
from ..sampling.draw_weights import generator
from ..stats.several_tests import mid_ranks

DIGITS = 12  # digits beyond which scores count as equal: the same score computed in two ways differs by rounding
FEW = 30  # classifiers below which all is uncertain
ALMOST = 1e-12  # by which a distance may miss the threshold
SHOWN = 5  # names of a group that the sentences show; the table has all


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Relations:
    """How scores go together over a population of classifiers; printing it gives sentences and a table.

    Correlations are of scores turned so that higher is better.

    Attributes
    ----------
    names : tuple of str
        The scores that were compared.
    scores : array
        Their values as they are: one row for each classifier, one column for each score.
    classifiers : tuple
        The names of the classifiers, in the order of the rows.
    turned : tuple of str
        The scores of which lower is better. They were multiplied by -1 before anything was computed.
    left_out : mapping
        The scores that were not compared, each with the reason.
    skipped : tuple
        The classifiers that were left out because one of the scores is undefined for them.
    threshold : float
        Kendall's tau from which scores are in one group, and the share of variance from which a score is explained.
    about : str
        What the population is.
    seed : int
        Seed of the random draws.
    """

    names: tuple[str, ...]
    scores: Array
    classifiers: tuple[Any, ...]
    turned: tuple[str, ...]
    left_out: Mapping[str, str]
    skipped: tuple[Any, ...]
    threshold: float
    about: str
    seed: int = 0

    @cached_property
    def _oriented(self) -> Array:
        signs = np.array([-1.0 if name in self.turned else 1.0 for name in self.names])
        return np.asarray(round_scores(self.scores) * signs)

    @cached_property
    def pearson(self) -> Array:
        """Pearson's correlation of each pair of scores: 1 if one is a rising linear function of the other."""
        return correlation(self._oriented)

    @cached_property
    def spearman(self) -> Array:
        """Spearman's correlation of each pair of scores: 1 if one is a rising function of the other."""
        return correlation(mid_ranks(self._oriented.T).T)

    @cached_property
    def kendall(self) -> Array:
        """Kendall's tau-b of each pair of scores: 1 if they rank all classifiers in the same order."""
        return kendall_tau(self._oriented)

    @cached_property
    def mutual_information(self) -> Array:
        """The mutual information of each pair of scores in nats: any dependence, by nearest neighbors.

        The estimator of Kraskov, Stögbauer and Grassberger with three neighbors, on normal scores of the ranks. It is nearly
        unbiased for independent and for normal scores, with a standard deviation of about 0.05 for 500 classifiers. Of a score
        that is a function of the other it shows what the population can show, about the logarithm of its size.
        """
        return mutual_information(self._oriented, self.seed)

    @cached_property
    def linkage(self) -> Array:
        """The tree of a dendrogram, as SciPy draws it: complete linkage of the distances 1 - abs(tau)."""
        if len(self.names) < 2:
            return np.zeros((0, 4))
        far = (1 - np.abs(self.kendall))[np.triu_indices(len(self.names), 1)]
        return np.asarray(_hierarchy().linkage(far, "complete", optimal_ordering=True))

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The scores in the order of the dendrogram: neighbors are as alike as the tree allows."""
        if len(self.names) < 2:
            return self.names
        return tuple(self.names[k] for k in _hierarchy().leaves_list(self.linkage))

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The scores in groups, in this order: inside a group every abs(tau) reaches the threshold."""
        if len(self.names) < 2:
            return (self.names,) if self.names else ()
        found = _hierarchy().fcluster(self.linkage, 1 - self.threshold + ALMOST, "distance")
        number = dict(zip(self.names, found.tolist(), strict=True))
        return tuple(tuple(n for n in self.order if number[n] == k) for k in dict.fromkeys(number[n] for n in self.order))

    @cached_property
    def _explaining(self) -> Explaining:
        return explaining_set(self.spearman, self.threshold, len(self.scores))

    @property
    def smallest(self) -> tuple[str, ...]:
        """A smallest set of scores that explains the rest.

        A linear function of their ranks gives the ranks of every other score, with at least the share ``threshold`` of their
        variance (R², adjusted for the size of the set). Where too many sets would have to be tried, scores are added one by one,
        and ``exact`` is False: a smaller set may exist.
        """
        return tuple(self.names[k] for k in self._explaining.columns)

    @property
    def exact(self) -> bool:
        """Whether no smaller set explains the rest, because all sets were tried."""
        return self._explaining.exact

    @property
    def explained(self) -> dict[str, float]:
        """For each score, the share of the variance of its ranks that the smallest set explains."""
        return dict(zip(self.names, self._explaining.shares.tolist(), strict=True))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with one row for each pair of scores: names, correlations, mutual information.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> r = ix.inference.relations(["f1", "jaccard"], ix.from_confusion([[40, 10], [5, 45]]), "macro", count=50)
        >>> r.to_dict()["score"], r.to_dict()["other"]
        (['macro f1'], ['macro jaccard'])
        """
        one, other = np.triu_indices(len(self.names), 1)
        columns: dict[str, list[Any]] = {"score": [self.names[k] for k in one], "other": [self.names[k] for k in other]}
        for name in ("pearson", "spearman", "kendall", "mutual_information"):
            columns[name] = getattr(self, name)[one, other].tolist()
        return columns

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        lines = [f"{number_of(len(self.names), 'score')} over {self.about}."]
        if len(self.names) > 1:
            lines += [*self._on_groups(), self._on_smallest(), *self._table()]
        if self.turned:
            lines.append(f"Lower is better, so turned around: {_some(self.turned)}.")
        lines += [f"Not compared: {name}, {reason}." for name, reason in self.left_out.items()]
        if self.skipped:
            lines.append(f"{number_of(len(self.skipped), 'classifier')} left out: a score is undefined for them.")
        if len(self.classifiers) < FEW:
            lines.append(f"With {len(self.classifiers)} classifiers, all of this is uncertain; {FEW} or more are better.")
        return "\n".join(lines)

    def _on_groups(self) -> list[str]:
        alike = [group for group in self.groups if len(group) > 1]
        what = f"rank classifiers almost alike (|tau| ≥ {self.threshold:g} within each group)"
        return [f"These {what}: {'; '.join(map(_some, alike))}."] if alike else [f"No two scores {what}."]

    def _on_smallest(self) -> str:
        how = "no smaller set does" if self.exact else "a smaller set may exist, as not all were tried"
        verb = "explains" if len(self.smallest) == 1 else "explain"
        if len(self.smallest) == len(self.names):
            return f"No score is explained by the others (rank R² ≥ {self.threshold:g})."
        return f"{series(self.smallest)} {verb} the rest (rank R² ≥ {self.threshold:g}); {how}."

    def _table(self) -> list[str]:
        number = {name: k for k, group in enumerate(self.groups, 1) for name in group}
        rows = [("score", "group", "nearest other", "tau", "R²")]
        for name in self.order:
            near = np.abs(self.kendall[self.names.index(name)])
            near[self.names.index(name)] = -1
            k = int(near.argmax())
            tau = self.kendall[self.names.index(name), k]
            share = "in the set" if name in self.smallest else f"{self.explained[name]:.2f}"
            rows.append((name, str(number[name]), self.names[k], f"{tau:.2f}", share))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]

    def __repr__(self) -> str:
        return (
            f"<Relations: {number_of(len(self.names), 'score')} over {number_of(len(self.classifiers), 'classifier')}, "
            f"{number_of(len(self.groups), 'group')}>"
        )


def _hierarchy() -> Any:
    special()  # says how to install SciPy where it is missing
    from scipy.cluster import hierarchy

    return hierarchy


def round_scores(scores: Array) -> Array:
    """Return scores as shares of the largest in their column, without the digits that rounding makes."""
    sizes = np.abs(scores).max(axis=0, initial=0.0)
    return np.asarray(np.round(scores / np.where(sizes > 0, sizes, 1), DIGITS))


def _some(names: tuple[str, ...]) -> str:
    """Return names as they are read aloud, the first few of many."""
    return series(names if len(names) <= SHOWN + 1 else [*names[:SHOWN], f"{len(names) - SHOWN} more"])


MANY = 50_000  # sets of one size up to which all are tried
CHUNK = 1000  # sets that are tried at a time
SINGULAR = 1e-9  # relative size below which a direction is not counted, and by which a share may miss the threshold


class Explaining(NamedTuple):
    """Some columns, and which share of the variance of every column they explain."""

    columns: tuple[int, ...]
    shares: Array
    exact: bool  # no smaller set explains all columns


def explaining_set(correlations: Array, threshold: float, n: float = math.inf) -> Explaining:
    """Return a smallest set that explains a share of the variance of every column with ``n`` rows.

    All sets of one column are tried, then all of two, and so on; of the smallest that are enough, the one is taken that explains
    the least explained column best. Where more than 50,000 sets would have to be tried, columns are added one by one instead,
    and those that turn out not to be needed are left out.

    >>> pairs = np.array([[1, 0.99, 0], [0.99, 1, 0], [0, 0, 1]])
    >>> explaining_set(pairs, 0.95).columns
    (0, 2)
    """
    if not len(correlations):
        return Explaining((), np.zeros(0), True)
    found = _one_by_one(correlations, threshold, n)
    for size in range(1, len(found) + 1):
        if math.comb(len(correlations), size) > MANY:
            return Explaining(found, explained_shares(correlations, np.array([found]), n)[0], False)
        best, shares = _best_of(correlations, size, n)
        if shares.min() >= threshold - SINGULAR:
            return Explaining(best, shares, True)
    raise AssertionError("the set that was found one by one is among those that were tried")


def _best_of(correlations: Array, size: int, n: float) -> tuple[tuple[int, ...], Array]:
    """Return the set of some size that explains the least explained column best, the first of several."""
    best: tuple[tuple[int, ...], Array] = (), np.zeros(1)
    every, most = combinations(range(len(correlations)), size), -1.0
    while chunk := [*islice(every, CHUNK)]:
        shares = explained_shares(correlations, np.array(chunk), n)
        least = shares.min(axis=1).round(12)
        if least.max() > most:
            k = int(least.argmax())
            best, most = (chunk[k], shares[k]), float(least[k])
    return best


def explained_shares(correlations: Array, sets: Array, n: float = math.inf) -> Array:
    """Return which share of the variance of each column each set explains: R² of linear regression.

    It is adjusted for the size of the set: in ``n`` rows, n - 1 columns of noise explain everything.
    """
    inside = correlations[sets[:, :, None], sets[:, None, :]]
    across = correlations[sets]  # sets x members x columns
    shares = np.einsum("skp,skl,slp->sp", across, np.linalg.pinv(inside, rcond=SINGULAR, hermitian=True), across)
    if math.isfinite(n):
        left = n - 1 - sets.shape[1]
        shares = 1 - (1 - shares) * (n - 1) / left if left > 0 else np.zeros_like(shares)
    np.put_along_axis(shares, sets, 1.0, axis=1)
    return np.asarray(np.clip(shares, 0, 1))


def _one_by_one(correlations: Array, threshold: float, n: float) -> tuple[int, ...]:
    p = len(correlations)
    chosen: list[int] = []
    while not chosen or explained_shares(correlations, np.array([chosen]), n).min() < threshold - SINGULAR:
        others = [k for k in range(p) if k not in chosen]
        shares = explained_shares(correlations, np.array([[*chosen, k] for k in others]), n)
        enough = (shares >= threshold - SINGULAR).sum(axis=1)
        chosen.append(others[int(np.lexsort((-shares.mean(axis=1).round(12), -enough))[0])])
    for k in [*chosen]:
        rest = [c for c in chosen if c != k]
        if rest and explained_shares(correlations, np.array([rest]), n).min() >= threshold - SINGULAR:
            chosen = rest
    return tuple(sorted(chosen))


NEIGHBORS = 3  # of each point, whose distance sets the scale of the estimate of mutual information


def correlation(columns: Array) -> Array:
    """Return Pearson's correlation of each pair of columns that vary."""
    apart = columns - columns.mean(axis=0)
    return _scale(apart.T @ apart)


def kendall_tau(columns: Array) -> Array:
    """Return Kendall's tau-b of each pair of columns that vary.

    Pairs of rows that both put in the same order, minus those in opposite orders, divided by the pairs without ties.

    >>> kendall_tau(np.array([[1.0, 1.0], [2.0, 3.0], [3.0, 2.0]]))[0, 1].round(4)
    np.float64(0.3333)
    """
    total = np.zeros((columns.shape[1],) * 2)
    for row in columns:
        signs = np.sign(columns - row)
        total += signs.T @ signs
    return _scale(total)


def _scale(products: Array) -> Array:
    sizes = np.sqrt(np.diagonal(products))
    out = np.asarray(np.clip(products / np.outer(sizes, sizes), -1, 1))
    np.fill_diagonal(out, 1.0)
    return out


def mutual_information(columns: Array, seed: int = 0) -> Array:
    """Return the mutual information of each pair of columns in nats, by nearest neighbors.

    The estimator of Kraskov, Stögbauer and Grassberger with three neighbors, on normal scores of the ranks, so that only the
    order of the numbers matters; equal numbers are put in a random order. It sees any dependence, not only a rising or a falling
    one. It is nearly unbiased for independent and for normal columns, with a standard deviation of about 0.05 for 500 rows;
    negative estimates are 0. A column that is a function of another has no more information than the rows can show, about
    the logarithm of their number. The diagonal is infinite.
    """
    rng, (n, p) = generator(seed), columns.shape
    scores = np.stack([_normal_scores(column, rng) for column in columns.T], axis=1)
    out = np.full((p, p), np.inf)
    for i in range(p):
        for j in range(i):
            out[i, j] = out[j, i] = _from_neighbors(scores[:, i], scores[:, j]) if n > NEIGHBORS else np.nan
    return out


def _normal_scores(column: Array, rng: np.random.Generator) -> Array:
    places = np.empty(len(column))
    places[np.lexsort((rng.random(len(column)), column))] = np.arange(len(column))
    return np.asarray(special().ndtri((places + 0.5) / len(column)))


def _from_neighbors(x: Array, y: Array) -> float:
    digamma = special().digamma
    from scipy.spatial import cKDTree

    both = np.stack([x, y], axis=1)
    near = cKDTree(both).query(both, NEIGHBORS + 1, p=np.inf)[0][:, -1]
    inside = [_within(side, near) for side in (x, y)]
    found = digamma(NEIGHBORS) + digamma(len(x)) - np.mean(digamma(inside[0] + 1) + digamma(inside[1] + 1))
    return max(float(found), 0.0)


def _within(x: Array, distance: Array) -> Array:
    """Return how many other numbers are nearer to each number than a distance."""
    ordered = np.sort(x)
    return np.asarray(np.searchsorted(ordered, x + distance, "left") - np.searchsorted(ordered, x - distance, "right") - 1)


def special() -> Any:
    """Return scipy.special, or say how to install it."""
    try:
        from scipy import special
    except ImportError as missing:
        raise ImportError("Relations between scores need SciPy: pip install 'indicatrix[inference]'.") from missing
    return special
