"""The differences between columns: of the same examples, or of separate evaluations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ..algebra.derived.derived_facts import SIGNS
from ..algebra.ends import check_level
from ..algebra.score import Score
from ..evaluation import Evaluation
from ..inference.estimators.clustered import check_tested_once, read_clusters
from ..inference.estimators.estimators import Estimator
from ..inference.estimators.of_source import estimate, is_of_images
from ..inference.estimators.of_units import clusters_of_rows
from ..inference.estimators.of_weights import OfMean
from ..inference.intervals.interval import Interval, Request
from ..inference.intervals.of_score import DRAWS, HIDDEN, AskedFor, interval_of
from ..inference.paired.contrasts import Contrast, OfSameWeights, OfUnitDifferences
from ..inference.paired.difference import Difference
from ..inference.paired.of_joint_counts import (
    JointCorrected,
    contrast_of,
    contrast_of_corrected,
    contrast_of_groups,
    contrast_of_means,
)
from ..inference.paired.tests import TESTS, Answer, Question, check_margin, normal_answer, run_test
from ..inference.sampling.draw_weights import check_draws, generator
from ..words.wording import did_you_mean
from .columns import Columns
from .families_of_tests import CORRECTIONS, PairTest, settle
from .paired_counts import PairedCounts
from .row import Row

MOST_TESTS = 20_000  # about a minute
MOST_FURTHER = 300  # pairs that are not tested whose variances say how the tested ones go together
UNPAIRED = "unpaired"
Found = tuple[Answer, str, str]  # of a test: what it says, its name and a note
Test = Callable[[Row, int, int], Found]  # of a row and the places of two classifiers
ABOUT_UNPAIRED = (
    "The differences are unpaired: separate evaluations do not show which examples both got right, so their variances are added. "
    "ix.compare(y_true, {…}) of the labels is sharper; so is clusters= with groups that all of them have."
)


@dataclass(frozen=True)
class DifferenceTests:
    """How to test differences."""

    baseline: str | None = None
    level: float = 0.95
    method: str | None = None
    margin: float | None = None
    correction: str | None = "max_t"
    seed: int | None = None
    clusters: str | None = None
    across_scores: bool = False

    def check(self, names: Sequence[str]) -> None:
        """Refuse what does not exist."""
        if self.baseline is not None and self.baseline not in names:
            raise ValueError(f"baseline={self.baseline!r} is not compared here; there are {', '.join(names)}.")
        check_level(self.level)
        if self.method is not None and self.method not in TESTS:
            hint = did_you_mean(str(self.method), [*TESTS])
            raise ValueError(f"method={self.method!r} is unknown. {hint + ' ' if hint else ''}Choose from {', '.join(TESTS)}.")
        if self.correction is not None and self.correction not in CORRECTIONS:
            raise ValueError(
                f"correction={self.correction!r} is unknown. Use 'max_t', which makes the intervals of all pairs hold together, "
                "'bh' or None."
            )
        check_margin(self.margin)


def check_number(names: Sequence[str], rows: Sequence[Any], asked: DifferenceTests) -> None:
    """Refuse more tests than anybody waits for, and say how to have fewer."""
    scores, k = sum(row.key is not None for row in rows), len(names)
    pairs = k - 1 if asked.baseline is not None else k * (k - 1) // 2
    if scores * pairs > MOST_TESTS:
        one = f"Name the one to compare the others with (baseline={names[0]!r} makes {scores * (k - 1):,} tests), or "
        raise ValueError(
            f"{k:,} classifiers make {pairs:,} pairs, and with {scores:,} scores {scores * pairs:,} tests, more than "
            f"{MOST_TESTS:,}. {'N' if asked.baseline is not None else one + 'n'}ame fewer measures, averages or classifiers. "
            "Evaluations are compared without tests: ix.compare({name: ix.evaluate(y_true, y_pred), …})."
        )


def differences_of(
    columns: Columns, rows: Sequence[Row], undefined: Any, asked: DifferenceTests, known: dict[int, Any]
) -> tuple[Difference, ...]:
    """Return the difference of each row between pairs of classifiers, tested as far as possible.

    ``known`` has the estimators of scores that were made.
    """
    names, sources, joint = columns.names, columns.sources, columns.joint
    check_number(names, rows, asked)
    if joint is None:
        images = is_of_images(sources[0])
        answer = _of_images(columns, undefined, asked) if images else _of_sources(sources, asked, known, paired=columns.paired)
    else:
        answer = _of_joint(joint, asked, known)

    def spread(row: Row, i: int, j: int) -> float:
        return answer(row, i, j)[0].spread if joint is None else make_contrast(joint, row, i, j, asked.clusters, known).spread

    tested = _tested(names, rows, asked, answer)
    every = [one.made for row in tested for one in row]
    if joint is not None and asked.method is not None and every and not any(d.method for d in every):
        raise ValueError(every[0].note)  # the test that was named fits none of the scores
    return settle(tested, asked, _further_variances(rows, spread))


def _of_joint(joint: PairedCounts, asked: DifferenceTests, known: dict[int, Any]) -> Test:
    """Return how the scores of classifiers that were counted together are tested."""

    def answer(row: Row, i: int, j: int) -> Found:
        return _of_contrast(make_contrast(joint, row, i, j, asked.clusters, known), row, i, j, asked)

    return answer


def _of_images(columns: Columns, undefined: Any, asked: DifferenceTests) -> Test:
    """Return how the scores of two models on the same images are tested."""
    from ..vision.images.image_intervals import paired_answer

    options: dict[str, Any] = {"level": asked.level, "margin": asked.margin, "clusters": asked.clusters}
    options |= {"method": asked.method, "seed": asked.seed or 0, "undefined": undefined}

    def answer(row: Row, i: int, j: int) -> Found:
        assert row.key is not None
        two = columns.names[i], columns.names[j]
        return paired_answer(columns.sources[i], columns.sources[j], *row.key, names=two, **options)[1:]

    return answer


def _further_variances(rows: Sequence[Any], spread: Any) -> Any:
    """Return a function that gives the variances of pairs without the baseline, which are not tested."""
    named = [row for row in rows if row.key is not None]

    def variances(at: int, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], float]:
        if len(pairs) > MOST_FURTHER:
            return {}
        found = {}
        for i, j in pairs:
            with suppress(ValueError):
                found[i, j] = spread(named[at], i, j)
        return found

    return variances


def _of_contrast(contrast: Contrast, row: Any, i: int, j: int, asked: DifferenceTests) -> Found:
    """Return the answer of a test, its name and a note."""
    value = float(row.values[i]) - float(row.values[j])
    found, method, note = run_test(contrast, Question(value, asked.level, asked.margin, asked.seed or 0, DRAWS), asked.method)
    if math.isnan(found.ends(asked.level)[0]):
        raise ValueError("its variance is not known at these counts")
    return found, method, note


def make_contrast(
    joint: PairedCounts, row: Any, i: int, j: int, clusters: str | None = None, estimators: dict[int, Any] | None = None
) -> Contrast:
    """Return the contrast of a row between two classifiers; a ValueError says why it cannot be tested.

    ``estimators`` has those of scores that were made, which every pair of a classifier reads.
    """
    measure, _ = row.key
    scores = row.values[i], row.values[j]
    for ev in joint.evaluations[:1]:  # none if only areas are compared, which look by themselves
        check_tested_once(ev, clusters)
    if clusters is None or not measure.reads.counted or isinstance(joint.counts, JointCorrected):
        contrast = independent_contrast(joint, (i, j), measure, scores, clusters, estimators)
    else:
        evs = joint.aligned
        contrast = contrast_of_groups(clusters, (evs[i], evs[j]), measure, scores)
    if contrast.refusal:
        raise ValueError(contrast.refusal)
    return contrast


def independent_contrast(
    joint: PairedCounts,
    two: tuple[int, int],
    measure: Any,
    scores: tuple[Score, Score],
    clusters: str | None = None,
    estimators: dict[int, Any] | None = None,
) -> Contrast:
    """Return the contrast of a score between two classifiers if every example counts as independent.

    Areas and losses also take examples that were sampled in clusters.
    """
    _check_hidden(scores)
    i, j = two
    if not measure.reads.counted:
        known = {} if estimators is None else estimators
        left, right = (_estimator(joint.sweeps[k], score, clusters, known) for k, score in zip(two, scores, strict=True))
        if isinstance(left, OfMean) and isinstance(right, OfMean):
            return contrast_of_means(*scores, clusters_of_rows(joint.sweeps[i], clusters))
        return OfUnitDifferences(left, right)
    evs = joint.aligned
    assert joint.counts is not None
    if isinstance(joint.counts, JointCorrected):
        return contrast_of_corrected((evs[i], evs[j]), measure, scores, clusters)
    return contrast_of(joint.counts, two, (evs[i], evs[j]), measure, scores, estimators)


def _of_sources(sources: Sequence[Any], asked: DifferenceTests, known: dict[int, Any], *, paired: bool) -> Test:
    """Return how the scores of separate sources are tested: sources that draw together, or evaluations."""
    if not paired:
        return _of_separate(sources, asked, known)

    def answer(row: Row, i: int, j: int) -> Found:
        left, right = (_estimator(sources[k], row.values[k], asked.clusters, known) for k in (i, j))
        if isinstance(left, OfMean) and isinstance(right, OfMean):
            number = read_clusters(asked.clusters, sources[i].n)
            return _of_contrast(contrast_of_means(row.values[i], row.values[j], number), row, i, j, asked)
        return _of_contrast(OfSameWeights(left, right), row, i, j, asked)

    return answer


def _of_separate(evaluations: Sequence[Evaluation], asked: DifferenceTests, known: dict[int, Any]) -> Test:
    """Return how the scores of separate evaluations are tested.

    They are paired by group if clusters= names groups that all of them have. Otherwise, and where groups have no test of
    their own, the variances are added.
    """
    if asked.method not in (None, "delta"):
        raise ValueError(
            f"method={asked.method!r} needs to know which examples both got right, and separate evaluations do not show this. "
            "Compare the labels: ix.compare(y_true, {'lr': a, 'rf': b})."
        )
    paired = asked.clusters is not None and _have_same_groups(evaluations, asked.clusters)

    def answer(row: Row, i: int, j: int) -> Found:
        assert row.key is not None
        two, scores = (evaluations[i], evaluations[j]), (row.values[i], row.values[j])
        for one in two:
            check_tested_once(one, asked.clusters)
        if paired and asked.clusters is not None and row.key[0].reads.counted:
            with suppress(ValueError):
                return _of_contrast(contrast_of_groups(asked.clusters, two, row.key[0], scores), row, i, j, asked)
        both = [_estimator(ev, score, asked.clusters, known) for ev, score in zip(two, scores, strict=True)]
        question, freedom = Question(float(scores[0]) - float(scores[1]), asked.level, asked.margin), min(x.freedom for x in both)
        return normal_answer(question, sum(map(_variance, both)), freedom), UNPAIRED, ""

    return answer


def _estimator(source: Any, score: Score, clusters: Any, known: dict[int, Any]) -> Any:
    """Return a score with what was sampled; that of scores of examples is made once."""
    if id(score) in known:
        return known[id(score)]
    made = estimate(source, score.measure, score, clusters)
    if not score.measure.reads.counted:
        known[id(score)] = made
    return made


def _have_same_groups(evaluations: Sequence[Evaluation], axis: str) -> bool:
    """Return whether evaluations have the same groups, with as much of each true class in each of them.

    A group without a true class may be missing, such as an image without objects where one of two detectors found nothing.
    """
    if any(axis not in ev.axes or ev.tally.corrected for ev in evaluations):
        return False
    classes, true = evaluations[0].classes, []
    for ev in evaluations:
        counts = ev.aggregate((axis, "class"))
        if {*ev.classes} != {*classes}:
            return False
        own = np.asarray(counts.tpos)[:, [ev.classes.index(c) for c in classes]].tolist()
        true.append({unit: row for unit, row in zip(counts.names[0], own, strict=True) if any(row)})
    return bool(true[0]) and all(one == true[0] for one in true)


def _variance(estimator: Estimator) -> float:
    """Return the variance of a score, with one pseudo-example where there are slopes and a finite range."""
    return estimator.center().spread if estimator.smooth and np.isfinite(estimator.span).all() else estimator.variance()


def _tested(names: Sequence[str], rows: Sequence[Any], asked: DifferenceTests, answer: Any) -> list[list[PairTest]]:
    """Return the tests of all rows, the better one of two first, or with the baseline second."""
    return [
        [_test(names, row, pair, asked, answer, mixed=mixed) for pair in _pairs(names, row, asked.baseline)]
        for row, mixed in [(row, row.mixes_units()) for row in rows if row.key]
    ]


def _test(names: Sequence[str], row: Any, pair: tuple[int, int], asked: DifferenceTests, answer: Any, *, mixed: bool) -> PairTest:
    """Return the test of a pair.

    ``mixed`` says whether values of the row are means over different units, so that two may be.
    """
    i, j = pair
    known: dict[str, Any] = {"level": asked.level, "better": row.better, "margin": asked.margin}
    value = math.nan
    try:
        _check_row(row, i, j, mixed=mixed)
        value = float(row.values[i]) - float(row.values[j])
        found, method, note = answer(row, i, j)
    except ValueError as reason:
        text = str(reason)
        note = text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
        return PairTest(Difference(row.name, names[i], names[j], value, note=note, **known), pair)
    low, high = getattr(row.values[i].measure, "range", (-math.inf, math.inf))
    return PairTest(Difference(row.name, names[i], names[j], value, method=method, note=note, **known), pair, found, high - low)


def _check_row(row: Any, i: int, j: int, *, mixed: bool) -> None:
    if any(v is None or math.isnan(v) for v in (row.values[i], row.values[j])):
        raise ValueError("one of the two has no value")
    _check_hidden((row.values[i], row.values[j]))
    if mixed and replace(row, values=(row.values[i], row.values[j]), intervals=()).mixes_units():
        raise ValueError("the means are over different units, because undefined values are left out")


def _check_hidden(scores: tuple[Score, Score]) -> None:
    if any(score.reads_hidden() for score in scores):
        raise ValueError(HIDDEN)


def _pairs(names: Sequence[str], row: Any, baseline: str | None) -> list[tuple[int, int]]:
    """Return the pairs to compare: each with the baseline, or all, the better one first."""
    if baseline is not None:
        base = names.index(baseline)
        return [(i, base) for i in range(len(names)) if i != base]
    sign = -1 if row.better == "lower" else 1
    number = [math.inf if v is None or math.isnan(v) else -sign * float(v) for v in row.values]
    order = sorted(range(len(names)), key=lambda i: number[i]) if row.better in SIGNS else [*range(len(names))]
    return [*combinations(order, 2)]


def with_intervals(columns: Columns, row: Row, undefined: Any, asked: DifferenceTests, known: dict[int, Any]) -> Row:
    """Return a row with the interval of each value; None where it is not known."""
    assert row.key is not None
    measure, average = row.key
    request = Request(asked.level, 0 if asked.seed is None else asked.seed, DRAWS)
    how = AskedFor(average if measure.reads.averaged else None, undefined, None, asked.clusters, request)
    found: list[Interval | None] = []
    for source, score in zip(columns.of(measure), row.values, strict=True):
        try:
            found.append(interval_of(source, measure, how, score, known))
        except ValueError:
            found.append(None)
    return replace(row, intervals=tuple(found))


def probability(contrast: Contrast, better: str | None, seed: int | None, draws: int) -> float:
    """Return the share of posterior draws in which the first of two is better; ties count half."""
    check_draws(draws)
    drawn = contrast.posterior(generator(seed), draws)
    drawn = drawn[np.isfinite(drawn)] * (-1 if better == "lower" else 1)
    return float(((drawn > 0).sum() + 0.5 * (drawn == 0).sum()) / len(drawn)) if len(drawn) else math.nan
