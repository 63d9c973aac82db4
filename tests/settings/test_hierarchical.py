"""Hierarchical classification: taxonomies, the ancestor closure, and the measures of closed labels (sec:hierarchical)."""

from __future__ import annotations

import pickle
from collections import deque
from fractions import Fraction
from itertools import pairwise, product

import networkx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each
from scipy import sparse

import indicatrix as ix
from indicatrix.encode.indicator import Coded, Lookup
from indicatrix.encode.pairs import Pair
from indicatrix.settings.hierarchy import close, close_pair
from indicatrix.settings.taxonomy import Taxonomy, taxonomy
from indicatrix.tasks.cost import cost

law = examples(25)  # the machines that run them differ in speed
ANIMALS = {"animal": None, "plant": None, "cat": "animal", "dog": "animal", "tree": "plant", "lynx": "cat", "tabby": "cat"}


# Random taxonomies as dicts child -> parents, and what is above a node, read from the dict.


@st.composite
def trees(draw, least=1, most=8):
    """A dict child -> parent: node k under an earlier one or at the top; the labels are letters in random order."""
    n = draw(st.integers(least, most))
    names = draw(st.permutations("abcdefghijklmnop"[:n]))
    return {names[k]: draw(st.sampled_from([None, *names[:k]])) for k in range(n)}


@st.composite
def graphs(draw, most=8):
    """A dict child -> list of parents, None at the top level."""
    names = draw(st.permutations("abcdefghijklmnop"[: draw(st.integers(1, most))]))
    return {
        name: draw(st.lists(st.sampled_from(names[:k]), unique=True, max_size=3)) or None if k else None
        for k, name in enumerate(names)
    }


def parents_of(links, node):
    value = links[node]
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def over(links, nodes):
    """Return the nodes and all above them, as a set, by the definition."""
    found, todo = set(), list(nodes)
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += parents_of(links, node)
    return found


@st.composite
def problems(draw, links, sets=False):
    """True and predicted nodes, inner ones too, for a few examples; or sets of nodes."""
    one = st.sampled_from(sorted(links))
    row = st.sets(one, max_size=4) if sets else one
    return [draw(st.lists(row, min_size=n, max_size=n)) for n in [draw(st.integers(0, 7))] for _ in range(2)]


def closed(y, t):
    encoder = ix.multilabel if len(y) and isinstance(y[0], set) else ix.one_hot
    return close(encoder(y, t.classes), t)


def evaluation(y_true, y_pred, t, **options):
    return ix.evaluate(closed(y_true, t), closed(y_pred, t), **options)


# Taxonomies.


@law
@given(st.one_of(trees(), graphs()))
def test_every_form_gives_the_same_taxonomy(links):
    t = taxonomy(links)
    edges = [(p, c) for c in links for p in parents_of(links, c) or [None]]
    assert taxonomy(reversed(edges)) == taxonomy(iter(edges)) == t
    assert taxonomy({c: set(parents_of(links, c)) or None for c in reversed(list(links))}) == t
    graph = networkx.DiGraph([(p, c) for p, c in edges if p is not None])
    graph.add_nodes_from(links)
    assert taxonomy(graph, root=None) == t
    assert taxonomy(t) is t
    assert pickle.loads(pickle.dumps(t)) == t


@law
@given(st.one_of(trees(), graphs()))
def test_classes_ancestors_and_depth_by_their_definitions(links):
    t = taxonomy(links)
    assert set(t.classes) == set(links)
    assert t.tree is all(len(parents_of(links, c)) <= 1 for c in links)
    for j, node in enumerate(t.classes):
        mine = parents_of(links, node)
        assert set(t.parents(node)) == set(mine)
        assert set(t.ancestors(node)) == over(links, [node])
        assert t.ancestors(node) == tuple(sorted(t.ancestors(node), key=t.classes.index))
        assert t.depth[j] == 1 + max((t.depth[t.classes.index(p)] for p in mine), default=0)
    assert list(zip(t.depth, t.classes, strict=True)) == sorted(zip(t.depth, t.classes, strict=True))
    matrix = t.closure().matrix
    assert [[c for c, here in zip(t.classes, row, strict=True) if here] for row in matrix] == [
        list(t.ancestors(c)) for c in t.classes
    ]
    assert t.closure().targets == t.depth


@law
@given(st.one_of(trees(), graphs()))
def test_a_root_is_above_all_and_is_no_class(links):
    t = taxonomy(links)
    rooted = taxonomy({c: parents_of(links, c) or "root" for c in links}, root="root")
    assert (rooted.classes, rooted.above, rooted.depth) == (t.classes, t.above, t.depth)
    assert rooted.root == "root"
    assert (rooted.distance() == t.distance()).all()
    with_class = taxonomy({c: parents_of(links, c) or "root" for c in links}, root=None)
    assert with_class.classes == ("root", *t.classes)
    assert with_class.depth == (1, *(d + 1 for d in t.depth))


@law
@given(st.one_of(trees(), graphs()))
def test_distance_is_the_length_of_a_shortest_way(links):
    t = taxonomy(links)
    near = {c: set(t.parents(c)) or {None} for c in t.classes} | {None: set()}
    for c in t.classes:
        for p in list(near[c]):
            near[p].add(c)
    d = t.distance()
    assert d.dtype == np.int64
    for j, node in enumerate(t.classes):
        steps, todo = {node: 0}, deque([node])
        while todo:
            for other in near[todo[0]] - set(steps):
                steps[other] = steps[todo[0]] + 1
                todo.append(other)
            todo.popleft()
        assert [steps[c] for c in t.classes] == d[j].tolist()


@law
@given(st.one_of(trees(), graphs()), st.data())
def test_distance_of_some_classes(links, data):
    t = taxonomy(links)
    some = data.draw(st.lists(st.sampled_from(t.classes), unique=True))
    at = [t.classes.index(c) for c in some]
    assert t.distance(some).tolist() == t.distance()[np.ix_(at, at)].tolist()


def test_distance_through_the_root_that_is_a_parent_among_others():
    t = taxonomy([("r", "a"), ("a", "b"), ("b", "x"), ("r", "x"), ("r", "c")], root="r")
    assert t.distance(["x", "c"])[0, 1] == 2  # x - r - c, not x - b - a - r - c
    assert t.ancestors("x") == ("a", "b", "x")
    assert not t.tree


def test_a_common_child_is_a_short_cut():
    t = taxonomy({"a": None, "b": "a", "c": None, "d": "c", "x": ["b", "d"]})
    assert t.distance(["b", "d"])[0, 1] == 2  # b - x - d, not b - a - root - c - d
    assert t.distance(["a", "c"])[0, 1] == 2  # over the root


def test_depth_of_the_lowest_common_ancestor_is_no_distance():
    t = taxonomy(ANIMALS)
    pairs = [("lynx", "tabby"), ("lynx", "dog"), ("lynx", "tree")]  # coarser and coarser errors
    depth = dict(zip(t.classes, t.depth, strict=True))
    common = [max((depth[c] for c in set(t.ancestors(a)) & set(t.ancestors(b))), default=0) for a, b in pairs]
    assert common == [2, 1, 0]
    assert [int(t.distance([a, b])[0, 1]) for a, b in pairs] == [2, 3, 5]


def test_numbers_and_numpy_edges_are_nodes_too():
    t = taxonomy(np.array([[0, 1], [0, 2], [2, 3]]), root=np.int64(0))
    assert t.classes == (1, 2, 3)
    assert t.ancestors(3) == (2, 3)
    assert taxonomy({1: 0, 2: 0, 0: None}).classes == (0, 1, 2)  # 0 is a label, not the lack of one
    assert taxonomy({"a": float("nan"), "b": "a"}) == taxonomy({"a": None, "b": "a"})


def test_labels_without_an_order_stay_in_the_order_given():
    low, high = 1j, 2j
    assert taxonomy({high: None, low: None}).classes == (high, low)


def test_the_text_of_a_taxonomy_tells_its_links_apart():
    one, other = taxonomy({"a": None, "b": None, "c": "a"}), taxonomy({"a": None, "b": None, "c": "b"})
    assert (one.classes, one.depth) == (other.classes, other.depth)
    assert repr(one) != repr(other)
    assert repr(one).startswith("<taxonomy of 3 classes, depth 2, links ")
    assert "root 'r'" in repr(taxonomy({"a": "r"}, root="r"))


@pytest.mark.slow
def test_deep_and_wide_taxonomies():
    chain = taxonomy({k: k - 1 if k else None for k in range(2000)})
    assert chain.depth == tuple(range(1, 2001))
    assert chain.distance([0, 1999])[0, 1] == 1999
    star = taxonomy([("root", str(k)) for k in range(20_000)], root="root")
    assert star.distance(["7", "77"]).tolist() == [[0, 2], [2, 0]]


# The closure.


@law
@given(st.data())
def test_edge_distance_is_fp_plus_fn_of_closed_labels_in_trees(data):
    links = data.draw(trees())
    t = taxonomy(links)
    pairs = list(product(t.classes, t.classes))
    rows = ix.cells(closed([a for a, _ in pairs], t), closed([b for _, b in pairs], t)).aggregate("example")
    assert (rows.fp + rows.fn).tolist() == [t.distance([a, b])[0, 1] if a != b else 0 for a, b in pairs]


@law
@given(st.data())
def test_edge_distance_is_at_most_fp_plus_fn_in_graphs(data):
    t = taxonomy(data.draw(graphs()))
    pairs = list(product(range(len(t.classes)), repeat=2))
    y, yhat = ([t.classes[k] for k in side] for side in zip(*pairs, strict=True))
    rows = ix.cells(closed(y, t), closed(yhat, t)).aggregate("example")
    assert (t.distance().ravel() <= rows.fp + rows.fn).all()


@law
@given(st.data())
def test_hierarchical_measures_by_sets(data):
    links = data.draw(st.one_of(trees(), graphs()))
    y_true, y_pred = data.draw(problems(links, sets=data.draw(st.booleans())))
    t = taxonomy(links)
    ev = evaluation(y_true, y_pred, t)
    sets = [[over(links, y if isinstance(y, set) else {y}) for y in side] for side in (y_true, y_pred)]
    rows = list(zip(*sets, strict=True))
    hit, true, pred = (sum(map(len, x)) for x in ([a & b for a, b in rows], *sets))
    micro = {"precision": (hit, pred), "recall": (hit, true), "f1": (2 * hit, true + pred)}
    for name, (part, whole) in micro.items():
        score = ix.algebra.MEASURES[name](ix.Counts(*(Fraction(int(x)) for x in ev.aggregate())))
        assert score == Fraction(part, whole) if whole else score != score
    each = [Fraction(2 * len(a & b), len(a) + len(b)) for a, b in rows if a or b]
    if each:
        assert ev.score("f1", "exemplar") == pytest.approx(float(sum(each) / len(each)), rel=1e-14)
    for c, (tp, fp, fn, tn) in zip(t.classes, zip(*ev.aggregate("class"), strict=True), strict=True):
        assert (tp, fp) == (sum(c in a & b for a, b in rows), sum(c in b - a for a, b in rows))
        assert (fn, tn) == (sum(c in a - b for a, b in rows), sum(c not in a | b for a, b in rows))


@law
@given(st.data())
def test_depths_add_up(data):
    links = data.draw(trees())
    y_true, y_pred = data.draw(problems(links))
    t = taxonomy(links)
    ev = evaluation(y_true, y_pred, t)
    depths = ev.aggregate("depth")
    assert depths.names == (tuple(range(1, max(t.depth) + 1)),)
    columns = ev.aggregate("class")
    for whole, parts in zip(depths, columns, strict=True):
        assert whole.tolist() == [sum(x for x, d in zip(parts, t.depth, strict=True) if d == depth) for depth in depths.names[0]]


def test_hierarchical_classification():
    """The row of tab:settings, by hand: {animal, cat, lynx} vs {animal, cat}, and {plant, tree} vs {animal, dog}; and a hit."""
    t = taxonomy(ANIMALS)
    ev = evaluation(["lynx", "tree", "tabby"], ["cat", "dog", "tabby"], t)
    counts = [Fraction(int(x)) for x in ev.aggregate()]
    assert counts == [5, 2, 3, 11]  # 3 examples x 7 classes
    exact = {name: ix.algebra.MEASURES[name](ix.Counts(*counts)) for name in ("precision", "recall", "f1", "accuracy")}
    assert exact == {"precision": Fraction(5, 7), "recall": Fraction(5, 8), "f1": Fraction(2, 3), "accuracy": Fraction(16, 21)}
    assert ev.score("precision", "micro") == 5 / 7
    assert ev.score("recall", "exemplar") == pytest.approx(float((Fraction(2, 3) + 0 + 1) / 3), rel=1e-15)
    assert ev.values("recall", per="depth").tolist() == [2 / 3, 2 / 3, 1 / 2]
    assert t.distance(["lynx", "cat"])[0, 1] + t.distance(["tree", "dog"])[0, 1] == 1 + 4 == counts[1] + counts[2]


def test_a_parent_and_a_child_in_turn_have_one_cost_and_two_precisions():
    t = taxonomy({"a": None, "b": "a"})
    found = {}
    for true, pred in pairwise("aba"):
        ev = evaluation([true], [pred], t)
        found[true, pred] = ev.score("precision", "micro"), ev.score("recall", "micro")
    assert found == {("b", "a"): (1, 1 / 2), ("a", "b"): (1 / 2, 1)}
    assert t.distance().tolist() == [[0, 1], [1, 0]]


def test_closing_twice_changes_nothing_and_codes_stay_codes():
    t = taxonomy(ANIMALS)
    y = closed(["lynx", "plant"], t)
    assert isinstance(y.data, Lookup)
    assert isinstance(y.data.codes, Coded)
    assert (close(y, t).matrix == y.matrix).all()
    assert (y.targets, y.grouping) == (t.depth, "depth")


def test_an_example_without_a_class_has_an_empty_closure():
    t = taxonomy(ANIMALS)
    y = close(ix.types.Indicator.from_codes([-1, 2], t.classes), t)
    assert y.matrix.sum(axis=1).tolist() == [0, 2]
    assert closed([set(), {"lynx", "tree"}], t).matrix.sum(axis=1).tolist() == [0, 5]


def test_some_classes_in_another_order():
    t = taxonomy(ANIMALS)
    leaves = ("tree", "tabby", "lynx")
    for y in (ix.one_hot(["lynx", "tree"], leaves), ix.multilabel([[0, 0, 1], [1, 0, 0]], leaves)):
        assert (close(y, t).matrix == closed(["lynx", "tree"], t).matrix).all()


@law
@given(st.data())
def test_dense_sparse_and_sets_have_the_same_closure(data):
    links = data.draw(st.one_of(trees(), graphs()))
    y, _ = data.draw(problems(links, sets=True))
    t = taxonomy(links)
    matrix = np.array([[c in row for c in t.classes] for row in y], bool).reshape(len(y), len(t.classes))
    expected = (matrix.astype(int) @ t.closure().matrix) > 0
    for given_ in (matrix, matrix.astype(int), sparse.csr_array(matrix)):
        found = close(ix.multilabel(given_, t.classes), t)
        assert (found.matrix == expected).all()
        assert all((np.diff(found.data.indices[a:b]) > 0).all() for a, b in pairwise(found.data.indptr))
    assert not y or (closed(y, t).matrix == expected).all()


def test_entries_not_observed_hide_what_they_could_make_positive():
    t = taxonomy(ANIMALS)
    y = ix.multilabel([[c == "lynx" for c in t.classes]] * 2, t.classes)
    seen = np.ones((2, 7), bool)
    seen[0, t.classes.index("tabby")] = seen[1, t.classes.index("plant")] = False
    pair = close_pair(Pair(y, y, open=True, cells=seen), t)
    hidden = [{c for c, here in zip(t.classes, row, strict=True) if not here} for row in pair.cells]
    assert hidden == [{"tabby", "cat", "animal"}, {"plant"}]
    assert not pair.open
    assert close_pair(Pair(y, y, open=True), t).cells is None


def test_a_million_examples():
    rng = np.random.default_rng(4)
    links = {k: None if k < 4 else k // 4 for k in range(64)}
    t = taxonomy(links)
    y, yhat = rng.integers(0, 64, (2, 1_000_000))
    ev = ix.evaluate(close(ix.one_hot(y, t.classes), t), close(ix.one_hot(yhat, t.classes), t))
    cost = t.distance(range(64))[y, yhat].sum()
    assert ev.aggregate().fp + ev.aggregate().fn == cost
    assert ev.n == 1_000_000


# evaluate(…, hierarchy=).


@law
@given(st.data())
def test_evaluate_closes_labels(data):
    links = data.draw(st.one_of(trees(), graphs()))
    y_true, y_pred = data.draw(problems(links, sets=data.draw(st.booleans())))
    ev, t = ix.evaluate(y_true, y_pred, hierarchy=links), taxonomy(links)
    assert ev.tally == evaluation(y_true, y_pred, t).tally
    assert (ev.classes, ev.axes) == (t.classes, ("class", "example", "depth"))
    assert ev.recipe.in_words() == {"hierarchy": repr(t)}
    half = len(y_true) // 2
    parts = [ix.evaluate(y_true[rows], y_pred[rows], hierarchy=t) for rows in (slice(half), slice(half, None))]
    assert not y_true or (parts[0] + parts[1]).tally == ev.tally


@law
@given(st.data())
def test_tree_cost_is_fp_plus_fn_of_the_closure(data):
    links = data.draw(trees(least=2))
    y_true, y_pred = data.draw(problems(links).filter(lambda p: p[0]))
    counts = ix.evaluate(y_true, y_pred, hierarchy=links).aggregate()
    t = taxonomy(links)
    assert cost(y_true, y_pred, t, average="total") == counts.fp + counts.fn
    assert cost(y_true, y_pred, t, classes=t.classes, average="total") == counts.fp + counts.fn


def test_weights_groups_masks_and_abstentions():
    y_true, y_pred = ["lynx", "tree", "tabby"], ["cat", "dog", "tabby"]
    weighted = ix.evaluate(y_true, y_pred, hierarchy=ANIMALS, sample_weight=[2, 0.5, 1])
    assert list(weighted.aggregate()) == [2 * 2 + 3, 0.5 * 2, 2 + 0.5 * 2, 2 * 4 + 0.5 * 3 + 4]
    by = ix.evaluate(y_true, y_pred, hierarchy=ANIMALS, by={"fold": [0, 0, 1]})
    assert by.aggregate(("fold", "depth")).tp.tolist() == [[1, 1, 0], [1, 1, 1]]
    masked = ix.evaluate(y_true, y_pred, hierarchy=ANIMALS, mask=[True, False, True])
    assert list(masked.aggregate()) == [5, 0, 1, 8]
    columns = np.array([[c != "animal" for c in taxonomy(ANIMALS).classes]] * 3)  # a mask speaks of closed labels
    assert list(ix.evaluate(y_true, y_pred, hierarchy=ANIMALS, mask=columns).aggregate()) == [3, 1, 3, 11]
    for options in ({"missing": "abstain"}, {"abstain": "none"}):
        silent = [*y_pred[:2], None if "missing" in options else "none"]
        assert list(ix.evaluate(y_true, silent, hierarchy=ANIMALS, **options).aggregate()) == [2, 2, 6, 11]


def test_scores_of_all_nodes_are_decided_first():
    t = taxonomy({"a": None, "b": "a", "c": None})
    scores = np.array([[0.1, 0.2, 0.7], [0.6, 0.55, 0.0]])  # of a, c, b
    best = ix.evaluate(["b", "c"], scores, hierarchy=t, classes=t.classes, decide="argmax")
    assert best.tally == ix.evaluate(["b", "c"], ["b", "a"], hierarchy=t).tally
    several = ix.evaluate([{"b"}, {"c"}], scores, hierarchy=t, classes=t.classes, decide=0.5)
    assert several.tally == ix.evaluate([{"b"}, {"c"}], [{"a", "b"}, {"a", "c"}], hierarchy=t).tally


def test_missing_entries_hide_their_ancestors():
    t = taxonomy({"a": None, "b": "a", "c": "a"})
    y_true = np.array([[0, 1, np.nan], [0, 0, 1.0]])  # the first may be a c as well; whether it is an a is left out with it
    with pytest.raises(ValueError, match="Which nodes are the columns of y_true"):
        ix.evaluate(y_true, np.array([[0, 1, 0], [0, 1, 0]]), hierarchy=t, missing="mask")
    named = pd.DataFrame(y_true, columns=t.classes)
    counts = ix.evaluate(named, np.array([[0, 1, 0], [0, 1, 0]]), hierarchy=t, missing="mask").aggregate("class")
    assert (counts.n.tolist(), counts.tp.tolist(), counts.fn.tolist()) == ([1, 2, 1], [1, 1, 0], [0, 0, 1])


def test_an_evaluation_on_a_taxonomy_is_saved_with_its_depths(tmp_path):
    ev = ix.evaluate(["lynx", "tree"], ["cat", "dog"], hierarchy=ANIMALS)
    ev.save(tmp_path / "ev.json")
    back = ix.load(tmp_path / "ev.json")
    assert back.values("recall", per="depth").tolist() == ev.values("recall", per="depth").tolist() == [1 / 2, 1 / 2, 0]
    assert (back + ev).n == 4


def test_a_report_by_depth():
    ev = ix.evaluate(["lynx", "tree"], ["cat", "dog"], hierarchy=ANIMALS)
    lines = [line.split() for line in str(ev).splitlines()]
    at = next(i for i, line in enumerate(lines) if line[:3] == ["depth", "actual", "predicted"])
    assert [line[:5] for line in lines[at + 1 : at + 4]] == [
        ["1", "2", "2", "0.500", "0.500"],
        ["2", "2", "2", "0.500", "0.500"],
        ["3", "1", "0", "–", "0.000"],
    ]


def test_scores_of_some_nodes_are_closed_over_all():
    scores = np.array([[0.9, 0.1], [0.2, 0.8]])  # of the leaves alone
    t = taxonomy({"a": None, "b": "a", "c": "a"})
    ev = ix.evaluate(["b", "c"], scores, hierarchy=t, classes=["b", "c"], decide="argmax")
    assert ev.tally == ix.evaluate(["b", "c"], ["b", "c"], hierarchy=t).tally
    with pytest.raises(ValueError, match="'elk' is not a class of the taxonomy"):
        ix.evaluate(["b", "c"], ["b", "b"], hierarchy=t, classes=["b", "c", "elk"])


def test_other_links_do_not_add():
    one, other = (ix.evaluate(["a"], ["c"], hierarchy={"a": None, "b": None, "c": p}) for p in "ab")
    with pytest.raises(ValueError, match=r"were made differently, hierarchy .*taxonomy of 3 classes"):
        one + other


def test_labels_that_are_no_nodes():
    with pytest.raises(ValueError, match=r"y_pred\[1\]: 'wolf' is not a class of the taxonomy"):
        ix.evaluate(["cat", "dog"], ["cat", "wolf"], hierarchy=ANIMALS)
    with pytest.raises(ValueError, match=r"y_true\[0\]: 'wolf' is not a class of the taxonomy"):
        ix.evaluate([{"cat", "wolf"}], [{"cat"}], hierarchy=ANIMALS)


def test_the_root_is_no_label():
    """It is right for every example, so that it counts for none; predicting it is predicting nothing, as the message says."""
    t = taxonomy({"cat": "animal", "dog": "animal"}, root="animal")
    with pytest.raises(ValueError, match=r"'animal' is the root, which is not a class: .* abstain='animal'. .* with root=None"):
        ix.evaluate(["cat", "dog"], ["cat", "animal"], hierarchy=t)
    ev = ix.evaluate(["cat", "dog"], ["cat", "animal"], hierarchy=t, abstain="animal")
    assert list(ev.aggregate()) == [1, 0, 1, 2]


# Errors.


@for_each(
    ("links", "options", "message"),
    [
        ({}, {}, "The taxonomy has no node. Give a dict child -> parent"),
        ([], {}, "has no node"),
        ({"a": "b", "b": "c", "c": "a"}, {}, r"has a cycle: '.' -> '.' -> '.' -> '.' \(parent -> child\). Remove one"),
        ({"a": None, "b": ["a", "c"], "c": "b", "d": "c"}, {}, "has a cycle: 'b' -> 'c' -> 'b' "),
        ({k: (k + 1) % 20 for k in range(20)}, {}, r"-> … 14 more … ->"),
        ({"a": "a"}, {}, r"given\['a'\] makes 'a' its own parent. Write None"),
        ([("a", "b"), ("b", "b")], {}, r"given\[1\] makes 'b' its own parent"),
        (
            [("a", "b"), (None, "b")],
            {},
            r"'b' is given as top level \(parent None\) and with the parent 'a'. Give one of the two",
        ),
        ({"a": None, "b": [None, "a"]}, {}, "'b' is given as top level"),
        (
            {"b": "a", "c": "a"},
            {},
            r"Is 'a' a class\? .* the root, .*taxonomy\(given, root='a'\). If .* taxonomy\(given, root=None\)",
        ),
        ([("a", "b")], {}, "Is 'a' a class"),
        ({"b": "a", "c": "a"}, {"root": "x"}, r"root='x' is not a node; the nodes without a parent are 'a'"),
        ({"b": "a", "c": "a"}, {"root": ["a"]}, r"root=\['a'\] is not a node"),
        ({"b": "a", "c": "b"}, {"root": "b"}, "root='b' has the parent 'a'; nothing is above a root. Without a parent"),
        ({"b": "a", "c": "x"}, {"root": "a"}, "'x' has no parent and does not lie under root='a'. Give it a parent, 'a' or"),
        (
            {"animal": ["cat", "dog"]},
            {},
            r"from child to parent: 'animal' would have 2 parents, and no node would have two children. .* level, 'cat': None",
        ),
        ({"thing": ["animal", "plant"], "animal": ["cat", "dog"]}, {"root": "thing"}, "'thing' would have 2 parents"),
        ({"animal": {"cat", "dog"}, "cat": [], "dog": []}, {}, "'animal' would have 2 parents"),
        ({"a": None}, {"root": "a"}, "The root 'a' is the only node of the taxonomy, so there is no class"),
        ([("a", "b"), ("a", "b", "c")], {}, r"given\[1\] = \('a', 'b', 'c'\) is not a pair \(parent, child\)"),
        (["ab"], {}, r"given\[0\] = 'ab' is not a pair \(parent, child\)"),
        ([("a", None)], {}, r"given\[0\]: None cannot be a child. A node at the top level has the parent None"),
    ],
)
def test_what_is_no_taxonomy(links, options, message):
    with pytest.raises(ValueError, match=message):
        taxonomy(links, **options)


@pytest.mark.parametrize(
    ("links", "options", "message"),
    [
        (networkx.Graph([("a", "b")]), {}, "This graph has no directions. Give a networkx DiGraph"),
        ("ab", {}, "given is a str; give a dict child -> parent"),
        (7, {}, "given is an int"),
        ({"a": None, 1: None}, {}, "The nodes mix label types: 'a' is text, 1 is number. Use one type"),
        (
            {("a", 1): None, ("b", 2): ("a", 1)},
            {},
            r"mix label types: .* In a dict a tuple names several parents: give nodes that are tuples as \(parent, child\) pairs",
        ),
        ({"a": {"b": 1}}, {}, r"given\['a'\]: .* cannot be a node: a dict is not hashable"),
        (taxonomy({"a": None}), {"root": "a"}, "already exists, with root=None. Pass root= where it is made"),
    ],
)
def test_what_holds_no_taxonomy(links, options, message):
    with pytest.raises(TypeError, match=message):
        taxonomy(links, **options)


def test_what_a_dict_could_mean_is_said_by_pairs():
    """What the messages advise: parent -> children, one node with several parents, and nodes that are tuples."""
    given = {"thing": ["animal", "plant"], "animal": ["cat", "dog"]}
    t = taxonomy([(p, c) for p, children in given.items() for c in children], root="thing")
    assert (t.classes, t.depth) == (("animal", "plant", "cat", "dog"), (1, 1, 2, 2))
    both = (("cat", "dog", "animal"), (1, 1, 2))
    for links in (
        [("cat", "animal"), ("dog", "animal")],
        {"cat": None, "dog": None, "animal": ["cat", "dog"]},
    ):  # said: top level
        assert (taxonomy(links).classes, taxonomy(links).depth) == both
    assert taxonomy({"c": ["a", "b"], "d": "a"}).parents("c") == ("a", "b")  # a has two children
    assert taxonomy({"a": [], "b": ["a"], "c": ["a"]}).depth == (1, 2, 2)  # no parents: top level
    assert taxonomy([(None, ("a", 1)), (("a", 1), ("b", 2))]).classes == (("a", 1), ("b", 2))


def test_several_nodes_without_a_parent_are_classes():
    assert taxonomy({"b": "a", "d": "c"}).classes == ("a", "c", "b", "d")
    assert taxonomy({"b": "a", "c": None}, root="a").classes == ("b", "c")  # None was said, so c is next to b


def test_nodes_that_are_not_there():
    t = taxonomy({"a": "r", "b": "a"}, root="r")
    with pytest.raises(ValueError, match=r"'x' is not a class of the taxonomy; the classes are 'a', 'b'"):
        t.ancestors("x")
    with pytest.raises(ValueError, match="'r' is the root, which is not a class: it is right for every example"):
        t.distance(["a", "r"])
    with pytest.raises(ValueError, match="'x' is not a class of the taxonomy"):
        close(ix.one_hot(["x", "a"]), t)


def test_what_has_no_closure():
    t = taxonomy({"a": None, "b": "a"})
    with pytest.raises(ValueError, match="Memberships have no ancestor closure"):
        close(ix.soft([[0.5, 0.2]], t.classes), t)
    with pytest.raises(ValueError, match="These columns belong to targets"):
        close(ix.types.Indicator(np.eye(2, dtype=bool), t.classes, ("x", "y")), t)


def test_a_taxonomy_is_frozen():
    with pytest.raises(AttributeError):
        taxonomy({"a": None}).root = "a"
    assert isinstance(taxonomy({"a": None}), Taxonomy)


# HiClass: its micro is our micro, its "macro" is a mean over examples, our exemplar average.


def paths(links, nodes, levels):
    """Return the way from the top to each node of a tree, as HiClass wants it: filled up with empty text."""
    rows = []
    for node in nodes:
        way = []
        while node is not None:
            way.insert(0, node)
            node = links[node]
        rows.append([*way, *[""] * (levels - len(way))])
    return rows


@law
@given(st.data())
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")  # it warns where nothing was right: F is 0
def test_hiclass_agrees(data):
    from hiclass import metrics

    links = data.draw(trees(least=2))
    y_true, y_pred = data.draw(problems(links).filter(lambda p: p[0]))
    t = taxonomy(links)
    ev = evaluation(y_true, y_pred, t)
    theirs = [paths(links, side, max(t.depth)) for side in (y_true, y_pred)]
    for name, (average, ours) in product(("precision", "recall", "f1"), (("micro", "micro"), ("macro", "exemplar"))):
        assert getattr(metrics, name)(*theirs, average=average) == pytest.approx(ev.score(name, ours), rel=1e-13), (name, average)


@law
@given(st.data())
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_hiclass_agrees_on_several_labels(data):
    from hiclass import metrics

    links = data.draw(trees(least=2))
    node = st.sampled_from(sorted(links))
    n = data.draw(st.integers(1, 5))
    y_true, y_pred = (data.draw(st.lists(st.tuples(node, node), min_size=n, max_size=n)) for _ in range(2))
    t = taxonomy(links)
    ev = evaluation([set(y) for y in y_true], [set(y) for y in y_pred], t)
    theirs = [np.array([paths(links, row, max(t.depth)) for row in side]) for side in (y_true, y_pred)]
    for name in ("precision", "recall", "f1"):
        assert getattr(metrics, name)(*theirs) == pytest.approx(ev.score(name, "micro"), rel=1e-13)
        assert getattr(metrics, name)(*theirs, average="macro") == pytest.approx(ev.score(name, "exemplar"), rel=1e-13)


def test_an_indicator_by_depth_meets_labels_by_depth():
    t = taxonomy({"a": None, "b": "a"})
    closed = close(ix.one_hot(["b"], t.classes), t)
    for sides in ((closed, [{"a"}]), ([{"a"}], closed)):
        assert ix.evaluate(*sides).aggregate("depth").names == ((1, 2),)
