"""Ratings as codes: one row per item, one column per rater, -1 where a rating is missing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.containers import read
from ...encode.encoders import Classes, classes_of_labels
from ...encode.factorize import objection
from ...encode.plain_forms import Labels, is_missing
from ...encode.vocabulary import check_classes, vocabulary
from ...encode.weights import check_row_labels
from ...scores.score_input import plain_weights
from ...words.wording import number_of, short

PLAIN = frozenset({int, str, bool})  # types of labels that need no further look: none of them is missing
MANTISSA, HALF = 53, 26  # bits of a float64
SHAPE = "ratings must be a table with one row per item and one column per rater, or a mapping"
TABLE = "Give a table with one row per item and one column per rater, or a mapping from raters to their labels."


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who rated what how: codes into the classes, -1 where a rating is missing."""

    codes: Array  # items x raters
    raters: tuple[Any, ...]
    classes: tuple[Any, ...]
    ordered: bool  # whether the caller gave the classes, so that their order means something
    weights: Array | None = None  # one per item; None: all are 1
    fixed: bool = False  # whether the caller gave the classes, so that there are no others

    def take(self, items: Array) -> Ratings:
        """Return the ratings of some items, by their places or by a mask."""
        return replace(self, codes=self.codes[items], weights=None if self.weights is None else self.weights[items])

    def with_pairs(self) -> Ratings:
        """Return the ratings of items that have a weight and two ratings or more."""
        used = (self.codes >= 0).sum(axis=1) > 1
        return self.take(used if self.weights is None else used & (self.weights != 0))

    def usable(self) -> Ratings:
        """Return the items with pairs, and the raters who rated one of them."""
        some = self.with_pairs()
        here = np.asarray((some.codes >= 0).any(axis=0))
        raters = tuple(rater for rater, used in zip(self.raters, here, strict=True) if used)
        return replace(some, codes=some.codes[:, here], raters=raters)

    def with_labels(self, labels: Any) -> Ratings:
        """Return the ratings with a last column: one label per item, None where it is missing."""
        column = _plain(labels)
        if len(column) != len(self.codes):
            raise ValueError(f"labels has {len(column)} items, and the raters have {len(self.codes)}.")
        new = {x for x in column if x is not None} - set(self.classes)
        if new and self.fixed:
            at = next(i for i, x in enumerate(column) if x in new)
            raise ValueError(f"labels[{at}] = {column[at]!r} is not in classes={self.classes!r}. Add it, or drop it.")
        classes = _in_order({*self.classes, *new}, "labels") if new else self.classes
        codes = np.array([classes.index(x) for x in self.classes] + [-1])[self.codes]  # a missing one stays missing
        last = np.array([-1 if x is None else classes.index(x) for x in column], np.int64)
        return replace(self, codes=np.column_stack((codes, last)), raters=(*self.raters, "labels"), classes=classes)

    def table(self, one: int, other: int) -> Array:
        """Return how often two raters gave each pair of classes, exactly, over the items that both rated."""
        m, total = len(self.classes), np.full((len(self.classes),) * 2, 0, object)
        for codes, times, unit in self.by_weight():
            a, b = codes[:, one], codes[:, other]
            both = (a >= 0) & (b >= 0)
            # Sums of halves of mantissas are below 2**53, so the floats of bincount are exact.
            pairs = np.bincount(a[both] * m + b[both], times[both], minlength=m * m).reshape(m, m)
            total = total + pairs.astype(np.int64).astype(object) * (unit if self.weights is not None else 1)
        return total

    def by_weight(self) -> Iterator[tuple[Array, Array, Fraction]]:
        """Yield codes of items, whole numbers that say how much each counts, and the unit of these numbers.

        A weight is its mantissa times a power of two. Weights with the same power are added at once, in two halves that cannot
        overflow; so sums of weights are exact, however many different ones there are.
        """
        if self.weights is None:
            yield self.codes, np.ones(len(self.codes), np.int64), Fraction(1)
            return
        mantissas, powers = np.frexp(self.weights)
        whole = np.ldexp(mantissas, MANTISSA).astype(np.int64)
        for power in np.unique(powers).tolist():
            here = powers == power
            for part, shift in ((whole[here] >> HALF, HALF), (whole[here] & (1 << HALF) - 1, 0)):
                if part.any():
                    yield self.codes[here], part, Fraction(2) ** (power - MANTISSA + shift)

    def counts(self) -> Array:
        """Return how many raters gave each class to each item."""
        return counts_of_classes(self.codes, len(self.classes))


def counts_of_classes(codes: Array, m: int) -> Array:
    """Return how often each of m classes occurs in each row of codes."""
    return np.stack([(codes == k).sum(axis=1) for k in range(m)], axis=1) if m else np.zeros((len(codes), 0), np.int64)


def read_ratings(ratings: Any, classes: Iterable[Any] | None, sample_weight: Any = None) -> Ratings:
    """Return the ratings of a mapping, a data frame, or a table with one row per item."""
    raters, columns = _columns(ratings)
    if len(columns) < 2:
        given = f"{number_of(len(columns), 'rater')} {'was' if len(columns) == 1 else 'were'} given"
        raise ValueError(f"Agreement needs two raters or more; {given}. One column is one rater.")
    named = {f"ratings[{name!r}]": column for name, column in zip(raters, columns, strict=True)}
    check_row_labels({**named, "sample_weight": sample_weight})
    labels = [_plain(column) for column in columns]
    _check_cells(raters, labels)
    found = {x for column in labels for x in column if x is not None}
    texts = {x for x in found if isinstance(x, str)}
    if classes is None and texts and texts != found:
        one, other = next(iter(texts)), next(iter(found - texts))
        raise TypeError(
            f"ratings mixes label types: {one!r} is text, and {other!r} is not. Convert all to one type, or pass classes=."
        )
    declared = _declared_classes(raters, columns) if classes is None else Classes(check_classes(classes), ordered=True)
    names = declared.names if declared else _in_order(found, "ratings")
    at = {name: k for k, name in enumerate(names)}
    if unknown := found - at.keys():
        cells = ((rater, i, x) for rater, column in zip(raters, labels, strict=True) for i, x in enumerate(column))
        rater, i, x = next(cell for cell in cells if cell[2] in unknown)
        raise ValueError(f"Rating {x!r} of rater {rater!r}, item {i}, is not in classes={names!r}. Add it, or drop it.")
    codes = np.array([[-1 if x is None else at[x] for x in column] for column in labels], np.int64).T
    codes, weights = codes.reshape(-1, len(raters)), plain_weights(sample_weight, len(labels[0]))
    ordered = declared.ordered if declared else not any(isinstance(x, str) for x in names)
    return Ratings(codes, raters, names, ordered, weights, fixed=declared is not None)


def _check_cells(raters: tuple[Any, ...], labels: list[list[Any]]) -> None:
    """Refuse a rating that is not a label, such as a list."""
    for rater, column in zip(raters, labels, strict=True):
        for i, x in enumerate(column):
            if x is not None and type(x) not in PLAIN and (reason := objection(x)):
                raise TypeError(
                    f"Rating {short(x)} of rater {rater!r}, item {i}, cannot be a label: {reason}. Give a row for each item, "
                    "a column for each rater, and one label in each cell."
                )


def _declared_classes(raters: tuple[Any, ...], columns: list[Any]) -> Classes | None:
    """Return the classes that categoricals declare, if the ratings of all raters are such columns."""
    named = [(f"the ratings of {rater!r}", column) for rater, column in zip(raters, columns, strict=True)]
    forms = [(read(column, argument), argument) for argument, column in named if hasattr(column, "dtype")]
    declared = [(form, argument) for form, argument in forms if isinstance(form, Labels) and form.declared]
    return classes_of_labels(declared, None) if len(declared) == len(columns) else None


def _in_order(found: set[Any], argument: str) -> tuple[Any, ...]:
    """Return ratings in order; here numbers that are not whole are ratings, not scores."""
    if any(isinstance(x, float) and not x.is_integer() for x in found) and all(isinstance(x, int | float) for x in found):
        if any(math.isinf(x) for x in found):
            raise ValueError(f"{argument} holds an infinite number, which is not a rating. Use None where a rating is missing.")
        return tuple(sorted(int(x) if float(x).is_integer() else x for x in found))
    return vocabulary(found, argument)


def _plain(labels: Any) -> list[Any]:
    """Return labels as plain Python objects, None where one is missing."""
    given = _as_list(labels)
    if PLAIN.issuperset(map(type, given)):
        return given
    return [None if is_missing(x) else x.item() if hasattr(x, "item") and not x.shape else x for x in given]


def _as_list(given: Any) -> list[Any]:
    """Return what a container holds, as a list.

    An array gives its numbers as Python's; its own scalars may not be equal to each other in a set.
    """
    return list(given.tolist() if hasattr(given, "tolist") else given)


def _columns(ratings: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """Return the names of the raters, and the labels that each gave, as a container."""
    if hasattr(ratings, "columns") and hasattr(ratings, "__getitem__"):  # a data frame
        ratings = {name: ratings[name] for name in ratings.columns}
    return _columns_of_raters(ratings) if isinstance(ratings, Mapping) else _columns_of_rows(ratings)


def _columns_of_raters(ratings: Mapping[Any, Any]) -> tuple[tuple[Any, ...], list[Any]]:
    for name, labels in ratings.items():
        if isinstance(labels, str) or not hasattr(labels, "__iter__"):
            raise TypeError(f"The ratings of {name!r} are {short(labels)}; give a list with one rating for each item.")
    columns = [labels if hasattr(labels, "__len__") else list(labels) for labels in ratings.values()]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        sizes = ", ".join(f"{name!r} {len(column)}" for name, column in zip(ratings, columns, strict=True))
        raise ValueError(f"Raters have different numbers of items: {sizes}. Use None where a rating is missing.")
    return tuple(ratings), columns


def _columns_of_rows(ratings: Any) -> tuple[tuple[Any, ...], list[Any]]:
    if isinstance(ratings, str):
        raise ValueError(f"{SHAPE}; this is a text.")
    if not hasattr(ratings, "__iter__"):
        raise TypeError(f"ratings={short(ratings)} is not a table. {TABLE}")
    items = _as_list(ratings)
    for i, row in enumerate(items):
        if isinstance(row, str) or not hasattr(row, "__iter__") or getattr(row, "shape", None) == ():
            raise TypeError(f"ratings[{i}] = {short(row)} is one value, not the ratings of an item. {TABLE}")
    rows = [_as_list(row) for row in items]
    widths = {len(row) for row in rows} or {*getattr(ratings, "shape", ())[1:2]}  # an array without items still has raters
    if len(widths) != 1:
        given = f"rows of {min(widths)} to {max(widths)} ratings" if rows else "no items"
        raise ValueError(f"{SHAPE}; these are {given}.")
    (width,) = widths
    return tuple(range(width)), [[row[j] for row in rows] for j in range(width)]
