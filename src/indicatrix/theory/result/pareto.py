"""Pareto: the classifiers that no other classifier dominates on several scores (sec:dominance)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.score import Score, Undefined
from ...words.call_mistakes import answers_mistakes
from .dominance import check_classes, check_sources, directed_scores, exact_score, result_name
from .exact_scores import ExactScores, partition
from .requested_scores import Name, name_in_words


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
