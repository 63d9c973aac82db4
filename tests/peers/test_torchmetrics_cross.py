"""Every combination of torchmetrics' options for counts: the same number here, or a difference that is named.

The data have a class that occurs and is never predicted, one that is predicted and never occurs, and one that is absent.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
import torchmetrics.classification as modules
from loops import for_each
from torchmetrics.functional import classification as tm

import indicatrix as ix

TM = ix.dialect("torchmetrics")
N, M, D = 6, 6, 4  # samples, classes, positions of a sample
rng = np.random.default_rng(8)
TRUE = torch.tensor(rng.integers(0, 4, (N, D)))
SCORES = torch.tensor(rng.random((N, M, D)), dtype=torch.float32)
SCORES[:, 2], SCORES[:, 5] = 0.01, 0  # class 2 is never predicted, class 5 is absent
SCORES[0, 4] = 0.99
SCORES.scatter_add_(1, TRUE[:, None], 0.4 * (TRUE[:, None] != 2))
SCORES[:, 2], SCORES[:, 5] = 0.01, 0
SHARES = SCORES / SCORES.sum(dim=1, keepdim=True)
LABELS = torch.tensor(rng.integers(0, 2, (N, M, D)))
LABELS[:, 2], LABELS[:, 4:] = 1, 0
CHANCES = torch.tensor(np.round(rng.random((N, M, D)), 2), dtype=torch.float32)
CHANCES[:, 2], CHANCES[:, 3], CHANCES[:, 5] = 0.1, 0.5, 0.1  # a score equal to the threshold is negative
GONE = torch.tensor(rng.random((N, M, D)) < 0.15)

MEASURES = {  # torchmetrics' name, and ours
    "accuracy": TM.measures["accuracy"],
    "fbeta_score": "f_beta(beta=2)",
    "f1_score": "f1",
    "hamming_distance": TM.measures["hamming_distance"],
    "jaccard_index": "jaccard",
    "negative_predictive_value": "npv",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
}
TABLE_MEASURES = {"accuracy": "accuracy", "hamming_distance": "error_rate"}  # of two classes and of labels


class Case(NamedTuple):
    """One call of a function of torchmetrics."""

    task: str
    name: str
    average: str | None = None
    top_k: int = 1
    ignore_index: int | None = None
    multidim_average: str = "global"
    zero_division: float = 0

    def theirs(self) -> Any:
        """Return torchmetrics' values; None if its function does not have an option."""
        function = getattr(tm, f"{self.task}_{self.name}")
        known, given = inspect.signature(function).parameters, dict[str, Any]()
        for option, usual in self._field_defaults.items():
            value = getattr(self, option)
            if option in known:
                given[option] = value
            elif value != usual:
                return None
        given |= {"num_classes": M} if self.task == "multiclass" else {"num_labels": M} if self.task == "multilabel" else {}
        given |= {"beta": 2.0} if "beta" in known else {}
        if self.task == "binary":
            given.pop("average", None)
        try:
            return function(*data(self.task, self.ignore_index), **given).numpy()
        except (ValueError, RuntimeError):
            return None

    def differs(self) -> bool:
        """Whether the numbers differ, as ``help(ix.types.Dialect)`` says: an ignored class is left out of their Jaccard index."""
        return self.name == "jaccard_index" and self.ignore_index == 1 and self.average in ("micro", "macro")

    def ours(self) -> Any:
        """Return the same from the counts of a stream."""
        found = counted(self.task, self.top_k, self.ignore_index)
        several = [*found.split("sample").values()] if self.multidim_average == "samplewise" else [found]
        return np.array([self._of(ev) for ev in several])

    def _of(self, ev: ix.Evaluation) -> Any:
        measure = MEASURES[self.name] if self.task == "multiclass" else {**MEASURES, **TABLE_MEASURES}[self.name]
        lost = 1 - self.zero_division if measure == "miss_rate" else self.zero_division  # it is 1 - recall there
        if self.average == "none":
            return np.nan_to_num(ev.values(measure), nan=lost)
        how = TM.undefined_for(ev, measure, self.average)
        if isinstance(how, ix.types.Convention):
            how = ix.types.Convention(lost, how.absent)
        return float(ev.score(measure, self.average, undefined=lost if how == 0 else how))


def data(task: str, ignore: int | None) -> tuple[Any, Any]:
    """Return predictions and targets."""
    preds, target = {
        "binary": (CHANCES[:, 0], LABELS[:, 0]),
        "multiclass": (SHARES, TRUE),
        "multilabel": (CHANCES, LABELS),
    }[task]
    gone = GONE[:, 0] if target.ndim == 2 else GONE
    return preds, target if ignore is None else torch.where(gone, ignore, target)


@cache
def counted(task: str, top_k: int, ignore: int | None) -> ix.Evaluation:
    """Return the evaluation of a stream, with the samples as groups."""
    options: dict[str, Any] = {
        "binary": {"decide": ix.above(0.5), "positive": 1},
        "multiclass": {"decide": ix.hit_in_top(top_k), "classes": M},
        "multilabel": {"decide": ix.above(0.5), "kind": "multilabel", "classes": M},
    }[task]
    preds, target = data(task, ignore)
    return ix.torch.Stream(**options, ignore_index=ignore).update(preds, target, by={"sample": range(N)}).evaluation


def cases(task: str) -> Iterator[Case]:
    """Yield every combination of options."""
    averages = [None] if task == "binary" else ["micro", "macro", "weighted", "none"]
    tops, ignored = ([1, 2], [None, -1, 1]) if task == "multiclass" else ([1], [None, -1])
    for options in product(MEASURES, averages, tops, ignored, ["global", "samplewise"], [0, 1]):
        yield Case(task, *options)


def same(ours: Any, theirs: Any, case: Any) -> None:
    theirs = np.asarray(theirs, float)
    np.testing.assert_allclose(np.asarray(ours, float).reshape(theirs.shape), theirs, rtol=2e-5, atol=2e-6, err_msg=str(case))


@pytest.mark.parametrize(("task", "compared"), [("binary", 56), ("multiclass", 648), ("multilabel", 224)])
@pytest.mark.one_fast_case
def test_measures_of_counts_with_every_combination_of_options(task: str, compared: int) -> None:
    """The others are not offered by torchmetrics: zero_division= of specificity, multidim_average= of the Jaccard index, …"""
    found = [(case, theirs) for case in cases(task) if (theirs := case.theirs()) is not None]
    assert len(found) == compared
    for case, theirs in found:
        if case.differs():
            assert abs(case.ours().item() - theirs.item()) > 0.01, case
        else:
            same(case.ours(), theirs, case)


GRIDS: list[Any] = [None, 5, [0.0, 0.25, 0.5, 1.0]]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("area", ["auc", "average_precision"])
def test_areas_with_every_combination_of_options(area: str) -> None:
    name = {"auc": "auroc"}.get(area, area)
    for task, ignore, grid in product(["binary", "multiclass", "multilabel"], [None, -1], GRIDS):
        preds, target = data(task, ignore)
        scores, true = (x.movedim(1, -1).reshape(-1, M) if x.ndim == 3 else x.reshape(-1) for x in (preds, target))
        seen, size = true != -1, {"binary": [], "multiclass": [M], "multilabel": [M]}[task]
        if task == "multiclass":  # masks are for label tables; examples that do not count can be left out
            scores, true, seen = scores[seen], true[seen], None
        for average in {"binary": [None], "multiclass": ["macro", "weighted"]}.get(task, ["micro", "macro", "weighted"]):
            given = {} if average is None else {"average": average}
            theirs = getattr(tm, f"{task}_{name}")(preds, target, *size, thresholds=grid, ignore_index=ignore, **given)
            how = 0 if task == "binary" or (area == "average_precision" and grid is not None) else TM.areas[f"{task} {area}"]
            options = {"classes": range(M)} if task == "multiclass" else {"mask": seen}
            there = torch.where(true < 0, 0, true)
            ours = getattr(ix.measures, area)(there, scores, average=average, thresholds=grid, undefined=how, **options)
            same(ours, theirs, (task, average, grid, ignore))


FLAT, SAID = TRUE.reshape(-1), SHARES.argmax(dim=1).reshape(-1)
ONE, CHANCE = LABELS[:, 0].reshape(-1), CHANCES[:, 0].reshape(-1)
SETS, LEVELS = (x.movedim(1, -1).reshape(-1, M) for x in (LABELS, CHANCES))
EV, OF_SETS = (counted(task, 1, None) for task in ("multiclass", "multilabel"))
EQUIVALENTS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {  # torchmetrics, and ours
    **{
        f"confusion_matrix, normalize={how!r}": (
            lambda how=how: tm.multiclass_confusion_matrix(SAID, FLAT, M, normalize=how),
            lambda how=how: EV.confusion_matrix(how, undefined=0),
        )
        for how in (None, "true", "pred", "all")
    },
    "confusion_matrix, ignore_index": (
        lambda: tm.multiclass_confusion_matrix(*data("multiclass", -1), M, ignore_index=-1),
        lambda: counted("multiclass", 1, -1).confusion,
    ),
    "stat_scores": (
        lambda: tm.multilabel_stat_scores(CHANCES, LABELS, M, average="none"),
        lambda: np.stack([(c := OF_SETS.aggregate("class")).tp, c.fp, c.tn, c.fn, c.tpos], axis=1),
    ),
    "exact_match": (lambda: tm.multilabel_exact_match(LEVELS, SETS, M), lambda: OF_SETS.score("exact_match")),
    "matthews_corrcoef": (lambda: tm.multiclass_matthews_corrcoef(SAID, FLAT, M), lambda: EV.score("multiclass_mcc")),
    "cohen_kappa": (lambda: tm.multiclass_cohen_kappa(SAID, FLAT, M), lambda: EV.score("multiclass_kappa")),
    "auroc, max_fpr": (
        lambda: tm.binary_auroc(CHANCE, ONE, max_fpr=0.4),
        lambda: ix.measures.partial_auc(ONE, CHANCE, max_fpr=0.4),
    ),
    "coverage_error": (lambda: tm.multilabel_coverage_error(LEVELS, SETS, M), lambda: ix.measures.coverage_error(SETS, LEVELS)),
    "ranking_loss": (
        lambda: tm.multilabel_ranking_loss(LEVELS, SETS, M),
        lambda: ix.measures.ranking_loss(SETS, LEVELS, undefined=0),
    ),
    "ranking_average_precision": (
        lambda: tm.multilabel_ranking_average_precision(LEVELS, SETS, M),
        lambda: ix.measures.label_ranking_ap(SETS, LEVELS, undefined=1),
    ),
    "hinge_loss": (
        lambda: tm.binary_hinge_loss(CHANCE, ONE),
        lambda: ix.hinge_loss(ONE, CHANCE),
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@for_each("name", EQUIVALENTS)
def test_other_functions_have_an_equivalent(name: str) -> None:
    theirs, ours = EQUIVALENTS[name]
    same(ours(), theirs(), name)


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel"])
def test_modules_are_their_functions_over_batches_and_so_is_a_stream(task: str) -> None:
    size = {"binary": {}, "multiclass": {"num_classes": M}, "multilabel": {"num_labels": M}}[task]
    preds, target = data(task, None)
    for name in MEASURES:
        word = "".join(part.capitalize() for part in name.split("_")).replace("Fbeta", "FBeta")
        given = {**size, "beta": 2.0} if name == "fbeta_score" else size
        module = getattr(modules, task.capitalize() + word)(**given)
        for rows in (slice(2), slice(2, N)):
            module.update(preds[rows], target[rows])
        average = None if task == "binary" else "macro"
        same(Case(task, name, average).ours(), module.compute(), name)
