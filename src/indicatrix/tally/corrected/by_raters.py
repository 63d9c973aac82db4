"""The truth behind several raters, of whom the evaluated one is one.

Nobody's labels are taken for true.

The raters stand in the columns of judges, the evaluated one in that of predictions. It has to be one of them: a truth that the
others alone suggest errs independently of it, and all its scores come out too low (Dawid and Skene 1979, Applied Statistics
28:20-28, https://doi.org/10.2307/2346806).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .fitted_labels import FittedLabels, Method
from .judged_rows import JUDGES, JudgedRows
from .latent_classes import Fit, Rated, fit_latent_classes

LEAST = 3  # raters; two are explained by many truths
PAIRS = 45  # of raters that are tested
CERTAIN = 1e-9  # a variance that is rounding
BY_CHANCE = 0.01  # how often raters who err independently are doubted, at most

INDEPENDENT = (
    "No true label is known: the scores are right if raters, the evaluated one among them, err independently of each other. If "
    "they err together, scores come out too high; gold= with some checked labels shows it."
)
TWO = "Two raters are explained equally well by many truths. Give the labels of three or more, the evaluated one among them."
FEW = (
    "No item has more than {} of the ratings, and one or two for each item are explained equally well by many truths. Some items "
    "need three or more."
)


@dataclass(frozen=True)
class ByRaters(Method):
    """Truth as latent classes.

    ``raters`` are the numbers of who gave each column, the last one the predictions.
    """

    raters: tuple[int, ...]
    names: tuple[str, ...]

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the memberships of rows in the classes, with what each row adds to sums of them."""
        if len(set(self.raters)) < LEAST:
            raise ValueError(TWO)
        columns = np.column_stack([rows.columns[JUDGES], rows.predictions])
        codes = np.nan_to_num(columns, nan=-1.0).astype(np.intp)
        found, others = fit_latent_classes(Rated(codes, rows.mass / rows.typical, np.array(self.raters), rows.m))
        notes = [INDEPENDENT, *notes_on(found, others, self.names)]
        return FittedLabels(found.memberships, lambda d: rows.weight * found.along(d), notes=tuple(notes))

    @classmethod
    def from_data(cls, data: Any) -> ByRaters:
        """Return the method that plain data describe."""
        return ByRaters(tuple(int(k) for k in data["raters"]), tuple(data["names"]))


def notes_on(found: Fit, others: list[Fit], names: tuple[Any, ...]) -> list[str]:
    """Return what speaks against a fit.

    Raters that err together, and other truths that explain the ratings as well.
    """
    notes = []
    pairs = together(found)
    if pairs is None:
        notes.append("So few raters agree with this in any case: it takes four to see that two of them err together.")
    elif pairs[3] * math.erfc(abs(pairs[0]) / math.sqrt(2)) < BY_CHANCE:
        (one, other), (seen, expected) = (names[k] for k in pairs[1]), pairs[2]
        notes.append(
            f"{one!r} and {other!r} agree on {seen:.1%} of items, and independent errors would make it {expected:.1%} "
            f"({abs(pairs[0]):.1f} standard deviations). Some raters err together, not always these two, and these scores "
            "mislead."
        )
    if others:
        shares = np.stack([fit.shares for fit in (found, *others)])
        k = int(np.ptp(shares, axis=0).argmax())
        notes.append(
            f"{len(others) + 1} truths explain the ratings about as well; the share of class {k + 1} of {shares.shape[1]} is "
            f"{shares[0, k]:.3f} here and from {shares[:, k].min():.3f} to {shares[:, k].max():.3f} among them. Intervals do not "
            "know of the others."
        )
    if not found.converged:
        notes.append("The search for the most likely truth did not end; more ratings of each item are needed.")
    return notes


def together(found: Fit) -> tuple[float, tuple[int, int], tuple[float, float], int] | None:
    """Return the pair of columns that agree most unlike independent raters.

    None where ratings can show nothing.

    By how many standard deviations, which columns, the two shares of agreement, and how many pairs were tested. What the fit
    takes from the ratings is part of the standard deviation.
    """
    rated, times = found.rated, found.rated.times
    seen = rated.codes >= 0
    size = {pair: float(times @ (seen[:, pair[0]] & seen[:, pair[1]])) for pair in combinations(range(seen.shape[1]), 2)}
    worst, tested = None, 0
    for pair in sorted(size, key=lambda pair: -size[pair])[:PAIRS]:
        both = seen[:, pair[0]] & seen[:, pair[1]]
        one, other = (rated.rater[k] for k in pair)
        alike = (found.rates[one] * found.rates[other]).sum(axis=1)
        expected = float(found.shares @ alike)
        slopes = np.zeros_like(found.rates)
        for a, b in ((one, other), (other, one)):
            slopes[a] += found.shares[:, None] * found.rates[a] * (found.rates[b] - alike[:, None])
        moves = size[pair] * found.moves(np.vstack([found.shares * (alike - expected), *slopes]))
        agree = both & (rated.codes[:, pair[0]] == rated.codes[:, pair[1]])
        left = np.where(both, agree - expected, 0.0) - moves
        spread = float(times @ left**2)
        if spread > CERTAIN * size[pair]:
            tested += 1
            z = (float(times @ agree) - size[pair] * expected) / spread**0.5
            if worst is None or abs(z) > abs(worst[0]):
                worst = z, pair, (float(times @ agree) / size[pair], expected)
    return None if worst is None else (*worst, tested)
