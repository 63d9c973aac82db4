"""Scores: the mean of the values of units under an undefined-value convention (eq:undef_convention)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, short, treatment
from .arrays import FEW, Mask, as_weight, quiet
from .average import Name, average_name, find_average, reads_positive, score_name
from .convention import Convention, absent_units, only_of_counts, plain_part, resolve_convention, weights_under
from .counts import Counts

if TYPE_CHECKING:
    from .sensitivity import Sensitivity

Undefined = Any  # "exclude", "nan", "raise", the number that replaces undefined values, a Convention or a dialect


TO_GET_A_VALUE = "Choose undefined='exclude', a number such as 0, or 'nan' to get a value."


class UndefinedError(ValueError):
    """The error for an undefined value under ``undefined="raise"``."""


def check_undefined(undefined: Undefined) -> None:
    """Refuse a convention that does not exist."""
    if isinstance(undefined, Convention) or hasattr(undefined, "undefined_for"):
        raise only_of_counts(undefined)
    if isinstance(undefined, str):
        known = undefined in ("exclude", "nan", "raise")
    else:
        number = isinstance(undefined, int | float | np.integer | np.floating) and not isinstance(undefined, bool)
        known = number and math.isfinite(undefined)
    if not known:
        raise ValueError(
            f"undefined={short(undefined)} is not a convention. Use 'exclude', 'nan', 'raise' or a finite number such as 0."
        )


def read_undefined(undefined: Undefined, source: Any, measure: Any = None, average: Any = None) -> Undefined:
    """Return the convention for a score of a source of counts; one that does not exist is refused."""
    undefined = resolve_convention(undefined, source, measure, average)
    if not isinstance(undefined, Convention):
        check_undefined(undefined)
    return undefined


def combine(values: Any, weights: Any, undefined: Undefined) -> float:
    """Return the weighted mean of values under an undefined-value convention.

    A value that is not finite is undefined. Exclusion renormalizes the weights over the defined units. A unit of
    weight zero does not count. The mean of no values, or with weights that add up to zero or are not known, is undefined itself.

    Parameters
    ----------
    values : float or array
        The values of the units.
    weights : array or None
        Their weights; None for equal weights.
    undefined : str or number
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.

    Returns
    -------
    float
        The mean.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import numpy as np
    >>> values = np.array([1.0, 0.5, np.nan])
    >>> ix.Score.mean(values, None, "exclude"), ix.Score.mean(values, None, 0)
    (0.75, 0.5)
    """
    if type(values) is float:  # one value, and nothing to average
        return values if math.isfinite(values) else _stand_in(undefined)
    values = np.asarray(values, np.float64)
    if weights is None:
        if values.size <= FEW:
            total = sum(values.tolist() if values.ndim == 1 else values.ravel().tolist())
        else:
            with quiet():  # infinities of both signs add to nan
                total = np.add.reduce(values, axis=None)
        if values.size and math.isfinite(total):  # then every value is finite
            return float(total / values.size)
        weights = np.ones(values.shape)
    lost = ~np.isfinite(values)
    if lost.any():
        if undefined == "exclude":
            weights = np.where(lost, 0.0, weights)
            values = np.where(lost, 0.0, values)
        elif not isinstance(undefined, str):
            values = np.where(lost, float(undefined), values)
        else:
            values = np.where(lost & (weights == 0), 0.0, np.where(lost, np.nan, values))
    total = weights.sum()
    if total == 0 or math.isnan(total):
        return _stand_in(undefined)
    with quiet():  # huge values may overflow to infinity, which is then the mean
        return float((values * weights).sum() / total)


def mean_of_values(measure: Any, values: Any, weights: Any, undefined: Undefined) -> float:
    """Return the mean of values of a measure.

    It is infinite if one of them is, where an infinite value is a value.
    """
    if measure.reads.infinite:
        infinite = np.isposinf(values) if weights is None else np.isposinf(values) & (weights != 0)
        if np.any(infinite):
            return math.inf
    return combine(values, weights, undefined)


def stand_in_for_undefined(values: Any, undefined: Undefined) -> Any:
    """Return values with a number in place of undefined ones; "nan" leaves them as they are.

    >>> stand_in_for_undefined(np.array([0.5, np.nan, np.inf]), 0).tolist()
    [0.5, 0.0, 0.0]
    """
    if undefined == "nan":
        return values
    check_undefined(undefined)
    if undefined == "exclude":
        raise ValueError(
            "undefined='exclude' leaves values out of a mean, and here every unit has a value. Use 'nan' or a number."
        )
    lost = ~np.isfinite(np.asarray(values))
    if undefined == "raise" and lost.any():
        raise UndefinedError(f"{int(lost.sum())} of {lost.size} values are undefined. Use undefined='nan' or a number such as 0.")
    return np.where(lost, undefined, values) if lost.any() else values


def _stand_in(undefined: Undefined) -> float:
    """Return what an undefined score is under a convention: the number that replaces it, or nan."""
    return math.nan if isinstance(undefined, str) else float(undefined)


@answers_mistakes(but=("__new__", "mean"))  # every score is made by them, and only by this library
class Score(float):
    """A float that records how it was made: measure, average, values, and what was undefined.

    Attributes
    ----------
    average : str or tuple
        The name of the average; for a score inside each group a tuple, ("site", "macro").
    counts : Counts
        The counts of the units.
    doubt : str
        Why a score of 0 is probably a mistake in the labels: no predicted label occurs among the true ones; otherwise "".
    inside : str
        How the units were scored, if this was not named: "pooled within each site"; otherwise "".
    measure : Measure
        What was measured.
    parts : tuple of Score
        The scores of the units, in their order, where each unit has a score of its own: ("site", "macro"); otherwise empty.
    undefined : str or number
        What an undefined value does.
    values : float or array
        The values of the units.
    weights : array or None
        The weights of the units in the mean; None if all are equal.

    Examples
    --------
    >>> import indicatrix as ix
    >>> s = ix.recall([0, 1, 1], [0, 1, 2], average="macro")
    >>> s, s.undefined_units
    (0.75 (macro recall; 1 of 3 classes undefined, excluded), (2,))
    """

    __slots__ = ("average", "counts", "doubt", "inside", "measure", "parts", "undefined", "values", "weights")
    measure: Any
    average: Any  # its name; for a score inside each group a tuple, ("site", "macro")
    undefined: Undefined
    values: Any
    counts: Counts
    weights: Any
    inside: str  # how the units were scored, if this was not named: "pooled within each site"; otherwise ""
    doubt: str  # what is probably wrong with the labels; otherwise ""
    parts: tuple[Score, ...]  # the scores of units that have scores of their own; otherwise empty

    def __new__(
        cls,
        value: float,
        measure: Any,
        average: Name | None,
        undefined: Undefined,
        values: Any,
        counts: Counts,
        weights: Any,
        inside: str = "",
        doubt: str = "",
        parts: tuple[Score, ...] = (),
    ) -> Score:
        """Return a score with its provenance."""
        score = float.__new__(cls, value)
        score.measure, score.average, score.undefined = measure, average, undefined
        score.values, score.counts, score.weights, score.inside, score.doubt = values, counts, weights, inside, doubt
        score.parts = parts
        return score

    def __reduce__(self) -> Any:
        facts = (self.measure, self.average, self.undefined, self.values, self.counts, self.weights, self.inside, self.doubt)
        return type(self), (float(self), *facts, self.parts)

    mean = staticmethod(combine)

    def __copy__(self) -> Score:
        return self

    def __deepcopy__(self, memo: Any) -> Score:
        return self

    @property
    def units(self) -> tuple[Any, ...]:
        """The names of the units, in the order of ``values``; empty where everything is pooled.

        >>> import indicatrix as ix
        >>> s = ix.recall(["a", "b", "b"], ["a", "b", "a"], average="macro")
        >>> dict(zip(s.units, s.values.tolist()))
        {'a': 1.0, 'b': 0.5}
        """
        return tuple(unit_names(self.counts)) if self.counts.per else ()

    @property
    def undefined_units(self) -> tuple[Any, ...]:
        """The names of the units that carry weight but have no finite value.

        It is the name of the average, or of a measure that has none, where there are no such units and the score itself is
        undefined: everything is pooled, no unit carries weight, or weights are not known.
        """
        whole = str(self.measure) if self.average is None else self.average
        if self.lacks_weight():
            return (whole,)
        lost = self.undefined_mask()
        if not self.counts.per:
            return (whole,) if lost.any() else ()
        names, found = unit_names(self.counts), list[Any]()
        for i in np.flatnonzero(lost):  # a unit that has units of its own stands with each of them that is undefined
            inner = self.parts[i].undefined_units if self.parts and self.parts[i].counts.per else ()
            found += [(names[i], unit) for unit in inner] or [names[i]]
        return tuple(found)

    @property
    def total(self) -> float:
        """The sum of the values instead of their mean, each as often as it counts; nan if one is undefined.

        >>> import indicatrix as ix
        >>> ix.measures.exact_match(["a", "b", "c"], ["a", "b", "b"]).total
        2.0
        """
        return float((np.asarray(self.values) * (1 if self.weights is None else self.weights)).sum())

    @property
    def undefined_count(self) -> int | float:
        """How many units were undefined, each as often as it occurred; with weights, the sum of weights.

        A score that is undefined as a whole counts as one.

        >>> import indicatrix as ix
        >>> ix.precision([{1}, {1}, {2}], [{1}, set(), set()], average="exemplar").undefined_count
        2
        """
        if self.lacks_weight():
            return 1
        if self.parts:
            return sum(part.undefined_count for part, lost in zip(self.parts, self.undefined_mask(), strict=True) if lost)
        return _whole((self.undefined_mask() * self._times()).sum())

    def _times(self) -> Any:
        return 1 if self.counts.times is None else as_weight(self.counts.times)

    def undefined_mask(self) -> Mask:
        """Return which units carry weight but have no finite value.

        Returns
        -------
        array of bool
            One flag for each unit of ``values``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall([0, 1, 1], [0, 1, 2], average="macro").undefined_mask().tolist()
        [False, False, True]
        """
        values = np.asarray(self.values, np.float64)
        lost = np.isnan(values) if self.measure.reads.infinite else ~np.isfinite(values)
        absent = absent_units(self.undefined, self.counts)
        lost = lost if absent is None else lost | absent
        if self.parts:
            lost = lost | np.array([part.undefined_mask().any() for part in self.parts], bool)
        return lost if self.weights is None else lost & (np.asarray(self.weights) != 0)

    def lacks_weight(self) -> bool:
        """Return whether no unit carries weight, or weights are not known; then the mean itself is undefined.

        Returns
        -------
        bool
            True if all weights are 0, there are no units, or the weights read counts that the data do not show.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall([[0, 0]], [[1, 0]], average="weighted").lacks_weight()
        True
        """
        if not self.counts.per:
            return False
        return not np.size(self.values) if self.weights is None else not np.sum(self.weights) or self._hides_weights()

    def _hides_weights(self) -> bool:
        """Return whether the weight of a unit with a value reads counts that the data do not show."""
        return bool((np.isnan(np.asarray(self.weights, np.float64)) & np.isfinite(np.asarray(self.values, np.float64))).any())

    def reads_hidden(self) -> bool:
        """Return whether a value or its weight reads counts that the data do not show.

        Returns
        -------
        bool
            True if it would have a value with numbers in place of the hidden counts.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1], [0, 1, 0], unobserved=("fn", "tn"))
        >>> ev.score("precision", "macro").reads_hidden(), ev.score("recall", "macro", undefined=0).reads_hidden()
        (False, True)
        """
        if self.parts:
            return any(part.reads_hidden() for part in self.parts)
        if not self.measure.reads.in_counts or not any(np.asarray(x).dtype.kind not in "iu" for x in self.counts):
            return False  # integers hide nothing
        four = [np.asarray(x, np.float64) for x in self.counts]
        if not any(np.isnan(x).any() for x in four):
            return False
        shown = (np.where(np.isnan(x), 1.0, x)[()] for x in four)
        known = self.measure.values(Counts(*shown, per=self.counts.per, names=self.counts.names, signed=True))
        lost = np.isfinite(known) & ~np.isfinite(np.asarray(self.values, np.float64))
        return bool(lost.any()) or (self.weights is not None and self._hides_weights())

    def has_undefined(self) -> bool:
        """Return whether something was undefined: units that carry weight, or the score itself.

        Returns
        -------
        bool
            True if the convention for undefined values matters.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall([0, 1, 1], [0, 1, 2], average="macro").has_undefined()
        True
        """
        return self.lacks_weight() or bool(self.undefined_mask().any())

    def sensitivity(self) -> Sensitivity:
        """Return this score under every convention, with the units that make the difference.

        Returns
        -------
        Sensitivity
            The value under each convention, their spread, and the undefined units.

        Examples
        --------
        >>> import indicatrix as ix
        >>> s = ix.recall([0, 1, 1], [0, 1, 2], average="macro").sensitivity()
        >>> s.values["exclude"], s.values[0], s.values[1], s.undefined_units
        (0.75, 0.5, 0.8333333333333334, (2,))
        """
        from .sensitivity import Sensitivity  # few calls need it, and importing the library must stay fast

        conventions: tuple[Undefined, ...] = ("exclude", 0, 1, "nan")
        if isinstance(self.undefined, Convention) or (not isinstance(self.undefined, str) and self.undefined not in (0, 1)):
            conventions += (self.undefined,)
        return Sensitivity({c: self.under(c) for c in conventions}, self.undefined_units)

    def under(self, undefined: Undefined) -> float:
        """Return the value of this score under another convention.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        float
            The value, without its origin.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall([0, 1, 1], [0, 1, 2], average="macro").under(0)
        0.5
        """
        undefined = resolve_convention(undefined, None, self.measure, self.average)
        values = np.array([part.under(undefined) for part in self.parts]) if self.parts else self.values
        weights = weights_under(undefined, self.weights, self.counts)
        return mean_of_values(self.measure, values, weights, plain_part(undefined))

    def undefined_in_words(self) -> str:
        """Return which units were undefined: the classes by name, the examples by number.

        Returns
        -------
        str
            Words for the middle of a sentence.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.recall([0, 1, 1], [0, 1, 2], average="macro").undefined_in_words()
        'class 2'
        """
        if not self.counts.per:
            one = "the value" if self.average is None else f"the {average_name(self.average)} value"
            return f"{one}{', which is infinite' if self._is_infinite() else ''}"
        if self.lacks_weight():
            return f"the {average_name(self.average)} value, because {self._why_without_weight()}"
        axis, names = self.counts.per[-1], self.undefined_units
        if self.parts:
            names = tuple(name for name, lost in zip(self.counts.names[0], self.undefined_mask(), strict=True) if lost)
        if self.counts.times is None and len(self.counts.per) == 1 and axis != "example":
            inside = "values inside " if self.parts else ""
            return f"{inside}{axis if len(names) == 1 else PLURALS.get(axis, axis)} {listing(names)}"
        return self._how_many()

    def _is_infinite(self) -> bool:
        """Return whether the pooled value is x/0, which has no finite value and so counts as undefined, too."""
        return bool(np.isinf(np.asarray(self.values, np.float64)).any())

    def _why_without_weight(self) -> str:
        hidden = self.weights is not None and self._hides_weights()
        return (
            "its weights read counts that the data do not show" if hidden else f"no {' × '.join(self.counts.per)} carries weight"
        )

    def _how_many(self) -> str:
        counted = np.ones(np.shape(self.values)) if self.weights is None else np.asarray(self.weights) != 0
        of = (counted * self._times()).sum()
        axes = " × ".join(PLURALS.get(a, f"units of {a}") for a in self.counts.per)
        if self.parts:
            return f"values inside {self.undefined_mask().sum()} of {len(self.parts)} {axes}"
        return f"{self.undefined_count:.6g} of {of:.6g} {axes}"

    @property
    def note(self) -> str:
        """What was undefined and how it was treated, what is pooled, and doubts; otherwise "".

        >>> import indicatrix as ix
        >>> s = ix.recall([0, 1, 1], [0, 1, 2], average="macro")
        >>> s.note, str(s)
        ('macro recall; 1 of 3 classes undefined, excluded', '0.75')
        """
        name = f"{score_name(self.measure, self.average)}{self.inside and f', {self.inside}'}"
        doubt = f"; {self.doubt}" if self.doubt else ""
        if not self.has_undefined():
            return f"{name}{doubt}" if self.inside or doubt else ""
        treated = treatment(self.undefined)
        if self.counts.per and not self.lacks_weight():
            what = f"{self._how_many()} undefined, {treated}"
        else:
            what = "undefined" if isinstance(self.undefined, str) else f"undefined, {treated}"
            what += f": {self._why_without_weight()}" if self.counts.per else ": it is infinite" if self._is_infinite() else ""
        return f"{name}; {what}{doubt}"

    def __repr__(self) -> str:
        note = self.note
        return f"{float.__repr__(self)} ({note})" if note else float.__repr__(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the value, what it is, and what was undefined."""
        from html import escape

        value = "undefined" if math.isnan(self) else f"{float(self):.4g}"
        what = self.note or score_name(self.measure, self.average)
        return f'<span><strong title="{float.__repr__(self)}">{value}</strong> {escape(what)}</span>'

    __str__ = float.__repr__  # the plain number, for logs, files and format strings; print(repr(score)) has the note


PLURALS = {"class": "classes", "example": "examples", "target": "targets", "depth": "depths", "fold": "folds"}


def pooled_inside(source: Any, per: tuple[str, ...]) -> str:
    """Return the words for units whose classes are pooled, such as sites or targets; "" for other units.

    >>> import indicatrix as ix
    >>> by = {"site": [1, 2]}
    >>> [pooled_inside(ix.evaluate(y, y, by=by), ("site",)) for y in (["a", "b"], [0, 1])]
    ['pooled within each site', '']
    """
    if not per or "class" in per or "example" in per or reads_positive(source, per):
        return ""
    return f"pooled within each {' and '.join(per)}"


def score_of_units(
    measure: Any,
    average: Name | None,
    undefined: Undefined,
    values: Any,
    counts: Counts,
    weights: Any,
    *,
    why: str = "",
    inside: str = "",
    parts: tuple[Score, ...] = (),
) -> Score:
    """Return the score of units: the weighted mean of their values, or the one value there is.

    ``why`` says, in the error of ``undefined="raise"``, how a value comes to be undefined; ``inside`` how units were scored;
    ``parts`` are the scores of units that have scores of their own.
    """
    if type(undefined) is Convention:
        value = mean_of_values(measure, values, weights_under(undefined, weights, counts), undefined.otherwise)
    else:
        value = mean_of_values(measure, values, weights, undefined)
    score = Score(value, measure, average, undefined, values, counts, weights, inside, parts=parts)
    if undefined == "raise" and score.has_undefined():
        named = (
            f" for {listing(score.undefined_units)}"
            if counts.per or (isinstance(average, str) and find_average(average).pools)
            else ""
        )
        reason = f", because {score._why_without_weight()}" if score.lacks_weight() else named + why
        raise UndefinedError(f"{score_name(measure, average)}: undefined{reason}. {TO_GET_A_VALUE}")
    return score


def _whole(x: Any) -> int | float:
    return int(x) if float(x).is_integer() else float(x)


def unit_names(counts: Counts) -> list[Any]:
    """Return one name for each unit, flat; a tuple of names where several axes are kept."""
    from itertools import product

    return list(counts.names[0]) if len(counts.names) == 1 else list(product(*counts.names))
