"""The Hamming loss of label sets needs no average: it is the share of wrong entries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix

PAIRS = st.integers(1, 4).flatmap(
    lambda m: st.lists(st.tuples(*(st.lists(st.booleans(), min_size=m, max_size=m) for _ in range(2))), min_size=1, max_size=12)
)


@given(PAIRS)
def test_it_is_the_share_of_wrong_entries(pairs: list[tuple[list[bool], list[bool]]]) -> None:
    y, z = (np.array(side) for side in zip(*pairs, strict=True))
    wrong = (y != z).mean()
    assert ix.measures.hamming_loss(y, z) == pytest.approx(wrong)
    ev = ix.evaluate(y, z)
    for name in ("hamming_loss", "error_rate"):
        assert ev.score(name) == pytest.approx(wrong)
    if y.shape[1] > 1:
        assert ev.score("hamming_loss").average == "micro"
    assert float(ev.exact("hamming_loss")) == pytest.approx(wrong)


def test_sets_of_names() -> None:
    y, z = [{"red"}, {"red", "blue"}, set()], [{"red"}, {"blue"}, {"blue"}]
    assert ix.measures.hamming_loss(y, z) == pytest.approx(2 / 6)
    assert ix.measures.hamming_loss(y, z, interval=True).value == pytest.approx(2 / 6)
    assert ix.scorer("hamming_loss")(Constant(), y, np.array([[1, 0], [1, 1], [0, 0]])) == pytest.approx(-4 / 6)


class Constant:
    """A classifier that always predicts both labels."""

    def predict(self, X: Any) -> Any:
        return np.array([[0, 1]] * len(X))


@pytest.mark.parametrize(
    "call",
    [
        lambda: ix.accuracy([{"a"}, {"b"}], [{"a"}, {"a"}]),  # of entries, or of whole sets?
        lambda: ix.f1([{"a"}, {"b"}], [{"a"}, {"a"}]),
        lambda: ix.evaluate([["a", "x"], ["b", "y"]], [["b", "x"], ["b", "x"]], targets=["t", "u"]).score("hamming_loss"),
    ],
)
def test_what_is_ambiguous_still_needs_an_average(call: Any) -> None:
    with pytest.raises(ValueError, match="Name an average"):
        call()
