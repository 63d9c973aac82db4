"""Runs: scores, intervals, comparisons, plans and exports of what models answered."""

from __future__ import annotations

import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.inference.stats.proportions import PROPORTIONS

RNG = np.random.default_rng(3)
LOGS = Path(__file__).parent / "logs"


def drawn(n: int = 60, answers: int = 3, models: tuple[str, ...] = ("a", "b"), seed: int = 0) -> dict[str, list[Any]]:
    """Return answers of models to the same questions, in passages of three."""
    rng = np.random.default_rng(seed)
    likely = np.repeat(rng.beta(2, 2, n), answers)
    table: dict[str, list[Any]] = {"question": [], "score": [], "model": [], "passage": []}
    for i, model in enumerate(models):
        table["question"] += [f"q{k}" for k in np.repeat(np.arange(n), answers)]
        table["score"] += (rng.random(n * answers) < np.clip(likely + 0.15 * i, 0, 1)).astype(float).tolist()
        table["model"] += [model] * n * answers
        table["passage"] += [f"p{k // 3}" for k in np.repeat(np.arange(n), answers)]
    return table


@given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from([0.0, 0.5, 1.0, math.nan])), min_size=1, max_size=30))
def test_a_score_is_the_mean_over_questions_of_their_means(rows: list[tuple[int, float]]) -> None:
    questions, scores = zip(*rows, strict=True)
    runs = ix.read_evals({"question": questions, "score": scores})
    means = [np.nanmean(own) for q in set(questions) if np.isfinite(own := [s for p, s in rows if p == q]).any()]
    assert float(runs.score()) == pytest.approx(np.mean(means) if means else math.nan, nan_ok=True)
    lost = len(set(questions)) - len(means)
    assert float(runs.score(undefined=0)) == pytest.approx(sum(means) / (len(means) + lost))


def test_single_answers_have_the_interval_of_a_share() -> None:
    runs = ix.read_evals({"question": range(30), "score": [1] * 21 + [0] * 9})
    assert tuple(runs.interval()) == pytest.approx(PROPORTIONS["mid_p"](21, 30, 0.95))
    assert tuple(runs.interval(method="wilson", level=0.9)) == pytest.approx(PROPORTIONS["wilson"](21, 30, 0.9))


def test_clusters_by_column_by_mapping_and_by_list_are_the_same() -> None:
    run = ix.read_evals(drawn()).only(model="a")
    one = run.single()
    named = run.interval(clusters="passage")
    by_name = dict(zip(one.questions, one.columns["passage"], strict=True))
    assert named == run.interval(clusters=by_name) == run.interval(clusters=list(one.columns["passage"]))
    assert named == ix.pass_at_k(run, k=1, interval=True, clusters="passage") or named.width > 0
    copies = {k: [*v, *v] for k, v in drawn(models=("a",)).items()}
    copies["question"][len(copies["question"]) // 2 :] = [
        f"{q} again" for q in copies["question"][len(copies["question"]) // 2 :]
    ]
    copies["original"] = [q.removesuffix(" again") for q in copies["question"]]
    twice = ix.read_evals(copies)
    alone = ix.read_evals(drawn(models=("a",)))
    assert twice.variance(clusters="original")["standard_error"] == pytest.approx(alone.variance()["standard_error"])
    assert twice.variance()["standard_error"] < 0.8 * alone.variance()["standard_error"]
    with pytest.raises(ValueError, match=r"clusters='passages' is not a column of 'task'. The columns are 'passage'"):
        run.interval(clusters="passages")
    with pytest.raises(ValueError, match="does not say to which group question 'q0'"):
        run.interval(clusters={"q1": 1})


@pytest.mark.parametrize("measure", ["mean_score", "pass_at_k(k=2)", "pass_hat_k(k=3)"])
def test_every_measure_has_every_method_and_goes_through_every_door(measure: str) -> None:
    run = ix.read_evals(drawn()).only(model="a")
    for method in (None, "score", "delta", "bca", "percentile", "jackknife", "posterior"):
        found = run.interval(measure, method=method)
        assert 0 <= found.low < found.value < found.high <= 1, method
    score = run.score(measure)
    assert pickle.loads(pickle.dumps(score)) == score
    assert len(score.values) == 60
    assert ix.inference.interval(run, score.measure) == run.interval(measure).__class__(
        **{**run.interval(measure).__dict__, "average": "exemplar"}
    )


def test_pairs_of_right_and_wrong_answers_have_mcnemar_as_labels_do() -> None:
    table = drawn(80, 1)
    right = np.array(table["score"]).reshape(2, -1)
    found = ix.compare(ix.read_evals(table)).differences[0]
    labels = ix.compare(np.ones(80, int), {"a": right[0].astype(int), "b": right[1].astype(int)}, "accuracy").differences[0]
    assert (found.first, found.second, found.method, found.p) == (labels.first, labels.second, labels.method, labels.p)
    assert found.value == pytest.approx(labels.value)
    assert (found.low, found.high) == pytest.approx((labels.low, labels.high), abs=0.01)
    assert f"correlation of {np.corrcoef(right)[0, 1]:.2f}" in found.note


def test_models_are_compared_on_the_questions_that_all_answered() -> None:
    table = drawn(30, 2, ("a", "b", "c"))
    keep = [
        not (m == "c" and q == "q0") and not (m == "a" and q == "q5")
        for m, q in zip(table["model"], table["question"], strict=True)
    ]
    fewer = {name: [x for x, k in zip(column, keep, strict=True) if k] for name, column in table.items()}
    shuffled = {name: column[::-1] for name, column in fewer.items()}
    for given_table in (fewer, shuffled):
        runs = ix.read_evals(given_table)
        made = ix.compare(runs, ["mean_score", "pass_at_k(k=2)"], baseline="a", clusters="passage", undefined="exclude")
        assert [row.name for row in made.rows] == ["task score", "task score, pass_at_k(k=2)"]
        assert {(d.first, d.second) for d in made.differences} == {("b", "a"), ("c", "a")}
        assert made.doubts[0] == "task score: 2 questions of 30 are left out, which not all answered."
        both = [i for i in range(30) if i not in (0, 5)]
        one = np.array(table["score"]).reshape(3, 30, 2).mean(axis=2)[:, both].mean(axis=1)
        assert dict(zip(made.names, map(float, made.rows[0].values), strict=True)) == pytest.approx(
            dict(zip("abc", one, strict=True))
        )
    assert "a" in str(made)
    assert "<table" in made.html()
    made.to_dict()


def test_models_without_a_task_have_no_value_and_no_test() -> None:
    table = drawn(20, 1, ("a", "b"))
    table["task"] = ["one"] * 40
    more = {**drawn(20, 1, ("a", "c"), seed=1), "task": ["two"] * 40}
    made = ix.compare(ix.read_evals({name: [*column, *more[name]] for name, column in table.items()}))
    assert [[v is None for v in row.values] for row in made.rows] == [[False, False, True], [False, True, False]]
    assert {(d.score, d.first, d.second) for d in made.differences} <= {
        *(("one score", x, y) for x, y in ("ab", "ba")),
        *(("two score", x, y) for x, y in ("ac", "ca")),
    }
    lonely = ix.compare(ix.read_evals({**table, "task": ["one"] * 20 + ["three"] * 20}))
    assert lonely.differences == ()
    assert lonely.doubts[0] == "one score: only a has answers."
    with pytest.raises(ValueError, match="There is one model, 'a'"):
        ix.compare(ix.read_evals(drawn(5, 1, ("a",))))
    with pytest.raises(TypeError, match="decide= is not about runs of language models"):
        ix.compare(ix.read_evals(table), decide=0.5)


def test_what_runs_cannot_do_they_say() -> None:
    runs = ix.read_evals(drawn())
    with pytest.raises(ValueError, match=r"There are 2 runs here, .* runs.only of model= \('a', 'b'\)"):
        runs.score()
    with pytest.raises(ValueError, match="model='x' is not in these runs"):
        runs.only(model="x")
    for wrong in ("levl", "across_scores"):
        with pytest.raises(TypeError, match=f"compare takes no {wrong}="):
            runs.compare(**{wrong: 0.9})
    run = runs.only(model="a")
    with pytest.raises(ValueError, match="needs 4 answers to a question, and there are at most 3"):
        run.score("pass_at_k(k=4)")
    with pytest.raises(ValueError, match="k=0 must be a whole number"):
        ix.pass_at_k(run, k=0)
    with pytest.raises(ValueError, match=r"f1 does not read scored answers.*runs.evaluate\(\)"):
        run.score("f1")
    with pytest.raises(ValueError, match="Did you mean pass_at_k or pass_hat_k"):
        run.score("pass_at_l")
    with pytest.raises(ValueError, match=r"mean over questions and no other average|average='macro'"):
        ix.pass_at_k(run, k=2, average="macro")
    graded = ix.read_evals({"question": [1, 1, 2], "score": [0.5, 2.0, 1.0]})
    with pytest.raises(ValueError, match=r"neither 0 nor 1. Decide first: runs.decide\(0.5\)"):
        graded.score("pass_at_k(k=2)")
    assert graded.decide(1).score("pass_at_k(k=1)") == 0.75
    assert graded.score().measure.range == (-math.inf, math.inf)
    labels = ix.read_evals({"question": [1, 2], "score": ["cat", "dog"], "target": ["cat", "cat"]})
    with pytest.raises(ValueError, match=r"'score' gives labels such as 'cat', not scores: runs.evaluate"):
        labels.score()
    assert labels.evaluate().score("accuracy") == 0.5
    with pytest.raises(ValueError, match="does not have both the target and the answer"):
        run.evaluate()
    empty = ix.read_evals({"question": [1], "score": [None]})
    assert math.isnan(empty.score())
    assert math.isnan(empty.interval().low)
    assert float(empty.score(undefined=0)) == 0


def test_what_runs_are_crossed_with_works_or_says_why_not() -> None:
    table = drawn(60, 2, ("a",))
    rng = np.random.default_rng(1)
    order = rng.permutation(120)
    runs, shuffled = (ix.read_evals({k: [v[i] for i in rows] for k, v in table.items()}) for rows in (range(120), order))
    with pytest.raises(TypeError, match=r"question by question, as one: ix.compare\(runs \+ others\)"):
        ix.compare({"a": runs, "b": shuffled}, ix.pass_at_k)  # by position they would differ
    with pytest.raises(TypeError, match="question by question"):
        ix.compare([runs, shuffled])
    renamed = ix.read_evals({**{k: [v[i] for i in order] for k, v in table.items()}, "model": ["c"] * 120})
    assert ix.compare(runs + renamed).rows[0].values == (runs.score(),) * 2
    with pytest.raises(ValueError, match="was given twice: a table and a table"):
        runs + runs
    with pytest.raises(TypeError, match=r"counts each of them once; where they count more or less, it is ix.inference.interval"):
        runs.interval(weights=[1] * 60)
    weights = rng.integers(1, 4, 60).astype(float)
    weighted = ix.inference.interval(runs.counted(weights), runs.score().measure)
    means = np.array(table["score"]).reshape(60, 2).mean(axis=1)
    assert weighted.value == pytest.approx(np.average(means, weights=weights))
    assert weighted.low < weighted.value < weighted.high
    with pytest.raises(TypeError, match=r"task='topic'\) makes a task of each topic"):
        runs.score(per="passage")
    assert ix.read_evals(table, task="passage").tasks[:2] == ("p0", "p1")
    for name, said in (("save", r"to_dict\(\) has a row"), ("weakest", r"runs.evaluate\(\) has"), ("scores", "scorers")):
        with pytest.raises(AttributeError, match=said):
            getattr(runs, name)
    with pytest.raises(TypeError, match=r"A gate adds evaluations, .* it adds runs.evaluate\(\)"):
        ix.Gate("accuracy=0.5") + runs


def test_runs_without_a_score_have_no_variance() -> None:
    found = ix.read_evals({"question": [1, 2], "score": [None, None]}).variance()
    assert {name: x for name, x in found.items() if x == x} == {"questions": 2, "answers": 0}


def test_one_question_and_one_class_have_honest_intervals() -> None:
    one = ix.read_evals({"question": [1], "score": [1]}).interval()
    assert (one.value, one.high) == (1, 1)
    assert one.low < 0.1
    assert math.isnan(ix.read_evals({"question": [1], "score": [1]}).variance()["standard_error"])
    equal = ix.read_evals({"question": [1, 1, 2, 2], "score": [0.5] * 4}).interval()
    assert 0 <= equal.low < 0.5 < equal.high <= 1


def test_a_plan_follows_the_variances_of_the_runs() -> None:
    runs = ix.read_evals(drawn(200, 4))
    means = np.array(drawn(200, 4)["score"]).reshape(2, 200, 4).mean(axis=2)
    error = np.std(means[0] - means[1], ddof=1)
    plan = ix.power(runs, difference=0.1)
    assert plan.n == math.ceil(((1.959964 + 0.841621) * error / 0.1) ** 2)
    assert plan.present_n == 200
    assert ix.power(runs, difference=0.1, samples=8).n < plan.n < ix.power(runs, difference=0.1, samples=1).n
    single = ix.read_evals(drawn(200, 1))
    assert ix.power(single, difference=0.1).n > 100
    with pytest.raises(ValueError, match="samples=4: how much answers to the same question vary is not known"):
        ix.power(single, difference=0.1, samples=4)
    with pytest.raises(TypeError, match="difference= says what is to be found"):
        ix.power(between=0.1, within=0.1)
    with pytest.raises(ValueError, match="are variances"):
        ix.power(between=-1.0, within=0.1, difference=0.1)
    with pytest.raises(ValueError, match="samples=0"):
        ix.power(between=1.0, within=0.1, difference=0.1, samples=0)
    with pytest.raises(ValueError, match="Two models and one score are planned"):
        ix.power(runs.only(model="a"), difference=0.1)


def test_records_fit_the_schema_of_every_eval_ever(tmp_path: Path) -> None:
    """The parts of eval.schema.json 0.3.0 of evaleval/every_eval_ever that a record here has, written out."""
    runs = ix.read_evals(LOGS / "inspect") + ix.read_evals(LOGS / "harness")
    paths = runs.to_every_eval_ever(tmp_path, organization="our lab", relationship="first_party")
    assert len(paths) == len({(one.task, one.model) for one in runs.answers})
    required = {"schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library"}
    for path in paths:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
        assert {*record} <= required | {"evaluation_results", "evaluation_timestamp"}
        assert required <= {*record}
        assert {*record["source_metadata"]} == {"source_type", "source_organization_name", "evaluator_relationship"}
        assert {"name", "version"} == {*record["eval_library"]}
        assert {*record["model_info"]} == {"name", "id", "developer", "additional_details"}
        assert record["model_info"]["additional_details"] == dict.fromkeys(("deployment_type", "model_availability"), "unknown")
        for result in record["evaluation_results"]:
            assert {*result} == {"evaluation_name", "source_data", "metric_config", "score_details"}
            assert {*result["source_data"]} == {"dataset_name", "source_type"}
            config, details = result["metric_config"], result["score_details"]
            assert config["score_type"] in ("binary", "continuous")
            assert isinstance(config["lower_is_better"], bool)
            assert config["min_score"] <= details["score"] <= config["max_score"]
            ends = details["uncertainty"]["confidence_interval"]
            assert ends["lower"] <= details["score"] <= ends["upper"]
            assert ends["confidence_level"] == 0.95
            assert re.fullmatch(r"[a-z_]+", ends["method"])
            assert isinstance(details["uncertainty"]["num_samples"], int)
            assert details["uncertainty"]["standard_error"]["value"] >= 0
    with pytest.raises(ValueError, match="relationship='mine' is not one of"):
        runs.to_every_eval_ever(tmp_path, organization="our lab", relationship="mine")


def test_records_count_the_questions_that_have_a_score(tmp_path: Path) -> None:
    """Those that the uncertainty is computed from; 5 of 8 answers belong to a question with a score."""
    runs = ix.read_evals({"question": [*"aabbccde"], "score": [1, 0, None, 1, None, None, 1, None]})
    (path,) = runs.to_every_eval_ever(tmp_path, organization="our lab")
    (result,) = json.loads(Path(path).read_text(encoding="utf-8"))["evaluation_results"]
    assert result["score_details"]["uncertainty"]["num_samples"] == 3
    assert result["score_details"]["score"] == pytest.approx((0.5 + 1 + 1) / 3)


def test_a_comparison_is_saved_and_its_page_is_that_of_the_runs(tmp_path: Path) -> None:
    made = ix.compare(ix.read_evals(drawn()), ["mean_score", "pass_at_k(k=2)"])
    made.save(tmp_path / "made.json")
    again = ix.load(tmp_path / "made.json")
    assert again == made
    assert str(again) == str(made)
    with pytest.raises(ValueError, match=r"runs of language models have runs.to_html\(path\)"):
        made.to_html(tmp_path / "made.html")


def test_questions_and_scores_alone_have_intervals_and_refuse_what_runs_have() -> None:
    """Two arrays are the run that they describe; they are not labels, and have no groups."""
    questions, scores = [1, 1, 2, 2], [1, 0, 1, 1]
    runs = ix.read_evals({"question": questions, "score": scores})
    for measure in (ix.pass_at_k, ix.pass_hat_k):
        assert measure(questions, scores, k=2, interval=0.9) == measure(runs, k=2, interval=0.9)
        for option in ({"by": {"x": scores}}, {"sample_weight": scores}, {"interval": True, "clusters": scores}):
            with pytest.raises(TypeError, match=r"takes no (by|sample_weight)=; .*runs"):
                measure(questions, scores, k=2, **option)
        with pytest.raises(ValueError, match=r"average='macro': there is no axis 'class' here. Choose from exemplar"):
            measure(questions, scores, average="macro")


def test_an_answer_of_no_model_is_refused() -> None:
    """A model that is called nan would be a model that nobody asked."""
    for missing in (None, float("nan")):
        with pytest.raises(ValueError, match="'model' is missing in a row"):
            ix.read_evals({"question": [1, 2], "score": [1, 0], "model": ["a", missing]})


def test_what_differs_between_answers_to_a_question_is_no_column_of_questions() -> None:
    """In one table, or in two logs that are joined: a question lies in one cluster."""
    once = {"question": [1, 2, 3, 1, 2, 3], "score": [1, 0, 1, 0, 0, 1], "topic": [*"xxyxxy"], "seed": [1, 1, 1, 2, 2, 2]}
    first, second = ({name: column[part] for name, column in once.items()} for part in (slice(0, 3), slice(3, 6)))
    for runs in (ix.read_evals(once), ix.read_evals(first) + ix.read_evals(second)):
        assert runs.interval(clusters="topic").value == runs.score()
        assert [*runs.single().columns] == ["topic"]
        with pytest.raises(ValueError, match="clusters='seed' differs between answers to the same question"):
            runs.interval(clusters="seed")
    assert ix.read_evals(first).clusters_of("seed").tolist() == [0, 0, 0]


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
def test_a_column_of_questions_is_known_once_one_answer_says_it(missing: Any) -> None:
    """In one table, in two logs that are joined, and in nullable columns of pandas, whatever their index."""
    table = {"question": [*"abcab"], "score": [1, 0, 1, 0, missing], "passage": [missing, "x", "y", "x", missing]}
    frame = pd.DataFrame({n: pd.Series(column, dtype=object) for n, column in table.items()}).set_axis([7, 7, 1, 2, 7])
    parts = [{name: column[part] for name, column in table.items()} for part in (slice(0, 3), slice(3, 5))]
    for runs in map(ix.read_evals, (table, frame, frame.convert_dtypes())):
        assert runs.single().columns == {"passage": ["x", "x", "y"]}
        assert (runs.single().totals.tolist(), runs.single().tries.tolist()) == ([1, 0, 1], [2, 1, 1])
    assert (ix.read_evals(parts[0]) + ix.read_evals(parts[1])).single().columns == {"passage": ["x", "x", "y"]}


@pytest.mark.parametrize(
    ("target", "answer"), [(["true", "false", "true"], ["true", "false", "maybe"]), (["1", "2", "3"], ["1", "2", "2.5"])]
)
def test_labels_of_a_table_are_as_they_are_written(target: list[str], answer: list[str], tmp_path: Path) -> None:
    """Columns of CSV have types of their own: 1 is 1.0 next to 2.5, and true is True, next to texts."""
    table = {"question": [1, 2, 3], "score": [1, 1, 0], "target": target, "answer": answer}
    pd.DataFrame(table).to_csv(tmp_path / "t.csv", index=False)
    assert ix.read_evals(tmp_path / "t.csv").evaluate() == ix.read_evals(table).evaluate()
    assert ix.read_evals(table).evaluate().score("accuracy") == 2 / 3


def test_a_question_without_an_answer_is_not_left_out_unless_it_is_asked(tmp_path: Path) -> None:
    """A frame has fractions where a whole number is missing, and these are the same labels."""
    frame = pd.DataFrame({"question": [1, 2, 3, 4], "score": [1, 1, 0, 0], "target": [1, 2, 3, None], "answer": [1, 2, None, 2]})
    runs = ix.read_evals(frame)
    assert runs.evaluate(missing="abstain").score("accuracy") == 2 / 3
    assert runs.evaluate(missing="mask").score("accuracy") == 1
    with pytest.raises(ValueError, match="missing='abstain' if a missing prediction declines"):
        runs.evaluate()


def test_the_page_escapes_what_logs_say(tmp_path: Path) -> None:
    table = drawn(10, 1, ("<script>alert(1)</script>", "b"))
    path = tmp_path / "page.html"
    ix.read_evals(table).to_html(path)
    text = path.read_text("utf-8")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "Models compared" in text


@pytest.mark.slow
def test_a_million_answers_are_read_and_scored() -> None:
    n = 10**5
    runs = ix.read_evals({"question": np.repeat(np.arange(n), 2), "score": np.tile([0.0, 1.0], n)})
    assert runs.score() == 0.5
    assert runs.variance()["within"] == 0.5
