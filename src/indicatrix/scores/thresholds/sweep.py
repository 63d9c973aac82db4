"""Sweep: labels and scores, with exact counts at every threshold (prop:roc).

Measures, best thresholds, curves and areas follow from them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY, NotOfferedError, check_offered, find_average, lacking_axis
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.measure import Measure
from ...algebra.measure_names import asked_units, find_for_counts
from ...algebra.score import Undefined
from ...algebra.sums import units_meant
from ...ranking.ranked import Ranked, rank_scores
from ...storage.formats import from_format, save, with_format
from ...tasks.selective.risk_coverage import RiskCoverage, risk_coverage
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, no_attribute
from ..curves import curve as curves
from ..curves.curve import Curve
from ..curves.curve_band import measured_band
from ..curves.ranked_units import MERGED, ONE_COLUMN, UNDECIDED, Estimate, area_within_bounds, units_of_sweep
from ..curves.several_curves import hull_of, mean_pr, mean_roc
from ..score_input import read_rows
from ..sweep_rows import SweepRows, join_rows
from .best_thresholds import best_of, values_of
from .bins import Bins, bins, bins_of_steps, check_bits
from .constraints import choose_best
from .operating_points import RatePoint, at_thresholds, counts_at_each, counts_at_one, point_at_rate, point_called

MOST_SHOWN = 30  # columns of which a notebook shows the areas
NO_EXAMPLES = "A compact sweep keeps no examples. Sweep the labels and scores themselves to have them."

OTHER_ATTRIBUTES = {  # what people look for, and where it is
    "to_json": "sweep.save(path) writes its ranked scores as JSON for ix.load.",
    **dict.fromkeys(("score", "report", "f1"), "Decisions need a threshold: sweep.best('f1'), or ix.evaluate(…, decide=0.5)."),
    "eer": "sweep.at_point('equal_errors') is the point, and ix.measures.eer the rate.",
    **dict.fromkeys(("threshold", "thresholds"), "sweep.best('f1') finds the threshold that is best by a measure."),
}


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """Labels and scores ranked for each column, pooled, and for each group.

    Every curve is made from it. Sweeps of the same classes add, and any order of adding gives the same counts. A compact sweep
    keeps ranked scores without the examples, or bins of them (``ix.scores.binned``): then counts and measures at the edges of
    bins are exact, and areas have bounds.

    Attributes
    ----------
    kind : str
        "binary": one column of scores, of the positive class; "multiclass": one-vs-all; or "multilabel".
    classes : tuple
        The classes, in order.
    columns : tuple
        The names of the columns of scores.
    positive : label or None
        The column that is meant if no column is named.
    n : int
        The number of examples.
    rows : SweepRows or None
        Labels and scores; None in a compact sweep, which keeps only ranked scores.
    bad_rows : BadRows or None
        What ``ix.evaluate_file(…, bad="count")`` left out: how many rows, and where the first of them stand.
    """

    kind: str  # "binary": one column of scores, of the positive class; "multiclass": one-vs-all; "multilabel"
    classes: tuple[Any, ...]
    columns: tuple[Any, ...]  # their names
    positive: Any  # the column that is meant if none is named; None: there is no such column
    n: int
    rows: SweepRows | None  # None in a compact sweep, which keeps only ranked scores
    _rankings: dict[Any, Any] = field(default_factory=dict)  # Ranked or Bins of the columns, made when they are first needed
    _pooled: dict[str, Any] = field(default_factory=dict)
    _parts: dict[str, dict[Any, Sweep]] = field(default_factory=dict)  # groups
    bad_rows: Any = None  # what a reader of files left out; it is not saved

    @property
    def bits(self) -> int | None:
        """The leading bits of a score that decide its bin; None where all scores are kept."""
        return None if self.rows is not None else next((kept.bits for kept in self._rankings.values()), None)

    def of(self, unit: Any = None) -> Any:
        """Return the ranked scores of one column, or their bins; of the positive class, if none is named.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.

        Returns
        -------
        Ranked or Bins
            ``.scores`` with the counts at each of them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 1, 2], [[0.9, 0, 0], [0, 0.8, 0.3], [0, 0.9, 0.2]]).of(1).auc
        0.5
        """
        unit = self.positive if unit is None else unit
        if unit is None:
            raise ValueError(f"Name one column of scores, {listing(self.columns)}, or pool them with average='micro'.")
        if unit not in self.columns:
            raise ValueError(f"{unit!r} is not a column of scores; they are {listing(self.columns)}.")
        if unit not in self._rankings and self.rows is not None:
            self._rankings[unit] = self.rows.rank(self.columns.index(unit))
        return self._rankings[unit]

    def example(self, i: int) -> Ranked:
        """Return the ranked scores of one example: its labels against each other, where they were observed.

        Parameters
        ----------
        i : int
            The position of the example.

        Returns
        -------
        Ranked
            ``.scores`` with the counts at each of them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([{"a"}, {"b"}], [[0.9, 0.2], [0.6, 0.1]], classes=["a", "b"]).example(0).auc
        1.0
        """
        if self.rows is None:
            raise ValueError(NO_EXAMPLES)
        if self.kind == "binary":
            raise ValueError("One score per example leaves nothing to rank within an example. Give one score per class.")
        if not -self.n <= i < self.n:
            raise IndexError(f"There is no example {i}; the sweep has {self.n}.")
        return rank_scores(*replace(self.rows.take(np.array([range(self.n)[i]])), weights=None).cells())

    @property
    def micro(self) -> Any:
        """The ranked scores of all columns, pooled, or their bins."""
        if "micro" not in self._pooled:
            if self.rows is None or len(self.columns) == 1:
                first, *others = (self.of(unit) for unit in self.columns)
                self._pooled["micro"] = first.merged_with(others) if others else first
            else:
                self._pooled["micro"] = self.rows.rank_all()
        return self._pooled["micro"]

    @property
    def auc(self) -> float:
        """The area under the ROC curve of the positive class.

        ``ix.auc(sweep, average=…)`` has averages and intervals.
        """
        return self.of().auc  # type: ignore[no-any-return]

    @property
    def average_precision(self) -> float:
        """The average precision of the positive class.

        ``ix.average_precision(sweep, average=…)`` has averages and intervals.
        """
        return self.of().average_precision  # type: ignore[no-any-return]

    @property
    def auc_bounds(self) -> tuple[float, float]:
        """Two numbers around the AUC of the positive class: both are the AUC, unless scores are in bins."""
        return self.of().auc_bounds  # type: ignore[no-any-return]

    @property
    def average_precision_bounds(self) -> tuple[float, float]:
        """Two numbers between which the average precision of the positive class lies."""
        return self.of().average_precision_bounds  # type: ignore[no-any-return]

    def area(self, name: str, average: str | None = None, *, undefined: Undefined = "exclude") -> Estimate:
        """Return "auc" or "average_precision" under an average, with two numbers between which it lies.

        In bins the order of some scores is not kept; where all scores are, both numbers are the area, as ``ix.auc`` gives it.
        The bounds of an average are the same average of the bounds.

        Parameters
        ----------
        name : str
            "auc" or "average_precision".
        average : str, optional
            "micro", "macro", "weighted", or the name of a by= axis. Optional where there is a positive class.
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
        return area_within_bounds(self, name, average, undefined)

    @property
    def axes(self) -> tuple[str, ...]:
        """The groupings that by= named."""
        return tuple(self._parts if self.rows is None else self.rows.groups)

    def split(self, axis: str) -> dict[Any, Sweep]:
        """Return one sweep for each group of an axis that by= named; each has the other axes.

        Parameters
        ----------
        axis : str
            The name of a by= axis.

        Returns
        -------
        dict
            The name of each group with its sweep.

        Examples
        --------
        >>> import indicatrix as ix
        >>> parts = ix.sweep([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7], by={"site": ["a", "a", "b", "b"]}).split("site")
        >>> {name: part.micro.auc for name, part in parts.items()}
        {'a': 1.0, 'b': 0.0}
        """
        if axis not in self.axes:
            raise ValueError(
                f"There is no grouping {axis!r}; there are {listing(self.axes)}. Give by={{{axis!r}: ids}} to sweep."
            )
        if axis not in self._parts and self.rows is not None:
            self._parts[axis] = {name: self._like(rows.n, rows) for name, rows in self.rows.split(axis).items()}
        return dict(self._parts[axis])

    def _cross(self, axes: tuple[str, ...], name: str) -> Sweep:
        """Return the sweep with one axis in the place of several: its groups are the combinations that occur."""
        if self.rows is not None:
            return self._like(self.n, self.rows.cross(axes, name), self._rankings, self._pooled)
        parts: dict[Any, Sweep] = {(): self}
        for axis in axes:
            parts = {(*key, group): part for key, one in parts.items() for group, part in one.split(axis).items()}
        return replace(self, _parts={name: parts, **{axis: own for axis, own in self._parts.items() if axis not in axes}})

    def units(self, measure: str | Measure, per: str | tuple[str, ...] = (), *, positive: bool = False) -> Any:
        """Return the rankings of the units of some axes, which areas read.

        Parameters
        ----------
        measure : str or Measure
            The measure that reads them, or its name.
        per : str or tuple of str, default ()
            The axis to keep: "class", "example" or a by= axis; () pools all columns.
        positive : bool, default False
            Whether only the column of the positive class is read.

        Returns
        -------
        Rankings
            Nothing is sorted before a measure reads it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> swept = ix.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6])
        >>> ix.auc.values(swept.units("auc", positive=True))
        0.75
        """
        measure, per = asked_units(measure, per)
        if measure.reads.counted:
            raise NotOfferedError(
                f"{measure} reads {measure.reads.what} of decided labels, and here nothing is decided: .at(0.5) has counts at a "
                f"threshold, and .values({str(measure)!r}) the values at all of them."
            )
        found = units_meant(self, measure, per, positive=positive)
        if found is not None:
            return found
        check_offered(self, measure, per, positive=positive)
        return units_of_sweep(self, measure, per, positive=positive)

    def refusal(self, measure: str | Measure, per: str | tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units; "" if there are.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or the weight of an average.
        per : str or tuple of str, default ()
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
        >>> ix.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]).refusal(ix.f1)
        'it weights by what is predicted, and scores are not decisions.'
        """
        measure, per = asked_units(measure, per)
        if measure.reads.formula:
            return UNDECIDED
        if positive and self.positive is None:
            return "it needs a positive class: pass positive= with the name of one column."
        if not positive and self.kind == "binary" and per in ((), ("class",), ("example",)):
            return ONE_COLUMN
        if per == ("example",) and self.rows is None:
            return MERGED
        return lacking_axis(per, ("class", "example", *self.axes))

    def _like(self, n: int, rows: SweepRows | None, *caches: Any) -> Sweep:
        return Sweep(self.kind, self.classes, self.columns, self.positive, n, rows, *caches)

    def compact(self, bits: int | None = None) -> Sweep:
        """Return the sweep without its rows: the ranked scores of each column and group, or bins of them.

        This is what streams add.

        Parameters
        ----------
        bits : int, optional
            How many leading bits of a score decide its bin, from 1 to 63; of bins at most as many as there are, and then they
            are those that so many bits would have made. Default: every score is kept, or every bin.

        Returns
        -------
        Sweep
            With the same curves and areas, except averages over examples; in bins with bounds of areas.

        Examples
        --------
        >>> import indicatrix as ix
        >>> first, second = ix.sweep([0, 1], [0.2, 0.7]).compact(), ix.sweep([1, 0], [0.9, 0.8]).compact()
        >>> ix.auc(first + second)
        0.75
        >>> ix.sweep([1, 0, 1], [0.9, 0.4, 0.3]).compact(bits=20).compact(bits=12).bits
        12
        """
        if bits is None:
            kept, pooled = {unit: self.of(unit) for unit in self.columns}, dict(self._pooled)
        else:
            kept, pooled = {unit: self._bins_of(unit, bits) for unit in self.columns}, {}
        parts = {axis: {name: part.compact(bits) for name, part in self.split(axis).items()} for axis in self.axes}
        return self._like(self.n, None, kept, pooled, parts)

    def _bins_of(self, unit: Any, bits: int) -> Bins:
        """Return the bins of one column."""
        if self.rows is not None:
            j = self.columns.index(unit)
            steps = self.rows.steps(j)
            return bins(*self.rows.column(j), bits=bits) if steps is None else bins_of_steps(*steps, bits)
        ranking = self.of(unit)
        return bins(*ranking.rows, bits=bits) if ranking.bits is None else ranking.coarser(bits)

    def __add__(self, other: Sweep) -> Sweep:
        if not isinstance(other, Sweep):
            return NotImplemented
        what = ("kind", "classes", "columns", "positive")
        for mine, theirs, name in ((getattr(self, x), getattr(other, x), x) for x in what):
            if mine != theirs:
                raise ValueError(f"Only sweeps of the same problem add; {name} is {mine!r} here and {theirs!r} there.")
        if set(self.axes) != set(other.axes):
            raise ValueError(
                f"Sweeps add only with the same groupings; these have {listing(self.axes)} and {listing(other.axes)}."
            )
        if (self.bits is None) != (other.bits is None) and self.columns:
            raise ValueError("Bins of scores do not add to ranked scores; make bins of these first: .compact(bits=…).")
        if self.rows is not None and other.rows is not None:
            return self._like(self.n + other.n, join_rows(self.rows, other.rows))
        one, two = self.compact(), other.compact()
        rankings = {unit: one.of(unit) + two.of(unit) for unit in self.columns}
        parts = {axis: _add_groups(one.split(axis), two.split(axis)) for axis in one.axes}
        return self._like(self.n + other.n, None, rankings, {}, parts)

    def __radd__(self, other: object) -> Sweep:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sweep):
            return NotImplemented
        what = ("kind", "classes", "columns", "positive", "n")
        if any(getattr(self, x) != getattr(other, x) for x in what) or set(self.axes) != set(other.axes):
            return False
        return all(self.of(unit) == other.of(unit) for unit in self.columns) and all(
            self.split(axis) == other.split(axis) for axis in self.axes
        )

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sweep to a JSON file: the ranked scores of each column and group, without the examples.

        What is loaded is compact. ``ix.scores.binned(y_true, scores)`` has a small file: counts, names and the ends of bins, no
        scores of single examples.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
        >>> scored = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> scored.save(path)
        >>> ix.load(path) == scored, ix.load(path).auc
        (True, 0.75)
        """
        save(self, path)

    def plot(self, *measures: str | Measure, unit: Any = None, average: str | None = None, ax: Any = None) -> Any:
        """Return axes with measures at every threshold, the best value of each marked.

        Parameters
        ----------
        *measures : str or Measure
            Measures, their names, or formulas. Default: F1.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).plot("f1", "mcc")
        >>> sorted(text.get_text() for text in ax.texts)
        ['f1, best 0.800 at 0.35', 'mcc, best 0.577 at 0.8']
        """
        from ...plots import thresholds

        found = [_measure_of_counts(m) for m in measures or ("f1",)]
        ranking = self.ranking(unit, average)
        values = {str(m): values_of(m, ranking) for m in found}
        best = {str(m): best_of(m, ranking) for m in found if m.better in SIGNS}
        marks = {name: (b.threshold, b.value) for name, b in best.items()}
        return thresholds(ranking.thresholds, values, best=marks, unit=self._unit_of(unit, average), ax=ax)

    def _repr_html_(self) -> str:
        from ...report.notebook import fragment, scrolling_box
        from ...report.table_forms import Label, Table

        shown = [(unit, self.of(unit)) for unit in self.columns[:MOST_SHOWN]]
        rows = [(Label(unit), r.tpos, r.tneg, len(r.scores), r.auc, r.average_precision) for unit, r in shown]
        head = ("scores of", "positive", "negative", "thresholds", "AUC", "average precision")
        left_out = f" The first {len(shown)} of {len(self.columns)} columns:" if len(shown) < len(self.columns) else ""
        text = f"Sweep: {self.kind}, {self.n:,} {'example' if self.n == 1 else 'examples'}.{left_out}"
        return fragment([f"<div>{text}</div>", scrolling_box(Table(head, rows))])

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
            The file to write. Default: no file; the page is returned as text.
        measures : iterable of str or Measure, optional
            The measures to show first. Default: those of the report and a few more. All others can be chosen in the page.
        title : str, default 'Scores'
            The title of the page.

        Returns
        -------
        str or None
            The page, if no file was named.

        Examples
        --------
        >>> import indicatrix as ix
        >>> page = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).to_html(title="Monday")
        >>> page.startswith("<!DOCTYPE html>"), "<title>Monday</title>" in page
        (True, True)
        """
        from .page_columns import write_score_page

        return write_score_page(self, path, measures, title)

    def __repr__(self) -> str:
        held = "" if self.bits is None else f", {sum(len(x.keys) for x in self._rankings.values())} bins of {self.bits} bits"
        return f"<Sweep: {self.kind}, {self.n} examples, classes {listing(self.classes)}{held}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the sweep as plain data for JSON: ranked scores or bins, and names; no rows.

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
    def from_dict(data: Mapping[str, Any]) -> Sweep:
        """Return the sweep that ``to_dict`` wrote.

        Parameters
        ----------
        data : mapping
            What ``to_dict`` gave.

        Returns
        -------
        Sweep
            Equal to the one that was written.

        Examples
        --------
        >>> import indicatrix as ix
        >>> state = ix.scores.binned([1, 0, 1], [0.9, 0.4, 0.3])
        >>> ix.types.Sweep.from_dict(state.to_dict()) == state
        True
        """
        return from_format("Sweep", data, "The state")  # type: ignore[no-any-return]

    def values(self, measure: str | Measure, unit: Any = None, *, average: str | None = None) -> Array:
        """Return a measure at every threshold of a column, or with average="micro" of all columns pooled.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        array
            One value for each threshold, from +inf down.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).values("f1").round(2).tolist()
        [0.0, 0.67, 0.5, 0.8, 0.67]
        """
        return values_of(_measure_of_counts(measure), self.ranking(unit, average))

    def apply(self, function: Callable[..., Any], unit: Any = None, **options: Any) -> Array:
        """Return any function of labels and predictions at every threshold of a column.

        A measure is faster in ``values``, which reads counts. This calls the function once for each threshold.

        Parameters
        ----------
        function : callable
            It takes labels, True or False, and predictions, 1 or 0; and ``sample_weight=`` where the sweep has weights.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        **options
            Further arguments of the function.

        Returns
        -------
        array
            One result for each threshold, from +inf down.

        Examples
        --------
        >>> import indicatrix as ix
        >>> swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> swept.apply(lambda y, z: int(sum(y != z))).tolist()  # errors
        [2, 1, 2, 1, 2]
        """
        self.of(unit)  # a column that does not exist is refused here
        if self.rows is None:
            raise ValueError(NO_EXAMPLES)
        scores, labels, weights = self.rows.column(self.columns.index(self.positive if unit is None else unit))
        return at_thresholds(function, labels, scores, weights, everything_negative=True, **options)[0]

    def best(
        self,
        measure: str | Measure,
        unit: Any = None,
        *,
        average: str | None = None,
        subject_to: str | Iterable[str] | None = None,
        better: str | None = None,
    ) -> Any:
        """Return the best value of a measure over all thresholds, or over those that meet constraints.

        There is one threshold, for one column or for "micro". With an average over classes, such as "macro", each class has a
        threshold of its own, meets the constraints by itself, and the result is a ``BestPerClass``. So the weights of the classes
        must not depend on thresholds.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns and has one threshold; an average over classes, such as "macro", has one for each
            class.
        subject_to : str or iterable of str, optional
            What the thresholds have to meet, as in "precision >= 0.9" or "precision >= 0.9 and fpr <= 0.1": measures or formulas,
            each with >=, <=, > or < and a number or a fraction, also in a chain ("0.5 <= precision <= 2/3"). A threshold at
            which such a measure is undefined does not meet it. Where no threshold meets all, ``.value`` is nan and ``.note``
            says why.
        better : str, optional
            "higher" or "lower", for a measure that does not say itself which of its values are better.

        Returns
        -------
        Best or BestPerClass
            ``.value``, ``.threshold`` (or ``.thresholds``) and ``.rule`` for ``decide=``; with constraints also ``.allowed``, the
            intervals of all thresholds that meet them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> swept = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> best = swept.best("f1")
        >>> best.value, best.threshold
        (0.8, 0.35)
        >>> best = swept.best("recall", subject_to="precision >= 0.9")
        >>> best.value, best.low, best.high
        (0.5, 0.4, 0.8)
        >>> swept.best("recall", subject_to="f1 > 0.85").note
        'No threshold meets f1 > 0.85: its highest value is 0.8.'
        """
        return choose_best(self, measure, unit, average, subject_to, better)

    def at_rate(self, unit: Any = None, *, average: str | None = None, **rate: float) -> RatePoint:
        """Return the operating point at a given rate, such as a false positive rate of 0.01.

        A rate is a measure that only grows, or only falls, as the threshold falls, whatever the data, and whose denominator
        stays the same: recall, specificity, the false positive and false negative rate, the selection rate. Most rates lie
        between two thresholds. The counts are then those of a mixture of both, which has exactly this rate on average: a straight
        line of the ROC curve. ``.below`` and ``.above`` are the two thresholds themselves.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
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
        >>> point = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at_rate(fpr=0.25)
        >>> point.value("recall"), point.below.threshold, point.above.threshold, point.share
        (0.5, 0.8, 0.4, 0.5)
        """
        return point_at_rate(self.ranking(unit, average), rate)

    def at_point(self, name: str, unit: Any = None, *, average: str | None = None) -> RatePoint:
        """Return the operating point at which two kinds of errors are in balance.

        Most often it lies between two thresholds, and the counts are those of a mixture of both.

        Parameters
        ----------
        name : str
            "equal_errors": the false positive and the false negative rate are equal; their value is the equal error rate, of
            which ``ix.measures.eer`` has other conventions. "break_even": precision and recall are equal.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        RatePoint
            ``.counts`` for any measure, and the thresholds on both sides.

        Examples
        --------
        >>> import indicatrix as ix
        >>> sweep = ix.sweep([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
        >>> point = sweep.at_point("equal_errors")
        >>> round(point.value("fpr"), 4), round(point.value("fnr"), 4), point.below.threshold, point.above.threshold
        (0.5, 0.5, 0.8, 0.7)
        >>> round(sweep.at_point("break_even").value("precision"), 4)
        0.6667
        """
        return point_called(name, self.ranking(unit, average))

    def at(self, thresholds: Any) -> Counts:
        """Return the counts where score >= threshold is predicted positive.

        They are of the positive class, or per class. Several thresholds are an axis "threshold" of the counts. Where there are
        several classes, a list has one threshold for each of them, so that the axis takes a table: a row for each point, with
        one threshold, or with one for each class.

        Parameters
        ----------
        thresholds : float or array-like
            One threshold, several, or one for each class.

        Returns
        -------
        Counts
            With an axis "threshold" where there are several.

        Examples
        --------
        >>> import indicatrix as ix
        >>> s = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.at(0.4), s.at([0.2, 0.4]).tp.tolist()
        (Counts(tp=1, fp=1, fn=1, tn=1), [2, 1])
        """
        if self.kind == "binary":
            return counts_at_one(self.of(self.columns[0]), thresholds)
        return counts_at_each({unit: self.of(unit) for unit in self.columns}, thresholds)

    def ranking(self, unit: Any = None, average: str | None = None) -> Any:
        """Return the ranking of a column, or of all columns with a pooling average such as "micro".

        Nothing is guessed.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Ranked
            ``.scores`` with the counts at each of them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).ranking().auc
        0.75
        """
        if average is None or average == BINARY:
            return self.of(unit)
        if not find_average(average).pools:
            raise ValueError(
                f"average={average!r} does not have a single threshold axis. Use average='micro', or name one column; "
                "ix.tune finds the best thresholds under other averages."
            )
        if unit is not None:
            raise ValueError(f"average={average!r} pools all columns; leave out the column {unit!r}.")
        return self.micro

    def roc(self, unit: Any = None, *, average: str | None = None, simplify: bool | str = False) -> Curve:
        """Return the ROC curve: false against true positive rate, with AUC as its area.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. An average over classes, such as "macro", or the name of a by= axis, such as "fold", is
            the mean of their curves at each x; its area is the mean of their areas, and those whose area is undefined are
            left out. It takes the place of ``unit``.
        simplify : bool or str, default False
            Whether to leave out points on the line between their neighbors; "steps" leaves out only those between two equal
            steps, as scikit-learn's drop_intermediate does.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
        >>> curve.x.tolist(), curve.y.tolist(), curve.area
        ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
        """
        if self._keeps_units(unit, average, simplify):
            return mean_roc(self, str(average))
        return self._named(curves.roc(self.ranking(unit, average), simplify=simplify), unit, average)

    def _named(self, curve: Curve, unit: Any, average: str | None) -> Curve:
        """Return a curve with the class whose scores it is of.

        Entries of several classes pooled are not independent examples, so their curve has no band.
        """
        own = self._unit_of(unit, average)
        return replace(curve, unit=own) if own is not None else replace(curve, shares=None, measured=None)

    def _unit_of(self, unit: Any, average: str | None) -> Any:
        """Return the class that is taken as positive; None where several are pooled."""
        if average is None or average == BINARY:
            return self.positive if unit is None else unit
        return self.columns[0] if len(self.columns) == 1 else None

    def roc_hull(self, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return the convex hull of the ROC curve, which mixtures of two thresholds reach.

        Only thresholds at its corners are best for some costs. ``.also["cost from"]`` and ``["cost to"]`` are the probability
        costs for which each is best. ``ix.scores.roc_dominance`` takes several classifiers.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and ``.area``, which is ``ix.measures.auc_of_hull``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> hull = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_hull()
        >>> hull.thresholds.tolist(), hull.area
        ([inf, 0.8, 0.35, 0.1], 0.875)
        """
        ranking = self.ranking(unit, average)
        return self._named(hull_of({"": ranking} if ranking.tpos and ranking.tneg else {}), unit, average)

    def _keeps_units(self, unit: Any, average: str | None, simplify: bool | str) -> bool:
        """Return whether an average is the mean over classes or groups, so that a curve is a mean of curves."""
        if average is None or average == BINARY or (average not in self.axes and find_average(average).pools):
            return False
        if unit is not None:
            raise ValueError(f"average={average!r} is over several columns; leave out the column {unit!r}.")
        if simplify:
            raise ValueError(f"simplify={simplify!r} leaves out thresholds, and a mean of curves has none. Leave it out.")
        return True

    def pr(self, unit: Any = None, *, average: str | None = None, simplify: bool = False) -> Curve:
        """Return the precision-recall curve, with average precision as its area.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. An average over classes, such as "macro", or the name of a by= axis, such as "fold", is
            the mean of their curves at each x; its area is the mean of their areas, and those whose area is undefined are
            left out. It takes the place of ``unit``.
        simplify : bool, default False
            Whether to keep, of the thresholds with one recall, only the highest and the lowest.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> round(ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).pr().area, 4)
        0.8333
        """
        if self._keeps_units(unit, average, simplify):
            return mean_pr(self, str(average))
        return self._named(curves.pr(self.ranking(unit, average), simplify=simplify), unit, average)

    def det(self, unit: Any = None, *, average: str | None = None, simplify: bool = False, trim: bool = False) -> Curve:
        """Return the detection error tradeoff: false positive against false negative rate.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.
        simplify : bool, default False
            Whether to keep, of the thresholds with one false negative rate, only the highest and the lowest.
        trim : bool, default False
            Whether to leave out the ends along which only one of the two errors grows.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).det().axes
        ('fpr', 'fnr')
        """
        return self._named(curves.det(self.ranking(unit, average), simplify=simplify, trim=trim), unit, average)

    def lift(self, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return the lift, and in ``also`` the gain, of the highest-scoring share of the examples.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).lift().y.round(2).tolist()
        [nan, 2.0, 1.0, 1.33, 1.0]
        """
        return self._named(curves.lift(self.ranking(unit, average)), unit, average)

    def cost_curve(self, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return the least normalized expected cost at every probability cost.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).cost_curve().y.round(2).tolist()
        [0.0, 0.25, 0.0]
        """
        return self._named(curves.cost_curve(self.ranking(unit, average)), unit, average)

    def threshold_curve(self, measure: str | Measure, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return a measure at every threshold as a curve, which has a band.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Curve
            ``.x`` are the scores, from the highest, ``.y`` the values, and ``.band()`` says how sure they are.

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.sweep([0, 0, 1, 1] * 20, [0.1, 0.4, 0.35, 0.8] * 20).threshold_curve("f1")
        >>> curve.y.round(2).tolist(), curve.band(simultaneous=True).y_low.round(1).tolist()
        ([0.67, 0.5, 0.8, 0.67], [0.5, 0.3, 0.7, 0.5])
        """
        found, ranking = _measure_of_counts(measure), self.ranking(unit, average)
        x, tp, fp = (np.asarray(side)[1:] for side in (ranking.thresholds, ranking.tp, ranking.fp))
        band = None

        def value(_: Any, tp: Array, fp: Array, positives: Array, negatives: Array) -> Array:
            four = np.broadcast_arrays(tp, fp, positives - tp, negatives - fp)
            return np.asarray(found.values(Counts(*(np.maximum(side, 0.0) for side in four), bound=0)), np.float64)

        if not ranking.weighted and self._unit_of(unit, average) is not None:
            band = measured_band(x, tp, fp, (ranking.tpos, ranking.tneg), value, str(found))
        made = Curve("threshold curve", x, values_of(found, ranking)[1:], x, ("threshold", str(found)), measured=band)
        return replace(made, unit=self._unit_of(unit, average))

    def decision_curve(
        self, unit: Any = None, *, average: str | None = None, at: Any = None, prevalence: float | None = None
    ) -> Curve:
        """Return the net benefit at threshold probabilities, and in ``also`` that of treating all and none.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.
        at : array-like, optional
            Threshold probabilities in [0, 1). Default: 0, and every distinct score below 1 twice, because the benefit jumps
            there: the value at the score, and the value just above it.
        prevalence : float, optional
            The share of positives in the population, where it is not that of the data, as in a case-control study.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).decision_curve(at=[0.2, 0.5])
        >>> curve.y.tolist(), curve.also["treat all"].tolist()
        ([0.4375, 0.25], [0.375, 0.0])
        """
        return self._named(curves.decision_curve(self.ranking(unit, average), at=at, prevalence=prevalence), unit, average)

    def brier_curve(self, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return the loss at every cost proportion that is also the threshold; its area is the Brier score.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns. It takes the place of ``unit``.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds`` and, where it has one, ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y, p = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
        >>> round(ix.sweep(y, p).brier_curve().area, 6), round(ix.brier(y, p), 6)
        (0.158125, 0.158125)
        """
        return self._named(curves.brier_curve(self.ranking(unit, average)), unit, average)

    def risk_coverage(self, measure: str | Measure = "fdr") -> RiskCoverage:
        """Return the risk of the answered examples at every coverage.

        The highest score is answered first. The prediction is the class with the highest score, and that score its confidence,
        so each example has one class.

        Parameters
        ----------
        measure : str or Measure, default 'fdr'
            A measure, its name, or a formula.

        Returns
        -------
        RiskCoverage
            ``.coverage``, ``.risk`` and ``.area``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.sweep([0, 1, 1], [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]).risk_coverage().risk.round(3).tolist()
        [nan, 0.0, 0.0, 0.333]
        """
        if self.kind != "multiclass" or self.rows is None:
            why = "this sweep keeps no rows" if self.kind == "multiclass" else f"this sweep is {self.kind}"
            raise ValueError(
                f"The highest score is the confidence only where each example has one class and a score for each; {why}. "
                "Use ix.tasks.risk_coverage(y_true, y_pred, confidence)."
            )
        rows = self.rows
        names = np.arange(len(self.columns))
        labeled = np.flatnonzero(rows.labels >= 0) if len(names) else np.zeros(0, np.intp)
        some = rows.take(labeled)
        scores = some.scores if some.mask is None else np.where(some.mask, some.scores, -np.inf)  # only what was observed
        confidence = scores.max(axis=1) if len(names) else np.zeros(0)
        options = {"mask": some.mask, "sample_weight": some.weights, "classes": names.tolist()}
        predicted = scores.argmax(axis=1) if len(names) else np.zeros(0, np.intp)
        return risk_coverage(some.labels, predicted, confidence, measure=measure, **options)

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A sweep", name, OTHER_ATTRIBUTES)


def _measure_of_counts(measure: str | Measure) -> Measure:
    return find_for_counts(measure, "a sweep counts entries or one class")


def _add_groups(one: Mapping[Any, Sweep], two: Mapping[Any, Sweep]) -> dict[Any, Sweep]:
    names = dict.fromkeys((*one, *two))
    return {name: one[name] + two[name] if name in one and name in two else (one if name in one else two)[name] for name in names}


@answers_mistakes(
    hints={
        "average": "an average belongs to an area or a curve: ix.auc(y_true, scores, average='macro')",
        "undefined": "it belongs to an area: ix.auc(y_true, scores, undefined=0)",
        "zero_division": "say what an undefined value does with undefined= of an area: ix.auc(y_true, scores, undefined=0)",
    }
)
def sweep(
    y_true: Any,
    scores: Any,
    *,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    by: Mapping[str, Any] | None = None,
    missing: str = "error",
) -> Sweep:
    """Return labels and scores ranked, with exact counts at every distinct score.

    There are rankings of every class, of all classes pooled, and of every group. One score per example speaks for the positive
    class of two; a column of scores for each class is one-vs-all with labels, and per label with a 0/1 matrix, a sparse matrix
    or sets. The other arguments are evaluate's.

    Parameters
    ----------
    y_true : array-like
        Labels: 0 and 1 for one column of scores, or as many columns or classes as there are scores for each example.
    scores : array-like
        One number for each label, higher for what is more likely positive.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
    sample_weight : array-like, optional
        One weight for each example. Sums of weights are exact.
    mask : array-like of bool, optional
        True where an entry was observed: one flag for each example, or a matrix. The rest counts nowhere.
    by : mapping or data frame, optional
        Groupings, each an axis: ``{"site": ids, "fold": folds}``, or the columns of a data frame.
    missing : str, default 'error'
        What a missing label (None, nan) does: "error", or "mask" (not observed).

    Returns
    -------
    Sweep
        Curves, areas, the best threshold, and the counts at any threshold.

    Examples
    --------
    >>> import indicatrix as ix
    >>> s = ix.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.roc().area, s.best("accuracy").value, s.at(0.5)
    (0.75, 0.75, Counts(tp=1, fp=0, fn=1, tn=2))
    """
    options = {"sample_weight": sample_weight, "mask": mask, "by": by}
    door = read_rows(y_true, scores, classes=classes, positive=positive, missing=missing, **options)
    return Sweep(door.kind, door.classes, door.units, door.positive, door.rows.n, door.rows)


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
    by: Mapping[str, Any] | None = None,
    missing: str = "error",
) -> Sweep:
    """Return a sweep that keeps the scores of each class in bins: it adds and saves.

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
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
    sample_weight : array-like, optional
        One weight for each example. Sums of weights are exact.
    mask : array-like of bool, optional
        True where an entry was observed: one flag for each example, or a matrix. The rest counts nowhere.
    by : mapping, optional
        {name: one group per example}: areas and curves per group.
    missing : str, default 'error'
        What a missing label (None, nan) does: "error", or "mask" (not observed).

    Returns
    -------
    Sweep
        A state that adds to states of other rows.

    Examples
    --------
    >>> import indicatrix as ix
    >>> state = ix.scores.binned([1, 0, 1, 0], [7.25, 7.26, -3.0, -4.0], bits=16)
    >>> state.auc, state.auc_bounds, state.at(0.0)
    (0.625, (0.5, 0.75), Counts(tp=1, fp=1, fn=1, tn=1))
    """
    bits = check_bits(bits)  # before the labels are read
    options = {"sample_weight": sample_weight, "mask": mask, "by": by, "missing": missing}
    return sweep(y_true, scores, classes=classes, positive=positive, **options).compact(bits)
