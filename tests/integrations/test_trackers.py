"""Evaluations in experiment trackers: the flat scores arrive there, NaN and intervals included, and the files."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts import run_script

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.integrations.trackers import key_of

EV = ix.from_confusion([[40, 10, 0], [5, 45, 0], [0, 0, 0]], classes=["a", "b", "c"])
NAMES = ("macro f1", "micro recall", "multiclass_mcc", "weighted f_beta(beta=0.5)")


def test_every_measure_and_average_has_a_key_of_its_own_and_a_plain_float() -> None:
    asked = {
        f"{average} {measure}": EV.score(measure, average, undefined="nan")
        for measure in dict.fromkeys(ix.algebra.MEASURES.values())
        for average in averages_over("class")
        if average in (measure.averages or ix.algebra.AVERAGES)
    }
    found = ix.integrations.flat_scores(EV, *asked, undefined="nan")
    assert list(found) == [key_of(name) for name in asked]
    assert list(found.values()) == pytest.approx(list(map(float, asked.values())), rel=0, abs=0, nan_ok=True)
    assert {type(value) for value in found.values()} == {float}
    assert any(map(math.isnan, found.values()))


@given(st.text())
def test_a_key_has_only_what_all_trackers_take(text: str) -> None:
    key = key_of(text)
    assert all(character.isalnum() or character in "_." for character in key)
    assert key == key_of(key)
    (grouped,) = ix.integrations.flat_scores(EV, "macro f1", prefix=text)
    assert all(character.isalnum() or character in "_./-" for character in grouped)


def test_intervals_and_prefixes() -> None:
    found = ix.integrations.flat_scores(EV, *NAMES, interval=0.9, prefix="test/")
    for name in NAMES:
        score, average = (name, None) if " " not in name else reversed(name.split(" ", 1))
        i = EV.interval(score, average, level=0.9)
        key = f"test/{key_of(name)}"
        assert (found[key], found[f"{key}_low"], found[f"{key}_high"]) == (i.value, i.low, i.high)
    assert len(found) == 3 * len(NAMES)
    assert ix.integrations.flat_scores(EV) == {
        key_of(f"{average} {measure}"): float(score) for (measure, average), score in EV.table().scores.items()
    }
    of_two = ix.evaluate([0, 1, 1], [0, 1, 0])
    assert ix.integrations.flat_scores(of_two)["binary_recall"] == 0.5


def test_a_score_without_an_interval_has_no_ends() -> None:
    sets = ix.evaluate([{"a"}, {"a", "b"}], [{"a"}, {"b"}])
    name = "micro min(tp, tn)"
    assert ix.integrations.flat_scores(sets, name, interval=True) == {
        "micro_min_tp_tn": float(sets.score("min(tp, tn)", "micro"))
    }


def test_undefined_stays_nan_and_two_scores_never_share_a_key() -> None:
    assert math.isnan(ix.integrations.flat_scores(EV, "macro recall", undefined="nan")["macro_recall"])
    with pytest.raises(ValueError, match="'macro tp / fp' and 'macro tp - fp' have the same key, 'macro_tp_fp'"):
        ix.integrations.flat_scores(EV, "macro tp / fp", "macro tp - fp")


class Writer:
    """What a SummaryWriter would write."""

    def __init__(self) -> None:
        self.scalars: dict[str, Any] = {}
        self.texts: dict[str, Any] = {}

    def add_scalar(self, key: str, value: float, step: int | None) -> None:
        self.scalars[key] = value, step

    def add_text(self, key: str, text: str, step: int | None) -> None:
        self.texts[key] = text, step


def test_a_writer_is_given_scores_and_report() -> None:
    writer = Writer()
    found = ix.integrations.log_tensorboard(EV, writer, *NAMES, interval=True, undefined=0, prefix="test/", step=3)
    assert found == ix.integrations.flat_scores(EV, *NAMES, interval=True, undefined=0, prefix="test/")
    assert writer.scalars == {key: (value, 3) for key, value in found.items()}
    text, step = writer.texts["test/report"]
    assert step == 3
    assert [line.removeprefix("    ") for line in text.split("\n")] == EV.report(undefined=0, interval=True).split("\n")


@pytest.mark.slow
def test_tensorboard_reads_the_scores_back(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="pip install 'indicatrix[tensorboard]'")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        ix.integrations.log_tensorboard(EV, writer, "macro recall", undefined="nan", step=1)
        found = ix.integrations.log_tensorboard(EV, writer, *NAMES, interval=True, step=2)
    read = EventAccumulator(str(tmp_path)).Reload()
    assert {key: read.Scalars(key)[-1].value for key in found} == pytest.approx(found, rel=1e-6)
    assert math.isnan(read.Scalars("macro_recall")[0].value)
    assert "report/text_summary" in read.Tags()["tensors"]


MLFLOW = """
import math, mlflow, mlflow.models, pandas as pd, indicatrix as ix

mlflow.set_tracking_uri("file:runs")
ev, names = ix.from_confusion([[40, 10, 0], [5, 45, 0], [0, 0, 0]], classes=["a", "b", "c"]), NAMES
with mlflow.start_run() as run:
    found = ix.integrations.log_mlflow(ev, *names, interval=True, prefix="test/", step=2)
    ix.integrations.log_mlflow(ev, "macro recall", undefined="nan", folder="other")
read = mlflow.get_run(run.info.run_id).data.metrics
assert math.isnan(read.pop("macro_recall"))
assert read == found == ix.integrations.flat_scores(ev, *names, interval=True, prefix="test/")
client = mlflow.MlflowClient()
assert [m.step for m in client.get_metric_history(run.info.run_id, "test/macro_f1")] == [2]
path = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="evaluation")
assert ix.load(path + "/evaluation.json") == ev
assert open(path + "/report.txt").read() == ev.report(interval=True) + "\\n"

ix.integrations.log_mlflow(ev, "micro f1", run_id=run.info.run_id)  # without an active run
assert mlflow.active_run() is None
assert mlflow.get_run(run.info.run_id).data.metrics["micro_f1"] == ev.score("f1", "micro")

extra = ix.integrations.mlflow_metrics(*names, "macro tp / (tp + fn)", "micro fpr", undefined=0)
assert [m.greater_is_better for m in extra] == [True] * 5 + [False]
df = pd.DataFrame({"y": ["a", "b", "b", "c"], "p": ["a", "b", "a", "c"]})
with mlflow.start_run():
    result = mlflow.models.evaluate(data=df, targets="y", predictions="p", extra_metrics=extra, evaluators="default")
small = ix.evaluate(df["y"], df["p"])
assert result.metrics == ix.integrations.flat_scores(small, *names, "macro tp / (tp + fn)", "micro fpr", undefined=0)
print("same")
"""


@pytest.mark.slow
def test_a_run_of_mlflow_in_a_local_folder(tmp_path: Path) -> None:
    pytest.importorskip("mlflow", reason="pip install 'indicatrix[mlflow]'")
    script = MLFLOW.replace("NAMES", repr(NAMES))
    shown = run_script(script, tmp_path, MLFLOW_ALLOW_FILE_STORE="true", MLFLOW_DISABLE_TELEMETRY="true", DO_NOT_TRACK="true")
    assert shown.split()[-1] == "same"


WANDB = """
import math, pathlib, wandb, indicatrix as ix

ev, names = ix.from_confusion([[40, 10, 0], [5, 45, 0], [0, 0, 0]], classes=["a", "b", "c"]), NAMES
try:
    ix.integrations.log_wandb(ev, "macro f1")
except ValueError as error:
    assert "Call wandb.init() first" in str(error)
with wandb.init(mode="offline", project="tiny", dir=".") as run:
    found = ix.integrations.log_wandb(ev, *names, interval=True, prefix="test/")
    ix.integrations.log_wandb(ev, "macro recall", undefined="nan", run=run)
    read = {key: run.summary[key] for key in found}
    lost = run.summary["macro_recall"]
assert read == found == ix.integrations.flat_scores(ev, *names, interval=True, prefix="test/")
assert math.isnan(float(lost)), lost
print(*pathlib.Path(".").rglob("*.wandb"))
"""


@pytest.mark.slow
def test_an_offline_run_of_wandb(tmp_path: Path) -> None:
    pytest.importorskip("wandb", reason="pip install 'indicatrix[wandb]'")
    folders = {f"WANDB_{name}_DIR": str(tmp_path) for name in ("CACHE", "CONFIG", "DATA", "ARTIFACT")}
    shown = run_script(WANDB.replace("NAMES", repr(NAMES)), tmp_path, WANDB_MODE="offline", WANDB_SILENT="true", **folders)
    (path,) = shown.split()[-1:]
    assert (tmp_path / path).stat().st_size > 0
    content = (tmp_path / path).read_bytes()
    assert b"evaluation.json" in content
    assert b"report.txt" in content


def test_the_table_of_a_model_card() -> None:
    hub = pytest.importorskip("huggingface_hub", reason="pip install 'indicatrix[huggingface]'")
    about = {"task_type": "text-classification", "dataset_type": "imdb", "dataset_name": "IMDb"}
    results = ix.integrations.card_results(EV, *NAMES, **about)
    data = hub.ModelCardData(model_name="tiny", eval_results=results)
    read = hub.ModelCard(f"---\n{data.to_yaml()}\n---\n").data.eval_results
    values = ix.integrations.flat_scores(EV, *NAMES).values()
    assert {r.metric_name: r.metric_value for r in read} == dict(zip(NAMES, values, strict=True))
    assert [r.metric_type for r in read] == ["f1", "recall", "multiclass_mcc", "f_beta(beta=0.5)"]
    assert [(r.metric_args or {}).get("average") for r in read] == ["macro", "micro", None, "weighted"]
    lost = ix.integrations.card_results(EV, "macro recall", undefined="nan", **about)
    back = hub.ModelCard(f"---\n{hub.ModelCardData(model_name='tiny', eval_results=lost).to_yaml()}\n---\n").data.eval_results
    assert math.isnan(back[0].metric_value)
    assert len(ix.integrations.card_results(EV, **about)) == len(EV.table().scores)


def test_a_library_that_is_absent_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mlflow", "mlflow.models", "wandb", "huggingface_hub", "keras"):
        monkeypatch.setitem(sys.modules, name, None)
    calls: dict[str, Any] = {
        "mlflow": lambda: ix.integrations.log_mlflow(EV),
        "wandb": lambda: ix.integrations.log_wandb(EV),
        "huggingface": lambda: ix.integrations.card_results(EV),
        "keras": lambda: ix.integrations.keras_callback((0, 0), "macro f1"),
    }
    for extra, call in calls.items():
        with pytest.raises(ModuleNotFoundError, match=rf"pip install 'indicatrix\[{extra}\]'"):
            call()
