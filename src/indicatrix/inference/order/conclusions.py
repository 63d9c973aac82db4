"""Conclusions of a comparison: what changes with a convention for undefined values, or an average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ...algebra.arrays import Array
from ...algebra.average import average_name, measure_name
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.score import Score, Undefined, check_undefined
from ...algebra.values import to_pandas, to_polars
from ...words.call_mistakes import answers_mistakes
from ...words.wording import series, treatment
from .agreement import places, reversed_pairs

PAIRS = 3  # pairs of classifiers that are named


@answers_mistakes
@dataclass(frozen=True)
class Conclusion:
    """Which classifier is ahead of all others, and which of two is, under each of several choices.

    Attributes
    ----------
    about : str
        What is concluded from: a score such as "macro precision", or a measure such as "f1".
    choice : str
        What is chosen: "undefined", the convention for undefined values, or "average".
    best : mapping
        The best classifiers under each choice; empty where all are equal.
    reversed : tuple of (str, str)
        The pairs of classifiers whose order is not the same under all choices.
    """

    about: str
    choice: str
    best: Mapping[Any, tuple[str, ...]]
    reversed: tuple[tuple[str, str], ...]

    @property
    def changes_best(self) -> bool:
        """Whether another classifier is the best under another choice."""
        return len(set(self.best.values())) > 1

    @property
    def changes(self) -> bool:
        """Whether the best, or the order of two classifiers, depends on the choice."""
        return self.changes_best or bool(self.reversed)

    def __str__(self) -> str:
        if not self.changes_best:
            who, others = next(iter(self.best.values())), [f"{a} and {b}" for a, b in self.reversed[:PAIRS]]
            more = [f"{len(self.reversed) - PAIRS} more pairs"] if len(self.reversed) > PAIRS else []
            best = f"{_are_ahead(who)} in each case, but " if who else ""
            verb = "change" if len(self.reversed) > 1 or more else "changes"
            return f"{self.about}: {best}the order of {series([*others, *more])} {verb} with the {self._choice_in_words()}."
        alike: dict[tuple[str, ...], list[Any]] = {}
        for chosen, who in self.best.items():
            alike.setdefault(who, []).append(chosen)
        first, *rest = sorted(alike.items(), key=lambda pair: not pair[0])  # ties last: the others share "is ahead"
        said = [f"{_are_ahead(first[0])} {self._under(first[1], 'undefined values')}"]
        said += [f"{series(who) if who else 'all are equal'} {self._under(chosen, 'they')}" for who, chosen in rest]
        return f"{self.about}: {', '.join(said)}."

    def _under(self, chosen: Sequence[Any], lost: str) -> str:
        if self.choice == "average":
            return f"by {series(chosen)} {self.about}"
        return f"if {lost} are {series([treatment(c) for c in chosen], 'or')}"

    def _choice_in_words(self) -> str:
        return "average" if self.choice == "average" else "convention for undefined values"


def _are_ahead(who: Sequence[str]) -> str:
    return f"{series(who)} {'is' if len(who) == 1 else 'are'} ahead" if who else "all are equal"


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Conclusions:
    """What a comparison concludes under each convention for undefined values, and under each average.

    Attributes
    ----------
    by_convention : tuple of Conclusion
        One for each score with undefined values.
    by_average : tuple of Conclusion
        One for each measure with several averages.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y = ["a"] * 8 + ["b"] * 2
    >>> lr, rf = ix.evaluate(y, ["a"] * 10), ix.evaluate(y, ["a"] * 5 + ["b"] * 5)
    >>> print(ix.compare({"lr": lr, "rf": rf}, ["recall", "precision"], ["micro", "macro"]).sensitivity())
    macro precision: lr is ahead if undefined values are excluded or counted as 1, rf if they are counted as 0.
    recall: lr is ahead by micro recall, rf by macro recall.
    """

    by_convention: tuple[Conclusion, ...]
    by_average: tuple[Conclusion, ...]

    @property
    def changing(self) -> tuple[Conclusion, ...]:
        """The conclusions that depend on a choice: those about the best classifier first."""
        every = [c for c in (*self.by_convention, *self.by_average) if c.changes]
        return tuple(sorted(every, key=lambda c: not c.changes_best))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: score or measure, kind of choice, choice, the best classifiers under it, as text.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b", "a"])], "recall", ["micro", "macro"])
        >>> both.sensitivity().to_dict()
        {'about': ['recall', 'recall'], 'choice': ['average', 'average'], 'under': ['micro', 'macro'], 'best': ['1', '1']}
        """
        rows = [(c, chosen, who) for c in (*self.by_convention, *self.by_average) for chosen, who in c.best.items()]
        return {
            "about": [c.about for c, _, _ in rows],
            "choice": [c.choice for c, _, _ in rows],
            "under": [str(chosen) for _, chosen, _ in rows],
            "best": [", ".join(who) for _, _, who in rows],
        }

    to_pandas, to_polars = to_pandas, to_polars

    def __str__(self) -> str:
        lines = [str(c) for c in self.changing]
        if not self.by_convention:
            lines.append("Nothing is undefined, so no conclusion depends on a convention.")
        elif not any(c.changes for c in self.by_convention):
            lines.append("No conclusion depends on how undefined values are counted.")
        if self.by_average and not any(c.changes for c in self.by_average):
            lines.append("No conclusion depends on the average.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        every = len(self.by_convention) + len(self.by_average)
        return f"<Conclusions: {len(self.changing)} of {every} depend on a convention or an average>"


def conclude(about: str, choice: str, names: Sequence[str], better: str, values: Mapping[Any, Sequence[Any]]) -> Conclusion:
    """Return what is concluded from the values of classifiers under each choice.

    >>> conclude("f1", "average", "ab", "higher", {"micro": (0.1, 0.2), "macro": (0.2, 0.1)}).best
    {'micro': ('b',), 'macro': ('a',)}
    """
    ranks = {chosen: places(some, better) for chosen, some in values.items()}
    turned = {frozenset(p): p for a, b in combinations(ranks.values(), 2) for p in reversed_pairs(a, b)}
    pairs = tuple((names[a], names[b]) for a, b in sorted(map(sorted, turned.values())))
    return Conclusion(about, choice, {chosen: _best(names, r) for chosen, r in ranks.items()}, pairs)


def _best(names: Sequence[str], ranks: Array) -> tuple[str, ...]:
    """Return the classifiers with the highest rank; nobody if all are equal."""
    known = [r for r in ranks.tolist() if r == r]
    top = max(known, default=0.0)
    return tuple(name for name, r in zip(names, ranks.tolist(), strict=True) if r == top) if top > 0 else ()


def conclusions(names: Sequence[str], rows: Sequence[Any], conventions: Iterable[Undefined]) -> Conclusions:
    """Return what a comparison concludes under each convention, and under each average of a measure."""
    given = [*conventions]
    for convention in given:
        check_undefined(convention)
    chosen = _check(tuple(dict.fromkeys(given)))
    used = [row for row in rows if row.better in SIGNS]
    lost = [row for row in used if any(isinstance(v, Score) and v.has_undefined() for v in row.values)]
    by_convention = (conclude(row.name, "undefined", names, row.better, {c: row.values_under(c) for c in chosen}) for row in lost)
    measures: dict[str, list[Any]] = {}
    for row in used:
        score = next((v for v in row.values if isinstance(v, Score)), None)
        if score is not None and score.average is not None:
            measures.setdefault(measure_name(score.measure, [score.average]), []).append((average_name(score.average), row))
    by_average = (
        conclude(measure, "average", names, some[0][1].better, {average: row.values for average, row in some})
        for measure, some in measures.items()
        if len(some) > 1
    )
    return Conclusions(tuple(by_convention), tuple(by_average))


def _check(conventions: tuple[Undefined, ...]) -> tuple[Undefined, ...]:
    if len(conventions) < 2 or any(isinstance(c, str) and c != "exclude" for c in conventions):
        raise ValueError(f"conventions={conventions!r} must be at least two of 'exclude' and numbers, such as ('exclude', 0, 1).")
    return conventions
