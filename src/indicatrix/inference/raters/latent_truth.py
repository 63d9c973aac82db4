"""The truth behind raters, by latent classes.

How frequent each class is, how each rater errs, and evaluations of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.makers import makers
from ...encode.indicator import Indicator
from ...encode.weights import check_by, read_groupings
from ...tally.corrected.by_raters import LEAST, TWO, ByRaters, notes_on
from ...tally.corrected.corrected import Corrected, corrected_tally
from ...tally.corrected.judged_rows import JUDGES, PREDICTIONS, WEIGHT, JudgedRows
from ...tally.corrected.latent_classes import Fit, Rated, fit_latent_classes
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, number_of, short
from .ratings import Ratings


def latent_truth(ratings: Ratings, same: Mapping[Any, Any] | None) -> LatentTruth:
    """Return the truth that explains ratings best; ``same`` maps columns to the rater who gave them."""
    given = dict(same or {})
    odd = [name for name in given if name not in ratings.raters]
    if odd:
        raise ValueError(f"same= names {listing(odd)}; the raters are {listing(ratings.raters)}.")
    who = [given.get(name, name) for name in ratings.raters]
    people = list(dict.fromkeys(who))
    if len(people) < LEAST:
        raise ValueError(f"{TWO} Here {listing(people)} rated.")
    if not (ratings.codes >= 0).any():
        raise ValueError("There are no ratings, so nothing can be said about the truth behind them.")
    return LatentTruth(ratings, tuple(people), tuple(people.index(name) for name in who))


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class LatentTruth:
    """The estimated truth behind ratings, if raters err independently of each other (Dawid and Skene).

    Attributes
    ----------
    ratings : Ratings
        ``.codes`` (items x columns, -1 where missing), ``.raters`` and ``.classes``.
    raters : tuple
        Who rated.
    columns : tuple of int
        Who gave each column.
    """

    ratings: Ratings
    raters: tuple[Any, ...]
    columns: tuple[int, ...]
    _items: Array = field(init=False)  # which distinct row of ratings each item has

    def __post_init__(self) -> None:
        object.__setattr__(self, "_items", self._distinct[1])

    @cached_property
    def _distinct(self) -> tuple[Array, Array]:
        found, place = np.unique(self.ratings.codes, axis=0, return_inverse=True)
        return found, place.ravel()

    @cached_property
    def _found(self) -> tuple[Fit, list[Fit]]:
        times = np.bincount(self._items, self.ratings.weights, len(self._distinct[0])).astype(np.float64)
        return fit_latent_classes(Rated(self._distinct[0], times, np.array(self.columns), len(self.ratings.classes)))

    @property
    def shares(self) -> dict[Any, float]:
        """The share of each class among the items."""
        return dict(zip(self.ratings.classes, self._found[0].shares.tolist(), strict=True))

    @property
    def error_rates(self) -> dict[Any, Array]:
        """For each rater how often an item of each class (rows) is given each class (columns)."""
        return dict(zip(self.raters, self._found[0].rates, strict=True))

    @property
    def memberships(self) -> Indicator:
        """How likely each item belongs to each class, given its ratings."""
        return Indicator(self._found[0].memberships[self._items], self.ratings.classes)

    @property
    def labels(self) -> list[Any]:
        """The most likely class of each item."""
        return [self.ratings.classes[k] for k in self._found[0].memberships.argmax(axis=1)[self._items]]

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Reasons to doubt this truth: raters that err together, or another truth that fits as well."""
        return tuple(notes_on(*self._found, self.ratings.raters))

    def evaluation(self, rater: Any, *, positive: Any = None, by: Mapping[str, Any] | None = None) -> Any:
        """Return the evaluation of one of the raters, such as a classifier, against this truth.

        The rater has to be one of those who tell the truth: against a truth that only the others tell, all its scores come out
        too low. Intervals account for the truth being estimated, but not for raters that err together.

        Parameters
        ----------
        rater : label
            The name of a rater, or of one of its columns.
        positive : label, optional
            The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
        by : mapping or data frame, optional
            Groupings of the items, each an axis, as ``ix.evaluate`` takes them.

        Returns
        -------
        Evaluation
            Of the items that it rated.

        Examples
        --------
        >>> import indicatrix as ix
        >>> raters = {"ann": [0, 0, 1, 1] * 9, "bob": [0, 1, 1, 1] * 9, "model": [0, 0, 1, 0] * 9}
        >>> truth = ix.agreement(raters).latent_truth()
        >>> truth.labels[:4], truth.evaluation("model").score("recall")
        ([0, 0, 1, 1], 0.5)
        """
        if rater not in self.ratings.raters:
            raise ValueError(f"{short(rater)} is not a column of ratings; they are {listing(self.ratings.raters)}.")
        at, codes = self.ratings.raters.index(rater), self.ratings.codes
        others = [k for k in range(codes.shape[1]) if k != at]
        judges = np.where(codes[:, others] < 0, np.nan, codes[:, others])
        columns = {PREDICTIONS: codes[:, [at]].astype(np.float64), JUDGES: judges}
        if self.ratings.weights is not None:
            columns[WEIGHT] = np.asarray(self.ratings.weights, np.float64)[:, None]
        m, n = len(self.ratings.classes), len(codes)
        groups = check_by(None if by is None else read_groupings(by), n)
        rows = JudgedRows(m, False, columns, np.ones(n, np.int64)).regrouped((), groups).counted()
        order = [*others, at]
        method = ByRaters(tuple(self.columns[k] for k in order), tuple(self.ratings.raters[k] for k in order))
        rated = rows.predictions >= 0
        tally = corrected_tally(
            Corrected(rows, method, None if rated.all() else rated),
            self.ratings.classes,
            tuple(groups),
            open=False,
            ordered=self.ratings.ordered,
        )
        return makers().evaluation_of(tally, positive, truth="latent classes")

    def __str__(self) -> str:
        head = f"{number_of(len(self.ratings.codes), 'item')}, {number_of(len(self.raters), 'rater')}"
        shares = ", ".join(f"{name!r} {share:.4f}" for name, share in self.shares.items())
        right = ", ".join(f"{name!r} {self._right(k):.3f}" for k, name in enumerate(self.raters))
        return "\n".join([head, f"shares of classes: {shares}", f"share that is right: {right}", *self.notes])

    __repr__ = __str__

    def _right(self, rater: int) -> float:
        """Return the share of items that a rater gives their class."""
        return float(self._found[0].shares @ np.diagonal(self._found[0].rates[rater]))
