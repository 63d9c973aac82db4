"""Trials: a function's answers to all probes of a kind, and how each candidate fares against them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..algebra.average import Undefined
from .calling import Caller, Outcome, RefusedError
from .candidates import RAISED, Answer, Candidate, Option, Problem, candidates, problems
from .probing import Probe, probes


@dataclass(frozen=True, eq=False)
class Trial:
    """All probes of a kind with what the function made of them."""

    caller: Caller
    container: str
    m: int
    probed: tuple[tuple[Probe, Outcome], ...]

    @property
    def per_class(self) -> bool:
        """Whether the function returns one value per class."""
        return not isinstance(self.probed[0][1].value, float)

    @property
    def digits(self) -> int:
        """To how many digits values are compared: single precision has fewer."""
        return 5 if any(o.tolerance > 1e-9 for _, o in self.probed) else 9

    def problems(self, i: int) -> dict[str, Problem]:
        """Return a probe as a source of counts, over the classes found and over all given."""
        return problems(self.probed[i][0], self.m)

    def reads_flat(self) -> bool:
        """Return whether the function takes a 0/1 matrix for one long vector of labels."""
        for probe, outcome in self.probed:
            flat = replace(probe, y_true=probe.y_true.ravel(), y_pred=probe.y_pred.ravel())
            if probe.generic and not self.caller(flat, self.container).agrees(outcome.value):
                return False
        return True


def accepted(caller: Caller, kind: str, sizes: Iterable[int], labels: Any) -> Trial | str:
    """Return the trial in the first container and number of classes that the function takes, or why it takes none."""
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
    """How a candidate fares: the conventions that fit all probes; none may, although its defined values agree."""

    options: frozenset[Option]
    fits: tuple[tuple[int, frozenset[Option]], ...] = ()  # the probes that tell conventions apart, and what fits each
    agreed: int = 0  # generic probes that it got right before it failed
    failure: tuple[Any, ...] | None = None  # the probe where it is defined and wrong, its value, the function's value

    def nearness(self) -> tuple[int, float]:
        """Return how close it came: the generic probes it got right, then how little it missed by."""
        *_, mine, other = self.failure or (math.nan, math.nan)
        if not isinstance(mine, float) or not isinstance(other, float) or not math.isfinite(mine - other):
            return self.agreed, -math.inf
        return self.agreed, -abs(mine - other)


def standings(trial: Trial) -> dict[Candidate, Standing]:
    """Return how each candidate fares, the preferred candidates first."""
    kind = trial.probed[0][0].kind
    return {candidate: _fares(candidate, trial) for candidate in candidates(kind, trial.per_class)}


def _fares(candidate: Candidate, trial: Trial) -> Standing:
    options = candidate.options
    fits, clean = [], 0
    for i, (probe, outcome) in enumerate(trial.probed):
        fitting, undefined = _fitting(candidate, outcome, trial.problems(i))
        if outcome.error and not all(undefined):
            continue  # the function does not take this probe: no convention is at fault
        if not fitting and not any(undefined):
            value = candidate.on(trial.problems(i)["found"]).under("nan")[0]
            return Standing(frozenset(), agreed=clean, failure=(str(probe), str(candidate), value, outcome.value))
        clean += probe.generic and not any(undefined)
        if fitting != candidate.options:
            fits.append((i, fitting))
        options &= fitting
    if not clean:  # fitted by conventions alone: its agreement says nothing about the measure
        return Standing(frozenset(), failure=(str(candidate), "undefined in every generic probe"))
    return Standing(options, tuple(fits), clean)


def _fitting(candidate: Candidate, outcome: Outcome, over: dict[str, Problem]) -> tuple[frozenset[Option], list[bool]]:
    """Return the conventions under which the candidate says what the function says, and whether its values are undefined."""
    answers = {"found": candidate.on(over["found"])}
    answers["given"] = answers["found"] if over["given"] is over["found"] else candidate.on(over["given"])
    fitting = {answer: _conventions(candidate, outcome, answer) for answer in answers.values()}
    options = frozenset(o for o in candidate.options if o.undefined in fitting[answers[o.over]])
    return options, [a.undefined for a in answers.values()]


def _conventions(candidate: Candidate, outcome: Outcome, answer: Answer) -> set[Undefined]:
    """Return the conventions under which one answer is the function's."""
    pool = {o.undefined for o in candidate.options}
    if not answer.undefined:  # then all conventions say the same
        return pool if outcome.agrees(answer.under("nan")[0]) else set()
    return {u for u in pool if any(bool(outcome.error) if x is RAISED else outcome.agrees(x) for x in answer.under(u))}
