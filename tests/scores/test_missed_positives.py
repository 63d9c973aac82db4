"""Positives that no score reaches: they count in recall, and no threshold retrieves them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.scores.areas import exact_area
from indicatrix.scores.curves.precision_areas import INTERPOLATIONS
from indicatrix.scores.curves.ranked_units import Steps

Y, S = [[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.3, 0.8], [0.4, 0.1]]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=9), st.integers(0, 4))
def test_they_come_after_infinitely_many_false_positives(pairs, missed):
    y, scores = ([row[k] for row in pairs] for k in (0, 1))
    ranking = ix.sweep(y, scores, positive=1, classes=[0, 1]).micro
    tp, fp = (np.asarray(x, np.float64) for x in (ranking.tp, ranking.fp))
    never = Steps(np.append(tp, [tp[-1], tp[-1] + missed]), np.append(fp, [np.inf, np.inf]), np.zeros(1))
    for interpolation in INTERPOLATIONS:
        area = ix.average_precision.at(interpolation=interpolation, missed=missed)
        value, literal = area(ranking), ix.average_precision.at(interpolation=interpolation)(never)
        assert math.isclose(value, literal, abs_tol=1e-12) or (math.isnan(value) and math.isnan(literal))
        assert (
            math.isnan(value) or interpolation == "coco" or math.isclose(float(exact_area(area, ranking)), value, abs_tol=1e-12)
        )
    plain = ix.average_precision(ranking)
    if not math.isnan(plain):
        assert math.isclose(ix.average_precision.at(missed=missed)(ranking), plain * tp[-1] / (tp[-1] + missed))


def test_each_unit_of_an_average_says_how_many_it_misses():
    plain = ix.average_precision(Y, S, average="macro").values
    assert ix.average_precision(Y, S, average="macro", missed={1: 2}).values.tolist() == [plain[0], plain[1] / 2]
    assert ix.average_precision(Y, S, average="micro", missed={1: 2}) == ix.average_precision(Y, S, average="micro", missed=2)
    weighted = ix.average_precision(Y, S, average="weighted", missed={1: 2})
    assert weighted == pytest.approx((2 * plain[0] + 4 * plain[1] / 2) / 6)  # of six positives two have no score
    groups = ix.average_precision([1, 0, 1, 1], [0.9, 0.8, 0.7, 0.6], by={"site": list("uuvv")}, average="site", missed={"v": 2})
    assert groups.values.tolist() == [1, 0.5]
    assert ix.average_precision([1, 0], [0.9, 0.1], missed=Fraction(1, 2)) == pytest.approx(2 / 3)
    assert ix.average_precision([0, 0], [0.9, 0.1], missed=1) == 0
    grid = ix.average_precision([1, 0], [0.9, 0.1], thresholds=[0.5, 0.05], missed=1)
    assert grid == ix.average_precision([1, 0], [0.9, 0.1], thresholds=[0.5, 0.05]) / 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.average_precision(Y, S, average="macro", missed=2), "does not say which class"),
        (lambda: ix.average_precision(Y, S, average="macro", missed={7: 2}), "names 7"),
        (lambda: ix.average_precision(Y, S, average="exemplar", missed=2), "not an example"),
        (lambda: ix.average_precision(Y, S, by={"g": [0, 1, 1]}, average=("g", "macro"), missed={0: 1}), "alone"),
        (lambda: ix.average_precision([0, 1], [0.1, 0.9], missed=-1), "0 or more"),
        (lambda: ix.average_precision([0, 1], [0.1, 0.9], missed={1: math.inf}), "0 or more"),
        (lambda: ix.average_precision([0, 1], [0.1, 0.9], missed=2, interval=True), "not in the sample"),
    ],
)
def test_what_does_not_say_where_they_belong_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
    with pytest.raises(TypeError, match="one ranking"):
        ix.average_precision.at(missed={1: 2})(ix.sweep([0, 1], [0.1, 0.9]).micro)
