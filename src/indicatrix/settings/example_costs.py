"""Costs of single examples: what the errors on each example cost (sec:cost).

Costs as numbers, finite and exact, one per class or a table, in class order (sec:cost).

Of memberships, costs can price mixtures of classes: rows that sum to 1 (errata A4).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.arrays import Array, position, refuse_where
from ..algebra.average import LABEL_ARGUMENTS
from ..algebra.counts import CELLS, Scale
from ..algebra.fuzzy.negations import standard
from ..algebra.fuzzy.tnorms import TNorm
from ..encode.containers import as_numpy
from ..encode.pairs import Pair
from ..encode.weights import check_mask
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, short
from .problem import Problem


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class ExampleCosts:
    """What each kind of cell counts: one number, or one per example.

    ``example_costs`` makes it. Costs are data, as sample weights are: evaluations add whatever the costs of their examples.

    Attributes
    ----------
    fp, fn, tp, tn : number or array-like
        What each kind of cell counts: one number, or one per example.
    """

    fp: Any
    fn: Any
    tp: Any = 1
    tn: Any = 1
    _arrays: dict[str, Array] = field(init=False)  # by kind of cell, as numbers

    def __post_init__(self) -> None:
        arrays = {kind: not_negative(numbers(getattr(self, kind), kind), kind) for kind in CELLS}
        lengths = {kind: len(x) for kind, x in arrays.items() if x.ndim == 1}
        deep = next((kind for kind, x in arrays.items() if x.ndim > 1), None)
        if deep is not None:
            raise ValueError(f"{deep} has shape {arrays[deep].shape}; give one number, or one for each example.")
        if not lengths:
            raise ValueError(
                "No cost is given per example. Costs that are the same for all examples are ix.tasks.label_costs(fp=…, fn=…)."
            )
        if len(set(lengths.values())) > 1:
            raise ValueError(f"The costs speak of different numbers of examples: {lengths}. Give one cost for each example.")
        object.__setattr__(self, "_arrays", arrays)

    @property
    def n(self) -> int:
        """The number of examples that have costs."""
        return next(len(x) for x in self._arrays.values() if x.ndim)

    @property
    def given(self) -> dict[str, Any]:
        """What was given per example, by the name that errors use."""
        return {f"cost.{kind}": getattr(self, kind) for kind, x in self._arrays.items() if x.ndim}

    def of(self, kind: str) -> Array:
        """Return what cells of one kind count, for each example.

        Parameters
        ----------
        kind : str
            "tp", "fp", "fn" or "tn".

        Returns
        -------
        array
            One number per example.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.example_costs(fp=1, fn=[5, 2]).of("fp").tolist()
        [1, 1]
        """
        x = self._arrays[kind]
        return x if x.ndim else np.full(self.n, x.item(), x.dtype)

    def on(self, classes: tuple[Any, ...], *, ordered: bool = False) -> ExampleCosts:
        """Return the same costs: they do not depend on the classes.

        Parameters
        ----------
        classes : tuple
            Not used; ``CostMatrix.on`` has it as well.
        ordered : bool, default False
            Not used; ``CostMatrix.on`` has it as well.

        Returns
        -------
        ExampleCosts
            These costs.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.example_costs(fp=1, fn=[5, 2]).on(("a", "b")).n
        2
        """
        return self

    def check(self, pair: Pair) -> None:
        """Refuse costs of another number of examples.

        Parameters
        ----------
        pair : Pair
            Truth and prediction as indicators.

        Examples
        --------
        >>> import indicatrix as ix
        >>> try:
        ...     ix.evaluate([0, 1], [1, 1], cost=ix.tasks.example_costs(fp=1, fn=[5, 2, 1]))
        ... except ValueError as error:
        ...     print(error)
        cost= has costs of 3 examples, but there are 2. Give one cost for each example.
        """
        if self.n != pair.n:
            raise ValueError(f"cost= has costs of {self.n} examples, but there are {pair.n}. Give one cost for each example.")

    def scale(self) -> Scale:
        """Return what a cell counts for each example.

        Returns
        -------
        Scale
            Four vectors, for tp, fp, fn and tn.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.example_costs(fp=1, fn=[5, 2]).scale().fn.tolist()
        [5, 2]
        """
        return Scale(self.of("tp"), self.of("fp"), self.of("fn"), self.of("tn"), of="example")

    def __repr__(self) -> str:
        shown = {"fp": self.fp, "fn": self.fn, "tp": self.tp, "tn": self.tn}
        texts = [
            f"{kind}={'…' if self._arrays[kind].ndim else short(x)}"
            for kind, x in shown.items()
            if kind in ("fp", "fn") or self._arrays[kind].ndim or x != 1
        ]
        return f"example_costs({', '.join(texts)})"


@answers_mistakes
def example_costs(errors: Any = None, *, fp: Any = None, fn: Any = None, tp: Any = 1, tn: Any = 1) -> ExampleCosts:
    """Return costs of single examples, for cost-weighted cells and for ``ix.cost``.

    Each cost is one number, or one per example. An error on example i counts as fp[i] false positives of the predicted class
    and as fn[i] false negatives of the true class; with one vector ``errors`` these are the same, as with a cost matrix.
    Evaluations of batches add, whatever the costs in them. There are no intervals: they would need a common unit of all costs.

    Parameters
    ----------
    errors : array-like, optional
        What an error on each example costs: fp and fn in one.
    fp, fn : number or array-like, optional
        What a false positive and a false negative count: one number, or one per example.
    tp, tn : number or array-like, default 1
        What a true positive and a true negative count.

    Returns
    -------
    ExampleCosts
        For ``cost=`` of ``evaluate`` and for costs of ``ix.cost``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> amounts = ix.tasks.example_costs(fp=1, fn=[100, 20, 5])  # a fraud that is missed costs its amount, a false alarm 1
    >>> ix.evaluate([1, 0, 1], [0, 1, 1], cost=amounts, positive=1).aggregate("class").fn.tolist()
    [20.0, 100.0]
    >>> ix.cost([1, 0, 1], [0, 1, 1], amounts, average="total")
    101.0
    """
    if (errors is None) == (fp is None or fn is None) or (errors is not None and not (fp is None and fn is None)):
        raise TypeError("Give either the costs of errors, example_costs([…]), or both fp= and fn=.")
    return ExampleCosts(errors, errors, tp, tn) if errors is not None else ExampleCosts(fp, fn, tp, tn)


def per_class(given: Any, classes: tuple[Any, ...], argument: str) -> Array:
    """Return one finite number per class, from one number, one per class, or a mapping by class."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(given, pandas.Series) and given.index.tolist() != list(range(len(given))):
        given = dict(zip(given.index.tolist(), given.tolist(), strict=True))
    if isinstance(given, Mapping):
        names, values = list(given), list(given.values())
        given = [values[i] for i in places(names, classes, f"The keys of {argument}=")]
    array = numbers(given, argument)
    if array.ndim == 0:
        return np.full(len(classes), array.item(), array.dtype)
    if array.shape != (len(classes),):
        raise ValueError(f"{argument} has shape {array.shape}; give one number, or one for each of {listing(classes)}.")
    return array


def numbers(given: Any, argument: str) -> Array:
    """Return finite numbers unchanged: int64, float64, or objects for fractions and larger integers."""
    if np.ma.is_masked(given):
        raise ValueError(f"{argument} is a masked array, and an entry is missing. Fill it: every error needs a cost.")
    if hasattr(given, "toarray"):  # a sparse matrix of costs: what is not stored is free
        given = given.toarray()
    if not isinstance(given, np.ndarray):
        try:
            given = as_numpy(given, argument) if hasattr(given, "__array__") else np.array(given, dtype=object)
        except MemoryError:
            raise ValueError(f"{argument}={short(given)} has more entries than memory holds.") from None
    given = np.asarray(given)  # np.matrix multiplies in another way than arrays
    if given.dtype == object:
        given = _of_objects(given, argument)
    kind = given.dtype.kind
    if kind not in "biufO":
        raise TypeError(f"{argument} holds {given.dtype} and not numbers. Give costs as integers, floats or fractions.")
    if kind == "f":
        refuse_where(~np.isfinite(given), argument, given, "a cost is a finite number.")
    narrow = kind in "bi" or (kind == "u" and given.max(initial=0) < 2**63)
    exact: Array = given.astype(np.int64 if narrow else np.float64 if kind == "f" else object)
    return exact


def _of_objects(given: Array, argument: str) -> Array:
    flat = [x.item() if isinstance(x, np.generic) else x for x in given.ravel().tolist()]
    for i, x in enumerate(flat):
        if isinstance(x, int | Fraction) or (isinstance(x, float | Decimal) and math.isfinite(x)):
            continue
        where = f"{argument}{position(np.unravel_index(i, given.shape))} = {short(x)}"
        if isinstance(x, float | Decimal):
            raise ValueError(f"{where}: a cost is a finite number.")
        raise TypeError(f"{where}: a cost is a number. Give {argument} as integers, floats or fractions, in rows of one length.")
    if all(isinstance(x, int) for x in flat):
        wide = any(abs(x) >= 2**63 for x in flat)
        return np.array([int(x) for x in flat], object if wide else np.int64).reshape(given.shape)
    if all(isinstance(x, int | float) and float(x) == x for x in flat):
        return np.array(flat, np.float64).reshape(given.shape)
    exact = np.empty(len(flat), object)
    exact[:] = [Fraction(x) for x in flat]
    return exact.reshape(given.shape)


def places(names: list[Any], classes: tuple[Any, ...], what: str) -> list[int]:
    """Return the position of each class among names."""
    place = {name: i for i, name in enumerate(names)}
    if len(place) < len(names):
        twice = next(name for i, name in enumerate(names) if place[name] != i)
        raise ValueError(f"{what} name {twice!r} twice. Name each class once.")
    absent = [c for c in classes if c not in place]
    if absent:
        raise ValueError(f"{what} do not name {listing(absent)}; they are {listing(names)}. Name every class.")
    return [place[c] for c in classes]


def not_negative(costs: Array, argument: str) -> Array:
    """Return costs as they are; a negative one is an error."""
    why = "a cell counts 0 or more. Benefits go into benefit= (or tp=); ix.cost, the total cost, takes negative entries."
    refuse_where(costs < 0, argument, costs, why)
    return costs


ONE = 1e-5  # the memberships of an example may differ from the sum 1 by this much, as with float32 softmax
UNKNOWN = "If an entry was not observed, the cost of its example is unknown. Mask whole examples."


def check_mixtures(problem: Problem, *, may_abstain: bool) -> None:
    """Refuse memberships that are not mixtures of classes, where a cost matrix prices pairs of classes.

    With ``may_abstain`` a prediction may sum to less than 1: the rest is the share of answers that name no class.
    """
    pair = problem.pair
    assert problem.norm is not None
    check_product(problem.norm)
    mask = check_mask(problem.mask, problem.n, len(pair.y.classes))
    if pair.cells is not None or (mask is not None and mask.shape[1] > 1):
        raise ValueError(UNKNOWN)
    seen = np.ones(pair.y.n, bool)
    if mask is not None:
        seen = mask[:, 0] if pair.rows is None else mask[pair.rows, 0]
    for _ in mixtures(pair, seen, may_abstain=may_abstain):
        pass


def check_product(norm: TNorm) -> None:
    """Refuse a t-norm that does not multiply memberships as probabilities of independent events."""
    if norm.negation != standard:
        raise ValueError(
            f"negation={norm.negation!r}: shares of all classes sum to 1 only with the complement 1 - x; give costs per label."
        )
    if repr(norm) != "product":
        raise ValueError(f"tnorm={norm!r}: an expected cost multiplies memberships, as probabilities. Use tnorm='product'.")


def mixtures(pair: Pair, seen: Array, *, may_abstain: bool = False) -> Iterator[tuple[slice, Array, Array]]:
    """Yield blocks of rows of both indicators as floats; rows that do not sum to 1 are an error."""
    step = max(1, (1 << 17) // max(len(pair.y.classes), 1))  # this many entries stay in cache
    for start in range(0, pair.y.n, step):
        rows = slice(start, min(start + step, pair.y.n))
        block = [np.asarray(x.rows(rows), np.float64) for x in (pair.y, pair.yhat)]
        for x, argument in zip(block, LABEL_ARGUMENTS, strict=True):
            excess = x.sum(axis=1) - 1
            off = ((excess if may_abstain and x is block[1] else abs(excess)) > ONE) & seen[rows]
            if off.any():
                at = int(off.argmax())
                place = start + at if pair.rows is None else int(np.flatnonzero(pair.rows)[start + at])
                raise ValueError(
                    f"The memberships in {argument}[{place}] sum to {x[at].sum():.6g}. An expected cost needs memberships that "
                    "are probabilities of the classes: every row must sum to 1. Otherwise give costs per label: "
                    "cost=ix.tasks.label_costs(fp=…, fn=…)."
                )
        yield rows, block[0], block[1]
