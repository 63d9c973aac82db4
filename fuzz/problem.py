"""Random problems: rows of labels and the settings they are evaluated under, and what these mean."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .oracle import Row, Rows

NAMES: dict[str, tuple[Any, ...]] = {
    "ints": (0, 1, 2, 3),
    "sparse ints": (-7, 2, 40, 100),
    "texts": ("ant", "bee", "cat", "dog"),
    "bools": (False, True),
}
ABSTAIN = {"ints": 9, "sparse ints": 9, "texts": "no answer"}
DECLINED = "declined"  # a prediction that is the label of abstentions
SIDES = str | frozenset[int] | None  # the labels of one side: columns, declined, or missing


@dataclass(frozen=True)
class Example:
    """One example as a user gives it: its labels may be missing or declined."""

    true: SIDES
    pred: SIDES
    seen: tuple[bool, ...]
    weight: float
    groups: Mapping[str, Any]


@dataclass(frozen=True)
class Problem:
    """Examples, and the settings under which they are evaluated.

    ``form`` is "labels" (one per example), "sets" or "matrix". ``containers`` are those of the two sides.
    """

    examples: tuple[Example, ...]
    form: str
    kind: str  # of the names of classes
    m: int
    containers: tuple[str, str]
    classes: bool = False  # whether classes= is given, or the containers declare them
    positive: int | None = None
    weighted: str = ""  # the type of the weights; "" without weights
    mask: str = ""  # "rows" or "entries"
    missing: tuple[str, str] = ("error", "error")
    abstain: bool = False
    abstained: str = "count"
    axes: tuple[str, ...] = ()
    batches: int = 1
    answered: bool = False
    saved: bool = False

    @property
    def names(self) -> tuple[Any, ...]:
        """The names of all classes."""
        return NAMES[self.kind][: self.m]

    @property
    def columns(self) -> list[int]:
        """The classes that become columns: those given, or those that occur in examples with both labels."""
        if self.classes or self.form == "matrix":
            return list(range(self.m))
        sides = (side for e in self.examples if not self._lacks_labels(e) for side in (e.true, e.pred))
        return sorted({j for side in sides if isinstance(side, frozenset) for j in side})

    @property
    def settings(self) -> list[str]:
        """The settings that differ from a plain call."""
        given = {
            "classes": self.classes,
            "positive": self.positive is not None,
            f"{self.weighted} weights": self.weighted,
            f"mask of {self.mask}": self.mask,
            f"missing {self.missing}": self.missing != ("error", "error"),
            "abstain": self.abstain,
            "abstained mask": self.abstained == "mask",
            f"by {len(self.axes)} axes": self.axes,
            "batches": self.batches > 1,
            "answered": self.answered,
            "saved": self.saved,
        }
        return [name for name, has in given.items() if has]

    def literal(self) -> Rows:
        """Return the rows that this problem means."""
        columns = self.columns
        place = {j: i for i, j in enumerate(columns)}
        return Rows(tuple(self._row(e, place) for e in self.examples), len(columns), self._positive_column(place))

    def _lacks_labels(self, e: Example) -> bool:
        """Return whether an example counts nowhere because one of its labels is missing."""
        return (e.true is None and self.missing[0] == "mask") or (e.pred is None and self.missing[1] == "mask")

    def _is_declined(self, e: Example) -> bool:
        """Return whether a prediction is an abstention: marked as one, or, if none is marked, empty."""
        marked = self.abstain or "abstain" in self.missing
        return e.pred == DECLINED or (e.pred is None and self.missing[1] == "abstain") or (not marked and e.pred == frozenset())

    def _row(self, e: Example, place: dict[int, int]) -> Row:
        true, pred = (
            frozenset(place[j] for j in side if j in place) if isinstance(side, frozenset) else frozenset[int]()
            for side in (e.true, e.pred)
        )
        hidden = self._lacks_labels(e) or ((self.abstained == "mask" or self.answered) and self._is_declined(e))
        seen = tuple(e.seen[j] and not hidden for j in place)
        weight = Fraction(e.weight) if self.weighted else Fraction(1)
        return Row(true, pred, seen, weight, {axis: e.groups[axis] for axis in self.axes})

    def _positive_column(self, place: dict[int, int]) -> int | None:
        if self.positive is not None:
            return place[self.positive]
        if self.form != "labels":
            return 0 if len(place) == 1 else None
        names = [self.names[j] for j in place]
        return place.get(self.names.index(1) if 1 in self.names else -1, -1) if all(name in (0, 1) for name in names) else None

    @property
    def parts(self) -> list[tuple[Example, ...]]:
        """The examples of each batch."""
        size = max(1, -(-len(self.examples) // self.batches))
        return [self.examples[i : i + size] for i in range(0, len(self.examples), size)]

    @property
    def ambiguous(self) -> bool:
        """Whether some side of a batch of sets has only missing labels: nothing then says that they are sets."""
        sides = [side for part in self.parts for side in ([e.true for e in part], [e.pred for e in part])]
        return self.form == "sets" and any(all(x is None for x in side) for side in sides)

    def without(self, i: int) -> Problem:
        """Return the problem without one example."""
        return replace(self, examples=self.examples[:i] + self.examples[i + 1 :])


def draw(rng: random.Random) -> Problem:
    """Return a random problem whose settings go together."""
    while (problem := _draw(rng)).ambiguous:
        pass
    return problem


def _draw(rng: random.Random) -> Problem:
    form = rng.choice(("labels", "labels", "sets", "matrix"))
    kind = rng.choice(list(NAMES) if form == "labels" else list(NAMES)[:3])
    m = rng.randint(1, len(NAMES[kind]))
    problem = Problem((), form, "ints" if form == "matrix" else kind, m, ("list", "list"), classes=rng.random() < 0.5)
    problem = _draw_settings(problem, rng)
    problem = replace(problem, examples=tuple(_draw_example(problem, rng) for _ in range(rng.randint(1, 9))))
    problem = replace(problem, containers=(_draw_container(problem, 0, rng), _draw_container(problem, 1, rng)))
    found = problem.columns
    if rng.random() < 0.2 and found and (problem.batches == 1 or problem.classes):
        problem = replace(problem, positive=rng.choice(found))
    return problem


def _draw_settings(problem: Problem, rng: random.Random) -> Problem:
    def sometimes(*values: Any) -> Any:
        return rng.choice(values) if rng.random() < 0.3 else None

    matrix = problem.form == "matrix"
    missing = None if matrix else sometimes(("mask", "mask"), ("error", "mask"), ("mask", "abstain"), ("error", "abstain"))
    batches = sometimes(2, 3) or 1
    # An abstention is a label, a missing prediction, or, where nothing is marked, a row without a label.
    abstain = bool(problem.kind in ABSTAIN and not matrix and sometimes(True))
    mask = sometimes("rows", *(("entries",) if batches == 1 or problem.classes or matrix else ())) or ""
    axes = sometimes(("site",), ("site", "fold")) or ()
    return replace(
        problem,
        weighted=sometimes("int", "quarter", "float", "zero", "huge") or "",
        mask=mask,
        missing=missing or ("error", "error"),
        abstain=abstain,
        abstained=sometimes("mask") or "count",
        axes=axes,
        batches=batches,
        answered=rng.random() < 0.1,
        saved=rng.random() < 0.03,
    )


WEIGHTS: dict[str, Callable[[random.Random], float]] = {
    "int": lambda rng: rng.randint(0, 5),
    "quarter": lambda rng: rng.randint(0, 20) / 4,
    "float": lambda rng: rng.choice((rng.random(), 0.1, 0.0, 3 * rng.random())),
    "zero": lambda rng: 0,
    "huge": lambda rng: 2**53 + rng.randint(0, 5),
}


def _draw_example(problem: Problem, rng: random.Random) -> Example:
    sides: list[SIDES] = []
    for how in problem.missing:
        side: SIDES = frozenset([rng.randrange(problem.m)])
        if problem.form != "labels":
            side = frozenset(j for j in range(problem.m) if rng.random() < 0.4)
        sides.append(None if how != "error" and rng.random() < 0.2 else side)
    if problem.abstain and rng.random() < 0.2:
        sides[1] = DECLINED
    entry = rng.random() < 0.7
    seen = tuple({"rows": entry, "entries": rng.random() < 0.7}.get(problem.mask, True) for _ in range(problem.m))
    weight = WEIGHTS[problem.weighted](rng) if problem.weighted else 1
    return Example(sides[0], sides[1], seen, weight, {"site": rng.choice("xyz"), "fold": rng.randint(1, 2)})


LABEL_CONTAINERS = {  # by kind of names: containers that hold every label, then those that hold missing ones, too
    "ints": (
        ("int8", "uint8", "int16", "int64", "uint64", "float16", "float32", "torch int64", "torch uint8", "torch float16"),
        ("list", "object", "float64", "pandas Int64", "pandas category", "polars", "arrow"),
    ),
    "sparse ints": (
        ("int8", "int32", "float16", "torch int64"),
        ("list", "object", "float64", "pandas Int64", "polars", "arrow"),
    ),
    "texts": (("U", "tuple"), ("list", "object", "pandas object", "pandas category", "polars", "arrow")),
    "bools": (("bool", "torch bool"), ("list", "object", "pandas boolean", "polars", "arrow")),
}
MATRIX_CONTAINERS = (
    *("bool", "uint8", "int64", "float16", "float64", "list", "csr", "csc", "coo", "torch bool", "torch int64"),
    *("pandas", "polars", "arrow"),
)


def _draw_container(problem: Problem, side: int, rng: random.Random) -> str:
    if problem.form == "sets":
        return "list"
    if problem.form == "matrix":
        return rng.choice(MATRIX_CONTAINERS)
    every, with_missing = LABEL_CONTAINERS[problem.kind]
    absent = any((e.true, e.pred)[side] is None for e in problem.examples)
    some = [c for c in (with_missing if absent else every + with_missing) if problem.classes or c != "pandas category"]
    return rng.choice([c for c in some if not (problem.abstain and c == "pandas category")])
