"""Functions of the whole m x m confusion matrix: what they are, and the registry of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

import numpy as np

from ..algebra.call_door import interval_of_call, take_clusters
from ..algebra.call_mistakes import answers_mistakes
from ..algebra.derived_facts import DIRECTIONS
from ..algebra.measure import COUNTS
from ..algebra.measure_names import OF_THE_MATRIX
from ..algebra.score import Undefined, read_undefined, score_of_units
from ..algebra.wording import first_line

MATRIX_MEASURES: dict[str, MatrixMeasure] = {}
DOOR = COUNTS._replace(takes="an evaluation, such as ix.from_confusion(table), or y_true and y_pred", unit="")


@answers_mistakes(but=("__call__",))  # which takes everything, and must be fast
@dataclass(frozen=True, eq=False, repr=False)
class MatrixMeasure:
    """A function of the confusion matrix: call it on labels or on an evaluation; it has no averages.

    Attributes
    ----------
    name : str
        The name.
    function : callable
        A function of the confusion matrix; its keyword arguments are the parameters.
    range : tuple
        The lowest and the highest value.
    source : str
        The key of its source in ``ix.references()``.
    better : str
        'higher', 'lower' or 'neither'.
    group : str
        The group of the catalogue.
    aliases : tuple of str
        Other names.
    params : mapping
        The parameters that the function takes, and their values.
    ordered : bool
        Whether it needs classes that stand in an order.
    symmetric : bool
        Whether it stays the same if true and predicted classes are exchanged.
    bounded_by_rank : bool
        Whether the range also holds for weights by rank.
    weighted_aliases : tuple of str
        Other names that stand for it with weights only: under such a name ``weights`` must be given.
    limits : callable, optional
        Of a confusion matrix: the ends of an interval for so many classes, where ``range`` has none or cuts values off.
    through : tuple, optional
        Another function of the matrix, and how this one grows with it for the classes of a confusion matrix.
    without_interval : str
        Why it has no interval; "" if it has one.
    called : str
        The name by which it was found, if this name asks for weights.
    known_as : mapping
        Always empty: there are no averages with names of their own.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.multiclass_accuracy(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.75
    >>> ix.multiclass_kappa.at(weights="linear")(["a", "b", "c", "c"], ["a", "b", "c", "b"], classes=["a", "b", "c"])
    0.7142857142857143
    """

    name: str
    function: Callable[..., Any]
    range: tuple[float, float]
    source: str
    better: str = "higher"
    group: str = "confusion matrix"
    aliases: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    ordered: bool = False
    symmetric: bool = False
    bounded_by_rank: bool = True
    weighted_aliases: tuple[str, ...] = ()
    limits: Callable[[Any], tuple[float, float]] | None = None
    through: tuple[MatrixMeasure, Callable[[Any, Any], Any]] | None = None
    without_interval: str = ""
    called: str = field(default="", repr=False)  # the name by which it was found, if this name asks for weights
    known_as: Mapping[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "__name__", self.name)  # as functions have, for code that takes it for one

    @property
    def doc(self) -> str:
        """The first line of the function's docstring."""
        return first_line(self.function.__doc__)

    @property
    def own_options(self) -> Mapping[str, Any]:
        """The parameters, with their values: the keyword arguments of a call that are its own."""
        return {name: value for name, value in self.params.items() if name != "values"}

    def at(self, **params: Any) -> MatrixMeasure:
        """Return the measure with other values of its parameters.

        Parameters
        ----------
        **params
            Values of parameters, such as ``weights="linear"``.

        Returns
        -------
        MatrixMeasure
            The same function with these values; its text shows them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.krippendorff_alpha.at(level="ordinal"))
        krippendorff_alpha(level='ordinal')
        """
        for name in params:
            if name not in self.params:
                known = ", ".join(self.own_options)
                raise TypeError(f"{self.name} has no {name}." + (f" It takes {known}." if known else ""))
        if not params:
            return self
        made = replace(self, params={**self.params, **params})
        weights = made.params.get("weights")
        # Disagreement that is rare by chance may be common: a matrix of weights has no lowest value.
        free = weights is not None and not (isinstance(weights, str) and self.bounded_by_rank)
        return replace(made, range=(-math.inf, made.range[1])) if free else made

    def of(self, table: Any) -> Any:
        """Return the value for a confusion matrix, in its number type.

        Parameters
        ----------
        table : array
            The confusion matrix, rows are true classes; floats, or objects such as Python integers or Fractions.

        Returns
        -------
        number
            The value; nan where it is undefined.

        Examples
        --------
        >>> import indicatrix as ix, numpy as np
        >>> from fractions import Fraction
        >>> ix.multiclass_kappa.of(np.array([[Fraction(3), 1], [1, 3]], dtype=object))
        Fraction(1, 2)
        """
        if self.called and self.params["weights"] is None:
            raise ValueError(
                f"{self.called} has weights, and none were given; without them it is {self.name}. Use that name, or pass "
                "weights=, a name such as 'linear' or a matrix of disagreement."
            )
        return self.function(table, **self.params)

    def _exact_value(self, table: Any) -> float:
        """Return the value for a matrix of counts, exactly; a function that only takes floats gets these."""
        try:
            return float(self.of(table.astype(object)))
        except (TypeError, AttributeError):
            if self.name in MATRIX_MEASURES:
                raise
            return float(self.of(table.astype(np.float64)))

    def for_source(self, source: Any) -> MatrixMeasure:
        """Return the measure for the classes of a source, whose order and values it may read.

        Parameters
        ----------
        source : Evaluation
            What the measure will be computed for.

        Returns
        -------
        MatrixMeasure
            The measure, which may now know the values of the classes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.multiclass_mcc.for_source(ix.evaluate([0, 1], [0, 0])) is ix.multiclass_mcc
        True
        """
        level = self.params.get("level", "nominal")
        if isinstance(level, str) and level in ("interval", "ratio") and self.params["values"] is None:
            return self.at(values=_numbers_of(source, self))
        weights = self.params.get("weights")
        by_rank = isinstance(weights, str) or level == "ordinal"
        if (by_rank or self.ordered) and not getattr(source, "ordered", True):
            self.of(np.zeros((1, 1), np.int64))  # which refuses weights that do not exist
            raise ValueError(f"{_what_counts_ranks(self, weights)}, and nothing says in which order the classes are. {ORDER}")
        return self

    def __call__(self, *args: Any, undefined: Undefined = "exclude", interval: float | bool | None = None, **options: Any) -> Any:
        """Return the Score (or Interval) for labels (``y_true, y_pred``) or for an evaluation."""
        if "average" in options:
            raise TypeError(f"{self.name} reads the whole confusion matrix and has no averages; leave average out.")
        if options.get("weights") is not None and "weights" not in self.params:
            raise TypeError(f"{self.name} has no weights.")
        own = {name: options.pop(name) for name in self.own_options if name in options}
        options.pop("weights", None)
        asked = self.at(**own)
        clusters = take_clusters(options, interval, counted=len(args) == 1) if "clusters" in options else None
        source = DOOR.open(self, args, options, interval)
        undefined = read_undefined(undefined, source, self)
        if not hasattr(source, "confusion"):
            raise TypeError(f"{self.name} needs an evaluation or labels; {type(source).__name__} has no confusion matrix.")
        table, rows = source.confusion, getattr(source, "tally", source).aggregate("example")
        if ((rows.n > 0) & ((rows.tp + rows.fn != 1) | (rows.tp + rows.fp != 1))).any():
            raise ValueError(f"{self.name} needs one true and one predicted class for every example; some examples lack one.")
        ready = asked.for_source(source)
        if interval:
            return interval_of_call(source, asked, None, undefined, interval, clusters)
        return score_of_units(asked, "matrix", undefined, ready._exact_value(table), source.aggregate(()), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatrixMeasure) and (self.function, str(self)) == (other.function, str(other))

    def __hash__(self) -> int:
        return hash((self.function, str(self)))

    def __reduce__(self) -> Any:
        # The module's name stands for the measure, so its function cannot be pickled by that name.
        known = MATRIX_MEASURES.get(self.called or self.name)
        if known is None or known.function is not self.function:
            return object.__reduce_ex__(self, 4)
        params = {k: v for k, v in self.params.items() if v is not known.params[k]}
        return _find_registered, (self.function.__module__, self.called or self.name, params)

    def __repr__(self) -> str:
        return f"<MatrixMeasure {self}: {self.doc}>"

    def __str__(self) -> str:
        usual = getattr(self.function, "__kwdefaults__", None) or {}
        given = [f"{k}={_text(v)}" for k, v in self.own_options.items() if v is not usual.get(k)]
        return f"{self.name}({', '.join(given)})" if given else self.name


ORDER = "Pass classes= from the lowest to the highest, or an ordered categorical."


def _what_counts_ranks(measure: MatrixMeasure, weights: Any) -> str:
    if isinstance(weights, str):
        return f"weights={weights!r} counts ranks"
    return "level='ordinal' counts ranks" if "level" in measure.params else f"{measure.name} counts ranks"


def _numbers_of(source: Any, measure: MatrixMeasure) -> tuple[Any, ...]:
    """Return the classes as numbers; they are refused if one is not."""
    values = tuple(x.item() if isinstance(x, np.generic) else x for x in getattr(source, "classes", None) or source.tally.classes)
    wrong = [x for x in values if isinstance(x, bool) or not isinstance(x, int | float) or x != x or abs(x) == float("inf")]
    if wrong:
        raise ValueError(
            f"level={measure.params['level']!r} reads the classes as numbers, and {wrong[0]!r} is not a number. Use "
            "level='ordinal', or label the examples with numbers."
        )
    return values


def _text(value: Any) -> str:
    return repr(np.asarray(value).tolist() if hasattr(value, "__array__") else value)


def _find_registered(home: str, name: str, params: Mapping[str, Any]) -> MatrixMeasure:
    import_module(home)  # which registers it
    return MATRIX_MEASURES[name].at(**params)


def matrix_measure(
    *, range: tuple[float, float], source: str, group: str, better: str = "higher", **facts: Any
) -> Callable[[Callable[..., Any]], MatrixMeasure]:
    """Return the decorator that makes a function of the confusion matrix a measure, and registers it."""
    assert better in DIRECTIONS

    def register(function: Callable[..., Any]) -> MatrixMeasure:
        params = MappingProxyType(getattr(function, "__kwdefaults__", None) or {})
        made = MatrixMeasure(function.__name__, function, range, source, better, group, params=params, **facts)
        for name in (made.name, *made.aliases):
            assert name not in MATRIX_MEASURES, name
            OF_THE_MATRIX.add(name)
            MATRIX_MEASURES[name] = replace(made, called=name) if name in made.weighted_aliases else made
        return made

    return register
