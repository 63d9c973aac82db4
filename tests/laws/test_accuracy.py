"""Accuracy without an average is the share of right examples everywhere, and its averages are called label accuracy."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score

import indicatrix as ix
from indicatrix.cli.counting import Evaluated
from indicatrix.cli.gates import outcome, read_check
from indicatrix.inference.planning.gate import FAILED, REACHED

rng = np.random.default_rng(31)
N = 240
MULTICLASS = (y := rng.integers(0, 5, N)), np.where(rng.random(N) < 0.7, y, rng.integers(0, 5, N))
BINARY = (y := rng.integers(0, 2, N)), np.where(rng.random(N) < 0.7, y, rng.integers(0, 2, N))
TEXTS = tuple(np.array(list("abcde"))[labels] for labels in MULTICLASS)
PROBLEMS = {"multiclass": MULTICLASS, "binary": BINARY, "texts": TEXTS}
SITE = rng.integers(0, 3, N)
NAMED = re.compile(r"(?<!label )(?<!balanced )\baccuracy\b")


@pytest.mark.parametrize("problem", PROBLEMS)
def test_accuracy_is_the_share_of_right_examples_everywhere(problem: str) -> None:
    y, z = PROBLEMS[problem]
    right = accuracy_score(y, z)
    ev = ix.evaluate(y, z, by={"site": SITE})
    stream = ix.Stream().update(y, z)
    dummy = DummyClassifier(strategy="constant", constant=y[0]).fit(np.zeros((N, 1)), y)
    always = np.full(N, y[0])
    found = {
        "call": ix.accuracy(y, z),
        "call with an interval": ix.accuracy(y, z, interval=True).value,
        "score": ev.score("accuracy"),
        "of the measure": ix.accuracy.score(ev),
        "interval": ev.interval("accuracy").value,
        "exact": float(ev.exact("accuracy")),
        "table": ev.table("accuracy", [None])["accuracy", None],
        "table without averages": ev.table(["accuracy", "f1"])["accuracy", "exemplar"],
        "compare": ix.compare(y, {"a": z, "b": always}, "accuracy").rows[0].values[0],
        "compare by default": ix.compare(y, {"a": z, "b": always}).rows[0].values[0],
        "evaluations compared": ix.compare([ev, ev], "accuracy").rows[0].values[0],
        "stream": stream.compute("accuracy")["accuracy"],
        "folds": ev.folds("accuracy", axis="site").pooled,
        "flat scores": ix.integrations.flat_scores(ev, "accuracy")["accuracy"],
        "pickled": pickle.loads(pickle.dumps(ev.score("accuracy"))),
        "per example": ix.tasks.per_example("accuracy", y, z).mean(),
        "of a confusion matrix": ix.from_confusion(ev.confusion_matrix()).score("accuracy"),
    }
    assert {name: float(value) for name, value in found.items()} == pytest.approx(dict.fromkeys(found, right))
    assert {str(ev.score("accuracy").measure), str(pickle.loads(pickle.dumps(ev.score("accuracy"))).measure)} == {"accuracy"}
    assert ix.scorer("accuracy")(dummy, np.zeros((N, 1)), y) == pytest.approx(accuracy_score(y, always))
    groups = [accuracy_score(y[k == SITE], z[k == SITE]) for k in range(3)]
    assert ev.values("accuracy", "site").tolist() == pytest.approx(groups)
    assert ev.compare_groups("accuracy", "site").values.tolist() == pytest.approx(groups)
    assert ix.cross_validate(DummyClassifier(), np.zeros((N, 1)), y).folds("accuracy").values.tolist() == pytest.approx(
        ix.cross_validate(DummyClassifier(), np.zeros((N, 1)), y).folds("exact_match").values.tolist()
    )


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_check_of_accuracy_is_about_examples(problem: str) -> None:
    y, z = PROBLEMS[problem]
    one = Evaluated("a.csv", ix.evaluate(y, z))
    right = accuracy_score(y, z)
    assert outcome(read_check(f"accuracy={right - 0.001}", ()), one, "exclude").answer == REACHED
    assert outcome(read_check(f"accuracy={right + 0.001}", ()), one, "exclude").answer == FAILED


@pytest.mark.parametrize("problem", PROBLEMS)
def test_over_groups_accuracy_is_the_mean_of_the_shares_of_right_examples(problem: str, tmp_path: Path) -> None:
    y, z = PROBLEMS[problem]
    ev = ix.evaluate(y, z, by={"site": SITE, "half": np.arange(N) % 2})
    mean = np.mean([accuracy_score(y[k == SITE], z[k == SITE]) for k in range(3)])
    table = ev.table(["accuracy", "f1"], ["site", "macro"])
    ev.to_html(tmp_path / "a.html", measures=["accuracy"], averages=["site", "macro"])
    card = json.loads(re.findall(r'"cards":\[({.*?})', (tmp_path / "a.html").read_text("utf-8"))[0])
    found = {
        "values": ev.values("accuracy", "site").mean(),
        "score": ev.score("accuracy", "site"),
        "by name": ev.score("site accuracy"),
        "of exact match": ev.score("exact_match", "site"),
        "interval": ev.interval("accuracy", "site").value,
        "exact": float(ev.exact("accuracy", "site")),
        "table": table["accuracy", "site"],
        "compare": ix.compare([ev, ev], "accuracy", averages=["site"]).rows[0].values[0],
        "page": card["value"],
    }
    assert {name: float(value) for name, value in found.items()} == pytest.approx(dict.fromkeys(found, mean))
    assert card["called"] == "accuracy"
    assert ev.score("accuracy", ("site", "macro")) == ev.score("label_accuracy", ("site", "macro"))
    assert table["accuracy", "macro"] == ev.score("label_accuracy", "macro")
    inside = [part.score("accuracy", "half") for part in ev.split("site").values()]
    assert ev.score("accuracy", ("site", "half")) == pytest.approx(np.mean(inside))
    one = Evaluated("a.csv", ev)
    assert outcome(read_check(f"site accuracy={mean - 0.001}", ("site",)), one, "exclude").answer == REACHED
    missed = outcome(read_check(f"site accuracy={mean + 0.001}", ("site",)), one, "exclude")
    assert missed.line.startswith("Check failed: site accuracy of a.csv is ")


def test_labels_that_are_decided_one_by_one_have_label_accuracy_over_groups() -> None:
    ev = ix.evaluate([[1, 0], [1, 1]], [[1, 1], [1, 1]], by={"site": [0, 1]})
    assert (ev.score("accuracy", "site"), ev.values("accuracy", "site").tolist()) == (0.75, [0.5, 1.0])


def test_with_abstentions_an_example_without_a_prediction_is_not_right() -> None:
    ev = ix.evaluate([0, 1, 1, 0], [0, 1, None, None], missing="abstain")
    assert ev.score("accuracy") == 0.5
    assert ev.score("accuracy", "binary") == 0.75  # what is not predicted positive is a negative


def test_label_sets_need_an_average() -> None:
    sets = [{"a"}, {"a", "b"}], [{"a"}, {"b"}]
    with pytest.raises(ValueError, match=r"Name an average for accuracy: average='micro'.*exact_match is the share of examples"):
        ix.accuracy(*sets)
    with pytest.raises(ValueError, match="Name an average for label_accuracy"):
        ix.evaluate(*MULTICLASS).score("label_accuracy")


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "exemplar", ("site", "macro")])
def test_an_average_of_accuracy_is_called_label_accuracy(average: Any) -> None:
    y, z = MULTICLASS
    ev = ix.evaluate(y, z, by={"site": SITE})
    text = average if isinstance(average, str) else " ".join(average)
    name = f"{text} label accuracy"
    assert ev.score("accuracy", average) == ev.score("label_accuracy", average)
    shown = {
        "table": str(ev.table("accuracy", [average])),
        "html": ev.table("accuracy", [average]).html(),
        "markdown": ev.table("accuracy", [average]).markdown(),
        "csv": ev.table("accuracy", [average]).csv(),
        "compare": str(ix.compare([ev, ev], "accuracy", [average])),
    }
    for form, made in shown.items():
        assert "label accuracy" in made, form
        assert not NAMED.search(made), form
    assert ix.compare([ev, ev], "accuracy", [average]).rows[0].name == name
    stream = ix.Stream().update(y, z, by={"site": SITE})
    assert stream.compute(name)[name] == ev.score("accuracy", average)  # the name is read back


def test_the_names_of_averages_are_read_back() -> None:
    ev = ix.evaluate(*MULTICLASS)
    for measure in ("accuracy", "balanced_accuracy"):
        name = ix.compare([ev, ev], measure, "macro").rows[0].name
        assert ix.Stream().update(*MULTICLASS).compute(name)[name] == ev.score(measure, "macro")
    assert ix.Stream().update(*MULTICLASS).compute("weighted accuracy")["weighted accuracy"] == ev.score("accuracy", "weighted")


def test_reports_findings_and_errors_call_averages_of_accuracy_by_their_name() -> None:
    y, z = MULTICLASS
    ev = ix.evaluate(y, z, by={"site": SITE})
    texts = [str(ev), ev.report(interval=True), *(f.text for f in ev.findings())]
    for text in texts:
        for line in text.splitlines():
            assert not re.search(r"(micro|macro|weighted|exemplar) accuracy", line), line
    assert f"Accuracy, the share of examples classified right, is {accuracy_score(y, z):.3f}." in str(ev)
    assert f"is {float(ev.score('recall', 'macro')):.3f}." in str(ev).split("Balanced accuracy")[1]
    assert "label balanced accuracy" in str(ev.table("balanced_accuracy", "macro"))


@pytest.mark.slow
def test_tensors_count_right_examples() -> None:
    torch = pytest.importorskip("torch")
    y, z = MULTICLASS
    preds, target = torch.tensor(z), torch.tensor(y)
    right = accuracy_score(y, z)
    assert ix.torch.Stream(classes=5).update(preds, target).compute("accuracy")["accuracy"] == pytest.approx(right)
    metric = ix.torch.Metric("accuracy", "macro accuracy", classes=5)
    metric.update(preds, target)
    assert float(metric.compute()["accuracy"]) == pytest.approx(right)
    assert float(metric.compute()["macro accuracy"]) == pytest.approx(float(ix.accuracy(y, z, average="macro")))
