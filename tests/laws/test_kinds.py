"""Every measure of every kind, by one path: an evaluation of scores answers what a call on the arrays answers."""

from __future__ import annotations

import math
import pickle
import re
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import find_average
from indicatrix.algebra.kind import KINDS, every_measure, find_kind
from indicatrix.scores.score_functions import FUNCTIONS

RNG = np.random.default_rng(5)
N, M = 120, 3
Y = RNG.integers(0, M, N)
P = RNG.dirichlet(np.ones(M), N)
P[np.arange(N), Y] += 0.4
P /= P.sum(axis=1, keepdims=True)
SITES = RNG.integers(0, 4, N)
WITHOUT_INTERVAL = ("ece", "smooth_ece", "hand_till_auc", "ordinal_auc")  # for reasons that they say
TWO, SHARE = (Y == 1).astype(int), P[:, 1]
LABELS = (RNG.random((N, M)) < 0.2 + 0.5 * P).astype(int)
REQUIRED: dict[str, Any] = {"k": 2}
OWN = {"partial_auc": {"max_fpr": 0.3}, "threshold_average": {"measure": "f1"}}
SOURCES: dict[str, tuple[Any, Any, Any]] = {"classes": (Y, P, "argmax"), "two": (TWO, SHARE, 0.5), "labels": (LABELS, P, 0.4)}
BLOCKS = np.kron(RNG.integers(0, M, (6, 3, 3)), np.ones((1, 4, 4), int))
MAPS = BLOCKS, np.where(RNG.random(BLOCKS.shape) < 0.9, BLOCKS, 1)
IMAGES: dict[str, tuple[Any, Any, Any]] = {  # what makes a result of images, and its truth and predictions
    "objects": (
        ix.detection,
        [{"boxes": [[k, 0, k + 5, 5]], "labels": [k % 2]} for k in range(6)],
        [{"boxes": [[k, 0, k + 4, 5], [0, k, 3, 9]], "labels": [k % 2, 1], "scores": [0.9 - k / 9, k / 9]} for k in range(6)],
    ),
    "segments": (ix.panoptic, *([(found, found) for found in side] for side in MAPS)),
    "distances": (ix.vision.surface_distances, *MAPS),
}
MEASURES = [m for m in every_measure() if getattr(ix.measures, m.name, None) is not None and m.reads.name in KINDS]
OF_SCORES = [m for m in MEASURES if m.reads.names[1] == "scores"]
OF_IMAGES = [m.at(tolerance=1) if m.name == "surface_dice" else m for m in MEASURES if m.reads.name in IMAGES]


def ready(measure: ix.Measure) -> ix.Measure:
    """Return a measure with the parameters that have no usual value."""
    return measure.at(**OWN.get(measure.name, {}), **{name: REQUIRED[name] for name in getattr(measure.facts, "required", ())})


def evaluated(name: str, **options: Any) -> ix.Evaluation:
    """Return the evaluation of a source, decided from its scores."""
    y, scores, decide = SOURCES[name]
    return ix.evaluate(y, scores, decide=decide, **options)


def called(measure: ix.Measure, y: Any, scores: Any, **options: Any) -> Any:
    """Return what a call on the arrays gives."""
    if measure.name in FUNCTIONS:
        return measure.function(y, scores, **measure.params, **options)
    return measure(y, scores, **options)


def averages_of(measure: ix.Measure, y: Any, scores: Any) -> list[Any]:
    """Return the averages that a call on the arrays has, with None for its own."""
    found = []
    for average in (None, *ix.algebra.AVERAGES, "site"):
        try:
            called(measure, y, scores, **({} if average is None else {"average": average}), **with_sites(average))
        except (ValueError, TypeError):
            continue
        found.append(average)
    return found


def with_sites(average: Any) -> dict[str, Any]:
    """Return the grouping that an average over sites needs."""
    return {"by": {"site": SITES}} if average == "site" else {}


@for_each("measure", OF_SCORES)
@for_each("name", SOURCES)
def test_an_evaluation_of_scores_has_the_score_of_a_call(measure: ix.Measure, name: str) -> None:
    (y, scores, _), own = SOURCES[name], ready(measure)
    ev = evaluated(name, by={"site": SITES})
    for average in averages_of(own, y, scores):
        expected = called(own, y, scores, **({} if average is None else {"average": average}), **with_sites(average))
        if average == "denominator" and own.name.endswith("_at_k"):  # a call decides labels, and counts these; it gives micro
            with pytest.raises(ValueError, match=r"no denominators to weight by\. Choose from micro"):
                ev.score(own, average)
            continue
        found = ev.score(own, average)
        assert float(found) == pytest.approx(float(expected), rel=1e-12, nan_ok=True), average
        if not own.name.endswith("_at_k") or found.units == expected.units:
            assert np.asarray(found.values) == pytest.approx(np.asarray(expected.values), rel=1e-12, nan_ok=True), average
            assert found.undefined_units == expected.undefined_units, average
        else:  # a call on decided labels has one value for all examples that are alike, the evaluation one for each
            alike = np.repeat(np.asarray(expected.values), np.asarray(expected.counts.times, int))
            assert np.sort(found.values) == pytest.approx(np.sort(alike), rel=1e-12, nan_ok=True), average
            assert found.undefined_count == expected.undefined_count, average
        assert (found.measure.reads, str(found.measure)) == (own.reads, str(own)), average  # whatever it means elsewhere
        assert float(ev.score(str(own), average)) == pytest.approx(float(found), nan_ok=True), average  # by its name


@for_each("measure", OF_SCORES)
def test_decided_labels_alone_are_refused_with_the_reason(measure: ix.Measure) -> None:
    ev, own = ix.evaluate(Y, P.argmax(axis=1)), ready(measure)
    with pytest.raises(ValueError, match="reads scores, and this evaluation has none"):
        ev.score(own)
    kept = pickle.loads(pickle.dumps(evaluated("classes")))
    with pytest.raises(ValueError, match="were not kept"):
        kept.score(own)
    with pytest.raises(ValueError, match="cost= changes the labels"):
        ix.evaluate(Y, P, decide="argmax", cost=1 - np.eye(M)).score(own)


def test_the_kinds_of_scores_and_of_images() -> None:
    assert {m.reads.name for m in OF_SCORES} == {"ranking", "scores"}
    assert {m.reads.name for m in OF_IMAGES} == {*IMAGES}
    assert {m.reads.name for m in MEASURES} | {"labels", "sums", "answers"} == {*KINDS}


@for_each("measure", [m for m in OF_SCORES if m.reads.per_example])
def test_a_function_of_scores_gives_the_interval_of_its_measure(measure: ix.Measure) -> None:
    measure, function, options = ready(measure), getattr(ix.measures, measure.name), {"classes": range(M)}
    given = {name: value for name, value in measure.params.items() if value is not None}
    for y in (Y, LABELS):
        for more in ({}, {"clusters": SITES}, {"by": {"site": SITES}, "clusters": "site"}, {"average": "macro"}):
            found = []
            for call in (measure, partial(function, **given)):
                try:
                    found.append(str(call(y, P, interval=0.9, **more, **options)))
                except (ValueError, TypeError) as reason:
                    found.append("refused" if len(str(reason)) > 40 else str(reason))
            assert found[0] == found[1], more
            assert more or y is LABELS or (found[0] == "refused") == (measure.name in WITHOUT_INTERVAL)
    with pytest.raises(TypeError, match="only an interval reads"):
        function(Y, P, clusters=SITES, **given, **options)


def test_an_interval_reads_scores_as_they_are() -> None:
    with pytest.raises(ValueError, match=r"without renormalize=\. Name average='exemplar'"):
        ix.brier(Y, 2 * P, renormalize=True, interval=True)
    found, score = (ix.brier(Y, P / 2, renormalize=True, average="exemplar", interval=how) for how in (True, False))
    assert found.low < found.value == score < found.high


@for_each("measure", OF_IMAGES)
def test_a_measure_of_images_is_called_on_its_result_or_on_the_images(measure: ix.Measure) -> None:
    make, truth, found = IMAGES[measure.reads.name]
    whole = make(truth, found)
    expected = whole.score(measure, "macro")
    assert measure(truth, found, average="macro") == expected == measure(whole, average="macro")
    parts = [make(truth[k : k + 2], found[k : k + 2], images=[k, k + 1]) for k in range(0, 6, 2)]
    assert float(sum(parts[1:], parts[0]).score(measure, "macro")) == pytest.approx(float(expected), rel=1e-12)


@for_each("measure", OF_IMAGES)
def test_a_measure_of_images_refuses_what_has_none_with_the_reason(measure: ix.Measure) -> None:
    results = {name: make(truth, found) for name, (make, truth, found) in IMAGES.items() if name != measure.reads.name}
    for source in (evaluated("classes"), *results.values()):
        for asked in (measure, str(measure)):
            with pytest.raises(TypeError, match=rf"reads {measure.reads.what}, as {re.escape(measure.reads.source)} has them\. "):
                source.score(asked, "macro")


@pytest.mark.slow
def test_names_of_every_kind_are_taken_before_its_module_is_loaded() -> None:
    code = """if True:
        import sys
        import indicatrix as ix
        from indicatrix.algebra.kind import OF_COUNTS, OF_OTHERS, every_measure, names_of_others
        taken = names_of_others()
        for name in ("pq", "panoptic_quality", "hd95", "auc", "ece"):
            try:
                ix.measure("tp / (tp + 2 * fn)", name=name)
            except ValueError as error:
                assert f"named {name!r} already exists" in str(error)
            else:
                raise AssertionError(name)
        loaded = [name for name in sys.modules if name.startswith(("indicatrix.vision", "indicatrix.scores."))]
        assert not loaded, loaded
        every_measure()
        assert {*OF_OTHERS} | OF_OTHERS.reserved <= taken | {*OF_COUNTS}
    """
    subprocess.run([sys.executable, "-c", code], check=True)


@for_each("measure", [m for m in MEASURES if m.reads.name not in IMAGES])
@for_each("name", SOURCES)
def test_a_score_is_the_weighted_mean_of_the_values_of_its_units(measure: ix.Measure, name: str) -> None:
    own, ev = ready(measure), evaluated(name)
    for average in (*ix.algebra.AVERAGES, "binary") if own.reads.averaged else (None,):
        rule = find_average(average)
        try:
            score = ev.score(own, average)
        except ValueError as refused:
            reason = str(refused)
        else:
            reason = ""
        if reason:
            assert len(reason) > 40, average
            continue
        asked = own.meant_for(ev, average)
        units = ev.units(asked, rule.per, positive=average == "binary")
        meant = asked if asked.reads.meaning is None else asked.reads.meaning(asked, ev, average, "exclude")[0]
        values, weights = np.atleast_1d(asked.values(units)), rule.weights(meant, units)
        known = np.isfinite(values)
        if not known.any():
            assert math.isnan(score), average
            continue
        expected = np.average(values[known], weights=None if weights is None else np.broadcast_to(weights, values.shape)[known])
        assert float(score) == pytest.approx(float(expected), rel=1e-12), average


@for_each("measure", [m for m in MEASURES if m.reads.counted and not m.reads.averaged and not m.facts.ordered])
def test_a_function_of_the_matrix_is_averaged_over_groups(measure: ix.Measure) -> None:
    ev = evaluated("classes", by={"site": SITES, "half": SITES > 1, "day": np.arange(N) % 2})
    score, alone = ev.score(measure, "site"), [float(part.score(measure)) for part in ev.split("site").values()]
    assert np.asarray(score.values).tolist() == ev.values(measure, "site").tolist() == alone
    assert score == pytest.approx(np.nanmean(alone), rel=1e-12)
    nested = ev.score(measure, ("half", "day"))
    inside = [part.score(measure, "day") for part in ev.split("half").values()]
    assert (nested.parts, float(nested)) == (tuple(inside), pytest.approx(np.mean(inside), rel=1e-12))
    with pytest.raises(ValueError, match="has no averages; leave average out, or name a grouping"):
        ev.score(measure, "macro")
    try:
        found = ev.interval(measure, "site")
    except ValueError as error:
        reason = str(error)
    else:
        reason = ""
        assert found.value == pytest.approx(float(score))
        assert found.low <= found.value <= found.high
    assert not reason or len(reason) > 40


def test_kinds_stand_side_by_side() -> None:
    ev, names = evaluated("classes"), ["f1", "auc", "brier", "multiclass_kappa"]
    table = ev.table(names, ["macro"])
    for name in names[:3]:
        assert f"{ev.score(name, 'macro'):.3f}" in str(table)
    assert f"{ev.score('multiclass_kappa'):.3f}" in str(table)
    found = ix.compare(Y, {"a": P, "b": P[:, [0, 2, 1]]}, names[:3], "macro", decide="argmax")
    assert [row.name for row in found.rows] == ["macro f1", "macro auc", "macro brier"]
    assert [float(row.values[0]) for row in found.rows] == [float(ev.score(name, "macro")) for name in names[:3]]


def test_every_kind_is_found_by_its_name_and_survives_a_pickle() -> None:
    for name in KINDS:
        kind = find_kind(name)
        assert kind.name == name
        assert pickle.loads(pickle.dumps(kind)) is kind
    for measure in MEASURES:
        again = pickle.loads(pickle.dumps(measure))
        assert again == measure, measure
        assert str(again) == str(measure)


def test_a_function_of_ones_own_of_every_kind() -> None:
    def worst_recall(confusion: Any) -> Any:
        return (confusion.diagonal() / confusion.sum(axis=1)).min()

    def first_share(steps: Any) -> Any:
        return steps.tp[..., 1] / steps.tp[..., -1]

    own = ix.measure(worst_recall, reads="matrix", range=(0, 1), better="higher")
    ev = evaluated("classes")
    assert ev.score(own) == min(ev.values("recall").tolist()) == ev.score("worst_recall")
    ranked = ix.measure(first_share, reads="ranking", range=(0, 1), better="higher")
    assert 0 <= ev.score(ranked, "macro") <= 1
    grouped = ix.measure(worst_recall, name="worst_of_group", reads="matrix", group="matrix order", range=(0, 1), better="higher")
    for one in (own, grouped):  # what is said of a group holds for its measures in the catalogue, and is nothing known of others
        said = ix.explain(one)
        assert said.what == "A function of the whole confusion matrix."
        assert not any("order" in text for text in (*said.use, *said.misleads))
    with pytest.raises(TypeError, match="is not a function of the whole confusion matrix"):
        ix.measure(lambda tp, fp: tp, name="not_of_tables", reads="matrix")
    for taken in ("f1", "auc", "brier", "multiclass_kappa", "nmi"):
        with pytest.raises(ValueError, match=f"A measure named '{taken}' already exists"):
            ix.measure(worst_recall, name=taken, reads="matrix", range=(0, 1))
        with pytest.raises(ValueError, match=f"A measure named '{taken}' already exists"):
            ix.measure("tp / (tp + 2 * fn)", name=taken)
    with pytest.raises(ValueError, match="must be one of 'counts', 'labels', 'sums', 'matrix', 'ranking', 'scores'"):
        ix.measure(worst_recall, reads="table")
