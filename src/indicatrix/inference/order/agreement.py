"""RankAgreement of scores: whether they put classifiers in the same order, and where they do not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.measure_names import shown_name
from ...algebra.values import to_pandas, to_polars
from ...scores.label_rankings.kendall import kendall
from ...words.call_mistakes import answers_mistakes
from ...words.wording import did_you_mean, number_of, series

MOST, PAIRS = 5, 3  # disagreements that are printed, and pairs of classifiers named in each
ROUNDING, TINY = 1e-12, 1e-15  # values that differ by less, as a share of the larger one or at all, are equal


@answers_mistakes
@dataclass(frozen=True)
class Reversal:
    """Two scores that put at least one pair of classifiers in opposite orders.

    Attributes
    ----------
    one, other : str
        The names of the two scores.
    tau : float
        Kendall's tau of the two orders.
    pairs : tuple of (str, str)
        The classifiers (a, b): by ``one`` a is better than b, by ``other`` b is better than a.
    """

    one: str
    other: str
    tau: float
    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        (a, b), *others = self.pairs
        more = [f"{x} over {y}" for x, y in others[: PAIRS - 1]]
        if len(self.pairs) > PAIRS:
            more.append(number_of(len(self.pairs) - PAIRS, "more pair"))
        also = f"; the same holds for {series(more)}" if more else ""
        return f"{a} is ahead of {b} by {self.one}, but {b} is ahead of {a} by {self.other}{also}"


@answers_mistakes
@dataclass(frozen=True, repr=False, eq=False)
class RankAgreement:
    """Kendall's tau between the orders that every two scores give classifiers, and the rank reversals.

    Attributes
    ----------
    names : tuple of str
        The names of the classifiers.
    scores : tuple of str
        The names of the scores.
    taus : array
        Tau-b of every two scores, more being better turned into less where needed; nan where one of them ties all classifiers.
    reversals : tuple of Reversal
        The pairs of scores that contradict each other, the most contradictory first.
    left_out : tuple of str
        The scores that do not order classifiers, because neither more nor less of them is better.
    notes : tuple of str
        Sentences on scores that are hard to compare; often empty.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a"] * 8 + ["b"] * 2
    >>> lr, rf = ix.evaluate(y, ["a"] * 10), ix.evaluate(y, ["a"] * 5 + ["b"] * 5)
    >>> found = ix.compare({"lr": lr, "rf": rf}, "recall", ["micro", "macro"]).agreement()
    >>> found.tau("micro recall", "macro recall")
    -1.0
    """

    names: tuple[str, ...]
    scores: tuple[str, ...]
    taus: Array
    reversals: tuple[Reversal, ...]
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def tau(self, one: str, other: str) -> float:
        """Return Kendall's tau-b of the orders by two scores.

        Parameters
        ----------
        one, other : str
            The names of two scores, such as "macro f1".

        Returns
        -------
        float
            1 for the same order, -1 for the reverse order; nan if one of them ties all classifiers.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b", "a"])], ["f1", "recall"], "macro")
        >>> both.agreement().tau("macro f1", "macro recall")
        1.0
        """
        return float(self.taus[self._number(one), self._number(other)])

    def _number(self, score: str) -> int:
        if (meant := shown_name(score)) in self.scores:
            return self.scores.index(meant)
        if score not in self.scores:
            hint = did_you_mean(score, self.scores) or f"The scores are {', '.join(self.scores)}."
            raise ValueError(f"There is no score {score!r} in this comparison. {hint}")
        return self.scores.index(score)

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with Kendall's tau of every two scores.

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
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b", "a"])], ["f1", "recall"], "macro")
        >>> [text.get_text() for text in both.agreement().plot().texts]
        ['1.00', '1.00', '1.00', '1.00']
        """
        from ...plots import agreement

        return agreement(self.taus, self.scores, ax=ax)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: every two scores, tau, and how many pairs of classifiers they order differently.

        Returns
        -------
        dict
            A list for each column; one row for each pair of scores.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b", "a"])], "f1", ["micro", "macro"])
        >>> both.agreement().to_dict()
        {'score': ['micro f1'], 'other': ['macro f1'], 'tau': [1.0], 'reversed': [0]}
        """
        found = {(r.one, r.other): len(r.pairs) for r in self.reversals}
        pairs = [*combinations(range(len(self.scores)), 2)]
        names = [(self.scores[i], self.scores[j]) for i, j in pairs]
        return {
            "score": [one for one, _ in names],
            "other": [other for _, other in names],
            "tau": [float(self.taus[pair]) for pair in pairs],
            "reversed": [found.get(name, 0) for name in names],
        }

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        lines = [self._headline()]
        if len(self.names) > 2 and len(self.scores) > 1:
            lines += self._matrix()
        for r in self.reversals[:MOST]:
            lines.append(f"{r.one} and {r.other}{'' if len(self.names) == 2 else self._tau_text(r.tau)}: {r}.")
        if len(self.reversals) > MOST:
            lines.append(f"{number_of(len(self.reversals) - MOST, 'more pair')} of scores disagree: see .reversals.")
        if self.left_out:
            lines.append(f"Not compared, because neither more nor less is better: {series(self.left_out)}.")
        return "\n".join([*lines, *self.notes])

    def _tau_text(self, tau: float) -> str:
        return f" (tau {tau:+.3f}{', the reverse order' if tau == -1 else ''})"

    def _headline(self) -> str:
        k, pairs = len(self.scores), len(self.scores) * (len(self.scores) - 1) // 2
        who = series(self.names) if len(self.names) == 2 else number_of(len(self.names), "classifier")
        if k < 2:
            return f"Only {number_of(k, 'score')} can order {who}, so there is no agreement to measure."
        scores, some = number_of(k, "score"), len(self.reversals)
        if not some:
            return f"No two of {scores} put {who} in opposite orders."
        if len(self.names) == 2:
            return f"Which of {who} is better depends on the score: {some} of {number_of(pairs, 'pair')} of scores disagree."
        order = f"{some} of {number_of(pairs, 'pair')} of scores put some of {who} in opposite orders"
        turned = sum(r.tau == -1 for r in self.reversals)
        return f"{order}{f', {turned} of them all classifiers' if turned else ''}; Kendall's tau:"

    def _matrix(self) -> list[str]:
        """Return the lower triangle of taus, a number for each score at the top."""
        wide, k = max(map(len, self.scores)), len(self.scores)
        heads = "".join(f"{i + 1:>7}" for i in range(k - 1))
        lines = [f"  {'':<{wide + 4}}{heads}"]
        for i, name in enumerate(self.scores):
            cells = "".join(f"{'–':>7}" if math.isnan(t) else f"{t:>+7.2f}" for t in self.taus[i, :i].tolist())
            lines.append(f"  {i + 1:>2}  {name:<{wide}}{cells}".rstrip())
        return lines

    def __repr__(self) -> str:
        pairs = len(self.scores) * (len(self.scores) - 1) // 2
        some = f"{len(self.reversals)} of {number_of(pairs, 'pair')} of scores disagree"
        return f"<RankAgreement: {number_of(len(self.scores), 'score')} of {len(self.names)} classifiers, {some}>"


def agreement(names: Sequence[str], rows: Sequence[Any], notes: Sequence[str] = ()) -> RankAgreement:
    """Return how far scores agree on the order of classifiers.

    Each row has a name, the values of all classifiers, and what is better: "higher", "lower" or "neither". Two scores are
    compared on the classifiers that have both.
    """
    if len(names) < 2:
        raise ValueError("RankAgreement needs at least two classifiers: ix.compare({'lr': ev1, 'rf': ev2}).agreement().")
    used = [row for row in rows if row.better in SIGNS]
    ranks = np.array([places(row.values, row.better) for row in used]).reshape(len(used), len(names))
    taus, reversals = _taus(ranks), []
    for i, j in combinations(range(len(used)), 2):
        if turned := reversed_pairs(ranks[i], ranks[j]):
            pairs = tuple((names[a], names[b]) for a, b in turned)
            reversals.append(Reversal(used[i].name, used[j].name, float(taus[i, j]), pairs))
    reversals.sort(key=lambda r: (r.tau, -len(r.pairs)))
    left_out = tuple(row.name for row in rows if row.better not in SIGNS)
    return RankAgreement(tuple(names), tuple(row.name for row in used), taus, tuple(reversals), left_out, tuple(notes))


def _taus(ranks: Array) -> Array:
    """Return tau of every two rows of ranks, over the columns in which both have one."""
    one, other = np.triu_indices(len(ranks))
    taus = np.full((len(ranks),) * 2, np.nan)
    if len(one):
        known = np.isfinite(ranks)
        a, b = (np.where(known, ranks, 0.0)[rows] for rows in (one, other))
        taus[one, other] = taus[other, one] = kendall(a, b, mask=known[one] & known[other], undefined="nan").values
    return taus


def places(values: Sequence[Any], better: str = "higher") -> Array:
    """Return places of values, the worst 0; equal values share one, and nan stays nan.

    >>> places([0.5, 0.9, None, 0.5]).tolist(), places([0.1 + 0.2, 0.3, 1], "lower").tolist()
    ([0.0, 1.0, nan, 0.0], [1.0, 1.0, 0.0])
    """
    sign = -1.0 if better == "lower" else 1.0
    signed = [math.nan if v is None else sign * float(v) for v in values]
    out = np.full(len(signed), np.nan)
    place, before = -1, math.nan
    for i in sorted((i for i, v in enumerate(signed) if not math.isnan(v)), key=signed.__getitem__):
        v = signed[i]
        if not math.isclose(v, before, rel_tol=ROUNDING, abs_tol=TINY):
            place += 1
        out[i], before = place, v
    return out


def reversed_pairs(one: Array, other: Array) -> list[tuple[int, int]]:
    """Return the pairs (a, b) of classifiers: ``one`` ranks a higher, ``other`` ranks b higher.

    >>> import numpy as np
    >>> reversed_pairs(np.array([0.0, 1, 2]), np.array([1.0, 0, 2]))
    [(1, 0)]
    """
    found = []
    for a, b in combinations(range(len(one)), 2):
        if (one[a] - one[b]) * (other[a] - other[b]) < 0:
            found.append((a, b) if one[a] > one[b] else (b, a))
    return found
