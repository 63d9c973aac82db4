"""Every score that a dialect says its library has is the number that the library prints, also with absent classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sklearn import metrics
from torchmetrics.functional import classification as tm

import indicatrix as ix
from indicatrix.compare.dialects import DIALECTS, OF_LABEL_SETS, OF_LABELS, ScoreThere, find_score, score_there
from indicatrix.compare.explained_difference import _meaning

pytestmark = pytest.mark.filterwarnings("ignore")  # the other libraries warn about undefined values
C = 5
SEEDS = 5
SKLEARN = {
    "accuracy": metrics.accuracy_score,
    "exact_match": metrics.accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "cohen_kappa": metrics.cohen_kappa_score,
    "zero_one_loss": metrics.zero_one_loss,
    "hamming_loss": metrics.hamming_loss,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "f_beta": metrics.fbeta_score,
    "jaccard": metrics.jaccard_score,
}
TORCH = {
    "f1": "f1_score",
    "f_beta": "fbeta_score",
    "jaccard": "jaccard_index",
    "mcc": "matthews_corrcoef",
    "hamming_loss": "hamming_distance",
}
PYCM_WHOLE = {
    "accuracy": "Overall_ACC",
    "exact_match": "Overall_ACC",
    "mcc": "Overall_MCC",
    "cohen_kappa": "Kappa",
    "hamming_loss": "HammingLoss",
}
PYCM = {
    "precision": "PPV",
    "recall": "TPR",
    "f1": "F1",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_positive_rate": "FPR",
    "false_negative_rate": "FNR",
    "accuracy": "ACC",
    "mcc": "MCC",
    "jaccard": "J",
    "balanced_accuracy": "AUC",
    "informedness": "BM",
}


def of_scikit_learn(key: str, average: str | None, y: Any, z: Any, kind: str) -> Any:
    options = {"beta": 2} if key == "f_beta" else {}
    if key in OF_LABELS["scikit-learn"].averaged:
        options["average"] = {None: "binary", "exemplar": "samples"}.get(average, average)
    return SKLEARN[key](y, z, **options)


def of_torchmetrics(key: str, average: str | None, y: Any, z: Any, kind: str) -> Any:
    options: dict[str, Any] = {"beta": 2.0} if key == "f_beta" else {}
    options |= {"multiclass": {"num_classes": C}, "multilabel": {"num_labels": 3}, "binary": {}}[kind]
    if average == "exemplar":
        options |= {"average": "micro", "multidim_average": "samplewise"}
        return getattr(tm, f"{kind}_{TORCH.get(key, key)}")(
            torch.tensor(z)[..., None], torch.tensor(y)[..., None], **options
        ).mean()
    options |= {} if average is None else {"average": average}
    return getattr(tm, f"{kind}_{TORCH.get(key, key)}")(torch.tensor(z), torch.tensor(y), **options)


def of_pycm(key: str, average: str | None, y: Any, z: Any, kind: str) -> Any:
    cm = pytest.importorskip("pycm").ConfusionMatrix(y.tolist(), z.tolist())
    if average is None and key in PYCM_WHOLE:
        found = getattr(cm, PYCM_WHOLE[key])
    elif average is None:
        found = getattr(cm, PYCM[key])[1]
    else:
        found = getattr(cm, f"{PYCM[key]}_Micro") if average == "micro" else cm.average(PYCM[key])
    return np.nan if found == "None" else found


PRINTED = {"scikit-learn": of_scikit_learn, "torchmetrics": of_torchmetrics, "pycm": of_pycm}


def test_every_dialect_says_which_scores_its_library_has() -> None:
    assert {*OF_LABELS} == {*DIALECTS} >= {*OF_LABEL_SETS}


KINDS = {"multiclass": OF_LABELS, "binary": OF_LABELS, "multilabel": OF_LABEL_SETS}


def draw(kind: str, seed: int) -> tuple[Any, Any]:
    """Return labels of which some do not occur, or are never predicted, or are absent."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    if kind == "multilabel":
        y, z = rng.integers(0, 2, (2, n, 3)) * (rng.random((2, 1, 3)) < 0.7)
    else:
        of_true, of_pred = (rng.choice(2 if kind == "binary" else C, rng.integers(1, 4)) for _ in range(2))
        y, z = rng.choice(of_true, n), rng.choice(of_pred, n)
        y[0], z[-1] = 0, 1  # at least two classes
    return y, z


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", PRINTED)
def test_every_score_that_a_library_has_is_the_number_that_it_prints(library: str, kind: str) -> None:
    if library not in KINDS[kind]:
        return
    offer, side = KINDS[kind][library], ix.dialect(library)
    one = [*offer.whole, *(offer.positive if kind == "binary" else offer.averaged if offer.default else ())]
    averaged = [(key, average) for key, averages in offer.averaged.items() for average in averages if kind != "binary"]
    for seed in range(SEEDS):
        y, z = draw(kind, seed)
        options = {"classes": range(C)} if kind == "multiclass" and library == "torchmetrics" else {}
        ev = ix.evaluate(y, z, **options)
        for key, average in [*((key, None) for key in dict.fromkeys(one)), *averaged]:
            measure = "f_beta(beta=2)" if key == "f_beta" else key
            name = measure if average is None else f"{average} {measure}"
            ours = score_there(side, ev, find_score(side, ev, name))
            theirs = PRINTED[library](key, average, y, z, kind)
            np.testing.assert_allclose(float(ours), float(theirs), rtol=2e-5, atol=1e-6, err_msg=f"{name} {y} {z}")


def test_scores_of_yardstick_are_those_of_its_documentation() -> None:
    """The first fold of hpc_cv; docs/project/coming-from.md has the functions."""
    hpc = ix.from_confusion([[166, 11, 0, 0], [33, 71, 3, 1], [8, 24, 5, 4], [1, 7, 3, 10]], classes=["VF", "F", "M", "L"])
    side = ix.dialect("yardstick")
    printed = {"accuracy": 0.726, "cohen_kappa": 0.533, "mcc": 0.542, "balanced_accuracy": 0.717, "f1": 0.563, "precision": 0.637}
    found = {name: round(float(score_there(side, hpc, find_score(side, hpc, name))), 3) for name in printed}
    assert found == printed


Y, Z = [0, 0, 1, 1, 2], [0, 1, 1, 1, 3]


@pytest.mark.parametrize(
    ("score", "sides", "values"),
    [
        ("accuracy", ("scikit-learn", "torchmetrics"), [0.6, 0.375]),
        ("accuracy", ("pycm", "yardstick"), [0.6, 0.6]),
        ("balanced_accuracy", ("scikit-learn", "yardstick"), [0.5, np.nan]),
        ("mcc", ("scikit-learn", "torchmetrics"), [metrics.matthews_corrcoef(Y, Z)] * 2),
    ],
)
def test_the_usual_questions_are_answered_without_an_average(score: str, sides: Any, values: Any) -> None:
    found = ix.theory.explain_difference(Y, Z, score, *sides)
    np.testing.assert_allclose([*found.values.values()], values)


@pytest.mark.parametrize(
    ("score", "sides", "message"),
    [
        (
            "macro accuracy",
            ("scikit-learn", "torchmetrics"),
            "scikit-learn .* 'macro accuracy'. It has accuracy without an average",
        ),
        ("macro balanced_accuracy", ("pycm", "scikit-learn"), "scikit-learn .* It has balanced_accuracy without an average"),
        ("macro mcc", ("torchmetrics", "scikit-learn"), "torchmetrics .* It has mcc without an average"),
        ("f1", ("scikit-learn", "pycm"), "It has f1 of a positive class, micro f1, macro f1 and weighted f1"),
        ("samples f1", ("scikit-learn", "pycm"), "It has f1 of a positive class"),
        ("tp + 1", ("scikit-learn", "pycm"), "Known are its accuracy"),
        ("macro cohen_kappa", ("torchmetrics", "pycm"), "It has cohen_kappa without an average"),
        ("macro f1", ("pycm", "pycm"), "name two"),
    ],
)
def test_a_score_that_a_library_does_not_have_is_refused(score: str, sides: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ix.theory.explain_difference(Y, Z, score, *sides)


def test_data_that_a_library_does_not_take_are_refused() -> None:
    with pytest.raises(ValueError, match="There are no examples, so there are no numbers to explain"):
        ix.theory.explain_difference([], [], "macro f1", "scikit-learn", "torchmetrics")
    with pytest.raises(ValueError, match="~other~"):
        ix.theory.explain_difference([0, 0], [0, 0], "macro f1", "pycm", "yardstick")
    with pytest.raises(ValueError, match="the data are soft"):
        ix.theory.explain_difference([[1.0, 0.0]], [[0.5, 0.2]], "macro f1", "scikit-learn", "torchmetrics", tnorm="product")
    with pytest.raises(ValueError, match="several labels per example"):
        ix.theory.explain_difference([[1, 0]], [[1, 0]], "macro f1", "pycm", "scikit-learn")


def test_an_absent_label_counts_in_torchmetrics_and_the_words_say_so() -> None:
    y, z = np.array([[1, 0, 0], [1, 0, 0]]), np.array([[1, 0, 0], [0, 1, 0]])
    text = ix.theory.explain_difference(y, z, "macro f1", "scikit-learn", "torchmetrics").text
    assert "both print 0.222222" in text
    assert "In torchmetrics an undefined value counts as 0." in text
    assert "left out" not in text


def test_an_undefined_example_is_named_by_its_row() -> None:
    y, z = np.array([[1, 0], [0, 0], [0, 1], [0, 0]]), np.array([[1, 0], [0, 0], [1, 1], [1, 0]])
    text = ix.theory.explain_difference(y, z, "samples recall", "scikit-learn", "torchmetrics").text
    assert "The values of examples 1, 3 (counted from 0) are undefined." in text
    one = ix.theory.explain_difference(y, z, "samples f1", "scikit-learn", "torchmetrics", sample_weight=[1, 1, 1, 2]).text
    assert "The value of example 1 (counted from 0) is undefined." in one
    hidden = ix.theory.explain_difference(
        y, z, "samples recall", "scikit-learn", "torchmetrics", mask=[True, True, True, False]
    ).text
    assert "The value of example 1 (counted from 0) is undefined." in hidden


@pytest.mark.parametrize(("length", "shown"), [(99, True), (100, False)])
def test_long_formulas_are_not_written_out(length: int, shown: bool) -> None:
    formula = "tp/" + "n" * (length - 3)
    assert (formula in _meaning(ScoreThere(formula, "macro"))) is shown
