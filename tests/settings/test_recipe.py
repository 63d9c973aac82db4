"""How an evaluation was made: a typed record that tells evaluations apart, travels through files, and is shown in words."""

from __future__ import annotations

import hashlib
import json
import sys
from fractions import Fraction
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from setting_calls import BY_ARGUMENT, evaluate

import indicatrix as ix
from indicatrix.saved_evaluation import recipe_from_json, recipe_to_json
from indicatrix.settings.options import Options, Recipe

SCORES = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
TREE = {"pet": None, "cat": "pet", "dog": "pet"}
ORDER = ["low", "mid", "high"]
OUTPUTS = {"color": ["red", "blue"], "size": [1, None]}

MADE: dict[str, Any] = {
    "plain": lambda: ix.evaluate([0, 1], [1, 1]),
    "argmax": lambda: ix.evaluate([0, 1, 2], SCORES, decide="argmax"),
    "a threshold": lambda: ix.evaluate([0, 1], [0.2, 0.7], decide=0.5),
    "the threshold 0": lambda: ix.evaluate([0, 1], [-0.2, 0.7], decide=0),
    "thresholds": lambda: ix.evaluate(np.eye(3, dtype=int), SCORES, decide=[0.1, 0.2, 0.3]),
    "top_k": lambda: ix.evaluate([0, 1, 2], SCORES, decide=ix.top_k(2)),
    "reject_below": lambda: ix.evaluate([0, 1, 2], SCORES, decide=ix.reject_below(0.55)),
    "rejections left out": lambda: ix.evaluate([0, 1, 2], SCORES, decide=ix.reject_below(0.55), abstained="mask"),
    "an abstaining label": lambda: ix.evaluate(["a", "b"], ["a", "none"], abstain="none"),
    "the abstaining label 0": lambda: ix.evaluate([1, 2], [1, 0], abstain=0),
    "missing predictions": lambda: ix.evaluate(["a", "b"], ["a", None], missing="abstain"),
    "known classes": lambda: ix.evaluate(["a", "z"], ["a", "unknown"], known=["a", "b"]),
    "the unknown class 0": lambda: ix.evaluate([1, 9], [1, 0], known=[1, 2], unknown=0),
    "a taxonomy": lambda: ix.evaluate(["cat", "dog"], ["dog", "pet"], hierarchy=TREE),
    "another taxonomy": lambda: ix.evaluate(["cat", "dog"], ["dog", "pet"], hierarchy={**TREE, "dog": None}),
    "boundaries": lambda: ix.evaluate(["low", "high"], ["mid", "high"], classes=ORDER, ordinal="cumulative"),
    "memberships": lambda: ix.evaluate(["low"], ["mid"], classes=ORDER, ordinal="gaussian(sigma=2)", tnorm="product"),
    "one side": lambda: ix.evaluate(["low"], ["mid"], classes=ORDER, ordinal=ix.ordinal("linear", sides="true"), tnorm="product"),
    "a function": lambda: ix.evaluate(["low"], ["mid"], classes=ORDER, ordinal=lambda d: 0.5**d, tnorm="product"),
    "another function": lambda: ix.evaluate(["low"], ["mid"], classes=ORDER, ordinal=lambda d: 0.25**d, tnorm="product"),
    "costs": lambda: ix.evaluate([0, 1], [1, 1], cost=[[0, 1], [5, 0]]),
    "other costs": lambda: ix.evaluate([0, 1], [1, 1], cost=[[0, 1], [4, 0]]),
    "costs per label": lambda: ix.evaluate([[1, 0]], [[1, 1]], cost=ix.tasks.label_costs(fp=2, fn=3)),
    "costs per example": lambda: ix.evaluate([0, 1], [1, 1], cost=ix.tasks.example_costs([2, 3])),
    "a t-norm": lambda: ix.evaluate([[0.5, 1]], [[1, 0.2]], tnorm="lukasiewicz"),
    "another t-norm": lambda: ix.evaluate([[0.5, 1]], [[1, 0.2]], tnorm="frank(s=2)"),
    "a complement": lambda: ix.evaluate([[0.5, 1]], [[1, 0.2]], tnorm="lukasiewicz", negation="yager(w=2)"),
    "hidden cells": lambda: ix.evaluate([0, 1], [1, 1], unobserved=("tn", "fp")),
    "targets": lambda: ix.evaluate(OUTPUTS, OUTPUTS, targets=True, missing=("mask", "mask")),
    "targets of several kinds": lambda: ix.evaluate(
        OUTPUTS, OUTPUTS, targets=True, missing={"size": ("mask", "abstain")}, abstain={"color": "gray"}
    ),
    "some classes": lambda: ix.evaluate(["a", "b", "c"], ["a", "c", "c"]).only(["a", "c"]),
    "bags": lambda: ix.tasks.multi_instance({"x": 1, "y": 0}, [0.2, 0.9, 0.4], ["x", "x", "y"]).bags,
    "inliers": lambda: ix.tasks.one_class(["in", "in", None], [1, -1, 1]),
    "unlabeled": lambda: ix.tasks.positive_unlabeled([1, 1, 0, 0], [1, 0, 1, 0]).at(propensity=Fraction(2, 3)),
    "images": lambda: ix.segmentation([[[0, 255]]], [[[0, 1]]], ignore=255),
    "spans": lambda: ix.tasks.sequences([["B-PER", "O"]], [["B-PER", "B-LOC"]]).entities,
    "relaxed spans": lambda: ix.spans([[(0, 2, "A")]], [[(0, 3, "A")]], match="partial"),
}


@pytest.mark.parametrize("name", [*MADE, *BY_ARGUMENT])
def test_what_is_saved_is_loaded(name: str, tmp_path: Path) -> None:
    ev = MADE[name]() if name in MADE else evaluate(name)
    ev.save(tmp_path / "ev.json")
    back = ix.load(tmp_path / "ev.json")
    assert back == ev
    assert back.recipe == ev.recipe
    assert back.recipe.in_words() == ev.recipe.in_words()
    assert str(back) == str(ev)
    assert recipe_from_json(json.loads(json.dumps(recipe_to_json(ev.recipe)))) == ev.recipe


def test_every_kind_of_value_of_a_task_is_read_back() -> None:
    made = Recipe(task=(("size", (3, Fraction(1, 2))), ("width", 2.5), ("name", "a"), ("whole", True)))
    written = recipe_to_json(made)
    assert recipe_from_json(json.loads(json.dumps(written))) == made
    with pytest.raises(ValueError, match="is not a value of a task"):
        recipe_from_json({**written, "task": [["size", {"numbers": [1], "number": 1}]]})


def test_ways_to_make_an_evaluation_are_told_apart() -> None:
    records = {name: make().recipe for name, make in MADE.items()}
    assert [(a, b) for a in records for b in records if a < b and records[a] == records[b]] == []


def test_every_option_that_is_a_setting_is_recorded_or_changes_no_count() -> None:
    """A new argument-setting has a field in the record, or says here why it needs none."""
    unrecorded = {
        "classes": "they are in the tally",
        "positive": "it is not in the record",
        "mask": "what was not observed is counted nowhere",
        "sample_weight": "weights are in the counts",
        "by": "groups are in the tally",
        "signed_weights": "it allows weights",
        "confusion": "it is in the tally",
        "moments": "it changes no count",
        "replicates": "it changes no count",
        "gold": "the tally holds the rows, and the method that corrects them",
        "design": "the rows of the tally have their chances",
        "unverified": "the method that corrects the rows is in the tally",
        "noise": "the method that corrects the rows is in the tally",
        "names": "errors alone use them",
        "declined": "it leaves out counts that a caller never asks for",
    }
    assert set(Options._fields) == set(Recipe._fields) & set(Options._fields) | set(unrecorded)
    assert {name for setting in ix.tasks.SETTINGS.values() for name in setting.arguments} <= set(Options._fields)


def test_options_are_the_arguments_of_evaluate() -> None:
    arguments = list(signature(ix.evaluate).parameters.values())[2:]
    assert {a.name: a.default for a in arguments} == {
        k: v for k, v in Options._field_defaults.items() if k not in ("names", "declined")
    }


def test_every_argument_of_evaluate_is_the_option_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Given(Exception):
        pass

    def stop(y_true: Any, y_pred: Any, options: Options) -> None:
        raise Given(options)

    monkeypatch.setattr(sys.modules["indicatrix.evaluate"], "evaluate_with", stop)
    for name in [*signature(ix.evaluate).parameters][2:]:
        given = object()
        with pytest.raises(Given) as found:
            ix.evaluate([0], [0], **{name: given})
        (options,) = found.value.args
        assert [field for field in Options._fields if getattr(options, field) is given] == [name]


def first_version(path: Path, made: list[list[str]]) -> None:
    """Write a saved evaluation as the first version of the format did."""
    ix.evaluate(["a", "b"], ["a", "a"]).save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content |= {"version": 1, "made": made}
    del content["checksum"]
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps({**content, "checksum": checksum}), encoding="utf-8")


def test_files_of_the_first_version_are_loaded(tmp_path: Path) -> None:
    first_version(tmp_path / "old.json", [])
    assert ix.load(tmp_path / "old.json") == ix.evaluate(["a", "b"], ["a", "a"])
    first_version(tmp_path / "old.json", [["unobserved", "fp, tn"], ["ordinal", "linear(sides='true')"], ["tnorm", "product"]])
    made = ix.load(tmp_path / "old.json").recipe
    assert made == Recipe(unobserved=("fp", "tn"), ordinal=ix.ordinal("linear", sides="true"), tnorm="product")


def test_what_the_first_version_does_not_tell_is_refused_by_name(tmp_path: Path) -> None:
    first_version(tmp_path / "old.json", [["only", "'a', 'b' and 3 more"]])
    with pytest.raises(ValueError, match=r"old.json cannot be read: it was written by version 1 .* 'only' .* Evaluate again"):
        ix.load(tmp_path / "old.json")


def test_another_version_is_refused_by_number(tmp_path: Path) -> None:
    first_version(tmp_path / "new.json", [])
    path = tmp_path / "new.json"
    path.write_text(path.read_text("utf-8").replace('"version": 1', '"version": 9'), "utf-8")
    with pytest.raises(ValueError, match=r"has version 9 of the format; this release reads versions \(1, 2, 3, 4\)"):
        ix.load(path)


def test_evaluations_made_differently_do_not_add_and_say_how_they_differ() -> None:
    one, other = MADE["a threshold"](), ix.evaluate([0, 1], [0.2, 0.7], decide=0.6)
    with pytest.raises(ValueError, match=r"made differently, decide 0.5 and decide 0.6"):
        one + other


@pytest.mark.parametrize("number", [20, 21])
def test_the_first_twenty_targets_are_named(number):
    names = [f"t{i}" for i in range(number)]
    words = ix.evaluate([["a"] * number], [["b"] * number], targets=names).recipe.in_words()["targets"]
    assert words == ", ".join(map(repr, names[:20])) + (" and 1 more" if number > 20 else "")
