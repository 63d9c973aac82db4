"""Difference: how much a score of two classifiers differs, how sure this is, in words to quote."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ...algebra.ends import float_of_value, format_with_ends, round_with_ends
from ...report.notebook import uncertain_html
from ...words.call_mistakes import answers_mistakes
from ..stats.several_tests import p_text, probability_text
from .tests import NAMES

CORRECTIONS = {"max_t": "simultaneous", "bh": "Benjamini-Hochberg"}


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
        The ends of the interval of the difference, corrected as the verdict is: it has 0 inside unless the difference is clear.
        nan where it is not known.
    level : float
        The share of samples whose interval covers the true difference, such as 0.95; corrected by "max_t", the share of samples
        in which the intervals of the whole family do.
    p : float
        The p-value of no difference, of this test alone; nan where there is no test, and for posterior draws.
    adjusted : float
        The p-value adjusted for the family; equal to ``p`` if there is no correction.
    method : str
        The test: "delta", "mcnemar", "mcnemar_mid_p", "permutation", "bootstrap", "posterior", "score", "delong" or "unpaired".
    note : str
        What a reader should know: few disagreements, or why there is no test.
    better : str
        "higher", "lower" or "neither": which values of the score are better.
    family : int
        How many tests were corrected together: the pairs of classifiers for this score.
    correction : str or None
        "max_t": the intervals of the family hold together; "bh": the share of false discoveries.
    margin : float or None
        A difference that does not matter.
    not_worse : float
        The one-sided p-value of the first being worse by more than the margin, adjusted: below (1 - level) / 2 it is shown that
        it is not, and the interval does not reach the margin. Of posterior draws it is the probability that it is worse.
    equivalent : float
        The larger of the two one-sided p-values of a difference beyond the margin, adjusted: below (1 - level) / 2 the interval
        lies within the margin.
    probability : float
        Of posterior draws: the probability that the difference is above 0; nan for other methods.
    across_scores : bool
        Whether the family has the tests of all scores.

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
    probability: float = math.nan
    across_scores: bool = False

    __float__, __round__, __format__ = float_of_value, round_with_ends, format_with_ends

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0: then, and only then, the adjusted p-value is below 1 - level."""
        return self.low > 0 or self.high < 0

    @property
    def tested(self) -> bool:
        """Whether there is a verdict: a p-value, or a probability from posterior draws."""
        return not (math.isnan(self.adjusted) and math.isnan(self.probability))

    @property
    def shown_not_worse(self) -> bool:
        """Whether the interval shows that the first is not worse by more than the margin."""
        if self.margin is None or math.isnan(self.not_worse):
            return False
        return self.high < self.margin if self.better == "lower" else self.low > -self.margin

    @property
    def shown_equivalent(self) -> bool:
        """Whether the interval shows that the two differ by less than the margin."""
        if self.margin is None or math.isnan(self.equivalent):
            return False
        return -self.margin < self.low <= self.high < self.margin

    @property
    def evidence(self) -> str:
        """The adjusted p-value in words, or the posterior probability that the sign is right."""
        if math.isnan(self.probability):
            return p_text(self.adjusted)
        return f"probability {probability_text(max(self.probability, 1 - self.probability))}"

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
        return replace(self, **turned, not_worse=math.nan, probability=1 - self.probability)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
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
        lr and rf do not differ clearly in binary f1: 0.000 [-0.019, 0.019] (permutation, p = 1). The two differ in 0 examples, \
fewer than 10, so p is that of an exact test.
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
        chance = [self.evidence] if self.tested else []
        return ", ".join([NAMES[self.method], *chance, *([self.corrected_for] if self.corrected_for else [])])

    @property
    def corrected_for(self) -> str:
        """The correction in words, such as "simultaneous over 3 pairs"; "" if nothing is corrected."""
        if not self.correction or self.family < 2:
            return ""
        return f"{CORRECTIONS[self.correction]} over {self.family} {'tests' if self.across_scores else 'pairs'}"

    def _about_margin(self) -> list[str]:
        if self.margin is None:
            return []
        said = []
        if not math.isnan(self.not_worse):
            how = "is not worse" if self.shown_not_worse else "is not shown to be not worse"
            sure = self._one_sided(self.not_worse, self.shown_not_worse)
            said.append(f"{self.first} {how} than {self.second} by more than {self.margin:g} ({sure}).")
        if not math.isnan(self.equivalent):
            how = "are equivalent" if self.shown_equivalent else "are not shown to be equivalent"
            sure = self._one_sided(self.equivalent, self.shown_equivalent)
            said.append(f"The two {how} within {self.margin:g} ({sure}).")
        return said

    def _one_sided(self, chance: float, shown: bool) -> str:
        """Return a one-sided p-value in words, with its limit; or a posterior probability."""
        if not math.isnan(self.probability):
            return f"probability of more {probability_text(chance)}"
        return f"one-sided {p_text(chance)}" + ("" if shown else f", not below {(1 - self.level) / 2:.3g}")

    def __str__(self) -> str:
        return " ".join([self._sentence(), *self._about_margin()])

    def __repr__(self) -> str:
        ends = "" if math.isnan(self.low) else f" [{self.low:.3g}, {self.high:.3g}]"
        chance = f"{self.evidence}, {NAMES[self.method]}" if self.tested else "no test"
        return f"{self.first} - {self.second}, {self.score}: {self.value:.3g}{ends} ({chance})"


def _signed_text(x: float) -> str:
    return f"{x + 0.0:.3f}".replace("-0.000", "0.000")
