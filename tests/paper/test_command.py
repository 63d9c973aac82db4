"""``python -m paper`` as a command: what it prints in each form, what it refuses, and how it ends.

What the experiments find is tested in test_experiments.py.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from running import COMMAND, ROOT, environment, reproduce


def refused(*arguments: object) -> str:
    """Return the complaint of a command that is used badly: two lines, the second says where help is."""
    done = reproduce(*arguments, code=2)
    complaint, hint = done.stderr.splitlines()
    assert (done.stdout, hint) == ("", "python -m paper --help shows the options.")
    assert complaint.startswith("Error: ")
    return complaint.removeprefix("Error: ")


@pytest.mark.slow
def test_the_list_has_the_same_labels_in_every_form() -> None:
    plain, marked, data = (reproduce("--list", *form).stdout for form in ((), ("--markdown",), ("--json",)))
    labels = [one["label"] for one in json.loads(data)]
    assert [line.split()[0] for line in plain.splitlines()[1:]] == labels
    assert [line.split(" | ")[0][2:] for line in marked.splitlines()[2:]] == labels


@pytest.mark.slow
def test_text_markdown_and_json_have_the_same_claims() -> None:
    plain, marked, data = (reproduce("--only", "ex:dof", *form).stdout for form in ((), ("--markdown",), ("--json",)))
    claims = [claim for experiment in json.loads(data)["experiments"] for claim in experiment["claims"]]
    assert claims
    assert all(claim["what"] in plain and f"| {claim['what']} |" in marked for claim in claims)
    assert "\x1b" not in plain


@pytest.mark.slow
def test_text_says_paper_ours_verdict_and_why() -> None:
    text = reproduce("--only", "ex:counterexample").stdout
    assert re.search(r"recall, macro\s+0\.695\s+0\.69551\s+differs", text)
    assert "(errata D)" in text
    short = reproduce("--only", "ex:counterexample", "--differences").stdout
    assert "  agrees" not in short
    assert "other values and statements do not differ" in short


@pytest.mark.slow
def test_progress_is_for_terminals_only() -> None:
    assert reproduce("--only", "ex:dof").stderr == ""


@pytest.mark.slow
def test_bad_use_is_told_in_one_line(tmp_path: Path) -> None:
    assert refused("--only", "flors").startswith("No experiment is called 'flors'. Close to it: floors, tab:floors")
    assert refused("--json", "--markdown") == "--json and --markdown are two forms of one output; give one of them."
    assert "'nowhere' does not exist" in refused("--data", "nowhere")
    done = reproduce("--list", code=2, INDICATRIX_DATA="/no/such/folder")
    assert "'--data' (env var: 'INDICATRIX_DATA'): Directory '/no/such/folder' does not exist." in done.stderr


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for out in ("file/out", "file/out/deeper"):
        told = refused("--only", "ex:dof", "--out", tmp_path / out)
        assert told == f"--out {tmp_path / out}: {tmp_path / 'file'} is a file. Name another folder."
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if not os.access(locked, os.W_OK):  # as it is for the superuser
        assert "cannot be written to" in refused("--only", "ex:dof", "--out", locked / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "locked"]


@pytest.mark.slow
def test_a_reader_that_goes_away_is_not_an_error() -> None:
    """The reader closes the pipe before anything is written, so that every write meets a broken pipe."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMMAND, "--list"], stdout=write, stderr=subprocess.PIPE, cwd=ROOT, env=environment(), check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_missing_library_is_told(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError(name='click')", "utf-8")
    done = reproduce("--list", code=2, PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    assert done.stderr == "Error: click is not installed. In the folder of the repository: pip install -e '.[paper]'\n"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/why/paper.md"])
def test_the_documents_show_what_the_command_prints(page: str) -> None:
    """A block starts with the command; a last line "…" stands for any further lines."""
    blocks = re.findall(
        r"^```console\n\$ (python -m paper.*?)\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks
    for line, shown in blocks:
        arguments, _, pipe = line.removeprefix("python -m paper").partition("|")
        printed = reproduce(*shlex.split(arguments)).stdout.splitlines()
        expected = shown.splitlines()
        if pipe:
            printed = printed[: int(pipe.removeprefix(" head -"))]
        if expected[-1] == "…":
            del expected[-1]
            printed = printed[: len(expected)]
        assert [text.rstrip() for text in printed] == expected


@pytest.mark.slow
def test_the_examples_of_the_help_work(tmp_path: Path) -> None:
    text = reproduce("--help").stdout
    examples = [line.strip() for line in text.partition("Examples:\n")[2].splitlines()]
    assert len(examples) == 4
    for example in examples:
        arguments = shlex.split(example.removeprefix("python -m paper").replace("reproduced", str(tmp_path)))
        assert reproduce(*arguments).stdout


@pytest.mark.slow
def test_an_interrupted_run_leaves_no_file(tmp_path: Path) -> None:
    """The progress bar on a terminal says when a classifier is being trained; then Ctrl-C comes."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [*COMMAND, "--only", "exp_ovr", "--retrain", "--out", str(tmp_path / "out")]
    settings = environment(TERM="xterm", COLUMNS="200", INDICATRIX_CACHE=str(tmp_path / "kept"))
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=ROOT,
        env=settings,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    os.close(theirs)
    told = b""
    while b" fits" not in told:
        told += os.read(ours, 65536)
    running.send_signal(signal.SIGINT)
    while True:
        try:
            told += os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
    os.close(ours)
    assert running.stdout is not None
    with running:
        assert running.stdout.read() == b""
    assert running.returncode == 130
    assert told.rstrip().endswith(b"Interrupted.")
    assert b"Traceback" not in told
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
