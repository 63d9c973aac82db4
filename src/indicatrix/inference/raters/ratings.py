"""Ratings as codes: one row per item, one column per rater, -1 where a rating is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.wording import number_of
from ...encode.plain_forms import is_missing
from ...encode.vocabulary import check_classes, vocabulary


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who rated what how: codes into the classes, -1 where a rating is missing."""

    codes: Array  # items x raters
    raters: tuple[Any, ...]
    classes: tuple[Any, ...]
    ordered: bool  # whether the caller gave the classes, so that their order means something

    def table(self, one: int, other: int) -> Array:
        """Return how often two raters gave each pair of classes, over the items that both rated."""
        m, (a, b) = len(self.classes), (self.codes[:, one], self.codes[:, other])
        both = (a >= 0) & (b >= 0)
        return np.bincount(a[both] * m + b[both], minlength=m * m).reshape(m, m)

    def counts(self) -> Array:
        """Return how many raters gave each class to each item."""
        m = len(self.classes)
        return np.stack([(self.codes == k).sum(axis=1) for k in range(m)], axis=1) if m else np.zeros((len(self.codes), 0), int)


def read_ratings(ratings: Any, classes: Iterable[Any] | None) -> Ratings:
    """Return the ratings of a mapping, a data frame, or a table with one row per item."""
    raters, columns = _columns(ratings)
    if len(columns) < 2:
        raise ValueError(
            f"Agreement needs two raters or more; {number_of(len(columns), 'rater')} was given. One column is one rater."
        )
    labels = [[None if is_missing(x) else x.item() if isinstance(x, np.generic) else x for x in column] for column in columns]
    found = {x for column in labels for x in column if x is not None}
    names = vocabulary(found, "ratings") if classes is None else check_classes(classes)
    at = {name: k for k, name in enumerate(names)}
    for rater, column in zip(raters, labels, strict=True):
        for i, x in enumerate(column):
            if x is not None and x not in at:
                raise ValueError(f"Rating {x!r} of rater {rater!r}, item {i}, is not in classes={names!r}. Add it, or drop it.")
    codes = np.array([[-1 if x is None else at[x] for x in column] for column in labels], np.int64).T
    return Ratings(
        codes.reshape(-1, len(raters)), raters, names, classes is not None or not any(isinstance(x, str) for x in names)
    )


def _columns(ratings: Any) -> tuple[tuple[Any, ...], list[list[Any]]]:
    """Return the names of the raters, and the labels that each gave."""
    if hasattr(ratings, "columns") and hasattr(ratings, "__getitem__"):  # a data frame
        ratings = {name: list(ratings[name]) for name in ratings.columns}
    if isinstance(ratings, Mapping):
        columns = [list(labels) for labels in ratings.values()]
        lengths = {len(column) for column in columns}
        if len(lengths) > 1:
            sizes = ", ".join(f"{name!r} {len(column)}" for name, column in zip(ratings, columns, strict=True))
            raise ValueError(f"Raters have different numbers of items: {sizes}. Use None where a rating is missing.")
        return tuple(ratings), columns
    rows = [list(row) for row in ratings] if not isinstance(ratings, str) else []
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        given = (
            "a text"
            if isinstance(ratings, str)
            else "no items"
            if not rows
            else f"rows of {min(widths)} to {max(widths)} ratings"
        )
        raise ValueError(
            f"ratings must be a table with one row per item and one column per rater, or a mapping; these are {given}."
        )
    (width,) = widths
    return tuple(range(width)), [[row[j] for row in rows] for j in range(width)]
