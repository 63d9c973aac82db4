"""Costs of single examples: what the errors on each example cost (sec:cost)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import CELLS
from ..algebra.scale import Scale
from ..encode.pairs import Pair
from ..words.call_mistakes import answers_mistakes
from ..words.wording import short
from .cost_inputs import not_negative, numbers


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
