"""Interval: a score, between which numbers its true value is expected to lie, and how this was found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...algebra.average import Name, score_name
from ...algebra.number_with_ends import float_of_value, format_with_ends, refuse_order, round_with_ends
from ...algebra.score import Undefined
from ...words.call_mistakes import answers_mistakes
from ...words.wording import no_attribute

OTHER_ATTRIBUTES = {  # what people look for, and where it is
    "to_json": "interval.to_dict() has its numbers and texts, for json.dumps.",
    **dict.fromkeys(("lower", "upper", "ends", "bounds"), "Its ends are .low and .high: low, high = interval."),
    **dict.fromkeys(("score", "mean", "estimate", "point"), "The score is .value, or float(interval)."),
}


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Interval:
    """A score with the interval that covers its true value in a share ``level`` of samples like this one.

    Attributes
    ----------
    value : float
        The score of the sample.
    low, high : float
        The ends of the interval; nan where the score is undefined.
    level : float
        The share of samples whose interval covers the true value, such as 0.95.
    method : str
        How it was found, such as "score", "wilson" or "bca".
    note : str
        What a reader should know: classes with too few examples, values that a convention fixes.
    measure : Measure
        What was measured.
    average : str, tuple or None
        How the values of the units became one number.
    undefined : str or number
        What an undefined value does.
    warning : str
        The part of the note that says what makes the interval unreliable or wide.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.from_confusion([[40, 10], [5, 45]]).interval("recall", "micro")
    0.85 [0.77, 0.91] (95%, mid_p)
    >>> f"{ix.from_confusion([[40, 10], [5, 45]]).interval('recall', 'micro'):.1%}"
    '85.0% [77.0%, 91.0%]'
    """

    value: float
    low: float
    high: float
    level: float
    method: str
    note: str = ""
    measure: Any = None
    average: Name | None = None
    undefined: Undefined = "exclude"
    warning: str = ""  # the part of the note that is about this interval, not about the score

    @property
    def width(self) -> float:
        """The distance of the ends."""
        return self.high - self.low

    def __contains__(self, number: float) -> bool:
        return bool(self.low <= number <= self.high)

    def __iter__(self) -> Iterator[float]:
        """Yield the two ends, so that ``low, high = ev.interval(…)`` works."""
        return iter((self.low, self.high))

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends
    __lt__ = __le__ = __gt__ = __ge__ = refuse_order

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "An interval", name, OTHER_ATTRIBUTES)

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"

    def __repr__(self) -> str:
        return f"{self} ({100 * self.level:.4g}%, {self.method})"

    def _name(self) -> str:
        return score_name(self.measure, self.average)

    def _repr_html_(self) -> str:
        from ...report.notebook import uncertain_html

        return uncertain_html(self, self._name() if self.measure is not None else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as plain numbers and texts, as ``json.dumps`` takes them.

        Returns
        -------
        dict
            score, value, low, high, level, method and note.

        Examples
        --------
        >>> import json
        >>> import indicatrix as ix
        >>> json.dumps(ix.from_confusion([[40, 10], [0, 50]]).interval("recall", "micro", method="wilson").to_dict())[:44]
        '{"score": "micro recall", "value": 0.9, "low'
        """
        numbers = {name: float(getattr(self, name)) for name in ("value", "low", "high", "level")}
        return {"score": self._name() if self.measure is not None else "", **numbers, "method": self.method, "note": self.note}

    def describe(self) -> str:
        """Return the interval in a sentence, with the note.

        Returns
        -------
        str
            A sentence to quote.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.from_confusion([[40, 10], [5, 45]]).interval("f1", "macro").describe()
        'macro f1: 0.85 [0.767, 0.908], 95% score interval.'
        """
        return f"{self._name()}: {self}, {100 * self.level:.4g}% {self.method} interval.{self.note and f' {self.note}'}"
