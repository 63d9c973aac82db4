"""compute_metrics for the Trainer of Hugging Face: every kind of labels, whole and in batches, equals ix.evaluate."""

from __future__ import annotations

import math
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import seqeval.metrics
import torch
from loops import for_each

import indicatrix as ix

RNG = np.random.default_rng(3)
N, T, C = 60, 7, 4
NAMES = ("micro f1", "macro recall", "weighted precision", "exact_match")
TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]

LOGITS, IDS = RNG.normal(size=(N, C)).astype(np.float32), RNG.integers(0, C, N)
TOKEN_LOGITS, TOKEN_IDS = RNG.normal(size=(N, T, C)), RNG.integers(0, C, (N, T))
TOKEN_IDS[:, 0] = -100
TOKEN_IDS[::3, -2:] = -100
SEEN = TOKEN_IDS != -100
SETS = RNG.integers(0, 2, (N, C)).astype(np.float32)
HIDDEN = SETS.copy()
HIDDEN[RNG.random((N, C)) < 0.2] = -100

# what the Trainer gives, options, and the same for ix.evaluate
KINDS: dict[str, tuple[Any, Any, dict[str, Any], ix.Evaluation]] = {
    "classes": (LOGITS, IDS, {}, ix.evaluate(IDS, LOGITS, decide="argmax")),
    "decided classes": (LOGITS.argmax(1), IDS, {}, ix.evaluate(IDS, LOGITS.argmax(1))),
    "top 2": (LOGITS, IDS, {"decide": ix.top_k(2)}, ix.evaluate(IDS, LOGITS, decide=ix.top_k(2))),
    "tokens": (TOKEN_LOGITS, TOKEN_IDS, {}, ix.evaluate(TOKEN_IDS[SEEN], TOKEN_LOGITS[SEEN], decide="argmax")),
    "decided tokens": (
        TOKEN_LOGITS.argmax(2),
        TOKEN_IDS,
        {"kind": "multiclass"},
        ix.evaluate(TOKEN_IDS[SEEN], TOKEN_LOGITS.argmax(2)[SEEN]),
    ),
    "labels": (LOGITS, SETS, {}, ix.evaluate(SETS.astype(int), LOGITS, decide=0)),
    "labels above 0.4": (LOGITS, SETS, {"decide": 0.4}, ix.evaluate(SETS.astype(int), LOGITS, decide=0.4)),
    "decided labels": (
        (LOGITS > 0).astype(int),
        SETS,
        {"kind": "multilabel"},
        ix.evaluate(SETS.astype(int), (LOGITS > 0).astype(int)),
    ),
    "masked labels": (LOGITS, HIDDEN, {}, ix.evaluate(np.maximum(HIDDEN, 0).astype(int), LOGITS, decide=0, mask=HIDDEN >= 0)),
}


def batches(*sides: Any) -> list[tuple[Any, ...]]:
    return [tuple(torch.as_tensor(side[i : i + 16]) for side in sides) for i in range(0, N, 16)]


@for_each("kind", KINDS)
@for_each("undefined", ["exclude", 0, "nan"])
def test_the_scores_are_those_of_evaluate_whole_and_in_batches(kind: str, undefined: Any) -> None:
    outputs, labels, options, ev = KINDS[kind]
    compute_metrics = ix.integrations.hf(*NAMES, undefined=undefined, **options)
    expected = ix.integrations.flat_scores(ev, *NAMES, undefined=undefined)
    assert list(expected) == ["micro_f1", "macro_recall", "weighted_precision", "exact_match"]
    for _ in range(2):
        assert compute_metrics(((outputs, "hidden states"), labels)) == pytest.approx(expected, rel=1e-14, nan_ok=True)
        assert compute_metrics((outputs[:9], labels[:9]), compute_result=False) == {}  # an evaluation that was stopped
    assert compute_metrics((outputs, labels)) == pytest.approx(expected, rel=1e-14, nan_ok=True)
    for _ in range(2):
        *first, last = batches(outputs, labels)
        assert [compute_metrics(batch, compute_result=False) for batch in first] == [{}] * len(first)
        found = compute_metrics(last, compute_result=True)
        assert found == pytest.approx(expected, rel=1e-14, nan_ok=True)
        assert {type(value) for value in found.values()} == {float}


def test_tags_are_entities_as_in_seqeval_whole_and_in_batches() -> None:
    logits, ids = RNG.normal(size=(N, T, len(TAGS))), RNG.integers(0, len(TAGS), (N, T))
    logits[np.arange(N)[:, None], np.arange(T), ids] += 2
    ids[:, -1] = -100
    true, pred = ([[TAGS[i] for i in row[:-1]] for row in side] for side in (ids, logits.argmax(2)))
    names = ("micro f1", "macro recall", "tokens exact_match", "exact_match", "tokens macro f1")
    expected = {
        "micro_f1": seqeval.metrics.f1_score(true, pred),
        "macro_recall": seqeval.metrics.recall_score(true, pred, average="macro"),
        "tokens_exact_match": seqeval.metrics.accuracy_score(true, pred),
        "exact_match": np.mean([a == b for a, b in zip(true, pred, strict=True)]),
        "tokens_macro_f1": ix.f1([*chain(*true)], [*chain(*pred)], average="macro"),
    }
    for tags in (TAGS, dict(enumerate(TAGS))):
        compute_metrics = ix.integrations.hf(*names, tags=tags, undefined=0)
        assert compute_metrics((logits, ids)) == pytest.approx(expected)
        assert compute_metrics((logits.argmax(2), ids)) == pytest.approx(expected)
        *first, last = batches(logits, ids)
        for batch in first:
            compute_metrics(batch, compute_result=False)
        assert compute_metrics(last, compute_result=True) == pytest.approx(expected)
    strict = ix.integrations.hf("micro f1", tags=TAGS, mode="strict")((logits, ids))
    assert strict == {"micro_f1": ix.tasks.sequences(true, pred, mode="strict").entities.score("f1", "micro")}


def test_an_undefined_score_stays_nan() -> None:
    found = ix.integrations.hf("precision", "macro f1", positive=1, undefined="nan")((LOGITS[:4, :2] - [0, 99], IDS[:4] * 0))
    assert math.isnan(found["precision"])
    empty = ix.integrations.hf("micro f1", "exact_match", tags=TAGS)((np.zeros((2, 3), int), np.full((2, 3), -100)))
    assert math.isnan(empty["micro_f1"])
    assert empty["exact_match"] == 1.0
    assert all(map(math.isnan, ix.integrations.hf("macro f1", "exact_match")((LOGITS[:2], IDS[:2] * 0 - 100)).values()))


@for_each(
    ("call", "message"),
    [
        (lambda: ix.integrations.hf(), "Name the scores"),
        (lambda: ix.integrations.hf(tags=TAGS), "Name the scores"),
        (lambda: ix.integrations.hf("macro F1"), "There is no measure 'F1'"),
        (lambda: ix.integrations.hf("tokens macro F1", tags=TAGS), "There is no measure 'F1'"),
        (lambda: ix.integrations.hf("macro f1", clases=3), "^hf takes no clases="),
        (lambda: ix.integrations.hf("macro f1", tags=TAGS, scheme="IOB"), "scheme='IOB'"),
        (lambda: ix.integrations.hf("macro f1", kind="binary"), "kind='binary' is unknown"),
        (lambda: ix.integrations.hf("macro f1")((TOKEN_IDS, TOKEN_IDS)), "Give kind='multilabel' if every column is a label"),
        (lambda: ix.integrations.hf("macro f1")((LOGITS, IDS + 0.5)), "is not a whole number"),
        (lambda: ix.integrations.hf("macro f1")((LOGITS, IDS[1:])), r"shape \(60, 4\) and the labels \(59,\)"),
        (lambda: ix.integrations.hf("macro f1", tags=TAGS)((TOKEN_IDS, TOKEN_IDS - 1)), "has no name in tags="),
        (lambda: ix.integrations.hf("macro f1", tags=TAGS)((LOGITS, IDS)), r"Tags are label ids \(sequences, tokens\)"),
        (lambda: ix.integrations.hf("macro f1", tags=TAGS)((TOKEN_LOGITS * np.nan, TOKEN_IDS)), "An output of the model is NaN"),
        (lambda: ix.integrations.hf("f1", "f-1"), "f-1"),
        (lambda: ix.integrations.huggingface, "has no attribute 'huggingface'; it has card_results"),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError), match=message):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("batched", [False, True])
def test_a_trainer_reports_the_scores(batched: bool, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="pip install 'indicatrix[huggingface]'")
    config = transformers.BertConfig(
        vocab_size=30,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=8,
        num_labels=3,
    )
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(config)
    rows = [{"input_ids": torch.randint(0, 30, (5,)), "labels": torch.tensor(i % 3)} for i in range(22)]
    arguments = transformers.TrainingArguments(
        output_dir=str(tmp_path),
        max_steps=1,
        per_device_train_batch_size=4,
        per_device_eval_batch_size=4,
        eval_strategy="steps",
        eval_steps=1,
        batch_eval_metrics=batched,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
        dataloader_pin_memory=False,
    )
    names = ("macro f1", "exact_match")
    trainer = transformers.Trainer(
        model, arguments, train_dataset=rows, eval_dataset=rows, compute_metrics=ix.integrations.hf(*names)
    )
    trainer.train()
    logged = next(entry for entry in trainer.state.log_history if "eval_macro_f1" in entry)
    logits = model(torch.stack([row["input_ids"] for row in rows]).to(model.device)).logits.detach().numpy()
    ev = ix.evaluate([int(row["labels"]) for row in rows], logits, decide="argmax")
    assert logged["eval_macro_f1"] == ev.score("f1", "macro")
    assert logged["eval_exact_match"] == ev.score("exact_match")
