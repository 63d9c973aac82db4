"""Cost matrices and label costs, read for the classes of an evaluation (sec:cost, errata A3).

>>> import indicatrix as ix
>>> C = [[0, 1], [10, 0]]  # rows true: the second class taken for the first costs 10
>>> ix.cost([0, 0, 1, 1], [0, 1, 1, 0], C), ix.cost([0, 0, 1, 1], [0, 1, 1, 0], C, average="macro")
(2.75, 2.75)
>>> ix.recall([0, 0, 1, 1], [0, 1, 1, 0], cost=C, average="macro")  # errors weigh what they cost
0.29545454545454547
>>> ix.cost([0, 0, 1, 1], [0, 1, 1, 0], ix.tasks.example_costs([1, 2, 5, 9]), average="total")  # a cost for each example
11.0
>>> ev = ix.evaluate([[0.8, 0.2]], [[0.5, 0.5]], cost=C, tnorm="product")  # shares of classes: costs that are expected
>>> ev.aggregate().fn
1.4
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.counts import Scale
from ..encode.pairs import Pair
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, type_of
from .example_costs import ExampleCosts, check_mixtures, not_negative, numbers, per_class, places
from .options import Options
from .problem import Problem

NAMED = {"zero_one": lambda d: (d > 0).astype(np.int64), "absolute": lambda d: d, "squared": lambda d: d * d}  # of distances
ORDERED = ("absolute", "squared")  # these count ranks, so the order of the classes must have a meaning
SHOWN = 8  # a matrix of at most this many classes is written out


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class CostMatrix:
    """Costs of errors for cost-weighted cells, and what a right prediction counts.

    An error with true class j and predicted class k counts as costs[j, k] false negatives of class j and as many false
    positives of class k. A right prediction counts as ``benefit`` true positives (C+, one number or one per class), and a true
    negative counts as one. Each example has one true and one predicted class. A prediction without a class needs
    ``abstain=``: the false negatives that it counts as (one number or one per true class). Unit costs give the plain cells.

    Parameters
    ----------
    costs : array-like, DataFrame, Taxonomy or str
        The cost matrix, rows true, zeros on the diagonal; or "zero_one", "absolute" or "squared".
    benefit : number or array-like, default 1
        How many true positives a right prediction counts as: one number, or one per class.
    abstain : number or array-like, optional
        How many false negatives a prediction without a class counts as: one number, or one per true class.

    Examples
    --------
    >>> import indicatrix as ix
    >>> costs = ix.types.CostMatrix([[0, 5], [1, 0]], benefit=2)
    >>> ix.evaluate(["ill", "ill", "well"], ["ill", "well", "ill"], cost=costs).aggregate()
    Counts(tp=2.0, fp=6.0, fn=6.0, tn=1.0)
    """

    costs: Any  # a matrix, rows true; a name; or a taxonomy
    benefit: Any = 1
    abstain: Any = None

    def on(self, classes: tuple[Any, ...], *, ordered: bool = False) -> CostMatrix:
        """Return the same costs as arrays in the order of these classes.

        ``ordered`` says whether that order has a meaning.

        Parameters
        ----------
        classes : tuple
            The classes and their order.
        ordered : bool, default False
            Whether that order has a meaning; "absolute" and "squared" need one.

        Returns
        -------
        CostMatrix
            The costs as ``evaluate`` uses them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.types.CostMatrix("absolute").on((1, 2, 3), ordered=True).costs.tolist()
        [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
        """
        matrix = not_negative(read_matrix(self.costs, classes, ordered=ordered), "costs")
        if matrix.diagonal().any():
            j = int(np.flatnonzero(matrix.diagonal())[0])
            raise ValueError(
                f"costs[{j}, {j}] = {matrix[j, j]}: in cells, an error has a cost and a right prediction a benefit. Put zeros "
                "on the diagonal and pass CostMatrix(costs, benefit=…); ix.cost, the total cost, takes the matrix as it is."
            )
        benefit = not_negative(per_class(self.benefit, classes, "benefit"), "benefit")
        abstain = None if self.abstain is None else not_negative(per_class(self.abstain, classes, "abstain"), "abstain")
        return CostMatrix(matrix, benefit, abstain)

    def check(self, pair: Pair) -> None:
        """Refuse examples without a cost in the matrix: several labels, memberships, or no class.

        Parameters
        ----------
        pair : Pair
            Truth and prediction as indicators.

        Examples
        --------
        >>> import indicatrix as ix
        >>> try:
        ...     ix.evaluate([{"a"}], [{"a", "b"}], cost=ix.types.CostMatrix([[0, 1], [1, 0]]))
        ... except ValueError as error:
        ...     print("several labels" in str(error))
        True
        """
        true, pred = pair.y.codes, pair.yhat.codes
        if true is None or pred is None:
            raise ValueError(
                "A cost matrix has one cost for a true and a predicted class; these rows have several labels, memberships, or "
                "another encoding. Give costs per label: cost=ix.tasks.label_costs(fp=…, fn=…)."
            )
        if self.abstain is None and np.any(pred < 0):
            raise ValueError(
                "Some predictions name no class, and a cost matrix does not say what that costs. "
                "Pass cost=ix.types.CostMatrix(costs, abstain=…), one number or one per true class; 0 makes abstaining free."
            )
        if np.any(true < 0):
            raise ValueError("Some examples have no true class, and a cost matrix has no row for them. Drop or mask them.")

    def scale(self) -> Scale:
        """Return what a cell counts per pair of classes; the last row and column mean no class.

        Returns
        -------
        Scale
            Four tables, for tp, fp, fn and tn.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.types.CostMatrix([[0, 5], [1, 0]]).on(("ill", "well")).scale().fn.tolist()
        [[0, 5, 0], [1, 0, 0], [0, 0, 0]]
        """
        if not isinstance(self.costs, np.ndarray) or np.ndim(self.benefit) == 0:
            raise TypeError("These costs are not on classes yet: call .on(classes), as evaluate does.")
        m = len(self.costs)
        nothing = np.zeros(m, np.int64) if self.abstain is None else self.abstain
        fp, fn = _add_no_class(self.costs, np.zeros(m, np.int64)), _add_no_class(self.costs, nothing)
        return Scale(np.diag(np.append(self.benefit, 0)), fp, fn, np.ones((m + 1, m + 1), np.int64), of="pair")

    def __repr__(self) -> str:
        return _spell("CostMatrix", {"": self.costs, "benefit": self.benefit, "abstain": self.abstain}, {"benefit": 1})


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class LabelCosts:
    """What each kind of cell counts: one number, or one per label.

    ``label_costs`` makes it.

    Attributes
    ----------
    fp, fn, tp, tn : number, array-like or mapping
        What each kind of cell counts: one number, or one per label.
    """

    fp: Any
    fn: Any
    tp: Any = 1
    tn: Any = 1

    def on(self, classes: tuple[Any, ...], *, ordered: bool = False) -> LabelCosts:
        """Return the same costs as arrays in the order of these labels; no order is needed.

        Parameters
        ----------
        classes : tuple
            The labels and their order.
        ordered : bool, default False
            Not used; ``CostMatrix.on`` has it as well.

        Returns
        -------
        LabelCosts
            The costs as ``evaluate`` uses them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.label_costs(fp=1, fn={"rare": 10, "common": 1}).on(("common", "rare")).fn.tolist()
        [1, 10]
        """
        return LabelCosts(*(not_negative(per_class(getattr(self, k), classes, k), k) for k in ("fp", "fn", "tp", "tn")))

    def check(self, pair: Pair) -> None:
        """Accept every row: an example without labels has false positives and true negatives like any other.

        Parameters
        ----------
        pair : Pair
            Truth and prediction as indicators.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.evaluate([set(), {"a"}], [{"a"}, set()], cost=ix.tasks.label_costs(fp=1, fn=2)).aggregate()
        Counts(tp=0.0, fp=1.0, fn=2.0, tn=0.0)
        """

    def scale(self) -> Scale:
        """Return what a cell counts for each label.

        Returns
        -------
        Scale
            Four vectors, for tp, fp, fn and tn.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.tasks.label_costs(fp=1, fn=2).on(("a", "b")).scale().fn.tolist()
        [2, 2]
        """
        four = (self.tp, self.fp, self.fn, self.tn)
        if any(np.ndim(x) == 0 for x in four):
            raise TypeError("These costs are not on labels yet: call .on(classes), as evaluate does.")
        return Scale(*four, of="column")

    def __repr__(self) -> str:
        four = {"fp": self.fp, "fn": self.fn, "tp": self.tp, "tn": self.tn}
        return _spell("label_costs", four, {"tp": 1, "tn": 1})


@answers_mistakes
def label_costs(*, fp: Any, fn: Any, tp: Any = 1, tn: Any = 1) -> LabelCosts:
    """Return costs per label, for cost-weighted cells of multilabel problems.

    Each cost is one number, one per label, or a mapping from label to number. Costs belong to single labels: where examples have
    several labels, there is no cost of taking one label for another.

    Parameters
    ----------
    fp, fn : number, array-like or mapping
        What a false positive and a false negative count: one number, or one per label.
    tp, tn : number, array-like or mapping, default 1
        What a true positive and a true negative count.

    Returns
    -------
    LabelCosts
        For ``cost=`` of ``evaluate``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> costs = ix.tasks.label_costs(fp=1, fn={"rare": 10, "common": 1})
    >>> ix.evaluate([{"rare"}, {"common"}], [set(), set()], cost=costs).aggregate("class").fn.tolist()
    [1.0, 10.0]
    """
    return LabelCosts(fp, fn, tp, tn)


def read_cost(given: Any, classes: tuple[Any, ...], ordered: bool) -> CostMatrix | LabelCosts | ExampleCosts:
    """Return the value of ``cost=`` as costs for these classes.

    The value may be a matrix, a name, a taxonomy, a CostMatrix, LabelCosts or ExampleCosts.
    """
    costs = given if isinstance(given, CostMatrix | LabelCosts | ExampleCosts) else CostMatrix(given)
    return costs.on(classes, ordered=ordered)


def read_matrix(given: Any, classes: tuple[Any, ...], *, ordered: bool) -> Array:
    """Return finite costs, m x m, rows true, from a matrix, a name or a taxonomy.

    Entries may be negative: these are benefits.

    >>> read_matrix("absolute", ("low", "mid", "high"), ordered=True).tolist()
    [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    m = len(classes)
    if isinstance(given, str):
        return _named_costs(given, m, ordered)
    if isinstance(given, CostMatrix | LabelCosts):
        raise TypeError(f"costs is {type_of(given)}, which weights cells: evaluate(…, cost=…). Give the matrix itself.")
    if isinstance(given, Mapping):
        raise TypeError("costs is a mapping. For the distances in a taxonomy give ix.taxonomy(…), otherwise an m x m matrix.")
    if callable(getattr(given, "distance", None)):
        given = given.distance(classes)
    matrix = numbers(in_order(given, classes, "costs"), "costs")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"costs has shape {matrix.shape}; a cost matrix is square, rows true and columns predicted.")
    if not m:
        return matrix[:0, :0]  # there are no examples, so no entry is ever read
    if len(matrix) != m:
        raise ValueError(
            f"costs is {len(matrix)} x {len(matrix)}, but there are {m} classes, {listing(classes)}. "
            "Pass classes= with one class for each row of costs, in their order, or name the rows and columns with a data frame."
        )
    return matrix


def _named_costs(name: str, m: int, ordered: bool) -> Array:
    if name not in NAMED:
        raise ValueError(f"costs={name!r} is not a named cost. Choose from {', '.join(map(repr, NAMED))}, or give a matrix.")
    if name in ORDERED and not ordered:
        raise ValueError(
            f"costs={name!r} counts ranks, and nothing says in which order the classes are, or whether some are missing between "
            "them. Pass classes= from the lowest to the highest, or an ordered categorical."
        )
    ranks = np.arange(m)
    costs: Array = NAMED[name](abs(np.subtract.outer(ranks, ranks)))
    return costs


def in_order(given: Any, classes: tuple[Any, ...], argument: str) -> Any:
    """Return a matrix in the order of the classes, where a data frame names its rows and columns."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(given, pandas.DataFrame):
        if hasattr(given, "columns"):
            raise TypeError(
                f"{argument} is a {type(given).__module__.partition('.')[0]} {type(given).__name__}, whose rows have no names. "
                "Give a NumPy array in the order of the classes, or a pandas data frame with named rows and columns."
            )
        return given
    rows, columns = given.index.tolist(), given.columns.tolist()
    positions = list(range(len(rows)))
    if rows == columns == positions and set(classes) != set(positions):
        return given.to_numpy()  # not named: in the order of the classes
    at = [places(names, classes, f"The {what} of {argument}") for names, what in ((rows, "rows"), (columns, "columns"))]
    return given.to_numpy()[np.ix_(*at)]


def named_classes(given: Any) -> list[Any] | None:
    """Return the classes that the rows of a data frame name; None if the rows have no names."""
    pandas = sys.modules.get("pandas")
    names = given.index.tolist() if pandas is not None and isinstance(given, pandas.DataFrame) else []
    return None if names == list(range(len(names))) else names


def _add_no_class(inner: Array, last: Array) -> Array:
    """Return an array with one more column and a row of zeros: predictions and examples without a class."""
    wide = np.concatenate([inner, last[:, None]], axis=1)
    return np.concatenate([wide, np.zeros((1, wide.shape[1]), wide.dtype)])


def _plain(x: Any) -> Any:
    """Return whole floats as integers: the same costs have the same text."""
    if isinstance(x, list):
        return [_plain(v) for v in x]
    return int(x) if isinstance(x, float) and x.is_integer() else x


def _spell(name: str, parts: dict[str, Any], defaults: dict[str, Any]) -> str:
    """Return costs as text; different costs have different texts.

    Evaluations are compared by how they were made, and so by this text.
    """
    shown = []
    for key, x in parts.items():
        if x is None or (key in defaults and np.all(np.asarray(x) == defaults[key])):
            continue
        if isinstance(x, np.ndarray) and x.ndim and len(x) > SHOWN:
            from hashlib import sha256

            text = f"<{' x '.join(map(str, x.shape))}, sha256 {sha256(repr(_plain(x.tolist())).encode()).hexdigest()[:16]}>"
        else:
            text = repr(_plain(x.tolist())) if isinstance(x, np.ndarray) else repr(x)
        shown.append(f"{key}={text}" if key else text)
    return f"{name}({', '.join(shown)})"


def change_problem(problem: Problem, options: Options) -> Problem:
    """Return the problem with cells that count what errors cost."""
    costs = read_cost(options.cost, problem.pair.y.classes, problem.pair.ordered)
    scale = costs.scale()
    one_each = problem.pair.y.codes is not None and problem.pair.yhat.codes is not None
    if isinstance(costs, CostMatrix) and problem.norm is not None and not one_each:
        check_mixtures(problem, may_abstain=costs.abstain is not None)
    else:
        costs.check(problem.pair)
    pair = problem.pair
    if scale.of != "example":
        pair = replace(pair, open=False)  # costs are per class, so no batch may add a class
    return replace(problem, pair=pair, scale=scale, recipe=problem.recipe._replace(cost=repr(costs)))
