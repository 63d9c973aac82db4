"""Random problems of a given kind.

Scores that are equal on all of them are equal for a reason, not by accident.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from ...algebra.average import BINARY, find_average, reads_confusion
from ...algebra.numbers.exact import is_defined
from .exact_scores import ExactScores, ExactUnits, partition
from .requested_scores import Scored

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
