"""Cells that the data cannot show: what reads them is undefined or refused, what does not is as ever."""

from __future__ import annotations

import math

import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import Average

TRUE, PRED = ["a", "b", "b", "c"], ["a", "a", "b", "c"]
EV = ix.evaluate(TRUE, PRED, unobserved=("fp", "tn"), by={"fold": [1, 1, 2, 2]})
WHOLE = ix.evaluate(TRUE, PRED, by={"fold": [1, 1, 2, 2]})


CELLS = ("tp", "fp", "fn", "tn")
SPOTS = [(5, 3, 2, 7), (4, 1, 6, 9), (8, 2, 3, 11)]


@pytest.mark.parametrize("hidden", [("fp", "tn"), ("tn",), ("fn",), ("tp", "fp")])
def test_a_measure_that_reads_a_hidden_cell_is_undefined(hidden):
    ev = ix.evaluate(TRUE, PRED, unobserved=hidden)
    for measure in dict.fromkeys(ix.algebra.MEASURES.values()):
        value = float(ev.score(measure, measure.averages[0] if measure.averages else "micro"))
        for i, spot in enumerate(SPOTS):
            other = [31 + i if name in hidden else x for name, x in zip(CELLS, spot, strict=True)]
            if float(measure(ix.Counts(*spot))) != float(measure(ix.Counts(*other))):
                assert math.isnan(value), measure


def test_measures_that_need_no_negatives():
    plain = ix.evaluate(TRUE, PRED)
    for names, hidden in ((("recall", "fnr"), ("fp", "tn")), (("precision", "recall", "f1", "jaccard"), ("tn",))):
        ev = ix.evaluate(TRUE, PRED, unobserved=hidden)
        for name in names:
            for average in ("micro", "macro", "weighted", "exemplar", "denominator"):
                assert ev.score(name, average) == plain.score(name, average)


@for_each("hidden", [("fn", "tn"), ("fn",), ("fp", "tn"), ("tn",)])
@for_each("name", ["precision", "recall", "specificity", "npv"])
def test_weights_that_read_a_hidden_cell_leave_the_score_undefined(hidden, name):
    ev = ix.evaluate(TRUE, PRED, unobserved=hidden)
    by_hand = {  # what the weights of these rows read
        "weighted": {"tp", "fn"},
        "predicted": {"tp", "fp"},
        "negatives": {"fp", "tn"},
    }
    ix.algebra.AVERAGES["predicted"] = Average(("class",), ix.measure("tp + fp"))
    ix.algebra.AVERAGES["negatives"] = Average(("class",), ix.measure("fp + tn"))
    for average, read in by_hand.items():
        plain, score = ev.score(name, "macro"), ev.score(name, average)
        if plain.has_undefined() or not read & {*hidden}:
            assert score.lacks_weight() is False
            continue
        assert math.isnan(score)
        assert (score.undefined_units, score.undefined_count) == ((average,), 1)
        assert repr(score) == f"nan ({average} {name}; undefined: its weights read counts that the data do not show)"
        assert ev.score(name, average, undefined=0) == score.under(0) == 0
        with pytest.raises(ix.types.UndefinedError, match=f"{average} {name}: undefined, because its weights read counts"):
            ev.score(name, average, undefined="raise")


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "exemplar", "fold", ("fold", "macro"), ("fold", "weighted")])
def test_what_stands_in_for_hidden_cells_has_no_interval_and_no_difference(average):
    true, one, other = TRUE * 4, PRED * 4, ["a", "b", "c", "c"] * 4
    options = {"unobserved": ("fn", "tn"), "by": {"fold": [1, 2] * 8}}
    ev = ix.evaluate(true, one, **options)
    for name in ("recall", "precision"):
        hidden = ev.score(name, average, undefined=0).reads_hidden()
        assert hidden == (name == "recall" or average in ("weighted", ("fold", "weighted")))
        compared = ix.compare(true, {"one": one, "other": other}, measures=[name], averages=[average], undefined=0, **options)
        assert "different numbers of true labels" not in str(compared)
        assert ("counts that the data do not show" in " ".join(d.note for d in compared.differences)) == hidden
        if hidden:
            with pytest.raises(ValueError, match="no interval for this score: it reads counts that the data do not show"):
                ev.interval(name, average, undefined=0)
        else:
            found = ev.interval(name, average, undefined=0)
            assert found.low <= found.value <= found.high


def test_what_does_not_read_hidden_cells_goes_on():
    assert EV.gap("recall").gap == WHOLE.gap("recall").gap
    folds = EV.folds("recall", "micro")
    assert (folds.pooled, folds.weights.tolist()) == (WHOLE.folds("recall", "micro").pooled, [2, 2])
    assert EV.score("recall", "denominator") == WHOLE.score("recall", "denominator")
    assert EV.findings() == []
    assert "The data do not show fp, tn" in str(EV)


@for_each(
    "call",
    [
        lambda: EV.gap("precision"),
        lambda: EV.folds("f1", "micro"),
        lambda: EV.confusion,
        lambda: EV.score("multiclass_mcc"),
        lambda: EV.cost("zero_one"),
        lambda: EV.prior_sensitivity("precision", "uniform"),
        lambda: EV.with_priors("uniform"),
        lambda: EV.coinciding_scores(),
        lambda: EV.redundant(["f1"]),
        lambda: EV.skew_conditions(),
        lambda: EV.dominates(WHOLE),
        lambda: EV.coverage,
    ],
)
def test_what_reads_hidden_cells_is_refused(call):
    with pytest.raises(ValueError, match=r"data do not show"):
        call()


def test_spans_have_a_confusion_matrix_but_no_agreement_among_those_that_are_alone():
    ev = ix.spans([[(0, 1, "A"), (2, 3, "B")]], [[(0, 1, "A"), (5, 6, "A")]])
    assert ev.confusion.tolist() == [[1, 0], [0, 0]]
    with pytest.raises(ValueError, match="one true and one predicted class for every example"):
        ev.score("multiclass_accuracy")


def test_errors():
    with pytest.raises(ValueError, match="unobserved= names 'xx'"):
        ix.evaluate(TRUE, PRED, unobserved=["xx"])
    assert ix.evaluate(TRUE, PRED, unobserved=None).unobserved == ()
    assert ix.evaluate(TRUE, PRED, unobserved="tn").unobserved == ("tn",)
