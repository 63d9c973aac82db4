"""Difference: how much a score of two classifiers differs, how sure this is, in words to quote."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ...algebra.call_mistakes import answers_mistakes
from ...algebra.number_with_ends import float_of_value, format_with_ends, round_with_ends
from ..p_values.wording import p_text
from .tests import NAMES

CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Difference:
    """The difference of a score between two classifiers, with an interval and a test.

    Attributes
    ----------
    score : str
        The name of the score, such as "macro f1".
    first, second : str
        The two classifiers.
    value : float
        The score of the first less that of the second.
    low, high : float
        The ends of the interval of the difference; nan where it is not known.
    level : float
        The share of samples whose interval covers the true difference, such as 0.95.
    p : float
        The p-value of no difference, of this test alone; nan where there is no test.
    adjusted : float
        The p-value adjusted for all tests of the comparison; equal to ``p`` if there is no correction.
    method : str
        The test: "delta", "mcnemar", "mcnemar_mid_p", "permutation", "bootstrap", "posterior", "score", "delong" or "unpaired".
    note : str
        What a reader should know: few disagreements, or why there is no test.
    better : str
        "higher", "lower" or "neither": which values of the score are better.
    family : int
        How many tests were adjusted together.
    correction : str or None
        "holm" or "bh".
    margin : float or None
        A difference that does not matter.
    not_worse : float
        The p-value of the first being worse by more than the margin: a small one shows that it is not.
    equivalent : float
        The p-value of a difference larger than the margin, in either direction.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = [0, 1] * 50
    >>> both = ix.compare(y, {"lr": [0, 1, 1, 0] * 25, "rf": [0, 1, 0, 0] * 25}, "accuracy")
    >>> both.differences[0]
    rf - lr, accuracy: 0.25 [0.164, 0.336] (p < 0.0001, McNemar mid-p)
    >>> print(both.differences[0])
    rf has a higher accuracy than lr by 0.250 [0.164, 0.336] (McNemar mid-p, p < 0.0001).
    """

    score: str
    first: str
    second: str
    value: float
    low: float = math.nan
    high: float = math.nan
    level: float = 0.95
    p: float = math.nan
    adjusted: float = math.nan
    method: str = ""
    note: str = ""
    better: str = "higher"
    family: int = 1
    correction: str | None = None
    margin: float | None = None
    not_worse: float = math.nan
    equivalent: float = math.nan

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends

    @property
    def clear(self) -> bool:
        """Whether the adjusted p-value is below 1 - level."""
        return self.adjusted < 1 - self.level

    def reverse(self) -> Difference:
        """Return the same difference, the second less the first.

        Returns
        -------
        Difference
            With the sign of the value and of the interval turned.

        Examples
        --------
        >>> import indicatrix as ix
        >>> d = ix.compare([0, 1, 1], {"lr": [0, 1, 1], "rf": [0, 0, 1]}, "recall").differences[0]
        >>> d.value, d.reverse().value
        (0.5, -0.5)
        """
        turned = {"first": self.second, "second": self.first, "value": 0 - self.value, "low": 0 - self.high, "high": 0 - self.low}
        return replace(self, **turned, not_worse=math.nan)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        from ...report.notebook import uncertain_html

        return uncertain_html(self, f"{self.first} - {self.second}, {self.score}")

    def describe(self) -> str:
        """Return the difference in sentences to quote, with the test and the note.

        Returns
        -------
        str
            One sentence; more if there is a margin or a note.

        Examples
        --------
        >>> import indicatrix as ix
        >>> both = ix.compare([0, 1] * 50, {"lr": [0, 1] * 50, "rf": [0, 1] * 50}, "f1")
        >>> print(both.differences[0].describe())
        lr and rf do not differ clearly in binary f1: 0.000 [-0.019, 0.019] (permutation, p = 1). The two differ in 0 examples: \
with fewer than 10, only exact tests are shown.
        """
        return " ".join(filter(None, (self._sentence(), *self._about_margin(), self.note)))

    def _sentence(self) -> str:
        if math.isnan(self.low):
            return f"No test of {self.first} against {self.second} in {self.score}."
        if not self.clear:
            return (
                f"{self.first} and {self.second} do not differ clearly in {self.score}: "
                f"{_signed_text(self.value)} {self._ends(self.low, self.high)} ({self._how()})."
            )
        up = self.value > 0
        size, low, high = (self.value, self.low, self.high) if up else (-self.value, -self.high, -self.low)
        return (
            f"{self.first} has a {'higher' if up else 'lower'} {self.score} than {self.second} by {size:.3f} "
            f"{self._ends(low, high)} ({self._how()})."
        )

    @staticmethod
    def _ends(low: float, high: float) -> str:
        return f"[{_signed_text(low)}, {_signed_text(high)}]"

    def _how(self) -> str:
        chance = [p_text(self.adjusted)] if not math.isnan(self.adjusted) else []
        several = [f"{CORRECTIONS[self.correction]} over {self.family} tests"] if self.correction and self.family > 1 else []
        return ", ".join([NAMES[self.method], *chance, *several])

    def _about_margin(self) -> list[str]:
        if self.margin is None:
            return []
        alpha, said = 1 - self.level, []
        if not math.isnan(self.not_worse):
            how = "is not worse" if self.not_worse < alpha else "is not shown to be not worse"
            said.append(f"{self.first} {how} than {self.second} by more than {self.margin:g} ({p_text(self.not_worse)}).")
        if not math.isnan(self.equivalent):
            how = "are equivalent" if self.equivalent < alpha else "are not shown to be equivalent"
            said.append(f"The two {how} within {self.margin:g} ({p_text(self.equivalent)}).")
        return said

    def __str__(self) -> str:
        return " ".join([self._sentence(), *self._about_margin()])

    def __repr__(self) -> str:
        ends = "" if math.isnan(self.low) else f" [{self.low:.3g}, {self.high:.3g}]"
        chance = "no test" if math.isnan(self.p) else f"{p_text(self.adjusted)}, {NAMES[self.method]}"
        return f"{self.first} - {self.second}, {self.score}: {self.value:.3g}{ends} ({chance})"


def _signed_text(x: float) -> str:
    return f"{x + 0.0:.3f}".replace("-0.000", "0.000")
