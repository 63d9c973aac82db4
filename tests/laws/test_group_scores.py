"""Scores of groups are the scores of their rows alone; the average over groups is their mean, under every convention."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import Problem, problems

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES, BINARY, averages_over
from indicatrix.algebra.score import combine

MEASURES = tuple({measure.name: measure for measure in ix.algebra.MEASURES.values()}.values())
CONVENTIONS = ("exclude", 0, 1, "nan", 0.25)


def same(x: object, y: object) -> bool:
    """Return whether values are equal up to the rounding of formulas, which see one unit or many."""
    return bool(np.allclose(x, y, rtol=1e-9, atol=1e-9, equal_nan=True))


def evaluation(problem: Problem, data: st.DataObject) -> ix.Evaluation:
    def ids(most: int) -> np.ndarray:
        return np.array(data.draw(st.lists(st.integers(0, most), min_size=problem.n, max_size=problem.n)), int)

    ev = replace(problem, per_row={**problem.per_row, "by": {"site": ids(2), "day": ids(1)}}).evaluate()
    if ev.kind == "multiclass" and ev.classes and data.draw(st.booleans()):
        return replace(ev, named_positive=data.draw(st.sampled_from(ev.classes)))
    return ev


def existing(ev: ix.Evaluation, measure: ix.Measure) -> list[str]:
    """Return the averages of the registry that exist for a measure of an evaluation."""
    names = [a for a in AVERAGES if not measure.averages or a in measure.averages]
    names += [BINARY] if ev.positive is not None and not measure.averages else []
    found = []
    for name in names:
        try:
            ev.score(measure, name)
        except ValueError:  # no such axis, or no such weights
            continue
        found.append(name)
    return found


@given(problems(), st.data())
def test_values_inside_groups_are_scores_of_the_groups(problem: Problem, data: st.DataObject) -> None:
    ev = evaluation(problem, data)
    parts = ev.split("site")
    for measure in data.draw(st.lists(st.sampled_from(MEASURES), min_size=3, max_size=6, unique=True)):
        for average in existing(ev, measure):
            values = ev.values(measure, per="site", average=average)
            assert values.names == tuple(parts)
            for x, part in zip(values.tolist(), parts.values(), strict=True):
                own = part.score(measure, average)
                assert same(x, float(own)) or (not math.isfinite(x) and math.isnan(own))  # 1/0 is shown, and is undefined


@given(problems(), st.data())
def test_the_average_over_groups_is_the_mean_of_their_scores(problem: Problem, data: st.DataObject) -> None:
    ev = evaluation(problem, data)
    parts = [part for part in ev.split("site").values() if part.aggregate().n != 0]
    measure = data.draw(st.sampled_from(MEASURES))
    for average in existing(ev, measure):
        for undefined in CONVENTIONS:
            score = ev.score(measure, ("site", average), undefined=undefined)
            own = [float(part.score(measure, average, undefined=undefined)) for part in parts]
            if len(parts) == len(score.counts.names[0]):  # of a group without observations nothing is known
                assert float(score) == pytest.approx(combine(np.array(own), None, undefined), nan_ok=True)
            assert score.average == ("site", average)
            assert same(score.sensitivity().values.get(undefined, float(score)), float(score))
            again = pickle.loads(pickle.dumps(score))
            assert (type(again), again.undefined_units, repr(again)) == (type(score), score.undefined_units, repr(score))


@given(problems(), st.data())
def test_an_unnamed_inside_is_the_positive_class_or_pooled(problem: Problem, data: st.DataObject) -> None:
    ev = evaluation(problem, data)
    inside = "micro" if ev.positive is None else BINARY
    for measure in data.draw(st.lists(st.sampled_from(MEASURES), min_size=2, max_size=4, unique=True)):
        if measure.averages or measure.whole:  # accuracy without an average is another measure
            continue
        plain, named = ev.score(measure, "site"), ev.score(measure, ("site", inside))
        assert same(float(plain), float(named))
        assert same(plain.values, named.values)
        assert same(ev.values(measure, per="site"), ev.values(measure, per="site", average=inside))
        assert ("pooled within each site" in repr(plain)) is (ev.positive is None)
        both, counts = ev.values(measure, per=("site", "day"), average=inside), ev.aggregate(("site", "day"))
        here = counts.n > 0  # a combination that does not occur has no value
        assert same(both[here], ev.values(measure, per=("site", "day"))[here])


def binary() -> ix.Evaluation:
    rng = np.random.default_rng(3)
    y, z, site, day = rng.integers(0, 2, (4, 200))
    return ix.evaluate(y, z, by={"site": site, "day": day})


def test_groups_of_a_binary_problem_read_the_positive_class() -> None:
    y, z, site = np.array([1, 1, 0, 0, 0, 1, 0, 0]), np.array([0, 0, 0, 0, 0, 1, 1, 1]), np.repeat(["a", "b"], [5, 3])
    ev = ix.evaluate(y, z, by={"site": site})
    assert dict(zip("ab", ev.values("recall", per="site").tolist(), strict=True)) == {"a": 0, "b": 1}
    alone = [ix.recall(y[site == s], z[site == s]) for s in "ab"]
    assert ev.score("recall", "site") == sum(alone) / 2 == ev.exact("recall", "site") == Fraction(1, 2)
    named = ix.evaluate(np.where(y, "ill", "well"), np.where(z, "ill", "well"), by={"site": site}, positive="ill")
    assert named.values("recall", per="site").tolist() == ev.values("recall", per="site").tolist()
    assert ix.recall(y, z, by={"site": site}, average="site") == ev.score("recall", "site")
    assert ix.cells(y, z, by={"site": site}, positive=1).positive == 1
    assert ix.recall(ix.cells(y, z, by={"site": site}, positive=1), average="site") == ev.score("recall", "site")


def test_groups_without_any_positive_are_true_negatives() -> None:
    ev = ix.evaluate([0, 0, 0], [0, 0, 0], by={"site": [1, 2, 2]}, sample_weight=[1, 2, 0.5])
    assert ev.values("specificity", per="site").tolist() == [1, 1]
    assert ev.binary(("site",)).tn.tolist() == [1, 2.5]


def test_inside_groups_exactly() -> None:
    ev = binary()
    for average in (*averages_over("class", "example"), "binary", "day"):
        for measure in ("recall", "f1", "mcc"):
            assert float(ev.exact(measure, ("site", average))) == pytest.approx(ev.score(measure, ("site", average)), rel=1e-12)
    parts = [part.exact("f1", ("day", "macro")) for part in ev.split("site").values()]
    assert ev.exact("f1", ("site", "day", "macro")) == sum(parts) / 2
    assert ev.score("f1", ("site", "day", "macro")) == pytest.approx(float(sum(parts) / 2))


def test_tables_show_scores_inside_groups() -> None:
    ev = binary()
    table = ev.table(["f1", "mcc"], ["site", ("site", "macro")])
    assert table["f1", ("site", "macro")] == ev.score("f1", ("site", "macro"))
    assert str(table).splitlines()[0].split() == ["site", "site", "macro"]


def test_exact_match_of_groups_is_that_of_their_rows() -> None:
    ev = ix.evaluate([0, 1, 0], [0, 0, 0], by={"site": [1, 2, 2]})
    assert ev.values("exact_match", per="site").tolist() == [1, 0.5]


def test_gap_along_groups_of_a_binary_problem() -> None:
    ev = binary()
    for measure in ("recall", "precision", "f1", "mcc"):
        gap = ev.gap(measure, per="site")
        assert gap.micro == pytest.approx(float(ev.score(measure)))
        assert gap.macro == pytest.approx(float(ev.score(measure, "site")))


def test_what_is_undefined_inside_groups() -> None:
    ev = ix.evaluate(list("aabc"), list("abbc"), by={"site": [1, 1, 2, 2]})
    score = ev.score("recall", ("site", "macro"))
    assert score.undefined_units == ((1, "b"), (1, "c"), (2, "a"))
    assert score.undefined_count == 3
    assert repr(score) == "0.75 (site macro recall; values inside 2 of 2 units of site undefined, excluded)"
    assert score.undefined_in_words() == "values inside site 1, 2"
    assert score.sensitivity().values[0] == pytest.approx((0.5 / 3 + 2 / 3) / 2)
    with pytest.raises(ix.types.UndefinedError, match="In site 1: macro recall: undefined for 'b', 'c'"):
        ev.score("recall", ("site", "macro"), undefined="raise")
    with pytest.raises(ix.types.UndefinedError, match="site micro precision: undefined for 2"):
        ix.evaluate([{1}, {1}], [{1}, set()], by={"site": [1, 2]}).score("precision", ("site", "micro"), undefined="raise")


def test_a_group_of_which_nothing_was_observed_counts_nowhere() -> None:
    ev = ix.evaluate(list("aabb"), list("abbb"), by={"site": [1, 1, 2, 2]}, mask=[True, True, False, False])
    assert ev.score("recall", ("site", "macro"), undefined=0) == ev.split("site")[1].score("recall", "macro", undefined=0)


def test_areas_inside_groups() -> None:
    rng = np.random.default_rng(0)
    y, scores, site = rng.integers(0, 3, 60), rng.random((60, 3)), np.arange(60) % 2
    for area in (ix.auc, ix.average_precision):
        own = [float(area(y[site == s], scores[site == s], average="macro")) for s in (0, 1)]
        assert float(area(y, scores, by={"site": site}, average=("site", "macro"))) == pytest.approx(np.mean(own))
        assert "pooled within each site" in repr(area(y, scores, by={"site": site}, average="site"))
        own = [float(area(y[site == s], scores[site == s], positive=1)) for s in (0, 1)]
        assert float(area(y, scores, by={"site": site}, average="site", positive=1)) == pytest.approx(np.mean(own))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda ev: ev.score("f1", ("class", "macro")), ValueError, "'class' is not a grouping that by= made.*'site', 'day'"),
        (lambda ev: ev.score("f1", ("macro",)), TypeError, r"must be a grouping and the average inside"),
        (lambda ev: ev.score("f1", ("site", 3)), TypeError, r"must be a grouping and the average inside"),
        (lambda ev: ev.score("f1", ("site", "marco")), ValueError, "Did you mean macro"),
        (lambda ev: ev.score("f1", ("site", "site")), ValueError, "average='site' is unknown here"),
        (lambda ev: ev.values("f1", average="macro"), ValueError, "'class' is not a grouping that by= made"),
        (
            lambda ev: ev.coinciding_scores(["f1"], [("site", "macro")]),
            TypeError,
            "has scores inside groups, which is not possible here",
        ),
        (lambda ev: ev.findings(["f1"], [("site", "macro")]), TypeError, "has scores inside groups, which is not possible here"),
        (lambda ev: ev.dominates(ev, averages=[("site", "macro")]), TypeError, "has scores inside groups"),
        (
            lambda ev: ix.f1(ix.cells([0, 1], [0, 1], by={"site": [1, 2]}), average=("site", "macro")),
            ValueError,
            "needs groups that can be split, which Cells cannot do. Use ix.evaluate",
        ),
    ],
)
def test_what_is_refused(call, error, words) -> None:
    with pytest.raises(error, match=words):
        call(binary())


def test_a_group_without_the_positive_class_observed_counts_nowhere() -> None:
    """Whatever was observed of other classes, at any depth, and in exact numbers."""
    hidden = np.array([[True, True, True], [True, True, True], [True, False, True]])
    by = {"site": ["x", "x", "y"], "fold": [1, 1, 1]}
    ev = ix.evaluate([1, 2, 3], [9, 9, 3], positive=2, mask=hidden, abstain=9, by=by)
    assert ev.split("site")["x"].score("balanced_accuracy", "binary") == 0.5
    for average in ("site", ("site", "binary"), ("site", "fold"), ("site", "fold", "binary"), ("fold", "site", "binary")):
        for undefined in ("exclude", 0, 1, "nan"):
            assert ev.score("balanced_accuracy", average, undefined=undefined) == 0.5
        assert ev.exact("balanced_accuracy", average) == 0.5
    nothing = ev.split("site")["y"]
    assert math.isnan(nothing.score("fp + fn", ("fold", "binary")))
    assert math.isnan(nothing.exact("fp + fn", ("fold", "binary")))
