"""Trials: one problem evaluated both ways; a difference is made small and printed as Python."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

import indicatrix as ix

from .definitions import DEFINITIONS, RATIONAL, SETTINGS
from .oracle import Definition, Name, Rows, Undefined, UndefinedScoreError, Vector, score
from .problem import Problem
from .spelling import IMPORTS, spell_arguments, spell_evaluation

TOLERANCE = 1e-11  # of floats, relative to the largest value in a mean, or to 1
CONVENTIONS: tuple[Undefined, ...] = ("exclude", 0, 1, -0.5, "nan", "raise")
INTEGERS_ONLY = ("gilbert_wells_factorial", "sensitivity_index")  # whose definitions read factorials, or quantiles of integers
SCORES = 8  # comparisons of scores per problem
DENOMINATORS = 0.3  # how often they are looked for: to find whether a measure has them takes long
NAMESPACE: dict[str, Any] = {}


@dataclass(frozen=True)
class Question:
    """What is asked of an evaluation: counts along axes, or a measure under an average and a convention."""

    axes: tuple[str, ...] = ()
    measure: ix.Measure | None = None  # None asks for counts
    average: Name | None = None
    undefined: Undefined = "exclude"
    door: str = "score"  # "score", "exact", or "call", which is ix.f1(y_true, y_pred, …)

    @property
    def kind(self) -> str:
        """What the counts of comparisons are listed under."""
        return f"{self.door} {self.average}" if self.measure is not None else f"counts {' × '.join(self.axes) or 'pooled'}"


@dataclass(frozen=True)
class Difference:
    """A question that has another answer than its definition, and the smallest problem found for it."""

    problem: Problem
    question: Question
    got: str
    want: str

    def __str__(self) -> str:
        return f"{IMPORTS}\n{spell(self.problem, self.question)}  # {self.got}, but by definition {self.want}"


def questions(problem: Problem, rng: random.Random) -> Iterator[Question]:
    """Yield what is asked of a problem: all counts, and some scores."""
    for axes in ((), ("class",), *((a,) for a in problem.axes), *((a, "class") for a in problem.axes), problem.axes):
        yield Question(axes=axes)
    alone = problem.batches == 1 and not problem.answered and not problem.saved
    for _ in range(SCORES):
        name = rng.choice([*DEFINITIONS])
        measure = ix.algebra.MEASURES[name].at(**rng.choice(SETTINGS.get(name, ({},))))
        average = rng.choice(averages(problem, measure, denominators=rng.random() < DENOMINATORS))
        by_call = alone and not isinstance(average, tuple)
        door = rng.choice(("score", "exact", "call") if by_call else ("score", "exact"))
        yield Question((), measure, average, "exclude" if door == "exact" else rng.choice(CONVENTIONS), door)


def averages(problem: Problem, measure: ix.Measure, *, denominators: bool) -> list[Name | None]:
    """Return the averages that a problem has for a measure, those inside groups included."""
    positive = problem.literal().positive is not None
    inside: list[Any] = ["exemplar"] if measure.averages else ["micro", "macro", "weighted", "exemplar"]
    if not measure.averages:
        inside += ["denominator"] * (denominators and measure.decomposition is not None) + ["binary"] * positive
    nested = [(axis, name) for axis, name in product(problem.axes, inside)]
    both = [(*problem.axes, name) for name in inside] if len(problem.axes) > 1 else []
    plain = [] if measure.averages else [*problem.axes]
    return [*inside, *plain, *nested, *both, *([None] if positive or measure.averages else [])]


def spell(problem: Problem, question: Question) -> str:
    """Return the lines of Python that ask a question."""
    if question.door == "call":
        name, _, params = str(question.measure).partition("(")
        call = f"ix.measures.{name}.at({params}" if params else f"ix.measures.{name}"
        how = f"average={question.average!r}, undefined={question.undefined!r}"
        return f"{call}({spell_arguments(problem, problem.examples)}, {how})"
    lines = [f"ev = {spell_evaluation(problem)}"]
    if problem.saved:
        lines += ["file = tempfile.mktemp()", "ev.save(file)", "ev = ix.load(file)"]
    if question.measure is None:
        return "\n".join([*lines, f"ev.aggregate({question.axes!r})"])
    how = "" if question.door == "exact" else f", undefined={question.undefined!r}"
    return "\n".join([*lines, f"ev.{question.door}({str(question.measure)!r}, {question.average!r}{how})"])


def run(text: str) -> Any:
    """Return the value of the last line of Python text."""
    if not NAMESPACE:
        exec(IMPORTS, NAMESPACE)
    before, _, last = text.rpartition("\n")
    if NAMESPACE.get("before") != before:  # questions about the same evaluation follow each other
        NAMESPACE["before"] = None
        exec(before, NAMESPACE)
        NAMESPACE["before"] = before
    return eval(last, NAMESPACE)


def compare(problem: Problem, question: Question) -> Difference | None:
    """Return the difference between the library and the definitions; None if there is no difference."""
    rows = problem.literal()
    want: Any = _expected_counts(rows, question.axes) if question.measure is None else _expected_score(rows, question)
    if want is NotImplemented:
        return None
    try:
        got = run(spell(problem, question))
    except ix.types.UndefinedError:
        got = UndefinedScoreError
    except Exception as error:  # whatever it is, the problem is a valid one
        return Difference(problem, question, f"{type(error).__name__}: {error}", _in_words(want))
    same = _same_counts(got, want) if question.measure is None else _same_score(got, want, question)
    return None if same else Difference(problem, question, repr(got), _in_words(want))


def _expected_counts(rows: Rows, axes: tuple[str, ...]) -> list[Vector]:
    groups = [axis for axis in axes if axis != "class"]
    columns = [[j] for j in range(rows.m)] if "class" in axes else [list(range(rows.m))]
    parts = [rows.of(**dict(zip(groups, key, strict=True))) for key in product(*map(rows.names, groups))]
    return [part.counts(some) for part in parts for some in columns]


def _same_counts(got: Any, want: list[Vector]) -> bool:
    four = [[x] if not hasattr(x, "ravel") else x.ravel().tolist() for x in got]
    vectors = list(zip(*four, strict=True))
    pairs = [(Fraction(x), y) for v, w in zip(vectors, want, strict=False) for x, y in zip(v, w, strict=True)]
    return len(vectors) == len(want) and all(x == y or abs(x - y) <= Fraction(TOLERANCE) * y for x, y in pairs)


def definition_of(measure: ix.Measure) -> Definition:
    """Return the definition of a measure; only its weights under "denominator" come from the library."""

    def weigh(v: Vector) -> Fraction:
        return Fraction(measure.denominator(ix.Counts(*v)))

    return Definition(str(measure.name), measure.params, weigh)


def _expected_score(rows: Rows, question: Question) -> Any:
    assert question.measure is not None
    measure = definition_of(question.measure)
    if measure.name in INTEGERS_ONLY and any(row.weight.denominator > 1 for row in rows.rows):
        return NotImplemented
    average = question.average or ("exemplar" if question.measure.averages else "binary")
    try:
        return score(rows, measure, average, question.undefined)
    except UndefinedScoreError:
        return UndefinedScoreError


def _same_score(got: Any, want: Any, question: Question) -> bool:
    if want is UndefinedScoreError or got is UndefinedScoreError:
        return got is want
    if want is None or math.isnan(got):
        return want is None and math.isnan(got)
    if (
        question.door == "exact"
        and str(question.measure).partition("(")[0] in RATIONAL
        and isinstance(got, Fraction)
        and got == want
    ):
        return True
    values = np.abs(np.ravel(getattr(got, "values", 0.0)))
    scale = max(1.0, abs(float(want)), values[np.isfinite(values)].max(initial=0.0))
    return bool(abs(float(got) - float(want)) <= TOLERANCE * scale)


def _in_words(want: Any) -> str:
    if want is UndefinedScoreError:
        return "an UndefinedError"
    if isinstance(want, list):
        return "; ".join(", ".join(map(str, v)) for v in want)
    return "nan" if want is None else f"{float(want)!r}"


def shrink(found: Difference) -> Difference:
    """Return the same difference on a problem with as few examples and settings as possible."""
    smaller = True
    while smaller:
        smaller = False
        for problem in _simpler(found.problem, found.question):
            other = _compare_or_none(problem, found.question)
            if other is not None:
                found, smaller = other, True
                break
    return found


def _compare_or_none(problem: Problem, question: Question) -> Difference | None:
    try:
        return None if problem.ambiguous else compare(problem, question)
    except (KeyError, ValueError, IndexError, ix.types.UndefinedError):  # the simpler problem is not a valid one
        return None


def _simpler(problem: Problem, question: Question) -> Iterator[Problem]:
    yield from (problem.without(i) for i in range(len(problem.examples)) if len(problem.examples) > 1)
    used = {*question.axes, *(question.average if isinstance(question.average, tuple) else (question.average,))}
    changes: list[dict[str, Any]] = [
        {"batches": 1},
        {"saved": False},
        {"answered": False},
        {"weighted": ""},
        {"mask": "", "examples": tuple(replace(e, seen=(True,) * problem.m) for e in problem.examples)},
        {"containers": ("list", "list")},
        {"axes": tuple(axis for axis in problem.axes if axis in used)},
        {"abstained": "count"},
    ]
    for change in changes:
        if any(getattr(problem, name) != value for name, value in change.items()):
            yield replace(problem, **change)
