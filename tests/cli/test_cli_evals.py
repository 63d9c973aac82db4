"""``indicatrix evals``: tables, JSON, pages and records of evaluation logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import here, printed, refused

import indicatrix as ix

LOGS = Path(__file__).parents[1] / "evals" / "logs"
INSPECT, HARNESS = str(LOGS / "inspect"), str(LOGS / "harness")


def test_json_has_what_python_has() -> None:
    data = json.loads(printed("evals", INSPECT, "--task", "sums", "--scorer", "match", "--clusters", "passage", "--json"))
    runs = ix.read_evals(INSPECT).only(task="sums", scorer="match")
    for row in data["runs"]:
        found = runs.only(model=row["model"]).interval(clusters="passage")
        assert (row["value"], row["low"], row["high"]) == (found.value, found.low, found.high)
    (difference,) = ix.compare(runs, clusters="passage").differences
    assert data["differences"][0]["p"] == difference.p
    assert data["differences"][0]["note"] == difference.note


def test_what_did_not_end_is_told(tmp_path: Path) -> None:
    log = json.loads((LOGS / "inspect_json" / "sums_small.json").read_text("utf-8"))
    (tmp_path / "cut.json").write_text(json.dumps({**log, "status": "error"}), "utf-8")
    assert "did not end: its log says 'error'" in here("evals", "cut.json", "--csv", cwd=tmp_path).stderr


def test_every_form_shows_the_scores_and_the_models() -> None:
    shown = printed("evals", HARNESS, "-m", "pass_at_k(k=1)", "--baseline", "toy/small")
    assert "capitals  toy/small" in shown
    assert "Models compared on the same questions" in shown
    assert "| capitals | toy/small |" in printed("evals", HARNESS, "--markdown")
    assert r"\begin{tabular}" in printed("evals", HARNESS, "--latex")
    rows = printed("evals", HARNESS, "--csv").splitlines()
    assert len(rows) == 7
    assert rows[0].startswith("task,model,scorer,questions,answers,score,")


def test_one_model_has_no_comparison_and_tables_have_named_columns(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": i, "right": right, "llm": "m"} for i, right in enumerate((1, 0, None, 1))]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    columns = ("--question", "id", "--score", "right", "--model", "llm")
    shown = printed("evals", str(path), *columns)
    assert "Models compared" not in shown
    assert json.loads(printed("evals", str(path), *columns, "--json"))["runs"][0]["value"] == pytest.approx(2 / 3)
    assert json.loads(printed("evals", str(path), *columns, "--json", "--undefined", "0"))["runs"][0]["value"] == 0.5


def test_the_page_and_the_records_are_written(tmp_path: Path) -> None:
    page, records = tmp_path / "page.html", tmp_path / "records"
    done = here("evals", INSPECT, "--task", "letters", "--html", str(page), "--export", str(records), "--organization", "lab")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [f"2 records are in {records}.", f"The report page is in {page}."]
    assert "Models compared" in page.read_text("utf-8")
    assert len(list(records.rglob("*.json"))) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-m", "f1"), "f1 does not read scored answers"),
        (("--task", "sumz"), "'sumz' is not in these runs. Did you mean sums?"),
        (("--level", "2"), "--level"),
        (("--export", "x"), "--export needs --organization"),
        (("--baseline", "gpt"), "'gpt' is not compared here"),
    ],
)
def test_what_does_not_fit_is_refused(options: tuple[str, ...], said: str) -> None:
    assert said in refused("evals", INSPECT, *options)


def test_a_log_given_twice_is_refused() -> None:
    assert "was given twice" in refused("evals", str(LOGS))
