"""Formulas with min, max, abs and powers: an exact search over small counts finds nothing against a yes."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import Phase, given, settings
from kinked_formulas import counterexamples, formulas

import indicatrix as ix
from indicatrix.theory.formula.properties import DECISIONS

WRONGLY_SAID = {  # formulas about which trials of few counts were wrong
    "min((fp+fn+tn)/(3*tp+fp+fn), fp/(tp+3*fp))": "decomposable",
    "tp**100": "bounded",
}


@pytest.mark.parametrize("text", WRONGLY_SAID)
def test_what_a_few_trials_miss_is_not_said(text: str) -> None:
    known = ix.properties(ix.measure(text))
    assert getattr(known, WRONGLY_SAID[text]) is False
    assert known.evidence[WRONGLY_SAID[text]].witness is not None
    assert next(counterexamples(known.measure, known), None) is None


def test_no_yes_about_a_random_formula_has_a_counterexample() -> None:
    seen: Counter[str] = Counter()

    # Formulas are short as they come; shrinking one takes minutes.
    @settings(max_examples=40, deadline=None, phases=(Phase.reuse, Phase.generate))
    @given(formulas())
    def law(text: str) -> None:
        known = ix.properties(ix.measure(text))
        found = next(counterexamples(known.measure, known), None)
        assert found is None, f"{text}: {found[0]} is {known.evidence[found[0]]}, but see {found[1]}"
        for name in DECISIONS:
            evidence = known.evidence[name]
            seen[f"{name} {evidence.holds}"] += 1
            assert evidence.holds is not None or evidence.note, (text, name)

    law()
