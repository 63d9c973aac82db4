"""A value with an interval is a number: it goes into format strings, into round and into float."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

import indicatrix as ix

EV = ix.from_confusion([[40, 10, 3], [5, 45, 1], [2, 2, 30]])
BOTH = ix.compare([0, 1] * 50, {"lr": [0, 1, 1, 0] * 25, "rf": [0, 1, 0, 0] * 25}, "f1", "macro")


def numbers() -> dict[str, Any]:
    """Return one of each kind of value with ends."""
    return {
        "Interval": EV.interval("f1", "macro"),
        "of a class": EV.values("recall", interval=True).intervals[0],
        "Difference": BOTH.differences[0],
        "Estimate": ix.types.Estimate(0.8123456, 0.7654321, 0.8765432),
    }


NUMBERS = numbers()
SPECS = [".3f", ".1%", "+.2e", ".4g", ",.1f", "f", "z.2f"]


@for_each("kind", NUMBERS)
@for_each("spec", SPECS)
def test_a_spec_formats_the_value_and_its_ends(kind: str, spec: str) -> None:
    x = NUMBERS[kind]
    assert format(x, spec) == f"{x.value:{spec}} [{x.low:{spec}}, {x.high:{spec}}]"


@given(st.integers(0, 60), st.sampled_from(["", "<", ">", "^", "*^", "x<"]), st.sampled_from(SPECS[:5]))
def test_a_width_is_that_of_the_whole_text(width: int, align: str, spec: str) -> None:
    x = NUMBERS["Interval"]
    size = str(width) if width else ""
    assert format(x, f"{align}{size}{spec}") == format(format(x, spec), f"{align or '>'}{size}")


def test_zeros_fill_numbers() -> None:
    assert f"{ix.types.Estimate(0.5, 0.25, 0.75):06.2f}" == "000.50 [000.25, 000.75]"


@pytest.mark.parametrize("kind", NUMBERS)
def test_no_spec_is_the_text(kind: str) -> None:
    x = NUMBERS[kind]
    assert f"{x}" == str(x)
    assert f"{x:>200}" == str(x).rjust(200)


def test_ends_that_are_not_known_are_not_shown() -> None:
    assert f"{ix.types.Estimate(0.5, math.nan, math.nan):.2f}" == "0.50"


@for_each("kind", NUMBERS)
@for_each("digits", [None, 0, 1, 3])
def test_round_rounds_the_value_and_its_ends_and_keeps_the_rest(kind: str, digits: int | None) -> None:
    x = NUMBERS[kind]
    rounded = round(x) if digits is None else round(x, digits)
    assert type(rounded) is type(x)
    for name in ("value", "low", "high"):
        assert getattr(rounded, name) == round(getattr(x, name), digits or 0)
    assert getattr(rounded, "level", None) == getattr(x, "level", None)
    assert float(x) == x.value


def test_a_wrong_spec_is_an_error_of_a_number() -> None:
    with pytest.raises(ValueError, match="format"):
        format(NUMBERS["Interval"], ".3d")
