"""Measures of the whole m x m confusion matrix: how they are applied, and the registry of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from ..algebra.average import NotOfferedError, groupings_of
from ..algebra.count_formula import COUNTS
from ..algebra.counts import Counts
from ..algebra.derived.derived_facts import DIRECTIONS
from ..algebra.kind import OF_OTHERS
from ..algebra.measure import Measure

MATRIX_MEASURES: dict[str, Measure] = {}
ORDER = "Pass classes= from the lowest to the highest, or an ordered categorical."


@dataclass(frozen=True, eq=False)
class TableFacts:
    """What only a measure of the confusion matrix has."""

    ordered: bool = False  # it needs classes that stand in an order
    symmetric: bool = False  # it stays the same if true and predicted classes are exchanged
    bounded_by_rank: bool = True  # the range also holds for weights by rank
    weighted_aliases: tuple[str, ...] = ()  # names that stand for it with weights only: under these, weights must be given
    limits: Callable[[Any], tuple[float, float]] | None = None  # of a matrix: the ends of an interval for so many classes
    through: tuple[Measure, Callable[[Any, Any], Any]] | None = None  # another measure, and how this one grows with it
    entropies: tuple[int, int, int] | None = None  # how often those of the true class, the prediction and both, whose sum it is
    least_of_class: int = 0  # examples and predictions of each class below which it has no interval
    without_interval: str = ""  # why it has no interval; "" if it has one


def for_source(measure: Measure, source: Any) -> Measure:
    """Return the measure for the classes of a source, whose order and values it may read."""
    level = measure.params.get("level", "nominal")
    if isinstance(level, str) and level in ("interval", "ratio") and measure.params["values"] is None:
        return measure.at(values=_numbers_of(source, measure))
    weights = measure.params.get("weights")
    by_rank = isinstance(weights, str) or level == "ordinal"
    if (by_rank or measure.facts.ordered) and not getattr(source, "ordered", True):
        of_table(measure, np.zeros((1, 1), np.int64))  # which refuses weights that do not exist
        raise ValueError(f"{_what_counts_ranks(measure, weights)}, and nothing says in which order the classes are. {ORDER}")
    return measure


def _what_counts_ranks(measure: Measure, weights: Any) -> str:
    if isinstance(weights, str):
        return f"weights={weights!r} counts ranks"
    return "level='ordinal' counts ranks" if "level" in measure.params else f"{measure.name} counts ranks"


def _numbers_of(source: Any, measure: Measure) -> tuple[Any, ...]:
    """Return the classes as numbers; they are refused if one is not."""
    values = tuple(x.item() if isinstance(x, np.generic) else x for x in getattr(source, "classes", None) or source.tally.classes)
    wrong = [x for x in values if isinstance(x, bool) or not isinstance(x, int | float) or x != x or abs(x) == float("inf")]
    if wrong:
        raise ValueError(
            f"level={measure.params['level']!r} reads the classes as numbers, and {wrong[0]!r} is not a number. Use "
            "level='ordinal', or label the examples with numbers."
        )
    return values


def of_table(measure: Measure, table: Any) -> Any:
    """Return the value for a confusion matrix, in its number type; nan where it is undefined.

    >>> import indicatrix as ix
    >>> from fractions import Fraction
    >>> of_table(ix.multiclass_kappa, np.array([[Fraction(3), 1], [1, 3]], dtype=object))
    Fraction(1, 2)
    """
    if measure.called in measure.facts.weighted_aliases and measure.params["weights"] is None:
        raise ValueError(
            f"{measure.called} has weights, and none were given; without them it is {measure.name}. Use that name, or pass "
            "weights=, a name such as 'linear' or a matrix of disagreement."
        )
    return measure.function(table, **measure.params)


def exact_value(measure: Measure, table: Any) -> float:
    """Return the value for a matrix of counts, exactly; a function that only takes floats gets these."""
    try:
        return float(of_table(measure, table.astype(object)))
    except (TypeError, AttributeError):
        if measure.name in MATRIX_MEASURES:
            raise
        return float(of_table(measure, table.astype(np.float64)))


@dataclass(frozen=True, eq=False)
class ConfusionTable:
    """The confusion matrix of decided labels, with what measures of it may read of its classes."""

    cells: Any  # m x m, rows true; of groups one after the other
    source: Any  # which knows the classes, and whether they are ordered
    complete: bool  # every example has one true and one predicted class
    per: tuple[str, ...] = ()
    names: tuple[tuple[Any, ...], ...] = ()
    times: Any = None

    @cached_property
    def counts(self) -> Counts:
        """The four counts of all classes, of everything or of each group."""
        counts: Counts = self.source.aggregate(self.per)
        return counts

    @property
    def tpos(self) -> Any:
        """The actual positives of all classes."""
        return self.counts.tpos

    @property
    def tneg(self) -> Any:
        """The actual negatives of all classes."""
        return self.counts.tneg


def _of_labels(source: Any, per: tuple[str, ...], positive: bool) -> ConfusionTable:
    """Return the confusion matrix of a source, or that of each group of an axis of by=."""
    if per and set(per) <= set(groupings_of(source)) and len(per) == 1:
        groups = source.split(per[0])
        each = [_of_labels(part, (), False) for part in groups.values()]
        cells = np.array([table.cells for table in each])
        return ConfusionTable(cells, source, all(table.complete for table in each), per, (tuple(groups),))
    if per or positive:
        raise NotOfferedError("it reads the whole confusion matrix, which belongs to no class and no example.")
    table, rows = source.confusion, getattr(source, "tally", source).aggregate("example")
    partial = ((rows.n > 0) & ((rows.tp + rows.fn != 1) | (rows.tp + rows.fp != 1))).any()
    return ConfusionTable(table, source, not partial)


def _meaning(measure: Measure, source: Any, average: Any, undefined: Any) -> tuple[Measure, Any, Any]:
    """Return a measure with a source that has a confusion matrix; another is refused."""
    if not hasattr(source, "confusion") and average is None:
        raise TypeError(f"{measure.name} needs an evaluation or labels; {type(source).__name__} has no confusion matrix.")
    return measure, source, average


def _apply(measure: Measure, statistic: Any) -> Any:
    """Return the value of a matrix in its number type, or the exact value for the classes of a source."""
    if not isinstance(statistic, ConfusionTable):
        return of_table(measure, statistic)
    if not statistic.complete:
        raise ValueError(f"{measure.name} needs one true and one predicted class for every example; some examples lack one.")
    meant = for_source(measure, statistic.source)
    if statistic.per:
        return np.array([exact_value(meant, cells) for cells in statistic.cells], np.float64)
    return exact_value(meant, statistic.cells)


def _settle(measure: Measure) -> Measure:
    """Return the measure with the range that its weights leave.

    Disagreement that is rare by chance may be common: a matrix of weights has no lowest value.
    """
    weights = measure.params.get("weights")
    free = weights is not None and not (isinstance(weights, str) and measure.facts.bounded_by_rank)
    return replace(measure, range=(-math.inf, measure.range[1])) if free else measure


TABLE = replace(
    COUNTS,
    name="matrix",
    what="the whole confusion matrix",
    takes="a confusion matrix, an evaluation, such as ix.from_confusion(table), or y_true and y_pred",
    is_unit=lambda x: isinstance(x, np.ndarray) and x.ndim == 2 and x.shape[0] == x.shape[1],
    unit="a confusion matrix",
    value="one value",
    apply=_apply,
    check_parameter=lambda measure, name, value: None,  # the function refuses what it cannot use
    help=("catalogue.listing", "help_on_matrix_measure"),
    formula=False,
    facts=TableFacts,
    examples=lambda: (np.array([[3.0, 1.0], [2.0, 4.0]]), np.array([[5.0, 1.0, 0.0], [2.0, 4.0, 1.0], [0.0, 3.0, 6.0]])),
    settle=_settle,
    averaged=False,
    in_counts=False,
    of_labels=_of_labels,
    meaning=_meaning,
    splits=True,
    pools_classes=False,
    names_all=False,
    found=("values",),
)


def matrix_measure(
    *, range: tuple[float, float], source: str, group: str, better: str = "higher", aliases: tuple[str, ...] = (), **facts: Any
) -> Callable[[Callable[..., Any]], Measure]:
    """Return the decorator that makes a function of the confusion matrix a measure, and registers it."""
    assert better in DIRECTIONS

    def register(function: Callable[..., Any]) -> Measure:
        params: Mapping[str, Any] = MappingProxyType(getattr(function, "__kwdefaults__", None) or {})
        own: dict[str, Any] = {"aliases": aliases, "group": group, "source": source, "params": params, "reads": TABLE}
        made = Measure(function.__name__, function, better, range, **own, facts=TableFacts(**facts))
        OF_OTHERS.reserved.update((made.name, *made.aliases))
        for name in (made.name, *made.aliases):
            assert name not in MATRIX_MEASURES, name
            MATRIX_MEASURES[name] = OF_OTHERS[name] = made.under(name) if name in made.facts.weighted_aliases else made
        return made

    return register
