"""The command line as a whole: help, versions, exit codes, pipes, terminals, missing libraries."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from commands import environment, here, indicatrix, printed, python, refused
from loops import for_each

import indicatrix as ix
from indicatrix.cli import main
from indicatrix.cli.app import COMMANDS, commands


def get_command(name: str) -> click.Command:
    found = commands.get_command(click.Context(commands), name)
    assert found is not None
    return found


HEAVY = ("sklearn", "pandas", "matplotlib", "sympy", "scipy", "torch", "polars", "pyarrow", "rich")
HELP = """
import sys
from indicatrix.cli import main
sys.argv = ["indicatrix", "--help"]
try:
    main()
finally:
    print(*sys.modules)
"""
WITHOUT = """
import sys
sys.modules[{library!r}] = None
sys.argv = ["indicatrix", "catalogue"]
from indicatrix.cli import main
main()
"""
FAILING = """
import click
from indicatrix.cli import app

@app.commands.command("failing")
def failing():
    raise {error}

import sys
sys.argv = ["indicatrix", "failing"]
app.run()
"""


@pytest.mark.slow
def test_help_names_every_command_and_costs_nothing_heavy() -> None:
    done = python("-c", HELP)
    help_text, loaded = done.stdout.rsplit("\n", 2)[0], set(done.stdout.splitlines()[-1].split())
    assert done.returncode == 0
    assert all(f"\n  {name} " in help_text for name in COMMANDS)
    assert not loaded & set(HEAVY)
    assert not {name for name in loaded if name.startswith("indicatrix.cli.")} - {"indicatrix.cli.app"}


@pytest.mark.slow
def test_no_command_loads_a_heavy_library_before_it_runs() -> None:
    code = "import sys, click\nfrom indicatrix.cli.app import COMMANDS, commands\n"
    code += "for name in COMMANDS: commands.get_command(click.Context(commands), name)\nprint(*sys.modules)"
    assert not {*python("-c", code).stdout.split()} & {*HEAVY}


def test_no_arguments_are_a_question_for_help() -> None:
    assert printed() == printed("--help") == printed("-h")


def test_the_version() -> None:
    assert printed("--version") == f"indicatrix {ix.__version__}, {ix.__config__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    shown = printed(command, "--help")
    assert shown.startswith(f"Usage: indicatrix {command} ")
    assert "Show this message and exit." in shown
    assert "\x1b" not in shown


@pytest.mark.slow
def test_bad_use_is_told_in_two_lines_with_what_to_do() -> None:
    done = indicatrix("evalute")
    assert done.returncode == 2
    assert "No such command 'evalute'." in done.stderr
    assert done.stderr.splitlines()[1] == "indicatrix --help shows how to use it."
    assert "No such option '--cuonts'." in refused("measure", "f1", "--cuonts", "1")
    assert refused("measure") == "Missing argument 'NAME|FORMULA'."
    assert "'sideways' is not one of 'higher', 'lower', 'neither'" in refused("catalogue", "--better", "sideways")


def test_a_missing_library_is_named_with_its_install_line() -> None:
    done = python("-c", WITHOUT.format(library="click"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: The command line needs click and rich, and click is missing: pip install 'indicatrix[cli]'\n"


@pytest.mark.slow
def test_rich_draws_on_terminals_only_and_is_not_missed_in_a_pipe() -> None:
    assert python("-c", WITHOUT.format(library="rich")).stdout == printed("catalogue")
    told = _on_a_terminal("-c", WITHOUT.format(library="rich"), code=2)
    assert (
        told.split("\r\n")[0]
        == "Error: The command line needs click and rich, and rich is missing: pip install 'indicatrix[cli]'"
    )


@pytest.mark.slow
def test_another_missing_library_is_called_by_its_name() -> None:
    done = python("-c", FAILING.format(error="ModuleNotFoundError(\"No module named 'abacus'\", name='abacus')"))
    assert (done.returncode, done.stderr) == (2, "Error: No module named 'abacus'\n")


@pytest.mark.one_fast_case
@for_each(
    ("error", "code", "told"),
    [
        ("ValueError('y_true is empty.')", 2, "Error: y_true is empty.\n"),
        ("KeyError('There is no column x.')", 2, "Error: There is no column x.\n"),
        ("TypeError('not text')", 2, "Error: not text\n"),
        ("ImportError('pip install it')", 2, "Error: pip install it\n"),
        ("FileNotFoundError(2, 'No such file or directory', 'a.csv')", 2, "Error: a.csv: No such file or directory.\n"),
        ("OSError(28, 'No space left on device')", 2, "Error: No space left on device.\n"),
        ("OSError('odd')", 2, "Error: odd\n"),
        ("click.Abort()", 130, "Interrupted.\n"),
        ("KeyboardInterrupt()", 130, "\nInterrupted.\n"),
        ("click.exceptions.Exit(1)", 1, ""),
        ("click.ClickException('Wrong.')", 2, "Error: Wrong.\n"),
        ("BrokenPipeError()", 0, ""),
    ],
)
def test_errors_become_a_line_and_an_exit_code(error: str, code: int, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command("failing")
    def failing() -> None:
        raise eval(error)

    monkeypatch.setitem(commands.commands, "failing", failing)
    monkeypatch.setattr("indicatrix.cli.stop_writing", lambda: None)  # it gives up the standard output of this process
    done = here("failing")
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.lstrip("\n") == told.lstrip("\n")


def test_an_error_ends_a_process_with_its_line_and_code() -> None:
    done = python("-c", FAILING.format(error="ValueError('y_true is empty.')"))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "Error: y_true is empty.\n")


@pytest.mark.slow
def test_a_bug_is_called_a_bug_and_shown_on_request() -> None:
    done = python("-c", FAILING.format(error="ZeroDivisionError('by zero')"))
    assert done.returncode == 70
    first, second = done.stderr.splitlines()
    assert first == "This is a mistake in indicatrix, not in your data (ZeroDivisionError: by zero)."
    assert "INDICATRIX_TRACEBACK=1" in second
    shown = python("-c", FAILING.format(error="ZeroDivisionError('by zero')"), INDICATRIX_TRACEBACK="1")
    assert shown.returncode == 1
    assert "Traceback" in shown.stderr
    assert "in failing" in shown.stderr
    wrong = python("-c", FAILING.format(error="ValueError('bad')"), INDICATRIX_TRACEBACK="1")
    assert "in failing" in wrong.stderr


@pytest.mark.parametrize("args", [("catalogue",), ("--help",), ("demo", "--help"), ("--version",)])
@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(args: tuple[str, ...]) -> None:
    """The reader closes the pipe before anything is written, so every write meets a broken pipe."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "indicatrix", *args]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, env=environment(), timeout=120)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.posix
def test_head_takes_one_line() -> None:
    shell = f"'{sys.executable}' -m indicatrix catalogue | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {shell}"], capture_output=True, env=environment(), timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"name ")
    assert done.stdout.count(b"\n") == 1


@pytest.mark.slow
def test_a_pipe_gets_plain_lines_however_long() -> None:
    shown = printed("measure", "mcc", "--no-proofs")
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) > 200
    assert len(printed("catalogue", "--group", "coefficients").splitlines()) == 1 + len(ix.catalogue(group="coefficients"))


@pytest.mark.slow
def test_an_output_without_greek_loses_characters_not_the_report() -> None:
    done = indicatrix("measure", "f1", "--no-proofs", "--counts", "1,2,3,4", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert "2/7 ? 0.285714" in done.stdout


# The line that says how far a slow command is: drawn several times, then cleared.
PROGRESS = re.compile(r"(?:\r\x1b\[K[^\r\n]*)*\r\x1b\[K")


def _on_a_terminal(*args: str, columns: int = 100, code: int = 0, **more: str) -> str:
    """Return what Python writes to a terminal of some width."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    import struct

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = environment(**{"TERM": "xterm-256color", **more})
    running = subprocess.Popen([sys.executable, *args], stdout=theirs, stderr=theirs, env=settings)
    os.close(theirs)
    written = _everything_from(ours)
    assert running.wait(timeout=120) == code
    return PROGRESS.sub("", written.decode())


def _on_a_terminal_here(*args: str, columns: int = 100, **more: str) -> str:
    """Return what a command of this process writes to a terminal, whose width a variable says."""
    ours, theirs = pytest.importorskip("pty").openpty()
    variables = environment(**{"TERM": "xterm-256color", "COLUMNS": str(columns), **more})
    with (
        ThreadPoolExecutor() as reader,
        patch.dict(os.environ, variables, clear=True),
        patch.object(sys, "argv", ["indicatrix", *args]),
    ):
        read = reader.submit(_everything_from, ours)  # a terminal holds 4,096 bytes that nobody has read
        with (
            open(theirs, "w", encoding="utf-8") as terminal,
            pytest.raises(SystemExit) as ended,
            redirect_stdout(terminal),
            redirect_stderr(terminal),
        ):
            main()
    assert not ended.value.code
    return PROGRESS.sub("", read.result().decode())


def _everything_from(terminal: int) -> bytes:
    """Return what is written to a terminal until it is closed, and close our side of it."""
    parts = []
    with suppress(OSError):  # how Linux says that the other side is closed
        while part := os.read(terminal, 65536):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts)


@pytest.mark.slow
@pytest.mark.parametrize("args", [("measure", "multiclass_mcc"), ("catalogue", "--group", "balance", "--monotone")])
def test_a_terminal_gets_colors_and_wrapped_lines(args: tuple[str, ...]) -> None:
    command = ("-m", "indicatrix", *args)
    colored, plain = _on_a_terminal(*command), _on_a_terminal(*command, NO_COLOR="1")
    assert "\x1b[" in colored
    assert "\x1b" not in plain
    assert max(map(len, plain.splitlines())) <= 100
    words = [text.split() for text in (plain, printed(*args))]
    assert sorted(words[0]) == sorted(words[1])


ANSI = re.compile(r"\x1b\[[0-9;]*m|\r")


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [(), ("-m", "f1", "-m", "mcc"), ("--by", "site", "--interval"), ("--pred", "other", "-m", "f1", "-a", "macro")],
)
def test_a_report_on_a_terminal_is_the_same_text_in_colors(args: tuple[str, ...], tmp_path: Path) -> None:
    rows = "".join(f"{k % 3},{k % 4},{k % 5 % 3},{'uv'[k % 2]}\n" for k in range(40))
    (tmp_path / "a.csv").write_text(f"true,pred,other,site\n{rows}", "utf-8")
    command = ("evaluate", str(tmp_path / "a.csv"), "--true", "true", "--pred", "pred", *args)
    plain = printed(*command)
    colored = _on_a_terminal_here(*command, columns=200)
    assert "\x1b[1m" in colored
    assert "\x1b[36m" in colored
    assert ANSI.sub("", colored) == plain
    if not args:
        assert plain == f"{ix.evaluate([k % 3 for k in range(40)], [k % 4 for k in range(40)])}\n"


@pytest.mark.slow
def test_who_decides_on_colors() -> None:
    """NO_COLOR goes first, then FORCE_COLOR, also where there is no terminal; a dumb terminal has no colors."""
    for more, wanted in (
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "0"}, False),
    ):
        assert ("\x1b[" in _on_a_terminal_here("catalogue", "--group", "likelihood", **more)) == wanted, more
    measured = ("-m", "indicatrix", "explain", "f1")
    assert "\x1b" not in python(*measured).stdout
    forced = python(*measured, FORCE_COLOR="1").stdout
    assert forced != (plain := ANSI.sub("", forced))
    assert plain == printed("explain", "f1")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 100])
def test_numbers_are_never_cut_however_narrow_the_terminal(columns: int, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("true,pred\n" + "".join(f"{k % 3},{k % 4}\n" for k in range(20)), "utf-8")
    args = ("evaluate", str(tmp_path / "a.csv"), "--true", "true", "--pred", "pred", "-m", "f1", "-m", "mcc")
    shown = _on_a_terminal("-m", "indicatrix", *args, columns=columns, NO_COLOR="1")
    assert shown.split() == printed(*args).split()


OPTIONS = {name: get_command(name).params for name in COMMANDS}


# Options whose help says more in one of the commands: what is repeated, what is best, what is saved.
OWN_WORDS = {"--html", "--pred", "--score", "--measure", "-m", "--average", "-a", "--save", "--better", "--method"}
FORMS = ("--json", "--markdown", "--latex", "--csv")


def test_options_of_one_name_mean_the_same_in_all_commands() -> None:
    said: dict[str, set[str | None]] = {}
    for option in (o for params in OPTIONS.values() for o in params if isinstance(o, click.Option)):
        for flag in option.opts:
            said.setdefault(flag, set()).add(option.help)
    assert {flag for flag, texts in said.items() if len(texts) > 1} <= OWN_WORDS
    with_forms = {name for name, params in OPTIONS.items() if {*FORMS} <= {flag for o in params for flag in o.opts}}
    assert with_forms == {*COMMANDS} - {"demo"}


@pytest.mark.one_fast_case
@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"demo"}))
def test_forms_exclude_each_other(command: str) -> None:
    first = (get_command(command).epilog or "").splitlines()[2]  # of its examples
    _, _, *args = shlex.split(first)
    for one, other in combinations(FORMS, 2):
        assert refused(command, *args, one, other).endswith("two forms of one output. Give only one of them.")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained_and_every_help_ends_with_examples(name: str) -> None:
    assert all(o.help and o.help.endswith((".", "…")) for o in OPTIONS[name] if isinstance(o, click.Option))
    epilog = get_command(name).epilog or ""
    assert epilog.splitlines()[1] == "Examples:"
    assert all(line.startswith(f"  indicatrix {name}") for line in epilog.splitlines()[2:])
    assert printed(name, "--help").endswith("\n".join(f"  {line}" for line in epilog.splitlines()[1:]) + "\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("evalute",), "No such command 'evalute'. Did you mean evaluate?"),
        (("catalog",), "No such command 'catalog'. Did you mean catalogue?"),
        (("xyzzy",), "No such command 'xyzzy'. Commands are evaluate, compare, threshold, weakest, evals, "),
        (("measure", "f1", "--cuonts", "1"), "No such option '--cuonts'. (Did you mean one of: '--counts'"),
        (("catalogue", "--show", "bonded"), "--show: 'bonded' is not a property. Did you mean bounded?"),
        (("catalogue", "--group", "positve clas"), "There is no group 'positve clas'. Did you mean 'positive class'?"),
        (("measure", "roc_auc"), "There is no measure 'roc_auc'. Did you mean"),
        (("evaluate", "rows.cvs"), "There is no file rows.cvs. Did you mean rows.csv?"),
        (("evaluate", "evs.json"), "There is no file evs.json. Did you mean ev.json?"),
        (("evaluate", "rows.csv", "--positive", "Cat"), "the classes are 'cat', 'dog'. Did you mean cat?"),
        (("evaluate", "rows.csv", "--fail-under", "makro f1=1"), "'makro' is not an average. Did you mean macro?"),
        (("evaluate", "rows.csv", "--average", "makro"), "'makro' is unknown. Did you mean macro?"),
    ],
)
def test_a_misspelled_name_is_answered_with_a_similar_one(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    (tmp_path / "rows.csv").write_text("true,pred\ncat,cat\ndog,cat\n", "utf-8")
    ix.evaluate([0], [0]).save(tmp_path / "ev.json")
    labels = ("--true", "true", "--pred", "pred") if args[-1] == "rows.cvs" or "rows.csv" in args else ()
    done = here(*args, *labels, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
