"""Counts: the four numbers every measure reads, and the axes they were kept along.

Scale: how much a cell of each kind counts, for cost-weighted cells (sec:cost, errata A3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from ..words.wording import rows_in_words, short
from .arrays import Array, exact_sum

CELLS = ("tp", "fp", "fn", "tn")
ROUNDING = 1e-9  # a float this far below 0 is a difference that was rounded, not a negative count
AXES = ("class", "example", "target", "depth")  # that mean something by themselves; any other is named by by=


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Counts:
    """The count vector v = (tp, fp, fn, tn), one for each unit of the axes in ``per``.

    Parameters
    ----------
    tp, fp, fn, tn : number or array
        True positives, false positives, false negatives, true negatives: four numbers, or four arrays of one shape.
    per : tuple of str, default ()
        The axis of each dimension of the arrays, such as ("class",).
    names : tuple of tuples, default ()
        The names of the units of each axis.
    times : array-like, optional
        How often each unit occurred. Default: once.
    bound : int, optional
        No unit has more entries than this. The library sets it where it knows it; leave it out.
    signed : bool, default False
        Whether counts may be negative, as sums of signed weights are. Otherwise a negative count is an error.

    Examples
    --------
    >>> import indicatrix as ix
    >>> v = ix.Counts(tp=3, fp=1, fn=2, tn=4)
    >>> v.tpos, v.ppos, v.n, ix.recall(v)
    (5, 4, 10, 0.6)
    """

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    _: KW_ONLY
    per: tuple[str, ...] = ()
    names: tuple[tuple[Any, ...], ...] = ()
    times: Any = None  # how often each unit occurred; None means once
    bound: int | None = None  # if the source knows it: no unit has more entries than this, so formulas need not check
    signed: bool = False  # sums of weights may be negative, so the sources of this library set it, and nothing is checked

    def __post_init__(self) -> None:
        if self.bound is not None:  # from a source of this library, which does not mix number types
            return
        kind = type(self.tp)
        same = kind is type(self.fp) is type(self.fn) is type(self.tn)
        if same and kind is int and min(self.tp, self.fp, self.fn, self.tn) >= 0:
            return
        if not same or (kind is np.ndarray and self.tp.dtype.itemsize < 8) or kind is list or kind is str:
            _unify(self)
        if not self.signed:
            _refuse_negative(self)

    @property
    def tpos(self) -> Any:
        """Actual positives."""
        return self.tp + self.fn

    @property
    def tneg(self) -> Any:
        """Actual negatives."""
        return self.fp + self.tn

    @property
    def ppos(self) -> Any:
        """Predicted positives."""
        return self.tp + self.fp

    @property
    def pneg(self) -> Any:
        """Predicted negatives."""
        return self.fn + self.tn

    @property
    def n(self) -> Any:
        """All entries: tp + fp + fn + tn, also for soft labels and under a mask."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def counts(self) -> Counts:
        """These counts: what is known of the four counts of any statistic."""
        return self

    @property
    def observed(self) -> Any:
        """Whether anything was counted in each unit.

        Four zeros mean that nothing of the unit was observed: it was masked, it is empty, or all its weights are zero. Such a
        unit carries no weight in any average. That is not the same as an undefined value.

        >>> Counts(*np.array([[1, 0], [0, 0], [0, 0], [3, 0]]), per=("class",), names=(("a", "b"),)).observed.tolist()
        [True, False]
        """
        return (self.tp != 0) | (self.fp != 0) | (self.fn != 0) | (self.tn != 0)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.tp, self.fp, self.fn, self.tn))

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        if (self.per, self.names) != (other.per, other.names) or self.times is not None or other.times is not None:
            raise ValueError(
                f"Counts can be added only if they have the same units, each once; these are per={self.per} {self.names} "
                f"and per={other.per} {other.names}."
            )
        four = (a + b for a, b in zip(self, other, strict=True))
        return Counts(*four, per=self.per, names=self.names, signed=self._may_be_negative or other._may_be_negative)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return (self.per, self.names) == (other.per, other.names) and all(
            np.array_equal(a, b) for a, b in zip((*self, self.times), (*other, other.times), strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        cells = ", ".join(f"{k}={_plain(v)!r}" for k, v in zip(CELLS, self, strict=True))
        axes = f", per={self.per!r}" if self.per else ""
        return f"Counts({cells}{axes}{'' if self.times is None else f'; {rows_in_words(self.times)}'})"

    def sum(self) -> Counts:
        """Return the pooled counts: the global operator applied to these units.

        Returns
        -------
        Counts
            Four numbers.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.evaluate(["a", "b", "b"], ["a", "b", "a"]).aggregate("class").sum()
        Counts(tp=2, fp=1, fn=1, tn=2)
        """
        if not self.per:
            return self
        times = 1 if self.times is None else self.times
        four = (_plain(exact_sum(x * times) if isinstance(x, np.ndarray) else (x * times).sum()) for x in self)
        return Counts(*four, signed=self._may_be_negative)

    def at(self, **units: Any) -> Counts:
        """Return the counts of named units: ``counts.at(fold=2)``; this axis is then removed.

        Parameters
        ----------
        **units
            The name of an axis and of one of its units, as in ``fold=2``; ``**{"class": "cat"}`` where the axis is a Python
            word.

        Returns
        -------
        Counts
            The counts without these axes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"fold": [1, 1, 2, 2]})
        >>> ev.aggregate(("fold", "class")).at(**{"fold": 2, "class": 1})
        Counts(tp=0, fp=0, fn=1, tn=1)
        """
        chosen = self
        for axis, unit in units.items():
            chosen = chosen._take(axis, unit)
        return chosen

    def without(self, *cells: str, masked: bool = False) -> Counts:
        """Return the counts with some cells unknown (nan): a measure that reads one of them is undefined.

        With ``masked`` a unit of four zeros is one of which nothing was observed, and keeps them. Otherwise its unknown cells may
        be all that it has, as in a text without names of persons or places.

        Parameters
        ----------
        *cells : str
            The cells to hide, of "tp", "fp", "fn" and "tn".
        masked : bool, default False
            Whether a unit of four zeros is one of which nothing was observed, so that it keeps its zeros.

        Returns
        -------
        Counts
            The same counts with nan in these cells.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.Counts(tp=3, fp=1, fn=2, tn=4).without("fp", "tn")
        Counts(tp=3, fp=nan, fn=2, tn=nan)
        """
        seen = self.observed if masked else True
        blank = np.where(seen, math.nan, 1.0) if isinstance(seen, np.ndarray) else math.nan if seen else 1
        four = [x * blank if name in cells else x for name, x in zip(CELLS, self, strict=True)]
        return Counts(*four, per=self.per, names=self.names, times=self.times, signed=self._may_be_negative)

    def _take(self, axis: str, unit: Any) -> Counts:
        if axis not in self.per:
            raise ValueError(f"These counts have no axis {axis!r}; they are per={self.per}.")
        i = self.per.index(axis)
        if unit not in self.names[i]:
            raise ValueError(f"{unit!r} is not a unit of axis {axis!r}. Its units are {self.names[i]!r}.")
        at = (slice(None),) * i + (self.names[i].index(unit),)
        per, names = self.per[:i] + self.per[i + 1 :], self.names[:i] + self.names[i + 1 :]
        return Counts(*(_plain(x[at]) for x in self), per=per, names=names, signed=self._may_be_negative)

    @property
    def _may_be_negative(self) -> bool:
        return self.signed or self.bound is not None  # nothing was checked in either case


def undecided_counts(positives: Any, negatives: Any, **axes: Any) -> Counts:
    """Return positives and negatives as the counts at the threshold +inf, where nothing is predicted.

    >>> undecided_counts(3, 5)
    Counts(tp=0, fp=0, fn=3, tn=5)
    """
    return Counts(0 * positives, 0 * negatives, positives, negatives, **axes)


def _plain(x: Any) -> Any:
    """Return a NumPy scalar as a Python number, which cannot overflow, and anything else as it is."""
    return x.item() if isinstance(x, np.generic) else x


def _wide(x: Array) -> Array:
    wider = {"b": np.int64, "i": np.int64, "u": np.int64 if x.dtype.itemsize < 8 else object, "f": np.float64}
    return x.astype(wider.get(x.dtype.kind, x.dtype), copy=False)


def _unify(counts: Counts) -> None:
    """Give four counts one type whose sums do not overflow.

    They become Python numbers, or wide arrays of one shape if some of them are arrays.
    """
    four = [_plain(x) for x in counts]
    for name, x in zip(CELLS, four, strict=True):
        if isinstance(x, str):
            raise TypeError(f"{name} = {short(x)} is text; a count is a number. Four counts of labels are in ix.evaluate(…).")
    four = [np.asarray(x) if isinstance(x, list) else x for x in four]
    if any(isinstance(x, np.ndarray) for x in four):
        four = [_wide(x) for x in np.broadcast_arrays(*map(np.asarray, four))]
    for name, x in zip(CELLS, four, strict=True):
        object.__setattr__(counts, name, x)


def _refuse_negative(counts: Counts) -> None:
    for name, x in zip(CELLS, counts, strict=True):
        if not isinstance(x, np.ndarray):
            if _is_negative(x):
                raise _negative_count(name, x)
        elif x.size and (x.dtype.kind == "O" or (x.dtype.kind in "if" and x.min() < 0)):
            for at, number in np.ndenumerate(x):
                if _is_negative(number):
                    raise _negative_count(f"{name}[{', '.join(map(str, at))}]", number)


def _is_negative(x: Any) -> bool:
    """Return whether a number is below 0 by more than rounding; a symbol is not known to be."""
    if isinstance(x, float | np.floating):
        return bool(x < -ROUNDING)
    return (isinstance(x, int | np.integer) or type(x).__module__ == "fractions") and bool(x < 0)


def _negative_count(where: str, value: Any) -> ValueError:
    return ValueError(f"{where} = {value}: a count is not negative. Counts(…, signed=True) allows sums of signed weights.")


_tp, _fp, _fn, _tn, _per, _names, _times, _bound, _signed = (getattr(Counts, name).__set__ for name in Counts.__slots__)


def counts_of_each_class(four: Any, classes: tuple[Any, ...], n: int) -> Counts:
    """Return the counts of classes of n examples, unchecked.

    >>> counts_of_each_class(np.array([[1, 0], [0, 0], [0, 0], [3, 4]]), ("a", "b"), 4).names
    (('a', 'b'),)
    """
    return unchecked_counts(four, ("class",), (classes,), n)


def unchecked_counts(four: Any, per: tuple[str, ...] = (), names: tuple[tuple[Any, ...], ...] = (), bound: int = 0) -> Counts:
    """Return counts that are known to be good.

    What ``Counts`` checks for a caller takes two thirds of its time.

    >>> unchecked_counts((1, 2, 3, 4)).fn
    3
    """
    counts = object.__new__(Counts)
    tp, fp, fn, tn = four
    _tp(counts, tp)
    _fp(counts, fp)
    _fn(counts, fn)
    _tn(counts, tn)
    _per(counts, per)
    _names(counts, names)
    _times(counts, None)
    _bound(counts, bound)
    _signed(counts, False)
    return counts


def check_axes(per: str | tuple[str, ...], axes: tuple[str, ...], by: Any) -> tuple[str, ...]:
    """Return ``per`` as a tuple of axes that exist and can be kept together."""
    if not isinstance(per, str | tuple | list):
        raise TypeError(f"per={per!r} must name axes: (), 'class', or several, such as ('fold', 'class').")
    per = (per,) if isinstance(per, str) else tuple(per)
    for axis in per:
        if axis not in axes:
            hint = "" if axis in AXES else f" Give by={{{axis!r}: ids}} to have it."
            raise ValueError(f"There is no axis {axis!r} here; there are {', '.join(axes)}, and () keeps none.{hint}")
    if len(set(per)) < len(per):
        raise ValueError(f"per={per} names an axis twice.")
    columns = [a for a in per if a != "example" and a not in by]
    if len(columns) > 1:
        other = next(a for a in columns if a != "class")
        raise ValueError(f"Keep 'class' or {other!r}, not both: each class belongs to one {other} already.")
    if "example" in per and any(a in by for a in per):
        raise ValueError("Keep 'example' or its groups, not both: each example belongs to one group already.")
    return per


class Scale:
    """How much each kind of cell (tp, fp, fn, tn) counts: per column, per example or per pair of classes.

    Per column, each kind has one number for each class; per example, one for each example. Per pair, each kind has one number
    for each true and predicted class: every cell of an example with that pair is multiplied by it. The last row and column
    stand for "no class". Right pairs have no false cells, and a true negative counts the same for every pair.
    """

    def __init__(self, tp: Array, fp: Array, fn: Array, tn: Array, of: str = "column") -> None:  # or "example" or "pair"
        self.tp, self.fp, self.fn, self.tn, self.of = tp, fp, fn, tn, of

    def at(self, kind: str, true: Array | None, pred: Array | None) -> Array:
        """Return how much cells of one kind count: an array that broadcasts to examples with these codes."""
        factor: Array = getattr(self, kind)
        if self.of == "column":
            return factor.reshape(1, -1)
        if self.of == "example":
            return factor.reshape(-1, 1)
        assert true is not None
        assert pred is not None
        return factor[true, pred].reshape(-1, 1)

    def take(self, rows: Array | slice) -> Scale:
        """Return what cells of some examples count."""
        if self.of != "example":
            return self
        tp, fp, fn, tn = (getattr(self, kind)[rows] for kind in CELLS)
        return Scale(tp, fp, fn, tn, self.of)

    def expected_cells(self, kind: str, true: Any, pred: Any) -> Array:
        """Return the cells that are expected where both classes are drawn from memberships.

        A row of memberships is a mixture of classes, and what it lacks to 1 is the share of "no class". The two classes are
        drawn independently, so the expected cell is a sum over pairs of the cells of a pair times the product of both shares.
        """
        factor: Array = getattr(self, kind).astype(np.float64)
        y: Array = np.asarray(true, np.float64)
        yhat: Array = np.asarray(pred, np.float64)
        match kind:
            case "tp":
                cells: Array = y * yhat * np.diagonal(factor)[:-1]
            case "fp":
                cells = (_with_no_class(y) @ factor)[:, :-1] * yhat
            case "fn":
                cells = y * (_with_no_class(yhat) @ factor.T)[:, :-1]
            case _:
                cells = (1 - y) * (1 - yhat) * factor[0, 0]
        return cells


def _with_no_class(x: Array) -> Array:
    return np.concatenate([x, 1 - x.sum(axis=1, keepdims=True)], axis=1)
