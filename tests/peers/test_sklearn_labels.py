"""The drop-ins that take labels against scikit-learn: results, types, exceptions and warnings on random labels of every kind."""

from __future__ import annotations

import inspect
import math
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.metrics as theirs
from loops import for_each

import indicatrix.sklearn as ours

pytest.importorskip("pyarrow")  # columns of data frames may be its arrays

AVERAGES = [None, "micro", "macro", "weighted"]
AVERAGED = ["precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score", "precision_recall_fscore_support"]
HOMES = [f"indicatrix.sklearn.{module}" for module in ("accuracies", "precision_recall", "reports", "tables")]
NAMES = [name for name in ours.__all__ if getattr(ours, name).__module__ in HOMES]


def outcome(function: Any, *args: Any, **given: Any) -> tuple[Any, list[tuple[str, str]]]:
    """Return the result or the kind of the exception, and the warnings with the first words of each."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            result = function(*args, **given)
        except Exception as error:
            result = next(kind.__name__ for kind in (ValueError, TypeError, Exception) if isinstance(error, kind))
    if function.__module__.startswith("indicatrix"):
        assert {w.filename for w in found} <= {__file__}, [str(w.message) for w in found]  # they point at the line of the caller
    return result, [(w.category.__name__, str(w.message)[:40]) for w in found if w.category is not RuntimeWarning]


def same(one: Any, other: Any) -> bool:
    if isinstance(other, tuple):
        return isinstance(one, tuple) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(other, dict):
        return [*one] == [*other] and all(same(one[key], other[key]) for key in other)
    if other is None or isinstance(other, str):
        return bool(one == other)
    kinds = np.asarray(one).dtype.kind == np.asarray(other).dtype.kind and np.shape(one) == np.shape(other)
    return kinds and np.allclose(one, other, rtol=1e-12, atol=1e-15, equal_nan=True)


def compare(name: str, *args: Any, **given: Any) -> None:
    mine, expected = (outcome(getattr(module, name), *args, **given) for module in (ours, theirs))
    assert same(mine[0], expected[0]), (name, args, given, mine[0], expected[0])
    assert mine[1] == expected[1], (name, args, given)


def labels_of_every_kind(rng: Any, n: int = 30) -> dict[str, tuple[Any, Any]]:
    y, z = rng.integers(0, 4, (2, n))
    two, other = y % 2, z % 2
    words = np.array(["bee", "ant", "cat", "dog"])
    return {
        "integers": (y, z),
        "absent on one side": (y % 3, z),
        "binary": (two, other),
        "one label": (two * 0 + 1, two * 0 + 1),
        "signs": (2 * two - 1, 2 * other - 1),
        "wide integers": (y * 5000 - 3, z * 5000 - 3),
        "bytes": (y.astype(np.uint8), z.astype(np.int16)),
        "bools": (two == 1, other == 1),
        "floats": (y.astype(float), z.astype(float)),
        "float and integer": (y.astype(float), z),
        "lists": (y.tolist(), z.tolist()),
        "strings": (words[y], words[z]),
        "objects": (words[y].astype(object), words[z].tolist()),
        "series": (pd.Series(words[y], index=range(5, n + 5)), pd.Series(words[z])),
        "categories": (pd.Series(words[y]).astype("category"), pd.Series(words[z]).astype("category")),
        "columns": (y.reshape(-1, 1), z.reshape(-1, 1)),
    }


def matrices_of_every_kind(rng: Any, n: int = 20) -> dict[str, tuple[Any, Any]]:
    y, z = rng.integers(0, 2, (2, n, 4))
    y[0], z[1], y[2], z[2] = 0, 0, 0, 0  # empty rows on either side and on both
    empty = y.copy()
    empty[:, 2] = 0
    return {
        "matrix": (y, z),
        "floats": (y.astype(float), z.astype(float)),
        "bools": (y == 1, z == 1),
        "sparse": (scipy.sparse.csr_matrix(y), scipy.sparse.coo_array(z)),
        "lists": (y.tolist(), z.tolist()),
        "frame": (pd.DataFrame(y), pd.DataFrame(z)),
        "without a class": (empty, empty),
    }


ONE, SEVERAL = [*labels_of_every_kind(np.random.default_rng(0))], [*matrices_of_every_kind(np.random.default_rng(0))]


def weights_of_every_kind(rng: Any, n: int) -> list[Any]:
    """Return weights whose sums need no rounding, because reports print all digits."""
    return [None, rng.integers(1, 17, n) / 8, rng.integers(1, 4, n), (rng.integers(1, 17, n) / 8).tolist()]


@for_each("kind", ONE)
def test_averages_of_one_label_per_example(kind: str) -> None:
    rng = np.random.default_rng(ONE.index(kind))
    y, z = labels_of_every_kind(rng)[kind]
    for name in AVERAGED:
        beta = {"beta": [0.5, 2, 0, math.inf][rng.integers(4)]} if name == "fbeta_score" else {}
        for average in [*AVERAGES, "binary", "samples"]:
            numbers = [0, 1, "warn"] if name == "jaccard_score" else [0, 1.0, "warn", np.nan]
            weights = weights_of_every_kind(rng, len(y))[rng.integers(4)]
            zero_division = numbers[rng.integers(len(numbers))]
            compare(name, y, z, average=average, zero_division=zero_division, sample_weight=weights, **beta)


@pytest.mark.parametrize("kind", ["integers", "binary", "floats", "strings", "series"])
@pytest.mark.one_fast_case
def test_labels_select_classes_and_may_be_absent(kind: str) -> None:
    rng = np.random.default_rng(1)
    y, z = labels_of_every_kind(rng)[kind]
    found = sorted({*np.asarray(y).ravel().tolist()})
    absent = "zebra" if isinstance(found[0], str) else 77
    for labels in (
        found[:1],
        found[::-1],
        [absent, *found],
        [absent],
        [],
        np.array(found),
        [found[-1], *found],
        [absent, absent],
    ):
        weights = weights_of_every_kind(rng, len(y))[rng.integers(4)]
        for average in AVERAGES if len(labels) else ():
            for name in rng.permutation(AVERAGED)[:2]:
                beta = {"beta": 2} if name == "fbeta_score" else {}
                compare(name, y, z, labels=labels, average=average, sample_weight=weights, **beta)
        for name in ("confusion_matrix", "cohen_kappa_score", "classification_report"):
            if len(labels) or name != "classification_report":
                compare(name, y, z, labels=labels, sample_weight=weights)
        if len(labels):
            compare("multilabel_confusion_matrix", y, z, labels=labels, sample_weight=weights)
    for pos_label in (found[-1], absent, None):
        compare("f1_score", y, z, pos_label=pos_label)
        compare("f1_score", y, z, pos_label=pos_label, average="macro")


@pytest.mark.parametrize("kind", SEVERAL)
@pytest.mark.one_fast_case
def test_averages_of_several_labels_per_example(kind: str) -> None:
    rng = np.random.default_rng(2)
    y, z = matrices_of_every_kind(rng)[kind]
    labels, numbers = (None, [2, 0], [1], [3, 4], [-1, 0], [2, 0, 2]), (0, 1, "warn", np.nan)
    for average in [*AVERAGES, "samples", "binary"]:
        for name in ("precision_recall_fscore_support", "f1_score", "jaccard_score"):
            for _ in range(2):
                weights = weights_of_every_kind(rng, 20)[rng.integers(4)]
                number = numbers[rng.integers(3 if name == "jaccard_score" else 4)]
                given = {"average": average, "labels": labels[rng.integers(6)], "zero_division": number}
                compare(name, y, z, sample_weight=weights, **given)
    for weights in weights_of_every_kind(rng, 20)[:2]:
        for name in ("accuracy_score", "zero_one_loss", "hamming_loss", "classification_report", "multilabel_confusion_matrix"):
            compare(name, y, z, sample_weight=weights)
        compare("multilabel_confusion_matrix", y, z, samplewise=True, sample_weight=weights)
        compare("multilabel_confusion_matrix", y, z, samplewise=True, labels=[2, 0], sample_weight=weights)


@for_each("kind", ONE)
def test_other_scores_and_matrices(kind: str) -> None:
    rng = np.random.default_rng(3)
    y, z = labels_of_every_kind(rng)[kind]
    for weights in weights_of_every_kind(rng, len(y))[:2]:
        for normalize in (True, False):
            compare("accuracy_score", y, z, normalize=normalize, sample_weight=weights)
            compare("zero_one_loss", y, z, normalize=normalize, sample_weight=weights)
        for name in ("hamming_loss", "matthews_corrcoef", "multilabel_confusion_matrix", "class_likelihood_ratios"):
            compare(name, y, z, sample_weight=weights)
        for adjusted in (False, True) if kind != "one label" else (False,):  # one class: they divide by zero
            compare("balanced_accuracy_score", y, z, adjusted=adjusted, sample_weight=weights)
        for normalize in (None, "true", "pred", "all"):
            compare("confusion_matrix", y, z, normalize=normalize, sample_weight=weights)
        for how in (None, "linear", "quadratic"):
            compare("cohen_kappa_score", y, z, weights=how, sample_weight=weights)
        for as_dict in (False, True):
            compare("classification_report", y, z, output_dict=as_dict, digits=3, sample_weight=weights)


@for_each("instead", [np.nan, 1.0, {"LR+": 2.0, "LR-": 0.5}, {"LR+": 0.0, "LR-": 0.5}, {"LR+": 1}, 3.0])
@for_each("pair", [([1, 1, 0], [1, 1, 0]), ([0, 0], [0, 1]), ([1, 0, 1], [0, 0, 0]), ([0, 1, 1], [1, 1, 0])])
def test_likelihood_ratios_that_are_undefined(instead: Any, pair: Any) -> None:
    compare("class_likelihood_ratios", *pair, replace_undefined_by=instead, labels=[0, 1])


BAD = [
    ([0, 1], [0, 1, 1], {}),
    ([], [], {}),
    (["a", "b"], [0, 1], {}),
    ([0, 1], [0.5, 0.2], {}),
    ([0.5, 1], [0.5, 0.2], {}),
    ([0, 1], [[0, 1], [1, 1]], {}),
    ([[0, 1], [1, 1]], [[0, 1, 1], [1, 1, 0]], {}),
    ([[0, 2], [1, 1]], [[0, 1], [1, 1]], {}),
    ([[1], [0, 1]], [[0], [1]], {}),
    ([0, np.nan], [0, 1], {}),
    ([b"a", b"b"], [b"a", b"b"], {}),
    (np.array([0, 1], object), np.array([0, 1], object), {}),
    ("ab", "ab", {}),
    (3, 3, {}),
    ([0, 1], [0, 1], {"sample_weight": [1, 2, 3]}),
    ([0, 1], [0, 1], {"sample_weight": [1, np.nan]}),
    ([0, 1], [0, 1], {"sample_weight": [[1, 2]]}),
    ([0, 1], [0, 1], {"sample_weight": [0, 0]}),
    ([0, 1], [0, 1], {"sample_weight": "ab"}),
    (pd.Series([0, None], dtype="int64[pyarrow]"), [0, 1], {}),
    ([0, 1], [0, 1], {"sample_weight": pd.Series([1, None], dtype="int64[pyarrow]")}),
]


@for_each("name", NAMES)
@for_each("case", range(len(BAD)))
def test_what_they_refuse_is_refused(name: str, case: int) -> None:
    y, z, given = BAD[case]
    given = given if "sample_weight" in inspect.signature(getattr(theirs, name)).parameters else {}
    beta = {"beta": 1} if name == "fbeta_score" else {}
    mine, expected = (outcome(getattr(module, name), y, z, **given, **beta)[0] for module in (ours, theirs))
    assert same(mine, expected), (name, BAD[case], mine, expected)


@for_each("name", NAMES)
def test_signatures_are_theirs(name: str) -> None:
    mine, other = (inspect.signature(getattr(module, name)).parameters for module in (ours, theirs))
    assert [*mine] == [*other]
    for parameter in mine:
        assert mine[parameter].kind == other[parameter].kind
        assert str(mine[parameter].default) == str(other[parameter].default)


@for_each("value", ["other", 3.5, object()])
@for_each("name", NAMES)
def test_values_that_a_parameter_cannot_have_are_both_kinds_of_error(name: str, value: Any) -> None:
    for parameter, it in inspect.signature(getattr(ours, name)).parameters.items():
        if it.kind is it.KEYWORD_ONLY and parameter not in ("pos_label", "beta"):
            beta = {"beta": 1} if name == "fbeta_score" else {}
            results = []
            for module in (ours, theirs):
                try:
                    getattr(module, name)([0, 1, 1], [0, 1, 0], **{parameter: value}, **beta)
                    results.append("")
                except (ValueError, TypeError) as error:
                    results.append(type(error).__name__)
            assert results[0] == results[1], (parameter, value)


@pytest.mark.slow
def test_scikit_learn_is_not_needed_and_not_imported() -> None:
    code = """
import sys, warnings
sys.modules["sklearn"] = None
import indicatrix.sklearn as ours
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    ours.f1_score([0, 0], [0, 0])
assert [w.category for w in found] == [ours.UndefinedMetricWarning] and issubclass(ours.UndefinedMetricWarning, UserWarning)
assert found[0].filename == "<string>", found[0].filename
try:
    ours.f1_score([0, 0], [0, 0], average="x")
except ours.InvalidParameterError as error:
    assert isinstance(error, ValueError) and isinstance(error, TypeError)
assert "scipy" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


@pytest.mark.parametrize("name", ["f1_score", "jaccard_score", "precision_recall_fscore_support", "multilabel_confusion_matrix"])
def test_no_label_at_all_is_refused(name: str) -> None:
    average = {"average": "macro"} if name.endswith("score") else {}
    with pytest.raises(ValueError, match="'labels' should contain at least one label"):
        getattr(ours, name)([0, 1], [0, 1], labels=[], **average)


@for_each("pred", [[0, 1, 1], [0, 2, 1], [1, 1, 1]])
@for_each("types", [(int, float), (float, int), (bool, int), (int, bool), (np.uint8, np.float32)])
def test_rows_of_reports_are_named_as_the_true_labels(types: Any, pred: Any) -> None:
    y, z = (np.array(side).astype(dtype) for side, dtype in zip(([0, 1, 0], pred), types, strict=True))
    for one, two in ((y, z), (z, y), (y.tolist(), z.tolist())):
        mine, expected = (m.classification_report(one, two, output_dict=True, zero_division=0) for m in (ours, theirs))
        assert [*mine] == [*expected]


def test_numbers_of_columns_may_be_bools_or_floats() -> None:
    y, z = np.array([[0, 1, 1], [1, 1, 0], [0, 0, 1]]), np.array([[0, 1, 0], [1, 0, 0], [1, 0, 1]])
    for labels in ([True, False], [2.0, 0.0]):
        for average in ("samples", "macro"):
            mine, expected = (m.f1_score(y, z, labels=labels, average=average) for m in (ours, theirs))
            assert mine == pytest.approx(expected)


def test_matrices_of_weights_beyond_64_bits_do_not_wrap_around() -> None:
    assert ours.confusion_matrix([0, 1, 1], [0, 1, 0], sample_weight=[2**62, 2**62, 2**62]).tolist() == [
        [2**62, 0],
        [2**62, 2**62],
    ]
    assert ours.confusion_matrix([1, 1, 1], [1, 1, 0], sample_weight=[2**62] * 3).tolist() == [[0, 0], [2**62, 2**63]]


@pytest.mark.parametrize("beta", [1e99, 1e101, 1e154, 1e300, math.inf])
def test_f_scores_of_a_huge_beta_are_recall(beta: float) -> None:
    """scikit-learn squares beta: from 1e154 on it has nan or an error."""
    y, z = [0, 1, 2, 2, 1], [0, 2, 2, 1, 1]
    assert ours.fbeta_score(y, z, beta=beta, average=None).tolist() == ours.recall_score(y, z, average=None).tolist()


@pytest.mark.parametrize("beta", [np.float16(2), np.float32(0.5), np.float64(2), np.int8(2), True])
def test_beta_may_be_any_number_of_numpy(beta: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ours.fbeta_score([0, 1, 1], [0, 0, 1], beta=beta) == pytest.approx(
            theirs.fbeta_score([0, 1, 1], [0, 0, 1], beta=beta)
        )


@for_each("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@for_each("name", ["accuracy_score", "hamming_loss", "zero_one_loss", "multilabel_confusion_matrix"])
def test_every_form_of_sparse_matrices(name: str, form: str) -> None:
    y, z = np.array([[0, 1, 1], [1, 1, 0]]), np.array([[0, 1, 1], [1, 0, 0]])
    function, one, two = getattr(ours, name), scipy.sparse.csr_matrix(y).asformat(form), scipy.sparse.csr_array(z)
    assert same(function(one, two), getattr(theirs, name)(y, z))
    with pytest.raises(TypeError, match="Sparse input is only supported"):
        function(scipy.sparse.csr_matrix(y[:, :1]).asformat(form), two[:, :1])


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", ["accuracy_score", "hamming_loss", "zero_one_loss"])
def test_labels_of_matrices_are_wrong_where_numbers_differ(name: str, sparse: bool) -> None:
    y, z = np.array([[-1, -1, 1], [1, 1, -1], [1, 1, 1]]), np.array([[1, 1, 1], [1, 1, -1], [1, 1, 1]])
    for one, two in ((y, z), (z, y), (np.abs(y), 2 * np.abs(z)), (y + 1, np.maximum(z, 0))):
        compare(name, *(scipy.sparse.csr_array(side) if sparse else side for side in (one, two)), sample_weight=[1, 2, 4])


def test_labels_whose_weights_sum_to_nothing_are_true_labels() -> None:
    for weights in ([0, 0, 2], [0.5, -0.5, 1.0]):
        compare("confusion_matrix", [1, 1, 0], [1, 0, 0], labels=[1, 2], sample_weight=weights)
        compare("confusion_matrix", list("bba"), list("baa"), labels=["b", "c"], sample_weight=weights, normalize="true")
    compare("confusion_matrix", [1, 1, 0], [1, 0, 0], labels=[2], sample_weight=[0, 0, 2])  # which is refused


@pytest.mark.parametrize("name", ["accuracy_score", "f1_score", "matthews_corrcoef", "log_loss", "roc_auc_score"])
def test_masked_labels_are_refused(name: str) -> None:
    whole, masked = ([0, 1, 1], [0, 1, 0]), np.ma.array([0, 1, 1], mask=[False, False, True])
    assert getattr(ours, name)(np.ma.array(whole[0]), whole[1]) == getattr(theirs, name)(*whole)
    with pytest.raises(TypeError, match="masked values"):
        getattr(ours, name)(masked, whole[1])


@pytest.mark.parametrize("missing", [None, np.nan])
@pytest.mark.parametrize("name", ["accuracy_score", "f1_score", "confusion_matrix", "matthews_corrcoef", "classification_report"])
def test_missing_texts_are_refused_without_naming_an_option_that_is_absent(name: str, missing: Any) -> None:
    whole, broken = np.array(["a", "b"], object), np.array(["a", missing], object)
    for pair, argument in (((broken, whole), "y_true"), ((whole, broken), "y_pred")):
        with pytest.raises(TypeError):
            getattr(theirs, name)(*pair)
        with pytest.raises(TypeError, match=f"{argument} contains missing labels") as caught:
            getattr(ours, name)(*pair)
        assert "missing=" not in str(caught.value)
