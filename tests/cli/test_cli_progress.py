"""A command that takes longer than a second says how far it is: on standard error, and on a terminal only."""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import environment

from indicatrix.cli import counting

pty = pytest.importorskip("pty")
LABELS = ("--true", "true", "--pred", "pred")
AT_ONCE = "import indicatrix.cli.output as p; p.DELAY = 0; p.STEP = 0.001\n"
RUN = "import sys; from indicatrix.cli import main; sys.argv = ['indicatrix', *{args!r}]; main()"
BAR = re.compile(r"\[(#*)-*\] +(\d+)%  rows\S*: [\d,]+ rows")
ROWS = "true,pred\n" + "cat,dog\n" * 800_000


def run(folder: Path, *args: str, code: str = AT_ONCE, **options: object) -> tuple[str, str]:
    """Return what a command prints, and what it shows on a terminal."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-c", code + RUN.format(args=args)],
        **{"cwd": folder, "stdout": subprocess.PIPE, "stderr": theirs, "env": environment(), "text": True, **options},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
    os.close(ours)
    assert running.stdout is not None
    printed = running.stdout.read()
    running.stdout.close()
    assert running.wait(timeout=120) == 0, shown
    return printed, shown.decode()


def without_line(shown: str) -> bool:
    return shown == "" or shown.endswith("\r\x1b[K")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet"])
def test_reading_a_file_shows_a_bar(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"rows.{kind}"
    if kind == "parquet":
        pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        true = pa.array(["cat", "ant", "cow"] * 700_000)  # so many that reading them takes several steps of the line
        parquet.write_table(pa.table({"true": true, "pred": pa.array(["dog"] * len(true))}), path, row_group_size=20_000)
    else:
        path.write_bytes(gzip.compress(ROWS.encode()) if kind == "csv.gz" else ROWS.encode())
    printed, shown = run(tmp_path, "evaluate", path.name, *LABELS, "-m", "f1", "-a", "micro")
    assert printed.split()[:3] == ["micro", "f1", "0.000"]
    shares = [(len(bar), int(share)) for bar, share in BAR.findall(shown)]
    assert shares
    assert shares == sorted(shares)
    assert all(0.3 * (share - 0.5) - 1 <= bar <= 0.3 * (share + 0.5) for bar, share in shares)
    assert without_line(shown)


def test_rows_of_standard_input_are_counted_without_the_line_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(counting, "report_progress", told.append)
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"true,pred\n" + b"a,b\n" * 3)), encoding="utf-8")
    )
    with counting.found_files("-") as (file,):
        assert file.name == "standard input"
    assert told == ["standard input: 3 rows"]


@pytest.mark.slow
def test_standard_input_has_no_end_and_shows_rows(tmp_path: Path) -> None:
    source = "import sys, time; print('true,pred'); print('a,b\\n' * 300_000); sys.stdout.flush(); time.sleep(0.5); print('a,b')"
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as feeding:
        _, shown = run(tmp_path, "evaluate", "-", *LABELS, stdin=feeding.stdout)
    assert re.search(r"standard input: [\d,]+ rows … \d+ s", shown)
    assert without_line(shown)


@pytest.mark.parametrize("args", [("measure", "mcc"), ("catalogue", "--bounded"), ("demo",)])
@pytest.mark.slow
def test_every_command_says_that_it_works(tmp_path: Path, args: tuple[str, ...]) -> None:
    printed, shown = run(tmp_path, *args)
    assert printed
    assert "Working … 0 s" in shown
    assert without_line(shown)


@pytest.mark.slow
def test_a_fast_command_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("true,pred\na,a\n", "utf-8")
    code = "import indicatrix.cli.output as p; p.DELAY = 60\n"
    assert run(tmp_path, "evaluate", "rows.csv", *LABELS, code=code)[1] == ""


@pytest.mark.slow
def test_nothing_is_shown_in_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS, "utf-8")
    code = AT_ONCE + RUN.format(args=("evaluate", "rows.csv", *LABELS))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_line_is_as_wide_as_the_terminal_and_steers_nothing() -> None:
    from indicatrix.cli.output import picture

    for columns in (10, 40, 200):
        for share in (None, 0.0, 0.5, 1.0, 1.5):
            line = picture("a\x1b[31m\n.csv: 12,345 rows", share, 3, columns)
            assert len(line) < columns
            assert line.isprintable()


@pytest.mark.slow
def test_the_line_appears_after_a_second(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("true,pred\na,a\n", "utf-8")
    slow = "import time; import indicatrix.cli.counting as c; real = c.roles_in\n"
    slow += "def late(*a, **k):\n    time.sleep(1.6); return real(*a, **k)\nc.roles_in = late\n"
    start = time.monotonic()
    _, shown = run(tmp_path, "evaluate", "rows.csv", *LABELS, code=slow)
    assert time.monotonic() - start > 1.6
    assert "Working … 1 s" in shown
    assert without_line(shown)
