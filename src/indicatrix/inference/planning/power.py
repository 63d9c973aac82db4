"""Power: how many examples a goal needs, and what the present number of examples gives."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from ...algebra.frames import to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ..stats.wording import p_text


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Power:
    """How many examples a goal needs, and what the present examples give; it prints as sentences.

    Attributes
    ----------
    n : int or float
        The number of examples that is needed; infinity if no number is enough.
    power : float or None
        How often the test is to find the difference; None if the goal is the width of an interval.
    width : float or None
        How wide the interval may be; None if the goal is to separate two classifiers.
    level : float
        The level of the interval; the test rejects at 1 - level.
    present_n : int or None
        The number of examples there are; None if it is not known.
    present_power : float or None
        How often a test of this many examples finds the difference.
    present_width : float or None
        How wide the interval of this many examples is.
    values : tuple of float
        The score, or the scores of the two classifiers.
    difference : float or None
        The difference that the test is to find: the first score minus the second, or what difference= named.
    p_value : float or None
        The p-value of the test on the present examples.
    what : str
        The name of the score.
    names : tuple of str
        The names of the two classifiers, if there are two.
    method : str
        The interval or the test.
    note : str
        What a reader should know about it.

    Examples
    --------
    >>> import indicatrix as ix
    >>> print(ix.power(rate=0.9, width=0.05))
    A rate of 0.9 needs 556 examples for a 95% mid_p interval at most 0.05 wide.
    """

    n: float
    power: float | None
    width: float | None
    level: float
    present_n: int | None
    present_power: float | None
    present_width: float | None
    values: tuple[float, ...]
    difference: float | None
    p_value: float | None
    what: str
    names: tuple[str, ...]
    method: str
    note: str = ""

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with one row: every attribute, of two classifiers with the value of each.

        Returns
        -------
        dict
            A list with one entry for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.power(rate=0.9, width=0.05).to_dict()["n"]
        [556]
        """
        own = {f.name: [getattr(self, f.name)] for f in fields(self) if f.name not in ("values", "names")}
        of = self.names or ("value",)
        return own | {(f"value of {name}" if self.names else name): [x] for name, x in zip(of, self.values, strict=True)}

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        sentences = self._on_width() if self.width is not None else self._on_difference()
        return "\n".join([*sentences, *([self.note] if self.note else [])])

    def _on_width(self) -> list[str]:
        goal = f"a {100 * self.level:.4g}% {self.method} interval at most {self.width:g} wide"
        like = "" if self.present_n is None else " like these"
        told = [f"{self.what} of {self.values[0]:.3g} needs {_count(self.n)}{like} for {goal}."]
        if self.present_n is not None:
            told.append(f"The interval of the present {_count(self.present_n)} is {self.present_width:.3g} wide.")
        return told

    def _on_difference(self) -> list[str]:
        (one, other), (x, y) = self.names, self.values
        against = f"{self.what}: {one} {x:.3g}, {other} {y:.3g}."
        if math.isinf(self.n):
            return [against, "No number of examples separates them: the difference is zero."]
        like = "" if self.p_value is None else " like these"
        planned = f" of {abs(self.difference):.3g}" if self.difference is not None else ""
        told = [
            *([] if math.isnan(x) else [against]),
            f"{_count(self.n)}{like} are needed to separate them: {self.method} at the {100 * (1 - self.level):.3g}% level then "
            f"finds a difference{planned} in {100 * (self.power or 0):.3g}% of samples.",
        ]
        if self.present_n is not None:
            enough = "; these are enough" if self.present_n >= self.n else ""
            told.append(f"The present {_count(self.present_n)} give a power of {100 * (self.present_power or 0):.3g}%{enough}.")
        if self.p_value is not None:
            verdict = "separate" if self.p_value <= 1 - self.level else "do not separate"
            told.append(f"They {verdict} the two ({p_text(self.p_value)}).")
        return told

    def __repr__(self) -> str:
        goal = f"width {self.width:g}" if self.width is not None else f"power {self.power:g}"
        return f"<Power: {_count(self.n)} for {goal} of {self.what}>"


def _count(n: float) -> str:
    return f"{n:,.0f} {'example' if n == 1 else 'examples'}" if math.isfinite(n) else "infinitely many examples"
