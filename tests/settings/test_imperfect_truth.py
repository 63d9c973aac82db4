"""Gold labels of some rows, judges, designs and known noise: the laws of corrected cells."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import math
import pickle
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from click.testing import CliRunner
from loops import for_each

import indicatrix as ix
from benchmarks.corrected import POPULATIONS, with_gold
from benchmarks.draws import generator
from indicatrix.algebra.counts import Counts
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.cli import main
from indicatrix.cli.app import commands
from indicatrix.inference.estimators.of_corrected import Linear, OfCorrected
from indicatrix.inference.estimators.of_evaluation import estimator_of
from indicatrix.inference.paired.of_joint_counts import contrast_of_corrected
from indicatrix.tally.corrected.by_gold import GoldWeights
from indicatrix.tally.corrected.judged_rows import JudgedRows

N = 400
SCORES = [
    ("f1", "macro"),
    ("precision", "micro"),
    ("mcc", "weighted"),
    ("accuracy", None),
    ("f1", "exemplar"),
    ("multiclass_kappa", None),
]
COUNTED = [m for m in ix.catalogue() if m.reads.counted and m.reads.averaged]


def rows(m=3, n=N, gold=120, judge=0.85, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, m, n)
    predicted, says = (np.where(rng.random(n) < right, truth, rng.integers(0, m, n)) for right in (0.75, judge))
    human = np.full(n, np.nan)
    some = rng.choice(n, gold, replace=False)
    human[some] = truth[some]
    return truth, predicted, says, human


def sets(n=N, gold=120, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 4)) < 0.4
    predicted, says = truth ^ (rng.random((n, 4)) < 0.2), truth ^ (rng.random((n, 4)) < 0.1)
    human = np.full((n, 4), np.nan)
    some = rng.choice(n, gold, replace=False)
    human[some] = truth[some]
    return truth.astype(int), predicted.astype(int), says.astype(int), human


def same(one, other, scores=SCORES, tolerance=1e-9):
    """Compare scores and intervals of two evaluations."""
    for measure, average in scores:
        a, b = (ev.interval(measure, average) for ev in (one, other))
        for x, y in zip((a.value, a.low, a.high), (b.value, b.low, b.high), strict=True):
            assert math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance), (measure, average, a, b)


def of_sets(scores=SCORES):
    return [(m, a) for m, a in scores if m not in ("accuracy", "multiclass_kappa")]


# ---------------------------------------------------------------- laws


@for_each("m", [2, 3, 5])
def test_gold_for_all_rows_is_the_plain_evaluation(m):
    truth, predicted, says, _ = rows(m)
    plain, corrected = ix.evaluate(truth, predicted), ix.evaluate(says, predicted, gold=truth)
    assert corrected.confusion.tolist() == plain.confusion.tolist()
    same(corrected, plain, tolerance=0.0)


def test_gold_for_all_rows_of_several_labels_has_the_plain_scores():
    truth, predicted, says, _ = sets()
    plain, corrected = ix.evaluate(truth, predicted), ix.evaluate(says, predicted, gold=truth)
    for measure, average in of_sets():
        assert corrected.score(measure, average) == pytest.approx(float(plain.score(measure, average)), abs=1e-12)
        a, b = corrected.interval(measure, average), plain.interval(measure, average)
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.02)


@for_each("gold", [[None] * 4, [1, None, None, None]])
def test_without_gold_there_is_nothing_to_correct_by(gold):
    with pytest.raises(ValueError, match="Fewer than two rows have a gold label"):
        ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], gold=gold)


def test_a_constant_judge_and_constant_expectations_change_nothing():
    _, predicted, _, human = rows()
    alone = ix.evaluate(None, predicted, gold=human)
    same(ix.evaluate(np.ones(N, int), predicted, gold=human), alone)
    same(ix.evaluate(None, predicted, gold=human, design={"expected": np.full((N, 3), 1 / 3)}), alone)
    for judge in (None, rows()[2]):  # no judge, and one that is not asked
        same(ix.evaluate(judge, predicted, gold=human, unverified="post-stratify"), alone)
    missing = [None if np.isnan(x) else int(x) for x in human]
    same(ix.evaluate(missing, predicted, unverified="post-stratify"), alone)


def test_gold_alone_weighs_the_gold_rows_of_each_prediction():
    _, predicted, _, human = rows()
    here = ~np.isnan(human)
    weight = np.array([(predicted == k).sum() / ((predicted == k) & here).sum() for k in range(3)])
    table = np.zeros((3, 3))
    np.add.at(table, (human[here].astype(int), predicted[here]), weight[predicted[here]])
    np.testing.assert_allclose(ix.evaluate(None, predicted, gold=human).confusion, table, atol=1e-9)


def test_a_perfect_judge_costs_nothing():
    truth, predicted, _, human = rows(judge=1.0)
    given = ix.evaluate(None, predicted, gold=human, design={"expected": np.eye(3)[truth]})
    plain = ix.evaluate(truth, predicted)
    np.testing.assert_allclose(given.confusion, plain.confusion, atol=1e-9)
    judged = ix.evaluate(truth, predicted, gold=human).interval("f1", "macro")
    alone = ix.evaluate(None, predicted, gold=human).interval("f1", "macro")
    exact = plain.interval("f1", "macro")
    assert abs(judged.value - exact.value) < 0.01
    assert judged.high - judged.low < 0.5 * (alone.high - alone.low) + 0.5 * (exact.high - exact.low)


@for_each("make", [rows, sets])
def test_merged_parts_are_the_whole_in_any_order(make):
    _, predicted, says, human = make()
    by = {"site": np.arange(N) % 3}
    whole = ix.evaluate(says, predicted, gold=human, by=by)
    cuts = [slice(0, 90), slice(90, 250), slice(250, N)]
    parts = [ix.evaluate(says[s], predicted[s], gold=human[s], by={"site": by["site"][s]}) for s in cuts]
    assert parts[0] + parts[1] + parts[2] == whole == parts[2] + (parts[0] + parts[1])
    assert sum(parts) == whole
    order = np.random.default_rng(1).permutation(N)
    assert ix.evaluate(says[order], predicted[order], gold=human[order], by={"site": by["site"][order]}) == whole
    same(parts[2] + parts[0] + parts[1], whole, of_sets(), tolerance=0.0)


def test_conventions_hold_in_intervals_over_examples():
    _, predicted, says, human = rows()
    ev, convention = ix.evaluate(says, predicted, gold=human), ix.types.Convention(otherwise=0)
    one, other = (ev.interval("f1", "exemplar", undefined=how) for how in (convention, 0))
    assert (one.value, one.low, one.high) == (other.value, other.low, other.high)


@pytest.mark.parametrize("heavy", [1.0, 3.0])
def test_parts_whose_rows_weigh_the_same_each_are_the_whole(heavy):
    _, predicted, says, human = rows()
    weight = np.where(np.arange(N) < N // 3, heavy, 5.0)
    whole = ix.evaluate(says, predicted, gold=human, sample_weight=weight)
    parts = [
        ix.evaluate(says[at], predicted[at], gold=human[at], sample_weight=weight[at])
        for at in (slice(0, N // 3), slice(N // 3, None))
    ]
    assert parts[0] + parts[1] == whole
    assert parts[1] + parts[0] == whole


def test_batches_may_see_other_classes():
    _, predicted, says, human = rows(4)
    names = np.array(["ant", "bee", "cat", "dog"])
    gold = [None if np.isnan(x) else str(names[int(x)]) for x in human]
    order = np.argsort(predicted + says, kind="stable")
    says, predicted, gold = names[says][order], names[predicted][order], [gold[i] for i in order]
    whole = ix.evaluate(says, predicted, gold=gold)
    parts = [ix.evaluate(says[s], predicted[s], gold=gold[s]) for s in (slice(0, 60), slice(60, N))]
    assert parts[0].classes != whole.classes
    assert parts[0] + parts[1] == whole


def test_names_of_classes_do_not_matter():
    _, predicted, says, human = rows()
    names = np.array(["zebra", "ant", "cat"])
    gold = [None if np.isnan(x) else str(names[int(x)]) for x in human]
    same(ix.evaluate(names[says], names[predicted], gold=gold), ix.evaluate(says, predicted, gold=human))


@for_each("make", [rows, sets])
def test_groups_add_up_and_single_rows_are_no_clusters(make):
    _, predicted, says, human = make()
    by = {"site": np.arange(N) % 3, "row": np.arange(N)}
    ev = ix.evaluate(says, predicted, gold=human, by=by)
    plain = ix.evaluate(says, predicted, gold=human)
    four = np.array([*ev.aggregate(("site", "class"))])
    np.testing.assert_allclose(four.sum(axis=1), np.array([*plain.aggregate("class")]), atol=1e-9)
    for name, part in ev.split("site").items():
        assert part.score("f1", "macro") == pytest.approx(float(ev.values("f1", "site", average="macro")[name]))
    a, b = ev.interval("f1", "macro", clusters="row"), ev.interval("f1", "macro")
    assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-3)  # Student's and the normal quantile
    assert ev.interval("f1", ("site", "macro")).low < ev.score("f1", ("site", "macro"))
    assert len(ev.compare_groups("f1", "site", average="macro").values) == 3


def test_groups_that_are_labeled_as_a_whole_are_compared_as_without_a_judge():
    truth, predicted, says, _ = rows()
    by = {"site": np.arange(N) % 3}
    plain = ix.evaluate(truth, predicted, by=by).compare_groups("f1", "site", average="macro")
    found = ix.evaluate(says, predicted, gold=truth, by=by).compare_groups("f1", "site", average="macro")
    assert (found.test.p_value, *found.values) == (plain.test.p_value, *plain.values)


def test_margins_of_predictions_and_totals_are_kept():
    _, predicted, says, human = rows()
    for design in (None, {"strata": "judge"}, {"strata": np.arange(N) % 4}, {"probabilities": np.full(N, 0.3)}):
        counts = ix.evaluate(says, predicted, gold=human, design=design).aggregate("class")
        np.testing.assert_allclose(counts.ppos, np.bincount(predicted))
        np.testing.assert_allclose(counts.tpos.sum(), N)


def test_a_simple_random_design_is_no_design():
    _, predicted, says, human = rows()
    plain = ix.evaluate(says, predicted, gold=human)
    same(ix.evaluate(says, predicted, gold=human, design={"probabilities": np.full(N, 0.3)}), plain)
    same(ix.evaluate(says, predicted, gold=human, design={"strata": "prediction"}), plain)
    same(ix.evaluate(says, predicted, gold=human, design={"strata": predicted}), plain)
    same(ix.evaluate(says, predicted, gold=human, sample_weight=np.full(N, 7.0)), plain, tolerance=1e-6)


def test_probabilities_of_strata_are_the_strata():
    _, predicted, says, human = rows()
    expected = np.eye(3)[says] * 0.7 + 0.1
    pairs, known = predicted * 3 + says, ~np.isnan(human)
    share = np.bincount(pairs, known) / np.bincount(pairs)
    one = ix.evaluate(None, predicted, gold=human, design={"strata": pairs, "expected": expected})
    other = ix.evaluate(None, predicted, gold=human, design={"probabilities": share[pairs], "expected": expected})
    np.testing.assert_allclose(one.confusion, other.confusion, atol=1e-9)


def test_a_design_may_be_an_object_with_strata():
    class Plan:
        strata = np.arange(N) % 3

    _, predicted, says, human = rows()
    assert ix.evaluate(says, predicted, gold=human, design=Plan()) == ix.evaluate(
        says, predicted, gold=human, design={"strata": Plan.strata}
    )


def literal(predicted, human, expected, weight):
    """Return the corrected confusion matrix row by row: L = q + w (y - q), w inside predicted classes."""
    m, table = expected.shape[1], np.zeros((expected.shape[1],) * 2)
    for p, y, q, own in zip(predicted, human, expected, weight, strict=True):
        same_class = [i for i in range(len(predicted)) if predicted[i] == p]
        size = sum(weight[i] for i in same_class)
        gold = sum(weight[i] for i in same_class if not np.isnan(human[i]))
        label = [q[k] + (0 if np.isnan(y) else size / gold * ((y == k) - q[k])) for k in range(m)]
        for k in range(m):
            table[k, p] += own * label[k]
    return table


def test_given_expectations_are_the_literal_definition():
    _, predicted, says, human = rows(n=120, gold=50)
    expected, weight = np.eye(3)[says] * 0.8 + 0.2 / 3, np.random.default_rng(0).choice([0.5, 1.0, 3.0], 120)
    ev = ix.evaluate(None, predicted, gold=human, design={"expected": expected}, sample_weight=weight)
    np.testing.assert_allclose(ev.confusion, literal(predicted, human, expected, weight), atol=1e-9)


@for_each("design", [None, {"strata": "judge"}, {"strata": np.arange(N) % 2}], ids=["predictions", "judge", "strata"])
def test_means_over_examples_follow_the_design(design):
    """A mean over rows of several labels, by hand: gold rows stand for the rows that are alike in what the design names."""
    truth, predicted, _, _ = sets()
    guess = np.random.default_rng(1).integers(0, 2, (N, 4))  # a judge that does not help, and names strata only
    counts = [predicted.sum(axis=1), guess.sum(axis=1), (predicted * guess).sum(axis=1)]
    alike = counts[:1] if design is None else counts if isinstance(design["strata"], str) else [design["strata"]]
    stratum = np.unique(np.stack(alike), axis=1, return_inverse=True)[1].ravel()
    seen = np.random.default_rng(2).random(N) < 0.3 + 0.6 * (stratum % 2)
    stratum = np.where((np.bincount(stratum, seen) < 2)[stratum], N, stratum)
    right = (truth == predicted).mean(axis=1)
    mean = sum((stratum == k).sum() * right[seen & (stratum == k)].mean() for k in np.unique(stratum)) / N
    ev = ix.evaluate(guess, predicted, gold=np.where(seen[:, None], truth, np.nan), design=design)
    assert ev.score("label_accuracy", "exemplar") == pytest.approx(mean)
    assert abs(mean - right[seen].mean()) > 1e-4


def test_strata_of_judges_are_what_each_of_them_says():
    """Where gold rows were chosen by which judge objects, precision was .08 too high: strata knew of votes only."""
    made = rows(2)[:3]
    for average, (truth, predicted, says) in (("macro", made), ("exemplar", [one[:, None] for one in made])):
        rng = np.random.default_rng(0)
        guess = np.where(rng.random(truth.shape) < 0.5, says, 1 - says)
        stratum = np.ravel(4 * predicted + 2 * says + guess)
        seen = rng.random(N) < 0.3 + 0.6 * np.ravel(says > guess)
        gold, judges = np.where(seen.reshape(-1, *[1] * (truth.ndim - 1)), truth, np.nan), {"one": says, "other": guess}
        found, named = (ix.evaluate(judges, predicted, gold=gold, design={"strata": how}) for how in ("judge", stratum))
        same(found, named, [("f1", average), ("label_accuracy", average)])
        without = ix.evaluate(judges, predicted, gold=gold)
        assert any("more frequent for some judgments" in found.text for found in without.findings())


@for_each("design", [None, {"strata": "judge"}], ids=["predictions", "judge"])
def test_names_of_classes_do_not_matter_where_judges_disagree(design):
    """Of two judges that disagree, that with the lower class was taken for both."""
    truth, predicted, says, human = rows()
    other = np.where(np.random.default_rng(1).random(N) < 0.6, truth, 2)
    found = []
    for name in (np.arange(3.0), np.array([2.0, 0, 1])):
        human_named = np.where(np.isnan(human), np.nan, name[np.nan_to_num(human).astype(int)])
        judges = {"one": name[says], "other": name[other]}
        found.append(ix.evaluate(judges, name[predicted], gold=human_named, design=design))
    same(*found, [("f1", "macro"), ("accuracy", None)])


def test_judges_of_batches_are_known_by_name() -> None:
    """Judges were told apart by their place: precision of batches that named them in another order came out .046 too high."""
    rng = np.random.default_rng(0)
    truth = (rng.random(4000) < 0.4).astype(int)
    model, one, other = (np.where(rng.random(4000) < right, truth, 1 - truth) for right in (0.85, 0.9, 0.7))
    chance = np.where(one == other, 0.1, np.where(one, 0.5, 0.05))  # which rows are checked depends on who said what
    gold = np.where(rng.random(4000) < chance, truth, np.nan)

    def batch(rows, names):
        judges = {name: {"a": one, "b": other}[name][rows] for name in names}
        return ix.evaluate(judges, model[rows], gold=gold[rows], design={"strata": "judge"})

    first, second, swapped = batch(slice(0, 2000), "ab"), batch(slice(2000, None), "ab"), batch(slice(2000, None), "ba")
    assert swapped == second
    assert first + swapped == first + second == batch(slice(None), "ab")


@for_each("judged", [True, False], ids=["judge", "no judge"])
def test_groups_with_unequally_many_gold_labels_are_noticed(judged):
    """Two batches with other rates and other errors: accuracy was .05 too low, and nothing said so."""
    truth, predicted, says, _ = rows(2, n=2000)
    month, rng = np.arange(2000) % 2, np.random.default_rng(0)
    for rates, noticed in (((0.1, 0.4), True), ((0.2, 0.2), False)):
        gold = np.where(rng.random(2000) < np.array(rates)[month], truth, np.nan)
        for design, said in ((None, noticed), ({"strata": month}, False)):
            parts = [
                ix.evaluate(
                    says[some] if judged else None,
                    predicted[some],
                    gold=gold[some],
                    by={"month": month[some], "patient": np.arange(2000)[some]},
                    design=None if design is None else {"strata": month[some]},
                )
                for some in (month == 0, month == 1)
            ]
            texts = [found.text for found in (parts[0] + parts[1]).findings()]
            assert any("for some judgments or groups than for others" in text for text in texts) == said


def test_gold_rows_that_weigh_next_to_nothing_make_nothing_sure():
    _, predicted, says, human = rows()
    light = np.random.default_rng(0).random(N) < 0.5
    for judge, some in ((None, {}), (says, {}), (says, {"design": {"strata": np.arange(N) % 3}})):
        ends = []
        for weight in (0, 1e-9):
            found = ix.evaluate(judge, predicted, gold=human, sample_weight=np.where(light, weight, 1.0), **some)
            ends.append(found.interval("f1", "macro"))
        assert (ends[0].low, ends[0].high) == pytest.approx((ends[1].low, ends[1].high), abs=1e-5)


def test_an_error_is_as_large_as_it_is_whatever_its_weight():
    """The mean square of errors times ``few``, of two gold labels at random, is their variance if weights differ."""
    weight = np.array([8.0, 1, 1, 2])
    columns = {"predictions": np.zeros((4, 1)), "gold": np.zeros((4, 1))}
    made = GoldWeights(JudgedRows.of(1, columns, weight, several=False), np.zeros(4, int), np.ones(4, bool))
    errors = np.array(list(itertools.product((0.0, 1.0), repeat=4)))
    for k in range(4):
        square = np.mean([(made.few[k] * (error[k] - made.mean(error)[k])) ** 2 for error in errors])
        assert square == pytest.approx(0.25)


def test_means_over_examples_are_known_of_gold_labels_only():
    _, predicted, says, human = sets()
    for options in ({"noise": [[0.9, 0.1], [0.2, 0.8]]}, {"gold": human, "unverified": "rogan-gladen"}):
        with pytest.raises(ValueError, match="not a sum of labels"):
            ix.evaluate(says, predicted, **options).score("f1", "exemplar")
    seen = ix.evaluate(says, predicted, gold=human)._without_correction()["labels as judged"]
    same(seen, ix.evaluate(says, predicted), [("f1", "exemplar")], tolerance=0.05)
    assert seen.score("f1", "exemplar") == pytest.approx(float(ix.evaluate(says, predicted).score("f1", "exemplar")))


@for_each(
    "made",
    [
        lambda rows, sets, w: (ix.evaluate(rows[2], rows[1], gold=rows[0], sample_weight=w), "macro"),
        lambda rows, sets, w: (ix.evaluate(rows[2], rows[1], gold=rows[3], sample_weight=w), "macro"),
        lambda rows, sets, w: (ix.evaluate(rows[2], rows[1], noise=0.8 * np.eye(3) + 0.2 / 3, sample_weight=w), "macro"),
        lambda rows, sets, w: (ix.evaluate(sets[2], sets[1], gold=sets[3], sample_weight=w), "exemplar"),
        lambda rows, sets, w: (ix.evaluate(sets[2], sets[1], noise=[[0.9, 0.1], [0.1, 0.9]], sample_weight=w), "micro"),
        lambda rows, sets, w: (ix.expected(0.8 * np.eye(3)[rows[2]] + 0.2 / 3, rows[1], sample_weight=w), "macro"),
    ],
    ids=["all gold", "gold", "noise", "sets", "noise of sets", "expected"],
)
def test_the_unit_of_weights_does_not_matter(made):
    weight = np.random.default_rng(0).exponential(size=N)
    (one, average), (other, _) = (made(rows(), sets(), unit * weight) for unit in (1.0, 0.001))
    same(one, other, [("f1", average)], tolerance=1e-6)


def test_gold_rows_that_weigh_nothing_say_nothing():
    _, predicted, says, human = rows()
    with pytest.raises(ValueError, match="Fewer than two rows have a gold label"):
        ix.evaluate(says, predicted, gold=human, sample_weight=np.isnan(human))


def test_one_class_has_means_over_examples():
    found = ix.evaluate([1] * 9, [1] * 9, gold=[1] * 5 + [None] * 4).interval("accuracy")
    assert found.value == 1 > found.low > 0.5


def test_expected_labels_are_read_by_their_names():
    _, predicted, says, human = rows()
    raters = {"says": says, "guess": np.roll(says, 1), "model": predicted}
    likely = ix.agreement(raters).latent_truth().memberships
    frame = pd.DataFrame(likely.matrix, columns=[0, 1, 2])[[2, 0, 1]]
    plain, named, framed = (
        ix.evaluate(None, predicted, gold=human, design={"expected": one}) for one in (likely.matrix, likely, frame)
    )
    assert plain == named == framed
    with pytest.raises(
        ValueError, match=r"The columns of design\['expected'\] are called '2', '0', '1', but the classes are 0, 1, 2"
    ):
        ix.evaluate(None, predicted, gold=human, design={"expected": frame.rename(columns=str)})


def test_begg_and_greenes_is_exact_in_fractions():
    _, predicted, _, human = rows(2)
    table = [[Fraction(0)] * 2 for _ in range(2)]
    for p in (0, 1):
        own = human[(predicted == p) & ~np.isnan(human)]
        for k in (0, 1):
            table[k][p] = Fraction(int((predicted == p).sum()) * int((own == k).sum()), len(own))
    recall = table[1][1] / (table[1][0] + table[1][1])
    assert ix.evaluate(None, predicted, gold=human).score("recall") == pytest.approx(float(recall), abs=1e-14)


@for_each("measure", COUNTED[::4])
def test_every_measure_reads_corrected_counts(measure):
    _, predicted, says, human = rows()
    ev = ix.evaluate(says, predicted, gold=human, positive=1)
    for average in ("binary", "macro"):
        try:
            score = ev.score(measure, average)
        except ValueError:  # this measure has no such average
            continue
        counts = ev.aggregate("class")
        values = measure.values(Counts(*counts, per=counts.per, names=counts.names, signed=True))
        if average == "binary":
            assert float(score) == pytest.approx(float(np.asarray(values)[1]), nan_ok=True)
        try:
            found = ev.interval(measure, average)
        except ValueError:
            continue
        assert math.isnan(found.low) or found.low <= found.value <= found.high


@for_each("name", [name for name, m in MATRIX_MEASURES.items() if "weights" not in m.params][::3])
def test_every_function_of_the_matrix_reads_the_corrected_one(name):
    _, predicted, says, human = rows(judge=0.95)
    ev = ix.evaluate(says, predicted, gold=human)
    assert math.isfinite(ev.score(name))
    try:
        found = ev.interval(name)
    except ValueError:
        return
    assert found.low <= found.value <= found.high


# ---------------------------------------------------------------- what goes together


@for_each(
    "options",
    [
        {},
        {"by": {"site": np.arange(N) % 3, "fold": np.arange(N) % 2}},
        {"sample_weight": np.random.default_rng(0).random(N)},
        {"design": {"strata": "judge"}},
        {"design": {"strata": [f"s{k % 5}" for k in range(N)]}},
        {"design": {"probabilities": np.full(N, 0.25)}},
        {"design": {"expected": np.random.default_rng(0).dirichlet([1, 1, 1], N)}},
        {"unverified": "post-stratify"},
        {"unverified": "rogan-gladen"},
        {"mask": np.arange(N) > 20},
        {"positive": 2},
    ],
    ids=["plain", "by", "weights", "judge", "strata", "probabilities", "expected", "gold", "rates", "mask", "positive"],
)
def test_it_is_saved_copied_and_loaded(tmp_path, options):
    _, predicted, says, human = rows()
    ev = ix.evaluate(says, predicted, gold=human, **options)
    ev.save(tmp_path / "a.json")
    for again in (ix.load(tmp_path / "a.json"), pickle.loads(pickle.dumps(ev)), copy.deepcopy(ev)):
        assert again == ev
        same(again, ev, [("f1", "macro")], tolerance=0.0)
    assert (tmp_path / "a.json").stat().st_size < 60_000
    assert ev.report()
    assert ev.table(interval=True)


@for_each("axes", [(), ("site",), ("site", "fold")])
def test_what_was_taken_of_corrected_rows_is_saved_and_loaded(tmp_path, axes):
    """Some classes of groups could not be read again, and the number of answered examples changed."""
    _, predicted, says, human = rows()
    given = [None if i % 10 == 0 else int(p) for i, p in enumerate(predicted)]
    ev = ix.evaluate(says, given, gold=human, missing="abstain", by={name: np.arange(N) % (len(name) - 1) for name in axes})
    assert ev.answered().n == 360
    for one in (ev, *(ev.split("site").values() if axes else ())):
        for taken in (one.answered(), one.only([0, 1]), one.answered().only([0, 1]), one.with_positive(1)):
            taken.save(tmp_path / "a.json")
            again = ix.load(tmp_path / "a.json")
            assert again == taken
            assert again.report() == taken.report()


@for_each("form", ["list", "pandas", "polars", "texts", "None"])
def test_containers_of_gold_labels(form):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    _, predicted, says, human = rows()
    expected = ix.evaluate(says, predicted, gold=human)
    numbers = [None if np.isnan(x) else int(x) for x in human]
    made = {
        "list": (says.tolist(), predicted.tolist(), numbers),
        "pandas": (pandas.Series(says), pandas.Series(predicted), pandas.Series(numbers, dtype="Int64")),
        "polars": (polars.Series(says), polars.Series(predicted), polars.Series(numbers)),
        "None": (says, predicted, numbers),
        "texts": ([f"c{k}" for k in says], [f"c{k}" for k in predicted], [None if k is None else f"c{k}" for k in numbers]),
    }[form]
    same(ix.evaluate(made[0], made[1], gold=made[2]), expected)


def test_sets_and_matrices_of_gold_labels_are_the_same():
    _, predicted, says, human = sets()

    def as_sets(matrix):
        return [None if np.isnan(row).any() else {k for k in range(4) if row[k]} for row in matrix]

    one = ix.evaluate(says, predicted, gold=human, classes=range(4))
    other = ix.evaluate(as_sets(says), as_sets(predicted), gold=as_sets(human), classes=range(4))
    same(one, other, of_sets())


def test_single_entries_may_have_gold_labels():
    truth, predicted, says, human = sets()
    human[:, 2] = np.where(np.arange(N) % 2 == 0, truth[:, 2], np.nan)
    ev = ix.evaluate(says, predicted, gold=human)
    assert ev.tally.corrected.rows.gold > 120
    assert abs(ev.score("f1", "macro") - ix.evaluate(truth, predicted).score("f1", "macro")) < 0.05


def test_scores_that_are_decided_have_gold_labels():
    _, predicted, says, human = rows()
    scores = np.eye(3)[predicted] * 0.5 + 0.1
    ev = ix.evaluate(says, scores, decide="argmax", gold=human)
    same(ev, ix.evaluate(says, predicted, gold=human))
    with pytest.raises(ValueError, match="scores"):
        ev.score("auc", "macro")


def test_decisions_that_look_at_the_truth_are_refused():
    """Hits among the highest scores were those of the judge, of the first class, or of no class."""
    _, predicted, says, human = rows()
    scores = np.eye(3)[predicted] * 0.5 + 0.1 * np.random.default_rng(0).random((N, 3))
    for call in (
        lambda rule: ix.evaluate(says, scores, decide=rule, gold=human, classes=range(3)),
        lambda rule: ix.evaluate(None, scores, decide=rule, gold=human, classes=range(3)),
        lambda rule: ix.evaluate(says, scores, decide=rule, noise=np.eye(3), classes=range(3)),
        lambda rule: ix.expected(scores / scores.sum(axis=1, keepdims=True), decide=rule),
        lambda rule: ix.inference.class_shares(scores, decide=rule, reference=(says, scores)),
    ):
        with pytest.raises(ValueError, match=r"hit_in_top\(2\) looks at the true class .* the micro recall of decide=top_k\(2\)"):
            call(ix.hit_in_top(2))
    truth = rows()[0]
    hits, top = (ix.evaluate(truth, scores, decide=rule, classes=range(3)) for rule in (ix.hit_in_top(2), ix.top_k(2)))
    assert hits.score("accuracy") == pytest.approx(float(top.score("recall", "micro")))
    all_gold = ix.evaluate(says, scores, decide=ix.top_k(2), gold=truth, classes=range(3))
    assert all_gold.score("recall", "micro") == pytest.approx(float(hits.score("accuracy")))


def test_abstentions_are_rows_without_a_prediction():
    _, predicted, says, human = rows()
    given = [None if i % 10 == 0 else int(p) for i, p in enumerate(predicted)]
    ev = ix.evaluate(says, given, gold=human, missing="abstain")
    assert ev.coverage == pytest.approx(0.9)
    assert ev.answered().score("recall", "micro") == pytest.approx(float(ev.aggregate(()).tp / ev.answered().aggregate(()).tpos))
    assert ev.answered().interval("accuracy").low < ev.answered().score("accuracy")


def test_a_judge_may_leave_rows_out_and_several_judges_vote():
    truth, predicted, says, human = rows()
    holes = [None if i % 4 == 0 else int(x) for i, x in enumerate(says)]
    with pytest.raises(ValueError, match=r"y_true\[0\] is missing"):
        ix.evaluate(holes, predicted, gold=human)
    ev = ix.evaluate(holes, predicted, gold=human, missing=("mask", "error"))
    assert ev.n == N
    rng = np.random.default_rng(3)
    judges = {name: np.where(rng.random(N) < 0.8, truth, rng.integers(0, 3, N)) for name in "abc"}
    many, one = ix.evaluate(judges, predicted, gold=human), ix.evaluate(judges["a"], predicted, gold=human)
    wide, narrow = (ev.interval("f1", "macro") for ev in (one, many))
    assert narrow.high - narrow.low < wide.high - wide.low


def test_graded_truth():
    rng = np.random.default_rng(0)
    truth = rng.random((N, 1))
    judge, hit = np.clip(truth + rng.normal(0, 0.1, (N, 1)), 0, 1), (truth > 0.5).astype(float)
    gold = np.where(rng.random((N, 1)) < 0.4, truth, np.nan)
    exact = ix.evaluate(truth, hit, tnorm="product", classes=["good"]).score("precision", "macro")
    found = ix.evaluate(judge, hit, gold=gold, tnorm="product", classes=["good"]).interval("precision", "macro")
    assert found.low < exact < found.high
    assert found.high - found.low < 0.2


def test_changed_counts_have_scores_but_no_interval():
    _, predicted, says, human = rows()
    ev = ix.evaluate(says, predicted, gold=human)
    for changed, why in ((ev.with_priors("uniform"), "changed"), (ev.only([0, 1]), "only")):
        assert math.isfinite(changed.score("f1", "macro"))
        with pytest.raises(ValueError, match=r"There is no interval for this score"):
            changed.interval("f1", "macro")
        assert changed.tally.corrected == why


def test_files_frames_streams_and_the_command_line(tmp_path, monkeypatch):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    _, predicted, says, human = rows()
    names, site = np.array(["ant", "bee", "cat"]), np.arange(N) % 3
    gold = [None if np.isnan(x) else str(names[int(x)]) for x in human]
    frame = pandas.DataFrame({"judge": names[says], "model": names[predicted], "human": gold, "site": site})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    columns = {"true": "judge", "pred": "model", "gold": "human"}
    whole = ix.evaluate(names[says], names[predicted], gold=gold)
    by_site = ix.evaluate(names[says], names[predicted], gold=gold, design={"strata": site})
    for read, what in (
        (ix.evaluate_file, tmp_path / "a.csv"),
        (ix.evaluate_file, tmp_path / "a.parquet"),
        (ix.evaluate_frame, frame),
    ):
        assert read(what, **columns) == whole
        same(read(what, **columns, design="site"), by_site)  # of a text file the strata have names that are texts
        assert read(what, **columns, design="judge") == ix.evaluate(
            names[says], names[predicted], gold=gold, design={"strata": "judge"}
        )
    assert ix.evaluate_frame(polars.from_pandas(frame).lazy(), **columns) == whole
    stream = ix.Stream()
    stream.update(names[says][:50], names[predicted][:50], gold=[None] * 50)  # a batch without any gold label
    stream.update(names[says][50:], names[predicted][50:], gold=gold[50:])
    assert stream.evaluation == ix.evaluate(names[says], names[predicted], gold=[None] * 50 + gold[50:])
    with pytest.raises(TypeError, match="scores in bins"):
        ix.evaluate_file(tmp_path / "a.csv", true="judge", score="site", scores=True, gold="human")
    options = ["--true", "judge", "--pred", "model", "--gold", "human", "--design", "site", "-m", "f1", "-a", "macro", "--json"]
    monkeypatch.setattr(sys, "argv", ["indicatrix", "evaluate", str(tmp_path / "a.csv"), *options])
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.suppress(SystemExit):
        main()
    assert f"{float(by_site.score('f1', 'macro')):.10f}"[:8] in printed.getvalue()


@for_each("m, design", [(2, None), (2, "judge"), (3, None), (3, "site")])
def test_gold_labels_next_to_scores_on_the_command_line(tmp_path, m, design):
    """They were not read, and the labels of the judge were taken for true without a word."""
    _, predicted, says, human = rows(m)
    names, site = np.array(["ant", "bee", "cat"]), np.arange(N) % 3
    table = np.random.default_rng(1).random((N, m)) + np.eye(m)[predicted]
    gold = [None if np.isnan(x) else str(names[int(x)]) for x in human]
    frame = pd.DataFrame({"judge": names[says], "human": gold, "site": site, "w": 1 + site})
    for k in range(m) if m > 2 else [1]:
        frame[f"p_{names[k]}"] = table[:, k]
    scores, decide = (table, "argmax") if m > 2 else (table[:, 1], 1.0)
    strata = {"strata": site if design == "site" else design}
    given = {"gold": gold, "design": None if design is None else strata, "sample_weight": 1 + site, "decide": decide}
    found = ix.evaluate(names[says], scores, classes=names[:m], positive=None if m > 2 else "bee", **given).score("f1", "macro")
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        args = ["evaluate", str(tmp_path / name), "--true", "judge", "--gold", "human", "--score", "p_*", "--decide", str(decide)]
        args += ["--weight", "w", "-m", "f1", "-a", "macro", "--json"] + ([] if m > 2 else ["--positive", "bee"])
        done = CliRunner().invoke(commands, args + ([] if design is None else ["--design", design]))
        assert json.loads(done.stdout)["evaluations"][0]["scores"][0]["value"] == pytest.approx(float(found), abs=1e-12)
    frame["human"] = [None if label is None else "dog" for label in gold]
    frame.to_csv(tmp_path / "a.csv", index=False)
    args[1] = str(tmp_path / "a.csv")
    wrong = CliRunner().invoke(commands, [*args, "--classes", ",".join(names[:m])])
    assert "column 'human': the label 'dog' is not in --classes" in str(wrong.exception)


@for_each(
    "options, message",
    [
        ({"sampled": "by class"}, "sampled='by class'"),
        ({"method": "sequential"}, "no confidence sequence"),
        ({"method": "wilson"}, "plain proportions"),
        ({"prevalence": 0.3}, "changed after they were corrected"),
    ],
)
def test_intervals_that_need_the_truth_of_all_rows_are_refused(options, message):
    _, predicted, says, human = rows(2)
    with pytest.raises(ValueError, match=message):
        ix.evaluate(says, predicted, gold=human).interval("recall", **options)


def test_formulas_with_kinks_have_no_interval():
    _, predicted, says, human = rows(2)
    ev = ix.evaluate(says, predicted, gold=human)
    assert math.isfinite(ev.score("min(tp, fp)/n"))
    with pytest.raises(ValueError, match="kinks"):
        ev.interval("min(tp, fp)/n")


# ---------------------------------------------------------------- known noise


def test_no_noise_is_no_noise():
    truth, predicted, _, _ = rows()
    plain, corrected = ix.evaluate(truth, predicted), ix.evaluate(truth, predicted, noise=np.eye(3))
    np.testing.assert_allclose(corrected.confusion, plain.confusion, atol=1e-9)
    a, b = corrected.interval("f1", "macro"), plain.interval("f1", "macro")
    assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.01)


def test_error_rates_of_a_data_frame_are_read_by_its_names():
    """A table of pandas.crosstab was taken by position, whatever its rows were called."""
    _, predicted, says, _ = rows()
    names = np.array(["ant", "bee", "cat"])
    table = pd.DataFrame([[0.9, 0.1, 0], [0.05, 0.8, 0.15], [0.2, 0.1, 0.7]], index=names, columns=names)
    plain = ix.evaluate(names[says], names[predicted], noise=table.to_numpy())
    for order in (["cat", "ant", "bee"], [*names]):
        turned = table.loc[order, order[::-1]]
        assert ix.evaluate(names[says], names[predicted], noise=turned).score("f1", "macro") == plain.score("f1", "macro")
    with pytest.raises(ValueError, match=r"The rows of noise do not name 'ant'; they are 'x', 'bee', 'cat'"):
        ix.evaluate(names[says], names[predicted], noise=table.rename(index={"ant": "x"}))
    pair = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]])
    _, hits, judged, _ = sets()
    one, other = (ix.evaluate(judged, hits, noise=noise) for noise in (pair, pair[::-1]))
    assert one.score("f1", "macro") == other.score("f1", "macro")


def test_noise_is_undone():
    truth = np.array([[40.0, 10], [15, 35]])
    rates = np.array([[0.9, 0.1], [0.2, 0.8]])
    seen = np.rint(1000 * rates.T @ truth).astype(int)
    labels = np.repeat([0, 0, 1, 1], seen.ravel())
    predicted = np.repeat([0, 1, 0, 1], seen.ravel())
    np.testing.assert_allclose(ix.evaluate(labels, predicted, noise=rates).confusion, 1000 * truth, rtol=1e-12)


def test_repeated_noisy_labels_are_surer_than_one():
    """Labels of several people with the same error rates, of whom some saw only some rows."""
    rng = np.random.default_rng(0)
    truth = (rng.random(4000) < 0.3).astype(int)
    flip = lambda right: np.where(rng.random(4000) < right, truth, 1 - truth)  # noqa: E731
    predicted, first, second = flip(0.8), flip(0.75), flip(0.75)
    given = {"noise": [[0.75, 0.25], [0.25, 0.75]], "missing": ("mask", "error")}
    some = np.where(rng.random(4000) < 0.5, second, np.nan)
    once, partly, twice = (
        ix.evaluate(labels, predicted, **given).interval("f1")
        for labels in (first, {"a": first, "b": some}, {"a": first, "b": second})
    )
    true = ix.evaluate(truth, predicted).score("f1")
    assert all(one.low < true < one.high for one in (once, partly, twice))
    assert twice.high - twice.low < partly.high - partly.low < once.high - once.low


def test_noise_of_several_labels_is_that_of_an_evaluation_of_them():
    rng = np.random.default_rng(4)
    truth = rng.random((3000, 3)) < (0.3, 0.5, 0.7)
    seen = truth ^ (rng.random(truth.shape) < np.where(truth, (0.1, 0.2, 0.05), (0.05, 0.02, 0.2)))
    predicted = truth ^ (rng.random(truth.shape) < 0.2)
    measured = ix.evaluate(truth, seen)
    tp, fp, fn, tn = measured.aggregate("class")
    rates = np.array([[tn / (tn + fp), fp / (tn + fp)], [fn / (tp + fn), tp / (tp + fn)]]).transpose(2, 0, 1)
    one, other = (ix.evaluate(seen, predicted, noise=noise) for noise in (measured, rates))
    np.testing.assert_allclose([*one.aggregate("class")], [*other.aggregate("class")])
    assert abs(one.score("recall", "macro") - ix.recall(truth, predicted, average="macro")) < 0.03


def test_measured_rates_are_less_sure_than_known_ones():
    rng = np.random.default_rng(0)
    rates = np.array([[0.9, 0.1], [0.15, 0.85]])
    truth, looked_up = rng.integers(0, 2, 2000), rng.integers(0, 2, 200)
    predicted = np.where(rng.random(2000) < 0.85, truth, 1 - truth)
    seen, seen_there = ((rng.random(len(y)) < rates[y, 1]).astype(int) for y in (truth, looked_up))
    exact = ix.evaluate(truth, predicted).score("f1")
    known = ix.evaluate(seen, predicted, noise=rates).interval("f1")
    measured = ix.evaluate(seen, predicted, noise=ix.evaluate(looked_up, seen_there)).interval("f1")
    assert known.low < exact < known.high
    assert measured.low < exact < measured.high
    assert measured.high - measured.low > known.high - known.low
    assert abs(ix.evaluate(seen, predicted).score("f1") - exact) > 0.05
    twice = ix.evaluate({"a": seen, "b": (rng.random(2000) < rates[truth, 1]).astype(int)}, predicted, noise=rates).interval("f1")
    assert twice.high - twice.low < known.high - known.low


BOUNDED = ix.from_confusion([[620, 90], [80, 210]])


@for_each("measure", COUNTED[::5])
def test_bounds_hold_at_every_rate_inside(measure):
    try:
        found = BOUNDED.bounds(measure, "binary", noise=((0, 0.05), (0, 0.1)))
    except ValueError:  # this measure has no such average, or no value
        return
    truth, predicted = np.repeat([0, 0, 1, 1], [620, 90, 80, 210]), np.repeat([0, 1, 0, 1], [620, 90, 80, 210])
    for a, b in np.random.default_rng(0).random((6, 2)) * (0.05, 0.1):
        inside = float(ix.evaluate(truth, predicted, noise=[[1 - a, a], [b, 1 - b]]).score(measure, "binary"))
        slack = 1e-3 * max(abs(found.high - found.low), 1e-9)  # between the points that are tried
        assert math.isnan(inside) or found.low - slack <= inside <= found.high + slack


def test_bounds_of_ratios_are_exact_and_cut_where_counts_are_negative():
    a, b = Fraction(1, 20), Fraction(1, 10)
    tp, fp = ((1 - a) * 210 - a * 90) / (1 - a - b), ((1 - b) * 90 - b * 210) / (1 - a - b)
    fn = ((1 - a) * 80 - a * 620) / (1 - a - b)
    found = BOUNDED.bounds("f1", "binary", noise=((0, a), (0, b)))
    assert found.high == pytest.approx(float(2 * tp / (2 * tp + fp + fn)), abs=1e-14)
    assert found.low == pytest.approx(float(BOUNDED.score("f1", "binary")), abs=1e-14)
    assert "cut from" in str(BOUNDED.bounds("f1", "binary", noise=(0, 0.6)))
    for noise in ((0.1, 0), (0, 2), "a", (0.5, 0.6)):
        with pytest.raises(ValueError, match=r"noise=|negative"):
            BOUNDED.bounds("f1", "binary", noise=noise)


RATIOS = [("f1", "binary"), ("recall", "binary"), ("precision", "binary"), ("jaccard", "micro"), ("accuracy", None)]
OTHERS = [("f1", "macro"), ("mcc", "binary"), ("multiclass_kappa", None), ("jaccard", "exemplar")]


@for_each("m, rare", [(2, False), (3, False), (3, True), (4, False)])
def test_bounds_hold_at_all_error_rates_and_are_reached(m, rare):
    """However the wrong labels of each class fall on the others; the bounds of ratios hold exactly."""
    rng = np.random.default_rng(m)
    seen = rng.integers(30, 60, (m, m)) + np.diag(rng.integers(200, 600, m))
    if rare:  # many error rates would make more labels of the class than were seen with that prediction
        seen[0, 1] = 6
    y, p = np.divmod(np.arange(m * m), m)
    truth, predicted = np.repeat(y, seen.ravel()), np.repeat(p, seen.ravel())
    ev = ix.evaluate(truth, predicted, positive=1)
    noise = [(0.01, 0.04), (0, 0.08), (0.02, 0.05), (0, 0.03)][:m]
    found = {key: ev.bounds(*key, noise=noise) for key in RATIOS + OTHERS}
    hidden = 0
    for _ in range(40):
        rates = np.zeros((m, m))
        for k, (low, high) in enumerate(noise):
            wrong = np.insert(rng.dirichlet(np.full(m - 1, 0.5)), k, 0.0)
            share = rng.uniform(low, high) if rng.random() < 0.5 else (low, high)[rng.integers(2)]
            rates[k] = (1 - share) * (np.arange(m) == k) + share * wrong
        other = ix.evaluate(truth, predicted, positive=1, noise=rates)
        if (other.confusion < 0).any():  # impossible
            hidden += 1
            continue
        for key, one in found.items():
            slack = 1e-9 if key in RATIOS else 2e-3
            assert one.low - slack <= other.score(*key) <= one.high + slack, key
    assert 10 * rare <= hidden < 40
    for key, one in found.items():
        for value, rates in ((one.low, one.at_low), (one.high, one.at_high)):
            assert ix.evaluate(truth, predicted, positive=1, noise=rates).score(*key) == pytest.approx(value, abs=1e-9)


def test_bounds_that_nothing_can_be_said_of_are_refused():
    many = np.arange(6)
    with pytest.raises(ValueError, match="two to 5 classes"):
        ix.evaluate(many, many).bounds("f1", "macro", noise=(0, 0.1))
    three = ix.from_confusion([[90, 5, 5], [5, 90, 5], [5, 5, 1]])
    with pytest.raises(ValueError, match="class number 2"):
        three.bounds("f1", "macro", noise=(0, 0.2))
    with pytest.raises(ValueError, match="say nothing about the truth"):
        three.bounds("f1", "macro", noise=(0, 0.7))
    with pytest.raises(ValueError, match="each of the 3 true classes"):
        three.bounds("f1", "macro", noise=((0, 0.1), (0, 0.1)))


# ---------------------------------------------------------------- pairs of classifiers


def test_pairs_share_rows_and_add(tmp_path):
    truth, predicted, says, human = rows()
    other = np.where(np.random.default_rng(9).random(N) < 0.6, truth, 0)
    models = {"a": predicted, "b": other}
    both = ix.inference.paired_counts(says, models, gold=human)
    parts = [
        ix.inference.paired_counts(says[s], {k: v[s] for k, v in models.items()}, gold=human[s])
        for s in (slice(150), slice(150, N))
    ]
    assert parts[0] + parts[1] == both
    made = ix.compare(says, models, ["f1", "cohen_kappa"], "macro", gold=human)
    alone = ix.evaluate(says, predicted, gold=human)
    assert made.rows[0].values[0] == pytest.approx(float(alone.score("f1", "macro")))
    unpaired = ix.compare({"a": alone, "b": ix.evaluate(says, other, gold=human)}, "f1", "macro", level=0.95).differences[0]
    paired = made.differences[0]
    assert paired.value == pytest.approx(unpaired.value)
    assert paired.high - paired.low < unpaired.high - unpaired.low
    both.save(tmp_path / "both.json")
    assert ix.load(tmp_path / "both.json") == both
    clustered = ix.compare(says, models, "f1", "macro", gold=human, clusters=np.arange(N) // 4).differences[0]
    assert clustered.low < paired.value < clustered.high
    told = [found.text for ev in made.evaluations for found in ev.findings() if found.kind == "correction"]
    assert [*made.doubts] == told
    assert len(told) == 1
    assert "counts of 2 are negative" in told[0]


def test_a_classifier_does_not_differ_from_itself():
    _, predicted, says, human = rows()
    made = ix.compare(says, {"a": predicted, "b": predicted.copy()}, "f1", "macro", gold=human).differences[0]
    assert made.value == 0
    assert not made.clear


# ---------------------------------------------------------------- what is said


def test_it_says_what_the_judge_is_worth():
    _, predicted, says, human = rows(2, 2000, 150, 0.95)
    note = ix.evaluate(says, predicted, gold=human).interval("f1").note
    assert note.startswith("150 of 2,000 rows have gold labels; with the judge they are worth ")
    assert int(note.split("worth ")[1].split(" ")[0].replace(",", "")) > 180
    noise = np.random.default_rng(5).integers(0, 2, 2000)
    assert "The judge adds nothing here" in ix.evaluate(noise, predicted, gold=human).interval("f1").note


def test_gold_rows_chosen_by_disagreement_are_noticed():
    truth, predicted, says, _ = rows(2, 2000, 100)
    rng = np.random.default_rng(0)
    human = np.where(((says != predicted) & (rng.random(2000) < 0.5)) | (rng.random(2000) < 0.03), truth, np.nan)
    ev = ix.evaluate(says, predicted, gold=human)
    assert any("not chosen at random" in finding.text for finding in ev.findings())
    assert not any(
        "not chosen" in f.text for f in ix.evaluate(says, predicted, gold=human, design={"strata": "judge"}).findings()
    )


def test_thin_gold_labels_are_noticed():
    _, predicted, says, human = rows(5, gold=12, seed=4)
    texts = " ".join(f.text for f in ix.evaluate(says, predicted, gold=human).findings())
    assert "Fewer than 5 gold labels are" in texts


@for_each(
    "options, message",
    [
        ({"unverified": "correct"}, "Give them: gold="),
        ({"gold": [1, 0, None, None], "design": [1, 2, 3, 4]}, "does not say what it holds"),
        ({"gold": [1, 0, None, None], "design": {"stratum": 1}}, "design= names 'stratum'"),
        ({"gold": [1, 0, None, None], "design": {"strata": "judges"}}, "is unknown"),
        ({"gold": [1, 0, None, None], "design": {"strata": [1, 2]}}, "has 2 entries for 4"),
        ({"gold": [1, 0, None, None], "design": {"probabilities": [0.0, 1, 1, 1]}}, "is 0.0, and row 0 has a gold label"),
        ({"gold": [1, 0, None, None], "design": {"probabilities": ["a"] * 4}}, "one number above 0"),
        ({"gold": [1, 0, None, None], "design": {"expected": [[2, 1]] * 4}}, "numbers from 0 to 1"),
        ({"gold": [1, 0, None, None], "design": {"expected": "abc"}}, "expected"),
        ({"gold": [1, 0, None, None], "unverified": "begg"}, "unverified='begg' is unknown"),
        ({"gold": [1, 0, None, None], "unverified": "rogan-gladen", "design": {"strata": "judge"}}, "does not use"),
        ({"gold": [1, 0, None, None], "unverified": "post-stratify", "design": {"strata": "judge"}}, "does not use"),
        ({"design": {"strata": "judge"}}, "asks what a judge says"),
        ({"gold": [1, 0, None, None], "missing": "mask"}, r"missing=\('mask', 'error'\) leaves out labels only"),
        ({"gold": [1, 0, None, None], "design": {"expected": [1, 2, 0, 1]}}, "and numbers from 0 to 2"),
        ({"noise": (0, 0.1)}, r"ev.bounds\(…, noise="),
        (
            {"gold": [1, 0, None, None], "design": {"expected": ["a"] * 4}},
            "or a table with a column of scores for each class; this is neither",
        ),
        ({"gold": [1, 0, None, None], "noise": [[1, 0], [0, 1]]}, "two corrections"),
        ({"gold": [1, 0, None, None], "replicates": 10}, "Leave it out"),
        ({"gold": [1, 0, None, None], "signed_weights": True}, "signed_weights"),
        ({"gold": [1, 0, None, None], "cost": "absolute"}, "do not go together"),
        ({"gold": [1, 0, None]}, "gold has 3 examples"),
        ({"gold": [1, "a", None, None]}, "mixes label types"),
        ({"noise": [[0.5, 0.4], [0.5, 0.5]]}, "sum to 1"),
        ({"noise": [[1, 0, 0]] * 3}, "has the shape"),
        ({"noise": {"a": 1}}, "is not a table of numbers"),
        ({"noise": "much"}, "table of numbers"),
        ({"noise": [[1, 0], [0, 1]], "design": {"strata": "judge"}}, "needs none"),
    ],
)
def test_what_does_not_go_together_is_refused(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ix.evaluate([1, 0, 1, 0], [1, 0, 0, 0], **options)


# ---------------------------------------------------------------- statistics; python -m benchmarks.corrected has the table


@pytest.mark.slow
def test_a_difference_that_few_gold_rows_show_has_few_degrees_of_freedom():
    """Of 2,000 rows, 200 of them positive: what 100 gold labels tell about recall, ten of them do."""
    cell, found = (0.1, "0.95", 100), []
    for number in range(8):
        rng = generator(cell, number)
        truth, one, judge = POPULATIONS["binary .1"][0](rng, 2000, (0.95, 0.0))
        other = np.where(rng.random(2000) < 0.25 * truth + 0.06 * (1 - truth), 1 - truth, truth)
        few, many = (with_gold(rng, truth, k) for k in (100, 1000))
        for gold in (few, many):
            made = ix.compare(judge, {"a": one, "b": other}, "recall", "binary", gold=gold)
            scores = [ev.score("recall") for ev in made.evaluations]
            contrast, answer = contrast_of_corrected(made.evaluations, ix.recall, scores, None), made.differences[0]
            error = math.sqrt(contrast.spread)
            assert answer.p == pytest.approx(2 * scipy.stats.t.sf(abs(answer.value) / error, contrast.freedom))
            found.append(contrast.freedom)
    few, many = np.array(found).reshape(-1, 2).T
    assert (few >= 1).all()
    assert few.mean() < 20
    assert (many > 3 * few).mean() > 0.8
    ten = np.repeat([0.3, -0.3, 0.0], [5, 5, 990])
    near = Linear(0.0, 0.0, ten, np.ones(1000), [], 0.0)
    assert near.freedom() == pytest.approx(2 * 10 / (1 - 10 / 1000))  # 2 / (kurtosis - 1) for each row
    assert near.freedom(np.arange(1000) // 4) < near.freedom()  # five positive and five negative ones, in few clusters
    assert replace(near, times=np.full(1000, 2.0)).freedom() == pytest.approx(2 * near.freedom())
    assert Linear(0.0, 0.0, np.zeros(9), np.ones(9), [], 0.0).freedom() == math.inf


@pytest.mark.slow
@for_each("name", ["binary .5", "classes"])
def test_intervals_cover_and_are_narrower_than_gold_alone(name):
    draw, scores = POPULATIONS[name]
    key = scores[0]
    truth = {"binary .5": 0.84, "classes": None}[name]
    if truth is None:
        y, p, _ = draw(np.random.default_rng(1), 400_000, (0.9, 0.0))
        truth = float(ix.evaluate(y, p).score(*key))
    hits, widths = 0, [0.0, 0.0]
    for seed in range(40):
        rng = np.random.default_rng([seed, 3])
        y, p, z = draw(rng, 2000, (0.9, 0.0))
        gold = with_gold(rng, y, 100)
        found, alone = (ix.evaluate(judge, p, gold=gold).interval(*key) for judge in (z, None))
        hits += found.low <= truth <= found.high
        widths = [widths[0] + found.high - found.low, widths[1] + alone.high - alone.low]
    assert hits >= 34  # of 40 samples, of which 38 are expected
    assert widths[0] < 0.85 * widths[1]


@pytest.mark.parametrize(("labels", "marker"), [([0, 1], -1), (["no", "yes"], ""), (["no", "yes"], "NA"), (["?", "!"], "nan")])
def test_what_other_programs_write_for_unknown_labels_is_no_gold_class(labels, marker, tmp_path):
    """Files took "NA" and -1 for a class, and so did gold labels without a judge: macro F1 of .84 was .29."""
    judge, pred = [labels[k % 2] for k in range(40)], [labels[k % 3 % 2] for k in range(40)]
    gold = [judge[k] if k % 4 == 0 else marker for k in range(40)]
    table = pd.DataFrame({"judge": judge, "pred": pred, "gold": gold, "site": 1})
    table.to_csv(tmp_path / "a.csv", index=False, na_rep="")
    table.to_parquet(tmp_path / "a.parquet")
    columns = {"true": "judge", "pred": "pred", "gold": "gold"}
    in_memory = (
        lambda: ix.evaluate(judge, pred, gold=gold),
        lambda: ix.evaluate(None, pred, gold=gold),
        lambda: ix.evaluate(gold, pred, unverified="post-stratify"),
        lambda: ix.evaluate_frame(table, **columns),
    )
    in_files = (
        lambda: ix.evaluate_file(tmp_path / "a.parquet", **columns),
        lambda: ix.evaluate_file(tmp_path / "a.csv", **columns),
        lambda: ix.evaluate_file(tmp_path / "a.csv", true="gold", pred="pred", design="site"),
    )
    for refused in in_memory + in_files if marker != "" else in_memory:  # an empty cell of a file means nothing
        with pytest.raises(ValueError, match=r"in a file nothing; if it is a class, name all classes with classes="):
            refused()
    args = ["evaluate", str(tmp_path / "a.csv"), "--true", "judge", "--pred", "pred", "--gold", "gold"]
    assert ("no judge and no prediction has" in str(CliRunner().invoke(commands, args).exception)) == (marker != "")
    assert ix.evaluate(judge, pred, gold=gold, classes=[marker, *labels]).classes == (marker, *labels)


@pytest.mark.parametrize("unverified", ["correct", "post-stratify"])
def test_a_class_that_nobody_has_named_is_absent(unverified):
    """Of a class in classes= that no gold label, judge or prediction is, no row is expected."""
    _, predicted, says, human = rows()
    judges = {"a": says, "b": np.where(np.arange(N) % 5, says, 0)}
    known, wider = (ix.evaluate(judges, predicted, gold=human, classes=range(m), unverified=unverified) for m in (3, 5))
    assert wider.score("f1", "macro") == pytest.approx(float(known.score("f1", "macro")), abs=1e-9)
    assert wider.confusion[3:].tolist() == [[0.0] * 5] * 2


def test_every_method_knows_clusters_and_the_rows_that_rates_come_from():
    """Intervals of one score are about as wide by each method, and so are those of a difference."""
    rng, site = np.random.default_rng(0), np.repeat(np.arange(30), 60)
    truth, off = rng.integers(0, 2, len(site)), rng.normal(0, 0.2, 30)[site]
    flip = lambda right: np.where(rng.random(len(truth)) < right, truth, 1 - truth)  # noqa: E731
    one, other, says = flip(0.75 + off), flip(0.75 - off), flip(0.9)
    gold = {"gold": np.where(rng.random(len(truth)) < 0.3, truth, np.nan)}
    few = {"noise": ix.evaluate(truth[:60], says[:60])}
    for given, clusters in ((gold, "site"), (few, None), (few, "site")):
        ev = ix.evaluate(says, one, by={"site": site}, **given)
        found = [ev.interval("accuracy", clusters=clusters, method=m) for m in ("delta", "percentile", "jackknife", "bca")]
        widths = [x.high - x.low for x in found]
        assert max(widths) < 1.2 * min(widths)
        made = [
            ix.compare(says, {"a": one, "b": other}, "accuracy", by={"site": site}, clusters=clusters, method=m, **given)
            for m in ("delta", "bootstrap")
        ]
        widths = [x.differences[0].high - x.differences[0].low for x in made]
        assert max(widths) < 1.2 * min(widths)


def test_error_rates_of_several_judges_are_those_of_their_mean_label():
    """Each judge errs in its own way, and may have seen some rows only: the order in which they are named means nothing."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 40_000)
    flip = lambda right: np.where(rng.random(len(truth)) < right, truth, 1 - truth)  # noqa: E731
    predicted, good, poor = flip(0.8), flip(0.9), flip(0.6)
    human = np.where(rng.random(len(truth)) < 0.3, truth, np.nan)
    partly = np.where(rng.random(len(truth)) < 0.5, good, np.nan)
    given = {"gold": human, "unverified": "rogan-gladen", "missing": ("mask", "error")}
    one, other = (ix.evaluate(some, predicted, **given) for some in ({"a": good, "b": poor}, {"b": poor, "a": good}))
    assert one.score("accuracy") == pytest.approx(float(other.score("accuracy")))
    partial = ix.evaluate({"a": partly, "b": poor}, predicted, **given)
    for ev in (one, partial):
        assert ev.score("accuracy") == pytest.approx((truth == predicted).mean(), abs=0.01)


def test_rows_without_any_judgment_are_counted_not_numbered():
    """The number was that of a distinct row, which nobody can look up."""
    _, predicted, says, human = rows()
    holes = np.where(np.arange(N) % 100 == 50, np.nan, says)
    for given in ({"noise": 0.8 * np.eye(3) + 0.2 / 3}, {"gold": human, "unverified": "rogan-gladen"}):
        with pytest.raises(ValueError, match="4 of 400 rows have no label of a judge"):
            ix.evaluate(holes, predicted, missing=("mask", "error"), **given).score("f1", "macro")


def test_batches_with_fewer_classes_and_missing_judgments_add_to_the_whole():
    _, predicted, says, human = sets()
    for side in (predicted, says, human):
        side[:150, 3] = 0
    predicted, says = ([{"abcd"[j] for j in np.flatnonzero(row)} for row in side] for side in (predicted, says))
    human = [None if k % 3 else {"abcd"[j] for j in np.flatnonzero(row == 1)} for k, row in enumerate(human)]
    judges = {"a": [one if k % 5 else None for k, one in enumerate(says)], "b": says[::-1]}

    def part(some):
        own = {name: one[some] for name, one in judges.items()}
        return ix.evaluate(own, predicted[some], gold=human[some], missing=("mask", "error"))

    assert part(slice(None, 150)) + part(slice(150, None)) == part(slice(None))
    assert np.isfinite(part(slice(None)).interval("f1", "exemplar").high)


def test_a_text_shows_the_averages_that_are_known_where_single_examples_are_not():
    _, hits, judged, human = sets()
    human[:, 0] = np.nan
    for options in ({"gold": human}, {"noise": [[0.9, 0.1], [0.2, 0.8]]}):
        text = str(ix.evaluate(judged, hits, **options))
        assert "macro" in text
        assert "exemplar" not in text


def test_weights_of_corrected_rows_are_told():
    """Weighted and unweighted evaluations were told apart by what corrected ones never keep, and reports were silent."""
    truth, predicted, says, human = rows()
    given = {}, {"sample_weight": np.where(np.arange(N) % 2, 3.0, 1.0)}
    plain, weighted = (ix.evaluate(truth, predicted, **some) for some in given)
    one, other = (ix.evaluate(says, predicted, gold=human, **some) for some in given)
    for pair, told in (
        ((one, plain), False),
        ((other, weighted), False),
        ((one, other), True),
        ((other, plain), True),
        ((one, weighted), True),
        ((one, one.with_priors("uniform")), False),
    ):
        doubts = ix.compare(dict(zip("ab", pair, strict=True)), "f1", "macro").doubts
        assert any("count examples by weights" in doubt for doubt in doubts) == told
    assert "weights sum to 800." in other.report()
    assert "weighted;" not in one.report()


def test_slices_of_corrected_rows_are_refused_with_the_reason():
    """The error asked for by=, and with by= it said that the counts had been changed."""
    _, predicted, says, human = rows()
    site = np.arange(N) % 3
    for ev in (ix.evaluate(says, predicted, gold=human), ix.evaluate(says, predicted, gold=human, by={"site": site})):
        with pytest.raises(ValueError, match=r"share their gold labels\. Name groups .*compare_groups"):
            ev.weakest("f1", {"site": site}, average="macro")
    assert len(ev.values("f1", "site", average="macro", interval="simultaneous").intervals) == 3


def test_scores_that_read_rankings_are_refused_with_the_reason():
    _, predicted, says, human = rows()
    scores = np.random.default_rng(0).random((N, 3)) + np.eye(3)[predicted]
    ev = ix.evaluate(says, scores, gold=human, decide="argmax")
    with pytest.raises(ValueError, match="are of rows whose true labels are known"):
        ev.score("auc", "macro")
    with pytest.raises(ValueError, match="were corrected already"):
        ev.bounds("f1", "macro", noise=(0, 0.1))
    _, hits, judged, _ = sets()
    with pytest.raises(ValueError, match="several labels"):
        ix.evaluate(judged, hits).bounds("f1", "macro", noise=(0, 0.1))


def test_few_gold_rows_that_count_unequally_make_intervals_wider() -> None:
    """Wilson's interval knows how the spread of a share moves with it; that of rows that count unequally moves by chance, too."""
    truth, pred, rng = np.arange(400) % 4 > 0, np.ones(400, int), np.random.default_rng(0)

    def found(known: int, **more: object) -> tuple[OfCorrected, float, float]:
        ev = ix.evaluate(None, pred, gold=np.where(np.arange(400) < known, truth, np.nan), **more)
        score = ev.score("precision")
        estimator = estimator_of(ev, score.measure, score, None)
        center = estimator.center()
        (low, high), (least, most) = (one.ends((0, 1), 0.95) for one in (center, replace(center, freedom=math.inf)))
        assert estimator.freedom == math.inf  # of the delta method
        return estimator, center.freedom, (high - low) / (most - least)

    alike, freedom, wider = found(40)
    assert alike.near.freedom(told=True) > 2 * alike.near.freedom()
    assert (freedom, wider) == (math.inf, 1)
    assert found(40, by={"site": np.arange(400) // 4})[1:] == (math.inf, 1)
    assert found(40, design={"strata": np.arange(400) % 2})[1] < 60
    _, freedom, wider = found(40, sample_weight=rng.lognormal(0, 1.0, 400))
    assert freedom < 20
    assert wider > 1.05
    assert found(400, sample_weight=rng.lognormal(0, 1.0, 400))[1:] == (math.inf, 1)


@for_each("design", ["strata", "probabilities", "expected", "judge", None])
def test_batches_of_rows_with_a_design_are_the_whole(design):
    _, predicted, says, human = rows()
    rng = np.random.default_rng(3)
    given = {"strata": np.arange(N) % 4, "probabilities": rng.uniform(0.1, 0.9, N), "expected": rng.dirichlet(np.ones(3), N)}
    weights, site = rng.choice([0.5, 1.0, 2.0], N), rng.choice(list("uvw"), N)

    def part(some):
        how = {design: given[design][some]} if design in given else {"strata": design} if design else None
        return {"gold": human[some], "design": how, "sample_weight": weights[some], "by": {"site": site[some]}}

    def counted(batches):
        stream = ix.Stream()
        for some in batches:
            stream.update(says[some], predicted[some], **part(some))
        return stream

    batches = [slice(first, first + 70) for first in range(0, N, 70)]
    whole = ix.evaluate(says, predicted, **part(slice(None)))
    again = ix.Stream()
    again.load_state_dict(counted(batches).state_dict())
    merged = counted(batches[::2])
    merged.merge(counted(batches[1::2]))
    for ev in (counted(batches).evaluation, again.evaluation, merged.evaluation):
        assert ev == whole
        same(ev, whole, [("f1", "macro"), ("precision", "micro"), ("accuracy", None)])
    if design in (None, "judge", "strata"):
        table = pd.DataFrame(
            {"judge": says, "model": predicted, "human": human, "site": site, "w": weights, "s": given["strata"]}
        )
        columns = {"true": "judge", "pred": "model", "gold": "human", "by": ["site"], "sample_weight": "w"}
        columns |= {"design": {"strata": "s"}.get(design, design)} if design else {}
        for kind in ("polars", "pyarrow"):
            library = pytest.importorskip(kind)
            frame = library.from_pandas(table) if kind == "polars" else library.Table.from_pandas(table)
            assert ix.evaluate_frame(frame, **columns) == whole


def test_gold_rows_of_whole_clusters_tell_as_little_as_there_are_clusters():
    rng, size = np.random.default_rng(0), 10
    document = np.repeat(np.arange(200), size)
    truth = rng.random(2000) < 0.5
    right = rng.random(2000) < rng.beta(4, 1, 200)[document]  # documents are easy or hard
    seen = np.isin(document, rng.choice(200, 20, replace=False))
    ev = ix.evaluate(None, truth == right, gold=np.where(seen, truth, np.nan), by={"document": document})
    alone, clusters = ev.interval("accuracy"), ev.interval("accuracy", clusters="document")
    assert clusters.high - clusters.low > 1.2 * (alone.high - alone.low)
    score = ev.score("accuracy")
    assert estimator_of(ev, score.measure, score, "document").center().freedom < 40 < 199
