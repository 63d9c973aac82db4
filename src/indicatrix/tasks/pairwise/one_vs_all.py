"""One-vs-all: the binary classifiers before argmax, and the decision after it (sec:ova).

Both come from one score matrix.

>>> import indicatrix as ix
>>> both = ix.tasks.one_vs_all(["a", "b", "c"], [[0.6, 0.5, 0.1], [0.2, 0.4, 0.3], [0.1, 0.2, 0.9]], classes="a b c".split())
>>> both.classifiers.score("recall", "macro"), both.final.score("recall", "macro")
(0.6666666666666666, 1.0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ...algebra.average import MICRO_AND_MACRO, evaluate_labels
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.score import Score, Undefined
from ...algebra.values import Values
from ...encode.containers import read
from ...encode.decisions import RowRule, as_scores, picks_one_class, thresholds
from ...encode.indicator import Coded, Indicator
from ...encode.plain_forms import Labels
from ...encode.vocabulary import check_classes
from ...encode.weights import check_mask
from ...report.grid import name_text
from ...settings.open_set import change_labels
from ...settings.options import Options
from ...settings.paper_settings import refuse
from ...settings.problem import LabelPair
from ...storage.formats import add_parts, add_to_zero, save
from ...words.call_mistakes import answers_mistakes
from ...words.wording import treatment

LEVELS = ("before", "after")
FINAL_ONLY = ("cost", "ordinal", "tnorm", "negation", "confusion")  # options that need one class per example, or are about it
MOST_CLASSES = 30  # printed; all of them are in the table

NAMES = ("y_true", "scores")  # what the two arrays are called here


@answers_mistakes
def one_vs_all(y_true: Any, scores: Any, *, decide: Any = 0.5, final: Any = "argmax", **options: Any) -> OneVsAll:
    """Return both evaluations of a score matrix: of its m binary classifiers, and of their argmax.

    ``.classifiers`` judges each column of scores separately: a classifier claims an example if its score reaches ``decide``, so
    an example may be claimed by several classifiers or by none. ``.final`` judges the class with the highest score; ties go to
    the lowest index. The two evaluations stand next to each other, and nothing is claimed about how errors of the classifiers
    become errors of the final decision. Results of batches add.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    scores : array-like
        One row per example with a number for each class, higher for what is more likely.
    decide : number or array-like, default 0.5
        The score at which a classifier claims an example: one threshold, or one per class.
    final : str or rule, default 'argmax'
        How the final class is chosen: "argmax" or ``ix.reject_below(t)``.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    OneVsAll
        ``.classifiers`` and ``.final``, each an evaluation.

    Notes
    -----
    ``options`` are those of ``evaluate`` and apply to both evaluations. Only ``cost=``, ``ordinal=`` and ``tnorm=`` are about
    the final class, and so is, with ``known=``, the last column of a mask of entries, for the unknown class.

    Examples
    --------
    >>> import indicatrix as ix
    >>> both = ix.tasks.one_vs_all(["a", "b", "b"], [[0.9, 0.6], [0.7, 0.4], [0.2, 0.8]], classes=["a", "b"])
    >>> both.classifiers.score("precision", "micro"), both.final.score("precision", "micro")
    (0.5, 0.6666666666666666)
    >>> both.claims  # two examples are claimed by one classifier, one by both
    {1: 2, 2: 1}
    """
    refuse("one_vs_all", options)
    _check_truth(y_true)
    table = read(scores, "scores")
    if isinstance(table, Labels):
        raise ValueError("scores has one dimension. Give one column of scores per class.")
    limits(decide, as_scores(table, "scores").shape[1])
    if not picks_one_class(final):
        raise ValueError(f"final={final!r} does not choose one class of several; use 'argmax' or reject_below(t).")
    if options.get("abstain") is not None or options.get("missing") == "abstain":
        raise ValueError("abstain= is for predicted labels, but these are scores. Use final=reject_below(t) to choose no class.")
    for name in ("classes", "known"):
        if options.get(name) is not None:
            options[name] = check_classes(options[name], name)  # read twice
    before = _classifiers(y_true, scores, decide, options)
    after = evaluate_labels(y_true, scores, NAMES, decide=final, **options)
    if options.get("hierarchy") is None:
        return OneVsAll(before, after)
    alone = _classifiers(y_true, scores, decide, {k: v for k, v in options.items() if k != "hierarchy"})
    return OneVsAll(before, after, alone)


def _classifiers(y_true: Any, scores: Any, decide: Any, options: Mapping[str, Any]) -> Any:
    options = {k: v for k, v in options.items() if k not in FINAL_ONLY}
    known, unknown = options.pop("known", None), options.pop("unknown", None)
    if known is not None:  # the unknown class has no classifier: all classifiers should reject its examples
        open_set = Options(known=known, unknown=unknown, names=NAMES)
        relabeled = change_labels(LabelPair(y_true, scores, rule="argmax"), open_set)
        codes, columns = np.asarray(relabeled.y_true.values), relabeled.classes or ()
        y_true = Indicator.from_codes(np.where(codes < len(columns) - 1, codes, -1), columns[:-1])
        seen = _observed_entries(options.get("mask"), len(codes), columns)
        if (codes < 0).any() or seen is not None:
            options["mask"] = (codes >= 0)[:, None] & (True if seen is None else seen)
    return evaluate_labels(y_true, scores, NAMES, decide=decide, **options)


def _observed_entries(mask: Any, n: int, columns: tuple[Any, ...]) -> Any:
    """Return which entries of the known classes were observed.

    The mask is one of examples or one of all entries, those of the unknown class included.
    """
    shape = np.shape(mask)
    if shape == (n, len(columns) - 1) and shape[1] > 1:
        raise ValueError(
            f"mask has {shape[1]} columns; with known= the decision has {len(columns)}, the last for the unknown class "
            f"{columns[-1]!r}. Add that column (the classifiers do not read it), or give one entry per example."
        )
    seen = check_mask(mask, n, len(columns), columns)
    return seen if seen is None or seen.shape[1] == 1 else seen[:, :-1]


@answers_mistakes
@dataclass(frozen=True, repr=False)
class OneVsAll:
    """The two levels of a one-vs-all scheme: each binary classifier, and the argmax.

    Attributes
    ----------
    classifiers : Evaluation
        One column per classifier, thresholded.
    final : Evaluation
        One class per example.
    alone : Evaluation or None
        With a hierarchy: the classifiers without the ancestors of the claimed classes.
    """

    classifiers: Any  # an Evaluation, one column per classifier, thresholded
    final: Any  # an Evaluation, one class per example
    alone: Any = None  # with a hierarchy: the classifiers without the ancestors of the claimed classes

    @property
    def claims(self) -> dict[int, Any]:
        """How many observed examples (or how much weight) are claimed by 0, 1, 2, … classifiers.

        Argmax decides all examples except those with one claim. Of a partly observed example, only the observed entries count.
        """
        ev = self.classifiers if self.alone is None else self.alone
        rows = ev.tally.aggregate("example")  # claims are known even where the data do not show all counts
        claimed, seen = np.asarray(rows.ppos).astype(int), np.asarray(rows.n) > 0
        times = np.ones(len(claimed), int) if rows.times is None else np.asarray(rows.times)
        return {int(k): times[seen & (claimed == k)].sum().item() for k in np.unique(claimed[seen])}

    __add__, __radd__, save = add_parts, add_to_zero, save

    def table(
        self,
        measures: Iterable[str | Measure] = ("precision", "recall", "f1"),
        averages: Iterable[str] = MICRO_AND_MACRO,
        *,
        undefined: Undefined = "exclude",
    ) -> BeforeAfter:
        """Return these measures per class and averaged, each before and after argmax.

        Parameters
        ----------
        measures : iterable of str or Measure, default ('precision', 'recall', 'f1')
            Measures, their names, or formulas.
        averages : iterable of str, default ('micro', 'macro')
            The averages, as ``score`` takes them.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        BeforeAfter
            A table that prints.

        Examples
        --------
        >>> import indicatrix as ix
        >>> both = ix.tasks.one_vs_all([0, 1, 1], [[0.9, 0.6], [0.7, 0.4], [0.2, 0.8]])
        >>> print(both.table(["recall"], ["macro"]))
               recall
        class  before  after
        0       1.000  1.000
        1       0.500  0.500
        macro   0.750  0.750
        """
        found, rows, classes = {str(m): m for m in map(find, measures)}, tuple(averages), self.final.classes
        values, scores = dict[tuple[str, str], Values](), dict[tuple[str, str, str], Score]()
        for (name, measure), (level, ev) in product(found.items(), zip(LEVELS, (self.classifiers, self.final), strict=True)):
            mine = dict(zip(ev.classes, ev.values(measure).tolist(), strict=True))  # the unknown class has no classifier
            values[name, level] = Values.of([mine.get(c, math.nan) for c in classes], (classes,))
            scores |= {(name, level, a): ev.score(measure, a, undefined=undefined) for a in rows}
        return BeforeAfter(tuple(found), classes, rows, values, scores)

    def __str__(self) -> str:
        claims = self.claims
        none, several = claims.get(0, 0), sum(v for k, v in claims.items() if k > 1)
        summary = (
            f"Claimed by no classifier: {none:,} of {sum(claims.values()):,} examples; by several: {several:,}. Argmax decides."
        )
        return f"{self.table()}\n\n{summary}"

    def __repr__(self) -> str:
        return f"<OneVsAll: {self.final.n} examples, {len(self.classifiers.classes)} classifiers>"


@answers_mistakes
@dataclass(frozen=True)
class BeforeAfter:
    """Values per class and averages, before and after argmax.

    >>> import indicatrix as ix
    >>> both = ix.tasks.one_vs_all([0, 1, 1], [[0.9, 0.6], [0.7, 0.4], [0.2, 0.8]])
    >>> print(both.table(["recall"], ["macro"]))
           recall
    class  before  after
    0       1.000  1.000
    1       0.500  0.500
    macro   0.750  0.750
    """

    measures: tuple[str, ...]
    classes: tuple[Any, ...]
    averages: tuple[str, ...]
    values: Mapping[tuple[str, str], Values]  # (measure, "before" or "after") -> one value per class
    scores: Mapping[tuple[str, str, str], Score]  # (measure, "before" or "after", average)

    def of_class(self, measure: str | Measure, name: Any) -> tuple[float, float]:
        """Return the measure of one class before and after argmax."""
        if name not in self.classes:
            raise KeyError(f"{name!r} is not a class; the classes are {self.classes!r}.")
        at = self.classes.index(name)
        before, after = (float(self.values[self._column(measure), level][at]) for level in LEVELS)
        return before, after

    def of_average(self, measure: str | Measure, average: str) -> tuple[Score, Score]:
        """Return the averaged measure before and after argmax."""
        if average not in self.averages:
            raise KeyError(f"average {average!r} is not in this table; it has {self.averages!r}.")
        before, after = (self.scores[self._column(measure), level, average] for level in LEVELS)
        return before, after

    def _column(self, measure: str | Measure) -> str:
        name = str(find(measure))
        if name not in self.measures:
            raise KeyError(f"measure {name!r} is not in this table; it has {self.measures!r}.")
        return name

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows: a class or an average, then before and after for each measure."""
        for i, name in enumerate(self.classes):
            yield name, *(float(self.values[m, level][i]) for m in self.measures for level in LEVELS)
        for average in self.averages:
            yield average, *(self.scores[m, level, average] for m in self.measures for level in LEVELS)

    def __str__(self) -> str:
        rows, m = [[name_text(name), *map(_value_text, values)] for name, *values in self], len(self.classes)
        if m > MOST_CLASSES:
            rows[MOST_CLASSES:m] = [[f"… {m:,} classes", *([""] * (2 * len(self.measures)))]]
        lines = _under_names(self.measures, [["class", *LEVELS * len(self.measures)], *rows])
        lost = [s for s in self.scores.values() if s.undefined_units]
        if lost:
            lines += ["", f"Undefined values (–) are {treatment(lost[0].undefined)}."]
        return "\n".join(lines)


def _under_names(names: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    """Return aligned lines; each name spans two columns after the first column."""
    widths = [max(len(row[i]) for row in rows) for i in range(2 * len(names) + 1)]
    for i, name in enumerate(names):
        widths[2 * i + 2] = max(widths[2 * i + 2], len(name) - widths[2 * i + 1] - 2)
    spans = [name.ljust(widths[2 * i + 1] + 2 + widths[2 * i + 2]) for i, name in enumerate(names)]
    lines = ["  ".join([" " * widths[0], *spans])]
    lines += ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return [line.rstrip() for line in lines]


def _value_text(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _check_truth(y_true: Any) -> None:
    one_label = isinstance(y_true.data, Coded) if isinstance(y_true, Indicator) else isinstance(read(y_true, "y_true"), Labels)
    if not one_label:
        raise TypeError(
            "y_true has several labels per example, but one-vs-all needs one label each, in one dimension. "
            "For independent labels use evaluate(y_true, scores, decide=0.5)."
        )


def limits(rule: Any, width: int) -> list[float]:
    """Return the threshold of each of ``width`` classifiers.

    A rule that compares columns is an error, because each classifier is judged alone.
    """
    if isinstance(rule, str | RowRule):
        raise ValueError(
            f"decide={rule!r} compares the classifiers, but each of them is judged alone. "
            "Give one threshold for all, such as 0.5, or one for each."
        )
    return [float(x) for x in np.broadcast_to(thresholds(rule, width), width)]
