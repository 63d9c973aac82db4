"""``only`` keeps what is right for some classes, and refuses the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import indicatrix as ix

MULTILABEL = {
    "sets": ([{1}, {1, 2}, {3}], [{1}, {2}, {2, 3}]),
    "matrix": ([[1, 0, 0], [1, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 1, 1]]),
}


@pytest.mark.parametrize("by", [None, {"site": [1, 1, 2]}])
@pytest.mark.parametrize("problem", MULTILABEL)
def test_several_labels_have_no_exemplar_average_of_some_classes(problem: str, by: Any) -> None:
    ev = ix.evaluate(*MULTILABEL[problem], by=by)
    some = ev.only(ev.classes[:2])
    for average in ("exemplar", *([("site", "exemplar")] if by else [])):
        with pytest.raises(ValueError, match=r"only\(\) took some classes of them, so nothing is known about single examples"):
            some.score("f1", average)
    assert some.values("f1").tolist() == ev.values("f1").tolist()[:2]


def test_one_label_each_has_exemplar_averages_of_some_classes() -> None:
    y, z = list("aabc"), list("abba")
    columns = [[[int(label == c) for c in "ab"] for label in side] for side in (y, z)]
    assert ix.evaluate(y, z).only(["a", "b"]).score("f1", "exemplar") == ix.evaluate(*columns).score("f1", "exemplar")


def test_classes_that_the_evaluation_does_not_have_are_refused() -> None:
    ev = ix.evaluate(list("aab"), list("abb"), classes=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"^'z' is not a class; the classes are 'a', 'b', 'c'"):
        ev.only(["a", "z"])
    with pytest.raises(ValueError, match=r"^only\(\) needs at least one class"):
        ev.only([])
    with pytest.raises(TypeError, match=r"^only\('ab'\) is one text; give a list of classes: only\(\['ab'\]\)\.$"):
        ev.only("ab")
    assert ev.only(["a", "c"]).classes == ("a", "c")  # declared by classes=, although it does not occur here


def test_absent_classes_may_be_added_and_have_no_examples() -> None:
    y, z = ["a", "b", "b", "c"], ["a", "b", "a", "b"]
    ev = ix.evaluate(y, z).only(["z", "b"], absent="add")
    literal = [[t if t == "b" else None for t in y], [p if p == "b" else None for p in z]]
    assert ev.classes == ("z", "b")
    assert ev.confusion.tolist() == [[0, 0], [0, sum(t == p == "b" for t, p in zip(*literal, strict=True))]]
    counts = ev.aggregate("class")
    assert (counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist(), counts.tn.tolist()) == ([0, 1], [0, 1], [0, 1], [4, 1])
    matrix = ix.evaluate([[0, 1], [1, 1]], [[1, 1], [0, 1]]).only([5, 1], absent="add").aggregate("class")
    assert (matrix.tp.tolist(), matrix.tn.tolist()) == ([0, 2], [2, 0])
    with pytest.raises(ValueError, match=r"absent='drop' is unknown"):
        ix.evaluate(y, z).only(["a"], absent="drop")


@pytest.mark.parametrize("undefined", [0, 1, 0.25])
def test_values_may_have_a_number_for_what_is_undefined(undefined: float) -> None:
    ev = ix.evaluate(["a", "b", "b"], ["a", "c", "b"])
    for name in ("recall", "precision", "mcc", "positive_likelihood_ratio"):
        plain = ev.values(name)
        assert ev.values(name, undefined=undefined).tolist() == [v if np.isfinite(v) else undefined for v in plain]
        assert ev.values(name, undefined="nan").names == plain.names == ev.values(name, undefined=undefined).names
    with pytest.raises(ix.types.UndefinedError, match=r"1 of 3 values are undefined"):
        ev.values("recall", undefined="raise")
    with pytest.raises(ValueError, match="every unit has a value"):
        ev.values("recall", undefined="exclude")


def test_what_is_left_of_each_kind_says_what_it_is() -> None:
    y, z = [0, 1, 2, 1], [0, 2, 2, 1]
    assert ix.evaluate(y, z).only([0, 1]).kind == "multiclass"
    assert ix.evaluate(y, z, confusion=False).only([0, 1]).kind == "counts"  # what was confused is not known
    assert ix.evaluate([[1, 0, 1]], [[1, 1, 0]]).only([0, 1]).kind == "counts"


ROWS: dict[str, tuple[Any, Any]] = {
    "labels": (list("abcabccab"), list("abbcacbab")),
    "sets": ([{"a", "c"}, {"b"}, set(), {"c"}, {"a", "b"}] * 2, [{"a"}, {"b", "c"}, {"a"}, {"c"}, {"b"}] * 2),
}


@pytest.mark.parametrize("option", ["", "sample_weight", "mask", "by"])
@pytest.mark.parametrize("kind", ROWS)
def test_labels_outside_some_classes_are_dropped_as_the_error_says(kind: str, option: str) -> None:
    """The counts are those of the columns of these classes, which is what "no class" means."""
    (y, z), some = ROWS[kind], ["b", "a"]
    n = len(y)
    values = {"sample_weight": np.arange(n) / 4, "mask": np.arange(n) % 4 > 0, "by": {"site": np.arange(n) % 2}}
    given: Any = {option: values[option]} if option else {}
    with pytest.raises(ValueError, match=r"To count such labels as no class, .* of the result: ev\.only\(classes\)"):
        ix.evaluate(y, z, classes=some, **given)
    ev = ix.evaluate(y, z, **given).only(some)
    columns = [[[int(c in row) for c in some] for row in side] for side in (y, z)]
    literal = ix.evaluate(*columns, **given)
    for per in ("class", *([("site", "class")] if option == "by" else [])):
        ours, theirs = ev.aggregate(per), literal.aggregate(per)
        for cell in ("tp", "fp", "fn", "tn"):
            assert np.array_equal(getattr(ours, cell), getattr(theirs, cell))
    for average in ("micro", "macro", "weighted", *([("site", "macro")] if option == "by" else [])):
        assert ev.score("f1", average) == literal.score("f1", average)
