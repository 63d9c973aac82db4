"""identify: names of functions of other libraries and of any function of labels or counts (eq:undef_convention)."""

import math
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.algebra.average import AVERAGES, averages_over, averages_that
from indicatrix.algebra.measure import MEASURES
from indicatrix.theory.formula.equivalence import equivalent
from indicatrix.theory.identify.candidates import candidates, families, problems
from indicatrix.theory.identify.identify import identify
from indicatrix.theory.identify.probes import probes
from indicatrix.theory.identify.trial import _roots

sklearn = pytest.importorskip("sklearn.metrics")
EVERY = list(dict.fromkeys(MEASURES.values()))
OVER_CLASSES = averages_that(lambda average: average.general and average.per == ("class",))
LABELS = {"binary": 2, "multiclass": 4, "multilabel": 4}


ONE_LABEL = [("micro", name) for name in ("frequency_bias", "automatic_manual", "marginal_bray_curtis", "baulieu_8")]
ONE_LABEL += [
    ("exemplar", name) for name in ("frequency_bias", "automatic_manual", "marginal_bray_curtis", "baulieu_8", "koppen_2")
]
BY_DENOMINATOR = [average for average, row in AVERAGES.items() if not row.general]  # of what is decomposable, the micro value
ONE_LABEL += [(average, name) for average in BY_DENOMINATOR for _, name in ONE_LABEL if MEASURES[name].decomposition]
ONE_LABEL += [("macro", "automatic_manual")]  # there are as many false positives as false negatives
ONE_LABEL += [("exemplar", "discriminant_power")]  # a row with one label has empty cells: infinite, so undefined, everywhere
BY_NATURE = {(kind, *rest) for kind in ("binary", "multiclass") for rest in ONE_LABEL}


def named(found):
    own = found.measure
    return (
        str(own) if isinstance(own, ix.Measure) and not own.reads.formula else getattr(own, "name", None),
        found.average,
        found.undefined,
    )


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(6))
def test_every_measure_is_named_from_its_counts_with_its_equals_and_nothing_else(chunk):
    for measure in [m for m in EVERY if not m.averages][chunk::6]:
        found = identify(lambda tp, fp, fn, tn, m=measure: m(ix.Counts(tp, fp, fn, tn)))
        assert (measure, "binary", "nan") in found.matches, measure
        for match in found.matches:
            assert match.measure == measure or equivalent(match.measure, measure), (match, measure)
        assert found.evidence.holds


@pytest.mark.slow
@examples(15)
@given(st.data())
def test_a_measure_under_an_average_and_a_convention_is_found_again(data):
    kind = data.draw(st.sampled_from(sorted(LABELS)))
    measure = data.draw(st.sampled_from([m for m in EVERY if not m.averages]))
    average = data.draw(st.sampled_from(averages_over("class", "example") if kind != "binary" else ["binary", "macro"]))
    single = average == "binary" or AVERAGES[average].pools
    undefined = data.draw(st.sampled_from([0, 1, "nan", *([] if single else ["exclude"])]))

    def function(y_true, y_pred):
        return float(measure(y_true, y_pred, average=average, undefined=undefined))

    found = identify(function, style=kind)
    mine = [m.undefined for m in found.matches if (m.measure, m.average) == (measure, average)]
    if found.constant is not None:  # as any function of this measure and average is on such labels
        assert (kind, average, measure.name) in BY_NATURE
    elif found:  # no name at all: the measure is undefined in every generic probe of this kind and average
        assert mine
        assert undefined in mine or not found.matters
        assert found.evidence.holds
    else:
        assert kind != "multilabel" or AVERAGES[average].per == ("example",)
        assert average not in ("binary", "macro") or not math.isfinite(function(*_problem(kind)))


@pytest.mark.slow
@examples(8)
@given(st.sampled_from(["f1", "recall", "jaccard", "mcc"]), st.sampled_from(OVER_CLASSES), st.integers(0, 99))
def test_all_names_agree_on_fresh_problems(name, average, seed):
    def function(y_true, y_pred):
        return float(MEASURES[name](y_true, y_pred, average=average))

    found = identify(function, style="multilabel")
    y, yhat = _problem("multilabel", seed)
    for measure, how, undefined in found.matches:
        assert float(measure(y, yhat, average=how, undefined=undefined)) == pytest.approx(function(y, yhat))


def _problem(kind, seed=3):
    rng = np.random.default_rng(seed)
    if kind == "multilabel":
        return rng.integers(0, 2, (60, 4)), rng.integers(0, 2, (60, 4))
    return rng.integers(0, LABELS[kind], 90), rng.integers(0, LABELS[kind], 90)


SKLEARN = [
    (sklearn.f1_score, ("f1", "binary", 0)),
    (partial(sklearn.f1_score, average="micro"), ("f1", "micro", 0)),
    (partial(sklearn.f1_score, average="macro"), ("f1", "macro", 0)),
    (partial(sklearn.f1_score, average="macro", zero_division=1), ("f1", "macro", 1)),
    (partial(sklearn.f1_score, average="macro", zero_division=np.nan), ("f1", "macro", "exclude")),
    (partial(sklearn.f1_score, average="weighted"), ("f1", "weighted", 0)),
    (lambda y_true, y_pred: sklearn.f1_score(y_true, y_pred, average="samples"), ("f1", "exemplar", 0)),
    (partial(sklearn.f1_score, average=None), ("f1", "class", 0)),
    (partial(sklearn.fbeta_score, beta=2, average="macro"), ("f_beta", "macro", 0)),
    (sklearn.jaccard_score, ("jaccard", "binary", 0)),
    (partial(sklearn.jaccard_score, average="macro"), ("jaccard", "macro", 0)),
    (partial(sklearn.recall_score, average="macro"), ("recall", "macro", 0)),
    (partial(sklearn.recall_score, pos_label=0), ("specificity", "binary", 0)),
    (sklearn.matthews_corrcoef, ("multiclass_mcc", None, 0)),
    (sklearn.cohen_kappa_score, ("multiclass_kappa", None, "nan")),
    (partial(sklearn.cohen_kappa_score, weights="linear"), ("multiclass_kappa(weights='linear')", None, "nan")),
    (sklearn.balanced_accuracy_score, ("recall", "macro", "exclude")),
    (sklearn.accuracy_score, ("subset_accuracy", "exemplar", "exclude")),
    (lambda t, p: math.sqrt(sklearn.precision_score(t, p) * sklearn.recall_score(t, p)), ("fowlkes_mallows", "binary", 0)),
]


@pytest.mark.slow
@for_each(("function", "name"), SKLEARN)
def test_scikit_learn(function, name):
    found = identify(function)
    assert named(found) == name
    assert not found.all_classes  # it averages over the classes that it finds in the labels
    assert found.evidence.holds
    assert found.evidence.digits == 9
    assert ("without any positives" in found.evidence.note) == (
        found.average in AVERAGES and AVERAGES[found.average].weight is not None
    )


@pytest.mark.slow
def test_what_a_function_is_may_depend_on_the_problem():
    mcc, hamming, zero_one = map(identify, (sklearn.matthews_corrcoef, sklearn.hamming_loss, sklearn.zero_one_loss))
    assert named(mcc.by_kind["binary"]) == ("mcc", "binary", 0)
    assert named(mcc.by_kind["multiclass"]) == ("multiclass_mcc", None, 0)
    assert str(hamming.by_kind["multilabel"]) == "micro error_rate"
    assert str(hamming.by_kind["binary"]) == "binary error_rate"
    assert str(hamming.by_kind["multiclass"]) == "exemplar zero_one_loss"
    assert str(zero_one) == "exemplar zero_one_loss"
    assert zero_one.kinds == ("binary", "multiclass", "multilabel")
    assert str(identify(sklearn.hamming_loss, style="multilabel")) == "micro error_rate"


@pytest.mark.slow
def test_a_clustering_score_counts_pairs_of_examples():
    assert identify(sklearn.fowlkes_mallows_score).measure == ix.measures.fowlkes_mallows_of_pairs


@pytest.mark.slow
def test_in_words():
    assert str(identify(partial(sklearn.f1_score, average="macro"))) == "macro f1, undefined values count as 0"
    assert str(identify(sklearn.balanced_accuracy_score)) == "macro recall, undefined values are excluded"
    assert str(identify(lambda tp, fp, fn, tn: tp / (tp + fp))) == "binary precision, undefined values are an error"


@pytest.mark.slow
def test_torchmetrics():
    torch = pytest.importorskip("torch")
    tm = pytest.importorskip("torchmetrics.functional.classification")
    recall = identify(partial(tm.multiclass_recall, num_classes=4, average="macro"))
    assert named(recall) == ("recall", "macro", 0)  # over the classes that occur, as it is here without classes=
    assert not recall.all_classes
    assert recall.evidence.digits == 5
    assert named(identify(partial(tm.multiclass_f1_score, num_classes=3, average="macro"))) == ("f1", "macro", "exclude")
    assert named(identify(lambda p, t: tm.multiclass_recall(p, t, num_classes=3))) == ("recall", "macro", 0)
    assert named(identify(partial(tm.multilabel_jaccard_index, num_labels=3))) == ("jaccard", "macro", 0)
    assert named(identify(lambda p, t: tm.multilabel_precision(p, t, num_labels=4).item())) == ("precision", "macro", 0)
    assert named(identify(tm.binary_f1_score)) == ("f1", "binary", 0)
    per_class = identify(lambda preds, target: tm.multiclass_recall(preds, target, num_classes=3, average=None))
    assert named(per_class) == ("recall", "class", 0)
    assert per_class.all_classes
    double = identify(lambda preds, target: (preds == target).to(torch.float64).mean(), style="multiclass")
    assert double.measure.name == "multiclass_accuracy"
    assert double.evidence.digits == 9


@pytest.mark.slow
def test_a_mixture_of_conventions_is_reported_with_the_probe_where_it_fails():
    tm = pytest.importorskip("torchmetrics.functional.classification")
    found = identify(tm.binary_matthews_corrcoef, style="binary")
    assert named(found) == ("mcc", "binary", None)
    assert found.evidence.holds is False
    assert "no single convention" in found.evidence.note
    assert "no single convention" in str(found)
    assert all(match.undefined is None for match in found.matches)

    def one_if_nothing_is_predicted(tp, fp, fn, tn):
        return 1 if tp + fp == 0 and fn else 0 if tp + fp == 0 else tp / (tp + fp)

    mixed = identify(one_if_nothing_is_predicted)
    assert named(mixed) == ("precision", "binary", None)
    probe, _, expected, value = mixed.evidence.witness
    assert probe.startswith("counts: ")
    assert {expected, value} == {0.0, 1.0}


def test_the_names_of_the_arguments_say_which_is_which():
    precision = lambda true, pred: (true & pred).sum() / pred.sum() if pred.sum() else 0.0  # noqa: E731
    for function in (
        lambda y_true, y_pred: precision(y_true, y_pred),
        lambda preds, target: precision(target, preds),
        lambda p, t: precision(t, p),
        lambda a, y_hat: precision(a, y_hat),
        lambda *, y_pred, y_true: precision(y_true, y_pred),
    ):
        found = identify(function, style="binary")
        assert named(found) == ("precision", "binary", 0)
        assert "taken as" not in found.evidence.note
    assert "assumed to be (y_true, y_pred)" in identify(lambda a, b: precision(a, b), style="binary").evidence.note


def test_counts_are_passed_by_name_and_in_order():
    assert named(identify(lambda TN, FP, FN, TP: TP / (TP + FN) if TP + FN else 0)) == ("recall", "binary", 0)
    assert named(identify(lambda a, b, c, d: a / (a + b) if a + b else 1)) == ("precision", "binary", 1)
    assert named(identify(lambda *, tn, fp, fn, tp: tn / (tn + fp) if tn + fp else 0)) == ("specificity", "binary", 0)
    assert named(identify(lambda *v: v[0] / (v[0] + v[2]), style="counts")) == ("recall", "binary", "raise")


@pytest.mark.slow
def test_named_classes():
    spam = partial(sklearn.f1_score, pos_label="spam")
    assert named(identify(spam, classes=["ham", "spam"])) == ("f1", "binary", 0)
    with pytest.raises(ValueError, match="did not accept any of the probes"):
        identify(spam)
    fixed = partial(sklearn.recall_score, labels=range(6), average="macro")
    assert named(identify(fixed, classes=6)) == ("recall", "macro", 0)
    assert identify(fixed, classes=6).by_kind["multiclass"].all_classes


@pytest.mark.slow
def test_lists_are_tried_where_arrays_fail():
    found = identify(lambda y_true, y_pred: sum(map(lambda a, b: a == b, y_true, y_pred)) / len(y_true) if y_true else 0)
    assert found.by_kind["multiclass"].measure.name == "multiclass_accuracy"


def test_warnings_stay_inside_and_arguments_may_be_modified():
    def noisy(y_true, y_pred):
        warnings.warn("loud", stacklevel=1)
        value = np.float64(np.sum(y_true * y_pred)) / np.float64(np.sum(y_true))  # numpy warns of 0/0
        y_true[:] = 0
        return value

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert named(identify(noisy, style="binary")) == ("recall", "binary", "nan")
        assert named(identify(noisy, style="binary")) == ("recall", "binary", "nan")
    assert not caught


SCORED = {  # average of scikit-learn -> average here, and a kind of problem where the parameter matters
    "binary": ("binary", "binary"),
    "micro": ("micro", "multilabel"),
    "macro": ("macro", "multiclass"),
    "weighted": ("weighted", "multiclass"),
    "samples": ("exemplar", "multilabel"),
    None: ("class", "multilabel"),
}


@pytest.mark.slow
@pytest.mark.parametrize("average", SCORED)
@examples(2)
@given(beta=st.integers(10, 500).map(lambda k: k / 100))
def test_the_beta_of_an_f_score_is_solved_for(average, beta):
    mine, kind = SCORED[average]
    found = identify(partial(sklearn.fbeta_score, beta=beta, average=average), style=kind)
    conventions = [m.undefined for m in found.matches if (m.measure, m.average) == (ix.f_beta.at(beta=beta), mine)]
    assert 0 in conventions or (conventions and not found.matters)
    assert found.evidence.holds
    assert beta in (0.5, 1, 2) or found.measure.params == {"beta": beta}


@pytest.mark.slow
def test_a_solved_family_is_one_name_on_all_kinds_of_labels():
    found = identify(partial(sklearn.fbeta_score, beta=3, average="micro"))
    assert str(found) == "micro f_beta(beta=3), undefined values count as 0"
    assert found.kinds == ("binary", "multiclass", "multilabel")  # although beta does not matter on the first two
    assert named(found.by_kind["binary"])[0] != "f_beta"


@pytest.mark.slow
@examples(8)
@given(st.fractions(0, 1, max_denominator=99).filter(lambda p: p < 1) | st.integers(1, 999).map(lambda k: k / 1000))
def test_the_threshold_of_net_benefit_is_solved_for(p):
    p_t = float(p)
    found = identify(lambda tp, fp, fn, tn: (tp - fp * p_t / (1 - p_t)) / (tp + fp + fn + tn))
    assert p_t == 0 or (ix.net_benefit.at(p_t=p_t), "binary", "raise") in found.matches


@pytest.mark.slow
@examples(4)
@given(st.sampled_from(families("binary", False)), st.integers(3, 97).map(lambda k: k / 100))
def test_a_member_of_any_family_is_found_again_even_where_its_values_turn_round(family, value):
    member = family.at(value)

    def function(y_true, y_pred):
        return float(member.measure(y_true, y_pred, average=member.average, undefined=0))

    kind = "binary" if member.average == "binary" else "multilabel"
    names = {(m.measure, m.average) for m in identify(function, style=kind).matches}
    assert (member.measure, member.average) in names


def test_roots_of_every_kind_are_found():
    for function, roots in (
        (lambda x: (x - 0.3) * (x - 2), [0.3, 2]),
        (lambda x: (x - 0.7) * (x - 0.7001), [0.7, 0.7001]),  # both between two points
        (lambda x: -((x - 0.7) ** 2), [0.7]),  # a double one
        (lambda x: x - 1, [1]),
        (lambda x: x + 1, []),
    ):
        grid = [10 ** (k / 8) for k in range(-32, 33)]
        found = [x for x in _roots(function, [(x, function(x)) for x in grid]) if abs(function(x)) < 1e-12]
        assert sorted(found) == pytest.approx(roots, abs=1e-7)


@pytest.mark.one_fast_case
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, math.nan])
def test_a_constant_is_no_measure(value):
    for function in (
        lambda y_true, y_pred: value,
        lambda tp, fp, fn, tn: value,
        lambda tp, fp, fn, tn: value if tp else 1 / tp,  # where it answers at all
        partial(lambda y_true, y_pred, num_classes: np.full(num_classes, value), num_classes=4),
    ):
        found = identify(function)
        assert not found
        assert str(found) == f"a constant, {value}, not a measure"
        assert found.matches == ()
        assert found.evidence.holds is False


@pytest.mark.slow
def test_a_constant_may_depend_on_the_kind_of_problem():
    found = identify(lambda y_true, y_pred: float(y_true.ndim))
    assert not found
    assert str(found) == (
        "a constant, 1.0, not a measure, on binary and multiclass labels; a constant, 2.0, not a measure, on multilabel labels"
    )
    bias = identify(lambda y_true, y_pred: float(ix.measures.frequency_bias(y_true, y_pred, average="micro")))
    assert named(bias)[:2] == ("frequency_bias", "micro")
    assert str(bias.by_kind["multiclass"]) == "a constant, 1.0, not a measure"  # as many predicted as true labels


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "m"), [("counts", 2), ("multiclass", 5), ("multilabel", 5)])
def test_what_is_constant_on_the_probes_is_so_by_nature(kind, m):
    generic = [problems(p, m)["found"] for p in probes(kind, m)]
    for candidate in candidates(kind, False):
        answers = [candidate.on(problem) for problem in generic]
        values = [float(a.under("nan")[0]) for a in answers if not a.undefined]
        if not any(a.undefined for a in answers) and np.ptp(values) < 1e-9:
            assert (kind, candidate.average, candidate.measure.name) in BY_NATURE


@pytest.mark.slow
def test_no_name_is_invented():
    for function in (
        lambda y_true, y_pred: 0.123,
        lambda y_true, y_pred: float(np.sum(y_true)),
        lambda tp, fp, fn, tn: tp * 3,
        lambda tp, fp, fn, tn: tp / (tp + 0.3 * fp + 0.6 * fn),  # every F-score family meets its value on one probe
    ):
        found = identify(function)
        assert not found
        assert found.matches == ()
        assert found.evidence.holds is False


def test_errors_say_what_was_tried():
    with pytest.raises(TypeError, match="without calling it"):
        identify(0.5)
    with pytest.raises(ValueError, match=r"binary: .*dict.*multilabel: .*classes="):
        identify(lambda y_true, y_pred: {})
    with pytest.raises(ValueError, match=r"RuntimeError: out of order"):
        identify(_broken)
    with pytest.raises(ValueError, match="style='labels' is not a kind"):
        identify(sklearn.f1_score, style="labels")
    with pytest.raises(ValueError, match="takes the four counts"):
        identify(lambda tp, fp, fn, tn: tp, style="binary")
    with pytest.raises(ValueError, match="at least two classes"):
        identify(sklearn.f1_score, classes=1)


def _broken(y_true, y_pred):
    raise RuntimeError("out of order\nand more")
