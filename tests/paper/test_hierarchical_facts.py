"""The recomputed facts about taxonomies, group hier (sec:hierarchical, errata A9)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from facts import Checkers, exact

import indicatrix as ix
from indicatrix.settings.hierarchy import close
from indicatrix.settings.taxonomy import taxonomy

checks = Checkers("hier")


@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


def rows(t, y_true, y_pred):
    """Return the counts of each example with its labels closed under ancestors."""
    y, yhat = (close(ix.one_hot(labels, t.classes), t) for labels in (y_true, y_pred))
    return ix.cells(y, yhat).aggregate("example")


@checks(r"hier\.dist")
def distance_is_hamming_of_closed_rows(fact):
    t = taxonomy(fact["inputs"]["tree"])
    y_true, y_pred = zip(*product(t.classes, repeat=2), strict=True)
    counts = rows(t, y_true, y_pred)
    assert ((counts.fp + counts.fn == t.distance().ravel()).all()) == fact["computed"]


@checks(r"hier\.PR")
def one_cost_and_two_precisions(fact):
    t = taxonomy({"a": None, "b": "a"})
    assert t.distance().tolist() == [[0, 1], [1, 0]]  # the same cost either way
    for case, expected in fact["computed"].items():
        _, true, _, pred = case.split()
        counts = [int(x[0]) for x in rows(t, [true], [pred])]
        assert exact(ix.precision, counts) == Fraction(expected["hP"])
        assert exact(ix.recall, counts) == Fraction(expected["hR"])
    assert len({str(value) for value in fact["computed"].values()}) == 2
    assert not fact["agrees"]
    # The note: together with the depths, the distance gives the size of the intersection.
    depth = dict(zip(t.classes, t.depth, strict=True))
    for true, pred in product(t.classes, repeat=2):
        distance = t.distance()[t.classes.index(true), t.classes.index(pred)]
        assert 2 * rows(t, [true], [pred]).tp[0] == depth[true] + depth[pred] - distance


@checks(r"hier\.lca")
def depth_of_the_common_ancestor_is_a_similarity(fact):
    t = taxonomy({"a": None, "c": None, "b": "a", "d": "a", "e": "c", "f": "b", "g": "b"})
    depth = dict(zip(t.classes, t.depth, strict=True))
    errors = [("f", "g"), ("f", "d"), ("f", "e")]  # from the finest to the coarsest
    common = [max((depth[c] for c in set(t.ancestors(x)) & set(t.ancestors(y))), default=0) for x, y in errors]
    edges = [int(t.distance(pair)[0, 1]) for pair in errors]
    assert common == sorted(common, reverse=True) == [2, 1, 0]  # as a cost it would charge the finest error most
    assert edges == sorted(edges) == [2, 3, 5]
    assert "similarity" in fact["computed"]
    assert not fact["agrees"]
