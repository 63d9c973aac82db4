"""Functions of the whole m x m confusion matrix; micro averages are something else (errata B1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..algebra.arrays import ratio, sqrt
from ..algebra.call_door import explain, interval_of_call
from ..algebra.measure import COUNTS, Measure
from ..algebra.measure_names import find
from ..algebra.score import Undefined, read_undefined, score_of_units

MATRIX_MEASURES: dict[str, MatrixMeasure] = {}


@dataclass(frozen=True, eq=False, repr=False)
class MatrixMeasure:
    """A function of the confusion matrix: call it on labels or on an evaluation; it has no averages.

    Attributes
    ----------
    name : str
        The name.
    function : callable
        A function of the confusion matrix.
    range : tuple
        The lowest and the highest value.
    source : str
        The key of its source in ``ix.references()``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.multiclass_accuracy(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.75
    """

    name: str
    function: Callable[..., Any]
    range: tuple[float, float]
    source: str
    # The same for all of them, so that the catalogue can list them with the measures of counts.
    better = "higher"
    group = "confusion matrix"
    aliases = ()
    params: ClassVar[Mapping[str, float]] = {}
    known_as: ClassVar[Mapping[str, str]] = {}

    @property
    def doc(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").partition("\n")[0]

    @property
    def own_options(self) -> dict[str, Any]:
        """The arguments after the matrix, with their defaults."""
        names = self.function.__code__.co_varnames[1 : self.function.__code__.co_argcount]
        return dict(zip(names, self.function.__defaults__ or (), strict=True))

    def __call__(
        self,
        *args: Any,
        undefined: Undefined = "exclude",
        interval: float | bool | None = None,
        weights: Any = None,
        **options: Any,
    ) -> Any:
        """Return the Score (or Interval) for labels (``y_true, y_pred``) or for an evaluation."""
        if "average" in options:
            raise TypeError(f"{self.name} reads the whole confusion matrix and has no averages; leave average out.")
        if weights is not None and "weights" not in self.own_options:
            raise TypeError(f"{self.name} has no weights.")
        source = COUNTS.open(self, args, options, interval)
        undefined = read_undefined(undefined, source, self)
        if not hasattr(source, "confusion"):
            raise TypeError(f"{self.name} needs an evaluation or labels; {type(source).__name__} has no confusion matrix.")
        table, rows = source.confusion, getattr(source, "tally", source).aggregate("example")
        if ((rows.n > 0) & ((rows.tp + rows.fn != 1) | (rows.tp + rows.fp != 1))).any():
            raise ValueError(f"{self.name} needs one true and one predicted class for every example; some examples lack one.")
        if isinstance(weights, str) and not getattr(source, "ordered", True):
            raise ValueError(
                f"weights={weights!r} counts ranks, and nothing says in which order the classes are. Pass classes= from the "
                "lowest to the highest, or an ordered categorical."
            )
        if interval:
            weighted = self if weights is None else replace(self, function=partial(self.function, weights=weights))
            return interval_of_call(source, weighted, None, undefined, interval)
        exact = table.astype(object)
        value = float(self.function(exact) if weights is None else self.function(exact, weights))
        return score_of_units(self, "matrix", undefined, value, source.aggregate(()), None)

    def __reduce__(self) -> Any:
        # The module's name stands for the measure, so its function cannot be pickled by that name.
        known = MATRIX_MEASURES.get(self.name) is self
        return (_find_registered, (self.name,)) if known else object.__reduce_ex__(self, 4)

    def __repr__(self) -> str:
        return f"<MatrixMeasure {self}: {self.doc}>"

    def __str__(self) -> str:
        return self.name


def _help_on(measure: MatrixMeasure) -> str:
    from .help_text import help_on_matrix_measure

    return help_on_matrix_measure(measure)


explain(MatrixMeasure, _help_on, lambda m: COUNTS.signature({"undefined": "exclude", "interval": None, **m.own_options}))


def _find_registered(name: str) -> MatrixMeasure:
    return MATRIX_MEASURES[name]


def _matrix_measure(range: tuple[float, float], source: str) -> Callable[[Callable[..., Any]], MatrixMeasure]:
    def register(function: Callable[..., Any]) -> MatrixMeasure:
        made = MatrixMeasure(function.__name__, function, range, source)
        object.__setattr__(made, "__name__", made.name)  # as functions have, for code that takes it for one
        MATRIX_MEASURES[made.name] = made
        return made

    return register


@_matrix_measure(range=(0, 1), source="sokolova2009")
def multiclass_accuracy(confusion: Any) -> Any:
    """Share of examples whose predicted class is the true one; equals exact match and micro recall."""
    return ratio(confusion.trace(), confusion.sum())


@_matrix_measure(range=(-1, 1), source="gorodkin2004")
def multiclass_mcc(confusion: Any) -> Any:
    """Correlation of true and predicted class indicators (Gorodkin's R_K), which is not the micro MCC."""
    true, pred, n = confusion.sum(axis=1), confusion.sum(axis=0), confusion.sum()
    covariance = n * confusion.trace() - (true * pred).sum()
    return ratio(covariance, sqrt((n * n - (true * true).sum()) * (n * n - (pred * pred).sum())))


@_matrix_measure(range=(-1, 1), source="youden1950")
def multiclass_informedness(confusion: Any) -> Any:
    """Mean recall of the classes that occur, rescaled so that guessing has 0 and a perfect result 1."""
    true = confusion.sum(axis=1)
    here = [i for i, total in enumerate(true) if total != 0]
    recalls = sum(ratio(confusion[i, i], true[i]) for i in here)
    return ratio(recalls - 1, len(here) - 1)


@_matrix_measure(range=(-1, 1), source="cohen1968")
def multiclass_kappa(confusion: Any, weights: Any = None) -> Any:
    """Agreement beyond chance over the whole matrix; ``weights`` say how much classes disagree.

    They are None, "linear", "quadratic" or a matrix of disagreement.
    """
    true, pred = confusion.sum(axis=1), confusion.sum(axis=0)
    cost = _disagreement(weights, len(confusion))
    observed = (cost * confusion).sum() * confusion.sum()
    expected = true.dot(cost.dot(pred)) if len(confusion) else 0
    return ratio(expected - observed, expected)


def _disagreement(weights: Any, m: int) -> Any:
    distance = abs(np.subtract.outer(np.arange(m), np.arange(m))).astype(object)
    if weights is None:
        return (distance > 0).astype(int).astype(object)
    if isinstance(weights, str):
        if weights not in ("linear", "quadratic"):
            raise ValueError(f"weights={weights!r} is unknown. Use None, 'linear', 'quadratic' or an m x m matrix.")
        return distance if weights == "linear" else distance * distance
    matrix = np.asarray(weights)
    if matrix.shape != (m, m) or not np.isfinite(matrix.astype(float)).all() or matrix.diagonal().any():
        raise ValueError(f"A weight matrix is {m} x {m}, finite, and zero on its diagonal; this one has shape {matrix.shape}.")
    return matrix.astype(object)


def measure_of_counts(measure: str | Measure) -> Measure:
    """Return a measure of counts; a function of the matrix has only one value and is refused."""
    found = resolve(measure)
    if isinstance(found, MatrixMeasure):
        raise TypeError(f"{found} reads the whole confusion matrix and has one value: ev.score({found.name!r}).")
    return found


def resolve(measure: str | Measure | MatrixMeasure) -> Measure | MatrixMeasure:
    """Return the measure, or function of the confusion matrix, that a name stands for."""
    if isinstance(measure, MatrixMeasure):
        return measure
    if isinstance(measure, str) and measure in MATRIX_MEASURES:
        return MATRIX_MEASURES[measure]
    return find(measure)
