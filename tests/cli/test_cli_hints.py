"""What the command line says to uses that are nearly right."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from commands import here, printed
from loops import for_each

from indicatrix.cli.app import ELSEWHERE
from indicatrix.cli.evaluate import evaluate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "r.csv").write_text("y,m1,m2,s,site\na,a,b,0.2,u\nb,b,b,0.7,v\na,b,a,0.1,u\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--true", "y", "--pred", "m1,m2"), "Repeat --pred to compare them: --pred m1 --pred m2."),
        (
            ("--true", "y", "--pred", "m1", "m2"),
            "There is no file m2. If it is a column of predictions, repeat --pred: --pred m1 ",
        ),
        (("--true", "y", "--pred", "m1", "--pred", "m2", "--by", "site", "-m", "f1"), "Add --average, for example"),
        (("--true", "y", "--pred", "m1", "--pred", "m2", "--by", "site", "-a", "macro"), "Add --measure, for example"),
        (("--true", "y", "--pred", "m1,m3"), "has no column 'm1,m3'"),
    ],
)
def test_what_is_missing_is_named(folder: Path, options: tuple[str, ...], message: str) -> None:
    ended = here("evaluate", "r.csv", *options, cwd=folder)
    assert ended.returncode == 2
    assert message in ended.stderr


@for_each("option", [p.opts[0] for p in evaluate.params if isinstance(p, click.Option) and not (p.multiple or p.is_flag)])
def test_an_option_with_one_value_is_given_once(folder: Path, option: str) -> None:
    ended = here("evaluate", "r.csv", option, "error", option, "error", cwd=folder)
    assert ended.returncode == 2
    assert f"{option} is given 2 times. Give it once." in ended.stderr


@pytest.mark.parametrize("more", [(), ("--pred", "m1"), ("-m", "f1", "-a", "macro"), ("--markdown",)])
def test_predictions_that_are_no_true_labels_get_a_warning(folder: Path, more: tuple[str, ...]) -> None:
    start = "No predicted label occurs among the true labels"
    ended = here("evaluate", "r.csv", "--true", "y", "--pred", "s", *more, cwd=folder)
    assert ended.returncode == 2
    assert "column 's' holds numbers such as 0.1, and column 'y' none of them" in " ".join(ended.stderr.split())
    assert "Name their column with --score" in " ".join(ended.stderr.split())
    text = printed("evaluate", "r.csv", "--true", "y", "--pred", "site", *more, cwd=folder)
    assert text.count(start) == 1
    assert "Check --true and --pred" in text
    assert start not in printed("evaluate", "r.csv", "--true", "y", "--pred", "m2", *more, cwd=folder)


def test_the_warning_is_in_the_data(folder: Path) -> None:
    strange, usual = (
        json.loads(printed("evaluate", "r.csv", "--true", "y", "--pred", column, "--json", cwd=folder))["evaluations"][0]
        for column in ("site", "m1")
    )
    assert "Check --true and --pred" in strange["warning"]
    assert "warning" not in usual


@pytest.mark.parametrize("option", ELSEWHERE)
def test_an_option_of_another_name_is_answered_with_the_one_here(option: str) -> None:
    ended = here("evaluate", "r.csv", option, "f1")
    assert ended.returncode == 2
    assert f"Did you mean '{ELSEWHERE[option]}'?" in ended.stderr
    assert any(ELSEWHERE[option] in p.opts for p in evaluate.params)
