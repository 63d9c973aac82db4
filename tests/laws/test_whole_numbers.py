"""Whole numbers that are counted as they are, and texts that are coded by their characters, give what their encoding gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.encode import factorize
from indicatrix.encode.plain_forms import Labels
from indicatrix.scores import areas

RNG = np.random.default_rng(4)
N = 60
KINDS: dict[str, tuple[Any, Any]] = {
    "integers": (RNG.integers(0, 5, N), RNG.integers(0, 5, N)),
    "absent": (RNG.integers(0, 3, N) * 3, RNG.integers(1, 5, N) * 3),
    "bytes": (RNG.integers(0, 5, N).astype(np.uint8), RNG.integers(0, 5, N).astype(np.int8)),
    "bools": (RNG.random(N) < 0.5, RNG.random(N) < 0.5),
    "floats": (RNG.integers(0, 5, N).astype(float), RNG.integers(0, 5, N).astype(np.float32)),
    "large floats": (RNG.integers(0, 5, N) * 1e6, RNG.integers(0, 5, N) * 1e6),
    "negative": (RNG.integers(-2, 3, N), RNG.integers(-2, 3, N).astype(float)),
    "none": (np.zeros(0, int), np.zeros(0)),
}
WEIGHTS: dict[str, Any] = {
    "no": None,
    "floats": RNG.random(N),
    "integers": RNG.integers(0, 4, N),
    "large": RNG.integers(2**53, 2**60, N),
    "signed": RNG.normal(size=N),
}


@for_each("weights", WEIGHTS)
@for_each("kind", KINDS)
def test_arrays_are_counted_as_lists_are(kind: str, weights: str) -> None:
    (y, z), w = KINDS[kind], WEIGHTS[weights]
    given: dict[str, Any] = {} if w is None else {"sample_weight": w[: len(y)], "signed_weights": weights == "signed"}
    for moments in (None, False):
        fast, encoded = ix.evaluate(y, z, moments=moments, **given), ix.evaluate(y.tolist(), z.tolist(), moments=moments, **given)
        assert fast == encoded
        assert fast.classes == encoded.classes
        assert (fast.tally.squares is None) == (encoded.tally.squares is None)
        assert fast.tally.squares == encoded.tally.squares
        assert list(map(type, fast.classes)) == list(map(type, encoded.classes))


def test_floats_that_are_no_labels_are_still_refused() -> None:
    with pytest.raises(ValueError, match=r"y_pred\[1\] = 0.5: whole numbers are labels"):
        ix.evaluate(np.array([0.0, 1.0]), np.array([0.0, 0.5]))
    with pytest.raises(ValueError, match=r"y_true\[0\]"):
        ix.evaluate(np.array([np.nan, 1.0]), np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match=r"sample_weight\[1\] = -1.0: a weight is a finite number, not negative"):
        ix.evaluate(np.array([0, 1]), np.array([0, 1]), sample_weight=[1, -1])
    with pytest.raises(ValueError, match=r"sample_weight\[0\] = nan"):
        ix.evaluate(np.array([0, 1]), np.array([0, 1]), sample_weight=[np.nan, 1], signed_weights=True)


@pytest.mark.parametrize(("classes", "width"), [(2, 1), (9, 7), (700, 3), (6000, 4), (5, 90)])
def test_texts_have_the_codes_of_their_values(classes: int, width: int) -> None:
    letters = RNG.integers(33, 0x2FFF, (classes, width)).astype(np.uint32)
    words = letters.view(f"U{width}").reshape(-1)
    words[0] = ""  # shorter than the others
    y = words[RNG.integers(0, classes, 20_000)]
    for labels in (y, y.astype(y.dtype.newbyteorder()), y[::-2]):
        coded = factorize.factorize(Labels(labels), "y")
        assert np.array_equal(np.array(coded.categories)[coded.values], labels)
        assert len({*coded.categories}) == len(coded.categories)


def test_texts_with_the_same_number_are_not_taken_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factorize, "MULTIPLIERS", [np.uintp(0)] * 64)  # so that many texts have the same number
    y = np.array(["ab", "cb", "ac", "db"])[RNG.integers(0, 4, 2000)]
    coded = factorize.factorize(Labels(y), "y")
    assert np.array_equal(np.array(coded.categories)[coded.values], y)


def test_many_scores_are_sorted_before_they_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    y, scores = RNG.integers(0, 4, 500), RNG.random((500, 4)).round(2)
    plain = ix.measures.hand_till_auc(y, scores)
    monkeypatch.setattr(areas, "LARGE", 10)
    assert ix.measures.hand_till_auc(y, scores) == plain
