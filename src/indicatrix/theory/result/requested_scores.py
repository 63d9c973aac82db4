"""Requested scores: measures and averages in any form, and the names of scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...algebra.average import ALIASES, score_name
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import average_in, measure_of_counts, resolve
from ...words.wording import short

Name = tuple[Any, ...]  # in results: (measure, average), or (measure, "class", class), where the measure is its text

WHOLE = None  # in place of an average, of a function of the whole confusion matrix
NO_SCORES = "There are no scores to compare: name measures, such as ['recall', 'precision'], and averages."
EACH_CLASS = "class"  # one score for each class, not an average of them


class Scored(NamedTuple):
    """A measure under an average; equal to the plain pair."""

    measure: Any
    average: Any  # its name; None for a measure that has one value, or if the source chooses

    def __str__(self) -> str:
        return score_name(self.measure, self.average)

    @property
    def exists(self) -> bool:
        """Whether the measure exists under this average."""
        only = getattr(self.measure, "averages", ())
        return not only or self.average in only


def requested_scores(measures: Any, averages: Iterable[str | None] | str, *, matrix: bool = False) -> Iterator[Scored]:
    """Yield the requested scores, measure by measure.

    Each measure appears under all averages, or under its own if it is a pair. Measures are one or several of names, formulas,
    ``Measure``, names of scores and pairs (measure, average). ``matrix`` allows functions of the whole confusion matrix, whose
    average is ``WHOLE``. The caller decides what to do with a score that does not exist.

    >>> print(*requested_scores(["f1", ("recall", "samples"), "weighted mcc"], ["micro", "macro"]), sep=", ")
    micro f1, macro f1, exemplar recall, weighted mcc
    """
    every: tuple[Any, ...] = (averages,) if isinstance(averages, str) else tuple(averages)
    for i, average in enumerate(every):
        if not isinstance(average, str | tuple | None):
            raise TypeError(f"averages[{i}] is {short(average)}; an average is a name, such as 'macro'.")
    items: Iterable[Any] = [measures] if isinstance(measures, str | Measure) else measures
    for item in items:
        named = average_in(item) if isinstance(item, str) else None
        pair = named[::-1] if named else item
        one, own = (pair[0], pair[1:]) if isinstance(pair, tuple) and len(pair) == 2 else (item, every)
        measure = resolve(one)  # even if there are no averages: a measure that does not exist is refused
        if matrix and not measure.reads.averaged:
            yield Scored(measure, WHOLE)
        else:
            measure = measure_of_counts(measure)
            yield from (Scored(measure, ALIASES.get(average, average)) for average in own)


def same_name_error(name: str) -> ValueError:
    """Return the error that two different measures have one name: their scores cannot be told apart."""
    return ValueError(f"Two different measures have the name {name!r}. Give one of them another name.")


def name_in_words(name: Name) -> str:
    """Return the name of a score: ``macro f1``, ``recall of class 'a'``, ``multiclass_mcc``.

    >>> name_in_words(("f1", "macro")), name_in_words(("recall", "class", "a"))
    ('macro f1', "recall of class 'a'")
    """
    if len(name) == 3:
        return f"{name[0]} of class {name[2]!r}"
    measure, average = name
    return str(Scored(MEASURES.get(measure, measure), average))
