"""What a pipeline asks of scores: limits, also over batches, and not to be worse than a baseline.

A limit is a text, ``--fail-under "macro f1=0.8"``, and answers are read in several forms.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..algebra.average import score_name
from ..inference.planning.gate import FAILED, REACHED, UNDECIDED, Check, Gate, read_limit
from ..report.grid import printable
from ..report.table_forms import Table
from ..selection import only_averages
from ..storage.formats import load_as, replace_file
from ..words.wording import listing
from .arguments import read_measure
from .asked import SAVED, Asked, check_exists, is_saved
from .counting import Evaluated, count_paired, evaluate_file
from .options import MARGIN, option
from .output import write_file
from .tables import titles

GITHUB = "GITHUB_STEP_SUMMARY"
MARKS = {REACHED: "passed", FAILED: "failed", UNDECIDED: "undecided"}
OPTIONS = (
    option(
        "--fail-under CHECK...",
        "Exit with 1 if a score is under a value, 'macro f1=0.8', or above it where lower is better. An undefined score fails. "
        "Repeatable.",
    ),
    option(
        "--sequential FILE",
        "Add the rows to those that this state.json has seen, and fail only if it is sure that a score of all misses its "
        "limit. It may be looked at after every batch.",
    ),
    option(
        "--fail-if-worse FILE",
        "Exit with 1 if a test shows that a score is worse than the baseline's: a saved evaluation (.json) of other examples, or "
        "a table of the same examples in the same order. The scores are those of --measure, or of --fail-under.",
    ),
    MARGIN,
    option("--junit FILE", "Write the results of all checks as JUnit XML, which CI servers show."),
    option(
        "--summary FILE",
        f"Append the results as a Markdown table. Without FILE it is the job summary of GitHub, {GITHUB}.",
        without=GITHUB,
    ),
)


def read_check(text: str, axes: tuple[str, ...]) -> Check:
    """Return the check that a text asks for: an average before or after the measure, then = and a number.

    >>> check = read_check("f_beta(beta=2) macro=0.8", ())
    >>> str(check), check.limit
    ('macro f_beta(beta=2)', 0.8)
    """
    try:
        check = read_limit(text, axes, lambda name: read_measure(name, {}))
    except ValueError as wrong:
        raise ValueError(f"--fail-under {wrong}") from None
    return check if check.average else replace(check, average=next(iter(only_averages(check.measure)), None))


@dataclass(frozen=True)
class Outcome:
    """The answer to one check of one evaluation."""

    check: str  # what was asked, such as "macro f1=0.8"
    of: str  # the file or column
    answer: str  # reached, failed or undecided
    says: str

    @property
    def line(self) -> str:
        """The line that is printed."""
        return f"Check {MARKS[self.answer]}: {self.says}"


def outcome(check: Check, evaluated: Evaluated, undefined: Any) -> Outcome:
    """Return the answer to a check of all that was evaluated; an undefined score fails."""
    value = _value(check, evaluated, undefined)
    name = score_name(check.measure.meant_for(evaluated.ev, check.average), check.average)  # accuracy of groups is of examples
    given, limit = _distinct_texts(value, check.limit)
    reached = check.reached(value)
    side = ("not above" if check.lower else "at least") if reached else "above" if check.lower else "under"
    text = "undefined" if math.isnan(value) else f"{given}, {side} {limit}"
    return Outcome(check.text, evaluated.name, REACHED if reached else FAILED, f"{name} of {evaluated.name} is {text}.")


def _distinct_texts(value: float, limit: float) -> tuple[str, str]:
    """Return two numbers with six digits, or with as many more as are needed to make them differ.

    >>> _distinct_texts(0.71234567, 0.8), _distinct_texts(2 / 3, 0.6666667)
    (('0.712346', '0.8'), ('0.66666667', '0.6666667'))
    """
    texts = [(f"{value:.{digits}g}", f"{limit:.{digits}g}") for digits in range(6, 18)]
    return next((pair for pair in texts if pair[0] != pair[1]), texts[-1])


def _value(check: Check, evaluated: Evaluated, undefined: Any) -> float:
    """Return the score of a check; where it needs an average, the error shows how one is written."""
    try:
        return float(evaluated.ev.score(check.measure, check.average, undefined=undefined))
    except ValueError as wrong:
        says = f"--fail-under: {evaluated.name} has no {check}; {wrong}"
        if check.average is None:
            with suppress(ValueError):
                evaluated.ev.score(check.measure, "macro", undefined=undefined)
                asked = f"{check}={check.limit:g}"
                says = (
                    f"--fail-under {asked}: which average? Write 'macro {asked}', for example, or name the positive class "
                    "with --positive."
                )
        raise ValueError(says) from None


@dataclass(frozen=True)
class Asks:
    """What a pipeline asks; every field is the option of its name."""

    fail_under: tuple[str, ...]
    sequential: str | None
    fail_if_worse: str | None
    margin: float | None
    junit: str | None
    summary: str | None


def check_gates(gates: Asks, asked: Asked) -> None:
    """Refuse what does not go together; no file is read."""
    if gates.fail_if_worse is not None and os.path.abspath(gates.fail_if_worse) in map(os.path.abspath, asked.files):
        raise ValueError(f"--fail-if-worse {gates.fail_if_worse} is the file itself.")
    several = max(len(asked.files), len(asked.pred), len(asked.score)) > 1
    for name, given in (("sequential", gates.sequential), ("fail-if-worse", gates.fail_if_worse)):
        if given is not None and several:
            raise ValueError(f"--{name} is about one evaluation, but there are several. Call the command for each.")
        if given is not None and asked.prevalence is not None:
            raise ValueError(f"--{name} is about the examples as they are. Leave --prevalence out.")
    if gates.sequential is not None:
        if not gates.fail_under:
            raise ValueError("--sequential watches limits. Add --fail-under 'macro f1=0.8', for example.")
        if not is_saved(gates.sequential):
            raise ValueError(f"--sequential {gates.sequential}: the name of the state must end with {SAVED}.")
    if gates.margin is not None and gates.fail_if_worse is None:
        raise ValueError("--margin is how much worse than the baseline does not matter. Add --fail-if-worse baseline.json.")
    if gates.margin is not None and not (math.isfinite(gates.margin) and gates.margin >= 0):
        raise ValueError(f"--margin {gates.margin:g} must be a number that is not negative, such as 0.01.")
    if gates.fail_if_worse is not None and not (asked.measure or gates.fail_under):
        raise ValueError("--fail-if-worse: which scores must not be worse? Name them: -m f1 -a macro.")
    if gates.fail_if_worse is not None and asked.score and not is_saved(gates.fail_if_worse):
        raise ValueError(
            f"--fail-if-worse {gates.fail_if_worse}: rows are paired by labels, --pred. Save the baseline with --save."
        )
    for name, path in (("junit", gates.junit), ("summary", gates.summary)):
        if path is not None and not (gates.fail_under or gates.fail_if_worse):
            raise ValueError(f"--{name} writes the results of checks. Add --fail-under or --fail-if-worse.")
    if gates.summary == GITHUB and not os.environ.get(GITHUB):
        raise ValueError(f"--summary: {GITHUB} is not set, so this is not a job of GitHub. Name a file: --summary summary.md.")


def answers(gates: Asks, checks: tuple[Check, ...], evaluated: Sequence[Evaluated], asked: Asked) -> list[Outcome]:
    """Return the answers to all that is asked."""
    if gates.sequential is not None:
        found = _watched(gates.sequential, checks, evaluated[0], asked)
    else:
        found = [outcome(check, each, asked.undefined) for each in evaluated for check in checks]
    if gates.fail_if_worse is not None:
        found += _against(gates.fail_if_worse, gates.margin or 0.0, checks, evaluated[0], asked)
    return found


def _watched(path: str, checks: tuple[Check, ...], one: Evaluated, asked: Asked) -> list[Outcome]:
    """Return the answers of the gate that a file keeps, after this evaluation, and write the file."""
    for check in checks:
        if not check.measure.reads.counted:
            raise ValueError(
                f"--sequential keeps counts, and {check.measure} reads the scores of all examples. In Python, ix.Gate keeps them "
                "in memory."
            )
    asks = Gate(tuple(check.text for check in checks), asked.interval or Gate.level, undefined=asked.undefined)
    gate = load_as("Gate", path) if Path(path).exists() else asks
    if replace(gate, seen=None) != asks:
        raise ValueError(
            f"--sequential {path} watches {listing(gate.checks)}, and was started with --interval {gate.level:g} "
            f"--undefined {gate.undefined}. Ask the same, or name another file."
        )
    gate = gate + one.ev
    verdicts = gate.verdicts
    write_file("--sequential", path, gate.save)
    words = {REACHED: "which reaches", FAILED: "which misses", UNDECIDED: "not yet clear of"}
    found = []
    for check, each in zip(checks, verdicts, strict=True):
        says = f"{check} of {gate.n:,} examples is {each.interval} at every look, {words[each.answer]} {check.limit:g}."
        found.append(Outcome(check.text, one.name, each.answer, says))
    return found


def _against(path: str, margin: float, checks: tuple[Check, ...], one: Evaluated, asked: Asked) -> list[Outcome]:
    """Return whether the scores are worse than those of a baseline by more than a margin."""
    from ..compare.compare import compare
    from ..compare.row import about_other_meanings

    doubts: list[str] = []
    if is_saved(path):
        check_exists(path)
        (base,) = evaluate_file(path, replace(Asked(), files=(path,), positive=asked.positive))
        source: Any = {one.name: one.ev, path: base.ev}
        doubts = about_other_meanings([one.ev, base.ev])
        names = [one.name, path]
    else:
        if is_saved(one.file):
            raise ValueError(f"--fail-if-worse {path} has rows, but {one.file} only counts. Save the baseline with --save, too.")
        names = titles((one.file, path))
        source = count_paired(names, replace(asked, files=(one.file, path)))
    how: dict[str, Any] = {"baseline": names[1], "margin": margin or None, "correction": None, "undefined": asked.undefined}
    how["level"] = asked.interval or Gate.level
    scores: list[Any] = [(asked.measure, asked.average or None)] if asked.measure else [(x.measure, x.average) for x in checks]
    found = (compare(source, measures=some, averages=over, **how).differences for some, over in scores)
    return [_worse(difference, margin, path, doubts) for each in found for difference in each]


def _worse(d: Any, margin: float, path: str, doubts: Sequence[str]) -> Outcome:
    """Return whether a difference from the baseline, which is the second, shows that the first is worse."""
    if math.isnan(d.low):
        raise ValueError(f"--fail-if-worse {path}: {d.score} cannot be tested. {d.note}".strip())
    if d.better not in ("higher", "lower"):
        raise ValueError(
            f"--fail-if-worse {path}: neither higher nor lower values of {d.score} are better. Name another measure."
        )
    best, worst = (d.high, d.low) if d.better == "higher" else (-d.low, -d.high)
    answer = FAILED if best < -margin else REACHED if worst > -margin else UNDECIDED
    what = {FAILED: "is worse than", REACHED: "is not worse than", UNDECIDED: "may or may not be worse than"}[answer]
    by = f" by more than {margin:g}" if margin else ""
    ends = f"difference {d.value:.3g} [{d.low:.3g}, {d.high:.3g}], {d.method}"
    says = " ".join((f"{d.score} of {d.first} {what} that of {d.second}{by}: {ends}.", *doubts))
    return Outcome(f"{d.score} not worse than {path}{by}", d.first, answer, says)


def write_answers(gates: Asks, found: Sequence[Outcome]) -> None:
    """Write the files that a pipeline reads."""
    if gates.junit is not None:
        write_file("--junit", gates.junit, lambda path: _write(path, junit(found)))
    if gates.summary is not None:
        path = os.environ[GITHUB] if gates.summary == GITHUB else gates.summary
        write_file("--summary", path, lambda name: _append(name, summary(found)))


def _write(path: str, text: str) -> None:
    with replace_file(path) as place:
        place.write_text(text, encoding="utf-8")


def _append(path: str, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def junit(found: Sequence[Outcome]) -> str:
    """Return the results as JUnit XML; a check that is not decided yet is skipped.

    >>> print(junit([Outcome("f1=0.8", "a.csv", FAILED, "f1 is 0.7 & less.")]).splitlines()[3].strip())
    <failure message="f1 is 0.7 &amp; less." />
    """
    said = [one.answer for one in found]
    numbers = {"tests": str(len(said)), "failures": str(said.count(FAILED)), "skipped": str(said.count(UNDECIDED))}
    root = Element("testsuites", numbers)
    suite = SubElement(root, "testsuite", {"name": "indicatrix", "errors": "0", **numbers})
    for one in found:
        case = SubElement(suite, "testcase", {"classname": printable(one.of), "name": printable(one.check), "time": "0"})
        if one.answer != REACHED:
            SubElement(case, "failure" if one.answer == FAILED else "skipped", {"message": printable(one.says)})
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def summary(found: Sequence[Outcome]) -> str:
    """Return the results as a table in Markdown.

    >>> print(summary([Outcome("f1=0.8", "a.csv", REACHED, "f1 of a.csv is 0.9.")]).splitlines()[-2])
    | f1=0.8 | a.csv | passed | f1 of a.csv is 0.9. |
    """
    rows = [(one.check, one.of, MARKS[one.answer], one.says) for one in found]
    return f"### indicatrix\n\n{Table(('check', 'of', 'result', ''), rows, left=4).to('markdown')}\n\n"
