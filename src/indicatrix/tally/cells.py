"""Cells: the TP, FP, FN, TN matrices and the operator that sums them, as defined.

The code follows the definitions literally: the fast paths are tested against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..algebra.arrays import is_array, namespace
from ..algebra.counts import Counts, Scale, check_axes
from ..algebra.fuzzy.tnorms import TNorm, with_complement
from ..algebra.fuzzy.tnorms import tnorm as find_tnorm
from ..encode.indicator import Indicator
from ..encode.pairs import Reading, encode
from ..encode.weights import check_by, check_mask, check_weights
from ..words.call_mistakes import answers_mistakes
from ..words.wording import type_of

ROW, COLUMN = 0, 1


class Source(Protocol):
    """A source of counts: cells, a tally or an evaluation."""

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts, keeping the axes in ``per``."""


@answers_mistakes
@dataclass(frozen=True, eq=False)
class Cells:
    """Two indicator matrices compared entry by entry, by a t-norm where they hold memberships.

    Attributes
    ----------
    y, yhat : Indicator
        Truth and prediction.
    tnorm : TNorm or None
        How memberships are combined.
    mask : array or None
        True where an entry was observed.
    weight : array or None
        One weight for each example.
    by : mapping
        For each axis the names of its groups and the group of each example.
    positive : label or None
        The positive class.
    scale : Scale or None
        What each cell counts, where costs weight cells.

    Examples
    --------
    >>> import indicatrix as ix
    >>> c = ix.cells([[1, 0], [0, 1]], [[1, 1], [0, 0]])
    >>> c.tp.astype(int).tolist(), c.fn.astype(int).tolist()
    ([[1, 0], [0, 0]], [[0, 0], [0, 1]])
    """

    y: Indicator
    yhat: Indicator
    tnorm: TNorm | None = None
    mask: Any = None  # n x 1 or n x m: which entries were observed (eq:masked_agg)
    weight: Any = None  # how often each example counts; it is used where rows are summed
    by: Mapping[str, tuple[tuple[Any, ...], Any]] = field(
        default_factory=dict
    )  # row axis -> names of its groups, group of each row
    positive: Any = None
    scale: Scale | None = None  # how much a cell of each kind counts; None: once

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in column order."""
        return self.y.classes

    @property
    def tp(self) -> Any:
        """The true positives, entry by entry."""
        return self._cell("tp")

    @property
    def fp(self) -> Any:
        """The false positives, entry by entry."""
        return self._cell("fp")

    @property
    def fn(self) -> Any:
        """The false negatives, entry by entry."""
        return self._cell("fn")

    @property
    def tn(self) -> Any:
        """The true negatives, entry by entry."""
        return self._cell("tn")

    def _cell(self, kind: str) -> Any:
        a, b = self.y.matrix, self.yhat.matrix
        xp = namespace(a, b)
        if self.tnorm is None:
            a, b = _complement(a) if kind in ("fp", "tn") else a, _complement(b) if kind in ("fn", "tn") else b
            x = xp.logical_and(a, b)
            return self._apply_scale(x if self.mask is None else xp.logical_and(x, xp.asarray(self.mask)), kind)
        x = self.tnorm.cell(_as_floats(a), _as_floats(b), kind)
        return self._apply_scale(x if self.mask is None else x * xp.astype(xp.asarray(self.mask), x.dtype), kind)

    def _apply_scale(self, x: Any, kind: str) -> Any:
        if self.scale is None:
            return x
        if self.scale.of == "pair" and any(
            x.codes is None for x in (self.y, self.yhat)
        ):  # memberships are a mixture of pairs of classes
            expected = self.scale.expected_cells(kind, self.y.matrix, self.yhat.matrix)
            return expected if self.mask is None else expected * self.mask
        return x * self.scale.at(kind, self.y.codes, self.yhat.codes)

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that can be kept."""
        return ("class", "example", *((self.y.grouping,) if self.y.targets is not None else ()), *self.by)

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the sums of the four matrices, keeping the axes in ``per``.

        The axes are "class", "example", "target" and any ``by`` axis.

        Parameters
        ----------
        per : str or tuple of str, default ()
            The axes to keep: "class", "example", "target", any by= axis, or several of them. The others are summed.

        Returns
        -------
        Counts
            The counts of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.cells(["a", "b", "b"], ["a", "a", "b"]).aggregate()
        Counts(tp=2, fp=1, fn=1, tn=2)
        """
        per = check_axes(per, self.axes, self.by)
        column_axes = [a for a in per if a in ("class", self.y.grouping)]
        row_axes = [a for a in per if a not in column_axes]
        weighted = self.weight is not None and "example" not in row_axes
        four = []
        for x in (self.tp, self.fp, self.fn, self.tn):
            x = _as_numbers(x)
            if weighted:
                x = _as_floats(x) * namespace(x).asarray(self.weight)[:, None]
            x = self._sum_columns(x, column_axes)
            x = self._sum_rows(x, row_axes)
            four.append(_arrange(x, (*row_axes, *column_axes), per))
        names = {
            "class": self.classes,
            self.y.grouping: self._targets(),
            "example": tuple(range(self.y.n)),
            **{a: g for a, (g, _) in self.by.items()},
        }
        times = None
        if self.weight is not None and "example" in row_axes:
            times = np.asarray(self.weight).reshape([-1 if a == "example" else 1 for a in per]) * np.ones(four[0].shape)
        return Counts(*four, per=per, names=tuple(names[a] for a in per), times=times, signed=True)

    def _targets(self) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(self.y.targets or ()))

    def _sum_columns(self, x: Any, axes: list[str]) -> Any:
        """Return sums over columns, with one trailing axis if a column axis is kept."""
        xp = namespace(x)
        if axes == ["class"]:
            return x
        if not axes:
            return xp.sum(x, axis=COLUMN)
        owner = self.y.targets or ()
        columns = [[j for j, t in enumerate(owner) if t == target] for target in self._targets()]
        return xp.stack([xp.sum(xp.stack([x[:, j] for j in js], axis=COLUMN), axis=COLUMN) for js in columns], axis=COLUMN)

    def _sum_rows(self, x: Any, axes: list[str]) -> Any:
        """Return sums over rows, with one leading axis for each row axis that is kept."""
        xp = namespace(x)
        if axes == ["example"]:
            return x
        if not axes:
            return xp.sum(x, axis=ROW)
        (names, ids), *rest = (self.by[a] for a in axes)
        groups = []
        for g in range(len(names)):
            mine = np.flatnonzero(np.asarray(ids) == g)
            part = Cells(self.y, self.yhat, by={a: (self.by[a][0], np.asarray(self.by[a][1])[mine]) for a in axes[1:]})
            groups.append(part._sum_rows(xp.take(x, xp.asarray(mine), axis=ROW), axes[1:]))
        return xp.stack(groups, axis=ROW) if groups else xp.zeros((0, *(len(n) for n, _ in rest), *x.shape[1:]), dtype=x.dtype)

    def binary(self, per: tuple[str, ...] = ()) -> Counts:
        """Return the counts of the positive class, keeping the groups of the ``by`` axes in ``per``.

        Parameters
        ----------
        per : tuple of str, default ()
            The by= axes whose groups are kept. The others are summed.

        Returns
        -------
        Counts
            The counts of one class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.cells(["a", "b", "b"], ["a", "a", "b"], positive="b").binary()
        Counts(tp=1, fp=0, fn=1, tn=1)
        """
        return self.aggregate((*per, "class")).at(**{"class": self.positive})


def _complement(a: Any) -> Any:
    xp = namespace(a)
    return xp.logical_not(a) if xp.isdtype(a.dtype, "bool") else 1 - a


def _as_floats(x: Any) -> Any:
    xp = namespace(x)
    return x if xp.isdtype(x.dtype, "real floating") else xp.astype(x, xp.float64)


def _as_numbers(x: Any) -> Any:
    xp = namespace(x)
    return xp.astype(x, xp.int64) if xp.isdtype(x.dtype, "bool") else x


def _arrange(x: Any, have: tuple[str, ...], want: tuple[str, ...]) -> Any:
    """Return the array with its axes in the caller's order."""
    if have == want or x.ndim < 2:
        return x
    return namespace(x).permute_dims(x, tuple(have.index(a) for a in want))


@answers_mistakes
def cells(
    Y: Any,  # noqa: N803
    Yhat: Any,  # noqa: N803
    *,
    classes: Any = None,
    tnorm: Any = None,
    negation: Any = None,
    mask: Any = None,
    sample_weight: Any = None,
    by: Mapping[str, Any] | None = None,
    positive: Any = None,
) -> Cells:
    """Return the four matrices of two indicators, or of labels.

    The arguments may also be two-dimensional arrays of any array library.

    Parameters
    ----------
    Y, Yhat : Indicator or array-like
        Truth and prediction: labels as ``evaluate`` takes them, or matrices of 0 and 1 or of memberships.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    tnorm : str, TNorm or callable, optional
        How memberships between 0 and 1 are combined: "product", "godel" (the minimum), "lukasiewicz" or another of
        ``ix.algebra.TNORMS``.
    negation : str, Negation or callable, optional
        The complement of a membership, "sugeno(s=2)", "yager(w=2)" or another of ``ix.algebra.NEGATIONS``. Default: 1 - x.
    mask : array-like of bool, optional
        True where an entry was observed: one flag for each example, or a matrix. The rest counts nowhere.
    sample_weight : array-like, optional
        One weight for each example. Sums of weights are exact.
    by : mapping or data frame, optional
        Groupings, each an axis: ``{"site": ids, "fold": folds}``, or the columns of a data frame.
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.

    Returns
    -------
    Cells
        The literal definition, entry by entry; ``evaluate`` gives the same counts faster.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import numpy as np
    >>> c = ix.cells(np.array([[0.6]]), np.array([[0.7]]), tnorm="product")
    >>> float(c.tp[0, 0]), (c.tp + c.fp + c.fn + c.tn).tolist()
    (0.42, [[1.0]])
    """
    norm = with_complement(None if tnorm is None else find_tnorm(tnorm), negation)
    y, yhat = Y, Yhat
    if _is_foreign(y) and _is_foreign(yhat):
        y, yhat = (_indicator_of(x, classes, norm is not None) for x in (y, yhat))
    pair = encode(y, yhat, Reading.of(classes=None if isinstance(y, Indicator) else classes, soft=norm is not None))
    n, m = pair.y.n, len(pair.y.classes)
    return Cells(
        pair.y,
        pair.yhat,
        norm,
        check_mask(mask, n, m),
        check_weights(sample_weight, n),
        check_by(by, n),
        positive,
    )


def _is_foreign(x: Any) -> bool:
    return is_array(x) and not isinstance(x, np.ndarray) and getattr(x, "ndim", 0) == 2


def _indicator_of(x: Any, classes: Any, soft: bool) -> Indicator:
    """Return the indicator of a foreign array, which is neither copied nor moved from its device."""
    xp = namespace(x)
    if not soft and not xp.isdtype(x.dtype, "bool"):
        if not bool(xp.all((x == 0) | (x == 1))):
            raise ValueError("An indicator matrix holds 0 and 1, and this one has other values. For memberships pass tnorm=.")
        x = xp.astype(x, xp.bool)
    return Indicator(x, tuple(range(x.shape[1])) if classes is None else tuple(classes))


@answers_mistakes
def aggregate(source: Source, per: str | tuple[str, ...] = ()) -> Counts:
    """Return counts from cells, a tally or an evaluation, keeping the axes in ``per``.

    ``()`` is the global operator, ``"class"`` the column-wise one and ``"example"`` the row-wise one. A ``by`` axis keeps its
    groups, and axes can be combined: ``per=("fold", "class")``.

    Parameters
    ----------
    source : Cells or Evaluation
        Anything that has counts.
    per : str or tuple of str, default ()
        The axes to keep: "class", "example", "target", any by= axis, or several of them. The others are summed.

    Returns
    -------
    Counts
        The counts of each unit.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.aggregate(ix.cells(["a", "b", "b"], ["a", "a", "b"]), per="class").tp.tolist()
    [1, 1]
    """
    if not callable(getattr(source, "aggregate", None)):
        raise TypeError(f"source is {type_of(source)}; give cells, an evaluation or another source of counts.")
    return source.aggregate(per)
