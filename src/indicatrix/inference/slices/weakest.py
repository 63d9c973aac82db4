"""The weakest slices of an evaluation: found among all, told apart, with honest intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np

from ...algebra.arrays import Array, Mask
from ...algebra.average import Name, score_name
from ...algebra.ends import check_level
from ...algebra.measure_names import split_score
from ...algebra.totals import per_example
from ...algebra.values import to_pandas, to_polars
from ...report.notebook import fragment, paragraphs, scrolling_box
from ...report.table_forms import Label, Table, Uncertain
from ...words.call_mistakes import answers_mistakes
from ...words.wording import check_whole, no_attribute, number_of
from ..intervals.interval import Interval
from ..stats.several_tests import benjamini_hochberg, p_text
from .search import Candidate, Question, Search, upper_tail
from .sliced import Feature, KeptGroups, at_quantiles, at_splits, cells_of, read_features

CUTS = ("quantiles", "tree")
MOST_TOLD_APART = 200  # discoveries, the surest first, that are compared with those before them
SAVED = "An evaluation with the features as by= is saved and added, and finds them again; to_dict() has a row for each slice."
OTHER_ATTRIBUTES = dict.fromkeys(("save", "to_json"), SAVED)
NEARLY_ALL = 0.9  # of the examples: a slice that lies outside of all before it is another one


@answers_mistakes
@dataclass(frozen=True)
class Slice:
    """A slice: a conjunction of features whose value is worse than that of all other examples.

    Attributes
    ----------
    where : dict
        The value of each of its features: a category, a range (low, high) with low included, or None where it is missing.
    text : str
        The same in words.
    n : int
        How many examples it has.
    interval : Interval
        The value with an interval that allows for the choice of this slice among all.
    rest : float
        The value of all other examples.
    p_value : float
        How often chance makes a slice as bad, adjusted for all slices that were tested.
    alike : int
        How many more slices were as surely worse, but only because they share examples with this one and those before it.
    """

    where: dict[str, Any]
    text: str
    n: int
    interval: Interval
    rest: float
    p_value: float
    alike: int = 0

    @property
    def value(self) -> float:
        """The value of the measure in the slice."""
        return self.interval.value

    def __str__(self) -> str:
        return f"{self.text}: {self.interval} of {self.n:,} examples, rest {self.rest:.3g}, {p_text(self.p_value)}"


@answers_mistakes
@dataclass(frozen=True, repr=False)
class WeakestSlices:
    """The slices that are clearly worse than the rest, the worst first.

    Attributes
    ----------
    name : str
        The score.
    slices : tuple of Slice
        Those that were found.
    value : float
        The score of all examples.
    tested : int
        How many slices had enough examples, and so could have been found.
    false_discoveries : float
        Which share of what is found may be false, in the mean.
    held_out : float or None
        The share of the examples on which values and p-values are measured; None: all examples, with intervals for the choice.
    """

    name: str
    slices: tuple[Slice, ...]
    value: float
    tested: int
    false_discoveries: float
    held_out: float | None = None

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    def __getitem__(self, place: Any) -> Any:
        return self.slices[place]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the slices in words, their sizes, values with intervals, and p-values.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1] * 200, [1] * 100 + [0] * 100, positive=1)
        >>> ev.weakest("recall", among={"site": ["x"] * 100 + ["y"] * 100}).to_dict()["slice"]
        ['site = y']
        """
        rows = [(s.text, s.n, s.value, s.interval.low, s.interval.high, s.rest, s.p_value, s.alike) for s in self.slices]
        names = ("slice", "examples", "value", "low", "high", "rest", "p_value", "alike")
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    to_pandas, to_polars = to_pandas, to_polars

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with the value and interval of each slice, and the value of all examples.

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
        >>> ev = ix.evaluate([1] * 200, [1] * 100 + [0] * 100, positive=1)
        >>> ax = ev.weakest("recall", among={"site": ["x"] * 100 + ["y"] * 100}).plot()
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['site = y  (100)']
        """
        from ...plots import groups

        labels = [f"{s.text}  ({s.n:,})" for s in self.slices]
        ends = [(s.interval.low, s.interval.high) for s in self.slices]
        whole, title = f"all examples {self.value:.3g}", f"Weakest slices, {self.name}"
        return groups(labels, [s.value for s in self.slices], ends, gap=whole, name=self.name, title=title, ax=ax)

    def sentences(self) -> list[str]:
        """Return how the slices were chosen, in sentences.

        Returns
        -------
        list of str
            How many were found among how many, and what intervals and p-values are of.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1] * 200, [1] * 100 + [0] * 100, positive=1)
        >>> ev.weakest("recall", among={"site": ["x"] * 100 + ["y"] * 100}).sentences()[1]
        'Intervals allow for the choice among all.'
        """
        found, verb = number_of(len(self.slices), "slice"), "is" if len(self.slices) == 1 else "are"
        said = [
            f"{found} of {self.tested:,} tested {verb} worse than the rest by more than chance explains; up to "
            f"{100 * self.false_discoveries:.4g}% of such finds are false in the mean."
        ]
        if self.held_out is not None:
            said.append(f"Values and p-values are of the {100 * self.held_out:.4g}% of the examples that were not searched.")
        elif self.slices:
            said.append("Intervals allow for the choice among all.")
        return said

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A list of weak slices", name, OTHER_ATTRIBUTES)

    def __str__(self) -> str:
        lines = [f"weakest slices, {self.name}: {self.value:.3g} of all examples"]
        return "\n".join([*lines, *(f"  {s}" for s in self.slices), *self.sentences()])

    def __repr__(self) -> str:
        worst = f", worst {self.slices[0].text} with {self.slices[0].value:.3g}" if self.slices else ""
        return f"<WeakestSlices: {self.name}, {len(self.slices)} of {self.tested:,}{worst}>"

    def _repr_html_(self) -> str:
        table = [scrolling_box(slices_table(self.slices, self.name))] if self.slices else []
        title = f"Weakest slices, {self.name}: {self.value:.3g} of all examples"
        return fragment([paragraphs([title]), *table, paragraphs(self.sentences())])


def slices_table(slices: Iterable[Slice], value: str) -> Any:
    """Return slices as a table, whose column of values has a name."""
    rows = [
        (Label(s.text), s.n, Uncertain(s.value, s.interval.low, s.interval.high), f"{s.rest:.3g}", p_text(s.p_value))
        for s in slices
    ]
    return Table(("slice", "examples", value, "rest", "p"), rows)


def weakest(
    ev: Any,
    measure: Any,
    among: Any = None,
    *,
    average: Name | None = None,
    depth: int = 2,
    smallest: int = 50,
    most: int = 10,
    bins: int = 5,
    cut: str = "quantiles",
    false_discoveries: float = 0.1,
    level: float = 0.95,
    held_out: float | None = None,
    clusters: str | None = None,
    better: str | None = None,
    seed: int = 0,
) -> WeakestSlices:
    """Return the conjunctions of features whose value is worse than that of the rest, the worst first.

    >>> import indicatrix as ix
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> site, age = rng.integers(0, 4, 4000), rng.integers(20, 80, 4000)
    >>> right = rng.random(4000) < np.where((site == 2) & (age >= 68), 0.6, 0.9)
    >>> print(weakest(ix.evaluate(np.ones(4000, int), right.astype(int)), "recall", {"site": site, "age": age}))
    weakest slices, binary recall: 0.876 of all examples
      site = 2 and age >= 68: 0.51 [0.399, 0.621] of 196 examples, rest 0.895, p < 0.0001
    1 slice of 29 tested is worse than the rest by more than chance explains; up to 10% of such finds are false in the mean.
    Intervals allow for the choice among all.
    """
    _check(depth, smallest, most, bins, cut, false_discoveries, held_out)
    check_level(level)
    if ev.tally.corrected:
        raise ValueError(
            "weakest looks for slices of rows whose labels are known, and slices of corrected rows share their gold labels. Name "
            "groups where you evaluate, by=, and compare them: ev.compare_groups(…), or ev.values(…, interval='simultaneous')."
        )
    measure, average = split_score(measure, average)
    cells = cells_of(ev, clusters, among)
    inside = np.ones(len(cells.sizes), bool) if held_out is None else _searched(ev, cells, held_out, clusters, seed)
    question = Question(cells, measure, average, clusters, True, inside)
    found = question.whole.sampled.measure
    if question.whole.sampled.is_total:
        instead = f" Look for slices of {per_example(found)!r}." if found.reads.formula else ""
        raise ValueError(
            f"{found} is a total that grows with the number of examples, so that small slices have less of it.{instead}"
        )
    question = replace(question, lower_is_worse=_direction(found, better))
    features = _features(question, cells.columns if among is None else among, cut, bins, smallest)
    search = Search(question, features, smallest, _distance(false_discoveries)).run(min(depth, len(features)))
    kept = _told_apart(search, most, false_discoveries)
    if held_out is not None:
        question = replace(question, inside=~inside)
        slices = _measured(question, kept, level)
        p_values = benjamini_hochberg([s.p_value for s in slices]).tolist()
        slices = [replace(s, p_value=p) for s, p in zip(slices, p_values, strict=True) if p <= false_discoveries]
    else:
        sure = 1 - (1 - level) * max(len(kept), 1) / max(search.tested, 1)  # of so many chosen, as few intervals miss
        slices = [
            replace(s, p_value=k.p_value, interval=replace(s.interval, level=level, method=f"{s.interval.method}, of the chosen"))
            for s, k in zip(_measured(question, kept, sure), kept, strict=True)
        ]
    slices = sorted(slices, key=lambda s: s.value if question.lower_is_worse else -s.value)
    whole = question.whole
    name = score_name(found, whole.sampled.average)
    return WeakestSlices(name, tuple(slices), float(whole.values[0]), search.tested, false_discoveries, held_out)


def _check(depth: Any, smallest: Any, most: Any, bins: Any, cut: Any, share: Any, held_out: Any) -> None:
    for name, given, least in (("depth", depth, 1), ("smallest", smallest, 1), ("most", most, 1), ("bins", bins, 2)):
        check_whole(name, given, least)
    if cut not in CUTS:
        raise ValueError(f"cut={cut!r} is unknown. Use 'quantiles', or 'tree' for cuts where the values differ most.")
    part = 0.5 if held_out is None else held_out
    for name, given, such in (("false_discoveries", share, "0.1"), ("held_out", part, "0.5, or None")):
        if not isinstance(given, float | int) or not 0 < given < 1:
            raise ValueError(f"{name}={given!r} must be a share between 0 and 1, such as {such}.")


def _direction(measure: Any, better: str | None) -> bool:
    """Return whether lower values are worse; a measure that does not say it is asked for."""
    if better not in (None, "higher", "lower"):
        raise ValueError(f"better={better!r} must be 'higher' or 'lower'.")
    known = better or measure.better
    if known not in ("higher", "lower"):
        raise ValueError(f"{measure} does not say which of its values are better. Give better='higher' or better='lower'.")
    return bool(known == "higher")


def _searched(ev: Any, cells: Any, held_out: float, clusters: str | None, seed: int) -> Mask:
    """Return which cells are searched: a random part, clusters as a whole."""
    if isinstance(cells, KeptGroups):
        raise ValueError("held_out= divides single examples: give among=, or leave held_out= out.")
    owner = np.arange(len(cells.sizes)) if clusters is None else ev.rows.owners(clusters)
    count = int(owner.max(initial=-1)) + 1
    return np.asarray((np.random.default_rng(seed).permutation(count) >= round(held_out * count))[owner])


def _features(question: Question, among: Any, cut: str, bins: int, smallest: int) -> list[Feature]:
    def badness(codes: Array, count: int) -> tuple[Array, Array]:
        groups = question.groups(np.where(question.inside, codes, count - 1), count)
        own = groups.counted or groups
        sums, sizes = np.zeros(count), np.zeros(count)
        sums[groups.names], sizes[groups.names] = np.nan_to_num(own.values) * own.sizes, own.sizes
        return sums, sizes

    sizes = question.cells.sizes
    chosen = partial(at_quantiles, sizes=sizes) if cut == "quantiles" else partial(at_splits, sizes=sizes, badness=badness)
    return read_features(among, len(sizes), chosen, bins)


def _distance(share: float) -> float:
    """Return how many standard errors chance exceeds in this share of tests."""
    return NormalDist().inv_cdf(1 - share)


@dataclass(eq=False)
class _Kept:
    """A slice that is worse by itself, and how many others only share examples with it."""

    candidate: Candidate
    cells: Mask
    p_value: float
    alike: int = 0


def _told_apart(search: Search, most: int, share: float) -> list[_Kept]:
    """Return the discoveries that are worse by themselves.

    In the order of evidence, a slice is kept if what it has outside of those before it is worse than the rest, or if the part
    that it shares with one of them is worse than what is left of that one. The k-th must pass the k-th step of Benjamini and
    Hochberg among all tests, by itself and by that part: then the share of false ones among those kept is controlled, whatever
    else was found.
    """
    cells, inside = search.question.cells, search.question.inside
    taken = np.zeros(len(inside), bool)
    kept: list[_Kept] = []
    for candidate in sorted(search.found, key=lambda c: -c.distance)[:MOST_TOLD_APART]:
        step = (len(kept) + 1) / max(search.tested, 1)
        least = _distance(share * step)
        if len(kept) == most or candidate.distance < least:
            break
        own = candidate.cells() & inside
        distance = candidate.distance
        if cells.count(own & ~taken) < NEARLY_ALL * candidate.n:
            distance = _apart(search, own & ~taken, inside & ~taken & ~own)
            if distance < least:
                nearest = max(kept, key=lambda k: cells.count(own & k.cells))
                distance = _apart(search, own & nearest.cells, nearest.cells & ~own)
            if distance < least:
                nearest.alike += 1
                continue
        p = upper_tail(min(distance, candidate.distance)) / step
        kept.append(_Kept(candidate, own, min(max([p, *(k.p_value for k in kept)]), 1.0)))
        taken |= own
    return kept


def _apart(search: Search, some: Mask, others: Mask) -> float:
    """Return how far some cells are on the bad side of others; 0 if either are too few."""
    question = search.question
    if min(question.cells.count(some), question.cells.count(others)) < search.smallest:
        return 0.0
    both = question.apart(some, others).precision(np.array([0, 1]), question.evidence.whole.bounded)
    values, n = both.values, both.sizes
    return float(question.evidence.between(values[:1], n[:1], values[1:], n[1:])[0])


def _measured(question: Question, kept: Sequence[_Kept], level: float) -> list[Slice]:
    """Return slices as measured by the cells that take part."""
    made = []
    for one in kept:
        own, where = one.candidate.cells(), one.candidate.where
        groups = question.apart(own & question.inside, question.inside)
        values = dict(zip(groups.names.tolist(), groups.values.tolist(), strict=True))
        if not math.isfinite(values.get(0, math.nan)):
            continue
        p = upper_tail(float(question.distances(groups, np.array([0]))[0]))
        named, text = {f.name: f.meant[place] for f, place in where}, " and ".join(f.said[place] for f, place in where)
        rest = values.get(1, math.nan)
        made.append(Slice(named, text, int(groups.sizes[0]), groups.interval(0, level), rest, p, one.alike))
    return made
