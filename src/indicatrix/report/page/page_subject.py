"""Subject: what a page is about, and the functions of higher layers that its sections ask.

Numbers and labels are embedded in a page in one way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ...algebra.arrays import as_weight
from ...algebra.average import ALIASES
from ...algebra.convention import Convention
from ...algebra.measure import MEASURES, Measure
from ...algebra.measure_names import find, resolve
from ...algebra.offered_averages import choose_average
from ...algebra.score import check_undefined
from ...words.wording import short
from ..grid import name_text
from ..summary import usual_columns, usual_measures
from .javascript import measure_as_javascript

ALSO_SHOWN = ("accuracy", "balanced_accuracy", "cohen_kappa")  # with the measures of the text report
JOINER = "\u200d"  # it joins parts of one emoji


@dataclass(frozen=True)
class Theory:
    """What the page asks about measures; the report draws it and does not know where it comes from."""

    notes: Callable[[Measure], Mapping[str, Any]]  # the formula as text, and the properties
    glosses: Mapping[str, str]  # what each property means
    floor: Callable[..., Any]


@dataclass(frozen=True)
class Subject:
    """An evaluation, what its page shows first, and the convention that it starts with."""

    ev: Any
    theory: Theory
    measures: tuple[Measure, ...]
    averages: tuple[str, ...]
    undefined: Any = "exclude"
    level: float = 0.95
    title: str = "Evaluation"
    extras: Mapping[str, Any] = field(default_factory=dict)  # what single sections need, by the name of the section
    facts: tuple[str, ...] | None = None  # what was evaluated, in sentences; None: those of the text report
    names_measures: bool = False  # whether whoever made the page named the measures, and the averages
    names_averages: bool = False

    @cached_property
    def catalogue(self) -> tuple[Measure, ...]:
        """Every measure that the page can show: its own, then those of the catalogue."""
        return tuple(dict.fromkeys((*self.measures, *MEASURES.values())))

    def versions(self, measure: Measure) -> tuple[str, ...]:
        """The only averages under which a measure is shown, or () for all; one value stands at the first."""
        return measure.averages or (() if measure.reads.averaged else self.averages[:1])

    def score(self, measure: Measure, average: str) -> Any:
        """Return a score that the page shows; one that does not exist is refused."""
        return measure.score(self.ev, average if measure.reads.averaged else None, self.undefined)

    def with_extra(self, name: str, extra: Any) -> Subject:
        """Return the subject with what one more section needs."""
        return replace(self, extras={**self.extras, name: extra})

    @cached_property
    def of_classes(self) -> tuple[str, ...]:
        """The names of the measures that the page computes for single classes."""
        return tuple(str(m) for m in self.measures if not m.averages and measure_as_javascript(m) is not None)

    @property
    def main(self) -> str:
        """The measure that sections show first: F1, or else the first that the page computes."""
        return "f1" if "f1" in self.of_classes or not self.of_classes else self.of_classes[0]


def subject_of(ev: Any, theory: Theory, measures: Any, averages: Iterable[str] | None, undefined: Any, **facts: Any) -> Subject:
    """Return the subject of an evaluation; measures and averages that do not exist are refused."""
    check_convention(undefined)
    alone = isinstance(measures, str) or hasattr(measures, "better")  # one measure
    names = (*usual_measures(ev), *ALSO_SHOWN) if measures is None else (measures,) if alone else measures
    shown = tuple(dict.fromkeys(m for name in names for m in _rows_of(resolve(name), ev, named=averages is not None)))
    if not shown:
        raise ValueError("measures= is empty. Name at least one measure, or leave it out.")
    asked = [*(usual_columns(ev) if averages is None else averages)]
    for average in asked:
        if not isinstance(average, str | tuple | None):
            raise TypeError(f"averages= holds {short(average)}; an average is a name, such as 'macro'.")
    columns = tuple(dict.fromkeys(ALIASES.get(a, a) for a in asked))
    for average in columns:
        choose_average(find("f1"), ev, average)  # refuses an average that does not exist
    facts |= {"names_measures": measures is not None, "names_averages": averages is not None}
    made = Subject(ev, theory, shown, columns, undefined, **facts)
    for measure in (m for m in shown if not m.reads.counted):
        _check_given(made, measure)
    return made


def _check_given(subject: Subject, measure: Measure) -> None:
    """Refuse a measure without a score under any average, as one of scores where only labels are given."""
    refused = None
    for average in subject.averages:
        try:
            subject.score(measure, average)
        except ValueError as reason:
            refused = reason
        else:
            return
    if refused is not None:
        raise refused


def _rows_of(measure: Measure, ev: Any, *, named: bool) -> tuple[Measure, ...]:
    """Return the rows of a measure: accuracy of examples is another measure than label accuracy.

    It has a row of its own unless averages are named. A page knows measures by their own names, so one that goes by the name of
    another is called by its own.
    """
    whole = measure if named else measure.meant_for(ev)
    several = (measure,) if whole is measure else (whole, measure)
    return tuple(replace(m, called="") if MEASURES.get(m.called, m) != m else m for m in several)


def check_convention(undefined: Any) -> None:
    """Refuse a convention that a page cannot start with."""
    if isinstance(undefined, Convention):
        return
    check_undefined(undefined)
    if undefined == "raise":
        raise ValueError("undefined='raise' stops at an undefined value, and a page shows it. Use 'exclude', 'nan' or a number.")


def numbers(xs: Any) -> list[int | float | None]:
    """Return numbers for JSON: whole ones as integers, those that are not finite as None.

    >>> numbers([1.0, 0.5, float("nan")])
    [1, 0.5, None]
    """
    return [None if not math.isfinite(x) else int(x) if x.is_integer() else x for x in as_weight(xs).tolist()]


def label_text(name: Any) -> str:
    r"""Return a label as text in which no character steers a page; quotes show spaces at its ends.

    >>> print(label_text("a\nb"), label_text(""), label_text("dog "))
    a\nb '' 'dog '
    """
    return name_text(name, keep=JOINER)
