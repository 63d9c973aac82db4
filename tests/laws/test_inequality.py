"""Different things are unequal: the laws of merging compare states with ==, and prove nothing if that says yes too often."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from problems import Problem, problems

import indicatrix as ix
from indicatrix.ranking.ranked import rank_scores
from indicatrix.tally.states.group_counts import CrossTable, Part, Summed
from indicatrix.tally.tally import Tally


def check_equal(a: Any, b: Any) -> None:
    assert (a == b, b == a, a != b, b != a) == (True, True, False, False)


def check_unequal(a: Any, b: Any) -> None:
    assert (a == b, b == a, a != b, b != a) == (False, False, True, True)


def check_differs(thing: Any, variants: list[Any]) -> None:
    """Check that a thing equals itself copied, and none of its variants."""
    check_equal(thing, deepcopy(thing))
    for variant in variants:
        check_unequal(thing, variant)


def check_all_differ(things: list[Any]) -> None:
    for i, thing in enumerate(things):
        check_differs(thing, things[i + 1 :])


def plus_one(array: np.ndarray, at: int) -> np.ndarray:
    changed = array.copy()
    changed.flat[at] += 1
    return changed


def each_entry(array: np.ndarray | None) -> range:
    return range(0 if array is None else array.size)


# The counts of one group.


def variants_of_a_part(part: Part) -> list[Part]:
    """Return every part that differs from this one in one number, or in what is known."""
    if isinstance(part, CrossTable):
        wider = np.pad(part.table, ((0, 1), (0, 1)))
        tables = [plus_one(part.table, at) for at in each_entry(part.table)]
        return [*(CrossTable(t, part.masked) for t in [*tables, wider]), CrossTable(part.table, part.masked + 1)]
    arrays = ("per_class", "per_example", "times")
    changed = [
        replace(part, **{name: plus_one(getattr(part, name), at)}) for name in arrays for at in each_entry(getattr(part, name))
    ]
    wider = [replace(part, per_class=np.pad(part.per_class, ((0, 0), (0, 1))))]
    unknown = [] if part.times is None else [replace(part, per_example=None, times=None)]
    return [*changed, *wider, *unknown]


@given(problems())
def test_parts_that_differ_in_one_number_are_unequal(problem: Problem) -> None:
    part = problem.evaluate().tally.pooled
    for form in (part, part.summed()):
        check_differs(form, variants_of_a_part(form))
    check_unequal(CrossTable(np.zeros((2, 2), int)), Summed(np.zeros((4, 1), int), None, None))
    check_differs(part, [None, 0, part.cells().tolist()])


@given(problems(), st.data())
def test_counts_that_differ_in_one_number_or_name_are_unequal(problem: Problem, data: st.DataObject) -> None:
    ev = problem.evaluate()
    counts = ev.aggregate(data.draw(st.sampled_from([(), "class", "example", *ev.tally.by])))
    variants = []
    for cell in ("tp", "fp", "fn", "tn"):
        number = getattr(counts, cell)
        if np.ndim(number):
            variants += [replace(counts, **{cell: plus_one(number, at)}, bound=None) for at in each_entry(number)]
        else:
            variants.append(replace(counts, **{cell: number + 1}))
    if counts.per:
        variants += [replace(counts, per=("other",)), replace(counts, names=((*counts.names[0], "one more"),))]
        variants += [replace(counts, times=plus_one(counts.times, at)) for at in each_entry(counts.times)]
    check_differs(counts, [*variants, None, 0, tuple(counts)])


# The counts of all groups, and what they are of.


def other_name(names: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*names[:-1], ("another", names[-1]))


def with_a_part_changed(tally: Tally) -> Tally | None:
    changed = {key: variants_of_a_part(part)[-1] for key, part in list(tally.parts.items())[-1:]}
    return replace(tally, parts={**tally.parts, **changed}) if changed else None


CHANGES: dict[str, Callable[[Tally], Tally | None]] = {
    "classes": lambda t: replace(t, classes=other_name(t.classes)) if t.classes else None,
    "parts": with_a_part_changed,
    "n": lambda t: replace(t, n=t.n + 1),
    "by": lambda t: replace(t, by=other_name(t.by)) if t.by else None,
    "targets": lambda t: replace(t, targets=tuple(range(7, 7 + len(t.classes))) if t.targets is None else None),
    "grouping": lambda t: replace(t, grouping="depth"),
    "keep_pairs": lambda t: replace(t, keep_pairs=not t.keep_pairs),
    "corrected": lambda t: replace(t, corrected="changed"),
    "sizes": lambda t: replace(t, sizes={key: n + 1 for key, n in t.sizes.items()}) if t.sizes else None,
}
# Not compared: what follows from the rest; how much was hidden, which the counts show and a part of a tally forgets; which
# examples were declined, which not every form of the same labels shows; and whether the classes were given, and whether their
# order means something: the same labels with and without classes= count the same. Second moments, squares of weights and
# replicates are of the same examples, for intervals only: whether they were kept changes no score. Nor does whether the shares of
# the true classes were chosen, and how sure they are.
DERIVED = {"_pooled", "by_class", "declined", "hidden", "moments", "open", "ordered", "replicates", "shares", "squares"}


def test_every_field_of_a_tally_is_compared_or_named_here() -> None:
    assert {field.name for field in fields(Tally)} == set(CHANGES) | DERIVED


@given(problems())
def test_tallies_that_differ_in_one_thing_are_unequal(problem: Problem) -> None:
    tally = problem.evaluate().tally
    check_all_differ([tally, *(changed for change in CHANGES.values() if (changed := change(tally)) is not None)])
    for key in tally.parts:
        less = {other: part for other, part in tally.parts.items() if other != key}
        check_unequal(tally, replace(tally, parts=less))
        check_unequal(tally, replace(tally, parts={**less, ("another",): tally.parts[key]}))
    check_equal(tally, replace(tally, _pooled=[]))
    check_differs(tally, [None])


# Evaluations of data that differ in one place.


def rows_of(problem: Problem, **per_row: Any) -> Problem:
    return replace(problem, per_row={**problem.per_row, **per_row})


def seen(problem: Problem) -> np.ndarray:
    """Return which examples have an entry that was observed."""
    return problem.per_row["mask"].any(axis=1) if "mask" in problem.per_row else np.ones(problem.n, bool)


@given(problems(), st.data())
def test_evaluations_of_other_examples_are_unequal(problem: Problem, data: st.DataObject) -> None:
    assume(problem.n)
    ev, i = problem.evaluate(), data.draw(st.integers(0, problem.n - 1))
    others = [j for j in range(problem.n) if j != i]
    check_equal(ev, problem.evaluate())
    check_equal(ev, problem.evaluate(data.draw(st.permutations(range(problem.n)))))
    check_equal(ev, pickle.loads(pickle.dumps(ev)))
    check_unequal(ev, problem.evaluate(others))
    check_unequal(ev, problem.evaluate([*range(problem.n), i]))
    weights = problem.per_row.get("sample_weight", np.ones(problem.n))
    check_unequal(ev, rows_of(problem, sample_weight=plus_one(weights, i)).evaluate())
    if seen(problem)[i] and weights[i]:
        hidden = np.copy(problem.per_row.get("mask", np.ones((problem.n, 1), bool)))
        hidden[i] = False
        check_unequal(ev, rows_of(problem, mask=hidden).evaluate())
    check_differs(ev, [None, ev.n, ev.tally])


@given(problems(), st.data())
def test_evaluations_of_other_groups_are_unequal(problem: Problem, data: st.DataObject) -> None:
    assume(problem.n)
    i, ids = data.draw(st.integers(0, problem.n - 1)), np.array([f"group {k % 2}" for k in range(problem.n)])
    moved = ids.copy()
    moved[i] = "group 0" if moved[i] == "group 1" else "group 1"
    ways = [{}, {"by": {"site": ids}}, {"by": {"site": moved}}, {"by": {"fold": ids}}, {"by": {"site": ids, "fold": ids}}]
    check_all_differ([rows_of(problem, **({"by": {}} | way)).evaluate() for way in ways])
    renamed = {"by": {"site": np.array([f"renamed {k}" for k in ids])}}
    check_unequal(rows_of(problem, **ways[1]).evaluate(), rows_of(problem, **renamed).evaluate())


@given(problems(kinds=("codes", "sets", "dense", "soft")), st.data())
def test_evaluations_of_other_labels_are_unequal_where_they_were_observed(problem: Problem, data: st.DataObject) -> None:
    """One entry of one side is turned round: a membership of 0 or 1, a label of a set, a code."""
    assume(problem.n)
    ev, side = problem.evaluate(), data.draw(st.sampled_from(["y_true", "y_pred"]))
    m = len(ev.classes)
    i, j = data.draw(st.integers(0, problem.n - 1)), data.draw(st.integers(0, m - 1))
    changed = deepcopy(getattr(problem, side))
    columns = {j}
    if isinstance(changed, list):
        changed[i] ^= {ev.classes[j]}
    elif changed.ndim == 1:
        columns = {c for c in (j, changed[i]) if c >= 0}
        changed[i] = j if changed[i] != j else -1
    else:
        assume(changed[i, j] in (0, 1))
        changed[i, j] = 1 - changed[i, j]
    mask = np.broadcast_to(problem.per_row.get("mask", np.ones((problem.n, 1), bool)), (problem.n, m))
    counts = mask[i, sorted(columns)].any() and problem.per_row.get("sample_weight", np.ones(problem.n))[i] > 0
    (check_unequal if counts else check_equal)(ev, replace(problem, **{side: changed}).evaluate())


# Evaluations of the same data under other options.

FOUND = st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=8)
COST, DEARER = [[0, 1, 4], [2, 0, 1], [1, 3, 0]], [[0, 1, 4], [2, 0, 1], [1, 4, 0]]
TREE, OTHER_TREE = {"a": None, "b": "a", "c": "a"}, {"a": None, "b": "a", "c": None}
ABC = {"classes": ("a", "b", "c")}
LABELS: list[dict[str, Any]] = [
    ABC,
    {"classes": ("c", "b", "a")},
    {"classes": ("a", "b", "c", "d")},
    ABC | {"positive": "a"},
    ABC | {"positive": "b"},
    ABC | {"confusion": True},
    ABC | {"unobserved": "tn"},
    ABC | {"unobserved": ("fp", "tn")},
    ABC | {"cost": COST},
    ABC | {"cost": DEARER},
    ABC | {"cost": ix.types.CostMatrix(COST, benefit=2)},
    ABC | {"ordinal": "cumulative"},
    ABC | {"ordinal": "linear", "tnorm": "product"},
    ABC | {"ordinal": "linear", "tnorm": "lukasiewicz"},
    ABC | {"ordinal": "gaussian(sigma=1)", "tnorm": "product"},
    ABC | {"ordinal": "gaussian(sigma=2)", "tnorm": "product"},
    ABC | {"ordinal": ix.ordinal("linear", sides="true"), "tnorm": "product"},
    {"hierarchy": TREE},
    {"hierarchy": OTHER_TREE},
    {"known": ["a", "b", "c"]},
    {"known": ["a", "b", "c"], "unknown": "other"},
    {"known": ["c", "b", "a"]},
]


@given(FOUND)
def test_evaluations_of_labels_under_other_options_are_unequal(rows: list) -> None:
    y, z = ([row[side] for row in rows] for side in (0, 1))
    whole = ix.evaluate(y, z, **ABC)
    (check_equal if len({*y, *z}) == 3 else check_unequal)(whole, ix.evaluate(y, z))  # found or given, these classes are the same
    check_all_differ(
        [*(ix.evaluate(y, z, **options) for options in LABELS), whole.only(["a", "b"]), whole.only(["a"]), whole.only(["b", "a"])]
    )


@given(FOUND)
def test_labels_and_matrices_with_the_same_counts_are_unequal(rows: list) -> None:
    """Under a mask of entries labels leave no pairs of classes: only the kind says that each example has one label."""
    codes = np.array([["abc".index(label) for label in row] for row in rows])
    sides, observed = [np.eye(3, dtype=int)[column] for column in codes.T], {"mask": np.ones((len(rows), 3), bool)}
    labels, matrices = ix.evaluate(*codes.T, classes=range(3), **observed), ix.evaluate(*sides, classes=range(3), **observed)
    check_equal(labels.aggregate("example"), matrices.aggregate("example"))
    check_equal(labels.tally, matrices.tally)
    check_unequal(labels, matrices)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["a", "b", None])), min_size=1, max_size=8))
def test_an_abstention_is_counted_or_left_out(rows: list) -> None:
    y, z = ([row[side] for row in rows] for side in (0, 1))
    ways = [{"missing": "abstain"}, {"missing": "abstain", "abstained": "mask"}, {"missing": "mask"}]
    evaluations = [ix.evaluate(y, z, classes=["a", "b"], **options) for options in ways]
    check_all_differ(evaluations)
    (check_unequal if None in z else check_equal)(evaluations[0], evaluations[0].answered())


RULES = ["argmax", 0.5, 0.25, [0.5, 0.5, 0.25], [0.25, 0.5, 0.5], ix.top_k(1), ix.top_k(2), ix.top_k(3)]
RULES += [ix.reject_below(0.5), ix.reject_below(0.25)]


@given(st.lists(st.tuples(st.integers(0, 2), st.permutations([0.0, 0.125, 1.0])), min_size=1, max_size=8))
def test_evaluations_of_scores_under_other_decisions_are_unequal(rows: list) -> None:
    """Many of these rules decide alike on these scores; on those of the next batch they may not."""
    y, scores = [label for label, _ in rows], np.array([s for _, s in rows])
    check_all_differ([ix.evaluate(y, scores, classes=range(3), decide=rule) for rule in RULES])
    norms = ["product", "godel", "lukasiewicz", "drastic", "frank(s=2)", "frank(s=3)", "hamacher(r=0)"]
    truth = np.eye(3)[y]
    check_all_differ([ix.evaluate(truth, scores, classes=range(3), tnorm=norm) for norm in norms])


@given(st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=8))
def test_evaluations_of_other_targets_are_unequal(rows: list) -> None:
    columns = [list(column) for column in zip(*rows, strict=True)]
    y, z = np.array(columns[:2]).T, np.array(columns[2:]).T
    sides = [{"p": x[:, 0], "q": x[:, 1]} for x in (y, z)], [{"p": x[:, 0], "r": x[:, 1]} for x in (y, z)]
    check_all_differ([ix.evaluate(y, z), *(ix.evaluate(*side, targets=True) for side in sides)])
    flat, owned = (tuple(ix.types.Indicator(x, ("p", "q"), targets) for x in (y, z)) for targets in (None, ("s", "s")))
    check_all_differ([ix.evaluate(*flat), ix.evaluate(*owned)])


# Scores of thresholds, measures, numbers.

SCORED = st.lists(st.tuples(st.booleans(), st.sampled_from([0.1, 0.25, 0.5, 0.75])), min_size=2, max_size=8)


@given(SCORED, st.data())
def test_ranked_scores_that_differ_in_one_place_are_unequal(rows: list, data: st.DataObject) -> None:
    y, scores = np.array([label for label, _ in rows]), np.array([score for _, score in rows])
    i, order = data.draw(st.integers(0, len(y) - 1)), np.array(data.draw(st.permutations(range(len(y)))))
    turned, moved = y.copy(), scores.copy()
    turned[i], moved[i] = not y[i], 0.9
    weights, ids = np.ones(len(y)), np.arange(len(y)) % 2
    ways = [(y, scores), (turned, scores), (y, moved), (y[1:], scores[1:])]
    first = np.arange(len(y)) > 0
    more = [{"sample_weight": plus_one(weights, i)}, {"positive": False}, {"mask": first}]
    for make in (ix.sweep, ix.scores.binned):
        state = make(y, scores, classes=[False, True])
        check_equal(state, make(y[order], scores[order], classes=[False, True]))
        variants = [make(*way, classes=[False, True]) for way in ways]
        check_all_differ([*variants, *(make(y, scores, classes=[False, True], **options) for options in more)])
        check_unequal(state, None)
    groups = [{"site": ids}, {"fold": ids}, {"site": ids + 5}]
    check_all_differ([ix.sweep(y, scores, classes=[False, True], by=by) for by in [None, *groups]])
    for none in (slice(0), slice(None)):
        check_all_differ([ix.scores.binned(y[none], scores[none], classes=[False, True], bits=bits) for bits in (12, 20)])
    check_all_differ([rank_scores(s, label.astype(bool)) for label, s in ways])
    check_equal(rank_scores(scores, y), rank_scores(scores[order], y[order]))


def test_measures_are_equal_only_to_themselves() -> None:
    check_all_differ(list(dict.fromkeys(ix.algebra.MEASURES.values())))
    text = "tp/(tp+fn)"
    check_all_differ(
        [
            ix.measure(text),
            ix.measure(text, name="a"),
            ix.measure(text, name="b"),
            ix.measure(text, name="a", better="neither"),
            ix.measure(text, name="a", range=(0, 2)),
            ix.measure("tp/(tp+fp)", name="a"),
        ]
    )
    check_all_differ([ix.f_beta, ix.f_beta.at(beta=2), ix.f_beta.at(beta=3)])
    check_equal(ix.f_beta.at(beta=2), ix.f_beta.at(beta=2))
    assert hash(ix.f_beta.at(beta=2)) == hash(ix.f_beta.at(beta=2))
    check_differs(ix.f1, [None, "f1", ix.f1.function])


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_a_score_compares_as_the_number_that_it_is(average: str) -> None:
    ev = ix.evaluate([0, 0, 1], [0, 1, 1])
    score = ev.score("recall", average)
    check_equal(score, float(score))
    check_equal(score, ev.score("recall", average, undefined=0))
    check_unequal(score, np.nextafter(float(score), 1))
    assert hash(score) == hash(float(score))
