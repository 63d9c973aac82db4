"""Why scores coincide: the theorem behind equal values, or that there is none and these data alone make them equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import Any

from ...algebra.exact import Value, defined, exactly, number
from ...algebra.linear_fractional import count_vectors, dot
from ...algebra.measure import Measure
from ...algebra.score import PLURALS
from ...catalogue.accuracy import accuracy, error_rate
from .exact_scores import ExactScores, Units, axis_of, denominators, same
from .one_hot_identities import ACCURACIES, at_accuracy, one_hot_rows
from .random_problems import Pair, counts_problem, equal_on, labels_problem, one_hot_problem

TRIED = (*count_vectors(20, seed=4), *product(range(3), repeat=4))  # count vectors on which measures are compared

Why = tuple[str, str]  # the label of a theorem and, in words, why it applies here


@dataclass(frozen=True)
class Link:
    """Two scores that must be equal, by which theorem and why it applies."""

    first: Pair
    second: Pair
    theorem: str
    reason: str


@dataclass(frozen=True, eq=False)
class Structure:
    """What theorems may assume of a problem besides its counts."""

    scores: ExactScores
    m: int
    rows: Units | None  # None: the counts came without examples
    positive: int | None = None  # which class is the positive one

    @cached_property
    def one_hot(self) -> bool:
        """Whether every example has one true and one predicted class."""
        return self.rows is not None and one_hot_rows(self.rows, self.m)

    @cached_property
    def unmasked(self) -> bool:
        """Whether all entries of all examples were observed, as far as is known."""
        classes, rows = self.scores.units("class").counts, self.rows
        if rows is None:
            return len({sum(v) for v in classes}) < 2
        return all(sum(v) == self.m for v, t in zip(rows.counts, rows.times, strict=True) if t)

    @cached_property
    def crisp(self) -> bool:
        """Whether examples are known and their counts are whole: labels, not memberships."""
        return self.rows is not None and all(x.denominator == 1 for v in self.rows.counts for x in v)


def links(members: Sequence[Pair], structure: Structure) -> Iterator[Link]:
    """Yield what theorems say of scores that are equal here: which of them are always equal under the same conditions."""
    by_measure: dict[Measure, list[str]] = {}
    for measure, average in members:
        by_measure.setdefault(measure, []).append(average)
    for measure, averages in by_measure.items():
        for average in averages:
            if "micro" in averages and average != "micro" and (why := pooling(measure, average, structure)):
                yield Link((measure, "micro"), (measure, average), *why)
        if {"macro", "weighted"} <= set(averages) and _equal_sizes(structure):
            yield Link((measure, "macro"), (measure, "weighted"), "errata A11", "all classes have the same number of examples")
    if structure.one_hot:
        yield from _functions_of_accuracy([p for p in members if p[1] in ("micro", "exemplar")], structure)


def pooling(measure: Measure, average: str, structure: Structure) -> Why | None:
    """Return why an average of the measure must equal its micro value (thm:micro_macro, cor:micro_macro_balance), if it must."""
    if average == "binary":
        return ("eq:micro_ext", "there is one class") if structure.m == 1 and structure.positive == 0 else None
    axis = axis_of(average)
    units = structure.scores.units(axis)
    if len(units.counts) == 1 and units.times[0] == 1:
        return "eq:micro_ext", f"there is one {axis}"
    if measure.decomposition is None or not _weighs_by_denominator(measure, average, structure):
        return None
    b = measure.decomposition[1]
    if average == "denominator":
        return "thm:micro_macro", f"the denominators of {measure} are the weights"
    if average == "weighted":
        if b[0] == b[2] and not b[1] and not b[3]:
            return "errata A11", f"the denominators of {measure} are the class sizes"
        return "thm:micro_macro", f"the denominators of {measure} are here proportional to the class sizes"
    if len(set(b)) == 1 and structure.unmasked:
        return "errata B2", f"the denominator of {measure} counts all entries, and none is masked"
    return "cor:micro_macro_balance", f"the denominators of {measure} are equal for all {PLURALS.get(axis, f'units of {axis}')}"


def _weighs_by_denominator(measure: Measure, average: str, structure: Structure) -> bool:
    """Return whether all units that are defined weigh in proportion to their denominators, and the others pool to nothing."""
    assert measure.decomposition is not None
    value, units = exactly(measure), structure.scores.units(axis_of(average))
    weighed = zip(
        units.counts, denominators(measure, units), structure.scores.weights(measure, average), units.times, strict=True
    )
    kept: list[tuple[Fraction, Fraction]] = []
    for v, den, weight, times in weighed:
        if times and (den or dot(measure.decomposition[0], v)):
            if not den or not defined(value(*v)):
                return False
            kept.append((den, weight / times))
    return bool(kept) and all(w and same(kept[0][0] * w, kept[0][1] * den, structure.scores.rounded) for den, w in kept)


def _equal_sizes(structure: Structure) -> bool:
    sizes = [v[0] + v[2] for v in structure.scores.units("class").counts]
    return bool(sizes) and sizes[0] != 0 and all(same(x, sizes[0], structure.scores.rounded) for x in sizes)


def _functions_of_accuracy(members: Sequence[Pair], structure: Structure) -> Iterator[Link]:
    """Yield the micro and exemplar scores that are the same function of accuracy wherever they are defined."""
    assert structure.rows is not None
    n = sum(structure.rows.times, Fraction(0))
    blocks: list[tuple[Pair, list[Value]]] = []
    for pair in members:
        table = _table(pair, structure.m, n)
        for first, known in blocks:
            both = [(x, y) for x, y in zip(known, table, strict=True) if defined(x, y)]
            if both and all(same(x, y) for x, y in both):
                known[:] = [x if defined(x) else y for x, y in zip(known, table, strict=True)]  # the next must fit both
                yield Link(first, pair, *_one_hot_theorem(first, pair, table, structure.m))
                break
        else:
            blocks.append((pair, table))


def _table(pair: Pair, m: int, n: Fraction) -> list[Value]:
    """Return a score at many accuracies, and at some for other numbers of examples, which it should not depend on."""
    here, *other = (at_accuracy(*pair, m, k) for k in (n, 2 * n + 1, 5 * n + 3))
    return [here(a) for a in ACCURACIES] + [score(a) for score in other for a in ACCURACIES[::4]]


def _one_hot_theorem(first: Pair, second: Pair, table: Sequence[Value], m: int) -> Why:
    reason = "every example has one true and one predicted class"
    if "exemplar" in (first[1], second[1]):
        return "sec:notable", f"{reason}: it is (1, 0, 0, {m - 1}) or (0, 1, 1, {m - 2})"
    accuracy = all(same(x, a) for x, a in zip(table, ACCURACIES, strict=False) if defined(x))
    return ("thm:micro_collapse" if accuracy else "errata B2"), reason


def fresh_links(members: Sequence[Pair], structure: Structure) -> Iterator[Link]:
    """Yield the scores that no theorem above links, but that are equal on fresh random problems of the same kind."""
    kinds: list[tuple[Any, str, str]] = [(counts_problem, "sec:redundancy", "the formulas agree on all counts")]
    if structure.one_hot and structure.m == 2:
        kinds.append((one_hot_problem, "errata B8", "of two classes each is what the other is not"))
    elif structure.one_hot:
        kinds.append((one_hot_problem, "sec:redundancy", f"they agree for any one true and one predicted class of {structure.m}"))
    elif structure.crisp and structure.unmasked:
        kinds.append((labels_problem, "sec:redundancy", f"they agree for any true and predicted labels among {structure.m}"))
    for draw, theorem, reason in kinds if structure.m else ():
        for first, *others in equal_on(partial(draw, structure.m, structure.positive), members):
            yield from (Link(first, other, theorem, reason) for other in others)


@lru_cache(maxsize=256)
def _tried(measure: Measure) -> tuple[Value, ...]:
    value = exactly(measure)
    return tuple(value(*v) for v in TRIED)


def complementary(first: Measure, second: Measure) -> Why | None:
    """Return why two measures must add to one, whatever the counts (prop:hamming_accuracy), or None if they need not.

    >>> import indicatrix as ix
    >>> complementary(ix.accuracy, ix.error_rate)
    ('prop:hamming_accuracy', 'every entry is right or wrong')
    """
    if not all(_leave_one(x, y) for x, y in zip(_tried(first), _tried(second), strict=True)):
        return None
    parts = {first.decomposition, second.decomposition}
    if parts == {accuracy.decomposition, error_rate.decomposition}:
        return "prop:hamming_accuracy", "every entry is right or wrong"
    return ("sec:redundancy" if None in parts else "prop:which_decomposable"), "each is one minus the other on all counts"


def _leave_one(x: Value, y: Value) -> bool:
    """Return whether two values add to one, or are undefined together."""
    if type(x) is Fraction and type(y) is Fraction:
        return x + y == 1
    if not defined(x, y):
        return not defined(x) and not defined(y)
    return same(number(x) + number(y), Fraction(1))
