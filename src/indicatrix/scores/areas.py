"""Areas: functions from ranked scores to a number (prop:roc, Group 7).

Averages and conventions are derived from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from ..algebra.average import BINARY, Average, Name
from ..algebra.call_door import Door, explain, interval_of_call, take_clusters
from ..algebra.call_mistakes import answers_mistakes
from ..algebra.counts import Counts
from ..algebra.group_scores import mean_of_groups, read_nested, score_groups
from ..algebra.possible_averages import product_of_weights, undecided_counts
from ..algebra.quantity import no_denominator
from ..algebra.score import Score, Undefined, check_undefined, pooled_inside, score_of_units
from ..algebra.wording import first_line, short
from ..ranking.ranked import Ranked, rank_scores
from . import averted_loss, equal_error, log_area, precision_areas, roc_areas
from .averaged_rankings import find_average_of_rankings, rankings_along
from .missed_positives import check_missed, missed_in_all, missed_of
from .ranked_rows import Steps, row_steps, steps_of_groups
from .score_options import check_options
from .sweep import Sweep, sweep
from .sweep_rows import SweepRows
from .threshold_grid import check_thresholds

BLOCK = 1 << 18  # cells that are ranked at a time: small enough for the cache
FEW_ROWS = 64  # a table of groups has at least this many rows; larger groups are ranked one by one
OPTIONS = ("classes", "positive", "sample_weight", "mask", "by", "missing")
HINTS = {  # what these arguments of other libraries are called here
    "max_fpr": "ix.partial_auc(…, max_fpr=) is the area up to a false positive rate",
    "multi_class": "several classes are one-vs-all, and ix.hand_till_auc is one-vs-one",
    "multi": "several classes are one-vs-all, and ix.hand_till_auc is one-vs-one",
}


@answers_mistakes(but=("__call__",))  # which takes everything, and must be fast
@dataclass(frozen=True, eq=False, repr=False)
class Area:
    """A function from ranked scores to a number, with what cannot be derived from it.

    Call it on a ``Ranked``, on a ``Sweep``, or on labels and scores; it takes what ``sweep`` takes.

    Attributes
    ----------
    name : str
        The name.
    function : callable
        A function of the counts at all thresholds, and of the parameters.
    checks : mapping
        For each parameter, a function that refuses a bad value.
    better : str
        'higher' or 'lower'.
    range : tuple
        The lowest and the highest value.
    source : str
        Where it was published: a key of ``ix.references()``.
    params : mapping
        Its parameters with their values.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.auc([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.3, 0.8], [0.4, 0.1]], average="macro")
    0.75
    """

    name: str
    function: Callable[..., Any]  # of steps, and of the parameters
    checks: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)  # refuse a bad value of a parameter
    better: str = "higher"
    range: tuple[float, float] = (0, 1)
    source: str = ""  # a key of ix.references()
    params: Mapping[str, Any] = field(default_factory=dict)
    denominator = no_denominator

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType(dict(self.params or self._usual)))
        object.__setattr__(self, "__name__", self.name)  # as functions have, for code that takes an area for one

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Area):
            return NotImplemented
        return (self.name, self.function) == (other.name, other.function) and self.params == other.params

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def doc(self) -> str:
        """What the area is, in one line of the function's docstring, without labels of the paper."""
        first = first_line(self.function.__doc__)
        return first.removeprefix("Return the ").partition(" (")[0].removesuffix(".")

    @property
    def _usual(self) -> dict[str, Any]:
        """The parameters at their defaults."""
        return getattr(self.function, "__kwdefaults__", None) or {}

    def __call__(
        self,
        *args: Any,
        average: str | None = None,
        undefined: Undefined = "exclude",
        interval: float | bool | None = None,
        **options: Any,
    ) -> Any:
        """Return the value of one ``Ranked``, or the Score (or Interval) of a ``Sweep`` or of scores."""
        if average is None and "averages" in options:
            average = options.pop("averages")
        own = {name: options.pop(name) for name in self.params if name in options}
        area = self.at(**own) if own else self
        if len(args) == 1 and isinstance(args[0], Ranked | Steps):
            area._check()
            SWEEPS.check_unit(self, average, undefined, options, interval)
            return area.value(args[0])
        clusters = take_clusters(options, interval, counted=True) if "clusters" in options else None
        swept = SWEEPS.open(self, args, options)
        if interval:
            return interval_of_call(swept, area, average, undefined, interval, clusters)
        return area.score(swept, average, undefined)

    def value(self, ranking: Ranked | Steps) -> Any:
        """Return the area of one ranking, nan where it is undefined; a Fraction of counts that are fractions.

        Parameters
        ----------
        ranking : Ranked
            One column of ranked scores, such as ``sweep(…).micro``.

        Returns
        -------
        float or Fraction
            The area.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.auc.value(ix.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]).micro)
        0.75
        """
        value = self.function(ranking, **self.params)
        return value if isinstance(value, Fraction) else float(value)

    def exact(self, ranking: Ranked | Steps) -> Any:
        """Return the area of one ranking in fractions, where it is rational (errata A15).

        Parameters
        ----------
        ranking : Ranked
            One column of ranked scores, such as ``sweep(…).micro``.

        Returns
        -------
        Fraction or float
            The area.

        Examples
        --------
        >>> import indicatrix as ix
        >>> swept = ix.sweep([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
        >>> ix.average_precision.at(interpolation="trapezoid").exact(swept.micro)
        Fraction(83, 180)
        """
        self._check()
        tp, fp = (np.array([Fraction(n) for n in x.tolist()], object) for x in (ranking.tp, ranking.fp))
        return self.value(Steps(tp, fp, ranking.thresholds))

    def at(self, **params: Any) -> Area:
        """Return the same area at other parameters.

        Parameters
        ----------
        **params
            Parameters of the area by name.

        Returns
        -------
        Area
            The same area with these parameters.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.average_precision.at(interpolation="envelope"))
        average_precision(interpolation='envelope')
        """
        for name, value in params.items():
            if name not in self.params:
                raise TypeError(f"{self.name} has no parameter {name!r}. It takes {', '.join(self.params) or 'no parameters'}.")
            self.checks[name](value)
        return replace(self, params={**self.params, **params})

    def _check(self) -> None:
        for name, value in self.params.items():
            self.checks[name](value)

    def score(self, swept: Sweep, average: Name | None = None, undefined: Undefined = "exclude") -> Score:
        """Return the average of the area over its units: pooled, over classes, over examples, or over groups.

        Parameters
        ----------
        swept : Sweep
            Labels and scores, as ``ix.sweep`` makes them.
        average : str, optional
            How the areas of several classes become one number: 'micro', 'macro', 'weighted', 'exemplar' or a by= axis. It
            may be left out for one column of scores.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that knows its convention, the values that it was made of, and which of them were undefined.

        Examples
        --------
        >>> import indicatrix as ix
        >>> swept = ix.sweep([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.3, 0.8], [0.4, 0.1]])
        >>> ix.auc.score(swept, "macro")
        0.75
        """
        check_undefined(undefined)
        self._check()
        if isinstance(average, tuple):
            return self._within_groups(swept, average, undefined)
        name, rule = find_average_of_rankings(self, swept, average)
        if "example" in rule.per:
            if self.params.get("missed"):
                raise ValueError(
                    f"{self} over examples: missed= says how many positives a class or a group misses, not an example."
                )
            values, counts, times = _of_examples(self, swept)
        else:
            (values, counts), times = _of_rankings(self, swept, name, rule), None
        weights = product_of_weights(rule.weights(self, counts), times) if counts.per else None
        return score_of_units(self, name, undefined, values, counts, weights, inside=pooled_inside(swept, rule.per))

    def _within_groups(self, swept: Sweep, average: tuple[Any, ...], undefined: Undefined) -> Score:
        """Return the mean over groups of the area of each group, under the average inside."""
        axis, inside = read_nested(average, swept.axes)
        if self.params.get("missed"):
            raise ValueError(f"{self} within groups: missed= names classes or groups, not both. Use average={axis!r} alone.")
        _, counts = _of_rankings(self, swept, axis, Average((axis,)))
        parts = score_groups(swept.split(axis), axis, lambda part, how: self.score(part, inside, how), undefined)
        chosen = (axis, *((inside,) if isinstance(inside, str) else inside))
        return mean_of_groups(self, chosen, undefined, parts, counts)

    def __repr__(self) -> str:
        return f"<Area {self}: {self.doc}>"

    def __str__(self) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in self.params.items() if v != self._usual[k])
        return f"{self.name}({given})" if given else self.name

    def __reduce__(self) -> Any:
        return _find_registered, (self.function.__name__, {"name": self.name, "params": dict(self.params)})


def _find_registered(function: str, facts: dict[str, Any]) -> Area:
    return replace(AREAS[function], **facts)


def find_area(measure: Any) -> Area | None:
    """Return the area that a name, or a name with parameters, stands for; None for anything else.

    >>> print(find_area("auc"), find_area("partial_auc(max_fpr=0.1)"), find_area("f1"))
    auc partial_auc(max_fpr=0.1) None
    """
    if not isinstance(measure, str):
        return measure if isinstance(measure, Area) else None
    name, opening, _ = measure.strip().partition("(")
    if name not in AREAS or not opening:
        return AREAS.get(name)
    import ast

    from ..algebra.expression import ExpressionLimitError, syntax_of

    try:
        call: Any = syntax_of(measure)
        params = {word.arg or "**": ast.literal_eval(word.value) for word in call.keywords}
    except ExpressionLimitError:
        raise
    except (SyntaxError, ValueError, AttributeError):
        raise ValueError(f"{short(measure)} is not an area with parameters, such as 'partial_auc(max_fpr=0.1)'.") from None
    if call.args:
        raise ValueError(f"Name the parameters of {name}: {', '.join(AREAS[name].params)}.")
    return AREAS[name].at(**params)


def _check_options(area: Area, options: dict[str, Any]) -> None:
    check_options(area.name, options, (*area.params, "average", "undefined", "interval", "clusters", *OPTIONS), elsewhere=HINTS)


SWEEPS = Door(
    takes="y_true and scores, or a sweep",
    names=("y_true", "scores"),
    source="a sweep",
    is_source=lambda x: isinstance(x, Sweep),
    make=sweep,
    like=lambda: sweep,
    check=_check_options,
    unit="one ranking",
    value="one number",
)


def _help_on(area: Area) -> str:
    from .area_help import help_on_area

    return help_on_area(area)


OF_CALLS = {"average": None, "undefined": "exclude", "interval": None, "clusters": None}
explain(Area, _help_on, lambda area: SWEEPS.signature({**OF_CALLS, **area.params}))


def _of_rankings(area: Area, swept: Sweep, name: str, rule: Average) -> tuple[Any, Counts]:
    """Return the areas of the rankings that an average keeps, and their counts.

    There is one ranking of all scores, one of each class, or one of each group: of the positive class, or else of its pooled
    scores.
    """
    if rule.pools:
        ranking = swept.of() if name == BINARY else swept.micro
        area, missed = _with_missed(area, missed_in_all(area.params.get("missed"), swept.units))
        return area.value(ranking), undecided_counts(ranking.tpos + missed, ranking.tneg)
    if "class" not in rule.per and swept.rows is not None and swept.rows.weights is None and not area.params.get("missed"):
        rows = swept.rows if swept.positive is None else swept.rows.only(swept.units.index(swept.positive))
        return _of_groups(area, rows, rule.per[0])
    units, rankings = rankings_along(swept, rule)
    each = [_with_missed(area, number) for number in missed_of(area.params.get("missed"), units, rule.per[0])]
    found = [(own.value(r), r.tpos + missed, r.tneg) for r, (own, missed) in zip(rankings, each, strict=True)]
    values, positives, negatives = (np.array([row[k] for row in found]) for k in range(3))
    return values.astype(np.float64), undecided_counts(positives, negatives, per=rule.per, names=(units,))


def _with_missed(area: Area, missed: Any) -> tuple[Area, Any]:
    """Return the area of one ranking that misses a number of positives, and this number."""
    return (area.at(missed=missed or 0), missed or 0) if "missed" in area.params else (area, 0)


def _of_groups(area: Area, rows: SweepRows, axis: str) -> tuple[Any, Counts]:
    """Return the area of all scores of each group, and the counts.

    Small groups of about the same size are the rows of one table; a large group is ranked alone.
    """
    (names, _), (order, ends) = rows.groups[axis], rows.order_of(axis)
    sizes, m = np.diff(ends), rows.scores.shape[1]
    values, positives, negatives = np.full(len(names), np.nan), np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    widths = 1 << np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64)  # at least half of each row of the table is used
    for width in np.unique(widths).tolist():
        chosen = np.flatnonzero(widths == width)
        if width * m > BLOCK // FEW_ROWS:
            for k in chosen.tolist():
                ranking = rank_scores(*rows.take(order[ends[k] : ends[k + 1]]).cells())
                values[k], positives[k], negatives[k] = area.value(ranking), ranking.tpos, ranking.tneg
            continue
        for start in range(0, len(chosen), max(1, BLOCK // (width * m or 1))):
            at = chosen[start : start + max(1, BLOCK // (width * m or 1))]
            steps = steps_of_groups(rows, order, ends[at], sizes[at], width)
            values[at] = area.function(steps, **area.params)
            positives[at], negatives[at] = steps.tp[:, -1], steps.fp[:, -1]
    return values, undecided_counts(positives, negatives, per=(axis,), names=(names,))


def _of_examples(area: Area, swept: Sweep) -> tuple[Any, Counts, Any]:
    """Return the area of the scores of each example, the counts, and the sample weights.

    Many examples are computed at a time; a score that was not observed is not ranked.
    """
    rows = swept.rows
    assert rows is not None  # a sweep without rows has no average over examples
    n, m = rows.scores.shape
    values, positives, negatives = np.full(n, np.nan), np.zeros(n, np.int64), np.zeros(n, np.int64)
    step = max(1, BLOCK // max(m, 1))
    for start in range(0, n, step):
        at = slice(start, start + step)
        steps = row_steps(rows.truth(at), rows.scores[at], None if rows.mask is None else rows.mask[at])
        values[at] = area.function(steps, **area.params)
        positives[at], negatives[at] = steps.tp[:, -1], steps.fp[:, -1]
    return values, undecided_counts(positives, negatives, per=("example",), names=(tuple(range(n)),)), rows.weights


AREAS: dict[str, Area] = {
    area.name: area
    for area in (
        Area("auc", roc_areas.auc, {"thresholds": check_thresholds}, source="hanley1982"),
        Area(
            "partial_auc",
            roc_areas.partial_auc,
            {"max_fpr": roc_areas.check_max_fpr, "standardized": roc_areas.check_standardized},
            source="mcclish1989",
        ),
        Area(
            "log_auc",
            log_area.log_auc,
            {
                "fpr_range": log_area.check_fpr_range,
                "interpolation": log_area.check_interpolation,
                "thresholds": check_thresholds,
            },
            source="mysinger2010",
        ),
        Area("auc_of_hull", roc_areas.auc_of_hull, range=(0.5, 1), source="provost2001"),
        Area(
            "eer",
            equal_error.eer,
            {"method": equal_error.check_method, "thresholds": check_thresholds},
            better="lower",
            source="vanleeuwen2007",
        ),
        Area("h_measure", averted_loss.h_measure, {"prior": averted_loss.check_prior}, source="hand2009"),
        Area(
            "average_precision",
            precision_areas.average_precision,
            {"interpolation": precision_areas.check_interpolation, "thresholds": check_thresholds, "missed": check_missed},
            source="buckley2000",
        ),
        Area("auprc", precision_areas.auprc, source="davis2006"),
        Area("r_precision", precision_areas.r_precision, source="buckley2000"),
        Area("area_under_cost_curve", roc_areas.area_under_cost_curve, better="lower", range=(0, 0.25), source="drummond2006"),
        Area(
            "threshold_average",
            roc_areas.threshold_average,
            {"measure": roc_areas.check_measure, "between": roc_areas.check_between},
            better="neither",
            range=(-np.inf, np.inf),
            source="hernandez2012",
        ),
    )
}
auc, partial_auc, average_precision = AREAS["auc"], AREAS["partial_auc"], AREAS["average_precision"]
log_auc, auc_of_hull, eer, h_measure = AREAS["log_auc"], AREAS["auc_of_hull"], AREAS["eer"], AREAS["h_measure"]
auprc, r_precision = AREAS["auprc"], AREAS["r_precision"]
area_under_cost_curve, threshold_average = AREAS["area_under_cost_curve"], AREAS["threshold_average"]
