"""Tables, values, evaluations and the catalogue as dictionaries and data frames: the same values, bit for bit."""

import math
import sys

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import measure_name
from indicatrix.catalogue.matrices import MATRIX_MEASURES

Y, Z = [0, 1, 1, 0, 1, 0, 0], [0, 1, 0, 0, 1, 1, 0]
SITES = ["x", "x", "y", "y", "z", "z", "z"]
PROBLEMS = {
    "binary": ix.evaluate(Y, Z),
    "named positive": ix.evaluate(["no", "yes", "no"], ["no", "yes", "yes"], positive="yes"),
    "multiclass": ix.evaluate(list("abcabca"), list("abcbbcc")),
    "absent class": ix.evaluate(list("abab"), list("abbb"), classes=list("abc")),
    "multilabel": ix.evaluate([{"a"}, {"a", "b"}, set(), {"c"}], [{"a"}, {"b"}, set(), {"a", "c"}]),
    "weights": ix.evaluate(Y, Z, sample_weight=[0.1, 0.2, 3, 4, 5, 0.7, 1e-3]),
    "groups": ix.evaluate(Y, Z, by={"site": SITES, "value": SITES[::-1]}),
    "mask": ix.evaluate(Y, Z, mask=[True] * 6 + [False]),
    "soft": ix.evaluate([[0.8, 0.1], [0.4, 0.9]], [[0.9, 0.2], [0.3, 0.7]], tnorm="product"),
    "counts": ix.from_counts(tp=[8, 1], fp=[2, 0], fn=[2, 3], tn=[88, 96]),
    "targets": ix.evaluate({"a": [0, 1], "b": [1, 1]}, {"a": [0, 0], "b": [1, 0]}, targets=True),
}
EVERY = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]


def same(one, other):
    """Return whether two columns are equal, nan and null included, and zeros with their sign."""
    return [repr(math.nan if x is None else x) for x in one] == [repr(math.nan if x is None else x) for x in other]


def check(source):
    """Check that the frames have the columns of to_dict and return them."""
    columns = source.to_dict()
    pandas, polars = source.to_pandas(), source.to_polars()
    assert list(pandas.columns) == polars.columns == list(columns)
    for name, column in columns.items():
        assert same(pandas[name].tolist(), column)
        assert same(polars[name].to_list(), column)
        if any(isinstance(x, float) for x in column):
            assert not any(isinstance(x, float) and math.isnan(x) for x in polars[name].to_list())
    return columns


@pytest.mark.one_fast_case
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_table_holds_the_scores(name):
    ev = PROBLEMS[name]
    table = ev.table(EVERY)
    columns = check(table)
    own = {m: [a for row, a in table.scores if row == m] for m in table.measures}
    assert columns.pop("measure") == [measure_name(m, own[m]) for m in table.measures]
    assert [m.meant_for(ev) for m in EVERY] == [*table.measures]
    assert columns
    for title, values in columns.items():
        average = None if title == "whole" else title  # of what has no average
        assert same(values, [float(table.scores[m, average]) if average in own[m] else math.nan for m in table.measures])
        for m in table.measures:
            if average in own[m]:
                assert same([table.scores[m, average]], [ev.score(m, average)])
        assert all(type(x) is float for x in values)


@pytest.mark.parametrize("name", PROBLEMS)
def test_an_evaluation_is_its_table(name):
    ev = PROBLEMS[name]
    assert repr(check(ev)) == repr(ev.table().to_dict())
    assert len(ev.table()) > 3


@for_each("measure", ["f1", "mcc", "positive_likelihood_ratio"])
@for_each("name", PROBLEMS)
def test_values_keep_names_and_axes(name, measure):
    ev = PROBLEMS[name]
    groups = ev.tally.by
    axes = [("class",), *((axis,) for axis in groups), *((axis, "class") for axis in groups)]
    for per in axes:
        values = ev.values(measure, per=per)
        columns = check(values)
        assert list(columns)[: len(per)] == list(per)
        found = dict(zip(zip(*(columns[axis] for axis in per), strict=True), [*columns.values()][-1], strict=True))
        names = (values.names,) if len(per) == 1 else values.names
        for place in np.ndindex(values.shape):
            unit = tuple(n[i] for n, i in zip(names, place, strict=True))
            assert same([found[unit]], [float(values[place])])


def test_values_per_example_say_how_often():
    values = PROBLEMS["multilabel"].values("f1", per="example")
    columns = check(values)
    assert list(columns) == ["example", "value", "times"]
    assert sum(columns["times"]) == 4
    assert list(check(ix.tasks.per_example("f1", Y, Z))) == ["example", "value"]


def test_a_selection_has_no_names():
    assert list(check(PROBLEMS["multiclass"].values("f1")[:2])) == ["value"]


def test_the_catalogue():
    columns = check(ix.catalogue())
    assert columns["name"] == [str(m) for m in ix.catalogue()]
    assert dict(zip(columns["name"], columns["formula"], strict=True))["f1"] == "2 * tp / (2 * tp + fp + fn)"
    assert {*check(ix.catalogue(of="matrix"))["formula"]} == {""}
    assert {m.name for m in MATRIX_MEASURES.values()} <= {*check(ix.catalogue(of="matrix"))["name"]}
    assert check(ix.catalogue(group="likelihood", better="neither", known_as="nothing"))["name"] == []


@pytest.mark.parametrize("labels", [[2**53, 2**53 + 1], [2**70, -(2**70)], ["1", "2"], [True, False]])
def test_labels_are_not_changed(labels):
    found = check(ix.evaluate(labels, labels).values("recall"))["class"]
    assert sorted(found) == sorted(labels)
    assert {*map(type, found)} == {*map(type, labels)}


def test_defaults_fit_the_task():
    titles = {name: list(ev.to_dict())[1:] for name, ev in PROBLEMS.items()}
    assert titles["binary"][0] == titles["named positive"][0] == "binary"
    assert titles["multiclass"][:3] == ["micro", "macro", "weighted"]
    assert "exemplar" in titles["multilabel"]
    assert "exemplar" not in titles["counts"]
    assert "site" in titles["groups"]
    assert "target" in titles["targets"]


def test_one_measure_and_one_average_need_no_list():
    ev = PROBLEMS["multiclass"]
    assert ev.table("f1", "macro").to_dict() == {"measure": ["f1"], "macro": [float(ev.score("f1", "macro"))]}
    assert list(ev.table("exact_match").to_dict()) == ["measure", "exemplar"]


def test_markdown_is_the_table():
    assert PROBLEMS["binary"].table("f1", "macro").markdown().splitlines()[0] == "| measure | macro |"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"to_{library}\(\) needs {library}, which is not installed: pip install {library}"):
        getattr(PROBLEMS["binary"], f"to_{library}")()
