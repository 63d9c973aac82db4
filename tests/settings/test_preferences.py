"""Label preferences: rankings as indicators of ordered pairs; Kendall's tau is then a measure of four counts."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each
from scipy.stats import kendalltau

import indicatrix as ix

orders = st.lists(st.tuples(*[st.permutations("abcd")] * 2), min_size=1, max_size=6)


@given(orders)
def test_kendalls_tau_is_twice_the_recall_minus_one(pairs):
    y, z = ([list(row[k]) for row in pairs] for k in (0, 1))
    ev = ix.tasks.preferences(y, z, classes=list("abcd"))
    four = ev.aggregate()
    assert four.fp == four.fn  # the micro collapse: complete rankings have as many preferences
    taus = [kendalltau(*([row.index(c) for c in "abcd"] for row in pair)).statistic for pair in pairs]
    assert 2 * ev.score("recall", "micro") - 1 == pytest.approx(np.mean(taus))
    assert 2 * ev.score("recall", "exemplar") - 1 == pytest.approx(np.mean(taus))
    backwards = ix.tasks.preferences(z, y, classes=list("abcd")).aggregate()
    assert (backwards.tp, backwards.fp, backwards.fn, backwards.tn) == (four.tp, four.fn, four.fp, four.tn)


def literal(y, z, ties):
    """Return tp, fp, fn, tn of ranks, pair by pair."""
    cells = [0, 0, 0, 0]
    for true, pred in zip(y, z, strict=True):
        for a, b in permutations(range(len(true)), 2):
            if np.isnan(true[a]) or np.isnan(true[b]) or (ties == "mask" and true[a] == true[b]):
                continue
            cells[(not pred[a] < pred[b]) * 2 + (not true[a] < true[b])] += 1
    return tuple(cells[k] for k in (0, 1, 2, 3))


@pytest.mark.parametrize("ties", ["mask", "count"])
def test_ties_and_missing_ranks_are_counted_as_defined(ties):
    rng = np.random.default_rng(3)
    y, z = (np.where(rng.random((12, 4)) < 0.2, np.nan, rng.integers(1, 4, (12, 4))) for _ in range(2))
    ev = ix.tasks.preferences(y, z, ties=ties)
    four = ev.aggregate()
    assert (four.tp, four.fp, four.fn, four.tn) == literal(y, z, ties)
    if ties == "mask":  # then precision says how many of the predicted preferences are right
        concordant, discordant = four.tp, four.fp
        assert 2 * ev.score("precision", "micro") - 1 == pytest.approx((concordant - discordant) / (concordant + discordant))


def test_lists_ranks_and_frames_say_the_same(tmp_path):
    y, z = [list("bac"), list("cab")], [list("abc"), list("ca")]
    ev = ix.tasks.preferences(y, z, by={"site": ["u", "v"]})
    ranks = [np.array([[2, 1, 3], [2, 3, 1]]), np.array([[1, 2, 3], [2, np.nan, 1]])]
    assert ix.tasks.preferences(*ranks, classes=list("abc"), by={"site": ["u", "v"]}) == ev
    frames = [pd.DataFrame(x, columns=list("abc")) for x in ranks]
    assert ix.tasks.preferences(*frames, by={"site": ["u", "v"]}) == ev
    assert ix.tasks.preferences(y, ranks[1], classes=list("abc"), by={"site": ["u", "v"]}) == ev
    ev.save(tmp_path / "preferences.json")
    assert ix.load(tmp_path / "preferences.json") == ev
    parts = [ix.tasks.preferences(y[i : i + 1], z[i : i + 1], classes=list("abc"), by={"site": ["uv"[i]]}) for i in (0, 1)]
    assert parts[0] + parts[1] == ev
    assert ev.values("recall", per="site").tolist() == [2 / 3, 1 / 3]
    assert ev.values("recall", per="label").tolist() == [1 / 2, 1 / 2, 1 / 2]
    assert ev.interval("recall", "exemplar").value == ev.score("recall", "exemplar")
    hidden = ix.tasks.preferences(y, z, mask=[True, False])
    assert hidden.aggregate().tp == 2
    top = ix.tasks.preferences(y, z, cost=ix.tasks.label_costs(fp=1, fn={p: 5 if p == ("c", "b") else 1 for p in ev.classes}))
    assert top.aggregate().fn == 1 + 1 + 5
    assert ix.tasks.preferences([], [], classes=list("ab")).n == 0


@for_each(
    ("call", "message"),
    [
        (lambda: ix.tasks.preferences([["a"]], [["a"], ["b"]]), "same examples"),
        (
            lambda: ix.tasks.preferences([["a", None]], [["a", "b"]]),
            r"y_true\[0\]\[1\] is missing. Leave labels without a rank out",
        ),
        (
            lambda: ix.tasks.preferences([["a", "b"]], [[{"a", "b"}]]),
            r"y_pred\[0\]\[0\] is .*labels of equal rank are given as an array",
        ),
        (lambda: ix.tasks.preferences("ab", "ba"), "y_true is a str; give a list of labels"),
        (lambda: ix.tasks.preferences([["a", "a"]], [["a"]]), "twice"),
        (lambda: ix.tasks.preferences([["a"]], [["z"]], classes=list("a")), "'z'"),
        (lambda: ix.tasks.preferences(np.array([[0, 1]]), np.array([[1, 2]])), "whole numbers from 1"),
        (lambda: ix.tasks.preferences(np.array([[0.5, 1]]), np.array([[1, 2]])), "whole numbers from 1"),
        (lambda: ix.tasks.preferences(np.array([[1, 2]]), [["a", "b"]]), "Pass classes="),
        (lambda: ix.tasks.preferences(np.array([[1, 2]]), np.array([[1, 2]]), classes=list("abc")), "3 labels"),
        (lambda: ix.tasks.preferences([["a", "b"]], [["a"]], ties="drop"), "'mask'"),
        (lambda: ix.tasks.preferences([["a", "b"]], [["a", "b"]], mask=[[True, False]]), "one flag for each example"),
    ],
)
def test_what_is_not_a_ranking_is_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
    with pytest.raises(TypeError, match="preferences takes no confusion="):
        ix.tasks.preferences([["a"]], [["a"]], confusion=True)
