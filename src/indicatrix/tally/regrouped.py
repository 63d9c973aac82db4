"""Groups of an evaluation that it was not counted in.

Labels are counted again, and values of many groups a block at a time.

Labels are held by reference. The counts of many groups and classes would take several times the memory.

Tallies of counts that the caller already has: a confusion matrix, or four counts per class.

A confusion matrix as shares: of each true class, of each predicted class, or of all examples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ..algebra.arrays import Array, as_weight
from ..algebra.counts import Counts
from ..algebra.numbers.functions import ratio
from ..algebra.score import Undefined, UndefinedError, check_undefined
from ..encode.containers import read
from ..encode.plain_forms import Table
from ..encode.vocabulary import check_classes, classes_of_columns
from .states.group_counts import CrossTable, Key, Part, Summed
from .tally import Tally, is_packed

BLOCK = 1 << 17  # units whose counts are held at a time


def values_in_blocks(tally: Tally, per: tuple[str, ...], value: Callable[[Counts], Any]) -> Array | None:
    """Return the value of each unit of some axes.

    None if these are so few that their counts can be held at once.

    >>> import indicatrix as ix
    >>> values_in_blocks(ix.evaluate([0, 1], [0, 1], by={"site": [0, 1]}).tally, ("site", "class"), ix.recall.values) is None
    True
    """
    groups = [axis for axis in per if axis in tally.by]
    units = tally.units_of(per) if groups else {}
    if not groups or len(groups) == len(per) or not set(per) <= set(units):  # a tally does not have the axis of examples
        return None
    shape = tuple(len(units[axis]) for axis in per)
    if math.prod(shape) <= BLOCK:
        return None
    axis, where = groups[0], per.index(groups[0])
    owner = _numbers(tally, axis, units[axis])
    order = np.argsort(owner, kind="stable")
    values = np.empty(shape)
    step = max(1, BLOCK * len(units[axis]) // math.prod(shape))
    for start in range(0, len(units[axis]), step):
        stop = min(start + step, len(units[axis]))
        first, last = np.searchsorted(owner[order], (start, stop))
        some = tally.with_parts(_take(tally.parts, np.sort(order[first:last])))
        counts = some.of_units({**units, axis: units[axis][start:stop]}, per)
        values[(slice(None),) * where + (slice(start, stop),)] = value(counts)
    return values


def _numbers(tally: Tally, axis: str, names: tuple[Any, ...]) -> Array:
    """Return the number of the unit that each part of a tally belongs to."""
    place, i = {name: at for at, name in enumerate(names)}, tally.by.index(axis)
    return np.array([place[key[i]] for key in tally.parts], np.intp)


def _take(parts: Mapping[Key, Part], at: Array) -> Mapping[Key, Part]:
    """Return some parts of a tally, by their numbers in ascending order."""
    keys = [*parts]
    chosen = [keys[i] for i in at.tolist()]
    return parts.take(at, chosen) if is_packed(parts) else {key: parts[key] for key in chosen}


class KeptRows:
    """Labels and options as the caller gave them; they are read when groups of them are first asked for.

    A copy for another process and a file have none.
    """

    __slots__ = ("_read", "true")

    def __init__(self, make: Callable[[], tuple[Callable[..., Any], Mapping[str, Any]]], true: Any) -> None:
        self._read = cache(make)  # the function that counts, and the groupings of by= as names and codes
        self.true = true  # as it was given, whose row labels say what belongs together

    def owners(self, axis: str) -> Array:
        """Return the group of each example along an axis of by=, as a number."""
        return np.asarray(self._read()[1][axis][1], np.intp)

    def columns(self) -> dict[str, Array]:
        """Return the group of each example along each axis of by=, by its name."""
        found = {}
        for axis, (names, codes) in self._read()[1].items():
            values = np.empty(len(names), object)
            values[:] = names
            found[axis] = values[np.asarray(codes, np.intp)]
        return found

    def grouped(self, codes: Array, groups: int, axis: str, *, keep: tuple[str, ...] = (), moments: bool | None = False) -> Any:
        """Return the evaluation of the same examples with a group for each, a number below ``groups``.

        ``keep`` names axes of by= that are kept as well, ``moments`` says whether intervals are asked of label sets and weights.
        """
        return self._read()[0]((tuple(range(groups)), np.asarray(codes, np.intp)), axis, keep, moments)

    def __deepcopy__(self, memo: Any) -> KeptRows:
        return self

    def __reduce__(self) -> Any:
        return type(None), ()


def tally_of_confusion(confusion: Any, classes: Iterable[Any] | None) -> Tally:
    """Return the tally of an m x m confusion matrix, rows true."""
    form = read(confusion, "confusion")
    if not isinstance(form, Table) or form.values.shape[0] != form.values.shape[1]:
        shape = form.values.shape if isinstance(form, Table) else np.shape(confusion)
        raise ValueError(f"A confusion matrix is square, rows true and columns predicted, but this one has shape {shape}.")
    if classes is not None:
        names = check_classes(classes)
    else:
        names = classes_of_columns(form.columns, "confusion") if form.columns else tuple(range(len(form.values)))
    index = getattr(confusion, "index", None)  # a data frame also names its rows; the index of a list is a method
    rows = () if index is None or callable(index) else tuple(index)
    if rows and rows != (form.columns or tuple(range(len(rows)))):
        raise ValueError(
            "The rows and the columns of the confusion matrix have different names. Name both the same, in the same order."
        )
    if len(names) != len(form.values):
        raise ValueError(f"classes= names {len(names)} classes, but the confusion matrix has {len(form.values)} rows.")
    inner = _counts(_as_given(confusion, form.values), "confusion")
    table = np.zeros((len(names) + 1,) * 2, inner.dtype)
    table[:-1, :-1] = inner
    return Tally(names, {(): CrossTable(table)}, _examples(sum(inner.ravel().tolist())), open=False, ordered=True)


def _as_given(confusion: Any, values: Array) -> Array:
    """Return the matrix with the numbers that were given: reading may have rounded them to floats."""
    if hasattr(confusion, "itertuples"):  # pandas
        confusion = [*confusion.itertuples(index=False, name=None)]
    elif hasattr(confusion, "iter_rows"):  # Polars
        confusion = [*confusion.iter_rows()]
    given = _objects(confusion if isinstance(confusion, list | tuple | np.ndarray) else values)
    return given if given.shape == values.shape and any(isinstance(x, Fraction | int) for x in given.flat) else values


def _objects(numbers: Any) -> Array:
    """Return numbers as Python's own."""
    given = np.array(numbers, dtype=object)
    plain = np.empty(given.size, object)
    plain[:] = [x.item() if isinstance(x, np.generic) else x for x in given.ravel()]  # .flat has at most 32 axes
    return plain.reshape(given.shape)


def tally_of_counts(tp: Any, fp: Any, fn: Any, tn: Any, classes: Iterable[Any] | None) -> Tally:
    """Return the tally of four counts, or of four vectors of counts with one entry per class."""
    four = [_counts(_vector(x), name) for x, name in ((tp, "tp"), (fp, "fp"), (fn, "fn"), (tn, "tn"))]
    if any(x.ndim != 1 or x.shape != four[0].shape for x in four):
        raise ValueError(
            f"tp, fp, fn and tn must have the same length; they have shapes {', '.join(str(x.shape) for x in four)}."
        )
    if classes is not None:
        names = check_classes(classes)
    else:
        names = ("positive",) if np.ndim(tp) == 0 else tuple(range(len(four[0])))
    if len(names) != len(four[0]):
        raise ValueError(f"classes= names {len(names)} classes, but there are counts for {len(four[0])}.")
    dtype = object if any(x.dtype == object for x in four) else np.int64
    per_class = np.stack([x.astype(dtype) for x in four])
    totals = per_class.astype(object).sum(axis=0).tolist()
    return Tally(names, {(): Summed(per_class, None, None)}, _examples(max(totals, default=0)), open=False)


def _vector(x: Any) -> Array:
    """Return counts as a vector; integers next to floats stay integers, which a float may not hold."""
    return np.atleast_1d(_objects(x) if isinstance(x, list | tuple) else np.asarray(x))


def _examples(total: int | Fraction) -> int:
    """Return how many examples a total of counts stands for.

    Fractional counts are sums of weights: a total between 0 and 1/2 still stands for one example.
    """
    return max(round(total), int(total > 0))


def _counts(x: Array, argument: str) -> Array:
    """Return counts as int64, as Python integers if they are huge, or as exact fractions.

    Fractions are used where counts are not whole numbers.
    """
    if x.dtype.kind not in "biufO":
        raise TypeError(f"{argument} holds {x.dtype} values. Give counts: finite numbers that are not negative.")
    if x.ndim > 2:
        raise ValueError(f"{argument} has {x.ndim} axes. Give one number, or a list with one number for each class.")
    plain = x.astype(object)
    for at, value in np.ndenumerate(plain):
        if not isinstance(value, int | float | Fraction) or value != value or value < 0 or value == float("inf"):
            where = "" if plain.size == 1 else f"[{', '.join(map(str, at))}]"
            raise ValueError(f"{argument}{where} = {value!r}: a count is a finite number that is not negative.")
    if all(float(v).is_integer() if isinstance(v, float) else isinstance(v, int) for v in plain.flat):
        whole = np.empty(plain.shape, object)
        whole[...] = np.vectorize(int, otypes=[object])(plain) if plain.size else plain
        return whole.astype(np.int64) if not whole.size or sum(whole.flat) < 2**62 else whole
    exact = np.empty(plain.shape, object)
    exact[...] = np.vectorize(Fraction, otypes=[object])(plain)
    return exact


AXES = {"true": 1, "pred": 0, "all": None}  # what is summed


def normalize_confusion(table: Array, how: Any, undefined: Undefined) -> Array:
    """Return a confusion matrix divided by its row sums, its column sums or its total.

    >>> normalize_confusion(np.array([[3, 1], [0, 0]]), "true", "nan").tolist()
    [[0.75, 0.25], [nan, nan]]
    """
    if how not in AXES:
        raise ValueError(
            f"normalize={how!r} is unknown. Use 'true' (shares of each true class), 'pred' (shares of each predicted class), "
            "'all' (shares of all examples) or None (counts)."
        )
    check_undefined(undefined)
    counts = as_weight(table)
    shares = np.asarray(ratio(counts, counts.sum(axis=AXES[how], keepdims=True)))
    lost = np.isnan(shares)
    if undefined == "raise" and lost.any():
        raise UndefinedError(f"normalize={how!r} divides by the sum of a class that has no examples, which is 0.")
    return shares if isinstance(undefined, str) else np.where(lost, undefined, shares)
