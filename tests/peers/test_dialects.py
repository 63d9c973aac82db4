"""Dialects give the numbers of the libraries they are named after, on random data with absent classes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each
from sklearn import metrics
from torchmetrics.functional import classification as tm

import indicatrix as ix

C = 5
TM = ix.dialect("torchmetrics")
NOTES = " ".join((ix.types.Dialect.__doc__ or "").split())
AVERAGES = ("micro", "macro", "weighted")
labels = st.integers(1, 12).flatmap(lambda n: st.tuples(*(st.lists(st.integers(0, C - 1), min_size=n, max_size=n),) * 2))
matrices = st.integers(1, 6).flatmap(
    lambda n: st.tuples(*(st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=n, max_size=n),) * 2)
)
few = examples(20)


def same(ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(np.asarray(ours, float), np.asarray(theirs, float), rtol=2e-6, atol=1e-7)


# our measure, and torchmetrics' name for it
COUNTED = {
    "precision": "precision",
    "recall": "recall",
    "f1": "f1_score",
    "specificity": "specificity",
    "jaccard": "jaccard_index",
}


def of_torchmetrics(name: str, kind: str, preds: Any, target: Any, **options: Any) -> Any:
    size = {"multiclass": {"num_classes": C}, "multilabel": {"num_labels": 3}, "binary": {}}[kind]
    if "beta" in options:
        size = {"beta": options.pop("beta"), **size}
    return getattr(tm, f"{kind}_{name}")(torch.tensor(preds), torch.tensor(target), **size, **options)


@pytest.mark.parametrize("measure", COUNTED)
@given(pair=labels)
@few
def test_multiclass_averages_of_torchmetrics(measure: str, pair: tuple[list[int], list[int]]) -> None:
    target, preds = pair
    ev = ix.evaluate(target, preds, classes=range(C))
    for average in AVERAGES:
        theirs = of_torchmetrics(COUNTED[measure], "multiclass", preds, target, average=average)
        same(ev.score(measure, average, undefined=TM), theirs)
    values = ev.values(measure).tolist()
    same(np.nan_to_num(values), of_torchmetrics(COUNTED[measure], "multiclass", preds, target, average="none"))


@given(pair=labels)
@few
def test_other_multiclass_functions_of_torchmetrics(pair: tuple[list[int], list[int]]) -> None:
    target, preds = pair
    ev = ix.evaluate(target, preds, classes=range(C))
    for average in AVERAGES:  # what torchmetrics calls accuracy is the recall, of each class or pooled
        same(
            ev.score(TM.measures["accuracy"], average, undefined=TM),
            of_torchmetrics("accuracy", "multiclass", preds, target, average=average),
        )
        beta = of_torchmetrics("fbeta_score", "multiclass", preds, target, average=average, beta=2.0)
        same(ev.score("f_beta(beta=2)", average, undefined=TM), beta)
    same(1 - ev.score("exact_match"), of_torchmetrics("hamming_distance", "multiclass", preds, target, average="micro"))
    same(ev.score("multiclass_mcc", undefined=TM), of_torchmetrics("matthews_corrcoef", "multiclass", preds, target))
    kappa = of_torchmetrics("cohen_kappa", "multiclass", preds, target)
    same(1 - ev.score("multiclass_kappa", undefined=TM), 1 - kappa)  # in float32 they subtract a quotient from 1
    same(ev.confusion, of_torchmetrics("confusion_matrix", "multiclass", preds, target))
    counts = ev.aggregate("class")
    same(
        np.stack([counts.tp, counts.fp, counts.tn, counts.fn, counts.tpos], axis=1),
        of_torchmetrics("stat_scores", "multiclass", preds, target, average="none"),
    )


@pytest.mark.parametrize("index", [-1, 2])
@given(pair=labels)
@few
def test_ignored_targets_of_torchmetrics(index: int, pair: tuple[list[int], list[int]]) -> None:
    target, preds = [index if t == 2 else t for t in pair[0]], pair[1]
    stream = ix.torch.Stream(classes=C, ignore_index=index, undefined=TM).update(torch.tensor(preds), torch.tensor(target))
    for measure, name in COUNTED.items():
        for average in AVERAGES:
            if measure == "jaccard" and index == 2:
                continue  # there torchmetrics also leaves the ignored class out of the average
            theirs = of_torchmetrics(name, "multiclass", preds, target, average=average, ignore_index=index)
            same(stream.compute(f"{average} {measure}")[f"{average} {measure}"], theirs)
    same(stream.evaluation.confusion, of_torchmetrics("confusion_matrix", "multiclass", preds, target, ignore_index=index))


def test_an_ignored_class_is_left_out_of_their_jaccard_index_which_no_convention_says() -> None:
    preds, target = torch.tensor([0, 2, 2]), torch.tensor([0, 1, 2])
    theirs = tm.multiclass_jaccard_index(preds, target, 3, ignore_index=2)
    ours = ix.torch.Stream("macro jaccard", classes=3, ignore_index=2, undefined=TM).update(preds, target)
    same([theirs, ours.compute()["macro jaccard"]], [1 / 2, 1 / 3])
    assert "leaves this class out of the micro and macro averages" in NOTES


@pytest.mark.parametrize("measure", COUNTED)
@given(pair=matrices)
@few
def test_multilabel_averages_of_torchmetrics(measure: str, pair: tuple[Any, Any]) -> None:
    target, preds = pair
    ev = ix.evaluate(np.array(target), np.array(preds))
    for average in AVERAGES:
        theirs = of_torchmetrics(COUNTED[measure], "multilabel", preds, target, average=average)
        same(ev.score(measure, average, undefined=TM), theirs)
        beta = of_torchmetrics("fbeta_score", "multilabel", preds, target, average=average, beta=0.5)
        same(ev.score("f_beta(beta=0.5)", average, undefined=TM), beta)
    counts = ev.aggregate("class")
    four = np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=1).reshape(-1, 2, 2)
    same(four, of_torchmetrics("confusion_matrix", "multilabel", preds, target))
    scores = of_torchmetrics("stat_scores", "multilabel", preds, target, average="none")
    same(np.stack([counts.tp, counts.fp, counts.tn, counts.fn, counts.tpos], axis=1), scores)
    mcc = of_torchmetrics("matthews_corrcoef", "multilabel", preds, target)  # of all entries
    same(ev.score(TM.measures["mcc"], "micro", undefined=TM), mcc)
    same(ev.score("exact_match"), of_torchmetrics("exact_match", "multilabel", preds, target))
    same(1 - ev.score("accuracy", "micro"), of_torchmetrics("hamming_distance", "multilabel", preds, target, average="micro"))


@pytest.mark.parametrize("threshold", [0.5, 0.25])
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])), min_size=1, max_size=10))
@few
def test_binary_scores_are_compared_with_the_threshold_as_in_torchmetrics(threshold: float, rows: Any) -> None:
    target, scores = map(list, zip(*rows, strict=True))
    ev = ix.evaluate(target, np.array(scores, np.float32), decide=TM.decide(threshold))
    for measure, name in COUNTED.items():
        same(ev.score(measure, undefined=TM), of_torchmetrics(name, "binary", scores, target, threshold=threshold))
    same(ev.confusion, of_torchmetrics("confusion_matrix", "binary", scores, target, threshold=threshold))
    same(
        ev.score("f_beta(beta=2)", undefined=TM),
        of_torchmetrics("fbeta_score", "binary", scores, target, beta=2.0, threshold=threshold),
    )
    for measure, name in {TM.measures["mcc"]: "matthews_corrcoef", "cohen_kappa": "cohen_kappa"}.items():
        same(1 - ev.score(measure, undefined=TM), 1 - of_torchmetrics(name, "binary", scores, target, threshold=threshold))
    counts = ev.binary()
    five = [counts.tp, counts.fp, counts.tn, counts.fn, counts.tpos]
    same(five, of_torchmetrics("stat_scores", "binary", scores, target, threshold=threshold))
    stream = ix.torch.Stream(decide=TM.decide(threshold)).update(torch.tensor(scores), torch.tensor(target))
    assert stream.evaluation.tally == ev.tally


COUNTS = [(a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4)]


@pytest.mark.slow
def test_every_small_table_has_their_mcc_and_kappa() -> None:
    """Also where they are 0/0, and of two classes as of a positive one."""
    for tp, fp, fn, tn in COUNTS[1:]:
        target, preds = [1] * tp + [0] * fp + [1] * fn + [0] * tn, [1] * (tp + fp) + [0] * (fn + tn)
        ev = ix.evaluate(target, preds, classes=[0, 1], positive=1)
        mcc = of_torchmetrics("matthews_corrcoef", "binary", preds, target)
        same(ev.score(TM.measures["mcc"], undefined=TM), mcc)
        same(tm.multiclass_matthews_corrcoef(torch.tensor(preds), torch.tensor(target), 2), mcc)
        same(1 - ev.score("cohen_kappa", undefined=TM), 1 - of_torchmetrics("cohen_kappa", "binary", preds, target))


scored = st.integers(1, 10).flatmap(
    lambda n: st.tuples(st.lists(st.integers(0, C - 1), min_size=n, max_size=n), st.integers(0, 2**32 - 1))
)


@pytest.mark.parametrize("k", [1, 2, 4])
@given(pair=scored)
@few
def test_top_k_of_torchmetrics(k: int, pair: Any) -> None:
    target, seed = pair
    scores = np.random.default_rng(seed).random((len(target), C)).astype(np.float32)
    ev = ix.evaluate(target, scores, classes=range(C), decide=ix.hit_in_top(k))
    stream = ix.torch.Stream(decide=ix.hit_in_top(k), classes=C).update(torch.tensor(scores), torch.tensor(target))
    assert stream.evaluation == ev
    names = {**COUNTED, "npv": "negative_predictive_value"}
    for measure in ("precision", "recall", "f1", "specificity", "npv"):
        for average in AVERAGES:
            theirs = of_torchmetrics(names[measure], "multiclass", scores, target, average=average, top_k=k)
            same(ev.score(measure, average, undefined=TM), theirs)
            accuracy = of_torchmetrics("accuracy", "multiclass", scores, target, average=average, top_k=k)
            same(ev.score("recall", average, undefined=TM), accuracy)


GRIDS: list[Any] = [None, 5, [0.25, 0.5, 0.75], [0.0, 0.3, 1.0]]
AREAS = {"auc": "auroc", "average_precision": "average_precision"}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("area", AREAS)
@pytest.mark.parametrize("grid", GRIDS, ids=str)
@given(pair=scored)
@few
def test_areas_of_several_classes_and_labels_and_of_grids(grid: Any, area: str, pair: Any) -> None:
    target, rng = pair[0], np.random.default_rng(pair[1])
    function = getattr(ix.measures, area)
    eighths = rng.integers(0, 9, (len(target), C)).astype(np.float32) / 8  # many are equal to a threshold
    binary = [t % 2 for t in target]
    theirs = of_torchmetrics(AREAS[area], "binary", eighths[:, 0], binary, thresholds=grid)
    same(function(binary, eighths[:, 0], thresholds=grid, undefined=0), theirs)
    matrix = rng.integers(0, 2, (len(target), 3))
    for average in AVERAGES:
        theirs = of_torchmetrics(AREAS[area], "multilabel", eighths[:, :3], matrix, average=average, thresholds=grid)
        how = TM.areas[f"multilabel {area}"]
        same(function(matrix, eighths[:, :3], average=average, thresholds=grid, undefined=how), theirs)
    if set(target) == {0} and area == "average_precision" and grid is None:
        return  # see the test below
    shares = rng.dirichlet(np.ones(C), len(target)).astype(np.float32)
    for average in ("macro", "weighted"):
        theirs = of_torchmetrics(AREAS[area], "multiclass", shares, target, average=average, thresholds=grid)
        how = TM.areas[f"multiclass {area}"] if grid is None else 0
        same(function(target, shares, classes=range(C), average=average, thresholds=grid, undefined=how), theirs)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_absent_classes_count_in_their_average_precision_only_where_class_0_is_alone() -> None:
    scores = torch.tensor([[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]])
    found = [float(tm.multiclass_average_precision(scores, torch.tensor([t, t]), 3)) for t in (0, 1)]
    same(found, [1 / 3, 1])
    assert "if only class 0 occurs" in NOTES


@given(rows=st.lists(st.tuples(*(st.lists(st.integers(0, 2), min_size=3, max_size=3),) * 2), min_size=1, max_size=5))
@few
def test_exact_match_of_several_targets(rows: Any) -> None:
    """Their multiclass exact match asks for all positions of a sample: a sample is right if no position is wrong."""
    target, preds = (np.array(side) for side in zip(*rows, strict=True))
    sample = np.repeat(np.arange(len(target)), 3)
    ev = ix.evaluate(target.ravel(), preds.ravel(), classes=range(3), by={"sample": sample})
    right = [part.score("exact_match") == 1 for part in ev.split("sample").values()]
    theirs = tm.multiclass_exact_match(torch.tensor(preds), torch.tensor(target), 3, "samplewise")
    same(right, theirs)
    same(np.mean(right), tm.multiclass_exact_match(torch.tensor(preds), torch.tensor(target), 3))


@given(rows=st.lists(st.tuples(*(st.lists(st.integers(0, 1), min_size=6, max_size=6),) * 2), min_size=2, max_size=4))
@few
def test_samplewise_averages_of_labels(rows: Any) -> None:
    """Labels (N, 2, 3): two labels at three positions, which are examples of their sample."""
    target, preds = (np.array(side).reshape(-1, 2, 3) for side in zip(*rows, strict=True))
    flat = [side.swapaxes(1, 2).reshape(-1, 2) for side in (target, preds)]
    ev = ix.evaluate(*flat, by={"sample": np.repeat(np.arange(len(target)), 3)})
    for measure in ("precision", "recall", "f1", "specificity"):
        for average in AVERAGES:
            function = getattr(tm, f"multilabel_{COUNTED[measure]}")
            theirs = function(torch.tensor(preds), torch.tensor(target), 2, average=average, multidim_average="samplewise")
            ours = [part.score(measure, average, undefined=TM) for part in ev.split("sample").values()]
            same(ours, theirs)


@pytest.mark.parametrize("index", [-1, 0])
@given(pair=matrices)
@few
def test_ignored_entries_of_torchmetrics(index: int, pair: tuple[Any, Any]) -> None:
    target, preds = np.array(pair[0]), np.array(pair[1])
    target[1:, 0] = np.where(preds[1:, 2] == 1, index, target[1:, 0])
    if (target == index).all(axis=0).any():
        return  # see the test below
    stream = ix.torch.Stream(kind="multilabel", decide=0.5, classes=3, ignore_index=index, undefined=TM)
    stream.update(torch.tensor(preds), torch.tensor(target))
    for measure in ("precision", "recall", "f1", "specificity"):
        for average in AVERAGES:
            theirs = of_torchmetrics(COUNTED[measure], "multilabel", preds, target, average=average, ignore_index=index)
            same(stream.compute(f"{average} {measure}")[f"{average} {measure}"], theirs)


@given(rows=st.lists(st.tuples(*(st.lists(st.integers(0, C - 1), min_size=4, max_size=4),) * 2), min_size=1, max_size=4))
@few
def test_samplewise_averages_are_a_grouping(rows: Any) -> None:
    target, preds = (np.array(side) for side in zip(*rows, strict=True))
    sample = np.repeat(np.arange(len(target)), 4)
    ev = ix.evaluate(target.ravel(), preds.ravel(), classes=range(C), by={"sample": sample})
    for measure in ("precision", "recall", "f1", "specificity"):
        theirs = of_torchmetrics(COUNTED[measure], "multiclass", preds, target, average="macro", multidim_average="samplewise")
        ours = [part.score(measure, "macro", undefined=TM) for part in ev.split("sample").values()]
        same(ours, theirs)
        same(ev.score(measure, ("sample", "macro"), undefined=TM), theirs.mean())


@given(rows=st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.1, 0.2, 0.3, 0.7, 0.9])), min_size=2, max_size=20))
@few
def test_areas_of_torchmetrics(rows: Any) -> None:
    target, scores = map(list, zip(*rows, strict=True))
    if len(set(target)) == 2:
        same(ix.auc(target, scores), tm.binary_auroc(torch.tensor(scores), torch.tensor(target)))
        same(ix.average_precision(target, scores), tm.binary_average_precision(torch.tensor(scores), torch.tensor(target)))


def test_a_label_without_any_entry_counts_in_their_average_which_no_convention_says() -> None:
    preds, target = torch.tensor([[1, 0]]), torch.tensor([[1, -1]])
    ours = ix.torch.Stream("macro recall", kind="multilabel", decide=0.5, classes=2, ignore_index=-1, undefined=TM)
    theirs = tm.multilabel_recall(preds, target, 2, ignore_index=-1)
    same([ours.update(preds, target).compute()["macro recall"], theirs], [1, 1 / 2])
    assert "counts as 0 there, and nowhere here" in NOTES


SKLEARN = {"precision": metrics.precision_score, "recall": metrics.recall_score, "f1": metrics.f1_score}


@pytest.mark.parametrize("measure", [*SKLEARN, "jaccard"])
@given(pair=labels)
@few
def test_averages_of_scikit_learn(measure: str, pair: tuple[list[int], list[int]]) -> None:
    function = SKLEARN.get(measure, metrics.jaccard_score)
    for average in AVERAGES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = function(*pair, average=average)
        same(ix.evaluate(*pair).score(measure, average, undefined=ix.dialect("scikit-learn")), theirs)


@given(pair=labels)
@examples(15)
def test_macro_averages_of_pycm(pair: tuple[list[int], list[int]]) -> None:
    pycm = pytest.importorskip("pycm")
    if len(set(pair[0]) | set(pair[1])) < 2:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cm = pycm.ConfusionMatrix(*pair)
    for measure, name in {"precision": "PPV_Macro", "recall": "TPR_Macro", "f1": "F1_Macro"}.items():
        theirs = getattr(cm, name)
        same(ix.evaluate(*pair).score(measure, "macro", undefined=ix.dialect("pycm")), np.nan if theirs == "None" else theirs)


def test_macro_averages_of_yardstick_as_its_documentation_has_them() -> None:
    """Classes without a prediction are left out of the mean precision; F is undefined where precision or recall is."""
    y, z = list("aabbcc"), list("aabbab")  # c is never predicted
    ev, found = ix.evaluate(y, z), ix.dialect("yardstick")
    precision, recall = np.array([2 / 3, 2 / 3]), np.array([1, 1])
    same(ev.score("precision", "macro", undefined=found), precision.mean())
    same(ev.score("recall", "macro", undefined=found), 2 / 3)
    same(ev.score(found.measures["f1"], "macro", undefined=found), (2 * precision * recall / (precision + recall)).mean())


def test_f_of_yardstick_is_0_where_precision_and_recall_are_0() -> None:
    found = ix.dialect("yardstick")
    same(ix.evaluate(list("abc"), list("bac")).score(found.measures["f1"], "macro", undefined=found), 1 / 3)


ABSENT = [0, 0, 1, 1], [0, 1, 1, 2], {"classes": range(4)}


def test_a_difference_is_explained_with_the_numbers_of_the_libraries() -> None:
    y, z, options = ABSENT
    found = ix.theory.explain_difference(y, z, "macro f1", "scikit-learn", "torchmetrics", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(found.values["scikit-learn"], metrics.f1_score(y, z, labels=range(4), average="macro"))
    same(found.values["torchmetrics"], tm.multiclass_f1_score(torch.tensor(z), torch.tensor(y), 4, average="macro"))
    assert "scikit-learn prints 0.291667 for macro f1, torchmetrics 0.388889." in found.text
    assert "Class 3 neither occurs nor is predicted." in found.text
    assert "In torchmetrics an absent class is left out" in found.text
    assert found.to_dict()["values"] == found.values
    assert max(map(len, str(replace(found, text="ab " * 100)).splitlines())) == 125


@pytest.mark.parametrize(
    ("y", "z", "score", "sides", "options", "text"),
    [
        ([0, 1], [0, 1], "macro f1", ("scikit-learn", "pycm"), {}, "Nothing is undefined here"),
        ([0, 1, 1], [0, 1, 2], "macro recall", ("pycm", "scikit-learn"), {}, "pycm prints no number for macro recall"),
        (
            [1, 1],
            [0.5, 0.7],
            "recall",
            ("scikit-learn", "torchmetrics"),
            {"decide": 0.5},
            "equal to the threshold: in torchmetrics",
        ),
        (
            [0, 1, 2],
            [0, 1, 1],
            "accuracy",
            ("scikit-learn", "torchmetrics"),
            {},
            "different scores: the share of examples that are right (exact_match) in scikit-learn and macro recall",
        ),
        ([0, 0, 1], [0, 0, 0], "macro f1", ("scikit-learn", "yardstick"), {}, "The value of class 1 is undefined"),
        ([0, 0, 1], [0, 0, 0], "macro precision", ("scikit-learn", "torchmetrics"), {}, "Both conventions come to the same here"),
        *(
            ([[1, 0, 0]] * 2, [[0.7, 0.5, 0.1]] * 2, "macro recall", sides, {"decide": 0.5}, "Class 2 neither occurs nor is")
            for sides in (("scikit-learn", "torchmetrics"), ("torchmetrics", "scikit-learn"))
        ),
    ],
)
def test_other_reasons(y: Any, z: Any, score: str, sides: Any, options: Any, text: str) -> None:
    assert text in ix.theory.explain_difference(y, z, score, *sides, **options).text


@pytest.mark.parametrize("otherwise", [0, 1, "exclude", "nan"])
def test_a_convention_is_the_mean_without_absent_classes(otherwise: Any) -> None:
    y, z, options = ABSENT
    convention = ix.types.Convention(otherwise=otherwise)
    ev, there = ix.evaluate(y, z, **options), ix.evaluate(y, z)
    for measure in dict.fromkeys(ix.algebra.MEASURES.values()):
        for average in () if measure.averages else AVERAGES:
            score, plain = ev.score(measure, average, undefined=convention), ev.score(measure, average)
            expected = (ev if average == "micro" else there).score(measure, average, undefined=otherwise)
            assert score == pytest.approx(float(expected), nan_ok=True), (measure, average)
            assert plain.under(convention) == pytest.approx(float(score), nan_ok=True)
            assert score.under("exclude") == pytest.approx(float(plain), nan_ok=True)
            if average == "macro":  # class 2 is predicted and does not occur
                found = ev.score(measure, average, undefined=ix.types.Convention(otherwise, absent="true"))
                assert found == pytest.approx(float(ev.only([0, 1]).score(measure, average, undefined=otherwise)), nan_ok=True)


@for_each("absent", ["both", "true"])
@for_each("average", ["macro", "weighted"])
@for_each("method", ["delta", "percentile", "jackknife"])
def test_an_interval_leaves_out_the_classes_that_the_score_leaves_out(absent: str, average: str, method: str) -> None:
    """Class 2 is never predicted, class 3 does not occur, and 4 is absent."""
    true, pred = [0, 0, 1, 1, 2, 0, 1, 1, 0, 2] * 3, [0, 1, 1, 0, 0, 0, 3, 1, 0, 1] * 3
    ev, there = ix.evaluate(true, pred, classes=range(5)), range(3 if absent == "true" else 4)
    drawn_apart = method == "percentile" and absent == "true"  # without class 3 the pairs of classes are drawn in another order
    near, draws = (0.01, 20_000) if drawn_apart else (1e-9, 2000)  # an end is then known to about 0.003
    for otherwise in (0, 1, "exclude"):
        options = {"method": method, "seed": 1, "draws": draws}
        found = ev.interval("precision", average, undefined=ix.types.Convention(otherwise, absent=absent), **options)
        expected = ev.only(there).interval("precision", average, undefined=otherwise, **options)
        assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high), abs=near)
    assert ev.interval("recall", "macro", undefined=TM).undefined == TM.undefined_for(ev, "recall", "macro")


def test_a_comparison_tests_means_over_the_same_classes() -> None:
    true, a, b = [0, 0, 1, 1, 2, 1] * 5, [0, 1, 1, 1, 2, 3] * 5, [0, 0, 1, 0, 2, 2] * 5
    of_true = ix.compare(true, {"a": a, "b": b}, "f1", "macro", undefined=ix.types.Convention(0, absent="true"), classes=range(5))
    there = ix.evaluate(true, a, classes=range(5)).only(range(3)), ix.evaluate(true, b, classes=range(5)).only(range(3))
    assert of_true.differences[0].value == pytest.approx(abs(there[0].score("f1", "macro") - there[1].score("f1", "macro")))
    assert of_true.differences[0].p < 1
    of_both = ix.compare(true, {"a": a, "b": b}, "recall", "macro", undefined=ix.types.Convention(0), classes=range(5))
    assert "The means are over different units" in of_both.differences[0].note
    assert "a leaves out class 4 and b leaves out classes 3, 4" in str(of_both)


REFUSALS = {
    "area": lambda how: ix.auc([0, 1], [0.1, 0.2], undefined=how),
    "folds": lambda how: ix.evaluate(*ABSENT[:2], by={"fold": [1, 1, 2, 2]}).folds("f1", "macro", undefined=how),
    "confusion": lambda how: ix.evaluate(*ABSENT[:2]).confusion_matrix("true", undefined=how),
    "mean": lambda how: ix.Score.mean(np.array([np.nan, 1.0]), None, how),
}


@pytest.mark.parametrize("how", [ix.types.Convention(), TM], ids=["convention", "dialect"])
@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_leave_classes_out_says_so(name: str, how: Any) -> None:
    with pytest.raises(
        TypeError,
        match=r"leaves absent classes out, which only scores of counts and their intervals can do|must be a string or a real",
    ):
        REFUSALS[name](how)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ix.dialect("caret"),
            "There is no dialect 'caret'; the dialects are scikit-learn, torchmetrics, pycm, yardstick",
        ),
        (lambda: ix.types.Convention(otherwise="raise"), "otherwise='raise' is unknown"),
        (lambda: ix.types.Convention(absent="predicted"), "absent='predicted' is unknown"),
        (lambda: ix.above("a"), "above takes a number"),
        (lambda: ix.auc([0, 1], [0.1, 0.2], thresholds=1), "thresholds=1 is not a grid"),
        (lambda: ix.auc([0, 1], [0.1, 0.2], thresholds=np.array([0.5])), "is not a grid"),
        (lambda: ix.average_precision([0, 1], [0.1, 0.2], thresholds=5, interpolation="envelope"), "is a grid for"),
        (lambda: ix.evaluate([0], [0]).score("f1", undefined="maybe"), "is not a convention"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()
