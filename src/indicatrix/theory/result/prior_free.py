"""Which scores of a result do not depend on class priors, by a theorem or by trials.

The theorems are in sec:skew_settings, with errata C7 and C8.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ...algebra.average import ALIASES, BINARY, Average, averages_that, find_average, reads_confusion
from ...algebra.evidence import Evidence
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import Value, digits, exactly, is_defined, order
from ...algebra.numbers.linear_fractional import Vector
from ...tally.regrouped import tally_of_confusion
from ...tally.states.group_counts import Summed, class_counts
from ...tally.tally import Tally
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, series
from ..formula.expansion import function_of
from .exact_scores import (
    ExactScores,
    ExactUnits,
    at_prevalence,
    behavior_of,
    class_cells,
    error_rates,
    exact_mean,
    exact_weights,
    is_movable,
    is_same,
    pair_table,
    rate,
    scaled_rows,
    units_of,
)

TRIALS = 8  # random priors at which a score is computed exactly if no theorem decides


@answers_mistakes
@dataclass(frozen=True)
class SkewConditions:
    """Which conditions hold under which averages do not depend on class frequencies.

    ``breaking`` names the classes that break a condition.

    Attributes
    ----------
    kind : str
        The kind of problem: "multiclass" or another.
    recalls_equal : bool
        Whether all classes have the same recall: then no micro-average of a multiclass problem depends on the priors.
    specificities_equal : bool
        Whether all classes have the same specificity.
    errors_uniform : bool or None
        Whether each class is predicted equally often for examples of every other class; None unless multiclass.
    balanced : bool
        Whether all classes, or labels, have the same number of positives.
    breaking : mapping
        For each condition that fails, the classes that break it.
    tally : Tally
        The counts.
    """

    kind: str
    recalls_equal: bool  # multiclass: then no micro-average depends on the priors (errata C7)
    specificities_equal: bool
    errors_uniform: bool | None  # R_kj is the same for all k other than j (prop:ovr_skew); None unless multiclass
    balanced: bool  # all classes, or labels, have the same number of positives
    breaking: Mapping[str, tuple[Any, ...]]
    tally: Tally = field(repr=False)

    def prior_free(self, measure: str | Measure, average: str) -> Evidence:
        """Return whether the score stays the same under all priors, with fixed conditional rates.

        If a theorem applies, it decides; otherwise exact scores at random priors decide.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``.

        Returns
        -------
        Evidence
            True or false in an ``if``; ``.proof`` names the theorem.

        Examples
        --------
        >>> import indicatrix as ix
        >>> conditions = ix.from_confusion([[8, 2], [2, 8]]).skew_conditions()
        >>> bool(conditions.prior_free("recall", "macro")), bool(conditions.prior_free("precision", "macro"))
        (True, False)
        """
        found, average = find(measure), ALIASES.get(average, average)
        rule = find_average(average)
        if average == BINARY or not reads_confusion(rule):
            possible = series(averages_that(reads_confusion))
            raise ValueError(f"average={average!r} of {found}: the effect of priors is decided for {possible} averages only.")
        if found.averages and average not in found.averages:
            raise ValueError(f"{found} exists only as average={found.averages[0]!r}, not as {average!r}. Use that average.")
        if rule.per == ("example",):
            return _over_examples(self, found, rule)
        if not is_defined(ExactScores.of(self.tally).value(found, average)):
            return Evidence(None, note=f"{average} {found} is undefined here")
        return _theorem(self, found, average) or _at_random_priors(self, found, average)

    def __str__(self) -> str:
        lines = []
        for name in ("recalls_equal", "specificities_equal", "errors_uniform", "balanced"):
            holds, bad = getattr(self, name), self.breaking.get(name, ())
            if holds is not None:
                lines.append(f"{name.replace('_', ' ')}: {'yes' if holds else f'no, {_difference_text(name, bad)}'}")
        return "\n".join(lines)


def skew_conditions(source: Any) -> SkewConditions:
    """Return which conditions for prior-free averages hold, and the classes that break them.

    The conditions are tested exactly. Those on rates are about the classes that occur: the rates of other classes are unknown.

    >>> import indicatrix as ix
    >>> s = skew_conditions(ix.from_confusion([[7, 3, 0], [4, 14, 2], [1, 5, 14]]))
    >>> s.recalls_equal, s.errors_uniform, bool(s.prior_free("specificity", "micro")), bool(s.prior_free("specificity", "macro"))
    (True, False, True, False)
    """
    tally, kind = behavior_of(source)
    classes, cells = tally.classes, class_cells(tally)
    recalls = {c: rate(v[0], v[0] + v[2]) for c, v in zip(classes, cells, strict=True) if v[0] + v[2]}
    specificities = {c: rate(v[3], v[1] + v[3]) for c, v in zip(classes, cells, strict=True) if v[1] + v[3]}
    sizes = {c: v[0] + v[2] for c, v in zip(classes, cells, strict=True)}
    breaking = {
        "recalls_equal": _odd_names(recalls),
        "specificities_equal": _odd_names(specificities),
        "balanced": _odd_names(sizes),
    }
    uniform = None
    if kind == "multiclass":
        columns = error_rates(pair_table(tally))
        breaking["errors_uniform"] = tuple(c for c, column in zip(classes, columns, strict=True) if len(set(column.values())) > 1)
        uniform = not breaking["errors_uniform"]
    recalls_equal, specificities_equal = not breaking["recalls_equal"], not breaking["specificities_equal"]
    return SkewConditions(kind, recalls_equal, specificities_equal, uniform, not breaking["balanced"], breaking, tally)


def _theorem(given: SkewConditions, measure: Measure, average: str) -> Evidence | None:
    """Return the positive answer of a theorem, or None if no theorem applies.

    The theorems are about pooled scores and plain means over classes.
    """
    rule = find_average(average)
    if not (rule.pools or rule.is_mean_over("class")):
        return None
    recall, specificity = find("recall"), find("specificity")
    if given.kind == "multiclass" and rule.pools:
        table = pair_table(given.tally)
        abstained = {rate(row[-1], sum(row, Fraction(0))) for row in table[:-1] if sum(row)}
        if given.recalls_equal and len(abstained) < 2:
            return Evidence(True, proof="all classes have the same recall, so the pooled counts are the same for every prior")
        return None
    if given.kind == "multiclass" and function_of(measure, [recall]):
        return Evidence(True, proof="it is a function of recall alone, and priors do not change the recall of a class")
    if not function_of(measure, [recall, specificity]):
        return None
    fixed = "provided that recall and specificity of each label are fixed"
    if given.kind == "multiclass":
        return Evidence(True, proof="the measure is skew-invariant and the errors are uniform") if given.errors_uniform else None
    if not rule.pools:
        return Evidence(True, proof="it is a function of recall and specificity of each label", note=fixed)
    for name, equal, rates in (
        ("recalls", given.recalls_equal, [recall]),
        ("specificities", given.specificities_equal, [specificity]),
        ("recalls and specificities", given.recalls_equal and given.specificities_equal, [recall, specificity]),
    ):
        if equal and function_of(measure, rates):
            return Evidence(True, proof=f"the {name} of all labels are equal", note=fixed)
    return None


def _at_random_priors(given: SkewConditions, measure: Measure, average: str) -> Evidence:
    """Return whether exact scores at random priors agree; a witness is two priors and their scores."""
    rng, seen, rounded = random.Random(0), list[tuple[Vector, Value]](), units_of(given.tally, "class").rounded
    for _ in range(TRIALS):
        priors, cells = _draw_priors(given, rng)
        units: dict[tuple[str, ...], ExactUnits] = {("class",): ExactUnits.once(cells)}
        score = ExactScores(units.__getitem__).value(measure, average)
        if seen and (
            is_defined(score) != is_defined(seen[0][1]) or (is_defined(score) and not is_same(score, seen[0][1], rounded))
        ):
            return Evidence(False, witness=(seen[0][0], priors, seen[0][1], score))
        seen.append((priors, score))
    if not is_defined(seen[0][1]):
        return Evidence(None, note=f"{average} {measure} is undefined at every prior.")
    return Evidence(True, trials=TRIALS, digits=digits([s for _, s in seen]))


def _over_examples(given: SkewConditions, measure: Measure, average: Average) -> Evidence:
    """Return whether all types of examples have the same mean.

    Means are over the examples with a value and a weight. The weight of an example depends on the example alone: priors change
    how often it occurs, but not its weight.
    """
    if isinstance(given.tally.pooled, Summed) and given.tally.pooled.per_example is None:
        return Evidence(None, note="the counts came without examples")
    value, types = exactly(measure), dict[Any, list[tuple[Value, Value]]]()
    examples = list(_typed_examples(given))
    weights = exact_weights(average, measure, ExactUnits.once([four for _, four, _ in examples]))
    if any(not is_defined(w) or w < 0 for w in weights):
        return Evidence(None, note="some examples have a weight that is undefined or negative")
    for (kind, four, times), weight in zip(examples, weights, strict=True):
        x = value(*four)
        if weight and is_defined(x):
            types.setdefault(kind, []).append((x, weight * times))
    means = {name: exact_mean(*zip(*pairs, strict=True)) for name, pairs in types.items()}
    if not means:
        return Evidence(None, note=f"no example has a value of {measure}")
    (first, mean), *others = means.items()
    for name, other in others:
        if order(mean, other):
            what = "true class" if given.kind == "multiclass" else "number of true labels"
            return Evidence(False, witness=(first, name, mean, other), note=f"the means differ by {what}")
    if given.kind != "multiclass" and any(order(x, mean) for pairs in types.values() for x, _ in pairs):
        return Evidence(
            None, note="the mean of each combination of labels decides, but a tally does not keep which labels each example has"
        )
    return Evidence(True, proof="all types of examples have the same mean")


def _typed_examples(given: SkewConditions) -> Iterable[tuple[Any, Vector, Fraction]]:
    """Yield the distinct examples with their types.

    The type is the true class, or the number of true labels if only that is known.
    """
    tally, m = given.tally, len(given.tally.classes)
    if given.kind == "multiclass":
        for j, (c, row) in enumerate(zip(tally.classes, pair_table(tally), strict=False)):
            right, none = row[j], row[-1]
            for v, t in (((1, 0, 0, m - 1), right), ((0, 1, 1, m - 2), sum(row) - right - none), ((0, 0, 1, m - 1), none)):
                if t:
                    yield c, tuple(map(Fraction, v)), t
        return
    rows, times = tally.pooled.rows()
    examples = [(tuple(map(Fraction, v)), Fraction(t)) for *v, t in zip(*rows.tolist(), times.tolist(), strict=True) if any(v)]
    # With memberships or masks the number of true labels depends on more than the labels: then all examples have one type.
    plain = given.kind == "multilabel" and all(sum(v) == m for v, _ in examples)
    for four, times_seen in examples:
        yield four[0] + four[2] if plain else None, four, times_seen


def _draw_priors(given: SkewConditions, rng: random.Random) -> tuple[Vector, tuple[Vector, ...]]:
    """Return random priors, and the counts of all classes at them.

    Classes that occur have positive priors, the others have prior zero.
    """
    draws = [Fraction(rng.randint(1, 997)) for _ in given.tally.classes]
    if given.kind != "multiclass":
        cells = class_cells(given.tally)
        priors = [p / 1000 if is_movable(v) else Fraction(int(v[0] + v[2] > 0)) for p, v in zip(draws, cells, strict=True)]
        return tuple(priors), tuple(at_prevalence(v, p) if is_movable(v) else v for v, p in zip(cells, priors, strict=True))
    table = pair_table(given.tally)
    draws = [p if sum(row) else Fraction(0) for p, row in zip(draws, table, strict=False)]
    total = sum(draws, Fraction(0))
    priors = [p / total if total else p for p in draws]
    four = class_counts(np.array(scaled_rows(table, priors), object)).tolist()
    return tuple(priors), tuple(zip(*four, strict=True))


def _odd_names(values: Mapping[Any, Fraction]) -> tuple[Any, ...]:
    """Return the names whose value is not the most common one."""
    usual = Counter(values.values()).most_common(1)
    return tuple(name for name, value in values.items() if value != usual[0][0])


def _difference_text(condition: str, names: tuple[Any, ...]) -> str:
    """Return in words how classes break a condition."""
    told = series([listing([name]) for name in names] if len(names) <= 5 else [listing(names)])
    if condition == "errors_uniform":
        return f"other classes are predicted as {told} at different rates"
    return f"{told} {'differs' if len(names) == 1 else 'differ'} from the rest"


@answers_mistakes
def uniform_error_deviation(confusion: Any) -> float:
    """Return how far the errors are from uniform: the mean standard deviation of the rates R_kj.

    For each class j, the standard deviation is over the other classes k. The mean over classes j is zero if and only if the
    errors are uniform; then macro-averages of skew-invariant measures do not depend on the priors. Give a confusion matrix,
    with true classes as rows, or an evaluation, whose abstentions count as well.

    Parameters
    ----------
    confusion : array-like or Evaluation
        A confusion matrix, rows true, or an evaluation that has one.

    Returns
    -------
    float
        0 if the errors are uniform.

    Examples
    --------
    >>> import indicatrix as ix
    >>> round(ix.theory.uniform_error_deviation([[16, 3, 1], [6, 12, 2], [1, 5, 14]]), 4)
    0.0667
    """
    if hasattr(confusion, "aggregate"):
        tally, kind = behavior_of(confusion)
        if kind != "multiclass":
            raise ValueError(f"Uniform errors are a condition on a confusion matrix; this evaluation is {kind}.")
    else:
        tally = tally_of_confusion(confusion, None)
    table = pair_table(tally)
    empty = [c for c, row in zip(tally.classes, table, strict=False) if not sum(row)]
    if empty:
        raise ValueError(f"No example has true class {listing(empty)}, so its error rates are unknown. Leave the class out.")
    columns = error_rates(table)
    deviations = [float(_variance(list(column.values()))) ** 0.5 for column in columns if column]
    return sum(deviations) / len(columns) if columns else float("nan")


def _variance(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((x - mean) ** 2 for x in values), Fraction(0)) / len(values)
