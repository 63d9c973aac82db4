"""Evaluations side by side: one column each, the best of each row marked."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..algebra.derived.derived_facts import SIGNS, needed_direction
from ..algebra.measure_names import shown_name
from ..algebra.score import Undefined
from ..algebra.values import free_name, to_pandas, to_polars
from ..report.grid import labels
from ..report.table_forms import Label, Table, columns_as_csv, escape_markdown
from ..report.text import treatment_of
from ..storage.formats import save, to_data
from ..words.call_mistakes import answers_mistakes
from ..words.wording import number_of, series
from .row import Row, doubts_about_units, has_value, legend, pair_sentences

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from ..algebra.measure import Measure
    from ..evaluation import Evaluation
    from ..inference.order.agreement import RankAgreement
    from ..inference.order.conclusions import Conclusions
    from ..inference.paired.difference import Difference
    from ..theory.result.dominance import Pareto
    from .paired_counts import PairedCounts
    from .shown import ComparisonPlots

FEW = 3  # differences with the same note that are named

MOST_ROWS = 60  # of scores within the groups of an axis that are printed


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Several evaluations side by side: scores in rows, and the tested differences between them.

    Printing it marks a value with a star if a test shows that it is better than every other of its row.

    Attributes
    ----------
    names : tuple of str
        The names of the evaluations.
    rows : tuple of Row
        Each has a ``name``, the ``values`` of the evaluations, which of them are ``ahead``, and whether a test shows one of
        them to be the ``best``.
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
    joint : PairedCounts or None
        The classifiers counted together, if they were compared on the same examples. It adds and saves.
    evaluations : tuple of Evaluation
        The evaluation of each classifier, on the classes of all; none if only areas of scores are compared.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a", "b", "b", "c"]
    >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b", "a"])], "f1", ["micro", "macro"])
    >>> both.names, [(row.name, row.ahead) for row in both.rows]
    (('1', '2'), [('micro f1', (True, False)), ('macro f1', (True, False))])
    """

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    doubts: tuple[str, ...] = ()
    undefined: Undefined = "exclude"
    groups: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)  # of the axes in by=
    left_out: tuple[str, ...] = ()  # sentences on what is shown only if it is named
    differences: tuple[Difference, ...] = ()
    joint: PairedCounts | None = None
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def notes(self) -> list[str]:
        """Which rows have undefined values, what was done with them, and what is not shown."""
        lost = [row.name for row in self.rows if any(v is not None and v.has_undefined() for v in row.values)]
        how = treatment_of([v for row in self.rows for v in row.values], self.undefined)
        about = [f"Undefined values are {how}: in {', '.join(lost)}."] if lost else []
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
        drawn = ("probability",) if any(d.probability == d.probability for d in self.differences) else ()
        for a, b in pairs:
            some = [found.get((row.name, a, b)) for row in rows]
            columns[f"{a} - {b}"] = [math.nan if d is None else d.value for d in some]
            for name in ("low", "high", "p", "adjusted", *drawn):
                columns[f"{a} - {b} {name}"] = [math.nan if d is None else getattr(d, name) for d in some]
            columns[f"{a} - {b} test"] = ["" if d is None else d.method for d in some]
        return columns

    @property
    def plot(self) -> ComparisonPlots:
        """The plots: ``.plot.forest()`` of differences, ``.plot.ranks()`` and ``.plot.agreement()``."""
        from .shown import ComparisonPlots

        return ComparisonPlots(self)

    def probability(
        self, score: str, first: str, second: str, *, seed: int | None = None, draws: int = 2000, better: str | None = None
    ) -> float:
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
            Seed of the random draws; the same seed gives the same probability. Default: 0.
        draws : int, default 2000
            How many draws there are.
        better : str, optional
            "higher" or "lower", for a measure that does not say itself which of its values are better.

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
        score = score if score in rows else shown_name(score)
        for name, known, what in ((score, [*rows], "score"), (first, self.names, "name"), (second, self.names, "name")):
            if name not in known:
                raise ValueError(f"There is no {what} {name!r} in this comparison; there are {', '.join(known)}.")
        if self.joint is None:
            raise ValueError("Separate evaluations do not show which examples both got right. Compare the labels.")
        contrasted = rows[score].values[0].measure
        contrast = make_contrast(self.joint, rows[score], self.names.index(first), self.names.index(second))
        return probability(contrast, needed_direction(contrasted, better), seed, draws)

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence for each pair of classifiers on all scores, then notes on the tests.

        ``differences`` has the difference, the interval and the test of each score.
        """
        notes: dict[str, list[str]] = {}
        for d in self.differences:
            if d.note:
                notes.setdefault(d.note, []).append(f"{d.score} of {d.first} and {d.second}")
        told = (f"{series(what) if len(what) <= FEW else f'{len(what)} differences'}: {note}" for note, what in notes.items())
        return (*pair_sentences(self.differences), *told)

    def legend(self, mark: str = "star") -> str:
        """Return what a mark means, or why no value has one.

        Parameters
        ----------
        mark : str, default 'star'
            "star", or "bold" where that is the mark.

        Returns
        -------
        str
            One line; "" if no value can be better than another.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.compare([0, 1, 1], {"lr": [0, 1, 1], "rf": [0, 0, 1]}, "recall").legend()
        'No star: no test shows one to be better than the other.'
        """
        return legend(self.rows, self.names, self.differences, mark)

    to_pandas, to_polars = to_pandas, to_polars

    def agreement(self) -> RankAgreement:
        """Return how far the scores agree on the order of the evaluations: Kendall's tau and reversals.

        Losses are reversed, so that 1 means the same order from best to worst. Ties are handled as in tau-b.

        Returns
        -------
        RankAgreement
            ``.taus``, ``.tau(one, other)`` and ``.reversals``, the most contradictory first; printing it gives sentences.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a"] * 8 + ["b"] * 2
        >>> lr, rf = ix.evaluate(y, ["a"] * 10), ix.evaluate(y, ["a"] * 5 + ["b"] * 5)
        >>> print(ix.compare({"lr": lr, "rf": rf}, "recall", ["micro", "macro"]).agreement())
        Which of lr and rf is better depends on the score: 1 of 1 pair of scores disagree.
        micro recall and macro recall: lr is ahead of rf by micro recall, but rf is ahead of lr by macro recall.
        """
        from ..inference.order.agreement import agreement

        return agreement(self.names, self.rows, doubts_about_units(self.names, self.rows, {}))

    def pareto(self) -> Pareto:
        """Return the evaluations that no other dominates: at least as good by every score, and better by one.

        Scores that have no better direction do not count. ``ix.theory.pareto`` compares with exact numbers.

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
        from ..inference.order.agreement import places
        from ..theory.result.dominance import front_of

        rows = [row for row in self.rows if row.better in SIGNS]
        holes = [f"{row.name} of {n!r}" for row in rows for n, v in zip(self.names, row.values, strict=True) if not has_value(v)]
        if holes:
            raise ValueError(f"Undefined: {', '.join(holes)}. Compare with undefined= a number, such as 0, or leave them out.")
        scores = {name: {row.name: row.values[i] for row in rows} for i, name in enumerate(self.names)}
        return front_of(scores, [places(row.values, str(row.better)) for row in rows])

    def sensitivity(self, conventions: Iterable[Undefined] = ("exclude", 0, 1)) -> Conclusions:
        """Return which conclusions change with the convention for undefined values, or with the average.

        A conclusion is which evaluation is best, and which of every two is better; chance may explain it.
        ``Score.sensitivity`` is about one score.

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
        macro precision: lr is ahead if undefined values are excluded or counted as 1, rf if they are counted as 0.
        recall: lr is ahead by micro recall, rf by macro recall.
        """
        from ..inference.order.conclusions import conclusions

        return conclusions(self.names, self.rows, conventions)

    def markdown(self) -> str:
        """Return the comparison in Markdown; bold is what a test shows to be better than every other.

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
        listed = ["\n".join(f"- {escape_markdown(line)}" for line in self.sentences)] if self.sentences else []
        key = filter(None, [self.legend("bold")])
        said = map(escape_markdown, (*self.doubts, *self.notes))
        return "\n\n".join([*(table.markdown() for table in self._tables()), *key, *listed, *said])

    def latex(self) -> str:
        r"""Return the comparison as LaTeX tables for the package booktabs; what is best by a test is bold.

        Returns
        -------
        str
            Tables; the differences, doubts and notes follow as comments.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.compare({"a_1": ix.evaluate(["a", "b"], ["a", "b"])}, "f1", "macro").latex())
        \begin{tabular}{lr}
        \toprule
         & a\_1 \\
        \midrule
        macro f1 & 1.000 \\
        \bottomrule
        \end{tabular}
        """
        return "\n\n".join(table.latex() for table in self._with_remarks())

    def csv(self) -> str:
        """Return the columns of ``to_dict()`` as comma-separated values, with all digits.

        Returns
        -------
        str
            Lines that a spreadsheet opens; none of its cells is run as a formula.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.compare({"lr": ix.evaluate(["a", "b"], ["a", "b"])}, "f1", "macro").csv().splitlines()
        ['score,lr', 'macro f1,1.0']
        """
        return columns_as_csv(self.to_dict())

    def html(self) -> str:
        """Return the comparison as HTML tables, what is best by a test bold; differences, doubts, notes.

        Returns
        -------
        str
            A part of a page, without scripts, in the colors of the page.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.compare({"<lr>": ix.evaluate(["a", "b"], ["a", "b"])}, "f1", "macro").html().count("&lt;lr&gt;")
        1
        """
        return "".join(table.html() for table in self._with_remarks())

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        measures: Iterable[str | Measure] | None = None,
        averages: Iterable[str] | None = None,
        title: str = "Comparison",
    ) -> str | None:
        """Return the report page of the classifiers, or write it to a file: one HTML file that works offline.

        It shows the scores side by side with intervals, ranks and differences, any other measure and average, and which scores
        put the classifiers in opposite orders. It holds counts and class names, no raw rows.

        Parameters
        ----------
        path : str or path, optional
            The file to write. Default: no file; the page is returned as text.
        measures : iterable of str or Measure, optional
            The measures to show first. Default: those compared and those of the report. All others can be chosen in the page.
        averages : iterable of str, optional
            The averages. Default: those compared, and all that exist for every classifier.
        title : str, default 'Comparison'
            The title of the page.

        Returns
        -------
        str or None
            The page, if no file was named.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare({"lr": ix.evaluate(y, y), "rf": ix.evaluate(y, ["a", "b", "b", "a"])}, "f1", "macro")
        >>> both.to_html(title="Monday").startswith("<!DOCTYPE html>")
        True
        """
        from .shown import write_comparison_page

        return write_comparison_page(self, path, measures, averages, title)

    def __eq__(self, other: object) -> bool:
        """Return whether scores, intervals, differences and counts are the same, nan equal to nan."""
        if not isinstance(other, Comparison):
            return NotImplemented
        try:
            return to_data(self) == to_data(other)
        except TypeError:  # labels or conventions that no file can hold
            return self is other

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the comparison to a JSON file: scores, intervals, differences and counts, no raw rows.

        Scores of single examples are not in it, so what is loaded shows areas and losses but cannot compute them again.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> path = os.path.join(tempfile.mkdtemp(), "both.json")
        >>> both = ix.compare([0, 1] * 50, {"lr": [0, 1, 1, 0] * 25, "rf": [0, 1, 0, 0] * 25}, "f1", "macro")
        >>> both.save(path)
        >>> str(ix.load(path)) == str(both)
        True
        """
        save(self, path)

    def _with_remarks(self) -> list[Table]:
        """Return the tables, all that is said about them below the last."""
        *some, last = self._tables()
        said = (*self._about_many_groups(), self.legend("bold"), *self.sentences, *self.doubts, *self.notes)
        lines = [line for text in said for line in text.split("\n")]
        return [*some, replace(last, notes=lines)]

    def _tables(self, names: Sequence[str] | None = None) -> list[Table]:
        header = ("", *map(Label, names or self.names))
        shown = (self.rows, *(rows[:MOST_ROWS] for rows in self.groups.values()))
        return [Table(header, [row.cells for row in rows]) for rows in shown]

    def _about_many_groups(self) -> list[str]:
        """Return how many rows of groups are not shown, and what has them."""
        return [
            f"{len(rows):,} rows are within a {axis}; the first {MOST_ROWS} are shown. .groups[{axis!r}] has all."
            for axis, rows in self.groups.items()
            if len(rows) > MOST_ROWS
        ]

    def __str__(self) -> str:
        said = [*self._about_many_groups(), *filter(None, [self.legend(), "\n".join(self.sentences)])]
        return "\n\n".join([*(table.text() for table in self._tables(labels(self.names))), *said, *self.doubts, *self.notes])

    _repr_html_ = html  # what a notebook shows

    def __repr__(self) -> str:
        return f"<Comparison: {number_of(len(self.rows), 'score')} of {', '.join(self.names)}>"
