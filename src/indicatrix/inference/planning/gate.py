"""Gates: scores that must reach a limit, watched in batches with a known share of false alarms.

A gate holds the sum of the evaluations that it has seen and nothing else: its intervals are confidence sequences, which hold at
every look at once, so that it does not matter how often somebody looked, or that he stops when he likes what he sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ...algebra.average import ALIASES, AVERAGES, BINARY, Name, score_name
from ...algebra.derived.derived_facts import SIGNS, about_direction
from ...algebra.ends import check_level
from ...algebra.measure_names import average_in, ends_of, resolve
from ...algebra.score import Undefined, check_undefined
from ...storage.formats import add_to_zero, from_format, save, with_format
from ...storage.json_values import fields, number_in, number_out
from ...words.call_mistakes import answers_mistakes
from ...words.wording import did_you_mean, number_of, short
from ..estimators.of_evaluation import only_some_weighted
from ..estimators.of_source import holds_labels
from ..intervals.interval import SEQUENTIAL, Interval
from ..intervals.of_score import interval

REACHED, FAILED, UNDECIDED = "reached", "failed", "undecided"
NOTHING_SEEN = "No examples were seen yet."
HOW = "Write an average, a measure, = and a number: 'macro f1=0.8'."


@dataclass(frozen=True)
class Check:
    """A score and its limit: it must reach the limit or, where lower is better, not exceed it."""

    measure: Any
    average: Name | None
    limit: float

    @property
    def lower(self) -> bool:
        """Whether lower values are better."""
        return bool(self.measure.better == "lower")

    def __str__(self) -> str:
        if self.average in (None, BINARY, *AVERAGES):
            return score_name(self.measure, self.average)
        return f"{self.average} {self.measure}"  # accuracy of groups is of examples

    @property
    def text(self) -> str:
        """The text that stands for the check, such as ``macro f1=0.8``."""
        return f"{self}={self.limit!r}"

    def reached(self, value: float) -> bool:
        """Return whether a value reaches the limit; an undefined one does not."""
        return value <= self.limit if self.lower else value >= self.limit

    def verdict(self, ends: Interval) -> str:
        """Return what an interval that holds at every look says: reached, failed or undecided."""
        best, worst = (ends.low, ends.high) if self.lower else (ends.high, ends.low)
        if math.isnan(best) or math.isnan(worst):
            return UNDECIDED
        return REACHED if self.reached(worst) else UNDECIDED if self.reached(best) else FAILED


def read_limit(text: str, axes: Collection[str] | None = None, read: Callable[[str], Any] = resolve) -> Check:
    """Return the check that a text stands for.

    ``axes`` are the groupings whose mean may be meant; None: any name.

    >>> read_limit("macro f1 = 0.8").text, read_limit("log_loss=0.5").lower, read_limit("site accuracy=0.8").average
    ('macro f1=0.8', True, 'site')
    """
    score, _, limit = text.rpartition("=") if isinstance(text, str) else ("", "", "")
    try:
        value = math.nan if "_" in limit else float(limit)
    except ValueError:
        value = math.nan
    if not score.strip(" <>=!") or score.rstrip()[-1] in "<>=!" or not math.isfinite(value):
        raise ValueError(f"{short(text)} is not a check. {HOW}")
    try:
        measure, average = _measure_and_average(" ".join(score.split()), axes, read)
    except (ValueError, TypeError) as wrong:
        raise ValueError(f"{text!r}: {wrong}") from None
    if reason := why_no_limit(measure, value):
        raise ValueError(f"{text!r}: {reason}")
    return Check(measure, average, value)


def _measure_and_average(text: str, axes: Collection[str] | None, read: Callable[[str], Any]) -> tuple[Any, Name | None]:
    """Return what a text names: a measure, and before or after it an average or a grouping."""
    if named := average_in(text, axes or ()):
        return read(named[1]), ALIASES.get(named[0], named[0])
    try:
        return read(text), None
    except (ValueError, TypeError):
        for word, rest in ends_of(text):
            try:
                measure = read(rest)
            except (ValueError, TypeError):
                continue
            if question := did_you_mean(word, [*AVERAGES, *ALIASES, BINARY, *(axes or ())]):
                raise ValueError(f"{word!r} is not an average. {question}") from None
            if axes is None and word.isidentifier():
                return measure, word
        raise


def why_no_limit(measure: Any, limit: float) -> str:
    """Return why a number cannot be the limit of a measure; empty if it can.

    >>> from ...catalogue.counts.paper_groups import recall
    >>> why_no_limit(recall, 0.9), why_no_limit(recall, 90)
    ('', 'recall lies between 0 and 1, so that all data have the same answer. Write a limit between these.')
    """
    if measure.better not in SIGNS:
        return f"no value can fail. {about_direction(measure, measure.better)} Check another measure."
    low, high = measure.range
    if low <= limit <= high:
        return ""
    return f"{measure} lies between {low:g} and {high:g}, so that all data have the same answer. Write a limit between these."


@answers_mistakes
@dataclass(frozen=True)
class Verdict:
    """The state of one check of a gate: reached, failed or undecided.

    Attributes
    ----------
    check : str
        The score and its limit, such as "macro f1=0.8".
    interval : Interval
        The score of all examples so far, with its confidence sequence.
    answer : str
        "reached": the true score reaches the limit; "failed": it does not; "undecided": it may or may not.
    """

    check: str
    interval: Interval
    answer: str

    def __str__(self) -> str:
        return f"{self.check}: {self.interval}, {self.answer}"


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Gate:
    """Scores that must reach limits, for evaluations that come batch by batch.

    ``gate += ix.evaluate(…)`` adds a batch. The answers hold at every look at once: if the true score reaches its limit, the
    chance that the gate ever calls it failed is at most 1 - level, for each check, however often one looks. That is exact for
    shares of independent examples such as accuracy and recall, and for large samples for others. The batches are samples of the
    same data: where these change, the gate speaks about their mix.

    Parameters
    ----------
    checks : str or iterable of str
        Scores with their limits, ``"macro f1=0.8"``; where lower is better, the limit is the highest value that passes.
    level : float, default 0.95
        The share of gates whose intervals hold the true score at all looks.
    clusters : str, optional
        A grouping of by= whose groups were sampled as a whole, such as patients.
    undefined : str or number, default 'exclude'
        What an undefined value does to an average, as ``score`` takes it.
    seen : Evaluation or Sweep, optional
        What was seen before; usually not given. Checks of areas and losses take sweeps, ``gate += ix.sweep(…)``, which keep the
        scores in memory.

    References
    ----------
    - I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas (2024). Time-uniform central limit theory and asymptotic
      confidence sequences. The Annals of Statistics 52:2613-2640. https://arxiv.org/abs/2103.06476

    Examples
    --------
    >>> import indicatrix as ix
    >>> gate = ix.Gate("accuracy=0.9")
    >>> for day in range(3):
    ...     gate += ix.evaluate([0, 1] * 50, [0, 1, 1, 1] * 25)
    >>> print(gate)
    Gate after 300 examples, level 0.95
      accuracy=0.9: 0.75 [0.657, 0.83], failed
    >>> gate.failed
    True
    """

    checks: Any
    level: float = 0.95
    clusters: str | None = None
    undefined: Undefined = "exclude"
    seen: Any = None

    def __post_init__(self) -> None:
        given = (self.checks,) if isinstance(self.checks, str) else self.checks
        if not isinstance(given, Iterable) or not (given := tuple(given)):
            raise TypeError(f"A gate needs at least one check. {HOW}")
        object.__setattr__(self, "checks", tuple(read_limit(text).text for text in given))
        check_level(self.level)
        check_undefined(self.undefined)

    @property
    def n(self) -> int:
        """The number of examples that were seen."""
        return 0 if self.seen is None else int(self.seen.n)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The answer to each check."""
        found = [(check, self._interval(check)) for check in map(read_limit, self.checks)]
        return tuple(Verdict(check.text, ends, check.verdict(ends)) for check, ends in found)

    def _interval(self, check: Check) -> Interval:
        about = (check.measure, check.average, self.undefined)
        if not self.n:
            return Interval(math.nan, math.nan, math.nan, self.level, SEQUENTIAL, NOTHING_SEEN, *about)
        options: dict[str, Any] = {"level": self.level, "undefined": self.undefined, "clusters": self.clusters}
        return interval(self.seen, check.measure, check.average, method=SEQUENTIAL, **options)

    @property
    def failed(self) -> bool:
        """Whether a check has failed for sure: its true score does not reach the limit."""
        return any(one.answer == FAILED for one in self.verdicts)

    @property
    def reached(self) -> bool:
        """Whether all checks have passed for sure: their true scores reach the limits."""
        return all(one.answer == REACHED for one in self.verdicts)

    def __add__(self, other: Any) -> Gate:
        if isinstance(other, Gate):
            if self._asked() != other._asked():
                raise ValueError(f"Two gates add if they ask the same: {self._asked()} is not {other._asked()}.")
            other = other.seen
        elif not (holds_labels(other) or isinstance(other, _sweep())):
            raise TypeError(
                f"A gate adds evaluations, sweeps and gates that ask the same, and this is {short(other)}. Of runs of language "
                "models it adds runs.evaluate(), of prediction sets found.evaluation."
            )
        if self.seen is not None and other is not None and holds_labels(self.seen) != holds_labels(other):
            raise TypeError("A gate has seen evaluations or sweeps, not both: counts of decisions and scores do not add.")
        if other is not None and self.n and other.n and holds_labels(other) and only_some_weighted((self.seen, other)):
            raise ValueError(
                "Some batches of a gate have weights, and others count each example once. Give all of them weights: "
                "sample_weight=np.ones(n) says that each counts once."
            )
        seen = self.seen if other is None else other if self.seen is None else self.seen + other
        return replace(self, seen=seen)

    def _asked(self) -> tuple[Any, ...]:
        return self.checks, self.level, self.clusters, self.undefined

    def __str__(self) -> str:
        lines = [f"Gate after {number_of(self.n, 'example')}, level {self.level:g}"]
        return "\n".join([*lines, *(f"  {one}" for one in self.verdicts)])

    def __repr__(self) -> str:
        return f"<Gate: {', '.join(self.checks)}, {number_of(self.n, 'example')}>"

    __radd__, save = add_to_zero, save


def _sweep() -> type:
    from ...scores.thresholds.sweep import Sweep  # only scores need it, and the modules that it loads

    return Sweep


def to_data(gate: Gate) -> dict[str, Any]:
    """Return a gate as plain data; one of scores is refused."""
    if not (gate.seen is None or holds_labels(gate.seen)):
        raise ValueError(
            "A gate of scores is not saved: its intervals need the score of each example, and files hold no raw rows. Keep it in "
            "memory, or watch a score of decisions."
        )
    undefined = gate.undefined if isinstance(gate.undefined, str) else number_out(gate.undefined)
    return {
        "checks": list(gate.checks),
        "level": number_out(gate.level),
        "clusters": gate.clusters,
        "undefined": undefined,
        "seen": None if gate.seen is None else with_format(gate.seen),
    }


def from_data(version: int, data: dict[str, Any]) -> Gate:
    """Return the gate that plain data describe."""
    names = ("checks", "level", "clusters", "undefined", "seen")
    checks, level, clusters, undefined, seen = fields(data, names, "a gate")
    if not isinstance(checks, list) or not all(isinstance(text, str) for text in checks):
        raise ValueError(f"'checks' of the gate is {short(checks)}, not a list of texts")
    if not (clusters is None or isinstance(clusters, str)):
        raise ValueError(f"'clusters' of the gate is {short(clusters)}, not the name of a grouping")
    convention = undefined if undefined in ("exclude", "nan", "raise") else number_in(undefined, "'undefined' of the gate")
    ev = None if seen is None else from_format("Evaluation", seen, "'seen' of the gate")
    gate = Gate(tuple(checks), number_in(level, "'level' of the gate"), clusters, convention, ev)
    _ = gate.verdicts  # a gate that cannot answer is refused where it comes in
    return gate
