"""The metric in torchmetrics' machinery: forward, collections, compute groups, two ranks, Lightning."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
import torch
import torch.distributed as dist
import torchmetrics

import indicatrix as ix

torch.manual_seed(4)
C = 4
TARGET = torch.randint(0, C, (90,))
SCORES = torch.randn(90, C)
MATRIX = torch.rand(90, C) < 0.4
KINDS: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "multiclass": ({"classes": C}, SCORES, TARGET),
    "labels": ({"classes": C, "ignore_index": 1}, SCORES.argmax(1), TARGET),
    "binary": ({"classes": 2, "decide": 0.0}, SCORES[:, 0], TARGET % 2),
    "multilabel": ({"classes": C, "kind": "multilabel", "decide": 0.0}, SCORES, MATRIX),
    "top k": ({"classes": C, "decide": ix.top_k(2)}, SCORES, TARGET),
}
WEIGHTS, SITES = torch.rand(90), ["a", "b", "b"] * 30
NAMES = ("macro f1", "micro recall", "exemplar precision")


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_the_scores_of_a_stream(kind: str) -> None:
    options, preds, target = KINDS[kind]
    metric, stream = ix.torch.Metric(*NAMES, **options), ix.torch.Stream(*NAMES, **options)
    for start in range(0, 90, 20):
        batch = preds[start : start + 20], target[start : start + 20]
        alone = metric(*batch)  # forward: the scores of the batch, and the batch is counted
        assert {k: float(v) for k, v in alone.items()} == ix.torch.Stream(*NAMES, **options).update(*batch).compute()
        stream.update(*batch)
    assert {k: float(v) for k, v in metric.compute().items()} == stream.compute()
    assert metric.evaluation == stream.evaluation
    assert pickle.loads(pickle.dumps(metric)).evaluation == stream.evaluation
    metric.reset()
    assert metric.evaluation.n == 0


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_counts_stay_whole_numbers_in_every_type_of_floats(weights: Any) -> None:
    metric = ix.torch.Metric("macro f1", classes=C, weighted=weights is not None).set_dtype(torch.float16)
    stream = ix.torch.Stream("macro f1")
    for times in (1_000, 1):  # halves of more than 2,048 do not count further one by one
        given = {} if weights is None else {"sample_weight": weights.repeat(times)}
        metric.update(SCORES.repeat(times, 1), TARGET.repeat(times), **given)
        stream.update(SCORES.repeat(times, 1), TARGET.repeat(times), **given)
    assert metric.evaluation.tally == stream.evaluation.tally


def test_metrics_with_the_same_counts_share_them_in_a_collection() -> None:
    options, preds, target = KINDS["multiclass"]
    peer = torchmetrics.classification.MulticlassF1Score(C, average="macro")
    metrics: Any = {"a": ix.torch.Metric("macro f1", **options), "b": ix.torch.Metric("macro recall", **options), "peer": peer}
    collection = torchmetrics.MetricCollection(metrics)
    for start in range(0, 90, 30):
        collection.update(preds[start : start + 30], target[start : start + 30])
    assert sorted(map(sorted, collection.compute_groups.values())) == [["a", "b"], ["peer"]]
    found = collection.compute()
    whole = ix.evaluate(target, preds, decide="argmax")
    values = {name.rpartition("_")[2]: float(value) for name, value in found.items()}
    assert values["macro recall"] == whole.score("recall", "macro")
    assert values["macro f1"] == whole.score("f1", "macro") == pytest.approx(values["peer"])
    collection.reset()
    collection.update(preds[:10], target[:10])
    assert float(collection["b"].compute()["macro recall"]) == ix.recall(
        target[:10], preds[:10], decide="argmax", average="macro"
    )


def test_metrics_with_other_options_do_not_share_counts() -> None:
    metrics: Any = {"a": ix.torch.Metric("recall", classes=2, decide=0.0, positive=1)}
    metrics["b"] = ix.torch.Metric("recall", classes=2, decide=1.0, positive=1)
    collection = torchmetrics.MetricCollection(metrics)
    collection.update(torch.tensor([0.5, 2.0, -1.0]), torch.tensor([1, 1, 0]))
    collection.update(torch.tensor([0.5, 2.0, -1.0]), torch.tensor([1, 1, 0]))
    assert [float(value) for value in collection.compute().values()] == [1.0, 0.5]


def test_one_score_is_a_metric_that_wrappers_take() -> None:
    from torchmetrics.wrappers import BootStrapper, MetricTracker

    options, preds, target = KINDS["multiclass"]
    both = ix.torch.Metric("macro f1", "macro fpr", **options)
    assert (both.higher_is_better, both["macro f1"].higher_is_better, both["macro fpr"].higher_is_better) == (None, True, False)
    assert ix.torch.Metric("macro f1", **options).higher_is_better is True
    assert ix.torch.Metric("macro prevalence", **options).higher_is_better is None
    resampled = BootStrapper(both["macro f1"], num_bootstraps=3)
    resampled.update(preds, target)
    assert 0 < float(resampled.compute()["mean"]) < 1
    shifts = range(3)
    for name in ("macro f1", "macro fpr"):
        values = [float(ix.torch.Stream(name, **options).update(preds.roll(k, 0), target).compute()[name]) for k in shifts]
        for followed in (both[name], torchmetrics.MetricCollection([ix.torch.Metric(name, **options)])):
            tracker = MetricTracker(followed)
            for k in shifts:
                tracker.increment()
                tracker.update(preds.roll(k, 0), target)
            best = tracker.best_metric()
            assert (best[name] if isinstance(best, dict) else best) == (max if name == "macro f1" else min)(values)
    one = pickle.loads(pickle.dumps(both["macro fpr"]))
    assert one(preds, target) == one.compute() == one.metric_a.compute()["macro fpr"]
    assert repr(one).endswith("['macro fpr']")
    with pytest.raises(KeyError, match="no score 'f1'; it has 'macro f1', 'macro fpr'"):
        both["f1"]


def test_scores_of_each_step_are_drawn() -> None:
    mpl.use("Agg")
    metric = ix.torch.Metric("macro f1", "exact_match", classes=3)
    steps = [metric(torch.tensor(preds), torch.tensor([0, 1, 2])) for preds in ([0, 1, 2], [0, 1, 1], [2, 1, 1])]
    _, axes = metric.plot(steps)
    drawn = {line.get_label(): line.get_ydata() for line in axes.lines}
    assert {name: [float(step[name]) for step in steps] for name in drawn} == {name: [*values] for name, values in drawn.items()}
    assert set(drawn) == {"macro f1", "exact_match"}
    _, axes = metric["macro f1"].plot()
    assert axes.get_ylabel() == "macro f1"
    assert [float(y) for line in axes.lines for y in line.get_ydata()] == [float(metric["macro f1"].compute())]
    plt.close("all")


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="A metric has counts of a fixed size: give classes=10"):
        ix.torch.Metric("macro f1")
    metric = ix.torch.Metric("macro f1", classes=2)
    with pytest.raises(ValueError, match="takes no sample_weight= without weighted=True"):
        metric.update(torch.tensor([0, 1]), torch.tensor([0, 1]), sample_weight=[1, 2])
    with pytest.raises(ValueError, match=r"has by=\(\), and the batch by=\('site',\)"):
        metric.update(torch.tensor([0, 1]), torch.tensor([0, 1]), by={"site": [1, 2]})
    grouped = ix.torch.Metric("macro f1", classes=2, weighted=True, by={"site": [1, 3]})
    with pytest.raises(ValueError, match="needs sample_weight=, because it has weighted=True"):
        grouped.update(torch.tensor([0, 1]), torch.tensor([0, 1]), by={"site": [1, 2]})
    with pytest.raises(ValueError, match=r"groups that the metric was not made with: \[\(2,\)\]"):
        grouped.update(torch.tensor([0, 1]), torch.tensor([0, 1]), sample_weight=[1, 1], by={"site": [1, 2]})
    metric.update(torch.tensor([0, 1]), torch.tensor([0, 3]))
    with pytest.raises(ValueError, match="1 values of target are not 0 to 1"):
        metric.compute()


@pytest.mark.parametrize("kind", KINDS)
def test_weights_and_groups_are_counted(kind: str) -> None:
    options, preds, target = KINDS[kind]
    metric = ix.torch.Metric(*NAMES, weighted=True, by={"site": "abc"}, **options)
    stream = ix.torch.Stream(*NAMES, **options)
    for start in range(0, 90, 30):
        rows = slice(start, start + 30)
        more = {"sample_weight": WEIGHTS[rows], "by": {"site": SITES[rows]}}
        metric.update(preds[rows], target[rows], **more)
        stream.update(preds[rows], target[rows], **more)
    assert metric.evaluation == stream.evaluation
    assert {k: float(v) for k, v in metric.compute().items()} == stream.compute()


def compare_on_rank(rank: int, port: int) -> None:
    """Give this rank its rows of every kind, and compare what all ranks compute with the scores of all rows."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", f"tcp://127.0.0.1:{port}", timedelta(seconds=120), 2, rank)
    try:
        for kind, (options, preds, target) in KINDS.items():
            metric = ix.torch.Metric(*NAMES, **options)
            ends = (0, 50, 90)  # the ranks have different numbers of examples
            for start in range(ends[rank], ends[rank + 1], 10):
                metric.update(preds[start : start + 10], target[start : start + 10])
            whole = ix.torch.Stream(*NAMES, **options).update(preds, target)
            assert {k: float(v) for k, v in metric.compute().items()} == whole.compute(), kind
            assert metric.evaluation.n == ends[rank + 1] - ends[rank], kind  # afterwards each rank has its own counts again
            rows = slice(ends[rank], ends[rank + 1])
            grouped = ix.torch.Metric(*NAMES, weighted=True, by={"site": "ab"}, **options)
            grouped.update(preds[rows], target[rows], sample_weight=WEIGHTS[rows], by={"site": SITES[rows]})
            whole.reset().update(preds, target, sample_weight=WEIGHTS, by={"site": SITES})
            with grouped.sync_context():
                assert grouped.evaluation == whole.evaluation, kind
            own = ix.torch.Stream(**options).update(preds[rows], target[rows], by={"site": SITES[rows]})
            found: list[Any] = [None, None]
            dist.all_gather_object(found, own.evaluation)  # evaluations add, wherever they were made
            assert sum(found) == ix.torch.Stream(**options).update(preds, target, by={"site": SITES}).evaluation, kind
    finally:
        dist.destroy_process_group()


@pytest.mark.slow
def test_two_ranks_have_the_scores_of_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    here = str(Path(__file__).parent)
    script = f"import sys; sys.path.insert(0, {here!r}); import test_torch_metric as t; t.compare_on_rank(1, {port})"
    other = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE)
    try:
        compare_on_rank(0, port)  # this process is the other rank
        _, error = other.communicate(timeout=120)
    finally:
        other.kill()
    assert other.returncode == 0, error


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Lightning's own, about workers and logging
def test_two_epochs_in_lightning(tmp_path: Path) -> None:
    lightning = pytest.importorskip("lightning")

    class Model(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(3, C)
            self.metric = ix.torch.Metric(*NAMES, classes=C)
            self.seen: list[tuple[Any, Any]] = []
            self.expected: list[dict[str, Any]] = []

        def training_step(self, batch: Any, index: int) -> Any:
            return torch.nn.functional.cross_entropy(self.layer(batch[0]), batch[1])

        def validation_step(self, batch: Any, index: int) -> None:
            logits = self.layer(batch[0])
            self.metric.update(logits, batch[1])
            self.seen.append((logits.detach(), batch[1]))

        def on_validation_epoch_end(self) -> None:
            values = self.metric.compute()
            self.log_dict({f"val {name}": value.float() for name, value in values.items()})
            logits, target = (torch.cat(side) for side in zip(*self.seen, strict=True))
            self.expected.append(ix.torch.Stream(*NAMES, classes=C).update(logits, target).compute())
            assert {name: float(value) for name, value in values.items()} == self.expected[-1]
            self.metric.reset()
            self.seen.clear()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.1)

    data = torch.utils.data.TensorDataset(torch.randn(90, 3), TARGET)
    loader = torch.utils.data.DataLoader(data, batch_size=16)
    model = Model()
    trainer = lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        default_root_dir=tmp_path,
    )
    trainer.fit(model, loader, loader)
    assert len(model.expected) == 2
    for name, value in model.expected[-1].items():
        assert float(trainer.callback_metrics[f"val {name}"]) == pytest.approx(value)
