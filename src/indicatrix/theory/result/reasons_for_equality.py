"""Why scores coincide: the theorem that makes values equal, if there is one.

Without a theorem, they are equal by these data only. Theorems are conditions on the rows of averages, not on their names:
which axes they keep, and how their weights compare here.

Random problems of a given kind.

Scores that are equal on all of them are equal for a reason, not by accident.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import combinations, product
from typing import Any

from ...algebra.arrays import as_float
from ...algebra.average import BINARY, Average, find_average, reads_confusion
from ...algebra.measure import Measure
from ...algebra.numbers.exact import Value, exactly, is_defined, number
from ...algebra.numbers.linear_fractional import Vector, count_vectors, dot
from ...algebra.score import PLURALS
from ...catalogue.counts.paper_groups import accuracy, error_rate
from .exact_scores import ExactScores, ExactUnits, exact_weights, is_same, partition
from .examined_result import ACCURACIES, Scored, at_accuracy, has_accuracy_form, one_hot_rows

TRIED = (*count_vectors(20, seed=4), *product(range(3), repeat=4))  # count vectors on which measures are compared

Why = tuple[str, str]  # the label of a theorem, and in words why it applies here


@dataclass(frozen=True)
class Link:
    """Two scores that must be equal, with the theorem and why it applies."""

    first: Scored
    second: Scored
    theorem: str
    reason: str


@dataclass(frozen=True, eq=False)
class Structure:
    """What theorems may assume about a problem in addition to its counts."""

    scores: ExactScores
    m: int
    rows: ExactUnits | None  # None: the counts came without examples
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


def links(members: Sequence[Scored], structure: Structure) -> Iterator[Link]:
    """Yield links between scores that are equal here and, by a theorem, under the same conditions."""
    by_measure: dict[Measure, list[str]] = {}
    for measure, average in members:
        by_measure.setdefault(measure, []).append(average)
    for measure, averages in by_measure.items():
        for first, second in _from_pooled(averages):
            if why := reason_for_pooling(measure, second, structure):
                yield Link(Scored(measure, first), Scored(measure, second), *why)
        for first, second in combinations([a for a in averages if not _is_pooled(a)], 2):
            if why := _reason_for_same_weights(measure, first, second, structure):
                yield Link(Scored(measure, first), Scored(measure, second), *why)
    if structure.one_hot:
        yield from _functions_of_accuracy([s for s in members if s.average != BINARY], structure)


def _is_pooled(average: str) -> bool:
    return average == BINARY or find_average(average).pools


def _from_pooled(averages: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the average that pools all counts, if there is one, with each of the others."""
    pooled = next((a for a in averages if a != BINARY and find_average(a).pools), None)
    yield from ((pooled, a) for a in averages if pooled is not None and a != pooled)


def reason_for_pooling(measure: Measure, average: str, structure: Structure) -> Why | None:
    """Return why an average of the measure must equal its micro value, or None if it need not."""
    if average == BINARY:
        return ("eq:micro_ext", "there is one class") if structure.m == 1 and structure.positive == 0 else None
    rule = find_average(average)
    if rule.pools:
        return "eq:micro_ext", "all counts are pooled"
    units = structure.scores.units(*rule.per)
    if len(units.counts) == 1 and units.times[0] == 1:
        return "eq:micro_ext", f"there is one {' × '.join(rule.per)}"
    if measure.decomposition is None or not _weighs_by_denominator(measure, average, structure):
        return None
    b = measure.decomposition[1]
    if rule.weight is None:
        if len(set(b)) == 1 and structure.unmasked:
            return "errata B2", f"the denominator of {measure} counts all entries, and no entry is masked"
        return "cor:micro_macro_balance", f"the denominators of {measure} are equal for all {_plural(rule)}"
    always = _weighs_like(rule, measure, partial(dot, b))
    if _weighs_by_size(rule, measure):
        sizes = "the class sizes" if rule.per == ("class",) else f"the positives of {_plural(rule)}"
        if always:
            return "errata A11", f"the denominators of {measure} are {sizes}"
        return "thm:micro_macro", f"the denominators of {measure} are here proportional to {sizes}"
    if always:
        return "thm:micro_macro", f"the denominators of {measure} are the weights"
    return "thm:micro_macro", f"the denominators of {measure} are here proportional to the weights of {average}"


def _plural(rule: Average) -> str:
    return " × ".join(PLURALS.get(axis, f"units of {axis}") for axis in rule.per)


def _weighs_by_size(rule: Average, measure: Measure) -> bool:
    """Return whether the weights are the numbers of actual positives, for all measures."""
    return rule.general and _weighs_like(rule, measure, lambda v: v[0] + v[2])


def _weighs_like(rule: Average, measure: Measure, other: Callable[[Vector], Value]) -> bool:
    """Return whether weights are proportional to another function of the counts in all trials."""
    units = ExactUnits.once(TRIED)
    return are_proportional(exact_weights(rule, measure, units), [other(v) for v in units.counts])


def are_proportional(first: Sequence[Value], second: Sequence[Value], rounded: bool = False) -> bool:
    """Return whether weights are proportional; then means with them are equal for all values.

    >>> are_proportional([Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]), are_proportional([Fraction(1)], [Fraction(0)])
    (True, False)
    """
    if not first or not is_defined(*first, *second):
        return False
    at = max(range(len(first)), key=lambda i: abs(as_float(first[i])))
    if not first[at] or not second[at]:
        return False
    return all(is_same(x / first[at], y / second[at], rounded) for x, y in zip(first, second, strict=True))


def _reason_for_same_weights(measure: Measure, first: str, second: str, structure: Structure) -> Why | None:
    """Return why two averages over the same units must be equal: their weights are proportional here."""
    rules = one, other = find_average(first), find_average(second)
    if one.per != other.per:
        return None
    if one.weight is None and other.weight is None:
        return "eq:undef_convention", f"both are the plain mean over {_plural(one)}"
    scores = structure.scores
    if not are_proportional(scores.weights(measure, first), scores.weights(measure, second), scores.rounded):
        return None
    weighed = [name for name, rule in zip((first, second), rules, strict=True) if rule.weight is not None]
    if len(weighed) == 2:
        tried = ExactUnits.once(TRIED)
        always = are_proportional(exact_weights(one, measure, tried), exact_weights(other, measure, tried))
        where = "" if always else " here"
        return "eq:undef_convention", f"{first} and {second} weigh {_plural(one)} in the same proportions{where}"
    if one.per == ("class",) and all(_weighs_by_size(rule, measure) for rule in rules if rule.weight is not None):
        return "errata A11", "all classes have the same number of examples"
    return "eq:undef_convention", f"all {_plural(one)} have the same weight in {weighed[0]}"


def _weighs_by_denominator(measure: Measure, average: str, structure: Structure) -> bool:
    """Return whether the weights of all defined units are proportional to their denominators.

    The other units must add nothing to the pooled counts.
    """
    assert measure.decomposition is not None
    a, b = measure.decomposition
    scores, per = structure.scores, find_average(average).per
    units, weights = scores.units(*per), scores.weights_of_units(measure, average)
    kept: list[tuple[Fraction, Value]] = []
    for v, x, weight, times in zip(units.counts, scores.values_of_units(measure, per), weights, units.times, strict=True):
        den = dot(b, v)
        if times and (den or dot(a, v)):
            if not den or not weight or not is_defined(x):
                return False
            kept.append((den, weight))
    return bool(kept) and are_proportional([den for den, _ in kept], [w for _, w in kept], structure.scores.rounded)


def _functions_of_accuracy(members: Sequence[Scored], structure: Structure) -> Iterator[Link]:
    """Yield links between scores that are the same function of accuracy wherever they are defined.

    The scores are pooled, or means over examples.
    """
    assert structure.rows is not None
    n = sum(structure.rows.times, Fraction(0))
    blocks: list[tuple[Scored, list[Value]]] = []
    for score in members:
        if not has_accuracy_form(find_average(score.average)):
            continue
        table = _table(score, structure.m, n)
        for first, known in blocks:
            both = [(x, y) for x, y in zip(known, table, strict=True) if is_defined(x, y)]
            if both and all(is_same(x, y) for x, y in both):
                known[:] = [
                    x if is_defined(x) else y for x, y in zip(known, table, strict=True)
                ]  # the next score must agree with both
                yield Link(first, score, *_one_hot_theorem(first, score, table, structure.m))
                break
        else:
            blocks.append((score, table))


def _table(score: Scored, m: int, n: Fraction) -> list[Value]:
    """Return a score at many accuracies, and at some of them for other numbers of examples.

    The score should not depend on the number of examples.
    """
    here, *other = (at_accuracy(*score, m, k) for k in (n, 2 * n + 1, 5 * n + 3))
    return [here(a) for a in ACCURACIES] + [at(a) for at in other for a in ACCURACIES[::4]]


def _one_hot_theorem(first: Scored, second: Scored, table: Sequence[Value], m: int) -> Why:
    reason = "every example has one true and one predicted class"
    if not all(find_average(score.average).pools for score in (first, second)):
        return "sec:notable", f"{reason}, so its counts are (1, 0, 0, {m - 1}) or (0, 1, 1, {m - 2})"
    accuracy = all(is_same(x, a) for x, a in zip(table, ACCURACIES, strict=False) if is_defined(x))
    return ("thm:micro_collapse" if accuracy else "errata B2"), reason


def fresh_links(members: Sequence[Scored], structure: Structure) -> Iterator[Link]:
    """Yield links between scores without a theorem above that are equal on random problems of the kind."""
    kinds: list[tuple[Any, str, str]] = [(counts_problem, "sec:redundancy", "the formulas agree on all counts")]
    if structure.one_hot and structure.m == 2:
        kinds.append((one_hot_problem, "errata B8", "there are two classes, and each is the complement of the other"))
    elif structure.one_hot:
        kinds.append(
            (
                one_hot_problem,
                "sec:redundancy",
                f"they agree whenever examples have one true and one predicted class of {structure.m}",
            )
        )
    elif structure.crisp and structure.unmasked:
        kinds.append((labels_problem, "sec:redundancy", f"they agree for all true and predicted labels among {structure.m}"))
    for draw, theorem, reason in kinds if structure.m else ():
        for first, *others in equal_on(partial(draw, structure.m, structure.positive), members):
            yield from (Link(first, other, theorem, reason) for other in others)


@lru_cache(maxsize=256)
def _trial_values(measure: Measure) -> tuple[Value, ...]:
    value = exactly(measure)
    return tuple(value(*v) for v in TRIED)


def reason_for_complement(first: Measure, second: Measure) -> Why | None:
    """Return why two measures add to one for all counts, or None if they do not.

    >>> import indicatrix as ix
    >>> reason_for_complement(ix.accuracy, ix.error_rate)[1]
    'every entry is right or wrong'
    """
    if not all(_leave_one(x, y) for x, y in zip(_trial_values(first), _trial_values(second), strict=True)):
        return None
    parts = {first.decomposition, second.decomposition}
    if parts == {accuracy.decomposition, error_rate.decomposition}:
        return "prop:hamming_accuracy", "every entry is right or wrong"
    return ("sec:redundancy" if None in parts else "prop:which_decomposable"), "each is one minus the other on all counts"


def _leave_one(x: Value, y: Value) -> bool:
    """Return whether two values add to one, or are undefined together."""
    if type(x) is Fraction and type(y) is Fraction:
        return x + y == 1
    if not is_defined(x, y):
        return not is_defined(x) and not is_defined(y)
    return is_same(number(x) + number(y), Fraction(1))


TRIALS = 12  # they are exact; different scores rarely agree on a single one, unless formulas have cases
EXAMPLES = 12  # of a random problem with several labels per example


def one_hot_problem(m: int, positive: int | None, rng: random.Random) -> ExactScores:
    """Return a random problem with one true and one predicted class of m for every example.

    The errors of a class go to the next two classes.
    """
    # Each class, and the whole problem, is good or bad at random: some formulas are equal only above chance.
    good, bad = rng.choice(((80, 9), (9, 80), (40, 40)))
    right = [_any_size(rng, good) for _ in range(m)]
    next_class, second_next = ([_any_size(rng, bad) if m > k else 0 for _ in range(m)] for k in (1, 2))
    wrong = sum(next_class) + sum(second_next)
    n = sum(right) + wrong
    classes = []
    for j in range(m):
        fp, fn = next_class[j - 1] + second_next[j - 2 if m > 2 else 0], next_class[j] + second_next[j]
        classes.append((right[j], fp, fn, n - right[j] - fp - fn))
    rows = replace(ExactUnits.once([(1, 0, 0, m - 1), (0, 1, 1, m - 2)]), times=(Fraction(n - wrong), Fraction(wrong)))
    return _problem(classes, rows, positive)


def _any_size(rng: random.Random, largest: int) -> int:
    return rng.randint(1, rng.choice((2, largest)))


def labels_problem(m: int, positive: int | None, rng: random.Random) -> ExactScores:
    """Return a random problem with any number of true and predicted labels per example, all observed."""
    table = [[rng.choice("abcd") for _ in range(m)] for _ in range(EXAMPLES)]  # a is a true positive, b a false one, …
    rows = [tuple(map(row.count, "abcd")) for row in table]
    return _problem([tuple(map(column.count, "abcd")) for column in zip(*table, strict=True)], ExactUnits.once(rows), positive)


def counts_problem(m: int, positive: int | None, rng: random.Random) -> ExactScores:
    """Return random counts per class and per example, which do not come from the same labels."""
    classes, rows = ([tuple(rng.randint(1, 97) for _ in range(4)) for _ in range(k)] for k in (m, EXAMPLES))
    return _problem(classes, ExactUnits.once(rows), positive)


def _problem(classes: Sequence[Sequence[int]], rows: ExactUnits, positive: int | None) -> ExactScores:
    columns = ExactUnits.once(classes)
    units: dict[tuple[str, ...], ExactUnits] = {("class",): columns, ("example",): rows}
    return ExactScores(units.__getitem__, None if positive is None else columns.counts[positive])


def equal_on(draw: Callable[[random.Random], ExactScores], scores: Sequence[Scored]) -> list[list[Scored]]:
    """Return the blocks of two or more scores that are equal on all problems drawn.

    Equal scores are also undefined on the same problems.

    >>> import indicatrix as ix
    >>> scores = [Scored(ix.f1, "micro"), Scored(ix.f1, "macro"), Scored(ix.recall, "micro")]
    >>> print(*map(str, equal_on(lambda rng: one_hot_problem(3, None, rng), scores)[0]), sep=", ")
    micro f1, micro recall
    """
    known = [score for score in scores if score.average == BINARY or reads_confusion(find_average(score.average))]
    blocks, seen = [known], set[Scored]()
    for trial in range(TRIALS):
        if all(len(block) < 2 for block in blocks):
            break
        fresh, finer = draw(random.Random(trial)), list[list[Scored]]()
        for block in blocks:
            values = {score: fresh.value(*score) for score in block}
            seen.update(score for score, x in values.items() if is_defined(x))
            finer += [*partition(values), [score for score, x in values.items() if not is_defined(x)]]
        blocks = finer
    return [block for block in blocks if len(block) > 1 and block[0] in seen]
