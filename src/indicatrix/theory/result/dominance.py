"""Dominance: whether one classifier is at least as good as another on every score or in every cell.

The definitions are in sec:dominance.

Pareto: the classifiers that no other classifier dominates on several scores (sec:dominance).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY, MICRO_AND_MACRO, find_average
from ...algebra.derived.derived_facts import SIGNS, about_direction
from ...algebra.measure import MEASURES, Measure
from ...algebra.numbers.exact import Value, exactly, is_defined, number, order
from ...algebra.score import Score, Undefined, unit_names
from ...catalogue.matrix_measures import for_source, of_table
from ...tally.states.group_counts import CrossTable
from ...tally.tally import Tally
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing
from .exact_scores import ExactScores, exact_mean, is_same, partition, rate, sum_of_row, units_of
from .examined_result import EACH_CLASS, NO_SCORES, Name, Scored, name_in_words, requested_scores, same_name_error

EXTENSIONS = (  # the measures of the paper's definition of measure-wise dominance (tab:extensions)
    "precision", "recall", "specificity", "f1", "jaccard", "error_rate", "accuracy", "balanced_accuracy", "g_mean", "mcc",
    "cohen_kappa",
)  # fmt: skip


@answers_mistakes
@dataclass(frozen=True)
class Dominance:
    """Where one classifier is better than another, equal or worse; true if it dominates measure-wise.

    Scores are named (measure, average), cells ("cell", true, predicted), a row without examples ("row", true), and rates of
    a label (measure, "class", label).

    Attributes
    ----------
    elementwise : bool
        Whether no cell is worse, and at least one could be compared.
    measurewise : bool
        Whether no score is worse, and at least one could be compared.
    strictly : bool
        Whether it holds measure-wise, and some score is better.
    better : tuple
        What is better.
    equal : tuple
        What is equal.
    worse : tuple
        What is worse.
    undefined : tuple
        What could not be compared and did not count.
    resized : tuple
        The classes whose numbers of examples differ.
    """

    elementwise: bool  # no cell is worse, and at least one could be compared
    measurewise: bool  # no score is worse, and at least one could be compared
    strictly: bool  # measure-wise, and better on some score
    better: tuple[Name, ...]
    equal: tuple[Name, ...]
    worse: tuple[Name, ...]
    undefined: tuple[Name, ...]  # could not be compared and did not count
    resized: tuple[Any, ...] = ()  # the classes whose numbers of examples differ

    def __bool__(self) -> bool:
        return self.measurewise

    def __str__(self) -> str:
        worse = [n for n in self.worse if not _is_cell(n)]
        if self:
            how = (
                "It is better on some score and worse on no score: it dominates measure-wise."
                if self.strictly
                else "No score differs."
            )
        else:
            how = f"It does not dominate measure-wise{_worse_text(worse) or ': no score could be compared'}."
        lines = [how, self._cells()]
        if self.undefined:
            some = "1 score or rate is" if len(self.undefined) == 1 else f"{len(self.undefined)} scores or rates are"
            lines.append(f"{some} undefined and did not count.")
        if self.resized:
            lines.append(f"The numbers of examples differ for {listing(self.resized)}: scores may differ for this reason alone.")
        return "\n".join(lines)

    def _cells(self) -> str:
        better, worse = ([n for n in names if _is_cell(n)] for names in (self.better, self.worse))
        if not self.elementwise:
            return f"It does not dominate element-wise{_worse_text(worse) or ': no cell could be compared'}."
        if better:
            return "It dominates element-wise."
        return f"No {'cell' if any(n[0] == 'cell' for n in self.equal) else 'rate of a label'} differs."


def dominates(a: Any, b: Any, *, measures: Any = None, averages: Iterable[str | None] = MICRO_AND_MACRO) -> Dominance:
    """Return whether ``a`` is at least as good as ``b`` in every cell and on every score, exactly.

    Element-wise: of each true class, ``a`` gets at least as large a share right, and at most as large a share wrong in each
    way; without a confusion matrix, no label has less recall or specificity. Measure-wise: each measure under each average
    is at least as good; by default the measures of ``EXTENSIONS``. With the same class sizes,
    element-wise dominance implies measure-wise dominance for these measures, and for all measures that a correction never
    makes worse, if the weights of the average do not depend on the predictions. The converse does not hold. Class sizes may
    differ; the result then says so. A score does not count, and is listed, if it is undefined for one classifier, or if it
    leaves out different classes for the two.

    >>> import indicatrix as ix
    >>> a = ix.from_confusion([[5, 2, 1], [1, 5, 2], [2, 1, 5]])
    >>> d = dominates(a, ix.from_confusion(a.confusion.T))
    >>> d.measurewise, d.elementwise, d.strictly
    (True, False, False)
    """
    check_sources((a, b))
    check_classes({"a": a, "b": b})
    cells = _cell_by_cell(a, b)
    scores, exact = {}, [(source, ExactScores.of(source)) for source in (a, b)]
    for measure, average in directed_scores(measures, averages):
        (mine, x, lost), (_, y, missing) = (exact_score(measure, average, *source) for source in exact)
        alike = lost == missing and not (lost and mine.counts.per == ("example",))
        rounded = any(e.rounded for _, e in exact)
        scores[result_name(mine)] = SIGNS[measure.better] * _compare(x, y, rounded) if alike and is_defined(x, y) else None
    both = cells | scores
    measurewise = _is_none_worse(scores)
    return Dominance(
        elementwise=_is_none_worse(cells),
        measurewise=measurewise,
        strictly=measurewise and 1 in scores.values(),
        resized=_resized_classes(a, b, exclusive=all(kind in ("cell", "row") for kind, *_ in cells)),
        **{k: tuple(n for n, s in both.items() if s == sign) for k, sign in _OUTCOMES},
    )


_OUTCOMES: tuple[tuple[str, int | None], ...] = (("better", 1), ("equal", 0), ("worse", -1), ("undefined", None))


def directed_scores(measures: Any, averages: Iterable[str | None]) -> list[Scored]:
    """Return the requested scores; a measure without a direction is refused."""
    pairs = list(requested_scores(EXTENSIONS if measures is None else measures, averages, matrix=True))
    if not pairs:
        raise ValueError(NO_SCORES)
    known: dict[str, Any] = {}
    for measure, _ in pairs:
        if known.setdefault(str(measure), measure) != measure:
            raise same_name_error(str(measure))
        if measure.better not in SIGNS:
            raise ValueError(f"{about_direction(measure, measure.better)} It cannot compare classifiers: leave it out.")
    return pairs


def exact_score(
    measure: Any, average: str | None, source: Any, exact: ExactScores, undefined: Undefined = "exclude"
) -> tuple[Score, Value, set[Any]]:
    """Return a score, its exact value, and the units that it leaves out.

    The exact value is compared, because rounding must not make a difference.
    """
    if not measure.reads.averaged:
        score = measure(source, undefined=undefined)
        return score, _of_matrix(measure, source) if math.isfinite(score.values) else float(score), set()
    score = measure.score(source, average, undefined)
    names: list[Any] = [()]
    weights: list[Value] = [Fraction(1)]
    if score.average == BINARY:
        vectors: tuple[Any, ...] = (exact.binary or (),)
    elif not score.counts.per:
        vectors = (exact.units("class").pool(),)
    else:
        names, vectors = unit_names(score.counts), exact.units(*find_average(score.average).per).counts
        weights = exact.weights(measure, score.average)
    value = exactly(measure)
    values = [value(*v) for v in vectors]
    lost = {name for name, x, w in zip(names, values, weights, strict=True) if w and not is_defined(x)}
    if not isinstance(undefined, str):
        values = [x if is_defined(x) else Fraction(undefined) for x in values]
    return score, exact_mean(values, weights), lost


def _of_matrix(measure: Measure, source: Any) -> Value:
    """Return the value of a function of the confusion matrix, exactly or to many digits; it is defined."""
    table, measure = _table(source)[:-1, :-1], for_source(measure, source)
    value = of_table(measure, table)
    if type(value) is Fraction:
        return value
    return number(of_table(measure, np.frompyfunc(number, 1, 1)(table)))


def _compare(x: Value, y: Value, rounded: bool) -> int:
    """Return -1, 0 or 1.

    If counts are rounded floats, as with soft labels, the last digits do not count.
    """
    return 0 if is_same(x, y, rounded) else order(x, y)


def _cell_by_cell(a: Any, b: Any) -> dict[Name, int | None]:
    """Return for each cell, or for both rates of each label, how the first compares.

    It is 1 for better, 0 for equal, -1 for worse and None for undefined.
    """
    mine, theirs = _table(a), _table(b)
    if mine is None or theirs is None:
        return _label_by_label(a, b)
    found: dict[Name, int | None] = {}
    names = (*_classes(a), None)  # None: no class
    used = [k for k in range(len(names)) if names[k] is not None or any(w[k].any() or w[:, k].any() for w in (mine, theirs))]
    for j in used:
        row, other_row = mine[j].tolist(), theirs[j].tolist()
        n, other = sum_of_row(row), sum_of_row(other_row)
        if not n or not other:
            found["row", names[j]] = None
            continue
        for k in used:
            x, y = row[k], other_row[k]
            sign = order(rate(x, n), rate(y, other)) if x or y else 0
            found["cell", names[j], names[k]] = sign if j == k else -sign
    return found


def _label_by_label(a: Any, b: Any) -> dict[Name, int | None]:
    found: dict[Name, int | None] = {}
    units, others = units_of(a, "class"), units_of(b, "class")
    labels = zip(_classes(a), units.counts, others.counts, strict=True)
    for (label, mine, theirs), name in product(labels, ("recall", "specificity")):
        x, y = (exactly(MEASURES[name])(*v) for v in (mine, theirs))
        found[name, EACH_CLASS, label] = _compare(x, y, units.rounded or others.rounded) if is_defined(x, y) else None
    return found


def _table(source: Any) -> Any:
    """Return how often each pair (true, predicted) occurred, exactly; None if that is unknown.

    The last row and the last column are for "no class".
    """
    tally = getattr(source, "tally", source)
    if isinstance(tally, Tally):
        table = tally.pooled.table if isinstance(tally.pooled, CrossTable) else None
    else:
        inner = np.asarray(source.confusion, object) if hasattr(source, "confusion") else None
        table = None if inner is None else np.zeros((len(inner) + 1,) * 2, object)
        if table is not None:
            table[:-1, :-1] = inner
    return None if table is None else np.frompyfunc(Fraction, 1, 1)(table.astype(object))


def _classes(source: Any) -> tuple[Any, ...]:
    return tuple(source.classes) if hasattr(source, "classes") else tuple(source.aggregate("class").names[0])


def _resized_classes(a: Any, b: Any, *, exclusive: bool) -> tuple[Any, ...]:
    """Return the classes whose numbers of examples differ; for labels, of positives or negatives."""
    units, others = units_of(a, "class"), units_of(b, "class")
    rounded, found = units.rounded or others.rounded, []
    for name, v, w in zip(_classes(a), units.counts, others.counts, strict=True):
        positives, negatives = (_compare(v[i] + v[j], w[i] + w[j], rounded) for i, j in ((0, 2), (1, 3)))
        if positives or (
            negatives and not exclusive
        ):  # in a confusion matrix, the negatives of one class are positives of others
            found.append(name)
    return tuple(found)


def check_sources(sources: Iterable[Any]) -> None:
    """Refuse objects that are not sources of counts."""
    for source in sources:
        if not hasattr(source, "aggregate") or hasattr(source, "iloc"):  # the aggregate of a data frame is something else
            raise TypeError(
                f"To compare classifiers, an evaluation is needed, but {type(source).__name__} was given: {listing([source])}. "
                "Use ix.evaluate(…) or ix.from_confusion(…) to make one."
            )


def check_classes(sources: Mapping[Any, Any]) -> None:
    """Refuse sources with different classes."""
    (first, *others) = sources
    for other in others:
        if _classes(sources[first]) != _classes(sources[other]):
            raise ValueError(
                f"{first!r} and {other!r} have different classes, {_classes(sources[first])!r} and {_classes(sources[other])!r}. "
                "Evaluate all with the same classes=, in the same order."
            )


def result_name(score: Score) -> Name:
    """Return the name of a score in results."""
    return str(score.measure), score.average


def _is_none_worse(found: Mapping[Name, int | None]) -> bool:
    return -1 not in found.values() and any(s is not None for s in found.values())


def _is_cell(name: Name) -> bool:
    return len(name) == 3


def _worse_text(names: list[Name]) -> str:
    shown = ", ".join(f"{n[1]!r} predicted as {n[2]!r}" if n[0] == "cell" else name_in_words(n) for n in names[:3])
    return f", because it is worse on {shown}{' and others' if len(names) > 3 else ''}" if names else ""


@answers_mistakes
@dataclass(frozen=True)
class Pareto:
    """The classifiers that no other dominates, and which classifiers dominate each of the rest.

    Attributes
    ----------
    front : tuple
        The names of the classifiers that no other dominates.
    dominated : mapping
        For each of the others, the classifiers that dominate it.
    scores : mapping
        The scores of each classifier.
    """

    front: tuple[Any, ...]
    dominated: Mapping[Any, tuple[Any, ...]]
    scores: Mapping[Any, Mapping[Name, Score]]

    def __str__(self) -> str:
        lines = [f"not dominated: {', '.join(map(str, self.front))}"]
        lines += [f"{name} is dominated by {', '.join(map(str, by))}" for name, by in self.dominated.items()]
        return "\n".join(lines)


@answers_mistakes
def pareto(
    sources: Any, measures: Any, *, averages: Iterable[str | None] = ("macro",), undefined: Undefined = "exclude"
) -> Pareto:
    """Return the classifiers that no other dominates on these measures, compared exactly.

    One classifier dominates another if the other is better on no score and worse on some score. So classifiers with equal
    scores are on the front together. ``sources`` are named, or numbered in the order given.

    Parameters
    ----------
    sources : mapping or iterable of Evaluation
        The classifiers, by name or in order.
    measures : iterable of str or Measure
        Measures, their names, or formulas.
    averages : iterable of str, default ('macro',)
        The averages, as ``score`` takes them.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.

    Returns
    -------
    Pareto
        ``.front`` and ``.dominated``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> tables = {"a": [[9, 1], [4, 6]], "b": [[6, 4], [1, 9]], "c": [[6, 4], [4, 6]]}
    >>> sources = {name: ix.from_confusion(table, positive=1) for name, table in tables.items()}
    >>> p = ix.theory.pareto(sources, ["recall", "specificity"], averages=[None])
    >>> p.front, p.dominated
    (('a', 'b'), {'c': ('a', 'b')})
    """
    if hasattr(sources, "aggregate"):
        raise TypeError("pareto() compares several classifiers: give a list of evaluations, or a dict that names them.")
    named = dict(sources) if isinstance(sources, Mapping) else dict(enumerate(sources))
    if not named:
        raise ValueError("pareto() needs at least one classifier, but the list is empty.")
    check_sources(named.values())
    check_classes(named)
    pairs = directed_scores(measures, averages)
    exact = [(source, ExactScores.of(source)) for source in named.values()]
    columns = [[exact_score(measure, average, *source, undefined) for source in exact] for measure, average in pairs]
    scores = {name: {result_name(column[i][0]): column[i][0] for column in columns} for i, name in enumerate(named)}
    holes = [f"{name_in_words(n)} of {name!r}" for name, row in scores.items() for n, s in row.items() if math.isnan(s)]
    if holes:
        raise ValueError(
            f"Undefined: {', '.join(holes)}. Give these scores a value with undefined=, such as 0, or leave them out."
        )
    places = []
    for (measure, _), column in zip(pairs, columns, strict=True):
        blocks = partition({i: value for i, (_, value, _) in enumerate(column)}, any(e.rounded for _, e in exact))
        ranks = np.zeros(len(named), int)
        for rank, block in enumerate(blocks):
            ranks[block] = SIGNS[measure.better] * rank
        places.append(ranks)
    return front_of(scores, places)


def front_of(scores: Mapping[Any, Mapping[Any, Score]], places: Iterable[Array]) -> Pareto:
    """Return the front of classifiers, from their places by each score, higher for better."""
    names = tuple(scores)
    at_least = np.ones((len(names),) * 2, bool)
    for ranks in places:
        at_least &= ranks[:, None] >= ranks
    beats = at_least & ~at_least.T
    by = {name: tuple(names[i] for i in np.flatnonzero(beats[:, j])) for j, name in enumerate(names)}
    return Pareto(tuple(n for n in names if not by[n]), {n: who for n, who in by.items() if who}, scores)
