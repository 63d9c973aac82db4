"""What a prompt shows of results, and what it says about attributes that do not exist."""

import copy
import math
import pickle

import numpy as np
import pytest

import indicatrix as ix

EV = ix.evaluate(["a", "b", "b", "c"], ["a", "b", "c", "c"])
BINARY = ix.evaluate([0, 1, 1], [0, 1, 0], by={"site": [1, 1, 2], "day": [1, 2, 3]})


def test_reprs_are_short_and_readable():
    table = EV.table("f1")
    assert repr(table) == str(table)
    assert repr(EV.values("recall")) == "Values('a': 1, 'b': 0.5, 'c': 1)"
    assert repr(ix.evaluate(range(30), range(30)).values("recall")).endswith("9: 1 and 20 more)")
    assert repr(EV) == "<Evaluation: 4 examples, 3 classes, multiclass>"
    assert repr(BINARY) == "<Evaluation: 3 examples, 2 classes, binary, positive 1, by site, day>"


def test_a_sensitivity_prints_lines():
    text = str(ix.recall([0, 1, 1], [0, 1, 2], average="macro").sensitivity())
    assert text.splitlines()[:2] == ["undefined='exclude': 0.75", "undefined=0: 0.5"]
    assert text.endswith("spread: 0.333333\nundefined: 2")


@pytest.mark.parametrize("averages", [None, "macro", ["micro", "macro"]])
def test_a_table_has_a_column_for_measures_of_the_matrix(averages):
    table = EV.table(["f1", "multiclass_mcc"], averages)
    assert table.averages[-1] is None
    assert table["multiclass_mcc", None] == EV.score("multiclass_mcc")
    assert table["f1", "macro"] == EV.score("f1", "macro")
    columns = table.to_dict()
    assert math.isnan(columns["whole"][0])
    assert math.isnan(columns["macro"][1])
    assert "nan" not in str(table)
    assert "–" not in str(table) + table.markdown()
    assert EV.table("multiclass_mcc", averages).averages == (None,)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("repot", "Did you mean report?"),
        ("f1", r"ev\.score\('f1', average=…\)"),
        ("multiclass_mcc", r"ev\.score\('multiclass_mcc'\)"),
        ("support", r"ev\.aggregate\('class'\)\.tpos"),
        ("summary", r"ev\.report\(\)"),
    ],
)
def test_attributes_that_do_not_exist(name, words):
    with pytest.raises(AttributeError, match=words):
        getattr(EV, name)
    with pytest.raises(TypeError, match=words):
        EV[name]


def test_hints_do_not_disturb_copies():
    for same in (copy.copy(EV), copy.deepcopy(EV), pickle.loads(pickle.dumps(EV))):
        assert same == EV
    assert not hasattr(EV, "__array__")
    assert not hasattr(EV, "nothing")
    with pytest.raises(TypeError, match="not iterable"):
        iter(EV)


@pytest.mark.parametrize("labels", [(["a"], ["b"]), (np.array([1]),)])
def test_labels_go_to_evaluate(labels):
    with pytest.raises(TypeError, match=r"Use ix\.evaluate\(y_true, y_pred\)"):
        ix.Evaluation(*labels)


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no folder .*nowhere to write m\.json in"):
        EV.save(tmp_path / "nowhere" / "m.json")


def test_an_empty_evaluation_has_no_tables():
    assert str(ix.Evaluation()) == "0 examples, 0 classes: there are no examples yet."
