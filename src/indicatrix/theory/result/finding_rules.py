"""The finders: each one looks for one thing that may mislead, and yields nothing if it is absent.

The averages to which a theorem applies are given by a condition on their rows: pooled, or a plain mean over classes or
examples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ...algebra.arrays import as_weight
from ...algebra.average import AVERAGES, BINARY, MICRO_AND_MACRO, Average, measure_name, reads_confusion, score_name
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.score import Score
from ...words.wording import listing, series
from ..formula.measure_notes import floor, has_floor, has_property, is_share, rescale
from .exact_scores import balanced_source
from .examined_result import ExaminedResult, name_in_words, of_accuracy
from .odd_labels import (
    alike_labels,
    describe_alike_labels,
    describe_foreign_labels,
    describe_missing_texts,
    foreign_labels,
    missing_texts,
)
from .redundancy import redundant

ROUNDING = 1e-12  # a smaller change of a score counts as no change
LEAST = 0.01  # smaller effects do not change conclusions
TINY = 10  # a class with fewer positives: one example moves its recall by more than a tenth
RARE = 0.05  # tiny classes are reported if together they have less than this share of the positives

BY_CHANCE = 255  # of so many examples, fewer than 5% of random samples have two classes of exactly the same size
RARER = 0.1  # the share of the positive class with which a balanced sample is compared

POOLED, MEAN = MICRO_AND_MACRO

# text, numbers, theorem, advice, effect
Parts = tuple[str, dict[str, float], str, str, float]


def _is_pooled(average: Average) -> bool:
    return average.pools


def _is_class_mean(average: Average) -> bool:
    return average.is_mean_over("class")


def find_collapse(result: ExaminedResult) -> Iterator[Parts]:
    """Find micro scores that contain the same information as accuracy."""
    if not result.one_hot:
        return
    micro = dict(result.under(_is_pooled))
    right = float(find("recall").score(result.counted, POOLED))
    same = [m for m in micro if of_accuracy(m, m=result.m).text == "acc"]
    others = [m for m in micro if m not in same]
    effect = max((abs(_share(m, float(s) - float(m.score(result.counted, MEAN)))) for m, s in micro.items()), default=0.0)
    if not micro or not effect >= LEAST or (len(micro) < 2 and same):
        return
    text = f"With one class per example, every micro score only says how many examples are right, {right:.3f}"
    if same:
        text += f"; micro {_measure_names(same, POOLED)} {'is' if len(same) == 1 else 'are'} exactly that"
    if others:
        shown = ", ".join(f"{measure_name(m, [POOLED])} {float(micro[m]):.3f}" for m in others[:3])
        text += (
            f"; micro {shown} {'says' if len(others) == 1 else 'say'} it on {'its' if len(others) == 1 else 'their'} own scale"
        )
    text += "."
    numbers = {"accuracy": right, **{score_name(m, POOLED): float(s) for m, s in micro.items()}}
    yield text, numbers, "thm:micro_collapse", "Report accuracy once, together with macro scores.", effect


def find_floors(result: ExaminedResult) -> Iterator[Parts]:
    """Find scores that look good although a wholly wrong classifier would score high, too."""
    if not result.one_hot or result.m < 3:
        return
    found = []
    for measure, score in result.under(has_floor):
        apart = has_property(measure, "tn_survives_at_tp0") and has_property(measure, "scale_free")
        if not (apart and all(map(math.isfinite, measure.range))):
            continue
        try:
            honest, worst = rescale(score, result.m), floor(measure, result.m, average=score.average)
        except ValueError:  # undefined at total failure: there is no scale
            continue
        found.append((abs(_share(measure, float(score) - honest)), measure, score, float(worst), honest))
    found = [f for f in found if f[0] >= LEAST]
    if not found:
        return
    effect, measure, score, worst, honest = max(found, key=lambda f: f[0])
    end = "ceiling" if measure.better == "lower" else "floor"
    text = (
        f"With {result.m} classes a classifier that is always wrong still has {score_name(measure, score.average)} {worst:.3f}. "
        f"Measured from that {end}, {float(score):.3f} is {honest:.3f}."
    )
    others = list(dict.fromkeys(measure_name(f[1], [f[2].average]) for f in found if f[1] != measure))
    if others:
        text += f" Floors or ceilings exist for {', '.join(others)}, too."
    numbers = {"score": float(score), end: worst, "rescaled": honest}
    yield text, numbers, "prop:lower_boundary", "To compare datasets, use rescaled values: ix.theory.rescale(score, m).", effect


def find_undefined(result: ExaminedResult) -> Iterator[Parts]:
    """Find classes or examples without a value, and what each convention would give."""
    groups: dict[tuple[str, ...], list[Score]] = {}
    for score in result.scores.values():
        if score.undefined_units and not _is_silent(score):
            groups.setdefault((score.average, *score.counts.per), []).append(score)
    for scores in groups.values():
        advice = "State the convention with the score: undefined='exclude', 0 or 1."
        without = [score for score in scores if math.isnan(score)]
        if without:  # no unit has a value, so no convention gives a meaningful number
            are = "is" if len(without) == 1 else "are"
            text = f"{_called([s.measure for s in without], without[0].average)} {are} undefined: 0/0."
            # A binary score is the main result; among several averages, a reader at least sees that one is missing.
            yield (
                text,
                {},
                "eq:undef_convention",
                "Report a measure that is defined here.",
                1.0 if without[0].average == BINARY else 0.1,
            )
        scores = [score for score in scores if not math.isnan(score)]
        if not scores:
            continue
        worst = max(scores, key=_spread)
        values = worst.sensitivity().values
        text = (
            f"{_called([worst.measure], worst.average)} has no value for {worst.undefined_in_words()}: "
            f"it is {values['exclude']:.3f} without them, {values[0]:.3f} if they count as 0, {values[1]:.3f} if as 1."
        )
        others = [s.measure for s in scores if s is not worst]
        if others:
            text += f" {_called(others, worst.average)} {'has' if len(others) == 1 else 'have'} gaps, too."
        numbers = {"excluded": values["exclude"], "as 0": values[0], "as 1": values[1]}
        effect = abs(_share(worst.measure, _spread(worst)))
        if effect >= LEAST:
            yield text, numbers, "eq:undef_convention", advice, effect


def find_tiny_classes(result: ExaminedResult) -> Iterator[Parts]:
    """Find macro averages that depend strongly on classes with very few examples."""
    small = (result.sizes > 0) & (result.sizes < TINY)
    if not small.any() or small.all() or result.sizes[small].sum() >= RARE * result.sizes.sum():
        return
    moved = []
    for measure, score in result.under(_is_class_mean):
        values = np.asarray(score.values, np.float64)
        rest = values[~small & np.isfinite(values)]
        if rest.size:
            moved.append((abs(_share(measure, float(score) - rest.mean())), measure, score, float(rest.mean())))
    if not moved or max(moved, key=lambda x: x[0])[0] < LEAST:
        return
    effect, measure, score, without = max(moved, key=lambda x: x[0])
    names = [c for c, is_small in zip(result.source.classes, small, strict=True) if is_small]
    positives = float(result.sizes[small].sum())
    text = (
        f"The classes with fewer than {TINY} examples, {listing(names)}, have {positives:.6g} in total and move "
        f"{score_name(measure, score.average)} from {without:.3f} to {float(score):.3f}."
    )
    numbers = {score.average: float(score), "without": without, "classes": float(len(names)), "examples": positives}
    yield text, numbers, "cor:gap", f"Show these classes separately, or give the {score.average} score an interval.", effect


def find_prior_dependence(result: ExaminedResult) -> Iterator[Parts]:
    """Find averages that would change with equally frequent classes."""
    if not result.one_hot or result.m < 2 or (result.sizes == 0).any() or len(set(result.sizes.tolist())) == 1:
        return
    balanced = balanced_source(result.source)
    if balanced is None:
        return
    for scores, theorem in (
        (result.under(_is_pooled), "cor:micro_skew"),
        (result.under(_is_class_mean), "prop:ovr_skew"),
        (result.binary(), "def:skew"),
    ):
        moved = []
        for measure, score in scores:
            other = measure.score(balanced, score.average)
            if math.isfinite(other):
                moved.append((abs(_share(measure, float(other) - float(score))), measure, score, float(other)))
        if not moved or max(moved, key=lambda x: x[0])[0] < LEAST:
            continue
        effect, measure, score, uniform = max(moved, key=lambda x: x[0])
        still = [m for e, m, s, _ in moved if e < ROUNDING and s.average == score.average and _is_skew_invariant(m)]
        text = (
            f"{_called([measure], score.average)} is {float(score):.3f} with these class frequencies and would be {uniform:.3f} "
            "with equal ones, for the same classifier."
        )
        if still:
            text += f" {_called(still, score.average)} would not move."
        numbers = {"here": float(score), "uniform": uniform}
        yield text, numbers, theorem, "Use ev.with_priors(priors) with the frequencies you expect.", effect


def find_designed_prevalence(result: ExaminedResult) -> Iterator[Parts]:
    """Find scores of two exactly balanced classes that a rarer positive class would change."""
    if result.m != 2 or not result.one_hot or not hasattr(result.source, "with_priors") or result.source.positive is None:
        return
    sizes, tally = result.sizes, result.source.tally
    if sizes[0] != sizes[1] or sizes.sum() < BY_CHANCE or tally.by_class:
        return
    positive = result.source.positive
    other = next(c for c in result.source.classes if c != positive)
    rare = result.source.with_priors({positive: RARER, other: 1 - RARER})
    moved = []
    for measure, score in result.binary():
        there = measure.score(rare, score.average)
        if math.isfinite(there):
            moved.append((abs(_share(measure, float(there) - float(score))), measure, score, float(there)))
    if not moved or max(moved, key=lambda x: x[0])[0] < LEAST:
        return
    effect, measure, score, far = max(moved, key=lambda x: x[0])
    text = (
        f"Both classes have {sizes[0]:.6g} examples, as if their number was chosen. {_called([measure], score.average)} is "
        f"{float(score):.3f} here and would be {far:.3f} where {RARER:.0%} are {positive!r}, for the same classifier."
    )
    advice = "If it was chosen, use ev.interval(…, prevalence=0.02) with the share that you expect, or ev.with_priors(priors)."
    yield text, {"here": float(score), "rare": far}, "def:skew", advice, effect


def _is_skew_invariant(measure: Measure) -> bool:
    return bool(has_property(measure, "skew_invariant"))


def find_escapes(result: ExaminedResult) -> Iterator[Parts]:
    """Find micro values outside the range of the values they summarize."""
    for measure, score in result.under(_is_pooled):
        values = np.asarray(measure.values(result.counted.aggregate("class")), np.float64)
        values = values[np.isfinite(values)]
        if not values.size:
            continue
        low, high = float(values.min()), float(values.max())
        outside = max(low - float(score), float(score) - high)
        effect = _share(measure, outside)
        if effect >= LEAST:
            text = (
                f"{_called([measure], score.average)} is {float(score):.3f}, "
                f"{'above' if float(score) > high else 'below'} every class: "
                f"{f'all have {low:.3f}' if f'{low:.3f}' == f'{high:.3f}' else f'they lie between {low:.3f} and {high:.3f}'}."
            )
            numbers = {score.average: float(score), "lowest": low, "highest": high}
            yield text, numbers, "rem:counterexample", "It is not an average of the classes: report macro, or each class.", effect


def find_repetition(result: ExaminedResult) -> Iterator[Parts]:
    """Find requested scores that follow from the others."""
    if not result.chosen or not result.one_hot or len(result.pairs) < 2 or (result.sizes == 0).any():
        return
    if result.m > 12 or not all(_reads_confusion(average) for _, average in result.pairs):
        return
    try:
        found = redundant(list(result.pairs), result.source, positive=getattr(result.source, "positive", None))
    except ValueError:  # pairs of classes were not kept
        return
    if not found.follows:
        return
    shown = "; ".join(
        f"{name_in_words(name)} from {series([name_in_words(x) for x in source])}"
        if source
        else f"{name_in_words(name)} is constant"
        for name, source in list(found.follows.items())[:3]
    )
    more = "" if len(found.follows) <= 3 else f"; and {len(found.follows) - 3} more"
    text = f"{len(result.pairs)} scores carry {found.rank} independent facts: with these class sizes {shown}{more}."
    numbers = {
        "scores": float(len(result.pairs)),
        "independent": float(found.rank),
        "degrees of freedom": float(found.degrees_of_freedom),
    }
    advice = "With these class sizes no prediction changes them: report other scores."
    if found.independent:
        advice = f"It is enough to report {series([name_in_words(x) for x in found.independent])}."
    yield text, numbers, "prop:dof", advice, LEAST * len(found.follows) / len(result.pairs)


def _reads_confusion(average: str | None) -> bool:
    return average == BINARY or (average in AVERAGES and reads_confusion(AVERAGES[average]))


def find_abstentions(result: ExaminedResult) -> Iterator[Parts]:
    """Find scores that abstaining improves, because undefined examples are left out."""
    rows = result.examples
    if rows is None:
        return
    share = float(rows.times[rows.silent].sum() / rows.seen) if rows.seen else 0.0
    for score in result.scores.values():
        if score.undefined_units and _is_silent(score):
            counted = score.sensitivity().values[0]
            effect = abs(_share(score.measure, float(score) - counted))
            if effect >= LEAST:
                text = (
                    f"Nothing was predicted for {share:.1%} of the examples, and {score.average} {score.measure} leaves them "
                    f"out: it is {float(score):.3f}, and {counted:.3f} if they count as wrong."
                )
                numbers = {"abstained": share, "score": float(score), "counted as wrong": counted}
                yield text, numbers, "errata B4", "Report coverage as well, or use undefined=0.", effect
                return
    micro = {m.name: float(s) for m, s in result.under(_is_pooled)}
    if share >= LEAST and "precision" in micro and rows.single:
        recall = float(find("recall").score(result.counted, POOLED))
        text = (
            f"Nothing was predicted for {share:.1%} of the examples: micro precision {micro['precision']:.3f} is over the rest, "
            f"micro recall {recall:.3f} over all."
        )
        numbers = {"abstained": share, "precision": micro["precision"], "recall": recall}
        yield text, numbers, "errata B7", "Report coverage together with precision.", micro["precision"] - recall


def find_unequal_groups(result: ExaminedResult) -> Iterator[Parts]:
    """Find groups whose scores differ from the rest by more than chance explains for their sizes."""
    source = result.source
    binary = getattr(source, "positive", None) is not None
    if not getattr(getattr(source, "tally", None), "by", ()) or not (binary or result.one_hot):
        return  # several labels of one example are not independent, so chance is not known
    measures = dict.fromkeys(s.measure for s in result.pairs if is_share(s.measure)) if binary else {find("recall"): None}
    for axis in source.tally.by:
        found = [source.compare_groups(measure, axis, average=BINARY if binary else None) for measure in measures]
        found = [b for b in found if b.unusual and abs(b.difference) >= LEAST]
        if not found:
            continue
        worst = max(found, key=lambda b: float(np.abs(b.distances()).max()))
        far = np.abs(worst.distances())
        at = int(far.argmax())
        rest = Counts(*(as_weight(x).sum() - as_weight(x)[at] for x in worst.counts), signed=True)
        here, others = float(worst.values[at]), float(worst.measure.values(rest))
        what = str(worst.measure).capitalize() if binary else "Accuracy"
        text = (
            f"{what} is {here:.3f} in {axis} {worst.names[at]!r} ({worst.sizes[at]:,} examples) and {others:.3f} in the others, "
            "more than chance explains for groups of this size."
        )
        more = [name for name in worst.unusual if name != worst.names[at]]
        if more and len(worst.names) > 2:
            text += f" {listing(more)} {'differs' if len(more) == 1 else 'differ'}, too."
        numbers = {"here": here, "others": others, "difference": worst.difference, "ratio": worst.ratio}
        advice = f"Show each {axis}: ev.compare_groups({str(worst.measure)!r}, {axis!r})."
        yield text, numbers, "sec:matrix", advice, abs(here - others)


def _is_silent(score: Score) -> bool:
    """Return whether all undefined units of a score are examples with labels but without a prediction."""
    if score.counts.per != ("example",):
        return False
    counts, lost = score.counts, score.undefined_mask()
    silent = (as_weight(counts.tp) + as_weight(counts.fp) == 0) & (as_weight(counts.fn) > 0)
    return bool(lost.any() and silent[lost].all())


def _spread(score: Score) -> float:
    spread = score.sensitivity().spread
    return spread if math.isfinite(spread) else 0.0


def _share(measure: Measure, difference: float) -> float:
    """Return a difference as a share of the measure's range; unchanged if the range is infinite."""
    low, high = measure.range
    width = high - low
    return difference / width if math.isfinite(width) else difference


def _called(measures: Iterable[Any], average: str) -> str:
    """Return scores under one average at the beginning of a sentence."""
    return f"{average.capitalize()} {_measure_names(measures, average)}"


def _measure_names(measures: Iterable[Any], average: str) -> str:
    return series([measure_name(m, [average]) for m in dict.fromkeys(measures)])


def find_foreign_labels(result: ExaminedResult) -> Iterator[Parts]:
    """Find predicted labels of which none is a true label, so that every example is wrong."""
    text = describe_foreign_labels(result.source)
    if text:
        numbers = {"labels": float(len(foreign_labels(result.source)))}
        yield text, numbers, "prop:lower_boundary", "Check how the labels are written on both sides.", 1.0


def find_alike_labels(result: ExaminedResult) -> Iterator[Parts]:
    """Find classes that differ only in upper and lower case or in spaces, which are probably one class."""
    text = describe_alike_labels(result.source)
    if text:
        numbers = {"classes": float(sum(map(len, alike_labels(result.source))))}
        advice = "If they are one class, write it in one way; if not, name the classes with classes=."
        yield text, numbers, "def:matrices", advice, 1.0


def find_missing_texts(result: ExaminedResult) -> Iterator[Parts]:
    """Find classes that are texts such as "nan", which usually stand for a missing label."""
    text = describe_missing_texts(result.source)
    if text:
        advice = "If it means that a label is missing, give None in its place, and say with missing= what that does."
        numbers = {"classes": float(len(missing_texts(result.source)))}
        yield text, numbers, "eq:masked_agg", advice, 1.0


FINDERS: dict[str, Callable[[ExaminedResult], Iterator[Parts]]] = {
    "labels": find_foreign_labels,  # first, because nothing else matters then
    "alike": find_alike_labels,
    "missing": find_missing_texts,
    "collapse": find_collapse,
    "floor": find_floors,
    "undefined": find_undefined,
    "tiny classes": find_tiny_classes,
    "priors": find_prior_dependence,
    "designed": find_designed_prevalence,
    "escape": find_escapes,
    "redundant": find_repetition,
    "abstention": find_abstentions,
    "groups": find_unequal_groups,
}
