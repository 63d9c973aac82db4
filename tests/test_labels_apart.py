"""Names that are cut keep both ends and stay apart; shares do not look like bounds that they miss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import indicatrix as ix
from indicatrix.compare.row import Row
from indicatrix.report.grid import label, labels


@given(st.lists(st.text("ab", min_size=1, max_size=30), unique=True, max_size=6), st.integers(8, 16))
def test_each_cut_name_is_short_and_those_of_one_pair_differ(names: list[str], longest: int) -> None:
    for i, one in enumerate(names):
        assert len(label(one, longest)) <= longest
        for other in names[i + 1 :]:
            first, second = labels([one, other], longest)
            assert first != second
            assert max(len(first), len(second)) <= longest


@pytest.mark.slow
def test_long_names_of_classifiers_stay_apart_in_text_and_plots() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    names = [f"gradient boosting with depth {d} and a long name" for d in range(9)]
    y = [0, 1, 1, 0, 1]
    made = ix.compare(y, {name: y[d:] + y[:d] for d, name in enumerate(names[:5])}, ["f1"], ["macro"])
    assert len({text.get_text() for text in made.plot.ranks().get_xticklabels()}) == 5
    heads = str(made).splitlines()[0]
    assert all(f"…{d}…" in heads for d in range(5))


def test_a_value_without_a_rival_has_no_rank() -> None:
    assert all(rank != rank for rank in Row("f1", (0.5, None)).ranks)
    assert Row("f1", (0.5, 0.25, None)).ranks[:2] == (1, 2)


def test_a_share_just_below_one_does_not_read_as_one() -> None:
    ev = ix.from_confusion([[2000 if i == j else int((i, j) == (0, 1)) for j in range(60)] for i in range(60)])
    assert "Micro-averaged accuracy is\n1.000" not in str(ev)
    assert "0.9999997" in str(ev)
