"""The drop-ins that take scores give scikit-learn's values, types, errors and warnings on random inputs of every kind.

Not compared: NumPy's own RuntimeWarnings, which scikit-learn lets through where something is 0/0; the words of a warning where
weights of zero hide a class; one-vs-one of a single class, where it divides by zero and ours is nan; and ``ignore_ties=True``
with ties, whose order scikit-learn leaves to an unstable sort.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each
from scipy import sparse
from sklearn import metrics as theirs

import indicatrix.sklearn as ours

pytest.importorskip("pyarrow")  # columns of data frames may be its arrays

SEEDS = range(16)
HOMES = ("areas", "curves", "losses", "rankings")
NAMES = [name for name in ours.__all__ if hasattr(theirs, name) and ours.__dict__[name].__module__.rpartition(".")[2] in HOMES]
TWO_COLUMNS = np.array([[0, 1], [1, 0], [1, 1]])
TYPES = (np.float64, np.float32, np.float16, np.int64)


def outcome(function: Any, args: tuple[Any, ...], given: dict[str, Any]) -> tuple[Any, str, set[str]]:
    """Return the result, the class of the error, and the classes and first words of the warnings."""
    hidden = given.get("sample_weight") is not None and not np.all(given["sample_weight"])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result, error = function(*args, **given), ""
        except Exception as raised:
            kind = next(
                k.__name__ for k in (ZeroDivisionError, TypeError, ValueError, NotImplementedError) if isinstance(raised, k)
            )
            result, error = None, kind
    found = [w for w in seen if w.category is not RuntimeWarning]
    if function.__module__.startswith("indicatrix"):
        assert {w.filename for w in found} <= {__file__}  # they point at the line of the caller
    return result, error, {f"{w.category.__name__}: {'' if hidden else str(w.message)[:30]}" for w in found}


def same(name: str, *args: Any, rtol: float = 1e-9, **given: Any) -> None:
    """Assert that ours and theirs have the same outcome."""
    one, two = (outcome(getattr(module, name), args, given) for module in (ours, theirs))
    where = f"{name}(*{args!r}, **{given!r})"
    assert one[1:] == two[1:], where
    if one[0] is None:
        return
    pairs = list(zip(one[0], two[0], strict=True)) if isinstance(two[0], tuple) else [(one[0], two[0])]
    for a, b in pairs:
        assert np.shape(a) == np.shape(b), where
        assert type(a) is type(b) or isinstance(b, np.floating), where
        assert getattr(a, "dtype", None) == getattr(b, "dtype", None) or isinstance(b, np.floating), where
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol, equal_nan=True, err_msg=where)


def random_weights(rng: np.random.Generator, n: int) -> Any:
    """Return no weights, whole ones with zeros, multiples of 1/8 (whose sums are exact), or a list."""
    return [None, rng.integers(0, 3, n), rng.integers(0, 9, n) / 8, rng.integers(1, 5, n).tolist()][rng.integers(4)]


def random_scores(rng: np.random.Generator, shape: Any) -> Any:
    """Return scores with ties or without, all equal, of any number type, perhaps as lists."""
    raw = [rng.normal(size=shape), rng.integers(0, 4, shape), np.full(shape, 2.0), rng.random(shape)][rng.integers(4)]
    scores = np.asarray(raw).astype(TYPES[rng.integers(4)])
    return scores.tolist() if rng.random() < 0.2 else scores


def random_labels(rng: np.random.Generator, n: int, m: int) -> Any:
    """Return labels of m classes, some of them absent: numbers, texts, objects, or bools; perhaps as lists."""
    codes = rng.integers(0, rng.integers(1, m + 1), n)
    names = [np.arange(m), np.arange(m) * 2 - 1, np.arange(m) * 1.0, np.array(list("abcdefg"))[:m]][rng.integers(4)]
    y = names[codes]
    if rng.random() < 0.2:
        y = y.astype(object) if y.dtype.kind == "U" else y
    return y.tolist() if rng.random() < 0.2 else y


def two_classes(seed: int) -> tuple[np.random.Generator, Any, Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 25))
    y = random_labels(rng, n, [2, 2, 2, 3][rng.integers(4)])
    given: dict[str, Any] = {"sample_weight": random_weights(rng, n)}
    if rng.random() < 0.5:
        given["pos_label"] = [y[0], 1, "b", 5, None][rng.integers(5)]
    return rng, y, random_scores(rng, n), given


@for_each("name", NAMES)
def test_signatures_are_the_same(name: str) -> None:
    one, two = (inspect.signature(getattr(module, name)).parameters.values() for module in (ours, theirs))
    assert [(p.name, p.kind, p.default) for p in one] == [(p.name, p.kind, p.default) for p in two]


@for_each("value", [object(), "text", -1.5, (1, 2), {}])
@for_each("name", NAMES)
def test_parameters_refuse_what_those_of_scikit_learn_refuse(name: str, value: Any) -> None:
    args = ([0, 1], [0.5, 1.0], min)[: 3 if name == "metric_at_thresholds" else 2]
    for parameter, it in inspect.signature(getattr(theirs, name)).parameters.items():
        refused = []
        for module in (theirs, ours) if it.kind is it.KEYWORD_ONLY and parameter not in ("y_pred", "metric_params") else ():
            try:
                getattr(module, name)(*args, **{parameter: value})
            except Exception as error:
                refused.append(type(error).__name__ == "InvalidParameterError" and str(error).partition(" must be ")[0])
            else:
                refused.append(False)
        assert refused[:1] in ([], [False], refused[1:]), parameter


@for_each("seed", SEEDS)
def test_curves(seed: int) -> None:
    rng, y, scores, given = two_classes(seed)
    same("confusion_matrix_at_thresholds", y, scores, **given)
    for name in ("roc_curve", "precision_recall_curve", "det_curve"):
        same(name, y, scores, drop_intermediate=bool(rng.integers(2)), **given)
    x = np.sort(np.asarray(scores, float))[:: [1, -1][rng.integers(2)]]
    same("auc", x, rng.random(len(x)))
    same("auc", rng.random(len(x)), x)


@for_each("seed", SEEDS)
def test_functions_at_thresholds(seed: int) -> None:
    rng, y, scores, given = two_classes(seed)
    given.pop("pos_label", None)

    def share(y: Any, z: Any, sample_weight: Any = None, labels: Any = ()) -> float:
        return float(np.average(y == z, weights=sample_weight)) + len(labels)

    if np.asarray(y).dtype.kind not in "UO":
        same("metric_at_thresholds", y, scores, share, metric_params=[None, {"labels": [0, 1]}][rng.integers(2)], **given)


@for_each("seed", SEEDS)
def test_areas_of_two_classes(seed: int) -> None:
    rng, y, scores, given = two_classes(seed)
    scores = np.asarray(scores)
    same("average_precision_score", y, scores, **{k: v for k, v in given.items() if v is not None})
    given.pop("pos_label", None)
    same("roc_auc_score", y, scores, **given)
    same("roc_auc_score", y, scores, max_fpr=[0.1, 0.5, 1, 1.0][rng.integers(4)], **given)


@for_each("seed", SEEDS)
def test_areas_of_several_classes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(4, 25)), int(rng.integers(3, 6))
    y = random_labels(rng, n, m)
    P = rng.dirichlet(np.ones(m), n) if seed % 2 else np.eye(m)[rng.integers(0, m, n)]
    names = np.unique(y)
    labels = [None, names, np.arange(m)][rng.integers(3)]
    w = random_weights(rng, n)
    if len(names) < 3 or len(names) == m:
        same("average_precision_score", y, P, average=[None, "macro", "weighted", "micro"][rng.integers(4)], sample_weight=w)
    P = P[:, : len(names)] / P[:, : len(names)].sum(axis=1, keepdims=True) if rng.random() < 0.5 and seed % 2 else P
    for average in ("macro", "weighted", None, "micro", "samples"):
        same("roc_auc_score", y, P, multi_class="ovr", average=average, labels=labels, sample_weight=w)
        if len(names) > 1:
            same("roc_auc_score", y, P, multi_class="ovo", average=average, labels=labels)
    same("roc_auc_score", y, P, sample_weight=w)


@for_each("seed", SEEDS)
def test_areas_of_several_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 15)), int(rng.integers(2, 5))
    Y = (rng.random((n, m)) < rng.choice([0.2, 0.5])).astype([int, float, bool][rng.integers(3)])
    scores, w = np.asarray(random_scores(rng, (n, m))), random_weights(rng, n)
    w = w if w is None or np.any(w) else None
    for average in ("macro", "weighted", None, "micro", "samples"):
        for name in ("roc_auc_score", "average_precision_score"):
            same(name, Y, scores, average=average, sample_weight=None if w is None else np.asarray(w, float))


@for_each("seed", SEEDS)
def test_losses_of_two_classes(seed: int) -> None:
    rng, y, scores, given = two_classes(seed)
    p = np.asarray(rng.random(len(y)) if seed % 2 else rng.integers(0, 3, len(y)) / 2).astype(TYPES[seed % 3])
    rtol = 1e-2 if p.dtype == np.float16 else 1e-5 if p.dtype == np.float32 else 1e-9
    p = p[:, None] if seed % 5 == 0 else p
    w = given["sample_weight"]
    same("brier_score_loss", y, p, scale_by_half=["auto", True, False][seed % 3], rtol=rtol, **given)
    labels = [None, np.unique(y)][seed % 2]
    same("log_loss", y, p, sample_weight=w, labels=labels, normalize=bool(rng.integers(2)), rtol=rtol)
    if len(np.unique(y)) > 1 and (w is None or np.all(w)):
        same("d2_log_loss_score", y, p, sample_weight=w, rtol=rtol)
        same("d2_brier_score", y, p, rtol=rtol, **given)
    if np.asarray(scores).dtype != np.float16:
        same("hinge_loss", y, scores, sample_weight=w if w is None or np.any(w) else None, rtol=1e-5)


@for_each("seed", SEEDS)
def test_losses_of_several_classes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 25)), int(rng.integers(2, 6))
    y, w = random_labels(rng, n, m), random_weights(rng, n)
    P = rng.dirichlet(np.ones(m), n) if seed % 3 else rng.random((n, m)) / m
    P = P.astype(TYPES[seed % 2])
    rtol = 1e-5 if P.dtype == np.float32 else 1e-9
    names = np.unique(y)
    labels = [None, names, names[::-1], np.arange(m), list("abcdefg")[:m]][rng.integers(5)]
    same("brier_score_loss", y, P, sample_weight=w, labels=labels, scale_by_half=["auto", True, False][seed % 3], rtol=rtol)
    same("log_loss", y, P, sample_weight=w, labels=labels, normalize=bool(rng.integers(2)), rtol=rtol)
    if w is None or np.all(w):
        same("d2_brier_score", y, P, sample_weight=w, labels=None, rtol=rtol)
        same("d2_log_loss_score", y, P, sample_weight=w, labels=None, rtol=rtol)
    if len(names) > 1:
        decisions = rng.integers(-9, 9, (n, m)) / 4
        same("hinge_loss", y, decisions, labels=labels, sample_weight=w if w is None or np.any(w) else None)
    Y = (rng.random((n, m)) < 0.5).astype(int)
    if m > 1:
        same("log_loss", Y, P, sample_weight=w, normalize=bool(rng.integers(2)), rtol=rtol)
        same("brier_score_loss", Y, P, sample_weight=w, rtol=rtol)


@for_each("seed", SEEDS)
def test_rankings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 15)), int(rng.integers(1, 6))
    Y = (rng.random((n, m)) < 0.5).astype(int)
    scores, w = np.asarray(random_scores(rng, (n, m)), np.float64), random_weights(rng, n)
    w = None if w is None else np.asarray(w) if np.any(w) else None
    same("coverage_error", Y, scores, sample_weight=w)
    given = Y if seed % 3 else sparse.csr_matrix(Y)
    same("label_ranking_average_precision_score", given, scores, sample_weight=w)
    same("label_ranking_loss", given, scores, sample_weight=w)
    gains = [rng.integers(0, 4, (n, m)), rng.random((n, m)), Y][seed % 3]
    k = [None, 1, 2, 10][rng.integers(4)]
    for ignore_ties in (False, True):
        scores = rng.permuted(np.tile(np.arange(m), (n, 1)), axis=1) if ignore_ties else scores
        same("ndcg_score", gains, scores, k=k, ignore_ties=ignore_ties, sample_weight=w)
        same(
            "dcg_score", gains - seed % 2, scores, k=k, log_base=[2, 10, 0.5][seed % 3], ignore_ties=ignore_ties, sample_weight=w
        )


@for_each("seed", SEEDS)
def test_top_k(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 25)), int(rng.integers(2, 6))
    y, w = random_labels(rng, n, m), random_weights(rng, n)
    w = None if w is None else np.asarray(w) if np.any(w) else None
    names = np.unique(y)
    labels = [None, names, np.arange(m), np.array(list("abcdefg"))[:m]][rng.integers(4)]
    scores = np.asarray(random_scores(rng, (n, m) if seed % 4 else n))
    same(
        "top_k_accuracy_score", y, scores, k=int(rng.integers(1, m + 1)), labels=labels, normalize=bool(seed % 2), sample_weight=w
    )


@for_each(
    ("name", "args", "given"),
    [
        ("roc_auc_score", ([0, 1], [0.1, np.nan]), {}),
        ("roc_auc_score", ([0, 1], [0.1, 0.2, 0.3]), {}),
        ("roc_auc_score", ([0, 1], [[0.1, 0.2], [0.3, 0.4]]), {}),
        ("roc_auc_score", ([0, 1], [0.1, 0.2]), {"average": "median"}),
        ("roc_auc_score", ([0, 1], [0.1, 0.2]), {"max_fpr": 0}),
        ("roc_auc_score", ([0.5, 1.5], [0.1, 0.2]), {}),
        ("roc_curve", ([0, 1], [0.1, 0.2]), {"sample_weight": [0, 0]}),
        ("roc_curve", ([], []), {}),
        ("roc_curve", ([0, 1, 1], [0.1, 0.2]), {}),
        ("det_curve", ([0, 1, 1], [0.1, 0.2, 0.3]), {"sample_weight": [1, 2]}),
        ("log_loss", ([0, 1], [0.5, 1.5]), {}),
        ("log_loss", ([0, 1], [0.5, -0.5]), {}),
        ("log_loss", ([0, 1], [0.5, 0.5]), {"normalize": "yes"}),
        ("ndcg_score", ([[1, -1]], [[0, 1]]), {}),
        ("ndcg_score", ([[1, 2]], [[0, 1]]), {"k": 0}),
        ("ndcg_score", ([1, 2], [0, 1]), {}),
        ("dcg_score", ([[1], [2]], [[0], [1]]), {}),
        ("coverage_error", ([1, 0], [0, 1]), {}),
        ("label_ranking_loss", ([[0, 1]], [[0, 1, 2]]), {}),
        ("top_k_accuracy_score", ([0, 1, 2], [0.1, 0.2, 0.3]), {}),
        ("top_k_accuracy_score", ([0, 1, 2], np.eye(3)), {"k": 0}),
        ("top_k_accuracy_score", ([0, 1, 2], np.eye(3)), {"labels": [0, 2, 1]}),
        ("d2_log_loss_score", ([0], [0.5]), {}),
        ("d2_brier_score", ([0], [0.5]), {}),
        ("auc", ([0], [0.5]), {}),
        ("auc", ([0, 2, 1], [0.5, 0.5, 0.5]), {}),
        ("roc_auc_score", (TWO_COLUMNS, [0.1, 0.2, 0.3]), {}),
        ("average_precision_score", (TWO_COLUMNS, [0.1, 0.2, 0.3]), {}),
        ("dcg_score", (TWO_COLUMNS, np.ones((3, 1))), {}),
        ("ndcg_score", (TWO_COLUMNS, np.ones((3, 1))), {}),
        ("roc_auc_score", (sparse.csr_array(TWO_COLUMNS), TWO_COLUMNS * 1.0), {}),
        ("log_loss", (sparse.csr_array(TWO_COLUMNS), [0.1, 0.2, 0.3]), {}),
        ("roc_curve", ([0, 1, 1], sparse.csr_array([[0.1], [0.2], [0.3]])), {}),
        ("roc_auc_score", (pd.Series([0, None, 1], dtype="int64[pyarrow]"), [0.1, 0.2, 0.3]), {}),
        ("roc_auc_score", ([0, 1, 1], pd.Series([0.1, None, 0.3], dtype="double[pyarrow]")), {}),
    ],
)
def test_what_is_refused_or_warned_about(name: str, args: Any, given: Any) -> None:
    same(name, *args, **given)


@pytest.mark.parametrize("weights", [None, [1, 0, 2]])
@pytest.mark.parametrize("given", [[0.2, 0.7, 0.4], [[0.2], [0.7], [0.4]]])
def test_one_probability_for_two_columns_of_labels(given: Any, weights: Any) -> None:
    same("log_loss", TWO_COLUMNS, given, sample_weight=weights)
    same("log_loss", TWO_COLUMNS, given, sample_weight=weights, normalize=False)
    same("d2_log_loss_score", TWO_COLUMNS, given, sample_weight=weights)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, bool, np.float32, np.float16])
def test_hinge_losses_of_numbers_that_have_no_negative(dtype: Any) -> None:
    decisions = np.array([0, 100, 1, 3]).astype(dtype)
    same("hinge_loss", [0, 0, 1, 1], decisions)
    if dtype is not bool:  # of which theirs has no difference
        same("hinge_loss", [0, 1, 2, 2], np.column_stack([decisions, decisions[::-1], decisions]))


@for_each("weights", [[0, 0, 0], [0.0, 1.0, -1.0], [[1], [2], [1]], [1, 0, 2]])
@for_each("name", ["coverage_error", "label_ranking_loss", "label_ranking_average_precision_score", "dcg_score", "ndcg_score"])
def test_means_of_rankings_without_weight_or_with_a_column_of_weights(name: str, weights: Any) -> None:
    scores = [[0.1, 0.9], [0.1, 0.9], [0.2, 0.4]]
    if name != "label_ranking_average_precision_score" or weights != [0.0, 1.0, -1.0]:  # where theirs is infinite, ours nan
        same(name, TWO_COLUMNS, scores, sample_weight=weights)


def test_an_area_needs_positive_weights_of_both_classes() -> None:
    with pytest.warns(UserWarning, match="ROC AUC score is not defined"):
        assert np.isnan(ours.roc_auc_score([0, 0, 1], [0.3, 0.1, 0.2], sample_weight=[-2.0, 1.0, 1.0]))


@pytest.mark.parametrize("dtype", ["Float32", "Float64", "Int64", "boolean", "float[pyarrow]", "bool[pyarrow]"])
def test_columns_that_may_have_missing_values_are_64_bits_wide(dtype: str) -> None:
    scores = pd.Series([0, 1, 1]).astype(dtype)
    same("log_loss", [0, 1, 0], scores)  # whose loss of a certain error depends on the bits
    same("precision_recall_curve", [0, 1, 0], scores)


def test_frames_with_missing_values_are_refused() -> None:
    frame = pd.DataFrame({"a": [0.5, None, 0.2], "b": [0.5, 0.1, 0.8]}).convert_dtypes()
    same("log_loss", [0, 1, 0], frame)
    same("ndcg_score", TWO_COLUMNS, frame)


@pytest.mark.parametrize("name", ["roc_auc_score", "log_loss", "brier_score_loss", "hinge_loss", "top_k_accuracy_score"])
def test_scores_are_not_complex(name: str) -> None:
    for module in (ours, theirs):
        with pytest.raises(ValueError, match="Complex data not supported"):
            getattr(module, name)([0, 1, 1], np.array([0.1 + 1j, 0.7, 0.4]))


def test_labels_may_be_the_greatest_integers() -> None:
    y = np.array([0, 1, 1, 0], np.uint64) + np.uint64(2**63)
    for name in ("log_loss", "brier_score_loss", "hinge_loss", "top_k_accuracy_score", "roc_auc_score"):
        same(name, y, [0.1, 0.7, 0.4, 0.6], **({"k": 1} if name.startswith("top") else {}))
    same("roc_curve", y, [0.1, 0.7, 0.4, 0.6], pos_label=2**63)


WEIGHTED = [name for name in NAMES if "sample_weight" in inspect.signature(getattr(ours, name)).parameters]


@for_each("name", WEIGHTED)
@for_each("weights", [[1, np.nan, 1, 1], [1, np.inf, 1, 1], [None] * 4, [1, 1, 1]])
def test_weights_that_are_no_finite_numbers_are_refused_by_every_score(name: str, weights: Any) -> None:
    """scikit-learn's scores of rankings are nan then, and a nan that an average leaves out would be a number here."""
    score = getattr(ours, name)
    rows, columns = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]), np.arange(12).reshape(4, 3) / 12
    binary = np.array([0, 1, 1, 0])
    for given in ((binary, binary), (binary, columns[:, 0]), (rows, columns)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                score(*given)
            except (TypeError, ValueError):
                continue
            with pytest.raises((TypeError, ValueError)):
                score(*given, sample_weight=weights)
