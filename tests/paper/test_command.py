"""``indicatrix reproduce`` as a command: what it prints in each form, and that an interruption leaves nothing half done.

What the experiments find is tested with the experiments.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import environment, indicatrix, printed, refused

pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")


def test_the_list_has_the_same_labels_in_every_form() -> None:
    plain, marked = printed("reproduce", "--list").splitlines(), printed("reproduce", "--list", "--markdown").splitlines()
    labels = [one["label"] for one in json.loads(printed("reproduce", "--list", "--json"))]
    assert [line.split()[0] for line in plain[1:]] == labels == [line.split(" | ")[0][2:] for line in marked[2:]]


def test_markdown_and_text_have_the_same_claims() -> None:
    marked, plain = (printed("reproduce", "--only", "ex:dof", *form) for form in (("--markdown",), ()))
    claims = [
        claim for e in json.loads(printed("reproduce", "--only", "ex:dof", "--json"))["experiments"] for claim in e["claims"]
    ]
    assert claims
    assert all(claim["what"] in plain and f"| {claim['what']} |" in marked for claim in claims)


def test_progress_is_for_terminals_only() -> None:
    done = indicatrix("reproduce", "--only", "ex:dof")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_label_is_told_with_close_ones() -> None:
    assert refused("reproduce", "--only", "flors").startswith("No experiment is called 'flors'. Close to it: ")


def test_the_variable_that_names_a_wrong_folder_is_named() -> None:
    done = indicatrix("reproduce", "--list", INDICATRIX_DATA="/no/such/folder")
    assert done.returncode == 2
    assert "'--data' (env var: 'INDICATRIX_DATA'): Directory '/no/such/folder' does not exist." in done.stderr


def test_a_folder_that_cannot_be_written_is_told_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in ("file/out", "file/out/deeper"):
        told = refused("reproduce", "--only", "ex:dof", "--out", str(tmp_path / out))
        assert told == f"--out {tmp_path / out}: {tmp_path / 'file'} is a file. Name another folder."
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    if not os.access(locked, os.W_OK):  # as it is for the superuser
        assert "cannot be written to" in refused("reproduce", "--only", "ex:dof", "--out", str(locked / "out"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "locked"]


@pytest.mark.slow
def test_an_interrupted_run_leaves_no_file(tmp_path: Path) -> None:
    """The progress bar on a terminal says when a classifier is being trained; then Ctrl-C comes."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "indicatrix", "reproduce", "--only", "exp_ovr", "--retrain", "--out", str(tmp_path / "out")]
    settings = environment(TERM="xterm", COLUMNS="200", INDICATRIX_CACHE=str(tmp_path / "kept"))
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=settings)
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
