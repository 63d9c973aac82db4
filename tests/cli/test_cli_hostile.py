"""Files and names that would harm: endless lines, damaged files, escape sequences, Ctrl-C at the start."""

from __future__ import annotations

import csv
import gc
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import environment, here, printed, refused

from indicatrix.quiet_start import QuietStart

LABELS = ("--true", "true", "--pred", "pred")
STEERING = "\x1b[31m\x07\x9b2J\u2028\u202e\r"
AT_IMPORT = """
import os, signal, sys

class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r} and 'indicatrix' in sys.modules:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stop())
"""


def file(folder: Path, text: str, name: str = "rows.csv") -> str:
    (folder / name).write_bytes(text.encode())
    return name


def refusal(folder: Path, *args: str) -> str:
    done = here("evaluate", *args, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("Error: ").rstrip("\n")


@pytest.mark.parametrize("option", [(), ("--by", "pred")])
def test_a_number_of_5000_digits_is_named_with_its_file(tmp_path: Path, option: tuple[str, ...]) -> None:
    file(tmp_path, f"true,pred,other\n1,{'9' * 5000},1\n1,1,1\n")
    columns = ("--true", "true", "--pred", "other" if option else "pred")
    told = refusal(tmp_path, "rows.csv", *columns, *option)
    assert told.startswith(
        "rows.csv, column 'pred': 9999999999… has 5,000 digits" if option else "rows.csv, a label: 9999999999…"
    )
    file(tmp_path, f"true,pred\na,{'9' * 5000}\na,a\n")  # among texts it is a text
    assert printed("evaluate", "rows.csv", *LABELS, "-m", "f1", "-a", "micro", cwd=tmp_path).endswith("0.500\n")


@pytest.mark.parametrize("where", [0.3, 0.6, 0.95])
def test_a_damaged_parquet_file_is_named(tmp_path: Path, where: float) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    labels = [f"label {k * 7919 % 1000}" for k in range(20_000)]
    parquet.write_table(pa.table({"true": labels, "pred": labels}), tmp_path / "rows.parquet", row_group_size=5000)
    data = bytearray((tmp_path / "rows.parquet").read_bytes())
    at = int(where * len(data))
    data[at : at + 400] = b"\xff" * len(data[at : at + 400])
    (tmp_path / "rows.parquet").write_bytes(data)
    told = refusal(tmp_path, "rows.parquet", *LABELS)
    assert told.startswith("rows.parquet is ")
    assert told.endswith("Fetch or write it again.")


@pytest.mark.slow
@pytest.mark.parametrize("start", [b"true,pred\n", b"true,pred\na,b\n", b""])
@pytest.mark.posix
def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path, start: bytes) -> None:
    packed = gzip.compress(b"x" * 15_000_000, 1)
    with (tmp_path / "rows.csv.gz").open("wb") as out:
        out.write(gzip.compress(start))
        for _ in range(12):  # the parts of a gzip file may be packed one by one
            out.write(packed)
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20)); "
    code += "sys.argv = ['indicatrix', 'evaluate', 'rows.csv.gz', '--true', 'true', '--pred', 'pred']; "
    code += "import indicatrix.cli; indicatrix.cli.main()"
    settings = environment(OPENBLAS_NUM_THREADS="1")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    number = 1 + start.count(b"\n")
    assert done.stderr.startswith(f"Error: rows.csv.gz, line {number} has more than 67,108,864 bytes.")


def harmless(text: str) -> bool:
    return all(c.isprintable() or c == "\n" for c in text)


@pytest.mark.parametrize("form", [(), ("--markdown",), ("--json",), ("--latex",), ("--csv",)])
def test_nothing_from_a_file_steers_a_terminal(tmp_path: Path, form: tuple[str, ...]) -> None:
    bad, column = f"a{STEERING}.csv", f'"si{STEERING}te"'
    rows = f"true,pred,{column}\nx{STEERING}y,x,u{STEERING}v\nx,x,w\n"
    rows = rows.replace(f"x{STEERING}y", f'"x{STEERING}y"').replace(f"u{STEERING}v", f'"u{STEERING}v"')
    file(tmp_path, rows, bad)
    file(tmp_path, rows, "b.csv")
    axis = f"si{STEERING}te"
    for args in (
        (bad, *LABELS),
        (bad, *LABELS, "--by", axis),
        (bad, *LABELS, "--by", axis, "-m", "recall", "-a", "macro"),
        (bad, "b.csv", *LABELS, "--by", axis, "-m", "recall", "-a", "macro"),
        ("b.csv", "--true", "true", "--pred", "pred", "--pred", axis, "-m", "f1"),
        (bad, *LABELS, "--fail-under", "macro f1=1"),
    ):
        done = here("evaluate", *args, *form, cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert harmless(done.stdout), repr(done.stdout)
        assert harmless(done.stderr), repr(done.stderr)
    if form == ("--json",):
        shown = printed("evaluate", bad, *LABELS, "--by", axis, *form, cwd=tmp_path)
        (content,) = json.loads(shown)["evaluations"]
        assert (content["file"], list(content["groups"])) == (bad, [axis])
        assert f"x{STEERING}y".strip() in content["classes"]
        assert "\\u009b" in shown
        assert "\\u2028" in shown


def test_errors_do_not_steer_a_terminal(tmp_path: Path) -> None:
    file(tmp_path, "true,pred\na\n", f"a{STEERING}.csv")
    for args in ((f"no{STEERING}.csv",), (f"a{STEERING}.csv", *LABELS), (f"--x{STEERING}",), ("a.csv", "--by", f"{STEERING}")):
        done = here("evaluate", *args, cwd=tmp_path)
        assert done.returncode == 2
        assert harmless(done.stderr), repr(done.stderr)


def test_markdown_is_text_on_every_page(tmp_path: Path) -> None:
    odd = r"a|b `c` <script>alert(1)</script> ![x](http://y) & \d"
    file(tmp_path, f'true,pred,"{odd}"\nx,x,"{odd}"\ny,x,z\n')
    shown = printed("evaluate", "rows.csv", *LABELS, "--by", odd, "-m", "recall", "-a", "macro", "--markdown", cwd=tmp_path)
    for raw in ("<", ">", "](", " & "):
        assert raw not in shown, raw
    unescaped = shown.replace("\\\\", "").replace("\\|", "").replace("\\`", "")
    assert "`" not in unescaped
    table = unescaped.split("\n\n")[1].splitlines()
    assert {line.count("|") for line in table} == {4}
    assert "&lt;script&gt;" in shown


def test_spreadsheets_run_no_cell_and_latex_no_command(tmp_path: Path) -> None:
    odd = ["=1+1", "@SUM(A1)", "-2+3", "\\input{x}", "50% $x$ & y_1 #~^"]
    rows = "".join(f'a,a,"{name}"\n' for name in odd)
    file(tmp_path, f"true,pred,=site\n{rows}")
    command = ("evaluate", "rows.csv", *LABELS, "--by", "=site", "-m", "recall", "-a", "micro")
    shown = [*csv.reader(printed(*command, "--csv", cwd=tmp_path).splitlines())]
    assert {cell for row in shown for cell in row if cell[:1] in ("=", "@", "-")} == set()
    assert {row[2] for row in shown[2:]} == {"'=1+1", "'@SUM(A1)", "'-2+3", *odd[3:]}
    page = printed(*command, "--latex", cwd=tmp_path)
    assert "\\input" not in page
    assert r"50\% \$x\$ \& y\_1 \#" in page


@pytest.mark.parametrize("text", ["1_0", "1e5_0", " nan", "nane5", "١", "0x10", "1,5", "--1"])
@pytest.mark.parametrize("column", ["--weight", "--score"])
def test_what_only_python_reads_as_a_number_is_refused(tmp_path: Path, text: str, column: str) -> None:
    file(tmp_path, f'true,pred,w\n1,1,1\n0,1,"{text}"\n')
    options = (*LABELS, "--weight", "w") if column == "--weight" else ("--true", "true", "--score", "w", "--decide", "0.5")
    assert refusal(tmp_path, "rows.csv", *options).startswith("rows.csv, data row 2, column 'w' is ")


@pytest.mark.parametrize("args", [("--undefined", "1_0"), ("--decide", "1_0"), ("--fail-under", "macro f1=1_0")])
def test_options_do_not_read_such_numbers_either(tmp_path: Path, args: tuple[str, ...]) -> None:
    file(tmp_path, "true,pred\na,a\n")
    assert "1_0" in refusal(tmp_path, "rows.csv", *LABELS, *args)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    "module", ["typing", "numpy", "numpy.linalg", "indicatrix.catalogue", "indicatrix.public_names", "click", "click.core"]
)
@pytest.mark.parametrize("command", [("-m", "indicatrix"), ("indicatrix",)])
@pytest.mark.posix
def test_ctrl_c_at_the_start_is_one_line(tmp_path: Path, module: str, command: tuple[str, ...]) -> None:
    """The signal comes while a module is loaded, which is early in the process and at the same place in every run."""
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(name=module), "utf-8")
    (tmp_path / "indicatrix").write_text("import sys\nfrom indicatrix.cli import main\nsys.exit(main())\n", "utf-8")
    path = os.pathsep.join((str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])))
    program = [str(tmp_path / command[0])] if command == ("indicatrix",) else list(command)
    done = subprocess.run(
        [sys.executable, *program, "catalogue"],
        capture_output=True,
        env=environment(PYTHONPATH=path),
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"\nInterrupted.\n")


def test_after_the_start_ctrl_c_is_an_exception_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was begun can then be undone, such as a file that is half written."""
    monkeypatch.setattr(sys, "argv", ["/usr/bin/indicatrix", "catalogue"])
    monkeypatch.setattr(signal, "signal", lambda number, handler: handlers.append(handler))
    handlers = [signal.default_int_handler]
    monkeypatch.setattr(signal, "getsignal", lambda number: handlers[-1])
    with QuietStart():
        assert handlers[-1] is not signal.default_int_handler
    assert handlers[-1] is signal.default_int_handler


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_after_the_loading_as_before_it(monkeypatch: pytest.MonkeyPatch, collects: bool) -> None:
    asked: list[str] = []
    monkeypatch.setattr(gc, "isenabled", lambda: collects)
    monkeypatch.setattr(gc, "enable", lambda: asked.append("enable"))
    monkeypatch.setattr(gc, "disable", lambda: asked.append("disable"))
    with QuietStart():
        assert asked == ["disable"]
    assert asked[1:] == ["enable"] * collects


@pytest.mark.posix
def test_a_script_that_imports_the_library_gets_its_keyboard_interrupt(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(name="indicatrix.catalogue"), "utf-8")
    path = os.pathsep.join((str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])))
    code = "try:\n    import indicatrix\nexcept KeyboardInterrupt:\n    print('mine')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=environment(PYTHONPATH=path),
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert done.stdout == b"mine\n"


@pytest.mark.slow
def test_refused_names_are_in_one_line(tmp_path: Path) -> None:
    told = refused("evaluate", "no\nsuch\x1b[31m.csv", *LABELS, cwd=tmp_path)
    assert told.startswith("No file fits the pattern no")
