"""Relaxed matches of spans: the published table of SemEval-2013, the package nervaluate, and the best of all assignments."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix
from fuzz.spans import compare
from indicatrix.tasks.spans.span_pairs import MATCHES, OUTCOMES, pair_spans
from indicatrix.tasks.spans.tags import read_spans

# The example of SemEval-2013 task 9.1, one document for each row: missing, spurious, wrong boundary, wrong type, two right, and
# both wrong.
CASES = (
    [[(0, 1, "BRAND")], [], [(1, 2, "DRUG")], [(0, 1, "DRUG")], [(0, 1, "DRUG")], [(0, 1, "DRUG")], [(1, 2, "GROUP")]],
    [[], [(0, 1, "BRAND")], [(0, 2, "DRUG")], [(0, 1, "BRAND")], [(0, 1, "DRUG")], [(0, 1, "DRUG")], [(0, 2, "DRUG")]],
)
PUBLISHED = {  # COR, INC, PAR, MIS, SPU; precision = recall = F1
    "type": ((3, 2, 0, 1, 1), Fraction(1, 2)),
    "partial": ((3, 0, 2, 1, 1), Fraction(2, 3)),
    "exact": ((3, 2, 0, 1, 1), Fraction(1, 2)),
    "strict": ((2, 3, 0, 1, 1), Fraction(1, 3)),
}


@pytest.mark.parametrize("match", PUBLISHED)
def test_the_published_table(match):
    ev = ix.spans(*CASES, match=match, outcomes=True)
    counts, score = PUBLISHED[match]
    assert tuple(ix.tasks.span_outcomes(ev).values()) == counts
    assert all(ev.score(name, "micro") == pytest.approx(float(score)) for name in ("precision", "recall", "f1"))


def span_lists(types="AB"):
    one = st.tuples(st.integers(0, 6), st.integers(1, 4), st.sampled_from(types))
    return st.lists(st.lists(one.map(lambda x: (x[0], x[0] + x[1], x[2])), max_size=5, unique=True), min_size=2, max_size=2)


def share_of(a, b):
    return Fraction(min(a[1], b[1]) - max(a[0], b[0]), max(a[1], b[1]) - min(a[0], b[0]))


def best_sums(true, pred, match, least):
    """Return credit, pairs with the same boundaries, pairs and overlap of the best assignment, from all that are possible."""

    @cache
    def best(i, free):
        if i == len(true):
            return (Fraction(0),) * 4
        found = [best(i + 1, free)]
        for k in free:
            share = share_of(true[i], pred[k])
            if share > 0 and share >= least:
                more = CREDIT[match](true[i], pred[k], share), true[i][:2] == pred[k][:2], 1, share
                found.append(tuple(map(sum, zip(best(i + 1, free - {k}), more, strict=True))))
        return max(found)

    return best(0, frozenset(range(len(pred))))


def pairs_found(true, pred, match, least):
    """Return the pairs of a document, checked: they overlap, no span is in two of them, and no assignment is better."""
    found = pair_spans(read_spans([true], "true"), read_spans([pred], "pred"), MATCHES[match], float(least))
    at = [*zip(found.true.tolist(), found.pred.tolist(), strict=True)]
    assert all(len({*side}) == len(at) for side in (found.true.tolist(), found.pred.tolist()))
    pairs = [(true[i], pred[k], share_of(true[i], pred[k])) for i, k in at]
    assert all(share > 0 and share >= least for *_, share in pairs)
    sums = [(CREDIT[match](a, b, share), a[:2] == b[:2], 1, share) for a, b, share in pairs]
    assert tuple(sum(x, Fraction(0)) for x in zip(*sums, strict=True)) == best_sums(true, pred, match, least)[: 4 * bool(sums)]
    left = ([x for i, x in enumerate(side) if i not in used] for side, used in ((true, {*found.true}), (pred, {*found.pred})))
    return pairs, *left


CREDIT = {
    "strict": lambda a, b, share: a == b,
    "exact": lambda a, b, share: a[:2] == b[:2],
    "partial": lambda a, b, share: 1 if a[:2] == b[:2] else Fraction(1, 2),
    "type": lambda a, b, share: a[2] == b[2],
    "overlap": lambda a, b, share: share * (a[2] == b[2]),
}


def expected(true, pred, match, least):
    """Return the outcomes, and tp, fp, fn of each type, span by span."""
    cells, found = {t: [Fraction(0)] * 3 for t in "AB"}, dict.fromkeys(OUTCOMES, 0)
    for one, other in zip(true, pred, strict=True):
        pairs, missing, spurious = pairs_found(one, other, match, least)
        for a, b, share in pairs:
            credit = Fraction(CREDIT[match](a, b, share))
            found["COR" if credit == 1 else "PAR" if credit else "INC"] += 1
            guess = a[2] if MATCHES[match].confuses is None else b[2]
            cells[a[2]][0] += credit
            cells[guess][1] += 1 - credit
            cells[a[2]][2] += 1 - credit
        for a in missing:
            cells[a[2]][2] += 1
        for b in spurious:
            cells[b[2]][1] += 1
        found["MIS"] += len(missing)
        found["SPU"] += len(spurious)
    return found, cells


@pytest.mark.parametrize("match", MATCHES)
@given(span_lists(), span_lists(), st.sampled_from([0, 0.5]))
def test_pairs_outcomes_and_cells_against_the_definition(match, true, pred, least):
    kept = {"outcomes": True, "classes": ["A", "B"]}
    ev = ix.spans(true, pred, match=match, min_overlap=least, **kept)
    found, cells = expected(true, pred, match, Fraction(least))
    assert ix.tasks.span_outcomes(ev) == found
    assert ev == ix.spans(*([row[::-1] for row in s] for s in (true, pred)), match=match, min_overlap=least, **kept)
    counts = ev.aggregate("class")
    for k, (tp, fp, fn) in enumerate(cells.values()):
        np.testing.assert_allclose([counts.tp[k], counts.fp[k], counts.fn[k]], [float(tp), float(fp), float(fn)], atol=1e-12)
    assert counts.tpos.sum() == pytest.approx(sum(map(len, true)))  # every true span counts once, and every predicted one
    assert counts.ppos.sum() == pytest.approx(sum(map(len, pred)))
    plain = ix.spans(true, pred, match=match, min_overlap=least, classes=["A", "B"])
    several = any(len({x[:2] for x in row}) < len(row) for side in (true, pred) for row in side)
    averages = ("micro", "macro") if several else ("micro", "macro", "exemplar")
    for average in averages:
        np.testing.assert_array_equal(plain.score("jaccard", average), ev.score("jaccard", average))


@examples(15)
@given(span_lists(), span_lists())
def test_readings_are_ordered_and_batches_add(true, pred):
    right = {match: float(ix.spans(true, pred, match=match).aggregate().tp) for match in MATCHES}
    blind = [[[(*x[:2], f"{i}{x[2]}") for x in row] for row in side] for i, side in enumerate((true, pred))]
    for match in ("exact", "partial"):  # they do not read types
        found = (ix.tasks.span_outcomes(ix.spans(*sides, match=match, outcomes=True)) for sides in ((true, pred), blind))
        assert next(found) == next(found)
    assert right["strict"] <= right["exact"] <= right["partial"]
    assert right["strict"] <= right["overlap"] + 1e-12 <= right["type"] + 1e-9
    options = {"match": "partial", "outcomes": True, "by": {"document": ["a", "b"]}}
    whole = ix.spans(true, pred, **options)
    parts = [ix.spans([t], [p], **options | {"by": {"document": [d]}}) for t, p, d in zip(true, pred, "ab", strict=True)]
    assert parts[0] + parts[1] == whole == parts[1] + parts[0]
    for k, part in enumerate(parts):
        one = ix.tasks.span_outcomes(part)
        assert {name: value[k] for name, value in ix.tasks.span_outcomes(whole, "document").items()} == one


def test_no_pair_is_lost_to_one_that_overlaps_more():
    true, pred = [[(8, 11, "A"), (11, 14, "A")]], [[(7, 9, "A"), (9, 12, "A")]]
    for match, score in (("type", 1), ("partial", 0.5), ("strict", 0), ("exact", 0), ("overlap", 0.25)):
        assert ix.spans(true, pred, match=match).score("f1", "micro") == score
    chain = [[(4 * i, 4 * i + 4, "A") for i in range(3000)]], [[(4 * i + 1, 4 * i + 5, "A") for i in range(3000)]]
    assert ix.spans(*chain, match="type").score("f1", "micro") == 1
    around = [*chain[0][0], (0, 12000, "A")]  # one span over all others is left alone, as no other can be
    assert ix.tasks.span_outcomes(ix.spans([around], chain[0], match="type", outcomes=True)) == dict.fromkeys(OUTCOMES, 0) | {
        "COR": 3000,
        "MIS": 1,
    }


@pytest.mark.slow
def test_counts_of_nervaluate():
    for seed in range(24):  # python -m fuzz.spans compares 500
        assert all(same for match, same in compare(seed).items() if match != "type")


def test_tags_weights_masks_and_saved_evaluations(tmp_path):
    tags = [["B-A", "I-A", "O", "B-B"], ["B-A", "O", "O", "O"]], [["B-A", "O", "O", "B-A"], ["O", "B-B", "I-B", "O"]]
    by_tags = ix.tasks.sequences(*tags, match="partial", outcomes=True, sample_weight=[2, 3]).entities
    by_spans = ix.spans(*map(ix.tasks.entities, tags), match="partial", outcomes=True, sample_weight=[2, 3])
    assert ix.tasks.span_outcomes(by_tags) == ix.tasks.span_outcomes(by_spans)
    assert ix.tasks.span_outcomes(by_tags) == {"COR": 2, "INC": 0, "PAR": 2, "MIS": 3, "SPU": 3}
    assert by_spans.aggregate().tp == 3
    masked = ix.spans(*map(ix.tasks.entities, tags), match="partial", mask=[True, False])
    assert masked.aggregate().tp == 1.5
    by_tags.save(tmp_path / "spans.json")
    loaded = ix.load(tmp_path / "spans.json")
    assert loaded == by_tags
    assert ix.tasks.span_outcomes(loaded, "class")["PAR"].tolist() == [2, 0]
    assert "half for a part, any type" in str(by_tags.recipe)
    with pytest.raises(ValueError, match="made differently"):
        by_tags + ix.tasks.sequences(*tags, match="exact", outcomes=True, sample_weight=[2, 3]).entities


def test_documents_as_what_was_sampled():
    true, pred = ([row * 1 for row in side] * 8 for side in CASES)
    ev = ix.spans(true, pred, match="partial", by={"document": range(len(true))})
    found = ev.interval("f1", "micro", clusters="document")
    assert found.low < 2 / 3 < found.high
    assert found.high - found.low < 0.4


def test_empty_sides_huge_offsets_and_types_that_are_numbers():
    for match in MATCHES:
        nothing = ix.spans([[], []], [[], []], match=match, outcomes=True)
        assert ix.tasks.span_outcomes(nothing) == dict.fromkeys(OUTCOMES, 0)
        huge = 2**62
        ev = ix.spans([[(huge, huge + 4, 1)], [(0, 1, 2)]], [[(huge, huge + 4, 1)], []], match=match, outcomes=True)
        assert ix.tasks.span_outcomes(ev) == {"COR": 1, "INC": 0, "PAR": 0, "MIS": 1, "SPU": 0}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.spans([[]], [[]], match="muc"), r"match='muc' is unknown. Use 'strict' \(exact boundaries and type\)"),
        (lambda: ix.spans([[]], [[]], match="type", min_overlap=2), r"min_overlap=2 must be a share from 0 to 1"),
        (lambda: ix.spans([[]], [[]], match="type", several=True), r"a span with two types is two spans"),
        (lambda: ix.spans([[]], [[]], outcomes=True, by={"outcome": [1]}), r"by= has an axis 'outcome'"),
        (lambda: ix.tasks.span_outcomes(ix.spans([[]], [[]])), r"no outcomes of spans. Make it with"),
        (
            lambda: ix.tasks.span_outcomes(ix.spans([[(0, 1, "A")]], [[]], outcomes=True, cost=ix.tasks.label_costs(fp=2, fn=1))),
            r"a cell is no longer one span",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_other_readings_are_compared_with_a_doubt():
    true, pred = [[(0, 2, "A"), (4, 6, "B")]], [[(0, 2, "B"), (4, 5, "B")]]
    one, other = (ix.spans(true, pred, match=match) for match in ("type", "exact"))
    assert "count different things" in str(ix.compare({"type": one, "exact": other}, "f1", "micro"))
    assert "count different things" not in str(ix.compare({"a": one, "b": one}, "f1", "micro"))


def test_groups_of_documents_are_a_column_in_any_order() -> None:
    ids = pd.Series(["b", "a", "b"], index=[7, 0, 3])
    true, pred = [[(0, 1, "A")], [], [(0, 2, "A")]], [[(0, 1, "A")], [(0, 1, "A")], [(1, 2, "A")]]
    counts = ix.spans(true, pred, by={"site": ids}).aggregate("site")
    assert counts.names == (("a", "b"),)
    assert (counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist()) == ([0, 1], [1, 1], [0, 1])
