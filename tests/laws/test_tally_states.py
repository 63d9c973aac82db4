"""What a tally keeps follows six verbs: adding first and changing later is changing first and adding later, for every state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.tally.saved.saved_tally import FILED, to_json
from indicatrix.tally.states.states import STATES
from indicatrix.tally.tally import Tally

FACTS = {
    "classes",
    "parts",
    "n",
    "open",
    "by",
    "targets",
    "grouping",
    "ordered",
    "keep_pairs",
    "_pooled",
}  # the counts themselves
WITH_COUNTS = {"sizes", "hidden", "declined"}  # written with the counts of the groups
RNG = np.random.default_rng(0)
N, NAMES = 30, ("ant", "bee", "cat", "dog")
SITES, FOLDS = RNG.choice(["x", "y", "z"], N), RNG.integers(0, 2, N)
TRUE, PRED = RNG.random((2, N, 4)) < 0.4
PRED[RNG.random(N) < 0.3] = False  # examples without a prediction
CODES = RNG.choice(NAMES, (2, N))
BY = {"site": SITES, "fold": FOLDS}
HIDDEN = RNG.random(N) < 0.8
WEIGHTS = RNG.choice([0.1, 0.5, 3.0], N)


def part(rows: slice, **options: Any) -> Any:
    """Return options with the rows of some examples."""
    own = {k: {axis: ids[rows] for axis, ids in v.items()} if k == "by" else v[rows] for k, v in options.items() if k in PER_ROW}
    if "replicates" in options:
        own["replicates"] = ix.types.Replicates(4, first_row=rows.start)
    return {**{k: v for k, v in options.items() if k not in own}, **own}


PER_ROW = ("by", "mask", "sample_weight")
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "groups": {"by": BY},
    "mask": {"by": BY, "mask": HIDDEN},
    "weights": {"by": BY, "sample_weight": WEIGHTS},
    "weights alone": {"sample_weight": WEIGHTS},
    "replicates": {"replicates": 4},
}
VERBS: dict[str, Callable[[Tally], list[Tally]]] = {
    "widen": lambda tally: [tally.widen(("ape", *NAMES, "eel"))],
    "only": lambda tally: [tally.only(("dog", "bee"))],
    "split": lambda tally: [*tally.split("site").values()] if tally.by else [],
    "split twice": lambda tally: (
        [t for s in tally.split("fold").values() for t in s.split("site", "xyz").values()] if tally.by else []
    ),
    "rename": lambda tally: [tally.with_group_names("site", {"x": 1, "y": 2, "z": 3})] if tally.by else [],
    "cross": lambda tally: [tally.cross(("site", "fold"), "both")] if tally.by else [],
    "abstain": lambda tally: [tally.answered()],
    "abstain, then only": lambda tally: [tally.answered().only(("ant", "cat"))],
}


def three(form: str, options: dict[str, Any]) -> list[Tally]:
    """Return the tallies of all examples, of the first and of the rest; all of them have every group."""
    sides = (TRUE, PRED) if form == "sets" else CODES
    rows = slice(0, N), slice(0, 15), slice(15, N)
    return [ix.evaluate(*(side[some] for side in sides), classes=NAMES, **part(some, **options)).tally for some in rows]


def test_every_field_of_a_tally_is_a_fact_about_the_counts_or_a_state() -> None:
    assert {field.name for field in fields(Tally)} == FACTS | {*STATES}
    assert {*FILED} == {*STATES} - WITH_COUNTS


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("form", ["sets", "codes"])
def test_adding_and_changing_can_be_done_in_any_order(form: str, options: str, verb: str) -> None:
    whole, one, two = three(form, OPTIONS[options])
    assert to_json(one + two) == to_json(whole)
    changed = [VERBS[verb](tally) for tally in (whole, one + two, one, two)]
    for of_all, of_sum, first, second in zip(*changed, strict=True):
        assert to_json(of_sum) == to_json(of_all)
        assert to_json(first + second) == to_json(of_all)
        assert to_json(second + first) == to_json(of_all)
    assert changed[0] or not whole.by


@pytest.mark.parametrize("options", ["groups", "weights", "mask"])
def test_the_groups_of_an_axis_add_up_to_all(options: str) -> None:
    whole = three("sets", OPTIONS[options])[0]
    fold = whole.split("fold")[0]
    parts = [site.as_group(("site",), (name,)) for name, site in fold.split("site").items()]
    total, expected = to_json(sum(parts[1:], parts[0])), to_json(fold)
    for name in ("n", "parts", "packed", "declined", "moments", "squares"):
        assert total.get(name) == expected.get(name), name


def counted(true: Any, pred: Any, classes: Any, options: dict[str, Any]) -> Tally:
    """Return the tally of other data, counted from the rows."""
    return ix.evaluate(true, pred, classes=classes, **options).tally


def literal(verb: str, options: dict[str, Any]) -> Tally:
    """Return the tally after a verb, counted from rows that were changed by hand."""
    empty = np.zeros((N, 1), bool)
    if verb == "widen":
        return counted(np.hstack([empty, TRUE, empty]), np.hstack([empty, PRED, empty]), ("ape", *NAMES, "eel"), options)
    if verb == "only":
        return counted(TRUE[:, [3, 1]], PRED[:, [3, 1]], ("dog", "bee"), options)
    if verb == "rename":
        sites = np.array([{"x": 1, "y": 2, "z": 3}[site] for site in SITES])
        return counted(TRUE, PRED, NAMES, {**options, "by": {**BY, "site": sites}})
    return counted(TRUE, PRED, NAMES, {**options, "mask": PRED.any(axis=1) & options.get("mask", True)})


def without_declined(data: Any) -> Any:
    """Return plain data without what they say about examples that have no prediction."""
    if not isinstance(data, dict):
        return data
    return {name: without_declined(value) for name, value in data.items() if name != "declined"}


@pytest.mark.parametrize("verb", ["widen", "only", "rename", "abstain"])
@pytest.mark.parametrize("name", OPTIONS)
def test_a_verb_gives_what_the_changed_rows_give(name: str, verb: str) -> None:
    options = OPTIONS[name]
    if verb == "rename" and "by" not in options:
        return
    (changed,), expected = VERBS[verb](three("sets", options)[0]), literal(verb, options)
    assert changed.n == expected.n
    assert changed.sizes == expected.sizes
    assert (changed.squares is None) == (expected.squares is None) == ("sample_weight" not in options)
    for ours, theirs in ((changed, expected), (changed.squares or changed, expected.squares or expected)):
        assert ours.aggregate((*ours.by, "class")) == theirs.aggregate((*theirs.by, "class"))
    known = verb in ("widen", "rename")
    for kept in ("moments", "replicates", "declined") if known else ("moments", "replicates"):
        ours, theirs = (to_json(tally).get(kept) for tally in (changed, expected))
        assert ours == theirs if known else without_declined(ours) == without_declined(theirs), kept
    if verb == "only":  # who has a prediction among some classes is not known, nor how much is hidden in them
        assert changed.declined is None
        assert changed.hidden == ((0, 0) if "mask" not in options else None)
    if verb == "abstain":
        assert changed.declined == {}
        assert changed.hidden is None


def test_what_is_kept_of_one_group_is_that_of_its_rows() -> None:
    for name, options in OPTIONS.items():
        for site, group in three("sets", options)[0].split("site").items() if "by" in options else ():
            rows = site == SITES
            own = {k: {"fold": FOLDS[rows]} if k == "by" else v[rows] for k, v in options.items()}
            ours, theirs = to_json(group), to_json(counted(TRUE[rows], PRED[rows], NAMES, own))
            assert [x for x in ours if x != "hidden" and ours[x] != theirs.get(x)] == [], (name, site)
            assert group.hidden == ((0, 0) if "mask" not in options else None)
    whole = three("sets", {"by": BY, "replicates": 4})[0]
    assert {group.replicates for group in whole.split("site").values()} == {"groups"}


def test_shares_of_classes_stay_chosen_if_both_sides_chose_them() -> None:
    _, one, two = three("sets", {"by": BY})
    chosen = replace(one, by_class=True)
    assert (chosen + chosen).by_class
    assert not (chosen + two).by_class
    assert not (two + chosen).by_class
    assert (chosen + Tally(NAMES, {}, 0, by=("site", "fold"))).by_class  # no examples lack nothing
