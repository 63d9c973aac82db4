"""Checks of pipelines: watched limits, baselines, exit codes, JUnit XML and job summaries."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import indicatrix as ix
from indicatrix.cli.app import commands

LABELS = ("--true", "true", "--pred", "pred")
F1 = (*LABELS, "-m", "f1", "-a", "macro")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    for name, right in (("good", 0.9), ("same", 0.9), ("bad", 0.5)):
        pred = np.where(rng.random(400) < right, y, (y + 1) % 3)
        (tmp_path / f"{name}.csv").write_text(
            "true,pred\n" + "".join(f"c{a},c{b}\n" for a, b in zip(y, pred, strict=True)), "utf-8"
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


def call(*args: str) -> tuple[int, str]:
    """Return the exit code and the lines about checks, or the error."""
    done = CliRunner().invoke(commands, ["evaluate", *args])
    failed = done.exception if not isinstance(done.exception, SystemExit) else None
    return (2, str(failed)) if failed is not None else (done.exit_code, done.stderr)


def test_a_state_adds_batches_and_fails_when_it_is_sure(folder: Path) -> None:
    watch = (*F1, "--fail-under", "macro f1=0.65", "--sequential", "state.json")
    assert call("good.csv", *watch)[0] == 0
    codes = [call("bad.csv", *watch) for _ in range(4)]
    assert [code for code, _ in codes] == [0, 0, 0, 1]
    assert "Check passed: macro f1 of 800 examples is" in codes[0][1]
    assert "Check undecided: macro f1 of 1,200 examples is" in codes[1][1]
    assert "which misses 0.65" in codes[-1][1]
    gate = ix.load("state.json")
    assert gate.n == 2000
    parts = [ix.evaluate_file(f"{name}.csv", true="true", pred="pred") for name in ("good", *["bad"] * 4)]
    assert gate == ix.Gate("macro f1=0.65", seen=sum(parts))


def test_a_state_watches_the_mean_over_groups(folder: Path) -> None:
    rows = (folder / "good.csv").read_text("utf-8").splitlines()
    grouped = [f"{row},{'site' if k == 0 else 'ab'[k % 2]}" for k, row in enumerate(rows)]
    (folder / "sites.csv").write_text("\n".join(grouped) + "\n", "utf-8")
    for many in (1, 2):
        code, said = call("sites.csv", *LABELS, "--by", "site", "--fail-under", "site accuracy=0.5", "--sequential", "sites.json")
        assert code == 0
        assert f"site accuracy of {many * (len(rows) - 1):,} examples is" in said
    assert ix.load("sites.json").checks == ("site accuracy=0.5",)


def test_a_baseline_is_paired_if_it_has_rows(folder: Path) -> None:
    call("good.csv", *LABELS, "--save", "base.json")
    for baseline in ("base.json", "good.csv"):
        code, said = call("bad.csv", *F1, "--fail-if-worse", baseline, "--margin", "0.01")
        assert (code, said.count("Check failed: macro f1 of bad.csv is worse than that of")) == (1, 1)
        assert ("unpaired" in said) == (baseline == "base.json")
        assert call("same.csv", *F1, "--fail-if-worse", baseline, "--margin", "0.2")[0] == 0
        code, said = call("same.csv", *F1, "--fail-if-worse", baseline)
        assert (code, "may or may not be worse than" in said) == (0, True)
    code, said = call("bad.csv", *LABELS, "--fail-under", "macro f1=0.1", "--fail-if-worse", "good.csv")  # its score is compared
    assert (code, "macro f1 of bad.csv is worse" in said) == (1, True)
    code, said = call("bad.csv", *LABELS, "-m", "error_rate", "-a", "macro", "--fail-if-worse", "good.csv")
    assert (code, "macro error_rate of bad.csv is worse" in said) == (1, True)
    scored = ("--true", "true", "--score", "pred", "--decide", "0.5", "-m", "auc", "--fail-if-worse", "good.csv")
    assert "rows are paired by labels, --pred. Save the baseline" in call("bad.csv", *scored)[1]


def test_a_baseline_without_the_weights_is_told(folder: Path) -> None:
    for name in ("good", "bad"):
        rows = (folder / f"{name}.csv").read_text("utf-8").splitlines()
        weighted = ["true,pred,w", *(f"{row},{1 + k % 3}" for k, row in enumerate(rows[1:]))]
        (folder / f"{name}.csv").write_text("\n".join(weighted) + "\n", "utf-8")
    for saved, weights in (("plain.json", ()), ("weighted.json", ("--weight", "w"))):
        call("good.csv", *LABELS, *weights, "--save", saved)
    for baseline in ("plain.json", "weighted.json"):
        for weights in ((), ("--weight", "w")):
            code, said = call("bad.csv", *F1, *weights, "--fail-if-worse", baseline)
            told = "Some of the evaluations count examples by weights" in said
            assert (code, told) == (1, (baseline == "weighted.json") != bool(weights))


def test_servers_read_the_results(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = ("--fail-under", "macro f1=0.95", "--fail-under", "accuracy=0.5", "--junit", "checks.xml", "--summary")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "job.md")
    for _ in range(2):
        assert call("good.csv", "bad.csv", *F1, *checks)[0] == 1
    suite = ET.parse("checks.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "0")
    names = [(case.get("classname"), case.get("name"), len(case)) for case in suite]
    assert names == [
        ("good.csv", "macro f1=0.95", 1),
        ("good.csv", "accuracy=0.5", 0),
        ("bad.csv", "macro f1=0.95", 1),
        ("bad.csv", "accuracy=0.5", 0),
    ]
    lines = Path("job.md").read_text("utf-8").splitlines()
    assert sum(line == "### indicatrix" for line in lines) == 2  # a job may have several steps
    assert sum("| failed |" in line for line in lines) == 4
    assert call("good.csv", *F1, "--fail-under", "macro f1=0.9", "--sequential", "state.json", "--junit", "checks.xml")[0] == 0
    (case,) = ET.parse("checks.xml").getroot()[0]
    assert [each.tag for each in case] == ["skipped"]


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing to watch": (("--sequential", "state.json"), "Add --fail-under"),
    "no state": (("--fail-under", "macro f1=0.8", "--sequential", "state.txt"), "must end with .json"),
    "scores": (("--fail-under", "auc=0.8", "--sequential", "state.json"), "keeps counts"),
    "another check": (("--fail-under", "macro f1=0.7", "--sequential", "known.json"), "watches 'macro f1=0.8'"),
    "not a state": (("--fail-under", "macro f1=0.7", "--sequential", "saved.json"), "saved.json"),
    "no score": (("--fail-if-worse", "good.csv"), "which scores must not be worse"),
    "no baseline": (("-m", "f1", "-a", "macro", "--fail-if-worse", "nope.json"), "There is no file nope.json"),
    "other examples": (("-m", "f1", "-a", "macro", "--fail-if-worse", "other.csv"), "not the same examples"),
    "no direction": (("-m", "prevalence", "-a", "macro", "--fail-if-worse", "good.csv"), "neither higher nor lower"),
    "margin": (("--margin", "0.1"), "Add --fail-if-worse"),
    "bad margin": (("-m", "f1", "--fail-if-worse", "good.csv", "--margin", "-1"), "not negative"),
    "no results": (("--junit", "checks.xml"), "Add --fail-under or --fail-if-worse"),
    "no job": (("--fail-under", "macro f1=0.8", "--summary"), "GITHUB_STEP_SUMMARY is not set"),
    "two files": (("good.csv", "--fail-under", "macro f1=0.8", "--sequential", "state.json"), "there are several"),
    "prevalence": (
        ("--fail-under", "macro f1=0.8", "--sequential", "state.json", "--prevalence", "0.2"),
        "Leave --prevalence out",
    ),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_no_pipeline_can_ask_is_refused(folder: Path, name: str) -> None:
    given, said = REFUSED[name]
    (folder / "other.csv").write_text("true,pred\n" + "c0,c0\n" * 400, "utf-8")
    ix.Gate("macro f1=0.8").save("known.json")
    ix.evaluate([0, 1], [0, 1]).save("saved.json")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, told = call("bad.csv", *given[:1] if given[0] == "good.csv" else (), *LABELS, *given[given[0] == "good.csv" :])
    assert code == 2
    assert said in told
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_state_is_not_lost_where_it_cannot_be_written(folder: Path) -> None:
    watch: Any = (*F1, "--fail-under", "macro f1=0.8", "--sequential")
    assert "Name a file in another folder" in call("good.csv", *watch, "nowhere/state.json")[1]


def test_a_file_is_no_baseline_of_itself(folder: Path) -> None:
    """However its name is written."""
    for itself in ("good.csv", "./good.csv", str(folder / "good.csv")):
        assert call("good.csv", *F1, "--fail-if-worse", itself) == (2, f"--fail-if-worse {itself} is the file itself.")


def test_a_slip_in_an_average_after_the_measure_is_named(folder: Path) -> None:
    """As before it."""
    for text in ("f1 makro=0.9", "makro f1=0.9"):
        code, said = call("good.csv", *LABELS, "--fail-under", text)
        assert (code, "'makro' is not an average. Did you mean macro?" in said) == (2, True)
