"""Every cell of the README's comparison with other libraries holds for those that are installed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib.metadata import requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pycm
import pytest
import torch
import torchmetrics
from sklearn import metrics, model_selection
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from torchmetrics import classification, detection, regression, segmentation
from torchmetrics.functional import classification as functions

import indicatrix as ix

pytestmark = pytest.mark.slow  # the lowest versions of the other libraries lack some of what the README says they have

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
HEAD = "| | indicatrix | scikit-learn | torchmetrics | PyCM |\n|---|---|---|---|---|\n"
ROWS = [tuple(line.strip("| ").split(" | ")) for line in README.partition(HEAD)[2].partition("\n\n")[0].splitlines()]
TESTED: list[tuple[str, ...]] = []

TRUE, PRED = [0, 0, 1, 1, 2, 1, 0], [0, 1, 1, 1, 0, 0, 0]  # class 2 is never predicted: its precision is 0/0
EV = ix.evaluate(TRUE, PRED)
LARGER = ix.evaluate(TRUE * 20, [0, 1, 1, 2, 2, 0, 0] * 20)
FORMULA = "tp/(tp + fp + 2*fn)"

SCIKIT_LEARN = [*metrics.__all__, *model_selection.__all__]
TORCHMETRICS = [*dir(torchmetrics), *dir(torchmetrics.wrappers), *dir(classification), *dir(functions)]
PYCM = [*dir(pycm), *dir(pycm.ConfusionMatrix), *dir(pycm.Compare), *dir(pycm.ROCCurve), *dir(pycm.MultiLabelCM)]


def row(*cells: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Say which row a test is about; the last test compares all of them with the README."""
    TESTED.append(cells)
    return lambda test: test


def nothing_is_called(words: str, *libraries: list[str]) -> bool:
    """Return whether no public name in these lists has one of the words in it."""
    return not [name for names in libraries for name in names if name[0] != "_" and re.search(words, name, re.IGNORECASE)]


def parameters(function: Any) -> set[str]:
    return {*inspect.signature(function).parameters}


def release(text: str) -> list[int]:
    """Return the first two numbers of a version.

    >>> release("4.6.1rc1")
    [4, 6]
    """
    return [int(number) for number in re.findall(r"\d+", text)[:2]]


def close(one: Any, other: Any) -> bool:
    return bool(np.allclose(float(one), float(other), atol=1e-6))


class Right(torchmetrics.Metric):
    """A formula of one's own in torchmetrics: how many predictions are right."""

    full_state_update = False

    def __init__(self) -> None:
        super().__init__()
        self.add_state("right", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: torch.Tensor, target: torch.Tensor) -> None:
        self.right += (preds == target).sum()

    def compute(self) -> torch.Tensor:
        return self.right


@row("macro average of MCC", "yes, as of every measure", "no", "no", "yes")
def test_macro_averages() -> None:
    refused = []
    for measure in ix.catalogue(of="counts"):
        try:
            EV.score(measure, "macro")
        except ValueError:
            refused.append(measure.name)
    assert refused == ["subset_accuracy", "zero_one_loss"]  # of whole examples: there are no values of classes
    assert "average" not in parameters(metrics.matthews_corrcoef)
    assert "average" not in parameters(functions.multiclass_matthews_corrcoef)
    pred = [0, 1, 1, 2, 2, 0, 0]
    assert close(pycm.ConfusionMatrix(TRUE, pred).average("MCC"), ix.mcc(TRUE, pred, average="macro"))


@row("a formula of your own", "with every average and interval", "a function, no averages", "a class of your own", "no")
def test_formulas() -> None:
    for average in ("micro", "macro", "weighted", "exemplar"):
        assert LARGER.interval(FORMULA, average).low < LARGER.score(FORMULA, average) < LARGER.interval(FORMULA, average).high
    scorer = metrics.make_scorer(lambda y, z: 0.25)
    assert scorer(DummyClassifier().fit([[0], [0]], [0, 1]), [[0]], [0]) == 0.25
    assert "average" not in parameters(metrics.make_scorer)
    metric = Right()
    metric.update(torch.tensor(PRED), torch.tensor(TRUE))
    assert metric.compute() == 4
    assert nothing_is_called("formula|custom|measure|register", PYCM)


@row("0/0 in a macro average", "left out and said, or as you choose", "0 and a warning, or as you choose", "0 or 1", '`"None"`')
def test_undefined_values() -> None:
    score = EV.score("precision", "macro")
    assert close(score, np.mean([0.5, 2 / 3]))
    assert "1 of 3 classes undefined, excluded" in score.note
    assert close(EV.score("precision", "macro", undefined=0), np.mean([0.5, 2 / 3, 0]))

    with pytest.warns(UndefinedMetricWarning):
        assert close(metrics.precision_score(TRUE, PRED, average="macro"), np.mean([0.5, 2 / 3, 0]))
    for choice, value in ((1, np.mean([0.5, 2 / 3, 1])), (np.nan, np.mean([0.5, 2 / 3]))):
        assert close(metrics.precision_score(TRUE, PRED, average="macro", zero_division=choice), value)

    both = torch.tensor(PRED), torch.tensor(TRUE)
    for choice in (0, 1):
        assert close(functions.multiclass_precision(*both, 3, zero_division=choice), np.mean([0.5, 2 / 3, choice]))
    assert "zero_division: Should be `0` or `1`" in (functions.multiclass_precision.__doc__ or "")

    assert pycm.ConfusionMatrix(TRUE, PRED).PPV_Macro == "None"


@row("scores by groups", "any measure, with tests", "no", "four rates of 0/1 labels", "no")
def test_groups() -> None:
    ev = ix.evaluate(TRUE * 9, PRED * 9, by={"site": ["x", "y", "z"] * 21})
    for measure in ("mcc", FORMULA):
        assert 0 <= ev.compare_groups(measure, "site", average="macro").test.p_value <= 1
    assert nothing_is_called("group_by|by_group|fair|sensitive", SCIKIT_LEARN, PYCM)
    assert not {"by", "groups", "sensitive_features"} & parameters(metrics.f1_score)
    rates = classification.BinaryGroupStatRates(num_groups=2)(
        torch.tensor([0, 1, 1, 0]), torch.tensor([0, 1, 0, 1]), torch.tensor([0, 0, 1, 1])
    )
    assert {len(values) for values in rates.values()} == {4}
    assert nothing_is_called("multi.*(group|fair)", TORCHMETRICS)


@row("confidence intervals", "any score", "no", "bootstrap", "13 statistics")
def test_intervals() -> None:
    of_classes = [measure for measure in ix.catalogue(of="counts") if measure.name not in ("subset_accuracy", "zero_one_loss")]
    for measure in of_classes[::7]:  # all of them: tests/inference
        assert LARGER.interval(measure, "macro").level == 0.95
    scored = ix.evaluate([0, 1] * 30, np.linspace(0, 1, 60), decide=0.5)
    for measure in ("auc", "average_precision", "brier", "log_loss"):
        assert scored.interval(measure).low <= scored.score(measure) <= scored.interval(measure).high
    words = "interval|confidence|bootstrap"
    assert nothing_is_called(words, SCIKIT_LEARN)
    assert nothing_is_called("interval|confidence", TORCHMETRICS)
    assert "BootStrapper" in TORCHMETRICS
    matrix = pycm.ConfusionMatrix(TRUE, PRED)
    with pytest.raises(pycm.pycmCIError) as refusal:
        matrix.CI("MCC")
    listed = str(refusal.value).rpartition("Supported parameters are: ")[2].split(", ")
    assert len(listed) == 13
    assert all(matrix.CI(name) for name in listed)


@row("paired test of two models", "yes", "no", "no", "no")
def test_paired_tests() -> None:
    y = [0, 1] * 50
    compared = ix.compare(y, {"a": y, "b": [1, 0] * 10 + y[20:]}, "f1")
    assert compared.differences[0].p < 0.001
    assert nothing_is_called("mcnemar|paired|delong|p_?value|signific|wilcoxon", SCIKIT_LEARN, TORCHMETRICS, PYCM)
    one, other = pycm.ConfusionMatrix(TRUE, PRED), pycm.ConfusionMatrix(TRUE, TRUE)
    assert nothing_is_called("test|p_?val|interval", [*vars(pycm.Compare({"a": one, "b": other}))])


@row("best threshold under a constraint", "any measures", "no constraint", "four pairs of measures", "no")
def test_thresholds() -> None:
    y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    tuned = ix.tune(y, p, "mcc", subject_to="fpr <= 0.4 and net_benefit(p_t=0.2) >= 0.1")
    assert all(value is not None for value in tuned.reached.values())
    assert not [
        name for name in parameters(model_selection.TunedThresholdClassifierCV) if re.search("constr|subject|limit", name)
    ]
    pairs = {name for name in dir(classification) if re.fullmatch(r"(?!Binary|Multi)\w+At\w+", name)}
    assert len(pairs) == 4
    assert nothing_is_called("constr|subject|fixed|best_threshold", PYCM)


@row("partial results add", "`+`, in any order", "no", "`update`, `merge_state`", "`combine`")
@pytest.mark.filterwarnings("ignore:Specified classes")  # of PyCM, which sees one part
def test_merging() -> None:
    parts = [slice(0, 3), slice(3, None)]
    one, other = (ix.evaluate(TRUE[part], PRED[part], classes=range(3)) for part in parts)
    assert one + other == other + one == ix.evaluate(TRUE, PRED, classes=range(3))

    assert nothing_is_called("merge|combine|update|partial_fit|accumulate", SCIKIT_LEARN)

    halves = [Right(), Right()]
    for metric, part in zip(halves, parts, strict=True):
        metric.update(torch.tensor(PRED[part]), torch.tensor(TRUE[part]))
    halves[0].merge_state(halves[1])
    assert halves[0].compute() == 4

    first, second = (pycm.ConfusionMatrix(TRUE[part], PRED[part], classes=[0, 1, 2]) for part in parts)
    assert first.combine(second).table == pycm.ConfusionMatrix(TRUE, PRED).table


@row(
    "counts on a GPU",
    "[yes](docs/work/training.md)",
    "[some, by the array API](https://scikit-learn.org/stable/modules/array_api.html)",
    "yes",
    "no",
)
def test_devices() -> None:
    assert "cuda" in (ROOT / "docs" / "work" / "training.md").read_text("utf-8").lower()
    assert (ROOT / "tests" / "tensors" / "test_cuda.py").exists()
    assert Right().to("cpu").device == torch.device("cpu")  # as any module of torch
    assert {re.match(r"[\w-]+", line)[0] for line in requires("pycm") or () if "extra" not in line} == {"art", "numpy"}


@row("report to share", "a page that computes", "text", "no", "a page")
def test_reports(tmp_path: Path) -> None:
    assert "<script" in EV.to_html()
    text = metrics.classification_report(TRUE, PRED, zero_division=0)
    assert isinstance(text, str)
    assert "<" not in text
    assert nothing_is_called("report|html", TORCHMETRICS)
    pycm.ConfusionMatrix(TRUE, PRED).save_html(str(tmp_path / "page"))
    written = (tmp_path / "page.html").read_text("utf-8")
    assert "<table" in written
    assert "<script" not in written


@row("boxes and segments", "yes", "no", "yes", "no")
def test_pictures() -> None:
    assert callable(ix.detection)
    assert callable(ix.panoptic)
    assert nothing_is_called("detect|bbox|box|segment|panoptic|mask", SCIKIT_LEARN, [n for n in PYCM if "boxed" not in n])
    assert hasattr(detection, "PanopticQuality")
    assert find_spec("torchmetrics.detection.mean_ap")
    assert hasattr(segmentation, "MeanIoU")


@row("regression", "no", "yes", "yes", "no")
def test_regression() -> None:
    assert nothing_is_called("squared_error|r2", dir(ix.measures), PYCM)
    assert metrics.mean_squared_error([1.0], [3.0]) == 4
    assert hasattr(regression, "MeanSquaredError")


def test_every_row_has_a_test_and_the_versions_are_not_newer_than_those_installed() -> None:
    assert len(ROWS) >= 12
    assert TESTED == ROWS
    named = dict(re.findall(r"(scikit-learn|torchmetrics|PyCM) (\d+\.\d+)", README))
    assert len(named) == 3
    older = [name for name in named if release(version(name)) < release(named[name])]
    assert not older, "the README names versions that nothing here was compared with"
