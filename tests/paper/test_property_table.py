"""The property table of every measure at the end of errata.md, each column of each row."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import pytest
from facts import PAPER, N, as_coded, finite, has_floor, named, readings
from loops import for_each

import indicatrix as ix


@dataclass(frozen=True)
class Row:
    """One row, its cells as they are printed."""

    name: str
    group: str
    decomposable: str
    skew_invariant: str
    tn_survives: str
    all_wrong: str
    per_cell: str
    paired: str
    ends: str
    undefined: str

    def __str__(self):
        return self.name


def rows():
    table = (PAPER / "errata.md").read_text("utf-8").partition("## Property table")[2]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines[1:]]


ROWS = {row.name: row for row in rows()}
GRID = list(product(range(6), repeat=4))
every_row = for_each("row", ROWS.values())


def yes(text):
    """Return the answer that a cell gives; a remark may follow it."""
    return {"yes": True, "no": False, "NO": False}[re.match(r"\w+", text)[0]]


def test_the_table_is_whole():
    assert len(ROWS) == 43
    groups = {(row.group, named(row.name).group) for row in ROWS.values()}
    assert len(groups) == len(dict(groups)) == len({ours for _, ours in groups})  # one of ours for each of the paper's


@pytest.mark.slow
@every_row
def test_decomposable_skew_and_tn(row):
    found = ix.properties(named(row.name))
    assert found.decomposable is yes(row.decomposable)
    formula = replace(named(row.name), averages=())  # the table judges the formula, also where it has a meaning only per example
    assert ix.properties(formula).skew_invariant is yes(row.skew_invariant)
    assert found.tn_survives_at_tp0 is yes(row.tn_survives)


@pytest.mark.slow
@every_row
def test_value_of_total_misclassification(row):
    assert has_floor(named(row.name), row.all_wrong)


@pytest.mark.slow
@every_row
def test_monotone(row):
    found = ix.properties(named(row.name))
    assert found.monotone_per_cell is yes(row.per_cell)
    assert found.monotone is yes(row.paired)
    if not found.monotone_per_cell:
        cells = row.per_cell.removeprefix("NO: ").split(",")
        assert found.evidence["monotone_per_cell"].note == f"fails for {', '.join(cells)}"


@pytest.mark.slow
@every_row
def test_ends_of_the_scale(row):
    measure, ends = as_coded(row.name), list(map(yes, row.ends.split("/")))
    found = ix.properties(measure)
    assert [found.upper_boundary, found.lower_boundary] == ends
    pairs = [(x, y) for x, y in product(range(1, 6), repeat=2)]
    for constant, vectors in zip(ends, ([(x, 0, 0, y) for x, y in pairs], [(0, x, y, 0) for x, y in pairs]), strict=True):
        values = {finite(measure, v) for v in vectors}
        assert (len(values) == 1 and None not in values) is constant


# The last column: where the value is undefined, where it is infinite, and between which ends all others lie.


def meaning(text):
    """Return a cell with the short cuts of the table written out."""
    for short, long in {
        "as MCC": ROWS["MCC"].undefined,
        "as DOR, and also fp=0 or tn=0 when coded as a nested fraction": "fp*fn=0 or tn=0",
        "any of the four marginals 0": "tpos*tneg*ppos*pneg=0",
        "any marginal 0": "tpos*tneg*ppos*pneg=0",
        "any cell 0 (+-inf, or inf-inf)": "tp*fp*fn*tn=0",
        "never": "n=0",  # of counts that there are: without any entry there is nothing to be right (errata B6)
        "ppos=0; fp=0 gives +inf": "ppos=0; fp=0 gives +inf (0/0 if tn=0)",  # conviction: no negatives, so 1 - prevalence is 0
        " if coded as coverage*RA; Novelty form is defined there": "",  # it is coded so: klosgen has an exponent on coverage
    }.items():
        text = text.replace(short, long)
    return text.split("; ")


def holds(condition, counts):
    """Return whether counts fulfill a condition such as "tpos=0, tneg=0 or rec=spec=0"."""
    tp, fp, fn, tn = counts
    n, tpos, ppos = sum(counts), tp + fn, tp + fp
    known = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "n": n, "tpos": tpos, "ppos": ppos, "tneg": n - tpos, "pneg": n - ppos}
    known |= {"rec": tp, "spec": tn, "p_e": 1 if n in (tp, tn) else 0}  # rates are zero where their numerators are

    def equal(text):
        *sides, value = text.split("=")
        return all(sum(math.prod(known[x] for x in term.split("*")) for term in side.split("+")) == int(value) for side in sides)

    return any(all(map(equal, part.split(" and "))) for part in re.split(r" or |, ", condition))


INFINITE = re.compile(r"(.+?)(?: gives|:) \+inf(?: \(0/0 if (.+)\))?")


@pytest.mark.slow
@every_row
def test_undefined_and_infinite(row):
    measure, clauses = as_coded(row.name), meaning(row.undefined)
    infinite = [match.groups() for clause in clauses if (match := INFINITE.fullmatch(clause))]
    plain = [re.sub(r" \(.*\)", "", clause) for clause in clauses if not INFINITE.fullmatch(clause)]
    undefined = [clause for clause in plain if "=" in clause]
    assert len(undefined) + len(infinite) > 0
    for v in GRID:
        missing = any(holds(clause, v) for clause in undefined)
        if missing and not infinite:
            assert finite(measure, v) is None, v
        elif missing or any(holds(where, v) for where, _ in infinite):
            nothing = missing or any(nought and holds(where, v) and holds(nought, v) for where, nought in infinite)
            assert math.isnan(measure(ix.Counts(*map(Fraction, v)))) is nothing, v
            assert nothing or measure(ix.Counts(*map(Fraction, v))) == math.inf, v
        else:
            assert finite(measure, v) is not None, v


@pytest.mark.slow
@every_row
def test_bounded(row):
    clauses = meaning(row.undefined)
    ranges = [match.groups() for clause in clauses if (match := re.fullmatch(r"range ([\[(])(.+),(.+)([\])])", clause))]
    grows = any("n" in low + high for _, low, high, _ in ranges)
    endless = any("inf" in c or "unbounded" in c for c in row.undefined.split(";")) or row.name == "Odds Ratio"
    assert ix.properties(named(row.name)).bounded is not (grows or endless)
    for left, low, high, right in ranges:
        ends = [readings(x.replace("w", "(p_t/(1-p_t))"))[0] for x in (low, high)]
        values = [(v, x) for v in GRID if (x := finite(named(row.name), v)) is not None]
        bounds = [[Fraction(str(end.subs(N, sum(v)))) for v, _ in values] for end in ends]
        assert all(least <= x <= most for (_, x), least, most in zip(values, *bounds, strict=True))
        for bound, closed in zip(bounds, (left == "[", right == "]"), strict=True):
            assert not closed or any(x == end for (_, x), end in zip(values, bound, strict=True))
