"""The result of tuning: a rule for ``decide=``, and the closed form (tab:exp_threshold).

Some thresholds are right only for calibrated probabilities, so a quick check of calibration belongs to it (sec:calibration).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import find_average
from ...algebra.measure import Measure
from ...algebra.score import Score
from ...ranking.threshold_steps import stable_order
from ...words.call_mistakes import answers_mistakes
from ...words.wording import no_attribute
from .best_thresholds import Plateau, met_in_words, plateau_in_words, tuned_html

BINS, LEVEL = 10, 0.05
_EVALUATION = "It is a method of .evaluation, which counts the rule on the same data."
_RULE = ".rule is the threshold, or one for each class; it goes into decide=."
OTHER_ATTRIBUTES = {  # what people look for, and where it is
    **dict.fromkeys(("save", "to_html", "report", "score", "interval", "table"), _EVALUATION),
    **dict.fromkeys(("threshold", "thresholds", "best_threshold", "decide"), _RULE),
}
METHODS_IN_WORDS = {"sweep": "the best of all thresholds on these data", "closed form": "the closed form for calibrated scores"}


@dataclass(frozen=True, eq=False)
class Choice:
    """One threshold: the best on the data with its plateau, and the closed form t*.

    It also has what t* would lose here.
    """

    unit: Any  # the class it is for, or the average that shares it
    threshold: float
    value: float  # of the measure, at the threshold
    plateaus: tuple[Plateau, ...]  # thresholds t with low < t <= high are all best, and no others
    plateau: Plateau  # the widest of them
    closed_form: float | None  # t*, the best threshold in the population if scores are calibrated; None: it does not exist
    lost: float | None  # how much worse t* is than the plateau on these data
    calibration: Calibration
    reached: Mapping[str, float] = field(default_factory=dict)  # what each constraint limits, at the threshold

    @property
    def span(self) -> tuple[float, float]:
        """From the lowest to the highest of all best thresholds.

        In between, some may be worse.
        """
        return min((low for low, _ in self.plateaus), default=math.nan), max(
            (high for _, high in self.plateaus), default=math.nan
        )

    @property
    def inside(self) -> bool | None:
        """Whether the closed form lies on a plateau."""
        t = self.closed_form
        return None if t is None else any(low < t <= high for low, high in self.plateaus)

    @property
    def distance(self) -> float | None:
        """How far the closed form lies from the nearest plateau.

        It is 0 on it and at its ends, and nan where there is no plateau.
        """
        t = self.closed_form
        return None if t is None else min((max(0.0, low - t, t - high) for low, high in self.plateaus), default=math.nan)


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class Tuned:
    """The decision rule that was chosen, its value on the same data, and what theory says of it.

    It goes into ``decide=``. Its ``rule`` is one threshold, or one per class where classes are averaged. ``plateau``, ``span``,
    ``closed_form``, ``inside``, ``distance``, ``lost`` and ``calibration`` are likewise of one threshold or one per class.

    Attributes
    ----------
    measure : Measure
        What was maximized, or minimized where lower is better.
    average : str or None
        Its average.
    method : str
        "sweep" or "closed form".
    choices : tuple of Choice
        What was chosen for each threshold.
    value : Score
        The value at the rule, on the same data.
    evaluation : Evaluation
        The evaluation at the rule.
    subject_to : tuple of Constraint
        What the thresholds had to meet; empty if nothing. ``reached`` says what each of them limits, at the rule.
    """

    measure: Measure
    average: str | None
    method: str  # "sweep" or "closed form"
    choices: tuple[Choice, ...]
    value: Score  # of the rule, by evaluate
    evaluation: Any  # the Evaluation at the rule
    subject_to: tuple[Any, ...] = ()  # constraints that the thresholds meet

    @property
    def rule(self) -> Any:
        """The threshold, or one per class: a score >= threshold is predicted positive."""
        return self._each("threshold")

    @property
    def plateau(self) -> Any:
        """Thresholds that are all best, t with low < t <= high: the widest such interval."""
        return self._each("plateau")

    @property
    def span(self) -> Any:
        """From the lowest to the highest of all best thresholds.

        There may be several plateaus.
        """
        return self._each("span")

    @property
    def closed_form(self) -> Any:
        """The threshold t* that is best in the population if scores are calibrated.

        It is None where it does not exist.
        """
        return self._each("closed_form")

    @property
    def inside(self) -> Any:
        """Whether t* lies on the plateau."""
        return self._each("inside")

    @property
    def distance(self) -> Any:
        """How far t* lies from the plateau."""
        return self._each("distance")

    @property
    def lost(self) -> Any:
        """How much worse the measure is at t* than on the plateau, on these data."""
        return self._each("lost")

    @property
    def calibration(self) -> Any:
        """The check of the scores as probabilities."""
        return self._each("calibration")

    @property
    def reached(self) -> Any:
        """What each constraint limits at the rule, such as {"recall >= 0.9": 0.95}."""
        return self._each("reached")

    @property
    def how(self) -> str:
        """How the rule was chosen, in words."""
        words = METHODS_IN_WORDS[self.method]
        if not self.subject_to:
            return words
        alone = ", each class by itself" if len(self.choices) > 1 else ""
        return f"{words} that meet {' and '.join(map(str, self.subject_to))}{alone}"

    def _each(self, name: str) -> Any:
        found = tuple(getattr(choice, name) for choice in self.choices)
        return found if self.average is not None and "class" in find_average(self.average).per else found[0]

    def __repr__(self) -> str:
        limited = f", subject to {' and '.join(map(str, self.subject_to))}" if self.subject_to else ""
        return f"<Tuned: {self.measure}{limited}, {self.method}, decide={self.rule!r}>"

    def __str__(self) -> str:
        return "\n".join([f"{self._title()}, by {self.how}", *(_line(choice) for choice in self.choices)])

    def _title(self) -> str:
        return f"{self.average or 'binary'} {self.measure} = {float(self.value):.6g}"

    def _repr_html_(self) -> str:
        return tuned_html(self, f"{self._title()}, by {self.how}.")

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A tuned rule", name, OTHER_ATTRIBUTES)


def _line(choice: Choice) -> str:
    line = f"  {choice.unit}: decide={choice.threshold:.6g}, {choice.value:.6g}"
    if math.isnan(choice.plateau[1]):
        return f"{line}, undefined at every threshold: these data do not tell which is best"
    if choice.reached:
        return f"{line}; {met_in_words(choice.reached)}; as good as any of these in {plateau_in_words(*choice.plateau)}"
    line += f"; as good as any in {plateau_in_words(*choice.plateau)}"
    if choice.closed_form is None:
        return f"{line}; no closed form"
    where = "on it" if choice.inside else f"{choice.distance:.3g} from it, which costs {choice.lost:.3g} here"
    return f"{line}; t* = {choice.closed_form:.6g} is {where}; {choice.calibration}"


@answers_mistakes
@dataclass(frozen=True)
class Calibration:
    """A quick check of calibration: mean prediction and observed share in up to ten bins of equal mass.

    It says whether chance explains the gaps. ``p_value`` is the probability, if the predictions are the true probabilities, of
    a standardized gap as large as the largest one here in any bin (normal approximation with continuity correction; the bins
    are independent). ``passed`` says that it is at least 0.05: with few examples that is not a proof.

    Attributes
    ----------
    predicted : tuple of float
        The mean prediction in each bin, from the highest.
    observed : tuple of float
        The share of positives in each bin.
    mass : tuple of float
        The number of examples in each bin, or their weight.
    p_value : float
        The probability of gaps as large as these if the predictions are calibrated; nan without examples, and where scores
        are not probabilities.
    """

    predicted: tuple[float, ...]  # mean in each bin, from the highest
    observed: tuple[float, ...]
    mass: tuple[float, ...]  # examples, or weight
    p_value: float  # nan without examples, and where scores are not probabilities

    @property
    def passed(self) -> bool:
        """Whether gaps as large as these are to be expected of calibrated probabilities."""
        return self.p_value >= LEVEL

    @property
    def gap(self) -> float:
        """The largest difference between mean prediction and observed share in a bin."""
        return max((abs(p - o) for p, o in zip(self.predicted, self.observed, strict=True)), default=math.nan)

    def __str__(self) -> str:
        if not self.mass or math.isnan(self.p_value):
            why = "scores are not probabilities" if self.mass else "there are no examples"
            return f"calibration was not checked: {why}"
        verdict = "chance explains it" if self.passed else "chance does not explain it"
        chance = "p < 0.0001" if self.p_value < 1e-4 else f"p = {self.p_value:.2g}"
        return f"largest gap {self.gap:.3g} in {len(self.mass)} bins of equal mass, {chance}: {verdict}"


def check_calibration(scores: Array, positive: Array, weights: Array | None = None) -> Calibration:
    """Return whether scores, read as probabilities, agree with the labels up to chance.

    Equal scores stay in one bin.

    >>> labels = np.arange(400) % 4 == 0
    >>> check_calibration(np.full(400, 0.25), labels).passed, check_calibration(np.full(400, 0.4), labels).passed
    (True, False)
    """
    w = np.ones(len(scores)) if weights is None else weights
    total = float(w.sum())
    if not total:
        return Calibration((), (), (), math.nan)
    if not ((scores >= 0) & (scores <= 1)).all():
        return Calibration((), (), (total,), math.nan)
    p = np.asarray(scores, np.float64) + 0.0  # -0.0 becomes 0.0, so that the bits of all of them are in their order
    order = stable_order(p.view(np.uint64))[0][::-1]
    p, w, positive = p[order], w[order], positive[order]
    first = np.flatnonzero(np.append(True, p[1:] != p[:-1]))  # of each run of equal scores
    mass = np.add.reduceat(w, first)
    bin_of = np.minimum((BINS * (np.cumsum(mass) - mass / 2) / total).astype(int), BINS - 1)
    starts = first[np.diff(bin_of, prepend=-1) > 0]
    sums = np.stack([np.add.reduceat(x, starts) for x in (w, w * p, w * positive, w**2 * p * (1 - p))])
    size, expected, observed, variance = sums[:, sums[0] > 0]
    surplus = np.maximum(abs(observed - expected) - float((w**2).sum()) / total / 2, 0)  # half an example
    with np.errstate(divide="ignore", invalid="ignore"):  # predictions that are certain and wrong are infinitely far off
        z = float(np.where(surplus > 0, surplus / np.sqrt(variance), 0.0).max())
    alone = math.erfc(z / math.sqrt(2))
    p_value = 1.0 if alone == 1 else -math.expm1(len(size) * math.log1p(-alone))
    predicted, shares = (tuple((x / size).tolist()) for x in (expected, observed))
    return Calibration(predicted, shares, tuple(size.tolist()), p_value)
