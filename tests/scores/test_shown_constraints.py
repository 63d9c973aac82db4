"""What is printed of a threshold under constraints: the constraints, and what they limit there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix

RNG = np.random.default_rng(0)
N = 300
Y = (RNG.random((N, 3)) < [0.2, 0.5, 0.7]).astype(int)
S = np.clip(0.4 * Y + 0.6 * RNG.random((N, 3)), 0, 1)
LIMITS = st.lists(
    st.sampled_from(
        ["recall >= 0.8", "specificity > 0.1", "f_beta(beta=2) >= 1/3", "0.2 <= precision <= 1", "(tp - fp)/n > -0.9"]
    ),
    min_size=1,
    max_size=3,
)


@given(LIMITS, st.sampled_from([None, "micro", "macro", "weighted"]), st.sampled_from(["precision", "f1", "mcc"]))
def test_every_constraint_is_shown_with_the_value_at_the_rule(limits: list[str], average: str | None, measure: str) -> None:
    y, s = (Y[:, 0], S[:, 0]) if average is None else (Y, S)
    tuned = ix.tune(y, s, measure, average, subject_to=limits)
    text = str(tuned)
    ev = ix.evaluate(y, s, decide=tuned.rule)
    each = average in ("macro", "weighted")
    assert ", each class by itself" in text if each else "by itself" not in text
    for constraint in tuned.subject_to:
        assert str(constraint) in text.splitlines()[0]
        assert str(constraint) in repr(tuned)
        values = ev.values(constraint.measure).tolist() if each else [float(ev.score(constraint.measure, average))]
        reached = tuned.reached if each else [tuned.reached]
        for line, value, found in zip(text.splitlines()[1:], values, reached, strict=True):
            assert found[str(constraint)] == pytest.approx(value, abs=1e-12)
            assert f"{constraint} (it is {found[str(constraint)]:.6g})" in line
    html = tuned._repr_html_()
    assert all(f"<bdi>{str(c).replace('>', '&gt;').replace('<', '&lt;')}</bdi>" in html for c in tuned.subject_to)


def test_without_constraints_nothing_is_said_of_them() -> None:
    tuned = ix.tune(Y[:, 0], S[:, 0], "f1")
    assert tuned.reached == {}
    assert tuned.subject_to == ()
    assert "meet" not in str(tuned)


def test_the_best_of_a_sweep_says_the_same() -> None:
    best = ix.sweep(Y[:, 0], S[:, 0]).best("precision", subject_to="recall >= 0.9")
    tuned = ix.tune(Y[:, 0], S[:, 0], "precision", subject_to="recall >= 0.9")
    assert best.reached == tuned.reached
    assert f"recall >= 0.9 (it is {best.reached['recall >= 0.9']:.6g})" in str(best)
    each = ix.sweep(Y, S).best("precision", average="macro", subject_to="recall >= 0.9")
    for unit, one in each.bests.items():
        assert f"  {unit}: {one}" in str(each)


def test_a_constraint_is_written_with_all_its_digits_and_once() -> None:
    found = ix.tune(Y[:, 0], S[:, 0], "precision", subject_to=["recall >= 0.9", "recall >= 0.9000001", "recall>=0.9"])
    assert [*found.reached] == ["recall >= 0.9", "recall >= 0.9000001"]


@pytest.mark.parametrize("average", ["macro", "micro", "samples", "binary"])
def test_a_constraint_on_an_average_is_refused_with_what_to_write(average: str) -> None:
    with pytest.raises(ValueError, match=r"names an average.* Write 'recall >= 0\.9'"):
        ix.tune(Y, S, "precision", "macro", subject_to=f"{average} recall >= 0.9")


def test_a_rule_that_would_not_meet_the_constraint_is_refused() -> None:
    """Where no negative is predicted, NPV is undefined, and predicting nothing positive does not meet the constraint."""
    best = ix.sweep([0, 1, 1], [0.2, 0.5, 0.7]).best("npv", subject_to="specificity <= 0")
    assert "undefined or infinite at every threshold that meets specificity <= 0" in best.note
    assert str(best) == best.note
    with pytest.raises(ValueError, match="loosen the constraint"):
        ix.tune([0, 1, 1], [0.2, 0.5, 0.7], "npv", subject_to="specificity <= 0")
