"""What is wrong in a formula is named: a misspelled measure, one that reads more than counts, a function that does not exist."""

from __future__ import annotations

import pytest

import indicatrix as ix


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2*precison*recall/(precision+recall)", "Did you mean precision?"),
        ("multiclass_kappa/2", "it reads the whole confusion matrix, and cannot be a term"),
        ("auc - recall", "it reads scores, and cannot be a term"),
        ("mean(precision, recall)", "calling mean(…) is not allowed in a formula ('mean(precision, recall)'). Allowed are"),
    ],
)
def test_the_word_that_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(ValueError) as wrong:
        ix.measure(text)
    assert said in str(wrong.value)
    with pytest.raises(ValueError) as wrong:
        ix.evaluate([0, 1], [0, 1]).score(text)
    assert said in str(wrong.value)


def test_a_misspelled_kind_of_interval_is_not_taken_for_a_level() -> None:
    with pytest.raises(ValueError, match=r"'simultaneous'\. Did you mean simultaneous\?"):
        ix.evaluate([0, 1], [0, 1]).values("recall", interval="simultanous")


def test_a_function_without_a_name_is_led_to_one() -> None:
    ev = ix.evaluate([0, 1, 1], [0, 1, 0])
    with pytest.raises(TypeError, match=r"not by function; ix\.measure makes a measure of a function"):
        ev.score(lambda tp, fp, fn, tn: tp)
    with pytest.raises(TypeError, match=r"ix\.measure\(function, name='my_measure'\)"):
        ix.measure(lambda tp, fp, fn, tn: tp)
