"""Reporting checklists: all items of the statements, and only numbers of the evaluation.

The items are those of TRIPOD+AI (Collins et al. 2024, BMJ 385:e078378, table 2: 27 items with 52 parts) and STARD 2015 (Bossuyt
et al. 2015, BMJ 351:h5527, table 1: 30 items with 34 parts).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

TRIPOD = "1 2 3a 3b 3c 4 5a 5b 6a 6b 6c 7 8a 8b 8c 9a 9b 9c 10 11 12a 12b 12c 12d 12e 12f 12g 13 14 "
TRIPOD += "15 16 17 18a 18b 18c 18d 18e 18f 19 20a 20b 20c 21 22 23a 23b 24 25 26 27a 27b 27c"
STARD = "1 2 3 4 5 6 7 8 9 10a 10b 11 12a 12b 13a 13b 14 15 16 17 18 19 20 21a 21b 22 23 24 25 26 27 28 29 30"


def examples(n: int = 300) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return y, np.clip(rng.random(n) * 0.6 + 0.35 * y, 0, 1), rng.integers(0, 3, n)


Y, P, SITE = examples()
CASES = {
    "binary": lambda: ix.evaluate(Y, Y ^ (P < 0.3)),
    "scores and groups": lambda: ix.evaluate(Y, P, decide=0.5, by={"site": SITE}),
    "weights": lambda: ix.evaluate(Y, Y ^ (P < 0.3), sample_weight=P + 0.1, by={"site": SITE}),
    "several classes": lambda: ix.evaluate(SITE, np.roll(SITE, 1), by={"site": Y}),
    "several labels": lambda: ix.evaluate(
        np.eye(3, dtype=int)[SITE], (np.eye(3)[SITE] + np.eye(3)[np.roll(SITE, 1)] > 0).astype(int)
    ),
    "one row": lambda: ix.evaluate([1], [0]),
    "abstentions and missing": lambda: ix.evaluate([1, 0, None, 1], [1, None, 1, 0], missing=("mask", "abstain"), positive=1),
}


@for_each(("name", "parts"), [("TRIPOD+AI", TRIPOD), ("STARD", STARD)])
def test_all_items_are_there_in_order(name: str, parts: str) -> None:
    found = CASES["binary"]().checklist(name)
    assert [item.number for item in found.items] == parts.split()
    assert len({re.sub(r"[a-z]", "", number) for number in parts.split()}) == {"TRIPOD+AI": 27, "STARD": 30}[name]
    assert all(item.asks and item.topic for item in found.items)
    assert {item.state for item in found.items} == {"filled", "in part", "open"} - ({"filled"} if name == "TRIPOD+AI" else set())


@for_each(("case", "name"), [(case, name) for case in CASES for name in ("TRIPOD+AI", "STARD")])
def test_items_are_filled_if_and_only_if_something_is_said(case: str, name: str) -> None:
    found = CASES[case]().checklist(name)
    for item in found.items:
        assert (item.state == "open") == (not item.says)
        assert all(text[-1] == "." and "nan" not in text for text in item.says), item
    assert str(found).startswith(f"{found.title}, {len(found.items)} with subitems: ")
    assert found.to_markdown().count("\n| ") == len(found.items) + 2
    assert [*found.to_dict()] == ["number", "topic", "asks", "state", "says"]


def test_the_numbers_are_those_of_the_evaluation() -> None:
    ev = CASES["scores and groups"]()
    found = ev.checklist("TRIPOD+AI", level=0.9)
    assert f"AUC: {ev.interval('auc', level=0.9)}." in found["23a"].says
    assert f"Sensitivity: {ev.interval('recall', level=0.9)}." in found["23a"].says
    sites = ev.values("recall", per="site", interval=0.9)
    assert all(f"{site}: {ends}" in " ".join(found["23b"].says) for site, ends in zip(sites.names, sites.intervals, strict=True))
    assert str(ev.compare_groups("recall", "site").test) in " ".join(found["23b"].says)
    tp, fp, fn, tn = ev.binary()
    table = f"True positives {tp}, false positives {fp}, false negatives {fn}, true negatives {tn}."
    assert ev.checklist("STARD")["23"].says == (table,)
    assert found["23a"].state == "filled"  # with groups
    assert CASES["binary"]().checklist("TRIPOD+AI")["23a"].state == "in part"


def test_what_does_not_exist_is_refused() -> None:
    ev = CASES["binary"]()
    with pytest.raises(ValueError, match=r"There is no checklist 'CONSORT'. Use TRIPOD\+AI or STARD"):
        ev.checklist("CONSORT")
    with pytest.raises(ValueError, match="no examples yet"):
        ix.Evaluation().checklist("STARD")
    with pytest.raises(ValueError, match="level"):
        ev.checklist("STARD", level=2)
    with pytest.raises(KeyError, match="has no item '99'"):
        ev.checklist("STARD")["99"]
    assert ev.checklist("STARD")[14] == ev.checklist("STARD")["14"]
    for wrong, says in (({"checklist": "STARD"}, "what ev.checklist"), ({"slices": True}, "what ev.weakest")):
        with pytest.raises(TypeError, match=says):
            ev.to_html(**wrong)


def test_the_page_has_a_section() -> None:
    ev = CASES["binary"]()
    page = ev.to_html(checklist=ev.checklist("STARD"))
    assert "STARD 2015" in page
    assert "STARD 2015" not in ev.to_html()


def test_sums_are_not_told_as_numbers_of_examples() -> None:
    """Weights, corrected labels and labels that nobody saw are said; one example is one; an unknown state is refused."""
    truth, said = [1] * 20 + [0] * 30, [0] * 5 + [1] * 20 + [0] * 25
    weighted = ix.evaluate(truth, said, sample_weight=np.arange(50) + 0.5).checklist("TRIPOD+AI")
    assert weighted["20a"].says == ("50 examples: 200 with the outcome 1, 1050 without, by weight.",)
    assert weighted["13"].says == ("The outcome 1 has 16.0% of the examples, by weight.",)
    judged = ix.evaluate(truth, said, gold=[None if i % 2 else label for i, label in enumerate(truth)]).checklist("STARD")
    assert judged["16"].says == ("Rows without a gold label count by their judge and prediction, corrected by the gold labels.",)
    assert judged["23"].says[0].endswith(", corrected for errors of the labels.")
    hidden = ix.evaluate([None, 1, 0], [1, 1, 0], missing="mask").checklist("STARD")
    assert hidden["19"].says == ("3 examples, 1 of them not observed: 1 with the outcome 1, 1 without.",)
    one = ix.evaluate([1], [1], classes=[0, 1]).checklist("STARD")
    assert (one["19"].says, one["16"].says[0][:44]) == (
        ("1 example: 1 with the outcome 1, 0 without.",),
        "The example that was evaluated has its label",
    )
    with pytest.raises(ValueError, match="There is no state 'full'"):
        one.of("full")


def test_the_unit_of_weights_does_not_move_shares() -> None:
    """Weights that sum to a part of 1 are shares, too."""
    labels, weight = [1, 1, 0, 0], np.array([3.0, 2.0, 4.0, 1.0])
    for unit in (1.0, 0.01, 1e-9):
        ev = ix.evaluate(labels, [1, 0, 0, 1], positive=1, sample_weight=unit * weight)
        assert ev.checklist("TRIPOD+AI")["13"].says == ("The outcome 1 has 50.0% of the examples, by weight.",)


def test_counts_have_all_their_digits() -> None:
    ev = ix.from_counts(tp=1234567, fp=7654321, fn=1000001, tn=20000003)
    said = ev.checklist("STARD")
    table = "True positives 1234567, false positives 7654321, false negatives 1000001, true negatives 20000003."
    assert said["23"].says == (table,)
    assert "2234568 with the outcome" in said["19"].says[0]


def test_classes_that_are_not_written_out_are_counted_and_undefined_values_told() -> None:
    y = np.arange(300) % 23
    (said,) = ix.evaluate(y, y).checklist("STARD")["23"].says
    assert said.count("tp ") == 20
    assert said.endswith("; and 3 more.")
    told = str(ix.evaluate(Y, Y, by={"ill": Y}).checklist("STARD"))
    assert "Sensitivity by ill: 0: undefined; 1: 1 [" in told
    assert "nan" not in told
