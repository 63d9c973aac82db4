"""Laws over formulas that nobody declared: costs, ratios, roots, min and max, unbounded, descending, without a direction."""

from __future__ import annotations

import math
import pickle
import random
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from loops import for_each
from sklearn.dummy import DummyClassifier

import indicatrix as ix
from fuzz.own_formulas import FAMILIES, brute_force, check, corrections, formulas, size_of_test
from indicatrix.algebra.totals import is_total, per_example

rng = np.random.default_rng(0)
n = 400
Y = (rng.random(n) < 0.2).astype(int)
G, H = (np.where(rng.random(n) < right, Y, 1 - Y) for right in (0.6, 0.7))
S = np.clip(0.4 * Y + 0.6 * rng.random(n), 0, 1)
THREE = rng.integers(0, 3, 90)
SOURCES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "binary": (ix.evaluate(Y, G), (None, "macro")),
    "three classes": (ix.evaluate(THREE, np.where(rng.random(90) < 0.7, THREE, 0)), ("micro", "macro", "weighted", "exemplar")),
    "perfect": (ix.evaluate(THREE, THREE), ("micro", "macro")),
    "one row": (ix.evaluate([1], [0], classes=[0, 1]), ("micro", "macro")),
}
SOME = [*islice(formulas(7), 2 * len(FAMILIES))]
BOTH_WAYS = "abs(tp - fp)/n"  # corrections raise and lower it
DIRECTED = [text for _, text in SOME if ix.measure(text).better in ("higher", "lower")]


@pytest.mark.slow
def test_range_and_direction_agree_with_brute_force() -> None:
    tally = check(5 * len(FAMILIES), seed=11)
    assert not tally.wrong, tally
    assert tally.unknown <= 0.15 * tally.monotone
    assert tally.monotone > 2 * len(FAMILIES)


def test_brute_force_compares_what_is_corrected() -> None:
    first, second = corrections()
    assert len(first) == len(second) == 74_664
    assert [brute_force(ix.measure(text)).better for text in ("tp", "5*fn + fp", "n", "fn - fp")] == [
        *("higher", "lower", "neither", "unknown")
    ]


@for_each(
    ("text", "ends", "better"),
    [
        ("5*fn + fp", "[0, ∞)", "lower"),
        ("(tp - fp*0.25)/n", "[-0.25, 1]", "higher"),
        ("(tp-fp)/(tp+fn)", "(-∞, 1]", "higher"),
        ("1/(1 + fp)", "(0, 1]", "higher"),
        ("tp/(tp + 1)", "[0, 1)", "higher"),
        ("2**(-fp)", "(0, 1]", "higher"),
        ("exp(-(fp+fn)/n)", "[0.3679, 1]", "higher"),
        ("sqrt(tp/(tp+fn) * tn/(tn+fp))", "[0, 1]", "higher"),
        ("tp/min(tp+fp, tp+fn)", "[0, 1]", "higher"),
        ("log((tp+1)/(fp+1))", "(-∞, ∞)", "higher"),
        ("1/(tp - fp)", "(-∞, ∞)", "unknown"),
        (BOTH_WAYS, "[0, 1]", "unknown"),
        ("(tp+fn)/n", "[0, 1]", "neither"),
    ],
)
def test_derived_facts(text: str, ends: str, better: str) -> None:
    made = ix.measure(text)
    assert (str(made.range), made.better) == (ends, better)


def test_a_function_with_conditions_has_derived_facts() -> None:
    @ix.measure(name="own_with_conditions")
    def guarded(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        """F1, 0 where it is undefined."""
        if tp + fp == 0 or tp + fn == 0:
            return 0.0
        return 2 * tp / (2 * tp + fp + fn)

    assert (str(guarded.range), guarded.better) == ("[0, 1]", "higher")


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (lambda tp, fp, fn, tn: "good", "'good', a str, at tp=3, fp=2, fn=1, tn=4; a measure returns a number"),
        (lambda tp, fp, fn, tn: None, "None, a NoneType, at tp=3"),
        (lambda tp, fp, fn, tn: [tp], r"\[3\], a list, at tp=3"),
        (lambda tp, fp, fn, tn: np.array([tp, fp]), r"array\(\[3, 2\]\), an ndarray"),
        (lambda tp, fp, fn, tn: 1j * tp, "3j, a complex"),
        (lambda tp, fp, fn, tn: tp / (tp + fp) if tp + fp else None, "None, a NoneType, at tp=0, fp=0, fn=0, tn=0"),
        (lambda tp, fp, fn, tn: tp / (tp + fn) if tp + fn else "", r"'', a str, at tp=0, fp=0, fn=0, tn=0; .* ix.ratio\(a, b\)"),
        (lambda tp, fp, fn, tn: {}["x"], r"has no value at any of the counts that were tried: KeyError\('x'\)"),
    ],
)
def test_a_function_that_returns_no_number_is_refused_at_definition(returned: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        ix.measure(returned, name="own_of_no_number")
    assert "own_of_no_number" not in ix.catalogue()


def test_numbers_of_every_kind_are_values() -> None:
    kinds = (1, 0.5, True, np.float32(0.5), np.int8(1), np.bool_(True), np.array(0.5), math.nan, Fraction(1, 2))
    for i, number in enumerate(kinds):
        ix.measure(lambda tp, fp, fn, tn, number=number: number, name=f"own_number_{i}")


def test_parameters_by_position_are_parameters() -> None:
    @ix.measure(name="own_f_beta")
    def f_beta(tp: Any, fp: Any, fn: Any, tn: Any, beta: float = 2) -> Any:
        """F-measure."""
        return ix.ratio((1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp)

    assert f_beta.params == {"beta": 2}
    y, p = [0, 1, 1, 0, 1], [1, 1, 0, 0, 1]
    for beta in (0.5, 1, 2):
        assert f_beta.at(beta=beta)(y, p) == pytest.approx(ix.f_beta(y, p, beta=beta))
        assert f_beta(y, p, beta=beta) == pytest.approx(ix.f_beta(y, p, beta=beta))
    with pytest.raises(TypeError, match=r"own_lacking .* missing a required argument: 'beta'.* params=\{'beta': 1\}"):
        ix.measure(lambda tp, fp, fn, tn, beta: tp, name="own_lacking")


def test_parameters_change_what_is_derived() -> None:
    family = ix.measure("w*fn + fp", params={"w": 2})
    assert (family.better, family.at(w=-1).better, family.at(w=0).better) == ("lower", "unknown", "lower")
    assert (*family.at(w=-1).range,) == (-math.inf, math.inf)
    bounded = ix.measure("w*tp/n", params={"w": 0.5}, range=(0, 1))
    with pytest.raises(ValueError, match=r"range=\(0, 1\) does not hold for .*: at tp=1, fp=0, fn=0, tn=0 it is 2"):
        bounded.at(w=2)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"range": (0, 1)}, r"range=\(0, 1\) does not hold for 5 \* fn \+ fp: at tp=0, fp=0, fn=1, tn=0 it is 5"),
        ({"better": "higher"}, r"better='higher' does not hold for .*: correcting errors only lowers it, as from 1 at"),
        ({"better": "up"}, "must be 'higher', 'lower' or 'neither'"),
        ({"range": (1, 0)}, "must be two numbers"),
        ({"range": (0, math.nan)}, "must be two numbers"),
    ],
)
def test_declared_facts_that_counts_refute_are_errors(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ix.measure("5*fn + fp", **facts)


def test_declared_facts_that_hold_are_kept() -> None:
    assert ix.measure("5*fn + fp", better="neither", range=(-1, math.inf)).range == (-1, math.inf)
    assert ix.measure(BOTH_WAYS, better="lower").better == "lower"


@for_each("m", dict.fromkeys(ix.algebra.MEASURES.values()))
def test_every_registered_measure_has_facts_that_hold(m: ix.Measure) -> None:
    if m.better in ("higher", "lower"):
        assert m.direction.better in (m.better, "unknown")
    derived = ix.Measure(m.name, m.function, params=m.params).range
    assert derived[0] <= m.range[1]
    assert m.range[0] <= derived[1]


@pytest.mark.slow
def test_intervals_contain_their_value_and_stay_in_the_range() -> None:
    seen = 0
    for _, text in SOME:
        made = ix.measure(text)
        low, high = made.range
        for source, (ev, averages) in SOURCES.items():
            for average in averages:
                try:
                    found = ev.interval(made, average)
                except ValueError:
                    continue
                if math.isnan(found.low):
                    continue
                seen += 1
                slack = 1e-9 * (1 + abs(found.value))
                assert found.low - slack <= found.value <= found.high + slack, (source, average, text, found)
                assert low - slack <= found.low, (source, average, text, found)
                assert found.high <= high + slack, (source, average, text, found)
    assert seen > 150


def test_intervals_of_own_formulas_are_near_those_of_other_methods() -> None:
    ev = ix.evaluate(Y, G)
    usual, delta = (ev.interval("(tp - fp*0.25)/n", method=method) for method in (None, "delta"))
    assert abs(usual.low - delta.low) < 0.003
    assert abs(usual.high - delta.high) < 0.003


@for_each("text", DIRECTED[:12])
def test_the_tuned_threshold_is_the_best_of_all(text: str) -> None:
    made = ix.measure(text)
    best = ix.tune(Y, S, made, method="sweep")
    values = np.array([float(ix.evaluate(Y, S, decide=float(t)).score(made)) for t in np.unique(S)[::7]])
    values = values[np.isfinite(values)]
    if made.better == "higher":
        assert best.value >= values.max() - 1e-9
    else:
        assert best.value <= values.min() + 1e-9


@for_each("text", DIRECTED[:12])
def test_scorers_prefer_the_better_model(text: str) -> None:
    made, X = ix.measure(text), np.zeros((n, 1))
    yes, no = (DummyClassifier(strategy="constant", constant=k).fit(X, Y) for k in (1, 0))
    scores = [ix.scorer(made)(model, X, Y) for model in (yes, no)]
    values = [float(ix.evaluate(Y, np.full(n, k), positive=1, classes=[0, 1]).score(made)) for k in (1, 0)]
    sign = 1 if made.better == "higher" else -1
    assert np.allclose(scores, [sign * v for v in values], equal_nan=True)


def test_what_needs_a_direction_asks_for_it() -> None:
    calls = {
        "tune": lambda **o: ix.tune(Y, S, BOTH_WAYS, **o),
        "scorer": lambda **o: ix.scorer(BOTH_WAYS, **o),
        "best": lambda **o: ix.sweep(Y, S).best(BOTH_WAYS, **o),
        "binned": lambda **o: ix.scores.binned(Y, S).best(BOTH_WAYS, **o),
        "optimal": lambda **o: ix.theory.optimal_threshold(BOTH_WAYS, S, **o),
        "folds": lambda **o: ix.inference.compare_folds(
            {name: ix.evaluate(Y, guess, by={"fold": np.arange(n) % 5}) for name, guess in (("g", G), ("h", H))}, BOTH_WAYS, **o
        ),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=r"is not known: correcting errors raises it .* and lowers it .*better='higher'"):
            call()
        for better in ("higher", "lower"):
            assert call(better=better) is not None, name
        with pytest.raises(ValueError, match="must be 'higher' or 'lower'"):
            call(better="up")
    with pytest.raises(ValueError, match="is better if it is lower, so better='higher' is wrong"):
        ix.tune(Y, S, "5*fn + fp", better="higher")
    both = ix.compare(Y, {"g": G, "h": H}, BOTH_WAYS, "binary")
    assert not any(both.rows[0].best)


def test_the_cheapest_threshold_is_found() -> None:
    costs = {t: float(ix.evaluate(Y, S, decide=float(t)).score("5*fn + fp")) for t in np.unique(S)}
    found = ix.tune(Y, S, "5*fn + fp", method="sweep")
    assert float(found.value) == min(costs.values())
    assert ix.evaluate(Y, S, decide=found.rule).score("5*fn + fp") == found.value


@pytest.mark.slow
def test_differences_are_clipped_to_what_the_range_allows() -> None:
    for _, text in SOME:
        for found in ix.compare(Y, {"g": G, "h": H}, text, "binary").differences:
            if math.isnan(found.low):
                continue
            low, high = ix.measure(text).range
            assert found.low <= found.value <= found.high, (text, found)
            assert found.low >= low - high - 1e-9, (text, found)
            assert found.high <= high - low + 1e-9, (text, found)
    cost = ix.compare(Y, {"g": G, "h": H}, "5*fn + fp", "binary").differences[0]
    assert (cost.first, cost.value) == ("h", -69)
    assert cost.low < -100 < -69 < cost.high < 0


@pytest.mark.parametrize(
    ("text", "methods"),
    [
        ("(tp-fp)/(tp+fn)", ("posterior", "delta")),
        ("(tn-fn)/(tn+fp)", ("posterior", "delta")),
        ("tp/(tp+fn)", ("mcnemar_mid_p", "mcnemar")),
        ("(tp+tn)/n", ("mcnemar_mid_p", "mcnemar")),
        ("(fp+fn)/n", ("mcnemar_mid_p", "mcnemar")),
        ("tp/n", ("mcnemar_mid_p", "mcnemar")),
        ("(tp-fp)/n", ("delta", "posterior")),
        ("(tp + 2*tn)/n", ("delta", "posterior")),
    ],
)
def test_mcnemar_is_for_shares_of_right_examples(text: str, methods: tuple[str, ...]) -> None:
    usual = ix.compare(Y, {"g": G, "h": H}, text, "binary").differences[0]
    assert usual.method in methods
    for method in ("delta", "permutation"):
        other = ix.compare(Y, {"g": G, "h": H}, text, "binary", method=method).differences[0]
        p = 2 * min(usual.probability, 1 - usual.probability) if usual.method == "posterior" else usual.p
        assert abs(p - other.p) < 0.03 + 0.5 * other.p, (usual, other)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["(tp-fp)/(tp+fn)", "(2*tn - fp)/n", "5*fn + fp", "min(tp/(tp+fn), tn/(tn+fp))"])
def test_the_chosen_test_has_the_size_of_permutation(text: str) -> None:
    own, exchanged, _ = size_of_test(text, samples=60, seed=5, n=120)
    assert abs(own - exchanged) <= 0.07  # 60 samples know a share to about that


@pytest.mark.slow
def test_explanations_say_what_was_derived() -> None:
    cost = str(ix.explain("5*fn + fp"))
    assert "It is 0 or more; lower is better." in cost
    assert "between 0 and 1" not in cost
    unknown = " ".join(str(ix.explain(BOTH_WAYS)).split())
    assert "It lies between 0 and 1. Whether higher or lower values" in unknown
    for _, text in SOME[::4]:
        made, said = ix.measure(text), ix.explain(text)
        if "this is" not in said.what:  # otherwise it has the facts of the measure that it is
            assert (tuple(said.range), said.better) == (tuple(made.range), made.better), text


def test_the_page_takes_own_formulas() -> None:
    page = ix.evaluate(Y, G).to_html(measures=["5*fn + fp", BOTH_WAYS, "f1"])
    assert page is not None
    assert "5 * fn + fp" in page


def test_totals_are_found_as_all_counts_show_them() -> None:
    """A total is homogeneous of degree 1; its value for each example is of degree 0, and is a rate."""
    counts = np.array([*product(range(4), repeat=4)][1:], np.float64)
    found = 0
    for _, text in islice(formulas(7), 150):
        made = ix.measure(text)
        once, more = made.values(ix.Counts(*counts.T)), made.values(ix.Counts(*(5 * counts.T)))
        usable = np.isfinite(once) & np.isfinite(more)
        if not usable.any():
            continue
        grows = np.allclose(5 * once[usable], more[usable], rtol=1e-9, atol=1e-9) and bool(once[usable].any())
        assert is_total(made) == grows, text
        if grows:
            found += 1
            rate = ix.measure(per_example(made))
            assert not is_total(rate)
            assert np.allclose(rate.values(ix.Counts(*counts.T))[usable], (once / counts.sum(axis=1))[usable])
    assert 10 < found < 140


def test_totals_of_the_catalogue_are_known() -> None:
    assert {m.name for m in ix.algebra.MEASURES.values() if is_total(m)} >= {"chi_squared", "hamming_distance"}
    assert not any(
        map(is_total, (ix.f1, ix.recall, ix.mcc, ix.accuracy, ix.measures.exact_match, ix.f_beta, ix.multiclass_kappa))
    )
    assert is_total(ix.measures.multiclass_chi_squared)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("min(tp, fp)/(tp + fp)", "[0, 0.5]"),
        ("min(tp, fp)/n", "[0, 0.5]"),
        ("max(tp, fp)/(tp + fp)", "[0.5, 1]"),
        ("min(tp, fp, fn)/(tp + fp + fn)", "[0, 0.3333]"),
        ("max(tp, fp, fn)/(tp + fp + fn)", "[0.3333, 1]"),
        ("min(tp, fp)/max(tp, fp)", "[0, 1]"),
        ("min(tp, 2*fp)/(tp + fp)", "[0, 0.6667]"),
        ("min(tp + fn, fp + tn)/n", "[0, 0.5]"),
        ("min(tp*tn, fp*fn)/(tp*tn + fp*fn)", "[0, 0.5]"),
        ("abs(tp - fp)/(tp + fp)", "[0, 1]"),
    ],
)
def test_what_min_and_max_choose_is_used_in_the_range(text: str, ends: str) -> None:
    assert str(ix.measure(text).range) == ends


def test_a_range_that_is_derived_is_not_called_declared() -> None:
    assert "derived [0, 0.5]" in str(ix.properties("min(tp, fp)/(tp + fp)"))
    assert "declared" not in str(ix.properties("min(tp, fp)/(tp + fp)"))
    assert "declared [0, 1]" in str(ix.properties("f1"))


@pytest.mark.slow
def test_ranges_of_what_is_chosen_hold_for_all_small_counts() -> None:
    """Random linear parts under min, max and abs, over a positive denominator: no value leaves the range."""
    numbers = random.Random(5)
    counts = np.array([*product(range(6), repeat=4)], np.float64)

    def linear(least: int) -> str:
        return " + ".join(f"({numbers.randint(least, 3)})*{cell}" for cell in ("tp", "fp", "fn", "tn"))

    tight = 0
    for _ in range(24):
        chosen = numbers.choice(
            ["min({0}, {1})", "max({0}, {1})", "abs({0})", "min({0}, max({1}, {2}))", "max(tp, {0}) - min(fp, {1})"]
        )
        made = ix.measure(f"({chosen.format(linear(-2), linear(-2), linear(-2))})/({linear(1)})")
        found = made.values(ix.Counts(*counts.T))
        found = found[np.isfinite(found)]
        low, high = made.range
        assert found.min() >= low - 1e-9, made
        assert found.max() <= high + 1e-9, made
        tight += math.isfinite(low) and math.isfinite(high)
    assert tight > 12


TERMS = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]


@for_each("measure", TERMS)
def test_measures_are_terms_of_formulas(measure: ix.Measure) -> None:
    """A measure is a function of the same four counts, so arithmetic on its values is a formula, exact where they are."""
    made = ix.measure(f"2*{measure.name} - recall/4")
    counts = [Fraction(x) for x in (7, 3, 2, 5)]
    parts = [m(ix.Counts(*counts)) for m in (measure, ix.recall)]
    assert float(made(ix.Counts(*counts))) == pytest.approx(float(2 * parts[0] - parts[1] / 4), rel=1e-12)
    cells = np.array([*product(range(3), repeat=4)], np.float64).T
    values = 2 * measure.values(ix.Counts(*cells)) - ix.recall.values(ix.Counts(*cells)) / 4
    found = made.values(ix.Counts(*cells))
    assert np.allclose(found[np.isfinite(values)], values[np.isfinite(values)], rtol=1e-9, atol=1e-9)
    assert pickle.loads(pickle.dumps(made))(ix.Counts(7, 3, 2, 5)) == made(ix.Counts(7, 3, 2, 5))


def test_formulas_of_measures_are_scores_like_others() -> None:
    ev = SOURCES["three classes"][0]
    for average in ("micro", "macro"):
        parts = [ev.values("f1", per="class"), ev.values("precision", per="class")]
        macro = np.mean(1 - parts[0] * parts[1])
        assert ev.score("1 - f1*precision", "macro") == pytest.approx(float(macro))
        assert ev.score(f"{average} 1 - f1") == pytest.approx(1 - ev.score("f1", average))
    binary = SOURCES["binary"][0]
    assert binary.score("fpr + fnr") == pytest.approx(binary.score("fpr") + binary.score("fnr"))
    assert binary.score("f_beta(beta=2) - f1") == pytest.approx(binary.score("f_beta(beta=2)") - binary.score("f1"))
    assert [*binary.interval("1 - recall")] == pytest.approx([1 - x for x in binary.interval("recall")][::-1], abs=1e-9)
    assert ix.measure("1 - f1").better == "lower"
    assert str(ix.measure("1 - f1").range) == "[0, 1]"
    assert ix.theory.equivalent("1 - f1", "lance_williams")
    made = ix.measure("recall*fp", params={"recall": 2})  # a parameter that is given is one
    assert made(ix.Counts(1, 3, 0, 0)) == 6
    with pytest.raises(ValueError, match=r"exact_match in .* exists only as average='exemplar'"):
        ix.measure("1 - exact_match")
