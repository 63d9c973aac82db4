"""Evaluations side by side: one column each, the best of each row marked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from .algebra.average import ALIASES, Name
from .algebra.frames import free_name, to_pandas, to_polars
from .algebra.group_scores import GroupedScore
from .algebra.measure import Measure
from .algebra.score import PLURALS, Score, Undefined
from .algebra.wording import series, treatment
from .catalogue.matrix import MatrixMeasure
from .common_classes import on_all_classes
from .evaluation import Evaluation
from .report.best_cells import Best, embolden_best, star_best
from .report.grid import grid, label, markdown, show
from .selection import Selection, score, select_scores, title
from .theory.result.odd_labels import describe_foreign_labels, describe_missing_texts

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from .differences import Asked
    from .inference.agreement import Agreement
    from .inference.conclusions import Conclusions
    from .inference.difference import Difference
    from .inference.interval import Interval
    from .joint_evaluation import Joint
    from .scores.areas import Area
    from .theory.result.pareto import Pareto


FEW = 3  # differences with the same note that are named


@dataclass(frozen=True)
class Row:
    """One score of every evaluation, and which of these values are best."""

    name: str
    values: tuple[Any, ...]  # floats; None where an evaluation does not have this score
    better: str = "higher"
    key: tuple[Any, Any] | None = None  # the measure and the average, where they are known
    intervals: tuple[Interval | None, ...] = ()  # of the values, where they were asked for

    @property
    def best(self) -> tuple[bool, ...]:
        """Whether each value is the best; all False if all are equal or cannot be ranked.

        They cannot be ranked if no direction is better, or if the values are means over different units.
        """
        return (False,) * len(self.values) if self.mixes_units() else self._mark_best(self.values)

    def _mark_best(self, values: Sequence[Any]) -> tuple[bool, ...]:
        known = [float(v) for v in values if _has_value(v)]
        if self.better == "neither" or len(set(known)) < 2:
            return (False,) * len(values)
        top = max(known) if self.better == "higher" else min(known)
        return tuple(v is not None and float(v) == top for v in values)

    def mixes_units(self) -> bool:
        """Return whether the values are means over different units: others were undefined in each.

        Returns
        -------
        bool
            True only if undefined units are left out of the mean, which is undefined="exclude".

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].mixes_units()
        True
        """
        return len({_left_out(v) for v in self.values if _has_value(v)}) > 1

    def best_under(self, undefined: Undefined) -> tuple[bool, ...]:
        """Return which values would be the best under another convention for undefined values.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude', a number or 'nan'.

        Returns
        -------
        tuple of bool
            One flag for each value; all False if all are equal or no direction is better.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].best_under(0)
        (True, False)
        """
        return self._mark_best(self.values_under(undefined))

    def values_under(self, undefined: Undefined) -> tuple[Any, ...]:
        """Return the values under another convention for undefined values.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude', a number or 'nan'.

        Returns
        -------
        tuple
            A number for each evaluation; None where it does not have this score.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].values_under(0)
        (1.0, 0.5)
        """
        return tuple(v.under(undefined) if isinstance(v, Score) else v for v in self.values)

    @property
    def ranks(self) -> tuple[float, ...]:
        """The place of each value, 1 for the best.

        Equal values share the mean of their places; a missing one has nan.
        """
        sign = -1 if self.better == "lower" else 1
        known = [sign * float(v) for v in self.values if _has_value(v)]
        places = {x: sum(y > x for y in known) + (known.count(x) + 1) / 2 for x in known}
        ranked = self.better != "neither" and not self.mixes_units()
        return tuple(places[sign * float(v)] if ranked and _has_value(v) else math.nan for v in self.values)

    @property
    def cells(self) -> tuple[Any, ...]:
        """The name and the values as they are shown, the best ones marked."""
        texts = ["" if v is None else show(float(v)) for v in self.values]
        ends = ("" if i is None or math.isnan(i.low) else f" [{show(i.low)}, {show(i.high)}]" for i in self.intervals)
        texts = [text + more for text, more in zip(texts, ends, strict=True)] if self.intervals else texts
        return (self.name, *(Best(text) if best else text for text, best in zip(texts, self.best, strict=True)))


def _has_value(value: Any) -> bool:
    return value is not None and not math.isnan(value)


def _left_out(score: Any) -> Any:
    """Return what the mean of a score leaves out: names of units, or how many examples."""
    if not isinstance(score, Score) or score.undefined != "exclude":
        return frozenset()
    if isinstance(score, GroupedScore):
        inside = zip(score.counts.names[0], map(_left_out, score.parts), strict=True)
        return frozenset((name, left_out) for name, left_out in inside if left_out)
    if "example" in score.counts.per:
        return score.lost_count or frozenset()
    return frozenset(score.lost)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Scores (rows) of several evaluations (columns); printing it marks the best of each row with a star.

    Attributes
    ----------
    names : tuple of str
        The names of the evaluations.
    rows : tuple of Row
        Each has a ``name``, the ``values`` of the evaluations, and which of them are ``best``.
    doubts : tuple of str
        Sentences on what makes the columns hard to compare; often empty.
    undefined : str or number
        What an undefined value does.
    groups : dict
        For each axis of ``by=``, the rows within each of its groups.
    left_out : tuple of str
        Sentences on what is shown only if it is named.
    differences : tuple of Difference
        For each row the differences between the classifiers, tested; empty if they were not asked for.
    joint : Joint or None
        The classifiers counted together, if they were compared on the same examples. It adds and saves.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a", "b", "b", "c"]
    >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b", "a"])], "f1", ["micro", "macro"])
    >>> both.names, [(row.name, row.best) for row in both.rows]
    (('1', '2'), [('micro f1', (True, False)), ('macro f1', (True, False))])
    """

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    doubts: tuple[str, ...] = ()
    undefined: Undefined = "exclude"
    groups: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)  # of the axes in by=
    left_out: tuple[str, ...] = ()  # sentences on what is shown only if it is named
    differences: tuple[Difference, ...] = ()
    joint: Joint | None = None

    @property
    def notes(self) -> list[str]:
        """Which rows have undefined values, what was done with them, and what is not shown."""
        lost = [row.name for row in self.rows if any(v is not None and v.has_undefined() for v in row.values)]
        about = [f"Undefined values are {treatment(self.undefined)}: in {', '.join(lost)}."] if lost else []
        return [*about, *self.left_out]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the names of the scores, then the values of each evaluation.

        Returns
        -------
        dict
            A list for each column; nan where there is no value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.compare({"lr": ix.evaluate(["a", "b"], ["a", "b"])}, "f1", "macro").to_dict()
        {'score': ['macro f1'], 'lr': [1.0]}
        """
        every = [*self.rows, *(row for rows in self.groups.values() for row in rows)]
        columns: dict[str, list[Any]] = {free_name("score", self.names): [row.name for row in every]}
        values = zip(*(row.values for row in every), strict=True)
        columns |= {n: [math.nan if v is None else float(v) for v in x] for n, x in zip(self.names, values, strict=True)}
        return columns | self._interval_columns(every) | self._difference_columns(every)

    def _interval_columns(self, rows: Sequence[Row]) -> dict[str, list[float]]:
        """Return the ends of the intervals of each classifier, if there are any."""
        if not any(row.intervals for row in rows):
            return {}
        return {
            f"{name} {end}": [getattr(row.intervals[k], end, math.nan) if row.intervals else math.nan for row in rows]
            for k, name in enumerate(self.names)
            for end in ("low", "high")
        }

    def _difference_columns(self, rows: Sequence[Row]) -> dict[str, list[Any]]:
        """Return the difference of each pair of classifiers with its interval, p-values and test."""
        found = {(d.score, d.first, d.second): d for d in self.differences}
        found |= {(d.score, d.second, d.first): d.reverse() for d in self.differences}
        shown = {(d.first, d.second) for d in self.differences}
        pairs = [(b, a) for a, b in combinations(self.names, 2) if (a, b) in shown or (b, a) in shown]
        columns: dict[str, list[Any]] = {}
        for a, b in pairs:
            some = [found.get((row.name, a, b)) for row in rows]
            columns[f"{a} - {b}"] = [math.nan if d is None else d.value for d in some]
            for name in ("low", "high", "p", "adjusted"):
                columns[f"{a} - {b} {name}"] = [math.nan if d is None else getattr(d, name) for d in some]
            columns[f"{a} - {b} test"] = ["" if d is None else d.method for d in some]
        return columns

    def probability(self, score: str, first: str, second: str, *, seed: int | None = None, draws: int = 2000) -> float:
        """Return the probability that one classifier has a better score than another, given these examples.

        It is the share of draws from the posterior in which the first is better. The prior is one example about which they
        disagree; examples count as independent. Of label matrices only sums are kept, so their draws are normal.

        Parameters
        ----------
        score : str
            The name of a row, such as "macro f1".
        first, second : str
            The names of two classifiers.
        seed : int, optional
            Where random draws start; the same seed gives the same probability. Left out: 0.
        draws : int, default 2000
            How many draws there are.

        Returns
        -------
        float
            Between 0 and 1.

        Examples
        --------
        >>> import indicatrix as ix
        >>> both = ix.compare([0, 1] * 50, {"lr": [0, 1, 1, 0] * 25, "rf": [0, 1, 0, 0] * 25}, "f1", "macro")
        >>> both.probability("macro f1", "rf", "lr") > 0.99
        True
        """
        from .differences import make_contrast, probability

        rows = {row.name: row for row in self.rows}
        for name, known, what in ((score, [*rows], "score"), (first, self.names, "name"), (second, self.names, "name")):
            if name not in known:
                raise ValueError(f"There is no {what} {name!r} in this comparison; there are {', '.join(known)}.")
        if self.joint is None:
            raise ValueError("Separate evaluations do not show which examples both got right. Compare the labels.")
        contrast = make_contrast(self.joint, rows[score], self.names.index(first), self.names.index(second))
        return probability(contrast, rows[score].better, seed, draws)

    def _sentences(self) -> list[str]:
        """Return the differences to the best of each row, or to the baseline, one line each; then the notes."""
        of_row: dict[str, list[Difference]] = {}
        for d in self.differences:
            of_row.setdefault(d.score, []).append(d)
        shown = [d for some in of_row.values() for d in some[: len(self.names) - 1]]  # those to the best come first
        notes: dict[str, list[str]] = {}
        for d in shown:
            if d.note:
                notes.setdefault(d.note, []).append(f"{d.score} of {d.first} and {d.second}")
        told = (f"{series(what) if len(what) <= FEW else f'{len(what)} differences'}: {note}" for note, what in notes.items())
        return ["\n".join([*map(str, shown), *told])] if shown else []

    to_pandas, to_polars = to_pandas, to_polars

    def agreement(self) -> Agreement:
        """Return how far the scores agree on the order of the evaluations: Kendall's tau and reversals.

        Losses are turned, so that 1 means the same order from best to worst. Ties are handled as in tau-b.

        Returns
        -------
        Agreement
            ``.taus``, ``.tau(one, other)`` and ``.reversals``, the most contradictory first; printing it gives sentences.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a"] * 8 + ["b"] * 2
        >>> lr, rf = ix.evaluate(y, ["a"] * 10), ix.evaluate(y, ["a"] * 5 + ["b"] * 5)
        >>> print(ix.compare({"lr": lr, "rf": rf}, "recall", ["micro", "macro"]).agreement())
        Which of lr and rf is better depends on the score: 1 of 1 pair of scores disagree.
        micro recall and macro recall: lr beats rf by micro recall, but rf beats lr by macro recall.
        """
        from .inference.agreement import agreement

        return agreement(self.names, self.rows, doubts_about_units(self.names, self.rows, {}))

    def pareto(self) -> Pareto:
        """Return the evaluations that no other dominates: at least as good by every score, and better by one.

        Scores of which neither more nor less is better do not count. ``ix.pareto`` compares with exact numbers.

        Returns
        -------
        Pareto
            ``.front`` and ``.dominated``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare({"lr": ix.evaluate(y, y), "rf": ix.evaluate(y, ["a", "b", "b", "a"])}, "f1", ["micro", "macro"])
        >>> print(both.pareto())
        not dominated: lr
        rf is dominated by lr
        """
        from .inference.order import places
        from .theory.result.pareto import front_of

        rows = [row for row in self.rows if row.better != "neither"]
        holes = [f"{row.name} of {n!r}" for row in rows for n, v in zip(self.names, row.values, strict=True) if not _has_value(v)]
        if holes:
            raise ValueError(f"Undefined: {', '.join(holes)}. Compare with undefined= a number, such as 0, or leave them out.")
        scores = {name: {row.name: row.values[i] for row in rows} for i, name in enumerate(self.names)}
        return front_of(scores, [places(row.values, row.better) for row in rows])

    def sensitivity(self, conventions: Iterable[Undefined] = ("exclude", 0, 1)) -> Conclusions:
        """Return which conclusions change with the convention for undefined values, or with the average.

        A conclusion is which evaluation is best, and which of two is better. ``Score.sensitivity`` is about one score.

        Parameters
        ----------
        conventions : iterable of str or number, default ('exclude', 0, 1)
            What undefined values may do.

        Returns
        -------
        Conclusions
            ``.by_convention``, ``.by_average`` and ``.changing``; printing it names what changes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a"] * 8 + ["b"] * 2
        >>> lr, rf = ix.evaluate(y, ["a"] * 10), ix.evaluate(y, ["a"] * 5 + ["b"] * 5)
        >>> print(ix.compare({"lr": lr, "rf": rf}, ["recall", "precision"], ["micro", "macro"]).sensitivity())
        macro precision: lr is best if undefined values are excluded or counted as 1, rf if they are counted as 0.
        recall: lr is best by micro recall, rf by macro recall.
        """
        from .inference.conclusions import conclusions

        return conclusions(self.names, self.rows, conventions)

    def markdown(self) -> str:
        """Return the comparison in Markdown, the best of each row bold.

        Returns
        -------
        str
            Tables, then doubts and notes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.compare({"lr": ix.evaluate(["a", "b"], ["a", "b"])}, "f1", "macro").markdown())
        |  | lr |
        | --- | ---: |
        | macro f1 | 1.000 |
        """
        header = ("", *map(label, self.names))
        tables = (markdown([header, *embolden_best([row.cells for row in rows])], left=1) for rows in self._tables())
        listed = ["\n".join(f"- {line}" for line in text.split("\n")) for text in self._sentences()]
        return "\n\n".join([*tables, *listed, *self.doubts, *self.notes])

    def _tables(self) -> tuple[tuple[Row, ...], ...]:
        return (self.rows, *self.groups.values())

    def __str__(self) -> str:
        header = ("", *map(label, self.names))
        tables = (star_best([header, *(row.cells for row in rows)]) for rows in self._tables())
        return "\n\n".join([*("\n".join(grid(t[0], t[1:])) for t in tables), *self._sentences(), *self.doubts, *self.notes])

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.rows)} scores of {', '.join(self.names)}>"


def compare(
    y_true: Any,
    predictions: Any = None,
    measures: Any = None,
    averages: Any = None,
    *,
    undefined: Undefined = "exclude",
    by: Any = (),
    baseline: str | None = None,
    level: float | None = None,
    method: str | None = None,
    margin: float | None = None,
    correction: str | None = "holm",
    seed: int | None = None,
    clusters: str | None = None,
    **options: Any,
) -> Comparison:
    """Return the scores of several classifiers side by side, the best marked, differences tested.

    ``ix.compare(y_true, {"lr": a, "rf": b}, measures, averages)`` compares predictions for the same examples: every score has an
    interval, and every difference an interval and a test that knows in which examples the classifiers disagree.
    ``ix.compare({"lr": ev1, "rf": ev2}, measures, averages)`` shows separate evaluations; their differences are tested if you
    give level=, baseline=, method=, margin= or clusters=, as unpaired ones, which are less sharp.

    Parameters
    ----------
    y_true : array-like, Joint, or mapping or iterable of Evaluation
        The true labels, as ``evaluate`` takes them; or what ``ix.joint`` made; or evaluations by name,
        ``{"lr": ev1, "rf": ev2}``, or in a list, which gives them the names 1, 2, … If classes differ, all are counted on the
        classes of all.
    predictions : mapping
        The predictions of each classifier by name, ``{"lr": a, "rf": b}``. If evaluations or a joint come first, leave it out:
        measures and averages then follow.
    measures : str, Measure, Area or iterable, optional
        Measures, their names, or formulas. Left out: those of the report. Areas such as "auc" take predictions that are scores.
    averages : str or iterable, optional
        Averages. Left out: those of the report that all evaluations have; if measures are left out as well, the first two
        of these.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude', a number, 'nan' or 'raise'.
    by : str, iterable of str or mapping, optional
        The same scores are also compared within each group: names of ``by`` axes of the evaluations, or with labels the groupings
        themselves, ``{"site": ids}``. Differences are tested for all examples together.
    baseline : str, optional
        The classifier with which the others are compared. Left out: all pairs are tested, and those with the best are printed.
    level : float, optional
        The level of intervals, and 1 less the level of tests. Left out: 0.95.
    method : str, optional
        The test. Left out: "mcnemar_mid_p" for shares of right answers such as accuracy and recall, "delong" for AUC, "posterior"
        for functions of the whole matrix, formulas with min or max and unbounded measures, "delta" for all others; "mcnemar" or
        "permutation" if fewer than 10 examples make a difference. On request also "bootstrap".
    margin : float, optional
        A difference that does not matter: whether one is not worse by more than it, and whether two are equivalent within it.
    correction : str or None, default 'holm'
        How p-values are adjusted for the number of tests: "holm", "bh" (Benjamini and Hochberg) or None.
    seed : int, optional
        Where random draws start; the same seed gives the same result. Left out: 0.
    clusters : str, optional
        A ``by`` axis whose groups were sampled as a whole, such as patients with several images each. Left out: every example
        counts as independent.
    **options
        With labels: what ``evaluate`` takes, such as classes=, positive=, decide=, mask=, sample_weight=, missing=.

    Returns
    -------
    Comparison
        One row for each score, one column for each classifier. ``doubts`` says what makes them hard to compare.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a", "b", "b", "c"]
    >>> lr, tree = ix.evaluate(y, ["a", "b", "c", "c"]), ix.evaluate(y, ["a", "b", "b", "a"])
    >>> print(ix.compare({"lr": lr, "tree": tree}, "f1", "macro"))
                 lr    tree
    macro f1  0.778*  0.556
    >>> y = [0, 1, 2, 1] * 40
    >>> print(ix.compare(y, {"lr": [0, 1, 1, 0] * 40, "rf": [0, 1, 2, 2] * 40}, "f1", "macro"))
                                lr                    rf
    macro f1  0.389 [0.338, 0.445]  0.778 [0.717, 0.831]*
    <BLANKLINE>
    rf has a higher macro f1 than lr by 0.389 [0.341, 0.437] (paired delta, p < 0.0001).
    """
    if isinstance(measures, Evaluation) or isinstance(predictions, Evaluation):
        raise TypeError(
            "compare() takes all evaluations as one argument: put them in a list, ix.compare([ev1, ev2]), or in a dictionary "
            "with names, ix.compare({'lr': ev1, 'tree': ev2})."
        )
    tests = (baseline, level, method, margin, clusters)
    if isinstance(predictions, Mapping):
        from .joint_evaluation import joint

        areas, others = _split_areas(measures)
        grouped = {"by": by} if by else {}
        counted = joint(y_true, predictions, labels=bool(others) or not areas, scores=bool(areas), **grouped, **options)
        return _compare_joint(counted, measures, averages, undefined, tuple(by), _asked(tests, correction, seed))
    if options:
        raise TypeError(f"{next(iter(options))}= is about labels, and these are counted already. Leave it out.")
    if predictions is not None:  # what is counted already comes first, then measures and averages
        measures, averages = predictions, averages if measures is None else measures
    from .joint_evaluation import Joint

    if isinstance(y_true, Joint):
        return _compare_joint(y_true, measures, averages, undefined, by, _asked(tests, correction, seed))
    named = _name_evaluations(y_true)
    made = _compare_evaluations(named, measures, averages, undefined, by)
    if tests == (None,) * 5:
        return made
    from .differences import UNPAIRED, unpaired_differences

    asked, aligned = _asked(tests, correction, seed), on_all_classes([*named.values()], [*named])
    asked.check(made.names)
    found = unpaired_differences(made.names, aligned, made.rows, asked)
    return replace(made, differences=found, doubts=(*made.doubts, UNPAIRED))


def _asked(tests: tuple[Any, ...], correction: str | None, seed: int | None) -> Asked:
    from .differences import Asked

    baseline, level, method, margin, clusters = tests
    return Asked(baseline, 0.95 if level is None else level, method, margin, correction, seed, clusters)


def _compare_evaluations(named: Mapping[str, Evaluation], measures: Any, averages: Any, undefined: Any, by: Any) -> Comparison:
    """Return the scores of evaluations, on the classes of all."""
    aligned = on_all_classes([*named.values()], [*named])
    given = _several(measures, str | Measure | MatrixMeasure)
    selection = select_scores(aligned, given, _usual_names(averages))
    selection = selection if given or averages else selection.shortened()
    rows = tuple(_score_rows(aligned, selection, undefined))
    groups = {axis: tuple(_group_rows(aligned, axis, selection, undefined)) for axis in _several(by, str)}
    about = (describe_foreign_labels, describe_missing_texts)
    odd = filter(None, (describe(ev, name) for describe in about for name, ev in named.items()))
    doubted = (*doubts(aligned), *_about_hidden(named), *odd, *doubts_about_units(tuple(named), rows, groups))
    return Comparison(tuple(named), rows, doubted, undefined, groups, left_out=(*selection.notes,))


def _compare_joint(joint: Joint, measures: Any, averages: Any, undefined: Any, by: Any, asked: Asked) -> Comparison:
    """Return the scores of classifiers on the same examples, with intervals and tested differences."""
    from .differences import intervals_of, paired_differences

    asked.check(joint.names)
    if asked.clusters is not None and joint.evaluations:
        joint.evaluations[0].tally.sizes_of(asked.clusters)  # refuses what is not a grouping
    areas, others = _split_areas(measures)
    made = Comparison(joint.names, (), (), undefined)
    if others or not areas:
        made = _compare_evaluations(dict(zip(joint.names, joint.evaluations, strict=True)), others, averages, undefined, by)
    found = [*made.rows, *_area_rows(joint, areas, _usual_names(averages), undefined)]
    rows = tuple(replace(row, intervals=intervals_of(joint, *row.key, undefined, asked)) for row in found if row.key)
    return replace(made, rows=rows, differences=paired_differences(joint, rows, asked), joint=joint)


def _several(given: Any, one: Any) -> tuple[Any, ...]:
    return (given,) if isinstance(given, one) else tuple(given or ())


def _usual_names(averages: Any) -> list[Any]:
    return [ALIASES.get(a, a) if isinstance(a, str) else a for a in _several(averages, str)]


def _split_areas(measures: Any) -> tuple[list[Area], list[Any]]:
    """Return the areas of scores among some measures, and the others."""
    from .scores.areas import Area, find_area

    given = [(m, find_area(m)) for m in _several(measures, str | Measure | MatrixMeasure | Area)]
    return [area for _, area in given if area is not None], [m for m, area in given if area is None]


def _area_rows(joint: Joint, areas: Sequence[Area], averages: Sequence[Name], undefined: Any) -> list[Row]:
    """Return the areas of each classifier; without an average, that of the only ranking or the macro one."""
    if areas and not joint.sweeps:
        raise ValueError(f"{areas[0]} needs the scores of each example. Give scores=True to ix.joint.")
    rows = []
    for area in areas:
        for average in averages or ["macro" if joint.sweeps[0].positive is None else None]:  # type: ignore[list-item]
            values = tuple(area.score(swept, average, undefined) for swept in joint.sweeps)
            rows.append(Row(title(area, values[0].average), values, area.better, (area, average)))
    return rows


def _name_evaluations(evaluations: Any) -> dict[str, Evaluation]:
    if isinstance(evaluations, Evaluation):
        evaluations = [evaluations]
    if isinstance(evaluations, str) or not isinstance(evaluations, Iterable):
        raise TypeError(_not_an_evaluation(f"this is {_in_plain_words(evaluations)}"))
    numbered = not isinstance(evaluations, Mapping)
    given = [*evaluations.items()] if isinstance(evaluations, Mapping) else [*enumerate(evaluations, 1)]
    for name, ev in given:
        if not isinstance(ev, Evaluation):
            where = f"item {name}" if numbered else f"{name!r}"
            raise TypeError(_not_an_evaluation(f"{where} is {_in_plain_words(ev)}"))
    if not given:
        raise ValueError("compare() needs at least one evaluation.")
    named = {str(name): ev for name, ev in given}
    if len(named) < len(given):
        raise ValueError("compare() takes every name only once; names are compared as text, so 1 and '1' are the same.")
    return named


def _not_an_evaluation(what: str) -> str:
    return (
        f"compare() takes evaluations, but {what}. "
        "Evaluate first: ix.compare({'a': ix.evaluate(y_true, a), 'b': ix.evaluate(y_true, b)}). "
        "Or compare labels: ix.compare(y_true, {'a': a, 'b': b})."
    )


def _in_plain_words(x: Any) -> str:
    """Return what an object is, for readers who do not know the names of types.

    >>> _in_plain_words("ant"), _in_plain_words(True), _in_plain_words([1, 2]), _in_plain_words(len)
    ('text', 'True or False', 'a list', 'an object of type builtin_function_or_method')
    """
    if x is None:
        return "None"
    for types, words in PLAIN_WORDS:
        if isinstance(x, types):
            return words
    return f"an object of type {type(x).__name__}"


PLAIN_WORDS: tuple[tuple[Any, str], ...] = (
    (str, "text"),
    ((bool, np.bool_), "True or False"),
    ((int, float, np.number), "a number"),
    (list, "a list"),
    (tuple, "a tuple"),
    (Mapping, "a dictionary"),
    (np.ndarray, "a NumPy array"),
)


def _score_rows(evaluations: Sequence[Evaluation], selection: Selection, undefined: Any) -> list[Row]:
    """Return the selected scores of every evaluation, average after average."""
    keys = sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    return [Row(title(m, a), tuple(score(ev, m, a, undefined) for ev in evaluations), m.better, (m, a)) for m, a in keys]


def _group_rows(evaluations: Sequence[Evaluation], axis: str, selection: Selection, undefined: Any) -> list[Row]:
    """Return the selected scores within each group of an axis."""
    split = [ev.split(axis) for ev in evaluations]
    rows = []
    for group in dict.fromkeys(name for groups in split for name in groups):
        for m, a in selection.keys:
            if axis not in (a if isinstance(a, tuple) else (a,)):
                values = tuple(None if group not in groups else score(groups[group], m, a, undefined) for groups in split)
                rows.append(Row(f"{axis} {group}: {title(m, a)}", values, m.better))
    return rows


def doubts(evaluations: Sequence[Evaluation], what: str = "evaluations") -> list[str]:
    """Return what makes evaluations hard to compare: other examples, or counts of other things."""
    return [*_about_other_examples(evaluations, what), *_about_other_meanings(evaluations, what)]


def _about_other_examples(evaluations: Sequence[Evaluation], what: str) -> list[str]:
    sizes = [ev.n for ev in evaluations]
    if len(set(sizes)) > 1:
        return [f"The {what} have different numbers of examples: {', '.join(f'{n:,}' for n in sizes)}. Compare them with care."]
    actual = [dict(zip(ev.classes, ev.aggregate("class").tpos.tolist(), strict=True)) for ev in evaluations]
    if any({c: n for c, n in one.items() if n} != {c: n for c, n in actual[0].items() if n} for one in actual):
        return [f"The {what} have different numbers of true labels per class, so they are not about the same examples."]
    return []


def _about_other_meanings(evaluations: Sequence[Evaluation], what: str) -> list[str]:
    found = []
    if len({ev.kind for ev in evaluations}) > 1 or any(ev.made.meaning != evaluations[0].made.meaning for ev in evaluations):
        how = (", ".join([ev.kind, *(f"{k} {v}" for k, v in ev.made.in_words().items())]) for ev in evaluations)
        found.append(f"The {what} count different things: {'; '.join(how)}.")
    if len({repr(ev.positive) for ev in evaluations}) > 1:
        found.append(f"The {what} have different positive classes: {', '.join(repr(ev.positive) for ev in evaluations)}.")
    return found


def _about_hidden(named: Mapping[str, Evaluation]) -> list[str]:
    unseen = {name: (ev.tally.hidden or (0, 0))[0] for name, ev in named.items()}
    return [f"Nothing was observed of {k:,} of {named[name].n:,} examples of {name}." for name, k in unseen.items() if k]


def doubts_about_units(names: Sequence[str], rows: Sequence[Row], groups: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return which means are over different units, because other units are undefined in each.

    Rows for which the same is true share a sentence. The rows of groups are only counted.
    """
    same: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.mixes_units():
            same.setdefault((_what_is_left_out(names, row), _consequence(names, row)), []).append(row.name)
    found = [f"{series(titles)}: {what}, {so}." for (what, so), titles in same.items()]
    for axis, some in groups.items():
        if mixed := [row.name for row in some if row.mixes_units()]:
            found.append(
                f"In {len(mixed)} of {len(some)} rows of the groups of {axis}, such as {mixed[0]}, the columns average over "
                "different units, because undefined values are left out; these rows have no star."
            )
    return found


def _what_is_left_out(names: Sequence[str], row: Row) -> str:
    each = zip(names, row.values, strict=True)
    return series([f"{name} leaves out {v.lost_in_words()}" for name, v in each if _has_value(v) and _left_out(v)])


def _consequence(names: Sequence[str], row: Row) -> str:
    """Return what the columns average over, and which of them is best if undefined values count as 0."""
    per = next(v.counts.per for v in row.values if _has_value(v) and _left_out(v))
    so = f"so the columns average over different {PLURALS.get(per[-1], 'units')}"
    best = [name for name, top in zip(names, row.best_under(0), strict=True) if top]
    if best:
        return f"{so}; with undefined=0 the best {'is' if len(best) == 1 else 'are'} {series(best)}"
    return so if row.better == "neither" else f"{so}; with undefined=0 they are equal"
