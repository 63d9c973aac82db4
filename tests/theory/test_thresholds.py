"""Closed-form, population and per-example optimal decisions, against all decisions of small populations (sec:consistency)."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.measure_names import find
from indicatrix.theory.formula.best_label_set import best_label_set, best_label_set_of, best_label_sets
from indicatrix.theory.formula.closed_thresholds import bayes_threshold
from indicatrix.theory.formula.optimal_threshold import CUTS, EVERY, optimal_threshold

EVERY_MEASURE = list(dict.fromkeys(ix.algebra.MEASURES.values()))
DIRECTED = [m for m in EVERY_MEASURE if m.better != "neither" and not m.averages]
RATIOS = [m for m in DIRECTED if m.decomposition is not None]
OTHERS = [m for m in DIRECTED if m.decomposition is None]
CHANCES = st.integers(0, 12).map(lambda k: Fraction(k, 12)) | st.fractions(0, 1, max_denominator=50)
FACTS_FILE = Path(__file__).parents[2] / "paper" / "facts.json"


def sign(measure: ix.Measure) -> int:
    return -1 if measure.better == "lower" else 1


def population_value(measure: ix.Measure, eta, decisions, weight=None) -> float:
    """The measure of expected counts, summed as fractions."""
    weight = [1] * len(eta) if weight is None else weight
    counts = [Fraction(0)] * 4
    for e, f, w in zip(eta, decisions, weight, strict=True):
        counts[0 if f else 2] += Fraction(w) * e
        counts[1 if f else 3] += Fraction(w) * (1 - e)
    return float(measure.values(ix.Counts(*counts)))


def best_of_all(measure: ix.Measure, eta, weight=None, rules=None) -> float:
    """The largest value over all decisions, or over the rules given; nan if all are undefined."""
    rules = product((False, True), repeat=len(eta)) if rules is None else rules
    values = [population_value(measure, eta, f, weight) for f in rules]
    merits = [sign(measure) * v for v in values if not math.isnan(v)]
    return sign(measure) * max(merits) if merits else math.nan


def cuts(eta):
    return [[e >= t for e in eta] for t in (*sorted(set(eta)), 2)]


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, rel=1e-9, abs=1e-12)


# ---- bayes_threshold


@pytest.mark.slow
def test_every_registered_measure_has_an_answer_with_a_reason():
    for measure in EVERY_MEASURE:
        found = bayes_threshold(measure)
        assert found.evidence.note
        assert (found.value is None) == (not found.evidence.holds) == (found.erm_consistent is None) == (not found.averages)
        assert found.evidence.holds is not None
        if found.value is None and measure.better != "neither":
            *plane, v, seen, expected = found.evidence.witness
            assert len({(u[0] + u[2], u[1] + u[3]) for u in (*plane, v)}) == 1  # one test set
            assert measure.values(ix.Counts(*v)) == pytest.approx(float(seen))
            assert seen != expected
            assert "optimal_threshold" in found.evidence.note


def test_a_formula_that_cannot_be_evaluated_exactly_is_left_undecided():
    @ix.measure
    def floats_only(tp, fp, fn, tn):
        return np.log(tp)

    found = bayes_threshold(floats_only)
    assert found.value is found.evidence.holds is None
    assert "in floats only" in found.evidence.note


@for_each(
    ("measure", "value"),
    [
        ("balanced_accuracy", "prevalence"),
        ("informedness", "prevalence"),
        ("balanced_error_rate", "prevalence"),
        ("weighted_relative_accuracy", "prevalence"),
        ("2*tp/(tp+fn) + tn/(fp+tn)", "prevalence/(2 - prevalence)"),
        ("tp*(tp+fn) - fp*(fp+tn)", "1 - prevalence"),
        ("tp*(fp+tn+3*tp+3*fn) - fp*(2*tp+2*fn)", "2*prevalence/(4*prevalence + 1)"),
        ("tp - fp/5", Fraction(1, 6)),
        ("sqrt(tp+fn)*tp - sqrt(tp+fn)*fp", Fraction(1, 2)),
        ("sqrt(2)*tp - fp", "0.414213562373095"),
        ("tp - fp*(tp+fn)", None),
        ("fp - tp", Fraction(1, 2)),  # lower is better
        ("(tp+fn)/(fp+tn)", None),
        ("abs(fp - fn)", None),
    ],
)
def test_thresholds_that_are_known(measure, value):
    assert bayes_threshold(find(measure)).value == value


@given(st.fractions(0, 1, max_denominator=30), *[st.integers(0, 9)] * 4)
def test_parameters_give_their_thresholds(w, alpha, beta, gamma, delta):
    assert bayes_threshold(ix.measures.weighted_accuracy.at(w=w)).value == 1 - w
    assert bayes_threshold(ix.measures.weighted_accuracy.at(w=w)).erm_consistent == (w == Fraction(1, 2))
    if w < 1:
        assert bayes_threshold(ix.net_benefit.at(p_t=w)).value == w
    found = bayes_threshold(ix.measures.linear_utility.at(alpha=alpha, beta=beta, gamma=gamma, delta=delta))
    total = alpha + beta + gamma + delta
    assert found.value == (Fraction(beta + delta, total) if total else None)
    if total:
        assert found.erm_consistent == (alpha + gamma == beta + delta)


def test_symbolic_parameters_give_formulas():
    sympy = pytest.importorskip("sympy")
    w, p = sympy.symbols("w p_t")
    weighted = bayes_threshold(replace(ix.measures.weighted_accuracy, params={"w": w}))
    assert (weighted.value, weighted.erm_consistent, weighted.averages) == (1 - w, None, ("micro", "macro"))
    assert str(weighted.value) == "1 - w"
    assert bayes_threshold(replace(ix.net_benefit, params={"p_t": p})).value == p
    assert bayes_threshold(replace(ix.f_beta, params={"beta": w})).value is None
    gain = ix.measure("tp/(tp + fn) - w*fp/(fp + tn)", params={"w": w})
    prevalence = sympy.Symbol("prevalence")
    assert sympy.simplify(ix.properties(gain).threshold - w * prevalence / (w * prevalence + 1 - prevalence)) == 0
    positive = sympy.Symbol("x", positive=True)  # the symbol that was given, with what is known of it
    assert ix.properties(ix.net_benefit.at(p_t=positive)).threshold.subs(positive, 1) == 1
    same = dict.fromkeys(ix.measures.linear_utility.params, w)
    found = ix.properties(ix.measures.linear_utility.at(**same))
    assert (found.threshold, type(found.threshold), found.erm_consistent) == (Fraction(1, 2), Fraction, True)


@given(st.fractions(Fraction(1, 10**6), Fraction(999, 1000)))
def test_a_quotient_in_a_name_keeps_its_value(p):
    assert bayes_threshold(find(f"net_benefit(p_t={p})")).value == p


@pytest.mark.slow
def test_a_threshold_is_right_for_exemplar_only_where_it_says_so():
    eta = np.random.default_rng(2).random((40, 4))
    measures = [*DIRECTED, ix.measures.weighted_accuracy.at(w=0.8), ix.net_benefit.at(p_t=0.2)]
    closed = {m: b for m in measures if isinstance((b := bayes_threshold(m)).value, Fraction)}
    for measure, found in closed.items():
        if "exemplar" in found.averages:
            decisions = optimal_threshold(measure, eta, average="exemplar").decisions
            assert (decisions == (eta >= float(found.value))).all(), measure
    other = optimal_threshold(ix.measures.weighted_accuracy.at(w=0.8), eta, average="exemplar").decisions
    assert (other != (eta >= 0.2)).any()
    assert closed[ix.measures.weighted_accuracy.at(w=0.8)].averages == ("micro", "macro")


@pytest.mark.slow
@given(st.lists(CHANCES, min_size=1, max_size=6))
@examples(4)
def test_a_closed_form_threshold_is_best_among_all_decisions(eta):
    prevalence = sum(eta) / len(eta)
    for measure in (m for m in DIRECTED if bayes_threshold(m).value is not None):
        t = bayes_threshold(measure).value
        t = prevalence if t == "prevalence" else t
        assert same(population_value(measure, eta, [e >= t for e in eta]), best_of_all(measure, eta)), measure


# ---- optimal_threshold


def check_rule(found, eta):
    if found.threshold is not None:
        assert found.decisions.tolist() == [e >= found.threshold for e in map(float, eta)]


@for_each("measure", RATIOS)
@given(data=st.data())
@examples(10)
def test_ratios_of_linear_forms_reach_the_best_of_all_decisions(measure, data):
    eta = data.draw(st.lists(CHANCES, min_size=1, max_size=6))
    weight = data.draw(st.none() | st.lists(st.integers(0, 3), min_size=len(eta), max_size=len(eta)).filter(any))
    found = optimal_threshold(measure, [float(e) for e in eta], sample_weight=weight)
    assert same(found.value, best_of_all(measure, eta, weight))
    assert found.among == EVERY
    assert found.threshold is not None
    check_rule(found, eta)
    if not math.isnan(found.value):
        assert same(found.value, population_value(measure, eta, found.decisions, weight))


@for_each("measure", OTHERS)
@given(data=st.data())
@examples(3)
def test_other_measures_reach_the_best_of_all_threshold_rules(measure, data):
    eta = data.draw(st.lists(st.integers(0, 16).map(lambda k: Fraction(k, 16)), min_size=1, max_size=7))
    found = optimal_threshold(measure, [float(e) for e in eta])
    assert same(found.value, best_of_all(measure, eta, rules=cuts(eta)))
    check_rule(found, eta)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("name", ["mcc", "cohen_kappa", "balanced_accuracy", "informedness", "piatetsky_shapiro"])
@given(eta=st.lists(CHANCES, min_size=1, max_size=6))
@examples(15)
def test_quasiconvex_measures_are_best_at_a_threshold_among_all_decisions(name, eta):
    found = optimal_threshold(name, [float(e) for e in eta]).value
    if math.isnan(found):  # one level of eta: the thresholds predict all or nothing, where mcc is undefined
        assert len(set(eta)) == 1
    else:
        assert same(found, best_of_all(ix.algebra.MEASURES[name], eta))


def test_without_quasiconvexity_a_finite_population_can_do_better_than_any_threshold():
    eta = [Fraction(k, 16) for k in (16, 10, 9, 9, 1)]
    found = optimal_threshold("g_mean", [float(e) for e in eta])
    assert found.among == CUTS
    assert best_of_all(ix.g_mean, eta) > found.value + 1e-6


@given(st.lists(st.tuples(CHANCES, CHANCES), min_size=1, max_size=3))
@examples(15)
def test_micro_pools_and_macro_decides_each_class(rows):
    eta, pooled = [[float(x) for x in row] for row in rows], [x for row in rows for x in row]
    for name in ("f1", "jaccard", "precision", "accuracy", "false_discovery_rate", "sebag_schoenauer"):
        measure = ix.algebra.MEASURES[name]
        assert same(optimal_threshold(name, eta, average="micro").value, best_of_all(measure, pooled)), name
        found = optimal_threshold(name, eta, average="macro")
        each = [best_of_all(measure, column) for column in zip(*rows, strict=True)]
        finite = [v for v in each if math.isfinite(v)]
        assert same(found.value, sum(finite) / len(finite) if finite else math.nan), name
        for j, t in enumerate(found.threshold):
            assert found.decisions[:, j].tolist() == [row[j] >= t for row in eta]


def test_the_threshold_of_f1_is_half_its_value():
    rng = np.random.default_rng(0)
    eta = rng.beta(1, 4, 500)
    for beta in (0.5, 1, 3):
        found = optimal_threshold(ix.f_beta.at(beta=beta), eta)
        assert found.threshold == pytest.approx(found.value / (1 + beta * beta))
        assert found.iterations <= 8
    assert optimal_threshold("informedness", eta).threshold == pytest.approx(eta.mean())


def test_a_rule_that_is_no_threshold_is_returned_without_one():
    assert optimal_threshold("fp / (fp + tn)", [0.2, 0.7]).value == 0  # lower is better, as its formula shows
    wrong_way = replace(ix.measure("(fp + fn) / (tp + fp + fn + tn)"), better="higher")  # ix.measure refuses this direction
    found = optimal_threshold(wrong_way, [0.2, 0.7])
    assert found.threshold is None
    assert found.decisions.tolist() == [True, False]


def test_a_threshold_of_zero_has_no_sign():
    for name, eta in (("recall", [0.2, 0.7]), ("recall", [-0.0, 0.7]), ("g_mean", [-0.0, 0.0, 0.7]), ("f1", [1.0, 0.9])):
        assert math.copysign(1, optimal_threshold(name, eta).threshold) == 1, name


def test_equal_chances_are_decided_alike():
    # It has a value only if one of the two is positive and the other is not, and no threshold tells them apart.
    apart = ix.measure("tp * tn / (tp * fp * fn * tn)", better="higher")
    found = optimal_threshold(apart, [0.5, 0.5])
    assert math.isnan(found.value)
    assert found.among == CUTS
    assert math.isfinite(population_value(apart, [Fraction(1, 2)] * 2, (True, False)))


def test_undefined_and_infinite_populations_are_results():
    none = optimal_threshold("recall", [0.0, 0.0])
    assert math.isnan(none.value)
    assert math.isnan(none.threshold)
    assert not none.decisions.any()
    assert optimal_threshold("sebag_schoenauer", [1.0, 0.3]).value == math.inf
    weightless = optimal_threshold("sokal_sneath_3", [1.0, 0.5, 0.0], sample_weight=[1, 0, 1])  # right per wrong decision
    assert (weightless.value, weightless.decisions.tolist()) == (math.inf, [True, False, False])
    macro = optimal_threshold("recall", [[0.0, 0.5], [0.0, 0.2]], average="macro")
    assert macro.value == 1
    assert math.isnan(macro.threshold[0])


# ---- exemplar: expected values of one example


def outcomes(eta):
    for y in product((0, 1), repeat=len(eta)):
        yield y, math.prod((e if x else 1 - e for e, x in zip(eta, y, strict=True)), start=Fraction(1))


def cells_of(y, f):
    pairs = list(zip(y, f, strict=True))
    return [pairs.count(c) for c in ((1, 1), (0, 1), (1, 0), (0, 0))]


def f_beta(y, f, square, empty):
    tp, fp, fn, _ = cells_of(y, f)
    den = (1 + square) * tp + square * fn + fp
    return (1 + square) * tp / Fraction(den) if den else empty


@given(st.lists(CHANCES, min_size=1, max_size=5), st.sampled_from([1, 2, Fraction(1, 2), Fraction(2, 3), 9]), st.fractions(0, 1))
def test_the_best_label_set_is_the_best_of_all_sets_exactly(eta, beta, empty):
    eta = [Fraction(e) for e in eta]
    labels, value = best_label_set(eta, beta, empty=empty)
    table = [(y, p) for y, p in outcomes(eta) if p]
    expected = {f: sum(p * f_beta(y, f, Fraction(beta) ** 2, empty) for y, p in table) for f in product((0, 1), repeat=len(eta))}
    assert value == max(expected.values()) == expected[tuple(int(x) for x in labels)]
    if beta == 9:  # 81 + 1 is beyond what the recursion is used for, so both ways are compared here
        assert float(value) == pytest.approx(best_label_set([float(e) for e in eta], 9, empty=float(empty))[1])
    joint, same_value = best_label_set_of([y for y, _ in table], [p for _, p in table], beta, empty=empty)
    assert same_value == value == expected[tuple(int(x) for x in joint)]


@given(st.integers(1, 5), st.data())
def test_any_joint_distribution_has_its_best_set(m, data):
    sets = data.draw(st.lists(st.tuples(*[st.integers(0, 1)] * m), min_size=1, max_size=6, unique=True))
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(sets), max_size=len(sets)))
    chances = [Fraction(w, sum(weights)) for w in weights]
    empty, beta = data.draw(st.fractions(0, 1)), data.draw(st.sampled_from([1, 2, Fraction(1, 3)]))
    labels, value = best_label_set_of(sets, chances, beta, empty=empty)
    score = {
        f: sum(p * f_beta(y, f, Fraction(beta) ** 2, empty) for y, p in zip(sets, chances, strict=True))
        for f in product((0, 1), repeat=m)
    }
    assert value == max(score.values()) == score[tuple(int(x) for x in labels)]


@pytest.mark.slow
@given(st.lists(CHANCES, min_size=8, max_size=8))
@examples(3)
def test_eight_labels(eta):
    table = [(y, p) for y, p in outcomes(eta) if p]
    labels, value = best_label_set(eta)
    best = max(sum(float(p) * float(f_beta(y, f, 1, 1)) for y, p in table) for f in product((0, 1), repeat=8))
    assert float(value) == pytest.approx(best)
    assert float(sum(p * f_beta(y, tuple(map(int, labels)), 1, 1) for y, p in table)) == pytest.approx(best)


@pytest.mark.slow
def test_many_labels_stay_fast_and_agree_with_the_plain_double_sum():
    eta = np.random.default_rng(1).beta(1, 5, 200)
    labels, loss, _ = best_label_sets(ix.measures.lance_williams, eta[None])  # 1 - F1, which takes the general way
    found, value = best_label_set(eta)
    assert value == pytest.approx(1 - float(loss[0]))
    assert found.tolist() == labels[0].tolist()
    for beta in (0.3, 0.123456789):
        each = optimal_threshold(ix.f_beta.at(beta=beta), eta[None], average="exemplar")
        assert each.value == pytest.approx(best_label_set(eta, beta)[1])


EXEMPLAR = ["accuracy", "error_rate", "f1", "f_beta(beta=2)", "jaccard", "lance_williams", "subset_accuracy", "recall",
            "specificity", "weighted_accuracy(w=0.8)", "net_benefit(p_t=0.2)", "balanced_accuracy", "hamming_distance",
            "f_beta_negative", "rogers_tanimoto"]  # fmt: skip


@pytest.mark.one_fast_case
@for_each("name", EXEMPLAR)
@given(eta=st.lists(st.lists(CHANCES, min_size=3, max_size=3), min_size=1, max_size=2), data=st.data())
@examples(8)
def test_exemplar_decisions_are_best_of_all_label_sets(name, eta, data):
    measure = find(name)
    weight = data.draw(st.lists(st.integers(1, 3), min_size=len(eta), max_size=len(eta)))
    perfect = measure.values(ix.Counts(1, 0, 0, 2))

    def value(y, f):
        v = float(measure.values(ix.Counts(*cells_of(y, f))))
        return perfect if math.isnan(v) and y == f and name not in ("recall", "specificity", "balanced_accuracy") else v

    total = mass = 0.0
    for row, w in zip(eta, weight, strict=True):
        chances = [(y, float(p)) for y, p in outcomes(row) if p]
        kept = {y: not math.isnan(value(y, (0, 0, 0))) for y, _ in chances}
        scores = [sum(p * value(y, f) for y, p in chances if kept[y]) for f in product((0, 1), repeat=3)]
        total += w * sign(measure) * max(sign(measure) * s for s in scores)
        mass += w * sum(p for y, p in chances if kept[y])
    found = optimal_threshold(measure, [[float(x) for x in row] for row in eta], average="exemplar", sample_weight=weight)
    assert found.threshold is None
    assert same(found.value, total / mass if mass > 1e-15 else math.nan)


@given(st.lists(st.lists(CHANCES, min_size=3, max_size=3), min_size=1, max_size=2), st.sampled_from([0, Fraction(1, 4), 1]))
@examples(15)
def test_what_an_empty_prediction_is_worth_can_be_chosen(eta, empty):
    rows = [[float(x) for x in row] for row in eta]
    found = optimal_threshold("f1", rows, average="exemplar", empty=empty)
    single = [best_label_set(row, empty=float(empty)) for row in rows]
    assert found.value == pytest.approx(sum(value for _, value in single) / len(rows))
    assert found.decisions.tolist() == [labels.tolist() for labels, _ in single]
    # Its complement takes the general way, where more is worse: nothing for nothing is then worth one minus that.
    loss = optimal_threshold("lance_williams", rows, average="exemplar", empty=1 - empty)
    assert loss.value == pytest.approx(1 - found.value)
    for name, right in (("f1", 1), ("jaccard", 1), ("lance_williams", 0)):
        left_out, given_as = (optimal_threshold(name, rows, average="exemplar", **o) for o in ({}, {"empty": right}))
        assert left_out.value == given_as.value


def test_exemplar_with_every_measure_is_an_answer_or_a_reasoned_refusal():
    eta = np.array([[0.9, 0.4, 0.1], [0.5, 0.5, 0.2]])
    answered, refused = set(), {}
    for measure in (m for m in EVERY_MEASURE if m.better != "neither"):
        try:
            found = optimal_threshold(measure, eta, average="exemplar")
        except ValueError as error:
            refused[measure] = str(error)
        else:
            answered.add(measure.name)
            assert math.isfinite(found.value)
    assert {"accuracy", "f1", "jaccard", "recall", "subset_accuracy"} <= answered
    assert not {"precision", "mcc", "lift"} & answered
    assert all(f"exemplar {measure}" in reason for measure, reason in refused.items())


# ---- doors


@for_each(
    ("arguments", "options", "message"),
    [
        (("coverage", [0.5]), {}, "Neither higher nor lower values of coverage are better"),
        (("f1", []), {}, "non-empty"),
        (("f1", [0.5, 1.5]), {}, r"eta\[1\] is 1.5"),
        (("f1", [[0.5, math.nan]]), {"average": "micro"}, r"eta\[0, 1\] is nan"),
        (("f1", [0.5]), {"average": "micro"}, "binary"),
        (("f1", [[0.5]]), {}, "Choose 'micro', 'macro' or 'exemplar'"),
        (("subset_accuracy", [[0.5]]), {"average": "micro"}, "exists only"),
        (("f1", [0.5]), {"sample_weight": [1, 2]}, "one weight for each"),
        (("f1", [0.5]), {"sample_weight": [-1]}, "not negative"),
        (("f1", [0.5]), {"sample_weight": [0]}, "no population"),
        (("precision", [[0.5, 0.2]]), {"average": "exemplar"}, "would choose which examples count"),
        (("diagnostic_odds_ratio", [[0.5, 0.2]]), {"average": "exemplar"}, "infinite"),
        (("f1", [[0.5, 0.2]]), {"average": "macro", "empty": 1.0}, "within one example"),
        (("f1", [0.5, 0.2]), {"empty": 0}, "within one example"),
        (("f1", [[0.5, 0.2]]), {"average": "exemplar", "empty": math.nan}, "finite number"),
        (("jaccard", [[0.5, 0.2]]), {"average": "exemplar", "empty": "1"}, "finite number"),
        (("recall", [[0.5, 0.2]]), {"average": "exemplar", "empty": 1}, "whatever is predicted"),
        (("precision", [[0.5, 0.2]]), {"average": "exemplar", "empty": 1}, "would choose which examples count"),
    ],
)
def test_refusals_say_why(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        optimal_threshold(*arguments, **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: best_label_set([]), "non-empty"),
        (lambda: best_label_set([0.5, -0.1]), r"probabilities\[1\] is -0.1"),
        (lambda: best_label_set([0.5], 0), "above 0"),
        (lambda: best_label_set_of([[1, 0]], [0.5, 0.5]), "1 sets but 2 probabilities"),
        (lambda: best_label_set_of([[1, 0], [0, 1]], [0.5, 0.4]), "sum to"),
        (lambda: best_label_set_of([[2, 0]], [1.0]), "0/1 table"),
    ],
)
def test_label_sets_refuse_what_they_cannot_read(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ---- the paper


def test_every_recomputed_threshold_of_the_paper():
    facts = {f["id"]: f for f in json.loads(FACTS_FILE.read_text("utf-8")) if f["id"].startswith("bayes.")}
    names = ("alpha", "beta", "gamma", "delta")
    rows = {k: f for k, f in facts.items() if "alpha,beta,gamma,delta" in f["inputs"]}
    assert len(rows) == 13
    for fact in rows.values():
        weights = dict(zip(names, (Fraction(x) for x in fact["inputs"]["alpha,beta,gamma,delta"]), strict=True))
        found = bayes_threshold(ix.measures.linear_utility.at(**weights))
        assert (str(found.value), found.erm_consistent) == (fact["computed"]["t*"], fact["computed"]["erm"])
    for name in ("Accuracy", "Error rate", "Recall", "Specificity"):
        measure = ix.algebra.MEASURES[name.lower().replace(" ", "_")]
        assert str(bayes_threshold(measure).value) == facts[f"bayes.{name}"]["computed"]["t*"]
    costs = [bayes_threshold(ix.measures.linear_utility.at(alpha=0, beta=1, gamma=c, delta=0)).value for c in (5, 10)]
    assert [round(float(t), 3) for t in costs] == facts["bayes.decimals"]["computed"]
    assert bayes_threshold(ix.balanced_accuracy).value == "prevalence"  # bayes.BA, errata C10


@given(st.lists(st.tuples(CHANCES, CHANCES), min_size=1, max_size=3))
@examples(10)
def test_macro_of_a_linear_measure_keeps_one_threshold(rows):  # bayes.macro
    measure = ix.net_benefit.at(p_t=Fraction(1, 3))
    found = optimal_threshold(measure, [[float(x) for x in row] for row in rows], average="macro")
    decided = [[x >= Fraction(1, 3) for x in row] for row in rows]
    each = [population_value(measure, c, [r[j] for r in decided]) for j, c in enumerate(zip(*rows, strict=True))]
    assert same(found.value, sum(each) / 2)


@given(*[st.integers(0, 5)] * 4, st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_one_hot_rows_are_decided_by_the_largest_eta(alpha, beta, gamma, delta, weights):  # bayes.multiclass
    eta = [Fraction(w, sum(weights)) for w in weights]
    measure = ix.measures.linear_utility.at(alpha=alpha, beta=beta, gamma=gamma, delta=delta)
    values = [population_value(measure, eta, [j == k for j in range(3)]) for k in range(3)]
    assert values[eta.index(max(eta))] == pytest.approx(max(values))


def test_comparing_all_cuts_takes_no_rounds() -> None:
    eta = [0.9, 0.6, 0.2, 0.1]
    assert ix.theory.optimal_threshold("mcc", eta).iterations == 0
    assert ix.theory.optimal_threshold("f1", eta).iterations > 0
