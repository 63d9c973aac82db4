"""The same classifier under other class priors or other shares of groups.

It also says how much its scores change.

See prop:ovr_skew, sec:skew_settings, and of groups prop:exemplar_skew, errata C8.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.score import Score, Undefined
from ...tally.states.group_counts import CrossTable, Part, Summed, sort_names
from ...tally.states.states import are_weighted
from ...tally.tally import Tally
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short
from .exact_scores import at_prevalence, behavior_of, class_cells, is_movable, pair_table, scaled_rows, sum_of_row

LABELS = ("multilabel", "soft", "counts")  # kinds in which every label is a separate binary problem
_FIXED = "Label {} has no positives or no negatives, so its rates are unknown and its prevalence cannot be changed."


def with_priors(tally: Tally, priors: Any, kind: str) -> Tally:
    """Return the tally of the same classifier under other class priors, with fixed conditional rates.

    Multiclass: ``priors`` are shares that add up to one: a mapping, a sequence in the order of the classes, or "uniform". Each
    row of the confusion matrix, abstentions included, is scaled to its class's share of the same total. Other kinds:
    ``priors`` are the prevalences of the labels, and every label keeps its number of entries. This is the same classifier only
    if recall and specificity are fixed for each label, and single examples are not known any more. Numbers are exact. Groups
    are pooled.

    >>> import indicatrix as ix
    >>> with_priors(ix.from_confusion([[8, 2], [1, 9]]).tally, {0: 0.75, 1: 0.25}, "multiclass").confusion.tolist()
    [[12.0, 3.0], [0.5, 4.5]]
    """
    estimated = ""
    if hasattr(priors, "_estimated_for"):  # ClassShares, which stand above
        estimated, priors = priors._estimated_for(tally, kind), priors.priors
    part, squares = _moved(tally, priors, kind), None
    if tally.squares is not None or not are_weighted(tally.parts):
        squares = _with_parts(tally, _moved(tally, priors, kind, tally.squares or tally))
    return _with_parts(tally, part, squares=squares, by_class=True, shares=estimated)


def _with_parts(tally: Tally, part: Part, **changes: Any) -> Tally:
    return tally.with_parts({(): part}, by=(), sizes={}, **changes)


def _moved(tally: Tally, priors: Any, kind: str, squares: Tally | None = None) -> Part:
    """Return the counts under other priors, or those with squared weights: then each factor counts twice."""
    part: Part
    if kind == "multiclass":
        table = pair_table(tally)
        given = shares_of(priors, tally.classes)
        absent = [c for c, row, p in zip(tally.classes, table, given, strict=False) if p and not any(row)]
        if absent:
            raise ValueError(f"No example has true class {listing(absent)}, so its error rates are unknown. Give it the prior 0.")
        masked = tally.pooled.masked if isinstance(tally.pooled, CrossTable) else 0
        moved = scaled_rows(table, given)
        if squares is not None:
            factors = [sum_of_row(row) / (sum_of_row(own) or 1) for row, own in zip(moved, table, strict=True)]
            moved = [[x * f * f for x in row] for row, f in zip(pair_table(squares), factors, strict=True)]
        part = CrossTable(_array(moved, len(table)), masked)
    elif kind in LABELS:
        cells = class_cells(tally)
        given = _prevalences(priors, tally.classes)
        fixed = [c for c, v in zip(tally.classes, cells, strict=True) if not is_movable(v)]
        if fixed:
            raise ValueError(_FIXED.format(listing(fixed)))
        changed = [at_prevalence(v, p) for v, p in zip(cells, given, strict=True)]
        if squares is not None:
            pairs = zip(class_cells(squares), changed, cells, strict=True)
            changed = [tuple(q * (x / own) ** 2 if own else q for q, x, own in zip(*v, strict=True)) for v in pairs]
        part = Summed(_array(changed, 4).T.copy(), None, None)
    else:
        raise ValueError(f"kind={kind!r} is unknown. Use 'multiclass' or one of {', '.join(map(repr, LABELS))}.")
    return part


@answers_mistakes
@dataclass(frozen=True)
class PriorSensitivity:
    """A score at several priors, and its spread: the largest value minus the smallest.

    With ``here``, the first value and the first priors are those of the result as it is.

    Attributes
    ----------
    values : tuple of Score
        The score at each of the priors.
    spread : float
        The largest value minus the smallest; nan if a value is undefined.
    priors : tuple of dict
        The share of each class, for each value.
    measure : Measure
        What was measured.
    average : str
        Its average.
    here : bool
        Whether the first value is that of the result as it is.
    """

    values: tuple[Score, ...]
    spread: float  # the largest value minus the smallest; nan if a value is undefined
    priors: tuple[dict[Any, float], ...]
    measure: Measure
    average: str
    here: bool = False

    def __str__(self) -> str:
        name, values = f"{self.average} {self.measure}", [float(v) for v in self.values]
        start, moved = ([f"{values[0]:.6g} now"], values[1:]) if self.here else ([], values)
        if math.isnan(self.spread):
            ends = [*start, *(f"{v:.6g}" for v in moved)]
            return f"{name} is undefined at some of these priors: {', '.join(ends)}"
        low, high = f"{min(moved):.6g}", f"{max(moved):.6g}"
        if not start:
            return f"{name} moves by {self.spread:.6g}, from {low} to {high}"
        to = low if low == high else f"between {low} and {high}"
        return f"{name} moves by {self.spread:.6g}, from {start[0]} to {to}"


def prior_sensitivity(
    source: Any,
    measure: str | Measure,
    priors_list: Iterable[Any],
    *,
    here: bool = False,
    average: str | None = "macro",
    undefined: Undefined = "exclude",
) -> PriorSensitivity:
    """Return the score of the same classifier at each of several priors, and its spread.

    With ``here`` the list starts with the priors of the result itself: the shares of its classes, or the prevalences of its
    labels.

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[16, 3, 1], [6, 12, 2], [1, 5, 14]])
    >>> priors = ["uniform", (0.8, 0.1, 0.1)]
    >>> prior_sensitivity(ev, "recall", priors).spread, round(prior_sensitivity(ev, "specificity", priors).spread, 4)
    (0.0, 0.0194)
    """
    if isinstance(priors_list, str | Mapping):
        raise TypeError(f"priors_list={priors_list!r} must be a list of priors, each a mapping, a sequence or 'uniform'.")
    found, (tally, kind) = find(measure).meant_for(source, average), behavior_of(source)
    wanted = list(priors_list)
    if not wanted:
        raise ValueError("Name at least one prior, such as 'uniform'.")
    values, at = [], []
    for priors in [*([_present_priors(tally, kind)] if here else []), *wanted]:
        given = shares_of(priors, tally.classes) if kind == "multiclass" else _prevalences(priors, tally.classes)
        moved = _ExactCounts(with_priors(tally, priors, kind), getattr(source, "positive", None))
        values.append(found.score(moved, average, undefined))
        at.append({c: float(p) for c, p in zip(tally.classes, given, strict=True)})
    spread = float("nan") if any(v != v for v in values) else float(max(values)) - float(min(values))
    return PriorSensitivity(tuple(values), spread, tuple(at), found, values[0].average, here)


def _present_priors(tally: Tally, kind: str) -> list[Fraction]:
    """Return the priors of a result as it is, exactly."""
    if kind == "multiclass":
        sizes = [sum_of_row(row) for row in pair_table(tally)[:-1]]
        total = sum(sizes, Fraction(0))
        if not total:
            raise ValueError("There are no examples here, so the result has no priors to start from. Use here=False.")
        return [n / total for n in sizes]
    cells = class_cells(tally)
    fixed = [c for c, v in zip(tally.classes, cells, strict=True) if not is_movable(v)]
    if fixed:
        raise ValueError(_FIXED.format(listing(fixed)))
    return [(v[0] + v[2]) / sum(v) for v in cells]


@dataclass(frozen=True)
class _ExactCounts:
    """A tally whose counts stay fractions.

    Therefore scores that do not depend on the priors do not change by rounding errors.
    """

    tally: Tally
    positive: Any

    @property
    def axes(self) -> tuple[str, ...]:
        return self.tally.axes

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        if per in ("class", ("class",)):
            return Counts(*self.tally.pooled.cells().astype(object), per=("class",), names=(self.tally.classes,), signed=True)
        if per == ():
            return Counts(*map(Fraction, self.tally.pooled.cells().astype(object).sum(axis=1)), signed=True)
        return self.tally.aggregate(per)

    def binary(self) -> Counts:
        if self.positive in self.tally.classes:
            return self.aggregate("class").at(**{"class": self.positive})
        return Counts(0, 0, 0, self.aggregate().tp + self.aggregate().fn)  # it neither occurs nor is predicted


def _array(rows: Sequence[Sequence[Fraction]], width: int) -> Array:
    """Return fractions as an array, as integers where all are whole."""
    array = np.array(rows, object).reshape(-1, width)
    if all(x.denominator == 1 for x in array.flat):
        array = np.array([int(x) for x in array.flat], object).reshape(array.shape)
        return array.astype(np.int64) if sum(array.flat) < 2**62 else array
    return array


class Words(NamedTuple):
    """What errors call a share, and what has shares."""

    share: str = "prior"
    unit: str = "class"
    units: str = "classes"


OF_CLASSES = Words()


def shares_of(priors: Any, classes: tuple[Any, ...], words: Words = OF_CLASSES) -> list[Fraction]:
    """Return the shares of classes, or of groups, in their order; they add up to one exactly.

    >>> shares_of({"a": 0.25, "b": 0.75}, ("a", "b"))
    [Fraction(1, 4), Fraction(3, 4)]
    """
    if not classes:
        raise ValueError(f"There are no {words.units} here, so there is nothing to give {words.share}s to.")
    if isinstance(priors, str) and priors == "uniform":
        return [Fraction(1, len(classes))] * len(classes)
    given = _numbers(priors, classes, words)
    negative = [c for c, p in zip(classes, given, strict=True) if p < 0]
    if negative:
        raise ValueError(f"The {words.share} of {listing(negative)} is negative; {words.share}s are parts of all examples.")
    total = sum(given, Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        raise ValueError(
            f"The {words.share}s add up to {float(total):.10g}, not to 1. If they are weights, divide them by their sum."
        )
    return [p / total for p in given]


def _prevalences(priors: Any, classes: tuple[Any, ...]) -> list[Fraction]:
    """Return one prevalence for each label, strictly between 0 and 1."""
    if isinstance(priors, str) and priors == "uniform":
        raise ValueError("priors='uniform' is for classes that exclude one another. Give each label its prevalence, such as 0.5.")
    given = _numbers(priors, classes)
    outside = [c for c, p in zip(classes, given, strict=True) if not 0 < p < 1]
    if outside:
        raise ValueError(f"The prevalence of {listing(outside)} must lie between 0 and 1, both excluded.")
    return given


def _numbers(priors: Any, classes: tuple[Any, ...], words: Words = OF_CLASSES) -> list[Fraction]:
    if hasattr(priors, "keys") and hasattr(priors, "items"):  # a mapping, or a pandas Series, whose index names the classes
        named = dict(priors.items())
        unknown, missing = [c for c in named if c not in classes], [c for c in classes if c not in named]
        if unknown:
            raise ValueError(f"{words.share}s names {listing(unknown)}, but the {words.units} are {classes!r}. Use their names.")
        if missing:
            raise ValueError(
                f"{words.share}s does not contain {listing(missing)}. Name every {words.unit}; a {words.share} may be 0."
            )
        values = [named[c] for c in classes]
    elif isinstance(priors, str) or not isinstance(priors, Iterable) or getattr(priors, "ndim", 1) == 0:
        raise TypeError(
            f"{words.share}s={short(priors)} must be a mapping from {words.unit} to {words.share}, a sequence in {words.unit} "
            "order, or 'uniform'."
        )
    else:
        values = priors.tolist() if hasattr(priors, "tolist") else list(priors)
    if len(values) != len(classes):
        raise ValueError(
            f"{words.share}s has {len(values)} entries, but there are {len(classes)} {words.units}: {classes!r}. Give one "
            f"{words.share} for each."
        )
    for c, value in zip(classes, values, strict=True):
        if not isinstance(value, int | float | Fraction | np.number) or isinstance(value, bool) or not math.isfinite(value):
            raise ValueError(f"The {words.share} of {c!r} is {value!r}, which is not a finite number.")
    return [Fraction(v.item() if isinstance(v, np.generic) else v) for v in values]


def with_group_shares(tally: Tally, shares: Any, axis: str) -> Tally:
    """Return the tally with other shares of the groups of an axis.

    Every group keeps its examples, which count more or less. The number of observed examples stays the same. Numbers are
    exact.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate([1, 1, 1, 0], [1, 0, 1, 0], by={"site": list("uvvv")})
    >>> with_group_shares(ev.tally, {"u": 0.5, "v": 0.5}, "site").aggregate("site").tp.tolist()
    [2.0, 1.3333333333333333]
    """
    if axis not in tally.by:
        known = f"the groupings are {listing(tally.by)}" if tally.by else "there is no grouping"
        raise ValueError(f"per={axis!r} is not a grouping: {known}. Evaluate with by={{{axis!r}: ids}} to have it.")
    at = tally.by.index(axis)
    names = tuple(sort_names({key[at] for key in tally.parts}))
    sizes = dict.fromkeys(names, Fraction(0))
    for key, part in tally.parts.items():
        sizes[key[at]] += _observed_weight(part)
    given = dict(zip(names, shares_of(shares, names, Words("share", "group", "groups")), strict=True))
    absent = [name for name, share in given.items() if share and not sizes[name]]
    if absent:
        raise ValueError(f"No example of {listing(absent)} was observed, so nothing is known of it. Give it the share 0.")
    total = sum(sizes.values())
    factor = {name: share * total / sizes[name] if share else Fraction(0) for name, share in given.items()}

    def scale_parts(parts: Mapping[Any, Part]) -> dict[Any, Part]:
        return {key: _scale(part, factor[key[at]]) for key, part in parts.items()}

    declined = tally.declined
    return tally.with_parts(scale_parts(tally.parts), declined=None if declined is None else scale_parts(declined))


def _observed_weight(part: Part) -> Fraction:
    """Return how many examples of a part were observed, or their weight."""
    rows, times = part.rows()
    return sum((Fraction(t) for t in times[rows.sum(axis=0) != 0].tolist()), Fraction(0))


def _scale(part: Part, factor: Fraction) -> Part:
    if isinstance(part, CrossTable):
        return CrossTable(_times(part.table, factor), part.masked * factor)
    return Summed(_times(part.cells(), factor), part.rows()[0], _times(part.rows()[1], factor))


def _times(x: Array, factor: Fraction) -> Array:
    """Return exact numbers times a factor: integers where all are whole."""
    exact = np.array([Fraction(v) * factor for v in x.ravel().tolist()], object).reshape(x.shape)
    whole = all(v.denominator == 1 and abs(v) < 2**62 for v in exact.flat)
    return exact.astype(np.int64) if whole else exact
