"""What shells complete: click's own scripts, measures, averages, columns of the files that were named."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from commands import environment, python

from indicatrix.cli.app import COMMANDS, commands

SHELLS = ("bash", "zsh", "fish")
RUN = "from indicatrix.cli import main; import sys; sys.argv = ['indicatrix']; main()"


def completed(*words: str, cwd: Path | None = None) -> list[str]:
    """Return what follows some words; the last one is incomplete."""
    before = Path.cwd()
    try:
        os.chdir(cwd or before)
        found = ShellComplete(commands, {}, "indicatrix", "_INDICATRIX_COMPLETE").get_completions([*words[:-1]], words[-1])
    finally:
        os.chdir(before)
    return [item.value for item in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("true,pred,tree,si\x07te\na,b,a,u\n", "utf-8")
    (tmp_path / "ev.json").write_text("{}", "utf-8")
    return tmp_path


def test_commands_measures_and_averages() -> None:
    assert completed("") == [*COMMANDS]
    assert completed("measure", "f_b") == ["f_beta", "f_beta_negative"]
    assert completed("explain", "partial") == ["partial_auc"]
    assert completed("evaluate", "a.csv", "-m", "multiclass_m") == ["multiclass_mcc"]
    assert completed("evaluate", "a.csv", "-a", "m") == ["micro", "macro"]
    assert completed("evaluate", "a.csv", "--by", "site", "-a", "s") == ["samples", "site"]
    assert completed("compare", "--correction", "") == ["max_t", "bh", "none"]
    assert "--paired" in completed("compare", "--pa")


@pytest.mark.parametrize("command", ["evaluate", "compare", "threshold"])
def test_columns_of_the_file(folder: Path, command: str) -> None:
    assert completed(command, "a.csv", "--true", "t", cwd=folder) == ["true", "tree"]
    assert completed(command, "a.csv", "--weight", "", cwd=folder) == ["true", "pred", "tree"]  # no steering characters
    assert completed(command, "none.csv", "--true", "", cwd=folder) == []
    assert completed(command, "ev.json", "--true", "", cwd=folder) == []
    assert completed(command, "-", "--true", "", cwd=folder) == []


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.one_fast_case
def test_every_shell_has_a_script(shell: str) -> None:
    done = python("-c", RUN, _INDICATRIX_COMPLETE=f"{shell}_source")
    assert done.returncode == 0, done.stderr
    assert f"_INDICATRIX_COMPLETE={shell}_complete" in done.stdout
    if os.name == "posix" and shutil.which(shell):  # what Windows calls bash may be a Linux that is not installed
        checked = subprocess.run([shell, "-n"], input=done.stdout, text=True, capture_output=True, check=False)
        assert checked.returncode == 0, checked.stderr


@pytest.mark.slow
def test_bash_asks_and_gets_an_answer(folder: Path) -> None:
    more = {"_INDICATRIX_COMPLETE": "bash_complete", "COMP_WORDS": "indicatrix evaluate a.csv --pred t", "COMP_CWORD": "4"}
    done = subprocess.run(
        [sys.executable, "-c", RUN], env=environment(**more), cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.stderr) == (["plain,true", "plain,tree"], "")
