"""Logs are read as the programs that wrote them mean them; other files are refused."""

from __future__ import annotations

import gzip
import json
import math
import re
import shutil
import zlib
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import indicatrix as ix
from indicatrix.evals.read.inspect_logs import open_archive

LOGS = Path(__file__).parent / "logs"
INSPECT, HARNESS = LOGS / "inspect", LOGS / "harness"


def test_inspect_scores_and_standard_errors_are_those_of_inspect() -> None:
    for path in sorted(INSPECT.glob("*.eval")):
        scores = open_archive(path)["results"]["scores"]
        runs = ix.read_evals(path)
        for score in scores:
            (name,) = [s for s in runs.scorers if s.rpartition("/")[2] == score["name"]]
            for metric, clusters in (("accuracy", None), ("mean", None), ("stderr", None)):
                if metric not in score["metrics"]:
                    continue
                clusters = score["metrics"][metric].get("params", {}).get("cluster") if metric == "stderr" else None
                clusters = "passage" if (metric, score["name"]) == ("stderr", "closeness") else clusters
                one = runs.only(scorer=name)
                found = one.variance(clusters=clusters)["standard_error"] if metric == "stderr" else float(one.score())
                assert found == pytest.approx(score["metrics"][metric]["value"], rel=1e-9), (path.name, score["name"], metric)


def test_json_of_inspect_says_what_its_archive_says() -> None:
    one, other = ix.read_evals(LOGS / "inspect_json" / "sums_small.json"), ix.read_evals(INSPECT / "sums_small.eval")
    for a, b in zip(one.answers, other.answers, strict=True):  # an archive has its samples in another order
        assert (a.key, dict(zip(a.questions, a.totals, strict=True))) == (
            b.key,
            dict(zip(b.questions, b.totals, strict=True)),
        )
    assert one.answers[0].about["library"] == "inspect_ai"
    with pytest.raises(ValueError, match=r"was given twice: .*sums_small.*Give it once"):
        ix.read_evals([LOGS / "inspect_json", INSPECT])


def test_logs_of_evaluations_that_did_not_end_say_so(tmp_path: Path) -> None:
    """What they have is scored, but the questions that they lack may be harder."""
    log = json.loads((LOGS / "inspect_json" / "sums_small.json").read_text("utf-8"))
    cut = {**log, "status": "cancelled", "samples": log["samples"][:2]}
    (tmp_path / "cut.json").write_text(json.dumps(cut), "utf-8")
    runs = ix.read_evals(tmp_path / "cut.json")
    said = "on 'sums' did not end: its log says 'cancelled'."
    assert said in str(runs)
    runs.to_html(tmp_path / "page.html")
    assert "on &#x27;sums&#x27; did not end" in (tmp_path / "page.html").read_text("utf-8")
    assert said not in str(ix.read_evals(LOGS / "inspect_json"))
    other = ix.read_evals({"question": [1, 2], "score": [1, 0], "task": ["sums"] * 2, "model": ["b"] * 2})
    assert said in " ".join((runs + other).compare().doubts)
    more = {**cut, "status": "success", "eval": {**cut["eval"], **dict.fromkeys(("eval_id", "run_id", "task_id"), "x")}}
    (tmp_path / "more.json").write_text(json.dumps(more), "utf-8")
    assert said in str(ix.read_evals(tmp_path / "more.json") + runs)


def test_a_log_and_its_retry_are_not_joined(tmp_path: Path) -> None:
    """What `inspect eval-retry` writes has the task_id of the first log and the samples that had ended."""
    log = json.loads((LOGS / "inspect_json" / "sums_small.json").read_text("utf-8"))
    first = {**log, "status": "error", "samples": log["samples"][:9]}
    again = {**log, "eval": {**log["eval"], "eval_id": "x", "run_id": "x"}}
    for name, one in (("first", first), ("again", again)):
        (tmp_path / f"{name}.json").write_text(json.dumps(one), "utf-8")
    with pytest.raises(
        ValueError, match=r"given twice: .*again.json and .*first.json. Give it once; of logs that were retried, the"
    ):
        ix.read_evals(tmp_path, repeats="join")


def test_archives_compressed_by_zstd_are_read(tmp_path: Path) -> None:
    """The logs of Inspect here are; this one is made by hand, with the parts of a sample file next to each other."""
    content = {"header.json": {"version": 2, "eval": {"task": "t", "model": "m", "eval_id": "e"}}}
    content |= {f"samples/{i}_epoch_1.json": {"id": i, "scores": {"match": {"value": "CI"[i % 2]}}} for i in range(4)}
    path = tmp_path / "zstd.eval"
    with ZipFile(path, "w") as archive:  # a stored archive, whose bytes and headers then say that they are compressed
        for name, data in content.items():
            text = json.dumps(data).encode()
            packed = pa.Codec("zstd").compress(text, asbytes=True)
            archive.writestr(name, packed)
            archive.getinfo(name).compress_type = 93
            archive.getinfo(name).file_size, archive.getinfo(name).CRC = len(text), zlib.crc32(text)
    assert ix.read_evals(path).score() == 0.5


def test_samples_that_failed_have_no_score(tmp_path: Path) -> None:
    samples = [{"id": i, "epoch": 1, "scores": {"match": {"value": "C" if i else "I"}}} for i in range(3)]
    samples.append({"id": 3, "epoch": 1, "error": {"message": "out of time"}})
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {"task": "t", "model": "m"}, "samples": samples}), "utf-8")
    runs = ix.read_evals(path)
    assert runs.score() == pytest.approx(2 / 3)
    assert runs.score(undefined=0) == 0.5
    assert runs.score().undefined_units == (3,) or list(runs.score().undefined_units) == [3]
    assert runs.interval(undefined=0).value == 0.5


def test_samples_of_the_harness_have_its_means_and_standard_errors() -> None:
    runs = ix.read_evals(HARNESS)
    assert runs.models == ("toy/large", "toy/small")
    for path in HARNESS.rglob("results_*.json"):
        data = json.loads(path.read_text("utf-8"))
        for task, found in data["results"].items():
            for key, value in found.items():
                metric, comma, filter = key.partition(",")
                if comma and not metric.endswith("_stderr"):
                    one = runs.only(task=task, model=data["model_name"], scorer=metric if filter == "none" else key)
                    assert one.score() == pytest.approx(value)
                    error = found[f"{metric}_stderr,{filter}"]
                    assert one.variance()["standard_error"] == pytest.approx(error, rel=1e-9)


def test_results_of_the_harness_alone_give_shares(tmp_path: Path) -> None:
    (path,) = (HARNESS / "toy__small").glob("results_*.json")
    shutil.copy(path, tmp_path)
    alone, samples = ix.read_evals(tmp_path), ix.read_evals(HARNESS / "toy__small")
    for one in samples.answers:
        same = alone.only(task=one.task, scorer=one.scorer)
        assert (same.score(), same.interval().low) == (
            samples.only(task=one.task, scorer=one.scorer).score(),
            same.interval().low,
        )
    said = ix.compare(alone + ix.read_evals(HARNESS / "toy__large")).doubts
    assert any("of toy/small only means are known" in text for text in said)
    data = json.loads(path.read_text("utf-8"))
    data["results"] = {"sums": {"name": "sums", "bleu,none": 31.5, "bleu_stderr,none": 0.4}}
    (tmp_path / path.name).write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValueError, match=r"means of 'sums', but not what each question scored. Run lm_eval with --log_samples"):
        ix.read_evals(tmp_path)


def test_lower_is_better_where_the_harness_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "lab__model"
    folder.mkdir()
    date = "2026-01-01T00-00-00.000000"
    results = {
        "model_name": "lab/model",
        "higher_is_better": {"t": {"loss": False}},
        "configs": {},
        "results": {},
        "n-samples": {},
    }
    (folder / f"results_{date}.json").write_text(json.dumps(results), "utf-8")
    rows = [{"doc_id": i, "doc": {}, "metrics": ["loss"], "filter": "none", "loss": i * 2.5} for i in range(4)]
    (folder / f"samples_t_{date}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    runs = ix.read_evals(folder)
    assert (runs.models, runs.single().better, runs.score().measure.better) == (("lab/model",), "lower", "lower")
    assert runs.interval().low < 3.75 < runs.interval().high


def test_details_that_lighteval_wrote() -> None:
    """make_lighteval_logs.py made them: the means and their standard errors are those that the program itself found."""
    logs = HARNESS.parent / "lighteval"
    runs = ix.read_evals(logs)
    assert (runs.tasks, runs.scorers) == (("capitals-0",), ("acc",))
    for model in ("lab/dummy1", "lab/dummy2"):
        (path,) = (logs / "results" / model).glob("*.json")
        found, one = json.loads(path.read_text("utf-8"))["results"]["capitals|0"], runs.only(model=model)
        assert one.score() == pytest.approx(found["acc"])
        assert np.std(one.single().scores, ddof=1) / np.sqrt(6) == pytest.approx(found["acc_stderr"])
        assert {*one.single().targets} == {"Paris", "Rome", "Madrid", "Lisbon", "Berlin", "Vienna"}
    assert runs.answers[0].columns["region"] == ["south", "south", "south", "north", "south", "north"]


@pytest.mark.parametrize("nested", [True, False])
def test_details_of_lighteval(tmp_path: Path, nested: bool) -> None:
    date = "2025-06-25T10-55-05.197729"
    folder = tmp_path / "details" / "lab" / "model" / date
    folder.mkdir(parents=True)
    rows: list[dict[str, object]] = []
    for i in range(3):
        if nested:
            doc = {"id": f"q{i}", "choices": ["A", "B"], "gold_index": [i % 2], "query": "?"}
            rows.append({"doc": doc, "metric": {"pass@k:k=1": float(i > 0)}, "model_response": {"text": ["A"]}})
        else:
            rows.append(
                {"full_prompt": "?", "metrics": f"{{'pass@k:k=1': {float(i > 0)}}}", "choices": "['A', 'B']", "gold_index": "0"}
            )
    pq.write_table(pa.Table.from_pylist(rows), folder / f"details_lighteval|aime24|0_{date}.parquet")
    runs = ix.read_evals(tmp_path)
    assert (runs.tasks, runs.models, runs.scorers) == (("lighteval|aime24|0",), ("lab/model",), ("pass@k:k=1",))
    assert runs.score() == pytest.approx(2 / 3)
    assert runs.single().questions == (("q0", "q1", "q2") if nested else (0, 1, 2))
    assert runs.single().targets == (("A", "B", "A") if nested else ("A", "A", "A"))


def promptfoo_rows() -> list[dict[str, object]]:
    """Return results of two providers, two tests and two repeats; one call failed."""
    rows: list[dict[str, object]] = []
    for repeat in range(2):
        for test, word in enumerate(("cat", "dog")):
            for prompt, provider in enumerate(("openai:a", "openai:b")):
                right = (test + prompt + repeat) % 2 == 0
                failed = (repeat, test, provider) == (1, 1, "openai:b")
                own = {"success": right, "score": 0.25 + 0.5 * right, "failureReason": 2 if failed else int(not right)}
                rows.append(
                    {
                        **own,
                        "provider": {"id": provider},
                        "vars": {"word": word},
                        "promptIdx": prompt,
                        "testIdx": 2 * repeat + test,
                    }
                )
    return rows


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_results_of_promptfoo(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"results.{ending}"
    rows = promptfoo_rows()
    whole = {"evalId": "e", "results": {"version": 3, "results": rows, "stats": {}}, "config": {"description": "animals"}}
    path.write_text(json.dumps(whole) if ending == "json" else "\n".join(map(json.dumps, rows)), "utf-8")
    runs = ix.read_evals(path)
    assert (runs.tasks, runs.models) == (("animals",) if ending == "json" else ("results",), ("openai:a", "openai:b"))
    assert runs.only(model="openai:a", scorer="success").single().tries.tolist() == [2, 2]
    assert runs.only(model="openai:b", scorer="success").single().tries.tolist() == [2, 1]
    assert runs.only(model="openai:a", scorer="score").score() == 0.5


def test_results_of_promptfoo_have_the_shapes_of_its_own_files(tmp_path: Path) -> None:
    """The keys are those of files of promptfoo/promptfoo: what they hold is made up.

    Version 2: results of October 2024 in test/server/v3evalToShare.json, without numbers of prompts. Version 3:
    examples/huggingface-bbq/bbq_results.json and redteam_tracing_results.json. Shared (4): test/server/v4evalToShare.json.
    """

    def row(word: str, prompt: int, right: bool, **more: object) -> dict[str, object]:
        return {
            "provider": {"id": "openai:a", "label": ""},
            "prompt": {"raw": f"Say {word}", "label": "Say {{word}}" if prompt else "{{word}}?"},
            "vars": {"word": word},
            "success": right,
            "score": float(right),
            "namedScores": {},
            "latencyMs": 3,
            "cost": 0.1,
            "gradingResult": {"pass": right, "score": float(right), "reason": "", "assertion": None},
        } | more

    def read(name: str, whole: object) -> ix.types.Runs:
        (tmp_path / name).write_text(json.dumps(whole), "utf-8")
        return ix.read_evals(tmp_path / name)

    pairs = [(word, prompt) for word in ("cat", "dog", "hen") for prompt in (0, 1)]
    second = [row(word, prompt, bool(prompt), response={"output": word}) for word, prompt in pairs]
    runs = read("2.json", {"results": {"version": 2, "timestamp": "", "results": second, "table": {}, "stats": {}}, "config": {}})
    assert runs.models == ("openai:a (prompt 1)", "openai:a (prompt 2)")  # prompts are not answers to the same question again
    assert [runs.only(model=model, scorer="score").score() for model in runs.models] == [0, 1]
    assert runs.only(model=runs.models[0], scorer="score").single().tries.tolist() == [1, 1, 1]
    shared = [
        {**row(w, p, bool(p), promptIdx=p, testIdx=0, providerResponse={"output": w}), "testCase": {"vars": {"word": w}}}
        for w, p in pairs
    ]
    for own in shared:
        del own["vars"]
    again = read("4.json", {"id": "e", "createdAt": 1, "config": {"description": "animals"}, "results": shared, "prompts": []})
    assert (again.tasks, again.models) == (("animals",), runs.models)
    assert again.only(model=runs.models[1], scorer="score").single().said == ("cat", "dog", "hen")
    attacks = [
        row("cat", 0, not strategy, promptIdx=0, testCase={"vars": {}, "metadata": {"pluginId": "pii", **strategy}})
        for strategy in ({}, {"strategyId": "jailbreak"})
    ]
    summary = {"version": 3, "timestamp": "", "prompts": [], "results": attacks, "stats": {}}
    attacked = (
        read("3.json", {"evalId": "f", "results": summary, "config": {}, "shareableUrl": None}).only(scorer="success").single()
    )
    assert attacked.n == 2  # the same words, with and without a jailbreak
    assert attacked.columns["strategyId"] == [None, "jailbreak"]


def test_tables_of_every_kind_are_the_same_runs(tmp_path: Path) -> None:
    columns = {
        "id": [1, 1, 2, 2, 3, 3],
        "right": [1, 0, 1, 1, 0, 0],
        "llm": ["a", "b"] * 3,
        "topic": ["x", "x", "x", "x", "y", "y"],
    }
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    named = {"question": "id", "score": "right", "model": "llm"}
    given = [
        columns,
        frame,
        pl.DataFrame(columns),
        pa.table(columns),
        *(tmp_path / f"t.{e}" for e in ("csv", "parquet", "jsonl")),
    ]
    for one in given:
        runs = ix.read_evals(one, **named)
        assert runs.models == ("a", "b"), one
        assert float(runs.only(model="a").score()) == pytest.approx(2 / 3), one
        assert runs.only(model="a").single().columns == {"topic": ["x", "x", "y"]}
    several = ix.read_evals({**columns, "graded": [0.5] * 6}, question="id", score=["right", "graded"], model="llm")
    assert several.scorers == ("right", "graded")


def test_what_is_written_out_is_read_again() -> None:
    runs = ix.read_evals(HARNESS)
    again = ix.read_evals(runs.only(scorer="acc").to_dict())
    assert [(a.task, a.model, a.scores.tolist()) for a in again.answers] == [
        (a.task, a.model, a.scores.tolist()) for a in runs.only(scorer="acc").answers
    ]


@pytest.mark.parametrize("folder", ["inspect", "harness", "lighteval"])
def test_labels_and_columns_of_any_name_are_written_out(folder: str) -> None:
    """Targets and answers were lost, and a column of questions that is called question or score took its place."""
    runs = ix.read_evals(LOGS / folder)
    again = ix.read_evals(runs.to_dict())
    for a, b in zip(runs.answers, again.answers, strict=True):
        assert (a.key, a.questions, a.targets, a.said) == (b.key, b.questions, b.targets, b.said)
    assert "target" in runs.to_polars().columns
    table = {
        "id": [1, 2],
        "right": [1, 0],
        "question": ["x", "x"],
        "score": [0.5, 0.7],
        "target": ["u", "v"],
        "better": ["?", "!"],
    }
    named = ix.read_evals(table, question="id", score="right", target="no", better="no").to_dict()
    assert (named["question"], named["score"], named["question_"], named["score_"]) == ([1, 2], [1, 0], ["x", "x"], [0.5, 0.7])
    assert (named["target_"], named["better_"]) == (["u", "v"], ["?", "!"])
    assert "target" not in named


def test_questions_of_csv_are_as_they_are_written(tmp_path: Path) -> None:
    """001 and 1 were one question; plain numbers are those of other files."""
    path = tmp_path / "a.csv"
    for text, questions in (("001,1,\n1,0,\n", ("001", "1")), ("7,1,x\n8,0,y\n", (7, 8)), ("q,1,x\n1.0,0,y\n", ("q", "1.0"))):
        path.write_text("question,score,target\n" + text, "utf-8")
        assert ix.read_evals(path).single().questions == questions
    for text in (",1\nx,0\n", ",1\n01,0\n"):
        path.write_text("question,score\n" + text, "utf-8")
        with pytest.raises(ValueError, match="names no question"):
            ix.read_evals(path)
    path.write_text("id,score,target\n01,1,x\n", "utf-8")
    with pytest.raises(ValueError, match="no column 'question'"):
        ix.read_evals(path)


def test_scorers_and_directions_are_read_again() -> None:
    """Two scorers are not answers to one question, and the model with lower losses stays the better one."""
    table = {"question": [*range(30)] * 2, "exact": [1, 0, 1] * 20, "loss": [0.2 + k / 100 for k in range(30)] + [0.9] * 30}
    table |= {"model": ["a"] * 30 + ["b"] * 30, "direction": ["lower"] * 60}
    losses = ix.read_evals(table, score="loss", better="direction")
    exact = ix.read_evals({name: own for name, own in table.items() if name != "direction"}, score="exact")
    runs = losses + exact
    assert [(a.scorer, a.better) for a in runs.answers] == [("loss", "lower")] * 2 + [("exact", "higher")] * 2
    again = ix.read_evals(runs.to_dict())
    assert str(again) == str(ix.read_evals(again.to_dict()))
    for one in runs.answers:
        (same,) = (a for a in again.answers if a.key == one.key)
        assert (same.better, same.scores.tolist(), same.questions) == (one.better, one.scores.tolist(), one.questions)
    (difference,) = again.only(scorer="loss").compare().differences
    assert str(difference).startswith("a has a lower task loss than b")
    wide = ix.read_evals({"question": [1, 2], "scorer": ["ann", "bob"], "x": [1, 0], "y": [0, 1]}, score=["x", "y"])
    assert wide.scorers == ("ann/x", "ann/y", "bob/x", "bob/y")
    assert ix.read_evals({"question": [1, 1], "score": [1, 0], "scorer": ["ann", "bob"]}, scorer="no").single().n == 1


def test_a_direction_is_one_of_two() -> None:
    for said in (["lower", "higher"], ["lower", None], ["A", "B"]):
        with pytest.raises(ValueError, match=r"says which scores are better: 'higher' or 'lower' .* as better=\."):
            ix.read_evals({"question": [1, 2], "score": [1, 0], "better": said})


def test_means_that_are_written_out_have_no_questions(tmp_path: Path) -> None:
    """Right answers first, as they are held, are not the answers of the same questions as another model's."""
    for model, right in (("a", 0.6), ("b", 0.4)):
        error = math.sqrt(right * (1 - right) / 29)
        (tmp_path / model).mkdir()
        data = {"model_name": model, "results": {"sums": {"acc,none": right, "acc_stderr,none": error}}, "configs": {"sums": {}}}
        data["n-samples"] = {"sums": {"effective": 30, "original": 30}}
        (tmp_path / model / "results_2026-01-01.json").write_text(json.dumps(data), encoding="utf-8")
    runs = ix.read_evals(tmp_path)
    assert set(runs.to_dict()["question"]) == {None}
    with pytest.raises(ValueError, match="names no question"):
        ix.read_evals(runs.to_dict())


def test_words_numbers_and_objects_as_scores() -> None:
    words = ["C", "I", "P", "N", True, "false", "yes", "0.25", np.float32(0.5), None]
    runs = ix.read_evals({"question": range(10), "score": words})
    assert runs.single().scores[:-1].tolist() == [1, 0, 0.5, 0, 1, 0, 1, 0.25, 0.5]
    assert math.isnan(runs.single().scores[-1])
    letters = ix.read_evals({"question": range(5), "score": ["A", "B", "C", "D", "A"], "target": ["A", "C", "C", "D", "A"]})
    assert letters.evaluate().score("accuracy") == 0.8
    for labels in (["A", "B", "C"], ["yes", "no", "maybe"]):  # C and yes are not right answers there
        with pytest.raises(ValueError, match=f"'score' gives labels such as '{labels[0]}', not scores: runs.evaluate"):
            ix.read_evals({"question": range(3), "score": labels}).score()
    assert ix.read_evals({"question": range(4), "score": ["yes", "", "no", None]}).score() == 0.5
    nested = ix.read_evals({"question": [1, 2], "score": [{"a": 1, "b": [0, 1]}, {"a": 0, "b": [1, 1]}]})
    assert nested.scorers == ("score/a", "score/b/0", "score/b/1")


def test_repeated_logs_are_joined_or_kept_apart_but_never_silently(tmp_path: Path) -> None:
    for name, scores in (("one", [1, 0]), ("two", [1, 1])):
        rows = [{"question": q, "score": s, "model": "m", "task": "t"} for q, s in enumerate(scores)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    with pytest.raises(ValueError, match=r"There are two logs of 'm' on 't'.*one.jsonl and .*two.jsonl\. repeats='join'"):
        ix.read_evals(tmp_path)
    joined = ix.read_evals(tmp_path, repeats="join")
    assert (joined.single().tries.tolist(), joined.score()) == ([2, 2], 0.75)
    apart = ix.read_evals(tmp_path, repeats="apart")
    assert apart.models == ("m", "m #2")
    added = ix.read_evals(tmp_path / "one.jsonl") + ix.read_evals(tmp_path / "two.jsonl")
    assert added.to_dict() == joined.to_dict()
    with pytest.raises(ValueError, match="was given twice"):
        joined + ix.read_evals(tmp_path / "one.jsonl")
    with pytest.raises(ValueError, match="repeats='both' is unknown"):
        ix.read_evals(tmp_path, repeats="both")


def test_what_is_no_log_is_refused_by_name_and_passed_over_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{}", "utf-8")
    with pytest.raises(ValueError, match=r"There are no answers in .* Logs are those of Inspect"):
        ix.read_evals(tmp_path)
    with pytest.raises(ValueError, match=r"settings.json is not an evaluation log that is known here"):
        ix.read_evals(tmp_path / "settings.json")
    (tmp_path / "rows.jsonl").write_text('{"question": 1, "scores": 1}\n', "utf-8")
    with pytest.raises(ValueError, match=r"has no column 'score'. Did you mean scores.*name that of scores as score="):
        ix.read_evals(tmp_path / "rows.jsonl")
    (tmp_path / "rows.jsonl").write_text('{"question": 1, "score": 1}\n{"question":\n', "utf-8")
    with pytest.raises(ValueError, match=r"rows.jsonl, line 2, is not JSON"):
        ix.read_evals(tmp_path / "rows.jsonl")
    (tmp_path / "log.eval").write_bytes(b"PK")
    with pytest.raises(ValueError, match=r"log.eval is not a log of Inspect: it is not a zip archive"):
        ix.read_evals(tmp_path / "log.eval")
    with ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("samples/1_epoch_1.json", "{}")
    with pytest.raises(ValueError, match=r"has no header.json: the evaluation did not end"):
        ix.read_evals(tmp_path / "log.eval")
    (tmp_path / "log.json").write_text('{"eval": {"task": "t"}, "samples": []}', "utf-8")
    with pytest.raises(ValueError, match=r"log.json looks like an evaluation log, but cannot be read: it has no 'model'"):
        ix.read_evals(tmp_path / "log.json")
    with pytest.raises(FileNotFoundError, match=r"There is no file .*nothing.*pattern"):
        ix.read_evals(tmp_path / "nothing*.eval")
    for wrong in (5, None, [], [5], b"logs"):
        with pytest.raises(TypeError, match=r"path. Give a file, a folder, a pattern"):
            ix.read_evals(wrong)
    with pytest.raises(TypeError, match=r"question is 5. Give a list"):
        ix.read_evals({"question": 5, "score": [1]})
    with pytest.raises(TypeError, match=r"questions is 5. Give a list"):
        ix.pass_at_k(5, [1])
    with pytest.raises(ValueError, match="names no question"):
        ix.read_evals({"question": [1, None], "score": [1, 0]})
    for empty in ({"question": [], "score": []}, pd.DataFrame({"question": [], "score": []})):
        with pytest.raises(ValueError, match="There are no answers"):
            ix.read_evals(empty)
    with pytest.raises(ValueError, match="A score is inf"):
        ix.read_evals({"question": [1], "score": [math.inf]})
    with pytest.raises(ValueError, match="different lengths: question 2, score 1"):
        ix.read_evals({"question": [1, 2], "score": [1]})


class UnharmedError(Exception):
    """A file is read, because what was damaged in it is not looked at."""


def read_whole(path: Path) -> None:
    """Read a file, and say if nothing was wrong with it."""
    ix.read_evals(path)
    raise UnharmedError


READ = [
    path for path in sorted(LOGS.rglob("*.*"), key=str) if path.is_file() and LOGS / "lighteval" / "results" not in path.parents
]


@pytest.mark.parametrize("path", READ, ids=lambda path: path.name)
def test_damaged_logs_are_refused_by_name(path: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    whole = path.read_bytes()
    for kind in range(3):
        cut = whole[: len(whole) // 2] if kind == 0 else bytearray(whole)
        if kind:
            for place in rng.integers(0, len(whole), 3):
                cut[place] ^= int(rng.integers(1, 256))  # type: ignore[index]
        damaged = tmp_path / path.name
        damaged.write_bytes(bytes(cut))
        with suppress(UnharmedError), pytest.raises(ValueError, match=f"{re.escape(path.name)}|A score is"):
            read_whole(damaged)


def test_tables_of_one_name_in_two_folders_are_two_logs(tmp_path: Path) -> None:
    """A file is known by its place: others of its name hold further answers, and the same one is read once."""
    for folder, score in (("monday", 1), ("tuesday", 0)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.csv").write_text(f"question,score\n1,{score}\n2,1\n", encoding="utf-8")
    runs = ix.read_evals(tmp_path, repeats="join")
    assert (runs.models, runs.score(), runs.single().tries.tolist()) == (("a",), 0.75, [2, 2])
    with pytest.raises(ValueError, match="There are two logs of 'a'"):
        ix.read_evals(tmp_path)
    monday = ix.read_evals(tmp_path / "monday" / "a.csv")
    with pytest.raises(ValueError, match="was given twice"):
        _ = monday + ix.read_evals(tmp_path / "monday" / "a.csv")


def test_logs_that_are_joined_at_once_are_those_that_are_added_one_by_one(tmp_path: Path) -> None:
    """Each has a question of its own, and the last one lacks a column."""
    alone = []
    for day in range(3):
        about = {"model": "m", "task": "t", "target": "A", "topic": "x"} | ({"place": "y"} if day < 2 else {})
        rows = [{"question": q, "score": (q + day) % 2, "answer": "AB"[q % 2], **about} for q in (0, 1, 2 + day)]
        (tmp_path / f"{day}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        alone.append(ix.read_evals(pd.DataFrame(rows)))
    at_once, added = ix.read_evals(tmp_path, repeats="join"), alone[0] + alone[1] + alone[2]
    assert at_once.to_dict() == added.to_dict()
    assert at_once.single().tries.tolist() == [3, 3, 1, 1, 1]
    assert at_once.single().questions == added.single().questions == (0, 1, 2, 3, 4)
    assert (at_once.single().columns, at_once.single().targets) == ({"topic": ["x"] * 5}, ("A",) * 9)
    assert at_once.evaluate().score("accuracy") == added.evaluate().score("accuracy") == 5 / 9


def test_logs_that_gzip_made_smaller_are_read(tmp_path: Path) -> None:
    rows = [{"question": k, "score": k % 2} for k in range(9)]
    text = "\n".join(map(json.dumps, rows))
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "plain.csv.gz", index=False)
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "no_name.jsonl").write_bytes(gzip.compress(text.encode()))
    shutil.copy(LOGS / "inspect_json" / "sums_small.json", tmp_path / "sums.json")
    whole = ix.read_evals(frame)
    for name in ("plain.csv.gz", "rows.jsonl.gz", "no_name.jsonl"):
        assert ix.read_evals(tmp_path / name).score() == whole.score()
    packed = tmp_path / "packed"
    packed.mkdir()
    (packed / "sums.json.gz").write_bytes(gzip.compress((tmp_path / "sums.json").read_bytes()))
    assert str(ix.read_evals(packed)) == str(ix.read_evals(tmp_path / "sums.json"))  # a folder has them, too
    (packed / "cut.jsonl.gz").write_bytes(gzip.compress(text.encode())[:40])
    with pytest.raises(ValueError, match=r"cut.jsonl.gz cannot be read: "):
        ix.read_evals(packed)
