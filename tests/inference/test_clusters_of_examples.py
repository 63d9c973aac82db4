"""Clusters of the examples of sweeps, losses, rankings and means over examples: intervals, comparisons and plans."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.inference.stats.quantiles import student
from indicatrix.scores.areas import AREAS

PARAMETERS: dict[str, dict[str, Any]] = {"partial_auc": {"max_fpr": 0.3}, "threshold_average": {"measure": "f1"}}


def drawn(rng: np.random.Generator, clusters: int = 40, size: int = 8) -> tuple[Any, Any, Any]:
    """Return labels, scores and clusters; the scores of a cluster have something in common."""
    of = np.repeat(np.arange(clusters), size)
    y = (rng.random(len(of)) < 0.4).astype(int)
    scores = 1.2 * y + rng.normal(size=clusters)[of] + 0.6 * rng.normal(size=len(of))
    return y, 1 / (1 + np.exp(-scores)), of


Y, S, OF = drawn(np.random.default_rng(0))
OTHER = 1 / (1 + np.exp(-(0.8 * Y + np.random.default_rng(1).normal(size=len(Y)))))
EXAMPLES = np.arange(len(Y))


def brier(y: Any, s: Any) -> Any:
    return ix.brier(y, s, average="exemplar")


def intervals_of(y: Any, s: Any, clusters: Any) -> dict[str, Any]:
    """Return an interval of everything that takes clusters of single examples."""
    found = {
        name: ix.inference.interval(ix.sweep(y, s), area.at(**PARAMETERS.get(name, {})), clusters=clusters)
        for name, area in AREAS.items()
    }
    found["brier"] = ix.inference.interval(brier(y, s), clusters=clusters)
    found["log_loss"] = ix.inference.interval(ix.log_loss(y, s, average="exemplar"), clusters=clusters)
    return found


def ends(found: Any) -> tuple[float, float]:
    return found.low, found.high


def test_clusters_of_one_example_are_no_clusters() -> None:
    """But for the degrees of freedom: as many as there are clusters, less one."""
    alone, clusters = intervals_of(Y, S, None), intervals_of(Y, S, EXAMPLES)
    for name in alone:
        assert ends(clusters[name]) == pytest.approx(ends(alone[name]), abs=0.02 * alone[name].width), name
        assert clusters[name].value == alone[name].value


def test_examples_that_occur_twice_in_their_cluster_do_not_narrow() -> None:
    once, twice = intervals_of(Y, S, OF), intervals_of(np.repeat(Y, 2), np.repeat(S, 2), np.repeat(OF, 2))
    for name in once:
        assert twice[name].width >= 0.97 * once[name].width, name
    perfect = [
        ix.inference.interval(ix.sweep(np.repeat(Y, k), np.repeat(Y, k)), "auc", clusters=np.repeat(OF, k)) for k in (1, 4)
    ]
    assert perfect[1].width >= 0.97 * perfect[0].width
    exact = [ix.inference.interval(brier(np.repeat(Y, k), np.repeat(Y, k)), clusters=np.repeat(OF, k)) for k in (1, 4)]
    assert exact[1].width >= 0.97 * exact[0].width


def test_obuchowskis_variance_is_literal() -> None:
    """The sums of the placements of each cluster, as Obuchowski (1997) defines the variance."""
    positive = Y == 1
    wins = (S[positive][:, None] > S[~positive]) + 0.5 * (S[positive][:, None] == S[~positive])
    area, k = wins.mean(), 40
    v = np.bincount(OF[positive], wins.mean(axis=1) - area, k) / positive.sum()
    w = np.bincount(OF[~positive], wins.mean(axis=0) - area, k) / (~positive).sum()
    more, less = (np.unique(OF[side]).size for side in (positive, ~positive))
    literal = more / (more - 1) * v @ v + less / (less - 1) * w @ w
    literal += 2 * math.sqrt(more / (more - 1) * less / (less - 1)) * v @ w
    half = student(0.95, k - 1) * math.sqrt(literal)
    found = ix.inference.interval(ix.sweep(Y, S), "auc", method="delta", clusters=OF)
    assert ends(found) == pytest.approx((area - half, area + half))


def test_a_mean_loss_has_the_variance_of_a_ratio_of_sums() -> None:
    losses, k = (S - Y) ** 2, 40
    apart = np.bincount(OF, losses - losses.mean(), k)
    literal = k / (k - 1) * (apart @ apart) / len(Y) ** 2
    found = ix.inference.interval(brier(Y, S), clusters=OF, method="delta")
    half = student(0.95, k - 1) * math.sqrt(literal)
    assert ends(found) == pytest.approx((losses.mean() - half, losses.mean() + half))


def test_clusters_are_named_or_given() -> None:
    named = ix.inference.interval(ix.sweep(Y, S, by={"patient": OF}), "auc", clusters="patient")
    assert named == ix.inference.interval(ix.sweep(Y, S), "auc", clusters=OF) == ix.auc(Y, S, interval=True, clusters=OF)
    assert named == ix.auc(ix.sweep(Y, S), interval=True, clusters=[f"p{k}" for k in OF])
    guess = (S > 0.5).astype(int)
    ev = ix.evaluate(Y, guess, by={"patient": OF})
    assert ev.interval("f1", clusters="patient") == ix.f1(Y, guess, interval=True, clusters=OF)
    compared = [
        ix.compare(Y, {"a": S, "b": OTHER}, ["auc", "brier", "accuracy"], decide=0.5, **how)
        for how in ({"clusters": OF}, {"clusters": "patient", "by": {"patient": OF}})
    ]
    assert repr(compared[0].differences) == repr(compared[1].differences)
    assert not compared[0].groups


@pytest.mark.parametrize("measure", ["auc", "average_precision", "h_measure", "brier", "log_loss", "accuracy", "f1"])
def test_a_comparison_takes_clusters(measure: str) -> None:
    """Examples that occur twice in their cluster do not narrow a difference, and clusters of one example change little."""

    def compare(times: int, **clusters: Any) -> Any:
        y, one, other = (np.repeat(x, times) for x in (Y, S, OTHER))
        decided = {"decide": 0.5} if measure in ("accuracy", "f1") else {}
        return ix.compare(y, {"a": one, "b": other}, measure, **decided, **clusters)

    plain, single = compare(1).differences[0], compare(1, clusters=EXAMPLES).differences[0]
    assert single.value == plain.value
    assert single.high - single.low == pytest.approx(plain.high - plain.low, rel=0.02)
    once, twice = compare(1, clusters=OF), compare(2, clusters=np.repeat(OF, 2))
    before, after = once.differences[0], twice.differences[0]
    assert after.high - after.low > 0.97 * (before.high - before.low)
    assert all(interval is not None for row in once.rows for interval in row.intervals)


@pytest.mark.parametrize("sets", [False, True])
def test_a_mean_over_examples_takes_clusters(sets: bool) -> None:
    """Rows are read from packed groups and from single parts alike."""
    guess = (S > 0.5).astype(int)
    y, made = (np.stack([Y, 1 - Y], 1), np.stack([guess, 1 - guess], 1)) if sets else (Y, guess)
    right = (guess == Y).astype(float)
    found = ix.evaluate(y, made, by={"patient": OF}).interval("jaccard", "exemplar", clusters="patient", method="delta")
    apart = np.bincount(OF, right - right.mean(), 40)
    half = student(0.95, 39) * math.sqrt(40 / 39 * apart @ apart) / len(Y)
    assert ends(found) == pytest.approx((right.mean() - half, right.mean() + half))
    groups = [ix.evaluate(y[k == OF], made[k == OF], by={"patient": OF[k == OF]}) for k in range(40)]
    assert sum(groups[1:], groups[0]).interval("jaccard", "exemplar", clusters="patient", method="delta") == found


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["auc", "brier"])
def test_intervals_of_clusters_cover(measure: str) -> None:
    rng = np.random.default_rng(3)

    def value(y: Any, s: Any, clusters: Any = None) -> Any:
        if measure == "auc":
            return ix.auc(y, s) if clusters is None else ix.inference.interval(ix.sweep(y, s), "auc", clusters=clusters)
        return brier(y, s) if clusters is None else ix.inference.interval(brier(y, s), clusters=clusters)

    true = float(value(*drawn(rng, 60_000)[:2]))
    samples = [drawn(rng, 30) for _ in range(500)]
    assert 0.925 < np.mean([true in value(*sample) for sample in samples]) < 0.98
    assert np.mean([true in value(y, s, np.arange(len(y))) for y, s, _ in samples]) < 0.93  # as if they were independent


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: ix.inference.interval(ix.sweep(Y, S), "auc", clusters=OF[:9]), "clusters has 9 entries for 320 examples"),
        (lambda: ix.inference.interval(ix.sweep(Y, S), "auc", clusters=0 * OF), "clusters= has one group"),
        (
            lambda: ix.inference.interval(ix.sweep(Y, S), "auc", clusters="town"),
            "there are no groupings here. Give one group per example",
        ),
        (lambda: ix.inference.interval(ix.sweep(Y, S, by={"site": OF}), "auc", clusters="town"), "the groupings are 'site'"),
        (lambda: ix.auc(Y, S, clusters=OF), "clusters= says what was sampled"),
        (lambda: ix.evaluate(Y, Y).interval("f1", clusters=OF), "clusters= of an evaluation is the name of a grouping"),
        (lambda: ix.compare([ix.evaluate(Y, Y)] * 2, "f1", clusters=OF), "clusters= of an evaluation is the name of a grouping"),
        (
            lambda: ix.inference.interval(ix.sweep(Y, S), "eer", clusters=OF, method="bca"),
            "What each example adds to eer is not known",
        ),
        (
            lambda: ix.inference.interval(ix.sweep(Y, S), "auc", clusters=OF, method="percentile", stratified=True),
            "Leave it out for clusters",
        ),
        (lambda: ix.power(rate=0.9, width=0.05, clusters=(20, 2)), "the correlation is from 0 to 1"),
        (lambda: ix.power(rate=0.9, width=0.05, clusters="site"), "the mean size of a cluster and the intraclass correlation"),
    ],
)
def test_what_are_no_clusters_is_refused(call: Any, text: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    assert text in str(caught.value)


# Plans.


def test_a_plan_of_assumed_clusters_has_kishs_design_effect() -> None:
    alone, clusters = ix.power(rate=0.9, width=0.05), ix.power(rate=0.9, width=0.05, clusters=(20, 0.1))
    assert clusters.n == math.ceil(2.9 * alone.n)
    assert ix.power(rate=0.9, width=0.05, clusters=(1, 0.5)).n == ix.power(rate=0.9, width=0.05, clusters=(9, 0)).n == alone.n
    two = {"accuracy": (0.9, 0.93), "disagreement": 0.08}
    assert ix.power(**two, clusters=(5, 0.25)).n == 2 * ix.power(**two).n
    assert ix.power(**two, clusters=(5, 0.25), n=2000).present_power == ix.power(**two, n=1000).present_power


@pytest.mark.parametrize("measure", ["auc", "f1", "accuracy"])
def test_a_plan_of_clusters_reaches_the_width(measure: str) -> None:
    """So many clusters like the present ones have an interval of about the width that was asked for."""
    rng = np.random.default_rng(5)

    def interval(clusters: int) -> Any:
        y, s, of = drawn(rng, clusters)
        source = ix.sweep(y, s, by={"patient": of}) if measure == "auc" else ix.evaluate(y, s, decide=0.5, by={"patient": of})
        return source, ix.inference.interval(source, measure, clusters="patient")

    source, now = interval(60)
    plan = ix.power(source, measure, width=now.width / 2, clusters="patient")
    assert plan.present_width == now.width
    assert 200 * 8 < plan.n < 260 * 8
    assert interval(int(plan.n) // 8)[1].width == pytest.approx(now.width / 2, rel=0.3)


@pytest.mark.parametrize("measure", ["auc", "f1", "accuracy"])
def test_a_plan_of_a_difference_takes_clusters(measure: str) -> None:
    two = {"a": S, "b": OTHER} if measure == "auc" else {"a": (S > 0.5).astype(int), "b": (OTHER > 0.5).astype(int)}
    alone = ix.power(Y, two, measure, difference=0.05)
    single = ix.power(Y, two, measure, difference=0.05, clusters=EXAMPLES)
    once = ix.power(Y, two, measure, difference=0.05, clusters=OF)
    twice = ix.power(
        np.repeat(Y, 2), {k: np.repeat(x, 2) for k, x in two.items()}, measure, difference=0.05, clusters=np.repeat(OF, 2)
    )
    assert single.n == pytest.approx(alone.n, rel=0.02)
    assert twice.n == pytest.approx(2 * once.n, rel=0.02)
    assert "clusters like the present 40" in once.note


def test_many_groups_are_summarized() -> None:
    made = ix.compare(np.repeat(Y, 2), {"a": np.repeat(Y, 2), "b": np.repeat(Y, 2)}, "f1", by={"row": np.arange(640)})
    assert len(str(made).splitlines()) < 90
    assert "640 rows are within a row; the first 60 are shown. .groups['row'] has all." in str(made)
    assert len(made.groups["row"]) == 640
    assert len(made.rows) == 1
