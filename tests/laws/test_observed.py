"""Not observed is not undefined: a masked problem has the scores of its observed rows alone, under every convention."""

from __future__ import annotations

import csv
import io
import json
import math
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import for_each
from problems import Problem, matrices, problems

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.tasks.folds import folds

CONVENTIONS = ("exclude", 0, 1, -0.5, "nan", "raise")
MEASURES = tuple(dict.fromkeys(ix.algebra.MEASURES.values()))
# Of measures with poles and with values without entries, where a missing unit would show.
MORE = tuple(map(ix.measure, ("tp - fp + 1", "tp / fp", "2")))


def outcome(call: Any) -> Any:
    """Return what a score says: its value, what was lost, and its note; or the error of undefined='raise'."""
    try:
        score = call()
    except ix.types.UndefinedError as error:
        return str(error).replace(".0", "")
    spread = [*map(repr, score.sensitivity().values.values())] if score.undefined == "exclude" else []
    lost = sorted(
        repr(unit).replace(".0", "") for unit in score.undefined_units
    )  # memberships of which all are 0 or 1 are counts of floats
    return repr(score), score.note, lost, score.undefined_count, score.has_undefined(), spread


def averages_of(ev: ix.Evaluation, measure: Any) -> list[str | None]:
    if measure.averages:
        return list(measure.averages)
    rows = [
        a for a, rule in ix.algebra.AVERAGES.items() if set(rule.per) <= set(ev.axes) and (rule.general or measure.decomposition)
    ]
    return [*rows, *ev.tally.by, *(("binary",) if ev.positive is not None else ())]


def check_same(
    masked: ix.Evaluation,
    alone: ix.Evaluation,
    measures: Any = (*MEASURES, *MORE),
    conventions: Any = CONVENTIONS,
    known: dict[Any, Any] | None = None,  # outcomes of the rows alone, which several calls may share
) -> None:
    known = {} if known is None else known
    for measure in measures:
        for average in averages_of(alone, measure):
            # an empty list of sets is read as labels, which have no positive class to score, alone or within groups
            if masked.positive != alone.positive and (average == "binary" or average in masked.tally.by):
                continue
            for undefined in conventions:
                ours = outcome(partial(masked.score, measure, average, undefined=undefined))
                asked = measure, average, undefined
                if asked not in known:
                    known[asked] = outcome(partial(alone.score, measure, average, undefined=undefined))
                assert ours == known[asked], asked


def with_masked_rows(problem: Problem, rows: list[int]) -> tuple[ix.Evaluation, ix.Evaluation]:
    """Return the evaluation of all rows with all but these masked, and that of these rows alone."""
    seen = np.isin(np.arange(problem.n), rows)
    given = problem.per_row.get("mask")
    mask = seen[:, None] if given is None else given & seen[:, None]
    masked = Problem.evaluate(type(problem)(**{**vars(problem), "per_row": {**problem.per_row, "mask": mask}}))
    return masked, problem.evaluate(rows)


@given(problems(), st.data())
def test_masked_rows_count_nowhere(problem: Problem, data: st.DataObject) -> None:
    if isinstance(problem.y_true, list) and "classes" not in problem.whole:  # classes are found in all rows, also in masked ones
        problem = type(problem)(
            problem.y_true, problem.y_pred, {"classes": sorted({*problem.y_true, *problem.y_pred})}, problem.per_row
        )
        if not problem.whole["classes"]:
            return
    rows = data.draw(st.lists(st.integers(0, problem.n - 1), unique=True).map(sorted)) if problem.n else []
    masked, alone = with_masked_rows(problem, rows)
    some = data.draw(st.lists(st.sampled_from((*MEASURES, *MORE)), min_size=4, max_size=4, unique=True))
    check_same(masked, alone, some)
    if not masked.unobserved:
        for measure in some[:2]:
            for average in set(averages_of(alone, measure)) & set(averages_of(masked, measure)):
                assert repr(masked.exact(measure, average)) == repr(alone.exact(measure, average)), (measure, average)


FORMS = {
    "missing": lambda y, z, seen, **o: ix.evaluate(
        [c if s else None for c, s in zip(y, seen, strict=True)], z, missing="mask", **o
    ),
    "mask": lambda y, z, seen, **o: ix.evaluate(y, z, mask=seen, **o),
    "entries": lambda y, z, seen, **o: ix.evaluate(y, z, mask=np.repeat([[s] for s in seen], 3, axis=1), **o),
    "answered": lambda y, z, seen, **o: ix.evaluate(
        y, [c if s else None for c, s in zip(z, seen, strict=True)], missing="abstain", **o
    ).answered(),
    "merged": lambda y, z, seen, **o: sum(
        ix.evaluate([c], [d], mask=[s], **o | ({"by": {a: [x[i]] for a, x in o["by"].items()}} if "by" in o else {}))
        for i, (c, d, s) in enumerate(zip(y, z, seen, strict=True))
    ),
}
Y, Z = list("abacbaca"), list("abcabaac")
SEEN = [True, True, False, True, False, True, False, False]
SITE = list("xxyxyxyz")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seen", [SEEN, pytest.param([False] * 8, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_every_form_of_a_mask_leaves_the_scores_of_the_observed_rows(form: str, seen: list[bool]) -> None:
    """All measures, averages and conventions; the site z, or all sites, are wholly masked."""
    alone, known = observed_rows(tuple(seen))
    masked = FORMS[form](Y, Z, seen, classes=list("abc"), by={"site": SITE})
    check_same(masked, alone, conventions=("exclude", 0, "raise"), known=known)


@cache
def observed_rows(seen: tuple[bool, ...]) -> tuple[ix.Evaluation, dict[Any, Any]]:
    """Return the evaluation of the observed rows alone, and a place for its outcomes, which all forms of a mask share."""
    rows = [i for i, s in enumerate(seen) if s]
    y, z, site = ([x[i] for i in rows] for x in (Y, Z, SITE))
    return ix.evaluate(y, z, classes=list("abc"), by={"site": site}), {}


@pytest.mark.slow
def test_a_wholly_masked_class_counts_nowhere() -> None:
    rng = np.random.default_rng(5)
    y, z = rng.integers(0, 2, (2, 9, 4))
    seen = np.ones((9, 4), bool)
    seen[:, 2] = False
    kept = [0, 1, 3]
    check_same(ix.evaluate(y, z, mask=seen, classes=list("abcd")), ix.evaluate(y[:, kept], z[:, kept], classes=list("abd")))


@pytest.mark.slow
def test_segments_to_ignore_count_nowhere() -> None:
    truth, pred = np.array([[0, 1, 255], [1, 255, 2]]), np.array([[0, 2, 1], [1, 0, 2]])
    seen = truth != 255
    masked = ix.segmentation([truth], [pred], classes=[0, 1, 2], ignore=255)
    check_same(masked, ix.evaluate(truth[seen], pred[seen], classes=[0, 1, 2]), conventions=("exclude", 0, "nan"))


@pytest.mark.parametrize("undefined", CONVENTIONS)
def test_gaps_and_folds_of_masked_groups(undefined: Any) -> None:
    rows = [i for i, s in enumerate(SEEN) if s]
    y, z, site = ([x[i] for i in rows] for x in (Y, Z, SITE))
    masked = ix.evaluate(Y, Z, classes=list("abc"), mask=SEEN, by={"site": SITE})
    alone = ix.evaluate(y, z, classes=list("abc"), by={"site": site})
    for measure in ("precision", "accuracy", "mcc"):
        for per in ("class", "example", "site"):
            a, b = masked.gap(measure, per), alone.gap(measure, per)
            assert (a.macro, a.skew) == pytest.approx((b.macro, b.skew), nan_ok=True)
            assert a.undefined_units == b.undefined_units
        try:
            b = folds(alone, measure, "micro", axis="site", undefined=undefined)
        except ix.types.UndefinedError:
            with pytest.raises(ix.types.UndefinedError):
                folds(masked, measure, "micro", axis="site", undefined=undefined)
            continue
        a = folds(masked, measure, "micro", axis="site", undefined=undefined)
        assert (a.averaged, a.std) == pytest.approx((b.averaged, b.std), nan_ok=True)
        assert a.undefined_units == b.undefined_units
        assert a.averaged == pytest.approx(masked.score(measure, ("site", "micro"), undefined=undefined), nan_ok=True)


TRUTH = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 1, 1]])
SCORES = np.array([[0.9, 0.2, 0.3], [0.1, 0.6, 0.3], [0.5, 0.4, 0.2], [0.2, 0.2, 0.9], [0.1, 0.7, 0.2], [0.3, 0.9, 0.1]])
ROWS = [0, 1, 2, 4]
GROUP = list("xxyzxz")
BY_LABEL = {
    "label_ranking_ap": ix.measures.label_ranking_ap,
    "ranking_loss": ix.measures.ranking_loss,
    "coverage_error": ix.measures.coverage_error,
    "mrr": ix.mrr,
    "dcg": ix.measures.dcg,
    "ndcg": ix.ndcg,
    "kendall": ix.scores.kendall,
    "brier": ix.brier,
    "log_loss": ix.log_loss,
    "spherical_score": ix.measures.spherical_score,
    "ece": ix.ece,
    "smooth_ece": ix.measures.smooth_ece,
    **ix.scores.AREAS,
    "partial_auc": ix.measures.partial_auc.at(max_fpr=0.5),
    "threshold_average": ix.measures.threshold_average.at(measure="f1", between=(0, 1)),
}


@pytest.mark.one_fast_case
@for_each("name", BY_LABEL)
@for_each(("rows", "weighted"), [(ROWS, True), ([2], False)])
def test_scores_of_rankings_and_probabilities_leave_out_masked_rows(name: str, rows: list[int], weighted: bool) -> None:
    """Also example 2, which has no relevant label and is undefined, and groups z or all, which are masked."""
    function, seen = BY_LABEL[name], np.isin(np.arange(6), rows)
    weights = {"sample_weight": np.array([0.5, 2, 1, 3, 1, 0.25])} if weighted else {}
    some = {k: v[rows] for k, v in weights.items()}
    tried = 0
    for average in (*ix.algebra.AVERAGES, "group"):
        try:
            function(TRUTH, SCORES, mask=seen, by={"group": GROUP}, average=average, **weights)
        except ValueError:  # there is no such average
            continue
        for undefined in CONVENTIONS:

            def masked(average: str = average, undefined: Any = undefined) -> Any:
                return function(TRUTH, SCORES, mask=seen, by={"group": GROUP}, average=average, undefined=undefined, **weights)

            def alone(average: str = average, undefined: Any = undefined) -> Any:
                by = {"group": [GROUP[i] for i in rows]}
                return function(TRUTH[rows], SCORES[rows], by=by, average=average, undefined=undefined, **some)

            tried += 1
            a, b = outcome(masked), outcome(alone)
            if isinstance(a, tuple) and average == "exemplar":  # examples are numbered in all rows, and in the observed ones
                a, b = a[:2] + a[3:], b[:2] + b[3:]
            elif isinstance(a, str) and average == "exemplar":
                continue
            assert a == b, (average, undefined)
    assert tried > len(CONVENTIONS)


def test_costs_of_masked_groups_count_nowhere() -> None:
    seen = [True, True, False, False]
    masked = ix.cost([0, 1, 1, 0], [1, 1, 0, 0], "zero_one", mask=seen, by={"g": list("xyzz")}, average="g", undefined=0)
    assert (masked, masked.undefined_units) == (0.5, ())


def test_cells_that_the_data_do_not_show_and_masks() -> None:
    """A masked class is not observed, although its true negatives are not known either."""
    seen = np.array([[1, 1, 0]] * 3, bool)
    y, z = np.eye(3, dtype=int), np.ones((3, 3), int)
    score = ix.recall(y, z, mask=seen, unobserved=("fp", "tn"), average="macro", undefined=0)
    assert (score, score.undefined_units) == (1, ())


def test_the_examples_of_the_report() -> None:
    assert ix.measures.exact_match([0, 1, None, None], [0, 1, 1, 1], missing="mask", undefined=0) == 1
    text = ix.evaluate(["a", "b", None], ["a", "b", "a"], missing="mask", by={"g": [1, 1, 2]}).report(undefined=0)
    assert "Every value is defined" in text
    assert "0.500" not in text


# Weights that add up to zero.


@for_each("measure", [m for m in MEASURES if not m.averages])
def test_a_mean_without_weights_is_undefined(measure: Any) -> None:
    """No actual positives: the weighted average is undefined as a whole, and every convention treats it so."""
    y, z = [[0, 0], [0, 0]], [[1, 0], [0, 0]]
    for undefined in ("exclude", "nan", 0, 1, -0.5):
        score = ix.evaluate(y, z).score(measure, "weighted", undefined=undefined)
        assert float(score) == undefined or (isinstance(undefined, str) and math.isnan(score))
        assert score.undefined_units == ("weighted",)
        assert "no class carries weight" in score.note
        assert repr(score) == f"{score} ({score.note})"
    with pytest.raises(ix.types.UndefinedError, match="undefined, because no class carries weight"):
        ix.evaluate(y, z).score(measure, "weighted", undefined="raise")


@pytest.mark.parametrize("average", averages_over("class", "example"))
@pytest.mark.parametrize("options", [{"y": [], "z": []}, {"y": ["a", "b"], "z": ["b", "b"], "mask": [False, False]}])
def test_an_evaluation_of_nothing_follows_the_convention(average: str, options: Any) -> None:
    ev = ix.evaluate(options["y"], options["z"], classes=["a", "b"], mask=options.get("mask"))
    for undefined in (0, 1, 0.25):
        score = ev.score("f1", average, undefined=undefined)
        assert (score, score.undefined_units) == (undefined, (average,))
    assert math.isnan(ev.score("f1", average))
    with pytest.raises(ix.types.UndefinedError):
        ev.score("f1", average, undefined="raise")


# One value for each example, in the order of the data.


@given(problems(), st.sampled_from((*MEASURES, *MORE)))
def test_values_per_example_are_those_of_the_literal_cells(problem: Problem, measure: Any) -> None:
    assume(not measure.whole)  # accuracy of an example is whether it is right
    options = {k: v for k, v in problem.per_row.items() if k == "mask"}
    found = ix.tasks.per_example(measure, *problem.labels(np.arange(problem.n)), **problem.whole, **options)
    plain = type(problem)(**{**vars(problem), "per_row": options})
    counts = plain.cells().aggregate("example")
    expected = np.where(counts.observed, measure.values(counts), np.nan)
    assert found.names == tuple(range(problem.n))
    assert np.array_equal(found, expected, equal_nan=True)
    exemplar = plain.evaluate().score(measure, "exemplar")
    kept = found[np.isfinite(found)]
    assert exemplar == pytest.approx(kept.mean() if kept.size else math.nan, nan_ok=True)


def test_values_per_example_keep_the_order() -> None:
    y, z = [{"a", "b"}, {"a"}, {"b"}, {"a"}], [{"a"}, {"b"}, {"b"}, {"a"}]
    assert ix.tasks.per_example("f1", y, z).tolist() == [float(Fraction(2, 3)), 0, 1, 1]
    assert ix.tasks.per_example("exact_match", ["x", None, "y"], ["x", "x", "x"], missing="mask").tolist()[::2] == [1, 0]
    assert math.isnan(ix.tasks.per_example("exact_match", ["x", None, "y"], ["x", "x", "x"], missing="mask")[1])
    with pytest.raises(TypeError, match="sample_weight= says how examples are summed"):
        ix.tasks.per_example("f1", y, z, sample_weight=[1, 2, 3, 4])
    with pytest.raises(TypeError, match="Did you mean mask"):
        ix.tasks.per_example("f1", y, z, masks=1)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.booleans()), min_size=1, max_size=9),
    matrices(3, 3, st.integers(-3, 9)),
)
def test_costs_per_example(drawn: Any, prices: np.ndarray) -> None:
    y, z, seen = map(list, zip(*drawn, strict=True))
    pred = [None if c == 3 else c for c in z]
    options = {"classes": [0, 1, 2], "mask": seen, "missing": "abstain", "abstain_cost": [0.5, 1, 2]}
    found = ix.tasks.cost_per_example(y, pred, prices, **options)
    wide = np.column_stack((prices, [0.5, 1, 2]))
    expected = [wide[a, b] if s else math.nan for a, b, s in drawn]
    assert np.array_equal(found, expected, equal_nan=True)
    whole = ix.cost(y, pred, prices, **options)
    assert whole == pytest.approx(np.mean(found[np.isfinite(found)]) if any(seen) else math.nan, nan_ok=True)


def test_costs_per_example_of_what_has_no_pairs() -> None:
    with pytest.raises(ValueError, match="one true and one predicted class per example"):
        ix.tasks.cost_per_example([[1, 0], [1, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="not memberships"):
        ix.tasks.cost_per_example([[1.0, 0]], [[0.5, 0.5]], [[0, 1], [1, 0]], tnorm="product")
    with pytest.raises(TypeError, match="by= says how examples are summed"):
        ix.tasks.cost_per_example([0, 1], [0, 1], "zero_one", by={"g": [1, 2]})
    with pytest.raises(ValueError, match="Pass abstain_cost="):
        ix.tasks.cost_per_example([0, 1], [0, None], "zero_one", missing="abstain")


def test_the_axis_of_examples_says_what_it_holds() -> None:
    ev = ix.evaluate(["a", "b", "b", "c"], ["a", "a", "b", "c"])
    assert repr(ev.aggregate("example")).endswith("per=('example',); 2 distinct rows of 4 examples)")
    values = ev.values("f1", per="example")
    assert repr(values) == "Values([0., 1.]): 2 distinct rows of 4 examples"
    assert repr(values + 1).endswith("2 distinct rows of 4 examples")
    assert values.times.tolist() == [1, 3]
    assert "rows" not in repr(ev.values("f1"))
    assert "1 distinct row of 1 example)" in repr(ix.evaluate(["a"], ["a"]).aggregate("example"))
    weighted = ix.evaluate(["a", "b"], ["a", "a"], sample_weight=[0.5, 2])
    assert "2 rows of examples with a total weight of 2.5" in repr(weighted.aggregate("example"))


# A score is a number wherever numbers go.


@pytest.mark.parametrize("undefined", ["exclude", 0, 1, "nan"])
def test_text_and_data_frames_keep_the_value(undefined: Any) -> None:
    score = ix.recall([0, 1, 1, 4], [0, 1, 2, 1], average="macro", undefined=undefined)
    plain = float(score)
    assert (str(score), f"{score}", f"{score:.3f}") == (str(plain), str(plain), f"{plain:.3f}")
    assert (json.dumps(score), format(score), f"{score:>12}") == (json.dumps(plain), str(plain), f"{plain:>12}")
    assert repr(score) == f"{plain} ({score.note})"
    line = io.StringIO()
    csv.writer(line).writerow([score])
    assert line.getvalue().strip() == str(plain)
    column = pd.DataFrame({"score": [score]})["score"]
    assert column.dtype == float
    assert repr(column[0]) == repr(np.float64(plain))
    assert pd.Series([score], dtype=object).to_csv(index=False, na_rep="nan").split()[1] == str(plain)
    assert pl.DataFrame({"score": [score]})["score"].dtype == pl.Float64
    assert repr(pl.DataFrame({"score": [score]})["score"][0]) == repr(plain)
    assert np.array([score]).dtype == float


def test_a_score_with_nothing_to_note() -> None:
    score = ix.recall([0, 1, 1], [0, 1, 0], average="macro")
    assert (score.note, repr(score), score.has_undefined()) == ("", "0.75", False)
