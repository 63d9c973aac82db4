"""The same classifier under other class priors: which scores move with them, and by how much (sec:skew_settings)."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.average import ALIASES, Score, Undefined
from ..algebra.counts import Counts
from ..algebra.evidence import Evidence
from ..algebra.measure import Measure
from ..algebra.names import find
from ..tally.kernels import Array
from ..tally.parts import CrossTable, Part, Summed, class_counts
from ..tally.tally import Tally
from .exact import WORKING, defined, digits, exactly, number, order
from .gap import function_of

LABELS = ("multilabel", "soft", "counts")  # kinds in which every label is a binary problem of its own
TRIALS = 8  # random priors at which a score that no theorem covers is computed exactly
Four = tuple[Fraction, ...]


def reprior(tally: Tally, priors: Any, kind: str) -> Tally:
    """Return the tally of the same classifier under other class priors, its conditional rates held fixed (prop:ovr_skew).

    Multiclass: ``priors`` are shares that add to one, a mapping, a sequence in the order of the classes, or "uniform"; each
    row of the confusion matrix, abstentions included, is scaled to its class's share of the same total. Other kinds: they are
    the prevalence of each label, and every label keeps its number of entries; that is the same classifier only if recall and
    specificity are fixed for each label (errata C8), and nothing is known about single examples any more. Numbers are exact.
    Groups are pooled.

    >>> import indicatrix as ix
    >>> reprior(ix.from_confusion([[8, 2], [1, 9]]).tally, {0: 0.75, 1: 0.25}, "multiclass").confusion.tolist()
    [[12.0, 3.0], [0.5, 4.5]]
    """
    part: Part
    if kind == "multiclass":
        table = _table(tally)
        given = _shares(priors, tally.classes)
        absent = [c for c, row, p in zip(tally.classes, table, given, strict=False) if p and not sum(row)]
        if absent:
            raise ValueError(
                f"No example has true class {_few(absent)}, so its error rates are unknown; only the prior 0 is possible."
            )
        masked = tally.pooled.masked if isinstance(tally.pooled, CrossTable) else 0
        part = CrossTable(_array(_scaled_rows(table, given), len(table)), masked)
    elif kind in LABELS:
        cells = _cells(tally)
        given = _prevalences(priors, tally.classes)
        fixed = [c for c, v in zip(tally.classes, cells, strict=True) if not _movable(v)]
        if fixed:
            raise ValueError(
                f"Label {_few(fixed)} has no positives or no negatives, so its rates are unknown and it cannot be moved."
            )
        moved = [_at_prevalence(v, p) for v, p in zip(cells, given, strict=True)]
        part = Summed(_array(moved, 4).T.copy(), None, None)
    else:
        raise ValueError(f"kind={kind!r} is unknown. It is 'multiclass' or one of {', '.join(map(repr, LABELS))}.")
    return Tally(tally.classes, {(): part}, tally.n, tally.open, (), tally.targets, tally.keep_pairs)


@dataclass(frozen=True)
class Drift:
    """A score at several priors, and how far it moves: the largest value minus the smallest (tab:exp_ovr)."""

    values: tuple[Score, ...]
    spread: float  # nan if a value is undefined
    priors: tuple[dict[Any, float], ...]
    measure: Measure
    average: str

    def __str__(self) -> str:
        low, high = min(self.values, default=0.0), max(self.values, default=0.0)
        return f"{self.average} {self.measure} moves by {self.spread:.6g}, from {float(low):.6g} to {float(high):.6g}"


def drift(
    source: Any,
    measure: str | Measure,
    priors_list: Iterable[Any],
    *,
    average: str | None = "macro",
    undefined: Undefined = "exclude",
) -> Drift:
    """Return the score of the same classifier at each of several priors, and its range (prop:ovr_skew, sec:exp_multiclass).

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[16, 3, 1], [6, 12, 2], [1, 5, 14]])
    >>> priors = ["uniform", (0.8, 0.1, 0.1)]
    >>> drift(ev, "recall", priors).spread, round(drift(ev, "specificity", priors).spread, 4)
    (0.0, 0.0194)
    """
    if isinstance(priors_list, str | Mapping):
        raise TypeError(f"priors_list={priors_list!r} must be a list of priors, each a mapping, a sequence or 'uniform'.")
    found, (tally, kind) = find(measure), _behaviour(source)
    values, used = [], []
    for priors in priors_list:
        given = _shares(priors, tally.classes) if kind == "multiclass" else _prevalences(priors, tally.classes)
        moved = _Exact(reprior(tally, priors, kind), getattr(source, "positive", None))
        values.append(found.score(moved, average, undefined))
        used.append({c: float(p) for c, p in zip(tally.classes, given, strict=True)})
    if not values:
        raise ValueError("priors_list is empty. Give at least one prior vector, such as ['uniform'].")
    spread = float("nan") if any(v != v for v in values) else float(max(values)) - float(min(values))
    return Drift(tuple(values), spread, tuple(used), found, values[0].average)


@dataclass(frozen=True)
class _Exact:
    """A tally whose counts stay fractions, so that what does not depend on the priors does not move by a rounding error."""

    tally: Tally
    positive: Any

    @property
    def axes(self) -> tuple[str, ...]:
        return self.tally.axes

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        if per in ("class", ("class",)):
            return Counts(*self.tally.pooled.cells().astype(object), per=("class",), names=(self.tally.classes,))
        if per == ():
            return Counts(*map(Fraction, self.tally.pooled.cells().astype(object).sum(axis=1)))
        return self.tally.aggregate(per)

    def binary(self) -> Counts:
        return self.aggregate("class").at(**{"class": self.positive})


def uniform_error_deviation(confusion: Any) -> float:
    """Return the mean over classes j of the standard deviation, over the other classes k, of the rates R_kj (tab:exp_ovr).

    It is zero exactly if the errors are uniform, so that macro-averages of skew-invariant measures do not depend on the priors
    (prop:ovr_skew). Give a confusion matrix, rows true, or an evaluation, whose abstentions then count as well.

    >>> round(uniform_error_deviation([[16, 3, 1], [6, 12, 2], [1, 5, 14]]), 4)
    0.0667
    """
    if hasattr(confusion, "aggregate"):
        tally, kind = _behaviour(confusion)
        if kind != "multiclass":
            raise ValueError(f"Uniform errors are a condition on a confusion matrix; this evaluation is {kind}.")
    else:
        from ..tally.given import tally_of_confusion

        tally = tally_of_confusion(confusion, None)
    table = _table(tally)
    empty = [c for c, row in zip(tally.classes, table, strict=False) if not sum(row)]
    if empty:
        raise ValueError(f"No example has true class {_few(empty)}, so its error rates are unknown. Leave the class out.")
    columns = _errors(table)
    deviations = [float(_variance(list(column.values()))) ** 0.5 for column in columns if column]
    return sum(deviations) / len(columns) if columns else float("nan")


@dataclass(frozen=True)
class SkewConditions:
    """Which of the paper's conditions a result fulfils, exactly; ``breaking`` names the classes unlike the others."""

    kind: str
    recalls_equal: bool  # multiclass: then no micro-average depends on the priors (errata C7)
    specificities_equal: bool
    errors_uniform: (
        bool | None
    )  # R_kj is the same for all k other than j (prop:ovr_skew); None where labels do not exclude others
    balanced: bool  # all classes, or labels, have equally many positives
    breaking: Mapping[str, tuple[Any, ...]]
    tally: Tally = field(repr=False)

    def prior_free(self, measure: str | Measure, average: str) -> Evidence:
        """Return whether the score stays the same under all priors, conditional rates held fixed (tab:skew_settings).

        A theorem decides where there is one (errata C7 and C8 corrected); elsewhere, exact scores at random priors do.
        """
        found, average = find(measure), ALIASES.get(average, average)
        if average not in ("micro", "macro", "weighted", "exemplar") or (found.averages and average not in found.averages):
            raise ValueError(
                f"average={average!r} of {found}: priors are decided for micro, macro, weighted and exemplar averages."
            )
        if average == "exemplar":
            return _exemplar(self, found)
        return _theorem(self, found, average) or _tried(self, found, average)

    def __str__(self) -> str:
        lines = []
        for name in ("recalls_equal", "specificities_equal", "errors_uniform", "balanced"):
            holds, bad = getattr(self, name), self.breaking.get(name, ())
            if holds is not None:
                lines.append(f"{name.replace('_', ' ')}: {'yes' if holds else f'no ({_few(bad)})'}")
        return "\n".join(lines)


def skew_conditions(source: Any) -> SkewConditions:
    """Return which conditions for prior-free averages hold, exactly, and the classes that break them (prop:ovr_skew, errata C7).

    Conditions on rates are over the classes that occur: the rates of the others are unknown.

    >>> import indicatrix as ix
    >>> s = skew_conditions(ix.from_confusion([[7, 3, 0], [4, 14, 2], [1, 5, 14]]))
    >>> s.recalls_equal, s.errors_uniform, bool(s.prior_free("specificity", "micro")), bool(s.prior_free("specificity", "macro"))
    (True, False, True, False)
    """
    tally, kind = _behaviour(source)
    classes, cells = tally.classes, _cells(tally)
    recalls = {c: v[0] / (v[0] + v[2]) for c, v in zip(classes, cells, strict=True) if v[0] + v[2]}
    specificities = {c: v[3] / (v[1] + v[3]) for c, v in zip(classes, cells, strict=True) if v[1] + v[3]}
    sizes = {c: v[0] + v[2] for c, v in zip(classes, cells, strict=True)}
    breaking = {"recalls_equal": _odd(recalls), "specificities_equal": _odd(specificities), "balanced": _odd(sizes)}
    uniform = None
    if kind == "multiclass":
        columns = _errors(_table(tally))
        breaking["errors_uniform"] = tuple(c for c, column in zip(classes, columns, strict=True) if len(set(column.values())) > 1)
        uniform = not breaking["errors_uniform"]
    recalls_equal, specificities_equal = not breaking["recalls_equal"], not breaking["specificities_equal"]
    return SkewConditions(kind, recalls_equal, specificities_equal, uniform, not breaking["balanced"], breaking, tally)


def _theorem(given: SkewConditions, measure: Measure, average: str) -> Evidence | None:
    """Return the yes that a theorem gives, or None where none applies."""
    if average == "weighted":
        return None
    recall, specificity = find("recall"), find("specificity")
    if given.kind == "multiclass" and average == "micro":
        table = _table(given.tally)
        abstained = {row[-1] / sum(row) for row in table[:-1] if sum(row)}
        if given.recalls_equal and len(abstained) < 2:
            return Evidence(True, proof="all R_jj are equal, so the pooled counts are the same for every prior (errata C7)")
        return None
    if given.kind == "multiclass" and function_of(measure, [recall]):
        return Evidence(True, proof="a function of recall alone, and the recall of each class is R_jj (prop:ovr_skew)")
    if not function_of(measure, [recall, specificity]):
        return None
    fixed = "if recall and specificity of each label are fixed (errata C8)"
    if given.kind == "multiclass":
        return Evidence(True, proof="skew-invariant, and errors are uniform (prop:ovr_skew)") if given.errors_uniform else None
    if average == "macro":
        return Evidence(True, proof="a function of recall and specificity of each label (cor:micro_skew)", note=fixed)
    for name, equal, rates in (
        ("recalls", given.recalls_equal, [recall]),
        ("specificities", given.specificities_equal, [specificity]),
        ("recalls and specificities", given.recalls_equal and given.specificities_equal, [recall, specificity]),
    ):
        if equal and function_of(measure, rates):
            return Evidence(True, proof=f"the {name} of all labels are equal (cor:micro_skew)", note=fixed)
    return None


def _tried(given: SkewConditions, measure: Measure, average: str) -> Evidence:
    """Return whether the exact scores at random priors agree; the witness is two priors and the scores there."""
    value, rng = exactly(measure), random.Random(0)
    seen: list[tuple[Any, ...]] = []
    for _ in range(TRIALS):
        priors, cells = _moved(given, rng)
        score = _exact_score(value, cells, average)
        if seen and (defined(score) != defined(seen[0][1]) or (defined(score) and order(score, seen[0][1]))):
            return Evidence(False, witness=(seen[0][0], priors, seen[0][1], score))
        seen.append((priors, score))
    if not defined(seen[0][1]):
        return Evidence(None, note=f"{average} {measure} is undefined at every prior.")
    return Evidence(True, trials=TRIALS, digits=digits([s for _, s in seen]))


def _exemplar(given: SkewConditions, measure: Measure) -> Evidence:
    """Return whether all types of examples have the same mean (prop:exemplar_skew), over the examples with a value."""
    if isinstance(given.tally.pooled, Summed) and given.tally.pooled.per_example is None:
        return Evidence(None, note="the counts came without examples")
    value, types = exactly(measure), dict[Any, list[tuple[Any, Fraction]]]()
    for kind, four, times in _typed(given):
        x = value(*four)
        if defined(x):
            types.setdefault(kind, []).append((x, times))
    means = {name: _average(pairs) for name, pairs in types.items()}
    if not means:
        return Evidence(None, note=f"no example has a value of {measure}")
    (first, mean), *others = means.items()
    for name, other in others:
        if order(mean, other):
            what = "true class" if given.kind == "multiclass" else "number of true labels"
            return Evidence(False, witness=(first, name, mean, other), note=f"means by {what} (prop:exemplar_skew)")
    if given.kind != "multiclass" and any(order(x, mean) for pairs in types.values() for x, _ in pairs):
        return Evidence(
            None, note="a tally does not keep which labels each example has, and the mean of each combination decides"
        )
    return Evidence(True, proof="all types of examples have the same mean (prop:exemplar_skew)")


def _typed(given: SkewConditions) -> Iterable[tuple[Any, Four, Fraction]]:
    """Yield the distinct examples of each type: by true class, or by the number of true labels where that is all one knows."""
    tally, m = given.tally, len(given.tally.classes)
    if given.kind == "multiclass":
        for j, (c, row) in enumerate(zip(tally.classes, _table(tally), strict=False)):
            right, none = row[j], row[-1]
            for v, t in (((1, 0, 0, m - 1), right), ((0, 1, 1, m - 2), sum(row) - right - none), ((0, 0, 1, m - 1), none)):
                if t:
                    yield c, tuple(map(Fraction, v)), t
        return
    rows, times = tally.pooled.rows()
    examples = [(tuple(map(Fraction, v)), Fraction(t)) for *v, t in zip(*rows.tolist(), times.tolist(), strict=True) if any(v)]
    # Memberships and masks make the number of true labels depend on more than the labels: then all examples are one type.
    plain = given.kind == "multilabel" and all(sum(v) == m for v, _ in examples)
    for four, times_seen in examples:
        yield four[0] + four[2] if plain else None, four, times_seen


def _moved(given: SkewConditions, rng: random.Random) -> tuple[Four, list[Four]]:
    """Return random priors, with the counts of all classes there; what occurs has a positive prior, what does not has none."""
    draws = [Fraction(rng.randint(1, 997)) for _ in given.tally.classes]
    if given.kind != "multiclass":
        cells = _cells(given.tally)
        priors = [p / 1000 if _movable(v) else Fraction(int(v[0] + v[2] > 0)) for p, v in zip(draws, cells, strict=True)]
        return tuple(priors), [_at_prevalence(v, p) if _movable(v) else v for v, p in zip(cells, priors, strict=True)]
    table = _table(given.tally)
    draws = [p if sum(row) else Fraction(0) for p, row in zip(draws, table, strict=False)]
    total = sum(draws, Fraction(0))
    priors = [p / total if total else p for p in draws]
    return tuple(priors), list(zip(*class_counts(np.array(_scaled_rows(table, priors), object)).tolist(), strict=True))


def _exact_score(value: Any, cells: Sequence[Four], average: str) -> Any:
    if average == "micro":
        return value(*(sum(x) for x in zip(*cells, strict=True))) if cells else math.nan
    pairs = [(value(*v), v[0] + v[2] if average == "weighted" else Fraction(1)) for v in cells]
    return _average([(x, w) for x, w in pairs if w and defined(x)])


def _average(pairs: Sequence[tuple[Any, Fraction]]) -> Any:
    """Return the weighted mean of exact values; nan over nothing."""
    total = sum((w for _, w in pairs), Fraction(0))
    if not total:
        return math.nan
    if all(isinstance(x, Fraction) for x, _ in pairs):
        return sum((x * w for x, w in pairs), Fraction(0)) / total
    import mpmath

    with mpmath.workdps(WORKING):
        return mpmath.fsum(number(x) * number(w) for x, w in pairs) / number(total)


def _behaviour(source: Any) -> tuple[Tally, str]:
    """Return the tally behind a source, and whether its classes exclude one another."""
    if hasattr(source, "tally") and hasattr(source, "kind"):
        return source.tally, str(source.kind)
    if isinstance(source, Tally) and isinstance(source.pooled, CrossTable):
        return source, "multiclass"
    if isinstance(source, Tally):
        raise ValueError("These counts do not say whether classes exclude one another. Pass the evaluation, which knows.")
    raise TypeError(f"Priors are moved in an evaluation or a tally, not in {type(source).__name__}; ix.evaluate(…) makes one.")


def _table(tally: Tally) -> list[list[Fraction]]:
    """Return the pairs (true, predicted) in fractions, with a last column of abstentions and a last row that is empty."""
    if not isinstance(tally.pooled, CrossTable):
        raise ValueError(
            "Other priors need the rates at which each class is taken for each other, but pairs of classes were not counted: "
            "there is a mask of entries, or there are many classes. Evaluate with confusion=True, without such a mask."
        )
    table = [[Fraction(x) for x in row] for row in tally.pooled.table.tolist()]
    if any(table[-1]):
        raise ValueError("Some examples have no true class, so no prior says how many there are. Evaluate without them.")
    return table


def _cells(tally: Tally) -> list[Four]:
    return [tuple(map(Fraction, v)) for v in zip(*tally.pooled.cells().tolist(), strict=True)]


def _scaled_rows(table: list[list[Fraction]], shares: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return the rows of a table scaled to these shares of the same total."""
    total = sum(map(sum, table), Fraction(0))
    factors = [p * total / sum(row) if p else Fraction(0) for p, row in zip(shares, table, strict=False)]
    return [[x * f for x in row] for row, f in zip(table, [*factors, Fraction(0)], strict=True)]


def _movable(v: Four) -> bool:
    return v[0] + v[2] != 0 and v[1] + v[3] != 0


def _at_prevalence(v: Four, p: Fraction) -> Four:
    """Return the counts of a label at another prevalence, its recall, specificity and total kept."""
    tp, fp, fn, tn = v
    up, down = p * sum(v) / (tp + fn), (1 - p) * sum(v) / (fp + tn)
    return tp * up, fp * down, fn * up, tn * down


def _array(rows: Sequence[Sequence[Fraction]], width: int) -> Array:
    """Return fractions as an array, as integers where all are whole."""
    array = np.array(rows, object).reshape(-1, width)
    if all(x.denominator == 1 for x in array.flat):
        array = np.array([int(x) for x in array.flat], object).reshape(array.shape)
        return array.astype(np.int64) if sum(array.flat) < 2**62 else array
    return array


def _errors(table: list[list[Fraction]]) -> list[dict[int, Fraction]]:
    """Return R_kj over the classes k other than j that occur, for each class j."""
    sizes = [sum(row) for row in table[:-1]]
    return [{k: table[k][j] / size for k, size in enumerate(sizes) if k != j and size} for j in range(len(sizes))]


def _variance(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((x - mean) ** 2 for x in values), Fraction(0)) / len(values)


def _odd(values: Mapping[Any, Fraction]) -> tuple[Any, ...]:
    """Return the names whose value is not the commonest one."""
    usual = Counter(values.values()).most_common(1)
    return tuple(name for name, value in values.items() if value != usual[0][0])


def _shares(priors: Any, classes: tuple[Any, ...]) -> list[Fraction]:
    """Return class priors in the order of the classes; they add to one exactly."""
    if not classes:
        raise ValueError("There are no classes here, so there is nothing to give priors to.")
    if isinstance(priors, str) and priors == "uniform":
        return [Fraction(1, len(classes))] * len(classes)
    given = _numbers(priors, classes)
    negative = [c for c, p in zip(classes, given, strict=True) if p < 0]
    if negative:
        raise ValueError(f"The prior of {_few(negative)} is negative; priors are shares of the examples.")
    total = sum(given, Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        raise ValueError(f"The priors add to {float(total):.10g}, not to 1. Divide them by their sum if that is what you mean.")
    return [p / total for p in given]


def _prevalences(priors: Any, classes: tuple[Any, ...]) -> list[Fraction]:
    """Return one prevalence for each label, strictly between 0 and 1."""
    if isinstance(priors, str) and priors == "uniform":
        raise ValueError("priors='uniform' is for classes that exclude one another. Give each label its prevalence, such as 0.5.")
    given = _numbers(priors, classes)
    outside = [c for c, p in zip(classes, given, strict=True) if not 0 < p < 1]
    if outside:
        raise ValueError(f"The prevalence of {_few(outside)} must lie between 0 and 1, both excluded.")
    return given


def _numbers(priors: Any, classes: tuple[Any, ...]) -> list[Fraction]:
    if hasattr(priors, "keys") and hasattr(priors, "items"):  # a mapping, or a pandas Series, whose index names the classes
        named = dict(priors.items())
        unknown, missing = [c for c in named if c not in classes], [c for c in classes if c not in named]
        if unknown:
            raise ValueError(f"priors names {_few(unknown)}, which is no class here. The classes are {classes!r}.")
        if missing:
            raise ValueError(f"priors says nothing about {_few(missing)}. Name every class; a prior may be 0.")
        values = [named[c] for c in classes]
    elif isinstance(priors, str) or not isinstance(priors, Iterable):
        raise TypeError(f"priors={priors!r} must be a mapping from class to prior, a sequence in class order, or 'uniform'.")
    else:
        values = priors.tolist() if hasattr(priors, "tolist") else list(priors)
    if len(values) != len(classes):
        raise ValueError(f"priors has {len(values)} entries, but there are {len(classes)} classes: {classes!r}.")
    for c, value in zip(classes, values, strict=True):
        if not isinstance(value, int | float | Fraction | np.number) or isinstance(value, bool) or not math.isfinite(value):
            raise ValueError(f"The prior of {c!r} is {value!r}, which is not a finite number.")
    return [Fraction(v.item() if isinstance(v, np.generic) else v) for v in values]


def _few(names: Sequence[Any], most: int = 5) -> str:
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
