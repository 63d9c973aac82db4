"""Call everything public with junk: each call gives a value, or an error that the library raised.

One argument of a valid call becomes junk, or several. A *raw error* is an exception that no ``raise`` of the library made, or a
warning; an *unforeseen* error names the call with its arguments, and has no words of its own. Calls run in processes of their own
with a limit of memory and time, which never end this one. See ``python -m fuzz.junk_calls --help``.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import indicatrix as ix
from indicatrix.words.blamed_arguments import UnforeseenError

from .valid_calls import OBJECTS, SETUP, Call, every_call, needed_for

HOME = Path(ix.__file__).parent
JUNK = (
    *("None", "True", "False", "0", "1", "-1", "5", "2.5", "-0.5", "10**30", "-10**30", "2**63", "1e300", "-1e-300", "1j"),
    *("float('nan')", "float('inf')", "-float('inf')", "''", "'x'", "'nope(a=1)'", "'f1'", "'macro'", "'tp/0'", "'\\x00'", "' '"),
    *(
        "b'x'",
        "b''",
        "[]",
        "()",
        "{}",
        "set()",
        "[None]",
        "[1]",
        "['x']",
        "[[]]",
        "[[1], [1, 2]]",
        "{'a': 1}",
        "{1: None}",
        "{'x'}",
    ),
    *("np.float32(0.5)", "np.int8(3)", "np.bool_(True)", "np.str_('x')", "np.array(1)", "np.array([])", "np.zeros((0, 3))"),
    *(
        "np.array([1, 2])",
        "np.zeros((2, 2, 2))",
        "np.array([None, 'x'], object)",
        "np.array([{}, []], object)",
        "np.array(['2020'], 'M8[D]')",
    ),
    *("np.array([1j])", "np.array([float('nan')] * 8)", "np.array([1, 'x'])", "np.ma.masked_array([1, 2], [True, False])"),
    *(
        "object()",
        "int",
        "max",
        "range(3)",
        "range(10**18)",
        "iter([1, 2])",
        "(i for i in 'ab')",
        "slice(1)",
        "...",
    ),
    *("nested(2000)", "nested(100_000)", "Fraction(1, 3)", "ValueError('x')", "ix.f1", "ix", "print", "'-' * 20_000 + '1'"),
    *(
        "'(' * 5000",
        "'auc(max_fpr=' + '-' * 20_000 + '1)'",
        "'f_beta(beta=' + '(' * 3000 + '1)'",
        "'tp' + '+tp' * 20_000",
        "'x' * 10**6",
    ),
)
BINDING = re.compile(r"unexpected keyword|required (positional|keyword)|positional argument|multiple values for")
SECONDS, BYTES, SILENCE = 10, 6 << 30, 60  # of a call, of a process, and without a word from it
CHUNK = 500  # calls of a process


def nested(depth: int) -> list[Any]:
    """Return a list in a list in a list, and so on."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@dataclass(frozen=True)
class Raw:
    """A call that ended with an error that is not ours."""

    text: str
    error: str

    def __str__(self) -> str:
        lines = [f"{name} = {OBJECTS[name]}" for name in needed_for(self.text)]
        helper = ["from fuzz.junk_calls import nested"] * ("nested" in self.text)
        return "\n".join([SETUP, *helper, *lines, f"{self.text}  # {self.error}"])


@dataclass
class Tally:
    """What a run has called so far."""

    calls: int = 0
    callables: set[str] = field(default_factory=set)
    ends: Counter[str] = field(default_factory=Counter)  # "value", "error", "unforeseen", "slow", "raw"
    raw: list[Raw] = field(default_factory=list)

    def __str__(self) -> str:
        ends = ", ".join(f"{count:,} {name}" for name, count in sorted(self.ends.items()))
        return f"{self.calls:,} junk calls of {len(self.callables)} callables: {ends}"


def draw(rng: random.Random, calls: list[Call]) -> tuple[Call, str]:
    """Return a callable and the text of a call of it with junk."""
    call = rng.choice(calls)
    arguments = [*call.required]
    keywords = {name: value for name, value in call.optional if value}
    free = [name for name, _ in call.optional]
    if rng.random() < 0.1:  # everywhere
        arguments = [_junk_for(text, rng) for text in arguments]
    places = [*range(len(arguments)), *free]
    for place in rng.sample(places, min(len(places), 1 if rng.random() < 0.8 else 2)):
        if isinstance(place, int):
            arguments[place] = _junk_for(arguments[place], rng)
        else:
            keywords[place] = rng.choice(JUNK)
    return call, call.spell(arguments, keywords)


def _junk_for(argument: str, rng: random.Random) -> str:
    """Return junk in place of an argument, under its name if it has one."""
    named = re.match(r"\w+=(?!=)", argument)
    return f"{named[0] if named else ''}{rng.choice(JUNK)}"


@lru_cache
def raises_of(file: str) -> list[tuple[int, int]]:
    """Return the first and the last line of each ``raise`` in a file."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [(node.lineno, node.end_lineno or node.lineno) for node in ast.walk(tree) if isinstance(node, ast.Raise)]


def is_ours(error: BaseException) -> bool:
    """Return whether a ``raise`` of the library made an exception, or the operating system for a path."""
    if isinstance(error, OSError) and error.filename is not None:
        return True
    if isinstance(error, TypeError) and BINDING.search(str(error)):
        return True  # Python's own words about arguments
    if isinstance(error, RecursionError | MemoryError | UnboundLocalError | SystemError):
        return False
    *_, last = traceback.extract_tb(error.__traceback__)
    inside = Path(last.filename).is_relative_to(HOME)
    return inside and any(first <= (last.lineno or 0) <= end for first, end in raises_of(last.filename))


class TooLongError(BaseException):
    """A call takes longer than it may; no ``except Exception`` catches it."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError


def outcome(text: str, namespace: dict[str, Any]) -> tuple[str, str]:
    """Return how a call ends: "value", "error", "unforeseen", "slow" or "raw", and the words of an error."""
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            eval(text, namespace)
        found = "value", ""
    except TooLongError:
        return "slow", ""
    except Exception as error:
        words = f"{type(error).__name__}: {str(error)[:200]}"
        found = (
            ("raw", words)
            if not is_ours(error)
            else ("unforeseen", words)
            if isinstance(error, UnforeseenError)
            else ("error", "")
        )
    finally:
        signal.alarm(0)
    alien = [w for w in seen if not issubclass(w.category, ix.sklearn.UndefinedMetricWarning)]
    return ("raw", f"{alien[0].category.__name__}: {str(alien[0].message)[:200]}") if found[0] != "raw" and alien else found


def work(texts: list[str], report: Path) -> None:
    """Make some calls, and write to a file how each ended, as soon as it has."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    signal.signal(signal.SIGALRM, _stop)
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - some junk is print
    namespace: dict[str, Any] = {"nested": nested}
    exec(SETUP, namespace)
    for name in needed_for(" ".join(texts)):
        namespace[name] = eval(OBJECTS[name], namespace)
    for text in texts:
        end = outcome(text, dict(namespace))
        with report.open("a", encoding="utf-8") as file:  # opened each time: junk such as 5 is a file that is open
            file.write(json.dumps(end) + "\n")


def ends_of(texts: list[str]) -> Iterator[tuple[str, str]]:
    """Yield how each call ends, in processes of their own; a call that ends its process is a raw error."""
    texts = [*texts]
    while texts:
        with tempfile.TemporaryDirectory() as folder:
            todo, report = Path(folder, "todo"), Path(folder, "report")
            todo.write_text(json.dumps(texts[:CHUNK]), encoding="utf-8")
            report.touch()
            process = subprocess.Popen(
                [sys.executable, "-m", "fuzz.junk_calls", "--todo", str(todo), "--report", str(report)],
                cwd=folder,
                stderr=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path[1:]])},
            )
            _wait(process, report)
            ends = [tuple(json.loads(line)) for line in report.read_text(encoding="utf-8").splitlines()]
        yield from ends
        if len(ends) < len(texts[:CHUNK]):
            yield "raw", f"the process ended with {process.returncode}"
            ends.append(("raw", ""))
        texts = texts[len(ends) :]


def _wait(process: subprocess.Popen[bytes], report: Path) -> None:
    """Wait for a process; one that has been silent for long is killed."""
    size = -1
    while True:
        try:
            process.wait(SILENCE)
            return
        except subprocess.TimeoutExpired:
            if report.stat().st_size == size:
                process.kill()
                process.wait()
                return
            size = report.stat().st_size


def try_calls(seed: int, number: int) -> Tally:
    """Return how so many junk calls end; call k depends on the seed and k only."""
    calls, tally, texts = every_call(), Tally(), []
    for k in range(number):
        call, text = draw(random.Random(f"{seed} {k}"), calls)
        tally.callables.add(call.callee)
        texts.append(text)
    for text, (end, words) in zip(texts, ends_of(texts), strict=True):
        tally.calls += 1
        tally.ends[end] += 1
        if end == "raw":
            tally.raw.append(Raw(text, words))
    return tally


def main(arguments: list[str] | None = None) -> int:
    """Run the command line, and return its exit code: 1 if a raw error was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.junk_calls", description=sys.modules[__name__].__doc__)
    parser.add_argument("number", type=int, nargs="?", default=20_000, help="how many calls (20,000)")
    parser.add_argument("--seed", type=int, default=0, help="what calls are drawn from (0)")
    parser.add_argument("--todo", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.todo is not None:
        work(json.loads(options.todo.read_text(encoding="utf-8")), options.report)
        return 0
    print(f"seed {options.seed}", flush=True)
    tally = try_calls(options.seed, options.number)
    for raw in tally.raw:
        print(f"\n{raw}")
    print(f"\n{tally}\n{len(tally.raw) or 'no'} raw errors")
    return int(bool(tally.raw))


if __name__ == "__main__":
    sys.exit(main())
