"""Evaluations side by side: one column each, the best of each row marked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .algebra.average import ALIASES, Name
from .algebra.frames import free_name, to_pandas, to_polars
from .algebra.group_scores import GroupedScore
from .algebra.measure import Measure
from .algebra.score import PLURALS, Score, Undefined
from .algebra.wording import series, treatment
from .catalogue.matrix import MatrixMeasure
from .encode.vocabulary import family_of, vocabulary
from .evaluation import Evaluation
from .report.best_cells import Best, embolden_best, star_best
from .report.grid import grid, label, markdown, show
from .selection import Selection, score, select_scores, title


@dataclass(frozen=True)
class Row:
    """One score of every evaluation, and which of these values are best."""

    name: str
    values: tuple[Any, ...]  # floats; None where an evaluation does not have this score
    better: str = "higher"

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
        return self._mark_best([v.under(undefined) if isinstance(v, Score) else v for v in self.values])

    @property
    def cells(self) -> tuple[Any, ...]:
        """The name and the values as they are shown, the best ones marked."""
        texts = ["" if v is None else show(float(v)) for v in self.values]
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

    @property
    def notes(self) -> list[str]:
        """Which rows have undefined values, and what was done with them."""
        lost = [row.name for row in self.rows if any(v is not None and v.has_undefined() for v in row.values)]
        return [f"Undefined values are {treatment(self.undefined)}: in {', '.join(lost)}."] if lost else []

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
        columns = {free_name("score", self.names): [row.name for row in every]}
        values = zip(*(row.values for row in every), strict=True)
        return columns | {n: [math.nan if v is None else float(v) for v in x] for n, x in zip(self.names, values, strict=True)}

    to_pandas, to_polars = to_pandas, to_polars

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
        return "\n\n".join([*tables, *self.doubts, *self.notes])

    def _tables(self) -> tuple[tuple[Row, ...], ...]:
        return (self.rows, *self.groups.values())

    def __str__(self) -> str:
        header = ("", *map(label, self.names))
        tables = (star_best([header, *(row.cells for row in rows)]) for rows in self._tables())
        return "\n\n".join([*("\n".join(grid(t[0], t[1:])) for t in tables), *self.doubts, *self.notes])

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.rows)} scores of {', '.join(self.names)}>"


def compare(
    evaluations: Mapping[Any, Evaluation] | Iterable[Evaluation],
    measures: str | Measure | MatrixMeasure | Iterable[Any] | None = None,
    averages: str | Iterable[Name] | None = None,
    *,
    undefined: Undefined = "exclude",
    by: str | Iterable[str] = (),
) -> Comparison:
    """Return the scores of several evaluations side by side, the best of each row marked.

    Parameters
    ----------
    evaluations : mapping or iterable of Evaluation
        Evaluations by name, ``{"lr": ev1, "tree": ev2}``, or in a list; a list gives them the names 1, 2, …
        If their classes differ, all of them are counted on the classes of all.
    measures : str, Measure or iterable, optional
        Measures, their names, or formulas. Left out: those of the report.
    averages : str or iterable, optional
        Averages. Left out: those of the report that all evaluations have.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude', a number, 'nan' or 'raise'.
    by : str or iterable of str, optional
        A ``by`` axis of the evaluations, or several: the same scores are also compared within each group.

    Returns
    -------
    Comparison
        One row for each score, one column for each evaluation. ``doubts`` says what makes them hard to compare.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a", "b", "b", "c"]
    >>> lr, tree = ix.evaluate(y, ["a", "b", "c", "c"]), ix.evaluate(y, ["a", "b", "b", "a"])
    >>> print(ix.compare({"lr": lr, "tree": tree}, "f1", "macro"))
                 lr    tree
    macro f1  0.778*  0.556
    """
    if isinstance(measures, Evaluation):
        raise TypeError(
            "compare() takes all evaluations as one argument: put them in a list, ix.compare([ev1, ev2]), or in a dictionary "
            "with names, ix.compare({'lr': ev1, 'tree': ev2})."
        )
    named = _name_evaluations(evaluations)
    aligned = on_all_classes([*named.values()], [*named])
    measures = (measures,) if isinstance(measures, str | Measure | MatrixMeasure) else tuple(measures or ())
    averages = (averages,) if isinstance(averages, str) else tuple(averages or ())
    usual = [ALIASES.get(a, a) if isinstance(a, str) else a for a in averages]
    selection = select_scores(aligned, measures, usual)
    axes = (by,) if isinstance(by, str) else tuple(by)
    rows = tuple(_score_rows(aligned, selection, undefined))
    groups = {axis: tuple(_group_rows(aligned, axis, selection, undefined)) for axis in axes}
    doubted = (*doubts(aligned), *_about_hidden(named), *doubts_about_units(tuple(named), rows, groups))
    return Comparison(tuple(named), rows, doubted, undefined, groups)


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
        "Evaluate first: ix.compare({'a': ix.evaluate(y_true, a), 'b': ix.evaluate(y_true, b)})."
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


def on_all_classes(evaluations: Sequence[Evaluation], names: Sequence[str], what: str = "evaluations") -> list[Evaluation]:
    """Return the evaluations on the classes of all of them, so that macro averages are comparable.

    Classes that one of them has in full keep its order. Errors use the names, and ``what`` they are names of.
    """
    sets = sorted({ev.classes for ev in evaluations}, key=len, reverse=True)
    if len({frozenset(s) for s in sets}) < 2:
        return [*evaluations]
    every = {c for s in sets for c in s}
    if len({family_of(type(c)) for c in every}) > 1:
        each = zip(names, evaluations, strict=True)
        types = ", ".join(f"{name}: {family_of(type(ev.classes[0]))}" for name, ev in each if ev.classes)
        raise ValueError(
            f"These {what} have labels of different types and cannot be compared ({types}). Use one type of label in all {what}."
        )
    classes = next((s for s in sets if set(s) == every), None) or vocabulary(every, "classes")
    return [ev if ev.kind == "counts" else on_classes(ev, classes) for ev in evaluations]


def on_classes(ev: Evaluation, classes: tuple[Any, ...], meaning: Mapping[Any, Any] | None = None) -> Evaluation:
    """Return the evaluation on these classes, which include its own; further classes have no examples.

    ``meaning`` gives its own classes other names.
    """
    own = ev.classes if meaning is None else tuple(meaning[c] for c in ev.classes)
    return replace(ev, tally=ev.tally.on_classes(classes, own))


def _score_rows(evaluations: Sequence[Evaluation], selection: Selection, undefined: Any) -> list[Row]:
    """Return the selected scores of every evaluation, average after average."""
    keys = sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    return [Row(title(m, a), tuple(score(ev, m, a, undefined) for ev in evaluations), m.better) for m, a in keys]


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
