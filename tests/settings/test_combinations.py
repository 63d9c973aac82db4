"""The table of settings that go together: every pair is tried, the page is written from it, and nothing is left out."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from loops import for_each
from setting_calls import BY_ARGUMENT, CLASSES, FUNCTIONS, MAPS, PRED, SCORES, STEPS, TAGS, TRUE, evaluate, run

import indicatrix as ix
from indicatrix.settings.paper_settings import CONDITIONS, COUNTED, ENCODERS, REFUSED, SETTINGS


def test_every_setting_is_in_the_table_once():
    assert {*BY_ARGUMENT, *FUNCTIONS} == set(COUNTED) == set(SETTINGS) - {"proper_scores"}
    assert {name for name, setting in SETTINGS.items() if setting.arguments} == set(BY_ARGUMENT)
    assert set(ENCODERS) == set(FUNCTIONS)
    assert {name for pair in (*REFUSED, *CONDITIONS) for name in pair} <= set(COUNTED)
    assert not set(REFUSED) & set(CONDITIONS)


PAIRS = [pair for pair in combinations(COUNTED, 2) if not set(pair) <= set(FUNCTIONS)]


@for_each(("one", "other"), PAIRS)
def test_every_pair_works_or_is_refused_for_the_reason_in_the_table(one, other):
    reason = REFUSED.get(frozenset((one, other)))
    if reason is None:
        made = run(one, other)
        for name in ("observed", "entities", "bags", "pairs", "classifiers"):  # what a function returns holds evaluations
            made = getattr(made, name, made)
        assert isinstance(made, ix.Evaluation)
        assert str(made)
        assert np.isfinite(ix.recall.values(made.aggregate(())))
    elif "label_ranking" in (one, other):  # an indicator does not know where it comes from
        with pytest.raises((TypeError, ValueError), match=r"indicator|one class per example|single class"):
            run(one, other)
    else:
        with pytest.raises(ValueError, match=re.escape(reason)):
            run(one, other)


@for_each(("one", "other"), list(combinations(FUNCTIONS, 2)))
def test_two_encoders_are_refused_by_the_table(one, other):
    assert frozenset((one, other)) in REFUSED


CONDITIONED = [
    (lambda: evaluate_with("soft_truth", cost=1 - np.eye(3)), "costs per label"),
    (lambda: evaluate_with("hierarchy", cost="zero_one"), "costs per label"),
    (lambda: evaluate_with("targets", cost=1 - np.eye(3), classes={"one": CLASSES, "two": CLASSES}), "costs are per label"),
    (lambda: evaluate_with(cost="zero_one", ordinal="cumulative", classes=CLASSES), "costs per label"),
    (lambda: evaluate_with("abstention", cost="zero_one", classes=CLASSES), r"CostMatrix\(costs, abstain"),
    (lambda: evaluate_with("abstention", ordinal="cumulative", classes=CLASSES), "lowest class in the cumulative"),
    (lambda: ix.evaluate(TRUE, SCORES, known=CLASSES, decide=0.5), "picks one class"),
    (lambda: ix.segmentation(*MAPS, tnorm="product"), "label maps hold classes"),
    (lambda: ix.tasks.sequences(*TAGS, cost=1 - np.eye(2)), "costs per type"),
    (lambda: ix.evaluate(TRUE, SCORES, decide="argmax", missing="abstain", classes=CLASSES), "reject_below"),
]


def evaluate_with(*asked, **options):
    call = {"y_true": TRUE, "y_pred": PRED}
    for step in STEPS:
        if step.__name__ in asked:
            step(call, set(asked))
    return ix.evaluate(call.pop("y_true"), call.pop("y_pred"), **{**call, **options})


@pytest.mark.parametrize(("call", "message"), CONDITIONED)
def test_a_pair_without_its_condition_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_three_and_more_settings_at_once():
    ev = evaluate("masks", "soft_truth", "weights", "folds")
    assert ev.axes == ("class", "example", "fold")
    assert evaluate("abstention", "targets", "folds", "masks").axes == ("class", "example", "target", "fold")
    assert evaluate("cost", "abstention", "open_set", "weights", "folds", "masks").classes == ("a", "b", "unknown")
