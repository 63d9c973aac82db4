"""Trials: a function's answers to all probes of a kind, and how well each candidate fits them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

import numpy as np

from ...algebra.score import Undefined
from .callers import Caller, Outcome, RefusedError
from .candidates import RAISED, Candidate, CandidateAnswer, Option, ProbeCounts, averages, candidates, families, problems
from .probes import Probe, probes


@dataclass(frozen=True, eq=False)
class Trial:
    """All probes of a kind, with what the function returned for them."""

    caller: Caller
    container: str
    m: int
    probed: tuple[tuple[Probe, Outcome], ...]

    @property
    def kind(self) -> str:
        """The kind of the problems."""
        return self.probed[0][0].kind

    @property
    def constant(self) -> float | None:
        """The number that the function returns for every problem and every class, or None."""
        outcomes = [o for _, o in self.probed if not o.error]
        values = [x for o in outcomes for x in np.ravel(o.value).tolist()]
        same = len(outcomes) > 1 and all(Outcome(x, outcomes[0].tolerance).agrees(values[0]) for x in values)
        return values[0] if same else None

    @property
    def per_class(self) -> bool:
        """Whether the function returns one value per class."""
        return not isinstance(self.probed[0][1].value, float)

    @property
    def digits(self) -> int:
        """The number of digits to which values are compared; single precision has fewer."""
        return 5 if any(o.tolerance > 1e-9 for _, o in self.probed) else 9

    def problems(self, i: int) -> dict[str, ProbeCounts]:
        """Return a probe as a source of counts, over the classes found and over all classes given."""
        return problems(self.probed[i][0], self.m)

    def reads_flat(self) -> bool:
        """Return whether the function reads a 0/1 matrix as one long vector of labels."""
        for probe, outcome in self.probed:
            flat = replace(probe, y_true=probe.y_true.ravel(), y_pred=probe.y_pred.ravel())
            if probe.generic and not self.caller(flat, self.container).agrees(outcome.value):
                return False
        return True


def find_trial(caller: Caller, kind: str, sizes: Iterable[int], labels: Any) -> Trial | str:
    """Return the trial in the first container and number of classes that the function accepts.

    If it accepts none of them, return a text that says why.
    """
    reason = ""
    for m in sizes:
        every = probes(kind, m)
        for container in caller.containers:
            try:
                first = caller(every[0], container, labels)
                if not first.error and not isinstance(first.value, float) and len(first.value) != m:
                    raise RefusedError(f"it returned {len(first.value)} values for {m} classes")
                if not first.error:
                    rest = [(probe, caller(probe, container, labels)) for probe in every[1:]]
                    return Trial(caller, container, m, ((every[0], first), *rest))
                reason = reason or first.error
            except RefusedError as error:
                reason = reason or str(error)
    return reason


@dataclass(frozen=True)
class Standing:
    """How well a candidate fits: the conventions that fit all probes.

    Possibly no convention fits, although all defined values agree.
    """

    options: frozenset[Option]
    fits: tuple[tuple[int, frozenset[Option]], ...] = ()  # the probes that distinguish conventions, and what fits each
    agreed: int = 0  # the number of generic probes that it got right before it failed
    failure: tuple[Any, ...] | None = None  # the probe where it is defined and wrong, its value, the function's value

    def nearness(self) -> tuple[int, float]:
        """Return how close it came: the generic probes it got right, then minus the error on the next."""
        *_, mine, other = self.failure or (math.nan, math.nan)
        if not isinstance(mine, float) or not isinstance(other, float) or not math.isfinite(mine - other):
            return self.agreed, -math.inf
        return self.agreed, -abs(mine - other)


def standings(trial: Trial, among: Iterable[Candidate] | None = None) -> dict[Candidate, Standing]:
    """Return how well each candidate fits, the preferred candidates first.

    ``among``: only these candidates, if their average applies.
    """
    apply = averages(trial.kind, trial.per_class)
    these = candidates(trial.kind, trial.per_class) if among is None else [c for c in among if c.average in apply]
    return {candidate: _standing(candidate, trial) for candidate in these}


def solve_families(trial: Trial) -> Iterator[Candidate]:
    """Yield the members of families with one parameter that have the same values as the function.

    The parameter is solved for on one generic probe, so agreement on this probe shows nothing; the other probes decide.
    """
    for family in families(trial.kind, trial.per_class):
        for i in _solvable_probes(family, trial):
            gap = _gap(family, trial, i)
            points = [(x, g) for x, g in ((x, gap(x)) for x in family.grid()) if math.isfinite(g)]
            heights = [g for _, g in points]
            if (
                points and max(heights) - min(heights) > trial.probed[i][1].tolerance
            ):  # otherwise the parameter does not matter here
                yield from (c for root in _roots(gap, points) for c in _member(family, root, trial, gap))
                break


def _solvable_probes(family: Candidate, trial: Trial) -> list[int]:
    """Return the generic probes where the family and the function are both defined."""
    generic = [i for i, (p, o) in enumerate(trial.probed) if p.generic and not o.error and np.isfinite(o.value).all()]
    return [i for i in generic if not family.on(trial.problems(i)["found"]).undefined]


def _member(family: Candidate, root: float, trial: Trial, gap: Callable[[float], float]) -> list[Candidate]:
    """Return the member that fits all probes with the shortest parameter near a root, if there is one."""
    members = (family.at(value) for value in family.readable(root) if math.isfinite(gap(value)))
    fared = ((c, _standing(c, trial)) for c in members)
    return [*islice((c for c, s in fared if s.failure is None and s.agreed > 1), 1)]


def _gap(family: Candidate, trial: Trial, i: int) -> Callable[[float], float]:
    """Return the family's answer minus the function's on one probe, as a function of the parameter."""
    problem, target = trial.problems(i)["found"], _one_number(trial.probed[i][1].value)

    def gap(value: float) -> float:
        try:
            answer = family.at(value).answer(problem)  # not cached: there are many, and each is needed once
        except (ArithmeticError, TypeError, ValueError):  # some formulas cannot be computed at every parameter
            return math.nan
        return _one_number(answer.under("nan")[0]) - target

    return gap


def _one_number(value: Any) -> float:
    return value if isinstance(value, float) else float(np.mean(value))


def _roots(gap: Callable[[float], float], points: list[tuple[float, float]]) -> Iterator[float]:
    """Yield where a function of one parameter is zero.

    Zeros are at points of its graph, between two of them, or next to a point where the function turns.
    """
    yield from (x for x, g in points if g == 0)
    for (a, ga), (b, gb) in pairwise(points):
        if ga * gb < 0:
            yield _bisect(gap, a, b)
    for (a, ga), (_, g), (b, gb) in zip(points, points[1:], points[2:], strict=False):
        if ga * g > 0 and g * gb > 0 and abs(g) < min(abs(ga), abs(gb)):  # two roots, or a double one, may lie in between
            turn = _turn(gap, a, b, sign=math.copysign(1, g))
            yield from (_bisect(gap, a, turn), _bisect(gap, turn, b)) if gap(turn) * g < 0 else (turn,)


def _bisect(gap: Callable[[float], float], a: float, b: float) -> float:
    positive = gap(b) > 0
    while a < (middle := (a + b) / 2) < b:
        a, b = (a, middle) if (gap(middle) > 0) is positive else (middle, b)
    return b


def _turn(gap: Callable[[float], float], a: float, b: float, *, sign: float) -> float:
    """Return where a function of this sign is nearest to zero between two points.

    If a place is found where it has the other sign, return this place.
    """
    shrink = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = b - shrink * (b - a), a + shrink * (b - a)
        a, b = (a, right) if sign * gap(left) <= sign * gap(right) else (left, b)
        if sign * gap((a + b) / 2) < 0:
            break
    return (a + b) / 2


def _standing(candidate: Candidate, trial: Trial) -> Standing:
    options = candidate.options
    fits, clean = [], 0
    for i, (probe, outcome) in enumerate(trial.probed):
        fitting, undefined = _fitting_options(candidate, outcome, trial.problems(i))
        if outcome.error and not all(undefined):
            continue  # the function does not accept this probe: this says nothing about conventions
        if not fitting and not any(undefined):
            value = candidate.on(trial.problems(i)["found"]).under("nan")[0]
            return Standing(frozenset(), agreed=clean, failure=(str(probe), str(candidate), value, outcome.value))
        clean += probe.generic and not any(undefined)
        if fitting != candidate.options:
            fits.append((i, fitting))
        options &= fitting
    if not clean:  # only conventions made it fit: its agreement says nothing about the measure
        return Standing(frozenset(), failure=(str(candidate), "undefined in every generic probe"))
    return Standing(options, tuple(fits), clean)


def _fitting_options(
    candidate: Candidate, outcome: Outcome, over: dict[str, ProbeCounts]
) -> tuple[frozenset[Option], list[bool]]:
    """Return the conventions under which candidate and function agree, and whether values are undefined."""
    answers = {"found": candidate.on(over["found"])}
    answers["given"] = answers["found"] if over["given"] is over["found"] else candidate.on(over["given"])
    fitting = {answer: _conventions(candidate, outcome, answer) for answer in answers.values()}
    options = frozenset(o for o in candidate.options if o.undefined in fitting[answers[o.over]])
    return options, [a.undefined for a in answers.values()]


def _conventions(candidate: Candidate, outcome: Outcome, answer: CandidateAnswer) -> set[Undefined]:
    """Return the conventions under which one answer equals the function's."""
    pool = {o.undefined for o in candidate.options}
    if not answer.undefined:  # then all conventions give the same value
        return pool if outcome.agrees(answer.under("nan")[0]) else set()
    return {u for u in pool if any(bool(outcome.error) if x is RAISED else outcome.agrees(x) for x in answer.under(u))}
