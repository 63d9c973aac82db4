"""``indicatrix catalogue``: what it lists is what the library selects."""

from __future__ import annotations

import json
import re
from itertools import product

import pytest
from commands import indicatrix, printed, refused
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.numbers.exact import exactly, is_defined, order
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.cli.catalogue import PROPERTIES, _answer, _choose, catalogue

OUTSIDE = {  # measures whose definition needs more than the formula parser knows: cases, probit, the logarithm of factorials
    "subset_accuracy", "zero_one_loss", "baroni_urbani_buser_2", "goodall", "andres_marzo", "cole", "sensitivity_index",
    "adjusted_geometric_mean", "gilbert_wells_factorial",
}  # fmt: skip

FLAGS = {flag for option in catalogue.params for flag in (*option.opts, *option.secondary_opts)}
VECTORS = [*product(range(3), repeat=4), (30, 4, 2, 50), (7, 1900, 23, 8), (1, 0, 40, 600)]


def names(text: str) -> list[str]:
    """Return the first column of a table."""
    return [re.split(r"  +", line)[0] for line in text.splitlines()[1:]]


@for_each("measure", ix.catalogue(of="counts"))
def test_every_formula_shown_is_the_formula_computed(measure: ix.Measure) -> None:
    text = measure.formula
    if measure.name in OUTSIDE:
        assert text
        return
    read, computed = exactly(ix.measure(text, params=dict(measure.params))), exactly(measure)
    for v in VECTORS:
        x, y = read(*v), computed(*v)
        if is_defined(x, y):
            assert order(x, y) == 0
        else:
            assert repr(x) == repr(y)  # undefined at the same counts, and in the same way


def test_all_measures_in_the_order_of_the_registry() -> None:
    assert names(printed("catalogue")) == [str(m) for m in ix.catalogue()]


@for_each("name", PROPERTIES)
def test_every_property_has_a_flag_that_selects_what_the_library_selects(name: str) -> None:
    assert {f"--{name.replace('_', '-')}", f"--not-{name.replace('_', '-')}"} <= FLAGS
    for wanted in (True, False):
        chosen = [m for m in _choose("positive class", None, None) if _answer(m, name) is wanted]
        assert chosen == [
            m for m in ix.catalogue(group="positive class") if m in ix.theory.select(group="positive class", **{name: wanted})
        ]


@pytest.mark.slow
def test_flags_combine() -> None:
    shown = printed("catalogue", "--skew-invariant", "--not-decomposable", "--bounded", "--better", "higher")
    expected = ix.theory.select(skew_invariant=True, decomposable=False, bounded=True, better="higher")
    assert names(shown) == [str(m) for m in expected]
    header = shown.splitlines()[0].split()
    assert header == ["name", "range", "better", "group", "decomposable", "skew_invariant", "bounded", "formula"]
    assert all(re.search(r"  no +yes +yes  ", line) for line in shown.splitlines()[1:])


def test_a_group_is_listed_with_the_properties_to_show() -> None:
    shown = printed("catalogue", "--group", "positive class", "--show", "skew-invariant", "--show", "monotone")
    assert names(shown) == [str(m) for m in ix.catalogue(group="positive class")]
    assert re.search(r"^recall +\[0, 1\] +higher +yes +yes +tp / \(tp \+ fn\)$", shown, re.MULTILINE)
    assert "group" not in shown.splitlines()[0]
    matrix = printed("catalogue", "--group", "confusion matrix", "--show", "monotone")
    assert names(matrix) == [str(m) for m in ix.catalogue(group="confusion matrix")]
    assert {*names(matrix)} < {*MATRIX_MEASURES}


def test_the_search_looks_into_names_aliases_descriptions_groups_and_established_names() -> None:
    assert names(printed("catalogue", "--search", "youden")) == ["informedness"]
    assert "jaccard" in names(printed("catalogue", "--search", "MEAN IOU"))
    assert set(map(str, ix.catalogue(group="rules"))) <= set(names(printed("catalogue", "--search", "rules")))
    assert names(printed("catalogue", "--search", "gorodkin")) == ["multiclass_mcc"]


@pytest.mark.slow
def test_the_json_has_what_the_library_knows() -> None:
    data = json.loads(printed("catalogue", "--monotone", "--group", "likelihood", "--json"))
    found = ix.theory.select(monotone=True, group="likelihood")
    assert [one["name"] for one in data] == [m.name for m in found]
    for one, m in zip(data, found, strict=True):
        assert one["properties"] == {"monotone": True}
        assert (one["better"], one["aliases"], one["source"], one["what"]) == (m.better, list(m.aliases), m.source, m.doc)
        assert one["range"] == [low if abs(low) < float("inf") else None for low in m.range]
    assert all(one["formula"] is None for one in json.loads(printed("catalogue", "--group", "confusion matrix", "--json")))


def test_the_markdown_has_one_row_for_each_measure() -> None:
    lines = printed("catalogue", "--group", "balance", "--markdown").splitlines()
    assert lines[:2] == ["| name | range | better | formula |", "| --- | --- | --- | --- |"]
    assert len(lines) == 2 + len(ix.catalogue(group="balance"))


@pytest.mark.slow
def test_nothing_found_is_an_answer() -> None:
    done = indicatrix("catalogue", "--search", "no such words")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("No measure fulfills all these options.")
    assert json.loads(printed("catalogue", "--search", "no such words", "--json")) == []


@pytest.mark.slow
def test_wrong_words_are_told_with_the_right_ones() -> None:
    assert refused("catalogue", "--group", "x").startswith("There is no group 'x'. Groups are 'accuracy', 'positive class'")
    assert refused("catalogue", "--show", "speed").startswith("--show: 'speed' is not a property. Properties are decomposable,")
    assert refused("catalogue", "--json", "--markdown").endswith("Give only one of them.")
