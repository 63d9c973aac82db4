"""Differences between groups: their values, the largest difference and ratio, and unusual groups."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import BINARY, Name, average_name, find_average, reads_positive
from ...algebra.counts import Counts
from ...algebra.frames import free_name, to_pandas, to_polars
from ...algebra.group_scores import groupings_of, score_groups
from ...algebra.measure import Measure
from ...algebra.spelling import did_you_mean
from ...algebra.values import Values
from ...algebra.wording import listing
from ...catalogue.matrix import MatrixMeasure, resolve

CELLS = ("tp", "fp", "fn", "tn")
CHANCE = 0.01  # how often groups that do not differ may be called unusual, all groups of an axis together


@dataclass(frozen=True, eq=False, repr=False)
class Between:
    """One measure in the groups of an axis: who is highest, who is lowest, and how far they are apart.

    Attributes
    ----------
    measure : Measure
        What was measured.
    axis : str
        The name of the axis.
    average : str or None
        The score inside each group.
    values : Values
        The value of each group, with names; nan where it is undefined.
    counts : Counts
        The counts of each group: of the positive class, or pooled over classes.
    sizes : tuple of int
        The number of examples of each group.
    """

    measure: Any
    axis: str
    average: Any  # the score inside each group
    values: Values  # of each group, with names; nan where it is undefined
    counts: Counts  # of each group: of the positive class, or pooled over classes
    sizes: tuple[int, ...]  # examples of each group

    @property
    def names(self) -> tuple[Any, ...]:
        """The names of the groups."""
        return self.values.names

    @property
    def lost(self) -> tuple[Any, ...]:
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

    @property
    def unusual(self) -> tuple[Any, ...]:
        """The groups that differ from all others together by more than chance explains for their size.

        This is decided for measures that are a share of counted examples, such as recall; for others it is empty. In groups
        that do not differ, it is empty in 99 of 100 cases.
        """
        far = self.distances()
        if far is None:
            return ()
        from statistics import NormalDist

        limit = NormalDist().inv_cdf(1 - CHANCE / (2 * max(1, len(far))))
        return tuple(name for name, z in zip(self.names, far.tolist(), strict=True) if abs(z) > limit)

    def distances(self) -> Any:
        """Return how far each group is from all others together, in standard errors; None if it is not known.

        It is the test of two shares with the correction for continuity, which does not overrate small groups.

        Returns
        -------
        array or None
            One number for each group.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y, z, site = [1] * 40, [1] * 30 + [0] * 10, ["x"] * 20 + ["y"] * 20
        >>> ix.evaluate(y, z, by={"site": site}).between("recall", "site").distances().round(2).tolist()
        [3.29, -3.29]
        """
        pooled = isinstance(self.average, str) and find_average(self.average).pools
        if not pooled or not is_share(self.measure) or not _is_counted(self.counts):
            return None
        four = np.stack([as_weight(x) for x in self.counts])
        a, b = (np.array(side, np.float64) @ four for side in self.measure.decomposition)
        rest_a, rest_b = a.sum() - a, b.sum() - b
        with np.errstate(divide="ignore", invalid="ignore"):
            share, inverse = a.sum() / b.sum(), 1 / b + 1 / rest_b
            apart = a / b - rest_a / rest_b
            size = np.maximum(np.abs(apart) - inverse / 2, 0) / np.sqrt(share * (1 - share) * inverse)
        return np.where(np.isfinite(size), np.copysign(size, apart), 0.0)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the names of the groups, their numbers of examples, their counts and their values.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame.

        Returns
        -------
        dict
            A list for each column; nan where a group has no value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], by={"site": ["x", "x", "x", "y", "y"]})
        >>> ev.between("recall", "site").to_dict()  # doctest: +NORMALIZE_WHITESPACE
        {'site': ['x', 'y'], 'examples': [3, 2], 'tp': [1, 1], 'fp': [0, 0], 'fn': [1, 0], 'tn': [1, 1], 'value': [0.5, 1.0]}
        """
        columns: dict[str, list[Any]] = {self.axis: [*self.names]}
        four = {cell: np.asarray(getattr(self.counts, cell)).tolist() for cell in CELLS}
        for name, column in {"examples": [*self.sizes], **four, "value": self.values.tolist()}.items():
            columns[free_name(name, columns)] = column
        return columns

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        names = [str(name) for name in self.names]
        wide, long = max([len(self.axis), *map(len, names)]), max([8, *(len(f"{n:,}") for n in self.sizes)])
        cells = list(zip(*(as_weight(x).tolist() for x in self.counts), strict=True))
        columns = [[f"{x:,.6g}" for x in column] for column in zip(*cells, strict=True)] or [[] for _ in range(4)]
        widths = [max([2, *map(len, column)]) for column in columns]
        heads = "  ".join(f"{head:>{w}}" for head, w in zip(CELLS, widths, strict=True))
        lines = [f"{average_name(self.average)} {self.measure} between {self._how_many()} of {self.axis}"]
        lines += [f"  {self.axis:<{wide}}  {'examples':>{long}}  {heads}  value"]
        for i, (name, n, x) in enumerate(zip(names, self.sizes, self.values.tolist(), strict=True)):
            four = "  ".join(f"{column[i]:>{w}}" for column, w in zip(columns, widths, strict=True))
            lines.append(f"  {name:<{wide}}  {n:>{long},}  {four}  {'–' if math.isnan(x) else f'{x:.6f}'}")
        lines.append(f"  {self._compare_ends()}")
        if self.unusual:
            lines.append(f"  more than chance explains for its size: {listing(self.unusual)}")
        if self.lost:
            lines.append(f"  undefined, not compared: {listing(self.lost)}")
        return "\n".join(lines)

    def _how_many(self) -> str:
        return f"{len(self.names)} {'group' if len(self.names) == 1 else 'groups'}"

    def _compare_ends(self) -> str:
        """Return the difference and the ratio, and the groups that they are of."""
        if math.isnan(self.difference):
            return "fewer than two groups have a value, so there is no difference and no ratio"
        who = f"{self.lowest!r} against {self.highest!r}" if self.difference else "the groups with a value are equal"
        return f"difference {self.difference:.6f}, ratio {self.ratio:.6f}: {who}"

    def __repr__(self) -> str:
        lost = f"{len(self.lost)} of {self._how_many()} undefined, " if self.lost else ""
        return (
            f"<Between: {average_name(self.average)} {self.measure} over {self._how_many()} of {self.axis}, {lost}"
            f"difference {self.difference:.6g}, ratio {self.ratio:.6g}>"
        )


def is_share(measure: Any) -> bool:
    """Return whether a measure is a share: some of the four counts, over these and others.

    >>> import indicatrix as ix
    >>> is_share(ix.recall), is_share(ix.accuracy), is_share(ix.f1), is_share(ix.multiclass_mcc)
    (True, True, False, False)
    """
    sums = measure.decomposition if isinstance(measure, Measure) and not measure.averages else None
    return sums is not None and all(pair in ((0, 0), (0, 1), (1, 1)) for pair in zip(*sums, strict=True))


def _is_counted(counts: Counts) -> bool:
    """Return whether counts are numbers of examples, not sums of weights or memberships."""
    return all(np.asarray(x).dtype.kind in "iu" for x in counts)


def between(ev: Any, measure: str | Measure | MatrixMeasure, axis: str, *, average: Name | None = None) -> Between:
    """Return how far a measure differs between the groups of a ``by`` axis.

    Without an average, each group has the score of the positive class; without one, its classes are pooled.

    >>> import indicatrix as ix
    >>> y, z = [1] * 40 + [0] * 10 + [1] * 40 + [0] * 10, [1] * 36 + [0] * 14 + [1] * 16 + [0] * 34
    >>> print(between(ix.evaluate(y, z, by={"site": ["x"] * 50 + ["y"] * 50}), "recall", "site"))
    binary recall between 2 groups of site
      site  examples  tp  fp  fn  tn  value
      x           50  36   0   4  10  0.900000
      y           50  16   0  24  10  0.400000
      difference 0.500000, ratio 0.444444: 'y' against 'x'
      more than chance explains for its size: 'x', 'y'
    """
    _check_grouping(axis, groupings_of(ev))
    found, sizes = resolve(measure), ev.tally.sizes_of(axis)
    if isinstance(found, MatrixMeasure):
        scores = score_groups(ev.split(axis), axis, lambda part, how: part.score(found, average, undefined=how), "exclude")
        values = Values.of(np.array([float(s) for s in scores.values()]), (tuple(scores),))
        inside: Name = "matrix"
    else:
        inside = average or (found.averages[0] if found.averages else BINARY if reads_positive(ev, axis) else "micro")
        values = ev.values(found, per=axis, average=inside)
    counts = ev.binary((axis,)) if inside == BINARY else ev.aggregate(axis)
    return Between(found, axis, inside, values, counts, tuple(sizes[name] for name in values.names))


def _check_grouping(axis: Any, groupings: tuple[str, ...]) -> None:
    if not isinstance(axis, str):
        raise TypeError(
            f"between() compares the groups of one grouping, and {axis!r} is not the name of one. For pairs of groups, pass "
            "one grouping of both to evaluate: by={'sex and age': [f'{s} {a}' for s, a in zip(sex, age)]}."
        )
    if axis not in groupings:
        have = did_you_mean(axis, groupings) or f"The groupings are {listing(groupings)}."
        raise ValueError(f"There is no grouping {axis!r}. {have if groupings else f'Pass by={{{axis!r}: ids}} to evaluate.'}")
