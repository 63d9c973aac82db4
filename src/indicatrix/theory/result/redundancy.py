"""Redundancy: which scores of a confusion matrix do not follow from the others (sec:redundancy)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import BINARY, MICRO_AND_MACRO, NEEDS_POSITIVE, averages_that, find_average, reads_confusion
from ...tally.from_counts import tally_of_confusion
from ...words.call_mistakes import answers_mistakes
from .requested_scores import EACH_CLASS, NO_SCORES, WHOLE, Name, Scored, name_in_words, requested_scores, same_name_error
from .score_gradients import CUT, Cell, How, Slope, generic_table, precise, slopes_at

ALL_CLASSES = "each class"  # one score for each class; "class" alone is their plain mean, as in every other function
POINTS, CANDIDATES = 4, 12  # the number of generic confusion matrices that decide, and of those tried to find them


@answers_mistakes
@dataclass(frozen=True)
class Redundancy:
    """How many scores are independent, which ones, and what determines the others.

    Attributes
    ----------
    rank : int
        How many scores are independent.
    independent : tuple
        The independent scores, in the order given: a score that follows from earlier ones is left out.
    follows : mapping
        For each other score the independent scores that determine it; () if it does not change.
    degrees_of_freedom : int
        How many cells of the confusion matrix are free, with these class sizes.
    scores : tuple
        All scores that were compared, each as (measure, average).
    """

    rank: int
    independent: tuple[Name, ...]  # in the order given: a score that follows from earlier ones is left out
    follows: Mapping[Name, tuple[Name, ...]]  # score -> the independent scores that determine it; () if it does not change
    degrees_of_freedom: int
    scores: tuple[Name, ...]

    def __str__(self) -> str:
        what = "1 score" if len(self.scores) == 1 else f"{len(self.scores)} scores"
        lines = [f"{self.rank} of {what} independent; the confusion matrix has {self.degrees_of_freedom} degrees of freedom."]
        lines += [f"independent: {', '.join(map(name_in_words, self.independent))}"] if self.independent else []
        for name, others in self.follows.items():
            told = f"follows from {', '.join(map(name_in_words, others))}" if others else "does not change: a constant or a step"
            lines.append(f"{name_in_words(name)} {told}")
        return "\n".join(lines)


@answers_mistakes
def redundant(measures: Any, confusion: Any, *, averages: Iterable[str] | None = None, positive: Any = None) -> Redundancy:
    """Return which scores of a confusion matrix follow from the others, at fixed class sizes.

    Of the scores of one confusion matrix, many follow from the others once the class sizes are fixed: with two classes, recall
    and specificity determine F1, accuracy and MCC. Reporting all of them adds no information. This says which scores are
    independent, and from which of these each other score follows.

    Parameters
    ----------
    measures : iterable of str or Measure
        Measures, their names, or formulas. A pair (measure, average) gives one measure an average of its own.
    confusion : array-like or Evaluation
        A confusion matrix, rows true, or an evaluation that has one; only the class sizes matter.
    averages : iterable of str, optional
        Averages over classes or examples, or "micro"; also "binary", the positive class alone, and "each class", one score for
        each class. Default: "binary" for two classes of which one is positive, otherwise "micro" and "macro".
    positive : label, optional
        The positive class, for "binary".

    Returns
    -------
    Redundancy
        ``.rank``, the ``.independent`` scores, and what each of the others ``.follows`` from.

    Notes
    -----
    With fixed class sizes, a confusion matrix has one free error rate for each wrong class of each true class. The gradients of
    the scores with respect to these rates are compared at generic matrices of these sizes: a score follows from others if its
    gradient is always a combination of theirs. This decides for smooth scores; a step function has a gradient of zero as a
    constant has, although nothing determines it. A class without examples has no free rates, and its undefined values are left
    out of averages.

    Examples
    --------
    >>> import indicatrix as ix
    >>> r = ix.theory.redundant(["recall", "specificity", "f1"], [[30, 10], [5, 55]], positive=0)
    >>> r.rank, r.follows[("f1", "binary")]
    (2, (('recall', 'binary'), ('specificity', 'binary')))
    """
    sizes, classes, positive = _problem(confusion, positive)
    if averages is None:
        averages = (BINARY,) if positive is not None and len(classes) == 2 else MICRO_AND_MACRO
    scores = _by_name(requested_scores(measures, averages, matrix=True), classes, positive)
    names, freedom = tuple(scores), sum(n > 0 for n in sizes) * (len(sizes) - 1)
    if not freedom:
        return Redundancy(0, (), dict.fromkeys(names, ()), 0, names)
    whole = any(how is None for _, how in scores.values())
    eliminated = [_eliminate(rows) for rows in _gradients(scores, sizes, _free_cells(sizes, whole))]
    kept = max((kept for kept, _ in eliminated), key=len)
    follows = {}
    for i in sorted(set(range(len(names))).difference(kept)):
        needed = set[int]().union(*(made[i] for same, made in eliminated if same == kept))
        follows[names[i]] = tuple(names[k] for k in sorted(needed))
    return Redundancy(len(kept), tuple(names[i] for i in kept), follows, freedom, names)


def _problem(given: Any, positive: Any) -> tuple[list[Fraction], tuple[Any, ...], Any]:
    """Return the class sizes, the classes and the positive class, if there is one."""
    source = given if hasattr(given, "confusion") and hasattr(given, "classes") else tally_of_confusion(given, None)
    table, rows = source.confusion, source.aggregate("example")
    if ((rows.n > 0) & ((rows.tp + rows.fn != 1) | (rows.tp + rows.fp != 1))).any():
        raise ValueError(
            "Some examples have no true or no predicted class, so they are in no cell of the confusion matrix. "
            "Give them a separate class."
        )
    sizes = [sum(map(Fraction, row), Fraction(0)) for row in np.asarray(table).tolist()]
    if not any(sizes):
        raise ValueError("The confusion matrix is empty, so there are no scores to compare. Give one with examples.")
    if positive is None:
        positive = getattr(source, "positive", None)
        return sizes, source.classes, positive if positive in source.classes else None
    if positive not in source.classes:
        raise ValueError(f"positive={positive!r} is not a class. Choose from {source.classes!r}.")
    return sizes, source.classes, positive


def _by_name(wanted: Iterable[Scored], classes: tuple[Any, ...], positive: Any) -> dict[Name, tuple[Any, How]]:
    """Return the scores by name, each as a measure and how it is averaged."""
    scores: dict[Name, tuple[Any, How]] = {}
    for score in dict.fromkeys(wanted):  # an alias is the same score
        for name, how in _names(score, classes, positive).items():
            if scores.setdefault(name, (score.measure, how)) != (score.measure, how):
                raise same_name_error(name[0])
    if not scores:
        raise ValueError(NO_SCORES)
    return scores


def _names(score: Scored, classes: tuple[Any, ...], positive: Any) -> dict[Name, How]:
    measure, average = score
    if not measure.reads.averaged:
        return {(str(measure), WHOLE): None}
    rule = find_average(average)
    if average not in (BINARY, ALL_CLASSES) and not reads_confusion(rule):
        possible = (*averages_that(reads_confusion), BINARY, ALL_CLASSES)
        raise ValueError(
            f"average={average!r} is not a function of the confusion matrix here. Choose from {', '.join(possible)}."
        )
    if not score.exists:
        raise ValueError(
            f"{measure} exists only as {measure.averages[0]}. Give the pair ({measure.name!r}, {measure.averages[0]!r})."
        )
    if average == ALL_CLASSES:
        return {(str(measure), EACH_CLASS, c): j for j, c in enumerate(classes)}
    if average == BINARY and positive is None:
        raise ValueError(NEEDS_POSITIVE)
    return {(str(measure), average): classes.index(positive) if average == BINARY else rule}


def _free_cells(sizes: list[Fraction], whole: bool) -> list[Cell]:
    """Return the cells along which gradients are taken: all errors that can occur, or enough of them.

    A score of the counts per class changes by n[j] (A[k] - H[j]) with the rate of error (j, k), where H and A are its slopes
    in the hits and the false alarms of a class. One row, one column and one more cell per row give all these differences.
    """
    m, rows = len(sizes), [j for j, n in enumerate(sizes) if n]
    hub = rows[0]
    third = {j: next((k for k in range(m) if k not in (j, hub)), None) for j in rows}
    return [(j, k) for j in rows for k in range(m) if k != j and (whole or hub in (j, k) or k == third[j])]


def _gradients(scores: Mapping[Name, Any], sizes: list[Fraction], cells: list[Cell]) -> list[list[Slope]]:
    """Return the values and gradients of all scores at generic matrices where all are defined."""
    at_points: list[list[Slope]] = []
    undefined: dict[Name, None] = {}
    for seed in range(CANDIDATES):
        slope = slopes_at(generic_table(sizes, seed), cells)
        found = {name: slope(*score) for name, score in scores.items()}
        undefined |= {name: None for name, s in found.items() if s is None}
        if None not in found.values():
            at_points.append([s for s in found.values() if s is not None])
        if len(at_points) == POINTS:
            break
    if not at_points:
        raise ValueError(
            f"These scores are undefined for confusion matrices with these row sums: {', '.join(map(name_in_words, undefined))}. "
            "Leave them out."
        )
    return at_points


def _eliminate(slopes: list[Slope]) -> tuple[tuple[int, ...], dict[int, set[int]]]:
    """Return which gradients are independent of the earlier ones, and what each other one consists of."""
    cut = precise(CUT)
    basis: list[tuple[Any, Array, Array]] = []  # pivot, reduced row, its coefficients in the gradients
    made: dict[int, set[int]] = {}
    for i, (value, gradient) in enumerate(slopes):
        size = abs(gradient).max()
        if size <= cut * max(abs(value), cut):
            made[i] = set()
            continue
        rest, used = gradient / size, np.zeros(len(slopes), object)
        for pivot, row, parts in basis:
            rest, used = rest - row * rest[pivot], used + parts * rest[pivot]
        pivot = abs(rest).argmax()
        lead = rest[pivot]
        if abs(lead) > cut:
            basis.append((pivot, rest / lead, ((np.arange(len(slopes)) == i) * 1 - used) / lead))
        else:
            made[i] = {int(k) for k in np.flatnonzero(abs(used) > cut)}
    return tuple(i for i in range(len(slopes)) if i not in made), made
