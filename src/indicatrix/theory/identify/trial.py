"""Trials: a function's answers to all probes of a kind, and how well each candidate fits them.

How to call a metric function: what its arguments mean, what it accepts, and what it returns.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

import numpy as np

from ...algebra.arrays import quiet
from ...algebra.counts import CELLS
from ...algebra.score import Undefined
from ...words.wording import type_of
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


TRUE = {"y_true", "true", "target", "targets", "truth", "ground_truth", "reference", "references", "actual", "expected"}
TRUE |= {"labels_true", "gold", "y", "t"}
PRED = {"y_pred", "pred", "preds", "prediction", "predictions", "predicted", "y_hat", "yhat", "output", "outputs"}
PRED |= {"labels_pred", "p"}
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "arrays": np.array,
    "lists": lambda x: x.tolist(),
    "tensors": lambda x: sys.modules["torch"].tensor(x.tolist()),
}


class RefusedError(Exception):
    """The function does not accept such a probe, or what it returned is not a metric value."""


@dataclass(frozen=True)
class Outcome:
    """What the function returned: one number, or one number per class; or the error it raised."""

    value: Any = None  # a float, or an array
    tolerance: float = 1e-9
    error: str = ""

    def agrees(self, expected: Any) -> bool:
        """Return whether this is the expected value, to the digits with which the function computes."""
        if self.error:
            return False
        if isinstance(self.value, float):
            return np.ndim(expected) == 0 and _close(self.value, float(expected), self.tolerance)
        if np.shape(self.value) != np.shape(expected):
            return False
        both = zip(np.ravel(self.value).tolist(), np.ravel(expected).tolist(), strict=True)
        return all(_close(a, b, self.tolerance) for a, b in both)


def _close(a: float, b: float, tolerance: float) -> bool:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a == b or (a != a and b != b)
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


@dataclass(frozen=True)
class Caller:
    """A function and the meaning of its arguments, which are passed by position or by name."""

    function: Callable[..., Any]
    names: tuple[str, ...]  # "y_true" and "y_pred", or the four cells, in the order in which the function wants them
    keywords: tuple[str, ...] = ()  # its names for them, if they must be passed by name
    certain: bool = True  # whether the names of its arguments say which is which
    containers: tuple[str, ...] = ("arrays", "lists")
    fixed: tuple[str, int] | None = None  # the kind of problem and the number of classes that functools.partial fixed

    @property
    def counts(self) -> bool:
        """Whether the function takes four counts."""
        return len(self.names) == 4

    def __call__(self, probe: Probe, container: str, labels: Any = None) -> Outcome:
        """Return what the function returns for a probe; ``labels`` are the names of the codes."""
        with warnings.catch_warnings(), quiet():
            warnings.simplefilter("ignore")
            try:
                result = self._call(self._arguments(probe, container, labels))
            except Exception as error:  # any function may be probed, and it may raise any error
                return Outcome(error=f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")
        return _outcome(result, container)

    def _call(self, arguments: list[Any]) -> Any:
        if self.keywords:
            return self.function(**dict(zip(self.keywords, arguments, strict=True)))
        return self.function(*arguments)

    def _arguments(self, probe: Probe, container: str, labels: Any) -> list[Any]:
        if self.counts:
            return [probe.counts[CELLS.index(name)] for name in self.names]
        sides = {"y_true": probe.y_true, "y_pred": probe.y_pred}
        named = (lambda x: x) if labels is None or probe.kind == "multilabel" else np.asarray(labels).__getitem__
        order = (
            self.names if self.certain or container != "tensors" else self.names[::-1]
        )  # as is usual in torch: predictions first
        return [CONTAINERS[container](named(sides[name])) for name in order]


def _outcome(result: Any, container: str) -> Outcome:
    tolerance = 1e-5 if container == "tensors" or str(getattr(result, "dtype", "")).endswith(("float32", "float16")) else 1e-9
    if hasattr(result, "detach"):
        tolerance = 1e-9 if str(result.dtype).endswith("float64") else 1e-5
        result = result.detach().cpu().tolist()
    if isinstance(result, tuple | dict | str) or result is None:
        raise RefusedError(f"it returned {type_of(result)}, which is not a number")
    try:
        value = np.asarray(result, np.float64)
    except (TypeError, ValueError):
        raise RefusedError(f"it returned {type_of(result)}, which is not a number") from None
    if value.ndim > 1:
        raise RefusedError(f"it returned an array of shape {value.shape}, which is neither a number nor one number per class")
    return Outcome(value if value.ndim else float(value), tolerance)


def caller_of(function: Callable[..., Any], *, counts: bool = False) -> Caller:
    """Return how to call a function, from its signature.

    With ``counts`` it is called as a function of four counts in any case.

    >>> caller_of(lambda preds, target: 0).names, caller_of(lambda tp, tn, fp, fn: 0).counts
    (('y_pred', 'y_true'), True)
    """
    if not callable(function):
        raise TypeError(f"A metric function is needed, not {type_of(function)}. Pass the function itself, without calling it.")
    parameters = _parameters(function)
    by_name = {p.name.lower(): p for p in parameters if p.name.lower() in CELLS}
    if len(by_name) == 4:
        return Caller(function, tuple(by_name), _keywords([*by_name.values()]))
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if counts or sum(p.default is p.empty for p in positional) == 4:
        return Caller(function, CELLS)
    two = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)][:2]
    names, certain = _roles([p.name.lower() for p in two])
    tensors = ("tensors",) if "torch" in sys.modules else ()
    first = tensors if any(p.name == "preds" for p in two) else ()
    containers = tuple(dict.fromkeys((*first, "arrays", "lists", *tensors)))
    return Caller(function, names, _keywords(two) if certain else (), certain, containers, _fixed_classes(function))


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some built-in functions have no signature
        return []


def _keywords(parameters: list[inspect.Parameter]) -> tuple[str, ...]:
    """Return the names by which to pass the arguments; empty where positions are enough."""
    return tuple(p.name for p in parameters) if any(p.kind is p.KEYWORD_ONLY for p in parameters) else ()


def _roles(names: list[str]) -> tuple[tuple[str, ...], bool]:
    """Return which of two arguments is which, and whether their names say so."""
    first, second = (*names, "", "")[:2]
    if (first in PRED or second in TRUE) and not (first in TRUE or second in PRED):
        return ("y_pred", "y_true"), True
    return ("y_true", "y_pred"), (first in TRUE or second in PRED) and not (first in PRED or second in TRUE)


def _fixed_classes(function: Any) -> tuple[str, int] | None:
    """Return the kind of problem and the number of classes that functools.partial fixes, or None.

    The names of these arguments are those of torchmetrics.
    """
    while isinstance(function, functools.partial):
        for name, kind in (("num_classes", "multiclass"), ("num_labels", "multilabel")):
            if isinstance(function.keywords.get(name), int):
                return kind, function.keywords[name]
        function = function.func
    return None
