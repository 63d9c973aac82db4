"""Pooling: the instance scores of a bag become one score, column by column (sec:mil)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import numpy as np

from ..algebra.arrays import Array, refuse_where
from ..encode.containers import read
from ..encode.decisions import as_scores, vector_of_scores
from ..encode.factorize import factorize
from ..encode.plain_forms import Labels
from ..encode.vocabulary import missing_rows
from ..words.wording import short

Pool = str | Callable[[Array], Any]


@dataclass(frozen=True, eq=False)
class Bags:
    """Which instance is in which bag; bags are numbered in order of first appearance."""

    names: tuple[Any, ...]
    bag: Array  # the number of the bag of each instance
    first: Array  # the first instance of each bag
    sizes: Array  # how many instances each bag has


def read_bags(bags: Any) -> Bags:
    """Return which instance is in which bag; every instance must have a bag."""
    form = read(bags, "bags")
    if not isinstance(form, Labels):
        raise ValueError("bags must have one value per instance, in one dimension: the bag of the instance.")
    form = factorize(form, "bags")
    absent = missing_rows(form)
    if absent is not None:
        raise ValueError(f"bags[{int(absent.argmax())}] is missing; every instance belongs to a bag. Give it one, or drop it.")
    found, first, place = np.unique(form.values, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    names = found[order].tolist()
    if form.categories is not None:
        names = [form.categories[i] for i in names]
    return Bags(tuple(names), rank[place], first[order], np.bincount(place, minlength=len(order))[order])


def read_scores(scores: Any, held: Bags) -> Array:
    """Return scores as floats, in their precision: one score, or one row of scores, per instance."""
    form = read(scores, "scores")
    values = vector_of_scores(form, "scores") if isinstance(form, Labels) else as_scores(form, "scores")
    values = values if values.dtype.kind == "f" else values.astype(np.float64)
    if len(values) != len(held.bag):
        raise ValueError(f"scores has {len(values)} instances and bags {len(held.bag)}; they must describe the same instances.")
    if np.isnan(values).any():
        row, column = map(int, np.argwhere(np.isnan(values))[0])
        raise ValueError(f"scores[{row}, {column}] is NaN: a score is needed for every instance. Fill it, or drop the instance.")
    return values


def pool_scores(values: Array, held: Bags, pool: Pool) -> Array:
    """Return the pooled score, or row of scores, of each bag.

    It is computed in float64 and returned in the precision of the scores.
    """
    if not callable(pool):
        _check(values, pool)
    if not len(values):
        return values[:0]
    columns = values.reshape(len(values), -1).T.astype(np.float64)
    if callable(pool):
        try:
            made = [_by_function(column, held, pool) for column in columns]
        except TypeError as error:
            raise TypeError(f"pool={short(pool)} does not give a number for the scores of a bag: {error}.") from error
    else:
        starts = np.cumsum(held.sizes) - held.sizes
        # Instances are sorted by bag and, within it, by score: so rounding does not depend on the given order.
        made = [POOLS[pool](column[np.lexsort((column, held.bag))], starts, held.sizes) for column in columns]
    whole = np.stack(made, axis=-1) if made else np.empty((len(held.names), 0))
    return whole.reshape(len(held.names), *values.shape[1:]).astype(values.dtype)


def _check(values: Array, pool: str) -> None:
    if not isinstance(pool, str) or pool not in POOLS:
        known = ", ".join(map(repr, POOLS))
        raise ValueError(f"pool={short(pool)} is unknown. Use {known}, or a function of the scores of a bag.")
    fit, why = FIT.get(pool, (None, ""))
    if fit is not None:
        refuse_where(~fit(values), "scores", values, f"{why}. Rescale the scores, or use another pool.")


def _mean(x: Array, starts: Array, sizes: Array) -> Array:
    """Return means, clipped to lie between the lowest and the highest score in spite of rounding."""
    shrink = 2.0**-120 if np.abs(x).max() > 2.0**900 else 1.0  # sums of huge scores stay finite
    with np.errstate(over="ignore"):
        means = np.add.reduceat(x * shrink, starts) / sizes / shrink
    return np.asarray(np.clip(means, x[starts], x[starts + sizes - 1]))


def _noisy_or(x: Array, starts: Array, sizes: Array) -> Array:
    """Return 1 - Π(1 - p).

    For a single instance it is its score. It is never below any score of the bag, in spite of rounding.
    """
    greatest = x[starts + sizes - 1]
    either = np.maximum(1 - np.multiply.reduceat(1 - x, starts), greatest)
    return np.asarray(np.where(sizes == 1, greatest, either))


POOLS: dict[str, Callable[[Array, Array, Array], Array]] = {
    "max": lambda x, starts, sizes: x[starts + sizes - 1],
    "mean": _mean,
    "noisy_or": _noisy_or,
}
FIT: dict[str, tuple[Callable[[Array], Array], str]] = {  # which scores a pool accepts
    "mean": (np.isfinite, "a mean needs finite scores"),
    "noisy_or": (lambda x: (x >= 0) & (x <= 1), "noisy_or combines probabilities, numbers in [0, 1]"),
}


def _by_function(column: Array, held: Bags, pool: Callable[[Array], Any]) -> Array:
    grouped = np.split(column[np.argsort(held.bag, kind="stable")], np.cumsum(held.sizes)[:-1])
    out = np.empty(len(grouped))
    for i, mine in enumerate(grouped):
        one = np.asarray(pool(mine.copy()))
        if one.ndim or one.dtype.kind not in "biuf" or np.isnan(one):
            raise ValueError(
                f"pool= gave {short(one.tolist())} for bag {short(held.names[i])}; it must return one number for the scores of a "
                "bag (if there are several columns, for each column)."
            )
        out[i] = one
    return out


def name_of(pool: Pool) -> str:
    """Return the name of a pool for the record, so that evaluations with different pools do not add.

    A function that can be found in its module is identified by its name. Any other function, such as a lambda, gets a unique
    mark: the same object is the same pool, and another object with the same name is another pool.

    >>> name_of("max"), name_of(sum), name_of(lambda x: x[0]) == name_of(lambda x: x[-1])
    ('max', 'builtins.sum', False)
    """
    if isinstance(pool, str):
        return pool
    module, path = getattr(pool, "__module__", None), getattr(pool, "__qualname__", type(pool).__name__)
    there: Any = sys.modules.get(str(module))
    for name in path.split("."):
        there = getattr(there, name, None)
    if there is pool and module != "__main__":  # in __main__, a name may soon belong to another function
        return f"{module}.{path}"
    try:
        return f"{path} {_MARKS.setdefault(pool, uuid4().hex[:12])}"
    except TypeError:  # not hashable, or without weak references: every call gets a new mark
        return f"{path} {uuid4().hex[:12]}"


_MARKS: WeakKeyDictionary[Callable[[Array], Any], str] = WeakKeyDictionary()
