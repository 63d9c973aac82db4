"""Differences between groups: values with intervals, the largest difference, and a test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import BINARY, Name, groupings_of, reads_positive, score_name
from ...algebra.counts import CELLS, Counts
from ...algebra.ends import check_level
from ...algebra.measure import Measure
from ...algebra.measure_names import is_of_whole, resolve
from ...algebra.totals import per_example
from ...algebra.values import Values, free_name, to_pandas, to_polars
from ...report.grid import name_text
from ...report.notebook import fragment, paragraphs, scrolling_box
from ...report.table_forms import Label, Table, Uncertain
from ...words.call_mistakes import answers_mistakes
from ...words.wording import did_you_mean, listing, no_attribute, series
from ..intervals.interval import Interval
from ..stats.quantiles import normal
from .differences import GroupDifferences, Pairs, check_pairs, differences_of
from .group_samples import LEVEL, GroupTest, SampledGroups, square_and_add

CHANCE = 0.01  # how often groups that do not differ may be called unusual, all groups of an axis together
MOST_SHOWN = 30  # groups in a notebook
MOST_ROWS = 60  # groups that are printed
NOTES = 5  # groups whose intervals are unreliable or wide that are named

OTHER_ATTRIBUTES = {  # what people look for, and where it is
    **dict.fromkeys(("save", "to_json"), "The evaluation is saved, ev.save(path), and to_dict() has the values of the groups."),
    "to_html": "The page of the evaluation has the groups: ev.to_html(path).",
    **dict.fromkeys(("to_csv", "csv"), "to_pandas() is a data frame, which has to_csv."),
    **dict.fromkeys(("p", "p_value", "pvalue"), ".test has the p-value: .test.p_value."),
    **dict.fromkeys(("gap", "max_difference", "disparity"), ".difference is the largest one."),
}


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class GroupComparison:
    """One measure in the groups of an axis, or of several crossed: who is highest and lowest, and a test.

    Attributes
    ----------
    measure : Measure
        What was measured.
    axis : str
        The name of the axis; of several crossed ones, all of their names.
    average : str or None
        The score inside each group.
    values : Values
        The value of each group, with names; nan where it is undefined.
    counts : Counts
        The counts of each group: of the positive class, or pooled over classes.
    sizes : tuple of int
        The number of examples of each group.
    level : float
        The level of the intervals.
    source : Evaluation
        The evaluation of all groups.
    axes : tuple of str
        The axes that were crossed: the name of a group is then a tuple, a name for each of them. Empty for one axis.
    alone : dict
        The comparison along each of the crossed axes alone, by name; empty for one axis.
    note : str
        Which average was taken, where none was named and there is no positive class.
    """

    measure: Any
    axis: str
    average: Any  # the score inside each group
    values: Values  # of each group, with names; nan where it is undefined
    counts: Counts  # of each group: of the positive class, or pooled over classes
    sizes: tuple[int, ...]  # examples of each group
    level: float = LEVEL
    source: Any = field(default=None, repr=False)  # the evaluation, for intervals of scores that the counts do not tell
    axes: tuple[str, ...] = ()  # that were crossed
    alone: Mapping[str, GroupComparison] = field(default_factory=dict, repr=False)  # along each of the crossed axes
    note: str = ""  # which average was taken, where none was named

    @property
    def names(self) -> tuple[Any, ...]:
        """The names of the groups."""
        return self.values.names

    @property
    def undefined_units(self) -> tuple[Any, ...]:
        """The groups without a value, which are not compared."""
        return tuple(name for name, x in zip(self.names, self.values.tolist(), strict=True) if not math.isfinite(x))

    @property
    def highest(self) -> Any:
        """The group with the highest value, the first of several; None if no group has a value."""
        return self._extreme(max)

    @property
    def lowest(self) -> Any:
        """The group with the lowest value, the first of several; None if no group has a value."""
        return self._extreme(min)

    def _extreme(self, choose: Any) -> Any:
        known = [(x, name) for x, name in zip(self.values.tolist(), self.names, strict=True) if math.isfinite(x)]
        return choose(known, key=lambda pair: pair[0])[1] if known else None

    def _ends(self) -> tuple[float, float]:
        known = [x for x in self.values.tolist() if math.isfinite(x)]
        return (min(known), max(known)) if len(known) > 1 else (math.nan, math.nan)

    @property
    def difference(self) -> float:
        """The highest value minus the lowest; nan if fewer than two groups have a value."""
        low, high = self._ends()
        return high - low

    @property
    def ratio(self) -> float:
        """The lowest value divided by the highest: 1 if all are equal.

        It is nan if fewer than two groups have a value, if all values are 0, or if some are negative.
        """
        low, high = self._ends()
        return low / high if low >= 0 and high > 0 else math.nan

    @cached_property
    def _groups(self) -> SampledGroups:
        return SampledGroups(self.source, self.axis, self.measure, self.average, self.values, self.counts)

    @property
    def _precision(self) -> tuple[Any, Any, str]:
        """What tests read, the groups that they compare, and why there is no test.

        Totals of groups of different size differ because the sizes do, whatever the classifier does.
        """
        if len({*self.sizes}) > 1 and self._groups.is_total:
            few, many = min(self.sizes), max(self.sizes)
            instead = f"; {per_example(self.measure)!r} can be compared" if self.measure.reads.formula else ""
            sizes = f"and the groups have {few:,} to {many:,}{instead}"
            return None, [], f"{self.measure} is a total that grows with the number of examples, {sizes}"
        return self._groups.precision

    @property
    def intervals(self) -> dict[Any, Interval]:
        """The value of each group with its interval; the groups are independent samples.

        A score without an interval, such as one of weighted examples, is an error that says why.
        """
        return dict(zip(self.names, self._groups.intervals(self.level, range(len(self.names))), strict=True))

    @property
    def test(self) -> GroupTest | None:
        """The test of whether all groups have the same true value; None if there is no test: see ``reason``."""
        precision = self._precision[0]
        return None if precision is None else precision.test()

    @property
    def reason(self) -> str:
        """Why there is no test; empty if there is one."""
        return self._precision[2]

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with the value and interval of each group, and the largest difference.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1] * 60, [1] * 34 + [0] * 26, by={"site": ["x"] * 30 + ["y"] * 30})
        >>> ax = ev.compare_groups("recall", "site").plot()
        >>> ax.get_title(loc="left")
        'binary recall by site'
        """
        from ...plots import groups

        try:
            ends = [(found.low, found.high) for found in self.intervals.values()]
            found = self.difference_interval
        except ValueError:  # scores without an interval, such as those of weighted examples
            ends, found = [(math.nan, math.nan)] * len(self.names), None
        name = score_name(self.measure, self.average)
        low, high = (math.nan, math.nan) if found is None else found
        largest = "" if math.isnan(self.difference) else f"largest difference {Uncertain(self.difference, low, high)}"
        values = self.values.tolist()
        return groups(self._labels(), values, ends, gap=largest, name=name, title=f"{name} by {self.axis}", ax=ax)

    def differences(self) -> GroupDifferences:
        """Return the difference of every two groups with an interval and a p-value, the clearest first.

        Intervals and p-values hold for all pairs together, because all are looked at: an interval has 0 inside unless its p-value
        is below 1 - level. Of two groups they are those of ``test``.

        Returns
        -------
        GroupDifferences
            One row for each pair of groups; iterate over it, print it, or take ``to_dict()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y, z, site = [1] * 60, [1] * 34 + [0] * 26, ["x"] * 20 + ["y"] * 20 + ["z"] * 20
        >>> print(ix.evaluate(y, z, by={"site": site}).compare_groups("recall", "site").differences())
        binary recall between every two groups of site, p-values adjusted for 3 pairs
          'x' 1.000 and 'z' 0.000: difference 1 [0.746, 1], p < 0.0001
          'y' 0.700 and 'z' 0.000: difference 0.7 [0.379, 0.893], p < 0.0001
          'x' 1.000 and 'y' 0.700: difference 0.3 [0, 0.566], p = 0.069
        """
        precision, groups, reason = self._precision
        if precision is None:
            raise ValueError(f"The groups cannot be compared: {reason}.")
        check_pairs(len(groups))
        compared = Pairs(precision, self.level)
        intervals = self._groups.apart(compared.interval_level, groups)
        title = f"{score_name(self.measure, self.average)} between every two groups of {self.axis}"
        return differences_of(title, [self.names[i] for i in groups], intervals, compared)

    @property
    def difference_interval(self) -> Interval:
        """The largest difference with its interval, which is wider the more groups there are to choose from."""
        precision, groups, reason = self._precision
        if precision is None:
            return Interval(self.difference, math.nan, math.nan, self.level, "none", reason, self.measure, self.average)
        ends, compared = [self.names.index(name) for name in (self.highest, self.lowest)], Pairs(precision, self.level)
        high, low = self._groups.apart(compared.interval_level, ends)
        note = f"The two groups are the farthest apart of {len(groups)}; the interval allows for that." if len(groups) > 2 else ""
        notes = " ".join(text for text in (note, high.note, low.note) if text)
        places = [*groups.tolist()]
        if not {*ends} <= {*places}:  # one of the two has no interval that tells how precise it is
            return Interval(
                self.difference, *square_and_add(high, low), self.level, "square_and_add", notes, self.measure, self.average
            )
        return replace(compared.interval(places.index(ends[0]), places.index(ends[1]), high, low), note=notes)

    @property
    def unusual(self) -> tuple[Any, ...]:
        """The groups that differ from all others together by more than chance explains for their size.

        It is empty if the test finds no difference at the 1% level, so in groups that do not differ, in 99 of 100 cases.
        """
        test, far = self.test, self.distances()
        if test is None or far is None or test.p_value >= CHANCE:
            return ()
        limit = min(normal(1 - CHANCE / max(1, test.freedom + 1)), float(np.abs(far).max()))
        return tuple(name for name, z in zip(self.names, far.tolist(), strict=True) if abs(z) >= limit)

    def distances(self) -> Any:
        """Return how far each group is from all others together, in standard errors; None if it is not known.

        Shares of counted examples, such as recall, have the correction for continuity, which does not overrate small groups.

        Returns
        -------
        array or None
            One number for each group; 0 for a group without a value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y, z, site = [1] * 40, [1] * 30 + [0] * 10, ["x"] * 20 + ["y"] * 20
        >>> ix.evaluate(y, z, by={"site": site}).compare_groups("recall", "site").distances().round(2).tolist()
        [3.29, -3.29]
        """
        precision, groups, _ = self._precision
        if precision is None:
            return None
        far = np.zeros(len(self.names))
        far[groups] = precision.distances()
        return far

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the groups, their numbers of examples, their counts, values and intervals.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame.

        Returns
        -------
        dict
            A list for each column; nan where a group has no value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], by={"site": ["x", "x", "x", "y", "y"]})
        >>> ev.compare_groups("recall", "site").to_dict()  # doctest: +ELLIPSIS, +NORMALIZE_WHITESPACE
        {'site': ['x', 'y'], 'examples': [3, 2], 'tp': [1, 1], 'fp': [0, 0], 'fn': [1, 0], 'tn': [1, 1], 'value': [0.5, 1.0],
         'low': [0.02..., 0.05...], 'high': [0.97..., 1.0]}
        """
        columns: dict[str, list[Any]] = {self.axis: [*self.names]}
        if self.axes:
            columns = {axis: [name[k] for name in self.names] for k, axis in enumerate(self.axes)}
        cells = {name: np.asarray(column).tolist() for name, column in self._cells().items()}
        for name, column in {"examples": [*self.sizes], **cells, "value": self.values.tolist(), **self._ends_of_all()}.items():
            columns[free_name(name, columns)] = column
        return columns

    to_pandas, to_polars = to_pandas, to_polars

    def _cells(self) -> dict[str, Any]:
        """Return what was counted in each group: the four cells, or right and wrong examples."""
        if is_of_whole(self.measure):
            return {"right": self.counts.tp, "wrong": self.counts.fn}
        return {cell: getattr(self.counts, cell) for cell in CELLS}

    def _ends_of_all(self) -> dict[str, list[float]]:
        """Return the ends of the intervals; nan if the score does not have them."""
        try:
            found = [*self.intervals.values()]
        except (ValueError, ImportError):
            return {end: [math.nan] * len(self.names) for end in ("low", "high")}
        return {"low": [i.low for i in found], "high": [i.high for i in found]}

    def __str__(self) -> str:
        names = self._labels()
        wide, long = max([len(self.axis), *map(len, names[:MOST_ROWS])]), max([8, *(len(f"{n:,}") for n in self.sizes)])
        cells = self._cells()
        columns = [[f"{x:,.6g}" for x in as_weight(column).tolist()] for column in cells.values()]
        widths = [max([2, len(head), *map(len, column)]) for head, column in zip(cells, columns, strict=True)]
        heads = "  ".join(f"{head:>{w}}" for head, w in zip(cells, widths, strict=True))
        ends = [*zip(*self._ends_of_all().values(), strict=True)]
        sure = any(not math.isnan(low) for low, _ in ends)
        lines = [f"{score_name(self.measure, self.average)} between {self._how_many()} of {self.axis}"]
        lines += [f"  {self.axis:<{wide}}  {'examples':>{long}}  {heads}  value{f'     {100 * self.level:.4g}% interval' * sure}"]
        for i, (name, n, x) in enumerate(zip(names[:MOST_ROWS], self.sizes, self.values.tolist(), strict=False)):
            four = "  ".join(f"{column[i]:>{w}}" for column, w in zip(columns, widths, strict=True))
            low, high = ends[i]
            interval = "" if math.isnan(low) else f"  [{low:.3f}, {high:.3f}]"
            lines.append(f"  {name:<{wide}}  {n:>{long},}  {four}  {'–' if math.isnan(x) else f'{x:.6f}'}{interval}")
        if len(names) > MOST_ROWS:
            lines.append(f"  … and {len(names) - MOST_ROWS:,} more groups; to_dict() and to_pandas() have all of them")
        return "\n".join([*lines, *(f"  {sentence}" for sentence in self._sentences())])

    def _labels(self) -> list[str]:
        """Return the names of the groups as they stand in tables."""
        return [", ".join(map(name_text, name)) if self.axes else name_text(name) for name in self.names]

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the title, the groups, and the sentences to quote."""
        ends, shown = [*zip(*self._ends_of_all().values(), strict=True)], self._labels()[:MOST_SHOWN]
        heads = self._cells()
        cells = list(zip(*(as_weight(x).tolist() for x in heads.values()), strict=True))
        rows = [
            (Label(name), self.sizes[i], *(f"{x:,.6g}" for x in cells[i]), Uncertain(float(self.values[i]), *ends[i]))
            for i, name in enumerate(shown)
        ]
        table = Table((Label(self.axis), "examples", *heads, f"value [{100 * self.level:.4g}% interval]"), rows)
        left_out = f"The first {len(rows)} of {len(self.names)} groups." if len(rows) < len(self.names) else ""
        title = f"{score_name(self.measure, self.average)} between {self._how_many()} of {self.axis}"
        return fragment([paragraphs([title]), scrolling_box(table), paragraphs([left_out, *self._sentences()])])

    def _sentences(self) -> list[str]:
        """Return what to quote: the largest difference, the test, and what makes them unsure."""
        said = [self._compare_ends()]
        if self.test is not None:
            ends, verdict = (
                self.difference_interval,
                "chance may explain it" if self.test.p_value >= 1 - self.level else "the groups differ",
            )
            said.append(f"{100 * self.level:.4g}% interval of the difference: [{ends.low:.3f}, {ends.high:.3f}]")
            said.append(f"{verdict}: {self.test}")
        elif not math.isnan(self.difference):
            said.append(f"no test: {self.reason}")
        if self.unusual:
            said.append(f"more than chance explains for its size: {listing(self.unusual)}")
        if self.test is not None:
            noted = [f"{name!r}: {i.note}" for name, i in self.intervals.items() if i.note and not math.isnan(i.value)]
            said += noted[:NOTES] + [f"and {len(noted) - NOTES} more groups with such notes"] * (len(noted) > NOTES)
        if self.undefined_units:
            said.append(f"undefined, not compared: {listing(self.undefined_units)}")
        said += [self.note] if self.note else []
        return said + [f"{axis} alone: {found._in_short()}" for axis, found in self.alone.items()]

    def _in_short(self) -> str:
        """Return the difference and the test in one line."""
        test = f"no test: {self.reason}" if self.test is None else f"{self.test}"
        return f"{self._compare_ends()}; {test}"

    def _how_many(self) -> str:
        return f"{len(self.names)} {'group' if len(self.names) == 1 else 'groups'}"

    def _compare_ends(self) -> str:
        """Return the difference and the ratio, and the groups that they are of."""
        if math.isnan(self.difference):
            return "fewer than two groups have a value, so there is no difference and no ratio"
        who = f"{self.lowest!r} against {self.highest!r}" if self.difference else "the groups with a value are equal"
        return f"difference {self.difference:.6f}, ratio {self.ratio:.6f}: {who}"

    def __repr__(self) -> str:
        lost = f"{len(self.undefined_units)} of {self._how_many()} undefined, " if self.undefined_units else ""
        return (
            f"<GroupComparison: {score_name(self.measure, self.average)} over {self._how_many()} of {self.axis}, {lost}"
            f"difference {self.difference:.6g}, ratio {self.ratio:.6g}>"
        )

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A comparison of groups", name, OTHER_ATTRIBUTES)


def compare_groups(
    ev: Any, measure: str | Measure, axis: Any, *, average: Name | None = None, level: float = LEVEL
) -> GroupComparison:
    """Return how far a measure differs between the groups of a ``by`` axis, or of several crossed axes.

    Without an average, each group has the score of the positive class; without one, its classes are pooled.

    >>> import indicatrix as ix
    >>> y, z = [1] * 40 + [0] * 10 + [1] * 40 + [0] * 10, [1] * 36 + [0] * 14 + [1] * 16 + [0] * 34
    >>> print(compare_groups(ix.evaluate(y, z, by={"site": ["x"] * 50 + ["y"] * 50}), "recall", "site"))
    binary recall between 2 groups of site
      site  examples  tp  fp  fn  tn  value     95% interval
      x           50  36   0   4  10  0.900000  [0.776, 0.967]
      y           50  16   0  24  10  0.400000  [0.258, 0.556]
      difference 0.500000, ratio 0.444444: 'y' against 'x'
      95% interval of the difference: [0.301, 0.657]
      the groups differ: chi-square 21.98 with 1 degree of freedom, p < 0.0001
      more than chance explains for its size: 'x', 'y'
    """
    axes = _check_groupings(axis, groupings_of(ev))
    check_level(level)
    if len(axes) > 1:
        alone = {one: compare_groups(ev, measure, one, average=average, level=level) for one in axes}
        name = free_name(series(axes), ev.tally.by)
        return replace(compare_groups(ev._cross(axes, name), measure, name, average=average, level=level), axes=axes, alone=alone)
    (axis,) = axes
    found, sizes = resolve(measure), ev.tally.sizes_of(axis)
    found = found.meant_for(ev, average)
    usual = next(iter(found.averages), BINARY if reads_positive(ev, axis) else None) if found.reads.averaged else None
    named: Name | None = average or usual
    pooled = named is None and found.reads.averaged
    inside = "micro" if pooled else named
    values = ev.values(found, per=axis, average=inside)
    counts = ev.binary((axis,)) if inside == BINARY else ev.aggregate(axis)
    note = "no average was named, so the classes of a group are pooled (micro); average='macro' is their mean" if pooled else ""
    return GroupComparison(found, axis, inside, values, counts, tuple(sizes[name] for name in values.names), level, ev, note=note)


def sampled_groups(found: GroupComparison) -> SampledGroups:
    """Return the groups that a comparison read, with the intervals and precision that are known."""
    return found._groups


def _check_groupings(axis: Any, groupings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the groupings that are meant: one, or several to cross."""
    given = (axis,) if isinstance(axis, str) else tuple(axis) if isinstance(axis, list | tuple) else ()
    if not given or not all(isinstance(one, str) for one in given):
        raise TypeError(
            f"between() compares the groups of one grouping, 'site', or of several crossed, ('site', 'sex'); {axis!r} is neither."
        )
    for one in given:
        if one not in groupings:
            have = did_you_mean(one, groupings) or f"The groupings are {listing(groupings)}."
            raise ValueError(f"There is no grouping {one!r}. {have if groupings else f'Pass by={{{one!r}: ids}} to evaluate.'}")
    if len({*given}) < len(given):
        raise ValueError(f"between() crosses different groupings, and {listing(given)} names one twice. Name each once.")
    return given
