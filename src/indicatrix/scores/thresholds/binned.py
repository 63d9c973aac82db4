"""Scores of a stream in bins: a small state that adds and saves (prop:roc).

It knows how far its areas can be from those of the scores themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY, find_average
from ...algebra.call_mistakes import answers_mistakes
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import resolve
from ...algebra.number_with_ends import float_of_value, format_with_ends, round_with_ends
from ...algebra.offered_averages import OfferedAverages
from ...algebra.score import Undefined, check_undefined, combine
from ...algebra.source import check_offered, lacking_axis
from ...algebra.wording import listing
from ...storage.formats import from_format, save, with_format
from ..curves.ranked_units import UNDECIDED, Rankings
from ..sweep_input import read_rows
from .bins import Bins, bins, check_bits
from .operating_points import RatePoint, point_at_rate, point_of_equal_errors
from .threshold_choice import choose_best

AREAS = ("auc", "average_precision")
NO_ROWS = "bins of scores keep no examples; use sweep."


@answers_mistakes
@dataclass(frozen=True)
class Estimate:
    """An area of binned scores, and two numbers between which the area of the scores themselves lies.

    Attributes
    ----------
    value : float
        The area of the bins.
    low, high : float
        The lowest and the highest area that the scores themselves may have.
    """

    value: float
    low: float
    high: float

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Binned:
    """Bins of the scores of each class, or of the positive class: what is left of a stream of scores.

    It adds: any split and any order of the rows gives the same state. ``of(unit)`` has the bins of one class, ``micro`` those
    of all entries. Counts and measures at the bins' edges are exact; areas come with bounds.

    Attributes
    ----------
    kind : str
        "binary", "multiclass" or "multilabel".
    classes : tuple
        The classes, in order.
    columns : tuple
        The classes that the columns of scores are for.
    each : tuple of Bins
        The bins of each column.
    n : int
        The number of examples.
    bad_rows : BadRows or None
        What ``ix.evaluate_file(…, bad="count")`` left out: how many rows, and where the first of them stand.

    Examples
    --------
    >>> import indicatrix as ix
    >>> first, second = ix.scores.binned([0, 1], [0.2, 0.7]), ix.scores.binned([1, 0], [0.9, 0.7])
    >>> (first + second).auc, (first + second).auc_bounds
    (0.875, (0.875, 0.875))
    """

    kind: str  # "binary", "multiclass" or "multilabel"
    classes: tuple[Any, ...]
    columns: tuple[Any, ...]  # the classes that the columns of scores are for
    each: tuple[Bins, ...]
    n: int  # examples
    bad_rows: Any = None  # what a reader of files left out; it is not saved

    @property
    def bits(self) -> int:
        """The bits that are kept of the exponent and mantissa of a score."""
        return self.each[0].bits

    def of(self, unit: Any) -> Bins:
        """Return the bins of one class.

        Parameters
        ----------
        unit : label
            The class whose column of scores is taken.

        Returns
        -------
        Bins
            Its bins.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([0, 1, 2], [[0.9, 0, 0], [0, 0.8, 0.3], [0, 0.9, 0.2]]).of(1).auc
        0.5
        """
        if unit not in self.columns:
            raise ValueError(f"{unit!r} has no scores here; there are those of {listing(self.columns)}.")
        return self.each[self.columns.index(unit)]

    @property
    def micro(self) -> Bins:
        """The bins of all entries, pooled over classes."""
        return reduce(add, self.each)

    @property
    def auc(self) -> float:
        """The area under the ROC curve of binary scores, those of one bin counting as tied."""
        return self._single().auc

    @property
    def auc_bounds(self) -> tuple[float, float]:
        """Two numbers between which the AUC of the binary scores lies."""
        return self._single().auc_bounds

    @property
    def average_precision(self) -> float:
        """The average precision of binary scores, positives of a mixed bin in its middle."""
        return self._single().average_precision

    @property
    def average_precision_bounds(self) -> tuple[float, float]:
        """Two numbers between which the average precision of the binary scores lies."""
        return self._single().average_precision_bounds

    def area(self, name: str, average: str | None = None, *, undefined: Undefined = "exclude") -> Estimate:
        """Return "auc" or "average_precision" under an average, with bounds.

        The bounds of the average are the same average of the bounds. Micro pools all entries; macro and weighted (by actual
        positives) are means over classes, of which those with one kind of label are undefined. Averages over examples need the
        rows, which bins do not keep: use ``sweep``.

        Parameters
        ----------
        name : str
            "auc" or "average_precision".
        average : str, optional
            "micro", "macro" or "weighted". It may be left out for one column of scores.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Estimate
            ``.value``, and ``.low`` and ``.high``, between which the area of the scores themselves lies.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([0, 1, 2], [[0.9, 0, 0], [0, 0.8, 0.3], [0, 0.9, 0.2]]).area("auc", "macro")
        Estimate(value=0.6666666666666666, low=0.6666666666666666, high=0.6666666666666666)
        """
        if name not in AREAS:
            raise ValueError(f"{name!r} is not an area of bins; they have {' and '.join(map(repr, AREAS))}.")
        check_undefined(undefined)
        parts, weights = ((self._single(),), None) if average is None else self._units_of(resolve(name), average)
        three = np.array([(getattr(part, name), *getattr(part, f"{name}_bounds")) for part in parts])
        return Estimate(*(combine(column, weights, undefined) for column in three.T))

    def _units_of(self, area: Measure, average: str) -> tuple[tuple[Bins, ...], Any]:
        """Return the bins of each unit that an average keeps, and the weights of the units."""
        _, rule = OfferedAverages(area, self).find(average)
        units = self.units(area, rule.per)
        return units.each, rule.weights(area, units)

    @property
    def axes(self) -> tuple[str, ...]:
        """The groupings of the examples, which bins do not keep."""
        return ()

    def units(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> Any:
        """Return the bins of everything, or of each class.

        Parameters
        ----------
        measure : Measure
            The measure that reads them.
        per : tuple of str, default ()
            The axis to keep: "class"; () pools all columns.
        positive : bool, default False
            Whether only the column of the positive class is read: the only one.

        Returns
        -------
        Rankings
            The bins of each unit.

        Examples
        --------
        >>> import indicatrix as ix
        >>> state = ix.scores.binned([0, 1, 2], [[0.9, 0, 0], [0, 0.8, 0.3], [0, 0.9, 0.2]])
        >>> [part.auc for part in state.units(ix.auc, ("class",)).each]
        [1.0, 0.5, 0.5]
        """
        check_offered(self, measure, per, positive=positive)
        if per:
            return Rankings(self.each, per, (self.columns,))
        return Rankings((self._single() if positive else self.micro,))

    def refusal(self, measure: Any, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units; "" if there are.

        Parameters
        ----------
        measure : Measure
            A measure, or the weight of an average.
        per : tuple of str, default ()
            The axis to keep.
        positive : bool, default False
            Whether only the column of the positive class is read.

        Returns
        -------
        str
            The reason, for the middle of a sentence.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([0, 1], [0.2, 0.7]).refusal(ix.auc, ("example",))
        'bins of scores keep no examples; use sweep.'
        """
        if measure.reads.formula:
            return UNDECIDED
        if positive:
            return "there is no positive class."
        return NO_ROWS if per == ("example",) else lacking_axis(per, ("class",))

    def values(self, measure: str | Measure, unit: Any = None) -> Array:
        """Return any measure's exact value at each of the bins' ``thresholds``.

        The bins are those of a class, or of the binary scores.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        unit : label, optional
            The class whose column of scores is taken. It may be left out where there is a positive class.

        Returns
        -------
        array
            One value for each threshold.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3]).values("recall").tolist()
        [0.0, 0.5, 0.5, 1.0]
        """
        return (self._single() if unit is None else self.of(unit)).values(measure)

    def ranking(self, unit: Any = None, average: str | None = None) -> Bins:
        """Return the bins of a column, or of all columns with a pooling average such as "micro".

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. It may be left out where there is one column.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Bins
            Its bins.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3]).ranking().auc
        0.5
        """
        if average is None or average == BINARY:
            return self._single() if unit is None else self.of(unit)
        if not find_average(average).pools:
            raise ValueError(f"average={average!r} needs the scores of each example; {NO_ROWS}")
        if unit is not None:
            raise ValueError(f"average={average!r} pools all columns; leave out the column {unit!r}.")
        return self.micro

    def best(
        self,
        measure: str | Measure,
        unit: Any = None,
        *,
        average: str | None = None,
        subject_to: str | Iterable[str] | None = None,
        better: str | None = None,
    ) -> Any:
        """Return the best value of a measure over the edges of bins, where counts are exact, as a ``Best``.

        It is a value that a threshold has; a threshold inside a bin of several scores may be better, and more bits would find it.
        Everything else is as in ``Sweep.best``.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        unit : label, optional
            The class whose column of scores is taken. It may be left out where there is one column.
        average : str, optional
            "micro" pools all columns and has one threshold; an average over classes, such as "macro", has one for each
            class.
        subject_to : str or iterable of str, optional
            What the thresholds have to meet, as in "precision >= 0.9".
        better : str, optional
            "higher" or "lower", for a measure that does not say itself which of its values are better.

        Returns
        -------
        Best or BestPerClass
            ``.value``, ``.threshold`` (or ``.thresholds``) and ``.rule`` for ``decide=``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> best = ix.scores.binned([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).best("recall", subject_to="precision >= 0.9")
        >>> best.value, best.low, best.high
        (0.5, 0.4, 0.8)
        """
        return choose_best(self, measure, unit, average, subject_to, better)

    def at_rate(self, unit: Any = None, *, average: str | None = None, **rate: float) -> RatePoint:
        """Return the operating point at a given rate, between two edges of bins, where counts are exact.

        Inside a bin of several scores the mixture of its two edges stands for the thresholds between them. Everything else is as
        in ``Sweep.at_rate``.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. It may be left out where there is one column.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.
        **rate : float
            The name of one rate, and its value: ``fpr=0.01``, ``recall=0.9``.

        Returns
        -------
        RatePoint
            ``.counts`` for any measure, and the thresholds on both sides.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at_rate(fpr=0.25).value("recall")
        0.5
        """
        return point_at_rate(self.ranking(unit, average), rate)

    def eer(self, unit: Any = None, *, average: str | None = None) -> RatePoint:
        """Return the operating point at which the false positive and the false negative rate are equal.

        Most often it lies between two thresholds, and the counts are those of a mixture of both; ``ix.measures.eer`` is its
        rate, and has other conventions.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. It may be left out where there is one column.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        RatePoint
            ``.counts`` for any measure, and the thresholds on both sides.

        Examples
        --------
        >>> import indicatrix as ix
        >>> point = ix.scores.binned([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5]).eer()
        >>> round(point.value("fpr"), 4), round(point.value("fnr"), 4), point.below.threshold, point.above.threshold
        (0.5, 0.5, 0.8, 0.7)
        """
        return point_of_equal_errors(self.ranking(unit, average))

    def at(self, threshold: float) -> Counts:
        """Return the exact counts at a threshold, per class unless the scores are binary.

        A threshold inside a bin is an error.

        Parameters
        ----------
        threshold : float
            A score >= threshold is predicted positive.

        Returns
        -------
        Counts
            The counts at this threshold.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3]).at(0.5)
        Counts(tp=1, fp=0, fn=1, tn=1)
        """
        if self.kind == "binary":
            return self._single().at(threshold)
        four = zip(*(column.at(threshold) for column in self.each), strict=True)
        return Counts(*(np.array(x) for x in four), per=("class",), names=(self.columns,))

    def coarser(self, bits: int) -> Binned:
        """Return the state that fewer bits would have made, exactly.

        Parameters
        ----------
        bits : int
            The bits to keep, at most as many as there are.

        Returns
        -------
        Binned
            A smaller state, with wider bounds.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3]).coarser(12).bits
        12
        """
        return replace(self, each=tuple(column.coarser(bits) for column in self.each))

    def _single(self) -> Bins:
        if len(self.each) != 1:
            raise ValueError(
                f"There are scores of {len(self.columns)} classes; take one, .of({self.columns[0]!r}), or name an average: "
                ".area('auc', 'macro')."
            )
        return self.each[0]

    def __add__(self, other: Binned) -> Binned:
        if not isinstance(other, Binned):
            return NotImplemented
        for what in ("kind", "classes", "columns"):
            a, b = getattr(self, what), getattr(other, what)
            if a != b:
                raise ValueError(f"Binned scores add for the same {what}; these are {a!r} and {b!r}. Pass classes= to both.")
        each = tuple(a + b for a, b in zip(self.each, other.each, strict=True))
        return replace(self, each=each, n=self.n + other.n)

    def __radd__(self, other: object) -> Binned:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Binned):
            return NotImplemented
        facts = ("kind", "classes", "columns", "each", "n")
        return all(getattr(self, fact) == getattr(other, fact) for fact in facts)

    __hash__ = None  # type: ignore[assignment]

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        measures: Iterable[str | Measure] | None = None,
        title: str = "Scores",
    ) -> str | None:
        """Return a page with the curves and a threshold to move, or write it to a file: one HTML file.

        All measures follow the threshold. ``ev.to_html(scores=…)`` shows the same with the evaluation of decisions. The page
        holds counts at a few hundred thresholds, no raw scores; areas are of all thresholds.

        Parameters
        ----------
        path : str or path, optional
            The file to write. Left out: the page is returned as text.
        measures : iterable of str or Measure, optional
            The measures to show first. Left out: those of the report and a few more. All others can be chosen in the page.
        title : str, default 'Scores'
            The title of the page.

        Returns
        -------
        str or None
            The page, if no file was named.

        Examples
        --------
        >>> import indicatrix as ix
        >>> page = ix.scores.binned([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).to_html(title="Monday")
        >>> page.startswith("<!DOCTYPE html>"), "<title>Monday</title>" in page
        (True, True)
        """
        from .page_columns import write_score_page

        return write_score_page(self, path, measures, title)

    def __repr__(self) -> str:
        held = sum(len(column.keys) for column in self.each)
        return f"<Binned: {self.kind}, {self.n} examples, {len(self.columns)} columns, {held} bins of {self.bits} bits>"

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain data for JSON: counts, names and the ends of bins, no rows.

        Returns
        -------
        dict
            For ``json.dump``; ``from_dict`` reads it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3]).to_dict()["n"]
        3
        """
        return with_format(self)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Binned:
        """Return the state that ``to_dict`` wrote.

        Parameters
        ----------
        data : mapping
            What ``to_dict`` gave.

        Returns
        -------
        Binned
            Equal to the state that was written.

        Examples
        --------
        >>> import indicatrix as ix
        >>> state = ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3])
        >>> ix.types.Binned.from_dict(state.to_dict()) == state
        True
        """
        return from_format("Binned", data, "The state")  # type: ignore[no-any-return]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a JSON file: counts, names and the ends of bins, no rows.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
        >>> state = ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3])
        >>> state.save(path)
        >>> ix.load(path) == state
        True
        """
        save(self, path)


@answers_mistakes
def binned(
    y_true: Any,
    scores: Any,
    *,
    bits: int = 20,
    classes: Any = None,
    positive: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    missing: str = "error",
) -> Binned:
    """Return scores in bins, per class: a state of a stream that adds and saves (prop:roc).

    Its areas have bounds. Scores share a bin if their float64 agrees in the sign and the first ``bits`` bits; 11 of these are
    the exponent, so that 20 leave 512 bins in every octave, from 1e-300 to 1e300, probabilities and logits alike; 63 keep all
    scores apart. Labels and scores are as for ``sweep``, which keeps everything and is exact.

    Parameters
    ----------
    y_true : array-like
        Labels: 0 and 1 for one column of scores, or as many columns or classes as there are scores for each example.
    scores : array-like
        One number for each label, higher for what is more likely positive.
    bits : int, default 20
        How many bits of a score decide its bin.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Left out: the labels that occur, sorted.
    positive : label, optional
        The positive class: averages may then be left out. Labels 0/1 and False/True have 1 and True.
    sample_weight : array-like, optional
        One weight for each example. Sums of weights are exact.
    mask : array-like of bool, optional
        True where an entry was observed: one flag for each example, or a matrix. The rest counts nowhere.
    missing : str, default 'error'
        What a missing label (None, nan) does: "error", or "mask" (not observed).

    Returns
    -------
    Binned
        A state that adds to states of other rows.

    Examples
    --------
    >>> import indicatrix as ix
    >>> state = ix.scores.binned([1, 0, 1, 0], [7.25, 7.26, -3.0, -4.0], bits=16)
    >>> state.auc, state.auc_bounds, state.at(0.0)
    (0.625, (0.5, 0.75), Counts(tp=1, fp=1, fn=1, tn=1))
    """
    bits = check_bits(bits)
    given = {"sample_weight": sample_weight, "mask": mask}
    door = read_rows(y_true, scores, classes=classes, positive=positive, missing=missing, **given)
    columns = tuple(bins(*door.rows.column(j), bits=bits) for j in range(len(door.units)))
    return Binned(door.kind, door.classes, door.units, columns, door.rows.n)
