"""What a comparison tells beyond its table: agreement of scores, the front, and what conclusions depend on."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.inference.order.agreement import places

MEASURES = ["f1", "recall", "precision", "error_rate", "mcc", "prevalence"]


def classifiers(seed: int, k: int = 5, n: int = 60) -> dict[str, ix.Evaluation]:
    """Return evaluations of k classifiers on the same examples; the last two are the same, so that there are ties."""
    rng = np.random.default_rng(seed)
    y = rng.choice(4, n, p=[0.6, 0.2, 0.15, 0.05])
    predicted = [np.where(rng.random(n) < rng.uniform(0.4, 0.9), y, rng.integers(0, 4, n)) for _ in range(k - 1)]
    return {f"c{i}": ix.evaluate(y, z, classes=range(4)) for i, z in enumerate([*predicted, predicted[-1]])}


@pytest.mark.one_fast_case
@pytest.mark.parametrize("seed", range(8))
def test_taus_are_those_of_scipy_and_reversals_those_of_the_values(seed: int) -> None:
    both = ix.compare(classifiers(seed), MEASURES, averages_over("class"), undefined=0)
    found = both.agreement()
    signed = {
        r.name: [float(v) * (-1 if r.better == "lower" else 1) for v in r.values] for r in both.rows if r.better != "neither"
    }
    assert found.scores == tuple(signed)
    assert found.left_out == tuple(r.name for r in both.rows if r.better == "neither")
    named = {(r.one, r.other): r for r in found.reversals}
    for one, other in combinations(signed, 2):
        a, b = (np.round(signed[name], 10) for name in (one, other))
        expected = kendalltau(a, b).statistic
        assert found.tau(one, other) == found.tau(other, one) == pytest.approx(expected, abs=1e-12, nan_ok=True), (one, other)
        turned = {(x, y) for x in range(5) for y in range(5) if a[x] > a[y] and b[x] < b[y]}
        pairs = named[one, other].pairs if (one, other) in named else ()
        assert {*pairs} == {(both.names[x], both.names[y]) for x, y in turned}
    assert [r.tau for r in found.reversals] == sorted(r.tau for r in found.reversals)
    columns = found.to_dict()
    assert columns["reversed"] == [len(named[p].pairs) if p in named else 0 for p in combinations(signed, 2)]
    assert found.to_pandas()["tau"].tolist() == pytest.approx(columns["tau"], nan_ok=True)
    assert len(found.to_polars()) == len(columns["tau"])


def test_rounding_makes_no_order() -> None:
    assert places([0.1 + 0.2, 0.3, 0.1]).tolist() == [1, 1, 0]
    assert places([1.0, None, math.nan, 2.0], "lower").tolist()[::3] == [1, 0]
    assert places([1e-17, 0.0, 1e-9]).tolist() == [0, 0, 1]
    assert places([math.inf, 1.0, math.inf]).tolist() == [1, 0, 1]
    y = ["a", "b", "c"] * 7
    shift = {"a": "b", "b": "c", "c": "a"}
    z = [shift[x] if i % 5 == 0 else x for i, x in enumerate(y)]
    # the same classifier with the names of the classes turned: other sums, the same true values
    one, other = ix.evaluate(y, z), ix.evaluate([shift[x] for x in y], [shift[x] for x in z])
    found = ix.compare([one, other], MEASURES, ["macro", "weighted"]).agreement()
    assert np.isnan(found.taus).all()
    assert found.reversals == ()


def test_scores_are_compared_on_the_classifiers_that_have_both() -> None:
    from indicatrix.compare.row import Row
    from indicatrix.inference.order.agreement import agreement

    rows = [Row("x", (0.1, 0.2, 0.3, None)), Row("y", (math.nan, 0.3, 0.2, 0.9)), Row("z", (None, None, None, 0.1))]
    found = agreement("abcd", rows)
    assert found.tau("x", "y") == -1
    assert math.isnan(found.tau("x", "z"))
    assert [(r.one, r.other, r.pairs) for r in found.reversals] == [("x", "y", (("c", "b"),))]


def skewed() -> dict[str, ix.Evaluation]:
    """Return a classifier that is best on the frequent class, and one that finds the rare class."""
    y = ["a"] * 8 + ["b"] * 2
    return {"lr": ix.evaluate(y, ["a"] * 10), "rf": ix.evaluate(y, ["a"] * 5 + ["b"] * 5)}


def test_two_classifiers_are_compared_in_words() -> None:
    text = str(ix.compare(skewed(), "recall", ["micro", "macro"]).agreement())
    assert text.splitlines() == [
        "Which of lr and rf is better depends on the score: 1 of 1 pair of scores disagree.",
        "micro recall and macro recall: lr is ahead of rf by micro recall, but rf is ahead of lr by macro recall.",
    ]
    same = ix.compare(skewed(), ["recall", "f1"], "macro").agreement()
    assert str(same).startswith("No two of 2 scores put lr and rf in opposite orders.")
    assert repr(same) == "<RankAgreement: 2 scores of 2 classifiers, 0 of 1 pair of scores disagree>"


def test_agreement_needs_two_classifiers_and_known_names() -> None:
    with pytest.raises(ValueError, match="at least two classifiers"):
        ix.compare([skewed()["lr"]], "f1", "macro").agreement()
    with pytest.raises(ValueError, match=r"no score 'macro f'.*Did you mean macro f1"):
        ix.compare(skewed(), "f1", ["micro", "macro"]).agreement().tau("macro f", "micro f1")
    assert "there is no agreement to measure" in str(ix.compare(skewed(), "f1", "macro").agreement())


@pytest.mark.parametrize("seed", range(10))
def test_the_front_is_that_of_the_exact_function(seed: int) -> None:
    sources, measures, averages = classifiers(seed), ["f1", "recall", "error_rate"], ["micro", "macro"]
    found = ix.compare(sources, [*measures, "prevalence"], averages, undefined=0).pareto()
    exact = ix.theory.pareto(sources, measures, averages=averages, undefined=0)
    assert (found.front, found.dominated) == (exact.front, exact.dominated)
    assert found.front


def test_the_front_refuses_undefined_scores() -> None:
    y = ["a", "a", "b"]
    both = {"x": ix.evaluate(y, ["a", "a", "a"], positive="b"), "y": ix.evaluate(y, y, positive="b")}
    with pytest.raises(ValueError, match=r"Undefined: binary precision of 'x'\. Compare with undefined="):
        ix.compare(both, "precision", "binary").pareto()
    assert ix.compare(both, "precision", "binary", undefined=0).pareto().front == ("y",)


@pytest.mark.parametrize("seed", range(10))
def test_conclusions_are_those_of_comparing_anew(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.choice(4, 12, p=[0.6, 0.2, 0.15, 0.05])
    sources = {f"c{i}": ix.evaluate(y, rng.integers(0, 4, 12), classes=range(4)) for i in range(3)}
    measures, averages = ["precision", "recall", "error_rate"], ["micro", "macro"]
    found = ix.compare(sources, measures, averages).sensitivity(("exclude", 0, 1, 0.5))
    for conclusion in found.by_convention:
        average, measure = conclusion.about.split()
        orders = {}
        for undefined in ("exclude", 0, 1, 0.5):
            values = [float(ev.score(measure, average, undefined=undefined)) for ev in sources.values()]
            signed = np.round(values, 10) * (-1 if measure == "error_rate" else 1)
            best = tuple(n for n, v in zip(sources, signed, strict=True) if v == signed.max()) if np.ptp(signed) else ()
            assert conclusion.best[undefined] == best
            orders[undefined] = signed
        turned = {(a, b) for a, b in combinations(range(3), 2) if {np.sign(x[a] - x[b]) for x in orders.values()} >= {-1, 1}}
        assert {*conclusion.reversed} == {(f"c{a}", f"c{b}") for a, b in turned}
    lost = [r.name for r in ix.compare(sources, measures, averages).rows if any(v.has_undefined() for v in r.values)]
    assert [c.about for c in found.by_convention] == lost
    assert [c.about for c in found.by_average] == measures


def test_what_changes_is_named() -> None:
    found = ix.compare(skewed(), ["recall", "precision"], ["micro", "macro"]).sensitivity()
    assert str(found).splitlines() == [
        "macro precision: lr is ahead if undefined values are excluded or counted as 1, rf if they are counted as 0.",
        "recall: lr is ahead by micro recall, rf by macro recall.",
    ]
    assert found.to_dict()["best"] == ["lr", "rf", "lr", "lr", "rf", "lr", "lr"]
    assert repr(found) == "<Conclusions: 2 of 3 depend on a convention or an average>"
    assert len(found.to_pandas()) == len(found.to_polars()) == 7
    defined = ix.compare(skewed(), "recall", "macro").sensitivity()
    assert str(defined) == "Nothing is undefined, so no conclusion depends on a convention."


def test_an_order_below_the_best_may_change_alone() -> None:
    y = ["a"] * 8 + ["b"] * 2
    three = {"top": ix.evaluate(y, y), **skewed()}
    (found,) = ix.compare(three, "recall", ["micro", "macro"]).sensitivity().by_average
    assert str(found) == "recall: top is ahead in each case, but the order of lr and rf changes with the average."


def test_a_tie_has_no_best() -> None:
    from indicatrix.inference.order.conclusions import conclude

    tied = conclude("macro precision", "undefined", ["lr", "rf"], "higher", {"exclude": (0.5, 0.5), 0: (0.3, 0.5)})
    assert tied.best == {"exclude": (), 0: ("rf",)}
    assert str(tied) == "macro precision: rf is ahead if undefined values are counted as 0, all are equal if they are excluded."
    assert not conclude("f1", "average", ["lr", "rf"], "higher", {"micro": (0.5, 0.5), "macro": (0.3, 0.3)}).changes


@pytest.mark.parametrize("conventions", [("exclude",), (), (0, "nan"), ("raise", 0)])
def test_conventions_must_be_two_numbers_or_exclude(conventions: tuple) -> None:
    with pytest.raises(ValueError, match="at least two of 'exclude' and numbers"):
        ix.compare(skewed(), "recall").sensitivity(conventions)
