"""Structured outputs: tags become the spans they mean, spans become counts, and seqeval agrees where it reads the same."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import seqeval.metrics as seqeval_metrics
import seqeval.scheme as seqeval_scheme
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix import spans
from indicatrix.tasks import entities, sequences
from indicatrix.tasks.spans.tags import SCHEMES

TYPES = ("LOC", "PER")
MODES = ("lenient", "strict")


# Encoding, the other way round: from spans that do not overlap to the tags that mean them.


def letters_of(scheme, size, glued_before, glued_after):
    """Return the letters of an entity; it is glued to a neighbor of its own type that it touches."""
    if scheme == "IOB1":
        return ["B" if glued_before else "I"] + ["I"] * (size - 1)
    if scheme == "IOB2":
        return ["B"] + ["I"] * (size - 1)
    if scheme == "IOE1":
        return ["I"] * (size - 1) + ["E" if glued_after else "I"]
    if scheme == "IOE2":
        return ["I"] * (size - 1) + ["E"]
    single, last = {"IOBES": "SE", "BILOU": "UL"}[scheme]
    return [single] if size == 1 else ["B"] + ["I"] * (size - 2) + [last]


def tags_of(found, length, scheme, write="{letter}-{kind}"):
    tags = ["O"] * length
    for start, end, kind in found:
        before = any(e == start and k == kind for _, e, k in found)
        after = any(s == end and k == kind for s, _, k in found)
        for i, letter in enumerate(letters_of(scheme, end - start, before, after)):
            tags[start + i] = write.format(letter=letter, kind=kind)
    return tags


@st.composite
def sentences(draw, types=TYPES):
    """Return disjoint spans of a sentence and its length."""
    found, at = set(), 0
    for _ in range(draw(st.integers(0, 5))):
        start = at + draw(st.integers(0, 2))
        at = start + draw(st.integers(1, 3))
        found.add((start, at, draw(st.sampled_from(types))))
    return found, at + draw(st.integers(0, 2))


@for_each("mode", MODES)
@for_each("scheme", SCHEMES)
@given(st.lists(sentences(), max_size=4))
def test_entities_undo_the_encoding(scheme, mode, texts):
    tags = [tags_of(found, length, scheme) for found, length in texts]
    assert entities(tags, scheme=scheme, mode=mode) == [found for found, _ in texts]


@pytest.mark.parametrize(
    ("layout", "write"),
    [("type-B", "{kind}-{letter}"), ("B_type", "{letter}_{kind}"), ("typeB", "{kind}{letter}"), ("type::B", "{kind}::{letter}")],
)
@given(sentences(types=("A-B", "per", "O")))
def test_any_layout_of_tags(layout, write, text):
    found, length = text
    assert entities([tags_of(found, length, "BILOU", write)], scheme="BILOU", layout=layout) == [found]


def test_bare_letters_are_one_unnamed_type():
    assert entities([["B", "I", "O", "B", "B"]]) == [{(0, 2, "_"), (3, 4, "_"), (4, 5, "_")}]


def test_a_type_may_hold_the_delimiter():
    assert entities([["B-GEO-CITY", "I-GEO-CITY"]]) == [{(0, 2, "GEO-CITY")}]


# Agreement with seqeval: any tags, sensible or not.


def tag_lists(scheme, types=TYPES):
    tags = ["O", *(f"{letter}-{kind}" for letter in SCHEMES[scheme].letters if letter != "O" for kind in types)]
    return st.lists(st.lists(st.sampled_from(tags), max_size=8), min_size=1, max_size=4)


@st.composite
def two_sides(draw, scheme, types=TYPES):
    """Return true and predicted tags of the same lengths."""
    true = draw(tag_lists(scheme, types))
    tags = sorted({"O", *(f"{letter}-{kind}" for letter in SCHEMES[scheme].letters if letter != "O" for kind in types)})
    return true, [[draw(st.sampled_from([tag, *tags])) for tag in row] for row in true]


def as_seqeval_knows(rows, scheme):
    """Return tags without an E after O or after another type: seqeval marks such starts in IOE1 as open."""
    out = [["O"] for _ in rows]
    for row, known in zip(rows, out, strict=True):
        for tag in row:
            alone = tag[0] == "E" and (known[-1] == "O" or (known[-1][0] == "I" and known[-1][2:] != tag[2:]))
            known.append("I" + tag[1:] if alone and scheme == "IOE1" else tag)
    return [row[1:] for row in out]


def theirs(tags, scheme):
    found = seqeval_scheme.Entities(tags, getattr(seqeval_scheme, scheme)).entities
    return [{(e.start, e.end, e.tag) for e in row} for row in found]


@pytest.mark.parametrize("scheme", SCHEMES)
@given(st.data())
def test_strict_entities_are_seqevals(scheme, data):
    tags = as_seqeval_knows(data.draw(tag_lists(scheme)), scheme)
    assert entities(tags, scheme=scheme, mode="strict") == theirs(tags, scheme)


def test_where_strict_ioe1_differs_from_seqeval():
    tags = [["O", "E-PER", "I-PER"]]  # two adjacent people of one token each, as IOE1 writes them
    assert entities(tags, scheme="IOE1", mode="strict") == [{(1, 2, "PER"), (2, 3, "PER")}]
    assert theirs(tags, "IOE1") == [{(2, 3, "PER")}]


def known_letters(tags, mode):
    """Return tags without the letters of BILOU: seqeval's default mode does not know them, which are E and S by other names."""
    return [[{"L": "E", "U": "S"}.get(tag[0], tag[0]) + tag[1:] for tag in row] for row in tags] if mode == "lenient" else tags


@pytest.mark.parametrize("scheme", SCHEMES)
@given(st.data())
def test_lenient_entities_are_seqevals(scheme, data):
    tags = data.draw(tag_lists(scheme))
    for row, found in zip(known_letters(tags, "lenient"), entities(tags, scheme=scheme), strict=True):
        assert {(start, end + 1, kind) for kind, start, end in seqeval_metrics.sequence_labeling.get_entities(row)} == found


def seqeval_options(scheme, mode):
    return {"zero_division": 0, **({"mode": "strict", "scheme": getattr(seqeval_scheme, scheme)} if mode == "strict" else {})}


def agrees(true, pred, scheme, mode):
    """Compare every row of seqeval's report with the library's entity evaluation under undefined=0."""
    ev = sequences(true, pred, scheme=scheme, mode=mode).entities
    rows = seqeval_metrics.classification_report(true, pred, output_dict=True, **seqeval_options(scheme, mode))
    assert set(ev.classes) == {name for name in rows if not name.endswith(" avg")}
    names = {"precision": "precision", "recall": "recall", "f1": "f1-score"}
    for measure, column in names.items():
        values = dict(zip(ev.classes, np.nan_to_num(ev.values(measure)).tolist(), strict=True))
        assert values == pytest.approx({name: float(rows[name][column]) for name in ev.classes}, abs=1e-12)
        for average in ("micro", "macro", "weighted"):
            assert ev.score(measure, average, undefined=0) == pytest.approx(float(rows[f"{average} avg"][column]), abs=1e-12)
    tpos = ev.aggregate("class").tpos
    assert tpos.tolist() == [rows[name]["support"] for name in ev.classes]


@pytest.mark.parametrize(("scheme", "mode"), [pair for pair in product(SCHEMES, MODES) if pair != ("BILOU", "lenient")])
@examples(15)
@given(st.data())
def test_scores_are_seqevals(scheme, mode, data):
    true, pred = (as_seqeval_knows(side, scheme) for side in data.draw(two_sides(scheme, ("A", "B", "C"))))
    assume(any(entities(true, scheme=scheme, mode=mode)))  # without true entities seqeval averages nothing
    agrees(true, pred, scheme, mode)


AVERAGES, MEASURES = ("micro", "macro", "weighted"), ("precision", "recall", "f1")


def difference(true, pred, scheme, mode, average):
    """Return the kind of thing for which a score may differ from seqeval's, None: there is none."""
    if scheme == "IOE1" and mode == "strict" and any(as_seqeval_knows(side, scheme) != side for side in (true, pred)):
        return "IOE1"  # an E after O or after another type is an entity here
    if average in ("macro", "weighted") and not any(any(entities(side, scheme=scheme, mode=mode)) for side in (true, pred)):
        return "no types"  # a mean of nothing is undefined: 0 here, with undefined=0; seqeval says nan or 0
    return None


@pytest.mark.one_fast_case
@for_each(("scheme", "mode"), list(product(SCHEMES, MODES)))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, about seqeval's mean of nothing
@examples(15)
@given(st.data())
def test_every_difference_from_seqeval_is_of_a_named_kind(scheme, mode, data):
    """Any two sides, those without entities included; where no kind is named the scores are equal."""
    true, pred = data.draw(two_sides(scheme, data.draw(st.sampled_from([("A",), ("A", "B", "C")]))))
    ev = sequences(true, pred, scheme=scheme, mode=mode).entities
    known = [known_letters(side, mode) for side in (true, pred)]
    for measure, average in product(MEASURES, AVERAGES):
        function = getattr(seqeval_metrics, f"{measure}_score")
        their = float(function(*known, average=average, **seqeval_options(scheme, mode)))
        ours, kind = float(ev.score(measure, average, undefined=0)), difference(true, pred, scheme, mode, average)
        if kind is None:
            assert ours == pytest.approx(their, abs=1e-12, nan_ok=True), (measure, average)
        elif kind == "no types":
            assert (ours, math.isnan(their)) == (0, average == "macro")


README_TRUE = [["O", "O", "O", "B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
README_PRED = [["O", "O", "B-MISC", "I-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]


@pytest.mark.parametrize("mode", MODES)
def test_published_example_of_seqeval(mode):
    agrees(README_TRUE, README_PRED, "IOB2", mode)
    found = sequences(README_TRUE, README_PRED, mode=mode)
    assert found.entities.values("f1").tolist() == [0, 1]
    assert [found.entities.score("f1", a) for a in ("micro", "macro", "weighted")] == [0.5, 0.5, 0.5]
    assert found.tokens.score("exact_match") == seqeval_metrics.accuracy_score(README_TRUE, README_PRED) == 0.8
    assert found.exact_match == 0.5


def test_published_example_of_the_two_modes():
    true, pred = [["B-NP", "I-NP", "O"]], [["I-NP", "I-NP", "O"]]
    for mode, value in (("lenient", 1), ("strict", 0)):
        agrees(true, pred, "IOB2", mode)
        assert sequences(true, pred, mode=mode).entities.score("f1", "micro", undefined=0) == value


@given(two_sides("IOB2"))
def test_counts_of_tokens_are_seqevals(sides):
    true, pred = sides
    assume(any(true))
    tokens = sequences(true, pred).tokens
    counts = seqeval_metrics.sequence_labeling.performance_measure(true, pred)
    table = dict(zip(((a, b) for a in tokens.classes for b in tokens.classes), tokens.confusion.ravel().tolist(), strict=True))
    assert counts == {
        "TP": sum(k for (a, b), k in table.items() if a == b != "O"),
        "FP": sum(k for (a, b), k in table.items() if a != b != "O"),
        "FN": sum(k for (a, b), k in table.items() if a != "O" == b),
        "TN": table.get(("O", "O"), 0),
    }
    assert tokens.score("exact_match") == pytest.approx(seqeval_metrics.accuracy_score(true, pred), abs=1e-15)


# Spans: counts are those of sets.

SPAN = st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from("abc")).map(lambda s: (s[0], s[0] + s[1], s[2]))
DOCUMENTS = st.lists(st.tuples(st.sets(SPAN, max_size=6), st.sets(SPAN, max_size=6)), max_size=5)


def counted(documents, weights=None):
    """Return tp, fp, fn per type, by comparing sets."""
    out = {}
    for (true, pred), weight in zip(documents, weights or [1] * len(documents), strict=True):
        for cell, found in enumerate((true & pred, pred - true, true - pred)):
            for *_, kind in found:
                out.setdefault(kind, [0, 0, 0])[cell] += weight
    return dict(sorted(out.items()))


@given(DOCUMENTS)
def test_counts_are_those_of_sets(documents):
    ev = spans(*map(list, zip(*documents, strict=True))) if documents else spans([], [])
    counts = ev.aggregate("class")
    assert list(map(list, zip(counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist(), strict=True))) == [
        *counted(documents).values()
    ]
    assert list(ev.classes) == [*counted(documents)]
    assert np.isnan(np.asarray(counts.tn, float)).all()
    assert ev.n == len({(i, s[:2]) for i, (true, pred) in enumerate(documents) for s in true | pred})


@given(DOCUMENTS, st.data())
def test_weights_and_masks_speak_of_documents(documents, data):
    n = len(documents)
    weights = data.draw(st.lists(st.integers(0, 40).map(lambda k: k / 8), min_size=n, max_size=n))
    mask = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    sides = [[d[side] for d in documents] for side in (0, 1)]
    ev = spans(*sides, classes=["a", "b", "c"], sample_weight=weights, mask=mask, several=True)
    literal = counted(documents, [Fraction(w) * seen for w, seen in zip(weights, mask, strict=True)])
    counts = ev.aggregate("class")
    for at, kind in enumerate("abc"):
        assert [counts.tp[at], counts.fp[at], counts.fn[at]] == literal.get(kind, [0, 0, 0])


@given(DOCUMENTS)
def test_documents_are_an_axis_even_without_spans(documents):
    sides = [[d[side] for d in documents] for side in (0, 1)]
    names = [f"d{i}" for i in range(len(documents))]
    ev = spans(*sides, by={"document": names})
    if not documents:
        return
    counts = ev.aggregate("document")
    assert list(counts.names[0]) == names
    for i, (true, pred) in enumerate(documents):
        assert (counts.tp[i], counts.fp[i], counts.fn[i]) == (len(true & pred), len(pred - true), len(true - pred))
    whole = [Fraction(2 * len(t & p), len(t) + len(p)) if t or p else Fraction(1) for t, p in documents]
    assert ev.score("f1", "document", undefined=1) == pytest.approx(float(sum(whole) / len(whole)))
    split = ev.split("document")
    assert {name: part.n for name, part in split.items()} == {
        name: len({s[:2] for s in t | p}) for name, (t, p) in zip(names, documents, strict=True)
    }


@given(DOCUMENTS, st.integers(0, 5))
def test_spans_add(documents, cut):
    def evaluate(some):
        return spans([d[0] for d in some], [d[1] for d in some], several=True, by={"document": [name for *_, name in some]})

    documents = [(*sides, f"d{i}") for i, sides in enumerate(documents)]
    first, second = documents[:cut], documents[cut:]
    if first and second:
        assert evaluate(first) + evaluate(second) == evaluate(documents)


@given(two_sides("IOB2"), st.integers(0, 4))
def test_sequences_add(sides, cut):
    def evaluate(rows):
        return sequences(sides[0][rows], sides[1][rows])

    whole, total = evaluate(slice(None)), evaluate(slice(cut)) + evaluate(slice(cut, None))
    assert (total.entities, total.tokens, total.exact_match) == (whole.entities, whole.tokens, whole.exact_match)
    summed = sum(evaluate(slice(i, i + 1)) for i in range(len(sides[0])))
    assert (summed.entities, summed.tokens, summed.exact_match) == (whole.entities, whole.tokens, whole.exact_match)
    with pytest.raises(TypeError):
        1 + whole
    pairs = list(zip(*sides, strict=True))
    assert whole.exact_match == float(Fraction(sum(a == b for a, b in pairs), len(pairs)))


@given(two_sides("IOBES"), st.data())
def test_options_of_sequences(sides, data):
    n = len(sides[0])
    weights = data.draw(st.lists(st.integers(0, 8).map(lambda k: k / 4), min_size=n, max_size=n))
    found = sequences(*sides, scheme="IOBES", sample_weight=weights, by={"sentence": range(n)}, classes=TYPES)
    exact = [Fraction(w) for w in weights]
    right = sum((w for a, b, w in zip(*sides, exact, strict=True) if a == b), Fraction(0))
    assert (found.right, found.total) == (right, sum(exact, Fraction(0)))
    for ev in (found.entities, found.tokens):
        assert ev.aggregate("sentence").names[0] == tuple(range(n))
    assert found.entities.classes == TYPES
    pooled = found.tokens.aggregate()
    assert pooled.tp == sum(w * sum(x == y for x, y in zip(a, b, strict=True)) for a, b, w in zip(*sides, exact, strict=True))


def test_masked_sequences_count_nowhere():
    found = sequences([["B-A"], ["B-A"], ["O"]], [["B-A"], ["O"], ["O"]], mask=[True, False, False])
    assert (found.right, found.total) == (1, 1)
    assert found.entities.score("recall", "micro") == found.tokens.score("recall", "micro") == 1

    halves = sequences([["B-A", "O"], ["O", "O", "O"]], [["B-A", "O"], ["B-A", "O", "O"]], mask=[1, 0])
    assert "Whole sequences right: 1 of 1 (1.000). Tags right: 1.000 of 2." in str(halves)
    nothing = sequences([["B-A", "O"]], [["B-A", "O"]], mask=[False])
    assert str(nothing).endswith("Whole sequences right: 0 of 0 (nan).")
    half = sequences([["B-A", "O"]] * 2, [["B-A", "O"], ["O", "O"]], sample_weight=[0.25, 1])
    assert str(half).endswith("Whole sequences right: 0.25 of 1.25 (0.200). Tags right: 0.600 of 2.5.")


def test_negative_weights_reach_entities_tokens_and_sequences():
    options = {"sample_weight": [-1, 3], "signed_weights": True}
    found = sequences([["B-A", "O"], ["B-A"]], [["B-A", "O"], ["O"]], **options)
    assert (found.right, found.total) == (-1, 2)
    assert (found.entities.aggregate().tp, found.entities.aggregate().fn) == (-1, 3)
    assert (found.tokens.aggregate().tp, found.tokens.aggregate().fn) == (-2, 3)
    with pytest.raises(ValueError, match=r"sample_weight\[0\] = -1.0: a weight is a finite number, not negative"):
        sequences([["O"]], [["O"]], sample_weight=[-1])


def test_types_confused_at_the_same_place():
    ev = spans([[(0, 1, "a"), (1, 2, "b")]], [[(0, 1, "b"), (1, 2, "b")]])
    assert ev.confusion.tolist() == [[0, 1], [0, 1]]
    with pytest.raises(ValueError, match="several labels"):
        _ = spans([[(0, 1, "a"), (0, 1, "b")]], [[]]).confusion


def test_more_cells_may_be_unobserved():
    """Where not all entities were annotated, a prediction that meets none may be right: precision is undefined, recall is not."""
    ev = spans([[(0, 1, "a")]], [[(0, 1, "a"), (2, 3, "a")]], unobserved="fp")
    assert ev.score("recall", "micro") == 1
    assert math.isnan(ev.score("precision", "micro"))
    assert math.isnan(ev.score("specificity", "micro"))


def test_spans_have_costs_per_type():
    """One type taken for another, one span missed, one made up: no matrix has an entry for the latter two."""
    sides = [[(0, 1, "a"), (1, 2, "b")]], [[(0, 1, "b"), (5, 6, "a")]]
    counts = spans(*sides, cost=ix.tasks.label_costs(fp={"a": 2, "b": 3}, fn={"a": 5, "b": 7})).aggregate("class")
    assert (counts.fp.tolist(), counts.fn.tolist()) == ([2, 3], [5, 7])
    for pair in (sides, ([[(0, 1, "a")]], [[(0, 1, "b")]])):  # refused alike, whether or not a span stands alone
        with pytest.raises(ValueError, match=r"Give costs per type: cost=ix.tasks.label_costs\(fp=…, fn=…\)"):
            spans(*pair, cost=[[0, 1], [1, 0]])


def test_types_may_be_nodes_of_a_hierarchy():
    ev = spans([[(0, 1, "city")]], [[(0, 1, "river")]], hierarchy={"city": "place", "river": "place", "Jo": "person"})
    assert ev.score("f1", "micro") == 0.5


def test_structured_output_prediction():
    """The row of tab:settings: components have counts, the whole sequence has not."""
    true = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC", "I-LOC"], ["O"]]
    pred = [["B-PER", "O", "O", "B-LOC"], ["O", "B-LOC", "I-LOC"], ["B-LOC"]]
    found = sequences(true, pred)
    counts = found.entities.aggregate("class")
    assert found.entities.classes == ("LOC", "PER")
    assert [x.tolist() for x in (counts.tp, counts.fp, counts.fn)] == [[2, 0], [1, 1], [0, 1]]
    f1 = [Fraction(2 * 2, 2 * 2 + 1), Fraction(0)]
    assert found.entities.score("f1", "macro") == float(sum(f1) / 2) == 0.4
    assert found.entities.score("f1", "micro") == float(Fraction(4, 4 + 2 + 1))
    assert math.isnan(found.entities.score("specificity", "micro"))
    assert found.tokens.score("exact_match") == float(Fraction(6, 8))
    assert found.exact_match == float(Fraction(1, 3))
    # No function of the entity counts: the same counts with another share of right sequences.
    moved = (
        sequences([["B-LOC"], ["B-LOC"]], [["B-PER"], ["B-PER"]]),
        sequences([["B-LOC", "B-LOC"], ["O"]], [["B-PER", "B-PER"], ["O"]]),
    )
    assert moved[0].entities == moved[1].entities
    assert [m.exact_match for m in moved] == [0, 0.5]


def test_nothing_and_almost_nothing():
    nothing = sequences([], [])
    assert (nothing.entities.n, nothing.tokens.n, nothing.entities.classes) == (0, 0, ())
    assert math.isnan(nothing.exact_match)
    assert entities([]) == []
    assert entities([[]]) == [set()]
    assert spans([[], []], [[], []]).n == 0
    silent = sequences([["O", "O"]], [["O", "O"]])
    assert (silent.exact_match, silent.entities.n) == (1, 0)
    assert "Whole sequences right: 1 of 1 (1.000). Tags right: 1.000 of 2." in str(silent)
    assert "(nan)" in str(nothing)
    assert spans([[(0, 1, 7)]], [[(0, 1, np.int64(7))]]).score("f1", "micro") == 1


def test_it_is_saved_and_loaded(tmp_path):
    for ev in (sequences(README_TRUE, README_PRED, by={"sentence": ["a", "b"]}).entities, spans([[]], [[]])):
        ev.save(tmp_path / "ev.json")
        assert ix.load(tmp_path / "ev.json") == ev


def test_the_report_shows_entities():
    text = str(sequences(README_TRUE, README_PRED))
    assert "MISC" in text
    assert "Whole sequences right: 1 of 2 (0.500). Tags right: 0.800 of 10." in text


def test_containers_of_tags():
    rows = [["B-PER", "O"], ["O"]]
    expected = entities(rows)
    for given_as in (tuple(map(tuple, rows)), [np.array(row) for row in rows], map(iter, rows), np.array([["B-PER", "O"]])):
        assert entities(given_as) == expected[: len(given_as)] if hasattr(given_as, "__len__") else expected
    for columns in (
        pa.array(rows),
        pa.chunked_array([rows]),
        list(pa.array(rows)),
        [pa.array(row) for row in rows],
        pl.Series(rows),
    ):
        assert entities(columns) == expected
        assert sequences(columns, rows).exact_match == 1
    with pytest.raises(TypeError, match=r"tags\[1\] is None; a sentence is a list of tags"):
        entities(pa.array([["O"], None]))
    with pytest.raises(TypeError, match=r"tags\[0\]\[1\] is None; a tag is text"):
        entities(pa.array([["O", None]]))


def test_many_tokens():
    rows = [["B-PER", "I-PER", "O", "B-LOC", "O"] * 200] * 100
    found = sequences(rows, rows)
    assert found.entities.n == 2 * 200 * 100
    assert Counter(kind for row in entities(rows[:1]) for *_, kind in row) == {"PER": 200, "LOC": 200}
    assert found.entities.score("f1", "micro") == found.exact_match == 1


@for_each(
    ("call", "message"),
    [
        (lambda: sequences([["O"]], [["O"], ["O"]]), "y_true has 1 sentences and y_pred 2"),
        (lambda: sequences([["O"], ["O", "O"]], [["O"], ["O"]]), r"Sentence 1 has 2 tags in y_true and 1 in y_pred: position 1"),
        (
            lambda: sequences([["O"]], [["E-PER"]]),
            r"y_pred\[0\]\[0\] is 'E-PER': the letters of IOB2 are I, O, B.*IOE1, IOE2, IOBES have it",
        ),
        (lambda: entities([["O"], ["O", "PER"]]), r"tags\[1\]\[1\] is 'PER': the layout of tags is 'B-type' here"),
        (lambda: entities([[], ["X-PER"]]), r"tags\[1\]\[0\] is 'X-PER': the letters of IOB2 are I, O, B, written 'B-type'\.$"),
        (lambda: entities([["O-PER"]]), "O is outside of entities and has no type"),
        (lambda: entities([["B-"]]), "the layout of tags is 'B-type' here"),
        (lambda: entities([[""]]), "the letters of IOB2"),
        (lambda: entities([["O"]], scheme="IOB"), "scheme='IOB' is unknown. Use one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: entities([["O"]], mode="loose"), "mode='loose' is unknown. Use 'lenient'.*'strict'"),
        (lambda: entities([["O"]], layout="X-type"), "layout='X-type' is unknown. Write it with B for the letter"),
        (
            lambda: sequences([["O"]], [["O"]], by={"site": [1, 2]}),
            r"by\['site'\] must have one entry for each of the 1 sequences",
        ),
        (lambda: spans([[]], [[], []]), "true_spans has 1 documents and pred_spans 2"),
        (lambda: spans([[(0, 1, "a"), (0, 1, "a")]], [[]]), r"true_spans\[0\]\[1\] = \(0, 1, 'a'\) is given twice"),
        (lambda: spans([[]], [[(3, 3, "a")]]), r"pred_spans\[0\]\[0\] = \(3, 3, 'a'\): start and end are whole numbers"),
        (lambda: spans([[]], [[(0.0, 3, "a")]]), "start and end are whole numbers"),
        (lambda: spans([[(-1, 3, "a")]], [[]]), "0 <= start < end"),
        (
            lambda: spans([[], [(0, 2, "b"), (0, 1, "a"), (0, 1, "b")]], [[], []], several=False),
            r"true_spans\[1\] has the span \(0, 1\) as 'a' and as 'b', and several=False asks for one type each",
        ),
        (lambda: spans([[]], [[(0, 1, "a"), (0, 1, "b")]], several=False), r"pred_spans\[0\] has the span \(0, 1\)"),
        (
            lambda: spans([[(0, 1, "a")]], [[(0, 1, "b")]], classes=["a"]),
            r"Type 'b' is not in classes=\('a'\); the predicted spans have it 1",
        ),
        (lambda: spans([[]], [[]], decide=0.5), "Structured output prediction and soft classifier outputs do not go together"),
        (lambda: spans([[]], [[]], sample_weight=[1, 2]), "sample_weight must have one entry for each of the 1 documents"),
        (lambda: spans([[]], [[]], mask=[[True, False], [True, True]]), "mask must have one entry for each of the 1 documents"),
    ],
)
def test_wrong_values(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@for_each(
    ("call", "message"),
    [
        (lambda: sequences(["B-PER", "O"], ["B-PER", "O"]), r"y_true\[0\] is 'B-PER'; a sentence is a list of tags"),
        (lambda: sequences("B-PER", "B-PER"), "y_true is a str; give one list of tags for every sentence"),
        (lambda: entities(3), "tags is an int; give one list of tags"),
        (lambda: entities([["O"], ["O", None]]), r"tags\[1\]\[1\] is None; a tag is text"),
        (lambda: entities([["O", ["O"]]]), r"tags\[0\]\[1\] is \['O'\]; a tag is text"),
        (lambda: spans([[(0, 1)]], [[]]), r"true_spans\[0\]\[0\] is \(0, 1\); a span is \(start, end, type\)"),
        (lambda: spans([["abc"]], [[]]), "a span is"),
        (lambda: spans([[(0, 1, None)]], [[]]), "has no usable type: it is missing"),
        (lambda: spans([[(0, 1, ["a"])]], [[]]), "has no usable type: a list is not hashable"),
        (lambda: spans([[(0, 1, "a")]], [[(0, 1, 1)]]), "types of spans are mixed"),
        (lambda: spans({0: []}, [[]]), "true_spans is a dict; give one list"),
        (lambda: spans([3], [[]]), r"true_spans\[0\] is 3; a document is a list"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises(TypeError, match=message):
        call()
