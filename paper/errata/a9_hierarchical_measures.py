"""Hierarchical precision and recall cannot come from tree distances alone (sec:hierarchical)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import indicatrix as ix

from ..record import Record, experiment

PARENT = {"a": None, "b": "a", "c": None, "d": "a", "e": "c", "f": "b"}


@experiment("A9", "Hierarchical precision, recall and distance")
def hierarchical_measures(record: Record) -> None:
    """Compare two errors of the same tree distance, and distances with labels closed under ancestors."""
    tree = ix.taxonomy(PARENT)
    costs, values = [], []
    for truth, guess in (("b", "a"), ("a", "b")):
        ev = ix.evaluate([truth], [guess], hierarchy=tree)
        costs.append(ix.cost([truth], [guess], tree, classes=tree.classes))
        values.append((ev.exact("precision", "micro"), ev.exact("recall", "micro")))
    rows = [["b", "a", costs[0], *values[0]], ["a", "b", costs[1], *values[1]]]
    header = ["true", "predicted", "tree distance", "hP", "hR"]
    record.table("A parent for its child, and a child for its parent", header, rows)
    record.holds(
        "hierarchical precision and recall follow from the tree distance: equal at two errors of distance 1",
        ours=values[0] == values[1],
        paper=costs[0] == costs[1],
        differs="(1, 1/2) and (1/2, 1): they need the labels closed under ancestors",
        errata="A9",
    )
    record.finds("of closed labels they are (1, 1/2) and (1/2, 1)", values == [(1, Fraction(1, 2)), (Fraction(1, 2), 1)])

    def wrong_entries(truth: str, guess: str) -> int:
        v = ix.evaluate([truth], [guess], hierarchy=tree).aggregate()
        return int(v.fp + v.fn)

    distance = tree.distance()
    places = list(enumerate(tree.classes))
    record.finds(
        "the tree distance is the number of wrong entries of closed labels, for all 36 pairs",
        all(distance[i, j] == wrong_entries(x, y) for (i, x), (j, y) in product(places, places)),
    )

    def depth_of_common_ancestor(x: str, y: str) -> int:
        return len(set(tree.ancestors(x)) & set(tree.ancestors(y)))

    record.holds(
        "the depth of the lowest common ancestor penalises a coarse error (f for c) more than a fine one (f for b)",
        ours=depth_of_common_ancestor("f", "c") > depth_of_common_ancestor("f", "b"),
        differs="it grows with closeness: it is a similarity",
        errata="A9",
    )
