"""Every setting of evaluate() counts what its definition says, merges exactly and survives a file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples
from setting_definitions import ENCODINGS, Case, cases

import indicatrix as ix
from indicatrix.algebra.average import averages_over


def exact(counts):
    return [[Fraction(v) for v in np.ravel(x).tolist()] for x in counts]


@examples(100)
@given(cases())
def test_counts_are_those_of_the_definition(case: Case):
    ev, four, weights = case.evaluate(), case.cells(), case.weights()
    assert ev.classes == case.columns
    n, m = case.Y.shape
    per_class = [[sum((w * x[i, j] for i, w in enumerate(weights)), Fraction(0)) for j in range(m)] for x in four]
    assert exact(ev.aggregate("class")) == per_class
    assert exact(ev.aggregate(())) == [[sum(x)] for x in per_class]
    if case.groups is not None:
        names = list(dict.fromkeys(case.groups))
        axis = "target" if "targets" in case.options else "depth"
        here = [[sum(v for v, g in zip(x, case.groups, strict=True) if g == name) for name in names] for x in per_class]
        assert (ev.aggregate(axis).names, exact(ev.aggregate(axis))) == ((tuple(names),), here)
    rows = {}
    for i, w in enumerate(weights):
        row = tuple(sum(x[i], Fraction(0)) for x in four)
        rows[row] = rows.get(row, 0) + w
    found = ev.aggregate("example")
    have = dict(zip(zip(*exact(found), strict=True), map(Fraction, np.ravel(found.times).tolist()), strict=True))
    assert have == {row: w for row, w in rows.items() if w}
    if "by" in case.per_row:
        folds = case.per_row["by"]["fold"]
        for name, part in ev.split("fold").items():
            mine = [i for i in range(n) if folds[i] == name]
            assert part.n == len(mine)
            assert exact(part.aggregate("class")) == [
                [sum((weights[i] * x[i, j] for i in mine), Fraction(0)) for j in range(m)] for x in four
            ]


@given(cases(), st.data())
def test_any_split_merges_to_the_whole_and_a_file_keeps_it(tmp_path_factory, case: Case, data):
    if not case.n:
        return
    order = data.draw(st.permutations(range(case.n)))
    cut = data.draw(st.integers(1, case.n))
    parts = [case.evaluate(order[:cut]), *([case.evaluate(order[cut:])] if cut < case.n else [])]
    whole = case.evaluate()
    assert sum(parts) == whole == sum(parts[::-1])
    path: Path = tmp_path_factory.mktemp("ev") / "ev.json"
    whole.save(path)
    again = ix.load(path)
    assert again == whole
    assert str(again) == str(whole)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_reports_findings_and_every_measure_work_in_every_setting(encoding):
    y, p = list("aabbccab"), ["a", "b", "b", "c", "c", None, "a", "b"]
    ev = encoding(y, p).evaluate()
    assert str(ev)
    ev.findings()
    for measure in dict.fromkeys(ix.algebra.MEASURES.values()):
        for average in measure.averages or averages_over("class", "example"):
            assert isinstance(ev.score(measure, average), ix.Score)
